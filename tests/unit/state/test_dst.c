// SPDX-License-Identifier: Apache-2.0
// The order of Dst's rows: Adj16 and Adj32 by hand, and every matrix instruction on remapped rows
// against the same instruction on rows in place. Then bit 11 of the debug register.
// Pages: Dst.md of each chip, ZEROACC.md.
#include "rig/matrix_rig.h"

#include "rig/dst_order.h"
#include "rig/short_formats.h"
#include "state/dst_rules.h"

// ---------------------------------------------------------------- by hand

// With remap: bit 3 goes to 5, 4 to 3, 5 to 4. With swizzle, on what remap made of it: bit 3 goes
// to 2, and bit 3 becomes bit 4 xor bit 2. Then bits 3 to 8 move up by one.
static void test_rows_by_hand(void **state)
{
    static const struct {
        unsigned order, row;
        bool wide;
        unsigned physical;
    } rows[] = {
        {0, 0, false, 0},       {0, 1023, false, 1023}, {0, 8, true, 16},   {0, 511, true, 1015},
        {0, 512, true, 512},    {0, 256, true, 512},    {1, 8, false, 32},  {1, 16, false, 8},
        {1, 24, false, 40},     {1, 32, false, 16},     {1, 48, false, 24}, {1, 63, false, 63},
        {1, 64 + 8, false, 96}, {1, 8, true, 64},       {1, 16, true, 16},  {2, 8, false, 8},
        {2, 4, true, 16},       {2, 8, true, 4},        {2, 12, true, 20},  {2, 16, true, 48},
        {2, 20, true, 32},      {2, 28, true, 36},      {3, 8, true, 64},   {3, 16, true, 4},
        {3, 48, true, 52},      {3, 20, true, 20},      {3, 16, false, 8},  {4, 8, false, 16},
        {7, 48, false, 52},     {4, 8, true, 16},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned got = tsr_dst_place(rows[i].order, rows[i].row, rows[i].wide);
        if (got != rows[i].physical)
            fail_msg("order %u row %u: %u, not %u", rows[i].order, rows[i].row, got,
                     rows[i].physical);
    }
}

// Each physical row once: 1024 of 16 bits, and 512 pairs whose halves never meet.
static void test_rows_are_distinct(void **state)
{
    (void)state;
    for (unsigned order = 0; order < 8; order++) {
        for (int wide = 0; wide < 2; wide++) {
            bool folds = wide || order & TSR_DST_HIGH_HALVES;
            unsigned count = folds ? 512 : 1024;
            uint8_t seen[TSR_DST_ROWS] = {0};
            for (unsigned row = 0; row < 1024; row++) {
                unsigned physical = tsr_dst_place(order, row, wide);
                assert_int_equal(physical, order_row(order, row, wide));
                if (row >= count)
                    continue;
                assert_int_equal(seen[physical]++, 0);
                if (folds)
                    assert_int_equal(seen[physical + TSR_DST_LOW]++, 0);
            }
        }
    }
}

static void test_runs(void **state)
{
    (void)state;
    for (unsigned order = 0; order < 8; order++) {
        for (unsigned row = 0; row < 1024; row++) {
            for (int wide = 0; wide < 2; wide++) {
                unsigned run = tsr_dst_run(order, row, wide);
                assert_true(run >= 1 && row + run <= 1024);
                for (unsigned i = 0; i < run; i++)
                    assert_int_equal(order_row(order, row + i, wide),
                                     order_row(order, row, wide) + i);
            }
        }
    }
    assert_int_equal(tsr_dst_run(0, 3, false), 1021);
    assert_int_equal(tsr_dst_run(TSR_DST_REMAP, 3, false), 5);
    assert_int_equal(tsr_dst_run(0, 3, true), 5);
    assert_int_equal(tsr_dst_run(TSR_DST_SWIZZLE, 3, true), 1);
}

// ---------------------------------------------------------------- instructions

static uint32_t draw(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void fill_src(rig *r, uint32_t seed)
{
    for (int side = 0; side < 2; side++) {
        struct tsr_src_bank *bank = &r->state->src[side].bank[0];
        for (int i = 0; i < TSR_SRC_ROWS * TSR_COLUMNS; i++)
            bank->datum[i / 16][i % 16] = (draw(&seed) & 0x403ff) | (100 + draw(&seed) % 50) << 10;
        memset(bank->written, 0xff, sizeof bank->written);
        bank->matrix_owns = bank->filled = true;
    }
}

// The same logical rows, wherever the order puts them; some invalid, tainted or never written.
static void fill_rows(rig *r, unsigned order, bool wide, uint32_t seed)
{
    struct tsr_dst *dst = &r->state->dst;
    memset(dst->valid, 0, sizeof dst->valid);
    for (unsigned row = 0; row < 512; row++) {
        unsigned physical = order_row(order, row, wide);
        for (unsigned half = 0; half <= (unsigned)wide; half++) {
            unsigned at = physical + 8 * half;
            for (int column = 0; column < TSR_COLUMNS; column++)
                dst->bits[at][column] = (uint16_t)((draw(&seed) & 0xff1f) | 0x0060);
            dst->written[at] = row % 5 ? 0xffff : (uint16_t)draw(&seed);
            dst->tainted[at] = row % 7 ? 0 : (uint16_t)draw(&seed);
        }
        dst->valid[physical] = row % 3 != 1;
    }
}

static rig *ordered(int arch, unsigned order, bool wide, uint8_t format)
{
    rig *r = rig_new(arch, TSR_PROFILE_SILICON);
    rig_formats(r, format, format);
    rig_set(r, FIELD_ALU_ACC_CTRL_Fp32_enabled, wide);
    if (order & TSR_DST_REMAP)
        rig_set(r, FIELD_DEST_ACCESS_CFG_remap_addrs, 1);
    if (order & TSR_DST_SWIZZLE)
        rig_set(r, FIELD_DEST_ACCESS_CFG_swizzle_32b, 1);
    if (order & TSR_DST_HIGH_HALVES)
        r->state->debug.debug_feature_disable = 1u << 11;
    fill_src(r, 77);
    fill_rows(r, order, wide, 99);
    return r;
}

static void same_row(const rig *a, const rig *b, unsigned from, unsigned to, bool both)
{
    const struct tsr_dst *x = &a->state->dst, *y = &b->state->dst;
    assert_memory_equal(x->bits[from], y->bits[to], sizeof x->bits[from]);
    assert_int_equal(x->written[from], y->written[to]);
    assert_int_equal(x->tainted[from], y->tainted[to]);
    if (both)
        assert_int_equal(x->valid[from], y->valid[to]);
}

// With high halves alone: what was written spoils the low half, which nobody wrote then.
static void spoilt_row(const rig *before, const rig *a, const rig *b, unsigned row, unsigned to)
{
    bool wrote = memcmp(a->state->dst.bits[row], before->state->dst.bits[row], 32) != 0;
    assert_int_equal(b->state->dst.written[to + TSR_DST_LOW], wrote ? 0 : 0xffff);
}

static void compare(unsigned order, bool wide, uint8_t format, const char *text)
{
    rig *before = ordered(BH, 0, wide, format), *a = ordered(BH, 0, wide, format);
    rig *b = ordered(BH, order, wide, format);
    bool halves = !wide && order & TSR_DST_HIGH_HALVES;
    bool zero = strncmp(text, "ZEROACC", 7) == 0;
    for (unsigned row = 0; row < 512 && halves; row++)
        b->state->dst.written[order_row(order, row, false) + TSR_DST_LOW] = 0xffff;
    rig_run(a, text);
    rig_run(b, text);
    for (unsigned row = 0; row < 512; row++) {
        unsigned from = order_row(0, row, wide), to = order_row(order, row, wide);
        same_row(a, b, from, to, true);
        if (wide)
            same_row(a, b, from + TSR_DST_LOW, to + TSR_DST_LOW, false);
        else if (halves && !zero)
            spoilt_row(before, a, b, row, to);
    }
    for (int side = 0; side < 2; side++)
        assert_memory_equal(&a->state->src[side], &b->state->src[side], sizeof a->state->src[side]);
    bool found = strcmp(rig_found(b), "legacy-mode") == 0;
    for (int i = 0; i < b->findings.count; i++)
        found |= strcmp(b->findings.kept[i].code, "legacy-mode") == 0;
    assert_int_equal(found, halves);
    rig_free(before);
    rig_free(a);
    rig_free(b);
}

static const char *const of_each_width[] = {"ELWADD dst=24",
                                            "ELWADD dst=40 dest_accum_en=1",
                                            "ELWSUB dst=56",
                                            "ELWMUL dst=32",
                                            "ELWMUL dst=8 instr_mod19=3",
                                            "MVMUL dst=48",
                                            "MVMUL dst=16 instr_mod19=1",
                                            "DOTPV dst=8",
                                            "GAPOOL dst=20",
                                            "GMPOOL dst=44",
                                            "MOVD2A instr_mod=2 dst=28",
                                            "MOVD2A dst=45",
                                            "MOVD2B instr_mod=2 dst=12",
                                            "MOVD2B dst=29",
                                            "ZEROACC where=45"};

static void test_each_width(void **state)
{
    (void)state;
    for (unsigned order = 1; order < 8; order++) {
        for (size_t i = 0; i < sizeof of_each_width / sizeof *of_each_width; i++) {
            compare(order, false, BF16, of_each_width[i]);
            if (order < TSR_DST_HIGH_HALVES)
                compare(order, true, TF32, of_each_width[i]);
        }
    }
}

static void test_16_bits_only(void **state)
{
    static const char *const texts[] = {"MOVA2D instr_mod=2 dst=40 src=8", "MOVA2D dst=37 src=3",
                                        "MOVB2D dst=21 src=5", "MOVB2D movb2d_instr_mod=2 dst=16",
                                        "MOVB2D movb2d_instr_mod=4 dst=12 src=4"};
    (void)state;
    for (unsigned order = 1; order < 8; order++)
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            compare(order, false, BF16, texts[i]);
    compare(TSR_DST_REMAP, false, BF16, "ZEROACC clear_mode=1 where=3");
    compare(TSR_DST_REMAP | TSR_DST_SWIZZLE, false, BF16, "ZEROACC clear_mode=1 where=1");
}

static void test_32_bits_only(void **state)
{
    static const char *const texts[] = {"MOVA2D instr_mod=2 dst=40 src=8",
                                        "MOVA2D dst=37 src=3",
                                        "MOVB2D dst=21 src=5",
                                        "MOVB2D movb2d_instr_mod=2 dst=16",
                                        "MOVB2D movb2d_instr_mod=4 dst=12 src=4",
                                        "ZEROACC clear_mode=1 use_32_bit_mode=1 where=2",
                                        "MOVA2D instr_mod=2 dst=8 dest_32b_lo=1"};
    (void)state;
    for (unsigned order = 1; order < 4; order++) {
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            compare(order, true, TF32, texts[i]);
        compare(order, true, BF16, "MOVA2D instr_mod=2 dst=8 dest_32b_lo=1");
        compare(order, true, BF16, "MOVB2D movb2d_instr_mod=2 dst=24 dest_32b_lo=1");
    }
}

// ---------------------------------------------------------------- bit 11

static void test_high_halves(int arch)
{
    rig *r = rig_new(arch, TSR_PROFILE_STRICT);
    rig_formats(r, BF16, BF16);
    rig_fill_src(r, TSR_SRCA, 0x1fc00);
    rig_fill_dst(r, 0x1111, 0x2222);
    r->state->debug.debug_feature_disable = 0xfffff7ff; // all but this bit
    rig_run(r, "MOVA2D instr_mod=2 dst=16");
    assert_int_equal(r->state->dst.bits[16][3], 0x007f);
    assert_int_equal(r->findings.count, 0);
    r->state->debug.debug_feature_disable = 1u << 11;
    rig_run(r, "MOVA2D instr_mod=2 dst=24"); // physical 48 to 55
    assert_string_equal(rig_found(r), "legacy-mode");
    assert_int_equal(r->state->dst.bits[24][3], 0x2222);
    assert_int_equal(r->state->dst.bits[55][15], 0x007f);
    assert_int_equal(r->state->dst.written[55], 0xffff);
    assert_int_equal(r->state->dst.written[56], 0); // unpredictable
    assert_int_equal(r->state->dst.written[63], 0);
    assert_int_equal(r->state->dst.written[64], 0xffff);
    rig_run(r, "MOVD2A dst=31 src=4");
    assert_int_equal(r->state->src[TSR_SRCA].bank[0].datum[4][3], 0x1fc00);
    rig_set(r, FIELD_ALU_ACC_CTRL_Fp32_enabled, 1); // 32-bit reads see what is left
    assert_false(rig_begin(r, "MOVD2A dst=31 src=4"));
    assert_string_equal(rig_found(r), "uninitialised-dst");
    rig_free(r);
}
TILE_BOTH(test_high_halves)

static void test_zeroacc_of_high_halves(int arch)
{
    rig *r = rig_new(arch, TSR_PROFILE_STRICT);
    rig_fill_dst(r, 1, 2);
    r->state->debug.debug_feature_disable = 1u << 11;
    rig_run(r, arch == WH ? "ZEROACC dst=25" : "ZEROACC where=25");
    assert_false(r->state->dst.valid[49]);
    assert_true(r->state->dst.valid[25]);
    rig_run(r, arch == WH ? "ZEROACC clear_mode=1 dst=4" : "ZEROACC clear_mode=1 where=4");
    for (int row = 64; row < 80; row++) // blocks know nothing of the bit
        assert_false(r->state->dst.valid[row]);
    rig_run(r, arch == WH ? "ZEROACC dst=600" : "ZEROACC where=600");
    assert_string_equal(rig_found(r), "dst-row-range");
    rig_free(r);
}
TILE_BOTH(test_zeroacc_of_high_halves)

// What was recorded without any remapping runs without.
static void test_rows_in_place(void **state)
{
    (void)state;
    rig *r = ordered(BH, 3, false, BF16);
    r->env.dst_rows_in_place = true;
    assert_int_equal(tsr_dst_order(&r->env), 0);
    r->state->debug.debug_feature_disable = 1u << 11;
    assert_int_equal(tsr_dst_order(&r->env), TSR_DST_HIGH_HALVES);
    rig_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_by_hand), cmocka_unit_test(test_rows_are_distinct),
        cmocka_unit_test(test_runs),         cmocka_unit_test(test_each_width),
        cmocka_unit_test(test_16_bits_only), cmocka_unit_test(test_32_bits_only),
        TILE_TEST(test_high_halves),         TILE_TEST(test_zeroacc_of_high_halves),
        cmocka_unit_test(test_rows_in_place)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
