// SPDX-License-Identifier: Apache-2.0
// The commands of `tessera`. Each sits in its own file cmd_*.c (`asm` beside `disasm`), gets argv
// with its own name in front, and returns an exit status. docs/cli.md says the same as their rows
// at more length.
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "common/command.h"

int cmd_run(int argc, char **argv);
int cmd_explore(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_disasm(int argc, char **argv);
int cmd_asm(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_locate(int argc, char **argv);
int cmd_status(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_kernel_header(int argc, char **argv);

extern const struct command command_run, command_explore, command_check, command_disasm,
    command_asm, command_explain, command_locate, command_status, command_diff,
    command_kernel_header;

#endif
