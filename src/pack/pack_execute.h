// SPDX-License-Identifier: Apache-2.0
// The execution of PACR, and its completion. Page: PACR.md of each chip.
#ifndef TESSERA_PACK_PACK_EXECUTE_H
#define TESSERA_PACK_PACK_EXECUTE_H

#include "pack/pack_inputs.h"
#include "pack/pack_stream.h"

// A new section of data alone begins empty, with all that is counted from there on.
static inline void tsr_pack_begin_data(struct tsr_packer *packer, uint32_t address)
{
    packer->data.address = address;
    packer->data.filled = 0;
    packer->data.tainted = false;
    packer->data.lines = 0;
    packer->beyond_sixteen = 0;
    packer->all_zero_flags = 0;
}
// The same of all streams that the part gives new addresses.
void tsr_pack_begin_streams(struct tsr_packer *packer, const struct tsr_pack_part *part);
// The work of one packer. False: a finding stopped the tile.
bool tsr_pack_execute_part(struct tsr_env *env, const struct tsr_inflight *inst,
                           const struct tsr_pack_job *job, const struct tsr_pack_part *part);
void tsr_pack_execute(struct tsr_env *env, struct tsr_inflight *inst);
// What else shows of the sizes of a tile that a PACR with Last ends; and those sizes.
void tsr_pack_ask_sizes(struct tsr_pack_job *job, const struct tsr_pack_part *part,
                        const struct tsr_pack_inputs *inputs);
void tsr_pack_note_sizes(struct tsr_env *env, const struct tsr_pack_job *job, uint8_t thread);
// Ends open rows and blocks; pads and writes partial lines.
void tsr_pack_close_streams(struct tsr_pack_sink *sink);

#endif
