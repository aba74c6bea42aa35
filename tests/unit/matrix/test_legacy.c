// SPDX-License-Identifier: Apache-2.0
// Opcodes of which little or nothing is described: what is left of earlier architectures
// (MatrixUnit.md, "Legacy instructions"; RWCs.md), MOVDBGB2D, CLREXPHIST (CLREXPHIST.md,
// Packers/ExponentHistogram.md), and those that are refused in words.
#include "rig/matrix_rig.h"

#include "rig/dst_order.h"

#include "tile/tile_state.h"

#include <stdio.h>

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

// Any bits in Dst, a third of the rows invalid, and banks full of `datum`.
static rig *filled(int arch, uint32_t datum)
{
    rig *r = rig_new(arch, TSR_PROFILE_STRICT);
    uint32_t seed = 1;
    rig_fill_dst(r, 0, 0);
    for (int row = 0; row < TSR_DST_ROWS; row++) {
        for (int column = 0; column < TSR_COLUMNS; column++)
            r->state->dst.bits[row][column] = (uint16_t)next(&seed);
        r->state->dst.valid[row] = row % 3 != 0;
    }
    rig_fill_src(r, TSR_SRCA, datum);
    rig_fill_src(r, TSR_SRCB, datum);
    rig_formats(r, 5, 5);
    return r;
}

static void set_modes(rig *r, int mode)
{
    static const uint8_t formats[4] = {5, 1, 5, 14}; // BF16, FP16, BF16, INT8
    rig_formats(r, formats[mode], formats[mode]);
    rig_set(r, FIELD_ALU_ACC_CTRL_Fp32_enabled, mode == 2);
    rig_set(r, FIELD_ALU_ACC_CTRL_INT8_math_enabled, mode == 3);
}

static void same_dst(const rig *a, const rig *b)
{
    assert_memory_equal(a->state->dst.bits, b->state->dst.bits, sizeof a->state->dst.bits);
    assert_memory_equal(a->state->dst.valid, b->state->dst.valid, sizeof a->state->dst.valid);
}

// ---------------------------------------------------------------- Dst += 0

static const char *const sums[] = {"CONV3S1", "CONV3S2", "MFCONV3S1", "APOOL3S1", "APOOL3S2"};

// What ELWMUL does with sources of zero, whatever the sources hold: in 16 and 32 bits and integers.
static void test_sums(int arch)
{
    for (int i = 0; i < 5; i++)
        for (int mode = 0; mode < 4; mode++) {
            rig *legacy = filled(arch, 0x1fc00 + 77), *product = filled(arch, 0);
            char text[80];
            set_modes(legacy, mode);
            set_modes(product, mode);
            snprintf(text, sizeof text, "%s dst=21", sums[i]); // the block of eight from 16 on
            rig_run(legacy, text);
            rig_run(product, "ELWMUL dst=21");
            same_dst(legacy, product);
            assert_string_equal(rig_found(legacy), "legacy-instruction");
            rig_free(legacy);
            rig_free(product);
        }
}
TILE_BOTH(test_sums)

// By hand, in BF16: 1.0 is stored with sign, mantissa, exponent as 0x007f and stays; an invalid row
// reads as 0 and becomes a valid row of 0; other blocks stay as they were.
static void test_sum_by_hand(int arch)
{
    rig *r = rig_new(arch, TSR_PROFILE_STRICT);
    rig_fill_dst(r, 0x007f, 0x007f);
    rig_fill_src(r, TSR_SRCA, 0x1fc00);
    rig_fill_src(r, TSR_SRCB, 0x1fc00);
    rig_formats(r, 5, 5);
    r->state->dst.valid[10] = r->state->dst.valid[16] = false;
    rig_run(r, "CONV3S1 dst=8");
    assert_int_equal(r->state->dst.bits[8][3], 0x007f);
    assert_int_equal(r->state->dst.bits[15][15], 0x007f);
    assert_int_equal(r->state->dst.bits[10][3], 0);
    assert_true(r->state->dst.valid[10]);
    assert_false(r->state->dst.valid[16]);
    assert_int_equal(r->state->dst.bits[16][0], 0x007f);
    rig_free(r);
}
TILE_BOTH(test_sum_by_hand)

// Counters step by their AddrMod and banks go back: what programs used them for.
static void test_sum_counters_and_banks(int arch)
{
    rig *r = filled(arch, 0);
    rig_set(r, FIELD_ADDR_MOD_AB_SEC2_SrcAIncr, 16);
    rig_set(r, FIELD_ADDR_MOD_DST_SEC2_DestIncr, 4);
    assert_int_equal(rig_ready(r, "CONV3S1"), TSR_REASON_NONE);
    rig_run(r, "CONV3S1 addr_mode=2 clear_dvalid=1");
    assert_int_equal(r->state->rwcs.thread[0].srca, 16);
    assert_int_equal(r->state->rwcs.thread[0].dst, 4);
    assert_false(r->state->src[TSR_SRCA].bank[0].matrix_owns);
    assert_int_equal(r->state->src[TSR_SRCA].matrix_bank, 1);
    assert_int_equal(r->state->src[TSR_SRCB].matrix_bank, 0);
    r->state->src[TSR_SRCB].bank[0].matrix_owns = false;
    assert_int_equal(rig_ready(r, "APOOL3S2"), TSR_REASON_SRCB);
    r->state->src[TSR_SRCA].bank[1].matrix_owns = false;
    assert_int_equal(rig_ready(r, "MPOOL3S1"), TSR_REASON_SRCA);
    rig_free(r);
}
TILE_BOTH(test_sum_counters_and_banks)

// Sources are not read: that nothing was written to them is no matter. Dst is.
static void test_sum_reads(int arch)
{
    rig *r = filled(arch, 0);
    memset(r->state->src[TSR_SRCA].bank[0].written, 0, sizeof r->state->src[0].bank[0].written);
    r->state->dst.tainted[9] = 1; // an invalid row, which reads as 0
    r->state->dst.tainted[10] = 1;
    rig_run(r, "CONV3S2 dst=8");
    assert_int_equal(r->state->dst.tainted[9], 0);
    assert_int_equal(r->state->dst.tainted[10], 1);
    memset(r->state->dst.written, 0, sizeof r->state->dst.written);
    assert_false(rig_begin(r, "CONV3S2 dst=8"));
    assert_string_equal(rig_found(r), "uninitialised-dst");
    rig_free(r);
}
TILE_BOTH(test_sum_reads)

static void test_policy(int arch)
{
    rig *r = filled(arch, 0);
    assert_int_equal(tsr_findings_policy(&r->findings, "legacy-instruction", TSR_ACTION_STOP),
                     TSR_OK);
    rig_set(r, FIELD_ADDR_MOD_AB_SEC0_SrcAIncr, 16);
    struct tsr_dst before = r->state->dst;
    assert_false(rig_begin(r, "CONV3S1"));
    assert_memory_equal(&before, &r->state->dst, sizeof before);
    assert_int_equal(r->state->rwcs.thread[0].srca, 0);
    rig_free(r);
}
TILE_BOTH(test_policy)

// ---------------------------------------------------------------- pools of maxima

// What GMPOOL does with a SrcA of zeroes, whatever SrcA holds; SrcB is read as it is.
static void test_maxima(int arch)
{
    static const char *const ops[] = {"MPOOL3S1", "MPOOL3S2"};
    for (int i = 0; i < 2; i++)
        for (int index = 0; index < 2; index++)
            for (int zero_b = 0; zero_b < 2; zero_b++) {
                rig *legacy = filled(arch, 0x1fc00), *pool = filled(arch, 0x1fc00);
                rig_fill_src(pool, TSR_SRCA, 0);
                rig_fill_src(legacy, TSR_SRCB, zero_b ? 0 : 0x1fc00);
                rig_fill_src(pool, TSR_SRCB, zero_b ? 0 : 0x1fc00);
                char text[80];
                snprintf(text, sizeof text, "%s dst=9 index_en=%d", ops[i], index);
                rig_run(legacy, text);
                snprintf(text, sizeof text, "GMPOOL dst=9 max_pool_index_en=%d", index);
                rig_run(pool, text);
                same_dst(legacy, pool);
                rig_free(legacy);
                rig_free(pool);
            }
}
TILE_BOTH(test_maxima)

// ---------------------------------------------------------------- MOVDBGB2D

// MOVB2D without its wait, on Blackhole; a bank that is not the matrix unit's has no format.
static void test_movdbgb2d(void **state)
{
    (void)state;
    rig *debug = filled(BH, 0x1fc00 + 8), *waiting = filled(BH, 0x1fc00 + 8);
    rig_run(debug, "MOVDBGB2D dst=16 src=4 movb2d_instr_mod=4 addr_mode=0");
    rig_run(waiting, "MOVB2D dst=16 src=4 movb2d_instr_mod=4 addr_mode=0");
    same_dst(debug, waiting);
    assert_string_equal(rig_found(debug), "undocumented-mode");
    debug->state->src[TSR_SRCB].bank[0].matrix_owns = false;
    assert_int_equal(rig_ready(debug, "MOVDBGB2D"), TSR_REASON_NONE);
    assert_int_equal(rig_ready(debug, "MOVB2D"), TSR_REASON_SRCB);
    rig_set(debug, FIELD_DISABLE_IMPLIED_SRCB_FMT_Base, 0);
    rig_run(debug, "MOVDBGB2D");
    assert_string_equal(rig_found(debug), "implied-format-absent");
    rig_free(debug);
    rig_free(waiting);
}

// ---------------------------------------------------------------- remapped rows

// All of them write the rows of the page's Adj16 and Adj32, and no others.
static void test_remapped_rows(void **state)
{
    static const char *const ops[] = {
        "CONV3S1",  "CONV3S2",  "MFCONV3S1", "APOOL3S1",
        "APOOL3S2", "MPOOL3S1", "MPOOL3S2",  "MOVDBGB2D movb2d_instr_mod=4"};
    (void)state;
    for (unsigned i = 0; i < 8; i++)
        for (unsigned order = 0; order < 4; order++)
            for (int wide = 0; wide < (i == 7 ? 1 : 2); wide++) {
                rig *r = filled(BH, 0x1fc00);
                unsigned rows = i < 5 ? 8 : 4;
                uint16_t expected[TSR_DST_ROWS] = {0};
                char text[80];
                rig_set(r, FIELD_ALU_ACC_CTRL_Fp32_enabled, (uint32_t)wide);
                rig_set(r, FIELD_DEST_ACCESS_CFG_remap_addrs, order & 1);
                rig_set(r, FIELD_DEST_ACCESS_CFG_swizzle_32b, order >> 1);
                memset(r->state->dst.written, 0, sizeof r->state->dst.written);
                memset(r->state->dst.valid, 0, sizeof r->state->dst.valid);
                snprintf(text, sizeof text, "%s dst=40", ops[i]);
                rig_run(r, text);
                for (unsigned row = 40; row < 40 + rows; row++) {
                    unsigned place = order_row(order, row, wide);
                    expected[place] = 0xffff;
                    expected[place + 8] |= wide ? 0xffff : 0;
                }
                assert_memory_equal(r->state->dst.written, expected, sizeof expected);
                rig_free(r);
            }
}

// ---------------------------------------------------------------- CLREXPHIST

static void test_clrexphist(int arch)
{
    rig *r = rig_new(arch, TSR_PROFILE_STRICT);
    for (int i = 0; i < TSR_PACKERS; i++) {
        memset(r->state->packers.packer[i].exponent_count, 9, 32);
        r->state->packers.packer[i].max_exponent = 130;
        r->state->packers.packer[i].x = 5;
    }
    rig_run(r, "CLREXPHIST");
    static const uint8_t none[32];
    for (int i = 0; i < TSR_PACKERS; i++) {
        assert_memory_equal(r->state->packers.packer[i].exponent_count, none, sizeof none);
        assert_int_equal(r->state->packers.packer[i].max_exponent, 0);
        assert_int_equal(r->state->packers.packer[i].x, 5);
    }
    assert_int_equal(r->findings.count, 0);
    rig_free(r);
}
TILE_BOTH(test_clrexphist)

// ---------------------------------------------------------------- refused

static const char *const refused[] = {"SETPKEDGOF x_start=1 x_end=2 y_start=3 y_end=4",
                                      "SETASHRMH halo_mask=1 reg_mask=5",
                                      "SETASHRMH0 halo_mask=1 reg_mask=5",
                                      "SETASHRMH1 reg_mask=5",
                                      "SETASHRMV reg_mask2=9",
                                      "SETIBRWC set_inc_ctrl=3 rwc_bias=1",
                                      "SETIBRWC rwc_bias=1 rwc_cr=1",
                                      "RSTDMA",
                                      "TBUFCMD",
                                      "RAREB",
                                      "TRNSPSRCA"};

static tsr_tile *new_tile(int arch, bool timing)
{
    tsr_options options = tsr_options_default((tsr_arch)arch);
    tsr_tile *tile = NULL;
    options.timing = timing;
    assert_int_equal(tsr_tile_create(&options, &tile), TSR_OK);
    return tile;
}

static void push(tsr_tile *tile, const char *text)
{
    uint32_t word;
    char error[200];
    assert_int_equal(tsr_assemble(tsr_tile_arch(tile), text, &word, error, sizeof error), TSR_OK);
    assert_int_equal(tsr_push(tile, 0, word), TSR_OK);
}

// Each stops the tile under strict. A policy goes on: it changes nothing, and what is after it
// runs.
static void test_refused_stops(int arch)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        tsr_tile *tile = new_tile(arch, i % 2 != 0);
        tsr_limits limits = tsr_limits_default();
        push(tile, refused[i]);
        assert_int_equal(tsr_run(tile, &limits), TSR_END_STOPPED);
        assert_string_equal(tsr_diagnostic_at(tile, 0)->code, "no-specification");
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_refused_stops)

static void test_refused(int arch)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        tsr_tile *tile = new_tile(arch, false);
        struct tsr_state *state = tile->engine.env.state;
        struct tsr_state *before = malloc(sizeof *before);
        assert_non_null(before);
        memcpy(before, state, sizeof *before);
        tsr_limits limits = tsr_limits_default();
        assert_int_equal(tsr_tile_set_policy(tile, "no-specification", TSR_ACTION_RECORD), TSR_OK);
        push(tile, refused[i]);
        assert_int_equal(tsr_run(tile, &limits), TSR_END_IDLE);
        assert_int_equal(tsr_diagnostic_count(tile), 1);
        const tsr_diagnostic *found = tsr_diagnostic_at(tile, 0);
        assert_string_equal(found->code, "no-specification");
        assert_int_equal(found->category, TSR_UNIMPLEMENTED_FEATURE);
        assert_int_equal(found->action, TSR_ACTION_RECORD);
        size_t name = strcspn(refused[i], " ");
        assert_int_equal(strncmp(found->sentence, refused[i], name), 0);
        assert_non_null(strstr(found->sentence, " does nothing here: no page"));
        assert_memory_equal(&before->config, &state->config, sizeof state->config);
        assert_memory_equal(&before->adcs, &state->adcs, sizeof state->adcs);
        assert_memory_equal(&before->rwcs, &state->rwcs, sizeof state->rwcs);
        assert_memory_equal(&before->packers, &state->packers, sizeof state->packers);
        assert_memory_equal(&before->unpacker, &state->unpacker, sizeof state->unpacker);
        assert_memory_equal(&before->src, &state->src, sizeof state->src);
        assert_memory_equal(&before->dst, &state->dst, sizeof state->dst);
        push(tile, "SETADCXX CntSetMask=1 x_end2=7");
        assert_int_equal(tsr_run(tile, &limits), TSR_END_IDLE);
        assert_int_equal(state->adcs.channel[0][0][1].x, 7);
        free(before);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_refused)

// A cycle each, as any word; a policy can stop at it.
static void test_refused_time_and_policy(int arch)
{
    tsr_tile *tile = new_tile(arch, true);
    tsr_limits limits = tsr_limits_default();
    assert_int_equal(tsr_tile_set_policy(tile, "no-specification", TSR_ACTION_RECORD), TSR_OK);
    push(tile, "NOP");
    assert_int_equal(tsr_run(tile, &limits), TSR_END_IDLE);
    uint64_t start = tsr_cycle(tile);
    push(tile, "NOP");
    assert_int_equal(tsr_run(tile, &limits), TSR_END_IDLE);
    uint64_t one_nop = tsr_cycle(tile) - start;
    start = tsr_cycle(tile);
    push(tile, "RAREB");
    push(tile, "TRNSPSRCA");
    push(tile, "NOP");
    assert_int_equal(tsr_run(tile, &limits), TSR_END_IDLE);
    assert_int_equal(tsr_cycle(tile) - start, one_nop + 2);
    assert_int_equal(tsr_tile_set_policy(tile, "unimplemented", TSR_ACTION_STOP), TSR_OK);
    push(tile, "TBUFCMD");
    assert_int_equal(tsr_run(tile, &limits), TSR_END_STOPPED);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_refused_time_and_policy)

// ---------------------------------------------------------------- SETIBRWC

static void bias_after(tsr_tile *tile, const char *text, int expected)
{
    tsr_limits limits = tsr_limits_default();
    push(tile, text);
    assert_int_equal(tsr_run(tile, &limits), TSR_END_IDLE);
    assert_int_equal(tile->engine.env.state->rwcs.thread[0].extra_addr_mod, expected);
    assert_int_equal(tile->engine.env.state->rwcs.thread[1].extra_addr_mod, 0);
}

static void test_setibrwc(int arch)
{
    tsr_tile *tile = new_tile(arch, arch == TSR_BLACKHOLE_A0);
    bias_after(tile, "SETIBRWC rwc_bias=1", 1);
    bias_after(tile, "SETIBRWC rwc_bias=1", 1);
    bias_after(tile, "SETIBRWC rwc_bias=1 set_inc_ctrl=1", 0);
    bias_after(tile, "SETIBRWC rwc_bias=2 set_inc_ctrl=1", 1);
    bias_after(tile, "SETIBRWC rwc_bias=4 set_inc_ctrl=1", 1);
    bias_after(tile, "SETIBRWC rwc_bias=4", 0);
    for (int i = 0; i < tsr_diagnostic_count(tile); i++)
        assert_string_equal(tsr_diagnostic_at(tile, i)->code, "undocumented-mode");
    assert_true(tsr_diagnostic_count(tile) > 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_setibrwc)

// On Wormhole the bit chooses the upper AddrMods, as ADDR_MOD_BIAS does.
static void test_setibrwc_addr_mod(void **state)
{
    (void)state;
    tsr_tile *tile = new_tile(TSR_WORMHOLE_B0, false);
    tsr_limits limits = tsr_limits_default();
    const tsr_field_info *field = tsr_field_find(TSR_WORMHOLE_B0, "ADDR_MOD_DST_SEC4_DestIncr");
    char text[80];
    snprintf(text, sizeof text, "SETC16 setc16_reg=%u setc16_value=%u", field->addr32,
             8u << field->first_bit);
    push(tile, text);
    push(tile, "SETIBRWC rwc_bias=1");
    push(tile, "MOVD2B addr_mode=0");
    assert_int_equal(tsr_tile_set_policy(tile, "undefined-behaviour", TSR_ACTION_RECORD), TSR_OK);
    assert_int_equal(tsr_tile_set_policy(tile, "unpredictable-value", TSR_ACTION_RECORD), TSR_OK);
    assert_int_equal(tsr_run(tile, &limits), TSR_END_IDLE);
    assert_int_equal(tile->engine.env.state->rwcs.thread[0].dst, 8);
    tsr_tile_destroy(tile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_refused_stops),
        TILE_TEST(test_setibrwc),
        cmocka_unit_test(test_setibrwc_addr_mod),
        TILE_TEST(test_sums),
        TILE_TEST(test_sum_by_hand),
        TILE_TEST(test_sum_counters_and_banks),
        TILE_TEST(test_sum_reads),
        TILE_TEST(test_policy),
        TILE_TEST(test_maxima),
        cmocka_unit_test(test_movdbgb2d),
        cmocka_unit_test(test_remapped_rows),
        TILE_TEST(test_clrexphist),
        TILE_TEST(test_refused),
        TILE_TEST(test_refused_time_and_policy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
