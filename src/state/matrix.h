// SPDX-License-Identifier: Apache-2.0
// What the matrix unit keeps between instructions besides its counters and banks, and what the
// vector unit's configuration selects. Pages: SHIFTXA.md ("HardwareBug"), VectorUnit.md ("PRNG"),
// SFPCONFIG.md ("LaneConfig"), MOVA2D.md.
#ifndef TESSERA_STATE_MATRIX_H
#define TESSERA_STATE_MATRIX_H

#include "base/random.h"

struct tsr_matrix {
    uint8_t srca_row;      // where the last instruction that computed one began in SrcA
    uint32_t random, seed; // of stochastic rounding (decision 15)
    // Columns that moves leave alone: bit 2i + j is bit j of BLOCK_DEST_MOV of LaneConfig[i]. Who
    // writes LaneConfig keeps it in step.
    uint16_t kept_columns;
};

// A stream of its own.
static inline void tsr_matrix_seed(struct tsr_matrix *matrix, uint64_t seed)
{
    matrix->random = matrix->seed = tsr_prng_begin(seed ^ 0x4d415448u);
}

#endif
