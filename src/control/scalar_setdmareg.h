// SPDX-License-Identifier: Apache-2.0
// SETDMAREG. Pages: SETDMAREG_Immediate.md, SETDMAREG_Special.md.
#ifndef TESSERA_CONTROL_SCALAR_SETDMAREG_H
#define TESSERA_CONTROL_SCALAR_SETDMAREG_H

#include "control/scalar_job.h"

extern const struct tsr_scalar_steps tsr_scalar_setdmareg; // both forms

#endif
