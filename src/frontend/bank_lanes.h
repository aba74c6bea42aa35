// SPDX-License-Identifier: Apache-2.0
// Threads 0 and 1 as they take turns at the banks of Src (bank_turns.c), and the same again
// (bank_again.c): where each is in its MOP, and what waits in the unpackers.
// Pages: MOPExpander.md, SrcASrcB.md.
#ifndef TESSERA_FRONTEND_BANK_LANES_H
#define TESSERA_FRONTEND_BANK_LANES_H

#include "frontend/engine.h"
#include "frontend/rests.h"
#include "frontend/stages.h"
#include "unpack/unpack_block.h"

// What a word of thread 0's MOP is: not known yet; none that these rounds take; or LANE_KNOWN, with
// LANE_B if it is unpacker 1's and LANE_NOP if it is an UNPACR_NOP.
enum lane { LANE_UNKNOWN, LANE_OTHER, LANE_KNOWN, LANE_B = 4, LANE_NOP = 8 };

static inline bool is_b(unsigned lane)
{
    return (lane & LANE_B) != 0;
}

// The words of one unpacker that thread 0 has issued and that have not executed.
struct waiting {
    struct tsr_unpack_ahead ahead[TSR_AHEAD]; // of UNPACRs
    uint8_t at[TSR_AHEAD];                    // which of the MOP's words
    unsigned first, count;
    unsigned room; // for how many there is room behind what is in the queue
    bool queued;   // something is
    bool noted;    // what it waits for has become another, by words ahead
    unsigned done; // words that have executed without being in the queue
};

// Thread 0, with what its frontend does not say yet.
struct leader {
    struct tsr_frontend *frontend;
    struct tsr_mop_expansion *expansion;
    uint64_t sequence; // of the MOP's first word
    unsigned at;       // of the MOP's words, the next one
    bool full;         // it finds a full queue
    bool stepped;      // UNPACRs that are ahead have stepped their counters
    bool unusual;      // what ended its turn is not so each time: the rounds are not kept
    struct waiting waiting[2];
    struct tsr_kept_rounds *noted; // where the steps are noted
    tsr_reason other_waits;        // what thread 1 waits for
};

// Thread 1, with what its frontend does not say yet, and what holds it.
struct follower {
    struct tsr_frontend *frontend;
    struct tsr_mop_expansion *expansion;
    unsigned at; // of the MOP's words, the next one
    tsr_reason reason;
    uint32_t word;
};

// Which instruction of its thread a word is.
static inline struct tsr_origin origin_at(const struct leader *leader, unsigned at)
{
    return (struct tsr_origin){.kind = TSR_ORIGIN_THREAD,
                               .word = leader->expansion->word[at],
                               .sequence = leader->sequence + at};
}

static inline tsr_unit unit_of(unsigned unpacker)
{
    return (tsr_unit)(TSR_UNIT_UNPACKER0 + unpacker);
}
_Static_assert(TSR_UNIT_UNPACKER1 == TSR_UNIT_UNPACKER0 + 1, "of unpacker 1");

// Notes a step that is about to be taken, or was, with where the threads stood before it.
static inline struct tsr_round_step *note_step(const struct leader *leader,
                                               enum tsr_round_step_kind kind, unsigned value,
                                               unsigned leader_at, bool moved)
{
    struct tsr_kept_rounds *noted = leader->noted;
    if (noted->steps >= TSR_ROUND_STEPS) // too many: the last place is written again, and not kept
        noted->steps = TSR_ROUND_STEPS;
    struct tsr_round_step *step = &noted->step[noted->steps++];
    step->kind = (uint8_t)kind;
    step->value = (uint8_t)value;
    step->leader_at = (uint8_t)leader_at;
    step->ahead[0] = (uint8_t)leader->waiting[0].count;
    step->ahead[1] = (uint8_t)leader->waiting[1].count;
    step->reason = (uint8_t)leader->other_waits;
    step->full = leader->full;
    step->leads = step->goes_on = false;
    step->moved = moved;
    return step;
}

// So many words of thread 1's MOP have executed as one.
static inline void follower_executed(struct tsr_engine *engine, struct follower *follower,
                                     unsigned done)
{
    follower->frontend->sequence += done;
    follower->at += done;
    engine->tally.unit_instructions[TSR_UNIT_MATRIX] += done;
    engine->in_blocks += done;
}

// Sets thread 0 up as it stands in its MOP, with nothing ahead.
void tsr_bank_begin(struct tsr_engine *engine, struct leader *leader);
// Puts what is ahead into its queues, and tells the frontend of thread 0 where the thread is.
void tsr_bank_tell(struct tsr_engine *engine, struct leader *leader);
// Tells the frontend of thread 1 where the thread is.
void tsr_bank_tell_follower(struct tsr_engine *engine, const struct follower *follower);

// Executes what waits in the unpacker's queue, one word at least, as far as it can go. True: the
// next one waits on, or there is none; false: it has to take its stages, or the tile has stopped.
bool tsr_bank_run_queue(struct tsr_engine *engine, struct waiting *waiting, unsigned unpacker,
                        bool *moved);
// Thread 1's MOP has no more words: it ends, and what comes up to the next one is executed. True:
// that has begun.
bool tsr_bank_next_mop(struct tsr_engine *engine, struct follower *follower);

#endif
