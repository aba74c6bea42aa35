// SPDX-License-Identifier: Apache-2.0
// The scalar unit's instructions that no simulator answers for: vectors worked by hand from the
// pages, with their derivation. Pages: ADDDMAREG.md, SUBDMAREG.md, MULDMAREG.md, BITWOPDMAREG.md,
// SHIFTDMAREG.md, CMPDMAREG.md, LOADIND.md, STOREIND_L1.md, ATINCGET.md, ATINCGETPTR.md, ATSWAP.md,
// ATCAS.md, SETDMAREG_Special.md.
#include "rig/scalar_rig.h"

// ---------------------------------------------------------------- arithmetic

// With a constant, `right` is the constant; else it is in GPR 7, and `left` in GPR 5.
struct arithmetic {
    const char *mnemonic;
    bool constant;
    int operation; // -1: the instruction has no OpSel
    uint32_t left, right, result;
};

static const struct arithmetic vectors[] = {
    // LeftVal + RightImm6, modulo 2^32.
    {"ADDDMAREG", true, -1, 0x00000000, 63, 0x0000003f},
    {"ADDDMAREG", true, -1, 0xffffffff, 1, 0x00000000},  // 2^32 wraps to 0
    {"ADDDMAREG", true, -1, 0xfffffff0, 63, 0x0000002f}, // 0x10000002f loses its top bit
    // The two-GPR form, beyond what the conformance cases have.
    {"ADDDMAREG", false, -1, 0x80000000, 0x80000001, 0x00000001},
    // LeftVal - RightVal, modulo 2^32.
    {"SUBDMAREG", false, -1, 5, 7, 0xfffffffe},          // -2
    {"SUBDMAREG", false, -1, 0, 0xffffffff, 0x00000001}, // 0 - (2^32 - 1) = 1 modulo 2^32
    {"SUBDMAREG", false, -1, 0x80000000, 1, 0x7fffffff},
    {"SUBDMAREG", true, -1, 0, 63, 0xffffffc1}, // -63 = 0x100000000 - 0x3f
    {"SUBDMAREG", true, -1, 63, 63, 0},
    {"SUBDMAREG", true, -1, 0x100, 1, 0xff},
    // Low 16 bits of each, 32-bit product.
    {"MULDMAREG", true, -1, 0xffffffff, 63, 0x003effc1},          // 0xffff * 0x3f = 0x3f0000 - 0x3f
    {"MULDMAREG", true, -1, 0x00010000, 63, 0},                   // the low half is zero
    {"MULDMAREG", true, -1, 0x12348000, 2, 0x00010000},           // 0x8000 * 2: seventeen bits
    {"MULDMAREG", false, -1, 0xabcdffff, 0x1234ffff, 0xfffe0001}, // (2^16-1)^2 = 2^32-2^17+1
    // AND, nibble by nibble: f&0 f&f 0&f 0&0, twice.
    {"BITWOPDMAREG", false, 0, 0xff00ff00, 0x0ff00ff0, 0x0f000f00},
    {"BITWOPDMAREG", true, 0, 0xffffffff, 0x2a, 0x0000002a},
    {"BITWOPDMAREG", true, 0, 0x00000015, 0x2a, 0},
    // OR.
    {"BITWOPDMAREG", false, 1, 0xff00ff00, 0x0ff00ff0, 0xfff0fff0},
    {"BITWOPDMAREG", true, 1, 0x80000000, 0x3f, 0x8000003f},
    {"BITWOPDMAREG", true, 1, 0x00000015, 0x2a, 0x0000003f},
    // XOR.
    {"BITWOPDMAREG", false, 2, 0xff00ff00, 0x0ff00ff0, 0xf0f0f0f0},
    {"BITWOPDMAREG", true, 2, 0xffffffff, 0x3f, 0xffffffc0},
    {"BITWOPDMAREG", false, 2, 0x12345678, 0x12345678, 0},
    // Left: bits that leave are lost; of a GPR only five bits count.
    {"SHIFTDMAREG", false, 0, 0x80000001, 1, 0x00000002},
    {"SHIFTDMAREG", false, 0, 0x00000001, 0x25, 0x00000020}, // 37 & 31 = 5
    {"SHIFTDMAREG", false, 0, 0xdeadbeef, 32, 0xdeadbeef},   // 32 & 31 = 0
    {"SHIFTDMAREG", true, 0, 0x00000003, 31, 0x80000000},
    // Right, unsigned: zeroes come in.
    {"SHIFTDMAREG", true, 1, 0x80000000, 31, 0x00000001},
    {"SHIFTDMAREG", true, 1, 0x80000000, 4, 0x08000000},
    {"SHIFTDMAREG", false, 1, 0xc0000000, 0xffffffff, 0x00000001}, // by 31
    // Greater, less, equal; all unsigned; true is 1.
    {"CMPDMAREG", false, 0, 0x80000000, 1, 1}, // signed it would be less
    {"CMPDMAREG", false, 0, 5, 5, 0},
    {"CMPDMAREG", true, 0, 64, 63, 1},
    {"CMPDMAREG", false, 1, 1, 0x80000000, 1},
    {"CMPDMAREG", false, 1, 0xffffffff, 0, 0},
    {"CMPDMAREG", true, 1, 62, 63, 1},
    {"CMPDMAREG", false, 2, 7, 7, 1},
    {"CMPDMAREG", false, 2, 0x10000007, 7, 0},
    {"CMPDMAREG", true, 2, 0xffffffff, 63, 0}, // the constant is not extended by its sign
};

static void test_arithmetic(int arch)
{
    tsr_tile *tile = tile_default(arch);
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        const struct arithmetic *v = &vectors[i];
        char operation[20] = "";
        if (v->operation >= 0)
            snprintf(operation, sizeof operation, " OpSel=%d", v->operation);
        tile_set_gpr(tile, 1, 5, v->left);
        tile_set_gpr(tile, 1, 7, v->constant ? 0x55555555 : v->right);
        scalar_do(tile, 1, "%s OpBisConst=%d ResultRegIndex=60 OpBRegIndex=%u OpARegIndex=5%s",
                  v->mnemonic, v->constant, v->constant ? v->right : 7, operation);
        if (tile_gpr(tile, 1, 60) != v->result)
            fail_msg("vector %d, %s: 0x%08x, not 0x%08x", (int)i, v->mnemonic,
                     (unsigned)tile_gpr(tile, 1, 60), (unsigned)v->result);
        assert_int_equal(tile_gpr(tile, 1, 5), v->left);
    }
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_arithmetic)

// ---------------------------------------------------------------- LOADIND, STOREIND to L1

// GPR 8 is 0xfc, which is L1 address 0xfc0. The high half of GPR 9 (half 19) is the offset, so
// 0x40 leads to 0x1000, the first byte of the ramp 00 11 22 .. ff.
struct indirect {
    unsigned size, increment;
    uint16_t offset, offset_after;
    uint32_t gpr[4]; // GPRs 20 to 23 after it; they were 0xa0b0c0d0 + i
};

static const struct indirect loads[] = {
    // 32 bits at 0x1006 & ~3 = 0x1004: 44 55 66 77, the first byte lowest. No step.
    {1, 0, 0x46, 0x46, {0xa0b0c0d0, 0xa0b0c0d1, 0x77665544, 0xa0b0c0d3}},
    // 16 bits at 0x1007 & ~1 = 0x1006: 66 77, into the low half alone. Step 2.
    {2, 1, 0x47, 0x49, {0xa0b0c0d0, 0xa0b0c0d1, 0xa0b07766, 0xa0b0c0d3}},
    // 8 bits at 0x100d: dd, into the low byte alone. Step 4.
    {3, 2, 0x4d, 0x51, {0xa0b0c0d0, 0xa0b0c0d1, 0xa0b0c0dd, 0xa0b0c0d3}},
    // 128 bits at 0x1005 & ~15 = 0x1000, into GPRs 22 & 0x3c = 20 and so on. Step 16.
    {0, 3, 0x45, 0x55, {0x33221100, 0x77665544, 0xbbaa9988, 0xffeeddcc}},
};

static void prepare_indirect(tsr_tile *tile, uint16_t offset)
{
    scalar_ramp(tile);
    tile_set_gpr(tile, 2, 8, 0xfc);
    tile_set_gpr(tile, 2, 9, (uint32_t)offset << 16 | 0x7654);
    for (int i = 0; i < 4; i++)
        tile_set_gpr(tile, 2, 20 + i, 0xa0b0c0d0u + (unsigned)i);
}

static void test_loadind(int arch)
{
    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++) {
        tsr_tile *tile = tile_default(arch);
        const struct indirect *v = &loads[i];
        prepare_indirect(tile, v->offset);
        scalar_do(tile, 2,
                  "LOADIND SizeSel=%u OffsetIndex=19 AutoIncSpec=%u DataRegIndex=22 AddrRegIndex=8",
                  v->size, v->increment);
        for (int k = 0; k < 4; k++)
            assert_int_equal(tile_gpr(tile, 2, 20 + k), v->gpr[k]);
        // The other half of the offset's GPR stays.
        assert_int_equal(tile_gpr(tile, 2, 9), (uint32_t)v->offset_after << 16 | 0x7654);
        assert_int_equal(tsr_diagnostic_count(tile), 0);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_loadind)

// The address is computed in 32 bits: 0xf0000002 * 16 is 0x20, and 0xfffe more is 0x1001e. The
// offset has sixteen bits: 0xfffe + 4 = 0x0002, and nothing is carried into the other half.
static void test_loadind_wraps(int arch)
{
    tsr_tile *tile = tile_default(arch);
    scalar_word(tile, 0x1001c, 0x89abcdef);
    tile_set_gpr(tile, 0, 0, 0xf0000002);
    tile_set_gpr(tile, 0, 1, 0x1111fffe);
    scalar_do(tile, 0, "LOADIND SizeSel=2 OffsetIndex=2 AutoIncSpec=2 DataRegIndex=3");
    assert_int_equal(tile_gpr(tile, 0, 3), 0x89ab);
    assert_int_equal(tile_gpr(tile, 0, 1), 0x11110002);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_loadind_wraps)

// Of STOREIND, Size is bits 22:21: SizeSel the high one, RegSizeSel the low one. L1 had the ramp.
struct stored {
    unsigned size, increment;
    uint16_t offset, offset_after;
    uint32_t word[4];
};

static const struct stored stores[] = {
    // 32 bits of GPR 22 at 0x100b & ~3 = 0x1008.
    {1, 0, 0x4b, 0x4b, {0x33221100, 0x77665544, 0xa0b0c0d2, 0xffeeddcc}},
    // The low 16 bits, 0xc0d2, at 0x1003 & ~1 = 0x1002.
    {2, 1, 0x43, 0x45, {0xc0d21100, 0x77665544, 0xbbaa9988, 0xffeeddcc}},
    // The low 8 bits, 0xd2, at 0x1007.
    {3, 2, 0x47, 0x4b, {0x33221100, 0xd2665544, 0xbbaa9988, 0xffeeddcc}},
    // GPRs 20 to 23 (22 & 0x3c = 20) at 0x100f & ~15 = 0x1000.
    {0, 3, 0x4f, 0x5f, {0xa0b0c0d0, 0xa0b0c0d1, 0xa0b0c0d2, 0xa0b0c0d3}},
};

static void test_storeind_l1(int arch)
{
    for (size_t i = 0; i < sizeof stores / sizeof stores[0]; i++) {
        tsr_tile *tile = tile_default(arch);
        const struct stored *v = &stores[i];
        prepare_indirect(tile, v->offset);
        scalar_do(tile, 2,
                  "STOREIND MemHierSel=1 SizeSel=%u RegSizeSel=%u OffsetIndex=19 AutoIncSpec=%u "
                  "DataRegIndex=22 AddrRegIndex=8",
                  v->size >> 1, v->size & 1, v->increment);
        for (unsigned k = 0; k < 4; k++)
            assert_int_equal(tile_l1(tile, 0x1000 + 4 * k), v->word[k]);
        assert_int_equal(tile_gpr(tile, 2, 9), (uint32_t)v->offset_after << 16 | 0x7654);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_storeind_l1)

// ---------------------------------------------------------------- atomics

struct incget {
    unsigned width;
    uint32_t before, by, after;
};

static const struct incget incgets[] = {
    // IntMask = (2 << 31) - 1 has all 32 bits: 0xffffffff + 2 = 1.
    {31, 0xffffffff, 2, 0x00000001},
    // (2 << 7) - 1 = 0xff: 0xfe + 5 = 0x103, of which 0x03 stays; the other bits stay as they were.
    {7, 0x123456fe, 5, 0x12345603},
    // (2 << 0) - 1 = 1: 0xfffffffe + 3 = 1; bit 0 is 1, the others as before.
    {0, 0xfffffffe, 3, 0xffffffff},
    // (2 << 15) - 1 = 0xffff; adding -1: 0x00010000 - 1 = 0xffff.
    {15, 0x00010000, 0xffffffff, 0x0001ffff},
};

static void test_atincget(int arch)
{
    for (unsigned i = 0; i < 4; i++) {
        tsr_tile *tile = tile_default(arch);
        const struct incget *v = &incgets[i];
        scalar_word(tile, 0x2000 + 4 * i, v->before); // Ofs counts words of the line
        tile_set_gpr(tile, 0, 4, 0x200);
        tile_set_gpr(tile, 0, 6, v->by);
        scalar_do(tile, 0, "ATINCGET WrapVal=%u Sel32b=%u DataRegIndex=6 AddrRegIndex=4", v->width,
                  i);
        assert_int_equal(tile_l1(tile, 0x2000 + 4 * i), v->after);
        assert_int_equal(tile_gpr(tile, 0, 6), v->before);
        assert_int_equal(tsr_diagnostic_count(tile), 0);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_atincget)

struct fifo {
    unsigned ofs, width, log2, no_increment;
    uint32_t before[4], after, result;
};

static const struct fifo fifos[] = {
    // Push 2: capacity 1 << (3 - 1) = 4, mask 7. 1 - 6 = 0xfffffffb, modulo 4 is 3: not full.
    {1, 3, 1, 0, {6, 1, 0, 0}, 3, 1},
    // Push 1 from Wr = 7: 8 & 7 = 0. 7 - 4 = 3 of 4.
    {1, 3, 0, 0, {4, 7, 0, 0}, 0, 7},
    // Pop 1 from Rd = 7: 8 & 7 = 0. 1 - 7 is not 0, so not empty.
    {0, 3, 0, 0, {7, 1, 0, 0}, 0, 7},
    // NoIncr: only the wait, and the value.
    {0, 3, 2, 1, {2, 5, 0, 0}, 2, 2},
    // IntWidth 0: capacity 0x8000, but the mask (1 << 0) - 1 is 0, so the word stays as it was.
    {1, 0, 0, 0, {0, 5, 0, 0}, 5, 5},
    // An empty FIFO is not full, though 0 modulo 4 is 0.
    {1, 3, 0, 0, {3, 3, 0, 0}, 4, 3},
    // Ofs 2 asks what Ofs 0 asks and steps word 2, Ofs 3 asks what Ofs 1 asks and steps word 3.
    {2, 4, 3, 0, {0, 1, 9, 0}, 1, 9},          // (9 + 8) & 15
    {3, 4, 0, 0, {0, 1, 0, 0x35}, 0x36, 0x35}, // (0x36 & 15) | (0x35 & ~15)
};

static void test_atincgetptr(int arch)
{
    for (size_t i = 0; i < sizeof fifos / sizeof fifos[0]; i++) {
        tsr_tile *tile = tile_default(arch);
        const struct fifo *v = &fifos[i];
        scalar_words(tile, 0x3000, v->before, 4);
        tile_set_gpr(tile, 1, 10, 0x300);
        scalar_do(tile, 1,
                  "ATINCGETPTR NoIncr=%u IncrVal=%u WrapVal=%u Sel32b=%u DataRegIndex=11 "
                  "AddrRegIndex=10",
                  v->no_increment, v->log2, v->width, v->ofs);
        for (unsigned k = 0; k < 4; k++)
            assert_int_equal(tile_l1(tile, 0x3000 + 4 * k), k == v->ofs ? v->after : v->before[k]);
        assert_int_equal(tile_gpr(tile, 1, 11), v->result);
        assert_int_equal(tsr_diagnostic_count(tile), 0);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_atincgetptr)

struct swap {
    unsigned mask, single, gpr;
    uint32_t after[4];
};

// L1 had the ramp; GPRs 20 to 23 are 0xa0b0c0d0 + i.
static const struct swap swaps[] = {
    // All eight granules of 16 bits, from GPRs 22 & 0x3c = 20 and so on.
    {0xff, 0, 22, {0xa0b0c0d0, 0xa0b0c0d1, 0xa0b0c0d2, 0xa0b0c0d3}},
    // Granules 1, 3, 4 and 6: the high halves of words 0 and 1, the low ones of 2 and 3.
    {0x5a, 0, 20, {0xa0b01100, 0xa0b05544, 0xbbaac0d2, 0xffeec0d3}},
    // One GPR, 21, which is word 21 & 3 = 1; the other words to write are 0. Granules 0, 2, 3, 7.
    {0x8d, 1, 21, {0x33220000, 0xa0b0c0d1, 0xbbaa9988, 0x0000ddcc}},
    // Nothing.
    {0x00, 0, 20, {0x33221100, 0x77665544, 0xbbaa9988, 0xffeeddcc}},
};

static void test_atswap(int arch)
{
    for (size_t i = 0; i < sizeof swaps / sizeof swaps[0]; i++) {
        tsr_tile *tile = tile_default(arch);
        const struct swap *v = &swaps[i];
        prepare_indirect(tile, 0);
        tile_set_gpr(tile, 2, 8, 0x100);
        scalar_do(tile, 2, "ATSWAP SingleDataReg=%u SwapMask=%u DataRegIndex=%u AddrRegIndex=8",
                  v->single, v->mask, v->gpr);
        for (unsigned k = 0; k < 4; k++) {
            assert_int_equal(tile_l1(tile, 0x1000 + 4 * k), v->after[k]);
            assert_int_equal(tile_gpr(tile, 2, 20 + (int)k), 0xa0b0c0d0u + k); // no swap
        }
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_atswap)

// The word, all 32 bits of it, must be CmpVal; then it becomes SetVal.
static void test_atcas(int arch)
{
    static const struct {
        unsigned ofs, compare, set;
    } cases[] = {{0, 0, 15}, {3, 7, 7}, {2, 15, 0}};
    for (size_t i = 0; i < 3; i++) {
        tsr_tile *tile = tile_default(arch);
        scalar_ramp(tile);
        scalar_word(tile, 0x1000 + 4 * cases[i].ofs, cases[i].compare);
        tile_set_gpr(tile, 0, 63, 0x100);
        scalar_do(tile, 0, "ATCAS SwapVal=%u CmpVal=%u Sel32b=%u AddrRegIndex=63", cases[i].set,
                  cases[i].compare, cases[i].ofs);
        assert_int_equal(tile_l1(tile, 0x1000 + 4 * cases[i].ofs), cases[i].set);
        assert_int_equal(tile_l1(tile, 0x1004), 0x77665544);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_atcas)

// ---------------------------------------------------------------- SETDMAREG of packer state

// The payload is WhichPackers << 7 | InputSource << 3 | InputHalfReg.
struct special {
    unsigned size, which, source, in, half;
    uint32_t gpr[4]; // GPRs 40 to 43 after it; they were 0xdddddddd
};

// Of thread 1. Packer i: 0x100 + i lines accumulated, 0x20 + i in the last tile, which packers 0
// and 2 wrote for thread 1 and the others for thread 0; all-zero flags 0x80000000 + i.
static void prepare_packers(tsr_tile *tile)
{
    static const enum tsr_field format[4] = {
        FIELD_THCON_SEC0_REG1_Out_data_format, FIELD_THCON_SEC0_REG8_Out_data_format,
        FIELD_THCON_SEC1_REG1_Out_data_format, FIELD_THCON_SEC1_REG8_Out_data_format};
    for (unsigned i = 0; i < 4; i++) {
        struct tsr_packer *packer = &tile_state(tile)->packers.packer[i];
        packer->acc_tile_size[0] = 0x900;
        packer->acc_tile_size[1] = (uint16_t)(0x100 + i);
        packer->acc_tile_size[2] = 0x700;
        packer->last_tile_size = (uint16_t)(0x20 + i);
        packer->last_thread = i % 2 ? 0 : 1;
        packer->all_zero_flags = 0x80000000u + i;
        tile_field(tile, 0, format[i], i);
        tile_field(tile, 1, format[i], 8 + i);
    }
    for (int i = 40; i < 44; i++)
        tile_set_gpr(tile, 1, i, 0xdddddddd);
    tile_field(tile, 1, FIELD_CFG_STATE_ID_StateID, 1);
    tile_field(tile, 1, FIELD_THCON_SEC0_REG1_Disable_zero_compress, 1);
}

#define KEPT 0xdddddddd
static const struct special specials[] = {
    // Source 0, value i: accumulated << 16 | last tile (0 if another thread's).
    {2, 0, 0, 0, 80, {0x01000020, 0x01010000, 0x01020022, 0x01030000}},
    // One half: half 4 is the low half of value 2; half 83 is the high one of GPR 41.
    {0, 0, 0, 4, 83, {KEPT, 0x0022dddd, KEPT, KEPT}},
    {0, 0, 0, 7, 86, {KEPT, KEPT, KEPT, 0xdddd0103}},
    // One word: half 3 >> 1 is value 1, to GPR 85 >> 1 = 42.
    {1, 0, 0, 3, 85, {KEPT, KEPT, 0x01010000, KEPT}},
    // Fields of a header from source 0: 0x0020; bits 16 to 23 of 0x01010000, which is 0x01; all.
    {3, 0, 0, 0, 80, {0xdddd0020, 0xdd01dddd, 0x01020022, KEPT}},
    // Source 1: the flags.
    {1, 0, 1, 4, 80, {0x80000002, KEPT, KEPT, KEPT}},
    {2, 0, 1, 0, 87, {0x80000000, 0x80000001, 0x80000002, 0x80000003}}, // (87 >> 1) & 0x3c = 40
    {0, 0, 1, 1, 81, {0x8000dddd, KEPT, KEPT, KEPT}},
    // Source 2, header of packer 0: 0x20 + 1; format 8 (bank 1) at bit 16, no compression at 20.
    {2, 0, 2, 0, 80, {0x00000021, 0x00180000, 0x80000000, 0}},
    {3, 0, 2, 0, 80, {0xdddd0021, 0xdd18dddd, 0x80000000, KEPT}},
    {1, 0, 2, 2, 80, {0x00180000, KEPT, KEPT, KEPT}},
    // Source 8: bit 0 of each packer's flags, 0b1010 for flags 0, 1, 2, 3.
    {1, 0, 8, 0, 80, {0x0000000a, KEPT, KEPT, KEPT}},
    {3, 0, 8, 0, 80, {0xdddd000a, 0xdd00dddd, 0, KEPT}},
    {2, 5, 8, 0, 80, {0x0000000a, 0, 0, 0}},
    // Sources from 10 on are nothing: four GPRs become zero.
    {2, 15, 10, 7, 80, {0, 0, 0, 0}},
    {2, 0, 15, 0, 80, {0, 0, 0, 0}},
};

static void test_setdmareg_special(int arch)
{
    for (size_t i = 0; i < sizeof specials / sizeof specials[0]; i++) {
        tsr_tile *tile = tile_default(arch);
        const struct special *v = &specials[i];
        prepare_packers(tile);
        scalar_do(tile, 1,
                  "SETDMAREG SetSignalsMode=1 Payload_SigSelSize=%u Payload_SigSel=%u "
                  "RegIndex16b=%u",
                  v->size, v->which << 7 | v->source << 3 | v->in, v->half);
        for (int k = 0; k < 4; k++)
            if (tile_gpr(tile, 1, 40 + k) != v->gpr[k])
                fail_msg("vector %d, GPR %d: 0x%08x, not 0x%08x", (int)i, 40 + k,
                         (unsigned)tile_gpr(tile, 1, 40 + k), (unsigned)v->gpr[k]);
        for (unsigned p = 0; p < 4; p++) {
            const struct tsr_packer *packer = &tile_state(tile)->packers.packer[p];
            bool reset = v->source == 8 && (v->which >> p & 1);
            assert_int_equal(packer->acc_tile_size[0], reset ? 0 : 0x900);
            assert_int_equal(packer->acc_tile_size[1], reset ? 0 : 0x100 + p);
            assert_int_equal(packer->acc_tile_size[2], reset ? 0 : 0x700);
            assert_int_equal(packer->last_tile_size, 0x20 + p);
        }
        assert_int_equal(tsr_diagnostic_count(tile), 0);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_setdmareg_special)

// The headers of packers 1 to 3, which Blackhole does not have. Packer 3's last tile is another
// thread's: size 0 + 1. With the override, DisableZeroCompression is the packer's bit of one field.
static void test_headers_of_others(void **state)
{
    (void)state;
    static const uint32_t expected[3][3] = {{0x0001, 0x00190000, 0x80000001},
                                            {0x0023, 0x000a0000, 0x80000002},
                                            {0x0001, 0x001b0000, 0x80000003}};
    tsr_tile *tile = tile_default(WH);
    prepare_packers(tile);
    tile_field(tile, 1, FIELD_THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd, 1);
    tile_field(tile, 1, FIELD_THCON_SEC0_REG1_All_pack_disable_zero_compress, 0xa);
    for (unsigned p = 1; p < 4; p++) {
        scalar_do(tile, 1,
                  "SETDMAREG SetSignalsMode=1 Payload_SigSelSize=2 Payload_SigSel=%u "
                  "RegIndex16b=80",
                  (2 + p) << 3);
        for (int k = 0; k < 3; k++)
            assert_int_equal(tile_gpr(tile, 1, 40 + k), expected[p - 1][k]);
    }
    tsr_tile_destroy(tile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_arithmetic),
        TILE_TEST(test_loadind),
        TILE_TEST(test_loadind_wraps),
        TILE_TEST(test_storeind_l1),
        TILE_TEST(test_atincget),
        TILE_TEST(test_atincgetptr),
        TILE_TEST(test_atswap),
        TILE_TEST(test_atcas),
        TILE_TEST(test_setdmareg_special),
        cmocka_unit_test(test_headers_of_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
