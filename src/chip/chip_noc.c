// SPDX-License-Identifier: Apache-2.0
// Where the chip and its NoCs meet. Page: NoC/README.md.
#include "chip/chip_noc.h"

void tsr_chip_noc_attach(struct tsr_chip *chip, struct tsr_node *node)
{
    (void)chip;
    (void)node;
}

void tsr_chip_noc_reset(struct tsr_chip *chip)
{
    (void)chip;
}

void tsr_chip_noc_deliver(struct tsr_chip *chip)
{
    (void)chip;
}

bool tsr_chip_noc_busy(const struct tsr_chip *chip)
{
    (void)chip;
    return false;
}
