// SPDX-License-Identifier: Apache-2.0
// Baby cores and hosts from outside the tile: the host's column of the address map, soft reset and
// where cores begin after it, the cores' memories, findings by place, and time that passes on a
// tile that is idle. Pages: SoftReset.md, BabyRISCV/README.md of each chip, InstructionRAM.md,
// PCBufs.md.
#include "rig/event_log.h"
#include "rig/tile_rig.h"

static const uint32_t soft_reset = 0xffb121b0u, wall_clock = 0xffb121f0u;

static tsr_tile *with_cores(int arch, bool timing)
{
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.timing = timing;
    options.cores = true;
    return tile_with(&options);
}

static uint32_t host_word(tsr_tile *tile, uint32_t address)
{
    uint32_t value;
    assert_int_equal(tsr_host_load(tile, address, &value, 4), TSR_OK);
    return value;
}

static void test_host(int arch)
{
    tsr_tile *tile = tile_new(arch, false, TSR_PROFILE_SILICON);
    uint32_t value;
    assert_int_equal(tsr_host_store(tile, 0x100, 0x04030201, 4), TSR_OK);
    assert_int_equal(tsr_host_load(tile, 0x102, &value, 2), TSR_OK);
    assert_int_equal(value, 0x0403);
    assert_int_equal(tsr_host_load(tile, 0x102, &value, 3), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_host_store(tile, soft_reset, 0, 4), TSR_OK);
    // Configuration and GPRs are not in the NoC's column, nor are the cores' own windows.
    const uint32_t unmapped[] = {0xffef0000u, 0xffe00000u, 0xffb00000u, 0xffe40000u};
    for (size_t i = 0; i < sizeof unmapped / sizeof *unmapped; i++)
        assert_int_equal(tsr_host_store(tile, unmapped[i], 1, 4), TSR_UNMAPPED);
    assert_int_equal(tsr_host_load(tile, 0xffb11014u, &value, 4),
                     arch == WH ? TSR_OK : TSR_UNMAPPED); // TDMA-RISC
    const tsr_diagnostic *found = tile_found(tile, "unmapped-address");
    assert_non_null(strstr(found->sentence, "The host stores 4 bytes at 0xffef0000"));
    assert_int_equal(found->core, -1);
    assert_int_equal(found->thread, -1);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_host)

static int count_of(const tsr_tile *tile, const char *code)
{
    int count = 0;
    for (int i = 0; i < tsr_diagnostic_count(tile); i++)
        count += strcmp(tsr_diagnostic_at(tile, i)->code, code) == 0;
    return count;
}

// Without a program counter the address says which finding it is.
static void test_findings_by_address(int arch)
{
    tsr_tile *tile = tile_new(arch, false, TSR_PROFILE_SILICON);
    uint32_t value;
    for (int round = 0; round < 3; round++)
        for (uint32_t at = 0x200; at < 0x220; at += 4)
            tsr_load(tile, TSR_CORE_T1, at, &value, 4);
    assert_int_equal(count_of(tile, "uninitialised-l1"), 8);
    assert_int_equal(tsr_diagnostic_at(tile, 0)->repeats, 2);
    tsr_load(tile, TSR_CORE_T2, 0x200, &value, 4);
    tsr_host_load(tile, 0x200, &value, 4);
    assert_int_equal(count_of(tile, "uninitialised-l1"), 10);
    for (uint32_t at = 0x1000; at < 0x3000; at += 4) // more than are kept
        tsr_load(tile, TSR_CORE_B, at, &value, 4);
    assert_int_equal(tsr_diagnostic_count(tile), TSR_FINDINGS_KEPT);
    assert_int_equal(tsr_diagnostics_dropped(tile), 10 + 2048 - TSR_FINDINGS_KEPT);
    tsr_load(tile, TSR_CORE_T1, 0x200, &value, 4);
    assert_int_equal(tsr_diagnostic_at(tile, 0)->repeats, 3);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_findings_by_address)

// With one it is the program counter.
static void test_findings_by_pc(int arch)
{
    tsr_tile *tile = tile_new(arch, false, TSR_PROFILE_SILICON);
    struct tsr_env *env = tile_env(tile);
    uint32_t value;
    env->core_has_pc = true;
    for (uint32_t pc = 0x40; pc < 0x48; pc += 4)
        for (uint32_t at = 0x200; at < 0x220; at += 4) {
            env->core_at = pc;
            tsr_load(tile, TSR_CORE_B, at, &value, 4);
        }
    assert_int_equal(tsr_diagnostic_count(tile), 2);
    const tsr_diagnostic *found = tsr_diagnostic_at(tile, 1);
    assert_true(found->has_pc);
    assert_int_equal(found->pc, 0x44);
    assert_int_equal(found->repeats, 7);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_findings_by_pc)

static void test_power_on(int arch)
{
    tsr_tile *tile = with_cores(arch, false);
    assert_int_equal(host_word(tile, soft_reset), 0x47800);
    assert_int_equal(tsr_host_store(tile, soft_reset, 0, 4), TSR_OK);
    tsr_tile_reset(tile);
    assert_int_equal(host_word(tile, soft_reset), 0x47800);
    tsr_tile_destroy(tile);
    tile = tile_default(arch);
    assert_int_equal(host_word(tile, soft_reset), 0);
    assert_int_equal(tsr_core_hold(tile, TSR_CORE_B), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_core_start(tile, TSR_CORE_T0, 0), TSR_BAD_ARGUMENT);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_power_on)

static uint32_t begins_at(tsr_tile *tile, int core)
{
    tsr_core_state view;
    assert_int_equal(tsr_view_core(tile, (tsr_core)core, &view), TSR_OK);
    assert_false(view.in_reset);
    assert_int_equal(view.retired, 0);
    assert_int_equal(view.rest, TSR_CORE_RUNS);
    return view.pc;
}

static void test_reset_pcs(int arch)
{
    static const uint32_t fixed[5] = {0, 0x6000, 0xa000, 0xe000, 0x12000};
    tsr_tile *tile = with_cores(arch, false);
    assert_int_equal(tsr_host_store(tile, soft_reset, 0, 4), TSR_OK);
    for (int core = 0; core < 5; core++)
        assert_int_equal(begins_at(tile, core), fixed[core]);
    // By the chip's own means.
    assert_int_equal(tsr_host_store(tile, soft_reset, 0x47800, 4), TSR_OK);
    for (uint32_t i = 0; i < 3; i++)
        if (arch == WH)
            tsr_store(tile, TSR_CORE_B, 0xffef0000u + 4 * (158 + i), 0x8000 + 4 * i, 4);
        else
            tsr_host_store(tile, 0xffb12228u + 4 * i, 0x8000 + 4 * i, 4);
    if (arch == WH)
        tsr_store(tile, TSR_CORE_B, 0xffef0000u + 4 * 161, 5, 4); // T0 and T2
    else
        tsr_host_store(tile, 0xffb12234u, 5, 4);
    assert_int_equal(tsr_host_store(tile, soft_reset, 0, 4), TSR_OK);
    assert_int_equal(begins_at(tile, TSR_CORE_T0), 0x8000);
    assert_int_equal(begins_at(tile, TSR_CORE_T1), 0xa000);
    assert_int_equal(begins_at(tile, TSR_CORE_T2), 0x8008);
    // And by the function.
    for (int core = 1; core < 5; core++) {
        assert_int_equal(tsr_core_start(tile, (tsr_core)core, 0x4440 + 4 * (uint32_t)core), TSR_OK);
        assert_int_equal(begins_at(tile, core), 0x4440 + 4 * core);
    }
    assert_int_equal(tsr_core_start(tile, TSR_CORE_B, 4), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_core_start(tile, TSR_CORE_B, 0), TSR_OK);
    assert_int_equal(tsr_core_start(tile, (tsr_core)5, 0), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_core_hold(tile, TSR_CORE_T1), TSR_OK);
    assert_int_equal(host_word(tile, soft_reset), 1u << 13);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_reset_pcs)

// Core B's load waits for a T core that reads from its PC buffer; one in reset reads no more.
static void note_reset(void *user, const tsr_event *event)
{
    struct event_log *log = user;
    if (event->kind == TSR_EVENT_RESET)
        log->event[log->count++] = *event;
}

// Who plays the cores hears when one is held and where it starts, from whom ever.
static void test_reset_notice(int arch)
{
    enum { T0_AND_T1 = 3 << 12 };
    tsr_tile *tile = tile_default(arch);
    struct event_log log = {.count = 0};
    tsr_tile_observe(tile, note_reset, &log);
    assert_int_equal(tsr_host_store(tile, 0xffb121b0, T0_AND_T1, 4), TSR_OK);
    assert_int_equal(log.count, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(log.event[i].core, TSR_CORE_T0 + i);
        assert_int_equal(log.event[i].thread, -1);
        assert_int_equal(log.event[i].word, 1);
    }
    assert_int_equal(tsr_host_store(tile, 0xffb121b0, 1 << 13, 4), TSR_OK);
    assert_int_equal(log.count, 3);
    assert_int_equal(log.event[2].core, TSR_CORE_T0);
    assert_int_equal(log.event[2].word, 0);
    assert_int_equal(log.event[2].pc, 0x6000);
    tsr_tile_observe(tile, NULL, NULL);
    assert_int_equal(tsr_host_store(tile, 0xffb121b0, 0, 4), TSR_OK);
    assert_int_equal(log.count, 3);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_reset_notice)

static void test_pc_buffer_reader_reset(int arch)
{
    const uint32_t buffer = 0xffe80000u;
    tsr_tile *tile = tile_default(arch);
    uint32_t value;
    assert_int_equal(tsr_load(tile, TSR_CORE_T0, buffer, &value, 4), TSR_BUSY);
    assert_int_equal(tsr_load(tile, TSR_CORE_B, buffer, &value, 4), TSR_OK);
    tsr_host_store(tile, soft_reset, 1u << 12, 4);
    assert_int_equal(tsr_load(tile, TSR_CORE_B, buffer, &value, 4), TSR_BUSY);
    tsr_host_store(tile, soft_reset, 0, 4);
    assert_int_equal(tsr_load(tile, TSR_CORE_B, buffer, &value, 4), TSR_BUSY);
    assert_int_equal(tsr_load(tile, TSR_CORE_T0, buffer, &value, 4), TSR_BUSY);
    assert_int_equal(tsr_load(tile, TSR_CORE_B, buffer, &value, 4), TSR_OK);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_pc_buffer_reader_reset)

static void test_memories(int arch)
{
    tsr_tile *tile = with_cores(arch, false);
    uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8}, back[8];
    uint32_t end = arch == WH ? 0x800 : 0x1000, value;
    assert_int_equal(tsr_core_ram_write(tile, TSR_CORE_T1, end - 8, bytes, 8), TSR_OK);
    assert_int_equal(tsr_core_ram_read(tile, TSR_CORE_T1, end - 8, back, 8), TSR_OK);
    assert_memory_equal(bytes, back, 8);
    assert_int_equal(tsr_load(tile, TSR_CORE_T1, 0xffb00000u + end - 4, &value, 4), TSR_OK);
    assert_int_equal(value, 0x08070605);
    assert_int_equal(tsr_core_ram_write(tile, TSR_CORE_T1, end - 7, bytes, 8), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_core_ram_read(tile, TSR_CORE_T1, end + 1, back, 0), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_core_ram_write(tile, TSR_CORE_B, end, bytes, 8), TSR_OK);
    tsr_status status = arch == WH ? TSR_OK : TSR_BAD_ARGUMENT;
    assert_int_equal(tsr_iram_write(tile, 0x3ff8, bytes, 8), status);
    assert_int_equal(tsr_iram_read(tile, 0x3ff8, back, 8), status);
    assert_int_equal(tsr_iram_write(tile, 0x3ff9, bytes, 8), TSR_BAD_ARGUMENT);
    assert_int_equal(tile_state(tile)->l1.code.generation, arch == WH ? 1 : 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_memories)

static void test_time_passes(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = tile_new(arch, timing, TSR_PROFILE_STRICT);
        assert_int_equal(tsr_run_cycles(tile, 100), TSR_END_TIMEOUT);
        assert_int_equal(tsr_cycle(tile), 100);
        assert_int_equal(host_word(tile, wall_clock), 100);
        assert_int_equal(tsr_run_cycles(tile, 0), TSR_END_TIMEOUT);
        tsr_limits limits = tsr_limits_default();
        limits.external = true;
        limits.break_cycle = 150;
        assert_int_equal(tsr_run(tile, &limits), TSR_END_BREAK);
        limits.break_cycle = 0;
        limits.max_cycles = 10;
        tile_push(tile, 0, "SEMWAIT sem_sel=1 wait_sem_cond=1 stall_res=2");
        tile_push(tile, 0, "SEMPOST sem_sel=8");
        assert_true(tsr_has_work(tile));
        assert_int_equal(tsr_run(tile, &limits), TSR_END_TIMEOUT); // held, and yet
        assert_int_equal(tsr_cycle(tile), 160);
        limits.max_cycles = 0;
        assert_int_equal(tsr_run(tile, &limits), TSR_END_BLOCKED);
        tsr_tile_reset(tile);
        assert_false(tsr_has_work(tile));
        // Nobody outside: then nothing is left to wait for.
        limits.external = false;
        limits.max_cycles = 10;
        assert_int_equal(tsr_run(tile, &limits), TSR_END_IDLE);
        assert_int_equal(tsr_cycle(tile), 0);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_time_passes)

static void test_until(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = tile_new(arch, timing, TSR_PROFILE_SILICON);
        tsr_limits limits = tsr_limits_default();
        limits.until_address = 0x1000;
        limits.until_value = 0x12345678;
        limits.until_mask = 0xffff;
        tile_set_gpr(tile, 0, 4, 0x5678);
        tile_set_gpr(tile, 0, 8, 0x1000 / 16);
        assert_int_equal(tsr_run(tile, &limits), TSR_END_IDLE);
        tile_push(tile, 0, "STOREIND MemHierSel=1 SizeSel=1 DataRegIndex=4 AddrRegIndex=8");
        tile_push(tile, 0, "SEMWAIT sem_sel=1 wait_sem_cond=1 stall_res=2");
        tile_push(tile, 0, "SEMPOST sem_sel=8");
        assert_int_equal(tsr_run(tile, &limits), TSR_END_UNTIL);
        assert_int_equal(tile_l1(tile, 0x1000), 0x5678);
        limits.until_address = 0xfffffffeu; // no such word
        limits.external = true;
        assert_int_equal(tsr_run(tile, &limits), TSR_END_BLOCKED);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_until)

// Each access that can wait, and who ends it.
static void test_explain_busy(int arch)
{
    static const struct {
        int core;
        uint32_t address;
        bool store;
        const char *what, *release;
    } rows[] = {
        {TSR_CORE_B, 0xffe80000u, false, "PC buffer of core T0", "core T0's wait"},
        {TSR_CORE_B, 0xffea0000u, true, "PC buffer of core T2, which is full", "a load of core T2"},
        {TSR_CORE_T1, 0xffe80000u, false, "its PC buffer, which is empty", "core B"},
        {TSR_CORE_T1, 0xffe80004u, false, "TTSync of thread 1", "the end of that work"},
        {TSR_CORE_T2, 0xffe40000u, true, "FIFO of thread 2, which is full", "thread 2"},
        {TSR_CORE_B, 0xffe50000u, true, "FIFO of thread 1, which is full", "thread 1"},
        {TSR_CORE_T0, 0xffec2000u, false, "mailbox from core T1, which is empty", "core T1"},
        {TSR_CORE_T0, 0xffec0000u, true, "mailbox to core B, which is full", "a load of core B"},
        {TSR_CORE_T0, 0xffef0000u, true, "CONFIG", "a change there"},
    };
    tsr_tile *tile = tile_default(arch);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsr_wait wait;
        assert_int_equal(
            tsr_explain_busy(tile, (tsr_core)rows[i].core, rows[i].address, rows[i].store, &wait),
            TSR_OK);
        assert_non_null(strstr(wait.what, rows[i].what));
        assert_non_null(strstr(wait.what, rows[i].store ? "store" : "load"));
        assert_non_null(strstr(wait.release, rows[i].release));
    }
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_explain_busy)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_host),
        TILE_TEST(test_findings_by_address),
        TILE_TEST(test_findings_by_pc),
        TILE_TEST(test_power_on),
        TILE_TEST(test_reset_notice),
        TILE_TEST(test_reset_pcs),
        TILE_TEST(test_pc_buffer_reader_reset),
        TILE_TEST(test_memories),
        TILE_TEST(test_time_passes),
        TILE_TEST(test_until),
        TILE_TEST(test_explain_busy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
