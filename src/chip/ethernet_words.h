// SPDX-License-Identifier: Apache-2.0
// Blackhole's registers of the header table and the classifier, as machine/ethernet_frames.def has
// them, and what the classifier keeps behind them.
#ifndef TESSERA_CHIP_ETHERNET_WORDS_H
#define TESSERA_CHIP_ETHERNET_WORDS_H

#include "base/bits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Where a register's words begin; those of an entry are together.
enum tsr_frame_word {
#define FRAME(name, address, entries, step, words, word_step, rule, keeps)                         \
    FRAME_##name, FRAME_##name##_LAST = FRAME_##name + (entries) * (words)-1,
#include "machine/ethernet_frames.def"
    TSR_FRAME_WORDS
};
enum tsr_frame_bits {
#define FRAME_BITS(name, first, width) FRAME_##name##_FIRST = first, FRAME_##name##_WIDTH = width,
#include "machine/ethernet_frames.def"
};
#define FRAME_FIELD(word, name) ((word) >> FRAME_##name##_FIRST & tsr_mask32(FRAME_##name##_WIDTH))

enum tsr_tcam_kind { TCAM_NOT_IP = 0, TCAM_IPV4 = 1, TCAM_IPV6 = 3 };
// What a row of the TCAM matches on. Addresses are numbers, their lowest word first.
struct tsr_tcam_pattern {
    uint32_t kind, protocol, ethertype, flags, source_port, destination_port, priority;
    uint32_t source[4], destination[4];
};
enum { TSR_TCAM_ROWS = 64, TSR_FLOW_ROWS = 64 };
struct tsr_flow {
    uint32_t actions, vlan, labels, metadata;
};

struct tsr_frame_words {
    uint32_t word[TSR_FRAME_WORDS];
    struct tsr_tcam_pattern value[TSR_TCAM_ROWS], mask[TSR_TCAM_ROWS];
    uint64_t enabled; // a bit for each row
    struct tsr_flow flow[TSR_FLOW_ROWS];
};

void tsr_frame_words_reset(struct tsr_frame_words *words);
bool tsr_frame_word_at(uint32_t address); // whether there is such a register
uint32_t tsr_frame_words_load(const struct tsr_frame_words *words, uint32_t address);
void tsr_frame_words_store(struct tsr_frame_words *words, uint32_t address, uint32_t value);

#endif
