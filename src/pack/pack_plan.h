// SPDX-License-Identifier: Apache-2.0
// Plans of packs: decoded configuration, inputs and kernels, kept for each state ID and packer (or
// Blackhole's context) until a field of the plan groups PACK or ALU changes; and the job templates
// that are made of them. Page: PACR.md of each chip.
#ifndef TESSERA_PACK_PACK_PLAN_H
#define TESSERA_PACK_PACK_PLAN_H

#include "kernels/kernels.h"
#include "pack/pack_block_job.h"
#include "pack/pack_config.h"
#include "pack/pack_decode.h"
#include "pack/pack_inputs.h"
#include "pack/pack_job.h"
#include "state/plan_key.h"

// NULL where the hardware has no such conversion or sum.
struct tsr_pack_kernels {
    tsr_pack_fn *datums; // of one of these two
    tsr_pack_block_fn *blocks;
    tsr_accumulate_fn *accumulate;
    tsr_pack_larger_fn *larger; // of exponents
};

struct tsr_pack_plan {
    struct tsr_plan_key key;
    uint32_t serial; // counts how often it was made; jobs remember it
    struct tsr_pack_config config;
    struct tsr_pack_strides strides;
    const struct tsr_pack_inputs *inputs;
    struct tsr_pack_kernels kernels;
};

// A job template: a PACR's job as far as its word and the configuration decide it, kept for the
// next PACR with the same word, since kernels repeat one for every row.
struct tsr_pack_template {
    struct tsr_pack_operands operands; // of the word that this is for
    // Made for these; valid while no field of PACK and ALU has changed, like its plans.
    uint8_t thread;
    struct tsr_plan_key key;
    struct tsr_pack_plan *plan[TSR_PACKERS];    // of each part
    struct tsr_pack_output output[TSR_PACKERS]; // of each part
    struct tsr_pack_job job;
    uint8_t packers; // a bit for each that has a part
    bool data_alone; // each part has its data alone, and all count by the same thread
    bool as_one;     // PACRs like this one can execute as a block (pack_block.c)
    bool of_four;    // ... and are four rows of data alone in a tile that goes on (pack_four.c)
};

// What the unit keeps from one PACR to the next. Kernels take turns with words that differ in Last,
// the lowest bit, and in AddrMode, bits 15 and 16: each has a template.
enum { TSR_PACK_TEMPLATES = 8, TSR_PACK_BLOCKS = 128 };
struct tsr_pack_plans {
    struct tsr_pack_plan plan[2][TSR_PACKERS]; // by state ID and by whose configuration it is
    struct tsr_pack_bank_inputs inputs[2];
    struct tsr_pack_template template[TSR_PACK_TEMPLATES]; // by word
    struct tsr_pack_block block[TSR_PACK_BLOCKS];
    struct tsr_pack_block *latest; // that ran last
    // Packers that are known to hold nothing, and whose next PACR begins a tile: a bit each.
    uint8_t idle;
    uint8_t singly;      // words that are left of a run that could not execute as one
    uint64_t blocks_run; // how often one took the place of its words
    uint64_t fours_run;  // how many words pack_four.c has taken
    bool by_datums;      // tests compare the general path with the others
};

struct tsr_pack_plans *tsr_pack_plans_create(void); // NULL: no memory
void tsr_pack_plans_destroy(struct tsr_pack_plans *plans);
// Plans are keyed by the generations of the configuration: forget them whenever these may run
// backwards (a reset, a snapshot that is loaded).
void tsr_pack_plans_clear(struct tsr_pack_plans *plans);

// What a plan, and all that is made from plans, depends on.
struct tsr_plan_groups tsr_pack_plan_groups(int state_id, int thread);

// The place for the template of a word.
static inline struct tsr_pack_template *tsr_pack_template_at(const struct tsr_env *env,
                                                             uint32_t word)
{
    return &env->pack_plans->template[(word ^ word >> 14) % TSR_PACK_TEMPLATES];
}

// The template of a word, with its operands; the rest is there once tsr_pack_template_for() was
// called.
static inline struct tsr_pack_template *tsr_pack_template_of(const struct tsr_env *env,
                                                             const struct tsr_inflight *inst)
{
    struct tsr_pack_template *template = tsr_pack_template_at(env, inst->word);
    if (template->operands.word != inst->word) {
        template->key.made = false;
        tsr_pack_decode(env, inst, &template->operands);
    }
    return template;
}

// Whether no field of a plan group has changed since this thread's key was compared.
static inline bool tsr_pack_key_fresh(const struct tsr_plan_key *key,
                                      const struct tsr_config *config, int thread)
{
    return key->made && key->stale == config->stale && key->thread == thread;
}
// Whether what was made of plans stands for this thread; then inputs are read again, if anything
// has been written since.
bool tsr_pack_key_reread(const struct tsr_env *env, int thread, struct tsr_plan_key *key);
static inline bool tsr_pack_key_stands(const struct tsr_env *env, int thread,
                                       struct tsr_plan_key *key)
{
    const struct tsr_config *config = &env->state->config;
    const struct tsr_pack_bank_inputs *inputs = &env->pack_plans->inputs[key->state_id];
    if (tsr_plan_key_unchanged(key, config))
        return true;
    if (inputs->changes != config->changes || !(inputs->threads >> thread & 1) ||
        !tsr_pack_key_fresh(key, config, thread))
        return tsr_pack_key_reread(env, thread, key);
    key->changes = config->changes;
    return true;
}
// The same of the word's template; then its plans count as reused.
static inline bool tsr_pack_template_refresh(struct tsr_env *env, int thread,
                                             struct tsr_pack_template *template)
{
    if (template->thread != thread || !tsr_pack_key_stands(env, thread, &template->key))
        return false;
    env->plans_reused += template->job.parts;
    return true;
}
// Up to date. NULL: a finding stopped the tile.
const struct tsr_pack_template *tsr_pack_template_for(struct tsr_env *env,
                                                      const struct tsr_inflight *inst);

struct tsr_pack_kernels tsr_pack_find_kernels(const struct tsr_env *env,
                                              const struct tsr_pack_config *config);
// The kernels of a part that was planned earlier; its plan may have been made again meanwhile.
static inline const struct tsr_pack_kernels *
tsr_pack_kernels_of(const struct tsr_env *env, const struct tsr_pack_job *job,
                    const struct tsr_pack_part *part, struct tsr_pack_kernels *found_again)
{
    const struct tsr_pack_plan *plan = &env->pack_plans->plan[job->state_id][part->config_of];
    if (plan->key.made && plan->serial == part->plan_serial)
        return &plan->kernels;
    *found_again = tsr_pack_find_kernels(env, &part->config);
    return found_again;
}

#endif
