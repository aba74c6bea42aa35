// SPDX-License-Identifier: Apache-2.0
// A tile is made when somebody touches it, and brought up to the chip's cycle if it rests.
// Page: WormholeB0/TensixTile/README.md.
#include "chip/node_tile.h"

#include "chip/chip_findings.h"
#include "chip/noc_races.h"
#include "chip/noc_registers.h"
#include "tile/window.h"

static void hand_on(void *user, const tsr_event *event)
{
    const struct tsr_node *node = user;
    node->chip->observer(node->chip->observer_user, &node->info, event);
}

static void observe(tsr_chip *chip, struct tsr_node *node)
{
    if (node->tile)
        tsr_tile_observe(node->tile, chip->observer ? hand_on : NULL, node);
}

tsr_status tsr_chip_observe(tsr_chip *chip, tsr_chip_observer *observer, void *user)
{
    if (!chip)
        return TSR_BAD_ARGUMENT;
    chip->observer = observer;
    chip->observer_user = user;
    for (unsigned i = 0; i < chip->columns * chip->rows; i++)
        observe(chip, &chip->node[i]);
    return TSR_OK;
}

tsr_tile *tsr_node_tile(tsr_chip *chip, struct tsr_node *node)
{
    if (node->info.kind != TSR_NODE_TENSIX || node->harvested)
        return NULL;
    if (!node->tile) {
        if (tsr_tile_create_with(&chip->options.tile, chip->tables, &node->tile) != TSR_OK)
            return NULL;
        tsr_findings_policy_of(&node->tile->findings, chip->own);
        observe(chip, node);
        tsr_chip_races_attach(chip, node);
        node->tile->engine.env.noc = tsr_noc_port_of(&chip->noc, (unsigned)(node - chip->node));
    }
    tsr_tile_seen(node->tile);
    if (!node->active) {
        tsr_tile_sleep_to(node->tile, chip->now);
        node->active = chip->touched = true;
    }
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
    node->handed_out = chip->any_handed_out = true;
    *out = tile;
    return TSR_OK;
}

bool tsr_chip_has_tile(const tsr_chip *chip, unsigned x, unsigned y)
{
    return chip && x < chip->columns && y < chip->rows && chip->node[y * chip->columns + x].tile;
}
