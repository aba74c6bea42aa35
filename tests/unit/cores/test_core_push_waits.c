// SPDX-License-Identifier: Apache-2.0
// Cores whose pushes a full FIFO keeps out: they are not tried again before there is room
// (src/tile/core_cycles.c, with timing off core_quanta.c), and leave in every cycle or quantum what
// TSR_PIPELINE_STAGED leaves, which tries again. Each case has something that ends the wait in
// another way, or does not.
// Pages: PushTensixInstruction.md, DebugInterface.md of each chip.
#include "rig/core_rig.h"
#include "rig/state_compare.h"
#include "tile/core_push.h"

enum { CODE = 0x6000, WORDS = 80, CORE = TSR_CORE_T1, THREAD = 1, FREED = 120, END = 400 };

struct pair {
    tsr_tile *tile[2]; // TSR_PIPELINE_AUTO, TSR_PIPELINE_STAGED
};

// How the core pushes, and whether with timing.
enum { STORES = 1, TIMED = 2, KINDS = 4 };

// Thread 1 waits for a semaphore, and its core has more words than the FIFO takes: as .ttinsn, or
// as stores. So has core B.
static struct pair pair_new(int arch, int kind)
{
    struct pair pair;
    for (int way = 0; way < 2; way++) {
        tsr_options options = tsr_options_default((tsr_arch)arch);
        options.timing = (kind & TIMED) != 0;
        options.cores = true;
        options.profile = TSR_PROFILE_SILICON;
        options.pipeline = way == 0 ? TSR_PIPELINE_AUTO : TSR_PIPELINE_STAGED;
        tsr_tile *tile = pair.tile[way] = tile_with(&options);
        struct code code = code_at(tile, CODE);
        code_push(&code, "SEMWAIT stall_res=511 wait_sem_cond=1 sem_sel=2");
        code_li(&code, A2, AT_PUSH);
        code_li(&code, A3, tile_word(tile, "SETRWC BitMask=7"));
        for (int i = 0; i < WORDS; i++)
            if (kind & STORES)
                code_sw(&code, A3, A2, 0);
            else
                code_push(&code, "SETRWC BitMask=7");
        code_end(&code);
        core_start(tile, CORE, CODE);
        code = code_at(tile, 0);
        code_li(&code, A2, AT_PUSH);
        code_li(&code, A3, 0x02000000); // NOP
        for (int i = 0; i < 6; i++)
            code_sw(&code, A3, A2, 0x10000); // to thread 1, behind its MOP expander
        code_end(&code);
        core_start(tile, TSR_CORE_B, 0);
    }
    return pair;
}

static void pair_free(struct pair *pair)
{
    tsr_tile_destroy(pair->tile[0]);
    tsr_tile_destroy(pair->tile[1]);
}

static bool is_held(const tsr_tile *tile)
{
    return tile_state((tsr_tile *)tile)->cores.hart[CORE].rest == TSR_HART_BLOCKED;
}

// Both to that cycle, one by one; a word of thread 0 moves in each, so that there is news.
static void run_to(struct pair *pair, uint64_t cycle)
{
    while (tsr_cycle(pair->tile[0]) < cycle) {
        for (int way = 0; way < 2; way++) {
            assert_int_equal(tsr_push(pair->tile[way], 0, 0x02000000), TSR_OK); // NOP
            tsr_run_cycles(pair->tile[way], 3);
        }
        const char *differs = tile_difference(pair->tile[0], pair->tile[1]);
        if (differs)
            fail_msg("%s differs at cycle %d", differs, (int)tsr_cycle(pair->tile[0]));
    }
}

// Both as they are held, with a full FIFO.
static struct pair held(int arch, int kind)
{
    struct pair pair = pair_new(arch, kind);
    run_to(&pair, FREED);
    for (int way = 0; way < 2; way++) {
        assert_true(is_held(pair.tile[way]));
        assert_int_equal(tsr_core_push_waits(pair.tile[way], CORE), (kind & TIMED) != 0);
    }
    return pair;
}

static void post(struct pair *pair)
{
    for (int way = 0; way < 2; way++)
        assert_int_equal(
            tsr_push(pair->tile[way], 0, tile_word(pair->tile[way], "SEMPOST sem_sel=2")), TSR_OK);
}

static void test_room(int arch)
{
    for (int kind = 0; kind < KINDS; kind++) {
        struct pair pair = held(arch, kind);
        post(&pair);
        run_to(&pair, END);
        assert_int_equal(core_view(pair.tile[0], CORE).pc, CODE + 4 * (5 + WORDS));
        pair_free(&pair);
    }
}
TILE_BOTH(test_room)

// What stands at the pc is no push any more.
static void test_other_code(int arch)
{
    for (int kind = 0; kind < KINDS; kind++) {
        struct pair pair = held(arch, kind);
        uint32_t pc = core_view(pair.tile[0], CORE).pc;
        for (int way = 0; way < 2; way++)
            assert_int_equal(tsr_host_store(pair.tile[way], pc, rv_i(RISCV_ADDI, A0, ZERO, 77), 4),
                             TSR_OK);
        run_to(&pair, END / 2);
        assert_int_equal(core_view(pair.tile[0], CORE).x[A0], 77);
        pair_free(&pair);
    }
}
TILE_BOTH(test_other_code)

// It waits for a mailbox, not for the FIFO, which stays full when the mailbox gets a word.
static void test_other_wait(int arch)
{
    for (int kind = 0; kind < KINDS; kind++) {
        struct pair pair = held(arch, kind);
        uint32_t pc = core_view(pair.tile[0], CORE).pc;
        for (int way = 0; way < 2; way++) {
            const uint32_t words[] = {rv_u(RISCV_LUI, A4, AT_MAILBOXES),
                                      rv_i(RISCV_LW, A0, A4, 0)}; // from B
            for (int i = 0; i < 2; i++)
                assert_int_equal(tsr_host_store(pair.tile[way], pc + 4 * (uint32_t)i, words[i], 4),
                                 TSR_OK);
        }
        run_to(&pair, END / 2);
        assert_int_equal(core_view(pair.tile[0], CORE).pc, pc + 4);
        for (int way = 0; way < 2; way++)
            assert_int_equal(
                tsr_store(pair.tile[way], TSR_CORE_B, AT_MAILBOXES + 0x1000 * CORE, 77, 4), TSR_OK);
        run_to(&pair, END);
        assert_int_equal(core_view(pair.tile[0], CORE).x[A0], 77);
        pair_free(&pair);
    }
}
TILE_BOTH(test_other_wait)

// The debug registers have the FIFO: words are dropped.
static void test_refused(int arch)
{
    for (int kind = STORES; kind < KINDS; kind += TIMED) {
        struct pair pair = held(arch, kind);
        for (int way = 0; way < 2; way++)
            tile_state(pair.tile[way])->debug.push_control = 1 << THREAD;
        run_to(&pair, END);
        assert_false(is_held(pair.tile[0]));
        pair_free(&pair);
    }
}
TILE_BOTH(test_refused)

// A debugger asks it to pause, which it does behind the push.
static void test_debugged(int arch)
{
    for (int kind = STORES; kind < KINDS; kind += TIMED) {
        struct pair pair = held(arch, kind);
        for (int way = 0; way < 2; way++) {
            struct tsr_core_debug *debug = &tile_state(pair.tile[way])->cores.debug[CORE];
            debug->asked = debug->looks = true;
        }
        run_to(&pair, END / 2);
        post(&pair);
        run_to(&pair, END);
        pair_free(&pair);
    }
}
TILE_BOTH(test_debugged)

// In reset, and from its first instruction again.
static void test_reset(int arch)
{
    for (int kind = 0; kind < KINDS; kind += TIMED) {
        struct pair pair = held(arch, kind);
        for (int way = 0; way < 2; way++)
            core_start(pair.tile[way], CORE, CODE + 4 * 20);
        run_to(&pair, END / 2);
        post(&pair);
        run_to(&pair, END);
        pair_free(&pair);
    }
}
TILE_BOTH(test_reset)

int main(void)
{
    const struct CMUnitTest tests[] = {TILE_TEST(test_room),    TILE_TEST(test_other_code),
                                       TILE_TEST(test_refused), TILE_TEST(test_debugged),
                                       TILE_TEST(test_reset),   TILE_TEST(test_other_wait)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
