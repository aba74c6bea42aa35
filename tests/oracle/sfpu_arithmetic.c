// SPDX-License-Identifier: Apache-2.0
// The MAD sub-unit and the round sub-unit.
// Pages: SFPMAD.md, SFPADD.md, SFPMUL.md, SFPADDI.md, SFPMULI.md, SFPMUL24.md, SFPLUT.md,
// SFPLUTFP32.md, SFPSHFT2.md, SFPSTOCHRND_*.md of both chips.
#include "oracle/sfpu_model.h"

static uint32_t fma_of(const struct sfpu_model *m, uint32_t a, uint32_t b, uint32_t c)
{
    return m->blackhole ? sfpu_fma_bh(a, b, c, m->fault) : sfpu_fma_wh(a, b, c, m->fault);
}

static uint32_t with_sign_of(uint32_t value, uint32_t sign)
{
    return (value & 0x7fffffff) | (sign & 0x80000000u);
}

static uint32_t lut(struct sfpu_model *m, const struct sfpu_insn *i, unsigned lane)
{
    uint32_t x = sfpu_get(m, 3, lane), b = x & 0x7fffffff;
    uint32_t edge = m->fault == SFPU_FAULT_LUT_EDGE ? 0x40000001 : 0x40000000;
    uint32_t entry = sfpu_get(m, b < 0x3f800000 ? 0 : b < edge ? 1 : 2, lane);
    uint32_t d = fma_of(m, sfpu_lut8(entry >> 8), b, sfpu_lut8(entry));
    return i->mod & 4 ? with_sign_of(d, x) : d;
}

static uint32_t lut_fp32(struct sfpu_model *m, const struct sfpu_insn *i, unsigned lane)
{
    uint32_t x = sfpu_get(m, 3, lane), b = x & 0x7fffffff, a, c;
    unsigned range = b < 0x3f800000 ? 0 : b < 0x40000000 ? 1 : 2;
    uint32_t first = sfpu_get(m, range, lane);
    if (!(i->mod & 2)) {
        a = first;
        c = sfpu_get(m, 4 + range, lane);
    } else if (i->mod & 8) {
        a = sfpu_lut16(first >> 16);
        c = sfpu_lut16(first);
    } else {
        uint32_t last = i->mod & 1 ? 0x40800000 : 0x40400000; // 4 or 3
        const uint32_t half[3] = {0x3f000000, 0x3fc00000, last};
        unsigned by = b < half[range] ? 0 : 16;
        a = sfpu_lut16(first >> by);
        c = sfpu_lut16(sfpu_get(m, 4 + range, lane) >> by);
    }
    uint32_t d = fma_of(m, a, b, c);
    return i->mod & 4 ? with_sign_of(d, x) : d;
}

static uint32_t mad(struct sfpu_model *m, const struct sfpu_insn *i, unsigned lane)
{
    bool indirect = i->mod & 4 && i->op != SFPU_ADDI && i->op != SFPU_MULI;
    uint32_t immediate = (uint32_t)i->imm << 16;
    unsigned vc = i->vc;
    if ((i->op == SFPU_ADDI || i->op == SFPU_MULI) && !i->scheduled)
        vc = i->vd;
    uint32_t c = sfpu_get(m, vc, lane);
    if (m->blackhole && i->mod & 2 && i->op != SFPU_MUL24)
        c ^= 0x80000000u;
    if (i->op == SFPU_ADDI)
        return fma_of(m, immediate, 0x3f800000, c);
    if (i->op == SFPU_MULI)
        return fma_of(m, immediate, c, 0);
    uint32_t a = sfpu_get(m, indirect ? sfpu_get(m, 7, lane) & 15 : i->va, lane);
    uint32_t b = sfpu_get(m, i->vb, lane);
    if (i->op == SFPU_MUL24)
        return sfpu_mul24(a, b, c, i->mod & 1);
    if (m->blackhole && i->mod & 1)
        a ^= 0x80000000u;
    return fma_of(m, a, b, c);
}

void sfpu_mad(struct sfpu_model *m, const struct sfpu_insn *i)
{
    for (unsigned lane = 0; lane < SFPU_LANES; lane++) {
        if (!m->enabled[lane] || !sfpu_runs(m, i, lane))
            continue;
        uint32_t d = i->op == SFPU_LUT       ? lut(m, i, lane)
                     : i->op == SFPU_LUTFP32 ? lut_fp32(m, i, lane)
                                             : mad(m, i, lane);
        unsigned vd = i->vd;
        if (i->mod & 8 && vd != 16)
            vd = sfpu_get(m, 7, lane) & 15;
        sfpu_put(m, vd, lane, d, true);
    }
}

// ---------------------------------------------------------------- round

static uint32_t beside(struct sfpu_model *m, unsigned reg, unsigned lane)
{
    unsigned first = lane & ~7u, by = m->fault == SFPU_FAULT_ROTATE ? 1 : 7;
    return sfpu_get(m, reg, first + ((lane + by) & 7));
}

// What Wormhole's shift by a lane sees instead of the zero that it should.
static uint32_t left_over(struct sfpu_model *m, unsigned lane)
{
    if (m->blackhole)
        return 0;
    if (!m->rotated_known)
        sfpu_undefined(m, "SFPSHFT2 shifts lanes before any rotation");
    return m->rotated[lane + 7];
}

static uint32_t bits_shifted(uint32_t x, int32_t by)
{
    return by >= 0 ? x << (by & 31) : x >> ((0u - (uint32_t)by) & 31);
}

static void shift_lane(struct sfpu_model *m, const struct sfpu_insn *i, unsigned lane)
{
    bool by_imm = i->mod == 6;
    if (i->mod <= 2) { // L0 … L3 move down
        uint32_t last = 0;
        if (i->mod == 1 && lane < 24)
            last = sfpu_get(m, 0, lane + 8);
        if (i->mod == 2)
            last = beside(m, i->vc, lane);
        for (unsigned reg = 0; reg < 3; reg++)
            sfpu_put(m, reg, lane, sfpu_get(m, reg + 1, lane), i->mod == 2);
        sfpu_put(m, 3, lane, last, i->mod == 2);
    } else if (i->mod == 3) {
        sfpu_put(m, i->vd, lane, beside(m, i->vc, lane), true);
    } else if (i->mod == 4) {
        uint32_t x = lane & 7 ? beside(m, i->vc, lane) : left_over(m, lane);
        sfpu_put(m, i->vd, lane, x, true);
    } else {
        int32_t imm = (int32_t)(i->imm & 0xfff) - (i->imm & 0x800 ? 0x1000 : 0);
        unsigned vb = by_imm && !(i->scheduled && i->vb_loaded) ? i->imm & 15 : i->vb;
        int32_t by = by_imm ? imm : (int32_t)sfpu_get(m, i->vc, lane);
        sfpu_put(m, i->vd, lane, bits_shifted(sfpu_get(m, vb, lane), by), false);
    }
}

static void shift2(struct sfpu_model *m, const struct sfpu_insn *i)
{
    if (i->mod > 6) {
        sfpu_undefined(m, "SFPSHFT2 in no mode");
        return;
    }
    bool rotates = i->mod == 2 || i->mod == 3;
    m->rotates |= rotates || i->mod == 4;
    if (i->mod >= 4 && i->vd >= 8 && i->vd != 16)
        return;
    for (unsigned lane = 0; lane < SFPU_LANES; lane++)
        if (m->enabled[lane] && sfpu_runs(m, i, lane))
            shift_lane(m, i, lane);
    if (rotates && i->vd < 12) {
        for (unsigned lane = 0; lane < SFPU_LANES; lane++)
            m->rotated[lane] = sfpu_get(m, i->vc, lane);
        m->rotated_known = true;
    }
}

static void stochastic_round(struct sfpu_model *m, const struct sfpu_insn *i)
{
    static const uint32_t max[8] = {0, 0, 255, 127, 0, 0, 65535, 32767};
    unsigned mod = i->mod & 7, rounding = m->blackhole ? i->rounding : i->rounding & 1;
    bool above = m->fault == SFPU_FAULT_ROUND;
    for (unsigned lane = 0; lane < SFPU_LANES; lane++) {
        if (!m->enabled[lane] || !sfpu_runs(m, i, lane))
            continue;
        uint32_t bits = sfpu_random(m, lane) & 0x7fffff, x;
        if (rounding != 1)
            bits = rounding == 0 ? 0x400000 : 0x7fffff;
        uint32_t c = sfpu_get(m, i->vc, lane);
        if (mod < 2) {
            x = sfpu_float_to_float(c, mod == 1, bits, above);
        } else if (mod == 4 || mod == 5) {
            unsigned by = i->mod & 8 ? i->imm & 31 : sfpu_get(m, i->vb, lane) & 31;
            x = sfpu_int_to_int(c, mod == 5, by, bits, above);
        } else {
            x = sfpu_float_to_int(c, mod & 1, max[mod], bits, above);
        }
        sfpu_put(m, i->vd, lane, x, false);
    }
    if (rounding > 2)
        sfpu_undefined(m, "SFPSTOCHRND with a reserved rounding");
}

void sfpu_round(struct sfpu_model *m, const struct sfpu_insn *i)
{
    if (i->op == SFPU_SHFT2)
        shift2(m, i);
    else
        stochastic_round(m, i);
}
