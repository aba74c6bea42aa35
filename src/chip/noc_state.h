// SPDX-License-Identifier: Apache-2.0
// Both NoCs of a chip as data: an interface (NIU) of each at every node, the packets under way
// between them, and what the chip must offer for them.
// Pages: NoC/README.md, MemoryMap.md, Counters.md, Ordering.md, RoutingPaths.md, Atomics.md,
// Alignment.md of each chip.
#ifndef TESSERA_CHIP_NOC_STATE_H
#define TESSERA_CHIP_NOC_STATE_H

#include "base/port.h"
#include "chip/grid.h"
#include "chip/niu_layout.h"

// Who has sent a request, for findings.
struct tsr_noc_origin {
    uint16_t node;
    // A tsr_core (of an Ethernet tile its number from 0), TSR_AGENT_HOST, or TSR_AGENT_TENSIX +
    // thread.
    uint8_t agent;
    bool has_pc;
    uint32_t at;
    uint64_t cycle;
};

enum tsr_noc_packet_kind {
    NOC_READ,
    NOC_WRITE,
    NOC_ATOMIC,
    NOC_READ_RESPONSE,
    NOC_WRITE_ACK,
    NOC_ATOMIC_RESPONSE
};

struct tsr_noc_packet {
    // Its place in the order of delivery: cycle, node, NoC, sequence.
    uint64_t due;
    uint16_t node; // whose interface has sent it
    uint8_t noc;
    uint32_t sequence;
    // With timing on: when it gets a virtual channel, and when its last flit is in the router.
    uint64_t starts, leaves;
    uint8_t kind; // enum tsr_noc_packet_kind
    bool marked, inline_data, masked, broadcast, y_major, include_self, header_store, reserves;
    bool ends_message, over_link;
    uint8_t to_stream; // 1 more than the stream of the receiver's overlay that hears of it; 0: none
    uint8_t transaction;
    // Where it goes and where responses go, in coordinates of its NoC; of a broadcast the
    // rectangle.
    uint8_t x, y, start_x, start_y, response_x, response_y;
    uint64_t address, response_address, mask;
    uint32_t length, data, operation, exclude;
    uint32_t flits; // of data
    uint8_t *bytes; // NULL: none. Allocated; of a read before it is performed, for what it reads.
    uint32_t race;  // its number for who looks for races; 0: none
    struct tsr_noc_origin origin;
};

struct tsr_niu {
    uint32_t initiator[TSR_NIU_INITIATORS][NOC_INITIATOR_WORDS];
    uint64_t busy_until[TSR_NIU_INITIATORS]; // NOC_CMD_CTRL reads as 1 before that
    uint32_t config[TSR_NIU_CONFIG_WORDS];
    uint32_t counter[TSR_NIU_COUNTERS]; // those of 8 bits as they would be with more
    uint32_t reached_zero;              // NIU_TRANS_COUNT_RTZ_SOURCE
    uint8_t next_zero;                  // where NIU_TRANS_COUNT_RTZ_NUM goes on
    uint64_t split_until;               // nobody may issue a request before that
    uint64_t link_free;                 // when the way into the router is free
    uint64_t *arrived; // with timing on: when its last packet comes to each node. NULL: none yet
    uint32_t sequence;
    bool linked; // the last request was, and this is where it goes
    bool linked_broadcast, linked_y_major;
    uint8_t linked_channel; // 1 more than the virtual channel that software has chosen; 0: none
    uint32_t linked_to;
    // Requests that have not left the tile: packet[started ..] wait for a virtual channel,
    // packet[left ..] are on their way into the router.
    struct tsr_noc_packet *packet;
    unsigned count, capacity, started, left;
};

struct tsr_noc_place {
    tsr_node_info info;
    bool harvested; // a Tensix tile that is fused off
};

// The counter that a core has loaded last.
struct tsr_noc_poll {
    bool loaded;
    uint8_t noc, index;
    uint32_t at; // its program counter
    uint64_t cycle;
    uint32_t value;
};
enum { TSR_NOC_POLLERS = 5 }; // the baby cores

struct tsr_overlay;
struct tsr_noc;
struct tsr_noc_node {
    struct tsr_noc *noc;
    struct tsr_niu niu[TSR_NOCS];
    struct tsr_overlay *overlay; // made when it is first touched
    struct tsr_noc_place place;
    struct tsr_noc_poll poll[TSR_NOC_POLLERS];
    uint16_t index;
};

// What a stream of an Ethernet tile sends over the tile's link: words of L1, each of 16 bytes, into
// the other side's L1, or a value for a register there.
struct tsr_noc_over_link {
    uint8_t stream; // that sends
    bool is_value;
    uint32_t address, value;
    uint32_t from, to, words; // `from` and `to` in words
    bool first, last;         // part of a message
    uint8_t to_stream;
    uint32_t header_at; // where the message's header goes, in words
};

// What the chip does for the NoC. Nodes count from the north-west in NoC 0 coordinates, row by row.
struct tsr_noc_chip {
    void *self;
    // Bytes of a node's memory, or a whole register. False: nothing is there.
    bool (*read)(void *self, unsigned node, uint64_t address, void *bytes, size_t size);
    bool (*write)(void *self, unsigned node, uint64_t address, const void *bytes, size_t size);
    // Whether the node should have something at the address, and Tessera has not.
    bool (*misses)(const void *self, unsigned node, uint64_t address);
    // Reports in the name of who has sent the request.
    void (*find)(void *self, const struct tsr_noc_origin *origin, int finding,
                 const char *sentence);
    // A request for an interrupt that the node's overlay makes (tsr_interrupt_of_overlay()).
    void (*interrupt)(void *self, unsigned node, unsigned irq, unsigned edge);
    // Whether a node's interface has a request for an interrupt (Blackhole).
    void (*interface_raises)(void *self, unsigned node, int noc, bool raises);
    // False: the node has no link, or there is no memory; nothing is sent. Of a message's last part
    // tsr_stream_was_read() says when it has been.
    bool (*send_over_link)(void *self, unsigned node, const struct tsr_noc_over_link *what);
    // Something that the node's cores can see has changed.
    void (*wake)(void *self, unsigned node);
};

// A way out of a router: to the next one along x or y, or to its own interface. Packets are walked
// along their whole path one after the other, and a later one may come to a link before an earlier
// one does: it takes a gap.
enum { TSR_NOC_GAPS = 8 };
struct tsr_noc_link {
    uint64_t free; // behind the last packet
    struct {
        uint64_t start, end;
    } gap[TSR_NOC_GAPS]; // before that, in order; the oldest ones are forgotten
    unsigned gaps;
    uint64_t start;    // of the packet that has taken it last
    uint32_t sequence; // that packet's
    uint16_t node;     // and 1 more than its sender; 0: none yet
};

// The place of a packet in the order of delivery, and in memory.
struct tsr_noc_turn {
    uint64_t due, sender; // node, NoC and sequence
    unsigned at;
};

enum { TSR_STREAM_WORDS = 0x1000 / 4 }; // of the registers of one stream of an overlay

struct tsr_race_chip;
struct tsr_noc {
    struct tsr_race_chip *races; // NULL: nobody looks for races
    tsr_arch arch;
    const struct tsr_niu_layout *layout;
    bool timing;
    unsigned width, height;
    struct tsr_noc_chip chip;
    struct tsr_noc_node *node; // width * height
    // Nodes with packets in an outbox, 1 each; a tile sets its own alone.
    uint8_t pending[TSR_GRID_COLUMNS * TSR_GRID_ROWS];
    uint8_t polled[TSR_GRID_COLUMNS * TSR_GRID_ROWS]; // a core has loaded a counter
    // Streams of the node's overlay may be able to go on; a tile sets its own alone.
    uint8_t streams[TSR_GRID_COLUMNS * TSR_GRID_ROWS];
    // Packets on the way: a heap of their places in the order of delivery, and where each is;
    // of those behind the heap, what is free.
    struct tsr_noc_turn *turn;
    struct tsr_noc_packet *flight;
    unsigned flying, flight_capacity;
    // For each word: the first register of streams that may be there. Others may follow.
    uint8_t stream_register[TSR_STREAM_WORDS];
    struct tsr_noc_link *link; // with timing on
    uint64_t *dram_free; // with timing on: when each part of a channel is free (noc_delivery.c)
    uint64_t now;        // of the last delivery
    uint64_t delivered;  // packets performed since reset
};

#endif
