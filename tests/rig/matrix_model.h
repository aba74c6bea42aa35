// SPDX-License-Identifier: Apache-2.0
// A second, naive reading of the pages: the matrix unit's rows, banks, counters and valid bits as
// the functional models have them. Datums are in the pages' order here (sign, mantissa, exponent),
// and operands are taken out of the word where the pages and tt-llk have them; the arithmetic of an
// element is the library's. Pages: RWCs.md, SETRWC.md, INCRWC.md, ZEROACC.md, ZEROSRC.md,
// CLEARDVALID.md, MOVA2D.md, MOVB2D.md, MOVD2A.md, MOVD2B.md, MOVB2A.md, SHIFTXA.md, SHIFTXB.md,
// TRNSPSRCB.md, ELWADD.md, ELWMUL.md, MVMUL.md, GMPOOL.md, Dst.md.
#ifndef TESSERA_TESTS_MATRIX_MODEL_H
#define TESSERA_TESTS_MATRIX_MODEL_H

#include "rig/matrix_rig.h"

#include "numerics/fpu.h"

enum { DST = 1024, A = TSR_SRCA, B = TSR_SRCB };

// ---------------------------------------------------------------- the model's state

struct section { // of ADDR_MOD
    unsigned incr[2], cr[2], clear[2];
    unsigned dst_incr, dst_cr, dst_c_to_cr, dst_clear, fid_incr, fid_clear, bias_incr, bias_clear;
};

struct model {
    int arch;
    uint16_t dst[DST][16];
    bool valid[DST];
    uint32_t src[2][2][64][16]; // canonical order, to compare; see page() and canon()
    bool owns[2][2];
    unsigned bank[2], unpack_bank[2], tag[2][2];
    unsigned ctr[2], cr[2], dst_ctr, dst_cr, fidelity, extra;
    struct section section[8];
    unsigned set_base, fidelity_base, math, force, fp32, int8, keep_denormals, configured[2],
        implied_off[2], keep_dvalid[2], absolute, dest_format;
    unsigned blocked; // columns, by LaneConfig
    unsigned shifted; // row of SrcA that SHIFTXA will begin at
    uint32_t w;       // the instruction
};

static unsigned bits(const struct model *m, unsigned first, unsigned width)
{
    return m->w >> first & ((1u << width) - 1);
}

static uint32_t page(uint32_t c)
{
    return (c & 0x40000) | (c & 0x3ff) << 8 | (c >> 10 & 0xff);
}

static uint32_t canon(uint32_t p)
{
    return (p & 0x40000) | (p & 0xff) << 10 | (p >> 8 & 0x3ff);
}

static unsigned adj32(unsigned row)
{
    return (row & 0x1f8) << 1 | (row & 0x207);
}

static void set16(struct model *m, unsigned row, unsigned column, uint32_t value)
{
    m->dst[row & 1023][column] = (uint16_t)value;
}

static void set32(struct model *m, unsigned row, unsigned column, uint32_t value)
{
    m->dst[adj32(row)][column] = (uint16_t)(value >> 16);
    m->dst[adj32(row) + 8][column] = (uint16_t)value;
}

static uint32_t get(const struct model *m, bool wide, unsigned row, unsigned column)
{
    unsigned at = wide ? adj32(row) : row;
    if (!m->valid[at])
        return 0;
    return wide ? (uint32_t)m->dst[at][column] << 16 | m->dst[at + 8][column] : m->dst[at][column];
}

// ---------------------------------------------------------------- counters

static void apply_addr_mod(struct model *m)
{
    unsigned op = m->w >> 24;
    unsigned index = m->arch == WH ? bits(m, 15, 2) : bits(m, 14, 3);
    if (m->arch == BH && (op == 0x33 || op == 0x34))
        index = bits(m, 15, 3);
    if (m->arch == WH && (m->extra || m->set_base))
        index += 4;
    const struct section *s = &m->section[index];
    for (int i = 0; i < 2; i++)
        if (s->clear[i])
            m->ctr[i] = 0, m->cr[i] = 0;
        else if (s->cr[i])
            m->cr[i] = (m->cr[i] + s->incr[i]) % 64, m->ctr[i] = m->cr[i];
        else
            m->ctr[i] = (m->ctr[i] + s->incr[i]) % 64;
    if (s->dst_clear)
        m->dst_ctr = 0, m->dst_cr = 0;
    else if (s->dst_c_to_cr)
        m->dst_ctr = (m->dst_ctr + s->dst_incr) % 1024, m->dst_cr = m->dst_ctr;
    else if (s->dst_cr)
        m->dst_cr = (m->dst_cr + s->dst_incr) % 1024, m->dst_ctr = m->dst_cr;
    else
        m->dst_ctr = (m->dst_ctr + s->dst_incr) % 1024;
    m->fidelity = s->fid_clear ? 0 : (m->fidelity + s->fid_incr) % 4;
    if (s->bias_clear)
        m->extra = 0;
    else if (s->bias_incr & 3)
        m->extra = (m->extra + 1) % 2;
}

static void flip(struct model *m, unsigned sides, bool heed_disable, bool keep_reading)
{
    for (int side = A; side <= B; side++) {
        if (!(sides >> side & 1))
            continue;
        if (!heed_disable || !m->keep_dvalid[side])
            m->owns[side][m->bank[side]] = false;
        if (!keep_reading)
            m->bank[side] ^= 1;
    }
}

static void setrwc(struct model *m)
{
    for (unsigned i = 0; i < 2; i++) {
        unsigned value = bits(m, 6 + 4 * i, 4) + (bits(m, 18 + i, 1) ? m->cr[i] : 0);
        if (bits(m, i, 1))
            m->ctr[i] = m->cr[i] = value % 64;
    }
    if (bits(m, 2, 1) || bits(m, 21, 1)) {
        unsigned value = bits(m, 14, 4);
        if (bits(m, 21, 1))
            value += m->dst_ctr;
        else if (bits(m, 20, 1))
            value += m->dst_cr;
        m->dst_ctr = m->dst_cr = value % 1024;
    }
    if (bits(m, 3, 1))
        m->fidelity = 0;
    flip(m, bits(m, 22, 2), true, false);
}

static void incrwc(struct model *m)
{
    for (unsigned i = 0; i < 2; i++)
        if (bits(m, 18 + i, 1))
            m->cr[i] = (m->cr[i] + bits(m, 6 + 4 * i, 4)) % 64, m->ctr[i] = m->cr[i];
        else
            m->ctr[i] = (m->ctr[i] + bits(m, 6 + 4 * i, 4)) % 64;
    if (bits(m, 20, 1))
        m->dst_cr = (m->dst_cr + bits(m, 14, 4)) % 1024, m->dst_ctr = m->dst_cr;
    else
        m->dst_ctr = (m->dst_ctr + bits(m, 14, 4)) % 1024;
}

// ---------------------------------------------------------------- clearing

static void zeroacc(struct model *m)
{
    bool wh = m->arch == WH;
    unsigned mode = bits(m, 19, 2), imm = bits(m, 0, 10), offset = (m->math + m->dst_ctr) % 1024;
    bool wide = wh ? bits(m, 21, 1) : bits(m, 18, 1), valid = !wh && bits(m, 17, 1);
    if (mode == 0) {
        unsigned row = (imm + offset) % 1024;
        m->valid[m->fp32 || m->int8 ? adj32(row) : row] = valid;
    } else if (mode == 1) {
        imm &= 0xff;
        if (!wh && !m->absolute && offset & (wide ? 768 : 512))
            imm += wide ? 16 : 32;
        for (unsigned i = 0; i < 16; i++)
            if (wide && imm < 32)
                m->valid[imm * 32 + (i & 8) * 2 + (i & 7)] = valid;
            else if (!wide && imm < 64)
                m->valid[imm * 16 + i] = valid;
    } else {
        for (unsigned i = 0; i < DST; i++)
            if (mode == 3 || i / 512 == (imm & 1))
                m->valid[i] = valid;
    }
    if (mode < 2)
        apply_addr_mod(m);
}

static void zerosrc(struct model *m)
{
    for (int side = A; side <= B; side++) {
        unsigned only = bits(m, 3, 1) ? m->bank[side] : m->unpack_bank[side];
        for (unsigned bank = 0; bank < 2; bank++)
            for (unsigned i = 0; i < 64 * 16; i++)
                if (bits(m, (unsigned)side, 1) && (bits(m, 2, 1) || bank == only))
                    m->src[side][bank][i / 16][i % 16] = side == A && bits(m, 4, 1) ? 0x7ffff : 0;
    }
}

// ---------------------------------------------------------------- moves

static unsigned format_of(const struct model *m, int side)
{
    if (m->arch == BH && !m->implied_off[side])
        return m->tag[side][m->bank[side]];
    return m->configured[side];
}

// SrcA's also for SrcB, unless its own bank has a tag; a bank of the unpackers has none.
static unsigned move_format(const struct model *m, int side)
{
    if (m->arch == WH || m->implied_off[side])
        return m->configured[A];
    return m->owns[side][m->bank[side]] ? m->tag[side][m->bank[side]] : m->dest_format;
}

static bool five_bits(unsigned format)
{
    return format == 1 || format == 2 || format == 3 || format == 10 || format == 11 ||
           format == 14;
}

static void move_to_dst(struct model *m, int side)
{
    bool wh = m->arch == WH, col0 = false, one_row = false, low = bits(m, 23, 1);
    unsigned rows = bits(m, 13, 1) ? 8 : 1, modifier = bits(m, wh ? 12 : 11, 3);
    if (side == B) {
        col0 = modifier & 1;
        one_row = modifier & 2;
        rows = one_row ? 8 : modifier & 4 ? 4 : 1;
    }
    unsigned format = move_format(m, side), of_b = format_of(m, B);
    bool eight = !m->force && !five_bits(format);
    bool wide = side == B && m->fp32 && !wh; // as cards do (docs/errata.md, 311)
    unsigned dst = (bits(m, 0, 10) + m->math + m->dst_ctr) & (0x400 - rows);
    unsigned src = (bits(m, 17, 6) + m->ctr[side]) & (one_row ? 63 : 64 - rows);
    for (unsigned i = 0; i < rows * 16; i++) {
        unsigned row = dst + i / 16, column = i % 16;
        uint32_t x =
            page(m->src[side][m->bank[side]][src + (one_row ? 0 : i / 16)][col0 ? 0 : column]);
        if (!m->keep_denormals && !(x & 0xff))
            x = 0;
        if (side == B && !m->force && of_b != 4) // not on the page
            x &= five_bits(of_b) ? ~0xe0u : ~0x700u;
        uint32_t v = eight ? (x & 1 << 18) >> 3 | (x & 0x7f << 11) >> 3 | (x & 0xff)
                           : (x & 1 << 18) >> 3 | (x & 0x3ff << 8) >> 3 | (x & 0x1f);
        if (m->blocked >> column & 1)
            ; // LaneConfig's BLOCK_DEST_MOV
        else if (format == 4)
            set32(m, row, column, v << 16 | (x >> 8 & 7) << 13 | (low ? v : 0));
        else if (low)
            set32(m, row, column, (get(m, true, row, column) & 0xffff0000) | v);
        else if (wide)
            set32(m, row, column, v << 16);
        else
            set16(m, row, column, v);
        if (column == 15)
            m->valid[format == 4 || low || wide ? adj32(row) : row] = true;
    }
    apply_addr_mod(m);
}

static void move_to_src(struct model *m, int side)
{
    bool wide = !m->force && (m->fp32 || m->int8), low = bits(m, 23, 1);
    unsigned rows = bits(m, 13, 1) ? 4 : 1, format = move_format(m, side);
    unsigned dst = (bits(m, 0, 10) + m->math + m->dst_ctr) & (0x400 - rows);
    unsigned src = (bits(m, 17, 6) + m->ctr[side]) & (64 - rows);
    bool fp16 = m->force || five_bits(format);
    for (unsigned i = 0; i < rows * 16; i++) {
        uint32_t d = get(m, wide, dst + i / 16, i % 16), x, t;
        if (!wide)
            d <<= 16; // and the low half is not asked for, whatever the flag says
        else if (low)
            d = d << 16 | (d & 0xffff);
        t = d >> 13;
        if (fp16)
            x = (d >> 16 & 0xffe0) << 3 | (d >> 16 & 0x1f);
        else if (format != 4 || !wide)
            x = (d >> 16 & 0xff00) << 3 | (d >> 16 & 0xff);
        else if (!low)
            x = (t & 0x7f800) | (t & 7) << 8 | (t & 0x7f8) >> 3;
        else
            x = d & 0x1fff;
        if (!(m->blocked >> i % 16 & 1))
            m->src[side][m->bank[side]][src + i / 16][i % 16] = canon(x);
    }
    apply_addr_mod(m);
}

static void movb2a(struct model *m)
{
    unsigned rows = bits(m, 13, 1) ? 4 : 1;
    unsigned to = (bits(m, 17, 6) + m->ctr[A]) & (64 - rows);
    unsigned from = (bits(m, 0, 6) + m->ctr[B]) & (64 - rows);
    for (unsigned i = 0; i < rows * 16; i++) {
        uint32_t x = page(m->src[B][m->bank[B]][from + i / 16][i % 16]);
        if (!m->keep_denormals && !(x & 0xff))
            x = 0;
        if (!(m->blocked >> i % 16 & 1))
            m->src[A][m->bank[A]][to + i / 16][i % 16] = canon(x);
    }
    apply_addr_mod(m);
}

static void shiftxb(struct model *m)
{
    uint32_t *row = m->src[B][m->bank[B]][(bits(m, 0, 6) + m->ctr[B]) & 63], first = row[0];
    memmove(row, row + 1, 15 * sizeof *row);
    row[15] = bits(m, 10, 1) ? 0 : first;
    apply_addr_mod(m);
}

static void shiftxa(struct model *m)
{
    uint32_t(*a)[16] = m->src[A][m->bank[A]];
    for (unsigned i = 0; i < 16; i++) {
        uint32_t in[18] = {0};
        memcpy(in + 1, a[(m->shifted & 0x30) + i], 16 * sizeof *in);
        memcpy(a[i], bits(m, 0, 2) == 3 ? in + 2 : in, 16 * sizeof *in);
    }
}

static void trnspsrcb(struct model *m)
{
    uint32_t old[16][16], (*rows)[16] = &m->src[B][m->bank[B]][16];
    memcpy(old, rows, sizeof old);
    for (unsigned i = 0; i < 256; i++)
        rows[i / 16][i % 16] = old[i % 16][i / 16];
}

// ---------------------------------------------------------------- arithmetic

static tsr_fpu_mode mode_of(const struct model *m, unsigned *a, unsigned *b)
{
    *a = m->force ? 1 : format_of(m, A);
    *b = m->force ? 1 : format_of(m, B);
    return (tsr_fpu_mode){.arch = (tsr_arch)m->arch,
                          .e8 = !five_bits(*a),
                          .acc32 = !m->force && (m->fp32 || m->int8),
                          .phase = (uint8_t)((m->fidelity + m->fidelity_base) & 3)};
}

static uint32_t acc_of(const struct model *m, const tsr_fpu_mode *mode, unsigned row, unsigned c)
{
    uint32_t d = get(m, mode->acc32, row, c);
    if (mode->acc32)
        return tsr_dst_decode_fp32(d);
    if (mode->e8)
        return (uint32_t)tsr_dst_decode_bf16((uint16_t)d) << 16;
    uint32_t half = tsr_dst_decode_fp16((uint16_t)d);
    return (half & 0x8000) << 16 | (half & 0x7fff) << 13;
}

static void put_acc(struct model *m, const tsr_fpu_mode *mode, unsigned row, unsigned c, uint32_t v)
{
    if (mode->acc32)
        set32(m, row, c, tsr_dst_encode_fp32(v));
    else if (mode->e8)
        set16(m, row, c, tsr_dst_encode_bf16((uint16_t)(v >> 16)));
    else
        set16(m, row, c,
              tsr_dst_encode_fp16((uint16_t)(v >> 16 & 0x8000) | (uint16_t)(v >> 13 & 0x7fff)));
}

static int32_t int8_of(uint32_t datum, uint32_t mask, bool flush)
{
    uint32_t x = page(datum) & mask;
    if (flush && !(x & 0xff))
        return 0;
    return x >> 18 ? -(int32_t)(x >> 8 & 0x3ff) : (int32_t)(x >> 8 & 0x3ff);
}

static int32_t int8_product(const struct model *m, unsigned phase, uint32_t a, uint32_t b)
{
    return int8_of(a, phase & 1 ? 0x41fff : 0x4e0ff, true) *
           int8_of(b, phase & 2 ? 0x40fff : 0x7f0ff, !m->keep_denormals);
}

static void put_sum(struct model *m, unsigned row, unsigned column, bool add_dst, int32_t term)
{
    uint32_t d = tsr_dst_decode_fp32(get(m, true, row, column));
    int64_t sum = term;
    if (add_dst)
        sum += d >> 31 ? -(int64_t)(d & 0x7fffffff) : (int64_t)d;
    sum = sum > 0x7fffffff ? 0x7fffffff : sum < -0x7fffffff ? -0x7fffffff : sum;
    set32(m, row, column,
          tsr_dst_encode_fp32(sum < 0 ? 0x80000000u | (uint32_t)-sum : (uint32_t)sum));
}

static void elementwise(struct model *m, unsigned op)
{
    unsigned fa, fb, col0 = bits(m, 19, 1), one_row = bits(m, 20, 1);
    tsr_fpu_mode mode = mode_of(m, &fa, &fb);
    unsigned a_row = m->ctr[A] & 0x38, b_row = m->ctr[B] & (one_row ? 0x3f : 0x38);
    unsigned dst = (bits(m, 0, 10) + m->math + m->dst_ctr) & 0x3f8;
    bool flush = !m->keep_denormals, add_dst = bits(m, 21, 1);
    for (unsigned i = 0; i < 8 * 16; i++) {
        unsigned r = i / 16, c = i % 16;
        uint32_t a = m->src[A][m->bank[A]][a_row + r][c];
        uint32_t b = m->src[B][m->bank[B]][b_row + (one_row ? 0 : r)][col0 ? 0 : c];
        b ^= op == 0x30 ? 1u << 18 : 0;
        if (m->int8 && !m->force) {
            int32_t sum = int8_of(a, 0x7ffff, true) + int8_of(b, 0x7ffff, flush);
            put_sum(m, dst + r, c, add_dst || op == 0x27,
                    op == 0x27 ? int8_product(m, mode.phase, a, b) : sum);
        } else {
            a = tsr_fpu_operand((uint8_t)fa, a);
            b = tsr_fpu_operand((uint8_t)fb, b);
            uint32_t d = acc_of(m, &mode, dst + r, c);
            put_acc(m, &mode, dst + r, c,
                    op == 0x27 ? tsr_fpu_mul(&mode, d, a, b, flush)
                               : tsr_fpu_add(&mode, add_dst, d, a, b, flush));
        }
        if (c == 15)
            m->valid[mode.acc32 ? adj32(dst + r) : dst + r] = true;
    }
    flip(m, bits(m, 22, 2), true, false);
    apply_addr_mod(m);
}

static void multiply(struct model *m, unsigned op)
{
    bool broadcast = op == 0x26 && bits(m, 19, 1);
    unsigned fa, fb, rows = op == 0x34 ? 4 : broadcast ? 7 : 8;
    tsr_fpu_mode mode = mode_of(m, &fa, &fb);
    unsigned a_row = m->ctr[A] & 0x38, b_row = m->ctr[B] & (broadcast ? 0x3f : 0x38);
    unsigned dst = (bits(m, 0, 10) + m->math + m->dst_ctr) & (0x400 - rows);
    for (unsigned i = 0; i < rows; i += broadcast ? 2 : 1) {
        for (unsigned c = 0; c < 16; c++) {
            uint32_t a[16], b[16];
            int32_t sum = 0;
            for (unsigned k = 0; k < 16; k++) {
                a[k] = m->src[A][m->bank[A]][(a_row + k) & 63][c]; // beyond 63: errata 39
                b[k] = m->src[B][m->bank[B]][b_row + (broadcast ? 0 : i)][k];
                sum += int8_product(m, mode.phase, a[k], b[k]);
                a[k] = tsr_fpu_operand((uint8_t)fa, a[k]);
                b[k] = tsr_fpu_operand((uint8_t)fb, b[k]);
            }
            if (m->int8 && !m->force)
                put_sum(m, dst + i, c, true, sum);
            else
                put_acc(m, &mode, dst + i, c,
                        tsr_fpu_dot16(&mode, acc_of(m, &mode, dst + i, c), a, b));
        }
        m->valid[mode.acc32 ? adj32(dst + i) : dst + i] = true;
    }
    flip(m, bits(m, 22, 2), true, false);
    apply_addr_mod(m);
}

#endif
