// SPDX-License-Identifier: Apache-2.0
// The fast path of a packer: rows through kernels.
// Page: Packers/README.md.
#ifndef TESSERA_PACK_PACK_ROWS_H
#define TESSERA_PACK_PACK_ROWS_H

#include "pack/pack_plan.h"
#include "pack/pack_stream.h"

// Of contiguous whole rows, from where a part begins: whether every datum was written, and none is
// tainted.
bool tsr_pack_rows_untainted(struct tsr_env *env, const struct tsr_pack_job *job,
                             const struct tsr_pack_part *part, unsigned rows);
// Such rows to whole lines of L1, which has room for them, with no stage on but conversion; and the
// maximum exponent, which packer 0 keeps.
void tsr_pack_convert_rows(struct tsr_env *env, const struct tsr_pack_job *job,
                           const struct tsr_pack_part *part, const struct tsr_pack_kernels *kernels,
                           unsigned rows, uint32_t address);
void tsr_pack_note_rows(struct tsr_env *env, const struct tsr_pack_job *job,
                        const struct tsr_pack_part *part, const struct tsr_pack_kernels *kernels,
                        unsigned rows);
// Both of a whole part and its stream, if the part is such. False: it is not, and nothing was done.
bool tsr_pack_move_at_once(struct tsr_env *env, const struct tsr_pack_job *job,
                           const struct tsr_pack_part *part, const struct tsr_pack_kernels *kernels,
                           struct tsr_packer *packer);
// Four whole rows of Dst in that order, from `row` on, of a part of conversion alone, and how many
// bytes they become: to `address`, where a line begins. False: they lie apart, or not all of them
// are there, and nothing was done.
static inline uint32_t tsr_pack_four_bytes(const struct tsr_pack_part *part)
{
    return 2u * TSR_PACK_SEGMENTS * part->config.out_bits;
}
bool tsr_pack_move_four(struct tsr_env *env, const struct tsr_pack_part *part,
                        const struct tsr_pack_kernels *kernels, unsigned order, unsigned row,
                        uint32_t address);
// Anything else that needs no stage but the edge mask, conversion and accumulation. False: a
// finding stopped the tile.
bool tsr_pack_move_rows(struct tsr_pack_sink *sink, const struct tsr_pack_kernels *kernels);

#endif
