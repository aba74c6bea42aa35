// SPDX-License-Identifier: Apache-2.0
// The tile's insides as text, for --dump.
#ifndef CLI_STATE_DUMP_H
#define CLI_STATE_DUMP_H

#include "common/message.h"

#include <tessera/tessera.h>

#include <stdio.h>

enum dump_kind {
    DUMP_DST,
    DUMP_SRCA,
    DUMP_SRCB,
    DUMP_CFG,
    DUMP_ADC,
    DUMP_RWC,
    DUMP_GPR,
    DUMP_SEM,
    DUMP_L1
};

enum { MAX_DUMPS = 64 };

struct dump_order {
    enum dump_kind kind;
    uint32_t address, size; // DUMP_L1
};

struct dump_list {
    struct dump_order orders[MAX_DUMPS];
    int count;
};

// Adds `dst,srca,l1:0x20000:64,…`. L1 ranges are checked when the architecture is known.
bool dump_parse(struct dump_list *list, const char *words, struct message *why);
bool dump_check(const struct dump_list *list, tsr_arch arch, struct message *why);
void dump_write(FILE *file, const struct dump_list *list, const tsr_tile *tile);

#endif
