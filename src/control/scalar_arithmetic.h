// SPDX-License-Identifier: Apache-2.0
// Arithmetic between GPRs. Pages: ADDDMAREG.md, SUBDMAREG.md, MULDMAREG.md, BITWOPDMAREG.md,
// SHIFTDMAREG.md, CMPDMAREG.md.
#ifndef TESSERA_CONTROL_SCALAR_ARITHMETIC_H
#define TESSERA_CONTROL_SCALAR_ARITHMETIC_H

#include "control/scalar_job.h"
#include "state/unit.h"

extern const struct tsr_scalar_steps tsr_scalar_arithmetic; // all six

// Of a word of theirs: tsr_unit_ops.decode_small.
void tsr_scalar_arithmetic_decode(const struct tsr_isa *isa, enum tsr_op op,
                                  struct tsr_small_word *small);

#endif
