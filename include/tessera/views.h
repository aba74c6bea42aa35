// SPDX-License-Identifier: Apache-2.0
// Tessera: what is in a tile now: Dst, SrcA and SrcB, configuration, counters, GPRs, the vector
// unit, semaphores, and who wrote them. <tessera/tessera.h> has all of it. NULL and indexes as
// there. Pages: those named below.
#ifndef TESSERA_VIEWS_H
#define TESSERA_VIEWS_H

#include <tessera/basics.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Dst as stored: 1024 rows of 16 datums of 16 bits (Dst.md). Masks have a bit for each column.
typedef struct tsr_dst_row {
    uint16_t bits[16];
    bool valid;
    uint16_t written, tainted;
} tsr_dst_row;
tsr_status tsr_view_dst(const tsr_tile *tile, int row, tsr_dst_row *out);

// Dst as instructions address it now, in the order of rows that the configuration selects: 512 rows
// of 32-bit datums (`wide`; the high half of the stored bits on top) or 1024 of 16-bit ones, 512 if
// those are halves of 32-bit rows.
typedef struct tsr_dst_datums {
    int stored; // the row of tsr_view_dst() that has the datums, or their high halves
    uint32_t bits[16];
    bool valid;
    uint16_t written, tainted;
} tsr_dst_datums;
tsr_status tsr_view_dst_datums(const tsr_tile *tile, bool wide, int row, tsr_dst_datums *out);

// SrcA (which = 0) or SrcB (1), bank 0..1, row 0..63 (SrcASrcB.md). Datums are 19 bits, with the
// fields in the order sign, exponent (8), mantissa (10), as the top of an FP32.
typedef struct tsr_src_row {
    uint32_t datum[16];
    uint16_t written, tainted;
} tsr_src_row;
tsr_status tsr_view_src(const tsr_tile *tile, int which, int bank, int row, tsr_src_row *out);

typedef struct tsr_src_banks {
    bool matrix_owns[2]; // by bank
    uint8_t unpacker_bank, matrix_bank;
    uint8_t implied_format[2];
} tsr_src_banks;
tsr_status tsr_view_src_banks(const tsr_tile *tile, int which, tsr_src_banks *out);

// Who wrote a row last, any of its columns: of Dst as tsr_view_dst() counts rows, of SrcA or SrcB
// as tsr_view_src(). That ZEROACC makes a row of Dst invalid is not a write.
typedef struct tsr_row_writer {
    bool known;        // false: nobody since reset, or the tile was made without watch_config
    int thread;        // of the instruction; -1: a core's store
    int core;          // tsr_core, or -1
    uint64_t sequence; // of the thread's instructions, from 1
    uint32_t word;     // the instruction
} tsr_row_writer;
tsr_status tsr_view_dst_writer(const tsr_tile *tile, int row, tsr_row_writer *out);
tsr_status tsr_view_src_writer(const tsr_tile *tile, int which, int bank, int row,
                               tsr_row_writer *out);

// A configuration field's value. `instance` is the thread for thread scope, the bank for banked
// scope, and ignored for unbanked ones. `written` may be NULL.
tsr_status tsr_view_field(const tsr_tile *tile, const char *name, int instance, uint32_t *value,
                          bool *written);

// Who wrote a field last; of the 128 bits of a whole TileDescriptor, any of them.
typedef struct tsr_field_writer {
    bool known;        // false: nobody since reset, or the tile was made without watch_config
    int thread;        // of the instruction, or of the access made for it; -1: a core's store
    int core;          // tsr_core, or -1
    uint64_t sequence; // of the thread's instructions, from 1; 0 if it was none
    uint32_t word;     // the instruction
    uint64_t cycle;
} tsr_field_writer;
// `instance` as above. TSR_NOT_FOUND if this chip has no such field.
tsr_status tsr_view_field_writer(const tsr_tile *tile, const char *name, int instance,
                                 tsr_field_writer *out);

// Counters of one thread (ADCs.md). agent 0, 1: unpackers, 2: packers.
typedef struct tsr_adc_channel {
    uint32_t x, x_cr, y, y_cr, z, z_cr, w, w_cr;
} tsr_adc_channel;
tsr_status tsr_view_adc(const tsr_tile *tile, int thread, int agent, int channel,
                        tsr_adc_channel *out);

typedef struct tsr_rwc { // RWCs.md
    uint16_t dst, dst_cr;
    uint8_t srca, srca_cr, srcb, srcb_cr, fidelity, extra_addr_mod;
} tsr_rwc;
tsr_status tsr_view_rwc(const tsr_tile *tile, int thread, tsr_rwc *out);
tsr_status tsr_view_gpr(const tsr_tile *tile, int thread, int index, uint32_t *value,
                        bool *written);

// The vector unit (LReg.md, VectorUnit.md). LReg 0..16, of which 16 is SFPLOADMACRO's; masks have a
// bit for each lane.
typedef struct tsr_lreg {
    uint32_t value[32];
    uint32_t written, tainted;
} tsr_lreg;
tsr_status tsr_view_lreg(const tsr_tile *tile, int lreg, tsr_lreg *out);
typedef struct tsr_lanes {
    uint32_t enabled;          // LaneEnabled
    uint32_t flags, use_flags; // LaneFlags, UseLaneFlagsForLaneEnable
    // The flag stack: entry 0 is the oldest; `stack_used` has the lanes in which an entry exists.
    uint32_t stack_flags[8], stack_use_flags[8], stack_used[8];
    uint32_t config[8]; // LaneConfig of the lanes of each column
} tsr_lanes;
tsr_status tsr_view_lanes(const tsr_tile *tile, tsr_lanes *out);

// A step of options.schedule: somebody does one thing.
typedef enum tsr_step_kind {
    TSR_STEP_ISSUE = 0,    // the thread issues the instruction
    TSR_STEP_EXECUTE = 1,  // the unit executes it
    TSR_STEP_COMPLETE = 2, // the unit completes it
    TSR_STEP_LOADS = 3,    // loads of the scalar unit reach their GPRs
    TSR_STEP_TDMA = 4      // TDMA-RISC takes a command
} tsr_step_kind;

typedef struct tsr_schedule_step {
    uint64_t count; // of the steps up to now
    // The last one of options.schedule_cut, those of `others` among them.
    bool reached;
    int actor; // who took it: a number from 1
    tsr_step_kind kind;
    int thread;        // of the instruction; -1: there is none
    uint64_t sequence; // 0: words moved on to the gate, no instruction was issued
    uint32_t word;
    // With options.cores: which core pushed it, and the program counter.
    bool pushed;
    int pushed_core; // tsr_core
    uint32_t pushed_pc;
} tsr_schedule_step;

// TSR_NOT_FOUND with TSR_SCHEDULE_CARD.
tsr_status tsr_view_schedule(const tsr_tile *tile, tsr_schedule_step *out);

tsr_status tsr_view_semaphore(const tsr_tile *tile, int index, uint8_t *value, uint8_t *max);

#ifdef __cplusplus
}
#endif
#endif
