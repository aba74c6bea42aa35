// SPDX-License-Identifier: Apache-2.0
// Where the chip and its NoCs meet. Page: NoC/README.md.
#ifndef TESSERA_CHIP_CHIP_NOC_H
#define TESSERA_CHIP_CHIP_NOC_H

#include "chip/chip_state.h"

// False: no memory.
bool tsr_chip_noc_create(struct tsr_chip *chip);
void tsr_chip_noc_reset(struct tsr_chip *chip);
// A window has ended.
void tsr_chip_noc_deliver(struct tsr_chip *chip);
// Something is on its way.
bool tsr_chip_noc_busy(const struct tsr_chip *chip);

// Nothing on the chip moves: cores that wait for a counter of requests, which nobody can change,
// are findings.
void tsr_chip_noc_stalled(struct tsr_chip *chip);

// Coordinates that a host gives a NoC, as NoC 0 coordinates of a node. They may lie outside the
// grid.
void tsr_chip_noc_place(const struct tsr_chip *chip, unsigned noc, unsigned *x, unsigned *y);
// A register of the interface of a node that is no Tensix tile. False: no such register.
bool tsr_chip_noc_register(struct tsr_chip *chip, struct tsr_node *node, unsigned noc,
                           uint32_t offset, bool store, uint32_t *value);

#endif
