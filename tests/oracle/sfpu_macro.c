// SPDX-License-Identifier: Apache-2.0
// What SFPLOADMACRO plans for its sub-units.
// Pages: SFPLOADMACRO.md of both chips.
#include "oracle/sfpu_model.h"

#include <string.h>

// LoadMacroConfig that differs between lanes is possible "in theory", and left out.
static bool uniform(const struct sfpu_model *m)
{
    for (unsigned lane = 1; lane < SFPU_LANES; lane++)
        if (memcmp(&m->macro[lane], &m->macro[0], sizeof m->macro[0]) != 0)
            return false;
    return true;
}

static bool executes(unsigned unit, const struct sfpu_insn *i)
{
    if (i->op == SFPU_NOP)
        return unit != SFPU_UNIT_STORE;
    return sfpu_unit_of(i->op) == unit;
}

static void forget(struct sfpu_model *m, unsigned unit, unsigned delay)
{
    if (m->fault == SFPU_FAULT_KEEP && unit == SFPU_UNIT_STORE)
        return;
    for (unsigned n = 0; n < SFPU_PLANNED; n++)
        if (m->planned[unit][n].delay == delay)
            m->planned[unit][n].used = false;
}

static void give_registers(struct sfpu_model *m, struct sfpu_insn *i, uint32_t bits, unsigned vd)
{
    bool chosen = m->blackhole && (i->op == SFPU_AND || i->op == SFPU_OR) && !(i->mod & 1);
    if (chosen) // the page skips "VB = VD", which they do not have so
        sfpu_undefined(m, "a macro's SFPAND or SFPOR without USE_VB");
    if (bits & 0x80) {
        i->vb = (uint8_t)vd;
        i->vb_loaded = true;
        if (!i->has_vc)
            i->vc = i->vd;
    } else {
        i->vc = (uint8_t)vd;
        if (!i->has_vb)
            i->vb = i->vd;
        if (i->op == SFPU_SWAP)
            sfpu_undefined(m, "a macro's SFPSWAP of a register with itself");
    }
    i->vd = (uint8_t)(bits & 0x40 && m->fault != SFPU_FAULT_STAGING ? 16 : vd);
    if (i->op == SFPU_SWAP && i->vd == 16)
        sfpu_undefined(m, "a macro's SFPSWAP with LReg 16");
    if (i->op == SFPU_CONFIG)
        sfpu_undefined(m, "a macro's SFPCONFIG");
}

static void give_store(struct sfpu_model *m, struct sfpu_insn *i, uint32_t bits,
                       const struct sfpu_insn *load, uint16_t address)
{
    unsigned misc = m->macro[0].misc;
    if (bits & 0x40)
        i->vd = 16;
    else if (!(bits & 0x80))
        i->vd = load->vd;
    i->mod = misc >> 4 >> load->macro & 1 ? load->mod : misc & 15;
    i->address = address;
    if (i->mod == 10 && m->blackhole)
        sfpu_undefined(m, "a macro's store to the stack");
}

static void schedule(struct sfpu_model *m, unsigned unit, const struct sfpu_insn *i, unsigned delay)
{
    bool by_instructions = m->macro[0].misc >> 8 >> unit & 1;
    if (m->fault == SFPU_FAULT_DELAY && unit == SFPU_UNIT_ROUND)
        delay++;
    for (unsigned n = 0; n < SFPU_PLANNED; n++)
        if (!m->planned[unit][n].used) {
            m->planned[unit][n] = (struct sfpu_planned){true, by_instructions, (uint8_t)delay, *i};
            return;
        }
}

void sfpu_plan(struct sfpu_model *m, const struct sfpu_insn *load, uint16_t address)
{
    if (!uniform(m))
        sfpu_undefined(m, "LoadMacroConfig differs between lanes");
    for (unsigned unit = 0; unit < SFPU_UNIT_LOAD; unit++) {
        uint32_t bits = m->macro[0].sequence[load->macro] >> unit * 8 & 0xff;
        unsigned delay = bits >> 3 & 7, which = bits & 7;
        struct sfpu_insn i;
        memset(&i, 0, sizeof i);
        // The page forgets before it looks for 0; kernels that run on cards show the contrary.
        if (which == 0)
            continue;
        if (delay != 7)
            forget(m, unit, delay);
        i.op = which == 3 ? SFPU_STORE : SFPU_NOP;
        if (which == 1)
            sfpu_undefined(m, "a macro's sequence selects 1");
        if (which >= 4 && !sfpu_decode(m->words, m->macro[0].instruction[which - 4], &i))
            sfpu_undefined(m, "a macro's template is no instruction of the vector unit");
        if (!executes(unit, &i)) {
            i.op = SFPU_NOP;
            if (unit == SFPU_UNIT_STORE)
                sfpu_undefined(m, "a macro's store is none");
        }
        if (unit == SFPU_UNIT_STORE)
            give_store(m, &i, bits, load, address);
        else
            give_registers(m, &i, bits, load->vd);
        i.scheduled = true;
        i.thread = load->thread;
        schedule(m, unit, &i, delay);
    }
}
