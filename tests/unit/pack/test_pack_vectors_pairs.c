// SPDX-License-Identifier: Apache-2.0
// Pairs of formats that the page has and no other simulator runs, and ReLU of such formats, worked
// by hand from the ISA pages by a reader who had not seen the code. Pages:
// Packers/FormatConversion, Packers/ReLU. BFP8a between is E5M6, with Read_raw E5M7; BFP8 between
// is E8M6; FP8 between is FP16 cut to two bits of mantissa.

#include "rig/pack_vectors_rig.h"

// E5M6 rounds FP16's last four bits, ties away: 3c08 3c10, 3c07 3c00, bc18 bc20.
static const struct pack_vector from_e5m6[] = {
    {"FP16", ON_BOTH, "BFP8a>FP16", "d0: 3c08 3c07 bc18 0400 7bf8", "",
     "40000: 3c10 3c00 bc20 0400 7c00"},
    // Exponents 15 + 112; 0x10 << 13 and 0x20 << 13 of the mantissa.
    {"FP32", ON_BOTH, "BFP8a>FP32", "d0: 3c08 3c07 bc18", "", "40000: 3f820000 3f800000 bf840000"},
    {"TF32", ON_BOTH, "BFP8a>TF32", "d0: 3c08 3c07 bc18", "", "40000: 3f820000 3f800000 bf840000"},
    {"BF16", ON_BOTH, "BFP8a>BF16", "d0: 3c08 3c07 bc18", "", "40000: 3f82 3f80 bf84"},
    // 3e00, 3df0
    {"FP8", ON_BOTH, "BFP8a>FP8", "d0: 3c08 3dff 3df7 bc00", "", "40000: 3c 3e 3d bc"},
    // As BF16 3f82, 4000: X = 128: (130 + 2) / 4 = 33, 64: 2 and 4 of four bits, 0 and 1 of two.
    {"BFP8", ON_BOTH, "BFP8a>BFP8 exponents=1", "d0: 3c08 4000", "", "40010: 21 40 00"},
    {"BFP4", ON_BOTH, "BFP8a>BFP4 exponents=1", "d0: 3c08 4000", "", "40010: 42 00"},
    {"BFP2", ON_BOTH, "BFP8a>BFP2 exponents=1", "d0: 3c08 4000", "", "40010: 04 00"},
    // E5M7 truncates three bits, and leaves denormals and -0.
    {"raw to FP16", ON_BOTH, "BFP8a>FP16 raw=1", "d0: 3c0f 3c07 0009 8000 bfff", "",
     "40000: 3c08 3c00 0008 8000 bff8"},
    {"raw to BF16", ON_BOTH, "BFP8a>BF16 raw=1", "d0: 3c0f 3c07 bfff", "", "40000: 3f81 3f80 bfff"},
};

// FP8: 3fff is 3f (exponent 15, mantissa 3 / 4), c1ff is c1 (16, 1 / 4).
static const struct pack_vector from_fp8[] = {
    {"FP16", ON_BOTH, "FP8>FP16 raw=1", "d0: 3fff c1ff", "", "40000: 3f00 c100"},
    {"FP32", ON_BOTH, "FP8>FP32 raw=1", "d0: 3fff c1ff", "", "40000: 3fe00000 c0200000"},
    {"TF32", ON_BOTH, "FP8>TF32 raw=1", "d0: 3fff c1ff", "", "40000: 3fe00000 c0200000"},
    {"BF16", ON_BOTH, "FP8>BF16 raw=1", "d0: 3fff c1ff", "", "40000: 3fe0 c020"},
    // X = 128: (224 + 2) / 4 = 56, (160 + 1) / 2 = 80.
    {"BFP8", ON_BOTH, "FP8>BFP8 raw=1 exponents=1", "d0: 3fff c1ff", "", "40010: 38 d0 00"},
    // X = 16, the same mantissas of seven bits.
    {"BFP8a", ON_BOTH, "FP8>BFP8a raw=1 exponents=1", "d0: 3fff c1ff", "", "40010: 38 d0 00"},
    {"BFP8a's exponent", ON_BOTH, "FP8>BFP8a raw=1 exponents=1", "d0: 3fff c1ff", "",
     "40000: 10 00"},
};

// E8M6 rounds BF16's last bit, ties away: 3f81 3f82, bf83 bf84.
static const struct pack_vector from_e8m6[] = {
    {"FP16", ON_BOTH, "BFP8>FP16", "d0: 3f81 bf83 4800 c800", "", "40000: 3c10 bc20 7fff ffff"},
    {"TF32", ON_BOTH, "BFP8>TF32", "d0: 3f81 bf83 4000", "", "40000: 3f820000 bf840000 40000000"},
    // 3fc0, 3fbe
    {"FP8", ON_BOTH, "BFP8>FP8", "d0: 3fbf 3fbe bf80", "", "40000: 3e 3d bc"},
    // X = 15: (130 + 1) / 2 = 65, (132 + 1) / 2 = 66.
    {"BFP8a", ON_BOTH, "BFP8>BFP8a exponents=1", "d0: 3f81 bf83", "", "40010: 41 c2 00"},
    // From 32 bits, truncated to BF16 before: 3f80ffff 3f80, 3f81ffff 3f82 (arithmetic.md 5.2).
    {"32 bits to FP16", ON_BOTH, "BFP8>FP16", "d0: 3f80ffff 3f81ffff", "", "40000: 3c00 3c10"},
};

// TF32 rounds thirteen bits: 3f82f000 is 3f830000, 3f82efff 3f82e000.
static const struct pack_vector from_tf32[] = {
    // BF16 by truncation, X = 127: (131 + 1) / 2 = 66, (130 + 1) / 2 = 65.
    {"BFP8", ON_BOTH, "TF32>BFP8 exponents=1", "d0: 3f82f000 3f82efff", "", "40010: 42 41 00"},
    {"BFP8a", ON_BOTH, "TF32>BFP8a exponents=1", "d0: 3f82f000 3f82efff", "", "40010: 42 41 00"},
    // 3f800000 by then
    {"BFP4", ON_BOTH, "TF32>BFP4 exponents=1", "d0: 3f82f000 bf82efff 3f7fffff", "",
     "40010: c4 04 00"},
    // 3fc00000, 3fbfe000
    {"FP8", ON_BOTH, "TF32>FP8", "d0: 3fbff000 3fbfefff bf800000", "", "40000: 3e 3d bc"},
    {"BF16 to FP8", ON_BOTH, "TF32>FP8", "d0: 3fbf 3fc0 4800", "", "40000: 3d 3e 7f"},
};

static const struct pack_vector from_16[] = {
    // FP16 becomes BF16 by truncation: 3c00 3f80, 4000 4000, bc07 bf80, 3c08 3f81. X = 128.
    {"FP16 to BFP8", ON_BOTH, "FP16>BFP8 exponents=1", "d0: 3c00 4000 bc07 3c08 3c18", "",
     "40010: 20 40 a0 20 21 00"},
    {"FP16 to BFP8, exponent", ON_BOTH, "FP16>BFP8 exponents=1", "d0: 3c00 4000", "",
     "40000: 80 00"},
    {"FP16 to BFP4", ON_BOTH, "FP16>BFP4 exponents=1", "d0: 3c00 4000 bc07 3c08", "",
     "40010: 42 2a 00"},
    {"FP16 to BFP2", ON_BOTH, "FP16>BFP2 exponents=1", "d0: 3c00 4000 bc07 c000", "",
     "40010: c4 00"},
    // 31 + 112 = 143.
    {"FP16 to TF32", ON_BOTH, "FP16>TF32", "d0: 3c01 bc00 7fff", "",
     "40000: 3f802000 bf800000 47ffe000"},
    {"BF16 to TF32", ON_BOTH, "BF16>TF32", "d0: 3f81 c049 0001", "",
     "40000: 3f810000 c0490000 00000000"},
    {"raw BF16 to TF32", ON_BOTH, "BF16>TF32 raw=1", "d0: 3f81 0001 7fc1", "",
     "40000: 3f810000 00010000 7fc10000"},
    // 0x40, 0xc0, 0x20
    {"BF16 to BFP2a", ON_BOTH, "BF16>BFP2a exponents=1", "d0: 3f80 bf80 3f00", "", "40010: 0d 00"},
};

// Thresholds are FP16 if the intermediate format has five bits of exponent, else BF16.
static const struct pack_vector relus[] = {
    {"FP8 clamp", ON_BOTH, "FP8 raw=1 relu=3 relu_at=0x3c00", "d0: 4000 3c00 3800 bc00", "",
     "40000: 3c 3c 38 00"},
    {"FP8 minimum", ON_BOTH, "FP8 raw=1 relu=2 relu_at=0x3c00", "d0: 4000 3c00 3800 bc00", "",
     "40000: 40 00*3"},
    {"E5M7 clamp", ON_BOTH, "BFP8a>FP16 raw=1 relu=3 relu_at=0x3c00", "d0: 4000 3c07 3800 bc00", "",
     "40000: 3c00 3c00 3800 0000"},
    // rounded before
    {"E5M6 minimum", ON_BOTH, "BFP8a>FP16 relu=2 relu_at=0x3c00", "d0: 4000 3c07 3c08 bc00", "",
     "40000: 4000 0000 3c10 0000"},
    {"TF32 clamp", ON_BOTH, "TF32 relu=3 relu_at=0x3f80", "d0: 40000000 3f800000 3f000000 bf800000",
     "", "40000: 3f800000 3f800000 3f000000 00000000"},
    // rounded before
    {"TF32 minimum", ON_BOTH, "TF32 relu=2 relu_at=0x3f80",
     "d0: 40000000 3f800fff 3f801000 3f000000 bf800000", "",
     "40000: 40000000 00000000 3f802000 00000000*2"},
    {"raw BF16 zero", ON_BOTH, "BF16 raw=1 relu=1 relu_at=0", "d0: 0001 8001 8000 3f80 ff80", "",
     "40000: 0001 0000 0000 3f80 0000"},
    {"INT8 zero", ON_BOTH, "INT8 relu=1 relu_at=0 INT_DESCALE_Enable=1 shift=4",
     "d0: 00000068 80000068 80000001", "", "40000: 07 00 00"},
    {"INT16 zero", ON_BOTH, "INT16 relu=1 relu_at=0", "d0: 0005 8005 7fff ffff", "",
     "40000: 0005 0000 7fff 0000"},
};

VECTORS(from_e5m6)
VECTORS(from_fp8)
VECTORS(from_e8m6)
VECTORS(from_tf32)
VECTORS(from_16)
VECTORS(relus)

int main(void)
{
    const struct CMUnitTest tests[] = {
        VECTORS_TEST(from_e5m6), VECTORS_TEST(from_fp8), VECTORS_TEST(from_e8m6),
        VECTORS_TEST(from_tf32), VECTORS_TEST(from_16),  VECTORS_TEST(relus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
