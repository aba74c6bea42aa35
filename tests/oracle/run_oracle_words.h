// SPDX-License-Identifier: Apache-2.0
// Words of random programs that look like kernels, for the comparison of whole tiles: runs of one
// unit's instructions with waits, semaphores, configuration writes and REPLAYs in between; faces
// that threads 0 and 1 hand to each other; what MOPs and replay memories hold. What `random` says
// is the same each time.
#ifndef TESSERA_TESTS_ORACLE_RUN_ORACLE_WORDS_H
#define TESSERA_TESTS_ORACLE_RUN_ORACLE_WORDS_H

#include "rig/tile_rig.h"

enum { RUN_WORDS = 64 }; // of a thread, at most

struct run_words {
    int count;
    uint32_t word[RUN_WORDS];
};

static inline uint32_t run_draw(uint64_t *random, uint32_t below)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*random >> 33) % below;
}

// What that thread has in kernels most often; `alone`: what any has.
struct run_words run_words_any(const tsr_tile *tile, uint64_t *random, int thread, bool alone);
// Of thread 0 or 1: faces for the other one, or of it, again and again.
struct run_words run_words_faces(const tsr_tile *tile, uint64_t *random, int thread);
// MOPs that run_words_turn_mop() has filled, and what stands between them in kernels, or anything.
struct run_words run_words_turns(const tsr_tile *tile, uint64_t *random);

// What a MOP with mop_type 1 runs: of one loop word, of two in turn, or of a REPLAY.
void run_words_mop(const tsr_tile *tile, uint64_t *random, int thread, uint32_t mop[TSR_MOP_WORDS]);
// Of thread 0 or 1, to hand faces to the other one: `in_step` with it, or of any such words.
void run_words_turn_mop(const tsr_tile *tile, uint64_t *random, int thread, bool in_step,
                        uint32_t mop[TSR_MOP_WORDS]);
// A replay memory of that thread; an unwritten one would hold no instructions.
void run_words_replay(const tsr_tile *tile, uint64_t *random, int thread,
                      uint32_t word[TSR_REPLAY_WORDS]);

#endif
