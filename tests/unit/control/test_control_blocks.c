// SPDX-License-Identifier: Apache-2.0
// Runs of SETDMAREGs, configuration writes, steps of counters, semaphores and waits that are
// executed as one with timing off: random programs leave the same tile as when every word takes
// every stage, and a canary for each rule shows that a word which breaks it is not taken along.
#include "rig/state_compare.h"
#include "rig/tile_rig.h"

#include "control/config_unit.h"
#include "control/misc_unit.h"
#include "control/scalar_unit.h"
#include "control/sync_unit.h"

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
    {"ADDDMAREG ResultRegIndex=%u OpBRegIndex=2 OpARegIndex=6", 10},
    {"SUBDMAREG ResultRegIndex=3 OpBRegIndex=%u OpARegIndex=6", 10},
    {"MULDMAREG ResultRegIndex=6 OpBRegIndex=%u OpARegIndex=6", 10},
    {"BITWOPDMAREG OpSel=%u ResultRegIndex=5 OpBRegIndex=3 OpARegIndex=6", 4},
    {"SHIFTDMAREG OpSel=%u ResultRegIndex=1 OpBRegIndex=3 OpARegIndex=6", 4},
    {"SHIFTDMAREG OpBisConst=1 ResultRegIndex=4 OpBRegIndex=%u OpARegIndex=6", 64},
    {"CMPDMAREG OpSel=%u OpBisConst=1 ResultRegIndex=3 OpBRegIndex=3 OpARegIndex=6", 4},
    {"WRCFG GprAddress=%u CfgReg=76", 16},
    {"WRCFG GprAddress=1 CfgReg=%u", 256},
    {"WRCFG GprAddress=%u CfgReg=72 wr128b=1", 12},
    {"WRCFG GprAddress=1 CfgReg=%u wr128b=1", 256},
    {"REG2FLOP SizeSel=1 TargetSel=0 FlopIndex=%u RegIndex=2", 128},
    {"REG2FLOP SizeSel=%u TargetSel=0 FlopIndex=8 RegIndex=1", 4},
    {"REG2FLOP SizeSel=1 TargetSel=%u FlopIndex=9 RegIndex=1", 4},
    {"REG2FLOP SizeSel=1 TargetSel=0 FlopIndex=9 RegIndex=%u", 10},
    {"DMANOP", 1},
    {"RMWCIB0 Mask=255 Data=3 CfgRegAddr=%u", 256},
    {"RMWCIB1 Mask=%u Data=170 CfgRegAddr=76", 256},
    {"RMWCIB2 Mask=15 Data=%u CfgRegAddr=77", 256},
    {"RMWCIB3 Mask=255 Data=%u CfgRegAddr=76", 256},
    {"RDCFG GprAddress=%u CfgReg=76", 16},
    {"RDCFG GprAddress=4 CfgReg=%u", 256},
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
    {"SETRWC BitMask=%u rwc_a=3 rwc_b=2 rwc_d=8", 16},
    {"INCRWC rwc_cr=%u rwc_a=1 rwc_b=2 rwc_d=4", 8},
    {"STALLWAIT stall_res=511 wait_res=%u", 8},
    {"STALLWAIT stall_res=%u wait_res=128", 512},
    {"SEMPOST sem_sel=%u", 5},
    {"SEMGET sem_sel=%u", 5},
    {"SEMWAIT sem_sel=%u stall_res=2 wait_sem_cond=1", 4},
    {"SEMWAIT sem_sel=1 stall_res=%u wait_sem_cond=2", 512},
    {"SEMWAIT sem_sel=2 stall_res=4 wait_sem_cond=%u", 4},
    {"SEMINIT sem_sel=%u init_value=1 max_value=2", 4},
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

// Some threads wait for semaphores, and a core sets them before each chunk.
static void go(tsr_tile *tile, const uint32_t *words)
{
    tsr_limits limits = tsr_limits_default();
    for (int i = 0; i < 2; i++)
        tile_state(tile)->sync.semaphore[i] =
            (struct tsr_semaphore){.value = 2, .max = 3, .initialised = true};
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

static unsigned run(tsr_tile *tile, const struct tsr_unit_ops *ops, int thread,
                    const uint32_t *words, unsigned count)
{
    for (unsigned done = 0; done < count; done++) {
        struct tsr_small_word small = {.word = words[done]};
        enum tsr_op op = tsr_op_of(tile_env(tile)->isa, words[done]);
        ops->decode_small(tile_env(tile), op, &small);
        if (!small.run || !small.run(tile_env(tile), thread, &small, done + 1))
            return done;
    }
    return count;
}

// How many of three words go as one: one that may, the one in question, one that may.
static void takes(int arch, const struct tsr_unit_ops *ops, const char *good, const char *text,
                  unsigned want)
{
    tsr_tile *tile = make_tile(arch, TSR_PIPELINE_AUTO, TSR_PROFILE_STRICT);
    const uint32_t words[3] = {tile_word(tile, good), tile_word(tile, text), words[0]};
    unsigned done = run(tile, ops, 1, words, 3);
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
    takes(arch, &tsr_scalar_ops, good, "ADDDMAREG OpARegIndex=1 OpBRegIndex=2", 3);
    takes(arch, &tsr_scalar_ops, good, "ADDDMAREG OpARegIndex=40 OpBRegIndex=2", 1); // not written
    takes(arch, &tsr_scalar_ops, good, "ADDDMAREG OpARegIndex=1 OpBRegIndex=5", 1);  // tainted
    takes(arch, &tsr_scalar_ops, good, "ADDDMAREG OpARegIndex=1 OpBRegIndex=5 OpBisConst=1", 3);
    takes(arch, &tsr_scalar_ops, good, "CMPDMAREG OpARegIndex=1 OpBRegIndex=2 OpSel=3", 1); // none
    takes(arch, &tsr_scalar_ops, good, "SHIFTDMAREG OpBRegIndex=32 OpBisConst=1", 1);       // far
    takes(arch, &tsr_scalar_ops, good, "DMANOP", 3);
    unsigned moves = arch == TSR_WORMHOLE_B0 ? 3 : 1; // legacy on Blackhole
    takes(arch, &tsr_scalar_ops, good, "REG2FLOP SizeSel=1 FlopIndex=8 RegIndex=2", moves);
    takes(arch, &tsr_scalar_ops, good, "REG2FLOP SizeSel=3 FlopIndex=8 RegIndex=2", moves);
    takes(arch, &tsr_scalar_ops, good, "REG2FLOP SizeSel=1 FlopIndex=8 RegIndex=40",
          1); // not written
    takes(arch, &tsr_scalar_ops, good, "REG2FLOP SizeSel=1 FlopIndex=8 RegIndex=5", 1); // tainted
    takes(arch, &tsr_scalar_ops, good, "REG2FLOP SizeSel=0 FlopIndex=8 RegIndex=1", 1); // 128 bits
    takes(arch, &tsr_scalar_ops, good, "REG2FLOP SizeSel=1 TargetSel=2 RegIndex=2", 1); // an ADC
    takes(arch, &tsr_scalar_ops, good, "REG2FLOP SizeSel=1 FlopIndex=127 RegIndex=2",
          1); // none such
    takes(arch, &tsr_scalar_ops, good, "REG2FLOP SizeSel=1 ByteOffset=1 RegIndex=2", 1);
    takes(arch, &tsr_scalar_ops, good, "REG2FLOP SizeSel=1 ContextId_2=1 RegIndex=2", 1);
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
    takes(arch, &tsr_config_ops, good, "WRCFG CfgReg=76 wr128b=1", 3);
    takes(arch, &tsr_config_ops, good, "WRCFG CfgReg=255 wr128b=1", 1);              // none such
    takes(arch, &tsr_config_ops, good, "WRCFG GprAddress=7 CfgReg=76 wr128b=1", 1);  // 5 is tainted
    takes(arch, &tsr_config_ops, good, "WRCFG GprAddress=40 CfgReg=76 wr128b=1", 1); // not written
    takes(arch, &tsr_config_ops, good, "RDCFG GprAddress=2 CfgReg=76", 1);  // never written
    takes(arch, &tsr_config_ops, good, "RDCFG GprAddress=2 CfgReg=255", 1); // no such word
    takes(arch, &tsr_config_ops, "WRCFG GprAddress=2 CfgReg=76", "RDCFG GprAddress=2 CfgReg=76", 3);
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

static void test_sync_rules(int arch)
{
    const char *good = "SEMPOST sem_sel=4";
    takes(arch, &tsr_sync_ops, good, "SEMPOST sem_sel=0", 3);
    takes(arch, &tsr_sync_ops, good, "SEMGET sem_sel=4", 3);
    takes(arch, &tsr_sync_ops, good, "STALLWAIT stall_res=511 wait_res=1", 3);
    takes(arch, &tsr_sync_ops, good, "SEMWAIT sem_sel=4 wait_sem_cond=1", 3);
    takes(arch, &tsr_sync_ops, good, "SEMWAIT sem_sel=4", 1);                 // no condition
    takes(arch, &tsr_sync_ops, good, "SEMWAIT sem_sel=6 wait_sem_cond=1", 1); // several
    takes(arch, &tsr_sync_ops, good, "SEMPOST sem_sel=6", 1);                 // several
    takes(arch, &tsr_sync_ops, good, "SEMGET sem_sel=1", 1);                  // it is 0
    takes(arch, &tsr_sync_ops, good, "SEMINIT sem_sel=1 max_value=2", 1);
    takes(arch, &tsr_sync_ops, good, "ATGETM mutex_index=0", 1);
}
TILE_BOTH(test_sync_rules)

static void test_full_semaphores(int arch)
{
    tsr_tile *tile = make_tile(arch, TSR_PIPELINE_AUTO, TSR_PROFILE_STRICT);
    struct tsr_semaphore *semaphores = tile_state(tile)->sync.semaphore;
    const uint32_t words[2] = {tile_word(tile, "SEMPOST sem_sel=1"),
                               tile_word(tile, "SEMPOST sem_sel=2")};
    semaphores[0] = (struct tsr_semaphore){.value = 1, .max = 2, .initialised = true};
    semaphores[1] = (struct tsr_semaphore){.value = TSR_SEMAPHORE_LIMIT - 1};
    assert_int_equal(run(tile, &tsr_sync_ops, 0, words, 2), 2);
    assert_int_equal(run(tile, &tsr_sync_ops, 0, words, 1), 0);     // its maximum
    assert_int_equal(run(tile, &tsr_sync_ops, 0, words + 1, 1), 0); // what it holds
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_full_semaphores)

// A SEMPOST may be what its own thread's wait is for, so it is no block behind one that does not
// hold it: the gate looks at the wait again.
static void test_post_behind_wait(int arch)
{
    static const char *const texts[] = {"SEMWAIT sem_sel=1 stall_res=64 wait_sem_cond=1",
                                        "SEMPOST sem_sel=1", "SETRWC BitMask=7",
                                        "SETRWC BitMask=7"};
    tsr_tile *tile[2] = {make_tile(arch, TSR_PIPELINE_AUTO, TSR_PROFILE_STRICT),
                         make_tile(arch, TSR_PIPELINE_STAGED, TSR_PROFILE_STRICT)};
    for (int i = 0; i < 2; i++) {
        for (unsigned word = 0; word < sizeof texts / sizeof *texts; word++)
            tsr_push(tile[i], 0, tile_word(tile[i], texts[word]));
        assert_true(tsr_step(tile[i]));
        assert_int_equal(tile_state(tile[i])->frontend[0].sequence, 4); // all in the thread's turn
        assert_int_equal(tile_run(tile[i]), TSR_END_IDLE);
    }
    assert_null(tile_difference(tile[0], tile[1]));
    tsr_tile_destroy(tile[0]);
    tsr_tile_destroy(tile[1]);
}
TILE_BOTH(test_post_behind_wait)

// Words of two threads, through blocks and through the stages.
static void same_pair(int arch, const char *thread0, const char *thread1)
{
    tsr_tile *tile[2] = {make_tile(arch, TSR_PIPELINE_AUTO, TSR_PROFILE_SILICON),
                         make_tile(arch, TSR_PIPELINE_STAGED, TSR_PROFILE_SILICON)};
    const uint8_t bytes[16] = {0};
    for (int i = 0; i < 2; i++) {
        tsr_l1_write(tile[i], 0, bytes, sizeof bytes);
        tsr_push(tile[i], 0, tile_word(tile[i], thread0));
        for (int again = 0; again < 2; again++)
            tsr_push(tile[i], 1, tile_word(tile[i], thread1));
        tile_run(tile[i]);
    }
    const char *different = tile_difference(tile[0], tile[1]);
    if (different)
        fail_msg("%s; %s: %s differ(s)", thread0, thread1, different);
    tsr_tile_destroy(tile[0]);
    tsr_tile_destroy(tile[1]);
}

// What the gate looks at for every word: a unit that holds something, reserved bits.
static void test_gate_rules(int arch)
{
    same_pair(arch, "ATCAS CmpVal=1 SwapVal=2", "SETDMAREG RegIndex16b=2 Payload_SigSel=9");
    same_pair(arch, "NOP", "STALLWAIT stall_res=1 wait_res=1");
    tsr_tile *tile = make_tile(arch, TSR_PIPELINE_AUTO, TSR_PROFILE_SILICON);
    uint32_t word = tile_word(tile, "SEMPOST sem_sel=1");
    tsr_push(tile, 0, word | 1u << 23); // which belongs to no operand
    assert_int_equal(tile_run(tile), TSR_END_IDLE);
    assert_int_equal(tile->findings.reported, 1);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_gate_rules)

// The counters of another thread are unsupported.
static void test_thread_override(int arch)
{
    tsr_tile *tile = make_tile(arch, TSR_PIPELINE_AUTO, TSR_PROFILE_STRICT);
    uint32_t words[2] = {tile_word(tile, "SETADCXY CntSetMask=7 BitMask=15"),
                         tile_word(tile, "SETADC CntSetMask=1 Value=65536")};
    assert_int_equal(run(tile, &tsr_misc_ops, 0, words, 2), 1);
    words[1] = words[0] | 1u << 18;
    assert_int_equal(run(tile, &tsr_misc_ops, 0, words, 2), 1);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_thread_override)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_going_on),         TILE_TEST(test_stopping),
        TILE_TEST(test_scalar_rules),     TILE_TEST(test_config_rules),
        TILE_TEST(test_misc_rules),       TILE_TEST(test_thread_override),
        TILE_TEST(test_sync_rules),       TILE_TEST(test_full_semaphores),
        TILE_TEST(test_post_behind_wait), TILE_TEST(test_gate_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
