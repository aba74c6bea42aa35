// SPDX-License-Identifier: Apache-2.0
// What a PACR's job is before counters and streams have their say: the packers that its word
// chooses, their shapes, and what is refused. Kept for the next PACR with the same word, since
// kernels repeat one for every row. Pages: PACR.md of each chip, Packers/README.md.
#include "pack/pack_job.h"

// Zero means packer 0; a set of packers that the page does not list is undefined, and going on
// gives work to all of it.
static enum tsr_verdict choose_packers(struct tsr_env *env, const struct tsr_inflight *inst,
                                       struct pack_outline *outline, uint32_t *mask)
{
    static const uint16_t listed =
        1u << 0 | 1u << 1 | 1u << 2 | 1u << 3 | 1u << 4 | 1u << 8 | 1u << 12 | 1u << 15;
    *mask = 1;
    if (env->chip->packers == 1)
        return TSR_GO;
    uint32_t chosen = tsr_pack_operands(env, inst)->packers;
    if (chosen)
        *mask = chosen;
    if (listed >> chosen & 1)
        return TSR_GO;
    outline->lasts = false;
    return tsr_report(env, FINDING_PACK_SELECTION, inst, NULL,
                      "PackSel=%u is no set of packers that the page lists.", (unsigned)chosen);
}

static bool add_part(struct tsr_env *env, const struct tsr_inflight *inst,
                     struct pack_outline *outline, int packer, bool tainted)
{
    struct pack_job *job = &outline->job;
    int config = tsr_pack_config_of(env, inst, packer);
    struct pack_plan *plan = tsr_pack_plan_for(env, inst, job->state_id, config);
    if (!plan)
        return false;
    outline->plan[job->parts] = plan;
    struct pack_part *part = &job->part[job->parts++];
    part->shape = plan->shape;
    part->stamp = plan->stamp;
    part->packer = (uint8_t)packer;
    part->config = (uint8_t)config;
    part->z_offset = plan->inputs.z_offset;
    part->tainted = tainted || plan->shape.anomalous;
    tsr_pack_outline_part(env, inst, job->state_id, part);
    job->headers |= (uint8_t)((job->last && plan->inputs.tile_header) << packer);
    job->metadata |= (uint8_t)((job->last && plan->inputs.out_fifo) << packer);
    outline->lasts &= plan->made;
    return true;
}

static void begin(const struct tsr_env *env, const struct tsr_inflight *inst,
                  struct pack_outline *outline)
{
    const struct pack_operands *operands = &outline->operands;
    struct pack_job *job = &outline->job;
    outline->operands = *tsr_pack_operands(env, inst);
    job->parts = 0;
    job->state_id = (uint8_t)tsr_state_id(env, inst->thread);
    job->close = operands->close;
    job->last = operands->last;
    job->concat = operands->concat;
    job->pad = operands->pad;
    job->headers = job->metadata = 0;
    // What is reported every time, or depends on more than word and configuration, is outlined
    // anew.
    outline->lasts = !operands->undescribed;
    outline->word = inst->word;
    outline->thread = inst->thread;
}

static bool make(struct tsr_env *env, const struct tsr_inflight *inst, struct pack_outline *outline)
{
    uint32_t mask;
    begin(env, inst, outline);
    enum tsr_verdict choice = choose_packers(env, inst, outline, &mask);
    if (choice == TSR_HALT || tsr_pack_operand_anomalies(env, inst))
        return false;
    if (tsr_pack_resets_context(&outline->operands))
        return true;
    for (int packer = 0; packer < TSR_PACKERS; packer++)
        if ((mask >> packer & 1) && !add_part(env, inst, outline, packer, choice == TSR_GO_TAINTED))
            return false;
    bool differ = tsr_pack_parts_differ(&outline->job);
    if (differ && tsr_pack_report_parts(env, inst, &outline->job))
        return false;
    outline->lasts &= !differ;
    const uint32_t *generation = env->state->config.bank_generation[outline->job.state_id];
    outline->stamp = env->pack_plans->stamp;
    outline->pack_generation = generation[PLAN_PACK];
    outline->alu_generation = generation[PLAN_ALU];
    return true;
}

// Whether it was made for this word, by plans that are still there.
static bool fits(const struct tsr_env *env, const struct tsr_inflight *inst,
                 const struct pack_outline *outline)
{
    return outline->lasts && outline->word == inst->word && outline->thread == inst->thread &&
           outline->stamp == env->pack_plans->stamp;
}

// The configuration has changed, but nothing that the outline was made from: takes what addresses
// need to its plans. False: something it was made from has.
static bool renew(struct tsr_env *env, const struct tsr_inflight *inst,
                  const struct pack_outline *outline)
{
    int s = outline->job.state_id;
    const uint32_t *generation = env->state->config.bank_generation[s];
    if (s != tsr_state_id(env, inst->thread) || outline->pack_generation != generation[PLAN_PACK] ||
        outline->alu_generation != generation[PLAN_ALU])
        return false;
    for (unsigned p = 0; p < outline->job.parts; p++)
        if (tsr_pack_renew_inputs(env, s, outline->job.part[p].config, &outline->plan[p]->inputs))
            return false;
    return true;
}

const struct pack_outline *tsr_pack_outline_for(struct tsr_env *env,
                                                const struct tsr_inflight *inst)
{
    struct pack_outline *outline = &env->pack_plans->outline[tsr_pack_slot(inst->word)];
    uint64_t changes = env->state->config.changes;
    if (fits(env, inst, outline) && (outline->changes == changes || renew(env, inst, outline))) {
        env->plans_reused += outline->job.parts;
        outline->changes = changes;
        return outline;
    }
    bool made = make(env, inst, outline);
    outline->lasts &= made;
    outline->changes = changes;
    return made ? outline : NULL;
}
