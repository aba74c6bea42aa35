// SPDX-License-Identifier: Apache-2.0
// Registers of an interface as cores, hosts and packets read them: identification, configuration
// that firmware has set up, coordinate translation, counters, Blackhole's bits of transactions that
// have come to zero. Pages: NoC/MemoryMap.md, NoC/Coordinates.md, NoC/Counters.md of each chip.
#include "rig/noc_rig.h"

enum { AT = 0x20000, TO = 0x40000, SCRATCH = 0x10c /* ROUTER_CFG_2 */ };

static uint32_t config_register(int noc, unsigned index)
{
    return NIU_BASE(noc) + 0x100 + 4 * index;
}

static void test_identification(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place at = tensix(chip, 5, 7);
    unsigned width = arch == WH ? 10 : 17, id = arch == WH ? 0x2c : 0x44;
    uint32_t size = width << 12 | 12u << 19;
    unsigned unit = arch == WH ? 7 * 8 + 5 : 7 * 14 + 5;
    uint32_t type = arch == WH ? 0u << 16 : 0x0100u << 8;
    for (unsigned i = 0; i < TSR_NIU_INITIATORS; i++) {
        uint32_t part = i * (arch == WH ? 0x400 : 0x800);
        assert_int_equal(peek(chip, at, NIU_BASE(0) + part + id),
                         at.x | at.y << 6 | size | 1u << 28);
        assert_int_equal(peek(chip, at, NIU_BASE(1) + part + id),
                         (width - 1 - at.x) | (11 - at.y) << 6 | size);
        assert_int_equal(peek(chip, at, NIU_BASE(0) + part + id + 4), unit | type);
        assert_int_equal(peek(chip, at, NIU_BASE(1) + part + id + 4), unit | type | 1u << 24);
    }
    struct place corner = tensix(chip, arch == WH ? 7 : 13, 9);
    assert_int_equal(peek(chip, corner, NIU_BASE(0) + id) >> 26 & 3, 3);
    assert_int_equal(peek(chip, corner, NIU_BASE(1) + id) >> 26 & 3, 0);
    tsr_chip_destroy(chip);
}

// What software keeps in general-purpose bits stays there, on each NoC its own.
static void test_configuration(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place at = tensix(chip, 0, 0);
    poke(chip, at, NIU_BASE(0) + SCRATCH, 0x12345678);
    poke(chip, at, NIU_BASE(1) + SCRATCH, 0x9abcdef0);
    assert_int_equal(peek(chip, at, NIU_BASE(0) + SCRATCH), 0x12345678);
    assert_int_equal(peek(chip, at, NIU_BASE(1) + SCRATCH), 0x9abcdef0);
    assert_int_equal(peek(chip, at, config_register(0, 0)) >> 14 & 1, 1);
    assert_int_equal(peek(chip, at, config_register(0, 2)), arch == WH ? 0x021 : 0x301);
    assert_int_equal(peek(chip, at, config_register(1, 2)), arch == WH ? 0x210 : 0x10180);
    assert_int_equal(peek(chip, at, config_register(0, 4)), arch == WH ? 0x041 : 0x003);
    assert_int_equal(peek(chip, at, config_register(1, 4)), arch == WH ? 0x820 : 0xc00);
    tsr_chip_reset(chip);
    assert_int_equal(peek(chip, at, NIU_BASE(0) + SCRATCH), 0);
    tsr_chip_destroy(chip);
}

// Where a request goes whose coordinates are these.
static void expect_place(tsr_chip *chip, int noc, struct place logical, struct place physical)
{
    struct place from = tensix(chip, 2, 2);
    uint32_t value = 0x1000000u + logical.x * 256 + logical.y + (uint32_t)noc * 0x10000;
    poke(chip, from, AT, value);
    struct request request = write_request(chip, noc, from, AT, from, TO, 4);
    request.ret_at = logical;
    issue(chip, from, &request);
    settle(chip);
    assert_int_equal(peek(chip, physical, TO), value);
}

static void test_translation(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    for (int noc = 0; noc < TSR_NOCS; noc++) {
        if (arch == WH) {
            expect_place(chip, noc, (struct place){18, 18}, (struct place){1, 1});
            expect_place(chip, noc, (struct place){25, 27}, (struct place){9, 11});
            expect_place(chip, noc, (struct place){22, 23}, (struct place){6, 7});
            expect_place(chip, noc, (struct place){16, 17}, (struct place){0, 6}); // DRAM
        } else {
            expect_place(chip, noc, (struct place){1, 2}, (struct place){1, 2});
            expect_place(chip, noc, (struct place){16, 11}, (struct place){16, 11});
            expect_place(chip, noc, (struct place){17, 12}, (struct place){0, 0}); // DRAM
            expect_place(chip, noc, (struct place){18, 23}, (struct place){9, 6});
        }
    }
    if (arch == WH)
        expect_place(chip, 1, (struct place){0, 0}, (struct place){9, 11});
    tsr_chip_destroy(chip);
}

static void test_logical(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place at = tensix(chip, 4, 5);
    unsigned index = arch == WH ? 14 : 18;
    uint32_t logical = arch == WH ? 22 | 23 << 6 : at.x | at.y << 6;
    assert_int_equal(peek(chip, at, config_register(0, index)), logical);
    assert_int_equal(peek(chip, at, config_register(1, index)), logical);
    tsr_chip_destroy(chip);
}

// Harvested rows or columns come last, and hear no broadcasts.
static void test_harvesting(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    tsr_noc_reset(&chip->noc, 1u << 7 | 1u << (arch == WH ? 10 : 12), true);
    struct place at = tensix(chip, 0, 0);
    if (arch == WH) {
        expect_place(chip, 0, (struct place){18, 23}, (struct place){1, 8});
        expect_place(chip, 1, (struct place){18, 25}, (struct place){1, 11});
        expect_place(chip, 1, (struct place){18, 26}, (struct place){1, 7});
        expect_place(chip, 0, (struct place){18, 27}, (struct place){1, 10});
        assert_int_equal(peek(chip, at, config_register(0, 4)), 0x4c1);
    } else {
        expect_place(chip, 0, (struct place){7, 3}, (struct place){10, 3});
        expect_place(chip, 1, (struct place){14, 3}, (struct place){16, 3});
        expect_place(chip, 0, (struct place){15, 3}, (struct place){7, 3});
        expect_place(chip, 1, (struct place){16, 3}, (struct place){12, 3});
        assert_int_equal(peek(chip, at, config_register(0, 2)), 0x1381);
        // from the end in the order of the die, whose second column is NoC 0's last
        tsr_noc_reset(&chip->noc, 1u << 1 | 1u << 3 | 1u << 16, true);
        expect_place(chip, 0, (struct place){1, 3}, (struct place){2, 3});
        expect_place(chip, 0, (struct place){13, 3}, (struct place){15, 3});
        expect_place(chip, 0, (struct place){14, 3}, (struct place){3, 3});
        expect_place(chip, 1, (struct place){15, 3}, (struct place){16, 3});
        expect_place(chip, 0, (struct place){16, 3}, (struct place){1, 3});
    }
    tsr_chip_destroy(chip);
}

// Blackhole's Ethernet tiles but 5 and 8 in order, as hosts take it for granted.
static void test_ethernet_places(void **state)
{
    (void)state;
    static const unsigned x_of[] = {1, 16, 2, 15, 3, 4, 13, 12, 6, 11, 7, 10};
    tsr_chip *chip = chip_with(BH, false);
    struct place a = tensix(chip, 0, 0);
    for (unsigned i = 0; i < 12; i++) {
        struct place at = {20 + i, 25};
        struct request request = read_request(chip, 0, at, NIU_BASE(0) + 0x44, a, TO + 4, 4);
        issue(chip, a, &request);
        request = read_request(chip, 0, at, NIU_BASE(0) + 0x148, a, TO + 8, 4);
        issue(chip, a, &request);
        settle(chip);
        assert_int_equal(peek(chip, a, TO + 4) & 0xfff, x_of[i] | 1 << 6);
        assert_int_equal(peek(chip, a, TO + 8), at.x | at.y << 6);
    }
    tsr_chip_destroy(chip);
}

// Without translation NoC 1 counts from the other corner.
static void test_no_translation(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    tsr_noc_reset(&chip->noc, 0, false);
    unsigned last = arch == WH ? 9 : 16;
    expect_place(chip, 0, (struct place){2, 3}, (struct place){2, 3});
    expect_place(chip, 1, (struct place){2, 3}, (struct place){last - 2, 8});
    tsr_chip_destroy(chip);
}

// Coordinates that were set once serve many requests.
static void test_kept_coordinates(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0), b = tensix(chip, 3, 4);
    for (int noc = 0; noc < TSR_NOCS; noc++) {
        struct request request = write_request(chip, noc, a, AT, b, TO, 4);
        if (arch == WH)
            request.ret_at = (struct place){21, 22};
        put_request(chip, a, &request);
        for (uint32_t i = 1; i < 4; i++) {
            poke(chip, a, AT, i);
            poke(chip, a, niu_register(chip, noc, 0, NOC_CMD_CTRL), 1);
            settle(chip);
            assert_int_equal(peek(chip, b, TO), i);
        }
    }
    tsr_chip_destroy(chip);
}

// Interfaces of tiles without cores, at the addresses that packets of each NoC see.
static void test_other_tiles(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0), ethernet = {1, arch == WH ? 0 : 1};
    const struct {
        struct place at;
        uint64_t base[TSR_NOCS];
    } of[TSR_ARCH_COUNT][6] = {
        {{{0, 0}, {0xfffb20000, 0xfffb30000}},
         {{0, 10}, {0xf12345000, 0xf12345000}},
         {{0, 2}, {0xfffb20000, 0xfffb30000}},
         {{0, 2}, {0xffb20000, 0xffb20000}},
         {{5, 10}, {0x100080000, 0x100088000}}, // among the peripherals
         {ethernet, {0xffb20000, 0xffb30000}}},
        {{{0, 11}, {0xffb20000, 0xffb30000}},
         {{8, 3}, {0xffffffffffb20000, 0xffffffffffb20000}},
         {{8, 3}, {0xffffffffff000000, 0xffffffffff000000}},
         {{8, 10}, {0xffb20000, 0xffb20000}},
         {{8, 10}, {0xff000000, 0xff000000}},
         {{0, 2}, {0xffb20000, 0xffb30000}}},
    };
    unsigned id = arch == WH ? 0x2c : 0x44;
    for (unsigned i = 0; i < 6; i++)
        for (int noc = 0; noc < TSR_NOCS; noc++) {
            struct place at = of[arch][i].at;
            tsr_node_info info;
            assert_int_equal(tsr_node_at((tsr_arch)arch, at.x, at.y, &info), TSR_OK);
            struct request request =
                read_request(chip, noc, at, of[arch][i].base[noc] + id, a, TO + (id & 15), 4);
            issue(chip, a, &request);
            settle(chip);
            struct place own =
                noc == 0 ? at : (struct place){(arch == WH ? 9 : 16) - at.x, 11 - at.y};
            assert_int_equal(peek(chip, a, TO + (id & 15)) & 0xfff, own.x | own.y << 6);
        }
    tsr_chip_destroy(chip);
}

// Each of a channel's three tiles shows the interfaces of all of them.
static void test_dram_siblings(void **state)
{
    (void)state;
    static const struct place tile[] = {{0, 1}, {0, 11}, {0, 0}};
    tsr_chip *chip = chip_with(WH, false);
    struct place a = tensix(chip, 0, 0);
    for (unsigned through = 0; through < 3; through++)
        for (unsigned i = 0; i < 3; i++) {
            uint64_t at = 0x100080000 + i * 0x10000 + 0x2c;
            struct request request = read_request(chip, 0, tile[through], at, a, TO + 12, 4);
            issue(chip, a, &request);
            settle(chip);
            assert_int_equal(peek(chip, a, TO + 12) & 0xfff, tile[i].x | tile[i].y << 6);
        }
    tsr_chip_destroy(chip);
}

// NOC_ENDPOINT_ID of DRAM tiles: the channel, and on Wormhole which of its ports a tile is.
static void test_dram_endpoints(int arch)
{
    static const struct {
        struct place at;
        uint64_t base[TSR_NOCS];
        uint32_t id;
    } of[TSR_ARCH_COUNT][3] = {
        {{{5, 2}, {0x100090000, 0x100098000}, 8 << 16 | 3 << 8 | 0},
         {{5, 9}, {0x1000a0000, 0x1000a8000}, 8 << 16 | 3 << 8 | 1},
         {{5, 10}, {0x100080000, 0x100088000}, 8 << 16 | 3 << 8 | 2}},
        {{{0, 5}, {0xffb20000, 0xffb30000}, 8 << 16 | 3},
         {{0, 7}, {0xffb20000, 0xffb30000}, 8 << 16 | 3},
         {{0, 8}, {0xffb20000, 0xffb30000}, 8 << 16 | 2}},
    };
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0);
    unsigned id = arch == WH ? 0x30 : 0x48;
    for (unsigned i = 0; i < 3; i++)
        for (uint32_t noc = 0; noc < TSR_NOCS; noc++) {
            struct request request = read_request(chip, (int)noc, of[arch][i].at,
                                                  of[arch][i].base[noc] + id, a, TO + (id & 15), 4);
            issue(chip, a, &request);
            settle(chip);
            assert_int_equal(peek(chip, a, TO + (id & 15)), of[arch][i].id | noc << 24);
        }
    tsr_chip_destroy(chip);
}

// A transaction that comes to zero is noted until somebody takes it.
static void test_zero_bits(void **state)
{
    (void)state;
    tsr_chip *chip = chip_with(BH, false);
    struct place a = tensix(chip, 0, 0), b = tensix(chip, 1, 0);
    for (unsigned id = 2; id <= 3; id++) {
        struct request request = read_request(chip, 0, b, AT, a, TO, 16);
        request.tag = id << NOC_PACKET_TRANSACTION_ID_FIRST;
        issue(chip, a, &request);
    }
    assert_int_equal(peek(chip, a, NIU_BASE(0) + 0x37c), 0);
    settle(chip);
    assert_int_equal(peek(chip, a, NIU_BASE(0) + 0x37c), 1 << 2 | 1 << 3);
    assert_int_equal(peek(chip, a, NIU_BASE(0) + 0x378), 0); // none is enabled
    poke(chip, a, NIU_BASE(0) + 0x178, 0xffff);
    assert_int_equal(peek(chip, a, NIU_BASE(0) + 0x378), 2);
    assert_int_equal(peek(chip, a, NIU_BASE(0) + 0x37c), 1 << 3);
    poke(chip, a, NIU_BASE(0) + 0x17c, 1 << 3);
    assert_int_equal(peek(chip, a, NIU_BASE(0) + 0x37c), 0);
    assert_int_equal(peek(chip, a, NIU_BASE(0) + 0x17c), 0);
    tsr_chip_destroy(chip);
}

TILE_BOTH(test_identification)
TILE_BOTH(test_configuration)
TILE_BOTH(test_translation)
TILE_BOTH(test_logical)
TILE_BOTH(test_harvesting)
TILE_BOTH(test_no_translation)
TILE_BOTH(test_kept_coordinates)
TILE_BOTH(test_other_tiles)
TILE_BOTH(test_dram_endpoints)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_identification),       TILE_TEST(test_configuration),
        TILE_TEST(test_translation),          TILE_TEST(test_logical),
        TILE_TEST(test_harvesting),           TILE_TEST(test_no_translation),
        TILE_TEST(test_kept_coordinates),     TILE_TEST(test_other_tiles),
        cmocka_unit_test(test_zero_bits),     cmocka_unit_test(test_ethernet_places),
        cmocka_unit_test(test_dram_siblings), TILE_TEST(test_dram_endpoints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
