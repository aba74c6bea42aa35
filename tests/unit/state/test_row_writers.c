// SPDX-License-Identifier: Apache-2.0
// Who wrote each row of Dst, SrcA and SrcB last: unpackers, matrix unit and cores, with and without
// the bypass and the clock. Pages: Dst.md, SrcASrcB.md.
#include "rig/face_rig.h"

#include <stdlib.h>

static tsr_tile *watching(int arch, bool watch, bool timing, tsr_pipeline pipeline)
{
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.timing = timing;
    options.profile = TSR_PROFILE_SILICON;
    options.watch_config = watch;
    options.pipeline = pipeline;
    return tile_with(&options);
}

static void assert_writer(const tsr_row_writer *writer, int thread, uint64_t sequence)
{
    assert_true(writer->known);
    assert_int_equal(writer->thread, thread);
    assert_int_equal(writer->core, -1);
    assert_int_equal(writer->sequence, sequence);
}

static void assert_dst(const tsr_tile *tile, int row, int thread, uint64_t sequence)
{
    tsr_row_writer writer;
    assert_int_equal(tsr_view_dst_writer(tile, row, &writer), TSR_OK);
    assert_writer(&writer, thread, sequence);
}

static void assert_src(const tsr_tile *tile, int which, int bank, int row, int thread,
                       uint64_t sequence)
{
    tsr_row_writer writer;
    assert_int_equal(tsr_view_src_writer(tile, which, bank, row, &writer), TSR_OK);
    assert_writer(&writer, thread, sequence);
}

static void assert_nobody(const tsr_tile *tile, int dst_row, int srca_row)
{
    tsr_row_writer writer;
    assert_int_equal(tsr_view_dst_writer(tile, dst_row, &writer), TSR_OK);
    assert_false(writer.known);
    assert_int_equal(tsr_view_src_writer(tile, 0, 0, srca_row, &writer), TSR_OK);
    assert_false(writer.known);
}

static void two_faces(int arch, bool timing, tsr_pipeline pipeline)
{
    tsr_tile *tile = watching(arch, true, timing, pipeline);
    face_load(tile, arch, 0);
    assert_int_equal(tile_run(tile), TSR_END_IDLE);
    for (int row = 0; row < 16; row++)
        for (int bank = 0; bank < 2; bank++) { // a face in each
            assert_src(tile, 0, bank, row, 0, (uint64_t)(2 * bank + 1));
            assert_src(tile, 1, bank, row, 0, (uint64_t)(2 * bank + 2));
        }
    // Thread 1: SEMINIT, then for each face SEMWAIT, two ELWADDs, STALLWAIT, SEMPOST.
    for (int row = 0; row < 32; row++)
        assert_dst(tile, row, 1, (uint64_t)(row / 16 * 5 + row / 8 % 2 + 3));
    assert_nobody(tile, 32, 16);
    tile_do(tile, 2, "ZEROSRC src_mask=1 bank_mask=1");
    uint64_t last = tile_state(tile)->frontend[2].sequence;
    assert_src(tile, 0, 1, 5, 2, last);
    assert_src(tile, 0, 0, 63, 2, last);
    assert_src(tile, 1, 0, 5, 0, 2);
    tsr_tile_reset(tile);
    assert_nobody(tile, 0, 0);
    tsr_tile_destroy(tile);
}

static void names_the_last_writer(int arch)
{
    two_faces(arch, false, TSR_PIPELINE_AUTO);
    two_faces(arch, false, TSR_PIPELINE_STAGED);
    two_faces(arch, true, TSR_PIPELINE_AUTO);
}
TILE_BOTH(names_the_last_writer)

// UNPACR_NOP changes the bank when it completes: the next instruction, which writes nothing, has
// not written it, and there is no race with it.
static void cleared_at_the_end(int arch)
{
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.profile = TSR_PROFILE_SILICON;
    options.watch_config = true;
    options.find_races = true;
    for (int timing = 0; timing < 2; timing++) {
        options.timing = timing;
        tsr_tile *tile = tile_with(&options);
        tile_push(tile, 0, arch == WH ? "UNPACR_NOP NoOp=1" : "UNPACR_NOP Unpack_Pop=1");
        tile_push(tile, 0, "SETRWC BitMask=3");
        tile_push(tile, 2, "SETRWC BitMask=3");
        assert_int_equal(tile_run(tile), TSR_END_IDLE);
        for (int row = 0; row < TSR_SRC_ROWS; row += 9)
            assert_src(tile, 0, 0, row, 0, 1);
        assert_int_equal(tsr_diagnostic_count(tile), 0);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(cleared_at_the_end)

static void not_watched(int arch)
{
    tsr_tile *tile = watching(arch, false, false, TSR_PIPELINE_AUTO);
    face_load(tile, arch, 0);
    assert_int_equal(tile_run(tile), TSR_END_IDLE);
    assert_nobody(tile, 0, 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(not_watched)

static void test_core_stores_to_dst(void **state)
{
    (void)state;
    tsr_tile *tile = watching(BH, true, false, TSR_PIPELINE_AUTO);
    tsr_row_writer writer;
    assert_int_equal(tsr_store(tile, TSR_CORE_T1, 0xffbd8000, 0x3f800000, 4), TSR_OK);
    assert_int_equal(tsr_view_dst_writer(tile, 0, &writer), TSR_OK);
    assert_true(writer.known);
    assert_int_equal(writer.thread, -1);
    assert_int_equal(writer.core, TSR_CORE_T1);
    tsr_tile_destroy(tile);
}

// A clear of a bank that is clear already stores nothing; whatever has written a row meanwhile
// counts.
static void test_cleared_again(void **state)
{
    (void)state;
    struct tsr_src_bank *bank = calloc(1, sizeof *bank);
    assert_non_null(bank);
    bank->datum[5][6] = 7; // as a reset leaves it, but for one datum
    for (unsigned row = 0; row < TSR_SRC_ROWS; row += 9)
        for (uint32_t value = 0; value < 2; value++) {
            tsr_src_fill(bank, value);
            bank->datum[row][3] = 0x1fe00;
            bank->written[row] = bank->tainted[row] = 8;
            tsr_src_mark(bank, row, 1);
            tsr_src_fill(bank, value);
            for (unsigned i = 0; i < TSR_SRC_ROWS; i++) {
                for (unsigned column = 0; column < TSR_COLUMNS; column++)
                    assert_int_equal(bank->datum[i][column], value);
                assert_int_equal(bank->written[i], 0xffff);
                assert_int_equal(bank->tainted[i], 0);
            }
        }
    free(bank);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(names_the_last_writer),
        TILE_TEST(cleared_at_the_end),
        TILE_TEST(not_watched),
        cmocka_unit_test(test_core_stores_to_dst),
        cmocka_unit_test(test_cleared_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
