// SPDX-License-Identifier: Apache-2.0
// What tsr_push() remembers of a FIFO's room: it takes and refuses the same words as one that asks
// each time, which a load before each push makes it do. Page: PushTensixInstruction.md.
#include "frontend/expand.h"
#include "rig/tile_rig.h"

enum { STEPS = 4000, TEXTS = 7 };

static const char *const texts[TEXTS] = {
    "NOP",
    "NOP",
    "SETDMAREG RegIndex16b=2 Payload_SigSel=77",
    "SEMINIT max_value=8 init_value=0 sem_sel=2",
    "SEMWAIT stall_res=511 wait_sem_cond=1 sem_sel=4", // nobody posts it
    "SEMPOST sem_sel=4",
    "REPLAY len=3 start_idx=1 load_mode=1",
};

struct pair {
    tsr_tile *tile[2]; // the second one is asked each time
    uint32_t seed;
};

static uint32_t draw(struct pair *pair, uint32_t below)
{
    pair->seed = pair->seed * 1664525u + 1013904223u;
    return (pair->seed >> 16) % below;
}

static tsr_status push(struct pair *pair, int way, int thread, uint32_t word)
{
    uint32_t value;
    if (way == 1) // the first register of configuration
        assert_int_equal(tsr_load(pair->tile[1], TSR_CORE_T0, 0xffef0000u, &value, 4), TSR_OK);
    return tsr_push(pair->tile[way], thread, word);
}

static void run(tsr_tile *tile, uint32_t how)
{
    tsr_limits limits = tsr_limits_default();
    limits.external = true;
    limits.max_steps = how;
    limits.max_cycles = 3 + how;
    if (how == 0)
        tsr_step(tile);
    else
        tsr_run(tile, &limits);
}

// Core B's words lie behind those of the cores T, a core's own before them.
static void store(struct pair *pair, tsr_core core, int thread, uint32_t word)
{
    uint32_t window = core == TSR_CORE_B ? 0xffe40000u + 0x10000u * (uint32_t)thread : 0xffe40000u;
    tsr_core who = core == TSR_CORE_B ? core : (tsr_core)(TSR_CORE_T0 + thread);
    tsr_status taken = tsr_store(pair->tile[0], who, window, word, 4);
    assert_int_equal(taken, tsr_store(pair->tile[1], who, window, word, 4));
}

static void take_step(struct pair *pair)
{
    int thread = (int)draw(pair, TSR_THREADS);
    uint32_t what = draw(pair, 40), word = tile_word(pair->tile[0], texts[draw(pair, TEXTS)]);
    uint32_t how = draw(pair, 4);
    for (int way = 0; way < 2; way++)
        if (what == 0)
            run(pair->tile[way], how);
        else if (what == 1 && how == 0)
            tsr_tile_reset(pair->tile[way]);
    if (what == 2 || what == 3)
        store(pair, what == 2 ? TSR_CORE_B : TSR_CORE_T0, thread, word);
    if (what >= 4)
        assert_int_equal(push(pair, 0, thread, word), push(pair, 1, thread, word));
    for (int i = 0; i < TSR_THREADS; i++) {
        const struct tsr_frontend *a = &pair->tile[0]->engine.env.state->frontend[i];
        const struct tsr_frontend *b = &pair->tile[1]->engine.env.state->frontend[i];
        assert_int_equal(a->before_mop.count, b->before_mop.count);
        assert_int_equal(a->sequence, b->sequence);
    }
}

static void compare(int arch, bool timing, bool cores)
{
    struct pair pair = {.seed = 11};
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.timing = timing;
    options.cores = cores; // which stay in reset
    options.profile = TSR_PROFILE_SILICON;
    for (int way = 0; way < 2; way++)
        pair.tile[way] = tile_with(&options);
    for (int i = 0; i < STEPS; i++)
        take_step(&pair);
    for (int way = 0; way < 2; way++)
        tsr_tile_destroy(pair.tile[way]);
}

static void test_same(int arch)
{
    compare(arch, false, false);
    compare(arch, true, false);
    compare(arch, false, true);
    compare(arch, true, true);
}
TILE_BOTH(test_same)

// A finding of an access stops the tile, and so does one of a run.
static void test_stopped(int arch)
{
    tsr_tile *tile = tile_default(arch);
    assert_int_equal(tsr_push(tile, 0, 0x02000000), TSR_OK);
    assert_int_equal(tsr_push(tile, 0, 0x02000000), TSR_OK);
    assert_int_equal(tsr_store(tile, TSR_CORE_T0, 0xff000000u, 0, 4), TSR_STOPPED);
    assert_int_equal(tsr_push(tile, 0, 0x02000000), TSR_STOPPED);
    tsr_tile_reset(tile);
    uint32_t value;
    assert_int_equal(tsr_push(tile, 0, 0x02000000), TSR_OK);
    (void)tsr_host_load(tile, 0x102, &value, 4); // across a word of L1
    assert_int_equal(tsr_push(tile, 0, 0x02000000), TSR_STOPPED);
    tsr_tile_reset(tile);
    assert_int_equal(tsr_push(tile, 0, 0xff000000), TSR_OK); // no instruction
    assert_int_equal(tsr_push(tile, 0, 0x02000000), TSR_OK);
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    assert_int_equal(tsr_push(tile, 0, 0x02000000), TSR_STOPPED);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_stopped)

static int words_taken(tsr_tile *tile, int other_at)
{
    uint32_t nop = tile_word(tile, "NOP"), other = tile_word(tile, "MOP_CFG zmask_hi16=3");
    int taken = 0;
    while (tsr_push(tile, 0, taken == other_at ? other : nop) == TSR_OK)
        taken++;
    return taken;
}

// The words of a full FIFO that an expander takes are found wherever the FIFO wraps around.
static void test_wherever_it_begins(int arch)
{
    for (int other_at = 0; other_at < 14; other_at++) {
        int taken[TSR_FIFO_MAX];
        for (uint8_t first = 0; first < TSR_FIFO_MAX; first++) {
            tsr_tile *tile = tile_default(arch);
            tile_state(tile)->frontend[0].before_mop.first = first;
            taken[first] = words_taken(tile, other_at);
            assert_int_equal(taken[first], taken[0]);
            tsr_tile_destroy(tile);
        }
    }
}
TILE_BOTH(test_wherever_it_begins)

// On Blackhole the core's words in either FIFO behind the first one leave it so much less room.
static void test_passed_words(int arch)
{
    for (int place = 0; place < 2; place++) {
        tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_STRICT);
        struct tsr_frontend *frontend = &tile_state(tile)->frontend[0];
        struct tsr_fifo *fifo = place ? &frontend->before_replay : &frontend->before_gate;
        unsigned depth = tsr_frontend_depth(tile_env(tile), 0, false);
        assert_true(tsr_fifo_push(fifo, TSR_FIFO_MAX, tile_word(tile, "NOP")));
        assert_int_equal(words_taken(tile, -1), depth - (arch == BH));
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_passed_words)

int main(void)
{
    const struct CMUnitTest tests[] = {TILE_TEST(test_same), TILE_TEST(test_stopped),
                                       TILE_TEST(test_wherever_it_begins),
                                       TILE_TEST(test_passed_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
