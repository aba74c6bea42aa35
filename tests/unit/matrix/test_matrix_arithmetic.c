// SPDX-License-Identifier: Apache-2.0
// ELWADD, ELWSUB, ELWMUL, MVMUL, DOTPV, GAPOOL and GMPOOL through the unit: rows, broadcasts,
// phases, widths, validity, shadow state. The arithmetic itself is tested in tests/oracle.
#include "rig/matrix_rig.h"
#include "rig/short_formats.h"

#include <tessera/numerics.h>

enum { ONE = 0x1fc00, TWO = 0x20000 };

static rig *adding(int arch, uint8_t format, bool wide, uint32_t a, uint32_t b)
{
    rig *r = rig_new(arch, TSR_PROFILE_STRICT);
    rig_formats(r, format, format);
    rig_set(r, FIELD_ALU_ACC_CTRL_Fp32_enabled, wide);
    rig_fill_src(r, TSR_SRCA, a);
    rig_fill_src(r, TSR_SRCB, b);
    rig_run(r, "ZEROACC clear_mode=3");
    return r;
}

static uint32_t fp32_at(const rig *r, unsigned row, unsigned column)
{
    return tsr_dst_decode_fp32(rig_dst32(r, row, column));
}

static uint16_t bf16_at(const rig *r, unsigned row, unsigned column)
{
    return tsr_dst_decode_bf16(r->state->dst.bits[row][column]);
}

static void set_src(rig *r, int side, unsigned row, unsigned column, uint32_t datum)
{
    r->state->src[side].bank[0].datum[row][column] = datum;
}

// ---------------------------------------------------------------- element-wise

static void test_add_and_subtract(int arch)
{
    rig *r = adding(arch, TF32, true, ONE, 0x1d000);
    rig_run(r, "ELWADD dst=8");
    assert_int_equal(fp32_at(r, 8, 0), 0x3f802000);
    assert_int_equal(fp32_at(r, 15, 15), 0x3f802000);
    assert_int_equal(r->state->dst.written[tsr_dst_row32(16)], 0);
    rig_run(r, "ELWSUB dst=8");
    assert_int_equal(fp32_at(r, 8, 0), 0x3f7fc000);
    rig_run(r, "ELWADD dst=8 dest_accum_en=1");
    assert_int_equal(fp32_at(r, 8, 0), 0x40000000);
    rig_free(r);
    r = adding(arch, BF16, false, ONE, 0x1dc00);
    rig_run(r, "ELWADD dst=0");
    assert_int_equal(bf16_at(r, 0, 0), 0x3f81);
    assert_int_equal(bf16_at(r, 7, 15), 0x3f81);
    assert_int_equal(r->state->dst.written[8], 0);
    rig_free(r);
    r = adding(arch, FP16, false, 0x07fff, 0x07fff);
    rig_run(r, "ELWADD dst=0");
    assert_int_equal(tsr_dst_decode_fp16(r->state->dst.bits[0][0]), 0x7fff);
    rig_free(r);
}
TILE_BOTH(test_add_and_subtract)

static void test_wormhole_defect_reaches_dst(int arch)
{
    rig *r = adding(arch, TF32, true, ONE, ONE);
    rig_fill_dst(r, 0, 0);
    for (unsigned row = 0; row < 8; row++)
        rig_put_dst32(r, row, tsr_dst_encode_fp32(0xc0000001));
    rig_run(r, "ELWADD dest_accum_en=1");
    assert_int_equal(fp32_at(r, 0, 0), arch == WH ? 0xc2000000 : 0xb4800000);
    rig_free(r);
}
TILE_BOTH(test_wormhole_defect_reaches_dst)

static void test_multiply_in_phases(int arch)
{
    static const uint32_t wide[4] = {0xc0761000, 0xc07d0200, 0xc07dfa00, 0xc07e0100};
    static const uint16_t narrow[4] = {0xc076, 0xc07d, 0xc07e, 0xc07e};
    rig *w = adding(arch, TF32, true, 0x1fff8, 0x5fff8);
    rig *n = adding(arch, TF32, false, 0x1fff8, 0x5fff8);
    rig_set(w, FIELD_ADDR_MOD_DST_SEC0_FidelityIncr, 1);
    rig_set(n, FIELD_FIDELITY_BASE_Phase, 2);
    for (int phase = 0; phase < 4; phase++) {
        rig_run(w, "ELWMUL");
        assert_int_equal(fp32_at(w, 3, 3), wide[phase]);
        n->state->rwcs.thread[0].fidelity = (uint8_t)(phase + 2) & 3; // the base wraps it
        rig_run(n, "ELWMUL dest_accum_en=1");
        assert_int_equal(bf16_at(n, 3, 3), narrow[phase]);
    }
    assert_int_equal(w->state->rwcs.thread[0].fidelity, 0);
    rig_free(w);
    rig_free(n);
}
TILE_BOTH(test_multiply_in_phases)

static void test_sums_in_later_phases(int arch)
{
    rig *r = adding(arch, BF16, true, ONE, ONE);
    rig_set(r, FIELD_FIDELITY_BASE_Phase, 1);
    rig_run(r, "ELWADD");
    assert_int_equal(fp32_at(r, 0, 0), 0x3d800000); // 2 / 32
    rig_set(r, FIELD_FIDELITY_BASE_Phase, 2);
    rig_run(r, "ELWADD");
    assert_int_equal(fp32_at(r, 0, 0), 0x3c800000); // 2 / 128
    rig_free(r);
}
TILE_BOTH(test_sums_in_later_phases)

static void test_broadcast(int arch)
{
    rig *r = adding(arch, BF16, false, 0, 0);
    for (unsigned row = 0; row < TSR_SRC_ROWS; row++)
        for (unsigned column = 0; column < TSR_COLUMNS; column++)
            set_src(r, TSR_SRCB, row, column, ((row + 1) << 10 | column << 3) & 0x7ffff);
    r->state->rwcs.thread[0].srcb = 13;
    rig_run(r, "ELWADD"); // rows 8..15
    assert_int_equal(bf16_at(r, 1, 5), 10 << 7 | 5);
    rig_run(r, "ELWADD instr_mod19=1");
    assert_int_equal(bf16_at(r, 1, 5), 10 << 7);
    rig_run(r, "ELWADD instr_mod19=2"); // row 13 itself
    assert_int_equal(bf16_at(r, 0, 5), 14 << 7 | 5);
    assert_int_equal(bf16_at(r, 7, 5), 14 << 7 | 5);
    rig_run(r, "ELWADD instr_mod19=3");
    assert_int_equal(bf16_at(r, 7, 5), 14 << 7);
    rig_free(r);
}
TILE_BOTH(test_broadcast)

static void test_rows_of_mixed_validity(int arch)
{
    rig *r = adding(arch, BF16, false, ONE, ONE);
    rig_fill_dst(r, tsr_dst_encode_bf16(0x4000), tsr_dst_encode_bf16(0x4000));
    r->state->dst.valid[2] = r->state->dst.valid[3] = r->state->dst.valid[7] = false;
    rig_run(r, "ELWADD dest_accum_en=1");
    for (unsigned row = 0; row < 8; row++) {
        bool was_invalid = row == 2 || row == 3 || row == 7;
        assert_int_equal(bf16_at(r, row, 1), was_invalid ? 0x4000 : 0x4080);
        assert_true(r->state->dst.valid[row]);
    }
    rig_free(r);
}
TILE_BOTH(test_rows_of_mixed_validity)

static void test_int8(int arch)
{
    rig *r = adding(arch, INT8, false, 0x04055, 0x44003); // 85 and -3
    rig_set(r, FIELD_ALU_ACC_CTRL_INT8_math_enabled, 1);
    rig_run(r, "ELWADD");
    assert_int_equal(fp32_at(r, 0, 0), 82);
    rig_run(r, "ELWSUB dest_accum_en=1");
    assert_int_equal(fp32_at(r, 0, 0), 170);
    rig_run(r, "ZEROACC clear_mode=3");
    rig_set(r, FIELD_ADDR_MOD_DST_SEC0_FidelityIncr, 1);
    for (int phase = 0; phase < 4; phase++)
        rig_run(r, "ELWMUL");
    assert_int_equal(fp32_at(r, 7, 15), 0x80000000 | 255); // -(85 * 3)
    rig_free(r);
}
TILE_BOTH(test_int8)

// What unpackers make of INT8 has 16 as its exponent, or 0 where it is zero; hardware aligns by
// anything else (MatrixUnit.md). Only what is read counts.
static void test_int8_datums(int arch)
{
    static const struct {
        const char *text;
        int side;
        unsigned row, column;
        uint32_t datum;
        bool found;
    } rows[] = {
        {"ELWADD", TSR_SRCA, 7, 15, 17 << 10 | 5, true},
        {"ELWADD", TSR_SRCA, 8, 0, 17 << 10 | 5, false},
        {"ELWADD", TSR_SRCB, 0, 3, 15 << 10 | 5, true},
        {"ELWADD", TSR_SRCB, 0, 3, 16 << 10, false},
        {"ELWADD", TSR_SRCB, 0, 3, 1 << 18, false},         // -0
        {"ELWADD", TSR_SRCB, 0, 3, 5, true},                // a magnitude, and 0 as its exponent
        {"ELWMUL instr_mod19=1", TSR_SRCB, 0, 3, 5, false}, // column 0 of SrcB alone
        {"ELWMUL instr_mod19=1", TSR_SRCB, 6, 0, 5, true},
        {"ELWSUB instr_mod19=2", TSR_SRCB, 6, 0, 5, false}, // row 0 alone
        {"ELWSUB instr_mod19=2", TSR_SRCB, 0, 6, 5, true},
        {"MVMUL", TSR_SRCA, 15, 0, 127 << 10, true},
        {"MVMUL", TSR_SRCA, 16, 0, 127 << 10, false},
        {"MVMUL", TSR_SRCB, 7, 0, 127 << 10, true},
        {"GAPOOL", TSR_SRCB, 4, 0, 127 << 10, false},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        rig *r = adding(arch, INT8, false, 0x04055, 0x44003);
        rig_set(r, FIELD_ALU_ACC_CTRL_INT8_math_enabled, 1);
        set_src(r, rows[i].side, rows[i].row, rows[i].column, rows[i].datum);
        rig_run(r, rows[i].text);
        assert_string_equal(rig_found(r), rows[i].found ? "int8-datum" : "");
        rig_free(r);
    }
    rig *r = adding(arch, INT8, false, 0x04055, 0x44003); // no integers: any exponent will do
    set_src(r, TSR_SRCA, 0, 0, 17 << 10 | 5);
    rig_run(r, "ELWADD");
    assert_string_equal(rig_found(r), "");
    rig_set(r, FIELD_ALU_ACC_CTRL_INT8_math_enabled, 1);
    assert_int_equal(tsr_findings_policy(&r->findings, "int8-datum", TSR_ACTION_STOP), TSR_OK);
    assert_false(rig_begin(r, "ELWADD dst=8"));
    assert_int_equal(r->state->dst.written[16], 0);
    rig_free(r);
}
TILE_BOTH(test_int8_datums)

static void test_flip_and_addr_mod(int arch)
{
    rig *r = adding(arch, BF16, false, ONE, ONE);
    rig_set(r, FIELD_ADDR_MOD_AB_SEC2_SrcAIncr, 8);
    rig_set(r, FIELD_ADDR_MOD_DST_SEC2_DestIncr, 8);
    rig_run(r, "ELWADD addr_mode=2 clear_dvalid=2");
    assert_int_equal(r->state->rwcs.thread[0].srca, 8);
    assert_int_equal(r->state->rwcs.thread[0].dst, 8);
    assert_int_equal(r->state->src[TSR_SRCA].matrix_bank, 0);
    assert_int_equal(r->state->src[TSR_SRCB].matrix_bank, 1);
    assert_false(r->state->src[TSR_SRCB].bank[0].matrix_owns);
    rig_run(r, "ELWADD addr_mode=2 clear_dvalid=3");
    assert_int_equal(r->state->dst.written[15], 0xffff);
    assert_int_equal(rig_ready(r, "ELWADD"), TSR_REASON_SRCB);
    rig_free(r);
}
TILE_BOTH(test_flip_and_addr_mod)

static void test_keep_denormals_of_b(int arch)
{
    rig *r = adding(arch, BF16, true, 0x00400, 0x003f8); // 2^-126 and a denormal
    rig_run(r, "ELWADD");
    uint32_t flushed = fp32_at(r, 0, 0);
    rig_set(r, FIELD_ALU_ACC_CTRL_Zero_Flag_disabled_src, 1);
    rig_run(r, "ELWADD");
    assert_int_equal(flushed, 0x00800000);
    assert_int_not_equal(fp32_at(r, 0, 0), flushed);
    rig_free(r);
}
TILE_BOTH(test_keep_denormals_of_b)

// ---------------------------------------------------------------- what is refused

static bool refused(rig *r, const char *text, const char *code)
{
    bool begun = rig_begin(r, text);
    bool right = !begun && strcmp(rig_found(r), code) == 0;
    tsr_findings_clear(&r->findings);
    return right;
}

static void test_refusals(int arch)
{
    rig *r = adding(arch, BF16, false, ONE, ONE);
    rig_set(r, FIELD_ADDR_MOD_DST_SEC0_DestIncr, 8);
    rig_formats(r, BF16, FP16);
    assert_true(refused(r, "ELWADD", "alu-format-pair"));
    assert_true(refused(r, "MVMUL", "alu-format-pair"));
    rig_formats(r, BF16, 12);
    assert_true(refused(r, "ELWADD", "alu-format-pair"));
    rig_formats(r, BFP8, TF32);
    assert_int_equal(r->state->rwcs.thread[0].dst, 0);
    rig_run(r, "ELWMUL");
    assert_int_equal(r->state->rwcs.thread[0].dst, 8);
    rig_free(r);
}
TILE_BOTH(test_refusals)

static void test_undefined_pair_taints(int arch)
{
    rig *r = adding(arch, BF16, false, ONE, ONE);
    tsr_findings_profile(&r->findings, TSR_PROFILE_SILICON);
    rig_formats(r, BF16, FP16);
    rig_run(r, "ELWADD");
    assert_int_equal(r->state->dst.tainted[7], 0xffff);
    rig_free(r);
}
TILE_BOTH(test_undefined_pair_taints)

static void test_fp16_force(int arch)
{
    rig *r = adding(arch, BF16, true, 0x03c00, 0x03c00); // 1 + 1 in FP16
    rig_set(r, FIELD_FP16A_FORCE_Enable, 1);
    rig_run(r, "ELWADD");
    assert_int_equal(tsr_dst_decode_fp16(r->state->dst.bits[0][0]), 0x4000);
    rig_free(r);
}
TILE_BOTH(test_fp16_force)

static void test_shadow_of_elements(int arch)
{
    rig *r = adding(arch, BF16, false, ONE, ONE);
    r->state->src[TSR_SRCA].bank[0].tainted[1] = 0x0002;
    r->state->src[TSR_SRCB].bank[0].tainted[1] = 0x0001;
    rig_run(r, "ELWADD");
    assert_int_equal(r->state->dst.tainted[0], 0);
    assert_int_equal(r->state->dst.tainted[1], 3);
    r->state->src[TSR_SRCA].bank[0].tainted[1] = 0;
    rig_run(r, "ELWADD instr_mod19=1"); // column 0 goes everywhere
    assert_int_equal(r->state->dst.tainted[1], 0xffff);
    rig_run(r, "ELWADD instr_mod19=2");
    assert_int_equal(r->state->dst.tainted[1], 0);
    r->state->dst.tainted[4] = 0x0100;
    rig_run(r, "ELWADD instr_mod19=2 dest_accum_en=1");
    assert_int_equal(r->state->dst.tainted[4], 0x0100);
    rig_run(r, "ELWADD instr_mod19=2"); // not read, so overwritten
    assert_int_equal(r->state->dst.tainted[4], 0);
    r->state->dst.valid[20] = true; // stale
    assert_true(refused(r, "ELWMUL dst=16", "uninitialised-dst"));
    r->state->src[TSR_SRCB].bank[0].written[0] = 0;
    assert_true(refused(r, "ELWADD dst=16", "uninitialised-src"));
    rig_free(r);
}
TILE_BOTH(test_shadow_of_elements)

// ---------------------------------------------------------------- multiply

static void test_mvmul(int arch)
{
    rig *r = adding(arch, TF32, true, 0, 0);
    // Row i of SrcB picks row i of SrcA, doubled.
    for (unsigned i = 0; i < 8; i++) {
        set_src(r, TSR_SRCB, 8 + i, i, TWO);
        for (unsigned j = 0; j < 16; j++)
            set_src(r, TSR_SRCA, 16 + i, j, ONE + ((i * 16 + j) << 10 & 0x3fff));
    }
    r->state->rwcs.thread[0].srca = 16;
    r->state->rwcs.thread[0].srcb = 9;
    rig_run(r, "MVMUL dst=13");
    for (unsigned i = 0; i < 8; i++)
        for (unsigned j = 0; j < 16; j++) {
            uint32_t one = ONE + ((i * 16 + j) << 10 & 0x3fff);
            assert_int_equal(fp32_at(r, 8 + i, j), (one + (1 << 10)) << 13);
        }
    rig_run(r, "DOTPV dst=8"); // the same again
    assert_int_equal(fp32_at(r, 8, 0), 0x40800000);
    rig_free(r);
}
TILE_BOTH(test_mvmul)

static void test_mvmul_broadcast_and_gapool(int arch)
{
    rig *r = adding(arch, BF16, false, ONE, ONE);
    r->state->rwcs.thread[0].srcb = 13;
    for (unsigned k = 0; k < 16; k++)
        set_src(r, TSR_SRCB, 13, k, TWO);
    rig_run(r, "MVMUL dst=8 instr_mod19=1");
    for (unsigned row = 8; row < 16; row++) {
        bool written = row % 2 == 0;
        assert_int_equal(r->state->dst.written[row], written ? 0xffff : 0);
        if (written)
            assert_int_equal(bf16_at(r, row, 5), 0x4200); // 16 * 2
    }
    rig_run(r, "GAPOOL dst=20 instr_mod19=1"); // four rows, of the upper half of SrcB's eight
    for (unsigned row = 20; row < 24; row++)
        assert_int_equal(bf16_at(r, row, 5), 0x4180);
    assert_int_equal(r->state->dst.written[24], 0);
    assert_int_equal(r->state->dst.written[19], 0);
    rig_free(r);
}
TILE_BOTH(test_mvmul_broadcast_and_gapool)

static void test_mvmul_around_the_end_of_srca(int arch)
{
    rig *r = adding(arch, BF16, false, 0, 0);
    r->state->rwcs.thread[0].srca = 56;
    set_src(r, TSR_SRCA, 0, 4, TWO); // k = 8
    set_src(r, TSR_SRCB, 0, 8, TWO);
    rig_run(r, "MVMUL");
    assert_int_equal(bf16_at(r, 0, 4), 0x4080);
    assert_int_equal(bf16_at(r, 0, 5), 0);
    rig_free(r);
}
TILE_BOTH(test_mvmul_around_the_end_of_srca)

static void test_shadow_of_products(int arch)
{
    rig *r = adding(arch, BF16, false, ONE, ONE);
    r->state->src[TSR_SRCA].bank[0].tainted[9] = 0x0010;
    r->state->src[TSR_SRCB].bank[0].tainted[2] = 0x8000;
    rig_run(r, "MVMUL");
    assert_int_equal(r->state->dst.tainted[0], 0x0010);
    assert_int_equal(r->state->dst.tainted[2], 0xffff);
    r->state->src[TSR_SRCA].bank[0].written[15] = 0xfffe;
    assert_true(refused(r, "MVMUL", "uninitialised-src"));
    rig_free(r);
}
TILE_BOTH(test_shadow_of_products)

// ---------------------------------------------------------------- GMPOOL

static void test_gmpool(int arch)
{
    rig *r = adding(arch, BF16, false, 0x5fc00, ONE); // -1
    set_src(r, TSR_SRCA, 12, 3, TWO | 7);             // BF16 has no low three bits
    set_src(r, TSR_SRCA, 5, 4, 0x40001);              // a denormal counts as 0
    rig_run(r, "GMPOOL dst=6 instr_mod19=1");
    assert_int_equal(bf16_at(r, 4, 0), 0xbf80); // the invalid row was minus infinity
    assert_int_equal(bf16_at(r, 4, 3), 0x4000);
    assert_int_equal(bf16_at(r, 4, 4), 0);
    for (unsigned row = 5; row < 8; row++) {
        assert_int_equal(bf16_at(r, row, 3), 0);
        assert_true(r->state->dst.valid[row]);
    }
    set_src(r, TSR_SRCA, 12, 3, ONE);
    rig_run(r, "GMPOOL dst=4 instr_mod19=1"); // Dst's 2 stays
    assert_int_equal(bf16_at(r, 4, 3), 0x4000);
    set_src(r, TSR_SRCA, 0, 3, 0x20400); // 4, but scaled by 1/4
    set_src(r, TSR_SRCB, 0, 0, 0x1f400);
    rig_run(r, "ZEROACC clear_mode=3");
    rig_run(r, "GMPOOL dst=4 instr_mod19=1");
    assert_int_equal(bf16_at(r, 4, 3), 0x3f80);
    rig_free(r);
}
TILE_BOTH(test_gmpool)

static void test_gmpool_wide(int arch)
{
    rig *r = adding(arch, TF32, true, ONE, ONE);
    set_src(r, TSR_SRCA, 9, 0, 0x20005);
    rig_run(r, "GMPOOL instr_mod19=1");
    assert_int_equal(fp32_at(r, 0, 0), 0x4000a000);
    rig_free(r);
    r = adding(arch, INT8, true, 0x04005, ONE);
    rig_set(r, FIELD_ALU_ACC_CTRL_INT8_math_enabled, 1);
    set_src(r, TSR_SRCA, 9, 2, 0x040ff);
    rig_run(r, "GMPOOL instr_mod19=1");
    assert_int_equal(rig_dst32(r, 0, 0), 5);
    assert_int_equal(rig_dst32(r, 0, 2), 255);
    rig_free(r);
}
TILE_BOTH(test_gmpool_wide)

static void test_argmax(int arch)
{
    rig *r = adding(arch, BF16, true, ONE, ONE);
    set_src(r, TSR_SRCA, 6, 0, TWO);
    set_src(r, TSR_SRCA, 11, 1, TWO); // beyond the eight rows that have an index
    rig_run(r, "GMPOOL instr_mod19=1 max_pool_index_en=1");
    assert_int_equal(rig_dst32(r, 0, 0), (uint32_t)tsr_dst_encode_bf16(0x4000) << 16 | 2);
    // Rows 4..7 come first, then 0..3: of equals the last, row 3.
    assert_int_equal(rig_dst32(r, 0, 1), (uint32_t)tsr_dst_encode_bf16(0x4000) << 16 | 1);
    assert_int_equal(rig_dst32(r, 1, 0), 0);
    rig_run(r, "GMPOOL instr_mod19=1 max_pool_index_en=1");
    assert_int_equal(rig_dst32(r, 0, 0) & 0xffff, 0x100 + 0x12);
    assert_int_equal(rig_dst32(r, 1, 0), 0x100);
    rig_free(r);
}
TILE_BOTH(test_argmax)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_add_and_subtract),
        TILE_TEST(test_wormhole_defect_reaches_dst),
        TILE_TEST(test_multiply_in_phases),
        TILE_TEST(test_sums_in_later_phases),
        TILE_TEST(test_broadcast),
        TILE_TEST(test_rows_of_mixed_validity),
        TILE_TEST(test_int8),
        TILE_TEST(test_int8_datums),
        TILE_TEST(test_flip_and_addr_mod),
        TILE_TEST(test_keep_denormals_of_b),
        TILE_TEST(test_refusals),
        TILE_TEST(test_undefined_pair_taints),
        TILE_TEST(test_fp16_force),
        TILE_TEST(test_shadow_of_elements),
        TILE_TEST(test_mvmul),
        TILE_TEST(test_mvmul_broadcast_and_gapool),
        TILE_TEST(test_mvmul_around_the_end_of_srca),
        TILE_TEST(test_shadow_of_products),
        TILE_TEST(test_gmpool),
        TILE_TEST(test_gmpool_wide),
        TILE_TEST(test_argmax),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
