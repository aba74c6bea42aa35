// SPDX-License-Identifier: Apache-2.0
// What UNPACR makes of each format, worked by hand from the ISA pages by a reader who had not seen
// the code. Src datums are sign, exponent (8), mantissa (10): a BF16 pattern shifted left by 3; an
// FP16 pattern with its sign moved up to bit 18. Dst stores sign, mantissa, exponent.
// Pages: UNPACR_Regular.md, Unpackers/FormatConversion.md, FloatBitPatterns.md, Dst.md.

#include "rig/unpack_vectors_rig.h"

#define TO_DST " REG2_Unpack_if_sel_cntx0=1 SRCA_SET_SetOvrdWithAddr=0"

// Tiles of 256 datums have 16 exponents, a line of 16 bytes: datums begin at 0x10010. The magnitude
// is shifted up until its top bit falls out, and each shift lowers the exponent by one.
static const struct unpack_vector blocks_a[] = {
    // 40: 1.0, no shift. 7f: mantissa 0x7e << 3 = 0x3f0. 21: 0x42, one shift, exponent 14, 0x04 <<
    // 3. 01: six shifts, exponent 9 = 0x2400. 80: -0 is 0xfc00. ff: -7f.
    {"BFP8a to SrcA", ON_BOTH, 0, "fmt=2", "", "10000: 0f*16; 10010: 40 7f 21 01 00 c0 80 ff 00*8",
     A, "a0: 3c00 3ff0 3820 2400 0 43c00 47c00 43ff0 0*8", "", ""},
    // Exponent 31: 31 << 10 = 0x7c00; 20 is one shift: 30 << 10 = 0x7800; 1f two and then 0x7c:
    // 29 << 10 | (0xf8 & 0x7e) << 3 = 0x7400 + 0x3c0.
    {"BFP8a, largest exponent", ON_BOTH, 1, "fmt=2", "x1=3", "10000: 1f; 10010: 40 20 1f a0", B,
     "b0: 7c00 7800 77c0 47800", "", ""},
    // 6 - 6 = 0 still fits: 01 is exponent 0, mantissa 0. 03: 5 shifts, 1 << 10 | 0x40 << 3.
    {"BFP8a, smallest exponent", ON_BOTH, 0, "fmt=2", "x1=1", "10000: 06; 10010: 01 03", A,
     "a0: 0 600", "", ""},
    // Exponent 0x20 does not fit five bits unless a shift lowers it (20: 0x1f). Decision 14: the
    // low five stay. 60: mantissa 0x40 << 3.
    {"BFP8a, exponent 32", ON_BOTH, 0, "fmt=2", "x1=2", "10000: 20; 10010: 40 60 20", A,
     "a0: 0! 200! 7c00", "", "unpack-block-exponent"},
    // 3 - 6 = 0xfd, of which five bits are 0x1d: 29 << 10.
    {"BFP8a, exponent below 0", ON_BOTH, 1, "fmt=2", "x1=0", "10000: 03; 10010: 01", B, "b0: 7400!",
     "", "unpack-block-exponent"},
    // The second sixteen use the second byte: 0x10 << 10 = 0x4000.
    {"BFP8a, second exponent", ON_BOTH, 0, "fmt=2", "y0=1", "10000: 0f 10; 10020: 40*16", A,
     "a0: 4000*16", "", ""},
    // Dst FP16: mantissa << 5 | exponent. 3c00: 0x00f. 3ff0: 0x3f0 << 5 = 0x7e00, + 0xf.
    {"BFP8a to Dst", ON_BOTH, 0, "fmt=2" TO_DST, "x1=3", "10000: 0f; 10010: 40 7f 80 c0", A,
     "d0: 000f 7e0f 801f 800f", "", ""},
    // Low half of a byte first: 7 4 1 0 8 f c 2. 7: 0x70, 0x60 << 3 = 0x300. 1: two shifts, 13 <<
    // 10.
    {"BFP4a to SrcA", ON_BOTH, 0, "fmt=3", "", "10000: 0f*16; 10010: 47 01 f8 2c 00*4", A,
     "a0: 3f00 3c00 3400 0 47c00 43f00 43c00 3800 0*8", "", ""},
    // Datums 3 to 6 of the same begin in the middle of a byte.
    {"BFP4a from an odd datum", ON_BOTH, 1, "fmt=3", "x0=3 x1=6",
     "10000: 0f*16; 10010: 47 01 f8 2c", B, "b0: 0 47c00 43f00 43c00", "", ""},
    // 3f00: 0x300 << 5 | 15. 3400: exponent 13. 0xfc00: sign, exponent 31. 0xbf00: sign and 0x600f.
    {"BFP4a to Dst", ON_BOTH, 0, "fmt=3" TO_DST, "x1=7", "10000: 0f; 10010: 47 01 f8 2c", A,
     "d0: 600f 000f 000d 0 801f e00f 800f 000e", "", ""},
    // Two bits each, lowest first: 2d is 1 3 2 0; 93 is 3 0 1 2. 1: 1.0, 3: -1.0, 2: 0xfc00.
    {"BFP2a to SrcA", ON_BOTH, 0, "fmt=11", "", "10000: 0f*16; 10010: 2d 93 00 00", A,
     "a0: 3c00 43c00 47c00 0 43c00 0 3c00 47c00 0*8", "", ""},
    // Exponent 3: 3 << 10; from the third datum on: 2 0 3 0 1 2.
    {"BFP2a from the third datum", ON_BOTH, 1, "fmt=11", "x0=2 x1=7", "10000: 03; 10010: 2d 93", B,
     "b0: 47c00 0 40c00 0 0c00 47c00", "", ""},
    {"BFP2a to Dst", ON_BOTH, 0, "fmt=11" TO_DST, "x1=3", "10000: 0f; 10010: 2d", A,
     "d0: 000f 800f 801f 0", "", ""},
};

static const struct unpack_vector wide[] = {
    // The top 19 bits, no more: 3fc12345 >> 13 = 1fe09; a denormal and a NaN stay what they are.
    {"FP32 to TF32, SrcA", ON_BOTH, 0, "in=0 out=4", "x1=3",
     "10000: 3fc12345 80000001 ff800001 00400000", A, "a0: 1fe09 40000 7fc00 00200", "", ""},
    {"FP32 to TF32, SrcB", ON_BOTH, 1, "in=0 out=4", "x0=1 x1=2",
     "10000: 3f800000 3f801fff bf802000", B, "b0: 1fc00 5fc01", "", ""},
    // To Dst TF32 means FP32: 0x3fc1 is exponent 7f, mantissa 41; the low half unchanged, 8 below.
    {"FP32 to TF32, Dst", ON_BOTH, 0, "in=0 out=4" TO_DST, "x1=1", "10000: 3fc12345 80000001", A,
     "d0: 417f 8000; d8: 2345 0001", "", ""},
    {"TF32 to Dst", ON_BOTH, 0, "fmt=4" TO_DST, "x1=1", "10000: 3fc12345 ff801fff", A,
     "d0: 417f 80ff; d8: 2345 1fff", "", ""},
    // Y 1 of 64 bytes is row 1. 0x0080: exponent 1. 0xbfff: exponent 7f, mantissa 7f, sign.
    {"TF32 to Dst by Y", ON_BOTH, 0, "fmt=4 UNP_ADDR_CTRL_XY_REG_1_Ystride=64" TO_DST, "x1=1 y1=1",
     "10000: 00800001 bfffffff", A, "d1: 0001 ff7f; d9: 0001 ffff", "", ""},
    {"TF32 to Dst, over a row's end", ON_BOTH, 0, "fmt=4" TO_DST, "x1=16",
     "10000: 3f800000*16 c0000007", A, "d0: 007f*16 8080; d8: 0*16 0007", "", ""},
    {"FP32 to TF32, SrcB, row 1 of L1", ON_BOTH, 1, "in=0 out=4", "x1=2 y0=1",
     "10040: 00001fff 7f7fffff c0490fdb", B, "b0: 0 3fbff 60248", "", ""},
    // 32 datums are rows 0 and 1, physically 0, 8 and 1, 9. 0x40490fdb: 4049 is exponent 80, 49.
    {"FP32 to Dst", ON_BOTH, 0, "fmt=0" TO_DST, "x1=31", "10000: 3fc12345*16 40490fdb*16", A,
     "d0: 417f*16 4980*16; d8: 2345*16 0fdb*16", "", ""},
    // Row 8 of 32 bits: Adj32(8) = 16, with its low half in row 24. Address 64 + 8 * 16.
    {"FP32 to row 8 of Dst", ON_BOTH, 0, "fmt=0 REG5_Dest_cntx0_address=192" TO_DST, "x1=0",
     "10000: 00400001", A, "d16: 4000; d24: 0001", "", ""},
    // 3f81ffff is cut to 3f81; denormals keep their sign alone; a NaN can become an infinity.
    {"FP32 to BF16, SrcA", ON_BOTH, 0, "in=0 out=5", "x1=3",
     "10000: 3f81ffff 807fffff 7f800001 00000001", A, "a0: 1fc08 40000 3fc00 0", "", ""},
    {"FP32 to BF16, SrcB", ON_BOTH, 1, "in=0 out=5", "x1=1", "10000: 3f807fff c0a18000", B,
     "b0: 1fc00 60508", "", ""},
    // 3f81: exponent 7f, mantissa 01. c0a1: exponent 81, mantissa 21, sign.
    {"FP32 to BF16, Dst", ON_BOTH, 0, "in=0 out=5" TO_DST, "x1=2",
     "10000: 3f81ffff 807fffff c0a18000", A, "d0: 017f 8000 a181", "", ""},
    // arithmetic.md 4.2: exponent - 112; 0 keeps the mantissa, below is 0, above 31 all ones.
    {"FP32 to FP16, SrcA", ON_BOTH, 0, "in=0 out=1", "x1=6",
     "10000: 38800000 38400000 38000001 47ffffff ff800000 3f801fff b3000000", A,
     "a0: 0400 0200 0 7fff 47fff 3c00 40000", "", ""},
    // bf804000: exponent 15, mantissa 0x4000 >> 13 = 2, sign. 47800000: 0x8f - 112 = 31.
    {"FP32 to FP16, SrcB", ON_BOTH, 1, "in=0 out=1", "x1=2", "10000: bf804000 47800000 48000000", B,
     "b0: 43c02 7c00 7fff", "", ""},
    {"FP32 to FP16, Dst", ON_BOTH, 0, "in=0 out=1" TO_DST, "x1=2",
     "10000: bf804000 3f800000 ff800000", A, "d0: 804f 000f ffff", "", ""},
    // Sign and magnitude through the same shuffle: 1234 is exponent bits 24, mantissa 34.
    {"INT32 to Dst", ON_BOTH, 0, "fmt=8" TO_DST, "x1=2", "10000: 12345678 80000005 00ff0001", A,
     "d0: 3424 8000 7f01; d8: 5678 0005 0001", "", ""},
    // Decision 17: rows from 512 on fold by OR: Adj32(520) = 16 | 512.
    {"FP32 to row 520 of Dst", ON_BOTH, 0, "fmt=0 REG5_Dest_cntx0_address=8384" TO_DST, "x1=0",
     "10000: 3fc12345", A, "d528: 417f; d536: 2345", "", "dst-row-range"},
    // Base 64 bytes is 16 datums of 32 bits, and the context's 64 comes on top: row 1.
    {"INT32 to row 1 of Dst", ON_BOTH, 0, "fmt=8 UNP_ADDR_BASE_REG_1_Base=64" TO_DST, "x1=0",
     "10000: 80010002", A, "d1: 8100; d9: 0002", "", ""},
    {"INT32, second row of L1, to Dst", ON_BOTH, 0, "fmt=8" TO_DST, "y0=1 x1=1",
     "10040: ffffffff 00800000", A, "d0: ffff 0001; d8: ffff 0000", "", ""},
    // Decision 5: undefined; the top 19 bits, tainted.
    {"FP32 as it is, SrcA", ON_BOTH, 0, "fmt=0", "x1=1", "10000: 3fc12345 80000001", A,
     "a0: 1fe09! 40000!", "", "src-32bit-format"},
    {"FP32 as it is, SrcA, row 2", ON_BOTH, 0, "fmt=0 REG5_Dest_cntx0_address=96", "x1=0 y0=1",
     "10040: c0490fdb", A, "a2: 60248!", "", "src-32bit-format"},
    {"FP32 as it is, SrcB", ON_BOTH, 1, "fmt=0", "x1=0", "10000: bf802000", B, "b0: 5fc01!", "",
     "src-32bit-format"},
    {"INT32 to SrcA", ON_BOTH, 0, "fmt=8", "x1=0", "10000: 12345678", A, "a0: 091a2!", "",
     "src-32bit-format"},
    {"INT32 to SrcB", ON_BOTH, 1, "fmt=8", "x1=1", "10000: 80000005 00ffe000", B,
     "b0: 40000! 007ff!", "", "src-32bit-format"},
    {"TF32 to SrcA", ON_BOTH, 0, "fmt=4", "x1=0", "10000: 3fc12345", A, "a0: 1fe09!", "",
     "src-32bit-format"},
    {"TF32 to SrcB, zero", ON_BOTH, 1, "fmt=4", "x1=1", "10000: 00001fff 80000000", B,
     "b0: 0! 40000!", "", "src-32bit-format"},
    {"TF32 to SrcB", ON_BOTH, 1, "fmt=4", "x1=0", "10000: 3f802000", B, "b0: 1fc01!", "",
     "src-32bit-format"},
};

// The SetOvrdWithAddr bit is 0 on the way to Dst. The first four rows are in front of Dst's first.
static const struct unpack_vector to_dst[] = {
    // BF16 3fc0: exponent 7f, mantissa 40. c0a1: as above. 0001: mantissa 1 stays.
    {"BF16 to Dst", ON_BOTH, 0, "fmt=5" TO_DST, "x1=3", "10000: 3fc0 c0a1 0001 7f80", A,
     "d0: 407f a181 0100 00ff", "", ""},
    {"BF16 to row 5 of Dst", ON_BOTH, 0, "fmt=5 REG5_Dest_cntx0_address=144" TO_DST, "x1=0",
     "10000: bf80", A, "d5: 807f", "", ""},
    {"BF16 over a row's end in Dst", ON_BOTH, 0, "fmt=5" TO_DST, "x1=17", "10000: 3f80*16 4000*2",
     A, "d0: 007f*16 0080*2", "", ""},
    // FP16 fbff: exponent 1e, mantissa 3ff, sign: 0x8000 | 0x7fe0 | 0x1e.
    {"FP16 to Dst", ON_BOTH, 0, "fmt=1" TO_DST, "x1=3", "10000: 3c01 fbff 0001 7c00", A,
     "d0: 002f fffe 0020 001f", "", ""},
    {"FP16 to the last row of Dst", ON_BOTH, 0, "fmt=1 REG5_Dest_cntx0_address=16432" TO_DST,
     "x1=0", "10000: 8000", A, "d1023: 8000", "", ""},
    // 32 bytes of stride * Y 2 = 64 bytes = 32 datums: row 2.
    {"FP16 to Dst by Y", ON_BOTH, 0, "fmt=1 UNP_ADDR_CTRL_XY_REG_1_Ystride=32" TO_DST, "x1=1 y1=2",
     "10000: 3c00 bc00", A, "d2: 000f 800f", "", ""},
    {"INT16 to Dst", ON_BOTH, 0, "fmt=9" TO_DST, "x1=3", "10000: 1234 ffff 8000 0001", A,
     "d0: 1234 ffff 8000 0001", "", ""},
    {"INT16 to Dst by Z", ON_BOTH, 0, "fmt=9 UNP_ADDR_CTRL_ZW_REG_1_Zstride=512" TO_DST,
     "x1=0 z1=1", "10000: abcd", A, "d16: abcd", "", ""},
    // 32 datums: rows 16 and 17 (address 64 + 256).
    {"INT16 to rows of Dst", ON_BOTH, 0, "fmt=9 REG5_Dest_cntx0_address=320" TO_DST, "x1=31",
     "10000: 0001+32", A, "d16: 1+32", "", ""},
    // BFP8, exponent 7f: 60 is 1.5 (mantissa 40), 01 six shifts (79), 80 is 0xff80, 7f mantissa 7e.
    {"BFP8 to Dst", ON_BOTH, 0, "fmt=6" TO_DST, "x1=5", "10000: 7f; 10010: 40 c0 60 01 80 7f", A,
     "d0: 007f 807f 407f 0079 80ff 7e7f", "", ""},
    // 3 - 6 is 0xfd in eight bits.
    {"BFP8 to Dst, exponent below 0", ON_BOTH, 0, "fmt=6" TO_DST, "x1=1", "10000: 03; 10010: 01 81",
     A, "d0: 00fd 80fd", "", ""},
    {"BFP8 to Dst, second exponent", ON_BOTH, 0, "fmt=6" TO_DST, "x0=15 x1=16",
     "10000: 7f 81; 1001f: 40 40", A, "d0: 007f 0081", "", ""},
    // Sign and magnitude: magnitude << 5 | 16; a zero has no exponent.
    {"INT8 to Dst", ON_BOTH, 0, "fmt=14" TO_DST, "x1=4", "10000: 85 05 80 7f 00", A,
     "d0: 80b0 00b0 8000 0ff0 0", "", ""},
    {"UINT8 to Dst", ON_BOTH, 0, "fmt=14 ALU_FORMAT_SPEC_REG0_SrcAUnsigned=1" TO_DST, "x1=3",
     "10000: 85 ff 80 00", A, "d0: 10b0 1ff0 1010 0", "", ""},
    // SrcBUnsigned is the other unpacker's.
    {"INT8 to Dst, SrcB unsigned", ON_BOTH, 0, "fmt=14 ALU_FORMAT_SPEC_REG0_SrcBUnsigned=1" TO_DST,
     "x1=1", "10000: 81 01", A, "d0: 8030 0030", "", ""},
    // One byte a datum: a base of 16 bytes is one row.
    {"FP8 to Dst", ON_BOTH, 0, "fmt=10 UNP_ADDR_BASE_REG_1_Base=16" TO_DST, "x1=2",
     "10000: 3c bd 01", A, "d1: 000f a00f 2000", "", ""},
    {"FP8 7f to Dst", ON_WH, 0, "fmt=10" TO_DST, "x1=0", "10000: 7f", A, "d0: 601f", "", ""},
    {"FP8 7f to Dst", ON_BH, 0, "fmt=10" TO_DST, "x1=0", "10000: 7f", A, "d0: 7fff", "", ""},
    // Decision 4: row 0x35 & 0x3cf is 5; 0x1f is 0xf; 0x40 stays.
    {"Dst with SetOvrdWithAddr, row 53", ON_BOTH, 0,
     "fmt=9 REG2_Unpack_if_sel_cntx0=1 REG5_Dest_cntx0_address=912", "x1=0", "10000: 0077", A,
     "d5: 0077!", "", "dst-ovrd-addr"},
    {"Dst with SetOvrdWithAddr, row 31", ON_BOTH, 0,
     "fmt=9 REG2_Unpack_if_sel_cntx0=1 REG5_Dest_cntx0_address=560", "x1=0", "10000: 0078", A,
     "d15: 0078!", "", "dst-ovrd-addr"},
    {"Dst with SetOvrdWithAddr, row 64", ON_BOTH, 0,
     "fmt=9 REG2_Unpack_if_sel_cntx0=1 REG5_Dest_cntx0_address=1088", "x1=0", "10000: 0079", A,
     "d64: 0079!", "", "dst-ovrd-addr"},
    // Row 0 - 4 is 1020 of ten bits. The page does not support places below 64 datums.
    {"Dst below its first row", ON_BOTH, 0, "fmt=9 REG5_Dest_cntx0_address=0" TO_DST, "x1=0",
     "10000: 0055", A, "d1020: 0055", "", LEGACY},
};

static const struct unpack_vector forced[] = {
    // Exponent 0x81, and no exponents in L1. 40: 0x4080 << 3; a0: one shift, -0x4000; 7f: 0x40fe.
    {"BFP8, SrcA", ON_BOTH, 0,
     "fmt=6 REG2_Force_shared_exp=1 UNP_FORCED_SHARED_EXP_shared_exp=0x81", "x1=4",
     "10000: 40 a0 7f 00 80", A, "a0: 20400 60000 207f0 0 7fc00", "", ""},
    // An integer as BFP8 with exponent 133: 5 is 0x0a, four shifts: 0x81, mantissa 0x20: 5.0.
    {"BFP8, SrcB", ON_BOTH, 1,
     "fmt=6 REG2_Force_shared_exp=1 UNP_FORCED_SHARED_EXP_shared_exp=0x85", "x1=2",
     "10000: 05 85 01", B, "b0: 20500 60500 1fc00", "", ""},
    {"BFP8, Dst", ON_BOTH, 0,
     "fmt=6 REG2_Force_shared_exp=1 UNP_FORCED_SHARED_EXP_shared_exp=0x7f" TO_DST, "x1=1",
     "10000: 40 e0", A, "d0: 007f c07f", "", ""},
    // 7: 0x70, mantissa 0x60: 0x3fe0 << 3. 9: -1, two shifts: 0xbe80.
    {"BFP4, SrcB", ON_BOTH, 1,
     "fmt=7 REG2_Force_shared_exp=1 UNP_FORCED_SHARED_EXP_shared_exp=0x7f", "x1=3", "10000: 97 08",
     B, "b0: 1ff00 5f400 7fc00 0", "", ""},
    {"BFP4, SrcA, odd datum", ON_BOTH, 0,
     "fmt=7 REG2_Force_shared_exp=1 UNP_FORCED_SHARED_EXP_shared_exp=0x80", "x0=1 x1=2",
     "10000: 4f 02", A, "a0: 20000 1fc00", "", ""},
    {"BFP2, SrcB", ON_BOTH, 1,
     "fmt=15 REG2_Force_shared_exp=1 UNP_FORCED_SHARED_EXP_shared_exp=127", "x1=3", "10000: 2d", B,
     "b0: 1fc00 5fc00 7fc00 0", "", ""},
    {"BFP8a, SrcA", ON_BOTH, 0, "fmt=2 REG2_Force_shared_exp=1 UNP_FORCED_SHARED_EXP_shared_exp=15",
     "x1=1", "10000: 40 a0", A, "a0: 3c00 43800", "", ""},
};

// The section has a byte for each 16 of X * Y * Z * W datums, rounded up to 16 bytes, however many
// are unpacked. X is the context's for unpacker 0.
static const struct unpack_vector section[] = {
    // 64 * 16: 64 exponents. X of the descriptor would be 16.
    {"BFP8, X of the context", ON_BOTH, 0, "fmt=6 TD.XDim=16 REG5_Tile_x_dim_cntx0=64", "x1=0",
     "10000: 7f; 10040: 40", A, "a0: 1fc00", "", ""},
    {"BFP8, X of the descriptor", ON_BOTH, 1, "fmt=6 TD.XDim=64 REG5_Tile_x_dim_cntx0=16", "x1=0",
     "10000: 7f; 10040: 40", B, "b0: 1fc00", "", ""},
    // 17 * 16 * 1 / 16 = 17 exponents: two lines. Y 1 is datum 17, whose exponent is the second.
    {"BFP8, 17 exponents", ON_BOTH, 0, "fmt=6 xdim=17", "x1=0 y0=1", "10000: 7f 80; 10031: 40", A,
     "a0: 20000", "", ""},
    // 15 datums have one; datum 5 begins in the middle of a byte.
    {"BFP4, 15 datums", ON_BOTH, 1, "fmt=7 xdim=5 ydim=3", "x1=1 y0=1", "10000: 7f; 10012: 40 0c",
     B, "b0: 1fc00 5fc00", "", ""},
    // 16 * 16 * 2 * 2: 64; Z and W of 0 would be 16.
    {"BFP2, Z and W", ON_BOTH, 0, "fmt=15 zdim=2 wdim=2", "x1=1", "10000: 7f; 10040: 0d", A,
     "a0: 1fc00 5fc00", "", ""},
};

static const struct unpack_vector no_section[] = {
    // Exponents and datums begin at the same byte: 7f is the exponent, and the datums f and 7.
    {"BFP4", ON_BOTH, 0, "fmt=7 TD.NoBFPExpSection=1", "x1=3", "10000: 7f 01", A,
     "a0: 5ff00 1ff00 1f400 0", "", ""},
    // 81 is the exponent, and the datums 1 0 0 2; 0d: 1 3 0 0.
    {"BFP2", ON_BOTH, 1, "fmt=15 TD.NoBFPExpSection=1", "x1=7", "10000: 81 0d", B,
     "b0: 20400 0 0 7fc00 20400 60400 0 0", "", ""},
    // BFP8 has its section all the same.
    {"BFP8", ON_BOTH, 0, "fmt=6 TD.NoBFPExpSection=1", "x1=1", "10000: 7f; 10010: 40 c0", A,
     "a0: 1fc00 5fc00", "", ""},
    {"BFP8a", ON_BOTH, 1, "fmt=2 TD.NoBFPExpSection=1", "x1=0", "10000: 0f; 10010: 40", B,
     "b0: 3c00", "", ""},
    // 0f: exponent 15; datums f, 0; then 4.
    {"BFP4a", ON_BOTH, 0, "fmt=3 TD.NoBFPExpSection=1", "x1=2", "10000: 0f 04", A,
     "a0: 43f00 0 3c00", "", ""},
};

// One byte and two, to Src.
static const struct unpack_vector narrow[] = {
    {"UINT8 to SrcA", ON_BOTH, 0, "fmt=14 ALU_FORMAT_SPEC_REG0_SrcAUnsigned=1", "x1=3",
     "10000: 85 ff 80 00", A, "a0: 4085 40ff 4080 0", "", ""},
    {"UINT8 to SrcB", ON_BOTH, 1, "fmt=14 ALU_FORMAT_SPEC_REG0_SrcBUnsigned=1", "x1=1",
     "10000: 85 7f", B, "b0: 4085 407f", "", ""},
    {"INT8 to SrcB, SrcA unsigned", ON_BOTH, 1, "fmt=14 ALU_FORMAT_SPEC_REG0_SrcAUnsigned=1",
     "x1=3", "10000: 85 80 7f 00", B, "b0: 44005 40000 407f 0", "", ""},
    // Bit 15 is the sign, bits 7:0 the exponent, bits 14:8 the mantissa's upper seven.
    {"INT16 to SrcA", ON_BOTH, 0, "fmt=9", "x1=2", "10000: 1234 8001 7fff", A,
     "a0: 0d090 40400 3fff8", "", ""},
    {"BF16 to SrcB", ON_BOTH, 1, "fmt=5", "x1=2", "10000: 3f80 8001 ffff", B,
     "b0: 1fc00 40008 7fff8", "", ""},
    {"FP16 to SrcA", ON_BOTH, 0, "fmt=1", "x1=2", "10000: bc01 8000 7fff", A,
     "a0: 43c01 40000 7fff", "", ""},
};

static const struct unpack_vector lf8[] = {
    // Four bits of exponent, + 8 unless 0; three of mantissa << 7; 7f and ff have all ones.
    {"e4m3 to SrcA", ON_BH, 0, "fmt=10 REG1_Unp_LF8_4b_exp=1", "x1=7",
     "10000: 7f 78 38 08 07 ff 39 7e", A, "a0: 5fff 5c00 3c00 2400 0380 45fff 3c80 5f00", "", ""},
    {"e4m3 to SrcB", ON_BH, 1, "fmt=10 REG1_Unp_LF8_4b_exp=1", "x1=2", "10000: b8 80 f7", B,
     "b0: 43c00 40000 45b80", "", ""},
    // 5fff: 0x3ff << 5 | 0x17. 0380: 0x380 << 5.
    {"e4m3 to Dst", ON_BH, 0, "fmt=10 REG1_Unp_LF8_4b_exp=1" TO_DST, "x1=3", "10000: 7f 38 07 ff",
     A, "d0: 7ff7 000f 7000 fff7", "", ""},
    // The other section's bit is the other unpacker's.
    {"e5m2 beside e4m3", ON_BH, 0, "fmt=10 THCON_SEC1_REG1_Unp_LF8_4b_exp=1", "x1=3",
     "10000: 38 7f ff 7e", A, "a0: 3800 7fff 47fff 7e00", "", ""},
    {"e5m2", ON_WH, 1, "fmt=10", "x1=3", "10000: 38 7f ff 07", B, "b0: 3800 7f00 47f00 0700", "",
     ""},
};

// No page converts these. Decisions say nothing of what follows; Tessera takes the input format for
// both (errata 29).
static const struct unpack_vector pairs[] = {
    {"BF16 to TF32", ON_BOTH, 0, "in=5 out=4", "x1=0", "10000: 3f80", A, "?", "",
     "unpack-format-pair"},
    {"BF16 to TF32, SrcB", ON_BOTH, 1, "in=5 out=4", "x1=0", "10000: 3f80", B, "?", "",
     "unpack-format-pair"},
    {"BFP4 to BF16", ON_BOTH, 0, "in=7 out=5", "x1=0", "10000: 7f; 10010: 04", A, "?", "",
     "unpack-format-pair"},
    {"BFP8 to BF16", ON_BOTH, 1, "in=6 out=5", "x1=0", "10000: 7f; 10010: 40", B, "?", "",
     "unpack-format-pair"},
    {"FP16 to BF16", ON_BOTH, 0, "in=1 out=5", "x1=0", "10000: 3c00", A, "?", "",
     "unpack-format-pair"},
    {"FP8 to FP16", ON_BOTH, 1, "in=10 out=1", "x1=0", "10000: 3c", B, "?", "",
     "unpack-format-pair"},
    {"INT16 to BF16", ON_BOTH, 0, "in=9 out=5", "x1=0", "10000: 1234", A, "?", "",
     "unpack-format-pair"},
    {"FP32 to INT32", ON_BOTH, 0, "in=0 out=8" TO_DST, "x1=0", "10000: 3f800000", A, "?", "",
     "unpack-format-pair"},
    // Shipped kernels rely on these: the datums are those of the narrow format, and not tainted.
    {"BFP4a as BFP8a", ON_BOTH, 0, "in=3 out=2", "", "10000: 0f*16; 10010: 47 01 f8 2c 00*4", A,
     "a0: 3f00 3c00 3400 0 47c00 43f00 43c00 3800 0*8", "", "unpack-format-pair"},
    {"BFP4a as BFP8a to Dst", ON_BOTH, 0, "in=3 out=2" TO_DST, "x1=7",
     "10000: 0f; 10010: 47 01 f8 2c", A, "d0: 600f 000f 000d 0 801f e00f 800f 000e", "",
     "unpack-format-pair"},
    {"BFP4 as BFP8", ON_BOTH, 1, "in=7 out=6 xdim=5 ydim=3", "x1=1 y0=1", "10000: 7f; 10012: 40 0c",
     B, "b0: 1fc00 5fc00", "", "unpack-format-pair"},
    {"BFP2 as BFP8", ON_BOTH, 0, "in=15 out=6 zdim=2 wdim=2", "x1=1", "10000: 7f; 10040: 0d", A,
     "a0: 1fc00 5fc00", "", "unpack-format-pair"},
};

VECTORS(blocks_a)
VECTORS(wide)
VECTORS(to_dst)
VECTORS(forced)
VECTORS(section)
VECTORS(no_section)
VECTORS(narrow)
VECTORS(lf8)
VECTORS(pairs)

int main(void)
{
    const struct CMUnitTest tests[] = {
        VECTORS_TEST(blocks_a), VECTORS_TEST(wide),    VECTORS_TEST(to_dst),
        VECTORS_TEST(forced),   VECTORS_TEST(section), VECTORS_TEST(no_section),
        VECTORS_TEST(narrow),   VECTORS_TEST(lf8),     VECTORS_TEST(pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
