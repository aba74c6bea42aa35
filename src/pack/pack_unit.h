// SPDX-License-Identifier: Apache-2.0
// The packers towards the engine: the operations of PACR and PACR_SETREG.
// Pages: PACR.md of each chip, PACR_SETREG.md.
#ifndef TESSERA_PACK_PACK_UNIT_H
#define TESSERA_PACK_PACK_UNIT_H

#include "state/unit.h"

extern const struct tsr_unit_ops tsr_pack_ops;

#endif
