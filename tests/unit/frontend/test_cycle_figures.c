// SPDX-License-Identifier: Apache-2.0
// The cycle figures of the control and matrix instructions, one by one, as a program sees them:
// bursts of one instruction by one thread and by two, as they were measured on cards
// (docs/timing.md), the time from acceptance to completion, and how long one instruction keeps the
// next out. Pages: MatrixUnit.md, MOVD2A.md, MOVD2B.md, MOVA2D.md, Dst.md, MiscellaneousUnit.md,
// ScalarUnit.md, ConfigurationUnit.md of each chip, SyncUnit.md, STALLWAIT.md, MOPExpander.md,
// REPLAY.md, XMOV.md.
#include "rig/each_chip.h"

#include <tessera/trace.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { THREADS = 3, MOST = 64 };
enum { CONFIG = 0xffef0000u, GPRS = 0xffe00000u, MOP_WORDS = 0xffb80000u };

struct rig {
    tsr_tile *tile;
    uint64_t before[THREADS];                                   // instructions that set the rig up
    uint64_t accepted[THREADS][MOST], completed[THREADS][MOST]; // from the first one after them
    uint64_t executed[THREADS][MOST];
    int count;
};

static void note(void *user, const tsr_event *event)
{
    struct rig *rig = user;
    if (event->kind != TSR_EVENT_INSTRUCTION)
        return;
    rig->count++;
    uint64_t sequence = event->sequence - rig->before[event->thread] - 1;
    if (sequence >= MOST) // of a burst, which looks at the clock alone
        return;
    rig->accepted[event->thread][sequence] = event->accepted;
    rig->executed[event->thread][sequence] = event->executed;
    rig->completed[event->thread][sequence] = event->completed;
}

static void push(struct rig *rig, int thread, const char *text)
{
    char error[200] = "";
    uint32_t word = 0;
    if (tsr_assemble(tsr_tile_arch(rig->tile), text, &word, error, sizeof error) != TSR_OK)
        fail_msg("%s: %s", text, error);
    tsr_status status;
    while ((status = tsr_push(rig->tile, thread, word)) == TSR_BUSY)
        assert_true(tsr_step(rig->tile));
    assert_int_equal(status, TSR_OK);
}

static void finish(struct rig *rig)
{
    tsr_limits limits = tsr_limits_default();
    limits.max_cycles = 100000;
    assert_int_equal(tsr_run(rig->tile, &limits), TSR_END_IDLE);
}

// BF16 in Src and Dst, both banks with the matrix unit, GPRs that point to the first bytes of L1.
static void start(struct rig *rig, int arch)
{
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.timing = true;
    options.profile = TSR_PROFILE_SILICON;
    memset(rig, 0, sizeof *rig);
    assert_int_equal(tsr_tile_create(&options, &rig->tile), TSR_OK);
    // STREAMWRCFG reads registers of the NoC overlay, which are not there; its time is.
    assert_int_equal(tsr_tile_set_policy(rig->tile, "unimplemented", TSR_ACTION_RECORD), TSR_OK);
    tsr_store(rig->tile, TSR_CORE_B, CONFIG + 4, 5u << 17 | 5u << 21 | 5u << 25, 4);
    tsr_store(rig->tile, TSR_CORE_B, CONFIG + 4 * 70, 0, 4);
    assert_int_equal(tsr_l1_mark_written(rig->tile, 0, 4096), TSR_OK);
    for (int thread = 0; thread < THREADS; thread++) {
        for (uint32_t i = 0; i < 64; i++)
            tsr_store(rig->tile, (tsr_core)(TSR_CORE_T0 + thread), GPRS + 4 * i, 0, 4);
        if (arch == BH) // DISABLE_IMPLIED_SRCA_FMT_Base and its neighbour for SrcB
            push(rig, thread, "SETC16 setc16_reg=2 setc16_value=3");
        rig->before[thread] = arch == BH;
    }
    push(rig, 0, "SETDVALID setvalid=3");
    rig->before[0]++;
    finish(rig);
    tsr_tile_observe(rig->tile, note, rig);
}

// ---------------------------------------------------------------- bursts

enum { SHORT = 100, LONG = 200 };

static uint64_t burst(int arch, const char *text, int threads, int count)
{
    struct rig rig;
    start(&rig, arch);
    uint64_t begin = tsr_cycle(rig.tile);
    for (int i = 0; i < count; i++)
        for (int thread = 0; thread < threads; thread++)
            push(&rig, thread, text);
    finish(&rig);
    uint64_t cycles = tsr_cycle(rig.tile) - begin;
    tsr_tile_destroy(rig.tile);
    return cycles;
}

struct slopes {
    const char *text;
    unsigned cycles[2][2]; // on each chip, an instruction of one thread and of two at once
};

// clang-format off
#define BOTH_CHIPS(one, two) {{one, two}, {one, two}}
#define ONLY_BH(one, two) {{0, 0}, {one, two}}
// clang-format on

static void check_slopes(int arch, const struct slopes *rows, size_t count)
{
    int wrong = 0;
    for (size_t i = 0; i < count; i++)
        for (int threads = 1; threads <= 2; threads++) {
            unsigned cycles = rows[i].cycles[arch == BH][threads - 1];
            if (cycles == 0) // no such instruction
                continue;
            uint64_t few = burst(arch, rows[i].text, threads, SHORT);
            uint64_t slope = burst(arch, rows[i].text, threads, LONG) - few;
            if (slope != (uint64_t)cycles * (LONG - SHORT)) {
                print_error("%s, %d threads: %u.%02u cycles, not %u\n", rows[i].text, threads,
                            (unsigned)(slope / SHORT), (unsigned)(slope % SHORT), cycles);
                wrong++;
            }
        }
    assert_int_equal(wrong, 0);
}

// What was measured on cards. (What a card took for the last three is in docs/timing.md.)
static void test_measured(int arch)
{
    static const struct slopes rows[] = {
        {"NOP", BOTH_CHIPS(1, 1)},
        {"DMANOP", BOTH_CHIPS(1, 2)},
        {"SETDMAREG RegIndex16b=8", BOTH_CHIPS(1, 2)},
        {"ADDDMAREG ResultRegIndex=8", BOTH_CHIPS(3, 6)},
        {"MULDMAREG ResultRegIndex=8", BOTH_CHIPS(3, 6)},
        {"SHIFTDMAREG ResultRegIndex=8", BOTH_CHIPS(3, 6)},
        {"CMPDMAREG ResultRegIndex=8", BOTH_CHIPS(3, 6)},
        {"SETRWC", BOTH_CHIPS(1, 2)},
        {"INCRWC", BOTH_CHIPS(1, 2)},
        {"RDCFG GprAddress=8 CfgReg=70", {{2, 2}, {1, 2}}},
        {"MVMUL", BOTH_CHIPS(6, 12)},
        {"ELWMUL", BOTH_CHIPS(6, 12)},
        {"ELWADD", BOTH_CHIPS(6, 12)},
        {"ELWADD dest_accum_en=1", BOTH_CHIPS(6, 12)},
    };
    check_slopes(arch, rows, sizeof rows / sizeof rows[0]);
}

// What pages give: one a cycle of each thread (MiscellaneousUnit.md, SETC16), or of all.
static void test_throughputs(int arch)
{
    static const struct slopes rows[] = {
        {"SETADC", BOTH_CHIPS(1, 1)},
        {"SETADCXX", BOTH_CHIPS(1, 1)},
        {"SETADCXY", BOTH_CHIPS(1, 1)},
        {"SETADCZW", BOTH_CHIPS(1, 1)},
        {"INCADCXY", BOTH_CHIPS(1, 1)},
        {"INCADCZW", BOTH_CHIPS(1, 1)},
        {"ADDRCRXY", BOTH_CHIPS(1, 1)},
        {"ADDRCRZW", BOTH_CHIPS(1, 1)},
        {"SETDVALID", BOTH_CHIPS(1, 1)},
        {"RESOURCEDECL", ONLY_BH(1, 1)},
        {"SETC16 setc16_reg=30", BOTH_CHIPS(1, 1)},
        {"WRCFG GprAddress=8 CfgReg=70", BOTH_CHIPS(1, 2)},
        {"RMWCIB0 CfgRegAddr=70", BOTH_CHIPS(1, 2)},
        {"RMWCIB1 CfgRegAddr=70", BOTH_CHIPS(1, 2)},
        {"RMWCIB2 CfgRegAddr=70", BOTH_CHIPS(1, 2)},
        {"RMWCIB3 CfgRegAddr=70", BOTH_CHIPS(1, 2)},
        {"CFGSHIFTMASK CfgReg=70 mask_width=31", ONLY_BH(2, 4)},
        {"ADDDMAREG ResultRegIndex=8 OpBRegIndex=4", BOTH_CHIPS(4, 8)},
        {"SUBDMAREG ResultRegIndex=8", BOTH_CHIPS(3, 6)},
        {"BITWOPDMAREG ResultRegIndex=8", BOTH_CHIPS(3, 6)},
        {"FLUSHDMA FlushSpec=1", BOTH_CHIPS(2, 4)},
        {"REG2FLOP SizeSel=1 RegIndex=8", BOTH_CHIPS(2, 4)},
        {"SEMINIT sem_sel=1 max_value=15", BOTH_CHIPS(1, 2)},
        {"SEMPOST sem_sel=1", BOTH_CHIPS(1, 2)},
        {"SEMGET sem_sel=1", BOTH_CHIPS(1, 2)},
        {"ATRELM mutex_index=2", BOTH_CHIPS(1, 2)},
        // No wait replaces one that is latched, for the cycle of lag, but a SEMWAIT on Wormhole.
        {"STALLWAIT stall_res=4 wait_res=1", BOTH_CHIPS(2, 2)},
        {"SEMWAIT wait_sem_cond=2 stall_res=4", {{1, 2}, {2, 2}}},
        {"STREAMWAIT stall_res=4", ONLY_BH(2, 2)},
        {"STREAMWRCFG CfgReg=70", ONLY_BH(1, 2)},
        {"XMOV", BOTH_CHIPS(1, 2)}, // of nothing
    };
    check_slopes(arch, rows, sizeof rows / sizeof rows[0]);
}

// MatrixUnit.md: one a cycle, SHIFTXB one in two. Moves of one kind follow one another at once.
static void test_matrix_throughputs(int arch)
{
    static const struct slopes rows[] = {
        {"CLREXPHIST", BOTH_CHIPS(1, 2)},
        {"GATESRCRST", BOTH_CHIPS(1, 2)},
        {"CLEARDVALID", BOTH_CHIPS(1, 2)},
        {"SHIFTXB", BOTH_CHIPS(2, 4)},
        {"ZEROACC clear_mode=1", BOTH_CHIPS(1, 2)},
        {"ZEROSRC", BOTH_CHIPS(1, 2)},
        {"TRNSPSRCB", BOTH_CHIPS(1, 2)},
        {"MOVD2A", BOTH_CHIPS(1, 2)},
        {"MOVB2A", BOTH_CHIPS(1, 2)},
        {"MOVD2B", BOTH_CHIPS(1, 2)},
        {"MOVA2D", BOTH_CHIPS(1, 2)},
        {"MOVB2D", BOTH_CHIPS(1, 2)},
        {"ELWSUB", BOTH_CHIPS(6, 12)},
        {"ELWSUB dest_accum_en=1", BOTH_CHIPS(6, 12)},
        {"DOTPV", BOTH_CHIPS(6, 12)},
        {"GAPOOL", BOTH_CHIPS(6, 12)},
        {"GMPOOL", BOTH_CHIPS(6, 12)},
    };
    check_slopes(arch, rows, sizeof rows / sizeof rows[0]);
}

// Dst.md: five blocks in turn never wait; the reader of the block of five before comes in time.
static void test_five_blocks(int arch)
{
    static const char *const texts[] = {"MVMUL",
                                        "ELWMUL",
                                        "DOTPV",
                                        "GAPOOL",
                                        "GMPOOL",
                                        "ELWADD",
                                        "ELWADD dest_accum_en=1",
                                        "ELWSUB dest_accum_en=1"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct rig rig;
        start(&rig, arch);
        for (int k = 0; k < 20; k++) {
            char text[80];
            snprintf(text, sizeof text, "%s dst=%d", texts[i], k % 5 * 8);
            push(&rig, 0, text);
        }
        finish(&rig);
        assert_int_equal(rig.executed[0][19] - rig.executed[0][0], 19);
        tsr_tile_destroy(rig.tile);
        start(&rig, arch); // two threads with blocks of their own: one instruction a cycle in all
        for (int k = 0; k < 20; k++)
            for (int thread = 0; thread < 2; thread++) {
                char text[80];
                snprintf(text, sizeof text, "%s dst=%d", texts[i], (k % 5 + 5 * thread) * 8);
                push(&rig, thread, text);
            }
        finish(&rig);
        uint64_t last =
            rig.executed[1][19] > rig.executed[0][19] ? rig.executed[1][19] : rig.executed[0][19];
        uint64_t first =
            rig.executed[1][0] < rig.executed[0][0] ? rig.executed[1][0] : rig.executed[0][0];
        assert_int_equal(last - first, 39);
        tsr_tile_destroy(rig.tile);
    }
}

// ---------------------------------------------------------------- latency

struct latency {
    const char *text;
    unsigned cycles[2]; // of each chip; 0: no such instruction
};

static const struct latency latencies[] = {
    {"MVMUL", {5, 5}},
    {"DOTPV", {5, 5}},
    {"GAPOOL", {5, 5}},
    {"GMPOOL", {5, 5}},
    {"ELWMUL", {5, 5}},
    {"ELWADD", {5, 5}},
    {"ELWSUB", {5, 5}},
    {"SETRWC", {1, 1}},
    {"INCRWC", {1, 1}},
    {"CLEARDVALID", {1, 1}},
    {"CLREXPHIST", {1, 1}},
    {"GATESRCRST", {1, 1}},
    {"ZEROACC clear_mode=1", {1, 1}},
    {"ZEROSRC", {1, 1}},
    {"TRNSPSRCB", {1, 1}},
    {"SHIFTXB", {2, 2}},
    {"MOVD2A", {2, 2}},
    {"MOVB2A", {4, 4}},
    {"MOVD2B", {4, 4}},
    {"MOVA2D", {4, 4}},
    {"MOVB2D", {4, 4}},
    {"SETADC", {1, 1}},
    {"SETADCXX", {1, 1}},
    {"SETADCXY", {1, 1}},
    {"SETADCZW", {1, 1}},
    {"INCADCXY", {1, 1}},
    {"INCADCZW", {1, 1}},
    {"ADDRCRXY", {1, 1}},
    {"ADDRCRZW", {1, 1}},
    {"SETDVALID", {1, 1}},
    {"DMANOP", {1, 1}},
    {"SETDMAREG RegIndex16b=8", {1, 1}},
    {"REG2FLOP SizeSel=1 RegIndex=8", {2, 2}},
    {"FLUSHDMA FlushSpec=1", {2, 2}},
    {"ADDDMAREG ResultRegIndex=8", {3, 3}},
    {"SUBDMAREG ResultRegIndex=8", {3, 3}},
    {"MULDMAREG ResultRegIndex=8", {3, 3}},
    {"BITWOPDMAREG ResultRegIndex=8", {3, 3}},
    {"SHIFTDMAREG ResultRegIndex=8", {3, 3}},
    {"CMPDMAREG ResultRegIndex=8", {3, 3}},
    {"ADDDMAREG ResultRegIndex=8 OpBRegIndex=4", {4, 4}}, // another group of four
    {"SETC16 setc16_reg=30", {1, 1}},
    {"RMWCIB0 CfgRegAddr=70", {1, 1}},
    {"RMWCIB1 CfgRegAddr=70", {1, 1}},
    {"RMWCIB2 CfgRegAddr=70", {1, 1}},
    {"RMWCIB3 CfgRegAddr=70", {1, 1}},
    {"WRCFG GprAddress=8 CfgReg=70", {2, 2}},
    {"RDCFG GprAddress=8 CfgReg=70", {2, 2}},
    {"CFGSHIFTMASK CfgReg=70 mask_width=31", {0, 2}},
    {"STREAMWRCFG CfgReg=70", {0, 5}},
    {"SEMINIT sem_sel=1 max_value=15", {1, 1}},
    {"SEMPOST sem_sel=1", {1, 1}},
    {"SEMGET sem_sel=1", {1, 1}},
    {"SEMWAIT wait_sem_cond=2 stall_res=4", {1, 1}},
    {"STALLWAIT stall_res=4 wait_res=1", {1, 1}},
    {"STREAMWAIT stall_res=4", {0, 1}},
    {"ATGETM mutex_index=2", {1, 1}},
    {"ATRELM mutex_index=2", {1, 1}},
    {"XMOV", {1, 1}},
};

// From acceptance to completion, of an instruction that nothing holds up.
static void test_latencies(int arch)
{
    int wrong = 0;
    for (size_t i = 0; i < sizeof latencies / sizeof latencies[0]; i++) {
        unsigned cycles = latencies[i].cycles[arch == BH];
        if (cycles == 0)
            continue;
        struct rig rig;
        start(&rig, arch);
        push(&rig, 0, latencies[i].text);
        finish(&rig);
        uint64_t seen = rig.completed[0][0] - rig.accepted[0][0];
        if (rig.count != 1 || seen != cycles) {
            print_error("%s: %u cycles, not %u\n", latencies[i].text, (unsigned)seen, cycles);
            wrong++;
        }
        tsr_tile_destroy(rig.tile);
    }
    assert_int_equal(wrong, 0);
}

// ---------------------------------------------------------------- who keeps whom out

struct pair {
    const char *first, *second;
    unsigned apart; // from one's acceptance to the other's execution, both of thread 0
    unsigned other; // the same, if the second is another thread's
};

static const struct pair pairs[] = {
    {"NOP", "SETRWC", 1, 0},
    {"SETRWC", "SETADC", 1, 0}, // other units: a thread's own order alone
    {"MOVD2A", "MOVD2A", 1, 1},
    {"MOVD2A", "MOVB2A", 1, 1},
    {"MOVB2A", "MOVD2A", 1, 1},
    {"MOVD2A", "SETRWC", 2, 2},
    {"MOVD2A", "MOVD2B", 2, 2},
    {"MOVB2A", "SETRWC", 2, 2},
    {"MOVB2A", "MVMUL", 2, 2},
    {"MOVD2B", "MOVD2B", 1, 1},
    {"MOVD2B", "SETRWC", 4, 4},
    {"MOVD2B", "MOVD2A", 4, 4},
    // Rows that the move does not write: the list of MOVA2D's page.
    {"MOVA2D", "MOVD2A dst=64", 4, 4},
    {"MOVA2D", "MOVD2B dst=64", 4, 4},
    {"MOVA2D", "MVMUL dst=64", 4, 4},
    {"MOVA2D", "ELWMUL dst=64", 4, 4},
    {"MOVA2D", "CONV3S1 dst=64", 4, 4},
    {"MOVB2D", "APOOL3S2 dst=64", 4, 4},
    {"MOVA2D", "MPOOL3S1 dst=64", 4, 4},
    {"MOVB2D", "DOTPV dst=64", 4, 4},
    {"MOVB2D", "GMPOOL dst=64", 4, 4},
    {"MOVB2D", "GAPOOL dst=64", 4, 4},
    {"MOVA2D", "ELWADD dst=64", 1, 1},
    {"MOVB2D", "ELWADD dst=64 dest_accum_en=1", 1, 1},
    {"MOVB2D", "MOVA2D dst=64", 1, 1},
    {"MOVA2D", "SETRWC", 1, 1},
    // A block just written: closed for four cycles, and one more for who was held.
    {"MOVA2D", "MVMUL", 6, 6},
    {"ELWADD", "MVMUL", 6, 6},
    {"ELWADD", "ELWADD", 6, 6}, // also without accumulation
    {"ELWSUB", "ELWADD", 6, 6},
    {"MOVA2D", "ELWSUB", 6, 6},
    {"ELWADD", "ELWADD dst=8", 1, 1},
    {"ELWADD", "MOVD2B", 6, 6},
    {"MVMUL", "MVMUL dst=8", 1, 1},
    {"SHIFTXB", "SETRWC", 2, 2},
    {"SETRWC", "SHIFTXB", 1, 1},
};

static uint64_t apart(int arch, const struct pair *pair, int thread)
{
    struct rig rig;
    start(&rig, arch);
    // A barrier: the second thread is at its own instruction when the first one's is taken.
    push(&rig, 0, "SETADC");
    push(&rig, 0, pair->first);
    if (thread != 0) {
        push(&rig, thread, "SETADC");
        push(&rig, thread, "SETADC");
    }
    push(&rig, thread, pair->second);
    finish(&rig);
    uint64_t first = strcmp(pair->first, "NOP") == 0 ? rig.accepted[0][0] + 1 : rig.accepted[0][1];
    uint64_t cycles = rig.executed[thread][2] - first; // it may wait inside the unit
    tsr_tile_destroy(rig.tile);
    return cycles;
}

static void test_holds(int arch)
{
    int wrong = 0;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        for (int thread = 0; thread < 2; thread++) {
            unsigned expected = thread ? pairs[i].other : pairs[i].apart;
            uint64_t seen = expected ? apart(arch, &pairs[i], thread) : 0;
            if (seen != expected) {
                print_error("%s after %s, thread %d: %u cycles, not %u\n", pairs[i].second,
                            pairs[i].first, thread, (unsigned)seen, expected);
                wrong++;
            }
        }
    assert_int_equal(wrong, 0);
}

// Wormhole's packers pause for a cycle between two PACRs, whosever they are.
static void test_pacr_after_pacr(int arch)
{
    const struct pair flushes = {"PACR Flush=1", "PACR Flush=1", 0, 0};
    for (int thread = 0; thread < 2; thread++)
        assert_int_equal(apart(arch, &flushes, thread), arch == WH ? 2 : 1);
}

// RDCFG holds its thread, from other units too, for two cycles on Wormhole and not on Blackhole.
static void test_rdcfg_hold(int arch)
{
    static const struct pair pair = {"RDCFG GprAddress=8 CfgReg=70", "SETADC", 0, 0};
    assert_int_equal(apart(arch, &pair, 0), arch == WH ? 2 : 1);
}

// ---------------------------------------------------------------- waits and expanders

// STALLWAIT.md: conditions that are met at once still cost the next instruction a cycle.
static void test_lag(int arch)
{
    static const char *const waits[] = {"STALLWAIT stall_res=64 wait_res=1",
                                        "SEMWAIT sem_sel=2 wait_sem_cond=2 stall_res=64"};
    for (int i = 0; i < 2; i++) {
        struct rig rig;
        start(&rig, arch);
        push(&rig, 0, "SEMINIT sem_sel=2 max_value=1");
        push(&rig, 0, waits[i]);
        push(&rig, 0, "SETRWC");
        push(&rig, 0, "SETRWC");
        finish(&rig);
        assert_int_equal(rig.accepted[0][1] - rig.accepted[0][0], 1);
        assert_int_equal(rig.accepted[0][2] - rig.accepted[0][1], 2);
        assert_int_equal(rig.accepted[0][3] - rig.accepted[0][2], 1);
        tsr_tile_destroy(rig.tile);
    }
}

// A MOP of template 1: one round of the outer loop, `count` of the inner, of one instruction.
static void set_mop(struct rig *rig, uint32_t count)
{
    uint32_t word, nop;
    tsr_assemble(tsr_tile_arch(rig->tile), "SETRWC", &word, NULL, 0);
    tsr_assemble(tsr_tile_arch(rig->tile), "NOP", &nop, NULL, 0);
    const uint32_t words[9] = {1, count, nop, nop, nop, word, nop, word, word};
    for (uint32_t i = 0; i < 9; i++)
        assert_int_equal(tsr_store(rig->tile, TSR_CORE_T0, MOP_WORDS + 4 * i, words[i], 4), TSR_OK);
}

// MOPExpander.md, REPLAY.md: one instruction a cycle, an idle cycle after a MOP unless another
// MOP follows, none after a REPLAY.
static void test_expanders(int arch)
{
    struct rig rig;
    start(&rig, arch);
    set_mop(&rig, 4);
    push(&rig, 0, "MOP mop_type=1");
    push(&rig, 0, "MOP mop_type=1");
    push(&rig, 0, "SETRWC");
    push(&rig, 0, "REPLAY len=2 load_mode=1 execute_while_loading=1");
    push(&rig, 0, "SETRWC");
    push(&rig, 0, "SETRWC");
    push(&rig, 0, "REPLAY len=2");
    push(&rig, 0, "SETRWC");
    finish(&rig);
    assert_int_equal(rig.count, 8 + 1 + 2 + 2 + 1);
    for (int i = 1; i < rig.count; i++) {
        uint64_t gap = rig.accepted[0][i] - rig.accepted[0][i - 1];
        assert_int_equal(gap, i == 8 || i == 9 ? 2 : 1); // a REPLAY that loads is a word itself
    }
    tsr_tile_destroy(rig.tile);
}

TILE_BOTH(test_measured)
TILE_BOTH(test_throughputs)
TILE_BOTH(test_matrix_throughputs)
TILE_BOTH(test_five_blocks)
TILE_BOTH(test_latencies)
TILE_BOTH(test_holds)
TILE_BOTH(test_pacr_after_pacr)
TILE_BOTH(test_rdcfg_hold)
TILE_BOTH(test_lag)
TILE_BOTH(test_expanders)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_measured),
        TILE_TEST(test_throughputs),
        TILE_TEST(test_matrix_throughputs),
        TILE_TEST(test_five_blocks),
        TILE_TEST(test_latencies),
        TILE_TEST(test_holds),
        TILE_TEST(test_pacr_after_pacr),
        TILE_TEST(test_rdcfg_hold),
        TILE_TEST(test_lag),
        TILE_TEST(test_expanders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
