// SPDX-License-Identifier: Apache-2.0
// What a program has left when the tile goes idle. Pages: ATRELM.md, SrcASrcB.md.
#ifndef TESSERA_TILE_IDLE_CHECKS_H
#define TESSERA_TILE_IDLE_CHECKS_H

#include "state/state.h"

// Findings about what is left, for a run that ends idle.
void tsr_check_idle(struct tsr_env *env);

#endif
