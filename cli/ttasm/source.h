// SPDX-License-Identifier: Apache-2.0
// The text of a .ttasm file, and of those that it includes, as lines of tokens.
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
    TOKEN_STRING, // "what stands in quotes"; `text` is without them
    TOKEN_SIGN    // an operator or a punctuation mark
};

struct token {
    enum token_kind kind;
    const char *text;
    int column;    // of its first character, from 1
    int64_t value; // of a number
};

enum line_kind { LINE_PLAIN, LINE_REP, LINE_ENDR, LINE_IF, LINE_ELSE, LINE_ENDIF };

// Where something stands. Paths are kept by the program that was assembled.
struct text_place {
    const char *path;
    int line; // from 1; 0: not known
};

struct source_line {
    struct text_place place;
    enum line_kind kind;
    const struct token *tokens; // up to and with a TOKEN_END
    int match;                  // index of the line that ends this part of a block
};

struct source {
    struct source_line *lines; // those that hold something
    int line_count;
    struct token *tokens;
    // Of each file in the order of reading, the same file twice if it is included twice.
    char **paths, **pools; // a pool has the texts of the file's tokens
    size_t file_count;
};

// Reads the file and what it includes, cuts them into tokens and pairs .rep with .endr and .if with
// .else and .endif. Free the source in any case.
bool source_read(struct source *source, const char *path, struct message *why);
// All but the paths, which the caller frees.
void source_free(struct source *source);

#endif
