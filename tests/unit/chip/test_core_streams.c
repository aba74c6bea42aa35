// SPDX-License-Identifier: Apache-2.0
// What a Blackhole T core sees of the NoC overlay by its CSRs tt_cfg_sstatus0 to 7.
// Page: BlackholeA0/TensixTile/BabyRISCV/CSRs.md.
#include "rig/chip_rig.h"

enum { OVERLAY = 0xb40000, STREAM = 0x1000, CURR_PHASE = 29, PLACE = 0x8000, RESULT = 0x9000 };

static void test_status_of_streams(void **state)
{
    (void)state;
    tsr_chip_options options = tsr_chip_options_default(TSR_BLACKHOLE_A0);
    options.tile.profile = TSR_PROFILE_SILICON;
    tsr_chip *chip = chip_with(&options);
    tsr_tile *tile = chip_tile(chip, 1, 2);
    struct code code = code_at(tile, PLACE);
    code_li(&code, A1, RESULT);
    for (int i = 0; i < 8; i++) {
        code_put(&code, rv_i(RISCV_CSRRS, A0, ZERO, 0xbc2 + i));
        code_sw(&code, A0, A1, 4 * i);
    }
    code_end(&code);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(
            tsr_host_store(tile, 0xff000000u + OVERLAY + i * STREAM + 4 * CURR_PHASE, 100 + i, 4),
            TSR_OK);
    core_start(tile, TSR_CORE_T1, PLACE);
    assert_int_equal(tsr_chip_clock(chip, 640), TSR_OK);
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t seen, wanted;
        uint32_t at = i < 4 ? CURR_PHASE : 259; // STREAM_NUM_MSGS_RECEIVED
        assert_int_equal(tsr_host_load(tile, RESULT + 4 * i, &seen, 4), TSR_OK);
        assert_int_equal(
            tsr_host_load(tile, 0xff000000u + OVERLAY + i % 4 * STREAM + 4 * at, &wanted, 4),
            TSR_OK);
        assert_int_equal(seen, wanted);
        if (i < 4)
            assert_int_equal(seen, 100 + i);
    }
    tsr_chip_destroy(chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_status_of_streams)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
