// SPDX-License-Identifier: Apache-2.0
// SFPLOADMACRO: sequences, templates and what they replace, delays in cycles and instructions, what
// shares a cycle, and what is left. Worked by hand from SFPLOADMACRO.md. With timing off a cycle is
// an instruction of the thread.
#include "rig/vector_rig.h"

#include <tessera/numerics.h>
#include <tessera/trace.h>

enum { THREAD = 1 };

static const char *const load = "SFPLOADMACRO lreg_ind=1 instr_mod0=4 dest_reg_addr=0"; // L1

// A byte of a sequence.
static uint32_t part(unsigned choice, unsigned delay, bool to_l16, bool bit7)
{
    return choice | delay << 3 | (uint32_t)to_l16 << 6 | (uint32_t)bit7 << 7;
}

struct setup {
    uint32_t simple, mad, round, store; // bytes of sequence 0
    uint32_t misc;
    const char *template_0, *template_1;
};

static tsr_tile *macro_tile(int arch, bool timing, const struct setup *setup)
{
    tsr_tile *tile = tile_new(arch, timing, TSR_PROFILE_SILICON);
    vector_fill(tile);
    struct tsr_vector *vector = vector_of(tile);
    for (unsigned column = 0; column < TSR_LANE_COLUMNS; column++) {
        vector->macro.sequence[0][column] =
            setup->simple | setup->mad << 8 | setup->round << 16 | setup->store << 24;
        vector->macro.misc[column] = (uint16_t)setup->misc;
        if (setup->template_0)
            vector->macro.template_word[0][column] = tile_word(tile, setup->template_0);
        if (setup->template_1)
            vector->macro.template_word[1][column] = tile_word(tile, setup->template_1);
    }
    for (unsigned row = 0; row < TSR_DST_ROWS; row++) {
        for (unsigned column = 0; column < TSR_COLUMNS; column++)
            tile_state(tile)->dst.bits[row][column] = (uint16_t)(row * 16 + column);
        tile_state(tile)->dst.written[row] = 0xffff;
    }
    return tile;
}

// What Dst holds for a lane of rows 0 to 3, even columns, in 32 bits.
static uint32_t dst_of(tsr_tile *tile, unsigned lane)
{
    tsr_dst_datums row;
    assert_int_equal(tsr_view_dst_datums(tile, true, (int)lane / 8, &row), TSR_OK);
    return tsr_dst_decode_fp32(row.bits[lane % 8 * 2]);
}

static uint32_t loaded(unsigned lane)
{
    unsigned row = lane / 8, column = lane % 8 * 2;
    return tsr_dst_decode_fp32((row * 16 + column) << 16 | ((row + 8) * 16 + column));
}

// Load, NOT into L16, store of that: each in the cycle behind the other.
static void test_chain(int arch)
{
    const struct setup setup = {.simple = part(4, 0, true, false),
                                .store = part(3, 1, true, false),
                                .misc = 1 << 4, // the load's mode
                                .template_0 = "SFPNOT lreg_dest=0 lreg_c=7"};
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = macro_tile(arch, timing, &setup);
        vector_do(tile, load);
        for (unsigned lane = 0; lane < TSR_LANES; lane++) {
            assert_int_equal(vector_lane(tile, 1, lane), loaded(lane));
            assert_int_equal(vector_lane(tile, 16, lane), ~loaded(lane));
            assert_int_equal(dst_of(tile, lane), ~loaded(lane));
        }
        assert_null(tile_found(tile, "vector-macro-left"));
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_chain)

// VB takes the loaded register, and VC is the template's; without bit 7 the other way around.
static void test_operands(int arch)
{
    for (unsigned to_b = 0; to_b < 2; to_b++) {
        const struct setup setup = {.simple = part(4, 0, false, to_b),
                                    .template_0 = "SFPIADD lreg_dest=3 lreg_c=2 instr_mod1=6"};
        tsr_tile *tile = macro_tile(arch, false, &setup);
        vector_do(tile, load);
        for (unsigned lane = 0; lane < TSR_LANES; lane++) { // VC - VB
            uint32_t expected =
                to_b ? vector_value(2, lane) - loaded(lane) : loaded(lane) - vector_value(3, lane);
            assert_int_equal(vector_lane(tile, 1, lane), expected);
        }
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_operands)

// A delay of d executes d cycles after the one behind the load: NOPs of other units count, too.
static void test_delay(int arch)
{
    for (unsigned delay = 0; delay < 8; delay++) {
        const struct setup setup = {.simple = part(4, delay, false, false),
                                    .template_0 = "SFPNOT lreg_dest=0 lreg_c=7"};
        tsr_tile *tile = macro_tile(arch, false, &setup);
        tile_push(tile, THREAD, load);
        for (unsigned i = 0; i < delay; i++)
            tile_push(tile, THREAD, i % 2 ? "NOP" : "SFPNOP");
        // In the cycle in which L1 is inverted it still has the old value.
        tile_push(tile, THREAD, "SFPSTORE lreg_ind=1 instr_mod0=4 dest_reg_addr=8");
        tile_push(tile, THREAD, "SFPSTORE lreg_ind=1 instr_mod0=4 dest_reg_addr=12");
        tile_idle(tile);
        tsr_dst_datums row[2];
        tsr_view_dst_datums(tile, true, 8, &row[0]);
        tsr_view_dst_datums(tile, true, 12, &row[1]);
        assert_int_equal(tsr_dst_decode_fp32(row[0].bits[4]), loaded(2));
        assert_int_equal(tsr_dst_decode_fp32(row[1].bits[4]), ~loaded(2));
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_delay)

// Counted in instructions, it waits for the vector unit's.
static void test_counts_instructions(int arch)
{
    const struct setup setup = {.simple = part(4, 2, false, false),
                                .misc = 1 << 8,
                                .template_0 = "SFPNOT lreg_dest=0 lreg_c=7"};
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = macro_tile(arch, timing, &setup);
        vector_do(tile, load);
        for (int i = 0; i < 5; i++)
            vector_do(tile, "NOP");
        assert_int_equal(vector_lane(tile, 1, 2), loaded(2));
        tile_says(tile, "vector-macro-left", "1 instructions");
        vector_do(tile, "SFPNOP");
        assert_int_equal(vector_lane(tile, 1, 2), loaded(2));
        vector_do(tile, "SFPNOP"); // counts down to 0, and the next cycle executes it
        assert_int_equal(vector_lane(tile, 1, 2), ~loaded(2));
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_counts_instructions)

// The MAD sub-unit takes two cycles: a store one cycle behind gets the old value, two the new one.
static void test_mad(int arch)
{
    for (unsigned delay = 1; delay < 3; delay++) {
        const struct setup setup = {.mad = part(4, 0, false, false),
                                    .store = part(3, delay, false, false),
                                    .misc = 4, // its own mode
                                    .template_0 = "SFPADDI imm16_math=0x3f80 lreg_dest=2"};
        tsr_tile *tile = macro_tile(arch, false, &setup);
        vector_do(tile, load);
        for (unsigned lane = 0; lane < TSR_LANES; lane++) {
            uint32_t sum = tsr_sfpu_fma((tsr_arch)arch, 0x3f800000, 0x3f800000, loaded(lane));
            assert_int_equal(vector_lane(tile, 1, lane), sum);
            assert_int_equal(dst_of(tile, lane), delay == 1 ? loaded(lane) : sum);
        }
        assert_true((tile_found(tile, "vector-macro-early") != NULL) == (delay == 1));
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_mad)

// The MAD sub-unit writes L16 in one cycle and in the next one, there with what L16 has had all the
// time: the second result counts, whether L16 had been written before or not.
static void test_mad_after_mad(int arch)
{
    enum { SECOND_ROW = 4 };
    const struct setup setup = {.mad = part(4, 0, true, false),
                                .template_0 = "SFPADDI imm16_math=0x3f80 lreg_dest=2"};
    const char *const texts[] = {load, "SFPLOADMACRO lreg_ind=2 instr_mod0=4 dest_reg_addr=4"};
    for (int timing = 0; timing < 2; timing++)
        for (int written = 0; written < 2; written++) {
            tsr_tile *tile = macro_tile(arch, timing, &setup);
            struct tsr_vector *vector = vector_of(tile);
            uint32_t sum[TSR_LANES];
            vector->written[16] = written ? ~0u : 0;
            vector->unclean |= (uint32_t)!written << 16;
            for (unsigned lane = 0; lane < TSR_LANES; lane++) {
                uint32_t datum = loaded(lane + SECOND_ROW * TSR_LANE_COLUMNS);
                sum[lane] = tsr_sfpu_fma((tsr_arch)arch, 0x3f800000, 0x3f800000, datum);
                vector->lreg[16][lane] = sum[lane];
            }
            vector_run(tile, texts, 2);
            for (unsigned lane = 0; lane < TSR_LANES; lane++)
                assert_int_equal(vector_lane(tile, 16, lane), sum[lane]);
            assert_int_equal(vector->written[16], ~0u);
            tsr_tile_destroy(tile);
        }
}
TILE_BOTH(test_mad_after_mad)

// What is issued to a sub-unit in the cycle of a scheduled instruction is gone.
static void test_discards(int arch)
{
    const struct setup setup = {.simple = part(4, 1, true, false),
                                .template_0 = "SFPNOT lreg_dest=0 lreg_c=7"};
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = macro_tile(arch, timing, &setup);
        const char *const texts[] = {load, "SFPMOV lreg_c=2 lreg_dest=3",
                                     "SFPMOV lreg_c=2 lreg_dest=4", "SFPMOV lreg_c=2 lreg_dest=5"};
        vector_run(tile, texts, 4);
        assert_int_equal(vector_lane(tile, 3, 0), vector_value(2, 0));
        assert_int_equal(vector_lane(tile, 4, 0), vector_value(4, 0));
        assert_int_equal(vector_lane(tile, 5, 0), vector_value(2, 0));
        tile_says(tile, "vector-macro-discards", "has scheduled SFPNOT there");
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_discards)

// All of the instruction: a store that is gone leaves the counters alone, for the next one, too.
static void test_discards_store(int arch)
{
    const struct setup setup = {.store = part(3, 0, false, false), .misc = 4};
    const char *const texts[] = {
        load, "SFPSTORE lreg_ind=2 instr_mod0=4 dest_reg_addr=8 sfpu_addr_mode=1",
        "SFPSTORE lreg_ind=3 instr_mod0=4 dest_reg_addr=8 sfpu_addr_mode=1"};
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = macro_tile(arch, timing, &setup);
        tsr_rwc rwc;
        tsr_dst_datums row;
        tile_field(tile, THREAD, FIELD_ADDR_MOD_DST_SEC1_DestIncr, 16);
        vector_run(tile, texts, 3);
        tile_says(tile, "vector-macro-discards", "has scheduled SFPSTORE there");
        tsr_view_rwc(tile, THREAD, &rwc);
        assert_int_equal(rwc.dst, 16);
        tsr_view_dst_datums(tile, true, 8, &row);
        assert_int_equal(tsr_dst_decode_fp32(row.bits[4]), vector_value(3, 2));
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_discards_store)

// SFPTRANSP beside a shift of the same cycle into L5: it moves what was there before the cycle.
static void test_transpose(int arch)
{
    const struct setup setup = {.simple = part(4, 0, true, false),
                                .round = part(5, 0, false, false),
                                .template_0 = "SFPTRANSP",
                                .template_1 = "SFPSHFT2 instr_mod1=5"};
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = macro_tile(arch, timing, &setup);
        vector_do(tile, "SFPLOADMACRO lreg_ind=1 instr_mod0=4 dest_reg_addr=1"); // L5
        for (unsigned column = 0; column < TSR_LANE_COLUMNS; column++) {
            unsigned row_1 = TSR_LANE_COLUMNS + column, row_2 = row_1 + TSR_LANE_COLUMNS;
            assert_int_equal(vector_lane(tile, 0, row_1), vector_value(1, column));
            assert_int_equal(vector_lane(tile, 4, row_1), loaded(column));
            assert_int_equal(vector_lane(tile, 6, row_1), loaded(row_2));
        }
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_transpose)

// A cycle for which an instruction is held counts, and one that is an SFPNOP holds nobody.
static void test_held(int arch)
{
    static const char *const held[] = {"SFPSWAP lreg_dest=3 lreg_src_c=2",
                                       "SFPSHFT2 lreg_dest=3 lreg_src_c=2 instr_mod1=3",
                                       "SFPADDI lreg_dest=2 imm16_math=0x3f80"};
    const struct setup setup = {.simple = part(4, 2, true, false),
                                .template_0 = "SFPNOT lreg_dest=0 lreg_c=7"};
    for (int timing = 0; timing < 2; timing++)
        for (unsigned i = 0; i < (arch == WH ? 1 : 3); i++)
            for (unsigned nop = 0; nop < 2; nop++) {
                tsr_tile *tile = macro_tile(arch, timing, &setup);
                const char *const texts[] = {load, held[i], nop ? "SFPNOP" : NULL};
                vector_fill(tile);
                for (unsigned n = 0; n < 2 + nop; n++)
                    tile_push(tile, THREAD, texts[n]);
                // The third cycle behind the load, in which SFPNOT wins.
                tile_push(tile, THREAD, "SFPMOV lreg_c=2 lreg_dest=4");
                tile_idle(tile);
                assert_int_equal(vector_lane(tile, 4, 5), vector_value(4, 5));
                tile_says(tile, "vector-macro-discards", "has scheduled SFPNOT there");
                tsr_tile_destroy(tile);
            }
}
TILE_BOTH(test_held)

// The load of a younger instruction comes to L1 in the cycle in which SFPSWAP's result does, and
// stays: tt-llk's maximum of columns loads into the register that it has just compared.
static void test_younger_wins(int arch)
{
    const struct setup setup = {.simple = part(4, 0, false, true),
                                .template_0 = "SFPSWAP lreg_dest=0 lreg_src_c=4 instr_mod1=1"};
    const char *const texts[] = {"SFPLOADI lreg_ind=4 imm16=0xc000", load, "SFPNOP",
                                 "SFPLOAD lreg_ind=1 instr_mod0=4 dest_reg_addr=16", "SFPNOP"};
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = macro_tile(arch, timing, &setup);
        for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
            tile_push(tile, THREAD, texts[i]);
        tile_idle(tile);
        tsr_dst_datums row;
        assert_int_equal(tsr_view_dst_datums(tile, true, 16, &row), TSR_OK);
        assert_int_equal(vector_lane(tile, 1, 3), tsr_dst_decode_fp32(row.bits[6]));
        assert_int_equal(vector_lane(tile, 4, 3), loaded(3));
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_younger_wins)

// SFPSWAP compares in its first cycle, and exchanges what its LRegs have in the second one: a load
// of the first cycle is what L4 gets, although the older value was compared.
static void test_swap_reads_again(int arch)
{
    const struct setup setup = {.simple = part(4, 0, false, true),
                                .template_0 = "SFPSWAP lreg_dest=0 lreg_src_c=4 instr_mod1=1"};
    const char *const texts[] = {"SFPLOADI lreg_ind=4 imm16=0xc000", load,
                                 "SFPLOAD lreg_ind=1 instr_mod0=4 dest_reg_addr=16", "SFPNOP"};
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = macro_tile(arch, timing, &setup);
        vector_run(tile, texts, sizeof texts / sizeof *texts);
        tsr_dst_datums row;
        assert_int_equal(tsr_view_dst_datums(tile, true, 16, &row), TSR_OK);
        assert_int_equal(vector_lane(tile, 1, 3), 0xc0000000);
        assert_int_equal(vector_lane(tile, 4, 3), tsr_dst_decode_fp32(row.bits[6]));
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_swap_reads_again)

// The template's own VD is what the loaded LReg is compared with: tt-llk's exponential keeps its
// operands above a constant so. The LReg gets VC's result.
static void test_swap_limits(int arch)
{
    static const char *const limits[] = {"SFPSWAP lreg_dest=5 lreg_src_c=0 instr_mod1=1",
                                         "SFPSWAP lreg_dest=5 lreg_src_c=0 instr_mod1=9"};
    const char *const texts[] = {load, "SFPNOP", "SFPNOP"};
    for (int timing = 0; timing < 2; timing++)
        for (int least = 0; least < 2; least++) {
            const struct setup setup = {.simple = part(4, 0, false, false),
                                        .template_0 = limits[least]};
            tsr_tile *tile = macro_tile(arch, timing, &setup);
            struct tsr_vector *vector = vector_of(tile);
            for (unsigned lane = 0; lane < TSR_LANES; lane++)
                vector->lreg[5][lane] = lane % 3 ? 0xff000000 + lane : 0x7f000000 + lane;
            vector_run(tile, texts, sizeof texts / sizeof *texts);
            for (unsigned lane = 0; lane < TSR_LANES; lane++) {
                bool limited = (lane % 3 == 0) != least;
                uint32_t limit = lane % 3 ? 0xff000000 + lane : 0x7f000000 + lane;
                assert_int_equal(vector_lane(tile, 1, lane), limited ? limit : loaded(lane));
                assert_int_equal(vector_lane(tile, 5, lane), limit);
            }
            tsr_tile_destroy(tile);
        }
}
TILE_BOTH(test_swap_limits)

// An SFPSWAP that is stored as a template does not execute, and holds nobody.
static void test_template_holds_nobody(int arch)
{
    const struct setup setup = {.simple = part(4, 2, true, false),
                                .template_0 = "SFPNOT lreg_dest=0 lreg_c=7"};
    const char *const texts[] = {load, "SFPSWAP lreg_dest=14 lreg_src_c=2",
                                 "SFPMOV lreg_c=2 lreg_dest=4"};
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = macro_tile(arch, timing, &setup);
        vector_run(tile, texts, 3);
        assert_int_equal(vector_lane(tile, 4, 5), vector_value(2, 5));
        assert_null(tile_found(tile, "vector-macro-discards"));
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_template_holds_nobody)

// A later macro takes the place of what would execute in the same cycle.
static void test_forgets(int arch)
{
    const struct setup setup = {.simple = part(4, 3, false, false),
                                .template_0 = "SFPNOT lreg_dest=0 lreg_c=7",
                                .template_1 = "SFPABS lreg_c=7"};
    tsr_tile *tile = macro_tile(arch, false, &setup);
    for (unsigned column = 0; column < TSR_LANE_COLUMNS; column++)
        vector_of(tile)->macro.sequence[1][column] = part(5, 2, false, false);
    tile_push(tile, THREAD, load);
    tile_push(tile, THREAD, "SFPLOADMACRO lreg_ind=6 instr_mod0=4 dest_reg_addr=0"); // 1, L2
    tile_idle(tile);
    assert_int_equal(vector_lane(tile, 1, 9), loaded(9)); // never inverted
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_forgets)

// A macro that has nothing to schedule for a sub-unit leaves alone what is scheduled there.
static void test_forgets_for_nothing(int arch)
{
    const struct setup setup = {.simple = part(4, 1, false, false),
                                .template_0 = "SFPNOT lreg_dest=0 lreg_c=7"};
    tsr_tile *tile = macro_tile(arch, false, &setup);
    tile_push(tile, THREAD, load);
    tile_push(tile, THREAD, "SFPLOADMACRO lreg_ind=6 instr_mod0=4 dest_reg_addr=0");
    tile_idle(tile);
    assert_int_equal(vector_lane(tile, 1, 9), ~loaded(9));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_forgets_for_nothing)

// What a sub-unit cannot execute is an SFPNOP there; it takes the place all the same.
static void test_wrong_sub_unit(int arch)
{
    const struct setup setup = {.round = part(4, 0, false, false),
                                .store = part(4, 0, false, false),
                                .template_0 = "SFPNOT lreg_dest=0 lreg_c=7"};
    tsr_tile *tile = macro_tile(arch, false, &setup);
    const char *const texts[] = {load, "SFPSHFT2 lreg_dest=3 lreg_src_c=2 instr_mod1=3"};
    vector_run(tile, texts, 2);
    assert_int_equal(vector_lane(tile, 1, 2), loaded(2));
    assert_int_equal(vector_lane(tile, 3, 2), vector_value(3, 2)); // discarded
    tile_says(tile, "vector-macro", "no SFPSTORE");
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_wrong_sub_unit)

// The store goes where the load came from, whatever the counters do since.
static void test_address(int arch)
{
    const struct setup setup = {.store = part(4, 2, false, true), // of template 0: its own VD
                                .misc = 4,
                                .template_0 = "SFPSTORE lreg_ind=7"};
    tsr_tile *tile = macro_tile(arch, false, &setup);
    tile_push(tile, THREAD, "SFPLOADMACRO lreg_ind=1 instr_mod0=4 dest_reg_addr=0");
    tile_push(tile, THREAD, "SETRWC BitMask=4 rwc_d=8");
    tile_idle(tile);
    for (unsigned lane = 0; lane < TSR_LANES; lane++)
        assert_int_equal(dst_of(tile, lane), vector_value(7, lane));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_address)

// Odd addresses: the low bit of the address is the high one of VD.
static void test_high_vd(int arch)
{
    const struct setup setup = {0};
    tsr_tile *tile = macro_tile(arch, false, &setup);
    vector_do(tile, "SFPLOADMACRO lreg_ind=2 instr_mod0=4 dest_reg_addr=1");
    assert_int_equal(vector_lane(tile, 6, 3), loaded(3));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_high_vd)

// Columns with other sequences.
static void test_columns(int arch)
{
    const struct setup setup = {.simple = part(4, 0, false, false),
                                .template_0 = "SFPNOT lreg_dest=0 lreg_c=7"};
    tsr_tile *tile = macro_tile(arch, false, &setup);
    vector_of(tile)->macro.sequence[0][5] = 0;
    vector_of(tile)->macro.uniform = false;
    vector_do(tile, load);
    for (unsigned lane = 0; lane < TSR_LANES; lane++)
        assert_int_equal(vector_lane(tile, 1, lane), lane % 8 == 5 ? loaded(lane) : ~loaded(lane));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_columns)

// Which sub-units may work together: Simple beside Round if one of them has L16 for VD, whether
// they are scheduled or issued, and SFPNOP beside anything.
static void test_simple_beside_round(int arch)
{
    static const struct {
        uint32_t simple, round;
        const char *issued;
        bool forbidden;
    } cases[] = {
        {4 | 1 << 6, 5, "SFPNOP", false},
        {4, 5 | 1 << 6, "SFPNOP", false},
        {4, 5, "SFPNOP", true},
        {4 | 1 << 6, 5 | 1 << 6, "SFPNOP", true},
        {4, 2, "SFPNOP", false}, // SFPNOP in Round
        {0, 5, "SFPMOV lreg_c=2 lreg_dest=3", true},
        {0, 5 | 1 << 6, "SFPMOV lreg_c=2 lreg_dest=3", false},
        {4, 0, "SFPSHFT2 instr_mod1=6 lreg_dest=3", true},
        {4 | 1 << 6, 0, "SFPSHFT2 instr_mod1=6 lreg_dest=3", false},
        {4, 0, "SFPSHFT2 instr_mod1=6 lreg_dest=12", false}, // becomes a template
        {4, 0, "SFPADDI imm16_math=0x3f80 lreg_dest=2", false},
        {4, 0, "SFPLOADI lreg_ind=3 imm16=1", false},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int timing = 0; timing < 2; timing++) {
            const struct setup setup = {.simple = cases[i].simple,
                                        .round = cases[i].round,
                                        .template_0 = "SFPNOT lreg_dest=0 lreg_c=7",
                                        .template_1 = "SFPSHFT2 instr_mod1=6"};
            const char *const texts[] = {load, cases[i].issued};
            tsr_tile *tile = macro_tile(arch, timing, &setup);
            vector_run(tile, texts, 2);
            assert_int_equal(tile_found(tile, "vector-macro") != NULL, cases[i].forbidden);
            tsr_tile_destroy(tile);
        }
}
TILE_BOTH(test_simple_beside_round)

// A scheduled SFPSWAP leaves no cycle of its two to what else needs its sub-units.
static void test_beside_swap(int arch)
{
    static const struct {
        uint32_t mad, round;
        const char *first, *second;
        bool forbidden;
    } cases[] = {
        {0, 0, "SFPNOP", "SFPNOP", false},
        {2, 2 | 1 << 3, "SFPNOP", "SFPMOV lreg_c=2 lreg_dest=3", true},
        {2, 2 | 1 << 3, "SFPNOP", "SFPADDI imm16_math=0x3f80 lreg_dest=2", false},
        {2, 2 | 1 << 3, "SFPNOP", "SFPLOADI lreg_ind=3 imm16=1", false},
        {2, 2 | 1 << 3, "SFPNOP", "SFPSTORE lreg_ind=3 instr_mod0=4 dest_reg_addr=8", false},
        {5, 0, "SFPNOP", "SFPNOP", true},
        {5 | 1 << 3, 0, "SFPNOP", "SFPNOP", false},
        {0, 0, "SFPADDI imm16_math=0x3f80 lreg_dest=2", "SFPNOP", true},
        {2, 0, "SFPADDI imm16_math=0x3f80 lreg_dest=2", "SFPNOP", false}, // discarded
        {0, 4 | 1 << 3 | 1 << 6, "SFPNOP", "SFPNOP", false},              // SFPNOP in Round
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int timing = 0; timing < 2; timing++) {
            const struct setup setup = {.simple = part(4, 0, false, true),
                                        .mad = cases[i].mad,
                                        .round = cases[i].round,
                                        .template_0 = "SFPSWAP lreg_src_c=4 instr_mod1=0",
                                        .template_1 = "SFPADDI imm16_math=0x3f80 lreg_dest=2"};
            const char *const texts[] = {load, cases[i].first, cases[i].second, "SFPABS lreg_c=2"};
            tsr_tile *tile = macro_tile(arch, timing, &setup);
            vector_run(tile, texts, 4);
            assert_int_equal(tile_found(tile, "vector-macro") != NULL, cases[i].forbidden);
            tsr_tile_destroy(tile);
        }
}
TILE_BOTH(test_beside_swap)

// The second cycle of a scheduled lane shuffle: on Wormhole its page has a list, Blackhole wants
// all of the unit idle.
static void test_beside_shuffle(int arch)
{
    static const struct {
        const char *issued;
        unsigned forbidden; // 1: on Wormhole, 2: on Blackhole
    } cases[] = {
        {"SFPNOP", 0},
        {"SFPMOV lreg_c=2 lreg_dest=3", 3},
        {"SFPSHFT2 instr_mod1=6 lreg_dest=3", 3},
        {"SFPSETCC lreg_c=2", 2},
        {"SFPADDI imm16_math=0x3f80 lreg_dest=2", 2},
        {"SFPLOADI lreg_ind=3 imm16=1", 2},
        {"SFPSTORE lreg_ind=3 instr_mod0=4 dest_reg_addr=8", 2},
        {"SFPMOV lreg_c=2 lreg_dest=12", 0}, // becomes a template
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int timing = 0; timing < 2; timing++) {
            const struct setup setup = {.round = 4, .template_0 = "SFPSHFT2 instr_mod1=3"};
            const char *const texts[] = {load, "SFPNOP", cases[i].issued, "SFPABS lreg_c=2"};
            tsr_tile *tile = macro_tile(arch, timing, &setup);
            vector_run(tile, texts, 4);
            assert_int_equal(tile_found(tile, "vector-macro") != NULL,
                             cases[i].forbidden >> (arch == BH) & 1);
            tsr_tile_destroy(tile);
        }
}
TILE_BOTH(test_beside_shuffle)

// A store that some lanes schedule, all need to schedule; of other sub-units nothing says so.
static void test_store_in_some_columns(int arch)
{
    for (int store = 0; store < 2; store++) {
        const struct setup setup = {.simple = store ? 0 : 4,
                                    .store = store ? 3 : 0,
                                    .misc = 4,
                                    .template_0 = "SFPNOT lreg_dest=0 lreg_c=7"};
        tsr_tile *tile = macro_tile(arch, false, &setup);
        vector_of(tile)->macro.sequence[0][5] = 0;
        vector_of(tile)->macro.uniform = false;
        vector_do(tile, load);
        assert_int_equal(tile_found(tile, "vector-macro") != NULL, store);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_store_in_some_columns)

// SFPCONFIG of a macro configures what the replaced VD names: of L16 there is nothing.
static void test_config(int arch)
{
    for (unsigned to_l16 = 0; to_l16 < 2; to_l16++) {
        const struct setup setup = {.simple = part(4, 0, to_l16, false),
                                    .template_0 = "SFPCONFIG config_dest=8 imm16_math=5 "
                                                  "instr_mod1=1"};
        tsr_tile *tile = macro_tile(arch, false, &setup);
        uint32_t l16 = vector_lane(tile, 16, 0);
        vector_do(tile, "SFPLOADMACRO lreg_ind=3 instr_mod0=4 dest_reg_addr=1"); // L7: sequence 3
        assert_int_equal(vector_of(tile)->macro.sequence[3][0], to_l16 ? 0 : 5);
        assert_int_equal(vector_of(tile)->macro.misc[0], 0);
        assert_int_equal(vector_lane(tile, 16, 0), l16);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_config)

// The unit is busy while scheduled instructions run on.
static void test_busy(int arch)
{
    const struct setup setup = {.simple = part(4, 6, false, false),
                                .template_0 = "SFPNOT lreg_dest=0 lreg_c=7"};
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = macro_tile(arch, timing, &setup);
        char text[80];
        tile_push(tile, THREAD, load);
        snprintf(text, sizeof text, "STALLWAIT stall_res=511 wait_res=%u",
                 arch == WH ? 1u << 14 : 1u << 11);
        tile_push(tile, THREAD, text);
        tile_push(tile, THREAD, "SFPSTORE lreg_ind=1 instr_mod0=4 dest_reg_addr=8");
        tile_idle(tile);
        tsr_dst_datums row;
        tsr_view_dst_datums(tile, true, 8, &row);
        assert_int_equal(tsr_dst_decode_fp32(row.bits[4]), ~loaded(2));
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_busy)

struct seen {
    int count, sub_unit[8];
    uint64_t cycle[8];
};

static void see(void *user, const tsr_event *event)
{
    struct seen *seen = user;
    if (event->kind != TSR_EVENT_SCHEDULED || seen->count == 8)
        return;
    assert_int_equal(event->unit, TSR_UNIT_VECTOR);
    seen->sub_unit[seen->count] = event->sub_unit;
    seen->cycle[seen->count++] = event->executed;
}

// An observer sees each, with its sub-unit and its cycle.
static void test_observed(int arch)
{
    const struct setup setup = {.simple = part(4, 0, true, false),
                                .mad = part(2, 3, false, false),
                                .store = part(3, 1, true, false),
                                .misc = 4,
                                .template_0 = "SFPNOT lreg_dest=0 lreg_c=7"};
    tsr_tile *tile = macro_tile(arch, true, &setup);
    struct seen seen = {0};
    tsr_tile_observe(tile, see, &seen);
    vector_do(tile, load);
    assert_int_equal(seen.count, 3);
    static const char *const names[] = {"simple", "store", "MAD"};
    for (int i = 0; i < 3; i++)
        assert_string_equal(tsr_sub_unit_name(seen.sub_unit[i]), names[i]);
    assert_int_equal(seen.cycle[1], seen.cycle[0] + 1);
    assert_int_equal(seen.cycle[2], seen.cycle[0] + 3);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_observed)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_chain),
        TILE_TEST(test_operands),
        TILE_TEST(test_delay),
        TILE_TEST(test_counts_instructions),
        TILE_TEST(test_mad),
        TILE_TEST(test_discards),
        TILE_TEST(test_forgets),
        TILE_TEST(test_forgets_for_nothing),
        TILE_TEST(test_address),
        TILE_TEST(test_wrong_sub_unit),
        TILE_TEST(test_high_vd),
        TILE_TEST(test_columns),
        TILE_TEST(test_busy),
        TILE_TEST(test_observed),
        TILE_TEST(test_config),
        TILE_TEST(test_mad_after_mad),
        TILE_TEST(test_held),
        TILE_TEST(test_younger_wins),
        TILE_TEST(test_swap_reads_again),
        TILE_TEST(test_swap_limits),
        TILE_TEST(test_template_holds_nobody),
        TILE_TEST(test_discards_store),
        TILE_TEST(test_transpose),
        TILE_TEST(test_simple_beside_round),
        TILE_TEST(test_beside_swap),
        TILE_TEST(test_beside_shuffle),
        TILE_TEST(test_store_in_some_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
