// SPDX-License-Identifier: Apache-2.0
// An Ethernet tile's queues as data, and a tile's end of a link. A tile's own are made when they
// are first touched. Page: EthernetTile/EthernetTxRx.md of each chip.
#ifndef TESSERA_CHIP_ETHERNET_QUEUE_STATE_H
#define TESSERA_CHIP_ETHERNET_QUEUE_STATE_H

#include "base/findings.h"
#include "chip/ethernet_layout.h"
#include "chip/ethernet_words.h"

#include <tessera/chip.h>

// What the hardware puts on the wire between the Ethernet header and the body of a TT-link packet.
enum tsr_tt_kind { TT_UPDATE, TT_L1_WRITE, TT_MMIO_WRITE, TT_OVERLAY, TT_KINDS };
enum { TSR_ETHERNET_HEADER = 14, TSR_TT_HEADER = QUEUE_MOST_TT_HEADER };
enum { TSR_FRAME_BYTES = 16 * 1024 }; // at most; EthernetRxClassifier.md has 14 bits for it

// A frame from the destination's address on, without its check sequence.
struct tsr_frame {
    // Cycles in which its first byte leaves and its last one has left; once it is on its way to a
    // tile, `leaves` is when it is there, in that tile's cycles.
    uint64_t starts, leaves;
    uint32_t size;
    uint8_t queue;       // that has sent it
    bool started, ended; // its sender has counted that
    bool quiet;          // says nothing new
    uint8_t *bytes;      // allocated
};

struct tsr_frames { // first in, first out
    struct tsr_frame *frame;
    unsigned first, count, capacity;
};

// What a packet of the NoC overlay has beside.
struct tsr_tt_message {
    bool first, last;   // packet of a message
    uint8_t stream;     // that receives it
    uint32_t header_at; // where its header goes, in words of 16 bytes
};

// A TT-link packet that the other side has not acknowledged.
struct tsr_tt_packet {
    uint8_t kind, sequence; // enum tsr_tt_kind
    bool of_stream;         // the own overlay sends it
    uint8_t stream;         // its own one
    uint32_t from, to, size, data;
    struct tsr_tt_message message;
    uint64_t sent; // when it was sent last
};

// What the overlay wants to send, and is no packet yet: words of L1, or a word for a register.
struct tsr_overlay_piece {
    bool word;
    uint8_t stream;
    uint32_t from, to, left, data;
    struct tsr_tt_message message;
};
enum { TSR_OVERLAY_QUEUE = 0 }; // that sends them

struct tsr_overlay_pieces { // first in, first out
    struct tsr_overlay_piece *piece;
    unsigned first, count, capacity;
};

enum { TSR_TT_PACKETS = QUEUE_MOST_UNACKNOWLEDGED };

struct tsr_tx_queue {
    uint32_t word[TSR_QUEUE_REGISTERS];
    // The command that is held: what of it has not been made packets yet.
    uint8_t command; // ETH_TXQ_CMD; 0: none
    bool made;       // all of it has, and it ends at `latched`
    uint32_t from, to, left, data;
    uint64_t latched;
    // TT-link
    struct tsr_tt_packet packet[TSR_TT_PACKETS]; // a ring of unacknowledged ones
    unsigned first, count, resends;              // since one was acknowledged
    uint8_t next;                                // sequence number
    uint64_t last;                               // when a TT-link packet was sent
    bool drop_notice;                            // the next update says that one is missing,
    uint64_t noticed;                            // and goes in this cycle, if updates go at all
    bool paused;                                 // by the other side
};

struct tsr_rx_queue {
    uint32_t word[TSR_QUEUE_REGISTERS];
};

// What an access found, until the chip's thread takes it.
struct tsr_ethernet_fault {
    enum tsr_finding code;
    uint32_t address;
    char sentence[160];
};
enum { TSR_ETHERNET_FAULTS = 8 };

enum { TSR_LINK_STREAMS = 32 }; // of the overlay of an Ethernet tile

struct tsr_sparse;
struct tsr_ethernet_queues {
    const struct tsr_ethernet_layout *layout;
    const struct tsr_sparse *l1;
    tsr_arch arch;
    bool timing, linked;
    struct tsr_tx_queue tx[TSR_ETHERNET_QUEUES];
    struct tsr_rx_queue rx[TSR_ETHERNET_QUEUES];
    uint64_t link_free;            // when the way out is free
    struct tsr_frame_words frames; // Blackhole
    struct tsr_frames out, in;
    struct tsr_overlay_pieces overlay;
    // Messages of each stream whose last packet has been acknowledged since somebody looked.
    uint8_t read_messages[TSR_LINK_STREAMS];
    struct tsr_ethernet_fault fault[TSR_ETHERNET_FAULTS];
    unsigned faults;
};

// A tile's end of a link.
struct tsr_ethernet_link {
    struct tsr_chip *chip; // of the other end; NULL: none
    unsigned tile;         // the other end's
    unsigned node;         // the own one's
    tsr_link_options options;
    uint64_t entered; // frames, since it was connected
};

#endif
