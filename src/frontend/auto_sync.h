// SPDX-License-Identifier: Apache-2.0
// Auto TTSync (Blackhole): whether a T core's access must wait for its thread's instructions; see
// auto_sync.c.
#ifndef TESSERA_FRONTEND_AUTO_SYNC_H
#define TESSERA_FRONTEND_AUTO_SYNC_H

#include "state/state.h"

// True while an instruction before the thread's wait gate uses what its core's access touches.
// `offset` counts from the region's base.
bool tsr_auto_sync_holds(struct tsr_env *env, int thread, enum tsr_region_id region,
                         uint32_t offset, bool store);
// Where races are looked for, and the thread's instructions are tracked: an instruction that passes
// the gate, an access that waited as far as it had to, and a push, which comes after what its core
// has stored to configuration and GPRs.
void tsr_auto_sync_uses(struct tsr_env *env, int thread, enum tsr_op op, uint32_t word,
                        uint64_t tag);
void tsr_auto_sync_waited(struct tsr_env *env, int thread, enum tsr_region_id region,
                          uint32_t offset, bool store);
void tsr_auto_sync_pushes(struct tsr_env *env, int thread);
// RESOURCEDECL. False: a finding stopped the tile.
bool tsr_auto_sync_declare(struct tsr_env *env, int thread, uint32_t word);

#endif
