// SPDX-License-Identifier: Apache-2.0
// A second, slow model of PACR, written from the pages by someone who had not read the packers'
// code: datum by datum, one function a stage, no plans. It says what L1, the tile positions, the
// ADCs and everything that can be read back look like after each PACR of both chips.
// Pages: PACR.md of both chips, Packers/*.md and its diagram, Dst.md, ADCs.md, TDMA-RISC.md,
// SETDMAREG_Special.md; docs/decisions.md 8-13, 17, 18, 21, 27; docs/arithmetic.md, "Packing".
#ifndef TESTS_ORACLE_PACR_MODEL_H
#define TESTS_ORACLE_PACR_MODEL_H

#include "oracle/pacr_number.h"

#include <stdbool.h>
#include <stdint.h>

// ---------------------------------------------------------------- configuration

#define PACR_PACKER(name, field) PACR_K_##name,
#define PACR_PACKER_WH(name, field) PACR_K_##name,
#define PACR_PACKER_BH(name, field) PACR_K_##name,
#define PACR_COUNTER(name, field) PACR_K_##name,
#define PACR_CIRCLE(name, field) PACR_K_##name,
#define PACR_SHARED(name, field) PACR_S_##name,
#define PACR_SHARED_WH(name, field) PACR_S_##name,
#define PACR_GLOBAL(name, field) PACR_G_##name,
#define PACR_GLOBAL_BH(name, field) PACR_G_##name,
#define PACR_THREAD(name, field) PACR_T_##name,
enum pacr_k {
#define PACR_FIELDS_OF_PACKERS
#include "oracle/pacr_fields.h"
    PACR_K_COUNT
};
enum pacr_s {
#define PACR_FIELDS_SHARED
#include "oracle/pacr_fields.h"
    PACR_S_COUNT
};
enum pacr_g {
#define PACR_FIELDS_GLOBAL
#include "oracle/pacr_fields.h"
    PACR_G_COUNT
};
enum pacr_t {
#define PACR_FIELDS_OF_THREADS
#include "oracle/pacr_fields.h"
    PACR_T_COUNT
};
#undef PACR_PACKER
#undef PACR_PACKER_WH
#undef PACR_PACKER_BH
#undef PACR_COUNTER
#undef PACR_CIRCLE
#undef PACR_SHARED
#undef PACR_SHARED_WH
#undef PACR_GLOBAL
#undef PACR_GLOBAL_BH
#undef PACR_THREAD

enum { PACR_PACKERS = 4, PACR_MOD_FIELDS = 10, PACR_L1_MAX = 1536 * 1024 };

struct pacr_config {
    uint32_t packer[2][PACR_PACKERS][PACR_K_COUNT]; // by bank
    uint32_t shared[2][PACR_S_COUNT];
    uint32_t row_map[2][4], face_map[2][4]; // sixteen entries of two bits each
    uint32_t dst_offset[PACR_PACKERS], z_offset[PACR_PACKERS], descale[16];
    uint32_t global[PACR_G_COUNT];
    uint32_t thread[3][PACR_T_COUNT];
};

// Counters 0: Dst, 1: L1.
struct pacr_adc {
    uint32_t x, x_cr, y, y_cr, z, z_cr, w, w_cr;
};

struct pacr_word {
    bool last, flush, concat, ovrd, zero_write, strided;
    uint8_t select; // PackerMask, or ReadIntfSel
    uint8_t addr_mod, adc;
    uint8_t row_pad, ctxt_ctrl, cfg_context;
};

// ---------------------------------------------------------------- state

struct pacr_stream {
    uint8_t id;
    bool placed;
    uint32_t address; // of the next line
    uint8_t line[16];
    unsigned bits;  // in use
    unsigned lines; // written since it was placed
};

enum { PACR_FIFO = 4, PACR_ROW_MAX = 4096 };

struct pacr_packer {
    const uint32_t *own; // configuration of the PACR that is at work
    bool compresses;     // as it says
    unsigned format;
    struct pacr_stream data, exponents, row_starts;
    uint32_t group[16]; // datums of a block format that wait for their exponent
    unsigned group_count;
    // Compression: the row that is open, and the augmented datums of the tile.
    uint32_t row[PACR_ROW_MAX];
    unsigned row_count, rows, augmented;
    bool row_open;
    uint8_t counts[32];
    unsigned packed; // datums since the streams were placed
    uint32_t x, y, z;
    uint16_t l1_dest_offset, last_size, acc_size[3];
    uint8_t last_thread;
    uint32_t zero_flags;
    uint8_t histogram[32], max_exponent;
    unsigned fifo_count;
    struct {
        uint16_t size;
        uint32_t zero_flags;
    } fifo[PACR_FIFO];
};

// Deliberate mistakes: the comparison has to find each of them.
enum pacr_fault {
    PACR_FAULT_NONE,
    PACR_FAULT_COLUMN,   // edge masks by a datum's number instead of its column
    PACR_FAULT_ROUND,    // blocks cut their magnitudes instead of rounding them
    PACR_FAULT_WRAP,     // circular output wraps at the limit, not past it
    PACR_FAULT_FLUSH,    // Flush steps no counters
    PACR_FAULT_CARRIAGE, // carriage returns forget the old value
    PACR_FAULT_TIE,      // accumulation rounds ties away from even
    PACR_FAULT_SIZE,     // Last does not add the header
    PACR_FAULT_OFFSET,   // TDMA's offset goes to packer 0 alone
    PACR_FAULT_POSITION, // the tile position starts again after its limit
    PACR_FAULT_END,      // L1 goes on from its beginning after its end
    PACR_FAULT_COUNT
};

struct pacr_undo {
    uint32_t address;
    uint8_t stream; // packer and kind of stream, or PACR_READER
    uint8_t old[16];
};

enum { PACR_UNDO_MAX = 65536, PACR_READER = 15 };

struct pacr_model {
    bool blackhole;
    enum pacr_fault fault;
    struct pacr_config config;
    struct pacr_adc adc[3][2];
    uint16_t dst[1024][16];
    bool dst_valid[1024];
    struct pacr_packer packer[PACR_PACKERS];
    uint8_t *l1;
    uint32_t l1_size;
    // Every line that was written, so that a case can be taken back and looked over.
    struct pacr_undo *undo;
    unsigned undone;
    unsigned context, planes;           // Blackhole: the tracked context, and its planes so far
    bool writes_past_l1, reads_past_l1; // of the newest PACR
    const char *undefined;              // what the pages do not define; such a case is not compared
};

void pacr_execute(struct pacr_model *m, int thread, const struct pacr_word *word);
void pacr_take_back(struct pacr_model *m); // L1, as it was at the last pacr_forget()
void pacr_forget(struct pacr_model *m);

// Where a PACR would begin in Dst, and what the counters add to its address in L1.
uint32_t pacr_first_row(const struct pacr_model *m, int thread, const struct pacr_word *word,
                        unsigned which);
// The section of configuration that packer `which` of the PACR takes.
unsigned pacr_section(const struct pacr_model *m, const struct pacr_word *word, unsigned which);
uint32_t pacr_l1_steps(const struct pacr_model *m, int thread, const struct pacr_word *word,
                       unsigned which);

// What is read back. `values` are the four words of SETDMAREG_Special.md.
void pacr_special(struct pacr_model *m, int thread, unsigned source, unsigned which,
                  uint32_t values[4]);
void pacr_clear_histograms(struct pacr_model *m);
void pacr_tdma_store(struct pacr_model *m, uint32_t value);
uint32_t pacr_tdma_load(struct pacr_model *m, uint32_t offset);

const char *pacr_fault_name(enum pacr_fault fault);

// The first thing that the pages do not define is what is reported.
static inline void pacr_undefined(struct pacr_model *m, const char *what)
{
    if (!m->undefined)
        m->undefined = what;
}

#endif
