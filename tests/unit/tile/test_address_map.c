// SPDX-License-Identifier: Apache-2.0
// What each baby core finds where: BabyRISCV/README.md, PushTensixInstruction.md, TTSync.md,
// PCBufs.md, SyncUnit.md, BackendConfiguration.md, MOPExpander.md of each chip.
#include "frontend/expand.h"
#include "rig/tile_rig.h"

static const uint32_t gprs = 0xffe00000u, push0 = 0xffe40000u, push1 = 0xffe50000u,
                      push2 = 0xffe60000u, ttsync = 0xffe80004u, semaphores = 0xffe80020u,
                      mop_words = 0xffb80000u, config_window = 0xffef0000u;

static tsr_status load(tsr_tile *tile, int core, uint32_t address, int width, uint32_t *value)
{
    return tsr_load(tile, (tsr_core)core, address, value, width);
}

// Nothing is mapped there for that core. The strict policy stops at it, so the tile starts afresh.
static void assert_unmapped(tsr_tile *tile, int core, uint32_t address, int width, bool store)
{
    uint32_t value = 0;
    tsr_status status = store ? tsr_store(tile, (tsr_core)core, address, 1, width)
                              : load(tile, core, address, width, &value);
    assert_int_equal(status, TSR_STOPPED);
    const tsr_diagnostic *found = tile_found(tile, "unmapped-address");
    assert_non_null(found);
    assert_int_equal(found->core, core);
    assert_int_equal(found->category, TSR_DEADLOCK);
    tsr_tile_reset(tile);
}

// ---------------------------------------------------------------- L1

static void test_l1(int arch)
{
    tsr_tile *tile = tile_default(arch);
    uint32_t end = (uint32_t)tsr_l1_size((tsr_arch)arch), value;
    for (int core = TSR_CORE_B; core <= TSR_CORE_NC; core++) {
        uint32_t at = 0x1000u + 16u * (uint32_t)core;
        assert_int_equal(tsr_store(tile, (tsr_core)core, at, 0x44332211, 4), TSR_OK);
        assert_int_equal(tsr_store(tile, (tsr_core)core, at + 1, 0x1aa, 1), TSR_OK);
        assert_int_equal(tsr_store(tile, (tsr_core)core, at + 2, 0x1bbcc, 2), TSR_OK);
        assert_int_equal(load(tile, core, at, 4, &value), TSR_OK);
        assert_int_equal(value, 0xbbccaa11);
        assert_int_equal(load(tile, core, at + 3, 1, &value), TSR_OK);
        assert_int_equal(value, 0xbb);
        assert_int_equal(load(tile, core, at, 2, &value), TSR_OK);
        assert_int_equal(value, 0xaa11);
    }
    assert_int_equal(tsr_store(tile, TSR_CORE_B, end - 4, 7, 4), TSR_OK);
    assert_int_equal(load(tile, TSR_CORE_NC, end - 4, 4, &value), TSR_OK);
    assert_int_equal(value, 7);
    assert_unmapped(tile, TSR_CORE_B, end, 1, true);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_l1)

static void test_l1_never_written(int arch)
{
    tsr_tile *tile = tile_default(arch);
    uint32_t value;
    assert_int_equal(tsr_store(tile, TSR_CORE_B, 0x2000, 1, 2), TSR_OK);
    assert_int_equal(load(tile, TSR_CORE_T0, 0x2000, 2, &value), TSR_OK);
    assert_int_equal(load(tile, TSR_CORE_T0, 0x2000, 4, &value), TSR_STOPPED);
    const tsr_diagnostic *found = tile_found(tile, "uninitialised-l1");
    assert_non_null(found);
    assert_int_equal(found->core, TSR_CORE_T0);
    assert_int_equal(tsr_store(tile, TSR_CORE_B, 0x2000, 1, 4), TSR_STOPPED); // until the reset
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_l1_never_written)

// ---------------------------------------------------------------- GPRs

static void test_gprs(int arch)
{
    tsr_tile *tile = tile_default(arch);
    uint32_t value;
    for (int thread = 0; thread < TSR_THREADS; thread++)
        assert_int_equal(tsr_store(tile, (tsr_core)(TSR_CORE_T0 + thread), gprs + 4 * 63,
                                   0x11110000u + (uint32_t)thread, 4),
                         TSR_OK);
    for (unsigned thread = 0; thread < TSR_THREADS; thread++) {
        assert_int_equal(tile_gpr(tile, (int)thread, 63), 0x11110000 + thread);
        assert_int_equal(load(tile, TSR_CORE_B, gprs + 4 * (64 * thread + 63), 4, &value), TSR_OK);
        assert_int_equal(value, 0x11110000 + thread);
    }
    assert_int_equal(tsr_store(tile, TSR_CORE_B, gprs + 4 * 64, 0x80ff, 4), TSR_OK);
    assert_int_equal(tile_gpr(tile, 1, 0), 0x80ff);
    assert_int_equal(load(tile, TSR_CORE_T1, gprs + 1, 1, &value), TSR_OK);
    assert_int_equal(value, 0x80);
    assert_int_equal(load(tile, TSR_CORE_T2, gprs + 4 * 63 + 2, 2, &value), TSR_OK);
    assert_int_equal(value, 0x1111);
    assert_int_equal(load(tile, TSR_CORE_T0, gprs, 4, &value), TSR_STOPPED); // never written
    assert_non_null(tile_found(tile, "uninitialised-gpr"));
    tsr_tile_reset(tile);
    if (arch == BH) {
        assert_int_equal(tsr_store(tile, TSR_CORE_T1, gprs + 256 + 4 * 5, 0x99, 4), TSR_OK);
        assert_int_equal(tile_gpr(tile, 1, 5), 0x99);
        assert_int_equal(load(tile, TSR_CORE_T1, gprs + 0xf00 + 4 * 5, 4, &value), TSR_OK);
        assert_int_equal(value, 0x99);
    } else {
        assert_unmapped(tile, TSR_CORE_T0, gprs + 4 * 64, 4, true);
    }
    assert_unmapped(tile, TSR_CORE_B, gprs + 4 * 192, 4, true);
    assert_unmapped(tile, TSR_CORE_NC, gprs, 4, true);
    assert_unmapped(tile, TSR_CORE_T0, gprs, 2, true); // whole words only
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_gprs)

// ---------------------------------------------------------------- instructions

static uint32_t numbered_word(const tsr_tile *tile, int number)
{
    char text[60];
    snprintf(text, sizeof text, "SETDMAREG RegIndex16b=2 Payload_SigSel=%d", number);
    return tile_word(tile, text);
}

static void test_push(int arch)
{
    tsr_tile *tile = tile_default(arch);
    struct tsr_frontend *frontend = tile_state(tile)->frontend;
    // Blackhole: one at a time, and nothing is added by the FIFOs behind.
    static const int depths[2][TSR_THREADS] = {{32, 16, 16}, {29, 29, 29}};
    const int *depth = depths[arch == BH];
    enum { MORE = 8 + 2 }; // for which there is room before the replay expander and the gate
    const int more = arch == BH ? 0 : MORE;
    for (int thread = 0; thread < TSR_THREADS; thread++) {
        tsr_core core = (tsr_core)(TSR_CORE_T0 + thread);
        for (int i = 0; i < depth[thread] + more; i++)
            assert_int_equal(tsr_store(tile, core, push0, numbered_word(tile, i), 4), TSR_OK);
        assert_int_equal(tsr_store(tile, core, push0, 0x02000000, 4), TSR_BUSY);
        assert_int_equal(tsr_push(tile, thread, 0x02000000), TSR_BUSY);
        assert_int_equal(frontend[thread].before_mop.count, depth[thread] + more);
        tsr_expand_all(&tile->engine.env, thread);
        assert_int_equal(frontend[thread].before_mop.count, depth[thread] + more - MORE);
        assert_int_equal(tsr_fifo_front(&frontend[thread].before_mop), numbered_word(tile, MORE));
        assert_int_equal(tsr_push(tile, thread, 0x02000000), TSR_BUSY);
    }
    tile_idle(tile);
    const uint32_t window[TSR_THREADS] = {push0, push1, push2};
    for (int thread = 0; thread < TSR_THREADS; thread++) { // B's come in after the MOP expander
        for (int i = 0; i < MORE; i++)
            assert_int_equal(tsr_store(tile, TSR_CORE_B, window[thread], 0x02000000, 4), TSR_OK);
        assert_int_equal(tsr_store(tile, TSR_CORE_B, window[thread], 0x02000000, 4), TSR_BUSY);
        tsr_expand_all(&tile->engine.env, thread);
        assert_int_equal(frontend[thread].before_replay.count, 8);
    }
    tile_idle(tile);
    assert_int_equal(frontend[0].sequence, depth[0] + more + MORE);
    assert_int_equal(frontend[1].sequence, depth[1] + more + MORE);
    assert_int_equal(tsr_store(tile, TSR_CORE_T0, push0 + 0xfffc, 0x02000000, 4), TSR_OK);
    assert_unmapped(tile, TSR_CORE_T0, push1, 4, true);
    assert_unmapped(tile, TSR_CORE_T2, push2, 4, true);
    assert_unmapped(tile, TSR_CORE_NC, push0, 4, true);
    assert_unmapped(tile, TSR_CORE_T0, push0, 4, false);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_push)

static void test_mop_words(int arch)
{
    tsr_tile *tile = tile_default(arch);
    for (uint32_t i = 0; i < TSR_MOP_WORDS; i++)
        assert_int_equal(tsr_store(tile, TSR_CORE_T2, mop_words + 4 * i, 0x100 + i, 4), TSR_OK);
    for (uint32_t i = 0; i < TSR_MOP_WORDS; i++) {
        assert_int_equal(tile_state(tile)->frontend[2].mop_config[i], 0x100 + i);
        assert_int_equal(tile_state(tile)->frontend[0].mop_config[i], 0);
    }
    assert_int_equal(tile_state(tile)->frontend[2].mop_config_written, 0x1ff);
    assert_unmapped(tile, TSR_CORE_T0, mop_words + 4 * TSR_MOP_WORDS, 4, true);
    assert_unmapped(tile, TSR_CORE_T0, mop_words, 4, false); // write-only
    assert_unmapped(tile, TSR_CORE_B, mop_words, 4, true);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_mop_words)

// ---------------------------------------------------------------- TTSync

static void test_ttsync(int arch)
{
    tsr_tile *tile = tile_default(arch);
    uint32_t value = 1;
    assert_int_equal(load(tile, TSR_CORE_T1, ttsync, 4, &value), TSR_OK);
    tile_push(tile, 1, "NOP");
    assert_int_equal(load(tile, TSR_CORE_T1, ttsync, 4, &value), TSR_BUSY);
    assert_int_equal(load(tile, TSR_CORE_T1, ttsync + 4, 4, &value), TSR_OK); // it is no MOP
    assert_int_equal(load(tile, TSR_CORE_T0, ttsync, 4, &value), TSR_OK);     // another thread
    assert_int_equal(tsr_store(tile, TSR_CORE_T1, ttsync, 9, 4), TSR_OK);     // discarded
    for (uint32_t i = 0; i < TSR_MOP_WORDS; i++)
        tsr_store(tile, TSR_CORE_T1, mop_words + 4 * i, i < 2 ? 1 : 0x02000000, 4);
    for (int i = 0; i < 11; i++) // one more than there is room for after the expander
        tile_push(tile, 1, "MOP mop_type=1");
    assert_int_equal(load(tile, TSR_CORE_T1, ttsync + 4, 4, &value), TSR_BUSY);
    tile_idle(tile);
    assert_int_equal(load(tile, TSR_CORE_T1, ttsync, 4, &value), TSR_OK);
    assert_int_equal(load(tile, TSR_CORE_T1, ttsync + 4, 4, &value), TSR_OK);
    tile_push(tile, 1, "SEMWAIT sem_sel=1 wait_sem_cond=1 stall_res=2");
    tile_push(tile, 1, "SEMPOST sem_sel=2");
    tsr_limits limits = tsr_limits_default();
    limits.external = true;
    assert_int_equal(tsr_run(tile, &limits), TSR_END_BLOCKED);
    assert_int_equal(load(tile, TSR_CORE_T1, ttsync, 4, &value), TSR_BUSY);
    assert_unmapped(tile, TSR_CORE_T1, ttsync + 8, 4, false);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_ttsync)

// ---------------------------------------------------------------- semaphores

static void test_semaphore_window(int arch)
{
    tsr_tile *tile = tile_default(arch);
    uint32_t value, at = semaphores + 4 * 5;
    for (int i = 0; i < 15; i++) // only bit 0 decides
        assert_int_equal(tsr_store(tile, TSR_CORE_T1, at, (uint32_t)i * 2, 4), TSR_OK);
    assert_int_equal(load(tile, TSR_CORE_T0, at, 4, &value), TSR_OK);
    assert_int_equal(value, 15);
    assert_null(tile_found(tile, "semaphore-at-maximum"));
    assert_int_equal(tsr_store(tile, TSR_CORE_T1, at, 0, 4), TSR_OK);
    assert_int_equal(tile_semaphore(tile, 5), 15);
    assert_int_equal(tile_found(tile, "semaphore-at-maximum")->core, TSR_CORE_T1);
    assert_int_equal(tsr_store(tile, TSR_CORE_T2, at, 0xffffffff, 4), TSR_OK);
    assert_int_equal(tile_semaphore(tile, 5), 14);
    assert_int_equal(tsr_store(tile, TSR_CORE_T2, semaphores, 1, 4), TSR_OK);
    assert_int_equal(tile_semaphore(tile, 0), 0);
    assert_non_null(tile_found(tile, "semaphore-at-zero"));
    assert_unmapped(tile, TSR_CORE_T0, semaphores + 4 * 8, 4, false);
    assert_unmapped(tile, TSR_CORE_NC, semaphores, 4, false);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_semaphore_window)

// ---------------------------------------------------------------- configuration

static void test_config_window(int arch)
{
    tsr_tile *tile = tile_default(arch);
    const struct tsr_layout *layout = &tile_env(tile)->isa->layout;
    uint32_t value, bank = 4u * layout->banked_words, global = 4u * layout->global_base;
    assert_int_equal(tsr_store(tile, TSR_CORE_T0, config_window + 4 * 70, 0x0a0b0c0d, 4), TSR_OK);
    assert_int_equal(tsr_store(tile, TSR_CORE_B, config_window + bank + 4 * 70, 77, 4), TSR_OK);
    assert_int_equal(tile_state(tile)->config.bank[0][70], 0x0a0b0c0d);
    assert_int_equal(tile_state(tile)->config.bank[1][70], 77);
    assert_int_equal(load(tile, TSR_CORE_T2, config_window + bank + 4 * 70, 4, &value), TSR_OK);
    assert_int_equal(value, 77);
    assert_int_equal(load(tile, TSR_CORE_T2, config_window + 4 * 70 + 1, 1, &value), TSR_OK);
    assert_int_equal(value, 0x0c);
    assert_int_equal(load(tile, TSR_CORE_T2, config_window + 4 * 70 + 2, 2, &value), TSR_OK);
    assert_int_equal(value, 0x0a0b);
    assert_int_equal(tsr_store(tile, TSR_CORE_T0, config_window + bank + global, 9, 4), TSR_OK);
    assert_int_equal(tile_state(tile)->config.bank[0][layout->global_base], 9);
    assert_unmapped(tile, TSR_CORE_T0, config_window, 2, true);
    assert_unmapped(tile, TSR_CORE_NC, config_window, 4, false);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_config_window)

static void test_thread_words(int arch)
{
    tsr_tile *tile = tile_default(arch);
    const struct tsr_layout *layout = &tile_env(tile)->isa->layout;
    uint32_t value, stride = arch == WH ? 16 : 4;
    uint32_t base = config_window + 4u * layout->banked_words * (arch == WH ? 2u : 3u);
    tile_do(tile, 1, "SETC16 setc16_reg=7 setc16_value=0xa1b2");
    uint32_t at = base + stride * (layout->thread_words + 7u);
    assert_int_equal(load(tile, TSR_CORE_B, at, 4, &value), TSR_OK);
    assert_int_equal(value, 0xa1b2);
    assert_int_equal(load(tile, TSR_CORE_B, at + 1, 1, &value), TSR_OK);
    assert_int_equal(value, 0xa1);
    assert_int_equal(load(tile, TSR_CORE_B, at + 2, 2, &value), TSR_OK);
    assert_int_equal(value, 0);
    assert_int_equal(load(tile, TSR_CORE_B, at + stride, 4, &value), TSR_OK);
    assert_int_equal(value, 0);
    if (arch == WH) {
        assert_int_equal(load(tile, TSR_CORE_B, at + 4, 4, &value), TSR_OK);
        assert_int_equal(value, 0);
    }
    assert_unmapped(tile, TSR_CORE_B, at, 4, true); // read-only
    assert_unmapped(tile, TSR_CORE_B, base + 3u * stride * layout->thread_words, 4, false);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_thread_words)

// Blackhole's third copy of the words.
static void test_dual_write_window(void **state)
{
    (void)state;
    tsr_tile *tile = tile_default(BH);
    uint32_t value, dual = config_window + 2 * 4 * 224;
    assert_int_equal(tsr_store(tile, TSR_CORE_T0, dual + 4 * 70, 5, 4), TSR_OK);
    assert_int_equal(tile_state(tile)->config.bank[0][70], 5);
    assert_int_equal(tile_state(tile)->config.bank[1][70], 5);
    assert_int_equal(tsr_store(tile, TSR_CORE_T0, config_window + 4 * 70, 6, 4), TSR_OK);
    assert_int_equal(load(tile, TSR_CORE_T0, dual + 4 * 70, 4, &value), TSR_OK);
    assert_int_equal(value, 6); // a load sees bank 0
    tile_state(tile)->config.bank[0][0] = tile_state(tile)->config.bank[1][1] = 3;
    assert_int_equal(tsr_store(tile, TSR_CORE_T0, dual + 4 * 4, 0, 4), TSR_OK); // STATE_RESET_EN
    assert_int_equal(tile_state(tile)->config.bank[0][0] | tile_state(tile)->config.bank[1][1], 0);
    tsr_tile_destroy(tile);
}

// ---------------------------------------------------------------- the rest of the map

static bool built(enum tsr_region_id region)
{
    static const enum tsr_region_id missing[] = {REGION_PC_SNAPSHOT, REGION_NOC0, REGION_NOC1,
                                                 REGION_NOC_OVERLAY};
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        if (missing[i] == region)
            return false;
    return true;
}

// A region that the map has and Tessera has not says its name, for each core that sees it.
static void test_unimplemented_regions(int arch)
{
    tsr_tile *tile = tile_default(arch);
    const struct tsr_isa *isa = tile_env(tile)->isa;
    int tried = 0;
    for (int region = 0; region < REGION_COUNT; region++) {
        const struct tsr_region *row = &isa->region[region];
        for (int core = 0; core <= TSR_CORE_NC && row->size && !built(region); core++) {
            uint32_t value;
            if (!(row->cores >> core & 1))
                continue;
            assert_int_equal(load(tile, core, row->base, 4, &value), TSR_STOPPED);
            const tsr_diagnostic *found = tsr_diagnostic_at(tile, 0);
            assert_string_equal(found->code, "unimplemented-mode");
            assert_non_null(strstr(found->sentence, row->name));
            tsr_tile_reset(tile);
            tsr_tile_set_policy(tile, "unimplemented", TSR_ACTION_RECORD);
            assert_int_equal(tsr_store(tile, (tsr_core)core, row->base, 1, 4), TSR_UNIMPLEMENTED);
            tsr_tile_set_policy(tile, "unimplemented", TSR_ACTION_STOP);
            tsr_tile_reset(tile);
            tried++;
        }
    }
    assert_int_equal(tried, arch == WH ? 3 * 5 : 4 * 5);
    assert_unmapped(tile, TSR_CORE_B, 0xffff0000, 4, false);
    assert_unmapped(tile, TSR_CORE_NC, 0x00400000, 4, true);
    if (arch == WH)
        assert_unmapped(tile, TSR_CORE_T0, 0xffbd8000, 4, false); // Blackhole's window onto Dst
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_unimplemented_regions)

static void test_arguments(int arch)
{
    tsr_tile *tile = tile_new(arch, false, TSR_PROFILE_SILICON);
    uint32_t value;
    assert_int_equal(tsr_load(tile, TSR_CORE_B, 0, NULL, 4), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_load(tile, TSR_CORE_B, 0, &value, 3), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_store(tile, (tsr_core)5, 0, 0, 4), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_store(tile, (tsr_core)-1, 0, 0, 4), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_push(tile, 3, 0), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_push(tile, -1, 0), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_store(tile, TSR_CORE_NC, gprs, 0, 4), TSR_UNMAPPED); // and goes on
    assert_int_equal(tsr_store(tile, TSR_CORE_NC, 0x100, 0, 4), TSR_OK);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_arguments)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_l1),
        TILE_TEST(test_l1_never_written),
        TILE_TEST(test_gprs),
        TILE_TEST(test_push),
        TILE_TEST(test_mop_words),
        TILE_TEST(test_ttsync),
        TILE_TEST(test_semaphore_window),
        TILE_TEST(test_config_window),
        TILE_TEST(test_thread_words),
        cmocka_unit_test(test_dual_write_window),
        TILE_TEST(test_unimplemented_regions),
        TILE_TEST(test_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
