// SPDX-License-Identifier: Apache-2.0
// UNPACR_NOP among others: in order with the UNPACRs of its unpacker, its own waits, and the cycle
// that it shares with a ZEROSRC. Pages: UNPACR_NOP_ZEROSRC.md, UNPACR_NOP_SETREG.md.
#include "rig/nop_rig.h"

enum { UNPACR_16_DATUMS = 0x42000081, PAIRS = 8 };

// Unpacker 0 moves 16 BF16 datums, the lines from 0x10000 on, to row 0 of SrcA.
static tsr_tile *unpacking(int arch, bool timing)
{
    static const uint32_t words[PAIRS] = {0x3f803f80, 0x3f803f80, 0x3f803f80, 0x3f803f80,
                                          0x3f803f80, 0x3f803f80, 0x3f803f80, 0x3f803f80};
    tsr_tile *tile = tile_new(arch, timing, TSR_PROFILE_STRICT);
    scalar_words(tile, 0x10000, words, PAIRS);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG0_TileDescriptor_InDataFormat, 5);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG0_TileDescriptor_XDim, 16);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG0_TileDescriptor_YDim, 1);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG0_TileDescriptor_ZDim, 1);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG2_Out_data_format, 5);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG2_Disable_zero_compress_cntx0, 1);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG3_Base_address, 0x0fff);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG5_Tile_x_dim_cntx0, 16);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG5_Dest_cntx0_address, 64);
    tile_field(tile, 0, FIELD_SRCA_SET_SetOvrdWithAddr, 1);
    tile_state(tile)->adcs.channel[0][0][1].x = 15;
    nop_mark(tile);
    return tile;
}

// ---------------------------------------------------------------- order

// What a NOP after a waiting UNPACR has done.
struct effects {
    bool cleared, given;
    int stores;
};

static struct effects effects(tsr_tile *tile, const struct scalar_port *port)
{
    const struct tsr_src *src = &tile_state(tile)->src[0];
    return (struct effects){.cleared = src->bank[0].datum[63][0] == 0,
                            .given = src->unpacker_bank == 1,
                            .stores = port->stores};
}

// A clear, a hand-over, a SETREG, and an overlay clear stay queued after an UNPACR that waits for
// its bank; those of the other unpacker do not.
static void test_after_unpacr(int arch)
{
    const struct {
        uint32_t word;
        struct effects effects;
    } after[] = {
        {arch == WH ? 0x43000011 : 0x43000021, {true, false, 0}},
        {0x43000007, {false, true, 0}},
        {arch == WH ? 0x43111234 : 0x43111237, {false, false, 1}},
        {0x43000000, {false, false, 1}},
    };
    for (size_t i = 0; i < sizeof after / sizeof after[0]; i++)
        for (int timing = 0; timing < 2; timing++) {
            struct scalar_port port = {.answer = TSR_OK};
            tsr_tile *tile = unpacking(arch, timing);
            scalar_plug(tile, &port);
            struct tsr_src_bank *bank = nop_bank(tile, 0, 0);
            bank->matrix_owns = true;
            tile_push_word(tile, 0, UNPACR_16_DATUMS);
            tile_push_word(tile, 0, after[i].word);
            assert_int_equal(nop_run(tile), TSR_END_BLOCKED);
            struct effects none = effects(tile, &port);
            assert_false(none.cleared || none.given || none.stores);
            assert_int_equal(bank->datum[0][0], NOP_MARK);
            bank->matrix_owns = false;
            assert_int_equal(nop_run(tile), TSR_END_IDLE);
            struct effects done = effects(tile, &port);
            assert_true(done.cleared == after[i].effects.cleared);
            assert_true(done.given == after[i].effects.given);
            assert_int_equal(done.stores, after[i].effects.stores);
            // BF16 1.0 is 127 << 10; a clear takes it away again.
            assert_int_equal(bank->datum[0][0], done.cleared ? 0 : 0x1fc00);

            bank->matrix_owns = true;
            tile_state(tile)->src[0].unpacker_bank = 0;
            tile_push_word(tile, 0, UNPACR_16_DATUMS);
            tile_push_word(tile, 0, 0x43800007); // unpacker 1
            assert_int_equal(nop_run(tile), TSR_END_BLOCKED);
            assert_int_equal(tile_state(tile)->src[1].unpacker_bank, 1);
            tsr_tile_destroy(tile);
        }
}
TILE_BOTH(test_after_unpacr)

// Nor does an UNPACR overtake a clear, though its own bank is free.
static void test_before_unpacr(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = unpacking(arch, timing);
        tile_state(tile)->src[0].matrix_bank = 1;
        nop_bank(tile, 0, 1)->matrix_owns = true;
        tile_push_word(tile, 0, 0x43000001);
        tile_push_word(tile, 0, UNPACR_16_DATUMS);
        assert_int_equal(nop_run(tile), TSR_END_BLOCKED);
        nop_holds(tile, 0, 0, NOP_MARK);
        nop_bank(tile, 0, 1)->matrix_owns = false;
        assert_int_equal(nop_run(tile), TSR_END_IDLE);
        assert_int_equal(nop_bank(tile, 0, 0)->datum[0][15], 0x1fc00);
        assert_int_equal(nop_bank(tile, 0, 0)->datum[1][0], 0);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_before_unpacr)

struct nonzero {
    uint64_t unpacr_completed, nop_executed;
};

static void note_nonzero(void *user, const tsr_event *event)
{
    struct nonzero *nonzero = user;
    if (event->word >> 24 == 0x42)
        nonzero->unpacr_completed = event->completed;
    if (event->word >> 24 == 0x43)
        nonzero->nop_executed = event->executed;
}

// With time, SETREG stores once the UNPACR before it has read its last line of L1.
static void test_after_reads(int arch)
{
    struct nonzero nonzero = {0, 0};
    tsr_tile *tile = unpacking(arch, true);
    tsr_tile_observe(tile, note_nonzero, &nonzero);
    uint8_t zeroes[512] = {0};
    assert_int_equal(tsr_l1_write(tile, 0x10000, zeroes, sizeof zeroes), TSR_OK);
    tile_state(tile)->adcs.channel[0][0][1].x = 255;
    tile_push_word(tile, 0, UNPACR_16_DATUMS);
    tile_push_word(tile, 0, (arch == WH ? 0x43110004u : 0x43110007u) | 0x123 << 4);
    assert_int_equal(nop_run(tile), TSR_END_IDLE);
    assert_int_equal(tile_state(tile)->tdma.parameter[0], 0x123);
    assert_true(nonzero.unpacr_completed > 5);
    assert_true(nonzero.nop_executed >= nonzero.unpacr_completed);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_after_reads)

// ---------------------------------------------------------------- waits

// A clear waits for the matrix unit's bank, or with bit 4 (BH: 5) for the unpacker's.
static void test_clear_waits(int arch)
{
    static const uint32_t like_unpacr[2] = {1 << 4, 1 << 5};
    for (int i = 0; i < 8; i++) {
        uint32_t side = i & 1, waits_like_unpacr = i >> 1 & 1, timing = i >> 2;
        uint32_t word = 0x43000001 | side << 23 | (waits_like_unpacr ? like_unpacr[arch] : 0);
        tsr_tile *tile = tile_new(arch, timing, TSR_PROFILE_STRICT);
        struct tsr_src *src = &tile_state(tile)->src[side];
        nop_mark(tile);
        src->unpacker_bank = 1; // and the matrix unit is at bank 0
        src->bank[!waits_like_unpacr].matrix_owns = true;
        nop_do(tile, 0, word); // the other bank's owner does not matter
        nop_holds(tile, (int)side, 1, 0);
        nop_holds(tile, (int)side, 0, NOP_MARK);
        nop_mark(tile);
        src->bank[!waits_like_unpacr].matrix_owns = false;
        src->bank[waits_like_unpacr].matrix_owns = true;
        tile_push_word(tile, 0, word);
        assert_int_equal(nop_run(tile), TSR_END_BLOCKED);
        nop_holds(tile, (int)side, 1, NOP_MARK);
        tsr_wait wait;
        assert_int_equal(tsr_waits(tile, &wait, 1), 1);
        char what[60];
        snprintf(what, sizeof what, "UNPACR_NOP waits for Src%c bank %d", "AB"[side],
                 (int)waits_like_unpacr);
        assert_non_null(strstr(wait.what, what));
        src->bank[waits_like_unpacr].matrix_owns = false;
        assert_int_equal(nop_run(tile), TSR_END_IDLE);
        nop_holds(tile, (int)side, 1, 0);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_clear_waits)

// A register that cannot take the store now makes the instruction wait; a sum grows once.
static void test_busy_register(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        struct scalar_port port = {.answer = TSR_BUSY};
        tsr_tile *tile = tile_new(arch, timing, TSR_PROFILE_STRICT);
        tile_state(tile)->tdma.unpack_register_raw = 4 << 8; // 4 << 2: 0xffb11010
        scalar_plug(tile, &port);
        tile_push_word(tile, 0, arch == WH ? 0x4311089c : 0x4311089f);
        assert_int_equal(nop_run(tile), TSR_END_BLOCKED);
        tsr_wait wait;
        assert_int_equal(tsr_waits(tile, &wait, 1), 1);
        assert_non_null(strstr(wait.what, "UNPACR_NOP waits for the register at 0xffb11010"));
        assert_int_equal(tile_state(tile)->tdma.unpack_register_acc[0], 0);
        port.answer = TSR_OK;
        assert_int_equal(nop_run(tile), TSR_END_IDLE);
        assert_int_equal(port.value, 0x89);
        assert_int_equal(tile_state(tile)->tdma.unpack_register_acc[0], 0x89);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_busy_register)

// ---------------------------------------------------------------- with ZEROSRC

struct race {
    const char *zerosrc;
    int banks; // of SrcA that the clear takes, a bit for each
    bool timing;
};

// The unpacker is at bank 0 and the matrix unit at bank 1. ZEROSRC clears SrcB, and chooses for
// SrcA as well.
static const struct race races[] = {
    {"ZEROSRC src_mask=2 write_mode=1", 2, true},
    {"ZEROSRC src_mask=2 bank_mask=1", 3, true},
    {"ZEROSRC src_mask=2", 1, true},               // the unpacker's bank: no choice of its own
    {"ZEROSRC src_mask=2 write_mode=1", 1, false}, // without time there are no cycles
};

static void test_zerosrc(int arch)
{
    uint32_t word = arch == WH ? 0x43000015 : 0x43000025; // -infinity, waits like UNPACR
    for (size_t i = 0; i < sizeof races / sizeof races[0]; i++)
        for (int thread = 0; thread < TSR_THREADS; thread += 2) { // asked before and after thread 1
            tsr_tile *tile = tile_new(arch, races[i].timing, TSR_PROFILE_STRICT);
            nop_mark(tile);
            tile_state(tile)->src[0].matrix_bank = 1;
            tile_state(tile)->src[1].matrix_bank = 1;
            tile_push_word(tile, thread, word);
            tile_push(tile, 1, races[i].zerosrc);
            assert_int_equal(nop_run(tile), TSR_END_IDLE);
            nop_holds(tile, 0, 0, races[i].banks & 1 ? 0x7ffff : NOP_MARK);
            nop_holds(tile, 0, 1, races[i].banks & 2 ? 0x7ffff : NOP_MARK);
            bool raced = races[i].banks != 1;
            nop_says(tile, raced ? "src-clear-race" : NULL);
            assert_int_equal(tile_state(tile)->src[0].unpacker_bank, 0);
            // A cycle earlier or later there is nothing between them.
            nop_mark(tile);
            tile_push(tile, 1, races[i].zerosrc);
            assert_int_equal(nop_run(tile), TSR_END_IDLE);
            nop_do(tile, thread, word);
            nop_holds(tile, 0, 0, 0x7ffff);
            nop_holds(tile, 0, 1, NOP_MARK);
            tsr_tile_destroy(tile);
        }
}
TILE_BOTH(test_zerosrc)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_after_unpacr), TILE_TEST(test_before_unpacr), TILE_TEST(test_after_reads),
        TILE_TEST(test_clear_waits),  TILE_TEST(test_busy_register), TILE_TEST(test_zerosrc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
