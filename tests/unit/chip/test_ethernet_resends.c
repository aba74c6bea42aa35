// SPDX-License-Identifier: Apache-2.0
// TT-link packets that get lost, come twice or too early: sequence numbers, what is sent again and
// when, and when a queue gives up. Page: EthernetTile/EthernetTxRx.md of each chip; errata 465.
#include "rig/link_rig.h"

static void wait_for_queue(struct end end)
{
    for (unsigned windows = 0; held(end, 0); windows++) {
        assert_int_equal(tsr_chip_clock(end.chip, WINDOW), TSR_OK);
        assert_true(windows < 100000);
    }
}

// Frames get lost both ways, packets and acknowledgements; all arrives once and in order.
static void sends_again(int arch)
{
    enum { FROM = 0x10000, TO = 0x20000, TIMES = 40, REGISTER = 0xffb20000u };
    for (unsigned drop_every = 3; drop_every < 8; drop_every += 2) {
        struct pair pair = pair_with(arch, false, drop_every);
        for (unsigned i = 0; i < TIMES; i++) {
            fill(pair.a, FROM + 32 * i, 32, i);
            wait_for_queue(pair.a);
            send(pair.a, 0, L1_WRITE, FROM + 32 * i, 32, TO + 32 * i);
            wait_for_queue(pair.a);
            send_mmio(pair.a, 0, REGISTER, i);
        }
        assert_int_equal(tsr_chip_clock(pair.a.chip, 0x400000), TSR_OK);
        for (unsigned i = 0; i < TIMES; i++)
            assert_true(filled(pair.b, TO + 32 * i, 32, i));
        assert_int_equal(load(pair.b, REGISTER), TIMES - 1);
        assert_int_equal(rx(pair.b, 0, RX_EXPECTS), 2 * TIMES);
        assert_int_equal(rx(pair.a, 0, RX_ACKNOWLEDGED), 2 * TIMES);
        assert_true(rx(pair.b, 0, RX_DROPS) > 0);
        assert_true(tx(pair.a, 0, TX_ENDED) > 2 * TIMES);
        assert_int_equal(tx(pair.a, 0, TX_TRANSFERS), 2 * TIMES);
        no_findings(pair.a.chip);
        no_findings(pair.b.chip);
        pair_free(&pair);
    }
}
TILE_BOTH(sends_again)

// A packet that has to go again takes what L1 has then.
static void reads_again(int arch)
{
    struct pair pair = pair_with(arch, false, 1);
    fill(pair.a, 0x1000, 16, 1);
    send(pair.a, 0, L1_WRITE, 0x1000, 16, 0x2000);
    assert_int_equal(tsr_chip_clock(pair.a.chip, WINDOW), TSR_OK);
    assert_int_equal(load(pair.b, 0x2000), 0);
    assert_int_equal(tsr_chip_disconnect(pair.a.chip, 8), TSR_OK);
    assert_int_equal(tsr_chip_connect(pair.a.chip, 8, pair.b.chip, 0, NULL), TSR_OK);
    fill(pair.a, 0x1000, 16, 5);
    assert_int_equal(tsr_chip_clock(pair.a.chip, 0x10000), TSR_OK);
    // What was on its way when the link ended is gone.
    assert_int_equal(load(pair.b, 0x2000), 0);
    pair_free(&pair);
    // Every second frame gets lost: of three packets the first one comes, the third is too early.
    pair = pair_with(arch, false, 2);
    store(pair.a, tx_at(0, TX_UPDATE), 0);
    store(pair.b, tx_at(0, TX_CTRL), DIS_DROP); // no updates
    for (unsigned i = 0; i < 3; i++)
        send(pair.a, 0, L1_WRITE, 0x1000 + 16 * i, 16, 0x2000 + 16 * i);
    assert_int_equal(tsr_chip_clock(pair.a.chip, WINDOW), TSR_OK);
    assert_int_equal(rx(pair.b, 0, RX_EXPECTS), 1);
    assert_int_equal(rx(pair.b, 0, RX_DROPS), 1);
    fill(pair.a, 0x1000, 48, 5);
    // All three go again, and the second one alone comes.
    assert_int_equal(tsr_chip_clock(pair.a.chip, 0x4000), TSR_OK);
    assert_int_equal(rx(pair.b, 0, RX_EXPECTS), 2);
    assert_int_equal(rx(pair.b, 0, RX_DROPS), 1);
    assert_int_equal(tx(pair.a, 0, TX_ENDED), 6);
    assert_int_equal(load(pair.b, 0x2010), load(pair.a, 0x1010));
    assert_int_equal(load(pair.b, 0x2000), 0);
    pair_free(&pair);
}
TILE_BOTH(reads_again)

// Who has got a packet too early says so at once, and where the sender listens, what is missing
// goes again long before the time-out.
static void hears_of_drops(int arch)
{
    for (int listens = 0; listens < 2; listens++) {
        struct pair pair = pair_with(arch, false, 3);
        if (listens)
            store(pair.a, tx_at(0, TX_CTRL), KEEPALIVE);
        fill(pair.a, 0x1000, 64, 6);
        for (unsigned i = 0; i < 4; i++)
            send(pair.a, 0, L1_WRITE, 0x1000 + 16 * i, 16, 0x2000 + 16 * i);
        assert_int_equal(tsr_chip_clock(pair.a.chip, 3 * WINDOW), TSR_OK);
        assert_int_equal(rx(pair.b, 0, RX_EXPECTS), listens ? 3 : 2);
        assert_int_equal(rx(pair.a, 0, RX_ACKNOWLEDGED), 2);
        assert_int_equal(tx(pair.a, 0, TX_ENDED), listens ? 6 : 4);
        assert_int_equal(tx(pair.b, 0, TX_ENDED), 1);
        // The last one is the sixth frame, which is lost, and nothing follows that would tell.
        assert_int_equal(tsr_chip_clock(pair.a.chip, 0x5000), TSR_OK);
        assert_true(filled(pair.b, 0x2000, listens ? 64 : 48, 6));
        pair_free(&pair);
    }
}
TILE_BOTH(hears_of_drops)

// Nobody acknowledges the first time, so it comes twice, and the second one is dropped.
static void takes_once(int arch)
{
    struct pair pair = pair_with(arch, false, 0);
    store(pair.b, tx_at(0, TX_CTRL), DIS_DROP); // no updates
    fill(pair.a, 0x1000, 16, 1);
    send(pair.a, 0, L1_WRITE, 0x1000, 16, 0x2000);
    assert_int_equal(tsr_chip_clock(pair.a.chip, WINDOW), TSR_OK);
    fill(pair.a, 0x1000, 16, 2);
    assert_int_equal(tsr_chip_clock(pair.a.chip, 0x4000), TSR_OK);
    assert_true(filled(pair.b, 0x2000, 16, 1));
    assert_int_equal(rx(pair.b, 0, RX_DROPS), 1);
    assert_int_equal(rx(pair.b, 0, RX_EXPECTS), 1);
    // Its acknowledgement comes with what the other side sends itself.
    assert_int_equal(rx(pair.a, 0, RX_ACKNOWLEDGED), 0);
    send(pair.b, 0, L1_WRITE, 0x1000, 16, 0x3000);
    assert_int_equal(tsr_chip_clock(pair.a.chip, WINDOW), TSR_OK);
    assert_int_equal(rx(pair.a, 0, RX_ACKNOWLEDGED), 1);
    assert_int_equal(tsr_chip_clock(pair.a.chip, 0x8000), TSR_OK);
    assert_int_equal(rx(pair.b, 0, RX_DROPS), 1);
    pair_free(&pair);
}
TILE_BOTH(takes_once)

// An acknowledgement of what has not been sent is none.
static void numbers_apart(int arch)
{
    struct pair pair = pair_with(arch, false, 0);
    store(pair.b, rx_at(pair.b, 0, RX_EXPECTS), 0xf0);
    fill(pair.a, 0x1000, 16, 1);
    send(pair.a, 0, L1_WRITE, 0x1000, 16, 0x2000);
    assert_int_equal(tsr_chip_clock(pair.a.chip, 2 * WINDOW), TSR_OK);
    assert_int_equal(rx(pair.a, 0, RX_ACKNOWLEDGED), 0xf0);
    assert_int_equal(load(pair.b, 0x2000), 0);
    store(pair.b, rx_at(pair.b, 0, RX_EXPECTS), 0);
    assert_int_equal(tsr_chip_clock(pair.a.chip, 0x4000), TSR_OK);
    assert_true(filled(pair.b, 0x2000, 16, 1));
    pair_free(&pair);
}
TILE_BOTH(numbers_apart)

static void gives_up(int arch)
{
    struct pair pair = pair_with(arch, false, 1);
    send(pair.a, 0, L1_WRITE, 0x1000, 16, 0x2000);
    tsr_chip_limits limits = tsr_chip_limits_default();
    assert_int_equal(tsr_chip_run(pair.a.chip, &limits), TSR_END_IDLE);
    assert_int_equal(findings(pair.a.chip, "ethernet-unacknowledged"), 1);
    uint64_t cycles = tsr_chip_cycle(pair.a.chip);
    assert_true(cycles >= 16 * 0x4000 && cycles < 17 * 0x4000);
    store(pair.a, tx_at(0, TX_UPDATE), 0);
    uint32_t sent = tx(pair.a, 0, TX_ENDED);
    assert_int_equal(tsr_chip_clock(pair.a.chip, 0x10000), TSR_OK);
    assert_int_equal(tx(pair.a, 0, TX_ENDED), sent);
    pair_free(&pair);
}
TILE_BOTH(gives_up)

// What was in vain over a link that has ended does not count for the next one.
static void tries_anew(int arch)
{
    struct pair pair = pair_with(arch, false, 1);
    send(pair.a, 0, L1_WRITE, 0x1000, 16, 0x2000);
    tsr_chip_limits limits = tsr_chip_limits_default();
    assert_int_equal(tsr_chip_run(pair.a.chip, &limits), TSR_END_IDLE);
    assert_int_equal(findings(pair.a.chip, "ethernet-unacknowledged"), 1);
    assert_int_equal(tsr_chip_disconnect(pair.a.chip, 8), TSR_OK);
    const tsr_link_options options = {.drop_every = 2};
    assert_int_equal(tsr_chip_connect(pair.a.chip, 8, pair.b.chip, 0, &options), TSR_OK);
    store(pair.a, tx_at(0, TX_UPDATE), 0);
    store(pair.b, rx_at(pair.b, 0, RX_EXPECTS), 1); // the first packet is lost
    fill(pair.a, 0x1000, 16, 4);
    send(pair.a, 1, RAW, 0x1000, 16, 0); // the second frame of the link is lost
    send(pair.a, 0, L1_WRITE, 0x1000, 16, 0x2000);
    assert_int_equal(tsr_chip_clock(pair.a.chip, WINDOW), TSR_OK);
    assert_int_equal(load(pair.b, 0x2000), 0);
    assert_int_equal(tsr_chip_clock(pair.a.chip, 0x4000 + WINDOW), TSR_OK);
    assert_true(filled(pair.b, 0x2000, 16, 4));
    pair_free(&pair);
}
TILE_BOTH(tries_anew)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(sends_again), TILE_TEST(reads_again),   TILE_TEST(hears_of_drops),
        TILE_TEST(takes_once),  TILE_TEST(numbers_apart), TILE_TEST(gives_up),
        TILE_TEST(tries_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
