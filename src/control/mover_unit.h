// SPDX-License-Identifier: Apache-2.0
// The mover: XMOV, and the command queue through which TDMA-RISC instructs it.
// Pages: Mover.md, XMOV.md, TDMA-RISC.md.
#ifndef TESSERA_CONTROL_MOVER_UNIT_H
#define TESSERA_CONTROL_MOVER_UNIT_H

#include "state/unit.h"

extern const struct tsr_unit_ops tsr_mover_ops;

// The next command of TDMA-RISC's queue, if it can go on now. True if it did.
bool tsr_tdma_step(struct tsr_env *env);

#endif
