// SPDX-License-Identifier: Apache-2.0
// The cache of plans: finds the job template of a PACR, and makes it and the packers' plans again
// when a field of their plan groups has changed (state/plan_key.h). Anomalies that depend on the
// word or the configuration alone are reported here, since they come before counters are sampled.
// Pages: PACR.md of each chip, Packers/README.md, Packers/FormatConversion.md.
#include "pack/pack_plan.h"

#include "base/fresh_pages.h"
#include "pack/pack_report.h"
#include "state/config_watch.h"

// ---------------------------------------------------------------- all of them

struct tsr_pack_plans *tsr_pack_plans_create(void)
{
    struct tsr_pack_plans *plans = tsr_fresh_pages(sizeof *plans);
    if (plans)
        plans->latest = plans->block;
    return plans;
}

void tsr_pack_plans_destroy(struct tsr_pack_plans *plans)
{
    tsr_fresh_pages_free(plans, sizeof *plans);
}

// The plans' serials go on, so that none comes again.
void tsr_pack_plans_clear(struct tsr_pack_plans *plans)
{
    for (unsigned i = 0; i < 2 * TSR_PACKERS; i++)
        plans->plan[i / TSR_PACKERS][i % TSR_PACKERS].key.made = false;
    for (unsigned i = 0; i < TSR_PACK_TEMPLATES; i++)
        plans->template[i].key.made = false;
    for (unsigned i = 0; i < TSR_PACK_BLOCKS; i++)
        plans->block[i].count = 0;
    plans->idle = 0;
}

// ---------------------------------------------------------------- a plan

struct tsr_plan_groups tsr_pack_plan_groups(int state_id, int thread)
{
    return (struct tsr_plan_groups){
        .state_id = (uint8_t)state_id, .thread = (uint8_t)thread, .bank = {PLAN_PACK, PLAN_ALU}};
}

struct tsr_pack_kernels tsr_pack_find_kernels(const struct tsr_env *env,
                                              const struct tsr_pack_config *config)
{
    const tsr_pack_mode *mode = &config->mode;
    struct tsr_pack_kernels kernels = {0};
    if (config->block)
        kernels.blocks = tsr_kernels_pack_block(env->kernels, mode);
    else
        kernels.datums = tsr_kernels_pack(env->kernels, mode);
    kernels.larger = tsr_kernels_pack_larger(env->kernels, config->bound.relu);
    if (config->accumulate)
        kernels.accumulate = tsr_kernels_accumulate(env->kernels, mode->out_format);
    return kernels;
}

// Formats and the edge mask have no value after reset that a program could mean; an address of 0
// does for packers 1 to 3, which may count from packer 0's.
static bool watch_reads(struct tsr_env *env, const struct tsr_inflight *inst, int state_id,
                        int config_of)
{
    bool override = tsr_cfg(env, state_id, FIELD_ALU_FORMAT_SPEC_REG_Dstacc_override) != 0;
    const enum tsr_field needed[5] = {
        tsr_pack_field_of(config_of, PACK_FIELD_In_data_format),
        tsr_pack_field_of(config_of, PACK_FIELD_Out_data_format),
        override ? FIELD_ALU_FORMAT_SPEC_REG_Dstacc_val : FIELD_ALU_FORMAT_SPEC_REG2_Dstacc,
        tsr_pack_field_of(0, PACK_FIELD_edge_mask), tsr_pack_field_of(0, PACK_FIELD_L1_Dest_addr)};
    return tsr_config_watch_reads(env, inst, state_id, TSR_READER_PACKER, needed,
                                  config_of == 0 ? 5 : 4);
}

// A PACR that reads nothing need not have a conversion from L1, if there is one from Dst.
static bool read_nothing(const struct tsr_pack_operands *operands, struct tsr_pack_config *config)
{
    struct tsr_pack_config from_dst = *config;
    from_dst.from_l1 = false;
    if (!(operands->flush || operands->zero_write) || !config->from_l1 ||
        tsr_pack_find_kind(config) || !tsr_pack_find_kind(&from_dst))
        return false;
    *config = from_dst;
    return true;
}

static bool make_plan(struct tsr_env *env, const struct tsr_inflight *inst,
                      const struct tsr_pack_operands *operands, struct tsr_plan_groups groups,
                      int config_of, struct tsr_pack_plan *plan)
{
    struct tsr_pack_config *config = &plan->config;
    int state_id = groups.state_id;
    plan->key.made = false;
    if (env->watch && !watch_reads(env, inst, state_id, config_of))
        return false;
    tsr_pack_config_make(env, state_id, config_of, config);
    plan->strides = tsr_pack_read_strides(env, state_id);
    plan->kernels = tsr_pack_find_kernels(env, config);
    bool for_this_word_alone = read_nothing(operands, config);
    config->no_conversion =
        !tsr_pack_find_kind(config) || (config->accumulate && !plan->kernels.accumulate);
    struct tsr_pack_subject about = {.state_id = state_id, .packer = config_of, .config = config};
    enum tsr_verdict verdict = tsr_pack_report(
        env, inst, &about, tsr_pack_config_anomalies(env, state_id, config_of, config));
    if (verdict == TSR_HALT)
        return false;
    config->tainted = verdict == TSR_GO_TAINTED;
    tsr_pack_inputs_make(env, state_id, config_of, &env->pack_plans->inputs[state_id]);
    plan->inputs = &env->pack_plans->inputs[state_id].of[config_of];
    plan->serial++;
    if (!for_this_word_alone)
        tsr_plan_key_set(&plan->key, &env->state->config, groups);
    return true;
}

// Brings the plan of a configuration up to date. False: a finding stopped the tile.
static bool update_plan(struct tsr_env *env, const struct tsr_inflight *inst,
                        const struct tsr_pack_operands *operands, int state_id, int config_of,
                        struct tsr_pack_plan *plan)
{
    const struct tsr_config *config = &env->state->config;
    struct tsr_plan_groups groups = tsr_pack_plan_groups(state_id, inst->thread);
    if (tsr_plan_key_holds(&plan->key, config, groups)) {
        tsr_pack_inputs_update(env, state_id, &env->pack_plans->inputs[state_id]);
        env->plans_reused++;
        return true;
    }
    if (!make_plan(env, inst, operands, groups, config_of, plan))
        return false;
    env->plans_made++;
    return true;
}

// ---------------------------------------------------------------- a job template

// Adds the work of a packer as far as it does not depend on the counters. Blackhole's ZeroWrite
// without a selection of interfaces writes any number of whole rows. False: a finding stopped the
// tile.
static bool add_part(struct tsr_env *env, const struct tsr_inflight *inst,
                     struct tsr_pack_template *template, int packer, bool tainted)
{
    struct tsr_pack_job *job = &template->job;
    const struct tsr_pack_operands *operands = &template->operands;
    int config_of = tsr_pack_config_of(env, operands, packer);
    struct tsr_pack_plan *plan = &env->pack_plans->plan[job->state_id][config_of];
    if (!update_plan(env, inst, operands, job->state_id, config_of, plan))
        return false;
    template->plan[job->parts] = plan;
    template->output[job->parts] =
        (struct tsr_pack_output){.inputs = plan->inputs,
                                 .packer = (uint8_t)packer,
                                 .config_of = (uint8_t)config_of,
                                 .adds_offset = plan->config.add_l1_offset};
    struct tsr_pack_part *part = &job->part[job->parts++];
    part->config = plan->config;
    part->plan_serial = plan->serial;
    part->packer = (uint8_t)packer;
    part->config_of = (uint8_t)config_of;
    part->tainted = tainted || plan->config.tainted;

    const struct tsr_pack_config *config = &part->config;
    bool reads_nothing = operands->zero_write || operands->flush;
    bool interfaces = env->chip->pack_interfaces > 1;
    part->source = reads_nothing     ? TSR_PACK_FROM_NOTHING
                   : config->from_l1 ? TSR_PACK_FROM_L1
                                     : TSR_PACK_FROM_DST;
    part->counters =
        (uint8_t)tsr_pack_counters_of(env, operands, inst->thread, job->state_id, config_of);
    part->empty = operands->flush || config->no_conversion;
    part->whole_rows = interfaces && reads_nothing && operands->interfaces == 0;
    part->by_interface = interfaces && part->source != TSR_PACK_FROM_L1 && !part->whole_rows;
    part->all_interfaces = part->by_interface && part->source == TSR_PACK_FROM_DST &&
                           !part->empty && !operands->strided && !config->sets_last_mask &&
                           (operands->interfaces == 0 || operands->interfaces == 0xf);
    part->conversion_only = part->source == TSR_PACK_FROM_DST && !config->only_by_datums &&
                            !config->edges.masked && !config->block && !config->accumulate &&
                            operands->padding == TSR_PACK_PAD_NONE;
    return true;
}

// The first packer that is not configured like the first of all.
static tsr_pack_anomalies job_anomalies(const struct tsr_pack_job *job,
                                        struct tsr_pack_subject *about)
{
    for (unsigned p = 1; p < job->parts; p++) {
        const struct tsr_pack_config *a = &job->part[0].config, *b = &job->part[p].config;
        if (a->in_data_format == b->in_data_format && a->mode.out_format == b->mode.out_format &&
            a->accumulate == b->accumulate && a->compress == b->compress &&
            a->edges.reads_per_plane == b->edges.reads_per_plane)
            continue;
        about->packer = job->part[0].packer;
        about->other_packer = job->part[p].packer;
        return TSR_PACK_ANOMALY(DIFFERENT);
    }
    return 0;
}

// Nothing but what can execute as one row after another: rows of Dst, no mask, no state that goes
// from datum to datum. Wormhole's words of four packers gain nothing where other stages are on.
// (Row padding and Blackhole's contexts have no template: they are reported.)
static bool part_as_one(const struct tsr_env *env, const struct tsr_pack_part *part)
{
    const struct tsr_pack_config *config = &part->config;
    bool interfaces = env->chip->pack_interfaces > 1;
    return part->source == TSR_PACK_FROM_DST && !part->empty && !config->only_by_datums &&
           !config->edges.masked && (interfaces ? part->all_interfaces : part->conversion_only);
}

static bool job_as_one(const struct tsr_env *env, const struct tsr_pack_job *job)
{
    bool as_one = job->parts > 0;
    for (unsigned p = 0; p < job->parts; p++)
        as_one &= part_as_one(env, &job->part[p]) && job->part[p].counters == job->part[0].counters;
    return as_one;
}

static bool job_data_alone(const struct tsr_pack_job *job)
{
    bool alone = job->parts > 0;
    for (unsigned p = 0; p < job->parts; p++) {
        const struct tsr_pack_part *part = &job->part[p];
        alone &= !part->config.compress && !part->config.has_exponent_section &&
                 part->counters == job->part[0].counters;
    }
    return alone;
}

// Four rows by the four interfaces, which become data and nothing else, with no end to a tile. (A
// context that moves on has no template.)
static bool job_of_four(const struct tsr_pack_template *template)
{
    const struct tsr_pack_job *job = &template->job;
    const struct tsr_pack_part *part = &job->part[0];
    return template->as_one && template->data_alone && job->parts == 1 && part->all_interfaces &&
           part->conversion_only && !job->closes;
}

// False: a finding stopped the tile. What is reported for every PACR, or depends on more than word
// and configuration, is made again for the next: its template gets no key.
static bool make_template(struct tsr_env *env, const struct tsr_inflight *inst,
                          struct tsr_pack_template *template)
{
    const struct tsr_pack_operands *operands = &template->operands;
    struct tsr_pack_job *job = &template->job;
    template->key.made = false;
    template->as_one = template->of_four = false;
    template->thread = inst->thread;
    job->parts = 0;
    job->state_id = (uint8_t)tsr_state_id(env, inst->thread);
    job->closes = operands->closes;
    job->last = operands->last;
    job->concat = operands->concat;
    job->padding = operands->padding;

    struct tsr_pack_subject about = {.state_id = job->state_id, .operands = operands};
    enum tsr_verdict verdict = tsr_pack_report(env, inst, &about, operands->anomalies);
    if (verdict == TSR_HALT)
        return false;
    if (operands->resets_context)
        return true;

    unsigned packers = tsr_pack_packers(env, operands);
    bool reusable = operands->anomalies == 0;
    template->packers = (uint8_t)packers;
    for (int packer = 0; packer < TSR_PACKERS; packer++) {
        if (!(packers >> packer & 1))
            continue;
        if (!add_part(env, inst, template, packer, verdict == TSR_GO_TAINTED))
            return false;
        reusable &= template->plan[job->parts - 1]->key.made;
    }
    tsr_pack_anomalies of_job = job_anomalies(job, &about);
    if (tsr_pack_report(env, inst, &about, of_job) == TSR_HALT)
        return false;
    template->as_one = reusable &&of_job == 0 && job_as_one(env, job);
    template->data_alone = job_data_alone(job);
    template->of_four = job_of_four(template);
    if (reusable && of_job == 0)
        tsr_plan_key_set(&template->key, &env->state->config,
                         tsr_pack_plan_groups(job->state_id, inst->thread));
    return true;
}

static __attribute__((noinline)) bool key_holds(const struct tsr_env *env, int state_id, int thread,
                                                const struct tsr_plan_key *key)
{
    return tsr_plan_key_holds(key, &env->state->config, tsr_pack_plan_groups(state_id, thread));
}

bool tsr_pack_key_reread(const struct tsr_env *env, int thread, struct tsr_plan_key *key)
{
    const struct tsr_config *config = &env->state->config;
    int state_id = tsr_state_id(env, thread);
    struct tsr_pack_bank_inputs *inputs = &env->pack_plans->inputs[state_id];
    if (!(tsr_pack_key_fresh(key, config, thread) && key->state_id == state_id) &&
        !key_holds(env, state_id, thread, key))
        return false;
    tsr_pack_inputs_update(env, state_id, inputs);
    inputs->threads |= (uint8_t)(1u << thread);
    tsr_plan_key_note(key, config);
    return true;
}

const struct tsr_pack_template *tsr_pack_template_for(struct tsr_env *env,
                                                      const struct tsr_inflight *inst)
{
    struct tsr_pack_template *template = tsr_pack_template_of(env, inst);
    if (tsr_pack_template_refresh(env, inst->thread, template))
        return template;
    return make_template(env, inst, template) ? template : NULL;
}
