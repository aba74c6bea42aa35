// SPDX-License-Identifier: Apache-2.0
// The `tessera` command: finds the command by its name and hands over, and sees to it that what was
// printed has arrived. Everything that a command needs goes through include/tessera.
#include "commands.h"

#include "common/cli_options.h"
#include "common/help.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int cmd_help(int argc, char **argv);

static const struct command command_help = {
    .name = "help",
    .run = cmd_help,
    .summary = "what a command does",
    .usage = "[COMMAND]",
    .text = "Prints what COMMAND --help does; without a COMMAND all commands.",
    .operands = OPERAND_COMMANDS,
};

static const struct command *const commands[] = {
    &command_run,     &command_check,  &command_disasm, &command_asm,
    &command_explain, &command_status, &command_help,
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static const struct command *find_command(const char *name)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(name, commands[i]->name) == 0)
            return commands[i];
    report_bad_input("unknown command '%s'; see tessera --help", name);
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

// A file must not get the number of a standard stream that was closed.
static void open_standard_streams(void)
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) < 0)
            (void)!open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
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
