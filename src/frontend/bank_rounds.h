// SPDX-License-Identifier: Apache-2.0
// Rounds of threads 0 and 1 at the banks of Src (bank_turns.c) that went one way before: what was
// executed in them, in order, and how they ended. A kernel's faces go the same few ways again and
// again. Page: SrcASrcB.md.
#ifndef TESSERA_FRONTEND_BANK_ROUNDS_H
#define TESSERA_FRONTEND_BANK_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    TSR_KEPT_ROUNDS = 8,
    TSR_ROUND_STEPS = 48,
    TSR_AHEAD = 4 // words that wait in an unpacker without a job; a power of 2
};

// Where a round goes on behind the turns.
enum tsr_turns_end {
    TSR_TURNS_AT_UNITS,   // at its beginning
    TSR_TURNS_AT_THREAD0, // units have advanced
    TSR_TURNS_AT_THREAD1, // and thread 0 has run
    TSR_TURNS_STOPPED     // a finding stopped the tile
};

struct tsr_turns {
    bool moved;        // something did
    bool thread_moved; // the thread at which the round goes on, in its turn or before units advance
};

enum tsr_round_step_kind {
    TSR_STEP_UNPACK, // a word of thread 0's MOP, an UNPACR
    TSR_STEP_NOP,    // the same, an UNPACR_NOP
    TSR_STEP_QUEUE,  // what an unpacker's queue held has executed
    TSR_STEP_MATRIX, // words of thread 1's MOP, as one
    TSR_STEP_MOP     // thread 1's MOP has ended, and words up to the next one were executed
};

// Where threads stood before it is told, too: rounds may end before any step.
struct tsr_round_step {
    uint8_t kind;      // enum tsr_round_step_kind
    uint8_t value;     // which word; which unpacker; which sequence; whether a MOP has begun
    uint8_t count;     // words that it left in the queue, or that it executed
    uint8_t leader_at; // of the words of thread 0's MOP, the next one
    uint8_t ahead[2];  // words ahead in each unpacker
    uint8_t reason;    // tsr_reason that thread 1 waits for
    bool full;         // thread 0 has found a full queue
    bool leads;        // in thread 0's turn
    bool goes_on;      // not in its turn, behind others of the same unpacker
    bool moved;        // the thread had moved in its turn before
    uint32_t made;     // sequence or expansion
};

// All that decides what can go on, but for what each step looks at itself.
struct tsr_rounds_from {
    uint32_t made[2];  // the threads' expansions
    uint32_t words[2]; // in the unpackers' queues, in a number
    uint16_t banks;    // who owns banks, whose turn it is, which are filled and lent
    uint8_t at[2];     // the threads' next words
    uint8_t queued[2]; // how many of those
    uint8_t reason[2]; // what these wait for
};

struct tsr_kept_rounds {
    struct tsr_rounds_from from;
    uint8_t steps; // 0: nothing is kept
    uint8_t end;   // enum tsr_turns_end
    uint8_t leader_at;
    uint8_t ahead[2];
    uint8_t follower_reason; // tsr_reason
    bool full, deferred, thread_moved;
    bool noted[2];          // what the unpacker waits for has become another, by words ahead
    uint8_t wait_reason[2]; // this one
    struct tsr_round_step step[TSR_ROUND_STEPS + 1]; // the last one: there were more
};

struct tsr_bank_rounds {
    struct tsr_kept_rounds kept[TSR_KEPT_ROUNDS];
    uint8_t after[TSR_KEPT_ROUNDS], latest; // which came after each, and the last
    uint8_t next;                           // the place that is taken next
    // How often all steps of rounds were taken, and how often it ended before each kind of step.
    uint64_t taken, ended[TSR_STEP_MOP + 1];
};

#endif
