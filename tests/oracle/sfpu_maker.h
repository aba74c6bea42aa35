// SPDX-License-Identifier: Apache-2.0
// Random programs of the vector unit that the pages define, and what of the unit they reach.
// Pages: as sfpu_model.h.
#ifndef TESTS_ORACLE_SFPU_MAKER_H
#define TESTS_ORACLE_SFPU_MAKER_H

#include "oracle/sfpu_model.h"

enum { SFPU_WORDS_MAX = 256, SFPU_BURST = 14 };

struct sfpu_program {
    bool blackhole, macros;
    bool few; // different values only
    uint32_t prng_seed;
    uint64_t dst_seed;
    struct sfpu_config config;
    struct sfpu_rwc rwc[3];
    unsigned count;
    uint32_t word[SFPU_WORDS_MAX];
    uint8_t thread[SFPU_WORDS_MAX];
    bool idle_before[SFPU_WORDS_MAX]; // everything ends before this word is given
};

struct sfpu_counts {
    uint64_t words, programs;
    uint64_t op[SFPU_OP_COUNT][16]; // by modifier
    uint64_t scheduled[SFPU_OP_COUNT];
    uint64_t discarded, to_staging;
};

// The model as it is before the program's first word, but for LRegs 0 to 7, which the first eight
// words load from Dst.
void sfpu_program_start(const struct sfpu_program *p, struct sfpu_model *m,
                        const struct sfpu_words *words);
// Whether everything ends before a word is given: where the maker says so, and between threads.
bool sfpu_program_pauses(const struct sfpu_program *p, unsigned i);
// One word of it, and the pause before it.
void sfpu_program_step(const struct sfpu_program *p, struct sfpu_model *m, unsigned i);
// With SFPLOADMACRO or without. `m` is left as it is behind the last word.
void sfpu_make(struct sfpu_program *p, struct sfpu_model *m, const struct sfpu_words *words,
               uint64_t seed, bool macros, struct sfpu_counts *counts);
// Puts eight registers where the first words of a program load them from.
void sfpu_lregs_to_dst(struct sfpu_model *m, uint32_t value[8][SFPU_LANES]);

#endif
