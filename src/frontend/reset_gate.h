// SPDX-License-Identifier: Apache-2.0
// What a soft reset that is held makes of an instruction at the gate (reset_gate.c).
#ifndef TESSERA_FRONTEND_RESET_GATE_H
#define TESSERA_FRONTEND_RESET_GATE_H

#include "state/state.h"

enum tsr_reset_effect { TSR_RESET_PASS, TSR_RESET_HOLD, TSR_RESET_DROP, TSR_RESET_UNBUILT };
enum tsr_reset_effect tsr_reset_gate(const struct tsr_env *env, enum tsr_op op, uint32_t word,
                                     tsr_unit unit);

#endif
