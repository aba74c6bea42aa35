// SPDX-License-Identifier: Apache-2.0
// Compression: zeroes become the count that each kept datum has of those after it. Three streams
// come out: where rows start, exponents of blocks, and datums with a line of counts after every
// 32. Which zeroes go is decision 11; how rows and sections end is docs/errata.md.
// Page: Packers/Compression.md.
#include "pack/pack_compress.h"

#include "pack/pack_assembly.h"

#include <string.h>

enum { GROUP = 32, COUNT_MAX = 15, FLAGS = 32 };

static void put_row_start(struct tsr_pack_sink *sink)
{
    uint32_t datums = sink->packer->rows.datums;
    uint8_t bytes[2] = {(uint8_t)datums, (uint8_t)(datums >> 8)};
    tsr_pack_append_overwriting(sink, &sink->packer->row_starts, bytes, sizeof bytes, false);
}

// The counts of 32 datums, known once the 32nd can get no more zeroes.
static void put_counts(struct tsr_pack_sink *sink)
{
    struct tsr_pack_rows *rows = &sink->packer->rows;
    tsr_pack_flush(sink, &sink->packer->data); // only datums of two bits leave a partial line
    tsr_pack_append_overwriting(sink, &sink->packer->data, rows->counts, sizeof rows->counts,
                                false);
    memset(rows->counts, 0, sizeof rows->counts);
}

static void keep_datum(struct tsr_pack_sink *sink, uint32_t pattern, bool tainted)
{
    struct tsr_pack_rows *rows = &sink->packer->rows;
    if (rows->datums > 0 && rows->datums % GROUP == 0)
        put_counts(sink);
    tsr_pack_put(sink, &pattern, 1, tainted);
    rows->datums++;
    rows->dropped = 0;
}

// A held zero turns out not to be the last of its row.
static void drop_held(struct tsr_pack_sink *sink)
{
    struct tsr_pack_rows *rows = &sink->packer->rows;
    rows->held = false;
    if (rows->dropped == COUNT_MAX) {
        keep_datum(sink, 0, rows->held_tainted);
        return;
    }
    unsigned last = (rows->datums - 1) % GROUP;
    rows->dropped++;
    rows->counts[last / 2] = (uint8_t)(rows->counts[last / 2] + (1u << (last % 2 * 4)));
}

void tsr_pack_begin_row(struct tsr_pack_sink *sink)
{
    struct tsr_pack_rows *rows = &sink->packer->rows;
    if (!rows->begun) {
        memset(rows, 0, sizeof *rows);
        rows->begun = true;
        put_row_start(sink);
    }
    if (!rows->open) {
        rows->open = rows->first = rows->all_zero = true;
        rows->held = false;
    }
}

void tsr_pack_compress(struct tsr_pack_sink *sink, const uint32_t *patterns, unsigned count,
                       bool tainted)
{
    struct tsr_pack_rows *rows = &sink->packer->rows;
    for (unsigned i = 0; i < count; i++) {
        bool zero = patterns[i] == 0;
        rows->all_zero &= zero;
        if (rows->held)
            drop_held(sink);
        if (zero && !rows->first) {
            rows->held = true;
            rows->held_tainted = tainted;
        } else {
            keep_datum(sink, patterns[i], tainted);
            rows->first = false;
        }
    }
}

void tsr_pack_end_row(struct tsr_pack_sink *sink)
{
    struct tsr_packer *packer = sink->packer;
    struct tsr_pack_rows *rows = &packer->rows;
    if (rows->held)
        keep_datum(sink, 0, rows->held_tainted);
    rows->held = rows->open = false;
    put_row_start(sink);
    if (rows->all_zero && rows->row < FLAGS)
        packer->all_zero_flags |= 1u << rows->row;
    if (rows->row < FLAGS)
        rows->row++;
}

// The last 32 datums are filled up with zeroes, which have no exponents, and get their counts.
void tsr_pack_end_rows(struct tsr_pack_sink *sink)
{
    struct tsr_pack_rows *rows = &sink->packer->rows;
    const struct tsr_pack_config *config = &sink->part->config;
    const uint8_t zero[4 * GROUP] = {0};
    if (rows->open)
        tsr_pack_end_row(sink);
    unsigned spare = (GROUP - rows->datums % GROUP) % GROUP;
    if (sink->packer->group.count) {
        unsigned filled = 16u - sink->packer->group.count;
        spare = spare > filled ? spare - filled : 0;
        tsr_pack_end_group(sink);
    }
    if (rows->datums > 0) {
        tsr_pack_append(sink, &sink->packer->data, zero, spare * (size_t)config->out_bits / 8,
                        false);
        put_counts(sink);
    }
    rows->begun = false;
}
