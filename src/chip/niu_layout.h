// SPDX-License-Identifier: Apache-2.0
// Where the registers of a NoC interface unit (NIU) are and what their bits mean, as the rows of
// machine/noc_registers.def and machine/noc_timing.def have it.
// Pages: NoC/MemoryMap.md, NoC/Counters.md of each chip.
#ifndef TESSERA_CHIP_NIU_LAYOUT_H
#define TESSERA_CHIP_NIU_LAYOUT_H

#include "base/bits.h"

#include <tessera/tessera.h>

enum tsr_noc_fact {
#define NOC_FACT(name, wh, bh) NOC_##name,
#include "machine/noc_registers.def"
    NOC_FACT_COUNT
};

enum tsr_noc_cost {
#define NOC_COST(name, wh, bh, source) NOC_COST_##name,
#include "machine/noc_timing.def"
    NOC_COST_COUNT
};

// Of an initiator, in the order of the rows. They are an initiator's words in struct tsr_niu.
enum tsr_noc_initiator {
#define NOC_INITIATOR(name, wh, bh) name,
#include "machine/noc_registers.def"
    NOC_INITIATOR_WORDS
};

enum tsr_noc_config {
#define NOC_CONFIG(name, wh, bh) name,
#include "machine/noc_registers.def"
    NOC_CONFIG_COUNT
};

enum tsr_noc_counter {
#define NOC_COUNTER(name, index, count, width) name = index,
#include "machine/noc_registers.def"
};

enum tsr_noc_atomic {
#define NOC_ATOMIC(name, code) NOC_ATOMIC_##name = code,
#include "machine/noc_registers.def"
};

// A field's first bit and width, by its name.
enum tsr_noc_bits {
#define NOC_CTRL_BITS(name, first, width) name##_FIRST = first, name##_WIDTH = width,
#define NOC_TAG_BITS(name, first, width) name##_FIRST = first, name##_WIDTH = width,
#define NOC_CONFIG_BITS(name, first, width) name##_FIRST = first, name##_WIDTH = width,
#define NOC_EXCLUDE_BITS(name, first, width)                                                       \
    EXCLUDE_##name##_FIRST = first, EXCLUDE_##name##_WIDTH = width,
#include "machine/noc_registers.def"
};
#define NOC_BITS(word, name) ((word) >> name##_FIRST & tsr_mask32(name##_WIDTH))

enum {
    NOC_NONE = 0xffff,
    TSR_NOCS = 2,
    TSR_NIU_INITIATORS = 4,
    TSR_NIU_COUNTERS = 62,
    TSR_NIU_TRANSACTIONS = 16,
    TSR_NIU_CONFIG_WORDS = 32
};
enum tsr_noc_request { NOC_CMD_RD = 0, NOC_CMD_AT = 1, NOC_CMD_WR = 2 };

struct tsr_niu_layout {
    uint16_t fact[NOC_FACT_COUNT];
    uint16_t initiator[NOC_INITIATOR_WORDS]; // offset
    uint16_t config[NOC_CONFIG_COUNT];       // index of its first word
    uint16_t cost[NOC_COST_COUNT];
};

const struct tsr_niu_layout *tsr_niu_layout(tsr_arch arch);

#endif
