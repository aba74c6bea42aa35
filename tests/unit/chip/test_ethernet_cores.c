// SPDX-License-Identifier: Apache-2.0
// The cores of Ethernet tiles: they leave soft reset by a write of a host or of another tile, see
// the memory map of the page, send requests, rest while they poll, and report what is wrong; how a
// run is cut, and how many host threads step the tiles, changes nothing.
// Pages: EthernetTile/BabyRISCV/README.md of each chip, WormholeB0/EthernetTile/CycleCounters.md
// and BabyRISCV/InstructionCache.md.
#include "rig/ethernet_rig.h"

// Each core computes with its own data RAM, and leaves the result in L1.
static void runs(int arch)
{
    for (int timing = 0; timing <= 1; timing++) {
        tsr_chip *chip = chip_with(arch, timing);
        struct place at = tile_of[arch];
        for (unsigned core = 0; core < core_count(arch); core++) {
            uint32_t words[WORDS];
            struct code code = code_in(words, CODE + 0x1000 * core);
            code_load(&code, A0, AT_RAM + 0x800); // zero
            code_addi(&code, A0, A0, 20 + (int)core);
            code_li(&code, A1, AT_RAM + 0x7fc);
            code_sw(&code, A0, A1, 0);
            code_lw(&code, A2, A1, 0);
            code_put(&code, rv_r(RISCV_MUL, A0, A0, A2));
            code_li(&code, A1, DATA + 4 * core);
            code_sw(&code, A0, A1, 0);
            code_end(&code);
            put_program(chip, at, core, &code);
        }
        assert_int_equal(tsr_chip_clock(chip, 10 * WINDOW), TSR_OK);
        assert_int_equal(peek(chip, at, DATA), 0); // still in reset
        tsr_core_state none;
        assert_int_equal(tsr_chip_view_core(chip, at.x, at.y, TSR_CORE_B, &none), TSR_NOT_FOUND);
        for (unsigned core = 0; core < core_count(arch); core++) {
            release(chip, at, core);
            assert_int_equal(tsr_chip_clock(chip, 100 * WINDOW), TSR_OK);
            assert_int_equal(peek(chip, at, DATA + 4 * core), (20 + core) * (20 + core));
            assert_int_equal(peek(chip, at, DATA + 4), core == 0 ? 0 : 21 * 21);
            assert_int_equal(view(chip, at, core).rest, TSR_CORE_ENDED);
            assert_false(view(chip, at, core).in_reset);
        }
        assert_int_equal(chip->active_count, 0);
        no_findings(chip);
        // The NoC sees neither data RAM nor instruction RAM.
        uint32_t word;
        assert_int_equal(tsr_chip_read(chip, at.x, at.y, AT_RAM, &word, 4), TSR_UNMAPPED);
        assert_int_equal(tsr_chip_read(chip, at.x, at.y, AT_IRAM, &word, 4), TSR_UNMAPPED);
        // As at power-on.
        tsr_chip_reset(chip);
        assert_int_equal(peek(chip, at, AT_SOFT_RESET), arch == WH ? 0x800 : 0x1800);
        assert_int_equal(peek(chip, at, DATA), 0);
        tsr_chip_destroy(chip);
    }
}

// A core put back into reset stops, and begins anew.
static void begins_anew(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place at = tile_of[arch];
    uint32_t words[WORDS];
    struct code code = code_in(words, CODE);
    code_li(&code, A0, DATA);
    code_lw(&code, A1, A0, 0);
    code_addi(&code, A1, A1, 1);
    code_sw(&code, A1, A0, 0);
    uint32_t loop = code.at;
    code_lw(&code, A1, A0, 4);
    code_addi(&code, A1, A1, 1);
    code_sw(&code, A1, A0, 4);
    code_jump(&code, loop);
    put_program(chip, at, 0, &code);
    uint32_t before = 0;
    for (uint32_t life = 1; life <= 3; life++) {
        release(chip, at, 0);
        assert_int_equal(tsr_chip_clock(chip, 10 * WINDOW), TSR_OK);
        assert_int_equal(peek(chip, at, DATA), life);
        assert_true(peek(chip, at, DATA + 4) > before);
        poke(chip, at, AT_SOFT_RESET, arch == WH ? 0x800 : 0x1800);
        before = peek(chip, at, DATA + 4);
        assert_int_equal(tsr_chip_clock(chip, 10 * WINDOW), TSR_OK);
        assert_int_equal(peek(chip, at, DATA + 4), before);
        assert_int_equal(chip->active_count, 0);
    }
    no_findings(chip);
    tsr_chip_destroy(chip);
}

// Over a reset Blackhole's data RAM is cleared, Wormhole's stays.
static void data_ram(int arch)
{
    for (int timing = 0; timing <= 1; timing++) {
        tsr_chip *chip = chip_with(arch, timing);
        struct place at = tile_of[arch];
        uint32_t words[WORDS];
        struct code code = code_in(words, CODE);
        code_load(&code, A0, AT_RAM + 0xffc);
        code_li(&code, A1, DATA);
        code_sw(&code, A0, A1, 0);
        code_store(&code, AT_RAM + 0xffc, 3);
        code_end(&code);
        put_program(chip, at, 0, &code);
        for (int life = 0; life < 2; life++) {
            poke(chip, at, DATA, 7);
            poke(chip, at, AT_SOFT_RESET, arch == WH ? 0x800 : 0x1800);
            release(chip, at, 0);
            assert_int_equal(tsr_chip_clock(chip, 100 * WINDOW), TSR_OK);
            assert_int_equal(peek(chip, at, DATA), life == 1 && arch == WH ? 3 : 0);
        }
        no_findings(chip);
        tsr_chip_destroy(chip);
    }
}

// The page's two ways to read the wall clock; the counter that counts down; what is written to L1
// as code behind the core's back.
static void counters(int arch)
{
    for (int timing = 0; timing <= 1; timing++) {
        tsr_chip *chip = chip_with(arch, timing);
        struct place at = tile_of[arch];
        uint32_t words[WORDS];
        struct code code = code_in(words, CODE);
        code_load(&code, A0, AT_WALL_CLOCK);
        code_load(&code, A1, AT_WALL_CLOCK);
        code_put(&code, rv_r(RISCV_SUB, A0, A1, A0));
        code_li(&code, A4, DATA);
        code_sw(&code, A0, A4, 0);
        code_sw(&code, A1, A4, 4);
        code_load(&code, A1, AT_WALL_CLOCK + 8);
        code_load(&code, A2, AT_WALL_CLOCK + 4);
        code_li(&code, A4, DATA);
        code_sw(&code, A1, A4, 8);
        code_sw(&code, A2, A4, 12);
        code_store(&code, AT_WDT, 30);
        code_store(&code, AT_WDT + 4, 1);
        code_load(&code, A0, AT_WDT + 8); // not yet
        code_wait_for(&code, AT_WDT + 8, 1);
        code_load(&code, A1, AT_WDT);
        code_li(&code, A4, DATA);
        code_sw(&code, A0, A4, 16);
        code_sw(&code, A1, A4, 20);
        code_end(&code);
        put_program(chip, at, 0, &code);
        tsr_chip_clock(chip, 1000 * WINDOW);
        release(chip, at, 0);
        tsr_chip_clock(chip, 100 * WINDOW);
        uint32_t passed = peek(chip, at, DATA);
        assert_true(timing ? passed >= 3 && passed <= 24 : passed == 3);
        uint32_t clock = peek(chip, at, DATA + 4);
        assert_true(clock > 1000 * WINDOW && clock < 1001 * WINDOW + 64);
        assert_int_equal(peek(chip, at, DATA + 8), 0);
        assert_int_equal(peek(chip, at, DATA + 12), 0);
        assert_int_equal(peek(chip, at, DATA + 16), 0);
        assert_int_equal(peek(chip, at, DATA + 20), 0);
        assert_int_equal(peek(chip, at, AT_WALL_CLOCK), 1100 * WINDOW);
        no_findings(chip);
        tsr_chip_destroy(chip);
    }
}

// Blackhole's cores share L1, where they count together; nowhere else are there atomics.
static void test_atomics(void **state)
{
    enum { AMOADD = 0x202f, TIMES = 100 };
    (void)state;
    for (int timing = 0; timing <= 1; timing++) {
        tsr_chip *chip = chip_with(BH, timing);
        struct place at = tile_of[BH];
        for (unsigned core = 0; core < 2; core++) {
            uint32_t words[WORDS];
            struct code code = code_in(words, CODE + 0x1000 * core);
            code_li(&code, A0, DATA);
            code_li(&code, A1, TIMES);
            uint32_t loop = code.at;
            code_li(&code, A2, 1 + core);
            code_put(&code, AMOADD | A3 << 7 | A0 << 15 | A2 << 20);
            code_addi(&code, A1, A1, -1);
            code_branch(&code, RISCV_BNE, A1, ZERO, loop);
            if (core == 1) {
                code_li(&code, A0, AT_SOFT_RESET - 4);
                code_put(&code, AMOADD | A3 << 7 | A0 << 15 | A2 << 20);
            }
            code_end(&code);
            put_program(chip, at, core, &code);
        }
        release(chip, at, 0);
        release(chip, at, 1);
        tsr_chip_clock(chip, 400 * WINDOW);
        assert_int_equal(peek(chip, at, DATA), TIMES * (1 + 2));
        assert_int_equal(tsr_chip_finding_count(chip), 1);
        assert_string_equal(last_finding(chip)->code, "core-atomic-outside-l1");
        assert_int_equal(last_finding(chip)->core, TSR_CORE_E1);
        tsr_chip_destroy(chip);
    }
}

// What is wrong has the core and its program counter.
static void findings_of(int arch)
{
    static const struct {
        uint32_t address, word; // loads from there, or executes the word
        const char *code;
        tsr_core_rest rest;
    } cases[] = {{0x100000, 0, "unmapped-address", TSR_CORE_HUNG},
                 {0xffe80020, 0, "unmapped-address", TSR_CORE_HUNG},
                 {0xffba0008, 0, "unimplemented-mode", TSR_CORE_RUNS},
                 {0xffb11000, 0, "unmapped-address", TSR_CORE_HUNG},
                 {0xffb2f000, 0, "unimplemented-mode", TSR_CORE_RUNS},
                 {DATA + 1, 0, "unaligned-access", TSR_CORE_ENDED},
                 {0, 0x45000000, "core-unknown-instruction", TSR_CORE_ENDED}, // a NOP as .ttinsn
                 {0, 0x0000002f | 7 << 12, "core-unknown-instruction", TSR_CORE_ENDED},
                 {0, EBREAK, NULL, TSR_CORE_PAUSED}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tsr_chip *chip = chip_with(arch, false);
        struct place at = tile_of[arch];
        uint32_t words[WORDS], value = 0x12345678;
        tsr_chip_write(chip, at.x, at.y, DATA, &value, 4);
        struct code code = code_in(words, CODE);
        code_li(&code, A0, cases[i].address);
        uint32_t pc = code.at;
        if (cases[i].word)
            code_put(&code, cases[i].word);
        else
            code_lw(&code, A1, A0, 0);
        start_program(chip, at, 0, &code);
        tsr_chip_clock(chip, 10 * WINDOW);
        assert_int_equal(view(chip, at, 0).rest, cases[i].rest);
        assert_int_equal(tsr_chip_finding_count(chip), cases[i].code != NULL);
        if (cases[i].code) {
            const tsr_diagnostic *found = last_finding(chip);
            assert_string_equal(found->code, cases[i].code);
            assert_int_equal(found->core, core_of(arch, 0));
            assert_true(found->has_pc);
            assert_int_equal(found->pc, pc);
        }
        if (cases[i].address == DATA + 1)
            assert_int_equal(view(chip, at, 0).x[A1], value);
        tsr_chip_destroy(chip);
    }
    assert_string_equal(tsr_core_name(core_of(arch, 0)), arch == WH ? "E" : "E0");
    assert_string_equal(tsr_core_program_name(core_of(arch, 0)), "erisc");
}

// A jump to where nothing is, and a policy that stops the tile alone.
static void stops(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place at = tile_of[arch], other = other_of[arch];
    uint32_t words[WORDS];
    assert_int_equal(tsr_chip_set_policy(chip, "core-fetch", TSR_ACTION_STOP), TSR_OK);
    for (int i = 0; i < 2; i++) {
        struct code code = code_in(words, CODE);
        code_li(&code, A0, i == 0 ? (uint32_t)chip->node[0].info.memory + 0x80000u : CODE);
        code_put(&code, rv_i(RISCV_JALR, ZERO, A0, 0));
        put_program(chip, i == 0 ? at : other, 0, &code);
        release(chip, i == 0 ? at : other, 0);
    }
    tsr_chip_limits limits = {.max_cycles = 100 * WINDOW};
    assert_int_equal(tsr_chip_run(chip, &limits), TSR_END_STOPPED);
    assert_string_equal(last_finding(chip)->code, "core-fetch");
    assert_int_equal(last_finding(chip)->action, TSR_ACTION_STOP);
    uint64_t retired = view(chip, other, 0).retired;
    tsr_chip_clock(chip, 10 * WINDOW);
    assert_int_equal(view(chip, at, 0).retired, arch == WH ? 4 : 3); // a jump at 0
    assert_true(view(chip, other, 0).retired > retired ||
                view(chip, other, 0).rest == TSR_CORE_ENDED);
    tsr_chip_destroy(chip);
}

// ---------------------------------------------------------------- the NoC

static uint32_t counter_at(int noc, unsigned index)
{
    return NIU_BASE(noc) + 0x200 + 4 * index;
}

// A core sends to a Tensix tile and waits for the acknowledgement; its tile costs nothing while it
// polls for what a host, and then another tile, writes.
static void sends(int arch)
{
    for (int timing = 0; timing <= 1; timing++) {
        tsr_chip *chip = chip_with(arch, timing);
        struct place at = tile_of[arch], to = tensix(chip, 3, 3);
        uint32_t words[WORDS];
        fill(chip, at, DATA, 1024, 5);
        struct request request = write_request(chip, 1, at, DATA, to, 0x40000, 1024);
        request.targ_at = named(arch, at);
        put_request(chip, at, &request);
        struct code code = code_in(words, CODE);
        code_wait_for(&code, DATA + 0x1000, 1);
        code_store(&code, niu_register(chip, 1, 0, NOC_CMD_CTRL), 1);
        code_wait_for(&code, counter_at(1, NIU_MST_WR_ACK_RECEIVED), 1);
        code_store(&code, DATA + 0x1004, 1);
        code_wait_for(&code, DATA + 0x1010, 9);
        code_store(&code, DATA + 0x100c, 1);
        start_program(chip, at, 0, &code);
        tsr_chip_clock(chip, 50 * WINDOW);
        assert_int_equal(chip->active_count, 0);
        assert_int_equal(view(chip, at, 0).rest, TSR_CORE_POLLS);
        poke(chip, at, DATA + 0x1000, 1);
        tsr_chip_clock(chip, 50 * WINDOW);
        assert_true(filled(chip, to, 0x40000, 1024, 5));
        assert_int_equal(peek(chip, at, DATA + 0x1004), 1);
        assert_int_equal(peek(chip, at, DATA + 0x100c), 0);
        poke(chip, to, 0x40000, 9);
        struct request answer = write_request(chip, 0, to, 0x40000, at, DATA + 0x1010, 4);
        issue(chip, to, &answer);
        settle(chip);
        tsr_chip_clock(chip, 50 * WINDOW);
        assert_int_equal(peek(chip, at, DATA + 0x100c), 1);
        assert_int_equal(chip->active_count, 0);
        no_findings(chip);
        tsr_chip_destroy(chip);
    }
}

// Another tile lets the core go, by an inline write to soft reset over the NoC.
static void released_by_noc(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place at = tile_of[arch], from = tensix(chip, 3, 3);
    uint32_t words[WORDS];
    struct code code = code_in(words, CODE);
    code_store(&code, DATA, 0x77);
    code_end(&code);
    put_program(chip, at, 0, &code);
    struct request request =
        inline_request(chip, 0, at, AT_SOFT_RESET, arch == WH ? 0 : 0x1000, 0xf);
    issue(chip, from, &request);
    settle(chip);
    tsr_chip_clock(chip, 20 * WINDOW);
    assert_int_equal(peek(chip, at, DATA), 0x77);
    no_findings(chip);
    tsr_chip_destroy(chip);
}

// A request of nothing is the core's finding, and so is a counter that never comes.
static void bad_requests(int arch)
{
    tsr_chip *chip = chip_with(arch, false);
    struct place at = tile_of[arch], to = tensix(chip, 3, 3);
    uint32_t words[WORDS];
    struct request request = write_request(chip, 0, at, DATA, to, 0xffd00000u, 4);
    put_request(chip, at, &request);
    struct code code = code_in(words, CODE);
    code_li(&code, A4, niu_register(chip, 0, 0, NOC_CMD_CTRL));
    code_li(&code, A5, 1);
    uint32_t pc = code.at;
    code_sw(&code, A5, A4, 0);
    code_wait_for(&code, counter_at(0, NIU_MST_WR_ACK_RECEIVED), 5);
    put_program(chip, at, 0, &code);
    release(chip, at, 0);
    assert_int_equal(tsr_chip_clock(chip, 100 * WINDOW), TSR_OK);
    assert_int_equal(tsr_chip_finding_count(chip), 2);
    tsr_chip_finding found;
    assert_int_equal(tsr_chip_finding_at(chip, 0, &found), TSR_OK);
    assert_string_equal(found.diagnostic->code, "noc-address");
    assert_int_equal(found.diagnostic->core, core_of(arch, 0));
    assert_int_equal(found.diagnostic->pc, pc);
    assert_string_equal(last_finding(chip)->code, "noc-counter-wait");
    assert_int_equal(last_finding(chip)->core, core_of(arch, 0));
    tsr_chip_destroy(chip);
}

// ---------------------------------------------------------------- how a run is cut

// All cores of two Ethernet tiles look at the clock, send what they have to each other, and add up
// what has come; Blackhole's also read what their neighbour gets.
static void put_talker(tsr_chip *chip, struct place at, struct place to, unsigned core)
{
    enum { ROUNDS = 40, OUT = 0x19000, IN = 0x1a000, SUMS = 0x1b000 };
    uint32_t words[WORDS], mine = 0x100 * core;
    struct request request = write_request(chip, (int)core, at, OUT + mine, to, IN + mine, 64);
    request.initiator = (int)core;
    if (core == 1) {
        request.targ_at = named(tsr_chip_arch(chip), at);
        request.ret_at = named(tsr_chip_arch(chip), to);
    }
    put_request(chip, at, &request);
    uint32_t go = niu_register(chip, (int)core, (int)core, NOC_CMD_CTRL);
    struct code code = code_in(words, CODE + 0x1000 * core);
    code_li(&code, A0, 0);
    code_li(&code, A1, ROUNDS);
    code_li(&code, A2, SUMS + 0x400 * core);
    uint32_t loop = code.at;
    code_load(&code, A3, AT_WALL_CLOCK);
    code_put(&code, rv_r(RISCV_ADD, A0, A0, A3));
    code_load(&code, A3, IN + mine);
    code_put(&code, rv_r(RISCV_ADD, A0, A0, A3));
    code_load(&code, A3, IN + (0x100 - mine) % 0x200);
    code_put(&code, rv_r(RISCV_ADD, A0, A0, A3));
    code_load(&code, A3, counter_at((int)core, NIU_MST_WR_ACK_RECEIVED));
    code_put(&code, rv_r(RISCV_ADD, A0, A0, A3));
    code_sw(&code, A0, A2, 0);
    code_addi(&code, A2, A2, 4);
    code_li(&code, A4, OUT + mine);
    code_sw(&code, A0, A4, 0);
    code_store(&code, go, 1);
    uint32_t wait = code.at;
    code_load(&code, A3, go);
    code_branch(&code, RISCV_BNE, A3, ZERO, wait);
    code_addi(&code, A1, A1, -1);
    code_branch(&code, RISCV_BNE, A1, ZERO, loop);
    code_end(&code);
    put_program(chip, at, core, &code);
}

static uint64_t run_talkers(int arch, bool timing, unsigned threads, uint64_t slice)
{
    enum { TOTAL = 30000, SUMS = 0x1b000 };
    tsr_chip_options options = tsr_chip_options_default((tsr_arch)arch);
    options.tile.timing = timing;
    options.threads = threads;
    options.threads_always = true;
    tsr_chip *chip = NULL;
    assert_int_equal(tsr_chip_create(&options, &chip), TSR_OK);
    struct place at[] = {tile_of[arch], other_of[arch]};
    for (int i = 0; i < 2; i++)
        for (unsigned core = 0; core < core_count(arch); core++)
            put_talker(chip, at[i], at[1 - i], core);
    for (int i = 0; i < 2; i++)
        for (unsigned core = 0; core < core_count(arch); core++)
            release(chip, at[i], core);
    for (uint64_t done = 0; done < TOTAL; done += slice)
        assert_int_equal(tsr_chip_clock(chip, slice < TOTAL - done ? slice : TOTAL - done), TSR_OK);
    uint64_t hash = 14695981039346656037u;
    for (int i = 0; i < 2; i++)
        for (unsigned core = 0; core < core_count(arch); core++) {
            for (unsigned k = 0; k < 40; k++)
                hash = (hash ^ peek(chip, at[i], SUMS + 0x400 * core + 4 * k)) * 1099511628211u;
            assert_int_not_equal(peek(chip, at[i], SUMS + 0x400 * core + 4 * 39), 0);
            assert_int_equal(peek(chip, at[i], 0x1a000 + 0x100 * core),
                             peek(chip, at[1 - i], SUMS + 0x400 * core + 4 * 39));
            hash = (hash ^ view(chip, at[i], core).retired) * 1099511628211u;
        }
    no_findings(chip);
    tsr_chip_destroy(chip);
    return hash;
}

static void slices(int arch)
{
    for (int timing = 0; timing <= 1; timing++) {
        uint64_t whole = run_talkers(arch, timing, 1, 30000);
        assert_true(run_talkers(arch, timing, 1, 64) == whole);
        assert_true(run_talkers(arch, timing, 1, 37) == whole);
        assert_true(run_talkers(arch, timing, 2, 5000) == whole);
        assert_true(run_talkers(arch, timing, 3, 30000) == whole);
    }
}

// ---------------------------------------------------------------- timing

enum access { NEEDED_LOADS, LOADS, STORES };

// Cycles between two loads of the wall clock with `count` accesses between them: loads whose value
// the next instruction needs, or loads and stores one behind the other.
static uint32_t cycles_of(int arch, uint32_t address, unsigned count, enum access access)
{
    tsr_chip *chip = chip_with(arch, true);
    struct place at = tile_of[arch];
    uint32_t words[WORDS];
    struct code code = code_in(words, CODE);
    uint32_t passes = 3; // the last finds its instructions in the cache, and the branch as expected
    code_li(&code, A5, passes);
    code_li(&code, A1, AT_WALL_CLOCK);
    code_li(&code, A2, address);
    uint32_t loop = code.at;
    code_lw(&code, A0, A1, 0);
    for (unsigned i = 0; i < count; i++) {
        if (access == STORES)
            code_sw(&code, ZERO, A2, 0);
        else
            code_lw(&code, A3, A2, 0);
        if (access == NEEDED_LOADS)
            code_put(&code, rv_r(RISCV_ADD, A2, A2, A3)); // zero
    }
    code_lw(&code, A4, A1, 0);
    code_put(&code, rv_r(RISCV_SUB, A0, A4, A0));
    code_addi(&code, A5, A5, -1);
    code_branch(&code, RISCV_BNE, A5, ZERO, loop);
    code_li(&code, A4, DATA);
    code_sw(&code, A0, A4, 0);
    start_program(chip, at, 0, &code);
    tsr_chip_clock(chip, 100 * WINDOW);
    uint32_t cycles = peek(chip, at, DATA);
    no_findings(chip);
    tsr_chip_destroy(chip);
    return cycles;
}

// Of a load and an addition that needs it, which takes the cycle after that.
static uint32_t cycles_of_load(int arch, uint32_t address)
{
    return (cycles_of(arch, address, 32, NEEDED_LOADS) -
            cycles_of(arch, address, 16, NEEDED_LOADS)) /
               16 -
           1;
}

// Of 24 accesses, where many are on their way.
static uint32_t cycles_of_24(int arch, uint32_t address, enum access access)
{
    return cycles_of(arch, address, 60, access) - cycles_of(arch, address, 36, access);
}

static void latencies(int arch)
{
    assert_int_equal(cycles_of_load(arch, AT_RAM), 2);
    // Blackhole's data cache has the word from the second load on.
    assert_int_equal(cycles_of_load(arch, DATA + 0x100), arch == WH ? 7 : 2);
    assert_int_equal(cycles_of_load(arch, AT_SOFT_RESET - 4), 7);
    assert_int_equal(cycles_of_load(arch, counter_at(0, NIU_SLV_ATOMIC_RESP_SENT)), 7);
}

// Wormhole's page: of loads that take N cycles, four every N - 1; a store to L1 every five cycles,
// elsewhere each cycle, as Blackhole's (errata 440).
static void throughputs(int arch)
{
    assert_int_equal(cycles_of_24(arch, AT_RAM, LOADS), 24);
    if (arch == WH) {
        assert_int_equal(cycles_of_24(arch, DATA + 0x100, LOADS), 24 / 4 * 6);
        assert_int_equal(cycles_of_24(arch, AT_SOFT_RESET - 4, LOADS), 24 / 4 * 6);
        assert_int_equal(cycles_of_24(arch, DATA + 0x100, STORES), 24 * 5);
    }
    assert_int_equal(cycles_of_24(arch, AT_SOFT_RESET - 4, STORES), 24);
}

TILE_BOTH(runs)
TILE_BOTH(begins_anew)
TILE_BOTH(data_ram)
TILE_BOTH(counters)
TILE_BOTH(findings_of)
TILE_BOTH(stops)
TILE_BOTH(sends)
TILE_BOTH(released_by_noc)
TILE_BOTH(bad_requests)
TILE_BOTH(slices)
TILE_BOTH(latencies)
TILE_BOTH(throughputs)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(runs),
        TILE_TEST(begins_anew),
        TILE_TEST(data_ram),
        TILE_TEST(counters),
        TILE_TEST(findings_of),
        TILE_TEST(stops),
        TILE_TEST(sends),
        TILE_TEST(released_by_noc),
        TILE_TEST(bad_requests),
        TILE_TEST(slices),
        TILE_TEST(latencies),
        TILE_TEST(throughputs),
        cmocka_unit_test(test_atomics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
