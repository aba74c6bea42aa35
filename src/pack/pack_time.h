// SPDX-License-Identifier: Apache-2.0
// How long a PACR keeps the packers, with timing on, and when what it has packed is in L1.
// Pages: Packers/README.md, L1.md (ports); figures and their sources: machine/timing.def.
#ifndef TESSERA_PACK_PACK_TIME_H
#define TESSERA_PACK_PACK_TIME_H

#include "pack/pack_job.h"
#include "state/l1_traffic.h"

// Notes when what is packed will be in L1, on a chip where that takes time.
void tsr_pack_note_drain(struct tsr_env *env, const struct tsr_pack_part *part, unsigned parts);
void tsr_pack_start_drain(struct tsr_env *env, const struct tsr_inflight *inst);

// Sets the duration of the instruction whose parts these are and whose bytes have begun to move,
// and notes what is left to be done when it completes.
static inline void tsr_pack_take_time(struct tsr_env *env, const struct tsr_pack_part *part,
                                      unsigned parts, struct tsr_inflight *inst)
{
    const uint16_t *rate = env->isa->rate;
    const uint32_t cycles = tsr_l1_cycles(env, TSR_L1_PACKER0, TSR_PACKERS);
    const uint32_t least = rate[RATE_PACK_CYCLES_LEAST];
    inst->duration = (cycles > least ? cycles : least) + rate[RATE_PACK_IDLE_CYCLES];
    if (rate[RATE_PACK_TO_L1_CYCLES] > 0 && cycles > 0)
        tsr_pack_note_drain(env, part, parts);
}
// It completes: its last bytes leave Dst, and are on their way to L1 for some cycles more.
static inline void tsr_pack_begin_drain(struct tsr_env *env, const struct tsr_inflight *inst)
{
    if (env->state->queues.drain.next_cycles > 0)
        tsr_pack_start_drain(env, inst);
}

#endif
