// SPDX-License-Identifier: Apache-2.0
// What a core must not execute, and where it must not go: findings of the cores.
// Pages: BabyRISCV/README.md of each chip (instruction set, frontend, faults).
#ifndef TESSERA_RISCV_RISCV_REFUSE_H
#define TESSERA_RISCV_RISCV_REFUSE_H

#include "riscv/riscv_access.h"

// Each returns false if the core does not go on here now: the tile stopped, or the core hangs.
bool tsr_riscv_refuse(struct tsr_riscv *riscv, struct tsr_hart *hart, struct tsr_riscv_place place,
                      const struct tsr_riscv_op *op);
// A CSR that is none of this core's (`name` NULL), or what it shows is not there.
bool tsr_riscv_refuse_csr(struct tsr_riscv *riscv, struct tsr_hart *hart,
                          struct tsr_riscv_place place, uint32_t number, const char *name,
                          const char *why);
// A CSR that shows a stream, of which no page says which it is.
bool tsr_riscv_some_stream(struct tsr_riscv *riscv, struct tsr_hart *hart,
                           struct tsr_riscv_place place, const char *name);
// The pc is at bytes that nobody wrote. False: the tile stopped.
bool tsr_riscv_unwritten_code(struct tsr_riscv *riscv, struct tsr_hart *hart);
// mret outside of a handler.
bool tsr_riscv_return_from_nothing(struct tsr_riscv *riscv, struct tsr_hart *hart,
                                   struct tsr_riscv_place place);
// A CSR is written where the hardware does not. False: the tile stopped.
bool tsr_riscv_write_in_handler(struct tsr_riscv *riscv, struct tsr_hart *hart,
                                struct tsr_riscv_place place, const char *name);
bool tsr_riscv_atomic_elsewhere(struct tsr_riscv *riscv, struct tsr_hart *hart,
                                struct tsr_riscv_place place, uint32_t address);
bool tsr_riscv_align_pc(struct tsr_riscv *riscv, struct tsr_hart *hart);
bool tsr_riscv_no_code(struct tsr_riscv *riscv, struct tsr_hart *hart);

#endif
