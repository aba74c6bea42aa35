// SPDX-License-Identifier: Apache-2.0
// Blackhole's cores at Dst: every format with values worked by hand from the page, widths, places,
// validity, and what is undefined. The simulator refuses all of it. Beside them, what the debug
// registers of both chips read of Dst. Page: BlackholeA0 Dst.md, "RISCV access to Dst".
#include "rig/tile_rig.h"

enum {
    WINDOW = 0xffbd8000u,
    ARRAY_ENABLE = 0xffb12060u,
    ARRAY_COMMAND = 0xffb12064u,
    ARRAY_DATA = 0xffb1206cu
};

static const enum tsr_field fmt_field[3] = {FIELD_RISC_DEST_ACCESS_CTRL_SEC0_fmt,
                                            FIELD_RISC_DEST_ACCESS_CTRL_SEC1_fmt,
                                            FIELD_RISC_DEST_ACCESS_CTRL_SEC2_fmt};
static const enum tsr_field raw_field[3] = {FIELD_RISC_DEST_ACCESS_CTRL_SEC0_no_swizzle,
                                            FIELD_RISC_DEST_ACCESS_CTRL_SEC1_no_swizzle,
                                            FIELD_RISC_DEST_ACCESS_CTRL_SEC2_no_swizzle};
static const enum tsr_field unsigned_field[3] = {FIELD_RISC_DEST_ACCESS_CTRL_SEC0_unsigned_int,
                                                 FIELD_RISC_DEST_ACCESS_CTRL_SEC1_unsigned_int,
                                                 FIELD_RISC_DEST_ACCESS_CTRL_SEC2_unsigned_int};

static void choose(tsr_tile *tile, int thread, uint32_t fmt, bool raw, bool is_unsigned)
{
    tile_field(tile, 0, fmt_field[thread], fmt);
    tile_field(tile, 0, raw_field[thread], raw);
    tile_field(tile, 0, unsigned_field[thread], is_unsigned);
}

static tsr_tile *windowed(uint32_t fmt)
{
    tsr_tile *tile = tile_default(BH);
    for (int thread = 0; thread < TSR_THREADS; thread++)
        choose(tile, thread, fmt, false, false);
    return tile;
}

static void put(tsr_tile *tile, int thread, uint32_t offset, uint32_t value, int width)
{
    tsr_core core = (tsr_core)(TSR_CORE_T0 + thread);
    assert_int_equal(tsr_store(tile, core, WINDOW + offset, value, width), TSR_OK);
}

static uint32_t get(tsr_tile *tile, int thread, uint32_t offset, int width)
{
    uint32_t value = 0xdeadbeef;
    tsr_core core = (tsr_core)(TSR_CORE_T0 + thread);
    assert_int_equal(tsr_load(tile, core, WINDOW + offset, &value, width), TSR_OK);
    return value;
}

// ---------------------------------------------------------------- values

// Dst keeps sign, mantissa, exponent; for 32 bits: sign, upper seven of the mantissa, exponent,
// lower sixteen. What a core loads back is what it stored unless `back` says otherwise.
static const struct value {
    uint8_t fmt;
    bool raw, is_unsigned;
    uint32_t stored, dst, back;
} values[] = {
    // 1.0: exponent 0x7f. -3.14: exponent 0x80, mantissa 0x490fdb = 0x49 and 0x0fdb.
    {0, false, false, 0x3f800000, 0x007f0000, 0x3f800000},
    {0, false, false, 0xc0490fdb, 0xc9800fdb, 0xc0490fdb},
    {0, false, false, 0x7f7fffff, 0x7ffeffff, 0x7f7fffff},
    {0, false, true, 0x12345678, 0x34245678, 0x12345678}, // exponent 0x24, mantissa 0x345678
    {0, true, false, 0x3f800000, 0x3f800000, 0x3f800000},
    // -1 is the sign and 1; the least number is cut to the least but one, all ones.
    {1, false, false, 0xffffffff, 0x80000001, 0xffffffff},
    {1, false, false, 0x80000000, 0xffffffff, 0x80000001},
    {1, false, false, 0x00012345, 0x01002345, 0x00012345}, // bit 16 is the mantissa's
    {1, false, false, 0xff7fffff, 0x80010001, 0xff7fffff}, // -0x800001: bit 23 is the exponent's
    {1, true, false, 0xffffffff, 0xffffffff, 0xffffffff},
    // 1.0: exponent 15. -3.14: exponent 16, mantissa 0x248.
    {2, false, false, 0x3c00, 0x000f, 0x3c00},
    {2, false, false, 0xc248, 0xc910, 0xc248},
    {2, false, true, 0x03ff, 0x7fe0, 0x03ff},
    {2, true, false, 0xc248, 0xc248, 0xc248},
    {3, false, false, 0x3f80, 0x007f, 0x3f80},
    {3, false, false, 0xc049, 0xc980, 0xc049},
    {3, false, false, 0x7f7f, 0x7ffe, 0x7f7f},
    {3, true, false, 0xc049, 0xc049, 0xc049},
    {4, false, false, 0xffff, 0x8001, 0xffff},
    {4, false, false, 0x8000, 0xffff, 0x8001},
    {4, false, false, 0x1234, 0x1234, 0x1234},
    {4, false, true, 0xffff, 0xffff, 0xffff},
    {4, true, false, 0x8000, 0x8000, 0x8000},
    // Magnitude above five bits of exponent 16, or 0 for zero.
    {5, false, false, 0x05, 0x00b0, 0x05},
    {5, false, false, 0x00, 0x0000, 0x00},
    {5, false, false, 0x7f, 0x0ff0, 0x7f},
    // Negative: the magnitude is 0x180 - value in eight bits. -1: 0x81, not 1.
    {5, false, false, 0xff, 0x9030, 0xff},
    {5, false, false, 0xfb, 0x90b0, 0xfb},
    {5, false, false, 0x81, 0x9ff0, 0x81},
    {5, false, false, 0x80, 0x9ff0, 0x81}, // one less, then as -127
    {5, false, true, 0xff, 0x1ff0, 0xff},
    {5, true, false, 0x80, 0x1010, 0x80},
    {5, true, true, 0x00, 0x0000, 0x00},
};

static int bytes_of(uint32_t fmt)
{
    return fmt <= 1 ? 4 : fmt <= 4 ? 2 : 1;
}

static uint32_t stored_at(const tsr_tile *tile, uint32_t fmt, unsigned row, unsigned column)
{
    tsr_dst_row high, low;
    unsigned physical = fmt <= 1 ? (row & 7) + row / 8 * 16 : row;
    assert_int_equal(tsr_view_dst(tile, (int)physical, &high), TSR_OK);
    if (fmt > 1)
        return high.bits[column];
    assert_int_equal(tsr_view_dst(tile, (int)physical + 8, &low), TSR_OK);
    return (uint32_t)high.bits[column] << 16 | low.bits[column];
}

static void test_values(void **state)
{
    enum { ROW = 21, COLUMN = 5 };
    (void)state;
    tsr_tile *tile = tile_default(BH);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const struct value *v = &values[i];
        int thread = (int)(i % 3), bytes = bytes_of(v->fmt);
        uint32_t offset = (ROW * 16 + COLUMN) * (uint32_t)bytes;
        choose(tile, thread, v->fmt, v->raw, v->is_unsigned);
        put(tile, thread, offset, v->stored, bytes);
        uint32_t dst = stored_at(tile, v->fmt, ROW, COLUMN);
        uint32_t back = get(tile, thread, offset, bytes);
        if (dst != v->dst || back != v->back)
            fail_msg("value %u: 0x%08x in Dst, 0x%08x loaded", (unsigned)i, dst, back);
    }
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    tsr_tile_destroy(tile);
}

// Stored by others: what no store of that mode leaves.
static void test_loads(void **state)
{
    static const struct value loads[] = {
        {1, false, false, 0, 0x80000000, 0},          // -0 becomes +0
        {1, false, false, 0, 0x80010000, 0xff800000}, // exponent bit 0 is bit 23: -0x800000
        {4, false, false, 0, 0x8000, 0},
        {4, false, false, 0, 0x8005, 0xfffb},
        {5, false, false, 0, 0x8030, 0xff}, // a proper -1
        {5, false, false, 0, 0x8010, 0x00},
        {5, false, true, 0, 0xffff, 0xff}, // ten bits of magnitude, eight of them loaded
        {5, false, false, 0, 0x7fff, 0x7f},
        {5, true, false, 0, 0x9030, 0x81},
        {2, false, false, 0, 0xffff, 0xffff},
        {3, false, false, 0, 0x80ff, 0xff80},
    };
    (void)state;
    tsr_tile *tile = tile_default(BH);
    struct tsr_dst *dst = &tile_state(tile)->dst;
    memset(dst->written, 0xff, sizeof dst->written);
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
        const struct value *v = &loads[i];
        choose(tile, 1, v->fmt, v->raw, v->is_unsigned);
        dst->bits[3][9] = (uint16_t)(v->fmt <= 1 ? v->dst >> 16 : v->dst);
        dst->bits[11][9] = (uint16_t)v->dst;
        uint32_t got = get(tile, 1, (3 * 16 + 9) * (uint32_t)bytes_of(v->fmt), bytes_of(v->fmt));
        if (got != v->back)
            fail_msg("load %u: 0x%08x", (unsigned)i, got);
    }
    tsr_tile_destroy(tile);
}

// ---------------------------------------------------------------- places

// The first and the last datum, and rows on both sides of a fold.
static void test_places(void **state)
{
    static const struct {
        uint32_t fmt, offset;
        unsigned row, column;
    } places[] = {{0, 0, 0, 0}, {0, 0x7ffc, 511, 15},  {1, 9 * 64 + 4, 9, 1},
                  {2, 0, 0, 0}, {3, 0x7ffe, 1023, 15}, {4, 700 * 32 + 6, 700, 3},
                  {5, 0, 0, 0}, {5, 0x3fff, 1023, 15}, {5, 8 * 16 + 2, 8, 2}};
    (void)state;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        tsr_tile *tile = windowed(places[i].fmt);
        put(tile, 2, places[i].offset, 0x55, bytes_of(places[i].fmt));
        assert_true(stored_at(tile, places[i].fmt, places[i].row, places[i].column) != 0);
        assert_int_equal(get(tile, 0, places[i].offset, bytes_of(places[i].fmt)), 0x55);
        tsr_tile_destroy(tile);
    }
}

// remap_addrs sends row 8 to 32; swizzle_32b sends the 32-bit row 4 to 16 (test_dst.c).
static void test_orders(void **state)
{
    (void)state;
    tsr_tile *tile = windowed(4);
    tile_field(tile, 0, FIELD_DEST_ACCESS_CFG_remap_addrs, 1);
    put(tile, 0, 8 * 32, 0x1234, 2);
    assert_int_equal(tile_state(tile)->dst.bits[32][0], 0x1234);
    tile_field(tile, 0, FIELD_DEST_ACCESS_CFG_remap_addrs, 0);
    tile_field(tile, 0, FIELD_DEST_ACCESS_CFG_swizzle_32b, 1);
    choose(tile, 0, 0, true, false);
    put(tile, 0, 4 * 64, 0x12345678, 4);
    assert_int_equal(tile_state(tile)->dst.bits[16][0], 0x1234);
    assert_int_equal(tile_state(tile)->dst.bits[24][0], 0x5678);
    tsr_tile_destroy(tile);
}

static void test_high_halves(void **state)
{
    (void)state;
    tsr_tile *tile = windowed(4);
    tile_state(tile)->debug.debug_feature_disable = 1u << 11;
    tile_state(tile)->dst.written[24] = 0xffff;
    put(tile, 1, 8 * 32, 0x1234, 2); // the high half of the 32-bit row 8
    assert_int_equal(tile_state(tile)->dst.written[24], 0xfffe); // the low half is unpredictable
    assert_non_null(tile_found(tile, "legacy-mode"));
    assert_int_equal(tile_state(tile)->dst.bits[16][0], 0x1234);
    assert_int_equal(get(tile, 1, 8 * 32, 2), 0x1234);
    tsr_tile_destroy(tile);
    tile = windowed(0); // 32 bits are as ever
    tile_state(tile)->debug.debug_feature_disable = 1u << 11;
    put(tile, 1, 0, 0x3f800000, 4);
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    tsr_tile_destroy(tile);
}

// Each core has its own section, in the bank that its thread selects.
static void test_sections_and_banks(void **state)
{
    (void)state;
    tsr_tile *tile = windowed(4);
    choose(tile, 0, 4, true, false);
    put(tile, 0, 0, 0xffff, 2);
    put(tile, 1, 2, 0xffff, 2);
    assert_int_equal(tile_state(tile)->dst.bits[0][0], 0xffff);
    assert_int_equal(tile_state(tile)->dst.bits[0][1], 0x8001);
    tile_field(tile, 1, FIELD_CFG_STATE_ID_StateID, 1);
    tile_field(tile, 1, FIELD_RISC_DEST_ACCESS_CTRL_SEC1_fmt, 3);
    assert_int_equal(get(tile, 1, 2, 2), 0x8080); // 0x8001 as BF16: exponent 1
    tsr_tile_destroy(tile);
}

// T2 alone gets as many datums as the access has bytes for, the first in the low bits.
static void test_several_datums(void **state)
{
    (void)state;
    tsr_tile *tile = windowed(3);
    put(tile, 2, 32 + 4, 0xc0493f80, 4);
    assert_int_equal(tile_state(tile)->dst.bits[1][2], 0x007f);
    assert_int_equal(tile_state(tile)->dst.bits[1][3], 0xc980);
    assert_int_equal(get(tile, 2, 32 + 4, 4), 0xc0493f80);
    choose(tile, 2, 5, false, false);
    put(tile, 2, 8, 0xff058000, 4);
    assert_int_equal(tile_state(tile)->dst.bits[0][8], 0x0000);
    assert_int_equal(tile_state(tile)->dst.bits[0][9], 0x9ff0);
    assert_int_equal(tile_state(tile)->dst.bits[0][10], 0x00b0);
    assert_int_equal(tile_state(tile)->dst.bits[0][11], 0x9030);
    assert_int_equal(get(tile, 2, 8, 4), 0xff058100);
    assert_int_equal(get(tile, 2, 10, 2), 0xff05);
    tsr_tile_destroy(tile);
}

// ---------------------------------------------------------------- shadow state

static void test_validity(void **state)
{
    (void)state;
    tsr_tile *tile = windowed(4);
    struct tsr_dst *dst = &tile_state(tile)->dst;
    memset(dst->bits[5], 0xff, sizeof dst->bits[5]);
    dst->written[5] = 0xffff;
    dst->valid[5] = false;
    assert_int_equal(get(tile, 0, 5 * 32, 2), 0);
    put(tile, 0, 5 * 32 + 2, 7, 2); // column 1
    assert_true(dst->valid[5]);
    assert_int_equal(dst->written[5], 0x0002);
    uint32_t value;
    assert_int_equal(tsr_load(tile, TSR_CORE_T0, WINDOW + 5 * 32, &value, 2), TSR_STOPPED);
    assert_non_null(tile_found(tile, "uninitialised-dst"));
    tsr_tile_destroy(tile);
}

static void test_taint(void **state)
{
    (void)state;
    tsr_tile *tile = windowed(0);
    tsr_tile_set_policy(tile, "undefined-behaviour", TSR_ACTION_USE);
    struct tsr_dst *dst = &tile_state(tile)->dst;
    put(tile, 0, 0, 1, 4);
    dst->tainted[8] = 1; // of the low half
    uint32_t value;
    assert_int_equal(tsr_load(tile, TSR_CORE_T0, WINDOW, &value, 4), TSR_STOPPED);
    assert_non_null(tile_found(tile, "tainted-datum-used"));
    tsr_tile_reset(tile);
    dst->tainted[8] = 1;
    put(tile, 0, 0, 1, 4); // a store is as good as its datum
    assert_int_equal(dst->tainted[8], 0);
    tsr_tile_destroy(tile);
}

// ---------------------------------------------------------------- undefined

static void test_undefined(void **state)
{
    static const struct {
        uint32_t fmt, offset;
        int thread, width;
    } points[] = {{6, 0, 2, 4}, {7, 0, 0, 1}, {0, 0, 0, 2},      {1, 4, 2, 1}, {2, 0, 0, 4},
                  {4, 0, 1, 1}, {5, 0, 1, 2}, {5, 0x4000, 2, 1}, {3, 0, 2, 1}};
    static const char *const who[] = {"Core T0 stores", "Core T1 stores", "Core T2 stores"};
    (void)state;
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        tsr_core core = (tsr_core)(TSR_CORE_T0 + points[i].thread);
        uint32_t value = 1;
        tsr_tile *tile = windowed(points[i].fmt);
        assert_int_equal(
            tsr_store(tile, core, WINDOW + points[i].offset, 0xffffffff, points[i].width),
            TSR_STOPPED);
        tile_says(tile, "dst-window-access", who[points[i].thread]);
        tsr_tile_destroy(tile);
        tile = tile_new(BH, false, TSR_PROFILE_SILICON);
        choose(tile, points[i].thread, points[i].fmt, false, false);
        put(tile, points[i].thread, points[i].offset, 0xffffffff, points[i].width);
        for (int row = 0; row < TSR_DST_ROWS; row++)
            assert_int_equal(tile_state(tile)->dst.written[row], 0);
        assert_int_equal(get(tile, points[i].thread, points[i].offset, points[i].width), 0);
        assert_int_equal(tsr_diagnostic_count(tile), 1);
        assert_int_equal(value, 1);
        tsr_tile_destroy(tile);
    }
}

static void test_not_mapped(void **state)
{
    (void)state;
    tsr_tile *tile = tile_new(BH, false, TSR_PROFILE_SILICON);
    uint32_t value;
    assert_int_equal(tsr_load(tile, TSR_CORE_B, WINDOW, &value, 4), TSR_UNMAPPED);
    assert_int_equal(tsr_load(tile, TSR_CORE_NC, WINDOW, &value, 4), TSR_UNMAPPED);
    assert_int_equal(tsr_load(tile, TSR_CORE_T2, WINDOW + 2, &value, 4), TSR_OK); // rounded down
    assert_non_null(tile_found(tile, "unaligned-access"));
    assert_int_equal(tsr_load(tile, TSR_CORE_T0, WINDOW + 0x8000, &value, 4), TSR_UNMAPPED);
    tsr_tile_destroy(tile);
}

// ---------------------------------------------------------------- by the debug registers

static uint32_t of_array(tsr_tile *tile, unsigned row, unsigned pair)
{
    uint32_t value = 0xdeadbeef;
    assert_int_equal(tsr_store(tile, TSR_CORE_T1, ARRAY_COMMAND, row | pair << 12 | 2u << 16, 4),
                     TSR_OK);
    assert_int_equal(tsr_load(tile, TSR_CORE_T1, ARRAY_DATA, &value, 4), TSR_OK);
    return value;
}

// Two columns of a row of Dst as they lie, the earlier one low, as tt-llk's dbg_get_array_row() and
// tt-metal's dprint want them. A 32-bit row is two of them, each with a valid bit.
static void test_array_of_dst(int arch)
{
    tsr_tile *tile = tile_default(arch);
    uint32_t value;
    struct tsr_dst *dst = &tile_state(tile)->dst;
    struct tsr_dst_view narrow = tsr_dst_at(dst, 0, 700, false), wide = tsr_dst_at(dst, 0, 9, true);
    for (unsigned column = 0; column < 16; column++) {
        narrow.high[column] = (uint16_t)(0x1000 + column);
        wide.high[column] = (uint16_t)(0x2000 + column);
        wide.low[column] = (uint16_t)(0x3000 + column);
    }
    tsr_dst_wrote(dst, &narrow, 0xffff, 0);
    tsr_dst_wrote(dst, &wide, 0xffff, 0);
    assert_int_equal(tsr_store(tile, TSR_CORE_T1, ARRAY_ENABLE, 1, 4), TSR_OK);
    for (unsigned pair = 0; pair < 8; pair++) {
        assert_int_equal(of_array(tile, 700, pair), 0x10011000 + pair * 0x20002);
        assert_int_equal(of_array(tile, 17, pair), 0x20012000 + pair * 0x20002);
        assert_int_equal(of_array(tile, 25, pair), 0x30013000 + pair * 0x20002);
    }
    dst->valid[25] = false;
    assert_int_equal(of_array(tile, 25, 0), 0);
    assert_non_null(strstr(tile_found(tile, "undocumented-mode")->sentence, "physical row 700"));
    assert_null(tile_found(tile, "uninitialised-dst"));
    dst->written[25] = 0xfffd;
    dst->valid[25] = true;
    assert_int_equal(tsr_load(tile, TSR_CORE_T1, ARRAY_DATA, &value, 4), TSR_STOPPED);
    assert_non_null(strstr(tile_found(tile, "uninitialised-dst")->sentence, "column 1 "));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_array_of_dst)

// Other arrays, no array, and places that Dst has not.
static void test_array_refused(int arch)
{
    static const uint32_t refused[][2] = {{0, 2u << 16},        {1, 0},
                                          {1, 1u << 16},        {1, 3u << 16},
                                          {1, 2u << 16 | 1024}, {1, 2u << 16 | 8 << 12}};
    for (unsigned i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        tsr_tile *tile = tile_default(arch);
        uint32_t value;
        tsr_store(tile, TSR_CORE_T1, ARRAY_ENABLE, refused[i][0], 4);
        tsr_store(tile, TSR_CORE_T1, ARRAY_COMMAND, refused[i][1], 4);
        assert_int_equal(tsr_load(tile, TSR_CORE_T1, ARRAY_DATA, &value, 4), TSR_STOPPED);
        assert_non_null(tile_found(tile, "unimplemented-mode"));
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_array_refused)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),         cmocka_unit_test(test_loads),
        cmocka_unit_test(test_places),         cmocka_unit_test(test_orders),
        cmocka_unit_test(test_high_halves),    cmocka_unit_test(test_sections_and_banks),
        cmocka_unit_test(test_several_datums), cmocka_unit_test(test_validity),
        cmocka_unit_test(test_taint),          cmocka_unit_test(test_undefined),
        cmocka_unit_test(test_not_mapped),     TILE_TEST(test_array_of_dst),
        TILE_TEST(test_array_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
