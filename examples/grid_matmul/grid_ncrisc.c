// SPDX-License-Identifier: Apache-2.0
// Core NC: in the first tile of each column brings that column of B, on the other NoC, which flows
// against the first one: from the square's last row up.
#include "grid_feed.h"

#include <tessera/kernel/start.h>

int main(void)
{
    uint32_t row = my_row(), column = my_column(), x = FIRST_X + column;
    const struct line line = {
        .noc = 1,
        .dram = node(1, DRAM_B_X, DRAM_B_Y),
        .address = DRAM_ADDRESS + column * TILE_BYTES,
        .step = PANEL_BYTES,
        .first = node(1, x, FIRST_Y + SIDE - 1),
        .last = node(1, x, FIRST_Y),
        .panel = B_ADDRESS,
        .count = B_COUNT,
    };

    if (row == 0)
        feed(&line);
    return 0;
}
