// SPDX-License-Identifier: Apache-2.0
// Set-up of a tile for the benchmarks; see tile_set_up.h. Pages: UNPACR_Regular.md, MVMUL.md,
// PACR.md of each chip, BackendConfiguration.md.
#include "tile_set_up.h"

#include <stdio.h>

void configure_unpackers(tsr_tile *tile, unsigned format, unsigned datums)
{
    const struct setting settings[] = {
        {"UNP0_ADDR_CTRL_XY_REG_1_Ystride", 0},
        {"UNP0_ADDR_CTRL_ZW_REG_1_Zstride", 0},
        {"UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr", 0},
        {"THCON_SEC0_REG0_TileDescriptor.InDataFormat", format},
        {"THCON_SEC0_REG0_TileDescriptor.IsUncompressed", 1},
        {"THCON_SEC0_REG0_TileDescriptor.YDim", 1},
        {"THCON_SEC0_REG0_TileDescriptor.ZDim", 4},
        {"THCON_SEC0_REG2_Out_data_format", format},
        {"THCON_SEC0_REG2_Throttle_mode", 2},
        {"THCON_SEC0_REG2_Disable_zero_compress_cntx0", 1},
        {"THCON_SEC0_REG2_Disable_zero_compress_cntx1", 1},
        {"THCON_SEC0_REG5_Dest_cntx0_address", 64},
        {"THCON_SEC0_REG5_Dest_cntx1_address", 64},
        {"THCON_SEC0_REG5_Tile_x_dim_cntx0", datums},
        {"THCON_SEC0_REG5_Tile_x_dim_cntx1", datums},
        {"THCON_SEC0_REG7_Offset_address", 0},
        {"THCON_SEC0_REG7_Offset_cntx1_address", 0},
        {"UNP1_ADDR_CTRL_XY_REG_1_Ystride", 0},
        {"UNP1_ADDR_CTRL_ZW_REG_1_Zstride", 0},
        {"THCON_SEC1_REG0_TileDescriptor.InDataFormat", format},
        {"THCON_SEC1_REG0_TileDescriptor.IsUncompressed", 1},
        {"THCON_SEC1_REG0_TileDescriptor.XDim", datums},
        {"THCON_SEC1_REG0_TileDescriptor.YDim", 1},
        {"THCON_SEC1_REG0_TileDescriptor.ZDim", 4},
        {"THCON_SEC1_REG2_Out_data_format", format},
        {"THCON_SEC1_REG2_Throttle_mode", 2},
        {"THCON_SEC1_REG2_Disable_zero_compress_cntx0", 1},
        {"THCON_SEC1_REG2_Disable_zero_compress_cntx1", 1},
        {"THCON_SEC1_REG7_Offset_address", 0},
        {"THCON_SEC1_REG7_Offset_cntx1_address", 0},
    };
    configure(tile, settings, sizeof settings / sizeof *settings);
}

void configure_matrix(tsr_tile *tile, unsigned format, bool int8)
{
    const struct setting settings[] = {
        {"ALU_FORMAT_SPEC_REG0_SrcA", format},
        {"ALU_FORMAT_SPEC_REG1_SrcB", format},
        {"ALU_FORMAT_SPEC_REG2_Dstacc", int8 ? FORMAT_INT32 : format},
        {"ALU_FORMAT_SPEC_REG_SrcA_val", 0},
        {"ALU_ACC_CTRL_Fp32_enabled", 0},
        {"ALU_ACC_CTRL_INT8_math_enabled", int8},
    };
    configure(tile, settings, sizeof settings / sizeof *settings);
}

static int row_bytes(unsigned format)
{
    return format == FORMAT_INT32 ? 64 : 32;
}

// Packer i's registers; packers 1..3 write after packer 0, a face each (Wormhole).
static void configure_format(tsr_tile *tile, unsigned packer, unsigned format)
{
    uint32_t address = packer ? packer * (unsigned)row_bytes(format) - 1 : 0;
    const struct setting settings[] = {
        {"Row_start_section_size", 0}, {"Disable_zero_compress", 1}, {"In_data_format", format},
        {"Out_data_format", format},   {"Pack_L1_Acc", 0},           {"L1_Dest_addr", address}};
    configure_packer(tile, packer, settings, sizeof settings / sizeof *settings);
}

void configure_packers(tsr_tile *tile, unsigned format)
{
    const struct setting settings[] = {
        {"PCK0_ADDR_CTRL_XY_REG_0_Ystride", (uint32_t)row_bytes(format)},
        {"PCK0_ADDR_CTRL_ZW_REG_0_Zstride", 16 * (uint32_t)row_bytes(format)},
        {"PCK0_ADDR_CTRL_XY_REG_1_Ystride", 0},
        {"PCK0_ADDR_CTRL_ZW_REG_1_Zstride", 0},
        {"PCK_DEST_RD_CTRL_Read_32b_data", format == FORMAT_INT32},
        {"PCK_EDGE_OFFSET_SEC0_mask", 0xffff},
    };
    configure(tile, settings, sizeof settings / sizeof *settings);
    for (unsigned i = 0; i < (tsr_tile_arch(tile) == TSR_WORMHOLE_B0 ? 4 : 1); i++)
        configure_format(tile, i, format);
}

// Modifier 0 steps SrcA, SrcB and Dst by eight rows.
void set_up_thread(struct program *program, unsigned datums)
{
    bool wormhole = program->arch == TSR_WORMHOLE_B0;
    program_setc16(program, "SRCA_SET_SetOvrdWithAddr", 1);
    program_setc16(program, "DEST_TARGET_REG_CFG_MATH_Offset", 0);
    program_setc16(program, "CLR_DVALID_SrcA_Disable", 0);
    program_setc16(program, "ADDR_MOD_AB_SEC0_SrcAIncr", 8 | 8 << 8);
    program_setc16(program, "ADDR_MOD_DST_SEC0_DestIncr", 8);
    program_setc16(program, "ADDR_MOD_BIAS_SEC0_BiasIncr", 0);
    program_setc16(program, "ADDR_MOD_PACK_SEC0_YsrcIncr", wormhole ? 0 : 4);
    program_add(program, "SETADCXX CntSetMask=3 x_end2=%u", datums - 1);
    program_add(program, "SETADCXX CntSetMask=4 x_end2=%d", wormhole ? 255 : 15);
    program_add(program, "SETADCXY CntSetMask=7 BitMask=10");
    program_add(program, "SETADCZW CntSetMask=7 BitMask=15");
}

// Modifiers step SrcB by eight rows, over the other face of its pair, on to the next block of SrcA
// in the same pair of faces, and in the other pair.
void set_up_product(struct program *program)
{
    static const unsigned steps[4][2] = {{0, 8}, {0, 24}, {16, 24}, {16, 40}};
    static const unsigned mod[MVMULS] = {0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0, 0};
    char field[60];
    for (int i = 0; i < 4; i++) {
        snprintf(field, sizeof field, "ADDR_MOD_AB_SEC%d_SrcAIncr", i);
        program_setc16(program, field, steps[i][0] | steps[i][1] << 8);
        snprintf(field, sizeof field, "ADDR_MOD_DST_SEC%d_DestIncr", i);
        program_setc16(program, field, 0);
    }
    program_add(program, "REPLAY load_mode=1 len=%d", MVMULS);
    for (int i = 0; i < MVMULS; i++) { // SrcA's face 2k + c onto Dst's faces c and 2 + c
        int c = i / 4 % 2, r = i / 2 % 2, half = i % 2;
        program_add(program, "MVMUL dst=%d addr_mode=%u", 16 * (2 * r + c) + 8 * half, mod[i]);
    }
}
