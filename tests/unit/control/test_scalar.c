// SPDX-License-Identifier: Apache-2.0
// The scalar unit: one instruction at a time, which holds its thread; STOREIND to SrcA and SrcB,
// registers, and waits. Results are in test_scalar_vectors.c, undefined points in
// test_scalar_anomalies.c. Pages: ScalarUnit.md, STOREIND_Src.md, STOREIND_MMIO.md, STOREREG.md,
// LOADREG.md, FLUSHDMA.md, ATCAS.md, ATINCGETPTR.md.
#include "rig/scalar_rig.h"

#include "control/scalar_unit.h"

// ---------------------------------------------------------------- STOREIND to SrcA and SrcB

// GPRs 20 and 21 have four datums. Low halves: sign, mantissa, exponent; high halves: BF16.
static const uint32_t src_pairs[2] = {0xc0490381, 0x3f80fe7f};
static const uint32_t src_datums[4] = {
    0x0 << 18 | 0x81 << 10 | 0x03 << 3, // 0x0381: sign 0, mantissa 0x03, exponent 0x81
    0x1 << 18 | 0x80 << 10 | 0x49 << 3, // 0xc049: sign 1, exponent 0x80, mantissa 0x49
    0x1 << 18 | 0x7f << 10 | 0x7e << 3, // 0xfe7f: sign 1, mantissa 0x7e, exponent 0x7f
    0x0 << 18 | 0x7f << 10 | 0x00 << 3, // 0x3f80: sign 0, exponent 0x7f, mantissa 0
};

// The index is GPR 8 plus a sixteenth of half 18 (the low half of GPR 9).
static void store_src(tsr_tile *tile, int to_b, uint32_t base, uint32_t offset, int increment)
{
    tile_set_gpr(tile, 0, 8, base);
    tile_set_gpr(tile, 0, 9, offset);
    tile_set_gpr(tile, 0, 20, src_pairs[0]);
    tile_set_gpr(tile, 0, 21, src_pairs[1]);
    scalar_push(tile, 0,
                "STOREIND RegSizeSel=%d OffsetIndex=18 AutoIncSpec=%d DataRegIndex=23 "
                "AddrRegIndex=8",
                to_b, increment);
}

// Exactly the four datums at this place are there.
static void assert_only(tsr_tile *tile, int side, int bank, int row, int column)
{
    const struct tsr_src_bank *is = &tile_state(tile)->src[side].bank[bank];
    for (int r = 0; r < TSR_SRC_ROWS; r++)
        for (int c = 0; c < TSR_COLUMNS; c++) {
            bool inside = r == row && c >= column && c < column + 4;
            assert_int_equal(is->datum[r][c], inside ? src_datums[c - column] : 0);
            assert_int_equal(is->written[r] >> c & 1, inside);
        }
}

static void test_store_srcb(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tile_state(tile)->src[TSR_SRCB].unpacker_bank = 1;
    tile_state(tile)->src[TSR_SRCB].matrix_bank = 1; // or an idle tile says src-bank-parity
    tile_state(tile)->unpacker[1].src_row[0] = 32;
    tile_state(tile)->unpacker[1].src_row[1] = 16;
    store_src(tile, 1, 20, 0x1f7, 1); // 20 + 0x1f = 51: row 12, column 3 * 4
    tile_idle(tile);
    assert_only(tile, TSR_SRCB, 1, 44, 12);
    assert_int_equal(tile_gpr(tile, 0, 9), 0x1f9);
    assert_true(tile_state(tile)->src[TSR_SRCB].bank[1].filled);
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_store_srcb)

// Rows of SrcA count from 4; SrcRow is added unless SRCA_SET_SetOvrdWithAddr says that rows are.
static void test_store_srca(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tile_state(tile)->unpacker[0].src_row[0] = 48;
    store_src(tile, 0, 19 * 4 + 1, 0, 0);
    tile_idle(tile);
    assert_only(tile, TSR_SRCA, 0, 63, 4);
    tsr_tile_reset(tile);
    tile_state(tile)->unpacker[0].src_row[0] = 48;
    tile_field(tile, 0, FIELD_SRCA_SET_SetOvrdWithAddr, 1);
    store_src(tile, 0, 67 * 4, 0, 0);
    tile_idle(tile);
    assert_only(tile, TSR_SRCA, 0, 63, 0);
    tsr_tile_reset(tile);
    store_src(tile, 0, 3 * 4 + 3, 0, 3); // before the first row: nowhere, but the offset steps
    tile_idle(tile);
    assert_only(tile, TSR_SRCA, 0, -1, 0);
    assert_int_equal(tile_gpr(tile, 0, 9), 16);
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_store_srca)

static void test_src_rows(int arch)
{
    static const struct {
        int to_b;
        uint32_t index;
        bool own;
        int row;
        const char *words;
    } cases[] = {{1, 16 * 4, false, 0, "SrcB names row 16 of 16"},
                 {0, 20 * 4, false, 0, "SrcA names row 16 of 16"},
                 {0, 68 * 4, true, 0, "SrcA names row 64 of 64"},
                 {1, 0x1000c, false, 3, "SrcB names row 16387 of 16"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tsr_tile *tile = tile_default(arch);
        tile_field(tile, 0, FIELD_SRCA_SET_SetOvrdWithAddr, cases[i].own);
        store_src(tile, cases[i].to_b, cases[i].index, 0, 1);
        assert_int_equal(tile_run(tile), TSR_END_STOPPED);
        tile_says(tile, "storeind-src-row", cases[i].words);
        assert_int_equal(tile_gpr(tile, 0, 9), 0); // nothing happened
        tsr_tile_destroy(tile);
        tile = tile_new(arch, false, TSR_PROFILE_SILICON);
        tile_field(tile, 0, FIELD_SRCA_SET_SetOvrdWithAddr, cases[i].own);
        store_src(tile, cases[i].to_b, cases[i].index, 0, 1);
        tile_idle(tile);
        int side = cases[i].to_b ? TSR_SRCB : TSR_SRCA;
        assert_only(tile, side, 0, cases[i].row, 0);
        assert_int_equal(tile_state(tile)->src[side].bank[0].tainted[cases[i].row], 0xf);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_src_rows)

// The bits of the sum beyond twenty are lost before anything is looked at.
static void test_src_index_wraps(int arch)
{
    tsr_tile *tile = tile_default(arch);
    store_src(tile, 1, 0xfff00000 + 4, 0, 0);
    tile_idle(tile);
    assert_only(tile, TSR_SRCB, 0, 1, 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_src_index_wraps)

// It waits inside the unit for the unpackers' bank; the thread waits, others that want the unit
// wait, and who wants another unit goes on.
static void test_src_bank(int arch)
{
    tsr_tile *tile = tile_default(arch);
    struct tsr_state *state = tile_state(tile);
    state->src[TSR_SRCA].bank[0].matrix_owns = true;
    tsr_limits limits = tsr_limits_default();
    limits.external = true;
    store_src(tile, 0, 16, 0, 0);
    assert_int_equal(tsr_run(tile, &limits), TSR_END_BLOCKED);
    tile_push(tile, 0, "SEMINIT sem_sel=1 init_value=1 max_value=2");
    tile_push(tile, 1, "SETDMAREG RegIndex16b=4 Payload_SigSel=9");
    tile_push(tile, 2, "SEMINIT sem_sel=2 init_value=3 max_value=3");
    assert_int_equal(tsr_run(tile, &limits), TSR_END_BLOCKED);
    assert_int_equal(tile_semaphore(tile, 0), 0);
    assert_int_equal(tile_semaphore(tile, 1), 3);
    assert_int_equal(tile_gpr(tile, 1, 2), 0);
    assert_false(tsr_thread_drained(tile, 0));
    tsr_wait waits[4];
    assert_int_equal(tsr_waits(tile, waits, 4), 3);
    assert_non_null(strstr(waits[0].what, "SEMINIT waits behind its thread's instruction"));
    assert_non_null(strstr(waits[1].what, "SETDMAREG waits for scalar, which is full"));
    assert_int_equal(waits[1].unit, -1); // a thread's
    assert_int_equal(waits[1].thread, 1);
    assert_string_equal(waits[2].who, "scalar");
    assert_int_equal(waits[2].unit, TSR_UNIT_SCALAR);
    assert_int_equal(waits[2].core, -1);
    assert_non_null(strstr(waits[2].what, "STOREIND waits for SrcA bank 0"));
    assert_non_null(strstr(waits[2].release, "valid bit"));
    state->src[TSR_SRCA].bank[0].matrix_owns = false;
    tile_idle(tile);
    assert_only(tile, TSR_SRCA, 0, 0, 0);
    assert_int_equal(tile_semaphore(tile, 0), 1);
    assert_int_equal(tile_gpr(tile, 1, 2), 9);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_src_bank)

// ---------------------------------------------------------------- order within an instruction

// STOREIND to L1 steps the offset before it reads the data, to a register afterwards.
static void test_data_is_offset(int arch)
{
    struct scalar_port port = {.answer = TSR_OK};
    tsr_tile *tile = tile_default(arch);
    scalar_plug(tile, &port);
    tile_set_gpr(tile, 0, 1, 0x80);
    tile_set_gpr(tile, 0, 2, 0x00070008);
    scalar_do(tile, 0,
              "STOREIND MemHierSel=1 RegSizeSel=1 OffsetIndex=4 AutoIncSpec=2 DataRegIndex=2 "
              "AddrRegIndex=1");
    assert_int_equal(tile_l1(tile, 0x808), 0x0007000c);
    assert_int_equal(tile_gpr(tile, 0, 2), 0x0007000c);
    tile_set_gpr(tile, 0, 1, 0x11000);
    scalar_do(tile, 0,
              "STOREIND SizeSel=1 OffsetIndex=5 AutoIncSpec=3 DataRegIndex=2 AddrRegIndex=1");
    assert_int_equal(port.value, 0x0007000c);
    assert_int_equal(tile_gpr(tile, 0, 2), 0x0017000c);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_data_is_offset)

// LOADIND steps the offset when it is done, the data come after that.
static void test_result_is_offset(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = tile_new(arch, timing, TSR_PROFILE_STRICT);
        scalar_ramp(tile);
        tile_set_gpr(tile, 0, 1, 0x100);
        tile_set_gpr(tile, 0, 2, 0x00070004);
        scalar_do(tile, 0,
                  "LOADIND SizeSel=3 OffsetIndex=4 AutoIncSpec=1 DataRegIndex=2 "
                  "AddrRegIndex=1");
        assert_int_equal(tile_gpr(tile, 0, 2), 0x00070044); // the low byte of 0x00070006 is loaded
        scalar_do(tile, 0, "LOADIND SizeSel=1 OffsetIndex=5 DataRegIndex=1 AddrRegIndex=1");
        assert_int_equal(tile_gpr(tile, 0, 1), 0x77665544); // the address itself
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_result_is_offset)

// ---------------------------------------------------------------- registers

static void test_registers(int arch)
{
    struct scalar_port port = {.answer = TSR_OK, .value = 0x5555};
    tsr_tile *tile = tile_default(arch);
    scalar_plug(tile, &port);
    tile_set_gpr(tile, 2, 30, 0xcafe);
    scalar_do(tile, 2, "STOREREG TdmaDataRegIndex=30 RegAddr=%u", 0x12345 >> 2);
    assert_int_equal(port.agent, TSR_AGENT_TENSIX + 2);
    assert_int_equal(port.address, 0xffb12344);
    assert_int_equal(port.value, 0xcafe);
    scalar_do(tile, 2, "LOADREG TdmaDataRegIndex=31 RegAddr=%u", 0xffffc >> 2);
    assert_int_equal(port.address, 0xffbffffc);
    assert_int_equal(tile_gpr(tile, 2, 31), 0xcafe);
    // The GPR's low two bits are dropped after the sum, its high twelve before it.
    tile_set_gpr(tile, 2, 3, 0xabc11001);
    tile_set_gpr(tile, 2, 4, 0x00ff);
    scalar_do(tile, 2,
              "STOREIND SizeSel=1 OffsetIndex=8 AutoIncSpec=3 DataRegIndex=30 AddrRegIndex=3");
    assert_int_equal(port.address, 0xffb11010); // 0x11001 + 0xf
    assert_int_equal(tile_gpr(tile, 2, 4), 0x010f);
    assert_int_equal(port.stores, 2);
    assert_int_equal(port.loads, 1);
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    scalar_do(tile, 2,
              "STOREIND SizeSel=1 RegSizeSel=1 OffsetIndex=8 DataRegIndex=30 "
              "AddrRegIndex=3");
    tile_says(tile, "undocumented-mode", "RegSizeSel=1");
    assert_int_equal(port.stores, 3);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_registers)

// A register that cannot take the access makes the instruction wait in the unit.
static void test_busy_register(int arch)
{
    static const char *const texts[] = {
        "STOREREG TdmaDataRegIndex=5 RegAddr=0x4404", "LOADREG TdmaDataRegIndex=6 RegAddr=0x4404",
        "STOREIND SizeSel=1 OffsetIndex=14 DataRegIndex=5 AddrRegIndex=8"};
    for (int i = 0; i < 3; i++)
        for (int timing = 0; timing < 2; timing++) {
            struct scalar_port port = {.answer = TSR_BUSY};
            tsr_tile *tile = tile_new(arch, timing, TSR_PROFILE_STRICT);
            scalar_plug(tile, &port);
            tile_set_gpr(tile, 0, 5, 77);
            tile_set_gpr(tile, 0, 7, 0);
            tile_set_gpr(tile, 0, 8, 0x11010);
            tile_push(tile, 0, texts[i]);
            assert_int_equal(tile_run(tile), TSR_END_DEADLOCK);
            tile_says(tile, "instruction-deadlock", "waits for the register at 0xffb11010");
            tsr_tile_reset(tile);
            tile_set_gpr(tile, 0, 5, 77);
            tile_set_gpr(tile, 0, 7, 0);
            tile_set_gpr(tile, 0, 8, 0x11010);
            tile_push(tile, 0, texts[i]);
            tsr_limits limits = tsr_limits_default();
            limits.external = true;
            assert_int_equal(tsr_run(tile, &limits), TSR_END_BLOCKED);
            tsr_wait wait;
            assert_int_equal(tsr_waits(tile, &wait, 1), 1);
            assert_non_null(strstr(wait.release, "the register"));
            port.answer = TSR_OK;
            port.value = 0x99;
            tile_idle(tile);
            assert_int_equal(i == 1 ? tile_gpr(tile, 0, 6) : port.value, i == 1 ? 0x99 : 77);
            tsr_tile_destroy(tile);
        }
}
TILE_BOTH(test_busy_register)

// Below 0xffb11000 the page says undefined; going on moves nothing and taints what is loaded.
static void test_low_registers(int arch)
{
    static const char *const texts[] = {
        "STOREREG TdmaDataRegIndex=5 RegAddr=0x43ff", "LOADREG TdmaDataRegIndex=6 RegAddr=0",
        "STOREIND SizeSel=1 OffsetIndex=14 DataRegIndex=5 AddrRegIndex=8"};
    for (int i = 0; i < 3; i++)
        for (int profile = 0; profile < 2; profile++) {
            struct scalar_port port = {.answer = TSR_OK, .value = 3};
            tsr_tile *tile = tile_new(arch, false, (tsr_profile)profile);
            scalar_plug(tile, &port);
            tile_set_gpr(tile, 0, 5, 77);
            tile_set_gpr(tile, 0, 6, 66);
            tile_set_gpr(tile, 0, 7, 0);
            tile_set_gpr(tile, 0, 8, 0x10ffc);
            tile_push(tile, 0, texts[i]);
            assert_int_equal(tile_run(tile),
                             profile == TSR_PROFILE_STRICT ? TSR_END_STOPPED : TSR_END_IDLE);
            tile_says(tile, "mmio-address", i == 1 ? "0xffb00000" : "0xffb10ffc");
            assert_int_equal(port.stores + port.loads, 0);
            bool loaded = i == 1 && profile == TSR_PROFILE_SILICON;
            assert_int_equal(tile_gpr(tile, 0, 6), loaded ? 0 : 66);
            assert_int_equal(tile_state(tile)->gprs.tainted[0], loaded ? 1u << 6 : 0);
            tsr_tile_destroy(tile);
        }
}
TILE_BOTH(test_low_registers)

// What the memory map has for the NoC, instructions see too; findings name the instruction.
static void test_map(int arch)
{
    static const struct {
        uint32_t address;
        const char *code;
    } cases[] = {{0xffb80000, "unmapped-address"},   {0xffbd8000, "unmapped-address"},
                 {0xffb7fffc, "unimplemented-mode"}, {0xffb30000, "unimplemented-mode"},
                 {0xffb20000, "unimplemented-mode"}, {0xffb1f000, "unmapped-address"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int load = 0; load < 2; load++) {
            tsr_tile *tile = tile_default(arch);
            tile_set_gpr(tile, 1, 2, 0);
            scalar_push(tile, 1, "%s TdmaDataRegIndex=2 RegAddr=%u", load ? "LOADREG" : "STOREREG",
                        (cases[i].address & 0xfffff) >> 2);
            assert_int_equal(tile_run(tile), TSR_END_STOPPED);
            tile_says(tile, cases[i].code, "0xffb");
            assert_int_equal(tile_found(tile, cases[i].code)->thread, 1);
            assert_int_equal(tile_found(tile, cases[i].code)->word >> 24, load ? 0x68 : 0x67);
            tsr_tile_destroy(tile);
        }
}
TILE_BOTH(test_map)

// Through the map to TDMA-RISC and back: CLK_GATE_EN keeps all but bit 7.
static void test_tdma_register(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tile_set_gpr(tile, 1, 2, 0xffffffff);
    scalar_do(tile, 1, "STOREREG TdmaDataRegIndex=2 RegAddr=%u", 0x11024 >> 2);
    scalar_do(tile, 1, "LOADREG TdmaDataRegIndex=3 RegAddr=%u", 0x11024 >> 2);
    assert_int_equal(tile_gpr(tile, 1, 3), 0xffffff7f);
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_tdma_register)

// A soft reset of the scalar unit takes its instruction and its requests away, also if a STOREREG
// of the unit itself began it.
static void test_soft_reset(int arch)
{
    for (int timing = 0; timing < 2; timing++)
        for (int own = 0; own < 2; own++) {
            tsr_tile *tile = tile_new(arch, timing, TSR_PROFILE_STRICT);
            scalar_ramp(tile);
            tile_set_gpr(tile, 0, 1, 0x100);
            tile_set_gpr(tile, 0, 2, TSR_RESET_THCON);
            tile_set_gpr(tile, 0, 3, 0);
            tile_set_gpr(tile, 0, 5, 0);
            tile_push(tile, 0, "ATINCGET WrapVal=31 DataRegIndex=3 AddrRegIndex=1");
            if (own)
                scalar_push(tile, 0, "STOREREG TdmaDataRegIndex=2 RegAddr=%u", 0x121b0 >> 2);
            else
                tile_push(tile, 0, "ATCAS CmpVal=5 AddrRegIndex=1");
            tsr_limits limits = tsr_limits_default();
            limits.external = true;
            limits.break_cycle = timing ? 20 : 0;
            tsr_run(tile, &limits);
            if (!own)
                assert_int_equal(tsr_store(tile, TSR_CORE_B, 0xffb121b0, TSR_RESET_THCON, 4),
                                 TSR_OK);
            assert_int_equal(tile_state(tile)->queues.of[TSR_UNIT_SCALAR].count, 0);
            assert_int_equal(tile_state(tile)->scalar.outstanding[0], 0);
            tile_idle(tile);
            assert_true(tsr_thread_drained(tile, 0));
            assert_int_equal(tile_gpr(tile, 0, 3), timing ? 0 : 0x33221100);
            assert_int_equal(tsr_store(tile, TSR_CORE_B, 0xffb121b0, 0, 4), TSR_OK);
            tile_do(tile, 0, "LOADIND SizeSel=3 OffsetIndex=10 DataRegIndex=4 AddrRegIndex=1");
            assert_int_equal(tile_gpr(tile, 0, 4), 0);
            tsr_tile_destroy(tile);
        }
}
TILE_BOTH(test_soft_reset)

// With a policy that goes on, a load of nothing gives 0, tainted.
static void test_map_going_on(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tsr_tile_set_policy(tile, "unmapped-address", TSR_ACTION_RECORD);
    tile_set_gpr(tile, 1, 2, 55);
    scalar_do(tile, 1, "LOADREG TdmaDataRegIndex=2 RegAddr=%u", 0x80000 >> 2);
    assert_int_equal(tile_gpr(tile, 1, 2), 0);
    assert_int_equal(tile_state(tile)->gprs.tainted[1], 4);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_map_going_on)

// ---------------------------------------------------------------- waits

// ATCAS and ATINCGETPTR try again until somebody writes L1; their thread and the unit wait.
static void test_atomic_waits(int arch)
{
    static const struct {
        const char *text, *words;
        uint32_t before[2], after[2]; // after: written by a core
    } cases[] = {{"ATCAS SwapVal=5 CmpVal=3 AddrRegIndex=4",
                  "ATCAS waits for 3 in L1 at 0x01000, where "
                  "0x80000003 is",
                  {0x80000003, 0},
                  {3, 0}},
                 {"ATINCGETPTR WrapVal=3 Sel32b=1 DataRegIndex=5 AddrRegIndex=4",
                  "0x01000 is full (1 read, 5 written)",
                  {1, 5},
                  {2, 5}},
                 {"ATINCGETPTR WrapVal=3 Sel32b=0 DataRegIndex=5 AddrRegIndex=4",
                  "0x01000 is empty (5 read, 5 written)",
                  {5, 5},
                  {5, 6}}};
    for (size_t i = 0; i < 3; i++)
        for (int timing = 0; timing < 2; timing++) {
            tsr_tile *tile = tile_new(arch, timing, TSR_PROFILE_STRICT);
            scalar_words(tile, 0x1000, cases[i].before, 2);
            tile_set_gpr(tile, 0, 4, 0x100);
            tile_push(tile, 0, cases[i].text);
            tile_push(tile, 0, "SETDMAREG RegIndex16b=2 Payload_SigSel=1");
            tsr_limits limits = tsr_limits_default();
            limits.external = true;
            assert_int_equal(tsr_run(tile, &limits), TSR_END_BLOCKED);
            assert_int_equal(tile_gpr(tile, 0, 1), 0);
            assert_int_equal(tile_l1(tile, 0x1000), cases[i].before[0]);
            tsr_wait waits[2];
            assert_int_equal(tsr_waits(tile, waits, 2), 2);
            assert_non_null(strstr(waits[1].what, cases[i].words));
            assert_non_null(strstr(waits[1].release, "L1"));
            for (unsigned k = 0; k < 2; k++)
                assert_int_equal(tsr_store(tile, TSR_CORE_NC, 0x1000 + 4 * k, cases[i].after[k], 4),
                                 TSR_OK);
            tile_idle(tile);
            assert_int_equal(tile_gpr(tile, 0, 1), 1);
            assert_int_equal(tile_l1(tile, 0x1000), i == 0 ? 5 : i == 1 ? 2 : 6);
            assert_int_equal(tile_l1(tile, 0x1004), i == 0 ? 0 : 6);
            tsr_tile_destroy(tile);
        }
}
TILE_BOTH(test_atomic_waits)

// A mutex in L1 between two threads. The unit is busy with the one that waits, so the other could
// not release it by an instruction of this unit: a deadlock, which says who waits for what.
static void test_atomic_deadlock(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = tile_new(arch, timing, TSR_PROFILE_STRICT);
        scalar_word(tile, 0x1000, 1);
        tile_set_gpr(tile, 0, 4, 0x100);
        tile_set_gpr(tile, 1, 4, 0x100);
        tsr_limits limits = tsr_limits_default();
        limits.external = true;
        tile_push(tile, 0, "ATCAS SwapVal=1 CmpVal=0 AddrRegIndex=4");
        assert_int_equal(tsr_run(tile, &limits), TSR_END_BLOCKED);
        tile_push(tile, 1, "ATCAS SwapVal=0 CmpVal=1 AddrRegIndex=4");
        assert_int_equal(tile_run(tile), TSR_END_DEADLOCK);
        tile_says(tile, "instruction-deadlock", "ATCAS waits for 0 in L1 at 0x01000");
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_atomic_deadlock)

static bool flushed(tsr_tile *tile, uint32_t word, int thread)
{
    struct tsr_env *env = tile_env(tile);
    struct tsr_inflight inst = {
        .word = word, .op = OP_FLUSHDMA, .thread = (uint8_t)thread, .unit = TSR_UNIT_SCALAR};
    assert_true(tsr_scalar_ops.accept(env, &inst));
    tsr_reason reason = tsr_scalar_ops.execute(env, &inst);
    assert_true(reason == TSR_REASON_NONE || reason == TSR_REASON_FLUSH);
    if (reason == TSR_REASON_NONE)
        return true;
    char what[200];
    tsr_scalar_ops.explain(env, &inst, what, sizeof what);
    assert_non_null(strstr(what, "FLUSHDMA waits for what thread"));
    return false;
}

// Conditions C0 to C3 of the own thread; a mask of 0 is all four.
static void test_flushdma(int arch)
{
    static const tsr_unit units[4] = {TSR_UNIT_COUNT, TSR_UNIT_UNPACKER0, TSR_UNIT_UNPACKER1,
                                      TSR_UNIT_PACKER};
    tsr_tile *tile = tile_default(arch);
    struct tsr_state *state = tile_state(tile);
    for (unsigned condition = 0; condition < 4; condition++)
        for (unsigned mask = 0; mask < 16; mask++) {
            char text[40];
            snprintf(text, sizeof text, "FLUSHDMA FlushSpec=%u", mask);
            uint32_t word = tile_word(tile, text);
            struct tsr_queue *line = &state->queues.of[units[condition]];
            assert_true(flushed(tile, word, 1));
            if (condition == 0) {
                state->scalar.outstanding[1] = 1;
            } else {
                line->count = 1;
                line->inst[0] = (struct tsr_inflight){
                    .thread = 1, .word = tile_word(tile, "PACR"), .op = OP_PACR};
            }
            assert_int_equal(flushed(tile, word, 1), mask != 0 && !(mask >> condition & 1));
            assert_true(flushed(tile, word, 0));
            if (condition == 0)
                state->scalar.outstanding[1] = 0;
            else
                line->count = 0;
        }
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_flushdma)

static void test_dmanop(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tile_do(tile, 1, "DMANOP");
    tsr_run_report report;
    tsr_get_report(tile, &report);
    assert_int_equal(report.unit_instructions[TSR_UNIT_SCALAR], 1);
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_dmanop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_store_srcb),
        TILE_TEST(test_store_srca),
        TILE_TEST(test_src_rows),
        TILE_TEST(test_src_index_wraps),
        TILE_TEST(test_src_bank),
        TILE_TEST(test_data_is_offset),
        TILE_TEST(test_result_is_offset),
        TILE_TEST(test_registers),
        TILE_TEST(test_busy_register),
        TILE_TEST(test_low_registers),
        TILE_TEST(test_map),
        TILE_TEST(test_map_going_on),
        TILE_TEST(test_tdma_register),
        TILE_TEST(test_soft_reset),
        TILE_TEST(test_atomic_waits),
        TILE_TEST(test_atomic_deadlock),
        TILE_TEST(test_flushdma),
        TILE_TEST(test_dmanop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
