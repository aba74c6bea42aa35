// SPDX-License-Identifier: Apache-2.0
// Blocks: with timing off, PACRs that follow each other execute as one, as if it were one PACR of
// all their rows. Words may differ in AddrMode, and the last may have Last. Blackhole's packer
// takes sixteen for a tile; with several packers, whose outputs may overlap, a block has one word.
// All that could be reported, or needs datums one by one, is looked at before anything changes, and
// makes the words execute singly.
// Pages: PACR.md of each chip, Packers/InputAddressGenerator.md, Packers/OutputAddressGenerator.md.
#include "pack/pack_block.h"

#include "isa/unit_fields.h"
#include "pack/pack_address.h"
#include "pack/pack_execute.h"
#include "pack/pack_plan.h"
#include "pack/pack_rows.h"
#include "state/dst_rules.h"

#include <string.h>

// ---------------------------------------------------------------- words

static uint32_t operand_bits(const struct tsr_env *env, enum tsr_operand_id id)
{
    struct tsr_operand_place place = env->isa->operand[OP_PACR][id];
    return tsr_mask32(place.width) << place.first_bit;
}

// How many of the words belong together: up to one with Last.
static unsigned words_alike(const struct tsr_env *env, const uint32_t *words, unsigned count)
{
    uint32_t last = operand_bits(env, OPERAND_Last);
    uint32_t same = ~(last | operand_bits(env, OPERAND_AddrMode));
    unsigned n = 1;
    while (n < count && !(words[n - 1] & last) && ((words[n] ^ words[0]) & same) == 0)
        n++;
    return n;
}

// Nothing but what can execute as one row after another: rows of Dst, no mask, no state that goes
// from datum to datum.
static bool part_as_one(const struct tsr_env *env, const struct tsr_pack_part *part)
{
    const struct tsr_pack_config *config = &part->config;
    bool interfaces = env->chip->pack_interfaces > 1;
    return part->source == TSR_PACK_FROM_DST && !part->tainted && !part->empty &&
           !config->only_by_datums && !config->edges.masked && !config->sets_last_mask &&
           (!interfaces || part->all_interfaces);
}

static bool template_as_one(const struct tsr_env *env, const struct tsr_pack_template *template)
{
    const struct tsr_pack_job *job = &template->job;
    bool as_one =
        job->parts > 0 && job->padding == TSR_PACK_PAD_NONE && !template->operands.tracks_context;
    for (unsigned p = 0; p < job->parts; p++)
        as_one &= part_as_one(env, &job->part[p]) && job->part[p].counters == job->part[0].counters;
    return as_one;
}

// ---------------------------------------------------------------- what is kept

// All that is read beside the plans.
static void read_inputs(const struct tsr_env *env, struct tsr_pack_block *block)
{
    const uint16_t *section = tsr_pack_address_modes(env, block->thread);
    const struct tsr_pack_job *job = &block->job;
    for (unsigned p = 0; p < job->parts; p++)
        tsr_pack_inputs_update(env, job->state_id, job->part[p].config_of, &block->plan[p]->inputs);
    block->histogram = tsr_pack_counts_exponents(env);
    if (memcmp(block->section, section, sizeof block->section) != 0)
        block->walk.known = false;
    memcpy(block->section, section, sizeof block->section);
}

// From the template of the first word, which a single PACR has made. NULL: it has not, or something
// has changed since.
static struct tsr_pack_block *make_block(const struct tsr_env *env, int thread,
                                         const uint32_t *words, unsigned count)
{
    struct tsr_pack_plans *plans = env->pack_plans;
    const struct tsr_config *config = &env->state->config;
    const struct tsr_pack_template *template = tsr_pack_template_at(env, words[0]);
    struct tsr_plan_groups groups = tsr_pack_plan_groups(tsr_state_id(env, thread), thread);
    if (template->operands.word != words[0] || template->thread != thread ||
        !tsr_plan_key_holds(&template->key, config, groups))
        return NULL;
    unsigned most = template->job.parts == 1 ? TSR_PACK_BLOCK_WORDS : 1;
    unsigned n = words_alike(env, words, count < most ? count : most);

    plans->newest = (uint8_t)((plans->newest + 1) % TSR_PACK_BLOCKS);
    struct tsr_pack_block *block = &plans->block[plans->newest];
    memcpy(block->word, words, n * sizeof *words);
    for (unsigned i = 0; i < n; i++)
        block->address_mode[i] =
            (uint8_t)tsr_operand(env->isa, OP_PACR, words[i], OPERAND_AddrMode);
    block->count = (uint8_t)n;
    block->thread = (uint8_t)thread;
    block->ends = n == most || n < count;
    block->closes = tsr_operand(env->isa, OP_PACR, words[n - 1], OPERAND_Last) != 0;
    block->as_one = template_as_one(env, template);
    block->job = template->job;
    block->counters = template->job.part[0].counters;
    memcpy(block->plan, template->plan, sizeof block->plan);
    block->walk.known = false;
    tsr_plan_key_set(&block->key, config, groups);
    read_inputs(env, block);
    return block;
}

// Whether it is for these words and no shorter than it might be.
static bool is_block_of(const struct tsr_pack_block *block, int thread, const uint32_t *words,
                        unsigned count)
{
    return block->word[0] == words[0] && block->thread == thread && block->count > 0 &&
           block->count <= count && (block->ends || block->closes || block->count == count) &&
           memcmp(block->word, words, block->count * sizeof *words) == 0;
}

static struct tsr_pack_block *find_block(const struct tsr_env *env, int thread,
                                         const uint32_t *words, unsigned count)
{
    struct tsr_pack_plans *plans = env->pack_plans;
    for (unsigned i = 0; i < TSR_PACK_BLOCKS; i++) {
        unsigned at = (plans->newest + i) % TSR_PACK_BLOCKS;
        if (!is_block_of(&plans->block[at], thread, words, count))
            continue;
        plans->newest = (uint8_t)at;
        return &plans->block[at];
    }
    return NULL;
}

// Up to date. NULL: the next word has to execute singly first.
static struct tsr_pack_block *block_for(const struct tsr_env *env, int thread,
                                        const uint32_t *words, unsigned count)
{
    const struct tsr_config *config = &env->state->config;
    struct tsr_pack_block *block = find_block(env, thread, words, count);
    if (!block)
        return make_block(env, thread, words, count);
    if (tsr_plan_key_unchanged(&block->key, config))
        return block;
    if (!tsr_plan_key_holds(&block->key, config,
                            tsr_pack_plan_groups(tsr_state_id(env, thread), thread))) {
        block->count = 0;
        return make_block(env, thread, words, count);
    }
    read_inputs(env, block);
    block->key.changes = config->changes;
    return block;
}

// ---------------------------------------------------------------- counters

static uint16_t datums_of(const struct tsr_env *env, const tsr_adc_channel adc[2])
{
    uint32_t count = adc[1].x - adc[0].x + 1;
    if (env->chip->pack_interfaces > 1)
        return adc[0].x == 0 && count == 16 ? 16 * TSR_PACK_SEGMENTS : 0;
    return adc[1].x >= adc[0].x && count <= TSR_DST_ROWS * 16 && count % 16 == 0 ? (uint16_t)count
                                                                                 : 0;
}

// Steps the counters word by word, as far as the input addresses follow each other.
static void make_walk(const struct tsr_env *env, struct tsr_pack_block *block,
                      const tsr_adc_channel adc[2])
{
    struct tsr_pack_walk *walk = &block->walk;
    const struct tsr_pack_plan *plan = block->plan[0];
    walk->known = true;
    walk->datums = datums_of(env, adc);
    memcpy(walk->from, adc, sizeof walk->from);
    memcpy(walk->to, adc, sizeof walk->to);
    uint32_t step = (uint32_t)walk->datums * plan->config.input_bytes;
    uint32_t next = tsr_pack_input_address(&plan->inputs, &plan->strides, &adc[0]);
    unsigned n = 0;
    for (; n < block->count && walk->datums > 0; n++, next += step) {
        if (tsr_pack_input_address(&plan->inputs, &plan->strides, &walk->to[0]) != next)
            break;
        tsr_pack_step_channels(env, block->section[block->address_mode[n]], walk->to);
    }
    walk->words = (uint8_t)n;
}

static const struct tsr_pack_walk *
walk_from(const struct tsr_env *env, struct tsr_pack_block *block, const tsr_adc_channel adc[2])
{
    tsr_adc_channel from[2] = {adc[0], adc[1]};
    from[0].w = from[1].w = 0;
    if (!block->walk.known || memcmp(block->walk.from, from, sizeof from) != 0)
        make_walk(env, block, from);
    return &block->walk;
}

// W stays, and so may have changed since the walk was made.
static void step_counters(const struct tsr_pack_walk *walk, tsr_adc_channel adc[2])
{
    for (unsigned i = 0; i < 2; i++) {
        uint32_t w = adc[i].w;
        adc[i] = walk->to[i];
        adc[i].w = w;
    }
}

// ---------------------------------------------------------------- a part

static unsigned row_bytes(const struct tsr_pack_config *config)
{
    return 2u * config->out_bits;
}

// The rows that a part of all words reads. False: it cannot have them as one.
static bool find_rows(struct tsr_env *env, const struct tsr_pack_job *job,
                      const struct tsr_pack_plan *plan, const tsr_adc_channel *adc, unsigned datums,
                      struct tsr_pack_part *part)
{
    const struct tsr_pack_config *config = &part->config;
    bool wide = config->mode.read_32b;
    unsigned start = tsr_pack_input_start(&plan->inputs, config->input_bytes, &plan->strides, adc);
    unsigned aligned = env->chip->pack_interfaces > 1 ? 16 * TSR_PACK_SEGMENTS : 16;
    unsigned rows = wide ? TSR_DST_ROWS / 2 : TSR_DST_ROWS;
    if (start % aligned != 0 || start + datums > rows * 16 ||
        (!wide && tsr_dst_folds(job->dst_order, wide)))
        return false;
    part->start[0] = (uint16_t)start;
    part->count = (uint16_t)datums;
    part->segments = 1;
    part->contiguous_rows = true;
    return tsr_pack_rows_untainted(env, job, part);
}

static bool apart(uint32_t a, size_t a_size, uint32_t b, size_t b_size)
{
    return a + a_size <= b || b + b_size <= a;
}

// Where its streams go: new lines, all of them in L1, exponents beside the data; a sum must not
// report or taint anything. False: it is not so.
static bool find_lines(struct tsr_env *env, const struct tsr_pack_plan *plan,
                       const tsr_adc_channel *adc, struct tsr_pack_part *part)
{
    const struct tsr_packer *packer = &env->state->packers.packer[part->packer];
    const struct tsr_pack_config *config = &part->config;
    const struct tsr_l1 *l1 = &env->state->l1;
    if (packer->group.count || packer->rows.begun || packer->row_starts.filled)
        return false;
    tsr_pack_find_sections(env, part, plan, adc);
    if (!part->new_data_address && packer->data.filled)
        return false;
    uint32_t data = part->new_data_address ? part->data_address : packer->data.address;
    size_t rows = part->count / 16u, size = rows * row_bytes(config);
    if (!config->block)
        size = size & ~(size_t)(TSR_PACK_LINE - 1);
    else
        size = (size + TSR_PACK_LINE - 1) & ~(size_t)(TSR_PACK_LINE - 1);
    if (!tsr_l1_holds(l1, data, size))
        return false;
    if (config->accumulate &&
        (!tsr_l1_all_written(l1, data, size) || tsr_l1_any_tainted(l1, data, size)))
        return false;
    if (!config->block)
        return part->new_exponent_address || packer->exponents.filled == 0;
    uint32_t exponents =
        part->new_exponent_address ? part->exponent_address : packer->exponents.address;
    rows += TSR_PACK_LINE + packer->exponents.filled;
    return tsr_l1_holds(l1, exponents, rows) && apart(data, size, exponents, rows);
}

// What acceptance leaves in the packer.
static void accept_part(struct tsr_env *env, const struct tsr_pack_job *job, unsigned words,
                        const struct tsr_pack_part *part)
{
    struct tsr_packer *packer = &env->state->packers.packer[part->packer];
    struct tsr_pack_position at = {packer->x, packer->y, packer->z};
    if (env->chip->pack_interfaces == 1)
        tsr_pack_step_datums(&part->config.edges, &at, part->count);
    for (unsigned i = 0; env->chip->pack_interfaces > 1 && i < words; i++)
        tsr_pack_step_interfaces(&part->config.edges, &at, TSR_PACK_SEGMENTS);
    packer->x = (uint16_t)at.x;
    packer->y = (uint16_t)at.y;
    packer->z = (uint16_t)at.z;
    tsr_pack_keep_addresses(job, part, packer);
}

// Stages that are on beside conversion take the path of a single PACR.
static void execute_part(struct tsr_env *env, const struct tsr_pack_block *block,
                         const struct tsr_pack_plan *plan, const struct tsr_pack_part *part)
{
    struct tsr_packer *packer = &env->state->packers.packer[part->packer];
    if (part->conversion_only) {
        tsr_pack_begin_streams(packer, part);
        tsr_pack_convert_rows(env, &block->job, part, &plan->kernels, packer);
        return;
    }
    struct tsr_inflight inst;
    tsr_inflight_begin(&inst, block->word[0], OP_PACR, block->thread, TSR_UNIT_PACKER);
    tsr_pack_execute_part(env, &inst, &block->job, part);
}

// ---------------------------------------------------------------- all of it

static void run_parts(struct tsr_env *env, struct tsr_pack_block *block, unsigned words)
{
    struct tsr_pack_job *job = &block->job;
    for (unsigned p = 0; p < job->parts; p++)
        accept_part(env, job, words, &job->part[p]);
    for (unsigned p = 0; p < job->parts; p++)
        execute_part(env, block, block->plan[p], &job->part[p]);
    if (!job->last)
        return;
    job->headers = job->metadata = 0;
    for (unsigned p = 0; p < job->parts; p++)
        tsr_pack_ask_sizes(job, &job->part[p], &block->plan[p]->inputs);
    tsr_pack_note_sizes(env, job, block->thread);
}

unsigned tsr_pack_run_block(struct tsr_env *env, int thread, const uint32_t *words, unsigned count)
{
    if (tsr_op_of(env->isa, words[0]) != OP_PACR)
        return 0;
    struct tsr_pack_block *block = block_for(env, thread, words, count);
    if (!block || !block->as_one || block->histogram)
        return 0;
    struct tsr_pack_job *job = &block->job;
    tsr_adc_channel *adc = env->state->adcs.channel[block->counters][TSR_ADC_PACKERS];
    const struct tsr_pack_walk *walk = walk_from(env, block, adc);
    job->dst_order = tsr_dst_order(env);
    job->closes = job->last = block->closes && walk->words == block->count;
    unsigned datums = (unsigned)walk->words * walk->datums;
    if (datums == 0)
        return 0;
    for (unsigned p = 0; p < job->parts; p++)
        if (!find_rows(env, job, block->plan[p], &adc[0], datums, &job->part[p]) ||
            !find_lines(env, block->plan[p], &adc[1], &job->part[p]))
            return 0;
    run_parts(env, block, walk->words);
    step_counters(walk, adc);
    env->plans_reused += (uint64_t)job->parts * walk->words;
    env->pack_plans->blocks_run++;
    return walk->words;
}
