// SPDX-License-Identifier: Apache-2.0
// What a PACR's job is before counters and streams have their say: the packers that its word
// chooses, their configuration, and the anomalies of both. Pages: PACR.md of each chip,
// Packers/README.md.
#include "pack/pack_template.h"

#include "pack/pack_address.h"
#include "pack/pack_anomalies.h"
#include "pack/pack_context.h"
#include "state/dst_rules.h"

#include <stddef.h>
#include <string.h>

// ---------------------------------------------------------------- templates

// What of a packer's work is certain without the counters. Blackhole's ZeroWrite without a
// selection of interfaces writes any number of whole rows.
static void fill_part(const struct tsr_env *env, const struct tsr_inflight *inst,
                      const struct tsr_pack_operands *operands, int state_id,
                      struct tsr_pack_part *part)
{
    const struct tsr_pack_config *config = &part->config;
    bool reads_nothing = operands->zero_write || operands->flush;
    bool interfaces = env->chip->pack_interfaces > 1;
    part->source = reads_nothing     ? TSR_PACK_FROM_NOTHING
                   : config->from_l1 ? TSR_PACK_FROM_L1
                                     : TSR_PACK_FROM_DST;
    part->counters =
        (uint8_t)tsr_pack_counters_of(env, operands, inst->thread, state_id, part->config_of);
    part->empty = operands->flush || config->no_conversion;
    part->whole_rows = interfaces && reads_nothing && operands->interfaces == 0;
    part->by_interface = interfaces && part->source != TSR_PACK_FROM_L1 && !part->whole_rows;
    part->all_interfaces = part->by_interface && part->source == TSR_PACK_FROM_DST &&
                           !part->empty && !operands->strided && !config->sets_last_mask &&
                           (operands->interfaces == 0 || operands->interfaces == 0xf);
    part->conversion_only = part->source == TSR_PACK_FROM_DST && !config->only_by_datums &&
                            !config->edges.masked && !config->block && !config->accumulate &&
                            operands->padding == TSR_PACK_PAD_NONE;
}

// Adds the work of a packer. False: a finding stopped the tile.
static bool add_part(struct tsr_env *env, const struct tsr_inflight *inst,
                     struct tsr_pack_template *template, int packer, bool tainted)
{
    struct tsr_pack_job *job = &template->job;
    int config_of = tsr_pack_config_of(env, &template->operands, packer);
    struct tsr_pack_plan *plan = &env->pack_plans->plan[job->state_id][config_of];
    if (!tsr_pack_plan_update(env, inst, &template->operands, job->state_id, config_of, plan))
        return false;
    template->plan[job->parts] = plan;
    struct tsr_pack_part *part = &job->part[job->parts++];
    part->config = plan->config;
    part->plan_serial = plan->serial;
    part->packer = (uint8_t)packer;
    part->config_of = (uint8_t)config_of;
    part->tainted = tainted || plan->config.tainted;
    fill_part(env, inst, &template->operands, job->state_id, part);
    return true;
}

// False: a finding stopped the tile. What is reported for every PACR, or depends on more than word
// and configuration, is made anew for the next: its template gets no key.
static bool make(struct tsr_env *env, const struct tsr_inflight *inst,
                 struct tsr_pack_template *template)
{
    const struct tsr_pack_operands *operands = &template->operands;
    struct tsr_pack_job *job = &template->job;
    template->key.made = false;
    template->thread = inst->thread;
    job->parts = 0;
    job->state_id = (uint8_t)tsr_state_id(env, inst->thread);
    job->closes = operands->closes;
    job->last = operands->last;
    job->concat = operands->concat;
    job->padding = operands->padding;

    struct tsr_pack_subject about = {.state_id = job->state_id, .operands = operands};
    tsr_pack_anomalies of_word = tsr_pack_word_anomalies(env, operands);
    enum tsr_verdict verdict = tsr_pack_report(env, inst, &about, of_word);
    if (verdict == TSR_HALT)
        return false;
    if (operands->resets_context)
        return true;

    unsigned packers = tsr_pack_packers(env, operands);
    bool reusable = of_word == 0;
    for (int packer = 0; packer < TSR_PACKERS; packer++) {
        if (!(packers >> packer & 1))
            continue;
        if (!add_part(env, inst, template, packer, verdict == TSR_GO_TAINTED))
            return false;
        reusable &= template->plan[job->parts - 1]->key.made;
    }
    tsr_pack_anomalies of_job = tsr_pack_job_anomalies(job, &about);
    if (tsr_pack_report(env, inst, &about, of_job) == TSR_HALT)
        return false;
    if (reusable && of_job == 0)
        tsr_plan_key_set(&template->key, &env->state->config,
                         tsr_pack_plan_groups(job->state_id, inst->thread));
    return true;
}

const struct tsr_pack_template *tsr_pack_template_for(struct tsr_env *env,
                                                      const struct tsr_inflight *inst)
{
    struct tsr_pack_template *template = tsr_pack_template_of(env, inst);
    const struct tsr_config *config = &env->state->config;
    struct tsr_plan_key *key = &template->key;
    unsigned parts = template->job.parts;
    bool same_thread = template->thread == inst->thread;
    if (same_thread && tsr_plan_key_unchanged(key, config)) {
        env->plans_reused += parts;
        return template;
    }
    int state_id = tsr_state_id(env, inst->thread);
    if (same_thread &&
        tsr_plan_key_holds(key, config, tsr_pack_plan_groups(state_id, inst->thread))) {
        for (unsigned p = 0; p < parts; p++)
            tsr_pack_reread_inputs(env, state_id, template->job.part[p].config_of,
                                   &template->plan[p]->inputs);
        key->changes = config->changes;
        env->plans_reused += parts;
        return template;
    }
    return make(env, inst, template) ? template : NULL;
}

// ---------------------------------------------------------------- jobs

// In some thread.
static bool counts_exponents(const struct tsr_env *env)
{
    const struct tsr_field_place *enable = &env->isa->field[FIELD_ENABLE_ACC_STATS_Enable];
    uint32_t words = 0;
    for (int thread = 0; thread < TSR_THREADS; thread++)
        words |= env->state->config.thread[thread][enable->addr32];
    return words >> enable->first_bit & 1;
}

// Four shifts a word, and the words follow each other.
static void sample_descale(const struct tsr_env *env, struct tsr_pack_job *job)
{
    const uint32_t *values = env->state->config.bank[job->state_id] +
                             env->isa->field[FIELD_INT_DESCALE_VALUES_SEC0_Value].addr32;
    for (unsigned z = 0; z < TSR_PACK_DESCALES; z++)
        job->descale[z] = values[z / 4] >> (8 * (z % 4)) & 31;
}

// Copies the template's parts and no more of it: most PACRs have one of four.
void tsr_pack_begin_job(const struct tsr_env *env, const struct tsr_pack_template *template,
                        struct tsr_pack_job *job)
{
    const struct tsr_pack_job *from = &template->job;
    memcpy(job, from, offsetof(struct tsr_pack_job, descale));
    job->dst_order = tsr_dst_order(env);
    job->histogram = counts_exponents(env);
    job->headers = job->metadata = 0;
    for (unsigned p = 0; p < from->parts; p++) {
        const struct tsr_pack_inputs *inputs = &template->plan[p]->inputs;
        struct tsr_pack_part *part = &job->part[p];
        *part = from->part[p];
        part->z_offset = inputs->z_offset;
        if (job->last) {
            job->headers |= (uint8_t)(inputs->tile_header << part->packer);
            job->metadata |= (uint8_t)(inputs->out_fifo << part->packer);
        }
        if (part->config.descale_by_z)
            sample_descale(env, job);
    }
}
