// SPDX-License-Identifier: Apache-2.0
// What SFPLOADMACRO schedules (vector_macro_schedule.c). Page: SFPLOADMACRO.md of each chip.
#ifndef TESSERA_VECTOR_VECTOR_MACRO_SCHEDULE_H
#define TESSERA_VECTOR_VECTOR_MACRO_SCHEDULE_H

#include "vector/vector_call.h"

enum { TSR_MACRO_FIRST_SUB = TSR_SUB_SIMPLE }; // those behind it have instructions scheduled

// What the sequence that the SFPLOADMACRO names has for each sub-unit. False: a finding stopped.
bool tsr_macro_schedule(const struct tsr_vector_call *call);
// A cycle is over: all that is scheduled comes a cycle sooner.
void tsr_macro_count_down(struct tsr_macro *macro);
// Slots have changed: how many instructions they hold, and which of them wait for others.
void tsr_macro_recount(struct tsr_macro *macro);

#endif
