// SPDX-License-Identifier: Apache-2.0
// Blackhole's CSRs and atomic instructions.
// Pages: CSRs.md and MemoryOrdering.md of BlackholeA0/TensixTile/BabyRISCV.
#include "rig/riscv_rig.h"

#include "base/finding_codes.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { RD = 5, RS1 = 6, RS2 = 7 };
enum { MSTATUS = 0x300, CFG0 = 0x7c0, CFG1 = 0x7c3, MCYCLE = 0xb00, MINSTRET = 0xb02 };
enum { MCYCLEH = 0xb80, CYCLE = 0xc00, QSTATUS = 0xbc0, SSTATUS0 = 0xbc2, MHARTID = 0xf14 };
enum { RESTORE_PC = 0xbca };

static struct riscv_rig *new_rig(int core)
{
    struct riscv_rig *rig = rig_new(TSR_BLACKHOLE_A0, core);
    tsr_hart_reset(&rig->hart, RIG_CODE, 0);
    return rig;
}

// Executes one CSR instruction and returns what it read.
static uint32_t csr(struct riscv_rig *rig, enum tsr_riscv_code code, int32_t number,
                    uint32_t operand)
{
    bool constant = code >= RISCV_CSRRWI;
    rig->hart.x[RS1] = operand;
    rig->hart.x[RD] = 0xdeadbeef;
    rig_add(rig, rv_i(code, RD, constant ? operand : (uint32_t)RS1, number));
    assert_int_equal(tsr_riscv_run(rig->riscv, &rig->hart, 1), 1);
    return rig->hart.x[RD];
}

static uint32_t peek(struct riscv_rig *rig, int32_t number)
{
    return csr(rig, RISCV_CSRRSI, number, 0);
}

static void test_ways_to_write(void **state)
{
    (void)state;
    struct riscv_rig *rig = new_rig(TSR_CORE_T1);
    assert_int_equal(csr(rig, RISCV_CSRRW, CFG1, 0x12345678), 0);
    assert_int_equal(csr(rig, RISCV_CSRRS, CFG1, 0x0f), 0x12345678);
    assert_int_equal(csr(rig, RISCV_CSRRC, CFG1, 0x70), 0x1234567f);
    assert_int_equal(csr(rig, RISCV_CSRRWI, CFG1, 0x1f), 0x1234560f);
    assert_int_equal(csr(rig, RISCV_CSRRCI, CFG1, 3), 0x1f);
    assert_int_equal(csr(rig, RISCV_CSRRSI, CFG1, 1), 0x1c);
    assert_int_equal(peek(rig, CFG1), 0x1d);
    rig_add(rig, rv_i(RISCV_CSRRWI, 0, 2, CFG1));
    assert_int_equal(tsr_riscv_run(rig->riscv, &rig->hart, 1), 1);
    assert_int_equal(rig->hart.x[0], 0);
    assert_int_equal(peek(rig, CFG1), 2);
    assert_int_equal(rig->findings, 0);
    rig_free(rig);
}

static void test_values_after_reset(void **state)
{
    (void)state;
    struct riscv_rig *rig = new_rig(TSR_CORE_B);
    assert_int_equal(csr(rig, RISCV_CSRRWI, MSTATUS, 1), 0x80006600);
    assert_int_equal(peek(rig, MSTATUS), 0x80006600);
    assert_int_equal(peek(rig, 0x301), 0x40201123);
    assert_int_equal(peek(rig, CFG0), 0x20000);
    assert_int_equal(peek(rig, 0xc22), 16);
    assert_int_equal(csr(rig, RISCV_CSRRWI, MHARTID, 3), 0);
    assert_int_equal(peek(rig, MHARTID), 0);
    assert_int_equal(csr(rig, RISCV_CSRRW, 0x003, 0xffffffff), 0);
    assert_int_equal(peek(rig, 0x003), 0xff);
    rig_free(rig);
}

static void test_counters(void **state)
{
    (void)state;
    struct riscv_rig *rig = new_rig(TSR_CORE_B);
    rig->now = 0x1fffffff0;
    rig->hart.cycles_from = 0x10;
    assert_int_equal(peek(rig, MCYCLE), 0xffffffe0);
    assert_int_equal(peek(rig, MCYCLEH), 1);
    assert_int_equal(peek(rig, MINSTRET), 2);
    assert_int_equal(csr(rig, RISCV_CSRRW, MCYCLE, 100), 0xffffffe3);
    assert_int_equal(peek(rig, CYCLE), 101); // the same counter
    assert_int_equal(peek(rig, MCYCLEH), 1);
    csr(rig, RISCV_CSRRW, MCYCLEH, 7);
    assert_int_equal(peek(rig, MCYCLEH), 7);
    assert_int_equal(peek(rig, MCYCLE), 105);
    csr(rig, RISCV_CSRRW, 0xc02, 1000);
    assert_int_equal(peek(rig, MINSTRET), 1000); // the write takes the place of the count
    assert_int_equal(peek(rig, MINSTRET), 1001);
    rig_free(rig);
}

static void check_no_csr(int core, int32_t number, int finding)
{
    struct riscv_rig *rig = new_rig(core);
    assert_int_equal(csr(rig, RISCV_CSRRWI, number, 1), 0xdeadbeef); // as a nop
    assert_int_equal(rig->findings, 1);
    assert_int_equal(rig->finding, finding);
    rig_free(rig);
}

static void test_csrs_that_are_not_there(void **state)
{
    (void)state;
    check_no_csr(TSR_CORE_B, 0x100, FINDING_CORE_LACKS_INSTRUCTION);
    check_no_csr(TSR_CORE_B, 0x001, FINDING_CORE_LACKS_INSTRUCTION);
    check_no_csr(TSR_CORE_T0, SSTATUS0, FINDING_CORE_UNIMPLEMENTED_INSTRUCTION);
    struct riscv_rig *rig = new_rig(TSR_CORE_NC);
    assert_int_equal(csr(rig, RISCV_CSRRWI, SSTATUS0, 5), 0);
    assert_int_equal(peek(rig, SSTATUS0), 5);
    rig_free(rig);
}

// Without an event they keep what is written; which events there are is on no page.
static void test_event_counters(void **state)
{
    (void)state;
    static const struct {
        int32_t event, low, high;
    } counters[] = {{0x323, 0xb03, 0xb83}, {0x324, 0xb04, 0xb84}};
    for (int i = 0; i < 2; i++) {
        struct riscv_rig *rig = new_rig(TSR_CORE_T1);
        csr(rig, RISCV_CSRRW, counters[i].low, 77);
        csr(rig, RISCV_CSRRW, counters[i].high, 5);
        assert_int_equal(peek(rig, counters[i].low), 77);
        assert_int_equal(peek(rig, counters[i].high), 5);
        csr(rig, RISCV_CSRRS, CFG0, 1 << 8); // PmcClrOnRd
        assert_int_equal(peek(rig, counters[i].low), 77);
        assert_int_equal(peek(rig, counters[i].low), 0);
        assert_int_equal(peek(rig, counters[i].high), 5);
        assert_int_equal(rig->findings, 0);
        csr(rig, RISCV_CSRRW, counters[i].event, 3);
        peek(rig, counters[i].low);
        assert_int_equal(rig->finding, FINDING_CORE_UNIMPLEMENTED_INSTRUCTION);
        assert_non_null(strstr(rig->said, "event"));
        rig_free(rig);
    }
}

static uint32_t show_status(void *self, int core, bool busy)
{
    const struct riscv_rig *rig = self;
    return rig->device + (uint32_t)core + (busy ? 0x100 : 0);
}

// It shows what it shows, until cfg0 keeps it; then it can be written. The streams' likewise.
static void test_status(void **state)
{
    (void)state;
    struct riscv_rig *rig = new_rig(TSR_CORE_T2);
    rig->bus.status = show_status;
    rig->device = 0x1000;
    csr(rig, RISCV_CSRRW, QSTATUS, 5);
    assert_int_equal(peek(rig, QSTATUS), 0x1003);
    assert_int_equal(peek(rig, QSTATUS + 1), 0x1103);
    csr(rig, RISCV_CSRRS, CFG0, 1 << 29);
    rig->device = 0x2000;
    assert_int_equal(peek(rig, QSTATUS), 0x1003);
    assert_int_equal(peek(rig, QSTATUS + 1), 0x1103);
    csr(rig, RISCV_CSRRW, QSTATUS, 5);
    assert_int_equal(peek(rig, QSTATUS), 5);
    csr(rig, RISCV_CSRRW, SSTATUS0, 6);
    assert_int_equal(peek(rig, SSTATUS0), 6);
    csr(rig, RISCV_CSRRC, CFG0, 1 << 29);
    assert_int_equal(peek(rig, QSTATUS), 0x2003);
    assert_int_equal(rig->findings, 0);
    rig_free(rig);
}

static bool show_stream(void *self, int core, unsigned which, uint32_t *value)
{
    const struct riscv_rig *rig = self;
    *value = rig->device + 16 * (uint32_t)core + which;
    return rig->device != 0;
}

// Each use is a finding, as nobody says which stream it is; of a core without, and while cfg0 keeps
// them, they only hold what is written.
static void test_streams(void **state)
{
    (void)state;
    struct riscv_rig *rig = new_rig(TSR_CORE_T1);
    rig->bus.stream = show_stream;
    rig->device = 0x1000;
    for (int i = 0; i < 8; i++) {
        assert_int_equal(peek(rig, SSTATUS0 + i), 0x1020 + i);
        assert_int_equal(rig->finding, FINDING_UNDOCUMENTED_MODE);
    }
    assert_non_null(strstr(rig->said, "tt_cfg_sstatus7"));
    csr(rig, RISCV_CSRRS, CFG0, 1 << 29);
    unsigned found = (unsigned)rig->findings;
    rig->device = 0x2000;
    assert_int_equal(peek(rig, SSTATUS0 + 5), 0x1025);
    assert_int_equal(rig->findings, found);
    csr(rig, RISCV_CSRRC, CFG0, 1 << 29);
    rig->device = 0;
    peek(rig, SSTATUS0);
    assert_int_equal(rig->finding, FINDING_CORE_UNIMPLEMENTED_INSTRUCTION);
    rig_free(rig);
    rig = new_rig(TSR_CORE_B);
    rig->bus.stream = show_stream;
    rig->device = 0x1000;
    csr(rig, RISCV_CSRRW, SSTATUS0, 6);
    assert_int_equal(peek(rig, SSTATUS0), 6);
    assert_int_equal(rig->findings, 0);
    rig_free(rig);
}

static void test_mret(void **state)
{
    (void)state;
    struct riscv_rig *rig = new_rig(TSR_CORE_B);
    rig_add(rig, tsr_riscv_row(RISCV_MRET)->match);
    assert_int_equal(tsr_riscv_run(rig->riscv, &rig->hart, 1), 1);
    assert_int_equal(rig->hart.pc, 0);
    assert_int_equal(rig->finding, FINDING_UNDOCUMENTED_MODE);
    rig_free(rig);
}

// A handler reads CSRs and writes none. mret goes to where the interrupt came from, and again with
// a finding.
static void test_handler(void **state)
{
    (void)state;
    struct riscv_rig *rig = new_rig(TSR_CORE_NC);
    csr(rig, RISCV_CSRRW, RESTORE_PC, 0x1234);
    uint32_t from = rig->hart.pc;
    tsr_riscv_interrupt(&rig->hart, from);
    assert_int_equal(peek(rig, RESTORE_PC), from);
    assert_int_equal(rig->findings, 0);
    static const enum tsr_riscv_code codes[] = {RISCV_CSRRW,  RISCV_CSRRS,  RISCV_CSRRC,
                                                RISCV_CSRRWI, RISCV_CSRRSI, RISCV_CSRRCI};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        unsigned found = (unsigned)rig->findings;
        csr(rig, codes[i], RESTORE_PC, 4);
        assert_int_equal(rig->finding, FINDING_CORE_HANDLER_CSR);
        assert_int_equal(rig->findings, found + 1);
        assert_int_equal(rig->hart.x[RD], from);
        assert_int_equal(rig->hart.csr[TSR_CSR_INTP_RESTORE_PC], from);
    }
    for (int again = 0; again < 2; again++) {
        unsigned found = (unsigned)rig->findings;
        rig_add(rig, tsr_riscv_row(RISCV_MRET)->match);
        if (again)
            rig->hart.pc = rig->end - 4;
        assert_int_equal(tsr_riscv_run(rig->riscv, &rig->hart, 1), 1);
        assert_int_equal(rig->hart.pc, from);
        assert_int_equal(rig->findings, found + (unsigned)again);
        assert_false(rig->hart.interrupted);
    }
    rig->hart.pc = rig->end;
    csr(rig, RISCV_CSRRW, RESTORE_PC, 4);
    assert_int_equal(peek(rig, RESTORE_PC), 4);
    rig_free(rig);
}

// cfg0's DisTriscCache: adjacent .ttinsn go one by one.
static void test_fusion_ends(void **state)
{
    (void)state;
    struct riscv_rig *rig = new_rig(TSR_CORE_T0);
    rig_add(rig, rv_ttinsn(1));
    rig_add(rig, rv_ttinsn(2));
    rig_add(rig, rv_i(RISCV_CSRRS, 0, RS1, CFG0));
    rig_add(rig, rv_ttinsn(3));
    rig_add(rig, rv_ttinsn(4));
    rig->hart.x[RS1] = 1u << 18;
    assert_int_equal(tsr_riscv_run(rig->riscv, &rig->hart, 4), 4);
    assert_int_equal(rig->hart.pc, rig->end);
    assert_int_equal(rig->groups, 3);
    assert_int_equal(rig->pushes, 4);
    rig_free(rig);
}

static void test_atomics(void **state)
{
    (void)state;
    static const struct {
        enum tsr_riscv_code code;
        uint32_t old, operand, left;
    } rows[] = {
        {RISCV_AMOSWAP_W, 1, 2, 2},
        {RISCV_AMOADD_W, 0xffffffff, 2, 1},
        {RISCV_AMOXOR_W, 0xff00, 0x0ff0, 0xf0f0},
        {RISCV_AMOAND_W, 0xff00, 0x0ff0, 0x0f00},
        {RISCV_AMOOR_W, 0xff00, 0x0ff0, 0xfff0},
        {RISCV_AMOMIN_W, 0xffffffff, 1, 0xffffffff},
        {RISCV_AMOMAX_W, 0xffffffff, 1, 1},
        {RISCV_AMOMINU_W, 0xffffffff, 1, 1},
        {RISCV_AMOMAXU_W, 0xffffffff, 1, 0xffffffff},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct riscv_rig *rig = new_rig(TSR_CORE_B);
        rig->hart.x[RS1] = RIG_DATA;
        rig->hart.x[RS2] = rows[i].operand;
        rig_put(rig, RIG_DATA, rows[i].old);
        rig_add(rig, rv_r(rows[i].code, RD, RS1, RS2) | 3u << 25); // aq and rl
        assert_int_equal(tsr_riscv_run(rig->riscv, &rig->hart, 1), 1);
        assert_int_equal(rig->hart.x[RD], rows[i].old);
        assert_int_equal(rig_get(rig, RIG_DATA), rows[i].left);
        rig->hart.x[RS1] = RIG_RAM_AT;
        rig_add(rig, rv_r(rows[i].code, 0, RS1, RS2));
        assert_int_equal(tsr_riscv_run(rig->riscv, &rig->hart, 1), 1);
        assert_int_equal(rig->finding, FINDING_CORE_ATOMIC_OUTSIDE_L1);
        assert_int_equal(rig->hart.x[0], 0);
        rig_free(rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ways_to_write),  cmocka_unit_test(test_values_after_reset),
        cmocka_unit_test(test_counters),       cmocka_unit_test(test_csrs_that_are_not_there),
        cmocka_unit_test(test_event_counters), cmocka_unit_test(test_status),
        cmocka_unit_test(test_streams),        cmocka_unit_test(test_mret),
        cmocka_unit_test(test_handler),        cmocka_unit_test(test_fusion_ends),
        cmocka_unit_test(test_atomics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
