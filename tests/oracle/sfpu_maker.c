// SPDX-License-Identifier: Apache-2.0
// A word is tried on a copy of the model; one that leads to what no page defines is not taken.
// Pages: as sfpu_model.h.
#include "oracle/sfpu_maker.h"

#include <string.h>

struct maker {
    struct sfpu_program *p;
    struct sfpu_model *m; // behind the words so far
    struct sfpu_model trial, ahead;
    const struct sfpu_words *words;
    uint64_t random;
    struct sfpu_counts *counts;
    bool few, indexes; // a program that keeps to index tracking
    unsigned burst;
    uint8_t thread; // of the next word
    uint8_t template_unit[4];
};

static uint32_t below(struct maker *k, uint32_t n)
{
    k->random += 0x9e3779b97f4a7c15u;
    uint64_t z = k->random;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (uint32_t)((z >> 32) * n >> 32);
}

static uint32_t any(struct maker *k)
{
    return below(k, 0x10000) << 16 | below(k, 0x10000);
}

static bool chance(struct maker *k, unsigned percent)
{
    return below(k, 100) < percent;
}

static uint8_t modifier(struct maker *k, unsigned op)
{
    uint32_t all = sfpu_modifiers(op, k->m->blackhole);
    unsigned mod = below(k, 16);
    while (!(all >> mod & 1))
        mod = below(k, 16);
    return (uint8_t)mod;
}

// ---------------------------------------------------------------- the state before

// Numbers at which something happens, and plain ones.
static uint32_t value(struct maker *k)
{
    static const uint32_t special[] = {
        0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x807fffff, 0x00800000,
        0x80800000, 0x00ffffff, 0x3f800000, 0xbf800000, 0x3f000000, 0x3effffff, 0x3f7fffff,
        0x3f800001, 0x3fc00000, 0x40000000, 0x3fffffff, 0x40400000, 0x40800000, 0x407fffff,
        0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7f800001, 0xff800001, 0x7fc00000,
        0xffc00000, 0x7fffffff, 0xffffffff, 0x33800000, 0x34000000, 0x3c800000, 0x3f320000,
        0x3f317fff, 0x7e800000, 0x7e7fffff, 0x01000001, 0x42fe0000, 0x42ff0000, 0x437f0000,
        0x437f8000, 0x46fffe00, 0x477fff00, 0x47800000, 0x38800000, 0x387fffff, 0x477fe000,
        0x47ffe000, 0x48000000, 31,         32,         0xffffffe0, 0xffffffe1, 0x7fffff80};
    unsigned how = below(k, 10);
    if (k->few) { // sums cancel, comparisons tie
        static const uint32_t powers[4] = {0, 0x3f000000, 0x3f800000, 0x40000000};
        return (how & 1) << 31 | powers[how >> 1 & 3];
    }
    if (how < 2)
        return special[below(k, sizeof special / sizeof *special)];
    if (how < 6) // numbers near one
        return (any(k) & 0x807fffff) | (107 + below(k, 40)) << 23;
    if (how < 7)
        return any(k) & 0xffff0000;
    if (how < 8) // small integers, either way
        return below(k, 600) - (chance(k, 50) ? 300 : 0);
    return any(k);
}

static void fill_dst(struct maker *k, struct sfpu_model *m)
{
    for (unsigned row = 0; row < SFPU_DST_ROWS; row++)
        for (unsigned column = 0; column < 16; column++)
            m->dst[row][column] = (uint16_t)(row < 64 ? 0 : any(k));
    for (unsigned row = 64; row < 512; row += chance(k, 50) ? 16 : 8)
        for (unsigned i = 0; i < 16 * 8; i++) { // numbers as 32-bit rows have them
            uint32_t x = value(k), r = row + i / 16;
            m->dst[r][i % 16] =
                (uint16_t)((x >> 16 & 0x8000) | (x >> 23 & 255) | (x >> 16 & 127) << 8);
            m->dst[r + 8][i % 16] = (uint16_t)x;
        }
}

static unsigned stored_high(const struct sfpu_model *m, unsigned row)
{
    if (m->config.remap)
        row = (row & 0x3c7) ^ (row & 0x030) >> 1 ^ (row & 0x008) << 2;
    if (m->config.swizzle)
        row = (row & 0x3f3) ^ (row & 0x018) >> 1 ^ (row & 0x004) << 1;
    return (row & 0x1f8) << 1 | (row & 0x207);
}

void sfpu_lregs_to_dst(struct sfpu_model *m, uint32_t values[8][SFPU_LANES])
{
    for (unsigned reg = 0; reg < 8; reg++)
        for (unsigned lane = 0; lane < SFPU_LANES; lane++) {
            uint32_t x = values[reg][lane];
            unsigned high = stored_high(m, reg / 2 * 4 + lane / 8);
            unsigned column = lane % 8 * 2 + reg % 2;
            m->dst[high][column] =
                (uint16_t)((x >> 16 & 0x8000) | (x >> 23 & 255) | (x >> 16 & 127) << 8);
            m->dst[high + 8][column] = (uint16_t)x;
        }
}

void sfpu_program_start(const struct sfpu_program *p, struct sfpu_model *m,
                        const struct sfpu_words *words)
{
    struct maker k = {.random = p->dst_seed, .few = p->few};
    uint32_t values[8][SFPU_LANES];
    sfpu_model_reset(m, words);
    sfpu_model_seed(m, p->prng_seed);
    m->config = p->config;
    fill_dst(&k, m);
    for (unsigned reg = 0; reg < 8; reg++)
        for (unsigned lane = 0; lane < SFPU_LANES; lane++)
            values[reg][lane] = value(&k);
    if (chance(&k, 30)) // indices for the indirect forms
        for (unsigned lane = 0; lane < SFPU_LANES; lane++)
            values[7][lane] = (values[7][lane] & ~15u) | below(&k, 8);
    sfpu_lregs_to_dst(m, values);
    memcpy(m->rwc, p->rwc, sizeof m->rwc);
}

bool sfpu_program_pauses(const struct sfpu_program *p, unsigned i)
{
    return p->idle_before[i] || (i && p->thread[i] != p->thread[i - 1]);
}

void sfpu_program_step(const struct sfpu_program *p, struct sfpu_model *m, unsigned i)
{
    if (sfpu_program_pauses(p, i))
        sfpu_model_idle(m);
    sfpu_model_issue(m, p->thread[i], p->word[i]);
}

static void make_addr_mod(struct maker *k, struct sfpu_addr_mod *a)
{
    static const uint16_t steps[] = {0, 2, 4, 8, 1, 3, 16, 1020, 1022, 64};
    a->dst_incr = steps[below(k, 10)];
    a->srca_incr = (uint8_t)below(k, 64);
    a->srcb_incr = (uint8_t)below(k, 64);
    a->srca_cr = chance(k, 25);
    a->srcb_cr = chance(k, 25);
    a->srca_clear = chance(k, 10);
    a->srcb_clear = chance(k, 10);
    a->dst_cr = chance(k, 25);
    a->dst_c_to_cr = chance(k, 15);
    a->dst_clear = chance(k, 10);
    a->fidelity_incr = (uint8_t)below(k, 4);
    a->fidelity_clear = chance(k, 20);
    if (!k->m->blackhole) {
        a->bias_incr = (uint8_t)(chance(k, 20) ? below(k, 16) : 0);
        a->bias_clear = chance(k, 10);
    }
}

static void make_start(struct maker *k)
{
    struct sfpu_program *p = k->p;
    for (unsigned bank = 0; bank < 2; bank++) {
        p->config.bank[bank].fp32 = chance(k, 40);
        p->config.bank[bank].srcb = (uint8_t)(chance(k, 50) ? chance(k, 50) : below(k, 16));
        p->config.bank[bank].override = chance(k, 10);
        p->config.bank[bank].override_srcb = (uint8_t)below(k, 16);
        if (p->blackhole && chance(k, 25))
            p->config.bank[bank].sp_base = (uint16_t)below(k, 128);
    }
    for (unsigned t = 0; t < 3; t++) {
        p->config.thread[t].bank = chance(k, 20);
        p->config.thread[t].offset = (uint16_t)(chance(k, 40) ? 0 : below(k, 64) * 4);
        p->config.thread[t].mod_set = !p->blackhole && chance(k, 30);
        if (p->blackhole) {
            p->config.thread[t].format_on = chance(k, 30);
            p->config.thread[t].format = (uint8_t)(chance(k, 50) ? chance(k, 50) : below(k, 16));
            p->config.thread[t].stack_incr = (uint16_t)(below(k, 8) * 4);
        }
        for (unsigned i = 0; i < SFPU_MODS; i++)
            make_addr_mod(k, &p->config.thread[t].mod[i]);
        // What the first loads take: it moves nothing.
        p->config.thread[t].mod[3] = p->config.thread[t].mod[7] = (struct sfpu_addr_mod){0};
    }
    p->config.remap = p->blackhole && chance(k, 20);
    p->config.swizzle = p->blackhole && chance(k, 20);
    k->thread = (uint8_t)below(k, 3);
    p->few = chance(k, 15);
    p->prng_seed = any(k);
    p->dst_seed = k->random;
}

// ---------------------------------------------------------------- words

static void count(struct maker *k, const struct sfpu_insn *i)
{
    if (k->counts) {
        k->counts->words++;
        k->counts->op[i->op][i->mod & 15]++;
    }
}

// Whether the word, and then nothing but SFPNOPs, is defined.
static bool defined_ahead(struct maker *k)
{
    k->ahead = k->trial;
    for (unsigned n = 0; n < 10; n++)
        sfpu_model_issue(&k->ahead, k->thread, (uint32_t)k->words->info[SFPU_NOP]->opcode << 24);
    sfpu_model_idle(&k->ahead);
    return !k->ahead.undefined;
}

static bool take(struct maker *k, const struct sfpu_insn *i)
{
    struct sfpu_program *p = k->p;
    if (p->count == SFPU_WORDS_MAX)
        return true;
    bool idle = p->macros && (k->burst >= SFPU_BURST || chance(k, 4));
    idle |= p->count && p->thread[p->count - 1] != k->thread;
    p->word[p->count] = sfpu_encode(k->words, i);
    p->thread[p->count] = k->thread;
    p->idle_before[p->count] = idle;
    k->trial = *k->m;
    sfpu_program_step(p, &k->trial, p->count);
    if (!k->trial.undefined && sfpu_model_plans(&k->trial) && !defined_ahead(k))
        return false;
    if (k->trial.undefined)
        return false;
    *k->m = k->trial;
    k->burst = idle ? 1 : k->burst + 1;
    p->count++;
    count(k, i);
    return true;
}

static void take_plain(struct maker *k, unsigned op, unsigned vd, unsigned mod, unsigned imm)
{
    struct sfpu_insn i = {
        .op = (uint8_t)op, .vd = (uint8_t)vd, .mod = (uint8_t)mod, .imm = (uint16_t)imm};
    take(k, &i);
}

static void nop(struct maker *k)
{
    take_plain(k, SFPU_NOP, 0, 0, 0);
}

static void set_lreg0(struct maker *k, uint32_t x)
{
    take_plain(k, SFPU_LOADI, 0, 8, x >> 16);
    take_plain(k, SFPU_LOADI, 0, 10, x & 0xffff);
}

static uint8_t any_vd(struct maker *k)
{
    unsigned how = below(k, 100);
    return (uint8_t)(how < 93 ? below(k, 8) : how < 98 ? 8 + below(k, 4) : 12 + below(k, 4));
}

static uint8_t any_source(struct maker *k)
{
    return (uint8_t)(chance(k, 75) ? below(k, 8) : below(k, 16));
}

static uint16_t immediate(struct maker *k, unsigned op)
{
    switch (op) {
    case SFPU_LOADI:
    case SFPU_ADDI:
    case SFPU_MULI:
        return (uint16_t)(chance(k, 50) ? value(k) >> 16 : any(k));
    case SFPU_SHFT:
    case SFPU_SHFT2:
    case SFPU_IADD:
    case SFPU_SETMAN:
        return (uint16_t)(chance(k, 60) ? (below(k, 72) - 36) & 0xfff : below(k, 4096));
    case SFPU_DIVP2:
    case SFPU_SETEXP:
        return (uint16_t)below(k, 256);
    case SFPU_STOCH_RND:
        return (uint16_t)below(k, 32);
    case SFPU_ENCC:
        return (uint16_t)(chance(k, 70) ? 3 : below(k, 4));
    case SFPU_SETCC:
    case SFPU_SETSGN:
        return (uint16_t)below(k, 2);
    case SFPU_LOAD:
    case SFPU_STORE:
    case SFPU_LOADMACRO:
        return (uint16_t)(chance(k, 80) ? below(k, 128) * 2 : below(k, 512));
    default:
        return 0;
    }
}

static struct sfpu_insn any_insn(struct maker *k, unsigned op)
{
    struct sfpu_insn i = {.op = (uint8_t)op};
    i.mod = modifier(k, op);
    i.vd = any_vd(k);
    i.va = any_source(k);
    i.vb = any_source(k);
    i.vc = any_source(k);
    i.imm = immediate(k, op);
    i.addr_mod = (uint8_t)below(k, k->m->blackhole ? 8 : 4);
    i.macro = (uint8_t)below(k, 4);
    i.rounding = (uint8_t)(k->m->blackhole ? below(k, 3) : below(k, 2));
    if (op == SFPU_LOADMACRO) {
        i.vd &= 7;
        i.imm = (uint16_t)((i.imm & ~1u) | i.vd >> 2);
    }
    if (op == SFPU_SHFT2 && i.mod != 6)
        i.imm = i.vb;
    if (op == SFPU_MUL && chance(k, 50))
        i.vc = 9;
    if (op == SFPU_MUL24 && chance(k, 70))
        i.vc = 9;
    if (op == SFPU_ADD && chance(k, 50))
        i.va = 10;
    if (op == SFPU_MOV && i.mod == 8 && chance(k, 50))
        i.vc = 9;
    if (op == SFPU_PUSHC && chance(k, 50))
        i.mod = 0;
    if (op == SFPU_ENCC && chance(k, 50))
        i.mod = 10;
    if ((op == SFPU_LOAD || op == SFPU_LOADI) && i.vd >= 12)
        i.vd &= 7;
    return i;
}

// LaneConfig without reserved bits, or a constant; macros have their own setting up.
static void configure(struct maker *k)
{
    struct sfpu_insn i = {.op = SFPU_CONFIG};
    i.vd = (uint8_t)(chance(k, 60) ? 15 : 8 + below(k, 7));
    i.mod = modifier(k, SFPU_CONFIG);
    uint32_t bits = any(k) & any(k) & 0x06f3, mask = any(k) | 0x5555;
    if (chance(k, 20))
        bits |= any(k) & 0xf000;
    if (chance(k, 10))
        bits |= any(k) & 0x000c;
    if (chance(k, 30))
        bits = 0;
    i.imm = (uint16_t)(i.mod & 8 ? mask : bits);
    if (i.mod & 1) // used as both
        i.imm = (uint16_t)bits;
    if (i.vd == 15 && !(i.mod & 1))
        set_lreg0(k, bits);
    take(k, &i);
    nop(k);
}

static bool indexes(const struct sfpu_model *m)
{
    for (unsigned lane = 0; lane < SFPU_LANES; lane++)
        if (m->lane_config[lane] & SFPU_DEST_INDEX)
            return true;
    return false;
}

static const uint8_t mad_ops[] = {SFPU_MAD, SFPU_ADD,  SFPU_MUL,     SFPU_ADDI,
                                  SFPU_LUT, SFPU_MULI, SFPU_LUTFP32, SFPU_MUL24};

static void one_word(struct maker *k)
{
    static const uint8_t with_index[] = {SFPU_SWAP, SFPU_SWAP, SFPU_LOAD, SFPU_NOP, SFPU_STORE};
    for (unsigned tries = 0; tries < 12; tries++) {
        unsigned how = below(k, 100), op = below(k, SFPU_OP_COUNT);
        if (how >= 97)
            op = SFPU_CONFIG;
        else if (how >= 85)
            op = mad_ops[below(k, sizeof mad_ops)];
        if (how < 20)
            op = how < 14 ? SFPU_LOAD : SFPU_STORE;
        if (indexes(k->m)) { // the page's erratum: nothing else, but what ends it
            if (chance(k, k->indexes ? 3 : 25)) {
                take_plain(k, SFPU_CONFIG, 15, 5, 0xfff3);
                nop(k);
                return;
            }
            op = with_index[below(k, sizeof with_index)];
        } else if (op == SFPU_CONFIG) {
            configure(k);
            return;
        }
        if (!k->words->info[op] || (op == SFPU_LOADMACRO && !k->p->macros))
            continue;
        if (op == SFPU_NOP && chance(k, 50))
            continue;
        struct sfpu_insn i = any_insn(k, op);
        if (take(k, &i))
            return;
    }
    nop(k);
}

// ---------------------------------------------------------------- macros

static const uint8_t simple_ops[] = {
    SFPU_ABS,   SFPU_AND,   SFPU_ARECIP, SFPU_CAST,   SFPU_COMPC,  SFPU_DIVP2,  SFPU_ENCC,
    SFPU_EXEXP, SFPU_EXMAN, SFPU_GT,     SFPU_IADD,   SFPU_LE,     SFPU_LZ,     SFPU_MOV,
    SFPU_NOT,   SFPU_OR,    SFPU_SETCC,  SFPU_SETEXP, SFPU_SETMAN, SFPU_SETSGN, SFPU_SHFT,
    SFPU_SWAP,  SFPU_XOR,   SFPU_PUSHC,  SFPU_POPC,   SFPU_TRANSP};
static const uint8_t round_ops[] = {SFPU_STOCH_RND, SFPU_STOCH_RND, SFPU_SHFT2};

static unsigned template_op(struct maker *k, unsigned unit)
{
    unsigned op;
    do {
        op = unit == SFPU_UNIT_SIMPLE ? simple_ops[below(k, sizeof simple_ops)]
             : unit == SFPU_UNIT_MAD  ? mad_ops[below(k, sizeof mad_ops)]
                                      : round_ops[below(k, sizeof round_ops)];
    } while (!k->words->info[op]);
    return op;
}

static void make_templates(struct maker *k)
{
    for (unsigned n = 0; n < 4; n++) {
        unsigned unit = n < 3 ? n : below(k, 3);
        struct sfpu_insn i = any_insn(k, template_op(k, unit));
        k->template_unit[n] = (uint8_t)unit;
        i.vd = (uint8_t)(12 + n);
        bool logic = i.op == SFPU_AND || i.op == SFPU_OR;
        if (i.op == SFPU_SWAP || (logic && chance(k, 50)))
            i.vc = (uint8_t)below(k, 16);
        if (chance(k, 50) && i.op != SFPU_LUT) { // as an instruction of the program
            take(k, &i);
            continue;
        }
        if (chance(k, 30))
            i.vd = (uint8_t)below(k, 16);
        set_lreg0(k, sfpu_encode(k->words, &i));
        take_plain(k, SFPU_CONFIG, n, 0, 0);
        nop(k);
    }
}

static uint32_t sequence_bits(struct maker *k, unsigned unit)
{
    unsigned delay = below(k, chance(k, 80) ? 5 : 8), which = 0;
    uint32_t flags = (chance(k, 50) ? 0x80u : 0) | (chance(k, 25) ? 0x40u : 0);
    if (unit == SFPU_UNIT_STORE) {
        if (chance(k, 60))
            which = 3;
    } else if (chance(k, 65)) {
        which = 4 + below(k, 4);
        for (unsigned tries = 0; tries < 8 && k->template_unit[which - 4] != unit; tries++)
            which = 4 + below(k, 4);
        if (chance(k, 10))
            which = 2;
    }
    if (which == 0 && chance(k, 60))
        delay = 0;
    return flags | delay << 3 | which;
}

static void make_macros(struct maker *k)
{
    make_templates(k);
    for (unsigned n = 0; n < 4; n++) {
        uint32_t sequence = 0;
        for (unsigned unit = 0; unit < 4; unit++)
            sequence |= sequence_bits(k, unit) << unit * 8;
        set_lreg0(k, sequence);
        take_plain(k, SFPU_CONFIG, 4 + n, 0, 0);
        nop(k);
    }
    uint32_t kinds = chance(k, 40) ? 0 : chance(k, 50) ? 15 : below(k, 16);
    take_plain(k, SFPU_CONFIG, 8, 1, kinds << 8 | below(k, 256));
    nop(k);
}

static void macro_word(struct maker *k)
{
    unsigned how = below(k, 100);
    if (how < 20) {
        nop(k);
    } else if (how < 65) {
        for (unsigned tries = 0; tries < 12; tries++) {
            struct sfpu_insn i = any_insn(k, SFPU_LOADMACRO);
            if (take(k, &i))
                return;
        }
        nop(k);
    } else {
        one_word(k);
    }
}

// ---------------------------------------------------------------- a program

// An address of Dst, whatever RWC and offset are.
static void aim(struct maker *k, struct sfpu_insn *i, unsigned address)
{
    const struct sfpu_rwc *r = &k->m->rwc[k->thread];
    unsigned from = k->p->config.thread[k->thread].offset + r->dst;
    unsigned bank = k->p->config.thread[k->thread].bank;
    if (k->m->blackhole)
        from += (r->sp + k->p->config.bank[bank].sp_base) & 3;
    i->imm = (uint16_t)((address - from) & 1023);
    i->addr_mod = k->m->blackhole ? 7 : 3;
}

static void begin_program(struct maker *k)
{
    sfpu_program_start(k->p, k->m, k->words);
    for (unsigned reg = 0; reg < 8; reg++) {
        struct sfpu_insn i = {.op = SFPU_LOAD, .vd = (uint8_t)reg, .mod = 4};
        aim(k, &i, reg * 2);
        take(k, &i);
    }
    for (unsigned reg = 11; reg < 15; reg++) {
        take_plain(k, SFPU_CONFIG, reg, 1, 0);
        nop(k);
    }
    if (chance(k, 70))
        take_plain(k, SFPU_ENCC, 0, 10, 3);
}

// Brings what the unit remembers to Dst: registers, lane flags and their stack, configuration.
static void show(struct maker *k)
{
    unsigned depth = k->m->depth[0], row = 256;
    struct sfpu_insn out = {.op = SFPU_STORE, .mod = 4};
    take_plain(k, SFPU_PUSHC, 0, 0, 0);
    take_plain(k, SFPU_ENCC, 0, 10, 2);
    take_plain(k, SFPU_CONFIG, 15, 1, 0);
    nop(k);
    for (unsigned reg = 0; reg < 24; reg++, row += 2) {
        static const uint8_t special[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15};
        struct sfpu_insn get = {.op = SFPU_MOV, .mod = 8};
        out.vd = (uint8_t)(reg < 12 ? reg : 0);
        get.vc = reg < 12 ? 0 : special[reg % 12 % sizeof special];
        if (reg >= 12)
            take(k, &get);
        aim(k, &out, row);
        take(k, &out);
    }
    for (unsigned level = 0; level <= depth; level++, row += 2) {
        take_plain(k, SFPU_POPC, 0, 0, 0);
        out.vd = 15;
        aim(k, &out, row);
        take(k, &out);
    }
}

void sfpu_make(struct sfpu_program *p, struct sfpu_model *m, const struct sfpu_words *words,
               uint64_t seed, bool macros, struct sfpu_counts *counts)
{
    static struct maker k;
    memset(p, 0, sizeof *p);
    memset(&k, 0, sizeof k);
    k.p = p;
    k.m = m;
    k.words = words;
    k.random = seed;
    k.counts = counts;
    p->blackhole = words->arch == TSR_BLACKHOLE_A0;
    m->blackhole = p->blackhole;
    make_start(&k);
    begin_program(&k);
    if (macros) {
        make_macros(&k);
        p->macros = true; // setting them up takes as long as it takes
        k.burst = SFPU_BURST;
    }
    if (!macros && chance(&k, 8)) {
        take_plain(&k, SFPU_CONFIG, 15, 1, chance(&k, 50) ? 0x0c : chance(&k, 50) ? 0x104 : 0x04);
        nop(&k);
        k.indexes = true;
    }
    unsigned last = p->count + 20 + below(&k, 40);
    while (p->count < last && p->count < SFPU_WORDS_MAX - 16) {
        if (chance(&k, 2))
            k.thread = (uint8_t)below(&k, 3);
        if (macros)
            macro_word(&k);
        else
            one_word(&k);
    }
    for (unsigned n = 0; n < 10 && macros; n++)
        nop(&k);
    if (chance(&k, 40))
        show(&k);
    if (counts) {
        counts->programs++;
        counts->discarded += m->discarded;
        counts->to_staging += m->staging_written != 0;
        for (unsigned op = 0; op < SFPU_OP_COUNT; op++)
            counts->scheduled[op] += m->scheduled[op];
    }
}
