// SPDX-License-Identifier: Apache-2.0
// Core T0: unpacks a tile of A to SrcA and one of B to SrcB, tile by tile.
#include "job.h"

#include <tessera/kernel/start.h>

// A tile is one row of 1024 datums to the unpackers: 64 rows of SrcA or SrcB.
enum { ROW = DATUMS, ROWS = 1 };
#include "../common/unpack_bf16.h"

int main(void)
{
    configure_unpackers();
    for (uint32_t tile = 0; tile < TILES; tile++) {
        // The base addresses may change only when no unpacker works with the old ones.
        TTI(STALLWAIT, stall_res(p_stall_STALL_CFG), wait_res(p_stall_UNPACK));
        TT_CFG_PUSH(THCON_SEC0_REG3_Base_address, A_BASE + tile * TILE_UNITS);
        TT_CFG_PUSH(THCON_SEC1_REG3_Base_address, B_BASE + tile * TILE_UNITS);
        TTI(UNPACR, Unpack_block_selection(0), OvrdThreadId(1), SetDatValid(1), Last(1));
        TTI(UNPACR, Unpack_block_selection(1), OvrdThreadId(1), SetDatValid(1), Last(1));
    }
    tt_done(0);
    return 0;
}
