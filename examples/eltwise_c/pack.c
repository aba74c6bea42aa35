// SPDX-License-Identifier: Apache-2.0
// Core T2: packs each full half of Dst to C.
#include "job.h"

#include <tessera/kernel/start.h>

#include "../common/pack_bf16.h"

int main(void)
{
    configure_packers();
    for (uint32_t tile = 0; tile < TILES; tile++) {
        TTI(SEMWAIT, FULL_HALVES, wait_sem_cond(p_stall_STALL_ON_ZERO),
            stall_res(p_stall_STALL_PACK));
        pack(tile % 2 * HALF_DST, C_BASE + tile * TILE_UNITS);
        // The half is free again, and its tile safe in L1, when the packers are idle.
        TTI(STALLWAIT, stall_res(p_stall_STALL_SYNC), wait_res(p_stall_PACK));
        TTI(SEMGET, FULL_HALVES);
    }
    tt_done(2);
    return 0;
}
