// SPDX-License-Identifier: Apache-2.0
// When the configuration unit can take an instruction; see config_stages.c.
#ifndef TESSERA_CONTROL_CONFIG_STAGES_H
#define TESSERA_CONTROL_CONFIG_STAGES_H

#include "state/unit.h"

tsr_reason tsr_config_stages_ready(struct tsr_env *env, const struct tsr_inflight *inst,
                                   uint64_t *retry_at);
// An RDCFG of another thread that the unit took in this very cycle, on the chip that loses one of
// them; else NULL.
const struct tsr_inflight *tsr_config_rdcfg_beside(const struct tsr_env *env,
                                                   const struct tsr_inflight *inst);

#endif
