// SPDX-License-Identifier: Apache-2.0
// The load and store sub-units: Dst in every format mode, its addresses, RWCs.
// Pages: SFPLOAD.md, SFPLOADI.md, SFPSTORE.md, Dst.md of both chips; RWCs.md.
#include "oracle/sfpu_model.h"

enum { BY_SRCB, FP16, BF16, FP32, INT32, INT8, UINT16, HI16, INT16, LO16, INT32_ALL, ZERO };
enum { INT32_SM = 12, INT8_COMP, LO16_ONLY, HI16_ONLY };

// ---------------------------------------------------------------- Dst

static unsigned row16(const struct sfpu_model *m, unsigned row)
{
    if (m->config.remap)
        row = (row & 0x3c7) ^ (row & 0x030) >> 1 ^ (row & 0x008) << 2;
    return row;
}

static unsigned row32(const struct sfpu_model *m, unsigned row)
{
    row = row16(m, row);
    if (m->config.swizzle)
        row = (row & 0x3f3) ^ (row & 0x018) >> 1 ^ (row & 0x004) << 1;
    return (row & 0x1f8) << 1 | (row & 0x207);
}

static uint16_t *at16(struct sfpu_model *m, unsigned row, unsigned column)
{
    return &m->dst[row16(m, row)][column];
}

static uint32_t get32(const struct sfpu_model *m, unsigned row, unsigned column)
{
    unsigned high = row32(m, row);
    return (uint32_t)m->dst[high][column] << 16 | m->dst[high + 8][column];
}

static void put32(struct sfpu_model *m, unsigned row, unsigned column, uint32_t value)
{
    unsigned high = row32(m, row);
    m->dst[high][column] = (uint16_t)(value >> 16);
    m->dst[high + 8][column] = (uint16_t)value;
}

// Sign, exponent, mantissa from and to sign, mantissa, exponent.
static uint32_t decode(uint32_t x, unsigned exponent_bits)
{
    unsigned mantissa_bits = 15 - exponent_bits;
    uint32_t exponent = x & ((1u << exponent_bits) - 1), mantissa = (x & 0x7fff) >> exponent_bits;
    return (x & 0x8000) | exponent << mantissa_bits | mantissa;
}

static uint32_t encode(uint32_t x, unsigned exponent_bits)
{
    return decode(x, 15 - exponent_bits); // the same exchange the other way
}

static uint32_t decode32(uint32_t x)
{
    return decode(x >> 16, 8) << 16 | (x & 0xffff);
}

static uint32_t encode32(uint32_t x)
{
    return encode(x >> 16, 8) << 16 | (x & 0xffff);
}

// Whether this cycle's load and its store meet in a row.
bool sfpu_rows_meet(const struct sfpu_model *m)
{
    for (unsigned i = 0; i < 16 && m->loads && m->stores; i++) {
        unsigned in = m->loads - 1u + i / 4, out = m->stores - 1u + i % 4;
        unsigned a = m->loads_wide ? row32(m, in) : row16(m, in);
        unsigned b = m->stores_wide ? row32(m, out) : row16(m, out);
        bool same = a == b || (m->loads_wide && a + 8 == b) || (m->stores_wide && b + 8 == a);
        if (same)
            return true;
    }
    return false;
}

// ---------------------------------------------------------------- conversions

static uint32_t from_fp16(uint32_t x, bool infinite)
{
    uint32_t sign = (x & 0x8000) << 16, exponent = x & 31, mantissa = x >> 5 & 0x3ff;
    if (infinite && exponent == 31 && mantissa == 0x3ff)
        return sign | 0x7f800000;
    return sign | (exponent ? exponent + 112 : 0) << 23 | mantissa << 13;
}

static uint32_t sign_and(uint32_t sixteen, uint32_t magnitude)
{
    return (sixteen & 0x8000) << 16 | magnitude;
}

static uint32_t negated(uint32_t x) // sign and magnitude to two's complement
{
    return x >> 31 ? 0u - (x & 0x7fffffff) : x;
}

static uint32_t to_fp16(uint32_t x)
{
    uint32_t sign = x >> 16 & 0x8000, exponent = x >> 23 & 255;
    if (exponent <= 112)
        return sign;
    if (exponent > 143)
        return sign | 0x7fff;
    return sign | (exponent - 112) << 10 | (x >> 13 & 0x3ff);
}

static uint32_t flushed(uint32_t x)
{
    return x & 0x7f800000 ? x : x & 0x80000000u;
}

static uint32_t to_sign_magnitude(uint32_t x)
{
    return x >> 31 ? 0x80000000u | ((0u - x) & 0x7fffffff) : x;
}

static uint32_t to_int8(uint32_t x)
{
    return (x >> 16 & 0x8000) | 16u << 10 | (x & 0x3ff);
}

static unsigned resolved(const struct sfpu_model *m, const struct sfpu_insn *i)
{
    unsigned bank = m->config.thread[i->thread].bank;
    if (i->mod != BY_SRCB)
        return i->mod;
    if (m->config.bank[bank].fp32)
        return FP32;
    unsigned format = m->config.bank[bank].srcb;
    if (m->config.bank[bank].override)
        format = m->config.bank[bank].override_srcb;
    if (m->blackhole && m->config.thread[i->thread].format_on)
        format = m->config.thread[i->thread].format;
    // FP32, TF32, BF16, BFP8, BFP4, BFP2, INT32, INT16
    return 0x83f1u >> format & 1 ? BF16 : FP16;
}

static bool is_wide(unsigned mode)
{
    return mode == FP32 || mode == INT32 || mode == INT32_ALL || mode == INT32_SM;
}

// ---------------------------------------------------------------- addresses

static void apply_addr_mod(struct sfpu_model *m, const struct sfpu_insn *i)
{
    struct sfpu_rwc *r = &m->rwc[i->thread];
    unsigned index = i->addr_mod;
    if (!m->blackhole && (r->extra || m->config.thread[i->thread].mod_set))
        index += 4;
    const struct sfpu_addr_mod *a = &m->config.thread[i->thread].mod[index];
    if (a->srca_clear)
        r->srca = r->srca_cr = 0;
    else if (a->srca_cr)
        r->srca = r->srca_cr = (r->srca_cr + a->srca_incr) & 63;
    else
        r->srca = (r->srca + a->srca_incr) & 63;
    if (a->srcb_clear)
        r->srcb = r->srcb_cr = 0;
    else if (a->srcb_cr)
        r->srcb = r->srcb_cr = (r->srcb_cr + a->srcb_incr) & 63;
    else
        r->srcb = (r->srcb + a->srcb_incr) & 63;
    if (a->dst_clear) {
        r->dst = r->dst_cr = 0;
    } else if (a->dst_c_to_cr) {
        r->dst = r->dst_cr = (r->dst + a->dst_incr) & 1023;
    } else if (a->dst_cr) {
        uint16_t from = m->fault == SFPU_FAULT_CARRIAGE ? r->dst : r->dst_cr;
        r->dst = r->dst_cr = (from + a->dst_incr) & 1023;
    } else {
        r->dst = (r->dst + a->dst_incr) & 1023;
    }
    if (m->blackhole)
        return;
    if (a->bias_clear)
        r->extra = 0;
    else if (a->bias_incr & 3)
        r->extra ^= 1;
}

static unsigned address_of(struct sfpu_model *m, const struct sfpu_insn *i, unsigned mode)
{
    struct sfpu_rwc *r = &m->rwc[i->thread];
    unsigned at = i->imm + m->config.thread[i->thread].offset, dst = r->dst;
    unsigned base = m->config.bank[m->config.thread[i->thread].bank].sp_base;
    uint16_t incr = m->config.thread[i->thread].stack_incr;
    if (!m->blackhole)
        return (at + (mode == INT32_ALL ? dst & 3 : dst)) & 1023;
    if (mode != INT32_ALL)
        return (at + dst + ((r->sp + base) & 3)) & 1023;
    if (i->op != SFPU_STORE && r->sp != 0)
        r->sp = (r->sp - incr) & 1023;
    at += r->sp + base + (dst & 3);
    if (i->op == SFPU_STORE)
        r->sp = (r->sp + incr) & 1023;
    return at & 1023;
}

static unsigned column_of(const struct sfpu_model *m, unsigned address, unsigned lane,
                          uint32_t odd_bit)
{
    if (m->fault == SFPU_FAULT_COLUMN)
        odd_bit = SFPU_READ_ODD;
    return (lane & 7) * 2 + (address & 2 || m->lane_config[lane & 7] & odd_bit);
}

static unsigned row_of(unsigned address, unsigned lane)
{
    return ((address & 0x3fc) + lane / 8) & 1023;
}

// ---------------------------------------------------------------- SFPLOAD

static uint32_t loaded(struct sfpu_model *m, unsigned mode, unsigned row, unsigned column,
                       uint32_t old, bool infinite)
{
    uint32_t x = *at16(m, row, column), wide = decode32(get32(m, row, column));
    switch (mode) {
    case FP16:
        return from_fp16(x, infinite);
    case BF16:
        return decode(x, 8) << 16;
    case FP32:
    case INT32:
    case INT32_ALL:
        return wide;
    case INT32_SM:
        return m->blackhole ? wide : negated(wide);
    case INT8: {
        uint32_t bits = m->blackhole ? 0xff : 0x7f;
        return sign_and(x, x >> 5 & (m->fault == SFPU_FAULT_INT8 ? bits >> 1 : bits));
    }
    case INT8_COMP: {
        uint32_t value = sign_and(x, x >> 5 & 0x3ff);
        return m->blackhole ? value : negated(value);
    }
    case LO16_ONLY:
        return (old & 0xffff0000) | x;
    case HI16_ONLY:
        return x << 16 | (old & 0xffff);
    case INT16:
        return sign_and(x, x & 0x7fff);
    case UINT16:
    case LO16:
        return x;
    case HI16:
        return x << 16;
    default:
        return 0; // ZERO
    }
}

void sfpu_load(struct sfpu_model *m, const struct sfpu_insn *i, uint16_t *address)
{
    unsigned mode = resolved(m, i), at = address_of(m, i, mode);
    if (is_wide(mode) && at >= 512)
        sfpu_undefined(m, "a 32-bit row of Dst from 512 on");
    *address = (uint16_t)at;
    m->loads = (uint16_t)((at & 0x3fc) + 1);
    m->loads_wide = is_wide(mode);
    for (unsigned lane = 0; lane < SFPU_LANES && i->vd < 8; lane++) {
        uint32_t how = m->lane_config[lane];
        if (how & SFPU_BLOCK_READ || (!m->enabled[lane] && mode != INT32_ALL))
            continue;
        unsigned row = row_of(at, lane), column = column_of(m, at, lane, SFPU_READ_ODD);
        bool keeps = mode == LO16_ONLY || mode == HI16_ONLY;
        uint32_t old = keeps ? sfpu_get(m, i->vd, lane) : 0;
        uint32_t value = loaded(m, mode, row, column, old, how & SFPU_FP16A_INF);
        sfpu_put(m, i->vd, lane, value, false);
        if (i->vd < 4 && how & SFPU_DEST_INDEX && how & SFPU_CAPTURE_INDEX)
            sfpu_put(m, i->vd + 4u, lane, row << 4 | column, false);
    }
    apply_addr_mod(m, i);
}

void sfpu_load_immediate(struct sfpu_model *m, const struct sfpu_insn *i)
{
    uint32_t imm = i->imm;
    for (unsigned lane = 0; lane < SFPU_LANES && i->vd < 8; lane++) {
        if (!m->enabled[lane])
            continue;
        uint32_t x = 0;
        switch (i->mod) {
        case 0:
            x = imm << 16;
            break;
        case 1:
            x = (imm & 0x8000) << 16 | ((imm >> 10 & 31) + 112) << 23 | (imm & 0x3ff) << 13;
            break;
        case 2:
            x = imm;
            break;
        case 4:
            x = imm & 0x8000 ? imm | 0xffff0000 : imm;
            break;
        case 8:
            x = imm << 16 | (sfpu_get(m, i->vd, lane) & 0xffff);
            break;
        case 10:
            x = imm | (sfpu_get(m, i->vd, lane) & 0xffff0000);
            break;
        default:
            sfpu_undefined(m, "SFPLOADI in no mode");
        }
        sfpu_put(m, i->vd, lane, x, false);
    }
}

// ---------------------------------------------------------------- SFPSTORE

static void stored(struct sfpu_model *m, unsigned mode, unsigned row, unsigned column, uint32_t x)
{
    uint16_t *narrow = at16(m, row, column);
    switch (mode) {
    case FP16:
        *narrow = (uint16_t)encode(to_fp16(x), 5);
        break;
    case BF16:
        *narrow = (uint16_t)encode(flushed(x) >> 16, 8);
        break;
    case FP32: // both chips flush, whatever Wormhole's page says (docs/arithmetic.md)
        put32(m, row, column, encode32(flushed(x)));
        break;
    case INT32:
    case INT32_ALL:
        put32(m, row, column, encode32(x));
        break;
    case INT32_SM:
        put32(m, row, column, encode32(m->blackhole ? x : to_sign_magnitude(x)));
        break;
    case INT8:
        *narrow = (uint16_t)encode(to_int8(x), 5);
        break;
    case INT8_COMP:
        *narrow = (uint16_t)encode(to_int8(m->blackhole ? x : to_sign_magnitude(x)), 5);
        break;
    case LO16_ONLY:
    case UINT16:
        *narrow = (uint16_t)x;
        break;
    case HI16_ONLY:
        *narrow = (uint16_t)(x >> 16);
        break;
    case INT16:
        *narrow = (uint16_t)((x >> 16 & 0x8000) | (x & 0x7fff));
        break;
    case LO16:
        put32(m, row, column, x << 16 | x >> 16);
        break;
    case HI16:
        put32(m, row, column, x);
        break;
    default: // ZERO
        *narrow = 0;
    }
}

void sfpu_store(struct sfpu_model *m, const struct sfpu_insn *i)
{
    unsigned mode = resolved(m, i), at = i->scheduled ? i->address : address_of(m, i, mode);
    bool wide = is_wide(mode) || mode == LO16 || mode == HI16;
    if (wide && at >= 512)
        sfpu_undefined(m, "a 32-bit row of Dst from 512 on");
    m->stores = (uint16_t)((at & 0x3fc) + 1);
    m->stores_wide = wide;
    for (unsigned lane = 0; lane < SFPU_LANES; lane++) {
        if (m->lane_config[lane] & SFPU_BLOCK_WRITE || !sfpu_runs(m, i, lane))
            continue;
        if (!m->enabled[lane] && mode != INT32_ALL)
            continue;
        unsigned row = row_of(at, lane), column = column_of(m, at, lane, SFPU_WRITE_ODD);
        stored(m, mode, row, column, sfpu_get(m, i->vd, lane));
    }
    if (!i->scheduled)
        apply_addr_mod(m, i);
}
