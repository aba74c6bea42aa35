// SPDX-License-Identifier: Apache-2.0
// What a PACR carries from its acceptance to its execution, and the plan that it was made from.
#ifndef TESSERA_PACK_PACK_JOB_H
#define TESSERA_PACK_PACK_JOB_H

#include "kernels/kernels.h"
#include "state/report.h"
#include "state/unit.h"

enum { PACK_SEGMENTS = 4, PACK_EDGE_ROWS = 16 };

// Formats, masks and sizes of one packer: all that a plan knows, as plain data.
struct pack_shape {
    tsr_pack_mode mode;
    uint16_t edge_mask[PACK_EDGE_ROWS]; // by the low four bits of the tile row
    uint16_t exponent_section;          // 16-byte units
    uint8_t out_bits;                   // of a datum in L1
    uint8_t input_bytes;                // that addresses count for a datum of In_data_format
    uint8_t reads_per_plane;
    bool edges;            // some mask is not all ones
    bool block;            // datums share exponents
    bool small_output;     // an exponent section is reserved, BFP or not
    bool accumulate;       // Pack_L1_Acc
    bool header;           // one 16-byte unit is added for the tile header
    bool add_offset;       // TDMA-RISC's offset counts
    bool yz_transposed;
    bool doubtful;         // recorded undefined behaviour: what is packed is tainted
    bool nothing;          // no packer converts this pair of formats: nothing is packed
};

// Strides of the input and output address generators, in the units of the chip.
struct pack_strides {
    uint16_t x0, y0, z0, w0, y1, z1, w1;
};

// Operands whose modes are not there yet.
enum { PACK_UNBUILT_OPERANDS = 4 };
struct pack_unbuilt {
    enum tsr_operand_id operand;
    const char *what;
};
extern const struct pack_unbuilt tsr_pack_unbuilt[PACK_UNBUILT_OPERANDS];

struct pack_plan {
    bool made;
    uint32_t stamp;                  // of the making; jobs remember it
    uint32_t pack_generation, alu_generation;
    uint32_t unbuilt_bits;           // of the instruction word
    struct pack_shape shape;
    struct pack_strides strides;
    tsr_pack_fn *plain;
    tsr_pack_block_fn *blocks;
    tsr_merge_fn *merge;
};

// The work of one packer. Blackhole's one packer has a segment for each read interface.
struct pack_part {
    struct pack_shape shape;
    uint32_t stamp;
    uint32_t data_address, exponent_address; // L1 bytes; used if fresh
    bool fresh_data, fresh_exponents;
    bool tainted;
    uint8_t packer;
    uint8_t segments;
    uint16_t start[PACK_SEGMENTS]; // datum index in Dst: row * 16 + column
    uint16_t count;                // datums of each segment
};

struct pack_job {
    uint8_t parts;
    uint8_t state_id;
    uint8_t order; // of Dst's rows
    bool close; // Last or Flush: pad, write, and start afresh next time
    bool last;
    uint8_t headers, metadata; // a bit a packer: Add_tile_header_size, Enable_out_fifo
    struct pack_part part[TSR_PACKERS];
};
_Static_assert(sizeof(struct pack_job) <= TSR_JOB_BYTES, "a job fits its flight");

struct tsr_pack_plans {
    uint32_t stamp;
    struct pack_plan plan[2][TSR_PACKERS]; // by state ID and packer
};

// pack_plan.c. NULL: a finding stopped the tile.
const struct pack_plan *tsr_pack_plan_for(struct tsr_env *env, const struct tsr_flight *flight,
                                          int state_id, int packer);
struct pack_strides tsr_pack_strides(const struct tsr_env *env, int s);
// What addresses count for a datum of an input format.
static inline uint8_t tsr_pack_datum_bytes(uint32_t format)
{
    return (format & 3) == 0 ? 4 : (format & 3) == 1 ? 2 : 1;
}
// pack_wait.c: what the write-to-read rule of Dst says about the rows of a PACR at the gate.
tsr_reason tsr_pack_ready(struct tsr_env *env, const struct tsr_flight *flight);
// pack_address.c
unsigned tsr_pack_counters_of(const struct tsr_env *env, const struct tsr_flight *flight, int s,
                              int packer);
// First datum in Dst, as row * 16 + column, with the counters of channel 0.
uint16_t tsr_pack_input_start(const struct tsr_env *env, int s, int packer, uint8_t datum_bytes,
                              const struct pack_strides *stride, const tsr_adc_channel *adc);
// The start of each enabled read interface, from the first datum; returns how many.
unsigned tsr_pack_interfaces(const struct tsr_env *env, const struct tsr_flight *flight,
                             uint16_t first, uint16_t start[PACK_SEGMENTS]);
// False: a finding stopped the tile; nothing was changed.
bool tsr_pack_address(struct tsr_env *env, struct tsr_flight *flight, struct pack_job *job);
void tsr_pack_step_counters(struct tsr_env *env, const struct tsr_flight *flight,
                            const bool advance[TSR_THREADS]);
// The field of packer i's configuration, which lies in REG1 or REG8 of THCON_SEC0 or SEC1.
#define PACKER_FIELD(i, name)                                                                      \
    ((i) == 0   ? FIELD_THCON_SEC0_REG1_##name                                                     \
     : (i) == 1 ? FIELD_THCON_SEC0_REG8_##name                                                     \
     : (i) == 2 ? FIELD_THCON_SEC1_REG1_##name                                                     \
                : FIELD_THCON_SEC1_REG8_##name)
// pack_rows.c. False: a finding stopped the tile.
bool tsr_pack_part(struct tsr_env *env, const struct tsr_flight *flight, const struct pack_job *job,
                   const struct pack_part *part);
// pack_sizes.c
void tsr_pack_sample_sizes(const struct tsr_env *env, const struct tsr_flight *flight,
                           struct pack_job *job);
void tsr_pack_complete(struct tsr_env *env, struct tsr_flight *flight);
// pack_setreg.c: PACR_SETREG's moments, as in tsr_unit_ops.
bool tsr_pack_setreg_accept(struct tsr_env *env, struct tsr_flight *flight);
tsr_reason tsr_pack_setreg_execute(struct tsr_env *env, struct tsr_flight *flight);
void tsr_pack_setreg_explain(const struct tsr_flight *flight, char *what, size_t size);
// pack_unit.c: by thread order, the next PACR of this packer begins at new addresses.
void tsr_pack_end_sections(struct tsr_packer *packer);
// pack_stream.c
struct pack_sink {
    struct tsr_env *env;
    const struct tsr_flight *flight;
    tsr_merge_fn *merge; // NULL: plain stores
    uint8_t format, datum_bytes;
    bool overflowed;     // said once
};
void tsr_pack_place(struct tsr_pack_stream *stream, uint32_t address);
void tsr_pack_append(struct pack_sink *sink, struct tsr_pack_stream *stream, const uint8_t *bytes,
                     size_t size, bool tainted);
void tsr_pack_flush(struct pack_sink *sink, struct tsr_pack_stream *stream);
// pack_position.c: the edge masks of consecutive rows, and the tile position behind them.
uint16_t tsr_pack_edge_mask(const struct pack_shape *shape, const struct tsr_packer *packer,
                            unsigned rows_ahead);
void tsr_pack_step_datums(const struct pack_shape *shape, struct tsr_packer *packer,
                          unsigned datums);
void tsr_pack_step_interfaces(const struct pack_shape *shape, struct tsr_packer *packer,
                              unsigned interfaces);

#endif
