// SPDX-License-Identifier: Apache-2.0
// How hosts boot kernels: core B serves commands that a host leaves in L1, sets the coprocessor up
// and lets the T cores go; or, on Blackhole, T0 does so. The host uses the public functions only.
// Pages: SoftReset.md, BabyRISCV/README.md, Mailboxes.md, TTSync.md of each chip,
// DebugTimestamper.md.
#include "rig/core_rig.h"

enum {
    MAILBOXES = 0x1ffb8, // of T0, T1, T2
    COMMANDS = 0x1ffc4,  // two slots in turn
    DONE = 0x1ffcc,      // commands that core B has served
    STARTS = 0x16dff0,   // Wormhole: where the T cores begin
    IMAGES = 0x30000,    // of their data
    RESULTS = 0x31000
};
enum { NOTHING = 0, START_TRISCS = 1, RESET_TRISCS = 2, NEW_STARTS = 3 };
enum { HELD = 0x47800, TRISCS = 0x7000, WAIT = 1000 };

static const uint32_t trisc_code[3] = {0x6000, 0x21000, 0x22000};

// ---------------------------------------------------------------- core B's program

static void wait_a_microsecond(struct code *code)
{
    code_li(code, A4, AT_WALL_CLOCK);
    code_lw(code, A5, A4, 0);
    code_li(code, A3, WAIT);
    uint32_t loop = code->at;
    code_lw(code, A2, A4, 0);
    code_lw(code, A1, A4, 8); // the high half, latched
    code_put(code, rv_r(RISCV_SUB, A2, A2, A5));
    code_branch(code, RISCV_BLTU, A2, A3, loop);
}

static void change_resets(struct code *code, bool hold)
{
    code_li(code, A4, AT_SOFT_RESET);
    code_lw(code, A3, A4, 0);
    code_li(code, A5, hold ? TRISCS : ~(uint32_t)TRISCS);
    code_put(code, rv_r(hold ? RISCV_OR : RISCV_AND, A3, A3, A5));
    code_sw(code, A3, A4, 0);
    uint32_t loop = code->at;
    code_lw(code, A5, A4, 0);
    code_branch(code, RISCV_BNE, A5, A3, loop);
}

static void set_coprocessor_up(struct code *code, int arch)
{
    if (arch == BH)
        code_store(code, 0xffb12240u, 0);
    code_push(code, arch == BH ? "ZEROACC clear_mode=3 addr_mode=0 use_32_bit_mode=0"
                               : "ZEROACC clear_mode=3");
    code_push(code, "SFPENCC imm12_math=3 instr_mod1=10");
    code_push(code, "NOP");
    code_push(code, "SFPCONFIG config_dest=11 instr_mod1=1");
    code_push(code, "SEMINIT sem_sel=4 max_value=1");
    code_push(code, "SEMINIT sem_sel=8 max_value=1");
    if (arch == WH) {
        for (uint32_t i = 0; i < 3; i++) {
            code_load(code, A3, STARTS + 4 * i);
            code_li(code, A4, AT_CONFIG + 4 * (158 + i));
            code_sw(code, A3, A4, 0);
        }
        code_store(code, AT_CONFIG + 4 * 161, 7);
    }
}

// The commands served are counted in A0, which says which slot is next.
static void answer(struct code *code)
{
    code_addi(code, A0, A0, 1);
    code_put(code, rv_i(RISCV_ANDI, A1, A0, 1));
    code_put(code, rv_i(RISCV_SLLI, A1, A1, 2));
    code_li(code, A2, COMMANDS);
    code_put(code, rv_r(RISCV_ADD, A2, A2, A1));
    code_sw(code, ZERO, A2, 0);
    code_li(code, A2, DONE);
    code_sw(code, A0, A2, 0);
}

static void write_brisc(tsr_tile *tile, int arch)
{
    struct code code = code_at(tile, 0);
    code_li(&code, A4, AT_CONFIG + 4 * 2); // the branch predictor's switch
    code_lw(&code, A5, A4, 0);
    code_put(&code, rv_i(RISCV_ORI, A5, A5, 1));
    code_sw(&code, A5, A4, 0);
    code_store(&code, COMMANDS, NOTHING);
    code_store(&code, COMMANDS + 4, NOTHING);
    code_store(&code, DONE, 0);
    code_li(&code, A0, 0);
    uint32_t loop = code.at;
    code_put(&code, rv_i(RISCV_ANDI, A1, A0, 1));
    code_put(&code, rv_i(RISCV_SLLI, A1, A1, 2));
    code_li(&code, A2, COMMANDS);
    code_put(&code, rv_r(RISCV_ADD, A2, A2, A1));
    code_lw(&code, A3, A2, 0);
    uint32_t branches = code.at;
    code.at += 3 * 4 + 2 * 4; // filled below
    uint32_t none = code.at;
    wait_a_microsecond(&code);
    code_jump(&code, loop);
    uint32_t start = code.at;
    for (uint32_t i = 0; i < 3; i++)
        code_store(&code, MAILBOXES + 4 * i, 1);
    set_coprocessor_up(&code, arch);
    change_resets(&code, false);
    answer(&code);
    code_jump(&code, none);
    uint32_t reset = code.at;
    change_resets(&code, true);
    answer(&code);
    code_jump(&code, none);
    code.at = branches;
    code_addi(&code, A4, ZERO, RESET_TRISCS);
    code_branch(&code, RISCV_BEQ, A3, A4, reset);
    code_branch(&code, RISCV_BEQ, A3, ZERO, none);
    code_jump(&code, start);
    code_put(&code, rv_i(RISCV_ADDI, ZERO, ZERO, 0));
}

// ---------------------------------------------------------------- the T cores' programs

// Copies the image of its data RAM, as crt0 does; A1 to A5 are gone.
static void copy_data(struct code *code, uint32_t image, uint32_t words)
{
    code_li(code, A1, image);
    code_li(code, A2, AT_RAM);
    code_li(code, A3, AT_RAM + 4 * words);
    uint32_t loop = code->at;
    code_lw(code, A4, A1, 0);
    code_sw(code, A4, A2, 0);
    code_addi(code, A1, A1, 4);
    code_addi(code, A2, A2, 4);
    code_branch(code, RISCV_BLTU, A2, A3, loop);
}

static void say_done(struct code *code, uint32_t thread)
{
    code_store(code, MAILBOXES + 4 * thread, 0xff);
    code_end(code);
}

// T1 sends what it has to T0, which has its thread add it to a GPR; T2 waits for that in L1.
static void write_triscs(tsr_tile *tile)
{
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t image[8];
        for (uint32_t k = 0; k < 8; k++)
            image[k] = 100 * i + k;
        assert_int_equal(tsr_l1_write(tile, IMAGES + 0x100 * i, image, sizeof image), TSR_OK);
    }
    struct code code = code_at(tile, trisc_code[0]);
    copy_data(&code, IMAGES, 8);
    code_load(&code, A0, AT_RAM + 12); // 3
    code_li(&code, A1, AT_MAILBOXES + 0x2000);
    code_lw(&code, A2, A1, 0);
    code_put(&code, rv_r(RISCV_ADD, A0, A0, A2));
    code_li(&code, A1, 0xffe00000u);
    code_sw(&code, A0, A1, 4 * 8);
    code_push(&code, "ADDDMAREG OpBisConst=1 ResultRegIndex=9 OpBRegIndex=5 OpARegIndex=8");
    code_push(&code, "SEMPOST sem_sel=4");
    code_li(&code, A2, AT_TTSYNC);
    code_sw(&code, ZERO, A2, 0);
    code_lw(&code, A3, A2, 0);
    code_lw(&code, A3, A2, 4);
    code_lw(&code, A0, A1, 4 * 9);
    code_li(&code, A1, RESULTS);
    code_sw(&code, A0, A1, 0);
    say_done(&code, 0);
    code = code_at(tile, trisc_code[1]);
    copy_data(&code, IMAGES + 0x100, 8);
    code_load(&code, A0, AT_RAM + 28); // 107
    code_li(&code, A1, AT_MAILBOXES + 0x1000);
    code_sw(&code, A0, A1, 0);
    code_store(&code, 0xffb80000u + 4, 1);
    say_done(&code, 1);
    code = code_at(tile, trisc_code[2]);
    copy_data(&code, IMAGES + 0x200, 8);
    code_wait_for(&code, AT_SEMAPHORES + 4 * 2, 1);
    code_store(&code, AT_SEMAPHORES + 4 * 2, 1); // get
    say_done(&code, 2);
}

// ---------------------------------------------------------------- the host

static uint32_t host_word(tsr_tile *tile, uint32_t address)
{
    uint32_t value;
    assert_int_equal(tsr_host_load(tile, address, &value, 4), TSR_OK);
    return value;
}

static void host_put(tsr_tile *tile, uint32_t address, uint32_t value)
{
    assert_int_equal(tsr_host_store(tile, address, value, 4), TSR_OK);
}

static void run_until(tsr_tile *tile, uint32_t address, uint32_t value)
{
    tsr_limits limits = tsr_limits_default();
    limits.external = true;
    limits.max_cycles = 100000;
    limits.until_address = address;
    limits.until_value = value;
    limits.until_mask = ~0u;
    tsr_end end = tsr_run(tile, &limits);
    for (int i = 0; end == TSR_END_STOPPED && i < tsr_diagnostic_count(tile); i++)
        print_error("%s\n", tsr_diagnostic_at(tile, i)->sentence);
    assert_int_equal(end, TSR_END_UNTIL);
}

static void set_reset_pcs(tsr_tile *tile, int arch)
{
    for (uint32_t i = 0; i < 3; i++)
        host_put(tile, arch == WH ? STARTS + 4 * i : 0xffb12228u + 4 * i, trisc_code[i]);
    if (arch == BH)
        host_put(tile, 0xffb12234u, 7);
}

static void check_results(tsr_tile *tile)
{
    for (uint32_t i = 0; i < 3; i++)
        run_until(tile, MAILBOXES + 4 * i, 0xff);
    assert_int_equal(host_word(tile, RESULTS), 3 + 107 + 5);
}

static void brisc_mode(int arch, bool timing)
{
    tsr_tile *tile = tile_with_cores(arch, timing, TSR_PROFILE_SILICON);
    write_brisc(tile, arch);
    write_triscs(tile);
    host_put(tile, AT_SOFT_RESET, HELD);
    set_reset_pcs(tile, arch);
    host_put(tile, AT_SOFT_RESET, TRISCS | 1u << 18); // core B goes
    assert_int_equal(tsr_run_cycles(tile, 2000), TSR_END_TIMEOUT);
    for (uint32_t served = 0; served < 6; served += 2) {
        host_put(tile, RESULTS, 0);
        host_put(tile, COMMANDS + 4 * (served & 1), arch == WH ? NEW_STARTS : START_TRISCS);
        run_until(tile, DONE, served + 1);
        check_results(tile);
        assert_int_equal(host_word(tile, AT_SOFT_RESET), 1u << 18);
        host_put(tile, COMMANDS + 4 * (~served & 1), RESET_TRISCS);
        run_until(tile, DONE, served + 2);
        assert_int_equal(host_word(tile, AT_SOFT_RESET), TRISCS | 1u << 18);
    }
    assert_int_equal(core_view(tile, TSR_CORE_B).rest, TSR_CORE_RUNS);
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    tsr_tile_destroy(tile);
}

static void test_brisc_mode(int arch)
{
    brisc_mode(arch, false);
    brisc_mode(arch, true);
}
TILE_BOTH(test_brisc_mode)

// T0 begins at its fixed address, sets up, and lets the others go.
static void trisc_mode(bool timing)
{
    tsr_tile *tile = tile_with_cores(BH, timing, TSR_PROFILE_SILICON);
    write_triscs(tile);
    struct code code = code_at(tile, 0x5f00);
    uint32_t first = code.at;
    code_li(&code, A0, 0);
    set_coprocessor_up(&code, BH);
    code_li(&code, A2, AT_TTSYNC);
    code_lw(&code, A3, A2, 0);
    change_resets(&code, false);
    assert_in_range(code.at, first, 0x6000);
    code_jump(&code, 0x6004);
    // T0's first instruction makes room for a jump there.
    uint32_t moved = host_word(tile, 0x6000);
    code = code_at(tile, 0x5efc);
    code_put(&code, moved);
    code = code_at(tile, 0x6000);
    code_jump(&code, 0x5efc);
    host_put(tile, 0xffb12234u, 6); // T1, T2
    host_put(tile, 0xffb1222cu, trisc_code[1]);
    host_put(tile, 0xffb12230u, trisc_code[2]);
    host_put(tile, AT_SOFT_RESET, HELD & ~(1u << 12));
    check_results(tile);
    assert_int_equal(host_word(tile, AT_SOFT_RESET), 1u << 11 | 1u << 18);
    tsr_tile_destroy(tile);
}

static void test_trisc_mode(void **state)
{
    (void)state;
    trisc_mode(false);
    trisc_mode(true);
}

// A failed assertion of a kernel is an ebreak: the core pauses, and the host sees where.
static void test_assertion(int arch)
{
    tsr_tile *tile = tile_with_cores(arch, false, TSR_PROFILE_SILICON);
    struct code code = code_at(tile, 0xa000);
    code_li(&code, A0, 5);
    uint32_t place = code.at;
    code_put(&code, rv_i(RISCV_EBREAK, 0, 0, 1));
    code_store(&code, RESULTS, 1);
    code_end(&code);
    core_start(tile, TSR_CORE_T1, 0xa000);
    assert_int_equal(tsr_run(tile, NULL), TSR_END_IDLE);
    assert_int_equal(core_view(tile, TSR_CORE_T1).rest, TSR_CORE_PAUSED);
    assert_int_equal(core_view(tile, TSR_CORE_T1).pc, place + 4);
    core_start(tile, TSR_CORE_T1, place + 4); // soft reset is the way out
    assert_int_equal(tsr_run(tile, NULL), TSR_END_IDLE);
    assert_int_equal(core_view(tile, TSR_CORE_T1).rest, TSR_CORE_ENDED);
    assert_int_equal(host_word(tile, RESULTS), 1);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_assertion)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_brisc_mode),
        cmocka_unit_test(test_trisc_mode),
        TILE_TEST(test_assertion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
