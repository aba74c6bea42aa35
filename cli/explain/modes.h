// SPDX-License-Identifier: Apache-2.0
// What the rows of cli/explain/mnemonics.def and cli/explain/modes.def say about instructions.
#ifndef CLI_MODES_H
#define CLI_MODES_H

#include <tessera/tessera.h>

struct mode {
    const char *mnemonic;
    unsigned chips; // a bit for each tsr_arch
    const char *name, *does;
    const char *selected_by; // operands and fields, a blank between them; * is a number
    const char *findings;    // codes
    const char *page;        // below TensixCoprocessor/
    const char *tests;
};

enum { MODE_WORD = 96 };

// One sentence; "" for what is not an instruction.
const char *mnemonic_does(const char *mnemonic);
int mode_count(void);
const struct mode *mode_at(int index);
// The next of the words of a list, at *at; false at its end.
bool mode_word(const char **at, char word[MODE_WORD]);

#endif
