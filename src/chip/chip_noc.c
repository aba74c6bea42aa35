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

void tsr_chip_noc_place(const struct tsr_chip *chip, unsigned noc, unsigned *x, unsigned *y)
{
    if (noc == 0 || *x >= chip->columns || *y >= chip->rows)
        return;
    *x = chip->columns - 1 - *x;
    *y = chip->rows - 1 - *y;
}

bool tsr_chip_noc_register(struct tsr_chip *chip, struct tsr_node *node, unsigned noc,
                           uint32_t offset, bool store, uint32_t *value)
{
    (void)chip;
    (void)node;
    (void)noc;
    (void)offset;
    (void)store;
    (void)value;
    return false;
}
