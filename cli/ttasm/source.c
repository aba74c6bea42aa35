// SPDX-License-Identifier: Apache-2.0
// Cuts .ttasm text into tokens (docs/ttasm.md, "Lines and words").
#include "ttasm/source.h"

#include "common/in_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILE = 64 << 20 };

struct lexer {
    struct source *source;
    const char *next, *end, *line_begin;
    int line;
    size_t token_count, token_capacity;
    int line_capacity;
    char *pool_next;
    struct message *why;
};

static bool name_begins(char c)
{
    return isalpha((unsigned char)c) || c == '_' || c == '.';
}

static bool name_goes_on(char c)
{
    return name_begins(c) || isdigit((unsigned char)c);
}

static bool add_token(struct lexer *lexer, enum token_kind kind, const char *text, size_t length,
                      int64_t value)
{
    struct source *source = lexer->source;

    if (lexer->token_count == lexer->token_capacity) {
        size_t capacity = lexer->token_capacity == 0 ? 1024 : 2 * lexer->token_capacity;
        struct token *grown = realloc(source->tokens, capacity * sizeof *grown);
        if (grown == NULL)
            return message_no_memory(lexer->why, source->path);
        source->tokens = grown;
        lexer->token_capacity = capacity;
    }
    memcpy(lexer->pool_next, text, length);
    lexer->pool_next[length] = '\0';
    int column = (int)(lexer->next - lexer->line_begin) + 1;
    source->tokens[lexer->token_count++] = (struct token){kind, lexer->pool_next, column, value};
    lexer->pool_next += length + 1;
    return true;
}

static bool bad_word(struct lexer *lexer, const char *reason, size_t length)
{
    return message_set(lexer->why, "%s:%d: %s '%.*s'", lexer->source->path, lexer->line, reason,
                       (int)(length > 80 ? 80 : length), lexer->next);
}

static size_t word_length(const struct lexer *lexer)
{
    size_t length = 0;

    while (lexer->next + length < lexer->end && name_goes_on(lexer->next[length]))
        length++;
    return length;
}

// "32x32": decimal numbers with x between them; the first is not 0, as 0x32 is hexadecimal.
static bool is_shape(const char *word, size_t length)
{
    bool digit = false;
    int parts = 1;

    if (word[0] == '0')
        return false;
    for (size_t i = 0; i < length; i++) {
        if (word[i] == 'x' && digit) {
            parts++;
            digit = false;
        } else if (isdigit((unsigned char)word[i])) {
            digit = true;
        } else {
            return false;
        }
    }
    return digit && parts > 1;
}

static bool number_value(const char *word, size_t length, int64_t *value)
{
    unsigned base = 10;
    size_t i = 0;

    if (length > 2 && word[0] == '0' && (word[1] == 'x' || word[1] == 'X'))
        base = 16;
    else if (length > 2 && word[0] == '0' && (word[1] == 'b' || word[1] == 'B'))
        base = 2;
    *value = 0;
    for (i = base == 10 ? 0 : 2; i < length; i++) {
        int digit = isdigit((unsigned char)word[i]) ? word[i] - '0'
                                                    : tolower((unsigned char)word[i]) - 'a' + 10;
        if (!isxdigit((unsigned char)word[i]) || digit >= (int)base ||
            __builtin_mul_overflow(*value, (int64_t)base, value) ||
            __builtin_add_overflow(*value, (int64_t)digit, value))
            return false;
    }
    return true;
}

static bool lex_number(struct lexer *lexer)
{
    size_t length = word_length(lexer);
    int64_t value = 0;
    bool shape = is_shape(lexer->next, length);

    if (!shape && !number_value(lexer->next, length, &value))
        return bad_word(lexer, "this is not a number", length);
    if (!add_token(lexer, shape ? TOKEN_SHAPE : TOKEN_NUMBER, lexer->next, length, value))
        return false;
    lexer->next += length;
    return true;
}

static bool lex_sign(struct lexer *lexer)
{
    static const char *const two[] = {"<<", ">>", "==", "!=", "<=", ">=", "&&", "||"};
    size_t length = 1, left = (size_t)(lexer->end - lexer->next);

    for (size_t i = 0; left >= 2 && i < sizeof two / sizeof two[0]; i++)
        if (memcmp(lexer->next, two[i], 2) == 0)
            length = 2;
    if (length == 1 && (*lexer->next == '\0' || strchr("=,()+-*/%&|^~<>!:", *lexer->next) == NULL))
        return bad_word(lexer, "unknown character", 1);
    if (!add_token(lexer, TOKEN_SIGN, lexer->next, length, 0))
        return false;
    lexer->next += length;
    return true;
}

static bool comment_begins(const struct lexer *lexer)
{
    char c = *lexer->next;

    return c == '#' || c == ';' ||
           (c == '/' && lexer->next + 1 < lexer->end && lexer->next[1] == '/');
}

static bool lex_line_tokens(struct lexer *lexer)
{
    while (lexer->next < lexer->end && *lexer->next != '\n') {
        char c = *lexer->next;
        if (c == ' ' || c == '\t' || c == '\r') {
            lexer->next++;
        } else if (comment_begins(lexer)) {
            const char *end = memchr(lexer->next, '\n', (size_t)(lexer->end - lexer->next));
            lexer->next = end == NULL ? lexer->end : end;
        } else if (isdigit((unsigned char)c)) {
            if (!lex_number(lexer))
                return false;
        } else if (name_begins(c)) {
            size_t length = word_length(lexer);
            if (!add_token(lexer, TOKEN_NAME, lexer->next, length, 0))
                return false;
            lexer->next += length;
        } else if (!lex_sign(lexer)) {
            return false;
        }
    }
    return true;
}

static bool add_line(struct lexer *lexer, size_t first_token)
{
    struct source *source = lexer->source;

    if (source->line_count == lexer->line_capacity) {
        int capacity = lexer->line_capacity == 0 ? 256 : 2 * lexer->line_capacity;
        struct source_line *grown = realloc(source->lines, (size_t)capacity * sizeof *grown);
        if (grown == NULL)
            return message_no_memory(lexer->why, source->path);
        source->lines = grown;
        lexer->line_capacity = capacity;
    }
    // `match` holds the first token's index until no more tokens can move (lex_all).
    source->lines[source->line_count++] =
        (struct source_line){.number = lexer->line, .match = (int)first_token};
    return true;
}

static bool lex_all(struct lexer *lexer)
{
    struct source *source = lexer->source;

    for (lexer->line = 1; lexer->next < lexer->end; lexer->line++) {
        size_t first = lexer->token_count;
        lexer->line_begin = lexer->next;
        if (!lex_line_tokens(lexer))
            return false;
        if (lexer->token_count > first &&
            (!add_token(lexer, TOKEN_END, "", 0, 0) || !add_line(lexer, first)))
            return false;
        lexer->next++; // the newline
    }
    // No token moves from here on.
    for (int i = 0; i < source->line_count; i++) {
        source->lines[i].tokens = &source->tokens[source->lines[i].match];
        source->lines[i].match = -1;
    }
    return true;
}

// ---------------------------------------------------------------- blocks

struct block_stack {
    int open[64]; // indices of .rep, .if and .else lines that are not closed yet
    int depth;
};

static bool bad_block(const struct source *source, int line, const char *reason,
                      struct message *why)
{
    return message_set(why, "%s:%d: %s '%s'", source->path, source->lines[line].number, reason,
                       source->lines[line].tokens[0].text);
}

static enum line_kind kind_of(const char *word)
{
    static const struct {
        const char *word;
        enum line_kind kind;
    } kinds[] = {{".rep", LINE_REP},
                 {".endr", LINE_ENDR},
                 {".if", LINE_IF},
                 {".else", LINE_ELSE},
                 {".endif", LINE_ENDIF}};

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(word, kinds[i].word) == 0)
            return kinds[i].kind;
    return LINE_PLAIN;
}

static bool close_block(struct source *source, struct block_stack *stack, int line,
                        struct message *why)
{
    enum line_kind kind = source->lines[line].kind;

    if (stack->depth == 0)
        return bad_block(source, line, "nothing is open here", why);
    int open = stack->open[--stack->depth];
    enum line_kind opened = source->lines[open].kind;
    bool fits = kind == LINE_ENDR ? opened == LINE_REP
                                  : opened == LINE_IF || (opened == LINE_ELSE && kind != LINE_ELSE);
    if (!fits)
        return bad_block(source, line, "this does not close the block that is open", why);
    source->lines[open].match = line;
    if (kind == LINE_ELSE)
        stack->open[stack->depth++] = line;
    return true;
}

static bool pair_blocks(struct source *source, struct message *why)
{
    struct block_stack stack = {.depth = 0};

    for (int i = 0; i < source->line_count; i++) {
        struct source_line *line = &source->lines[i];
        line->kind = kind_of(line->tokens[0].text);
        if (line->kind == LINE_REP || line->kind == LINE_IF) {
            if (stack.depth == (int)(sizeof stack.open / sizeof stack.open[0]))
                return bad_block(source, i, "blocks are nested too deeply", why);
            stack.open[stack.depth++] = i;
        } else if (line->kind != LINE_PLAIN && !close_block(source, &stack, i, why)) {
            return false;
        }
    }
    if (stack.depth > 0)
        return bad_block(source, stack.open[stack.depth - 1], "this block is never closed", why);
    return true;
}

// ---------------------------------------------------------------- files

bool source_parse(struct source *source, const char *path, const char *text, size_t size,
                  struct message *why)
{
    struct lexer lexer = {.source = source, .next = text, .end = text + size, .why = why};

    *source = (struct source){.path = path};
    // Every token takes its characters and a terminator, every line an empty text more.
    source->pool = malloc(3 * size + 16);
    if (source->pool == NULL)
        return message_no_memory(why, path);
    lexer.pool_next = source->pool;
    if (lex_all(&lexer) && pair_blocks(source, why))
        return true;
    source_free(source);
    return false;
}

bool source_read(struct source *source, const char *path, struct message *why)
{
    size_t size;
    char *text = in_read(path, MAX_FILE, &size, why);
    bool ok = text != NULL && source_parse(source, path, text, size, why);

    free(text);
    return ok;
}

void source_free(struct source *source)
{
    free(source->lines);
    free(source->tokens);
    free(source->pool);
    *source = (struct source){0};
}
