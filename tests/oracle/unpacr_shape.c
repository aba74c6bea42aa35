// SPDX-License-Identifier: Apache-2.0
// What a case looks like: each function decides one thing, aims at what the page allows, and sets
// the fields, counters and bytes that say so. What nothing reads is noise.
// Pages: as unpacr_cases.h.
#include "oracle/unpacr_cases.h"

#include "oracle/compressor.h"

enum { MAX_COMPRESSED = 6000, TILE_ROOM = 4096 };

// What is decided for a case before fields are set.
struct shape {
    struct unpacr_maker *g;
    struct unpacr_word word;
    int thread;
    unsigned u, context, adc;
    uint32_t *c;
    bool to_dst, compressed, bfp, transpose, tileize, by_row;
    unsigned in, out, size16, zeroes;
    uint32_t xdim, ydim, zdim, wdim;
    uint32_t y0, z0, w0;  // of channel 0
    uint32_t count, room; // datums to move, places for them
    uint32_t address;     // of the tile, after its header
};

static uint32_t pick(struct unpacr_maker *g, const uint16_t *list, uint32_t count)
{
    return list[below(g, count)];
}

// ---------------------------------------------------------------- what is wanted

// The largest value that a field may be given, as noise where nothing reads it.
static uint32_t noise_bits(const struct unpacr_maker *g, unsigned field)
{
    bool bh = g->m->blackhole;
    if (field >= U_BASE0 && field < U_OFFSET0)
        return 17;
    if ((field >= U_OFFSET0 && field < U_UNCOMPRESSED0) ||
        (field >= U_DEST0 && field < U_BLOBS_PAIR0) || field == U_XDIM)
        return 16;
    if (field >= U_UNCOMPRESSED0 && field < U_IN_FORMAT0)
        return 1;
    if (field >= U_IN_FORMAT0 && field < U_DEST0)
        return 4;
    switch (field) {
    case U_IN_FORMAT:
    case U_OUT_FORMAT:
        return 4;
    case U_BLOBS:
    case U_NON_LOG2:
        return field == U_BLOBS || bh ? 3 : 0;
    case U_BLOBS_Y_LOW:
    case U_BLOBS_Y_HIGH:
        return 16;
    case U_BLOBS_PAIR0:
    case U_BLOBS_PAIR0 + 1:
        return 32;
    case U_YDIM:
    case U_ZDIM:
    case U_WDIM:
    case U_SHARED_EXP:
        return 8;
    case U_CONTEXT_COUNT:
        return 2;
    case U_FIFO:
        return 17;
    case U_FIFO10:
    case U_LIMIT10:
        return bh ? 17 : 0;
    case U_EXP4:
    case U_NON_LOG2_EN:
    case U_OVRD_THROTTLE:
        return bh;
    case U_IS_UNCOMPRESSED:
    case U_IF_SEL:
    case U_OVERRIDE:
    case U_SET_UPD:
    case U_INTERLEAVE:
    case U_ADD_DEST:
    case U_UNSIGNED:
        return 1;
    default:
        return 0;
    }
}

static void choose_word(struct shape *s)
{
    struct unpacr_maker *g = s->g;
    struct unpacr_model *m = g->m;
    struct unpacr_word *w = &s->word;
    uint32_t *offset = &m->thread[s->thread][T_OFFSET0 + s->u];
    w->unpacker = (uint8_t)s->u;
    w->multi = chance(g, 85);
    w->use_counter = chance(g, 20);
    w->context = (uint8_t)bits(g, 3);
    w->adc = (uint8_t)(chance(g, 60) ? s->thread : (int)below(g, 3));
    w->row_search = chance(g, 25);
    w->all_zero = chance(g, 5);
    w->flip = chance(g, 50);
    if (chance(g, 45)) {
        w->ch0_y = (uint8_t)bits(g, 2);
        w->ch0_z = (uint8_t)bits(g, 2);
        w->ch1_y = (uint8_t)bits(g, 2);
        w->ch1_z = (uint8_t)bits(g, 2);
    }
    s->adc = w->multi ? w->adc : (unsigned)s->thread;
    if (!w->multi)
        return;
    s->context = below(g, s->u ? 2 : 8);
    if (!w->use_counter && chance(g, 50)) {
        w->context = (uint8_t)((s->context - *offset) & 7);
        return;
    }
    unsigned counted = (m->context_counter[s->u][s->thread] + *offset) & 7;
    if (w->use_counter && chance(g, 60) && (s->u == 0 || counted < 2)) {
        s->context = counted;
        return;
    }
    // Writing the word that holds the offsets resets both counters of the thread.
    uint32_t wanted = (s->context - (w->use_counter ? 0 : w->context)) & 7;
    wanted += chance(g, 10) ? 8 : 0;
    if (wanted == *offset)
        wanted ^= 8;
    *offset = wanted;
    m->context_counter[0][s->thread] = m->context_counter[1][s->thread] = 0;
}

static void choose_formats(struct shape *s)
{
    static const uint16_t alike[] = {F_FP16,  F_BF16, F_BFP8, F_BFP4,  F_BFP2, F_BFP8A, F_BFP4A,
                                     F_BFP2A, F_FP8,  F_INT8, F_INT16, F_TF32, F_INT32};
    static const uint16_t from_fp32[] = {F_TF32, F_BF16, F_FP16, F_FP32};
    struct unpacr_maker *g = s->g;
    if (chance(g, 25)) {
        s->in = F_FP32;
        s->out = pick(g, from_fp32, s->to_dst ? 4 : 3);
    } else {
        s->in = s->out = pick(g, alike, s->to_dst ? 13 : 11);
    }
    s->bfp = unpacr_is_bfp(s->in);
    s->size16 = unpacr_size16(s->in);
    bool override = s->word.multi && chance(g, 40);
    s->c[U_OVERRIDE] = override || (!s->word.multi && chance(g, 50));
    s->c[override ? U_IN_FORMAT0 + s->context : U_IN_FORMAT] = s->in;
    s->c[override ? U_OUT_FORMAT0 + s->context : U_OUT_FORMAT] = s->out;
}

static void choose_modes(struct shape *s)
{
    struct unpacr_maker *g = s->g;
    uint32_t *c = s->c;
    s->compressed = chance(g, 35);
    c[s->word.multi ? U_UNCOMPRESSED0 + s->context : U_IS_UNCOMPRESSED] = !s->compressed;
    s->tileize = !s->compressed && s->size16 >= 16 && chance(g, 20);
    s->transpose = s->u == 0 && !s->to_dst && chance(g, 25);
    c[U_TILEIZE] = s->tileize;
    c[U_HALOIZE] = s->transpose || (s->u == 1 && chance(g, 20));
    unsigned rate = !s->tileize && chance(g, 25) ? 1 + below(g, 3) : 0;
    c[U_UPSAMPLE_RATE] = rate;
    s->zeroes = (1u << rate) - 1;
    uint32_t *shift = &c[U_SHIFT0 + (s->context & 3)];
    if (s->u == 0 && !s->tileize)
        *shift = !s->to_dst && chance(g, 25) ? bits(g, 4) : 0;
    if (s->tileize && chance(g, 85))
        c[U_SHIFT0 + 2] = 0; // strides below 4096 bytes leave more room
    if (s->u == 0)
        c[s->word.multi ? U_IF_SEL0 + s->context : U_IF_SEL] = s->to_dst;
    c[U_THROTTLE] = below(g, g->m->blackhole ? 4 : 3);
    c[U_FORCE_EXP] = chance(g, 25);
    if (unpacr_is_bfp_a(s->in))
        c[U_SHARED_EXP] = 6 + below(g, 26);
    bool without = !s->bfp || s->in == F_BFP8 || s->in == F_BFP8A;
    c[U_NO_EXP_SECTION] = chance(g, without ? 30 : s->compressed ? 0 : 4);
    c[U_DIGEST] = chance(g, 60) ? 0 : chance(g, 80) ? below(g, 4) : bits(g, 8);
    if (!s->compressed && s->word.row_search)
        c[U_BLOBS] = chance(g, 50) ? 0 : 1 + below(g, 7);
    if (s->compressed)
        c[U_BLOBS] = chance(g, 70) ? 0 : 1 + below(g, 7);
    c[U_LIMIT] = UNPACR_NO_LIMIT;
    c[U_LIMIT10_EN] = 0;
}

// ---------------------------------------------------------------- dimensions and counters

static uint32_t noisy(struct shape *s, uint32_t value, unsigned from, unsigned to)
{
    return to > from && chance(s->g, 10) ? value | bits(s->g, to - from) << from : value;
}

static void choose_room(struct shape *s)
{
    struct unpacr_maker *g = s->g;
    struct unpacr_model *m = g->m;
    uint32_t rows = 64;
    uint32_t *ovrd = &m->thread[s->thread][T_SRCA_OVRD];
    if (s->to_dst)
        *ovrd = 0;
    else if (s->u == 0 && chance(g, 50))
        *ovrd = chance(g, 65);
    s->by_row = s->u == 0 && !s->to_dst && !*ovrd;
    if (s->to_dst)
        rows = 128;
    else if (s->by_row)
        rows = 16;
    else if (s->u == 1)
        rows = 64 - m->src_row[1][s->thread];
    s->room = rows * 16;
}

static void choose_dimensions(struct shape *s)
{
    static const uint16_t widths[] = {16, 16, 32, 64, 128, 256, 1, 3, 1024};
    struct unpacr_maker *g = s->g;
    s->xdim = chance(g, 50) ? pick(g, widths, 9) : 1 + below(g, 300);
    s->ydim = chance(g, 40) ? 1u << below(g, 5) : 1 + below(g, 20);
    uint32_t z = below(g, 5), w = below(g, 4);
    if (s->transpose || s->tileize)
        s->xdim = 64 * (1 + below(g, 4));
    if (s->compressed) {
        s->xdim = 1 + below(g, chance(g, 50) ? 40 : 260);
        s->ydim = 1 + below(g, 8);
        z = below(g, 3);
        w = below(g, 3);
    }
    s->c[U_YDIM] = s->ydim;
    s->c[U_ZDIM] = z;
    s->c[U_WDIM] = w;
    s->zdim = z ? z : 1;
    s->wdim = w ? w : 1;
    s->c[s->word.multi && s->u == 0 ? U_XDIM0 + (s->context & 3) : U_XDIM] = s->xdim;
}

static void scatter_counters(struct shape *s)
{
    for (int t = 0; t < 3; t++)
        for (int channel = 0; channel < 2; channel++) {
            struct unpacr_adc *adc = &s->g->m->adc[t][s->u][channel];
            adc->x = below(s->g, 300);
            adc->y = below(s->g, 20);
            adc->z = below(s->g, 4);
            adc->w = below(s->g, 3);
        }
}

// How far into a blob's table, or across rows, an uncompressed RowSearch reaches.
static void choose_search(struct shape *s, struct unpacr_adc *xy, struct unpacr_adc *end)
{
    struct unpacr_maker *g = s->g;
    unsigned blobs = s->c[U_BLOBS];
    if (!blobs) {
        end->x = s->count;
        return;
    }
    uint64_t table = 0;
    for (unsigned i = 0, nibble = below(g, 3); i < 8; i++) {
        table |= (uint64_t)(nibble & 15) << (4 * i);
        nibble += below(g, 3);
    }
    if (s->word.multi && s->u == 0) {
        s->c[U_BLOBS_PAIR0 + (s->context & 2) / 2] = (uint32_t)table;
    } else {
        s->c[U_BLOBS_Y_LOW] = table & 0xffff;
        s->c[U_BLOBS_Y_HIGH] = table >> 16 & 0xffff;
    }
    unsigned from = below(g, blobs);
    xy->y = noisy(s, from, 3, 13);
    xy->x = noisy(s, chance(g, 40) ? blobs - 1 : from + below(g, 7 - from), 3, 18);
}

static void choose_counters(struct shape *s)
{
    struct unpacr_maker *g = s->g;
    struct unpacr_adc *xy = &g->m->adc[s->adc][s->u][0], *end = &g->m->adc[s->adc][s->u][1];
    struct unpacr_adc *zw = &g->m->adc[s->thread][s->u][0];
    static const uint16_t counts[] = {16, 16, 32, 64, 128, 256, 512, 1024, 1, 15, 17};
    unsigned zw_bits = g->m->blackhole ? 13 : 8;
    bool aligned = s->transpose || s->tileize;
    s->count = chance(g, 60) ? pick(g, counts, 11) : below(g, chance(g, 5) ? 1 : 300);
    if (s->bfp && chance(g, 20))
        s->count = 256 + below(g, 512); // more than a line of exponents
    if (s->count > s->room / (s->zeroes + 1))
        s->count = 1 + below(g, s->room / (s->zeroes + 1));
    s->y0 = below(g, s->ydim);
    s->z0 = below(g, s->zdim);
    s->w0 = below(g, s->wdim);
    xy->y = noisy(s, s->y0, 8, 13);
    xy->x = chance(g, 60) ? 0 : aligned ? 64 * below(g, 5) : below(g, 80);
    end->x = xy->x + s->count - 1;
    if (s->count == 0)
        end->x = xy->x ? xy->x - 1 : 0;
    zw->z = noisy(s, s->z0, 8, zw_bits);
    zw->w = noisy(s, s->w0, 8, zw_bits);
    if (s->word.row_search && !s->compressed)
        choose_search(s, xy, end);
}

// ---------------------------------------------------------------- L1

static void set_address(struct shape *s, uint32_t room)
{
    struct unpacr_maker *g = s->g;
    uint32_t *c = s->c, size = g->m->l1_size, lowest = (1 + c[U_DIGEST]) * 16;
    uint32_t top = room + lowest < size ? size - room : lowest;
    s->address = lowest + below(g, (top - lowest) / 16 + 1) * 16;
    bool own = s->word.multi && s->context;
    uint32_t base = s->address / 16 - 1 - c[U_DIGEST];
    uint32_t offset = chance(g, 30) ? 0 : below(g, base < 0xffff ? base + 1 : 0x10000);
    c[U_BASE0 + (own ? s->context : 0)] = base - offset;
    c[U_OFFSET0 + (own ? s->context & 3 : 0)] = offset;
}

// Of an a-format: most fit whatever the magnitude is, some only with the right one.
static uint8_t five_bit_exponent(struct unpacr_maker *g)
{
    return (uint8_t)(chance(g, 90) ? 6 + below(g, 26) : below(g, 38));
}

// Small magnitudes, so that exponents beyond 31 come back into five bits.
static void shrink_magnitudes(struct shape *s, uint32_t first)
{
    struct unpacr_maker *g = s->g;
    uint32_t elements = s->xdim * s->ydim * s->zdim * s->wdim;
    uint32_t from = s->address + ((elements + 15) / 16 + 15) / 16 * 16 + first * s->size16 / 16;
    uint32_t length = s->count * s->size16 / 16 + 1;
    for (uint32_t i = from; i < from + length && from + length < g->m->l1_size; i++)
        g->m->l1[i] &= s->size16 == 16 ? 0x87 : s->size16 == 8 ? 0x99 : 0xaa;
    if (from + length < g->m->l1_size)
        unpacr_note_dirty(g, from, length);
}

static void put_uncompressed(struct shape *s)
{
    struct unpacr_maker *g = s->g;
    uint32_t rows = (s->w0 * s->zdim + s->z0) * s->ydim + s->y0;
    uint32_t first = rows * s->xdim, stride = 0;
    if (s->tileize)
        stride = s->c[U_SHIFT0] << 4 | s->c[U_SHIFT0 + 1] << 8 | s->c[U_SHIFT0 + 2] << 12;
    uint32_t exponents = s->xdim * s->ydim * s->zdim * s->wdim / 16 + 16;
    uint32_t room = (first + s->count + 512) * s->size16 / 16 + exponents + s->count / 16 * stride;
    set_address(s, room + TILE_ROOM);
    if (!unpacr_is_bfp_a(s->in) || s->c[U_FORCE_EXP])
        return;
    uint32_t from = s->address + first / 16, length = s->count / 16 + 40;
    bool small = chance(g, 15);
    for (uint32_t i = from; i < from + length && from + length < g->m->l1_size; i++)
        g->m->l1[i] = (uint8_t)(five_bit_exponent(g) + (small ? 4 : 0));
    if (from + length < g->m->l1_size)
        unpacr_note_dirty(g, from, length);
    if (small)
        shrink_magnitudes(s, first);
}

// Random rows with more or fewer zeroes, written as the page says. Returns datums in the stream.
// Datums of two bits have no layout there; UNPACR's loop reads something else than is written.
static uint32_t put_compressed(struct shape *s)
{
    struct unpacr_maker *g = s->g;
    static uint32_t datum[MAX_COMPRESSED];
    static uint16_t length[2048];
    static uint8_t exponent[MAX_COMPRESSED / 16 + 1];
    uint32_t elements = s->xdim * s->ydim * s->zdim * s->wdim, left = elements;
    uint32_t per_plane = s->c[U_BLOBS] ? s->c[U_BLOBS] : s->ydim, zeroes = below(g, 5) * 25;
    if (elements > MAX_COMPRESSED)
        return 0;
    struct compressor_tile tile = {s->size16 / 2, per_plane * s->zdim * s->wdim, length, datum, 0,
                                   exponent};
    for (uint32_t i = 0; i < tile.rows; i++) {
        uint32_t fair = left / (tile.rows - i);
        length[i] = (uint16_t)(!s->c[U_BLOBS] ? s->xdim : below(g, fair + 1));
        left -= length[i];
    }
    for (uint32_t i = 0; i < elements; i++)
        datum[i] = chance(g, zeroes) ? 0 : bits(g, tile.bits);
    for (uint32_t i = 0; i < sizeof exponent; i++)
        exponent[i] = unpacr_is_bfp_a(s->in) ? five_bit_exponent(g) : (uint8_t)bits(g, 8);
    if (s->bfp && !s->c[U_FORCE_EXP])
        tile.exponent_section = (elements + 15) / 16;
    set_address(s, elements * 5 + tile.rows * 2 + tile.exponent_section + TILE_ROOM);
    struct compressor_result r = compressor_write(g->m->l1, g->m->l1_size, s->address, &tile);
    unpacr_note_dirty(g, r.row_starts, r.end - r.row_starts);
    return r.kept;
}

static void choose_compressed(struct shape *s)
{
    struct unpacr_maker *g = s->g;
    struct unpacr_adc *xy = &g->m->adc[s->adc][s->u][0], *end = &g->m->adc[s->adc][s->u][1];
    uint32_t blobs = s->c[U_BLOBS], kept = put_compressed(s);
    if (blobs)
        xy->y = noisy(s, below(g, blobs), 8, 13);
    if (s->word.row_search) {
        uint32_t from = xy->y & 0xff, rows = blobs ? blobs : s->ydim;
        uint32_t more = rows > from ? below(g, chance(g, 60) ? 1 : rows - from) : 0;
        xy->x = noisy(s, from + more, 8, 18);
    } else if (chance(g, 60)) {
        xy->x = 0;
        end->x = s->xdim - 1;
    } else {
        xy->x = below(g, chance(g, 70) ? s->xdim : kept + 1);
        end->x = xy->x + below(g, 80);
        if (xy->x && chance(g, 4))
            end->x = xy->x - 1; // nothing
    }
}

// ---------------------------------------------------------------- the output side

static uint32_t choose_target(struct shape *s)
{
    struct unpacr_maker *g = s->g;
    uint32_t rows = (s->count * (s->zeroes + 1) + 15) / 16, free_rows = s->room / 16;
    free_rows = free_rows > rows ? free_rows - rows : 0;
    if (s->compressed)
        free_rows /= 4;
    uint32_t target = below(g, free_rows + 1) * 16;
    if (s->to_dst)
        target = below(g, chance(g, 85) ? 448 : 1024) * 16;
    if (s->u == 0)
        target += 64;
    if (s->u == 0 && chance(g, 12))
        target = below(g, 64);
    else if (chance(g, 12))
        target += below(g, 16);
    if (g->m->blackhole && s->u == 0 && !s->by_row && !s->to_dst && chance(g, 10))
        target += below(g, 64) * 16;
    return target;
}

// Parts of a sum: counters times strides, and the base. Returns the bytes that remain.
static uint32_t add_stride(struct shape *s, uint32_t bytes, uint32_t counter, unsigned field)
{
    uint32_t widest = s->g->m->blackhole ? 0xffff : 0xfff;
    if (field == U_WSTRIDE)
        widest = 0xffff;
    uint32_t stride = counter ? below(s->g, bytes / 2 / counter + 1) : bits(s->g, 12);
    if (stride > widest)
        stride = widest;
    s->c[field] = stride;
    return bytes - stride * counter;
}

static void choose_place(struct shape *s)
{
    struct unpacr_maker *g = s->g;
    uint32_t *c = s->c, target = choose_target(s), size = unpacr_size16(s->out) / 16;
    struct unpacr_adc *at = &g->m->adc[s->thread][s->u][1];
    bool own = s->word.multi && s->u == 0, add = s->to_dst || c[U_ADD_DEST];
    uint32_t dest = chance(g, 40) ? 0 : chance(g, 40) ? target : below(g, target + 1);
    uint32_t rest = own ? target - dest : target;
    if (own)
        c[U_DEST0 + (s->context & 3)] = add ? dest : target;
    if (own && !add)
        rest = below(g, 2000); // nothing but its alignment matters
    rest *= size ? size : 1;
    at->y = chance(g, 90) ? below(g, 5) : bits(g, 13);
    at->z = chance(g, 90) ? below(g, 4) : bits(g, g->m->blackhole ? 13 : 8);
    at->w = chance(g, 90) ? below(g, 3) : bits(g, g->m->blackhole ? 13 : 8);
    rest = add_stride(s, rest, at->y, U_YSTRIDE);
    rest = add_stride(s, rest, at->z, U_ZSTRIDE);
    rest = add_stride(s, rest, at->w, U_WSTRIDE);
    c[U_OUT_BASE] = rest & (g->m->blackhole ? 0x3ffff : 0xffff);
}

// ---------------------------------------------------------------- all of it

void unpacr_shape(struct unpacr_maker *g, int thread, unsigned u)
{
    struct shape s = {.g = g, .thread = thread, .u = u};
    s.c = g->m->config[g->m->thread[thread][T_STATE_ID]][u];
    for (unsigned field = 0; field < U_COUNT; field++)
        s.c[field] = bits(g, noise_bits(g, field));
    if (u == 1)
        s.c[U_BLOBS_PAIR0] = s.c[U_BLOBS_PAIR0 + 1] = 0; // not there
    s.c[U_NON_LOG2_EN] = g->m->blackhole && chance(g, 30);
    s.to_dst = u == 0 && chance(g, 35);
    choose_word(&s);
    choose_formats(&s);
    choose_modes(&s);
    choose_room(&s);
    choose_dimensions(&s);
    scatter_counters(&s);
    choose_counters(&s);
    if (s.compressed)
        choose_compressed(&s);
    else
        put_uncompressed(&s);
    choose_place(&s);
    g->now.thread = thread;
    g->now.count = chance(g, 75) ? 1 : 2 + below(g, CASE_WORDS - 1);
    for (unsigned i = 0; i < g->now.count; i++) {
        g->now.word[i] = s.word;
        g->now.word[i].flip &= i + 1 == g->now.count || chance(g, 50);
    }
}
