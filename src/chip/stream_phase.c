// SPDX-License-Identifier: Apache-2.0
// Phases: configuration from L1, start, messages in and out, end. What a step of it needs is there
// or not; whatever changes something makes the streams of the node be looked at once more.
// Pages: WormholeB0/NoC/Overlay/README.md, LoadConfigurationFromL1.md, TransmitToSoftware.md,
// TransmitToNowhere.md.
#include "chip/stream_phase.h"

#include "base/bits.h"
#include "chip/stream_gather.h"
#include "chip/stream_link.h"
#include "chip/stream_messages.h"
#include "chip/stream_registers.h"
#include "tile/map_interrupts.h"

static uint32_t field_of(const struct tsr_noc_node *node, const struct tsr_stream *stream,
                         enum tsr_stream_field field)
{
    return tsr_stream_field(node->noc, stream, field);
}

// Streams 0 to 3 and 8 to 11 have an interrupt each (PIC.md).
static void interrupt(const struct tsr_noc_node *node, const struct tsr_stream *stream,
                      unsigned edge)
{
    const struct tsr_noc *noc = node->noc;
    unsigned irq = stream->id < 4 ? stream->id : stream->id - 4u;
    if (irq == stream->id || (irq >= 4 && irq < TSR_STREAM_IRQS))
        noc->chip.interrupt(noc->chip.self, node->index, irq, edge);
}

// ---------------------------------------------------------------- the start

static void begin_source(struct tsr_noc_node *node, struct tsr_stream *stream)
{
    stream->answered = stream->same_source;
    if (!field_of(node, stream, STREAM_REMOTE_SOURCE) || stream->same_source)
        return;
    stream->value[STREAM_RD_PTR] = stream->value[STREAM_WR_PTR] = 0;
    stream->next_message = stream->held = stream->freed = stream->partial = 0;
}

// Messages are handled only once what the phase before has read from L1 is done.
static void begin(struct tsr_noc_node *node, struct tsr_stream *stream)
{
    bool flushed =
        stream->read_count == 0 || field_of(node, stream, STREAM_NO_PREV_PHASE_OUTGOING_DATA_FLUSH);
    stream->phase = flushed ? STREAM_RUNS : STREAM_FLUSHES;
    stream->asked = stream->fed = stream->in_group = stream->told = false;
    stream->handles = stream->remaining > 0;
    stream->group = stream->member = stream->taken = 0;
    stream->sent = 0;
    if (!flushed || !stream->handles)
        return;
    begin_source(node, stream);
    if (field_of(node, stream, STREAM_REMOTE_RECEIVER) && !stream->same_receiver)
        stream->value[STREAM_REMOTE_DEST_WR_PTR] = 0;
}

void tsr_stream_start(struct tsr_noc_node *node, struct tsr_stream *stream)
{
    if (!tsr_stream_starts(stream))
        return;
    interrupt(node, stream, TSR_PHASE_START);
    begin(node, stream);
}

// ---------------------------------------------------------------- configuration from L1

static uint32_t word_of(struct tsr_noc_node *node, uint32_t address)
{
    uint8_t bytes[4] = {0};
    const struct tsr_noc *noc = node->noc;
    (void)noc->chip.read(noc->chip.self, node->index, address, bytes, sizeof bytes);
    return tsr_word_at(bytes);
}

// Registers that start, feed or empty a stream are not configuration, and stay as they are.
static void configure(struct tsr_noc_node *node, struct tsr_stream *stream)
{
    enum { INDEX_BIT = 24 };
    uint32_t at = stream->value[STREAM_PHASE_AUTO_CFG_PTR];
    uint32_t words = stream->next_config + 1u;
    for (uint32_t i = 0; i < words; i++) {
        uint32_t word = word_of(node, at + 4 * i);
        uint32_t index = word >> INDEX_BIT;
        struct tsr_stream_place place =
            tsr_stream_find(node, stream->id * STREAM_BYTES + 4 * index);
        if (i == 0)
            place = (struct tsr_stream_place){.reg = STREAM_PHASE_AUTO_CFG_HEADER, .there = true};
        if (place.reg != STREAM_REGISTERS)
            tsr_stream_keep(node->noc, stream, &place,
                            i == 0 ? word : word & tsr_mask32(INDEX_BIT));
    }
    node->overlay->done &= ~(1ull << stream->id);
    stream->phase = STREAM_CONFIGURED;
    if (field_of(node, stream, STREAM_PHASE_AUTO_ADVANCE))
        tsr_stream_start(node, stream);
}

// ---------------------------------------------------------------- the end

static bool all_done(const struct tsr_noc_node *node, const struct tsr_stream *stream)
{
    return stream->phase == STREAM_RUNS && stream->remaining == 0 &&
           (!field_of(node, stream, STREAM_REMOTE_RECEIVER) || !stream->handles ||
            tsr_stream_all_taken(node, stream));
}

static bool end(struct tsr_noc_node *node, struct tsr_stream *stream)
{
    if (!all_done(node, stream))
        return false;
    stream->same_source = !field_of(node, stream, STREAM_NEXT_PHASE_SRC_CHANGE);
    stream->same_receiver = !field_of(node, stream, STREAM_NEXT_PHASE_DEST_CHANGE);
    stream->phase = STREAM_IDLE;
    interrupt(node, stream, TSR_PHASE_END);
    if (field_of(node, stream, STREAM_PHASE_AUTO_CONFIG))
        return true;
    if (node->overlay->done == 0)
        node->noc->chip.interrupt(node->noc->chip.self, node->index, TSR_STREAMS_DONE_IRQ, 0);
    node->overlay->done |= 1ull << stream->id;
    return true;
}

// ---------------------------------------------------------------- messages

// -2 * N in the register pops N messages and gives their room back.
static bool clear_many(struct tsr_noc_node *node, struct tsr_stream *stream)
{
    uint32_t *left = &stream->value[STREAM_REMOTE_DEST_MSG_INFO_WR_PTR];
    bool even = *left % 2 == 0;
    if (*left == 0 || (even && (stream->message_count == 0 || !tsr_stream_pop(node, stream, 1))))
        return false;
    if (!even)
        (void)tsr_stream_release(node, stream);
    *left = (*left + 1) & tsr_mask32(tsr_stream_width(STREAM_REMOTE_DEST_MSG_INFO_WR_PTR));
    return true;
}

static bool drop_message(struct tsr_noc_node *node, struct tsr_stream *stream)
{
    return stream->message_count > 0 && tsr_stream_pop(node, stream, 1) &&
           tsr_stream_release(node, stream);
}

// One thing that a running stream does inside its tile.
static bool step_inside(struct tsr_noc_node *node, struct tsr_stream *stream)
{
    if (stream->phase == STREAM_FLUSHES && stream->read_count == 0) {
        begin(node, stream);
        return true;
    }
    if (stream->phase != STREAM_RUNS)
        return false;
    if (tsr_stream_refill(node, stream))
        return true;
    if (field_of(node, stream, STREAM_RECEIVER_ENDPOINT))
        return clear_many(node, stream);
    return !field_of(node, stream, STREAM_LOCAL_RECEIVER) &&
           !field_of(node, stream, STREAM_REMOTE_RECEIVER) && drop_message(node, stream);
}

void tsr_stream_settle(struct tsr_noc_node *node, struct tsr_stream *stream)
{
    while (step_inside(node, stream))
        continue;
}

// One thing that needs another stream or another tile.
static bool step_outside(struct tsr_noc_node *node, struct tsr_stream *stream)
{
    bool runs = stream->phase == STREAM_RUNS;
    if (stream->phase == STREAM_IDLE && field_of(node, stream, STREAM_PHASE_AUTO_CONFIG)) {
        configure(node, stream);
        return true;
    }
    if (runs && stream->remaining > 0 && field_of(node, stream, STREAM_REMOTE_SOURCE) &&
        !stream->answered) {
        stream->answered = true;
        tsr_stream_say_ready(node, stream);
        return true;
    }
    if (runs)
        tsr_stream_check_buffer(node, stream);
    tsr_stream_give_room(node, stream, stream->to_receive == 0 && stream->message_count == 0);
    if (runs && field_of(node, stream, STREAM_LOCAL_SOURCES_CONNECTED) &&
        tsr_stream_gather(node, stream))
        return true;
    if (runs && stream->remaining > 0 && field_of(node, stream, STREAM_REMOTE_RECEIVER) &&
        (stream->same_receiver || tsr_stream_receivers_ready(node, stream)))
        return tsr_stream_transmit(node, stream);
    return false;
}

bool tsr_streams_advance(struct tsr_noc_node *node)
{
    enum { MOST_ROUNDS = 256 };
    bool moved = true;
    for (unsigned round = 0; moved && round < MOST_ROUNDS; round++) {
        moved = false;
        for (unsigned id = 0; id < STREAM_TENSIX_STREAMS; id++) {
            struct tsr_stream *stream = node->overlay->stream[id];
            if (stream)
                moved |=
                    step_inside(node, stream) || step_outside(node, stream) || end(node, stream);
        }
    }
    return !moved;
}

void tsr_stream_arrived(struct tsr_noc_node *node, unsigned id, uint32_t words, bool last)
{
    struct tsr_stream *stream = tsr_stream_of(node, id);
    if (!stream)
        return;
    stream->fed = true;
    stream->over_link = false;
    stream->partial = last ? 0 : stream->partial + words;
    tsr_stream_push_headers(stream, last, words);
}

bool tsr_stream_arrived_over_link(struct tsr_noc_node *node, unsigned id, uint32_t words, bool last,
                                  uint32_t format)
{
    struct tsr_stream *stream = tsr_stream_uses_link(node, id) ? tsr_stream_of(node, id) : NULL;
    if (!stream)
        return false;
    tsr_stream_arrived(node, id, words, last);
    stream->over_link = true;
    stream->link_format = format;
    node->noc->streams[node->index] = 1;
    return true;
}

void tsr_stream_was_read(struct tsr_noc_node *node, unsigned id)
{
    struct tsr_stream *stream = tsr_stream_of(node, id);
    if (stream && tsr_stream_release(node, stream))
        node->noc->streams[node->index] = 1;
}
