// SPDX-License-Identifier: Apache-2.0
// The choice of kernels: which sets a tile may use, and the fastest kernel among them for a mode.
// Units include this; how a set is made is in kernel_set.h.
// Pages: those of kernel_types.h.
#ifndef TESSERA_KERNELS_KERNELS_H
#define TESSERA_KERNELS_KERNELS_H

#include "kernels/kernel_types.h"

struct tsr_kernels; // a choice of sets; immutable, static storage

// "auto" or NULL: all that this CPU can run. "reference", or a comma-separated list of sets from
// tsr_kernel_sets(); the reference set ends every list. NULL for a word that is no set of this
// build, or a set that this CPU cannot run.
const struct tsr_kernels *tsr_kernels_select(const char *spec);

// The best kernel of the choice, or NULL if no hardware does that conversion (tsr_unpack_datum and
// tsr_pack_datum say TSR_BAD_ARGUMENT). The kernel must be called with an equal mode.
tsr_unpack_src_fn *tsr_kernels_unpack_src(const struct tsr_kernels *kernels,
                                          const tsr_unpack_mode *mode);
tsr_unpack_dst_fn *tsr_kernels_unpack_dst(const struct tsr_kernels *kernels,
                                          const tsr_unpack_mode *mode);
tsr_move_fn *tsr_kernels_move(const struct tsr_kernels *kernels, const tsr_move_mode *mode);
tsr_element_fn *tsr_kernels_element(const struct tsr_kernels *kernels,
                                    const tsr_element_mode *mode);
const tsr_dot_kernel *tsr_kernels_dot(const struct tsr_kernels *kernels,
                                      const tsr_element_mode *mode);
tsr_pack_fn *tsr_kernels_pack(const struct tsr_kernels *kernels, const tsr_pack_mode *mode);
tsr_pack_block_fn *tsr_kernels_pack_block(const struct tsr_kernels *kernels,
                                          const tsr_pack_mode *mode);
tsr_pack_larger_fn *tsr_kernels_pack_larger(const struct tsr_kernels *kernels, bool relu);
tsr_accumulate_fn *tsr_kernels_accumulate(const struct tsr_kernels *kernels, uint8_t format);
tsr_vector_fn *tsr_kernels_vector(const struct tsr_kernels *kernels, const tsr_vector_mode *mode);
tsr_vector_swap_fn *tsr_kernels_vector_swap(const struct tsr_kernels *kernels,
                                            const tsr_vector_mode *mode);
tsr_vector_load_fn *tsr_kernels_vector_load(const struct tsr_kernels *kernels,
                                            const tsr_vector_mode *mode);
tsr_vector_store_fn *tsr_kernels_vector_store(const struct tsr_kernels *kernels,
                                              const tsr_vector_mode *mode);

// The kind of a move, by the format of SrcA for MOVB2D too.
tsr_move_kind tsr_move_kind_of(uint8_t src_format);

#endif
