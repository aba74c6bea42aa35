// SPDX-License-Identifier: Apache-2.0
// How the words of a block of PACRs step the counters: which rows of Dst they read, as far as these
// follow each other. Kernels move the same block from tile to tile, by W or by the Dst offset.
// Pages: PACR.md of each chip, Packers/InputAddressGenerator.md.
#include "pack/pack_walk.h"

#include "isa/unit_fields.h"
#include "pack/pack_address.h"
#include "pack/pack_execute.h"
#include "pack/pack_plan.h"
#include "pack/pack_steady.h"

// How many datums a word reads; 0 if they are not whole rows, or with several packers not the rows
// of all interfaces.
static uint16_t datums_of(const struct tsr_env *env, const tsr_adc_channel adc[2])
{
    uint32_t count = adc[1].x - adc[0].x + 1;
    if (env->chip->pack_interfaces > 1)
        return adc[0].x == 0 && count == 16 ? 16 * TSR_PACK_SEGMENTS : 0;
    return count <= TSR_DST_ROWS * 16 && count % 16 == 0 ? (uint16_t)count : 0;
}

// Steps the counters word by word, as far as the input addresses follow each other.
static unsigned step_words(const struct tsr_env *env, const struct tsr_pack_block *block,
                           unsigned datums, tsr_adc_channel adc[2])
{
    const struct tsr_pack_plan *plan = block->plan[0];
    uint32_t next = tsr_pack_input_address(plan->inputs, &plan->strides, &adc[0]);
    unsigned n = 0;
    for (; n < block->count; n++, next += datums * plan->config.input_bytes) {
        if (tsr_pack_input_address(plan->inputs, &plan->strides, &adc[0]) != next)
            break;
        tsr_pack_step_channels(env, block->section[block->address_mode[n]], adc);
    }
    return n;
}

// Finds the rows that a part reads in all words together. False: they are not whole, contiguous
// rows of Dst.
static bool find_rows(const struct tsr_env *env, unsigned dst_order,
                      const struct tsr_pack_plan *plan, const tsr_adc_channel *adc, unsigned datums,
                      struct tsr_pack_part *part)
{
    const struct tsr_pack_config *config = &part->config;
    bool wide = config->mode.read_32b;
    unsigned start = tsr_pack_input_start(plan->inputs, config->input_bytes, &plan->strides, adc);
    unsigned aligned = env->chip->pack_interfaces > 1 ? 16 * TSR_PACK_SEGMENTS : 16;
    unsigned rows = wide ? TSR_DST_ROWS / 2 : TSR_DST_ROWS;
    part->start[0] = (uint16_t)start;
    part->count = (uint16_t)datums;
    part->segments = 1;
    part->contiguous_rows = true;
    return start % aligned == 0 && start + datums <= rows * 16 &&
           (wide || !tsr_dst_folds(dst_order, wide));
}

// Whether a kernel can take the rows of all parts at once. (Packers that convert differently have
// no template: they are reported.)
static bool is_joined(const struct tsr_pack_block *block)
{
    const struct tsr_pack_job *job = &block->job;
    const struct tsr_pack_part *first = &job->part[0];
    bool joined = first->conversion_only;
    for (unsigned p = 1; p < job->parts; p++)
        joined &= job->part[p].tainted == first->tainted &&
                  job->part[p].start[0] == first->start[0] + p * first->count;
    return joined;
}

// Whether the words step the counters as in the walk that is known: from counters that differ from
// its first ones in W alone, by which kernels choose a tile of Dst, and with another Dst offset.
// They do not step W, and all addresses move by the same.
static bool walks_alike(const struct tsr_pack_block *block, const tsr_adc_channel adc[2])
{
    const struct tsr_pack_walk *walk = &block->walk;
    return walk->known && walk->words == block->count &&
           tsr_pack_same_but_w(&walk->from[0], &adc[0]) &&
           tsr_pack_same_but_w(&walk->from[1], &adc[1]);
}

// The walk's counters, from another W.
static void move_walk(struct tsr_pack_walk *walk, const tsr_adc_channel adc[2])
{
    for (int channel = 0; channel < 2; channel++) {
        walk->from[channel].w = walk->to[channel].w = adc[channel].w;
        walk->from[channel].w_cr = walk->to[channel].w_cr = adc[channel].w_cr;
    }
}

// Whether Dst's offsets of all parts differ as their rows have to.
static bool offsets_follow(const struct tsr_pack_block *block)
{
    const struct tsr_pack_output *output = block->output;
    unsigned rows = block->job.part[0].count / 16u, differs = 0;
    for (unsigned p = 1; p < block->job.parts; p++)
        differs |= output[p].inputs->rows ^ (output[0].inputs->rows + p * rows);
    return differs == 0;
}

// Moves a steady walk to other rows of Dst, and tells the first part. False: they are not all in
// Dst, they begin within a row, or the rows of the other parts do not follow.
static inline bool move_steady(struct tsr_pack_block *block, const tsr_adc_channel adc[2])
{
    const struct tsr_pack_plan *plan = block->plan[0];
    struct tsr_pack_part *part = block->job.part;
    unsigned start =
        tsr_pack_input_start(plan->inputs, plan->config.input_bytes, &plan->strides, &adc[0]);
    if (start % (16 * TSR_PACK_SEGMENTS) != 0 ||
        start + block->job.parts * part->count > TSR_DST_ROWS * 16 ||
        (!block->walk.placed && !offsets_follow(block)))
        return false;
    part->start[0] = (uint16_t)start;
    block->walk.placed = true;
    move_walk(&block->walk, adc);
    return true;
}

void tsr_pack_move_parts(struct tsr_pack_block *block)
{
    struct tsr_pack_part *part = block->job.part;
    for (unsigned p = 1; block->walk.steady && p < block->job.parts; p++)
        part[p].start[0] = (uint16_t)(part->start[0] + p * part->count);
}

static void make_walk(const struct tsr_env *env, struct tsr_pack_block *block, uint8_t dst_order,
                      const tsr_adc_channel adc[2])
{
    struct tsr_pack_walk *walk = &block->walk;
    struct tsr_pack_job *job = &block->job;
    unsigned datums = datums_of(env, adc);
    bool alike = walks_alike(block, adc);
    if (alike)
        move_walk(walk, adc);
    walk->known = walk->placed = true;
    memcpy(walk->from, adc, sizeof walk->from);
    walk->dst_order = job->dst_order = dst_order;
    if (!alike) {
        memcpy(walk->to, adc, sizeof walk->to);
        walk->words = (uint8_t)(datums > 0 ? step_words(env, block, datums, walk->to) : 0);
    }
    for (unsigned p = 0; p < job->parts; p++) {
        block->move[p].known &= alike;
        if (!find_rows(env, dst_order, block->plan[p], &adc[0], walk->words * datums,
                       &job->part[p]))
            walk->words = 0;
    }
    walk->joined = is_joined(block);
    job->closes = job->last = block->closes && walk->words == block->count;
    job->headers = job->metadata = 0;
    for (unsigned p = 0; p < job->parts; p++)
        tsr_pack_ask_sizes(job, &job->part[p], block->plan[p]->inputs);
    walk->steady = walk->words > 0 && walk->joined && tsr_pack_is_steady(env, block);
    walk->whole = walk->steady && job->last;
}

void tsr_pack_walk_otherwise(const struct tsr_env *env, struct tsr_pack_block *block, bool alike,
                             uint8_t dst_order, const tsr_adc_channel adc[2])
{
    if (!alike || !block->walk.steady || !move_steady(block, adc))
        make_walk(env, block, dst_order, adc);
}
