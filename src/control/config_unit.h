// SPDX-License-Identifier: Apache-2.0
// The config unit's three moments; see config_unit.c.
#ifndef TESSERA_CONTROL_CONFIG_UNIT_H
#define TESSERA_CONTROL_CONFIG_UNIT_H

#include "state/unit.h"

extern const struct tsr_unit_ops tsr_config_ops;

#endif
