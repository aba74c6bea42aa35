// SPDX-License-Identifier: Apache-2.0
// Results that are not there in the next cycle, and what keeps instructions out of the unit
// (vector_hazards.c).
#ifndef TESSERA_VECTOR_VECTOR_HAZARDS_H
#define TESSERA_VECTOR_VECTOR_HAZARDS_H

#include "vector/vector_call.h"

// With timing on: what the gate waits for. Sets *retry_at.
tsr_reason tsr_vector_ready(struct tsr_env *env, const struct tsr_inflight *inst,
                            uint64_t *retry_at);
// The instruction comes right behind one whose result is late: reports what it must not do.
bool tsr_vector_check_late(struct tsr_vector_call *call);
// It has nothing to report about what is late before it.
bool tsr_vector_late_is_quiet(const struct tsr_env *env, const struct tsr_vector_late *late,
                              const struct tsr_vector_args *args);
// Whether anything is late behind such an instruction, and what; not whose it is.
bool tsr_vector_late_behind(const struct tsr_env *env, const struct tsr_vector_args *args,
                            struct tsr_vector_late *late);
// What is late behind this instruction.
void tsr_vector_note_late(const struct tsr_vector_call *call);

// Simple and round instructions that a lane shuffle of Wormhole keeps from working.
bool tsr_vector_disturbed(const struct tsr_vector_args *args);

// Whether the unit takes nothing but SFPNOP in the cycle behind this instruction.
bool tsr_vector_holds_next(const struct tsr_env *env, const struct tsr_vector_args *args);
// With timing off: whether the instruction, which follows the last one of its thread at once, is
// held for a cycle.
bool tsr_vector_is_held(const struct tsr_env *env, const struct tsr_inflight *inst,
                        const struct tsr_vector_args *args);

static inline bool tsr_vector_is_late(const struct tsr_vector_late *late,
                                      const struct tsr_inflight *inst)
{
    return late->sequence != 0 && late->sequence + 1 == inst->sequence &&
           late->thread == inst->thread;
}

#endif
