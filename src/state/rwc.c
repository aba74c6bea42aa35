// SPDX-License-Identifier: Apache-2.0
// The row and fidelity counters: ApplyAddrMod with one of a thread's eight AddrMods, SETRWC and
// INCRWC. Pages: RWCs.md, SETRWC.md, INCRWC.md.
#include "state/rwc.h"

enum { ROW_MASK = TSR_SRC_ROWS - 1, DST_MASK = TSR_DST_ROWS - 1 };

// The same field of eight sections lies at equal distances in the order of names.
enum {
    AB_STRIDE = FIELD_ADDR_MOD_AB_SEC1_SrcAIncr - FIELD_ADDR_MOD_AB_SEC0_SrcAIncr,
    DST_STRIDE = FIELD_ADDR_MOD_DST_SEC1_DestIncr - FIELD_ADDR_MOD_DST_SEC0_DestIncr,
    BIAS_STRIDE = FIELD_ADDR_MOD_BIAS_SEC1_BiasIncr - FIELD_ADDR_MOD_BIAS_SEC0_BiasIncr
};
_Static_assert(FIELD_ADDR_MOD_AB_SEC7_SrcBClear == FIELD_ADDR_MOD_AB_SEC0_SrcBClear + 7 * AB_STRIDE,
               "sections of ADDR_MOD_AB");
_Static_assert(FIELD_ADDR_MOD_DST_SEC7_FidelityClear ==
                   FIELD_ADDR_MOD_DST_SEC0_FidelityClear + 7 * DST_STRIDE,
               "sections of ADDR_MOD_DST");
_Static_assert(FIELD_ADDR_MOD_BIAS_SEC7_BiasClear ==
                   FIELD_ADDR_MOD_BIAS_SEC0_BiasClear + 7 * BIAS_STRIDE,
               "sections of ADDR_MOD_BIAS");

// One section's three thread words. Fields have the same place in the words of all sections.
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

static struct tsr_rwc_move move_of(bool clear, bool from_carriage, uint32_t step, uint16_t mask)
{
    return (struct tsr_rwc_move){(uint16_t)step, clear ? 0 : mask, from_carriage,
                                 clear || from_carriage};
}

static struct tsr_rwc_move move_of_dst(const struct section *section)
{
    bool clear = part(section, section->dst, FIELD_ADDR_MOD_DST_SEC0_DestClear);
    bool to_carriage = part(section, section->dst, FIELD_ADDR_MOD_DST_SEC0_DestCToCR);
    bool from_carriage = part(section, section->dst, FIELD_ADDR_MOD_DST_SEC0_DestCR);
    struct tsr_rwc_move move =
        move_of(clear, from_carriage && !to_carriage,
                part(section, section->dst, FIELD_ADDR_MOD_DST_SEC0_DestIncr), DST_MASK);
    move.sets_carriage |= to_carriage;
    return move;
}

static bool only_steps(const struct tsr_rwc_move *move)
{
    return move->mask != 0 && !move->from_carriage && !move->sets_carriage;
}

// Blackhole's seventh bit of the increments (ADDR_MOD_AB2) is a multiple of the 64 rows.
struct tsr_rwc_step tsr_rwc_decode(const struct tsr_env *env, int thread, unsigned index)
{
    const struct section section = {
        env->isa->field,
        word_of(env, thread, FIELD_ADDR_MOD_AB_SEC0_SrcAIncr, AB_STRIDE, index),
        word_of(env, thread, FIELD_ADDR_MOD_DST_SEC0_DestIncr, DST_STRIDE, index),
        word_of(env, thread, FIELD_ADDR_MOD_BIAS_SEC0_BiasIncr, BIAS_STRIDE, index),
    };
    bool flips = part(&section, section.bias, FIELD_ADDR_MOD_BIAS_SEC0_BiasIncr) & 3;
    bool clears = part(&section, section.bias, FIELD_ADDR_MOD_BIAS_SEC0_BiasClear);
    bool phase_0 = part(&section, section.dst, FIELD_ADDR_MOD_DST_SEC0_FidelityClear);
    struct tsr_rwc_step step = {
        .srca = move_of(part(&section, section.ab, FIELD_ADDR_MOD_AB_SEC0_SrcAClear),
                        part(&section, section.ab, FIELD_ADDR_MOD_AB_SEC0_SrcACR),
                        part(&section, section.ab, FIELD_ADDR_MOD_AB_SEC0_SrcAIncr), ROW_MASK),
        .srcb = move_of(part(&section, section.ab, FIELD_ADDR_MOD_AB_SEC0_SrcBClear),
                        part(&section, section.ab, FIELD_ADDR_MOD_AB_SEC0_SrcBCR),
                        part(&section, section.ab, FIELD_ADDR_MOD_AB_SEC0_SrcBIncr), ROW_MASK),
        .dst = move_of_dst(&section),
        .fidelity = (uint8_t)part(&section, section.dst, FIELD_ADDR_MOD_DST_SEC0_FidelityIncr),
        .fidelity_mask = phase_0 ? 0 : 3,
        .extra_flip = flips && !clears,
        .extra_mask = clears ? 0 : 1,
    };
    step.steps_only = only_steps(&step.srca) && only_steps(&step.srcb) && only_steps(&step.dst) &&
                      !phase_0 && !flips && !clears;
    return step;
}

static void move_src(uint8_t *counter, uint8_t *carriage, const struct tsr_rwc_move *move)
{
    unsigned from = move->from_carriage ? *carriage : *counter;
    uint8_t to = (uint8_t)((from + move->step) & move->mask);
    *counter = to;
    *carriage = move->sets_carriage ? to : *carriage;
}

static void move_dst(tsr_rwc *rwc, const struct tsr_rwc_move *move)
{
    unsigned from = move->from_carriage ? rwc->dst_cr : rwc->dst;
    uint16_t to = (uint16_t)((from + move->step) & move->mask);
    rwc->dst = to;
    rwc->dst_cr = move->sets_carriage ? to : rwc->dst_cr;
}

void tsr_rwc_apply(tsr_rwc *rwc, const struct tsr_rwc_step *step)
{
    if (step->steps_only) {
        rwc->srca = (uint8_t)((rwc->srca + step->srca.step) & ROW_MASK);
        rwc->srcb = (uint8_t)((rwc->srcb + step->srcb.step) & ROW_MASK);
        rwc->dst = (uint16_t)((rwc->dst + step->dst.step) & DST_MASK);
        rwc->fidelity = (uint8_t)((rwc->fidelity + step->fidelity) & 3);
        return;
    }
    move_src(&rwc->srca, &rwc->srca_cr, &step->srca);
    move_src(&rwc->srcb, &rwc->srcb_cr, &step->srcb);
    move_dst(rwc, &step->dst);
    rwc->fidelity = (uint8_t)((rwc->fidelity + step->fidelity) & step->fidelity_mask);
    rwc->extra_addr_mod = (rwc->extra_addr_mod & step->extra_mask) ^ step->extra_flip;
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

void tsr_rwc_set(tsr_rwc *rwc, const struct tsr_rwc_operands *operands)
{
    uint32_t select = operands->select, carriage = operands->carriage;
    if (select & SELECT_A)
        set_src(&rwc->srca, &rwc->srca_cr, carriage & CARRIAGE_A, operands->a);
    if (select & SELECT_B)
        set_src(&rwc->srcb, &rwc->srcb_cr, carriage & CARRIAGE_B, operands->b);
    if (select & SELECT_DST || carriage & DST_TO_CARRIAGE) {
        uint32_t value = operands->d;
        if (carriage & DST_TO_CARRIAGE)
            value += rwc->dst;
        else if (carriage & CARRIAGE_DST)
            value += rwc->dst_cr;
        rwc->dst = rwc->dst_cr = (uint16_t)(value & DST_MASK);
    }
    if (select & SELECT_FIDELITY)
        rwc->fidelity = 0;
}

static void step_src(uint8_t *counter, uint8_t *carriage, bool from_carriage, uint32_t step)
{
    struct tsr_rwc_move move = move_of(false, from_carriage, step, ROW_MASK);
    move_src(counter, carriage, &move);
}

void tsr_rwc_increment(tsr_rwc *rwc, const struct tsr_rwc_operands *operands)
{
    uint32_t carriage = operands->carriage;
    step_src(&rwc->srca, &rwc->srca_cr, carriage & CARRIAGE_A, operands->a);
    step_src(&rwc->srcb, &rwc->srcb_cr, carriage & CARRIAGE_B, operands->b);
    struct tsr_rwc_move move = move_of(false, carriage & CARRIAGE_DST, operands->d, DST_MASK);
    move_dst(rwc, &move);
}

// The bias as RWCs.md has it for ADDR_MOD_BIAS: of a value two bits count, and one bit is kept.
void tsr_rwc_bias(tsr_rwc *rwc, bool increments, uint32_t value)
{
    bool flips = (value & 3) != 0;
    rwc->extra_addr_mod = (increments ? rwc->extra_addr_mod : 0) ^ flips;
}
