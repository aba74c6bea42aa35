// SPDX-License-Identifier: Apache-2.0
// Sentences of the pages that programs meet seldom: counters that wrap, registers as the source of
// masked and short requests, what NOC_CMD_CTRL writes into NOC_CTRL, transactions that are linked.
// Pages: NoC/MemoryMap.md, NoC/Alignment.md, NoC/Counters.md of each chip, ARCTile/README.md.
#include "rig/noc_rig.h"

enum { FROM = 0x20000, TO = 0x40000, SCRATCH = 0x10c /* ROUTER_CFG_2 */ };

// Issues the request and settles: how many findings of the code (NULL: of all) are new.
static int found(tsr_chip *chip, struct place at, const struct request *request, const char *code)
{
    int before = code ? findings(chip, at, code) : all_findings(chip, at);
    issue(chip, at, request);
    settle(chip);
    int after = code ? findings(chip, at, code) : all_findings(chip, at);
    return after - before;
}

static void test_wrap(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0), b = tensix(chip, 1, 1);
    struct tsr_noc_node *node = &chip->noc.node[a.y * chip->columns + a.x];
    node->niu[0].counter[NIU_MST_RD_DATA_WORD_RECEIVED] = 0x7fffffff;
    node->niu[0].counter[NIU_MST_CMD_ACCEPTED] = 0xffffffff;
    struct request request = read_request(chip, 0, b, FROM, a, TO, 64);
    issue(chip, a, &request);
    settle(chip);
    assert_int_equal(counter(chip, a, 0, NIU_MST_RD_DATA_WORD_RECEIVED),
                     0x7fffffff + (arch == WH ? 2u : 1u));
    assert_int_equal(counter(chip, a, 0, NIU_MST_CMD_ACCEPTED), 0);
    tsr_chip_destroy(chip);
}

// A mask's word comes from the register itself, wherever it lies in its 16 bytes.
static void test_masked_from_register(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0), b = tensix(chip, 1, 1);
    unsigned size = arch == WH ? 32 : 64;
    poke(chip, a, NIU_BASE(0) + SCRATCH, 0x12345678);
    struct request request = write_request(chip, 0, a, NIU_BASE(0) + SCRATCH, b, TO, 0);
    request.control |= CTRL(NOC_CMD_WR_BE);
    request.length = arch == WH ? 0xf00000f0 : 0xf0000000000000f0;
    assert_int_equal(found(chip, a, &request, NULL), 0);
    assert_int_equal(peek(chip, b, TO), 0);
    assert_int_equal(peek(chip, b, TO + 4), 0x12345678);
    assert_int_equal(peek(chip, b, TO + size - 4), 0x12345678);
    request.ret = NIU_BASE(1) + SCRATCH; // into a register: without a look at the mask
    request.length = 0;
    assert_int_equal(found(chip, a, &request, NULL), 0);
    assert_int_equal(peek(chip, b, NIU_BASE(1) + SCRATCH), 0x12345678);
    request.targ = NIU_BASE(0) + SCRATCH + 1;
    assert_int_equal(found(chip, a, &request, "noc-alignment"), 1);
    tsr_chip_destroy(chip);
}

static void test_masked_into_register(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0), b = tensix(chip, 1, 1);
    poke(chip, a, FROM + 12, 0xcafe);
    struct request request = write_request(chip, 0, a, FROM + 12, b, NIU_BASE(0) + SCRATCH, 0);
    request.control |= CTRL(NOC_CMD_WR_BE);
    assert_int_equal(found(chip, a, &request, NULL), 0);
    assert_int_equal(peek(chip, b, NIU_BASE(0) + SCRATCH), 0xcafe);
    request.targ = FROM; // not congruent modulo 16
    assert_int_equal(found(chip, a, &request, "noc-alignment"), 1);
    tsr_chip_destroy(chip);
}

// Up to the end of a register's word a read may begin anywhere and be short.
static void test_short_reads(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0), b = tensix(chip, 1, 1);
    poke(chip, b, NIU_BASE(0) + SCRATCH, 0x44332211);
    for (unsigned at = 0; at < 4; at++)
        for (unsigned size = 1; at + size <= 4; size++) {
            poke(chip, a, TO, 0);
            struct request request =
                read_request(chip, 1, b, NIU_BASE(0) + SCRATCH + at, a, TO + at, size);
            assert_int_equal(found(chip, a, &request, NULL), 0);
            uint32_t kept = tsr_mask32(8 * size) << 8 * at;
            assert_int_equal(peek(chip, a, TO), 0x44332211 & kept);
        }
    tsr_chip_destroy(chip);
}

static unsigned ports(tsr_chip *chip, struct place from, const struct request *request)
{
    assert_int_equal(found(chip, from, request, NULL), 0);
    return peek(chip, from, niu_register(chip, request->noc, 0, NOC_CTRL)) >> 10 & 7;
}

// Bits 10 to 12 of NOC_CTRL: to the tile itself, along y, along x.
static void test_output_ports(void **state)
{
    (void)state;
    enum { OWN = 1, ALONG_Y = 2, ALONG_X = 4 };
    tsr_chip *chip = chip_with(WH, false);
    struct place a = tensix(chip, 1, 1);
    for (int noc = 0; noc < TSR_NOCS; noc++) {
        struct request request = write_request(chip, noc, a, FROM, a, TO, 16);
        assert_int_equal(ports(chip, a, &request), OWN);
        request.ret_at = on_noc(chip, noc, tensix(chip, 1, 5));
        assert_int_equal(ports(chip, a, &request), ALONG_Y);
        request.ret_at = on_noc(chip, noc, tensix(chip, 5, 1));
        assert_int_equal(ports(chip, a, &request), ALONG_X);
        request.ret_at = on_noc(chip, noc, tensix(chip, 5, 5));
        assert_int_equal(ports(chip, a, &request), noc == 0 ? ALONG_X : ALONG_Y);
        struct request read = read_request(chip, noc, tensix(chip, 1, 3), FROM, a, TO, 16);
        assert_int_equal(ports(chip, a, &read), ALONG_Y);
        struct place corner = tensix(chip, 3, 3);
        request.control |= CTRL(NOC_CMD_BRCST_PACKET);
        request.control &= ~CTRL(NOC_CMD_RESP_MARKED);
        request.start = on_noc(chip, noc, noc == 0 ? a : corner);
        request.ret_at = on_noc(chip, noc, noc == 0 ? corner : a);
        // NoC 1 comes to the far corner of the rectangle first, across the edge.
        assert_int_equal(ports(chip, a, &request), noc == 0 ? ALONG_X | ALONG_Y : ALONG_X);
        request.control |= CTRL(NOC_CMD_BRCST_SRC_INCLUDE);
        assert_int_equal(ports(chip, a, &request), noc == 0 ? OWN | ALONG_X | ALONG_Y : ALONG_X);
        request.control |= CTRL(NOC_CMD_BRCST_XY);
        assert_int_equal(ports(chip, a, &request), noc == 0 ? OWN | ALONG_X | ALONG_Y : ALONG_Y);
    }
    tsr_chip_destroy(chip);
}

static void test_atomic_result(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0), b = tensix(chip, 1, 1);
    struct request request =
        atomic_request(chip, 0, b, TO, a, NIU_BASE(0) + SCRATCH, 1 << 12 | 31 << 2, 1);
    assert_int_equal(found(chip, a, &request, "noc-request"), 1);
    request.control &= ~CTRL(NOC_CMD_RESP_MARKED); // there is none
    assert_int_equal(found(chip, a, &request, NULL), 0);
    tsr_chip_destroy(chip);
}

// The rest of a transaction takes the virtual channel that software has chosen for the first.
static void test_linked_channel(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0), b = tensix(chip, 1, 1);
    struct request first = write_request(chip, 0, a, FROM, b, TO, 64), second = first;
    first.control |= CTRL(NOC_CMD_VC_LINKED) | CTRL(NOC_CMD_VC_STATIC) | 1u << 13;
    assert_int_equal(found(chip, a, &first, NULL), 0);
    second.control |= CTRL(NOC_CMD_VC_STATIC) | 1u << 13;
    assert_int_equal(found(chip, a, &second, NULL), 0);
    assert_int_equal(found(chip, a, &first, NULL), 0);
    second.control |= 1u << 14;
    assert_int_equal(found(chip, a, &second, "noc-virtual-channel"), 1);
    tsr_chip_destroy(chip);
}

// While a request is split nobody may issue another one.
static void test_issue_during_split(int arch)
{
    tsr_chip *chip = chip_with(arch, true);
    struct place a = tensix(chip, 0, 0), b = tensix(chip, 1, 1);
    uint32_t most = arch == WH ? 8192 : 16384;
    struct request whole = write_request(chip, 0, a, FROM, b, TO, most), split = whole;
    struct request other = read_request(chip, 0, b, FROM, a, TO, 16);
    other.initiator = 1;
    split.length = 4 * most;
    issue(chip, a, &whole);
    issue(chip, a, &other);
    settle(chip);
    assert_int_equal(findings(chip, a, "noc-initiator-busy"), 0);
    issue(chip, a, &split);
    put_request(chip, a, &other);
    assert_int_equal(findings(chip, a, "noc-initiator-busy"), 0);
    issue(chip, a, &other);
    assert_int_equal(findings(chip, a, "noc-initiator-busy"), 1);
    settle(chip);
    tsr_chip_destroy(chip);
}

// What is above 32 bits does not matter to a Wormhole tile's interfaces.
static void test_high_bits(void **state)
{
    (void)state;
    tsr_chip *chip = chip_with(WH, false);
    struct place a = tensix(chip, 0, 0), b = tensix(chip, 1, 1);
    poke(chip, b, NIU_BASE(1) + SCRATCH, 0x1234);
    struct request request = read_request(chip, 0, b, 0x3ffb3010c, a, TO + 12, 4);
    assert_int_equal(found(chip, a, &request, NULL), 0);
    assert_int_equal(peek(chip, a, TO + 12), 0x1234);
    request = inline_request(chip, 0, b, 0xfffb3010c, 0x5678, 0);
    assert_int_equal(found(chip, a, &request, NULL), 0);
    assert_int_equal(peek(chip, b, NIU_BASE(1) + SCRATCH), 0x5678);
    request = read_request(chip, 0, b, 0x300000000 + FROM, a, TO, 16);
    assert_int_equal(found(chip, a, &request, "noc-address"), 1);
    tsr_chip_destroy(chip);
}

// ARC's own interfaces stand among its peripherals, and a part of its addresses is DRAM D0's.
static void test_arc(void **state)
{
    (void)state;
    tsr_chip *chip = chip_with(WH, false);
    struct place a = tensix(chip, 0, 0), arc = {0, 10};
    for (int noc = 0; noc < TSR_NOCS; noc++) {
        uint64_t at = 0x880050000 + (uint64_t)noc * 0x8000 + 0x2c;
        struct request request = read_request(chip, 0, arc, at, a, TO + 12, 4);
        assert_int_equal(found(chip, a, &request, NULL), 0);
        struct place own = on_noc(chip, noc, arc);
        assert_int_equal(peek(chip, a, TO + 12) & 0xfff, own.x | own.y << 6);
    }
    uint32_t value = 0;
    assert_int_equal(tsr_chip_host_read(chip, 0x1000000000 + 0x1ff50030, &value, 4), TSR_OK);
    assert_int_equal(value, 5u << 16);
    struct request request = read_request(chip, 0, arc, 0x100088000 + 0x2c, a, TO + 12, 4);
    assert_int_equal(found(chip, a, &request, NULL), 0); // D0's first interface of NoC 1
    assert_int_equal(peek(chip, a, TO + 12) & 0xfff, 9 | 10 << 6);
    tsr_chip_destroy(chip);
}

// Clearing a counter is a change to zero as well; a load that finds nothing enabled says 0, and
// takes bit 0.
static void test_cleared_to_zero(void **state)
{
    (void)state;
    enum { CLEAR = 0x60, NUM = 0x378, SOURCE = 0x37c, CFG = 0x178, CLR = 0x17c };
    tsr_chip *chip = chip_with(BH, false);
    struct place a = tensix(chip, 0, 0), b = tensix(chip, 1, 0), c = tensix(chip, 2, 0);
    for (unsigned id = 0; id < 2; id++) {
        struct request request = read_request(chip, 0, b, FROM, c, TO, 16);
        request.tag = id << NOC_PACKET_TRANSACTION_ID_FIRST;
        issue(chip, a, &request);
    }
    settle(chip);
    poke(chip, a, NIU_BASE(0) + CLEAR, 7);
    assert_int_equal(peek(chip, a, NIU_BASE(0) + SOURCE), 3);
    poke(chip, a, NIU_BASE(0) + CFG, 1u << 28);
    assert_int_equal(peek(chip, a, NIU_BASE(0) + NUM), 0);
    assert_int_equal(peek(chip, a, NIU_BASE(0) + SOURCE), 3);
    poke(chip, a, NIU_BASE(0) + CFG, 0);
    assert_int_equal(peek(chip, a, NIU_BASE(0) + NUM), 0);
    assert_int_equal(peek(chip, a, NIU_BASE(0) + SOURCE), 2);
    tsr_chip_destroy(chip);
}

TILE_BOTH(test_wrap)
TILE_BOTH(test_masked_from_register)
TILE_BOTH(test_masked_into_register)
TILE_BOTH(test_short_reads)
TILE_BOTH(test_atomic_result)
TILE_BOTH(test_linked_channel)
TILE_BOTH(test_issue_during_split)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_wrap),
        TILE_TEST(test_masked_from_register),
        TILE_TEST(test_masked_into_register),
        TILE_TEST(test_short_reads),
        TILE_TEST(test_atomic_result),
        TILE_TEST(test_linked_channel),
        TILE_TEST(test_issue_during_split),
        cmocka_unit_test(test_output_ports),
        cmocka_unit_test(test_high_bits),
        cmocka_unit_test(test_arc),
        cmocka_unit_test(test_cleared_to_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
