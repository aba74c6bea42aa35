// SPDX-License-Identifier: Apache-2.0
// Raw packets: bodies one behind the other in the receiver's buffer, its end, frames' headers,
// backpressure. Page: EthernetTile/EthernetTxRx.md of each chip.
#include "rig/link_rig.h"

enum { FROM = 0x1000, BUFFER = 0x8000 };

// Queue 1, which firmware leaves raw.
static struct pair raw_pair(int arch, uint32_t bytes, uint32_t control)
{
    struct pair pair = pair_with(arch, false, 0);
    store(pair.b, rx_at(pair.b, 1, RX_START), BUFFER >> 4);
    store(pair.b, rx_at(pair.b, 1, RX_SIZE), bytes >> 4);
    store(pair.b, rx_at(pair.b, 1, RX_CTRL), control);
    return pair;
}

static void appends(int arch)
{
    struct pair pair = raw_pair(arch, 0x1000, 0);
    fill(pair.a, FROM, 4000, 2);
    send(pair.a, 1, RAW, FROM + 3, 100, 0); // any address, any size
    send(pair.a, 1, RAW, FROM + 103, 17, 0);
    assert_int_equal(tsr_chip_clock(pair.a.chip, WINDOW), TSR_OK);
    assert_int_equal(rx(pair.b, 1, RX_PTR), 117);
    send(pair.a, 1, RAW, FROM + 120, 3001, 0); // 1500, 1500 and 1
    assert_int_equal(tx(pair.a, 1, TX_ENDED), 5);
    assert_int_equal(tx(pair.a, 1, TX_TRANSFERS), 3);
    assert_int_equal(tsr_chip_clock(pair.a.chip, WINDOW), TSR_OK);
    assert_int_equal(rx(pair.b, 1, RX_PTR), 3118);
    uint8_t sent[3118], came[3118];
    assert_int_equal(tsr_chip_read(pair.a.chip, pair.a.x, pair.a.y, FROM + 3, sent, 3118), TSR_OK);
    assert_int_equal(tsr_chip_read(pair.b.chip, pair.b.x, pair.b.y, BUFFER, came, 3118), TSR_OK);
    assert_memory_equal(sent, came, 3118);
    assert_int_equal(rx(pair.b, 1, RX_ENDED), 5);
    unsigned unit = arch == WH ? 16 : 96, words = 0;
    const unsigned body[] = {100, 17, 1500, 1500, 1};
    for (int i = 0; i < 5; i++)
        words += (14 + body[i] + unit - 1) / unit;
    assert_int_equal(rx(pair.b, 1, RX_WORDS), words);
    assert_int_equal(rx(pair.b, 1, RX_DROPS), 0);
    no_findings(pair.a.chip);
    no_findings(pair.b.chip);
    pair_free(&pair);
}
TILE_BOTH(appends)

// The buffer's end splits a packet; the rest goes to its start, or is lost.
static void ends_at_the_end(int arch)
{
    for (int wraps = 0; wraps < 2; wraps++) {
        struct pair pair = raw_pair(arch, 0x100, wraps ? WRAP : 0);
        for (unsigned i = 0; i < 3; i++) {
            fill(pair.a, FROM, 0x70, i);
            send(pair.a, 1, RAW, FROM, 0x70, 0);
        }
        assert_int_equal(tsr_chip_clock(pair.a.chip, WINDOW), TSR_OK);
        uint8_t came[0x110], expected[0x110] = {0};
        for (unsigned i = 0; i < 3; i++)
            for (unsigned k = 0; k < 0x70; k++)
                if (wraps || i * 0x70 + k < 0x100)
                    expected[(i * 0x70 + k) % 0x100] = (uint8_t)(i + k * 7);
        assert_int_equal(tsr_chip_read(pair.b.chip, pair.b.x, pair.b.y, BUFFER, came, 0x110),
                         TSR_OK);
        assert_memory_equal(came, expected, 0x110);
        assert_int_equal(rx(pair.b, 1, RX_PTR), wraps ? 0x50 : 0x100);
        assert_int_equal(rx(pair.b, 1, RX_DROPS), wraps ? 0 : 1);
        send(pair.a, 1, RAW, FROM, 0xb0, 0); // to the very end
        assert_int_equal(tsr_chip_clock(pair.a.chip, WINDOW), TSR_OK);
        assert_int_equal(rx(pair.b, 1, RX_PTR), wraps ? 0 : 0x100);
        assert_int_equal(rx(pair.b, 1, RX_DROPS), wraps ? 0 : 2);
        store(pair.b, rx_at(pair.b, 1, RX_PTR), 0x20);
        send(pair.a, 1, RAW, FROM, 0x10, 0);
        assert_int_equal(tsr_chip_clock(pair.a.chip, WINDOW), TSR_OK);
        assert_int_equal(rx(pair.b, 1, RX_PTR), 0x30);
        pair_free(&pair);
    }
}
TILE_BOTH(ends_at_the_end)

// A queue in TT-link mode takes no other packets, and raw queues take TT-link packets as they are.
static void modes_meet(int arch)
{
    struct pair pair = raw_pair(arch, 0x1000, PACKET_MODE);
    fill(pair.a, FROM, 64, 7);
    send(pair.a, 1, RAW, FROM, 64, 0);
    assert_int_equal(tsr_chip_clock(pair.a.chip, WINDOW), TSR_OK);
    assert_int_equal(rx(pair.b, 1, RX_DROPS), 1);
    assert_int_equal(rx(pair.b, 1, RX_PTR), 0);
    store(pair.b, rx_at(pair.b, 1, RX_CTRL), 0);
    store(pair.a, tx_at(1, TX_CTRL), KEEPALIVE | DIS_DROP);
    send(pair.a, 1, L1_WRITE, FROM, 64, 0x2000);
    assert_int_equal(tsr_chip_clock(pair.a.chip, WINDOW), TSR_OK);
    assert_int_equal(rx(pair.b, 1, RX_PTR), 18 + 64);
    assert_true(filled(pair.b, BUFFER + 18, 64, 7));
    assert_int_equal(load(pair.b, 0x2000), 0);
    pair_free(&pair);
}
TILE_BOTH(modes_meet)

// Wormhole: what is on its way waits at the receiver, and the sender holds its command.
static void holds_frames_back(void **state)
{
    (void)state;
    struct pair pair = raw_pair(WH, 0x1000, BACK_PRESSURE);
    fill(pair.a, FROM, 0x200, 7);
    send(pair.a, 1, RAW, FROM, 0x100, 0);
    assert_int_equal(tsr_chip_clock(pair.a.chip, WINDOW), TSR_OK);
    send(pair.a, 1, RAW, FROM + 0x100, 0x100, 0);
    assert_int_equal(tsr_chip_clock(pair.a.chip, 100 * WINDOW), TSR_OK);
    assert_true(held(pair.a, 1));
    assert_int_equal(rx(pair.b, 1, RX_ENDED), 0);
    // The other queue goes on, as far as frames are not behind one that waits.
    tsr_chip_limits limits = tsr_chip_limits_default();
    assert_int_equal(tsr_chip_run(pair.a.chip, &limits), TSR_END_IDLE);
    store(pair.b, rx_at(pair.b, 1, RX_CTRL), 0);
    assert_int_equal(tsr_chip_clock(pair.a.chip, 3 * WINDOW), TSR_OK);
    assert_false(held(pair.a, 1));
    assert_int_equal(rx(pair.b, 1, RX_PTR), 0x200);
    assert_true(filled(pair.b, BUFFER, 0x200, 7));
    pair_free(&pair);
}

// The destination says which queue a frame finds.
static void finds_the_queue(void **state)
{
    (void)state;
    struct pair pair = raw_pair(WH, 0x1000, 0);
    assert_int_equal(tx(pair.a, 0, 0x54), 0xaa);
    assert_int_equal(tx(pair.a, 1, 0x54), 0xab);
    store(pair.b, rx_at(pair.b, 0, RX_START), (BUFFER + 0x1000) >> 4);
    store(pair.b, rx_at(pair.b, 0, RX_SIZE), 0x10);
    store(pair.b, rx_at(pair.b, 0, RX_CTRL), 0);
    store(pair.a, tx_at(1, 0x54), 0x78563412);
    fill(pair.a, FROM, 64, 7);
    send(pair.a, 1, RAW, FROM, 64, 0);
    assert_int_equal(tsr_chip_clock(pair.a.chip, WINDOW), TSR_OK);
    assert_int_equal(rx(pair.b, 1, RX_PTR), 0);
    assert_int_equal(rx(pair.b, 0, RX_PTR), 64);
    assert_true(filled(pair.b, BUFFER + 0x1000, 64, 7));
    pair_free(&pair);
}

// Registers keep what the page says that they keep.
static void registers(int arch)
{
    struct pair pair = pair_with(arch, false, 0);
    const uint32_t all = 0xffffffff;
    struct {
        bool tx;
        uint32_t offset, wh, bh;
    } of[] = {{true, TX_MAX, all, all},   {true, TX_TIMEOUT, all, all},
              {true, TX_WORDS, all, all}, {false, 0x48, 0x3fff, 0x3fff},
              {false, 0x50, 0, 0},        {false, RX_DROPS, all, 0},
              {false, RX_PTR, all, all},  {false, RX_CTRL, 0xfffffffe, 0x6}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        for (unsigned queue = 0; queue < (arch == WH ? 2 : 3); queue++) {
            uint32_t at =
                of[i].tx ? tx_at(queue, of[i].offset) : rx_at(pair.a, queue, of[i].offset);
            store(pair.a, at, all & ~1u);
            assert_int_equal(load(pair.a, at), (arch == WH ? of[i].wh : of[i].bh) & ~1u);
        }
    no_findings(pair.a.chip);
    pair_free(&pair);
}
TILE_BOTH(registers)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(appends),
        TILE_TEST(ends_at_the_end),
        TILE_TEST(modes_meet),
        cmocka_unit_test(holds_frames_back),
        cmocka_unit_test(finds_the_queue),
        TILE_TEST(registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
