// SPDX-License-Identifier: Apache-2.0
// The commands of `tessera`. Each sits in its own file cmd_*.c (`asm` beside `disasm`), gets argv
// with its own name in front, and returns an exit status. Its help is what `tessera NAME --help`
// prints; docs/cli.md says the same at more length.
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

int cmd_run(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_disasm(int argc, char **argv);
int cmd_asm(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_status(int argc, char **argv);

extern const char help_run[], help_check[], help_disasm[], help_asm[], help_explain[],
    help_status[];

#endif
