// SPDX-License-Identifier: Apache-2.0
// The config unit's stages; see config_unit.c.
#ifndef TESSERA_CONTROL_CONFIG_UNIT_H
#define TESSERA_CONTROL_CONFIG_UNIT_H

#include "state/unit.h"

extern const struct tsr_unit_ops tsr_config_ops;

// A GPR of the instruction's thread that is to become configuration. False: a finding stops.
bool tsr_config_take_gpr(struct tsr_env *env, const struct tsr_inflight *inst, unsigned gpr,
                         uint32_t *value);

#endif
