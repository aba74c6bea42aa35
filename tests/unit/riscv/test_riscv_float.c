// SPDX-License-Identifier: Apache-2.0
// F and Zfh instructions on Blackhole: registers, boxes, flags, formats. What the arithmetic gives
// is compared with the host in test_soft_float.c.
// Pages: InstructionSet.md and CSRs.md of BlackholeA0/TensixTile/BabyRISCV.
#include "rig/riscv_rig.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { RD = 5, RS1 = 6, RS2 = 7, RS3 = 8 };
enum { ONE = 0x3f800000, TWO = 0x40000000, THREE = 0x40400000, HALF_ONE = 0x3c00 };
#define BOX 0xffff0000u

struct example {
    enum tsr_riscv_code code;
    uint32_t a, b, c; // f6 and x6, f7, f8
    uint32_t result;  // f5, or x5
    uint32_t flags;
    bool to_integer;
};

static const struct example examples[] = {
    {RISCV_FADD_S, ONE, TWO, 0, THREE, 0, false},
    {RISCV_FSUB_S, THREE, TWO, 0, ONE, 0, false},
    {RISCV_FMUL_S, TWO, TWO, 0, 0x40800000, 0, false},
    {RISCV_FADD_S, 1, ONE, 0, ONE, 0, false},               // a denormal is a zero
    {RISCV_FMUL_S, 0x00800000, 0x3f000000, 0, 0, 3, false}, // and so is the result
    {RISCV_FADD_S, 0x7f800001, ONE, 0, 0x7fc00000, 16, false},
    {RISCV_FMADD_S, TWO, THREE, ONE, 0x40e00000, 0, false},
    {RISCV_FMSUB_S, TWO, THREE, ONE, 0x40a00000, 0, false},
    {RISCV_FNMSUB_S, TWO, THREE, ONE, 0xc0a00000, 0, false},
    {RISCV_FNMADD_S, TWO, THREE, ONE, 0xc0e00000, 0, false},
    {RISCV_FSGNJ_S, ONE, 0x80000000, 0, 0xbf800000, 0, false},
    {RISCV_FSGNJN_S, ONE, 0x80000000, 0, ONE, 0, false},
    {RISCV_FSGNJX_S, 0xbf800000, 0x80000000, 0, ONE, 0, false},
    {RISCV_FMIN_S, ONE, TWO, 0, ONE, 0, false},
    {RISCV_FMAX_S, ONE, 0x7fc00000, 0, ONE, 0, false},
    {RISCV_FCVT_W_S, 0xbfc00000, 0, 0, 0xfffffffe, 1, true}, // -1.5 to even
    {RISCV_FCVT_WU_S, 0xbf800000, 0, 0, 0, 16, true},
    {RISCV_FMV_X_W, 0xdeadbeef, 0, 0, 0xdeadbeef, 0, true},
    {RISCV_FEQ_S, ONE, ONE, 0, 1, 0, true},
    {RISCV_FLT_S, ONE, 0x7fc00000, 0, 0, 16, true},
    {RISCV_FLE_S, ONE, ONE, 0, 1, 0, true},
    {RISCV_FCLASS_S, 0x80000000, 0, 0, 8, 0, true},
    {RISCV_FCVT_S_W, 0xffffffff, 0, 0, 0xbf800000, 0, false},
    {RISCV_FCVT_S_WU, 0xffffffff, 0, 0, 0x4f800000, 1, false},
    {RISCV_FMV_W_X, 0x12345678, 0, 0, 0x12345678, 0, false},
    {RISCV_FADD_H, BOX | HALF_ONE, BOX | HALF_ONE, 0, BOX | 0x4000, 0, false},
    {RISCV_FSUB_H, BOX | 0x4000, BOX | HALF_ONE, 0, BOX | HALF_ONE, 0, false},
    {RISCV_FADD_H, HALF_ONE, BOX | HALF_ONE, 0, BOX | 0x7e00, 0, false}, // not boxed
    {RISCV_FMUL_H, BOX | 0x4000, BOX | 0x4000, 0, BOX | 0x4400, 0, false},
    {RISCV_FMADD_H, BOX | 0x4000, BOX | 0x4000, BOX | HALF_ONE, BOX | 0x4500, 0, false},
    {RISCV_FMSUB_H, BOX | 0x4000, BOX | 0x4000, BOX | HALF_ONE, BOX | 0x4200, 0, false},
    {RISCV_FNMSUB_H, BOX | 0x4000, BOX | 0x4000, BOX | HALF_ONE, BOX | 0xc200, 0, false},
    {RISCV_FNMADD_H, BOX | 0x4000, BOX | 0x4000, BOX | HALF_ONE, BOX | 0xc500, 0, false},
    {RISCV_FSGNJ_H, BOX | HALF_ONE, BOX | 0x8000, 0, BOX | 0xbc00, 0, false},
    {RISCV_FSGNJN_H, BOX | HALF_ONE, BOX, 0, BOX | 0xbc00, 0, false},
    {RISCV_FSGNJX_H, BOX | 0xbc00, BOX | 0x8000, 0, BOX | HALF_ONE, 0, false},
    {RISCV_FMIN_H, BOX | HALF_ONE, BOX | 0xbc00, 0, BOX | 0xbc00, 0, false},
    {RISCV_FMAX_H, BOX | HALF_ONE, BOX | 0xbc00, 0, BOX | HALF_ONE, 0, false},
    {RISCV_FCVT_W_H, BOX | 0xbe00, 0, 0, 0xfffffffe, 1, true},
    {RISCV_FCVT_WU_H, BOX | 0x7c00, 0, 0, 0xffffffff, 16, true},
    {RISCV_FMV_X_H, BOX | 0xbc00, 0, 0, 0xffffbc00, 0, true},
    {RISCV_FEQ_H, BOX | HALF_ONE, BOX | HALF_ONE, 0, 1, 0, true},
    {RISCV_FLT_H, BOX | HALF_ONE, BOX | HALF_ONE, 0, 0, 0, true},
    {RISCV_FLE_H, BOX | HALF_ONE, BOX | HALF_ONE, 0, 1, 0, true},
    {RISCV_FCLASS_H, BOX | 1, 0, 0, 32, 0, true},
    {RISCV_FCVT_H_W, 3, 0, 0, BOX | 0x4200, 0, false},
    {RISCV_FCVT_H_WU, 0xffffffff, 0, 0, BOX | 0x7c00, 5, false},
    {RISCV_FMV_H_X, 0x12345678, 0, 0, BOX | 0x5678, 0, false},
    {RISCV_FCVT_S_H, BOX | HALF_ONE, 0, 0, ONE, 0, false},
    {RISCV_FCVT_H_S, ONE, 0, 0, BOX | HALF_ONE, 0, false},
};

static struct riscv_rig *new_rig(void)
{
    struct riscv_rig *rig = rig_new(TSR_BLACKHOLE_A0, TSR_CORE_T0);
    tsr_hart_reset(&rig->hart, RIG_CODE, 0);
    return rig;
}

static void check_example(const struct example *e)
{
    struct riscv_rig *rig = new_rig();
    const struct tsr_riscv_row *row = tsr_riscv_row(e->code);
    rig->hart.x[RS1] = rig->hart.f[RS1] = e->a;
    rig->hart.f[RS2] = e->b;
    rig->hart.f[RS3] = e->c;
    // The rounding mode says "up", which the cores ignore.
    uint32_t up = row->mask & 0x7000 ? 0 : 3u << 12;
    uint32_t registers = RD << 7 | RS1 << 15 | (RS2 << 20 & ~row->mask) | (RS3 << 27 & ~row->mask);
    rig_add(rig, row->match | registers | up);
    assert_int_equal(tsr_riscv_run(rig->riscv, &rig->hart, 1), 1);
    assert_int_equal(rig->findings, 0);
    uint32_t got = e->to_integer ? rig->hart.x[RD] : rig->hart.f[RD];
    if (got != e->result || rig->hart.csr[TSR_CSR_FCSR] != e->flags)
        fail_msg("%s %08x %08x: %08x %x, not %08x %x", row->mnemonic, (unsigned)e->a,
                 (unsigned)e->b, (unsigned)got, (unsigned)rig->hart.csr[TSR_CSR_FCSR],
                 (unsigned)e->result, (unsigned)e->flags);
    rig_free(rig);
}

static void test_examples(void **state)
{
    (void)state;
    bool seen[RISCV_ROWS] = {false};
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        seen[examples[i].code] = true;
        check_example(&examples[i]);
    }
    for (int code = RISCV_FLW; code <= RISCV_FCVT_H_S; code++) {
        enum tsr_riscv_format format = tsr_riscv_row(code)->format;
        bool memory = format == RISCV_FORMAT_FLOAD || format == RISCV_FORMAT_FSTORE;
        if (tsr_riscv_row(code)->implemented && !memory && !seen[code])
            fail_msg("%s has no example", tsr_riscv_row(code)->mnemonic);
    }
}

static void test_loads_and_stores(void **state)
{
    (void)state;
    struct riscv_rig *rig = new_rig();
    rig->hart.x[RS1] = RIG_DATA;
    rig_put(rig, RIG_DATA, 0x12345678);
    rig_add(rig, rv_i(RISCV_FLW, RD, RS1, 0));
    rig_add(rig, rv_i(RISCV_FLH, RS2, RS1, 2));
    rig_add(rig, rv_s(RISCV_FSW, RD, RS1, 8));
    rig_add(rig, rv_s(RISCV_FSH, RD, RS1, 12));
    rig_add(rig, rv_i(RISCV_FLW, 0, RS1, 0)); // f0 is a register
    assert_int_equal(tsr_riscv_run(rig->riscv, &rig->hart, 5), 5);
    assert_int_equal(rig->hart.f[RD], 0x12345678);
    assert_int_equal(rig->hart.f[RS2], BOX | 0x1234);
    assert_int_equal(rig_get(rig, RIG_DATA + 8), 0x12345678);
    assert_int_equal(rig_get(rig, RIG_DATA + 12), 0x5678);
    assert_int_equal(rig->hart.f[0], 0x12345678);
    rig_free(rig);
}

// cfg0 makes bfloat16 of binary16, and says how it rounds.
static void test_bfloat16(void **state)
{
    (void)state;
    static const struct {
        uint32_t cfg0, result;
    } rows[] = {{1u << 30, BOX | 0x3f80}, {3u << 30, BOX | 0x3f81}};
    for (int i = 0; i < 2; i++) {
        struct riscv_rig *rig = new_rig();
        rig->hart.csr[TSR_CSR_CFG0] = rows[i].cfg0;
        rig->hart.f[RS1] = BOX | 0x3f80;
        rig->hart.f[RS2] = BOX | 0x3bff;
        rig_add(rig, rv_r(RISCV_FADD_H, RD, RS1, RS2));
        assert_int_equal(tsr_riscv_run(rig->riscv, &rig->hart, 1), 1);
        assert_int_equal(rig->hart.f[RD], rows[i].result);
        rig_free(rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_loads_and_stores),
        cmocka_unit_test(test_bfloat16),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
