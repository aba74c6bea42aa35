// SPDX-License-Identifier: Apache-2.0
// The execution of UNPACR: it waits for the unpackers' bank, checks what it will read, moves the
// datums by the fast path (unpack_rows.c) or the general path (unpack_datums.c), and with FlipSrc
// moves the unpackers' pointer to the other bank. The owner of the bank changes when the
// instruction completes (unpack_complete() in unpack_unit.c).
// Page: UNPACR_Regular.md (functional model from the main loop on; Performance).
#include "unpack/unpack_execute.h"

#include "state/l1_traffic.h"
#include "state/races.h"
#include "state/src_hand_over.h"
#include "unpack/unpack_compressed.h"
#include "unpack/unpack_datums.h"
#include "unpack/unpack_expand.h"
#include "unpack/unpack_plain.h"
#include "unpack/unpack_report.h"
#include "unpack/unpack_rows.h"
#include "unpack/unpack_source.h"
#include "unpack/unpack_target.h"

#include <string.h>

// What is known only at execution: the bytes of L1, the place of compressed data, SrcB's rows.
tsr_unpack_anomalies tsr_unpack_check_input(const struct tsr_env *env, struct tsr_unpack_job *job)
{
    tsr_unpack_anomalies anomalies = 0;
    const struct tsr_l1 *l1 = &env->state->l1;
    if (job->config.compressed) {
        anomalies |= tsr_unpack_find_row(env, job);
    } else if (!job->all_zero && (l1->any_tainted || !tsr_unpack_all_written(l1, job))) {
        struct tsr_unpack_scan scan = {.asked = UNPACK_L1_UNWRITTEN};
        if (job->uses_kernel)
            scan.asked |= UNPACK_L1_TAINTED;
        tsr_unpack_scan(&scan, l1, job);
        job->unwritten_address = scan.unwritten_address;
        if (scan.found & UNPACK_L1_UNWRITTEN)
            anomalies |= TSR_UNPACK_ANOMALY(UNWRITTEN);
        if (scan.found & UNPACK_L1_TAINTED) // must be followed byte by byte
            job->uses_kernel = false;
    }
    anomalies |= tsr_unpack_check_srcb_rows(env, job);
    if (tsr_unpack_exponents_overflow(l1, job))
        anomalies |= TSR_UNPACK_ANOMALY(BLOCK_EXPONENT);
    return anomalies;
}

// False: stopped. Undefined rows taint everything; exponents and unwritten bytes only the datums
// that they concern.
static bool report(struct tsr_env *env, const struct tsr_inflight *inst, struct tsr_unpack_job *job,
                   tsr_unpack_anomalies anomalies)
{
    tsr_unpack_anomalies unwritten = anomalies & TSR_UNPACK_ANOMALY(UNWRITTEN);
    tsr_unpack_anomalies exponent = anomalies & TSR_UNPACK_ANOMALY(BLOCK_EXPONENT);
    enum tsr_verdict rows = tsr_unpack_report(env, inst, job, anomalies & ~unwritten & ~exponent);
    if (rows == TSR_HALT || tsr_unpack_report(env, inst, job, exponent) == TSR_HALT)
        return false;
    enum tsr_verdict bytes = tsr_unpack_report(env, inst, job, unwritten);
    job->tainted |= rows == TSR_GO_TAINTED;
    job->taints_unwritten = bytes == TSR_GO_TAINTED;
    return bytes != TSR_HALT;
}

void tsr_unpack_move(struct tsr_env *env, const struct tsr_unpack_job *job)
{
    struct tsr_src_bank *bank = tsr_src_for_unpacker(&env->state->src[job->unpacker]);
    unsigned src_row = env->state->unpacker[job->unpacker].src_row[job->thread];
    bool fast = job->uses_kernel && !job->taints_unwritten &&
                (job->config.compressed ? tsr_unpack_expand(env, job, bank, src_row)
                                        : tsr_unpack_move_rows(env, job, bank, src_row));
    if (!fast)
        tsr_unpack_move_datums(env, job, bank, src_row);
    if (job->output_datums == 0)
        return;
    if (job->config.to_dst) { // the page: what SrcA's bank holds afterwards is unpredictable
        memset(bank->written, 0, sizeof bank->written);
        bank->uniform = false;
    } else {
        bank->filled = true;
    }
}

// An unpacker fetches while it waits for its bank, as much as it has room for (docs/errata.md,
// 313).
static uint32_t fetched_ahead(const struct tsr_env *env, const struct tsr_unpack_job *job,
                              uint32_t bytes)
{
    if (job->waits_since == 0)
        return 0;
    uint64_t fetched = (env->state->now + 1 - job->waits_since) * job->config.bytes_per_cycle;
    uint32_t room = env->isa->rate[RATE_UNPACK_AHEAD];
    room = room < bytes ? room : bytes;
    return fetched < room ? (uint32_t)fetched : room;
}

uint32_t tsr_unpack_bytes(const struct tsr_unpack_config *config, uint32_t datums)
{
    unsigned delta_bits = config->compressed ? 4 : 0; // Packers/Compression.md
    uint64_t bits = (uint64_t)datums * (config->datum_bits + delta_bits);
    return (uint32_t)((bits + 7) / 8);
}

uint32_t tsr_unpack_fetch(struct tsr_env *env, const struct tsr_unpack_config *config,
                          unsigned unpacker, uint32_t bytes)
{
    enum tsr_l1_client client = TSR_L1_UNPACKER0 + unpacker;
    tsr_l1_begin(env, client, bytes, config->bytes_per_cycle, config->speed);
    uint32_t cycles = tsr_l1_cycles(env, client, 1);
    return cycles > 0 ? cycles : 1;
}

// The first time in a tile that a wait shows bank pointers out of step.
static void check_turns(struct tsr_env *env, const struct tsr_inflight *inst, int side)
{
    const struct tsr_src *src = &env->state->src[side];
    if (!tsr_src_takes_turns(src, env->state->src_shadow[side]))
        return;
    const char *code = tsr_finding_at(FINDING_SRC_BANK_TURNS)->code;
    for (int i = 0; i < env->findings->count; i++)
        if (env->findings->kept[i].code == code)
            return;
    tsr_report(
        env, FINDING_SRC_BANK_TURNS, inst, NULL,
        "The unpackers wait for Src%c bank %u while bank %u is theirs: their pointer and the "
        "matrix unit's are out of step, and from here on they take turns.",
        'A' + side, (unsigned)src->unpacker_bank, src->unpacker_bank ^ 1u);
}

static tsr_reason wait_for_bank(struct tsr_env *env, const struct tsr_inflight *inst,
                                struct tsr_unpack_job *job)
{
    if (env->timing && job->waits_since == 0)
        job->waits_since = env->state->now + 1;
    check_turns(env, inst, job->unpacker);
    return tsr_src_reason(job->unpacker);
}

bool tsr_unpack_still_waits(const struct tsr_env *env, const struct tsr_unpack_job *job)
{
    const struct tsr_src *src = &env->state->src[job->unpacker];
    return src->bank[src->unpacker_bank].matrix_owns &&
           !tsr_src_takes_turns(src, env->state->src_shadow[job->unpacker]); // which is reported
}

static bool move_plain(struct tsr_env *env, const struct tsr_unpack_job *job)
{
    const struct tsr_unpack_plain at = {(uint32_t)(job->first_datum_bit / 8),
                                        (uint32_t)(job->first_exponent_16th / 16), job->first_x,
                                        job->input_datums, job->out_address};
    return tsr_unpack_move_plain(env, job->unpacker, job->thread, &job->config, &at,
                                 tsr_unpack_src_kernel(env, job));
}

bool tsr_unpack_finish(struct tsr_env *env, const struct tsr_inflight *inst, tsr_reason *reason)
{
    const struct tsr_unpack_job *job = (const struct tsr_unpack_job *)(const void *)inst->job;
    if (tsr_unpack_still_waits(env, job)) {
        *reason = tsr_src_reason(job->unpacker);
        return false;
    }
    if (!job->plain || tsr_src_for_unpacker(&env->state->src[job->unpacker])->matrix_owns ||
        !move_plain(env, job))
        return false;
    if (job->flip)
        tsr_unpack_give_bank(env, tsr_origin_of(inst), job->unpacker, job->src_row_base,
                             job->implied_format);
    else if (job->config.steps_src_row)
        tsr_unpack_step_src_row(env, job->unpacker, job->thread, job->src_row_base);
    return true;
}

void tsr_unpack_leave_bank(struct tsr_env *env, struct tsr_inflight *inst)
{
    const struct tsr_unpack_job *job = tsr_unpack_job_of(inst);
    if (job->flip)
        tsr_unpack_hand_over(env, inst);
    else if (job->config.steps_src_row)
        tsr_unpack_step_src_row(env, job->unpacker, job->thread, job->src_row_base);
}

// False: a finding stops the tile.
static bool check_and_move(struct tsr_env *env, struct tsr_inflight *inst,
                           struct tsr_unpack_job *job)
{
    tsr_unpack_anomalies anomalies = tsr_unpack_check_input(env, job);
    if (anomalies && !report(env, inst, job, anomalies))
        return false;
    bool fills = job->output_datums > 0; // also on the way to Dst, which clobbers the bank
    if (job->flip && !tsr_src_may_hand_over(env, inst, job->unpacker, fills))
        return false;
    if (job->config.compressed) // all output depends on the row starts
        job->tainted |=
            job->row_start_tainted || (job->taints_unwritten && job->row_start_unwritten);
    tsr_unpack_move(env, job);
    return true;
}

static void tell_bits(const struct tsr_env *env, int64_t first_bit, uint32_t bits)
{
    if (first_bit >= 0)
        tsr_race_l1(env, false, (uint32_t)(first_bit / 8), (first_bit % 8 + bits + 7u) / 8);
}

// For those who look for races: the bytes that were read, without what a stop may have left out.
static void tell_input(const struct tsr_env *env, const struct tsr_unpack_job *job)
{
    const struct tsr_unpack_config *c = &job->config;
    uint32_t run;
    if (c->compressed && !(job->all_zero && job->partial_row))
        tell_bits(env, job->row_start_address * 8, 16);
    if (c->compressed && !job->partial_row)
        tell_bits(env, job->row_end_address * 8, 16);
    if (job->all_zero)
        return;
    for (struct tsr_unpack_cursor at = tsr_unpack_begin(job); at.left > 0;
         tsr_unpack_advance(job, &at, run)) {
        run = tsr_unpack_run(job, &at);
        tell_bits(env, at.datum_bit, run * c->datum_bits);
        if (c->compressed)
            tell_bits(env, at.delta_bit, run * 4);
        if (c->l1_exponents && at.exponent_16th >= 0)
            tsr_race_l1(env, false, (uint32_t)(at.exponent_16th / 16),
                        (at.exponent_16th % 16 + run + 15u) / 16);
    }
}

tsr_reason tsr_unpack_execute(struct tsr_env *env, struct tsr_inflight *inst)
{
    struct tsr_unpack_job *job = tsr_unpack_job_of(inst);
    const struct tsr_src *src = &env->state->src[job->unpacker];
    // Also on the way to Dst: SrcA's bank is all that an unpack of unpacker 0 waits for. The
    // queue calls again until it is free.
    if (src->bank[src->unpacker_bank].matrix_owns)
        return wait_for_bank(env, inst, job);

    tsr_race_sync(env, TSR_RACE_FOR_UNPACKER, job->unpacker, src->unpacker_bank, 0);
    if (!(job->plain && move_plain(env, job)) && !check_and_move(env, inst, job))
        return TSR_REASON_NONE;
    const uint32_t bytes = tsr_unpack_bytes(&job->config, job->input_datums);
    if (env->timing)
        inst->duration = tsr_unpack_fetch(env, &job->config, job->unpacker,
                                          bytes - fetched_ahead(env, job, bytes));
    if (env->races)
        tell_input(env, job);
    tsr_unpack_leave_bank(env, inst);
    return TSR_REASON_NONE;
}
