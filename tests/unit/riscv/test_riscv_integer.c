// SPDX-License-Identifier: Apache-2.0
// What the instructions that compute leave, for operands at the edges: each by hand from the RISC-V
// manual, and every row that computes has an example. Writes to x0 are lost.
// Page: BabyRISCV/README.md of each chip.
#include "rig/riscv_rig.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { RD = 5, RS1 = 6, RS2 = 7 };

struct example {
    enum tsr_riscv_code code;
    uint32_t a, b; // b: rs2, or the immediate
    uint32_t result;
};

#define MIN 0x80000000
#define MAX 0x7fffffff
#define ONES 0xffffffff

static const struct example examples[] = {
    {RISCV_ADDI, MAX, 1, MIN},
    {RISCV_ADDI, 5, ONES, 4},
    {RISCV_ADDI, 0, 0xfffff800, 0xfffff800},
    {RISCV_ADDI, 7, 0, 7},
    {RISCV_SLTI, MIN, 0, 1},
    {RISCV_SLTI, 0, 0xfffff800, 0},
    {RISCV_SLTI, ONES, ONES, 0},
    {RISCV_SLTIU, 0, ONES, 1},
    {RISCV_SLTIU, 1, 1, 0},
    {RISCV_SLTIU, 0, 1, 1},
    {RISCV_XORI, 0x0f0f0f0f, ONES, 0xf0f0f0f0},
    {RISCV_ORI, 0x100, 0x0ff, 0x1ff},
    {RISCV_ORI, 0, 0xfffff800, 0xfffff800},
    {RISCV_ANDI, ONES, 0x7ff, 0x7ff},
    {RISCV_ANDI, 0x12345678, ONES, 0x12345678},
    {RISCV_SLLI, 1, 31, MIN},
    {RISCV_SLLI, 0x12345678, 0, 0x12345678},
    {RISCV_SRLI, MIN, 31, 1},
    {RISCV_SRLI, ONES, 4, 0x0fffffff},
    {RISCV_SRAI, MIN, 31, ONES},
    {RISCV_SRAI, MAX, 30, 1},
    {RISCV_SRAI, MIN, 0, MIN},
    {RISCV_ADD, ONES, 1, 0},
    {RISCV_ADD, MAX, MAX, 0xfffffffe},
    {RISCV_SUB, 0, 1, ONES},
    {RISCV_SUB, MIN, 1, MAX},
    {RISCV_SLL, 1, 32, 1},
    {RISCV_SLL, 1, 33, 2},
    {RISCV_SLL, 3, ONES, MIN},
    {RISCV_SLT, MIN, MAX, 1},
    {RISCV_SLT, 1, 1, 0},
    {RISCV_SLTU, MIN, MAX, 0},
    {RISCV_SLTU, 0, ONES, 1},
    {RISCV_XOR, 0xff00ff00, 0x0ff00ff0, 0xf0f0f0f0},
    {RISCV_SRL, MIN, 63, 1},
    {RISCV_SRL, ONES, 32, ONES},
    {RISCV_SRA, MIN, 63, ONES},
    {RISCV_SRA, 0xf0000000, 4, 0xff000000},
    {RISCV_OR, 0xff00ff00, 0x0ff00ff0, 0xfff0fff0},
    {RISCV_AND, 0xff00ff00, 0x0ff00ff0, 0x0f000f00},
    {RISCV_MUL, MIN, ONES, MIN},
    {RISCV_MUL, 0x10000, 0x10000, 0},
    {RISCV_MUL, 12345, 6789, 83810205},
    {RISCV_MULH, MIN, MIN, 0x40000000},
    {RISCV_MULH, ONES, ONES, 0},
    {RISCV_MULH, MIN, 2, ONES},
    {RISCV_MULHSU, ONES, ONES, ONES},
    {RISCV_MULHSU, MIN, MIN, 0xc0000000},
    {RISCV_MULHSU, 2, MIN, 1},
    {RISCV_MULHU, ONES, ONES, 0xfffffffe},
    {RISCV_MULHU, MIN, 2, 1},
    {RISCV_DIV, 7, 0xfffffffe, 0xfffffffd},
    {RISCV_DIV, 7, 0, ONES},
    {RISCV_DIV, MIN, ONES, MIN},
    {RISCV_DIV, MIN, 1, MIN},
    {RISCV_DIVU, 7, 0, ONES},
    {RISCV_DIVU, MIN, ONES, 0},
    {RISCV_DIVU, ONES, 10, 429496729},
    {RISCV_REM, 0xfffffff9, 2, ONES},
    {RISCV_REM, 7, 0xfffffffe, 1},
    {RISCV_REM, 7, 0, 7},
    {RISCV_REM, MIN, ONES, 0},
    {RISCV_REMU, 7, 0, 7},
    {RISCV_REMU, MIN, ONES, MIN},
    {RISCV_REMU, ONES, 10, 5},
    {RISCV_SH1ADD, 0x80000001, 5, 7},
    {RISCV_SH2ADD, 3, 1, 13},
    {RISCV_SH3ADD, 0x20000001, 0, 8},
    {RISCV_ANDN, ONES, 0x0ff, 0xffffff00},
    {RISCV_ORN, 0, 0x0ff, 0xffffff00},
    {RISCV_XNOR, 0xff00ff00, 0x0ff00ff0, 0x0f0f0f0f},
    {RISCV_CLZ, 0, 0, 32},
    {RISCV_CLZ, 1, 0, 31},
    {RISCV_CLZ, MIN, 0, 0},
    {RISCV_CTZ, 0, 0, 32},
    {RISCV_CTZ, MIN, 0, 31},
    {RISCV_CTZ, 12, 0, 2},
    {RISCV_CPOP, ONES, 0, 32},
    {RISCV_CPOP, 0x80000001, 0, 2},
    {RISCV_CPOP, 0, 0, 0},
    {RISCV_MAX, MIN, 1, 1},
    {RISCV_MAXU, MIN, 1, MIN},
    {RISCV_MIN, MIN, 1, MIN},
    {RISCV_MINU, MIN, 1, 1},
    {RISCV_SEXT_B, 0x180, 0, 0xffffff80},
    {RISCV_SEXT_B, 0x17f, 0, 0x7f},
    {RISCV_SEXT_H, 0x18000, 0, 0xffff8000},
    {RISCV_SEXT_H, 0x17fff, 0, 0x7fff},
    {RISCV_PACK, ONES, 0, 0xffff},
    {RISCV_PACK, 0x12345678, 0x9abcdef0, 0xdef05678},
    {RISCV_ROL, 0x80000001, 1, 3},
    {RISCV_ROL, 0x12345678, 32, 0x12345678},
    {RISCV_ROR, 0x80000001, 1, 0xc0000000},
    {RISCV_ROR, 0x12345678, 36, 0x81234567},
    {RISCV_RORI, 0x12345678, 8, 0x78123456},
    {RISCV_RORI, 0x12345678, 0, 0x12345678},
    {RISCV_ORC_B, 0x01008000, 0, 0xff00ff00},
    {RISCV_ORC_B, 0x00ff007f, 0, 0x00ff00ff},
    {RISCV_GREVI, 0x12345678, 24, 0x78563412}, // rev8
    {RISCV_GREVI, 0x01020380, 7, 0x8040c001},  // brev8
    {RISCV_GREVI, 0x00000001, 31, MIN},
    {RISCV_GREVI, 0x12345678, 16, 0x56781234},
};

static uint32_t result_of(tsr_arch arch, const struct example *e, unsigned rd)
{
    struct riscv_rig *rig = rig_new(arch, TSR_CORE_B);
    const struct tsr_riscv_row *row = tsr_riscv_row(e->code);
    bool constant = row->format == RISCV_FORMAT_I || row->format == RISCV_FORMAT_SHIFT;
    rig_add(rig, constant ? rv_i(e->code, rd, RS1, (int32_t)e->b)
                          : rv_r(e->code, rd, RS1,
                                 row->format == RISCV_FORMAT_UNARY || !e->b ? 0 : RS2));
    rig->hart.x[RD] = 0xdeadbeef;
    rig->hart.x[RS1] = e->a;
    rig->hart.x[RS2] = e->b;
    assert_int_equal(tsr_riscv_run(rig->riscv, &rig->hart, 1), 1);
    assert_int_equal(rig->findings, 0);
    assert_int_equal(rig->hart.pc, RIG_CODE + 4);
    assert_int_equal(rig->hart.retired, 1);
    uint32_t result = rig->hart.x[rd];
    rig_free(rig);
    return result;
}

static bool computes(int code)
{
    uint32_t opcode = tsr_riscv_row(code)->match & 0x7f;
    return (opcode == 0x13 || opcode == 0x33) && tsr_riscv_row(code)->implemented;
}

static void test_examples(void **state)
{
    (void)state;
    bool seen[RISCV_ROWS] = {false};
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        const struct example *e = &examples[i];
        seen[e->code] = true;
        for (int arch = 0; arch < TSR_ARCH_COUNT; arch++) {
            if (!tsr_riscv_row(e->code)->cores[arch])
                continue;
            uint32_t got = result_of((tsr_arch)arch, e, RD);
            if (got != e->result)
                fail_msg("%s %08x %08x: %08x, not %08x", tsr_riscv_row(e->code)->mnemonic,
                         (unsigned)e->a, (unsigned)e->b, (unsigned)got, (unsigned)e->result);
            assert_int_equal(result_of((tsr_arch)arch, e, 0), 0);
        }
    }
    for (int code = 0; code < RISCV_ROWS; code++)
        if (computes(code) && !seen[code])
            fail_msg("%s has no example", tsr_riscv_row(code)->mnemonic);
}

static void test_upper_immediates(void **state)
{
    (void)state;
    struct riscv_rig *rig = rig_new(TSR_WORMHOLE_B0, TSR_CORE_B);
    rig_add(rig, rv_u(RISCV_LUI, RD, 0xfffff000));
    rig_add(rig, rv_u(RISCV_AUIPC, RS1, 0x80000000));
    rig_add(rig, rv_u(RISCV_LUI, 0, 0x1000));
    rig_add(rig, rv_r(RISCV_ADD, RS2, RS1, RS1));
    assert_int_equal(tsr_riscv_run(rig->riscv, &rig->hart, 4), 4);
    assert_int_equal(rig->hart.x[RD], 0xfffff000);
    assert_int_equal(rig->hart.x[RS1], 0x80000000 + RIG_CODE + 4);
    assert_int_equal(rig->hart.x[RS2], 2 * (RIG_CODE + 4));
    assert_int_equal(rig->hart.x[0], 0);
    rig_free(rig);
}

// No two rows claim a word, so their order does not matter.
static void test_rows_do_not_overlap(void **state)
{
    (void)state;
    for (int i = 0; i < RISCV_ROWS; i++) {
        const struct tsr_riscv_row *a = tsr_riscv_row(i);
        assert_int_equal(a->match & ~a->mask, 0);
        assert_int_equal(a->match & 3, 3);
        assert_ptr_equal(tsr_riscv_find_row(a->match), a);
        for (int j = 0; j < i; j++) {
            const struct tsr_riscv_row *b = tsr_riscv_row(j);
            if (((a->match ^ b->match) & a->mask & b->mask) == 0)
                fail_msg("%s and %s overlap", a->mnemonic, b->mnemonic);
        }
    }
}

static void test_rows_are_public(void **state)
{
    (void)state;
    tsr_core_instruction_info info;
    assert_int_equal(tsr_core_instruction_count(), RISCV_ROWS);
    assert_true(tsr_core_instruction_at(RISCV_SH1ADD, &info));
    assert_string_equal(info.mnemonic, "sh1add");
    assert_string_equal(info.extension, "Zba");
    assert_int_equal(info.cores[TSR_WORMHOLE_B0], 0);
    assert_int_equal(info.cores[TSR_BLACKHOLE_A0], 0x1f);
    assert_true(info.implemented);
    assert_false(tsr_core_instruction_at(-1, &info));
    assert_false(tsr_core_instruction_at(RISCV_ROWS, &info));
    assert_false(tsr_core_instruction_at(0, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_upper_immediates),
        cmocka_unit_test(test_rows_do_not_overlap),
        cmocka_unit_test(test_rows_are_public),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
