// SPDX-License-Identifier: Apache-2.0
// What the two halves of the model share: the local variables of the page's pseudocode.
// Page: UNPACR_Regular.md.
#ifndef TESTS_ORACLE_UNPACR_JOB_H
#define TESTS_ORACLE_UNPACR_JOB_H

#include "oracle/unpacr_model.h"

enum { SIXTEEN_BYTES = 256, NIBBLE = 8 }; // in sixteenths of bytes

// What the page's pseudocode has in local variables.
struct unpacr_job {
    struct unpacr_model *m;
    const struct unpacr_word *word;
    const char *undefined;
    int thread;
    unsigned u, context, adc;
    const uint32_t *config;
    bool is_uncompressed;
    uint32_t xdim, ydim, zdim, wdim;
    struct unpacr_conversion conversion;
    uint32_t size; // of a datum
    int64_t row_starts, exponents, datums, deltas;
    int64_t first;
    uint32_t input_count;
    uint32_t drop, output_count;
    uint32_t row_width;
    int64_t row_stride;
    bool tileize, transpose, to_dst;
    uint32_t out;
    unsigned zeroes, col_shift;
    bool skips;
};

static inline void took(const struct unpacr_job *j, enum unpacr_path path)
{
    j->m->paths[path / 64] |= 1ull << (path % 64);
}

static inline void took_if(const struct unpacr_job *j, bool condition, enum unpacr_path path)
{
    if (condition)
        took(j, path);
}

static inline void undefined(struct unpacr_job *j, const char *why)
{
    if (!j->undefined)
        j->undefined = why;
}

// The input side (unpacr_input.c): where the datums begin and how many there are; then one after
// the other.
void unpacr_input_begin(struct unpacr_job *j);
uint32_t unpacr_next_datum(struct unpacr_job *j, uint32_t i); // i: from 1
uint8_t unpacr_next_exponent(struct unpacr_job *j);
unsigned unpacr_next_delta(struct unpacr_job *j);

#endif
