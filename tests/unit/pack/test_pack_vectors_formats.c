// SPDX-License-Identifier: Apache-2.0
// PACR's formats, worked by hand from the ISA pages by a reader who had not seen the code: BFP8a,
// BFP4a, BFP2a, FP8 e5m2, TF32, and conversions that no other simulator runs.
// Pages: Packers/FormatConversion, FloatBitPatterns; decision 13.

#include "rig/pack_vectors_rig.h"

// E5M7, then the largest of sixteen exponents, X; a magnitude is 128 + mantissa, rounded to
// (q + 2^d) / 2^(d + 1) with d = X - exponent, at most 127, and 0 from d = 8 on.
static const struct pack_vector blocks_a[] = {
    // Exponents 15, 15, 16, 15, 15, 16, 16, 11, 8, 9: X = 16.
    {"BFP8a exponents", ON_BOTH, "FP16>BFP8a exponents=1",
     "d0: 3c00 3e00 4000 bc00 3c0f 43ff c3ff 2c00 2000 2400 a400", "", "40000: 10 00*3"},
    // (128 + 2) / 4; (192 + 2) / 4 = 48.5; (128 + 1) / 2; the same with a sign; 3c0f is
    // 128 + (15 >> 3) = 129: (129 + 2) / 4; (255 + 1) / 2 = 128, saturated; with its sign;
    // (128 + 32) / 64 = 2.5; d = 8; (128 + 128) / 256 = 1; with its sign.
    {"BFP8a datums", ON_BOTH, "FP16>BFP8a exponents=1",
     "d0: 3c00 3e00 4000 bc00 3c0f 43ff c3ff 2c00 2000 2400 a400", "",
     "40010: 20 30 40 a0 20 7f ff 02 00 01 81 00*5"},
    // From BF16: 3f80 is 127 - 112 = 15, 4000 16; mantissas have seven bits already.
    // (255 + 2) / 4 = 64, (129 + 1) / 2 = 65
    {"BFP8a of BF16", ON_BOTH, "BF16>BFP8a exponents=1", "d0: 3f80 4000 bf80 3fff 4001", "",
     "40010: 20 40 a0 40 41 00"},
    // 4800 is 144 - 112 = 32 and saturates to 31 with all mantissa bits: (255 + 1) / 2 = 128 ->
    // 127.
    // 4700 is 142 - 112 = 30: (128 + 2) / 4. 3f80 is 16 below.
    {"BFP8a saturates", ON_BOTH, "BF16>BFP8a exponents=1", "d0: 4800 4700 c800 3f80", "",
     "40010: 7f 20 ff 00"},
    {"BFP8a saturated exponent", ON_BOTH, "BF16>BFP8a exponents=1", "d0: 4800 4700 c800 3f80", "",
     "40000: 1f 00"},
    // From FP32, truncated to seven bits: 3fffffff is 255 at 15, 40000000 128 at 16.
    {"BFP8a of FP32", ON_BOTH, "FP32>BFP8a exponents=1", "d0: 3fffffff 40000000 bf80ffff", "",
     "40010: 40 40 a0"},
    // E5M6 first: 3c08 rounds to 3c10, mantissa 2; 3c07 to 3c00; 3c18 to 3c20, mantissa 4.
    // (130 + 1) / 2 = 65, (128 + 1) / 2 = 64, (132 + 1) / 2 = 66.
    {"BFP8a of E5M6", ON_BOTH, "BFP8a exponents=1", "d0: 3c08 3c07 bc18", "", "40010: 41 40 c2"},
    // E5M7 with Read_raw: truncated. 3c08 is 129: (129 + 1) / 2 = 65; 3c07 is 128; 3c18 is 131: 66.
    {"BFP8a of E5M7", ON_BOTH, "BFP8a exponents=1 raw=1", "d0: 3c08 3c07 bc18", "",
     "40010: 41 40 c2"},
    // As the datums of BFP8a above, shifted right by 4; no sign is left on a zero. Two a byte, the
    // first in the low half: 2 3, 4 a, 2 7, f 0, 0 0.
    {"BFP4a", ON_BOTH, "FP16>BFP4a exponents=1",
     "d0: 3c00 3e00 4000 bc00 3c0f 43ff c3ff 2c00 2000 2400 a400", "", "40010: 32 a4 72 0f 00*4"},
    {"BFP4a exponent", ON_BOTH, "FP16>BFP4a exponents=1", "d0: 3c00 3e00 4000", "", "40000: 10 00"},
    // 3f80 0x20, 4000 0x40, c000 0xc0, 4040 (192 + 1) / 2 = 0x60: 2, 4, c, 6.
    {"BFP4a of BF16", ON_BOTH, "BF16>BFP4a exponents=1", "d0: 3f80 4000 c000 4040", "",
     "40010: 42 6c 00 00"},
    // Shifted right by 6: 0, 0, 1, 0 (0x20 with a sign is 0); 0, 1, 3, 0. Four a byte.
    {"BFP2a", ON_BOTH, "FP16>BFP2a exponents=1", "d0: 3c00 3e00 4000 bc00 3c0f 43ff c3ff 2c00", "",
     "40010: 10 34 00 00"},
    // 40, 7f, c0, 20; (255 + 2) / 4 = 64: 1, 1, 3, 0; 1
    {"BFP2a of FP32", ON_BOTH, "FP32>BFP2a exponents=1",
     "d0: 3f800000 3fffffff bf800000 3f000000 3f7fffff", "", "40010: 35 01 00 00"},
    // 1 with sign 3, 1, 0, 0
    {"BFP2a of E5M7", ON_BOTH, "BFP8a>BFP2a exponents=1 raw=1", "d0: bc00 3c00 3800 b800", "",
     "40010: 07 00 00"},
};

// e5m2: the high byte of an FP16. Saturates, then truncates.
static const struct pack_vector fp8s[] = {
    // 3fff has mantissa bits 11; 03ff is flushed by the early rounding, as is 8000.
    {"FP16", ON_BOTH, "FP16>FP8", "d0: 3c00 3fff bd00 7bff 0400 03ff 7fff 8000 ffff", "",
     "40000: 3c 3f bd 7b 04 00 7f 00 ff"},
    // Intermediate FP8, by truncation: small mantissas go, others stay denormal; -0 stays.
    {"raw FP8", ON_BOTH, "FP8 raw=1", "d0: 3fff 03ff 00ff 8000 c1ff bc00", "",
     "40000: 3f 03 00 80 c1 bc"},
    // Exponents 127, 127, 142, 143, 144, 144, 112, 111, 113 less 112.
    {"FP32", ON_BOTH, "FP32>FP8",
     "d0: 3f800000 3fc00000 477fffff 47ffffff 48000000 c8000000 38000000 37ffffff 38800000 "
     "7fc00000",
     "", "40000: 3c 3e 7b 7f 7f ff 00 00 04 7f"},
    {"BF16", ON_BOTH, "BF16>FP8", "d0: bf81 3fbf 3fc0 4800 ff80", "", "40000: bc 3d 3e 7f ff"},
};

// Early rounding to ten bits, ties away from zero; the low thirteen bits are zero in L1.
static const struct pack_vector tf32s[] = {
    {"FP32", ON_BOTH, "TF32",
     "d0: 3f800fff 3f801000 bf801000 3fffffff 7fc00000 00000001 80000000 7f7fffff ff800001", "",
     "40000: 3f800000 3f802000 bf802000 40000000 7f800000 00000000*2 7f800000 ff800000"},
    {"BF16", ON_BOTH, "TF32", "d0: 3f81 0001 7fc0 8000 c049", "",
     "40000: 3f810000 00000000 7f800000 00000000 c0490000"},
    // INT32 is FP32's pattern.
    {"INT32", ON_BOTH, "TF32", "d0: 00801000 12345678 92346000", "",
     "40000: 00802000 12346000 92346000"},
    // Dstacc_val replaces Dstacc.
    {"override", ON_BOTH,
     "TF32 dstacc=FP32 ALU_FORMAT_SPEC_REG_Dstacc_override=1 ALU_FORMAT_SPEC_REG_Dstacc_val=TF32",
     "d0: 3f800fff 3f801000", "", "40000: 3f800000 3f802000"},
    // FP32 with Round_10b_mant is TF32 as well.
    {"FP32 rounded", ON_BOTH, "TF32 dstacc=FP32 PCK_DEST_RD_CTRL_Round_10b_mant=1",
     "d0: 3f800fff 3f801000 c0490fdb", "", "40000: 3f800000 3f802000 c0490000"},
    {"to FP32", ON_BOTH, "TF32>FP32", "d0: 3f801000 bf800fff", "", "40000: 3f802000 bf800000"},
    // Rounded to ten bits, then truncated to seven: 3f81ffff is 3f820000, 3f80f000 is 3f810000 (a
    // tie), 3f80efff is 3f80e000.
    {"to BF16", ON_BOTH, "TF32>BF16", "d0: 3f81ffff 3f80f000 3f80efff", "",
     "40000: 3f82 3f81 3f80"},
    // Exponents 127, 143, 144 less 112: 15, 31, 32.
    {"to FP16", ON_BOTH, "TF32>FP16", "d0: 3f801000 47800000 48000000 c8000000 38000000", "",
     "40000: 3c01 7c00 7fff ffff 0000"},
    // TF32 with Read_raw is FP32.
    {"raw", ON_BOTH, "FP32 dstacc=TF32 raw=1", "d0: 3f801fff 7fc00001 00000001 80000000", "",
     "40000: 3f801fff 7fc00001 00000001 80000000"},
};

static const struct pack_vector others[] = {
    // Exponents 127, 127, 113, 112 (2^-15, flushed), 142, 143, 144 less 112; seven mantissa bits
    // become ten.
    {"BF16 to FP16", ON_BOTH, "BF16>FP16", "d0: 3f80 bf81 3880 3800 477f 4780 4800 ff80 0001", "",
     "40000: 3c00 bc08 0400 0000 7bf8 7c00 7fff ffff 0000"},
    // Truncated: a NaN of low bits becomes infinity, denormals zero.
    {"FP32 to BF16", ON_BOTH, "FP32>BF16",
     "d0: 3f80ffff bf81ffff 7f800001 7fc00000 007fffff 00800000 7f7fffff", "",
     "40000: 3f80 bf81 7f80 7fc0 0000 0080 7f7f"},
    // Identity: denormals, NaN and -0 stay.
    {"raw BF16", ON_BOTH, "BF16 raw=1", "d0: 0001 8000 7fc1 ff81 3f81", "",
     "40000: 0001 8000 7fc1 ff81 3f81"},
    {"raw BF16 by BFP8", ON_BOTH, "BF16 dstacc=BFP8 raw=1", "d0: 0001 8000 7fc1 3f81", "",
     "40000: 0001 8000 7fc1 3f81"},
    {"raw FP16", ON_BOTH, "FP16 raw=1", "d0: 0001 8000 03ff 3c01", "",
     "40000: 0001 8000 03ff 3c01"},
    // Truncated from FP32: the top half.
    {"raw FP32 as BF16", ON_BOTH, "BF16 raw=1", "d0: 3f80ffff 7f800001 0001ffff 80000000", "",
     "40000: 3f80 7f80 0001 8000"},
    {"raw FP32 as E8M7", ON_BOTH, "BF16 dstacc=BFP8 raw=1", "d0: 3f81ffff bf80ffff 7fc00001", "",
     "40000: 3f81 bf80 7fc0"},
};

static const struct pack_vector integers[] = {
    // Integers are for ReLU modes 0 and 1: nothing says what the thresholds of 2 and 3 would mean,
    // so they are reported. Mode 1 passes positives and makes negatives zero.
    {"ReLU 1", ON_BOTH, "INT32 relu=1 relu_at=0x3f80",
     "d0: 00000005 80000005 7fffffff ffffffff 00000001", "",
     "40000: 00000005 00000000 7fffffff 00000000 00000001"},
    {"ReLU 2", ON_BOTH, "INT32 relu=2 relu_at=0x3f80",
     "d0: 00000005 80000005 7fffffff ffffffff 00000001", "", "found pack-format-pair"},
    {"ReLU 3", ON_BOTH, "INT32 relu=3 relu_at=0x3f80",
     "d0: 00000005 80000005 7fffffff ffffffff 00000001", "", "found pack-format-pair"},
    // Pairs for which the late conversion's table says "No".
    {"BF16 to INT8", ON_BOTH, "BF16>INT8", "d0: 0080 0100 0180", "", "found pack-format-pair"},
    {"INT16 to BF16", ON_BOTH, "INT16>BF16", "d0: 0001 0002 0003", "", "found pack-format-pair"},
    {"INT32 to FP32", ON_BOTH, "INT32>FP32", "d0: 00000001 00000002 00000003", "",
     "found pack-format-pair"},
    {"INT32 to INT8", ON_BOTH, "INT32>INT8", "d0: 00000001 00000002 00000003", "",
     "found pack-format-pair"},
    {"FP32 to TF32", ON_BOTH, "FP32>TF32", "d0: 00000001 00000002 00000003", "",
     "found pack-format-pair"},
    {"INT8 to INT32", ON_BOTH, "INT8>INT32", "d0: 00000001 00000002 00000003", "",
     "found pack-format-pair"},
    {"INT16 to INT32", ON_BOTH, "INT16>INT32", "d0: 0001 0002 0003", "", "found pack-format-pair"},
    {"INT8 to BFP8", ON_BOTH, "INT8>BFP8", "d0: 00000001 00000002 00000003", "",
     "found pack-format-pair"},
};

VECTORS(blocks_a)
VECTORS(fp8s)
VECTORS(tf32s)
VECTORS(others)
VECTORS(integers)

int main(void)
{
    const struct CMUnitTest tests[] = {
        VECTORS_TEST(blocks_a), VECTORS_TEST(fp8s),     VECTORS_TEST(tf32s),
        VECTORS_TEST(others),   VECTORS_TEST(integers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
