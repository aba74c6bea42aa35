// SPDX-License-Identifier: Apache-2.0
// Wormhole's interrupt controller in the address map. Page: PIC.md.
#ifndef TESSERA_TILE_MAP_INTERRUPTS_H
#define TESSERA_TILE_MAP_INTERRUPTS_H

#include "tile/access.h"

tsr_status tsr_access_interrupts(struct tsr_access *access);
// A request for an interrupt, which is pending from now on if it is enabled.
void tsr_interrupt_raise(struct tsr_env *env, unsigned irq);

#endif
