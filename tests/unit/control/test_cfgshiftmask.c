// SPDX-License-Identifier: Apache-2.0
// CFGSHIFTMASK.md and STREAMWRCFG.md, which Blackhole alone has. The vendor's simulator runs one
// combination of the former's operands; the vectors here are worked by hand from the page.
#include "rig/tile_rig.h"

enum { TARGET = 76 };

static uint32_t word_of(tsr_tile *tile, int bank)
{
    return tile_state(tile)->config.bank[bank][TARGET];
}

static void put(tsr_tile *tile, int bank, unsigned addr32, uint32_t value)
{
    tsr_config_write(tile_env(tile), bank, addr32, value, 0xffffffffu);
}

static enum tsr_field scratch(unsigned index)
{
    static const enum tsr_field fields[3] = {FIELD_SCRATCH_SEC0_val, FIELD_SCRATCH_SEC1_val,
                                             FIELD_SCRATCH_SEC2_val};
    return fields[index];
}

static uint32_t shift_mask(tsr_tile *tile, int thread, const char *operands)
{
    char text[160];
    snprintf(text, sizeof text, "CFGSHIFTMASK CfgReg=%d %s", TARGET, operands);
    tile_do(tile, thread, text);
    return word_of(tile, 0);
}

// Mask of eight bits: 0x000000ff, rotated right by four 0xf000000f. Of the scratch word 0x123456a5
// the mask leaves 0xa5, rotated 0x5000000a, inverted 0xaffffff5. The old word is 0x89abcdef.
static void test_eight_bits(void **state)
{
    (void)state;
    static const struct {
        uint32_t masked, kept;
    } expected[8] = {
        // The mask takes the first and last digit of the old word away: 0x09abcde0.
        {0x59abcdea, 0xd9abcdef}, // 0|5, 0|a        8|5 = d, f|a = f
        {0x00000000, 0x0000000a}, // 0&5, 0&a        8&5 = 0, f&a = a, zeroes between
        {0x59abcdea, 0xd9abcde5}, // 0^5, 0^a        8^5 = d, f^a = 5
        {0x59abcdea, 0xd9abcdf9}, // no carry        ef + 0a = f9, 8 + 5 = d
        {0xaffffff5, 0xafffffff}, // 0|a, 0|5, f     8|a = a, f|5 = f
        {0x09abcde0, 0x89abcde5}, // 0&a, 0&5, &f    8&a = 8, f&5 = 5
        {0xa6543215, 0x2654321a}, // 0^a, 9^f = 6 …  8^a = 2, f^5 = a
        {0xb9abcdd6, 0x39abcde5}, // e0-0a, 09-50    ef - 0a, 89 - 50
    };
    tsr_tile *tile = tile_default(BH);
    tile_field(tile, 0, scratch(1), 0x123456a5);
    for (unsigned operation = 0; operation < 8; operation++)
        for (unsigned keep = 0; keep < 2; keep++) {
            char operands[120];
            snprintf(operands, sizeof operands,
                     "scratch_sel=1 right_cshift_amt=4 mask_width=7 operation=%u "
                     "disable_mask_on_old_val=%u",
                     operation, keep);
            put(tile, 0, TARGET, 0x89abcdef);
            assert_int_equal(shift_mask(tile, 0, operands),
                             keep ? expected[operation].kept : expected[operation].masked);
        }
    tsr_tile_destroy(tile);
}

// All 32 bits: nothing is left of the old word, whatever it was. Scratch is 0x0000ffff.
static void test_whole_word(void **state)
{
    (void)state;
    static const uint32_t expected[8] = {0x0000ffff, 0, 0x0000ffff, 0x0000ffff,
                                         0xffff0000, 0, 0xffff0000, 0xffff0001};
    tsr_tile *tile = tile_default(BH);
    tile_field(tile, 0, scratch(2), 0x0000ffff);
    for (unsigned operation = 0; operation < 8; operation++) {
        char operands[120];
        snprintf(operands, sizeof operands, "scratch_sel=2 mask_width=31 operation=%u", operation);
        put(tile, 0, TARGET, 0x5a5a5a5a);
        assert_int_equal(shift_mask(tile, 0, operands), expected[operation]);
    }
    tsr_tile_destroy(tile);
}

// One bit, and a carry that leaves the mask: bit 0 to place 31 (rotated by 1), added twice.
static void test_one_bit(void **state)
{
    (void)state;
    tsr_tile *tile = tile_default(BH);
    tile_field(tile, 0, scratch(0), 0xffffffff);
    put(tile, 0, TARGET, 0x00000001);
    const char *add = "right_cshift_amt=1 mask_width=0 operation=3 disable_mask_on_old_val=1";
    assert_int_equal(shift_mask(tile, 0, add), 0x80000001);
    assert_int_equal(shift_mask(tile, 0, add), 0x00000001); // the carry is lost
    // Rotated by 31: bit 0 to place 1. Masked, the old bit does not count.
    assert_int_equal(shift_mask(tile, 0, "right_cshift_amt=31 operation=3"), 0x00000003);
    assert_int_equal(shift_mask(tile, 0, "right_cshift_amt=31 operation=3"), 0x00000003);
    tsr_tile_destroy(tile);
}

// The example of vendor software: bits 23:6 of a value to bits 29:12 of a word. 0x00abcd40 >> 6 is
// 0x2af35, and its 18 bits from bit 12 on are 0x2af35000; the other bits of the word stay.
static void test_field_moves(void **state)
{
    (void)state;
    tsr_tile *tile = tile_default(BH);
    unsigned scratch32 = tile_env(tile)->isa->field[scratch(1)].addr32;
    char text[120];
    tile_field(tile, 0, scratch(1), 0x00abcd40);
    put(tile, 0, TARGET, 0xffffffff);
    snprintf(text, sizeof text,
             "CFGSHIFTMASK CfgReg=%u scratch_sel=3 mask_width=31 right_cshift_amt=6", scratch32);
    tile_do(tile, 1, text); // thread 1 means scratch word 1
    assert_int_equal(tile_state(tile)->config.bank[1][scratch32], 0x0002af35);
    assert_int_equal(shift_mask(tile, 1, "scratch_sel=3 mask_width=17 right_cshift_amt=20"),
                     0xeaf35fff);
    tsr_tile_destroy(tile);
}

static void test_banks_and_threads(void **state)
{
    (void)state;
    tsr_tile *tile = tile_default(BH);
    for (unsigned i = 0; i < 3; i++)
        tile_field(tile, 0, scratch(i), 0x100 + i);
    put(tile, 0, TARGET, 0xaaaa0000);
    put(tile, 1, TARGET, 0xbbbb0000);
    tile_field(tile, 2, FIELD_CFG_STATE_ID_StateID, 1);
    shift_mask(tile, 2, "scratch_sel=3 mask_width=15");
    assert_int_equal(word_of(tile, 0), 0xaaaa0000);
    assert_int_equal(word_of(tile, 1), 0xbbbb0102);
    assert_int_equal(shift_mask(tile, 0, "scratch_sel=3 mask_width=15"), 0xaaaa0100);
    tsr_tile_destroy(tile);
}

// A word that exists once changes in both banks; an index has eight bits and the chip 224 words.
static void test_ends(void **state)
{
    (void)state;
    tsr_tile *tile = tile_default(BH);
    tile_field(tile, 0, scratch(0), 7);
    tile_do(tile, 0, "CFGSHIFTMASK CfgReg=223 mask_width=31");
    assert_int_equal(tile_state(tile)->config.bank[1][223], 7);
    tile_push(tile, 0, "CFGSHIFTMASK CfgReg=224 mask_width=31");
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    assert_non_null(tile_found(tile, "config-index"));
    tsr_tile_destroy(tile);
}

// Reading what nothing wrote: the scratch word always, the old word where it counts.
static void test_never_written(void **state)
{
    (void)state;
    tsr_tile *tile = tile_default(BH);
    tile_field(tile, 0, scratch(0), 7);
    shift_mask(tile, 0, "mask_width=31");
    assert_null(tile_found(tile, "config-never-written"));
    shift_mask(tile, 0, "mask_width=3 scratch_sel=1");
    assert_non_null(tile_found(tile, "config-never-written"));
    tsr_tile_reset(tile);
    tile_field(tile, 0, scratch(0), 7);
    shift_mask(tile, 0, "mask_width=3");
    assert_non_null(tile_found(tile, "config-never-written"));
    tsr_tile_destroy(tile);
}

// The NoC overlay is not there: the finding names stream and register, and nothing is written.
static void test_streamwrcfg(void **state)
{
    (void)state;
    tsr_tile *tile = tile_default(BH);
    const char *text = "STREAMWRCFG CfgReg=76 StreamRegAddr=270 stream_id_sel=2";
    tile_field(tile, 1, FIELD_STREAM_ID_SYNC_SEC2_BankSel, 33);
    put(tile, 0, TARGET, 5);
    tile_push(tile, 1, text);
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    const tsr_diagnostic *found = tile_found(tile, "unimplemented-mode");
    assert_true(found && strstr(found->sentence, "register 270 of NoC overlay stream 33"));
    assert_true(found && found->fields[0].value == 33);
    tsr_tile_reset(tile);
    assert_int_equal(tsr_tile_set_policy(tile, "unimplemented-mode", TSR_ACTION_RECORD), TSR_OK);
    put(tile, 0, TARGET, 5);
    tile_do(tile, 1, text);
    assert_int_equal(word_of(tile, 0), 5);
    tile_push(tile, 1, "STREAMWRCFG CfgReg=224");
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    assert_non_null(tile_found(tile, "config-index"));
    tsr_tile_destroy(tile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_eight_bits),        cmocka_unit_test(test_whole_word),
        cmocka_unit_test(test_one_bit),           cmocka_unit_test(test_field_moves),
        cmocka_unit_test(test_banks_and_threads), cmocka_unit_test(test_ends),
        cmocka_unit_test(test_never_written),     cmocka_unit_test(test_streamwrcfg),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
