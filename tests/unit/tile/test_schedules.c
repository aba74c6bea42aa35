// SPDX-License-Identifier: Apache-2.0
// tsr_options.schedule: what nothing orders happens in another order, what a wait, a semaphore or a
// unit orders does not; the same seed gives the same run, however it is cut.
#include "rig/mover_rig.h"

enum { AT = 0x20000 };

static tsr_tile *scheduled(int arch, tsr_schedule schedule, uint64_t seed)
{
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.profile = TSR_PROFILE_SILICON;
    options.schedule = schedule;
    options.schedule_seed = seed;
    tsr_tile *tile = tile_with(&options);
    assert_int_equal(tsr_l1_mark_written(tile, 0, tsr_l1_size((tsr_arch)arch)), TSR_OK);
    for (int thread = 0; thread < TSR_THREADS; thread++) {
        tile_set_gpr(tile, thread, 1, AT >> 4);
        tile_set_gpr(tile, thread, 3, 1u + (uint32_t)thread);
        tile_set_gpr(tile, thread, 4, 0);
    }
    return tile;
}

static const char store[] = "STOREIND MemHierSel=1 AddrRegIndex=1 DataRegIndex=3 OffsetIndex=4 "
                            "SizeSel=1";
static const char load[] = "LOADIND AddrRegIndex=1 DataRegIndex=3 OffsetIndex=4 SizeSel=1";

// Threads 0 and 1 store to one word, each its number from 1.
static uint32_t last_store(int arch, tsr_schedule schedule, uint64_t seed, bool ordered, bool cut)
{
    tsr_tile *tile = scheduled(arch, schedule, seed);
    tile_push(tile, 0, "NOP");
    tile_push(tile, 0, store);
    if (ordered) {
        tile_push(tile, 0, "STALLWAIT stall_res=2 wait_res=1");
        tile_push(tile, 0, "SEMPOST sem_sel=1");
        tile_push(tile, 1, "SEMWAIT sem_sel=1 wait_sem_cond=1 stall_res=0x1ff");
    }
    tile_push(tile, 1, store);
    while (cut && tsr_step(tile))
        ;
    tile_idle(tile);
    uint32_t word = tile_l1(tile, AT);
    tsr_tile_destroy(tile);
    return word;
}

static void test_threads(void **state)
{
    enum { SEEDS = 32 };
    (void)state;
    for (int arch = 0; arch < 2; arch++) {
        assert_int_equal(last_store(arch, TSR_SCHEDULE_CARD, 0, false, false), 2);
        assert_int_equal(last_store(arch, TSR_SCHEDULE_EAGER, 0, false, false), 1);
        assert_int_equal(last_store(arch, TSR_SCHEDULE_LATE, 0, false, false), 1);
        unsigned met = 0;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            uint32_t last = last_store(arch, TSR_SCHEDULE_RANDOM, seed, false, false);
            assert_int_equal(last_store(arch, TSR_SCHEDULE_RANDOM, seed, false, true), last);
            assert_int_equal(last_store(arch, TSR_SCHEDULE_RANDOM, seed, true, seed & 1), 2);
            met |= 1u << last;
        }
        assert_int_equal(met, 1u << 1 | 1u << 2);
        assert_int_equal(last_store(arch, TSR_SCHEDULE_EAGER, 0, true, false), 2);
        assert_int_equal(last_store(arch, TSR_SCHEDULE_LATE, 0, true, false), 2);
    }
}

// A wait for the matrix unit's bank behind a SETRWC that gives one back is for the other bank, also
// where the SETRWC executes late: MOVD2A, which asks nobody, comes after the second hand-over.
static void test_next_bank(void **state)
{
    (void)state;
    for (int arch = 0; arch < 2; arch++)
        for (int schedule = TSR_SCHEDULE_CARD; schedule <= TSR_SCHEDULE_LATE; schedule++) {
            tsr_options options = tsr_options_default((tsr_arch)arch);
            options.profile = TSR_PROFILE_SILICON;
            options.schedule = (tsr_schedule)schedule;
            options.find_races = true;
            tsr_tile *tile = tile_with(&options);
            char wait[80];
            uint32_t valid;
            assert_int_equal(tsr_constant_find((tsr_arch)arch, "p_stall.SRCA_VLD", &valid), TSR_OK);
            snprintf(wait, sizeof wait, "STALLWAIT stall_res=64 wait_res=%u", (unsigned)valid);
            for (int face = 0; face < 4; face++) {
                tile_push(tile, 0, arch == BH ? "UNPACR_NOP Unpack_Pop=1" : "UNPACR_NOP NoOp=1");
                tile_push(tile, 0, "STALLWAIT stall_res=1 wait_res=2");
                tile_push(tile, 0, "SETDVALID setvalid=1");
                tile_push(tile, 1, wait);
                tile_push(tile, 1, "MOVD2A instr_mod=2");
                tile_push(tile, 1, "SETRWC clear_ab_vld=1");
            }
            assert_int_equal(tile_run(tile), TSR_END_IDLE);
            assert_null(tile_found(tile, "race-writes"));
            assert_null(tile_found(tile, "src-bank-taken"));
            tsr_tile_destroy(tile);
        }
}

// A load's result is in its GPR when a wait for the scalar unit's memory has ended, and not before.
static void test_loads(void **state)
{
    (void)state;
    for (int arch = 0; arch < 2; arch++) {
        for (int waits = 0; waits < 2; waits++) {
            for (int schedule = TSR_SCHEDULE_CARD; schedule <= TSR_SCHEDULE_LATE; schedule++) {
                tsr_tile *tile = scheduled(arch, (tsr_schedule)schedule, 0);
                tile_push(tile, 0, load);
                if (waits)
                    tile_push(tile, 0, "STALLWAIT stall_res=0x1ff wait_res=1");
                tile_push(tile, 0,
                          "ADDDMAREG OpBisConst=1 ResultRegIndex=5 OpBRegIndex=4 "
                          "OpARegIndex=3");
                tile_idle(tile);
                bool early = schedule == TSR_SCHEDULE_LATE && !waits;
                assert_int_equal(tile_gpr(tile, 0, 5), early ? 5 : 4);
                assert_int_equal(tile_gpr(tile, 0, 3), 0);
                tsr_tile_destroy(tile);
            }
        }
    }
}

// A vector load sees what a matrix instruction did if three others came between (SFPLOAD.md).
static bool load_sees(int arch, uint64_t seed, int between)
{
    tsr_tile *tile = scheduled(arch, TSR_SCHEDULE_RANDOM, seed);
    tile_push(tile, 1, "SFPLOADI lreg_ind=0 instr_mod0=0 imm16=16256");
    tile_push(tile, 1, "SFPSTORE lreg_ind=0 instr_mod0=1 dest_reg_addr=0");
    tile_push(tile, 1, "ZEROACC clear_mode=3");
    for (int i = 0; i < between; i++)
        tile_push(tile, 1, "NOP");
    tile_push(tile, 1, "SFPLOAD lreg_ind=1 instr_mod0=1 dest_reg_addr=0");
    tile_idle(tile);
    bool sees = tile_env(tile)->state->vector.lreg[1][0] == 0;
    tsr_tile_destroy(tile);
    return sees;
}

static void test_far_loads(void **state)
{
    enum { SEEDS = 32 };
    (void)state;
    for (int arch = 0; arch < 2; arch++) {
        int near = 0;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            assert_true(load_sees(arch, seed, 3));
            near += load_sees(arch, seed, 2);
        }
        assert_in_range(near, 1, SEEDS - 1);
    }
}

// A reset begins the same order again.
static void test_reset(void **state)
{
    (void)state;
    tsr_tile *tile = scheduled(TSR_WORMHOLE_B0, TSR_SCHEDULE_RANDOM, 7);
    const struct tsr_schedule_state begun = tile->engine.schedule;
    tile_push(tile, 0, store);
    tile_push(tile, 1, store);
    tile_idle(tile);
    assert_true(tile->engine.schedule.random != begun.random);
    tsr_tile_reset(tile);
    assert_memory_equal(&tile->engine.schedule, &begun, sizeof begun);
    tsr_tile_destroy(tile);
}

static void test_refused(void **state)
{
    (void)state;
    tsr_options options = tsr_options_default(TSR_WORMHOLE_B0);
    tsr_tile *tile;
    options.timing = true;
    options.schedule = TSR_SCHEDULE_LATE;
    assert_int_equal(tsr_tile_create(&options, &tile), TSR_BAD_ARGUMENT);
    options.timing = false;
    options.schedule = (tsr_schedule)(TSR_SCHEDULE_RANDOM + 1);
    assert_int_equal(tsr_tile_create(&options, &tile), TSR_BAD_ARGUMENT);
}

// An XMOV that the mover has taken keeps it busy, also before it begins: for TDMA-RISC's status,
// and for the command that is queued behind it.
static void test_mover(void **state)
{
    (void)state;
    enum { COMMAND = 0x10, STATUS = 0x14 };
    for (int arch = 0; arch < 2; arch++) {
        tsr_tile *tile = scheduled(arch, TSR_SCHEDULE_LATE, 0);
        fill(tile, FROM, 0x20);
        move_fields(tile, 0, L1_TO_L1, TO, FROM, 0x10);
        tile_push(tile, 0, "XMOV");
        while (!(get(tile, TSR_CORE_B, tdma + STATUS) & 1))
            assert_true(tsr_step(tile));
        assert_int_equal(tile_l1(tile, TO), 0);
        const uint32_t parameters[4] = {(FROM + 0x10) / 16, TO / 16, 1, L1_TO_L1};
        for (uint32_t i = 0; i < 4; i++)
            put(tile, TSR_CORE_B, tdma + 4 * i, parameters[i]);
        put(tile, TSR_CORE_B, tdma + COMMAND, 0x40);
        tile_idle(tile);
        assert_int_equal(get(tile, TSR_CORE_B, tdma + STATUS), 0x428);
        assert_true(same(tile, FROM + 0x10, TO, 0x10)); // the command's, which came second
        tsr_tile_destroy(tile);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),   cmocka_unit_test(test_next_bank),
        cmocka_unit_test(test_loads),     cmocka_unit_test(test_mover),
        cmocka_unit_test(test_far_loads), cmocka_unit_test(test_reset),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
