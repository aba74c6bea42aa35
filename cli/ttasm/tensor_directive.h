// SPDX-License-Identifier: Apache-2.0
// The .tensor directive.
#ifndef CLI_TENSOR_DIRECTIVE_H
#define CLI_TENSOR_DIRECTIVE_H

#include "ttasm/assembler.h"

bool tensor_directive(struct cursor *cursor);
// Every --in and --out must have found its tensor.
bool all_files_used(struct assembler *assembler);

#endif
