// SPDX-License-Identifier: Apache-2.0
// Completion for bash (its manual, "Programmable Completion"), zsh (zshcompsys(1), _arguments) and
// fish (its manual, "complete").
#include "pages/completion.h"

#include <stdio.h>
#include <string.h>

// What can be explained, one a line.
#define NAMES "tessera explain --list 2>/dev/null | sed 's/.* //'"

static bool is_list(const struct option_row *row)
{
    return row->value != NULL && (strstr(row->value, "[,") != NULL || row->may_lack_value);
}

static bool names_file(const struct option_row *row)
{
    return row->value != NULL && strstr(row->value, "FILE") != NULL;
}

static bool is_binding(const struct option_row *row)
{
    return row->value != NULL && strncmp(row->value, "NAME=", 5) == 0;
}

static void put_names(const struct command *const commands[], int count)
{
    for (int i = 0; i < count; i++)
        printf("%s ", commands[i]->name);
}

// ---------------------------------------------------------------- bash

static const char bash_begin[] =
    "# Completion of tessera's words in bash; made by `tessera completion bash`.\n"
    "_tessera_words()\n{\n"
    "    mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$2\")\n}\n\n"
    "# The last of several words with commas between.\n"
    "_tessera_list()\n{\n"
    "    local before=\n"
    "    case $2 in *,*) before=${2%,*}, ;; esac\n"
    "    mapfile -t COMPREPLY < <(compgen -P \"$before\" -W \"$1\" -- \"${2##*,}\")\n}\n\n"
    "_tessera_files()\n{\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    mapfile -t COMPREPLY < <(compgen -f -- \"$1\")\n}\n\n"
    "_tessera()\n{\n"
    "    local word=${COMP_WORDS[COMP_CWORD]} place=$COMP_CWORD command=${COMP_WORDS[1]} at\n"
    "    COMPREPLY=()\n"
    "    # bash cuts --option=VALUE and NAME=FILE into three words.\n"
    "    if [ \"$word\" = = ]; then\n"
    "        word=\n"
    "        place=$((place + 1))\n"
    "    fi\n"
    "    at=$((place - 1))\n"
    "    while [ $at -gt 1 ] && [[ ${COMP_WORDS[at]} != -* ]] &&\n"
    "        { [ \"${COMP_WORDS[at]}\" = = ] || [ \"${COMP_WORDS[at + 1]}\" = = ]; }; do\n"
    "        at=$((at - 1))\n"
    "    done\n";

static void bash_option(const struct command *command, const struct option_row *row)
{
    if (row->value == NULL)
        return;
    printf("        '%s --%s')\n", command->name, row->name);
    // Such a value is part of the option's word.
    if (row->may_lack_value)
        puts("            if [ $((place - at)) -gt 1 ]; then");
    if (is_binding(row))
        puts("            if [ $((place - at)) -gt 2 ]; then _tessera_files \"$word\"; fi");
    else if (names_file(row))
        puts("            _tessera_files \"$word\"");
    else
        printf("            _tessera_%s '%s' \"$word\"\n", is_list(row) ? "list" : "words",
               row->words == NULL ? "" : row->words);
    puts(row->may_lack_value ? "                return\n            fi ;;"
                             : "            return ;;");
}

static void bash_operands(const struct command *command, const struct command *const commands[],
                          int count)
{
    printf("        %s)\n", command->name);
    switch (command->operands) {
    case OPERAND_FILES:
        puts("            _tessera_files \"$word\" ;;");
        break;
    case OPERAND_NAMES:
        puts("            _tessera_words \"$(" NAMES ")\" \"$word\" ;;");
        break;
    case OPERAND_COMMANDS:
        fputs("            _tessera_words '", stdout);
        put_names(commands, count);
        puts("' \"$word\" ;;");
        break;
    case OPERAND_WORDS:
        printf("            _tessera_words '%s' \"$word\" ;;\n", command->words);
    }
}

static void print_bash(const struct command *const commands[], int count)
{
    fputs(bash_begin, stdout);
    fputs("    if [ \"$COMP_CWORD\" = 1 ]; then\n        _tessera_words '", stdout);
    put_names(commands, count);
    puts("--help --version' \"$word\"\n        return\n    fi\n"
         "    case \"$command ${COMP_WORDS[at]}\" in");
    for (int i = 0; i < count; i++)
        for (int k = 0; k < commands[i]->option_count; k++)
            bash_option(commands[i], &commands[i]->options[k]);
    puts("    esac\n    case \"$command $word\" in");
    for (int i = 0; i < count; i++) {
        printf("        '%s '-*)\n            _tessera_words '", commands[i]->name);
        for (int k = 0; k < commands[i]->option_count; k++)
            printf("--%s ", commands[i]->options[k].name);
        puts("--help' \"$word\"\n            return ;;");
    }
    puts("    esac\n    case $command in");
    for (int i = 0; i < count; i++)
        bash_operands(commands[i], commands, count);
    puts("    esac\n}\ncomplete -F _tessera tessera");
}

// ---------------------------------------------------------------- zsh and fish

// A phrase inside single quotes: the help up to its first semicolon. `escaped` are characters that
// the shell's own language needs a backslash before; `quote` is what stands for a single quote.
static void put_phrase(const char *help, const char *escaped, const char *quote)
{
    for (; *help != '\0' && *help != ';'; help++)
        if (*help == '\'')
            fputs(quote, stdout);
        else
            printf("%s%c", strchr(escaped, *help) != NULL ? "\\" : "", *help);
}

static void zsh_option(const struct option_row *row)
{
    printf("            '%s--%s%s[", is_binding(row) ? "*" : "", row->name,
           row->may_lack_value  ? "=-"
           : row->value != NULL ? "="
                                : "");
    put_phrase(row->help, ":[]\\", "'\\''");
    putchar(']');
    if (row->value != NULL) {
        fputs(row->may_lack_value ? "::" : ":", stdout);
        put_phrase(row->value, ":[]\\", "'\\''");
        putchar(':');
    }
    if (is_binding(row))
        fputs("{compset -P \"*=\" && _files}", stdout);
    else if (names_file(row))
        fputs("_files", stdout);
    else if (row->value != NULL && is_list(row)) {
        fputs("{_sequence compadd - ", stdout);
        put_phrase(row->words, ":", "");
        putchar('}');
    } else if (row->words != NULL && *row->words != '\0')
        printf("(%s)", row->words);
    puts("' \\");
}

static void print_zsh(const struct command *const commands[], int count)
{
    puts("#compdef tessera\n# Made by `tessera completion zsh`.\n_tessera()\n{\n"
         "    local -a commands=(");
    for (int i = 0; i < count; i++) {
        printf("        '%s:", commands[i]->name);
        put_phrase(commands[i]->summary, ":\\", "'\\''");
        puts("'");
    }
    puts("    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n"
         "        return\n    fi\n    local command=$words[2]\n"
         "    shift words\n    (( CURRENT-- ))\n    case $command in");
    for (int i = 0; i < count; i++) {
        const struct command *command = commands[i];
        printf("    %s)\n        _arguments \\\n", command->name);
        for (int k = 0; k < command->option_count; k++)
            zsh_option(&command->options[k]);
        fputs("            '(- *)--help[print the help]' \\\n            '*:", stdout);
        if (command->operands == OPERAND_FILES)
            puts("file:_files' ;;");
        else if (command->operands == OPERAND_NAMES)
            puts("name:{compadd -- ${(f)\"$(tessera explain --list 2>/dev/null | "
                 "sed \"s/.* //\")\"}}' ;;");
        else if (command->operands == OPERAND_COMMANDS)
            puts("command:{_describe command commands}' ;;");
        else
            printf("name:(%s)' ;;\n", command->words);
    }
    puts("    esac\n}\n_tessera \"$@\"");
}

static void fish_option(const struct command *command, const struct option_row *row)
{
    printf("complete -c tessera -n '__fish_seen_subcommand_from %s' -l %s", command->name,
           row->name);
    if (names_file(row))
        fputs(" -r", stdout);
    else if (row->value != NULL && row->may_lack_value)
        printf(" -f -a '%s'", row->words);
    else if (row->value != NULL)
        printf(" -x -a '%s'", row->words == NULL ? "" : row->words);
    fputs(" -d '", stdout);
    put_phrase(row->help, "\\", "\\'");
    puts("'");
}

static void print_fish(const struct command *const commands[], int count)
{
    puts("# Completion of tessera's words in fish; made by `tessera completion fish`.\n"
         "complete -c tessera -n __fish_use_subcommand -l help -d 'print the help'\n"
         "complete -c tessera -n __fish_use_subcommand -l version -d 'print the version'");
    for (int i = 0; i < count; i++) {
        const struct command *command = commands[i];
        printf("complete -c tessera -n __fish_use_subcommand -f -a %s -d '", command->name);
        put_phrase(command->summary, "\\", "\\'");
        puts("'");
        for (int k = 0; k < command->option_count; k++)
            fish_option(command, &command->options[k]);
        if (command->operands == OPERAND_FILES)
            continue; // which fish offers by itself
        printf("complete -c tessera -n '__fish_seen_subcommand_from %s' -f -a '", command->name);
        if (command->operands == OPERAND_NAMES)
            fputs("(tessera explain --list | string replace -r \".* \" \"\")", stdout);
        else if (command->operands == OPERAND_COMMANDS)
            put_names(commands, count);
        else
            fputs(command->words, stdout);
        puts("'");
    }
}

bool completion_print(const char *shell, const struct command *const commands[], int count)
{
    static const struct {
        const char *shell;
        void (*print)(const struct command *const commands[], int count);
    } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};

    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++)
        if (strcmp(shell, shells[i].shell) == 0) {
            shells[i].print(commands, count);
            return true;
        }
    return false;
}
