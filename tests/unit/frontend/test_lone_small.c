// SPDX-License-Identifier: Apache-2.0
// With timing on, small words of a lone thread that go one behind the other as one step
// (src/frontend/lone_small.c): each case must leave what TSR_PIPELINE_STAGED leaves, cycles
// included, wherever a run is cut. Pages: SETDMAREG_Immediate.md, WRCFG.md, SETC16.md, SETADC.md,
// SETRWC.md, ConfigurationUnit.md, ScalarUnit.md.
#include "rig/lone_pair.h"

// What kernels write between two tiles. It goes as one but for a last word or two.
static void test_between_tiles(int arch)
{
    static const char *const lines[] = {"SETDMAREG RegIndex16b=8 Payload_SigSel=77",
                                        "SETDMAREG RegIndex16b=9 Payload_SigSel=1",
                                        "WRCFG GprAddress=4 CfgReg=92",
                                        "SETC16 setc16_reg=5 setc16_value=1",
                                        "SETADCZW CntSetMask=3 BitMask=15",
                                        "INCRWC rwc_a=1",
                                        "SETRWC BitMask=7",
                                        "NOP",
                                        NULL};
    assert_true(run_cut(arch, lines, 1, NULL) >= 5);
    assert_true(run_cut(arch, lines, 3, NULL) >= 15);
    assert_true(run_cut(arch, lines + 4, 5, "NOP") >= 12);
}
TILE_BOTH(test_between_tiles)

// One that stands alone goes so, too, but for a SETDMAREG before a word that is not there yet.
static void test_alone(int arch)
{
    static const char *const lines[] = {"SETRWC BitMask=7", "SETADCZW CntSetMask=3 BitMask=15",
                                        "INCRWC rwc_a=1", NULL};
    for (const char *const *line = lines; *line; line++) {
        const char *const both[] = {"MOVD2B", *line, "MOVD2B", NULL};
        assert_true(run_cut(arch, both, 1, "NOP") >= 1);
    }
}
TILE_BOTH(test_alone)

// Behind a wait that holds other words it goes so; one that it holds waits.
static void test_behind_wait(int arch)
{
    static const char *const held[] = {"511", "4"};
    uint64_t most[2];
    for (int which = 0; which < 2; which++) {
        char wait[50];
        snprintf(wait, sizeof wait, "STALLWAIT stall_res=%s wait_res=%d", held[which],
                 arch == WH ? 0x80 : 0x10); // for the matrix unit
        const char *const lines[] = {"MOVA2D instr_mod=2", wait, "SETADCZW CntSetMask=3 BitMask=15",
                                     "MOVD2B", NULL};
        most[which] = run_cut(arch, lines, 1, "NOP");
        for (int times = 2; times < 4; times++)
            run_cut(arch, lines, times, "NOP");
    }
    assert_true(most[1] >= 2);
}
TILE_BOTH(test_behind_wait)

// One of them takes the place of a SETDVALID in the queue, and hands nothing over.
static void test_behind_hand_over(int arch)
{
    static const char *const lines[] = {"SETRWC clear_ab_vld=3",
                                        "SETRWC clear_ab_vld=3",
                                        "SETDVALID setvalid=3",
                                        "SETRWC clear_ab_vld=3",
                                        "SETADCZW CntSetMask=3 BitMask=15",
                                        "SETADCZW CntSetMask=3 BitMask=15",
                                        "SETADCZW CntSetMask=3 BitMask=15",
                                        NULL};
    assert_true(run_cut(arch, lines, 1, NULL) >= 2);
}
TILE_BOTH(test_behind_hand_over)

// What reaches through the address map is not a lone thread's, wherever it stands behind small
// words: a load that comes back, and a command that TDMA-RISC takes out of its queue, are due
// later.
static void test_before_accesses(int arch)
{
    static const char *const accesses[] = {
        "LOADIND AddrRegIndex=4 DataRegIndex=6 OffsetIndex=2 SizeSel=1",
        "LOADREG TdmaDataRegIndex=9 RegAddr=0x4400",
        "STOREREG TdmaDataRegIndex=4 RegAddr=0x4404",
    };
    static const char *const small[] = {"SETADCZW CntSetMask=3 BitMask=15", "NOP",
                                        "SETDMAREG RegIndex16b=20 Payload_SigSel=3"};
    enum { AHEAD = 8, BEHIND = 24 };
    for (unsigned i = 0; i < 3 * 3; i++)
        for (unsigned ahead = 1; ahead < AHEAD; ahead++) {
            const char *lines[AHEAD + BEHIND + 2] = {"SETDMAREG RegIndex16b=8 Payload_SigSel=77"};
            unsigned count = 1;
            for (unsigned at = 0; at < ahead; at++)
                lines[count++] = small[at % 2 ? 0 : i % 3];
            lines[count++] = accesses[i / 3];
            for (unsigned at = 0; at < BEHIND; at++)
                lines[count++] = at % 2 ? "MOVA2D instr_mod=2" : "INCRWC rwc_a=1";
            run_cut(arch, lines, 1, NULL);
        }
}
TILE_BOTH(test_before_accesses)

// The words in turn, each alone between two others.
static const char *const words[] = {
    "NOP",
    "SETDMAREG RegIndex16b=8 Payload_SigSel=77",
    "SETDMAREG RegIndex16b=9 Payload_SigSel=3",
    "SETDMAREG RegIndex16b=8 Payload_SigSel=6",
    "WRCFG GprAddress=4 CfgReg=92",
    "WRCFG GprAddress=4 CfgReg=93",
    "SETC16 setc16_reg=5 setc16_value=9",
    "SETADCZW CntSetMask=3 BitMask=15",
    "SETADCXX CntSetMask=4 x_end2=15",
    "INCADCXY CntSetMask=1 Ch0_X=1",
    "INCRWC rwc_a=1",
    "SETRWC BitMask=7",
    "SETRWC clear_ab_vld=1",
    "WRCFG GprAddress=60 CfgReg=93", // a GPR that nobody wrote
    "WRCFG GprAddress=4 CfgReg=92 wr128b=1",
    "RMWCIB0 Mask=255 Data=3 CfgRegAddr=93",
    "RDCFG GprAddress=4 CfgReg=92",
    "DMANOP",
    "ADDDMAREG OpBRegIndex=4 OpARegIndex=4 ResultRegIndex=5",
    "STALLWAIT stall_res=511 wait_res=1",
    "STALLWAIT stall_res=4 wait_res=%d", // for the matrix unit
    "SEMPOST sem_sel=4",
    "SEMGET sem_sel=4",
    "MOVA2D instr_mod=2",
    "ELWADD",
    "MOVD2B",
    "SETDVALID setvalid=2",
    "REPLAY load_mode=1 len=2",
    "REPLAY len=2",
    "UNPACR Unpack_block_selection=1 OvrdThreadId=1 SetDatValid=1",
    "PACR PackSel=1 Last=1",
    "LOADIND AddrRegIndex=4 DataRegIndex=6 OffsetIndex=4 SizeSel=1",
    "STOREREG TdmaDataRegIndex=4 RegAddr=0x4404",
};
enum { WORDS = sizeof words / sizeof *words, SMALL = 12 };

static uint32_t drawn(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 16) % below;
}

static void push_one(struct pair *pair, int thread, unsigned which)
{
    char text[80];
    snprintf(text, sizeof text, words[which],
             tsr_tile_arch(pair->tile[0]) == TSR_WORMHOLE_B0 ? 0x80 : 0x10);
    push(pair, thread, text, 1);
}

// Most are small. Another thread waits for a unit or a semaphore of theirs, or has words, too.
static uint64_t run_drawn(int arch, uint32_t seed)
{
    static const char *const beside[] = {"NOP", "STALLWAIT stall_res=511 wait_res=%d",
                                         "SEMWAIT stall_res=511 wait_sem_cond=1 sem_sel=4",
                                         "SETADCZW CntSetMask=3 BitMask=15"};
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.profile = seed % 4 ? TSR_PROFILE_SILICON : TSR_PROFILE_STRICT;
    options.watch_config = seed % 8 == 3;
    struct pair pair = pair_made(&options);
    pair.by_words = seed % 5 == 0;
    uint64_t in_blocks = 0;
    char text[80];
    push(&pair, 0, words[1], 1);
    push(&pair, 0, words[2], 1);
    for (int again = 0; again < 3 && !pair.stuck; again++) {
        unsigned count = 1 + drawn(&seed, 28), other = drawn(&seed, 40);
        if (other % 5 == 0) {
            snprintf(text, sizeof text, beside[other / 5 % 4], arch == WH ? 0x80 : 0x10);
            push(&pair, 1, "NOP", (int)drawn(&seed, 5));
            push(&pair, 1, text, 1);
            push(&pair, 1, "INCRWC rwc_b=1", 2);
        }
        for (unsigned i = 0; i < count; i++)
            push_one(&pair, 0, drawn(&seed, 100) < 80 ? drawn(&seed, SMALL) : drawn(&seed, WORDS));
        in_blocks += run(&pair, drawn(&seed, 3) ? 0 : 1 + drawn(&seed, 12), "drawn words");
    }
    const struct tsr_queues *queues[2] = {&tile_state(pair.tile[0])->queues,
                                          &tile_state(pair.tile[1])->queues};
    assert_int_equal(queues[0]->compute_busy, queues[1]->compute_busy);
    pair_free(&pair);
    return in_blocks;
}

static void test_drawn(int arch)
{
    uint64_t in_blocks = 0;
    for (uint32_t seed = 0; seed < 600; seed++)
        in_blocks += run_drawn(arch, 7919 * seed);
    assert_true(in_blocks > 4000);
}
TILE_BOTH(test_drawn)

// While an UNPACR keeps its thread for a second cycle, units go on alone, unless somebody listens:
// a wait of this thread that does not hold it, or another's.
static void run_beside_listener(int arch, int delay, int listener, int lead)
{
    struct pair pair = pair_new(arch);
    char text[80];
    for (int way = 0; way < 2; way++)
        tile_state(pair.tile[way])->src[TSR_SRCB].unpacker_bank = 1;
    snprintf(text, sizeof text, "STALLWAIT stall_res=%d wait_res=%d", listener ? 511 : 4,
             arch == WH ? 0x80 : 0x10);
    push(&pair, 0, "SETADCXX CntSetMask=3 x_end2=255", 1);
    push(&pair, 0, "ELWADD", 1);
    run(&pair, 0, "plans");
    push(&pair, 1, "NOP", lead);
    push(&pair, 0, "ADDDMAREG OpBRegIndex=4 OpARegIndex=4 ResultRegIndex=5", 5); // the FIFOs fill
    push(&pair, 0, "ELWADD", 1);
    push(&pair, 0, "NOP", delay);
    push(&pair, listener, text, 1);
    push(&pair, 1, "INCRWC rwc_a=1", 1);
    push(&pair, 0, "UNPACR Unpack_block_selection=1 OvrdThreadId=1", 1);
    push(&pair, 0, "PACR PackSel=1", 1);
    push(&pair, 0, "NOP", 12);
    run(&pair, 0, text);
    pair_free(&pair);
}

static void test_units_alone(int arch)
{
    for (int delay = 0; delay < 5; delay++) {
        run_beside_listener(arch, delay, 0, 0);
        for (int lead = 0; lead < 24; lead++)
            run_beside_listener(arch, delay, 1, lead);
    }
}
TILE_BOTH(test_units_alone)

// The same while another thread waits for what it has in the matrix unit, which completes in such a
// cycle.
static void run_beside_waiter(int arch, int delay, int lead)
{
    struct pair pair = pair_new(arch);
    char text[80];
    for (int way = 0; way < 2; way++)
        tile_state(pair.tile[way])->src[TSR_SRCB].unpacker_bank = 1;
    snprintf(text, sizeof text, "STALLWAIT stall_res=511 wait_res=%d", arch == WH ? 0x80 : 0x10);
    push(&pair, 0, "SETADCXX CntSetMask=3 x_end2=255", 1);
    push(&pair, 1, "ELWADD", 1);
    run(&pair, 0, "plans");
    push(&pair, 0, "ADDDMAREG OpBRegIndex=4 OpARegIndex=4 ResultRegIndex=5", 5); // the FIFOs fill
    push(&pair, 0, "NOP", delay);
    push(&pair, 0, "UNPACR Unpack_block_selection=1 OvrdThreadId=1", 1);
    push(&pair, 0, "NOP", 16);
    push(&pair, 1, "NOP", lead);
    push(&pair, 1, "ELWADD", 2);
    push(&pair, 1, text, 1);
    push(&pair, 1, "INCRWC rwc_a=1", 1);
    run(&pair, 0, text);
    pair_free(&pair);
}

static void test_units_beside_waiter(int arch)
{
    for (int delay = 0; delay < 6; delay++)
        for (int lead = 0; lead < 28; lead++)
            run_beside_waiter(arch, delay, lead);
}
TILE_BOTH(test_units_beside_waiter)

// MOPs behind more words than the FIFOs behind them hold, while a wait keeps these at the gate.
static void test_mops(int arch)
{
    for (int ahead = 6; ahead < 16; ahead++)
        for (uint64_t cycles = 12; cycles < 40; cycles += 2) {
            struct pair pair = pair_new(arch);
            for (int way = 0; way < 2; way++) {
                struct tsr_frontend *frontend = &tile_state(pair.tile[way])->frontend[0];
                frontend->mop_config[3] = frontend->mop_config[7] =
                    tile_word(pair.tile[way], ahead % 2 ? "NOP" : "INCRWC rwc_a=1");
                frontend->mop_config_written = 0x8a;
            }
            push(&pair, 0, "ADDDMAREG OpBRegIndex=4 OpARegIndex=4 ResultRegIndex=5", 1);
            push(&pair, 0, "SETADCXX CntSetMask=4 x_end2=255", 1);
            push(&pair, 0, "PACR PackSel=1 Last=1", 1);
            push(&pair, 0,
                 arch == WH ? "STALLWAIT stall_res=511 wait_res=120"
                            : "STALLWAIT stall_res=511 wait_res=8",
                 1);
            push(&pair, 0, "INCRWC rwc_a=1", ahead - 4);
            push(&pair, 0, "MOP mop_type=0 loop_count=2", 1);
            push(&pair, 0, "SETRWC BitMask=7", 1 + (int)cycles % 3);
            push(&pair, 0, "MOP mop_type=0 loop_count=0", 1);
            push(&pair, 0, "SETRWC BitMask=7", 9);
            run(&pair, cycles, "MOPs");
            pair_free(&pair);
        }
}
TILE_BOTH(test_mops)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_between_tiles),
        TILE_TEST(test_behind_hand_over),
        TILE_TEST(test_drawn),
        TILE_TEST(test_units_alone),
        TILE_TEST(test_units_beside_waiter),
        TILE_TEST(test_mops),
        TILE_TEST(test_before_accesses),
        TILE_TEST(test_alone),
        TILE_TEST(test_behind_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
