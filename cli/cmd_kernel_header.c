// SPDX-License-Identifier: Apache-2.0
// `tessera kernel-header`: what a C compiler for the baby cores needs of a chip.
#include "commands.h"
#include "common/cli_options.h"
#include "kernel/kernel_header.h"

#include <stdio.h>

enum header_option { HEADER_ARCH, HEADER_LINKER_SCRIPT, HEADER_OPTIONS };

static const struct option_row header_options[HEADER_OPTIONS] = {
    [HEADER_ARCH] = {"arch", "wh|bh", "the chip", "wh bh", false},
    [HEADER_LINKER_SCRIPT] = {"linker-script", "CORE",
                              "instead of the header the linker script of brisc, trisc0, trisc1, "
                              "trisc2 or ncrisc",
                              "brisc trisc0 trisc1 trisc2 ncrisc", false},
};

const struct command command_kernel_header = {
    .name = "kernel-header",
    .run = cmd_kernel_header,
    .summary = "header and linker scripts for kernels in C",
    .usage = "--arch wh|bh [--linker-script CORE]",
    .text = "Prints a C header with the chip's instruction words, configuration fields, constants "
            "and addresses, made of the same rows as the simulator; <tessera/kernel/kernel.h> "
            "builds on it. Both are installed with the command, and so are the linker scripts.",
    .options = header_options,
    .option_count = HEADER_OPTIONS,
    .operands = OPERAND_WORDS,
    .words = "",
};

int cmd_kernel_header(int argc, char **argv)
{
    struct tile_choice choice = {.arch_given = false};
    struct message why;
    int core = -1;

    for (int option; (option = next_option(&command_kernel_header, argc, argv)) != OPTION_END;) {
        if (option < 0)
            return option == OPTION_BAD ? STATUS_BAD_INPUT : STATUS_OK;
        if (option == HEADER_ARCH && !choose_arch(&choice, optarg, &why))
            return report_message(&why);
        if (option == HEADER_LINKER_SCRIPT && (core = kernel_core_find(optarg)) < 0)
            return report_bad_input("--linker-script: no core is called '%s' (brisc, trisc0, "
                                    "trisc1, trisc2 or ncrisc)",
                                    optarg);
    }
    if (optind != argc)
        return report_bad_input("kernel-header: it reads no file '%s'", argv[optind]);
    if (!choice.arch_given)
        return report_bad_input(
            "kernel-header: the architecture is missing: --arch wh or --arch bh");
    if (core < 0)
        kernel_header_print(stdout, choice.options.arch);
    else
        linker_script_print(stdout, choice.options.arch, (tsr_core)core);
    return STATUS_OK;
}
