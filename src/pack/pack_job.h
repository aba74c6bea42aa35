// SPDX-License-Identifier: Apache-2.0
// What a PACR carries from its acceptance to its execution, and the plan that it was made from.
#ifndef TESSERA_PACK_PACK_JOB_H
#define TESSERA_PACK_PACK_JOB_H

#include "kernels/kernels.h"
#include "numerics/pack_stages.h"
#include "state/report.h"
#include "state/unit.h"

enum { PACK_SEGMENTS = 4, PACK_EDGE_SETS = 4, PACK_DESCALES = 64 };

// The words that say which edge mask goes with which row of the tile: two bits an entry, sixteen
// entries a word.
struct pack_edges {
    uint32_t faces;                // by Z: a row set; all entries equal without face sets
    uint32_t rows[PACK_EDGE_SETS]; // of each row set, by Y: a mask
    uint16_t mask[PACK_EDGE_SETS];
};

// How a bound on the exponents of a run is found (pack_histogram.c).
enum pack_bound_kind {
    PACK_BOUND_FIELD,   // the low bits of `mask`
    PACK_BOUND_ROUNDED, // `number` low bits behind rounding
    PACK_BOUND_INTEGER, // of INT8 behind its shift, at most `number`
    PACK_BOUND_CONSTANT // `number`
};
struct pack_bound {
    uint8_t kind, number, mask; // enum pack_bound_kind
    bool positive;              // ReLU makes zeroes of negative ones
};

// Formats, masks and sizes of one packer: all that a plan knows, as plain data.
struct pack_shape {
    tsr_pack_mode mode;
    struct pack_bound bound;
    struct pack_edges edges;
    uint16_t exponent_section, row_start_section; // 16-byte units
    uint16_t keep;                                // Downsample_mask; all ones: everything
    uint8_t kind;        // tsr_pack_kind that the datums have before late conversion
    uint8_t out_bits;    // of a datum in L1
    uint8_t input_bytes; // that addresses count for a datum of In_data_format
    uint8_t in_data_format;
    uint8_t reads_per_plane;
    uint8_t threshold;   // Exp_threshold; 0: none
    bool masked;         // some edge mask is not all ones
    bool minus_infinity; // what masked datums become; else zero
    bool block;          // datums share exponents
    bool small_output;   // an exponent section is reserved, BFP or not
    bool accumulate;     // Pack_L1_Acc
    bool header;         // one 16-byte unit is added for the tile header
    bool add_offset;     // TDMA-RISC's offset counts
    bool yz_transposed;
    bool from_l1; // Source_interface_selection, of packer 0
    bool compress;
    bool no_zero_flags;               // Disable_pack_zero_flags
    bool unshared;                    // Dis_shared_exp_assembler
    bool random_early, random_blocks; // stochastic rounding
    bool descale_by_z;                // INT_DESCALE_Mode 1
    bool general;                     // a stage is on that only the datum-by-datum path has
    bool anomalous;                   // recorded undefined behaviour: what is packed is tainted
    bool nothing;                     // no packer converts this pair of formats: nothing is packed
    bool sets_last_mask;              // Auto_set_last_pacr_intf_sel
};

// Strides of the input and output address generators, in the units of the chip.
struct pack_strides {
    uint16_t x0, y0, z0, w0, y1, z1, w1;
};

// What configuration words outside the plan groups say: inputs of an execution, in the units of
// their fields. They are taken apart again if one of the words differs; destinations, which kernels
// rewrite for every tile, fill words of their own.
enum { PACK_INPUT_WORDS = 6 };
struct pack_inputs {
    uint16_t addr32[PACK_INPUT_WORDS], destination_addr32, first_addr32;
    uint32_t word[PACK_INPUT_WORDS];
    bool header, first_header;   // one unit is added to the destination
    uint32_t base0, base1;       // of the address generators
    uint32_t destination, first; // L1_Dest_addr, a header's unit counted; packer 0's
    uint32_t limit, fifo_size;   // of the circular buffer, in 16-byte units
    uint16_t rows;               // by which Dst is offset
    uint8_t z_offset;            // of the face sets
    uint8_t l1_source;
    bool tile_header, out_fifo; // Add_tile_header_size, Enable_out_fifo
};

// What a PACR's word says.
struct pack_operands {
    uint32_t word; // 0: nothing was read yet
    uint8_t packers, interfaces, address_mode, counters, context_control, context, padding;
    bool other_counters, strided, zero_write, flush, concat, last;
    // What follows from those alone.
    uint8_t pad;      // enum pack_padding
    bool close;       // Last or Flush
    bool undescribed; // it uses operands that no page describes
};

struct pack_plan {
    bool made;
    uint32_t stamp; // of the making; jobs remember it
    uint32_t pack_generation, alu_generation;
    struct pack_shape shape;
    struct pack_strides strides;
    struct pack_inputs inputs;
    tsr_pack_fn *plain;
    tsr_pack_block_fn *blocks;
    tsr_merge_fn *merge;
};

// Where the tile position generator stands; sixteen bits each. (As halves of a word they would be
// written one by one and read together, which processors make wait.)
struct pack_position {
    uint32_t x, y, z;
};

enum pack_source { PACK_FROM_DST, PACK_FROM_L1, PACK_FROM_NOTHING };

// The work of one packer. Blackhole's one packer has a segment for each read interface.
struct pack_part {
    struct pack_shape shape;
    struct pack_position position; // of its first datum
    uint32_t stamp;
    uint32_t row_start_address, exponent_address, data_address; // L1 bytes; used if fresh
    uint32_t l1_source; // L1 byte of the first datum, from L1
    bool fresh_row_starts, fresh_exponents, fresh_data;
    bool tainted;
    uint8_t packer;
    uint8_t config;    // whose configuration: the packer's, or Blackhole's context
    uint8_t source;    // enum pack_source
    uint8_t counters;  // the thread whose ADCs count
    bool empty;        // it packs nothing, whatever the counters say
    bool by_interface; // each of its segments is what a read interface brings
    bool whole_rows;   // a long ZeroWrite of Blackhole
    bool by_four;      // all four interfaces read, side by side
    bool only_rows;    // no stage is on but conversion, to a plain format
    bool adjacent;     // whole rows of the segments would lie one behind the other
    bool at_once;      // whole rows that do, and only rows
    uint8_t segments;
    uint8_t z_offset;              // of the face sets
    uint16_t start[PACK_SEGMENTS]; // datum index in Dst: row * 16 + column
    uint16_t count;                // datums of each segment
};

struct pack_job {
    uint8_t parts;
    uint8_t state_id;
    uint8_t order; // of Dst's rows
    bool close;    // Last or Flush: pad, write, and start afresh next time
    bool last;
    bool concat;               // the next PACR goes on with the compression row
    bool statistics;           // ENABLE_ACC_STATS of some thread
    uint8_t pad;               // enum pack_padding
    uint8_t headers, metadata; // of Last, a bit a packer: Add_tile_header_size, Enable_out_fifo
    uint8_t descale[PACK_DESCALES]; // shifts by Z, where a part has descale_by_z
    struct pack_part part[TSR_PACKERS];
};
_Static_assert(sizeof(struct pack_job) <= TSR_JOB_BYTES, "a job fits its instruction");

// What RowPadZero fills with zeroes to sixteen datums.
enum pack_padding { PACK_PAD_NONE, PACK_PAD_ROWS, PACK_PAD_SECTION };

// A job as far as the word and the configuration say what it is.
struct pack_outline {
    bool lasts; // it can serve again
    uint8_t thread;
    uint32_t word;
    uint32_t stamp, pack_generation, alu_generation; // its plans hold while these do
    uint64_t changes; // of the configuration when it was last looked at
    struct pack_operands operands;
    struct pack_plan *plan[TSR_PACKERS]; // of each part
    struct pack_job job;
};

// Kernels take turns with two words that differ in Last, the lowest bit: each has a slot.
enum { PACK_SLOTS = 2 };
static inline unsigned tsr_pack_slot(uint32_t word)
{
    return word % PACK_SLOTS;
}

struct tsr_pack_plans {
    uint32_t stamp; // counts plans that were made, and changes of their inputs
    struct pack_operands operands[PACK_SLOTS]; // of the last words that were looked at
    struct pack_plan plan[2][TSR_PACKERS];     // by state ID and configuration
    struct pack_outline outline[PACK_SLOTS];
};

// The field of packer i's configuration, which lies in REG1 or REG8 of THCON_SEC0 or SEC1.
#define PACKER_FIELD(i, name)                                                                      \
    ((i) == 0   ? FIELD_THCON_SEC0_REG1_##name                                                     \
     : (i) == 1 ? FIELD_THCON_SEC0_REG8_##name                                                     \
     : (i) == 2 ? FIELD_THCON_SEC1_REG1_##name                                                     \
                : FIELD_THCON_SEC1_REG8_##name)
// The field of a group of four of which `name` has the number in the middle.
#define SECTION_FIELD(i, group, name)                                                              \
    ((i) == 0   ? FIELD_##group##0_##name                                                          \
     : (i) == 1 ? FIELD_##group##1_##name                                                          \
     : (i) == 2 ? FIELD_##group##2_##name                                                          \
                : FIELD_##group##3_##name)

// pack_plan.c. NULL: a finding stopped the tile.
struct pack_plan *tsr_pack_plan_for(struct tsr_env *env, const struct tsr_inflight *inst,
                                    int state_id, int config);
struct pack_strides tsr_pack_strides(const struct tsr_env *env, int s);
// pack_outline.c. NULL: a finding stopped the tile.
const struct pack_outline *tsr_pack_outline_for(struct tsr_env *env,
                                                const struct tsr_inflight *inst);
// pack_operands.c
void tsr_pack_read_inputs(const struct tsr_env *env, int s, int config, struct pack_inputs *inputs);
// The same if they were read before, and no word of the group PACK has changed since. True: others
// than the destinations are different.
bool tsr_pack_renew_inputs(const struct tsr_env *env, int s, int config,
                           struct pack_inputs *inputs);
const struct pack_operands *tsr_pack_read_operands(const struct tsr_env *env,
                                                   const struct tsr_inflight *inst);
static inline const struct pack_operands *tsr_pack_operands(const struct tsr_env *env,
                                                            const struct tsr_inflight *inst)
{
    const struct pack_operands *operands = &env->pack_plans->operands[tsr_pack_slot(inst->word)];
    return operands->word == inst->word ? operands : tsr_pack_read_operands(env, inst);
}
// The shape alone, without a look at what is wrong with it.
void tsr_pack_read_shape(const struct tsr_env *env, int s, int i, struct pack_shape *shape);
// What addresses count for a datum of an input format.
static inline uint8_t tsr_pack_datum_bytes(uint32_t format)
{
    return (format & 3) == 0 ? 4 : (format & 3) == 1 ? 2 : 1;
}
// pack_anomalies.c: what a plan's configuration is told. True: the tile stops.
bool tsr_pack_anomalies(struct tsr_env *env, const struct tsr_inflight *inst, int s, int i,
                        struct pack_plan *plan);
bool tsr_pack_operand_anomalies(struct tsr_env *env, const struct tsr_inflight *inst);
// Whether packers of one PACR are set differently; the finding of that. True: the tile stops.
bool tsr_pack_parts_differ(const struct pack_job *job);
bool tsr_pack_report_parts(struct tsr_env *env, const struct tsr_inflight *inst,
                           const struct pack_job *job);
// pack_wait.c: what the write-to-read rule of Dst says about the rows of a PACR at the gate.
tsr_reason tsr_pack_ready(struct tsr_env *env, const struct tsr_inflight *inst, uint64_t *retry_at);
// pack_context.c: whose configuration a packer uses, and the context that Blackhole tracks.
int tsr_pack_config_of(const struct tsr_env *env, const struct tsr_inflight *inst, int packer);
bool tsr_pack_resets_context(const struct pack_operands *operands);
void tsr_pack_reset_context(struct tsr_env *env);
void tsr_pack_step_context(struct tsr_env *env, const struct pack_operands *operands, int s,
                           unsigned planes);
// pack_address.c
unsigned tsr_pack_counters_of(const struct tsr_env *env, const struct tsr_inflight *inst, int s,
                              int config);
// First datum in Dst, as row * 16 + column, with the counters of channel 0.
uint16_t tsr_pack_input_start(const struct pack_inputs *inputs, uint8_t datum_bytes,
                              const struct pack_strides *stride, const tsr_adc_channel *adc);
// What of a part's datums is certain without the counters.
void tsr_pack_outline_part(const struct tsr_env *env, const struct tsr_inflight *inst, int s,
                           struct pack_part *part);
// False: a finding stopped the tile; nothing was changed.
bool tsr_pack_address(struct tsr_env *env, struct tsr_inflight *inst,
                      const struct pack_outline *outline, struct pack_job *job);
// pack_output.c: where the streams of a part begin, if they are not open.
void tsr_pack_place_part(struct tsr_env *env, struct pack_part *part, const struct pack_plan *plan,
                         const tsr_adc_channel *adc);
// `threads`: a bit for each whose counters step.
void tsr_pack_step_counters(struct tsr_env *env, const struct tsr_inflight *inst,
                            const struct pack_operands *operands, unsigned threads);
// pack_interfaces.c: Blackhole's read interfaces.
// `sets_last`: Auto_set_last_pacr_intf_sel.
uint32_t tsr_pack_interface_mask(const struct tsr_env *env, const struct pack_operands *operands,
                                 int s, int config, bool sets_last);
// The start of each enabled read interface, from the first datum; returns how many.
unsigned tsr_pack_interfaces(const struct pack_operands *operands, uint32_t mask, uint16_t first,
                             uint16_t start[PACK_SEGMENTS]);
// False: a finding stopped the tile.
bool tsr_pack_check_interfaces(struct tsr_env *env, const struct tsr_inflight *inst,
                               const struct pack_operands *operands, struct pack_part *part,
                               uint32_t mask);
// pack_position.c: the edge masks of consecutive rows, and the tile position behind them.
uint16_t tsr_pack_edge_mask(const struct pack_part *part, const struct pack_position *at);
// Both return how many planes that completes.
unsigned tsr_pack_step_datums(const struct pack_shape *shape, struct pack_position *position,
                              unsigned datums);
unsigned tsr_pack_step_interfaces(const struct pack_shape *shape, struct pack_position *position,
                                  unsigned interfaces);
// The position of the k-th enabled interface.
struct pack_position tsr_pack_interface_position(const struct pack_shape *shape,
                                                 struct pack_position position, unsigned k);

// pack_rows.c. False: a finding stopped the tile.
bool tsr_pack_part(struct tsr_env *env, const struct tsr_inflight *inst, const struct pack_job *job,
                   const struct pack_part *part);
// pack_sizes.c
void tsr_pack_complete(struct tsr_env *env, struct tsr_inflight *inst);
// pack_setreg.c: PACR_SETREG's moments, as in tsr_unit_ops.
bool tsr_pack_setreg_accept(struct tsr_env *env, struct tsr_inflight *inst);
tsr_reason tsr_pack_setreg_execute(struct tsr_env *env, struct tsr_inflight *inst);
void tsr_pack_setreg_explain(const struct tsr_inflight *inst, char *what, size_t size);
// pack_unit.c: by thread order, the next PACR of this packer begins at new addresses.
void tsr_pack_end_sections(struct tsr_packer *packer);

// pack_stream.c
struct pack_sink {
    struct tsr_env *env;
    const struct tsr_inflight *inst;
    const struct pack_job *job;
    const struct pack_part *part;
    struct tsr_packer *packer;
    tsr_merge_fn *merge; // NULL: plain stores
    uint8_t format, datum_bytes;
    bool overflowed, source_overflowed; // said once
};
void tsr_pack_place(struct tsr_pack_stream *stream, uint32_t address);
// Behind whole lines that were written.
static inline void tsr_pack_skip_lines(struct tsr_pack_stream *stream, size_t size)
{
    stream->address += (uint32_t)size;
    stream->lines = (uint16_t)(stream->lines + size / TSR_PACK_LINE);
}
void tsr_pack_append(struct pack_sink *sink, struct tsr_pack_stream *stream, const uint8_t *bytes,
                     size_t size, bool tainted);
void tsr_pack_flush(struct pack_sink *sink, struct tsr_pack_stream *stream);
// Where the stream's next `size` bytes lie in L1, if they are whole lines there that nothing is
// merged with; else NULL. Who has put them there says so.
uint8_t *tsr_pack_lines(const struct pack_sink *sink, const struct tsr_pack_stream *stream,
                        size_t size);
void tsr_pack_wrote_lines(struct pack_sink *sink, struct tsr_pack_stream *stream, size_t size,
                          bool tainted);
// The same without accumulation.
void tsr_pack_append_plain(struct pack_sink *sink, struct tsr_pack_stream *stream,
                           const uint8_t *bytes, size_t size, bool tainted);
void tsr_pack_flush_plain(struct pack_sink *sink, struct tsr_pack_stream *stream);

// pack_rows.c: ends begun rows and blocks, pads begun lines and writes them.
void tsr_pack_close_section(struct pack_sink *sink);

// pack_input.c: runs of datums that share a row of Dst and a row of the tile.
struct pack_run {
    uint16_t start; // datum index in Dst
    uint16_t segment;
    uint16_t count; // at most 16
    struct pack_position at;
};
struct pack_runs {
    const struct pack_part *part;
    struct pack_position at;
    unsigned segment, left;
    uint16_t start;
    bool by_interface, by_datum; // what steps the position, if a stage looks at it
};
void tsr_pack_begin_runs(const struct tsr_env *env, const struct pack_part *part,
                         struct pack_runs *runs);
static inline bool tsr_pack_runs_end(const struct pack_runs *runs)
{
    return runs->left == 0 && runs->segment + 1u >= runs->part->segments;
}
// At most `room` datums; false: there are no more.
bool tsr_pack_next_run(struct pack_runs *runs, unsigned room, struct pack_run *run);
// How many rows can be read in place, and where; they lie one behind the other.
unsigned tsr_pack_next_rows(struct pack_runs *runs, struct pack_sink *sink, const uint16_t **high,
                            const uint16_t **low);
// Cells of a run, 0 where the row is not valid or the mask is 0. False: a finding stopped the tile.
bool tsr_pack_read_dst(const struct pack_sink *sink, const struct pack_run *run, uint16_t mask,
                       uint16_t *high, uint16_t *low, bool *tainted);
bool tsr_pack_read_l1(struct pack_sink *sink, unsigned first, unsigned count, uint32_t *datums,
                      bool *tainted);

// pack_datums.c: the complete path, datum by datum.
bool tsr_pack_datums(struct pack_sink *sink);
// pack_histogram.c
void tsr_pack_count_exponent(struct pack_sink *sink, uint8_t exponent);
struct pack_bound tsr_pack_bound_of(const tsr_pack_mode *mode);
// The largest exponent of datums that went through a kernel.
void tsr_pack_note_largest(struct tsr_packer *packer, const struct pack_part *part,
                           const uint16_t *high, const uint16_t *low, unsigned count);
// pack_compress.c: datums of the current row; and the ends of a row and of a section.
void tsr_pack_compress(struct pack_sink *sink, const uint32_t *patterns, unsigned count,
                       bool tainted);
void tsr_pack_begin_rows(struct pack_sink *sink);
void tsr_pack_end_row(struct pack_sink *sink);
void tsr_pack_end_rows(struct pack_sink *sink);
// pack_assembly.c: patterns behind late conversion to bytes, sixteen at a time for block formats.
void tsr_pack_put(struct pack_sink *sink, const uint32_t *patterns, unsigned count, bool tainted);
void tsr_pack_end_group(struct pack_sink *sink); // fills a begun block with zeroes

#endif
