// SPDX-License-Identifier: Apache-2.0
// Which formats, which width of Dst and which kernels an instruction uses. Pages: SrcASrcB.md
// ("Implied data format"), MVMUL.md, ELWADD.md, MOVA2D.md, MOVB2D.md.
#ifndef TESSERA_MATRIX_SOURCE_FORMAT_H
#define TESSERA_MATRIX_SOURCE_FORMAT_H

#include "matrix/matrix_plan.h"

// The format that an arithmetic instruction takes a side's datums for: as configured, or its bank's
// tag.
uint8_t tsr_matrix_format(const struct tsr_matrix_call *call, int side);
// The format of a move between `side` and Dst: SrcA's as configured, also for SrcB, unless the tag
// of its own bank replaces it (MOVA2D.md, MOVB2D.md, MOVD2A.md, MOVD2B.md). Reports a tag that is
// not there.
bool tsr_matrix_move_format(const struct tsr_matrix_call *call, int side, uint8_t *format);
// Both formats of an arithmetic instruction and whether it uses Dst32; reports a pair that cannot
// be combined, and stochastic rounding.
bool tsr_matrix_arithmetic_mode(const struct tsr_matrix_call *call, tsr_element_mode *mode);
// Whether tsr_matrix_arithmetic_mode() would report nothing about the formats.
bool tsr_matrix_arithmetic_plain(const struct tsr_matrix_call *call);
// The kernels of a mode that tsr_matrix_arithmetic_mode() has just found for the same instruction;
// of element-wise operations with `op` chosen.
tsr_element_fn *tsr_matrix_element_kernel(const struct tsr_matrix_call *call,
                                          const tsr_element_mode *mode);
const tsr_dot_kernel *tsr_matrix_dot_kernel(const struct tsr_matrix_call *call,
                                            const tsr_element_mode *mode);

#endif
