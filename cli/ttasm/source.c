// SPDX-License-Identifier: Apache-2.0
// Cuts .ttasm text into tokens, and puts files in the place of .include (docs/ttasm.md, "Lines and
// words", "Including files").
#include "ttasm/source.h"

#include "ttasm/source_file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAX_INCLUDED = 1000, MAX_INCLUDE_DEPTH = 16 };

struct lexer {
    struct source *source;
    struct text_place place;
    const char *next, *end, *line_begin;
    // The files that are open, the one that was given first.
    struct source_file open[MAX_INCLUDE_DEPTH];
    int depth;
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
            return message_no_memory(lexer->why, lexer->place.path);
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
    return message_set(lexer->why, "%s:%d: %s '%.*s'", lexer->place.path, lexer->place.line, reason,
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

// False if this is no number. `large`: it is one, and `value` cannot hold it.
static bool number_value(const char *word, size_t length, int64_t *value, bool *large)
{
    unsigned base = 10;
    size_t i = 0;

    if (length > 2 && word[0] == '0' && (word[1] == 'x' || word[1] == 'X'))
        base = 16;
    else if (length > 2 && word[0] == '0' && (word[1] == 'b' || word[1] == 'B'))
        base = 2;
    *value = 0;
    *large = false;
    for (i = base == 10 ? 0 : 2; i < length; i++) {
        int digit = isdigit((unsigned char)word[i]) ? word[i] - '0'
                                                    : tolower((unsigned char)word[i]) - 'a' + 10;
        if (!isxdigit((unsigned char)word[i]) || digit >= (int)base)
            return false;
        *large |= __builtin_mul_overflow(*value, (int64_t)base, value) ||
                  __builtin_add_overflow(*value, (int64_t)digit, value);
    }
    return true;
}

static bool lex_number(struct lexer *lexer)
{
    size_t length = word_length(lexer);
    int64_t value = 0;
    bool shape = is_shape(lexer->next, length), large = false;

    if (!shape && !number_value(lexer->next, length, &value, &large))
        return bad_word(lexer, "this is not a number", length);
    if (large)
        return bad_word(lexer, "a number has 63 bits at most, unlike", length);
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
        return bad_word(lexer, "unknown character", utf8_length(lexer->next, left));
    if (!add_token(lexer, TOKEN_SIGN, lexer->next, length, 0))
        return false;
    lexer->next += length;
    return true;
}

static bool lex_string(struct lexer *lexer)
{
    const char *begin = lexer->next + 1;
    size_t length = 0;

    while (begin + length < lexer->end && begin[length] != '"' && begin[length] != '\n')
        length++;
    if (begin + length == lexer->end || begin[length] == '\n')
        return bad_word(lexer, "the closing quote is missing", length + 1);
    if (!add_token(lexer, TOKEN_STRING, begin, length, 0))
        return false;
    lexer->next = begin + length + 1;
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
        } else if (c == '"') {
            if (!lex_string(lexer))
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
            return message_no_memory(lexer->why, lexer->place.path);
        source->lines = grown;
        lexer->line_capacity = capacity;
    }
    // `match` holds the first token's index until no more tokens can move (lex_files).
    source->lines[source->line_count++] =
        (struct source_line){.place = lexer->place, .match = (int)first_token};
    return true;
}

// ---------------------------------------------------------------- files

static bool lex_file(struct lexer *lexer, const char *path);

// A path counts from the folder of the file that names it.
static char *included_path(const char *from, const char *path)
{
    const char *slash = strrchr(from, '/');
    size_t folder = slash == NULL || path[0] == '/' ? 0 : (size_t)(slash - from) + 1;
    char *whole = malloc(folder + strlen(path) + 1);

    if (whole != NULL)
        sprintf(whole, "%.*s%s", (int)folder, from, path);
    return whole;
}

static bool bad_include(struct lexer *lexer, const char *reason)
{
    return message_set(lexer->why, "%s:%d: %s", lexer->place.path, lexer->place.line, reason);
}

// Puts the file that a line names in its place.
static bool include_line(struct lexer *lexer, size_t first_token)
{
    const struct token *name = &lexer->source->tokens[first_token + 1];
    struct lexer outer = *lexer;

    if (name[0].kind != TOKEN_STRING || name[1].kind != TOKEN_END)
        return bad_include(lexer, "'.include' takes one path in quotes: .include \"FILE\"");
    if (lexer->depth == MAX_INCLUDE_DEPTH)
        return bad_include(lexer, "files are included too deeply");
    char *path = included_path(lexer->place.path, name->text);
    if (path == NULL)
        return message_no_memory(lexer->why, lexer->place.path);
    bool ok = lex_file(lexer, path);
    free(path);
    lexer->place = outer.place;
    lexer->next = outer.next;
    lexer->end = outer.end;
    lexer->pool_next = outer.pool_next;
    return ok;
}

static bool lex_lines(struct lexer *lexer)
{
    const struct source *source = lexer->source;

    for (lexer->place.line = 1; lexer->next < lexer->end; lexer->place.line++) {
        size_t first = lexer->token_count;
        lexer->line_begin = lexer->next;
        if (!lex_line_tokens(lexer))
            return false;
        lexer->next++; // the newline
        if (lexer->token_count == first)
            continue;
        if (!add_token(lexer, TOKEN_END, "", 0, 0))
            return false;
        bool include = strcasecmp(source->tokens[first].text, ".include") == 0;
        if (!(include ? include_line(lexer, first) : add_line(lexer, first)))
            return false;
    }
    return true;
}

// The path and the pool of one more file.
static bool begin_file(struct lexer *lexer, const char *path, size_t size)
{
    struct source *source = lexer->source;
    // Every token takes its characters and a terminator, every line an empty text more.
    char *kept = strdup(path), *pool = malloc(3 * size + 16);

    if (kept != NULL && pool != NULL) {
        source->paths[source->file_count] = kept;
        source->pools[source->file_count++] = pool;
        lexer->place.path = kept;
        lexer->pool_next = pool;
        return true;
    }
    free(kept);
    free(pool);
    return message_no_memory(lexer->why, path);
}

static bool is_circle(const struct lexer *lexer, const struct source_file *file)
{
    for (int i = 0; i < lexer->depth; i++)
        if (file->number != 0 && lexer->open[i].device == file->device &&
            lexer->open[i].number == file->number)
            return true;
    return false;
}

static bool lex_file(struct lexer *lexer, const char *path)
{
    struct source_file file;
    struct message reason;

    if (lexer->source->file_count == MAX_INCLUDED)
        return bad_include(lexer, "too many files are included");
    if (!source_file_read(&file, path, &reason)) {
        if (lexer->depth == 0)
            *lexer->why = reason;
        else
            message_set(lexer->why, "%s:%d: .include: %.500s", lexer->place.path, lexer->place.line,
                        reason.text);
        lexer->why->status = reason.status;
        return false;
    }
    bool ok =
        !is_circle(lexer, &file) || message_set(lexer->why, "%s:%d: this file includes itself '%s'",
                                                lexer->place.path, lexer->place.line, path);
    lexer->open[lexer->depth++] = file;
    lexer->next = file.text;
    lexer->end = file.text + file.size;
    ok = ok && begin_file(lexer, path, file.size) && lex_lines(lexer);
    lexer->depth--;
    free(file.text);
    return ok;
}

static bool lex_files(struct lexer *lexer, const char *path)
{
    struct source *source = lexer->source;

    source->paths = calloc(MAX_INCLUDED, sizeof *source->paths);
    source->pools = calloc(MAX_INCLUDED, sizeof *source->pools);
    if (source->paths == NULL || source->pools == NULL)
        return message_no_memory(lexer->why, path);
    if (!lex_file(lexer, path))
        return false;
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
    const struct source_line *at = &source->lines[line];

    return message_set(why, "%s:%d: %s '%s'", at->place.path, at->place.line, reason,
                       at->tokens[0].text);
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
        if (strcasecmp(word, kinds[i].word) == 0)
            return kinds[i].kind;
    return LINE_PLAIN;
}

static bool close_block(struct source *source, struct block_stack *stack, int line,
                        struct message *why)
{
    enum line_kind kind = source->lines[line].kind;

    // A block begins and ends in one file.
    if (stack->depth == 0 ||
        source->lines[stack->open[stack->depth - 1]].place.path != source->lines[line].place.path)
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

bool source_read(struct source *source, const char *path, struct message *why)
{
    struct lexer lexer = {.source = source, .why = why};

    *source = (struct source){.line_count = 0};
    return lex_files(&lexer, path) && pair_blocks(source, why);
}

void source_free(struct source *source)
{
    for (size_t i = 0; i < source->file_count; i++)
        free(source->pools[i]);
    free(source->pools);
    free(source->lines);
    free(source->tokens);
    *source = (struct source){0};
}
