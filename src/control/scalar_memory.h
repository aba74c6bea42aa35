// SPDX-License-Identifier: Apache-2.0
// The scalar unit's loads and stores, and the checks of addresses in L1 that the atomics share.
// Pages: LOADIND.md, STOREIND.md, LOADREG.md, STOREREG.md.
#ifndef TESSERA_CONTROL_SCALAR_MEMORY_H
#define TESSERA_CONTROL_SCALAR_MEMORY_H

#include "control/scalar_job.h"

extern const struct tsr_scalar_steps tsr_scalar_loadind;
extern const struct tsr_scalar_steps tsr_scalar_storeind; // all three
extern const struct tsr_scalar_steps tsr_scalar_loadreg;
extern const struct tsr_scalar_steps tsr_scalar_storereg;

// Sets job->address and job->size if these bytes lie in L1, and job->nowhere if not, which is a
// finding. False: the tile stops.
bool tsr_scalar_l1_address(struct tsr_env *env, const struct tsr_inflight *inst,
                           struct tsr_scalar_job *job, uint32_t address, unsigned size);
// Findings about bytes of L1 that an instruction reads. False: the tile stops.
bool tsr_scalar_l1_shadow(struct tsr_env *env, const struct tsr_inflight *inst,
                          struct tsr_scalar_job *job, uint32_t address, unsigned size);

#endif
