// SPDX-License-Identifier: Apache-2.0
// A packer's plan: its decoded configuration, its inputs and its kernels, kept until a field of the
// plan groups PACK or ALU changes.
#ifndef TESSERA_PACK_PACK_PLAN_H
#define TESSERA_PACK_PACK_PLAN_H

#include "kernels/kernels.h"
#include "pack/pack_config.h"
#include "pack/pack_decode.h"
#include "pack/pack_inputs.h"
#include "state/plan_key.h"

// NULL where the hardware has no such conversion or sum.
struct tsr_pack_kernels {
    tsr_pack_fn *datums; // of one of these two
    tsr_pack_block_fn *blocks;
    tsr_accumulate_fn *accumulate;
};

struct tsr_pack_plan {
    struct tsr_plan_key key;
    uint32_t serial; // counts how often it was made; jobs remember it
    struct tsr_pack_config config;
    struct tsr_pack_strides strides;
    struct tsr_pack_inputs inputs;
    struct tsr_pack_kernels kernels;
};

// What a plan, and all that is made from plans, depends on.
static inline struct tsr_plan_groups tsr_pack_plan_groups(int state_id, int thread)
{
    return (struct tsr_plan_groups){
        .state_id = (uint8_t)state_id, .thread = (uint8_t)thread, .bank = {PLAN_PACK, PLAN_ALU}};
}

struct tsr_pack_kernels tsr_pack_find_kernels(const struct tsr_env *env,
                                              const struct tsr_pack_config *config);
// Brings the plan of a configuration up to date. False: a finding stopped the tile.
bool tsr_pack_plan_update(struct tsr_env *env, const struct tsr_inflight *inst,
                          const struct tsr_pack_operands *operands, int state_id, int config_of,
                          struct tsr_pack_plan *plan);

#endif
