// SPDX-License-Identifier: Apache-2.0
// What a set of kernels offers to the choice in kernels.c. A function returns NULL for a mode that
// its set does not cover, and is NULL if it covers none; modes that no hardware has never reach it.
#ifndef TESSERA_KERNELS_KERNEL_SET_H
#define TESSERA_KERNELS_KERNEL_SET_H

#include "kernels/kernels.h"

struct tsr_kernel_set {
    const char *name;
    bool (*runs_here)(void); // asked at selection; NULL: everywhere
    tsr_unpack_src_fn *(*unpack_src)(const tsr_unpack_mode *mode);
    tsr_unpack_dst_fn *(*unpack_dst)(const tsr_unpack_mode *mode);
    tsr_move_fn *(*move)(const tsr_move_mode *mode);
    tsr_element_fn *(*element)(const tsr_element_mode *mode);
    const tsr_dot_kernel *(*dot)(const tsr_element_mode *mode);
    tsr_pack_fn *(*pack)(const tsr_pack_mode *mode);
    tsr_pack_block_fn *(*pack_block)(const tsr_pack_mode *mode);
    tsr_merge_fn *(*merge)(uint8_t format);
};

extern const struct tsr_kernel_set tsr_kernels_reference;
extern const struct tsr_kernel_set tsr_kernels_portable;
#if defined(__x86_64__) || defined(__i386__)
#define TSR_KERNELS_X86 1
extern const struct tsr_kernel_set tsr_kernels_avx2;
extern const struct tsr_kernel_set tsr_kernels_avx512;
#else
#define TSR_KERNELS_X86 0
#endif

#endif
