// SPDX-License-Identifier: Apache-2.0
// Counters, validity of Dst rows and the hand-over of Src banks: RWCs.md, SETRWC.md, INCRWC.md,
// ZEROACC.md, CLEARDVALID.md, SrcASrcB.md.
#include "rig/matrix_rig.h"

#include <stdio.h>

static tsr_rwc *rwc_of(rig *r)
{
    return &r->state->rwcs.thread[0];
}

// ---------------------------------------------------------------- SETRWC, INCRWC

static void test_setrwc(int arch)
{
    rig *r = rig_new(arch, TSR_PROFILE_STRICT);
    *rwc_of(r) = (tsr_rwc){
        .srca = 1, .srca_cr = 60, .srcb = 2, .srcb_cr = 3, .dst = 1020, .dst_cr = 7, .fidelity = 3};
    rig_run(r, "SETRWC BitMask=1 rwc_a=9 rwc_b=5 rwc_d=5 rwc_cr=1"); // A from its carriage, wraps
    assert_int_equal(rwc_of(r)->srca, 5);
    assert_int_equal(rwc_of(r)->srca_cr, 5);
    assert_int_equal(rwc_of(r)->srcb, 2);
    rig_run(r, "SETRWC BitMask=2 rwc_b=15");
    assert_int_equal(rwc_of(r)->srcb, 15);
    assert_int_equal(rwc_of(r)->srcb_cr, 15);
    rig_run(r, "SETRWC rwc_d=8 rwc_cr=12"); // C to CR wins over CR, and needs no mask bit
    assert_int_equal(rwc_of(r)->dst, 4);
    assert_int_equal(rwc_of(r)->dst_cr, 4);
    rig_run(r, "SETRWC BitMask=4 rwc_d=2 rwc_cr=4");
    assert_int_equal(rwc_of(r)->dst, 6);
    rig_run(r, "SETRWC rwc_d=2 rwc_cr=4"); // a carriage bit without the mask: nothing
    assert_int_equal(rwc_of(r)->dst, 6);
    assert_int_equal(rwc_of(r)->fidelity, 3);
    rig_run(r, "SETRWC BitMask=8");
    assert_int_equal(rwc_of(r)->fidelity, 0);
    rig_free(r);
}
TILE_BOTH(test_setrwc)

static void test_incrwc(int arch)
{
    rig *r = rig_new(arch, TSR_PROFILE_STRICT);
    *rwc_of(r) =
        (tsr_rwc){.srca = 60, .srca_cr = 8, .srcb = 1, .srcb_cr = 2, .dst = 1020, .dst_cr = 16};
    rig_run(r, "INCRWC rwc_a=8 rwc_b=3 rwc_d=8 rwc_cr=0");
    assert_int_equal(rwc_of(r)->srca, 4);
    assert_int_equal(rwc_of(r)->srca_cr, 8);
    assert_int_equal(rwc_of(r)->srcb, 4);
    assert_int_equal(rwc_of(r)->dst, 4);
    rig_run(r, "INCRWC rwc_a=8 rwc_b=3 rwc_d=8 rwc_cr=7");
    assert_int_equal(rwc_of(r)->srca, 16);
    assert_int_equal(rwc_of(r)->srca_cr, 16);
    assert_int_equal(rwc_of(r)->srcb, 5);
    assert_int_equal(rwc_of(r)->dst, 24);
    assert_int_equal(rwc_of(r)->dst_cr, 24);
    rig_free(r);
}
TILE_BOTH(test_incrwc)

// ---------------------------------------------------------------- AddrMod

// ZEROACC of a block that does not exist has no other effect (RWCs.md).
static void only_addr_mod(rig *r, unsigned addr_mod)
{
    char text[80];
    if (r->env.chip->arch == TSR_WORMHOLE_B0)
        snprintf(text, sizeof text, "ZEROACC dst=255 clear_mode=1 AddrMode=%u", addr_mod);
    else
        snprintf(text, sizeof text, "ZEROACC where=255 clear_mode=1 addr_mode=%u", addr_mod);
    rig_run(r, text);
}

static void test_addr_mod_flags(int arch)
{
    rig *r = rig_new(arch, TSR_PROFILE_STRICT);
    tsr_rwc start = {.srca = 60,
                     .srca_cr = 4,
                     .srcb = 10,
                     .srcb_cr = 62,
                     .dst = 1020,
                     .dst_cr = 100,
                     .fidelity = 3};
    *rwc_of(r) = start;
    rig_set(r, FIELD_ADDR_MOD_AB_SEC1_SrcAIncr, 8);
    rig_set(r, FIELD_ADDR_MOD_AB_SEC1_SrcBIncr, 8);
    rig_set(r, FIELD_ADDR_MOD_AB_SEC1_SrcBCR, 1);
    rig_set(r, FIELD_ADDR_MOD_DST_SEC1_DestIncr, 8);
    rig_set(r, FIELD_ADDR_MOD_DST_SEC1_FidelityIncr, 2);
    only_addr_mod(r, 1);
    assert_int_equal(rwc_of(r)->srca, 4);
    assert_int_equal(rwc_of(r)->srca_cr, 4);
    assert_int_equal(rwc_of(r)->srcb, 6);
    assert_int_equal(rwc_of(r)->srcb_cr, 6);
    assert_int_equal(rwc_of(r)->dst, 4);
    assert_int_equal(rwc_of(r)->dst_cr, 100);
    assert_int_equal(rwc_of(r)->fidelity, 1);
    *rwc_of(r) = start;
    rig_set(r, FIELD_ADDR_MOD_DST_SEC1_DestCR, 1);
    only_addr_mod(r, 1);
    assert_int_equal(rwc_of(r)->dst, 108);
    assert_int_equal(rwc_of(r)->dst_cr, 108);
    *rwc_of(r) = start;
    rig_set(r, FIELD_ADDR_MOD_DST_SEC1_DestCToCR, 1); // before CR
    only_addr_mod(r, 1);
    assert_int_equal(rwc_of(r)->dst, 4);
    assert_int_equal(rwc_of(r)->dst_cr, 4);
    rig_set(r, FIELD_ADDR_MOD_DST_SEC1_DestClear, 1); // before both
    rig_set(r, FIELD_ADDR_MOD_DST_SEC1_FidelityClear, 1);
    rig_set(r, FIELD_ADDR_MOD_AB_SEC1_SrcAClear, 1);
    only_addr_mod(r, 1);
    assert_int_equal(rwc_of(r)->dst, 0);
    assert_int_equal(rwc_of(r)->dst_cr, 0);
    assert_int_equal(rwc_of(r)->fidelity, 0);
    assert_int_equal(rwc_of(r)->srca_cr, 0);
    rig_free(r);
}
TILE_BOTH(test_addr_mod_flags)

static void test_addr_mod_upper_sections_wh(void **state)
{
    (void)state;
    rig *r = rig_new(WH, TSR_PROFILE_STRICT);
    rig_set(r, FIELD_ADDR_MOD_DST_SEC2_DestIncr, 1);
    rig_set(r, FIELD_ADDR_MOD_DST_SEC6_DestIncr, 32);
    rig_set(r, FIELD_ADDR_MOD_BIAS_SEC2_BiasIncr, 1); // the second one uses section 6
    only_addr_mod(r, 2);
    assert_int_equal(rwc_of(r)->dst, 1);
    assert_int_equal(rwc_of(r)->extra_addr_mod, 1);
    only_addr_mod(r, 2);
    assert_int_equal(rwc_of(r)->dst, 33);
    rig_set(r, FIELD_ADDR_MOD_BIAS_SEC6_BiasClear, 1);
    only_addr_mod(r, 2);
    assert_int_equal(rwc_of(r)->dst, 65);
    assert_int_equal(rwc_of(r)->extra_addr_mod, 0);
    rig_set(r, FIELD_ADDR_MOD_SET_Base, 1);
    only_addr_mod(r, 2);
    assert_int_equal(rwc_of(r)->dst, 97);
    rig_free(r);
}

static void test_addr_mod_eight_sections_bh(void **state)
{
    (void)state;
    rig *r = rig_new(BH, TSR_PROFILE_STRICT);
    rig_set(r, FIELD_ADDR_MOD_DST_SEC7_DestIncr, 32);
    only_addr_mod(r, 7);
    assert_int_equal(rwc_of(r)->dst, 32);
    rig_free(r);
}

// ---------------------------------------------------------------- ZEROACC

static bool all_are(const rig *r, unsigned first, unsigned rows, bool valid)
{
    for (unsigned row = first; row < first + rows; row++)
        if (r->state->dst.valid[row] != valid)
            return false;
    return true;
}

static unsigned count_invalid(const rig *r)
{
    unsigned count = 0;
    for (unsigned row = 0; row < TSR_DST_ROWS; row++)
        count += !r->state->dst.valid[row];
    return count;
}

static void test_zeroacc_wh(void **state)
{
    (void)state;
    rig *r = rig_new(WH, TSR_PROFILE_STRICT);
    rig_fill_dst(r, 1, 2);
    rig_run(r, "ZEROACC dst=2 clear_mode=1");
    assert_true(all_are(r, 32, 16, false));
    assert_int_equal(count_invalid(r), 16);
    assert_int_equal(r->state->dst.written[32], 0);
    assert_int_equal(r->state->dst.bits[32][0], 1);
    rig_set(r, FIELD_ALU_ACC_CTRL_Fp32_enabled, 1);
    rig_run(r, "ZEROACC dst=9"); // 32-bit row 9
    assert_false(r->state->dst.valid[17]);
    assert_true(r->state->dst.valid[25]);
    assert_int_equal(r->state->dst.written[25], 0);
    rig_set(r, FIELD_ALU_ACC_CTRL_Fp32_enabled, 0);
    rwc_of(r)->dst = 1000;
    rig_set(r, FIELD_DEST_TARGET_REG_CFG_MATH_Offset, 30);
    rig_run(r, "ZEROACC dst=10"); // the sum wraps
    assert_false(r->state->dst.valid[16]);
    rig_run(r, "ZEROACC dst=1 clear_mode=2");
    assert_true(all_are(r, 512, 512, false));
    rig_run(r, "ZEROACC dst=1 clear_mode=5"); // 16 rows of 32 bits, never relative here
    assert_true(all_are(r, 32, 8, false));
    assert_true(all_are(r, 48, 8, false));
    rig_run(r, "ZEROACC clear_mode=7");
    assert_int_equal(count_invalid(r), TSR_DST_ROWS);
    assert_int_equal(r->findings.count, 0);
    rig_run(r, "ZEROACC dst=64 clear_mode=1");
    assert_string_equal(rig_found(r), "zeroacc-range");
    rig_free(r);
}

static void test_zeroacc_bh(void **state)
{
    (void)state;
    rig *r = rig_new(BH, TSR_PROFILE_STRICT);
    rig_fill_dst(r, 1, 2);
    rig_run(r, "ZEROACC where=1 clear_mode=1 use_32_bit_mode=1");
    assert_true(all_are(r, 32, 8, false));
    assert_true(all_are(r, 48, 8, false));
    assert_int_equal(count_invalid(r), 16);
    rig_run(r, "ZEROACC where=1 clear_mode=1 use_32_bit_mode=1 clear_zero_flags=1");
    assert_string_equal(rig_found(r), "zeroacc-revert");
    assert_int_equal(count_invalid(r), 0);
    assert_int_equal(r->state->dst.written[32], 0); // valid again, and stale
    rig_set(r, FIELD_DEST_TARGET_REG_CFG_MATH_Offset, 512);
    rig_run(r, "ZEROACC where=1 clear_mode=1");
    assert_true(all_are(r, 528, 16, false));
    assert_int_equal(count_invalid(r), 16);
    rig_run(r, "ZEROACC where=1 clear_mode=1 use_32_bit_mode=1");
    assert_true(all_are(r, 544, 8, false));
    assert_true(all_are(r, 560, 8, false));
    rig_set(r, FIELD_DEST_ACCESS_CFG_zeroacc_absolute_tile_mode, 1);
    rig_run(r, "ZEROACC where=0 clear_mode=1");
    assert_true(all_are(r, 0, 16, false));
    rig_free(r);
}

static void test_zeroacc_moves_counters_in_small_modes_only(int arch)
{
    rig *r = rig_new(arch, TSR_PROFILE_STRICT);
    rig_set(r, FIELD_ADDR_MOD_DST_SEC0_DestIncr, 8);
    rig_run(r, "ZEROACC clear_mode=3");
    assert_int_equal(rwc_of(r)->dst, 0);
    rig_run(r, "ZEROACC clear_mode=0");
    assert_int_equal(rwc_of(r)->dst, 8);
    rig_free(r);
}
TILE_BOTH(test_zeroacc_moves_counters_in_small_modes_only)

// ---------------------------------------------------------------- banks

static void test_waits(int arch)
{
    rig *r = rig_new(arch, TSR_PROFILE_STRICT);
    assert_int_equal(rig_ready(r, "MOVA2D instr_mod=2"), TSR_REASON_SRCA);
    assert_int_equal(rig_ready(r, "MOVB2D"), TSR_REASON_SRCB);
    assert_int_equal(rig_ready(r, "ELWADD"), TSR_REASON_SRCA);
    assert_int_equal(rig_ready(r, "SETRWC"), TSR_REASON_NONE);
    assert_int_equal(rig_ready(r, "MOVD2A instr_mod=2"), TSR_REASON_SRCA); // for a hand-over
    r->env.timing = true;
    assert_int_equal(rig_ready(r, "MOVD2A instr_mod=2"), TSR_REASON_NONE);
    r->env.timing = false;
    r->state->src[TSR_SRCA].bank[0].matrix_owns = true;
    assert_int_equal(rig_ready(r, "MVMUL"), TSR_REASON_SRCB);
    assert_int_equal(rig_ready(r, "MOVA2D instr_mod=2"), TSR_REASON_NONE);
    rig_free(r);
}
TILE_BOTH(test_waits)

static void test_hand_over(int arch)
{
    rig *r = rig_new(arch, TSR_PROFILE_STRICT);
    struct tsr_src *a = &r->state->src[TSR_SRCA];
    rig_fill_src(r, TSR_SRCA, 0);
    assert_true(rig_begin(r, "SETRWC clear_ab_vld=1"));
    assert_int_equal(a->matrix_bank, 1); // the pointer at once, the owner later
    assert_true(a->bank[0].matrix_owns);
    tsr_matrix_ops.complete(&r->env, &r->inst);
    assert_false(a->bank[0].matrix_owns);
    assert_false(a->bank[0].filled);
    rig_set(r, FIELD_CLR_DVALID_SrcA_Disable, 1);
    rig_run(r, "SETRWC clear_ab_vld=1"); // only the pointer
    assert_int_equal(a->matrix_bank, 0);
    assert_true(a->bank[1].matrix_owns);
    rig_set(r, FIELD_CLR_DVALID_SrcA_Disable, 0);
    assert_false(rig_begin(r, "SETRWC BitMask=1 rwc_a=3 clear_ab_vld=1")); // bank 0 is not ours
    assert_string_equal(rig_found(r), "src-bank-taken");
    assert_int_equal(a->matrix_bank, 0);
    assert_int_equal(rwc_of(r)->srca, 0);
    rig_free(r);
}
TILE_BOTH(test_hand_over)

// With latencies, a bank on its way back must not look like a bank to use.
static void test_bank_on_its_way(int arch)
{
    rig *r = rig_new(arch, TSR_PROFILE_STRICT);
    rig_fill_src(r, TSR_SRCA, 0);
    struct tsr_queue *line = &r->state->queues.of[TSR_UNIT_MATRIX];
    for (int i = 0; i < 2; i++) {
        assert_int_equal(rig_ready(r, "MOVA2D instr_mod=2"), TSR_REASON_NONE);
        assert_true(rig_begin(r, "SETRWC clear_ab_vld=1"));
        line->inst[line->count++] = r->inst;
        line->executed++;
    }
    assert_int_equal(r->state->src[TSR_SRCA].matrix_bank, 0);
    assert_int_equal(rig_ready(r, "MOVA2D instr_mod=2"), TSR_REASON_SRCA);
    rig_free(r);
}
TILE_BOTH(test_bank_on_its_way)

static void put_in_flight(rig *r, const char *text)
{
    struct tsr_queue *line = &r->state->queues.of[TSR_UNIT_MATRIX];
    memset(line, 0, sizeof *line);
    r->state->now += 10; // whatever was written before can be read
    assert_true(rig_begin(r, text));
    line->inst[0] = r->inst;
    line->inst[0].accepted_at = line->inst[0].executed_at = r->state->now;
    line->count = line->executed = 1;
}

// The cycles that an instruction which the gate lets pass waits inside the unit.
static uint32_t waits_inside(rig *r, const char *text)
{
    struct tsr_rwcs before = r->state->rwcs;
    assert_int_equal(rig_ready(r, text), TSR_REASON_NONE);
    assert_true(tsr_matrix_ops.accept(&r->env, &r->inst));
    r->state->rwcs = before;
    return r->inst.address;
}

static void test_pipeline_holds(int arch)
{
    rig *r = rig_new(arch, TSR_PROFILE_STRICT);
    rig_formats(r, 5, 5);
    rig_fill_src(r, TSR_SRCA, 0x1fc00);
    rig_fill_src(r, TSR_SRCB, 0x1fc00);
    rig_fill_dst(r, 0, 0);
    r->env.timing = true;
    put_in_flight(r, "ELWADD dst=8");
    assert_int_equal(waits_inside(r, "ELWMUL dst=8"), 6);
    assert_int_equal(waits_inside(r, "ELWMUL dst=16"), 0);
    assert_int_equal(waits_inside(r, "MOVA2D dst=8"), 0); // does not read
    assert_int_equal(waits_inside(r, "ELWADD dst=8"), 6); // as measured: whether it adds or not
    assert_int_equal(waits_inside(r, "ELWADD dst=8 dest_accum_en=1"), 6);
    rig_set(r, FIELD_ALU_ACC_CTRL_Fp32_enabled, 1); // rows 0..7 cover the physical 0..15
    assert_int_equal(waits_inside(r, "MVMUL dst=0"), 6);
    assert_int_equal(waits_inside(r, "MVMUL dst=8"), 0);
    put_in_flight(r, "MOVA2D instr_mod=2");
    assert_int_equal(rig_ready(r, "MVMUL dst=64"), TSR_REASON_DST); // whatever the row
    assert_int_equal(rig_ready(r, "MOVA2D instr_mod=2 dst=8"), TSR_REASON_NONE);
    put_in_flight(r, "MOVD2B instr_mod=2");
    assert_int_equal(rig_ready(r, "MOVD2B instr_mod=2"), TSR_REASON_NONE);
    assert_int_equal(rig_ready(r, "MOVD2A instr_mod=2"), TSR_REASON_UNIT_FULL);
    put_in_flight(r, "MOVB2A instr_mod=2");
    assert_int_equal(rig_ready(r, "MOVD2A instr_mod=2"), TSR_REASON_NONE);
    assert_int_equal(rig_ready(r, "SETRWC"), TSR_REASON_UNIT_FULL);
    r->state->now += 1;
    assert_int_equal(rig_ready(r, "SETRWC"), TSR_REASON_UNIT_FULL);
    r->state->now += 1;
    assert_int_equal(rig_ready(r, "SETRWC"), TSR_REASON_NONE);
    rig_free(r);
}
TILE_BOTH(test_pipeline_holds)

static void test_cleardvalid(int arch)
{
    rig *r = rig_new(arch, TSR_PROFILE_STRICT);
    rig_fill_src(r, TSR_SRCA, 0);
    rig_fill_src(r, TSR_SRCB, 0);
    struct tsr_src *a = &r->state->src[TSR_SRCA], *b = &r->state->src[TSR_SRCB];
    rig_set(r, FIELD_CLR_DVALID_SrcA_Disable, 1); // does not concern it
    rig_run(r, "CLEARDVALID cleardvalid=1");
    assert_false(a->bank[0].matrix_owns);
    assert_int_equal(a->matrix_bank, 1);
    rig_run(r, "CLEARDVALID cleardvalid=2 reset=2"); // goes on reading the same bank
    assert_false(b->bank[0].matrix_owns);
    assert_int_equal(b->matrix_bank, 0);
    b->unpacker_bank = 1;
    b->bank[1].implied_format = 5;
    rig_run(r, "CLEARDVALID reset=1");
    assert_string_equal(rig_found(r), "legacy-mode");
    assert_int_equal(a->matrix_bank, 0);
    assert_int_equal(b->unpacker_bank, 0);
    assert_false(b->bank[1].matrix_owns);
    assert_int_equal(b->bank[1].implied_format, 0);
    rig_free(r);
}
TILE_BOTH(test_cleardvalid)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_setrwc),
        TILE_TEST(test_incrwc),
        TILE_TEST(test_addr_mod_flags),
        cmocka_unit_test(test_addr_mod_upper_sections_wh),
        cmocka_unit_test(test_addr_mod_eight_sections_bh),
        cmocka_unit_test(test_zeroacc_wh),
        cmocka_unit_test(test_zeroacc_bh),
        TILE_TEST(test_zeroacc_moves_counters_in_small_modes_only),
        TILE_TEST(test_waits),
        TILE_TEST(test_hand_over),
        TILE_TEST(test_bank_on_its_way),
        TILE_TEST(test_pipeline_holds),
        TILE_TEST(test_cleardvalid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
