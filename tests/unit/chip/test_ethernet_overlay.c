// SPDX-License-Identifier: Apache-2.0
// Streams of the NoC overlay whose other end is at the other end of an Ethernet link. Both chips,
// timing off and on. Pages: WormholeB0/NoC/Overlay/TransferBetweenTiles.md, README.md,
// EthernetTile/EthernetTxRx.md of each chip; what they leave open: errata 498.
#include "chip/chip_state.h"
#include "chip/stream_registers.h"
#include "rig/link_rig.h"

enum { BUFFER = 0x20000, HEADERS = 0x30000, WORD = 16, PEER = 63 | 63 << 6 };
enum { TILE_HEADER_FORMAT = 0x48, SEL_OVL = 0x88 };

// Bits of STREAM_MISC_CFG, first on Wormhole, then on Blackhole.
enum { FROM_SOFTWARE, FROM_STREAM, TO_SOFTWARE, TO_STREAM, SRC_CHANGE, DEST_CHANGE };
static const uint8_t bits[][2] = {{4, 4}, {5, 5}, {6, 6}, {8, 8}, {12, 11}, {13, 12}};

static uint32_t config(struct end end, int from, int to)
{
    tsr_arch arch = tsr_chip_arch(end.chip);
    return 1u << bits[from][arch] | 1u << bits[to][arch] | 1u << bits[SRC_CHANGE][arch] |
           1u << bits[DEST_CHANGE][arch];
}

static uint32_t at(struct end end, unsigned id, enum tsr_stream_register reg)
{
    return tsr_stream_address(&end.chip->noc, id, reg);
}

static void set(struct end end, unsigned id, enum tsr_stream_register reg, uint32_t value)
{
    store(end, at(end, id, reg), value);
}

static uint32_t get(struct end end, unsigned id, enum tsr_stream_register reg)
{
    return load(end, at(end, id, reg));
}

static void set_up(struct end end, unsigned id, uint32_t misc, unsigned messages, uint32_t size)
{
    set(end, id, STREAM_MISC_CFG, misc);
    set(end, id, STREAM_CURR_PHASE, 5);
    set(end, id, STREAM_PHASE_AUTO_CFG_HEADER, messages << 12);
    set(end, id, STREAM_BUF_START, BUFFER / WORD);
    set(end, id, STREAM_BUF_SIZE, size);
    set(end, id, STREAM_MSG_INFO_PTR, HEADERS / WORD);
    set(end, id, STREAM_MSG_INFO_WR_PTR, HEADERS / WORD);
    set(end, id, STREAM_REMOTE_DEST_MSG_INFO_WR_PTR, 0);
}

static void transmits_to(struct end end, unsigned id, uint32_t place, unsigned to, uint32_t size)
{
    set(end, id, STREAM_REMOTE_DEST, place | to << 12);
    set(end, id, STREAM_REMOTE_DEST_BUF_START, BUFFER / WORD);
    set(end, id, STREAM_REMOTE_DEST_BUF_SIZE, size);
    set(end, id, STREAM_REMOTE_DEST_MSG_INFO_WR_PTR, HEADERS / WORD);
}

static void receives_from(struct end end, unsigned id, uint32_t place, unsigned from)
{
    set(end, id, STREAM_REMOTE_SRC, place | from << 12);
    set(end, id, STREAM_REMOTE_SRC_PHASE, 5);
}

// Messages say their length in bytes 2 and 3, which `b` learns from its queue alone.
static struct pair streams(int arch, bool timing, unsigned drop_every, unsigned from, unsigned to,
                           unsigned messages, uint32_t size)
{
    struct pair pair = pair_with(arch, timing, drop_every);
    for (int i = 0; i < 2; i++)
        store(i ? pair.b : pair.a, tx_at(0, TX_CTRL), KEEPALIVE | DIS_DROP);
    set_up(pair.a, from, config(pair.a, FROM_SOFTWARE, TO_STREAM), messages, 0x800);
    transmits_to(pair.a, from, PEER, to, size);
    set_up(pair.b, to, config(pair.b, FROM_STREAM, TO_SOFTWARE), messages, size);
    receives_from(pair.b, to, PEER, from);
    store(pair.b, rx_at(pair.b, 0, TILE_HEADER_FORMAT), 2 | 16 << 7);
    return pair;
}

static void start(struct end end, unsigned id)
{
    set(end, id, STREAM_PHASE_ADVANCE, 1);
}

static void message(struct end end, uint32_t address, uint32_t words, unsigned seed)
{
    uint8_t length[2] = {(uint8_t)words, (uint8_t)(words >> 8)};
    fill(end, address, words * WORD, seed);
    assert_int_equal(tsr_chip_write(end.chip, end.x, end.y, address + 2, length, 2), TSR_OK);
}

static void push(struct end end, unsigned id, uint32_t words, unsigned seed)
{
    uint32_t place = BUFFER / WORD + get(end, id, STREAM_WR_PTR);
    message(end, place * WORD, words, seed);
    set(end, id, STREAM_SOURCE_ENDPOINT_NEW_MSG_INFO, place | words << 17);
}

// The message at the front, which may go round the buffer's end.
static void take(struct end end, unsigned id, uint32_t words, unsigned seed, uint32_t size)
{
    assert_true(get(end, id, STREAM_NUM_MSGS_RECEIVED) > 0);
    assert_int_equal(get(end, id, STREAM_NEXT_RECEIVED_MSG_SIZE), words);
    uint32_t place = get(end, id, STREAM_NEXT_RECEIVED_MSG_ADDR) - BUFFER / WORD;
    uint8_t *bytes = malloc(words * WORD);
    assert_non_null(bytes);
    for (uint32_t i = 0; i < words; i++)
        assert_int_equal(tsr_chip_read(end.chip, end.x, end.y, BUFFER + (place + i) % size * WORD,
                                       bytes + i * WORD, WORD),
                         TSR_OK);
    for (uint32_t i = 0; i < words * WORD; i++)
        assert_int_equal(bytes[i], i == 2   ? (uint8_t)words
                                   : i == 3 ? (uint8_t)(words >> 8)
                                            : (uint8_t)(seed + i * 7 + (i >> 8)));
    free(bytes);
    set(end, id, STREAM_MSG_INFO_CLEAR, 1);
    set(end, id, STREAM_MSG_DATA_CLEAR, 1);
}

static void wait(struct end end)
{
    assert_int_equal(tsr_chip_clock(end.chip, 0x1000), TSR_OK);
}

static bool idle(struct end end, unsigned id)
{
    return get(end, id, STREAM_WAIT_STATUS) == 1;
}

// ---------------------------------------------------------------- tests

// More than the receive buffer holds; the third message takes several packets.
static void moves(int arch, bool timing, unsigned drop_every)
{
    enum { FROM = 9, TO = 2, MESSAGES = 6, SIZE = 0x140 };
    static const uint16_t words[MESSAGES] = {3, 1, 0x110, 0x100, 7, 0x90};
    struct pair pair = streams(arch, timing, drop_every, FROM, TO, MESSAGES, SIZE);
    start(pair.a, FROM);
    start(pair.b, TO);
    wait(pair.a);
    for (unsigned i = 0; i < MESSAGES; i++)
        push(pair.a, FROM, words[i], i);
    for (unsigned i = 0; i < MESSAGES; i++) {
        unsigned tries = 0;
        while (get(pair.b, TO, STREAM_NUM_MSGS_RECEIVED) == 0 && tries++ < 100)
            wait(pair.b);
        if (i == 2 && drop_every == 0) // the next one has no room
            assert_int_equal(get(pair.b, TO, STREAM_NUM_MSGS_RECEIVED), 1);
        take(pair.b, TO, words[i], i, SIZE);
    }
    for (unsigned tries = 0; tries < 100 && !idle(pair.a, FROM); tries++)
        wait(pair.a);
    assert_true(idle(pair.a, FROM));
    assert_true(idle(pair.b, TO));
    assert_int_equal(get(pair.a, FROM, STREAM_RD_PTR), get(pair.a, FROM, STREAM_WR_PTR));
    no_findings(pair.a.chip);
    no_findings(pair.b.chip);
    pair_free(&pair);
}

static void moves_messages(int arch)
{
    for (int timing = 0; timing < 2; timing++)
        for (unsigned drop_every = 0; drop_every <= 7; drop_every += 7)
            moves(arch, timing, drop_every);
}
TILE_BOTH(moves_messages)

// A message's room is not given back before the other side has it: it may be read again.
static void keeps_what_it_sends(int arch)
{
    enum { FROM = 0, TO = 11, WORDS = 4 };
    struct pair pair = streams(arch, true, 0, FROM, TO, 2, 0x100);
    start(pair.a, FROM);
    start(pair.b, TO);
    wait(pair.a);
    push(pair.a, FROM, WORDS, 1);
    assert_int_equal(tsr_chip_clock(pair.a.chip, 4 * WINDOW), TSR_OK);
    assert_int_equal(get(pair.a, FROM, STREAM_PHASE_AUTO_CFG_HEADER) & 0xfff, 1); // it has left
    assert_int_equal(get(pair.a, FROM, STREAM_RD_PTR), 0);
    assert_int_equal(get(pair.a, FROM, STREAM_BUF_SPACE_AVAILABLE), 0x800 - WORDS);
    wait(pair.a);
    wait(pair.a);
    assert_int_equal(get(pair.a, FROM, STREAM_RD_PTR), WORDS);
    // Nor is it kept for ever when the link is cut.
    push(pair.a, FROM, WORDS, 2);
    assert_int_equal(tsr_chip_clock(pair.a.chip, 4 * WINDOW), TSR_OK);
    assert_int_equal(get(pair.a, FROM, STREAM_RD_PTR), WORDS);
    assert_int_equal(tsr_chip_disconnect(pair.a.chip, pair.a.tile), TSR_OK);
    assert_int_equal(get(pair.a, FROM, STREAM_RD_PTR), 2 * WORDS);
    pair_free(&pair);
}
TILE_BOTH(keeps_what_it_sends)

// From a Tensix tile of one chip to one of the other.
static void passes_on(int arch)
{
    enum { ID = 8, MESSAGES = 3, WORDS = 20, SIZE = 0x40 };
    unsigned x = 1, y = arch == WH ? 1 : 2;
    struct pair pair = pair_with(arch, false, 0);
    struct end a = {.chip = pair.a.chip, .x = x, .y = y}, b = {.chip = pair.b.chip, .x = x, .y = y};
    const struct end ends[] = {a, pair.a, pair.b, b};
    for (unsigned i = 0; i < 4; i++) {
        const struct end end = ends[i];
        uint32_t misc =
            config(end, i == 0 ? FROM_SOFTWARE : FROM_STREAM, i == 3 ? TO_SOFTWARE : TO_STREAM);
        set(end, 0, STREAM_MSG_HEADER_FORMAT, 16 | 16 << 7);
        set_up(end, ID, misc, MESSAGES, SIZE);
        if (i < 3)
            transmits_to(end, ID, i == 1 ? PEER : ends[i + 1].x | ends[i + 1].y << 6, ID, SIZE);
        if (i > 0)
            receives_from(end, ID, i == 2 ? PEER : ends[i - 1].x | ends[i - 1].y << 6, ID);
    }
    for (int i = 0; i < 2; i++)
        store(i ? pair.b : pair.a, tx_at(0, TX_CTRL), KEEPALIVE | DIS_DROP);
    store(pair.b, rx_at(pair.b, 0, TILE_HEADER_FORMAT), 2 | 16 << 7);
    for (unsigned i = 0; i < 4; i++)
        start(ends[i], ID);
    for (unsigned i = 0; i < MESSAGES; i++)
        push(a, ID, WORDS, i);
    for (unsigned i = 0; i < MESSAGES; i++) {
        wait(b);
        wait(b);
        take(b, ID, WORDS, i, SIZE);
    }
    wait(b);
    wait(b);
    for (unsigned i = 0; i < 4; i++)
        assert_true(idle(ends[i], ID));
    no_findings(a.chip);
    no_findings(b.chip);
    pair_free(&pair);
}
TILE_BOTH(passes_on)

// Without a link; a stream that has none; a queue that takes no such packets.
static void finds(int arch)
{
    struct end alone = end_of(chip_made(arch, false), 8);
    set_up(alone, 1, config(alone, FROM_SOFTWARE, TO_STREAM), 1, 0x100);
    transmits_to(alone, 1, PEER, 1, 0x100);
    start(alone, 1);
    assert_int_equal(tsr_chip_clock(alone.chip, 4 * WINDOW), TSR_OK);
    assert_int_equal(findings(alone.chip, "ethernet-link"), 1);
    tsr_chip_destroy(alone.chip);

    struct pair pair = streams(arch, false, 0, 4, 2, 1, 0x100);
    uint32_t before = rx(pair.b, 0, RX_ENDED);
    start(pair.a, 4);
    assert_int_equal(tsr_chip_clock(pair.a.chip, 8 * WINDOW), TSR_OK);
    assert_int_equal(rx(pair.b, 0, RX_ENDED), before);
    assert_int_equal(findings(pair.a.chip, "noc-coordinate"), 1);
    pair_free(&pair);

    pair = streams(arch, false, 0, 3, 2, 1, 4); // in parts over the link
    start(pair.a, 3);
    start(pair.b, 2);
    wait(pair.a);
    push(pair.a, 3, 5, 0);
    wait(pair.a);
    assert_int_equal(findings(pair.a.chip, "unimplemented-mode"), 1);
    pair_free(&pair);

    pair = streams(arch, false, 0, 3, 2, 1, 0x100);
    store(pair.a, tx_at(0, TX_CTRL), DIS_DROP);
    start(pair.a, 3);
    assert_int_equal(tsr_chip_clock(pair.a.chip, 8 * WINDOW), TSR_OK);
    assert_int_equal(findings(pair.a.chip, "ethernet-mode"), 1);
    pair_free(&pair);
}
TILE_BOTH(finds)

// Wormhole's RX queue 1 has no NoC Overlay packets.
static void other_queue(void **state)
{
    (void)state;
    enum { ID = 3, DEST_LO = 0x54 };
    struct pair pair = streams(WH, false, 0, ID, ID, 1, 0x100);
    start(pair.a, ID);
    start(pair.b, ID);
    wait(pair.a);
    store(pair.b, rx_at(pair.b, 1, RX_CTRL), PACKET_MODE);
    store(pair.b, rx_at(pair.b, 1, RX_EXPECTS), rx(pair.b, 0, RX_EXPECTS));
    store(pair.a, tx_at(0, DEST_LO), 0xab);
    push(pair.a, ID, 2, 0);
    assert_int_equal(tsr_chip_clock(pair.a.chip, 4 * WINDOW), TSR_OK);
    assert_int_equal(findings(pair.b.chip, "ethernet-queue"), 1);
    assert_int_equal(get(pair.b, ID, STREAM_NUM_MSGS_RECEIVED), 0);
    pair_free(&pair);
}

// Blackhole: ETH_TXQ_TXPKT_CFG_SEL_OVL has the entry of each stream, here that of groups.
static void entry_of_stream(void **state)
{
    (void)state;
    enum { ID = 3, OTHER = 2 };
    struct pair pair = streams(BH, false, 0, ID, ID, 1, 0x100);
    store(pair.a, tx_at(0, SEL_OVL), 1 << 4 * ID);
    store(pair.b, rx_at(pair.b, 1, RX_CTRL), PACKET_MODE);
    start(pair.a, ID);
    assert_int_equal(tsr_chip_clock(pair.a.chip, 4 * WINDOW), TSR_OK);
    assert_int_equal(rx(pair.b, 1, RX_ENDED), 1);
    assert_int_equal(rx(pair.b, 0, RX_ENDED), 0);
    pair_free(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(moves_messages),     TILE_TEST(keeps_what_it_sends),
        TILE_TEST(passes_on),          TILE_TEST(finds),
        cmocka_unit_test(other_queue), cmocka_unit_test(entry_of_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
