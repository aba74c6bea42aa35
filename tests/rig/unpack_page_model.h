// SPDX-License-Identifier: Apache-2.0
// A second model of UNPACR: UNPACR_Regular.md line by line, datum by datum and with fractional
// addresses. It reads the configuration by name and shares nothing with src/unpack but the state.
#ifndef TESTS_RIG_UNPACK_PAGE_MODEL_H
#define TESTS_RIG_UNPACK_PAGE_MODEL_H

#include "rig/unpack_rig.h"
#include "state/config_access.h"

#include <math.h>
#include <stdio.h>

// What an UNPACR may change.
struct effect {
    struct tsr_src src[2];
    struct tsr_dst dst;
    struct tsr_adcs adcs;
    struct tsr_unpacker unpacker[2];
};

// What a case has of the modes that newer pages call unsupported.
enum { SEARCHES, HAS_BLOBS, COMPRESSED, SEEKS, UPSAMPLES, KEEPS_GAPS, SHIFTS, DRIFTS, MODES };

// A field that was looked up, by what names it: formatting and searching names for every access
// would be a third of the test.
struct known_place {
    const char *format;
    unsigned u, n;
    const struct tsr_field_place *place;
};

struct bench {
    struct rig *r;
    struct known_place known[512];
    unsigned u, thread, bank, context; // of the case
    bool mode[MODES];
    uint32_t word;
    struct effect want;
};

// ---------------------------------------------------------------- fields by name

static inline const struct tsr_field_place *place_of(struct bench *b, const char *format,
                                                     unsigned n)
{
    struct known_place *known = &b->known[((uintptr_t)format + 3 * n + 97 * b->u) % 512];
    if (known->format == format && known->u == b->u && known->n == n)
        return known->place;
    char name[96];
    snprintf(name, sizeof name, format, b->u, n);
    enum tsr_field field = tsr_field_id(name);
    if (field == FIELD_COUNT)
        print_error("no field %s\n", name);
    assert_int_not_equal(field, FIELD_COUNT);
    *known = (struct known_place){format, b->u, n, &b->r->env.isa->field[field]};
    return known->place;
}

static inline void put(struct bench *b, const char *format, unsigned n, uint32_t value)
{
    const struct tsr_field_place *p = place_of(b, format, n);
    if (p->width == 0)
        return;
    uint32_t mask = tsr_mask32(p->width) << p->first_bit;
    if (p->scope == TSR_SCOPE_THREAD) {
        uint32_t old = b->r->state->config.thread[b->thread][p->addr32];
        value = (old & ~mask) | (value << p->first_bit & mask);
        tsr_thread_config_write(&b->r->env, (int)b->thread, p->addr32, (uint16_t)value);
    } else {
        tsr_config_write(&b->r->env, (int)b->bank, p->addr32, value << p->first_bit, mask);
    }
}

static inline uint32_t get(struct bench *b, const char *format, unsigned n)
{
    const struct tsr_field_place *p = place_of(b, format, n);
    if (p->width == 0)
        return 0;
    const struct tsr_config *config = &b->r->state->config;
    uint32_t word = p->scope == TSR_SCOPE_THREAD ? config->thread[b->thread][p->addr32]
                                                 : config->bank[b->bank][p->addr32];
    return word >> p->first_bit & tsr_mask32(p->width);
}

#define SEC "THCON_SEC%u_REG"

static inline const char *base_name(unsigned context)
{
    return context == 0 ? SEC "3_Base_address"
                        : (context < 4 ? SEC "3_Base_cntx%u_address" : SEC "4_Base_cntx%u_address");
}

static inline const char *offset_name(unsigned context)
{
    return context == 0 ? SEC "7_Offset_address" : SEC "7_Offset_cntx%u_address";
}

static inline const char *context_offset_name(const struct bench *b)
{
    return b->u ? "UNPACK_MISC_CFG_CfgContextOffset_1" : "UNPACK_MISC_CFG_CfgContextOffset_0";
}

// ---------------------------------------------------------------- the page's conversions

static inline bool blackhole(const struct bench *b)
{
    return b->r->env.chip->arch == TSR_BLACKHOLE_A0;
}

static inline bool in_set(uint32_t format, uint32_t set)
{
    return set >> format & 1;
}

enum { BITS32 = 1 << 0 | 1 << 4 | 1 << 8, BITS16 = 1 << 1 | 1 << 5 | 1 << 9 };
enum { BLOCK_E8 = 1 << 6 | 1 << 7 | 1 << 15, BLOCK_E5 = 1 << 2 | 1 << 3 | 1 << 11 };

static inline double datum_bytes(uint32_t format)
{
    if (format == 11 || format == 15)
        return 0.25;
    static const double sizes[4] = {4, 2, 1, 0.5};
    return sizes[format & 3];
}

// Sign, then five or eight exponent bits, then ten or seven of mantissa.
static inline uint32_t from_block(uint32_t widened, uint8_t exponent, bool e5, bool *wild)
{
    uint32_t sign = widened >> 7 & 1, magnitude = (widened << 1) & 0xff;
    if (magnitude == 0)
        return sign ? (e5 ? 0xfc00 : 0xff80) : 0;
    while (!(magnitude & 0x80)) {
        magnitude <<= 1;
        exponent--;
    }
    magnitude = (magnitude << 1) & 0xff; // the leading one goes
    magnitude = magnitude >> 1 & 0x7e;
    if (!e5)
        return sign << 15 | (uint32_t)exponent << 7 | magnitude;
    *wild |= exponent > 31;
    return sign << 15 | (exponent & 31u) << 10 | magnitude << 3;
}

static inline uint32_t fp32_to_fp16(uint32_t x)
{
    int exponent = (int)(x >> 23 & 255) - 112;
    uint32_t sign = x >> 31 << 15;
    if (exponent < 0)
        return sign;
    return exponent > 31 ? sign | 0x7fff : sign | (uint32_t)exponent << 10 | (x >> 13 & 0x3ff);
}

static inline uint32_t fp8(struct bench *b, uint32_t d)
{
    if (!(blackhole(b) && get(b, SEC "1_Unp_LF8_4b_exp", 0)))
        return blackhole(b) && (d & 0x7f) == 0x7f ? d << 8 | 0xff : d << 8;
    uint32_t exponent = d >> 3 & 15, mantissa = d & 7;
    uint32_t pad = exponent == 15 && mantissa == 7 ? 0x7f : 0;
    return (d & 0x80) << 8 | (exponent ? exponent + 8 : 0) << 10 | mantissa << 7 | pad;
}

// A Src datum in canonical order, or a Dst datum as stored.
static inline uint32_t page_convert(struct bench *b, uint32_t in, uint32_t out, uint32_t d,
                                    uint8_t x, bool to_dst, bool *wild)
{
    uint32_t kind = in;
    if (in == 0 && out == 5) {
        d = ((d & 0x7f800000) ? d : d & 0x80000000) >> 16;
        kind = 5;
    } else if (in == 0 && out == 1) {
        d = fp32_to_fp16(d);
        kind = 1;
    } else if (in == 10) {
        d = fp8(b, d);
        kind = 1;
    } else if (in_set(in, BLOCK_E8 | BLOCK_E5)) {
        bool e5 = in_set(in, BLOCK_E5);
        unsigned shift = datum_bytes(in) == 1 ? 0 : datum_bytes(in) == 0.5 ? 4 : 6;
        d = from_block(d << shift & 0xff, x, e5, wild);
        kind = e5 ? 1 : 5;
    } else if (in == 14) {
        bool is_unsigned = get(
            b, b->u ? "ALU_FORMAT_SPEC_REG0_SrcBUnsigned" : "ALU_FORMAT_SPEC_REG0_SrcAUnsigned", 0);
        uint32_t sign = is_unsigned ? 0 : d & 0x80;
        d -= sign;
        d = (d ? d | 16 << 10 : 0) | sign << 8;
        kind = 1;
    }
    if (in_set(kind, BITS32)) {
        uint32_t high = d >> 16;
        high = (high & 0x8000) | (high & 0x7f) << 8 | (high >> 7 & 0xff);
        return to_dst ? high << 16 | (d & 0xffff) : d >> 13;
    }
    if (kind == 5)
        return to_dst ? (d & 0x8000) | (d & 0x7f) << 8 | (d >> 7 & 0xff) : d << 3;
    if (kind == 1)
        return to_dst ? (d & 0x8000) | (d & 0x3ff) << 5 | (d >> 10 & 31)
                      : (d & 0x8000) << 3 | (d & 0x7fff);
    if (to_dst)
        return d;
    uint32_t image = (d & 0xff00) << 3 | (d & 0xff); // sign, mantissa, exponent
    return (image & 0x40000) | (image & 0xff) << 10 | (image >> 8 & 0x3ff);
}

// ---------------------------------------------------------------- the page's addresses

static inline double wrap(struct bench *b, double address)
{
    bool other = get(b, SEC "10_Unpack_limit_address_en", 0);
    double limit = get(b, other ? SEC "10_Unpack_limit_address" : SEC "2_Unpack_limit_address", 0);
    double fifo = get(b, other ? SEC "10_Unpack_fifo_size" : SEC "2_Unpack_fifo_size", 0);
    return address > limit * 16 ? address - fifo * 16 : address;
}

struct bytes {
    bool outside, tainted;
};

static inline uint32_t read_l1(const struct tsr_l1 *l1, double address, double size,
                               struct bytes *shadow)
{
    if (address < 0 || address >= l1->size) {
        shadow->outside = true;
        return 0;
    }
    uint32_t bit = (uint32_t)(address * 8), result = 0;
    unsigned step = size >= 1 && bit % 8 == 0 ? 8 : 1; // a byte at once
    for (unsigned i = 0; i < (unsigned)(size * 8); i += step, bit += step) {
        result |= (l1->bytes[bit / 8] >> (bit & 7) & ((1u << step) - 1u)) << i;
        shadow->tainted |= l1->tainted[bit / 128] >> (bit / 8 & 15) & 1;
    }
    return result;
}

// ---------------------------------------------------------------- the page's writes

static inline void write_src(struct bench *b, unsigned row, unsigned column, uint32_t datum,
                             bool tainted)
{
    struct tsr_src *src = &b->want.src[b->u];
    struct tsr_src_bank *bank = &src->bank[src->unpacker_bank];
    uint16_t bit = (uint16_t)(1u << column);
    bank->datum[row][column] = datum;
    bank->written[row] |= bit;
    bank->tainted[row] = (uint16_t)((bank->tainted[row] & ~bit) | (tainted ? bit : 0));
}

static inline void write_dst(struct bench *b, unsigned row, unsigned column, bool wide,
                             uint32_t datum, bool tainted)
{
    struct tsr_dst *dst = &b->want.dst;
    uint16_t bit = (uint16_t)(1u << column);
    unsigned high = wide ? (row & 0x1f8) << 1 | (row & 0x207) : row;
    bool fresh = !dst->valid[high]; // its other columns were never written
    for (unsigned half = 0; half <= (unsigned)wide; half++) {
        unsigned at = high + 8 * half;
        dst->bits[at][column] = (uint16_t)(wide && half == 0 ? datum >> 16 : datum);
        dst->written[at] = (uint16_t)((fresh ? 0 : dst->written[at]) | bit);
        dst->tainted[at] = (uint16_t)((dst->tainted[at] & ~bit) | (tainted ? bit : 0));
    }
    dst->valid[high] = true;
}

static inline bool burst_clash(struct bench *b, double size, uint32_t out)
{
    unsigned mode = get(b, SEC "2_Throttle_mode", 0);
    if (size == 0.25)
        mode = 0;
    else if (get(b, SEC "2_Tileize_mode", 0))
        mode = 2;
    else if (blackhole(b) && !get(b, "THCON_SEC0_REG1_ovrd_default_throttle_mode", 0))
        mode = size == 1 ? 3 : 2;
    double bytes = 16u << mode;
    if (blackhole(b) && mode == 2 && size >= 2)
        bytes = 128;
    double rows = floor(bytes / (16 * size));
    rows = rows < 1 ? 1 : rows > 8 ? 8 : rows;
    return (out / 16 - 4) & ((uint32_t)rows - 1);
}

// ---------------------------------------------------------------- the page

static inline bool bit_of(const struct bench *b, unsigned bit)
{
    return b->word >> bit & 1;
}

// The page's variables. `ok` falls at the first thing that is undefined.
struct page {
    bool ok, multi, counted, blocks, forced, tileize, to_dst, transpose, by_address;
    bool compressed, search, gaps, drifts; // drifts: a tainted row start or delta came before
    unsigned context, adc, width, shift, upsampled;
    uint32_t in, out, first, count, place;
    uint32_t x_dim, y_dim, z_dim, w_dim, blobs, drop, wanted;
    double size, row_starts, exponents, datums, deltas, stride;
};

static inline void page_mode(struct bench *b, struct page *p)
{
    const struct tsr_unpacker *unit = &b->want.unpacker[b->u];
    p->multi = bit_of(b, 7);
    p->counted = p->multi && bit_of(b, 3);
    p->adc = b->thread;
    p->ok = true;
    if (p->multi) {
        p->context = p->counted ? unit->context_counter[b->thread] : b->word >> 10 & 7;
        p->context += get(b, context_offset_name(b), 0);
        p->context &= 7;
        p->adc = b->word >> 8 & 3;
        p->ok &= p->adc != 3 && (b->u == 0 || p->context < 2);
    }
    p->compressed = !(p->multi ? get(b, SEC "2_Disable_zero_compress_cntx%u", p->context)
                               : get(b, SEC "0_TileDescriptor.IsUncompressed", 0));
    p->search = bit_of(b, 2);
    p->upsampled = (1u << get(b, SEC "2_Upsample_rate", 0)) - 1;
    p->gaps = get(b, SEC "2_Upsample_and_interleave", 0);
    bool own = p->multi && get(b, SEC "2_Ovrd_data_format", 0);
    p->in = own ? get(b, SEC "7_Unpack_data_format_cntx%u", p->context)
                : get(b, SEC "0_TileDescriptor.InDataFormat", 0);
    p->out = own ? get(b, SEC "7_Unpack_out_data_format_cntx%u", p->context)
                 : get(b, SEC "2_Out_data_format", 0);
    p->size = datum_bytes(p->in);
    p->blocks = in_set(p->in, BLOCK_E8 | BLOCK_E5);
    p->forced = get(b, SEC "2_Force_shared_exp", 0);
    p->tileize = get(b, SEC "2_Tileize_mode", 0);
    p->transpose = b->u == 0 && get(b, SEC "2_Haloize_mode", 0);
    p->by_address = get(b, "SRCA_SET_SetOvrdWithAddr", 0);
    if (b->u == 0)
        p->to_dst = p->multi ? get(b, SEC "2_Unpack_if_sel_cntx%u", p->context)
                             : get(b, SEC "2_Unpack_If_Sel", 0);
}

static inline void page_dimensions(struct bench *b, struct page *p)
{
    p->x_dim = p->multi && b->u == 0 ? get(b, SEC "5_Tile_x_dim_cntx%u", p->context & 3)
                                     : get(b, SEC "0_TileDescriptor.XDim", 0);
    p->y_dim = get(b, SEC "0_TileDescriptor.YDim", 0);
    p->z_dim = get(b, SEC "0_TileDescriptor.ZDim", 0);
    p->w_dim = get(b, SEC "0_TileDescriptor.WDim", 0);
    p->z_dim = p->z_dim ? p->z_dim : 1;
    p->w_dim = p->w_dim ? p->w_dim : 1;
    p->blobs = get(b, SEC "0_TileDescriptor.BlobsPerXYPlane", 0);
}

// Sections of the tile: row starts, exponents, datums.
static inline void page_sections(struct bench *b, struct page *p)
{
    uint32_t start = get(b, base_name(p->context), p->context) +
                     get(b, offset_name(p->context & 3), p->context & 3);
    start = (start + 1 + get(b, SEC "0_TileDescriptor.DigestSize", 0)) * 16;
    p->row_starts = p->exponents = p->datums = start;
    if (p->compressed) {
        uint32_t rows = (p->blobs ? p->blobs : p->y_dim) * p->z_dim * p->w_dim;
        p->exponents = p->datums = start + ceil((rows + 1) * 2 / 16.) * 16;
    }
    bool no_section = p->size < 1 && get(b, SEC "0_TileDescriptor.NoBFPExpSection", 0);
    if (p->blocks && !p->forced && !no_section)
        p->datums += ceil(ceil((double)p->x_dim * p->y_dim * p->z_dim * p->w_dim / 16) / 16) * 16;
}

static inline uint32_t blob_y_start(struct bench *b, const struct page *p, unsigned i)
{
    uint32_t starts = get(b, SEC "0_TileDescriptor.BlobsYStart_lo", 0) |
                      get(b, SEC "0_TileDescriptor.BlobsYStart_hi", 0) << 16;
    if (p->multi && b->u == 0)
        starts = get(b,
                     p->context & 2 ? "UNP0_BLOBS_Y_START_CNTX_23_blobs_y_start"
                                    : "UNP0_BLOBS_Y_START_CNTX_01_blobs_y_start",
                     0);
    return starts >> 4 * i & 15;
}

static inline void page_select(struct bench *b, struct page *p)
{
    const tsr_adc_channel *xy = b->want.adcs.channel[p->adc % 3][b->u];
    const tsr_adc_channel *zw = b->want.adcs.channel[b->thread][b->u];
    uint32_t x = xy[0].x, y = xy[0].y & 0xff, end = xy[1].x + 1;
    uint32_t most = (uint32_t)(8192 / fmax(1, p->size));
    if (p->search && p->blobs) {
        unsigned x71 = (xy[0].x & 7) + 1;
        x = blob_y_start(b, p, xy[0].y & 7) << 4;
        y = 0;
        p->ok &= x71 < 8;
        end = x71 == p->blobs ? p->x_dim & 0x1f0 : blob_y_start(b, p, x71 & 7) << 4;
    } else if (p->search) {
        x = 0;
        end = xy[1].x;
    }
    p->ok &= x < most && end <= most && end >= x;
    p->first = (((zw->w & 0xff) * p->z_dim + (zw->z & 0xff)) * p->y_dim + y) * p->x_dim + x;
    p->count = end - x;
    p->wanted = UINT32_MAX;
    p->datums += p->first * p->size;
}

static inline uint32_t page_row_start(struct bench *b, struct page *p, uint32_t i)
{
    struct bytes shadow = {0};
    uint32_t start = read_l1(&b->r->state->l1, p->row_starts + 2. * i, 1, &shadow);
    start |= read_l1(&b->r->state->l1, p->row_starts + 2. * i + 1, 1, &shadow) << 8;
    p->ok &= !shadow.outside;
    p->drifts |= shadow.tainted;
    return start;
}

// The page leaves open what a row does that ends before it begins, or a seek that wants fewer than
// no datums: they would run out of L1.
static inline void page_seek(struct bench *b, struct page *p)
{
    const tsr_adc_channel *xy = b->want.adcs.channel[p->adc % 3][b->u];
    const tsr_adc_channel *zw = b->want.adcs.channel[b->thread][b->u];
    uint32_t rows = p->search && p->blobs ? p->blobs : p->y_dim;
    p->row_starts += 2. * ((zw->w & 0xff) * p->z_dim + (zw->z & 0xff)) * rows;
    uint32_t y = xy[0].y & 0xff, end;
    p->first = page_row_start(b, p, y);
    p->wanted = UINT32_MAX;
    if (p->search || (xy[0].x == 0 && (int64_t)xy[1].x == (int64_t)p->x_dim - 1)) {
        end = page_row_start(b, p, (p->search ? xy[0].x & 0xff : y) + 1);
        p->ok &= end >= p->first;
        p->count = end - p->first;
    } else {
        p->drop = xy[0].x;
        p->wanted = xy[1].x + 1 - p->drop;
        p->ok &= p->wanted <= 0x40000;
        p->count = UINT32_MAX;
        p->drifts &= !bit_of(b, 4); // zeroes come out wherever they are said to begin
    }
    uint32_t group = p->first / 32, place = p->first % 32;
    p->datums += group * (32 * p->size + 16);
    p->deltas = p->datums + 32 * p->size + place * 0.5;
    p->datums += place * p->size;
}

// Where the first datum, its exponent and its delta lie, and how many datums there are.
static inline void page_input(struct bench *b, struct page *p)
{
    page_dimensions(b, p);
    page_sections(b, p);
    if (p->compressed)
        page_seek(b, p);
    else
        page_select(b, p);
    p->exponents = wrap(b, p->exponents + p->first / 16.);
    p->datums = wrap(b, p->datums);
    p->deltas = wrap(b, p->deltas);

    p->width = blackhole(b) && p->size > 1 ? 32 : 16;
    p->stride = p->size * p->width;
    if (p->tileize) {
        p->stride = 0;
        for (unsigned i = 0; i < 3; i++)
            p->stride += get(b, SEC "2_Shift_amount_cntx%u", i) << (4 + 4 * i);
        p->ok &= p->size >= 1;
        p->ok &= p->upsampled == 0 && !p->compressed;
    } else if (b->u == 0) {
        p->shift = get(b, SEC "2_Shift_amount_cntx%u", p->context & 3);
    }
}

static inline void page_output(struct bench *b, struct page *p)
{
    const tsr_adc_channel *adc = &b->want.adcs.channel[b->thread][b->u][1];
    uint32_t place = get(b, "UNP%u_ADDR_BASE_REG_1_Base", 0) +
                     adc->y * get(b, "UNP%u_ADDR_CTRL_XY_REG_1_Ystride", 0) +
                     adc->z * get(b, "UNP%u_ADDR_CTRL_ZW_REG_1_Zstride", 0) +
                     adc->w * get(b, "UNP%u_ADDR_CTRL_ZW_REG_1_Wstride", 0);
    unsigned scale = in_set(p->out, BITS32) ? 4 : in_set(p->out, BITS16) ? 2 : 1;
    p->ok &= place % scale == 0;
    p->place = place / scale;
    if (p->multi && b->u == 0) {
        uint32_t target = get(b, SEC "5_Dest_cntx%u_address", p->context & 3);
        bool adds = p->to_dst || get(b, "UNP%u_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr", 0);
        p->place = adds ? p->place + target : target;
    }
}

static inline void page_checks(struct bench *b, struct page *p)
{
    p->ok &= !((p->transpose || p->tileize) && p->datums != floor(p->datums / 16) * 16);
    p->ok &= !(p->to_dst && (p->transpose || p->by_address || p->shift));
    p->ok &= blackhole(b) || get(b, SEC "2_Throttle_mode", 0) <= 2;
    p->ok &= p->to_dst || b->u == 1 || p->count <= 16 || !burst_clash(b, p->size, p->place);
    p->ok &= p->in == p->out || (p->in == 0 && (p->out == 4 || p->out == 5 || p->out == 1));
    p->ok &= p->to_dst || !in_set(p->in, BITS32) || (p->in == 0 && p->out != 0);
}

// One datum to its place.
static inline void page_write(struct bench *b, struct page *p, uint32_t datum, bool tainted)
{
    struct tsr_src *src = &b->want.src[b->u];
    unsigned row = p->place / 16, column = p->place & 15;
    unsigned src_row = b->want.unpacker[b->u].src_row[b->thread];
    if (p->to_dst) {
        write_dst(b, (row - 4) & 0x3ff, column, in_set(p->out, BITS32), datum, tainted);
        memset(src->bank[src->unpacker_bank].written, 0, sizeof src->bank[0].written);
        return;
    }
    src->bank[src->unpacker_bank].filled = true;
    if (b->u == 1) {
        row += src_row;
        p->ok &= row < 64;
    } else {
        if (row < 4 || column < p->shift)
            return;
        row -= 4;
        column -= p->shift;
        if (p->by_address && blackhole(b))
            row &= 63;
        p->ok &= row < (p->by_address ? 64 : 16);
        row += p->by_address ? 0 : src_row;
    }
    unsigned low = row & 15;
    if (p->ok && p->transpose)
        write_src(b, (row & ~15u) | column, low, datum, tainted);
    else if (p->ok)
        write_src(b, row, column, datum, tainted);
}

static inline uint32_t page_delta(struct bench *b, struct page *p, struct bytes *shadow)
{
    uint32_t zeroes = read_l1(&b->r->state->l1, p->deltas, 0.5, shadow);
    p->deltas += 0.5;
    if (p->deltas == floor(p->deltas / 16) * 16) {
        p->datums += 16;
        p->deltas = wrap(b, p->deltas + 32 * p->size);
    }
    return zeroes;
}

// A datum and all zeroes after it, of which nobody knows the number if the delta is tainted.
static inline void page_put(struct bench *b, struct page *p, uint32_t datum, bool tainted,
                            uint32_t zeroes, bool unknown)
{
    for (uint32_t j = 0; j <= zeroes && p->ok; j++, datum = 0, tainted = p->drifts |= unknown) {
        if (p->drop) {
            p->drop--;
            continue;
        }
        for (unsigned k = 0; k <= p->upsampled && p->ok; k++, p->place++)
            if (k == 0 || !p->gaps)
                page_write(b, p, k ? 0 : datum, k ? p->drifts : tainted);
        if (--p->wanted == 0)
            break;
    }
}

static inline void page_loop(struct bench *b, struct page *p)
{
    const struct tsr_l1 *l1 = &b->r->state->l1;
    bool zero = bit_of(b, 4);
    for (uint32_t i = 0; i < p->count && p->wanted && p->ok;) {
        struct bytes shadow = {0};
        uint8_t exponent = (uint8_t)get(b, "UNP%u_FORCED_SHARED_EXP_shared_exp", 0);
        bool wild = false;
        uint32_t datum = read_l1(l1, p->datums, p->size, &shadow);
        p->datums += p->size;
        if (++i % p->width == 0)
            p->datums = wrap(b, p->datums - p->size * p->width + p->stride);
        if (p->blocks && !p->forced) {
            exponent = (uint8_t)read_l1(l1, floor(p->exponents), 1, &shadow);
            p->exponents += 1 / 16.;
            if (p->exponents == floor(p->exponents / 16) * 16)
                p->exponents = wrap(b, p->exponents);
        }
        struct bytes delta = {0};
        uint32_t zeroes = p->compressed ? page_delta(b, p, &delta) : 0;
        datum = page_convert(b, p->in, p->out, datum, exponent, p->to_dst, &wild);
        p->ok &= !shadow.outside && !delta.outside && (zero || !wild);
        bool tainted = p->drifts || (shadow.tainted && !zero);
        page_put(b, p, zero ? 0 : datum, tainted, zero ? 0 : zeroes, delta.tainted && !zero);
    }
}

static inline void page_count(struct bench *b, const struct page *p)
{
    struct tsr_unpacker *unit = &b->want.unpacker[b->u];
    if (p->counted) {
        bool other = get(b, SEC "2_Context_count_non_log2_en", 0);
        unsigned contexts = other ? get(b, SEC "2_Context_count_non_log2", 0)
                                  : 1u << get(b, SEC "2_Context_count", 0);
        unsigned next = (p->context + 1) & 7;
        unit->context_counter[b->thread] = (uint8_t)(next >= contexts ? 0 : next);
    }
    for (unsigned t = 0; t < 3; t++)
        for (unsigned c = 0; c < 2 && (t == b->thread || t == p->adc); c++) {
            tsr_adc_channel *channel = &b->want.adcs.channel[t][b->u][c];
            channel->y = (channel->y + (b->word >> (17 + 4 * c) & 3)) & 0x1fff;
            channel->z =
                (channel->z + (b->word >> (15 + 4 * c) & 3)) & (blackhole(b) ? 0x1fff : 0xff);
        }
    unsigned base = get(b, b->u ? "SRCB_SET_Base" : "SRCA_SET_Base", 0) << 4 & 63;
    uint8_t *src_row = &unit->src_row[b->thread];
    if (bit_of(b, 6)) {
        struct tsr_src *src = &b->want.src[b->u];
        struct tsr_src_bank *bank = &src->bank[src->unpacker_bank];
        bank->matrix_owns = true;
        if (blackhole(b))
            bank->implied_format = (uint8_t)p->out;
        src->unpacker_bank ^= 1;
        *src_row = (uint8_t)base;
    } else if (get(b, SEC "2_Unpack_Src_Reg_Set_Upd", 0)) {
        *src_row = (uint8_t)((*src_row + 16 + base) & 63);
    }
}

static inline void note_modes(struct bench *b, const struct page *p)
{
    b->mode[SEARCHES] = p->search && !p->blobs;
    b->mode[HAS_BLOBS] = p->search && p->blobs;
    b->mode[COMPRESSED] = p->compressed && p->wanted > 0x40000 && p->count > 0;
    b->mode[SEEKS] = p->compressed && p->wanted <= 0x40000;
    b->mode[UPSAMPLES] = p->upsampled && !p->gaps;
    b->mode[KEEPS_GAPS] = p->upsampled && p->gaps;
    b->mode[SHIFTS] = p->shift;
    b->mode[DRIFTS] = p->drifts;
}

// False: the page calls something about this case undefined. `want` then means nothing.
static inline bool page_run(struct bench *b)
{
    struct page p = {0};
    page_mode(b, &p);
    page_input(b, &p);
    page_output(b, &p);
    page_checks(b, &p);
    page_loop(b, &p);
    page_count(b, &p);
    note_modes(b, &p);
    return p.ok;
}

#endif
