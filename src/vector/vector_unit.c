// SPDX-License-Identifier: Apache-2.0
// The stages of an instruction in the vector unit. Counters move when an instruction is accepted;
// it executes in the same cycle. What an SFPLOADMACRO has scheduled executes with the instructions
// that follow, or, if none does, while the last one stays in the unit's queue.
// Pages: VectorUnit.md, SFPLOADMACRO.md.
#include "vector/vector_unit.h"

#include "base/fresh_pages.h"
#include "state/config_watch.h"
#include "state/races.h"
#include "vector/vector_block.h"
#include "vector/vector_blocks.h"
#include "vector/vector_decode.h"
#include "vector/vector_dst.h"
#include "vector/vector_hazards.h"
#include "vector/vector_macro.h"
#include "vector/vector_step.h"

#include <stdio.h>

struct tsr_vector_plans *tsr_vector_plans_create(void)
{
    struct tsr_vector_plans *plans = tsr_fresh_pages(sizeof *plans);
    if (!plans)
        return NULL;
    plans->blocks = tsr_vector_blocks_create();
    if (plans->blocks)
        return plans;
    tsr_fresh_pages_free(plans, sizeof *plans);
    return NULL;
}

void tsr_vector_plans_clear(struct tsr_vector_plans *plans)
{
    struct tsr_vector_blocks *blocks = plans->blocks;
    memset(plans, 0, sizeof *plans);
    plans->blocks = blocks;
    tsr_vector_blocks_clear(blocks);
}

void tsr_vector_plans_destroy(struct tsr_vector_plans *plans)
{
    if (plans)
        tsr_vector_blocks_destroy(plans->blocks);
    tsr_fresh_pages_free(plans, sizeof *plans);
}

// ---------------------------------------------------------------- the stages

static bool accept(struct tsr_env *env, struct tsr_inflight *inst)
{
    struct tsr_vector_job *job = tsr_vector_job_of(inst);
    job->begun = false;
    if (tsr_vector_reaches_dst(inst->op))
        tsr_vector_sample_dst(env, inst, tsr_vector_args_of(env, inst->word), job);
    if (env->races && tsr_vector_reaches_dst(inst->op))
        tsr_race_config_used(env, TSR_READER_VECTOR, tsr_state_id(env, inst->thread), 0);
    return true;
}

// The instruction stays in the queue for what is scheduled, until another one comes behind it.
static tsr_reason stay(struct tsr_env *env, struct tsr_inflight *inst)
{
    struct tsr_vector *vector = &env->state->vector;
    uint64_t now = env->state->now;
    const struct tsr_queue *queue = &env->state->queues.of[TSR_UNIT_VECTOR];
    if (queue->count - queue->executed > 1)
        return TSR_REASON_NONE;
    if (!tsr_macro_go_on(env, now > 0 ? now - 1 : 0) || !tsr_macro_runs_on(vector))
        return TSR_REASON_NONE;
    inst->address = (uint32_t)(now + 1 - inst->accepted_at);
    return TSR_REASON_HOLD;
}

static tsr_reason execute(struct tsr_env *env, struct tsr_inflight *inst)
{
    const struct tsr_vector_args *args = tsr_vector_args_of(env, inst->word);
    struct tsr_vector *vector = &env->state->vector;
    struct tsr_vector_job *job = tsr_vector_job_of(inst);
    if (job->begun)
        return stay(env, inst);
    struct tsr_vector_call call = {.env = env,
                                   .vector = vector,
                                   .inst = inst,
                                   .args = args,
                                   .job = job,
                                   .in = (const uint32_t(*)[TSR_LANES])vector->lreg};
    bool macro = args->op == OP_SFPLOADMACRO || tsr_macro_pending(vector);
    struct tsr_vector_args own; // a template may take the place of this word's operands
    if (macro) {
        own = *args;
        args = call.args = &own;
    }
    bool done = macro ? tsr_macro_execute(&call) : tsr_vector_step(&call, vector->enabled);
    if (!done) {
        if (tsr_vector_reaches_dst(inst->op))
            tsr_vector_restore(env, inst, job);
        return TSR_REASON_NONE;
    }
    if (env->timing || vector->late.sequence | args->late_lregs | args->shuffles ||
        args->op == OP_SFPCONFIG)
        tsr_vector_note_late(&call);
    if (!tsr_macro_runs_on(vector))
        return TSR_REASON_NONE;
    job->begun = true;
    inst->address = env->timing ? 1 : 0;
    return TSR_REASON_HOLD;
}

static void explain(struct tsr_env *env, const struct tsr_inflight *inst, char *what, size_t size)
{
    (void)inst;
    snprintf(what, size, "%u instructions that SFPLOADMACRO has scheduled are still to execute",
             (unsigned)env->state->vector.macro.scheduled);
}

const struct tsr_unit_ops tsr_vector_ops = {
    .ready = tsr_vector_ready,
    .accept = accept,
    .execute = execute,
    .explain = explain,
    .run_block = tsr_vector_run_block,
    .kept_block = tsr_vector_kept_block,
};
