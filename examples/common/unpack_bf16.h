// SPDX-License-Identifier: Apache-2.0
// What core T0 of examples in C sets first: both unpackers take tiles of BF16 from L1 to SrcA and
// SrcB, as ROWS rows of ROW datums each, which whoever includes this has named.
#ifndef EXAMPLES_UNPACK_BF16_H
#define EXAMPLES_UNPACK_BF16_H

#include <tessera/kernel/kernel.h>

static inline void configure_unpackers(void)
{
    TT_CFG(THCON_SEC0_REG0_TileDescriptor_InDataFormat, TT_FORMAT_BF16);
    TT_CFG(THCON_SEC0_REG0_TileDescriptor_IsUncompressed, 1);
    TT_CFG(THCON_SEC0_REG0_TileDescriptor_YDim, 1);
    TT_CFG(THCON_SEC0_REG0_TileDescriptor_ZDim, ROWS);
    TT_CFG(THCON_SEC0_REG2_Out_data_format, TT_FORMAT_BF16);
    TT_CFG(THCON_SEC0_REG2_Throttle_mode, 2);
    TT_CFG(THCON_SEC0_REG2_Disable_zero_compress_cntx0, 1);
    TT_CFG(THCON_SEC0_REG5_Tile_x_dim_cntx0, ROW);
    TT_CFG(THCON_SEC0_REG5_Dest_cntx0_address, 64); // the first four rows are a dead zone
    TT_CFG(THCON_SEC0_REG7_Offset_address, 0);
    TT_CFG(UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr, 1);
    TT_CFG(UNP0_ADDR_CTRL_XY_REG_1_Ystride, 0);
    TT_CFG(UNP0_ADDR_CTRL_ZW_REG_1_Zstride, 0);
    TT_CFG(UNP0_ADDR_CTRL_ZW_REG_1_Wstride, 0);

    TT_CFG(THCON_SEC1_REG0_TileDescriptor_InDataFormat, TT_FORMAT_BF16);
    TT_CFG(THCON_SEC1_REG0_TileDescriptor_IsUncompressed, 1);
    TT_CFG(THCON_SEC1_REG0_TileDescriptor_XDim, ROW);
    TT_CFG(THCON_SEC1_REG0_TileDescriptor_YDim, 1);
    TT_CFG(THCON_SEC1_REG0_TileDescriptor_ZDim, ROWS);
    TT_CFG(THCON_SEC1_REG2_Out_data_format, TT_FORMAT_BF16);
    TT_CFG(THCON_SEC1_REG2_Throttle_mode, 2);
    TT_CFG(THCON_SEC1_REG2_Disable_zero_compress_cntx0, 1);
    TT_CFG(THCON_SEC1_REG7_Offset_address, 0);
    TT_CFG(UNP1_ADDR_CTRL_XY_REG_1_Ystride, 0);
    TT_CFG(UNP1_ADDR_CTRL_ZW_REG_1_Zstride, 0);
    TT_CFG(UNP1_ADDR_CTRL_ZW_REG_1_Wstride, 0);

    TT_CFG16(UNPACK_MISC_CFG_CfgContextOffset_0, 0);
    TT_CFG16(SRCA_SET_Base, TT_FIELD(SRCA_SET_SetOvrdWithAddr, 1));
    TTI(SETADCXX, CntSetMask(3), x_start(0), x_end2(ROW - 1));
    TTI(SETADCXY, CntSetMask(3), BitMask(10));
    TTI(SETADCZW, CntSetMask(3), BitMask(15));
}

#endif
