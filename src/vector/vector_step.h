// SPDX-License-Identifier: Apache-2.0
// One instruction, whether it was issued or scheduled (vector_step.c).
#ifndef TESSERA_VECTOR_VECTOR_STEP_H
#define TESSERA_VECTOR_VECTOR_STEP_H

#include "vector/vector_call.h"

// Finds its lanes and what is wrong with it, and runs it. `call` has all but `able`, `lanes` and
// `taint`; of a scheduled instruction, `able`, too. `enabled`: LaneEnabled as it is read. False: a
// finding stopped it.
bool tsr_vector_step(struct tsr_vector_call *call, uint32_t enabled);

#endif
