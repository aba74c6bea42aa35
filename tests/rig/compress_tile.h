// SPDX-License-Identifier: Apache-2.0
// Writes a tile in the compressed format: row starts, exponents, and groups of 32 datums with a
// four-bit count of the zeroes after each. Page: Packers/Compression.md; decision 11 says which
// zeroes are dropped: all but a row's first and last datum and those after a count of 15.
#ifndef TESTS_RIG_COMPRESS_TILE_H
#define TESTS_RIG_COMPRESS_TILE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { COMPRESS_MOST = 4096 };

struct sparse_tile {
    unsigned rows, columns, bits; // bits of a datum
    bool blocks;                  // with an exponent for every 16 datums that are kept
    uint32_t datum[COMPRESS_MOST];
    uint8_t exponent[COMPRESS_MOST / 16];
};

struct compressed_tile {
    uint32_t kept;                 // datums
    uint16_t place[COMPRESS_MOST]; // of each datum of the tile among those, or of the one before it
    bool dropped[COMPRESS_MOST];
    uint32_t size;
    uint8_t bytes[8 * COMPRESS_MOST];
};

static inline void compress_put(uint8_t *bytes, uint32_t bit, unsigned size, uint32_t value)
{
    for (unsigned i = 0; i < size; i++)
        bytes[(bit + i) / 8] |= (uint8_t)((value >> i & 1) << ((bit + i) % 8));
}

static inline uint32_t compress_round_up(uint32_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

// Which datums stay; `zeroes` counts those dropped after each.
static inline void compress_choose(const struct sparse_tile *t, struct compressed_tile *c,
                                   uint8_t *zeroes)
{
    for (unsigned i = 0; i < t->rows * t->columns; i++) {
        unsigned column = i % t->columns;
        bool edge = column == 0 || column == t->columns - 1;
        c->dropped[i] = t->datum[i] == 0 && !edge && zeroes[c->kept - 1] < 15;
        if (c->dropped[i])
            zeroes[c->kept - 1]++;
        else
            c->kept++;
        c->place[i] = (uint16_t)(c->kept - 1);
    }
}

static inline void compress_tile(const struct sparse_tile *t, struct compressed_tile *c)
{
    uint8_t zeroes[COMPRESS_MOST] = {0};
    unsigned datums = t->rows * t->columns;
    memset(c, 0, sizeof *c);
    compress_choose(t, c, zeroes);
    for (unsigned row = 0; row <= t->rows; row++) // a row's first datum is kept
        compress_put(c->bytes, 16 * row, 16, row < t->rows ? c->place[row * t->columns] : c->kept);
    c->size = compress_round_up(2 * (t->rows + 1));
    if (t->blocks) {
        memcpy(c->bytes + c->size, t->exponent, (datums + 15) / 16);
        c->size += compress_round_up((datums + 15) / 16);
    }
    uint32_t group = 4 * t->bits + 16; // bytes
    for (unsigned i = 0; i < datums; i++) {
        uint32_t place = c->place[i], at = 8 * (c->size + place / 32 * group);
        if (c->dropped[i])
            continue;
        compress_put(c->bytes, at + place % 32 * t->bits, t->bits, t->datum[i]);
        compress_put(c->bytes, at + 32 * t->bits + place % 32 * 4, 4, zeroes[place]);
    }
    c->size += (c->kept + 31) / 32 * group;
}

#endif
