// SPDX-License-Identifier: Apache-2.0
// PACR_SETREG: its stages, as in struct tsr_unit_ops.
// Page: PACR_SETREG.md.
#ifndef TESSERA_PACK_PACK_SETREG_H
#define TESSERA_PACK_PACK_SETREG_H

#include "state/unit.h"

bool tsr_pack_setreg_accept(struct tsr_env *env, struct tsr_inflight *inst);
tsr_reason tsr_pack_setreg_execute(struct tsr_env *env, struct tsr_inflight *inst);
void tsr_pack_setreg_explain(const struct tsr_inflight *inst, char *what, size_t size);

#endif
