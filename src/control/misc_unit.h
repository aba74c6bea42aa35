// SPDX-License-Identifier: Apache-2.0
// The misc unit's stages; see misc_unit.c.
#ifndef TESSERA_CONTROL_MISC_UNIT_H
#define TESSERA_CONTROL_MISC_UNIT_H

#include "state/unit.h"

extern const struct tsr_unit_ops tsr_misc_ops;

#endif
