// SPDX-License-Identifier: Apache-2.0
// L1 and the shadow state beside its bytes: what was written, what is tainted, over ranges that
// begin and end anywhere. Page: L1.md of each chip.
#include "rig/tile_rig.h"

enum { SPAN = 200, BASE = 0x100 };

// The same shadow state kept byte by byte.
struct model {
    bool written[SPAN], tainted[SPAN];
};

static void mark(struct tsr_l1 *l1, struct model *model, unsigned at, unsigned size, bool tainted)
{
    tsr_l1_mark(l1, BASE + at, size, tainted);
    for (unsigned i = at; i < at + size; i++) {
        model->written[i] = true;
        model->tainted[i] = tainted;
    }
}

static void assert_model(const struct tsr_l1 *l1, const struct model *model)
{
    for (unsigned at = 0; at < SPAN; at++) {
        bool all = true, any = false;
        unsigned first = SPAN;
        for (unsigned end = at + 1; end <= SPAN; end++) {
            if (!model->written[end - 1] && first == SPAN)
                first = end - 1;
            all &= model->written[end - 1];
            any |= model->tainted[end - 1];
            if (tsr_l1_all_written(l1, BASE + at, end - at) != all ||
                tsr_l1_any_tainted(l1, BASE + at, end - at) != any ||
                tsr_l1_first_unwritten(l1, BASE + at, end - at) !=
                    (first == SPAN ? end - at : first - at))
                fail_msg("bytes %u to %u", at, end);
        }
    }
}

static void test_shadow(void **state)
{
    (void)state;
    tsr_tile *tile = tile_default(WH);
    struct tsr_l1 *l1 = &tile_state(tile)->l1;
    struct model model;
    memset(&model, 0, sizeof model);
    assert_model(l1, &model);
    assert_true(tsr_l1_all_written(l1, BASE, 0));
    mark(l1, &model, 3, 1, false);
    mark(l1, &model, 14, 5, false);
    mark(l1, &model, 40, 130, false);
    assert_model(l1, &model);
    mark(l1, &model, 60, 37, true);
    mark(l1, &model, 190, 3, true);
    assert_model(l1, &model);
    mark(l1, &model, 70, 9, false); // what is written afresh is clean
    assert_model(l1, &model);
    mark(l1, &model, 0, SPAN, false);
    assert_model(l1, &model);
    assert_false(tsr_l1_all_written(l1, BASE - 1, 2));
    assert_false(tsr_l1_all_written(l1, BASE + SPAN - 1, 2));
    tsr_tile_destroy(tile);
}

static void test_from_outside(int arch)
{
    tsr_tile *tile = tile_default(arch);
    uint32_t end = (uint32_t)tsr_l1_size((tsr_arch)arch);
    uint8_t bytes[5] = {1, 2, 3, 4, 5}, got[5] = {0};
    assert_int_equal(end, arch == WH ? 1464 * 1024 : 1536 * 1024);
    assert_int_equal(tsr_l1_write(tile, end - 5, bytes, 5), TSR_OK);
    assert_int_equal(tsr_l1_read(tile, end - 5, got, 5), TSR_OK);
    assert_memory_equal(bytes, got, 5);
    assert_int_equal(tsr_l1_write(tile, end - 4, bytes, 5), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_l1_read(tile, 0xfffffffe, got, 5), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_l1_read(tile, 4, got, SIZE_MAX), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_l1_mark_written(tile, end, 1), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_l1_mark_written(tile, end, 0), TSR_OK);
    assert_int_equal(tsr_l1_mark_written(tile, 0x123, 2), TSR_OK);
    assert_true(tsr_l1_all_written(&tile_state(tile)->l1, 0x123, 2));
    assert_false(tsr_l1_all_written(&tile_state(tile)->l1, 0x123, 3));
    assert_int_equal(tile_l1(tile, 0x123), 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_from_outside)

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shadow), TILE_TEST(test_from_outside)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
