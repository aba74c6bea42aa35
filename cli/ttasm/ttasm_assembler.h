// SPDX-License-Identifier: Apache-2.0
// What the parts of the assembler share while they go through a .ttasm file: ttasm_parse.c walks
// the lines, ttasm_expr.c computes values, ttasm_tensor.c places arrays, ttasm_emit.c makes words.
#ifndef CLI_TTASM_ASSEMBLER_H
#define CLI_TTASM_ASSEMBLER_H

#include "ttasm/ttasm.h"
#include "ttasm/ttasm_source.h"

enum { MAX_SYMBOLS = 4096, MAX_DEPTH = 16, THREAD_WORDS = 256, MAX_TENSORS = 256 };

struct symbol {
    const char *name;
    int64_t value;
};

struct assembler {
    struct ttasm_program *program;
    struct ttasm_files *files;
    struct message *why;
    struct source source;
    int line;   // number of the line that is being assembled
    int thread; // -1 before the first .thread
    // A stack: what a repetition defines is gone at the end of its round.
    struct symbol symbols[MAX_SYMBOLS];
    int symbol_count;
    size_t rounds[MAX_DEPTH]; // of the repetitions that are open, outermost first
    int depth;
    uint64_t lines_done; // over all rounds; bounded, so that a typing error cannot take for ever
    // What SETC16 has written into each thread's own words so far, so that a field can be changed
    // without its neighbours.
    uint16_t thread_words[TSR_THREADS][THREAD_WORDS];
};

// Where the assembler is in a line.
struct cursor {
    struct assembler *assembler;
    const struct token *next;
};

// Sets the sentence `FILE:LINE: reason 'word'` and returns false.
__attribute__((format(printf, 3, 4))) bool fail_at(struct cursor *cursor, const struct token *token,
                                                   const char *reason, ...);
// The same with the sentence alone, for reasons that quote their word themselves.
bool fail_plain(struct assembler *assembler, const struct message *reason);

// If the next token is that sign (or word), step over it.
bool take_sign(struct cursor *cursor, const char *sign);
bool take_word(struct cursor *cursor, const char *word);
bool expect_sign(struct cursor *cursor, const char *sign);
bool expect_end(struct cursor *cursor);

// ttasm_expr.c
bool expression(struct cursor *cursor, int64_t *value);
// Fails if the name is taken, `token` being the place.
bool define_symbol(struct cursor *cursor, const struct token *token, int64_t value);

// ttasm_tensor.c
struct tensor *find_tensor(struct assembler *assembler, const char *name, size_t length);
bool tensor_directive(struct cursor *cursor);
// Every --in and --out must have found its tensor.
bool all_files_used(struct assembler *assembler);

// ttasm_emit.c
bool emit_word(struct cursor *cursor, uint32_t word);
bool instruction_statement(struct cursor *cursor);
bool cfg_statement(struct cursor *cursor);

// ttasm_map.c
bool map_issue(struct ttasm_program *program, int thread);

#endif
