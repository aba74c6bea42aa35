// SPDX-License-Identifier: Apache-2.0
// Moves between LRegs and between lanes (vector_moves.c).
#ifndef TESSERA_VECTOR_VECTOR_MOVES_H
#define TESSERA_VECTOR_VECTOR_MOVES_H

#include "vector/vector_call.h"

enum { TSR_VECTOR_SWAP_MODES = 10 }; // that SFPSWAP has

tsr_vector_run_fn tsr_vector_run_mov, tsr_vector_run_swap, tsr_vector_run_transp;
tsr_vector_run_fn tsr_vector_run_shft2;

#endif
