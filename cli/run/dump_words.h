// SPDX-License-Identifier: Apache-2.0
// What --dump asks for.
#ifndef CLI_DUMP_WORDS_H
#define CLI_DUMP_WORDS_H

#include "common/message.h"

#include <tessera/tessera.h>

enum dump_kind {
    DUMP_DST,
    DUMP_SRCA,
    DUMP_SRCB,
    DUMP_CFG,
    DUMP_ADC,
    DUMP_RWC,
    DUMP_GPR,
    DUMP_SEM,
    DUMP_LREG,
    DUMP_L1
};

enum { MAX_DUMPS = 64 };

struct dump_order {
    enum dump_kind kind;
    bool numbers;           // as numbers of `format`, not as bits
    uint8_t format;         // code of tsr_format_find()
    uint32_t first, last;   // rows; Dst, SrcA and SrcB
    uint32_t address, size; // L1; of numbers `size` is a number of tiles
};

struct dump_list {
    struct dump_order orders[MAX_DUMPS];
    int count;
};

// Adds `dst,srca:tf32:0-15,l1:0x20000:64,…`. L1 ranges are checked when the chip is known.
bool dump_parse(struct dump_list *list, const char *words, struct message *why);
bool dump_check(const struct dump_list *list, tsr_arch arch, struct message *why);
// Bytes of L1 that an order is about.
uint64_t dump_l1_bytes(const struct dump_order *order);

#endif
