// SPDX-License-Identifier: Apache-2.0
// A PACR of four whole rows of Dst within a tile, as a whole: what sixteen PACRs of Blackhole bring
// for a tile, when others may come between them. Its addresses, its bytes and how long they take
// are found in one step, and no job is made. All that could be reported, or needs another path, is
// looked at before anything changes, and makes the word take the stages.
// Pages: PACR.md of Blackhole, Packers/InputAddressGenerator.md,
// Packers/OutputAddressGenerator.md.
#include "pack/pack_four.h"

#include "pack/pack_address.h"
#include "pack/pack_edge_masking.h"
#include "pack/pack_execute.h"
#include "pack/pack_plan.h"
#include "pack/pack_rows.h"
#include "pack/pack_time.h"
#include "state/dst_rules.h"
#include "state/l1_traffic.h"

// The bytes that it moves from now on.
static void begin_bytes(struct tsr_env *env, const struct tsr_pack_part *part,
                        struct tsr_inflight *inst)
{
    const uint16_t *rate = env->isa->rate;
    tsr_l1_begin_quietly(env, TSR_L1_PACKER0 + part->packer, env->state->now,
                         tsr_pack_four_bytes(part),
                         (uint16_t)(rate[RATE_PACK_BYTES] * TSR_PACK_SEGMENTS));
    tsr_l1_packers_began(env);
    tsr_pack_take_time(env, part, 1, inst);
}

// Where its bytes go. False: not to the beginning of a line in L1.
static bool find_line(const struct tsr_env *env, const struct tsr_pack_template *template,
                      const struct tsr_packer *packer, const tsr_adc_channel *adc,
                      uint32_t *address)
{
    const uint32_t sum = tsr_pack_output_sum(template->plan[0], adc);
    if (packer->group.count | packer->data.filled)
        return false;
    *address = packer->data.address;
    if (!packer->data.has_address) {
        if (!tsr_pack_is_aligned(sum))
            return false;
        *address = tsr_pack_data_address(env->state->packers.packer, &template->output[0],
                                         tsr_pack_output_offset(env, sum));
    }
    return tsr_l1_holds(&env->state->l1, *address, tsr_pack_four_bytes(&template->job.part[0]));
}

// What its acceptance leaves in the packer, and the beginning of its stream.
static void accept(struct tsr_env *env, const struct tsr_pack_part *part, uint32_t address,
                   struct tsr_packer *packer)
{
    tsr_pack_begin_position(packer);
    struct tsr_pack_position at = {packer->x, packer->y, packer->z};
    (void)tsr_pack_step_interfaces(&part->config.edges, &at, TSR_PACK_SEGMENTS);
    packer->x = (uint16_t)at.x;
    packer->y = (uint16_t)at.y;
    packer->z = (uint16_t)at.z;
    if (!packer->data.has_address)
        tsr_pack_begin_data(packer, address);
    packer->data.has_address = true;
    env->pack_plans->idle = 0;
}

bool tsr_pack_take_four(struct tsr_env *env, struct tsr_inflight *inst)
{
    struct tsr_pack_template *template = tsr_pack_template_at(env, inst->word);
    const struct tsr_pack_part *part = &template->job.part[0];
    struct tsr_packer *packer = &env->state->packers.packer[part->packer];
    tsr_adc_channel *adc = env->state->adcs.channel[part->counters][TSR_ADC_PACKERS];
    const unsigned order = tsr_dst_order(env);
    uint32_t address;
    if (template->operands.word != inst->word || !template->of_four ||
        template->thread != inst->thread ||
        !tsr_pack_key_stands(env, inst->thread, &template->key) ||
        tsr_dst_folds(order, part->config.mode.read_32b) || tsr_pack_counts_exponents(env))
        return false;
    const struct tsr_pack_plan *plan = template->plan[0];
    const unsigned row = tsr_pack_four_rows(plan, part, adc);
    if (row >= TSR_DST_ROWS || !tsr_dst_four_open(env, order, row) ||
        !find_line(env, template, packer, &adc[1], &address) ||
        !tsr_pack_move_four(env, part, &plan->kernels, order, row, address))
        return false;
    accept(env, part, address, packer);
    tsr_pack_skip_lines(&packer->data, tsr_pack_four_bytes(part));
    tsr_pack_step_channels(
        env, tsr_pack_address_modes(env, inst->thread)[template->operands.address_mode], adc);
    begin_bytes(env, part, inst);
    tsr_pack_job_of(inst)->last = false;
    env->plans_reused++;
    env->pack_plans->fours_run++;
    return true;
}
