// SPDX-License-Identifier: Apache-2.0
// A second model of the vector unit, written from the pages by someone who had not read the unit's
// code: lane by lane, one function an instruction, a cycle at a time. It says what LRegs, lane
// flags, their stack, LaneConfig, SFPLOADMACRO's state, the PRNG, RWCs and Dst look like after each
// instruction of both chips, and which programs the pages leave undefined.
// Pages: VectorUnit.md, LReg.md, every SFP*.md of both chips, RWCs.md, Dst.md of both chips;
// docs/arithmetic.md, "Vector unit".
#ifndef TESTS_ORACLE_SFPU_MODEL_H
#define TESTS_ORACLE_SFPU_MODEL_H

#include "oracle/sfpu_word.h"

enum { SFPU_LANES = 32, SFPU_LREGS = 17, SFPU_STACK = 8, SFPU_DST_ROWS = 1024, SFPU_MODS = 8 };

// LaneConfig (SFPCONFIG.md).
enum {
    SFPU_FP16A_INF = 1u << 0,
    SFPU_NO_BACKDOOR = 1u << 1,
    SFPU_DEST_INDEX = 1u << 2,
    SFPU_CAPTURE_INDEX = 1u << 3,
    SFPU_BLOCK_WRITE = 1u << 4,
    SFPU_BLOCK_READ = 1u << 5,
    SFPU_READ_ODD = 1u << 6,
    SFPU_WRITE_ODD = 1u << 7,
    SFPU_EXCHANGE = 1u << 8,
    SFPU_ROW_MASK = 12 // first of four bits
};

// What the pages read of the configuration.
struct sfpu_addr_mod {
    uint8_t srca_incr, srca_cr, srca_clear, srcb_incr, srcb_cr, srcb_clear;
    uint16_t dst_incr;
    uint8_t dst_cr, dst_c_to_cr, dst_clear, fidelity_incr, fidelity_clear, bias_incr, bias_clear;
};

struct sfpu_config {
    struct {
        uint8_t fp32, srcb, override, override_srcb; // SFPU_Fp32_enabled; formats
        uint16_t sp_base;                            // Blackhole
    } bank[2];
    struct {
        uint8_t bank, mod_set;
        uint16_t offset;           // DEST_TARGET_REG_CFG_MATH_Offset
        uint8_t format_on, format; // SFPU_DEST_FMT, Blackhole
        uint16_t stack_incr;       // Blackhole
        struct sfpu_addr_mod mod[SFPU_MODS];
    } thread[3];
    uint8_t remap, swizzle; // Blackhole
};

struct sfpu_rwc {
    uint16_t dst, dst_cr, sp;
    uint8_t srca, srca_cr, srcb, srcb_cr, fidelity, extra;
};

// Deliberate mistakes: the comparison has to find each of them.
#define SFPU_FAULTS(X)                                                                             \
    X(STICKY, "a shift of the product forgets what it lost")                                       \
    X(TIE, "sums are rounded away from even")                                                      \
    X(ZERO_SIGN, "a sum of zero has the product's sign")                                           \
    X(LUT_EDGE, "SFPLUT's second range has its upper end")                                         \
    X(ROTATE, "SFPSHFT2 rotates left")                                                             \
    X(TRANSPOSE, "SFPTRANSP predicates by the lane that it reads")                                 \
    X(SWAP_TIE, "SFPSWAP leaves equal values")                                                     \
    X(COMPLEMENT, "SFPCOMPC ignores the stack's top")                                              \
    X(PRNG, "the PRNG of disabled lanes steps")                                                    \
    X(ROUND, "SFPSTOCHRND rounds up above, not from, its bits")                                    \
    X(ROW_MASK, "ROW_MASK is not looked at")                                                       \
    X(COLUMN, "stores exchange columns where loads do")                                            \
    X(CARRIAGE, "AddrMod forgets the carriage return")                                             \
    X(INT8, "SFPLOAD INT8 takes a bit less")                                                       \
    X(BROADCAST, "SFPCONFIG takes a lane of its own row")                                          \
    X(DELAY, "a macro's round is a cycle late")                                                    \
    X(KEEP, "a macro's store does not replace the one before it")                                  \
    X(STAGING, "a macro's result goes to the loaded register")

enum sfpu_fault {
    SFPU_FAULT_NONE,
#define X(name, text) SFPU_FAULT_##name,
    SFPU_FAULTS(X)
#undef X
        SFPU_FAULT_COUNT
};

struct sfpu_planned {
    bool used, by_instructions; // delay kind
    uint8_t delay;
    struct sfpu_insn insn;
};

enum { SFPU_PLANNED = 8 };

// Results on their way: they are in LReg at the end of this cycle, or of the next.
struct sfpu_staged {
    uint32_t value[SFPU_LREGS][SFPU_LANES];
    uint32_t lanes[SFPU_LREGS];
    uint8_t owner[SFPU_LREGS][SFPU_LANES];
};

struct sfpu_model {
    const struct sfpu_words *words;
    bool blackhole;
    enum sfpu_fault fault;
    bool strict; // modifiers that no page gives a meaning are undefined
    struct sfpu_config config;
    struct sfpu_rwc rwc[3];

    uint32_t lreg[SFPU_LREGS][SFPU_LANES];
    uint32_t staging_written; // lanes of LReg 16
    bool flags[SFPU_LANES], uses_flags[SFPU_LANES];
    struct {
        bool flags, uses_flags;
    } stack[SFPU_STACK][SFPU_LANES];
    uint8_t depth[SFPU_LANES];
    uint32_t lane_config[SFPU_LANES];
    struct {
        uint32_t instruction[4], sequence[4];
        uint16_t misc;
    } macro[SFPU_LANES];
    uint32_t prng[SFPU_LANES];
    uint32_t rotated[SFPU_LANES]; // what the last rotation read: Wormhole's mistake
    bool rotated_known;

    uint16_t dst[SFPU_DST_ROWS][16];

    struct sfpu_planned planned[SFPU_UNIT_LOAD][SFPU_PLANNED];
    struct sfpu_staged soon, late;

    // Within a cycle: what every instruction of it sees, and who uses what.
    bool enabled[SFPU_LANES];
    uint8_t now;                   // of the instructions in this cycle, from 1
    uint32_t wrote, swaps;         // registers
    uint32_t drew, draws;          // lanes: other instructions took random values, this one does
    bool runs[SFPU_UNIT_COUNT];    // what does not do nothing
    bool staging[SFPU_UNIT_COUNT]; // its VD is LReg 16
    bool swapped, rotates;
    uint16_t loads, stores; // 1 + first row, or 0
    bool loads_wide, stores_wide;
    // Of the cycle before.
    bool after_swap, after_rotation, after_mad, after_config;
    bool holds;          // what was given holds the next one for a cycle
    bool planned_before; // something was, when it was given

    uint64_t executed, discarded; // instructions
    uint32_t scheduled[SFPU_OP_COUNT];
    const char *undefined; // the first thing that the pages do not define
};

void sfpu_model_reset(struct sfpu_model *m, const struct sfpu_words *words);
void sfpu_model_seed(struct sfpu_model *m, uint32_t seed); // as a write of PRNG_SEED
// One instruction of a thread, with the cycles for which the unit holds it.
void sfpu_model_issue(struct sfpu_model *m, int thread, uint32_t word);
// Cycles without an instruction, until nothing is left that they can move.
void sfpu_model_idle(struct sfpu_model *m);
bool sfpu_model_plans(const struct sfpu_model *m); // a macro has something outstanding
const char *sfpu_fault_text(unsigned fault);

// ---------------------------------------------------------------- for the model's own files

static inline void sfpu_undefined(struct sfpu_model *m, const char *what)
{
    if (!m->undefined)
        m->undefined = what;
}

static inline uint32_t sfpu_get(struct sfpu_model *m, unsigned reg, unsigned lane)
{
    if (m->soon.lanes[reg] >> lane & 1 && m->soon.owner[reg][lane] == 0) {
        sfpu_undefined(m, "a result is read a cycle early");
        return m->soon.value[reg][lane]; // what the vendor's simulator has
    }
    if (reg == 16 && !(m->staging_written >> lane & 1))
        sfpu_undefined(m, "LReg 16 is read before it is written");
    return m->lreg[reg][lane];
}

void sfpu_put(struct sfpu_model *m, unsigned reg, unsigned lane, uint32_t value, bool late);
uint32_t sfpu_random(struct sfpu_model *m, unsigned lane);
bool sfpu_rows_meet(const struct sfpu_model *m);
bool sfpu_runs(const struct sfpu_model *m, const struct sfpu_insn *i, unsigned lane);

uint32_t sfpu_fma_wh(uint32_t x, uint32_t y, uint32_t z, enum sfpu_fault fault);
uint32_t sfpu_fma_bh(uint32_t x, uint32_t y, uint32_t z, enum sfpu_fault fault);
uint32_t sfpu_mul24(uint32_t a, uint32_t b, uint32_t c, bool upper);
uint32_t sfpu_int_to_float(uint32_t c, int random); // -1: nearest
uint32_t sfpu_float_to_float(uint32_t c, bool to_bf16, uint32_t bits, bool above);
uint32_t sfpu_float_to_int(uint32_t c, bool sign, uint32_t max, uint32_t bits, bool above);
uint32_t sfpu_int_to_int(uint32_t c, bool sign, unsigned shift, uint32_t bits, bool above);
uint32_t sfpu_lut8(uint32_t x);
uint32_t sfpu_lut16(uint32_t x);
uint32_t sfpu_reciprocal(uint32_t x);
uint32_t sfpu_exponential(uint32_t x);
bool sfpu_smaller(uint32_t c, uint32_t d); // sign and magnitude

void sfpu_simple(struct sfpu_model *m, const struct sfpu_insn *i);
void sfpu_flags(struct sfpu_model *m, const struct sfpu_insn *i);
void sfpu_mad(struct sfpu_model *m, const struct sfpu_insn *i);
void sfpu_round(struct sfpu_model *m, const struct sfpu_insn *i);
void sfpu_config_write(struct sfpu_model *m, const struct sfpu_insn *i);
void sfpu_load(struct sfpu_model *m, const struct sfpu_insn *i, uint16_t *address);
void sfpu_load_immediate(struct sfpu_model *m, const struct sfpu_insn *i);
void sfpu_store(struct sfpu_model *m, const struct sfpu_insn *i);
void sfpu_plan(struct sfpu_model *m, const struct sfpu_insn *i, uint16_t address);

#endif
