// SPDX-License-Identifier: Apache-2.0
// The rest of matrix_model.h: GMPOOL, and the instruction that a word is. Page: GMPOOL.md.
#ifndef TESSERA_TESTS_MATRIX_MODEL_RUN_H
#define TESSERA_TESTS_MATRIX_MODEL_RUN_H

#include "rig/matrix_model.h"

// ---------------------------------------------------------------- GMPOOL

enum style { INT8_S, FP16_S, BF16_S, TF32_S, INT32_S };

struct pooled {
    unsigned sign, exponent, man;
};

static struct pooled pool_dst(uint32_t d, enum style style)
{
    if (style == INT32_S)
        return (struct pooled){d >> 31, (d >> 10 & 0x3f) + ((d >> 24 & 7) << 6), d & 0x3ff};
    if (style == FP16_S)
        return (struct pooled){d >> 31, (d >> 16 & 0x1f) + 15, d >> 21 & 0x3ff};
    return (struct pooled){d >> 31, (d >> 16 & 0xff) + 127,
                           ((d >> 24 & 0x7f) << 3) + (style == TF32_S ? d >> 13 & 7 : 0)};
}

static uint32_t unpool(struct pooled x, enum style style)
{
    if (style == INT32_S)
        return x.sign << 31 | (x.exponent & 7) << 10 | x.man;
    if (style == FP16_S)
        return x.exponent & 0x3f ? x.sign << 31 | x.man << 21 | ((x.exponent - 15) & 0x1f) << 16
                                 : 0;
    if (x.exponent == 0)
        return 0;
    return (x.sign << 31 | (x.man & 0x3f8) << 21 | ((x.exponent - 127) & 0xff) << 16) +
           (style == TF32_S ? (x.man & 7) << 13 : 0);
}

static struct pooled pool_src(uint32_t a, enum style style, uint32_t b)
{
    unsigned ea = a & 0xff, eb = b & 0xff;
    if (eb == 0)
        return (struct pooled){1, 0x1ff, 0x3ff};
    if (ea == 0)
        return (struct pooled){0, 0, 0};
    unsigned sum = style == INT8_S ? 0 : style == FP16_S ? (ea & 31) + (eb & 31) : ea + eb;
    return (struct pooled){a >> 18, sum, (a >> 8 & 0x3ff) & (style == BF16_S ? 0x3f8 : 0x3ff)};
}

static int32_t comparable(struct pooled x)
{
    return (x.sign ? -1 : 1) * (int32_t)((x.exponent << 10) + x.man);
}

static uint32_t pool_column(const struct model *m, enum style src, enum style dst, unsigned c,
                            uint32_t d)
{
    static const uint8_t transform[] = {0, 3, 6, 1, 4, 7, 2, 5};
    struct pooled max = pool_dst(d, dst);
    uint32_t max_index = d & 0xff, phase = (d + 0x100) & 0xf00;
    for (unsigned k = 0; k < 16; k++) {
        unsigned i = k < 8 ? k ^ 4 : k;
        struct pooled x = pool_src(page(m->src[A][m->bank[A]][(m->ctr[A] & 0x30) + i][c]), src,
                                   page(m->src[B][m->bank[B]][m->ctr[B] & 0x38][i]));
        if (comparable(x) < comparable(max))
            continue;
        max = x;
        if (i < 8)
            max_index = (uint8_t)((phase >> 4) + transform[i]);
    }
    if (!bits(m, 14, 1))
        return unpool(max, dst);
    return (dst == INT32_S ? 0 : unpool(max, dst)) | phase | max_index;
}

static void gmpool(struct model *m)
{
    unsigned fa, fb, arg = bits(m, 14, 1);
    tsr_fpu_mode mode = mode_of(m, &fa, &fb);
    enum style src = five_bits(fa) ? FP16_S : fa == 4 ? TF32_S : BF16_S, dst = src;
    if (m->int8 && !m->force)
        src = INT8_S, dst = INT32_S;
    else if (src == TF32_S)
        dst = arg ? INT32_S : mode.acc32 ? TF32_S : BF16_S;
    else if (mode.acc32 && !arg)
        dst = TF32_S;
    unsigned row = (bits(m, 0, 10) + m->math + m->dst_ctr) & 0x3fc;
    for (unsigned i = 0; i < 4; i++) {
        unsigned at = mode.acc32 ? adj32(row + i) : row + i;
        for (unsigned c = 0; c < 16; c++) {
            uint32_t d = get(m, mode.acc32, row + i, c), v = 0;
            if (!m->valid[at])
                d = mode.acc32 ? 0xffffffff : 0xffff;
            if (!mode.acc32)
                d <<= 16;
            if (i == 0)
                v = pool_column(m, src, dst, c, d);
            else if (mode.acc32 && arg)
                v = (d + 0x100) & 0xf00;
            if (mode.acc32)
                set32(m, row + i, c, v);
            else
                set16(m, row + i, c, v >> 16);
        }
        m->valid[at] = true;
    }
    flip(m, bits(m, 22, 2), true, false);
    apply_addr_mod(m);
}

// ---------------------------------------------------------------- words

// What SHIFTXA's page calls HardwareBug(); only bits 5:4 count, so alignment does not.
static void note_row_of_srca(struct model *m)
{
    unsigned op = m->w >> 24;
    if (op == 0x08 || op == 0x0b || op == 0x12)
        m->shifted = (bits(m, 17, 6) + m->ctr[A]) & 63;
    else if (op == 0x0a || op == 0x13 || (op >= 0x26 && op <= 0x30) || op == 0x33 || op == 0x34)
        m->shifted = m->ctr[A];
}

static void run_model(struct model *m)
{
    unsigned op = m->w >> 24;
    note_row_of_srca(m);
    switch (op) {
        // clang-format off
    case 0x08: move_to_src(m, A); break;
    case 0x0a: move_to_src(m, B); break;
    case 0x0b: movb2a(m); break;
    case 0x10: zeroacc(m); break;
    case 0x11: zerosrc(m); break;
    case 0x09:
    case 0x12: move_to_dst(m, A); break;
    case 0x13: move_to_dst(m, B); break;
    case 0x16: trnspsrcb(m); break;
    case 0x17: shiftxa(m); break;
    case 0x18: shiftxb(m); break;
    case 0x26:
    case 0x29:
    case 0x34: multiply(m, op); break;
    case 0x33: gmpool(m); break;
    case 0x36: flip(m, bits(m, 22, 2), false, bits(m, 1, 1)); break;
    case 0x37: setrwc(m); break;
    case 0x38: incrwc(m); break;
        // clang-format on
    default:
        elementwise(m, op);
        break;
    }
}

// What the gate waits for.
static bool waits_for(unsigned op, int side)
{
    bool both = (op >= 0x26 && op <= 0x30) || op == 0x33 || op == 0x34;
    if (side == A)
        return both || op == 0x12 || op == 0x17;
    return both || op == 0x13 || op == 0x0b || op == 0x16 || op == 0x18;
}

#endif
