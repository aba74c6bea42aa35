// SPDX-License-Identifier: Apache-2.0
// The `tessera` command: finds the command by its name and hands over. Everything that a command
// needs goes through include/tessera.
#include "commands.h"

#include "common/message.h"

#include <tessera/tessera.h>

#include <stdio.h>
#include <string.h>

static int print_help(void)
{
    puts("usage: tessera COMMAND [OPTION…] [FILE…]\n"
         "       tessera COMMAND --help\n"
         "       tessera --version\n\n"
         "A simulator of one Tenstorrent Tensix tile (Wormhole B0, Blackhole A0).\n");
    for (int i = 0; command_at(i) != NULL; i++)
        printf("  %-9s %s\n", command_at(i)->name, command_at(i)->summary);
    puts("\nExit status: 0 well, 1 a rule was broken, 2 wrong input, 3 internal fault.");
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
    const struct command *command = command_find(word);
    if (command == NULL)
        return report_bad_input("unknown command '%s'; see tessera --help", word);
    if (argc > 2 && strcmp(argv[2], "--help") == 0) {
        fputs(command->help, stdout);
        return STATUS_OK;
    }
    return command->run(argc - 1, argv + 1);
}
