// SPDX-License-Identifier: Apache-2.0
// The instruction set and the configuration layout of a chip as constant tables, all of them
// derived from the rows in machine/: nothing here is set up at run time.
// Pages: STALLWAIT.md (block bits, conditions), BackendConfiguration.md (layout), and those that
// the rows name.
#ifndef TESSERA_ISA_ISA_H
#define TESSERA_ISA_ISA_H

#include <tessera/tessera.h>

// ---------------------------------------------------------------- enumerators

// OP_NONE is 0, so a zeroed record holds no instruction. OP_COUNT counts it.
enum tsr_op {
    OP_NONE = 0,
#define INSN(mnemonic, opcode, unit, implemented, note, page, wh, bh) OP_##mnemonic,
#include "machine/instructions.def"
    OP_COUNT
};

enum tsr_operand_id {
#define OPERAND(name) OPERAND_##name,
#include "machine/operands.def"
    OPERAND_COUNT
};

// In the order of strcmp() on the fields' names.
enum tsr_field {
#define CFG(name, wh, bh, group, implemented, page) FIELD_##name,
#include "machine/config_fields.def"
    FIELD_COUNT
};

enum tsr_plan_group {
    PLAN_NONE, // addresses, offsets, counters: inputs of an execution
    PLAN_UNPACK0,
    PLAN_UNPACK1,
    PLAN_PACK,
    PLAN_ALU, // also read by unpackers and packers
    PLAN_RWC,
    PLAN_COUNT
};

// UNPACKER stands for both; tsr_unit_of() tells them apart.
enum tsr_issue_unit {
    ISSUE_FRONTEND,
    ISSUE_UNPACKER,
    ISSUE_MATRIX,
    ISSUE_VECTOR,
    ISSUE_PACKER,
    ISSUE_SCALAR,
    ISSUE_CONFIG,
    ISSUE_SYNC,
    ISSUE_MISC,
    ISSUE_MOVER,
    ISSUE_COUNT
};

// What a STALLWAIT can wait for; the bit of each differs between the chips.
enum tsr_condition {
#define CONDITION(name, wh, bh, text) CONDITION_##name,
#include "machine/waits.def"
    CONDITION_COUNT,
    CONDITION_ABSENT = 0xff
};

// Bits of a SEMWAIT's condition mask (SEMWAIT.md).
enum { TSR_SEMWAIT_WHILE_ZERO = 1, TSR_SEMWAIT_WHILE_MAXIMUM = 2 };
enum { TSR_CORE_TENSIX = TSR_CORE_NC + 1, TSR_CORE_NOC = TSR_CORE_NC + 2 };
enum { TSR_BLOCK_BITS = 9, TSR_CONDITION_BITS = 16 };

enum tsr_region_id {
#define REGION(name, wh, bh, page) REGION_##name,
#include "machine/addresses.def"
    REGION_COUNT
};

enum tsr_depth {
#define DEPTH(name, value, source) DEPTH_##name = (value),
#include "machine/timing.def"
};

enum tsr_rate {
#define RATE(name, wh, bh, source) RATE_##name,
#include "machine/timing.def"
    RATE_COUNT
};

// Speeds at which an unpacker fetches from L1.
enum tsr_unpack_speed { UNPACK_X1, UNPACK_X2, UNPACK_X4, UNPACK_SPEEDS };

// ---------------------------------------------------------------- tables

// The speeds of unpackers 0 and 1.
struct tsr_unpack_share {
    uint8_t get[2]; // enum tsr_unpack_speed
};
// By what both want while both fetch.
extern const struct tsr_unpack_share tsr_unpack_shares[UNPACK_SPEEDS][UNPACK_SPEEDS];

// The parts of the vector unit that work side by side (VectorUnit.md). SFPLOADMACRO schedules
// instructions for all but the first.
enum tsr_sub_unit {
    TSR_SUB_LOAD,
    TSR_SUB_SIMPLE,
    TSR_SUB_MAD,
    TSR_SUB_ROUND,
    TSR_SUB_STORE,
    TSR_SUB_UNITS
};

// What moves whole rows to and from L1.
enum tsr_l1_client {
    TSR_L1_UNPACKER0,
    TSR_L1_UNPACKER1,
    TSR_L1_PACKER0,
    TSR_L1_PACKER1,
    TSR_L1_PACKER2,
    TSR_L1_PACKER3,
    TSR_L1_MOVER_READ,
    TSR_L1_MOVER_WRITE,
    TSR_L1_CLIENTS
};

// Two clients of L1 that may share a port.
struct tsr_l1_port {
    uint8_t client[2]; // enum tsr_l1_client
    bool shared;
};
enum {
    TSR_L1_SHARED_PORTS = 0
#define SHARED_PORT(one, other, wh, bh, source) +1
#include "machine/timing.def"
};

struct tsr_operand_place {
    uint8_t first_bit;
    uint8_t width; // 0: the instruction has no such operand
};

struct tsr_field_place {
    uint16_t addr32;
    uint8_t first_bit;
    uint8_t width; // 0: the chip has no such field; 128: a whole TileDescriptor
    uint8_t scope; // tsr_field_scope
    uint8_t group; // tsr_plan_group
};

// Sizes in words and section bases of the backend configuration.
struct tsr_layout {
    uint16_t banked_words; // of one bank, with the words that exist once
    uint16_t thread_words;
    uint16_t thread_stride; // bytes in the cores' window
    uint16_t alu_base, pack0_base, unpack0_base, unpack1_base, thcon_base, global_base;
};

struct tsr_region {
    const char *name;
    uint32_t base;
    uint32_t size; // 0: the chip has no such region
    uint8_t cores; // a bit for each tsr_core that sees it, TSR_CORE_TENSIX and TSR_CORE_NOC
    const char *page;
};

// Whether the write-to-read rule of Dst holds an instruction, and moves to Dst, too.
enum tsr_dst_reader { TSR_DST_READER_NO, TSR_DST_READER, TSR_DST_READER_AFTER_MOVES };

struct tsr_isa {
    tsr_arch arch;
    uint8_t op_of_opcode[256];    // OP_NONE if the chip has no such instruction
    uint32_t used_bits[OP_COUNT]; // all operand bits
    struct tsr_operand_place operand[OP_COUNT][OPERAND_COUNT];
    uint8_t issue_unit[OP_COUNT];  // tsr_issue_unit
    uint8_t implemented[OP_COUNT]; // tsr_implemented
    uint16_t block_bits[OP_COUNT]; // which block bits hold it at the gate; see tsr_blocked()
    uint8_t issue_cycles[OP_COUNT];
    uint8_t latency[OP_COUNT];
    uint8_t dst_reader[OP_COUNT]; // tsr_dst_reader
    uint8_t sub_unit[OP_COUNT];   // tsr_sub_unit; 0 where it is not the vector unit's
    struct tsr_l1_port shared_port[TSR_L1_SHARED_PORTS];
    struct tsr_field_place field[FIELD_COUNT];
    struct tsr_layout layout;
    uint8_t condition_bit[CONDITION_COUNT]; // CONDITION_ABSENT if the chip has no such bit
    // By bit, and 1 more, since 0 is a bit without meaning: use tsr_condition_of_bit().
    uint8_t condition_at[TSR_CONDITION_BITS + CONDITION_COUNT];
    uint16_t default_conditions; // of a STALLWAIT whose condition mask is 0
    uint16_t default_block;      // of a wait whose block mask is 0
    uint16_t nop_block;          // a NOP is held by a mask with all of these
    struct tsr_region region[REGION_COUNT];
    uint16_t rate[RATE_COUNT];
};

const struct tsr_isa *tsr_isa(tsr_arch arch);

// ---------------------------------------------------------------- look-up

static inline enum tsr_op tsr_op_of(const struct tsr_isa *isa, uint32_t word)
{
    return (enum tsr_op)isa->op_of_opcode[word >> 24];
}

// The operand's value; 0 if this chip's instruction does not have it.
static inline uint32_t tsr_operand(const struct tsr_isa *isa, enum tsr_op op, uint32_t word,
                                   enum tsr_operand_id id)
{
    struct tsr_operand_place place = isa->operand[op][id];
    return (word >> place.first_bit) & ((1u << place.width) - 1u);
}

// Bits below the opcode that no operand owns.
static inline uint32_t tsr_reserved_bits(const struct tsr_isa *isa, enum tsr_op op, uint32_t word)
{
    return word & 0x00ffffffu & ~isa->used_bits[op];
}

// Whether the latched block mask holds the instruction (STALLWAIT.md).
static inline bool tsr_blocked(const struct tsr_isa *isa, enum tsr_op op, uint32_t block_mask)
{
    if (op == OP_NOP)
        return (block_mask & isa->nop_block) == isa->nop_block;
    return (block_mask & isa->block_bits[op]) != 0;
}

// The unit that a word goes to; false for what the frontend keeps.
bool tsr_unit_of(const struct tsr_isa *isa, uint32_t word, tsr_unit *unit);
// What bit `bit` of a STALLWAIT's condition mask asks; CONDITION_ABSENT for a bit without meaning.
static inline enum tsr_condition tsr_condition_of_bit(const struct tsr_isa *isa, unsigned bit)
{
    unsigned one_more = bit < TSR_CONDITION_BITS ? isa->condition_at[bit] : 0;
    return one_more ? (enum tsr_condition)(one_more - 1) : CONDITION_ABSENT;
}
const char *tsr_condition_text(enum tsr_condition condition);
// A mask with the names that programs have for its bits: "p_stall.UNPACK|p_stall.MATH".
void tsr_mask_text(const struct tsr_isa *isa, const char *operand, uint32_t mask, char *text,
                   size_t size);
// The same of a STALLWAIT or SEMWAIT; other words are disassembled.
void tsr_wait_text(const struct tsr_isa *isa, uint32_t word, char *text, size_t size);

const char *tsr_op_name(enum tsr_op op); // "MVMUL"; "" for OP_NONE
const char *tsr_operand_name(enum tsr_operand_id id);
const char *tsr_field_name(enum tsr_field field);
// FIELD_COUNT if no chip has a field of that name.
enum tsr_field tsr_field_id(const char *name);

// tsr_instruction_find() for a word that does not end at `length`.
const tsr_instruction_info *tsr_instruction_find_word(tsr_arch arch, const char *word,
                                                      size_t length);

// A data format in L1 (FloatBitPatterns.md).
struct tsr_format_row {
    const char *name; // NULL: no such format
    uint8_t l1_bits;  // a datum
    bool block;       // sixteen datums share an exponent
    uint8_t exponent_bits;
};
const struct tsr_format_row *tsr_format_at(uint8_t code); // any code; the low four bits count

#endif
