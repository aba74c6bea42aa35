// SPDX-License-Identifier: Apache-2.0
// The public view of the instructions: names, operands, pages, by index, by mnemonic or by word.
#include "isa/isa.h"
#include "isa/isa_words.h"
#include "isa/row_macros.h"

#define OPERAND(name) static const char TEXT_##name[] = #name;
#include "machine/operands.def"

static const char UNIT_FRONTEND[] = "frontend";
static const char UNIT_UNPACKER[] = "unpacker";
static const char UNIT_MATRIX[] = "matrix";
static const char UNIT_VECTOR[] = "vector";
static const char UNIT_PACKER[] = "packer";
static const char UNIT_SCALAR[] = "scalar";
static const char UNIT_CONFIG[] = "config";
static const char UNIT_SYNC[] = "sync";
static const char UNIT_MISC[] = "misc";
static const char UNIT_MOVER[] = "mover";

#define PICK(wh, bh) wh
#define CHIP(name) wormhole_##name
#include "isa/instruction_rows.inc"
#undef PICK
#undef CHIP

#define PICK(wh, bh) bh
#define CHIP(name) blackhole_##name
#include "isa/instruction_rows.inc"
#undef PICK
#undef CHIP

static const tsr_instruction_info *const tables[TSR_ARCH_COUNT] = {wormhole_instructions,
                                                                   blackhole_instructions};
static const uint8_t *const kept[TSR_ARCH_COUNT] = {wormhole_present, blackhole_present};
static const int counts[TSR_ARCH_COUNT] = {sizeof wormhole_present, sizeof blackhole_present};

static const char *const operand_names[OPERAND_COUNT] = {
#define OPERAND(name) [OPERAND_##name] = TEXT_##name,
#include "machine/operands.def"
};

int tsr_instruction_count(tsr_arch arch)
{
    return (unsigned)arch < TSR_ARCH_COUNT ? counts[arch] : 0;
}

const tsr_instruction_info *tsr_instruction_at(tsr_arch arch, int index)
{
    if (index < 0 || index >= tsr_instruction_count(arch))
        return NULL;
    return &tables[arch][kept[arch][index]];
}

const tsr_instruction_info *tsr_instruction_find_word(tsr_arch arch, const char *word,
                                                      size_t length)
{
    char first = length > 0 ? tsr_lower(word[0]) : '\0'; // sets most of them aside
    for (int i = 0; i < tsr_instruction_count(arch); i++) {
        const tsr_instruction_info *info = &tables[arch][kept[arch][i]];
        if (tsr_lower(info->mnemonic[0]) == first && tsr_same_word(word, length, info->mnemonic))
            return info;
    }
    return NULL;
}

const tsr_instruction_info *tsr_instruction_find(tsr_arch arch, const char *mnemonic)
{
    size_t length = 0;
    if (!mnemonic)
        return NULL;
    while (mnemonic[length] != '\0')
        length++;
    return tsr_instruction_find_word(arch, mnemonic, length);
}

const tsr_instruction_info *tsr_instruction_decode(tsr_arch arch, uint32_t word)
{
    if ((unsigned)arch >= TSR_ARCH_COUNT)
        return NULL;
    const struct tsr_isa *isa = tsr_isa(arch);
    enum tsr_op op = tsr_op_of(isa, word);
    if (op == OP_NONE || tsr_reserved_bits(isa, op, word) != 0)
        return NULL;
    return &tables[arch][op];
}

const char *tsr_op_name(enum tsr_op op)
{
    return op == OP_NONE ? "" : blackhole_instructions[op].mnemonic;
}

const char *tsr_operand_name(enum tsr_operand_id id)
{
    return operand_names[id];
}
