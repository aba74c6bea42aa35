// SPDX-License-Identifier: Apache-2.0
// The configuration as the window at TENSIX_CFG_BASE shows it, for cores, the mover and the debug
// read port: both banks, on Blackhole a copy that writes both, then the threads' words, read-only.
// Page: BackendConfiguration.md of each chip.
#ifndef TESSERA_STATE_CONFIG_WINDOW_H
#define TESSERA_STATE_CONFIG_WINDOW_H

#include "state/state.h"

// `offset` in bytes from the window's base, a multiple of 4. False: no word there (that can be
// written).
bool tsr_config_window_read(const struct tsr_env *env, uint32_t offset, uint32_t *value);
bool tsr_config_window_write(struct tsr_env *env, uint32_t offset, uint32_t value);

#endif
