// SPDX-License-Identifier: Apache-2.0
// T2's vectors: the type and the length, elements that move, masks, moves to and from scalars, and
// what RISC-V reserves.
// Pages: InstructionSet.md and CSRs.md of BlackholeA0/TensixTile/BabyRISCV; the RISC-V manual for
// V.
#include "base/finding_codes.h"
#include "rig/riscv_rig.h"
#include "riscv/riscv_vector_ops.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum {
    E8 = 0 << 3,
    E16 = 1 << 3,
    E32 = 2 << 3,
    E64 = 3 << 3,
    M2 = 1,
    M4 = 2,
    M8 = 3,
    MF4 = 6,
    MF2 = 7
};
enum { ALL = 1, MASKED = 0 }; // the bit vm

static struct riscv_rig *new_rig(uint32_t type, uint32_t length)
{
    struct riscv_rig *rig = rig_new(TSR_BLACKHOLE_A0, TSR_CORE_T2);
    tsr_hart_reset(&rig->hart, RIG_CODE, 0);
    rig->hart.csr[TSR_CSR_VTYPE] = type;
    rig->hart.csr[TSR_CSR_VL] = length;
    for (int i = 0; i < 16; i++) {
        rig->hart.v[8 * 16 + i] = (uint8_t)(0x10 + i); // v8 counts
        rig->hart.v[16 * 16 + i] = 0xee;
    }
    return rig;
}

static uint32_t word(enum tsr_riscv_code code, unsigned vd, unsigned vs2, unsigned vs1, unsigned vm)
{
    const struct tsr_riscv_row *row = tsr_riscv_row(code);
    return row->match | ((vd << 7 | vs1 << 15 | vs2 << 20 | vm << 25) & ~row->mask);
}

static void run(struct riscv_rig *rig, uint32_t instruction)
{
    rig_add(rig, instruction);
    assert_int_equal(tsr_riscv_run(rig->riscv, &rig->hart, 1), 1);
    assert_int_equal(rig->findings, 0);
}

// The first bytes of a register, as the digits of a number.
static void assert_bytes(const struct riscv_rig *rig, unsigned v, const char *digits)
{
    char got[33] = "";
    for (size_t i = 0; i < strlen(digits) / 2; i++)
        sprintf(got + 2 * i, "%02x", rig->hart.v[v * 16 + i]);
    assert_string_equal(got, digits);
}

// ---------------------------------------------------------------- type and length

static void check_set(uint32_t type, uint32_t wanted, uint32_t length)
{
    struct riscv_rig *rig = new_rig(E8, 3);
    rig->hart.x[6] = wanted;
    rig->hart.x[7] = type;
    run(rig, tsr_riscv_row(RISCV_VSETVLI)->match | 5 << 7 | 6 << 15 | type << 20);
    assert_int_equal(rig->hart.x[5], length);
    assert_int_equal(rig->hart.csr[TSR_CSR_VL], length);
    assert_int_equal(rig->hart.csr[TSR_CSR_VTYPE], type);
    rig->hart.csr[TSR_CSR_VL] = rig->hart.csr[TSR_CSR_VTYPE] = 0;
    run(rig, tsr_riscv_row(RISCV_VSETVL)->match | 5 << 7 | 6 << 15 | 7 << 20);
    assert_int_equal(rig->hart.csr[TSR_CSR_VL], length);
    assert_int_equal(rig->hart.csr[TSR_CSR_VTYPE], type);
    rig->hart.csr[TSR_CSR_VL] = rig->hart.csr[TSR_CSR_VTYPE] = 0;
    if (wanted < 32) {
        run(rig, tsr_riscv_row(RISCV_VSETIVLI)->match | 5 << 7 | wanted << 15 | type << 20);
        assert_int_equal(rig->hart.csr[TSR_CSR_VL], length);
        assert_int_equal(rig->hart.csr[TSR_CSR_VTYPE], type);
    }
    rig_free(rig);
}

static void test_lengths(void **state)
{
    (void)state;
    check_set(E8, 100, 16);
    check_set(E8 | M8, 200, 128);
    check_set(E8 | MF4, 20, 4);
    check_set(E16 | MF2, 20, 4);
    check_set(E32, 4, 4);
    check_set(E32, 0xffffffff, 4);
    check_set(E32 | M4, 16, 16);
    check_set(E32 | 0xc0, 3, 3); // vta and vma are kept
    check_set(E32, 0, 0);
}

// rs1 x0: all that fit; rd x0, too: vl stays, as far as it fits.
static void test_lengths_by_x0(void **state)
{
    (void)state;
    struct riscv_rig *rig = new_rig(E8, 9);
    run(rig, tsr_riscv_row(RISCV_VSETVLI)->match | E16 << 20);
    assert_int_equal(rig->hart.csr[TSR_CSR_VL], 8);
    assert_int_equal(rig->hart.x[0], 0);
    run(rig, tsr_riscv_row(RISCV_VSETVLI)->match | 5 << 7 | (E16 | M2) << 20);
    assert_int_equal(rig->hart.csr[TSR_CSR_VL], 16);
    assert_int_equal(rig->hart.x[5], 16);
    run(rig, tsr_riscv_row(RISCV_VSETVLI)->match | 0 << 7 | (E8 | M2) << 20);
    assert_int_equal(rig->hart.csr[TSR_CSR_VL], 16);
    run(rig, tsr_riscv_row(RISCV_VSETIVLI)->match | 0 << 7 | 0 << 15 | E8 << 20);
    assert_int_equal(rig->hart.csr[TSR_CSR_VL], 0);
    rig_free(rig);
}

// vl and vtype can be written like any CSR; vl counts as far as the registers go. vlenb is only a
// number.
static void test_csrs(void **state)
{
    (void)state;
    struct riscv_rig *rig = new_rig(E8, 0);
    rig->hart.x[6] = 1000;
    run(rig, tsr_riscv_row(RISCV_CSRRW)->match | 5 << 7 | 6 << 15 | 0xc20u << 20);
    run(rig, tsr_riscv_row(RISCV_CSRRWI)->match | 5 << 7 | E32 << 15 | 0xc21u << 20);
    run(rig, tsr_riscv_row(RISCV_CSRRWI)->match | 5 << 7 | 1 << 15 | 0xc22u << 20);
    assert_int_equal(rig->hart.x[5], 16);
    run(rig, word(RISCV_VMV_V_I, 16, 0, 1, ALL));
    assert_bytes(rig, 16, "01000000010000000100000001000000");
    assert_int_equal(rig->hart.v[17 * 16], 0);
    assert_int_equal(rig->hart.csr[TSR_CSR_VL], 1000);
    run(rig, tsr_riscv_row(RISCV_CSRRWI)->match | 31 << 15 | 0x009u << 20);
    run(rig, tsr_riscv_row(RISCV_CSRRWI)->match | 31 << 15 | 0x00au << 20);
    assert_int_equal(rig->hart.csr[TSR_CSR_VXSAT], 1);
    assert_int_equal(rig->hart.csr[TSR_CSR_VXRM], 3);
    rig_free(rig);
}

// ---------------------------------------------------------------- elements that move

static void check_move(enum tsr_riscv_code code, unsigned vs1, uint32_t x, uint32_t length,
                       const char *digits)
{
    struct riscv_rig *rig = new_rig(E8, length);
    rig->hart.x[6] = rig->hart.f[6] = x;
    rig->hart.v[0] = 0xfd; // all but element 1
    run(rig, word(code, 16, 8, vs1, MASKED));
    assert_bytes(rig, 16, digits);
    rig_free(rig);
}

static void test_slides(void **state)
{
    (void)state;
    check_move(RISCV_VSLIDEUP_VI, 2, 0, 5, "eeee101112ee");
    check_move(RISCV_VSLIDEUP_VX, 6, 0, 3, "10ee12ee");
    check_move(RISCV_VSLIDEUP_VX, 6, 0xffffffff, 8, "eeeeeeeeeeeeeeee");
    check_move(RISCV_VSLIDEDOWN_VI, 14, 0, 4, "1eee0000ee"); // behind VLMAX are zeros
    check_move(RISCV_VSLIDEDOWN_VI, 3, 0, 3, "13ee15ee");    // behind vl elements
    check_move(RISCV_VSLIDEDOWN_VX, 6, 0xffffffff, 3, "00ee00ee");
    check_move(RISCV_VSLIDE1UP_VX, 6, 0x1aa, 3, "aaee11ee");
    check_move(RISCV_VSLIDE1DOWN_VX, 6, 0x1aa, 3, "11eeaaee");
}

static void test_slides_of_floats(void **state)
{
    (void)state;
    struct riscv_rig *rig = new_rig(E32, 2);
    rig->hart.f[6] = 0x3f800000;
    run(rig, word(RISCV_VFSLIDE1UP_VF, 16, 8, 6, ALL));
    assert_bytes(rig, 16, "0000803f10111213eeeeeeee");
    run(rig, word(RISCV_VFSLIDE1DOWN_VF, 16, 8, 6, ALL));
    assert_bytes(rig, 16, "141516170000803feeeeeeee");
    rig_free(rig);
}

static void test_gathers(void **state)
{
    (void)state;
    check_move(RISCV_VRGATHER_VI, 15, 0, 3, "1fee1fee");
    check_move(RISCV_VRGATHER_VI, 16, 0, 3, "00ee00ee");
    check_move(RISCV_VRGATHER_VX, 6, 0x80000000, 3, "00ee00ee");
    struct riscv_rig *rig = new_rig(E8, 4);
    memcpy(&rig->hart.v[12 * 16], "\x03\x0f\xff\x00\x00\x00\x05\x00", 8);
    run(rig, word(RISCV_VRGATHER_VV, 16, 8, 12, ALL));
    assert_bytes(rig, 16, "131f0010ee");
    memcpy(&rig->hart.v[12 * 16], "\x03\x00\x0f\x00\x00\x01\x05\x00", 8);
    run(rig, word(RISCV_VRGATHEREI16_VV, 16, 8, 12, ALL)); // two registers of indices
    assert_bytes(rig, 16, "131f0015ee");
    memcpy(&rig->hart.v[12 * 16], "\x0a", 1);
    run(rig, word(RISCV_VCOMPRESS_VM, 16, 8, 12, ALL));
    assert_bytes(rig, 16, "11130015ee");
    rig_free(rig);
}

static void test_scalars(void **state)
{
    (void)state;
    struct riscv_rig *rig = new_rig(E8, 0);
    rig->hart.v[8 * 16] = 0x80;
    run(rig, word(RISCV_VMV_X_S, 5, 8, 0, ALL)); // whatever vl is
    assert_int_equal(rig->hart.x[5], 0xffffff80);
    run(rig, word(RISCV_VMV_X_S, 0, 8, 0, ALL));
    assert_int_equal(rig->hart.x[0], 0);
    rig->hart.x[6] = 0x123;
    run(rig, word(RISCV_VMV_S_X, 16, 0, 6, ALL));
    assert_bytes(rig, 16, "eeee");
    rig->hart.csr[TSR_CSR_VL] = 5;
    run(rig, word(RISCV_VMV_S_X, 16, 0, 6, ALL));
    assert_bytes(rig, 16, "23eeee");
    rig->hart.csr[TSR_CSR_VTYPE] = E32;
    run(rig, word(RISCV_VFMV_F_S, 5, 8, 0, ALL));
    assert_int_equal(rig->hart.f[5], 0x13121180);
    rig->hart.f[6] = 0x3f800000;
    run(rig, word(RISCV_VFMV_S_F, 16, 0, 6, ALL));
    assert_bytes(rig, 16, "0000803fee");
    rig_free(rig);
}

// Whatever vl and even vtype are.
static void test_whole_registers(void **state)
{
    (void)state;
    static const struct {
        enum tsr_riscv_code code;
        unsigned count;
    } moves[] = {{RISCV_VMV1R_V, 1}, {RISCV_VMV2R_V, 2}, {RISCV_VMV4R_V, 4}, {RISCV_VMV8R_V, 8}};
    for (int i = 0; i < 4; i++) {
        struct riscv_rig *rig = new_rig(E64 | 4, 0);
        for (int byte = 0; byte < 8 * 16; byte++) {
            rig->hart.v[8 * 16 + byte] = (uint8_t)byte;
            rig->hart.v[24 * 16 + byte] = 0xee;
        }
        run(rig, word(moves[i].code, 24, 8, 0, ALL));
        for (unsigned byte = 0; byte < 8 * 16; byte++)
            assert_int_equal(rig->hart.v[24 * 16 + byte], byte < 16 * moves[i].count ? byte : 0xee);
        rig_free(rig);
    }
}

// ---------------------------------------------------------------- masks

static void test_mask_logic(void **state)
{
    (void)state;
    static const struct {
        enum tsr_riscv_code code;
        uint8_t result; // of 0011 and 0101, from bit 0
    } rows[] = {{RISCV_VMANDN_MM, 0x4}, {RISCV_VMAND_MM, 0x8}, {RISCV_VMOR_MM, 0xe},
                {RISCV_VMXOR_MM, 0x6},  {RISCV_VMORN_MM, 0xd}, {RISCV_VMNAND_MM, 0x7},
                {RISCV_VMNOR_MM, 0x1},  {RISCV_VMXNOR_MM, 0x9}};
    for (int i = 0; i < 8; i++) {
        struct riscv_rig *rig = new_rig(E8, 4);
        rig->hart.v[8 * 16] = 0xc;
        rig->hart.v[12 * 16] = 0xa;
        run(rig, word(rows[i].code, 16, 8, 12, ALL));
        assert_int_equal(rig->hart.v[16 * 16], 0xe0 | rows[i].result);
        rig_free(rig);
    }
}

static void test_mask_counts(void **state)
{
    (void)state;
    struct riscv_rig *rig = new_rig(E8 | M8, 20);
    memcpy(&rig->hart.v[8 * 16], "\x94\x00\xff", 3); // 2, 4, 7, 16 and on
    memcpy(&rig->hart.v[0], "\xf0\xff\x01", 3);
    run(rig, word(RISCV_VCPOP_M, 5, 8, 0, ALL));
    assert_int_equal(rig->hart.x[5], 7);
    run(rig, word(RISCV_VCPOP_M, 5, 8, 0, MASKED));
    assert_int_equal(rig->hart.x[5], 3);
    run(rig, word(RISCV_VFIRST_M, 5, 8, 0, ALL));
    assert_int_equal(rig->hart.x[5], 2);
    run(rig, word(RISCV_VFIRST_M, 5, 8, 0, MASKED));
    assert_int_equal(rig->hart.x[5], 4);
    rig->hart.csr[TSR_CSR_VL] = 2;
    run(rig, word(RISCV_VFIRST_M, 5, 8, 0, ALL));
    assert_int_equal(rig->hart.x[5], 0xffffffff);
    rig_free(rig);
}

static void test_mask_sets(void **state)
{
    (void)state;
    static const struct {
        enum tsr_riscv_code code;
        unsigned vm;
        uint8_t result;
    } rows[] = {{RISCV_VMSBF_M, ALL, 0xc3},    {RISCV_VMSIF_M, ALL, 0xc7},
                {RISCV_VMSOF_M, ALL, 0xc4},    {RISCV_VMSBF_M, MASKED, 0xcb},
                {RISCV_VMSIF_M, MASKED, 0xdb}, {RISCV_VMSOF_M, MASKED, 0xd0}};
    for (int i = 0; i < 6; i++) {
        struct riscv_rig *rig = new_rig(E8, 6);
        rig->hart.v[8 * 16] = 0x14;  // elements 2 and 4
        rig->hart.v[0] = 0x3b;       // all but 2
        rig->hart.v[16 * 16] = 0xc0; // behind vl
        run(rig, word(rows[i].code, 16, 8, 0, rows[i].vm));
        assert_int_equal(rig->hart.v[16 * 16], rows[i].result);
        rig_free(rig);
    }
}

static void test_numbers(void **state)
{
    (void)state;
    struct riscv_rig *rig = new_rig(E8, 6);
    rig->hart.v[8 * 16] = 0x0d;
    rig->hart.v[0] = 0x3b;
    run(rig, word(RISCV_VIOTA_M, 16, 8, 0, ALL));
    assert_bytes(rig, 16, "000101020303ee");
    run(rig, word(RISCV_VIOTA_M, 16, 8, 0, MASKED));
    assert_bytes(rig, 16, "000101010202ee");
    run(rig, word(RISCV_VID_V, 16, 0, 0, MASKED));
    assert_bytes(rig, 16, "000101030405ee");
    rig_free(rig);
}

// ---------------------------------------------------------------- what is reserved

// A finding, and nothing else.
static void check_reserved(uint32_t type, uint32_t instruction, const char *why)
{
    struct riscv_rig *rig = new_rig(type, 1);
    struct tsr_hart before = rig->hart;
    rig_add(rig, instruction);
    rig->stops = true;
    assert_int_equal(tsr_riscv_run(rig->riscv, &rig->hart, 1), 0);
    rig->stops = false;
    assert_int_equal(tsr_riscv_run(rig->riscv, &rig->hart, 1), 1);
    assert_int_equal(rig->findings, 2);
    assert_int_equal(rig->finding, FINDING_CORE_VECTOR_RESERVED);
    if (!strstr(rig->said, why))
        fail_msg("%s", rig->said);
    assert_memory_equal(rig->hart.v, before.v, sizeof before.v);
    assert_memory_equal(rig->hart.x, before.x, sizeof before.x);
    assert_memory_equal(rig->hart.csr, before.csr, sizeof before.csr);
    assert_int_equal(rig->loads + rig->stores, 0);
    rig_free(rig);
}

static void test_reserved_types(void **state)
{
    (void)state;
    static const uint32_t types[] = {E64, 4, 5, E16 | MF4, E32 | MF2, 0x100, 7 << 3};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        check_reserved(types[i], word(RISCV_VADD_VV, 16, 8, 12, ALL), "vtype is reserved");
        check_reserved(E8, tsr_riscv_row(RISCV_VSETVLI)->match | 5 << 7 | types[i] << 20,
                       "a type that is reserved");
    }
}

static void test_reserved_groups(void **state)
{
    (void)state;
    const char *bits = "more than 32 bits", *many = "more than 8 registers";
    check_reserved(E32, word(RISCV_VWADD_VV, 16, 8, 12, ALL), bits);
    check_reserved(E32, word(RISCV_VNSRL_WI, 16, 8, 1, ALL), bits);
    check_reserved(E8, word(RISCV_VZEXT_VF2, 16, 8, 0, ALL), bits);
    check_reserved(E16, word(RISCV_VSEXT_VF4, 16, 8, 0, ALL), bits);
    check_reserved(E8 | M8, word(RISCV_VWADD_VV, 16, 8, 24, ALL), many);
    check_reserved(E8 | M8, word(RISCV_VRGATHEREI16_VV, 16, 8, 24, ALL), many);
    check_reserved(E8 | M8, word(RISCV_VLE32, 16, 0, 5, ALL), many);
}

static void test_reserved_registers(void **state)
{
    (void)state;
    const char *begin = "do not begin a group", *mask = "overwrites its mask",
               *overlap = "overlaps an operand";
    check_reserved(E8 | M2, word(RISCV_VADD_VV, 17, 8, 12, ALL), begin);
    check_reserved(E8 | M2, word(RISCV_VADD_VV, 16, 9, 12, ALL), begin);
    check_reserved(E8 | M2, word(RISCV_VADD_VV, 16, 8, 13, ALL), begin);
    check_reserved(E8, word(RISCV_VMV2R_V, 16, 9, 0, ALL), begin);
    check_reserved(E8, word(RISCV_VL2RE8, 17, 0, 5, ALL), begin);
    check_reserved(E8, word(RISCV_VADD_VV, 0, 8, 12, MASKED), mask);
    check_reserved(E8, word(RISCV_VMERGE_VVM, 0, 8, 12, MASKED), mask);
    check_reserved(E8, word(RISCV_VMSBF_M, 0, 8, 0, MASKED), mask);
    check_reserved(E8, word(RISCV_VLE8, 0, 0, 5, MASKED), mask);
    check_reserved(E8, word(RISCV_VWADD_VV, 8, 8, 12, ALL), overlap);
    check_reserved(E8 | MF2, word(RISCV_VWADD_VV, 8, 8, 12, ALL), overlap);
    check_reserved(E8, word(RISCV_VNSRL_WI, 9, 8, 1, ALL), overlap);
    check_reserved(E8 | M2, word(RISCV_VMSEQ_VV, 9, 8, 12, ALL), overlap);
    check_reserved(E8, word(RISCV_VSLIDEUP_VI, 8, 8, 1, ALL), overlap);
    check_reserved(E8, word(RISCV_VRGATHER_VV, 12, 8, 12, ALL), overlap);
    check_reserved(E8, word(RISCV_VCOMPRESS_VM, 12, 8, 12, ALL), overlap);
    check_reserved(E8, word(RISCV_VIOTA_M, 8, 8, 0, ALL), overlap);
    check_reserved(E8, word(RISCV_VMSOF_M, 8, 8, 0, ALL), overlap);
    check_reserved(E8, word(RISCV_VLUXEI8_SEG2, 8, 9, 5, ALL), overlap);
    check_reserved(E8 | M4, word(RISCV_VLE8_SEG3, 8, 0, 5, ALL), "segments");
    check_reserved(E8, word(RISCV_VLE8_SEG3, 30, 0, 5, ALL), "segments");
    check_reserved(E8, word(RISCV_VFADD_VV, 16, 8, 12, ALL), "8 bits");
    check_reserved(E8, word(RISCV_VFMV_V_F, 16, 0, 12, ALL), "8 bits");
    check_reserved(E8, word(RISCV_VFCVT_F_X_V, 16, 8, 0, ALL), "8 bits");
}

// What looks alike and is not reserved.
static void test_allowed_overlaps(void **state)
{
    (void)state;
    static const struct {
        uint32_t type;
        enum tsr_riscv_code code;
        unsigned vd, vs2, vs1, vm;
    } rows[] = {
        {E8, RISCV_VADD_VV, 8, 8, 8, ALL},         {E8, RISCV_VWADD_VV, 8, 9, 9, ALL},
        {E8, RISCV_VNSRL_WI, 8, 8, 1, ALL},        {E8 | M2, RISCV_VMSEQ_VV, 8, 8, 12, ALL},
        {E8, RISCV_VMSEQ_VV, 0, 8, 12, MASKED},    {E8, RISCV_VREDSUM_VS, 0, 8, 12, MASKED},
        {E8, RISCV_VSLIDEDOWN_VI, 8, 8, 1, ALL},   {E8, RISCV_VID_V, 0, 0, 0, ALL},
        {E8 | M8, RISCV_VREDSUM_VS, 9, 8, 3, ALL}, {E8 | M8, RISCV_VWREDSUM_VS, 9, 8, 3, ALL},
        {E8, RISCV_VMV2R_V, 8, 10, 0, ALL}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct riscv_rig *rig = new_rig(rows[i].type, 1);
        run(rig, word(rows[i].code, rows[i].vd, rows[i].vs2, rows[i].vs1, rows[i].vm));
        rig_free(rig);
    }
}

// A loop that polls by vector instructions is not taken for one that waits.
static void test_loops_do_not_rest(void **state)
{
    (void)state;
    struct riscv_rig *rig = new_rig(E8, 16);
    rig_add(rig, word(RISCV_VADD_VI, 16, 16, 1, ALL));
    rig_add(rig, rv_jal(0, -4));
    assert_int_equal(tsr_riscv_run(rig->riscv, &rig->hart, 100), 100);
    assert_int_equal(rig->hart.rest, TSR_HART_RUNS);
    assert_int_equal(rig->hart.v[16 * 16], (uint8_t)(0xee + 50));
    rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_lengths_by_x0),
        cmocka_unit_test(test_csrs),
        cmocka_unit_test(test_slides),
        cmocka_unit_test(test_slides_of_floats),
        cmocka_unit_test(test_gathers),
        cmocka_unit_test(test_scalars),
        cmocka_unit_test(test_whole_registers),
        cmocka_unit_test(test_mask_logic),
        cmocka_unit_test(test_mask_counts),
        cmocka_unit_test(test_mask_sets),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_reserved_types),
        cmocka_unit_test(test_reserved_groups),
        cmocka_unit_test(test_reserved_registers),
        cmocka_unit_test(test_allowed_overlaps),
        cmocka_unit_test(test_loops_do_not_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
