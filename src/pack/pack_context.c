// SPDX-License-Identifier: Apache-2.0
// Whose configuration a packer uses. On Wormhole each packer has its own. Blackhole's one packer
// has four contexts, which lie where Wormhole's packers have theirs: the instruction names one, or
// the packer tracks one itself. No page says so; vendor software's description of the operands does
// (decision 10, docs/errata.md). Page: BlackholeA0 PACR.md.
#include "pack/pack_job.h"

// CtxtCtrl.
enum { CONTEXT_NAMED = 0, CONTEXT_TRACKED = 1, CONTEXT_RESET = 2, CONTEXT_TRACKED_NO_RESET = 3 };

static bool tracks(const struct pack_operands *operands)
{
    return (operands->context_control & CONTEXT_TRACKED) != 0;
}

int tsr_pack_config_of(const struct tsr_env *env, const struct tsr_inflight *inst, int packer)
{
    if (env->chip->packers > 1)
        return packer;
    const struct pack_operands *operands = tsr_pack_operands(env, inst);
    return tracks(operands) ? env->state->packers.context : operands->context;
}

bool tsr_pack_resets_context(const struct pack_operands *operands)
{
    return operands->context_control == CONTEXT_RESET;
}

void tsr_pack_reset_context(struct tsr_env *env)
{
    env->state->packers.context = env->state->packers.planes = 0;
}

// The context moves on behind the last PACR of a tile, or after so many planes. Beyond the last
// context it is reset, or stays.
void tsr_pack_step_context(struct tsr_env *env, const struct pack_operands *operands, int s,
                           unsigned planes)
{
    struct tsr_packers *packers = &env->state->packers;
    if (!tracks(operands))
        return;
    uint32_t limit =
        tsr_cfg(env, s, tsr_pack_field(packers->context, PACK_FIELD_auto_ctxt_inc_xys_cnt));
    uint32_t passed = packers->planes + planes;
    packers->planes = (uint8_t)(passed < 0xff ? passed : 0xff);
    if (limit ? packers->planes < limit : !operands->last)
        return;
    packers->planes = 0;
    if (packers->context < TSR_PACKERS - 1)
        packers->context++;
    else if (operands->context_control != CONTEXT_TRACKED_NO_RESET)
        packers->context = 0;
}
