// SPDX-License-Identifier: Apache-2.0
// The execution of PACR: packer by packer, its streams get their addresses, its datums take the
// fast path (pack_rows.c) or the general path (pack_datums.c), and Last or Flush ends the streams;
// that the next tile gets new addresses was decided at acceptance (pack_address.c). When a PACR
// with Last completes, the sizes of its tile are left for SETDMAREG and TDMA-RISC; a size counts
// the lines of 16 bytes that went to L1 (docs/errata.md 258).
// Pages: PACR.md of each chip, Packers/README.md, Packers/OutputAddressGenerator.md, TDMA-RISC.md.
#include "pack/pack_execute.h"

#include "pack/pack_assembly.h"
#include "pack/pack_compress.h"
#include "pack/pack_datums.h"
#include "pack/pack_plan.h"
#include "pack/pack_rows.h"
#include "pack/pack_source.h"
#include "pack/pack_time.h"
#include "state/l1_traffic.h"
#include "state/races.h"
#include "state/report.h"

// ---------------------------------------------------------------- one packer

void tsr_pack_begin_streams(struct tsr_packer *packer, const struct tsr_pack_part *part)
{
    if (part->new_row_start_address)
        tsr_pack_begin_stream(&packer->row_starts, part->row_start_address);
    if (part->new_exponent_address)
        tsr_pack_begin_stream(&packer->exponents, part->exponent_address);
    if (part->new_data_address)
        tsr_pack_begin_data(packer, part->data_address);
}

void tsr_pack_close_streams(struct tsr_pack_sink *sink)
{
    struct tsr_packer *packer = sink->packer;
    if (packer->rows.begun)
        tsr_pack_end_rows(sink);
    if (packer->group.count)
        tsr_pack_end_group(sink);
    tsr_pack_flush_overwriting(sink, &packer->row_starts);
    tsr_pack_flush_overwriting(sink, &packer->exponents);
    tsr_pack_flush(sink, &packer->data);
}

// Whether the datums take the general path: a stage is on that kernels do not have, or a block is
// partly filled before or after them.
static bool needs_datum_path(const struct tsr_pack_sink *sink)
{
    const struct tsr_pack_part *part = sink->part;
    const struct tsr_pack_config *config = &part->config;
    bool counts = sink->job->histogram && part->source == TSR_PACK_FROM_DST &&
                  !tsr_pack_bound_is_exponent(&config->bound, &config->mode);
    return config->only_by_datums || counts || sink->env->pack_plans->by_datums ||
           sink->job->padding != TSR_PACK_PAD_NONE || sink->packer->group.count != 0 ||
           (config->block && (unsigned)part->count * part->segments % 16 != 0);
}

bool tsr_pack_execute_part(struct tsr_env *env, const struct tsr_inflight *inst,
                           const struct tsr_pack_job *job, const struct tsr_pack_part *part)
{
    struct tsr_pack_kernels found_again;
    const struct tsr_pack_kernels *kernels = tsr_pack_kernels_of(env, job, part, &found_again);
    struct tsr_packer *packer = &env->state->packers.packer[part->packer];
    tsr_pack_begin_streams(packer, part);
    bool done = tsr_pack_move_at_once(env, job, part, kernels, packer);
    if (done && !job->closes)
        return true;
    struct tsr_pack_sink sink = {.env = env,
                                 .inst = inst,
                                 .job = job,
                                 .part = part,
                                 .packer = packer,
                                 .accumulate = kernels->accumulate,
                                 .format = part->config.mode.out_format,
                                 .datum_bytes = (uint8_t)(part->config.out_bits / 8)};
    if (!done && part->count && needs_datum_path(&sink)) {
        if (!tsr_pack_move_datums(&sink))
            return false;
    } else if (!done && part->count) {
        if (!tsr_pack_move_rows(&sink, kernels))
            return false;
        packer->beyond_sixteen =
            (uint8_t)((packer->beyond_sixteen + part->count * part->segments) % 16);
    }
    if (job->closes)
        tsr_pack_close_streams(&sink);
    return !env->findings->stopped;
}

// ---------------------------------------------------------------- time

static uint32_t bytes_of(const struct tsr_packer *packer)
{
    return (uint32_t)packer->data.lines * TSR_PACK_LINE + packer->data.filled;
}

// That it has sent or holds since then: a tile without end wraps its 16 bits of lines.
static uint32_t bytes_since(const struct tsr_packer *packer, uint32_t before)
{
    enum { WRAP = (UINT16_MAX + 1) * TSR_PACK_LINE };
    return (bytes_of(packer) - before) % WRAP;
}

// Those that bring datums. Blackhole's ZeroWrite without a selection has all four.
static unsigned interfaces_of(const struct tsr_pack_part *part)
{
    return part->whole_rows ? TSR_PACK_SEGMENTS : part->segments;
}

// With timing on: bytes of data that the part moves on, a line that a flush pads included. A sum
// holds its bank of L1, and lines side by side have banks of their own (docs/errata.md 320). False:
// there are none.
static bool occupy_l1(struct tsr_env *env, const struct tsr_pack_part *part, uint32_t bytes)
{
    const uint16_t *rate = env->isa->rate;
    uint16_t alone = (uint16_t)(rate[RATE_PACK_BYTES] * interfaces_of(part));
    if (part->config.accumulate) {
        alone = (uint16_t)(alone / rate[RATE_PACK_ACCUMULATE_CYCLES]);
        bytes = (bytes + TSR_PACK_LINE - 1u) / TSR_PACK_LINE * TSR_PACK_LINE;
    }
    if (bytes > 0)
        tsr_l1_begin_quietly(env, TSR_L1_PACKER0 + part->packer, env->state->now, bytes, alone);
    return bytes > 0;
}

// ---------------------------------------------------------------- all packers

// For those who look for races.
static void tell_rows(const struct tsr_env *env, const struct tsr_pack_job *job,
                      const struct tsr_pack_part *part)
{
    struct tsr_pack_cursor cursor;
    struct tsr_pack_run run;
    if (part->source == TSR_PACK_FROM_L1)
        tsr_race_l1(env, false, part->l1_source,
                    (size_t)part->count * part->segments * part->config.input_bytes);
    if (part->source != TSR_PACK_FROM_DST || part->empty || part->count == 0)
        return;
    tsr_pack_begin_runs(env, part, &cursor);
    while (tsr_pack_next_run(&cursor, TSR_COLUMNS, &run))
        tsr_race_dst_rows(env, false, job->dst_order, run.start >> 4, 1,
                          part->config.mode.read_32b);
}

void tsr_pack_execute(struct tsr_env *env, struct tsr_inflight *inst)
{
    const struct tsr_pack_job *job = tsr_pack_job_of(inst);
    const struct tsr_pack_part *const end = job->part + job->parts;
    bool begun = false;
    for (const struct tsr_pack_part *part = job->part; part < end; part++) {
        const struct tsr_packer *packer = &env->state->packers.packer[part->packer];
        uint32_t before = !env->timing || part->new_data_address ? 0 : bytes_of(packer);
        if (env->races)
            tell_rows(env, job, part);
        if (!tsr_pack_execute_part(env, inst, job, part))
            break;
        if (env->timing)
            begun |= occupy_l1(env, part, bytes_since(packer, before));
    }
    if (!env->timing)
        return;
    if (begun)
        tsr_l1_packers_began(env);
    // Until the last packer has written, alone or beside others at L1's ports.
    tsr_pack_take_time(env, job->part, job->parts, inst);
}

// ---------------------------------------------------------------- sizes

void tsr_pack_ask_sizes(struct tsr_pack_job *job, const struct tsr_pack_part *part,
                        const struct tsr_pack_inputs *inputs)
{
    job->headers |= (uint8_t)(inputs->tile_header << part->packer);
    job->metadata |= (uint8_t)(inputs->out_fifo << part->packer);
}

void tsr_pack_note_sizes(struct tsr_env *env, const struct tsr_pack_job *job, uint8_t thread)
{
    for (unsigned p = 0; job->last && p < job->parts; p++) {
        const struct tsr_pack_part *part = &job->part[p];
        struct tsr_packer *packer = &env->state->packers.packer[part->packer];
        unsigned bit = 1u << part->packer;
        unsigned lines = packer->data.lines;
        if (part->config.block)
            lines += packer->exponents.lines;
        if (part->config.compress)
            lines += packer->row_starts.lines;
        packer->last_tile_size = (uint16_t)lines;
        packer->last_thread = thread;
        packer->acc_tile_size[thread] =
            (uint16_t)(packer->acc_tile_size[thread] + packer->last_tile_size +
                       ((job->headers & bit) != 0));
        if (!(job->metadata & bit) || packer->metadata_count >= DEPTH_TDMA_METADATA)
            continue; // a full FIFO takes nothing
        unsigned at = (packer->metadata_first + packer->metadata_count) % TSR_METADATA_MAX;
        packer->metadata[at] =
            (struct tsr_tile_metadata){packer->last_tile_size, packer->all_zero_flags};
        packer->metadata_count++;
    }
}

_Static_assert((int)DEPTH_TDMA_METADATA <= (int)TSR_METADATA_MAX, "a FIFO has room for its depth");
