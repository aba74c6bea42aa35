// SPDX-License-Identifier: Apache-2.0
// The model's input side: sections of a tile, seeking in it, the ring, and reading.
// Addresses within L1 count sixteenths of bytes, so that quarters of bytes and sixteenths of an
// exponent's byte are whole numbers.
// Pages: UNPACR_Regular.md, Packers/Compression.md.
#include "oracle/unpacr_job.h"

#include <stddef.h>

static uint32_t read_l1(struct unpacr_job *j, int64_t at, uint32_t size)
{
    uint32_t result = 0;
    if (at < 0 || at + size > (int64_t)j->m->l1_size * 16) {
        undefined(j, "an address outside L1");
        return 0;
    }
    for (uint32_t bit = 0; bit < size / 2; bit++) {
        int64_t bit_address = at / 2 + bit;
        result |= (uint32_t)(j->m->l1[bit_address / 8] >> (bit_address % 8) & 1) << bit;
    }
    return result;
}

static int64_t round_up16(int64_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

static void lay_out_sections(struct unpacr_job *j)
{
    const uint32_t *c = j->config;
    bool own = j->word->multi && j->context != 0;
    uint32_t base = c[U_BASE0 + (own ? j->context : 0)];
    uint32_t offset = c[U_OFFSET0 + (own ? j->context & 3 : 0)] & 0xffff;
    if (j->m->fault == FAULT_OFFSET_OF_CONTEXT7 && j->context == 7)
        offset = 0;
    int64_t address = (uint32_t)((base + offset + 1 + c[U_DIGEST]) * 16);
    took_if(j, c[U_DIGEST] != 0, PATH_DIGEST);
    if (!j->is_uncompressed) {
        int64_t planes = (int64_t)j->zdim * j->wdim;
        int64_t rows = planes * (c[U_BLOBS] ? c[U_BLOBS] : j->ydim);
        j->row_starts = address * 16;
        address += round_up16((rows + 1) * 2);
        took(j, PATH_COMPRESSED);
        took_if(j, c[U_BLOBS] != 0 && !j->word->row_search, PATH_COMPRESSED_BLOBS);
    }
    unsigned in = j->conversion.in;
    if (unpacr_is_bfp(in) && !c[U_FORCE_EXP]) {
        j->exponents = address * 16;
        took(j, PATH_EXP_SECTION);
        took_if(j, !j->is_uncompressed, PATH_COMPRESSED_BFP);
        if (in == F_BFP8 || in == F_BFP8A || !c[U_NO_EXP_SECTION]) {
            int64_t elements = (int64_t)j->xdim * j->ydim * j->zdim * j->wdim;
            address += round_up16((elements + 15) / 16);
        } else {
            took(j, PATH_NO_EXP_SECTION);
        }
    }
    j->datums = address * 16;
}

static uint32_t blob_start(struct unpacr_job *j, unsigned index)
{
    const uint32_t *c = j->config;
    uint64_t all = (uint64_t)c[U_BLOBS_Y_HIGH] << 16 | c[U_BLOBS_Y_LOW];
    if (j->word->multi && j->u == 0) {
        unsigned pair = j->m->fault == FAULT_BLOBS_PAIR ? j->context & 1 : (j->context & 2) / 2;
        all = c[U_BLOBS_PAIR0 + pair];
        took(j, PATH_ROW_SEARCH_BLOBS_CONTEXT);
    }
    if (index > 7) {
        undefined(j, "a ninth blob");
        return 0;
    }
    return (uint32_t)(all >> (4 * index) & 15) << 4;
}

static int64_t plane(const struct unpacr_job *j)
{
    unsigned set = j->m->fault == FAULT_ZW_OF_OTHER_ADC ? j->adc : (unsigned)j->thread;
    const struct unpacr_adc *zw = &j->m->adc[set][j->u][0];
    return (int64_t)(zw->w & 0xff) * j->zdim + (zw->z & 0xff);
}

static void select_uncompressed(struct unpacr_job *j)
{
    const struct unpacr_adc *xy = &j->m->adc[j->adc][j->u][0];
    uint32_t end = j->m->adc[j->adc][j->u][1].x;
    uint32_t xpos = xy->x, ypos = xy->y & 0xff, xend = end + 1;
    unsigned blobs = j->config[U_BLOBS];
    if (j->word->row_search && blobs) {
        took(j, PATH_ROW_SEARCH_BLOBS);
        xpos = blob_start(j, xy->y & 7);
        ypos = 0;
        unsigned next = (xy->x & 7) + 1;
        took_if(j, next == blobs, PATH_BLOBS_LAST);
        xend = next == blobs ? j->xdim & 0x1f0 : blob_start(j, next);
    } else if (j->word->row_search) {
        took(j, PATH_ROW_SEARCH);
        xpos = 0;
        xend = end;
    }
    uint32_t limit = j->size > 16 ? 8192 * 16 / j->size : 8192;
    if (xpos >= limit || xend > limit)
        undefined(j, "X beyond 8192 bytes");
    if (xend < xpos)
        undefined(j, "X runs backwards");
    j->first = (plane(j) * j->ydim + ypos) * j->xdim + xpos;
    j->input_count = xend - xpos;
}

static void select_compressed(struct unpacr_job *j)
{
    const struct unpacr_adc *xy = &j->m->adc[j->adc][j->u][0];
    uint32_t end = j->m->adc[j->adc][j->u][1].x;
    bool search = j->word->row_search;
    if (search && j->config[U_BLOBS])
        j->ydim = j->config[U_BLOBS];
    int64_t row = j->row_starts + plane(j) * j->ydim * 32;
    j->first = read_l1(j, row + (int64_t)(xy->y & 0xff) * 32, 32);
    took_if(j, j->first % 32 != 0, PATH_COMPRESSED_MID_GROUP);
    if (search) {
        took(j, j->config[U_BLOBS] ? PATH_COMPRESSED_SEARCH_BLOBS : PATH_COMPRESSED_SEARCH);
        j->input_count = read_l1(j, row + (int64_t)((xy->x & 0xff) + 1) * 32, 32);
        j->input_count -= (uint32_t)j->first;
    } else if (xy->x == 0 && (int64_t)end == (int64_t)j->xdim - 1) {
        took(j, PATH_ROW_WHOLE);
        j->input_count = read_l1(j, row + (int64_t)((xy->y & 0xff) + 1) * 32, 32);
        j->input_count -= (uint32_t)j->first;
    } else {
        took(j, PATH_ROW_PART);
        j->drop = xy->x;
        j->output_count = end + 1 - j->drop;
        j->input_count = UINT32_MAX;
        if (j->m->fault == FAULT_DROP_ONE_LESS && j->drop > 0)
            j->drop--;
    }
}

static bool wrap(struct unpacr_job *j, int64_t *address)
{
    const uint32_t *c = j->config;
    bool other = j->m->blackhole && c[U_LIMIT10_EN];
    int64_t limit = (int64_t)c[other ? U_LIMIT10 : U_LIMIT] * SIXTEEN_BYTES;
    int64_t size = (int64_t)c[other ? U_FIFO10 : U_FIFO] * SIXTEEN_BYTES;
    took_if(j, *address == limit, PATH_AT_LIMIT);
    if (*address < limit || (*address == limit && j->m->fault != FAULT_WRAP_AT_LIMIT))
        return false;
    *address -= size;
    took_if(j, other, PATH_LIMIT10);
    return size > 0;
}

static void seek(struct unpacr_job *j)
{
    bool exponents = unpacr_is_bfp(j->conversion.in) && !j->config[U_FORCE_EXP];
    j->exponents += j->m->fault == FAULT_EXP_OF_ROW ? j->first / 16 * 16 : j->first;
    if (j->is_uncompressed) {
        j->datums += j->first * j->size;
    } else {
        j->datums += j->first / 32 * (32 * j->size + 32 * NIBBLE);
        j->deltas = j->datums + 32 * j->size;
        j->datums += j->first % 32 * j->size;
        j->deltas += j->first % 32 * NIBBLE;
    }
    if (exponents)
        took_if(j, wrap(j, &j->exponents), PATH_WRAP_EXP_FIRST);
    took_if(j, wrap(j, &j->datums), PATH_WRAP_DATUMS_FIRST);
    if (!j->is_uncompressed)
        took_if(j, wrap(j, &j->deltas), PATH_WRAP_DELTAS_FIRST);
    j->row_width = j->m->blackhole && j->size > 16 ? 32 : 16;
    j->tileize = j->config[U_TILEIZE];
    j->row_stride = (int64_t)j->size * j->row_width;
    if (!j->tileize)
        return;
    took(j, j->u ? PATH_TILEIZE_SRCB : PATH_TILEIZE);
    took_if(j, j->row_width == 32, PATH_TILEIZE_WIDE);
    if (j->size < 16)
        undefined(j, "tileize of datums below a byte");
    const uint32_t *shift = j->config + U_SHIFT0;
    j->row_stride = (int64_t)(shift[0] << 4 | shift[1] << 8 | shift[2] << 12) * 16;
}

// ---------------------------------------------------------------- reading

static void reach(uint32_t *first, uint32_t *last, int64_t at)
{
    uint32_t address = (uint32_t)(at / 16);
    *first = *first < address ? *first : address;
    *last = *last > address ? *last : address;
}

uint8_t unpacr_next_exponent(struct unpacr_job *j)
{
    if (!unpacr_is_bfp(j->conversion.in))
        return 0;
    if (j->config[U_FORCE_EXP]) {
        took(j, PATH_FORCED_EXP);
        return (uint8_t)j->config[U_SHARED_EXP];
    }
    j->m->bad_exponent = (uint32_t)(j->exponents / 16);
    reach(&j->m->first_exponent, &j->m->last_exponent, j->exponents);
    uint8_t exponent = (uint8_t)read_l1(j, j->exponents / 16 * 16, 16);
    j->exponents++;
    if (j->exponents % SIXTEEN_BYTES == 0)
        took_if(j, wrap(j, &j->exponents), PATH_WRAP_EXP_LATER);
    return exponent;
}

unsigned unpacr_next_delta(struct unpacr_job *j)
{
    if (j->is_uncompressed)
        return 0;
    unsigned delta = read_l1(j, j->deltas, NIBBLE);
    if (j->m->fault == FAULT_DELTA_ROTATED)
        delta = read_l1(j, j->deltas ^ NIBBLE, NIBBLE);
    took_if(j, delta, PATH_DELTAS);
    j->deltas += NIBBLE;
    if (j->deltas % SIXTEEN_BYTES == 0) {
        if (j->m->fault != FAULT_GROUP_NOT_SKIPPED)
            j->datums += SIXTEEN_BYTES;
        j->deltas += 32 * j->size;
        took_if(j, wrap(j, &j->deltas), PATH_WRAP_DELTAS_LATER);
    }
    return delta;
}

uint32_t unpacr_next_datum(struct unpacr_job *j, uint32_t i)
{
    reach(&j->m->first_address, &j->m->last_address, j->datums);
    uint32_t bits = read_l1(j, j->datums, j->size);
    j->datums += j->size;
    if (i % j->row_width == 0) {
        j->datums -= (int64_t)j->size * j->row_width;
        j->datums += j->row_stride;
        took_if(j, wrap(j, &j->datums), PATH_WRAP_DATUMS_LATER);
    }
    return bits;
}

void unpacr_input_begin(struct unpacr_job *j)
{
    lay_out_sections(j);
    if (j->is_uncompressed)
        select_uncompressed(j);
    else
        select_compressed(j);
    seek(j);
}
