// SPDX-License-Identifier: Apache-2.0
// Core T1 of bench_compiled's additions and copies by faces: as in examples/eltwise_c, but the MOP
// adds four faces, of two ELWADDs each, and gives the banks of each face back. With COPIES it moves
// the faces of SrcA.
#include "job.h"

#include <tessera/kernel/start.h>

static void configure(void)
{
    TT_CFG(ALU_FORMAT_SPEC_REG0_SrcA, TT_FORMAT_BF16);
    TT_CFG(ALU_FORMAT_SPEC_REG1_SrcB, TT_FORMAT_BF16);
    TT_CFG(ALU_FORMAT_SPEC_REG2_Dstacc, TT_FORMAT_BF16);
    TT_CFG(ALU_FORMAT_SPEC_REG0_SrcAUnsigned, 0);
    TT_CFG(ALU_FORMAT_SPEC_REG0_SrcBUnsigned, 0);
    TT_CFG(ALU_FORMAT_SPEC_REG_SrcA_override, 0);
    TT_CFG(ALU_FORMAT_SPEC_REG_SrcB_override, 0);
    TT_CFG(ALU_FORMAT_SPEC_REG_Dstacc_override, 0);
    TT_CFG(ALU_ACC_CTRL_Fp32_enabled, 0);
    TT_CFG(ALU_ACC_CTRL_INT8_math_enabled, 0);
    TT_CFG(ALU_ACC_CTRL_Zero_Flag_disabled_src, 0);
    TT_CFG16(FIDELITY_BASE_Phase, 0);
    TT_CFG16(CLR_DVALID_SrcA_Disable, 0);
#ifdef ARCH_WORMHOLE
    TT_CFG16(ADDR_MOD_SET_Base, 0);
#else
    // The configured formats count, not those that came with the banks.
    TT_CFG16(DISABLE_IMPLIED_SRCA_FMT_Base, 1);
    TT_CFG16(DISABLE_IMPLIED_SRCB_FMT_Base, 1);
#endif
    // Modifier 0 goes on by eight rows; modifier 1, after the last rows, back to the first of Src.
    TT_CFG16(ADDR_MOD_AB_SEC0_SrcAIncr,
             TT_FIELD(ADDR_MOD_AB_SEC0_SrcAIncr, 8) | TT_FIELD(ADDR_MOD_AB_SEC0_SrcBIncr, 8));
    TT_CFG16(ADDR_MOD_DST_SEC0_DestIncr, 8);
    TT_CFG16(ADDR_MOD_BIAS_SEC0_BiasIncr, 0);
    TT_CFG16(ADDR_MOD_AB_SEC1_SrcAIncr,
             TT_FIELD(ADDR_MOD_AB_SEC1_SrcAClear, 1) | TT_FIELD(ADDR_MOD_AB_SEC1_SrcBClear, 1));
    TT_CFG16(ADDR_MOD_DST_SEC1_DestIncr, 8);
    TT_CFG16(ADDR_MOD_BIAS_SEC1_BiasIncr, 0);
}

static void prepare_mop(void)
{
    static const uint32_t words[9] = {
        4,
        2,
        TT(NOP),
#ifdef COPIES
        TT(SETRWC, BitMask(3), clear_ab_vld(3)),
        TT(NOP),
        TT(MOVA2D, instr_mod(2), addr_mode(0)),
        TT(NOP),
        TT(MOVA2D, instr_mod(2), addr_mode(0)),
        TT(MOVA2D, instr_mod(2), addr_mode(0)),
#else
        TT(NOP),
        TT(NOP),
        TT(ELWADD, addr_mode(0)),
        TT(NOP),
        TT(ELWADD, addr_mode(1), clear_dvalid(3)),
        TT(ELWADD, addr_mode(1), clear_dvalid(3)),
#endif
    };

    tt_wait_mop();
    for (uint32_t i = 0; i < 9; i++)
        tt_mop_config(i, words[i]);
}

int main(void)
{
    configure();
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
