// SPDX-License-Identifier: Apache-2.0
// Wormhole's interrupt controller in the address map. Page: PIC.md.
#ifndef TESSERA_TILE_MAP_INTERRUPTS_H
#define TESSERA_TILE_MAP_INTERRUPTS_H

#include "tile/access.h"

tsr_status tsr_access_interrupts(struct tsr_access *access);
// A request for an interrupt, which is pending from now on if it is enabled.
void tsr_interrupt_raise(struct tsr_env *env, unsigned irq);
// Of the NoC overlay: a stream that may raise `irq` starts or ends a phase, which counts if
// PIC_STREAM_IRQ_TYPE says so; or the first stream has come to its end, which Blackhole has, too.
enum { TSR_STREAM_IRQS = 8, TSR_STREAMS_DONE_IRQ = 16, TSR_PHASE_START = 1, TSR_PHASE_END = 2 };
void tsr_interrupt_of_overlay(struct tsr_env *env, unsigned irq, unsigned edge);

// The controller of any tile: of an Ethernet tile, too. False: no page has such a register.
// tsr_interrupts_raise() is Wormhole's part of tsr_interrupt_of_overlay().
bool tsr_interrupts_load(struct tsr_interrupts *interrupts, uint32_t offset, uint32_t *value);
bool tsr_interrupts_store(struct tsr_interrupts *interrupts, uint32_t offset, uint32_t value);
void tsr_interrupts_raise(struct tsr_interrupts *interrupts, unsigned irq, unsigned edge);

#endif
