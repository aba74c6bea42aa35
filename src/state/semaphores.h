// SPDX-License-Identifier: Apache-2.0
// What the sync unit keeps: semaphores and mutexes, and the wait that each thread's gate holds.
// Pages: SyncUnit.md, STALLWAIT.md, SEMWAIT.md.
#ifndef TESSERA_STATE_SEMAPHORES_H
#define TESSERA_STATE_SEMAPHORES_H

#include <stdbool.h>
#include <stdint.h>

enum { TSR_SEMAPHORES = 8, TSR_SEMAPHORE_LIMIT = 15 };

struct tsr_semaphore {
    uint8_t value, max;
    uint32_t last_post, last_get; // instruction words, for findings; 0: none or a core
};

// A latched wait instruction.
struct tsr_gate_latch {
    bool latched;
    bool on_semaphores;
    bool met;             // the condition held at `met_at`; the block ends one cycle later
    uint16_t block;       // B0..B8
    uint16_t conditions;  // C0..
    uint8_t semaphores;   // a bit for each
    uint32_t word;
    uint64_t since, met_at;
};

struct tsr_sync {
    struct tsr_semaphore semaphore[TSR_SEMAPHORES];
    struct tsr_gate_latch latch[3];
};

#endif
