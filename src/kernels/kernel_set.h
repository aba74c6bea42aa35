// SPDX-License-Identifier: Apache-2.0
// What a set of kernels offers to the choice in kernels.c: a table for each unit, defined by
// UNIT_SET.c and, for the reference set, by kernels_reference.c. A function returns NULL for a mode
// that its set does not cover, and is NULL if it covers none; modes that no hardware has never
// reach it.
#ifndef TESSERA_KERNELS_KERNEL_SET_H
#define TESSERA_KERNELS_KERNEL_SET_H

#include "kernels/kernel_types.h"

struct tsr_unpack_kernels {
    tsr_unpack_src_fn *(*src)(const tsr_unpack_mode *mode);
    tsr_unpack_dst_fn *(*dst)(const tsr_unpack_mode *mode);
};

struct tsr_pack_kernels {
    tsr_pack_fn *(*row)(const tsr_pack_mode *mode);
    tsr_pack_block_fn *(*block)(const tsr_pack_mode *mode);
    tsr_accumulate_fn *(*accumulate)(uint8_t format);
    tsr_pack_larger_fn *(*larger)(bool relu);
};

struct tsr_matrix_kernels {
    tsr_move_fn *(*move)(const tsr_move_mode *mode);
    tsr_element_fn *(*element)(const tsr_element_mode *mode);
    const tsr_dot_kernel *(*dot)(const tsr_element_mode *mode);
};

struct tsr_vector_kernels {
    tsr_vector_fn *(*lanes)(const tsr_vector_mode *mode);
    tsr_vector_swap_fn *(*swap)(const tsr_vector_mode *mode);
    tsr_vector_load_fn *(*load)(const tsr_vector_mode *mode);
    tsr_vector_store_fn *(*store)(const tsr_vector_mode *mode);
};

extern const struct tsr_unpack_kernels tsr_unpack_reference, tsr_unpack_portable;
extern const struct tsr_pack_kernels tsr_pack_reference, tsr_pack_portable;
extern const struct tsr_matrix_kernels tsr_matrix_reference, tsr_matrix_portable;
extern const struct tsr_vector_kernels tsr_vector_reference, tsr_vector_portable;
#if defined(__x86_64__) || defined(__i386__)
#define TSR_KERNELS_X86 1
extern const struct tsr_unpack_kernels tsr_unpack_avx2, tsr_unpack_avx512;
extern const struct tsr_pack_kernels tsr_pack_avx2, tsr_pack_avx512;
extern const struct tsr_matrix_kernels tsr_matrix_avx2, tsr_matrix_avx512;
extern const struct tsr_vector_kernels tsr_vector_avx2, tsr_vector_avx512;
#else
#define TSR_KERNELS_X86 0
#endif

// The portable set has loops that align and add floats (element-wise operations, accumulation onto
// L1). Without shifts by a different distance in each lane, what gcc makes of them is slower than
// the reference set.
#if TSR_KERNELS_X86 && defined(__GNUC__) && !defined(__clang__) && !defined(__AVX2__)
#define TSR_PORTABLE_ADDS 0
#else
#define TSR_PORTABLE_ADDS 1
#endif

#endif
