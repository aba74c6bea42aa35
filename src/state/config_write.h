// SPDX-License-Identifier: Apache-2.0
// Writing configuration: the two functions that every writer goes through.
// Page: BackendConfiguration.md of each chip.
#ifndef TESSERA_STATE_CONFIG_WRITE_H
#define TESSERA_STATE_CONFIG_WRITE_H

#include "state/state.h"

void tsr_plan_masks_fill(struct tsr_plan_masks *masks, const struct tsr_isa *isa);

// Write the bits of `mask`. An unbanked word reaches both banks. Applies the side effects that the
// page lists. `addr32` must be below the chip's banked_words.
void tsr_config_write(struct tsr_env *env, int state_id, unsigned addr32, uint32_t value,
                      uint32_t mask);
void tsr_thread_config_write(struct tsr_env *env, int thread, unsigned addr32, uint16_t value);

#endif
