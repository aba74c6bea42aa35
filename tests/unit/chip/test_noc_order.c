// SPDX-License-Identifier: Apache-2.0
// What programs may rely on: requests of a tile on one virtual channel act in the order in which
// they were sent; and what decides where nothing is promised: the cycle, then the sender's place.
// Pages: NoC/Ordering.md, DRAMTile/README.md.
#include "rig/noc_rig.h"

enum { FROM = 0x20000, TO = 0x40000, BACK = 0x60000 };

static struct request on_channel(struct request request)
{
    request.control |= CTRL(NOC_CMD_VC_STATIC) | 1u << NOC_CMD_STATIC_VC_FIRST;
    return request;
}

// A long write, a short one into it, a read of both, an atomic, and a read of its result.
static void expect_order(tsr_chip *chip, int noc, struct place a, struct place b, bool atomic)
{
    fill(chip, a, FROM, 4096, 1);
    poke(chip, a, FROM + 8192, 41);
    struct request requests[] = {
        on_channel(write_request(chip, noc, a, FROM, b, TO, 4096)),
        on_channel(write_request(chip, noc, a, FROM + 8192, b, TO + 64, 4)),
        on_channel(read_request(chip, noc, b, TO, a, BACK, 4096)),
        on_channel(atomic_request(chip, noc, b, TO + 64, a, BACK + 8192, 1 << 12 | 31 << 2, 1)),
        on_channel(read_request(chip, noc, b, TO + 64, a, BACK + 0x4000, 64)),
    };
    for (unsigned i = 0; i < sizeof requests / sizeof *requests; i++) {
        if (i == 3 && !atomic)
            continue;
        requests[i].initiator = (int)i % TSR_NIU_INITIATORS;
        while (peek(chip, a, niu_register(chip, noc, requests[i].initiator, NOC_CMD_CTRL)) != 0)
            tsr_chip_clock(chip, WINDOW);
        issue(chip, a, &requests[i]);
    }
    settle(chip);
    assert_true(filled(chip, a, BACK, 64, 1));
    assert_int_equal(peek(chip, a, BACK + 64), 41);
    assert_int_equal(peek(chip, a, BACK + 0x4000), atomic ? 42 : 41);
    assert_int_equal(all_findings(chip, a), 0);
}

static void test_one_sender(int arch)
{
    for (int timing = 0; timing <= 1; timing++)
        for (int noc = 0; noc < TSR_NOCS; noc++) {
            tsr_chip *chip = chip_with(arch, timing);
            struct place dram = {0, arch == WH ? 5 : 10};
            expect_order(chip, noc, tensix(chip, 0, 0), tensix(chip, 5, 5), true);
            expect_order(chip, noc, tensix(chip, 1, 1), tensix(chip, 1, 1), true); // itself
            expect_order(chip, noc, tensix(chip, 2, 0), dram, false);
            tsr_chip_destroy(chip);
        }
}

// Two tiles write to one place in the same cycle: the word of the later node stays.
static void test_two_senders(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0), b = tensix(chip, 5, 5), c = tensix(chip, 3, 3);
    for (int first = 0; first < 2; first++) {
        for (int i = 0; i < 2; i++) {
            struct place from = (i == first) ? a : b;
            poke(chip, from, FROM, from.x);
            struct request request = write_request(chip, 0, from, FROM, c, TO, 4);
            issue(chip, from, &request);
        }
        settle(chip);
        assert_int_equal(peek(chip, c, TO), b.x);
    }
    tsr_chip_destroy(chip);
}

TILE_BOTH(test_one_sender)
TILE_BOTH(test_two_senders)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_one_sender),
        TILE_TEST(test_two_senders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
