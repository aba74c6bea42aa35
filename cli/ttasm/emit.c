// SPDX-License-Identifier: Apache-2.0
// Statements that become words: instructions with named operands, and `cfg`, which expands to
// SETC16, RMWCIB0..3 or WRCFG (SETC16.md, RMWCIB.md, WRCFG.md; docs/ttasm.md, "cfg").
#include "ttasm/emit.h"

#include "ttasm/expression.h"

#include <string.h>

enum { MAX_WORDS = 1 << 24, MAX_CFG_WORDS = 32, GPR_COUNT = 64 };

bool emit_word(struct cursor *cursor, uint32_t word)
{
    struct assembler *assembler = cursor->assembler;

    if (assembler->thread < 0 && assembler->words_only)
        assembler->thread = 0;
    if (assembler->thread < 0)
        return fail_at(cursor, assembler->first, "an instruction stands before the first .thread");
    struct ttasm_stream *stream = &assembler->program->threads[assembler->thread];
    if (stream->count == MAX_WORDS)
        return fail_limit(assembler, assembler->first, "thread %d has more than %d words",
                          assembler->thread, MAX_WORDS);
    return ttasm_append(stream, word, assembler->place) || fail_memory(assembler);
}

// ---------------------------------------------------------------- instructions

const tsr_operand_info *find_operand(const tsr_instruction_info *info, const char *name)
{
    for (int i = 0; i < info->operand_count; i++)
        if (strcmp(info->operands[i].name, name) == 0)
            return &info->operands[i];
    return NULL;
}

static bool unknown_operand(struct cursor *cursor, const tsr_instruction_info *info,
                            const struct token *name)
{
    struct nearest nearest = nearest_to(name->text);

    if (name->kind == TOKEN_END)
        return fail_at(cursor, name, "an operand is missing");
    for (int i = 0; i < info->operand_count; i++)
        nearest_offer(&nearest, info->operands[i].name);
    return fail_near(cursor, name, &nearest, "%s has no such operand", info->mnemonic);
}

static bool unknown_mnemonic(struct cursor *cursor, const struct token *mnemonic)
{
    tsr_arch arch = cursor->assembler->program->arch;
    tsr_arch other = arch == TSR_WORMHOLE_B0 ? TSR_BLACKHOLE_A0 : TSR_WORMHOLE_B0;
    struct nearest nearest = nearest_to(mnemonic->text);

    if (tsr_instruction_find(other, mnemonic->text) != NULL)
        return fail_at(cursor, mnemonic, "only %s, not %s, has instruction", tsr_arch_name(other),
                       tsr_arch_name(arch));
    for (int i = 0; i < tsr_instruction_count(arch); i++)
        nearest_offer(&nearest, tsr_instruction_at(arch, i)->mnemonic);
    return fail_near(cursor, mnemonic, &nearest, "%s has no such instruction", tsr_arch_name(arch));
}

static bool unknown_field(struct cursor *cursor, const struct token *name)
{
    tsr_arch arch = cursor->assembler->program->arch;
    tsr_arch other = arch == TSR_WORMHOLE_B0 ? TSR_BLACKHOLE_A0 : TSR_WORMHOLE_B0;
    struct nearest nearest = nearest_to(name->text);

    if (name->kind == TOKEN_END)
        return fail_at(cursor, name, "a configuration field is missing");
    if (tsr_field_find(other, name->text) != NULL)
        return fail_at(cursor, name, "only %s, not %s, has configuration field",
                       tsr_arch_name(other), tsr_arch_name(arch));
    for (int i = 0; i < tsr_field_count(arch); i++)
        nearest_offer(&nearest, tsr_field_at(arch, i)->name);
    return fail_near(cursor, name, &nearest, "%s has no such configuration field",
                     tsr_arch_name(arch));
}

static uint32_t operand_mask(const tsr_operand_info *operand)
{
    return (uint32_t)(((UINT64_C(1) << operand->width) - 1) << operand->first_bit);
}

// NAME=VALUE into `word`; `given` has the bits of the operands that came before.
static bool parse_operand(struct cursor *cursor, const tsr_instruction_info *info, uint32_t *word,
                          uint32_t *given)
{
    const struct token *name = cursor->next++;
    const tsr_operand_info *operand = find_operand(info, name->text);
    int64_t value;

    if (name->kind != TOKEN_NAME || operand == NULL)
        return unknown_operand(cursor, info, name);
    if ((*given & operand_mask(operand)) != 0)
        return fail_at(cursor, name, "this operand is given twice");
    *given |= operand_mask(operand);
    if (!expect_sign(cursor, "=") || !expression(cursor, &value))
        return false;
    if (value < 0 || value >> operand->width != 0)
        return fail_at(cursor, name, "%lld does not fit the %d bits of operand", (long long)value,
                       operand->width);
    *word |= (uint32_t)value << operand->first_bit;
    return true;
}

// SETC16 written out by hand changes what later `cfg` statements must preserve.
static void follow_setc16(struct assembler *assembler, const tsr_instruction_info *info,
                          uint32_t word)
{
    const tsr_operand_info *reg = find_operand(info, "setc16_reg");
    const tsr_operand_info *value = find_operand(info, "setc16_value");

    if (strcmp(info->mnemonic, "SETC16") != 0 || reg == NULL || value == NULL)
        return;
    assembler->thread_words[assembler->thread][(word & operand_mask(reg)) >> reg->first_bit] =
        (uint16_t)((word & operand_mask(value)) >> value->first_bit);
}

bool instruction_statement(struct cursor *cursor)
{
    struct assembler *assembler = cursor->assembler;
    tsr_arch arch = assembler->program->arch;
    const struct token *mnemonic = cursor->next++;
    const tsr_instruction_info *info = tsr_instruction_find(arch, mnemonic->text);
    uint32_t given = 0;

    if (info == NULL)
        return unknown_mnemonic(cursor, mnemonic);
    uint32_t word = (uint32_t)info->opcode << 24;
    for (bool comma = false; cursor->next->kind != TOKEN_END || comma;) {
        if (!parse_operand(cursor, info, &word, &given))
            return false;
        comma = take_sign(cursor, ",");
    }
    if (!emit_word(cursor, word))
        return false;
    follow_setc16(assembler, info, word);
    return true;
}

// ---------------------------------------------------------------- cfg

// A 32-bit word (16 bits of it for thread scope) that a `cfg` statement changes.
struct cfg_word {
    bool thread_scope;
    uint16_t addr32;
    uint32_t mask, data;
};

struct cfg_change {
    struct cfg_word words[MAX_CFG_WORDS];
    int count;
};

static struct cfg_word *cfg_word_of(struct cfg_change *change, const tsr_field_info *field)
{
    bool thread_scope = field->scope == TSR_SCOPE_THREAD;

    for (int i = 0; i < change->count; i++)
        if (change->words[i].thread_scope == thread_scope &&
            change->words[i].addr32 == field->addr32)
            return &change->words[i];
    if (change->count == MAX_CFG_WORDS)
        return NULL;
    change->words[change->count] = (struct cfg_word){thread_scope, field->addr32, 0, 0};
    return &change->words[change->count++];
}

static bool add_field(struct cursor *cursor, struct cfg_change *change, const struct token *name,
                      const tsr_field_info *field, int64_t value)
{
    if (field->width > 32)
        return fail_at(cursor, name, "%d bits are more than one word; name a part of field",
                       field->width);
    uint32_t mask = (uint32_t)(((UINT64_C(1) << field->width) - 1) << field->first_bit);
    struct cfg_word *word = cfg_word_of(change, field);

    if (value < 0 || value >> field->width != 0)
        return fail_at(cursor, name, "%lld does not fit the %d bits of field", (long long)value,
                       field->width);
    if (word == NULL)
        return fail_at(cursor, name, "one cfg changes more than %d words", MAX_CFG_WORDS);
    if ((word->mask & mask) != 0)
        return fail_at(cursor, name, "one cfg gives these bits twice");
    word->mask |= mask;
    word->data |= (uint32_t)value << field->first_bit;
    return true;
}

// Words are made from operand names, so that the rows of the machine stay the only place that knows
// where an operand lies.
static bool emit_built(struct cursor *cursor, const char *mnemonic, const char *const names[],
                       const uint32_t values[], int count)
{
    tsr_arch arch = cursor->assembler->program->arch;
    const tsr_instruction_info *info = tsr_instruction_find(arch, mnemonic);

    if (info == NULL)
        return fail_at(cursor, cursor->next, "%s has no %s", tsr_arch_name(arch), mnemonic);
    uint32_t word = (uint32_t)info->opcode << 24;
    for (int i = 0; i < count; i++) {
        const tsr_operand_info *operand = find_operand(info, names[i]);
        if (operand == NULL || (uint64_t)values[i] >> operand->width != 0)
            return fail_at(cursor, cursor->next, "%s cannot take %s=%u", mnemonic, names[i],
                           values[i]);
        word |= values[i] << operand->first_bit;
    }
    return emit_word(cursor, word);
}

static bool emit_setc16(struct cursor *cursor, const struct cfg_word *change)
{
    static const char *const names[] = {"setc16_reg", "setc16_value"};
    struct assembler *assembler = cursor->assembler;

    if (assembler->thread < 0 && assembler->words_only)
        assembler->thread = 0;
    if (assembler->thread < 0 || change->addr32 >= THREAD_WORDS)
        return fail_at(cursor, assembler->first, "a cfg stands before the first .thread");
    uint16_t *shadow = &assembler->thread_words[assembler->thread][change->addr32];
    uint32_t value = (*shadow & ~change->mask) | change->data;
    uint32_t values[] = {change->addr32, value & 0xffff};
    *shadow = (uint16_t)value;
    return emit_built(cursor, "SETC16", names, values, 2);
}

static bool emit_rmwcib(struct cursor *cursor, const struct cfg_word *change)
{
    static const char *const mnemonics[] = {"RMWCIB0", "RMWCIB1", "RMWCIB2", "RMWCIB3"};
    static const char *const names[] = {"CfgRegAddr", "Data", "Mask"};

    for (int byte = 0; byte < 4; byte++) {
        uint32_t mask = change->mask >> (8 * byte) & 0xff;
        uint32_t values[] = {change->addr32, change->data >> (8 * byte) & 0xff, mask};
        if (mask != 0 && !emit_built(cursor, mnemonics[byte], names, values, 3))
            return false;
    }
    return true;
}

static bool emit_wrcfg(struct cursor *cursor, const struct token *name, const tsr_field_info *field)
{
    static const char *const names[] = {"GprAddress", "CfgReg"};
    const struct token *place = cursor->next;
    int64_t gpr;

    if (!expression(cursor, &gpr))
        return false;
    if (gpr < 0 || gpr >= GPR_COUNT)
        return fail_at(cursor, place, "there is no GPR %lld", (long long)gpr);
    if (field->scope == TSR_SCOPE_THREAD)
        return fail_at(cursor, name, "no GPR can be written to a field of the thread");
    if (field->width != 32)
        return fail_at(cursor, name,
                       "a GPR is written as a whole word, and this field has %d "
                       "bits",
                       field->width);
    uint32_t values[] = {(uint32_t)gpr, field->addr32};
    return emit_built(cursor, "WRCFG", names, values, 2);
}

bool cfg_statement(struct cursor *cursor)
{
    tsr_arch arch = cursor->assembler->program->arch;
    struct cfg_change change = {.count = 0};

    do {
        const struct token *name = cursor->next++;
        const tsr_field_info *field =
            name->kind == TOKEN_NAME ? tsr_field_find(arch, name->text) : NULL;
        int64_t value;
        if (field == NULL)
            return unknown_field(cursor, name);
        if (!expect_sign(cursor, "="))
            return false;
        if (take_word(cursor, "gpr")) {
            if (!emit_wrcfg(cursor, name, field))
                return false;
        } else if (!expression(cursor, &value) || !add_field(cursor, &change, name, field, value)) {
            return false;
        }
    } while (take_sign(cursor, ","));
    if (!expect_end(cursor))
        return false;
    for (int i = 0; i < change.count; i++) {
        const struct cfg_word *word = &change.words[i];
        if (!(word->thread_scope ? emit_setc16(cursor, word) : emit_rmwcib(cursor, word)))
            return false;
    }
    return true;
}
