// SPDX-License-Identifier: Apache-2.0
// The two unpackers towards the engine: the operations of UNPACR and UNPACR_NOP, and the plans that
// the caller keeps beside a tile. Pages: UNPACR_Regular.md, Unpackers/README.md.
#ifndef TESSERA_UNPACK_UNPACK_UNIT_H
#define TESSERA_UNPACK_UNPACK_UNIT_H

#include "state/unit.h"

struct tsr_unpack_plans;

extern const struct tsr_unit_ops tsr_unpack_ops;

struct tsr_unpack_plans *tsr_unpack_plans_create(void); // NULL: no memory
void tsr_unpack_plans_destroy(struct tsr_unpack_plans *plans);
// Plans are keyed by the generations of the configuration: forget them whenever these may run
// backwards (a reset, a snapshot that is loaded).
void tsr_unpack_plans_clear(struct tsr_unpack_plans *plans);

#endif
