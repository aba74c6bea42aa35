// SPDX-License-Identifier: Apache-2.0
// Core T0: unpacks tile after tile of the column of B to SrcA and of the row of A to SrcB, as they
// come.
#include "grid_job.h"

#include <tessera/kernel/start.h>

// A tile is one row of 1024 datums to the unpackers: 64 rows of SrcA or SrcB.
static void configure(void)
{
    TT_CFG(THCON_SEC0_REG0_TileDescriptor_InDataFormat, TT_FORMAT_BF16);
    TT_CFG(THCON_SEC0_REG0_TileDescriptor_IsUncompressed, 1);
    TT_CFG(THCON_SEC0_REG0_TileDescriptor_YDim, 1);
    TT_CFG(THCON_SEC0_REG0_TileDescriptor_ZDim, 1);
    TT_CFG(THCON_SEC0_REG2_Out_data_format, TT_FORMAT_BF16);
    TT_CFG(THCON_SEC0_REG2_Throttle_mode, 2);
    TT_CFG(THCON_SEC0_REG2_Disable_zero_compress_cntx0, 1);
    TT_CFG(THCON_SEC0_REG5_Tile_x_dim_cntx0, DATUMS);
    TT_CFG(THCON_SEC0_REG5_Dest_cntx0_address, 64); // the first four rows are a dead zone
    TT_CFG(THCON_SEC0_REG7_Offset_address, 0);
    TT_CFG(UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr, 1);
    TT_CFG(UNP0_ADDR_CTRL_XY_REG_1_Ystride, 0);
    TT_CFG(UNP0_ADDR_CTRL_ZW_REG_1_Zstride, 0);
    TT_CFG(UNP0_ADDR_CTRL_ZW_REG_1_Wstride, 0);

    TT_CFG(THCON_SEC1_REG0_TileDescriptor_InDataFormat, TT_FORMAT_BF16);
    TT_CFG(THCON_SEC1_REG0_TileDescriptor_IsUncompressed, 1);
    TT_CFG(THCON_SEC1_REG0_TileDescriptor_XDim, DATUMS);
    TT_CFG(THCON_SEC1_REG0_TileDescriptor_YDim, 1);
    TT_CFG(THCON_SEC1_REG0_TileDescriptor_ZDim, 1);
    TT_CFG(THCON_SEC1_REG2_Out_data_format, TT_FORMAT_BF16);
    TT_CFG(THCON_SEC1_REG2_Throttle_mode, 2);
    TT_CFG(THCON_SEC1_REG2_Disable_zero_compress_cntx0, 1);
    TT_CFG(THCON_SEC1_REG7_Offset_address, 0);
    TT_CFG(UNP1_ADDR_CTRL_XY_REG_1_Ystride, 0);
    TT_CFG(UNP1_ADDR_CTRL_ZW_REG_1_Zstride, 0);
    TT_CFG(UNP1_ADDR_CTRL_ZW_REG_1_Wstride, 0);

    TT_CFG16(UNPACK_MISC_CFG_CfgContextOffset_0, 0);
    TT_CFG16(SRCA_SET_Base, TT_FIELD(SRCA_SET_SetOvrdWithAddr, 1));
    TTI(SETADCXX, CntSetMask(3), x_start(0), x_end2(DATUMS - 1));
    TTI(SETADCXY, CntSetMask(3), BitMask(10));
    TTI(SETADCZW, CntSetMask(3), BitMask(15));
}

static void wait_for_tiles(uint32_t count)
{
    while (tt_load(A_COUNT) < count || tt_load(B_COUNT) < count)
        tt_fence();
}

int main(void)
{
    configure();
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
