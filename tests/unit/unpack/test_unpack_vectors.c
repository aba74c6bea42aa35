// SPDX-License-Identifier: Apache-2.0
// UNPACR's flags, addresses in L1 and places in Src, worked by hand from the ISA page by a reader
// who had not seen the code. FP16 datums 1, 2, 3… (denormals, which unpackers keep) show where
// each came from; an INT8 n is 0x4000 | n in Src. A tile is 16 datums wide and begins at 0x10000.
// Page: UNPACR_Regular.md.

#include "rig/unpack_vectors_rig.h"

#define TO_DST " REG2_Unpack_if_sel_cntx0=1 SRCA_SET_SetOvrdWithAddr=0"

static const struct unpack_vector flags[] = {
    // The page's encoding has bit 0 constantly 0; with 1 nothing else is said to happen.
    {"Last=0", ON_BOTH, 0, "", "", "10000: 0001+16", A " Last=0", "a0: 1+16", "", ""},
    {"Last=1", ON_BOTH, 0, "", "", "10000: 0001+16", A " Last=1", "a0: 1+16", "", ""},
    {"Last=0, SrcB", ON_BOTH, 1, "", "x0=4 x1=6", "10008: 0005+3", B " Last=0", "b0: 5+3", "", ""},
    // AllDatumsAreZero: zeroes are written where the datums would have been.
    {"zeroes to SrcA", ON_BOTH, 0, "", "", "10000: 0001+16", A " ZeroWrite2=1", "a0: 0*16", "", ""},
    {"zeroes to SrcB", ON_BOTH, 1, "UNP_ADDR_BASE_REG_1_Base=64", "x1=7", "", B " ZeroWrite2=1",
     "b2: 0*8", "", ""},
    {"zeroes to Dst", ON_BOTH, 0, "fmt=9" TO_DST, "x1=17", "10000: 0001+18", A " ZeroWrite2=1",
     "d0: 0*18", "", ""},
    {"zeroes and increments", ON_BOTH, 1, "", "x1=0 y0=3", "", B " ZeroWrite2=1 AddrMode=4",
     "b0: 0", "y0=4", ""},
    // Bit 1 is another form of the instruction, which only forgets cached row starts.
    {"flush the cache", ON_BOTH, 0, "", "", "", "UNPACR SearchCacheFlush=1", "", "", ""},
    {"flush all caches", ON_BOTH, 0, "", "", "", A " SearchCacheFlush=1", "", "", ""},
    {"flush unpacker 1's", ON_BOTH, 1, "", "ctx=1", "",
     "UNPACR Unpack_block_selection=1 SearchCacheFlush=1", "", "", ""},
    // 16 datums after the tile's header of (1 + 3) * 16 bytes; base + 1 is the tile's begin.
    {"digest", ON_BOTH, 0, "TD.DigestSize=3", "", "10030: 0001+16", A, "a0: 1+16", "", ""},
    {"digest, SrcB, offset", ON_BOTH, 1, "TD.DigestSize=255 REG7_Offset_address=0x11", "x1=1",
     "11100: 0001+2", B, "b0: 1+2", "", ""},
};

// AddrMode: Ch0ZInc, Ch0YInc << 2, Ch1ZInc << 4, Ch1YInc << 6.
static const struct unpack_vector places[] = {
    // Y 1 of the input is 16 datums further, Y 1 of the output 32 bytes: 16 datums, a row.
    {"rows by Y", ON_BOTH, 1, "UNP_ADDR_CTRL_XY_REG_1_Ystride=32", "", "10000: 0001+32",
     B " AddrMode=68; " B " AddrMode=68", "b0: 1+32", "y0=2 y1=2", ""},
    {"rows by Y, 2 at a time", ON_BOTH, 1, "ydim=1 zdim=2 UNP_ADDR_CTRL_XY_REG_1_Ystride=32", "",
     "10000: 0001+32", B " AddrMode=129; " B " AddrMode=129", "b0: 1+16; b2: 11+16", "z0=2 y1=4",
     ""},
    {"rows by Y, stride 2", ON_BOTH, 1, "UNP_ADDR_CTRL_XY_REG_1_Ystride=64", "", "10000: 0001+16",
     B " AddrMode=64; " B, "b0: 1+16; b2: 1+16", "y1=1", ""},
    // Z and W have strides of their own: 1 * 32 + 2 * 64 bytes are 80 datums, row 5.
    {"rows by Z and W", ON_BOTH, 1,
     "UNP_ADDR_CTRL_ZW_REG_1_Zstride=32 UNP_ADDR_CTRL_ZW_REG_1_Wstride=64", "x1=1 z1=1 w1=2",
     "10000: 0001+2", B, "b5: 1+2", "", ""},
    // Strides count bytes of the output format: 16 is a row of one-byte datums, 64 one of TF32.
    {"rows of INT8", ON_BOTH, 1, "fmt=14 UNP_ADDR_CTRL_XY_REG_1_Ystride=16", "x1=0 y1=3",
     "10000: 01", B, "b3: 4001", "", ""},
    {"rows of TF32", ON_BOTH, 1, "in=0 out=4 UNP_ADDR_CTRL_XY_REG_1_Ystride=64", "x1=0 y1=3",
     "10000: 3f800000", B, "b3: 1fc00", "", ""},
    // The context's place alone counts for SrcA, unless add_dest_addr_cntr is set.
    {"SrcA without counters", ON_BOTH, 0, "UNP_ADDR_CTRL_XY_REG_1_Ystride=32", "x1=0 y1=1",
     "10000: 0001", A, "a0: 1", "", ""},
    {"SrcA with counters", ON_BOTH, 0,
     "UNP_ADDR_CTRL_XY_REG_1_Ystride=32 UNP_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr=1", "x1=0 y1=1",
     "10000: 0001", A, "a1: 1", "", ""},
    {"SrcA with base and counters", ON_BOTH, 0,
     "UNP_ADDR_BASE_REG_1_Base=64 UNP_ADDR_CTRL_ZW_REG_1_Zstride=32 "
     "UNP_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr=1",
     "x1=0 z1=3", "10000: 0001", A, "a5: 1", "", ""},
    // ((w * zdim + z) * ydim + y) * xdim + x: ((1 * 2 + 1) * 4 + 2) * 16 + 5 = 229 datums, 458
    // bytes.
    {"X Y Z W of the input", ON_BOTH, 0, "ydim=4 zdim=2 wdim=2", "x0=5 x1=6 y0=2 z0=1 w0=1",
     "101ca: 0031 0032", A, "a0: 31 32", "", ""},
    // A Z dimension of 0 counts as 1: (w * 1) * 4 * 16 = 64 datums.
    {"no Z dimension", ON_BOTH, 1, "ydim=4 zdim=0 wdim=0", "x1=0 w0=1", "10080: 0041", B, "b0: 41",
     "", ""},
    // The input sees eight bits of Y: 257 & 255 = 1.
    {"Y of nine bits", ON_BOTH, 0, "", "x1=1 y0=257", "10020: 0011 0012", A, "a0: 11 12", "", ""},
    {"Z of nine bits", ON_BH, 0, "ydim=1 zdim=4", "x1=0 z0=258", "10040: 0021", A, "a0: 21", "",
     ""},
    // 8191 & 255 = 255: 255 * 32 bytes; the counter wraps at 13 bits.
    {"Y wraps", ON_BOTH, 1, "", "x1=0 y0=8191", "11fe0: 0061", B " AddrMode=12", "b0: 61", "y0=2",
     ""},
    // Base 6 bytes is datum 3; the page does not support it and says what happens.
    {"SrcB from column 3", ON_BOTH, 1, "UNP_ADDR_BASE_REG_1_Base=6", "", "10000: 0001+16", B,
     "b0.3: 1+16", "", LEGACY},
    // The first four rows are in front of SrcA: 64 - 16 datums is row 3, which is left out.
    {"SrcA from row -1", ON_WH, 0, "REG5_Dest_cntx0_address=48", "x1=31", "10000: 0001+32", A,
     "a0: 11+16", "", LEGACY},
    {"SrcA from row -1, column 8", ON_BOTH, 0, "REG5_Dest_cntx0_address=56", "", "10000: 0001+16",
     A, "a0: 9+8", "", LEGACY},
    // An end one before the start is no datum, and nothing is wrong with it.
    {"no datum", ON_BOTH, 0, "", "x0=4 x1=3", "", A " AddrMode=4", "", "y0=1", ""},
    {"Z wraps", ON_WH, 0, "ydim=1", "x1=0 z0=255", "11fe0: 0061", A " AddrMode=1", "a0: 61", "z0=0",
     ""},
    {"Z goes on", ON_BH, 0, "ydim=1", "x1=0 z0=255 z1=255", "11fe0: 0061", A " AddrMode=17",
     "a0: 61", "z0=256 z1=256", ""},
    // Nothing is written while the matrix unit owns the bank, not even to Dst.
    {"SrcA taken", ON_BOTH, 0, "", "owner0=1", "10000: 0001+16", "~" A, "", "", ""},
    {"SrcB taken", ON_BOTH, 1, "", "bank=1 owner1=1", "10000: 0001+16", "~" B, "", "", ""},
    {"Dst after SrcA", ON_BOTH, 0, "fmt=9" TO_DST, "owner0=1", "10000: 0001+16", "~" A, "", "", ""},
    {"an odd byte of FP16", ON_BOTH, 1, "UNP_ADDR_BASE_REG_1_Base=1", "x1=0", "10000: 0001", B, "?",
     "", "unpack-alignment"},
    {"X backwards", ON_BOTH, 0, "", "x0=4 x1=2", "", A, "?", "", "unpack-x-range"},
    {"X beyond 8192 bytes", ON_BOTH, 1, "xdim=8192", "x0=4096 x1=4096", "12000: 0009", B, "?", "",
     "unpack-x-range"},
};

// A limit of 0x1003 is the byte 0x10030. An address above it (not one equal to it) loses the size,
// once; looked at for the first datum and exponent, for datums at the end of each row of L1, for
// exponents at the end of each line.
static const struct unpack_vector fifo[] = {
    // Y 4 is 0x10080 > 0x10070: 0x10080 - 0x100.
    {"first datum", ON_BOTH, 0, "REG2_Unpack_limit_address=0x1007 REG2_Unpack_fifo_size=0x10",
     "y0=4", "0ff80: 0001+16", A, "a0: 1+16", "", ""},
    {"first datum at the limit", ON_BOTH, 0,
     "REG2_Unpack_limit_address=0x1008 REG2_Unpack_fifo_size=0x10", "y0=4", "10080: 0001+16", A,
     "a0: 1+16", "", ""},
    {"first datum, SrcB", ON_BOTH, 1, "REG2_Unpack_limit_address=0x1000 REG2_Unpack_fifo_size=1",
     "x0=8", "10000: 0001+8", B, "b0: 1+8", "", ""},
    // Rows of 16 bytes: 10000, 10010, then 10020 - 0x30.
    {"third row of INT8", ON_BOTH, 0,
     "fmt=14 REG2_Unpack_limit_address=0x1001 REG2_Unpack_fifo_size=3", "x1=47",
     "10000: 01+32; 0fff0: 21+16", A, "a0: 4001+48", "", ""},
    // WH looks after 16 datums: 10000, then 10020 - 0x20 again and again.
    {"rows of FP16", ON_WH, 0, "REG2_Unpack_limit_address=0x1001 REG2_Unpack_fifo_size=2", "x1=47",
     "10000: 0001+16", A, "a0: 1+16 1+16 1+16", "", ""},
    // BH looks after 32: 10000 to 1003f, then 10040 - 0x20.
    {"rows of FP16", ON_BH, 0, "REG2_Unpack_limit_address=0x1001 REG2_Unpack_fifo_size=2", "x1=47",
     "10000: 0001+32", A, "a0: 1+32 11+16", "", ""},
    // A row that passes the limit in its middle reads on: 16 datums from 0x10028.
    {"inside a row", ON_BOTH, 1, "REG2_Unpack_limit_address=0x1003 REG2_Unpack_fifo_size=2",
     "x0=4 y0=1 x1=15", "10028: 0001+12", B, "b0: 1+12", "", ""},
    // Sixteen of BFP4 are 8 bytes: 10010 is the limit, 10018 - 0x20.
    {"rows of BFP4", ON_BOTH, 0, "fmt=7 REG2_Unpack_limit_address=0x1001 REG2_Unpack_fifo_size=2",
     "x1=31", "10000: 7f 80; 10010: 44*8; 0fff8: 44*8", A, "a0: 1fc00*16 20000*16", "", ""},
    // 512 datums: exponents from 12010, the limit, for two lines; datums from 12030 - 0x200. The
    // 17th exponent is past the line: 12020 - 0x200.
    {"exponents", ON_BOTH, 0,
     "fmt=6 ydim=32 REG3_Base_address=0x1200 REG2_Unpack_limit_address=0x1201 "
     "REG2_Unpack_fifo_size=0x20",
     "x1=271", "12010: 7f*16; 11e20: 80; 11e30: 40*272", A, "a0: 1fc00*256 20000*16", "", ""},
    // Y 17 begins with the 18th exponent: 12021 - 0x200; datums 12030 + 272 - 0x200.
    {"first exponent", ON_BOTH, 0,
     "fmt=6 ydim=32 REG3_Base_address=0x1200 REG2_Unpack_limit_address=0x1201 "
     "REG2_Unpack_fifo_size=0x20",
     "y0=17", "11e21: 82; 11f40: 60*16", A, "a0: 20a00*16", "", ""},
    // Exponents from 10000 on stay below the limit, datums at 10010 do not: 10010 - 0x40.
    {"datums without exponents", ON_BOTH, 1,
     "fmt=6 REG2_Unpack_limit_address=0x1000 REG2_Unpack_fifo_size=4", "x1=1",
     "10000: 7f; 0ffd0: 40 c0", B, "b0: 1fc00 5fc00", "", ""},
};

// Stride: Shift_amount 0 << 4 | 1 << 8 | 2 << 12 bytes from one row of L1 to the next. A row is 16
// datums, on BH 32 if they have two or four bytes.
static const struct unpack_vector tileize[] = {
    {"FP16, 0x40", ON_WH, 0, "REG2_Tileize_mode=1 REG2_Shift_amount_cntx0=4", "x1=31",
     "10000: 0001+16; 10040: 0011+16", A, "a0: 1+32", "", ""},
    {"FP16, 0x120", ON_WH, 0,
     "REG2_Tileize_mode=1 REG2_Shift_amount_cntx0=2 REG2_Shift_amount_cntx1=1", "x1=47",
     "10000: 0001+16; 10120: 0011+16; 10240: 0021+16", A, "a0: 1+48", "", ""},
    {"FP16, 0x80", ON_BH, 0, "REG2_Tileize_mode=1 REG2_Shift_amount_cntx0=8", "x1=63",
     "10000: 0001+32; 10080: 0021+32", A, "a0: 1+64", "", ""},
    {"FP16, 0x1000", ON_BH, 0, "REG2_Tileize_mode=1 REG2_Shift_amount_cntx2=1", "x1=47",
     "10000: 0001+32; 11000: 0021+16", A, "a0: 1+48", "", ""},
    {"INT8, 0x30", ON_BOTH, 0, "fmt=14 REG2_Tileize_mode=1 REG2_Shift_amount_cntx0=3", "x1=31",
     "10000: 01+16; 10030: 11+16", A, "a0: 4001+32", "", ""},
    {"FP32, 0x80", ON_WH, 0, "in=0 out=4 REG2_Tileize_mode=1 REG2_Shift_amount_cntx0=8", "x1=31",
     "10000: 3f800000*16; 10080: 40000000*16", A, "a0: 1fc00*16 20000*16", "", ""},
    {"FP32, 0x100", ON_BH, 0, "in=0 out=4 REG2_Tileize_mode=1 REG2_Shift_amount_cntx1=1", "x1=47",
     "10000: 3f800000*32; 10100: 40000000*16", A, "a0: 1fc00*32 20000*16", "", ""},
    // Exponents do not follow the stride: the second row has the second one.
    {"BFP8, 0x20", ON_BOTH, 0, "fmt=6 REG2_Tileize_mode=1 REG2_Shift_amount_cntx0=2", "x1=31",
     "10000: 7f 80; 10010: 40*16; 10030: 40*16", A, "a0: 1fc00*16 20000*16", "", ""},
    {"BFP4", ON_BOTH, 0, "fmt=7 REG2_Tileize_mode=1 REG2_Shift_amount_cntx0=2", "x1=3",
     "10000: 7f; 10010: 44 44", A, "?", "", "unpack-throttle"},
    // X 8 is the byte 0x10010, and the next row as far from it.
    {"FP16 from X 8", ON_WH, 0, "xdim=64 REG2_Tileize_mode=1 REG2_Shift_amount_cntx0=4",
     "x0=8 x1=39", "10010: 0001+16; 10050: 0011+16", A, "a0: 1+32", "", ""},
    {"FP16 from X 8", ON_BH, 0, "xdim=64 REG2_Tileize_mode=1 REG2_Shift_amount_cntx0=8",
     "x0=8 x1=55", "10010: 0001+32; 10090: 0021+16", A, "a0: 1+48", "", ""},
    {"INT8 to SrcB, 0x20", ON_BOTH, 1, "fmt=14 REG2_Tileize_mode=1 REG2_Shift_amount_cntx0=2",
     "x1=31", "10000: 01+16; 10020: 11+16", B, "b0: 4001+32", "", ""},
    {"INT16 to Dst, 0", ON_WH, 0, "fmt=9 REG2_Tileize_mode=1" TO_DST, "x1=31", "10000: 0001+16", A,
     "d0: 1+16 1+16", "", ""},
    {"INT16 to Dst, 0", ON_BH, 0, "fmt=9 REG2_Tileize_mode=1" TO_DST, "x1=63", "10000: 0001+32", A,
     "d0: 1+32 1+32", "", ""},
    // 10000, then 10100 > 10080: 10100 - 0x80.
    {"FIFO", ON_BOTH, 0,
     "fmt=14 REG2_Tileize_mode=1 REG2_Shift_amount_cntx1=1 REG2_Unpack_limit_address=0x1008 "
     "REG2_Unpack_fifo_size=8",
     "x1=31", "10000: 01+16; 10080: 11+16", A, "a0: 4001+32", "", ""},
    // The first datum must lie on a line's begin. The model goes on as if it did.
    {"not aligned", ON_BOTH, 0, "REG2_Tileize_mode=1 REG2_Shift_amount_cntx0=4", "x0=1 x1=15",
     "10002: 0002+15", A, "a0: 2+15!", "", "unpack-alignment"},
};

// Column and the low four bits of the row change places.
static const struct unpack_vector transpose[] = {
    {"one row", ON_BOTH, 0, "REG2_Haloize_mode=1", "x1=4", "10000: 0001+5", A,
     "a0: 1; a1: 2; a2: 3; a3: 4; a4: 5", "", ""},
    {"two rows", ON_BOTH, 0, "REG2_Haloize_mode=1", "x1=31", "10000: 0001+32", A,
     "a0: 1 11; a1: 2 12; a2: 3 13; a3: 4 14; a4: 5 15; a5: 6 16; a6: 7 17; a7: 8 18; a8: 9 19; "
     "a9: a 1a; a10: b 1b; a11: c 1c; a12: d 1d; a13: e 1e; a14: f 1f; a15: 10 20",
     "", ""},
    // Row 20 is column 4 of rows 16 to 31.
    {"row 20", ON_BOTH, 0, "REG2_Haloize_mode=1 REG5_Dest_cntx0_address=384", "x1=3",
     "10000: 0001+4", A, "a16.4: 1; a17.4: 2; a18.4: 3; a19.4: 4", "", ""},
    {"row 63", ON_BOTH, 0, "fmt=5 REG2_Haloize_mode=1 REG5_Dest_cntx0_address=1072", "x1=1",
     "10000: 3f80 4000", A, "a48.15: 1fc00; a49.15: 20000", "", ""},
    // From column 3 on, which the page does not support: rows 3 and 4.
    {"column 3", ON_BOTH, 0, "REG2_Haloize_mode=1 REG5_Dest_cntx0_address=67", "x1=1",
     "10000: 0001 0002", A, "a3: 1; a4: 2", "", LEGACY},
    {"ignored by SrcB", ON_BOTH, 1, "REG2_Haloize_mode=1", "", "10000: 0001+16", B, "b0: 1+16", "",
     LEGACY},
    {"with tileize", ON_BOTH, 0,
     "fmt=14 REG2_Haloize_mode=1 REG2_Tileize_mode=1 REG2_Shift_amount_cntx0=2", "x1=17",
     "10000: 01+16; 10020: 11+2", A,
     "a0: 4001 4011; a1: 4002 4012; a2: 4003; a3: 4004; a4: 4005; a5: 4006; a6: 4007; a7: 4008; "
     "a8: 4009; a9: 400a; a10: 400b; a11: 400c; a12: 400d; a13: 400e; a14: 400f; a15: 4010",
     "", ""},
    {"not aligned", ON_BOTH, 0, "REG2_Haloize_mode=1", "x0=1 x1=2", "10002: 0002 0003", A,
     "a0: 2!; a1: 3!", "", "unpack-alignment"},
    {"to Dst", ON_BOTH, 0, "fmt=9 REG2_Haloize_mode=1" TO_DST, "x1=1", "10000: 0001 0002", A, "?",
     "", "unpack-mode-clash"},
};

// SrcRow counts for SrcA where SetOvrdWithAddr is 0, which the page does not support, and always
// for SrcB. A hand-over sets it to SET_Base << 4; without one, Set_Upd adds 16 + (SET_Base << 4).
static const struct unpack_vector rows[] = {
    {"SrcA, SrcRow counts", ON_BOTH, 0, "SRCA_SET_SetOvrdWithAddr=0", "row=16", "10000: 0001+16", A,
     "a16: 1+16", "", LEGACY},
    {"SrcA, row 3 of SrcRow 48", ON_BOTH, 0,
     "SRCA_SET_SetOvrdWithAddr=0 REG5_Dest_cntx0_address=112", "x1=0 row=48", "10000: 0007", A,
     "a51: 7", "", LEGACY},
    {"SrcA, SrcRow does not count", ON_BOTH, 0, "", "row=16", "10000: 0001+16", A, "a0: 1+16", "",
     ""},
    {"SrcA, transposed at SrcRow 32", ON_BOTH, 0, "SRCA_SET_SetOvrdWithAddr=0 REG2_Haloize_mode=1",
     "x1=1 row=32", "10000: 0001+2", A, "a32: 1; a33: 2", "", LEGACY},
    {"SrcA, row 16 without it", ON_BOTH, 0,
     "SRCA_SET_SetOvrdWithAddr=0 REG5_Dest_cntx0_address=320", "x1=0", "10000: 0001", A, "?", "",
     "srca-row " LEGACY},
    {"SrcA, row 64", ON_BH, 0, "REG5_Dest_cntx0_address=1088", "x1=0", "10000: 0001", A, "a0: 1",
     "", ""},
    {"SrcA, row 63", ON_BH, 0, "fmt=14 REG5_Dest_cntx0_address=1072", "x1=15 x0=8", "10008: 01+8",
     A, "a63: 4001+8", "", ""},
    {"SrcA, row 64", ON_WH, 0, "REG5_Dest_cntx0_address=1088", "x1=0", "10000: 0001", A, "?", "",
     "srca-row"},
    {"SrcB, SrcRow", ON_BOTH, 1, "UNP_ADDR_BASE_REG_1_Base=32", "x1=0 row=16", "10000: 0001", B,
     "b17: 1", "", ""},
    // Decision 3: row 20 + 48 = 68 wraps to 4; rows 63 and 64. Nothing is tainted (errata 597).
    {"SrcB, row 68", ON_BOTH, 1, "UNP_ADDR_BASE_REG_1_Base=640", "x1=0 row=48", "10000: 0001", B,
     "b4: 1", "", "srcb-row"},
    {"SrcB, row 64", ON_BOTH, 1, "UNP_ADDR_BASE_REG_1_Base=2016", "x1=17", "10000: 0001+18", B,
     "b63: 1+16; b0: 11 12", "", "srcb-row"},
    {"Set_Upd, SrcB", ON_BOTH, 1, "REG2_Unpack_Src_Reg_Set_Upd=1", "", "10000: 0001+16", B "; " B,
     "b0: 1+16; b16: 1+16", "row=32", ""},
    {"Set_Upd with a base", ON_BOTH, 1, "REG2_Unpack_Src_Reg_Set_Upd=1 SRCB_SET_Base=1", "x1=0",
     "10000: 0001", B, "b0: 1", "row=32", ""},
    {"Set_Upd with a base, on top", ON_BOTH, 1, "REG2_Unpack_Src_Reg_Set_Upd=1 SRCB_SET_Base=1",
     "x1=0 row=16", "10000: 0001", B, "b16: 1", "row=48", ""},
    {"Set_Upd, SrcA", ON_BOTH, 0, "REG2_Unpack_Src_Reg_Set_Upd=1 SRCA_SET_SetOvrdWithAddr=0",
     "x1=0", "10000: 0001", A "; " A "; " A, "a0: 1; a16: 1; a32: 1", "row=48", LEGACY},
    {"Set_Upd of thread 1", ON_BOTH, 1, "REG2_Unpack_Src_Reg_Set_Upd=1 1:SRCB_SET_Base=2", "x1=0",
     "10000: 0001", "1:" B, "b0: 1", "1:row=48", ""},
    {"hand-over, SrcA", ON_BOTH, 0, "SRCA_SET_Base=1", "x1=0", "10000: 0001", A " SetDatValid=1",
     "a0: 1", "row=16 bank=1 owner0=1", ""},
    {"hand-over of no datum", ON_BOTH, 0, "", "x0=4 x1=3", "", A " SetDatValid=1", "",
     "bank=1 owner0=1", "src-bank-never-filled"},
    {"hand-over, then SrcRow", ON_BOTH, 0, "SRCA_SET_Base=1 SRCA_SET_SetOvrdWithAddr=0", "x1=0",
     "10000: 0001", A " SetDatValid=1; " A, "a0: 1; A16: 1", "row=16 bank=1 owner0=1", LEGACY},
    {"hand-over, SrcB", ON_BOTH, 1, "SRCB_SET_Base=3", "x1=0 row=5 bank=1", "10000: 0001",
     B " SetDatValid=1", "B5: 1", "row=48 bank=0 owner1=1", ""},
    {"hand-over before Set_Upd", ON_BOTH, 1, "SRCB_SET_Base=1 REG2_Unpack_Src_Reg_Set_Upd=1",
     "x1=0 row=2", "10000: 0001", B " SetDatValid=1", "b2: 1", "row=16 bank=1 owner0=1", ""},
    {"hand-over, implied format", ON_BH, 0, "in=0 out=4", "x1=0", "10000: 3f800000",
     A " SetDatValid=1", "a0: 1fc00", "bank=1 owner0=1 format0=4", ""},
    {"hand-over, implied format, SrcB", ON_BH, 1, "fmt=14", "x1=0 bank=1", "10000: 01",
     B " SetDatValid=1", "B0: 4001", "bank=0 owner1=1 format1=14", ""},
};

// Speeds and the bursts that they make. Datums arrive all the same. Row 4 is 64 + 4 * 16.
static const struct unpack_vector speeds[] = {
    // One-byte datums run at x8 by default: 128 bytes are 8 rows, and row 4 is inside of them.
    {"x8, row 4", ON_BH, 0, "fmt=14 REG5_Dest_cntx0_address=128", "x1=31", "10000: 01+32", A,
     "a4: 4001+32!", "", "srca-burst"},
    {"x8, row 8", ON_BH, 0, "fmt=14 REG5_Dest_cntx0_address=192", "x1=31", "10000: 01+32", A,
     "a8: 4001+32", "", ""},
    {"x8, row 4, one row", ON_BH, 0, "fmt=14 REG5_Dest_cntx0_address=128", "", "10000: 01+16", A,
     "a4: 4001+16", "", ""},
    {"x8 asked for, BFP8", ON_BH, 0,
     "fmt=6 REG5_Dest_cntx0_address=128 REG1_ovrd_default_throttle_mode=1 REG2_Throttle_mode=3",
     "x1=31", "10000: 7f*2; 10010: 40*32", A, "a4: 1fc00*32!", "", "srca-burst"},
    // x4 is 64 bytes, 4 rows.
    {"x4 asked for, row 4", ON_BH, 0,
     "fmt=14 REG5_Dest_cntx0_address=128 REG1_ovrd_default_throttle_mode=1 REG2_Throttle_mode=2",
     "x1=31", "10000: 01+32", A, "a4: 4001+32", "", ""},
    {"x1 asked for, row 3", ON_BH, 0,
     "fmt=14 REG5_Dest_cntx0_address=112 REG1_ovrd_default_throttle_mode=1 REG2_Throttle_mode=0",
     "x1=31", "10000: 01+32", A, "a3: 4001+32", "", ""},
    // FP16 at x4 counts for 128 bytes, 4 rows of 32.
    {"FP16, row 2", ON_BH, 0, "REG5_Dest_cntx0_address=96", "x1=31", "10000: 0001+32", A,
     "a2: 1+32!", "", "srca-burst"},
    {"FP16, x4, row 1", ON_WH, 0, "REG5_Dest_cntx0_address=80 REG2_Throttle_mode=2", "x1=31",
     "10000: 0001+32", A, "a1: 1+32!", "", "srca-burst"},
    {"FP16, x2, row 1", ON_WH, 0, "REG5_Dest_cntx0_address=80 REG2_Throttle_mode=1", "x1=31",
     "10000: 0001+32", A, "a1: 1+32", "", ""},
    {"x8 on WH", ON_WH, 1, "fmt=14 REG2_Throttle_mode=3", "x1=3", "10000: 01+4", B, "b0: 4001+4!",
     "", "unpack-throttle"},
};

VECTORS(flags)
VECTORS(places)
VECTORS(fifo)
VECTORS(tileize)
VECTORS(transpose)
VECTORS(rows)
VECTORS(speeds)

int main(void)
{
    const struct CMUnitTest tests[] = {
        VECTORS_TEST(flags),     VECTORS_TEST(places), VECTORS_TEST(fifo),   VECTORS_TEST(tileize),
        VECTORS_TEST(transpose), VECTORS_TEST(rows),   VECTORS_TEST(speeds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
