// SPDX-License-Identifier: Apache-2.0
// A thread's latched STALLWAIT or SEMWAIT (wait_gate.c).
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

#endif
