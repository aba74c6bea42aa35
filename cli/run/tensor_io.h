// SPDX-License-Identifier: Apache-2.0
// Tensors between files and a tile's L1.
#ifndef CLI_TENSOR_IO_H
#define CLI_TENSOR_IO_H

#include "common/out_file.h"
#include "ttasm/program.h"

// Every tensor with an --in into L1.
bool tensors_to_l1(const struct ttasm_program *program, tsr_tile *tile, struct message *why);

struct tensor_outputs {
    struct out_file *files; // one a tensor; those without an --out stay closed
    size_t count;
};

// To be called before the run, so that a folder that cannot be written to costs no run.
bool outputs_open(struct tensor_outputs *outputs, const struct ttasm_program *program,
                  struct message *why);
// Reads L1, writes all arrays, and only then moves them to their names.
bool outputs_commit(struct tensor_outputs *outputs, const struct ttasm_program *program,
                    const tsr_tile *tile, struct message *why);
void outputs_discard(struct tensor_outputs *outputs);

#endif
