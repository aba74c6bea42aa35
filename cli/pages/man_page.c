// SPDX-License-Identifier: Apache-2.0
// Manual pages in the macros of man(7).
#include "pages/man_page.h"

#include "common/help.h"

#include <tessera/tessera.h>

#include <ctype.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- text

// What roff would take for a command, a font change or another character is escaped.
static void put_text(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        bool begins = i == 0 || text[i - 1] == '\n';
        if (begins && (text[i] == '.' || text[i] == '\''))
            fputs("\\&", stdout);
        switch (text[i]) {
        case '\\':
            fputs("\\e", stdout);
            break;
        case '-':
            fputs("\\-", stdout);
            break;
        case '\'':
            fputs("\\(aq", stdout);
            break;
        case '`':
            fputs("\\(ga", stdout);
            break;
        default:
            putchar(text[i]);
        }
    }
}

static void put_paragraphs(const char *text)
{
    const char *gap;

    while ((gap = strstr(text, "\n\n")) != NULL) {
        put_text(text, (size_t)(gap - text));
        fputs("\n.PP\n", stdout);
        text = gap + 2;
    }
    put_text(text, strlen(text));
    putchar('\n');
}

static void put_name(const char *name)
{
    fputs("tessera", stdout);
    if (name != NULL) {
        putchar('-');
        put_text(name, strlen(name));
    }
}

static void put_head(const char *name, const char *summary)
{
    printf(".\\\" Made by `tessera man`.\n.TH \"TESSERA");
    for (const char *next = name; next != NULL && *next != '\0'; next++)
        printf("%s%c", next == name ? "-" : "", toupper((unsigned char)*next));
    printf("\" \"1\" \"\" \"tessera %s\" \"User Commands\"\n.SH NAME\n", tsr_version());
    put_name(name);
    fputs(" \\- ", stdout);
    put_text(summary, strlen(summary));
    putchar('\n');
}

// ---------------------------------------------------------------- sections

static void put_synopsis(const struct command *command)
{
    puts(".SH SYNOPSIS");
    for (const char *form = command->usage; form != NULL;) {
        size_t length = strcspn(form, "\n");
        printf(".B tessera %s\n", command->name);
        put_text(form, length);
        puts("\n.br");
        form = form[length] == '\0' ? NULL : form + length + 1;
    }
}

static void put_options(const struct command *command)
{
    puts(".SH OPTIONS");
    for (int i = 0; i < command->option_count; i++) {
        const struct option_row *row = &command->options[i];
        fputs(".TP\n\\fB\\-\\-", stdout);
        put_text(row->name, strlen(row->name));
        fputs("\\fR", stdout);
        if (row->value != NULL) {
            fputs(row->may_lack_value ? "[=\\fI" : " \\fI", stdout);
            put_text(row->value, strlen(row->value));
            fputs(row->may_lack_value ? "\\fR]" : "\\fR", stdout);
        }
        putchar('\n');
        put_paragraphs(row->help);
    }
    puts(".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nprint the help and exit");
}

static void put_end(const struct command *except, const struct command *const commands[], int count)
{
    puts(".SH EXIT STATUS");
    for (int status = 0; status_meaning(status) != NULL; status++) {
        printf(".TP\n.B %d\n", status);
        put_paragraphs(status_meaning(status));
    }
    puts(".SH ENVIRONMENT\n.TP\n.B NO_COLOR");
    put_paragraphs(help_no_colour);
    puts(".SH SEE ALSO");
    if (except != NULL)
        puts(".BR tessera (1),");
    for (int i = 0; i < count; i++)
        if (commands[i] != except)
            printf(".BR tessera\\-%s (1)%s\n", commands[i]->name,
                   i + 1 == count || (i + 2 == count && commands[i + 1] == except) ? "" : ",");
}

void man_page(const struct command *command, const struct command *const commands[], int count)
{
    put_head(command->name, command->summary);
    put_synopsis(command);
    puts(".SH DESCRIPTION");
    put_paragraphs(command->text);
    put_options(command);
    put_end(command, commands, count);
}

void man_page_all(const struct command *const commands[], int count)
{
    put_head(NULL, "simulate a Tenstorrent Tensix tile");
    puts(".SH SYNOPSIS\n.B tessera\n.I COMMAND\n[\\fIOPTION\\fR...] [\\fIFILE\\fR...]\n.br\n"
         ".B tessera help\n[\\fICOMMAND\\fR]\n.br\n.B tessera \\-\\-version\n.SH DESCRIPTION");
    put_paragraphs(help_tool);
    puts(".SH COMMANDS");
    for (int i = 0; i < count; i++) {
        printf(".TP\n.BR tessera\\-%s (1)\n", commands[i]->name);
        put_paragraphs(commands[i]->summary);
    }
    put_end(NULL, commands, count);
}
