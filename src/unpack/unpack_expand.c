// SPDX-License-Identifier: Apache-2.0
// The fast path of compressed input: the datums that are there go through a kernel in one call, as
// if nothing lay between them, and then to their places among zeroes. What it does not take, the
// general path does (unpack_datums.c).
// Pages: UNPACR_Regular.md (main loop), Packers/Compression.md.
#include "unpack/unpack_expand.h"

#include "state/dst_rules.h"
#include "unpack/unpack_plan.h"
#include "unpack/unpack_source.h"
#include "unpack/unpack_target.h"

#include <string.h>

enum { DATUMS = TSR_SRC_ROWS * TSR_COLUMNS };

// The compressed datums without what lies between them, as a kernel takes them.
struct gathered {
    uint8_t bytes[DATUMS * sizeof(uint32_t)];
    uint8_t exponents[DATUMS / TSR_COLUMNS];
    uint8_t zeroes[DATUMS]; // after each
};

static bool takes(const struct tsr_env *env, const struct tsr_unpack_job *job)
{
    const struct tsr_unpack_config *c = &job->config;
    return !job->all_zero && !job->tainted && !job->broadcasts && !env->state->l1.any_tainted &&
           c->expands && job->input_datums > 0 && job->input_datums <= DATUMS &&
           job->output_datums <= DATUMS && job->out_address % 16 == 0 &&
           job->first_datum_bit % 8 == 0 && job->first_delta_bit >= 0 &&
           (!c->l1_exponents || job->first_exponent_16th % 16 == 0);
}

// Of one run, in which deltas lie one after the other.
static void gather_deltas(uint8_t *zeroes, const struct tsr_l1 *l1, int64_t delta_bit,
                          uint32_t datums)
{
    const uint8_t *byte = l1->bytes + delta_bit / 8;
    unsigned odd = delta_bit / 4 & 1;
    for (uint32_t i = 0; i < datums; i++)
        zeroes[i] = byte[(i + odd) / 2] >> ((i + odd) % 2 * 4) & 15;
}

static void gather(const struct tsr_l1 *l1, const struct tsr_unpack_job *job, struct gathered *to)
{
    const struct tsr_unpack_config *c = &job->config;
    if (c->blocks && !c->l1_exponents)
        memset(to->exponents, c->forced_exponent, sizeof to->exponents);
    for (struct tsr_unpack_cursor at = tsr_unpack_begin(job); at.left > 0;) {
        uint32_t run = tsr_unpack_run(job, &at);
        memcpy(to->bytes + at.done * c->datum_bits / 8, l1->bytes + at.datum_bit / 8,
               (run * c->datum_bits + 7) / 8);
        if (c->l1_exponents)
            memcpy(to->exponents + at.done / TSR_COLUMNS, l1->bytes + at.exponent_16th / 16,
                   (run + TSR_COLUMNS - 1) / TSR_COLUMNS);
        gather_deltas(to->zeroes + at.done, l1, at.delta_bit, run);
        tsr_unpack_advance(job, &at, run);
    }
}

// The places of the datums among the zeroes; those before the first one wanted are negative.
static void place(const struct tsr_unpack_job *job, const struct gathered *from, int32_t *at)
{
    int32_t next = -(int32_t)job->drop_datums;
    for (uint32_t i = 0; i < job->input_datums; next += 1 + from->zeroes[i++])
        at[i] = next;
}

// ---------------------------------------------------------------- to SrcA and SrcB

static bool expand_to_src(const struct tsr_unpack_job *job, const struct tsr_l1 *l1,
                          struct tsr_src_bank *bank, unsigned src_row, tsr_unpack_src_fn *kernel)
{
    struct gathered from;
    uint32_t cells[DATUMS];
    int32_t at[DATUMS];
    unsigned row = (unsigned)tsr_unpack_target_row(job, src_row, job->out_address / 16);
    uint32_t count = job->output_datums;
    if (job->config.transpose || row >= TSR_SRC_ROWS || count > (TSR_SRC_ROWS - row) * TSR_COLUMNS)
        return false;
    gather(l1, job, &from);
    kernel(cells, from.bytes, job->config.blocks ? from.exponents : NULL, job->input_datums,
           &job->config.mode);
    place(job, &from, at);
    uint32_t *to = bank->datum[row];
    memset(to, 0, count * sizeof *to);
    for (uint32_t i = 0; i < job->input_datums; i++)
        if ((uint32_t)at[i] < count) // negative ones are large
            to[at[i]] = cells[i];
    for (uint32_t done = 0; done < count; done += TSR_COLUMNS, row++)
        tsr_unpack_src_wrote(bank, row, tsr_unpack_columns(0, count - done), 0);
    return true;
}

// ---------------------------------------------------------------- to Dst

static void put_dst_row(struct tsr_env *env, const struct tsr_unpack_job *job, unsigned row,
                        const uint16_t *high, const uint16_t *low, uint32_t columns)
{
    struct tsr_dst *dst = &env->state->dst;
    struct tsr_dst_view view = tsr_dst_at(dst, job->dst_order, row, job->config.wide);
    columns = columns < TSR_COLUMNS ? columns : TSR_COLUMNS;
    memcpy(view.high, high, columns * sizeof *high);
    if (view.low)
        memcpy(view.low, low, columns * sizeof *low);
    tsr_dst_wrote(dst, &view, tsr_unpack_columns(0, columns), 0);
    tsr_dst_note_write(env, &view);
}

static void expand_to_dst(struct tsr_env *env, const struct tsr_unpack_job *job,
                          tsr_unpack_dst_fn *kernel)
{
    struct gathered from;
    uint16_t high[DATUMS], low[DATUMS], to_high[DATUMS] = {0}, to_low[DATUMS] = {0};
    int32_t at[DATUMS];
    bool wide = job->config.wide;
    gather(&env->state->l1, job, &from);
    kernel(high, wide ? low : NULL, from.bytes, job->config.blocks ? from.exponents : NULL,
           job->input_datums, &job->config.mode);
    place(job, &from, at);
    for (uint32_t i = 0; i < job->input_datums; i++) {
        if ((uint32_t)at[i] >= job->output_datums)
            continue;
        to_high[at[i]] = high[i];
        if (wide)
            to_low[at[i]] = low[i];
    }
    for (uint32_t done = 0; done < job->output_datums; done += TSR_COLUMNS) {
        int row = tsr_unpack_target_row(job, 0, (job->out_address + done) / 16);
        put_dst_row(env, job, (unsigned)row, to_high + done, to_low + done,
                    job->output_datums - done);
    }
}

bool tsr_unpack_expand(struct tsr_env *env, const struct tsr_unpack_job *job,
                       struct tsr_src_bank *bank, unsigned src_row)
{
    if (!takes(env, job))
        return false;
    if (job->config.to_dst) {
        tsr_unpack_dst_fn *kernel = tsr_unpack_dst_kernel(env, job);
        if (kernel)
            expand_to_dst(env, job, kernel);
        return kernel != NULL;
    }
    tsr_unpack_src_fn *kernel = tsr_unpack_src_kernel(env, job);
    return kernel && expand_to_src(job, &env->state->l1, bank, src_row, kernel);
}
