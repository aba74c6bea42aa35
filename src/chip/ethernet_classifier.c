// SPDX-License-Identifier: Apache-2.0
// The classifier of received frames: whether a frame is dropped, which bytes are taken out of it or
// put before it, and to which RX queue it goes. Stage 3, which extracts headers, is in
// ethernet_extract.c.
// Page: BlackholeA0/EthernetTile/EthernetRxClassifier.md.
#include "chip/ethernet_classifier.h"

#include "chip/ethernet_extract.h"

#include <string.h>

enum { MAC_BYTES = 6, TYPE_AT = 12, AFTER_TYPE = 14 };
enum { NO_MATCH = 64 };

// ---------------------------------------------------------------- 2: malformed frames

// A link loses frames, and does not damage them; what is left are those of MAC control.
static unsigned eop_code(const uint8_t *frame, uint32_t size)
{
    enum { CONTROL_TYPE = 0x8808, PAUSE = 0x0001, PRIORITY_PAUSE = 0x0101 };
    enum { DATA, FLOW_CONTROL, PRIORITY_FLOW_CONTROL, UNSUPPORTED = 5 };
    if (size < AFTER_TYPE + 2 || (frame[TYPE_AT] << 8 | frame[TYPE_AT + 1]) != CONTROL_TYPE)
        return DATA;
    unsigned operation = (unsigned)frame[AFTER_TYPE] << 8 | frame[AFTER_TYPE + 1];
    return operation == PAUSE            ? FLOW_CONTROL
           : operation == PRIORITY_PAUSE ? PRIORITY_FLOW_CONTROL
                                         : UNSUPPORTED;
}

// ---------------------------------------------------------------- 4: TCAM

static bool fits(uint32_t in, uint32_t value, uint32_t mask, uint32_t bits)
{
    return ((in ^ value) & ~mask & bits) == 0;
}

static bool fits_number(const uint32_t *in, const uint32_t *value, const uint32_t *mask,
                        unsigned words, uint32_t last_bits)
{
    for (unsigned i = 0; i < words; i++)
        if (!fits(in[i], value[i], mask[i], i + 1 < words ? UINT32_MAX : last_bits))
            return false;
    return true;
}

// The outermost tag's.
static uint32_t priority_of(const struct tsr_extracted *in)
{
    enum { PCP = 13, PCP_BITS = 7 };
    return ((in->has_stag ? in->stag : in->has_ctag ? in->ctag : 0) >> PCP) & PCP_BITS;
}

static bool fits_ip(const struct tsr_extracted *in, const struct tsr_tcam_pattern *value,
                    const struct tsr_tcam_pattern *mask)
{
    enum { REDUCED = 16, PROTOCOL_BITS = 0xf00ff, PORT_BITS = 0xfffff };
    unsigned words = in->kind == TCAM_IPV4 ? 1 : 4;
    return fits(in->protocol | in->reduced_protocol << REDUCED, value->protocol, mask->protocol,
                PROTOCOL_BITS) &&
           fits(in->source_port | in->reduced_source_port << REDUCED, value->source_port,
                mask->source_port, PORT_BITS) &&
           fits(in->destination_port | in->reduced_destination_port << REDUCED,
                value->destination_port, mask->destination_port, PORT_BITS) &&
           fits_number(in->source, value->source, mask->source, words, UINT32_MAX) &&
           fits_number(in->destination, value->destination, mask->destination, words, UINT32_MAX);
}

static bool fits_other(const struct tsr_extracted *in, const struct tsr_tcam_pattern *value,
                       const struct tsr_tcam_pattern *mask)
{
    enum { REDUCED = 16, TYPE_BITS = 0xfffff, FLAG_BITS = 0xf000f, HIGH = 0xffff, PCP_BITS = 7 };
    const uint32_t source[] = {(uint32_t)in->source_mac, (uint32_t)(in->source_mac >> 32)};
    const uint32_t destination[] = {(uint32_t)in->destination_mac,
                                    (uint32_t)(in->destination_mac >> 32)};
    return fits(in->type | in->reduced_type << REDUCED, value->ethertype, mask->ethertype,
                TYPE_BITS) &&
           fits(in->reduced_mac, value->flags, mask->flags, FLAG_BITS) &&
           fits(priority_of(in), value->priority, mask->priority, PCP_BITS) &&
           fits_number(source, value->source, mask->source, 2, HIGH) &&
           fits_number(destination, value->destination, mask->destination, 2, HIGH);
}

static unsigned find_flow(const struct tsr_frame_words *words, const struct tsr_extracted *in)
{
    enum { KIND_BITS = 3 };
    int best = -1;
    unsigned flow = NO_MATCH;
    for (unsigned row = 0; row < TSR_TCAM_ROWS; row++) {
        const struct tsr_tcam_pattern *value = &words->value[row], *mask = &words->mask[row];
        uint32_t mapping = words->word[FRAME_TCAM_ROW_MAPPING + row];
        int priority = (int)FRAME_FIELD(mapping, MATCH_PRIORITY);
        if (!(words->enabled >> row & 1) || (value->kind & KIND_BITS) != in->kind ||
            priority <= best)
            continue;
        if (in->kind == TCAM_NOT_IP ? fits_other(in, value, mask) : fits_ip(in, value, mask)) {
            best = priority;
            flow = FRAME_FIELD(mapping, FLOW_INDEX);
        }
    }
    return flow;
}

// ---------------------------------------------------------------- 6: the flow table's row

static struct tsr_flow flow_at(const struct tsr_frame_words *words, unsigned flow)
{
    const uint32_t *word = words->word;
    if (flow < TSR_FLOW_ROWS)
        return words->flow[flow];
    return (struct tsr_flow){.actions = word[FRAME_NO_MATCH_ACTIONS],
                             .vlan = word[FRAME_NO_MATCH_VLAN],
                             .labels = word[FRAME_NO_MATCH_LABELS],
                             .metadata = word[FRAME_NO_MATCH_SW_METADATA]};
}

static bool tags_fit(const struct tsr_extracted *in, uint32_t vlan)
{
    enum { IDENTIFIER = 0xfff };
    bool c = !FRAME_FIELD(vlan, VLAN_NEEDS_CTAG) ||
             (in->has_ctag && (in->ctag & IDENTIFIER) == FRAME_FIELD(vlan, VLAN_CTAG));
    bool s = !FRAME_FIELD(vlan, VLAN_NEEDS_STAG) ||
             (in->has_stag && (in->stag & IDENTIFIER) == FRAME_FIELD(vlan, VLAN_STAG));
    return c && s;
}

static bool is_kept(const struct tsr_frame_words *words, const struct tsr_extracted *in,
                    const struct tsr_flow *flow)
{
    enum { KEEP_ALL, DROP_ALL };
    uint32_t decision = FRAME_FIELD(words->word[FRAME_OVERRIDE_DECISION], DECISION);
    if (in->error)
        return (in->error & ~words->word[FRAME_HEADER_ERROR_CONTROL]) == 0;
    if (decision == KEEP_ALL || decision == DROP_ALL)
        return decision == KEEP_ALL;
    return !FRAME_FIELD(flow->actions, ACTION_DROP) && tags_fit(in, flow->vlan);
}

// What the frame does not have is 0: its tags may be all that there is.
static void remove_headers(const struct tsr_extracted *in, const uint8_t *frame, uint32_t size,
                           struct tsr_classified *out)
{
    uint32_t body = in->body_at < size ? size - in->body_at : 0;
    memcpy(out->bytes, frame, TYPE_AT);
    for (uint32_t i = 0; i < 2; i++)
        out->bytes[TYPE_AT + i] = in->type_at + i < size ? frame[in->type_at + i] : 0;
    memcpy(out->bytes + AFTER_TYPE, frame + size - body, body);
    out->size = AFTER_TYPE + body;
}

static void put_big(struct tsr_classified *out, uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        out->bytes[out->size++] = (uint8_t)(value >> shift);
}

static uint32_t hardware_metadata(const struct tsr_flow *flow, uint32_t size, unsigned code)
{
    enum { LENGTH = 0x3fff, CODE_AT = 14, QUEUE_AT = 20, TIMESTAMP_AT = 22, LABELS_AT = 24 };
    return (size & LENGTH) | code << CODE_AT |
           FRAME_FIELD(flow->actions, ACTION_QUEUE) << QUEUE_AT |
           FRAME_FIELD(flow->actions, ACTION_TIMESTAMP) << TIMESTAMP_AT |
           FRAME_FIELD(flow->labels, LABELS_COPIED) << LABELS_AT;
}

static void change(const struct tsr_extracted *in, const struct tsr_flow *flow, unsigned code,
                   const uint8_t *frame, uint32_t size, struct tsr_classified *out)
{
    out->size = 0;
    if (!in->error && FRAME_FIELD(flow->actions, ACTION_REMOVE)) {
        remove_headers(in, frame, size, out);
        return;
    }
    if (!in->error && FRAME_FIELD(flow->actions, ACTION_SW_METADATA))
        put_big(out, flow->metadata);
    if (!in->error && FRAME_FIELD(flow->actions, ACTION_HW_METADATA))
        put_big(out, hardware_metadata(flow, size, code));
    memcpy(out->bytes + out->size, frame, size);
    out->size += size;
}

// ---------------------------------------------------------------- 7: the RX queue

static unsigned queue_by_address(uint32_t routing, const struct tsr_classified *out)
{
    enum { MULTICAST = 4, UNICAST = 8, MMIO_AT = 216 / 8, QUEUES = 3 };
    bool broadcast = true;
    for (unsigned i = 0; i < MAC_BYTES; i++)
        broadcast &= out->bytes[i] == UINT8_MAX;
    unsigned shift = broadcast ? 0 : out->bytes[0] & 1 ? MULTICAST : UNICAST;
    bool mmio = out->size > MMIO_AT && out->bytes[MMIO_AT] & 1;
    return routing >> (shift + 2 * mmio) & QUEUES;
}

bool tsr_ethernet_classify(const struct tsr_frame_words *words, const uint8_t *frame, uint32_t size,
                           struct tsr_classified *out)
{
    enum { BY_ACTIONS = 2 };
    struct tsr_extracted in;
    unsigned code = eop_code(frame, size);
    if (!(words->word[FRAME_EOP_STATUS_GOOD_LO] >> code & 1))
        return false;
    tsr_ethernet_extract(words, frame, size, &in);
    out->flow = find_flow(words, &in);
    const struct tsr_flow flow = flow_at(words, out->flow);
    out->contradicts = FRAME_FIELD(flow.actions, ACTION_REMOVE) &&
                       (FRAME_FIELD(flow.actions, ACTION_SW_METADATA) ||
                        FRAME_FIELD(flow.actions, ACTION_HW_METADATA));
    out->unimplemented = flow.labels != 0 || FRAME_FIELD(flow.actions, ACTION_TIMESTAMP);
    if (!is_kept(words, &in, &flow))
        return false;
    change(&in, &flow, code, frame, size, out);
    out->queue = FRAME_FIELD(words->word[FRAME_MAC_RX_ROUTING], ROUTING) == BY_ACTIONS
                     ? FRAME_FIELD(flow.actions, ACTION_QUEUE)
                     : queue_by_address(words->word[FRAME_MAC_RX_ADDR_ROUTING], out);
    return true;
}
