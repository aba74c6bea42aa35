// SPDX-License-Identifier: Apache-2.0
// Access to the configuration: the two functions that every writer goes through, and the window at
// TENSIX_CFG_BASE as cores, the mover and the debug read port see it.
// Page: BackendConfiguration.md of each chip.
#ifndef TESSERA_STATE_CONFIG_ACCESS_H
#define TESSERA_STATE_CONFIG_ACCESS_H

#include "state/state.h"

void tsr_plan_masks_fill(struct tsr_plan_masks *masks, const struct tsr_isa *isa);

// Write the bits of `mask`. An unbanked word reaches both banks. Applies the side effects that the
// page lists. `addr32` must be below the chip's banked_words.
void tsr_config_write(struct tsr_env *env, int state_id, unsigned addr32, uint32_t value,
                      uint32_t mask);
void tsr_thread_config_write(struct tsr_env *env, int thread, unsigned addr32, uint16_t value);

// The window: both banks, on Blackhole a copy that writes both, then the threads' words, read-only.
// `offset` in bytes from the window's base, a multiple of 4. False: no word there (that can be
// written).
bool tsr_config_window_read(const struct tsr_env *env, uint32_t offset, uint32_t *value);
bool tsr_config_window_write(struct tsr_env *env, uint32_t offset, uint32_t value);

#endif
