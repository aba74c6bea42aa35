// SPDX-License-Identifier: Apache-2.0
// Messages go as posted writes, whose last packet tells the receiver's overlay; handshakes and room
// as writes of a register of the other stream. Virtual channels make no difference here. At (63,
// 63) is the overlay at the other end of an Ethernet link: errata 498.
// Pages: WormholeB0/NoC/Overlay/TransferBetweenTiles.md, TransmitToDRAMBuffer.md.
#include "chip/stream_link.h"

#include "base/finding_codes.h"
#include "chip/niu_outbox.h"
#include "chip/noc_races.h"
#include "chip/noc_route.h"
#include "chip/stream_messages.h"
#include "chip/stream_registers.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    PHASE_BITS = 20, // in what a receiver tells its source, behind STREAM_RECEIVER_BITS
    HIGH_SHIFT = 17,
    LINK_PEER = 63
};

static uint32_t field_of(const struct tsr_noc_node *node, const struct tsr_stream *stream,
                         enum tsr_stream_field field)
{
    return tsr_stream_field(node->noc, stream, field);
}

static bool multicasts(const struct tsr_noc_node *node, const struct tsr_stream *stream)
{
    return tsr_stream_sends_to_several(node, stream->id) &&
           field_of(node, stream, STREAM_MCAST_EN) != 0;
}

static unsigned receivers(const struct tsr_noc_node *node, const struct tsr_stream *stream)
{
    uint32_t count = stream->value[STREAM_MCAST_DEST_NUM];
    return !multicasts(node, stream)     ? 1
           : count < STREAM_DESTINATIONS ? (unsigned)count
                                         : STREAM_DESTINATIONS;
}

static bool to_dram(const struct tsr_noc_node *node, const struct tsr_stream *stream)
{
    enum { COMMAND = 4 };
    return tsr_stream_sends_to_dram(stream->id) &&
           field_of(node, stream, STREAM_NCRISC_CMD_ID) > COMMAND;
}

// ---------------------------------------------------------------- packets

// False, and a finding: there is no such place.
static bool lead_to(struct tsr_noc_node *node, const struct tsr_stream *stream,
                    struct tsr_noc_packet *packet, unsigned x, unsigned y)
{
    struct tsr_noc *noc = node->noc;
    tsr_noc_translate(noc, &node->niu[packet->noc], &x, &y);
    packet->x = (uint8_t)x;
    packet->y = (uint8_t)y;
    if (tsr_noc_node_at(noc, packet->noc, x, y) != TSR_NOC_NOWHERE)
        return true;
    noc->chip.find(noc->chip.self, &stream->origin, FINDING_NOC_COORDINATE,
                   "A stream of the NoC overlay sends to coordinates outside of the grid; nothing "
                   "is sent.");
    return false;
}

// To a single place, which may be the other end of a link.
static bool lead_to_one(struct tsr_noc_node *node, const struct tsr_stream *stream,
                        struct tsr_noc_packet *packet, unsigned x, unsigned y)
{
    packet->over_link = x == LINK_PEER && y == LINK_PEER && tsr_stream_uses_link(node, stream->id);
    return packet->over_link || lead_to(node, stream, packet, x, y);
}

static struct tsr_noc_packet packet_of(const struct tsr_noc_node *node,
                                       const struct tsr_stream *stream, unsigned which)
{
    return (struct tsr_noc_packet){
        .node = node->index, .noc = (uint8_t)which, .kind = NOC_WRITE, .origin = stream->origin};
}

// To the receiver, or with multicast to all of them.
static bool lead_to_receivers(struct tsr_noc_node *node, const struct tsr_stream *stream,
                              struct tsr_noc_packet *packet)
{
    unsigned x = field_of(node, stream, STREAM_REMOTE_DEST_X);
    unsigned y = field_of(node, stream, STREAM_REMOTE_DEST_Y);
    if (!multicasts(node, stream))
        return lead_to_one(node, stream, packet, x, y);
    struct tsr_noc_packet start = *packet;
    if (!lead_to(node, stream, &start, x, y) ||
        !lead_to(node, stream, packet, field_of(node, stream, STREAM_MCAST_END_X),
                 field_of(node, stream, STREAM_MCAST_END_Y)))
        return false;
    packet->start_x = start.x;
    packet->start_y = start.y;
    packet->broadcast = true;
    packet->y_major = field_of(node, stream, STREAM_MCAST_XY);
    packet->reserves = !field_of(node, stream, STREAM_MCAST_NO_PATH_RES);
    return true;
}

// `source`: where the data are in L1; of a word it does not matter.
static void send(struct tsr_noc_node *node, const struct tsr_stream *stream,
                 struct tsr_noc_packet *packet, uint64_t source)
{
    if (node->noc->races)
        tsr_noc_race_stream(node->noc, packet, stream->id);
    if (node->noc->races && !packet->inline_data)
        tsr_noc_race_fetch(node->noc, packet, source, packet->length);
    uint32_t *counter = node->niu[packet->noc].counter;
    counter[NIU_MST_WRITE_REQS_OUTGOING_ID] += !packet->inline_data;
    if (!tsr_niu_send(node->noc, packet, node->noc->now))
        free(packet->bytes);
}

// False: there is no link, which is a finding of the tile's, or no memory.
static bool send_over_link(const struct tsr_noc_node *node, const struct tsr_stream *stream,
                           struct tsr_noc_over_link *what)
{
    const struct tsr_noc_chip *chip = &node->noc->chip;
    what->stream = stream->id;
    return chip->send_over_link(chip->self, node->index, what);
}

static void send_word(struct tsr_noc_node *node, const struct tsr_stream *from,
                      struct tsr_noc_packet *packet, unsigned stream, enum tsr_stream_register reg,
                      uint32_t value)
{
    enum { ALL_BYTES = 0xf };
    packet->inline_data = true;
    packet->address = tsr_stream_address(node->noc, stream, reg);
    if (packet->over_link) {
        (void)send_over_link(node, from,
                             &(struct tsr_noc_over_link){.is_value = true,
                                                         .address = (uint32_t)packet->address,
                                                         .value = value});
        return;
    }
    packet->data = value;
    packet->operation = packet->mask = ALL_BYTES;
    send(node, from, packet, 0);
}

// To a register of the stream that sends to this one: which of its receivers this one is, and
// behind that `value`.
static void send_to_source(struct tsr_noc_node *node, const struct tsr_stream *stream,
                           enum tsr_stream_register reg, uint32_t value)
{
    struct tsr_noc_packet packet =
        packet_of(node, stream, field_of(node, stream, STREAM_REMOTE_SRC_UPDATE_NOC));
    uint32_t word = value << STREAM_RECEIVER_BITS;
    word |= field_of(node, stream, STREAM_REMOTE_SRC_DEST_INDEX);
    if (lead_to_one(node, stream, &packet, field_of(node, stream, STREAM_REMOTE_SRC_X),
                    field_of(node, stream, STREAM_REMOTE_SRC_Y)))
        send_word(node, stream, &packet, field_of(node, stream, STREAM_REMOTE_SRC_STREAM_ID), reg,
                  word);
}

// ---------------------------------------------------------------- handshakes

void tsr_stream_say_ready(struct tsr_noc_node *node, struct tsr_stream *stream)
{
    uint32_t multicast = field_of(node, stream, STREAM_REMOTE_SRC_IS_MCAST);
    send_to_source(node, stream, STREAM_DEST_PHASE_READY_UPDATE,
                   stream->value[STREAM_REMOTE_SRC_PHASE] | multicast << PHASE_BITS);
}

void tsr_stream_note_ready(struct tsr_stream *stream, uint32_t stored)
{
    stream->fifos->ready[stored & (STREAM_DESTINATIONS - 1)] =
        tsr_bits(stored, STREAM_RECEIVER_BITS, PHASE_BITS) + 1;
}

static void ask(struct tsr_noc_node *node, struct tsr_stream *stream)
{
    unsigned x, y, which = field_of(node, stream, STREAM_OUTGOING_DATA_NOC);
    struct tsr_noc_packet packet = packet_of(node, stream, which);
    tsr_noc_coordinates(node->noc, (int)which, node->index, &x, &y);
    if (!lead_to_receivers(node, stream, &packet))
        return;
    if (packet.over_link)
        x = y = LINK_PEER;
    send_word(node, stream, &packet, field_of(node, stream, STREAM_REMOTE_DEST_STREAM_ID),
              STREAM_SRC_READY_UPDATE,
              x | y << NOC_COORDINATE_BITS | (uint32_t)stream->id << 2 * NOC_COORDINATE_BITS);
}

bool tsr_stream_receivers_ready(struct tsr_noc_node *node, struct tsr_stream *stream)
{
    bool ready = true;
    for (unsigned i = 0; i < receivers(node, stream); i++)
        ready = ready && stream->fifos->ready[i] == stream->value[STREAM_CURR_PHASE] + 1;
    if (!ready && !stream->asked && !to_dram(node, stream))
        ask(node, stream);
    stream->asked = true;
    return ready;
}

// ---------------------------------------------------------------- messages

// The words at `from`, which the link reads when it sends them. False: it has not taken them.
static bool send_piece_over_link(struct tsr_noc_node *node, const struct tsr_stream *stream,
                                 const struct tsr_noc_packet *packet, uint32_t from, uint32_t words)
{
    return send_over_link(
        node, stream,
        &(struct tsr_noc_over_link){.from = from,
                                    .to = (uint32_t)(packet->address >> NOC_WORD_SHIFT),
                                    .words = words,
                                    .first = packet->header_store,
                                    .last = packet->ends_message,
                                    .to_stream = packet->to_stream - 1,
                                    .header_at = packet->data});
}

// The words at `from` as one packet or several, up to where either buffer ends.
static void send_piece(struct tsr_noc_node *node, const struct tsr_stream *stream,
                       struct tsr_noc_packet *packet, uint32_t from, uint32_t words)
{
    const struct tsr_noc *noc = node->noc;
    packet->length = words << NOC_WORD_SHIFT;
    packet->flits = tsr_niu_data_flits(noc->layout, 0, packet->length);
    packet->bytes = calloc(1, packet->length > 0 ? packet->length : 1);
    if (!packet->bytes)
        return;
    if (packet->length > 0 &&
        !noc->chip.read(noc->chip.self, node->index, (uint64_t)from << NOC_WORD_SHIFT,
                        packet->bytes, packet->length))
        noc->chip.find(noc->chip.self, &stream->origin, FINDING_NOC_ADDRESS,
                       "A stream of the NoC overlay transmits a message that is not in L1; it "
                       "sends zeros.");
    send(node, stream, packet, (uint64_t)from << NOC_WORD_SHIFT);
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// What the receiving overlay is told of a message: its stream, and where the header goes.
static void tell_receiver(const struct tsr_noc_node *node, const struct tsr_stream *stream,
                          bool begins, struct tsr_noc_packet *packet)
{
    const uint32_t *value = stream->value;
    packet->header_store = begins;
    if (!to_dram(node, stream))
        packet->to_stream = (uint8_t)(1 + field_of(node, stream, STREAM_REMOTE_DEST_STREAM_ID));
    packet->data = value[STREAM_REMOTE_DEST_MSG_INFO_WR_PTR] |
                   value[STREAM_REMOTE_DEST_MSG_INFO_WR_PTR_HI] << HIGH_SHIFT;
}

// Where the next words of the message are, in the buffer of `owner`, which may wrap around.
static uint32_t next_words(const struct tsr_stream *stream, const struct tsr_stream *owner,
                           const struct tsr_message *message)
{
    uint32_t size = owner->value[STREAM_BUF_SIZE], end = owner->value[STREAM_BUF_START] + size;
    uint32_t from = message->address + stream->sent;
    while (stream->sent > 0 && size > 0 && from >= end)
        from -= size;
    return from;
}

// The next `left` words of a message. False: the link reads them later, and says when it has.
static bool send_words(struct tsr_noc_node *node, struct tsr_stream *stream,
                       const struct tsr_message *message, uint32_t left)
{
    const struct tsr_noc *noc = node->noc;
    struct tsr_stream *owner = message->from ? tsr_stream_of(node, message->from - 1u) : stream;
    uint32_t *value = stream->value;
    bool ends = stream->sent + left == message->length;
    uint32_t size = to_dram(node, stream) ? 0 : value[STREAM_REMOTE_DEST_BUF_SIZE];
    uint32_t most = tsr_niu_packet_bytes(noc->layout);
    struct tsr_noc_packet packet =
        packet_of(node, stream, field_of(node, stream, STREAM_OUTGOING_DATA_NOC));
    if (!owner || !lead_to_receivers(node, stream, &packet))
        return true;
    bool read = true;
    if (packet.over_link)
        most = UINT32_MAX;
    uint32_t end = owner->value[STREAM_BUF_START] + owner->value[STREAM_BUF_SIZE];
    uint32_t from = next_words(stream, owner, message);
    uint64_t start = value[STREAM_REMOTE_DEST_BUF_START];
    start |= (uint64_t)value[STREAM_REMOTE_DEST_BUF_START_HI] << HIGH_SHIFT;
    tell_receiver(node, stream, left > 0 && stream->sent == 0, &packet);
    while (left > 0) {
        uint32_t words = least(left, most >> NOC_WORD_SHIFT);
        if (from < end)
            words = least(words, end - from);
        if (size > value[STREAM_REMOTE_DEST_WR_PTR])
            words = least(words, size - value[STREAM_REMOTE_DEST_WR_PTR]);
        packet.address = (start + value[STREAM_REMOTE_DEST_WR_PTR]) << NOC_WORD_SHIFT;
        left -= words;
        packet.ends_message = ends && left == 0;
        if (packet.over_link)
            read = !send_piece_over_link(node, stream, &packet, from, words);
        else
            send_piece(node, stream, &packet, from, words);
        packet.header_store = false;
        from += words;
        if (from == end && left > 0)
            from = owner->value[STREAM_BUF_START];
        value[STREAM_REMOTE_DEST_WR_PTR] =
            tsr_stream_step(value[STREAM_REMOTE_DEST_WR_PTR], words, size);
    }
    value[STREAM_REMOTE_DEST_MSG_INFO_WR_PTR] += ends;
    return read;
}

// ---------------------------------------------------------------- messages in parts

// README.md: a stream that only communicates with other streams may have a receive buffer that is
// smaller than a message. A finding about that, once a message.
static void find_too_long(struct tsr_noc_node *node, struct tsr_stream *stream, int finding,
                          const char *format, uint32_t words, uint32_t size)
{
    const struct tsr_noc *noc = node->noc;
    char sentence[TSR_NOC_SENTENCE];
    if (stream->told)
        return;
    stream->told = true;
    snprintf(sentence, sizeof sentence, format, (unsigned)stream->id, (unsigned)words,
             (unsigned)size);
    noc->chip.find(noc->chip.self, &stream->origin, finding, sentence);
}

void tsr_stream_check_buffer(struct tsr_noc_node *node, struct tsr_stream *stream)
{
    struct tsr_message message;
    bool to_software = field_of(node, stream, STREAM_RECEIVER_ENDPOINT);
    if (stream->partial == 0 || stream->told || field_of(node, stream, STREAM_REMOTE_RECEIVER) ||
        !tsr_stream_incoming(node, stream, &message))
        return;
    find_too_long(
        node, stream, to_software ? FINDING_NOC_STREAM_BUFFER : FINDING_UNIMPLEMENTED_MODE,
        to_software ? "Stream %u of the NoC overlay transmits to software and waits for ever: the "
                      "message that comes has %u words of 16 bytes, and its receive buffer %u."
                    : "Stream %u of the NoC overlay waits for ever: the message that comes has %u "
                      "words of 16 bytes, and its receive buffer %u; passing it on in parts is "
                      "unimplemented here.",
        message.length, stream->value[STREAM_BUF_SIZE]);
}

static uint32_t common_space(const struct tsr_noc_node *node, const struct tsr_stream *stream)
{
    uint32_t space = UINT32_MAX;
    for (unsigned i = 0; i < receivers(node, stream) && !to_dram(node, stream); i++)
        space = least(space, stream->space[i]);
    return space;
}

static void take_space(const struct tsr_noc_node *node, struct tsr_stream *stream, uint32_t words)
{
    for (unsigned i = 0; i < receivers(node, stream) && !to_dram(node, stream); i++)
        stream->space[i] -= words;
}

// Sends as much of the message as has come and finds room. `complete`: all of it has come. Whether
// anything was sent, or the message is over.
static bool transmit_part(struct tsr_noc_node *node, struct tsr_stream *stream,
                          const struct tsr_message *message, bool complete)
{
    uint32_t here = complete ? message->length : least(stream->partial, message->length);
    uint32_t words = least(here - least(here, stream->sent), common_space(node, stream));
    bool over_link = field_of(node, stream, STREAM_REMOTE_DEST_X) == LINK_PEER;
    if (message->from || over_link || stream->value[STREAM_REMOTE_DEST_BUF_SIZE] == 0) {
        find_too_long(
            node, stream, FINDING_UNIMPLEMENTED_MODE,
            "Stream %u of the NoC overlay waits for ever: its message has %u words of 16 bytes, "
            "and the buffer of the receiver %u; sending it in parts is unimplemented here.",
            message->length, stream->value[STREAM_REMOTE_DEST_BUF_SIZE]);
        return false;
    }
    if (words > 0) {
        take_space(node, stream, words);
        (void)send_words(node, stream, message, words);
        stream->sent += words;
        tsr_stream_free_words(stream, words);
    }
    if (!complete || stream->sent < message->length)
        return words > 0;
    stream->sent = 0;
    stream->told = false;
    stream->fifos->message[0].length = 0; // what is left to be given back
    (void)tsr_stream_pop(node, stream, 1);
    (void)tsr_stream_release(node, stream);
    return true;
}

bool tsr_stream_transmit(struct tsr_noc_node *node, struct tsr_stream *stream)
{
    bool dram = to_dram(node, stream);
    struct tsr_message message = stream->fifos->message[0];
    if (stream->read_count >= tsr_stream_reads(node, stream->id))
        return false;
    if (stream->message_count == 0)
        return !dram && tsr_stream_incoming(node, stream, &message) &&
               transmit_part(node, stream, &message, false);
    if (!dram && (stream->sent > 0 || message.length > stream->value[STREAM_REMOTE_DEST_BUF_SIZE]))
        return transmit_part(node, stream, &message, true);
    if (common_space(node, stream) < message.length)
        return false;
    stream->told = false;
    take_space(node, stream, message.length);
    bool read = send_words(node, stream, &message, message.length);
    (void)tsr_stream_pop(node, stream, 1);
    if (read)
        (void)tsr_stream_release(node, stream);
    return true;
}

bool tsr_stream_all_taken(const struct tsr_noc_node *node, const struct tsr_stream *stream)
{
    if (field_of(node, stream, STREAM_DEST_DATA_BUF_NO_FLOW_CTRL) ||
        !field_of(node, stream, STREAM_NEXT_PHASE_DEST_CHANGE))
        return true;
    for (unsigned i = 0; i < receivers(node, stream); i++)
        if (stream->space[i] != stream->value[STREAM_REMOTE_DEST_BUF_SIZE])
            return false;
    return true;
}

// ---------------------------------------------------------------- room

static uint32_t threshold(const struct tsr_stream *stream)
{
    enum { REST = 8 };
    uint32_t code = stream->value[STREAM_MEM_BUF_SPACE_AVAILABLE_ACK_THRESHOLD];
    uint32_t size = stream->value[STREAM_BUF_SIZE], part = size >> code % REST;
    if (code % REST == 0)
        return 0;
    return code >= REST ? size - part : part;
}

void tsr_stream_give_room(struct tsr_noc_node *node, struct tsr_stream *stream, bool all)
{
    if (stream->freed == 0 || !field_of(node, stream, STREAM_REMOTE_SOURCE) ||
        field_of(node, stream, STREAM_DATA_BUF_NO_FLOW_CTRL) ||
        (!all && stream->freed < threshold(stream)))
        return;
    uint32_t freed = stream->freed;
    stream->freed = 0;
    send_to_source(node, stream, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE, freed);
}
