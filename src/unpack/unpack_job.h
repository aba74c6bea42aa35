// SPDX-License-Identifier: Apache-2.0
// What the files of this folder hand to each other: the call (what the instruction itself asks
// for), the shape (what the configuration makes of it, part of a plan), the job (both, with the
// addresses of one execution), and the doubts: everything that is wrong or unusual about a job, one
// bit each, collected first and reported together.
// Page: UNPACR_Regular.md; the names of its variables stand in brackets where they differ.
#ifndef TESSERA_UNPACK_UNPACK_JOB_H
#define TESSERA_UNPACK_UNPACK_JOB_H

#include "kernels/kernels.h"
#include "state/report.h"
#include "state/src_hand_over.h"

enum { TSR_UNPACK_CONTEXTS = 8 };

// In the order in which they are reported.
enum tsr_unpack_anomaly {
    // Undefined.
    ANOMALY_CONTEXT,
    ANOMALY_ADC,
    ANOMALY_BLOB,
    ANOMALY_FORMAT_PAIR,
    ANOMALY_SRC_32BIT,
    ANOMALY_NARROW_TILEIZE,
    ANOMALY_THROTTLE,
    ANOMALY_TRANSPOSE_TO_DST,
    ANOMALY_SHIFT_TO_DST,
    ANOMALY_TILEIZE_CLASH,
    ANOMALY_DST_OVRD,
    ANOMALY_X_LIMIT,
    ANOMALY_X_ORDER,
    ANOMALY_ROW_ORDER,
    ANOMALY_INPUT_ALIGNMENT,
    ANOMALY_OUTPUT_ALIGNMENT,
    ANOMALY_L1_RANGE,
    ANOMALY_SRCA_ROW,
    ANOMALY_SRCA_SET_ROW,
    ANOMALY_SRCB_ROW,
    ANOMALY_BURST,
    ANOMALY_DST_ROW,
    ANOMALY_BLOCK_EXPONENT,
    // Unpredictable.
    ANOMALY_UNWRITTEN,
    // On no page.
    ANOMALY_ROW_BROADCAST,
    ANOMALY_RAREFY,
    ANOMALY_NARROW_COMPRESSED,
    // Not contractual.
    ANOMALY_COMPRESSED,
    ANOMALY_ROW_SEARCH,
    ANOMALY_UPSAMPLE,
    ANOMALY_COLUMN_SHIFT,
    ANOMALY_SINGLE_CONTEXT,
    ANOMALY_CONTEXT_COUNTER,
    ANOMALY_CONTEXT_NUMBER,
    ANOMALY_OTHER_ADC,
    ANOMALY_TRANSPOSE_SRCB,
    ANOMALY_RELATIVE_SRCA,
    ANOMALY_INTERLEAVE,
    ANOMALY_OUTPUT_START,
    ANOMALY_DST_HIGH_HALVES,
    ANOMALY_COUNT
};

typedef uint64_t tsr_unpack_anomalies; // a bit for each

#define TSR_ANOMALY(name) ((tsr_unpack_anomalies)1 << (name))

struct tsr_unpack_call {
    uint8_t unpacker, thread, state;
    uint8_t context; // [WhichContext]
    uint8_t adc;     // [WhichADC]
    bool multi_context;
    bool counts_contexts; // [UseContextCounter]
    bool zero;            // [AllDatumsAreZero]
    bool flip;            // [FlipSrc]
    bool row_search;      // [RowSearch]
    bool broadcasts;      // Blackhole's srcb_bcast
    uint8_t increments;   // Ch1Y, Ch1Z, Ch0Y, Ch0Z: two bits each, from the top
    tsr_unpack_anomalies anomalies;
};

// What an UNPACR's word says, kept for the next one with the same word.
struct tsr_unpack_operands {
    uint32_t word;                  // 0: nothing was read yet
    uint8_t number;                 // CfgContextId
    bool own_adc;                   // the thread's, and not another's by number
    bool flushes, counts;           // one of the small variants
    tsr_unpack_anomalies anomalies; // of the word alone
    struct tsr_unpack_call call;    // thread, state and context are those of the latest
};

struct tsr_unpack_shape {
    tsr_unpack_mode mode; // a pair that exists: the nearest one if the configured one does not
    uint8_t in_format, out_format; // as configured
    uint8_t datum_bits;
    uint8_t row_width; // datums in L1 before the row stride [UnpackRowWidth]
    uint8_t out_shift; // output addresses are bytes >> out_shift
    uint8_t forced_exponent;
    uint8_t burst_rows;   // [BurstRows]
    uint8_t contexts;     // where the context counter starts again
    uint8_t spacing;      // places between datums: 1 without upsampling [UpsampleZeroes + 1]
    uint8_t column_shift; // [ColShift]
    uint8_t blobs;        // [BlobsPerXYPlane]
    bool keeps_gaps;      // what upsampling inserts is not written [UpsampleInterleave]
    bool compressed;
    bool by_context;   // the context says whether it is compressed, else the descriptor
    bool blocks;       // BFP
    bool l1_exponents; // BFP, and the exponents come from L1
    bool to_dst, wide; // wide: 32-bit datums in Dst
    bool tileize;      // [DiscontiguousInputRows]
    bool transpose;
    bool adds_destination;    // the context's output address is added, not taken
    bool own_destination;     // ... is there at all
    bool row_from_address;    // SetOvrdWithAddr
    bool next_row_set;        // Unpack_Src_Reg_Set_Upd
    bool by_rows;             // a kernel can do whole rows of it
    uint16_t x_limit;         // positions that the input side reaches
    uint16_t bytes_per_cycle; // of an unpacker that fetches alone
    uint8_t speed;            // enum tsr_unpack_speed
    uint32_t row_stride;      // bytes
    uint32_t header;          // bytes between the base address and what follows
    uint32_t row_start_bytes; // of the row starts' section
    uint32_t blob_starts;     // four bits each [BlobsYStart]
    uint64_t exponent_bytes;  // of the exponent section
    uint16_t x_dim;
    uint8_t y_dim, z_dim;
    uint16_t y_stride, z_stride, w_stride; // of the output address
    tsr_unpack_anomalies anomalies;
};

enum tsr_unpack_kind {
    UNPACK_NOTHING, // no effect at execute: counters only, cache flush, NOP
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
    uint8_t unpacker, thread, state, context;
    uint8_t slot;  // of the plan that has the kernel, while the stamp is the same
    uint8_t order; // of Dst's rows
    bool zero, flip;
    bool plain;             // L1 is read in one piece
    bool fast;              // rows may go through a kernel
    bool tainted;           // whatever is written
    bool taints_unwritten;  // unwritten bytes of L1 taint what becomes of them
    uint8_t row_base;       // [SrcRowBase]
    uint8_t implied_format; // what a hand-over leaves with the bank
    bool broadcasts;
    bool seeks; // compressed input: counts datums instead of taking a row's end
    uint32_t stamp;
    struct tsr_unpack_shape shape;
    int64_t bits;            // first datum, in bits from the start of L1
    int64_t exponents;       // first exponent, in sixteenths of a byte
    uint32_t limit, fifo;    // of the input's wrap, in units of 16 bytes
    uint32_t first_x, end_x; // positions; of a compressed row its row starts, once they are read
    // Compressed input has its first datum, its exponent and both counts from execution; until then
    // bits and exponents are where the sections begin.
    uint32_t count;                              // datums read [InputNumDatums]
    uint32_t emitted;                            // datums that come out of them, before upsampling
    uint32_t out;                                // first datum's place [OutAddr]
    uint32_t outside_address, unwritten_address; // for the sentences about L1
    int64_t deltas;                              // first delta, in bits from the start of L1
    int64_t row_start, row_end;                  // addresses of the two row starts
    uint32_t drop, wanted;                       // [DecompressDrop, DecompressNumDatums]
    struct tsr_unpack_nop nop;
};

_Static_assert(sizeof(struct tsr_unpack_job) <= TSR_JOB_BYTES, "a job must fit an instruction");

static inline struct tsr_unpack_job *tsr_unpack_job(struct tsr_inflight *inst)
{
    return (struct tsr_unpack_job *)(void *)inst->job;
}

// Report all of them. TSR_HALT as soon as one stops; otherwise TSR_GO_TAINTED if any taints.
enum tsr_verdict tsr_unpack_report(struct tsr_env *env, const struct tsr_inflight *inst,
                                   const struct tsr_unpack_job *job,
                                   tsr_unpack_anomalies anomalies);

// unpack_decode.c: what the instruction asks for, until the unpacker gets the next one.
const struct tsr_unpack_operands *tsr_unpack_decode(const struct tsr_env *env,
                                                    const struct tsr_inflight *inst);

struct tsr_unpack_inputs;
// The addresses of one execution: fills the job's lower half from configuration and counters.
tsr_unpack_anomalies tsr_unpack_address(const struct tsr_env *env,
                                        const struct tsr_unpack_call *call,
                                        const struct tsr_unpack_inputs *inputs,
                                        struct tsr_unpack_job *job);
// Context counter and ADC increments (the end of the functional model).
void tsr_unpack_count(struct tsr_env *env, const struct tsr_unpack_call *call,
                      const struct tsr_unpack_shape *shape);

// What the target lacks of the rows that the job writes; SrcB's rows are known at execution only.
tsr_unpack_anomalies tsr_unpack_check_rows(const struct tsr_env *env,
                                           const struct tsr_unpack_job *job);
// The last output row that is written; false: none is.
bool tsr_unpack_last_row(const struct tsr_unpack_job *job, uint64_t *row);

// Compressed input (unpack_compressed.c), at execution: reads row starts and follows the deltas.
tsr_unpack_anomalies tsr_unpack_find_row(const struct tsr_env *env, struct tsr_unpack_job *job);
// Whether what comes out hangs on bytes of the row starts that are tainted or were never written.
bool tsr_unpack_row_is_tainted(const struct tsr_l1 *l1, const struct tsr_unpack_job *job);

// Whether some datum's shared exponent does not fit FP16 (decision 14); such datums are tainted.
bool tsr_unpack_exponents_overflow(const struct tsr_l1 *l1, const struct tsr_unpack_job *job);
// Move the datums into the unpacker's bank of SrcA or SrcB, or into Dst.
void tsr_unpack_store(struct tsr_env *env, const struct tsr_unpack_job *job);
// The general path of the same (unpack_datums.c).
void tsr_unpack_store_datums(struct tsr_env *env, const struct tsr_unpack_job *job,
                             struct tsr_src_bank *bank, unsigned src_row);

// unpack_fetch.c: with timing on, what both unpackers' fetches cost each other. begin: when the job
// executes; sets the instruction's duration. end: when it completes.
void tsr_unpack_fetch_begin(struct tsr_env *env, struct tsr_inflight *inst);
void tsr_unpack_fetch_end(struct tsr_env *env, const struct tsr_inflight *inst);

// UNPACR_NOP: its forms (unpack_nop.c) and what they do (unpack_nop_run.c).
bool tsr_unpack_nop_accept(struct tsr_env *env, struct tsr_inflight *inst);
tsr_reason tsr_unpack_nop_execute(struct tsr_env *env, struct tsr_inflight *inst);
void tsr_unpack_nop_complete(struct tsr_env *env, struct tsr_inflight *inst);
// Give the unpacker's bank to the matrix unit; complete() publishes it.
void tsr_unpack_hand_over(struct tsr_env *env, struct tsr_inflight *inst);

#endif
