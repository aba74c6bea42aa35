// SPDX-License-Identifier: Apache-2.0
// What two CSRs of a Blackhole core show of the coprocessor.
// Page: BlackholeA0/TensixTile/BabyRISCV/CSRs.md.
#ifndef TESSERA_TILE_CORE_STATUS_H
#define TESSERA_TILE_CORE_STATUS_H

#include "state/state.h"

// tt_cfg_qstatus, or tt_cfg_bstatus if `busy`, as the core reads it now.
uint32_t tsr_core_status(const struct tsr_env *env, int core, bool busy);
// The stream's register that tt_cfg_sstatus0 + `which` shows. False: there is no NoC.
bool tsr_core_stream(const struct tsr_env *env, int core, unsigned which, uint32_t *value);

#endif
