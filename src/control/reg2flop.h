// SPDX-License-Identifier: Apache-2.0
// REG2FLOP, which the scalar unit executes; see reg2flop.c.
#ifndef TESSERA_CONTROL_REG2FLOP_H
#define TESSERA_CONTROL_REG2FLOP_H

#include "state/unit.h"

// All of it: it reads its GPRs, and writes, when it is accepted. False: a finding stopped the tile.
bool tsr_reg2flop_accept(struct tsr_env *env, struct tsr_inflight *inst);
// With timing off, and nobody who watches: a word of configuration from a GPR, which has nothing to
// report. False: it is none, and nothing was changed.
bool tsr_reg2flop_run_word(struct tsr_env *env, int thread, uint32_t word);

#endif
