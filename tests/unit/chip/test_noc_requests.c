// SPDX-License-Identifier: Apache-2.0
// Each kind of request between two tiles, on both NoCs: where its bytes come from, where they go,
// and which counters of both interfaces change by how much.
// Pages: NoC/MemoryMap.md, NoC/Counters.md of each chip, NoC/Atomics.md.
#include "rig/noc_rig.h"

enum { FROM = 0x20000, TO = 0x40000, RESULT = 0x50000, TRANSACTION = 5 };
#define TAG ((uint32_t)TRANSACTION << NOC_PACKET_TRANSACTION_ID_FIRST)

// What an interface's counters are, those that are not named 0. Pairs of index and value.
static void expect_counters(tsr_chip *chip, struct place at, int noc, size_t count,
                            const unsigned (*expected)[2])
{
    for (unsigned index = 0; index < TSR_NIU_COUNTERS; index++) {
        unsigned value = 0;
        for (size_t i = 0; i < count; i++)
            if (expected[i][0] == index)
                value = expected[i][1];
        if (counter(chip, at, noc, index) != value)
            fail_msg("counter %u of (%u, %u) is %u, expected %u", index, at.x, at.y,
                     (unsigned)counter(chip, at, noc, index), value);
    }
}
#define COUNTERS(chip, at, noc, ...)                                                               \
    do {                                                                                           \
        const unsigned expected[][2] = {__VA_ARGS__};                                              \
        expect_counters(chip, at, noc, sizeof expected / sizeof *expected, expected);              \
    } while (0)

static void run_read(int arch, bool timing, int noc)
{
    tsr_chip *chip = chip_with(arch, timing);
    struct place a = tensix(chip, 1, 2), b = tensix(chip, 6, 8);
    unsigned flits = arch == WH ? 1000 / 32 + 1 : 1000 / 64 + 1;
    fill(chip, b, FROM + 16, 1000, 3);
    struct request request = read_request(chip, noc, b, FROM + 16, a, TO + 16, 1000);
    request.tag = TAG;
    issue(chip, a, &request);
    if (!timing)
        COUNTERS(chip, a, noc, {NIU_MST_CMD_ACCEPTED, 1}, {NIU_MST_RD_REQ_SENT, 1},
                 {NIU_MST_RD_REQ_STARTED, 1}, {NIU_MST_REQS_OUTSTANDING_ID + TRANSACTION, 1});
    settle(chip);
    assert_true(filled(chip, a, TO + 16, 1000, 3));
    COUNTERS(chip, a, noc, {NIU_MST_RD_RESP_RECEIVED, 1}, {NIU_MST_RD_DATA_WORD_RECEIVED, flits},
             {NIU_MST_CMD_ACCEPTED, 1}, {NIU_MST_RD_REQ_SENT, 1}, {NIU_MST_RD_REQ_STARTED, 1});
    COUNTERS(chip, b, noc, {NIU_SLV_RD_RESP_SENT, 1}, {NIU_SLV_RD_DATA_WORD_SENT, flits},
             {NIU_SLV_REQ_ACCEPTED, 1}, {NIU_SLV_RD_REQ_RECEIVED, 1});
    assert_int_equal(all_findings(chip, a), 0);
    tsr_chip_destroy(chip);
}

static void test_read(int arch)
{
    for (int noc = 0; noc < TSR_NOCS; noc++) {
        run_read(arch, false, noc);
        run_read(arch, true, noc);
    }
}

static void run_write(int arch, bool timing, int noc, bool posted)
{
    tsr_chip *chip = chip_with(arch, timing);
    struct place a = tensix(chip, 7, 9), b = tensix(chip, 0, 0);
    unsigned flits = arch == WH ? 64 : 32;
    fill(chip, a, FROM, 2048, 9);
    struct request request = write_request(chip, noc, a, FROM, b, TO, 2048);
    request.tag = TAG;
    if (posted)
        request.control &= ~CTRL(NOC_CMD_RESP_MARKED);
    issue(chip, a, &request);
    fill(chip, a, FROM, 2048, 10); // the request has its bytes
    settle(chip);
    assert_true(filled(chip, b, TO, 2048, 9));
    if (posted) {
        COUNTERS(chip, a, noc, {NIU_MST_CMD_ACCEPTED, 1}, {NIU_MST_POSTED_WR_REQ_STARTED, 1},
                 {NIU_MST_POSTED_WR_REQ_SENT, 1}, {NIU_MST_POSTED_WR_DATA_WORD_SENT, flits});
        COUNTERS(chip, b, noc, {NIU_SLV_POSTED_WR_REQ_STARTED, 1},
                 {NIU_SLV_POSTED_WR_REQ_RECEIVED, 1},
                 {NIU_SLV_POSTED_WR_DATA_WORD_RECEIVED, flits});
    } else {
        COUNTERS(chip, a, noc, {NIU_MST_CMD_ACCEPTED, 1}, {NIU_MST_NONPOSTED_WR_REQ_STARTED, 1},
                 {NIU_MST_NONPOSTED_WR_REQ_SENT, 1}, {NIU_MST_NONPOSTED_WR_DATA_WORD_SENT, flits},
                 {NIU_MST_WR_ACK_RECEIVED, 1});
        COUNTERS(chip, b, noc, {NIU_SLV_NONPOSTED_WR_REQ_STARTED, 1},
                 {NIU_SLV_NONPOSTED_WR_REQ_RECEIVED, 1},
                 {NIU_SLV_NONPOSTED_WR_DATA_WORD_RECEIVED, flits}, {NIU_SLV_WR_ACK_SENT, 1});
    }
    assert_int_equal(all_findings(chip, a), 0);
    tsr_chip_destroy(chip);
}

static void test_write(int arch)
{
    for (int i = 0; i < 8; i++)
        run_write(arch, i & 1, i >> 1 & 1, i >> 2 & 1);
}

// The first 16 bytes of a posted write go to a second address.
static void test_header_store(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0), b = tensix(chip, 1, 0);
    fill(chip, a, FROM, 64, 1);
    struct request request = write_request(chip, 0, a, FROM, b, TO, 64);
    request.control &= ~CTRL(NOC_CMD_RESP_MARKED);
    request.tag = CTRL(NOC_PACKET_TAG_HEADER_STORE);
    request.data = RESULT >> 4;
    issue(chip, a, &request);
    settle(chip);
    assert_true(filled(chip, b, TO, 64, 1));
    assert_true(filled(chip, b, RESULT, 16, 1));
    assert_int_equal(peek(chip, b, RESULT + 16), 0);
    tsr_chip_destroy(chip);
}

static void test_byte_enables(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0), b = tensix(chip, 3, 3);
    fill(chip, a, FROM, 64, 0);
    struct request request = write_request(chip, 1, a, FROM, b, TO, 0);
    request.control |= CTRL(NOC_CMD_WR_BE);
    request.length = arch == WH ? 0x80010003 : 0x8000000000010003;
    issue(chip, a, &request);
    settle(chip);
    unsigned last = arch == WH ? 31 : 63;
    for (unsigned i = 0; i < 64; i++) {
        uint8_t byte = 0;
        assert_int_equal(tsr_chip_read(chip, b.x, b.y, TO + i, &byte, 1), TSR_OK);
        bool enabled = i < 2 || i == 16 || i == last;
        assert_int_equal(byte, enabled ? (uint8_t)(i * 7) : 0);
    }
    assert_int_equal(all_findings(chip, a), 0);
    tsr_chip_destroy(chip);
}

// Four bytes into a register; on Wormhole up to 16 into L1, by either half of the mask.
static void test_inline(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0), b = tensix(chip, 3, 3);
    uint32_t scratch = NIU_BASE(0) + 0x10c; // ROUTER_CFG_2
    struct request request = inline_request(chip, 0, b, scratch, 0x12345678, 0);
    request.tag = TAG;
    issue(chip, a, &request);
    settle(chip);
    assert_int_equal(peek(chip, b, scratch), 0x12345678);
    COUNTERS(chip, a, 0, {NIU_MST_CMD_ACCEPTED, 1}, {NIU_MST_NONPOSTED_WR_REQ_STARTED, 1},
             {NIU_MST_NONPOSTED_WR_REQ_SENT, 1}, {NIU_MST_WR_ACK_RECEIVED, 1});
    assert_int_equal(all_findings(chip, a), 0);
    request = inline_request(chip, 0, b, TO + 4, 0xa1b2c3d4, 0x00f0);
    issue(chip, a, &request);
    settle(chip);
    assert_int_equal(peek(chip, b, TO + 4), 0xa1b2c3d4);
    assert_int_equal(peek(chip, b, TO), 0);
    assert_int_equal(findings(chip, a, "noc-erratum"), arch == BH);
    request = inline_request(chip, 0, b, TO + 32, 0xa1b2c3d4, 0x80000001);
    issue(chip, a, &request);
    settle(chip);
    assert_int_equal(peek(chip, b, TO + 32), 0xd4);
    assert_int_equal(peek(chip, b, TO + 44), 0xa1000000);
    tsr_chip_destroy(chip);
}

// What would be too long for a packet becomes several; the registers end at the last one.
static void test_split(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 2, 2), b = tensix(chip, 5, 5);
    uint32_t most = arch == WH ? 8192 : 16384, length = 3 * most + 64;
    fill(chip, a, 0x80000, length, 77);
    struct request request = write_request(chip, 0, a, 0x80000, b, 0x90000, length);
    request.tag = TAG;
    issue(chip, a, &request);
    assert_int_equal(counter(chip, a, 0, NIU_MST_REQS_OUTSTANDING_ID + TRANSACTION), 4);
    assert_int_equal(peek(chip, a, niu_register(chip, 0, 0, NOC_AT_LEN_BE)), 64);
    assert_int_equal(peek(chip, a, niu_register(chip, 0, 0, NOC_RET_ADDR_LO)), 0x90000 + 3 * most);
    settle(chip);
    assert_true(filled(chip, b, 0x90000, length, 77));
    assert_int_equal(counter(chip, a, 0, NIU_MST_WR_ACK_RECEIVED), 4);
    assert_int_equal(counter(chip, a, 0, NIU_MST_REQS_OUTSTANDING_ID + TRANSACTION), 0);
    assert_int_equal(counter(chip, a, 0, NIU_MST_WRITE_REQS_OUTGOING_ID + TRANSACTION), 0);
    assert_int_equal(all_findings(chip, a), 0);
    tsr_chip_destroy(chip);
}

// A response can go to another tile, whose counters then fall below zero.
static void test_third_party(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0), b = tensix(chip, 3, 0), c = tensix(chip, 5, 5);
    fill(chip, b, FROM, 256, 1);
    struct request request = read_request(chip, 1, b, FROM, c, TO, 256);
    request.tag = TAG;
    issue(chip, a, &request);
    settle(chip);
    assert_true(filled(chip, c, TO, 256, 1));
    assert_int_equal(counter(chip, a, 1, NIU_MST_REQS_OUTSTANDING_ID + TRANSACTION), 1);
    assert_int_equal(counter(chip, c, 1, NIU_MST_REQS_OUTSTANDING_ID + TRANSACTION), 0xff);
    poke(chip, a, NIU_BASE(1) + (arch == WH ? 0x50 : 0x60), 1u << TRANSACTION);
    assert_int_equal(counter(chip, a, 1, NIU_MST_REQS_OUTSTANDING_ID + TRANSACTION), 0);
    tsr_chip_destroy(chip);
}

static uint32_t operation(unsigned code, uint32_t rest)
{
    return code << 12 | rest;
}

// One atomic request: what it leaves at the word, and its result.
static void expect_atomic(tsr_chip *chip, int noc, uint32_t before, uint32_t op, uint32_t data,
                          uint32_t after)
{
    struct place a = tensix(chip, 0, 1), b = tensix(chip, 4, 4);
    poke(chip, b, TO + 4, before);
    poke(chip, a, RESULT, 0xdead);
    struct request request = atomic_request(chip, noc, b, TO + 4, a, RESULT, op, data);
    issue(chip, a, &request);
    settle(chip);
    assert_int_equal(peek(chip, b, TO + 4), after);
    assert_int_equal(peek(chip, a, RESULT), before);
    assert_int_equal(all_findings(chip, a), 0);
}

static void test_atomics(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 1), b = tensix(chip, 4, 4);
    for (int noc = 0; noc < TSR_NOCS; noc++) {
        expect_atomic(chip, noc, 7, operation(1, 31 << 2 | 1), 5, 12);
        expect_atomic(chip, noc, 0xabcd00ff, operation(1, 7 << 2 | 1), 3, 0xabcd0002);
        expect_atomic(chip, noc, 6, operation(4, 9 << 6 | 6 << 2 | 1), 0, 9);
        expect_atomic(chip, noc, 5, operation(4, 9 << 6 | 6 << 2 | 1), 0, 5);
        expect_atomic(chip, noc, 0x11112222, operation(3, 0x04 << 2), 0x33334444, 0x11114444);
        expect_atomic(chip, noc, 0x11112222, operation(3, 0x0c << 2), 0x33334444, 0x33334444);
        expect_atomic(chip, noc, 1, operation(6, 1), 99, 99);
        expect_atomic(chip, noc, 1, operation(7, 1 << 2), 99, 99);
        assert_int_equal(counter(chip, a, noc, NIU_MST_ATOMIC_RESP_RECEIVED), 8);
        assert_int_equal(counter(chip, a, noc, NIU_MST_NONPOSTED_ATOMIC_SENT), 8);
        assert_int_equal(counter(chip, b, noc, NIU_SLV_ATOMIC_RESP_SENT), 8);
        assert_int_equal(counter(chip, b, noc, NIU_SLV_NONPOSTED_ATOMIC_RECEIVED), 8);
        struct request request =
            atomic_request(chip, noc, b, TO + 4, a, RESULT, operation(1, 31 << 2 | 1), 1);
        request.control &= ~CTRL(NOC_CMD_RESP_MARKED);
        poke(chip, b, TO + 4, 1);
        issue(chip, a, &request);
        settle(chip);
        assert_int_equal(peek(chip, b, TO + 4), 2);
        assert_int_equal(counter(chip, a, noc, NIU_MST_POSTED_ATOMIC_SENT), 1);
        assert_int_equal(counter(chip, b, noc, NIU_SLV_POSTED_ATOMIC_RECEIVED), 1);
        assert_int_equal(counter(chip, a, noc, NIU_MST_ATOMIC_RESP_RECEIVED), 8);
    }
    tsr_chip_destroy(chip);
}

// DRAM answers reads and writes of its channel at each of its ports.
static void test_dram(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0), port0 = {0, 0}, port2 = {0, 11};
    fill(chip, a, FROM, 4096, 4);
    struct request request = write_request(chip, 0, a, FROM, port0, 0x12340, 4096);
    request.targ = FROM;
    request.ret = 0x12340 & ~0x3f;
    issue(chip, a, &request);
    settle(chip);
    request = read_request(chip, 1, port2, 0x12340 & ~0x3f, a, TO, 4096);
    issue(chip, a, &request);
    settle(chip);
    assert_true(filled(chip, a, TO, 4096, 4));
    assert_int_equal(all_findings(chip, a), 0);
    tsr_chip_destroy(chip);
}

TILE_BOTH(test_read)
TILE_BOTH(test_write)
TILE_BOTH(test_header_store)
TILE_BOTH(test_byte_enables)
TILE_BOTH(test_inline)
TILE_BOTH(test_split)
TILE_BOTH(test_third_party)
TILE_BOTH(test_atomics)
TILE_BOTH(test_dram)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_read),         TILE_TEST(test_write),   TILE_TEST(test_header_store),
        TILE_TEST(test_byte_enables), TILE_TEST(test_inline),  TILE_TEST(test_split),
        TILE_TEST(test_third_party),  TILE_TEST(test_atomics), TILE_TEST(test_dram),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
