// SPDX-License-Identifier: Apache-2.0
// F and Zfh instructions of Blackhole's cores.
// Pages: InstructionSet.md and CSRs.md of BlackholeA0/TensixTile/BabyRISCV.
#ifndef TESSERA_RISCV_RISCV_FLOAT_H
#define TESSERA_RISCV_RISCV_FLOAT_H

#include "riscv/riscv_access.h"
#include "riscv/soft_float.h"

enum tsr_riscv_went tsr_riscv_execute_float(struct tsr_riscv *riscv, struct tsr_hart *hart,
                                            struct tsr_riscv_place place,
                                            const struct tsr_riscv_op *op);

// For whoever computes with the same numbers: the format of half precision that cfg0 chooses, the
// number in a register (NaN: a half that is not boxed), and a * b + c as FMADD rounds it.
const struct tsr_float *tsr_riscv_half_format(const struct tsr_hart *hart);
uint32_t tsr_riscv_number_in(const struct tsr_hart *hart, unsigned index,
                             const struct tsr_float *format);
uint32_t tsr_riscv_multiply_add(const struct tsr_float *format, uint32_t a, uint32_t b, uint32_t c,
                                unsigned *flags);

#endif
