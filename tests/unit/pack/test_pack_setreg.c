// SPDX-License-Identifier: Apache-2.0
// PACR_SETREG: address and value, its place among PACRs, what it flushes, and what nobody
// describes. Pages: PACR_SETREG.md, TDMA-RISC.md; Blackhole: tt-llk's operands.
#include "rig/mover_rig.h"
#include "rig/pack_rig.h"

enum { PACK_REGISTER = 0x38, SCALERS = 0x3c, SCALER3 = 0x28, BASE = 0x2c, COMMAND = 0x10 };

// The register at 0xffb1102c, which anybody may write and T0 reads: middle bits 0xb, StreamId 0x11.
// As the second address: bits 19:10 and 23:22 of the same word.
static void aim(tsr_tile *tile, unsigned which, uint32_t offset, uint32_t top)
{
    put(tile, TSR_CORE_B, tdma + PACK_REGISTER,
        (offset >> 2) << (10 * which) | top << (20 + 2 * which));
}

static uint32_t written(tsr_tile *tile)
{
    return get(tile, TSR_CORE_T0, tdma + BASE);
}

static void setreg(tsr_tile *tile, int thread, int address, int value, const char *rest)
{
    char text[160];
    snprintf(text, sizeof text,
             "PACR_SETREG Push=1 AddrSel=%d WrData=%d PackSel=15 StreamId=17 Flush=1 %s", address,
             value, rest);
    tile_do(tile, thread, text);
}

// ---------------------------------------------------------------- Wormhole: address and value

// Scaler of the datum size of packer 0's Out_data_format: 0x105 for 16 bits, 0x1ff for 32, 3 for 8,
// 1 for the fourth.
// 0x3ab * 0x105 = 0x3bd57; its low 17 bits are 0x1bd57; shifted by 12 and with 0x3ab below.
// 0x3ab * 0x1ff = 0x75255 -> 0x15255. 0x3ab * 3 = 0xb01. 0x3ab * 1 = 0x3ab.
static void test_value(void **state)
{
    static const struct {
        int format;
        uint32_t value;
    } rows[] = {{BF16, 0x1bd573ab}, {FP16, 0x1bd573ab}, {FP32, 0x152553ab},
                {BFP8, 0x00b013ab}, {INT8, 0x00b013ab}, {BFP4, 0x003ab3ab}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsr_tile *tile = pack_tile(WH, TSR_PROFILE_STRICT, BF16, rows[i].format, false);
        put(tile, TSR_CORE_B, tdma + SCALERS, 0x1ff | 0x105 << 9 | 3 << 18);
        put(tile, TSR_CORE_B, tdma + SCALER3, 1 << 16);
        aim(tile, 0, 0x02c, 0);
        setreg(tile, 0, 0, 0x3ab, "");
        assert_int_equal(written(tile), rows[i].value);
        assert_int_equal(tsr_diagnostic_count(tile), 0);
        tsr_tile_destroy(tile);
    }
    (void)state;
}

// Packer 0 of the bank that the thread has selected.
static void test_value_by_bank(void **state)
{
    (void)state;
    tsr_tile *tile = pack_tile(WH, TSR_PROFILE_STRICT, BF16, BF16, false);
    tile_field(tile, 1, FIELD_CFG_STATE_ID_StateID, 1);
    tile_field(tile, 1, FIELD_THCON_SEC0_REG1_Out_data_format, FP32);
    put(tile, TSR_CORE_B, tdma + SCALERS, 2 | 5 << 9);
    aim(tile, 0, 0x02c, 0);
    setreg(tile, 1, 0, 7, "");
    assert_int_equal(written(tile), 14 << 12 | 7);
    setreg(tile, 0, 0, 7, "");
    assert_int_equal(written(tile), 35 << 12 | 7);
    tsr_tile_destroy(tile);
}

// Each address has its own bits; without scalers the value is the ten bits.
static void test_second_address(void **state)
{
    (void)state;
    tsr_tile *tile = pack_tile(WH, TSR_PROFILE_STRICT, BF16, BF16, false);
    aim(tile, 1, 0x02c, 0);
    setreg(tile, 0, 1, 0x155, "");
    assert_int_equal(written(tile), 0x155);
    tsr_tile_destroy(tile);
}

// Top bits 1: 0xffb40000 + 0x11000 is NoC 0 or the overlay, which is not there yet; 2 and 3 lie
// beyond the window, where a write is lost without a word.
static void test_beyond_the_window(void **state)
{
    (void)state;
    for (uint32_t top = 2; top < 4; top++) {
        tsr_tile *tile = pack_tile(WH, TSR_PROFILE_STRICT, BF16, BF16, false);
        aim(tile, 0, 0x02c, top);
        setreg(tile, 0, 0, 0x155, "");
        assert_int_equal(written(tile), 0);
        assert_int_equal(tsr_diagnostic_count(tile), 0);
        tsr_tile_destroy(tile);
    }
}

// StreamId 0x10: 0xffb1002c is a core's own.
static void test_below_the_window(void **state)
{
    (void)state;
    const char *text = "PACR_SETREG Push=1 WrData=3 PackSel=15 StreamId=16 Flush=1";
    tsr_tile *tile = pack_tile(WH, TSR_PROFILE_STRICT, BF16, BF16, false);
    aim(tile, 0, 0x02c, 0);
    tile_push(tile, 0, text);
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    assert_non_null(tile_found(tile, "mmio-address"));
    tsr_tile_destroy(tile);
    tile = pack_tile(WH, TSR_PROFILE_SILICON, BF16, BF16, false);
    aim(tile, 0, 0x02c, 0);
    tile_do(tile, 0, text);
    assert_non_null(tile_found(tile, "mmio-address"));
    assert_int_equal(written(tile), 0);
    tsr_tile_destroy(tile);
}

// ---------------------------------------------------------------- among PACRs

// Five 16-bit datums lie in the buffer; the flush pads them to 16 bytes, and the next PACR begins
// where its own address is.
static void test_flush(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = tile_new(arch, timing, TSR_PROFILE_STRICT);
        pack_formats(tile, INT16, INT16, false);
        dst_count(tile, 100);
        pack_datums(tile, 0, 5);
        aim(tile, 0, 0x02c, 0);
        pack_one(tile, "");
        assert_false(was_written(tile, OUT, 1));
        if (arch == BH)
            tile_do(tile, 0, "PACR_SETREG Push=1 StreamId=17 Flush=1");
        else
            setreg(tile, 0, 0, 9, "");
        for (unsigned i = 0; i < 8; i++)
            assert_int_equal(out16(tile, i), i < 5 ? 100 + i : 0);
        assert_false(was_written(tile, OUT + 16, 1));
        dst_count(tile, 200);
        pack_datums(tile, 0, 8);
        pack_one(tile, "");
        assert_int_equal(out16(tile, 7), 207);
        assert_false(was_written(tile, OUT + 16, 1));
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_flush)

// Datums of a BFP8 block and their exponent wait in two buffers.
static void test_flush_of_exponents(void **state)
{
    (void)state;
    tsr_tile *tile = pack_tile(WH, TSR_PROFILE_STRICT, BF16, BFP8, false);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Exp_section_size, 2);
    for (unsigned i = 0; i < 16; i++)
        dst_put(tile, 0, i, 0x007f, false); // 1.0
    pack_one(tile, "");
    assert_false(was_written(tile, OUT, 1));
    aim(tile, 0, 0x02c, 0);
    setreg(tile, 0, 0, 9, "");
    assert_int_equal(out_at(tile, OUT, 4), 0x7f);
    assert_int_equal(out_at(tile, OUT + 12, 4), 0);
    assert_int_equal(out_at(tile, OUT + 32, 4), 0x40404040);
    tsr_tile_destroy(tile);
}

// What is flushed is added where Pack_L1_Acc is set: 1.0 + 2.0.
static void test_flush_accumulates(void **state)
{
    (void)state;
    tsr_tile *tile = pack_tile(WH, TSR_PROFILE_STRICT, FP32, FP32, true);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Pack_L1_Acc, 1);
    const uint32_t two[4] = {0x40000000, 0x40000000, 0x40000000, 0x40000000};
    assert_int_equal(tsr_l1_write(tile, OUT, two, sizeof two), TSR_OK);
    dst_put(tile, 0, 0, 0x007f0000, true); // 1.0
    pack_datums(tile, 0, 1);
    pack_one(tile, "");
    aim(tile, 0, 0x02c, 0);
    setreg(tile, 0, 0, 9, "");
    assert_int_equal(out_at(tile, OUT, 4), 0x40400000);
    assert_int_equal(out_at(tile, OUT + 4, 4), 0x40000000);
    tsr_tile_destroy(tile);
}

// The register is written after the PACR before it, and a PACR after it begins afresh although
// it was accepted before the write.
static void test_order(void **state)
{
    (void)state;
    tsr_tile *tile = tile_new(WH, true, TSR_PROFILE_STRICT);
    pack_formats(tile, INT16, INT16, false);
    dst_count(tile, 1);
    pack_datums(tile, 0, 256);
    aim(tile, 0, 0x02c, 0);
    tile_push(tile, 0, "PACR PackSel=1");
    tile_push(tile, 0, "PACR_SETREG Push=1 WrData=77 PackSel=15 StreamId=17 Flush=1");
    bool seen = false;
    while (!seen && tsr_step(tile)) {
        seen = written(tile) == 77;
        if (!was_written(tile, OUT + 2 * 255, 2))
            assert_false(seen);
    }
    assert_true(seen);
    // 512 bytes at 16 a cycle.
    assert_true(tsr_cycle(tile) >= 32);
    tsr_tile_destroy(tile);
}

// The full queue of TDMA-RISC holds the write, and with it the packers.
static void test_busy_register(void **state)
{
    (void)state;
    tsr_tile *tile = tile_new(WH, true, TSR_PROFILE_STRICT);
    pack_formats(tile, INT16, INT16, false);
    aim(tile, 0, COMMAND, 0);
    fill(tile, FROM, 0x1000);
    put(tile, TSR_CORE_B, tdma + BASE, FROM / 16);
    tile_state(tile)->mover.busy = true;
    tile_state(tile)->mover.until = 100;
    for (int i = 0; i < 4; i++)
        put(tile, TSR_CORE_B, tdma + COMMAND, 0xff000040u | 0x20u << 16); // 63 lines, L1 to L1
    tile_push(tile, 0, "PACR_SETREG Push=1 WrData=0x89 PackSel=15 StreamId=17 Flush=1");
    tsr_limits limits = tsr_limits_default();
    limits.max_cycles = 20;
    assert_int_equal(tsr_run(tile, &limits), TSR_END_TIMEOUT);
    tsr_wait waits[8];
    int count = tsr_waits(tile, waits, 8);
    bool found = false;
    for (int i = 0; i < count && i < 8; i++)
        found |= strstr(waits[i].what, "PACR_SETREG waits for the register at 0xffb11010") != NULL;
    assert_true(found);
    tile_idle(tile);
    assert_true(tsr_cycle(tile) > 100);
    tsr_tile_destroy(tile);
}

// ---------------------------------------------------------------- what nobody describes

// Wormhole without one of the settings of the page: no write, and a flush where Flush is set.
static void test_incomplete(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool flushes;
    } rows[] = {{"PACR_SETREG WrData=3 PackSel=15 StreamId=17 Flush=1", true},
                {"PACR_SETREG Push=1 WrData=3 PackSel=15 StreamId=17", false},
                {"PACR_SETREG Push=1 WrData=3 PackSel=1 StreamId=17 Flush=1", true},
                {"PACR_SETREG Push=1 WrData=3 PackSel=2 StreamId=17 Flush=1", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsr_tile *tile = pack_tile(WH, TSR_PROFILE_STRICT, INT16, INT16, false);
        dst_count(tile, 1);
        pack_datums(tile, 0, 3);
        aim(tile, 0, 0x02c, 0);
        pack_one(tile, "");
        tile_do(tile, 0, rows[i].text);
        assert_int_equal(written(tile), 0);
        assert_int_equal(was_written(tile, OUT, 1), rows[i].flushes);
        assert_non_null(tile_found(tile, "undocumented-mode"));
        tsr_tile_destroy(tile);
    }
}

// Blackhole: two words load the halves of the write data, a third writes all of it. Bits 18:3 are
// the half, bit 2 says which; ModeSel is bit 22.
static void test_blackhole(void **state)
{
    (void)state;
    tsr_tile *tile = pack_tile(BH, TSR_PROFILE_STRICT, INT16, INT16, false);
    aim(tile, 1, 0x02c, 0);
    uint32_t load = 0x4a000000u | 1u << 22;
    tile_push_word(tile, 0, load | 0xbeefu << 3);
    tile_push_word(tile, 0, load | 0xdeadu << 3 | 1u << 2);
    tile_push(tile, 0, "PACR_SETREG Push=1 AddrSel=1 StreamId=17 Flush=1");
    tile_idle(tile);
    assert_int_equal(written(tile), 0xdeadbeef);
    assert_non_null(tile_found(tile, "undocumented-mode"));
    // One half stays as it was.
    tile_push_word(tile, 2, load | 0x1234u << 3);
    tile_push(tile, 2, "PACR_SETREG Push=1 AddrSel=1 StreamId=17 Flush=1");
    tile_idle(tile);
    assert_int_equal(written(tile), 0xdead1234);
    // Two of the four addresses have no register that programs them.
    tile_push_word(tile, 2, load | 0x5555u << 3);
    for (int i = 2; i < 4; i++) {
        char text[80];
        snprintf(text, sizeof text, "PACR_SETREG Push=1 AddrSel=%d StreamId=17 Flush=1", i);
        tile_do(tile, 2, text);
        assert_int_equal(written(tile), 0xdead1234);
    }
    tsr_tile_destroy(tile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_value),
                                       cmocka_unit_test(test_value_by_bank),
                                       cmocka_unit_test(test_second_address),
                                       cmocka_unit_test(test_beyond_the_window),
                                       cmocka_unit_test(test_below_the_window),
                                       TILE_TEST(test_flush),
                                       cmocka_unit_test(test_flush_of_exponents),
                                       cmocka_unit_test(test_flush_accumulates),
                                       cmocka_unit_test(test_order),
                                       cmocka_unit_test(test_busy_register),
                                       cmocka_unit_test(test_incomplete),
                                       cmocka_unit_test(test_blackhole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
