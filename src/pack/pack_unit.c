// SPDX-License-Identifier: Apache-2.0
// PACR: which packers work, what is refused, and the three moments. Addresses and counters are
// settled when the instruction is accepted; Dst is read and L1 written when it executes.
// PACR_SETREG takes its turn in between (pack_setreg.c).
// Pages: PACR.md of each chip, Packers/README.md.
#include "pack/pack_unit.h"

#include "pack/pack_job.h"

// Modes of the instruction word that are not there yet. True: the tile stops.
static bool unbuilt_operands(struct tsr_env *env, const struct tsr_flight *flight)
{
    for (int i = 0; i < PACK_UNBUILT_OPERANDS; i++)
        if (tsr_arg(env, flight, tsr_pack_unbuilt[i].operand) &&
            tsr_report(env, FINDING_UNIMPLEMENTED_MODE, flight, NULL,
                       "PACR with %s is unimplemented.", tsr_pack_unbuilt[i].what) == TSR_HALT)
            return true;
    return false;
}

static bool unbuilt_histogram(struct tsr_env *env, const struct tsr_flight *flight)
{
    int thread = flight->thread;
    struct tsr_cited cited = {thread, 1, {FIELD_ENABLE_ACC_STATS_Enable}};
    return tsr_thread_cfg(env, thread, FIELD_ENABLE_ACC_STATS_Enable) &&
           tsr_report(env, FINDING_UNIMPLEMENTED_MODE, flight, &cited,
                      "PACR with ENABLE_ACC_STATS_Enable (the exponent histogram) is "
                      "unimplemented.") == TSR_HALT;
}

// Zero means packer 0; a set of packers that the page does not list is undefined, and going on
// gives work to all of it.
static enum tsr_verdict choose_packers(struct tsr_env *env, const struct tsr_flight *flight,
                                       uint32_t *mask)
{
    static const uint16_t listed = 1u << 0 | 1u << 1 | 1u << 2 | 1u << 3 | 1u << 4 | 1u << 8 |
                                   1u << 12 | 1u << 15;
    *mask = 1;
    if (env->chip->packers == 1)
        return TSR_GO;
    uint32_t chosen = tsr_arg(env, flight, OPERAND_PackSel);
    if (chosen)
        *mask = chosen;
    if (listed >> chosen & 1)
        return TSR_GO;
    return tsr_report(env, FINDING_PACK_SELECTION, flight, NULL,
                      "PackSel=%u is no set of packers that the page lists.", (unsigned)chosen);
}

static uint32_t part_cycles(const struct tsr_env *env, const struct pack_part *part)
{
    const uint16_t *rate = env->isa->rate;
    uint32_t bytes = (uint32_t)part->count * part->segments * part->shape.out_bits / 8;
    uint32_t cycles = (bytes + rate[RATE_PACK_BYTES] - 1u) / rate[RATE_PACK_BYTES];
    if (part->shape.accumulate)
        cycles = (bytes + TSR_PACK_LINE - 1u) / TSR_PACK_LINE * rate[RATE_PACK_ACCUMULATE_CYCLES];
    return cycles > rate[RATE_PACK_CYCLES_LEAST] ? cycles : rate[RATE_PACK_CYCLES_LEAST];
}

void tsr_pack_end_sections(struct tsr_packer *packer)
{
    packer->data.placed = packer->exponents.placed = false;
}

// What the next PACR in thread order finds: streams that go on, or none.
static void note_sections(struct tsr_env *env, const struct pack_job *job)
{
    for (unsigned p = 0; p < job->parts; p++) {
        const struct pack_part *part = &job->part[p];
        struct tsr_packer *packer = &env->state->packers.packer[part->packer];
        packer->data.placed = true;
        packer->exponents.placed |= part->shape.small_output;
        if (job->close)
            tsr_pack_end_sections(packer);
    }
}

static bool pack_accept(struct tsr_env *env, struct tsr_flight *flight)
{
    struct pack_job *job = (struct pack_job *)flight->job;
    uint32_t mask;
    if (flight->op == OP_PACR_SETREG)
        return tsr_pack_setreg_accept(env, flight);
    job->parts = 0;
    enum tsr_verdict choice = choose_packers(env, flight, &mask);
    if (choice == TSR_HALT || unbuilt_histogram(env, flight))
        return false;
    job->state_id = (uint8_t)tsr_state_id(env, flight->thread);
    job->order = tsr_dst_order(env);
    job->close = tsr_arg(env, flight, OPERAND_Last) || tsr_arg(env, flight, OPERAND_Flush);
    for (int packer = 0; packer < TSR_PACKERS; packer++) {
        if (!(mask >> packer & 1))
            continue;
        const struct pack_plan *plan = tsr_pack_plan_for(env, flight, job->state_id, packer);
        if (!plan || ((flight->word & plan->unbuilt_bits) && unbuilt_operands(env, flight)))
            return false;
        struct pack_part *part = &job->part[job->parts++];
        part->shape = plan->shape;
        part->stamp = plan->stamp;
        part->packer = (uint8_t)packer;
        part->tainted = choice == TSR_GO_TAINTED || plan->shape.doubtful;
    }
    if (!tsr_pack_address(env, flight, job))
        return false;
    note_sections(env, job);
    tsr_pack_sample_sizes(env, flight, job);
    flight->duration = 0;
    for (unsigned p = 0; env->timing && p < job->parts; p++) {
        uint32_t cycles = part_cycles(env, &job->part[p]);
        flight->duration = cycles > flight->duration ? cycles : flight->duration;
    }
    return true;
}

static tsr_reason pack_execute(struct tsr_env *env, struct tsr_flight *flight)
{
    const struct pack_job *job = (const struct pack_job *)flight->job;
    if (flight->op == OP_PACR_SETREG)
        return tsr_pack_setreg_execute(env, flight);
    for (unsigned p = 0; p < job->parts; p++)
        if (!tsr_pack_part(env, flight, job, &job->part[p]))
            break;
    return TSR_REASON_NONE;
}

static void pack_complete(struct tsr_env *env, struct tsr_flight *flight)
{
    if (flight->op == OP_PACR)
        tsr_pack_complete(env, flight);
}

// Only PACR_SETREG waits inside the unit.
static void pack_explain(struct tsr_env *env, const struct tsr_flight *flight, char *what,
                         size_t size)
{
    (void)env;
    tsr_pack_setreg_explain(flight, what, size);
}

const struct tsr_unit_ops tsr_pack_ops = {
    .ready = tsr_pack_ready,
    .accept = pack_accept,
    .execute = pack_execute,
    .complete = pack_complete,
    .explain = pack_explain};
