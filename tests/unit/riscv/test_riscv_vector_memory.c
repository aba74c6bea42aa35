// SPDX-License-Identifier: Apache-2.0
// T2's vector loads and stores: each row with and without a mask, compared with a loop over
// elements and fields; unaligned ones, those that wait, code that they write.
// Pages: InstructionSet.md and README.md of BlackholeA0/TensixTile/BabyRISCV; the RISC-V manual.
#include "base/finding_codes.h"
#include "rig/riscv_rig.h"
#include "riscv/riscv_vector_ops.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { BASE = 5, STEP = 6, DATA = 8, INDEX = 24, STRIDE = 24, AT = RIG_DATA + 0x400 };

// ---------------------------------------------------------------- every row

struct access {
    const struct tsr_riscv_row *row;
    bool loads, strided, indexed, whole, bits, masked;
    unsigned fields, width;             // of a datum, in bits
    unsigned index_bits;                // of those that are indexed
    uint32_t type, length;              // vtype, and how many elements move
    unsigned registers;                 // of a field
    uint8_t memory[RIG_L1], v[32 * 16]; // as they should be afterwards
};

static const unsigned widths[8] = {8, 0, 0, 0, 0, 16, 32, 0};

// As the word says it: the manual's fields, not the rows' macros.
static void describe(struct access *a, const struct tsr_riscv_row *row, bool masked)
{
    uint32_t mop = row->match >> 26 & 3, lumop = row->match >> 20 & 31;
    memset(a, 0, sizeof *a);
    a->row = row;
    a->loads = (row->match & 0x7f) == 0x07;
    a->fields = (row->match >> 29) + 1;
    a->strided = mop == 2;
    a->indexed = mop == 1 || mop == 3;
    a->whole = mop == 0 && lumop == 8 && row->mask >> 24 & 1;
    a->bits = mop == 0 && lumop == 11 && row->mask >> 24 & 1;
    a->masked = masked;
    a->width = widths[row->match >> 12 & 7];
    a->registers = 1;
    a->type = 0; // 16 elements of 8 bits
    a->length = 0;
    if (a->indexed) {
        a->index_bits = a->width;
        a->width = 8;
    }
    // Types with which a field has one register.
    a->type = a->indexed ? a->index_bits == 32   ? 6u
                           : a->index_bits == 16 ? 7u
                                                 : 0u
                         : (a->width == 32 ? 2u : a->width / 16) << 3;
    a->length = a->indexed ? 128 / a->index_bits : 128 / a->width;
}

static uint32_t offset_of(const struct access *a, uint32_t element, uint32_t field)
{
    uint32_t width = a->width / 8;
    if (a->strided)
        return element * STRIDE + field * width;
    if (a->indexed)
        return (element * 37 & 0xfc) + field * width;
    return (element * a->fields + field) * width;
}

// Moves what the instruction should, in the copies.
static void expect(struct access *a, uint32_t length)
{
    uint32_t width = a->width / 8, elements = length, fields = a->fields;
    if (a->whole) {
        elements = fields * 16 / width;
        fields = 1;
    } else if (a->bits) {
        elements = (length + 7) / 8;
    }
    for (uint32_t i = 0; i < elements; i++)
        for (uint32_t f = 0; f < fields; f++) {
            if (a->masked && !(a->v[i / 8] >> i % 8 & 1))
                continue;
            uint32_t at = AT + (a->whole || a->bits ? i * width : offset_of(a, i, f));
            uint8_t *in_register = &a->v[(DATA + f) * 16 + i * width];
            uint8_t *in_memory = &a->memory[at];
            memcpy(a->loads ? in_register : in_memory, a->loads ? in_memory : in_register, width);
        }
}

static struct riscv_rig *new_rig(void)
{
    struct riscv_rig *rig = rig_new(TSR_BLACKHOLE_A0, TSR_CORE_T2);
    tsr_hart_reset(&rig->hart, RIG_CODE, 0);
    rig->hart.x[BASE] = AT;
    rig->hart.x[STEP] = STRIDE;
    for (uint32_t i = RIG_DATA; i < RIG_L1; i++)
        rig->l1[i] = (uint8_t)(i * 31 + i / 256);
    for (uint32_t i = 0; i < sizeof rig->hart.v; i++)
        rig->hart.v[i] = (uint8_t)(i * 13 + 5);
    return rig;
}

static void check(const struct tsr_riscv_row *row, uint32_t length, bool masked)
{
    struct access *a = malloc(sizeof *a);
    struct riscv_rig *rig = new_rig();
    struct tsr_hart *hart = &rig->hart;
    describe(a, row, masked);
    if (length > a->length)
        length = a->length;
    hart->csr[TSR_CSR_VTYPE] = a->type;
    hart->csr[TSR_CSR_VL] = length;
    for (uint32_t i = 0; a->indexed && i < a->length; i++)
        tsr_vector_set(hart->v, INDEX, a->index_bits, i, i * 37 & 0xfc);
    uint32_t operands =
        DATA << 7 | BASE << 15 | (a->strided ? STEP : INDEX) << 20 | (masked ? 0 : 1u << 25);
    rig_add(rig, row->match | (operands & ~row->mask));
    memcpy(a->v, hart->v, sizeof a->v);
    memcpy(a->memory, rig->l1, sizeof a->memory);
    expect(a, length);
    assert_int_equal(tsr_riscv_run(rig->riscv, hart, 1), 1);
    if (rig->findings)
        fail_msg("%s: %s", row->mnemonic, rig->said);
    if (memcmp(a->v, hart->v, sizeof a->v) != 0 ||
        memcmp(a->memory, rig->l1, sizeof a->memory) != 0)
        fail_msg("%s, vl %u%s", row->mnemonic, (unsigned)length, masked ? ", masked" : "");
    rig_free(rig);
    free(a);
}

static bool is_memory(const struct tsr_riscv_row *row)
{
    return row->format >= RISCV_FORMAT_VLOAD && row->format <= RISCV_FORMAT_VSTORES;
}

static void test_every_row(void **state)
{
    (void)state;
    static const uint32_t lengths[] = {0, 1, 3, 16};
    int rows = 0;
    for (int code = 0; code < RISCV_ROWS; code++) {
        const struct tsr_riscv_row *row = tsr_riscv_row(code);
        if (!is_memory(row))
            continue;
        rows++;
        for (int i = 0; i < 4; i++) {
            check(row, lengths[i], false);
            if (!(row->mask >> 25 & 1))
                check(row, lengths[i], true);
        }
    }
    // 8 numbers of fields; loads in 5 ways and stores in 4, of 3 widths; 12 and 4 of registers; 2
    // of masks.
    assert_int_equal(rows, 8 * (5 + 4) * 3 + 12 + 4 + 2);
}

// The width of the data is the instruction's, and their group is as much longer.
static void test_other_widths(void **state)
{
    (void)state;
    struct riscv_rig *rig = new_rig();
    uint8_t expected[sizeof rig->hart.v];
    memcpy(expected, rig->hart.v, sizeof expected);
    rig->hart.csr[TSR_CSR_VTYPE] = 0; // e8, m1
    rig->hart.csr[TSR_CSR_VL] = 13;
    memcpy(&expected[DATA * 16], &rig->l1[AT], 13 * 4);
    rig_add(rig, tsr_riscv_row(RISCV_VLE32)->match | DATA << 7 | BASE << 15 | 1 << 25);
    assert_int_equal(tsr_riscv_run(rig->riscv, &rig->hart, 1), 1);
    assert_memory_equal(rig->hart.v, expected, sizeof expected);
    assert_int_equal(rig->findings, 0);
    rig_free(rig);
}

// ---------------------------------------------------------------- where memory is no memory

// An element that is not aligned is rounded down, as for scalars: the tile says so.
static void test_unaligned(void **state)
{
    (void)state;
    struct riscv_rig *rig = new_rig();
    rig->hart.csr[TSR_CSR_VTYPE] = 2 << 3;
    rig->hart.csr[TSR_CSR_VL] = 2;
    rig->hart.x[BASE] = AT + 1;
    rig_add(rig, tsr_riscv_row(RISCV_VLE32)->match | DATA << 7 | BASE << 15 | 1 << 25);
    assert_int_equal(tsr_riscv_run(rig->riscv, &rig->hart, 1), 1);
    assert_int_equal(rig->loads, 2);
    assert_memory_equal(&rig->hart.v[DATA * 16], &rig->l1[AT], 8);
    rig_free(rig);
}

// One that waits goes on where it was held: what it has loaded or stored is not done again.
static void check_waits(enum tsr_riscv_code code, bool store)
{
    struct riscv_rig *rig = new_rig();
    rig->hart.csr[TSR_CSR_VTYPE] = 2 << 3;
    rig->hart.csr[TSR_CSR_VL] = 3;
    rig->hart.x[BASE] = RIG_L1 - 8; // the third is outside
    rig->status = TSR_BUSY;
    rig->device = 0x12345678;
    rig_add(rig, tsr_riscv_row(code)->match | DATA << 7 | BASE << 15 | 1 << 25);
    assert_int_equal(tsr_riscv_run(rig->riscv, &rig->hart, 1), 0);
    assert_int_equal(rig->hart.rest, TSR_HART_BLOCKED);
    assert_int_equal(rig->hart.waits_at, RIG_L1);
    assert_int_equal(rig->hart.waits_to_store, store);
    rig_put(rig, RIG_L1 - 8, 0xdeadbeef); // a load would see it
    assert_int_equal(tsr_riscv_run(rig->riscv, &rig->hart, 1), 0);
    rig->status = TSR_OK;
    assert_int_equal(tsr_riscv_run(rig->riscv, &rig->hart, 1), 1);
    assert_int_equal(store ? rig->stores : rig->loads, 3);
    if (store) {
        assert_int_equal(rig_get(rig, RIG_L1 - 8), 0xdeadbeef);
        assert_int_equal(rig->stored, tsr_vector_get(rig->hart.v, DATA, 32, 2));
    } else {
        assert_int_not_equal(tsr_vector_get(rig->hart.v, DATA, 32, 0), 0xdeadbeef);
        assert_int_equal(tsr_vector_get(rig->hart.v, DATA, 32, 2), 0x12345678);
    }
    // The same instruction, once more: from its first element on.
    rig->hart.pc = RIG_CODE;
    assert_int_equal(tsr_riscv_run(rig->riscv, &rig->hart, 1), 1);
    assert_int_equal(rig_get(rig, RIG_L1 - 8),
                     store ? tsr_vector_get(rig->hart.v, DATA, 32, 0) : 0xdeadbeef);
    rig_free(rig);
}

static void test_waits(void **state)
{
    (void)state;
    check_waits(RISCV_VLE32, false);
    check_waits(RISCV_VSE32, true);
}

// The next instruction is one that the store has written.
static void test_writes_code(void **state)
{
    (void)state;
    struct riscv_rig *rig = new_rig();
    rig->hart.csr[TSR_CSR_VTYPE] = 2 << 3;
    rig->hart.csr[TSR_CSR_VL] = 2;
    rig->hart.x[BASE] = RIG_CODE + 4;
    tsr_vector_set(rig->hart.v, DATA, 32, 0, rv_i(RISCV_ADDI, 7, 0, 1));
    tsr_vector_set(rig->hart.v, DATA, 32, 1, rv_i(RISCV_ADDI, 8, 0, 2));
    rig_add(rig, tsr_riscv_row(RISCV_VSE32)->match | DATA << 7 | BASE << 15 | 1 << 25);
    for (int i = 0; i < 2; i++)
        rig_add(rig, rv_i(RISCV_ADDI, 0, 0, 0));
    assert_int_equal(tsr_riscv_run(rig->riscv, &rig->hart, 3), 3);
    assert_int_equal(rig->hart.x[7], 1);
    assert_int_equal(rig->hart.x[8], 2);
    rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_row),   cmocka_unit_test(test_other_widths),
        cmocka_unit_test(test_unaligned),   cmocka_unit_test(test_waits),
        cmocka_unit_test(test_writes_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
