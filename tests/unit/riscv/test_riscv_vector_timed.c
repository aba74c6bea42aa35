// SPDX-License-Identifier: Apache-2.0
// In which cycle T2's vector instructions execute, with timing on: EX1, EX2 and EX3, no forwarding,
// a place of the retire order for each register.
// Page: BlackholeA0/TensixTile/BabyRISCV/README.md; docs/errata.md 434.
#include "rig/riscv_rig.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { RD = 5, AT = 6, LONGEST = 500, MOST = 40, E8 = 0, E32 = 2 << 3, M2 = 1, M8 = 3 };

static struct riscv_rig *new_rig(uint32_t type, uint32_t length)
{
    struct riscv_rig *rig = rig_new(TSR_BLACKHOLE_A0, TSR_CORE_T2);
    tsr_hart_reset(&rig->hart, RIG_CODE, 0);
    rig->hart.x[AT] = RIG_DATA;
    rig->hart.csr[TSR_CSR_VTYPE] = type;
    rig->hart.csr[TSR_CSR_VL] = length;
    rig->hart.csr[TSR_CSR_CFG0] |= 1u << 3; // no data cache
    return rig;
}

static void add(struct riscv_rig *rig, enum tsr_riscv_code code, unsigned vd, unsigned vs2,
                unsigned vs1)
{
    const struct tsr_riscv_row *row = tsr_riscv_row(code);
    rig_add(rig, row->match | ((vd << 7 | vs1 << 15 | vs2 << 20 | 1u << 25) & ~row->mask));
}

// Runs the program and compares the cycles of its instructions, from the first one on; frees the
// rig.
static void assert_cycles(struct riscv_rig *rig, const uint64_t *cycles, int count)
{
    uint64_t at[MOST];
    int done = 0;
    for (uint64_t now = 0; rig->hart.pc != rig->end && now < LONGEST;) {
        uint64_t next, here = rig->now = now;
        if (tsr_riscv_step(rig->riscv, &rig->hart, here, &next))
            at[done++] = here;
        assert_true(next > now);
        now = next;
    }
    assert_int_equal(rig->findings, 0);
    assert_int_equal(done, count);
    for (int i = 0; i < count; i++)
        if (at[i] != cycles[i])
            fail_msg("instruction %d in cycle %d, not %d", i, (int)at[i], (int)cycles[i]);
    rig_free(rig);
}
#define ASSERT_CYCLES(rig, ...)                                                                    \
    assert_cycles(rig, (const uint64_t[]){__VA_ARGS__},                                            \
                  sizeof(const uint64_t[]){__VA_ARGS__} / sizeof(uint64_t))

static void test_one_a_cycle(void **state)
{
    (void)state;
    struct riscv_rig *rig = new_rig(E32, 4);
    for (unsigned v = 8; v < 12; v++)
        add(rig, RISCV_VADD_VV, v, 20, 21);
    ASSERT_CYCLES(rig, 0, 1, 2, 3);
    rig = new_rig(E32 | M2, 8); // two registers each
    for (unsigned v = 8; v < 16; v += 2)
        add(rig, RISCV_VADD_VV, v, 20, 22);
    ASSERT_CYCLES(rig, 0, 2, 4, 6);
}

// A result is there when it has left the retire order.
static void test_no_forwarding(void **state)
{
    (void)state;
    struct riscv_rig *rig = new_rig(E32, 4);
    add(rig, RISCV_VADD_VV, 8, 20, 21);
    add(rig, RISCV_VADD_VV, 9, 8, 21);
    add(rig, RISCV_VADD_VV, 10, 20, 9);
    ASSERT_CYCLES(rig, 0, 3, 6);
    rig = new_rig(E32, 4); // of a scalar behind a load, too, though the load is independent
    rig_add(rig, rv_i(RISCV_LW, RD, AT, 0));
    rig_add(rig, rv_i(RISCV_ADDI, RD + 2, 0, 1));
    rig_add(rig, rv_i(RISCV_ADDI, RD + 3, RD + 2, 1)); // a scalar instruction need not wait
    add(rig, RISCV_VADD_VX, 8, 20, RD + 2);
    ASSERT_CYCLES(rig, 0, 1, 2, 9);
    rig = new_rig(E32, 4);
    add(rig, RISCV_VMV_X_S, RD, 8, 0);
    rig_add(rig, rv_i(RISCV_ADDI, RD, RD, 1));
    ASSERT_CYCLES(rig, 0, 3);
    rig = new_rig(E32, 4); // a mask is an operand
    add(rig, RISCV_VMSEQ_VV, 0, 20, 21);
    rig_add(rig, tsr_riscv_row(RISCV_VADD_VV)->match | 8 << 7 | 20 << 20 | 21 << 15);
    ASSERT_CYCLES(rig, 0, 3);
}

// Eight places, one for each register.
static void test_retire_order(void **state)
{
    (void)state;
    struct riscv_rig *rig = new_rig(E8 | M8, 128);
    rig_add(rig, rv_i(RISCV_LW, RD, AT, 0)); // leaves in cycle 8
    add(rig, RISCV_VADD_VV, 8, 16, 24);      // 8 registers, in cycles 9 to 16
    rig_add(rig, rv_i(RISCV_ADDI, RD, 0, 1));
    ASSERT_CYCLES(rig, 0, 1, 9);
}

// What changes the type is alone.
static void test_types(void **state)
{
    (void)state;
    struct riscv_rig *rig = new_rig(E32, 4);
    add(rig, RISCV_VADD_VV, 8, 20, 21);
    rig_add(rig, tsr_riscv_row(RISCV_VSETIVLI)->match | RD << 7 | 4 << 15 | (uint32_t)E32 << 20);
    add(rig, RISCV_VADD_VV, 9, 20, 21);
    ASSERT_CYCLES(rig, 0, 1, 4);
}

static void test_loads(void **state)
{
    (void)state;
    struct riscv_rig *rig = new_rig(E32, 4);
    add(rig, RISCV_VLE32, 8, 0, AT);
    add(rig, RISCV_VADD_VV, 9, 8, 21);
    ASSERT_CYCLES(rig, 0, 8);
    rig = new_rig(E32 | M2, 8); // two accesses of 16 bytes
    add(rig, RISCV_VLE32, 8, 0, AT);
    add(rig, RISCV_VADD_VV, 10, 8, 20);
    ASSERT_CYCLES(rig, 0, 9);
    rig = new_rig(E32, 4); // one for each element
    rig->hart.x[7] = 64;
    add(rig, RISCV_VLSE32, 8, 7, AT);
    add(rig, RISCV_VADD_VV, 10, 8, 20);
    ASSERT_CYCLES(rig, 0, 11);
}

static void test_stores(void **state)
{
    (void)state;
    struct riscv_rig *rig = new_rig(E32, 4);
    rig->hart.x[20] = rig->hart.x[AT] + 16;
    add(rig, RISCV_VSE32, 8, 0, AT);
    add(rig, RISCV_VSE32, 8, 0, 20);
    rig_add(rig, rv_i(RISCV_LW, RD, 20, 4)); // of the line that is still queued
    ASSERT_CYCLES(rig, 0, 1, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_a_cycle),  cmocka_unit_test(test_no_forwarding),
        cmocka_unit_test(test_retire_order), cmocka_unit_test(test_types),
        cmocka_unit_test(test_loads),        cmocka_unit_test(test_stores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
