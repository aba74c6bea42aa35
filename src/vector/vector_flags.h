// SPDX-License-Identifier: Apache-2.0
// Instructions on lane flags and their stack (vector_flags.c).
#ifndef TESSERA_VECTOR_VECTOR_FLAGS_H
#define TESSERA_VECTOR_VECTOR_FLAGS_H

#include "vector/vector_call.h"

tsr_vector_run_fn tsr_vector_run_encc, tsr_vector_run_setcc, tsr_vector_run_le, tsr_vector_run_gt;
tsr_vector_run_fn tsr_vector_run_pushc, tsr_vector_run_popc, tsr_vector_run_compc;

#endif
