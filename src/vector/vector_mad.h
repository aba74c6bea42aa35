// SPDX-License-Identifier: Apache-2.0
// Instructions of the MAD sub-unit (vector_mad.c).
#ifndef TESSERA_VECTOR_VECTOR_MAD_H
#define TESSERA_VECTOR_VECTOR_MAD_H

#include "vector/vector_call.h"

tsr_vector_run_fn tsr_vector_run_mad; // SFPADD and SFPMUL, too
tsr_vector_run_fn tsr_vector_run_muli, tsr_vector_run_addi, tsr_vector_run_mul24;
tsr_vector_run_fn tsr_vector_run_lut; // SFPLUTFP32, too

#endif
