// SPDX-License-Identifier: Apache-2.0
// What authors of kernels in C need of a chip, printed from the machine's rows: a header with
// instruction words, configuration fields, constants and addresses, and a linker script for each
// baby core. include/tessera/kernel/kernel.h builds on the header.
#ifndef CLI_KERNEL_HEADER_H
#define CLI_KERNEL_HEADER_H

#include <tessera/tessera.h>

#include <stdio.h>

// The core whose program is called so (tsr_core_program_name()); -1 if there is none.
int kernel_core_find(const char *name);

void kernel_header_print(FILE *file, tsr_arch arch);
void linker_script_print(FILE *file, tsr_arch arch, tsr_core core);

#endif
