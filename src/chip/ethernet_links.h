// SPDX-License-Identifier: Apache-2.0
// Links between Ethernet tiles, and the chips that they make one group of.
#ifndef TESSERA_CHIP_ETHERNET_LINKS_H
#define TESSERA_CHIP_ETHERNET_LINKS_H

#include "chip/chip_state.h"

// When a chip is made, reset and destroyed. Links last over a reset; what is on its way does not.
void tsr_chip_links_begin(tsr_chip *chip);
void tsr_chip_links_reset(tsr_chip *chip);
void tsr_chip_links_destroy(tsr_chip *chip);

// At the end of a window of all chips of a group: first what each sends, then what comes to each.
void tsr_chip_links_send(tsr_chip *chip);
void tsr_chip_links_deliver(tsr_chip *chip);
// Whether anything is on its way, or will be, that says something new.
bool tsr_chip_links_busy(const tsr_chip *chip);

// While nothing moves on any chip of the group: how many of the next `most` cycles may pass at
// once, as no core that still runs can see a frame before, and updates sent meanwhile are few.
uint64_t tsr_chip_links_idle(const tsr_chip *chip, uint64_t most);

#endif
