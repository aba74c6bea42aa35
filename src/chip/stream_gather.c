// SPDX-License-Identifier: Apache-2.0
// Groups of streams take turns; of the group that has its turn each stream gives a number of
// messages. Page: WormholeB0/NoC/Overlay/Gather.md.
#include "chip/stream_gather.h"

#include "chip/stream_messages.h"
#include "chip/stream_registers.h"

#include <string.h>

static unsigned group_size(const struct tsr_noc_node *node, const struct tsr_stream *stream)
{
    uint32_t size = tsr_stream_field(node->noc, stream, STREAM_MSG_ARB_GROUP_SIZE);
    return size == 2 || size == 4 ? (unsigned)size : 1;
}

static bool gathers_from(const struct tsr_stream *stream, unsigned id)
{
    enum { MASK_BITS = 24 };
    static const enum tsr_stream_register masks[] = {STREAM_LOCAL_SRC_MASK, STREAM_LOCAL_SRC_MASK_1,
                                                     STREAM_LOCAL_SRC_MASK_2};
    return stream->value[masks[id / MASK_BITS]] >> id % MASK_BITS & 1;
}

// NULL: it is not in its phase, or transmits to another one.
static struct tsr_stream *input_of(struct tsr_noc_node *node, const struct tsr_stream *stream,
                                   unsigned id)
{
    struct tsr_stream *input = node->overlay->stream[id];
    bool ours = input && input->phase == STREAM_RUNS &&
                tsr_stream_field(node->noc, input, STREAM_LOCAL_RECEIVER) &&
                tsr_stream_field(node->noc, input, STREAM_LOCAL_DEST_STREAM_ID) == stream->id;
    return ours ? input : NULL;
}

// The handshake: all inputs have started.
static bool inputs_run(struct tsr_noc_node *node, struct tsr_stream *stream)
{
    for (unsigned id = 0; id < STREAM_TENSIX_STREAMS && !stream->fed; id++)
        if (gathers_from(stream, id) && !input_of(node, stream, id))
            return false;
    stream->fed = true;
    return true;
}

static bool group_ready(struct tsr_noc_node *node, const struct tsr_stream *stream, unsigned first)
{
    for (unsigned i = 0; i < group_size(node, stream); i++) {
        const struct tsr_stream *input = input_of(node, stream, first + i);
        if (!input || tsr_stream_available(input) == 0 ||
            tsr_stream_available(input) <
                tsr_stream_field(node->noc, input, STREAM_LOCAL_DEST_MSG_CLEAR_NUM))
            return false;
    }
    return true;
}

// The next group from the cursor on. False: the one whose turn it is is not ready, or none is.
static bool choose_group(struct tsr_noc_node *node, struct tsr_stream *stream)
{
    unsigned size = group_size(node, stream);
    bool in_order = tsr_stream_field(node->noc, stream, STREAM_MSG_SRC_IN_ORDER_FWD);
    for (unsigned i = 0; i < STREAM_TENSIX_STREAMS; i += size) {
        unsigned group = (stream->group + i) % STREAM_TENSIX_STREAMS / size * size;
        if (!gathers_from(stream, group))
            continue;
        stream->in_group = group_ready(node, stream, group);
        if (stream->in_group || in_order) {
            stream->group = (uint8_t)group;
            stream->member = stream->taken = 0;
            return stream->in_group;
        }
    }
    return false;
}

// ReceiveFromGroup() of the page, one step.
static void step_group(struct tsr_noc_node *node, struct tsr_stream *stream)
{
    uint32_t count = tsr_stream_field(node->noc, stream, STREAM_MSG_LOCAL_STREAM_CLEAR_NUM);
    unsigned size = group_size(node, stream);
    bool by_stream = tsr_stream_field(node->noc, stream, STREAM_MSG_GROUP_STREAM_CLEAR_TYPE);
    uint8_t *inner = by_stream ? &stream->taken : &stream->member;
    uint8_t *outer = by_stream ? &stream->member : &stream->taken;
    uint32_t inner_end = by_stream ? count : size, outer_end = by_stream ? size : count;
    if (++*inner < inner_end)
        return;
    *inner = 0;
    if (++*outer < outer_end)
        return;
    *outer = 0;
    stream->in_group = false;
    stream->group = (uint8_t)((stream->group + size) % STREAM_TENSIX_STREAMS);
}

bool tsr_stream_gather(struct tsr_noc_node *node, struct tsr_stream *stream)
{
    enum { MOST = 2 };
    if (stream->to_receive == 0 || stream->message_count >= MOST || !inputs_run(node, stream) ||
        (!stream->in_group && !choose_group(node, stream)))
        return false;
    unsigned id = stream->group + stream->member;
    struct tsr_stream *input = input_of(node, stream, id);
    if (!input)
        return false;
    (void)tsr_stream_refill(node, input);
    if (input->message_count == 0)
        return false;
    struct tsr_message *to = &stream->fifos->message[stream->message_count++];
    *to = input->fifos->message[0];
    to->from = (uint8_t)(id + 1);
    memmove(input->fifos->message, input->fifos->message + 1,
            --input->message_count * sizeof *input->fifos->message);
    input->remaining -= input->remaining > 0;
    stream->to_receive--;
    step_group(node, stream);
    return true;
}
