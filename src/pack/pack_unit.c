// SPDX-License-Identifier: Apache-2.0
// The three stages of the packers' instructions. PACR is accepted in thread order: its addresses
// are found and the counters step (pack_address.c). It is executed with Dst read and L1 written
// (pack_execute.c); with Last, it is completed with the tile's sizes. It waits at the gate
// (pack_ready.c), never inside the unit; PACR_SETREG waits for its register (pack_setreg.c).
// Pages: PACR.md of each chip, PACR_SETREG.md, Packers/README.md.
#include "pack/pack_unit.h"

#include "pack/pack_address.h"
#include "pack/pack_block.h"
#include "pack/pack_execute.h"
#include "pack/pack_four.h"
#include "pack/pack_plan.h"
#include "pack/pack_ready.h"
#include "pack/pack_setreg.h"
#include "pack/pack_time.h"
#include "state/config_watch.h"
#include "state/dst_rules.h"
#include "state/l1_traffic.h"
#include "state/races.h"

#include <stddef.h>
#include <string.h>

// ---------------------------------------------------------------- accept

// Four shifts a word, and the words follow each other.
static void sample_descale(const struct tsr_env *env, struct tsr_pack_job *job)
{
    const uint32_t *values = env->state->config.bank[job->state_id] +
                             env->isa->field[FIELD_INT_DESCALE_VALUES_SEC0_Value].addr32;
    for (unsigned z = 0; z < TSR_PACK_DESCALES; z++)
        job->descale[z] = values[z / 4] >> (8 * (z % 4)) & 31;
}

// Copies the template's parts and no more of it: most PACRs have one of four.
static void fill_job(const struct tsr_env *env, const struct tsr_pack_template *template,
                     struct tsr_pack_job *job)
{
    const struct tsr_pack_job *from = &template->job;
    memcpy(job, from, offsetof(struct tsr_pack_job, descale));
    job->dst_order = tsr_dst_order(env);
    job->histogram = tsr_pack_counts_exponents(env);
    job->headers = job->metadata = 0;
    for (unsigned p = 0; p < from->parts; p++) {
        const struct tsr_pack_inputs *inputs = template->plan[p]->inputs;
        struct tsr_pack_part *part = &job->part[p];
        *part = from->part[p];
        part->z_offset = inputs->z_offset;
        if (job->last)
            tsr_pack_ask_sizes(job, part, inputs);
        if (part->config.descale_by_z)
            sample_descale(env, job);
    }
}

// For those who look for races: a plan's fields, and what addresses come from.
static void tell_config(const struct tsr_env *env, const struct tsr_pack_job *job, bool steps)
{
    enum { ALL_COUNTERS = 0xff, STEPPED = 0x66 }; // Y and Z of both channels
    tsr_race_config_used(env, TSR_READER_PACKER, job->state_id, 0);
    for (unsigned p = 0; p < job->parts; p++) {
        const struct tsr_pack_part *part = &job->part[p];
        tsr_race_counters(env, false, part->counters, TSR_ADC_PACKERS, ALL_COUNTERS);
        if (part->config.add_l1_offset)
            tsr_race_access(env, TSR_RACE_TDMA, false, TSR_RACE_TDMA_OFFSETS + part->packer, 1,
                            TSR_RACE_ALL);
        if (steps)
            tsr_race_counters(env, true, part->counters, TSR_ADC_PACKERS, STEPPED);
        tsr_race_config_field(env, job->state_id,
                              tsr_pack_field_of(part->config_of, PACK_FIELD_Offset));
        if (part->new_data_address)
            tsr_race_config_field(env, job->state_id,
                                  tsr_pack_field_of(part->config_of, PACK_FIELD_L1_Dest_addr));
    }
}

static bool pack_accept(struct tsr_env *env, struct tsr_inflight *inst)
{
    if (inst->op == OP_PACR_SETREG)
        return tsr_pack_setreg_accept(env, inst);
    struct tsr_pack_job *job = tsr_pack_job_of(inst);
    const struct tsr_pack_template *template = tsr_pack_template_for(env, inst);
    env->pack_plans->idle = 0;
    if (!template)
        return false;
    fill_job(env, template, job);
    if (template->operands.resets_context) {
        env->state->packers.context = env->state->packers.planes = 0;
        return true;
    }
    if (!tsr_pack_address(env, inst, &template->operands, template->plan, job))
        return false;
    if (env->races)
        tell_config(env, job,
                    tsr_pack_address_modes(env, inst->thread)[template->operands.address_mode] !=
                        0);
    return true;
}

// ---------------------------------------------------------------- execute

static tsr_reason pack_execute(struct tsr_env *env, struct tsr_inflight *inst)
{
    if (inst->op == OP_PACR_SETREG)
        return tsr_pack_setreg_execute(env, inst);
    tsr_pack_execute(env, inst);
    return TSR_REASON_NONE;
}

// ---------------------------------------------------------------- complete

static void pack_complete(struct tsr_env *env, struct tsr_inflight *inst)
{
    if (env->timing) {
        tsr_l1_end_packers(env);
        tsr_pack_begin_drain(env, inst);
    }
    if (inst->op == OP_PACR)
        tsr_pack_note_sizes(env, tsr_pack_job_of(inst), inst->thread);
}

// ---------------------------------------------------------------- explain

// Only PACR_SETREG waits inside the unit.
static void pack_explain(struct tsr_env *env, const struct tsr_inflight *inst, char *what,
                         size_t size)
{
    (void)env;
    tsr_pack_setreg_explain(inst, what, size);
}

const struct tsr_unit_ops tsr_pack_ops = {
    .ready = tsr_pack_ready,
    .accept = pack_accept,
    .execute = pack_execute,
    .complete = pack_complete,
    .explain = pack_explain,
    .run_block = tsr_pack_run_block,
    .kept_block = tsr_pack_kept_block,
    .run_timed_block = tsr_pack_run_timed_block,
    .take_whole = tsr_pack_take_whole,
    .take_at_once = tsr_pack_take_four,
    .leave_job = tsr_pack_leave_job,
    .blocks_of_one = true,
};
