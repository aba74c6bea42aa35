// SPDX-License-Identifier: Apache-2.0
// The bytes in front of a frame's body. Pages: EthernetTile/EthernetTxRx.md of each chip; the
// TT-link header's layout is this project's (errata 464), but for its length and the bit that tells
// MMIO writes, which are Blackhole's.
#include "chip/ethernet_header.h"

#include "base/bits.h"

#include <string.h>

enum { MAC_BYTES = 6, TYPE_AT = 12 };

static void put_little(uint8_t *bytes, uint32_t value, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

static void put_big(uint8_t *bytes, uint32_t value, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        bytes[i] = (uint8_t)(value >> 8 * (count - 1 - i));
}

// ---------------------------------------------------------------- Wormhole

static void put_registers(const struct tsr_ethernet_queues *queues, unsigned queue, uint8_t *frame,
                          uint32_t size)
{
    const uint32_t *word = queues->tx[queue].word;
    put_little(frame, word[ETH_TXQ_DEST_MAC_ADDR_LO], 4);
    put_little(frame + 4, word[ETH_TXQ_DEST_MAC_ADDR_HI], 2);
    put_little(frame + MAC_BYTES, word[ETH_TXQ_SRC_MAC_ADDR_LO], 4);
    put_little(frame + MAC_BYTES + 4, word[ETH_TXQ_SRC_MAC_ADDR_HI], 2);
    bool type = QUEUE_FIELD(word[ETH_TXQ_CTRL], ETH_TXQ_CTRL_USE_TYPE);
    put_big(frame + TYPE_AT, type ? word[ETH_TXQ_ETH_TYPE] : size - TSR_ETHERNET_HEADER, 2);
}

// ---------------------------------------------------------------- Blackhole

enum { L3_IPV4, L3_IPV6, L3_CUSTOM = 3 };
enum { L4_UDP, L4_TCP, L4_CUSTOM = 3 };
enum { IPV4_BYTES = 20, IPV6_BYTES = 40, UDP_BYTES = 8, TCP_BYTES = 20, VLAN_BYTES = 4 };
enum { L3_MOST = 40, L4_MOST = 20, MAC_WORDS = 2, L3_WORDS = 10, L4_WORDS = 5 };

// What an entry of the header table puts before a frame's body. An entry beyond the table is the
// last one's.
struct plan {
    const uint32_t *word;
    unsigned entry;
    uint32_t insert, vlan, l3, l4; // bytes of each
    bool udp, tcp, checksum, missing;
};

static uint32_t at_most(uint32_t value, uint32_t most)
{
    return value < most ? value : most;
}

// The page has the entries of streams 0 to 7; those after them take the same ones (errata 498).
static unsigned entry_of_stream(uint32_t entries, unsigned stream)
{
    enum { STREAMS = 8, BITS = 4 };
    return tsr_bits(entries, BITS * (stream % STREAMS), BITS);
}

static struct plan plan_of(const struct tsr_ethernet_queues *queues, unsigned queue,
                           enum tsr_header_use use)
{
    const uint32_t *word = queues->tx[queue].word;
    uint32_t by_software = word[ETH_TXQ_TXPKT_CFG_SEL_SW];
    struct plan plan = {.word = queues->frames.word};
    plan.entry = use == TSR_HEADER_RAW    ? QUEUE_FIELD(by_software, ETH_TXQ_TXPKT_CFG_RAW)
                 : use == TSR_HEADER_MMIO ? QUEUE_FIELD(by_software, ETH_TXQ_TXPKT_CFG_MMIO)
                 : use == TSR_HEADER_DATA ? QUEUE_FIELD(by_software, ETH_TXQ_TXPKT_CFG_DATA)
                 : use >= TSR_HEADER_STREAM
                     ? entry_of_stream(word[ETH_TXQ_TXPKT_CFG_SEL_OVL], use - TSR_HEADER_STREAM)
                     : QUEUE_FIELD(word[ETH_TXQ_TXPKT_CFG_SEL_HW], ETH_TXQ_TXPKT_CFG_UPDATE);
    plan.missing = plan.entry > FRAME_INSERT_CTL_LAST - FRAME_INSERT_CTL;
    plan.entry = at_most(plan.entry, FRAME_INSERT_CTL_LAST - FRAME_INSERT_CTL);
    uint32_t insert = plan.insert = plan.word[FRAME_INSERT_CTL + plan.entry];
    uint32_t custom = plan.word[FRAME_CUSTOM_HDR + plan.entry];
    if (FRAME_FIELD(insert, INSERT_VLAN1))
        plan.vlan = FRAME_FIELD(insert, INSERT_VLAN2) ? 2 * VLAN_BYTES : VLAN_BYTES;
    uint32_t l3 = FRAME_FIELD(insert, INSERT_L3_TYPE), l4 = FRAME_FIELD(insert, INSERT_L4_TYPE);
    if (FRAME_FIELD(insert, INSERT_L3))
        plan.l3 = l3 == L3_IPV4     ? IPV4_BYTES
                  : l3 == L3_IPV6   ? IPV6_BYTES
                  : l3 == L3_CUSTOM ? at_most(FRAME_FIELD(custom, CUSTOM_HDR_L3), L3_MOST)
                                    : 0;
    if (FRAME_FIELD(insert, INSERT_L4))
        plan.l4 = l4 == L4_UDP      ? UDP_BYTES
                  : l4 == L4_TCP    ? TCP_BYTES
                  : l4 == L4_CUSTOM ? at_most(FRAME_FIELD(custom, CUSTOM_HDR_L4), L4_MOST)
                                    : 0;
    plan.udp = plan.l4 > 0 && l4 == L4_UDP;
    plan.tcp = plan.l4 > 0 && l4 == L4_TCP;
    plan.checksum = FRAME_FIELD(insert, INSERT_L4_CHECKSUM);
    return plan;
}

// The Internet's checksum, so far, over more bytes.
static uint32_t sum(uint32_t so_far, const uint8_t *bytes, uint32_t size)
{
    enum { HALF = 16, LOW = 0xffff };
    for (uint32_t i = 0; i < size; i++) {
        so_far += i % 2 ? bytes[i] : (uint32_t)bytes[i] << 8;
        so_far = (so_far & LOW) + (so_far >> HALF);
    }
    return so_far;
}

static void put_words(uint8_t *to, const uint32_t *word, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++)
        to[i] = (uint8_t)(word[i / 4] >> 8 * (3 - i % 4));
}

// Lengths and checksums that the hardware knows. `size`: from the L3 header on.
static void complete(const struct plan *plan, uint8_t *l3, uint32_t size)
{
    enum { LENGTH4_AT = 2, SUM4_AT = 10, ADDRESSES4_AT = 12, LENGTH6_AT = 4, ADDRESSES6_AT = 8 };
    enum { UDP_LENGTH_AT = 4, UDP_SUM_AT = 6, TCP_SUM_AT = 16, UDP = 17, TCP = 6, LOW = 0xffff };
    uint32_t type = FRAME_FIELD(plan->insert, INSERT_L3_TYPE), l4_size = size - plan->l3;
    bool ipv4 = plan->l3 > 0 && type == L3_IPV4, ipv6 = plan->l3 > 0 && type == L3_IPV6;
    uint8_t *l4 = l3 + plan->l3;
    if (ipv4) {
        put_big(l3 + LENGTH4_AT, size, 2);
        put_big(l3 + SUM4_AT, 0, 2);
        put_big(l3 + SUM4_AT, ~sum(0, l3, IPV4_BYTES), 2);
    }
    if (ipv6)
        put_big(l3 + LENGTH6_AT, l4_size, 2);
    if (plan->udp)
        put_big(l4 + UDP_LENGTH_AT, l4_size, 2);
    if (!plan->checksum || !(plan->udp || plan->tcp))
        return;
    uint8_t *at = l4 + (plan->udp ? UDP_SUM_AT : TCP_SUM_AT);
    put_big(at, 0, 2);
    uint32_t total = sum(l4_size + (plan->udp ? UDP : TCP), l4, l4_size);
    if (ipv4)
        total = sum(total, l3 + ADDRESSES4_AT, IPV4_BYTES - ADDRESSES4_AT);
    if (ipv6)
        total = sum(total, l3 + ADDRESSES6_AT, IPV6_BYTES - ADDRESSES6_AT);
    total = ~total & LOW;
    put_big(at, total == 0 && plan->udp ? LOW : total, 2);
}

static void put_entry(const struct plan *plan, uint8_t *frame, uint32_t size)
{
    const uint32_t *word = plan->word, *mac_da = &word[FRAME_MAC_DA + MAC_WORDS * plan->entry];
    const uint32_t *mac_sa = &word[FRAME_MAC_SA + MAC_WORDS * plan->entry];
    put_big(frame, mac_da[1], 2);
    put_big(frame + 2, mac_da[0], 4);
    put_big(frame + MAC_BYTES, mac_sa[1], 2);
    put_big(frame + MAC_BYTES + 2, mac_sa[0], 4);
    if (plan->vlan > 0)
        put_big(frame + TYPE_AT, word[FRAME_VLAN1 + plan->entry], 4);
    if (plan->vlan > VLAN_BYTES)
        put_big(frame + TYPE_AT + VLAN_BYTES, word[FRAME_VLAN2 + plan->entry], 4);
    uint32_t type = word[FRAME_USE_ETHERTYPE + plan->entry];
    uint32_t l3_at = TSR_ETHERNET_HEADER + plan->vlan;
    put_big(frame + l3_at - 2,
            FRAME_FIELD(type, ETHERTYPE_USED) ? FRAME_FIELD(type, ETHERTYPE) : size - l3_at, 2);
    put_words(frame + l3_at, &word[FRAME_L3_HEADER + L3_WORDS * plan->entry], plan->l3);
    put_words(frame + l3_at + plan->l3, &word[FRAME_L4_HEADER + L4_WORDS * plan->entry], plan->l4);
    complete(plan, frame + l3_at, size - l3_at);
}

// ---------------------------------------------------------------- both

uint32_t tsr_ethernet_header_size(const struct tsr_ethernet_queues *queues, unsigned queue,
                                  enum tsr_header_use use)
{
    if (queues->arch == TSR_WORMHOLE_B0)
        return TSR_ETHERNET_HEADER;
    const struct plan plan = plan_of(queues, queue, use);
    return TSR_ETHERNET_HEADER + plan.vlan + plan.l3 + plan.l4;
}

enum tsr_header_fault tsr_ethernet_header_check(const struct tsr_ethernet_queues *queues,
                                                unsigned queue, enum tsr_header_use use)
{
    enum { RESERVED = 2 };
    if (queues->arch == TSR_WORMHOLE_B0)
        return HEADER_FITS;
    const struct plan plan = plan_of(queues, queue, use);
    uint32_t custom = plan.word[FRAME_CUSTOM_HDR + plan.entry];
    uint32_t l3 = FRAME_FIELD(plan.insert, INSERT_L3_TYPE);
    uint32_t l4 = FRAME_FIELD(plan.insert, INSERT_L4_TYPE);
    uint32_t l3_size = FRAME_FIELD(custom, CUSTOM_HDR_L3);
    uint32_t l4_size = FRAME_FIELD(custom, CUSTOM_HDR_L4);
    bool has_l3 = FRAME_FIELD(plan.insert, INSERT_L3), has_l4 = FRAME_FIELD(plan.insert, INSERT_L4);
    if (plan.missing)
        return HEADER_MISSING;
    if ((has_l3 && (l3 == RESERVED || (l3 == L3_CUSTOM && (l3_size % 2 || l3_size > L3_MOST)))) ||
        (has_l4 && (l4 == RESERVED || (l4 == L4_CUSTOM && (l4_size % 2 || l4_size > L4_MOST)))))
        return HEADER_RESERVED;
    return has_l3 && FRAME_FIELD(plan.insert, INSERT_ICRC) ? HEADER_UNIMPLEMENTED : HEADER_FITS;
}

void tsr_ethernet_header_put(const struct tsr_ethernet_queues *queues, unsigned queue,
                             enum tsr_header_use use, uint8_t *frame, uint32_t size)
{
    if (queues->arch == TSR_WORMHOLE_B0) {
        put_registers(queues, queue, frame, size);
        return;
    }
    const struct plan plan = plan_of(queues, queue, use);
    put_entry(&plan, frame, size);
}

// ---------------------------------------------------------------- TT-link

enum {
    SEQUENCE_AT = 0,
    EXPECTS_AT = 1,
    KIND_AT = 2,
    DROP_AT = 3,
    ADDRESS_AT = 4,
    DATA_AT = 8,
    STREAM_AT = 12,
    MMIO_AT = 13, // bit 216 of the frame
    HEADER_AT = 14,
    FIRST_BIT = 24, // beside the place of a message's header
    LAST_BIT = 25
};

void tsr_tt_header_put(const struct tsr_tt_header *header, uint8_t bytes[TSR_TT_HEADER])
{
    memset(bytes, 0, TSR_TT_HEADER);
    bytes[SEQUENCE_AT] = header->sequence;
    bytes[EXPECTS_AT] = header->expects;
    bytes[KIND_AT] = header->kind;
    bytes[DROP_AT] = header->drop_notice;
    put_little(bytes + ADDRESS_AT, header->address, 4);
    put_little(bytes + DATA_AT, header->data, 4);
    bytes[MMIO_AT] = header->kind == TT_MMIO_WRITE;
    if (header->kind != TT_OVERLAY)
        return;
    bytes[STREAM_AT] = header->message.stream;
    put_little(bytes + HEADER_AT,
               (header->message.header_at & tsr_mask32(FIRST_BIT)) |
                   (uint32_t)header->message.first << FIRST_BIT |
                   (uint32_t)header->message.last << LAST_BIT,
               4);
}

bool tsr_tt_header_get(const uint8_t bytes[TSR_TT_HEADER], uint32_t size,
                       struct tsr_tt_header *header)
{
    *header = (struct tsr_tt_header){.kind = bytes[KIND_AT],
                                     .sequence = bytes[SEQUENCE_AT],
                                     .expects = bytes[EXPECTS_AT],
                                     .drop_notice = bytes[DROP_AT] & 1,
                                     .address = tsr_word_at(bytes + ADDRESS_AT),
                                     .data = tsr_word_at(bytes + DATA_AT)};
    uint32_t place = tsr_word_at(bytes + HEADER_AT);
    header->message = (struct tsr_tt_message){.first = place >> FIRST_BIT & 1,
                                              .last = place >> LAST_BIT & 1,
                                              .stream = bytes[STREAM_AT],
                                              .header_at = place & tsr_mask32(FIRST_BIT)};
    bool has_body = header->kind == TT_L1_WRITE || header->kind == TT_OVERLAY;
    return header->kind < TT_KINDS && bytes[MMIO_AT] == (header->kind == TT_MMIO_WRITE) &&
           size == (has_body ? header->data : 0);
}
