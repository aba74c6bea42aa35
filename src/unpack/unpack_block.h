// SPDX-License-Identifier: Apache-2.0
// Runs of UNPACRs as one. Page: UNPACR_Regular.md.
#ifndef TESSERA_UNPACK_UNPACK_BLOCK_H
#define TESSERA_UNPACK_UNPACK_BLOCK_H

#include "state/state.h"

// tsr_unit_ops.run_block.
unsigned tsr_unpack_run_block(struct tsr_env *env, int thread, const uint32_t *words,
                              unsigned count);

#endif
