// SPDX-License-Identifier: Apache-2.0
// Which packers work, and whose configuration each uses. On Wormhole each packer has its own.
// Blackhole's one packer has four contexts, which lie where Wormhole's packers have theirs: the
// instruction names one, or the packer tracks one itself. No page says so; vendor software's
// description of the operands does (decision 10, docs/errata.md). Page: PACR.md of each chip.
#include "pack/pack_context.h"

#include "isa/unit_fields.h"

// None named means packer 0. A set that the page does not list is undefined; going on gives work to
// all of it.
unsigned tsr_pack_packers(const struct tsr_env *env, const struct tsr_pack_operands *operands)
{
    return env->chip->packers > 1 && operands->packers ? operands->packers : 1;
}

int tsr_pack_config_of(const struct tsr_env *env, const struct tsr_pack_operands *operands,
                       int packer)
{
    if (env->chip->packers > 1)
        return packer;
    return operands->tracks_context ? env->state->packers.context : operands->context;
}

void tsr_pack_reset_context(struct tsr_env *env)
{
    env->state->packers.context = env->state->packers.planes = 0;
}

// The context moves on after the last PACR of a tile, or after so many planes. After the last
// context it goes back to 0, or stays.
void tsr_pack_step_context(struct tsr_env *env, const struct tsr_pack_operands *operands,
                           int state_id, unsigned planes)
{
    struct tsr_packers *packers = &env->state->packers;
    if (!operands->tracks_context)
        return;
    uint32_t limit = tsr_cfg(env, state_id,
                             tsr_pack_field_of(packers->context, PACK_FIELD_auto_ctxt_inc_xys_cnt));
    uint32_t passed = packers->planes + planes;
    packers->planes = (uint8_t)(passed < 0xff ? passed : 0xff);
    if (limit ? packers->planes < limit : !operands->last)
        return;
    packers->planes = 0;
    if (packers->context < TSR_PACKERS - 1)
        packers->context++;
    else if (operands->context_wraps)
        packers->context = 0;
}
