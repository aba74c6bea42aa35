// SPDX-License-Identifier: Apache-2.0
// A PACR with Flush whose packers hold nothing, which LLK has before each tile on Wormhole.
// Page: PACR.md.
#ifndef TESSERA_PACK_PACK_FLUSH_H
#define TESSERA_PACK_PACK_FLUSH_H

#include "pack/pack_plan.h"
#include "state/state.h"

// Executes it by the template of its word, with timing off. False: its packers hold something, or
// the template must be made; nothing was changed.
bool tsr_pack_run_flush(struct tsr_env *env, int thread, struct tsr_pack_template *template);

#endif
