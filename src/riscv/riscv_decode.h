// SPDX-License-Identifier: Apache-2.0
// One instruction word as the interpreter wants it: its operation and its operands.
// Pages: BabyRISCV/README.md and PushTensixInstruction.md of each chip.
#ifndef TESSERA_RISCV_RISCV_DECODE_H
#define TESSERA_RISCV_RISCV_DECODE_H

#include "riscv/riscv_rows.h"

struct tsr_riscv_op {
    uint16_t code; // enum tsr_riscv_code
    uint8_t rd, rs1, rs2;
    uint8_t length; // .ttinsn: how many words are pushed at once from here on
    uint32_t imm;   // .ttinsn: the Tensix word
    uint32_t word;  // as it stands in memory
};

// `cores`: which core of which chip; `pc` is where the word stands.
struct tsr_riscv_op tsr_riscv_decode(tsr_arch arch, int core, uint32_t pc, uint32_t word);
bool tsr_riscv_ends_block(const struct tsr_riscv_op *op);

#endif
