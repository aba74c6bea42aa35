// SPDX-License-Identifier: Apache-2.0
// What is kept of PACRs that follow each other and execute as one: what was decoded of their words,
// and how they step the counters. Page: PACR.md of each chip.
#ifndef TESSERA_PACK_PACK_BLOCK_JOB_H
#define TESSERA_PACK_PACK_BLOCK_JOB_H

#include "pack/pack_job.h"
#include "state/counters.h"
#include "state/plan_key.h"

struct tsr_pack_inputs;
struct tsr_pack_plan;

// Sixteen PACRs of Blackhole are a tile.
enum { TSR_PACK_BLOCK_WORDS = 16, TSR_PACK_ADDRESS_MODES = 4 };

// Where the counters go from where they are, and how many of the words read rows that follow each
// other: those rows are in the job's parts.
struct tsr_pack_walk {
    bool known;
    bool placed;       // no Dst offset has changed since
    uint8_t dst_order; // of which it is known
    uint8_t words;     // 0: not even the first
    bool joined;       // the parts read rows that follow each other, and convert them alike
    bool steady;       // ... in place, and write their data alone: pack_steady.c
    bool whole;        // ... to the tile's end
    tsr_adc_channel from[2], to[2];
};

// Where a packer's tile position goes from a column and row, and how many planes that completes: it
// is the same in every plane.
struct tsr_pack_move {
    bool known;
    uint16_t from_x, from_row, to_x, to_row, planes;
};

// What is asked of a part again for each tile, side by side.
struct tsr_pack_output {
    const struct tsr_pack_inputs *inputs; // of its plan
    uint8_t packer, config_of;
    bool adds_offset;
    // Of a steady walk: one unit is added to the size of a tile, or none; the tile position after.
    uint8_t header;
    uint16_t x, y, z;
};

struct tsr_pack_block {
    uint32_t word[TSR_PACK_BLOCK_WORDS];
    uint8_t count; // of the words; 0: nothing is kept here
    uint8_t thread;
    bool closes;            // the last word has Last
    bool data_only;         // no part has more than its data
    uint8_t counters;       // the thread whose ADCs count
    uint8_t packers;        // a bit for each that has a part
    uint32_t serial, moves; // of the inputs of which the walk is known, and where it is
    uint8_t address_mode[TSR_PACK_BLOCK_WORDS];
    uint16_t section[TSR_PACK_ADDRESS_MODES]; // the ADDR_MOD_PACK sections of the walk
    struct tsr_plan_key key;
    struct tsr_pack_plan *plan[TSR_PACKERS]; // of each part of the job
    struct tsr_pack_walk walk;
    struct tsr_pack_move move[TSR_PACKERS];     // of each part, by all words of the walk
    struct tsr_pack_output output[TSR_PACKERS]; // of each part
    // Of all words together: each part has one segment.
    struct tsr_pack_job job;
};

#endif
