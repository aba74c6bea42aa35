// SPDX-License-Identifier: Apache-2.0
// Refuses malformed rows of machine/ when the library is built. Nothing calls its one function.
// tests/tables/test_refuse_rows.sh compiles this file against rows that must be refused.
#include "isa/isa.h"

#ifndef TSR_INSTRUCTION_ROWS
#define TSR_INSTRUCTION_ROWS "machine/instructions.def"
#endif
#ifndef TSR_OPERAND_ROWS
#define TSR_OPERAND_ROWS "machine/operands.def"
#endif
#ifndef TSR_FIELD_ROWS
#define TSR_FIELD_ROWS "machine/config_fields.def"
#endif
#ifndef TSR_TIMING_ROWS
#define TSR_TIMING_ROWS "machine/timing.def"
#endif

// Macros of rows are laid out as tables.
// clang-format off
#define REQUIRE(condition, text) _Static_assert(condition, text);
#define MASK(first, width) (((1u << (width)) - 1u) << (first))

// ---------------------------------------------------------------- instructions

// An operand's name is an identifier: it can be that of a member.
struct tsr_row_checks_operands {
#define OPERAND(name) char name;
#include TSR_OPERAND_ROWS
};

// Each operand lies within the 24 bits below the opcode.
#define OP(name, first, width)                                                             \
    REQUIRE(OPERAND_##name < OPERAND_COUNT, "operands.def does not have " #name)           \
    REQUIRE((width) >= 1, "operand " #name " has no bits")                                 \
    REQUIRE((first) >= 0 && (first) + (width) <= 24, "operand " #name " reaches the opcode")
#define OPX(name, first, width) OP(name, first, width)
#define WH(...) __VA_ARGS__
#define BH(...) __VA_ARGS__
#define WH_PLAIN
#define BH_PLAIN
#define WH_NONE
#define BH_NONE
#define INSN(mnemonic, opcode, unit, implemented, note, page, wh, bh)                  \
    wh bh REQUIRE((opcode) > 0 && (opcode) <= 0xff, #mnemonic "'s opcode is no byte")  \
    REQUIRE(ISSUE_##unit < ISSUE_COUNT, "no such unit")                                \
    REQUIRE(TSR_IMPLEMENTED_##implemented >= 0, "no such state")                       \
    REQUIRE(sizeof page > 1, #mnemonic " cites no page")                               \
    REQUIRE((sizeof note == 1) == (TSR_IMPLEMENTED_##implemented == TSR_IMPLEMENTED_FULL), \
            #mnemonic ": a note, and only then, if something is missing")
#include TSR_INSTRUCTION_ROWS

// No two operands of an instruction share a bit: then the sum of their masks is their union. Nor
// may there be more of them than a tsr_instruction_info holds.
enum {
#define OP(name, first, width) +MASK(first, width)
#define INSN(mnemonic, opcode, unit, implemented, note, page, wh, bh) \
    WH_SUM_##mnemonic = wh, BH_SUM_##mnemonic = bh,
#include "isa/operand_sums.inc"
#define OP(name, first, width) | MASK(first, width)
#define INSN(mnemonic, opcode, unit, implemented, note, page, wh, bh) \
    WH_UNION_##mnemonic = wh, BH_UNION_##mnemonic = bh,
#include "isa/operand_sums.inc"
#define OP(name, first, width) +1
#define INSN(mnemonic, opcode, unit, implemented, note, page, wh, bh) \
    WH_COUNT_##mnemonic = wh, BH_COUNT_##mnemonic = bh,
#include "isa/operand_sums.inc"
};
#define INSN(mnemonic, opcode, unit, implemented, note, page, wh, bh)                           \
    REQUIRE((int)WH_SUM_##mnemonic == (int)WH_UNION_##mnemonic,                                 \
            #mnemonic "'s operands overlap on Wormhole")                                        \
    REQUIRE((int)BH_SUM_##mnemonic == (int)BH_UNION_##mnemonic,                                 \
            #mnemonic "'s operands overlap on Blackhole")                                       \
    REQUIRE((int)WH_COUNT_##mnemonic <= TSR_MAX_OPERANDS, #mnemonic " has too many operands")   \
    REQUIRE((int)BH_COUNT_##mnemonic <= TSR_MAX_OPERANDS, #mnemonic " has too many operands")
#include TSR_INSTRUCTION_ROWS

// Two equal opcodes are two equal case labels.
int tsr_row_checks_opcode(unsigned opcode);
int tsr_row_checks_opcode(unsigned opcode)
{
    switch (opcode) {
#define INSN(mnemonic, opcode, unit, implemented, note, page, wh, bh) \
    case opcode:                                                      \
        return opcode;
#include TSR_INSTRUCTION_ROWS
    default:
        return -1;
    }
}

// ---------------------------------------------------------------- configuration

enum {
#define LAYOUT(name, wh, bh) WH_##name = (wh), BH_##name = (bh),
#include "machine/config_layout.def"
};

// First word of each section, and the word after it.
#define SECTIONS(chip)                                                        \
    enum {                                                                    \
        chip##_FROM_THREAD = 0,                                               \
        chip##_TO_THREAD = chip##_thread_words,                               \
        chip##_FROM_ALU = chip##_alu_base,                                    \
        chip##_TO_ALU = chip##_pack0_base,                                    \
        chip##_FROM_PACK0 = chip##_pack0_base,                                \
        chip##_TO_PACK0 = chip##_unpack0_base,                                \
        chip##_FROM_UNPACK0 = chip##_unpack0_base,                            \
        chip##_TO_UNPACK0 = chip##_unpack1_base,                              \
        chip##_FROM_UNPACK1 = chip##_unpack1_base,                            \
        chip##_TO_UNPACK1 = chip##_thcon_base,                                \
        chip##_FROM_THCON = chip##_thcon_base,                                \
        chip##_TO_THCON = chip##_global_base,                                 \
        chip##_FROM_GLOBAL = chip##_global_base,                              \
        chip##_TO_GLOBAL = chip##_banked_words                                \
    };
SECTIONS(WH)
SECTIONS(BH)

enum {
    IS_GLOBAL_THREAD = 0, IS_GLOBAL_ALU = 0, IS_GLOBAL_PACK0 = 0, IS_GLOBAL_UNPACK0 = 0,
    IS_GLOBAL_UNPACK1 = 0, IS_GLOBAL_THCON = 0, IS_GLOBAL_GLOBAL = 1,
    IS_THREAD_THREAD = 1, IS_THREAD_ALU = 0, IS_THREAD_PACK0 = 0, IS_THREAD_UNPACK0 = 0,
    IS_THREAD_UNPACK1 = 0, IS_THREAD_THCON = 0, IS_THREAD_GLOBAL = 0,
    WORD_BITS_THREAD = 16, WORD_BITS_BANKED = 32, WORD_BITS_UNBANKED = 32
};

// A field lies within a word of its section, or is a descriptor of four whole words; words that
// exist once are those of GLOBAL, and thread scope is the section THREAD.
#define FIELD_ROW(chip, scope, addr32, first, width, section)                                   \
    REQUIRE((width) >= 1, "a field has no bits")                                                \
    REQUIRE((first) >= 0 && ((first) + (width) <= WORD_BITS_##scope ||                          \
                             ((first) == 0 && (width) == 128 && IS_THREAD_##section == 0)),     \
            "a field leaves its word")                                                          \
    REQUIRE((addr32) >= chip##_FROM_##section &&                                                \
                (addr32) + ((width) + 31) / 32 <= chip##_TO_##section,                          \
            "a field leaves its section")                                                       \
    REQUIRE((TSR_SCOPE_##scope == TSR_SCOPE_UNBANKED) == IS_GLOBAL_##section,                   \
            "a field's scope is not that of its section")                                       \
    REQUIRE((TSR_SCOPE_##scope == TSR_SCOPE_THREAD) == IS_THREAD_##section,                     \
            "a field's scope is not that of its section")
#define WH(scope, addr32, first, width, section) \
    FIELD_ROW(WH, scope, addr32, first, width, section)
#define BH(scope, addr32, first, width, section) \
    FIELD_ROW(BH, scope, addr32, first, width, section)
#define WH_NONE
#define BH_NONE
#define CFG(name, wh, bh, group, implemented, page)                       \
    wh bh REQUIRE(PLAN_##group < PLAN_COUNT, "no such plan group")        \
    REQUIRE(TSR_IMPLEMENTED_##implemented >= 0, "no such state")
#include TSR_FIELD_ROWS

// ---------------------------------------------------------------- timing

// A cost of 0 lets a unit take one instruction of each thread in one cycle: only the configuration
// unit does, which has rules of its own.
enum {
#define WH(...) 0
#define BH(...) 0
#define WH_PLAIN 0
#define BH_PLAIN 0
#define WH_NONE 0
#define BH_NONE 0
#define INSN(mnemonic, opcode, unit, implemented, note, page, wh, bh) \
    LEAST_##mnemonic = ISSUE_##unit == ISSUE_CONFIG ? 0 : 1,
#include "machine/instructions.def"
};
#define COST(mnemonic, wh_issue, wh_latency, bh_issue, bh_latency, source)                      \
    REQUIRE((wh_issue) >= LEAST_##mnemonic && (wh_issue) <= 255 &&                              \
                (bh_issue) >= LEAST_##mnemonic && (bh_issue) <= 255,                            \
            #mnemonic "'s issue cost is out of range")                                          \
    REQUIRE((wh_latency) >= (wh_issue) && (wh_latency) <= 255 && (bh_latency) >= (bh_issue) &&  \
                (bh_latency) <= 255,                                                            \
            #mnemonic " is ready before its unit is")                                           \
    REQUIRE(sizeof source > 1, #mnemonic "'s cost cites no source")
#define SPEED_X1 1
#define SPEED_X2 2
#define SPEED_X4 4
#define UNPACK_SHARE(want0, want1, get0, get1, source)                                          \
    REQUIRE(SPEED_##get0 <= SPEED_##want0 && SPEED_##get1 <= SPEED_##want1,                     \
            "an unpacker gets more than " #want0 ", " #want1)                                   \
    REQUIRE(sizeof source > 1, "the share of " #want0 ", " #want1 " cites no source")
#include TSR_TIMING_ROWS

// Figures that have a COST and a RATE agree, and what keeps others out for so many cycles stays in
// its unit for as long: gates look at what is in flight.
enum {
#define COST(mnemonic, wh_issue, wh_latency, bh_issue, bh_latency, source)        \
    WH_ISSUE_##mnemonic = wh_issue, WH_LATENCY_##mnemonic = wh_latency,           \
    BH_ISSUE_##mnemonic = bh_issue, BH_LATENCY_##mnemonic = bh_latency,
#define RATE(name, wh, bh, source) WH_RATE_##name = wh, BH_RATE_##name = bh,
#include "machine/timing.def"
};
#define SAME(mnemonic, rate)                                                                  \
    REQUIRE((int)WH_ISSUE_##mnemonic == WH_RATE_##rate &&                                     \
                (int)BH_ISSUE_##mnemonic == BH_RATE_##rate,                                   \
            #mnemonic " has two costs")
#define STAYS(mnemonic, more, rate)                                                           \
    REQUIRE((int)WH_LATENCY_##mnemonic >= WH_RATE_##rate + (more) &&                          \
                (int)BH_LATENCY_##mnemonic >= BH_RATE_##rate + (more),                        \
            #mnemonic " is gone before " #rate " is over")
SAME(MOP, EXPAND_CYCLES)
SAME(MOP_CFG, EXPAND_CYCLES)
SAME(REPLAY, EXPAND_CYCLES)
SAME(UNPACR, UNPACK_ADDRESS_CYCLES)
STAYS(MOVD2A, 1, MATRIX_MOVD2A_HOLD)
STAYS(MOVB2A, 1, MATRIX_MOVD2A_HOLD)
STAYS(MOVD2B, 1, MATRIX_MOVD2B_HOLD)
STAYS(MOVA2D, 1, MATRIX_MOVX2D_HOLD)
STAYS(MOVB2D, 1, MATRIX_MOVX2D_HOLD)
STAYS(WRCFG, 1, WRCFG_LEAD)
STAYS(STREAMWRCFG, 1, STREAMWRCFG_LEAD)
STAYS(CFGSHIFTMASK, 0, CFGSHIFTMASK_CYCLES)
