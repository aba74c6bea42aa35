// SPDX-License-Identifier: Apache-2.0
// Code that changes under a core which has decoded it: by itself, another core, a host, the mover,
// an instruction, and in NC's instruction RAM. Pages: BabyRISCV/README.md, InstructionCache.md,
// InstructionRAM.md, Mover.md, STOREIND.md.
#include "rig/core_rig.h"

enum { T0_CODE = 0x6000, T1_CODE = 0xa000, NC_CODE = 0x12000, DATA = 0x20000 };

static tsr_end run_for(tsr_tile *tile, uint64_t cycles)
{
    tsr_limits limits = tsr_limits_default();
    limits.max_cycles = cycles;
    return tsr_run(tile, &limits);
}

// Core T0 adds what its instruction says, again and again; returns where that instruction is.
static uint32_t write_adder(tsr_tile *tile, uint32_t at)
{
    struct code code = code_at(tile, at);
    code_li(&code, A0, 0);
    code_li(&code, A1, DATA);
    uint32_t loop = code.at;
    code_addi(&code, A0, ZERO, 1);
    code_sw(&code, A0, A1, 0);
    code_jump(&code, loop);
    return loop;
}

static uint32_t new_word(int value)
{
    return rv_i(RISCV_ADDI, A0, ZERO, value);
}

// The value that the loop stores, after it had time.
static uint32_t stored(tsr_tile *tile)
{
    assert_int_equal(run_for(tile, 640), TSR_END_TIMEOUT);
    return tile_l1(tile, DATA);
}

static void test_host_writes_code(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = tile_with_cores(arch, timing, TSR_PROFILE_STRICT);
        uint32_t place = write_adder(tile, T0_CODE), word = new_word(3);
        core_start(tile, TSR_CORE_T0, T0_CODE);
        assert_int_equal(stored(tile), 1);
        assert_int_equal(tsr_host_store(tile, place, new_word(2), 4), TSR_OK);
        assert_int_equal(stored(tile), 2);
        assert_int_equal(tsr_l1_write(tile, place, &word, 4), TSR_OK);
        assert_int_equal(stored(tile), 3);
        assert_int_equal(tsr_store(tile, TSR_CORE_NC, place, new_word(4), 4), TSR_OK);
        assert_int_equal(stored(tile), 4);
        tsr_tile_reset(tile);
        place = write_adder(tile, T0_CODE + 4);
        core_start(tile, TSR_CORE_T0, T0_CODE + 4);
        assert_int_equal(stored(tile), 1);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_host_writes_code)

// What nobody has written is told after each reset, also where it was decoded before, as written
// zeroes or not.
static void test_unwritten_code(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = tile_with_cores(arch, timing, TSR_PROFILE_SILICON);
        const uint32_t zero = 0;
        for (int life = 0; life < 4; life++) {
            if (life == 2)
                assert_int_equal(tsr_l1_write(tile, T0_CODE, &zero, 4), TSR_OK);
            core_start(tile, TSR_CORE_T0, T0_CODE);
            run_for(tile, 640);
            bool told = false;
            for (int i = 0; i < tsr_diagnostic_count(tile); i++) {
                const tsr_diagnostic *finding = tsr_diagnostic_at(tile, i);
                told |= finding->pc == T0_CODE && strstr(finding->code, "unwritten-code");
            }
            assert_int_equal(told, life != 2);
            tsr_tile_reset(tile);
        }
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_unwritten_code)

// The finding has the cycle in which the core comes there, however long it has run before.
static void test_cycle_of_unwritten_code(int arch)
{
    enum { BEFORE = 12 };
    tsr_tile *tile = tile_with_cores(arch, false, TSR_PROFILE_SILICON);
    struct code code = code_at(tile, T0_CODE);
    for (int i = 0; i < BEFORE; i++)
        code_addi(&code, A0, A0, 1);
    core_start(tile, TSR_CORE_T0, T0_CODE);
    run_for(tile, 64);
    assert_true(tsr_diagnostic_count(tile) > 0);
    assert_string_equal(tsr_diagnostic_at(tile, 0)->code, "core-unwritten-code");
    assert_int_equal(tsr_diagnostic_at(tile, 0)->pc, T0_CODE + 4 * BEFORE);
    assert_int_equal(tsr_diagnostic_at(tile, 0)->cycle, BEFORE);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_cycle_of_unwritten_code)

static void test_core_writes_code(int arch)
{
    tsr_tile *tile = tile_with_cores(arch, false, TSR_PROFILE_STRICT);
    uint32_t place = write_adder(tile, T0_CODE);
    struct code code = code_at(tile, T1_CODE); // of another core
    code_spend(&code, 100);
    code_store(&code, place, new_word(5));
    code_store(&code, place + 12, 0); // behind the loop
    code_end(&code);
    core_start(tile, TSR_CORE_T0, T0_CODE);
    core_start(tile, TSR_CORE_T1, T1_CODE);
    assert_int_equal(stored(tile), 5);
    code = code_at(tile, 0); // its own
    code_li(&code, A0, code.at + 7 * 4);
    code_li(&code, A1, new_word(6));
    code_li(&code, A2, DATA + 4);
    code_sw(&code, A1, A0, 0);
    code_addi(&code, A0, ZERO, 1); // becomes 6
    code_sw(&code, A0, A2, 0);
    code_end(&code);
    core_start(tile, TSR_CORE_B, 0);
    stored(tile);
    assert_int_equal(tile_l1(tile, DATA + 4), 6);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_core_writes_code)

// STOREIND writes a word, and the mover a line.
static void test_coprocessor_writes_code(int arch)
{
    tsr_tile *tile = tile_with_cores(arch, false, TSR_PROFILE_SILICON);
    uint32_t place = write_adder(tile, T0_CODE);
    core_start(tile, TSR_CORE_T0, T0_CODE);
    assert_int_equal(stored(tile), 1);
    tile_set_gpr(tile, 1, 4, new_word(7));
    tile_set_gpr(tile, 1, 8, place / 16);
    tile_set_gpr(tile, 1, 6, place % 16); // the low half is the offset
    tile_push(tile, 1,
              "STOREIND MemHierSel=1 SizeSel=0 RegSizeSel=1 DataRegIndex=4 OffsetIndex=12 "
              "AddrRegIndex=8");
    assert_int_equal(stored(tile), 7);
    uint32_t line[4];
    assert_int_equal(tsr_l1_read(tile, place / 16 * 16, line, 16), TSR_OK);
    line[place % 16 / 4] = new_word(8);
    assert_int_equal(tsr_l1_write(tile, 0x30000, line, 16), TSR_OK);
    const uint32_t parameters[4] = {0x30000 / 16, place / 16, 1, 3}; // L1 to L1
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(tsr_store(tile, TSR_CORE_B, 0xffb11000u + 4 * i, parameters[i], 4), 0);
    assert_int_equal(tsr_store(tile, TSR_CORE_B, 0xffb11010u, 0x40, 4), TSR_OK);
    assert_int_equal(stored(tile), 8);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_coprocessor_writes_code)

// The mover fills NC's instruction RAM, which NC alone runs from and nobody loads.
static void test_iram(void **state)
{
    (void)state;
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = tile_with_cores(WH, timing, TSR_PROFILE_SILICON);
        write_adder(tile, 0x30000);
        for (int i = 0; i < 12; i++) // whole lines
            if (tile_l1(tile, 0x30000 + 4 * (uint32_t)i) == 0)
                tsr_host_store(tile, 0x30000 + 4 * (uint32_t)i, 0x13, 4);
        const uint32_t parameters[4] = {0x30000 / 16, 0x40000 / 16, 3, 1};
        for (int round = 0; round < 2; round++) {
            for (uint32_t i = 0; i < 4; i++)
                assert_int_equal(tsr_store(tile, TSR_CORE_B, 0xffb11000u + 4 * i, parameters[i], 4),
                                 TSR_OK);
            assert_int_equal(tsr_store(tile, TSR_CORE_B, 0xffb11010u, 0x40, 4), TSR_OK);
            if (round == 0) {
                assert_int_equal(run_for(tile, 640), TSR_END_IDLE);
                uint32_t first;
                assert_int_equal(tsr_iram_read(tile, 0, &first, 4), TSR_OK);
                assert_int_equal(first, tile_l1(tile, 0x30000));
                core_start(tile, TSR_CORE_NC, 0xffc00000u);
                assert_int_equal(stored(tile), 1);
                assert_int_equal(tsr_host_store(tile, 0x30010, new_word(9), 4), TSR_OK);
                assert_int_equal(stored(tile), 1); // not yet
            }
        }
        assert_int_equal(stored(tile), 9);
        // B has no such RAM.
        struct code code = code_at(tile, 0);
        code_li(&code, A0, 0xffc00000u);
        code_put(&code, rv_i(RISCV_JALR, ZERO, A0, 0));
        core_start(tile, TSR_CORE_B, 0);
        stored(tile);
        assert_int_equal(core_view(tile, TSR_CORE_B).rest, TSR_CORE_HUNG);
        tile_says(tile, "core-fetch", "0xffc00000");
        tsr_tile_destroy(tile);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_host_writes_code),        TILE_TEST(test_unwritten_code),
        TILE_TEST(test_cycle_of_unwritten_code), TILE_TEST(test_core_writes_code),
        TILE_TEST(test_coprocessor_writes_code), cmocka_unit_test(test_iram),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
