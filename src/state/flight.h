// SPDX-License-Identifier: Apache-2.0
// Instructions in flight: accepted by a unit and not yet complete (docs/architecture.md).
#ifndef TESSERA_STATE_FLIGHT_H
#define TESSERA_STATE_FLIGHT_H

#include <tessera/tessera.h>

enum { TSR_JOB_BYTES = 640, TSR_LINE_DEPTH = 8 };

struct tsr_flight {
    uint32_t word;
    uint8_t op; // enum tsr_op
    uint8_t thread;
    uint8_t unit; // tsr_unit
    bool executed;
    bool has_bank; // `executed` took a Src bank: complete publishes it
    uint8_t side, bank;
    uint8_t config_bank; // that its thread selected when it was accepted; noted for env->watch
    uint64_t sequence;   // of its thread, from 1
    uint64_t accepted_at, executed_at;
    uint64_t completes_at; // known once executed
    // Costs in cycles, set by the engine from timing.def and overridden by accept() or execute();
    // the engine makes them zero with timing off.
    uint32_t hold;     // the thread cannot issue again before accepted_at + hold
    uint32_t address;  // execute() may run from accepted_at + address
    uint32_t duration; // execute to complete
    uint32_t closed;   // the unit takes only some others before accepted_at + closed
    // What the unit sampled when it accepted: plain data, no pointers, a struct for each unit.
    _Alignas(8) unsigned char job[TSR_JOB_BYTES];
};

// A unit's instructions, oldest first. flight[(first + i) % TSR_LINE_DEPTH], i < count.
struct tsr_line {
    struct tsr_flight flight[TSR_LINE_DEPTH];
    uint8_t first, count;
    uint8_t executed; // of those, how many have executed (they are the oldest)
    uint8_t reason;   // tsr_reason of the wait inside the unit, if any
    uint64_t waits_since;
    uint64_t next_accept; // cycle
    uint64_t opens_at;    // cycle at which the newest `closed` ends
    uint64_t busy_until;  // for the busy count
};

struct tsr_flights {
    struct tsr_line line[TSR_UNIT_COUNT];
    uint32_t active; // a bit for each unit whose line is not empty
    uint32_t recent; // ... whose next_accept or opens_at may lie ahead
};

// A fresh instruction, but for its place in its thread and its costs.
static inline void tsr_flight_begin(struct tsr_flight *flight, uint32_t word, uint8_t op,
                                    uint8_t thread, tsr_unit unit)
{
    flight->word = word;
    flight->op = op;
    flight->thread = thread;
    flight->unit = (uint8_t)unit;
    flight->executed = false;
    flight->has_bank = false;
    flight->side = flight->bank = flight->config_bank = 0;
}

// Whether anything in a line that is not empty may move in cycle `now`.
static inline bool tsr_line_stirs(const struct tsr_line *line, uint64_t now)
{
    return line->executed < line->count || line->flight[line->first].completes_at <= now;
}

static inline struct tsr_flight *tsr_line_at(struct tsr_line *line, unsigned i)
{
    return &line->flight[(line->first + i) % TSR_LINE_DEPTH];
}

#endif
