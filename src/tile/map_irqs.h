// SPDX-License-Identifier: Apache-2.0
// Blackhole's interrupt controller in the address map. Page: BlackholeA0/TensixTile/PIC.md.
#ifndef TESSERA_TILE_MAP_IRQS_H
#define TESSERA_TILE_MAP_IRQS_H

#include "tile/access.h"

tsr_status tsr_access_irqs(struct tsr_access *access);
// One of the hardware's requests is raised, and stays so until it is read.
enum { TSR_OVERLAY_IRQ = 0 };
void tsr_irq_raise(struct tsr_env *env, unsigned irq);

#endif
