// SPDX-License-Identifier: Apache-2.0
// PACRs that follow each other and execute as one. A single PACR is a block too.
// Page: PACR.md of each chip.
#ifndef TESSERA_PACK_PACK_BLOCK_H
#define TESSERA_PACK_PACK_BLOCK_H

#include "state/state.h"

// tsr_unit_ops.run_block.
unsigned tsr_pack_run_block(struct tsr_env *env, int thread, const uint32_t *words, unsigned count);
// tsr_unit_ops.kept_block: the words of the block that ran last.
unsigned tsr_pack_kept_block(struct tsr_env *env, const uint32_t *words, unsigned count);
// tsr_unit_ops.run_timed_block.
unsigned tsr_pack_run_timed_block(struct tsr_env *env, int thread, const uint32_t *words,
                                  unsigned count);
// tsr_unit_ops.leave_job: sizes after Last.
void tsr_pack_leave_job(const struct tsr_env *env, struct tsr_inflight *inst);
// tsr_unit_ops.take_whole: a PACR, Last or not.
bool tsr_pack_take_whole(struct tsr_env *env, struct tsr_inflight *inst);

#endif
