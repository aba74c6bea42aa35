// SPDX-License-Identifier: Apache-2.0
// Tile control of Ethernet tiles: what the memory map has and has not, where a core begins, spare
// words, Wormhole's counter that adds, its instruction RAM and its interrupt controller; and that a
// core hears of what a host writes to a NoC interface.
// Pages: WormholeB0/EthernetTile/SoftReset.md, TileControlDebugStatus.md,
// BabyRISCV/InstructionRAM.md, WormholeB0/TensixTile/PIC.md, EthernetTile/BabyRISCV/README.md of
// each chip.
#include "chip/stream_registers.h"
#include "rig/ethernet_rig.h"

#define AT_MAC 0xffba0000u
#define AT_PIC 0xffb13000u
#define AT_MODES 0xffb14020u // Blackhole
#define AT_FIRST_PC 0xffb9409cu

static void load_words(tsr_chip *chip, struct place at, uint32_t address, const struct code *code)
{
    assert_int_equal(tsr_chip_write(chip, at.x, at.y, address, code->words, code->at - code->first),
                     TSR_OK);
}

static const char *host_finds(tsr_chip *chip, struct place at, uint64_t address)
{
    uint32_t word = 0;
    int before = tsr_chip_finding_count(chip);
    tsr_chip_read(chip, at.x, at.y, address, &word, 4);
    tsr_chip_write(chip, at.x, at.y, address, &word, 4);
    return tsr_chip_finding_count(chip) > before ? last_finding(chip)->code : "";
}

// ---------------------------------------------------------------- the memory map

static void memory_map(int arch)
{
    static const struct {
        uint32_t address;
        const char *code[2]; // on Wormhole, and on Blackhole
    } cases[] = {{0xffb11ffc, {"host-unmapped", "host-unmapped"}},
                 {0xffb12000, {"", ""}},
                 {0xffb12080, {"", ""}},
                 {0xffb12ffc, {"", ""}},
                 {0xffb13000, {"", ""}},
                 {0xffb13034, {"node-missing", ""}},
                 {0xffb14000, {"host-unmapped", ""}},
                 {0xffb14010, {"host-unmapped", "host-unmapped"}},
                 {0xffb14020, {"host-unmapped", "node-missing"}},
                 {0xffb14064, {"host-unmapped", "host-unmapped"}},
                 {0xffb94054, {"host-unmapped", "node-missing"}},
                 {0xffb94094, {"host-unmapped", NULL}},
                 {0xffba0004, {"", "node-missing"}},
                 {0xffba0008, {"node-missing", "node-missing"}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (cases[i].code[arch]) {
            tsr_chip *chip = chip_with(arch, false);
            assert_string_equal(host_finds(chip, tile_of[arch], cases[i].address),
                                cases[i].code[arch]);
            tsr_chip_destroy(chip);
        }
}

// Of Wormhole's words beside the range of tile control.
static void test_spare_words(void **state)
{
    (void)state;
    tsr_chip *chip = chip_with(WH, false);
    for (uint32_t at = 0xffb94084; at < 0xffb94094; at += 4) {
        assert_int_equal(peek(chip, tile_of[WH], at), 0);
        poke(chip, tile_of[WH], at, at + 1);
    }
    for (uint32_t at = 0xffb94084; at < 0xffb94094; at += 4)
        assert_int_equal(peek(chip, tile_of[WH], at), at + 1);
    poke(chip, tile_of[WH], AT_TEST_SUM, 5);
    poke(chip, tile_of[WH], AT_TEST_SUM, (uint32_t)-2);
    assert_int_equal(peek(chip, tile_of[WH], AT_TEST_SUM), 3);
    no_findings(chip);
    tsr_chip_destroy(chip);
}

static void test_first_pc(void **state)
{
    (void)state;
    tsr_chip *chip = chip_with(WH, false);
    struct place at = tile_of[WH];
    uint32_t words[WORDS];
    struct code code = code_in(words, CODE);
    code_store(&code, DATA, 7);
    code_end(&code);
    load_words(chip, at, CODE, &code);
    poke(chip, at, AT_FIRST_PC, CODE);
    release(chip, at, 0);
    tsr_chip_clock(chip, 10 * WINDOW);
    assert_int_equal(peek(chip, at, DATA), 7);
    assert_int_equal(peek(chip, at, 0), 0);
    no_findings(chip);
    tsr_chip_destroy(chip);
}

// Blackhole's E1 resets E0, as firmware with two active cores does: E0 keeps what it needs in L1,
// since its data RAM is cleared, and comes back at another place.
static void test_reset_by_neighbour(void **state)
{
    (void)state;
    for (int timing = 0; timing <= 1; timing++) {
        tsr_chip *chip = chip_with(BH, timing);
        struct place at = tile_of[BH];
        uint32_t words[WORDS];
        struct code resumed = code_in(words, CODE + 0x800);
        code_load(&resumed, A0, AT_RAM + 0x40);
        code_li(&resumed, A1, DATA + 4);
        code_sw(&resumed, A0, A1, 0);
        code_load(&resumed, A0, DATA + 8);
        code_li(&resumed, A1, DATA + 12);
        code_sw(&resumed, A0, A1, 0);
        code_end(&resumed);
        load_words(chip, at, resumed.first, &resumed);
        struct code code = code_in(words, CODE);
        code_store(&code, AT_RAM + 0x40, 5);
        code_store(&code, DATA + 8, 6);
        code_store(&code, AT_RESET_PC, CODE + 0x800);
        code_store(&code, DATA, 1);
        code_end(&code);
        put_program(chip, at, 0, &code);
        struct code other = code_in(words, CODE + 0x1000);
        code_wait_for(&other, DATA, 1);
        code_store(&other, AT_SOFT_RESET, 0x800);
        for (int i = 0; i < 100; i++)
            code_addi(&other, ZERO, ZERO, 0);
        code_store(&other, AT_SOFT_RESET, 0);
        code_end(&other);
        put_program(chip, at, 1, &other);
        poke(chip, at, DATA + 4, 7);
        poke(chip, at, AT_SOFT_RESET, 0);
        tsr_chip_clock(chip, 100 * WINDOW);
        assert_int_equal(peek(chip, at, DATA + 4), 0);
        assert_int_equal(peek(chip, at, DATA + 12), 6);
        assert_in_range(view(chip, at, 0).pc, CODE + 0x800, CODE + 0x900);
        assert_int_equal(view(chip, at, 0).rest, TSR_CORE_ENDED);
        no_findings(chip);
        tsr_chip_destroy(chip);
    }
}

// ---------------------------------------------------------------- instruction RAM

// Loads DATA, waits for the end, and jumps there; counts the cycles.
static void put_loader(tsr_chip *chip, struct place at, bool disables, bool waits)
{
    uint32_t words[WORDS];
    struct code inner = code_in(words, AT_IRAM);
    code_store(&inner, DATA + 0x8000, 1);
    code_li(&inner, A0, CODE + 0x800);
    code_put(&inner, rv_i(RISCV_JALR, ZERO, A0, 0));
    load_words(chip, at, DATA, &inner);
    struct code after = code_in(words, CODE + 0x800);
    code_end(&after);
    load_words(chip, at, after.first, &after);
    struct code code = code_in(words, CODE);
    if (disables) {
        code_store(&code, AT_MAC, 0x30000000);
        code_store(&code, AT_MAC + 4, 6);
    }
    code_load(&code, A0, AT_WALL_CLOCK);
    code_store(&code, AT_IRAM_LOAD, DATA / 16);
    if (waits)
        code_wait_for(&code, AT_IRAM_LOAD, 0);
    code_load(&code, A1, AT_WALL_CLOCK);
    code_put(&code, rv_r(RISCV_SUB, A0, A1, A0));
    code_li(&code, A1, DATA + 0x8004);
    code_sw(&code, A0, A1, 0);
    code_li(&code, A0, AT_IRAM);
    code_put(&code, rv_i(RISCV_JALR, ZERO, A0, 0));
    put_program(chip, at, 0, &code);
    release(chip, at, 0);
    tsr_chip_clock(chip, 100 * WINDOW);
}

static void test_loads_iram(void **state)
{
    (void)state;
    for (int timing = 0; timing <= 1; timing++) {
        tsr_chip *chip = chip_with(WH, timing);
        put_loader(chip, tile_of[WH], true, true);
        assert_int_equal(peek(chip, tile_of[WH], DATA + 0x8000), 1);
        assert_int_equal(view(chip, tile_of[WH], 0).rest, TSR_CORE_ENDED);
        uint32_t cycles = peek(chip, tile_of[WH], DATA + 0x8004);
        assert_true(timing ? cycles >= 512 && cycles < 600 : cycles < 20);
        no_findings(chip);
        tsr_chip_destroy(chip);
    }
}

static void test_bad_iram_loads(void **state)
{
    (void)state;
    // MAC works; with timing on, the core does not wait.
    for (int timing = 0; timing <= 1; timing++) {
        tsr_chip *chip = chip_with(WH, timing);
        put_loader(chip, tile_of[WH], timing, !timing);
        assert_string_equal(last_finding(chip)->code, "iram-load");
        assert_int_equal(last_finding(chip)->core, TSR_CORE_E);
        tsr_chip_destroy(chip);
    }
    // A host loads what the core executes; and what a core in reset does not.
    tsr_chip *chip = chip_with(WH, false);
    struct place at = tile_of[WH];
    poke(chip, at, AT_MAC, 0);
    poke(chip, at, AT_MAC + 4, 0);
    poke(chip, at, DATA, rv_jal(ZERO, 0));
    poke(chip, at, AT_FIRST_PC, AT_IRAM);
    poke(chip, at, AT_IRAM_LOAD, DATA / 16);
    no_findings(chip);
    release(chip, at, 0);
    tsr_chip_clock(chip, WINDOW);
    no_findings(chip);
    poke(chip, at, AT_IRAM_LOAD, DATA / 16);
    assert_string_equal(last_finding(chip)->code, "iram-load");
    tsr_chip_destroy(chip);
}

// A core that leaves reset while it is loaded: told once, when it executes.
static void test_runs_while_iram_loads(void **state)
{
    (void)state;
    tsr_chip *chip = chip_with(WH, true);
    struct place at = tile_of[WH];
    poke(chip, at, AT_MAC, 0);
    poke(chip, at, AT_MAC + 4, 0);
    poke(chip, at, DATA, rv_i(RISCV_ADDI, A0, A0, 1));
    poke(chip, at, DATA + 4, rv_jal(ZERO, -4));
    poke(chip, at, AT_FIRST_PC, AT_IRAM);
    poke(chip, at, AT_IRAM_LOAD, DATA / 16);
    release(chip, at, 0);
    tsr_chip_clock(chip, 16 * WINDOW);
    assert_int_equal(tsr_chip_finding_count(chip), 1);
    assert_string_equal(last_finding(chip)->code, "iram-load");
    assert_true(last_finding(chip)->cycle < WINDOW);
    tsr_chip_destroy(chip);
}

// The load/store unit cannot reach it: stores are discarded, loads never return.
static void test_iram_is_unmapped(void **state)
{
    (void)state;
    tsr_chip *chip = chip_with(WH, false);
    struct place at = tile_of[WH];
    uint32_t words[WORDS];
    struct code code = code_in(words, CODE);
    code_li(&code, A0, AT_IRAM);
    code_sw(&code, A0, A0, 0);
    code_put(&code, rv_s(RISCV_SB, A0, A0, 5));
    code_store(&code, DATA, 7);
    code_load(&code, A0, AT_IRAM);
    put_program(chip, at, 0, &code);
    release(chip, at, 0);
    tsr_chip_clock(chip, 10 * WINDOW);
    assert_int_equal(peek(chip, at, DATA), 7);
    assert_string_equal(last_finding(chip)->code, "unmapped-address");
    assert_int_equal(tsr_chip_finding_count(chip), 1);
    assert_int_equal(view(chip, at, 0).rest, TSR_CORE_HUNG);
    tsr_chip_destroy(chip);
}

// ---------------------------------------------------------------- who polls hears of it

static void begin_phase(tsr_chip *chip, struct place at, unsigned stream)
{
    uint32_t software = 1u << 4 | 1u << 6;
    poke(chip, at, tsr_stream_address(&chip->noc, stream, STREAM_MISC_CFG), software);
    poke(chip, at, tsr_stream_address(&chip->noc, stream, STREAM_CURR_PHASE), 1);
    poke(chip, at, tsr_stream_address(&chip->noc, stream, STREAM_PHASE_AUTO_CFG_HEADER), 1 << 12);
    poke(chip, at, tsr_stream_address(&chip->noc, stream, STREAM_BUF_START), 0x2000);
    poke(chip, at, tsr_stream_address(&chip->noc, stream, STREAM_BUF_SIZE), 0x10);
    poke(chip, at, tsr_stream_address(&chip->noc, stream, STREAM_PHASE_ADVANCE), 1);
}

// Streams 2 and 9 begin a phase; core E sleeps until then, and looks at who it was.
static void test_interrupts(void **state)
{
    enum { STATUS = 0, NEXT = 4, ENABLE = 8, TYPE = 0x14 };
    (void)state;
    for (int timing = 0; timing <= 1; timing++) {
        tsr_chip *chip = chip_with(WH, timing);
        struct place at = tile_of[WH];
        uint32_t words[WORDS];
        struct code code = code_in(words, CODE);
        code_store(&code, AT_PIC + ENABLE, 0xff);
        code_store(&code, AT_PIC + TYPE + 4 * 2, 1);
        code_store(&code, AT_PIC + TYPE + 4 * 5, 1);
        code_wait_for(&code, AT_PIC + STATUS, 1 << 2 | 1 << 5);
        for (unsigned i = 0; i < 3; i++) {
            code_load(&code, A0, AT_PIC + NEXT);
            code_li(&code, A1, DATA + 4 * i);
            code_sw(&code, A0, A1, 0);
        }
        code_store(&code, AT_PIC + STATUS, 1 << 2);
        code_load(&code, A0, AT_PIC + STATUS);
        code_li(&code, A1, DATA + 12);
        code_sw(&code, A0, A1, 0);
        start_program(chip, at, 0, &code);
        tsr_chip_clock(chip, 50 * WINDOW);
        assert_int_equal(chip->active_count, 0);
        begin_phase(chip, at, 2);
        begin_phase(chip, at, 9);
        begin_phase(chip, at, 4); // which has none
        assert_int_equal(peek(chip, at, AT_PIC), 1 << 2 | 1 << 5);
        tsr_chip_clock(chip, 50 * WINDOW);
        assert_int_equal(peek(chip, at, DATA), 2);
        assert_int_equal(peek(chip, at, DATA + 4), 5);
        assert_int_equal(peek(chip, at, DATA + 8), 2);
        assert_int_equal(peek(chip, at, DATA + 12), 1 << 5);
        no_findings(chip);
        tsr_chip_destroy(chip);
    }
}

// ROUTER_CFG_2, which the hardware does nothing with, as a mailbox.
static void woken_by_host(int arch)
{
    for (int timing = 0; timing <= 1; timing++) {
        tsr_chip *chip = chip_with(arch, timing);
        struct place at = tile_of[arch];
        uint32_t words[WORDS];
        struct code code = code_in(words, CODE);
        code_wait_for(&code, NIU_BASE(0) + 0x10c, 5);
        code_store(&code, DATA, 1);
        start_program(chip, at, 0, &code);
        tsr_chip_clock(chip, 50 * WINDOW);
        assert_int_equal(chip->active_count, 0);
        poke(chip, at, NIU_BASE(0) + 0x10c, 5);
        tsr_chip_clock(chip, 50 * WINDOW);
        assert_int_equal(peek(chip, at, DATA), 1);
        no_findings(chip);
        tsr_chip_destroy(chip);
    }
}

// What the library tells hosts of it, each core in turn.
static void told_where_cores_begin(int arch)
{
    for (unsigned number = 0; number < core_count(arch); number++) {
        tsr_chip *chip = chip_with(arch, false);
        struct place at = tile_of[arch];
        tsr_ethernet_core_info info;
        uint32_t words[WORDS], entry = 0x20000;
        struct code code = code_in(words, entry);
        code_store(&code, DATA, number + 1);
        code_end(&code);
        load_words(chip, at, entry, &code);
        assert_int_equal(tsr_ethernet_core_at((tsr_arch)arch, core_of(arch, number), &info),
                         TSR_OK);
        poke(chip, at, info.pc, entry);
        uint32_t held = peek(chip, at, info.soft_reset);
        assert_int_equal(held, arch == WH ? 0x800 : 0x1800);
        poke(chip, at, info.soft_reset, held & ~(1u << info.soft_reset_bit));
        assert_int_equal(tsr_chip_clock(chip, 640), TSR_OK);
        assert_int_equal(peek(chip, at, DATA), number + 1);
        tsr_chip_destroy(chip);
    }
    tsr_ethernet_core_info info;
    const tsr_core others[] = {TSR_CORE_B, arch == WH ? TSR_CORE_E0 : TSR_CORE_E, (tsr_core)19};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(tsr_ethernet_core_at((tsr_arch)arch, others[i], &info), TSR_NOT_FOUND);
}

// Blackhole's interrupt controller is not there, but modes of interrupts can be switched off.
static void interrupts_off(void **state)
{
    enum { MODES = 5 };
    (void)state;
    for (unsigned wrong = 0; wrong <= 2; wrong++) {
        tsr_chip *chip = chip_with(BH, false);
        struct place at = tile_of[BH];
        uint32_t words[WORDS];
        struct code code = code_in(words, CODE);
        for (uint32_t i = 0; i < MODES; i++)
            code_store(&code, AT_MODES + 4 * i, 0);
        if (wrong)
            code_store(&code, AT_MODES + 4 * (wrong == 1 ? 0 : MODES), wrong == 1);
        code_store(&code, DATA, 1);
        start_program(chip, at, 0, &code);
        assert_int_equal(tsr_chip_clock(chip, 10 * WINDOW), TSR_OK);
        assert_int_equal(peek(chip, at, DATA), wrong == 0); // what is unimplemented stops the tile
        assert_int_equal(tsr_chip_finding_count(chip), wrong != 0);
        if (wrong)
            assert_string_equal(last_finding(chip)->code, "unimplemented-mode");
        tsr_chip_destroy(chip);
    }
    tsr_chip *chip = chip_with(BH, false);
    const uint32_t off[MODES + 1] = {0}, on[MODES] = {0, 0, 1};
    struct place at = tile_of[BH];
    assert_int_equal(tsr_chip_write(chip, at.x, at.y, AT_MODES, off, 4 * MODES), TSR_OK);
    assert_int_equal(tsr_chip_finding_count(chip), 0);
    assert_int_equal(tsr_chip_write(chip, at.x, at.y, AT_MODES, on, sizeof on), TSR_UNMAPPED);
    assert_int_equal(tsr_chip_write(chip, at.x, at.y, AT_MODES + 4 * MODES, off, 4), TSR_UNMAPPED);
    assert_string_equal(last_finding(chip)->code, "node-missing");
    tsr_chip_destroy(chip);
}

TILE_BOTH(memory_map)
TILE_BOTH(told_where_cores_begin)
TILE_BOTH(woken_by_host)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(memory_map),
        cmocka_unit_test(interrupts_off),
        TILE_TEST(told_where_cores_begin),
        cmocka_unit_test(test_spare_words),
        cmocka_unit_test(test_first_pc),
        cmocka_unit_test(test_reset_by_neighbour),
        cmocka_unit_test(test_loads_iram),
        cmocka_unit_test(test_bad_iram_loads),
        cmocka_unit_test(test_runs_while_iram_loads),
        cmocka_unit_test(test_iram_is_unmapped),
        cmocka_unit_test(test_interrupts),
        TILE_TEST(woken_by_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
