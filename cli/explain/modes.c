// SPDX-License-Identifier: Apache-2.0
// The rows of cli/explain/mnemonics.def and cli/explain/modes.def as tables.
#include "explain/modes.h"

#include <stdio.h>
#include <string.h>

const char *mnemonic_does(const char *mnemonic)
{
#define DOES(name, sentence) {#name, sentence},
    static const struct {
        const char *mnemonic, *sentence;
    } rows[] = {
#include "explain/mnemonics.def"
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(mnemonic, rows[i].mnemonic) == 0)
            return rows[i].sentence;
    return "";
}

enum { WH = 1 << TSR_WORMHOLE_B0, BH = 1 << TSR_BLACKHOLE_A0, BOTH = WH | BH };

#define MODE(mnemonic, chips, ...) {#mnemonic, chips, __VA_ARGS__},
static const struct mode modes[] = {
#include "explain/modes.def"
};

int mode_count(void)
{
    return (int)(sizeof modes / sizeof modes[0]);
}

const struct mode *mode_at(int index)
{
    return &modes[index];
}

bool mode_word(const char **at, char word[MODE_WORD])
{
    *at += strspn(*at, " ");
    size_t length = strcspn(*at, " ");
    if (length == 0)
        return false;
    snprintf(word, MODE_WORD, "%.*s", (int)length, *at);
    *at += length;
    return true;
}
