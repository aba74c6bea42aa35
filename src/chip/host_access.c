// SPDX-License-Identifier: Apache-2.0
// What a host reads and writes at a node's address, without a window of the PCI Express tile.
#include "chip/chip_findings.h"
#include "chip/chip_noc.h"
#include "chip/node_access.h"

// Translated coordinates begin outside the grid; inside of it the host's are NoC 0's (errata 700).
static struct tsr_node *reached(tsr_chip *chip, unsigned x, unsigned y)
{
    if (!tsr_chip_node(chip, x, y))
        tsr_chip_noc_place(chip, 0, &x, &y);
    return tsr_chip_node(chip, x, y);
}

static tsr_status outside(tsr_chip *chip, unsigned x, unsigned y)
{
    tsr_chip_report(chip, NULL, FINDING_HOST_UNMAPPED, (uint64_t)y << 32 | x,
                    "The host accesses node %u-%u, which is outside the grid.", x, y);
    return TSR_NOT_FOUND;
}

tsr_status tsr_chip_read(tsr_chip *chip, unsigned x, unsigned y, uint64_t address, void *bytes,
                         size_t size)
{
    if (!chip || (!bytes && size > 0))
        return TSR_BAD_ARGUMENT;
    struct tsr_node *node = reached(chip, x, y);
    if (!node)
        return outside(chip, x, y);
    return size > 0 ? tsr_host_read_node(chip, node, 0, address, bytes, size) : TSR_OK;
}

tsr_status tsr_chip_write(tsr_chip *chip, unsigned x, unsigned y, uint64_t address,
                          const void *bytes, size_t size)
{
    if (!chip || (!bytes && size > 0))
        return TSR_BAD_ARGUMENT;
    struct tsr_node *node = reached(chip, x, y);
    if (!node)
        return outside(chip, x, y);
    return size > 0 ? tsr_host_write_node(chip, node, 0, address, bytes, size) : TSR_OK;
}
