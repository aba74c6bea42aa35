// SPDX-License-Identifier: Apache-2.0
// The two unpackers towards the engine: the operations of UNPACR and UNPACR_NOP.
// Pages: UNPACR_Regular.md, Unpackers/README.md.
#ifndef TESSERA_UNPACK_UNPACK_UNIT_H
#define TESSERA_UNPACK_UNPACK_UNIT_H

#include "state/unit.h"

extern const struct tsr_unit_ops tsr_unpack_ops;

#endif
