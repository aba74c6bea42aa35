// SPDX-License-Identifier: Apache-2.0
// The vector unit (SFPU) as the gate and the engine see it. Page: VectorUnit.md of each chip.
#ifndef TESSERA_VECTOR_VECTOR_UNIT_H
#define TESSERA_VECTOR_VECTOR_UNIT_H

#include "state/unit.h"

extern const struct tsr_unit_ops tsr_vector_ops;

// What the unit keeps of configuration and words: struct tsr_vector_plans of vector_plan.h.
struct tsr_vector_plans *tsr_vector_plans_create(void);
void tsr_vector_plans_clear(struct tsr_vector_plans *plans);
void tsr_vector_plans_destroy(struct tsr_vector_plans *plans); // NULL is allowed

#endif
