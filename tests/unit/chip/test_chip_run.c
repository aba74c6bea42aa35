// SPDX-License-Identifier: Apache-2.0
// The chip's time: nothing depends on slices or host threads, a busy tile does what it does alone,
// and a run ends for the reason that it gives. Findings have their tile's place.
#include "chip/chip_state.h"
#include "rig/chip_rig.h"
#include "rig/each_chip.h"
#include "rig/state_compare.h"

enum { TILES = 5, CYCLES = 6400 };
static const uint8_t place[TILES][2] = {{1, 2}, {2, 2}, {4, 5}, {7, 8}, {3, 11}};

// Tiles that write to each other in a ring, over either NoC.
static tsr_chip *talking_chip(int arch, bool timing, unsigned threads)
{
    tsr_chip_options options = tsr_chip_options_default((tsr_arch)arch);
    options.tile.timing = timing;
    options.threads = threads;
    options.threads_always = true;
    tsr_chip *chip = chip_with(&options);
    for (unsigned i = 0; i < TILES; i++) {
        const uint8_t *from = place[i], *to = place[(i + 1) % TILES];
        chip_load_talker(chip_tile(chip, from[0], from[1]), from[0], from[1], to[0], to[1], i % 2,
                         20 + 10 * i);
    }
    return chip;
}

static tsr_chip *busy_chip(int arch, bool timing, unsigned threads)
{
    tsr_chip_options options = tsr_chip_options_default((tsr_arch)arch);
    options.tile.timing = timing;
    options.threads = threads;
    options.threads_always = true;
    tsr_chip *chip = chip_with(&options);
    for (uint32_t i = 0; i < TILES; i++)
        chip_load_busy(chip_tile(chip, place[i][0], place[i][1]), 100 + 300 * i);
    return chip;
}

static void assert_same_tiles(const tsr_tile *a, const tsr_tile *b)
{
    const char *differs = tile_difference(a, b);
    if (differs)
        fail_msg("%s", differs);
}

static void assert_same_chips(tsr_chip *a, tsr_chip *b)
{
    for (unsigned i = 0; i < TILES; i++)
        assert_same_tiles(chip_tile(a, place[i][0], place[i][1]),
                          chip_tile(b, place[i][0], place[i][1]));
    assert_true(tsr_chip_cycle(a) == tsr_chip_cycle(b));
    assert_int_equal(tsr_chip_finding_count(a), tsr_chip_finding_count(b));
}

typedef tsr_chip *maker(int arch, bool timing, unsigned threads);
static maker *const makers[] = {busy_chip, talking_chip};

// What no more threads than count are asked for is reckoned with as many.
static void too_many_threads(int arch)
{
    tsr_chip *few = talking_chip(arch, false, 1);
    tsr_chip *many = talking_chip(arch, false, 4 * TSR_CHIP_THREADS);
    assert_int_equal(tsr_chip_clock(few, CYCLES), TSR_OK);
    assert_int_equal(tsr_chip_clock(many, CYCLES), TSR_OK);
    assert_int_equal(many->pace.threads, TSR_CHIP_THREADS);
    assert_same_chips(few, many);
    tsr_chip_destroy(few);
    tsr_chip_destroy(many);
}

static void slices_change_nothing(int arch)
{
    for (int i = 0; i < 4; i++) {
        bool timing = i & 1;
        tsr_chip *whole = makers[i / 2](arch, timing, 1), *cut = makers[i / 2](arch, timing, 1);
        assert_int_equal(tsr_chip_clock(whole, CYCLES), TSR_OK);
        uint32_t random = 1;
        for (uint64_t left = CYCLES; left > 0;) {
            random = random * 1664525 + 1013904223;
            uint64_t slice = (random >> 16) % 200 + 1;
            slice = slice < left ? slice : left;
            assert_int_equal(tsr_chip_clock(cut, slice), TSR_OK);
            left -= slice;
        }
        assert_same_chips(whole, cut);
        tsr_chip_destroy(whole);
        tsr_chip_destroy(cut);
    }
}

static void threads_change_nothing(int arch)
{
    for (int k = 0; k < 4; k++) {
        tsr_chip *one = makers[k / 2](arch, k & 1, 1), *three = makers[k / 2](arch, k & 1, 3);
        for (int i = 0; i < 4; i++) {
            assert_int_equal(tsr_chip_clock(one, CYCLES / 4), TSR_OK);
            assert_int_equal(tsr_chip_clock(three, CYCLES / 4), TSR_OK);
        }
        assert_same_chips(one, three);
        tsr_chip_destroy(one);
        tsr_chip_destroy(three);
    }
}

// As the same tile does that nobody runs in windows.
static void tile_does_as_alone(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_chip *chip = busy_chip(arch, timing, 1);
        assert_int_equal(tsr_chip_clock(chip, CYCLES), TSR_OK);
        for (uint32_t i = 0; i < TILES; i++) {
            tsr_tile *lone = tile_with_cores(arch, timing, TSR_PROFILE_SILICON);
            chip_load_busy(lone, 100 + 300 * i);
            tsr_run_cycles(lone, CYCLES);
            assert_same_tiles(lone, chip_tile(chip, place[i][0], place[i][1]));
            tsr_tile_destroy(lone);
        }
        tsr_chip_destroy(chip);
    }
}

// The kernels that write to each other come to their ends, and have read each other's words.
static void tiles_talk(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_chip *chip = talking_chip(arch, timing, 1);
        tsr_chip_limits limits = tsr_chip_limits_default();
        limits.max_cycles = 1000000;
        assert_int_equal(tsr_chip_run(chip, &limits), TSR_END_IDLE);
        for (unsigned i = 0; i < TILES; i++) {
            uint32_t words[2] = {0, 0};
            assert_int_equal(tsr_chip_read(chip, place[i][0], place[i][1], 0xa100, words, 8),
                             TSR_OK);
            assert_int_equal(words[0], 1); // the last round of the tile before
            assert_int_equal(tsr_chip_read(chip, place[i][0], place[i][1], 0xa000, words, 4),
                             TSR_OK);
            assert_int_not_equal(words[0], 0);
        }
        tsr_chip_destroy(chip);
    }
}

static void run_ends(int arch)
{
    tsr_chip *chip = busy_chip(arch, false, 1);
    tsr_chip_limits limits = tsr_chip_limits_default();
    limits.max_cycles = 100;
    assert_int_equal(tsr_chip_run(chip, &limits), TSR_END_TIMEOUT);
    assert_int_equal(tsr_chip_cycle(chip), 128);
    limits = tsr_chip_limits_default();
    limits.until_x = place[4][0];
    limits.until_y = place[4][1];
    limits.until_address = CHIP_DONE;
    limits.until_value = limits.until_mask = 0xff;
    assert_int_equal(tsr_chip_run(chip, &limits), TSR_END_UNTIL);
    limits.until_mask = 0;
    assert_int_equal(tsr_chip_run(chip, &limits), TSR_END_IDLE);
    struct code code = code_at(chip_tile(chip, 1, 2), 0x10000); // waits for nobody
    code_wait_for(&code, 0x8200, 1);
    assert_int_equal(tsr_core_hold(code.tile, TSR_CORE_B), TSR_OK);
    code.at = 0;
    code_jump(&code, 0x10000);
    assert_int_equal(tsr_core_start(code.tile, TSR_CORE_B, 0), TSR_OK);
    assert_int_equal(tsr_chip_run(chip, &limits), TSR_END_DEADLOCK);
    limits.external = true;
    assert_int_equal(tsr_chip_run(chip, &limits), TSR_END_BLOCKED);
    tsr_chip_destroy(chip);
}

// An instruction that stops one tile; the others go on.
static void findings_have_places(int arch)
{
    tsr_chip *chip = chip_make(arch);
    assert_int_equal(tsr_chip_set_policy(chip, "unmapped-address", TSR_ACTION_STOP), TSR_OK);
    assert_int_equal(tsr_chip_set_policy(chip, "no-such-code", TSR_ACTION_STOP), TSR_NOT_FOUND);
    chip_load_busy(chip_tile(chip, 2, 3), 1000);
    tsr_tile *wild = chip_tile(chip, 3, 4);
    struct code code = code_at(wild, 0);
    code_store(&code, 0xfff00000u, 1);
    assert_int_equal(tsr_core_start(wild, TSR_CORE_B, 0), TSR_OK);
    assert_int_equal(tsr_chip_run(chip, NULL), TSR_END_STOPPED);
    assert_int_equal(tsr_chip_finding_count(chip), 1);
    tsr_chip_finding found;
    assert_int_equal(tsr_chip_finding_at(chip, 0, &found), TSR_OK);
    assert_string_equal(found.diagnostic->code, "unmapped-address");
    assert_int_equal(found.node.x, 3);
    assert_int_equal(found.node.y, 4);
    assert_int_equal(found.diagnostic->core, TSR_CORE_B);
    assert_int_equal(tsr_chip_finding_at(chip, 1, &found), TSR_NOT_FOUND);
    assert_int_equal(tsr_chip_clock(chip, 6400), TSR_OK);
    uint32_t done = 0;
    assert_int_equal(tsr_chip_read(chip, 2, 3, CHIP_DONE, &done, 4), TSR_OK);
    assert_int_equal(done, 0xff);
    uint64_t all = 0; // nothing is there
    assert_int_equal(tsr_chip_read(chip, 0, 1, 0x123456789abcu, &all, 8), TSR_UNMAPPED);
    assert_true(all == UINT64_MAX);
    assert_int_equal(tsr_chip_finding_count(chip), 2);
    assert_int_equal(tsr_chip_finding_at(chip, 1, &found), TSR_OK);
    assert_string_equal(found.diagnostic->code, "host-unmapped");
    assert_int_equal(found.node.kind, TSR_NODE_DRAM);
    assert_int_equal(tsr_chip_read(chip, 99, 99, 0, &done, 4), TSR_NOT_FOUND);
    assert_int_equal(tsr_chip_finding_at(chip, 2, &found), TSR_OK);
    assert_int_equal(found.node.kind, TSR_NODE_PCIE);
    tsr_chip_reset(chip);
    assert_int_equal(tsr_chip_finding_count(chip), 0);
    tsr_chip_destroy(chip);
}

// A policy for each code, however many there are; tiles that are made before and after it follow.
static void policies_reach_all_tiles(int arch)
{
    for (int before = 0; before < 2; before++) {
        tsr_chip *chip = chip_make(arch);
        if (before)
            (void)chip_tile(chip, 3, 4);
        for (int i = 0; i < tsr_finding_count(); i++)
            assert_int_equal(tsr_chip_set_policy(chip, tsr_finding_at(i)->code, TSR_ACTION_RECORD),
                             TSR_OK);
        assert_int_equal(tsr_chip_set_policy(chip, "unmapped-address", TSR_ACTION_STOP), TSR_OK);
        struct code code = code_at(chip_tile(chip, 3, 4), 0);
        code_store(&code, 0xfff00000u, 1);
        assert_int_equal(tsr_core_start(code.tile, TSR_CORE_B, 0), TSR_OK);
        assert_int_equal(tsr_chip_run(chip, NULL), TSR_END_STOPPED);
        tsr_chip_destroy(chip);
    }
}

TILE_BOTH(slices_change_nothing)
TILE_BOTH(threads_change_nothing)
TILE_BOTH(too_many_threads)
TILE_BOTH(tile_does_as_alone)
TILE_BOTH(tiles_talk)
TILE_BOTH(run_ends)
TILE_BOTH(findings_have_places)
TILE_BOTH(policies_reach_all_tiles)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(slices_change_nothing),
        TILE_TEST(threads_change_nothing),
        TILE_TEST(too_many_threads),
        TILE_TEST(tile_does_as_alone),
        TILE_TEST(run_ends),
        TILE_TEST(tiles_talk),
        TILE_TEST(findings_have_places),
        TILE_TEST(policies_reach_all_tiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
