// SPDX-License-Identifier: Apache-2.0
// With timing on: what a hop costs, that links, interfaces and DRAM take a flit at a time, and that
// a broadcast takes its tree's links once. Pages: NoC/README.md, DRAMTile/README.md.
#include "chip/noc_route.h"
#include "rig/noc_rig.h"

enum { FROM = 0x20000, TO = 0x40000, HOP = 9, ENDS = 10 };

// Of a packet that begins at 0, alone: its last flit's arrival.
static uint64_t alone(tsr_chip *chip, int noc, struct place from, struct place to, uint32_t flits)
{
    tsr_chip_reset(chip);
    struct tsr_noc_packet packet = {
        .node = (uint16_t)(from.y * chip->columns + from.x), .noc = (uint8_t)noc, .flits = flits};
    return tsr_noc_travel(&chip->noc, &packet, to.y * chip->columns + to.x);
}

static void test_hops(int arch)
{
    tsr_chip *chip = chip_with(arch, true);
    struct place a = {2, 3}, b = {4, 5};
    unsigned width = chip->columns;
    assert_int_equal(alone(chip, 0, a, a, 0), ENDS);
    assert_int_equal(alone(chip, 0, a, b, 0), ENDS + 4 * HOP);
    assert_int_equal(alone(chip, 1, b, a, 0), ENDS + 4 * HOP);
    assert_int_equal(alone(chip, 0, b, a, 0), ENDS + (width - 2 + 12 - 2) * HOP);
    assert_int_equal(alone(chip, 1, a, b, 0), ENDS + (width - 2 + 12 - 2) * HOP);
    assert_int_equal(alone(chip, 0, a, b, 256), ENDS + 4 * HOP + 256);
    tsr_chip_destroy(chip);
}

// The packet of a sender that begins at `starts`: its last flit's arrival.
static uint64_t travel(tsr_chip *chip, unsigned sequence, struct place from, struct place to,
                       uint64_t starts, uint32_t flits)
{
    struct tsr_noc_packet packet = {.node = (uint16_t)(from.y * chip->columns + from.x),
                                    .sequence = sequence,
                                    .starts = starts,
                                    .flits = flits};
    return tsr_noc_travel(&chip->noc, &packet, to.y * chip->columns + to.x);
}

// A packet that begins earlier goes first through a link that another one has been promised later,
// if there is room for all of it; else it goes behind.
static void test_gaps(int arch)
{
    enum { LATE = 1000, LONG = 255 };
    tsr_chip *chip = chip_with(arch, true);
    struct place a = {1, 3}, b = {2, 3}, c = {4, 3};
    uint64_t way = 2 * HOP + ENDS, late = LATE + 1;
    assert_int_equal(travel(chip, 1, b, c, LATE, LONG), LATE + way + LONG);
    assert_int_equal(travel(chip, 1, a, c, 0, LONG), way + HOP + LONG);
    assert_int_equal(travel(chip, 2, a, c, 500, LONG), 500 + way + HOP + LONG);
    // The way out of b is taken by the first one from LATE on, and this one needs 256 cycles.
    assert_int_equal(travel(chip, 3, a, c, LATE - HOP - LONG, LONG), late + LONG + way + LONG);
    assert_int_equal(travel(chip, 4, b, c, LATE - 10, 0), LATE - 10 + way);
    tsr_chip_destroy(chip);
}

// The cycle at which the tile's counter has come to `value`, to the window.
static uint64_t when(tsr_chip *chip, struct place at, int noc, unsigned index, uint32_t value)
{
    for (int i = 0; i < 4000 && counter(chip, at, noc, index) != value; i++)
        tsr_chip_clock(chip, WINDOW);
    assert_int_equal(counter(chip, at, noc, index), value);
    return tsr_chip_cycle(chip);
}

// Many long writes into one tile: as many cycles as they have flits, from one sender or several.
static void test_bandwidth(int arch)
{
    tsr_chip *chip = chip_with(arch, true);
    uint32_t most = arch == WH ? 8192 : 16384;
    struct place to = tensix(chip, 0, 5);
    for (unsigned senders = 1; senders <= 2; senders++) {
        tsr_chip_reset(chip);
        for (unsigned i = 0; i < 8; i++) {
            struct place from = tensix(chip, senders == 1 ? 1 : 1 + i % 2 * 3, 5);
            struct request request = write_request(chip, 0, from, FROM, to, TO, most);
            issue(chip, from, &request);
        }
        uint64_t end = when(chip, to, 0, NIU_SLV_NONPOSTED_WR_REQ_RECEIVED, 8);
        assert_in_range(end, 8 * 257, 8 * 257 + 300);
    }
    tsr_chip_destroy(chip);
}

// A channel of DRAM is slower than a link; two channels of different tiles do not share.
static void test_dram(int arch)
{
    tsr_chip *chip = chip_with(arch, true);
    uint32_t most = arch == WH ? 8192 : 16384, tenths = arch == WH ? 15 : 14;
    uint64_t end[2];
    for (unsigned tiles = 1; tiles <= 2; tiles++) {
        tsr_chip_reset(chip);
        for (unsigned i = 0; i < 8; i++) {
            struct place to = tensix(chip, i % 4, i / 4 * 2);
            struct place dram = {0, tiles == 2 && i % 2 ? 11 : 0};
            if (tiles == 2 && i % 2)
                dram = (struct place){0, arch == WH ? 5 : 3};
            struct request request = read_request(chip, 0, dram, 0x1000, to, TO, most);
            issue(chip, to, &request);
        }
        settle(chip);
        end[tiles - 1] = tsr_chip_cycle(chip);
    }
    assert_in_range(end[0], 8 * 256 * tenths / 10, 8 * 256 * tenths / 10 + 1000);
    assert_true(end[1] < end[0] * 3 / 4);
    tsr_chip_destroy(chip);
}

// Sixteen tiles get the bytes in little more time than one.
static void test_broadcast(int arch)
{
    tsr_chip *chip = chip_with(arch, true);
    struct place a = {1, 2}, first = {1, 2}, last = {4, 5};
    uint32_t most = arch == WH ? 8192 : 16384;
    struct request request = write_request(chip, 0, a, FROM, last, TO, most);
    request.control |= CTRL(NOC_CMD_BRCST_PACKET);
    request.start = first;
    issue(chip, a, &request);
    uint64_t end = when(chip, a, 0, NIU_MST_WR_ACK_RECEIVED, 15);
    assert_in_range(end, 256, 256 + 600);
    tsr_chip_destroy(chip);
}

// Counters of what has been sent follow the flits.
static void test_sending(int arch)
{
    tsr_chip *chip = chip_with(arch, true);
    struct place a = tensix(chip, 0, 0), b = tensix(chip, 1, 1);
    struct request request = write_request(chip, 0, a, FROM, b, TO, arch == WH ? 8192 : 16384);
    issue(chip, a, &request);
    assert_int_equal(counter(chip, a, 0, NIU_MST_CMD_ACCEPTED), 0);
    assert_int_equal(counter(chip, a, 0, NIU_MST_WRITE_REQS_OUTGOING_ID), 1);
    tsr_chip_clock(chip, WINDOW);
    assert_int_equal(counter(chip, a, 0, NIU_MST_CMD_ACCEPTED), 1);
    assert_int_equal(counter(chip, a, 0, NIU_MST_NONPOSTED_WR_REQ_SENT), 0);
    tsr_chip_clock(chip, 5 * WINDOW);
    assert_int_equal(counter(chip, a, 0, NIU_MST_NONPOSTED_WR_REQ_SENT), 1);
    assert_int_equal(counter(chip, a, 0, NIU_MST_WRITE_REQS_OUTGOING_ID), 0);
    tsr_chip_destroy(chip);
}

TILE_BOTH(test_hops)
TILE_BOTH(test_gaps)
TILE_BOTH(test_bandwidth)
TILE_BOTH(test_dram)
TILE_BOTH(test_broadcast)
TILE_BOTH(test_sending)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_hops), TILE_TEST(test_gaps),      TILE_TEST(test_bandwidth),
        TILE_TEST(test_dram), TILE_TEST(test_broadcast), TILE_TEST(test_sending),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
