// SPDX-License-Identifier: Apache-2.0
// The three stages of the unpackers' instructions. UNPACR is accepted with the page's part before
// the main loop and its updates of counters (unpack_address.c). It is executed with the main loop
// once it has its bank (unpack_execute.c), and completed with the bank's change of owner
// (unpack_target.c). Also its two small variants, which step the context counter or flush a cache
// that needs no model.
// Pages: UNPACR_Regular.md, UNPACR_IncrementContextCounter.md, UNPACR_FlushCache.md.
#include "unpack/unpack_unit.h"

#include "state/config_watch.h"
#include "state/l1_traffic.h"
#include "state/races.h"
#include "unpack/unpack_address.h"
#include "unpack/unpack_block.h"
#include "unpack/unpack_decode.h"
#include "unpack/unpack_execute.h"
#include "unpack/unpack_nop.h"
#include "unpack/unpack_nop_execute.h"
#include "unpack/unpack_plain.h"
#include "unpack/unpack_report.h"
#include "unpack/unpack_target.h"

#include <stdio.h>
#include <string.h>

// Not inlined, so that what is common stays short.
#define RARE __attribute__((noinline))

// ---------------------------------------------------------------- accept

// Formats and the tile's address have no value after reset that a program could mean.
static bool watch_reads(struct tsr_env *env, const struct tsr_inflight *inst,
                        const struct tsr_unpack_operands *operands)
{
    unsigned unpacker = operands->unpacker;
    const enum tsr_field needed[3] = {
        tsr_unpack_field_of(unpacker, UNPACK_FIELD_InDataFormat),
        tsr_unpack_field_of(unpacker, UNPACK_FIELD_Out_data_format),
        tsr_unpack_field_of(unpacker, UNPACK_FIELD_Base_address_cntx0)};
    unsigned count = operands->context == 0 ? 3 : 2; // others have their own address
    return tsr_config_watch_reads(env, inst, operands->state_id,
                                  unpacker ? TSR_READER_UNPACKER1 : TSR_READER_UNPACKER0, needed,
                                  operands->all_zero ? 0 : count);
}

// Two cycles of address calculation hold the thread, more for compressed input, whose row starts
// are read before the first datum's address is known; then L1 limits (the page's Performance part),
// from when the datums move.
static void set_costs(const struct tsr_env *env, const struct tsr_unpack_job *job,
                      struct tsr_inflight *inst)
{
    inst->address = env->isa->rate[RATE_UNPACK_ADDRESS_CYCLES];
    if (job->config.compressed)
        inst->address += env->isa->rate[RATE_UNPACK_ROW_START_CYCLES];
    inst->hold = inst->address;
    inst->duration = 1;
}

static void fill_plain(const struct tsr_unpack_inputs *inputs, const struct tsr_unpack_plain *at,
                       struct tsr_unpack_job *job)
{
    job->limit_address = inputs->limit_address;
    job->fifo_size = inputs->fifo_size;
    job->src_row_base = inputs->src_row_base;
    job->dst_order = 0;
    job->first_datum_bit = (int64_t)at->byte * 8;
    job->first_exponent_16th = (int64_t)at->exponent_byte * 16;
    job->first_x = at->first_x;
    job->end_x = at->first_x + at->datums;
    job->input_datums = job->output_datums = at->datums;
    job->out_address = at->out_address;
    job->contiguous = job->uses_kernel = job->plain = true;
}

// False: a finding stops the tile.
static bool locate(struct tsr_env *env, struct tsr_inflight *inst,
                   const struct tsr_unpack_operands *operands, const struct tsr_unpack_plan *plan)
{
    struct tsr_unpack_job *job = tsr_unpack_job_of(inst);
    tsr_unpack_anomalies anomalies = operands->anomalies | plan->config.anomalies;
    anomalies |= tsr_unpack_address(env, operands, &plan->inputs, job);
    if (anomalies) {
        enum tsr_verdict verdict = tsr_unpack_report(env, inst, job, anomalies);
        if (verdict == TSR_HALT)
            return false;
        job->tainted = verdict == TSR_GO_TAINTED;
    }
    job->config.transpose &= !job->config.to_dst; // reported above
    return true;
}

// False: a finding stops the tile.
static bool fill_job(struct tsr_env *env, struct tsr_inflight *inst,
                     const struct tsr_unpack_operands *operands, struct tsr_unpack_plan *plan)
{
    struct tsr_unpack_job *job = tsr_unpack_job_of(inst);
    struct tsr_unpack_plain at;
    bool known;
    tsr_unpack_job_begin(operands, plan, job);
    if (tsr_unpack_find_plain(env, operands, plan, &at, &known)) {
        fill_plain(&plan->inputs, &at, job);
        tsr_unpack_leave_plain(env, operands, plan, &at, known);
    } else {
        if (!locate(env, inst, operands, plan))
            return false;
        tsr_unpack_step_counters(env, operands, &job->config);
    }
    set_costs(env, job, inst);
    return true;
}

static bool accept_datums(struct tsr_env *env, struct tsr_inflight *inst,
                          struct tsr_unpack_operands *operands)
{
    uint64_t made = env->plans_made;
    struct tsr_unpack_plan *plan = tsr_unpack_plan_for(env, operands);
    if (env->watch && env->plans_made != made && !watch_reads(env, inst, operands))
        return false;
    if (env->races) {
        tsr_race_config_used(env, operands->unpacker ? TSR_READER_UNPACKER1 : TSR_READER_UNPACKER0,
                             operands->state_id, operands->context);
        tsr_unpack_inputs_tell(env, operands, plan->config.compressed);
    }
    if (!operands->anomalies && !plan->config.anomalies) {
        operands->current = plan;
        operands->changes = env->state->config.changes;
    }
    return fill_job(env, inst, operands, plan);
}

static bool accept_count(struct tsr_env *env, struct tsr_inflight *inst,
                         struct tsr_unpack_operands operands)
{
    if (tsr_report(env, FINDING_LEGACY_MODE, inst, NULL,
                   "UNPACR steps the context counter of unpacker %u, which newer pages no longer "
                   "support.",
                   operands.unpacker) == TSR_HALT)
        return false;
    operands.multi_context = true;
    operands.counts_contexts = true;
    operands.increments = 0;
    operands.context = env->state->unpacker[operands.unpacker].context_counter[operands.thread];
    const struct tsr_unpack_plan *plan = tsr_unpack_plan_for(env, &operands);
    tsr_unpack_step_counters(env, &operands, &plan->config);
    return true;
}

// The two small forms have no other operands than those that choose them, the unpacker, and the
// caches to flush. Last has no effect in any form. False: stopped.
static RARE bool check_lost_operands(struct tsr_env *env, const struct tsr_inflight *inst,
                                     const struct tsr_unpack_operands *operands)
{
    static const enum tsr_operand_id others[] = {
        OPERAND_SetDatValid,      OPERAND_AddrMode,         OPERAND_ZeroWrite2,
        OPERAND_CfgContextId,     OPERAND_AddrCntContextId, OPERAND_RowSearch,
        OPERAND_AutoIncContextID, OPERAND_rareb_en,         OPERAND_srcb_bcast,
        OPERAND_CfgContextCntInc};
    unsigned count = sizeof others / sizeof *others - (operands->flushes_cache ? 0 : 1);
    char lost[160];
    size_t used = 0;
    for (unsigned i = 0; i < count; i++)
        if (tsr_arg(env, inst, others[i]) && used < sizeof lost)
            used += (size_t)snprintf(lost + used, sizeof lost - used, "%s%s", used ? ", " : "",
                                     tsr_operand_name(others[i]));
    return used == 0 ||
           tsr_report(env, FINDING_RESERVED_OPERAND_BITS, inst, NULL,
                      "UNPACR with %s does nothing else: %s without effect%s.",
                      operands->flushes_cache ? "SearchCacheFlush" : "CfgContextCntInc", lost,
                      operands->flip ? ", and no bank is handed over" : "") != TSR_HALT;
}

static bool unpack_accept(struct tsr_env *env, struct tsr_inflight *inst)
{
    struct tsr_unpack_job *job = tsr_unpack_job_of(inst);
    if (inst->op == OP_UNPACR_NOP)
        return tsr_unpack_nop_accept(env, inst);
    struct tsr_unpack_operands *operands =
        &env->unpack_plans->operands[inst->unit == TSR_UNIT_UNPACKER1];
    if (tsr_unpack_goes_on(env, inst->word, inst->thread, operands) && !env->watch && !env->races) {
        env->plans_reused++;
        return fill_job(env, inst, operands, operands->current);
    }
    tsr_unpack_decode(env, inst, operands);
    if (!operands->flushes_cache && !operands->only_counts)
        return accept_datums(env, inst, operands);
    if (!check_lost_operands(env, inst, operands))
        return false;
    memset(job, 0, sizeof *job);
    // Row starts are not cached, so there is nothing to flush.
    return operands->flushes_cache || accept_count(env, inst, *operands);
}

// ---------------------------------------------------------------- execute

static tsr_reason unpack_execute(struct tsr_env *env, struct tsr_inflight *inst)
{
    switch (tsr_unpack_job_of(inst)->kind) {
    case UNPACK_DATUMS:
        return tsr_unpack_execute(env, inst);
    case UNPACK_NOTHING:
        return TSR_REASON_NONE;
    default:
        return tsr_unpack_nop_execute(env, inst);
    }
}

static bool unpack_still_waits(const struct tsr_env *env, const struct tsr_inflight *inst)
{
    const struct tsr_unpack_job *job = (const struct tsr_unpack_job *)(const void *)inst->job;
    if (job->kind == UNPACK_CLEAR)
        return tsr_unpack_clear_waits(env, job);
    return job->kind == UNPACK_DATUMS && tsr_unpack_still_waits(env, job);
}

static unsigned unpack_finish(struct tsr_env *env, struct tsr_queue *queue, tsr_reason *reason)
{
    unsigned done = 0;
    for (; done < queue->count; done++) {
        struct tsr_inflight *inst = tsr_queue_at(queue, done);
        if (!(tsr_unpack_job_of(inst)->kind == UNPACK_DATUMS
                  ? tsr_unpack_finish(env, inst, reason)
                  : tsr_unpack_nop_finish(env, inst, reason)))
            break;
    }
    return done;
}

// An UNPACR waits for the unpackers' bank, and so do some UNPACR_NOPs; others for the matrix
// unit's.
static bool unpack_would_wait(const struct tsr_env *env, uint32_t word)
{
    const struct tsr_src *src = &env->state->src[word >> 23 & 1];
    bool nop = tsr_op_of(env->isa, word) == OP_UNPACR_NOP;
    return src->bank[nop ? src->matrix_bank : src->unpacker_bank].matrix_owns;
}

// ---------------------------------------------------------------- complete

static void unpack_complete(struct tsr_env *env, struct tsr_inflight *inst)
{
    if (env->timing)
        tsr_l1_end(env, inst->unit == TSR_UNIT_UNPACKER1 ? TSR_L1_UNPACKER1 : TSR_L1_UNPACKER0);
    if (tsr_unpack_job_of(inst)->kind == UNPACK_CLEAR)
        tsr_unpack_nop_complete(env, inst);
    tsr_unpack_publish_bank(env, inst);
}

// ---------------------------------------------------------------- explain

static void unpack_explain(struct tsr_env *env, const struct tsr_inflight *inst, char *what,
                           size_t size)
{
    static const char *const src_name[2] = {"SrcA", "SrcB"};
    const struct tsr_unpack_job *job = (const struct tsr_unpack_job *)(const void *)inst->job;
    const struct tsr_src *src = &env->state->src[job->unpacker];
    bool waits_for_own = job->kind == UNPACK_DATUMS || job->nop.waits_like_unpacr;
    unsigned bank = waits_for_own ? src->unpacker_bank : src->matrix_bank;
    if (job->kind == UNPACK_SET_REGISTER || job->kind == UNPACK_CLEAR_MESSAGE) {
        snprintf(what, size, "%s waits for the register at 0x%08x",
                 tsr_op_name((enum tsr_op)inst->op), (unsigned)job->nop.address);
        return;
    }
    snprintf(
        what, size,
        "%s waits for %s bank %u, which the matrix unit owns until an instruction with a clear "
        "of its data valid bit, SETRWC or CLEARDVALID gives it back",
        tsr_op_name((enum tsr_op)inst->op), src_name[job->unpacker], bank);
}

const struct tsr_unit_ops tsr_unpack_ops = {
    .accept = unpack_accept,
    .execute = unpack_execute,
    .still_waits = unpack_still_waits,
    .finish = unpack_finish,
    .would_wait = unpack_would_wait,
    .complete = unpack_complete,
    .explain = unpack_explain,
    .run_block = tsr_unpack_run_block,
    .take_whole = tsr_unpack_take_whole,
    .blocks_of_one = true,
    .blocks_to_refused = true,
};
