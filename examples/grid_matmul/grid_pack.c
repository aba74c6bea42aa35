// SPDX-License-Identifier: Apache-2.0
// Core T2: packs the tile of the product.
#include "grid_job.h"

#include <tessera/kernel/start.h>

#include "../common/pack_bf16.h"

int main(void)
{
    configure_packers();
    TTI(SEMWAIT, FULL_DST, wait_sem_cond(p_stall_STALL_ON_ZERO), stall_res(p_stall_STALL_PACK));
    pack(0, C_BASE);
    TTI(STALLWAIT, stall_res(p_stall_STALL_SYNC), wait_res(p_stall_PACK));
    TTI(SEMGET, FULL_DST);
    tt_done(2);
    return 0;
}
