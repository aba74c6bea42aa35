// SPDX-License-Identifier: Apache-2.0
// The table of the matrix unit's instructions: what each waits for, and its steps. Page:
// MatrixUnit.md.
#ifndef TESSERA_MATRIX_MATRIX_OPERATIONS_H
#define TESSERA_MATRIX_MATRIX_OPERATIONS_H

#include "matrix/matrix_plan.h"

struct tsr_matrix_operation {
    uint8_t waits; // sides whose bank the gate waits for
    bool modes;    // depends on formats and on where Dst begins
    tsr_matrix_sample_fn *sample;
    tsr_matrix_sample_fn *step; // counter updates
    tsr_matrix_run_fn *run;     // NULL: not an instruction of the unit
};

extern const struct tsr_matrix_operation tsr_matrix_operations[OP_COUNT];

// Operands and configuration into the job. The counters stay.
void tsr_matrix_sample(struct tsr_matrix_call *call, const struct tsr_matrix_operation *operation);
// Whether the instruction leaves its row of SrcA in struct tsr_matrix.
bool tsr_matrix_has_row_of_srca(uint8_t op);

#endif
