// SPDX-License-Identifier: Apache-2.0
// Cores of Ethernet tiles wait in loops for registers of queues, which frames and time change: they
// see it in the same cycle however the run is cut, while updates alone keep no chip busy.
// Page: EthernetTile/EthernetTxRx.md of each chip.
#include "rig/link_cores.h"

enum { CODE = 0x9040, STAMPS = 0x21000 };

static void begin(struct end end, struct code *code)
{
    code_end(code);
    start_core(end, code);
}

// Leaves the wall clock.
static void stamp(struct code *code, uint32_t number)
{
    code_load(code, A3, AT_WALL_CLOCK);
    code_li(code, A4, STAMPS + 4 * number);
    code_sw(code, A3, A4, 0);
}

// Two updates come, and nothing else moves on either chip.
static uint32_t updates(int arch, bool timing, unsigned threads, unsigned slice)
{
    enum { TOTAL = 0x4000, PERIOD = 0x1000 };
    struct pair pair = pair_on_threads(arch, timing, threads);
    uint32_t words[128];
    struct code code = code_in(words, CODE);
    for (uint32_t i = 1; i <= 2; i++) {
        code_wait_for(&code, rx_at(pair.b, 0, RX_ENDED), i);
        stamp(&code, i);
    }
    begin(pair.b, &code);
    for (unsigned at = 0; at < TOTAL; at += slice)
        assert_int_equal(tsr_chip_clock(at % 128 ? pair.a.chip : pair.b.chip, slice), TSR_OK);
    uint32_t first = load(pair.b, STAMPS + 4), second = load(pair.b, STAMPS + 8);
    assert_in_range(first, PERIOD, PERIOD + 0x400);
    assert_in_range(second, 2 * PERIOD, 2 * PERIOD + 0x400);
    no_findings(pair.b.chip);
    pair_free(&pair);
    return first * 0x10000u + second;
}

static void waits_for_updates(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        uint32_t whole = updates(arch, timing, 1, 0x4000);
        assert_int_equal(updates(arch, timing, 1, 64), whole);
        assert_int_equal(updates(arch, timing, 1, 0x800), whole);
        assert_int_equal(updates(arch, timing, 2, 64), whole);
    }
}
TILE_BOTH(waits_for_updates)

// A raw packet, which changes nothing that the core reads but a register.
static void waits_for_a_packet(int arch)
{
    struct pair pair = pair_on_threads(arch, false, 1);
    uint32_t words[128];
    struct code code = code_in(words, CODE);
    store(pair.b, rx_at(pair.b, 1, RX_SIZE), 0x10);
    code_wait_for(&code, rx_at(pair.b, 1, RX_PTR), 48);
    stamp(&code, 0);
    begin(pair.b, &code);
    tsr_chip_limits limits = tsr_chip_limits_default();
    limits.external = true;
    assert_int_equal(tsr_chip_run(pair.b.chip, &limits), TSR_END_BLOCKED);
    assert_int_equal(load(pair.b, STAMPS), 0);
    send(pair.a, 1, RAW, 0x1000, 48, 0);
    tsr_chip_run(pair.b.chip, &limits);
    assert_int_not_equal(load(pair.b, STAMPS), 0);
    pair_free(&pair);
}
TILE_BOTH(waits_for_a_packet)

// What the own side counts: an update that is sent.
static uint32_t own_update(int arch, bool timing, unsigned slice)
{
    enum { TOTAL = 0x4000, PERIOD = 0x1000 };
    struct pair pair = pair_on_threads(arch, timing, 1);
    uint32_t words[128];
    struct code code = code_in(words, CODE);
    store(pair.b, tx_at(0, TX_UPDATE), 0);
    code_wait_for(&code, tx_at(0, TX_ENDED), 2);
    stamp(&code, 0);
    begin(pair.a, &code);
    for (unsigned at = 0; at < TOTAL; at += slice)
        assert_int_equal(tsr_chip_clock(pair.b.chip, slice), TSR_OK);
    uint32_t stamp = load(pair.a, STAMPS);
    assert_in_range(stamp, 2 * PERIOD, 2 * PERIOD + 0x80);
    no_findings(pair.a.chip);
    pair_free(&pair);
    return stamp;
}

static void waits_for_own_updates(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        uint32_t whole = own_update(arch, timing, 0x4000);
        assert_int_equal(own_update(arch, timing, 64), whole);
        assert_int_equal(own_update(arch, timing, 0x800), whole);
    }
}
TILE_BOTH(waits_for_own_updates)

// Wormhole: a command that the other side holds up until it lets it go.
static uint32_t held_command(bool timing, unsigned slice)
{
    enum { TOTAL = 0xc00 };
    struct pair pair = pair_on_threads(WH, timing, 1);
    uint32_t words[128];
    struct code code = code_in(words, CODE);
    store(pair.b, rx_at(pair.b, 1, RX_CTRL), BACK_PRESSURE);
    assert_int_equal(tsr_chip_clock(pair.a.chip, WINDOW), TSR_OK);
    code_store(&code, tx_at(1, TX_SIZE), 16);
    code_store(&code, tx_at(1, TX_CMD), RAW);
    code_wait_for(&code, tx_at(1, TX_CMD), 0);
    stamp(&code, 0);
    begin(pair.a, &code);
    tsr_chip_limits limits = tsr_chip_limits_default();
    limits.external = true;
    assert_int_equal(tsr_chip_run(pair.a.chip, &limits), TSR_END_BLOCKED);
    assert_int_equal(load(pair.a, STAMPS), 0);
    assert_true(held(pair.a, 1));
    store(pair.b, rx_at(pair.b, 1, RX_CTRL), 0);
    for (unsigned at = 0; at < TOTAL; at += slice)
        assert_int_equal(tsr_chip_clock(pair.b.chip, slice), TSR_OK);
    uint32_t stamp = load(pair.a, STAMPS);
    assert_int_not_equal(stamp, 0);
    no_findings(pair.a.chip);
    pair_free(&pair);
    return stamp;
}

static void waits_for_its_command(void **state)
{
    (void)state;
    for (int timing = 0; timing < 2; timing++)
        assert_int_equal(held_command(timing, 64), held_command(timing, 0xc00));
}

// With timing on: when a command of the core's own ends, which is inside of a window.
static uint32_t own_command(int arch, uint32_t size)
{
    struct pair pair = pair_on_threads(arch, true, 1);
    uint32_t words[128];
    struct code code = code_in(words, CODE);
    bool bh = arch == BH;
    code_store(&code, tx_at(1, TX_SIZE), size);
    code_store(&code, tx_at(1, TX_CMD), RAW);
    code_wait_for(&code, tx_at(1, bh ? TX_STATUS : TX_CMD), 0);
    stamp(&code, 0);
    begin(pair.a, &code);
    assert_int_equal(tsr_chip_clock(pair.a.chip, 16 * WINDOW), TSR_OK);
    uint32_t stamp = load(pair.a, STAMPS);
    assert_int_not_equal(stamp, 0);
    pair_free(&pair);
    return stamp;
}

// 100 bytes are 8 cycles on Wormhole, and 2.7 on Blackhole; a pass of the loop takes a few more.
static void waits_no_longer(int arch)
{
    uint32_t before = own_command(arch, 1000);
    for (uint32_t size = 1100; size <= 1500; size += 100) {
        uint32_t now = own_command(arch, size);
        assert_in_range(now - before, 0, 24);
        before = now;
    }
}
TILE_BOTH(waits_no_longer)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(waits_for_updates),     TILE_TEST(waits_for_a_packet),
        TILE_TEST(waits_for_own_updates), cmocka_unit_test(waits_for_its_command),
        TILE_TEST(waits_no_longer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
