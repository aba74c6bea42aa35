// SPDX-License-Identifier: Apache-2.0
// The headers of a frame as Blackhole's classifier sees them.
#ifndef TESSERA_CHIP_ETHERNET_EXTRACT_H
#define TESSERA_CHIP_ETHERNET_EXTRACT_H

#include "chip/ethernet_words.h"

// Bits of HEADER_ERROR_CONTROL.
enum tsr_header_error { HEADER_IPV4 = 1, HEADER_IPV6 = 2, HEADER_TCP = 4 };

struct tsr_extracted {
    uint32_t kind; // enum tsr_tcam_kind
    uint32_t type; // EtherType or length, replaced if need be
    bool has_stag, has_ctag;
    uint32_t stag, ctag; // 32 bits each
    uint64_t source_mac, destination_mac;
    uint32_t protocol, source[4], destination[4]; // of IP
    uint32_t source_port, destination_port;
    uint32_t reduced_type, reduced_mac, reduced_protocol, reduced_source_port;
    uint32_t reduced_destination_port;
    uint32_t error; // enum tsr_header_error
    // What removing headers takes out: bytes [12, type_at), and [type_at + 2, body_at).
    uint32_t type_at, body_at;
};

void tsr_ethernet_extract(const struct tsr_frame_words *words, const uint8_t *frame, uint32_t size,
                          struct tsr_extracted *out);

#endif
