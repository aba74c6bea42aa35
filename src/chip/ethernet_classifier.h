// SPDX-License-Identifier: Apache-2.0
// What Blackhole's classifier makes of a frame.
#ifndef TESSERA_CHIP_ETHERNET_CLASSIFIER_H
#define TESSERA_CHIP_ETHERNET_CLASSIFIER_H

#include "chip/ethernet_words.h"

enum { TSR_METADATA_MAX = 8 }; // bytes more than the frame has

struct tsr_classified {
    uint8_t *bytes; // the caller's, with room for the frame and metadata
    uint32_t size;
    unsigned queue, flow; // flow: the row of the flow table
    bool unimplemented;   // the row asks for what no page has
    bool contradicts;     // removes and prepends
};

// False: the frame is dropped.
bool tsr_ethernet_classify(const struct tsr_frame_words *words, const uint8_t *frame, uint32_t size,
                           struct tsr_classified *out);

#endif
