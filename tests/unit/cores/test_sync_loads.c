// SPDX-License-Identifier: Apache-2.0
// Loads behind one from TTSync that may overtake it (sync-load-passed), and what keeps them behind
// it; and that a wait which the gate holds keeps the load. Pages: BabyRISCV/TTSync.md,
// ManualTTSync.md, MemoryOrdering.md.
#include "rig/core_rig.h"

enum { CODE = 0x8000 };

// In A1 what is loaded from, in A2 the address of TTSync; what stands between the two loads, and
// whether the second one may pass the first.
struct pair {
    const char *name;
    uint32_t second;
    void (*between)(struct code *code);
    bool passes;
};

static void nothing(struct code *code)
{
    (void)code;
}

static void uses_value(struct code *code)
{
    code_put(code, rv_i(RISCV_ANDI, A3, A3, 0));
}

static void stores_value(struct code *code)
{
    code_sw(code, A3, SP, 0);
}

static void overwrites_value(struct code *code)
{
    code_addi(code, A3, ZERO, 0);
    code_addi(code, A3, A3, 1);
}

static void spends(struct code *code, int count)
{
    for (int i = 0; i < count; i++)
        code_addi(code, A0, A0, 1);
}

static void spends_six(struct code *code)
{
    spends(code, 6);
}

static void spends_seven(struct code *code)
{
    spends(code, 7);
}

static void jumps(struct code *code)
{
    code_jump(code, code->at + 4);
}

static void fences(struct code *code)
{
    code_put(code, 0x0ff0000f);
}

// A1 again, by constants and by what is not known here.
static void makes_address(struct code *code)
{
    code_li(code, A1, AT_SEMAPHORES);
}

static void loads_address(struct code *code)
{
    code_lw(code, A1, SP, 4);
}

static const struct pair pairs[] = {
    {"a semaphore", AT_SEMAPHORES, nothing, true},
    {"TTSync again", AT_TTSYNC, nothing, true},
    {"a mailbox", AT_MAILBOXES + 4, nothing, true},
    {"memory", 0x20000, nothing, false},
    {"the wall clock", AT_WALL_CLOCK, nothing, false},
    {"its value used", AT_SEMAPHORES, uses_value, false},
    {"its value stored", AT_SEMAPHORES, stores_value, false},
    {"its register used for something else", AT_SEMAPHORES, overwrites_value, true},
    {"six others", AT_SEMAPHORES, spends_six, true},
    {"seven others", AT_SEMAPHORES, spends_seven, false},
    {"a jump", AT_SEMAPHORES, jumps, false},
    {"a fence", AT_SEMAPHORES, fences, true}, // on Blackhole it waits for loads
    {"an address made between", 0x20000, makes_address, true},
    {"an address loaded between", AT_SEMAPHORES, loads_address, false},
};

static bool finds(int arch, bool timing, const struct pair *pair, int check)
{
    tsr_tile *tile = tile_with_cores(arch, timing, TSR_PROFILE_SILICON);
    const uint32_t kept[2] = {0, 0x20000};
    assert_int_equal(tsr_l1_write(tile, 0x20000, kept, sizeof kept), TSR_OK);
    struct code code = code_at(tile, CODE);
    code_li(&code, A0, 0);
    code_li(&code, A1, pair->second);
    code_li(&code, A2, AT_TTSYNC);
    code_li(&code, SP, 0x20000);
    code_lw(&code, A3, A2, 4 * check);
    pair->between(&code);
    uint32_t second = code.at;
    code_lw(&code, A5, A1, 0);
    code_end(&code);
    assert_int_equal(tsr_core_start(tile, TSR_CORE_T1, CODE), TSR_OK);
    tsr_limits limits = tsr_limits_default();
    limits.max_cycles = 5000;
    assert_int_equal(tsr_run(tile, &limits), TSR_END_IDLE);
    const tsr_diagnostic *found = tile_found(tile, "sync-load-passed");
    char place[40];
    snprintf(place, sizeof place, "at pc 0x%08x", (unsigned)second);
    bool right = !found || strstr(found->sentence, place) != NULL;
    tsr_tile_destroy(tile);
    return found != NULL && right;
}

static void test_pairs(int arch)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int way = 0; way < 4; way++)
            if (finds(arch, way % 2, &pairs[i], way / 2) !=
                (pairs[i].passes && (pairs[i].between != fences || arch == WH)))
                fail_msg("%s, timing %d, check %d", pairs[i].name, way % 2, way / 2);
}
TILE_BOTH(test_pairs)

// Strictly, the tile stops there.
static void test_stops(int arch)
{
    tsr_tile *tile = tile_with_cores(arch, false, TSR_PROFILE_STRICT);
    struct code code = code_at(tile, CODE);
    code_li(&code, A2, AT_TTSYNC);
    code_lw(&code, A3, A2, 0);
    code_lw(&code, A5, A2, 4);
    code_end(&code);
    assert_int_equal(tsr_core_start(tile, TSR_CORE_T0, CODE), TSR_OK);
    assert_int_equal(tsr_run(tile, NULL), TSR_END_STOPPED);
    assert_non_null(tile_found(tile, "sync-load-passed"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_stops)

// A T core pushes a wait for a semaphore with nothing behind it, loads from TTSync, and then the
// semaphore: T1 has posted it by then, `late` instructions after it began, by a word or by a store.
static void latched_wait(int arch, bool timing, int waiter, int late, bool by_word)
{
    enum { OTHER = 0xc000 };
    tsr_tile *tile = tile_with_cores(arch, timing, TSR_PROFILE_SILICON);
    tile_state(tile)->sync.semaphore[1].max = 15;
    struct code code = code_at(tile, CODE);
    code_push(&code, "SEMWAIT sem_sel=2 stall_res=0x1ff wait_sem_cond=1");
    code_li(&code, A2, AT_TTSYNC);
    code_sw(&code, ZERO, A2, 0);
    code_lw(&code, A3, A2, 0);
    uses_value(&code);
    code_load(&code, A1, AT_SEMAPHORES + 4 * 1);
    code_end(&code);
    assert_int_equal(tsr_core_start(tile, (tsr_core)waiter, CODE), TSR_OK);
    tsr_run_cycles(tile, 1000);
    assert_int_equal(core_view(tile, waiter).rest, TSR_CORE_BLOCKED);
    code = code_at(tile, OTHER);
    spends(&code, late);
    if (by_word)
        code_push(&code, "SEMPOST sem_sel=2");
    else
        code_store(&code, AT_SEMAPHORES + 4 * 1, 0);
    code_end(&code);
    assert_int_equal(tsr_core_start(tile, TSR_CORE_T1, OTHER), TSR_OK);
    tsr_run_cycles(tile, 4000);
    assert_int_equal(core_view(tile, waiter).rest, TSR_CORE_ENDED);
    assert_int_equal(core_view(tile, waiter).x[A1], 1);
    tsr_tile_destroy(tile);
}

static void test_latched_wait(int arch)
{
    for (int way = 0; way < 8; way++)
        for (int late = 0; late < 70; late += 13)
            latched_wait(arch, way & 1, way & 2 ? TSR_CORE_T0 : TSR_CORE_T2, late, way & 4);
}
TILE_BOTH(test_latched_wait)

int main(void)
{
    const struct CMUnitTest tests[] = {TILE_TEST(test_pairs), TILE_TEST(test_stops),
                                       TILE_TEST(test_latched_wait)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
