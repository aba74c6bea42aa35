// SPDX-License-Identifier: Apache-2.0
// Blocks: with timing off, PACRs that follow each other execute as one, as if it were one PACR of
// all their rows. Words may differ in AddrMode, and the last may have Last. Blackhole's packer
// takes sixteen for a tile; with several packers, whose outputs may overlap, a block has one word.
// All that could be reported, or needs datums one by one, is looked at before anything changes, and
// makes the words execute singly.
// Pages: PACR.md of each chip, Packers/InputAddressGenerator.md, Packers/OutputAddressGenerator.md.
#include "pack/pack_block.h"

#include "base/bits.h"
#include "isa/unit_fields.h"
#include "pack/pack_address.h"
#include "pack/pack_execute.h"
#include "pack/pack_flush.h"
#include "pack/pack_plan.h"
#include "pack/pack_ready.h"
#include "pack/pack_rows.h"
#include "pack/pack_steady.h"
#include "pack/pack_time.h"
#include "pack/pack_walk.h"
#include "state/dst_rules.h"
#include "state/l1_traffic.h"

#include <string.h>

// ---------------------------------------------------------------- words

static uint32_t operand_bits(const struct tsr_env *env, enum tsr_operand_id id)
{
    struct tsr_operand_place place = env->isa->operand[OP_PACR][id];
    return tsr_mask32(place.width) << place.first_bit;
}

// How many words a block can have that begins with this one: several packers take one.
static unsigned most_alike(const struct tsr_env *env, uint32_t word)
{
    return tsr_pack_template_at(env, word)->job.parts == 1 ? TSR_PACK_BLOCK_WORDS : 1;
}

// How many of the first words are one block: alike but for AddrMode, up to one with Last. `count`
// is no more than most_alike().
static unsigned words_alike(const struct tsr_env *env, const uint32_t *words, unsigned count)
{
    uint32_t last = operand_bits(env, OPERAND_Last);
    uint32_t same = ~(last | operand_bits(env, OPERAND_AddrMode));
    const uint32_t first = words[0];
    uint32_t word = first;
    unsigned n = 0;
    while (((word ^ first) & same) == 0) {
        const uint32_t repeated = word;
        const unsigned most_of_it = word & last ? n + 1 : count;
        do { // kernels repeat words
            if (++n == most_of_it)
                return n;
            word = words[n];
        } while (word == repeated);
    }
    return n;
}

// ---------------------------------------------------------------- what is kept

// What a walk depends on beside the plans: here the AddrMod sections, which are in a plan group,
// and below inputs. Where they have changed the walk is no longer known.
static void look_at_sections(const struct tsr_env *env, struct tsr_pack_block *block)
{
    const uint16_t *section = tsr_pack_address_modes(env, block->thread);
    block->walk.known &= memcmp(block->section, section, sizeof block->section) == 0;
    memcpy(block->section, section, sizeof block->section);
}

static inline void look_at_inputs(const struct tsr_env *env, struct tsr_pack_block *block)
{
    const struct tsr_pack_bank_inputs *inputs = &env->pack_plans->inputs[block->job.state_id];
    block->walk.placed &= block->moves == inputs->moves;
    block->walk.known &= block->serial == inputs->serial;
    block->moves = inputs->moves;
    block->serial = inputs->serial;
}

// Whether each part writes its data alone, and conversion is the only stage.
static bool all_data_only(const struct tsr_pack_job *job)
{
    bool alone = true;
    for (unsigned p = 0; p < job->parts; p++) {
        const struct tsr_pack_config *config = &job->part[p].config;
        alone &= job->part[p].conversion_only && !config->has_exponent_section;
    }
    return alone;
}

// Makes the block of all `n` words from the template of the first one. NULL: no single PACR has
// made that template yet, or what it was made from has changed since.
static __attribute__((noinline)) struct tsr_pack_block *
make_block(const struct tsr_env *env, int thread, const uint32_t *words, unsigned n,
           struct tsr_pack_block *block)
{
    const struct tsr_config *config = &env->state->config;
    const struct tsr_pack_template *template = tsr_pack_template_at(env, words[0]);
    struct tsr_plan_groups groups = tsr_pack_plan_groups(tsr_state_id(env, thread), thread);
    if (template->thread != thread || !tsr_plan_key_holds(&template->key, config, groups))
        return NULL;
    memcpy(block->word, words, n * sizeof *words);
    for (unsigned i = 0; i < n; i++)
        block->address_mode[i] =
            (uint8_t)tsr_operand(env->isa, OP_PACR, words[i], OPERAND_AddrMode);
    block->count = (uint8_t)n;
    block->thread = (uint8_t)thread;
    block->closes = tsr_operand(env->isa, OP_PACR, words[n - 1], OPERAND_Last) != 0;
    block->job = template->job;
    block->counters = template->job.part[0].counters;
    memcpy(block->plan, template->plan, sizeof block->plan);
    block->data_only = all_data_only(&block->job);
    block->packers = template->packers;
    block->walk.known = false;
    memcpy(block->output, template->output, sizeof block->output);
    tsr_plan_key_set(&block->key, config, groups);
    tsr_pack_inputs_update(env, groups.state_id, &env->pack_plans->inputs[groups.state_id]);
    look_at_sections(env, block);
    look_at_inputs(env, block);
    return block;
}

static bool is_block_of(const struct tsr_pack_block *block, int thread, const uint32_t *words,
                        unsigned n)
{
    return block->count == n && block->thread == thread &&
           memcmp(block->word, words, n * sizeof *words) == 0;
}

// A FIFO may cut a tile's words at any place, so those of each number have a place of their own.
static struct tsr_pack_block *place_of(const struct tsr_env *env, int thread, const uint32_t *words,
                                       unsigned n)
{
    uint32_t hash = words[0] * 0x9e3779b1u + words[n - 1] * 0x85ebca6bu +
                    (n << 2 | (unsigned)thread) * 0xc2b2ae35u;
    return &env->pack_plans->block[hash >> 25];
}
_Static_assert(TSR_PACK_BLOCKS == 1 << (32 - 25), "a place for each hash");

// The block that ran last, if it would not be longer now – it ends with Last, or several packers
// take one word – and the next words are its. NULL: it would, or they are not.
static inline struct tsr_pack_block *latest_block(const struct tsr_env *env, const uint32_t *words,
                                                  unsigned count)
{
    struct tsr_pack_block *block = env->pack_plans->latest;
    if (block->word[0] != words[0] || block->count == 0 || block->count > count ||
        !(block->closes || block->job.parts > 1) ||
        (block->count > 1 && memcmp(block->word, words, block->count * sizeof *words) != 0))
        return NULL;
    return block;
}

unsigned tsr_pack_kept_block(struct tsr_env *env, const uint32_t *words, unsigned count)
{
    const struct tsr_pack_block *block = latest_block(env, words, count);
    return block ? block->count : 0;
}

// The block of the next words, kept or made now. NULL: the next one has to execute singly first.
static __attribute__((noinline)) struct tsr_pack_block *
find_block(const struct tsr_env *env, int thread, const uint32_t *words, unsigned count)
{
    const unsigned most = most_alike(env, words[0]);
    unsigned n = count < most ? count : most; // a block of as many cannot be longer
    struct tsr_pack_block *block = place_of(env, thread, words, n);
    if (is_block_of(block, thread, words, n))
        return block;
    n = words_alike(env, words, n);
    block = place_of(env, thread, words, n);
    return is_block_of(block, thread, words, n) ? block : make_block(env, thread, words, n, block);
}

// The block of the next words, with what it depends on looked at again. NULL: the next one has to
// execute singly first.
TSR_INLINE struct tsr_pack_block *block_for(const struct tsr_env *env, int thread,
                                            const uint32_t *words, unsigned count)
{
    const struct tsr_config *config = &env->state->config;
    struct tsr_pack_block *block = latest_block(env, words, count);
    if (!block || block->thread != thread)
        block = find_block(env, thread, words, count);
    if (!block || tsr_plan_key_unchanged(&block->key, config))
        return block;
    const uint64_t stale = block->key.stale;
    if (!tsr_pack_key_stands(env, thread, &block->key)) {
        unsigned n = block->count;
        block->count = 0;
        return make_block(env, thread, words, n, block);
    }
    if (stale != config->stale)
        look_at_sections(env, block);
    look_at_inputs(env, block);
    return block;
}

// ---------------------------------------------------------------- a part

// Finds where the part's streams go. False: L1 has no room there, or what is accumulated on is
// tainted or not all written.
static bool find_lines(const struct tsr_env *env, const struct tsr_pack_plan *plan,
                       const tsr_adc_channel *adc, struct tsr_pack_part *part)
{
    const struct tsr_packer *packer = &env->state->packers.packer[part->packer];
    const struct tsr_pack_config *config = &part->config;
    const struct tsr_l1 *l1 = &env->state->l1;
    tsr_pack_find_sections(env, part, plan, adc);
    if (!part->new_data_address)
        part->data_address = packer->data.address;
    uint32_t data = part->data_address;
    uint32_t exponents =
        part->new_exponent_address ? part->exponent_address : packer->exponents.address;
    size_t size = part->count * (size_t)config->out_bits / 8;
    return tsr_l1_holds(l1, data, size) &&
           (!config->block || tsr_l1_holds(l1, exponents, part->count / 16u + 16u)) &&
           (!config->accumulate ||
            (tsr_l1_all_written(l1, data, size) && !tsr_l1_any_tainted(l1, data, size)));
}

// As find_lines(), of a part that writes data alone and overwrites what is there. `offset`: of all
// packers' output addresses.
static inline bool find_data(const struct tsr_env *env, const struct tsr_pack_output *output,
                             uint32_t offset, struct tsr_pack_part *part)
{
    const struct tsr_packer *packer = env->state->packers.packer;
    const struct tsr_pack_stream *data = &packer[part->packer].data;
    part->new_row_start_address = part->new_exponent_address = false;
    part->new_data_address = !data->has_address;
    part->data_address =
        data->has_address ? data->address : tsr_pack_data_address(packer, output, offset);
    return tsr_l1_holds(&env->state->l1, part->data_address, tsr_pack_part_bytes(part));
}

static bool find_all_lines(const struct tsr_env *env, struct tsr_pack_block *block,
                           const tsr_adc_channel *adc)
{
    struct tsr_pack_job *job = &block->job;
    uint32_t sum = tsr_pack_output_sum(block->plan[0], adc);
    uint32_t offset = tsr_pack_output_offset(env, sum);
    if (!tsr_pack_is_aligned(sum))
        return false;
    for (unsigned p = 0; p < job->parts; p++)
        if (!tsr_pack_holds_nothing(&env->state->packers.packer[job->part[p].packer]) ||
            !(block->data_only ? find_data(env, &block->output[p], offset, &job->part[p])
                               : find_lines(env, block->plan[p], adc, &job->part[p])))
            return false;
    return true;
}

// What the accept stage would leave in the part's packer.
static void accept_part(struct tsr_env *env, struct tsr_pack_block *block, unsigned p)
{
    const struct tsr_pack_part *part = &block->job.part[p];
    tsr_pack_step_part(env, block, p);
    tsr_pack_keep_addresses(&block->job, part, &env->state->packers.packer[part->packer]);
}

// A part with other stages than conversion takes the path of a single PACR.
static void execute_part(struct tsr_env *env, const struct tsr_pack_block *block, unsigned p)
{
    const struct tsr_pack_job *job = &block->job;
    const struct tsr_pack_part *part = &job->part[p];
    struct tsr_packer *packer = &env->state->packers.packer[part->packer];
    unsigned rows = part->count / 16u;
    if (part->conversion_only) {
        tsr_pack_begin_streams(packer, part);
        tsr_pack_note_rows(env, job, part, &block->plan[p]->kernels, rows);
        tsr_pack_convert_rows(env, job, part, &block->plan[p]->kernels, rows, part->data_address);
        tsr_pack_skip_lines(&packer->data, tsr_pack_row_bytes(&part->config) * (size_t)rows);
        return;
    }
    struct tsr_inflight inst;
    tsr_inflight_begin(&inst, block->word[0], OP_PACR, block->thread, TSR_UNIT_PACKER);
    tsr_pack_execute_part(env, &inst, job, part);
}

// The bytes of each part, if those of all parts follow each other in L1; else 0.
static size_t joined_size(const struct tsr_pack_block *block)
{
    const struct tsr_pack_part *part = block->job.part;
    size_t size = tsr_pack_part_bytes(part);
    bool joined = block->walk.joined;
    for (unsigned p = 1; p < block->job.parts; p++)
        joined &= part[p].data_address == part->data_address + p * size;
    return joined ? size : 0;
}

static void execute_parts(struct tsr_env *env, const struct tsr_pack_block *block)
{
    const struct tsr_pack_job *job = &block->job;
    const struct tsr_pack_part *part = job->part;
    size_t size = joined_size(block);
    for (unsigned p = 0; size == 0 && p < job->parts; p++)
        execute_part(env, block, p);
    if (size == 0)
        return;
    unsigned rows = part->count / 16u;
    tsr_pack_note_rows(env, job, part, &block->plan[0]->kernels, rows);
    tsr_pack_convert_rows(env, job, part, &block->plan[0]->kernels, rows * job->parts,
                          part->data_address);
    for (unsigned p = 0; p < job->parts; p++) {
        struct tsr_packer *packer = &env->state->packers.packer[part[p].packer];
        tsr_pack_begin_streams(packer, &part[p]);
        tsr_pack_skip_lines(&packer->data, size);
    }
}

// ---------------------------------------------------------------- a whole block

static void run_parts(struct tsr_env *env, struct tsr_pack_block *block)
{
    struct tsr_pack_job *job = &block->job;
    env->pack_plans->idle = 0;
    for (unsigned p = 0; p < job->parts; p++)
        accept_part(env, block, p);
    execute_parts(env, block);
}

// With timing on: what one packer moves in a cycle, if nobody else moves any.
static uint16_t bytes_a_cycle(const struct tsr_env *env)
{
    return (uint16_t)(env->isa->rate[RATE_PACK_BYTES] * env->chip->pack_interfaces);
}

// Whether every row that a part reads is written and untainted.
static bool rows_untainted(struct tsr_env *env, const struct tsr_pack_block *block)
{
    const struct tsr_pack_job *job = &block->job;
    unsigned rows = job->part[0].count / 16u, parts = job->parts;
    if (block->walk.joined)
        return tsr_pack_rows_untainted(env, job, &job->part[0], rows * parts);
    for (unsigned p = 0; p < parts; p++)
        if (!tsr_pack_rows_untainted(env, job, &job->part[p], rows))
            return false;
    return true;
}

// With timing on: whether it is known when the block's bytes have moved. Of a block of several
// words each has to move its bytes in a cycle.
static bool has_known_times(const struct tsr_env *env, const struct tsr_pack_block *block)
{
    const struct tsr_pack_part *part = &block->job.part[0];
    return block->data_only && !part->config.accumulate &&
           (block->count == 1 ||
            (block->job.parts == 1 && tsr_l1_quiet(env) &&
             tsr_pack_part_bytes(part) <= block->walk.words * bytes_a_cycle(env)));
}

// Executes a block whose walk is not steady up to the tile's end. False: it cannot, and the tile is
// as it was.
static __attribute__((noinline)) bool try_parts(struct tsr_env *env, struct tsr_pack_block *block,
                                                const tsr_adc_channel adc[2])
{
    if (block->walk.steady && block->job.parts == 1)
        return tsr_pack_run_piece(env, block, &adc[1]);
    tsr_pack_move_parts(block);
    if (block->walk.words == 0 || !rows_untainted(env, block) ||
        !find_all_lines(env, block, &adc[1]))
        return false;
    run_parts(env, block);
    if (block->job.last && !env->timing)
        tsr_pack_note_sizes(env, &block->job, block->thread);
    return true;
}

// Executes the block and steps the counters. False: it cannot, and the tile is as it was.
TSR_INLINE bool try_block(struct tsr_env *env, struct tsr_pack_block *block)
{
    tsr_adc_channel *adc = env->state->adcs.channel[block->counters][TSR_ADC_PACKERS];
    const struct tsr_pack_walk *walk = tsr_pack_walk_from(env, block, adc);
    if (TSR_RARELY(env->timing) && !has_known_times(env, block))
        return false;
    if (!(walk->whole && tsr_pack_run_steady(env, block, &adc[1])) && !try_parts(env, block, adc))
        return false;
    memcpy(adc, walk->to, sizeof walk->to);
    return true;
}

static __attribute__((noinline)) unsigned run_as_one(struct tsr_env *env, int thread,
                                                     const uint32_t *words, unsigned count)
{
    struct tsr_pack_plans *plans = env->pack_plans;
    struct tsr_pack_block *block = block_for(env, thread, words, count);
    if (!block)
        return 0;
    if (!try_block(env, block)) {
        plans->singly = env->timing ? 0 : (uint8_t)(block->count - 1);
        return 0;
    }
    env->plans_reused += (uint64_t)block->job.parts * block->walk.words;
    plans->latest = block;
    plans->blocks_run++;
    return block->walk.words;
}

unsigned tsr_pack_run_block(struct tsr_env *env, int thread, const uint32_t *words, unsigned count)
{
    struct tsr_pack_plans *plans = env->pack_plans;
    struct tsr_pack_template *template = tsr_pack_template_at(env, words[0]);
    if (plans->singly > 0) {
        plans->singly--;
        return 0;
    }
    if (template->operands.word != words[0])
        return 0;
    if (template->operands.flush)
        return tsr_pack_run_flush(env, thread, template);
    if (!template->as_one || tsr_pack_counts_exponents(env))
        return 0;
    return run_as_one(env, thread, words, count);
}

// ---------------------------------------------------------------- with timing on

static const struct tsr_pack_block *block_that_ran(const struct tsr_env *env)
{
    return env->pack_plans->latest;
}

// Takes words of one packer that find all blocks of Dst open, where no cycle comes between them.
// When the last one has been issued its bytes still move.
unsigned tsr_pack_run_timed_block(struct tsr_env *env, int thread, const uint32_t *words,
                                  unsigned count)
{
    const struct tsr_pack_template *template = tsr_pack_template_at(env, words[0]);
    const uint32_t last = operand_bits(env, OPERAND_Last);
    const uint32_t same = ~(last | operand_bits(env, OPERAND_AddrMode));
    if ((words[0] & last) || ((words[0] ^ words[1]) & same) || template->job.parts != 1 ||
        template->operands.flush || env->isa->rate[RATE_PACK_IDLE_CYCLES] > 0 ||
        !tsr_pack_finds_all_open(env, thread))
        return 0;
    const unsigned done = tsr_pack_run_block(env, thread, words, count);
    if (done == 0)
        return 0;
    const struct tsr_pack_part *part = &block_that_ran(env)->job.part[0];
    tsr_l1_begin_quietly(env, TSR_L1_PACKER0 + part->packer, env->state->now + done - 1,
                         (uint32_t)tsr_pack_part_bytes(part) / done, bytes_a_cycle(env));
    return done;
}

void tsr_pack_leave_job(const struct tsr_env *env, struct tsr_inflight *inst)
{
    struct tsr_pack_job *job = tsr_pack_job_of(inst);
    if (inst->word & operand_bits(env, OPERAND_Last))
        *job = block_that_ran(env)->job;
    else
        job->last = false;
}

// The bytes that each part moves begin to move now.
static void begin_bytes(struct tsr_env *env, const struct tsr_pack_block *block,
                        struct tsr_inflight *inst)
{
    const struct tsr_pack_job *job = &block->job;
    for (unsigned p = 0; p < job->parts; p++) {
        const struct tsr_pack_part *part = &job->part[p];
        tsr_l1_begin_quietly(env, TSR_L1_PACKER0 + part->packer, env->state->now,
                             (uint32_t)tsr_pack_part_bytes(part), bytes_a_cycle(env));
    }
    tsr_l1_packers_began(env);
    tsr_pack_take_time(env, job->part, job->parts, inst);
}

bool tsr_pack_take_whole(struct tsr_env *env, struct tsr_inflight *inst)
{
    if (inst->op != OP_PACR || tsr_pack_template_at(env, inst->word)->operands.flush ||
        tsr_pack_run_block(env, inst->thread, &inst->word, 1) == 0)
        return false;
    begin_bytes(env, block_that_ran(env), inst);
    tsr_pack_leave_job(env, inst);
    return true;
}
