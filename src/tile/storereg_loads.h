// SPDX-License-Identifier: Apache-2.0
// Loads of a T core from a register that a STOREREG of its thread has still to write.
#ifndef TESSERA_TILE_STOREREG_LOADS_H
#define TESSERA_TILE_STOREREG_LOADS_H

#include "state/state.h"

// Whether a STOREREG to that address stands in a FIFO of the core's thread. False for B and NC.
bool tsr_storereg_is_passed(const struct tsr_env *env, unsigned core, uint32_t address);

#endif
