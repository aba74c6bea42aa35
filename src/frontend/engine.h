// SPDX-License-Identifier: Apache-2.0
// What the frontends and the units' queues share while the tile runs: the environment, the counts
// for the report, who watches, and where to break.
#ifndef TESSERA_FRONTEND_ENGINE_H
#define TESSERA_FRONTEND_ENGINE_H

#include "base/findings.h"
#include "frontend/bank_rounds.h"
#include "frontend/mop_expander.h"
#include "frontend/schedule.h"
#include "frontend/units.h"

#include <tessera/trace.h>

// What keeps a word out of its unit as long as nobody changes the state from outside (rests.h).
struct tsr_unit_hold {
    uint8_t reason; // TSR_REASON_NONE: not known
    uint8_t unit, depth;
    bool serves_each_thread;
};

// With timing on: when what is to be visited again (tile/agenda_round.c). Made of the state, and
// again when env.touched says so. All sets have a bit for each unit, or for each thread.
struct tsr_agenda {
    uint64_t thread_due[TSR_THREADS]; // cycle; UINT64_MAX: nothing lies ahead
    uint64_t units_at;    // nothing that units hold goes on before it but after news; 0: not known
    uint64_t sleepers_at; // at most the least thread_due of those asleep
    uint64_t quiet_until; // no round before it would move anything, unless something is touched
    uint64_t news;   // four sets of 16 bits: the units that were touched since each of the threads'
                     // latched waits was evaluated, and since waiting units were asked
    uint32_t booked; // units: it may not take another instruction before some cycle
    uint32_t waiting;  // units: what waits in it was asked, and goes on after news only
    uint32_t restless; // units: what waits in it must be asked in each round
    uint32_t asleep;   // threads: it could do nothing when it was visited last
    uint32_t held;     // threads: of those, what held it must be looked at in each round
    struct tsr_unit_hold hold[TSR_THREADS]; // of the threads that are held
    uint32_t latched;                       // threads: its gate has a latched wait
    uint32_t wants[TSR_THREADS];            // units: news of these may end the latched wait
};

// What a thread's latched wait may be for, in the words of the performance counters.
enum tsr_wait_kind {
    TSR_WAIT_THCON,
    TSR_WAIT_UNPACK,
    TSR_WAIT_PACK,
    TSR_WAIT_MATH,
    TSR_WAIT_MOVE,
    TSR_WAIT_SFPU,
    TSR_WAIT_NONZERO,
    TSR_WAIT_NONFULL,
    TSR_WAIT_SRCA_CLEAR,
    TSR_WAIT_SRCB_CLEAR,
    TSR_WAIT_SRCA_VALID,
    TSR_WAIT_SRCB_VALID,
    TSR_WAIT_KINDS
};

// While a bank of performance counters wants them (wait_gate.c).
struct tsr_wait_counts {
    bool on;
    uint32_t holds[TSR_THREADS]; // kinds, since the cycle `since`
    uint64_t since[TSR_THREADS];
    uint64_t cycles[TSR_THREADS][TSR_WAIT_KINDS];
};

// The words of a face (lone_face.c), of which the first are UNPACRs.
enum { TSR_FACE_WORDS = 16 };
struct tsr_face_words {
    uint32_t word[TSR_FACE_WORDS];
    uint8_t count, unpacks;
};

enum { TSR_SMALL_WORDS = 256 };

struct tsr_engine {
    struct tsr_env env;
    const struct tsr_route *route;                // of each opcode
    struct tsr_small_word small[TSR_SMALL_WORDS]; // decoded, by a hash of the word
    struct tsr_agenda agenda;
    tsr_run_report tally;
    struct tsr_wait_counts wait_counts;
    uint64_t motions;   // with timing on: rounds in which something moved
    uint64_t in_blocks; // instructions that a unit took with others as one
    uint64_t in_faces;  // of these, those of whole faces (lone_face.c)
    uint64_t in_turns;  // of thread 0, beside those of thread 1 (bank_turns.c)
    struct tsr_mop_expansion expansion[TSR_THREADS]; // what the latest MOPs became
    struct tsr_bank_rounds bank_rounds;
    struct tsr_face_words face; // of the latest one (lone_face.c)
    tsr_observer *observer;
    void *observer_user;
    struct tsr_schedule_state schedule;
    int break_thread; // -1: none
    uint64_t break_sequence;
    uint64_t max_words;               // of a thread in this run; 0: none
    uint64_t words_from[TSR_THREADS]; // what each had issued before it
    uint64_t end_cycle;               // the clock does not jump over it; 0: none
    int8_t broken_thread;             // with timing off: the thread that a break stopped; -1: none
    bool staged;                      // every word takes every stage (TSR_PIPELINE_STAGED)
    bool external;                    // who runs the tile may still push words
    bool single_rounds;               // with timing off: somebody looks after each round
    // With timing off, in rounds that follow each other without a look at the tile; -1: none.
    int8_t last_run;       // the thread with which the round ended, as it had moved
    bool turn_unfinished;  // of thread 0, whose MOP goes on in the next round (turns.c)
    int8_t rested;         // the same of the round before
    bool all_rest;         // nothing would move in the next one
    uint32_t still_rounds; // in which nothing moved, one after the other
};

// Somebody looks at single words: each takes its stages, or is known to the one who looks.
static inline bool tsr_words_are_seen(const struct tsr_engine *engine)
{
    return engine->staged || engine->observer || engine->env.watch || engine->env.races;
}

#endif
