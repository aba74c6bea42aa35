// SPDX-License-Identifier: Apache-2.0
// Headers of frames: Ethernet's, and the one of a TT-link packet.
#ifndef TESSERA_CHIP_ETHERNET_HEADER_H
#define TESSERA_CHIP_ETHERNET_HEADER_H

#include "chip/ethernet_queue_state.h"

enum { TSR_HEADERS_MAX = 14 + 8 + 40 + 20 };

// Which packet the headers are for: Blackhole chooses an entry of its table by that. Of a stream of
// the overlay: TSR_HEADER_STREAM and its number.
enum tsr_header_use {
    TSR_HEADER_RAW,
    TSR_HEADER_MMIO,
    TSR_HEADER_DATA,
    TSR_HEADER_UPDATE,
    TSR_HEADER_STREAM
};

uint32_t tsr_ethernet_header_size(const struct tsr_ethernet_queues *queues, unsigned queue,
                                  enum tsr_header_use use);
// What is wrong with the entry of Blackhole's header table that a packet is to have.
enum tsr_header_fault { HEADER_FITS, HEADER_MISSING, HEADER_RESERVED, HEADER_UNIMPLEMENTED };
enum tsr_header_fault tsr_ethernet_header_check(const struct tsr_ethernet_queues *queues,
                                                unsigned queue, enum tsr_header_use use);
// Into the first bytes of a frame of `size` bytes, whose others are there.
void tsr_ethernet_header_put(const struct tsr_ethernet_queues *queues, unsigned queue,
                             enum tsr_header_use use, uint8_t *frame, uint32_t size);

struct tsr_tt_header {
    uint8_t kind; // enum tsr_tt_kind
    uint8_t sequence, expects;
    bool drop_notice;
    uint32_t address, data; // data: of an MMIO write; otherwise the body's size
    struct tsr_tt_message message;
};
void tsr_tt_header_put(const struct tsr_tt_header *header, uint8_t bytes[TSR_TT_HEADER]);
// False: what follows the Ethernet header is no TT-link packet with a body of `size` bytes.
bool tsr_tt_header_get(const uint8_t bytes[TSR_TT_HEADER], uint32_t size,
                       struct tsr_tt_header *header);

#endif
