// SPDX-License-Identifier: Apache-2.0
// The debug interface of Ethernet tiles' cores: a host pauses, looks, changes, steps and resumes
// them, with breakpoints and watchpoints, in both timing modes; a core does so with its neighbour;
// soft reset clears it.
// Pages: WormholeB0/TensixTile/BabyRISCV/DebugInterface.md,
// WormholeB0/EthernetTile/TileControlDebugStatus.md, SoftReset.md.
#include "rig/ethernet_rig.h"

enum { STATUS, COMMAND, ARGUMENT0, ARGUMENT1, RESULT, MODES, ADDRESS0 = 10 };
enum { PAUSE = 1, STEP = 2, RESUME = 4, READ = 8, WRITE = 16, LOAD = 32, STORE = 64 };
enum { PAUSED = 1, AT_BREAKPOINT = 2, AT_WATCHPOINT = 4, AT_EBREAK = 8 };
#define AT_CONTROL 0xffb12080u
#define SLOW 0x80000000u

static void put(tsr_chip *chip, struct place at, unsigned core, uint32_t number, uint32_t value)
{
    uint32_t select = number | 1u << 16 | core << 17;
    poke(chip, at, AT_CONTROL + 4, value);
    poke(chip, at, AT_CONTROL, 0);
    poke(chip, at, AT_CONTROL, select | 1u << 31);
    assert_int_equal(peek(chip, at, AT_CONTROL + 8), number | 1u << (13 + core) | 1u << 31);
}

// What says that a result is there is in another place on Wormhole than in a Tensix tile.
static uint32_t get(tsr_chip *chip, struct place at, unsigned core, uint32_t number)
{
    uint32_t valid = is_bh(chip) ? 1u << 30 : 1u << 27;
    poke(chip, at, AT_CONTROL, 0);
    poke(chip, at, AT_CONTROL, number | core << 17 | 1u << 31);
    assert_int_equal(peek(chip, at, AT_CONTROL + 8), number | valid | 1u << 31);
    return peek(chip, at, AT_CONTROL + 12);
}

static uint32_t get_register(tsr_chip *chip, struct place at, unsigned core, uint32_t index)
{
    put(chip, at, core, ARGUMENT0, index);
    put(chip, at, core, COMMAND, READ | SLOW);
    return get(chip, at, core, RESULT);
}

static void run(tsr_chip *chip)
{
    tsr_chip_clock(chip, 8 * WINDOW);
}

// A loop: A0 counts, DATA + 4 * core gets it, and is loaded again. Or one that polls DATA.
static void put_loop(tsr_chip *chip, struct place at, unsigned core, bool polls)
{
    uint32_t words[WORDS], first = CODE + 0x1000 * core;
    struct code code = code_in(words, first);
    code_li(&code, A1, DATA + 4 * core); // first
    if (!polls) {
        code_addi(&code, A0, A0, 1); // first + 8
        code_sw(&code, A0, A1, 0);   // first + 12
    }
    code_lw(&code, A2, A1, 0); // first + 16
    code_jump(&code, first + 8);
    put_program(chip, at, core, &code);
    release(chip, at, core);
    run(chip);
}

static void steps(int arch)
{
    for (int timing = 0; timing <= 1; timing++)
        for (unsigned core = 0; core < core_count(arch); core++) {
            tsr_chip *chip = chip_with(arch, timing);
            struct place at = tile_of[arch];
            uint32_t first = CODE + 0x1000 * core;
            put_loop(chip, at, core, false);
            assert_int_equal(get(chip, at, core, STATUS), 0);
            put(chip, at, core, COMMAND, SLOW);
            run(chip);
            put(chip, at, core, COMMAND, PAUSE | SLOW);
            assert_int_equal(get(chip, at, core, STATUS), PAUSED);
            uint64_t retired = view(chip, at, core).retired;
            uint32_t pc = get_register(chip, at, core, 32);
            assert_in_range(pc, first + 8, first + 20);
            run(chip);
            assert_int_equal(view(chip, at, core).retired, retired);
            assert_int_equal(chip->active_count, 0);
            assert_int_equal(get_register(chip, at, core, A1), DATA + 4 * core);
            for (unsigned step = 1; step <= 6; step++) {
                for (int commands = arch == WH ? 1 : 2; commands > 0; commands--)
                    put(chip, at, core, COMMAND, STEP | SLOW);
                run(chip);
                assert_int_equal(get(chip, at, core, STATUS), PAUSED);
                pc = pc == first + 20 ? first + 8 : pc + 4;
                assert_int_equal(get_register(chip, at, core, 32), pc);
                assert_int_equal(view(chip, at, core).retired, retired + step);
            }
            put(chip, at, core, COMMAND, RESUME | SLOW);
            run(chip);
            assert_int_equal(get(chip, at, core, STATUS), 0);
            assert_true(view(chip, at, core).retired > retired + 20);
            no_findings(chip);
            tsr_chip_destroy(chip);
        }
}

// Of a core that sleeps in a loop that polls: registers, data RAM and L1 change, and it goes on.
static void changes(int arch)
{
    for (int timing = 0; timing <= 1; timing++) {
        tsr_chip *chip = chip_with(arch, timing);
        struct place at = tile_of[arch];
        put_loop(chip, at, 0, true);
        run(chip);
        assert_int_equal(chip->active_count, 0);
        put(chip, at, 0, COMMAND, SLOW);
        run(chip);
        put(chip, at, 0, COMMAND, PAUSE | SLOW);
        put(chip, at, 0, ARGUMENT0, A1);
        put(chip, at, 0, ARGUMENT1, AT_RAM + 0x20);
        put(chip, at, 0, COMMAND, WRITE | SLOW);
        put(chip, at, 0, ARGUMENT0, AT_RAM + 0x20);
        put(chip, at, 0, ARGUMENT1, 0x600d);
        put(chip, at, 0, COMMAND, STORE | SLOW);
        put(chip, at, 0, COMMAND, LOAD | SLOW);
        assert_int_equal(get(chip, at, 0, RESULT), 0x600d);
        put(chip, at, 0, ARGUMENT0, DATA);
        put(chip, at, 0, COMMAND, STORE | SLOW);
        assert_int_equal(peek(chip, at, DATA), 0x600d);
        put(chip, at, 0, COMMAND, RESUME | SLOW);
        tsr_chip_clock(chip, 40 * WINDOW); // Blackhole's data RAM is being cleared until then
        assert_int_equal(view(chip, at, 0).x[A2], 0x600d);
        no_findings(chip);
        tsr_chip_destroy(chip);
    }
}

static void stops(int arch)
{
    enum { EXECUTE = 8, READS = 9, WRITES = 10 };
    const struct {
        uint32_t mode, address, status;
    } cases[] = {{EXECUTE, CODE + 12, AT_BREAKPOINT},
                 {READS, DATA, AT_WATCHPOINT},
                 {WRITES, DATA, AT_WATCHPOINT}};
    for (int timing = 0; timing <= 1; timing++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            tsr_chip *chip = chip_with(arch, timing);
            struct place at = tile_of[arch];
            put_loop(chip, at, 0, false);
            put(chip, at, 0, ADDRESS0 + 3, cases[i].address);
            put(chip, at, 0, MODES, cases[i].mode << 12);
            run(chip);
            assert_int_equal(get(chip, at, 0, STATUS), PAUSED | cases[i].status | 1 << (8 + 3));
            uint32_t behind = cases[i].mode == READS ? CODE + 20 : CODE + 16;
            assert_int_equal(get_register(chip, at, 0, 32), behind);
            // Soft reset clears what was set.
            poke(chip, at, AT_SOFT_RESET, arch == WH ? 0x800 : 0x1800);
            assert_int_equal(get(chip, at, 0, STATUS), 0);
            put(chip, at, 0, MODES, EXECUTE); // and discards what is written
            release(chip, at, 0);
            run(chip);
            assert_int_equal(get(chip, at, 0, MODES), 0);
            assert_int_equal(get(chip, at, 0, ADDRESS0 + 3), 0);
            assert_int_equal(view(chip, at, 0).rest, TSR_CORE_RUNS);
            no_findings(chip);
            tsr_chip_destroy(chip);
        }
}

static void ebreak(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place at = tile_of[arch];
    uint32_t words[WORDS];
    struct code code = code_in(words, CODE);
    code_put(&code, EBREAK);
    code_store(&code, DATA, 5);
    start_program(chip, at, 0, &code);
    run(chip);
    assert_int_equal(get(chip, at, 0, STATUS), PAUSED | AT_EBREAK);
    if (arch == WH) {
        put(chip, at, 0, COMMAND, RESUME);
        run(chip);
        assert_int_equal(peek(chip, at, DATA), 5);
    }
    // A command that a core that runs does not take, or two accesses to memory in one; there are no
    // more cores than the tile has.
    put(chip, at, 0, COMMAND, arch == WH ? READ : PAUSE | STORE | LOAD);
    assert_string_equal(last_finding(chip)->code, "core-debug-command");
    assert_int_equal(tsr_chip_finding_count(chip), 1);
    assert_int_equal(get(chip, at, core_count(arch), STATUS), 0);
    if (arch == BH) { // where that may pause once more on a card
        put(chip, at, 0, COMMAND, RESUME);
        run(chip);
        assert_int_equal(peek(chip, at, DATA), 5);
        assert_int_equal(tsr_chip_finding_count(chip), 2);
        assert_string_equal(last_finding(chip)->code, "core-debug-ebreak");
    }
    tsr_chip_destroy(chip);
}

// E1 pauses E0, reads its counter, and lets it go.
static void test_neighbour(void **state)
{
    (void)state;
    for (int timing = 0; timing <= 1; timing++) {
        tsr_chip *chip = chip_with(BH, timing);
        struct place at = tile_of[BH];
        put_loop(chip, at, 0, false);
        uint32_t words[WORDS];
        struct code code = code_in(words, CODE + 0x1000);
        static const uint32_t to[][2] = {
            {COMMAND, PAUSE}, {ARGUMENT0, A1}, {COMMAND, READ}, {COMMAND, RESUME}};
        for (size_t i = 0; i < sizeof to / sizeof *to; i++) {
            code_store(&code, AT_CONTROL + 4, to[i][1]);
            code_store(&code, AT_CONTROL, 0);
            code_store(&code, AT_CONTROL, to[i][0] | 1u << 16 | 1u << 31);
        }
        code_store(&code, AT_CONTROL, 0);
        code_store(&code, AT_CONTROL, RESULT | 1u << 31);
        code_load(&code, A0, AT_CONTROL + 12);
        code_li(&code, A1, DATA + 8);
        code_sw(&code, A0, A1, 0);
        start_program(chip, at, 1, &code);
        tsr_chip_clock(chip, 40 * WINDOW);
        assert_int_equal(peek(chip, at, DATA + 8), DATA);
        uint32_t count = peek(chip, at, DATA);
        run(chip);
        assert_true(peek(chip, at, DATA) > count);
        no_findings(chip);
        tsr_chip_destroy(chip);
    }
}

// Where it goes on, and by the page also what comes with WRITE_PC out of slow execution mode.
static void new_pc(int arch)
{
    enum { WRITE_PC = 256 };
    for (int slow = 0; slow <= 1; slow++) {
        tsr_chip *chip = chip_with(arch, false);
        struct place at = tile_of[arch];
        uint32_t words[WORDS], mode = slow ? SLOW : 0;
        struct code code = code_in(words, CODE + 0x800);
        code_store(&code, DATA + 0x100, 7);
        code_end(&code);
        tsr_chip_write(chip, at.x, at.y, code.first, words, code.at - code.first);
        put_loop(chip, at, 0, false);
        put(chip, at, 0, COMMAND, mode);
        run(chip);
        put(chip, at, 0, COMMAND, PAUSE | mode);
        put(chip, at, 0, ARGUMENT1, CODE + 0x800);
        put(chip, at, 0, COMMAND, WRITE_PC | mode);
        uint32_t begin = arch == WH ? 0 : CODE;
        assert_int_equal(view(chip, at, 0).pc, slow ? CODE + 0x800 : begin);
        put(chip, at, 0, COMMAND, RESUME | mode);
        run(chip);
        assert_int_equal(peek(chip, at, DATA + 0x100), slow ? 7 : 0);
        tsr_chip_destroy(chip);
    }
}

// The debug daisychain shows where a core is, without a pause.
static void daisychain(int arch)
{
    static const uint8_t first[] = {18, 18}, per_core = 2;
    tsr_chip *chip = chip_with(arch, false);
    struct place at = tile_of[arch];
    for (unsigned core = 0; core < core_count(arch); core++) {
        put_loop(chip, at, core, false);
        uint32_t signal = first[arch] + per_core * core, enabled = 1u << 29 | 7u << 16;
        poke(chip, at, 0xffb12054, enabled | signal);
        assert_int_equal(peek(chip, at, 0xffb1205c), view(chip, at, core).pc);
        poke(chip, at, 0xffb12054, enabled | 1u << 25 | (signal + 1)); // DBG_RD_DATA's word 1
        assert_int_equal(peek(chip, at, 0xffb1205c), view(chip, at, core).pc);
        poke(chip, at, 0xffb12054, signal);
        assert_int_equal(peek(chip, at, 0xffb1205c), 0);
    }
    // Lines of it in L1: one, the next one, and a series.
    enum { TRIGGER = 1 << 12, NEXT = 1, SERIES = 4, PREPARE = 15 };
    poke(chip, at, 0xffb12054, 1u << 29 | 7u << 16 | 18);
    poke(chip, at, 0xffb12048, 0x2000);
    poke(chip, at, 0xffb1204c, 0x2003);
    uint32_t pc = view(chip, at, 0).pc;
    poke(chip, at, 0xffb12050, PREPARE);
    for (int i = 0; i < 2; i++) {
        poke(chip, at, 0xffb12050, NEXT);
        poke(chip, at, 0xffb12050, NEXT | TRIGGER);
    }
    assert_int_equal(peek(chip, at, 0x20000), pc);
    assert_int_equal(peek(chip, at, 0x20010), pc);
    assert_int_equal(peek(chip, at, 0x20020), 0);
    poke(chip, at, 0xffb12050, PREPARE);
    poke(chip, at, 0xffb12050, SERIES);
    poke(chip, at, 0xffb12050, SERIES | TRIGGER);
    assert_int_equal(peek(chip, at, 0x20020), pc);
    assert_int_equal(peek(chip, at, 0x20030), 0);
    no_findings(chip);
    poke(chip, at, 0xffb12048, is_bh(chip) ? 0x7fff : 0x3fff);
    poke(chip, at, 0xffb12050, 0);
    poke(chip, at, 0xffb12050, TRIGGER);
    no_findings(chip);
    poke(chip, at, 0xffb12048, is_bh(chip) ? 0x8000 : 0x4000);
    poke(chip, at, 0xffb12050, 0);
    poke(chip, at, 0xffb12050, TRIGGER);
    assert_string_equal(last_finding(chip)->code, "l1-out-of-range");
    poke(chip, at, 0xffb12054, 1u << 29 | 7u << 16 | 10);
    assert_int_equal(peek(chip, at, 0xffb1205c), 0);
    assert_string_equal(last_finding(chip)->code, "daisychain-signal");
    tsr_chip_destroy(chip);
}

TILE_BOTH(steps)
TILE_BOTH(changes)
TILE_BOTH(stops)
TILE_BOTH(ebreak)
TILE_BOTH(new_pc)
TILE_BOTH(daisychain)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(steps),
        TILE_TEST(changes),
        TILE_TEST(stops),
        TILE_TEST(ebreak),
        TILE_TEST(new_pc),
        TILE_TEST(daisychain),
        cmocka_unit_test(test_neighbour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
