// SPDX-License-Identifier: Apache-2.0
// What is wrong with requests: each rule once broken and once kept, and what happens going on. No
// request, however wrong, does harm to the simulator.
// Pages: NoC/MemoryMap.md, NoC/Alignment.md, NoC/Counters.md of each chip.
#include "rig/noc_rig.h"

#include "base/random.h"

enum { FROM = 0x20000, TO = 0x40000 };

// Issues the request and looks for one new finding of the code, or for none (NULL).
static void expect(tsr_chip *chip, const struct request *request, const char *code)
{
    struct place a = tensix(chip, 0, 0);
    int before = all_findings(chip, a), of_code = code ? findings(chip, a, code) : 0;
    // Findings are kept once for each address of the access, here NOC_CMD_CTRL.
    issue(chip, a, request);
    settle(chip);
    if (!code && all_findings(chip, a) != before) {
        tsr_tile *tile = NULL;
        tsr_chip_tile(chip, a.x, a.y, &tile);
        fail_msg("unexpected: %s", tsr_diagnostic_at(tile, before)->sentence);
    }
    if (code && findings(chip, a, code) != of_code + 1)
        fail_msg("no %s", code);
    tsr_chip_reset(chip);
}

static void test_places(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0), b = tensix(chip, 1, 1);
    struct request request = read_request(chip, 0, b, FROM, a, TO, 64);
    expect(chip, &request, NULL);
    request.targ_at = (struct place){arch == WH ? 12 : 33, 3};
    expect(chip, &request, "noc-coordinate");
    request = read_request(chip, 0, b, FROM, a, TO, 64);
    request.ret_at = (struct place){3, 40};
    expect(chip, &request, "noc-coordinate");
    request = read_request(chip, 0, b, 0x170000, a, TO, 64);
    expect(chip, &request, arch == WH ? "noc-address" : NULL);
    request = read_request(chip, 0, b, 0x17ffe0, a, TO, 64);
    expect(chip, &request, "noc-address");
    request = write_request(chip, 0, a, 0x17ffe0, b, TO, 64); // of the sender's own
    expect(chip, &request, "noc-address");
    request = write_request(chip, 0, a, FROM, b, 0x17ffe0, 64); // the receiver says nothing
    issue(chip, a, &request);
    settle(chip);
    assert_int_equal(findings(chip, a, "noc-address"), 1);
    assert_int_equal(all_findings(chip, b), 0);
    tsr_chip_reset(chip);
    struct place dram = {0, 0};
    request = write_request(chip, 0, a, FROM, dram, arch == WH ? 0x80000000 : 0x100000000, 64);
    expect(chip, &request, "noc-address");
    struct place ethernet = {1, arch == WH ? 0 : 1}; // its queues, which are not there
    request = inline_request(chip, 0, ethernet, 0xffba0008, 1, 0xf);
    expect(chip, &request, "node-missing");
    tsr_chip_destroy(chip);
}

static void test_alignment(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0), b = tensix(chip, 1, 1), dram = {0, 0};
    uint32_t scratch = NIU_BASE(0) + 0x10c;
    struct request request = read_request(chip, 0, b, FROM + 3, a, TO + 3, 7);
    expect(chip, &request, NULL);
    request = read_request(chip, 0, b, FROM + 3, a, TO + 4, 7);
    expect(chip, &request, "noc-alignment");
    request = read_request(chip, 0, dram, FROM + 16, a, TO, 64);
    expect(chip, &request, "noc-alignment");
    request = read_request(chip, 0, dram, FROM + 64, a, TO, 64);
    expect(chip, &request, NULL);
    request = read_request(chip, 0, dram, FROM + 32, a, TO, 64);
    expect(chip, &request, arch == WH ? NULL : "noc-alignment");
    request = write_request(chip, 0, a, FROM + 16, dram, TO, 64); // modulo 16
    expect(chip, &request, NULL);
    request = write_request(chip, 0, a, FROM + 12, b, scratch, 4);
    expect(chip, &request, NULL);
    request = write_request(chip, 0, a, FROM, b, scratch, 4);
    expect(chip, &request, "noc-alignment");
    request = read_request(chip, 0, b, scratch, a, TO, 4);
    expect(chip, &request, NULL);
    request = read_request(chip, 0, b, scratch, a, TO + 1, 1);
    expect(chip, &request, "noc-alignment");
    request = atomic_request(chip, 0, b, TO, a, FROM + 2, 1 << 12, 1);
    expect(chip, &request, "noc-alignment");
    request = write_request(chip, 0, a, FROM + 16, b, TO, 0xff);
    request.control |= CTRL(NOC_CMD_WR_BE);
    expect(chip, &request, "noc-alignment");
    request = inline_request(chip, 0, b, scratch + 2, 1, 0xf);
    expect(chip, &request, "noc-alignment");
    tsr_chip_destroy(chip);
}

static void test_lengths(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0), b = tensix(chip, 1, 1);
    uint32_t most = arch == WH ? 8192 : 16384, scratch = NIU_BASE(0) + 0x10c;
    struct request request = read_request(chip, 0, b, FROM, a, TO, 0);
    expect(chip, &request, "noc-length");
    request.length = 255 * most + 1;
    request.targ = request.ret = 0;
    expect(chip, &request, "noc-length");
    request = read_request(chip, 0, b, FROM, a, TO, most);
    request.targ = FROM + 8;
    request.ret = TO + 8;
    expect(chip, &request, NULL);
    request.length = most + 16; // is split
    expect(chip, &request, "noc-alignment");
    request = read_request(chip, 0, b, scratch, a, TO + 12, 8);
    expect(chip, &request, "noc-length");
    request = write_request(chip, 0, a, FROM + 12, b, scratch, 8);
    expect(chip, &request, "noc-length");
    tsr_chip_destroy(chip);
}

static void test_kinds(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0), b = tensix(chip, 1, 1), dram = {0, 0};
    struct request request = read_request(chip, 0, b, FROM, a, TO, 64);
    request.control = 3;
    expect(chip, &request, "noc-request");
    request.control = NOC_CMD_RD | CTRL(NOC_CMD_BRCST_PACKET);
    expect(chip, &request, "noc-request");
    request = atomic_request(chip, 0, dram, TO, a, FROM, 1 << 12, 1);
    expect(chip, &request, "noc-request");
    request = atomic_request(chip, 0, b, 0xffb12010, a, FROM, 1 << 12, 1);
    expect(chip, &request, "noc-request");
    request = atomic_request(chip, 0, b, TO, a, FROM, 9 << 12, 1);
    expect(chip, &request, "noc-request");
    request = inline_request(chip, 0, dram, TO, 1, 0xf);
    expect(chip, &request, "noc-request");
    if (arch == BH) {
        request = write_request(chip, 0, a, FROM, b, TO, 64);
        request.control |= CTRL(NOC_CMD_L1_ACC_AT_EN);
        expect(chip, &request, "noc-erratum");
    } else {
        struct place arc = {0, 10};
        request = write_request(chip, 0, a, FROM, arc, 0xf00000100, 4);
        request.tag = 3u << NOC_PACKET_TRANSACTION_ID_FIRST;
        expect(chip, &request, "noc-erratum");
    }
    tsr_chip_destroy(chip);
}

static void test_channels(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0), b = tensix(chip, 1, 1), c = tensix(chip, 2, 1);
    struct request request = write_request(chip, 0, a, FROM, b, TO, 64), linked = request;
    request.control |= CTRL(NOC_CMD_VC_STATIC) | 3u << NOC_CMD_STATIC_VC_FIRST;
    expect(chip, &request, NULL);
    request.control |= 4u << NOC_CMD_STATIC_VC_FIRST;
    expect(chip, &request, "noc-virtual-channel");
    linked.control |= CTRL(NOC_CMD_VC_LINKED);
    issue(chip, a, &linked);
    request = write_request(chip, 0, a, FROM, b, TO, 64);
    expect(chip, &request, NULL); // the same place ends the transaction
    issue(chip, a, &linked);
    request = write_request(chip, 0, a, FROM, c, TO, 64);
    expect(chip, &request, "noc-virtual-channel");
    tsr_chip_destroy(chip);
}

static void test_busy(int arch)
{
    tsr_chip *chip = chip_with(arch, true);
    struct place a = tensix(chip, 0, 0), b = tensix(chip, 1, 1);
    struct request request = write_request(chip, 0, a, FROM, b, TO, 8192);
    uint32_t control = niu_register(chip, 0, 0, NOC_CMD_CTRL);
    issue(chip, a, &request);
    assert_int_equal(peek(chip, a, control), 1);
    if (arch == WH)
        assert_int_equal(peek(chip, a, NIU_BASE(0) + 0x54), 1);
    poke(chip, a, niu_register(chip, 0, 1, NOC_AT_DATA), 5);
    assert_int_equal(findings(chip, a, "noc-initiator-busy"), 0);
    poke(chip, a, niu_register(chip, 0, 0, NOC_AT_DATA), 5);
    assert_int_equal(findings(chip, a, "noc-initiator-busy"), 1);
    settle(chip);
    assert_int_equal(peek(chip, a, control), 0);
    poke(chip, a, niu_register(chip, 0, 0, NOC_AT_DATA), 6);
    assert_int_equal(findings(chip, a, "noc-initiator-busy"), 1);
    tsr_chip_destroy(chip);
}

static void test_counter_overflow(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0), b = tensix(chip, 1, 1);
    struct request request = read_request(chip, 0, b, FROM, a, TO, 16);
    put_request(chip, a, &request);
    uint32_t control = niu_register(chip, 0, 0, NOC_CMD_CTRL);
    for (int i = 0; i < 255; i++)
        poke(chip, a, control, 1);
    assert_int_equal(counter(chip, a, 0, NIU_MST_REQS_OUTSTANDING_ID), 255);
    assert_int_equal(findings(chip, a, "noc-counter-overflow"), 0);
    for (int i = 0; i < 3; i++)
        poke(chip, a, control, 1);
    assert_int_equal(counter(chip, a, 0, NIU_MST_REQS_OUTSTANDING_ID), 2);
    assert_int_equal(findings(chip, a, "noc-counter-overflow"), 1);
    settle(chip);
    assert_int_equal(counter(chip, a, 0, NIU_MST_REQS_OUTSTANDING_ID), 0);
    tsr_chip_destroy(chip);
}

// A stop leaves nothing done.
static void test_stop(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0), b = tensix(chip, 1, 1);
    tsr_tile *tile = NULL;
    assert_int_equal(tsr_chip_tile(chip, a.x, a.y, &tile), TSR_OK);
    tsr_tile_set_policy(tile, "noc-length", TSR_ACTION_STOP);
    struct request request = read_request(chip, 0, b, FROM, a, TO, 0);
    put_request(chip, a, &request);
    uint32_t value = 1, control = niu_register(chip, 0, 0, NOC_CMD_CTRL);
    assert_int_not_equal(tsr_chip_write(chip, a.x, a.y, control, &value, 4), TSR_OK);
    assert_int_equal(chip->noc.node[a.y * chip->columns + a.x].niu[0].count, 0);
    tsr_chip_destroy(chip);
}

// Random words in all registers of an initiator.
static void test_random(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0);
    tsr_tile *tile = NULL;
    assert_int_equal(tsr_chip_tile(chip, a.x, a.y, &tile), TSR_OK);
    tsr_tile_set_policy(tile, "unimplemented", TSR_ACTION_RECORD);
    uint32_t random = tsr_prng_begin(7);
    for (int i = 0; i < 3000; i++) {
        int noc = i & 1, initiator = i >> 1 & 3;
        for (int word = 0; word < NOC_INITIATOR_WORDS; word++) {
            uint32_t value = tsr_prng_next(&random);
            if (word == NOC_AT_LEN_BE || word == NOC_AT_LEN_BE_1)
                value >>= value >> 27;
            if (word != NOC_CMD_CTRL && tsr_niu_layout((tsr_arch)arch)->initiator[word] != NOC_NONE)
                poke(chip, a, niu_register(chip, noc, initiator, word), value);
        }
        uint32_t go = 1, control = niu_register(chip, noc, initiator, NOC_CMD_CTRL);
        tsr_chip_write(chip, a.x, a.y, control, &go, 4);
        if (i % 16 == 0)
            tsr_chip_clock(chip, WINDOW);
    }
    tsr_chip_destroy(chip);
}

TILE_BOTH(test_places)
TILE_BOTH(test_alignment)
TILE_BOTH(test_lengths)
TILE_BOTH(test_kinds)
TILE_BOTH(test_channels)
TILE_BOTH(test_busy)
TILE_BOTH(test_counter_overflow)
TILE_BOTH(test_stop)
TILE_BOTH(test_random)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_places),           TILE_TEST(test_alignment),
        TILE_TEST(test_lengths),          TILE_TEST(test_kinds),
        TILE_TEST(test_channels),         TILE_TEST(test_busy),
        TILE_TEST(test_counter_overflow), TILE_TEST(test_stop),
        TILE_TEST(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
