// SPDX-License-Identifier: Apache-2.0
// Steps over the tokens of a line, sentences that name its place, and the table of symbols.
#include "ttasm/assembler.h"

#include "common/format_list.h"

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- sentences and small steps

__attribute__((format(printf, 4, 0))) static bool fail_with(struct cursor *cursor,
                                                            const struct token *token,
                                                            const char *after, const char *reason,
                                                            va_list arguments)
{
    struct assembler *assembler = cursor->assembler;
    struct text_place place = assembler->place;
    char text[500];

    vsnprintf(text, sizeof text, reason, arguments);
    if (token->kind == TOKEN_END)
        return message_set(assembler->why, "%s:%d: %s at the end of the line", place.path,
                           place.line, text);
    return message_set(assembler->why, "%s:%d: %s '%.80s'%s", place.path, place.line, text,
                       token->text, after);
}

bool fail_at(struct cursor *cursor, const struct token *token, const char *reason, ...)
{
    va_list arguments;

    va_start(arguments, reason);
    fail_with(cursor, token, "", reason, arguments);
    va_end(arguments);
    return false;
}

bool fail_near(struct cursor *cursor, const struct token *token, const struct nearest *nearest,
               const char *reason, ...)
{
    va_list arguments;

    va_start(arguments, reason);
    fail_with(cursor, token, nearest_text(nearest).text, reason, arguments);
    va_end(arguments);
    return false;
}

bool fail_limit(struct assembler *assembler, const struct token *place, const char *reason, ...)
{
    char text[500];
    va_list arguments;

    va_start(arguments, reason);
    vsnprintf(text, sizeof text, reason, arguments);
    va_end(arguments);
    return message_set(assembler->why, "%s:%d:%d: %s", assembler->place.path, assembler->place.line,
                       place->column, text);
}

bool fail_plain(struct assembler *assembler, const struct message *reason)
{
    message_set(assembler->why, "%s:%d: %.500s", assembler->place.path, assembler->place.line,
                reason->text);
    assembler->why->status = reason->status;
    return false;
}

bool fail_memory(struct assembler *assembler)
{
    return message_no_memory(assembler->why, assembler->program->path);
}

static bool take(struct cursor *cursor, enum token_kind kind, const char *text)
{
    if (cursor->next->kind != kind || strcmp(cursor->next->text, text) != 0)
        return false;
    cursor->next++;
    return true;
}

bool take_sign(struct cursor *cursor, const char *sign)
{
    return take(cursor, TOKEN_SIGN, sign);
}

bool take_word(struct cursor *cursor, const char *word)
{
    return take(cursor, TOKEN_NAME, word);
}

bool expect_sign(struct cursor *cursor, const char *sign)
{
    return take_sign(cursor, sign) ||
           fail_at(cursor, cursor->next, "a '%s' is missing before this", sign);
}

bool expect_end(struct cursor *cursor)
{
    return cursor->next->kind == TOKEN_END ||
           fail_at(cursor, cursor->next, "the line should end before this");
}

// ---------------------------------------------------------------- symbols

static bool builtin(const struct assembler *assembler, const char *name, int64_t *value)
{
    uint32_t constant;
    uint8_t code;

    if (strcmp(name, "wh") == 0)
        *value = TSR_WORMHOLE_B0;
    else if (strcmp(name, "bh") == 0)
        *value = TSR_BLACKHOLE_A0;
    else if (strcmp(name, "ARCH") == 0)
        *value = assembler->program->arch;
    else if (tsr_format_find(name, &code) == TSR_OK)
        *value = code;
    else if (tsr_constant_find(assembler->program->arch, name, &constant) == TSR_OK)
        *value = constant;
    else
        return false;
    return true;
}

// The part before the dot of constants is no name for anything else.
static bool begins_constants(const struct assembler *assembler, const char *name)
{
    tsr_constant_info constant;
    size_t length = strlen(name);

    for (int i = 0; tsr_constant_at(assembler->program->arch, i, &constant) == TSR_OK; i++)
        if (strncmp(constant.name, name, length) == 0 && constant.name[length] == '.')
            return true;
    return false;
}

void offer_symbols(const struct assembler *assembler, struct nearest *nearest)
{
    const struct ttasm_program *program = assembler->program;
    tsr_constant_info constant;

    for (int i = 0; i < assembler->symbol_count; i++)
        nearest_offer(nearest, assembler->symbols[i].name);
    for (size_t i = 0; i < program->tensor_count; i++)
        nearest_offer(nearest, program->tensors[i].name);
    for (uint8_t code = 0; code < FORMAT_CODES; code++)
        if (is_format(code))
            nearest_offer(nearest, tsr_format_name(code));
    for (int i = 0; tsr_constant_at(program->arch, i, &constant) == TSR_OK; i++)
        nearest_offer(nearest, constant.name);
}

static const struct symbol *find_symbol(const struct assembler *assembler, const char *name)
{
    for (int i = assembler->symbol_count - 1; i >= 0; i--)
        if (strcmp(assembler->symbols[i].name, name) == 0)
            return &assembler->symbols[i];
    return NULL;
}

bool symbol_value(const struct assembler *assembler, const char *name, int64_t *value)
{
    const struct symbol *symbol = find_symbol(assembler, name);

    if (symbol == NULL)
        return builtin(assembler, name, value);
    *value = symbol->value;
    return true;
}

bool define_symbol(struct cursor *cursor, const struct token *token, int64_t value)
{
    struct assembler *assembler = cursor->assembler;
    int64_t ignored;

    if (token->kind != TOKEN_NAME || strchr(token->text, '.') != NULL)
        return fail_at(cursor, token, "this cannot be a symbol's name");
    if (builtin(assembler, token->text, &ignored) || begins_constants(assembler, token->text))
        return fail_at(cursor, token, "this name is built in");
    if (find_symbol(assembler, token->text) != NULL)
        return fail_at(cursor, token, "this symbol is defined already");
    if (find_tensor(assembler->program, token->text, strlen(token->text)) != NULL)
        return fail_at(cursor, token, "a tensor has this name already");
    if (assembler->symbol_count == MAX_SYMBOLS)
        return fail_at(cursor, token, "there are more than %d symbols", MAX_SYMBOLS);
    assembler->symbols[assembler->symbol_count++] = (struct symbol){token->text, value};
    return true;
}
