// SPDX-License-Identifier: Apache-2.0
// Blackhole's interrupt controller: its registers, and which request interrupts a core.
// Page: BlackholeA0/TensixTile/PIC.md.
#ifndef TESSERA_TILE_MAP_IRQS_H
#define TESSERA_TILE_MAP_IRQS_H

#include "tile/access.h"

tsr_status tsr_access_irqs(struct tsr_access *access);

// The hardware's requests. The overlay's stays raised until it is read; that of a NoC interface is
// raised as long as the interface says so.
enum { TSR_OVERLAY_IRQ = 0, TSR_NOC_IRQ = 1 };
void tsr_irq_raise(struct tsr_env *env, unsigned irq);
void tsr_irq_of_noc(struct tsr_env *env, unsigned noc, bool raised);

// Requests, what enables them, or whether a core is in a handler has changed: who is interrupted?
void tsr_irqs_weigh(struct tsr_env *env);
// The request whose turn it is, of those that are to interrupt the core; of the hardware's 32 more.
unsigned tsr_irqs_choose(struct tsr_env *env, unsigned core);

#endif
