// SPDX-License-Identifier: Apache-2.0
// The assembler: a .ttasm file becomes a program (docs/ttasm.md).
#ifndef CLI_TTASM_H
#define CLI_TTASM_H

#include "ttasm/program.h"

// Reads and assembles the file, arrays of --in included. On failure `why` has the sentence with
// file, line and word, and nothing has to be freed.
bool ttasm_assemble(const char *path, tsr_arch arch, struct ttasm_files *files,
                    struct ttasm_program *program, struct message *why);

// The same for `tessera asm`, which wants the words and nothing else: what stands before the first
// .thread is thread 0's, a program may be empty, and it has no tensors.
bool ttasm_assemble_words(const char *path, tsr_arch arch, struct ttasm_program *program,
                          struct message *why);

#endif
