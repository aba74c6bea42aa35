// SPDX-License-Identifier: Apache-2.0
// Tables for `tessera explain` that are asked of the library: the conversions that unpackers and
// packers have, and the constants that an instruction's operands take.
#ifndef CLI_EXPLAIN_TABLES_H
#define CLI_EXPLAIN_TABLES_H

#include <tessera/tessera.h>

// Prints nothing for a code that is about something else.
void print_legal_pairs(const char *code, const bool archs[TSR_ARCH_COUNT]);
// Prints nothing if no operand has named values.
void print_constants(const tsr_instruction_info *info, tsr_arch arch);

#endif
