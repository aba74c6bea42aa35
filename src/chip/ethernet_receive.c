// SPDX-License-Identifier: Apache-2.0
// RX queues: raw ones append to a buffer in L1, those in TT-link mode do what packets ask for, in
// sequence. All of it has been done when a counter says so.
// Pages: EthernetTile/EthernetTxRx.md of each chip.
#include "chip/ethernet_receive.h"

#include "chip/chip_findings.h"
#include "chip/ethernet_classifier.h"
#include "chip/ethernet_header.h"
#include "chip/ethernet_queues.h"
#include "chip/ethernet_send.h"
#include "chip/node_access.h"
#include "chip/stream_phase.h"

#include <stdlib.h>

// Firmware's addresses of queue 0 and 1 differ in the bit of groups: errata 463.
unsigned tsr_ethernet_receiver(const uint8_t *frame)
{
    return frame[0] & 1;
}

static void tell_address(struct tsr_node *node, unsigned queue, uint32_t address, uint32_t size)
{
    tsr_chip_report(node->chip, node, FINDING_ETHERNET_ADDRESS, address,
                    "RX queue %u writes %u bytes at 0x%x, where the tile has nothing.", queue,
                    (unsigned)size, (unsigned)address);
}

static void write_tile(struct tsr_node *node, unsigned queue, uint32_t address,
                       const uint8_t *bytes, uint32_t size, bool l1)
{
    bool there = !l1 || ((uint64_t)address + size <= node->memory->size);
    if (size > 0 &&
        (!there || tsr_node_write(node->chip, node, 0, address, bytes, size) == TSR_UNMAPPED))
        tell_address(node, queue, address, size);
}

// ---------------------------------------------------------------- raw

// As much as fits in before the buffer's end, and the rest at its start, or nowhere. False: some
// bytes are lost.
static bool append(struct tsr_node *node, unsigned queue, const uint8_t *bytes, uint32_t size)
{
    uint32_t *word = node->chip->queues[node->info.unit]->rx[queue].word;
    uint64_t base = (uint64_t)word[ETH_RXQ_BUF_START_WORD_ADDR] << NOC_WORD_SHIFT;
    uint64_t end = (uint64_t)word[ETH_RXQ_BUF_SIZE_WORDS] << NOC_WORD_SHIFT;
    bool wraps = QUEUE_FIELD(word[ETH_RXQ_CTRL], ETH_RXQ_CTRL_BUF_WRAP);
    while (size > 0) {
        uint64_t at = word[ETH_RXQ_BUF_PTR];
        uint32_t part = at >= end ? 0 : size < end - at ? size : (uint32_t)(end - at);
        if (base + at + part > node->memory->size)
            tell_address(node, queue, (uint32_t)(base + at), part);
        else
            write_tile(node, queue, (uint32_t)(base + at), bytes, part, true);
        word[ETH_RXQ_BUF_PTR] += part;
        word[ETH_RXQ_BYTE_CNT] += part;
        bytes += part;
        size -= part;
        if (wraps && end > 0 && word[ETH_RXQ_BUF_PTR] >= end)
            word[ETH_RXQ_BUF_PTR] = 0;
        else if (part == 0)
            return false;
    }
    return true;
}

// ---------------------------------------------------------------- TT-link

static struct tsr_noc_node *noc_of(const struct tsr_node *node)
{
    return &node->chip->noc.node[node - node->chip->node];
}

// Part of a message of the NoC overlay, whose header goes into the header array, too. False: it is
// dropped.
static bool take_message(struct tsr_node *node, unsigned queue, const struct tsr_tt_header *header,
                         const uint8_t *body)
{
    struct tsr_ethernet_queues *queues = node->chip->queues[node->info.unit];
    queues->rx[queue].word[ETH_RXQ_BYTE_CNT] += header->data;
    write_tile(node, queue, header->address, body, header->data, true);
    if (header->message.first && header->data >= NOC_WORD_BYTES)
        write_tile(node, queue, header->message.header_at << NOC_WORD_SHIFT, body, NOC_WORD_BYTES,
                   true);
    return tsr_stream_arrived_over_link(noc_of(node), header->message.stream,
                                        header->data >> NOC_WORD_SHIFT, header->message.last,
                                        queues->rx[queue].word[ETH_RXQ_TILE_HEADER_FORMAT]);
}

// False: it is dropped.
static bool perform(struct tsr_node *node, unsigned queue, const struct tsr_tt_header *header,
                    const uint8_t *body)
{
    struct tsr_ethernet_queues *queues = node->chip->queues[node->info.unit];
    uint8_t data[4];
    if (header->kind == TT_L1_WRITE) {
        queues->rx[queue].word[ETH_RXQ_BYTE_CNT] += header->data;
        write_tile(node, queue, header->address, body, header->data, true);
        return true;
    }
    bool overlay = header->kind == TT_OVERLAY;
    if (queue >= queues->layout->fact[overlay ? QUEUE_OVERLAY_RECEIVERS : QUEUE_MMIO_QUEUES]) {
        tsr_chip_report(node->chip, node, FINDING_ETHERNET_QUEUE, TSR_ETHERNET_QUEUES + queue,
                        "RX queue %u has got %s packet.", queue,
                        overlay ? "a NoC Overlay" : "an MMIO write");
        return false;
    }
    if (overlay)
        return take_message(node, queue, header, body);
    for (unsigned i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(header->data >> 8 * i);
    write_tile(node, queue, header->address, data, sizeof data, false);
    return true;
}

// What has been acknowledged need not be read again.
static void tell_streams(struct tsr_node *node)
{
    struct tsr_ethernet_queues *queues = node->chip->queues[node->info.unit];
    for (unsigned i = 0; i < TSR_LINK_STREAMS; i++)
        for (; queues->read_messages[i] > 0; queues->read_messages[i]--)
            tsr_stream_was_read(noc_of(node), i);
}

// False: it is dropped.
static bool take_packet(struct tsr_node *node, unsigned queue, const uint8_t *bytes, uint32_t size)
{
    enum { PREFIX = TSR_ETHERNET_HEADER + TSR_TT_HEADER };
    struct tsr_ethernet_queues *queues = node->chip->queues[node->info.unit];
    uint32_t *word = queues->rx[queue].word;
    struct tsr_tt_header header;
    if (size < PREFIX || !tsr_tt_header_get(bytes + TSR_ETHERNET_HEADER, size - PREFIX, &header))
        return false;
    word[ETH_RXQ_REMOTE_RX_SEQ_NUM] = header.expects;
    tsr_ethernet_acknowledge(queues, queue, header.expects, header.drop_notice, node->chip->now);
    tell_streams(node);
    if (header.kind == TT_UPDATE)
        return true;
    uint8_t ahead = (uint8_t)(header.sequence - word[ETH_RXQ_LOCAL_RX_SEQ_NUM]);
    if (ahead != 0) {
        queues->tx[queue].drop_notice |= ahead <= TSR_TT_PACKETS;
        queues->tx[queue].noticed = node->chip->now;
        return false;
    }
    word[ETH_RXQ_LOCAL_RX_SEQ_NUM] = (header.sequence + 1u) & UINT8_MAX;
    return perform(node, queue, &header, bytes + PREFIX);
}

// ---------------------------------------------------------------- both

// What a queue does with a frame that is its own.
static void take_frame(struct tsr_node *node, unsigned queue, const uint8_t *bytes, uint32_t size)
{
    struct tsr_ethernet_queues *queues = node->chip->queues[node->info.unit];
    uint32_t *word = queues->rx[queue].word;
    uint32_t unit = queues->layout->fact[QUEUE_WORD_BYTES];
    uint32_t strips =
        queues->arch == TSR_WORMHOLE_B0 ? TSR_ETHERNET_HEADER : word[ETH_RXQ_HDR_CTRL];
    strips = strips < size ? strips : size;
    word[ETH_RXQ_WORD_CNT] += (size + unit - 1) / unit;
    word[ETH_RXQ_PKT_START_CNT]++;
    word[ETH_RXQ_PKT_END_CNT]++;
    bool taken = QUEUE_FIELD(word[ETH_RXQ_CTRL], ETH_RXQ_CTRL_PACKET_MODE)
                     ? take_packet(node, queue, bytes, size)
                     : append(node, queue, bytes + strips, size - strips);
    word[ETH_RXQ_PACKET_DROP_CNT] += !taken;
}

// Blackhole: what the classifier makes of it.
static void classify(struct tsr_node *node, const struct tsr_frame *frame)
{
    const struct tsr_ethernet_queues *queues = node->chip->queues[node->info.unit];
    struct tsr_classified result = {.bytes = malloc(frame->size + TSR_METADATA_MAX)};
    if (!result.bytes)
        return;
    bool kept = tsr_ethernet_classify(&queues->frames, frame->bytes, frame->size, &result);
    if (result.unimplemented)
        tsr_chip_report(node->chip, node, FINDING_UNIMPLEMENTED_MODE, result.flow,
                        "Row %u of the flow table asks for a timestamp or for counters (labels), "
                        "which no page has.",
                        result.flow);
    if (result.contradicts)
        tsr_chip_report(node->chip, node, FINDING_ETHERNET_HEADER, result.flow,
                        "Row %u of the flow table removes headers and prepends metadata.",
                        result.flow);
    if (kept && result.queue >= queues->layout->fact[QUEUE_QUEUES])
        tsr_chip_report(node->chip, node, FINDING_ETHERNET_QUEUE, result.flow,
                        "A frame is to go to RX queue %u, which is not there.", result.queue);
    else if (kept)
        take_frame(node, result.queue, result.bytes, result.size);
    free(result.bytes);
}

bool tsr_ethernet_receive(struct tsr_node *node, const struct tsr_frame *frame)
{
    const struct tsr_ethernet_queues *queues = node->chip->queues[node->info.unit];
    if (queues->arch != TSR_WORMHOLE_B0) {
        classify(node, frame);
        return true;
    }
    unsigned queue = tsr_ethernet_receiver(frame->bytes);
    if (QUEUE_FIELD(queues->rx[queue].word[ETH_RXQ_CTRL], ETH_RXQ_CTRL_FORCE_BPRESSURE))
        return false;
    take_frame(node, queue, frame->bytes, frame->size);
    return true;
}
