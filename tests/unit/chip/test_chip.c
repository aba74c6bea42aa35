// SPDX-License-Identifier: Apache-2.0
// The chip from outside: what stands where, memories, tiles that exist once touched, and its clock.
// Pages: WormholeB0/README.md, DRAMTile/README.md.
#include <tessera/chip.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

// As src/base/fresh_pages.c does.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FRESH_PAGES 0
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define FRESH_PAGES 0
#endif
#ifndef FRESH_PAGES
#define FRESH_PAGES 1
#endif

static tsr_chip *make(tsr_arch arch)
{
    tsr_chip_options options = tsr_chip_options_default(arch);
    tsr_chip *chip = NULL;
    assert_int_equal(tsr_chip_create(&options, &chip), TSR_OK);
    return chip;
}

static void test_grid(void **state)
{
    (void)state;
    static const unsigned tensix[] = {80, 140}, dram[] = {18, 24}, ethernet[] = {16, 14};
    for (unsigned arch = 0; arch < TSR_ARCH_COUNT; arch++) {
        unsigned count[TSR_NODE_KIND_COUNT] = {0};
        unsigned columns = tsr_grid_columns((tsr_arch)arch), rows = tsr_grid_rows((tsr_arch)arch);
        for (unsigned i = 0; i < columns * rows; i++) {
            tsr_node_info info;
            assert_int_equal(tsr_node_at((tsr_arch)arch, i % columns, i / columns, &info), TSR_OK);
            if (info.kind == TSR_NODE_TENSIX)
                assert_int_equal(info.unit, count[TSR_NODE_TENSIX]);
            count[info.kind]++;
        }
        assert_int_equal(count[TSR_NODE_TENSIX], tensix[arch]);
        assert_int_equal(count[TSR_NODE_DRAM], dram[arch]);
        assert_int_equal(count[TSR_NODE_ETHERNET], ethernet[arch]);
        assert_int_equal(count[TSR_NODE_ARC], 1);
        tsr_node_info info;
        assert_int_equal(tsr_node_at((tsr_arch)arch, columns, 0, &info), TSR_NOT_FOUND);
        assert_int_equal(tsr_node_at((tsr_arch)arch, 0, rows, &info), TSR_NOT_FOUND);
    }
}

// The nodes of a channel show one memory, whose last byte is there and whose next one is not.
static void test_dram(void **state)
{
    (void)state;
    static const struct {
        unsigned x[2], y[2];
        uint64_t size;
    } of[] = {{{0, 0}, {0, 11}, 0x80000000}, {{0, 0}, {2, 10}, 0x100000000}};
    for (unsigned arch = 0; arch < TSR_ARCH_COUNT; arch++) {
        tsr_chip *chip = make((tsr_arch)arch);
        uint64_t value = 0x0123456789abcdef, read = 1, last = of[arch].size - 8;
        const unsigned *x = of[arch].x, *y = of[arch].y;
        assert_int_equal(tsr_chip_read(chip, x[1], y[1], last, &read, 8), TSR_OK);
        assert_int_equal(read, 0);
        assert_int_equal(tsr_chip_write(chip, x[0], y[0], last, &value, 8), TSR_OK);
        assert_int_equal(tsr_chip_read(chip, x[1], y[1], last, &read, 8), TSR_OK);
        assert_true(read == value);
        assert_int_equal(tsr_chip_read(chip, x[1], y[1], last + 1, &read, 8), TSR_UNMAPPED);
        assert_int_equal(tsr_chip_write(chip, x[1], y[1], last + 1, &value, 8), TSR_UNMAPPED);
        tsr_chip_reset(chip);
        assert_int_equal(tsr_chip_read(chip, x[1], y[1], last, &read, 8), TSR_OK);
        assert_int_equal(read, 0);
        tsr_chip_destroy(chip);
    }
}

// All that was written is gone after a reset, in whichever order its pages were made.
static void test_dram_after_reset(void **state)
{
    (void)state;
    static const uint64_t at[] = {0x7fff0000, 0, 0x10000, 0x1fffc, 0x40000000, 0x30000};
    enum { PLACES = sizeof at / sizeof *at };
    const uint64_t value = 0x0123456789abcdef;
    for (unsigned round = 0; round < 3 * TSR_ARCH_COUNT; round++) {
        tsr_chip *chip = make((tsr_arch)(round % TSR_ARCH_COUNT));
        for (unsigned life = 0; life < 3; life++) {
            uint64_t read[PLACES];
            for (unsigned i = 0; i < PLACES; i++) {
                assert_int_equal(tsr_chip_read(chip, 0, 0, at[i], &read[i], 8), TSR_OK);
                assert_int_equal(read[i], 0);
            }
            for (unsigned i = 0; i + life < PLACES; i++)
                assert_int_equal(tsr_chip_write(chip, 0, 0, at[i + life], &value, 8), TSR_OK);
            for (unsigned i = 0; i + life < PLACES; i++) {
                assert_int_equal(tsr_chip_read(chip, 0, 0, at[i + life], &read[i], 8), TSR_OK);
                assert_int_equal(read[i], value);
            }
            tsr_chip_reset(chip);
        }
        tsr_chip_destroy(chip);
    }
}

// Time comes in windows, whatever the slices.
static void test_clock(void **state)
{
    (void)state;
    for (unsigned arch = 0; arch < TSR_ARCH_COUNT; arch++) {
        tsr_chip *chip = make((tsr_arch)arch);
        assert_int_equal(tsr_chip_clock(chip, 63), TSR_OK);
        assert_int_equal(tsr_chip_cycle(chip), 0);
        assert_int_equal(tsr_chip_clock(chip, 1), TSR_OK);
        assert_int_equal(tsr_chip_cycle(chip), 64);
        tsr_tile *tile = NULL;
        assert_int_equal(tsr_chip_tile(chip, 1, 2, &tile), TSR_OK);
        assert_int_equal(tsr_cycle(tile), 64);
        assert_int_equal(tsr_chip_tile(chip, 0, 0, &tile), TSR_NOT_FOUND);
        assert_int_equal(tsr_chip_clock(chip, 1000), TSR_OK);
        assert_int_equal(tsr_cycle(tile), 64 + 960);
        tsr_chip_destroy(chip);
    }
}

// Memory that the process holds; 0: it is not known.
static uint64_t resident_bytes(void)
{
    unsigned long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return 0;
    if (fscanf(file, "%lu %lu", &pages, &resident) != 2)
        resident = 0;
    fclose(file);
    return (uint64_t)resident * 4096;
}

// A tile costs what was touched of it, in the first chip of a process and after others have gone.
static void test_touched_tiles(void **state)
{
    (void)state;
    enum { TILES = 40, MOST = 95 << 10 };
    const uint32_t word = 1;
    for (unsigned round = 0; round < 3; round++) {
        tsr_chip *chip = make(TSR_BLACKHOLE_A0);
        uint64_t before = resident_bytes();
        for (unsigned i = 0; i < TILES; i++)
            assert_int_equal(
                tsr_chip_write(chip, 1 + i % 5, 2 + i / 5, 0x100000, &word, sizeof word), TSR_OK);
        uint64_t after = resident_bytes();
        tsr_chip_destroy(chip);
        if (before == 0 || !FRESH_PAGES)
            skip();
        assert_true(after - before < (uint64_t)TILES * MOST);
    }
}

// So does each of its streams: what only one that runs uses is not touched by a store to a
// register.
static void test_touched_streams(void **state)
{
    (void)state;
    enum { TILES = 40, STREAMS = 64, MOST = 48 << 10, OVERLAY = 0xb40000, CURR_PHASE = 29 };
    tsr_chip *chip = make(TSR_BLACKHOLE_A0);
    tsr_tile *tile[TILES];
    for (unsigned i = 0; i < TILES; i++)
        assert_int_equal(tsr_chip_tile(chip, 1 + i % 5, 2 + i / 5, &tile[i]), TSR_OK);
    uint64_t before = resident_bytes();
    for (unsigned i = 0; i < TILES * STREAMS; i++)
        assert_int_equal(
            tsr_host_store(tile[i / STREAMS],
                           0xff000000u + OVERLAY + i % STREAMS * 0x1000 + 4 * CURR_PHASE, 1 + i, 4),
            TSR_OK);
    uint64_t after = resident_bytes();
    for (unsigned i = 0; i < TILES * STREAMS; i++) {
        uint32_t phase = 0;
        assert_int_equal(
            tsr_host_load(tile[i / STREAMS],
                          0xff000000u + OVERLAY + i % STREAMS * 0x1000 + 4 * CURR_PHASE, &phase, 4),
            TSR_OK);
        assert_int_equal(phase, (1 + i) & 0xfffff);
    }
    tsr_chip_destroy(chip);
    if (before == 0 || !FRESH_PAGES)
        skip();
    assert_true(after - before < (uint64_t)TILES * MOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grid),
        cmocka_unit_test(test_dram),
        cmocka_unit_test(test_dram_after_reset),
        cmocka_unit_test(test_clock),
        cmocka_unit_test(test_touched_tiles),
        cmocka_unit_test(test_touched_streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
