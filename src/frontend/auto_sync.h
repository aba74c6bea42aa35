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
// RESOURCEDECL. False: a finding stopped the tile.
bool tsr_auto_sync_declare(struct tsr_env *env, int thread, uint32_t word);

#endif
