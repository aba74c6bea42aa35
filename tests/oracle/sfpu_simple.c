// SPDX-License-Identifier: Apache-2.0
// The simple sub-unit: integers, bits, fields of numbers, moves between registers.
// Pages: SFPABS.md … SFPXOR.md of the first column of SFPLOADMACRO.md's table, of both chips.
#include "oracle/sfpu_model.h"

static uint32_t shifted(uint32_t x, int32_t by, bool arithmetic)
{
    if (by >= 0)
        return x << (by & 31);
    unsigned right = (0u - (uint32_t)by) & 31;
    uint32_t fill = arithmetic && x >> 31 && right ? ~0u << (32 - right) : 0;
    return x >> right | fill;
}

static int32_t signed12(uint32_t imm)
{
    return (int32_t)(imm & 0xfff) - (imm & 0x800 ? 0x1000 : 0);
}

static uint32_t absolute(const struct sfpu_insn *i, uint32_t c)
{
    if (!(c >> 31))
        return c;
    if (i->mod & 1)
        return c > 0xff800000 ? c : c & 0x7fffffff;
    return 0u - c;
}

static uint32_t shift(const struct sfpu_model *m, const struct sfpu_insn *i, uint32_t b, uint32_t c)
{
    unsigned mod = i->mod;
    if (!m->blackhole)
        return shifted(b, mod & 1 ? signed12(i->imm) : (int32_t)c, false);
    if (mod & 1)
        return shifted(mod & 4 ? c : b, signed12(i->imm), mod & 2);
    return shifted(b, (int32_t)c, mod & 2);
}

static uint32_t cast(struct sfpu_model *m, const struct sfpu_insn *i, uint32_t c, unsigned lane)
{
    unsigned mod = i->mod & (m->blackhole ? 3 : 1);
    if (mod == 2)
        return c >> 31 ? 0u - c : c;
    if (mod == 3)
        return c >> 31 ? 0x80000000u | (0u - c) : c;
    return sfpu_int_to_float(c, mod ? (int)(sfpu_random(m, lane) >> 9) : -1);
}

static uint32_t approximate(const struct sfpu_insn *i, uint32_t b, uint32_t c)
{
    uint32_t sign = c & 0x80000000u, magnitude = c & 0x7fffffff;
    if (i->mod == 0)
        return sign | sfpu_reciprocal(magnitude);
    if (i->mod == 1)
        return b >> 31 ? sfpu_reciprocal(magnitude) : c;
    return sign | sfpu_exponential(magnitude);
}

static uint32_t leading_zeros(uint32_t c)
{
    uint32_t n = 0;
    while (n < 32 && !(c >> (31 - n) & 1))
        n++;
    return n;
}

static uint32_t with_exponent(const struct sfpu_insn *i, uint32_t b, uint32_t c)
{
    uint32_t exponent = i->mod & 1 ? i->imm : i->mod & 2 ? b >> 23 : b;
    return (c & 0x807fffff) | (exponent & 255) << 23;
}

static uint32_t divided(const struct sfpu_insn *i, uint32_t c)
{
    uint32_t exponent = c >> 23 & 255;
    if (!(i->mod & 1))
        exponent = i->imm;
    else if (exponent != 255)
        exponent += i->imm;
    return (c & 0x807fffff) | (exponent & 255) << 23;
}

// The result for one lane. Flags are set by what has it.
static uint32_t result(struct sfpu_model *m, const struct sfpu_insn *i, uint32_t b, uint32_t c,
                       unsigned lane)
{
    switch (i->op) {
    case SFPU_ABS:
        return absolute(i, c);
    case SFPU_AND:
        return b & c;
    case SFPU_OR:
        return b | c;
    case SFPU_XOR:
        return b ^ c;
    case SFPU_NOT:
        return ~c;
    case SFPU_ARECIP:
        return approximate(i, b, c);
    case SFPU_CAST:
        return cast(m, i, c, lane);
    case SFPU_DIVP2:
        return divided(i, c);
    case SFPU_EXEXP:
        return (c >> 23 & 255) - (i->mod & 1 ? 0 : 127);
    case SFPU_EXMAN:
        return (c & 0x7fffff) | (i->mod & 1 ? 0 : 0x800000);
    case SFPU_IADD:
        return i->mod & 1 ? c + (uint32_t)signed12(i->imm) : i->mod & 2 ? c - b : c + b;
    case SFPU_LZ:
        return leading_zeros(i->mod & 4 ? c & 0x7fffffff : c);
    case SFPU_SETEXP:
        return with_exponent(i, b, c);
    case SFPU_SETMAN:
        return (c & 0xff800000) | (i->mod & 1 ? (uint32_t)(i->imm & 0xfff) << 11 : b & 0x7fffff);
    case SFPU_SETSGN:
        return (c & 0x7fffffff) | (i->mod & 1 ? (uint32_t)(i->imm & 1) << 31 : b & 0x80000000u);
    case SFPU_SHFT:
        return shift(m, i, b, c);
    default:
        sfpu_undefined(m, "no instruction of the simple sub-unit");
        return 0;
    }
}

static void set_flag(struct sfpu_model *m, const struct sfpu_insn *i, uint32_t c, uint32_t value,
                     unsigned lane)
{
    bool *flag = &m->flags[lane];
    if (i->op == SFPU_IADD && !(i->mod & 4))
        *flag = value >> 31;
    if (i->op == SFPU_EXEXP && i->mod & 2)
        *flag = value >> 31;
    if (i->op == SFPU_LZ && i->mod & 2)
        *flag = (i->mod & 4 ? c & 0x7fffffff : c) != 0;
    if ((i->op == SFPU_IADD || i->op == SFPU_EXEXP || i->op == SFPU_LZ) && i->mod & 8)
        *flag = !*flag;
}

static bool reads_vb(const struct sfpu_model *m, const struct sfpu_insn *i)
{
    switch (i->op) {
    case SFPU_AND:
    case SFPU_OR:
    case SFPU_XOR:
        return true;
    case SFPU_ARECIP:
        return i->mod == 1;
    case SFPU_IADD:
    case SFPU_SETEXP:
    case SFPU_SETMAN:
    case SFPU_SETSGN:
        return !(i->mod & 1);
    case SFPU_SHFT:
        return !(m->blackhole && i->mod & 4 && i->mod & 1);
    default:
        return false;
    }
}

static bool reads_vc(const struct sfpu_model *m, const struct sfpu_insn *i)
{
    if (i->op != SFPU_SHFT)
        return true;
    return !(i->mod & 1) || (m->blackhole && i->mod & 4);
}

// Without SFPLOADMACRO VB is VD, but where the encoding has it.
static unsigned vb_of(const struct sfpu_model *m, const struct sfpu_insn *i)
{
    if (i->scheduled || i->op == SFPU_ARECIP)
        return i->vb;
    if (m->blackhole && (i->op == SFPU_AND || i->op == SFPU_OR) && i->mod & 1)
        return i->vb;
    return i->vd;
}

static void move(struct sfpu_model *m, const struct sfpu_insn *i)
{
    unsigned mod = i->mod & 11u;
    for (unsigned lane = 0; lane < SFPU_LANES; lane++) {
        if (i->vd >= 12 && !sfpu_runs(m, i, lane))
            continue;
        if (!m->enabled[lane] && mod != 2)
            continue;
        uint32_t x = 0;
        if (!(mod & 8))
            x = sfpu_get(m, i->vc, lane) ^ (mod & 1 ? 0x80000000u : 0);
        else if (i->vc < 4)
            x = m->macro[lane].instruction[i->vc];
        else if (i->vc < 8)
            x = m->macro[lane].sequence[i->vc - 4];
        else if (i->vc == 8)
            x = m->macro[lane].misc;
        else if (i->vc == 9)
            x = sfpu_random(m, lane);
        else if (i->vc == 15)
            x = m->lane_config[lane];
        sfpu_put(m, i->vd, lane, x, false);
    }
}

static bool min_in_lane(const struct sfpu_insn *i, unsigned lane)
{
    static const uint32_t rows[9] = {0, 15, 3, 5, 9, 1, 2, 4, 8};
    return i->mod < 9 && rows[i->mod] >> lane / 8 & 1;
}

static void swap(struct sfpu_model *m, const struct sfpu_insn *i)
{
    m->swapped = true;
    for (unsigned lane = 0; lane < SFPU_LANES; lane++) {
        if (!m->enabled[lane] || !sfpu_runs(m, i, lane))
            continue;
        uint32_t c = sfpu_get(m, i->vc, lane), d = sfpu_get(m, i->vd, lane);
        uint32_t how = m->lane_config[lane];
        bool swaps = true;
        if (i->mod != 0) {
            swaps = sfpu_smaller(c, d) == min_in_lane(i, lane);
            if (m->fault == SFPU_FAULT_SWAP_TIE && c == d)
                swaps = false;
            if (how & SFPU_EXCHANGE)
                swaps = !swaps;
        }
        m->swaps |= 1u << i->vc | 1u << i->vd;
        if (!swaps)
            continue;
        unsigned last = how & SFPU_DEST_INDEX ? 4 : 8;
        if (i->vc < last)
            sfpu_put(m, i->vc, lane, d, true);
        if (i->vd < last)
            sfpu_put(m, i->vd, lane, c, true);
        if (how & SFPU_DEST_INDEX) {
            unsigned to_c = 4 + (i->vc & 3), to_d = 4 + (i->vd & 3);
            uint32_t index_c = sfpu_get(m, to_c, lane), index_d = sfpu_get(m, to_d, lane);
            sfpu_put(m, to_c, lane, index_d, true);
            sfpu_put(m, to_d, lane, index_c, true);
            m->swaps |= 1u << to_c | 1u << to_d;
        }
    }
}

static void transpose(struct sfpu_model *m, const struct sfpu_insn *i)
{
    for (unsigned reg = 0; reg < 8; reg++)
        for (unsigned lane = 0; lane < SFPU_LANES; lane++) {
            unsigned base = reg & 4u, row = lane / 8, column = lane % 8;
            unsigned from = row, from_lane = (reg & 3) * 8 + column;
            bool on = m->enabled[m->fault == SFPU_FAULT_TRANSPOSE ? from_lane : lane];
            if (from == (reg & 3) || !sfpu_runs(m, i, lane))
                continue;
            if (on)
                sfpu_put(m, reg, lane, sfpu_get(m, base + from, from_lane), false);
        }
}

void sfpu_simple(struct sfpu_model *m, const struct sfpu_insn *i)
{
    switch (i->op) {
    case SFPU_MOV:
        move(m, i);
        return;
    case SFPU_SWAP:
        swap(m, i);
        return;
    case SFPU_TRANSP:
        transpose(m, i);
        return;
    case SFPU_CONFIG:
        sfpu_config_write(m, i);
        return;
    case SFPU_ENCC:
    case SFPU_SETCC:
    case SFPU_PUSHC:
    case SFPU_POPC:
    case SFPU_COMPC:
    case SFPU_GT:
    case SFPU_LE:
        sfpu_flags(m, i);
        return;
    default:
        break;
    }
    bool cast_draws = i->op == SFPU_CAST && (m->blackhole ? i->mod & 3 : i->mod & 1) == 1;
    if (i->vd >= 8 && i->vd != 16 && !cast_draws)
        return;
    for (unsigned lane = 0; lane < SFPU_LANES; lane++) {
        if (!m->enabled[lane] || !sfpu_runs(m, i, lane))
            continue;
        uint32_t c = reads_vc(m, i) ? sfpu_get(m, i->vc, lane) : 0;
        uint32_t b = reads_vb(m, i) ? sfpu_get(m, vb_of(m, i), lane) : 0;
        uint32_t value = result(m, i, b, c, lane);
        sfpu_put(m, i->vd, lane, value, false);
        if (i->vd < 8)
            set_flag(m, i, c, value, lane);
    }
}
