// SPDX-License-Identifier: Apache-2.0
// A small program of three threads: unpack two faces of BF16, add them, pack the sum; semaphore 1
// counts the halves of Dst that wait for the packer. For tests of the whole tile, the
// frontend, findings and the configuration watch.
#ifndef TESSERA_TESTS_FACE_RIG_H
#define TESSERA_TESTS_FACE_RIG_H

#include "rig/short_formats.h"
#include "rig/tile_rig.h"

enum { FACE = 256, FACE_BYTES = 512, FACE_A = 0x20000, FACE_B = 0x30000, FACE_C = 0x40000 };

// Small integers are exact in BF16.
static inline uint16_t face_bf16(unsigned value)
{
    if (value == 0)
        return 0;
    unsigned exponent = 31u - (unsigned)__builtin_clz(value);
    unsigned mantissa = (value << (7 - exponent)) & 0x7f;
    return (uint16_t)((127u + exponent) << 7 | mantissa);
}

static inline unsigned face_a(unsigned i, unsigned salt)
{
    return (i * 7 + salt) % 61;
}

static inline unsigned face_b(unsigned i, unsigned salt)
{
    return (i + 3 * salt) % 53;
}

static inline void face_put(tsr_tile *tile, uint32_t address, unsigned (*of)(unsigned, unsigned),
                            unsigned count, unsigned salt)
{
    for (unsigned i = 0; i < count; i++) {
        uint16_t datum = face_bf16(of(i, salt));
        uint8_t bytes[2] = {(uint8_t)datum, (uint8_t)(datum >> 8)};
        assert_int_equal(tsr_l1_write(tile, address + 2 * i, bytes, 2), TSR_OK);
    }
}

static inline void face_unpacker(tsr_tile *tile)
{
    static const enum tsr_field both[][2] = {
        {FIELD_THCON_SEC0_REG0_TileDescriptor_InDataFormat,
         FIELD_THCON_SEC1_REG0_TileDescriptor_InDataFormat},
        {FIELD_THCON_SEC0_REG2_Out_data_format, FIELD_THCON_SEC1_REG2_Out_data_format}};
    for (int i = 0; i < 2; i++)
        for (int u = 0; u < 2; u++)
            tile_field(tile, 0, both[i][u], BF16);
    static const enum tsr_field ones[] = {FIELD_THCON_SEC0_REG0_TileDescriptor_IsUncompressed,
                                          FIELD_THCON_SEC1_REG0_TileDescriptor_IsUncompressed,
                                          FIELD_THCON_SEC0_REG0_TileDescriptor_YDim,
                                          FIELD_THCON_SEC1_REG0_TileDescriptor_YDim,
                                          FIELD_THCON_SEC0_REG2_Disable_zero_compress_cntx0,
                                          FIELD_THCON_SEC1_REG2_Disable_zero_compress_cntx0,
                                          FIELD_UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr};
    for (size_t i = 0; i < sizeof ones / sizeof *ones; i++)
        tile_field(tile, 0, ones[i], 1);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG0_TileDescriptor_ZDim, 4);
    tile_field(tile, 0, FIELD_THCON_SEC1_REG0_TileDescriptor_ZDim, 4);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG2_Throttle_mode, 2);
    tile_field(tile, 0, FIELD_THCON_SEC1_REG2_Throttle_mode, 2);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG5_Tile_x_dim_cntx0, FACE);
    tile_field(tile, 0, FIELD_THCON_SEC1_REG0_TileDescriptor_XDim, FACE);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG5_Dest_cntx0_address, 64);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG3_Base_address, FACE_A / 16 - 1);
    tile_field(tile, 0, FIELD_THCON_SEC1_REG3_Base_address, FACE_B / 16 - 1);
    tile_field(tile, 0, FIELD_SRCA_SET_SetOvrdWithAddr, 1);
    for (int u = 0; u < 2; u++)
        tile_state(tile)->adcs.channel[0][u][1].x = FACE - 1;
}

static inline void face_matrix(tsr_tile *tile, int arch)
{
    tile_field(tile, 0, FIELD_ALU_FORMAT_SPEC_REG0_SrcA, BF16);
    tile_field(tile, 0, FIELD_ALU_FORMAT_SPEC_REG1_SrcB, BF16);
    tile_field(tile, 0, FIELD_ALU_FORMAT_SPEC_REG2_Dstacc, BF16);
    if (arch == BH) {
        tile_field(tile, 1, FIELD_DISABLE_IMPLIED_SRCA_FMT_Base, 1);
        tile_field(tile, 1, FIELD_DISABLE_IMPLIED_SRCB_FMT_Base, 1);
    }
    tile_field(tile, 1, FIELD_ADDR_MOD_AB_SEC0_SrcAIncr, 8);
    tile_field(tile, 1, FIELD_ADDR_MOD_AB_SEC0_SrcBIncr, 8);
    tile_field(tile, 1, FIELD_ADDR_MOD_DST_SEC0_DestIncr, 8);
    tile_field(tile, 1, FIELD_ADDR_MOD_AB_SEC1_SrcAClear, 1);
    tile_field(tile, 1, FIELD_ADDR_MOD_AB_SEC1_SrcBClear, 1);
    tile_field(tile, 1, FIELD_ADDR_MOD_DST_SEC1_DestIncr, 8);
}

static inline void face_packer(tsr_tile *tile, int arch)
{
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_In_data_format, BF16);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Out_data_format, BF16);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Disable_zero_compress, 1);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_L1_Dest_addr, FACE_C / 16 - 1);
    tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_XY_REG_0_Ystride, 32);
    tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_ZW_REG_0_Zstride, FACE_BYTES);
    tile_field(tile, 0, FIELD_PCK_EDGE_OFFSET_SEC0_mask, 0xffff);
    tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 16);
    if (arch == WH)
        tile_field(tile, 2, FIELD_ADDR_MOD_PACK_SEC0_ZsrcIncr, 1);
    else
        tile_field(tile, 2, FIELD_ADDR_MOD_PACK_SEC0_YsrcIncr, 4);
    tile_state(tile)->adcs.channel[2][TSR_ADC_PACKERS][1].x = arch == WH ? FACE - 1 : 15;
}

// A thread's MOP of type 1: how often both loops go round, and the words behind that
// (MOPExpander.md).
static inline void face_mop(tsr_tile *tile, int thread, uint32_t outer, uint32_t inner,
                            const char *const text[7])
{
    struct tsr_frontend *frontend = &tile_state(tile)->frontend[thread];
    frontend->mop_config[0] = outer;
    frontend->mop_config[1] = inner;
    for (int i = 0; i < 7; i++)
        frontend->mop_config[2 + i] = tile_word(tile, text[i]);
    frontend->mop_config_written = 0x1ff;
}

// Two faces' programs, which fit the FIFOs; `salt` changes the arrays.
static inline void face_load(tsr_tile *tile, int arch, unsigned salt)
{
    face_put(tile, FACE_A, face_a, 2 * FACE, salt);
    face_put(tile, FACE_B, face_b, 2 * FACE, salt);
    face_unpacker(tile);
    face_matrix(tile, arch);
    face_packer(tile, arch);
    tile_do(tile, 1, "SEMINIT sem_sel=2 init_value=0 max_value=1");
    char stall[80], unpackers_done[80];
    snprintf(stall, sizeof stall, "STALLWAIT stall_res=2 wait_res=%u",
             arch == WH ? 1u << 7 : 1u << 4);
    snprintf(unpackers_done, sizeof unpackers_done, "STALLWAIT stall_res=2 wait_res=8");
    for (int face = 0; face < 2; face++) {
        tile_push(tile, 0, "UNPACR OvrdThreadId=1 SetDatValid=1 Last=1 AddrMode=1");
        tile_push(tile, 0,
                  "UNPACR Unpack_block_selection=1 OvrdThreadId=1 SetDatValid=1 Last=1 "
                  "AddrMode=1");
        tile_push(tile, 1, "SEMWAIT sem_sel=2 wait_sem_cond=2 stall_res=0x40");
        tile_push(tile, 1, "ELWADD addr_mode=0");
        tile_push(tile, 1, "ELWADD addr_mode=1 clear_dvalid=3");
        tile_push(tile, 1, stall);
        tile_push(tile, 1, "SEMPOST sem_sel=2");
        tile_push(tile, 2, "SEMWAIT sem_sel=2 wait_sem_cond=1 stall_res=4");
        for (int i = arch == WH ? 3 : 0; i < 4; i++)
            tile_push(tile, 2, face == 1 && i == 3 ? "PACR Last=1" : "PACR Last=0");
        tile_push(tile, 2, unpackers_done);
        tile_push(tile, 2, "SEMGET sem_sel=2");
    }
}

static inline bool face_right(tsr_tile *tile, unsigned salt)
{
    for (unsigned i = 0; i < 2 * FACE; i++) {
        uint8_t got[2];
        tsr_l1_read(tile, FACE_C + 2 * i, got, 2);
        uint16_t want = face_bf16(face_a(i, salt) + face_b(i, salt));
        if ((got[0] | got[1] << 8) != want)
            return false;
    }
    return true;
}

#endif
