// SPDX-License-Identifier: Apache-2.0
// A stream of the NoC overlay as data: its registers, its two FIFOs, and how far its phase is.
// Pages: WormholeB0/NoC/Overlay/README.md (stream state machine).
#ifndef TESSERA_CHIP_STREAM_STATE_H
#define TESSERA_CHIP_STREAM_STATE_H

#include "chip/noc_state.h"

enum tsr_stream_fact {
#define STREAM_FACT(name, value) STREAM_##name = value,
#include "machine/noc_streams.def"
    STREAM_INFOS = 16,        // of STREAM_RECEIVER_ENDPOINT_MSG_INFO,
    STREAM_SHORT_INFO = 2,    // in words: address and length, or
    STREAM_LONG_INFO = 6,     // these and the header (tsr_stream_has_headers())
    STREAM_RECEIVER_BITS = 6, // in what a receiver tells its source: which one it is
    STREAM_MESSAGES = 32,     // the largest message metadata FIFO
    STREAM_READS = 128        // the largest L1 read complete FIFO
};
enum tsr_stream_register {
#define STREAM(name, wh, bh, width, streams, rule) name,
#include "machine/noc_streams.def"
    STREAM_REGISTERS
};
enum tsr_stream_field {
#define STREAM_FIELD(name, wh, wh_bit, bh, bh_bit, width) STREAM_##name,
#include "machine/noc_streams.def"
    STREAM_FIELDS
};

// As STREAM_CURR_STATE has it. Configuration is loaded in no time, hence no 1 and 2.
enum tsr_stream_phase {
    STREAM_IDLE = 0,
    STREAM_CONFIGURED = 3,
    STREAM_FLUSHES = 4,
    STREAM_RUNS = 5
};

// Lengths and addresses are in words of 16 bytes, as the registers have them.
struct tsr_message {
    uint32_t address, length, header[4];
    uint8_t from; // gather: 1 more than the stream that has received it
};
struct tsr_stream_read {
    uint32_t length;
    uint8_t from;
};

// What only a stream that runs uses: apart from its registers, so that a firmware that clears those
// of all streams touches few pages.
struct tsr_stream_fifos {
    struct tsr_message message[STREAM_MESSAGES]; // the metadata FIFO
    struct tsr_stream_read read[STREAM_READS];   // the L1 read complete FIFO
    uint32_t ready[STREAM_DESTINATIONS]; // 1 more than the phase for which a receiver is ready
};

struct tsr_stream {
    uint32_t value[STREAM_REGISTERS];
    uint32_t space[STREAM_DESTINATIONS];
    uint8_t id, phase;               // enum tsr_stream_phase
    bool same_source, same_receiver; // as the phase before has announced
    bool handles;                    // messages in this phase
    bool answered, asked, fed;       // handshakes; data of this phase have come
    uint16_t to_receive, remaining;  // messages of this phase
    uint8_t next_config;             // words of the next one, less 1
    uint32_t next_message;           // where in the receive buffer the next header's message begins
    uint32_t held, freed;            // words in the buffer; words that the source has not heard of
    uint8_t message_count;
    uint8_t read_count;
    uint8_t group, member, taken; // gather: who is next
    bool in_group;
    bool over_link;               // what it receives comes over an Ethernet link,
    uint32_t link_format;         // with such headers (ETH_RXQ_TILE_HEADER_FORMAT)
    uint32_t partial;             // words of a message of which more is to come
    uint32_t sent;                // words of the message at the front that have gone on already
    bool told;                    // of the message at the front, that it does not fit
    struct tsr_noc_origin origin; // who has started it, for findings
    struct tsr_stream_fifos *fifos;
};

struct tsr_overlay {
    struct tsr_stream *stream[STREAM_TENSIX_STREAMS]; // each made when it is first touched
    uint64_t done;                                    // STREAM_BLOB_AUTO_CFG_DONE
    uint8_t next_done;
    struct tsr_stream kept[STREAM_TENSIX_STREAMS];
    struct tsr_stream_fifos fifos[STREAM_TENSIX_STREAMS];
};

static inline bool tsr_stream_starts(const struct tsr_stream *stream)
{
    return stream->phase == STREAM_IDLE || stream->phase == STREAM_CONFIGURED;
}

#endif
