// SPDX-License-Identifier: Apache-2.0
// Which units there are, and what becomes of an opcode: found once a tile (units.c).
#ifndef TESSERA_FRONTEND_UNITS_H
#define TESSERA_FRONTEND_UNITS_H

#include "state/unit.h"

// What becomes of an opcode at the gate, found once a tile.
struct tsr_route {
    const struct tsr_unit_ops *ops; // NULL: nothing that simply goes to a unit
    uint32_t reserved;              // bits that no operand owns
    uint32_t second;                // a bit that chooses the second unpacker; 0: none does
    uint32_t asks;                  // a bit for `unit`; 0 without operations
    uint32_t among;                 // units that a block must look at if they hold something
    uint8_t op;                     // enum tsr_op
    uint8_t unit;                   // tsr_unit; of unpackers the first
    uint8_t depth, issue_cycles, latency;
    uint8_t hold; // cycles before its thread may issue again, unless the unit says otherwise
    bool serves_each_thread;
    bool expands;           // an expander keeps it
    bool small;             // it may be a small word; without ops nothing comes of it
    bool blocks;            // tsr_unit_ops.run_block may execute a run of such words
    uint8_t block_of;       // ... with others of the same number; 0: it may not
    uint8_t block_least;    // ... if there are so many
    bool block_behind_wait; // ... or a small word, while a wait that does not hold it is latched
    bool parks;             // while it waits in its unit, those behind it may come there, too
    bool timed_blocks;      // tsr_unit_ops.run_timed_block may, with timing on
    bool timed_whole;       // tsr_unit_ops.take_whole may, with timing on
    bool timed_at_once;     // tsr_unit_ops.take_at_once may, with timing on
    bool timed_small; // with timing on, as a small word it takes a cycle of its thread and unit
    bool bypass;      // nothing that it does can touch its own unit (bypass.c)
    bool plain;       // it reaches nothing through the address map
};

void tsr_routes_fill(struct tsr_route route[256], const struct tsr_isa *isa);

// The unit of a word with that route, which has one.
static inline tsr_unit tsr_route_unit(const struct tsr_route *route, uint32_t word)
{
    return (tsr_unit)(route->unit + ((word & route->second) != 0));
}

// What an expander keeps.
static inline bool tsr_expands(enum tsr_op op)
{
    return op == OP_MOP || op == OP_MOP_CFG || op == OP_REPLAY;
}

// The unit's operations; NULL for a unit that is not there yet.
const struct tsr_unit_ops *tsr_unit_ops_of(tsr_unit unit);
// How many instructions a unit may hold.
unsigned tsr_unit_depth(tsr_unit unit);
// Whether it executes only one at a time.
static inline bool tsr_unit_serial(tsr_unit unit)
{
    enum {
        SERIAL = 1 << TSR_UNIT_UNPACKER0 | 1 << TSR_UNIT_UNPACKER1 | 1 << TSR_UNIT_PACKER |
                 1 << TSR_UNIT_SCALAR | 1 << TSR_UNIT_MOVER
    };
    return SERIAL >> unit & 1;
}

#endif
