// SPDX-License-Identifier: Apache-2.0
// How long a PACR keeps the packers, with timing on, and when what it has packed is in L1.
// Pages: Packers/README.md, L1.md (ports); figures and their sources: machine/timing.def.
#ifndef TESSERA_PACK_PACK_TIME_H
#define TESSERA_PACK_PACK_TIME_H

#include "pack/pack_job.h"
#include "state/state.h"

// Sets the duration of the instruction whose parts these are and whose bytes have begun to move
// (state/l1_traffic.h), and what is left to be done when it completes.
void tsr_pack_take_time(struct tsr_env *env, const struct tsr_pack_part *part, unsigned parts,
                        struct tsr_inflight *inst);
// It completes: its last bytes leave Dst, and are on their way to L1 for some cycles more.
void tsr_pack_begin_drain(struct tsr_env *env, const struct tsr_inflight *inst);

#endif
