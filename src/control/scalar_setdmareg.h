// SPDX-License-Identifier: Apache-2.0
// SETDMAREG. Pages: SETDMAREG_Immediate.md, SETDMAREG_Special.md.
#ifndef TESSERA_CONTROL_SCALAR_SETDMAREG_H
#define TESSERA_CONTROL_SCALAR_SETDMAREG_H

#include "control/scalar_job.h"

extern const struct tsr_scalar_steps tsr_scalar_setdmareg; // of packer state

// Of a constant: fills what the job needs for it. False: it is the other form.
bool tsr_scalar_take_constant(const struct tsr_env *env, uint32_t word, struct tsr_scalar_job *job);
// A half leaves the register as tainted as it was.
static inline void tsr_scalar_put_constant(struct tsr_gprs *gprs, int thread, unsigned gpr,
                                           uint32_t value, uint32_t mask)
{
    gprs->value[thread][gpr] = (gprs->value[thread][gpr] & ~mask) | value;
    gprs->written[thread] |= 1ull << gpr;
}

#endif
