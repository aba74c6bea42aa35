// SPDX-License-Identifier: Apache-2.0
// The three moments of UNPACR: decode and plan, move, publish. Also its two small variants, which
// step the context counter or flush a cache that needs no model.
// Pages: UNPACR_Regular.md, UNPACR_IncrementContextCounter.md, UNPACR_FlushCache.md.
#include "unpack/unpack_unit.h"

#include "state/config_watch.h"
#include "unpack/unpack_plan.h"
#include "unpack/unpack_source.h"

#include <stdio.h>
#include <string.h>

static const char *const src_name[2] = {"SrcA", "SrcB"};

// ---------------------------------------------------------------- accept

// Two cycles of address calculation hold the thread; then L1 limits (the page's Performance part),
// from when the datums move.
static void set_costs(const struct tsr_env *env, struct tsr_inflight *inst)
{
    inst->address = env->isa->rate[RATE_UNPACK_ADDRESS_CYCLES];
    inst->hold = inst->address;
    inst->duration = 1;
}

// Compressed input: row starts are read from L1 before the first datum's address is known.
static void add_row_cost(const struct tsr_env *env, struct tsr_inflight *inst)
{
    inst->address += env->isa->rate[RATE_UNPACK_ROW_START_CYCLES];
    inst->hold = inst->address;
}

// Everything that is read before something is written to it (unpack_address.c writes the rest);
// compressed input finds much of a job only when it executes.
static void begin_job(const struct tsr_unpack_call *call, const struct tsr_unpack_plan *plan,
                      struct tsr_unpack_job *job)
{
    if (plan->shape.compressed)
        memset(job, 0, sizeof *job);
    job->kind = UNPACK_DATUMS;
    job->unpacker = call->unpacker;
    job->thread = call->thread;
    job->state = call->state;
    job->context = call->context;
    job->zero = call->zero;
    job->flip = call->flip;
    job->broadcasts = call->broadcasts;
    job->seeks = job->tainted = job->taints_unwritten = false;
    job->drop = 0;
    job->deltas = 0;
    job->slot = plan->slot;
    job->stamp = plan->stamp;
    job->shape = plan->shape;
    job->implied_format = plan->shape.out_format;
}

// Formats and the tile's address have no value after reset that a program could mean.
static bool watch_reads(struct tsr_env *env, const struct tsr_inflight *inst,
                        const struct tsr_unpack_call *call)
{
    static const enum tsr_field needed[2][3] = {
        {FIELD_THCON_SEC0_REG0_TileDescriptor_InDataFormat, FIELD_THCON_SEC0_REG2_Out_data_format,
         FIELD_THCON_SEC0_REG3_Base_address},
        {FIELD_THCON_SEC1_REG0_TileDescriptor_InDataFormat, FIELD_THCON_SEC1_REG2_Out_data_format,
         FIELD_THCON_SEC1_REG3_Base_address}};
    unsigned count = call->zero ? 0 : call->context == 0 ? 3 : 2; // others have their own address
    return tsr_config_watch_reads(env, inst, call->state,
                                  call->unpacker ? TSR_READER_UNPACKER1 : TSR_READER_UNPACKER0,
                                  needed[call->unpacker], count);
}

static bool accept_datums(struct tsr_env *env, struct tsr_inflight *inst,
                          const struct tsr_unpack_call *call)
{
    struct tsr_unpack_job *job = tsr_unpack_job(inst);
    uint64_t made = env->plans_made;
    const struct tsr_unpack_plan *plan = tsr_unpack_plan_for(env, call);
    if (env->watch && env->plans_made != made && !watch_reads(env, inst, call))
        return false;
    begin_job(call, plan, job);
    tsr_unpack_anomalies anomalies = call->anomalies | plan->shape.anomalies;
    anomalies |= tsr_unpack_address(env, call, &plan->inputs, job);
    if (anomalies) {
        enum tsr_verdict verdict = tsr_unpack_report(env, inst, job, anomalies);
        if (verdict == TSR_HALT)
            return false;
        job->tainted = verdict == TSR_GO_TAINTED;
    }
    job->shape.transpose &= !job->shape.to_dst;
    tsr_unpack_count(env, call, &job->shape);
    set_costs(env, inst);
    if (job->shape.compressed)
        add_row_cost(env, inst);
    return true;
}

static bool accept_count(struct tsr_env *env, struct tsr_inflight *inst,
                         struct tsr_unpack_call call)
{
    if (tsr_report(env, FINDING_LEGACY_MODE, inst, NULL,
                   "UNPACR steps the context counter of unpacker %u, which newer pages no longer "
                   "support.",
                   call.unpacker) == TSR_HALT)
        return false;
    call.multi_context = true;
    call.counts_contexts = true;
    call.increments = 0;
    call.context = env->state->unpacker[call.unpacker].context_counter[call.thread];
    const struct tsr_unpack_plan *plan = tsr_unpack_plan_for(env, &call);
    tsr_unpack_count(env, &call, &plan->shape);
    return true;
}

static bool unpack_accept(struct tsr_env *env, struct tsr_inflight *inst)
{
    struct tsr_unpack_job *job = tsr_unpack_job(inst);
    if (inst->op == OP_UNPACR_NOP) {
        memset(job, 0, sizeof *job);
        return tsr_unpack_nop_accept(env, inst);
    }
    const struct tsr_unpack_operands *operands = tsr_unpack_decode(env, inst);
    if (!operands->flushes && !operands->counts)
        return accept_datums(env, inst, &operands->call);
    memset(job, 0, sizeof *job);
    // Row starts are not cached, so there is nothing to flush.
    return operands->flushes || accept_count(env, inst, operands->call);
}

// ---------------------------------------------------------------- execute

void tsr_unpack_hand_over(struct tsr_env *env, struct tsr_inflight *inst)
{
    const struct tsr_unpack_job *job = tsr_unpack_job(inst);
    inst->has_bank = true;
    inst->side = job->unpacker;
    inst->bank = tsr_src_hand_over(env, inst, job->unpacker);
    env->state->unpacker[job->unpacker].src_row[job->thread] = job->row_base;
}

static bool leaves_srcb(const struct tsr_env *env, const struct tsr_unpack_job *job)
{
    uint64_t last;
    if (job->unpacker == 0 || !tsr_unpack_last_row(job, &last))
        return false;
    uint64_t spread = job->out / 16 + 7; // of the row that an srcb_bcast begins with
    if (job->broadcasts && spread > last)
        last = spread;
    return last + env->state->unpacker[1].src_row[job->thread] >= TSR_SRC_ROWS;
}

// A fast job lies in L1, and of a plain one's bytes a look is enough.
static bool reads_written(const struct tsr_l1 *l1, const struct tsr_unpack_job *job)
{
    if (!job->fast || !job->plain)
        return false;
    uint64_t bits = (uint64_t)job->count * job->shape.datum_bits;
    return tsr_l1_all_written(l1, (uint32_t)(job->bits / 8), (bits + 7) / 8) &&
           (!job->shape.l1_exponents ||
            tsr_l1_all_written(l1, (uint32_t)(job->exponents / 16), (job->count + 15) / 16));
}

// What only execution can tell: SrcB's rows, what L1 holds now, and where compressed data lie.
static tsr_unpack_anomalies late_anomalies(const struct tsr_env *env, struct tsr_unpack_job *job)
{
    tsr_unpack_anomalies anomalies = 0;
    const struct tsr_l1 *l1 = &env->state->l1;
    if (job->shape.compressed)
        anomalies |= tsr_unpack_find_row(env, job);
    else if (!job->zero && !reads_written(l1, job) &&
             tsr_unpack_source_is(l1, job, TSR_ANY_UNWRITTEN, &job->unwritten_address))
        anomalies |= TSR_ANOMALY(ANOMALY_UNWRITTEN);
    if (leaves_srcb(env, job))
        anomalies |= TSR_ANOMALY(ANOMALY_SRCB_ROW);
    if (tsr_unpack_exponents_overflow(l1, job))
        anomalies |= TSR_ANOMALY(ANOMALY_BLOCK_EXPONENT);
    return anomalies;
}

// False: stopped. Undefined rows taint everything; the other two only the datums they concern.
static bool settle(struct tsr_env *env, const struct tsr_inflight *inst, struct tsr_unpack_job *job)
{
    tsr_unpack_anomalies anomalies = late_anomalies(env, job);
    tsr_unpack_anomalies unwritten = anomalies & TSR_ANOMALY(ANOMALY_UNWRITTEN);
    tsr_unpack_anomalies exponent = anomalies & TSR_ANOMALY(ANOMALY_BLOCK_EXPONENT);
    if (!anomalies)
        return true;
    enum tsr_verdict rows = tsr_unpack_report(env, inst, job, anomalies & ~unwritten & ~exponent);
    if (rows == TSR_HALT || tsr_unpack_report(env, inst, job, exponent) == TSR_HALT)
        return false;
    enum tsr_verdict bytes = tsr_unpack_report(env, inst, job, unwritten);
    job->tainted |= rows == TSR_GO_TAINTED;
    job->taints_unwritten = bytes == TSR_GO_TAINTED;
    return bytes != TSR_HALT;
}

static tsr_reason execute_datums(struct tsr_env *env, struct tsr_inflight *inst)
{
    struct tsr_unpack_job *job = tsr_unpack_job(inst);
    const struct tsr_src *src = &env->state->src[job->unpacker];
    // Also on the way to Dst: unpacker 0 owns no other door (docs/arithmetic.md).
    if (src->bank[src->unpacker_bank].matrix_owns)
        return job->unpacker == 0 ? TSR_REASON_SRCA : TSR_REASON_SRCB;
    if (!settle(env, inst, job))
        return TSR_REASON_NONE;
    bool fills = job->emitted > 0; // also on the way to Dst, which clobbers the bank
    if (job->flip && !tsr_src_may_hand_over(env, inst, job->unpacker, fills))
        return TSR_REASON_NONE;
    if (job->shape.compressed)
        job->tainted |= tsr_unpack_row_is_tainted(&env->state->l1, job);
    tsr_unpack_store(env, job);
    if (env->timing)
        tsr_unpack_fetch_begin(env, inst);
    uint8_t *src_row = &env->state->unpacker[job->unpacker].src_row[job->thread];
    if (job->flip)
        tsr_unpack_hand_over(env, inst);
    else if (job->shape.next_row_set)
        *src_row = (uint8_t)((*src_row + 16 + job->row_base) & (TSR_SRC_ROWS - 1));
    return TSR_REASON_NONE;
}

static tsr_reason unpack_execute(struct tsr_env *env, struct tsr_inflight *inst)
{
    switch (tsr_unpack_job(inst)->kind) {
    case UNPACK_DATUMS:
        return execute_datums(env, inst);
    case UNPACK_NOTHING:
        return TSR_REASON_NONE;
    default:
        return tsr_unpack_nop_execute(env, inst);
    }
}

// ---------------------------------------------------------------- complete, explain

static void unpack_complete(struct tsr_env *env, struct tsr_inflight *inst)
{
    if (env->timing)
        tsr_unpack_fetch_end(env, inst);
    if (tsr_unpack_job(inst)->kind == UNPACK_CLEAR)
        tsr_unpack_nop_complete(env, inst);
    if (!inst->has_bank)
        return;
    struct tsr_src_bank *bank = &env->state->src[inst->side].bank[inst->bank];
    bank->matrix_owns = true;
    if (env->chip->implied_formats)
        bank->implied_format = tsr_unpack_job(inst)->implied_format;
}

static void unpack_explain(struct tsr_env *env, const struct tsr_inflight *inst, char *what,
                           size_t size)
{
    const struct tsr_unpack_job *job = (const struct tsr_unpack_job *)(const void *)inst->job;
    const struct tsr_src *src = &env->state->src[job->unpacker];
    bool own = job->kind == UNPACK_DATUMS || job->nop.waits_like_unpacr;
    unsigned bank = own ? src->unpacker_bank : src->matrix_bank;
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
    .complete = unpack_complete,
    .explain = unpack_explain,
};
