// SPDX-License-Identifier: Apache-2.0
// The choice of kernels: which sets a tile may use, and the first of them that covers a mode. All
// tables are constant; the CPU is asked when a tile selects its sets.
#include "kernels/kernels.h"

#include "base/format_codes.h"
#include "kernels/kernel_set.h"
#include "numerics/fpu.h"

#include <string.h>

struct kernel_set {
    const char *name;
    bool (*runs_here)(void);                 // asked at selection; NULL: everywhere
    const struct tsr_unpack_kernels *unpack; // each NULL if the set has none
    const struct tsr_pack_kernels *pack;
    const struct tsr_matrix_kernels *matrix;
    const struct tsr_vector_kernels *vector;
};

#if TSR_KERNELS_X86
static bool cpu_has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static bool cpu_has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512cd");
}
#endif

// Fastest first; the reference set ends every choice.
static const struct kernel_set SETS[] = {
#if TSR_KERNELS_X86
    {"avx512", cpu_has_avx512, &tsr_unpack_avx512, &tsr_pack_avx512, &tsr_matrix_avx512,
     &tsr_vector_avx512},
    {"avx2", cpu_has_avx2, &tsr_unpack_avx2, &tsr_pack_avx2, &tsr_matrix_avx2, &tsr_vector_avx2},
#endif
    {"portable", NULL, &tsr_unpack_portable, &tsr_pack_portable, &tsr_matrix_portable,
     &tsr_vector_portable},
    {"reference", NULL, &tsr_unpack_reference, &tsr_pack_reference, &tsr_matrix_reference,
     &tsr_vector_reference},
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
    return !SETS[set].runs_here || SETS[set].runs_here();
}

static int set_find(const char *name, size_t length)
{
    for (int set = 0; set < SET_COUNT; set++)
        if (strlen(SETS[set].name) == length && memcmp(SETS[set].name, name, length) == 0)
            return set_runs(set) ? set : -1;
    return -1;
}

const struct tsr_kernels *tsr_kernels_select(const char *spec)
{
    unsigned mask = 0;
    if (!spec || strcmp(spec, "auto") == 0) {
        for (int set = 0; set < SET_REFERENCE; set++)
            mask |= set_runs(set) ? 1u << set : 0;
        return &CHOICES[mask];
    }
    for (;;) {
        size_t length = strcspn(spec, ",");
        int set = set_find(spec, length);
        if (set < 0)
            return NULL;
        mask |= set == SET_REFERENCE ? 0 : 1u << set;
        if (spec[length] == '\0')
            return &CHOICES[mask];
        spec += length + 1;
    }
}

static bool is_chosen(const struct tsr_kernels *kernels, int set)
{
    return ((kernels->mask | 1u << SET_REFERENCE) >> set & 1u) != 0;
}

// Returns from the caller the kernel of the first chosen set that has one for `mode`. It is a macro
// because each `kind` of kernel is a function of another type. Some instructions ask each time that
// they execute, so the loop stays in place.
#define RETURN_FIRST(type, kernels, unit, kind, mode)                                              \
    for (int set = 0; set < SET_COUNT; set++) {                                                    \
        if (is_chosen(kernels, set) && SETS[set].unit && SETS[set].unit->kind) {                   \
            type *kernel = SETS[set].unit->kind(mode);                                             \
            if (kernel)                                                                            \
                return kernel;                                                                     \
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
    if (mode->to_dst || !unpack_exists(mode))
        return NULL;
    RETURN_FIRST(tsr_unpack_src_fn, kernels, unpack, src, mode);
}

tsr_unpack_dst_fn *tsr_kernels_unpack_dst(const struct tsr_kernels *kernels,
                                          const tsr_unpack_mode *mode)
{
    if (!mode->to_dst || !unpack_exists(mode))
        return NULL;
    RETURN_FIRST(tsr_unpack_dst_fn, kernels, unpack, dst, mode);
}

tsr_move_kind tsr_move_kind_of(uint8_t src_format)
{
    if (src_format == TSR_FORMAT_TF32)
        return TSR_MOVE_TF32;
    return tsr_fpu_format_is_e5(src_format) ? TSR_MOVE_FP16 : TSR_MOVE_BF16;
}

tsr_move_fn *tsr_kernels_move(const struct tsr_kernels *kernels, const tsr_move_mode *mode)
{
    RETURN_FIRST(tsr_move_fn, kernels, matrix, move, mode);
}

tsr_element_fn *tsr_kernels_element(const struct tsr_kernels *kernels, const tsr_element_mode *mode)
{
    if (mode->int8 && !mode->fpu.acc32)
        return NULL;
    RETURN_FIRST(tsr_element_fn, kernels, matrix, element, mode);
}

const tsr_dot_kernel *tsr_kernels_dot(const struct tsr_kernels *kernels,
                                      const tsr_element_mode *mode)
{
    if (mode->int8 && !mode->fpu.acc32)
        return NULL;
    RETURN_FIRST(const tsr_dot_kernel, kernels, matrix, dot, mode);
}

static bool pack_exists(const tsr_pack_mode *mode)
{
    uint32_t out;
    return tsr_pack_datum(mode, 0, &out) == TSR_OK;
}

tsr_pack_fn *tsr_kernels_pack(const struct tsr_kernels *kernels, const tsr_pack_mode *mode)
{
    if (is_block(mode->out_format) || !pack_exists(mode))
        return NULL;
    RETURN_FIRST(tsr_pack_fn, kernels, pack, row, mode);
}

tsr_pack_block_fn *tsr_kernels_pack_block(const struct tsr_kernels *kernels,
                                          const tsr_pack_mode *mode)
{
    if (!is_block(mode->out_format) || !pack_exists(mode))
        return NULL;
    RETURN_FIRST(tsr_pack_block_fn, kernels, pack, block, mode);
}

tsr_accumulate_fn *tsr_kernels_accumulate(const struct tsr_kernels *kernels, uint8_t format)
{
    uint32_t sum;
    if (tsr_pack_accumulate(format, 0, 0, &sum) != TSR_OK)
        return NULL;
    RETURN_FIRST(tsr_accumulate_fn, kernels, pack, accumulate, format);
}

tsr_pack_larger_fn *tsr_kernels_pack_larger(const struct tsr_kernels *kernels, bool relu)
{
    RETURN_FIRST(tsr_pack_larger_fn, kernels, pack, larger, relu);
}

tsr_vector_fn *tsr_kernels_vector(const struct tsr_kernels *kernels, const tsr_vector_mode *mode)
{
    if (mode->op >= TSR_VECTOR_OPS)
        return NULL;
    RETURN_FIRST(tsr_vector_fn, kernels, vector, lanes, mode);
}

tsr_vector_swap_fn *tsr_kernels_vector_swap(const struct tsr_kernels *kernels,
                                            const tsr_vector_mode *mode)
{
    RETURN_FIRST(tsr_vector_swap_fn, kernels, vector, swap, mode);
}

tsr_vector_load_fn *tsr_kernels_vector_load(const struct tsr_kernels *kernels,
                                            const tsr_vector_mode *mode)
{
    RETURN_FIRST(tsr_vector_load_fn, kernels, vector, load, mode);
}

tsr_vector_store_fn *tsr_kernels_vector_store(const struct tsr_kernels *kernels,
                                              const tsr_vector_mode *mode)
{
    RETURN_FIRST(tsr_vector_store_fn, kernels, vector, store, mode);
}
