// SPDX-License-Identifier: Apache-2.0
// Broadcasts on both NoCs: rectangles, also those that go round the torus, who takes part, the
// sender itself, Blackhole's excluded corner; writes and atomics; acknowledgements.
// Pages: NoC/MemoryMap.md, NoC/RoutingPaths.md, NoC/Counters.md of each chip.
#include "rig/noc_rig.h"

enum { FROM = 0x20000, TO = 0x40000, TRANSACTION = 3 };

// From `first` to `last` in NoC 0 coordinates. NoC 1 flows the other way.
static struct request broadcast(tsr_chip *chip, int noc, struct place a, struct place first,
                                struct place last)
{
    struct request request = write_request(chip, noc, a, FROM, last, TO, 64);
    request.control |= CTRL(NOC_CMD_BRCST_PACKET);
    request.start = on_noc(chip, noc, noc ? last : first);
    request.ret_at = on_noc(chip, noc, noc ? first : last);
    request.tag = (uint32_t)TRANSACTION << NOC_PACKET_TRANSACTION_ID_FIRST;
    return request;
}

// Whether exactly those Tensix tiles have got the bytes that `in` says. Returns how many.
static unsigned expect_receivers(tsr_chip *chip, unsigned seed, bool (*in)(struct place at))
{
    unsigned count = 0;
    for (unsigned i = 0; i < chip->columns * chip->rows; i++) {
        struct place at = {i % chip->columns, i / chip->columns};
        if (chip->node[i].info.kind != TSR_NODE_TENSIX)
            continue;
        bool has = filled(chip, at, TO, 64, seed);
        if (has != in(at))
            fail_msg("(%u, %u) has%s got it", at.x, at.y, has ? "" : " not");
        count += has;
    }
    return count;
}

static bool in_rectangle(struct place at)
{
    return at.x >= 2 && at.x <= 7 && at.y >= 3 && at.y <= 8;
}

static bool around(struct place at) // columns 8 up to 2 by way of the edge, rows 10 up to 3
{
    return (at.x >= 8 || at.x <= 2) && (at.y >= 10 || at.y <= 3);
}

static bool all_but_one_four(struct place at)
{
    return in_rectangle(at) && !(at.x == 4 && at.y == 4);
}

static bool excluding(struct place at)
{
    return in_rectangle(at) && !(at.x >= 4 && at.y <= 5);
}

static void run(int arch, bool timing, int noc, bool y_major)
{
    tsr_chip *chip = chip_with(arch, timing);
    struct place a = {3, 9}, first = {2, 3}, last = {7, 8};
    fill(chip, a, FROM, 64, 50);
    struct request request = broadcast(chip, noc, a, first, last);
    if (y_major)
        request.control |= CTRL(NOC_CMD_BRCST_XY) | CTRL(NOC_CMD_PATH_RESERVE);
    issue(chip, a, &request);
    settle(chip);
    unsigned count = expect_receivers(chip, 50, in_rectangle);
    assert_int_equal(counter(chip, a, noc, NIU_MST_WR_ACK_RECEIVED), count);
    assert_int_equal(counter(chip, a, noc, NIU_MST_NONPOSTED_WR_REQ_SENT), 1);
    assert_int_equal(counter(chip, a, noc, NIU_MST_REQS_OUTSTANDING_ID + TRANSACTION),
                     (1 - count) & 0xff);
    assert_int_equal(all_findings(chip, a), 0);
    tsr_chip_destroy(chip);
}

static void test_rectangle(int arch)
{
    for (int i = 0; i < 8; i++)
        run(arch, i & 1, i >> 1 & 1, i >> 2 & 1);
}

static void test_around(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = {4, 4};
    for (int noc = 0; noc < TSR_NOCS; noc++) {
        fill(chip, a, FROM, 64, 60 + (unsigned)noc);
        struct request request =
            broadcast(chip, noc, a, (struct place){8, 10}, (struct place){2, 3});
        issue(chip, a, &request);
        settle(chip);
        expect_receivers(chip, 60 + (unsigned)noc, around);
    }
    tsr_chip_destroy(chip);
}

// The sender takes part only if it says so; unicast to oneself always works.
static void test_sender(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = {4, 4};
    for (int noc = 0; noc < TSR_NOCS; noc++) {
        struct request request =
            broadcast(chip, noc, a, (struct place){2, 3}, (struct place){7, 8});
        fill(chip, a, FROM, 64, 70);
        issue(chip, a, &request);
        settle(chip);
        expect_receivers(chip, 70, all_but_one_four);
        fill(chip, a, FROM, 64, 71);
        request.control |= CTRL(NOC_CMD_BRCST_SRC_INCLUDE);
        issue(chip, a, &request);
        settle(chip);
        expect_receivers(chip, 71, in_rectangle);
        fill(chip, a, FROM, 64, 72);
        request = write_request(chip, noc, a, FROM, a, TO, 64);
        issue(chip, a, &request);
        settle(chip);
        assert_true(filled(chip, a, TO, 64, 72));
        fill(chip, a, TO, 64, 0);
    }
    tsr_chip_destroy(chip);
}

static void test_atomic(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = {3, 9};
    for (int noc = 0; noc < TSR_NOCS; noc++) {
        struct request request = atomic_request(chip, noc, a, TO, a, FROM, 1 << 12 | 31 << 2, 1000);
        struct request like = broadcast(chip, noc, a, (struct place){2, 3}, (struct place){7, 8});
        request.control |= CTRL(NOC_CMD_BRCST_PACKET);
        request.targ_at = like.ret_at;
        request.start = like.start;
        issue(chip, a, &request);
        settle(chip);
        assert_int_equal(peek(chip, (struct place){2, 3}, TO), 1000 * (noc + 1));
        assert_int_equal(peek(chip, (struct place){7, 8}, TO), 1000 * (noc + 1));
        assert_int_equal(peek(chip, (struct place){1, 3}, TO), 0);
        assert_int_equal(peek(chip, a, TO), 0);
        assert_true(counter(chip, a, noc, NIU_MST_ATOMIC_RESP_RECEIVED) > 20);
    }
    tsr_chip_destroy(chip);
}

static void test_exclude(void **state)
{
    (void)state;
    tsr_chip *chip = chip_with(BH, false);
    struct place a = {3, 9};
    fill(chip, a, FROM, 64, 80);
    struct request request = broadcast(chip, 0, a, (struct place){2, 3}, (struct place){7, 8});
    request.exclude = 4u << EXCLUDE_START_X_FIRST | 5u << EXCLUDE_START_Y_FIRST |
                      1u << EXCLUDE_DIRECTION_X_FIRST | 1u << EXCLUDE_ENABLED_FIRST;
    issue(chip, a, &request);
    settle(chip);
    expect_receivers(chip, 80, excluding);
    tsr_chip_destroy(chip);
}

static bool around_excluding(struct place at) // from column 10 of 15, 16, 0 to 10 on, row 3
{
    return at.y == 3 && (at.x >= 15 || at.x < 10);
}

// Round the edge, in the order in which the packet passes; bits that nobody names.
static void test_exclude_around(void **state)
{
    (void)state;
    tsr_chip *chip = chip_with(BH, false);
    struct place a = {3, 9};
    fill(chip, a, FROM, 64, 81);
    struct request request = broadcast(chip, 0, a, (struct place){15, 3}, (struct place){11, 3});
    request.exclude = 10u << EXCLUDE_START_X_FIRST | 3u << EXCLUDE_START_Y_FIRST |
                      1u << EXCLUDE_DIRECTION_X_FIRST | 1u << EXCLUDE_ENABLED_FIRST;
    issue(chip, a, &request);
    settle(chip);
    expect_receivers(chip, 81, around_excluding);
    assert_int_equal(all_findings(chip, a), 0);
    request.exclude |= 5;
    issue(chip, a, &request);
    settle(chip);
    assert_int_equal(findings(chip, a, "undocumented-mode"), 1);
    tsr_chip_destroy(chip);
}

static void test_nobody(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place a = {3, 9};
    struct request request = broadcast(chip, 0, a, (struct place){0, 0}, (struct place){0, 4});
    issue(chip, a, &request);
    settle(chip);
    assert_int_equal(findings(chip, a, "noc-broadcast"), 1);
    tsr_chip_destroy(chip);
}

TILE_BOTH(test_rectangle)
TILE_BOTH(test_around)
TILE_BOTH(test_sender)
TILE_BOTH(test_atomic)
TILE_BOTH(test_nobody)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_rectangle),      TILE_TEST(test_around),
        TILE_TEST(test_sender),         TILE_TEST(test_atomic),
        cmocka_unit_test(test_exclude), cmocka_unit_test(test_exclude_around),
        TILE_TEST(test_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
