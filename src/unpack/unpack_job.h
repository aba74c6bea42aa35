// SPDX-License-Identifier: Apache-2.0
// What an instruction of an unpacker carries from its acceptance to its execution and completion.
// The page's names stand in brackets where they differ. Page: UNPACR_Regular.md.
#ifndef TESSERA_UNPACK_UNPACK_JOB_H
#define TESSERA_UNPACK_UNPACK_JOB_H

#include "unpack/unpack_config.h"

enum tsr_unpack_kind {
    UNPACK_NOTHING, // no effect at execution: counters only, cache flush, NOP
    UNPACK_DATUMS,
    UNPACK_CLEAR,        // UNPACR_NOP ZEROSRC
    UNPACK_HAND_OVER,    // UNPACR_NOP SETDVALID
    UNPACK_SET_REGISTER, // UNPACR_NOP SETREG
    UNPACK_CLEAR_MESSAGE // UNPACR_NOP OverlayClear
};

struct tsr_unpack_nop {
    bool both, waits_like_unpacr; // of a clear
    uint8_t banks;                // that it clears, a bit for each; execution chooses
    bool accumulate;              // of SETREG
    uint8_t select, middle;       // [AddrSel, AddrMid]
    uint32_t address;             // of a register; of SETREG, execution makes it
    uint32_t value;               // of each datum, or for the register
};

struct tsr_unpack_job {
    uint8_t kind; // enum tsr_unpack_kind
    uint8_t unpacker, thread, state_id, context;
    uint8_t plan_slot;      // of the plan that has the kernel, while its serial is the same
    uint8_t dst_order;      // of Dst's rows
    bool all_zero, flip;    // [AllDatumsAreZero, FlipSrc]
    bool contiguous;        // in L1 datums follow each other, and so do exponents
    bool uses_kernel;       // whole rows may go through a kernel
    bool plain;             // ... all at once (unpack_plain.h)
    bool tainted;           // whatever is written
    bool taints_unwritten;  // unwritten bytes of L1 taint what becomes of them
    uint8_t src_row_base;   // [SrcRowBase]
    uint8_t implied_format; // the bank's format tag after a hand-over
    bool broadcasts;
    bool partial_row; // of compressed input: counts datums instead of taking a row's end
    bool row_start_tainted, row_start_unwritten; // of compressed input, known at execution
    uint32_t plan_serial;
    uint64_t waits_since; // for its bank, with timing on: a cycle and one; 0: not yet
    struct tsr_unpack_config config;
    // Of compressed input the first datum, its exponent, its delta and both counts come from
    // execution; until then the addresses are those of the sections.
    int64_t first_datum_bit;           // [InAddr_Datums * 8]
    int64_t first_exponent_16th;       // [InAddr_Exponents * 16]: a byte serves sixteen datums
    int64_t first_delta_bit;           // [InAddr_Deltas * 8]
    uint32_t limit_address, fifo_size; // of the input's circular buffer, in units of 16 bytes
    uint32_t first_x, end_x;           // [XPos, XEnd]; of a compressed row its row starts
    uint32_t input_datums;             // that are read [InputNumDatums]
    uint32_t output_datums;            // that come out of them, before upsampling
    uint32_t out_address;              // of the first [OutAddr]
    uint32_t outside_address;          // first byte outside L1, if one is read
    uint32_t unwritten_address;        // first byte that was never written, if one is read
    int64_t row_start_address;         // [&InAddr_RowStart[ADC_XY.Y]]
    int64_t row_end_address;           // and the entry that ends the row
    uint32_t drop_datums;              // [DecompressDrop]
    uint32_t wanted_datums;            // [DecompressNumDatums]
    struct tsr_unpack_nop nop;
};

// What became of a word that was to execute and complete at once. It does if it neither waits nor
// reports; else nothing was changed.
enum tsr_unpack_went {
    TSR_UNPACK_DONE,
    TSR_UNPACK_WAITS, // for its bank
    TSR_UNPACK_ASKS   // it must take the stages
};

_Static_assert(sizeof(struct tsr_unpack_job) <= TSR_JOB_BYTES, "a job must fit an instruction");

static inline struct tsr_unpack_job *tsr_unpack_job_of(struct tsr_inflight *inst)
{
    return (struct tsr_unpack_job *)(void *)inst->job;
}

#endif
