// SPDX-License-Identifier: Apache-2.0
// Both NoCs of a chip: making them, and moving packets. Cores put requests into their own tile's
// outboxes; tsr_noc_deliver() moves and performs them, on one thread.
// Pages: NoC/README.md, NoC/Ordering.md of each chip.
#ifndef TESSERA_CHIP_NOC_DELIVERY_H
#define TESSERA_CHIP_NOC_DELIVERY_H

#include "chip/noc_state.h"

// All zero, and false: no memory. tsr_noc_reset() comes next.
bool tsr_noc_create(struct tsr_noc *noc, tsr_arch arch, bool timing,
                    const struct tsr_noc_chip *chip);
void tsr_noc_destroy(struct tsr_noc *noc);
// `harvested`: a bit for each row (Wormhole) or column (Blackhole) of NoC 0 whose Tensix tiles are
// fused off. `translation`: firmware has switched coordinate translation on.
// Power-on, and what firmware does to the interfaces: translation tables, who takes no broadcasts.
void tsr_noc_reset(struct tsr_noc *noc, uint32_t harvested, bool translation);

// The end of a window. With timing off all requests are performed, in the order in which they were
// issued, and their responses; with timing on those that arrive by `cycle`.
void tsr_noc_deliver(struct tsr_noc *noc, uint64_t cycle);
// Whether packets are on the way, which a later tsr_noc_deliver() may perform.
bool tsr_noc_busy(const struct tsr_noc *noc);

#endif
