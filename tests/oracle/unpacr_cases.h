// SPDX-License-Identifier: Apache-2.0
// Random UNPACRs that reach no undefined point of their page: configuration, counters, L1 and the
// instructions, made on a model that judges them.
// Pages: UNPACR_Regular.md, Unpackers/FormatConversion.md, Packers/Compression.md.
#ifndef TESTS_ORACLE_UNPACR_CASES_H
#define TESTS_ORACLE_UNPACR_CASES_H

#include "oracle/unpacr_model.h"

#include <stddef.h>

enum { CASE_WORDS = 3, CASE_DIRTY = 64 };
enum { UNPACR_NO_LIMIT = 0x1ffff }; // as Unpack_limit_address: the input is no ring

struct unpacr_case {
    int thread;
    unsigned count;
    struct unpacr_word word[CASE_WORDS];
};

struct unpacr_dirty {
    uint32_t address, size;
};

struct unpacr_maker {
    uint64_t random;
    struct unpacr_model *m;     // what is there; configuration and counters are set in it
    struct unpacr_model *after; // what the case leaves; belongs to the maker
    struct unpacr_model *start; // what there was before anything was set; belongs to the maker
    struct unpacr_case now;
    // L1 that was changed for this case.
    struct unpacr_dirty dirty[CASE_DIRTY];
    unsigned dirty_count;
    bool dirty_all;
    uint64_t attempts, refused;
    // What the words of the case went through, all of them together.
    uint64_t paths[2];
};

uint32_t unpacr_random(uint64_t *random);
uint32_t unpacr_below(uint64_t *random, uint32_t limit); // 0 .. limit - 1

// Sets configuration and counters for words of one kind, and puts what they read into L1
// (unpacr_shape.c). They may still turn out to be undefined.
void unpacr_shape(struct unpacr_maker *g, int thread, unsigned unpacker);
void unpacr_note_dirty(struct unpacr_maker *g, uint32_t address, uint32_t size);

static inline uint32_t below(struct unpacr_maker *g, uint32_t limit)
{
    return unpacr_below(&g->random, limit);
}

static inline bool chance(struct unpacr_maker *g, uint32_t percent)
{
    return below(g, 100) < percent;
}

static inline uint32_t bits(struct unpacr_maker *g, unsigned count)
{
    return unpacr_random(&g->random) & (uint32_t)((1ull << count) - 1);
}

// Random numbers with many zeroes, ones, infinities and borders of formats among them.
void unpacr_fill(uint64_t *random, uint8_t *bytes, size_t size);
// Storages and threads' configuration for a new sequence of cases; L1 is the caller's.
void unpacr_begin(struct unpacr_maker *g, bool blackhole);
// The next case: g->now, starting from g->m and leading to g->after. The bank that it writes first
// may still be the matrix unit's; then it has one word.
void unpacr_next(struct unpacr_maker *g);
// A case that the page calls undefined, and why, starting from g->m.
const char *unpacr_next_undefined(struct unpacr_maker *g);

#endif
