// SPDX-License-Identifier: Apache-2.0
// The chip's time: windows counted from reset, in which the tiles run on their own, and at whose
// ends the NoC delivers. Page: WormholeB0/NoC/Ordering.md.
#include "chip/chip_noc.h"
#include "chip/node_tile.h"
#include "tile/window.h"

static void run_window(tsr_chip *chip, uint64_t end)
{
    for (unsigned i = 0; i < chip->columns * chip->rows; i++) {
        struct tsr_node *node = &chip->node[i];
        if (node->active)
            node->active = !tsr_tile_run_to(node->tile, end);
    }
    chip->now = end;
    tsr_chip_noc_deliver(chip);
}

static bool anything_active(const tsr_chip *chip)
{
    for (unsigned i = 0; i < chip->columns * chip->rows; i++)
        if (chip->node[i].active)
            return true;
    return tsr_chip_noc_busy(chip);
}

// Who has a tile in hand may have acted on it, and sees it at the chip's cycle.
static void touch_handed_out(tsr_chip *chip)
{
    for (unsigned i = 0; i < chip->columns * chip->rows; i++)
        if (chip->node[i].handed_out)
            tsr_node_tile(chip, &chip->node[i]);
}

tsr_status tsr_chip_clock(tsr_chip *chip, uint64_t cycles)
{
    if (!chip || cycles > UINT64_MAX / 2 - chip->target)
        return TSR_BAD_ARGUMENT;
    chip->target += cycles;
    touch_handed_out(chip);
    while (chip->target - chip->now >= TSR_CHIP_WINDOW && anything_active(chip))
        run_window(chip, chip->now + TSR_CHIP_WINDOW);
    chip->now = chip->target - chip->target % TSR_CHIP_WINDOW;
    touch_handed_out(chip);
    return TSR_OK;
}

uint64_t tsr_chip_cycle(const tsr_chip *chip)
{
    return chip ? chip->now : 0;
}
