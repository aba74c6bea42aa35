// SPDX-License-Identifier: Apache-2.0
// Fields by the names of the public tables.
// Pages: as sfpu_word.h.
#include "oracle/sfpu_word.h"

#include <string.h>

const char *sfpu_op_name(unsigned op)
{
    static const char *const names[] = {
#define X(name, unit) #name,
        SFPU_OPS(X)
#undef X
    };
    return names[op];
}

enum sfpu_unit sfpu_unit_of(unsigned op)
{
    static const uint8_t units[] = {
#define X(name, unit) SFPU_UNIT_##unit,
        SFPU_OPS(X)
#undef X
    };
    return (enum sfpu_unit)units[op];
}

void sfpu_words_init(struct sfpu_words *w, tsr_arch arch)
{
    w->arch = arch;
    for (unsigned op = 0; op < SFPU_OP_COUNT; op++) {
        char name[24] = "SFP_STOCH_RND";
        if (op != SFPU_STOCH_RND) {
            strcpy(name, "SFP");
            strcat(name, sfpu_op_name(op));
        }
        w->info[op] = tsr_instruction_find(arch, name);
    }
}

// Which of the model's fields an operand is.
enum field { F_NONE, F_VA, F_VB, F_VC, F_VD, F_MOD, F_IMM, F_ADDR_MOD, F_ROUNDING };

static enum field field_of(const struct sfpu_words *w, unsigned op, const char *operand)
{
    static const struct {
        const char *name;
        enum field field;
    } all[] = {
        {"lreg_src_a", F_VA},     {"lreg_src_b", F_VB},     {"lreg_src_c", F_VC},
        {"lreg_c", F_VC},         {"lreg_dest", F_VD},      {"lreg_ind", F_VD},
        {"config_dest", F_VD},    {"instr_mod0", F_MOD},    {"instr_mod1", F_MOD},
        {"imm16", F_IMM},         {"imm16_math", F_IMM},    {"imm12_math", F_IMM},
        {"imm8_math", F_IMM},     {"dest_reg_addr", F_IMM}, {"sfpu_addr_mode", F_ADDR_MOD},
        {"rnd_mode", F_ROUNDING},
    };
    bool logic = op == SFPU_AND || op == SFPU_OR || op == SFPU_ARECIP;
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].name, operand) == 0) {
            if (logic && all[i].field == F_IMM) // Blackhole's VB
                return w->arch == TSR_BLACKHOLE_A0 ? F_VB : F_NONE;
            return all[i].field;
        }
    return F_NONE;
}

static uint32_t bits_of(const tsr_operand_info *operand)
{
    return (1u << operand->width) - 1;
}

static void take(struct sfpu_insn *insn, enum field field, uint32_t value)
{
    switch (field) {
    case F_VA:
        insn->va = (uint8_t)value;
        break;
    case F_VB:
        insn->vb = (uint8_t)value;
        insn->has_vb = true;
        break;
    case F_VC:
        insn->vc = (uint8_t)value;
        insn->has_vc = true;
        break;
    case F_VD:
        insn->vd = (uint8_t)value;
        break;
    case F_MOD:
        insn->mod = (uint8_t)value;
        break;
    case F_IMM:
        insn->imm = (uint16_t)value;
        break;
    case F_ADDR_MOD:
        insn->addr_mod = (uint8_t)value;
        break;
    case F_ROUNDING:
        insn->rounding = (uint8_t)value;
        break;
    case F_NONE:
        break;
    }
}

bool sfpu_decode(const struct sfpu_words *w, uint32_t word, struct sfpu_insn *insn)
{
    unsigned op = 0;
    while (op < SFPU_OP_COUNT && (!w->info[op] || w->info[op]->opcode != word >> 24))
        op++;
    if (op == SFPU_OP_COUNT)
        return false;
    memset(insn, 0, sizeof *insn);
    insn->op = (uint8_t)op;
    insn->word = word;
    for (int i = 0; i < w->info[op]->operand_count; i++) {
        const tsr_operand_info *o = &w->info[op]->operands[i];
        take(insn, field_of(w, op, o->name), word >> o->first_bit & bits_of(o));
    }
    if (op == SFPU_SHFT2) { // VB is the low part of Imm12
        insn->vb = insn->imm & 15;
        insn->has_vb = true;
    }
    if (op == SFPU_LOADMACRO) {
        insn->macro = insn->vd >> 2;
        insn->vd = (uint8_t)((insn->imm & 1) << 2 | (insn->vd & 3));
    }
    return true;
}

uint32_t sfpu_encode(const struct sfpu_words *w, const struct sfpu_insn *insn)
{
    const tsr_instruction_info *info = w->info[insn->op];
    uint32_t word = (uint32_t)info->opcode << 24;
    bool macro = insn->op == SFPU_LOADMACRO;
    for (int i = 0; i < info->operand_count; i++) {
        const tsr_operand_info *o = &info->operands[i];
        uint32_t vd = macro ? (uint32_t)insn->macro << 2 | (insn->vd & 3) : insn->vd;
        uint32_t imm = macro ? (insn->imm & ~1u) | insn->vd >> 2 : insn->imm;
        const uint32_t values[] = {[F_NONE] = 0,
                                   [F_VA] = insn->va,
                                   [F_VB] = insn->vb,
                                   [F_VC] = insn->vc,
                                   [F_VD] = vd,
                                   [F_MOD] = insn->mod,
                                   [F_IMM] = imm,
                                   [F_ADDR_MOD] = insn->addr_mod,
                                   [F_ROUNDING] = insn->rounding};
        word |= (values[field_of(w, insn->op, o->name)] & bits_of(o)) << o->first_bit;
    }
    return word;
}

uint32_t sfpu_modifiers(unsigned op, bool blackhole)
{
    static const struct {
        uint8_t op;
        uint32_t wormhole, blackhole;
    } all[] = {
        {SFPU_LOAD, 0xffff, 0xffff},    {SFPU_STORE, 0xffff, 0xffff},
        {SFPU_LOADI, 0x0517, 0x0517},   {SFPU_LOADMACRO, 0xffff, 0xffff},
        {SFPU_ADD, 0x1111, 0xffff},     {SFPU_MAD, 0x1111, 0xffff},
        {SFPU_MUL, 0x1111, 0xffff},     {SFPU_ADDI, 0x0101, 0x0505},
        {SFPU_MULI, 0x0101, 0x0505},    {SFPU_LUT, 0x1111, 0x1111},
        {SFPU_LUTFP32, 0x55dd, 0x55dd}, {SFPU_MUL24, 0, 0x3333},
        {SFPU_SHFT2, 0x007f, 0x007f},   {SFPU_STOCH_RND, 0xffff, 0xffff},
        {SFPU_ABS, 0x0003, 0x0003},     {SFPU_AND, 0x0001, 0x0003},
        {SFPU_OR, 0x0001, 0x0003},      {SFPU_ARECIP, 0, 0x0007},
        {SFPU_CAST, 0xffff, 0xffff},    {SFPU_CONFIG, 0xffff, 0xffff},
        {SFPU_DIVP2, 0x0003, 0x0003},   {SFPU_ENCC, 0x0f0f, 0x0f0f},
        {SFPU_EXEXP, 0x0f0f, 0x0f0f},   {SFPU_EXMAN, 0x0003, 0x0003},
        {SFPU_GT, 0, 0xffff},           {SFPU_LE, 0, 0xffff},
        {SFPU_IADD, 0xffff, 0xffff},    {SFPU_LZ, 0xffff, 0xffff},
        {SFPU_MOV, 0xffff, 0xffff},     {SFPU_POPC, 0xffff, 0xffff},
        {SFPU_PUSHC, 0x0001, 0xffff},   {SFPU_SETCC, 0xffff, 0xffff},
        {SFPU_SETEXP, 0x0007, 0x0007},  {SFPU_SETMAN, 0x0003, 0x0003},
        {SFPU_SETSGN, 0x0003, 0x0003},  {SFPU_SHFT, 0xffff, 0xffff},
        {SFPU_SWAP, 0xffff, 0xffff},
    };
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].op == op)
            return blackhole ? all[i].blackhole : all[i].wormhole;
    return 1;
}
