// SPDX-License-Identifier: Apache-2.0
// Steps over the tokens of a line, sentences that name its place, and the table of symbols.
#include "ttasm/assembler.h"

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- sentences and small steps

bool fail_at(struct cursor *cursor, const struct token *token, const char *reason, ...)
{
    struct assembler *assembler = cursor->assembler;
    char text[500];
    va_list arguments;

    va_start(arguments, reason);
    vsnprintf(text, sizeof text, reason, arguments);
    va_end(arguments);
    if (token->kind == TOKEN_END)
        return message_set(assembler->why, "%s:%d: %s at the end of the line",
                           assembler->program->path, assembler->line, text);
    return message_set(assembler->why, "%s:%d: %s '%.80s'", assembler->program->path,
                       assembler->line, text, token->text);
}

bool fail_limit(struct assembler *assembler, const struct token *place, const char *reason, ...)
{
    char text[500];
    va_list arguments;

    va_start(arguments, reason);
    vsnprintf(text, sizeof text, reason, arguments);
    va_end(arguments);
    return message_set(assembler->why, "%s:%d:%d: %s", assembler->program->path, assembler->line,
                       place->column, text);
}

bool fail_plain(struct assembler *assembler, const struct message *reason)
{
    message_set(assembler->why, "%s:%d: %.500s", assembler->program->path, assembler->line,
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
    uint8_t code;

    if (strcmp(name, "wh") == 0)
        *value = TSR_WORMHOLE_B0;
    else if (strcmp(name, "bh") == 0)
        *value = TSR_BLACKHOLE_A0;
    else if (strcmp(name, "ARCH") == 0)
        *value = assembler->program->arch;
    else if (tsr_format_find(name, &code) == TSR_OK)
        *value = code;
    else
        return false;
    return true;
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
    if (builtin(assembler, token->text, &ignored))
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
