// SPDX-License-Identifier: Apache-2.0
// Which instruction of which core pushed a thread's latest instructions, also those that came
// through MOP (the place of the MOP) and REPLAY (the place where the word was loaded from). Kept
// beside the state, for findings, if the tile interprets its cores.
// Pages: BabyRISCV/PushTensixInstruction.md, MOPExpander.md, REPLAY.md.
#ifndef TESSERA_STATE_PUSHES_H
#define TESSERA_STATE_PUSHES_H

#include "state/state.h"

// Where a word lies until its unit takes it; only with timing off does it skip the stages between.
// TSR_AT_B: where B's words come in. TSR_AT_ROW: who issues it takes it.
enum tsr_word_at { TSR_AT_GATE, TSR_AT_REPLAY, TSR_AT_B, TSR_AT_MOP, TSR_AT_CORE, TSR_AT_ROW };

enum { TSR_PUSHES_KEPT = 4096 }; // instructions of a thread

struct tsr_pushes {
    uint32_t tag[TSR_THREADS][TSR_PUSHES_KEPT]; // by the sequence number
};

// The tag of the word that comes `index` words after the next one there.
uint64_t tsr_word_tag(const struct tsr_frontend *frontend, enum tsr_word_at at, unsigned index);
void tsr_pushes_keep(struct tsr_env *env, int thread, enum tsr_word_at at, uint64_t sequence,
                     unsigned count);
// The same of words whose tags lie one behind the other. Rows are short, so there is no other loop
// for long ones.
static inline void tsr_pushes_keep_tags(struct tsr_pushes *pushes, int thread, const uint64_t *tags,
                                        uint64_t sequence, unsigned count)
{
    uint32_t *restrict kept = pushes->tag[thread];
    for (unsigned i = 0; i < count; i++)
        kept[(sequence + i) % TSR_PUSHES_KEPT] = (uint32_t)tags[i];
}
// False if it is not known.
bool tsr_pushes_find(const struct tsr_env *env, int thread, uint64_t sequence, int *core,
                     uint32_t *pc);

#endif
