// SPDX-License-Identifier: Apache-2.0
// Streams of the NoC overlay that move messages: from software to software, to other tiles with
// handshake and flow control, to several tiles, to DRAM, to nowhere, gathered, and phase after
// phase with configuration from L1. Both chips, timing off and on. Pages:
// WormholeB0/NoC/Overlay/*.md.
#include "chip/stream_registers.h"
#include "rig/noc_rig.h"

enum { BUFFER = 0x40000, HEADERS = 0x60000, SOURCE = 0x80000, BLOB = 0x10000, WORD = 16 };

// Bits of STREAM_MISC_CFG, first on Wormhole, then on Blackhole.
static const struct {
    uint8_t bit[2];
} bits[] = {{{1, 1}}, {{2, 2}}, {{3, 3}},   {{4, 4}},   {{5, 5}},   {{6, 6}},
            {{7, 7}}, {{8, 8}}, {{12, 11}}, {{13, 12}}, {{14, 13}}, {{15, 14}}};
enum {
    DATA_NOC = 1 << 0,
    UPDATE_NOC = 1 << 1,
    GATHERS = 1 << 2,
    FROM_SOFTWARE = 1 << 3,
    FROM_STREAM = 1 << 4,
    TO_SOFTWARE = 1 << 5,
    TO_GATHER = 1 << 6,
    TO_STREAM = 1 << 7,
    SRC_CHANGE = 1 << 8,
    DEST_CHANGE = 1 << 9,
    NO_FLOW = 1 << 10,
    NO_DEST_FLOW = 1 << 11
};

static uint32_t config(int arch, unsigned flags)
{
    uint32_t value = 0;
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
        value |= (flags >> i & 1) << bits[i].bit[arch];
    return value;
}

static uint32_t at(tsr_chip *chip, unsigned id, enum tsr_stream_register reg)
{
    return tsr_stream_address(&chip->noc, id, reg);
}

static void set(tsr_chip *chip, struct place tile, unsigned id, enum tsr_stream_register reg,
                uint32_t value)
{
    poke(chip, tile, at(chip, id, reg), value);
}

static uint32_t get(tsr_chip *chip, struct place tile, unsigned id, enum tsr_stream_register reg)
{
    return peek(chip, tile, at(chip, id, reg));
}

static void wait(tsr_chip *chip)
{
    tsr_chip_clock(chip, 64 * WINDOW);
}

// The length of a message is in bits 16 to 31 of its header.
static void set_up(tsr_chip *chip, struct place tile, unsigned id, unsigned flags, unsigned phase,
                   unsigned messages, uint32_t size)
{
    set(chip, tile, 0, STREAM_MSG_HEADER_FORMAT, 16 | 16 << 7);
    set(chip, tile, id, STREAM_MISC_CFG, config(tsr_chip_arch(chip), flags));
    set(chip, tile, id, STREAM_CURR_PHASE, phase);
    set(chip, tile, id, STREAM_PHASE_AUTO_CFG_HEADER, messages << 12);
    set(chip, tile, id, STREAM_BUF_START, BUFFER / WORD);
    set(chip, tile, id, STREAM_BUF_SIZE, size);
    set(chip, tile, id, STREAM_MSG_INFO_PTR, HEADERS / WORD);
    set(chip, tile, id, STREAM_MSG_INFO_WR_PTR, HEADERS / WORD);
    set(chip, tile, id, STREAM_REMOTE_DEST_MSG_INFO_WR_PTR, 0);
}

static void start(tsr_chip *chip, struct place tile, unsigned id)
{
    set(chip, tile, id, STREAM_PHASE_ADVANCE, 1);
}

// A message of `words` in a tile's L1, `seed` in all its bytes but the header's length.
static void make_message(tsr_chip *chip, struct place tile, uint32_t address, uint32_t words,
                         uint8_t seed)
{
    uint8_t *bytes = malloc(words * WORD);
    assert_non_null(bytes);
    memset(bytes, seed, words * WORD);
    bytes[2] = (uint8_t)words;
    bytes[3] = (uint8_t)(words >> 8);
    assert_int_equal(tsr_chip_write(chip, tile.x, tile.y, address, bytes, words * WORD), TSR_OK);
    free(bytes);
}

static bool is_message(tsr_chip *chip, struct place tile, uint64_t address, uint32_t words,
                       uint8_t seed)
{
    uint8_t *bytes = malloc(words * WORD);
    assert_non_null(bytes);
    assert_int_equal(tsr_chip_read(chip, tile.x, tile.y, address, bytes, words * WORD), TSR_OK);
    bool same = bytes[2] == (uint8_t)words && bytes[3] == (uint8_t)(words >> 8);
    for (uint32_t i = 0; i < words * WORD; i++)
        same = same && (bytes[i] == seed || i == 2 || i == 3);
    free(bytes);
    return same;
}

// Takes the message at the front, and looks at it.
static void take(tsr_chip *chip, struct place tile, unsigned id, uint32_t words, uint8_t seed)
{
    assert_true(get(chip, tile, id, STREAM_NUM_MSGS_RECEIVED) > 0);
    uint32_t address = get(chip, tile, id, STREAM_NEXT_RECEIVED_MSG_ADDR);
    assert_int_equal(get(chip, tile, id, STREAM_NEXT_RECEIVED_MSG_SIZE), words);
    assert_int_equal(get(chip, tile, id, STREAM_RECEIVER_ENDPOINT_MSG_INFO), address);
    assert_true(is_message(chip, tile, address * WORD, words, seed));
    set(chip, tile, id, STREAM_MSG_INFO_CLEAR, 1);
    set(chip, tile, id, STREAM_MSG_DATA_CLEAR, 1);
}

// ---------------------------------------------------------------- in one tile

static void software(int arch, bool timing)
{
    enum { ID = 5, WORDS = 3, MESSAGES = 4 };
    tsr_chip *chip = chip_with(arch, timing);
    struct place a = tensix(chip, 0, 0);
    set_up(chip, a, ID, FROM_SOFTWARE | TO_SOFTWARE, 7, MESSAGES, 100);
    assert_int_equal(get(chip, a, ID, STREAM_WAIT_STATUS), 1);
    start(chip, a, ID);
    assert_int_equal(get(chip, a, ID, STREAM_WAIT_STATUS), 4 | 5 << 3);
    assert_int_equal(get(chip, a, ID, STREAM_BUF_SPACE_AVAILABLE), 100);
    for (uint8_t i = 0; i < MESSAGES; i++) {
        uint32_t place = BUFFER + i * WORDS * WORD;
        make_message(chip, a, place, WORDS, 10 + i);
        make_message(chip, a, HEADERS + i * WORD, 1, 10 + i);
        uint8_t length[2] = {WORDS, 0};
        tsr_chip_write(chip, a.x, a.y, HEADERS + i * WORD + 2, length, 2);
    }
    set(chip, a, ID, STREAM_NUM_MSGS_RECEIVED_INC, MESSAGES | MESSAGES * WORDS << 12);
    assert_int_equal(get(chip, a, ID, STREAM_NUM_MSGS_RECEIVED), MESSAGES);
    assert_int_equal(get(chip, a, ID, STREAM_BUF_SPACE_AVAILABLE), 100 - MESSAGES * WORDS);
    // Stream 5 keeps headers: words 2 to 5 of an entry.
    assert_int_equal(peek(chip, a, at(chip, ID, STREAM_RECEIVER_ENDPOINT_MSG_INFO) + 4 * (6 + 2)),
                     0x00030b0b);
    take(chip, a, ID, WORDS, 10);
    assert_int_equal(get(chip, a, ID, STREAM_RD_PTR), WORDS);
    set(chip, a, ID, STREAM_REMOTE_DEST_MSG_INFO_WR_PTR, (uint32_t)-4); // two at once
    assert_int_equal(get(chip, a, ID, STREAM_NUM_MSGS_RECEIVED), 1);
    assert_int_equal(get(chip, a, ID, STREAM_PHASE_AUTO_CFG_HEADER) & 0xfff, 1);
    assert_int_equal(get(chip, a, ID, STREAM_WAIT_STATUS), 4 | 5 << 3);
    take(chip, a, ID, WORDS, 13);
    wait(chip);
    assert_int_equal(get(chip, a, ID, STREAM_WAIT_STATUS), 1);
    assert_int_equal(get(chip, a, 0, STREAM_BLOB_AUTO_CFG_DONE), 1 << ID);
    assert_int_equal(get(chip, a, 0, STREAM_BLOB_NEXT_AUTO_CFG_DONE), 0x10000 | ID);
    assert_int_equal(get(chip, a, 0, STREAM_BLOB_NEXT_AUTO_CFG_DONE), 0);
    assert_int_equal(all_findings(chip, a), 0);
    tsr_chip_destroy(chip);
}

// Without a header array, and nobody receives them.
static void nowhere(int arch, bool timing)
{
    enum { ID = 30 };
    tsr_chip *chip = chip_with(arch, timing);
    struct place a = tensix(chip, 1, 1);
    set_up(chip, a, ID, FROM_SOFTWARE, 1, 2, 64);
    start(chip, a, ID);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(get(chip, a, ID, STREAM_MSG_INFO_CAN_PUSH_NEW_MSG), 1);
        set(chip, a, ID, STREAM_SOURCE_ENDPOINT_NEW_MSG_INFO, (BUFFER / WORD) | 40u << 17);
        assert_int_equal(get(chip, a, ID, STREAM_NUM_MSGS_RECEIVED), 0);
        assert_int_equal(get(chip, a, ID, STREAM_RD_PTR), i ? 16 : 40);
    }
    wait(chip);
    assert_int_equal(get(chip, a, ID, STREAM_WAIT_STATUS), 1);
    tsr_chip_destroy(chip);
}

// Streams 16 to 19 give one message each to stream 4, in order; room is that of who received it.
static void gathered(int arch, bool timing)
{
    enum { OUT = 4, IN = 16, MESSAGES = 3 };
    tsr_chip *chip = chip_with(arch, timing);
    struct place a = tensix(chip, 0, 0);
    set_up(chip, a, OUT, GATHERS | TO_SOFTWARE, 1, 4 * MESSAGES, 0);
    set(chip, a, OUT, STREAM_LOCAL_SRC_MASK, 0xfu << IN);
    if (arch == WH) {
        set(chip, a, OUT, STREAM_GATHER, 2 | 1 << 3);
        set(chip, a, OUT, STREAM_GATHER_CLEAR, 1);
    } else {
        set(chip, a, OUT, STREAM_GATHER_ALL, 1 | 2 << 13 | 1 << 16);
    }
    start(chip, a, OUT);
    for (unsigned i = 0; i < 4; i++) {
        set_up(chip, a, IN + i, FROM_SOFTWARE | TO_GATHER, 1, MESSAGES, 64);
        set(chip, a, IN + i, STREAM_REMOTE_DEST, 1 | OUT << 12);
        set(chip, a, IN + i, STREAM_BUF_START, BUFFER / WORD + i * 64);
        start(chip, a, IN + i);
        for (unsigned k = 0; k < 2; k++) {
            make_message(chip, a, BUFFER + i * 0x400 + k * 5 * WORD, 5, (uint8_t)(i + 4 * k));
            set(chip, a, IN + i, STREAM_SOURCE_ENDPOINT_NEW_MSG_INFO,
                (BUFFER / WORD + i * 64 + k * 5) | 5u << 17);
        }
        if (i == 2) { // the handshake waits for the fourth
            wait(chip);
            assert_int_equal(get(chip, a, OUT, STREAM_NUM_MSGS_RECEIVED), 0);
        }
    }
    for (uint8_t i = 0; i < 8; i++) {
        wait(chip);
        assert_int_equal(get(chip, a, OUT, STREAM_NUM_MSGS_RECEIVED), i == 7 ? 1 : 2);
        take(chip, a, OUT, 5, i);
        assert_int_equal(get(chip, a, IN + i % 4, STREAM_RD_PTR), 5 * (1 + i / 4));
    }
    assert_int_equal(all_findings(chip, a), 0);
    tsr_chip_destroy(chip);
}

// ---------------------------------------------------------------- between tiles

static void connect(tsr_chip *chip, struct place from, unsigned from_id, struct place to,
                    unsigned to_id, uint32_t size, uint32_t index)
{
    struct place source = on_noc(chip, 1, from), receiver = on_noc(chip, 0, to);
    set(chip, from, from_id, STREAM_REMOTE_DEST, receiver.x | receiver.y << 6 | to_id << 12);
    set(chip, from, from_id, STREAM_REMOTE_DEST_BUF_START, BUFFER / WORD);
    set(chip, from, from_id, STREAM_REMOTE_DEST_BUF_SIZE, size);
    set(chip, from, from_id, STREAM_REMOTE_DEST_MSG_INFO_WR_PTR, HEADERS / WORD);
    set(chip, to, to_id, STREAM_REMOTE_SRC, source.x | source.y << 6 | from_id << 12 | index << 18);
}

static void push(tsr_chip *chip, struct place tile, unsigned id, uint32_t words, uint8_t seed)
{
    make_message(chip, tile, SOURCE + seed * 0x400u, words, seed);
    assert_int_equal(get(chip, tile, id, STREAM_MSG_INFO_CAN_PUSH_NEW_MSG), 1);
    set(chip, tile, id, STREAM_SOURCE_ENDPOINT_NEW_MSG_INFO,
        (SOURCE + seed * 0x400u) / WORD | words << 17);
}

// A receive buffer of 10 words for messages of 4: two fit, and the third wraps.
static void between_tiles(int arch, bool timing)
{
    enum { FROM = 20, TO = 41, WORDS = 4, MESSAGES = 6, SIZE = 10 };
    tsr_chip *chip = chip_with(arch, timing);
    struct place a = tensix(chip, 0, 0), b = tensix(chip, 4, 3);
    set_up(chip, a, FROM, FROM_SOFTWARE | TO_STREAM | SRC_CHANGE | DEST_CHANGE, 9, MESSAGES, 0);
    set(chip, a, FROM, STREAM_BUF_START, 0);
    set(chip, a, FROM, STREAM_BUF_SIZE, 0x1ffff);
    set_up(chip, b, TO, FROM_STREAM | TO_SOFTWARE | UPDATE_NOC | SRC_CHANGE | DEST_CHANGE, 3,
           MESSAGES, SIZE);
    set(chip, b, TO, STREAM_REMOTE_SRC_PHASE, 9);
    connect(chip, a, FROM, b, TO, SIZE, 0);
    start(chip, a, FROM);
    push(chip, a, FROM, WORDS, 0);
    push(chip, a, FROM, WORDS, 1);
    wait(chip); // nothing moves before the receiver has started
    assert_int_equal(get(chip, a, FROM, STREAM_NUM_MSGS_RECEIVED), 2);
    start(chip, b, TO);
    for (uint8_t i = 0; i < MESSAGES; i++) {
        wait(chip);
        assert_int_equal(get(chip, b, TO, STREAM_NUM_MSGS_RECEIVED), i == MESSAGES - 1 ? 1 : 2);
        if (i + 2 < MESSAGES)
            push(chip, a, FROM, WORDS, i + 2);
        wait(chip);
        assert_int_equal(get(chip, b, TO, STREAM_NUM_MSGS_RECEIVED), i == MESSAGES - 1 ? 1 : 2);
        if (i == 2) { // its last two words are at the beginning of the buffer
            assert_int_equal(get(chip, b, TO, STREAM_NEXT_RECEIVED_MSG_ADDR), BUFFER / WORD + 8);
            set(chip, b, TO, STREAM_MSG_INFO_CLEAR, 1);
            set(chip, b, TO, STREAM_MSG_DATA_CLEAR, 1);
        } else {
            take(chip, b, TO, WORDS, i);
        }
    }
    assert_int_equal(peek(chip, b, HEADERS + 5 * WORD), WORDS << 16 | 0x0505);
    wait(chip);
    assert_int_equal(get(chip, a, FROM, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE), SIZE);
    assert_int_equal(get(chip, a, FROM, STREAM_WAIT_STATUS), 1);
    assert_int_equal(get(chip, b, TO, STREAM_WAIT_STATUS), 1);
    assert_int_equal(all_findings(chip, a) + all_findings(chip, b), 0);
    tsr_chip_destroy(chip);
}

// Messages longer than a packet, to three tiles of a row at once.
static void to_several(int arch, bool timing)
{
    enum { ID = 2, TO = 9, WORDS = 1200, MESSAGES = 2, SIZE = 2400 };
    tsr_chip *chip = chip_with(arch, timing);
    struct place a = tensix(chip, 0, 2), to[3];
    set_up(chip, a, ID, FROM_SOFTWARE | TO_STREAM | SRC_CHANGE | DEST_CHANGE, 1, MESSAGES, 0);
    set(chip, a, ID, STREAM_BUF_START, 0);
    set(chip, a, ID, STREAM_BUF_SIZE, 0x1ffff);
    for (unsigned i = 0; i < 3; i++) {
        to[i] = tensix(chip, 1 + i, 0);
        set_up(chip, to[i], TO, FROM_STREAM | TO_SOFTWARE | UPDATE_NOC, 1, MESSAGES, SIZE);
        set(chip, to[i], TO, STREAM_REMOTE_SRC_PHASE, 1);
        connect(chip, a, ID, to[i], TO, SIZE, i);
        start(chip, to[i], TO);
    }
    set(chip, a, ID, STREAM_REMOTE_DEST, to[0].x | to[0].y << 6 | TO << 12);
    set(chip, a, ID, STREAM_MCAST_DEST, to[2].x | to[2].y << 6 | 1 << 12);
    set(chip, a, ID, STREAM_MCAST_DEST_NUM, 3);
    start(chip, a, ID);
    for (uint8_t k = 0; k < MESSAGES; k++) {
        make_message(chip, a, SOURCE + k * 0x8000u, WORDS, k);
        set(chip, a, ID, STREAM_SOURCE_ENDPOINT_NEW_MSG_INFO,
            (SOURCE + k * 0x8000u) / WORD | (uint32_t)WORDS << 17);
    }
    wait(chip);
    for (uint8_t k = 0; k < MESSAGES; k++)
        for (unsigned i = 0; i < 3; i++)
            take(chip, to[i], TO, WORDS, k);
    wait(chip);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(
            peek(chip, a, at(chip, ID, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE) + 4 * i), SIZE);
    assert_int_equal(get(chip, a, ID, STREAM_WAIT_STATUS), 1);
    assert_int_equal(all_findings(chip, a), 0);
    tsr_chip_destroy(chip);
}

static void to_dram(int arch, bool timing)
{
    enum { ID = 8, WORDS = 6, ARRAY = 0x4000000 };
    tsr_chip *chip = chip_with(arch, timing);
    struct place a = tensix(chip, 0, 0), dram = {0, 0};
    set_up(chip, a, ID, FROM_SOFTWARE | TO_STREAM | DEST_CHANGE | NO_DEST_FLOW, 1, 2, 0x1ffff);
    set(chip, a, ID, STREAM_BUF_START, 0);
    set(chip, a, ID, STREAM_REMOTE_DEST, dram.x | dram.y << 6);
    set(chip, a, ID, STREAM_REMOTE_DEST_BUF_START, 0);
    set(chip, a, ID, STREAM_REMOTE_DEST_BUF_START_HI, 0x10); // 0x2000000
    set(chip, a, ID, STREAM_REMOTE_DEST_MSG_INFO_WR_PTR, ARRAY / WORD & 0x1ffff);
    set(chip, a, ID, STREAM_REMOTE_DEST_MSG_INFO_WR_PTR_HI, ARRAY / WORD >> 17);
    set(chip, a, ID, STREAM_SCRATCH, 4 | 2);
    start(chip, a, ID);
    push(chip, a, ID, WORDS, 1);
    push(chip, a, ID, WORDS, 2);
    wait(chip);
    assert_int_equal(get(chip, a, ID, STREAM_NUM_MSGS_RECEIVED), 2); // software shakes hands
    set(chip, a, ID, STREAM_DEST_PHASE_READY_UPDATE, 1 << 6);
    wait(chip);
    wait(chip);
    assert_true(is_message(chip, dram, 0x2000000, WORDS, 1));
    assert_true(is_message(chip, dram, 0x2000000 + WORDS * WORD, WORDS, 2));
    assert_int_equal(peek(chip, dram, ARRAY + WORD), WORDS << 16 | 0x0202);
    assert_int_equal(get(chip, a, ID, STREAM_WAIT_STATUS), 1);
    assert_int_equal(all_findings(chip, a), 0);
    tsr_chip_destroy(chip);
}

// Two phases of one message each, whose configuration is in L1; the second one is the last.
static void from_l1(int arch, bool timing)
{
    enum { ID = 12 };
    tsr_chip *chip = chip_with(arch, timing);
    struct place a = tensix(chip, 0, 0);
    uint32_t misc = arch == WH ? 10 : 3, onetime = arch == WH ? 10 : 2;
    uint32_t both = arch == WH ? 3u << 9 : 3; // PHASE_AUTO_CONFIG, PHASE_AUTO_ADVANCE
    uint32_t plain = config(arch, FROM_SOFTWARE);
    const uint32_t blob[] = {
        2u << 24 | 1 << 12 | 5, (arch == WH ? 7u : 18u) << 24 | 50, // the size of the buffer
        2u << 24 | 1 << 12 | 1, misc << 24 | plain, onetime << 24 | (arch == WH ? plain : 0)};
    for (unsigned i = 0; i < 5; i++)
        poke(chip, a, BLOB + 4 * i, blob[i]);
    set_up(chip, a, ID, FROM_SOFTWARE, 0, 0, 100);
    set(chip, a, ID, STREAM_PHASE_AUTO_CFG_HEADER, 1u << 24);
    set(chip, a, ID, STREAM_PHASE_AUTO_CFG_PTR, BLOB);
    poke(chip, a, 0xffb40000u + ID * 0x1000 + 4 * onetime, (arch == WH ? plain : 0) | both);
    wait(chip);
    assert_int_equal(get(chip, a, ID, STREAM_CURR_PHASE), 5);
    assert_int_equal(get(chip, a, ID, STREAM_BUF_SIZE), 50);
    assert_int_equal(get(chip, a, ID, STREAM_WAIT_STATUS), 4 | 5 << 3);
    assert_int_equal(get(chip, a, ID, STREAM_PHASE_AUTO_CFG_PTR), BLOB + 8);
    push(chip, a, ID, 3, 1);
    wait(chip);
    // The second one neither starts itself nor has a successor.
    assert_int_equal(get(chip, a, ID, STREAM_CURR_PHASE), 6);
    assert_int_equal(get(chip, a, ID, STREAM_WAIT_STATUS), 1 | 3 << 3);
    assert_int_equal(get(chip, a, 0, STREAM_BLOB_AUTO_CFG_DONE), 0);
    start(chip, a, ID);
    push(chip, a, ID, 3, 2);
    wait(chip);
    assert_int_equal(get(chip, a, ID, STREAM_WAIT_STATUS), 1);
    assert_int_equal(get(chip, a, 0, STREAM_BLOB_AUTO_CFG_DONE), 1 << ID);
    tsr_chip_destroy(chip);
}

// Software sends to a stream by an interface: NOC_PACKET_TAG has the stream, and bits for
// "deliver", "last of its message" and "store the header".
static void by_software(int arch, bool timing)
{
    enum { TO = 50, WORDS = 4 };
    tsr_chip *chip = chip_with(arch, timing);
    struct place a = tensix(chip, 0, 0), b = tensix(chip, 3, 1);
    set_up(chip, b, TO, FROM_STREAM | TO_SOFTWARE | NO_FLOW, 1, 1, 100);
    start(chip, b, TO);
    make_message(chip, a, SOURCE, WORDS, 9);
    for (unsigned part = 0; part < 2; part++) {
        struct request request =
            write_request(chip, 0, a, SOURCE + 32 * part, b, BUFFER + 32 * part, 32);
        request.control = NOC_CMD_WR;
        request.tag = TO | 1 << 6 | part << 8 | !part << 9;
        request.data = HEADERS / WORD;
        issue(chip, a, &request);
        wait(chip);
        assert_int_equal(get(chip, b, TO, STREAM_NUM_MSGS_RECEIVED), part);
    }
    take(chip, b, TO, WORDS, 9);
    assert_int_equal(all_findings(chip, a), 0);
    tsr_chip_destroy(chip);
}

// A stream that sends outside of the grid is a finding of its tile.
static void astray(int arch, bool timing)
{
    tsr_chip *chip = chip_with(arch, timing);
    struct place a = tensix(chip, 0, 0);
    set_up(chip, a, 9, FROM_SOFTWARE | TO_STREAM, 1, 1, 0x1ffff);
    set(chip, a, 9, STREAM_REMOTE_DEST, 62 | 62 << 6);
    start(chip, a, 9);
    wait(chip);
    assert_int_equal(findings(chip, a, "noc-coordinate"), 1);
    tsr_chip_destroy(chip);
}

// A message that the receiver's buffer does not hold: no stream waits without a word.
static void too_long_for(int arch, bool timing, unsigned receives, const char *code)
{
    enum { FROM = 20, TO = 41, WORDS = 4, SIZE = 3 };
    tsr_chip *chip = chip_with(arch, timing);
    struct place a = tensix(chip, 0, 0), b = tensix(chip, 4, 3);
    set_up(chip, a, FROM, FROM_SOFTWARE | TO_STREAM | SRC_CHANGE | DEST_CHANGE, 9, 2, 0);
    set(chip, a, FROM, STREAM_BUF_START, 0);
    set(chip, a, FROM, STREAM_BUF_SIZE, 0x1ffff);
    set_up(chip, b, TO, FROM_STREAM | receives | UPDATE_NOC | SRC_CHANGE | DEST_CHANGE, 3, 2, SIZE);
    set(chip, b, TO, STREAM_REMOTE_SRC_PHASE, 9);
    connect(chip, a, FROM, b, TO, SIZE, 0);
    start(chip, a, FROM);
    start(chip, b, TO);
    push(chip, a, FROM, WORDS, 0);
    wait(chip);
    wait(chip);
    assert_int_equal(findings(chip, b, code), 1);
    assert_int_equal(all_findings(chip, a) + all_findings(chip, b), 1);
    tsr_chip_destroy(chip);
}

static void too_long(int arch, bool timing)
{
    too_long_for(arch, timing, TO_SOFTWARE, "noc-stream-buffer");
    too_long_for(arch, timing, 0, "unimplemented-mode");
}

// Streams between streams have buffers of 3 and 7 words, and pass messages on in parts; one that
// fits goes as a whole.
static void in_parts(int arch, bool timing)
{
    enum { ID = 20, TILES = 4, MESSAGES = 4 };
    static const uint32_t sizes[TILES] = {0x1ffff, 3, 7, 50}, words[MESSAGES] = {20, 2, 5, 22};
    tsr_chip *chip = chip_with(arch, timing);
    struct place tile[TILES];
    for (unsigned i = 0; i < TILES; i++) {
        unsigned from = i == 0 ? FROM_SOFTWARE : FROM_STREAM | UPDATE_NOC;
        tile[i] = tensix(chip, i, i % 2);
        set_up(chip, tile[i], ID,
               from | (i == TILES - 1 ? TO_SOFTWARE : TO_STREAM) | SRC_CHANGE | DEST_CHANGE, 9,
               MESSAGES, sizes[i]);
        set(chip, tile[i], ID, STREAM_REMOTE_SRC_PHASE, 9);
        set(chip, tile[i], ID, STREAM_BUF_START, i == 0 ? 0 : BUFFER / WORD);
        if (i > 0)
            connect(chip, tile[i - 1], ID, tile[i], ID, sizes[i], 0);
    }
    for (unsigned i = 0; i < TILES; i++)
        start(chip, tile[i], ID);
    for (uint8_t i = 0; i < MESSAGES; i++) {
        push(chip, tile[0], ID, words[i], i);
        for (unsigned k = 0; k < 8; k++)
            wait(chip);
        take(chip, tile[TILES - 1], ID, words[i], i);
    }
    for (unsigned k = 0; k < 8; k++)
        wait(chip);
    for (unsigned i = 0; i < TILES; i++) {
        assert_int_equal(get(chip, tile[i], ID, STREAM_WAIT_STATUS), 1);
        assert_int_equal(all_findings(chip, tile[i]), 0);
    }
    // What is behind the small buffers is as it was.
    assert_int_equal(peek(chip, tile[1], BUFFER + 3 * WORD), 0);
    assert_int_equal(peek(chip, tile[2], BUFFER + 7 * WORD), 0);
    tsr_chip_destroy(chip);
}

// ---------------------------------------------------------------- interrupts

// Wormhole's streams 0 to 3 and 8 to 11 request interrupts 0 to 7 at the start and at the end of a
// phase, as PIC_STREAM_IRQ_TYPE says; request 16 comes when the first stream is done.
static void test_phase_interrupts(void **state)
{
    enum { STATUS = 0, NEXT = 4, ENABLE = 8, TYPE = 0x14, DONE = 1 << 16, BOTH = 3 };
    static const struct {
        uint8_t id, type, start, end;
    } of[] = {{2, 1, 1 << 2, 0}, {3, 2, 0, 1 << 3}, {9, BOTH, 1 << 5, 1 << 5}, {4, BOTH, 0, 0}};
    const uint64_t pic = 0xffb13000;
    (void)state;
    tsr_chip *chip = chip_with(WH, false);
    struct place a = tensix(chip, 0, 0);
    poke(chip, a, pic + ENABLE, 0xff | DONE);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        unsigned irq = of[i].id < 4 ? of[i].id : of[i].id - 4u;
        poke(chip, a, pic + TYPE + 4 * irq, of[i].type);
        set_up(chip, a, of[i].id, FROM_SOFTWARE | TO_SOFTWARE, 1, 1, 100);
        start(chip, a, of[i].id);
        assert_int_equal(peek(chip, a, pic + STATUS), of[i].start);
        poke(chip, a, pic + STATUS, of[i].start);
        make_message(chip, a, BUFFER, 1, 5);
        make_message(chip, a, HEADERS, 1, 5);
        set(chip, a, of[i].id, STREAM_NUM_MSGS_RECEIVED_INC, 1 | 1 << 12);
        set(chip, a, of[i].id, STREAM_MSG_INFO_CLEAR, 1);
        set(chip, a, of[i].id, STREAM_MSG_DATA_CLEAR, 1);
        wait(chip);
        uint32_t done = i == 0 ? DONE : 0; // it has been non-zero since
        assert_int_equal(peek(chip, a, pic + STATUS), of[i].end | done);
        poke(chip, a, pic + STATUS, 0xffffffff);
    }
    assert_int_equal(all_findings(chip, a), 0);
    tsr_chip_destroy(chip);
}

// Blackhole's: the first of the hardware's requests comes when the first stream is done.
static void test_done_interrupt(void **state)
{
    const uint64_t request = 0xffb13098;
    (void)state;
    tsr_chip *chip = chip_with(BH, false);
    struct place a = tensix(chip, 0, 0);
    set_up(chip, a, 2, FROM_SOFTWARE | TO_SOFTWARE, 1, 1, 100);
    start(chip, a, 2);
    assert_int_equal(peek(chip, a, request), 0);
    make_message(chip, a, BUFFER, 1, 5);
    make_message(chip, a, HEADERS, 1, 5);
    set(chip, a, 2, STREAM_NUM_MSGS_RECEIVED_INC, 1 | 1 << 12);
    set(chip, a, 2, STREAM_MSG_INFO_CLEAR, 1);
    set(chip, a, 2, STREAM_MSG_DATA_CLEAR, 1);
    wait(chip);
    assert_int_equal(peek(chip, a, request), 1);
    assert_int_equal(peek(chip, a, request), 0);
    assert_int_equal(all_findings(chip, a), 0);
    tsr_chip_destroy(chip);
}

#define BOTH_MODES(name)                                                                           \
    static void test_##name(int arch)                                                              \
    {                                                                                              \
        name(arch, false);                                                                         \
        name(arch, true);                                                                          \
    }                                                                                              \
    TILE_BOTH(test_##name)
BOTH_MODES(software)
BOTH_MODES(nowhere)
BOTH_MODES(gathered)
BOTH_MODES(between_tiles)
BOTH_MODES(to_several)
BOTH_MODES(to_dram)
BOTH_MODES(from_l1)
BOTH_MODES(by_software)
BOTH_MODES(astray)
BOTH_MODES(too_long)
BOTH_MODES(in_parts)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_software),
        TILE_TEST(test_nowhere),
        TILE_TEST(test_gathered),
        TILE_TEST(test_between_tiles),
        TILE_TEST(test_to_several),
        TILE_TEST(test_to_dram),
        TILE_TEST(test_from_l1),
        TILE_TEST(test_by_software),
        TILE_TEST(test_astray),
        TILE_TEST(test_too_long),
        TILE_TEST(test_in_parts),
        cmocka_unit_test(test_phase_interrupts),
        cmocka_unit_test(test_done_interrupt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
