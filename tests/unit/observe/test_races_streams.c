// SPDX-License-Identifier: Apache-2.0
// Races with what streams of the NoC overlay send by themselves, and what loads of their registers
// and of a receiver's counters tell, on both chips, with timing off and on.
// Pages: WormholeB0/NoC/Overlay/TransferBetweenTiles.md, NoC/Counters.md.
#include "chip/stream_registers.h"
#include "rig/noc_steps.h"

enum { BUFFER = 0x20000, HEADERS = 0x60000, SOURCE = 0x80000, LINE = 16 };
enum { FROM = 20, TO = 41, WORDS = 4, MANY = 3 };

static void set(tsr_chip *chip, struct place tile, unsigned id, enum tsr_stream_register reg,
                uint32_t value)
{
    poke(chip, tile, tsr_stream_address(&chip->noc, id, reg), value);
}

// Bits of STREAM_MISC_CFG at the same place on both chips.
enum {
    UPDATE_NOC = 1 << 2,
    FROM_SOFTWARE = 1 << 4,
    FROM_STREAM = 1 << 5,
    TO_SOFTWARE = 1 << 6,
    TO_STREAM = 1 << 8
};

static void set_up(tsr_chip *chip, unsigned tile, unsigned id, unsigned config, uint32_t size)
{
    struct place at = place_of(chip, tile);
    set(chip, at, 0, STREAM_MSG_HEADER_FORMAT, 16 | 16 << 7);
    set(chip, at, id, STREAM_MISC_CFG, config);
    set(chip, at, id, STREAM_CURR_PHASE, 1);
    set(chip, at, id, STREAM_PHASE_AUTO_CFG_HEADER, MANY << 12);
    set(chip, at, id, STREAM_BUF_START, id == TO ? BUFFER / LINE : 0);
    set(chip, at, id, STREAM_BUF_SIZE, size);
    set(chip, at, id, STREAM_MSG_INFO_PTR, HEADERS / LINE);
    set(chip, at, id, STREAM_MSG_INFO_WR_PTR, HEADERS / LINE);
}

// Stream FROM of tile 0 sends to stream TO of tile 1, whose buffer has room for one message.
static tsr_chip *connected(int arch, bool timing)
{
    tsr_chip_options options = tsr_chip_options_default((tsr_arch)arch);
    tsr_chip *chip = NULL;
    options.tile.timing = timing;
    options.tile.find_races = true;
    assert_int_equal(tsr_chip_create(&options, &chip), TSR_OK);
    assert_int_equal(tsr_chip_set_policy(chip, "unguaranteed-order", TSR_ACTION_RECORD), TSR_OK);
    struct place a = place_of(chip, 0), b = place_of(chip, 1);
    struct place source = on_noc(chip, 1, a);
    tile_of(chip, 0);
    tile_of(chip, 1);
    uint8_t message[WORDS * LINE] = {[2] = WORDS};
    for (unsigned i = 0; i < MANY; i++)
        assert_int_equal(
            tsr_chip_write(chip, a.x, a.y, SOURCE + 0x400 * i, message, sizeof message), TSR_OK);
    unsigned change = arch == BH ? 3u << 11 : 3u << 12; // of source and destination
    set_up(chip, 0, FROM, FROM_SOFTWARE | TO_STREAM | change, 0x1ffff);
    set_up(chip, 1, TO, FROM_STREAM | TO_SOFTWARE | UPDATE_NOC | change, WORDS);
    set(chip, b, TO, STREAM_REMOTE_SRC_PHASE, 1);
    set(chip, a, FROM, STREAM_REMOTE_DEST, b.x | b.y << 6 | TO << 12);
    set(chip, a, FROM, STREAM_REMOTE_DEST_BUF_START, BUFFER / LINE);
    set(chip, a, FROM, STREAM_REMOTE_DEST_BUF_SIZE, WORDS);
    set(chip, a, FROM, STREAM_REMOTE_DEST_MSG_INFO_WR_PTR, HEADERS / LINE);
    set(chip, b, TO, STREAM_REMOTE_SRC, source.x | source.y << 6 | FROM << 12);
    set(chip, a, FROM, STREAM_PHASE_ADVANCE, 1);
    set(chip, b, TO, STREAM_PHASE_ADVANCE, 1);
    tsr_chip_clock(chip, 64 * WINDOW);
    return chip;
}

// ---------------------------------------------------------------- what cores do

static uint32_t load(tsr_chip *chip, unsigned tile, uint32_t address)
{
    uint32_t value = 0;
    settle(chip);
    assert_int_equal(tsr_load(tile_of(chip, tile), TSR_CORE_B, address, &value, 4), TSR_OK);
    return value;
}

static void store(tsr_chip *chip, unsigned tile, uint32_t address, uint32_t value)
{
    assert_int_equal(tsr_store(tile_of(chip, tile), TSR_CORE_B, address, value, 4), TSR_OK);
}

static uint32_t at(tsr_chip *chip, unsigned id, enum tsr_stream_register reg)
{
    return (uint32_t)tsr_stream_address(&chip->noc, id, reg);
}

// Stores data, reads them back, and pushes the message.
static void push(tsr_chip *chip, unsigned which)
{
    uint32_t source = SOURCE + 0x400u * which;
    store(chip, 0, source + LINE, 7);
    load(chip, 0, source + LINE);
    store(chip, 0, at(chip, FROM, STREAM_SOURCE_ENDPOINT_NEW_MSG_INFO),
          source / LINE | WORDS << 17);
    settle(chip);
}

static const tsr_diagnostic *race_of(tsr_chip *chip)
{
    const tsr_diagnostic *race = NULL;
    tsr_chip_finding found;
    for (int i = 0; tsr_chip_finding_at(chip, i, &found) == TSR_OK; i++)
        if (found.diagnostic->category == TSR_RACE ||
            found.diagnostic->category == TSR_UNGUARANTEED_ORDER)
            race = found.diagnostic;
    return race;
}

// `part`: of the sentence; NULL: there is no race.
static void expect(tsr_chip *chip, const char *part, const char *wait)
{
    const tsr_diagnostic *race = race_of(chip);
    if (!part) {
        if (race)
            print_message("%s\n", race->sentence);
        assert_null(race);
    } else {
        assert_non_null(race);
        if (!strstr(race->sentence, part) || !strstr(race->wait, wait))
            print_message("%s\n%s\n", race->sentence, race->wait);
        assert_string_equal(race->code, "race-noc");
        assert_non_null(strstr(race->sentence, part));
        assert_non_null(strstr(race->wait, wait));
    }
    tsr_chip_destroy(chip);
}

// ---------------------------------------------------------------- stories

// A receiver that asks its stream, one that does not, and one whose load says nothing.
static void receives(int arch, bool timing)
{
    for (int asks = 0; asks < 3; asks++) {
        tsr_chip *chip = connected(arch, timing);
        load(chip, 1, at(chip, TO, STREAM_BUF_SIZE));
        assert_int_equal(load(chip, 1, at(chip, TO, STREAM_NUM_MSGS_RECEIVED)), 0);
        push(chip, 0);
        if (asks == 1)
            assert_int_equal(load(chip, 1, at(chip, TO, STREAM_NUM_MSGS_RECEIVED)), 1);
        if (asks == 2)
            load(chip, 1, at(chip, TO, STREAM_BUF_SIZE));
        assert_int_equal(load(chip, 1, BUFFER + LINE), 7);
        expect(chip,
               asks == 1 ? NULL
                         : "core B reads L1 from 0x20010 on, which the write on NoC 0 by a stream "
                           "of core",
               "the receiving stream's registers");
    }
}

// The sender's data may be overwritten when its stream says that they have been sent.
static void sends(int arch, bool timing)
{
    for (int asks = 0; asks < 2; asks++) {
        tsr_chip *chip = connected(arch, timing);
        load(chip, 0, at(chip, FROM, STREAM_RD_PTR));
        push(chip, 0);
        if (asks)
            assert_int_equal(load(chip, 0, at(chip, FROM, STREAM_RD_PTR)), WORDS);
        store(chip, 0, SOURCE + LINE, 8);
        expect(chip, asks ? NULL : "core B writes L1 from 0x80010 on, which the write on NoC 0 by",
               "a register of stream 20");
    }
}

// The buffer is filled anew when the receiver has given it back: behind its loads, or before.
static void gives_back(int arch, bool timing)
{
    for (int early = 0; early < 2; early++) {
        tsr_chip *chip = connected(arch, timing);
        push(chip, 0);
        assert_int_equal(load(chip, 1, at(chip, TO, STREAM_NUM_MSGS_RECEIVED)), 1);
        if (!early)
            load(chip, 1, BUFFER + LINE);
        store(chip, 1, at(chip, TO, STREAM_MSG_INFO_CLEAR), 1);
        store(chip, 1, at(chip, TO, STREAM_MSG_DATA_CLEAR), 1);
        if (early) // at once
            assert_int_equal(
                tsr_load(tile_of(chip, 1), TSR_CORE_B, BUFFER + LINE, &(uint32_t){0}, 4), TSR_OK);
        push(chip, 1);
        expect(chip, early ? "core B reads L1 from 0x20010 on, which the write on NoC 0 by" : NULL,
               "");
    }
}

// ---------------------------------------------------------------- a receiver's counters

// Acknowledgements are sent when data are in memory; that they have been received says no page.
static void counts(int arch, bool timing)
{
    static const struct {
        enum op op;
        unsigned counter;
        const char *code;
    } rows[] = {{WRITE, NIU_SLV_WR_ACK_SENT, NULL},
                {WRITE, NIU_SLV_NONPOSTED_WR_REQ_RECEIVED, "unguaranteed-noc"},
                {POSTED, NIU_SLV_POSTED_WR_REQ_RECEIVED, "unguaranteed-noc"},
                {WRITE, NIU_SLV_REQ_ACCEPTED, "race-noc"},
                {WRITE, NIU_SLV_POSTED_WR_REQ_RECEIVED, "race-noc"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsr_chip *chip = connected(arch, timing);
        const struct step steps[] = {{0, CORE_B, rows[i].op, 1, 0x30000, 0x28000, 1, 0},
                                     {.op = LOAD}};
        act(chip, &steps[0]);
        settle(chip);
        if (i == 3) // it comes before what is to come
            act(chip, &steps[0]);
        load(chip, 1, NIU_BASE(0) + 0x200 + 4 * rows[i].counter);
        load(chip, 1, 0x28000 + 64);
        const tsr_diagnostic *race = race_of(chip);
        if (race && !rows[i].code)
            print_message("%s\n", race->sentence);
        assert_int_equal(race == NULL, rows[i].code == NULL);
        if (race)
            assert_string_equal(race->code, rows[i].code);
        tsr_chip_destroy(chip);
    }
}

// The receiver's memory is read by another tile; then it stores anew.
static void is_read(int arch, bool timing)
{
    for (int asks = 0; asks < 2; asks++) {
        tsr_chip *chip = connected(arch, timing);
        const struct step steps[] = {{0, CORE_B, READ, 1, 0x30000, 0x28000, 1, 0}, {.op = LOAD}};
        act(chip, &steps[0]);
        settle(chip);
        if (asks)
            load(chip, 1, NIU_BASE(0) + 0x200 + 4 * NIU_SLV_RD_RESP_SENT);
        store(chip, 1, 0x28000 + 64, 1);
        assert_int_equal(race_of(chip) == NULL, asks);
        tsr_chip_destroy(chip);
    }
}

#define BOTH(name)                                                                                 \
    static void test_##name(int arch)                                                              \
    {                                                                                              \
        name(arch, false);                                                                         \
        name(arch, true);                                                                          \
    }                                                                                              \
    TILE_BOTH(test_##name)
BOTH(receives)
BOTH(sends)
BOTH(gives_back)
BOTH(counts)
BOTH(is_read)

int main(void)
{
    const struct CMUnitTest tests[] = {TILE_TEST(test_receives), TILE_TEST(test_sends),
                                       TILE_TEST(test_gives_back), TILE_TEST(test_counts),
                                       TILE_TEST(test_is_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
