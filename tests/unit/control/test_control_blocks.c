// SPDX-License-Identifier: Apache-2.0
// Runs of SETDMAREGs, of configuration writes, and of steps of counters that are executed as one
// with timing off: random programs leave the same tile as when every word takes every stage, and a
// canary for each rule shows that a word which breaks it is not taken along.
#include "rig/state_compare.h"
#include "rig/tile_rig.h"

#include "control/config_unit.h"
#include "control/misc_unit.h"
#include "control/scalar_unit.h"

enum { PROGRAMS = 60, WORDS = 240, CHUNK = 24 };

static uint32_t draw(uint64_t *seed, uint32_t below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % below;
}

// A %u is a random number below the second column.
static const struct {
    const char *text;
    uint32_t below;
} lines[] = {
    {"SETDMAREG RegIndex16b=%u Payload_SigSel=77", 24},
    {"SETDMAREG RegIndex16b=3 Payload_SigSel=%u Payload_SigSelSize=3", 16384},
    {"SETDMAREG RegIndex16b=%u SetSignalsMode=1 Payload_SigSel=8", 24},
    {"ADDDMAREG OpBisConst=1 ResultRegIndex=3 OpBRegIndex=2 OpARegIndex=%u", 8},
    {"WRCFG GprAddress=%u CfgReg=76", 16},
    {"WRCFG GprAddress=1 CfgReg=%u", 256},
    {"WRCFG GprAddress=%u CfgReg=72 wr128b=1", 12},
    {"RMWCIB0 Mask=255 Data=3 CfgRegAddr=%u", 256},
    {"RMWCIB1 Mask=%u Data=170 CfgRegAddr=76", 256},
    {"RMWCIB2 Mask=15 Data=%u CfgRegAddr=77", 256},
    {"RMWCIB3 Mask=255 Data=%u CfgRegAddr=76", 256},
    {"RDCFG GprAddress=%u CfgReg=76", 16},
    {"SETC16 setc16_reg=%u setc16_value=5", 80},
    {"SETC16 setc16_reg=12 setc16_value=%u", 65536},
    {"SETADC CntSetMask=7 ChannelIndex=1 DimensionIndex=2 Value=%u", 65536},
    {"SETADC CntSetMask=1 DimensionIndex=0 Value=%u", 262144},
    {"SETADCXX CntSetMask=%u x_start=3 x_end2=255", 8},
    {"SETADCXY CntSetMask=7 BitMask=%u Ch0_X=2 Ch0_Y=7 Ch1_X=1 Ch1_Y=3", 16},
    {"SETADCZW CntSetMask=3 BitMask=%u Ch0_X=2 Ch0_Y=7 Ch1_X=1 Ch1_Y=3", 16},
    {"INCADCXY CntSetMask=%u Ch0_X=1 Ch0_Y=7 Ch1_X=2", 8},
    {"INCADCZW CntSetMask=%u Ch0_X=1 Ch1_Y=7", 8},
    {"ADDRCRXY CntSetMask=7 BitMask=%u Ch0_X=1 Ch1_Y=7", 16},
    {"ADDRCRZW CntSetMask=7 BitMask=%u Ch0_X=1 Ch1_Y=7", 16},
    {"SETDVALID setvalid=%u", 4},
    {"SETRWC clear_ab_vld=%u", 4},
    {"STALLWAIT stall_res=511 wait_res=%u", 8},
    {"REPLAY start_idx=1 len=%u", 9},
};
enum { LINES = sizeof lines / sizeof *lines };

static tsr_tile *make_tile(int arch, tsr_pipeline pipeline, tsr_profile profile)
{
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.profile = profile;
    options.pipeline = pipeline;
    tsr_tile *tile = tile_with(&options);
    for (int thread = 0; thread < TSR_THREADS; thread++)
        for (int i = 0; i < 8; i++)
            tile_set_gpr(tile, thread, i, 0x01010101u * (unsigned)i);
    for (int thread = 0; thread < TSR_THREADS; thread++) // as if out of undefined behaviour
        tile_state(tile)->gprs.tainted[thread] = 1u << 5;
    return tile;
}

static uint32_t choose_word(const tsr_tile *tile, uint64_t *seed)
{
    char text[120];
    uint32_t line = draw(seed, LINES);
    snprintf(text, sizeof text, lines[line].text, draw(seed, lines[line].below));
    return tile_word(tile, text);
}

// What a REPLAY plays: all lines but its own, the last one.
static void fill_replay(tsr_tile *tile, uint64_t seed)
{
    for (int thread = 0; thread < TSR_THREADS; thread++)
        for (int i = 0; i < TSR_REPLAY_WORDS; i++) {
            char text[120];
            uint32_t line = draw(&seed, LINES - 1);
            snprintf(text, sizeof text, lines[line].text, draw(&seed, lines[line].below));
            tile_state(tile)->frontend[thread].replay.word[i] = tile_word(tile, text);
        }
}

static void go(tsr_tile *tile, const uint32_t *words)
{
    tsr_limits limits = tsr_limits_default();
    for (int i = 0; i < CHUNK; i++)
        tsr_push(tile, i / 8, words[i]); // eight words in a row for each thread
    tsr_run(tile, &limits);
}

static void same_as_through_stages(int arch, tsr_profile profile)
{
    uint64_t seed = 5, issued = 0;
    for (int program = 0; program < PROGRAMS; program++) {
        tsr_tile *one = make_tile(arch, TSR_PIPELINE_AUTO, profile);
        tsr_tile *two = make_tile(arch, TSR_PIPELINE_STAGED, profile);
        fill_replay(one, seed);
        fill_replay(two, seed);
        for (int done = 0; done < WORDS; done += CHUNK) {
            uint32_t words[CHUNK];
            for (int i = 0; i < CHUNK; i++)
                words[i] =
                    i % 8 > 2 && draw(&seed, 3) == 0 ? words[i - 1] : choose_word(one, &seed);
            go(one, words);
            go(two, words);
            const char *different = tile_difference(one, two);
            if (different)
                fail_msg("%s differ(s) in program %d", different, program);
        }
        for (int thread = 0; thread < TSR_THREADS; thread++)
            issued += tile_state(one)->frontend[thread].sequence;
        tsr_tile_destroy(one);
        tsr_tile_destroy(two);
    }
    assert_true(issued > (profile == TSR_PROFILE_STRICT ? 3u : 100u) * PROGRAMS);
}

static void test_going_on(int arch)
{
    same_as_through_stages(arch, TSR_PROFILE_SILICON);
}
TILE_BOTH(test_going_on)

static void test_stopping(int arch)
{
    same_as_through_stages(arch, TSR_PROFILE_STRICT);
}
TILE_BOTH(test_stopping)

// ---------------------------------------------------------------- a canary for each rule

// How many of three words go as one: one that may, the one in question, one that may.
static void takes(int arch, const struct tsr_unit_ops *ops, const char *good, const char *text,
                  unsigned want)
{
    tsr_tile *tile = make_tile(arch, TSR_PIPELINE_AUTO, TSR_PROFILE_STRICT);
    const uint32_t words[3] = {tile_word(tile, good), tile_word(tile, text), words[0]};
    unsigned done = ops->run_block(tile_env(tile), 1, words, 3);
    if (done != want)
        fail_msg("%s: %u words, not %u", text, done, want);
    assert_int_equal(tile->findings.reported, 0);
    tsr_tile_destroy(tile);
}

static void test_scalar_rules(int arch)
{
    const char *good = "SETDMAREG RegIndex16b=2 Payload_SigSel=9";
    takes(arch, &tsr_scalar_ops, good, good, 3);
    takes(arch, &tsr_scalar_ops, good, "SETDMAREG SetSignalsMode=1", 1); // what packers keep
    takes(arch, &tsr_scalar_ops, good, "ADDDMAREG OpBisConst=1", 1);     // has cycles of its own
}
TILE_BOTH(test_scalar_rules)

static void test_config_rules(int arch)
{
    const char *good = "SETC16 setc16_reg=12 setc16_value=3";
    takes(arch, &tsr_config_ops, good, good, 3);
    takes(arch, &tsr_config_ops, good, "RMWCIB2 Mask=15 Data=3 CfgRegAddr=76", 3);
    takes(arch, &tsr_config_ops, good, "WRCFG GprAddress=2 CfgReg=76", 3);
    takes(arch, &tsr_config_ops, good, "SETC16 setc16_reg=99", 1);          // no such word
    takes(arch, &tsr_config_ops, good, "RMWCIB0 Mask=1 CfgRegAddr=255", 1); // no such word
    takes(arch, &tsr_config_ops, good, "WRCFG GprAddress=2 CfgReg=255", 1); // no such word
    takes(arch, &tsr_config_ops, good, "WRCFG GprAddress=40 CfgReg=76", 1); // never written
    takes(arch, &tsr_config_ops, good, "WRCFG GprAddress=5 CfgReg=76", 1);  // tainted
    takes(arch, &tsr_config_ops, good, "WRCFG CfgReg=76 wr128b=1", 1);      // four words
    takes(arch, &tsr_config_ops, good, "RDCFG GprAddress=2 CfgReg=76", 1);  // a GPR
}
TILE_BOTH(test_config_rules)

static void test_misc_rules(int arch)
{
    const char *good = "SETADCZW CntSetMask=3 BitMask=15";
    takes(arch, &tsr_misc_ops, good, "INCADCXY CntSetMask=1 Ch0_X=1", 3);
    takes(arch, &tsr_misc_ops, good, "SETADC CntSetMask=1 Value=65535", 3);
    takes(arch, &tsr_misc_ops, good, "SETADCXX CntSetMask=1 x_end2=3", 3);
    takes(arch, &tsr_misc_ops, good, "ADDRCRZW CntSetMask=1 BitMask=3", 3);
    takes(arch, &tsr_misc_ops, good, "SETDVALID setvalid=1", 1); // hands a bank over
}
TILE_BOTH(test_misc_rules)

// The counters of another thread are unsupported.
static void test_thread_override(int arch)
{
    tsr_tile *tile = make_tile(arch, TSR_PIPELINE_AUTO, TSR_PROFILE_STRICT);
    uint32_t words[2] = {tile_word(tile, "SETADCXY CntSetMask=7 BitMask=15"),
                         tile_word(tile, "SETADC CntSetMask=1 Value=65536")};
    assert_int_equal(tsr_misc_ops.run_block(tile_env(tile), 0, words, 2), 1);
    words[1] = words[0] | 1u << 18;
    assert_int_equal(tsr_misc_ops.run_block(tile_env(tile), 0, words, 2), 1);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_thread_override)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_going_on),     TILE_TEST(test_stopping),   TILE_TEST(test_scalar_rules),
        TILE_TEST(test_config_rules), TILE_TEST(test_misc_rules), TILE_TEST(test_thread_override),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
