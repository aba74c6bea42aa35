// SPDX-License-Identifier: Apache-2.0
// What is between and inside the baby cores, by region of the address map.
// Pages: BabyRISCV/PCBufs.md, TTSync.md, Mailboxes.md, InstructionRAM.md, README.md of each chip.
#ifndef TESSERA_TILE_MAP_CORES_H
#define TESSERA_TILE_MAP_CORES_H

#include "tile/access.h"

// Core B's side of a thread's PC buffer, and the T core's side of its own.
tsr_status tsr_access_pc_buffer(struct tsr_access *access, unsigned thread);
tsr_status tsr_access_pc_buffer_t(struct tsr_access *access);
tsr_status tsr_access_ttsync(struct tsr_access *access);
// Whether a MOP of the thread is being expanded or waits for that.
bool tsr_has_mops(const struct tsr_env *env, unsigned thread);
tsr_status tsr_access_mailbox(struct tsr_access *access);
tsr_status tsr_access_local_ram(struct tsr_access *access, unsigned core);
tsr_status tsr_access_iram(struct tsr_access *access);
tsr_status tsr_access_pc_snapshot(struct tsr_access *access);

#endif
