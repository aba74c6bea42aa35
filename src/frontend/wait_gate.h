// SPDX-License-Identifier: Apache-2.0
// A thread's latched STALLWAIT, SEMWAIT or STREAMWAIT (wait_gate.c).
#ifndef TESSERA_FRONTEND_WAIT_GATE_H
#define TESSERA_FRONTEND_WAIT_GATE_H

#include "frontend/engine.h"

// Clears the latch if its wait is over. True: it did.
bool tsr_gate_evaluate(struct tsr_engine *engine, int thread);
// Whether the thread's latched wait holds this instruction.
tsr_reason tsr_gate_blocks(const struct tsr_env *env, int thread, enum tsr_op op);
// True while the wait's condition number `bit` says to keep waiting.
bool tsr_condition_holds(const struct tsr_env *env, int thread, unsigned bit);
bool tsr_semaphores_hold(const struct tsr_env *env, const struct tsr_gate_latch *latch);
// *value: what the stream's register holds.
bool tsr_stream_holds(const struct tsr_env *env, int thread, const struct tsr_gate_latch *latch,
                      uint32_t *value);

// Bits of env->touched: the units whose instructions hand banks of Src over.
enum {
    TSR_BANK_UNITS = 1 << TSR_UNIT_UNPACKER0 | 1 << TSR_UNIT_UNPACKER1 | 1 << TSR_UNIT_MATRIX |
                     1 << TSR_UNIT_MISC | 1 << TSR_UNIT_SCALAR
};
// With timing on: the units, as bits of env->touched, whose news may end the wait. With
// TSR_TOUCHED_ALL it may end in any cycle.
uint32_t tsr_gate_wants(const struct tsr_env *env, const struct tsr_gate_latch *latch);

// Counts of what waits hold threads for: from now on, with timing on, or not any more.
void tsr_wait_counts_switch(struct tsr_engine *engine, bool on);
// Adds what has passed since it was last added.
void tsr_wait_counts_add(struct tsr_engine *engine);

#endif
