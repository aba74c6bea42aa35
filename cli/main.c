// SPDX-License-Identifier: Apache-2.0
// The `tessera` command: finds the command by its name and hands over. Everything that a command
// needs goes through include/tessera.
#include "commands.h"

#include "common/message.h"

#include <tessera/tessera.h>

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary, *help;
} commands[] = {
    {"run", cmd_run, "run a .ttasm program on arrays", help_run},
    {"check", cmd_check, "run conformance cases and numeric vectors", help_check},
    {"disasm", cmd_disasm, "instruction words to text", help_disasm},
    {"asm", cmd_asm, "text to instruction words", help_asm},
    {"explain", cmd_explain, "an instruction, field, finding or format", help_explain},
    {"status", cmd_status, "what is implemented, as Markdown", help_status},
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static int print_help(void)
{
    puts("usage: tessera COMMAND [OPTION…] [FILE…]\n"
         "       tessera COMMAND --help\n"
         "       tessera --version\n\n"
         "A simulator of one Tenstorrent Tensix tile (Wormhole B0, Blackhole A0).\n");
    for (int i = 0; i < COMMAND_COUNT; i++)
        printf("  %-9s %s\n", commands[i].name, commands[i].summary);
    puts("\nExit status: 0 success, 1 a rule was broken, 2 wrong input, 3 internal fault.");
    return STATUS_OK;
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";

    if (argc < 2)
        return report_bad_input("a command is missing; see tessera --help");
    if (strcmp(word, "--version") == 0) {
        printf("tessera %s\n", tsr_version());
        return STATUS_OK;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0)
        return print_help();
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(word, commands[i].name) != 0)
            continue;
        if (argc <= 2 || strcmp(argv[2], "--help") != 0)
            return commands[i].run(argc - 1, argv + 1);
        fputs(commands[i].help, stdout);
        return STATUS_OK;
    }
    return report_bad_input("unknown command '%s'; see tessera --help", word);
}
