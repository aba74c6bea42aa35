// SPDX-License-Identifier: Apache-2.0
// A PACR of four rows as a whole (pack_four.c). Page: PACR.md of Blackhole.
#ifndef TESSERA_PACK_PACK_FOUR_H
#define TESSERA_PACK_PACK_FOUR_H

#include "state/state.h"

// tsr_unit_ops.take_at_once.
bool tsr_pack_take_four(struct tsr_env *env, struct tsr_inflight *inst);

#endif
