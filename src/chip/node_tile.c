// SPDX-License-Identifier: Apache-2.0
// A tile is made when somebody touches it, and brought up to the chip's cycle if it rests.
// Page: WormholeB0/TensixTile/README.md.
#include "chip/node_tile.h"

#include "chip/chip_findings.h"
#include "chip/chip_noc.h"
#include "tile/window.h"

tsr_tile *tsr_node_tile(tsr_chip *chip, struct tsr_node *node)
{
    if (node->info.kind != TSR_NODE_TENSIX || node->harvested)
        return NULL;
    if (!node->tile) {
        if (tsr_tile_create(&chip->options.tile, &node->tile) != TSR_OK)
            return NULL;
        tsr_chip_apply_policy(chip, node->tile);
        tsr_chip_noc_attach(chip, node);
    }
    if (!node->active)
        tsr_tile_sleep_to(node->tile, chip->now);
    node->active = true;
    return node->tile;
}

tsr_status tsr_chip_tile(tsr_chip *chip, unsigned x, unsigned y, tsr_tile **out)
{
    if (!chip || !out)
        return TSR_BAD_ARGUMENT;
    struct tsr_node *node = tsr_chip_node(chip, x, y);
    if (!node || node->info.kind != TSR_NODE_TENSIX || node->harvested)
        return TSR_NOT_FOUND;
    tsr_tile *tile = tsr_node_tile(chip, node);
    if (!tile)
        return TSR_NO_MEMORY;
    node->handed_out = true;
    *out = tile;
    return TSR_OK;
}
