// SPDX-License-Identifier: Apache-2.0
// Help as text of at most 90 columns: usage, what the command does, options, exit statuses.
#include "common/help.h"

#include "common/message.h"

#include <stdio.h>
#include <string.h>

enum { LINE_WIDTH = 90, OPTION_COLUMN = 25, COMMAND_COLUMN = 14, STATUS_COLUMN = 4 };

const char help_tool[] =
    "A simulator of a Tenstorrent Tensix tile and its chip (Wormhole B0, Blackhole A0).";
const char help_no_colour[] =
    "If it is set and not empty, nothing is coloured. Without it, colours go to terminals only.";

const char *status_meaning(int status)
{
    static const char *const meanings[] = {
        [STATUS_OK] = "success",
        [STATUS_BROKEN] = "the program broke a rule that stopped it, hung, used up its cycles, or "
                          "has a finding that --findings-fail names; check: a case failed; "
                          "explore: a run differs; diff: "
                          "the dumps differ",
        [STATUS_BAD_INPUT] = "wrong input: one sentence on stderr with place, reason and word",
        [STATUS_INTERNAL] = "an internal fault, or no memory",
        [STATUS_LACKING] = ("the program may be right, but Tessera cannot run it: what stopped it "
                            "is unimplemented, or specified nowhere"),
        [STATUS_IO] = "a file or a stream cannot be opened, read or written",
    };

    return status < (int)(sizeof meanings / sizeof meanings[0]) ? meanings[status] : NULL;
}

// ---------------------------------------------------------------- lines

// Characters, not bytes: help has a few that take more than one.
static int width_of(const char *text, size_t size)
{
    int width = 0;

    for (size_t i = 0; i < size; i++)
        width += ((unsigned char)text[i] & 0xc0) != 0x80;
    return width;
}

// The words of `text` from `column` on, where the cursor is; further lines begin there, too.
// A newline in the text begins a new line.
static void print_wrapped(const char *text, int column)
{
    int at = column;

    while (*text != '\0') {
        size_t size = strcspn(text, " \n");
        int width = width_of(text, size);
        if (at > column && at + 1 + width > LINE_WIDTH) {
            printf("\n%*s", column, "");
            at = column;
        } else if (at > column) {
            putchar(' ');
            at++;
        }
        printf("%.*s", (int)size, text);
        at += width;
        text += size;
        if (*text == '\n') {
            printf(text[1] == '\n' ? "\n" : "\n%*s", column, "");
            at = column;
        }
        text += *text != '\0';
    }
    putchar('\n');
}

// `left` from column 2 on, and `right` in its column: below, if there is no room beside.
static void print_row(const char *left, const char *right, int column)
{
    int width = width_of(left, strlen(left));

    printf("  %s", left);
    if (width + 3 > column)
        printf("\n%*s", column, "");
    else
        printf("%*s", column - width - 2, "");
    print_wrapped(right, column);
}

// ---------------------------------------------------------------- pages

static void print_statuses(void)
{
    printf("\nExit status:\n");
    for (int status = 0; status_meaning(status) != NULL; status++) {
        char left[16];
        snprintf(left, sizeof left, "%d", status);
        print_row(left, status_meaning(status), STATUS_COLUMN + 1);
    }
}

static void print_usage(const struct command *command)
{
    const char *begin = "usage:";

    for (const char *form = command->usage; form != NULL; begin = "      ") {
        size_t size = strcspn(form, "\n");
        printf("%s tessera %s %.*s\n", begin, command->name, (int)size, form);
        form = form[size] == '\0' ? NULL : form + size + 1;
    }
}

void help_print(const struct command *command)
{
    print_usage(command);
    putchar('\n');
    print_wrapped(command->text, 0);
    if (command->option_count > 0)
        putchar('\n');
    for (int i = 0; i < command->option_count; i++) {
        const struct option_row *row = &command->options[i];
        char left[80];
        if (row->value == NULL)
            snprintf(left, sizeof left, "--%s", row->name);
        else
            snprintf(left, sizeof left, row->may_lack_value ? "--%s[=%s]" : "--%s %s", row->name,
                     row->value);
        print_row(left, row->help, OPTION_COLUMN);
    }
    print_statuses();
}

void help_print_all(const struct command *const commands[], int count)
{
    puts("usage: tessera COMMAND [OPTION…] [FILE…]\n"
         "       tessera COMMAND --help, tessera help COMMAND\n"
         "       tessera --help, -h\n"
         "       tessera --version, -V\n");
    print_wrapped(help_tool, 0);
    putchar('\n');
    for (int i = 0; i < count; i++)
        print_row(commands[i]->name, commands[i]->summary, COMMAND_COLUMN);
    print_statuses();
    puts("\nEnvironment:");
    print_row("NO_COLOR", help_no_colour, COMMAND_COLUMN);
}
