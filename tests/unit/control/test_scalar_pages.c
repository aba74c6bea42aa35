// SPDX-License-Identifier: Apache-2.0
// Scalar unit: GPR arithmetic, L1 and atomics, worked by hand from the ISA pages by a reader who
// had not seen the code. Each row has its derivation beside it; nothing is computed by the test.
// Pages: ADDDMAREG, SUBDMAREG, MULDMAREG, BITWOPDMAREG, SHIFTDMAREG, CMPDMAREG, LOADIND,
// STOREIND_L1, ATINCGET, ATINCGETPTR, ATSWAP, ATCAS, FLUSHDMA.

#include "rig/scalar_rig.h"

#define REG " OpBisConst=0 OpBRegIndex=9 OpARegIndex=5 ResultRegIndex=14"
#define IMM(n) " OpBisConst=1 OpBRegIndex=" #n " OpARegIndex=5 ResultRegIndex=14"

// Left in GPR 5, right in GPR 9 (unused by the constant forms), result in GPR 14.
struct binary {
    const char *text;
    uint32_t left, right, result;
};

static const struct binary sums[] = {
    {"SUBDMAREG" REG, 10, 3, 7},
    {"SUBDMAREG" REG, 3, 10, 0xfffffff9},             // -7 modulo 2^32
    {"SUBDMAREG" REG, 0x80000000, 0x7fffffff, 1},     // unsigned difference of neighbours
    {"SUBDMAREG" IMM(63), 100, 7, 37},                // 100 - 63
    {"SUBDMAREG" IMM(1), 0, 7, 0xffffffff},           // borrow through all bits
    {"SUBDMAREG" IMM(63), 0x80000000, 7, 0x7fffffc1}, // 63 = 0x3f is not sign extended
    {"ADDDMAREG" IMM(1), 0xffffffff, 7, 0},           // carry leaves the 32 bits
    {"ADDDMAREG" IMM(63), 0x7fffffff, 7, 0x8000003e}, // + 0x3f, not + (-1)
    {"ADDDMAREG" IMM(42), 0x12345678, 7, 0x123456a2}, // 0x78 + 0x2a = 0xa2
    {"MULDMAREG" IMM(63), 0x12345678, 7, 0x00154788}, // 0x5678 * 64 - 0x5678 = 0x159e00 - 0x5678
    {"MULDMAREG" IMM(63), 0xffffffff, 7, 0x003effc1}, // 0xffff * 0x3f = 0x3f0000 - 0x3f
    {"MULDMAREG" IMM(63), 0xffff0000, 7, 0},          // the high 16 bits of the left are dropped
};

static const struct binary bits[] = {
    {"BITWOPDMAREG OpSel=0" REG, 0xf0f0a5a5, 0x0ff0ffff, 0x00f0a5a5}, // mode 0: and
    {"BITWOPDMAREG OpSel=0" REG, 0x80000001, 0x80000000, 0x80000000},
    {"BITWOPDMAREG OpSel=0" IMM(60), 0x12345675, 7, 0x34}, // 0111 0101 & 0011 1100
    {"BITWOPDMAREG OpSel=0" IMM(63), 0xffffffc0, 7, 0},    // upper 26 bits of a constant are 0
    {"BITWOPDMAREG OpSel=1" REG, 0x12345678, 0x0f0f0f0f, 0x1f3f5f7f}, // mode 1: or
    {"BITWOPDMAREG OpSel=1" REG, 0, 0, 0},
    {"BITWOPDMAREG OpSel=1" IMM(63), 0xdeadbe00, 7, 0xdeadbe3f},
    {"BITWOPDMAREG OpSel=1" IMM(32), 0x80000001, 7, 0x80000021},
    {"BITWOPDMAREG OpSel=2" REG, 0xffffffff, 0x0f0f0f0f, 0xf0f0f0f0}, // mode 2: xor
    {"BITWOPDMAREG OpSel=2" REG, 0x12345678, 0xffff0000, 0xedcb5678},
    {"BITWOPDMAREG OpSel=2" IMM(21), 0xa5a5a5a5, 7, 0xa5a5a5b0}, // 0xa5 ^ 0x15 = 0xb0
    {"BITWOPDMAREG OpSel=2" IMM(63), 0x3f, 7, 0},
};

static const struct binary shifts[] = {
    {"SHIFTDMAREG OpSel=0" REG, 1, 31, 0x80000000},                  // mode 0: left
    {"SHIFTDMAREG OpSel=0" REG, 0x12345678, 32, 0x12345678},         // 32 & 0x1f = 0
    {"SHIFTDMAREG OpSel=0" REG, 0x12345678, 0xffffffe4, 0x23456780}, // & 0x1f = 4
    {"SHIFTDMAREG OpSel=0" IMM(8), 0x12345678, 7, 0x34567800},
    {"SHIFTDMAREG OpSel=0" IMM(0), 0xdeadbeef, 7, 0xdeadbeef},
    {"SHIFTDMAREG OpSel=0" IMM(31), 3, 7, 0x80000000},         // the second bit falls out
    {"SHIFTDMAREG OpSel=1" REG, 0x80000000, 31, 1},            // mode 1: right, unsigned
    {"SHIFTDMAREG OpSel=1" REG, 0xfedcba98, 36, 0x0fedcba9},   // 36 & 0x1f = 4
    {"SHIFTDMAREG OpSel=1" REG, 0xdeadbeef, 0x40, 0xdeadbeef}, // 64 & 0x1f = 0
    {"SHIFTDMAREG OpSel=1" IMM(4), 0x80000000, 7, 0x08000000}, // no copies of the sign
    {"SHIFTDMAREG OpSel=1" IMM(31), 0xffffffff, 7, 1},
    {"SHIFTDMAREG OpSel=1" IMM(16), 0xdeadbeef, 7, 0xdead},
};

static const struct binary compares[] = {
    {"CMPDMAREG OpSel=0" REG, 0x80000000, 1, 1}, // mode 0: greater, and unsigned
    {"CMPDMAREG OpSel=0" REG, 5, 5, 0},
    {"CMPDMAREG OpSel=0" REG, 4, 5, 0},
    {"CMPDMAREG OpSel=0" IMM(63), 64, 7, 1},
    {"CMPDMAREG OpSel=0" IMM(63), 63, 7, 0},
    {"CMPDMAREG OpSel=0" IMM(63), 0xffffffff, 7, 1}, // not -1 > 63
    {"CMPDMAREG OpSel=1" REG, 1, 0x80000000, 1},     // mode 1: less
    {"CMPDMAREG OpSel=1" REG, 5, 5, 0},
    {"CMPDMAREG OpSel=1" REG, 0xffffffff, 0, 0}, // not -1 < 0
    {"CMPDMAREG OpSel=1" IMM(63), 62, 7, 1},     // 63 is positive
    {"CMPDMAREG OpSel=1" IMM(63), 63, 7, 0},
    {"CMPDMAREG OpSel=1" IMM(63), 0x80000000, 7, 0},
    {"CMPDMAREG OpSel=2" REG, 0xa5a5a5a5, 0xa5a5a5a5, 1}, // mode 2: equal
    {"CMPDMAREG OpSel=2" REG, 0x80000001, 1, 0},
    {"CMPDMAREG OpSel=2" REG, 0, 0, 1},
    {"CMPDMAREG OpSel=2" IMM(63), 63, 7, 1},
    {"CMPDMAREG OpSel=2" IMM(63), 0x1003f, 7, 0}, // all 32 bits count
    {"CMPDMAREG OpSel=2" IMM(63), 0xffffffff, 7, 0},
};

static void binaries(int arch, const struct binary *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        tsr_tile *tile = tile_default(arch);
        tile_set_gpr(tile, 1, 5, rows[i].left);
        tile_set_gpr(tile, 1, 9, rows[i].right);
        tile_set_gpr(tile, 1, 14, 0x99999999);
        tile_do(tile, 1, rows[i].text);
        if (tile_gpr(tile, 1, 14) != rows[i].result)
            fail_msg("%s of 0x%x, 0x%x: 0x%x, and the page says 0x%x", rows[i].text, rows[i].left,
                     rows[i].right, tile_gpr(tile, 1, 14), rows[i].result);
        assert_int_equal(tile_gpr(tile, 1, 5), rows[i].left);
        assert_int_equal(tile_gpr(tile, 1, 9), rows[i].right);
        tsr_tile_destroy(tile);
    }
}

static void arithmetic(int arch)
{
    binaries(arch, sums, sizeof sums / sizeof *sums);
    binaries(arch, bits, sizeof bits / sizeof *bits);
    binaries(arch, shifts, sizeof shifts / sizeof *shifts);
    binaries(arch, compares, sizeof compares / sizeof *compares);
}

static void line_is(const tsr_tile *tile, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    assert_int_equal(tile_l1(tile, 0x1000), a);
    assert_int_equal(tile_l1(tile, 0x1004), b);
    assert_int_equal(tile_l1(tile, 0x1008), c);
    assert_int_equal(tile_l1(tile, 0x100c), d);
}

static void group_is(const tsr_tile *tile, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    assert_int_equal(tile_gpr(tile, 0, 8), a);
    assert_int_equal(tile_gpr(tile, 0, 9), b);
    assert_int_equal(tile_gpr(tile, 0, 10), c);
    assert_int_equal(tile_gpr(tile, 0, 11), d);
}

// The line at 0x1000 is a, b, c, d; GPR 4 points at it; GPRs 8 to 11 are all `gprs`.
static tsr_tile *line_tile(int arch, uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t gprs)
{
    tsr_tile *tile = tile_default(arch);
    scalar_words(tile, 0x1000, (const uint32_t[4]){a, b, c, d}, 4);
    tile_set_gpr(tile, 0, 4, 0x100); // * 16 = 0x1000
    for (int i = 8; i < 12; i++)
        tile_set_gpr(tile, 0, i, gprs);
    return tile;
}

// The offset is the high half of GPR 6 (half 13) and is 13: the address is 0x100d. It is used
// before it grows by 0, 2, 4, 16 for AutoIncSpec 0 to 3; the low half keeps its 0xbeef.
static const uint32_t grown[4] = {0x000dbeef, 0x000fbeef, 0x0011beef, 0x001dbeef};

static void loadind(int arch)
{
    for (int increment = 0; increment < 4; increment++)
        for (int size = 0; size < 4; size++) {
            tsr_tile *tile =
                line_tile(arch, 0x33221100, 0x77665544, 0xbbaa9988, 0xffeeddcc, 0x77777777);
            tile_set_gpr(tile, 0, 6, 0x000dbeef);
            scalar_do(tile, 0,
                      "LOADIND SizeSel=%d OffsetIndex=13 AutoIncSpec=%d DataRegIndex=11 "
                      "AddrRegIndex=4",
                      size, increment);
            switch (size) {
            case 0: // 0x100d & ~15 = 0x1000, to GPRs 11 & 0x3c = 8 and on
                group_is(tile, 0x33221100, 0x77665544, 0xbbaa9988, 0xffeeddcc);
                break;
            case 1: // 0x100d & ~3 = 0x100c
                group_is(tile, 0x77777777, 0x77777777, 0x77777777, 0xffeeddcc);
                break;
            case 2: // 0x100d & ~1 = 0x100c; the high half of the GPR stays
                group_is(tile, 0x77777777, 0x77777777, 0x77777777, 0x7777ddcc);
                break;
            default: // the byte at 0x100d is 0xdd
                group_is(tile, 0x77777777, 0x77777777, 0x77777777, 0x777777dd);
                break;
            }
            assert_int_equal(tile_gpr(tile, 0, 6), grown[increment]);
            tsr_tile_destroy(tile);
        }
}

// An offset of 0xfffe in a low half grows by 2 to 0 without a carry into the high half.
static void offset_wraps(int arch)
{
    tsr_tile *tile = line_tile(arch, 0, 0, 0, 0, 0x77777777);
    scalar_word(tile, 0xfffc, 0x89abcdef);
    tile_set_gpr(tile, 0, 4, 0); // address 0 * 16 + 0xfffe
    tile_set_gpr(tile, 0, 6, 0x1234fffe);
    tile_do(tile, 0,
            "LOADIND SizeSel=2 OffsetIndex=12 AutoIncSpec=1 DataRegIndex=9 AddrRegIndex=4");
    group_is(tile, 0x77777777, 0x777789ab, 0x77777777, 0x77777777);
    assert_int_equal(tile_gpr(tile, 0, 6), 0x12340000);
    tsr_tile_destroy(tile);
}

// The size is bits 22:21 of the word: SizeSel is its high bit, RegSizeSel its low bit.
static void storeind_l1(int arch)
{
    for (int increment = 0; increment < 4; increment++)
        for (int size = 0; size < 4; size++) {
            tsr_tile *tile = line_tile(arch, 0x99999999, 0x99999999, 0x99999999, 0x99999999, 0);
            tile_set_gpr(tile, 0, 6, 0x000dbeef);
            tile_set_gpr(tile, 0, 8, 0x01234567);
            tile_set_gpr(tile, 0, 9, 0xa1b2c3d4);
            tile_set_gpr(tile, 0, 11, 0x89abcdef);
            scalar_do(tile, 0,
                      "STOREIND MemHierSel=1 SizeSel=%d RegSizeSel=%d OffsetIndex=13 "
                      "AutoIncSpec=%d DataRegIndex=9 AddrRegIndex=4",
                      size >> 1, size & 1, increment);
            switch (size) {
            case 0: // GPRs 9 & 0x3c = 8 to 11, at 0x1000
                line_is(tile, 0x01234567, 0xa1b2c3d4, 0, 0x89abcdef);
                break;
            case 1: // GPR 9 at 0x100c
                line_is(tile, 0x99999999, 0x99999999, 0x99999999, 0xa1b2c3d4);
                break;
            case 2: // its low half at 0x100c
                line_is(tile, 0x99999999, 0x99999999, 0x99999999, 0x9999c3d4);
                break;
            default: // its low byte at 0x100d
                line_is(tile, 0x99999999, 0x99999999, 0x99999999, 0x9999d499);
                break;
            }
            assert_int_equal(tile_gpr(tile, 0, 6), grown[increment]);
            tsr_tile_destroy(tile);
        }
}

// The mask is (2 << WrapVal) - 1; the GPR gets what the word was before.
static void atincget(int arch)
{
    static const struct {
        int wrap, offset;
        uint32_t before, by, after;
    } rows[] = {
        {31, 0, 0xfffffffe, 5, 3},         // 2u << 31 is 0, less 1 is 32 ones: 0x100000003
        {7, 1, 0x123456fe, 3, 0x12345601}, // eight bits: 0xfe + 3 = 0x101, the carry is dropped
        {0, 3, 0xaaaaaaab, 1, 0xaaaaaaaa}, // one bit: 1 + 1 = 0
        {15, 2, 0x55550000, 0xffffffff, 0x5555ffff}, // sixteen bits: 0 - 1, no borrow above
        {30, 0, 0xffffffff, 1, 0x80000000},          // 31 bits wrap, bit 31 stays
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsr_tile *tile = line_tile(arch, 0, 0, 0, 0, 0x77777777);
        scalar_word(tile, 0x1000 + 4u * (uint32_t)rows[i].offset, rows[i].before);
        tile_set_gpr(tile, 0, 9, rows[i].by);
        scalar_do(tile, 0, "ATINCGET WrapVal=%d Sel32b=%d DataRegIndex=9 AddrRegIndex=4",
                  rows[i].wrap, rows[i].offset);
        for (int k = 0; k < 4; k++)
            assert_int_equal(tile_l1(tile, 0x1000 + 4u * (uint32_t)k),
                             k == rows[i].offset ? rows[i].after : 0);
        assert_int_equal(tile_gpr(tile, 0, 9), rows[i].before);
        tsr_tile_destroy(tile);
    }
}

// Words of the line: Rd, Wr, and two more that no test reads.
static void atincgetptr(int arch)
{
    static const struct {
        int none, log2, wrap, offset;
        uint32_t before[4], after[4], result;
    } rows[] = {
        // Push one of eight places: size 2; Wr 5 -> 6.
        {0, 0, 4, 1, {3, 5, 0, 0}, {3, 6, 0, 0}, 5},
        // Pop two: size 1 - 14 is not 0; Rd (14 + 2) & 15 = 0.
        {0, 1, 4, 0, {14, 1, 0, 0}, {0, 1, 0, 0}, 14},
        // Only ask for room: size 7 of 8.
        {1, 0, 4, 1, {0, 7, 0, 0}, {0, 7, 0, 0}, 7},
        // Only ask for an element.
        {1, 3, 4, 0, {6, 7, 0, 0}, {6, 7, 0, 0}, 6},
        // Width 0: capacity 0x8000, and the mask is 0, so that nothing changes.
        {0, 0, 0, 1, {1, 2, 0, 0}, {1, 2, 0, 0}, 2},
        // Offset 3 asks for room like 1, and grows word 3 by 8; mask 0xff.
        {0, 3, 8, 3, {0, 1, 0, 0x20}, {0, 1, 0, 0x28}, 0x20},
        // Offset 2 asks for an element; bits above the mask stay.
        {0, 2, 4, 2, {0, 1, 0xabcdef0e, 0}, {0, 1, 0xabcdef02, 0}, 0xabcdef0e},
        // Push at the top of the counter: size 15 - 9 = 6; (15 + 1) & 15.
        {0, 0, 4, 1, {9, 15, 0, 0}, {9, 0, 0, 0}, 15},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint32_t *before = rows[i].before, *after = rows[i].after;
        tsr_tile *tile = line_tile(arch, before[0], before[1], before[2], before[3], 0x77777777);
        scalar_do(tile, 0,
                  "ATINCGETPTR NoIncr=%d IncrVal=%d WrapVal=%d Sel32b=%d DataRegIndex=9 "
                  "AddrRegIndex=4",
                  rows[i].none, rows[i].log2, rows[i].wrap, rows[i].offset);
        line_is(tile, after[0], after[1], after[2], after[3]);
        assert_int_equal(tile_gpr(tile, 0, 9), rows[i].result);
        tsr_tile_destroy(tile);
    }
}

static void blocked(tsr_tile *tile)
{
    tsr_limits limits = tsr_limits_default();
    limits.external = true;
    limits.max_steps = 2000;
    tsr_end end = tsr_run(tile, &limits);
    assert_true(end == TSR_END_BLOCKED || end == TSR_END_TIMEOUT);
}

static void atomics_wait(int arch)
{
    // Pop of an empty FIFO waits until Wr is 5, then Rd 4 -> 5.
    tsr_tile *tile = line_tile(arch, 4, 4, 0, 0, 0x77777777);
    tile_push(tile, 0, "ATINCGETPTR WrapVal=4 Sel32b=0 DataRegIndex=9 AddrRegIndex=4");
    blocked(tile);
    line_is(tile, 4, 4, 0, 0);
    scalar_word(tile, 0x1004, 5);
    tile_idle(tile);
    line_is(tile, 5, 5, 0, 0);
    assert_int_equal(tile_gpr(tile, 0, 9), 4);
    tsr_tile_destroy(tile);
    // Push on a full FIFO (10 - 2 = 8 of 8) waits until Rd is 3, then Wr 10 -> 11.
    tile = line_tile(arch, 2, 10, 0, 0, 0x77777777);
    tile_push(tile, 0, "ATINCGETPTR WrapVal=4 Sel32b=1 DataRegIndex=9 AddrRegIndex=4");
    blocked(tile);
    line_is(tile, 2, 10, 0, 0);
    scalar_word(tile, 0x1000, 3);
    tile_idle(tile);
    line_is(tile, 3, 11, 0, 0);
    assert_int_equal(tile_gpr(tile, 0, 9), 10);
    tsr_tile_destroy(tile);
    // ATCAS compares all 32 bits: 0x15 is not 5.
    tile = line_tile(arch, 7, 0x15, 7, 7, 0);
    tile_push(tile, 0, "ATCAS SwapVal=3 CmpVal=5 Sel32b=1 AddrRegIndex=4");
    blocked(tile);
    line_is(tile, 7, 0x15, 7, 7);
    scalar_word(tile, 0x1004, 5);
    tile_idle(tile);
    line_is(tile, 7, 3, 7, 7);
    tsr_tile_destroy(tile);
}

static void atcas(int arch)
{
    tsr_tile *tile = line_tile(arch, 0, 5, 5, 1, 0);
    tile_do(tile, 0, "ATCAS SwapVal=9 CmpVal=5 Sel32b=2 AddrRegIndex=4"); // word 2: 5 -> 9
    line_is(tile, 0, 5, 9, 1);
    tile_do(tile, 0, "ATCAS SwapVal=15 CmpVal=0 Sel32b=0 AddrRegIndex=4"); // word 0: 0 -> 15
    line_is(tile, 15, 5, 9, 1);
    tile_do(tile, 0, "ATCAS SwapVal=0 CmpVal=1 Sel32b=3 AddrRegIndex=4"); // word 3: 1 -> 0
    line_is(tile, 15, 5, 9, 0);
    tsr_tile_destroy(tile);
}

// GPRs 8 to 11 are the halves 0x1111, 0x2222 to 0x8888; a bit of the mask is a half of the line.
static void atswap(int arch)
{
    static const struct {
        int mask, single;
        uint32_t after[4];
    } rows[] = {
        {0xff, 0, {0x22221111, 0x44443333, 0x66665555, 0x88887777}},
        {0x81, 0, {0x99991111, 0x99999999, 0x99999999, 0x88889999}}, // halves 0 and 7
        {0x06, 0, {0x22229999, 0x99993333, 0x99999999, 0x99999999}}, // halves 1 and 2
        {0x00, 0, {0x99999999, 0x99999999, 0x99999999, 0x99999999}},
        // One GPR: 10 at its own place, word 10 & 3 = 2, and zeroes elsewhere.
        {0xff, 1, {0, 0, 0x66665555, 0}},
        {0x18, 1, {0x99999999, 0x00009999, 0x99995555, 0x99999999}}, // halves 3 and 4
        {0x20, 1, {0x99999999, 0x99999999, 0x66669999, 0x99999999}}, // half 5
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint32_t *after = rows[i].after;
        tsr_tile *tile = line_tile(arch, 0x99999999, 0x99999999, 0x99999999, 0x99999999, 0);
        for (uint32_t k = 0; k < 4; k++)
            tile_set_gpr(tile, 0, 8 + (int)k, 0x22221111 + k * 0x22222222);
        scalar_do(tile, 0, "ATSWAP SwapMask=%d SingleDataReg=%d DataRegIndex=10 AddrRegIndex=4",
                  rows[i].mask, rows[i].single);
        line_is(tile, after[0], after[1], after[2], after[3]);
        group_is(tile, 0x22221111, 0x44443333, 0x66665555, 0x88887777); // it swaps nothing
        tsr_tile_destroy(tile);
    }
}

// With timing on, a result is only there once FLUSHDMA has let the thread go on: the ADDDMAREG
// after it sees it.
static void flushdma(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = tile_new(arch, timing, TSR_PROFILE_STRICT);
        scalar_ramp(tile);
        tile_set_gpr(tile, 0, 4, 0x100);
        tile_set_gpr(tile, 0, 6, 4);
        tile_set_gpr(tile, 0, 8, 0x77777777);
        // C0 alone: the word at 0x1004, + 1.
        tile_push(tile, 0, "LOADIND SizeSel=1 OffsetIndex=12 DataRegIndex=8 AddrRegIndex=4");
        tile_push(tile, 0, "FLUSHDMA FlushSpec=1");
        tile_do(tile, 0, "ADDDMAREG OpBisConst=1 OpBRegIndex=1 OpARegIndex=8 ResultRegIndex=9");
        assert_int_equal(tile_gpr(tile, 0, 9), 0x77665545);
        // 0 stands for 15: GPR 9 becomes what the word at 0x1000 was, which grows by 0x77665545
        // to 0x33221100 + 0x77665545 = 0xaa886645.
        tile_push(tile, 0, "ATINCGET WrapVal=31 Sel32b=0 DataRegIndex=9 AddrRegIndex=4");
        tile_push(tile, 0, "FLUSHDMA FlushSpec=0");
        tile_do(tile, 0, "ADDDMAREG OpBisConst=1 OpBRegIndex=2 OpARegIndex=9 ResultRegIndex=10");
        assert_int_equal(tile_gpr(tile, 0, 10), 0x33221102);
        assert_int_equal(tile_l1(tile, 0x1000), 0xaa886645);
        // All four: the TDMA register 0xffb11024 keeps what was written but bit 7; + 3.
        assert_int_equal(tsr_store(tile, TSR_CORE_B, 0xffb11024, 0x100, 4), TSR_OK);
        tile_push(tile, 0, "LOADREG TdmaDataRegIndex=8 RegAddr=0x4409");
        tile_push(tile, 0, "FLUSHDMA FlushSpec=15");
        tile_do(tile, 0, "ADDDMAREG OpBisConst=1 OpBRegIndex=3 OpARegIndex=8 ResultRegIndex=9");
        assert_int_equal(tile_gpr(tile, 0, 9), 0x103);
        tile_do(tile, 0, "FLUSHDMA FlushSpec=14"); // unpackers and packer are idle
        tsr_tile_destroy(tile);
    }
}

TILE_BOTH(arithmetic)
TILE_BOTH(loadind)
TILE_BOTH(offset_wraps)
TILE_BOTH(storeind_l1)
TILE_BOTH(atincget)
TILE_BOTH(atincgetptr)
TILE_BOTH(atomics_wait)
TILE_BOTH(atcas)
TILE_BOTH(atswap)
TILE_BOTH(flushdma)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(arithmetic),   TILE_TEST(loadind),  TILE_TEST(offset_wraps),
        TILE_TEST(storeind_l1),  TILE_TEST(atincget), TILE_TEST(atincgetptr),
        TILE_TEST(atomics_wait), TILE_TEST(atcas),    TILE_TEST(atswap),
        TILE_TEST(flushdma),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
