// SPDX-License-Identifier: Apache-2.0
// A host that has no memory for packets on their way: they wait for it, and nothing of them is lost
// or comes in another order. The sanitizers have allocators of their own, so without them only.
// Pages: NoC/Ordering.md, NoC/MemoryMap.md of each chip.
#include "rig/noc_rig.h"

#ifndef __SANITIZE_ADDRESS__
enum { FROM = 0x20000, TO = 0x40000, BYTES = 64, PACKETS = 70 };

static bool refuses;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

void *malloc(size_t size)
{
    return refuses ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return refuses ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return refuses ? NULL : __libc_realloc(old, size);
}

// Windows in which there is no memory.
static void clock_without(tsr_chip *chip)
{
    refuses = true;
    tsr_status status = tsr_chip_clock(chip, 10 * WINDOW);
    refuses = false;
    assert_int_equal(status, TSR_OK);
    assert_true(tsr_noc_busy(&chip->noc));
}

static tsr_chip *chip_with_tiles(int arch, bool timing)
{
    tsr_chip *chip = chip_with(arch, timing);
    for (unsigned i = 0; i < chip->columns * chip->rows; i++)
        if (chip->node[i].info.kind == TSR_NODE_TENSIX)
            poke(chip, (struct place){i % chip->columns, i / chip->columns}, TO, 0);
    return chip;
}

static void test_write(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_chip *chip = chip_with_tiles(arch, timing);
        struct place a = tensix(chip, 0, 0), b = tensix(chip, 2, 3);
        fill(chip, a, FROM, BYTES, 5);
        struct request request = write_request(chip, 0, a, FROM, b, TO, BYTES);
        for (int i = 0; i < PACKETS; i++)
            issue(chip, a, &request);
        clock_without(chip);
        assert_int_equal(counter(chip, a, 0, NIU_MST_WR_ACK_RECEIVED), 0);
        settle(chip);
        assert_true(filled(chip, b, TO, BYTES, 5));
        assert_int_equal(counter(chip, b, 0, NIU_SLV_NONPOSTED_WR_REQ_RECEIVED), PACKETS);
        assert_int_equal(counter(chip, a, 0, NIU_MST_WR_ACK_RECEIVED), PACKETS);
        tsr_chip_destroy(chip);
    }
}

// A read lacks the room for its bytes at the other tile, where nothing else does.
static void test_read(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_chip *chip = chip_with_tiles(arch, timing);
        struct place a = tensix(chip, 0, 0), b = tensix(chip, 2, 3);
        fill(chip, b, FROM, BYTES, 6);
        struct request request = read_request(chip, 0, b, FROM, a, TO, BYTES);
        issue(chip, a, &request); // which makes the room for packets
        settle(chip);
        fill(chip, b, FROM, BYTES, 7);
        issue(chip, a, &request);
        clock_without(chip);
        assert_true(filled(chip, a, TO, BYTES, 6));
        settle(chip);
        assert_true(filled(chip, a, TO, BYTES, 7));
        assert_int_equal(counter(chip, a, 0, NIU_MST_RD_RESP_RECEIVED), 2);
        tsr_chip_destroy(chip);
    }
}

static void test_broadcast(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_chip *chip = chip_with_tiles(arch, timing);
        struct place a = tensix(chip, 0, 0), last = tensix(chip, 6, 8);
        fill(chip, a, FROM, BYTES, 8);
        struct request request = write_request(chip, 0, a, FROM, last, TO, BYTES);
        request.control |= CTRL(NOC_CMD_BRCST_PACKET);
        request.start = a;
        issue(chip, a, &request);
        clock_without(chip);
        settle(chip);
        for (unsigned row = 0; row < 9; row++)
            for (unsigned n = row == 0; n < 7; n++)
                assert_true(filled(chip, tensix(chip, n, row), TO, BYTES, 8));
        assert_int_equal(counter(chip, a, 0, NIU_MST_WR_ACK_RECEIVED), 7 * 9 - 1);
        tsr_chip_destroy(chip);
    }
}

TILE_BOTH(test_write)
TILE_BOTH(test_read)
TILE_BOTH(test_broadcast)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_write),
        TILE_TEST(test_read),
        TILE_TEST(test_broadcast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
    return 0;
}
#endif
