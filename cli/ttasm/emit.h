// SPDX-License-Identifier: Apache-2.0
// Statements that become words of the current thread: instructions and `cfg`.
#ifndef CLI_EMIT_H
#define CLI_EMIT_H

#include "ttasm/assembler.h"

// A null pointer if the instruction has no operand of that name.
const tsr_operand_info *find_operand(const tsr_instruction_info *info, const char *name);

bool emit_word(struct cursor *cursor, uint32_t word);
bool instruction_statement(struct cursor *cursor);
bool cfg_statement(struct cursor *cursor);

#endif
