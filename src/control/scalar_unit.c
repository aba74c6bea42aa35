// SPDX-License-Identifier: Apache-2.0
// The scalar unit (ThCon): one instruction at a time, which holds its thread; the results of
// completed instructions, and those of loads and atomics that come later; FLUSHDMA and DMANOP.
// Pages: ScalarUnit.md, FLUSHDMA.md, DMANOP.md.
#include "control/scalar_unit.h"

#include "control/reg2flop.h"
#include "control/scalar_arithmetic.h"
#include "control/scalar_atomics.h"
#include "control/scalar_memory.h"
#include "control/scalar_setdmareg.h"
#include "state/busy.h"
#include "state/races.h"
#include "state/register_access.h"
#include "state/report.h"

#include <stdio.h>

// ---------------------------------------------------------------- FLUSHDMA, DMANOP

enum { FLUSH_ALL = 0xf };

// The first cycle passes before the conditions are evaluated.
static bool accept_flush(struct tsr_env *env, struct tsr_inflight *inst, struct tsr_scalar_job *job)
{
    uint32_t conditions = tsr_arg(env, inst, OPERAND_FlushSpec);
    job->data[0] = conditions ? conditions : FLUSH_ALL;
    if (env->timing) {
        inst->address = inst->duration - 1;
        inst->duration = 1;
    }
    return true;
}

// Those of the chosen conditions that say to keep waiting: C0 to C3 of STALLWAIT.
static uint32_t flush_waits(const struct tsr_env *env, int thread, uint32_t conditions)
{
    uint32_t waits = 0;
    waits |= (uint32_t)tsr_scalar_memory_busy(env, thread) << 0;
    waits |= (uint32_t)tsr_unit_busy(env, TSR_UNIT_UNPACKER0, thread) << 1;
    waits |= (uint32_t)tsr_unit_busy(env, TSR_UNIT_UNPACKER1, thread) << 2;
    waits |= (uint32_t)tsr_packer_busy(env, 0, thread) << 3;
    return waits & conditions;
}

static tsr_reason execute_flush(struct tsr_env *env, struct tsr_inflight *inst,
                                struct tsr_scalar_job *job)
{
    if (flush_waits(env, inst->thread, job->data[0]))
        return TSR_REASON_FLUSH;
    tsr_race_sync(env, TSR_RACE_FLUSHED, inst->thread, job->data[0], 0);
    return TSR_REASON_NONE;
}

static void explain_flush(struct tsr_env *env, const struct tsr_inflight *inst,
                          const struct tsr_scalar_job *job, char *what, size_t size)
{
    uint32_t waits = flush_waits(env, inst->thread, job->data[0]);
    snprintf(what, size, "FLUSHDMA waits for what thread %d has in%s%s%s%s", inst->thread,
             waits & 1 ? " the scalar unit's memory requests" : "", waits & 2 ? " unpacker 0" : "",
             waits & 4 ? " unpacker 1" : "", waits & 8 ? " packer 0" : "");
}

static bool accept_nothing(struct tsr_env *env, struct tsr_inflight *inst,
                           struct tsr_scalar_job *job)
{
    (void)env, (void)inst, (void)job;
    return true;
}

static const struct tsr_scalar_steps flush = {accept_flush, execute_flush, explain_flush};
static const struct tsr_scalar_steps nothing = {.accept = accept_nothing};

// ---------------------------------------------------------------- the unit

static const struct tsr_scalar_steps *steps_of(unsigned op)
{
    switch (op) {
    case OP_SETDMAREG:
        return &tsr_scalar_setdmareg;
    case OP_ADDDMAREG:
    case OP_SUBDMAREG:
    case OP_MULDMAREG:
    case OP_BITWOPDMAREG:
    case OP_SHIFTDMAREG:
    case OP_CMPDMAREG:
        return &tsr_scalar_arithmetic;
    case OP_LOADIND:
        return &tsr_scalar_loadind;
    case OP_STOREIND:
        return &tsr_scalar_storeind;
    case OP_LOADREG:
        return &tsr_scalar_loadreg;
    case OP_STOREREG:
        return &tsr_scalar_storereg;
    case OP_ATINCGET:
        return &tsr_scalar_atincget;
    case OP_ATINCGETPTR:
        return &tsr_scalar_atincgetptr;
    case OP_ATSWAP:
        return &tsr_scalar_atswap;
    case OP_ATCAS:
        return &tsr_scalar_atcas;
    case OP_FLUSHDMA:
        return &flush;
    case OP_DMANOP:
        return &nothing;
    default:
        return NULL;
    }
}

static void hold_thread(struct tsr_inflight *inst, uint32_t early)
{
    uint32_t hold = inst->address + inst->duration - early;
    inst->hold = hold > 1 ? hold : 1;
}

// For those who look for races: GPRs that it writes.
static void tell_result(const struct tsr_env *env, const struct tsr_inflight *inst,
                        const struct tsr_gpr_write *write)
{
    tsr_race_access(env, TSR_RACE_GPR, true, TSR_GPRS * (unsigned)inst->thread + write->gpr,
                    write->words, TSR_RACE_ALL);
}

// What comes back from memory comes some time later; for all else the thread waits.
static void tell_results_at_once(const struct tsr_env *env, const struct tsr_inflight *inst,
                                 const struct tsr_scalar_job *job)
{
    tell_result(env, inst, &job->offset);
    if (!job->memory)
        tell_result(env, inst, &job->result);
}

static bool scalar_accept(struct tsr_env *env, struct tsr_inflight *inst)
{
    struct tsr_scalar_job *job = (struct tsr_scalar_job *)inst->job;
    if (inst->op == OP_SETDMAREG && tsr_scalar_take_constant(env, inst->word, job)) {
        tsr_race_access(env, TSR_RACE_GPR, true, TSR_GPRS * (unsigned)inst->thread + job->gpr, 1,
                        TSR_RACE_ALL);
        hold_thread(inst, 0);
        return true;
    }
    const struct tsr_scalar_steps *steps = steps_of(inst->op);
    *job = (struct tsr_scalar_job){0};
    if (inst->op == OP_REG2FLOP)
        return tsr_reg2flop_accept(env, inst);
    if (!steps)
        return tsr_report_unimplemented(env, inst);
    if (!steps->accept(env, inst, job))
        return false;
    if (job->memory)
        env->state->scalar.outstanding[inst->thread]++;
    tell_results_at_once(env, inst, job);
    hold_thread(inst, job->early);
    return true;
}

static tsr_reason scalar_execute(struct tsr_env *env, struct tsr_inflight *inst)
{
    struct tsr_scalar_job *job = (struct tsr_scalar_job *)inst->job;
    if (job->constant)
        return TSR_REASON_NONE;
    if (job->memory)
        tell_result(env, inst, &job->result);
    const struct tsr_scalar_steps *steps = steps_of(inst->op);
    if (!steps || !steps->execute)
        return TSR_REASON_NONE;
    return steps->execute(env, inst, job);
}

static void scalar_complete(struct tsr_env *env, struct tsr_inflight *inst)
{
    const struct tsr_scalar_job *job = (const struct tsr_scalar_job *)inst->job;
    struct tsr_scalar *scalar = &env->state->scalar;
    if (job->constant) {
        tsr_scalar_put_constant(&env->state->gprs, inst->thread, job->gpr, job->value, job->mask);
        return;
    }
    tsr_gpr_put(&env->state->gprs, inst->thread, &job->offset);
    bool slow = env->scheduled && job->memory && job->result.words > 0;
    if ((job->result_delay || slow) && scalar->requests < TSR_SCALAR_REQUESTS) {
        scalar->request[scalar->requests++] =
            (struct tsr_scalar_request){.result = job->result,
                                        .thread = inst->thread,
                                        .due = env->state->now + job->result_delay};
        env->state->frontend[inst->thread].in_flight++; // TTSync and idleness wait for it
        return;
    }
    tsr_gpr_put(&env->state->gprs, inst->thread, &job->result);
    if (job->memory)
        scalar->outstanding[inst->thread]--;
}

// A SETDMAREG of a constant, arithmetic, and a REG2FLOP: kernels set both halves of a register for
// an address, add to it, and put it into the configuration. A DMANOP.

enum { SMALL_GPR, SMALL_VALUE, SMALL_MASK };

static bool run_setdmareg(struct tsr_env *env, int thread, const struct tsr_small_word *small,
                          uint64_t sequence)
{
    (void)sequence;
    tsr_scalar_put_constant(&env->state->gprs, thread, small->arg[SMALL_GPR],
                            small->arg[SMALL_VALUE], small->arg[SMALL_MASK]);
    return true;
}

static bool run_reg2flop(struct tsr_env *env, int thread, const struct tsr_small_word *small,
                         uint64_t sequence)
{
    (void)sequence;
    return tsr_reg2flop_run_word(env, thread, small->word);
}

static bool run_dmanop(struct tsr_env *env, int thread, const struct tsr_small_word *small,
                       uint64_t sequence)
{
    (void)env;
    (void)thread;
    (void)small;
    (void)sequence;
    return true;
}

static void decode_small(const struct tsr_env *env, enum tsr_op op, struct tsr_small_word *small)
{
    struct tsr_scalar_job job;
    if (steps_of((uint8_t)op) == &tsr_scalar_arithmetic) {
        tsr_scalar_arithmetic_decode(env->isa, op, small);
    } else if (op == OP_REG2FLOP) {
        small->run = run_reg2flop;
    } else if (op == OP_DMANOP) {
        small->run = run_dmanop;
    } else if (op == OP_SETDMAREG && tsr_scalar_take_constant(env, small->word, &job)) {
        small->arg[SMALL_GPR] = job.gpr;
        small->arg[SMALL_VALUE] = job.value;
        small->arg[SMALL_MASK] = job.mask;
        small->run = run_setdmareg;
    }
}

static void scalar_explain(struct tsr_env *env, const struct tsr_inflight *inst, char *what,
                           size_t size)
{
    const struct tsr_scalar_steps *steps = steps_of(inst->op);
    if (steps && steps->explain)
        steps->explain(env, inst, (const struct tsr_scalar_job *)inst->job, what, size);
    else
        snprintf(what, size, "%s waits", tsr_op_name((enum tsr_op)inst->op));
}

bool tsr_scalar_deliver(struct tsr_env *env)
{
    struct tsr_scalar *scalar = &env->state->scalar;
    bool moved = false;
    unsigned kept = 0;
    for (unsigned i = 0; i < scalar->requests; i++) {
        const struct tsr_scalar_request *request = &scalar->request[i];
        if (request->due > env->state->now) {
            scalar->request[kept++] = *request;
            continue;
        }
        tsr_gpr_put(&env->state->gprs, request->thread, &request->result);
        scalar->outstanding[request->thread]--;
        env->state->frontend[request->thread].in_flight--;
        moved = true;
    }
    scalar->requests = (uint8_t)kept;
    return moved;
}

void tsr_scalar_forget(struct tsr_env *env)
{
    struct tsr_scalar *scalar = &env->state->scalar;
    for (unsigned i = 0; i < scalar->requests; i++)
        env->state->frontend[scalar->request[i].thread].in_flight--;
    *scalar = (struct tsr_scalar){0};
}

bool tsr_scalar_holds(const struct tsr_state *state, int thread)
{
    const struct tsr_queue *queue = &state->queues.of[TSR_UNIT_SCALAR];
    if (queue->count == 0)
        return false;
    const struct tsr_inflight *inst = &queue->inst[queue->first];
    const struct tsr_scalar_job *job = (const struct tsr_scalar_job *)inst->job;
    bool goes_on =
        job->early > 0 && inst->executed && state->now + job->early >= inst->completes_at;
    return inst->thread == thread && !goes_on;
}

const struct tsr_unit_ops tsr_scalar_ops = {.accept = scalar_accept,
                                            .execute = scalar_execute,
                                            .complete = scalar_complete,
                                            .explain = scalar_explain,
                                            .decode_small = decode_small,
                                            .blocks_behind_wait = true};
