// SPDX-License-Identifier: Apache-2.0
// The forms of UNPACR_NOP. Pages: UNPACR_NOP_ZEROSRC.md, UNPACR_NOP_SETDVALID.md,
// UNPACR_NOP_SETREG.md, UNPACR_NOP_OverlayClear.md.
#ifndef TESSERA_UNPACK_UNPACK_NOP_H
#define TESSERA_UNPACK_UNPACK_NOP_H

#include "state/state.h"

// Fills what later stages read of the job. False: a finding stopped the tile.
bool tsr_unpack_nop_accept(struct tsr_env *env, struct tsr_inflight *inst);
// The same, if there is nothing to report: no form that stores to a register. False: there is.
bool tsr_unpack_nop_accept_quiet(struct tsr_env *env, struct tsr_inflight *inst);

#endif
