// SPDX-License-Identifier: Apache-2.0
// A PACR with Flush whose packers hold nothing, which LLK has before each tile on Wormhole.
// Page: PACR.md.
#ifndef TESSERA_PACK_PACK_FLUSH_H
#define TESSERA_PACK_PACK_FLUSH_H

#include "state/state.h"

// Executes it, with timing off. False: it is another word, or its packers hold something, or its
// template must be made; nothing was changed.
bool tsr_pack_run_flush(struct tsr_env *env, int thread, uint32_t word);

#endif
