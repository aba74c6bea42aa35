// SPDX-License-Identifier: Apache-2.0
// Input and output address of one UNPACR from base addresses, offsets and counters, and the
// counters' updates: locate_input() and locate_output(). The next datums' addresses, with strides
// and wraps, are in unpack_source.c, those of compressed input in unpack_compressed.c.
// Page: UNPACR_Regular.md (functional model, before and after the main loop); its names are in the
// comments.
#include "unpack/unpack_address.h"

#include "state/dst_rules.h"
#include "unpack/unpack_source.h"
#include "unpack/unpack_target.h"

// ---------------------------------------------------------------- input

// XPos and XEnd by BlobsYStart; the ninth of the eight starts, which does not exist, counts as the
// first.
static void select_blob(const tsr_adc_channel *adc_xy, struct tsr_unpack_job *job,
                        tsr_unpack_anomalies *anomalies)
{
    const struct tsr_unpack_config *c = &job->config;
    uint32_t x71 = (adc_xy->x & 7) + 1;
    job->first_x = tsr_bits(c->blob_starts, 4 * (adc_xy->y & 7), 4) << 4;
    job->end_x =
        x71 == c->blobs ? c->x_dim & 0x1f0 : tsr_bits(c->blob_starts, 4 * (x71 & 7), 4) << 4;
    if (x71 == 8)
        *anomalies |= TSR_UNPACK_ANOMALY(BLOB);
}

// XPos, XEnd and InputNumDatums. Returns YPos.
static uint32_t select_datums(const struct tsr_unpack_operands *operands,
                              const tsr_adc_channel adc_xy[2], struct tsr_unpack_job *job,
                              tsr_unpack_anomalies *anomalies)
{
    const struct tsr_unpack_config *c = &job->config;
    uint32_t y_pos = adc_xy[0].y & 0xff;
    job->first_x = operands->row_search ? 0 : adc_xy[0].x;
    job->end_x = operands->row_search ? adc_xy[1].x : adc_xy[1].x + 1;
    if (operands->row_search && c->blobs) {
        select_blob(adc_xy, job, anomalies);
        y_pos = 0;
    }
    if (job->first_x >= c->x_limit || job->end_x > c->x_limit)
        *anomalies |= TSR_UNPACK_ANOMALY(X_LIMIT);
    if (job->end_x < job->first_x)
        *anomalies |= TSR_UNPACK_ANOMALY(X_ORDER);
    job->input_datums = job->end_x < job->first_x ? 0 : job->end_x - job->first_x;
    job->output_datums = job->input_datums;
    return y_pos;
}

// Compressed input: which two row starts count, or how many datums of the row are dropped and
// wanted. The row starts themselves are data and wait for execution.
static void select_row(const struct tsr_unpack_operands *operands, const tsr_adc_channel adc_xy[2],
                       uint32_t plane, struct tsr_unpack_job *job, tsr_unpack_anomalies *anomalies)
{
    const struct tsr_unpack_config *c = &job->config;
    uint32_t y_dim = operands->row_search && c->blobs ? c->blobs : c->y_dim;
    uint32_t row = adc_xy[0].y & 0xff, end = operands->row_search ? adc_xy[0].x & 0xff : row;
    int64_t starts = job->row_start_address + 2 * (int64_t)plane * y_dim;
    job->row_start_address = starts + 2 * (int64_t)row;
    job->row_end_address = starts + 2 * ((int64_t)end + 1);
    job->partial_row = !operands->row_search && !(adc_xy[0].x == 0 && adc_xy[1].x == c->x_dim - 1u);
    if (!job->partial_row)
        return;
    job->first_x = adc_xy[0].x;
    job->end_x = adc_xy[1].x + 1;
    job->drop_datums = adc_xy[0].x;
    job->wanted_datums = adc_xy[1].x + 1 - adc_xy[0].x;
    if (adc_xy[1].x + 1 < adc_xy[0].x) {
        *anomalies |= TSR_UNPACK_ANOMALY(X_ORDER);
        job->wanted_datums = 0;
    }
}

// From the base address to the first datum and its exponent.
static tsr_unpack_anomalies locate_input(const struct tsr_env *env,
                                         const struct tsr_unpack_operands *operands,
                                         const struct tsr_unpack_inputs *inputs,
                                         struct tsr_unpack_job *job)
{
    const struct tsr_unpack_config *c = &job->config;
    const struct tsr_l1 *l1 = &env->state->l1;
    const tsr_adc_channel *adc_xy = env->state->adcs.channel[operands->adc][operands->unpacker];
    const tsr_adc_channel *adc_zw = env->state->adcs.channel[operands->thread][operands->unpacker];
    tsr_unpack_anomalies anomalies = 0;

    // InAddr = (Base_address + (Offset_address & 0xffff) + 1 + DigestSize) * 16, then the sections.
    uint32_t in_addr = (inputs->base_address + inputs->offset_address + 1 + c->digest_size) * 16;
    int64_t exponents = (int64_t)in_addr + c->row_start_bytes; // InAddr_Exponents
    int64_t datums = exponents + (int64_t)c->exponent_bytes;   // InAddr_Datums
    // The input side sees eight bits of each counter but X, on both chips.
    uint32_t plane = (adc_zw->w & 0xff) * c->z_dim + (adc_zw->z & 0xff);

    if (c->compressed) {
        job->row_start_address = in_addr; // InAddr_RowStart
        job->first_exponent_16th = exponents * 16;
        job->first_datum_bit = datums * 8;
        select_row(operands, adc_xy, plane, job, &anomalies);
        return anomalies;
    }

    // FirstDatum = ((ADC_ZW.W * ZDim + ADC_ZW.Z) * YDim + YPos) * XDim + XPos
    uint32_t y_pos = select_datums(operands, adc_xy, job, &anomalies);
    uint64_t first_datum = ((uint64_t)plane * c->y_dim + y_pos) * c->x_dim + job->first_x;
    // InAddr_Exponents = WrapAddr(InAddr_Exponents + FirstDatum / 16.)
    // InAddr_Datums = WrapAddr(InAddr_Datums + FirstDatum * DatumSizeBytes)
    job->first_exponent_16th = tsr_unpack_wrap_16ths(job, exponents * 16 + (int64_t)first_datum);
    job->first_datum_bit =
        tsr_unpack_wrap_bits(job, datums * 8 + (int64_t)first_datum * c->datum_bits);

    if ((c->transpose || c->tileize) && job->first_datum_bit % 128 != 0)
        anomalies |= TSR_UNPACK_ANOMALY(INPUT_ALIGNMENT);
    tsr_unpack_set_contiguous(job);
    if (tsr_unpack_all_in_l1(l1, job))
        return anomalies;
    struct tsr_unpack_scan scan = {.asked = UNPACK_L1_OUTSIDE};
    tsr_unpack_scan(&scan, l1, job);
    if (scan.found & UNPACK_L1_OUTSIDE) {
        job->outside_address = scan.outside_address;
        anomalies |= TSR_UNPACK_ANOMALY(L1_RANGE);
    }
    return anomalies;
}

// ---------------------------------------------------------------- output

static tsr_unpack_anomalies locate_output(const struct tsr_env *env,
                                          const struct tsr_unpack_operands *operands,
                                          const struct tsr_unpack_inputs *inputs,
                                          struct tsr_unpack_job *job)
{
    const struct tsr_unpack_config *c = &job->config;
    const tsr_adc_channel *adc_out =
        &env->state->adcs.channel[operands->thread][operands->unpacker][1]; // ADC_Out
    tsr_unpack_anomalies anomalies = 0;

    uint32_t out_addr = inputs->out_base + adc_out->y * c->y_stride + adc_out->z * c->z_stride +
                        adc_out->w * c->w_stride;
    if (out_addr & tsr_mask32(c->out_shift))
        anomalies |= TSR_UNPACK_ANOMALY(OUTPUT_ALIGNMENT);
    out_addr >>= c->out_shift;
    if (c->has_context_out) // CtxOutAddr
        out_addr = c->adds_context_out ? out_addr + inputs->context_out : inputs->context_out;
    job->out_address = out_addr;
    job->dst_order = c->to_dst ? tsr_dst_order(env) : 0;
    if (out_addr % 16 != 0 || (operands->unpacker == 0 && out_addr < 64))
        anomalies |= TSR_UNPACK_ANOMALY(OUTPUT_START);
    return anomalies;
}

// ---------------------------------------------------------------- all of it

// Whether kernels can do it: from whole rows, and nothing undefined on the way.
static bool uses_kernel(const struct tsr_unpack_job *job, tsr_unpack_anomalies anomalies)
{
    return job->config.allows_kernel && !(anomalies & TSR_UNPACK_NO_KERNEL) && !job->broadcasts &&
           !job->all_zero && job->out_address % 16 == 0 &&
           (job->unpacker == 1 || job->out_address >= 64) && job->first_datum_bit % 8 == 0 &&
           (!job->config.l1_exponents || job->first_exponent_16th % 16 == 0);
}

tsr_unpack_anomalies tsr_unpack_address(const struct tsr_env *env,
                                        const struct tsr_unpack_operands *operands,
                                        const struct tsr_unpack_inputs *inputs,
                                        struct tsr_unpack_job *job)
{
    job->limit_address = inputs->limit_address;
    job->fifo_size = inputs->fifo_size;
    job->src_row_base = inputs->src_row_base;
    tsr_unpack_anomalies anomalies = locate_output(env, operands, inputs, job);
    anomalies |= locate_input(env, operands, inputs, job);
    if (!job->config.compressed && job->unpacker == 0)
        anomalies |= tsr_unpack_check_rows(env, job);
    job->uses_kernel = uses_kernel(job, anomalies);
    return anomalies;
}
