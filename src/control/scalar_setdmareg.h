// SPDX-License-Identifier: Apache-2.0
// SETDMAREG. Pages: SETDMAREG_Immediate.md, SETDMAREG_Special.md.
#ifndef TESSERA_CONTROL_SCALAR_SETDMAREG_H
#define TESSERA_CONTROL_SCALAR_SETDMAREG_H

#include "control/scalar_job.h"

extern const struct tsr_scalar_steps tsr_scalar_setdmareg; // of packer state

// Of a constant: fills what the job needs for it. False: it is the other form.
bool tsr_scalar_take_constant(const struct tsr_env *env, uint32_t word, struct tsr_scalar_job *job);
void tsr_scalar_put_constant(struct tsr_gprs *gprs, int thread, const struct tsr_scalar_job *job);

#endif
