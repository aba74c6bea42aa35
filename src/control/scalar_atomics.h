// SPDX-License-Identifier: Apache-2.0
// Atomics on L1. Pages: ATINCGET.md, ATINCGETPTR.md, ATSWAP.md, ATCAS.md.
#ifndef TESSERA_CONTROL_SCALAR_ATOMICS_H
#define TESSERA_CONTROL_SCALAR_ATOMICS_H

#include "control/scalar_job.h"

extern const struct tsr_scalar_steps tsr_scalar_atincget;
extern const struct tsr_scalar_steps tsr_scalar_atincgetptr;
extern const struct tsr_scalar_steps tsr_scalar_atswap;
extern const struct tsr_scalar_steps tsr_scalar_atcas;

#endif
