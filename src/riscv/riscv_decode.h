// SPDX-License-Identifier: Apache-2.0
// One instruction word as the interpreter wants it: its operation and its operands.
// Pages: BabyRISCV/README.md and PushTensixInstruction.md of each chip.
#ifndef TESSERA_RISCV_RISCV_DECODE_H
#define TESSERA_RISCV_RISCV_DECODE_H

#include "riscv/riscv_rows.h"

// What an instruction is to the pipeline.
enum tsr_riscv_kind {
    RISCV_KIND_COMPUTES,
    RISCV_KIND_MULTIPLIES,
    RISCV_KIND_DIVIDES,
    RISCV_KIND_LOADS,
    RISCV_KIND_STORES,
    RISCV_KIND_PUSHES,
    RISCV_KIND_ATOMIC,
    RISCV_KIND_BRANCHES,
    RISCV_KIND_FLOATS, // computes on floating-point registers
    RISCV_KIND_VECTOR, // all of V but vsetvli and its kin
    RISCV_KIND_ALONE,  // the next one waits for it on Blackhole: CSRs, FENCE, ECALL, EBREAK
    RISCV_KIND_ENDS    // none: what stands behind the last instruction of a block
};
enum { RISCV_READS_RS1 = 1, RISCV_READS_RS2 = 2, RISCV_WRITES_RD = 4 };

struct tsr_riscv_op {
    const void *go; // where run_block() executes it (riscv_run.c)
    uint32_t imm;   // .ttinsn: the Tensix word
    uint32_t pc;
    uint16_t code;        // enum tsr_riscv_code
    uint8_t rd, rs1, rs2; // RISCV_KIND_COMPUTES to DIVIDES, BRANCHES: x0 what it does not have
    uint8_t length;       // .ttinsn: how many follow without a gap from here on
    uint8_t kind;         // enum tsr_riscv_kind
    uint8_t uses;         // RISCV_READS_RS1 and so on
    uint32_t word;        // as it stands in memory
    int32_t skip;         // of a jump inside its block: bytes from it to the op that it jumps to
};

// Of a core of a chip; `pc` is where the word stands. `recent`: NULL is allowed.
struct tsr_riscv_op tsr_riscv_decode(tsr_arch arch, int core, uint32_t pc, uint32_t word,
                                     struct tsr_riscv_recent_rows *recent);
// BEQ to BGEU, which go on behind them where they do not jump.
static inline bool tsr_riscv_branches(const struct tsr_riscv_op *op)
{
    return op->code >= RISCV_BEQ && op->code <= RISCV_BGEU;
}
// What stands behind it is no part of its block.
bool tsr_riscv_ends_block(const struct tsr_riscv_op *op);

#endif
