// SPDX-License-Identifier: Apache-2.0
// What core T2 of examples in C sets first, and how it packs a tile of BF16: DATUMS datums, whose
// faces are FACE_UNITS units of 16 bytes each, which whoever includes this has named.
#ifndef EXAMPLES_PACK_BF16_H
#define EXAMPLES_PACK_BF16_H

#include <tessera/kernel/kernel.h>

static inline void configure_any_packer(void)
{
    TT_CFG(PCK_DEST_RD_CTRL_Read_32b_data, 0);
    TT_CFG(PCK_DEST_RD_CTRL_Read_int8, 0);
    TT_CFG(PCK_DEST_RD_CTRL_Read_unsigned, 0);
    TT_CFG(PCK_DEST_RD_CTRL_Round_10b_mant, 0);
    TT_CFG(PCK0_ADDR_CTRL_XY_REG_0_Ystride, 32); // bytes of a row of Dst
    TT_CFG(PCK0_ADDR_CTRL_ZW_REG_0_Zstride, 512);
    TT_CFG(PCK_EDGE_OFFSET_SEC0_mask, 0xffff); // no edge is masked
    TT_CFG(PCK_EDGE_TILE_ROW_SET_SELECT_select, 0);
    TT_CFG(THCON_SEC0_REG1_In_data_format, TT_FORMAT_BF16);
    TT_CFG(THCON_SEC0_REG1_Out_data_format, TT_FORMAT_BF16);
    TT_CFG(THCON_SEC0_REG1_Disable_zero_compress, 1);
    TT_CFG(THCON_SEC0_REG1_Pack_L1_Acc, 0);
    TT_CFG(PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 16);
    TT_CFG(STACC_RELU_ApplyRelu, 0);
    TTI(SETADCXY, CntSetMask(4), BitMask(10));
    TTI(SETADCZW, CntSetMask(4), BitMask(15));
}

#ifdef ARCH_WORMHOLE

// Four packers, a face each.
static inline void configure_packers(void)
{
    configure_any_packer();
    TT_CFG(THCON_SEC0_REG8_In_data_format, TT_FORMAT_BF16);
    TT_CFG(THCON_SEC0_REG8_Out_data_format, TT_FORMAT_BF16);
    TT_CFG(THCON_SEC0_REG8_Disable_zero_compress, 1);
    TT_CFG(THCON_SEC0_REG8_Pack_L1_Acc, 0);
    TT_CFG(THCON_SEC1_REG1_In_data_format, TT_FORMAT_BF16);
    TT_CFG(THCON_SEC1_REG1_Out_data_format, TT_FORMAT_BF16);
    TT_CFG(THCON_SEC1_REG1_Disable_zero_compress, 1);
    TT_CFG(THCON_SEC1_REG1_Pack_L1_Acc, 0);
    TT_CFG(THCON_SEC1_REG8_In_data_format, TT_FORMAT_BF16);
    TT_CFG(THCON_SEC1_REG8_Out_data_format, TT_FORMAT_BF16);
    TT_CFG(THCON_SEC1_REG8_Disable_zero_compress, 1);
    TT_CFG(THCON_SEC1_REG8_Pack_L1_Acc, 0);
    TT_CFG(PACK_COUNTERS_SEC1_pack_reads_per_xy_plane, 16);
    TT_CFG(PACK_COUNTERS_SEC2_pack_reads_per_xy_plane, 16);
    TT_CFG(PACK_COUNTERS_SEC3_pack_reads_per_xy_plane, 16);
    TT_CFG16(ADDR_MOD_PACK_SEC0_YsrcIncr, 0);
    TTI(SETADCXX, CntSetMask(4), x_start(0), x_end2(255));
}

static inline void pack(uint32_t row, uint32_t place)
{
    TT_CFG_PUSH(THCON_SEC0_REG1_L1_Dest_addr, place);
    TT_CFG_PUSH(THCON_SEC0_REG8_L1_Dest_addr, place + FACE_UNITS);
    TT_CFG_PUSH(THCON_SEC1_REG1_L1_Dest_addr, place + 2 * FACE_UNITS);
    TT_CFG_PUSH(THCON_SEC1_REG8_L1_Dest_addr, place + 3 * FACE_UNITS);
    TT_CFG_PUSH(DEST_TARGET_REG_CFG_PACK_SEC0_Offset, row);
    TT_CFG_PUSH(DEST_TARGET_REG_CFG_PACK_SEC1_Offset, row + 16);
    TT_CFG_PUSH(DEST_TARGET_REG_CFG_PACK_SEC2_Offset, row + 32);
    TT_CFG_PUSH(DEST_TARGET_REG_CFG_PACK_SEC3_Offset, row + 48);
    TTI(PACR, PackSel(15), Last(1));
}

#else

// One packer that reads four rows at a time; modifier 0 goes on to the next four, 1 back.
static inline void configure_packers(void)
{
    configure_any_packer();
    TT_CFG(PCK0_ADDR_CTRL_XY_REG_1_Ystride, 0);
    TT_CFG(PCK0_ADDR_CTRL_ZW_REG_1_Zstride, 0);
    TT_CFG(PCK0_ADDR_CTRL_ZW_REG_1_Wstride, 0);
    TT_CFG(DEST_ACCESS_CFG_remap_addrs, 0);
    TT_CFG(DEST_ACCESS_CFG_swizzle_32b, 0);
    TT_CFG16(ADDR_MOD_PACK_SEC0_YsrcIncr, 4);
    TT_CFG16(ADDR_MOD_PACK_SEC1_YsrcIncr, TT_FIELD(ADDR_MOD_PACK_SEC1_YsrcClear, 1));
    TTI(SETADCXX, CntSetMask(4), x_start(0), x_end2(15));
}

static inline void pack(uint32_t row, uint32_t place)
{
    TT_CFG_PUSH(THCON_SEC0_REG1_L1_Dest_addr, place);
    TT_CFG_PUSH(DEST_TARGET_REG_CFG_PACK_SEC0_Offset, row);
    for (uint32_t i = 1; i < DATUMS / (4 * 16); i++)
        TTI(PACR, AddrMode(0));
    TTI(PACR, AddrMode(1), Last(1));
}

#endif

#endif
