// SPDX-License-Identifier: Apache-2.0
// Random programs for the cores of a tile that push: rows of .ttinsn and stored words, plain words
// with MOPs, REPLAYs, waits and semaphores among them, loads of what the words change. A tile that
// takes them in rows, past the gate where nothing can hold them, is compared after each quantum
// with one whose words take every stage, with one whose words an observer sees singly, and with one
// that breaks stop. Pages:
// BabyRISCV/PushTensixInstruction.md of each chip.
#include "rig/core_rig.h"
#include "rig/state_compare.h"
#include "state/pushes.h"

enum { T_CODE = 0x10000, DATA = 0x80000, PROGRAMS = 10, QUANTA = 24, LENGTH = 150 };
#define AT_MOP_CFG 0xffb80000u

static uint32_t next_random(uint32_t *random)
{
    *random = *random * 1664525u + 1013904223u;
    return *random >> 12;
}

// What needs neither the gate nor a stage, most of the time.
static const char *const plain[] = {"NOP",
                                    "NOP",
                                    "NOP",
                                    "NOP",
                                    "SETDMAREG RegIndex16b=16 Payload_SigSel=0x20",
                                    "SETDMAREG RegIndex16b=17",
                                    "WRCFG GprAddress=8 CfgReg=76",
                                    "SETADCXX CntSetMask=3 x_end2=255",
                                    "SETADCXY CntSetMask=3 BitMask=15",
                                    "INCADCZW CntSetMask=1 Ch0_X=1",
                                    "SETC16 setc16_reg=3 setc16_value=5",
                                    "INCRWC rwc_d=1",
                                    "SETRWC BitMask=3 rwc_a=4",
                                    "SEMPOST sem_sel=1",
                                    "SEMPOST sem_sel=1",
                                    "SEMPOST sem_sel=2",
                                    "SEMGET sem_sel=2",
                                    "SEMWAIT sem_sel=1 stall_res=0x1ff wait_sem_cond=1",
                                    "SEMWAIT sem_sel=2 stall_res=0x80 wait_sem_cond=1",
                                    "STALLWAIT stall_res=0x40 wait_res=1"};
static const char *const other[] = {"ADDDMAREG OpARegIndex=8 OpBRegIndex=8 ResultRegIndex=9",
                                    "SETADCXY CntSetMask=3 BitMask=15 ThreadOverride=1",
                                    "STALLWAIT stall_res=0x1ff wait_res=8",
                                    "SEMGET sem_sel=1",
                                    "SEMINIT sem_sel=2 max_value=6 init_value=3",
                                    "ADDDMAREG OpARegIndex=8 OpBRegIndex=8 ResultRegIndex=9",
                                    "STALLWAIT stall_res=0x40 wait_res=0x400",
                                    "ZEROACC clear_mode=1"};

static void push_one(struct code *code, uint32_t *random, unsigned plain_part, bool stored)
{
    const char *text = next_random(random) % 16 < plain_part
                           ? plain[next_random(random) % (sizeof plain / sizeof *plain)]
                           : other[next_random(random) % (sizeof other / sizeof *other)];
    if (stored)
        code_store(code, AT_PUSH, tile_word(code->tile, text));
    else
        code_push(code, text);
}

// One step of a core's loop. A0 and A1 are its own.
static void step(struct code *code, uint32_t *random, int core, unsigned plain_part)
{
    unsigned count = 1 + next_random(random) % 12;
    switch (next_random(random) % 12) {
    case 0:
        code_load(code, A0, DATA + 4 * (next_random(random) % 4));
        break;
    case 1:
        code_store(code, DATA + 4 * (next_random(random) % 4), next_random(random));
        break;
    case 2:
        code_load(code, A0, AT_SEMAPHORES + 4 * (1 + next_random(random) % 2));
        code_store(code, AT_SEMAPHORES + 4 * (1 + next_random(random) % 2), 0); // posts it
        break;
    case 3:
        push_one(code, random, plain_part, true);
        break;
    case 4:
        if (core != TSR_CORE_B && next_random(random) % 4 == 0)
            code_push(code, "MOP mop_type=0 loop_count=2");
        else if (next_random(random) % 4 == 0)
            code_push(code, "REPLAY start_idx=2 len=4");
        break;
    case 5:
        if (core != TSR_CORE_B && next_random(random) % 4 == 0)
            code_load(code, A0, AT_TTSYNC);
        else
            code_load(code, A0, AT_CONFIG + 4 * 76);
        break;
    default:
        while (count-- > 0)
            push_one(code, random, plain_part, false);
        code_addi(code, A0, A0, 1);
    }
}

static void write_core(tsr_tile *tile, int core, uint32_t *random)
{
    uint32_t at = core == TSR_CORE_B ? 0 : T_CODE + 0x2000 * (uint32_t)core;
    struct code code = code_at(tile, at);
    // A third of the programs have nothing but plain words.
    unsigned plain_part = next_random(random) % 3 == 0 ? 16 : 10 + next_random(random) % 6;
    if (core != TSR_CORE_B) {
        code_store(&code, AT_MOP_CFG + 4, 0);
        for (unsigned i = 2; i < 9; i++)
            code_store(&code, AT_MOP_CFG + 4 * i, tile_word(tile, "NOP"));
    }
    code_push(&code, "REPLAY start_idx=2 len=4 load_mode=1");
    for (int i = 0; i < 4; i++)
        push_one(&code, random, 16, false);
    uint32_t loop = code.at;
    for (int i = 0; i < LENGTH && code.at < loop + 0xf00; i++)
        step(&code, random, core, plain_part);
    code_jump(&code, loop);
    core_start(tile, core, at);
}

static void hear(void *user, const tsr_event *event)
{
    (void)event;
    ++*(unsigned *)user;
}

static tsr_tile *tile_of(int arch, tsr_pipeline pipeline, uint32_t seed)
{
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.timing = false;
    options.profile = TSR_PROFILE_SILICON;
    options.cores = true;
    options.pipeline = pipeline;
    tsr_tile *tile = tile_with(&options);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(tsr_host_store(tile, DATA + 4 * i, 0, 4), TSR_OK);
    for (int core = TSR_CORE_B; core <= TSR_CORE_T2; core++) {
        uint32_t random = seed * 31 + (uint32_t)core;
        if (next_random(&random) % 4 > 0)
            write_core(tile, core, &random);
    }
    return tile;
}

static void compare(const tsr_tile *one, const tsr_tile *two, uint32_t seed, int quantum,
                    const char *how)
{
    const char *difference = tile_difference(one, two);
    if (difference)
        fail_msg("seed %u, after %d quanta: %s differs from %s", (unsigned)seed, quantum + 1,
                 difference, how);
    if (memcmp(one->engine.env.pushes, two->engine.env.pushes, sizeof(struct tsr_pushes)) != 0)
        fail_msg("seed %u, after %d quanta: places of words differ from %s", (unsigned)seed,
                 quantum + 1, how);
}

// A quantum with breaks in it. Returns how many were in the middle of a core's turn.
static unsigned run_with_breaks(tsr_tile *tile, uint32_t *random)
{
    uint64_t end = tsr_cycle(tile) + 64;
    unsigned breaks = 0;
    while (tsr_cycle(tile) < end) {
        tsr_limits limits = tsr_limits_default();
        limits.external = true;
        limits.break_cycle = end;
        limits.break_thread = (int)(next_random(random) % TSR_THREADS);
        limits.break_sequence =
            tile_state(tile)->frontend[limits.break_thread].sequence + 1 + next_random(random) % 24;
        assert_int_equal(tsr_run(tile, &limits), TSR_END_BREAK);
        breaks += tile_state(tile)->cores.within;
    }
    return breaks;
}

static void test_random_pushes(int arch)
{
    uint64_t issued = 0;
    unsigned breaks = 0;
    for (uint32_t seed = 1; seed <= PROGRAMS; seed++) {
        unsigned events = 0;
        tsr_tile *rows = tile_of(arch, TSR_PIPELINE_AUTO, seed);
        tsr_tile *staged = tile_of(arch, TSR_PIPELINE_STAGED, seed);
        tsr_tile *seen = tile_of(arch, TSR_PIPELINE_AUTO, seed);
        tsr_tile *whole = tile_of(arch, TSR_PIPELINE_AUTO, seed);
        tsr_tile *broken = tile_of(arch, TSR_PIPELINE_AUTO, seed);
        uint32_t random = seed;
        tsr_tile_observe(seen, hear, &events);
        for (int quantum = 0; quantum < QUANTA; quantum++) {
            tsr_run_cycles(rows, 64);
            tsr_run_cycles(staged, 64);
            tsr_run_cycles(seen, 64);
            breaks += run_with_breaks(broken, &random);
            compare(rows, staged, seed, quantum, "stages");
            compare(rows, seen, seed, quantum, "single words");
            compare(rows, broken, seed, quantum, "one with breaks");
        }
        tsr_run_cycles(whole, 64 * QUANTA);
        compare(rows, whole, seed, QUANTA - 1, "a run that is not cut");
        for (int thread = 0; thread < TSR_THREADS; thread++)
            issued += tile_state(rows)->frontend[thread].sequence;
        assert_true(events > 0);
        tsr_tile_destroy(rows);
        tsr_tile_destroy(staged);
        tsr_tile_destroy(seen);
        tsr_tile_destroy(whole);
        tsr_tile_destroy(broken);
    }
    assert_true(issued > 3000);
    assert_true(breaks > 20);
}
TILE_BOTH(test_random_pushes)

int main(void)
{
    const struct CMUnitTest tests[] = {TILE_TEST(test_random_pushes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
