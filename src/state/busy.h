// SPDX-License-Identifier: Apache-2.0
// Which unit is busy for which thread: what STALLWAIT, FLUSHDMA and TDMA-RISC wait for.
// Pages: STALLWAIT.md of each chip, FLUSHDMA.md, TDMA-RISC.md.
#ifndef TESSERA_STATE_BUSY_H
#define TESSERA_STATE_BUSY_H

#include "state/state.h"

// Whether the unit holds an instruction of the thread, or of any thread if `thread` is negative.
bool tsr_unit_busy(const struct tsr_env *env, tsr_unit unit, int thread);
// Whether STALLWAIT sees the configuration unit at work, for any thread (docs/errata.md, 315).
bool tsr_config_busy(const struct tsr_env *env);
// Whether the mover is at work, or has taken an XMOV that is still to begin.
bool tsr_mover_busy(const struct tsr_env *env);
bool tsr_packer_busy(const struct tsr_env *env, unsigned packer, int thread);
// Whether memory requests of the thread are outstanding in the scalar unit.
bool tsr_scalar_memory_busy(const struct tsr_env *env, int thread);

#endif
