// SPDX-License-Identifier: Apache-2.0
// Rounds of threads 0 and 1 at the banks of Src that go as they went before (bank_again.c).
// Page: SrcASrcB.md.
#ifndef TESSERA_FRONTEND_BANK_AGAIN_H
#define TESSERA_FRONTEND_BANK_AGAIN_H

#include "frontend/bank_lanes.h"

// What is kept of rounds that began as the tile stands now; NULL: nothing.
struct tsr_kept_rounds *tsr_bank_rounds_find(struct tsr_bank_rounds *rounds,
                                             const struct tsr_rounds_from *from);
// A place to note in how rounds go that begin so.
struct tsr_kept_rounds *tsr_bank_rounds_begin(struct tsr_bank_rounds *rounds,
                                              const struct tsr_rounds_from *from);
// The rounds that were noted there have ended. `kept`: the next ones that begin so may take them.
void tsr_bank_rounds_end(struct tsr_bank_rounds *rounds, struct tsr_kept_rounds *noted, bool kept);

// Takes the steps of rounds that were kept, up to the last one or to one at which something is
// otherwise. False: it has begun none.
bool tsr_bank_rounds_again(struct tsr_engine *engine, struct tsr_kept_rounds *kept,
                           struct leader *leader, struct follower *follower,
                           struct tsr_turns *turns, enum tsr_turns_end *end);

#endif
