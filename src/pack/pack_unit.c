// SPDX-License-Identifier: Apache-2.0
// The packers' stages. PACR is accepted in thread order: operands, configuration, addresses and
// counters are sampled and stepped. Dst is read and L1 written when it executes; sizes are left
// when it completes. PACR_SETREG takes its turn in between. Pages: PACR.md of each chip,
// PACR_SETREG.md, Packers/README.md.
#include "pack/pack_unit.h"

#include "pack/pack_address.h"
#include "pack/pack_context.h"
#include "pack/pack_execute.h"
#include "pack/pack_ready.h"
#include "pack/pack_setreg.h"
#include "pack/pack_template.h"
#include "state/l1_traffic.h"

#include <stdlib.h>

static bool accept(struct tsr_env *env, struct tsr_inflight *inst)
{
    if (inst->op == OP_PACR_SETREG)
        return tsr_pack_setreg_accept(env, inst);
    struct tsr_pack_job *job = tsr_pack_job_of(inst);
    const struct tsr_pack_template *template = tsr_pack_template_for(env, inst);
    if (!template)
        return false;
    tsr_pack_begin_job(env, template, job);
    if (template->operands.resets_context) {
        tsr_pack_reset_context(env);
        return true;
    }
    return tsr_pack_address(env, inst, &template->operands, template->plan, job);
}

static tsr_reason execute(struct tsr_env *env, struct tsr_inflight *inst)
{
    if (inst->op == OP_PACR_SETREG)
        return tsr_pack_setreg_execute(env, inst);
    tsr_pack_execute(env, inst);
    return TSR_REASON_NONE;
}

static void complete(struct tsr_env *env, struct tsr_inflight *inst)
{
    for (unsigned i = 0; env->timing && i < TSR_PACKERS; i++)
        tsr_l1_end(env, TSR_L1_PACKER0 + i);
    if (inst->op == OP_PACR)
        tsr_pack_note_sizes(env, inst);
}

// Only PACR_SETREG waits inside the unit.
static void explain(struct tsr_env *env, const struct tsr_inflight *inst, char *what, size_t size)
{
    (void)env;
    tsr_pack_setreg_explain(inst, what, size);
}

const struct tsr_unit_ops tsr_pack_ops = {.ready = tsr_pack_ready,
                                          .accept = accept,
                                          .execute = execute,
                                          .complete = complete,
                                          .explain = explain};

// ---------------------------------------------------------------- plans

struct tsr_pack_plans *tsr_pack_plans_create(void)
{
    return calloc(1, sizeof(struct tsr_pack_plans));
}

void tsr_pack_plans_destroy(struct tsr_pack_plans *plans)
{
    free(plans);
}

// The plans' serials go on, so that none comes again.
void tsr_pack_plans_clear(struct tsr_pack_plans *plans)
{
    for (unsigned i = 0; i < 2 * TSR_PACKERS; i++)
        plans->plan[i / TSR_PACKERS][i % TSR_PACKERS].key.made = false;
    for (unsigned i = 0; i < TSR_PACK_TEMPLATES; i++)
        plans->template[i].key.made = false;
}
