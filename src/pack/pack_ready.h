// SPDX-License-Identifier: Apache-2.0
// What a PACR waits for at the gate.
// Page: Dst.md of each chip.
#ifndef TESSERA_PACK_PACK_READY_H
#define TESSERA_PACK_PACK_READY_H

#include "state/unit.h"

tsr_reason tsr_pack_ready(struct tsr_env *env, const struct tsr_inflight *inst, uint64_t *retry_at);
// With timing on: every PACR that the thread issues from now on, before Dst is written again, finds
// its rows open.
bool tsr_pack_finds_all_open(const struct tsr_env *env, int thread);

#endif
