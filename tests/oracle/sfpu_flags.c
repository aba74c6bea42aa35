// SPDX-License-Identifier: Apache-2.0
// Lane flags, their stack, and the vector unit's own configuration.
// Pages: VectorUnit.md, "Lane Predication Masks"; SFPENCC.md, SFPSETCC.md, SFPPUSHC.md, SFPPOPC.md,
// SFPCOMPC.md, SFPGT.md, SFPLE.md, SFPCONFIG.md of both chips.
#include "oracle/sfpu_model.h"

static bool combined(unsigned mod, bool a, bool b)
{
    // By mod, the truth table: bit 3 for a and b, 2 for a alone, 1 for b alone, 0 for neither.
    static const uint8_t table[13] = {0,   0xa, 0x5, 0x8, 0xe, 0x4, 0xd,
                                      0x2, 0xb, 0x1, 0x7, 0x6, 0x9};
    return table[mod] >> (a * 2 + b) & 1;
}

static void enable(struct sfpu_model *m, const struct sfpu_insn *i, unsigned lane)
{
    if (i->mod & 2)
        m->uses_flags[lane] = i->imm & 1;
    else if (i->mod & 1)
        m->uses_flags[lane] = !m->uses_flags[lane];
    m->flags[lane] = i->mod & 8 ? i->imm >> 1 & 1 : true;
}

static void compare_zero(struct sfpu_model *m, const struct sfpu_insn *i, unsigned lane)
{
    bool *flag = &m->flags[lane];
    if (!m->enabled[lane])
        return;
    if (!m->uses_flags[lane] || i->mod & 8) {
        *flag = false;
        return;
    }
    if (i->mod & 1) {
        *flag = i->imm & 1;
        return;
    }
    uint32_t c = sfpu_get(m, i->vc, lane);
    bool is = i->mod & 2 ? c == 0 : c >> 31; // 0, 4: less than 0 or not; 2, 6: not 0 or 0
    if (i->mod == 0 || i->mod == 6)
        *flag = is;
    else
        *flag = !is;
}

static void push(struct sfpu_model *m, const struct sfpu_insn *i, unsigned lane)
{
    uint8_t *depth = &m->depth[lane];
    unsigned mod = m->blackhole ? i->mod : 0;
    if (mod == 0) {
        if (*depth == SFPU_STACK) {
            sfpu_undefined(m, "SFPPUSHC with a full stack");
            return;
        }
        m->stack[*depth][lane].flags = m->flags[lane];
        m->stack[*depth][lane].uses_flags = m->uses_flags[lane];
        ++*depth;
        return;
    }
    if (*depth == 0) {
        sfpu_undefined(m, "SFPPUSHC changes the top of an empty stack");
        return;
    }
    bool *top = &m->stack[*depth - 1][lane].flags;
    if (mod == 13)
        m->flags[lane] = !m->flags[lane];
    if (mod >= 14)
        *top = mod == 14;
    else
        *top = mod == 13 ? m->flags[lane] : combined(mod, *top, m->flags[lane]);
    m->stack[*depth - 1][lane].uses_flags = mod >= 14 ? true : m->uses_flags[lane];
}

static void pop(struct sfpu_model *m, const struct sfpu_insn *i, unsigned lane)
{
    uint8_t *depth = &m->depth[lane];
    bool top = false, top_uses = false;
    if (*depth) {
        top = m->stack[*depth - 1][lane].flags;
        top_uses = m->stack[*depth - 1][lane].uses_flags;
    }
    if (i->mod == 0) {
        if (*depth == 0) {
            sfpu_undefined(m, "SFPPOPC with an empty stack");
            return;
        }
        --*depth;
        m->flags[lane] = top;
        m->uses_flags[lane] = top_uses;
        return;
    }
    if (*depth == SFPU_STACK && !m->blackhole) { // the page's hardware bug
        m->stack[0][lane].flags = top;
        m->stack[0][lane].uses_flags = top_uses;
    }
    if (i->mod <= 12) {
        m->uses_flags[lane] = top_uses;
        m->flags[lane] = combined(i->mod, m->flags[lane], top);
    } else if (i->mod == 13) {
        m->flags[lane] = !m->flags[lane];
    } else {
        m->uses_flags[lane] = true;
        m->flags[lane] = i->mod == 14;
    }
}

static void complement(struct sfpu_model *m, unsigned lane)
{
    bool top = true, top_uses = true;
    if (m->depth[lane] && m->fault != SFPU_FAULT_COMPLEMENT) {
        top = m->stack[m->depth[lane] - 1][lane].flags;
        top_uses = m->stack[m->depth[lane] - 1][lane].uses_flags;
    }
    m->flags[lane] = top_uses && m->uses_flags[lane] && top && !m->flags[lane];
}

static void compare(struct sfpu_model *m, const struct sfpu_insn *i, unsigned lane)
{
    unsigned vb = i->scheduled ? i->vb : i->vd;
    bool is = sfpu_smaller(sfpu_get(m, i->vc, lane), sfpu_get(m, vb, lane));
    if (i->op == SFPU_LE)
        is = !is;
    if (m->enabled[lane]) {
        if (i->mod & 8)
            sfpu_put(m, i->vd, lane, is ? ~0u : 0, false);
        if (i->mod & 1)
            m->flags[lane] = is;
    }
    if (!(i->mod & 2) || m->depth[lane] == 0)
        return;
    bool *top = &m->stack[m->depth[lane] - 1][lane].flags;
    *top = i->mod & 4 ? *top || is : *top && is;
}

void sfpu_flags(struct sfpu_model *m, const struct sfpu_insn *i)
{
    for (unsigned lane = 0; lane < SFPU_LANES; lane++) {
        if (!sfpu_runs(m, i, lane))
            continue;
        switch (i->op) {
        case SFPU_ENCC:
            enable(m, i, lane);
            break;
        case SFPU_SETCC:
            compare_zero(m, i, lane);
            break;
        case SFPU_PUSHC:
            push(m, i, lane);
            break;
        case SFPU_POPC:
            pop(m, i, lane);
            break;
        case SFPU_COMPC:
            complement(m, lane);
            break;
        default:
            compare(m, i, lane);
            break;
        }
    }
}

// ---------------------------------------------------------------- SFPCONFIG

static uint32_t changed(uint32_t old, uint32_t value, unsigned mod)
{
    switch (mod & 6) {
    case 2:
        return old | value;
    case 4:
        return old & value;
    case 6:
        return old ^ value;
    default:
        return value;
    }
}

void sfpu_config_write(struct sfpu_model *m, const struct sfpu_insn *i)
{
    static const uint32_t defaults[4] = {0xbf800000, 0x3b000000, 0xbf2cc4c7, 0xbeb08ff9};
    bool immediate = i->mod & 1, flags[8], uses[8];
    for (unsigned lane = 0; lane < 8; lane++) {
        flags[lane] = m->flags[lane];
        uses[lane] = m->uses_flags[lane];
    }
    for (unsigned lane = 0; lane < SFPU_LANES; lane++) {
        unsigned from = m->fault == SFPU_FAULT_BROADCAST ? lane : lane & 7;
        if (i->mod & 8 && !(i->imm >> (lane & 7) * 2 & 1))
            continue;
        if (uses[lane & 7] && !flags[lane & 7])
            continue;
        bool from_register = !immediate || i->vd < 4;
        bool nothing = i->vd == 9 || i->vd == 10;
        uint32_t value = from_register && !nothing ? sfpu_get(m, 0, from) : i->imm;
        if (i->vd < 4) {
            m->macro[lane].instruction[i->vd] = value;
        } else if (i->vd < 8) {
            m->macro[lane].sequence[i->vd - 4] = value;
        } else if (i->vd == 8) {
            m->macro[lane].misc = changed(m->macro[lane].misc, value, i->mod) & 0xfff;
        } else if (i->vd == 15) {
            uint32_t old = m->lane_config[lane], now = changed(old, value, i->mod) & 0x3ffff;
            m->lane_config[lane] = immediate ? now | (old & ~0xffffu) : now;
        } else if (!nothing) {
            m->lreg[i->vd][lane] = immediate ? defaults[i->vd - 11] : value;
        }
    }
}
