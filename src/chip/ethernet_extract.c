// SPDX-License-Identifier: Apache-2.0
// Stage 3 of the classifier: headers of a frame, and what registers put in their place or add to
// them. Page: BlackholeA0/EthernetTile/EthernetRxClassifier.md; what it leaves open: errata 468.
#include "chip/ethernet_extract.h"

#include <string.h>

enum {
    TYPE_AT = 12,
    TYPE_SERVICE_VLAN = 0x88a8, // 802.1ad
    TYPE_VLAN = 0x8100,         // 802.1Q
    TYPE_SECURE = 0x88e5,       // 802.1AE
    TYPE_IPV4 = 0x0800,
    TYPE_IPV6 = 0x86dd,
    LENGTHS = 0x600 // types begin here
};
enum { PROTOCOL_TCP = 6, PROTOCOL_UDP = 17, PORT_RULES = 16 };
enum l4_kind { L4_NONE, L4_UDP = 1, L4_TCP = 2 };

struct reader {
    const struct tsr_frame_words *words;
    const uint8_t *frame;
    uint32_t size;
    struct tsr_extracted *out;
};

// What the frame does not have is 0.
static uint32_t big(const struct reader *reader, uint32_t at, unsigned bytes)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value = value << 8 | (at + i < reader->size ? reader->frame[at + i] : 0);
    return value;
}

static uint32_t word(const struct reader *reader, unsigned name, unsigned entry)
{
    return reader->words->word[name + entry];
}

// ---------------------------------------------------------------- layer 2

static void read_tags(struct reader *reader)
{
    struct tsr_extracted *out = reader->out;
    uint32_t at = TYPE_AT;
    if (big(reader, at, 2) == TYPE_SERVICE_VLAN && big(reader, at + 4, 2) == TYPE_VLAN) {
        out->has_stag = true;
        out->stag = big(reader, at, 4);
        at += 4;
    }
    if (big(reader, at, 2) == TYPE_VLAN) {
        out->has_ctag = true;
        out->ctag = big(reader, at, 4);
        at += 4;
    }
    out->type_at = at;
    out->body_at = at + 2;
    out->type = big(reader, at, 2);
    // Behind two tags the page knows no 802.1AE.
    bool secure = out->type == TYPE_SECURE && !out->has_stag;
    for (unsigned i = 0; i < 2 && !secure; i++) {
        uint32_t user = word(reader, FRAME_USER_DEFINED_ETHERTYPE, i);
        if (out->type == FRAME_FIELD(user, USER_TYPE_IN)) {
            out->type = FRAME_FIELD(user, USER_TYPE_OUT);
            break;
        }
    }
}

static void replace_tags(struct reader *reader)
{
    enum { CTAG = 1, BOTH = 3 };
    struct tsr_extracted *out = reader->out;
    for (unsigned i = 0; i < 2; i++) {
        uint32_t user = word(reader, FRAME_USER_DEFINED_VLAN_TAG, i);
        uint32_t what = FRAME_FIELD(user, USER_TAGS);
        if (out->type != FRAME_FIELD(user, USER_TYPE_IN) || (what != CTAG && what != BOTH))
            continue;
        out->has_ctag = true;
        out->ctag = word(reader, FRAME_USER_DEFINED_CTAG, i);
        if (what == BOTH) {
            out->has_stag = true;
            out->stag = word(reader, FRAME_USER_DEFINED_STAG, i);
        }
        return;
    }
}

static uint32_t reduced_type(const struct reader *reader)
{
    static const uint16_t known[] = {0,      TYPE_IPV4, TYPE_IPV6, 0x0806, 0x8035,
                                     0x0842, 0x8902,    0x22e7,    0x22e9, 0x8940,
                                     0x88f7, 0x888e,    0x88cc,    0x8915, 0x88b7};
    uint32_t type = reader->out->type;
    for (unsigned i = 0; i < 2; i++)
        if (type == FRAME_FIELD(word(reader, FRAME_USER_ETHERTYPE, i), USER_TYPE_IN))
            return FRAME_FIELD(word(reader, FRAME_USER_REDUCED_ETHERTYPE, i), REDUCED);
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        if (i == 0 ? type < LENGTHS : type == known[i])
            return FRAME_FIELD(word(reader, FRAME_REDUCED_ETHERTYPE, i), REDUCED);
    return 0;
}

static uint32_t reduced_mac(const struct reader *reader)
{
    static const struct {
        uint64_t address, mask;
    } known[] = {
        {0x0180c200000e, 0xffffffffffff}, {0x0180c2000000, 0xfffffffffff0},
        {0x0180c2000010, 0xfffffffffff0}, {0x0180c2000020, 0xfffffffffff0},
        {0x0180c2000030, 0xffffffffffff}, {0x0180c2000000, 0xffffff000000},
        {0x011b19000000, 0xffffffffffff},
    };
    enum { HIGH = 0xffff };
    uint64_t address = reader->out->destination_mac;
    for (unsigned i = 0; i < 2; i++) {
        uint64_t user = word(reader, FRAME_USER_MAC_DA, 2 * i) |
                        (uint64_t)(word(reader, FRAME_USER_MAC_DA, 2 * i + 1) & HIGH) << 32;
        if (address == user)
            return FRAME_FIELD(word(reader, FRAME_USER_REDUCED_DA, i), REDUCED);
    }
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        if ((address & known[i].mask) == known[i].address)
            return FRAME_FIELD(word(reader, FRAME_REDUCED_DA, i), REDUCED);
    return 0;
}

// ---------------------------------------------------------------- layer 3

static void read_ipv4(struct reader *reader)
{
    enum { HEADER = 20, WORDS = 5, PROTOCOL_AT = 9, SOURCE_AT = 12, DESTINATION_AT = 16 };
    struct tsr_extracted *out = reader->out;
    uint32_t at = out->body_at;
    out->kind = TCAM_IPV4;
    out->protocol = big(reader, at + PROTOCOL_AT, 1);
    out->source[0] = big(reader, at + SOURCE_AT, 4);
    out->destination[0] = big(reader, at + DESTINATION_AT, 4);
    if ((big(reader, at, 1) & 0xf) != WORDS)
        out->error |= HEADER_IPV4;
    out->body_at += HEADER;
}

static void read_ipv6(struct reader *reader)
{
    enum { HEADER = 40, NEXT_AT = 6, SOURCE_AT = 8, DESTINATION_AT = 24 };
    static const uint8_t refused[] = {0, 43, 44, 50, 51, 60, 135, 139, 140, 253, 254};
    struct tsr_extracted *out = reader->out;
    uint32_t at = out->body_at;
    out->kind = TCAM_IPV6;
    out->protocol = big(reader, at + NEXT_AT, 1);
    for (unsigned i = 0; i < 4; i++) {
        out->source[i] = big(reader, at + SOURCE_AT + 4 * (3 - i), 4);
        out->destination[i] = big(reader, at + DESTINATION_AT + 4 * (3 - i), 4);
    }
    if (memchr(refused, (int)out->protocol, sizeof refused))
        out->error |= HEADER_IPV6;
    out->body_at += HEADER;
}

// True: registers say what the L3 header is, be it that there is none.
static bool user_l3(struct reader *reader)
{
    enum { AS_IPV4 = 5, AS_IPV6 = 7 };
    struct tsr_extracted *out = reader->out;
    for (unsigned i = 0; i < 2; i++) {
        uint32_t user = word(reader, FRAME_USER_DEFINED_L3_HDR, i);
        uint32_t kind = FRAME_FIELD(user, USER_L3_KIND);
        if (out->type != FRAME_FIELD(user, USER_TYPE_IN))
            continue;
        if (kind != AS_IPV4 && kind != AS_IPV6)
            return true;
        out->kind = kind == AS_IPV4 ? TCAM_IPV4 : TCAM_IPV6;
        out->protocol = FRAME_FIELD(user, USER_L3_PROTOCOL);
        for (unsigned j = 0; j < (kind == AS_IPV4 ? 1 : 4); j++) {
            out->source[j] = word(reader, FRAME_USER_DEFINED_SRC_IP_ADDR, 4 * i + 3 - j);
            out->destination[j] = word(reader, FRAME_USER_DEFINED_DST_IP_ADDR, 4 * i + 3 - j);
        }
        return true;
    }
    return false;
}

static uint32_t reduced_protocol(const struct reader *reader)
{
    static const uint8_t known[] = {1, 2, PROTOCOL_TCP, PROTOCOL_UDP, 0x3a};
    uint32_t protocol = reader->out->protocol;
    for (unsigned i = 0; i < 2; i++)
        if (protocol == FRAME_FIELD(word(reader, FRAME_USER_PROTOCOL, i), USER_L4_PROTOCOL))
            return FRAME_FIELD(word(reader, FRAME_USER_REDUCED_PROTOCOL, i), REDUCED);
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        if (protocol == known[i])
            return FRAME_FIELD(word(reader, FRAME_REDUCED_PROTOCOL, i), REDUCED);
    return 0;
}

// ---------------------------------------------------------------- layer 4

// `real`: the frame has an IP header. The rules for which of UDP and TCP apply.
static unsigned read_l4(struct reader *reader, bool real)
{
    enum { UDP_HEADER = 8, OFFSET_AT = 12, OFFSET = 5 };
    struct tsr_extracted *out = reader->out;
    uint32_t at = out->body_at;
    bool udp = real && out->protocol == PROTOCOL_UDP, tcp = real && out->protocol == PROTOCOL_TCP;
    out->body_at += udp ? UDP_HEADER : 0;
    for (unsigned i = 0; i < 2; i++) {
        uint32_t user = word(reader, FRAME_USER_DEFINED_L4_HDR_FIELDS, i);
        if (out->protocol != FRAME_FIELD(user, USER_L4_PROTOCOL))
            continue;
        uint32_t ports = word(reader, FRAME_USER_DEFINED_L4_HDR_PORT, i);
        out->destination_port = FRAME_FIELD(ports, PORT_LO);
        out->source_port = FRAME_FIELD(ports, PORT_HI);
        return (FRAME_FIELD(user, USER_L4_UDP) ? L4_UDP : 0) |
               (FRAME_FIELD(user, USER_L4_TCP) ? L4_TCP : 0);
    }
    if (!udp && !tcp)
        return L4_NONE;
    out->source_port = big(reader, at, 2);
    out->destination_port = big(reader, at + 2, 2);
    if (tcp && big(reader, at + OFFSET_AT, 1) >> 4 != OFFSET)
        out->error |= HEADER_TCP;
    return udp ? L4_UDP : L4_TCP;
}

static uint32_t reduced_port(const struct reader *reader, unsigned kinds, bool destination,
                             uint32_t port)
{
    for (unsigned i = 0; i < PORT_RULES; i++) {
        uint32_t rule = word(reader, FRAME_USER_PORT_REDUCTION_RULE, i);
        uint32_t ports = word(reader, FRAME_USER_PORT_REDUCTION_PORT, i);
        uint32_t lo = FRAME_FIELD(ports, PORT_LO), hi = FRAME_FIELD(ports, PORT_HI);
        if (!(kinds & (FRAME_FIELD(rule, RULE_TCP) ? L4_TCP : L4_UDP)) ||
            FRAME_FIELD(rule, RULE_DESTINATION) != destination)
            continue;
        if (FRAME_FIELD(rule, RULE_RANGE) ? lo <= port && port <= hi : lo == port || port == hi)
            return FRAME_FIELD(rule, REDUCED);
    }
    return 0;
}

void tsr_ethernet_extract(const struct tsr_frame_words *words, const uint8_t *frame, uint32_t size,
                          struct tsr_extracted *out)
{
    struct reader reader = {words, frame, size, out};
    *out = (struct tsr_extracted){.kind = TCAM_NOT_IP};
    out->destination_mac = (uint64_t)big(&reader, 0, 2) << 32 | big(&reader, 2, 4);
    out->source_mac = (uint64_t)big(&reader, 6, 2) << 32 | big(&reader, 8, 4);
    read_tags(&reader);
    replace_tags(&reader);
    bool user = user_l3(&reader);
    if (!user && out->type == TYPE_IPV4)
        read_ipv4(&reader);
    else if (!user && out->type == TYPE_IPV6)
        read_ipv6(&reader);
    if (out->kind == TCAM_NOT_IP) {
        out->reduced_type = reduced_type(&reader);
        out->reduced_mac = reduced_mac(&reader);
        return;
    }
    out->reduced_protocol = reduced_protocol(&reader);
    unsigned kinds = read_l4(&reader, !user);
    out->reduced_source_port = reduced_port(&reader, kinds, false, out->source_port);
    out->reduced_destination_port = reduced_port(&reader, kinds, true, out->destination_port);
}
