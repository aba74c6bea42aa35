// SPDX-License-Identifier: Apache-2.0
// A command of `tessera` as data: its words, its options and what they mean. Options are read with
// it (cli_options.h), and help (help.h), man pages and completion (pages/) are made of it.
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stdbool.h>

struct option_row {
    const char *name;  // without the dashes
    const char *value; // as help shows it; a null pointer if the option takes none
    const char *help;  // a phrase, or sentences
    const char *words; // values that completion offers, blanks between; else a null pointer
    bool may_lack_value;
};

// What completion offers for an argument that is no option.
enum operand_kind { OPERAND_FILES, OPERAND_NAMES, OPERAND_COMMANDS, OPERAND_WORDS };

struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary; // a phrase
    const char *usage;   // what follows `tessera NAME`; for each further form after a newline
    const char *text;    // paragraphs, an empty line between two
    const struct option_row *options;
    int option_count;
    enum operand_kind operands;
    const char *words; // of OPERAND_WORDS
};

#endif
