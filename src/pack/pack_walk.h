// SPDX-License-Identifier: Apache-2.0
// The walk of a block of PACRs (pack_walk.c). Page: Packers/InputAddressGenerator.md.
#ifndef TESSERA_PACK_PACK_WALK_H
#define TESSERA_PACK_PACK_WALK_H

#include "pack/pack_block_job.h"
#include "state/dst_rules.h"

#include <stddef.h>
#include <string.h>

// Whether X, Y and Z, with their carriage returns, are the same; and below W with its own.
static inline bool tsr_pack_same_but_w(const tsr_adc_channel *a, const tsr_adc_channel *b)
{
    return memcmp(a, b, offsetof(tsr_adc_channel, w)) == 0;
}

static inline bool tsr_pack_same_w(const tsr_adc_channel *a, const tsr_adc_channel *b)
{
    return ((a->w ^ b->w) | (a->w_cr ^ b->w_cr)) == 0;
}

// From counters that the walk was not known for, or with another Dst order or offset. `alike`: they
// differ in W alone, and the order is the same.
void tsr_pack_walk_otherwise(const struct tsr_env *env, struct tsr_pack_block *block, bool alike,
                             uint8_t dst_order, const tsr_adc_channel adc[2]);
// Of a steady walk: the rows of all parts but the first, behind those of that.
void tsr_pack_move_parts(struct tsr_pack_block *block);

// The walk of all words from these counters on.
static inline const struct tsr_pack_walk *tsr_pack_walk_from(const struct tsr_env *env,
                                                             struct tsr_pack_block *block,
                                                             const tsr_adc_channel adc[2])
{
    uint8_t dst_order = tsr_dst_order(env);
    const struct tsr_pack_walk *walk = &block->walk;
    bool alike = walk->known && walk->dst_order == dst_order &&
                 tsr_pack_same_but_w(&walk->from[0], &adc[0]) &&
                 tsr_pack_same_but_w(&walk->from[1], &adc[1]);
    if (!alike || !walk->placed || !tsr_pack_same_w(&walk->from[0], &adc[0]) ||
        !tsr_pack_same_w(&walk->from[1], &adc[1]))
        tsr_pack_walk_otherwise(env, block, alike, dst_order, adc);
    return walk;
}

#endif
