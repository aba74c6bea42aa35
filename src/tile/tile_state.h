// SPDX-License-Identifier: Apache-2.0
// What the opaque tsr_tile is.
#ifndef TESSERA_TILE_TILE_STATE_H
#define TESSERA_TILE_TILE_STATE_H

#include "base/findings.h"
#include "frontend/engine.h"
#include "isa/region_index.h"
#include "riscv/riscv.h"
#include "riscv/riscv_rows.h"
#include "state/config_watch.h"

// What interprets the cores, if options.cores; none of it is state.
struct tsr_cores_run {
    struct tsr_riscv *riscv[TSR_CORE_COUNT];
    struct tsr_riscv_bus bus[TSR_CORE_COUNT];
    uint64_t now;                    // of the core that runs
    uint64_t news;                   // counts what a core that rests may wait for
    uint64_t seen[TSR_CORE_COUNT];   // `news` when the core was asked last
    uint64_t polled[TSR_CORE_COUNT]; // with timing on: `news` at the last pass of its loop
    uint64_t code[TSR_CORE_COUNT];   // the generation of L1's code that it met last
    uint64_t asked;                  // `news` when the coprocessor could do nothing
    uint64_t pauses;                 // how often a core has come to one
    uint64_t break_pauses; // the run stops when there are that many; UINT64_MAX: it does not
    // With timing on: where each thread was when its full FIFO kept its core out last.
    struct {
        uint64_t sequence, next_expand; // of its frontend
        unsigned words;                 // before its MOP expander
    } full_at[TSR_THREADS];
    // With timing off, of the core that has its turn:
    bool makes_room; // a full FIFO is asked for the room that its words would leave
    bool full;       // a FIFO has kept its words out
    bool moved;      // the coprocessor has begun a turn in it
    struct tsr_riscv_recent_rows recent; // of all cores
};

// How many more words a thread's FIFO takes from tsr_push() without being asked, as long as nothing
// else is done to the tile: no round, nothing that counts as news.
struct tsr_push_room {
    uint64_t news; // of tsr_cores_run, when it was found
    struct {
        struct tsr_fifo *fifo; // known if there is room
        unsigned left;
    } of[TSR_THREADS];
};

// What is the same in all tiles of an architecture.
struct tsr_tile_tables {
    struct tsr_plan_masks plan_masks;
    struct tsr_region_index regions;
    struct tsr_route route[256]; // of each opcode
};

// What each tile uses comes first, and what few use in pages of its own.
struct tsr_tile {
    tsr_options options;
    const struct tsr_tile_tables *tables;
    struct tsr_tile_tables *own_tables; // NULL: `tables` are those of the tile's chip
    struct tsr_push_room push_room;
    struct tsr_cores_run cores;
    struct tsr_engine engine;
    struct tsr_findings findings;
    struct tsr_config_watch watch; // filled if options.watch_config or find_races
};

#endif
