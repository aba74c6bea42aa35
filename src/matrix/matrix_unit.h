// SPDX-License-Identifier: Apache-2.0
// The matrix unit (FPU) as the gate and the engine see it. Page: MatrixUnit.md.
#ifndef TESSERA_MATRIX_MATRIX_UNIT_H
#define TESSERA_MATRIX_MATRIX_UNIT_H

#include "state/unit.h"

extern const struct tsr_unit_ops tsr_matrix_ops;

#endif
