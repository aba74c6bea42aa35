// SPDX-License-Identifier: Apache-2.0
// Core T0: unpacks tile after tile of the column of B to SrcA and of the row of A to SrcB, as they
// come.
#include "grid_job.h"

#include <tessera/kernel/start.h>

// A tile is one row of 1024 datums to the unpackers: 64 rows of SrcA or SrcB.
enum { ROW = DATUMS, ROWS = 1 };
#include "../common/unpack_bf16.h"

static void wait_for_tiles(uint32_t count)
{
    while (tt_load(A_COUNT) < count || tt_load(B_COUNT) < count)
        tt_fence();
}

int main(void)
{
    configure_unpackers();
    for (uint32_t i = 0; i < SIDE; i++) {
        wait_for_tiles(i + 1);
        // The base addresses may change only when no unpacker works with the old ones.
        TTI(STALLWAIT, stall_res(p_stall_STALL_CFG), wait_res(p_stall_UNPACK));
        TT_CFG_PUSH(THCON_SEC0_REG3_Base_address, B_BASE + i * TILE_UNITS);
        TT_CFG_PUSH(THCON_SEC1_REG3_Base_address, A_BASE + i * TILE_UNITS);
        TTI(UNPACR, Unpack_block_selection(0), OvrdThreadId(1), SetDatValid(1), Last(1));
        TTI(UNPACR, Unpack_block_selection(1), OvrdThreadId(1), SetDatValid(1), Last(1));
    }
    tt_done(0);
    return 0;
}
