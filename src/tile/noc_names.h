// SPDX-License-Identifier: Apache-2.0
// Registers of a NoC interface in words, for who waits for one.
// Page: NoC/Counters.md of each chip.
#ifndef TESSERA_TILE_NOC_NAMES_H
#define TESSERA_TILE_NOC_NAMES_H

#include <tessera/tessera.h>

struct tsr_noc_words {
    char what[80];     // "NIU_MST_WR_ACK_RECEIVED of NoC 0"
    char release[120]; // what changes it
};

// `offset` counts from where the interface begins.
struct tsr_noc_words tsr_noc_words_of(tsr_arch arch, unsigned noc, uint32_t offset);

#endif
