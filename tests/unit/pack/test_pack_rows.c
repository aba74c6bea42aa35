// SPDX-License-Identifier: Apache-2.0
// Which datums of Dst a PACR reads: input addresses, packers and read interfaces, edge masks, the
// counters that it steps, and what it refuses. Pages: PACR.md of each chip,
// Packers/InputAddressGenerator.md, Packers/EdgeMasking.md, Dst.md.
#include "rig/pack_rig.h"

static tsr_tile *counting(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, INT16, INT16, false);
    dst_count(tile, 0);
    return tile;
}

static tsr_adc_channel *adc_of(tsr_tile *tile, int thread, int channel)
{
    return &tile_state(tile)->adcs.channel[thread][TSR_ADC_PACKERS][channel];
}

// ---------------------------------------------------------------- input addresses

static void test_input_strides(int arch)
{
    tsr_tile *tile = counting(arch);
    tile_field(tile, 0, FIELD_PCK0_ADDR_BASE_REG_0_Base, 32);
    tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_XY_REG_0_Ystride, 64);
    tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_ZW_REG_0_Zstride, 256);
    tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_ZW_REG_0_Wstride, 1024);
    *adc_of(tile, 0, 0) = (tsr_adc_channel){.y = 3, .z = 2, .w = 1};
    pack_one(tile, "Last=1"); // (32 + 192 + 512 + 1024) / 2 datums
    assert_int_equal(out16(tile, 0), 880);
    assert_int_equal(out16(tile, 15), 895);
    tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_Offset, 100); // rows
    pack_one(tile, "Last=1");
    assert_int_equal(out16(tile, 0), 880 + 1600);
    tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_Offset, 1023); // around the end
    pack_one(tile, "Last=1");
    assert_int_equal(out16(tile, 0), 880 - 16);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_input_strides)

// X counts datums within 16 bytes; the strides' part loses what lies below that.
static void test_input_columns(int arch)
{
    tsr_tile *tile = counting(arch);
    pack_datums(tile, 5, 3);
    tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_XY_REG_0_Ystride, 22); // 11 datums: 8 count
    adc_of(tile, 0, 0)->y = 1;
    pack_one(tile, "Last=1");
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(out16(tile, i), i < 3 ? 13 + i : 0);
    pack_datums(tile, 13, 3); // 13 & 7; without an X stride the 8 is lost
    adc_of(tile, 0, 0)->y = 0;
    pack_one(tile, "Last=1");
    assert_int_equal(out16(tile, 0), 5);
    tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_XY_REG_0_Xstride, 2);
    pack_one(tile, "Last=1");
    assert_int_equal(out16(tile, 0), 13);
    assert_int_equal(out16(tile, 2), 15);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_input_columns)

// Datums of four bytes and of one: other divisors and other masks of X.
static void test_input_sizes(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, INT32, INT32, true);
    for (unsigned i = 0; i < 64; i++)
        dst_put(tile, i / 16, i % 16, tsr_dst_encode_fp32(i), true);
    tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_XY_REG_0_Ystride, 64);
    adc_of(tile, 0, 0)->y = 2;
    pack_datums(tile, 7, 2); // 7 & 3
    pack_one(tile, "Last=1");
    assert_int_equal(out_at(tile, OUT, 4), 35);
    tsr_tile_destroy(tile);
    tile = pack_tile(arch, TSR_PROFILE_STRICT, INT8, INT8, true);
    for (unsigned i = 0; i < 64; i++)
        dst_put(tile, i / 16, i % 16, tsr_dst_encode_fp32(i), true);
    tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_XY_REG_0_Ystride, 16);
    adc_of(tile, 0, 0)->y = 2;
    pack_datums(tile, 13, 2); // 13 & 15
    pack_one(tile, "Last=1");
    assert_int_equal(out_at(tile, OUT, 1), 45);
    assert_int_equal(out_at(tile, OUT + 1, 1), 46);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_input_sizes)

static void test_x_range(int arch)
{
    for (int stop = 0; stop < 2; stop++) {
        tsr_profile profile = stop ? TSR_PROFILE_STRICT : TSR_PROFILE_SILICON;
        tsr_tile *tile = pack_tile(arch, profile, INT16, INT16, false);
        dst_count(tile, 0);
        pack_datums(tile, 3, 0); // X1 before X0
        tile_push(tile, 0, "PACR Last=1");
        assert_int_equal(tile_run(tile), stop ? TSR_END_STOPPED : TSR_END_IDLE);
        assert_non_null(tile_found(tile, "pack-x-range"));
        assert_false(was_written(tile, OUT, 64));
        tsr_tile_destroy(tile);
    }
    tsr_tile *tile = counting(BH); // a read interface has one row
    pack_datums(tile, 4, 13);
    tile_push(tile, 0, "PACR ReadIntfSel=1 Last=1");
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    assert_non_null(tile_found(tile, "pack-x-range"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_x_range)

static void test_invalid_rows(int arch)
{
    tsr_tile *tile = counting(arch);
    tile_state(tile)->dst.valid[0] = false;
    tile_state(tile)->dst.written[0] = 0; // nobody minds
    pack_one(tile, "Last=1");
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(out16(tile, i), 0);
    assert_true(was_written(tile, OUT, 32));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_invalid_rows)

static void test_shadow(int arch)
{
    const char *text = arch == WH ? "PACR Last=1" : "PACR ReadIntfSel=1 Last=1";
    tsr_tile *tile = counting(arch);
    tile_state(tile)->dst.written[0] = 0xfdff;
    tile_push(tile, 0, text);
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    const tsr_diagnostic *found = tile_found(tile, "uninitialised-dst");
    assert_non_null(found);
    assert_non_null(strstr(found->sentence, "0x0200"));
    assert_false(was_written(tile, OUT, 32));
    tsr_tile_reset(tile);
    pack_formats(tile, INT16, INT16, false);
    dst_count(tile, 0);
    tile_state(tile)->dst.written[0] = 0xfdff;
    pack_datums(tile, 0, 9); // the column is not read
    tile_do(tile, 0, text);
    tsr_tile_destroy(tile);
    tile = pack_tile(arch, TSR_PROFILE_SILICON, INT16, INT16, false);
    dst_count(tile, 0);
    tile_state(tile)->dst.tainted[0] = 0x0004;
    tile_do(tile, 0, text);
    assert_non_null(tile_found(tile, "tainted-datum-used"));
    assert_true(tsr_l1_any_tainted(&tile_state(tile)->l1, OUT, 32));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_shadow)

// Dst has 512 rows of 32-bit datums.
static void test_wide_rows(int arch)
{
    for (int stop = 0; stop < 2; stop++) {
        tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, INT32, INT32, true);
        tsr_tile_set_policy(tile, "dst-row-range", stop ? TSR_ACTION_STOP : TSR_ACTION_RECORD);
        for (unsigned row = 0; row < 512; row++)
            for (unsigned i = 0; i < 16; i++)
                dst_put(tile, row, i, tsr_dst_encode_fp32(row * 16 + i), true);
        tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_Offset, 511);
        pack_one(tile, "Last=1");
        assert_int_equal(out_at(tile, OUT + 60, 4), 511 * 16 + 15);
        assert_int_equal(tsr_diagnostic_count(tile), 0);
        tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_Offset, 512 + 9);
        tile_push(tile, 0, arch == WH ? "PACR Last=1" : "PACR ReadIntfSel=1 Last=1");
        assert_int_equal(tile_run(tile), stop ? TSR_END_STOPPED : TSR_END_IDLE);
        assert_non_null(tile_found(tile, "dst-row-range"));
        if (!stop) { // row 521 folds onto physical 529, where row 265's high half lies
            assert_int_equal(tsr_dst_row32(521), 529);
            assert_int_equal(out_at(tile, OUT, 4), 265 * 16);
        }
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_wide_rows)

// ---------------------------------------------------------------- packers, interfaces

static void test_packers(void **state)
{
    (void)state;
    static const enum tsr_field offset[4] = {
        FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_Offset, FIELD_DEST_TARGET_REG_CFG_PACK_SEC1_Offset,
        FIELD_DEST_TARGET_REG_CFG_PACK_SEC2_Offset, FIELD_DEST_TARGET_REG_CFG_PACK_SEC3_Offset};
    static const unsigned listed =
        1u << 0 | 1u << 1 | 1u << 2 | 1u << 3 | 1u << 4 | 1u << 8 | 1u << 12 | 1u << 15;
    for (unsigned mask = 0; mask < 16; mask++) {
        tsr_tile *tile = pack_tile(WH, TSR_PROFILE_SILICON, INT16, INT16, false);
        char text[60];
        dst_count(tile, 0);
        for (unsigned i = 0; i < 4; i++)
            tile_field(tile, 0, offset[i], 10 * i);
        for (unsigned i = 1; i < 4; i++)
            tile_field(tile, 0, (enum tsr_field)PACKER(i, L1_Dest_addr), OUT / 16 - 1 + 0x100 * i);
        snprintf(text, sizeof text, "PACR PackSel=%u Last=1", mask);
        tile_do(tile, 0, text);
        unsigned works = mask ? mask : 1;
        for (unsigned i = 0; i < 4; i++) {
            uint32_t at = OUT + 0x1000 * i;
            assert_int_equal(was_written(tile, at, 32), works >> i & 1);
            if (works >> i & 1)
                assert_int_equal(out_at(tile, at + 2, 2), 160 * i + 1);
        }
        assert_int_equal(tile_found(tile, "pack-selection") != NULL, !(listed >> mask & 1));
        assert_int_equal(tsr_l1_any_tainted(&tile_state(tile)->l1, OUT, 0x4000),
                         !(listed >> mask & 1));
        tsr_tile_destroy(tile);
    }
}

// Blackhole: each bit of the mask a row, in order; a mask of zero is all four.
static void test_interfaces(void **state)
{
    (void)state;
    for (unsigned mask = 0; mask < 16; mask++) {
        for (unsigned low = 0; low < 4; low++) {
            unsigned rows = mask ? mask : 15, at = 0;
            bool leaves = (rows << low) > 15;
            tsr_tile *tile = pack_tile(BH, TSR_PROFILE_SILICON, INT16, INT16, false);
            char text[60];
            dst_count(tile, 0);
            tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_Offset, 8 + low);
            pack_datums(tile, 2, 5);
            snprintf(text, sizeof text, "PACR ReadIntfSel=%u Last=1", mask);
            tile_do(tile, 0, text);
            assert_int_equal(tile_found(tile, "pack-interface-mask") != NULL, leaves);
            assert_int_equal(tsr_l1_any_tainted(&tile_state(tile)->l1, OUT, 64), leaves);
            for (unsigned k = 0; k < 4; k++)
                for (unsigned i = 0; i < 5 && (rows >> k & 1); i++)
                    assert_int_equal(out16(tile, at++), (8 + low + k) * 16 + 2 + i);
            unsigned line = (at + 7) / 8 * 8; // what is past the last line stays
            assert_int_equal(tsr_l1_first_unwritten(&tile_state(tile)->l1, OUT, 256), 2 * line);
            tsr_tile_destroy(tile);
        }
    }
    tsr_tile *tile = counting(BH);
    tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_Offset, 9);
    tile_push(tile, 0, "PACR ReadIntfSel=8 Last=1");
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    tsr_tile_destroy(tile);
}

// ---------------------------------------------------------------- edge masks

// Row sets: entries 0, 1, 2, 3 of the mapping name masks of 16, 8, 0 and odd columns.
static void set_edges(tsr_tile *tile)
{
    static const enum tsr_field mask[4] = {
        FIELD_PCK_EDGE_OFFSET_SEC0_mask, FIELD_PCK_EDGE_OFFSET_SEC1_mask,
        FIELD_PCK_EDGE_OFFSET_SEC2_mask, FIELD_PCK_EDGE_OFFSET_SEC3_mask};
    static const uint32_t masks[4] = {0xffff, 0x00ff, 0x0000, 0xaaaa};
    for (int i = 0; i < 4; i++)
        tile_field(tile, 0, mask[i], masks[i]);
    tile_field(tile, 0, FIELD_PCK_EDGE_TILE_ROW_SET_SELECT_select, 2); // packer 0 takes set 2
    const struct tsr_field_place *place =
        &tile_env(tile)->isa->field[FIELD_TILE_ROW_SET_MAPPING_2_row_set_mapping_0];
    uint32_t entries = 0; // of row r: r & 3, but row 15 has 0
    for (uint32_t row = 0; row < 15; row++)
        entries |= (row & 3) << (2 * row);
    tsr_config_write(tile_env(tile), 0, place->addr32, entries, 0xffffffff);
}

static uint32_t edged(unsigned position, unsigned column, uint32_t value)
{
    static const uint32_t masks[4] = {0xffff, 0x00ff, 0x0000, 0xaaaa};
    unsigned row = position & 15;
    return masks[row == 15 ? 0 : row & 3] >> column & 1 ? value : 0;
}

static void test_edges(int arch)
{
    tsr_tile *tile = counting(arch);
    set_edges(tile);
    tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 6);
    tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_XY_REG_0_Ystride, 32);
    tile_field(tile, 0, FIELD_ADDR_MOD_PACK_SEC0_YsrcIncr, 1);
    for (unsigned row = 0; row < 20; row++)
        pack_one(tile, row == 19 ? "Last=1" : "");
    for (unsigned i = 0; i < 320; i++)
        assert_int_equal(out16(tile, i), edged(i / 16 % 6, i % 16, i));
    assert_int_equal(tile_state(tile)->packers.packer[0].y, 20 % 6);
    assert_int_equal(tile_state(tile)->packers.packer[0].z, 3);
    pack_one(tile, "Last=1"); // the position of another section
    assert_int_equal(tile_state(tile)->packers.packer[0].y, 1);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_edges)

// Wormhole counts datums: a PACR may begin and end inside a tile row.
static void test_edges_by_datums(void **state)
{
    (void)state;
    tsr_tile *tile = counting(WH);
    set_edges(tile);
    pack_datums(tile, 0, 5);
    pack_one(tile, "");
    pack_datums(tile, 3, 300);
    pack_one(tile, "Last=1");
    for (unsigned i = 0; i < 305; i++) {
        unsigned index = i < 5 ? i : i - 5 + 3; // in Dst: the mask looks at its column
        assert_int_equal(out16(tile, i), edged(i / 16, index % 16, index));
    }
    assert_int_equal(tile_state(tile)->packers.packer[0].x, 305 % 16);
    tsr_tile_destroy(tile);
    tile = counting(WH);
    set_edges(tile);
    tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC0_pack_yz_transposed, 1);
    tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 3);
    pack_datums(tile, 0, 128);
    pack_one(tile, "Last=1");
    for (unsigned i = 0; i < 128; i++)
        assert_int_equal(out16(tile, i), edged(i / 48, i % 16, i));
    tsr_tile_destroy(tile);
}

// Blackhole counts read interfaces, eight bits wide, and starts anew only on the very number.
static void test_edges_by_interfaces(void **state)
{
    (void)state;
    tsr_tile *tile = counting(BH);
    set_edges(tile);
    tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 5);
    for (unsigned pacr = 0; pacr < 6; pacr++)
        tile_do(tile, 0, pacr == 5 ? "PACR ReadIntfSel=13 Last=1" : "PACR ReadIntfSel=13");
    for (unsigned i = 0; i < 18 * 16; i++) {
        static const unsigned rows[3] = {0, 2, 3};
        unsigned index = rows[i / 16 % 3] * 16 + i % 16;
        assert_int_equal(out16(tile, i), edged(i / 16, i % 16, index)); // steps over 5
    }
    assert_int_equal(tile_state(tile)->packers.packer[0].y, 18);
    tile_do(tile, 0, "PACR ReadIntfSel=1");
    tile_state(tile)->packers.packer[0].y = 254;
    tile_do(tile, 0, "PACR ReadIntfSel=3 Last=1");
    assert_int_equal(tile_state(tile)->packers.packer[0].y, 0);
    assert_int_equal(out16(tile, 17), edged(254, 1, 1));
    assert_int_equal(out16(tile, 33), edged(255, 1, 17));
    tile_do(tile, 0, "PACR ReadIntfSel=1");
    tile_state(tile)->packers.packer[0].y = 2;
    tile_do(tile, 0, "PACR ReadIntfSel=7 Last=1");
    assert_int_equal(tile_state(tile)->packers.packer[0].y, 0);
    tsr_tile_destroy(tile);
}

// A masked datum is zero before anything is made of it, and need not have been written.
static void test_edges_spare_datums(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, BF16, FP32, false);
    for (unsigned i = 0; i < 8; i++)
        dst_put(tile, 0, i, tsr_dst_encode_bf16(0xbf80), false);
    tile_field(tile, 0, FIELD_PCK_EDGE_OFFSET_SEC0_mask, 0x000f);
    pack_one(tile, "Last=1");
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(out_at(tile, OUT + 4 * i, 4), i < 4 ? 0xbf800000 : 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_edges_spare_datums)

// ---------------------------------------------------------------- counters

static void set_modifier(tsr_tile *tile, int thread, unsigned index, uint16_t value)
{
    unsigned word = tile_env(tile)->isa->field[FIELD_ADDR_MOD_PACK_SEC0_YsrcIncr].addr32 + index;
    tsr_thread_config_write(tile_env(tile), thread, word, value);
}

static void test_counters(int arch)
{
    tsr_tile *tile = counting(arch);
    uint32_t zw = arch == WH ? 0xff : 0x1fff;
    // increments: Y0 by 3, Y1 by 5, Z0 and Z1 by 1
    set_modifier(tile, 0, 0, 3 | 5 << 6 | 1 << 12 | 1 << 14);
    set_modifier(tile, 0, 1, 3 | 1 << 4 | 5 << 6 | 1 << 10);                  // through the shadows
    set_modifier(tile, 0, 2, 3 | 1 << 4 | 1 << 5 | 1 << 12 | 1 << 13);        // clear side 0
    set_modifier(tile, 0, 3, 5 << 6 | 1 << 10 | 1 << 11 | 1 << 14 | 1 << 15); // clear side 1
    for (int channel = 0; channel < 2; channel++) {
        tsr_adc_channel *adc = adc_of(tile, 0, channel);
        adc->y = 0x1fff, adc->y_cr = 7, adc->z = channel ? zw : 4, adc->z_cr = 9;
    }
    pack_one(tile, "AddrMode=0 Flush=1");
    assert_int_equal(adc_of(tile, 0, 0)->y, 2);
    assert_int_equal(adc_of(tile, 0, 1)->y, 4);
    assert_int_equal(adc_of(tile, 0, 0)->y_cr, 7);
    assert_int_equal(adc_of(tile, 0, 0)->z, 5);
    assert_int_equal(adc_of(tile, 0, 0)->z_cr, 9);
    assert_int_equal(adc_of(tile, 0, 1)->z, 0); // all the bits that the chip has
    pack_one(tile, "AddrMode=1 Flush=1");
    assert_int_equal(adc_of(tile, 0, 0)->y, 10);
    assert_int_equal(adc_of(tile, 0, 0)->y_cr, 10);
    assert_int_equal(adc_of(tile, 0, 1)->y, 12);
    assert_int_equal(adc_of(tile, 0, 1)->y_cr, 12);
    assert_int_equal(adc_of(tile, 0, 1)->z_cr, 9);
    pack_one(tile, "AddrMode=2 Flush=1");
    assert_int_equal(adc_of(tile, 0, 0)->y | adc_of(tile, 0, 0)->y_cr, 0);
    assert_int_equal(adc_of(tile, 0, 0)->z | adc_of(tile, 0, 0)->z_cr, 0);
    assert_int_equal(adc_of(tile, 0, 1)->y, 12);
    pack_one(tile, "AddrMode=3 Flush=1");
    assert_int_equal(adc_of(tile, 0, 1)->y | adc_of(tile, 0, 1)->y_cr, 0);
    assert_int_equal(adc_of(tile, 0, 1)->z | adc_of(tile, 0, 1)->z_cr, 0);
    assert_int_equal(adc_of(tile, 1, 0)->y, 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_counters)

// Whose counters: another thread's where the override says so; 3 is thread 0. The modifier is the
// issuing thread's.
static void test_counters_of_another_thread(int arch)
{
    for (unsigned which = 0; which < 4; which++) {
        unsigned thread = which == 3 ? 0 : which;
        tsr_tile *tile = counting(arch);
        char text[90];
        tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_XY_REG_0_Ystride, 32);
        for (int t = 0; t < TSR_THREADS; t++) {
            *adc_of(tile, t, 0) = (tsr_adc_channel){.y = 10u * (uint32_t)t};
            adc_of(tile, t, 1)->x = 15;
        }
        set_modifier(tile, 1, 0, 1);
        if (arch == WH) {
            tile_field(tile, 0, PACKER(0, Addr_cnt_context), which);
            snprintf(text, sizeof text, "PACR OvrdThreadId=1 Last=1");
        } else {
            snprintf(text, sizeof text,
                     "PACR ReadIntfSel=1 OvrdThreadId=1 AddrCntContext=%u Last=1", which);
        }
        tile_do(tile, 1, text);
        assert_int_equal(out16(tile, 0), 160 * thread);
        for (int t = 0; t < TSR_THREADS; t++)
            assert_int_equal(adc_of(tile, t, 0)->y, 10 * t + (t == (int)thread));
        if (arch == WH) // without the override: the own ones
            tile_do(tile, 1, "PACR Last=1");
        else
            tile_do(tile, 1, "PACR ReadIntfSel=1 AddrCntContext=2 Last=1");
        assert_int_equal(out16(tile, 0), 160 + (thread == 1 ? 16 : 0));
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_counters_of_another_thread)

// ---------------------------------------------------------------- plans, banks, refusals

// A plan is kept until a field of its groups changes its value; addresses are no part of it.
static void test_plans(int arch)
{
    tsr_tile *tile = counting(arch);
    tsr_run_report report;
    for (unsigned i = 0; i < 5; i++) {
        tile_field(tile, 0, PACKER(0, L1_Dest_addr), OUT / 16 - 1 + 4 * i);
        tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_Offset, i);
        pack_one(tile, "Last=1");
        assert_int_equal(out_at(tile, OUT + 64 * i, 2), 16 * i);
    }
    tsr_get_report(tile, &report);
    assert_int_equal(report.plans_made, 1);
    assert_int_equal(report.plans_reused, 4);
    pack_formats(tile, BF16, BF16, false);
    dst_put(tile, 4, 0, tsr_dst_encode_bf16(0x3f80), false);
    tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_Offset, 4);
    pack_one(tile, "Last=1");
    assert_int_equal(out16(tile, 0), 0x3f80);
    tile_field(tile, 0, FIELD_STACC_RELU_ApplyRelu, 1);
    dst_put(tile, 4, 0, tsr_dst_encode_bf16(0xbf80), false);
    pack_one(tile, "Last=1");
    assert_int_equal(out16(tile, 0), 0);
    tsr_get_report(tile, &report);
    assert_int_equal(report.plans_made, 3);
    tile_field(tile, 0, FIELD_ALU_FORMAT_SPEC_REG2_Dstacc, FP16); // of the ALU's group
    tile_push(tile, 0, "PACR Last=1");
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    assert_non_null(tile_found(tile, "pack-format-pair"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_plans)

// What was recorded when a plan was made stops once that is the policy.
static void test_plans_and_policy(int arch)
{
    tsr_tile *tile = counting(arch);
    tsr_tile_set_policy(tile, "legacy-mode", TSR_ACTION_RECORD);
    tile_field(tile, 0, PACKER(0, Downsample_mask), 0x0155);
    pack_one(tile, "Last=1");
    assert_non_null(tile_found(tile, "legacy-mode"));
    tsr_tile_set_policy(tile, "legacy-mode", TSR_ACTION_STOP);
    tile_push(tile, 0, "PACR Last=1");
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_plans_and_policy)

// The order of Dst's rows is no part of a packer's plan.
static void test_plans_and_order(void **unused)
{
    (void)unused;
    tsr_tile *tile = counting(BH);
    tsr_run_report report;
    tsr_tile_set_policy(tile, "non-contractual", TSR_ACTION_RECORD);
    pack_one(tile, "Last=1");
    tile_field(tile, 0, FIELD_DEST_ACCESS_CFG_remap_addrs, 1);
    pack_one(tile, "Last=1");
    tsr_get_report(tile, &report);
    assert_int_equal(report.plans_made, 1);
    assert_int_equal(report.plans_reused, 1);
    tsr_tile_destroy(tile);
}

static void test_configuration_bank(int arch)
{
    tsr_tile *tile = counting(arch);
    struct tsr_config *config = &tile_state(tile)->config;
    unsigned reset = tile_env(tile)->isa->field[FIELD_STATE_RESET_EN].addr32;
    for (unsigned i = 0; i < tile_env(tile)->isa->layout.global_base; i++)
        if (i != reset)
            tsr_config_write(tile_env(tile), 1, i, config->bank[0][i], 0xffffffff);
    tile_field(tile, 1, PACKER(0, L1_Dest_addr), OUT / 16 + 15);
    tile_field(tile, 0, FIELD_CFG_STATE_ID_StateID, 1); // of thread 0
    pack_one(tile, "Last=1");
    assert_false(was_written(tile, OUT, 32));
    assert_int_equal(out_at(tile, OUT + 256 + 2, 2), 1);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_configuration_bank)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_input_strides),
        TILE_TEST(test_input_columns),
        TILE_TEST(test_input_sizes),
        TILE_TEST(test_x_range),
        TILE_TEST(test_invalid_rows),
        TILE_TEST(test_shadow),
        TILE_TEST(test_wide_rows),
        cmocka_unit_test(test_packers),
        cmocka_unit_test(test_interfaces),
        TILE_TEST(test_edges),
        cmocka_unit_test(test_edges_by_datums),
        cmocka_unit_test(test_edges_by_interfaces),
        TILE_TEST(test_edges_spare_datums),
        TILE_TEST(test_counters),
        TILE_TEST(test_counters_of_another_thread),
        TILE_TEST(test_plans),
        TILE_TEST(test_plans_and_policy),
        cmocka_unit_test(test_plans_and_order),
        TILE_TEST(test_configuration_bank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
