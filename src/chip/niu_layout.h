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
#define NOC_ATOMIC_BITS(name, first, width) name##_FIRST = first, name##_WIDTH = width,
#define NOC_EXCLUDE_BITS(name, first, width)                                                       \
    EXCLUDE_##name##_FIRST = first, EXCLUDE_##name##_WIDTH = width,
#include "machine/noc_registers.def"
};
#define NOC_BITS(word, name) ((word) >> name##_FIRST & tsr_mask32(name##_WIDTH))

enum {
    NOC_NONE = 0xffff,
    NOC_COORDINATE_BITS = 6, // x first, then y, wherever a register has a place
    NOC_WORD_BYTES = 16,     // what data travel in, and what streams and L1 count by
    NOC_WORD_SHIFT = 4,
    TSR_NOCS = 2,
    TSR_NIU_INITIATORS = 4,
    TSR_NIU_COUNTERS = 62,
    TSR_NIU_TRANSACTIONS = 16,
    TSR_NIU_CONFIG_WORDS = 32
};
enum tsr_noc_request { NOC_CMD_RD = 0, NOC_CMD_AT = 1, NOC_CMD_WR = 2, NOC_CMD_RESERVED = 3 };

struct tsr_niu_layout {
    uint16_t fact[NOC_FACT_COUNT];
    uint16_t initiator[NOC_INITIATOR_WORDS]; // offset
    uint16_t config[NOC_CONFIG_COUNT];       // index of its first word
    uint16_t cost[NOC_COST_COUNT];
};

const struct tsr_niu_layout *tsr_niu_layout(tsr_arch arch);

// Data of the largest packet.
static inline uint32_t tsr_niu_packet_bytes(const struct tsr_niu_layout *layout)
{
    return (uint32_t)layout->fact[NOC_PACKET_FLITS] * layout->fact[NOC_FLIT_BYTES];
}

// Data flits of so many bytes from an address on. Data travel in words, so that what is in front of
// the first byte counts (errata 546).
static inline uint32_t tsr_niu_data_flits(const struct tsr_niu_layout *layout, uint64_t address,
                                          uint32_t length)
{
    uint32_t flit = layout->fact[NOC_FLIT_BYTES];
    return (uint32_t)((address % NOC_WORD_BYTES + length + flit - 1) / flit);
}

#endif
