// SPDX-License-Identifier: Apache-2.0
// PACR: which packers work, what is refused, and the three moments. Addresses and counters are
// settled when the instruction is accepted; Dst is read and L1 written when it executes.
// PACR_SETREG takes its turn in between (pack_setreg.c).
// Pages: PACR.md of each chip, Packers/README.md.
#include "pack/pack_unit.h"

#include "pack/pack_job.h"

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
    uint32_t chosen = tsr_pack_operands(env, flight)->packers;
    if (chosen)
        *mask = chosen;
    if (listed >> chosen & 1)
        return TSR_GO;
    return tsr_report(env, FINDING_PACK_SELECTION, flight, NULL,
                      "PackSel=%u is no set of packers that the page lists.", (unsigned)chosen);
}

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
static void set_duration(const struct tsr_env *env, struct tsr_flight *flight)
{
    uint32_t cycles = tsr_l1_cycles(env, TSR_L1_PACKER0, TSR_PACKERS);
    uint32_t least = env->isa->rate[RATE_PACK_CYCLES_LEAST];
    flight->duration = cycles > least ? cycles : least;
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

static enum pack_padding padding_of(const struct pack_operands *operands)
{
    uint32_t when = operands->padding & 3; // never, always, without Concat, with Last
    if (when == 0 || (when == 2 && operands->concat) || (when == 3 && !operands->last))
        return PACK_PAD_NONE;
    return operands->padding & 4 ? PACK_PAD_SECTION : PACK_PAD_ROWS;
}

static bool counts_exponents(const struct tsr_env *env)
{
    for (int thread = 0; thread < TSR_THREADS; thread++)
        if (tsr_thread_cfg(env, thread, FIELD_ENABLE_ACC_STATS_Enable))
            return true;
    return false;
}

static void sample_modes(const struct tsr_env *env, const struct tsr_flight *flight,
                         struct pack_job *job)
{
    const struct pack_operands *operands = tsr_pack_operands(env, flight);
    job->state_id = (uint8_t)tsr_state_id(env, flight->thread);
    job->order = tsr_dst_order(env);
    job->close = operands->last || operands->flush;
    job->concat = operands->concat;
    job->statistics = counts_exponents(env);
    job->pad = (uint8_t)padding_of(operands);
}

// Four shifts a word, and the words follow each other.
static void sample_descale(const struct tsr_env *env, struct pack_job *job)
{
    const uint32_t *values = env->state->config.bank[job->state_id] +
                             env->isa->field[FIELD_INT_DESCALE_VALUES_SEC0_Value].addr32;
    for (unsigned z = 0; z < PACK_DESCALES; z++)
        job->descale[z] = values[z / 4] >> (8 * (z % 4)) & 31;
}

static bool add_part(struct tsr_env *env, const struct tsr_flight *flight, struct pack_job *job,
                     int packer, bool tainted)
{
    int config = tsr_pack_config_of(env, flight, packer);
    const struct pack_plan *plan = tsr_pack_plan_for(env, flight, job->state_id, config);
    if (!plan)
        return false;
    struct pack_part *part = &job->part[job->parts++];
    part->shape = plan->shape;
    part->stamp = plan->stamp;
    part->packer = (uint8_t)packer;
    part->config = (uint8_t)config;
    part->z_offset = plan->inputs.z_offset;
    part->tainted = tainted || plan->shape.doubtful;
    if (plan->shape.descale_by_z)
        sample_descale(env, job);
    return true;
}

static bool pack_accept(struct tsr_env *env, struct tsr_flight *flight)
{
    struct pack_job *job = (struct pack_job *)flight->job;
    uint32_t mask;
    if (flight->op == OP_PACR_SETREG)
        return tsr_pack_setreg_accept(env, flight);
    job->parts = 0;
    enum tsr_verdict choice = choose_packers(env, flight, &mask);
    if (choice == TSR_HALT || tsr_pack_operand_doubts(env, flight))
        return false;
    if (tsr_pack_resets_context(env, flight)) {
        tsr_pack_reset_context(env);
        return true;
    }
    sample_modes(env, flight, job);
    for (int packer = 0; packer < TSR_PACKERS; packer++)
        if ((mask >> packer & 1) && !add_part(env, flight, job, packer, choice == TSR_GO_TAINTED))
            return false;
    if (job->parts > 1 && tsr_pack_parts_differ(env, flight, job))
        return false;
    if (!tsr_pack_address(env, flight, job))
        return false;
    note_sections(env, job);
    tsr_pack_sample_sizes(env, flight, job);
    return true;
}

static tsr_reason pack_execute(struct tsr_env *env, struct tsr_flight *flight)
{
    const struct pack_job *job = (const struct pack_job *)flight->job;
    if (flight->op == OP_PACR_SETREG)
        return tsr_pack_setreg_execute(env, flight);
    for (unsigned p = 0; p < job->parts; p++) {
        const struct pack_part *part = &job->part[p];
        const struct tsr_packer *packer = &env->state->packers.packer[part->packer];
        uint32_t before = !env->timing || part->fresh_data ? 0 : bytes_of(packer);
        if (!tsr_pack_part(env, flight, job, part))
            break;
        if (env->timing)
            write_part(env, part, bytes_of(packer) - before);
    }
    if (env->timing)
        set_duration(env, flight);
    return TSR_REASON_NONE;
}

static void pack_complete(struct tsr_env *env, struct tsr_flight *flight)
{
    for (unsigned i = 0; env->timing && i < TSR_PACKERS; i++)
        tsr_l1_end(env, TSR_L1_PACKER0 + i);
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
