// SPDX-License-Identifier: Apache-2.0
// The compressor in two passes over a row: what is kept, and where it lies.
// Page: Packers/Compression.md.
#include "oracle/compressor.h"

#include <stdbool.h>

enum { GROUP = 32, LONGEST_RUN = 15, ROW_STARTS_MAX = 65535 };

static uint32_t up16(uint32_t bytes)
{
    return (bytes + 15) & ~15u;
}

static void put_bits(uint8_t *l1, uint32_t address, uint32_t first_bit, unsigned count,
                     uint32_t value)
{
    for (unsigned i = 0; i < count; i++) {
        uint32_t bit = first_bit + i;
        uint8_t *byte = &l1[address + bit / 8], one = (uint8_t)(1u << bit % 8);
        *byte = value >> i & 1 ? *byte | one : *byte & (uint8_t)~one;
    }
}

// Whether the datum at `i` of a row is dropped, when `run` were dropped right before it.
static bool drops(const uint32_t *datum, uint32_t i, uint32_t length, unsigned run)
{
    return datum[i] == 0 && i != 0 && i != length - 1 && run < LONGEST_RUN;
}

static uint32_t count_kept(const uint32_t *datum, uint32_t length)
{
    uint32_t kept = 0;
    unsigned run = 0;
    for (uint32_t i = 0; i < length; i++) {
        bool dropped = drops(datum, i, length, run);
        run = dropped ? run + 1 : 0;
        kept += !dropped;
    }
    return kept;
}

struct stream {
    uint8_t *l1;
    uint32_t address, bits, kept;
};

static uint32_t group_address(const struct stream *s, uint32_t index)
{
    return s->address + index / GROUP * (GROUP * s->bits / 8 + GROUP / 2);
}

static void put_datum(struct stream *s, uint32_t datum)
{
    put_bits(s->l1, group_address(s, s->kept), s->kept % GROUP * s->bits, s->bits, datum);
    s->kept++;
}

static void put_count(struct stream *s, uint32_t index, uint32_t count)
{
    uint32_t counts = group_address(s, index) + GROUP * s->bits / 8;
    put_bits(s->l1, counts, index % GROUP * 4, 4, count);
}

static void put_row(struct stream *s, const uint32_t *datum, uint32_t length)
{
    unsigned run = 0;
    for (uint32_t i = 0; i < length; i++) {
        if (drops(datum, i, length, run)) {
            put_count(s, s->kept - 1, ++run);
            continue;
        }
        run = 0;
        put_count(s, s->kept, 0);
        put_datum(s, datum[i]);
    }
}

struct compressor_result compressor_write(uint8_t *l1, uint32_t size, uint32_t address,
                                          const struct compressor_tile *tile)
{
    struct compressor_result result = {.row_starts = address};
    const uint32_t *datum = tile->datum;
    for (uint32_t row = 0; row < tile->rows; datum += tile->row_length[row++])
        result.kept += count_kept(datum, tile->row_length[row]);
    result.exponents = address + up16((tile->rows + 1) * 2);
    result.datums = result.exponents + up16(tile->exponent_section);
    struct stream s = {l1, result.datums, tile->bits, 0};
    result.end = group_address(&s, result.kept + GROUP - 1);
    if (result.end > size || result.end < address || result.kept > ROW_STARTS_MAX)
        return (struct compressor_result){0};
    datum = tile->datum;
    for (uint32_t row = 0; row <= tile->rows; row++) {
        put_bits(l1, address, row * 16, 16, s.kept);
        if (row == tile->rows)
            break;
        put_row(&s, datum, tile->row_length[row]);
        datum += tile->row_length[row];
    }
    for (uint32_t i = 0; i < (result.kept + 15) / 16 && i < tile->exponent_section; i++)
        l1[result.exponents + i] = tile->exponent[i];
    return result;
}
