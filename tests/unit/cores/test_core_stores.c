// SPDX-License-Identifier: Apache-2.0
// Stores of cores to configuration and to semaphores take a short way with timing off. It leaves
// what the address map leaves, which is used where somebody asks who wrote configuration, and is
// not taken where a store has to wait. Pages: BackendConfiguration.md, SyncUnit.md,
// BabyRISCV/AutoTTSync.md.
#include "rig/core_rig.h"
#include "state/semaphores.h"

#include <stdio.h>

enum { CODE_AT = 0x4000, STORES = 60, PROGRAMS = 120, BANK_WORDS = 150 };

static tsr_tile *tile_of(int arch, bool watched)
{
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.timing = false;
    options.profile = TSR_PROFILE_SILICON;
    options.cores = true;
    options.watch_config = watched;
    return tile_with(&options);
}

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

// Posts and gets of semaphores, beyond their ends, too, and what is behind the last one; words of
// configuration, those of both banks, of threads, and some that say more than they hold.
static void put_store(struct code *code, uint32_t *seed)
{
    bool rare = next(seed) % 64 == 0, semaphore = next(seed) % 3 == 0;
    uint32_t words = rare ? 3 * BANK_WORDS : BANK_WORDS;
    uint32_t index =
        semaphore ? (next(seed) % 4 == 0 ? next(seed) % (rare ? 9 : 8) : 1) : next(seed) % words;
    code_li(code, A4, (semaphore ? AT_SEMAPHORES : AT_CONFIG) + 4 * index);
    code_li(code, A5, semaphore ? next(seed) % 3 : next(seed));
    code_put(code, rv_s(next(seed) % 64 == 0 ? RISCV_SH : RISCV_SW, A5, A4, rare ? 2 : 0));
}

static tsr_tile *after_stores(int arch, bool watched, int core, uint32_t seed)
{
    tsr_tile *tile = tile_of(arch, watched);
    tile_push(tile, 0, "SEMINIT max_value=3 init_value=1 sem_sel=2");
    tsr_run(tile, NULL);
    uint32_t at = core == TSR_CORE_B ? 0 : CODE_AT;
    struct code code = code_at(tile, at);
    for (int i = 0; i < STORES; i++)
        put_store(&code, &seed);
    code_end(&code);
    core_start(tile, core, at);
    tsr_run_cycles(tile, 640);
    return tile;
}

static void test_same_as_the_address_map(int arch)
{
    static const int cores[] = {TSR_CORE_B, TSR_CORE_T0, TSR_CORE_T2, TSR_CORE_NC};
    for (uint32_t seed = 1; seed <= PROGRAMS; seed++) {
        int core = cores[seed % 4];
        tsr_tile *a = after_stores(arch, false, core, seed);
        tsr_tile *b = after_stores(arch, true, core, seed);
        const struct tsr_state *left = tile_state(a), *right = tile_state(b);
        tsr_core_state left_core = core_view(a, core), right_core = core_view(b, core);
        assert_memory_equal(&left->config, &right->config, sizeof left->config);
        assert_memory_equal(&left->sync, &right->sync, sizeof left->sync);
        assert_memory_equal(&left->debug, &right->debug, sizeof left->debug);
        assert_memory_equal(left->unpacker, right->unpacker, sizeof left->unpacker);
        assert_memory_equal(left_core.x, right_core.x, sizeof left_core.x);
        assert_int_equal(left_core.pc, right_core.pc);
        assert_int_equal(left_core.rest, right_core.rest);
        int count = tsr_diagnostic_count(a);
        assert_int_equal(count, tsr_diagnostic_count(b));
        for (int i = 0; i < count; i++) {
            const tsr_diagnostic *x = tsr_diagnostic_at(a, i), *y = tsr_diagnostic_at(b, i);
            assert_string_equal(x->code, y->code);
            assert_string_equal(x->sentence, y->sentence);
            assert_int_equal(x->cycle, y->cycle);
            assert_int_equal(x->pc, y->pc);
            assert_int_equal(x->core, y->core);
            assert_int_equal(x->repeats, y->repeats);
        }
        tsr_tile_destroy(a);
        tsr_tile_destroy(b);
    }
}
TILE_BOTH(test_same_as_the_address_map)

// Where instructions are tracked, T1's store waits for its thread's words that read configuration.
static void test_waits_for_instructions(void **state)
{
    (void)state;
    for (int tracked = 0; tracked < 2; tracked++) {
        tsr_tile *tile = tile_of(TSR_BLACKHOLE_A0, false);
        tile_push(tile, 1, tracked ? "SETC16 setc16_reg=56 setc16_value=29" : "NOP");
        tsr_run(tile, NULL);
        struct code code = code_at(tile, CODE_AT);
        code_push(&code, "SEMWAIT wait_sem_cond=1 sem_sel=1 stall_res=0x1ff");
        code_push(&code, "RDCFG");
        code_li(&code, A4, AT_CONFIG + 4 * 70);
        code_li(&code, A5, 77);
        code_sw(&code, A5, A4, 0);
        code_end(&code);
        core_start(tile, TSR_CORE_T1, CODE_AT);
        tsr_run_cycles(tile, 640);
        assert_int_equal(core_view(tile, TSR_CORE_T1).rest == TSR_CORE_BLOCKED, tracked);
        assert_int_equal(tile_state(tile)->config.bank[0][70], tracked ? 0 : 77);
        assert_int_equal(tsr_store(tile, TSR_CORE_T0, AT_SEMAPHORES, 0, 4), TSR_OK);
        tsr_run_cycles(tile, 640);
        assert_int_equal(tile_state(tile)->config.bank[0][70], 77);
        tsr_tile_destroy(tile);
    }
}

// T0 posts a semaphore, for which a word that reads configuration waits, and changes that word:
// what the core stored before the post is read, and what comes last is left. `mode`: a word that
// units sample, and no address.
static uint32_t read_behind_a_post(int arch, tsr_pipeline pipeline, bool waits, bool mode)
{
    enum { BEFORE = 0x15, AFTER = 0x16, GPR = 8 };
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.timing = false;
    options.profile = TSR_PROFILE_SILICON;
    options.cores = true;
    options.pipeline = pipeline;
    tsr_tile *tile = tile_with(&options);
    tile_state(tile)->sync.semaphore[1].max = 15;
    enum tsr_field field =
        mode ? FIELD_THCON_SEC0_REG0_TileDescriptor : FIELD_THCON_SEC0_REG3_Base_address;
    const struct tsr_isa *isa = tsr_isa((tsr_arch)arch);
    unsigned word = isa->field[field].addr32;
    char read[64];
    snprintf(read, sizeof read, "RDCFG GprAddress=%d CfgReg=%u", GPR, word);
    struct code code = code_at(tile, CODE_AT);
    if (waits)
        code_push(&code, "SEMWAIT wait_sem_cond=1 sem_sel=4 stall_res=0x1ff");
    else
        code_push(&code, "SEMWAIT wait_sem_cond=1 sem_sel=2 stall_res=0x1ff");
    code_push(&code, read);
    code_store(&code, AT_CONFIG + 4 * word, BEFORE);
    code_store(&code, AT_SEMAPHORES + 4 * 1, 0);
    code_store(&code, AT_CONFIG + 4 * word, AFTER);
    code_end(&code);
    core_start(tile, TSR_CORE_T0, CODE_AT);
    tsr_run_cycles(tile, 640);
    assert_int_equal(core_view(tile, TSR_CORE_T0).rest, TSR_CORE_ENDED);
    assert_int_equal(tile_state(tile)->config.bank[0][word], AFTER);
    if (waits) {
        assert_int_equal(tsr_store(tile, TSR_CORE_T0, AT_SEMAPHORES + 4 * 2, 0, 4), TSR_OK);
        tsr_run_cycles(tile, 640);
    }
    uint32_t value = tile_state(tile)->gprs.value[0][GPR];
    tsr_tile_destroy(tile);
    assert_true(value == BEFORE || value == AFTER);
    return value == BEFORE;
}

static void test_changes_behind_a_post(int arch)
{
    for (int staged = 0; staged < 2; staged++) {
        tsr_pipeline pipeline = staged ? TSR_PIPELINE_STAGED : TSR_PIPELINE_AUTO;
        assert_true(read_behind_a_post(arch, pipeline, false, true));
        assert_false(read_behind_a_post(arch, pipeline, true, true));
        assert_false(read_behind_a_post(arch, pipeline, false, false));
    }
}
TILE_BOTH(test_changes_behind_a_post)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_same_as_the_address_map),
        cmocka_unit_test(test_waits_for_instructions),
        TILE_TEST(test_changes_behind_a_post),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
