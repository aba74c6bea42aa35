// SPDX-License-Identifier: Apache-2.0
// What core T1 of examples in C sets first: the matrix unit reads and writes BF16.
#ifndef EXAMPLES_MATH_BF16_H
#define EXAMPLES_MATH_BF16_H

#include <tessera/kernel/kernel.h>

static inline void configure_formats(void)
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
    TT_CFG16(CLR_DVALID_SrcA_Disable, 0);
#ifdef ARCH_WORMHOLE
    TT_CFG16(ADDR_MOD_SET_Base, 0);
#else
    // The configured formats count, not those that came with the banks.
    TT_CFG16(DISABLE_IMPLIED_SRCA_FMT_Base, 1);
    TT_CFG16(DISABLE_IMPLIED_SRCB_FMT_Base, 1);
#endif
}

// For what goes through SrcA, SrcB and Dst by eight rows.
static inline void configure_steps(void)
{
    TT_CFG16(FIDELITY_BASE_Phase, 0);
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

#endif
