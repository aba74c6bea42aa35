// SPDX-License-Identifier: Apache-2.0
// Packers and unpackers on Dst's other orders of rows, PACR's strides, and how long a packer waits
// for a block that was just written. Pages: Dst.md, PACR.md of each chip, UNPACR_Regular.md.
#include "rig/pack_rig.h"

#include "rig/dst_order.h"

#include <tessera/trace.h>

static void set_order(tsr_tile *tile, unsigned order)
{
    if (tsr_tile_arch(tile) == TSR_BLACKHOLE_A0) {
        tile_field(tile, 0, FIELD_DEST_ACCESS_CFG_remap_addrs, (order & TSR_DST_REMAP) != 0);
        tile_field(tile, 0, FIELD_DEST_ACCESS_CFG_swizzle_32b, (order & TSR_DST_SWIZZLE) != 0);
    }
    tile_state(tile)->debug.debug_feature_disable = order & TSR_DST_HIGH_HALVES ? 1u << 11 : 0;
}

// Datum i of the view is i (with 0xffff above it in 32 bits), wherever its row lies.
static void count_in_order(tsr_tile *tile, unsigned order, bool wide)
{
    struct tsr_dst *dst = &tile_state(tile)->dst;
    unsigned rows = wide || order & TSR_DST_HIGH_HALVES ? 512 : 1024;
    for (unsigned i = 0; i < rows * 16; i++) {
        unsigned row = order_row(order, i / 16, wide);
        dst->bits[row][i % 16] = (uint16_t)(wide ? 0xffff : i);
        dst->written[row] = 0xffff;
        if (wide)
            dst->bits[row + 8][i % 16] = (uint16_t)i;
        if (wide)
            dst->written[row + 8] = 0xffff;
    }
}

// ---------------------------------------------------------------- PACR

static void test_pack_in_order(void **state)
{
    (void)state;
    for (unsigned order = 0; order < 8; order++) {
        for (int wide = 0; wide < 2; wide++) {
            int format = wide ? INT32 : INT16;
            tsr_tile *tile = pack_tile(BH, TSR_PROFILE_STRICT, format, format, wide);
            set_order(tile, order);
            count_in_order(tile, order, wide);
            tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_Offset, 20);
            tile_field(tile, 0, FIELD_ADDR_MOD_PACK_SEC0_YsrcIncr, 1);
            tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_XY_REG_0_Ystride, wide ? 256 : 128);
            for (int i = 0; i < 8; i++) // four rows each
                tile_do(tile, 0, i == 7 ? "PACR Last=1" : "PACR");
            for (unsigned i = 0; i < 32 * 16; i++) {
                uint32_t got = wide ? out_at(tile, OUT + 4 * i, 4) & 0xffff : out16(tile, i);
                assert_int_equal(got, 20 * 16 + i);
            }
            bool legacy = !wide && order & TSR_DST_HIGH_HALVES;
            assert_int_equal(tile_found(tile, "legacy-mode") != NULL, legacy);
            assert_int_equal(tsr_diagnostic_count(tile) > 0, legacy);
            tsr_tile_destroy(tile);
        }
    }
}

static void test_rows_beyond(int arch)
{
    for (int wide = 0; wide < 2; wide++) {
        int format = wide ? INT32 : INT16;
        tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, format, format, wide);
        set_order(tile, wide ? 0 : TSR_DST_HIGH_HALVES);
        struct tsr_dst *dst = &tile_state(tile)->dst;
        memset(dst->written, 0xff, sizeof dst->written);
        dst->bits[0x200 | 2][0] = 0x1234; // row 514 folds to 514
        tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_Offset, 514);
        pack_one(tile, "Last=1");
        assert_non_null(tile_found(tile, "dst-row-range"));
        // A datum of 32 bits has its exponent 0x34 before the mantissa 0x12 now.
        assert_int_equal(out_at(tile, OUT + 2 * (unsigned)wide, 2), wide ? 0x1a12 : 0x1234);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_rows_beyond)

static void test_halves_on_wormhole(void **state)
{
    (void)state;
    tsr_tile *tile = pack_tile(WH, TSR_PROFILE_STRICT, INT16, INT16, false);
    set_order(tile, TSR_DST_HIGH_HALVES);
    count_in_order(tile, TSR_DST_HIGH_HALVES, false);
    pack_datums(tile, 0, 256);
    pack_one(tile, "Last=1");
    for (unsigned i = 0; i < 256; i++)
        assert_int_equal(out16(tile, i), i);
    assert_non_null(tile_found(tile, "legacy-mode"));
    tsr_tile_destroy(tile);
}

// Interface k reads the logical row StartRow + 16 k, which with both orders on lies 8 k physical
// rows after row 0 (the page's figure and tt-llk's are the same thing).
static void test_strides(void **state)
{
    (void)state;
    for (unsigned mask = 0; mask < 16; mask++) {
        for (unsigned order = 0; order < 4; order++) {
            unsigned rows = mask ? mask : 15, at = 0;
            bool known = order == 3 && (rows == 15 || rows == 3 || rows == 1);
            tsr_tile *tile = pack_tile(BH, TSR_PROFILE_STRICT, INT16, INT16, false);
            set_order(tile, order);
            count_in_order(tile, order, false);
            tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_Offset, 64 + 5);
            char text[80];
            snprintf(text, sizeof text, "PACR DstAccessMode=1 ReadIntfSel=%u Last=1", mask);
            tile_do(tile, 0, text);
            assert_int_equal(tile_found(tile, "undocumented-mode") == NULL, known);
            for (unsigned k = 0; k < 4; k++)
                for (unsigned i = 0; i < 16 && (rows >> k & 1); i++)
                    assert_int_equal(out16(tile, at++), (64 + 5 + 16 * k) * 16 + i);
            tsr_tile_destroy(tile);
        }
    }
    assert_int_equal(order_row(3, 0, false), 0);
    assert_int_equal(order_row(3, 16, false), 8);
    assert_int_equal(order_row(3, 32, false), 16);
    assert_int_equal(order_row(3, 48, false), 24);
}

static void test_strides_of_32_bits(void **state)
{
    (void)state;
    tsr_tile *tile = pack_tile(BH, TSR_PROFILE_STRICT, INT32, INT32, true);
    set_order(tile, 3);
    count_in_order(tile, 3, true);
    tile_do(tile, 0, "PACR DstAccessMode=1 Last=1");
    for (unsigned i = 0; i < 64; i++)
        assert_int_equal(out_at(tile, OUT + 4 * i, 4) & 0xffff, i / 16 * 256 + i % 16);
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    tsr_tile_destroy(tile);
}

// As the simulator's cases were recorded: strides alone, and no order.
static void test_rows_in_place(void **state)
{
    (void)state;
    tsr_options options = tsr_options_default(TSR_BLACKHOLE_A0);
    options.dst_rows_in_place = true;
    tsr_tile *tile = tile_with(&options);
    pack_formats(tile, INT16, INT16, false);
    pack_datums(tile, 0, 16);
    set_order(tile, 3);
    dst_count(tile, 0);
    tile_do(tile, 0, "PACR DstAccessMode=1 Last=1");
    for (unsigned i = 0; i < 64; i++)
        assert_int_equal(out16(tile, i), i / 16 * 256 + i % 16);
    tsr_tile_destroy(tile);
}

// ---------------------------------------------------------------- waiting

struct seen {
    uint64_t accepted[64];
    int count;
};

static void watch(void *user, const tsr_event *event)
{
    struct seen *seen = user;
    if (event->kind != TSR_EVENT_INSTRUCTION || event->sequence > 64)
        return;
    seen->accepted[event->sequence - 1] = event->accepted;
    seen->count++;
}

// Rows of Dst, banks of Src with the matrix unit, packers on INT16, thread 0 alone.
static tsr_tile *timed(int arch, bool wide, struct seen *seen)
{
    int format = wide ? INT32 : INT16;
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_SILICON);
    struct tsr_state *state = tile_state(tile);
    memset(seen, 0, sizeof *seen);
    pack_formats(tile, format, format, wide);
    pack_datums(tile, 0, 16);
    tile_field(tile, 0, FIELD_ALU_FORMAT_SPEC_REG0_SrcA, BF16);
    tile_field(tile, 0, FIELD_ALU_FORMAT_SPEC_REG1_SrcB, BF16);
    memset(state->dst.written, 0xff, sizeof state->dst.written);
    for (int i = 0; i < 4; i++) {
        state->src[i / 2].bank[i % 2].matrix_owns = state->src[i / 2].bank[i % 2].filled = true;
        memset(state->src[i / 2].bank[i % 2].written, 0xff, sizeof state->src[0].bank[0].written);
        state->src[i / 2].bank[i % 2].implied_format = BF16;
    }
    tsr_tile_observe(tile, watch, seen);
    return tile;
}

static uint64_t gap(int arch, bool wide, unsigned order, const char *writer, const char *between,
                    unsigned row, const char *reader)
{
    struct seen seen;
    tsr_tile *tile = timed(arch, wide, &seen);
    char pacr[100];
    set_order(tile, order);
    tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_Offset, row);
    tile_push(tile, 0, writer);
    for (int i = 0; between && i < between[0] - '0'; i++)
        tile_push(tile, 0, "NOP");
    snprintf(pacr, sizeof pacr, "PACR %s=1 %s", arch == WH ? "PackSel" : "ReadIntfSel", reader);
    tile_push(tile, 0, pacr);
    tile_idle(tile);
    int last = between ? between[0] - '0' + 1 : 1;
    uint64_t cycles = seen.accepted[last] - seen.accepted[0];
    tsr_tile_destroy(tile);
    return cycles;
}

// The block is closed in the four cycles after the writer's; who had to wait goes on in the sixth.
static void test_pacr_waits(int arch)
{
    const char *move = "MOVA2D instr_mod=2 dst=8";
    assert_int_equal(gap(arch, false, 0, move, NULL, 8, "Last=1"), 6);
    assert_int_equal(gap(arch, false, 0, move, NULL, 15, "Last=1"), 6);
    assert_int_equal(gap(arch, false, 0, move, NULL, 7, "Last=1"), 1);
    assert_int_equal(gap(arch, false, 0, move, NULL, 16, "Last=1"), 1);
    assert_int_equal(gap(arch, false, 0, move, "3", 8, "Last=1"), 6);
    assert_int_equal(gap(arch, false, 0, move, "4", 8, "Last=1"), 5); // comes when it is open
    assert_int_equal(gap(arch, false, 0, move, NULL, 8, "Flush=1"), 1);
    assert_int_equal(gap(arch, false, 0, "ELWADD dst=8", NULL, 8, "Last=1"), 6);
    assert_int_equal(gap(arch, false, 0, "ZEROACC", NULL, 0, "Last=1"), 1); // writes no datums
    // 32-bit rows 0 to 7 cover the physical rows 0 to 15, in either role.
    assert_int_equal(gap(arch, true, 0, move, NULL, 0, "Last=1"), 6);
    assert_int_equal(gap(arch, true, 0, move, NULL, 8, "Last=1"), 1);
    assert_int_equal(
        gap(arch, false, 0, "MOVA2D instr_mod=2 dst=0 dest_32b_lo=1", NULL, 8, "Last=1"), 6);
    // High halves: the 16-bit row 9 is the physical row 17, and its low half is spoiled.
    assert_int_equal(gap(arch, false, TSR_DST_HIGH_HALVES, move, NULL, 9, "Last=1"), 6);
    assert_int_equal(gap(arch, false, TSR_DST_HIGH_HALVES, move, NULL, 1, "Last=1"), 1);
}
TILE_BOTH(test_pacr_waits)

static void test_pacr_waits_in_order(void **state)
{
    (void)state;
    // Rows 8 to 15 lie at the physical rows 32 to 39, for both.
    const char *move = "MOVA2D instr_mod=2 dst=8";
    assert_int_equal(gap(BH, false, TSR_DST_REMAP, move, NULL, 8, "Last=1"), 6);
    assert_int_equal(gap(BH, false, TSR_DST_REMAP, move, NULL, 32, "Last=1"), 1);
    // All interfaces of a group, and strides of 16 rows.
    struct seen seen;
    tsr_tile *tile = timed(BH, false, &seen);
    set_order(tile, 3);
    tile_push(tile, 0, "MOVA2D instr_mod=2 dst=32");
    tile_push(tile, 0, "PACR DstAccessMode=1 ReadIntfSel=3");
    tile_push(tile, 0, "PACR DstAccessMode=1 Last=1");
    tile_idle(tile);
    assert_int_equal(seen.accepted[1] - seen.accepted[0], 1); // rows 0 and 16
    assert_int_equal(seen.accepted[2] - seen.accepted[0], 6); // and 32
    tsr_tile_destroy(tile);
}

static void test_second_packer_waits_wh(void **state)
{
    (void)state;
    struct seen seen;
    tsr_tile *tile = timed(WH, false, &seen);
    tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC1_Offset, 100);
    tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC2_Offset, 40);
    tile_push(tile, 0, "MOVA2D instr_mod=2 dst=96");
    tile_push(tile, 0, "PACR PackSel=4 Last=1"); // packer 2
    tile_push(tile, 0, "PACR PackSel=3 Last=1"); // packers 0 and 1
    tile_idle(tile);
    assert_int_equal(seen.accepted[1] - seen.accepted[0], 1);
    assert_int_equal(seen.accepted[2] - seen.accepted[0], 6);
    tsr_tile_destroy(tile);
}

// Sixteen datums from the middle of row 7 on reach into row 8.
static void test_datums_across_blocks_wh(void **state)
{
    (void)state;
    for (unsigned first = 0; first <= 8; first += 8) {
        struct seen seen;
        tsr_tile *tile = timed(WH, false, &seen);
        tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_XY_REG_0_Xstride, 2);
        tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_Offset, 7);
        pack_datums(tile, first, 16);
        tile_push(tile, 0, "MOVA2D instr_mod=2 dst=8");
        tile_push(tile, 0, "PACR PackSel=1 Last=1");
        tile_idle(tile);
        assert_int_equal(seen.accepted[1] - seen.accepted[0], first ? 6 : 1);
        tsr_tile_destroy(tile);
    }
}

// Measured on Blackhole: 6.0 cycles for each ELWMUL or MVMUL on one block of Dst. The page: five
// blocks in turn, and nobody waits.
static void test_one_block_and_five(int arch)
{
    static const char *const readers[] = {
        "ELWMUL", "MVMUL", "DOTPV", "GAPOOL", "ELWADD dest_accum_en=1", "ELWSUB dest_accum_en=1",
        "ELWADD", "ELWSUB"};
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
        for (int blocks = 1; blocks <= 5; blocks++) {
            struct seen seen;
            tsr_tile *tile = timed(arch, false, &seen);
            for (int j = 0; j < 20; j++) {
                char text[80];
                snprintf(text, sizeof text, "%s dst=%d", readers[i], j % blocks * 8);
                tile_push(tile, 0, text);
            }
            tile_idle(tile);
            uint64_t cycles = seen.accepted[15] - seen.accepted[5];
            if (blocks == 1)
                assert_int_equal(cycles, 60);
            else if (blocks == 5)
                assert_int_equal(cycles, 10);
            else
                assert_true(cycles > 10);
            tsr_tile_destroy(tile);
        }
    }
}
TILE_BOTH(test_one_block_and_five)

// Two threads on one block: 12 cycles each, as measured on Blackhole.
static void test_two_threads(int arch)
{
    struct seen seen;
    tsr_tile *tile = timed(arch, false, &seen);
    for (int i = 0; i < 12; i++)
        for (int thread = 0; thread < 2; thread++)
            tile_push(tile, thread, "ELWMUL");
    tile_idle(tile);
    assert_in_range(tsr_cycle(tile), 24 * 6 - 6, 24 * 6 + 12);
    tsr_run_report report;
    tsr_get_report(tile, &report);
    assert_true(report.waited[0][TSR_REASON_DST] > 50); // five of twelve cycles, inside the unit
    assert_true(report.waited[1][TSR_REASON_DST] > 50);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_two_threads)

static void test_wait_in_words(int arch)
{
    struct seen seen;
    tsr_tile *tile = timed(arch, false, &seen);
    tsr_wait waits[4];
    tile_push(tile, 0, "ELWMUL");
    tile_push(tile, 0, "ELWMUL");
    bool said = false;
    while (tsr_step(tile) && !said)
        for (int i = tsr_waits(tile, waits, 4) - 1; i >= 0; i--)
            said |= strstr(waits[i].what, "Dst") && strstr(waits[i].release, "cycle ");
    assert_true(said);
    tile_idle(tile);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_wait_in_words)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pack_in_order),
        TILE_TEST(test_rows_beyond),
        cmocka_unit_test(test_halves_on_wormhole),
        cmocka_unit_test(test_strides),
        cmocka_unit_test(test_strides_of_32_bits),
        cmocka_unit_test(test_rows_in_place),
        TILE_TEST(test_pacr_waits),
        cmocka_unit_test(test_pacr_waits_in_order),
        cmocka_unit_test(test_second_packer_waits_wh),
        cmocka_unit_test(test_datums_across_blocks_wh),
        TILE_TEST(test_one_block_and_five),
        TILE_TEST(test_two_threads),
        TILE_TEST(test_wait_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
