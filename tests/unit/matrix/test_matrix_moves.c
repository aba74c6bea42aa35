// SPDX-License-Identifier: Apache-2.0
// Moves between Src and Dst and within Src, with what they mean for written and tainted: MOVA2D.md,
// MOVB2D.md, MOVD2A.md, MOVD2B.md, MOVB2A.md, TRNSPSRCB.md, SHIFTXA.md, SHIFTXB.md, ZEROSRC.md.
#include "rig/matrix_rig.h"
#include "rig/short_formats.h"

#include <stdio.h>

enum { FLUSH = 0, KEEP = 1 };

// ---------------------------------------------------------------- Src to Dst

static rig *moving(int arch, uint8_t a, uint8_t b, uint32_t datum, uint32_t keep)
{
    rig *r = rig_new(arch, TSR_PROFILE_STRICT);
    rig_formats(r, a, b);
    rig_fill_src(r, TSR_SRCA, datum);
    rig_fill_src(r, TSR_SRCB, datum);
    rig_set(r, FIELD_ALU_ACC_CTRL_Zero_Flag_disabled_src, keep);
    return r;
}

static uint16_t mova2d_16(int arch, uint8_t format, uint32_t datum, uint32_t keep)
{
    rig *r = moving(arch, format, BF16, datum, keep);
    rig_set(r, FIELD_ALU_ACC_CTRL_Fp32_enabled, 1); // plays no part
    rig_run(r, "MOVA2D instr_mod=2 dst=16 src=8");
    uint16_t value = r->state->dst.bits[16][0];
    for (int row = 16; row < 24; row++)
        for (int column = 0; column < TSR_COLUMNS; column++)
            assert_int_equal(r->state->dst.bits[row][column], value);
    assert_int_equal(r->state->dst.written[23], 0xffff);
    assert_int_equal(r->state->dst.written[24], 0);
    rig_free(r);
    return value;
}

static void test_mova2d_to_16_bits(int arch)
{
    assert_int_equal(mova2d_16(arch, BF16, 0x1fc0f, FLUSH), 0x017f);
    assert_int_equal(mova2d_16(arch, INT16, 0x0d090, FLUSH), 0x1234);
    assert_int_equal(mova2d_16(arch, FP16, 0x43c01, FLUSH), 0x802f);
    assert_int_equal(mova2d_16(arch, FP8, 0x43c01, FLUSH), 0x802f);
    assert_int_equal(mova2d_16(arch, INT8, 0x44005, FLUSH), 0x80b0);
    assert_int_equal(mova2d_16(arch, BF16, 0x40008, FLUSH), 0x0000);
    assert_int_equal(mova2d_16(arch, BF16, 0x40008, KEEP), 0x8100);
}
TILE_BOTH(test_mova2d_to_16_bits)

static void test_mova2d_tf32(int arch)
{
    rig *r = moving(arch, TF32, BF16, 0x1fc0f, FLUSH);
    rig_run(r, "MOVA2D instr_mod=2 dst=9 src=12"); // both rows lose their low bits
    assert_int_equal(rig_dst32(r, 8, 3), 0x017fe000);
    assert_int_equal(rig_dst32(r, 15, 15), 0x017fe000);
    assert_int_equal(r->state->dst.written[16], 0xffff);
    assert_int_equal(r->state->dst.written[24], 0xffff);
    rig_run(r, "MOVA2D dst=9 src=13"); // one row, not aligned
    assert_int_equal(rig_dst32(r, 9, 0), 0x017fe000);
    rig_free(r);
}
TILE_BOTH(test_mova2d_tf32)

static void test_mova2d_low_half(int arch)
{
    rig *r = moving(arch, BF16, BF16, 0x1fc08, FLUSH);
    rig_fill_dst(r, 0x1234, 0x5678);
    r->state->dst.valid[tsr_dst_row32(1)] = false;
    rig_run(r, "MOVA2D instr_mod=2 dest_32b_lo=1");
    assert_int_equal(rig_dst32(r, 0, 0), 0x1234017f);
    assert_int_equal(rig_dst32(r, 1, 0), 0x0000017f); // an invalid row reads as 0
    assert_true(r->state->dst.valid[tsr_dst_row32(1)]);
    rig_free(r);
}
TILE_BOTH(test_mova2d_low_half)

static void test_mova2d_tf32_low_half_is_undefined(int arch)
{
    rig *r = moving(arch, TF32, BF16, 0x1fc0f, FLUSH);
    rig_set(r, FIELD_ADDR_MOD_DST_SEC0_DestIncr, 8);
    assert_false(rig_begin(r, "MOVA2D instr_mod=2 dest_32b_lo=1"));
    assert_string_equal(rig_found(r), "alu-mode");
    assert_int_equal(r->state->rwcs.thread[0].dst, 0); // a stop changes nothing
    assert_int_equal(r->state->dst.written[0], 0);
    tsr_findings_profile(&r->findings, TSR_PROFILE_SILICON);
    tsr_findings_clear(&r->findings);
    rig_run(r, "MOVA2D instr_mod=2 dest_32b_lo=1");
    assert_int_equal(rig_dst32(r, 0, 0), 0x017fe17f);
    assert_int_equal(r->state->dst.tainted[0], 0xffff);
    assert_int_equal(r->state->rwcs.thread[0].dst, 8);
    rig_free(r);
}
TILE_BOTH(test_mova2d_tf32_low_half_is_undefined)

static void movb2d(rig *r, unsigned modifier, unsigned dst, unsigned src)
{
    char text[100];
    const char *name = r->env.chip->arch == TSR_WORMHOLE_B0 ? "instr_mod" : "movb2d_instr_mod";
    snprintf(text, sizeof text, "MOVB2D %s=%u dst=%u src=%u", name, modifier, dst, src);
    rig_run(r, text);
}

static void test_movb2d_shapes(int arch)
{
    rig *r = moving(arch, BF16, BF16, 0, KEEP);
    struct tsr_src_bank *bank = &r->state->src[TSR_SRCB].bank[0];
    for (unsigned row = 0; row < TSR_SRC_ROWS; row++)
        for (unsigned column = 0; column < TSR_COLUMNS; column++)
            bank->datum[row][column] = (row << 10 | column << 3) & 0x7fff8;
    uint16_t(*bits)[16] = r->state->dst.bits;
    movb2d(r, 0, 5, 7); // one row
    assert_int_equal(bits[5][9], 9 << 8 | 7);
    assert_int_equal(r->state->dst.written[6], 0);
    movb2d(r, 1, 6, 7); // one row, column 0
    assert_int_equal(bits[6][9], 7);
    movb2d(r, 2, 19, 9); // one row to eight
    assert_int_equal(bits[16][1], 1 << 8 | 9);
    assert_int_equal(bits[23][15], 15 << 8 | 9);
    movb2d(r, 3, 24, 9);
    assert_int_equal(bits[31][15], 9);
    movb2d(r, 4, 33, 6); // four rows, aligned
    assert_int_equal(bits[32][2], 2 << 8 | 4);
    assert_int_equal(bits[35][2], 2 << 8 | 7);
    movb2d(r, 5, 36, 4);
    assert_int_equal(bits[39][2], 7);
    movb2d(r, 6, 40, 4); // the broadcast of a row is first
    assert_int_equal(bits[47][2], 2 << 8 | 4);
    assert_int_equal(r->state->dst.written[48], 0);
    rig_free(r);
}
TILE_BOTH(test_movb2d_shapes)

static void test_movb2d_masks_by_srcb_format(int arch)
{
    rig *r = moving(arch, TF32, BF16, 0x1fc0f, FLUSH);
    movb2d(r, 4, 0, 0);
    assert_int_equal(rig_dst32(r, 0, 0), 0x017f0000);
    rig_free(r);
    r = moving(arch, FP16, FP16, 0x5bc01, FLUSH);
    movb2d(r, 4, 0, 0);
    assert_int_equal(r->state->dst.bits[0][0], 0x802f);
    rig_free(r);
}
TILE_BOTH(test_movb2d_masks_by_srcb_format)

// With Fp32_enabled Blackhole writes whole 32-bit rows, which is what the packer then reads;
// Wormhole goes on writing 16-bit rows.
static void test_movb2d_fp32(int arch)
{
    static const struct {
        unsigned modifier, rows;
    } shapes[] = {{0, 1}, {2, 8}, {3, 8}, {4, 4}, {5, 4}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        unsigned rows = shapes[i].rows;
        for (int fp16 = 0; fp16 < 2; fp16++) {
            rig *r = moving(arch, fp16 ? FP16 : BF16, fp16 ? FP16 : BF16, 0x43c01, FLUSH);
            uint32_t expected = fp16 ? 0x802f : 0x800f;
            rig_fill_dst(r, 0x1234, 0x5678);
            rig_set(r, FIELD_ALU_ACC_CTRL_Fp32_enabled, 1);
            r->state->dst.valid[tsr_dst_row32(8)] = false;
            movb2d(r, shapes[i].modifier, 8, 8);
            for (unsigned row = 8; row < 8 + rows; row++)
                for (unsigned column = 0; column < TSR_COLUMNS; column++)
                    if (arch == BH)
                        assert_int_equal(rig_dst32(r, row, column), expected << 16);
                    else
                        assert_int_equal(r->state->dst.bits[row][column], expected);
            if (arch == BH) {
                assert_true(r->state->dst.valid[tsr_dst_row32(8)]);
                assert_int_equal(rig_dst32(r, 8 + rows, 0), 0x12345678);
                assert_int_equal(rig_dst32(r, 7, 15), 0x12345678);
            }
            rig_free(r);
        }
    }
    rig *r = moving(arch, BF16, BF16, 0x1fc08, FLUSH); // a low-half move is the same on both chips
    rig_fill_dst(r, 0x1234, 0x5678);
    rig_set(r, FIELD_ALU_ACC_CTRL_Fp32_enabled, 1);
    rig_run(r, "MOVB2D dest_32b_lo=1");
    assert_int_equal(rig_dst32(r, 0, 0), 0x1234017f);
    rig_free(r);
}
TILE_BOTH(test_movb2d_fp32)

static void test_rows_add_up(int arch)
{
    rig *r = moving(arch, BF16, BF16, 0x1fc00, FLUSH);
    r->state->rwcs.thread[0].dst = 1000;
    r->state->rwcs.thread[0].srca = 60;
    r->state->src[TSR_SRCA].bank[0].datum[8][0] = 0x20000;
    rig_set(r, FIELD_DEST_TARGET_REG_CFG_MATH_Offset, 40);
    rig_run(r, "MOVA2D instr_mod=2 src=12 dst=16"); // 1056 mod 1024, 72 mod 64
    assert_int_equal(r->state->dst.written[32], 0xffff);
    assert_int_equal(r->state->dst.bits[32][0], 0x0080);
    rig_free(r);
}
TILE_BOTH(test_rows_add_up)

// ---------------------------------------------------------------- formats

static void test_override(int arch)
{
    rig *r = moving(arch, BF16, BF16, 0x1fc0f, FLUSH);
    rig_set(r, FIELD_ALU_FORMAT_SPEC_REG_SrcA_override, 1);
    rig_set(r, FIELD_ALU_FORMAT_SPEC_REG_SrcA_val, TF32);
    rig_run(r, "MOVA2D");
    assert_int_equal(rig_dst32(r, 0, 0), 0x017fe000);
    rig_free(r);
}
TILE_BOTH(test_override)

static void test_implied_formats_bh(void **state)
{
    (void)state;
    rig *r = moving(BH, BF16, BF16, 0x1fc0f, FLUSH);
    rig_set(r, FIELD_DISABLE_IMPLIED_SRCA_FMT_Base, 0);
    rig_set(r, FIELD_DISABLE_IMPLIED_SRCB_FMT_Base, 0);
    r->state->src[TSR_SRCA].bank[0].implied_format = TF32;
    r->state->src[TSR_SRCB].bank[0].implied_format = BF16;
    rig_run(r, "MOVA2D");
    assert_int_equal(rig_dst32(r, 0, 0), 0x017fe000);
    movb2d(r, 0, 20, 0); // its own bank's tag
    assert_int_equal(r->state->dst.bits[20][0], 0x017f);
    rig_set(r, FIELD_DISABLE_IMPLIED_SRCA_FMT_Base, 1);
    rig_run(r, "MOVA2D dst=30");
    assert_int_equal(r->state->dst.bits[30][0], 0x017f);
    // SrcB's own bit says whether its tag counts; without, SrcA's configured format does.
    r->state->src[TSR_SRCB].bank[0].implied_format = FP16;
    movb2d(r, 0, 21, 0);
    assert_int_equal(r->state->dst.bits[21][0], 0x01ff);
    rig_set(r, FIELD_DISABLE_IMPLIED_SRCA_FMT_Base, 0);
    rig_set(r, FIELD_DISABLE_IMPLIED_SRCB_FMT_Base, 1);
    movb2d(r, 0, 22, 0);
    assert_int_equal(r->state->dst.bits[22][0], 0x017f);
    rig_free(r);
}

static void test_folded_rows(int arch)
{
    rig *r = moving(arch, TF32, BF16, 0x1fc0f, FLUSH);
    assert_true(rig_begin(r, "MOVA2D dst=512"));
    assert_string_equal(rig_found(r), "dst-row-range");
    rig_run(r, "MOVA2D dst=513");
    assert_int_equal(r->state->dst.bits[513][0], 0x017f);
    assert_int_equal(r->state->dst.tainted[513], 0);
    rig_free(r);
}
TILE_BOTH(test_folded_rows)

// ---------------------------------------------------------------- Dst to Src

static uint32_t from_dst(int arch, uint8_t format, bool wide, uint32_t stored, const char *text)
{
    rig *r = moving(arch, format, format, 0, FLUSH);
    rig_set(r, FIELD_ALU_ACC_CTRL_Fp32_enabled, wide);
    rig_fill_dst(r, (uint16_t)(stored >> 16), (uint16_t)stored);
    rig_run(r, text);
    int side = strstr(text, "MOVD2A") ? TSR_SRCA : TSR_SRCB;
    uint32_t datum = r->state->src[side].bank[0].datum[4][7];
    assert_int_equal(r->state->src[side].bank[0].datum[8][0], 0);
    rig_free(r);
    return datum;
}

static void test_from_dst(int arch)
{
    const char *a = "MOVD2A instr_mod=2 src=5 dst=3", *b = "MOVD2B instr_mod=0 src=4 dst=3";
    const char *low = "MOVD2B instr_mod=2 src=4 dest_32b_lo=1";
    assert_int_equal(from_dst(arch, BF16, false, 0x01810000, a), 0x20408);
    assert_int_equal(from_dst(arch, TF32, true, 0x017fffff, a), 0x1fc0f);
    assert_int_equal(from_dst(arch, BF16, true, 0x017fffff, a), 0x1fc08);
    assert_int_equal(from_dst(arch, FP16, false, 0x8c2f0000, a), 0x43c61);
    assert_int_equal(from_dst(arch, TF32, true, 0x017fffff, b), 0x1fc0f);
    assert_int_equal(from_dst(arch, BF16, true, 0x017f81aa, low), 0x6a808);
    assert_int_equal(from_dst(arch, TF32, true, 0x017ff1aa, low), 0xaa << 10 | 0x11);
}
TILE_BOTH(test_from_dst)

// With bit 11 of DBG_FEATURE_DISABLE, Fp32_enabled off: a column of 32-bit datums goes to SrcB in
// two halves (tt-llk issue 449).
static void test_low_halves_in_16_bits(int arch)
{
    rig *r = moving(arch, BF16, BF16, 0, FLUSH);
    tsr_findings_profile(&r->findings, TSR_PROFILE_SILICON);
    r->state->debug.debug_feature_disable = 1u << 11;
    rig_fill_dst(r, 0x017f, 0x81aa);
    rig_run(r, "MOVD2B instr_mod=0 src=4 dst=20");
    rig_run(r, "MOVD2B instr_mod=0 src=5 dst=20 dest_32b_lo=1");
    rig_run(r, "MOVD2A instr_mod=2 src=4 dst=20 dest_32b_lo=1");
    assert_string_equal(rig_found(r), "legacy-mode");
    for (int column = 0; column < TSR_COLUMNS; column++) {
        assert_int_equal(r->state->src[TSR_SRCB].bank[0].datum[4][column], 0x1fc08);
        assert_int_equal(r->state->src[TSR_SRCB].bank[0].datum[5][column], 0x6a808);
        assert_int_equal(r->state->src[TSR_SRCA].bank[0].datum[7][column], 0x6a808);
    }
    assert_int_equal(r->state->src[TSR_SRCB].bank[0].tainted[5], 0);
    for (int i = 0; i < r->findings.count; i++)
        assert_string_equal(r->findings.kept[i].code, "legacy-mode");
    rig_free(r);
}
TILE_BOTH(test_low_halves_in_16_bits)

static void test_from_invalid_and_impossible_dst(int arch)
{
    rig *r = moving(arch, BF16, BF16, 0x1fc08, FLUSH);
    r->state->dst.valid[1] = false;
    rig_fill_dst(r, 0x0181, 0x0181);
    r->state->dst.valid[1] = false;
    rig_run(r, "MOVD2A instr_mod=2");
    assert_int_equal(r->state->src[TSR_SRCA].bank[0].datum[0][0], 0x20408);
    assert_int_equal(r->state->src[TSR_SRCA].bank[0].datum[1][0], 0);
    assert_false(rig_begin(r, "MOVD2A instr_mod=2 dest_32b_lo=1"));
    assert_string_equal(rig_found(r), "alu-mode");
    tsr_findings_clear(&r->findings);
    rig_formats(r, TF32, TF32);
    assert_false(rig_begin(r, "MOVD2B instr_mod=2"));
    assert_string_equal(rig_found(r), "alu-format-pair");
    rig_free(r);
}
TILE_BOTH(test_from_invalid_and_impossible_dst)

// ---------------------------------------------------------------- within Src

static void test_movb2a(int arch)
{
    rig *r = moving(arch, BF16, BF16, 0x40007, FLUSH);
    r->state->src[TSR_SRCB].bank[0].datum[5][1] = 0x1fc0f;
    rig_run(r, "MOVB2A instr_mod=2 srcb=4 srca=9");
    assert_int_equal(r->state->src[TSR_SRCA].bank[0].datum[8][0], 0);
    assert_int_equal(r->state->src[TSR_SRCA].bank[0].datum[9][1], 0x1fc0f);
    rig_set(r, FIELD_ALU_ACC_CTRL_Zero_Flag_disabled_src, 1);
    rig_run(r, "MOVB2A srcb=4 srca=9");
    assert_int_equal(r->state->src[TSR_SRCA].bank[0].datum[9][0], 0x40007);
    assert_int_equal(r->state->src[TSR_SRCA].bank[0].datum[10][0], 0);
    rig_free(r);
}
TILE_BOTH(test_movb2a)

static void test_transpose_and_shift(int arch)
{
    rig *r = moving(arch, BF16, BF16, 0, FLUSH);
    struct tsr_src_bank *bank = &r->state->src[TSR_SRCB].bank[0];
    for (unsigned row = 0; row < TSR_SRC_ROWS; row++)
        for (unsigned column = 0; column < TSR_COLUMNS; column++)
            bank->datum[row][column] = row << 4 | column;
    bank->written[17] = 0xfffb; // column 2
    bank->tainted[18] = 0x8000;
    rig_run(r, "TRNSPSRCB");
    assert_int_equal(bank->datum[17][2], 18 << 4 | 1);
    assert_int_equal(bank->datum[15][2], 15 << 4 | 2);
    assert_int_equal(bank->written[17], 0xffff);
    assert_int_equal(bank->written[18], 0xfffd);
    assert_int_equal(bank->tainted[31], 1 << 2);
    assert_int_equal(bank->tainted[18], 0);
    bank->tainted[3] = 1;
    rig_run(r, "SHIFTXB shift_row=3");
    assert_int_equal(bank->datum[3][0], 3 << 4 | 1);
    assert_int_equal(bank->datum[3][14], 3 << 4 | 15);
    assert_int_equal(bank->datum[3][15], 3 << 4);
    assert_int_equal(bank->tainted[3], 0x8000);
    rig_run(r, "SHIFTXB shift_row=3 rot_shift=1");
    assert_int_equal(bank->datum[3][15], 0);
    assert_int_equal(bank->tainted[3], 0x4000);
    rig_free(r);
}
TILE_BOTH(test_transpose_and_shift)

static void test_zerosrc(int arch)
{
    rig *r = moving(arch, BF16, BF16, 0x123, FLUSH);
    struct tsr_src *a = &r->state->src[TSR_SRCA], *b = &r->state->src[TSR_SRCB];
    a->unpacker_bank = 1;
    rig_run(r, "ZEROSRC src_mask=1");
    assert_int_equal(a->bank[0].datum[0][0], 0x123);
    assert_int_equal(a->bank[1].datum[63][15], 0);
    rig_run(r, "ZEROSRC src_mask=3 write_mode=1 zero_val=1");
    assert_int_equal(a->bank[0].datum[0][0], 0x7ffff);
    assert_int_equal(b->bank[0].datum[0][0], 0);
    assert_int_equal(b->bank[1].datum[0][0], 0x123);
    rig_run(r, "ZEROSRC src_mask=2 bank_mask=1");
    assert_int_equal(b->bank[1].datum[0][0], 0);
    assert_int_equal(a->bank[0].datum[0][0], 0x7ffff);
    rig_free(r);
}
TILE_BOTH(test_zerosrc)

// ---------------------------------------------------------------- the shadow state

static void test_never_written_source(int arch)
{
    rig *r = moving(arch, BF16, BF16, 0x1fc00, FLUSH);
    rig_set(r, FIELD_ADDR_MOD_AB_SEC0_SrcAIncr, 8);
    struct tsr_src_bank *bank = &r->state->src[TSR_SRCA].bank[0];
    bank->written[2] = 0x7fff;
    assert_false(rig_begin(r, "MOVA2D instr_mod=2"));
    assert_string_equal(rig_found(r), "uninitialised-src");
    assert_int_equal(r->state->rwcs.thread[0].srca, 0);
    assert_int_equal(r->state->dst.written[0], 0);
    tsr_findings_clear(&r->findings);
    assert_int_equal(tsr_findings_policy(&r->findings, "uninitialised-src", TSR_ACTION_USE),
                     TSR_OK);
    bank->tainted[3] = 0x0001;
    rig_run(r, "MOVA2D instr_mod=2");
    assert_int_equal(r->state->dst.tainted[1], 0);
    assert_int_equal(r->state->dst.tainted[2], 0x8000);
    assert_int_equal(r->state->dst.tainted[3], 0x0001);
    r->state->dst.tainted[0] = 0xffff;
    rig_run(r, "MOVA2D instr_mod=2"); // SrcA now at row 8: clean again
    assert_int_equal(r->state->dst.tainted[0], 0);
    rig_free(r);
}
TILE_BOTH(test_never_written_source)

static void test_never_written_dst(int arch)
{
    rig *r = moving(arch, BF16, BF16, 0x1fc00, FLUSH);
    assert_false(rig_begin(r, "MOVD2A instr_mod=2"));
    assert_string_equal(rig_found(r), "uninitialised-dst");
    tsr_findings_clear(&r->findings);
    rig_run(r, "ZEROACC clear_mode=3");
    rig_run(r, "MOVD2A instr_mod=2"); // invalid rows are a defined 0
    rig_run(r, "MOVA2D dst=1");
    r->state->dst.tainted[1] = 4;
    rig_run(r, "MOVD2B instr_mod=2");
    assert_int_equal(r->state->src[TSR_SRCB].bank[0].tainted[1], 4);
    assert_int_equal(r->findings.count, 0);
    rig_free(r);
}
TILE_BOTH(test_never_written_dst)

// Columns that BLOCK_DEST_MOV of the vector unit's LaneConfig protects keep bits and shadow state.
static void test_kept_columns(int arch)
{
    rig *r = moving(arch, BF16, BF16, 0x1fc08, FLUSH);
    r->state->matrix.kept_columns = 0x8001;
    r->state->dst.bits[3][0] = 0x1234;
    r->state->dst.tainted[3] = 0x0003;
    rig_run(r, "MOVA2D instr_mod=2");
    assert_int_equal(r->state->dst.bits[3][0], 0x1234);
    assert_int_equal(r->state->dst.bits[3][1], 0x017f);
    assert_int_equal(r->state->dst.bits[7][15], 0);
    assert_int_equal(r->state->dst.written[3], 0x7ffe);
    assert_int_equal(r->state->dst.tainted[3], 0x0001);
    rig_fill_dst(r, 0x007f, 0x007f);
    r->state->src[TSR_SRCB].bank[0].tainted[5] = 0x8002;
    rig_run(r, "MOVD2B src=4 instr_mod=2");
    assert_int_equal(r->state->src[TSR_SRCB].bank[0].datum[5][0], 0x1fc08);
    assert_int_equal(r->state->src[TSR_SRCB].bank[0].datum[5][1], 0x1fc00);
    assert_int_equal(r->state->src[TSR_SRCB].bank[0].tainted[5], 0x8000);
    rig_run(r, "MOVB2A srcb=4 srca=8 instr_mod=2");
    assert_int_equal(r->state->src[TSR_SRCA].bank[0].datum[9][1], 0x1fc00);
    assert_int_equal(r->state->src[TSR_SRCA].bank[0].datum[9][15], 0x1fc08);
    rig_run(r, "MOVA2D dst=16 dest_32b_lo=1"); // a low half: physical row 40
    assert_int_equal(r->state->dst.bits[40][1], 0x017f);
    assert_int_equal(r->state->dst.bits[40][0], 0x007f);
    r->state->dst.valid[32] = false; // then what is kept is as good as never written
    rig_run(r, "MOVA2D dst=16 dest_32b_lo=1");
    assert_int_equal(r->state->dst.written[32], 0x7ffe);
    assert_int_equal(r->state->dst.written[40], 0x7ffe);
    assert_int_equal(r->state->dst.bits[32][0], 0x007f);
    assert_int_equal(r->state->dst.bits[32][1], 0);
    rig_free(r);
}
TILE_BOTH(test_kept_columns)

// A block of 16 rows to rows 0 to 15, one lane right or left: the block of the last instruction
// that had a row of SrcA, even of another thread or another bank.
static void test_shiftxa(int arch)
{
    rig *r = moving(arch, BF16, BF16, 0, FLUSH);
    struct tsr_src_bank *bank = &r->state->src[TSR_SRCA].bank[0];
    for (unsigned row = 0; row < TSR_SRC_ROWS; row++)
        for (unsigned column = 0; column < TSR_COLUMNS; column++)
            bank->datum[row][column] = row << 4 | column;
    rig_fill_dst(r, 0, 0);
    bank->tainted[37] = 0x8002;
    bank->written[38] = 0x7ffe;
    rig_run(r, "MOVA2D src=45 dst=0"); // the block from row 32 on
    rig_run(r, "MOVDBGA2D src=16");    // not among those that count
    rig_run(r, "ZEROACC");
    rig_run(r, "SHIFTXA shift_mode=2");
    assert_string_equal(rig_found(r), "shiftxa-source");
    assert_int_equal(bank->datum[0][0], 0);
    assert_int_equal(bank->datum[0][1], 32 << 4);
    assert_int_equal(bank->datum[15][15], 47 << 4 | 14);
    assert_int_equal(bank->datum[16][3], 16 << 4 | 3);
    assert_int_equal(bank->datum[32][3], 32 << 4 | 3);
    assert_int_equal(bank->tainted[5], 0x0004); // bit 15 has gone out
    assert_int_equal(bank->written[6], 0xfffd);
    rig_set(r, FIELD_ADDR_MOD_AB_SEC0_SrcAIncr, 16);
    rig_run(r, "MOVD2B");               // counts with the counter's row, 0
    rig_run(r, "SHIFTXA shift_mode=3"); // in place, and the counters stay
    assert_int_equal(bank->datum[0][0], 32 << 4);
    assert_int_equal(bank->datum[15][14], 47 << 4 | 14);
    assert_int_equal(bank->datum[15][15], 0);
    assert_int_equal(bank->written[6], 0xfffe);
    assert_int_equal(r->state->rwcs.thread[0].srca, 16);
    rig_run(r, "CONV3S1"); // the legacy ones count as well
    rig_run(r, "SHIFTXA shift_mode=3");
    assert_int_equal(bank->datum[15][0], 31 << 4 | 1);
    bank->matrix_owns = false;
    assert_int_equal(rig_ready(r, "SHIFTXA shift_mode=3"), TSR_REASON_SRCA);
    rig_free(r);
}
TILE_BOTH(test_shiftxa)

static void test_shiftxa_reserved(int arch)
{
    rig *r = moving(arch, BF16, BF16, 0x1fc00, FLUSH);
    struct tsr_src_bank *bank = &r->state->src[TSR_SRCA].bank[0];
    assert_false(rig_begin(r, "SHIFTXA shift_mode=1"));
    assert_string_equal(rig_found(r), "alu-mode");
    tsr_findings_clear(&r->findings);
    assert_false(rig_begin(r, "SHIFTXA shift_mode=2 log2_amount2=1"));
    assert_string_equal(rig_found(r), "alu-mode");
    assert_int_equal(bank->datum[0][0], 0x1fc00);
    tsr_findings_clear(&r->findings);
    tsr_findings_profile(&r->findings, TSR_PROFILE_SILICON);
    rig_run(r, "SHIFTXA");
    assert_int_equal(bank->datum[0][0], 0x1fc00);
    assert_int_equal(bank->tainted[0], 0);
    rig_run(r, "SHIFTXA shift_mode=2 log2_amount2=1");
    assert_int_equal(bank->datum[0][0], 0);
    assert_int_equal(bank->datum[0][1], 0x1fc00);
    assert_int_equal(bank->tainted[15], 0xffff);
    assert_int_equal(bank->tainted[16], 0);
    rig_free(r);
}
TILE_BOTH(test_shiftxa_reserved)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_mova2d_to_16_bits),
        TILE_TEST(test_mova2d_tf32),
        TILE_TEST(test_mova2d_low_half),
        TILE_TEST(test_mova2d_tf32_low_half_is_undefined),
        TILE_TEST(test_movb2d_shapes),
        TILE_TEST(test_movb2d_fp32),
        TILE_TEST(test_movb2d_masks_by_srcb_format),
        TILE_TEST(test_rows_add_up),
        TILE_TEST(test_override),
        cmocka_unit_test(test_implied_formats_bh),
        TILE_TEST(test_folded_rows),
        TILE_TEST(test_from_dst),
        TILE_TEST(test_low_halves_in_16_bits),
        TILE_TEST(test_from_invalid_and_impossible_dst),
        TILE_TEST(test_movb2a),
        TILE_TEST(test_transpose_and_shift),
        TILE_TEST(test_zerosrc),
        TILE_TEST(test_never_written_source),
        TILE_TEST(test_never_written_dst),
        TILE_TEST(test_kept_columns),
        TILE_TEST(test_shiftxa),
        TILE_TEST(test_shiftxa_reserved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
