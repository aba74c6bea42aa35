// SPDX-License-Identifier: Apache-2.0
// Instructions of the simple and round sub-units that work on each lane alone
// (vector_lanewise.c), and SFPLOADI.
#ifndef TESSERA_VECTOR_VECTOR_LANEWISE_H
#define TESSERA_VECTOR_VECTOR_LANEWISE_H

#include "vector/vector_call.h"

tsr_vector_run_fn tsr_vector_run_loadi;
tsr_vector_run_fn tsr_vector_run_and, tsr_vector_run_or, tsr_vector_run_xor, tsr_vector_run_not;
tsr_vector_run_fn tsr_vector_run_abs, tsr_vector_run_lz, tsr_vector_run_iadd, tsr_vector_run_shft;
tsr_vector_run_fn tsr_vector_run_divp2, tsr_vector_run_exexp, tsr_vector_run_exman;
tsr_vector_run_fn tsr_vector_run_setexp, tsr_vector_run_setman, tsr_vector_run_setsgn;
tsr_vector_run_fn tsr_vector_run_cast, tsr_vector_run_stoch_rnd, tsr_vector_run_arecip;

#endif
