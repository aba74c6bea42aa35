// SPDX-License-Identifier: Apache-2.0
// TT-link packets between Ethernet tiles of two chips and of one: what is written, updates,
// counters, time, and links as such.
// Page: EthernetTile/EthernetTxRx.md of each chip.
#include "chip/chip_state.h"
#include "rig/link_rig.h"

static void writes_l1(int arch)
{
    enum { FROM = 0x10000, TO = 0x20000, SIZE = 4000 };
    struct pair pair = pair_with(arch, false, 0);
    fill(pair.a, FROM, SIZE, 1);
    send(pair.a, 0, L1_WRITE, FROM, SIZE, TO);
    assert_false(held(pair.a, 0));
    assert_int_equal(tx(pair.a, 0, TX_TRANSFERS), 1);
    // 1488, 1488 and 1024 bytes: multiples of 16 of at most 1500.
    assert_int_equal(tx(pair.a, 0, TX_ENDED), 3);
    assert_int_equal(rx(pair.b, 0, RX_EXPECTS), 0);
    assert_int_equal(tsr_chip_clock(pair.a.chip, WINDOW), TSR_OK);
    assert_int_equal(tsr_chip_cycle(pair.b.chip), WINDOW);
    assert_true(filled(pair.b, TO, SIZE, 1));
    assert_int_equal(load(pair.b, TO + SIZE), 0);
    assert_int_equal(rx(pair.b, 0, RX_EXPECTS), 3);
    assert_int_equal(rx(pair.b, 0, RX_ENDED), 3);
    unsigned unit = arch == WH ? 16 : 96, words = 0;
    const unsigned body[] = {1488, 1488, 1024};
    for (int i = 0; i < 3; i++)
        words += (14 + 18 + body[i] + unit - 1) / unit;
    assert_int_equal(tx(pair.a, 0, TX_WORDS), words);
    assert_int_equal(rx(pair.b, 0, RX_WORDS), words);
    // Nobody answers before the update is due.
    assert_int_equal(rx(pair.a, 0, RX_ACKNOWLEDGED), 0);
    assert_int_equal(tsr_chip_clock(pair.a.chip, 0x1000), TSR_OK);
    assert_int_equal(rx(pair.a, 0, RX_ACKNOWLEDGED), 3);
    assert_int_equal(tsr_chip_clock(pair.b.chip, 0x10000), TSR_OK);
    assert_int_equal(rx(pair.b, 0, RX_DROPS), 0);
    no_findings(pair.a.chip);
    no_findings(pair.b.chip);
    pair_free(&pair);
}
TILE_BOTH(writes_l1)

static void writes_registers(int arch)
{
    enum { NOC_TARG_ADDR_LO = 0xffb20000u, TO = 0x1000 };
    struct pair pair = pair_with(arch, false, 0);
    send_mmio(pair.a, 0, NOC_TARG_ADDR_LO, 0x12345678);
    send_mmio(pair.a, 0, NOC_TARG_ADDR_LO + 4, 0x9);
    assert_int_equal(load(pair.b, NOC_TARG_ADDR_LO), 0);
    assert_int_equal(tsr_chip_clock(pair.a.chip, WINDOW), TSR_OK);
    assert_int_equal(load(pair.b, NOC_TARG_ADDR_LO), 0x12345678);
    assert_int_equal(load(pair.b, NOC_TARG_ADDR_LO + 4), 0x9);
    assert_int_equal(rx(pair.b, 0, RX_EXPECTS), 2);
    // The other queue's own registers are there, too.
    send_mmio(pair.a, 0, tx_at(1, TX_DATA), 77);
    assert_int_equal(tsr_chip_clock(pair.a.chip, WINDOW), TSR_OK);
    assert_int_equal(tx(pair.b, 1, TX_DATA), 77);
    no_findings(pair.b.chip);
    send_mmio(pair.a, 0, 0xfff00000u, 1);
    assert_int_equal(tsr_chip_clock(pair.a.chip, WINDOW), TSR_OK);
    assert_int_equal(findings(pair.b.chip, "ethernet-address"), 1);
    pair_free(&pair);
}
TILE_BOTH(writes_registers)

// A remote write starts a request of the other tile's interface, from its L1 to a Tensix tile's.
static void drives_the_other_noc(int arch)
{
    enum { FROM = 0x3000, TO = 0x4000 };
    struct pair pair = pair_with(arch, false, 0);
    uint32_t high = arch == WH ? 4 : 8, go = arch == WH ? 0x28 : 0x40, niu = 0xffb20000u;
    unsigned shift = arch == WH ? 4 : 0;
    fill(pair.a, FROM, 32, 9);
    send(pair.a, 0, L1_WRITE, FROM, 32, FROM);
    send_mmio(pair.a, 0, niu, FROM);
    send_mmio(pair.a, 0, niu + high, (pair.b.x | pair.b.y << 6) << shift);
    send_mmio(pair.a, 0, niu + 0xc, TO);
    send_mmio(pair.a, 0, niu + 0xc + high, (1u | 2u << 6) << shift);
    send_mmio(pair.a, 0, niu + 0x1c, 2); // NOC_CMD_WR
    send_mmio(pair.a, 0, niu + 0x20, 32);
    send_mmio(pair.a, 0, niu + go, 1);
    assert_int_equal(tsr_chip_clock(pair.a.chip, 2 * WINDOW), TSR_OK);
    struct end tensix = {.chip = pair.b.chip, .x = 1, .y = 2};
    assert_true(filled(tensix, TO, 32, 9));
    no_findings(pair.b.chip);
    pair_free(&pair);
}
TILE_BOTH(drives_the_other_noc)

// Updates are sent in the order of time, whichever queue sends them and however the run is cut, and
// none for the time before they were wanted.
static uint64_t updates_of_two(int arch, bool timing, unsigned slice)
{
    enum { TOTAL = 0x8000, LATE = 0x40000 };
    struct pair pair = pair_with(arch, timing, 0);
    assert_int_equal(tsr_chip_clock(pair.a.chip, LATE), TSR_OK);
    uint32_t before = tx(pair.a, 1, TX_ENDED);
    assert_int_equal(before, 0);
    store(pair.a, tx_at(1, TX_CTRL), KEEPALIVE | DIS_DROP);
    for (unsigned at = 0; at < TOTAL; at += slice)
        assert_int_equal(tsr_chip_clock(at % 128 ? pair.a.chip : pair.b.chip, slice), TSR_OK);
    assert_in_range(tx(pair.a, 1, TX_ENDED), TOTAL / 0x1000, TOTAL / 0x1000 + 1);
    store(pair.a, tx_at(1, TX_UPDATE), 0x10);
    assert_in_range(tx(pair.a, 1, TX_STARTED), TOTAL / 0x1000, TOTAL / 0x1000 + 2);
    uint64_t hash = rx(pair.b, 0, RX_ENDED);
    for (unsigned queue = 0; queue < 2; queue++) {
        store(pair.a, tx_at(queue, TX_UPDATE), queue ? 500 : 50);
        for (unsigned at = 0; at < 0x400; at += slice < 0x400 ? slice : 0x400)
            assert_int_equal(tsr_chip_clock(pair.a.chip, slice < 0x400 ? slice : 0x400), TSR_OK);
        hash = hash * 1000 + tx(pair.a, queue, TX_STARTED);
        hash = hash * 1000 + rx(pair.b, queue, RX_ENDED);
    }
    pair_free(&pair);
    return hash;
}

static void updates_in_time(int arch)
{
    for (int timing = 0; timing < 2; timing++)
        assert_true(updates_of_two(arch, timing, 64) == updates_of_two(arch, timing, 0x8000));
}
TILE_BOTH(updates_in_time)

// A notice of a lost packet goes when the next one comes, whether somebody looks or not.
static unsigned windows_to_notice(int arch, bool looks)
{
    struct pair pair = pair_with(arch, true, 3);
    for (int i = 0; i < 2; i++)
        store(i ? pair.b : pair.a, tx_at(0, TX_CTRL), KEEPALIVE);
    fill(pair.a, 0x1000, 64, 6);
    for (unsigned i = 0; i < 4; i++) {
        send(pair.a, 0, L1_WRITE, 0x1000 + 16 * i, 16, 0x2000 + 16 * i);
        assert_int_equal(tsr_chip_clock(pair.a.chip, WINDOW), TSR_OK);
    }
    unsigned windows = 0;
    for (; !filled(pair.b, 0x2000, 48, 6) && windows < 0x100; windows++) {
        if (looks)
            (void)tx(pair.b, 0, TX_STARTED);
        assert_int_equal(tsr_chip_clock(pair.a.chip, WINDOW), TSR_OK);
    }
    pair_free(&pair);
    return windows;
}

static void tells_in_time(int arch)
{
    unsigned windows = windows_to_notice(arch, false);
    assert_in_range(windows, 16, 0x40);
    assert_int_equal(windows_to_notice(arch, true), windows);
}
TILE_BOTH(tells_in_time)

// A queue keeps 64 packets until they are acknowledged, and holds the command for what is left.
static void holds_the_command(int arch)
{
    enum { SIZE = 0x18000, FROM = 0x8000, TO = 0x20000 };
    struct pair pair = pair_with(arch, false, 0);
    fill(pair.a, FROM, SIZE, 3);
    store(pair.a, tx_at(0, TX_MAX), 1000);
    send(pair.a, 0, L1_WRITE, FROM, SIZE, TO);
    assert_true(held(pair.a, 0));
    assert_int_equal(tx(pair.a, 0, TX_TRANSFERS), 0);
    assert_int_equal(tx(pair.a, 0, TX_STARTED), 64);
    store(pair.a, tx_at(0, TX_CMD), RAW);
    assert_int_equal(findings(pair.a.chip, "ethernet-command"), 1);
    store(pair.a, tx_at(0, TX_SIZE), 16);
    assert_int_equal(findings(pair.a.chip, "ethernet-held"), 1);
    assert_int_equal(tsr_chip_clock(pair.a.chip, 0x4000), TSR_OK);
    assert_false(held(pair.a, 0));
    assert_int_equal(tx(pair.a, 0, TX_TRANSFERS), 1);
    assert_true(filled(pair.b, TO, SIZE, 3));
    assert_int_equal(rx(pair.b, 0, RX_EXPECTS), (SIZE + 991) / 992);
    pair_free(&pair);
}
TILE_BOTH(holds_the_command)

static void keeps_alive(int arch)
{
    struct pair pair = pair_with(arch, false, 0);
    // Nothing moves, and the cycles pass at once; the updates of those cycles have been sent.
    tsr_chip_limits limits = tsr_chip_limits_default();
    assert_int_equal(tsr_chip_run(pair.a.chip, &limits), TSR_END_IDLE);
    assert_int_equal(tsr_chip_cycle(pair.a.chip), 0);
    assert_int_equal(tsr_chip_clock(pair.a.chip, 10 * 0x1000 + 64), TSR_OK);
    assert_int_equal(tx(pair.a, 0, TX_ENDED), 10);
    assert_int_equal(tx(pair.b, 0, TX_ENDED), 10);
    assert_int_equal(rx(pair.b, 0, RX_ENDED), 10);
    assert_int_equal(rx(pair.b, 0, RX_EXPECTS), 0); // they have no number of their own
    assert_int_equal(tx(pair.a, 1, TX_ENDED), 0);
    // None while other packets go.
    for (int i = 0; i < 64; i++) {
        send(pair.a, 0, L1_WRITE, 0, 16, 0);
        assert_int_equal(tsr_chip_clock(pair.b.chip, 0x200), TSR_OK);
    }
    assert_int_equal(tx(pair.a, 0, TX_ENDED), 10 + 64);
    store(pair.a, tx_at(0, TX_CTRL), DIS_DROP);
    assert_int_equal(tsr_chip_clock(pair.a.chip, 0x10000), TSR_OK);
    assert_int_equal(tx(pair.a, 0, TX_ENDED), 10 + 64);
    pair_free(&pair);
}
TILE_BOTH(keeps_alive)

// The updates of cycles that pass while nothing else moves are not all kept at once.
static void keeps_few(int arch)
{
    enum { CYCLES = 1 << 21, PERIOD = 16, MOST = 1 << 14 };
    struct pair pair = pair_with(arch, false, 0);
    store(pair.a, tx_at(0, TX_UPDATE), PERIOD);
    assert_int_equal(tsr_chip_clock(pair.a.chip, CYCLES), TSR_OK);
    assert_int_equal(tx(pair.a, 0, TX_ENDED), CYCLES / PERIOD);
    assert_true(rx(pair.b, 0, RX_ENDED) >= CYCLES / PERIOD);
    assert_in_range(pair.a.chip->queues[pair.a.tile]->out.capacity, 1, MOST);
    assert_in_range(pair.b.chip->queues[pair.b.tile]->in.capacity, 1, MOST);
    pair_free(&pair);
}
TILE_BOTH(keeps_few)

// What all of it comes to, however the caller cuts it, and whichever chip it clocks.
static uint64_t cut(int arch, bool timing, unsigned threads, unsigned step, bool alternate)
{
    enum { CYCLES = 0x8000, WORDS = 0x400 };
    tsr_chip_options options = tsr_chip_options_default((tsr_arch)arch);
    options.tile.timing = timing;
    options.threads = threads;
    options.threads_always = threads > 1;
    tsr_chip *chip[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(tsr_chip_create(&options, &chip[i]), TSR_OK);
    const tsr_link_options lossy = {.drop_every = 7};
    assert_int_equal(tsr_chip_connect(chip[0], 8, chip[1], 0, &lossy), TSR_OK);
    assert_int_equal(tsr_chip_connect(chip[0], 9, chip[1], 1, NULL), TSR_OK);
    struct end end[4] = {end_of(chip[0], 8), end_of(chip[0], 9), end_of(chip[1], 0),
                         end_of(chip[1], 1)};
    for (unsigned i = 0; i < 4; i++) {
        fill(end[i], 0x4000, 0x2000, i);
        send(end[i], 0, L1_WRITE, 0x4000, 0x2000, 0x10000);
    }
    for (unsigned at = 0; at < CYCLES; at += step)
        assert_int_equal(tsr_chip_clock(chip[alternate ? at / step % 2 : 0], step), TSR_OK);
    uint64_t hash = tsr_chip_cycle(chip[1]);
    assert_int_equal(hash, CYCLES);
    for (unsigned i = 0; i < 4; i++) {
        assert_true(filled(end[i], 0x10000, 0x2000, i ^ 2));
        for (unsigned k = 0; k < 0x50; k += 4) {
            bool there = k != 0x10 && k != 0x20 && k != 0x24 && k != 0x28 && k != 0x2c &&
                         k != 0x38 && !(k == TX_STATUS && arch == WH);
            hash = hash * 31 + (there ? tx(end[i], 0, k) : 0);
        }
        for (unsigned k = RX_EXPECTS; k <= RX_DROPS; k += 4)
            hash = hash * 31 + rx(end[i], 0, k);
        hash = hash * 31 + rx(end[i], 0, RX_ENDED) * 7 + rx(end[i], 0, RX_WORDS);
    }
    tsr_chip_destroy(chip[0]);
    tsr_chip_destroy(chip[1]);
    return hash;
}

static void same_however_cut(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        uint64_t whole = cut(arch, timing, 1, 0x8000, false);
        assert_true(whole == cut(arch, timing, 1, WINDOW, false));
        assert_true(whole == cut(arch, timing, 1, WINDOW, true));
        assert_true(whole == cut(arch, timing, 1, 0x1000, true));
        assert_true(whole == cut(arch, timing, 2, 0x400, true));
    }
}
TILE_BOTH(same_however_cut)

static void takes_time(int arch)
{
    enum { SIZE = 1024, FROM = 0x1000, TO = 0x2000 };
    struct pair pair = pair_with(arch, true, 0);
    // 14 + 18 + 1024 bytes and 24 more on the wire, at 100 Gb/s and 1 GHz, or 400 and 1.35.
    uint64_t wire = arch == WH ? 87 : 30, latency = arch == WH ? 500 : 700;
    fill(pair.a, FROM, 4 * SIZE, 3);
    send(pair.a, 0, L1_WRITE, FROM, SIZE, TO);
    assert_true(held(pair.a, 0));
    send(pair.a, 1, RAW, FROM, SIZE, 0);
    assert_int_equal(tx(pair.a, 0, TX_STARTED), 1);
    assert_int_equal(tx(pair.a, 0, TX_ENDED), 0);
    uint64_t arrives = wire + latency;
    while (!filled(pair.b, TO, SIZE, 3)) {
        assert_int_equal(tsr_chip_clock(pair.a.chip, WINDOW), TSR_OK);
        assert_true(tsr_chip_cycle(pair.a.chip) < arrives + WINDOW);
    }
    assert_true(tsr_chip_cycle(pair.a.chip) >= arrives);
    assert_false(held(pair.a, 0));
    // One behind the other: the way out is free after the one before.
    enum { MANY = 8 };
    uint64_t begins = tsr_chip_cycle(pair.a.chip), ends = begins + MANY * wire + latency;
    store(pair.a, tx_at(0, TX_MAX), SIZE);
    fill(pair.a, FROM, MANY * SIZE, 7);
    send(pair.a, 0, L1_WRITE, FROM, MANY * SIZE, TO + 0x8000);
    while (!filled(pair.b, TO + 0x8000, MANY * SIZE, 7)) {
        assert_int_equal(tsr_chip_clock(pair.a.chip, WINDOW), TSR_OK);
        assert_true(tsr_chip_cycle(pair.a.chip) < ends + WINDOW);
    }
    assert_true(tsr_chip_cycle(pair.a.chip) >= ends);
    pair_free(&pair);
}
TILE_BOTH(takes_time)

static void loops_back(int arch)
{
    tsr_chip *chip = chip_made(arch, false);
    assert_int_equal(tsr_chip_connect(chip, 3, chip, 5, NULL), TSR_OK);
    assert_int_equal(tsr_chip_connect(chip, 4, chip, 4, NULL), TSR_OK);
    struct end a = end_of(chip, 3), b = end_of(chip, 5), c = end_of(chip, 4);
    for (unsigned i = 0; i < 3; i++) {
        struct end end = i == 0 ? a : i == 1 ? b : c;
        fill(end, 0x1000, 64, i);
        send(end, 0, L1_WRITE, 0x1000, 64, 0x2000);
    }
    assert_int_equal(tsr_chip_clock(chip, WINDOW), TSR_OK);
    assert_true(filled(a, 0x2000, 64, 1) && filled(b, 0x2000, 64, 0) && filled(c, 0x2000, 64, 2));
    assert_int_equal(tsr_chip_clock(chip, 0x2000), TSR_OK);
    assert_int_equal(rx(c, 0, RX_ACKNOWLEDGED), 1);
    tsr_chip *peer = NULL;
    unsigned tile = 0;
    assert_int_equal(tsr_chip_peer(chip, 5, &peer, &tile), TSR_OK);
    assert_true(peer == chip && tile == 3);
    assert_int_equal(tsr_chip_disconnect(chip, 5), TSR_OK);
    assert_int_equal(tsr_chip_peer(chip, 3, &peer, &tile), TSR_NOT_FOUND);
    no_findings(chip);
    tsr_chip_destroy(chip);
}
TILE_BOTH(loops_back)

static void links_as_such(void **state)
{
    (void)state;
    tsr_chip *a = chip_made(WH, false), *b = chip_made(WH, false), *c = chip_made(WH, false);
    tsr_chip *other = chip_made(BH, false), *timed = chip_made(WH, true);
    assert_int_equal(tsr_chip_connect(NULL, 0, b, 0, NULL), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_chip_connect(a, 0, NULL, 0, NULL), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_chip_connect(a, 16, b, 0, NULL), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_chip_connect(a, 0, other, 0, NULL), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_chip_connect(a, 0, timed, 0, NULL), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_chip_connect(other, 14, other, 0, NULL), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_chip_connect(a, 0, b, 0, NULL), TSR_OK);
    assert_int_equal(tsr_chip_connect(c, 1, b, 0, NULL), TSR_BUSY);
    assert_int_equal(tsr_chip_connect(a, 0, c, 0, NULL), TSR_BUSY);
    assert_int_equal(tsr_chip_connect(b, 1, c, 1, NULL), TSR_OK);
    assert_int_equal(tsr_chip_connect(c, 2, a, 2, NULL), TSR_OK);
    assert_int_equal(tsr_chip_clock(a, WINDOW), TSR_OK);
    assert_int_equal(tsr_chip_cycle(c), WINDOW);
    // A ring of three is still one group without one of its links.
    assert_int_equal(tsr_chip_disconnect(a, 2), TSR_OK);
    assert_int_equal(tsr_chip_disconnect(a, 2), TSR_NOT_FOUND);
    assert_int_equal(tsr_chip_clock(a, WINDOW), TSR_OK);
    assert_int_equal(tsr_chip_cycle(c), 2 * WINDOW);
    assert_int_equal(tsr_chip_disconnect(b, 1), TSR_OK);
    assert_int_equal(tsr_chip_clock(a, WINDOW), TSR_OK);
    assert_int_equal(tsr_chip_cycle(b), 3 * WINDOW);
    assert_int_equal(tsr_chip_cycle(c), 2 * WINDOW);
    assert_int_equal(tsr_chip_disconnect(NULL, 0), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_chip_peer(a, 16, NULL, NULL), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_chip_peer(a, 0, NULL, NULL), TSR_OK);
    tsr_chip_destroy(b);
    assert_int_equal(tsr_chip_peer(a, 0, NULL, NULL), TSR_NOT_FOUND);
    assert_int_equal(tsr_chip_clock(a, WINDOW), TSR_OK);
    struct end end = end_of(a, 0);
    send(end, 0, L1_WRITE, 0, 16, 0);
    assert_false(held(end, 0));
    assert_int_equal(findings(a, "ethernet-link"), 1);
    tsr_chip_destroy(a);
    tsr_chip_destroy(c);
    tsr_chip_destroy(other);
    tsr_chip_destroy(timed);
}

// Links last over a reset; sequence numbers begin anew, so both have to.
static void resets(int arch)
{
    struct pair pair = pair_with(arch, false, 0);
    for (int round = 0; round < 2; round++) {
        fill(pair.a, 0x1000, 16, 4);
        send(pair.a, 0, L1_WRITE, 0x1000, 16, 0x2000);
        assert_int_equal(tsr_chip_clock(pair.b.chip, WINDOW), TSR_OK);
        assert_true(filled(pair.b, 0x2000, 16, 4));
        assert_int_equal(rx(pair.b, 0, RX_EXPECTS), 1);
        send(pair.a, 0, L1_WRITE, 0x1000, 16, 0x3000);
        tsr_chip_reset(pair.a.chip);
        tsr_chip_reset(pair.b.chip);
        assert_int_equal(load(pair.b, 0x2000), 0);
        assert_int_equal(rx(pair.b, 0, RX_EXPECTS), 0);
        assert_int_equal(tsr_chip_clock(pair.a.chip, WINDOW), TSR_OK);
        assert_int_equal(load(pair.b, 0x3000), 0);
        assert_int_equal(tsr_chip_cycle(pair.b.chip), WINDOW);
    }
    pair_free(&pair);
}
TILE_BOTH(resets)

// Nobody has touched the receiver since the reset.
static void receives_after_reset(int arch)
{
    struct pair pair = pair_with(arch, false, 0);
    tsr_chip_reset(pair.a.chip);
    tsr_chip_reset(pair.b.chip);
    fill(pair.a, 0x1000, 16, 4);
    send(pair.a, 0, L1_WRITE, 0x1000, 16, 0x2000);
    assert_int_equal(tsr_chip_clock(pair.a.chip, WINDOW), TSR_OK);
    assert_true(filled(pair.b, 0x2000, 16, 4));
    pair_free(&pair);
}
TILE_BOTH(receives_after_reset)

static void wrong_uses(int arch)
{
    struct pair pair = pair_with(arch, false, 0);
    tsr_chip *chip = pair.a.chip;
    unsigned last = arch == WH ? 1 : 2;
    send(pair.a, 0, L1_WRITE, 0x1004, 16, 0x2000);
    assert_int_equal(findings(chip, "ethernet-alignment"), 1);
    send(pair.a, 0, L1_WRITE, 0x1000, 0, 0x2000);
    assert_int_equal(findings(chip, "ethernet-size"), 1);
    send(pair.a, 0, L1_WRITE, 0x70000, 0x20000, 0x2000);
    assert_int_equal(findings(chip, "ethernet-size"), 2);
    store(pair.a, tx_at(0, TX_MAX), 8);
    send(pair.a, 0, L1_WRITE, 0x1000, 16, 0x2000);
    assert_int_equal(findings(chip, "ethernet-size"), 3);
    store(pair.a, tx_at(0, TX_MAX), 1500);
    send_mmio(pair.a, last, 0xffb20000u, 1);
    assert_int_equal(findings(chip, "ethernet-queue"), 1);
    store(pair.a, tx_at(0, TX_CMD), 3);
    assert_int_equal(findings(chip, "ethernet-command"), 1);
    assert_int_equal(findings(chip, "ethernet-mode"), 0);
    send(pair.a, 0, RAW, 0x1000, 16, 0);
    assert_int_equal(findings(chip, "ethernet-mode"), 1);
    store(pair.a, tx_at(0, TX_CTRL), KEEPALIVE | DIS_DROP | 2);
    assert_int_equal(findings(chip, "ethernet-reserved"), 1);
    assert_int_equal(tx(pair.a, 0, TX_TRANSFERS), 2);
    // Where L1 ends at the other side.
    send(pair.a, 0, L1_WRITE, 0x1000, 32, arch == WH ? 0x3fff0 : 0x7fff0);
    assert_int_equal(tsr_chip_clock(chip, WINDOW), TSR_OK);
    assert_int_equal(findings(pair.b.chip, "ethernet-address"), 1);
    // No page has this register.
    uint32_t value;
    assert_int_equal(tsr_chip_read(chip, pair.a.x, pair.a.y, tx_at(0, 0x20), &value, 4),
                     TSR_UNMAPPED);
    assert_int_equal(findings(chip, "node-missing"), 1);
    pair_free(&pair);
}
TILE_BOTH(wrong_uses)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(writes_l1),
        TILE_TEST(writes_registers),
        TILE_TEST(drives_the_other_noc),
        TILE_TEST(updates_in_time),
        TILE_TEST(tells_in_time),
        TILE_TEST(holds_the_command),
        TILE_TEST(keeps_alive),
        TILE_TEST(keeps_few),
        TILE_TEST(same_however_cut),
        TILE_TEST(takes_time),
        TILE_TEST(loops_back),
        cmocka_unit_test(links_as_such),
        TILE_TEST(resets),
        TILE_TEST(receives_after_reset),
        TILE_TEST(wrong_uses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
