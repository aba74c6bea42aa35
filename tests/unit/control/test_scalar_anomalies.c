// SPDX-License-Identifier: Apache-2.0
// The scalar unit's anomalies: operations and addresses that no page defines, GPRs and L1 that were
// never written or are tainted, modes that no page describes, and what is not built.
// Pages: ScalarUnit.md, BITWOPDMAREG.md, SHIFTDMAREG.md, CMPDMAREG.md, LOADIND.md, STOREIND_L1.md,
// ATINCGET.md, ATINCGETPTR.md, ATSWAP.md, ATCAS.md, SETDMAREG_Special.md.
#include "rig/scalar_rig.h"

// ---------------------------------------------------------------- undefined points of arithmetic

static void test_operations(int arch)
{
    static const struct {
        const char *mnemonic;
        int first; // operation that is none
    } cases[] = {{"BITWOPDMAREG", 3}, {"CMPDMAREG", 3}, {"SHIFTDMAREG", 2}};
    for (int i = 0; i < 3; i++)
        for (int operation = cases[i].first; operation < 8; operation++)
            for (int profile = 0; profile < 2; profile++) {
                tsr_tile *tile = tile_new(arch, false, (tsr_profile)profile);
                tile_set_gpr(tile, 0, 1, 0xff);
                tile_set_gpr(tile, 0, 3, 0x77);
                scalar_push(tile, 0,
                            "%s OpSel=%d OpBisConst=1 OpBRegIndex=9 OpARegIndex=1 ResultRegIndex=3",
                            cases[i].mnemonic, operation);
                tile_run(tile);
                tile_says(tile, "gpr-operation", cases[i].mnemonic);
                assert_int_equal(tile_gpr(tile, 0, 3), profile == TSR_PROFILE_STRICT ? 0x77 : 0);
                assert_int_equal(tile_state(tile)->gprs.tainted[0],
                                 profile == TSR_PROFILE_STRICT ? 0 : 8);
                tsr_tile_destroy(tile);
            }
}
TILE_BOTH(test_operations)

// SHIFTDMAREG's constant has five bits; the place has six.
static void test_shift_constant(int arch)
{
    for (int profile = 0; profile < 2; profile++) {
        tsr_tile *tile = tile_new(arch, false, (tsr_profile)profile);
        tile_set_gpr(tile, 0, 1, 0xff);
        tile_set_gpr(tile, 0, 3, 0x77);
        tile_push(tile, 0,
                  "SHIFTDMAREG OpBisConst=1 OpBRegIndex=36 OpARegIndex=1 ResultRegIndex=3");
        tile_run(tile);
        tile_says(tile, "stray-operand-bits", "OpBRegIndex=36");
        assert_int_equal(tile_gpr(tile, 0, 3), profile == TSR_PROFILE_STRICT ? 0x77 : 0xff0);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_shift_constant)

// ---------------------------------------------------------------- what was never written

// Each instruction, and a GPR that it reads. All others of thread 1 are written; they are 0 but GPR
// 13, an address.
static const struct {
    const char *text;
    int gpr;
    uint32_t gpr13;
} readers[] = {
    {"ADDDMAREG OpARegIndex=10 OpBRegIndex=11 ResultRegIndex=1", 10, 0},
    {"CMPDMAREG OpARegIndex=10 OpBRegIndex=11 ResultRegIndex=1", 11, 0},
    {"LOADIND SizeSel=1 OffsetIndex=20 DataRegIndex=11 AddrRegIndex=12", 10, 0},
    {"LOADIND SizeSel=1 OffsetIndex=21 DataRegIndex=11 AddrRegIndex=12", 10, 0},
    {"LOADIND SizeSel=1 OffsetIndex=22 DataRegIndex=11 AddrRegIndex=10", 10, 0},
    {"STOREIND MemHierSel=1 OffsetIndex=24 DataRegIndex=9 AddrRegIndex=13", 10, 16},
    {"STOREIND MemHierSel=1 OffsetIndex=21 DataRegIndex=1 AddrRegIndex=13", 10, 16},
    {"STOREIND OffsetIndex=24 DataRegIndex=10 AddrRegIndex=13", 9, 16},
    {"STOREIND OffsetIndex=24 DataRegIndex=4 AddrRegIndex=13", 13, 16},
    {"STOREIND SizeSel=1 OffsetIndex=24 DataRegIndex=10 AddrRegIndex=13", 10, 0x11010},
    {"STOREIND SizeSel=1 OffsetIndex=24 DataRegIndex=4 AddrRegIndex=13", 13, 0x11010},
    {"STOREREG TdmaDataRegIndex=10 RegAddr=0x4404", 10, 0},
    {"ATINCGET DataRegIndex=10 AddrRegIndex=12", 10, 0},
    {"ATINCGET DataRegIndex=12 AddrRegIndex=10", 10, 0},
    {"ATINCGETPTR DataRegIndex=12 AddrRegIndex=10", 10, 0},
    {"ATSWAP SwapMask=0x10 DataRegIndex=8 AddrRegIndex=12", 10, 0},
    {"ATCAS AddrRegIndex=10", 10, 0},
};

static void prepare_gprs(tsr_tile *tile, struct scalar_port *port, uint32_t gpr13)
{
    port->answer = TSR_OK;
    scalar_plug(tile, port);
    scalar_ramp(tile);
    scalar_word(tile, 0, 0);
    scalar_word(tile, 4, 1);
    for (int i = 0; i < 64; i++)
        tile_set_gpr(tile, 1, i, i == 13 ? gpr13 : 0);
}

static void test_uninitialised_gprs(int arch)
{
    for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++) {
        struct scalar_port port = {0};
        tsr_tile *tile = tile_default(arch);
        char words[40];
        prepare_gprs(tile, &port, readers[i].gpr13);
        tile_do(tile, 1, readers[i].text);
        assert_int_equal(tsr_diagnostic_count(tile), 0);
        tile_state(tile)->gprs.written[1] &= ~(1ull << readers[i].gpr);
        tile_push(tile, 1, readers[i].text);
        assert_int_equal(tile_run(tile), TSR_END_STOPPED);
        snprintf(words, sizeof words, "GPR %d of thread 1 was never written", readers[i].gpr);
        tile_says(tile, "uninitialised-gpr", words);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_uninitialised_gprs)

// The same GPRs tainted: a use, and what is written is tainted in turn.
static void test_tainted_gprs(int arch)
{
    for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++)
        for (int profile = 0; profile < 2; profile++) {
            struct scalar_port port = {0};
            tsr_tile *tile = tile_new(arch, false, (tsr_profile)profile);
            char words[40];
            prepare_gprs(tile, &port, readers[i].gpr13);
            tile_state(tile)->gprs.tainted[1] = 1ull << readers[i].gpr;
            tile_push(tile, 1, readers[i].text);
            assert_int_equal(tile_run(tile),
                             profile == TSR_PROFILE_STRICT ? TSR_END_STOPPED : TSR_END_IDLE);
            snprintf(words, sizeof words, "GPR %d of thread 1 holds", readers[i].gpr);
            tile_says(tile, "tainted-datum-used", words);
            tsr_tile_destroy(tile);
        }
}
TILE_BOTH(test_tainted_gprs)

static void test_taint_goes_on(int arch)
{
    struct scalar_port port = {0};
    tsr_tile *tile = tile_new(arch, false, TSR_PROFILE_SILICON);
    struct tsr_state *state = tile_state(tile);
    prepare_gprs(tile, &port, 16);
    state->gprs.tainted[1] = 1ull << 10;
    tile_do(tile, 1, "ADDDMAREG OpARegIndex=10 OpBisConst=1 OpBRegIndex=3 ResultRegIndex=20");
    assert_true(state->gprs.tainted[1] >> 20 & 1);
    // Half a GPR keeps the taint, a whole one loses it.
    tile_do(tile, 1, "SETDMAREG RegIndex16b=40 Payload_SigSel=1");
    assert_true(state->gprs.tainted[1] >> 20 & 1);
    tile_do(tile, 1, "ADDDMAREG OpARegIndex=11 OpBisConst=1 OpBRegIndex=3 ResultRegIndex=20");
    assert_false(state->gprs.tainted[1] >> 20 & 1);
    // GPR 13 leads to 0x100.
    tile_do(tile, 1,
            "STOREIND MemHierSel=1 SizeSel=1 RegSizeSel=0 OffsetIndex=24 DataRegIndex=10 "
            "AddrRegIndex=13");
    assert_int_equal(state->l1.tainted[0x10], 3);
    tile_do(tile, 1, "ATSWAP SwapMask=0x20 DataRegIndex=8 AddrRegIndex=13");
    assert_int_equal(state->l1.tainted[0x10], 0xc03);
    tile_do(tile, 1, "STOREIND OffsetIndex=24 DataRegIndex=8 AddrRegIndex=13");
    assert_int_equal(state->src[TSR_SRCA].bank[0].tainted[0], 0); // GPRs 8 and 9 are not tainted
    state->gprs.tainted[1] |= 1u << 9;
    tile_do(tile, 1, "STOREIND OffsetIndex=24 DataRegIndex=8 AddrRegIndex=13");
    assert_int_equal(state->src[TSR_SRCA].bank[0].tainted[0], 0xf);
    // And back from L1.
    tile_do(tile, 1, "LOADIND SizeSel=3 OffsetIndex=24 DataRegIndex=30 AddrRegIndex=13");
    assert_true(state->gprs.tainted[1] >> 30 & 1);
    tile_says(tile, "tainted-datum-used", "GPR 10");
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_taint_goes_on)

// Reads of L1 that was never written or is tainted.
static void test_l1_shadow(int arch)
{
    static const char *const texts[] = {
        "LOADIND SizeSel=2 OffsetIndex=0 DataRegIndex=5 AddrRegIndex=1",
        "ATINCGET DataRegIndex=5 AddrRegIndex=1", "ATCAS AddrRegIndex=1",
        "ATINCGETPTR Sel32b=1 WrapVal=3 DataRegIndex=5 AddrRegIndex=1"};
    for (int i = 0; i < 4; i++)
        for (int tainted = 0; tainted < 2; tainted++) {
            tsr_tile *tile = tile_default(arch);
            tile_set_gpr(tile, 0, 0, 0);
            tile_set_gpr(tile, 0, 1, 0x300);
            tile_set_gpr(tile, 0, 5, 2);
            if (tainted) {
                scalar_word(tile, 0x3000, 0);
                scalar_word(tile, 0x3004, 0);
                tsr_l1_mark(&tile_state(tile)->l1, 0x3000, 4, true);
            }
            tile_push(tile, 0, texts[i]);
            assert_int_equal(tile_run(tile), TSR_END_STOPPED);
            tile_says(tile, tainted ? "tainted-datum-used" : "uninitialised-l1", "0x03000");
            assert_int_equal(tile_l1(tile, 0x3000), 0);
            assert_int_equal(tile_gpr(tile, 0, 5), 2);
            tsr_tile_destroy(tile);
        }
}
TILE_BOTH(test_l1_shadow)

// Stores and swaps read nothing; a FIFO's fourth word is looked at alone.
static void test_l1_not_read(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tile_set_gpr(tile, 0, 0, 0);
    tile_set_gpr(tile, 0, 1, 0x300);
    for (int i = 4; i < 8; i++)
        tile_set_gpr(tile, 0, i, 0);
    tile_do(tile, 0, "ATSWAP SwapMask=1 DataRegIndex=4 AddrRegIndex=1");
    assert_int_equal(tile_state(tile)->l1.written[0x300], 3);
    tile_do(tile, 0, "STOREIND MemHierSel=1 OffsetIndex=0 DataRegIndex=4 AddrRegIndex=1");
    tile_state(tile)->l1.written[0x300] = 0xf0ff; // all but word 2
    tile_do(tile, 0, "ATINCGETPTR Sel32b=3 WrapVal=3 DataRegIndex=5 AddrRegIndex=1");
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    scalar_word(tile, 0x3004, 1);
    tile_state(tile)->l1.written[0x300] = 0xf0ff;
    tile_push(tile, 0, "ATINCGETPTR Sel32b=2 WrapVal=3 DataRegIndex=5 AddrRegIndex=1");
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    tile_says(tile, "uninitialised-l1", "0x03008");
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_l1_not_read)

// ---------------------------------------------------------------- addresses past L1

static void test_l1_range(int arch)
{
    static const struct {
        const char *text;
        bool result;
    } cases[] = {
        {"LOADIND SizeSel=1 OffsetIndex=0 AutoIncSpec=1 DataRegIndex=5 AddrRegIndex=1", true},
        {"LOADIND SizeSel=0 OffsetIndex=0 AutoIncSpec=1 DataRegIndex=5 AddrRegIndex=1", true},
        {"STOREIND MemHierSel=1 OffsetIndex=0 AutoIncSpec=1 DataRegIndex=5 AddrRegIndex=1", false},
        {"ATINCGET DataRegIndex=5 AddrRegIndex=1", true},
        {"ATINCGETPTR DataRegIndex=5 AddrRegIndex=1", true},
        {"ATSWAP SwapMask=0xff DataRegIndex=5 AddrRegIndex=1", false},
        {"ATCAS CmpVal=3 AddrRegIndex=1", false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int profile = 0; profile < 2; profile++) {
            tsr_tile *tile = tile_new(arch, false, (tsr_profile)profile);
            uint32_t size = (uint32_t)tsr_l1_size((tsr_arch)arch);
            tile_set_gpr(tile, 0, 0, 0);
            tile_set_gpr(tile, 0, 1, size / 16);
            for (int k = 4; k < 8; k++)
                tile_set_gpr(tile, 0, k, 7);
            tile_push(tile, 0, cases[i].text);
            assert_int_equal(tile_run(tile),
                             profile == TSR_PROFILE_STRICT ? TSR_END_STOPPED : TSR_END_IDLE);
            tile_says(tile, "l1-out-of-range", "behind L1's");
            bool changed = cases[i].result && profile == TSR_PROFILE_SILICON;
            assert_int_equal(tile_gpr(tile, 0, 5), changed ? 0 : 7);
            assert_int_equal(tile_state(tile)->gprs.tainted[0] >> 5 & 1, changed);
            // The step of the offset is part of the instruction.
            assert_int_equal(tile_gpr(tile, 0, 0), i < 3 && profile == TSR_PROFILE_SILICON ? 2 : 0);
            tsr_tile_destroy(tile);
        }
    // The last line is in L1.
    tsr_tile *tile = tile_default(arch);
    tile_set_gpr(tile, 0, 0, 15);
    tile_set_gpr(tile, 0, 1, (uint32_t)tsr_l1_size((tsr_arch)arch) / 16 - 1);
    tile_set_gpr(tile, 0, 5, 0xab);
    tile_do(tile, 0,
            "STOREIND MemHierSel=1 SizeSel=1 RegSizeSel=1 OffsetIndex=0 DataRegIndex=5 "
            "AddrRegIndex=1");
    uint8_t byte;
    tsr_l1_read(tile, (uint32_t)tsr_l1_size((tsr_arch)arch) - 1, &byte, 1);
    assert_int_equal(byte, 0xab);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_l1_range)

// ---------------------------------------------------------------- what pages leave open

static void test_undocumented(int arch)
{
    static const char *const texts[] = {
        "ATINCGET MemHierSel=1 WrapVal=31 DataRegIndex=5 AddrRegIndex=1",
        "ATINCGETPTR MemHierSel=1 WrapVal=3 DataRegIndex=5 AddrRegIndex=1",
        "ATSWAP MemHierSel=1 SwapMask=1 DataRegIndex=5 AddrRegIndex=1",
        "ATCAS MemHierSel=1 CmpVal=3 SwapVal=4 AddrRegIndex=1",
        "ATCAS DataRegIndex=9 CmpVal=3 SwapVal=4 AddrRegIndex=1"};
    for (int i = 0; i < 5; i++)
        for (int stop = 0; stop < 2; stop++) {
            tsr_tile *tile = tile_default(arch);
            tsr_tile_set_policy(tile, "undocumented-mode",
                                stop ? TSR_ACTION_STOP : TSR_ACTION_RECORD);
            tile_set_gpr(tile, 0, 1, 0x300);
            for (int k = 4; k < 8; k++)
                tile_set_gpr(tile, 0, k, 1);
            scalar_word(tile, 0x3000, 3);
            scalar_word(tile, 0x3004, 7);
            tile_push(tile, 0, texts[i]);
            assert_int_equal(tile_run(tile), stop ? TSR_END_STOPPED : TSR_END_IDLE);
            tile_says(tile, "undocumented-mode", i < 4 ? "MemHierSel=1" : "DataRegIndex=9");
            assert_int_equal(tile_l1(tile, 0x3000), stop ? 3 : i == 2 ? 1 : 4);
            tsr_tile_destroy(tile);
        }
}
TILE_BOTH(test_undocumented)

// Blackhole has one packer; Wormhole has all that can be asked for.
static void test_absent_packers(int arch)
{
    for (unsigned source = 2; source < 6; source++)
        for (int profile = 0; profile < 2; profile++) {
            tsr_tile *tile = tile_new(arch, false, (tsr_profile)profile);
            bool absent = arch == BH && source > 2;
            tile_set_gpr(tile, 0, 5, 0x99);
            scalar_push(tile, 0,
                        "SETDMAREG SetSignalsMode=1 Payload_SigSelSize=1 RegIndex16b=10 "
                        "Payload_SigSel=%u",
                        source << 3);
            tile_run(tile);
            assert_int_equal(tile_found(tile, "setdmareg-packer") != NULL, absent);
            bool stopped = absent && profile == TSR_PROFILE_STRICT;
            assert_int_equal(tile_gpr(tile, 0, 5), stopped ? 0x99 : 1);
            assert_int_equal(tile_state(tile)->gprs.tainted[0] >> 5 & 1, absent && !stopped);
            tsr_tile_destroy(tile);
        }
}
TILE_BOTH(test_absent_packers)

// The counters and the maximum are read as they stand; the packer is WhichPackers & 3, and the
// maximum is packer 0's whatever WhichPackers says.
static void test_statistics(int arch)
{
    for (unsigned source = 6; source < 10; source++) {
        tsr_tile *tile = tile_default(arch);
        struct tsr_packer *packers = tile_state(tile)->packers.packer;
        for (unsigned i = 0; i < 32; i++)
            packers[2].exponent_count[i] = (uint8_t)(0x80 + i);
        packers[0].max_exponent = 0x1d;
        packers[2].max_exponent = 0x11;
        scalar_push(tile, 0,
                    "SETDMAREG RegIndex16b=8 SetSignalsMode=1 Payload_SigSelSize=2 "
                    "Payload_SigSel=%u",
                    6u << 7 | source << 3);
        assert_int_equal(tile_run(tile), TSR_END_IDLE);
        uint32_t low = source == 6 ? 0x83828180u : source == 7 ? 0x93929190u : 0;
        uint32_t high = source == 6 ? 0x8f8e8d8cu : source == 7 ? 0x9f9e9d9cu : 0;
        assert_int_equal(tile_gpr(tile, 0, 4), source == 9 ? 0x1d : low);
        assert_int_equal(tile_gpr(tile, 0, 7), high);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_statistics)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_operations),         TILE_TEST(test_shift_constant),
        TILE_TEST(test_uninitialised_gprs), TILE_TEST(test_tainted_gprs),
        TILE_TEST(test_taint_goes_on),      TILE_TEST(test_l1_shadow),
        TILE_TEST(test_l1_not_read),        TILE_TEST(test_l1_range),
        TILE_TEST(test_undocumented),       TILE_TEST(test_absent_packers),
        TILE_TEST(test_statistics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
