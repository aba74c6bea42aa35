// SPDX-License-Identifier: Apache-2.0
// What nearly all blocks of PACRs are: rows that lie in place in Dst and become data alone. They
// are whole tiles, of all packers one behind the other, or of one packer what a FIFO leaves of a
// tile. Page: PACR.md of each chip.
#ifndef TESSERA_PACK_PACK_STEADY_H
#define TESSERA_PACK_PACK_STEADY_H

#include "pack/pack_plan.h"
#include "state/state.h"

static inline size_t tsr_pack_row_bytes(const struct tsr_pack_config *config)
{
    return 2u * config->out_bits;
}

// The bytes that a part of whole rows becomes.
static inline size_t tsr_pack_part_bytes(const struct tsr_pack_part *part)
{
    return tsr_pack_row_bytes(&part->config) * (part->count / 16u);
}

// The tile position of a part's packer, by all words of the walk.
void tsr_pack_step_part(struct tsr_env *env, struct tsr_pack_block *block, unsigned p);
// Whether a walk of all words that is joined is steady; then what it leaves is noted.
bool tsr_pack_is_steady(const struct tsr_env *env, struct tsr_pack_block *block);
// A steady walk in one go, with the counters of channel 1, which do not step yet: of whole tiles;
// and of one packer wherever it begins and ends. With timing on the sizes are noted when it
// completes. False: rows are not there, packers hold something, or outputs lie apart; nothing was
// changed.
bool tsr_pack_run_steady(struct tsr_env *env, struct tsr_pack_block *block,
                         const tsr_adc_channel *adc);
bool tsr_pack_run_piece(struct tsr_env *env, struct tsr_pack_block *block,
                        const tsr_adc_channel *adc);

#endif
