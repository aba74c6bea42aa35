// SPDX-License-Identifier: Apache-2.0
// The commands of `tessera`. Each sits in its own file cmd_*.c and gets argv with its own name in
// front.
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary; // one line of `tessera --help`
    const char *help;    // all of `tessera NAME --help`
};

// The command of that name, or at that place of the table; a null pointer if there is none.
const struct command *command_find(const char *name);
const struct command *command_at(int index);

int cmd_run(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_disasm(int argc, char **argv);
int cmd_asm(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_status(int argc, char **argv);

#endif
