// SPDX-License-Identifier: Apache-2.0
// Blackhole's NoC interfaces and overlay interrupt cores: transactions that have come to zero, with
// the page's two kinds of handler, and streams that are done.
// Pages: BlackholeA0/NoC/Interrupts.md, BlackholeA0/TensixTile/PIC.md.
#include "rig/core_rig.h"
#include "rig/noc_rig.h"
#include "tile/map_irqs.h"

enum { FROM = 0x20000, TO = 0x40000, COUNT = 0x50000, LOG = 0x50100, CODE = 0 };
enum { HANDLER = 0x8000, T0 = 5, T1 = 6, T2 = 7 };

#define PIC 0xffb13000u
#define HW_EN (PIC + 4)
#define HW_INT(i) (PIC + 0x98 + 4 * (uint32_t)(i))
#define HW_PC(i) (PIC + 0x128 + 4 * (uint32_t)(i))
#define RTZ_NUM(noc) (NIU_BASE(noc) + 0x378)
#define RTZ_SOURCE(noc) (NIU_BASE(noc) + 0x37c)
#define RTZ_CFG(noc) (NIU_BASE(noc) + 0x100 + 4 * 30)
#define RTZ_CLR(noc) (NIU_BASE(noc) + 0x100 + 4 * 31)
#define OUTSTANDING(noc, id) (NIU_BASE(noc) + 0x200 + 4 * (NIU_MST_REQS_OUTSTANDING_ID + (id)))

static tsr_tile *tile_at(tsr_chip *chip, struct place at)
{
    tsr_tile *tile = NULL;
    assert_int_equal(tsr_chip_tile(chip, at.x, at.y, &tile), TSR_OK);
    return tile;
}

// Logs T1 and counts, then returns.
static void put_end(struct code *code)
{
    code_li(code, T0, COUNT);
    code_lw(code, T2, T0, 0);
    code_put(code, rv_i(RISCV_SLLI, T2, T2, 2));
    code_put(code, rv_r(RISCV_ADD, T2, T2, T0));
    code_sw(code, T1, T2, LOG - COUNT);
    code_lw(code, T2, T0, 0);
    code_addi(code, T2, T2, 1);
    code_sw(code, T2, T0, 0);
    code_put(code, 0x30200073);
}

// Core B sends a write of transaction `id`, and goes into a loop that does nothing.
static struct place begin(tsr_chip *chip, int noc, unsigned id)
{
    struct place at = tensix(chip, 1, 1);
    struct request request = write_request(chip, noc, at, FROM, tensix(chip, 3, 2), TO, 256);
    fill(chip, at, FROM, 256, 1);
    request.tag = id << 10;
    put_request(chip, at, &request);
    poke(chip, at, COUNT, 0);
    poke(chip, at, RTZ_CFG(noc), 1u << id);
    poke(chip, at, HW_PC(1 + noc), HANDLER);
    struct code code = code_at(tile_at(chip, at), CODE);
    code_store(&code, niu_register(chip, noc, 0, NOC_CMD_CTRL), 1);
    code_end(&code);
    core_start(tile_at(chip, at), TSR_CORE_B, CODE);
    return at;
}

static void run(tsr_chip *chip, uint64_t cycles, uint64_t slice)
{
    for (uint64_t done = 0; done < cycles; done += slice)
        assert_int_equal(tsr_chip_clock(chip, slice), TSR_OK);
}

static uint64_t bulk_handler(bool timing, int noc, uint64_t slice)
{
    enum { ID = 5 };
    tsr_chip *chip = chip_with(BH, timing);
    struct place at = begin(chip, noc, ID);
    poke(chip, at, HW_EN, 2u << noc);
    struct code code = code_at(tile_at(chip, at), HANDLER);
    code_li(&code, T0, RTZ_SOURCE(noc));
    code_lw(&code, T1, T0, 0);
    code_li(&code, T0, RTZ_CLR(noc));
    code_sw(&code, T1, T0, 0);
    code_li(&code, T0, OUTSTANDING(noc, ID));
    code_lw(&code, T2, T0, 0);
    code_put(&code, rv_i(RISCV_SLLI, T2, T2, 16));
    code_put(&code, rv_r(RISCV_OR, T1, T1, T2));
    put_end(&code);
    run(chip, 8192, slice);
    assert_int_equal(peek(chip, at, COUNT), 1);
    assert_int_equal(peek(chip, at, LOG), 1 << ID);
    assert_int_equal(peek(chip, at, HW_INT(1 + noc)), 0);
    tsr_core_state core = core_view(tile_at(chip, at), TSR_CORE_B);
    assert_int_equal(core.pc, CODE + 4 * 5);
    assert_int_equal(all_findings(chip, at), 0);
    uint64_t retired = core.retired;
    tsr_chip_destroy(chip);
    return retired;
}

static void test_bulk_handler(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        uint64_t whole = bulk_handler(i & 1, i >> 1, 8192);
        assert_true(whole > 20);
        assert_int_equal(bulk_handler(i & 1, i >> 1, 64), whole);
        assert_int_equal(bulk_handler(i & 1, i >> 1, 1), whole);
        assert_int_equal(bulk_handler(i & 1, i >> 1, 1024), whole);
    }
}

// Two transactions have come to zero before the request is enabled: the handler takes one each
// time. What HW_INT shows is not taken away, as the interface still has reason.
static void single_handler(bool timing, int noc)
{
    tsr_chip *chip = chip_with(BH, timing);
    struct place at = begin(chip, noc, 9);
    poke(chip, at, RTZ_CFG(noc), 1u << 9 | 1 << 3);
    struct request request = read_request(chip, noc, tensix(chip, 2, 2), 0x1000, at, 0x60000, 64);
    struct code code = code_at(tile_at(chip, at), HANDLER);
    code_li(&code, T0, RTZ_NUM(noc));
    code_lw(&code, T1, T0, 0);
    put_end(&code);
    run(chip, 4096, 4096);
    fill(chip, tensix(chip, 2, 2), 0x1000, 64, 3);
    request.tag = 3 << 10;
    issue(chip, at, &request);
    run(chip, 4096, 4096);
    assert_int_equal(peek(chip, at, COUNT), 0);
    assert_int_equal(peek(chip, at, HW_INT(1 + noc)), 1);
    assert_int_equal(peek(chip, at, HW_INT(1 + noc)), 1);
    assert_int_equal(peek(chip, at, HW_INT(2 - noc)), 0);
    poke(chip, at, HW_EN, 2u << noc);
    run(chip, 4096, 4096);
    assert_int_equal(peek(chip, at, COUNT), 2);
    assert_int_equal(peek(chip, at, LOG), 3);
    assert_int_equal(peek(chip, at, LOG + 4), 9);
    assert_int_equal(peek(chip, at, PIC + 8), 33 + noc);
    poke(chip, at, RTZ_CFG(noc), 1u << 9);
    assert_int_equal(all_findings(chip, at), 0);
    tsr_chip_destroy(chip);
}

static void test_single_handler(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++)
        single_handler(i & 1, i >> 1);
}

// Which transactions count is chosen after they have come to zero.
static void test_choice(void **state)
{
    (void)state;
    tsr_chip *chip = chip_with(BH, false);
    struct place at = begin(chip, 0, 2);
    poke(chip, at, RTZ_CFG(0), 1u << 3);
    run(chip, 4096, 4096);
    assert_int_equal(peek(chip, at, RTZ_SOURCE(0)), 1 << 2);
    assert_int_equal(peek(chip, at, HW_INT(1)), 0);
    poke(chip, at, RTZ_CFG(0), 1u << 2);
    assert_int_equal(peek(chip, at, HW_INT(1)), 1);
    poke(chip, at, RTZ_CLR(0), 1u << 2);
    assert_int_equal(peek(chip, at, HW_INT(1)), 0);
    tsr_chip_destroy(chip);
}

// The overlay's request is raised once.
static void test_overlay(void **state)
{
    (void)state;
    for (int timing = 0; timing < 2; timing++) {
        tsr_chip *chip = chip_with(BH, timing);
        struct place at = tensix(chip, 1, 1);
        struct code code = code_at(tile_at(chip, at), HANDLER);
        code_li(&code, T0, HW_INT(0));
        code_lw(&code, T1, T0, 0);
        put_end(&code);
        code = code_at(tile_at(chip, at), CODE);
        code_end(&code);
        core_start(tile_at(chip, at), TSR_CORE_B, CODE);
        poke(chip, at, COUNT, 0);
        poke(chip, at, HW_PC(0), HANDLER);
        poke(chip, at, HW_EN, 1);
        run(chip, 4096, 4096);
        assert_int_equal(peek(chip, at, COUNT), 0);
        tsr_irq_raise(&tile_at(chip, at)->engine.env, TSR_OVERLAY_IRQ);
        run(chip, 4096, 4096);
        assert_int_equal(peek(chip, at, COUNT), 1);
        assert_int_equal(peek(chip, at, LOG), 1);
        tsr_chip_destroy(chip);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bulk_handler),
        cmocka_unit_test(test_single_handler),
        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_overlay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
