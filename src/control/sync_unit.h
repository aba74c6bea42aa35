// SPDX-License-Identifier: Apache-2.0
// The sync unit's stages; see sync_unit.c.
#ifndef TESSERA_CONTROL_SYNC_UNIT_H
#define TESSERA_CONTROL_SYNC_UNIT_H

#include "state/unit.h"

extern const struct tsr_unit_ops tsr_sync_ops;

#endif
