// SPDX-License-Identifier: Apache-2.0
// What a program leaves in SrcA and SrcB: banks handed over that nothing filled, banks that the
// matrix unit still owns when the tile goes idle, and pointers out of step (SrcASrcB.md). And MOPs
// of template 1 that the page calls unsupported (MOPExpander.md).
#include "rig/sync_rig.h"

static void run(struct sync_rig *rig, const char *text)
{
    sync_push(rig, 0, text);
    assert_int_equal(sync_run(rig, true), TSR_END_IDLE);
}

static void test_never_filled(void **state)
{
    (void)state;
    for (int arch = 0; arch < 2; arch++) {
        for (int side = 0; side < 2; side++) {
            struct sync_rig *rig = sync_new(arch, arch, TSR_PROFILE_SILICON);
            run(rig, side ? "SETDVALID setvalid=2" : "SETDVALID setvalid=1");
            tile_says(rig->tile, "src-bank-never-filled",
                      side ? "SETDVALID hands SrcB bank 0" : "SETDVALID hands SrcA bank 0");
            sync_free(rig);
            // A clear fills; the hand-over after it is all right. The bank that comes back to the
            // unpackers counts as empty again.
            rig = sync_new(arch, arch, TSR_PROFILE_SILICON);
            const char *clear = side   ? arch ? "UNPACR_NOP Unpack_Pop=1 Unpacker_Select=1"
                                              : "UNPACR_NOP NoOp=1 Unpack_block_selection=1"
                                : arch ? "UNPACR_NOP Unpack_Pop=1"
                                       : "UNPACR_NOP NoOp=1";
            run(rig, clear);
            run(rig, side ? "SETDVALID setvalid=2" : "SETDVALID setvalid=1");
            assert_null(tile_found(rig->tile, "src-bank-never-filled"));
            sync_free(rig);
        }
    }
    struct sync_rig *rig = sync_new(TSR_WORMHOLE_B0, false, TSR_PROFILE_STRICT);
    assert_int_equal(tsr_tile_set_policy(rig->tile, "src-bank-never-filled", TSR_ACTION_STOP),
                     TSR_OK);
    sync_push(rig, 0, "SETDVALID setvalid=1");
    assert_int_equal(sync_run(rig, false), TSR_END_STOPPED);
    tsr_src_banks banks;
    assert_int_equal(tsr_view_src_banks(rig->tile, 0, &banks), TSR_OK);
    assert_int_equal(banks.unpacker_bank, 0);
    assert_false(banks.matrix_owns[0]);
    sync_free(rig);
}

static void test_left(void **state)
{
    (void)state;
    for (int arch = 0; arch < 2; arch++) {
        struct sync_rig *rig = sync_new(arch, arch, TSR_PROFILE_SILICON);
        run(rig, "SETDVALID setvalid=3");
        assert_null(tile_found(rig->tile, "src-bank-left")); // something outside may go on
        assert_int_equal(sync_run(rig, false), TSR_END_IDLE);
        tile_says(rig->tile, "src-bank-left",
                  "the matrix unit owns SrcA bank 0, which this instruction handed over; it was "
                  "never read and not given back.");
        assert_int_equal(tile_found(rig->tile, "src-bank-left")->sequence, 1);
        assert_null(tile_found(rig->tile, "src-bank-parity"));
        sync_free(rig);
        // Read and not given back.
        rig = sync_new(arch, arch, TSR_PROFILE_SILICON);
        run(rig, "SETDVALID setvalid=2");
        run(rig, "MOVB2D");
        assert_int_equal(sync_run(rig, false), TSR_END_IDLE);
        tile_says(rig->tile, "src-bank-left", "it was read and not given back");
        sync_free(rig);
        // Given back: nothing to say.
        rig = sync_new(arch, arch, TSR_PROFILE_SILICON);
        run(rig, "SETDVALID setvalid=3");
        run(rig, "SETRWC clear_ab_vld=3");
        assert_int_equal(sync_run(rig, false), TSR_END_IDLE);
        assert_null(tile_found(rig->tile, "src-bank-left"));
        assert_null(tile_found(rig->tile, "src-bank-parity"));
        sync_free(rig);
    }
}

// CLEARDVALID that goes on reading (bit 1 of reset) gives bank 0 back and leaves the matrix unit's
// pointer at it, while the unpackers have gone on to bank 1.
static void test_parity(void **state)
{
    (void)state;
    for (int arch = 0; arch < 2; arch++) {
        struct sync_rig *rig = sync_new(arch, arch, TSR_PROFILE_SILICON);
        run(rig, "SETDVALID setvalid=1");
        run(rig, "CLEARDVALID cleardvalid=1 reset=2");
        assert_int_equal(sync_run(rig, false), TSR_END_IDLE);
        assert_null(tile_found(rig->tile, "src-bank-left"));
        tile_says(rig->tile, "src-bank-parity",
                  "the unpackers go on with SrcA bank 1 and the matrix unit with bank 0, while the "
                  "matrix unit owns 0 of them");
        sync_free(rig);
        // The matrix unit steps on though nothing was handed over.
        rig = sync_new(arch, arch, TSR_PROFILE_SILICON);
        sync_push(rig, 0, "SETRWC clear_ab_vld=2");
        assert_int_equal(sync_run(rig, false), TSR_END_IDLE);
        tile_says(rig->tile, "src-bank-parity", "SrcB bank 0 and the matrix unit with bank 1");
        sync_free(rig);
    }
}

static void configure_mop(struct sync_rig *rig, unsigned outer, unsigned inner,
                          const char *const words[7])
{
    for (int i = 0; i < 9; i++) {
        uint32_t value = i == 0 ? outer : i == 1 ? inner : tile_word(rig->tile, words[i - 2]);
        uint32_t address = 0xffb80000u + 4u * (unsigned)i;
        assert_int_equal(tsr_store(rig->tile, TSR_CORE_T0, address, value, 4), TSR_OK);
    }
}

static void test_mop_counts(void **state)
{
    (void)state;
    static const char *const loop[7] = {"NOP", "NOP", "NOP", "INCRWC", "NOP", "INCRWC", "INCRWC"};
    static const char *const end[7] = {"NOP", "INCRWC", "NOP", "NOP", "NOP", "NOP", "NOP"};
    static const char *const ends[7] = {"NOP", "INCRWC", "SETRWC", "NOP", "NOP", "NOP", "NOP"};
    // Rows: outer, inner, bits of the word, words that come out on each chip. 200 is 72 in seven
    // bits. One end word comes once more than it should, two come 1 + 128 or 1 + 1024 times if they
    // should come once.
    static const struct {
        const char *const *words;
        unsigned outer, inner, bits;
        int emitted[2];
        bool odd[2];
    } rows[] = {
        {loop, 1, 200, 0, {72, 200}, {false, false}},
        {loop, 129, 2, 0, {2, 258}, {false, false}},
        {loop, 1, 1, 3, {1, 3}, {false, true}},
        {loop, 1, 1, 5 << 10, {1, 5}, {false, true}},
        {loop, 3, 3, 2 << 10 | 4, {9, 8}, {false, true}},
        {end, 1, 0, 0, {2, 2}, {true, true}},
        {end, 4, 0, 0, {5, 5}, {true, true}},
        {ends, 1, 0, 0, {258, 2050}, {true, true}},
        {ends, 3, 0, 0, {6, 6}, {true, true}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int arch = 0; arch < 2; arch++) {
            struct sync_rig *rig = sync_new(arch, false, TSR_PROFILE_STRICT);
            configure_mop(rig, rows[i].outer, rows[i].inner, rows[i].words);
            tsr_push(rig->tile, 0, 0x01800000u | rows[i].bits);
            assert_int_equal(sync_run(rig, false), TSR_END_IDLE);
            tsr_run_report report;
            tsr_get_report(rig->tile, &report);
            assert_int_equal(report.issued[0], rows[i].emitted[arch]);
            assert_int_equal(tile_found(rig->tile, "mop-unsupported") != NULL, rows[i].odd[arch]);
            sync_free(rig);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_never_filled),
        cmocka_unit_test(test_left),
        cmocka_unit_test(test_parity),
        cmocka_unit_test(test_mop_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
