// SPDX-License-Identifier: Apache-2.0
// Core T1: adds SrcA and SrcB into one half of Dst, while the other half is packed. The eight
// additions of a tile are one MOP.
#include "job.h"

#include <tessera/kernel/start.h>

#include "../common/math_bf16.h"
#include "../common/set_mop.h"

// Seven ELWADDs of eight rows, and one that gives the banks back.
static void prepare_mop(void)
{
    static const uint32_t words[MOP_WORDS] = {
        1,
        DATUMS / (8 * 16),
        TT(NOP),
        TT(NOP),
        TT(NOP),
        TT(ELWADD, addr_mode(0)),
        TT(NOP),
        TT(ELWADD, addr_mode(1), clear_dvalid(3)),
        TT(ELWADD, addr_mode(1), clear_dvalid(3)),
    };

    set_mop(words);
}

int main(void)
{
    configure_formats();
    configure_steps();
    prepare_mop();
    for (uint32_t tile = 0; tile < TILES; tile++) {
        TTI(SEMWAIT, FULL_HALVES, wait_sem_cond(p_stall_STALL_ON_MAX),
            stall_res(p_stall_STALL_MATH));
        TT_PUSH(TT(SETC16, setc16_reg(DEST_TARGET_REG_CFG_MATH_Offset_ADDR32),
                   setc16_value(tile % 2 * HALF_DST)));
        TTI(SETRWC, BitMask(15));
        TTI(MOP, mop_type(1));
        TTI(STALLWAIT, stall_res(p_stall_STALL_SYNC), wait_res(p_stall_MATH));
        TTI(SEMPOST, FULL_HALVES);
    }
    tt_done(1);
    return 0;
}
