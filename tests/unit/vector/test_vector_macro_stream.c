// SPDX-License-Identifier: Apache-2.0
// SFPLOADMACROs that follow each other without a gap, as kernels have them: what a sequence
// schedules meets the next ones' instructions, with timing on and off. Worked by hand from
// SFPLOADMACRO.md and docs/errata.md, 410.
#include "rig/vector_rig.h"

#include <tessera/numerics.h>

enum { THREAD = 1, ROUNDS = 3 };

// Stored bits of 32-bit rows: row and column in them, or 0 where `zero` says so.
static uint32_t stored(unsigned row, unsigned column)
{
    return 0x3f800000 | row << 4 | column;
}

static void fill_dst(tsr_tile *tile)
{
    struct tsr_dst *dst = &tile_state(tile)->dst;
    for (unsigned row = 0; row < 512; row++) {
        struct tsr_dst_view view = tsr_dst_at(dst, 0, row, true);
        for (unsigned column = 0; column < TSR_COLUMNS; column++) {
            uint32_t bits = row < 64 && (row + column / 2) % 3 == 0 ? 0 : stored(row, column);
            view.high[column] = (uint16_t)(bits >> 16);
            view.low[column] = (uint16_t)bits;
        }
        tsr_dst_wrote(dst, &view, 0xffff, 0);
    }
}

static tsr_tile *stream_tile(int arch, int timing)
{
    tsr_tile *tile = tile_new(arch, timing, TSR_PROFILE_SILICON);
    vector_fill(tile);
    fill_dst(tile);
    vector_do(tile, "SFPENCC imm12_math=3 instr_mod1=10");
    return tile;
}

static void sequence(tsr_tile *tile, unsigned macro, uint32_t value)
{
    char text[80];
    for (unsigned half = 0; half < 2; half++) {
        snprintf(text, sizeof text, "SFPLOADI lreg_ind=0 instr_mod0=%u imm16=%u", half ? 8 : 10,
                 (unsigned)(value >> 16 * half & 0xffff));
        vector_do(tile, text);
    }
    snprintf(text, sizeof text, "SFPCONFIG config_dest=%u", 4 + macro);
    vector_do(tile, text);
}

static uint32_t dst_at(tsr_tile *tile, unsigned row, unsigned column)
{
    tsr_dst_datums view;
    assert_int_equal(tsr_view_dst_datums(tile, true, (int)row, &view), TSR_OK);
    return view.bits[column];
}

static void push(tsr_tile *tile, const char *format, unsigned row)
{
    char text[100];
    snprintf(text, sizeof text, format, row); // NOLINT: formats of this file
    tile_push(tile, THREAD, text);
}

// Selects a or b by c. Three instructions a round: c is loaded; a, beside the SFPSETCC that tests
// c; b into the lanes in which c is 0, beside the SFPENCC that enables all. The store of the result
// shares its cycle with the next load into the same register.
static void test_select(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = stream_tile(arch, timing);
        vector_do(tile, "SFPSETCC lreg_dest=12 instr_mod1=6");
        vector_do(tile, "SFPENCC lreg_dest=13");
        sequence(tile, 0, 0x13000004); // simple: template 0; store: delay 2
        sequence(tile, 2, 0x00000005); // simple: template 1
        vector_do(tile, "SFPCONFIG imm16_math=0x770 config_dest=8 instr_mod1=1");
        for (unsigned round = 0; round < ROUNDS; round++) {
            push(tile, "SFPLOADMACRO lreg_ind=0 instr_mod0=4 dest_reg_addr=%u", 4 * round);
            push(tile, "SFPLOADMACRO lreg_ind=8 instr_mod0=4 dest_reg_addr=%u", 64 + 4 * round);
            push(tile, "SFPLOAD lreg_ind=0 instr_mod0=4 dest_reg_addr=%u", 128 + 4 * round);
        }
        tile_idle(tile);
        for (unsigned row = 0; row < 4 * ROUNDS; row++)
            for (unsigned column = 0; column < TSR_COLUMNS; column += 2)
                assert_int_equal(dst_at(tile, row, column),
                                 stored(row + ((row + column / 2) % 3 == 0 ? 128 : 64), column));
        assert_null(tile_found(tile, "vector-macro-left"));
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_select)

// A MAD into L16 in every cycle: each store takes the result of two cycles before.
static void test_every_cycle(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = stream_tile(arch, timing);
        vector_do(tile, "SFPMAD lreg_src_a=10 lreg_src_b=2 lreg_src_c=0 lreg_dest=12");
        sequence(tile, 0, 0x53004400); // MAD: VC = loaded, to L16; store: delay 2, of L16
        vector_do(tile, "SFPCONFIG imm16_math=0x330 config_dest=8 instr_mod1=1");
        for (unsigned round = 0; round < ROUNDS; round++)
            push(tile, "SFPLOADMACRO lreg_ind=1 instr_mod0=4 dest_reg_addr=%u", 64 + 4 * round);
        for (unsigned i = 0; i < 3; i++)
            push(tile, "SFPNOP", 0);
        tile_idle(tile);
        for (unsigned lane = 0; lane < ROUNDS * TSR_LANES; lane++) {
            unsigned row = 64 + lane / 8, column = lane % 8 * 2;
            uint32_t sum = tsr_sfpu_fma((tsr_arch)arch, 0x3f800000, vector_value(2, lane % 32),
                                        tsr_dst_decode_fp32(stored(row, column)));
            assert_int_equal(tsr_dst_decode_fp32(dst_at(tile, row, column)), sum);
        }
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_every_cycle)

// A MAD whose VD is in L7 leaves the loaded L7 to the next instruction.
static void test_indirect(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = stream_tile(arch, timing);
        vector_do(tile, "SFPLOADI lreg_ind=7 instr_mod0=2 imm16=2");
        vector_do(tile, "SFPMAD lreg_dest=12 lreg_src_a=10 lreg_src_b=10 instr_mod1=8");
        sequence(tile, 0, 0x00000400);
        push(tile, "SFPLOADMACRO lreg_ind=1 instr_mod0=4 dest_reg_addr=%u", 64);
        push(tile, "SFPLOAD lreg_ind=7 instr_mod0=4 dest_reg_addr=%u", 68);
        push(tile, "SFPIADD lreg_dest=3 lreg_c=7 imm12_math=1 instr_mod1=5", 0);
        tile_idle(tile);
        assert_int_equal(vector_lane(tile, 3, 1), tsr_dst_decode_fp32(stored(68, 2)) + 1);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_indirect)

// A load beside a MAD into the same register: its datum is there for one cycle, then the result.
static void test_under_way(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = stream_tile(arch, timing);
        vector_do(tile, "SFPMAD lreg_src_a=10 lreg_src_b=2 lreg_src_c=0 lreg_dest=12");
        sequence(tile, 0, 0x00000400);
        push(tile, "SFPLOADMACRO lreg_ind=1 instr_mod0=4 dest_reg_addr=%u", 64);
        push(tile, "SFPLOAD lreg_ind=1 instr_mod0=4 dest_reg_addr=%u", 68);
        push(tile, "SFPMOV lreg_dest=3 lreg_c=1", 0);
        push(tile, "SFPMOV lreg_dest=4 lreg_c=1", 0);
        tile_idle(tile);
        for (unsigned lane = 0; lane < TSR_LANES; lane++) {
            unsigned row = lane / 8, column = lane % 8 * 2;
            uint32_t sum = tsr_sfpu_fma((tsr_arch)arch, 0x3f800000, vector_value(2, lane),
                                        tsr_dst_decode_fp32(stored(64 + row, column)));
            assert_int_equal(vector_lane(tile, 3, lane),
                             tsr_dst_decode_fp32(stored(68 + row, column)));
            assert_int_equal(vector_lane(tile, 4, lane), sum);
            assert_int_equal(vector_lane(tile, 1, lane), sum);
        }
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_under_way)

// The words of a macro and of its template share a place in the decoded words.
static void test_same_place(void **unused)
{
    (void)unused;
    tsr_tile *tile = stream_tile(TSR_WORMHOLE_B0, false);
    tile_push_word(tile, THREAD, 0x940036f3); // template 3: SFPSHFT2 mode 3 of L6
    sequence(tile, 0, 0x00870000);
    vector_do(tile, "SFPLOADI lreg_ind=6 instr_mod0=2 imm16=0xffff");
    for (unsigned address = 0; address < 256; address++) { // all places
        tile_push_word(tile, THREAD, 0x93040000 | address << 1);
        tile_idle(tile);
        assert_int_equal(vector_lane(tile, 0, 9), 0xffff);
    }
    tsr_tile_destroy(tile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_select),    TILE_TEST(test_every_cycle),       TILE_TEST(test_indirect),
        TILE_TEST(test_under_way), cmocka_unit_test(test_same_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
