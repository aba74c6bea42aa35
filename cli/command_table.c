// SPDX-License-Identifier: Apache-2.0
// The table of commands, apart from main() so that tests can call what uses it.
#include "command_help.h"
#include "commands.h"

#include <stddef.h>
#include <string.h>

static const struct command commands[] = {
    {"run", cmd_run, "run a .ttasm program on arrays", help_run},
    {"check", cmd_check, "run conformance cases and numeric vectors", help_check},
    {"disasm", cmd_disasm, "instruction words to text", help_disasm},
    {"asm", cmd_asm, "text to instruction words", help_asm},
    {"explain", cmd_explain, "an instruction, field, finding or format", help_explain},
    {"status", cmd_status, "what is implemented, as Markdown", help_status},
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

const struct command *command_find(const char *name)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(name, commands[i].name) == 0)
            return &commands[i];
    return NULL;
}

const struct command *command_at(int index)
{
    return index >= 0 && index < COMMAND_COUNT ? &commands[index] : NULL;
}
