// SPDX-License-Identifier: Apache-2.0
// T2's vectors in a tile: loads and stores of Dst, many datums at once, and of L1; what other cores
// have; what a host sees of them.
// Pages: BlackholeA0 Dst.md, "RISCV access to Dst"; InstructionSet.md of BabyRISCV.
#include "rig/core_rig.h"

enum { AT = 0x4000, DATA = 0x8000, V8 = 8, V16 = 16, E8 = 0 << 3, E16 = 1 << 3, E32 = 2 << 3 };
enum { FP32, INT32, FP16, BF16, INT16, INT8 };
#define WINDOW 0xffbd8000u

static const enum tsr_field fmt_field = FIELD_RISC_DEST_ACCESS_CTRL_SEC2_fmt;

static uint32_t load_word(enum tsr_riscv_code code, unsigned vd, unsigned base)
{
    return tsr_riscv_row(code)->match | vd << 7 | base << 15 | 1u << 25;
}

static void put_type(struct code *code, uint32_t type, uint32_t length)
{
    code_put(code, tsr_riscv_row(RISCV_VSETIVLI)->match | length << 15 | type << 20);
}

// Bytes 0x00, 0x11, 0x22 and so on in L1, into v8; then to `to` and from there into v16.
static tsr_tile *round_trip(uint32_t fmt, uint32_t to, uint32_t type, uint32_t length,
                            enum tsr_riscv_code load, enum tsr_riscv_code store, bool timing)
{
    tsr_tile *tile = tile_with_cores(BH, timing, TSR_PROFILE_SILICON);
    uint8_t bytes[64];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(0x11 * i);
    tile_field(tile, 0, fmt_field, fmt);
    assert_int_equal(tsr_l1_write(tile, DATA, bytes, sizeof bytes), TSR_OK);
    struct code code = code_at(tile, AT);
    code_li(&code, A0, DATA);
    code_li(&code, A1, to);
    put_type(&code, type, length);
    code_put(&code, load_word(load, V8, A0));
    code_put(&code, load_word(store, V8, A1));
    code_put(&code, load_word(load, V16, A1));
    code_end(&code);
    core_start(tile, TSR_CORE_T2, AT);
    tsr_limits limits = tsr_limits_default();
    limits.max_cycles = 2000;
    assert_int_equal(tsr_run(tile, &limits), TSR_END_IDLE);
    return tile;
}

static void assert_same(const tsr_tile *tile, unsigned bytes)
{
    tsr_core_state view = core_view(tile, TSR_CORE_T2);
    assert_memory_equal(view.v[V8], view.v[V16], bytes);
    assert_int_equal(view.v[V8][1], 0x11);
}

// Eight bfloat16 by one instruction of bytes: two datums a word.
static void test_many_datums(void **state)
{
    (void)state;
    tsr_tile *tile = round_trip(BF16, WINDOW + 64, E8, 16, RISCV_VLE8, RISCV_VSE8, false);
    assert_same(tile, 16);
    // 0x1100: exponent 0x22, mantissa 0; Dst has mantissa, exponent.
    assert_int_equal(tile_state(tile)->dst.bits[2][0], 0x0022);
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    tsr_tile_destroy(tile);
}

// Whatever the elements are, Dst's format says what a datum is.
static void test_every_format(void **state)
{
    (void)state;
    static const struct {
        uint32_t type, length;
        enum tsr_riscv_code load, store;
    } kinds[] = {{E8, 16, RISCV_VLE8, RISCV_VSE8},
                 {E16, 8, RISCV_VLE16, RISCV_VSE16},
                 {E32, 4, RISCV_VLE32, RISCV_VSE32},
                 {E32, 1, RISCV_VL1RE16, RISCV_VS1R}};
    for (uint32_t fmt = FP32; fmt <= INT16; fmt++)
        for (int i = 0; i < 4; i++)
            for (int timing = 0; timing < 2; timing++) {
                tsr_tile *tile = round_trip(fmt, WINDOW + 32, kinds[i].type, kinds[i].length,
                                            kinds[i].load, kinds[i].store, timing);
                assert_same(tile, 16);
                assert_int_equal(tsr_diagnostic_count(tile), 0);
                tsr_tile_destroy(tile);
            }
}

// Less than a datum is nothing that Dst has: three bytes of a 32-bit number.
static void test_part_of_a_datum(void **state)
{
    (void)state;
    tsr_tile *tile = round_trip(FP32, WINDOW, E8, 7, RISCV_VLE8, RISCV_VSE8, false);
    assert_non_null(tile_found(tile, "dst-window-access"));
    tsr_core_state view = core_view(tile, TSR_CORE_T2);
    assert_memory_equal(view.v[V8], view.v[V16], 4);
    assert_int_equal(view.v[V16][4], 0);
    tsr_tile_destroy(tile);
}

// All of an access has to be aligned.
static void test_alignment(void **state)
{
    (void)state;
    tsr_tile *tile = round_trip(BF16, WINDOW + 8, E16, 8, RISCV_VLE16, RISCV_VSE16, false);
    assert_non_null(tile_found(tile, "unaligned-access"));
    assert_same(tile, 16);
    tsr_tile_destroy(tile);
    tile = round_trip(BF16, WINDOW + 8, E16, 4, RISCV_VLE16, RISCV_VSE16, false);
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    assert_same(tile, 8);
    tsr_tile_destroy(tile);
}

// With and without timing L1 ends the same.
static void test_l1(void **state)
{
    (void)state;
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = round_trip(FP32, 0x9000, E32, 4, RISCV_VLE32, RISCV_VSE32, timing);
        uint8_t bytes[16];
        assert_int_equal(tsr_l1_read(tile, 0x9000, bytes, sizeof bytes), TSR_OK);
        assert_same(tile, 16);
        assert_memory_equal(bytes, core_view(tile, TSR_CORE_T2).v[V8], sizeof bytes);
        assert_int_equal(tsr_diagnostic_count(tile), 0);
        tsr_tile_destroy(tile);
    }
}

// A vector load of a mailbox waits at the element that is not there; nothing is taken twice.
static void test_waits(void **state)
{
    (void)state;
    tsr_tile *tile = tile_with_cores(BH, false, TSR_PROFILE_SILICON);
    struct code code = code_at(tile, AT);
    code_li(&code, A1, AT_MAILBOXES); // from B
    put_type(&code, E32, 2);
    code_put(&code,
             tsr_riscv_row(RISCV_VLSE32)->match | V8 << 7 | A1 << 15 | ZERO << 20 | 1u << 25);
    code_end(&code);
    core_start(tile, TSR_CORE_T2, AT);
    tsr_limits limits = tsr_limits_default();
    limits.max_cycles = 1000;
    for (uint32_t i = 1; i <= 2; i++) {
        assert_int_equal(tsr_run(tile, &limits), TSR_END_DEADLOCK);
        assert_int_equal(core_view(tile, TSR_CORE_T2).rest, TSR_CORE_BLOCKED);
        code = code_at(tile, 0); // B sends a word to T2
        code_store(&code, AT_MAILBOXES + 0x3000, i);
        code_end(&code);
        core_start(tile, TSR_CORE_B, 0);
    }
    assert_int_equal(tsr_run(tile, &limits), TSR_END_IDLE);
    tsr_core_state view = core_view(tile, TSR_CORE_T2);
    assert_int_equal(view.v[V8][0], 1);
    assert_int_equal(view.v[V8][4], 2);
    tsr_tile_destroy(tile);
}

// The others have none of it.
static void test_others_lack_it(void **state)
{
    (void)state;
    tsr_tile *tile = tile_with_cores(BH, false, TSR_PROFILE_SILICON);
    struct code code = code_at(tile, AT);
    put_type(&code, E32, 2);
    code_end(&code);
    core_start(tile, TSR_CORE_T1, AT);
    tsr_limits limits = tsr_limits_default();
    limits.max_cycles = 1000;
    assert_int_equal(tsr_run(tile, &limits), TSR_END_IDLE);
    assert_non_null(tile_found(tile, "core-lacks-instruction"));
    tsr_tile_destroy(tile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_datums),
        cmocka_unit_test(test_every_format),
        cmocka_unit_test(test_part_of_a_datum),
        cmocka_unit_test(test_alignment),
        cmocka_unit_test(test_l1),
        cmocka_unit_test(test_waits),
        cmocka_unit_test(test_others_lack_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
