// SPDX-License-Identifier: Apache-2.0
// Instructions of the simple and round sub-units that work on each lane alone
// (vector_lanewise.c), and SFPLOADI.
#ifndef TESSERA_VECTOR_VECTOR_LANEWISE_H
#define TESSERA_VECTOR_VECTOR_LANEWISE_H

#include "vector/vector_call.h"

// SFPLOADI's modes, a bit each.
enum {
    TSR_VECTOR_LOADI_MODES = 1 << SFPLOADI_MOD0_FLOATB | 1 << SFPLOADI_MOD0_FLOATA |
                             1 << SFPLOADI_MOD0_USHORT | 1 << SFPLOADI_MOD0_SHORT |
                             1 << SFPLOADI_MOD0_UPPER | 1 << SFPLOADI_MOD0_LOWER
};

tsr_vector_run_fn tsr_vector_run_lanewise; // without flags, random bits and modes of their own
tsr_vector_run_fn tsr_vector_run_loadi, tsr_vector_run_cast, tsr_vector_run_stoch_rnd;
tsr_vector_run_fn tsr_vector_run_iadd, tsr_vector_run_exexp, tsr_vector_run_lz;

// AdvancePRNG of the lanes in which the instruction acts: what each had before.
void tsr_vector_draw(const struct tsr_vector_call *call, uint32_t lanes,
                     uint32_t random[TSR_LANES]);

#endif
