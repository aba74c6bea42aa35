// SPDX-License-Identifier: Apache-2.0
// The packers: their stages, and the plans that PACR reuses; see pack_unit.c.
#ifndef TESSERA_PACK_PACK_UNIT_H
#define TESSERA_PACK_PACK_UNIT_H

#include "state/unit.h"

extern const struct tsr_unit_ops tsr_pack_ops;

struct tsr_pack_plans *tsr_pack_plans_create(void); // NULL: no memory
void tsr_pack_plans_destroy(struct tsr_pack_plans *plans);
void tsr_pack_plans_clear(struct tsr_pack_plans *plans);

#endif
