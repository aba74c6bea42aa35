// SPDX-License-Identifier: Apache-2.0
// What the parts of the generator share: features of a case, random numbers, random datums.
// Pages: as pacr_model.h.
#ifndef TESTS_ORACLE_PACR_MAKER_H
#define TESTS_ORACLE_PACR_MAKER_H

#include "oracle/pacr_cases.h"

// What a case may have besides a pack without options.
// clang-format off
enum feature {
    HAS_RELU, HAS_MASKS, HAS_FACES, HAS_INFINITY, HAS_TRANSPOSED, HAS_THRESHOLD, HAS_DOWNSAMPLE,
    HAS_STATISTICS, HAS_COMPRESSION, HAS_ZERO_WRITE, HAS_L1_SOURCE, HAS_ACCUMULATION, HAS_OFFSET,
    HAS_WRAP, HAS_RELATIVE, HAS_STEPS, HAS_OVRD, HAS_OVERRIDE, HAS_ODD, HAS_COUNTERS1, HAS_REMAP,
    HAS_STRIDE, HAS_AUTO, HAS_PAD, HAS_TWO_FORMATS, HAS_PART_ROW, HAS_BURST, HAS_CONTEXTS,
    HAS_OTHER_WIDTH, FEATURES
};
// clang-format on

static inline bool has(const struct pacr_maker *g, enum feature feature)
{
    return g->features >> feature & 1;
}

static inline uint32_t below(struct pacr_maker *g, uint32_t end)
{
    return pacr_below(&g->random, end);
}

static inline bool chance(struct pacr_maker *g, uint32_t of)
{
    return pacr_below(&g->random, of) == 0;
}

static inline uint32_t any(struct pacr_maker *g, unsigned bits)
{
    return pacr_random(&g->random) >> (32 - bits);
}

// Conversions evenly, then one of the ways to ask for it.
const struct pacr_pair *pacr_choose_formats(struct pacr_maker *g);
uint32_t pacr_any_float(struct pacr_maker *g, uint32_t center, unsigned spread);
uint32_t pacr_any_half(struct pacr_maker *g, uint32_t center, unsigned spread);
// What is accumulated onto must be of the same kind as what comes.
void pacr_prepare_l1(struct pacr_maker *g, uint32_t address, uint32_t size);

#endif
