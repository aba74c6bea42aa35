// SPDX-License-Identifier: Apache-2.0
// The vector instructions of Blackhole's T2: V with registers of 16 bytes and elements of up to 32
// bits.
// Pages: InstructionSet.md, CSRs.md and README.md of BlackholeA0/TensixTile/BabyRISCV.
#ifndef TESSERA_RISCV_RISCV_VECTOR_H
#define TESSERA_RISCV_RISCV_VECTOR_H

#include "riscv/riscv_access.h"

bool tsr_riscv_is_vector(unsigned code);
enum tsr_riscv_went tsr_riscv_execute_vector(struct tsr_riscv *riscv, struct tsr_hart *hart,
                                             struct tsr_riscv_place place,
                                             const struct tsr_riscv_op *op);

// What an instruction needs of the pipeline: registers in runs, and its passes through EX1 or
// accesses of the load/store unit.
struct tsr_riscv_vector_use {
    struct {
        uint8_t first, count;
    } reads[4], writes;
    uint32_t passes;
    bool loads, stores;
    uint32_t address, step; // of the first access, and to the next
};
struct tsr_riscv_vector_use tsr_riscv_vector_uses(struct tsr_hart *hart,
                                                  const struct tsr_riscv_op *op);

#endif
