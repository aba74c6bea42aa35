// SPDX-License-Identifier: Apache-2.0
// What the configuration makes of an UNPACR: formats, dimensions, strides, modes, and all doubts
// that follow from them. Addresses and counters are not read here.
// Pages: UNPACR_Regular.md (functional model up to the main loop; Performance),
// Unpackers/FormatConversion.md.
#include "unpack/unpack_plan.h"

#include "base/format_codes.h"
#include "unpack/unpack_unit.h"

#include <stdlib.h>
#include <string.h>

struct tsr_unpack_plans *tsr_unpack_plans_create(void)
{
    return calloc(1, sizeof(struct tsr_unpack_plans));
}

void tsr_unpack_plans_destroy(struct tsr_unpack_plans *plans)
{
    free(plans);
}

void tsr_unpack_plans_clear(struct tsr_unpack_plans *plans)
{
    uint32_t stamp = plans->stamp; // none comes again
    memset(plans, 0, sizeof *plans);
    plans->stamp = stamp;
}

// ---------------------------------------------------------------- fields

#define SECTION(name)                                                                              \
    {                                                                                              \
        FIELD_THCON_SEC0_##name, FIELD_THCON_SEC1_##name                                           \
    }
#define UNPACKER(name)                                                                             \
    {                                                                                              \
        FIELD_UNP0_##name, FIELD_UNP1_##name                                                       \
    }
#define CONTEXTS(section, name)                                                                    \
    {                                                                                              \
        FIELD_THCON_##section##_##name##0, FIELD_THCON_##section##_##name##1,                      \
            FIELD_THCON_##section##_##name##2, FIELD_THCON_##section##_##name##3,                  \
            FIELD_THCON_##section##_##name##4, FIELD_THCON_##section##_##name##5,                  \
            FIELD_THCON_##section##_##name##6, FIELD_THCON_##section##_##name##7                   \
    }

typedef const enum tsr_field field_pair[2];
typedef const enum tsr_field field_contexts[2][TSR_UNPACK_CONTEXTS];

static field_pair desc_in_format = SECTION(REG0_TileDescriptor_InDataFormat);
static field_pair desc_uncompressed = SECTION(REG0_TileDescriptor_IsUncompressed);
static field_pair desc_no_exponents = SECTION(REG0_TileDescriptor_NoBFPExpSection);
static field_pair desc_x = SECTION(REG0_TileDescriptor_XDim);
static field_pair desc_y = SECTION(REG0_TileDescriptor_YDim);
static field_pair desc_z = SECTION(REG0_TileDescriptor_ZDim);
static field_pair desc_w = SECTION(REG0_TileDescriptor_WDim);
static field_pair desc_blobs = SECTION(REG0_TileDescriptor_BlobsPerXYPlane);
static field_pair desc_blob_starts_low = SECTION(REG0_TileDescriptor_BlobsYStart_lo);
static field_pair desc_blob_starts_high = SECTION(REG0_TileDescriptor_BlobsYStart_hi);
static field_pair desc_digest = SECTION(REG0_TileDescriptor_DigestSize);
static field_pair lf8_4b_exp = SECTION(REG1_Unp_LF8_4b_exp);
static field_pair throttle_override = SECTION(REG1_ovrd_default_throttle_mode);
static field_pair out_format = SECTION(REG2_Out_data_format);
static field_pair throttle_mode = SECTION(REG2_Throttle_mode);
static field_pair context_count = SECTION(REG2_Context_count);
static field_pair context_count_other = SECTION(REG2_Context_count_non_log2);
static field_pair context_count_other_en = SECTION(REG2_Context_count_non_log2_en);
static field_pair haloize = SECTION(REG2_Haloize_mode);
static field_pair tileize = SECTION(REG2_Tileize_mode);
static field_pair src_set_update = SECTION(REG2_Unpack_Src_Reg_Set_Upd);
static field_pair to_dst = SECTION(REG2_Unpack_If_Sel);
static field_pair upsample_rate = SECTION(REG2_Upsample_rate);
static field_pair upsample_interleave = SECTION(REG2_Upsample_and_interleave);
static field_pair override_format = SECTION(REG2_Ovrd_data_format);
static field_pair force_exponent = SECTION(REG2_Force_shared_exp);
static field_pair forced_exponent = UNPACKER(FORCED_SHARED_EXP_shared_exp);
static field_pair add_destination = UNPACKER(ADD_DEST_ADDR_CNTR_add_dest_addr_cntr);
static field_pair y_stride = UNPACKER(ADDR_CTRL_XY_REG_1_Ystride);
static field_pair z_stride = UNPACKER(ADDR_CTRL_ZW_REG_1_Zstride);
static field_pair w_stride = UNPACKER(ADDR_CTRL_ZW_REG_1_Wstride);
static field_pair is_unsigned = {FIELD_ALU_FORMAT_SPEC_REG0_SrcAUnsigned,
                                 FIELD_ALU_FORMAT_SPEC_REG0_SrcBUnsigned};
static const enum tsr_field shift_amount[2][4] = {
    {FIELD_THCON_SEC0_REG2_Shift_amount_cntx0, FIELD_THCON_SEC0_REG2_Shift_amount_cntx1,
     FIELD_THCON_SEC0_REG2_Shift_amount_cntx2, FIELD_THCON_SEC0_REG2_Shift_amount_cntx3},
    {FIELD_THCON_SEC1_REG2_Shift_amount_cntx0, FIELD_THCON_SEC1_REG2_Shift_amount_cntx1,
     FIELD_THCON_SEC1_REG2_Shift_amount_cntx2, FIELD_THCON_SEC1_REG2_Shift_amount_cntx3}};
static const enum tsr_field context_blob_starts[2] = {
    FIELD_UNP0_BLOBS_Y_START_CNTX_01_blobs_y_start, FIELD_UNP0_BLOBS_Y_START_CNTX_23_blobs_y_start};
static const enum tsr_field tile_x[4] = {
    FIELD_THCON_SEC0_REG5_Tile_x_dim_cntx0, FIELD_THCON_SEC0_REG5_Tile_x_dim_cntx1,
    FIELD_THCON_SEC0_REG5_Tile_x_dim_cntx2, FIELD_THCON_SEC0_REG5_Tile_x_dim_cntx3};
static field_contexts uncompressed_in = {CONTEXTS(SEC0, REG2_Disable_zero_compress_cntx),
                                         CONTEXTS(SEC1, REG2_Disable_zero_compress_cntx)};
static field_contexts to_dst_in = {CONTEXTS(SEC0, REG2_Unpack_if_sel_cntx),
                                   CONTEXTS(SEC1, REG2_Unpack_if_sel_cntx)};
static field_contexts in_format_in = {CONTEXTS(SEC0, REG7_Unpack_data_format_cntx),
                                      CONTEXTS(SEC1, REG7_Unpack_data_format_cntx)};
static field_contexts out_format_in = {CONTEXTS(SEC0, REG7_Unpack_out_data_format_cntx),
                                       CONTEXTS(SEC1, REG7_Unpack_out_data_format_cntx)};

// What is being planned: the reader of fields and the result.
struct draft {
    const struct tsr_env *env;
    const struct tsr_unpack_call *call;
    struct tsr_unpack_shape *shape;
};

static uint32_t get(const struct draft *d, field_pair field)
{
    return tsr_cfg(d->env, d->call->state, field[d->call->unpacker]);
}

static uint32_t get_in(const struct draft *d, field_contexts field)
{
    return tsr_cfg(d->env, d->call->state, field[d->call->unpacker][d->call->context]);
}

static void anomaly(const struct draft *d, enum tsr_unpack_anomaly which, bool is_so)
{
    if (is_so)
        d->shape->anomalies |= TSR_ANOMALY(which);
}

// ---------------------------------------------------------------- formats

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

static void plan_formats(const struct draft *d)
{
    struct tsr_unpack_shape *s = d->shape;
    bool per_context = d->call->multi_context && get(d, override_format);
    s->in_format = (uint8_t)(per_context ? get_in(d, in_format_in) : get(d, desc_in_format));
    s->out_format = (uint8_t)(per_context ? get_in(d, out_format_in) : get(d, out_format));
    s->mode.arch = d->env->chip->arch;
    s->mode.in_format = known_format(s->in_format);
    s->mode.out_format = s->out_format;
    s->mode.to_dst = s->to_dst;
    s->mode.int8_unsigned = get(d, is_unsigned);
    s->mode.lf8_4b_exp = get(d, lf8_4b_exp);
    if (!pair_exists(s->in_format, s->out_format)) {
        anomaly(d, ANOMALY_FORMAT_PAIR, true);
        s->mode.out_format = s->mode.in_format;
    } else if (!s->to_dst && s->in_format == s->out_format) {
        // Src has 19 bits: FP32 to TF32 is a conversion, TF32 to TF32 is none (decision 5).
        anomaly(d, ANOMALY_SRC_32BIT, is_32bit(s->in_format));
    }
    s->wide = is_32bit(s->mode.out_format);
    s->out_shift = is_32bit(s->out_format) ? 2 : 0;
    if (s->out_format == TSR_FORMAT_FP16 || s->out_format == TSR_FORMAT_BF16 ||
        s->out_format == TSR_FORMAT_INT16)
        s->out_shift = 1;
    s->datum_bits = tsr_format_at(s->mode.in_format)->l1_bits;
    s->x_limit = (uint16_t)(8192u / (s->datum_bits > 8 ? s->datum_bits / 8u : 1u));
    s->blocks = tsr_format_at(s->mode.in_format)->block;
}

// ---------------------------------------------------------------- layout of the input

static uint32_t tileize_stride(const struct draft *d)
{
    uint32_t stride = 0;
    for (unsigned i = 0; i < 3; i++) {
        enum tsr_field field = shift_amount[d->call->unpacker][i];
        stride |= tsr_cfg(d->env, d->call->state, field) << (4 + 4 * i);
    }
    return stride;
}

// What compressed input and RowSearch find their rows by: the section of row starts, which has one
// entry more than there are rows or blobs, and the blobs' first rows.
static void plan_rows(const struct draft *d, uint32_t w_dim)
{
    struct tsr_unpack_shape *s = d->shape;
    const struct tsr_unpack_call *call = d->call;
    s->by_context = call->multi_context;
    s->compressed = !(call->multi_context ? get_in(d, uncompressed_in) : get(d, desc_uncompressed));
    s->blobs = (uint8_t)get(d, desc_blobs);
    s->blob_starts = get(d, desc_blob_starts_low) | get(d, desc_blob_starts_high) << 16;
    if (call->multi_context && call->unpacker == 0)
        s->blob_starts = tsr_cfg(d->env, call->state, context_blob_starts[call->context >> 1 & 1]);
    if (!s->compressed)
        return;
    uint32_t rows = (s->blobs ? s->blobs : s->y_dim) * s->z_dim * w_dim;
    s->row_start_bytes = tsr_round_up((rows + 1) * 2, 16);
    anomaly(d, ANOMALY_COMPRESSED, true);
    anomaly(d, ANOMALY_NARROW_COMPRESSED, s->datum_bits < 4);
}

static void plan_input(const struct draft *d)
{
    struct tsr_unpack_shape *s = d->shape;
    const struct tsr_unpack_call *call = d->call;
    bool own_x = call->multi_context && call->unpacker == 0;
    s->x_dim = (uint16_t)(own_x ? tsr_cfg(d->env, call->state, tile_x[call->context & 3])
                                : get(d, desc_x));
    uint32_t z = get(d, desc_z), w = get(d, desc_w);
    s->y_dim = (uint8_t)get(d, desc_y);
    s->z_dim = (uint8_t)(z ? z : 1);
    w = w ? w : 1;
    s->header = 16 * (1 + get(d, desc_digest));
    plan_rows(d, w);

    s->forced_exponent = (uint8_t)get(d, forced_exponent);
    s->l1_exponents = s->blocks && !get(d, force_exponent);
    bool always = s->mode.in_format == TSR_FORMAT_BFP8 || s->mode.in_format == TSR_FORMAT_BFP8A;
    if (s->l1_exponents && (always || !get(d, desc_no_exponents))) {
        uint64_t datums = (uint64_t)s->x_dim * s->y_dim * s->z_dim * w;
        s->exponent_bytes = (datums + 255) / 256 * 16;
    }
    s->row_width = d->env->chip->wide_unpack_rows && s->datum_bits > 8 ? 32 : 16;
    s->tileize = get(d, tileize);
    s->row_stride = s->tileize ? tileize_stride(d) : s->datum_bits * s->row_width / 8u;
    anomaly(d, ANOMALY_NARROW_TILEIZE, s->tileize && s->datum_bits < 8);
}

// ---------------------------------------------------------------- where the output goes

static void plan_target(const struct draft *d)
{
    const struct tsr_unpack_call *call = d->call;
    struct tsr_unpack_shape *s = d->shape;
    if (call->unpacker == 0)
        s->to_dst = call->multi_context ? get_in(d, to_dst_in) : get(d, to_dst);
    s->y_stride = (uint16_t)get(d, y_stride);
    s->z_stride = (uint16_t)get(d, z_stride);
    s->w_stride = (uint16_t)get(d, w_stride);
    s->own_destination = call->multi_context && call->unpacker == 0;
    s->adds_destination = s->to_dst || get(d, add_destination);
    s->next_row_set = get(d, src_set_update);
    s->row_from_address = tsr_thread_cfg(d->env, call->thread, FIELD_SRCA_SET_SetOvrdWithAddr);
    bool counted = get(d, context_count_other_en);
    s->contexts = (uint8_t)(counted ? get(d, context_count_other) : 1u << get(d, context_count));
}

static void plan_modes(const struct draft *d)
{
    const struct tsr_unpack_call *call = d->call;
    struct tsr_unpack_shape *s = d->shape;
    bool turned = get(d, haloize);
    s->transpose = turned && call->unpacker == 0;
    anomaly(d, ANOMALY_TRANSPOSE_SRCB, turned && call->unpacker == 1);
    anomaly(d, ANOMALY_TRANSPOSE_TO_DST, s->transpose && s->to_dst);

    uint32_t rate = get(d, upsample_rate);
    s->spacing = (uint8_t)(1u << rate); // decision 7
    s->keeps_gaps = get(d, upsample_interleave);
    anomaly(d, ANOMALY_UPSAMPLE, rate != 0);
    anomaly(d, ANOMALY_INTERLEAVE, rate == 0 && s->keeps_gaps);
    anomaly(d, ANOMALY_TILEIZE_CLASH, s->tileize && (rate != 0 || s->compressed));

    if (call->unpacker == 0 && !s->tileize)
        s->column_shift = (uint8_t)tsr_cfg(d->env, call->state, shift_amount[0][call->context & 3]);
    anomaly(d, ANOMALY_COLUMN_SHIFT, s->column_shift != 0);
    anomaly(d, ANOMALY_SHIFT_TO_DST, s->column_shift != 0 && s->to_dst);
    if (s->to_dst)
        s->column_shift = 0;

    if (call->unpacker == 0) {
        anomaly(d, ANOMALY_DST_OVRD, s->to_dst && s->row_from_address);
        anomaly(d, ANOMALY_RELATIVE_SRCA, !s->to_dst && !s->row_from_address);
    }
}

// ---------------------------------------------------------------- speed

// The throttle mode of the page's burst rule: some formats and modes leave no choice, and
// Blackhole has a default of its own.
static unsigned burst_speed(const struct draft *d)
{
    const struct tsr_unpack_shape *s = d->shape;
    if (s->datum_bits == 2)
        return 0;
    if (s->tileize)
        return 2;
    if (d->env->chip->arch == TSR_BLACKHOLE_A0 && !get(d, throttle_override))
        return s->datum_bits == 8 ? 3 : 2;
    return get(d, throttle_mode);
}

// The throttle mode that counts for time. The page's list of constraints has more of them than its
// burst rule.
static unsigned speed(const struct draft *d)
{
    const struct tsr_unpack_shape *s = d->shape;
    if (s->compressed || s->spacing >= 4)
        return 0;
    unsigned chosen = burst_speed(d);
    if ((s->spacing == 2 || (s->to_dst && s->datum_bits == 4)) && chosen > 1)
        chosen = 1;
    return chosen;
}

// Bytes of L1 a cycle. Blackhole moves twice as many wide datums at x4. A mode that the chip does
// not have is a finding; it moves as its number says.
static uint16_t bytes_at(const struct draft *d, unsigned throttle)
{
    static const enum tsr_rate rates[4] = {RATE_UNPACK_BYTES_X1, RATE_UNPACK_BYTES_X2,
                                           RATE_UNPACK_BYTES_X4, RATE_UNPACK_BYTES_X8};
    const struct tsr_isa *isa = d->env->isa;
    if (throttle == 2 && isa->rate[RATE_UNPACK_BYTES_X8] != 0 && d->shape->datum_bits >= 16)
        throttle = 3;
    uint16_t rate = isa->rate[rates[throttle]];
    return rate ? rate : isa->rate[RATE_UNPACK_BYTES_X4];
}

static void plan_speed(const struct draft *d)
{
    struct tsr_unpack_shape *s = d->shape;
    unsigned chosen = speed(d);
    s->speed = (uint8_t)(chosen < UNPACK_X4 ? chosen : UNPACK_X4);
    s->bytes_per_cycle = bytes_at(d, chosen);
    bool has_x8 = d->env->isa->rate[RATE_UNPACK_BYTES_X8] != 0;
    anomaly(d, ANOMALY_THROTTLE, get(d, throttle_mode) == 3 && !has_x8);
    unsigned rows = bytes_at(d, burst_speed(d)) / (2u * s->datum_bits);
    s->burst_rows = (uint8_t)(rows < 1 ? 1 : rows > 8 ? 8 : rows);
}

// Whole rows to whole rows (or, transposed, to whole columns): what kernels can do. Formats whose
// exponents must be checked one by one stay with the general path.
static bool goes_by_rows(const struct tsr_unpack_shape *s)
{
    bool five_bits = s->blocks && tsr_format_at(s->mode.in_format)->exponent_bits == 5;
    return !s->compressed && s->spacing == 1 && s->column_shift == 0 && !five_bits &&
           !(s->anomalies & TSR_ANOMALY(ANOMALY_DST_OVRD));
}

// ---------------------------------------------------------------- together

static void find_kernel(const struct tsr_env *env, struct tsr_unpack_plan *plan)
{
    const tsr_unpack_mode *mode = &plan->shape.mode;
    if (!env->kernels)
        return;
    if (plan->shape.to_dst)
        plan->to_dst = tsr_kernels_unpack_dst(env->kernels, mode);
    else
        plan->to_src = tsr_kernels_unpack_src(env->kernels, mode);
}

void tsr_unpack_make_plan(struct tsr_env *env, const struct tsr_unpack_call *call,
                          struct tsr_unpack_plan *plan)
{
    const struct tsr_config *config = &env->state->config;
    enum tsr_plan_group group = tsr_unpack_group_of(call);
    memset(plan, 0, sizeof *plan);
    struct draft d = {env, call, &plan->shape};
    plan_target(&d);
    plan_formats(&d);
    plan_input(&d);
    plan_modes(&d);
    plan_speed(&d);
    plan->shape.by_rows = goes_by_rows(&plan->shape);
    find_kernel(env, plan);
    tsr_unpack_read_inputs(env, call, &plan->shape, &plan->inputs);
    plan->made = true;
    plan->slot = (uint8_t)(plan - env->unpack_plans->slot);
    plan->stamp = ++env->unpack_plans->stamp;
    plan->multi_context = call->multi_context;
    plan->unpack_generation = config->bank_generation[call->state][group];
    plan->alu_generation = config->bank_generation[call->state][PLAN_ALU];
    plan->thread_generation = config->thread_generation[call->thread][group];
    env->plans_made++;
}

tsr_unpack_src_fn *tsr_unpack_src_kernel_again(const struct tsr_env *env,
                                               const struct tsr_unpack_job *job)
{
    return env->kernels ? tsr_kernels_unpack_src(env->kernels, &job->shape.mode) : NULL;
}

tsr_unpack_dst_fn *tsr_unpack_dst_kernel(const struct tsr_env *env,
                                         const struct tsr_unpack_job *job)
{
    const struct tsr_unpack_plan *plan = &env->unpack_plans->slot[job->slot];
    if (plan->made && plan->stamp == job->stamp)
        return plan->to_dst;
    return env->kernels ? tsr_kernels_unpack_dst(env->kernels, &job->shape.mode) : NULL;
}
