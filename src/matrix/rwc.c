// SPDX-License-Identifier: Apache-2.0
// The row and fidelity counters: the eight pre-configured steps of an AddrMod, SETRWC, INCRWC.
// Pages: RWCs.md, SETRWC.md, INCRWC.md.
#include "matrix/matrix_job.h"

enum { ROW_MASK = TSR_SRC_ROWS - 1, DST_MASK = TSR_DST_ROWS - 1 };

// The same field of eight sections lies at equal distances in the order of names.
enum {
    AB_STRIDE = FIELD_ADDR_MOD_AB_SEC1_SrcAIncr - FIELD_ADDR_MOD_AB_SEC0_SrcAIncr,
    DST_STRIDE = FIELD_ADDR_MOD_DST_SEC1_DestIncr - FIELD_ADDR_MOD_DST_SEC0_DestIncr,
    BIAS_STRIDE = FIELD_ADDR_MOD_BIAS_SEC1_BiasIncr - FIELD_ADDR_MOD_BIAS_SEC0_BiasIncr
};
_Static_assert(FIELD_ADDR_MOD_AB_SEC7_SrcBClear ==
                   FIELD_ADDR_MOD_AB_SEC0_SrcBClear + 7 * AB_STRIDE,
               "sections of ADDR_MOD_AB");
_Static_assert(FIELD_ADDR_MOD_DST_SEC7_FidelityClear ==
                   FIELD_ADDR_MOD_DST_SEC0_FidelityClear + 7 * DST_STRIDE,
               "sections of ADDR_MOD_DST");
_Static_assert(FIELD_ADDR_MOD_BIAS_SEC7_BiasClear ==
                   FIELD_ADDR_MOD_BIAS_SEC0_BiasClear + 7 * BIAS_STRIDE,
               "sections of ADDR_MOD_BIAS");

// One section's three thread words: what a field's place says about section 0 holds for all.
struct section {
    const struct tsr_field_place *place; // of all fields
    uint32_t ab, dst, bias;
};

static uint32_t word_of(const struct tsr_env *env, int thread, enum tsr_field first,
                        unsigned stride, unsigned index)
{
    unsigned field = (unsigned)first + stride * index;
    return env->state->config.thread[thread][env->isa->field[field].addr32];
}

static uint32_t part(const struct section *section, uint32_t word, enum tsr_field field)
{
    return tsr_bits(word, section->place[field].first_bit, section->place[field].width);
}

static void advance(uint8_t *counter, uint8_t *carriage, bool clear, bool from_carriage,
                    uint32_t step)
{
    if (clear) {
        *counter = *carriage = 0;
    } else if (from_carriage) {
        *counter = *carriage = (uint8_t)((*carriage + step) & ROW_MASK);
    } else {
        *counter = (uint8_t)((*counter + step) & ROW_MASK);
    }
}

// Blackhole's seventh bit of the increments (ADDR_MOD_AB2) is a multiple of the 64 rows.
static void apply_src(const struct section *section, tsr_rwc *rwc)
{
    advance(&rwc->srca, &rwc->srca_cr, part(section, section->ab, FIELD_ADDR_MOD_AB_SEC0_SrcAClear),
            part(section, section->ab, FIELD_ADDR_MOD_AB_SEC0_SrcACR),
            part(section, section->ab, FIELD_ADDR_MOD_AB_SEC0_SrcAIncr));
    advance(&rwc->srcb, &rwc->srcb_cr, part(section, section->ab, FIELD_ADDR_MOD_AB_SEC0_SrcBClear),
            part(section, section->ab, FIELD_ADDR_MOD_AB_SEC0_SrcBCR),
            part(section, section->ab, FIELD_ADDR_MOD_AB_SEC0_SrcBIncr));
}

static void apply_dst(const struct section *section, tsr_rwc *rwc)
{
    uint32_t step = part(section, section->dst, FIELD_ADDR_MOD_DST_SEC0_DestIncr);
    if (part(section, section->dst, FIELD_ADDR_MOD_DST_SEC0_DestClear)) {
        rwc->dst = rwc->dst_cr = 0;
    } else if (part(section, section->dst, FIELD_ADDR_MOD_DST_SEC0_DestCToCR)) {
        rwc->dst = rwc->dst_cr = (uint16_t)((rwc->dst + step) & DST_MASK);
    } else if (part(section, section->dst, FIELD_ADDR_MOD_DST_SEC0_DestCR)) {
        rwc->dst = rwc->dst_cr = (uint16_t)((rwc->dst_cr + step) & DST_MASK);
    } else {
        rwc->dst = (uint16_t)((rwc->dst + step) & DST_MASK);
    }
}

static void apply_fidelity(const struct section *section, tsr_rwc *rwc)
{
    if (part(section, section->dst, FIELD_ADDR_MOD_DST_SEC0_FidelityClear)) {
        rwc->fidelity = 0;
    } else {
        uint32_t step = part(section, section->dst, FIELD_ADDR_MOD_DST_SEC0_FidelityIncr);
        rwc->fidelity = (uint8_t)((rwc->fidelity + step) & 3);
    }
}

static void apply_bias(const struct section *section, tsr_rwc *rwc)
{
    if (part(section, section->bias, FIELD_ADDR_MOD_BIAS_SEC0_BiasClear)) {
        rwc->extra_addr_mod = 0;
    } else if (part(section, section->bias, FIELD_ADDR_MOD_BIAS_SEC0_BiasIncr) & 3) {
        rwc->extra_addr_mod ^= 1;
    }
}

static unsigned index_of(const struct tsr_env *env, int thread, unsigned addr_mod)
{
    if (!env->chip->addr_mod_bank)
        return addr_mod & 7;
    bool upper = env->state->rwcs.thread[thread].extra_addr_mod ||
                 tsr_thread_cfg(env, thread, FIELD_ADDR_MOD_SET_Base);
    return (addr_mod & 3) + (upper ? 4 : 0);
}

void tsr_rwc_apply(struct tsr_env *env, int thread, unsigned addr_mod, bool fidelity)
{
    tsr_rwc *rwc = &env->state->rwcs.thread[thread];
    unsigned index = index_of(env, thread, addr_mod);
    struct section section = {
        env->isa->field,
        word_of(env, thread, FIELD_ADDR_MOD_AB_SEC0_SrcAIncr, AB_STRIDE, index),
        word_of(env, thread, FIELD_ADDR_MOD_DST_SEC0_DestIncr, DST_STRIDE, index),
        word_of(env, thread, FIELD_ADDR_MOD_BIAS_SEC0_BiasIncr, BIAS_STRIDE, index),
    };
    if (section.ab != 0)
        apply_src(&section, rwc);
    if (section.dst != 0) {
        apply_dst(&section, rwc);
        if (fidelity)
            apply_fidelity(&section, rwc);
    }
    if (section.bias != 0)
        apply_bias(&section, rwc);
}

void tsr_matrix_step_addr_mod(const struct tsr_matrix_call *call)
{
    // The operand has one of three names.
    uint32_t addr_mod = tsr_matrix_arg(call, OPERAND_addr_mode) |
                        tsr_matrix_arg(call, OPERAND_AddrMode) |
                        tsr_matrix_arg(call, OPERAND_pool_addr_mode);
    tsr_rwc_apply(call->env, call->flight->thread, addr_mod, true);
}

// ---------------------------------------------------------------- SETRWC and INCRWC

enum { SELECT_A = 1, SELECT_B = 2, SELECT_DST = 4, SELECT_FIDELITY = 8 };
enum { CARRIAGE_A = 1, CARRIAGE_B = 2, CARRIAGE_DST = 4, DST_TO_CARRIAGE = 8 };

static void set_src(uint8_t *counter, uint8_t *carriage, bool from_carriage, uint32_t value)
{
    if (from_carriage)
        value += *carriage;
    *counter = *carriage = (uint8_t)(value & ROW_MASK);
}

void tsr_matrix_step_setrwc(const struct tsr_matrix_call *call)
{
    tsr_rwc *rwc = &call->env->state->rwcs.thread[call->flight->thread];
    uint32_t select = tsr_matrix_arg(call, OPERAND_BitMask);
    uint32_t carriage = tsr_matrix_arg(call, OPERAND_rwc_cr);
    if (select & SELECT_A)
        set_src(&rwc->srca, &rwc->srca_cr, carriage & CARRIAGE_A,
                tsr_matrix_arg(call, OPERAND_rwc_a));
    if (select & SELECT_B)
        set_src(&rwc->srcb, &rwc->srcb_cr, carriage & CARRIAGE_B,
                tsr_matrix_arg(call, OPERAND_rwc_b));
    if (select & SELECT_DST || carriage & DST_TO_CARRIAGE) {
        uint32_t value = tsr_matrix_arg(call, OPERAND_rwc_d);
        if (carriage & DST_TO_CARRIAGE)
            value += rwc->dst;
        else if (carriage & CARRIAGE_DST)
            value += rwc->dst_cr;
        rwc->dst = rwc->dst_cr = (uint16_t)(value & DST_MASK);
    }
    if (select & SELECT_FIDELITY)
        rwc->fidelity = 0;
}

void tsr_matrix_step_incrwc(const struct tsr_matrix_call *call)
{
    tsr_rwc *rwc = &call->env->state->rwcs.thread[call->flight->thread];
    uint32_t carriage = tsr_matrix_arg(call, OPERAND_rwc_cr);
    advance(&rwc->srca, &rwc->srca_cr, false, carriage & CARRIAGE_A,
            tsr_matrix_arg(call, OPERAND_rwc_a));
    advance(&rwc->srcb, &rwc->srcb_cr, false, carriage & CARRIAGE_B,
            tsr_matrix_arg(call, OPERAND_rwc_b));
    uint32_t step = tsr_matrix_arg(call, OPERAND_rwc_d);
    if (carriage & CARRIAGE_DST)
        rwc->dst = rwc->dst_cr = (uint16_t)((rwc->dst_cr + step) & DST_MASK);
    else
        rwc->dst = (uint16_t)((rwc->dst + step) & DST_MASK);
}
