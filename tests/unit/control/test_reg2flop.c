// SPDX-License-Identifier: Apache-2.0
// REG2FLOP_Configuration.md and REG2FLOP_ADC.md. The vendor's simulator runs the first form with
// sizes 1 and 2 on Wormhole; the other vectors here are worked by hand from the pages.
#include "rig/event_log.h"
#include "rig/tile_rig.h"

static tsr_tile *recording(int arch)
{
    return tile_new(arch, false, TSR_PROFILE_SILICON); // legacy-mode is recorded in every profile
}

static uint32_t thcon(tsr_tile *tile, int bank, unsigned index)
{
    unsigned base = tile_env(tile)->isa->layout.thcon_base;
    return tile_state(tile)->config.bank[bank][base + index];
}

static void stops(tsr_tile *tile, const char *text, const char *code)
{
    tile_push(tile, 0, text);
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    assert_non_null(tile_found(tile, code));
}

// ---------------------------------------------------------------- configuration

static void test_word(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tile_set_gpr(tile, 1, 9, 0xcafe1234);
    tile_do(tile, 1, "REG2FLOP SizeSel=1 FlopIndex=17 RegIndex=9");
    assert_int_equal(thcon(tile, 0, 17), 0xcafe1234);
    assert_int_equal(thcon(tile, 1, 17), 0);
    assert_int_equal(thcon(tile, 0, 16), 0);
    assert_int_equal(thcon(tile, 0, 18), 0);
    // Blackhole calls all of it unsupported, Wormhole not this form.
    assert_true((tile_found(tile, "legacy-mode") != NULL) == (arch == BH));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_word)

// Sizes of 16 and 8 bits write the whole word too: the page knows 128 bits and everything else.
static void test_other_sizes(int arch)
{
    tsr_tile *tile = recording(arch);
    tile_set_gpr(tile, 0, 2, 0x89abcdef);
    tile_do(tile, 0, "REG2FLOP SizeSel=2 FlopIndex=4 RegIndex=2");
    tile_do(tile, 0, "REG2FLOP SizeSel=3 FlopIndex=5 RegIndex=2");
    assert_int_equal(thcon(tile, 0, 4), 0x89abcdef);
    assert_int_equal(thcon(tile, 0, 5), 0x89abcdef);
    assert_null(tile_found(tile, "undocumented-mode"));
    tile_do(tile, 0, "REG2FLOP SizeSel=2 ByteOffset=2 FlopIndex=6 RegIndex=2"); // no effect
    assert_int_equal(thcon(tile, 0, 6), 0x89abcdef);
    assert_non_null(tile_found(tile, "undocumented-mode"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_other_sizes)

// 128 bits: word 7 of the section and GPR 14 lose their low two bits, so GPRs 12 to 15 go to words
// 4 to 7. GPR 63 is in the last group, 60 to 63; word 96 of 100 or 116 begins a group.
static void test_four_words(int arch)
{
    tsr_tile *tile = recording(arch);
    for (unsigned i = 0; i < 4; i++) {
        tile_set_gpr(tile, 0, 12 + (int)i, 0x1000 + i);
        tile_set_gpr(tile, 0, 60 + (int)i, 0x2000 + i);
    }
    tile_do(tile, 0, "REG2FLOP SizeSel=0 FlopIndex=7 RegIndex=14");
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(thcon(tile, 0, 4 + i), 0x1000 + i);
    assert_int_equal(thcon(tile, 0, 3), 0);
    assert_int_equal(thcon(tile, 0, 8), 0);
    tile_field(tile, 0, FIELD_CFG_STATE_ID_StateID, 1);
    tile_do(tile, 0, "REG2FLOP SizeSel=0 FlopIndex=96 RegIndex=63");
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(thcon(tile, 1, 96 + i), 0x2000 + i);
    assert_int_equal(thcon(tile, 0, 96), 0);
    assert_non_null(tile_found(tile, "legacy-mode"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_four_words)

// THCON has 152 - 52 = 100 words on Wormhole, 180 - 64 = 116 on Blackhole. After them: undefined.
static void test_last_word(int arch)
{
    char text[80];
    unsigned words = arch == WH ? 100 : 116;
    tsr_tile *tile = tile_default(arch);
    tile_set_gpr(tile, 0, 1, 77);
    snprintf(text, sizeof text, "REG2FLOP SizeSel=1 FlopIndex=%u RegIndex=1", words - 1);
    tile_do(tile, 0, text);
    assert_int_equal(thcon(tile, 0, words - 1), 77);
    snprintf(text, sizeof text, "REG2FLOP SizeSel=1 FlopIndex=%u RegIndex=1", words);
    stops(tile, text, "config-index");
    tsr_tile_destroy(tile);
    tile = recording(arch);
    tile_set_gpr(tile, 0, 1, 77);
    tile_do(tile, 0, text);
    assert_int_equal(thcon(tile, 0, words), 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_last_word)

static void test_needs_its_gpr(int arch)
{
    tsr_tile *tile = tile_default(arch);
    stops(tile, "REG2FLOP SizeSel=1 FlopIndex=3 RegIndex=30", "uninitialised-gpr");
    assert_int_equal(thcon(tile, 0, 3), 0);
    tsr_tile_reset(tile);
    tile_set_gpr(tile, 0, 30, 5);
    tile_state(tile)->gprs.tainted[0] = 1ull << 30;
    stops(tile, "REG2FLOP SizeSel=1 FlopIndex=3 RegIndex=30", "tainted-datum-used");
    assert_int_equal(thcon(tile, 0, 3), 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_needs_its_gpr)

// A target that vendor software names and no page has.
static void test_local_registers(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tile_set_gpr(tile, 0, 1, 77);
    struct tsr_config before = tile_state(tile)->config;
    tile_do(tile, 0, "REG2FLOP SizeSel=1 TargetSel=1 RegIndex=1");
    assert_non_null(tile_found(tile, "undocumented-mode"));
    assert_memory_equal(&before, &tile_state(tile)->config, sizeof before);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_local_registers)

// ---------------------------------------------------------------- ADCs

static tsr_adc_channel adc(const tsr_tile *tile, int thread, int agent, int channel)
{
    tsr_adc_channel value;
    assert_int_equal(tsr_view_adc(tile, thread, agent, channel, &value), TSR_OK);
    return value;
}

// FlopIndex: channel << 5 | agent << 3 | carriage << 2 | X, Y, Z, W.
static void to_adc(tsr_tile *tile, unsigned size, unsigned shift, unsigned index)
{
    char text[120];
    snprintf(text, sizeof text,
             "REG2FLOP SizeSel=%u TargetSel=2 ByteOffset=%u FlopIndex=%u RegIndex=8", size, shift,
             index);
    tile_do(tile, 0, text);
}

// The GPR is 0xa1b2c3d4. X has 18 bits, Y 13, Z and W 8 on Wormhole and 13 on Blackhole.
static void test_parts(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tile_set_gpr(tile, 0, 8, 0xa1b2c3d4);
    to_adc(tile, 1, 0, 0);
    assert_int_equal(adc(tile, 0, 0, 0).x, 0x2c3d4); // 32 bits, of which 18
    to_adc(tile, 2, 0, 1);
    assert_int_equal(adc(tile, 0, 0, 0).y, 0x03d4); // 0xc3d4, of which 13
    to_adc(tile, 2, 2, 1);
    assert_int_equal(adc(tile, 0, 0, 0).y, 0x01b2); // 0xa1b2, of which 13
    to_adc(tile, 2, 0, 2);
    assert_int_equal(adc(tile, 0, 0, 0).z, arch == WH ? 0xd4 : 0x3d4);
    static const uint8_t bytes[4] = {0xd4, 0xc3, 0xb2, 0xa1};
    for (unsigned shift = 0; shift < 4; shift++) {
        to_adc(tile, 3, shift, 3);
        assert_int_equal(adc(tile, 0, 0, 0).w, bytes[shift]);
    }
    assert_int_equal(adc(tile, 0, 0, 0).x_cr, 0); // the carriage is a counter of its own
    assert_non_null(tile_found(tile, "legacy-mode"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_parts)

// 128 bits, 32 bits with a shift, and 16 bits with an odd one give 0.
static void test_nothing_parts(int arch)
{
    static const uint8_t size_shift[6][2] = {{0, 0}, {0, 3}, {1, 1}, {1, 2}, {2, 1}, {2, 3}};
    tsr_tile *tile = tile_default(arch);
    tile_set_gpr(tile, 0, 8, 0xffffffff);
    for (int i = 0; i < 6; i++) {
        to_adc(tile, 3, 0, 1);
        assert_int_equal(adc(tile, 0, 0, 0).y, 0xff);
        to_adc(tile, size_shift[i][0], size_shift[i][1], 1);
        assert_int_equal(adc(tile, 0, 0, 0).y, 0);
    }
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_nothing_parts)

// Channel 1 of unpacker 1, the carriage of Z: 32 + 8 + 4 + 2. Then each counter of the packers.
static void test_which_counter(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tile_set_gpr(tile, 0, 8, 0x55);
    to_adc(tile, 3, 0, 46);
    assert_int_equal(adc(tile, 0, 1, 1).z_cr, 0x55);
    assert_int_equal(adc(tile, 0, 1, 1).z, 0);
    for (unsigned i = 0; i < 8; i++)
        to_adc(tile, 3, 0, 16 + i);
    tsr_adc_channel all = {0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55};
    tsr_adc_channel seen = adc(tile, 0, 2, 0);
    assert_memory_equal(&seen, &all, sizeof all);
    tsr_adc_channel none = {0};
    struct tsr_adcs before = tile_state(tile)->adcs;
    to_adc(tile, 3, 0, 24); // agent 3 is nobody
    assert_memory_equal(&before, &tile_state(tile)->adcs, sizeof before);
    seen = adc(tile, 0, 0, 0);
    assert_memory_equal(&seen, &none, sizeof none);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_which_counter)

static void test_other_thread(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tile_set_gpr(tile, 0, 8, 0x55);
    tile_do(tile, 0, "REG2FLOP SizeSel=3 TargetSel=3 ContextId_2=2 RegIndex=8");
    assert_int_equal(adc(tile, 2, 0, 0).x, 0x55);
    assert_int_equal(adc(tile, 0, 0, 0).x, 0);
    tile_do(tile, 0, "REG2FLOP SizeSel=3 TargetSel=2 ContextId_2=1 RegIndex=8"); // not overridden
    assert_int_equal(adc(tile, 0, 0, 0).x, 0x55);
    assert_int_equal(adc(tile, 1, 0, 0).x, 0);
    struct tsr_adcs before = tile_state(tile)->adcs;
    tile_do(tile, 0, "REG2FLOP SizeSel=3 TargetSel=3 ContextId_2=3 FlopIndex=1 RegIndex=8");
    assert_memory_equal(&before, &tile_state(tile)->adcs, sizeof before);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_other_thread)

static void test_policy_stops_legacy(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tile_set_gpr(tile, 0, 8, 0x55);
    assert_int_equal(tsr_tile_set_policy(tile, "legacy-mode", TSR_ACTION_STOP), TSR_OK);
    stops(tile, "REG2FLOP SizeSel=3 TargetSel=2 RegIndex=8", "legacy-mode");
    assert_int_equal(adc(tile, 0, 0, 0).x, 0);
    tsr_tile_reset(tile);
    tile_set_gpr(tile, 0, 8, 0x55);
    stops(tile, "REG2FLOP SizeSel=0 RegIndex=8", "legacy-mode");
    assert_int_equal(thcon(tile, 0, 0), 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_policy_stops_legacy)

// ---------------------------------------------------------------- time

// Two cycles each, in which the thread is held.
static void test_holds_its_thread(int arch)
{
    static struct event_log log;
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_STRICT);
    tile_set_gpr(tile, 0, 8, 1);
    event_log_start(&log, tile);
    tile_push(tile, 0, "REG2FLOP SizeSel=1 RegIndex=8");
    tile_push(tile, 0, "REG2FLOP SizeSel=3 TargetSel=2 RegIndex=8");
    tile_push(tile, 0, "SETADCXX CntSetMask=1 x_end2=1");
    tile_idle(tile);
    assert_int_equal(log.event[0].completed, log.event[0].accepted + 2);
    assert_int_equal(log.event[1].accepted, log.event[0].accepted + 2);
    assert_int_equal(log.event[2].accepted, log.event[1].accepted + 2);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_holds_its_thread)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_word),
        TILE_TEST(test_other_sizes),
        TILE_TEST(test_four_words),
        TILE_TEST(test_last_word),
        TILE_TEST(test_needs_its_gpr),
        TILE_TEST(test_local_registers),
        TILE_TEST(test_parts),
        TILE_TEST(test_nothing_parts),
        TILE_TEST(test_which_counter),
        TILE_TEST(test_other_thread),
        TILE_TEST(test_policy_stops_legacy),
        TILE_TEST(test_holds_its_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
