// SPDX-License-Identifier: Apache-2.0
// Streams of the NoC overlay as registers: widths, what a store does beside, which stream has what,
// for the tile itself and over the NoC, and for an instruction. Page: NoC/Overlay/AsGeneralUse.md.
#include "rig/noc_rig.h"
#include "rig/tile_rig.h"

static uint32_t stream(unsigned id, int arch, unsigned wh, unsigned bh)
{
    return 0xffb40000u + id * 0x1000 + 4 * (arch == WH ? wh : bh);
}

static void test_widths(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0);
    const struct {
        unsigned wh, bh;
        uint32_t first, other; // what of all ones stays in streams 0 and 63
    } of[] = {{7, 18, 0x1ffff, 0x1ffff}, {244, 28, 0xfffff, 0xfffff}, {48, 224, 0xffffff, 0},
              {14, 25, 0x3f, 0},         {40, 6, 0xf, 0xf},           {242, 9, 0x7fff, 0},
              {2, 7, 0x3ffff, 0x3ffff},  {0, 4, 0xffffff, 0xffffff},  {250, 38, 0xffffff, 0},
              {18, 259, 0, 0},           {17, 33, 0x3fff, 0}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        poke(chip, a, stream(0, arch, of[i].wh, of[i].bh), 0xffffffff);
        poke(chip, a, stream(63, arch, of[i].wh, of[i].bh), 0xffffffff);
        assert_int_equal(peek(chip, a, stream(0, arch, of[i].wh, of[i].bh)), of[i].first);
        assert_int_equal(peek(chip, a, stream(63, arch, of[i].wh, of[i].bh)), of[i].other);
    }
    assert_int_equal(peek(chip, a, stream(9, arch, 35, 257)), 1); // waits for software
    tsr_chip_destroy(chip);
}

// Credits: a size sets them, updates add to one of them.
static void test_space(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0);
    uint32_t update = stream(2, arch, 34, 270), space = stream(2, arch, 64, 297);
    uint32_t status = stream(2, arch, 226, 503);
    assert_int_equal(peek(chip, a, status), 0);
    poke(chip, a, stream(2, arch, 4, 10), 100);
    poke(chip, a, update, 7 << 6 | 5);
    poke(chip, a, update, (0x1ffff - 99) << 6 | 31);
    assert_int_equal(peek(chip, a, space), 100);
    assert_int_equal(peek(chip, a, space + 4 * 5), 107);
    assert_int_equal(peek(chip, a, space + 4 * 31), 0);
    assert_int_equal(peek(chip, a, status), 0);
    poke(chip, a, update, 1 << 6 | 31);
    assert_int_equal(peek(chip, a, status), 8);
    uint32_t other = stream(20, arch, 64, 297);
    poke(chip, a, stream(20, arch, 34, 270), 3 << 6);
    assert_int_equal(peek(chip, a, other), 3);
    tsr_chip_destroy(chip);
}

static void test_side_effects(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0);
    uint32_t read = stream(4, arch, 24, 19), write = stream(4, arch, 25, 20);
    poke(chip, a, write, 9);
    poke(chip, a, stream(4, arch, 6, 17), 1000);
    assert_int_equal(peek(chip, a, write), 0);
    poke(chip, a, read, 20);
    assert_int_equal(peek(chip, a, stream(4, arch, 19, 262)), 1020);
    uint32_t phase = stream(4, arch, 11, 29), header = stream(4, arch, 36, 34);
    poke(chip, a, phase, 5);
    poke(chip, a, header, 0x12345000 | 3);
    assert_int_equal(peek(chip, a, phase), 8);
    assert_int_equal(peek(chip, a, header) >> 12, 0x12345);
    poke(chip, a, stream(4, arch, 244, 28), 2);
    assert_int_equal(peek(chip, a, phase), 6);
    uint32_t info = stream(4, arch, 8, 22), can = stream(4, arch, 41, 275);
    assert_int_equal(peek(chip, a, can), 1);
    poke(chip, a, info, 5);
    assert_int_equal(peek(chip, a, can), 0);
    poke(chip, a, stream(4, arch, 26, 23), 5);
    assert_int_equal(peek(chip, a, can), 1);
    tsr_chip_destroy(chip);
}

// The one memory where a plain write over the NoC adds.
static void test_over_the_noc(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0), b = tensix(chip, 5, 5);
    for (int i = 0; i < 3; i++) {
        struct request request =
            inline_request(chip, i & 1, b, stream(12, arch, 34, 270), 2 << 6, 0xf);
        issue(chip, a, &request);
    }
    settle(chip);
    assert_int_equal(peek(chip, b, stream(12, arch, 64, 297)), 6);
    assert_int_equal(all_findings(chip, a), 0);
    tsr_chip_destroy(chip);
}

static void test_missing(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0);
    uint32_t value = 1;
    assert_int_not_equal(tsr_chip_write(chip, a.x, a.y, stream(0, arch, 27, 267), &value, 4),
                         TSR_OK); // starts a phase
    assert_int_equal(findings(chip, a, "unimplemented-mode"), 1);
    tsr_chip_destroy(chip);
}

// STREAMWRCFG moves a register into the configuration.
static void test_instruction(void **state)
{
    (void)state;
    tsr_chip *chip = chip_with(BH, false);
    struct place a = tensix(chip, 0, 0);
    tsr_tile *tile = NULL;
    assert_int_equal(tsr_chip_tile(chip, a.x, a.y, &tile), TSR_OK);
    tile_field(tile, 1, FIELD_STREAM_ID_SYNC_SEC2_BankSel, 33);
    poke(chip, a, stream(33, BH, 7, 18), 0x1234);
    tile_push(tile, 1, "STREAMWRCFG CfgReg=76 StreamRegAddr=18 stream_id_sel=2");
    tsr_chip_clock(chip, WINDOW);
    assert_int_equal(tile_state(tile)->config.bank[0][76], 0x1234);
    assert_int_equal(all_findings(chip, a), 0);
    tsr_chip_destroy(chip);
}

TILE_BOTH(test_widths)
TILE_BOTH(test_space)
TILE_BOTH(test_side_effects)
TILE_BOTH(test_over_the_noc)
TILE_BOTH(test_missing)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_widths),       TILE_TEST(test_space),   TILE_TEST(test_side_effects),
        TILE_TEST(test_over_the_noc), TILE_TEST(test_missing), cmocka_unit_test(test_instruction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
