// SPDX-License-Identifier: Apache-2.0
// What a PACR carries from its acceptance to its execution and completion.
// Page: PACR.md of each chip.
#ifndef TESSERA_PACK_PACK_JOB_H
#define TESSERA_PACK_PACK_JOB_H

#include "pack/pack_config.h"
#include "state/inflight.h"

enum { TSR_PACK_SEGMENTS = 4, TSR_PACK_DESCALES = 64 };

enum tsr_pack_source { TSR_PACK_FROM_DST, TSR_PACK_FROM_L1, TSR_PACK_FROM_NOTHING };

// The work of one packer. Blackhole's one packer has a segment for each read interface.
struct tsr_pack_part {
    struct tsr_pack_config config;
    struct tsr_pack_position position; // of its first datum
    uint32_t plan_serial;
    uint32_t row_start_address, exponent_address, data_address; // L1 bytes; if new
    uint32_t l1_source; // L1 byte of the first datum, from L1
    bool new_row_start_address, new_exponent_address, new_data_address; // else the stream continues
    bool tainted;
    uint8_t packer;
    uint8_t config_of;    // whose configuration: the packer's, or Blackhole's context
    uint8_t source;       // enum tsr_pack_source
    uint8_t counters;     // the thread whose ADCs count
    bool empty;           // it packs nothing, whatever the counters are
    bool by_interface;    // each of its segments is what a read interface brings
    bool whole_rows;      // a long ZeroWrite of Blackhole
    bool all_interfaces;  // all four read Dst, one row after another
    bool conversion_only; // no stage is on but conversion, to no block format
    bool contiguous_rows; // the segments are whole rows, one after another
    uint8_t segments;
    uint8_t z_offset;                  // of the face sets
    uint16_t start[TSR_PACK_SEGMENTS]; // datum index in Dst: row * 16 + column
    uint16_t count;                    // datums of each segment
};

struct tsr_pack_job {
    uint8_t parts;
    uint8_t state_id;
    uint8_t dst_order; // of Dst's rows (state/dst.h)
    bool closes;       // Last or Flush: pad, write, and release the addresses
    bool last;
    bool concat;               // the next PACR continues the compression row
    bool histogram;            // ENABLE_ACC_STATS of some thread
    uint8_t padding;           // enum tsr_pack_padding
    uint8_t headers, metadata; // of Last, a bit a packer: Add_tile_header_size, Enable_out_fifo
    uint8_t descale[TSR_PACK_DESCALES]; // shifts by Z, where a part has descale_by_z
    struct tsr_pack_part part[TSR_PACKERS];
};
_Static_assert(sizeof(struct tsr_pack_job) <= TSR_JOB_BYTES, "a job fits its instruction");

static inline struct tsr_pack_job *tsr_pack_job_of(struct tsr_inflight *inst)
{
    return (struct tsr_pack_job *)(void *)inst->job;
}

#endif
