// SPDX-License-Identifier: Apache-2.0
// PACR executes and completes.
#ifndef TESSERA_PACK_PACK_EXECUTE_H
#define TESSERA_PACK_PACK_EXECUTE_H

#include "pack/pack_stream.h"

void tsr_pack_execute(struct tsr_env *env, struct tsr_inflight *inst);
// The sizes of the tile that a PACR with Last has ended.
void tsr_pack_note_sizes(struct tsr_env *env, struct tsr_inflight *inst);
// Ends begun rows and blocks, pads begun lines and writes them.
void tsr_pack_close_streams(struct tsr_pack_sink *sink);

#endif
