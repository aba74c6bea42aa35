// SPDX-License-Identifier: Apache-2.0
// The UNPACR that kernels mean nearly always: datums in one piece of L1, through a kernel, to whole
// rows of SrcA or SrcB that lie one after the other, with nothing to report. Its addresses take a
// third of the steps of the general ones (unpack_address.c), and its move is one call. Where
// anything is unlike that, these functions say so and change nothing.
// Page: UNPACR_Regular.md (functional model); names as in unpack_address.c.
#ifndef TESSERA_UNPACK_UNPACK_PLAIN_H
#define TESSERA_UNPACK_UNPACK_PLAIN_H

#include "base/bits.h"
#include "unpack/unpack_address.h"
#include "unpack/unpack_plan.h"
#include "unpack/unpack_source.h"
#include "unpack/unpack_target.h"

#include <string.h>

// The first row in Src; from TSR_SRC_ROWS on if it has none. SrcRow is sampled at execution.
static inline uint32_t tsr_unpack_plain_row(const struct tsr_env *env, unsigned unpacker,
                                            unsigned thread, uint32_t out_address)
{
    return out_address / 16 +
           (unpacker == 0 ? 0u - TSR_UNPACK_ROWS_BEFORE : env->state->unpacker[1].src_row[thread]);
}

static inline bool tsr_unpack_rows_fit(uint32_t row, uint32_t datums)
{
    return row < TSR_SRC_ROWS && datums <= (TSR_SRC_ROWS - row) * TSR_COLUMNS;
}

static inline uint32_t tsr_unpack_plain_output(const struct tsr_unpack_plan *plan,
                                               const tsr_adc_channel *adc_out, bool *aligned)
{
    const struct tsr_unpack_config *c = &plan->config;
    uint32_t address = plan->inputs.out_base + adc_out->y * c->y_stride + adc_out->z * c->z_stride +
                       adc_out->w * c->w_stride;
    *aligned = (address & ((1u << c->out_shift) - 1u)) == 0;
    address >>= c->out_shift;
    if (c->has_context_out)
        address = (c->adds_context_out ? address : 0) + plan->inputs.context_out;
    return address;
}

// Where a plain UNPACR reads and writes. False: it is not plain. SrcB's rows are looked at when the
// datums move.
static inline bool tsr_unpack_locate_plain(const struct tsr_env *env,
                                           const struct tsr_unpack_operands *operands,
                                           const struct tsr_unpack_plan *plan,
                                           struct tsr_unpack_plain *at)
{
    const struct tsr_unpack_config *c = &plan->config;
    const tsr_adc_channel *adc_xy = env->state->adcs.channel[operands->adc][operands->unpacker];
    const tsr_adc_channel *adc_zw = env->state->adcs.channel[operands->thread][operands->unpacker];
    uint32_t first_x = adc_xy[0].x, end_x = adc_xy[1].x + 1;
    if (!plan->plain || !operands->plain || operands->anomalies || end_x <= first_x ||
        end_x > c->x_limit)
        return false;

    bool aligned;
    uint32_t out = tsr_unpack_plain_output(plan, &adc_zw[1], &aligned), datums = end_x - first_x;
    if (!aligned || out % 16 != 0)
        return false;
    if (operands->unpacker == 0) {
        uint32_t row = tsr_unpack_plain_row(env, 0, operands->thread, out);
        if (!tsr_unpack_rows_fit(row, datums) || (datums > 16 && (row & (c->burst_rows - 1u))))
            return false;
    }

    uint32_t plane = (adc_zw->w & 0xff) * c->z_dim + (adc_zw->z & 0xff);
    uint64_t first_datum = ((uint64_t)plane * c->y_dim + (adc_xy->y & 0xff)) * c->x_dim + first_x;
    uint64_t bit = plan->first_bit + first_datum * c->datum_bits;
    uint64_t exponent_16th = plan->first_16th + first_datum;
    if (bit % 8 != 0 || bit + datums * (uint64_t)c->datum_bits > plan->end_bit ||
        (c->l1_exponents && (exponent_16th % 16 != 0 || exponent_16th + datums > plan->end_16th)))
        return false;
    *at = (struct tsr_unpack_plain){(uint32_t)(bit / 8), (uint32_t)(exponent_16th / 16), first_x,
                                    datums, out};
    return true;
}

// The unpacker's counters of the instruction's thread.
static inline tsr_adc_channel *tsr_unpack_adc(const struct tsr_env *env,
                                              const struct tsr_unpack_operands *operands)
{
    tsr_adc_channel *adc = env->state->adcs.channel[operands->thread][operands->unpacker];
    TSR_FOUND(adc);
    return adc;
}

// Where the plan keeps what is known of a word that finds these counters.
static inline struct tsr_unpack_step *tsr_unpack_step_of(struct tsr_unpack_plan *plan,
                                                         const tsr_adc_channel adc[2])
{
    return &plan->step[adc->z % TSR_UNPACK_STEPS];
}

// Whether what is kept there is of this word and these counters.
static inline bool tsr_unpack_step_is_for(const struct tsr_unpack_step *step, uint32_t word,
                                          const tsr_adc_channel adc[2])
{
    return step->word == word && tsr_same_bytes(step->from, adc, sizeof step->from);
}

// Where the word of that step finds its datums in the plan's tile. False: the tile ends before.
static inline bool tsr_unpack_place_step(const struct tsr_unpack_plan *plan,
                                         const struct tsr_unpack_step *step,
                                         struct tsr_unpack_plain *at)
{
    uint64_t byte = plan->first_bit / 8 + step->at.byte; // exponents lie before
    if (byte * 8 + step->bits > plan->end_bit)
        return false;
    *at = step->at;
    at->byte = (uint32_t)byte;
    at->exponent_byte += (uint32_t)(plan->first_16th / 16);
    return true;
}

// As tsr_unpack_locate_plain(). `*known`: a step is kept of the word and its counters, which has
// all but the tile's base, and what the word leaves in the counters.
static inline bool tsr_unpack_find_plain(const struct tsr_env *env,
                                         const struct tsr_unpack_operands *operands,
                                         struct tsr_unpack_plan *plan, struct tsr_unpack_plain *at,
                                         bool *known)
{
    const tsr_adc_channel *adc = tsr_unpack_adc(env, operands);
    const struct tsr_unpack_step *step = tsr_unpack_step_of(plan, adc);
    *known = tsr_unpack_step_is_for(step, operands->word, adc);
    return *known ? tsr_unpack_place_step(plan, step, at)
                  : tsr_unpack_locate_plain(env, operands, plan, at);
}

// Steps the counters behind tsr_unpack_find_plain(), and keeps a step of the word. One that steps
// two sets of counters is not kept.
static inline void tsr_unpack_leave_plain(struct tsr_env *env,
                                          const struct tsr_unpack_operands *operands,
                                          struct tsr_unpack_plan *plan,
                                          const struct tsr_unpack_plain *at, bool known)
{
    tsr_adc_channel *adc = tsr_unpack_adc(env, operands);
    struct tsr_unpack_step *step = tsr_unpack_step_of(plan, adc);
    if (known) {
        memcpy(adc, step->to, sizeof step->to);
        return;
    }
    step->word = operands->adc == operands->thread ? operands->word : 0;
    step->at = *at;
    step->at.byte -= (uint32_t)(plan->first_bit / 8);
    step->at.exponent_byte -= (uint32_t)(plan->first_16th / 16);
    step->bits = at->datums * (uint64_t)plan->config.datum_bits;
    step->flip = operands->flip;
    memcpy(step->from, adc, sizeof step->from);
    tsr_unpack_step_counters(env, operands, &plan->config);
    memcpy(step->to, adc, sizeof step->to);
}

// Whether the bytes are all written and untainted, so that nothing is to be reported.
static inline bool tsr_unpack_plain_bytes(const struct tsr_l1 *l1,
                                          const struct tsr_unpack_config *c,
                                          const struct tsr_unpack_plain *at)
{
    return !l1->any_tainted &&
           tsr_l1_all_written(l1, at->byte, (at->datums * c->datum_bits + 7) / 8) &&
           (!c->l1_exponents || tsr_l1_all_written(l1, at->exponent_byte, (at->datums + 15) / 16));
}

// The main loop, in the bank that the unpackers own. False: the rows do not fit, or something is
// to be said about the bytes; nothing was moved.
TSR_INLINE bool tsr_unpack_move_plain(struct tsr_env *env, unsigned unpacker, unsigned thread,
                                      const struct tsr_unpack_config *c,
                                      const struct tsr_unpack_plain *at, tsr_unpack_src_fn *kernel)
{
    const struct tsr_l1 *l1 = &env->state->l1;
    struct tsr_src_bank *bank = tsr_src_for_unpacker(&env->state->src[unpacker]);
    TSR_FOUND(bank);
    uint32_t row = tsr_unpack_plain_row(env, unpacker, thread, at->out_address);
    if (!tsr_unpack_rows_fit(row, at->datums) || !tsr_unpack_plain_bytes(l1, c, at))
        return false;
    kernel(bank->datum[row], l1->bytes + at->byte,
           c->l1_exponents ? l1->bytes + at->exponent_byte : NULL, at->datums, &c->mode);
    tsr_unpack_src_wrote_rows(bank, row, at->datums, false);
    bank->filled = true;
    return true;
}

#endif
