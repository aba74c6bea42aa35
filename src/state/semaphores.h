// SPDX-License-Identifier: Apache-2.0
// What the sync unit keeps: semaphores and mutexes, and the wait that each thread's gate holds;
// posting and getting a semaphore, the same for SEMPOST, SEMGET and a core's store.
// Pages: SyncUnit.md, SEMPOST.md, SEMGET.md, STALLWAIT.md, SEMWAIT.md.
#ifndef TESSERA_STATE_SEMAPHORES_H
#define TESSERA_STATE_SEMAPHORES_H

#include "state/origin.h"

#include <stdbool.h>
#include <stdint.h>

enum { TSR_SEMAPHORES = 8, TSR_SEMAPHORE_LIMIT = 15, TSR_MUTEXES = 8 };

enum tsr_semaphore_change {
    TSR_SEMAPHORE_NEVER,
    TSR_SEMAPHORE_POST,
    TSR_SEMAPHORE_GET,
    TSR_SEMAPHORE_INIT
};

struct tsr_semaphore {
    uint8_t value, max;
    bool initialised;    // by a SEMINIT
    uint8_t last_change; // enum tsr_semaphore_change
    struct tsr_origin last_post, last_get, last_init;
};

struct tsr_mutex {
    uint8_t held_by;      // 0: no thread, else 1 + thread
    uint8_t preferred;    // the thread that a release prefers if several wait
    uint64_t next_access; // cycle; one instruction a mutex a cycle
    struct tsr_origin acquired;
};

// A latched wait instruction.
struct tsr_gate_latch {
    bool latched;
    bool on_semaphores;
    bool on_stream;      // of the NoC overlay: `target` and more has come
    bool met;            // the condition held at `met_at`; the block ends one cycle later
    uint16_t block;      // B0..B8
    uint16_t conditions; // C0..
    uint8_t semaphores;  // a bit for each
    uint8_t select;      // which of the thread's streams (StreamSelect)
    bool messages;       // of the stream; else its phase
    uint32_t target;
    uint32_t word;
    uint64_t since, met_at;
};

struct tsr_sync {
    struct tsr_semaphore semaphore[TSR_SEMAPHORES];
    struct tsr_mutex mutex[TSR_MUTEXES];
    uint64_t next_write; // cycle; one semaphore or wait instruction, or core's write, a cycle
    struct tsr_gate_latch latch[3];
};

// False: the value was at its end and did not change (decision 20 makes that a finding).
static inline bool tsr_semaphore_post(struct tsr_semaphore *semaphore, struct tsr_origin origin)
{
    if (semaphore->value >= TSR_SEMAPHORE_LIMIT)
        return false;
    semaphore->value++;
    semaphore->last_post = origin;
    semaphore->last_change = TSR_SEMAPHORE_POST;
    return true;
}

static inline bool tsr_semaphore_get(struct tsr_semaphore *semaphore, struct tsr_origin origin)
{
    if (semaphore->value == 0)
        return false;
    semaphore->value--;
    semaphore->last_get = origin;
    semaphore->last_change = TSR_SEMAPHORE_GET;
    return true;
}

// Whether a post keeps to the maximum that a SEMINIT has set.
static inline bool tsr_semaphore_below_max(const struct tsr_semaphore *semaphore)
{
    return !semaphore->initialised || semaphore->value < semaphore->max;
}

// A post or a get of which there is nothing to report. False: there is, and nothing has changed.
static inline bool tsr_semaphore_step(struct tsr_semaphore *semaphore, bool post,
                                      struct tsr_origin origin)
{
    if (!post)
        return tsr_semaphore_get(semaphore, origin);
    return tsr_semaphore_below_max(semaphore) && tsr_semaphore_post(semaphore, origin);
}

#endif
