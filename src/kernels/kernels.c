// SPDX-License-Identifier: Apache-2.0
// Choice of kernels: which sets a tile may use, and the first of them that covers a mode.
// Everything here is constant; the CPU is asked when a tile selects.
#include "kernels/kernels.h"

#include "base/format_codes.h"
#include "kernels/kernel_set.h"
#include "numerics/fpu.h"

#include <string.h>

// Fastest first; the reference set ends every choice.
static const struct tsr_kernel_set *const SETS[] = {
#if TSR_KERNELS_X86
    &tsr_kernels_avx512,
    &tsr_kernels_avx2,
#endif
    &tsr_kernels_portable,
    &tsr_kernels_reference,
};

enum { SET_COUNT = sizeof SETS / sizeof SETS[0], SET_REFERENCE = SET_COUNT - 1 };

struct tsr_kernels {
    unsigned mask; // a bit for each of SETS, the reference set aside
};

static const struct tsr_kernels CHOICES[] = {
    {0}, {1},
#if TSR_KERNELS_X86
    {2}, {3}, {4}, {5}, {6}, {7},
#endif
};

const char *tsr_kernel_sets(void)
{
    return TSR_KERNELS_X86 ? "reference,portable,avx2,avx512" : "reference,portable";
}

static bool set_runs(int set)
{
    return !SETS[set]->runs_here || SETS[set]->runs_here();
}

static int set_find(const char *name, size_t length)
{
    for (int set = 0; set < SET_COUNT; set++) {
        if (strlen(SETS[set]->name) == length && memcmp(SETS[set]->name, name, length) == 0) {
            return set_runs(set) ? set : -1;
        }
    }
    return -1;
}

const struct tsr_kernels *tsr_kernels_select(const char *spec)
{
    unsigned mask = 0;
    if (!spec || strcmp(spec, "auto") == 0) {
        for (int set = 0; set < SET_REFERENCE; set++) {
            mask |= set_runs(set) ? 1u << set : 0;
        }
        return &CHOICES[mask];
    }
    for (;;) {
        size_t length = strcspn(spec, ",");
        int set = set_find(spec, length);
        if (set < 0) {
            return NULL;
        }
        mask |= set == SET_REFERENCE ? 0 : 1u << set;
        if (spec[length] == '\0') {
            return &CHOICES[mask];
        }
        spec += length + 1;
    }
}

// Return from the caller with what the first chosen set that covers `mode` has for it: a pointer of
// `type`. Asked for each block of rows, so nothing is asked twice.
#define RETURN_FIRST(type, kernels, kind, mode)                                                    \
    for (int set = 0; set < SET_COUNT; set++) {                                                    \
        if ((((kernels)->mask | 1u << SET_REFERENCE) >> set & 1u) != 0 && SETS[set]->kind) {       \
            type *kernel = SETS[set]->kind(mode);                                                  \
            if (kernel) {                                                                          \
                return kernel;                                                                     \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    return NULL

static bool is_block(uint8_t format)
{
    return tsr_format_is_block_e8(format) || tsr_format_is_block_e5(format);
}

static bool unpack_exists(const tsr_unpack_mode *mode)
{
    uint32_t out;
    return tsr_unpack_datum(mode, 0, 0, &out) == TSR_OK;
}

tsr_unpack_src_fn *tsr_kernels_unpack_src(const struct tsr_kernels *kernels,
                                          const tsr_unpack_mode *mode)
{
    if (mode->to_dst || !unpack_exists(mode)) {
        return NULL;
    }
    RETURN_FIRST(tsr_unpack_src_fn, kernels, unpack_src, mode);
}

tsr_unpack_dst_fn *tsr_kernels_unpack_dst(const struct tsr_kernels *kernels,
                                          const tsr_unpack_mode *mode)
{
    if (!mode->to_dst || !unpack_exists(mode)) {
        return NULL;
    }
    RETURN_FIRST(tsr_unpack_dst_fn, kernels, unpack_dst, mode);
}

tsr_move_kind tsr_move_kind_of(uint8_t src_format)
{
    if (src_format == TSR_FORMAT_TF32) {
        return TSR_MOVE_TF32;
    }
    return tsr_fpu_format_is_e5(src_format) ? TSR_MOVE_FP16 : TSR_MOVE_BF16;
}

uint32_t tsr_src_mask(uint8_t format)
{
    return tsr_fpu_operand(format, 0x7FFFFu);
}

tsr_move_fn *tsr_kernels_move(const struct tsr_kernels *kernels, const tsr_move_mode *mode)
{
    RETURN_FIRST(tsr_move_fn, kernels, move, mode);
}

tsr_element_fn *tsr_kernels_element(const struct tsr_kernels *kernels, const tsr_element_mode *mode)
{
    if (mode->int8 && !mode->fpu.acc32) {
        return NULL;
    }
    RETURN_FIRST(tsr_element_fn, kernels, element, mode);
}

const tsr_dot_kernel *tsr_kernels_dot(const struct tsr_kernels *kernels,
                                      const tsr_element_mode *mode)
{
    if (mode->int8 && !mode->fpu.acc32) {
        return NULL;
    }
    RETURN_FIRST(const tsr_dot_kernel, kernels, dot, mode);
}

static bool pack_exists(const tsr_pack_mode *mode)
{
    uint32_t out;
    return tsr_pack_datum(mode, 0, &out) == TSR_OK;
}

tsr_pack_fn *tsr_kernels_pack(const struct tsr_kernels *kernels, const tsr_pack_mode *mode)
{
    if (is_block(mode->out_format) || !pack_exists(mode)) {
        return NULL;
    }
    RETURN_FIRST(tsr_pack_fn, kernels, pack, mode);
}

tsr_pack_block_fn *tsr_kernels_pack_block(const struct tsr_kernels *kernels,
                                          const tsr_pack_mode *mode)
{
    if (!is_block(mode->out_format) || !pack_exists(mode)) {
        return NULL;
    }
    RETURN_FIRST(tsr_pack_block_fn, kernels, pack_block, mode);
}

tsr_merge_fn *tsr_kernels_merge(const struct tsr_kernels *kernels, uint8_t format)
{
    uint32_t sum;
    if (tsr_pack_accumulate(format, 0, 0, &sum) != TSR_OK) {
        return NULL;
    }
    RETURN_FIRST(tsr_merge_fn, kernels, merge, format);
}
