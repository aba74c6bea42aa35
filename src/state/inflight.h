// SPDX-License-Identifier: Apache-2.0
// Instructions in flight: accepted by a unit and not yet complete (docs/architecture.md).
#ifndef TESSERA_STATE_INFLIGHT_H
#define TESSERA_STATE_INFLIGHT_H

#include <tessera/tessera.h>

enum { TSR_JOB_BYTES = 640, TSR_QUEUE_DEPTH = 8 };

struct tsr_inflight {
    uint32_t word;
    uint8_t op; // enum tsr_op
    uint8_t thread;
    uint8_t unit; // tsr_unit
    bool executed;
    bool has_bank; // `executed` took a Src bank: complete publishes it
    uint8_t side, bank;
    uint8_t state_id;  // that its thread selected when it was accepted; noted for env->watch
    uint64_t sequence; // of its thread, from 1
    uint64_t accepted_at, executed_at;
    uint64_t completes_at; // known once executed
    // Costs in cycles, set by the engine from timing.def and overridden by accept() or execute();
    // the engine makes them zero with timing off.
    uint32_t hold;     // the thread cannot issue again before accepted_at + hold
    uint32_t address;  // execute() may run from accepted_at + address, for whatever reason
    uint32_t duration; // execute to complete
    uint32_t closed;   // the unit takes only some others before accepted_at + closed
    // What the unit sampled when it accepted: no pointers, a struct for each unit.
    _Alignas(8) unsigned char job[TSR_JOB_BYTES];
};

// A unit's instructions, oldest first. inst[(first + i) % TSR_QUEUE_DEPTH], i < count.
struct tsr_queue {
    struct tsr_inflight inst[TSR_QUEUE_DEPTH];
    uint8_t first, count;
    uint8_t executed;    // of those, how many have executed (they are the oldest)
    uint8_t reason;      // tsr_reason of the wait inside the unit, if any
    uint8_t next_thread; // with timing on: of the threads that ask, the first from here is served
    uint64_t waits_since;
    uint64_t next_accept; // cycle
    uint64_t opens_at;    // cycle at which the newest `closed` ends
    uint64_t busy_until;  // for the busy count
};

// With timing on: what packers have read is on its way to L1, until all of it is there.
struct tsr_drain {
    uint64_t until;       // cycle; 0: nothing is
    uint8_t packers;      // whose it is: a bit each
    uint8_t thread;       // whose PACR that was
    uint8_t next_packers; // the same of the PACR that executes,
    uint8_t next_cycles;  // and for how long from its completion on; 0: it has no bytes
};

struct tsr_queues {
    struct tsr_queue of[TSR_UNIT_COUNT];
    uint32_t active; // a bit for each unit whose queue is not empty
    // With timing on: cycles before `compute_until` in which the matrix unit, the vector unit or
    // both have work.
    uint64_t compute_busy, compute_until;
    struct tsr_drain drain; // of the packers
};

// A fresh instruction, but for its place in its thread and its costs.
static inline void tsr_inflight_begin(struct tsr_inflight *inst, uint32_t word, uint8_t op,
                                      uint8_t thread, tsr_unit unit)
{
    inst->word = word;
    inst->op = op;
    inst->thread = thread;
    inst->unit = (uint8_t)unit;
    inst->executed = false;
    inst->has_bank = false;
    inst->side = inst->bank = inst->state_id = 0;
}

// Whether anything in a queue that is not empty may move in cycle `now`.
static inline bool tsr_queue_pending(const struct tsr_queue *queue, uint64_t now)
{
    return queue->executed < queue->count || queue->inst[queue->first].completes_at <= now;
}

static inline struct tsr_inflight *tsr_queue_at(struct tsr_queue *queue, unsigned i)
{
    return &queue->inst[(queue->first + i) % TSR_QUEUE_DEPTH];
}

#endif
