// SPDX-License-Identifier: Apache-2.0
// Cycles. Everything in a cycle reads what was there before it; results are there at its end, or a
// cycle later for what takes two.
// Pages: as sfpu_model.h.
#include "oracle/sfpu_model.h"

#include <string.h>

const char *sfpu_fault_text(unsigned fault)
{
    static const char *const texts[] = {"nothing",
#define X(name, text) text,
                                        SFPU_FAULTS(X)
#undef X
    };
    return texts[fault];
}

void sfpu_model_reset(struct sfpu_model *m, const struct sfpu_words *words)
{
    enum sfpu_fault fault = m->fault;
    bool strict = m->strict;
    memset(m, 0, sizeof *m);
    m->fault = fault;
    m->strict = strict;
    m->words = words;
    m->blackhole = words->arch == TSR_BLACKHOLE_A0;
    for (unsigned lane = 0; lane < SFPU_LANES; lane++) {
        m->lreg[8][lane] = 0x3f56594b; // 0.8373
        m->lreg[10][lane] = 0x3f800000;
        m->lreg[11][lane] = 0xbf800000;
        m->lreg[12][lane] = 0x3b000000;
        m->lreg[13][lane] = 0xbf2cc4c7;
        m->lreg[14][lane] = 0xbeb08ff9;
        m->lreg[15][lane] = lane * 2;
    }
}

static uint32_t random_step(uint32_t s)
{
    uint32_t taps = s & 0x80200003, odd = 0;
    for (; taps; taps &= taps - 1)
        odd ^= 1;
    return (odd ^ 1) << 31 | s >> 1;
}

void sfpu_model_seed(struct sfpu_model *m, uint32_t seed)
{
    for (unsigned i = 0; i < 32; i++)
        seed = random_step(seed);
    for (unsigned lane = SFPU_LANES; lane-- > 0;)
        m->prng[lane] = seed = random_step(random_step(seed));
}

uint32_t sfpu_random(struct sfpu_model *m, unsigned lane)
{
    uint32_t now = m->prng[lane];
    if (m->drew >> lane & 1)
        sfpu_undefined(m, "two sub-units take a random value at once");
    m->draws |= 1u << lane;
    m->prng[lane] = random_step(now);
    return now;
}

bool sfpu_runs(const struct sfpu_model *m, const struct sfpu_insn *i, unsigned lane)
{
    return i->scheduled || i->vd < 12 || m->lane_config[lane] & SFPU_NO_BACKDOOR;
}

void sfpu_put(struct sfpu_model *m, unsigned reg, unsigned lane, uint32_t value, bool late)
{
    struct sfpu_staged *to = late ? &m->late : &m->soon;
    if (reg >= 8 && reg != 16)
        return;
    if (to->lanes[reg] >> lane & 1 && to->owner[reg][lane] != m->now)
        sfpu_undefined(m, "two results for a register at once");
    const struct sfpu_staged *other = late ? &m->soon : &m->late;
    if (other->lanes[reg] >> lane & 1 && other->owner[reg][lane] &&
        other->owner[reg][lane] != m->now)
        sfpu_undefined(m, "two results for a register from one cycle");
    to->value[reg][lane] = value;
    to->lanes[reg] |= 1u << lane;
    to->owner[reg][lane] = m->now;
    m->wrote |= 1u << reg;
}

// ---------------------------------------------------------------- one instruction

// An instruction whose VD names a template is one.
static bool becomes_template(struct sfpu_model *m, const struct sfpu_insn *i)
{
    if (i->scheduled || i->vd < 12 || i->op == SFPU_CONFIG || i->op == SFPU_LOADI ||
        i->op == SFPU_LOAD || i->op == SFPU_LOADMACRO || i->op == SFPU_NOP)
        return false;
    unsigned off = 0, lanes = 0;
    for (unsigned lane = 0; lane < SFPU_LANES; lane++) {
        off += (m->lane_config[lane] & SFPU_NO_BACKDOOR) != 0;
        lanes += m->enabled[lane];
    }
    if (off == SFPU_LANES)
        return false;
    if (off || lanes != SFPU_LANES || i->op == SFPU_STORE || i->op == SFPU_LUT)
        sfpu_undefined(m, "a template for some of the lanes, or of SFPSTORE or SFPLUT");
    for (unsigned lane = 0; lane < SFPU_LANES; lane++)
        m->macro[lane].instruction[i->vd - 12] = i->word;
    return true;
}

static void execute(struct sfpu_model *m, const struct sfpu_insn *i, enum sfpu_unit unit)
{
    uint32_t wrote = m->wrote;
    uint16_t address = 0;
    m->now++;
    if (m->strict && i->op != SFPU_NOP && !(sfpu_modifiers(i->op, m->blackhole) >> i->mod & 1))
        sfpu_undefined(m, "a modifier that the page does not have");
    m->executed++;
    m->scheduled[i->op] += i->scheduled;
    if (i->op == SFPU_NOP || becomes_template(m, i))
        return;
    m->runs[unit] = true;
    m->staging[unit] = i->vd == 16;
    switch (unit) {
    case SFPU_UNIT_SIMPLE:
        sfpu_simple(m, i);
        break;
    case SFPU_UNIT_MAD:
        sfpu_mad(m, i);
        break;
    case SFPU_UNIT_ROUND:
        sfpu_round(m, i);
        break;
    case SFPU_UNIT_STORE:
        sfpu_store(m, i);
        break;
    default:
        if (i->op == SFPU_LOADI)
            sfpu_load_immediate(m, i);
        else
            sfpu_load(m, i, &address);
        if (i->op == SFPU_LOADMACRO)
            sfpu_plan(m, i, address);
        break;
    }
    if (i->op == SFPU_SWAP)
        m->wrote = wrote; // its own
    m->drew |= m->draws;
    m->draws = 0;
}

// ---------------------------------------------------------------- one cycle

static void begin(struct sfpu_model *m)
{
    for (unsigned lane = 0; lane < SFPU_LANES; lane++) {
        bool masked = m->lane_config[lane & 7] >> (SFPU_ROW_MASK + lane / 8) & 1;
        if (m->fault == SFPU_FAULT_ROW_MASK)
            masked = false;
        m->enabled[lane] = !masked && (!m->uses_flags[lane] || m->flags[lane]);
    }
    m->now = 0;
    m->wrote = m->swaps = m->drew = m->draws = 0;
    memset(m->runs, 0, sizeof m->runs);
    memset(m->staging, 0, sizeof m->staging);
    m->swapped = m->rotates = false;
    m->loads = m->stores = 0;
}

// What SFPLOADMACRO.md asks of software.
static void check(struct sfpu_model *m)
{
    bool simple = m->runs[SFPU_UNIT_SIMPLE], round = m->runs[SFPU_UNIT_ROUND];
    if (simple && round && m->staging[SFPU_UNIT_SIMPLE] == m->staging[SFPU_UNIT_ROUND])
        sfpu_undefined(m, "simple and round at once, both or neither to LReg 16");
    if (m->swapped && m->runs[SFPU_UNIT_MAD])
        sfpu_undefined(m, "SFPSWAP beside the MAD sub-unit");
    if (m->swaps & m->wrote)
        sfpu_undefined(m, "another result for a register that SFPSWAP reads again");
    if ((m->after_swap || m->after_rotation) && (simple || round))
        sfpu_undefined(m, "simple or round in the second cycle of SFPSWAP or SFPSHFT2");
    if (m->after_rotation && m->blackhole && (m->runs[SFPU_UNIT_MAD] || m->runs[SFPU_UNIT_STORE]))
        sfpu_undefined(m, "no idle cycle behind SFPSHFT2");
    if (sfpu_rows_meet(m))
        sfpu_undefined(m, "a load and a store at once, of one row");
}

static void commit(struct sfpu_model *m)
{
    for (unsigned reg = 0; reg < SFPU_LREGS; reg++)
        for (unsigned lane = 0; lane < SFPU_LANES; lane++)
            if (m->soon.lanes[reg] >> lane & 1)
                m->lreg[reg][lane] = m->soon.value[reg][lane];
    m->staging_written |= m->soon.lanes[16];
    m->soon = m->late;
    memset(m->soon.owner, 0, sizeof m->soon.owner);
    memset(m->late.lanes, 0, sizeof m->late.lanes);
    for (unsigned lane = 0; lane < SFPU_LANES && m->fault == SFPU_FAULT_PRNG && m->drew; lane++)
        if (!(m->drew >> lane & 1))
            m->prng[lane] = random_step(m->prng[lane]);
    m->after_swap = m->swapped;
    m->after_rotation = m->rotates;
}

// Those whose delay is over leave the plan; the others come nearer.
static void count_down(struct sfpu_model *m, bool issues, struct sfpu_insn due[SFPU_UNIT_LOAD],
                       bool is_due[SFPU_UNIT_LOAD])
{
    bool by_instructions = false;
    for (unsigned n = 0; n < SFPU_UNIT_LOAD * SFPU_PLANNED; n++) {
        struct sfpu_planned *p = &m->planned[n / SFPU_PLANNED][n % SFPU_PLANNED];
        if (p->used && p->delay == 0) {
            due[n / SFPU_PLANNED] = p->insn;
            is_due[n / SFPU_PLANNED] = true;
            p->used = false;
        }
        by_instructions |= p->used && p->by_instructions;
    }
    for (unsigned n = 0; n < SFPU_UNIT_LOAD * SFPU_PLANNED; n++) {
        struct sfpu_planned *p = &m->planned[n / SFPU_PLANNED][n % SFPU_PLANNED];
        if (p->used && (issues || !by_instructions))
            p->delay--;
    }
}

static void cycle(struct sfpu_model *m, const struct sfpu_insn *issued)
{
    struct sfpu_insn due[SFPU_UNIT_LOAD];
    bool is_due[SFPU_UNIT_LOAD] = {false};
    count_down(m, issued, due, is_due);
    begin(m);
    if (issued) {
        enum sfpu_unit unit = sfpu_unit_of(issued->op);
        if (unit < SFPU_UNIT_LOAD && is_due[unit]) {
            m->discarded++;
            // Whether it holds what follows is not in the page.
            if (issued->op == SFPU_SWAP || issued->op == SFPU_SHFT2)
                sfpu_undefined(m, "SFPSWAP or SFPSHFT2 is discarded");
        } else {
            execute(m, issued, unit);
        }
    }
    bool holds = m->swapped || (m->rotates && m->blackhole);
    for (unsigned unit = 0; unit < SFPU_UNIT_LOAD; unit++)
        if (is_due[unit])
            execute(m, &due[unit], (enum sfpu_unit)unit);
    check(m);
    commit(m);
    m->holds = holds;
    m->after_config = issued && issued->op == SFPU_CONFIG;
    m->after_mad = issued && sfpu_unit_of(issued->op) == SFPU_UNIT_MAD;
}

bool sfpu_model_plans(const struct sfpu_model *m)
{
    for (unsigned n = 0; n < SFPU_UNIT_LOAD * SFPU_PLANNED; n++)
        if (m->planned[n / SFPU_PLANNED][n % SFPU_PLANNED].used)
            return true;
    return false;
}

// Blackhole's interlock does not see that these read a result (SFPMAD.md).
static bool overlooked(const struct sfpu_insn *i)
{
    switch (i->op) {
    case SFPU_AND:
    case SFPU_OR:
        return i->mod & 1;
    case SFPU_IADD:
    case SFPU_SHFT:
    case SFPU_CONFIG:
    case SFPU_SHFT2:
        return true;
    case SFPU_SWAP:
        return i->mod != 0;
    case SFPU_LOADMACRO: // reads none
        return true;
    default:
        return false;
    }
}

void sfpu_model_issue(struct sfpu_model *m, int thread, uint32_t word)
{
    struct sfpu_insn i;
    if (!sfpu_decode(m->words, word, &i)) {
        sfpu_undefined(m, "no instruction of the vector unit");
        return;
    }
    i.thread = (uint8_t)thread;
    if (i.op != SFPU_NOP) {
        bool plans = sfpu_model_plans(m);
        if (m->after_config)
            sfpu_undefined(m, "no SFPNOP behind SFPCONFIG");
        if (m->holds)
            cycle(m, NULL);
        else if (m->after_mad && m->blackhole && (plans || m->planned_before))
            sfpu_undefined(m, "behind the MAD sub-unit, with macros outstanding");
        else if (m->after_mad && m->blackhole && !overlooked(&i))
            cycle(m, NULL);
        if (plans && i.op == SFPU_CONFIG)
            sfpu_undefined(m, "SFPCONFIG with macros outstanding");
    }
    m->planned_before = sfpu_model_plans(m);
    cycle(m, &i);
}

void sfpu_model_idle(struct sfpu_model *m)
{
    for (unsigned i = 0; i < 24; i++)
        cycle(m, NULL);
}
