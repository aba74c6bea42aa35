// SPDX-License-Identifier: Apache-2.0
// The scalar unit's three moments; see scalar_unit.c.
#ifndef TESSERA_CONTROL_SCALAR_UNIT_H
#define TESSERA_CONTROL_SCALAR_UNIT_H

#include "state/unit.h"

extern const struct tsr_unit_ops tsr_scalar_ops;

#endif
