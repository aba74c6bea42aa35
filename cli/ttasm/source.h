// SPDX-License-Identifier: Apache-2.0
// The text of a .ttasm file as lines of tokens.
#ifndef CLI_SOURCE_H
#define CLI_SOURCE_H

#include "common/message.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum token_kind {
    TOKEN_END,    // of the line; `text` is ""
    TOKEN_NAME,   // identifier, directive (leading dot), or both with dots inside
    TOKEN_NUMBER, // decimal, 0x…, 0b…
    TOKEN_SHAPE,  // 32x32, 2x64x64
    TOKEN_SIGN    // an operator or a punctuation mark
};

struct token {
    enum token_kind kind;
    const char *text;
    int column;    // of its first character, from 1
    int64_t value; // of a number
};

enum line_kind { LINE_PLAIN, LINE_REP, LINE_ENDR, LINE_IF, LINE_ELSE, LINE_ENDIF };

struct source_line {
    int number;
    enum line_kind kind;
    const struct token *tokens; // up to and with a TOKEN_END
    int match;                  // index of the line that ends this part of a block
};

struct source {
    const char *path;
    struct source_line *lines; // those that hold something
    int line_count;
    struct token *tokens;
    char *pool; // the tokens' texts
};

// Reads the file, cuts it into tokens and pairs .rep with .endr and .if with .else and .endif.
bool source_read(struct source *source, const char *path, struct message *why);
// The same for a text in memory.
bool source_parse(struct source *source, const char *path, const char *text, size_t size,
                  struct message *why);
void source_free(struct source *source);

#endif
