// SPDX-License-Identifier: Apache-2.0
// What PACR puts into L1, UNPACR takes out as the value that was packed, for every format that both
// have; and a masked tile has exactly the masked datums replaced.
// Pages: Packers/FormatConversion.md, Unpackers/FormatConversion.md, Packers/EdgeMasking.md.
#include "rig/pack_rig.h"

// The unpacker's context 0 reads 256 datums from where packer 0 writes, to SrcA.
static void configure_unpacker(tsr_tile *tile, int in, int out)
{
    const struct tsr_field_place *place =
        &tile_env(tile)->isa->field[FIELD_THCON_SEC0_REG0_TileDescriptor];
    tsr_config_write(tile_env(tile), 0, place->addr32, (uint32_t)in | 1u << 4 | 256u << 16, ~0u);
    tsr_config_write(tile_env(tile), 0, place->addr32 + 1, 1 | 1u << 16, ~0u);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG2_Out_data_format, (uint32_t)out);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG2_Throttle_mode, 2);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG2_Disable_zero_compress_cntx0, 1);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG3_Base_address, OUT / 16 - 1);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG5_Tile_x_dim_cntx0, 256);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG5_Dest_cntx0_address, 64);
    tile_field(tile, 0, FIELD_SRCA_SET_SetOvrdWithAddr, 1);
    tile_state(tile)->adcs.channel[0][0][1].x = 255;
}

static uint32_t src_at(tsr_tile *tile, unsigned i)
{
    return tile_state(tile)->src[TSR_SRCA].bank[0].datum[i / 16][i % 16];
}

static void pack_tile_of_16_rows(tsr_tile *tile, int arch)
{
    if (arch == WH) {
        pack_datums(tile, 0, 256);
        tile_do(tile, 0, "PACR PackSel=1 Last=1");
        return;
    }
    for (unsigned i = 0; i < 4; i++) {
        tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_Offset, 4 * i);
        tile_do(tile, 0, i == 3 ? "PACR Last=1" : "PACR");
    }
}

// Eight-bit exponents: 1.0 to 1.875 and its negatives, which a magnitude of `bits` holds without
// loss under one exponent. As SrcA has it: sign, exponent, ten bits of mantissa.
static uint32_t value_e8(unsigned i, unsigned bits)
{
    uint32_t step = i * 7 % (1u << (bits - 1)); // of the mantissa after the hidden bit
    return (i % 3 ? 0x80000000u : 0) | 127u << 23 | step << (23 - (bits - 1));
}

struct trip {
    int between, out, unpacked;
    bool wide;
    unsigned bits; // of the magnitude, the hidden bit included
};

static void check_e8(int arch, const struct trip *trip)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, trip->between, trip->out, trip->wide);
    tile_field(tile, 0, PACKER(0, Exp_section_size), 1);
    for (unsigned i = 0; i < 256; i++) {
        uint32_t value = value_e8(i, trip->bits);
        dst_put(tile, i / 16, i % 16,
                trip->wide ? tsr_dst_encode_fp32(value)
                           : tsr_dst_encode_bf16((uint16_t)(value >> 16)),
                trip->wide);
    }
    pack_tile_of_16_rows(tile, arch);
    // A TF32 in L1 is an FP32 whose last 13 bits are zero; unpacked as TF32 it would not fit.
    configure_unpacker(tile, trip->out == TF32 ? FP32 : trip->out, trip->unpacked);
    tile_do(tile, 0, "UNPACR OvrdThreadId=1 Last=1");
    for (unsigned i = 0; i < 256; i++)
        if (src_at(tile, i) != value_e8(i, trip->bits) >> 13)
            fail_msg("%d: datum %u is 0x%x", trip->out, i, (unsigned)src_at(tile, i));
    tsr_tile_destroy(tile);
}

static void test_e8(int arch)
{
    static const struct trip trips[] = {
        {FP32, FP32, TF32, true, 11}, {TF32, TF32, TF32, true, 11}, {BF16, TF32, TF32, false, 8},
        {BF16, BF16, BF16, false, 8}, {BF16, FP32, TF32, false, 8}, {BF16, BF16, BF16, true, 8},
        {BF16, BFP8, BFP8, false, 7}, {BF16, BFP4, BFP4, false, 3}, {BF16, BFP2, BFP2, false, 1},
        {FP32, BFP8, BFP8, true, 7},  {FP32, BFP4, BFP4, true, 3}};
    for (size_t i = 0; i < sizeof trips / sizeof *trips; i++)
        check_e8(arch, &trips[i]);
}
TILE_BOTH(test_e8)

// Five-bit exponents likewise: 15 is that of 1.0, and SrcA keeps it in its low bits.
static void check_e5(int arch, int between, int out, unsigned bits)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, between, out, false);
    uint16_t in[256];
    tile_field(tile, 0, PACKER(0, Exp_section_size), out != FP8); // which shares no exponents
    for (unsigned i = 0; i < 256; i++) {
        unsigned step = i * 7 % (1u << (bits - 1));
        in[i] = (uint16_t)((i % 3 ? 0x8000 : 0) | 15 << 10 | step << (10 - (bits - 1)));
        dst_put(tile, i / 16, i % 16, tsr_dst_encode_fp16(in[i]), false);
    }
    pack_tile_of_16_rows(tile, arch);
    configure_unpacker(tile, out, out);
    tile_do(tile, 0, "UNPACR OvrdThreadId=1 Last=1");
    for (unsigned i = 0; i < 256; i++) {
        uint32_t want = (uint32_t)(in[i] & 0x8000) << 3 | (in[i] & 0x7fff);
        if (src_at(tile, i) != want)
            fail_msg("%d: datum %u is 0x%x", out, i, (unsigned)src_at(tile, i));
    }
    tsr_tile_destroy(tile);
}

static void test_e5(int arch)
{
    check_e5(arch, FP16, FP16, 11);
    check_e5(arch, FP16, FP8, 3);
    check_e5(arch, FP16, BFP8A, 7);
    check_e5(arch, BFP8A, BFP8A, 7);
    check_e5(arch, FP16, BFP4A, 3);
    check_e5(arch, FP16, BFP2A, 1);
}
TILE_BOTH(test_e5)

// Sign and ten bits of magnitude with an exponent of 16, or 0 where there is no magnitude.
static void test_int8(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, INT8, INT8, true);
    for (unsigned i = 0; i < 256; i++)
        dst_put(tile, i / 16, i % 16, tsr_dst_encode_fp32((i & 0x80) << 24 | (i & 0x7f)), true);
    pack_tile_of_16_rows(tile, arch);
    configure_unpacker(tile, INT8, INT8);
    tile_do(tile, 0, "UNPACR OvrdThreadId=1 Last=1");
    for (unsigned i = 0; i < 256; i++) {
        uint32_t magnitude = i & 0x7f;
        assert_int_equal(src_at(tile, i),
                         (i & 0x80) << 11 | (magnitude ? 16u << 10 : 0) | magnitude);
    }
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_int8)

// ---------------------------------------------------------------- compression

enum { ROW_STARTS = 3, COMPRESSED_ROWS = 16 }; // of 17 row starts, in units of 16 bytes

static bool is_zero(unsigned i)
{
    return i % 5 != 0 && (i / 16) % 3 != 0; // rows without a zero, and rows full of them
}

// A row of Dst is a row of the compressed tile. FP8 and INT8 would get a section for exponents too,
// which unpackers do not look for.
static void pack_compressed(tsr_tile *tile, int out)
{
    tile_field(tile, 0, PACKER(0, Disable_zero_compress), 0);
    tile_field(tile, 0, PACKER(0, Row_start_section_size), ROW_STARTS);
    tile_field(tile, 0, PACKER(0, Exp_section_size), out != FP8 && out != INT8);
    for (unsigned row = 0; row < COMPRESSED_ROWS; row++) {
        tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_Offset, row);
        pack_one(tile, row == COMPRESSED_ROWS - 1 ? "Last=1" : "");
    }
}

static void unpack_compressed(tsr_tile *tile, int in, int out)
{
    configure_unpacker(tile, in, out);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG2_Disable_zero_compress_cntx0, 0);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG5_Tile_x_dim_cntx0, 16);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG0_TileDescriptor_YDim, COMPRESSED_ROWS);
    for (unsigned row = 0; row < COMPRESSED_ROWS; row++) {
        tile_state(tile)->adcs.channel[0][0][0].y = row;
        tile_state(tile)->adcs.channel[0][0][1].x = 15;
        tile_field(tile, 0, FIELD_THCON_SEC0_REG5_Dest_cntx0_address, 64 + 16 * row);
        tile_do(tile, 0, "UNPACR OvrdThreadId=1 Last=1");
    }
}

static void check_compressed_e8(int arch, const struct trip *trip)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, trip->between, trip->out, trip->wide);
    for (unsigned i = 0; i < 256; i++) {
        uint32_t value = is_zero(i) ? 0 : value_e8(i, trip->bits);
        dst_put(tile, i / 16, i % 16,
                trip->wide ? tsr_dst_encode_fp32(value)
                           : tsr_dst_encode_bf16((uint16_t)(value >> 16)),
                trip->wide);
    }
    pack_compressed(tile, trip->out);
    unpack_compressed(tile, trip->out == TF32 ? FP32 : trip->out, trip->unpacked);
    for (unsigned i = 0; i < 256; i++)
        if (src_at(tile, i) != (is_zero(i) ? 0 : value_e8(i, trip->bits) >> 13))
            fail_msg("%d: datum %u is 0x%x", trip->out, i, (unsigned)src_at(tile, i));
    tsr_tile_destroy(tile);
}

static void check_compressed_e5(int arch, int out, unsigned bits)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, FP16, out, false);
    uint16_t in[256];
    for (unsigned i = 0; i < 256; i++) {
        unsigned step = i * 7 % (1u << (bits - 1));
        in[i] = (uint16_t)((i % 3 ? 0x8000 : 0) | 15 << 10 | step << (10 - (bits - 1)));
        in[i] = is_zero(i) ? 0 : in[i];
        dst_put(tile, i / 16, i % 16, tsr_dst_encode_fp16(in[i]), false);
    }
    pack_compressed(tile, out);
    unpack_compressed(tile, out, out);
    for (unsigned i = 0; i < 256; i++)
        if (src_at(tile, i) != ((uint32_t)(in[i] & 0x8000) << 3 | (in[i] & 0x7fff)))
            fail_msg("%d: datum %u is 0x%x", out, i, (unsigned)src_at(tile, i));
    tsr_tile_destroy(tile);
}

// Every format of whole bytes and nibbles; the compressed form has no layout for two bits.
static void test_compressed(int arch)
{
    static const struct trip trips[] = {{FP32, FP32, TF32, true, 11},
                                        {BF16, TF32, TF32, false, 8},
                                        {BF16, BF16, BF16, false, 8},
                                        {BF16, BFP8, BFP8, false, 7},
                                        {BF16, BFP4, BFP4, false, 3}};
    for (size_t i = 0; i < sizeof trips / sizeof *trips; i++)
        check_compressed_e8(arch, &trips[i]);
    check_compressed_e5(arch, FP16, 11);
    check_compressed_e5(arch, FP8, 3);
    check_compressed_e5(arch, BFP8A, 7);
    check_compressed_e5(arch, BFP4A, 3);
}
TILE_BOTH(test_compressed)

static void test_compressed_integers(int arch)
{
    static const int formats[] = {INT16, INT8};
    for (int f = 0; f < 2; f++) {
        tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, formats[f], formats[f], f == 1);
        for (unsigned i = 0; i < 256; i++) {
            uint32_t value = is_zero(i) ? 0 : i % 100 + 1;
            dst_put(tile, i / 16, i % 16, f == 1 ? tsr_dst_encode_fp32(value) : value, f == 1);
        }
        pack_compressed(tile, formats[f]);
        unpack_compressed(tile, formats[f], formats[f]);
        for (unsigned i = 0; i < 256; i++) {
            uint32_t value = is_zero(i) ? 0 : i % 100 + 1;
            uint32_t want = f == 1 && value ? 16u << 10 | value : value << (f == 1 ? 0 : 10);
            assert_int_equal(src_at(tile, i), want);
        }
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_compressed_integers)

// ---------------------------------------------------------------- edge masks

// Two tiles, of which one was masked: they differ in the masked datums, which are zero or minus
// infinity, and nowhere else.
static void test_masked_tile(int arch)
{
    for (unsigned infinity = 0; infinity < 2; infinity++) {
        uint16_t unmasked[256];
        for (unsigned masked = 0; masked < 2; masked++) {
            tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, BF16, BF16, false);
            for (unsigned i = 0; i < 256; i++)
                dst_put(tile, i / 16, i % 16, tsr_dst_encode_bf16((uint16_t)(0x3f80 + i)), false);
            if (masked) { // rows 0 to 9 keep columns 0 to 4, the others none
                tile_field(tile, 0, FIELD_PCK_EDGE_OFFSET_SEC0_mask, 0x001f);
                tile_field(tile, 0, FIELD_PCK_EDGE_OFFSET_SEC3_mask, 0);
                pack_mapping(tile, FIELD_TILE_ROW_SET_MAPPING_0_row_set_mapping_0, 0xfff00000);
                tile_field(tile, 0, FIELD_PCK_EDGE_MODE_mode, infinity);
            }
            pack_tile_of_16_rows(tile, arch);
            for (unsigned i = 0; i < 256; i++) {
                bool replaced = masked && (i / 16 >= 10 || i % 16 >= 5);
                if (!masked)
                    unmasked[i] = (uint16_t)out16(tile, i);
                assert_int_equal(out16(tile, i), replaced ? (infinity ? 0xff80 : 0) : unmasked[i]);
            }
            assert_int_equal(unmasked[0], 0x3f80);
            tsr_tile_destroy(tile);
        }
    }
}
TILE_BOTH(test_masked_tile)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_e8),
        TILE_TEST(test_e5),
        TILE_TEST(test_int8),
        TILE_TEST(test_compressed),
        TILE_TEST(test_compressed_integers),
        TILE_TEST(test_masked_tile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
