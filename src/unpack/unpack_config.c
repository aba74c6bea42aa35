// SPDX-License-Identifier: Apache-2.0
// Decodes the configuration of an UNPACR in the order of the page: tile and formats, layout of
// the input, output and modes, speed; with all anomalies that follow from configuration alone.
// Pages: UNPACR_Regular.md (functional model up to the main loop; Performance),
// Unpackers/FormatConversion.md.
#include "unpack/unpack_config.h"

#include "base/format_codes.h"

// What is being read: the reader of fields and the result.
struct reader {
    const struct tsr_env *env;
    const struct tsr_unpack_operands *operands;
    struct tsr_unpack_config *config;
};

static uint32_t get(const struct reader *r, unsigned field)
{
    return tsr_cfg(r->env, r->operands->state_id,
                   tsr_unpack_field_of(r->operands->unpacker, field));
}

// Of a field that each context has.
static uint32_t get_of_context(const struct reader *r, enum tsr_unpack_field first)
{
    return get(r, first + r->operands->context);
}

// Of a field that the contexts share with the one four below.
static uint32_t get_of_four(const struct reader *r, enum tsr_unpack_field first)
{
    return get(r, first + (r->operands->context & 3u));
}

static void anomaly(const struct reader *r, enum tsr_unpack_anomaly which, bool is_so)
{
    if (is_so)
        r->config->anomalies |= (tsr_unpack_anomalies)1 << which;
}

// ---------------------------------------------------------------- tile and formats

static void read_tile(const struct reader *r)
{
    const struct tsr_unpack_operands *operands = r->operands;
    struct tsr_unpack_config *c = r->config;
    bool multi = operands->multi_context, multi0 = multi && operands->unpacker == 0;
    c->multi_context = multi;
    c->compressed = !(multi ? get_of_context(r, UNPACK_FIELD_Disable_zero_compress_cntx0)
                            : get(r, UNPACK_FIELD_IsUncompressed));
    anomaly(r, TSR_UNPACK_ANOMALY_COMPRESSED, c->compressed);
    c->x_dim = (uint16_t)(multi0 ? get_of_four(r, UNPACK_FIELD_Tile_x_dim_cntx0)
                                 : get(r, UNPACK_FIELD_XDim));
    uint32_t z_dim = get(r, UNPACK_FIELD_ZDim), w_dim = get(r, UNPACK_FIELD_WDim);
    c->y_dim = (uint8_t)get(r, UNPACK_FIELD_YDim);
    c->z_dim = (uint8_t)(z_dim ? z_dim : 1);
    c->w_dim = (uint8_t)(w_dim ? w_dim : 1);
    c->digest_size = (uint8_t)get(r, UNPACK_FIELD_DigestSize);
    c->blobs = (uint8_t)get(r, UNPACK_FIELD_BlobsPerXYPlane);
    c->blob_starts =
        multi0 ? get(r, UNPACK_FIELD_blobs_y_start_pair0 + (operands->context >> 1 & 1u))
               : get(r, UNPACK_FIELD_BlobsYStart_lo) | get(r, UNPACK_FIELD_BlobsYStart_hi) << 16;
}

static bool is_32bit(uint8_t format)
{
    return format == TSR_FORMAT_FP32 || format == TSR_FORMAT_TF32 || format == TSR_FORMAT_INT32;
}

// The nearest format that exists: 12 and 13 have the sizes of 32- and 16-bit datums, as their low
// bits say, and are moved as integers.
static uint8_t known_format(uint8_t format)
{
    return tsr_format_at(format)->name
               ? format
               : (uint8_t)(format & 3 ? TSR_FORMAT_INT16 : TSR_FORMAT_INT32);
}

static bool pair_exists(uint8_t in, uint8_t out)
{
    if (in != known_format(in) || out != known_format(out))
        return false;
    return in == out ||
           (in == TSR_FORMAT_FP32 &&
            (out == TSR_FORMAT_TF32 || out == TSR_FORMAT_BF16 || out == TSR_FORMAT_FP16));
}

// Behind the unpacker all blocks with exponents of that size are BF16 or FP16.
static bool widens_blocks(uint8_t in, uint8_t out)
{
    return (out == TSR_FORMAT_BFP8 && (in == TSR_FORMAT_BFP4 || in == TSR_FORMAT_BFP2)) ||
           (out == TSR_FORMAT_BFP8A && (in == TSR_FORMAT_BFP4A || in == TSR_FORMAT_BFP2A));
}

// UnpackToDst comes later on the page; the conversion needs it.
static void read_formats(const struct reader *r)
{
    struct tsr_unpack_config *c = r->config;
    bool multi = r->operands->multi_context;
    bool of_context = multi && get(r, UNPACK_FIELD_Ovrd_data_format);
    if (r->operands->unpacker == 0)
        c->to_dst = multi ? get_of_context(r, UNPACK_FIELD_Unpack_if_sel_cntx0)
                          : get(r, UNPACK_FIELD_Unpack_If_Sel);
    c->in_format = (uint8_t)(of_context ? get_of_context(r, UNPACK_FIELD_Unpack_data_format_cntx0)
                                        : get(r, UNPACK_FIELD_InDataFormat));
    c->out_format =
        (uint8_t)(of_context ? get_of_context(r, UNPACK_FIELD_Unpack_out_data_format_cntx0)
                             : get(r, UNPACK_FIELD_Out_data_format));
    c->mode.arch = r->env->chip->arch;
    c->mode.in_format = known_format(c->in_format);
    c->mode.out_format = c->out_format;
    c->mode.to_dst = c->to_dst;
    c->mode.int8_unsigned = get(r, UNPACK_FIELD_SrcUnsigned);
    c->mode.lf8_4b_exp = get(r, UNPACK_FIELD_Unp_LF8_4b_exp);
    if (!pair_exists(c->in_format, c->out_format)) {
        bool narrow = widens_blocks(c->in_format, c->out_format);
        anomaly(r, narrow ? TSR_UNPACK_ANOMALY_NARROW_BLOCK : TSR_UNPACK_ANOMALY_FORMAT_PAIR, true);
        c->mode.out_format = c->mode.in_format;
    } else if (!c->to_dst && c->in_format == c->out_format) {
        // Src has 19 bits: FP32 to TF32 is a conversion, TF32 to TF32 is none (decision 5).
        anomaly(r, TSR_UNPACK_ANOMALY_SRC_32BIT, is_32bit(c->in_format));
    }
    c->wide = is_32bit(c->mode.out_format);
    c->datum_bits = tsr_format_at(c->mode.in_format)->l1_bits;
    c->x_limit = (uint16_t)(8192u / (c->datum_bits > 8 ? c->datum_bits / 8u : 1u));
    c->blocks = tsr_format_at(c->mode.in_format)->block;
}

// ---------------------------------------------------------------- layout of the input

// The sections before the datums, and the stride of the rows.
static void read_layout(const struct reader *r)
{
    struct tsr_unpack_config *c = r->config;
    if (c->compressed) { // one entry more than there are rows or blobs
        uint32_t rows = (c->blobs ? c->blobs : c->y_dim) * c->z_dim * c->w_dim;
        c->row_start_bytes = tsr_round_up((rows + 1) * 2, 16);
        anomaly(r, TSR_UNPACK_ANOMALY_NARROW_COMPRESSED, c->datum_bits < 4);
    }

    c->forced_exponent = (uint8_t)get(r, UNPACK_FIELD_FORCED_SHARED_EXP);
    c->l1_exponents = c->blocks && !get(r, UNPACK_FIELD_Force_shared_exp);
    bool always = c->mode.in_format == TSR_FORMAT_BFP8 || c->mode.in_format == TSR_FORMAT_BFP8A;
    if (c->l1_exponents && (always || !get(r, UNPACK_FIELD_NoBFPExpSection))) {
        uint64_t elements = (uint64_t)c->x_dim * c->y_dim * c->z_dim * c->w_dim;
        c->exponent_bytes = (elements + 255) / 256 * 16;
    }

    c->tileize = get(r, UNPACK_FIELD_Tileize_mode);
    c->row_width = r->env->chip->wide_unpack_rows && c->datum_bits > 8 ? 32 : 16;
    c->row_stride = c->datum_bits * c->row_width / 8u;
    if (c->tileize)
        c->row_stride = get(r, UNPACK_FIELD_Shift_amount_cntx0) << 4 |
                        get(r, UNPACK_FIELD_Shift_amount_cntx0 + 1) << 8 |
                        get(r, UNPACK_FIELD_Shift_amount_cntx0 + 2) << 12;
    anomaly(r, TSR_UNPACK_ANOMALY_NARROW_TILEIZE, c->tileize && c->datum_bits < 8);
}

// ---------------------------------------------------------------- output and modes

static void read_output(const struct reader *r)
{
    const struct tsr_unpack_operands *operands = r->operands;
    struct tsr_unpack_config *c = r->config;
    bool unpacker0 = operands->unpacker == 0;
    c->y_stride = (uint16_t)get(r, UNPACK_FIELD_Ystride);
    c->z_stride = (uint16_t)get(r, UNPACK_FIELD_Zstride);
    c->w_stride = (uint16_t)get(r, UNPACK_FIELD_Wstride);
    c->out_shift = is_32bit(c->out_format) ? 2 : 0;
    if (c->out_format == TSR_FORMAT_FP16 || c->out_format == TSR_FORMAT_BF16 ||
        c->out_format == TSR_FORMAT_INT16)
        c->out_shift = 1;
    c->has_context_out = operands->multi_context && unpacker0;
    c->adds_context_out = c->to_dst || get(r, UNPACK_FIELD_ADD_DEST_ADDR_CNTR);
    c->row_from_address = tsr_thread_cfg(r->env, operands->thread, FIELD_SRCA_SET_SetOvrdWithAddr);
    anomaly(r, TSR_UNPACK_ANOMALY_DST_OVRD, unpacker0 && c->to_dst && c->row_from_address);
    anomaly(r, TSR_UNPACK_ANOMALY_RELATIVE_SRCA, unpacker0 && !c->to_dst && !c->row_from_address);
    c->steps_src_row = get(r, UNPACK_FIELD_Unpack_Src_Reg_Set_Upd);
    c->context_count = (uint8_t)(get(r, UNPACK_FIELD_Context_count_non_log2_en)
                                     ? get(r, UNPACK_FIELD_Context_count_non_log2)
                                     : 1u << get(r, UNPACK_FIELD_Context_count));
}

static void read_modes(const struct reader *r)
{
    struct tsr_unpack_config *c = r->config;
    bool unpacker0 = r->operands->unpacker == 0;
    bool haloize = get(r, UNPACK_FIELD_Haloize_mode);
    c->transpose = haloize && unpacker0;
    anomaly(r, TSR_UNPACK_ANOMALY_TRANSPOSE_SRCB, haloize && !unpacker0);
    anomaly(r, TSR_UNPACK_ANOMALY_TRANSPOSE_TO_DST, c->transpose && c->to_dst);

    uint32_t rate = get(r, UNPACK_FIELD_Upsample_rate);
    c->places_per_datum = (uint8_t)(1u << rate); // decision 7
    c->keeps_gaps = get(r, UNPACK_FIELD_Upsample_and_interleave);
    anomaly(r, TSR_UNPACK_ANOMALY_UPSAMPLE, rate != 0);
    anomaly(r, TSR_UNPACK_ANOMALY_INTERLEAVE, rate == 0 && c->keeps_gaps);
    anomaly(r, TSR_UNPACK_ANOMALY_TILEIZE_CLASH, c->tileize && (rate != 0 || c->compressed));

    if (unpacker0 && !c->tileize)
        c->column_shift = (uint8_t)get_of_four(r, UNPACK_FIELD_Shift_amount_cntx0);
    anomaly(r, TSR_UNPACK_ANOMALY_COLUMN_SHIFT, c->column_shift != 0);
    anomaly(r, TSR_UNPACK_ANOMALY_SHIFT_TO_DST, c->column_shift != 0 && c->to_dst);
    if (c->to_dst)
        c->column_shift = 0;
}

// ---------------------------------------------------------------- speed

// The throttle mode of the page's burst rule: some formats and modes leave no choice, and
// Blackhole has a default of its own.
static unsigned burst_throttle(const struct reader *r)
{
    const struct tsr_unpack_config *c = r->config;
    if (c->datum_bits == 2)
        return 0;
    if (c->tileize)
        return 2;
    if (r->env->chip->arch == TSR_BLACKHOLE_A0 && !get(r, UNPACK_FIELD_ovrd_default_throttle_mode))
        return c->datum_bits == 8 ? 3 : 2;
    return get(r, UNPACK_FIELD_Throttle_mode);
}

// Bytes of L1 a cycle. Blackhole moves twice as many wide datums at x4. A mode that the chip does
// not have is a finding; it moves as its number says.
static uint16_t bytes_at(const struct reader *r, unsigned throttle)
{
    static const enum tsr_rate rates[4] = {RATE_UNPACK_BYTES_X1, RATE_UNPACK_BYTES_X2,
                                           RATE_UNPACK_BYTES_X4, RATE_UNPACK_BYTES_X8};
    const struct tsr_isa *isa = r->env->isa;
    if (throttle == 2 && isa->rate[RATE_UNPACK_BYTES_X8] != 0 && r->config->datum_bits >= 16)
        throttle = 3;
    uint16_t rate = isa->rate[rates[throttle]];
    return rate ? rate : isa->rate[RATE_UNPACK_BYTES_X4];
}

// The page's list of constraints has more of them than its burst rule.
static void read_speed(const struct reader *r)
{
    struct tsr_unpack_config *c = r->config;
    unsigned for_bursts = burst_throttle(r), throttle = for_bursts;
    if ((c->places_per_datum == 2 || (c->to_dst && c->datum_bits == 4)) && throttle > 1)
        throttle = 1;
    if (c->compressed || c->places_per_datum >= 4)
        throttle = 0;
    c->speed = (uint8_t)(throttle < UNPACK_X4 ? throttle : UNPACK_X4);
    c->bytes_per_cycle = bytes_at(r, throttle);
    bool has_x8 = r->env->isa->rate[RATE_UNPACK_BYTES_X8] != 0;
    anomaly(r, TSR_UNPACK_ANOMALY_THROTTLE, get(r, UNPACK_FIELD_Throttle_mode) == 3 && !has_x8);
    unsigned rows = bytes_at(r, for_bursts) / (2u * c->datum_bits);
    c->burst_rows = (uint8_t)(rows < 1 ? 1 : rows > 8 ? 8 : rows);
}

// Kernels take whole rows to whole rows (or, transposed, to whole columns). Formats whose exponents
// must be checked one by one stay with the general path.
static bool allows_kernel(const struct tsr_unpack_config *c)
{
    bool five_bits = c->blocks && tsr_format_at(c->mode.in_format)->exponent_bits == 5;
    return c->places_per_datum == 1 && c->column_shift == 0 && !five_bits &&
           !(c->anomalies & TSR_UNPACK_ANOMALY(DST_OVRD));
}

void tsr_unpack_config_make(const struct tsr_env *env, const struct tsr_unpack_operands *operands,
                            struct tsr_unpack_config *config)
{
    struct reader r = {env, operands, config};
    *config = (struct tsr_unpack_config){0};
    read_tile(&r);
    read_formats(&r);
    read_layout(&r);
    read_output(&r);
    read_modes(&r);
    read_speed(&r);
    bool allows = allows_kernel(config);
    config->allows_kernel = allows && !config->compressed;
    config->expands = allows && config->compressed && !config->tileize && config->datum_bits >= 4;
}
