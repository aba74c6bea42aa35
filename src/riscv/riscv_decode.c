// SPDX-License-Identifier: Apache-2.0
// Decodes one instruction word by its row. What depends on the word and the pc alone is computed
// here: constants, targets of jumps, and what only writes x0.
// Pages: BabyRISCV/README.md and PushTensixInstruction.md of each chip.
#include "riscv/riscv_decode.h"

#include "base/bits.h"

enum { REVERSED_BYTES = 24 };
enum { OPCODE_LUI = 0x37, OPCODE_AUIPC = 0x17, OPCODE_OP = 0x33, OPCODE_OP_IMM = 0x13 };

static uint32_t sign_extend(uint32_t value, unsigned width)
{
    uint32_t sign = 1u << (width - 1);
    return (value ^ sign) - sign;
}

static uint32_t immediate(enum tsr_riscv_format format, uint32_t word)
{
    switch (format) {
    case RISCV_FORMAT_I:
    case RISCV_FORMAT_FLOAD:
        return sign_extend(word >> 20, 12);
    case RISCV_FORMAT_S:
    case RISCV_FORMAT_FSTORE:
        return sign_extend(tsr_bits(word, 25, 7) << 5 | tsr_bits(word, 7, 5), 12);
    case RISCV_FORMAT_B:
        return sign_extend(tsr_bits(word, 31, 1) << 12 | tsr_bits(word, 7, 1) << 11 |
                               tsr_bits(word, 25, 6) << 5 | tsr_bits(word, 8, 4) << 1,
                           13);
    case RISCV_FORMAT_U:
        return word & 0xfffff000;
    case RISCV_FORMAT_J:
        return sign_extend(tsr_bits(word, 31, 1) << 20 | tsr_bits(word, 12, 8) << 12 |
                               tsr_bits(word, 20, 1) << 11 | tsr_bits(word, 21, 10) << 1,
                           21);
    case RISCV_FORMAT_SHIFT:
        return tsr_bits(word, 20, 5);
    case RISCV_FORMAT_CSR:
    case RISCV_FORMAT_CSRI:
        return word >> 20;
    default:
        return word; // rounding mode, third register: whoever executes it takes them
    }
}

// Nothing but a register of the integer file is written, from registers and constants alone.
static bool computes_only(uint32_t word)
{
    uint32_t opcode = word & 0x7f;
    return opcode == OPCODE_LUI || opcode == OPCODE_AUIPC || opcode == OPCODE_OP ||
           opcode == OPCODE_OP_IMM;
}

// Another operation for the same effect, where there is one that is quicker.
static void simplify(struct tsr_riscv_op *op, uint32_t pc, uint32_t word)
{
    if (computes_only(word) && op->rd == 0) {
        op->code = RISCV_NOP;
        return;
    }
    switch (op->code) {
    case RISCV_LUI:
        op->code = RISCV_LI;
        return;
    case RISCV_AUIPC:
        op->code = RISCV_LI;
        op->imm += pc;
        return;
    case RISCV_ADDI:
        if (op->rs1 == 0)
            op->code = RISCV_LI;
        else if (op->imm == 0)
            op->code = RISCV_MV;
        return;
    case RISCV_JAL:
        if (op->rd == 0)
            op->code = RISCV_J;
        return;
    case RISCV_PACK:
        if (op->rs2 == 0)
            op->code = RISCV_ZEXT_H;
        return;
    case RISCV_GREVI:
        if (op->imm == REVERSED_BYTES)
            op->code = RISCV_REV8;
        return;
    case RISCV_FENCE:
    case RISCV_FENCE_I:
        op->code = RISCV_NOP;
        return;
    default:
        return;
    }
}

static uint8_t registers_used(enum tsr_riscv_format format)
{
    switch (format) {
    case RISCV_FORMAT_R:
    case RISCV_FORMAT_AMO:
        return RISCV_READS_RS1 | RISCV_READS_RS2 | RISCV_WRITES_RD;
    case RISCV_FORMAT_S:
    case RISCV_FORMAT_B:
        return RISCV_READS_RS1 | RISCV_READS_RS2;
    case RISCV_FORMAT_I:
    case RISCV_FORMAT_SHIFT:
    case RISCV_FORMAT_UNARY:
    case RISCV_FORMAT_CSR:
        return RISCV_READS_RS1 | RISCV_WRITES_RD;
    case RISCV_FORMAT_U:
    case RISCV_FORMAT_J:
    case RISCV_FORMAT_CSRI:
        return RISCV_WRITES_RD;
    case RISCV_FORMAT_FLOAD:
    case RISCV_FORMAT_FSTORE:
    case RISCV_FORMAT_VX:
    case RISCV_FORMAT_VLOAD:
    case RISCV_FORMAT_VSTORE:
        return RISCV_READS_RS1;
    case RISCV_FORMAT_VLOADS:
    case RISCV_FORMAT_VSTORES:
        return RISCV_READS_RS1 | RISCV_READS_RS2;
    case RISCV_FORMAT_VTOX:
    case RISCV_FORMAT_VSETI:
        return RISCV_WRITES_RD;
    case RISCV_FORMAT_VSET:
        return RISCV_READS_RS1 | RISCV_WRITES_RD;
    case RISCV_FORMAT_VSETR:
        return RISCV_READS_RS1 | RISCV_READS_RS2 | RISCV_WRITES_RD;
    default:
        return 0;
    }
}

static enum tsr_riscv_kind kind_of(const struct tsr_riscv_row *row, int code)
{
    if (code >= RISCV_MUL && code <= RISCV_MULHU)
        return RISCV_KIND_MULTIPLIES;
    if (code >= RISCV_DIV && code <= RISCV_REMU)
        return RISCV_KIND_DIVIDES;
    if ((code >= RISCV_LB && code <= RISCV_LHU) || row->format == RISCV_FORMAT_FLOAD)
        return RISCV_KIND_LOADS;
    if (code >= RISCV_JAL && code <= RISCV_BGEU)
        return RISCV_KIND_BRANCHES;
    switch ((enum tsr_riscv_format)row->format) {
    case RISCV_FORMAT_S:
    case RISCV_FORMAT_FSTORE:
        return RISCV_KIND_STORES;
    case RISCV_FORMAT_AMO:
        return RISCV_KIND_ATOMIC;
    case RISCV_FORMAT_NONE:
    case RISCV_FORMAT_CSR:
    case RISCV_FORMAT_CSRI:
    case RISCV_FORMAT_VSET:
    case RISCV_FORMAT_VSETI:
    case RISCV_FORMAT_VSETR:
        return RISCV_KIND_ALONE;
    case RISCV_FORMAT_FR:
    case RISCV_FORMAT_FUNARY:
    case RISCV_FORMAT_R4:
        return RISCV_KIND_FLOATS;
    case RISCV_FORMAT_VV:
    case RISCV_FORMAT_VX:
    case RISCV_FORMAT_VI:
    case RISCV_FORMAT_VU:
    case RISCV_FORMAT_VF:
    case RISCV_FORMAT_V1:
    case RISCV_FORMAT_VTOX:
    case RISCV_FORMAT_VLOAD:
    case RISCV_FORMAT_VLOADS:
    case RISCV_FORMAT_VSTORE:
    case RISCV_FORMAT_VSTORES:
        return RISCV_KIND_VECTOR;
    default:
        return RISCV_KIND_COMPUTES;
    }
}

// So that whoever keeps the time of registers need not ask which of them are meant.
static void clear_unused(struct tsr_riscv_op *op)
{
    if (op->kind > RISCV_KIND_DIVIDES && op->kind != RISCV_KIND_BRANCHES)
        return;
    op->rs1 = op->uses & RISCV_READS_RS1 ? op->rs1 : 0;
    op->rs2 = op->uses & RISCV_READS_RS2 ? op->rs2 : 0;
    op->rd = op->uses & RISCV_WRITES_RD ? op->rd : 0;
}

struct tsr_riscv_op tsr_riscv_decode(tsr_arch arch, int core, uint32_t pc, uint32_t word,
                                     struct tsr_riscv_recent_rows *recent)
{
    bool pushes = core <= TSR_CORE_NC; // else there is no coprocessor
    if ((word & 3) != 3 && pushes)
        return (struct tsr_riscv_op){.code = RISCV_TTINSN,
                                     .kind = RISCV_KIND_PUSHES,
                                     .length = 1,
                                     .imm = word >> 2 | word << 30,
                                     .pc = pc,
                                     .word = word};
    struct tsr_riscv_op op = {.code = RISCV_UNKNOWN,
                              .rd = (uint8_t)tsr_bits(word, 7, 5),
                              .rs1 = (uint8_t)tsr_bits(word, 15, 5),
                              .rs2 = (uint8_t)tsr_bits(word, 20, 5),
                              .imm = word,
                              .pc = pc,
                              .word = word};
    const struct tsr_riscv_row *row =
        recent ? tsr_riscv_recent_row(recent, word) : tsr_riscv_find_row(word);
    if (!row) {
        op.code = RISCV_UNKNOWN;
    } else if (!(row->cores[arch] >> (pushes ? core : TSR_CORE_B) & 1)) {
        op.code = RISCV_LACKING;
    } else if (!row->implemented) {
        op.code = RISCV_UNIMPLEMENTED;
    } else {
        op.code = (uint16_t)(row - tsr_riscv_row(0));
        op.imm = immediate(row->format, word);
        op.kind = (uint8_t)kind_of(row, op.code);
        op.uses = registers_used(row->format);
        simplify(&op, pc, word);
        if (row->format == RISCV_FORMAT_B || row->format == RISCV_FORMAT_J)
            op.imm += pc;
    }
    clear_unused(&op);
    return op;
}

bool tsr_riscv_ends_block(const struct tsr_riscv_op *op)
{
    switch (op->code) {
    case RISCV_JAL:
    case RISCV_J:
    case RISCV_JALR:
    case RISCV_ECALL:
    case RISCV_EBREAK:
    case RISCV_MRET:
    case RISCV_UNKNOWN:
    case RISCV_LACKING:
    case RISCV_UNIMPLEMENTED:
        return true;
    default:
        return false;
    }
}
