// SPDX-License-Identifier: Apache-2.0
// What the tests of kernels share: each set that this machine can run, outputs with guard bands,
// and the comparison with the reference set.
#ifndef TESTS_KERNELS_KERNEL_RIG_H
#define TESTS_KERNELS_KERNEL_RIG_H

#include "kernel_inputs.h"

#include "base/format_codes.h"
#include "kernels/kernels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const struct tsr_kernels *reference; // set by main()

// The sets that this machine can run besides the reference, at most SETS: the one after `after`,
// NULL after the last.
enum { SETS = 3 };

static inline const char *next_set(const char *after)
{
    static const char *const names[SETS] = {"portable", "avx2", "avx512"};
    size_t i = 0;
    while (after && names[i++] != after) {
    }
    for (; i < SETS; i++)
        if (strstr(tsr_kernel_sets(), names[i]) && tsr_kernels_select(names[i]))
            return names[i];
    return NULL;
}

#define FOR_EACH_SET(kernels)                                                                      \
    for (const char *set_name = next_set(NULL); set_name; set_name = next_set(set_name))           \
        for (const struct tsr_kernels *kernels = tsr_kernels_select(set_name); kernels;            \
             kernels = NULL)

// Modes outnumber kernels by far, so that every kernel still sees every length.
#define FOR_SOME_LENGTHS(datums)                                                                   \
    for (size_t datums = 1 + random_below(12); datums <= MOST_DATUMS;                              \
         datums += 1 + random_below(24))

static struct guarded want, got, want_low, got_low;

static inline void same(const char *what, const char *set_name, const void *mode, size_t size,
                        size_t datums)
{
    if (memcmp(&want, &got, sizeof want) == 0 && memcmp(&want_low, &got_low, sizeof want_low) == 0)
        return;
    print_error("%s of set %s differs from the reference, %zu datums, mode", what, set_name,
                datums);
    for (size_t i = 0; i < size; i++)
        print_error(" %02x", ((const uint8_t *)mode)[i]);
    print_error("\n");
    fail();
}

// Where an output of 32-bit or 16-bit cells begins.
static inline void *cells_at(struct guarded *out)
{
    return out->bytes + GUARD_BYTES;
}

static inline void fill_outputs(void)
{
    guarded_fill(&want, &got);
    guarded_fill(&want_low, &got_low);
}

#endif
