// SPDX-License-Identifier: Apache-2.0
// Pairs of formats that the page has and no other simulator runs, and ReLU of such formats, worked
// by hand from the ISA pages by a reader who had not seen the code. Nothing is computed by the
// test. Pages: Packers/FormatConversion, Packers/ReLU. BFP8a between is E5M6, with Read_raw E5M7;
// BFP8 between is E8M6; FP8 between is FP16 cut to two bits of mantissa.

#include "rig/pack_vectors_rig.h"

#define RAW                                                                                        \
    {                                                                                              \
        FIELD_PCK_DEST_RD_CTRL_Read_int8, 1                                                        \
    }
#define SECTION P0(Exp_section_size, 1)
#define RELU(mode, threshold)                                                                      \
    {FIELD_STACC_RELU_ApplyRelu, mode},                                                            \
    {                                                                                              \
        FIELD_STACC_RELU_ReluThreshold, threshold                                                  \
    }

// E5M6 rounds FP16's last four bits, ties away: 3c08 3c10, 3c07 3c00, bc18 bc20.
static const struct vector from_e5m6[] = {
    {"FP16",
     DST_FP16,
     BFP8A,
     FP16,
     NULL,
     {{0}},
     {0x3c08, 0x3c07, 0xbc18, 0x0400, 0x7bf8},
     GIVES(0, 2, 0x3c10, 0x3c00, 0xbc20, 0x0400, 0x7c00)},
    // Exponents 15 + 112; 0x10 << 13 and 0x20 << 13 of the mantissa.
    {"FP32",
     DST_FP16,
     BFP8A,
     FP32,
     NULL,
     {{0}},
     {0x3c08, 0x3c07, 0xbc18},
     GIVES(0, 4, 0x3f820000, 0x3f800000, 0xbf840000)},
    {"TF32",
     DST_FP16,
     BFP8A,
     TF32,
     NULL,
     {{0}},
     {0x3c08, 0x3c07, 0xbc18},
     GIVES(0, 4, 0x3f820000, 0x3f800000, 0xbf840000)},
    {"BF16",
     DST_FP16,
     BFP8A,
     BF16,
     NULL,
     {{0}},
     {0x3c08, 0x3c07, 0xbc18},
     GIVES(0, 2, 0x3f82, 0x3f80, 0xbf84)},
    {"FP8",
     DST_FP16,
     BFP8A,
     FP8,
     NULL,
     {{0}},
     {0x3c08, 0x3dff, 0x3df7, 0xbc00},
     GIVES(0, 1, 0x3c, 0x3e, 0x3d, 0xbc)}, // 3e00, 3df0
    // As BF16 3f82, 4000: X = 128: (130 + 2) / 4 = 33, 64: 2 and 4 of four bits, 0 and 1 of two.
    {"BFP8", DST_FP16, BFP8A, BFP8, NULL, {SECTION}, {0x3c08, 0x4000}, GIVES(16, 1, 0x21, 0x40, 0)},
    {"BFP4", DST_FP16, BFP8A, BFP4, NULL, {SECTION}, {0x3c08, 0x4000}, GIVES(16, 1, 0x42, 0)},
    {"BFP2", DST_FP16, BFP8A, BFP2, NULL, {SECTION}, {0x3c08, 0x4000}, GIVES(16, 1, 0x04, 0)},
    // E5M7 truncates three bits, and leaves denormals and -0.
    {"raw to FP16",
     DST_FP16,
     BFP8A,
     FP16,
     NULL,
     {RAW},
     {0x3c0f, 0x3c07, 0x0009, 0x8000, 0xbfff},
     GIVES(0, 2, 0x3c08, 0x3c00, 0x0008, 0x8000, 0xbff8)},
    {"raw to BF16",
     DST_FP16,
     BFP8A,
     BF16,
     NULL,
     {RAW},
     {0x3c0f, 0x3c07, 0xbfff},
     GIVES(0, 2, 0x3f81, 0x3f80, 0xbfff)},
};

// FP8: 3fff is 3f (exponent 15, mantissa 3 / 4), c1ff is c1 (16, 1 / 4).
static const struct vector from_fp8[] = {
    {"FP16", DST_FP16, FP8, FP16, NULL, {RAW}, {0x3fff, 0xc1ff}, GIVES(0, 2, 0x3f00, 0xc100)},
    {"FP32",
     DST_FP16,
     FP8,
     FP32,
     NULL,
     {RAW},
     {0x3fff, 0xc1ff},
     GIVES(0, 4, 0x3fe00000, 0xc0200000)},
    {"TF32",
     DST_FP16,
     FP8,
     TF32,
     NULL,
     {RAW},
     {0x3fff, 0xc1ff},
     GIVES(0, 4, 0x3fe00000, 0xc0200000)},
    {"BF16", DST_FP16, FP8, BF16, NULL, {RAW}, {0x3fff, 0xc1ff}, GIVES(0, 2, 0x3fe0, 0xc020)},
    // X = 128: (224 + 2) / 4 = 56, (160 + 1) / 2 = 80.
    {"BFP8",
     DST_FP16,
     FP8,
     BFP8,
     NULL,
     {RAW, SECTION},
     {0x3fff, 0xc1ff},
     GIVES(16, 1, 0x38, 0xd0, 0)},
    // X = 16, the same mantissas of seven bits.
    {"BFP8a",
     DST_FP16,
     FP8,
     BFP8A,
     NULL,
     {RAW, SECTION},
     {0x3fff, 0xc1ff},
     GIVES(16, 1, 0x38, 0xd0, 0)},
    {"BFP8a's exponent",
     DST_FP16,
     FP8,
     BFP8A,
     NULL,
     {RAW, SECTION},
     {0x3fff, 0xc1ff},
     GIVES(0, 1, 16, 0)},
};

// E8M6 rounds BF16's last bit, ties away: 3f81 3f82, bf83 bf84.
static const struct vector from_e8m6[] = {
    {"FP16",
     DST_BF16,
     BFP8,
     FP16,
     NULL,
     {{0}},
     {0x3f81, 0xbf83, 0x4800, 0xc800},
     GIVES(0, 2, 0x3c10, 0xbc20, 0x7fff, 0xffff)},
    {"TF32",
     DST_BF16,
     BFP8,
     TF32,
     NULL,
     {{0}},
     {0x3f81, 0xbf83, 0x4000},
     GIVES(0, 4, 0x3f820000, 0xbf840000, 0x40000000)},
    {"FP8",
     DST_BF16,
     BFP8,
     FP8,
     NULL,
     {{0}},
     {0x3fbf, 0x3fbe, 0xbf80},
     GIVES(0, 1, 0x3e, 0x3d, 0xbc)}, // 3fc0, 3fbe
    // X = 15: (130 + 1) / 2 = 65, (132 + 1) / 2 = 66.
    {"BFP8a",
     DST_BF16,
     BFP8,
     BFP8A,
     NULL,
     {SECTION},
     {0x3f81, 0xbf83},
     GIVES(16, 1, 0x41, 0xc2, 0)},
    // From 32 bits, truncated to BF16 before: 3f80ffff 3f80, 3f81ffff 3f82 (arithmetic.md 5.2).
    {"32 bits to FP16",
     DST_32,
     BFP8,
     FP16,
     NULL,
     {{0}},
     {0x3f80ffff, 0x3f81ffff},
     GIVES(0, 2, 0x3c00, 0x3c10)},
};

// TF32 rounds thirteen bits: 3f82f000 is 3f830000, 3f82efff 3f82e000.
static const struct vector from_tf32[] = {
    // BF16 by truncation, X = 127: (131 + 1) / 2 = 66, (130 + 1) / 2 = 65.
    {"BFP8",
     DST_32,
     TF32,
     BFP8,
     NULL,
     {SECTION},
     {0x3f82f000, 0x3f82efff},
     GIVES(16, 1, 0x42, 0x41, 0)},
    {"BFP8a",
     DST_32,
     TF32,
     BFP8A,
     NULL,
     {SECTION},
     {0x3f82f000, 0x3f82efff},
     GIVES(16, 1, 0x42, 0x41, 0)},
    {"BFP4",
     DST_32,
     TF32,
     BFP4,
     NULL,
     {SECTION},
     {0x3f82f000, 0xbf82efff, 0x3f7fffff},
     GIVES(16, 1, 0xc4, 0x04, 0)}, // 3f800000 by then
    {"FP8",
     DST_32,
     TF32,
     FP8,
     NULL,
     {{0}},
     {0x3fbff000, 0x3fbfefff, 0xbf800000},
     GIVES(0, 1, 0x3e, 0x3d, 0xbc)}, // 3fc00000, 3fbfe000
    {"BF16 to FP8",
     DST_BF16,
     TF32,
     FP8,
     NULL,
     {{0}},
     {0x3fbf, 0x3fc0, 0x4800},
     GIVES(0, 1, 0x3d, 0x3e, 0x7f)},
};

static const struct vector from_16[] = {
    // FP16 becomes BF16 by truncation: 3c00 3f80, 4000 4000, bc07 bf80, 3c08 3f81. X = 128.
    {"FP16 to BFP8",
     DST_FP16,
     FP16,
     BFP8,
     NULL,
     {SECTION},
     {0x3c00, 0x4000, 0xbc07, 0x3c08, 0x3c18},
     GIVES(16, 1, 0x20, 0x40, 0xa0, 0x20, 0x21, 0)},
    {"FP16 to BFP8, exponent",
     DST_FP16,
     FP16,
     BFP8,
     NULL,
     {SECTION},
     {0x3c00, 0x4000},
     GIVES(0, 1, 128, 0)},
    {"FP16 to BFP4",
     DST_FP16,
     FP16,
     BFP4,
     NULL,
     {SECTION},
     {0x3c00, 0x4000, 0xbc07, 0x3c08},
     GIVES(16, 1, 0x42, 0x2a, 0)},
    {"FP16 to BFP2",
     DST_FP16,
     FP16,
     BFP2,
     NULL,
     {SECTION},
     {0x3c00, 0x4000, 0xbc07, 0xc000},
     GIVES(16, 1, 0xc4, 0)},
    // 31 + 112 = 143.
    {"FP16 to TF32",
     DST_FP16,
     FP16,
     TF32,
     NULL,
     {{0}},
     {0x3c01, 0xbc00, 0x7fff},
     GIVES(0, 4, 0x3f802000, 0xbf800000, 0x47ffe000)},
    {"BF16 to TF32",
     DST_BF16,
     BF16,
     TF32,
     NULL,
     {{0}},
     {0x3f81, 0xc049, 0x0001},
     GIVES(0, 4, 0x3f810000, 0xc0490000, 0)},
    {"raw BF16 to TF32",
     DST_BF16,
     BF16,
     TF32,
     NULL,
     {RAW},
     {0x3f81, 0x0001, 0x7fc1},
     GIVES(0, 4, 0x3f810000, 0x00010000, 0x7fc10000)},
    {"BF16 to BFP2a",
     DST_BF16,
     BF16,
     BFP2A,
     NULL,
     {SECTION},
     {0x3f80, 0xbf80, 0x3f00},
     GIVES(16, 1, 0x0d, 0)}, // 0x40, 0xc0, 0x20
};

// Thresholds are FP16 if the intermediate format has five bits of exponent, else BF16.
static const struct vector relus[] = {
    {"FP8 clamp",
     DST_FP16,
     FP8,
     FP8,
     NULL,
     {RAW, RELU(3, 0x3c00)},
     {0x4000, 0x3c00, 0x3800, 0xbc00},
     GIVES(0, 1, 0x3c, 0x3c, 0x38, 0)},
    {"FP8 minimum",
     DST_FP16,
     FP8,
     FP8,
     NULL,
     {RAW, RELU(2, 0x3c00)},
     {0x4000, 0x3c00, 0x3800, 0xbc00},
     GIVES(0, 1, 0x40, 0, 0, 0)},
    {"E5M7 clamp",
     DST_FP16,
     BFP8A,
     FP16,
     NULL,
     {RAW, RELU(3, 0x3c00)},
     {0x4000, 0x3c07, 0x3800, 0xbc00},
     GIVES(0, 2, 0x3c00, 0x3c00, 0x3800, 0)},
    {"E5M6 minimum",
     DST_FP16,
     BFP8A,
     FP16,
     NULL,
     {RELU(2, 0x3c00)},
     {0x4000, 0x3c07, 0x3c08, 0xbc00},
     GIVES(0, 2, 0x4000, 0, 0x3c10, 0)}, // rounded before
    {"TF32 clamp",
     DST_32,
     TF32,
     TF32,
     NULL,
     {RELU(3, 0x3f80)},
     {0x40000000, 0x3f800000, 0x3f000000, 0xbf800000},
     GIVES(0, 4, 0x3f800000, 0x3f800000, 0x3f000000, 0)},
    {"TF32 minimum",
     DST_32,
     TF32,
     TF32,
     NULL,
     {RELU(2, 0x3f80)},
     {0x40000000, 0x3f800fff, 0x3f801000, 0x3f000000, 0xbf800000},
     GIVES(0, 4, 0x40000000, 0, 0x3f802000, 0, 0)}, // rounded before
    {"raw BF16 zero",
     DST_BF16,
     BF16,
     BF16,
     NULL,
     {RAW, RELU(1, 0)},
     {0x0001, 0x8001, 0x8000, 0x3f80, 0xff80},
     GIVES(0, 2, 0x0001, 0, 0, 0x3f80, 0)},
    {"INT8 zero",
     DST_32,
     INT8,
     INT8,
     NULL,
     {RELU(1, 0), {FIELD_INT_DESCALE_Enable, 1}, {FIELD_INT_DESCALE_VALUES_SEC0_Value, 4}},
     {104, 0x80000068, 0x80000001},
     GIVES(0, 1, 7, 0, 0)},
    {"INT16 zero",
     DST_RAW16,
     INT16,
     INT16,
     NULL,
     {RELU(1, 0)},
     {5, 0x8005, 0x7fff, 0xffff},
     GIVES(0, 2, 5, 0, 0x7fff, 0)},
};

static void e5m6(int arch)
{
    RUN_ALL(arch, from_e5m6);
}

static void fp8(int arch)
{
    RUN_ALL(arch, from_fp8);
}

static void e8m6(int arch)
{
    RUN_ALL(arch, from_e8m6);
}

static void tf32(int arch)
{
    RUN_ALL(arch, from_tf32);
}

static void sixteen_bits(int arch)
{
    RUN_ALL(arch, from_16);
}

static void relu(int arch)
{
    RUN_ALL(arch, relus);
}

TILE_BOTH(e5m6)
TILE_BOTH(fp8)
TILE_BOTH(e8m6)
TILE_BOTH(tf32)
TILE_BOTH(sixteen_bits)
TILE_BOTH(relu)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(e5m6), TILE_TEST(fp8),          TILE_TEST(e8m6),
        TILE_TEST(tf32), TILE_TEST(sixteen_bits), TILE_TEST(relu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
