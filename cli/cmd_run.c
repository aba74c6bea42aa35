// SPDX-License-Identifier: Apache-2.0
// `tessera run`: what its options ask for runs on one tile (run_tile.c) or on the tiles of a chip
// (run_chip.c). Options and exit statuses: docs/cli.md.
#include "commands.h"
#include "common/cli_options.h"
#include "run_options.h"

#include <stdlib.h>
#include <unistd.h>

const struct command command_run = {
    .name = "run",
    .run = cmd_run,
    .summary = "run a .ttasm program on arrays, or compiled kernels",
    .usage = "PROGRAM.ttasm --arch wh|bh [OPTION…]\n"
             "--elf CORE=FILE[,CORE=FILE…] --arch wh|bh [--load FILE@ADDRESS…] [OPTION…]\n"
             "--chip wh|bh --elf X,Y:CORE=FILE[,CORE=FILE…] [--noc-write X,Y:ADDRESS=FILE…] "
             "[OPTION…]\n"
             "--grid FILE.yaml [--chip wh|bh] [OPTION…]",
    .text = "Assembles the program, puts its arrays into L1, runs it, writes its arrays and "
            "reports.\n\n"
            "With --elf it loads executables for the baby cores, starts brisc, or without it all "
            "cores that have a program, and runs them until all have come to their end.\n\n"
            "With --chip or --grid it does so on tiles of a whole chip, which share its NoCs and "
            "its DRAM, or of several chips that Ethernet links connect.\n\n"
            "- instead of one input file is the standard input, and instead of one output file "
            "the standard output; the report goes to stderr then.",
    .options = run_options,
    .option_count = RUN_OPTIONS,
    .operands = OPERAND_FILES,
};

// The options in their order. Their number, or OPTION_BAD or OPTION_HELP.
static int collect(struct given_option *given, int argc, char **argv)
{
    int count = 0;

    for (int option; (option = next_option(&command_run, argc, argv)) != OPTION_END;) {
        if (option == OPTION_BAD || option == OPTION_HELP)
            return option;
        given[count++] = (struct given_option){option, optarg};
    }
    return count;
}

static bool wants_chip(const struct given_option *given, int count)
{
    for (int i = 0; i < count; i++)
        if (given[i].option == RUN_CHIP || given[i].option == RUN_GRID)
            return true;
    return false;
}

int cmd_run(int argc, char **argv)
{
    struct given_option *given = calloc((size_t)argc + 1, sizeof *given);

    if (given == NULL)
        return report_no_memory("run");
    int count = collect(given, argc, argv);
    int status =
        count == OPTION_BAD         ? STATUS_BAD_INPUT
        : count == OPTION_HELP      ? STATUS_OK
        : !wants_chip(given, count) ? run_tile(given, count, argc, argv)
        : optind == argc
            ? run_chip(given, count)
            : report_bad_input("run: with --chip or --grid there is no program '%s'", argv[optind]);
    free(given);
    return status;
}
