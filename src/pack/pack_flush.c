// SPDX-License-Identifier: Apache-2.0
// A PACR with Flush packs nothing: it pads what its packers hold, and lets their streams begin at
// new addresses. Where they hold nothing, all that is left are addresses and counters, without the
// job of a PACR. Page: PACR.md.
#include "pack/pack_flush.h"

#include "pack/pack_address.h"
#include "pack/pack_execute.h"
#include "pack/pack_plan.h"

// Only such words as a template stands for, and no context that they may step.
static inline bool is_idle(const struct tsr_env *env, const struct tsr_pack_template *template)
{
    const struct tsr_pack_operands *operands = &template->operands;
    const struct tsr_packer *packer = env->state->packers.packer;
    if (operands->last || env->chip->packers == 1)
        return false;
    for (unsigned others = template->packers & ~(unsigned)env->pack_plans->idle; others != 0;
         others &= others - 1)
        if (!tsr_pack_holds_nothing(&packer[__builtin_ctz(others)]))
            return false;
    return true;
}

static void begin_sections(struct tsr_env *env, struct tsr_pack_job *job, unsigned p,
                           const struct tsr_pack_plan *plan, const tsr_adc_channel *adc)
{
    struct tsr_pack_part *part = &job->part[p];
    struct tsr_packer *packer = &env->state->packers.packer[part->packer];
    tsr_pack_find_sections(env, part, plan, adc);
    tsr_pack_keep_addresses(job, part, packer);
    tsr_pack_begin_streams(packer, part);
}

static __attribute__((noinline)) void begin_all(struct tsr_env *env, int thread,
                                                struct tsr_pack_template *template)
{
    struct tsr_pack_job *job = &template->job;
    unsigned threads = 0;
    for (unsigned p = 0; p < job->parts; p++) {
        const struct tsr_pack_part *part = &job->part[p];
        const tsr_adc_channel *adc = env->state->adcs.channel[part->counters][TSR_ADC_PACKERS];
        tsr_pack_begin_position(&env->state->packers.packer[part->packer]);
        begin_sections(env, job, p, template->plan[p], &adc[1]);
        threads |= 1u << part->counters;
    }
    tsr_pack_step_counters(env, (unsigned)thread, template->operands.address_mode, threads);
}

// The same where all parts write their data alone and count by the same thread, whose counters of
// channel 1 these are. Strides and base are those of all packers.
static inline void begin_data(const struct tsr_env *env, const struct tsr_pack_template *template,
                              const tsr_adc_channel *adc)
{
    const struct tsr_pack_output *end = template->output + template->job.parts;
    const uint32_t offset =
        tsr_pack_output_offset(env, tsr_pack_output_sum(template->plan[0], adc));
    for (const struct tsr_pack_output *output = template->output; output < end; output++) {
        struct tsr_packer *packer = &env->state->packers.packer[output->packer];
        if (packer->data.has_address) {
            tsr_pack_release_addresses(packer);
            continue;
        }
        packer->x = packer->y = packer->z = 0;
        tsr_pack_begin_data(packer,
                            tsr_pack_data_address(env->state->packers.packer, output, offset));
    }
}

__attribute__((noinline)) bool tsr_pack_run_flush(struct tsr_env *env, int thread,
                                                  struct tsr_pack_template *template)
{
    if (env->timing || !is_idle(env, template) || !tsr_pack_template_refresh(env, thread, template))
        return false;
    unsigned counters = template->job.part[0].counters;
    tsr_adc_channel *adc = env->state->adcs.channel[counters][TSR_ADC_PACKERS];
    const uint16_t *section = tsr_pack_address_modes(env, (unsigned)thread);
    if (template->data_alone) {
        begin_data(env, template, &adc[1]);
        tsr_pack_step_channels(env, section[template->operands.address_mode], adc);
    } else {
        begin_all(env, thread, template);
    }
    env->pack_plans->idle |= template->packers;
    return true;
}
