// SPDX-License-Identifier: Apache-2.0
// The execution of PACR, and its completion. Page: PACR.md of each chip.
#ifndef TESSERA_PACK_PACK_EXECUTE_H
#define TESSERA_PACK_PACK_EXECUTE_H

#include "pack/pack_stream.h"

void tsr_pack_execute(struct tsr_env *env, struct tsr_inflight *inst);
// The sizes of the tile that a PACR with Last has ended.
void tsr_pack_note_sizes(struct tsr_env *env, struct tsr_inflight *inst);
// Ends open rows and blocks; pads and writes partial lines.
void tsr_pack_close_streams(struct tsr_pack_sink *sink);

#endif
