// SPDX-License-Identifier: Apache-2.0
// The matrix unit against a naive model of the pages (matrix_model.h): random instruction words
// under random configurations, all of the state compared after each. Pages: those of the model.
#include "rig/matrix_model_run.h"
#include "rig/sample.h"

#include <stdio.h>

enum { PROGRAMS = RIG_SAMPLE(400), LENGTH = 120 };

static uint32_t draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

static bool one_in(uint64_t *seed, unsigned n)
{
    return draw(seed) % n == 0;
}

// ---------------------------------------------------------------- the same state in a rig

static void set_section(rig *r, const char *name, unsigned section, const char *part,
                        unsigned value)
{
    char field[60];
    snprintf(field, sizeof field, "ADDR_MOD_%s_SEC%u_%s", name, section, part);
    rig_set(r, tsr_field_id(field), value);
}

static void draw_section(struct model *m, rig *r, unsigned i, uint64_t *seed)
{
    struct section *s = &m->section[i];
    *s = (struct section){.incr = {draw(seed) % 64, draw(seed) % 64},
                          .cr = {one_in(seed, 3), one_in(seed, 3)},
                          .clear = {one_in(seed, 6), one_in(seed, 6)},
                          .dst_incr = draw(seed) % 1024,
                          .dst_cr = one_in(seed, 3),
                          .dst_c_to_cr = one_in(seed, 4),
                          .dst_clear = one_in(seed, 6),
                          .fid_incr = draw(seed) % 4,
                          .fid_clear = one_in(seed, 4),
                          .bias_incr = draw(seed) % 16,
                          .bias_clear = one_in(seed, 3)};
    for (unsigned side = 0; side < 2; side++) {
        set_section(r, "AB", i, side ? "SrcBIncr" : "SrcAIncr", s->incr[side]);
        set_section(r, "AB", i, side ? "SrcBCR" : "SrcACR", s->cr[side]);
        set_section(r, "AB", i, side ? "SrcBClear" : "SrcAClear", s->clear[side]);
    }
    set_section(r, "DST", i, "DestIncr", s->dst_incr);
    set_section(r, "DST", i, "DestCR", s->dst_cr);
    set_section(r, "DST", i, "DestCToCR", s->dst_c_to_cr);
    set_section(r, "DST", i, "DestClear", s->dst_clear);
    set_section(r, "DST", i, "FidelityIncr", s->fid_incr);
    set_section(r, "DST", i, "FidelityClear", s->fid_clear);
    set_section(r, "BIAS", i, "BiasIncr", s->bias_incr);
    set_section(r, "BIAS", i, "BiasClear", s->bias_clear);
}

static void draw_config(struct model *m, rig *r, uint64_t *seed)
{
    static const unsigned wide_exponents[] = {0, 4, 5, 6, 7, 8, 9, 15, 4, 5};
    static const unsigned narrow[] = {1, 2, 3, 10, 11, 14, 1, 1, 10, 1};
    const unsigned *formats = one_in(seed, 3) ? narrow : wide_exponents;
    m->blocked = one_in(seed, 3) ? draw(seed) & 0x7ffe : 0;
    r->state->matrix.kept_columns = (uint16_t)m->blocked;
    for (unsigned i = 0; i < 8; i++)
        draw_section(m, r, i, seed);
    rig_set(r, FIELD_DEST_TARGET_REG_CFG_MATH_Offset, m->math = draw(seed) % 1024);
    rig_set(r, FIELD_FIDELITY_BASE_Phase, m->fidelity_base = draw(seed) % 4);
    rig_set(r, FIELD_FP16A_FORCE_Enable, m->force = one_in(seed, 8));
    rig_set(r, FIELD_ALU_ACC_CTRL_Fp32_enabled, m->fp32 = one_in(seed, 2));
    rig_set(r, FIELD_ALU_ACC_CTRL_INT8_math_enabled, m->int8 = one_in(seed, 5));
    rig_set(r, FIELD_ALU_ACC_CTRL_Zero_Flag_disabled_src, m->keep_denormals = one_in(seed, 2));
    rig_set(r, FIELD_CLR_DVALID_SrcA_Disable, m->keep_dvalid[A] = one_in(seed, 2));
    rig_set(r, FIELD_CLR_DVALID_SrcB_Disable, m->keep_dvalid[B] = one_in(seed, 2));
    rig_formats(r, (uint8_t)(m->configured[A] = formats[draw(seed) % 10]),
                (uint8_t)(m->configured[B] = formats[draw(seed) % 10]));
    if (m->arch == WH) {
        rig_set(r, FIELD_ADDR_MOD_SET_Base, m->set_base = one_in(seed, 3));
        return;
    }
    rig_set(r, FIELD_DISABLE_IMPLIED_SRCA_FMT_Base, m->implied_off[A] = one_in(seed, 2));
    rig_set(r, FIELD_DISABLE_IMPLIED_SRCB_FMT_Base, m->implied_off[B] = one_in(seed, 2));
    rig_set(r, FIELD_SFPU_DEST_FMT_Base, m->dest_format = formats[draw(seed) % 10]);
    rig_set(r, FIELD_DEST_ACCESS_CFG_zeroacc_absolute_tile_mode, m->absolute = one_in(seed, 3));
    for (unsigned i = 0; i < 4; i++)
        r->state->src[i / 2].bank[i % 2].implied_format =
            (uint8_t)(m->tag[i / 2][i % 2] = formats[draw(seed) % 10]);
}

static uint32_t draw_datum(uint64_t *seed)
{
    uint32_t exponent = one_in(seed, 6) ? 0 : one_in(seed, 3) ? draw(seed) : 100 + draw(seed) % 50;
    return (draw(seed) & 0x403ff) | (exponent & 0xff) << 10;
}

static void draw_storages(struct model *m, rig *r, uint64_t *seed)
{
    for (unsigned row = 0; row < DST; row++) {
        m->valid[row] = r->state->dst.valid[row] = !one_in(seed, 4);
        r->state->dst.written[row] = 0xffff;
        for (unsigned column = 0; column < 16; column++)
            m->dst[row][column] = r->state->dst.bits[row][column] = (uint16_t)draw(seed);
    }
    for (int side = A; side <= B; side++) {
        rig_fill_src(r, side, 0);
        m->unpack_bank[side] = r->state->src[side].unpacker_bank = draw(seed) % 2;
        for (unsigned i = 0; i < 2 * 64 * 16; i++)
            m->src[side][i / 1024][i / 16 % 64][i % 16] =
                r->state->src[side].bank[i / 1024].datum[i / 16 % 64][i % 16] = draw_datum(seed);
        m->owns[side][0] = m->owns[side][1] = true;
    }
}

static uint32_t draw_word(const struct model *m, uint64_t *seed)
{
    static const uint8_t ops[] = {0x08, 0x09, 0x0a, 0x0b, 0x10, 0x11, 0x12, 0x13,
                                  0x13, 0x16, 0x17, 0x18, 0x26, 0x27, 0x28, 0x30,
                                  0x29, 0x34, 0x33, 0x36, 0x37, 0x38, 0x37, 0x10};
    const struct tsr_isa *isa = tsr_isa((tsr_arch)m->arch);
    uint32_t op = ops[draw(seed) % sizeof ops];
    uint32_t word = op << 24 | (draw(seed) & isa->used_bits[tsr_op_of(isa, op << 24)]);
    if (op == 0x11 && !one_in(seed, 8))
        word &= ~3u; // it makes all alike: seldom
    if (op == 0x10 && !one_in(seed, 8))
        word &= ~(2u << 19); // likewise
    if (op == 0x17)
        word = (word & ~0xffffffu) | 2 | (word & 1); // the two modes that are there
    if (op == 0x36)
        word &= ~1u; // Reset has its own test
    return word;
}

// ---------------------------------------------------------------- comparing

static void compare(const struct model *m, const rig *r, unsigned program, unsigned step)
{
    const tsr_rwc *c = &r->state->rwcs.thread[0];
    const char *differs = NULL;
    bool counters = c->srca == m->ctr[A] && c->srca_cr == m->cr[A] && c->srcb == m->ctr[B] &&
                    c->srcb_cr == m->cr[B] && c->dst == m->dst_ctr && c->dst_cr == m->dst_cr &&
                    c->fidelity == m->fidelity && c->extra_addr_mod == m->extra;
    if (!counters)
        differs = "counters";
    if (memcmp(m->valid, r->state->dst.valid, sizeof m->valid) != 0)
        differs = "valid bits";
    if (memcmp(m->dst, r->state->dst.bits, sizeof m->dst) != 0)
        differs = "Dst";
    for (int side = A; side <= B; side++) {
        const struct tsr_src *src = &r->state->src[side];
        if (src->matrix_bank != m->bank[side] || src->unpacker_bank != m->unpack_bank[side])
            differs = "bank pointers";
        for (unsigned bank = 0; bank < 2; bank++) {
            if (src->bank[bank].matrix_owns != m->owns[side][bank])
                differs = "owners";
            if (memcmp(src->bank[bank].datum, m->src[side][bank], sizeof m->src[0][0]) != 0)
                differs = side == A ? "SrcA" : "SrcB";
        }
    }
    char text[TSR_INSTRUCTION_TEXT] = "?";
    tsr_disassemble((tsr_arch)m->arch, m->w, text, sizeof text);
    if (differs)
        fail_msg("program %u, step %u, %08x %s: %s", program, step, m->w, text, differs);
}

// Instead of unpackers: a bank that the next instruction waits for is handed over.
static void serve(struct model *m, rig *r)
{
    uint64_t retry_at = 0;
    for (int side = A; side <= B; side++) {
        bool waits = waits_for(m->w >> 24, side) && !m->owns[side][m->bank[side]];
        r->env.at_rest = true; // SETRWC and CLEARDVALID are not deferred
        tsr_reason reason = tsr_matrix_ops.ready(&r->env, &r->inst, &retry_at);
        assert_int_equal(reason == (side == A ? TSR_REASON_SRCA : TSR_REASON_SRCB), waits);
        if (!waits)
            continue;
        m->owns[side][m->bank[side]] = true;
        r->state->src[side].bank[m->bank[side]].matrix_owns = true;
    }
    r->env.at_rest = true;
    assert_int_equal(tsr_matrix_ops.ready(&r->env, &r->inst, &retry_at), TSR_REASON_NONE);
}

static void step(struct model *m, rig *r, uint64_t *seed)
{
    m->w = draw_word(m, seed);
    memset(&r->inst, 0, sizeof r->inst);
    r->inst.word = m->w;
    r->inst.op = (uint8_t)tsr_op_of(r->env.isa, m->w);
    r->inst.unit = TSR_UNIT_MATRIX;
    serve(m, r);
    assert_true(tsr_matrix_ops.accept(&r->env, &r->inst));
    assert_int_equal(tsr_matrix_ops.execute(&r->env, &r->inst), TSR_REASON_NONE);
    tsr_matrix_ops.complete(&r->env, &r->inst);
    assert_false(r->findings.stopped);
    run_model(m);
}

static void test_random_words(int arch)
{
    uint64_t seed = 0x7e55e7a + (uint64_t)arch;
    for (unsigned program = 0; program < PROGRAMS; program++) {
        rig *r = rig_new(arch, TSR_PROFILE_SILICON);
        struct model *m = calloc(1, sizeof *m);
        assert_non_null(m);
        m->arch = arch;
        draw_config(m, r, &seed);
        draw_storages(m, r, &seed);
        for (unsigned i = 0; i < LENGTH; i++) {
            step(m, r, &seed);
            compare(m, r, program, i);
        }
        free(m);
        rig_free(r);
    }
}
TILE_BOTH(test_random_words)

// The debug move does not wait, so it alone can meet a bank without a tag.
static void test_debug_move_of_an_empty_bank_bh(void **state)
{
    (void)state;
    rig *r = rig_new(BH, TSR_PROFILE_STRICT);
    rig_fill_src(r, TSR_SRCA, 0x1fc08);
    r->state->src[TSR_SRCA].bank[0].matrix_owns = false;
    r->state->src[TSR_SRCA].bank[0].implied_format = 4;
    rig_set(r, FIELD_SFPU_DEST_FMT_Base, 5);
    rig_run(r, "MOVDBGA2D instr_mod=2");
    assert_string_equal(rig_found(r), "implied-format-absent");
    assert_int_equal(r->state->dst.bits[0][0], 0x017f);
    assert_int_equal(r->state->dst.written[8], 0); // 16 bits a row, not TF32
    rig_free(r);
}

static void test_no_format_at_all(int arch)
{
    rig *r = rig_new(arch, TSR_PROFILE_STRICT);
    rig_formats(r, 12, 5);
    rig_fill_dst(r, 0, 0);
    assert_false(rig_begin(r, "MOVD2A instr_mod=2"));
    assert_string_equal(rig_found(r), "alu-format-pair");
    rig_set(r, FIELD_FP16A_FORCE_Enable, 1); // then it plays no part
    tsr_findings_clear(&r->findings);
    rig_run(r, "MOVD2B instr_mod=2");
    assert_int_equal(r->findings.count, 0);
    // Nor does a tag, which banks of the unpackers lack.
    r->state->src[TSR_SRCA].bank[0].matrix_owns = r->state->src[TSR_SRCB].bank[0].matrix_owns = 0;
    for (int field = 0; field < 2 && arch == BH; field++)
        rig_set(r,
                field ? FIELD_DISABLE_IMPLIED_SRCB_FMT_Base : FIELD_DISABLE_IMPLIED_SRCA_FMT_Base,
                0);
    rig_run(r, "MOVD2A instr_mod=2");
    rig_run(r, "MOVD2B instr_mod=2");
    assert_int_equal(r->findings.count, 0);
    rig_free(r);
}
TILE_BOTH(test_no_format_at_all)

static void test_dotpv_gives_either_bank(int arch)
{
    rig *r = rig_new(arch, TSR_PROFILE_STRICT);
    rig_formats(r, 5, 5);
    rig_fill_src(r, TSR_SRCA, 0);
    rig_fill_src(r, TSR_SRCB, 0);
    rig_fill_dst(r, 0, 0);
    rig_run(r, "DOTPV clear_dvalid=2");
    assert_true(r->state->src[TSR_SRCA].bank[0].matrix_owns);
    assert_false(r->state->src[TSR_SRCB].bank[0].matrix_owns);
    assert_int_equal(r->state->src[TSR_SRCB].matrix_bank, 1);
    rig_free(r);
}
TILE_BOTH(test_dotpv_gives_either_bank)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_random_words),
        cmocka_unit_test(test_debug_move_of_an_empty_bank_bh),
        TILE_TEST(test_no_format_at_all),
        TILE_TEST(test_dotpv_gives_either_bank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
