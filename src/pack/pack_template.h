// SPDX-License-Identifier: Apache-2.0
// Job templates: a PACR's job as far as its word and the configuration decide it, kept for the next
// PACR with the same word, since kernels repeat one for every row.
#ifndef TESSERA_PACK_PACK_TEMPLATE_H
#define TESSERA_PACK_PACK_TEMPLATE_H

#include "pack/pack_job.h"
#include "pack/pack_plan.h"

struct tsr_pack_template {
    struct tsr_pack_operands operands; // of the word that this is for
    // Made for these. Like its plans it depends on the groups PACK and ALU, and stands while they
    // do.
    uint8_t thread;
    struct tsr_plan_key key;
    struct tsr_pack_plan *plan[TSR_PACKERS]; // of each part
    struct tsr_pack_job job;
};

// What the unit keeps from one PACR to the next. Kernels take turns with two words that differ in
// Last, the lowest bit: each has a template.
enum { TSR_PACK_TEMPLATES = 2 };
struct tsr_pack_plans {
    struct tsr_pack_plan plan[2][TSR_PACKERS]; // by state ID and by whose configuration it is
    struct tsr_pack_template template[TSR_PACK_TEMPLATES]; // by word
};

// The template of a word, with its operands; the rest is there once tsr_pack_template_for() was
// called.
static inline struct tsr_pack_template *tsr_pack_template_of(const struct tsr_env *env,
                                                             const struct tsr_inflight *inst)
{
    struct tsr_pack_template *template =
        &env->pack_plans->template[inst->word % TSR_PACK_TEMPLATES];
    if (template->operands.word != inst->word) {
        template->key.made = false;
        tsr_pack_decode(env, inst, &template->operands);
    }
    return template;
}

// Up to date. NULL: a finding stopped the tile.
const struct tsr_pack_template *tsr_pack_template_for(struct tsr_env *env,
                                                      const struct tsr_inflight *inst);
// A job from its template, with what is sampled for each PACR; addresses are still missing.
void tsr_pack_begin_job(const struct tsr_env *env, const struct tsr_pack_template *template,
                        struct tsr_pack_job *job);

#endif
