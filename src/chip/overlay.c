// SPDX-License-Identifier: Apache-2.0
// The registers of the NoC overlay as cores, hosts and packets see them: an idle stream's are
// general-purpose registers, others start a stream, feed it and take from it.
// Pages: WormholeB0/NoC/Overlay/*.md.
#include "chip/overlay.h"

#include "chip/stream_link.h"
#include "chip/stream_messages.h"
#include "chip/stream_phase.h"
#include "chip/stream_registers.h"

// ---------------------------------------------------------------- loads

static uint32_t debug_status(const struct tsr_noc_node *node, const struct tsr_stream *stream)
{
    enum { READ_COMPLETE_HAS_ROOM = 1 << 0, ALL_HAVE_SPACE = 1 << 3 };
    unsigned destinations = tsr_stream_sends_to_several(node, stream->id) ? STREAM_DESTINATIONS : 1;
    uint32_t status = ALL_HAVE_SPACE;
    for (unsigned i = 0; i < destinations; i++)
        if (stream->space[i] == 0)
            status = 0;
    if (stream->read_count < tsr_stream_reads(node, stream->id))
        status |= READ_COMPLETE_HAS_ROOM;
    return status;
}

static uint32_t wait_status(const struct tsr_stream *stream)
{
    enum { STATE_BIT = 3 };
    uint32_t bits = tsr_stream_starts(stream) ? 1u : stream->phase == STREAM_FLUSHES ? 2u : 4u;
    return bits | (uint32_t)stream->phase << STATE_BIT;
}

static uint32_t header_status(const struct tsr_stream *stream)
{
    enum { COUNT_BIT = 12, SIZE_BIT = 24 };
    return stream->remaining | (uint32_t)stream->remaining << COUNT_BIT |
           (uint32_t)stream->next_config << SIZE_BIT;
}

// Of four messages that may be there.
static uint32_t compress_bits(const struct tsr_noc_node *node, const struct tsr_stream *stream)
{
    enum { GROUP = 4, SECOND_WORD = 3, COMPRESS_BIT = 20 };
    uint32_t result = 0;
    for (unsigned i = 0; i < GROUP; i++)
        result |=
            (tsr_stream_info(node, stream, i * STREAM_LONG_INFO + SECOND_WORD) >> COMPRESS_BIT & 1)
            << i;
    return result;
}

static uint32_t zero_mask(const struct tsr_noc_node *node, const struct tsr_stream *stream)
{
    enum { GROUP = 4, THIRD_WORD = 4 };
    uint32_t result = UINT32_MAX;
    for (unsigned i = 0; i < GROUP; i++)
        result &= tsr_stream_info(node, stream, i * STREAM_LONG_INFO + THIRD_WORD);
    return result;
}

// In turn, so that none is left out.
static uint32_t next_done(struct tsr_overlay *overlay)
{
    enum { VALID = 0x10000 };
    for (unsigned i = 0; i < STREAM_TENSIX_STREAMS && overlay->done; i++) {
        unsigned id = (overlay->next_done + i) % STREAM_TENSIX_STREAMS;
        if (!(overlay->done >> id & 1))
            continue;
        overlay->done &= ~(1ull << id);
        overlay->next_done = (uint8_t)((id + 1) % STREAM_TENSIX_STREAMS);
        return VALID | id;
    }
    return 0;
}

// Of a stream with messages: their front. Of an idle one what a store to the read pointer left.
static uint32_t front_or(const struct tsr_stream *stream, enum tsr_stream_register reg)
{
    if (stream->message_count == 0)
        return stream->value[reg];
    return reg == STREAM_NEXT_RECEIVED_MSG_ADDR ? stream->fifos->message[0].address
                                                : stream->fifos->message[0].length;
}

static uint32_t value_of(struct tsr_noc_node *node, struct tsr_stream *stream,
                         const struct tsr_stream_place *place)
{
    const uint32_t *value = stream->value;
    bool headers = tsr_stream_has_headers(node, stream->id);
    switch (tsr_stream_rule_of(place->reg)) {
    case PHASE:
        return value[place->reg] - value[STREAM_CURR_PHASE_BASE];
    case CFG_PTR:
        return value[place->reg] - value[STREAM_PHASE_AUTO_CFG_PTR_BASE];
    case CAN_PUSH:
        return value[STREAM_MSG_INFO_PTR] == value[STREAM_MSG_INFO_WR_PTR] &&
               stream->message_count < tsr_stream_messages(node, stream->id);
    case HEADER:
        return header_status(stream);
    case SPACE:
        return stream->space[place->at];
    case SPACE_STATUS:
        return debug_status(node, stream);
    case READ_ONLY:
        return front_or(stream, place->reg);
    case MESSAGES:
        return stream->message_count;
    case STATUS:
        return wait_status(stream);
    case BUF_SPACE:
        return tsr_stream_room(stream);
    case COMPRESS:
        return headers ? compress_bits(node, stream) : 0;
    case ZERO_MASK:
        return headers ? zero_mask(node, stream) : 0;
    case MESSAGE_INFO:
        return tsr_stream_info(node, stream, place->at);
    case DONE:
        return (uint32_t)(node->overlay->done >>
                          (place->reg == STREAM_BLOB_AUTO_CFG_DONE ? 0 : 32));
    case NEXT_DONE:
        return next_done(node->overlay);
    case FULL:
        return stream->message_count >= tsr_stream_messages(node, stream->id);
    case SPACE_UPDATE:
    case ADVANCE:
    case NEW_MESSAGE:
    case MORE_MESSAGES:
    case INFO_CLEAR:
    case DATA_CLEAR:
    case DEST_READY:
    case SRC_READY:
        return 0; // written only
    default:
        return value[place->reg];
    }
}

tsr_status tsr_overlay_load(struct tsr_noc_node *node, struct tsr_noc_access *access)
{
    struct tsr_stream_place place = tsr_stream_find(node, access->offset);
    access->finding = -1;
    access->value = 0;
    if (place.reg == STREAM_REGISTERS)
        return TSR_UNMAPPED;
    struct tsr_stream *stream = tsr_stream_of(node, place.stream);
    if (!stream)
        return TSR_NO_MEMORY;
    if (place.there)
        access->value = value_of(node, stream, &place) & tsr_mask32(place.width);
    return TSR_OK;
}

uint64_t tsr_overlay_quiet_until(const struct tsr_noc_node *node, uint32_t offset)
{
    return tsr_stream_find(node, offset).reg != STREAM_BLOB_NEXT_AUTO_CFG_DONE ? UINT64_MAX : 0;
}

// ---------------------------------------------------------------- stores

// Software takes messages: 0, 1, 2 or a group.
static void clear_info(struct tsr_noc_node *node, struct tsr_stream *stream, uint32_t count)
{
    if (stream->phase == STREAM_RUNS &&
        tsr_stream_field(node->noc, stream, STREAM_RECEIVER_ENDPOINT))
        (void)tsr_stream_pop(node, stream, count < STREAM_MESSAGES ? count : STREAM_MESSAGES);
}

static void push_headers(struct tsr_noc_node *node, struct tsr_stream *stream, uint32_t stored)
{
    enum { COUNT_BITS = 12, SIZE_BITS = 17 };
    if (stream->phase == STREAM_RUNS && tsr_stream_field(node->noc, stream, STREAM_SOURCE_ENDPOINT))
        tsr_stream_push_headers(stream, stored & tsr_mask32(COUNT_BITS),
                                tsr_bits(stored, COUNT_BITS, SIZE_BITS));
}

static struct tsr_noc_origin origin_of(const struct tsr_noc_node *node,
                                       const struct tsr_noc_access *access)
{
    return (struct tsr_noc_origin){.node = node->index,
                                   .agent = (uint8_t)access->agent,
                                   .has_pc = access->has_pc,
                                   .at = access->at,
                                   .cycle = access->now};
}

static void store(struct tsr_noc_node *node, struct tsr_stream *stream,
                  const struct tsr_stream_place *place, const struct tsr_noc_access *access)
{
    uint32_t stored = access->value;
    switch (tsr_stream_rule_of(place->reg)) {
    case MISC_CFG: // which may make it load its configuration
        stream->origin = origin_of(node, access);
        tsr_stream_keep(node->noc, stream, place, stored);
        break;
    case ADVANCE:
        stream->origin = origin_of(node, access);
        tsr_stream_start(node, stream);
        break;
    case NEW_MESSAGE: // what it sends then is this one's
        stream->origin = origin_of(node, access);
        tsr_stream_push_message(node, stream, stored);
        break;
    case MORE_MESSAGES:
        stream->origin = origin_of(node, access);
        push_headers(node, stream, stored);
        break;
    case INFO_CLEAR:
        clear_info(node, stream, stored);
        break;
    case DATA_CLEAR:
        (void)tsr_stream_release(node, stream);
        break;
    case DEST_READY:
        tsr_stream_note_ready(stream, stored);
        break;
    case SRC_READY: // it has not heard, or asks again
        stream->answered = stream->answered && (stream->fed || stream->same_source);
        break;
    case DONE:
        node->overlay->done &=
            ~((uint64_t)stored << (place->reg == STREAM_BLOB_AUTO_CFG_DONE ? 0 : 32));
        break;
    default:
        tsr_stream_keep(node->noc, stream, place, stored);
        break;
    }
    tsr_stream_settle(node, stream);
}

tsr_status tsr_overlay_store(struct tsr_noc_node *node, struct tsr_noc_access *access)
{
    struct tsr_stream_place place = tsr_stream_find(node, access->offset);
    access->finding = -1;
    if (place.reg == STREAM_REGISTERS)
        return TSR_UNMAPPED;
    struct tsr_stream *stream = tsr_stream_of(node, place.stream);
    if (!stream)
        return TSR_NO_MEMORY;
    if (!place.there)
        return TSR_OK;
    store(node, stream, &place, access);
    if (stream->phase != STREAM_IDLE || stream->freed > 0 ||
        tsr_stream_field(node->noc, stream, STREAM_PHASE_AUTO_CONFIG))
        node->noc->streams[node->index] = 1;
    return TSR_OK;
}
