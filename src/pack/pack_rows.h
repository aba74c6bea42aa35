// SPDX-License-Identifier: Apache-2.0
// The fast path of a packer: rows through kernels.
// Page: Packers/README.md.
#ifndef TESSERA_PACK_PACK_ROWS_H
#define TESSERA_PACK_PACK_ROWS_H

#include "pack/pack_plan.h"
#include "pack/pack_stream.h"

// Contiguous whole rows to whole lines of L1, by one call of the kernel. False: it is not so, and
// nothing was done.
bool tsr_pack_move_at_once(struct tsr_env *env, const struct tsr_pack_job *job,
                           const struct tsr_pack_part *part, const struct tsr_pack_kernels *kernels,
                           struct tsr_packer *packer);
// Anything else that needs no stage but the edge mask, conversion and accumulation. False: a
// finding stopped the tile.
bool tsr_pack_move_rows(struct tsr_pack_sink *sink, const struct tsr_pack_kernels *kernels);

#endif
