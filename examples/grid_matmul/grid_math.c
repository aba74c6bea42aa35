// SPDX-License-Identifier: Apache-2.0
// Core T1: multiplies each pair of tiles in four fidelity phases (HiFi4) onto Dst, where the
// products of the row of A and the column of B are summed up.
#include "grid_job.h"

#include <tessera/kernel/start.h>

#include "../common/math_bf16.h"

enum { PHASES = 4, PHASE_LENGTH = 16 };

static void configure(void)
{
    configure_formats();
    TT_CFG16(DEST_TARGET_REG_CFG_MATH_Offset, 0);
#ifndef ARCH_WORMHOLE
    TT_CFG(DEST_ACCESS_CFG_remap_addrs, 0);
    TT_CFG(DEST_ACCESS_CFG_swizzle_32b, 0);
#endif
}

// An MVMUL multiplies eight rows of SrcB with one face of SrcA. Modifier 0 goes on by eight rows of
// SrcB, 1 over the face beside; 2 and 3 go on to the next face of SrcA, 2 with SrcB back to the
// first of the faces that go with it, 3 to those of the other column.
static void configure_modifiers(void)
{
    TT_CFG16(ADDR_MOD_AB_SEC0_SrcAIncr, TT_FIELD(ADDR_MOD_AB_SEC0_SrcBIncr, 8));
    TT_CFG16(ADDR_MOD_AB_SEC1_SrcAIncr, TT_FIELD(ADDR_MOD_AB_SEC1_SrcBIncr, 24));
    TT_CFG16(ADDR_MOD_AB_SEC2_SrcAIncr,
             TT_FIELD(ADDR_MOD_AB_SEC2_SrcAIncr, 16) | TT_FIELD(ADDR_MOD_AB_SEC2_SrcBIncr, 24));
    TT_CFG16(ADDR_MOD_AB_SEC3_SrcAIncr,
             TT_FIELD(ADDR_MOD_AB_SEC3_SrcAIncr, 16) | TT_FIELD(ADDR_MOD_AB_SEC3_SrcBIncr, 40));
    TT_CFG16(ADDR_MOD_DST_SEC0_DestIncr, 0);
    TT_CFG16(ADDR_MOD_DST_SEC1_DestIncr, 0);
    TT_CFG16(ADDR_MOD_DST_SEC2_DestIncr, 0);
    TT_CFG16(ADDR_MOD_DST_SEC3_DestIncr, 0);
    TT_CFG16(ADDR_MOD_BIAS_SEC0_BiasIncr, 0);
    TT_CFG16(ADDR_MOD_BIAS_SEC1_BiasIncr, 0);
    TT_CFG16(ADDR_MOD_BIAS_SEC2_BiasIncr, 0);
    TT_CFG16(ADDR_MOD_BIAS_SEC3_BiasIncr, 0);
}

// One phase of a product of tiles, recorded: face 2k + c of SrcA with faces k and 2 + k of SrcB,
// eight rows at a time, onto faces c and 2 + c of Dst.
static void record_phase(void)
{
    TTI(SETRWC, BitMask(15));
    TTI(REPLAY, load_mode(1), len(PHASE_LENGTH));
#define FACE(row, modifier)                                                                        \
    do {                                                                                           \
        TTI(MVMUL, dst(row), addr_mode(0));                                                        \
        TTI(MVMUL, dst((row) + 8), addr_mode(1));                                                  \
        TTI(MVMUL, dst((row) + 32), addr_mode(0));                                                 \
        TTI(MVMUL, dst((row) + 40), addr_mode(modifier));                                          \
    } while (0)
    FACE(0, 2);
    FACE(16, 3);
    FACE(0, 2);
    FACE(16, 0);
#undef FACE
}

static void multiply(void)
{
    for (uint32_t phase = 0; phase < PHASES; phase++) {
        TT_PUSH(TT(SETC16, setc16_reg(FIDELITY_BASE_Phase_ADDR32),
                   setc16_value(TT_FIELD(FIDELITY_BASE_Phase, phase))));
        TTI(REPLAY, len(PHASE_LENGTH));
        if (phase + 1 < PHASES)
            TTI(SETRWC, BitMask(3));
        else
            TTI(SETRWC, BitMask(3), clear_ab_vld(3));
    }
}

int main(void)
{
    configure();
    configure_modifiers();
    record_phase();
    TTI(SEMWAIT, FULL_DST, wait_sem_cond(p_stall_STALL_ON_MAX), stall_res(p_stall_STALL_MATH));
    TTI(ZEROACC, clear_mode(2)); // rows without a value read as 0
    for (uint32_t i = 0; i < SIDE; i++)
        multiply();
    TTI(STALLWAIT, stall_res(p_stall_STALL_SYNC), wait_res(p_stall_MATH));
    TTI(SEMPOST, FULL_DST);
    tt_done(1);
    return 0;
}
