// SPDX-License-Identifier: Apache-2.0
// Core T0 of bench_compiled's additions and copies by faces: as in examples/eltwise_c, but a tile
// is four faces of 256 datums, and one MOP unpacks them to banks of SrcA and SrcB of their own.
// With COPIES the banks of SrcB are cleared instead.
#include "job.h"

#include <tessera/kernel/start.h>

enum { FACES = 4, FACE = DATUMS / FACES };

static void configure(void)
{
    TT_CFG(THCON_SEC0_REG0_TileDescriptor_InDataFormat, TT_FORMAT_BF16);
    TT_CFG(THCON_SEC0_REG0_TileDescriptor_IsUncompressed, 1);
    TT_CFG(THCON_SEC0_REG0_TileDescriptor_YDim, 1);
    TT_CFG(THCON_SEC0_REG0_TileDescriptor_ZDim, FACES);
    TT_CFG(THCON_SEC0_REG2_Out_data_format, TT_FORMAT_BF16);
    TT_CFG(THCON_SEC0_REG2_Throttle_mode, 2);
    TT_CFG(THCON_SEC0_REG2_Disable_zero_compress_cntx0, 1);
    TT_CFG(THCON_SEC0_REG5_Tile_x_dim_cntx0, FACE);
    TT_CFG(THCON_SEC0_REG5_Dest_cntx0_address, 64); // the first four rows are a dead zone
    TT_CFG(THCON_SEC0_REG7_Offset_address, 0);
    TT_CFG(UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr, 1);
    TT_CFG(UNP0_ADDR_CTRL_XY_REG_1_Ystride, 0);
    TT_CFG(UNP0_ADDR_CTRL_ZW_REG_1_Zstride, 0);
    TT_CFG(UNP0_ADDR_CTRL_ZW_REG_1_Wstride, 0);

    TT_CFG(THCON_SEC1_REG0_TileDescriptor_InDataFormat, TT_FORMAT_BF16);
    TT_CFG(THCON_SEC1_REG0_TileDescriptor_IsUncompressed, 1);
    TT_CFG(THCON_SEC1_REG0_TileDescriptor_XDim, FACE);
    TT_CFG(THCON_SEC1_REG0_TileDescriptor_YDim, 1);
    TT_CFG(THCON_SEC1_REG0_TileDescriptor_ZDim, FACES);
    TT_CFG(THCON_SEC1_REG2_Out_data_format, TT_FORMAT_BF16);
    TT_CFG(THCON_SEC1_REG2_Throttle_mode, 2);
    TT_CFG(THCON_SEC1_REG2_Disable_zero_compress_cntx0, 1);
    TT_CFG(THCON_SEC1_REG7_Offset_address, 0);
    TT_CFG(UNP1_ADDR_CTRL_XY_REG_1_Ystride, 0);
    TT_CFG(UNP1_ADDR_CTRL_ZW_REG_1_Zstride, 0);
    TT_CFG(UNP1_ADDR_CTRL_ZW_REG_1_Wstride, 0);

    TT_CFG16(UNPACK_MISC_CFG_CfgContextOffset_0, 0);
    TT_CFG16(SRCA_SET_Base, TT_FIELD(SRCA_SET_SetOvrdWithAddr, 1));
    TTI(SETADCXX, CntSetMask(3), x_start(0), x_end2(FACE - 1));
    TTI(SETADCXY, CntSetMask(3), BitMask(10));
}

// For each face one UNPACR of each unpacker, which goes on by a face.
static void prepare_mop(void)
{
#if !defined COPIES
    static const uint32_t words[9] = {
        FACES,
        1,
        TT(NOP),
        TT(UNPACR, Unpack_block_selection(1), AddrMode(1), OvrdThreadId(1), SetDatValid(1),
           Last(1)),
        TT(NOP),
        TT(UNPACR, Unpack_block_selection(0), AddrMode(1), OvrdThreadId(1), SetDatValid(1),
           Last(1)),
        TT(NOP),
        TT(UNPACR, Unpack_block_selection(0), AddrMode(1), OvrdThreadId(1), SetDatValid(1),
           Last(1)),
        TT(UNPACR, Unpack_block_selection(0), AddrMode(1), OvrdThreadId(1), SetDatValid(1),
           Last(1)),
    };
#else
#ifdef ARCH_WORMHOLE
#define CLEAR TT(UNPACR_NOP, Unpack_block_selection(1), NoOp(1))
#define GIVE TT(UNPACR_NOP, Unpack_block_selection(1), NoOp(7))
#else
#define CLEAR TT(UNPACR_NOP, Unpacker_Select(1), Unpack_Pop(1))
#define GIVE TT(UNPACR_NOP, Unpacker_Select(1), Unpack_Pop(3), Src_ClrVal_Ctrl(1))
#endif
    static const uint32_t words[9] = {
        FACES,
        1,
        TT(UNPACR, Unpack_block_selection(0), AddrMode(1), OvrdThreadId(1), SetDatValid(1),
           Last(1)),
        GIVE,
        TT(NOP),
        CLEAR,
        TT(NOP),
        CLEAR,
        CLEAR,
    };
#endif

    tt_wait_mop();
    for (uint32_t i = 0; i < 9; i++)
        tt_mop_config(i, words[i]);
}

int main(void)
{
    configure();
    prepare_mop();
    for (uint32_t tile = 0; tile < TILES; tile++) {
        // The base addresses may change only when no unpacker works with the old ones.
        TTI(STALLWAIT, stall_res(p_stall_STALL_CFG), wait_res(p_stall_UNPACK));
        TT_CFG_PUSH(THCON_SEC0_REG3_Base_address, A_BASE + tile * TILE_UNITS);
        TT_CFG_PUSH(THCON_SEC1_REG3_Base_address, B_BASE + tile * TILE_UNITS);
        TTI(SETADCZW, CntSetMask(3), BitMask(15));
        TTI(MOP, mop_type(1));
    }
    tt_done(0);
    return 0;
}
