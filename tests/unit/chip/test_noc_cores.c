// SPDX-License-Identifier: Apache-2.0
// Requests that baby cores make: a core that waits for a counter or for another tile's write rests
// and costs nothing; how a run is cut, and how many host threads step the tiles, changes nothing;
// findings have the core and its program counter. Pages: NoC/Counters.md, NoC/MemoryMap.md,
// BabyRISCV/README.md of each chip.
#include "rig/core_rig.h"
#include "rig/noc_rig.h"

enum {
    FROM = 0x20000,
    TO = 0x40000,
    STAMPS = 0x50000,
    ROUNDS = 12,
    CODE = 0x1000,
    EBREAK = 0x100073
};

static tsr_tile *tile_at(tsr_chip *chip, struct place at)
{
    tsr_tile *tile = NULL;
    assert_int_equal(tsr_chip_tile(chip, at.x, at.y, &tile), TSR_OK);
    return tile;
}

static void stamp(struct code *code, uint32_t slot)
{
    code_load(code, A3, AT_WALL_CLOCK);
    code_li(code, A4, STAMPS + 4 * slot);
    code_sw(code, A3, A4, 0);
}

static uint32_t counter_at(int noc, unsigned index)
{
    return NIU_BASE(noc) + 0x200 + 4 * index;
}

// A request whose registers have been set is sent and answered, so many times; then the next tile
// may begin, which waits for that.
static void put_sender(tsr_chip *chip, struct place at, int noc, uint32_t value)
{
    struct code code = code_at(tile_at(chip, at), CODE);
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        code_store(&code, FROM, value * 100 + round);
        code_store(&code, niu_register(chip, noc, 0, NOC_CMD_CTRL), 1);
        code_wait_for(&code, counter_at(noc, NIU_MST_WR_ACK_RECEIVED), round);
        stamp(&code, round);
    }
    code_end(&code);
    core_start(tile_at(chip, at), TSR_CORE_NC, CODE);
}

static void put_receiver(tsr_chip *chip, struct place at, uint32_t value)
{
    struct code code = code_at(tile_at(chip, at), CODE);
    code_wait_for(&code, TO, value * 100 + ROUNDS);
    stamp(&code, 0);
    code_end(&code);
    core_start(tile_at(chip, at), TSR_CORE_NC, CODE);
}

struct pair {
    struct place sender, receiver;
};

static struct pair pair_of(tsr_chip *chip, unsigned i)
{
    return (struct pair){tensix(chip, i, 0), tensix(chip, 6 - i, 9)};
}

enum { PAIRS = 3 };

// Programs of three pairs, which share links; run for `total` cycles in slices. Returns a hash of
// what everybody has written down.
static uint64_t run_pairs(int arch, bool timing, unsigned threads, uint64_t slice)
{
    tsr_chip_options options = tsr_chip_options_default((tsr_arch)arch);
    options.tile.timing = timing;
    options.threads = threads;
    options.threads_always = true;
    tsr_chip *chip = NULL;
    assert_int_equal(tsr_chip_create(&options, &chip), TSR_OK);
    for (unsigned i = 0; i < PAIRS; i++) {
        struct pair pair = pair_of(chip, i);
        struct request request =
            write_request(chip, i & 1, pair.sender, FROM, pair.receiver, TO, 2048);
        fill(chip, pair.sender, FROM, 2048, i);
        put_request(chip, pair.sender, &request);
        put_sender(chip, pair.sender, i & 1, i + 1);
        put_receiver(chip, pair.receiver, i + 1);
    }
    uint64_t total = 40000;
    for (uint64_t done = 0; done < total; done += slice)
        assert_int_equal(tsr_chip_clock(chip, slice < total - done ? slice : total - done), TSR_OK);
    uint64_t hash = 14695981039346656037u;
    for (unsigned i = 0; i < PAIRS; i++) {
        struct pair pair = pair_of(chip, i);
        assert_int_equal(peek(chip, pair.receiver, TO), (i + 1) * 100 + ROUNDS);
        assert_int_not_equal(peek(chip, pair.receiver, STAMPS), 0);
        for (unsigned slot = 0; slot <= ROUNDS; slot++) {
            hash = (hash ^ peek(chip, pair.sender, STAMPS + 4 * slot)) * 1099511628211u;
            hash = (hash ^ peek(chip, pair.receiver, STAMPS + 4 * slot)) * 1099511628211u;
        }
        hash = (hash ^ core_view(tile_at(chip, pair.sender), TSR_CORE_NC).retired) * 1099511628211u;
        assert_int_equal(all_findings(chip, pair.sender), 0);
    }
    tsr_chip_destroy(chip);
    return hash;
}

static void test_slices(int arch)
{
    for (int timing = 0; timing <= 1; timing++) {
        uint64_t whole = run_pairs(arch, timing, 1, 40000);
        assert_true(run_pairs(arch, timing, 1, 64) == whole);
        assert_true(run_pairs(arch, timing, 1, 37) == whole);
        assert_true(run_pairs(arch, timing, 1, 5000) == whole);
        assert_true(run_pairs(arch, timing, 2, 40000) == whole);
        assert_true(run_pairs(arch, timing, 3, 1000) == whole);
    }
}

// Two tiles hand a word to and fro; in between each rests.
static void test_resting(int arch)
{
    for (int timing = 0; timing <= 1; timing++) {
        tsr_chip *chip = chip_with(arch, timing);
        struct place a = tensix(chip, 0, 0), b = tensix(chip, 4, 4);
        struct code code = code_at(tile_at(chip, a), CODE);
        poke(chip, a, TO, 0);
        code_wait_for(&code, counter_at(0, NIU_SLV_NONPOSTED_WR_REQ_RECEIVED), 1);
        code_wait_for(&code, TO, 77);
        stamp(&code, 0);
        code_end(&code);
        core_start(tile_at(chip, a), TSR_CORE_NC, CODE);
        tsr_chip_clock(chip, 100 * WINDOW);
        assert_int_equal(tile_state(tile_at(chip, a))->cores.hart[TSR_CORE_NC].rest,
                         TSR_HART_POLLS);
        assert_int_equal(peek(chip, a, STAMPS), 0);
        poke(chip, b, FROM, 77);
        struct request request = write_request(chip, 0, b, FROM, a, TO, 16);
        issue(chip, b, &request);
        uint64_t now = tsr_chip_cycle(chip);
        tsr_chip_clock(chip, 10 * WINDOW);
        assert_in_range(peek(chip, a, STAMPS), now + WINDOW, now + 6 * WINDOW);
        tsr_chip_destroy(chip);
    }
}

// What a core's request is found to be has its place; what it finds at the receiver, too.
static void test_findings(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = tensix(chip, 0, 0), b = tensix(chip, 4, 4);
    struct request request = read_request(chip, 0, b, 0x180000 - 16, a, TO, 0);
    put_request(chip, a, &request);
    struct code code = code_at(tile_at(chip, a), CODE);
    code_li(&code, A4, niu_register(chip, 0, 0, NOC_CMD_CTRL));
    code_li(&code, A5, 1);
    code_li(&code, A3, niu_register(chip, 0, 0, NOC_AT_LEN_BE));
    code_li(&code, A2, 32);
    uint32_t empty = code.at;
    code_sw(&code, A5, A4, 0);
    code_sw(&code, A2, A3, 0);
    uint32_t beyond = code.at;
    code_sw(&code, A5, A4, 0);
    code_end(&code);
    core_start(tile_at(chip, a), TSR_CORE_NC, CODE);
    tsr_chip_clock(chip, 4 * WINDOW);
    tsr_tile *tile = tile_at(chip, a);
    assert_int_equal(tsr_diagnostic_count(tile), 2);
    const struct {
        const char *code;
        uint32_t pc;
    } expected[] = {{"noc-length", empty}, {"noc-address", beyond}};
    for (int i = 0; i < 2; i++) {
        const tsr_diagnostic *found = tsr_diagnostic_at(tile, i);
        assert_string_equal(found->code, expected[i].code);
        assert_int_equal(found->core, TSR_CORE_NC);
        assert_true(found->has_pc);
        assert_int_equal(found->pc, expected[i].pc);
    }
    tsr_chip_destroy(chip);
}

// Who waits for more than it has sent is found out once nothing moves any more; who waits for what
// others may still send is not.
static void test_never(int arch)
{
    for (int timing = 0; timing <= 1; timing++) {
        tsr_chip *chip = chip_with(arch, timing);
        struct place a = tensix(chip, 0, 0), b = tensix(chip, 4, 4), c = tensix(chip, 5, 5);
        struct request request = write_request(chip, 0, a, FROM, b, TO, 16);
        put_request(chip, a, &request);
        struct code code = code_at(tile_at(chip, a), CODE);
        code_store(&code, niu_register(chip, 0, 0, NOC_CMD_CTRL), 1);
        code_li(&code, A4, counter_at(0, NIU_MST_WR_ACK_RECEIVED));
        code_li(&code, A5, 2);
        uint32_t loop = code.at;
        code_lw(&code, A3, A4, 0);
        code_branch(&code, RISCV_BNE, A3, A5, loop);
        core_start(tile_at(chip, a), TSR_CORE_NC, CODE);
        code = code_at(tile_at(chip, c), CODE);
        code_wait_for(&code, counter_at(0, NIU_SLV_NONPOSTED_WR_REQ_RECEIVED), 1);
        core_start(tile_at(chip, c), TSR_CORE_NC, CODE);
        for (int i = 0; i < 20; i++)
            tsr_chip_clock(chip, WINDOW);
        tsr_chip_clock(chip, 100 * WINDOW);
        tsr_chip_clock(chip, 100 * WINDOW);
        assert_int_equal(findings(chip, a, "noc-counter-wait"), 1);
        assert_int_equal(findings(chip, c, "noc-counter-wait"), 0);
        const tsr_diagnostic *found = tsr_diagnostic_at(tile_at(chip, a), 0);
        assert_int_equal(found->pc, loop);
        assert_non_null(strstr(found->sentence, "NIU_MST_WR_ACK_RECEIVED), which is 1"));
        tsr_chip_destroy(chip);
    }
}

// With timing on a core that stores to the registers of a request under way is found out; one that
// waits for NOC_CMD_CTRL is not, and sends as fast as the router takes it.
static void test_back_to_back(int arch)
{
    tsr_chip *chip = chip_with(arch, true);
    struct place a = tensix(chip, 0, 0), b = tensix(chip, 4, 4);
    uint32_t most = arch == WH ? 8192 : 16384;
    struct request request = write_request(chip, 0, a, FROM, b, TO, most);
    put_request(chip, a, &request);
    struct code code = code_at(tile_at(chip, a), CODE);
    for (unsigned i = 0; i < 6; i++) {
        code_wait_for(&code, niu_register(chip, 0, 0, NOC_CMD_CTRL), 0);
        code_store(&code, niu_register(chip, 0, 0, NOC_CMD_CTRL), 1);
    }
    code_wait_for(&code, counter_at(0, NIU_MST_WR_ACK_RECEIVED), 6);
    stamp(&code, 0);
    code_end(&code);
    core_start(tile_at(chip, a), TSR_CORE_NC, CODE);
    tsr_chip_clock(chip, 100 * WINDOW);
    assert_in_range(peek(chip, a, STAMPS), 6 * 257, 6 * 257 + 500);
    assert_int_equal(all_findings(chip, a), 0);
    tsr_chip_destroy(chip);
}

// A request that arrives where nothing is stops its sender, if the policy says so, when the sender
// has long come to its end; and that ends a run.
static void test_stopped_late(int arch)
{
    for (int timing = 0; timing <= 1; timing++) {
        tsr_chip *chip = chip_with(arch, timing);
        struct place a = tensix(chip, 0, 0), b = tensix(chip, 5, 5);
        assert_int_equal(tsr_chip_set_policy(chip, "noc-address", TSR_ACTION_STOP), TSR_OK);
        struct request request = write_request(chip, 0, a, FROM, b, 0x600000, 64);
        put_request(chip, a, &request);
        struct code code = code_at(tile_at(chip, a), CODE);
        code_store(&code, niu_register(chip, 0, 0, NOC_CMD_CTRL), 1);
        code_put(&code, EBREAK);
        core_start(tile_at(chip, a), TSR_CORE_NC, CODE);
        assert_int_equal(tsr_chip_run(chip, NULL), TSR_END_STOPPED);
        assert_int_equal(findings(chip, a, "noc-address"), 1);
        tsr_chip_destroy(chip);
    }
}

static uint64_t never_quiet(const void *self, int unit, uint32_t offset, uint64_t now)
{
    (void)self;
    (void)unit;
    (void)offset;
    (void)now;
    return 0;
}

struct polling {
    uint32_t stamp[8];
    uint64_t retired;
    bool slept;
};

// A core that waits for its requests to leave the tile, without a word from anybody else.
static struct polling run_polling(int arch, bool awake)
{
    tsr_chip *chip = chip_with(arch, true);
    struct place a = tensix(chip, 0, 0);
    struct request request =
        write_request(chip, 0, a, FROM, tensix(chip, 4, 4), TO, arch == WH ? 8192 : 16384);
    put_request(chip, a, &request);
    tsr_tile *tile = tile_at(chip, a);
    struct code code = code_at(tile, CODE);
    for (uint32_t i = 0; i < 4; i++) {
        code_wait_for(&code, niu_register(chip, 0, 0, NOC_CMD_CTRL), 0);
        code_store(&code, niu_register(chip, 0, 0, NOC_CMD_CTRL), 1);
        stamp(&code, 2 * i);
        if (i % 2)
            code_wait_for(&code, counter_at(0, NIU_MST_NONPOSTED_WR_REQ_SENT), i + 1);
        stamp(&code, 2 * i + 1);
    }
    code_put(&code, EBREAK); // at once, where a loop without an end takes a while to be seen
    core_start(tile, TSR_CORE_NC, CODE);
    if (awake)
        tile->engine.env.noc.quiet_until = never_quiet;
    struct polling got = {.slept = false};
    for (unsigned i = 0; i < 60; i++) {
        tsr_chip_clock(chip, WINDOW);
        got.slept |= tile->engine.env.state->cores.poll[TSR_CORE_NC].asleep;
    }
    for (unsigned i = 0; i < 8; i++)
        got.stamp[i] = peek(chip, a, STAMPS + 4 * i);
    got.retired = core_view(tile, TSR_CORE_NC).retired;
    tsr_chip_destroy(chip);
    return got;
}

// With timing on the router lets the tile's requests go at cycles that are known. Until then a core
// that polls sleeps, and sees and does the same as one that stays awake.
static void test_sleep_until(int arch)
{
    struct polling asleep = run_polling(arch, false), awake = run_polling(arch, true);
    assert_true(asleep.slept);
    assert_false(awake.slept);
    assert_int_not_equal(asleep.stamp[7], 0);
    assert_memory_equal(asleep.stamp, awake.stamp, sizeof awake.stamp);
    assert_true(asleep.retired == awake.retired);
}

TILE_BOTH(test_slices)
TILE_BOTH(test_resting)
TILE_BOTH(test_findings)
TILE_BOTH(test_never)
TILE_BOTH(test_back_to_back)
TILE_BOTH(test_sleep_until)
TILE_BOTH(test_stopped_late)

// A core whose last request is acknowledged, and that then waits for a word of L1, is not one.
static void test_then_something_else(int arch)
{
    for (int timing = 0; timing <= 1; timing++) {
        tsr_chip *chip = chip_with(arch, timing);
        struct place a = tensix(chip, 0, 0), b = tensix(chip, 4, 4);
        struct request request = write_request(chip, 0, a, FROM, b, TO, 16);
        put_request(chip, a, &request);
        struct code code = code_at(tile_at(chip, a), CODE);
        code_store(&code, niu_register(chip, 0, 0, NOC_CMD_CTRL), 1);
        code_wait_for(&code, counter_at(0, NIU_MST_WR_ACK_RECEIVED), 1);
        code_li(&code, A1, CODE + 0x4000);
        code_put(&code, rv_i(RISCV_JALR, ZERO, A1, 0));
        code = code_at(tile_at(chip, a), CODE + 0x4000);
        code_wait_for(&code, TO, 1);
        core_start(tile_at(chip, a), TSR_CORE_NC, CODE);
        tsr_chip_run(chip, NULL);
        assert_int_equal(core_view(tile_at(chip, a), TSR_CORE_NC).rest, TSR_CORE_POLLS);
        assert_int_equal(findings(chip, a, "noc-counter-wait"), 0);
        tsr_chip_destroy(chip);
    }
}
TILE_BOTH(test_then_something_else)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_slices),
        TILE_TEST(test_resting),
        TILE_TEST(test_findings),
        TILE_TEST(test_never),
        TILE_TEST(test_back_to_back),
        TILE_TEST(test_sleep_until),
        TILE_TEST(test_then_something_else),
        TILE_TEST(test_stopped_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
