// SPDX-License-Identifier: Apache-2.0
// What SFPLOADMACRO schedules, and the cycles in which that executes (vector_macro.c).
#ifndef TESSERA_VECTOR_VECTOR_MACRO_H
#define TESSERA_VECTOR_VECTOR_MACRO_H

#include "vector/vector_call.h"

// Whether the next instruction shares its cycle with scheduled ones, or follows too closely.
static inline bool tsr_macro_pending(const struct tsr_vector *vector)
{
    return (vector->macro.scheduled | vector->macro.late[0].lregs) != 0;
}

// Something will execute without another instruction: the unit is at work.
static inline bool tsr_macro_runs_on(const struct tsr_vector *vector)
{
    return vector->macro.scheduled > vector->macro.waiting || vector->macro.late[0].lregs;
}

// The cycles since the last instruction, and the one of this instruction. False: a finding stopped.
bool tsr_macro_execute(struct tsr_vector_call *call);
// Cycles without an instruction: all up to `until` (timing on), or until nothing runs on.
bool tsr_macro_go_on(struct tsr_env *env, uint64_t until);
// A soft reset: forgets everything that is scheduled.
void tsr_macro_forget(struct tsr_vector *vector);

#endif
