// SPDX-License-Identifier: Apache-2.0
// Core B: starts the other cores; in the first tile of each row brings that row of A; writes the
// tile of the product to DRAM when it is packed, and tells the first tile of the square.
#include "grid_feed.h"

#include <tessera/kernel/start.h>

static void start_cores(void)
{
    for (uint32_t thread = 0; thread < 3; thread++)
        tt_store(TT_DONE_WORDS + 4 * thread, 0);
    TTI(SEMINIT, FULL_DST, init_value(0), max_value(1));
    tt_set_starts();
    tt_set_nc_start();
    tt_release(TT_RESET_TRISCS | TT_RESET_NC);
}

static void feed_row(uint32_t row)
{
    uint32_t y = FIRST_Y + row;
    const struct line line = {
        .noc = 0,
        .dram = node(0, DRAM_A_X, DRAM_A_Y),
        .address = DRAM_ADDRESS + row * PANEL_BYTES,
        .step = TILE_BYTES,
        .first = node(0, FIRST_X, y),
        .last = node(0, FIRST_X + SIDE - 1, y),
        .panel = A_ADDRESS,
        .count = A_COUNT,
    };

    feed(&line);
}

static void write_product(uint32_t row, uint32_t column)
{
    const uint32_t id = 3;

    tt_noc_write(0, id, C_ADDRESS, node(0, DRAM_C_X, DRAM_C_Y),
                 DRAM_ADDRESS + (row * SIDE + column) * TILE_BYTES, TILE_BYTES);
    tt_noc_wait(0, id);
    tt_noc_increment(0, node(0, FIRST_X, FIRST_Y), DONE_COUNT, 1);
}

int main(void)
{
    uint32_t row = my_row(), column = my_column();

    start_cores();
    if (column == 0)
        feed_row(row);
    tt_wait_done(2);
    write_product(row, column);
    return 0;
}
