// SPDX-License-Identifier: Apache-2.0
// The scalar unit's operations, for the frontend. Page: ScalarUnit.md.
#ifndef TESSERA_CONTROL_SCALAR_UNIT_H
#define TESSERA_CONTROL_SCALAR_UNIT_H

#include "state/unit.h"

extern const struct tsr_unit_ops tsr_scalar_ops;

// Writes the results of loads and atomics that are due. True if there were any.
bool tsr_scalar_deliver(struct tsr_env *env);
// Forgets them, and what is outstanding (a soft reset, after tsr_queue_abort()).
void tsr_scalar_forget(struct tsr_env *env);
// No instruction of the thread passes the gate while the unit works on one of its (ScalarUnit.md).
bool tsr_scalar_holds(const struct tsr_state *state, int thread);

#endif
