// SPDX-License-Identifier: Apache-2.0
// Blackhole's header table and RX classifier: frames as they are put together, matched, changed,
// dropped and given to a queue. Frames are written down by hand.
// Pages: BlackholeA0/EthernetTile/EthernetTxRx.md, EthernetRxClassifier.md.
#include "chip/ethernet_classifier.h"
#include "rig/link_rig.h"

enum { FROM = 0x1000, BUFFER = 0x8000, BUFFERS = 0x2000 };
enum { QUEUE = 2, ENTRY = 9, TABLE = 0xffb98200 }; // that send raw packets here
enum {
    GOOD_LO = 0xffb98120,
    ROUTING = 0xffb98150,
    ADDR_ROUTING = 0xffb98154,
    ACTIONS = 0xffb9cd04,
    NEEDS_VLAN = 0xffb9cd08,
    LABELS = 0xffb9cd00,
    METADATA = 0xffb9cd0c,
    MAPPING = 0xffb9cc00,
    ROW_UPDATE = 0xffb9cd40,
    ROW_STATUS = 0xffb9cd44,
    FLUSH = 0xffb9cd60,
    W_KIND = 0xffb9cd80,
    W_SA = 0xffb9cd90,
    W_DA = 0xffb9cda0,
    W_FLAGS = 0xffb9cdb0,
    W_SRC_PORT = 0xffb9cdb4,
    W_DST_PORT = 0xffb9cdb8,
    W_PROTOCOL = 0xffb9cdbc,
    W_TYPE = 0xffb9cdc0,
    W_PRIORITY = 0xffb9cdc4,
    UPDATE = 0xffb9cdf0,
    F_LABELS = 0xffb9ce80,
    F_ACTIONS = 0xffb9ce84,
    F_VLAN = 0xffb9ce88,
    F_METADATA = 0xffb9ce8c,
    F_UPDATE = 0xffb9cea0,
    OVERRIDE = 0xffb9d000,
    ERRORS = 0xffb9d004
};
#define GO 0x80000000u
enum { DROP = 4, REMOVE = 8, TIMESTAMP = 16, SW_METADATA = 32, HW_METADATA = 64 };

// Each RX queue raw, with a buffer and all bytes of a frame; flow table and TCAM decide.
static struct pair rig(void)
{
    struct pair pair = pair_with(BH, false, 0);
    for (unsigned queue = 0; queue < 3; queue++) {
        store(pair.b, rx_at(pair.b, queue, RX_CTRL), 0);
        store(pair.b, rx_at(pair.b, queue, RX_START), (BUFFER + BUFFERS * queue) >> 4);
        store(pair.b, rx_at(pair.b, queue, RX_SIZE), BUFFERS >> 4);
        store(pair.b, rx_at(pair.b, queue, RX_HDR), 0);
    }
    store(pair.b, OVERRIDE, 2);
    store(pair.b, ROUTING, 2);
    store(pair.a, tx_at(QUEUE, 0x80), ENTRY);
    return pair;
}

static void entry(struct end end, uint32_t offset, uint32_t value)
{
    store(end, TABLE + ENTRY * 0x80 + offset, value);
}

// What stands from FROM on, behind the headers of the entry.
static void send_body(struct pair *pair, uint32_t size)
{
    send(pair->a, QUEUE, RAW, FROM, size, 0);
    assert_int_equal(tsr_chip_clock(pair->a.chip, WINDOW), TSR_OK);
}

// The first `size` bytes of a frame of `all` bytes that has come to queue 0.
static void take_frame(struct pair *pair, uint8_t *bytes, uint32_t size, uint32_t all)
{
    struct end b = pair->b;
    assert_int_equal(rx(b, 0, RX_PTR), all);
    assert_int_equal(tsr_chip_read(b.chip, b.x, b.y, BUFFER, bytes, size), TSR_OK);
    store(b, rx_at(b, 0, RX_PTR), 0);
}

// A frame given as a whole: the addresses and the type go into the table, the rest is the body.
static void send_frame(struct pair *pair, const uint8_t *frame, uint32_t size)
{
    struct end a = pair->a;
    for (unsigned i = 0; i < 2; i++) { // destination, then source
        const uint8_t *mac = frame + 6 * i;
        uint32_t at = i == 0 ? 0x18 : 0x10;
        entry(a, at, (uint32_t)mac[2] << 24 | (uint32_t)mac[3] << 16 | mac[4] << 8u | mac[5]);
        entry(a, at + 4, mac[0] << 8u | mac[1]);
    }
    entry(a, 0, 0);
    entry(a, 0x20, (uint32_t)(frame[12] << 8 | frame[13]) << 16 | 1);
    assert_int_equal(tsr_chip_write(a.chip, a.x, a.y, FROM, frame + 14, size - 14), TSR_OK);
    send_body(pair, size - 14);
}

// Which queue has got exactly `size` bytes more, all its own from `bytes` on; 3: none has.
static unsigned got(struct pair *pair, const uint8_t *bytes, uint32_t size)
{
    unsigned found = 3;
    for (unsigned queue = 0; queue < 3; queue++) {
        uint32_t count = rx(pair->b, queue, RX_PTR);
        if (count == 0)
            continue;
        assert_int_equal(found, 3);
        assert_int_equal(count, size);
        uint8_t came[256];
        assert_int_equal(
            tsr_chip_read(pair->b.chip, pair->b.x, pair->b.y, BUFFER + BUFFERS * queue, came, size),
            TSR_OK);
        assert_memory_equal(came, bytes, size);
        store(pair->b, rx_at(pair->b, queue, RX_PTR), 0);
        found = queue;
    }
    return found;
}

static const uint8_t plain[] = {2, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, 5, 0x88, 0xb5, 1, 2, 3, 4, 5, 6};
static const uint8_t tagged[] = {2,    0, 0,    0,    0,    9,    2,    0,    0,    0, 0, 5, 0x88,
                                 0xa8, 0, 0x77, 0x81, 0x00, 0x60, 0x42, 0x88, 0xb5, 1, 2, 3, 4};
// 10.0.0.1 port 0x1234 to 10.0.0.2 port 80, UDP.
static const uint8_t ipv4[] = {2, 0, 0,    0,    0, 9,  2, 0,  0, 0, 0,  5, 8, 0, 0x45, 0,
                               0, 0, 0,    0,    0, 0,  9, 17, 0, 0, 10, 0, 0, 1, 10,   0,
                               0, 2, 0x12, 0x34, 0, 80, 0, 12, 0, 0, 1,  2, 3, 4};

static void header_table(void **state)
{
    (void)state;
    enum { BODY = 33, L3 = 22, L4 = L3 + 20, ALL = L4 + 8 + BODY };
    struct pair pair = rig();
    struct end a = pair.a;
    entry(a, 0x00, 1 | 1 << 4 | 1 << 8 | 1 << 16 | 1 << 18);
    entry(a, 0x10, 0x33445566);
    entry(a, 0x14, 0x1122);
    entry(a, 0x18, 0x99aabbcc);
    entry(a, 0x1c, 0x0288);
    entry(a, 0x20, 0x08000001);
    entry(a, 0x24, 0x88a80123);
    entry(a, 0x28, 0x81000456);
    const uint32_t l3[] = {0x45000000, 0, 0x0a111234, 0x7f000001, 0x7f000002};
    for (unsigned i = 0; i < 5; i++)
        entry(a, 0x30 + 4 * i, l3[i]);
    entry(a, 0x60, 0x12345678);
    fill(a, FROM, BODY, 1);
    send_body(&pair, BODY);
    const uint8_t start[] = {0x02, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0x11, 0x22, 0x33, 0x44, 0x55,
                             0x66, 0x88, 0xa8, 0x01, 0x23, 0x81, 0x00, 0x04, 0x56, 0x08, 0x00,
                             0x45, 0x00, 0x00, 61,   0,    0,    0,    0,    0x0a, 0x11};
    uint8_t came[ALL];
    take_frame(&pair, came, ALL, ALL);
    assert_memory_equal(came, start, sizeof start);
    assert_int_equal(came[L4] << 8 | came[L4 + 1], 0x1234);
    assert_int_equal(came[L4 + 4] << 8 | came[L4 + 5], 8 + BODY);
    // Both sums come to ones: of the IPv4 header, and of the UDP packet with its pseudo header.
    uint32_t header = 0, packet = 17 + 8 + BODY;
    for (unsigned i = L3; i < L4; i++)
        header += (uint32_t)came[i] << (i % 2 ? 0 : 8);
    for (unsigned i = L3 + 12; i < ALL; i++)
        packet += (uint32_t)came[i] << (i % 2 ? 0 : 8);
    assert_int_equal((header & 0xffff) + (header >> 16), 0xffff);
    assert_int_equal((packet & 0xffff) + (packet >> 16), 0xffff);
    no_findings(a.chip);
    // A length in place of the type, IPv6 and TCP.
    entry(a, 0x00, 1 << 8 | 1 << 12 | 1 << 16 | 1 << 20);
    entry(a, 0x20, 0);
    entry(a, 0x30, 0x60000000);
    send_body(&pair, BODY);
    take_frame(&pair, came, 40, 14 + 40 + 20 + BODY);
    assert_int_equal(came[12] << 8 | came[13], 40 + 20 + BODY);
    assert_int_equal(came[18] << 8 | came[19], 20 + BODY);
    // Headers of one's own.
    entry(a, 0x00, 1 << 8 | 3 << 12 | 1 << 16 | 3 << 20);
    entry(a, 0x04, 6 | 2 << 16);
    send_body(&pair, BODY);
    const uint8_t own[] = {0x60, 0, 0, 0, 0, 0, 0x12, 0x34};
    take_frame(&pair, came, 40, 14 + 8 + BODY);
    assert_memory_equal(came + 14, own, sizeof own);
    no_findings(a.chip);
    entry(a, 0x04, 5);
    send(a, QUEUE, RAW, FROM, BODY, 0);
    assert_int_equal(findings(a.chip, "ethernet-header"), 1);
    entry(a, 0x00, 1 << 8 | 1 << 26);
    send(a, QUEUE, RAW, FROM, BODY, 0);
    assert_int_equal(findings(a.chip, "unimplemented-mode"), 1);
    pair_free(&pair);
}

static void strips(void **state)
{
    (void)state;
    struct pair pair = rig();
    for (unsigned strip = 0; strip < 30; strip += 7) {
        store(pair.b, rx_at(pair.b, 0, RX_HDR), strip);
        send_frame(&pair, plain, sizeof plain);
        unsigned left = strip < sizeof plain ? sizeof plain - strip : 0;
        assert_int_equal(got(&pair, plain + strip, left), left ? 0 : 3);
    }
    // 20 + 13 + 6 bytes
    assert_int_equal(rx(pair.b, 0, RX_BYTES), 39);
    assert_int_equal(rx(pair.b, 0, RX_WORDS), 5);
    pair_free(&pair);
}

static void metadata(void **state)
{
    (void)state;
    struct pair pair = rig();
    store(pair.b, METADATA, 0x01020304);
    store(pair.b, ACTIONS, SW_METADATA | HW_METADATA | 1);
    send_frame(&pair, plain, sizeof plain);
    uint8_t expected[sizeof plain + 8] = {1, 2, 3, 4, 0x00, 0x10, 0x00, sizeof plain};
    memcpy(expected + 8, plain, sizeof plain);
    assert_int_equal(got(&pair, expected, sizeof expected), 1);
    store(pair.b, ACTIONS, HW_METADATA | 2);
    send_frame(&pair, plain, sizeof plain);
    expected[5] = 0x20;
    assert_int_equal(got(&pair, expected + 4, sizeof plain + 4), 2);
    store(pair.b, ACTIONS, REMOVE | HW_METADATA);
    send_frame(&pair, plain, sizeof plain);
    assert_int_equal(got(&pair, plain, sizeof plain), 0);
    assert_int_equal(findings(pair.b.chip, "ethernet-header"), 1);
    store(pair.b, ACTIONS, TIMESTAMP);
    send_frame(&pair, plain, sizeof plain);
    assert_int_equal(findings(pair.b.chip, "unimplemented-mode"), 1);
    pair_free(&pair);
}

static void routes_by_address(void **state)
{
    (void)state;
    struct pair pair = rig();
    store(pair.b, ROUTING, 0);
    uint8_t frame[32];
    for (unsigned kind = 0; kind < 3; kind++) // broadcast, multicast, unicast
        for (unsigned mmio = 0; mmio < 2; mmio++)
            for (unsigned queue = 0; queue < 3; queue++) {
                memset(frame, 0x40, sizeof frame);
                memset(frame, kind == 0 ? 0xff : kind == 1 ? 0x01 : 0xfe, 6);
                frame[27] = (uint8_t)(0xfe | mmio);
                // Everything else goes elsewhere.
                uint32_t shift = 4 * kind + 2 * mmio, other = (queue + 1) % 3;
                store(pair.b, ADDR_ROUTING,
                      (other * 0x555u & ~(3u << shift)) | (uint32_t)queue << shift);
                send_frame(&pair, frame, sizeof frame);
                assert_int_equal(got(&pair, frame, sizeof frame), queue);
            }
    store(pair.b, ADDR_ROUTING, 0xfff);
    send_frame(&pair, frame, sizeof frame);
    assert_int_equal(findings(pair.b.chip, "ethernet-queue"), 1);
    assert_int_equal(got(&pair, frame, 0), 3);
    pair_free(&pair);
}

// A row of the TCAM that leads to the flow table's row of the same number, and to `queue` there.
static void flow(struct end end, unsigned row, unsigned priority, uint32_t actions)
{
    store(end, F_ACTIONS, actions);
    store(end, F_VLAN, 0);
    store(end, F_LABELS, 0);
    store(end, F_METADATA, row);
    store(end, F_UPDATE, GO | 1 << 8 | row);
    store(end, MAPPING + 4 * row, priority | row << 16);
    store(end, ROW_UPDATE, GO | 1 << 16 | 1 << 8 | row);
}

// Writes one field of a row: its value, and its mask with all but `bits` set.
static void pattern(struct end end, unsigned row, uint32_t kind, uint32_t update, uint32_t at,
                    uint32_t value, uint32_t bits)
{
    uint32_t command = GO | 1 << 9 | (kind == 0 ? 1 << 10 : 0) | 1 << 21 | row;
    store(end, W_KIND, kind);
    store(end, at, value);
    store(end, UPDATE, command | update);
    store(end, at, ~bits);
    store(end, UPDATE, command | update | 1 << 8);
    store(end, at, 0xffffffff);
}

static void blank(struct end end)
{
    store(end, FLUSH, 1);
    for (uint32_t at = W_SA; at <= W_PRIORITY; at += 4)
        if (at != 0xffb9cdc8 && !(at > W_DA + 12 && at < W_FLAGS))
            store(end, at, 0xffffffff);
}

enum {
    P = 1 << 16,
    DP = 1 << 17,
    SP = 1 << 18,
    D = 1 << 19,
    S = 1 << 20,
    T = 1 << 22,
    L2 = 1 << 23
};

static void matches_frames(void **state)
{
    (void)state;
    struct pair pair = rig();
    struct end b = pair.b;
    blank(b);
    store(b, ACTIONS, 0);
    flow(b, 5, 0, 1);
    pattern(b, 5, 0, T, W_TYPE, 0x88b5, 0xffff);
    send_frame(&pair, plain, sizeof plain);
    assert_int_equal(got(&pair, plain, sizeof plain), 1);
    uint8_t other[sizeof plain];
    memcpy(other, plain, sizeof plain);
    other[13] = 0xb4;
    send_frame(&pair, other, sizeof other);
    assert_int_equal(got(&pair, other, sizeof other), 0);
    // One bit does not matter.
    pattern(b, 5, 0, T, W_TYPE, 0x88b5, 0xfffe);
    send_frame(&pair, other, sizeof other);
    assert_int_equal(got(&pair, other, sizeof other), 1);
    // A row of higher priority wins, of the same the lower one.
    flow(b, 9, 3, 2);
    pattern(b, 9, 0, S, W_SA, 5, 0xffffffff);
    send_frame(&pair, plain, sizeof plain);
    assert_int_equal(got(&pair, plain, sizeof plain), 2);
    flow(b, 9, 0, 2);
    send_frame(&pair, plain, sizeof plain);
    assert_int_equal(got(&pair, plain, sizeof plain), 1);
    store(b, ROW_UPDATE, GO | 1 << 16 | 5); // off
    send_frame(&pair, plain, sizeof plain);
    assert_int_equal(got(&pair, plain, sizeof plain), 2);
    store(b, ROW_UPDATE, GO | 5);
    assert_int_equal(load(b, ROW_STATUS), 5);
    store(b, ROW_UPDATE, GO | 9);
    assert_int_equal(load(b, ROW_STATUS), 9 | 1 << 8);
    other[11] = 6;
    send_frame(&pair, other, sizeof other);
    assert_int_equal(got(&pair, other, sizeof other), 0);
    // Two words of an address; its augmentation; a tag's priority.
    pattern(b, 9, 0, S, W_SA, 5, 0);
    pattern(b, 9, 0, D, W_DA + 4, 0x0200, 0xffff);
    send_frame(&pair, plain, sizeof plain);
    assert_int_equal(got(&pair, plain, sizeof plain), 2);
    store(b, 0xffb9c800, 9);
    store(b, 0xffb9c804, 0x0200);
    store(b, 0xffb9c810, 0xa);
    pattern(b, 9, 0, D, W_FLAGS, 0xa, 0xf);
    send_frame(&pair, plain, sizeof plain);
    assert_int_equal(got(&pair, plain, sizeof plain), 2);
    pattern(b, 9, 0, D, W_FLAGS, 0xb, 0xf);
    send_frame(&pair, plain, sizeof plain);
    assert_int_equal(got(&pair, plain, sizeof plain), 0);
    pattern(b, 9, 0, D, W_FLAGS, 0, 0);
    pattern(b, 9, 0, L2, W_PRIORITY, 0, 7);
    send_frame(&pair, tagged, sizeof tagged);
    assert_int_equal(got(&pair, tagged, sizeof tagged), 2);
    pattern(b, 9, 0, L2, W_PRIORITY, 3, 7);
    send_frame(&pair, tagged, sizeof tagged);
    assert_int_equal(got(&pair, tagged, sizeof tagged), 0);
    store(b, FLUSH, 1);
    send_frame(&pair, plain, sizeof plain);
    assert_int_equal(got(&pair, plain, sizeof plain), 0);
    no_findings(b.chip);
    pair_free(&pair);
}

// 802.1AE keeps its type alone and behind one tag; behind two it is an EtherType like others.
static void keeps_secure_types(void **state)
{
    (void)state;
    static const uint8_t tags[] = {0x88, 0xa8, 0, 1, 0x81, 0, 0, 2};
    struct pair pair = rig();
    struct end b = pair.b;
    blank(b);
    store(b, ACTIONS, 0);
    flow(b, 5, 0, 1);
    pattern(b, 5, 0, T, W_TYPE, 0x88b5, 0xffff);
    store(b, 0xffb9c000, 0x88e5 | 0x88b5u << 16);
    for (unsigned count = 0; count <= 2; count++) {
        uint8_t frame[32] = {2, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, 5};
        memcpy(frame + 12, tags + sizeof tags - 4 * count, 4 * count);
        frame[12 + 4 * count] = 0x88;
        frame[13 + 4 * count] = 0xe5;
        send_frame(&pair, frame, sizeof frame);
        assert_int_equal(got(&pair, frame, sizeof frame), count == 2);
    }
    no_findings(b.chip);
    pair_free(&pair);
}

static void matches_ip(void **state)
{
    (void)state;
    struct pair pair = rig();
    struct end b = pair.b;
    blank(b);
    flow(b, 0, 0, 1);
    pattern(b, 0, 1, P, W_PROTOCOL, 17, 0xff);
    pattern(b, 0, 1, S, W_SA, 0x0a000001, 0xffffffff);
    pattern(b, 0, 1, D, W_DA, 0x0a000000, 0xffffff00);
    pattern(b, 0, 1, SP, W_SRC_PORT, 0x1234, 0xffff);
    send_frame(&pair, ipv4, sizeof ipv4);
    assert_int_equal(got(&pair, ipv4, sizeof ipv4), 1);
    pattern(b, 0, 1, SP, W_SRC_PORT, 0x1235, 0xffff);
    send_frame(&pair, ipv4, sizeof ipv4);
    assert_int_equal(got(&pair, ipv4, sizeof ipv4), 0);
    pattern(b, 0, 1, SP, W_SRC_PORT, 0, 0);
    // Ports of a range have a common augmentation; the first rule that fits gives it.
    store(b, 0xffb9c940, 7 | 1 << 4 | 1 << 8); // UDP, destination, range
    store(b, 0xffb9c900, 70 | 79 << 16);       // not 80
    store(b, 0xffb9c944, 5 | 1 << 4 | 1 << 8);
    store(b, 0xffb9c904, 80 | 90 << 16);
    pattern(b, 0, 1, DP, W_DST_PORT, 5 << 16, 0xf0000);
    send_frame(&pair, ipv4, sizeof ipv4);
    assert_int_equal(got(&pair, ipv4, sizeof ipv4), 1);
    store(b, 0xffb9c940, 7 | 1 << 8); // one of two
    store(b, 0xffb9c900, 70 | 80 << 16);
    send_frame(&pair, ipv4, sizeof ipv4);
    assert_int_equal(got(&pair, ipv4, sizeof ipv4), 0);
    store(b, 0xffb9c940, 7 | 1 << 8 | 1 << 12); // of TCP
    send_frame(&pair, ipv4, sizeof ipv4);
    assert_int_equal(got(&pair, ipv4, sizeof ipv4), 1);
    pattern(b, 0, 1, DP, W_DST_PORT, 0, 0);
    pattern(b, 0, 1, P, W_PROTOCOL, 4 << 16, 0xf0000);
    store(b, 0xffb9c8b0 + 4 * 3, 4); // UDP
    send_frame(&pair, ipv4, sizeof ipv4);
    assert_int_equal(got(&pair, ipv4, sizeof ipv4), 1);
    // IPv6 is another kind.
    uint8_t ipv6[14 + 40 + 8] = {2, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, 5, 0x86, 0xdd, 0x60};
    ipv6[14 + 6] = 17;
    ipv6[14 + 8] = 0xfd; // first of the source's, last of the destination's
    ipv6[14 + 39] = 0x21;
    send_frame(&pair, ipv6, sizeof ipv6);
    assert_int_equal(got(&pair, ipv6, sizeof ipv6), 0);
    flow(b, 1, 0, 2);
    pattern(b, 1, 3, S, W_SA + 12, 0xfd000000, 0xffffffff);
    pattern(b, 1, 3, D, W_DA, 0x21, 0xff);
    send_frame(&pair, ipv6, sizeof ipv6);
    assert_int_equal(got(&pair, ipv6, sizeof ipv6), 2);
    ipv6[14 + 8] = 0xfc;
    send_frame(&pair, ipv6, sizeof ipv6);
    assert_int_equal(got(&pair, ipv6, sizeof ipv6), 0);
    // Registers can say that a type is IPv4, or that IPv4 is something else.
    store(b, 0xffb9c418, 0x88b5 | 17 << 16 | 5u << 24);
    store(b, 0xffb9c420 + 3 * 8, 0x0a000001);
    store(b, 0xffb9c440 + 3 * 8, 0x0a000077);
    send_frame(&pair, plain, sizeof plain);
    assert_int_equal(got(&pair, plain, sizeof plain), 1);
    store(b, 0xffb9c000, 0x0800 | 0xffffu << 16);
    send_frame(&pair, ipv4, sizeof ipv4);
    assert_int_equal(got(&pair, ipv4, sizeof ipv4), 0);
    no_findings(b.chip);
    pair_free(&pair);
}

static void drops(void **state)
{
    (void)state;
    struct pair pair = rig();
    struct end b = pair.b;
    store(b, ACTIONS, DROP);
    send_frame(&pair, plain, sizeof plain);
    assert_int_equal(got(&pair, plain, 0), 3);
    assert_int_equal(rx(b, 0, RX_DROPS), 0); // before it came to a queue
    store(b, OVERRIDE, 0);
    send_frame(&pair, plain, sizeof plain);
    assert_int_equal(got(&pair, plain, sizeof plain), 0);
    store(b, ACTIONS, 0);
    store(b, OVERRIDE, 1);
    send_frame(&pair, plain, sizeof plain);
    assert_int_equal(got(&pair, plain, 0), 3);
    store(b, OVERRIDE, 2);
    // Tags that have to be there.
    store(b, NEEDS_VLAN, 0x42 | 1 << 15 | 0x77 << 16 | 1u << 31);
    send_frame(&pair, tagged, sizeof tagged);
    assert_int_equal(got(&pair, tagged, sizeof tagged), 0);
    send_frame(&pair, plain, sizeof plain);
    assert_int_equal(got(&pair, plain, 0), 3);
    store(b, NEEDS_VLAN, 0x42 | 1 << 15 | 0x78 << 16 | 1u << 31);
    send_frame(&pair, tagged, sizeof tagged);
    assert_int_equal(got(&pair, tagged, 0), 3);
    store(b, NEEDS_VLAN, 0);
    // Headers that the hardware does not know.
    uint8_t longer[sizeof ipv4];
    memcpy(longer, ipv4, sizeof ipv4);
    longer[14] = 0x46;
    send_frame(&pair, longer, sizeof longer);
    assert_int_equal(got(&pair, longer, 0), 3);
    store(b, ERRORS, 1);
    store(b, ACTIONS, REMOVE | DROP);
    send_frame(&pair, longer, sizeof longer);
    assert_int_equal(got(&pair, longer, sizeof longer), 0); // as it came
    store(b, ACTIONS, 0);
    // MAC control: a pause is kept, what is unknown is not.
    uint8_t control[sizeof plain];
    memcpy(control, plain, sizeof plain);
    control[12] = 0x88;
    control[13] = 0x08;
    control[14] = 0;
    control[15] = 1;
    send_frame(&pair, control, sizeof control);
    assert_int_equal(got(&pair, control, sizeof control), 0);
    control[15] = 2;
    send_frame(&pair, control, sizeof control);
    assert_int_equal(got(&pair, control, 0), 3);
    assert_int_equal(load(b, GOOD_LO), 0x1f);
    store(b, GOOD_LO, 0x3f);
    send_frame(&pair, control, sizeof control);
    assert_int_equal(got(&pair, control, sizeof control), 0);
    no_findings(b.chip);
    store(b, LABELS, 1);
    send_frame(&pair, plain, sizeof plain);
    assert_int_equal(findings(b.chip, "unimplemented-mode"), 1);
    pair_free(&pair);
}

// TT-link packets in UDP, with tags: the classifier takes all of that out.
static void removes_headers(void **state)
{
    (void)state;
    struct pair pair = rig();
    send_frame(&pair, tagged, sizeof tagged);
    assert_int_equal(got(&pair, tagged, sizeof tagged), 0);
    store(pair.b, ACTIONS, REMOVE);
    send_frame(&pair, tagged, sizeof tagged);
    uint8_t expected[18];
    memcpy(expected, tagged, 12);
    memcpy(expected + 12, tagged + 20, 6);
    assert_int_equal(got(&pair, expected, sizeof expected), 0);
    struct end a = pair.a;
    entry(a, 0x00, 1 | 1 << 8 | 1 << 16 | 1 << 18);
    entry(a, 0x20, 0x08000001);
    entry(a, 0x24, 0x81000123);
    entry(a, 0x30, 0x45000000);
    entry(a, 0x38, 0x0a110000);
    store(a, tx_at(1, 0x80), 0x990);
    store(a, tx_at(1, TX_CTRL), KEEPALIVE | DIS_DROP);
    store(pair.b, rx_at(pair.b, 1, RX_CTRL), PACKET_MODE);
    store(pair.b, ACTIONS, REMOVE | 1);
    fill(a, FROM, 256, 8);
    send(a, 1, L1_WRITE, FROM, 256, 0x3000);
    send_mmio(a, 1, 0xffb20000, 0x55);
    assert_int_equal(tsr_chip_clock(a.chip, WINDOW), TSR_OK);
    assert_true(filled(pair.b, 0x3000, 256, 8));
    assert_int_equal(load(pair.b, 0xffb20000), 0x55);
    assert_int_equal(rx(pair.b, 1, RX_EXPECTS), 2);
    store(pair.b, ACTIONS, 1);
    send(a, 1, L1_WRITE, FROM, 256, 0x4000);
    assert_int_equal(tsr_chip_clock(a.chip, WINDOW), TSR_OK);
    assert_int_equal(rx(pair.b, 1, RX_DROPS), 1);
    assert_int_equal(load(pair.b, 0x4000), 0);
    pair_free(&pair);
}

// The frame ends behind a tag; what lies behind it in memory is none of it.
static void removes_from_short_frames(void **state)
{
    (void)state;
    enum { SIZE = 15 };
    static const uint8_t frame[] = {2, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, 5, 0x81, 0, 7, 8, 9, 10};
    static const uint8_t expected[] = {2, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, 5, 0, 0};
    struct tsr_frame_words *words = malloc(sizeof *words);
    assert_non_null(words);
    tsr_frame_words_reset(words);
    tsr_frame_words_store(words, OVERRIDE, 2);
    tsr_frame_words_store(words, ACTIONS, REMOVE);
    uint8_t bytes[SIZE + TSR_METADATA_MAX];
    struct tsr_classified out = {.bytes = bytes};
    assert_true(tsr_ethernet_classify(words, frame, SIZE, &out));
    assert_int_equal(out.size, sizeof expected);
    assert_memory_equal(out.bytes, expected, sizeof expected);
    free(words);
}

static void reads_back(void **state)
{
    (void)state;
    struct pair pair = rig();
    struct end b = pair.b;
    blank(b);
    pattern(b, 33, 1, P, W_PROTOCOL, 0x30011, 0xf00ff);
    pattern(b, 33, 1, DP, W_DST_PORT, 80, 0xffff);
    store(b, UPDATE, GO | 33);
    assert_int_equal(load(b, 0xffb9ce00), 1);
    assert_int_equal(load(b, 0xffb9ce4c) & 0xf00ff, 0x30011);
    assert_int_equal(load(b, 0xffb9ce48) & 0xffff, 80);
    store(b, UPDATE, GO | 1 << 8 | 33);
    assert_int_equal(load(b, 0xffb9ce48), 0xffff0000);
    flow(b, 12, 1, REMOVE);
    flow(b, 13, 1, DROP);
    store(b, F_UPDATE, GO | 12);
    assert_int_equal(load(b, F_ACTIONS), REMOVE);
    assert_int_equal(load(b, F_METADATA), 12);
    // Without `go` nothing happens.
    store(b, F_UPDATE, 13);
    assert_int_equal(load(b, F_METADATA), 12);
    store(b, 0xffb9ce00, 2); // hardware's
    assert_int_equal(load(b, 0xffb9ce00), 1);
    uint32_t value;
    assert_int_equal(tsr_chip_read(b.chip, b.x, b.y, 0xffb9c408 + 0x400, &value, 4), TSR_OK);
    assert_int_equal(tsr_chip_read(b.chip, b.x, b.y, 0xffb9cdc8, &value, 4), TSR_UNMAPPED);
    pair_free(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(header_table),    cmocka_unit_test(strips),
        cmocka_unit_test(metadata),        cmocka_unit_test(routes_by_address),
        cmocka_unit_test(matches_frames),  cmocka_unit_test(keeps_secure_types),
        cmocka_unit_test(matches_ip),      cmocka_unit_test(drops),
        cmocka_unit_test(removes_headers), cmocka_unit_test(removes_from_short_frames),
        cmocka_unit_test(reads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
