// SPDX-License-Identifier: Apache-2.0
// What the parts of the assembler share while they go through a .ttasm file. Above this file,
// expression.c computes values; above that, tensor_directive.c places arrays and emit.c makes
// words; ttasm.c walks the lines and calls them.
#ifndef CLI_ASSEMBLER_H
#define CLI_ASSEMBLER_H

#include "common/nearest.h"
#include "ttasm/program.h"
#include "ttasm/source.h"

enum {
    MAX_SYMBOLS = 4096,
    MAX_LABELS = 1 << 18,
    MAX_DEPTH = 16,
    THREAD_WORDS = 256,
    MAX_TENSORS = 256
};

struct symbol {
    const char *name;
    int64_t value;
};

struct assembler {
    struct ttasm_program *program;
    struct ttasm_files *files;
    struct message *why;
    struct source source;
    struct text_place place;   // of the line that is being assembled
    const struct token *first; // of that line
    int thread;                // -1 before the first .thread
    bool words_only;           // for `tessera asm`: words need no .thread, tensors have no place
    // A stack: what a repetition defines is gone at the end of its round.
    struct symbol symbols[MAX_SYMBOLS];
    int symbol_count;
    size_t rounds[MAX_DEPTH]; // of the repetitions that are open, outermost first
    int depth;
    uint64_t steps; // lines and rounds; bounded, so that a typing error cannot take for ever
    // Labels by name: 1 + the index in the program, 0 for an empty slot.
    uint32_t label_slots[2 * MAX_LABELS];
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
// The same, and what may have been meant.
__attribute__((format(printf, 4, 5))) bool fail_near(struct cursor *cursor,
                                                     const struct token *token,
                                                     const struct nearest *nearest,
                                                     const char *reason, ...);
// The sentence `FILE:LINE:COLUMN: reason`, for a limit that a program exceeds.
__attribute__((format(printf, 3, 4))) bool
fail_limit(struct assembler *assembler, const struct token *place, const char *reason, ...);
// As fail_at() with the sentence alone, for reasons that quote their word themselves.
bool fail_plain(struct assembler *assembler, const struct message *reason);
bool fail_memory(struct assembler *assembler);

// If the next token is that sign (or word), step over it.
bool take_sign(struct cursor *cursor, const char *sign);
bool take_word(struct cursor *cursor, const char *word);
bool expect_sign(struct cursor *cursor, const char *sign);
bool expect_end(struct cursor *cursor);

// A symbol or a built-in name; false if it is neither.
bool symbol_value(const struct assembler *assembler, const char *name, int64_t *value);
// Offers every name that has a value here.
void offer_symbols(const struct assembler *assembler, struct nearest *nearest);
// Fails if the name is taken, `token` being the place.
bool define_symbol(struct cursor *cursor, const struct token *token, int64_t value);

#endif
