// SPDX-License-Identifier: Apache-2.0
// Races over the NoC: what cores of two or three tiles do and send, and which pair of accesses is
// told, on both chips, with timing and without.
// Pages: NoC/Ordering.md, NoC/Counters.md, BabyRISCV/MemoryOrdering.md.
#include "rig/noc_steps.h"

#include <stdio.h>

struct story {
    const char *name;
    struct step step[STEPS];
    const char *code, *part, *wait; // NULL: no finding
};

static const struct story stories[] = {
    // A read, and its buffer.
    {"a buffer is used before the read's barrier",
     {{0, CORE_B, READ, DRAM, A, 0, 1, 0}, {0, CORE_B, LOAD, 0, A + 64, 0, 0, 0}},
     "race-noc",
     "core B reads L1 from 0x20040 on, which the read on NoC 0 of core B writes",
     "tt_noc_wait(0, 1): NIU_MST_REQS_OUTSTANDING_ID(1) of NoC 0 is 0 (noc_async_read_barrier) "
     "(core B of tile"},
    {"... behind it",
     {{0, CORE_B, READ, DRAM, A, 0, 1, 0},
      {0, CORE_B, COMPLETE, 0, 0, 0, 1, 0},
      {0, CORE_B, LOAD, 0, A + 64, 0, 0, 0}},
     NULL,
     NULL,
     NULL},
    {"... behind that of another transaction",
     {{0, CORE_B, READ, DRAM, A, 0, 1, 0},
      {0, CORE_B, COMPLETE, 0, 0, 0, 2, 0},
      {0, CORE_B, LOAD, 0, A + 64, 0, 0, 0}},
     "race-noc",
     "core B reads",
     "tt_noc_wait(0, 1)"},
    {"... behind all reads",
     {{0, CORE_B, READ, DRAM, A, 0, 1, 0},
      {0, CORE_B, READS, 0, 0, 0, 0, 0},
      {0, CORE_B, LOAD, 0, A + 64, 0, 0, 0}},
     NULL,
     NULL,
     NULL},
    {"... by a core that was not told",
     {{0, CORE_B, READ, DRAM, A, 0, 1, 0},
      {0, CORE_B, COMPLETE, 0, 0, 0, 1, 0},
      {0, CORE_T, LOAD, 0, A + 64, 0, 0, 0}},
     "race-noc",
     "core T0 reads L1",
     "before it tells the other by a flag or semaphore"},
    {"... by one that was",
     {{0, CORE_B, READ, DRAM, A, 0, 1, 0},
      {0, CORE_B, COMPLETE, 0, 0, 0, 1, 0},
      {0, CORE_B, STORE, 0, FLAG, 0, 0, 0},
      {0, CORE_T, LOAD, 0, FLAG, 0, 0, 0},
      {0, CORE_T, LOAD, 0, A + 64, 0, 0, 0}},
     NULL,
     NULL,
     NULL},
    {"a store into the buffer of a read that is under way",
     {{0, CORE_B, READ, DRAM, A, 0, 1, 0}, {0, CORE_B, STORE, 0, A + 64, 0, 0, 0}},
     "race-noc",
     "which",
     "tt_noc_wait(0, 1)"},
    {"two reads into one buffer",
     {{0, CORE_B, READ, DRAM, A, 0, 1, 0}, {0, CORE_B, READ, DRAM, A, 4096, 1, 0}},
     "race-noc",
     "the read on NoC 0 of core B writes L1 from 0x20000 on, which the read",
     "tt_noc_wait(0, 1)"},
    // A write, and its data.
    {"data are overwritten before they are sent",
     {{0, CORE_B, WRITE, 1, A, A, 1, 0}, {0, CORE_B, STORE, 0, A + 64, 0, 0, 0}},
     "race-noc",
     "core B writes L1 from 0x20040 on, which the write on NoC 0 of core B reads",
     "tt_noc_wait_sent(0, 1): NIU_MST_WRITE_REQS_OUTGOING_ID(1)"},
    {"... after they were",
     {{0, CORE_B, WRITE, 1, A, A, 1, 0},
      {0, CORE_B, SENT, 0, 0, 0, 1, 0},
      {0, CORE_B, STORE, 0, A + 64, 0, 0, 0}},
     NULL,
     NULL,
     NULL},
    {"... after the acknowledgement",
     {{0, CORE_B, WRITE, 1, A, A, 1, 0},
      {0, CORE_B, ACKS, 0, 0, 0, 0, 0},
      {0, CORE_B, STORE, 0, A + 64, 0, 0, 0}},
     NULL,
     NULL,
     NULL},
    {"... when the request has left",
     {{0, CORE_B, WRITE, 1, A, A, 1, 0},
      {0, CORE_B, LEFT, 0, 0, 0, 0, 0},
      {0, CORE_B, STORE, 0, A + 64, 0, 0, 0}},
     "unguaranteed-noc",
     "by what hardware does",
     "NIU_MST_WRITE_REQS_OUTGOING_ID(1)"},
    {"a read of what was just stored",
     {{0, CORE_B, STORE, 0, A, 0, 0, 0}, {0, CORE_B, WRITE, 1, A, A, 1, 0}},
     "unguaranteed-noc",
     "the write on NoC 0 of core B reads L1 from 0x20000 on, which core B writes",
     "tt_wait_for(tt_load(address))"},
    {"... and read back",
     {{0, CORE_B, STORE, 0, A, 0, 0, 0},
      {0, CORE_B, LOAD, 0, A, 0, 0, 0},
      {0, CORE_B, WRITE, 1, A, A, 1, 0}},
     NULL,
     NULL,
     NULL},
    {"... or has three stores and a load behind it",
     {{0, CORE_B, STORE, 0, A, 0, 0, 0},
      {0, CORE_B, STORE, 0, B, 0, 0, 0},
      {0, CORE_B, STORE, 0, B + 4, 0, 0, 0},
      {0, CORE_B, STORE, 0, B + 8, 0, 0, 0},
      {0, CORE_B, LOAD, 0, FLAG, 0, 0, 0},
      {0, CORE_B, WRITE, 1, A, A, 1, 0}},
     NULL,
     NULL,
     NULL},
    {"a write of what a read brings",
     {{0, CORE_B, READ, DRAM, A, 0, 1, 0}, {0, CORE_B, WRITE, 1, A, A, 2, 0}},
     "race-noc",
     "the write on NoC 0 of core B reads L1 from 0x20000 on, which the read on NoC 0 of core B",
     "tt_noc_wait(0, 1)"},
    // Flags.
    {"data, barrier, flag",
     {{0, CORE_B, WRITE, 1, A, A, 1, 0},
      {0, CORE_B, COMPLETE, 0, 0, 0, 1, 0},
      {0, CORE_B, ADD, 1, 0, FLAG, 0, 0},
      {1, CORE_B, LOAD, 0, FLAG, 0, 0, 0},
      {1, CORE_B, LOAD, 0, A + 64, 0, 0, 0}},
     NULL,
     NULL,
     NULL},
    {"data, flag",
     {{0, CORE_B, WRITE, 1, A, A, 1, 0},
      {0, CORE_B, ADD, 1, 0, FLAG, 0, 0},
      {1, CORE_B, LOAD, 0, FLAG, 0, 0, 0},
      {1, CORE_B, LOAD, 0, A + 64, 0, 0, 0}},
     "race-noc",
     "core B reads L1 from 0x20040 on, which the write on NoC 0 of core B of tile 1-",
     "noc_async_write_barrier) (core B of tile"},
    {"data and flag on one channel",
     {{0, CORE_B, WRITE, 1, A, A, 1, STATIC},
      {0, CORE_B, ADD, 1, 0, FLAG, 1, STATIC},
      {1, CORE_B, LOAD, 0, FLAG, 0, 0, 0},
      {1, CORE_B, LOAD, 0, A + 64, 0, 0, 0}},
     "unguaranteed-noc",
     "core B reads L1 from 0x20040 on, which",
     "noc_async_write_barrier"},
    {"... on two channels",
     {{0, CORE_B, WRITE, 1, A, A, 1, STATIC},
      {0, CORE_B, ADD, 1, 0, FLAG, 1, OTHER_CHANNEL},
      {1, CORE_B, LOAD, 0, FLAG, 0, 0, 0},
      {1, CORE_B, LOAD, 0, A + 64, 0, 0, 0}},
     "race-noc",
     "core B reads L1",
     "noc_async_write_barrier"},
    {"... on two NoCs",
     {{0, CORE_B, WRITE, 1, A, A, 1, STATIC},
      {0, CORE_B, ADD, 1, 0, FLAG, 1, STATIC | NOC1},
      {1, CORE_B, LOAD, 0, FLAG, 0, 0, 0},
      {1, CORE_B, LOAD, 0, A + 64, 0, 0, 0}},
     "race-noc",
     "core B reads L1",
     "noc_async_write_barrier"},
    {"linked to a flag",
     {{0, CORE_B, POSTED, 1, A, A, 1, LINKED},
      {0, CORE_B, WRITE, 1, B, FLAG, 1, SHORT},
      {1, CORE_B, LOAD, 0, FLAG, 0, 0, 0},
      {1, CORE_B, LOAD, 0, A + 64, 0, 0, 0}},
     "unguaranteed-noc",
     "core B reads L1 from 0x20040 on",
     "NOC_CMD_RESP_MARKED"},
    {"data without a flag",
     {{0, CORE_B, WRITE, 1, A, A, 1, 0},
      {0, CORE_B, COMPLETE, 0, 0, 0, 1, 0},
      {1, CORE_B, LOAD, 0, A + 64, 0, 0, 0}},
     "race-noc",
     "core B reads L1",
     "then a flag or semaphore that the other waits for (tt_noc_increment(), noc_semaphore_inc)"},
    {"a flag that is set before the data are sent",
     {{0, CORE_B, ADD, 1, 0, FLAG, 0, 0},
      {0, CORE_B, WRITE, 1, A, A, 1, 0},
      {1, CORE_B, LOAD, 0, FLAG, 0, 0, 0},
      {1, CORE_B, LOAD, 0, A + 64, 0, 0, 0}},
     "race-noc",
     "core B reads L1",
     "then a flag or semaphore"},
    // Three tiles.
    {"two tiles write to the same bytes",
     {{0, CORE_B, WRITE, 2, A, A, 1, 0}, {1, CORE_B, WRITE, 2, A, A, 1, 0}},
     "race-noc",
     "writes L1 of tile",
     "tt_noc_wait(0, 1)"},
    {"... one after the other",
     {{0, CORE_B, WRITE, 2, A, A, 1, 0},
      {0, CORE_B, COMPLETE, 0, 0, 0, 1, 0},
      {0, CORE_B, ADD, 1, 0, FLAG, 0, 0},
      {1, CORE_B, LOAD, 0, FLAG, 0, 0, 0},
      {1, CORE_B, WRITE, 2, A, A, 1, 0}},
     NULL,
     NULL,
     NULL},
    {"two tiles count",
     {{0, CORE_B, ADD, 2, 0, FLAG, 0, 0},
      {1, CORE_B, ADD, 2, 0, FLAG, 0, 0},
      {2, CORE_B, LOAD, 0, FLAG, 0, 0, 0}},
     NULL,
     NULL,
     NULL},
    {"... and both have sent data",
     {{0, CORE_B, WRITE, 2, A, A, 1, 0},
      {0, CORE_B, COMPLETE, 0, 0, 0, 1, 0},
      {1, CORE_B, WRITE, 2, A, B, 1, 0},
      {1, CORE_B, COMPLETE, 0, 0, 0, 1, 0},
      {0, CORE_B, ADD, 2, 0, FLAG, 0, 0},
      {1, CORE_B, ADD, 2, 0, FLAG, 0, 0},
      {2, CORE_B, LOAD, 0, FLAG, 0, 0, 0},
      {2, CORE_B, LOAD, 0, A + 64, 0, 0, 0},
      {2, CORE_B, LOAD, 0, B + 64, 0, 0, 0}},
     NULL,
     NULL,
     NULL},
    {"a flag that goes around",
     {{0, CORE_B, WRITE, 2, A, A, 1, 0},
      {0, CORE_B, COMPLETE, 0, 0, 0, 1, 0},
      {0, CORE_B, WORD, 1, 0, FLAG, 0, 0},
      {1, CORE_NC, LOAD, 0, FLAG, 0, 0, 0},
      {1, CORE_NC, ADD, 2, 0, FLAG, 0, 0},
      {2, CORE_B, LOAD, 0, FLAG, 0, 0, 0},
      {2, CORE_B, LOAD, 0, A + 64, 0, 0, 0}},
     NULL,
     NULL,
     NULL},
    {"DRAM is read that another tile writes",
     {{0, CORE_B, WRITE, DRAM, A, 4096, 1, 0}, {1, CORE_B, READ, DRAM, A, 4096, 1, 0}},
     "race-noc",
     "DRAM channel 0 from 0x1000 on",
     "tt_noc_wait(0, 1)"},
    {"... after it was told",
     {{0, CORE_B, WRITE, DRAM, A, 4096, 1, 0},
      {0, CORE_B, COMPLETE, 0, 0, 0, 1, 0},
      {0, CORE_B, ADD, 1, 0, FLAG, 0, 0},
      {1, CORE_B, LOAD, 0, FLAG, 0, 0, 0},
      {1, CORE_B, READ, DRAM, A, 4096, 1, 0}},
     NULL,
     NULL,
     NULL},
    {"... by the tile itself, on one channel",
     {{0, CORE_B, WRITE, DRAM, A, 4096, 1, STATIC}, {0, CORE_B, READ, DRAM, B, 4096, 1, STATIC}},
     NULL,
     NULL,
     NULL},
    {"... on no channel of its own",
     {{0, CORE_B, WRITE, DRAM, A, 4096, 1, 0}, {0, CORE_B, READ, DRAM, B, 4096, 1, 0}},
     "race-noc",
     "the read on NoC 0 of core B reads DRAM channel 0",
     "tt_noc_wait(0, 1)"},
    {"a write into what another tile's core has stored",
     {{1, CORE_B, STORE, 0, A + 64, 0, 0, 0}, {0, CORE_B, WRITE, 1, A, A, 1, 0}},
     "race-noc",
     "core B writes L1 from 0x20040 on, which the write on NoC 0 of core B of tile",
     "a flag or semaphore of tile"},
    {"... that has said so",
     {{1, CORE_B, STORE, 0, A + 64, 0, 0, 0},
      {1, CORE_B, ADD, 0, 0, FLAG, 0, 0},
      {0, CORE_B, LOAD, 0, FLAG, 0, 0, 0},
      {0, CORE_B, WRITE, 1, A, A, 1, 0}},
     NULL,
     NULL,
     NULL},
    {"a buffer is filled anew while a core may still read it",
     {{0, CORE_B, WRITE, 1, A, A, 1, 0},
      {0, CORE_B, COMPLETE, 0, 0, 0, 1, 0},
      {0, CORE_B, ADD, 1, 0, FLAG, 0, 0},
      {1, CORE_B, LOAD, 0, FLAG, 0, 0, 0},
      {1, CORE_B, LOAD, 0, A + 64, 0, 0, 0},
      {0, CORE_B, WRITE, 1, A, A, 1, 0}},
     "race-noc",
     "core B reads L1 from 0x20040 on, which the write on NoC 0 of core B of tile",
     "a flag or semaphore of tile"},
    {"... after it was given back",
     {{0, CORE_B, WRITE, 1, A, A, 1, 0},
      {0, CORE_B, COMPLETE, 0, 0, 0, 1, 0},
      {0, CORE_B, ADD, 1, 0, FLAG, 0, 0},
      {1, CORE_B, LOAD, 0, FLAG, 0, 0, 0},
      {1, CORE_B, LOAD, 0, A + 64, 0, 0, 0},
      {1, CORE_B, ADD, 0, 0, FLAG, 0, 0},
      {0, CORE_B, LOAD, 0, FLAG, 0, 0, 0},
      {0, CORE_B, WRITE, 1, A, A, 1, 0}},
     NULL,
     NULL,
     NULL},
    // Broadcasts.
    {"a row, its barrier, a flag",
     {{0, CORE_B, ROW, 1, A, A, 1, 0},
      {0, CORE_B, ACKS, 0, 0, 0, 0, 0},
      {0, CORE_B, ADD, 2, 0, FLAG, 0, 0},
      {2, CORE_B, LOAD, 0, FLAG, 0, 0, 0},
      {2, CORE_B, LOAD, 0, A + 64, 0, 0, 0}},
     NULL,
     NULL,
     NULL},
    {"a row and a flag",
     {{0, CORE_B, ROW, 1, A, A, 1, 0},
      {0, CORE_B, ADD, 2, 0, FLAG, 0, 0},
      {2, CORE_B, LOAD, 0, FLAG, 0, 0, 0},
      {2, CORE_B, LOAD, 0, A + 64, 0, 0, 0}},
     "race-noc",
     "core B reads L1",
     "tt_noc_wait_acks(0, before, receivers)"},
    // Registers of the overlay as flags.
    {"a stream's register tells",
     {{0, CORE_B, WRITE, 1, A, A, 1, 0},
      {0, CORE_B, COMPLETE, 0, 0, 0, 1, 0},
      {0, CORE_B, SIGNAL, 1, 0, 0, 0, 0},
      {1, CORE_B, LOOK, 0, 0, 0, 0, 0},
      {1, CORE_B, LOAD, 0, A + 64, 0, 0, 0}},
     NULL,
     NULL,
     NULL},
    {"... and nobody looks",
     {{0, CORE_B, WRITE, 1, A, A, 1, 0},
      {0, CORE_B, COMPLETE, 0, 0, 0, 1, 0},
      {0, CORE_B, SIGNAL, 1, 0, 0, 0, 0},
      {1, CORE_B, LOAD, 0, A + 64, 0, 0, 0}},
     "race-noc",
     "core B reads L1",
     "a flag or semaphore"},
};

// The one finding of all tiles; NULL: none.
static const tsr_diagnostic *only_race(tsr_chip *chip)
{
    const tsr_diagnostic *race = NULL;
    tsr_chip_finding found;
    for (int i = 0; tsr_chip_finding_at(chip, i, &found) == TSR_OK; i++) {
        tsr_category category = found.diagnostic->category;
        if (category != TSR_RACE && category != TSR_UNGUARANTEED_ORDER)
            continue;
        if (race)
            print_message("%s\n%s\n", race->sentence, found.diagnostic->sentence);
        assert_null(race);
        race = found.diagnostic;
    }
    return race;
}

static void expect(tsr_chip *chip, const struct story *story)
{
    const tsr_diagnostic *race = only_race(chip);
    if (!story->code) {
        if (race)
            print_message("%s: %s\n", story->name, race->sentence);
        assert_null(race);
        return;
    }
    if (!race)
        print_message("%s: nothing found\n", story->name);
    assert_non_null(race);
    if (strcmp(race->code, story->code) != 0 || !strstr(race->sentence, story->part) ||
        !strstr(race->wait, story->wait))
        print_message("%s: %s: %s\n  %s\n", story->name, race->code, race->sentence, race->wait);
    assert_string_equal(race->code, story->code);
    assert_non_null(strstr(race->sentence, story->part));
    assert_non_null(strstr(race->wait, story->wait));
    assert_true(race->has_other);
}

static void play(int arch, bool timing, const struct story *story)
{
    tsr_chip_options options = tsr_chip_options_default((tsr_arch)arch);
    tsr_chip *chip = NULL;
    options.tile.timing = timing;
    options.tile.find_races = true;
    assert_int_equal(tsr_chip_create(&options, &chip), TSR_OK);
    assert_int_equal(tsr_chip_set_policy(chip, "unguaranteed-order", TSR_ACTION_RECORD), TSR_OK);
    for (unsigned tile = 0; tile < 3; tile++)
        tile_of(chip, tile);
    for (const struct step *step = story->step; step->op != END; step++)
        act(chip, step);
    settle(chip);
    expect(chip, story);
    tsr_chip_destroy(chip);
}

// Two steps that no program orders: the sides are named alike whichever was first.
static const struct step pairs[][2] = {
    {{0, CORE_B, WRITE, 2, A, A, 1, 0}, {1, CORE_B, WRITE, 2, A, A, 1, 0}},
    {{0, CORE_B, WRITE, 2, A, A, 1, 0}, {0, CORE_NC, WRITE, 2, A, A, 2, 0}},
    {{0, CORE_B, WRITE, 1, A, A, 1, 0}, {1, CORE_B, LOAD, 0, A + 64, 0, 0, 0}},
    {{1, CORE_B, WRITE, 0, A, A, 1, 0}, {0, CORE_B, STORE, 0, A + 64, 0, 0, 0}},
    {{0, CORE_B, WRITE, DRAM, A, 4096, 1, 0}, {1, CORE_B, READ, DRAM, A, 4096, 1, 0}},
};

static void test_named_alike(int arch)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char sentence[320] = "";
        for (int variant = 0; variant < 4; variant++) {
            bool timing = variant & 1, reversed = variant & 2;
            tsr_chip_options options = tsr_chip_options_default((tsr_arch)arch);
            tsr_chip *chip = NULL;
            options.tile.timing = timing;
            options.tile.find_races = true;
            assert_int_equal(tsr_chip_create(&options, &chip), TSR_OK);
            for (unsigned tile = 0; tile < 3; tile++)
                tile_of(chip, tile);
            const struct step steps[] = {pairs[i][reversed], pairs[i][!reversed], {.op = END}};
            act(chip, &steps[0]);
            if (reversed) // and long before
                settle(chip);
            act(chip, &steps[1]);
            settle(chip);
            const tsr_diagnostic *race = only_race(chip);
            assert_non_null(race);
            if (variant == 0)
                snprintf(sentence, sizeof sentence, "%s", race->sentence);
            assert_string_equal(race->sentence, sentence);
            tsr_chip_destroy(chip);
        }
    }
}

TILE_BOTH(test_named_alike)

static void test_stories(int arch)
{
    for (size_t i = 0; i < sizeof stories / sizeof *stories; i++)
        for (int timing = 0; timing <= 1; timing++)
            play(arch, timing, &stories[i]);
}

TILE_BOTH(test_stories)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_stories),
        TILE_TEST(test_named_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
