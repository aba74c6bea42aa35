// SPDX-License-Identifier: Apache-2.0
// The `tessera` command: finds the command by its name and hands over, and sees to it that what was
// printed has arrived. Everything that a command needs goes through include/tessera.
#include "commands.h"

#include "common/cli_options.h"
#include "common/help.h"
#include "common/nearest.h"
#include "pages/completion.h"
#include "pages/man_page.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int cmd_help(int argc, char **argv);
static int cmd_man(int argc, char **argv);
static int cmd_completion(int argc, char **argv);

static const struct command command_help = {
    .name = "help",
    .run = cmd_help,
    .summary = "what a command does",
    .usage = "[COMMAND]",
    .text = "Prints what COMMAND --help does; without a COMMAND all commands.",
    .operands = OPERAND_COMMANDS,
};

static const struct option_row man_options[] = {
    {"list", NULL, "print the names of all pages", NULL, false},
};

static const struct command command_man = {
    .name = "man",
    .run = cmd_man,
    .summary = "a manual page, as roff",
    .usage = "[COMMAND]\n--list",
    .text =
        "Prints tessera-COMMAND(1), or tessera(1) without a COMMAND, as `man -l -` reads it. The "
        "pages are made of what --help prints, and installed with the tool.",
    .options = man_options,
    .option_count = 1,
    .operands = OPERAND_COMMANDS,
};

static const struct command command_completion = {
    .name = "completion",
    .run = cmd_completion,
    .summary = "a script that completes words in a shell",
    .usage = "bash|zsh|fish",
    .text = "Prints the script for that shell. It is installed with the tool; without an "
            "installation, `eval \"$(tessera completion bash)\"` has its effect in one shell.",
    .operands = OPERAND_WORDS,
    .words = "bash zsh fish",
};

static const struct command *const commands[] = {
    &command_run,           &command_explore, &command_check,  &command_disasm,
    &command_asm,           &command_explain, &command_locate, &command_diff,
    &command_kernel_header, &command_status,  &command_help,   &command_man,
    &command_completion,
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static const struct command *find_command(const char *name)
{
    struct nearest nearest = nearest_to(name);

    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(name, commands[i]->name) == 0)
            return commands[i];
        nearest_offer(&nearest, commands[i]->name);
    }
    report_bad_input("unknown command '%s'%s; see tessera --help", name,
                     nearest_text(&nearest).text);
    return NULL;
}

static int cmd_help(int argc, char **argv)
{
    for (int option; (option = next_option(&command_help, argc, argv)) != OPTION_END;)
        return option == OPTION_BAD ? STATUS_BAD_INPUT : STATUS_OK;
    if (argc - optind > 1)
        return report_bad_input("help: one COMMAND at most");
    if (argc == optind) {
        help_print_all(commands, COMMAND_COUNT);
        return STATUS_OK;
    }
    const struct command *command = find_command(argv[optind]);
    if (command == NULL)
        return STATUS_BAD_INPUT;
    help_print(command);
    return STATUS_OK;
}

static int cmd_man(int argc, char **argv)
{
    bool list = false;

    for (int option; (option = next_option(&command_man, argc, argv)) != OPTION_END; list = true)
        if (option < 0)
            return option == OPTION_BAD ? STATUS_BAD_INPUT : STATUS_OK;
    if (argc - optind > (list ? 0 : 1))
        return report_bad_input("man: one COMMAND at most, and none with --list");
    if (list) {
        puts("tessera");
        for (int i = 0; i < COMMAND_COUNT; i++)
            printf("tessera-%s\n", commands[i]->name);
        return STATUS_OK;
    }
    if (argc == optind) {
        man_page_all(commands, COMMAND_COUNT);
        return STATUS_OK;
    }
    const struct command *command = find_command(argv[optind]);
    if (command == NULL)
        return STATUS_BAD_INPUT;
    man_page(command, commands, COMMAND_COUNT);
    return STATUS_OK;
}

static int cmd_completion(int argc, char **argv)
{
    for (int option; (option = next_option(&command_completion, argc, argv)) != OPTION_END;)
        return option == OPTION_BAD ? STATUS_BAD_INPUT : STATUS_OK;
    if (argc - optind != 1)
        return report_bad_input("completion: exactly one shell is needed: bash, zsh or fish");
    return completion_print(argv[optind], commands, COMMAND_COUNT)
               ? STATUS_OK
               : report_bad_input("completion: no shell is called '%s' (bash, zsh or fish)",
                                  argv[optind]);
}

static int run_command(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";

    if (argc < 2)
        return report_bad_input("a command is missing; see tessera --help");
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        printf("tessera %s\n", tsr_version());
        return STATUS_OK;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        help_print_all(commands, COMMAND_COUNT);
        return STATUS_OK;
    }
    const struct command *command = find_command(word);
    return command == NULL ? STATUS_BAD_INPUT : command->run(argc - 1, argv + 1);
}

// A file must not get the number of a standard stream that was closed. What takes its place fails:
// the input cannot be read, the output cannot be written.
static void open_standard_streams(void)
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) < 0)
            (void)!open("/dev/null", stream == STDOUT_FILENO ? O_RDONLY : O_WRONLY);
}

// What was printed counts only when it has arrived.
static int close_output(int status)
{
    bool failed = ferror(stdout) != 0;
    struct message why;

    errno = 0;
    if ((fclose(stdout) == 0 && !failed) || status == STATUS_IO) // which has been reported
        return status;
    message_io(&why, "-", "written", errno);
    return report_message(&why);
}

int main(int argc, char **argv)
{
    open_standard_streams();
    return close_output(run_command(argc, argv));
}
