// SPDX-License-Identifier: Apache-2.0
// The debug interface of the cores: a host pauses, looks, changes, steps and resumes them, with
// breakpoints and watchpoints, in both timing modes; and the debug daisychain shows where they are.
// Pages: BabyRISCV/DebugInterface.md, DebugDaisychain.md.
#include "rig/core_rig.h"
#include "rig/state_compare.h"

enum { CODE = 0x10000, DATA = 0x80000, T2 = TSR_CORE_T2 };
enum { STATUS, COMMAND, ARGUMENT0, ARGUMENT1, RESULT, MODES, ADDRESS0 = 10 };
enum { PAUSE = 1, STEP = 2, RESUME = 4, READ = 8, WRITE = 16, LOAD = 32, STORE = 64, CLEAR = 128 };
enum { WRITE_PC = 256, PAUSED = 1, AT_BREAKPOINT = 2, AT_WATCHPOINT = 4, AT_EBREAK = 8 };
#define AT_CONTROL 0xffb12080u
#define SLOW 0x80000000u

static void host_store(tsr_tile *tile, uint32_t address, uint32_t value)
{
    assert_int_equal(tsr_host_store(tile, address, value, 4), TSR_OK);
}

static uint32_t host_load(tsr_tile *tile, uint32_t address)
{
    uint32_t value = 0;
    assert_int_equal(tsr_host_load(tile, address, &value, 4), TSR_OK);
    return value;
}

static void put(tsr_tile *tile, int core, uint32_t number, uint32_t value)
{
    uint32_t select = number | 1u << 16 | (uint32_t)core << 17;
    host_store(tile, AT_CONTROL + 4, value);
    host_store(tile, AT_CONTROL, 0);
    host_store(tile, AT_CONTROL, select | 1u << 31);
    assert_int_equal(host_load(tile, AT_CONTROL + 8), number | 1u << (13 + core) | 1u << 31);
}

static uint32_t get(tsr_tile *tile, int core, uint32_t number)
{
    host_store(tile, AT_CONTROL, 0);
    host_store(tile, AT_CONTROL, number | (uint32_t)core << 17 | 1u << 31);
    assert_int_equal(host_load(tile, AT_CONTROL + 8), number | 3u << 30);
    return host_load(tile, AT_CONTROL + 12);
}

static uint32_t get_register(tsr_tile *tile, int core, uint32_t index)
{
    put(tile, core, ARGUMENT0, index);
    put(tile, core, COMMAND, READ | SLOW);
    return get(tile, core, RESULT);
}

static void run(tsr_tile *tile)
{
    tsr_run_cycles(tile, 500);
}

// A loop: A0 counts, DATA gets it, and is loaded again.
static tsr_tile *looping(int arch, bool timing, int core, bool waits)
{
    tsr_tile *tile = tile_with_cores(arch, timing, TSR_PROFILE_SILICON);
    uint32_t at = core == TSR_CORE_B ? 0 : CODE;
    struct code code = code_at(tile, at);
    code_li(&code, A1, DATA);    // at
    code_addi(&code, A0, A0, 1); // at + 8
    code_sw(&code, A0, A1, 0);   // at + 12
    code_lw(&code, A2, A1, 0);   // at + 16
    if (waits)
        code_load(&code, A3, AT_MAILBOXES); // from B, which sends nothing
    code_jump(&code, at + 8);               // at + 20
    core_start(tile, core, at);
    run(tile);
    return tile;
}

static void pause_and_resume(int arch, bool timing)
{
    for (int core = TSR_CORE_B; core <= T2; core++) {
        uint32_t at = core == TSR_CORE_B ? 0 : CODE;
        tsr_tile *tile = looping(arch, timing, core, false);
        assert_int_equal(get(tile, core, STATUS), 0);
        put(tile, core, COMMAND, SLOW);
        run(tile);
        put(tile, core, COMMAND, PAUSE | SLOW);
        assert_int_equal(get(tile, core, STATUS), PAUSED);
        uint64_t retired = core_view(tile, core).retired;
        uint32_t pc = get_register(tile, core, 32);
        assert_in_range(pc, at + 8, at + 20);
        run(tile);
        assert_int_equal(core_view(tile, core).retired, retired);
        assert_int_equal(get_register(tile, core, A1), DATA);
        for (int step = 1; step <= 6; step++) {
            if (arch == TSR_BLACKHOLE_A0) { // which takes two commands for a step
                put(tile, core, COMMAND, STEP | SLOW);
                run(tile);
                assert_int_equal(get(tile, core, STATUS), PAUSED);
                assert_int_equal(get_register(tile, core, 32), pc);
            }
            put(tile, core, COMMAND, STEP | SLOW);
            assert_int_equal(get(tile, core, STATUS), 0);
            run(tile);
            assert_int_equal(get(tile, core, STATUS), PAUSED);
            pc = pc == at + 20 ? at + 8 : pc + 4;
            assert_int_equal(get_register(tile, core, 32), pc);
            assert_int_equal(core_view(tile, core).retired, retired + (uint64_t)step);
        }
        put(tile, core, COMMAND, RESUME | SLOW);
        run(tile);
        assert_int_equal(get(tile, core, STATUS), 0);
        assert_true(core_view(tile, core).retired > retired + 50);
        assert_int_equal(tsr_diagnostic_count(tile), 0);
        tsr_tile_destroy(tile);
    }
}

static void change(int arch, bool timing)
{
    tsr_tile *tile = looping(arch, timing, T2, false);
    put(tile, T2, COMMAND, SLOW);
    put(tile, T2, COMMAND, PAUSE | SLOW);
    put(tile, T2, ARGUMENT0, A0);
    put(tile, T2, ARGUMENT1, 0x1234567);
    put(tile, T2, COMMAND, WRITE | SLOW);
    assert_int_equal(get_register(tile, T2, A0), 0x1234567);
    put(tile, T2, ARGUMENT0, AT_RAM + 16); // only the core can reach it there
    put(tile, T2, COMMAND, STORE | SLOW);
    put(tile, T2, ARGUMENT1, 0);
    put(tile, T2, COMMAND, LOAD | SLOW);
    assert_int_equal(get(tile, T2, RESULT), 0x1234567);
    static const uint32_t unwritten[] = {AT_RAM + 64, DATA + 64}; // the program does not load them
    for (int i = 0; i < 2; i++) {
        put(tile, T2, ARGUMENT0, unwritten[i]);
        put(tile, T2, COMMAND, LOAD | SLOW);
        assert_int_equal(get(tile, T2, RESULT), 0);
    }
    put(tile, T2, COMMAND, CLEAR | SLOW);
    assert_int_equal(get_register(tile, T2, A1), 0);
    put(tile, T2, COMMAND, WRITE_PC | STEP); // without slow execution, as a reset
    assert_int_equal(get_register(tile, T2, 32), CODE);
    if (arch == TSR_BLACKHOLE_A0) { // the last result on Wormhole
        put(tile, T2, ARGUMENT1, CODE + 12);
        put(tile, T2, COMMAND, WRITE_PC | SLOW);
        assert_int_equal(get_register(tile, T2, 32), CODE + 12);
        put(tile, T2, ARGUMENT1, CODE);
    }
    put(tile, T2, COMMAND, WRITE_PC | SLOW);
    assert_int_equal(get_register(tile, T2, 32), CODE);
    put(tile, T2, COMMAND, RESUME | SLOW);
    run(tile);
    assert_int_equal(core_view(tile, T2).x[A1], DATA);
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    tsr_tile_destroy(tile);
}

// Blackhole: a core whose debug registers have a breakpoint is interrupted as any other, behind its
// own store that raises a request.
static void test_handler(void **state)
{
    enum { HANDLER = 0x18000, B = TSR_CORE_B };
    (void)state;
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = tile_with_cores(TSR_BLACKHOLE_A0, timing, TSR_PROFILE_STRICT);
        struct code code = code_at(tile, HANDLER);
        code_put(&code, rv_i(RISCV_CSRRS, A1, ZERO, 0xbca));
        code_store(&code, 0xffb13018, 0);
        code_put(&code, 0x30200073);
        code = code_at(tile, 0);
        code_store(&code, 0xffb13018, 1);
        code_addi(&code, A0, A0, 1); // at 20
        code_end(&code);
        host_store(tile, 0xffb130a8, HANDLER);
        host_store(tile, 0xffb13000, 1);
        core_start(tile, B, 0);
        put(tile, B, ADDRESS0, HANDLER);
        put(tile, B, MODES, 8);
        run(tile);
        assert_int_equal(get(tile, B, STATUS), PAUSED | AT_BREAKPOINT | 1 << 8);
        assert_int_equal(get_register(tile, B, 32), HANDLER + 4);
        assert_int_equal(get_register(tile, B, A0), 0);
        put(tile, B, COMMAND, RESUME | SLOW);
        run(tile);
        assert_int_equal(core_view(tile, B).x[A0], 1);
        assert_int_equal(core_view(tile, B).x[A1], 20);
        assert_int_equal(core_view(tile, B).pc, 24);
        tsr_tile_destroy(tile);
    }
}

static void breakpoints(int arch, bool timing)
{
    static const struct {
        uint32_t mode, address, why, pc; // the pc behind what hit
    } rows[] = {{8, CODE + 8, AT_BREAKPOINT, CODE + 12},
                {8, CODE + 20, AT_BREAKPOINT, CODE + 8},
                {9, DATA, AT_WATCHPOINT, CODE + 20},
                {10, DATA, AT_WATCHPOINT, CODE + 16},
                {11, DATA + 3, AT_WATCHPOINT, 0},
                {12, DATA, 0, 0},
                {7, CODE + 8, 0, 0},
                {9, DATA + 4, 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t place = (uint32_t)i % 8;
        tsr_tile *tile = looping(arch, timing, T2, false);
        put(tile, T2, ADDRESS0 + place, rows[i].address);
        put(tile, T2, MODES, rows[i].mode << (4 * place));
        for (int round = 0; round < 3; round++) {
            run(tile);
            if (!rows[i].why) {
                assert_int_equal(get(tile, T2, STATUS), 0);
                break;
            }
            assert_int_equal(get(tile, T2, STATUS), PAUSED | rows[i].why | 1u << (8 + place));
            if (rows[i].pc)
                assert_int_equal(get_register(tile, T2, 32), rows[i].pc);
            put(tile, T2, COMMAND, RESUME | SLOW);
        }
        tsr_tile_destroy(tile);
    }
}

// ebreak pauses, too, and core NC cannot be asked.
static void ebreak(int arch, bool timing)
{
    tsr_tile *tile = tile_with_cores(arch, timing, TSR_PROFILE_SILICON);
    struct code code = code_at(tile, CODE);
    code_put(&code, tsr_riscv_row(RISCV_EBREAK)->match);
    code_addi(&code, A0, ZERO, 7);
    code_put(&code, tsr_riscv_row(RISCV_ECALL)->match);
    code_end(&code);
    core_start(tile, T2, CODE);
    for (uint32_t pause = 0; pause < 2; pause++) {
        run(tile);
        assert_int_equal(get(tile, T2, STATUS), PAUSED | AT_EBREAK);
        assert_int_equal(get_register(tile, T2, 32), CODE + 4 + 8 * pause);
        put(tile, T2, COMMAND, RESUME | SLOW);
    }
    run(tile);
    assert_int_equal(core_view(tile, T2).x[A0], 7);
    assert_int_equal(get(tile, T2, STATUS), 0);
    // Behind a reset it is the ebreak again, not the debugger's last pause.
    put(tile, T2, COMMAND, PAUSE | SLOW);
    assert_int_equal(get(tile, T2, STATUS), PAUSED);
    assert_int_equal(tsr_core_hold(tile, TSR_CORE_T2), TSR_OK);
    core_start(tile, T2, CODE);
    assert_int_equal(get(tile, T2, STATUS), 0);
    run(tile);
    assert_int_equal(get(tile, T2, STATUS), PAUSED | AT_EBREAK);
    tsr_tile_destroy(tile);
}

// A Blackhole card may pause once more behind an ebreak, unless the pc is written: a finding.
static void resumed_ebreak(int arch, bool timing)
{
    enum { PLAINLY, STEPS, WRITES_PC, AT_ONCE, WAYS };
    for (int way = 0; way < (arch == TSR_BLACKHOLE_A0 ? WAYS : WRITES_PC); way++) {
        bool warned = arch == TSR_BLACKHOLE_A0 && way == PLAINLY;
        tsr_tile *tile = tile_with_cores(arch, timing, TSR_PROFILE_SILICON);
        struct code code = code_at(tile, CODE);
        code_put(&code, tsr_riscv_row(RISCV_EBREAK)->match);
        for (int i = 0; i < 12; i++)
            code_addi(&code, A0, A0, 1);
        code_end(&code);
        core_start(tile, T2, CODE);
        run(tile);
        assert_int_equal(get(tile, T2, STATUS), PAUSED | AT_EBREAK);
        put(tile, T2, ARGUMENT1, CODE + 4);
        if (way == WRITES_PC)
            put(tile, T2, COMMAND, WRITE_PC | SLOW);
        for (int i = 0; way == STEPS && i < 2; i++) {
            put(tile, T2, COMMAND, STEP | SLOW);
            run(tile);
        }
        put(tile, T2, COMMAND, RESUME | SLOW | (way == AT_ONCE ? WRITE_PC : 0));
        run(tile);
        assert_int_equal(get(tile, T2, STATUS), 0);
        assert_int_equal(core_view(tile, T2).x[A0], 12);
        // A pause for another reason has no second one.
        put(tile, T2, COMMAND, PAUSE | SLOW);
        put(tile, T2, COMMAND, RESUME | SLOW);
        assert_int_equal(tsr_diagnostic_count(tile), warned);
        assert_int_equal(tile_found(tile, "core-debug-ebreak") != NULL, warned);
        tsr_tile_destroy(tile);
    }
}

// Wormhole: without slow execution mode since before the pause, only the first of eight
// instructions may be a load.
static void unsafe_resume(int arch, bool timing)
{
    for (int loads = 0; loads <= 9; loads++)
        for (int way = 0; way < 5; way++) {
            tsr_tile *tile = tile_with_cores(arch, timing, TSR_PROFILE_SILICON);
            struct code code = code_at(tile, CODE);
            code_put(&code, 0x00100073); // ebreak
            for (int i = 1; i <= 10; i++)
                if (i == loads) // 0: none
                    code_lw(&code, A0, ZERO, 0);
                else
                    code_addi(&code, A0, A0, 1);
            code_jump(&code, CODE + 4);
            if (way == 1) // before the pause
                put(tile, T2, COMMAND, 0);
            core_start(tile, T2, CODE);
            if (way == 1)
                put(tile, T2, COMMAND, SLOW);
            run(tile);
            assert_int_equal(get(tile, T2, STATUS), PAUSED | AT_EBREAK);
            uint32_t slow = way == 0 || way == 3 ? 0 : SLOW;
            if (way == 3) // a new program counter aborts what is on its way
                put(tile, T2, COMMAND, WRITE_PC);
            put(tile, T2, COMMAND, (way == 4 ? STEP : RESUME) | slow | (way == 3 ? WRITE_PC : 0));
            bool unsafe =
                arch == TSR_WORMHOLE_B0 && way != 1 && way != 3 && loads > 1 && loads <= 8;
            if ((tile_found(tile, "core-debug-resume") != NULL) != unsafe)
                fail_msg("a load as number %d, way %d", loads, way);
            tsr_tile_destroy(tile);
        }
}

// An access to memory stands by itself: not with another one, not with going on.
static void contradictions(int arch, bool timing)
{
    static const uint32_t commands[] = {LOAD,        STORE,         STORE | READ, LOAD | STORE,
                                        LOAD | STEP, LOAD | RESUME, STORE | STEP, STORE | RESUME};
    for (unsigned i = 0; i < sizeof commands / sizeof *commands; i++) {
        tsr_tile *tile = looping(arch, timing, T2, false);
        put(tile, T2, COMMAND, SLOW);
        run(tile);
        put(tile, T2, COMMAND, PAUSE | SLOW);
        put(tile, T2, ARGUMENT0, AT_RAM + 16);
        put(tile, T2, ARGUMENT1, 7);
        put(tile, T2, COMMAND, commands[i] | SLOW);
        bool wrong = i > 2;
        assert_true((tile_found(tile, "core-debug-command") != NULL) == wrong);
        put(tile, T2, COMMAND, PAUSE | SLOW);
        run(tile);
        put(tile, T2, COMMAND, LOAD | SLOW);
        assert_int_equal(get(tile, T2, RESULT), commands[i] & STORE && !wrong ? 7 : 0);
        tsr_tile_destroy(tile);
    }
}

// A loop that counts, polls or reads nothing. `inside`: it begins behind a branch, which is new to
// the predictor in the first whole pass.
enum loop { COUNTS, POLLS, READS_NOTHING, LOOPS };
static void put_loop(tsr_tile *tile, enum loop kind, bool inside)
{
    struct code code = code_at(tile, CODE);
    code_li(&code, A1, CODE); // of which nothing changes
    uint32_t begin = code.at + 4;
    if (inside) {
        code_jump(&code, begin + 8);
        code_branch(&code, RISCV_BEQ, A1, A1, begin + 8);
        code_addi(&code, A3, A3, 1);
    } else {
        code_addi(&code, A3, A3, 1);
    }
    if (kind == POLLS)
        code_lw(&code, A0, A1, 0);
    else
        code_addi(&code, A0, kind == COUNTS ? A0 : 0, 1);
    code_addi(&code, A2, 0, 2);
    code_jump(&code, begin);
}

// What such a loop has executed until it pauses.
static uint64_t retired_in_loop(int arch, bool timing, enum loop kind, bool inside)
{
    tsr_tile *tile = tile_with_cores(arch, timing, TSR_PROFILE_SILICON);
    put_loop(tile, kind, inside);
    core_start(tile, T2, CODE);
    (void)tsr_run_cycles(tile, 6400);
    put(tile, T2, COMMAND, PAUSE | SLOW);
    (void)tsr_run_cycles(tile, 640);
    assert_int_equal(get(tile, T2, STATUS), PAUSED);
    uint64_t retired = core_view(tile, T2).retired;
    put(tile, T2, COMMAND, RESUME | SLOW);
    (void)tsr_run_cycles(tile, 64);
    assert_true(core_view(tile, T2).retired <= retired + 64);
    tsr_tile_destroy(tile);
    return retired;
}

static void passes(int arch, bool timing)
{
    for (int inside = 0; inside < 2; inside++) {
        uint64_t counted = retired_in_loop(arch, timing, COUNTS, inside);
        assert_true(counted > 4000);
        for (enum loop kind = POLLS; kind < LOOPS; kind++)
            assert_in_range(retired_in_loop(arch, timing, kind, inside), counted - 3, counted + 3);
    }
}

// A load that waits has to come back first. What a core's state does not allow is a finding.
static void waiting(int arch, bool timing)
{
    tsr_tile *tile = looping(arch, timing, T2, true);
    put(tile, T2, COMMAND, PAUSE | SLOW);
    run(tile);
    assert_int_equal(get(tile, T2, STATUS), 0);
    assert_null(tile_found(tile, "core-debug-command"));
    put(tile, T2, COMMAND, READ | SLOW);
    assert_non_null(tile_found(tile, "core-debug-command"));
    assert_int_equal(tsr_store(tile, TSR_CORE_B, AT_MAILBOXES + 0x3000, 99, 4), TSR_OK);
    run(tile);
    assert_int_equal(get(tile, T2, STATUS), PAUSED);
    assert_int_equal(get_register(tile, T2, A3), 99);
    tsr_tile_destroy(tile);
}

// Soft reset clears the registers and lets none be written, unless Blackhole's DISABLE_RESET has
// the core's second bit.
static void soft_reset(int arch, bool timing)
{
    for (int kept = 0; kept <= (arch == TSR_BLACKHOLE_A0); kept++)
        for (int core = TSR_CORE_B; core <= T2; core++) {
            tsr_tile *tile = looping(arch, timing, core, false);
            if (kept)
                host_store(tile, 0xffb12224u, 1u << (core == TSR_CORE_B ? 7 : 2 * core - 1));
            put(tile, core, ARGUMENT0, 11);
            put(tile, core, ADDRESS0 + 3, DATA);
            put(tile, core, MODES, 12 << 12);
            put(tile, core, COMMAND, SLOW);
            assert_int_equal(tsr_core_hold(tile, (tsr_core)core), TSR_OK);
            put(tile, core, ARGUMENT1, 22);
            put(tile, core, COMMAND, 0);
            core_start(tile, core, core == TSR_CORE_B ? 0 : CODE);
            assert_int_equal(get(tile, core, ARGUMENT0), kept ? 11 : 0);
            assert_int_equal(get(tile, core, ADDRESS0 + 3), kept ? DATA : 0);
            assert_int_equal(get(tile, core, MODES), kept ? 12 << 12 : 0);
            assert_int_equal(get(tile, core, ARGUMENT1), kept ? 22 : 0);
            assert_int_equal(get(tile, core, COMMAND), 0);
            tsr_tile_destroy(tile);
        }
}

// A run that stops at pauses does so at once, and a cut there changes nothing.
static tsr_tile *pausing(int arch, bool timing)
{
    tsr_tile *tile = tile_with_cores(arch, timing, TSR_PROFILE_SILICON);
    for (int core = TSR_CORE_T0; core <= T2; core++) {
        uint32_t at = CODE + 0x1000 * (uint32_t)core;
        struct code code = code_at(tile, at);
        code_load(&code, A1, AT_MAILBOXES); // from B
        code_spend(&code, 5 * (uint32_t)core);
        code_store(&code, DATA + 4 * (uint32_t)core, 1);
        if (core != T2)
            code_put(&code, tsr_riscv_row(RISCV_EBREAK)->match);
        else
            code_wait_for(&code, DATA + 4, 1);
        code_end(&code);
        core_start(tile, core, at);
    }
    struct code code = code_at(tile, 0);
    for (uint32_t core = TSR_CORE_T0; core <= TSR_CORE_T2; core++)
        code_store(&code, AT_MAILBOXES + 0x1000 * core, 1);
    code_wait_for(&code, DATA + 12, 1);
    code_end(&code);
    core_start(tile, TSR_CORE_B, 0);
    return tile;
}

static void stops_at_pauses(int arch, bool timing)
{
    tsr_tile *whole = pausing(arch, timing), *cut = pausing(arch, timing);
    assert_int_equal(tsr_run(whole, NULL), TSR_END_IDLE);
    tsr_limits limits = tsr_limits_default();
    limits.break_at_pause = true;
    for (int core = TSR_CORE_T0; core <= TSR_CORE_T1; core++) {
        assert_int_equal(tsr_run(cut, &limits), TSR_END_BREAK);
        assert_int_equal(core_view(cut, core).rest, TSR_CORE_PAUSED);
        assert_int_not_equal(core_view(cut, T2).rest, TSR_CORE_ENDED);
        assert_true(tsr_cycle(cut) < tsr_cycle(whole));
    }
    assert_int_equal(tsr_run(cut, &limits), TSR_END_IDLE);
    const char *difference = tile_difference(whole, cut);
    if (difference)
        fail_msg("%s differs", difference);
    tsr_tile_destroy(whole);
    tsr_tile_destroy(cut);
}

enum { DAISY_LINE = 0xffb12048u, DAISY_MODE = DAISY_LINE + 8, DAISY = DAISY_LINE + 12 };
enum { DAISY_DATA = DAISY + 8, DAISY_CORES = 7 << 16, DAISY_ON = 1 << 29, TRIGGER = 1 << 12 };

static uint32_t daisy(tsr_tile *tile, uint32_t signal, uint32_t word)
{
    host_store(tile, DAISY, signal | DAISY_CORES | word << 25 | DAISY_ON);
    return host_load(tile, DAISY_DATA);
}

// By the debug daisychain (DebugDaisychain.md), as a word and as a line in L1.
static void program_counters(int arch, bool timing)
{
    static const uint8_t group_a[] = {10, 12, 14, 16, 24};
    for (int core = TSR_CORE_B; core <= T2; core++) {
        tsr_tile *tile = looping(arch, timing, core, false);
        for (int i = 0; i < 3; i++) {
            uint32_t pc = core_view(tile, core).pc, a = group_a[core], line[4];
            assert_int_equal(daisy(tile, a, 0), pc);
            assert_int_equal(daisy(tile, a, 1), 0);
            assert_int_equal(daisy(tile, a, 2), pc);
            assert_int_equal(daisy(tile, a + 1, 0), 0);
            assert_int_equal(daisy(tile, a + 1, 1), pc);
            host_store(tile, DAISY_MODE, 15);
            host_store(tile, DAISY_LINE, 0x90000 / 16);
            for (int k = 0; k < 3; k++) { // to the same line, the next one, and behind that
                host_store(tile, DAISY_MODE, k > 0);
                host_store(tile, DAISY_MODE, TRIGGER | (k > 0));
                host_store(tile, DAISY_MODE, TRIGGER | (k > 0)); // no second time
            }
            for (uint32_t at = 0x90000; at < 0x90020; at += 16) {
                assert_int_equal(tsr_l1_read(tile, at, line, sizeof line), TSR_OK);
                assert_int_equal(line[0], 0);
                assert_int_equal(line[1], pc);
                assert_int_equal(line[3], 0);
            }
            tsr_run_cycles(tile, 501);
        }
        host_store(tile, DAISY, DAISY_CORES | 12); // off
        assert_int_equal(host_load(tile, DAISY_DATA), 0);
        assert_int_equal(tsr_diagnostic_count(tile), 0);
        tsr_tile_destroy(tile);
    }
}

static void not_on_the_chain(int arch, bool timing)
{
    static const struct {
        uint32_t control, line, mode;
        const char *code;
    } rows[] = {{DAISY_CORES | 26, 0, 1, "daisychain-signal"},
                {DAISY_CORES | 999, 0, 1, "daisychain-signal"},
                {10, 0, 1, "daisychain-signal"}, // another part
                {DAISY_CORES | 10, 0x200000 / 16, 1, "l1-out-of-range"},
                {DAISY_CORES | 10, 0, 9, "unimplemented-mode"}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsr_tile *tile = looping(arch, timing, TSR_CORE_B, false);
        host_store(tile, DAISY, rows[i].control | DAISY_ON);
        host_store(tile, DAISY_LINE, rows[i].line);
        host_store(tile, DAISY_MODE, rows[i].mode);
        tsr_host_store(tile, DAISY_MODE, rows[i].mode | TRIGGER, 4);
        assert_string_equal(tsr_diagnostic_at(tile, 0)->code, rows[i].code);
        tsr_tile_destroy(tile);
    }
}

#define BOTH_MODES(name)                                                                           \
    static void test_##name(int arch)                                                              \
    {                                                                                              \
        name(arch, false);                                                                         \
        name(arch, true);                                                                          \
    }                                                                                              \
    TILE_BOTH(test_##name)
BOTH_MODES(pause_and_resume)
BOTH_MODES(change)
BOTH_MODES(breakpoints)
BOTH_MODES(ebreak)
BOTH_MODES(resumed_ebreak)
BOTH_MODES(passes)
BOTH_MODES(waiting)
BOTH_MODES(contradictions)
BOTH_MODES(soft_reset)
BOTH_MODES(unsafe_resume)
BOTH_MODES(stops_at_pauses)
BOTH_MODES(program_counters)
BOTH_MODES(not_on_the_chain)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_pause_and_resume), TILE_TEST(test_change),
        TILE_TEST(test_breakpoints),      TILE_TEST(test_ebreak),
        TILE_TEST(test_resumed_ebreak),   TILE_TEST(test_passes),
        TILE_TEST(test_waiting),          TILE_TEST(test_contradictions),
        TILE_TEST(test_soft_reset),       TILE_TEST(test_unsafe_resume),
        TILE_TEST(test_stops_at_pauses),  TILE_TEST(test_program_counters),
        TILE_TEST(test_not_on_the_chain), cmocka_unit_test(test_handler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
