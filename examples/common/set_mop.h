// SPDX-License-Identifier: Apache-2.0
// The nine words of a MOP of examples in C. Page: MOPExpander.md.
#ifndef EXAMPLES_SET_MOP_H
#define EXAMPLES_SET_MOP_H

#include <tessera/kernel/kernel.h>

enum { MOP_WORDS = 9 };

static inline void set_mop(const uint32_t words[MOP_WORDS])
{
    tt_wait_mop();
    for (uint32_t i = 0; i < MOP_WORDS; i++)
        tt_mop_config(i, words[i]);
}

#endif
