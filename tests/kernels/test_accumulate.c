// SPDX-License-Identifier: Apache-2.0
// Accumulation onto L1: every set's kernels return the bits of the reference set and write no byte
// besides their own. Page: Packers/README.md.
#include "kernel_inputs.h"

#include "base/format_codes.h"
#include "kernels/kernels.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const char *const sets[] = {"portable", "avx2", "auto"};
enum { SETS = sizeof sets / sizeof *sets };

// Two operands of a sum: anything; equal but for the sign; or close enough to round.
static void fill_operands(uint8_t format, uint8_t *old, uint8_t *addend)
{
    uint32_t a = hard_fp32(127), b = random_below(4) ? hard_fp32(a >> 23 & 0xffu) : random32();
    if (random_below(16) == 0)
        b = a ^ random_below(2) << 31;
    if (format == TSR_FORMAT_FP16) {
        a = a << 13 | random_below(2) << 30 | (a & 0x80000000u);
        b = b << 13 | (b & 0x80000000u);
    }
    if (format == TSR_FORMAT_INT32 && random_below(2))
        b = (b & 0x80000000u) | (b & 0x7fffffffu) >> random_below(31);
    bool wide = format == TSR_FORMAT_FP32 || format == TSR_FORMAT_INT32;
    for (unsigned i = 0; i < (wide ? 4u : 2u); i++) {
        old[i] = (uint8_t)(a >> (wide ? 8 * i : 16 + 8 * i));
        addend[i] = (uint8_t)(b >> (wide ? 8 * i : 16 + 8 * i));
    }
}

// What the kernel of each set makes of `old`, beside the reference.
static void same_sums(uint8_t format, const struct guarded *old, size_t offset,
                      const uint8_t *addends, size_t datums)
{
    struct guarded want = *old;
    const struct tsr_kernels *reference = tsr_kernels_select("reference");
    tsr_kernels_accumulate(reference, format)(want.bytes + offset, addends, datums, format);
    for (int set = 0; set < SETS; set++) {
        const struct tsr_kernels *kernels = tsr_kernels_select(sets[set]);
        struct guarded got = *old;
        if (!kernels)
            continue; // not on this machine
        tsr_kernels_accumulate(kernels, format)(got.bytes + offset, addends, datums, format);
        assert_memory_equal(got.bytes, want.bytes, sizeof got.bytes);
    }
}

static void test_hard_operands(void **state)
{
    (void)state;
    static const uint8_t formats[] = {TSR_FORMAT_FP32, TSR_FORMAT_FP16, TSR_FORMAT_BF16,
                                      TSR_FORMAT_INT32};
    for (unsigned i = 0; i < 40000; i++) {
        uint8_t format = formats[i % 4], addends[4 * MOST_DATUMS];
        size_t bytes = i % 4 == 1 || i % 4 == 2 ? 2 : 4, datums = 1 + random_below(32);
        size_t offset = GUARD_BYTES + random_below(16);
        struct guarded old, unused;
        guarded_fill(&old, &unused);
        for (size_t j = 0; j < datums; j++)
            fill_operands(format, old.bytes + offset + bytes * j, addends + bytes * j);
        same_sums(format, &old, offset, addends, datums);
    }
}

// Every seventh pattern of the 16-bit formats, with any others.
static void test_many_patterns(void **state)
{
    (void)state;
    static const uint8_t formats[] = {TSR_FORMAT_FP16, TSR_FORMAT_BF16};
    for (uint32_t i = 0; i < 2 * 65536; i += 7) {
        struct guarded old, unused;
        uint8_t addends[2 * MOST_DATUMS];
        guarded_fill(&old, &unused);
        for (size_t j = 0; j < 2 * MOST_DATUMS; j += 2) {
            uint32_t addend = random32();
            old.bytes[GUARD_BYTES + j] = (uint8_t)i;
            old.bytes[GUARD_BYTES + j + 1] = (uint8_t)(i >> 8);
            addends[j] = (uint8_t)addend;
            addends[j + 1] = (uint8_t)(addend >> 8);
        }
        same_sums(formats[i >> 16], &old, GUARD_BYTES, addends, MOST_DATUMS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hard_operands),
        cmocka_unit_test(test_many_patterns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
