// SPDX-License-Identifier: Apache-2.0
// The header array and the receive buffer are in L1, the metadata FIFO and the L1 read complete
// FIFO in the stream. Pages: WormholeB0/NoC/Overlay/README.md, ReceiveFromSoftware.md,
// TransmitToSoftware.md.
#include "chip/stream_messages.h"

#include "base/bits.h"
#include "chip/stream_registers.h"

#include <string.h>

uint32_t tsr_stream_step(uint32_t at, uint32_t by, uint32_t size)
{
    uint64_t next = (uint64_t)at + by;
    return (uint32_t)(size > 0 ? next % size : next);
}

// ---------------------------------------------------------------- receiving

static void put_message(struct tsr_stream *stream, const struct tsr_message *message)
{
    stream->fifos->message[stream->message_count++] = *message;
    stream->to_receive -= stream->to_receive > 0;
}

void tsr_stream_push_headers(struct tsr_stream *stream, uint32_t messages, uint32_t words)
{
    uint32_t *value = stream->value;
    value[STREAM_MSG_INFO_WR_PTR] =
        (value[STREAM_MSG_INFO_WR_PTR] + messages) & tsr_mask32(tsr_stream_width(STREAM_WR_PTR));
    value[STREAM_WR_PTR] = tsr_stream_step(value[STREAM_WR_PTR], words, value[STREAM_BUF_SIZE]);
    stream->held += words;
}

void tsr_stream_push_message(struct tsr_noc_node *node, struct tsr_stream *stream, uint32_t stored)
{
    enum { ADDRESS_BITS = 17, WORMHOLE_BITS = 15, BLACKHOLE_BITS = 14 };
    unsigned bits = node->noc->arch == TSR_WORMHOLE_B0 ? WORMHOLE_BITS : BLACKHOLE_BITS;
    uint32_t *value = stream->value, *header = &value[STREAM_RECEIVER_ENDPOINT_SET_MSG_HEADER];
    struct tsr_message message = {.address = stored & tsr_mask32(ADDRESS_BITS),
                                  .length = tsr_bits(stored, ADDRESS_BITS, bits)};
    if (stream->phase != STREAM_RUNS || stream->to_receive == 0 ||
        !tsr_stream_field(node->noc, stream, STREAM_SOURCE_ENDPOINT) ||
        stream->message_count >= tsr_stream_messages(node, stream->id))
        return;
    memcpy(message.header, header, sizeof message.header);
    tsr_stream_push_headers(stream, 1, message.length);
    value[STREAM_MSG_INFO_PTR] = value[STREAM_MSG_INFO_WR_PTR];
    stream->next_message = value[STREAM_WR_PTR];
    put_message(stream, &message);
}

// The length field may have any bits of the header; more than the buffers' pointers have is lost.
static uint32_t length_in(struct tsr_noc_node *node, const struct tsr_stream *stream,
                          const uint8_t header[NOC_WORD_BYTES])
{
    enum { LINK_BITS = 7 }; // of each field of ETH_RXQ_TILE_HEADER_FORMAT
    const struct tsr_stream *first = tsr_stream_of(node, 0);
    if (!first)
        return 0;
    unsigned offset = tsr_stream_field(node->noc, first, STREAM_MSG_HEADER_WORD_CNT_OFFSET) / 8;
    unsigned bits = tsr_stream_field(node->noc, first, STREAM_MSG_HEADER_WORD_CNT_BITS);
    if (stream->over_link) {
        offset = tsr_bits(stream->link_format, 0, LINK_BITS);
        bits = tsr_bits(stream->link_format, LINK_BITS, LINK_BITS);
    }
    uint64_t value = 0;
    for (unsigned i = 0; i < 4 && offset + i < NOC_WORD_BYTES; i++)
        value |= (uint64_t)header[offset + i] << 8 * i;
    uint32_t most = tsr_stream_width(STREAM_WR_PTR);
    return (uint32_t)value & tsr_mask32(bits < most ? bits : most);
}

static struct tsr_message next_message(struct tsr_noc_node *node, const struct tsr_stream *stream)
{
    const struct tsr_noc *noc = node->noc;
    const uint32_t *value = stream->value;
    uint8_t header[NOC_WORD_BYTES] = {0};
    (void)noc->chip.read(noc->chip.self, node->index,
                         (uint64_t)value[STREAM_MSG_INFO_PTR] << NOC_WORD_SHIFT, header,
                         NOC_WORD_BYTES);
    struct tsr_message message = {.address = value[STREAM_BUF_START] + stream->next_message,
                                  .length = length_in(node, stream, header)};
    for (unsigned i = 0; i < 4; i++)
        message.header[i] = tsr_word_at(header + 4 * i);
    return message;
}

static bool load_header(struct tsr_noc_node *node, struct tsr_stream *stream)
{
    uint32_t *value = stream->value;
    struct tsr_message message = next_message(node, stream);
    value[STREAM_MSG_INFO_PTR] =
        (value[STREAM_MSG_INFO_PTR] + 1) & tsr_mask32(tsr_stream_width(STREAM_MSG_INFO_PTR));
    stream->next_message =
        tsr_stream_step(stream->next_message, message.length, value[STREAM_BUF_SIZE]);
    put_message(stream, &message);
    return true;
}

bool tsr_stream_refill(struct tsr_noc_node *node, struct tsr_stream *stream)
{
    bool any = false;
    while (stream->phase == STREAM_RUNS && stream->to_receive > 0 &&
           stream->message_count < tsr_stream_messages(node, stream->id) &&
           stream->value[STREAM_MSG_INFO_PTR] != stream->value[STREAM_MSG_INFO_WR_PTR] &&
           !tsr_stream_field(node->noc, stream, STREAM_LOCAL_SOURCES_CONNECTED))
        any = load_header(node, stream);
    return any;
}

bool tsr_stream_incoming(struct tsr_noc_node *node, const struct tsr_stream *stream,
                         struct tsr_message *message)
{
    const uint32_t *value = stream->value;
    if (stream->partial == 0 || stream->message_count > 0 || stream->to_receive == 0 ||
        value[STREAM_MSG_INFO_PTR] != value[STREAM_MSG_INFO_WR_PTR])
        return false;
    *message = next_message(node, stream);
    return message->length > value[STREAM_BUF_SIZE];
}

// ---------------------------------------------------------------- transmitting

void tsr_stream_free_words(struct tsr_stream *stream, uint32_t words)
{
    stream->value[STREAM_RD_PTR] =
        tsr_stream_step(stream->value[STREAM_RD_PTR], words, stream->value[STREAM_BUF_SIZE]);
    stream->held -= words < stream->held ? words : stream->held;
    stream->freed += words;
}

bool tsr_stream_pop(const struct tsr_noc_node *node, struct tsr_stream *stream, unsigned count)
{
    struct tsr_stream_read read = {.from = stream->fifos->message[0].from};
    if (stream->read_count >= tsr_stream_reads(node, stream->id))
        return false;
    if (count > stream->message_count)
        count = stream->message_count;
    for (unsigned i = 0; i < count; i++)
        read.length += stream->fifos->message[i].length;
    stream->message_count -= (uint8_t)count;
    memmove(stream->fifos->message, stream->fifos->message + count,
            stream->message_count * sizeof *stream->fifos->message);
    stream->fifos->read[stream->read_count++] = read;
    stream->remaining -= (uint16_t)(count < stream->remaining ? count : stream->remaining);
    return true;
}

// The buffer of a gathering stream is that of the stream that has received the message.
bool tsr_stream_release(struct tsr_noc_node *node, struct tsr_stream *stream)
{
    if (stream->read_count == 0)
        return false;
    struct tsr_stream_read read = stream->fifos->read[0];
    memmove(stream->fifos->read, stream->fifos->read + 1,
            --stream->read_count * sizeof *stream->fifos->read);
    struct tsr_stream *owner = read.from ? tsr_stream_of(node, read.from - 1u) : stream;
    if (!owner)
        return true;
    tsr_stream_free_words(owner, read.length);
    return true;
}

// ---------------------------------------------------------------- what registers say

unsigned tsr_stream_available(const struct tsr_stream *stream)
{
    uint32_t in_l1 = stream->value[STREAM_MSG_INFO_WR_PTR] - stream->value[STREAM_MSG_INFO_PTR];
    in_l1 &= tsr_mask32(tsr_stream_width(STREAM_MSG_INFO_PTR));
    return stream->message_count + (in_l1 < stream->to_receive ? in_l1 : stream->to_receive);
}

uint32_t tsr_stream_room(const struct tsr_stream *stream)
{
    const uint32_t *value = stream->value;
    uint32_t size = value[STREAM_BUF_SIZE];
    if (stream->held == 0 || size == 0)
        return size;
    return (value[STREAM_RD_PTR] % size + size - value[STREAM_WR_PTR] % size) % size;
}

uint32_t tsr_stream_info(const struct tsr_noc_node *node, const struct tsr_stream *stream,
                         unsigned at)
{
    unsigned size = tsr_stream_has_headers(node, stream->id) ? STREAM_LONG_INFO : STREAM_SHORT_INFO;
    if (at / size >= stream->message_count)
        return 0;
    const struct tsr_message *message = &stream->fifos->message[at / size];
    switch (at % size) {
    case 0:
        return message->address;
    case 1:
        return message->length;
    default:
        return message->header[at % size - STREAM_SHORT_INFO];
    }
}
