// SPDX-License-Identifier: Apache-2.0
// PACR: the three moments. Addresses and counters are settled when the instruction is accepted; Dst
// is read and L1 written when it executes.
// PACR_SETREG takes its turn in between (pack_setreg.c).
// Pages: PACR.md of each chip, Packers/README.md.
#include "pack/pack_unit.h"

#include "pack/pack_job.h"
#include "state/dst_rules.h"
#include "state/l1_traffic.h"

#include <string.h>

static uint32_t bytes_of(const struct tsr_packer *packer)
{
    return (uint32_t)packer->data.lines * TSR_PACK_LINE + packer->data.filled;
}

// Bytes of data that the part moves on, a line that a flush pads included.
static void write_part(struct tsr_env *env, const struct pack_part *part, uint32_t bytes)
{
    const uint16_t *rate = env->isa->rate;
    uint16_t alone = rate[RATE_PACK_BYTES];
    if (part->shape.accumulate) {
        alone = TSR_PACK_LINE / rate[RATE_PACK_ACCUMULATE_CYCLES];
        bytes = (bytes + TSR_PACK_LINE - 1u) / TSR_PACK_LINE * TSR_PACK_LINE;
    }
    tsr_l1_begin(env, TSR_L1_PACKER0 + part->packer, bytes, alone, 0);
}

// With timing on: until the last packer has written, alone or beside others at L1's ports.
static void set_duration(const struct tsr_env *env, struct tsr_inflight *inst)
{
    uint32_t cycles = tsr_l1_cycles(env, TSR_L1_PACKER0, TSR_PACKERS);
    uint32_t least = env->isa->rate[RATE_PACK_CYCLES_LEAST];
    inst->duration = cycles > least ? cycles : least;
}

void tsr_pack_end_sections(struct tsr_packer *packer)
{
    packer->data.placed = packer->exponents.placed = packer->row_starts.placed = false;
}

// What the next PACR in thread order finds: streams that go on, or none.
static void note_sections(struct tsr_env *env, const struct pack_job *job)
{
    for (unsigned p = 0; p < job->parts; p++) {
        const struct pack_part *part = &job->part[p];
        struct tsr_packer *packer = &env->state->packers.packer[part->packer];
        packer->data.placed = true;
        packer->exponents.placed |= part->shape.small_output;
        packer->row_starts.placed |= part->shape.compress;
        if (job->close)
            tsr_pack_end_sections(packer);
    }
}

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
static void sample_descale(const struct tsr_env *env, struct pack_job *job)
{
    const uint32_t *values = env->state->config.bank[job->state_id] +
                             env->isa->field[FIELD_INT_DESCALE_VALUES_SEC0_Value].addr32;
    for (unsigned z = 0; z < PACK_DESCALES; z++)
        job->descale[z] = values[z / 4] >> (8 * (z % 4)) & 31;
}

// The outline's parts and no more of it: most PACRs have one of four.
static void begin_job(const struct tsr_env *env, const struct pack_outline *outline,
                      struct pack_job *job)
{
    const struct pack_job *from = &outline->job;
    memcpy(job, from, offsetof(struct pack_job, descale));
    job->order = tsr_dst_order(env);
    job->statistics = counts_exponents(env);
    for (unsigned p = 0; p < from->parts; p++) {
        job->part[p] = from->part[p];
        if (from->part[p].shape.descale_by_z)
            sample_descale(env, job);
    }
}

static bool pack_accept(struct tsr_env *env, struct tsr_inflight *inst)
{
    struct pack_job *job = (struct pack_job *)inst->job;
    if (inst->op == OP_PACR_SETREG)
        return tsr_pack_setreg_accept(env, inst);
    const struct pack_outline *outline = tsr_pack_outline_for(env, inst);
    if (!outline)
        return false;
    begin_job(env, outline, job);
    if (tsr_pack_resets_context(&outline->operands)) {
        tsr_pack_reset_context(env);
        return true;
    }
    if (!tsr_pack_address(env, inst, outline, job))
        return false;
    note_sections(env, job);
    return true;
}

static tsr_reason pack_execute(struct tsr_env *env, struct tsr_inflight *inst)
{
    const struct pack_job *job = (const struct pack_job *)inst->job;
    if (inst->op == OP_PACR_SETREG)
        return tsr_pack_setreg_execute(env, inst);
    const struct pack_part *const end = job->part + job->parts;
    for (const struct pack_part *part = job->part; part < end; part++) {
        const struct tsr_packer *packer = &env->state->packers.packer[part->packer];
        uint32_t before = !env->timing || part->fresh_data ? 0 : bytes_of(packer);
        if (!tsr_pack_part(env, inst, job, part))
            break;
        if (env->timing)
            write_part(env, part, bytes_of(packer) - before);
    }
    if (env->timing)
        set_duration(env, inst);
    return TSR_REASON_NONE;
}

static void pack_complete(struct tsr_env *env, struct tsr_inflight *inst)
{
    for (unsigned i = 0; env->timing && i < TSR_PACKERS; i++)
        tsr_l1_end(env, TSR_L1_PACKER0 + i);
    if (inst->op == OP_PACR)
        tsr_pack_complete(env, inst);
}

// Only PACR_SETREG waits inside the unit.
static void pack_explain(struct tsr_env *env, const struct tsr_inflight *inst, char *what,
                         size_t size)
{
    (void)env;
    tsr_pack_setreg_explain(inst, what, size);
}

const struct tsr_unit_ops tsr_pack_ops = {.ready = tsr_pack_ready,
                                          .accept = pack_accept,
                                          .execute = pack_execute,
                                          .complete = pack_complete,
                                          .explain = pack_explain};
