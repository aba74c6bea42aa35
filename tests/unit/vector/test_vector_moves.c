// SPDX-License-Identifier: Apache-2.0
// SFPMOV, SFPSWAP, SFPTRANSP and SFPSHFT2 in every mode, with what is known of the lanes that
// move. Pages: SFPMOV.md, SFPSWAP.md, SFPTRANSP.md, SFPSHFT2.md.
#include "rig/vector_rig.h"

// The page's order: sign and magnitude.
static bool smaller(uint32_t c, uint32_t d)
{
    int64_t x = c >> 31 ? -1 - (int64_t)(c & 0x7fffffff) : (int64_t)c;
    int64_t y = d >> 31 ? -1 - (int64_t)(d & 0x7fffffff) : (int64_t)d;
    return x < y;
}

// Whether VD shall get the smaller one in a lane.
static bool wants_least(unsigned mod, unsigned lane)
{
    static const uint8_t rows[9] = {0, 0xf, 0x3, 0x5, 0x9, 0x1, 0x2, 0x4, 0x8};
    return mod < 9 && (rows[mod] >> (lane / 8) & 1);
}

static void check_swap(int arch, unsigned mod, uint32_t config)
{
    tsr_tile *tile = vector_tile(arch);
    char text[80];
    if (config)
        vector_configure(tile, config);
    vector_enable(tile, 0xfffffff7);                           // lane 3 is disabled
    vector_of(tile)->lreg[1][9] = vector_of(tile)->lreg[2][9]; // equal
    vector_of(tile)->lreg[1][10] = 0x80000000;
    vector_of(tile)->lreg[2][10] = 0;
    struct tsr_vector before = *vector_of(tile);
    snprintf(text, sizeof text, "SFPSWAP lreg_src_c=1 lreg_dest=2 instr_mod1=%u", mod);
    vector_do(tile, text);
    for (unsigned lane = 0; lane < TSR_LANES; lane++) {
        uint32_t c = before.lreg[1][lane], d = before.lreg[2][lane];
        bool swaps = wants_least(mod, lane) ? smaller(c, d) : !smaller(c, d);
        swaps = mod == 0 || (config & 0x100 ? !swaps : swaps);
        swaps = swaps && lane != 3;
        assert_int_equal(vector_lane(tile, 1, lane), swaps ? d : c);
        assert_int_equal(vector_lane(tile, 2, lane), swaps ? c : d);
        bool indexed = swaps && config & 4;
        assert_int_equal(vector_lane(tile, 5, lane), before.lreg[indexed ? 6 : 5][lane]);
        assert_int_equal(vector_lane(tile, 6, lane), before.lreg[indexed ? 5 : 6][lane]);
    }
    assert_true((tile_found(tile, "vector-reserved-mode") != NULL) == (mod >= 10));
    tsr_tile_destroy(tile);
}

static void test_swap(int arch)
{
    for (unsigned mod = 0; mod < 16; mod++) {
        check_swap(arch, mod, 0);
        check_swap(arch, mod, 0x100);
        check_swap(arch, mod, 0x4);
        check_swap(arch, mod, 0x104);
    }
}
TILE_BOTH(test_swap)

// With an index, registers above L3 are compared and only their partners move.
static void test_swap_high_index(int arch)
{
    tsr_tile *tile = vector_tile(arch);
    vector_configure(tile, 4);
    vector_do(tile, "SFPSWAP lreg_src_c=9 lreg_dest=6 instr_mod1=0");
    for (unsigned lane = 0; lane < TSR_LANES; lane++) {
        assert_int_equal(vector_lane(tile, 6, lane), vector_value(5, lane)); // of VC 9: 4 + 1
        assert_int_equal(vector_lane(tile, 5, lane), vector_value(6, lane));
        assert_int_equal(vector_lane(tile, 9, lane), 0);
    }
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_swap_high_index)

// Lanes that nobody has written, and tainted ones, stay so where they go.
static void test_swap_shadow(int arch)
{
    tsr_tile *tile = vector_tile(arch);
    struct tsr_vector *vector = vector_of(tile);
    vector->written[1] = 0x0000ffff;
    vector->tainted[2] = 0x000000f0;
    vector->unclean |= 6;
    vector_do(tile, "SFPSWAP lreg_src_c=1 lreg_dest=2 instr_mod1=0");
    assert_int_equal(vector->written[1], 0xffffffff);
    assert_int_equal(vector->written[2], 0x0000ffff);
    assert_int_equal(vector->tainted[1] & 0xff, 0xf0);
    tile_says(tile, "uninitialised-lreg",
              "LReg[1], which nothing has written in the lanes of "
              "mask 0xffff0000");
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_swap_shadow)

// Compilers copy all lanes of what only some will use; it counts where it is used.
static void test_mov_shadow(int arch)
{
    tsr_tile *tile = vector_tile(arch);
    struct tsr_vector *vector = vector_of(tile);
    vector->written[1] = 0x0000ffff;
    vector->tainted[1] = 0x000000f0;
    vector->unclean |= 2;
    vector_enable(tile, 0x00000fff);
    vector_do(tile, "SFPMOV lreg_c=1 lreg_dest=2 instr_mod1=2");
    assert_int_equal(vector->written[2], 0x0000ffff);
    assert_int_equal(vector->tainted[2], 0x000000f0);
    assert_int_equal(vector_lane(tile, 2, 31), vector_value(1, 31));
    assert_null(tile_found(tile, "uninitialised-lreg"));
    vector_enable(tile, 0xffffffff);
    vector_do(tile, "SFPMOV lreg_c=2 lreg_dest=3 instr_mod1=0");
    tile_says(tile, "uninitialised-lreg",
              "LReg[2], which nothing has written in the lanes of mask "
              "0xffff0000");
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_mov_shadow)

// An LReg that was not clean is, once all of it has been copied into it.
static void test_mov_cleans(int arch)
{
    tsr_tile *tile = vector_tile(arch);
    struct tsr_vector *vector = vector_of(tile);
    vector->written[2] = 0;
    vector->unclean |= 4;
    vector_do(tile, "SFPMOV lreg_c=1 lreg_dest=2 instr_mod1=2");
    vector_do(tile, "SFPMOV lreg_c=2 lreg_dest=3 instr_mod1=1");
    assert_int_equal(vector->written[2], 0xffffffff);
    assert_null(tile_found(tile, "uninitialised-lreg"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_mov_cleans)

static void test_transpose(int arch)
{
    uint32_t lanes = 0xff7ffbfe;
    tsr_tile *tile = vector_tile(arch);
    vector_enable(tile, lanes);
    vector_of(tile)->written[6] = 0x00ff00ff;
    vector_of(tile)->unclean |= 1u << 6;
    vector_do(tile, "SFPTRANSP");
    for (unsigned base = 0; base < 8; base += 4)
        for (unsigned i = 0; i < 4; i++)
            for (unsigned lane = 0; lane < TSR_LANES; lane++) {
                unsigned row = lane / 8, column = lane % 8;
                uint32_t expected = lanes >> lane & 1 ? vector_value(base + row, i * 8 + column)
                                                      : vector_value(base + i, lane);
                assert_int_equal(vector_lane(tile, base + i, lane), expected);
            }
    // Rows 1 and 3 of L6 are row 2 of L5 and L7 now; disabled lanes kept theirs.
    assert_int_equal(vector_of(tile)->written[5] & 0x00ff0000, 0x00800000);
    assert_int_equal(vector_of(tile)->written[4], 0xffffffff);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_transpose)

static uint32_t turned(unsigned lreg, unsigned lane)
{
    return vector_value(lreg, lane % 8 ? lane - 1 : lane + 7);
}

static void check_shuffle(int arch, unsigned mod)
{
    tsr_tile *tile = vector_tile(arch);
    char text[80];
    vector_enable(tile, 0xffffefff); // not lane 12
    snprintf(text, sizeof text, "SFPSHFT2 lreg_src_c=5 lreg_dest=6 instr_mod1=%u", mod);
    vector_do(tile, text);
    for (unsigned lane = 0; lane < TSR_LANES; lane++) {
        uint32_t last = mod == 1   ? (lane < 24 ? vector_value(0, lane + 8) : 0)
                        : mod == 2 ? turned(5, lane)
                                   : 0;
        for (unsigned i = 0; i < 4; i++) {
            uint32_t moved = i < 3 ? vector_value(i + 1, lane) : last;
            bool stays = mod > 2 || lane == 12;
            assert_int_equal(vector_lane(tile, i, lane), stays ? vector_value(i, lane) : moved);
        }
        bool rotates = mod == 3 && lane != 12;
        assert_int_equal(vector_lane(tile, 6, lane),
                         rotates ? turned(5, lane) : vector_value(6, lane));
    }
    tsr_tile_destroy(tile);
}

static void test_shuffles(int arch)
{
    for (unsigned mod = 0; mod < 4; mod++)
        check_shuffle(arch, mod);
}
TILE_BOTH(test_shuffles)

// Wormhole fills empty lanes with what the last rotation had.
static void test_shift_lanes(int arch)
{
    tsr_tile *tile = vector_tile(arch);
    vector_do(tile, "SFPSHFT2 lreg_src_c=2 lreg_dest=7 instr_mod1=3");
    vector_do(tile, "SFPNOP");
    vector_do(tile, "SFPSHFT2 lreg_src_c=5 lreg_dest=6 instr_mod1=4");
    for (unsigned lane = 0; lane < TSR_LANES; lane++) {
        uint32_t empty = arch == WH ? vector_value(2, lane + 7) : 0;
        assert_int_equal(vector_lane(tile, 6, lane), lane % 8 ? vector_value(5, lane - 1) : empty);
    }
    assert_true((tile_found(tile, "vector-shift-bug") != NULL) == (arch == WH));
    vector_do(tile, "SFPSHFT2 lreg_src_c=9 lreg_dest=9 instr_mod1=3"); // the way around it
    vector_do(tile, "SFPNOP");
    vector_do(tile, "SFPSHFT2 lreg_src_c=5 lreg_dest=6 instr_mod1=4");
    assert_int_equal(vector_lane(tile, 6, 8), 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_shift_lanes)

static void test_shift_bits(int arch)
{
    tsr_tile *tile = vector_tile(arch);
    for (unsigned lane = 0; lane < TSR_LANES; lane++)
        vector_of(tile)->lreg[3][lane] = (uint32_t)((int)lane - 16);
    vector_do(tile, "SFPSHFT2 imm12_math=1 lreg_src_c=3 lreg_dest=4 instr_mod1=5");
    for (unsigned lane = 0; lane < TSR_LANES; lane++) {
        uint32_t b = vector_value(1, lane);
        assert_int_equal(vector_lane(tile, 4, lane),
                         lane < 16 ? b >> (16 - lane) : b << (lane - 16));
    }
    vector_do(tile, "SFPSHFT2 imm12_math=0xff2 lreg_dest=4 instr_mod1=6"); // -14, L2
    assert_int_equal(vector_lane(tile, 4, 5), vector_value(2, 5) >> 14);
    vector_do(tile, "SFPSHFT2 lreg_dest=4 instr_mod1=9");
    tile_says(tile, "vector-mode", "instr_mod1=9");
    assert_non_null(strstr(tile_found(tile, "vector-mode")->page, "/SFPSHFT2.md"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_shift_bits)

static void test_mov(int arch)
{
    tsr_tile *tile = vector_tile(arch);
    vector_enable(tile, 0x0000ffff);
    vector_do(tile, "SFPMOV lreg_c=1 lreg_dest=2 instr_mod1=1");
    vector_do(tile, "SFPMOV lreg_c=3 lreg_dest=4 instr_mod1=2");
    for (unsigned lane = 0; lane < TSR_LANES; lane++) {
        assert_int_equal(vector_lane(tile, 2, lane),
                         lane < 16 ? vector_value(1, lane) ^ 1u << 31 : vector_value(2, lane));
        assert_int_equal(vector_lane(tile, 4, lane), vector_value(3, lane));
    }
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_mov)

// From what SFPCONFIG writes, and from the PRNG, of enabled lanes alone.
static void test_mov_special(int arch)
{
    tsr_tile *tile = vector_tile(arch);
    struct tsr_vector *vector = vector_of(tile);
    vector_do(tile, "SFPCONFIG imm16_math=0x123 config_dest=8 instr_mod1=1");
    vector_do(tile, "SFPCONFIG imm16_math=0x4567 config_dest=6 instr_mod1=1");
    vector_do(tile, "SFPCONFIG config_dest=1");
    vector_configure(tile, 0x10);
    static const struct {
        const char *text;
        unsigned lreg;
    } reads[] = {{"SFPMOV lreg_c=8 lreg_dest=1 instr_mod1=8", 1},
                 {"SFPMOV lreg_c=6 lreg_dest=2 instr_mod1=8", 2},
                 {"SFPMOV lreg_c=15 lreg_dest=3 instr_mod1=8", 3},
                 {"SFPMOV lreg_c=1 lreg_dest=4 instr_mod1=8", 4},
                 {"SFPMOV lreg_c=12 lreg_dest=5 instr_mod1=8", 5}};
    static const uint32_t expected[] = {0x123, 0x4567, 0x10};
    for (unsigned i = 0; i < 5; i++) {
        vector_do(tile, reads[i].text);
        for (unsigned lane = 0; lane < TSR_LANES; lane++)
            assert_int_equal(vector_lane(tile, reads[i].lreg, lane), i < 3 ? expected[i]
                                                                     : i == 3
                                                                         ? vector_value(0, lane % 8)
                                                                         : 0);
    }
    uint32_t first[TSR_LANES];
    memcpy(first, vector->prng, sizeof first);
    vector_enable(tile, 0x55555555);
    vector_do(tile, "SFPMOV lreg_c=9 lreg_dest=6 instr_mod1=8");
    for (unsigned lane = 0; lane < TSR_LANES; lane++) {
        assert_int_equal(vector_lane(tile, 6, lane),
                         lane % 2 ? vector_value(6, lane) : first[lane]);
        assert_true((vector->prng[lane] == first[lane]) == (lane % 2 == 1));
    }
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_mov_special)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_swap),        TILE_TEST(test_swap_high_index),
        TILE_TEST(test_swap_shadow), TILE_TEST(test_transpose),
        TILE_TEST(test_shuffles),    TILE_TEST(test_shift_lanes),
        TILE_TEST(test_shift_bits),  TILE_TEST(test_mov),
        TILE_TEST(test_mov_special), TILE_TEST(test_mov_shadow),
        TILE_TEST(test_mov_cleans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
