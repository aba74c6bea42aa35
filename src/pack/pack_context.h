// SPDX-License-Identifier: Apache-2.0
// Which packers work, whose configuration each uses, and the context that Blackhole's packer
// tracks.
#ifndef TESSERA_PACK_PACK_CONTEXT_H
#define TESSERA_PACK_PACK_CONTEXT_H

#include "pack/pack_decode.h"

// A bit for each packer that works.
unsigned tsr_pack_packers(const struct tsr_env *env, const struct tsr_pack_operands *operands);
int tsr_pack_config_of(const struct tsr_env *env, const struct tsr_pack_operands *operands,
                       int packer);
void tsr_pack_reset_context(struct tsr_env *env);
void tsr_pack_step_context(struct tsr_env *env, const struct tsr_pack_operands *operands,
                           int state_id, unsigned planes);

#endif
