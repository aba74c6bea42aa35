// SPDX-License-Identifier: Apache-2.0
// The reading side of PACR and what several packers do at once, worked by hand from the ISA pages
// by a reader who had not seen the code. Nothing is computed by the test. Pages:
// Packers/InputAddressGenerator, Packers/EdgeMasking, Packers/Downsampling, TDMA-RISC,
// SETDMAREG_Special, L1.

#include "rig/pack_vectors_rig.h"

static tsr_adc_channel *adc(tsr_tile *tile, int channel)
{
    return &tile_state(tile)->adcs.channel[0][TSR_ADC_PACKERS][channel];
}

// The start: all strides, in bytes of the intermediate format, then the offset in rows.
static void starts(int arch)
{
    static const struct {
        const char *what;
        int between;
        uint32_t base, y, ystride, z, zstride, w, wstride, offset, row;
    } rows[] = {
        {"INT16", INT16, 0x20, 2, 0x40, 1, 0x100, 1, 0x200, 0, 29}, // 1 + 4 + 8 + 16
        {"INT16 with offset", INT16, 0, 3, 0x20, 0, 0, 0, 0, 16, 19},
        {"INT32", INT32, 0x40, 2, 0x80, 1, 0x100, 0, 0, 0, 9}, // 1 + 4 + 4 rows of 64 bytes
        {"INT8", INT8, 0x10, 2, 0x20, 3, 0x10, 0, 0, 8, 16},   // 1 + 4 + 3 + 8
        {"W", INT16, 0, 0, 0, 0, 0, 5, 0x20, 0, 5},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool wide = rows[i].between != INT16;
        tsr_tile *tile = vec_tile(arch, rows[i].between, rows[i].between, wide);
        for (unsigned row = 0; row < 32; row++)
            for (unsigned c = 0; c < 16; c++)
                dst_value(tile, wide ? DST_32 : DST_RAW16, row, c, row);
        tile_field(tile, 0, FIELD_PCK0_ADDR_BASE_REG_0_Base, rows[i].base);
        tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_XY_REG_0_Ystride, rows[i].ystride);
        tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_ZW_REG_0_Zstride, rows[i].zstride);
        tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_ZW_REG_0_Wstride, rows[i].wstride);
        adc(tile, 0)->y = rows[i].y;
        adc(tile, 0)->z = rows[i].z;
        adc(tile, 0)->w = rows[i].w;
        vec_at_row(tile, rows[i].offset);
        pack_one(tile, "Last=1");
        IS(tile, rows[i].what, OUT,
           rows[i].between == INT16          ? 2u
           : wide && rows[i].between == INT8 ? 1u
                                             : 4u,
           rows[i].row, rows[i].row, rows[i].row);
        tsr_tile_destroy(tile);
    }
}

// X: the stride's low four bits count; without a stride X names a column of eight, with a stride of
// two bytes one of sixteen.
static void columns(int arch)
{
    static const struct {
        uint32_t stride, x, column;
    } rows[] = {{2, 8, 8}, {0x12, 8, 8}, {0, 8, 0}, {0, 3, 3}, {0x10, 11, 3}, {2, 11, 11}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsr_tile *tile = vec_tile(arch, INT16, INT16, false);
        dst_rows16(tile, 1);
        tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_XY_REG_0_Xstride, rows[i].stride);
        pack_datums(tile, rows[i].x, 4);
        pack_one(tile, "Last=1");
        uint32_t c = rows[i].column;
        IS(tile, "columns", OUT, 2, c, c + 1, c + 2, c + 3, 0, 0, 0, 0);
        tsr_tile_destroy(tile);
    }
}

// A row of Dst has ten bits: row 1023 is followed by row 0. Y is no finer than eight datums, and X
// is: 9 & ~7 and 3.
static void wormhole_addresses(void **state)
{
    (void)state;
    tsr_tile *tile = vec_tile(WH, INT16, INT16, false);
    dst_rows16(tile, 1);
    for (unsigned i = 0; i < 16; i++)
        dst_put(tile, 1023, i, 0x7700 | i, false);
    vec_at_row(tile, 1023);
    pack_datums(tile, 0, 32);
    pack_one(tile, "Last=1");
    IS(tile, "row 1023", OUT, 2, 0x7700, 0x7701);
    IS(tile, "row 0", OUT + 30, 2, 0x770f, 0x0000, 0x0001);
    tsr_tile_destroy(tile);

    tile = vec_tile(WH, INT16, INT16, false);
    dst_rows16(tile, 1);
    tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_XY_REG_0_Ystride, 18);
    adc(tile, 0)->y = 1;
    pack_datums(tile, 3, 4);
    pack_one(tile, "Last=1");
    IS(tile, "Y of nine datums", OUT, 2, 11, 12, 13, 14);
    tsr_tile_destroy(tile);

    // 24 datums: the mask goes round once and a half. Datums 0, 8 and 16.
    tile = vec_tile(WH, INT16, INT16, false);
    dst_rows16(tile, 2);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Downsample_mask, 0x0101);
    pack_datums(tile, 0, 24);
    pack_one(tile, "Last=1");
    IS(tile, "24 datums", OUT, 2, 0, 8, 0x100, 0, 0, 0, 0, 0);
    tsr_tile_destroy(tile);
}

// The configuration is that of the bank that the thread's StateID names.
static void banks(int arch)
{
    tsr_tile *tile = vec_tile(arch, INT16, INT16, false);
    dst_rows16(tile, 1);
    tile_field(tile, 1, FIELD_THCON_SEC0_REG1_In_data_format, INT16);
    tile_field(tile, 1, FIELD_THCON_SEC0_REG1_Out_data_format, INT16);
    tile_field(tile, 1, FIELD_THCON_SEC0_REG1_Disable_zero_compress, 1);
    tile_field(tile, 1, FIELD_THCON_SEC0_REG1_L1_Dest_addr, OUT / 16 - 1 + 0x10);
    tile_field(tile, 1, FIELD_THCON_SEC0_REG1_Downsample_mask, 2);
    tile_field(tile, 1, FIELD_ALU_FORMAT_SPEC_REG2_Dstacc, INT16);
    tile_field(tile, 1, FIELD_PCK_EDGE_OFFSET_SEC0_mask, 0xffff);
    tile_field(tile, 0, FIELD_CFG_STATE_ID_StateID, 1);
    pack_one(tile, "Last=1");
    IS(tile, "bank 1", OUT + 0x100, 2, 1, 0, 0, 0);
    tile_field(tile, 0, FIELD_CFG_STATE_ID_StateID, 0);
    pack_one(tile, "Last=1");
    IS(tile, "bank 0", OUT, 2, 0, 1, 2, 3);
    // A header of thread 1, whose StateID is 0, has bank 0's format.
    tile_field(tile, 1, FIELD_CFG_STATE_ID_StateID, 1);
    tile_field(tile, 1, FIELD_THCON_SEC0_REG1_Out_data_format, BF16);
    tile_do(tile, 1,
            "SETDMAREG SetSignalsMode=1 Payload_SigSelSize=1 Payload_SigSel=18 "
            "RegIndex16b=16"); // source 2, word 1
    assert_int_equal(tile_gpr(tile, 1, 8), 0x00150000);
    assert_int_equal(pack_state(tile, 2, 0, 1), 0x00190000);
    tsr_tile_destroy(tile);
}

static void sections_for_rows(tsr_tile *tile)
{
    tile_field(tile, 0, FIELD_PCK_EDGE_OFFSET_SEC1_mask, 0x00ff);
    tile_field(tile, 0, FIELD_PCK_EDGE_OFFSET_SEC2_mask, 0xff00);
    pack_mapping(tile, FIELD_TILE_ROW_SET_MAPPING_0_row_set_mapping_0, 1 | 2 << 2);
}

// Datums that downsampling discards were fetched: the next row has y 1.
static void positions_downsampled(int arch)
{
    tsr_tile *tile = vec_tile(arch, INT16, INT16, false);
    dst_rows16(tile, 2);
    sections_for_rows(tile);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Downsample_mask, 0x0202);
    pack_one(tile, ""); // columns 1 and 9, of 00ff
    vec_at_row(tile, 1);
    pack_one(tile, "Last=1"); // and of ff00
    IS(tile, "positions", OUT, 2, 1, 0, 0, 0x109, 0, 0, 0, 0);
    tsr_tile_destroy(tile);
}

// The position moves with each datum that is fetched from Dst: not with zeroes, nor from L1, nor
// with a flush.
static void positions_without_dst(void **state)
{
    (void)state;
    tsr_tile *tile = vec_tile(WH, INT16, INT16, false);
    dst_rows16(tile, 2);
    sections_for_rows(tile);
    pack_one(tile, "ZeroWrite=1 Last=1");
    pack_one(tile, "Flush=1");
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Source_interface_selection, 1);
    pack_one(tile, "Last=1");
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Source_interface_selection, 0);
    vec_at_row(tile, 1);
    pack_one(tile, "Last=1");
    IS(tile, "y 0", OUT, 2, 0x100, 0x101, 0x102, 0x103, 0x104, 0x105, 0x106, 0x107, 0, 0, 0, 0);
    tsr_tile_destroy(tile);
}

// L1 to L1, added to what is there: 1 + 2, 2 + -2, 5 + -3.
static void accumulate_from_l1(int arch)
{
    static const struct {
        int format;
        unsigned unit;
        uint32_t source[2], old[2], sum[2];
    } rows[] = {
        {FP32, 4, {0x3f800000, 0x40000000}, {0x40000000, 0xc0000000}, {0x40400000, 0}},
        {BF16, 2, {0x3f80, 0x4000}, {0x4000, 0xc000}, {0x4040, 0}},
        {FP16, 2, {0x3c00, 0x4000}, {0x4000, 0xc000}, {0x4200, 0}},
        {INT32, 4, {0x80000003, 0x7fffffff}, {5, 5}, {2, 0x7fffffff}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsr_tile *tile = vec_tile(arch, rows[i].format, rows[i].format, false);
        tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Source_interface_selection, 1);
        tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Pack_L1_Acc, 1);
        tile_field(tile, 0, FIELD_PCK0_ADDR_BASE_REG_0_Base, 0x8000);
        for (unsigned k = 0; k < 2; k++)
            for (unsigned half = 0; half < rows[i].unit / 2; half++) {
                uint16_t from = (uint16_t)(rows[i].source[k] >> 16 * half);
                uint16_t old = (uint16_t)(rows[i].old[k] >> 16 * half);
                vec_words16(tile, 0x8000 + rows[i].unit * k + 2 * half, &from, 1);
                vec_words16(tile, OUT + rows[i].unit * k + 2 * half, &old, 1);
            }
        pack_one(tile, "Last=1");
        vec_is(tile, "L1 to L1", OUT, rows[i].unit, rows[i].sum, 2);
        tsr_tile_destroy(tile);
    }
}

// Only packer 0 reads L1.
static void l1_of_packers(void **state)
{
    (void)state;
    static const uint16_t words[2] = {0x1234, 0x5678};
    tsr_tile *tile = vec_tile(WH, INT16, INT16, false);
    dst_rows16(tile, 1);
    vec_words16(tile, 0, words, 2);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Source_interface_selection, 1);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG8_Source_interface_selection, 1);
    tile_do(tile, 0, "PACR PackSel=1 Last=1");
    tile_do(tile, 0, "PACR PackSel=2 Last=1");
    IS(tile, "packer 0", OUT, 2, 0x1234, 0x5678, 0);
    IS(tile, "packer 1", OUT + 0x10000, 2, 0, 1, 2);
    tsr_tile_destroy(tile);
}

// Four packers of one PACR, with compression: rows 0 and 2 are zero. Flags a packer, bit 0 of each
// in one word, and sizes that source 8 resets for packers 0 and 2 alone.
static void four_packers(void **state)
{
    (void)state;
    static const enum tsr_field offsets[4] = {
        FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_Offset, FIELD_DEST_TARGET_REG_CFG_PACK_SEC1_Offset,
        FIELD_DEST_TARGET_REG_CFG_PACK_SEC2_Offset, FIELD_DEST_TARGET_REG_CFG_PACK_SEC3_Offset};
    tsr_tile *tile = vec_tile(WH, BF16, BF16, false);
    for (unsigned i = 0; i < 4; i++) {
        tile_field(tile, 0, PACKER(i, Disable_zero_compress), 0);
        tile_field(tile, 0, PACKER(i, Row_start_section_size), 1);
        tile_field(tile, 0, offsets[i], i);
        dst_row(tile, DST_BF16, i, (const uint32_t[16]){i % 2 ? 0x3f80 + i : 0});
    }
    tile_do(tile, 0, "PACR PackSel=15 Last=1");
    for (unsigned i = 0; i < 4; i++) {
        IS(tile, "row starts", OUT + 0x10000 * i, 2, 0, 2, 0);
        IS(tile, "datums", OUT + 0x10000 * i + 16, 2, i % 2 ? 0x3f80 + i : 0, 0, 0);
        IS(tile, "counts", OUT + 0x10000 * i + 80, 1, 0x0e, 0);
        assert_int_equal(pack_state(tile, 1, 0, i), i % 2 ? 0 : 1);
        assert_int_not_equal(pack_state(tile, 0, 0, i) >> 16, 0);
    }
    assert_int_equal(pack_state(tile, 8, 5, 0), 5);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(pack_state(tile, 0, 0, i) >> 16 == 0, i % 2 == 0);
    tsr_tile_destroy(tile);
}

// A PACR of several rows of Dst is one compression row: 3f80 (15), 0 (14), 0.
static void one_compression_row(int arch)
{
    tsr_tile *tile = vec_tile(arch, BF16, BF16, false);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Disable_zero_compress, 0);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Row_start_section_size, 1);
    dst_row(tile, DST_BF16, 0, (const uint32_t[16]){0x3f80});
    dst_row(tile, DST_BF16, 1, (const uint32_t[16]){0});
    if (arch == WH)
        pack_datums(tile, 0, 32);
    tile_do(tile, 0, arch == WH ? "PACR PackSel=1 Last=1" : "PACR ReadIntfSel=3 Last=1");
    IS(tile, "row starts", OUT, 2, 0, 3, 0, 0);
    IS(tile, "datums", OUT + 16, 2, 0x3f80, 0, 0, 0);
    IS(tile, "counts", OUT + 80, 1, 0xef, 0, 0);
    // Zeroes of ZeroWrite are dropped like others, and make a flag: 0 (15), 0 (14), 0.
    tile_do(tile, 0,
            arch == WH ? "PACR PackSel=1 ZeroWrite=1 Last=1"
                       : "PACR ReadIntfSel=3 ZeroWrite=1 Last=1");
    IS(tile, "zeroes", OUT + 16, 2, 0, 0, 0, 0);
    IS(tile, "their counts", OUT + 80, 1, 0xef, 0, 0);
    assert_int_equal(pack_state(tile, 1, 0, 0), 1);
    tsr_tile_destroy(tile);
}

// Above the status is what was stored there; below, empty and full of each packer.
static void metadata_status(int arch)
{
    tsr_tile *tile = vec_tile(arch, INT16, INT16, false);
    dst_rows16(tile, 1);
    assert_int_equal(tsr_store(tile, TSR_CORE_B, 0xffb11038, 0x12abcdef, 4), TSR_OK);
    assert_int_equal(vec_load(tile, 0xffb11038) >> 8, 0xabcdef);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Enable_out_fifo, 1);
    if (arch == WH) {
        assert_int_equal(vec_load(tile, 0xffb11038), 0xabcdef55);
        tile_field(tile, 0, FIELD_THCON_SEC1_REG1_Enable_out_fifo, 1);
        for (int i = 0; i < 4; i++)
            tile_do(tile, 0, "PACR PackSel=4 Last=1");
        assert_int_equal(vec_load(tile, 0xffb11038), 0xabcdef65); // packer 2 is full
        assert_int_equal(vec_load(tile, 0xffb11230), 2);
        assert_int_equal(vec_load(tile, 0xffb11234), 0);
        assert_int_equal(vec_load(tile, 0xffb11038), 0xabcdef45);
    }
    pack_one(tile, "Last=1");
    assert_int_equal(vec_load(tile, 0xffb11038) & 3, 0);
    assert_int_equal(vec_load(tile, 0xffb11030), 2);
    tsr_tile_destroy(tile);
}

TILE_BOTH(starts)
TILE_BOTH(columns)
TILE_BOTH(banks)
TILE_BOTH(positions_downsampled)
TILE_BOTH(accumulate_from_l1)
TILE_BOTH(one_compression_row)
TILE_BOTH(metadata_status)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(starts),
        TILE_TEST(columns),
        TILE_TEST(banks),
        TILE_TEST(positions_downsampled),
        TILE_TEST(accumulate_from_l1),
        TILE_TEST(one_compression_row),
        TILE_TEST(metadata_status),
        cmocka_unit_test(wormhole_addresses),
        cmocka_unit_test(positions_without_dst),
        cmocka_unit_test(l1_of_packers),
        cmocka_unit_test(four_packers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
