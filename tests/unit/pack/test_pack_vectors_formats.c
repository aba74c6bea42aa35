// SPDX-License-Identifier: Apache-2.0
// PACR's formats, worked by hand from the ISA pages by a reader who had not seen the code: BFP8a,
// BFP4a, BFP2a, FP8 e5m2, TF32, and conversions that no other simulator runs. Nothing is computed
// by the test.
// Pages: Packers/FormatConversion, FloatBitPatterns; decision 13.

#include "rig/pack_vectors_rig.h"

#define RAW                                                                                        \
    {                                                                                              \
        FIELD_PCK_DEST_RD_CTRL_Read_int8, 1                                                        \
    }
#define ROUND_10                                                                                   \
    {                                                                                              \
        FIELD_PCK_DEST_RD_CTRL_Round_10b_mant, 1                                                   \
    }

// E5M7, then the largest of sixteen exponents, X; a magnitude is 128 + mantissa, rounded to
// (q + 2^d) / 2^(d + 1) with d = X - exponent, at most 127, and 0 from d = 8 on.
static const struct vector blocks_a[] = {
    // Exponents 15, 15, 16, 15, 15, 16, 16, 11, 8, 9: X = 16.
    {"BFP8a exponents",
     DST_FP16,
     FP16,
     BFP8A,
     NULL,
     {P0(Exp_section_size, 1)},
     {0x3c00, 0x3e00, 0x4000, 0xbc00, 0x3c0f, 0x43ff, 0xc3ff, 0x2c00, 0x2000, 0x2400, 0xa400},
     GIVES(0, 1, 16, 0, 0, 0)},
    // (128 + 2) / 4; (192 + 2) / 4 = 48.5; (128 + 1) / 2; the same with a sign; 3c0f is
    // 128 + (15 >> 3) = 129: (129 + 2) / 4; (255 + 1) / 2 = 128, saturated; with its sign;
    // (128 + 32) / 64 = 2.5; d = 8; (128 + 128) / 256 = 1; with its sign.
    {"BFP8a datums",
     DST_FP16,
     FP16,
     BFP8A,
     NULL,
     {P0(Exp_section_size, 1)},
     {0x3c00, 0x3e00, 0x4000, 0xbc00, 0x3c0f, 0x43ff, 0xc3ff, 0x2c00, 0x2000, 0x2400, 0xa400},
     GIVES(16, 1, 0x20, 0x30, 0x40, 0xa0, 0x20, 0x7f, 0xff, 2, 0, 1, 0x81, 0, 0, 0, 0, 0)},
    // From BF16: 3f80 is 127 - 112 = 15, 4000 16; mantissas have seven bits already.
    {"BFP8a of BF16",
     DST_BF16,
     BF16,
     BFP8A,
     NULL,
     {P0(Exp_section_size, 1)},
     {0x3f80, 0x4000, 0xbf80, 0x3fff, 0x4001},
     GIVES(16, 1, 0x20, 0x40, 0xa0, 0x40, 0x41, 0)}, // (255 + 2) / 4 = 64, (129 + 1) / 2 = 65
    // 4800 is 144 - 112 = 32 and saturates to 31 with all mantissa bits: (255 + 1) / 2 = 128 ->
    // 127.
    // 4700 is 142 - 112 = 30: (128 + 2) / 4. 3f80 is 16 below.
    {"BFP8a saturates",
     DST_BF16,
     BF16,
     BFP8A,
     NULL,
     {P0(Exp_section_size, 1)},
     {0x4800, 0x4700, 0xc800, 0x3f80},
     GIVES(16, 1, 0x7f, 0x20, 0xff, 0)},
    {"BFP8a saturated exponent",
     DST_BF16,
     BF16,
     BFP8A,
     NULL,
     {P0(Exp_section_size, 1)},
     {0x4800, 0x4700, 0xc800, 0x3f80},
     GIVES(0, 1, 31, 0)},
    // From FP32, truncated to seven bits: 3fffffff is 255 at 15, 40000000 128 at 16.
    {"BFP8a of FP32",
     DST_32,
     FP32,
     BFP8A,
     NULL,
     {P0(Exp_section_size, 1)},
     {0x3fffffff, 0x40000000, 0xbf80ffff},
     GIVES(16, 1, 0x40, 0x40, 0xa0)},
    // E5M6 first: 3c08 rounds to 3c10, mantissa 2; 3c07 to 3c00; 3c18 to 3c20, mantissa 4.
    // (130 + 1) / 2 = 65, (128 + 1) / 2 = 64, (132 + 1) / 2 = 66.
    {"BFP8a of E5M6",
     DST_FP16,
     BFP8A,
     BFP8A,
     NULL,
     {P0(Exp_section_size, 1)},
     {0x3c08, 0x3c07, 0xbc18},
     GIVES(16, 1, 0x41, 0x40, 0xc2)},
    // E5M7 with Read_raw: truncated. 3c08 is 129: (129 + 1) / 2 = 65; 3c07 is 128; 3c18 is 131: 66.
    {"BFP8a of E5M7",
     DST_FP16,
     BFP8A,
     BFP8A,
     NULL,
     {P0(Exp_section_size, 1), RAW},
     {0x3c08, 0x3c07, 0xbc18},
     GIVES(16, 1, 0x41, 0x40, 0xc2)},
    // As the datums of BFP8a above, shifted right by 4; no sign is left on a zero. Two a byte, the
    // first in the low half: 2 3, 4 a, 2 7, f 0, 0 0.
    {"BFP4a",
     DST_FP16,
     FP16,
     BFP4A,
     NULL,
     {P0(Exp_section_size, 1)},
     {0x3c00, 0x3e00, 0x4000, 0xbc00, 0x3c0f, 0x43ff, 0xc3ff, 0x2c00, 0x2000, 0x2400, 0xa400},
     GIVES(16, 1, 0x32, 0xa4, 0x72, 0x0f, 0, 0, 0, 0)},
    {"BFP4a exponent",
     DST_FP16,
     FP16,
     BFP4A,
     NULL,
     {P0(Exp_section_size, 1)},
     {0x3c00, 0x3e00, 0x4000},
     GIVES(0, 1, 16, 0)},
    // 3f80 0x20, 4000 0x40, c000 0xc0, 4040 (192 + 1) / 2 = 0x60: 2, 4, c, 6.
    {"BFP4a of BF16",
     DST_BF16,
     BF16,
     BFP4A,
     NULL,
     {P0(Exp_section_size, 1)},
     {0x3f80, 0x4000, 0xc000, 0x4040},
     GIVES(16, 1, 0x42, 0x6c, 0, 0)},
    // Shifted right by 6: 0, 0, 1, 0 (0x20 with a sign is 0); 0, 1, 3, 0. Four a byte.
    {"BFP2a",
     DST_FP16,
     FP16,
     BFP2A,
     NULL,
     {P0(Exp_section_size, 1)},
     {0x3c00, 0x3e00, 0x4000, 0xbc00, 0x3c0f, 0x43ff, 0xc3ff, 0x2c00},
     GIVES(16, 1, 0x10, 0x34, 0, 0)},
    {"BFP2a of FP32",
     DST_32,
     FP32,
     BFP2A,
     NULL,
     {P0(Exp_section_size, 1)},
     {0x3f800000, 0x3fffffff, 0xbf800000, 0x3f000000, 0x3f7fffff},
     GIVES(16, 1, 0x35, 1, 0, 0)}, // 40, 7f, c0, 20; (255 + 2) / 4 = 64: 1, 1, 3, 0; 1
    {"BFP2a of E5M7",
     DST_FP16,
     BFP8A,
     BFP2A,
     NULL,
     {P0(Exp_section_size, 1), RAW},
     {0xbc00, 0x3c00, 0x3800, 0xb800},
     GIVES(16, 1, 0x07, 0, 0)}, // 1 with sign 3, 1, 0, 0
};

static void block_a(int arch)
{
    RUN_ALL(arch, blocks_a);
}

// e5m2: the high byte of an FP16. Saturates, then truncates.
static const struct vector fp8s[] = {
    // 3fff has mantissa bits 11; 03ff is flushed by the early rounding, as is 8000.
    {"FP16",
     DST_FP16,
     FP16,
     FP8,
     NULL,
     {{0}},
     {0x3c00, 0x3fff, 0xbd00, 0x7bff, 0x0400, 0x03ff, 0x7fff, 0x8000, 0xffff},
     GIVES(0, 1, 0x3c, 0x3f, 0xbd, 0x7b, 0x04, 0, 0x7f, 0, 0xff)},
    // Intermediate FP8, by truncation: small mantissas go, others stay denormal; -0 stays.
    {"raw FP8",
     DST_FP16,
     FP8,
     FP8,
     NULL,
     {RAW},
     {0x3fff, 0x03ff, 0x00ff, 0x8000, 0xc1ff, 0xbc00},
     GIVES(0, 1, 0x3f, 0x03, 0x00, 0x80, 0xc1, 0xbc)},
    // Exponents 127, 127, 142, 143, 144, 144, 112, 111, 113 less 112.
    {"FP32",
     DST_32,
     FP32,
     FP8,
     NULL,
     {{0}},
     {0x3f800000, 0x3fc00000, 0x477fffff, 0x47ffffff, 0x48000000, 0xc8000000, 0x38000000,
      0x37ffffff, 0x38800000, 0x7fc00000},
     GIVES(0, 1, 0x3c, 0x3e, 0x7b, 0x7f, 0x7f, 0xff, 0, 0, 0x04, 0x7f)},
    {"BF16",
     DST_BF16,
     BF16,
     FP8,
     NULL,
     {{0}},
     {0xbf81, 0x3fbf, 0x3fc0, 0x4800, 0xff80},
     GIVES(0, 1, 0xbc, 0x3d, 0x3e, 0x7f, 0xff)},
};

static void fp8(int arch)
{
    RUN_ALL(arch, fp8s);
}

// Early rounding to ten bits, ties away from zero; the low thirteen bits are zero in L1.
static const struct vector tf32s[] = {
    {"FP32",
     DST_32,
     TF32,
     TF32,
     NULL,
     {{0}},
     {0x3f800fff, 0x3f801000, 0xbf801000, 0x3fffffff, 0x7fc00000, 0x00000001, 0x80000000,
      0x7f7fffff, 0xff800001},
     GIVES(0, 4, 0x3f800000, 0x3f802000, 0xbf802000, 0x40000000, 0x7f800000, 0, 0, 0x7f800000,
           0xff800000)},
    {"BF16",
     DST_BF16,
     TF32,
     TF32,
     NULL,
     {{0}},
     {0x3f81, 0x0001, 0x7fc0, 0x8000, 0xc049},
     GIVES(0, 4, 0x3f810000, 0, 0x7f800000, 0, 0xc0490000)},
    // INT32 is FP32's pattern.
    {"INT32",
     DST_32,
     TF32,
     TF32,
     NULL,
     {{0}},
     {0x00801000, 0x12345678, 0x92346000},
     GIVES(0, 4, 0x00802000, 0x12346000, 0x92346000)},
    // Dstacc_val replaces Dstacc.
    {"override",
     DST_32,
     TF32,
     TF32,
     NULL,
     {{FIELD_ALU_FORMAT_SPEC_REG2_Dstacc, FP32},
      {FIELD_ALU_FORMAT_SPEC_REG_Dstacc_override, 1},
      {FIELD_ALU_FORMAT_SPEC_REG_Dstacc_val, TF32}},
     {0x3f800fff, 0x3f801000},
     GIVES(0, 4, 0x3f800000, 0x3f802000)},
    // FP32 with Round_10b_mant is TF32 as well.
    {"FP32 rounded",
     DST_32,
     TF32,
     TF32,
     NULL,
     {{FIELD_ALU_FORMAT_SPEC_REG2_Dstacc, FP32}, ROUND_10},
     {0x3f800fff, 0x3f801000, 0xc0490fdb},
     GIVES(0, 4, 0x3f800000, 0x3f802000, 0xc0490000)},
    {"to FP32",
     DST_32,
     TF32,
     FP32,
     NULL,
     {{0}},
     {0x3f801000, 0xbf800fff},
     GIVES(0, 4, 0x3f802000, 0xbf800000)},
    // Rounded to ten bits, then truncated to seven: 3f81ffff is 3f820000, 3f80f000 is 3f810000 (a
    // tie), 3f80efff is 3f80e000.
    {"to BF16",
     DST_32,
     TF32,
     BF16,
     NULL,
     {{0}},
     {0x3f81ffff, 0x3f80f000, 0x3f80efff},
     GIVES(0, 2, 0x3f82, 0x3f81, 0x3f80)},
    // Exponents 127, 143, 144 less 112: 15, 31, 32.
    {"to FP16",
     DST_32,
     TF32,
     FP16,
     NULL,
     {{0}},
     {0x3f801000, 0x47800000, 0x48000000, 0xc8000000, 0x38000000},
     GIVES(0, 2, 0x3c01, 0x7c00, 0x7fff, 0xffff, 0)},
    // TF32 with Read_raw is FP32.
    {"raw",
     DST_32,
     FP32,
     FP32,
     NULL,
     {{FIELD_ALU_FORMAT_SPEC_REG2_Dstacc, TF32}, RAW},
     {0x3f801fff, 0x7fc00001, 0x00000001, 0x80000000},
     GIVES(0, 4, 0x3f801fff, 0x7fc00001, 0x00000001, 0x80000000)},
};

static void tf32(int arch)
{
    RUN_ALL(arch, tf32s);
}

static const struct vector others[] = {
    // Exponents 127, 127, 113, 112 (2^-15, flushed), 142, 143, 144 less 112; seven mantissa bits
    // become ten.
    {"BF16 to FP16",
     DST_BF16,
     BF16,
     FP16,
     NULL,
     {{0}},
     {0x3f80, 0xbf81, 0x3880, 0x3800, 0x477f, 0x4780, 0x4800, 0xff80, 0x0001},
     GIVES(0, 2, 0x3c00, 0xbc08, 0x0400, 0, 0x7bf8, 0x7c00, 0x7fff, 0xffff, 0)},
    // Truncated: a NaN of low bits becomes infinity, denormals zero.
    {"FP32 to BF16",
     DST_32,
     FP32,
     BF16,
     NULL,
     {{0}},
     {0x3f80ffff, 0xbf81ffff, 0x7f800001, 0x7fc00000, 0x007fffff, 0x00800000, 0x7f7fffff},
     GIVES(0, 2, 0x3f80, 0xbf81, 0x7f80, 0x7fc0, 0, 0x0080, 0x7f7f)},
    // Identity: denormals, NaN and -0 stay.
    {"raw BF16",
     DST_BF16,
     BF16,
     BF16,
     NULL,
     {RAW},
     {0x0001, 0x8000, 0x7fc1, 0xff81, 0x3f81},
     GIVES(0, 2, 0x0001, 0x8000, 0x7fc1, 0xff81, 0x3f81)},
    {"raw BF16 by BFP8",
     DST_BF16,
     BF16,
     BF16,
     NULL,
     {{FIELD_ALU_FORMAT_SPEC_REG2_Dstacc, BFP8}, RAW},
     {0x0001, 0x8000, 0x7fc1, 0x3f81},
     GIVES(0, 2, 0x0001, 0x8000, 0x7fc1, 0x3f81)},
    {"raw FP16",
     DST_FP16,
     FP16,
     FP16,
     NULL,
     {RAW},
     {0x0001, 0x8000, 0x03ff, 0x3c01},
     GIVES(0, 2, 0x0001, 0x8000, 0x03ff, 0x3c01)},
    // Truncated from FP32: the top half.
    {"raw FP32 as BF16",
     DST_32,
     BF16,
     BF16,
     NULL,
     {RAW},
     {0x3f80ffff, 0x7f800001, 0x0001ffff, 0x80000000},
     GIVES(0, 2, 0x3f80, 0x7f80, 0x0001, 0x8000)},
    {"raw FP32 as E8M7",
     DST_32,
     BF16,
     BF16,
     NULL,
     {{FIELD_ALU_FORMAT_SPEC_REG2_Dstacc, BFP8}, RAW},
     {0x3f81ffff, 0xbf80ffff, 0x7fc00001},
     GIVES(0, 2, 0x3f81, 0xbf80, 0x7fc0)},
};

static void other(int arch)
{
    RUN_ALL(arch, others);
}

// Integers are for ReLU modes 0 and 1: nothing says what the thresholds of 2 and 3 would mean, so
// they are reported. Mode 1 passes positives and makes negatives zero.
static void relu_of_integers(int arch)
{
    for (uint32_t mode = 1; mode < 4; mode++) {
        tsr_tile *tile = vec_tile(arch, INT32, INT32, true);
        tile_field(tile, 0, FIELD_STACC_RELU_ApplyRelu, mode);
        tile_field(tile, 0, FIELD_STACC_RELU_ReluThreshold, 0x3f80);
        dst_row(tile, DST_32, 0, (const uint32_t[16]){5, 0x80000005, 0x7fffffff, 0xffffffff, 1});
        pack_one(tile, "Last=1");
        if (mode == 1)
            IS(tile, "mode 1", OUT, 4, 5, 0, 0x7fffffff, 0, 1);
        else
            vec_found(tile, "mode 2 or 3", "pack-format-pair");
        tsr_tile_destroy(tile);
    }
}

// Pairs for which the late conversion's table says "No".
static void no_pair(int arch)
{
    static const struct {
        const char *what;
        int between, out;
        bool wide;
    } rows[] = {
        {"BF16 to INT8", BF16, INT8, false},     {"INT16 to BF16", INT16, BF16, false},
        {"INT32 to FP32", INT32, FP32, true},    {"INT32 to INT8", INT32, INT8, true},
        {"FP32 to TF32", FP32, TF32, true},      {"INT8 to INT32", INT8, INT32, true},
        {"INT16 to INT32", INT16, INT32, false}, {"INT8 to BFP8", INT8, BFP8, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsr_tile *tile = vec_tile(arch, rows[i].between, rows[i].out, rows[i].wide);
        dst_row(tile, rows[i].wide ? DST_32 : DST_RAW16, 0, (const uint32_t[16]){1, 2, 3});
        pack_one(tile, "Last=1");
        vec_found(tile, rows[i].what, "pack-format-pair");
        tsr_tile_destroy(tile);
    }
}

TILE_BOTH(block_a)
TILE_BOTH(fp8)
TILE_BOTH(tf32)
TILE_BOTH(other)
TILE_BOTH(relu_of_integers)
TILE_BOTH(no_pair)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(block_a),          TILE_TEST(fp8),     TILE_TEST(tf32), TILE_TEST(other),
        TILE_TEST(relu_of_integers), TILE_TEST(no_pair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
