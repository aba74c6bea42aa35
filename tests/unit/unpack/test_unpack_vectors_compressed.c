// SPDX-License-Identifier: Apache-2.0
// Compressed input, row search, upsampling and column shift: modes that the newest page calls
// unsupported, worked by hand from the functional model by a reader who had not seen the code.
// Pages: UNPACR_Regular.md, Packers/Compression.md, Unpackers/README.md.
//
// A compressed tile is its row starts, 16 bits each and one more than there are rows, up to the
// next 16 bytes; exponents, if any; then groups of 32 datums, each with 16 bytes of deltas after
// it: four bits a datum, lowest first, how many zeroes follow it. FP16 datums take 64 bytes of a
// group.

#include "rig/unpack_vectors_rig.h"

#define PACKED "REG2_Disable_zero_compress_cntx0=0 "
#define TO_DST " REG2_Unpack_if_sel_cntx0=1 SRCA_SET_SetOvrdWithAddr=0"

// Four rows: five starts, so datums from 0x10010, deltas from 0x10050. Row 0 is 1 0000 2 00000 3
// 0000, row 1 is 4, fourteen zeroes and 5.
#define ROWS "10000: 0000 0003 0005 0009 000a; 10010: 0001+5; 10050: 54 e4 00"

static const struct unpack_vector by_row[] = {
    {"row 0", ON_BOTH, 0, PACKED "ydim=4", "", ROWS, A, "a0: 1 0*4 2 0*5 3 0*4", "", LEGACY},
    {"row 1", ON_BOTH, 0, PACKED "ydim=4", "y0=1", ROWS, A, "a0: 4 0*14 5", "", LEGACY},
    {"row 1, SrcB", ON_BOTH, 1, PACKED "ydim=4", "y0=1", ROWS, B, "b0: 4 0*14 5", "", LEGACY},
    {"row 0, SrcB, by the descriptor", ON_BOTH, 1, "ydim=4 TD.IsUncompressed=0", "", ROWS,
     "UNPACR Unpack_block_selection=1", "b0: 1 0*4 2 0*5 3 0*4", "", LEGACY},
    // Datums 30 to 33: after 31 the next group begins, at 0x10010 + 80, its deltas at 0x100a0.
    {"over a group's end", ON_BOTH, 0, PACKED "ydim=4", "y0=2",
     "10004: 001e 0022; 1004c: 001f 0020; 1005f: 13; 10060: 0021 0022; 100a0: 02", A,
     "a0: 1f 0*3 20 0 21 0 0 22", "", LEGACY},
    // Row (0 * 2 + 1) * 2 + 1 = 3.
    {"row by Y and Z", ON_BOTH, 0, PACKED "ydim=2 zdim=2", "y0=1 z0=1",
     "10006: 0004 0006; 10018: 0009 000a; 10052: 21", A, "a0: 9 0 a 0 0", "", LEGACY},
    // Eight rows: nine starts are 18 bytes, so datums from 0x10020. Row (1 * 1 + 0) * 4 = 4.
    {"row by W", ON_BOTH, 0, PACKED "ydim=4 wdim=2", "w0=1",
     "10008: 0001 0002; 10022: 0077; 10060: 30", A, "a0: 77 0*3", "", LEGACY},
    {"fifteen zeroes", ON_BOTH, 0, PACKED "ydim=1", "", "10000: 0000 0001; 10010: 0007; 10050: 0f",
     A, "a0: 7 0*15", "", LEGACY},
    // 32 datums of four bytes: deltas from 0x10010 + 128.
    {"FP32", ON_BOTH, 0, PACKED "in=0 out=4 ydim=1", "",
     "10000: 0000 0002; 10010: 3f800000 40000000; 10090: 21", A, "a0: 1fc00 0 20000 0 0", "",
     LEGACY},
    // 33 of one byte: the last at 0x10010 + 48, its delta at 0x10060.
    {"INT8, 33 datums", ON_BOTH, 0, PACKED "fmt=14 ydim=1", "",
     "10000: 0000 0021; 10010: 01+32; 10030: 00*16; 10040: 21; 10060: 05", A, "a0: 4001+33 0*5", "",
     LEGACY},
    // 3 with two zeroes, 4 with one; a base of 32 bytes is row 1.
    {"INT16 to Dst", ON_BOTH, 0, PACKED "fmt=9 ydim=1 UNP_ADDR_BASE_REG_1_Base=32" TO_DST, "",
     "10000: 0000 0002; 10010: 0003 0004; 10050: 12", A, "d1: 3 0 0 4 0", "", LEGACY},
    // Physical rows 0 and 8; a zero is zero in both.
    {"INT32 to Dst", ON_BOTH, 0, PACKED "fmt=8 ydim=1" TO_DST, "",
     "10000: 0000 0002; 10010: 80000005 12345678; 10090: 01", A, "d0: 8000 0 3424; d8: 0005 0 5678",
     "", LEGACY},
    // The starts are after the header of (1 + 1) * 16 bytes; 257 & 255 is row 1.
    {"digest, Y of nine bits", ON_BOTH, 1, PACKED "ydim=4 TD.DigestSize=1", "y0=257",
     "10012: 0003 0005; 10026: 0004 0005; 10061: e0 00", B, "b0: 4 0*14 5", "", LEGACY},
    {"hand-over", ON_BH, 0, PACKED "ydim=4", "y0=1", ROWS, A " SetDatValid=1", "a0: 4 0*14 5",
     "owner0=1 bank=1 format0=1", LEGACY},
    // An empty row moves nothing.
    {"empty row", ON_BOTH, 0, PACKED "ydim=4", "y0=2", "10004: 0005 0005", A, "", "", LEGACY},
};

// Blobs in a plane instead of rows: so many starts for each Z and W, and one more.
static const struct unpack_vector by_blob[] = {
    // Sixteen rows would have 34 bytes of starts, three blobs have 8.
    {"starts of three", ON_BOTH, 0, PACKED "TD.BlobsPerXYPlane=3", "",
     "10000: 0000 0003; 10010: 0001+3; 10050: 54 04", A, "a0: 1 0*4 2 0*5 3 0*4", "", LEGACY},
    // 7 * 2 + 1 = 15 starts are 30 bytes: datums from 0x10020, deltas from 0x10060.
    {"starts of seven, W 2", ON_BOTH, 1, PACKED "TD.BlobsPerXYPlane=7 wdim=2", "y0=2",
     "10004: 0001 0003; 10022: 000b 000c; 10060: 10 04", B, "b0: b 0 c 0*4", "", LEGACY},
    // Row search: from start 1 * 3 + Y 1 = 4 to start 3 + X 2 + 1 = 6: datums 2, 3, 4.
    {"blobs 1 and 2 of Z 1", ON_BOTH, 0, PACKED "TD.BlobsPerXYPlane=3 zdim=2", "x0=2 y0=1 z0=1",
     "10008: 0002 0004 0005; 10014: 0021 0022 0023; 10051: 21 03", A " RowSearch=1",
     "a0: 21 0 22 0 0 23 0*3", "", LEGACY},
    // From start Y 2 to start X 2 + 1: datum 6.
    {"blob 2", ON_BOTH, 1, PACKED "TD.BlobsPerXYPlane=3", "x0=2 y0=2",
     "10004: 0006 0007; 1001c: 0044; 10053: 02", B " RowSearch=1", "b0: 44 0 0", "", LEGACY},
    // Without blobs, from row Y 0 to row X 1; the end of X does not count.
    {"rows 0 and 1", ON_BOTH, 0, PACKED "ydim=4", "x0=1 x1=2", ROWS, A " RowSearch=1",
     "a0: 1 0*4 2 0*5 3 0*4 4 0*14 5", "", LEGACY},
    // X 257 & 255 and one more is start 2.
    {"rows 0 and 1, X of nine bits", ON_BOTH, 1, PACKED "ydim=4", "x0=257", ROWS, B " RowSearch=1",
     "b0: 1 0*4 2 0*5 3 0*4 4 0*14 5", "", LEGACY},
};

// X 0 to XDim - 1 is a whole row; any other X leaves out the first X datums that come out, zeroes
// among them, and writes from there.
static const struct unpack_vector seek[] = {
    {"from 5 to 10", ON_BOTH, 0, PACKED "ydim=4", "x0=5 x1=10", ROWS, A, "a0: 2 0*5", "", LEGACY},
    {"from 2", ON_BOTH, 0, PACKED "ydim=4", "x0=2 x1=15", ROWS, A, "a0: 0*3 2 0*5 3 0*4", "",
     LEGACY},
    {"from 0 to 3", ON_BOTH, 0, PACKED "ydim=4", "x1=3", ROWS, A, "a0: 1 0*3", "", LEGACY},
    // The row's end is not looked for: 8 to 15 of row 0, then 0 to 7 of row 1.
    {"over the row's end", ON_BOTH, 0, PACKED "ydim=4", "x0=8 x1=23", ROWS, A,
     "a0: 0*3 3 0*4 4 0*7", "", LEGACY},
    {"one datum of row 1", ON_BOTH, 1, PACKED "ydim=4", "x0=15 y0=1", ROWS, B, "b0: 5", "", LEGACY},
    {"one datum of row 0", ON_BOTH, 1, PACKED "ydim=4", "x0=11 x1=11", ROWS, B, "b0: 3", "",
     LEGACY},
    // What is left out is counted before upsampling.
    {"from 5 to 6, upsampled", ON_BOTH, 0, PACKED "ydim=4 REG2_Upsample_rate=1", "x0=5 x1=6", ROWS,
     A, "a0: 2 0 0 0", "", LEGACY},
    // An end one before the start leaves no datum to write.
    {"nothing", ON_BOTH, 0, PACKED "ydim=4", "x0=4 x1=3", ROWS, A, "", "", LEGACY},
    {"to Dst", ON_BOTH, 0, PACKED "fmt=9 ydim=4" TO_DST, "x0=4 x1=6", ROWS, A, "d0: 0 2 0", "",
     LEGACY},
};

// Exponents: one for sixteen datums of what is stored, as many as the whole tile could need.
static const struct unpack_vector blocks[] = {
    // Two rows of 16: a line of exponents at 0x10010, datums from 0x10020, deltas 32 bytes further.
    {"BFP8", ON_BOTH, 0, PACKED "fmt=6 ydim=2", "",
     "10000: 0000 0002; 10010: 7f; 10020: 40 c0; 10040: 21", A, "a0: 1fc00 0 5fc00 0 0", "",
     LEGACY},
    // Datum 15 has the first exponent, datum 16 the second.
    {"BFP8, second exponent", ON_BOTH, 1, PACKED "fmt=6 ydim=2", "y0=1",
     "10002: 000f 0011; 10010: 7f 80; 1002f: 40 40; 10047: 10 02", B, "b0: 1fc00 0 20000 0 0", "",
     LEGACY},
    // A group is 16 bytes and 16: 7 (3fe0), 9 (-1 with two shifts: be80), 4 (1.0).
    {"BFP4", ON_BOTH, 0, PACKED "fmt=7 ydim=2", "",
     "10000: 0000 0003; 10010: 7f; 10020: 97 04; 10030: 20 01", A, "a0: 1ff00 5f400 0 0 1fc00 0",
     "", LEGACY},
    // No exponents: datums after the starts.
    {"BFP8, forced exponent", ON_BOTH, 0,
     PACKED "fmt=6 ydim=2 REG2_Force_shared_exp=1 UNP_FORCED_SHARED_EXP_shared_exp=0x81", "",
     "10000: 0000 0002; 10010: 40 20; 10030: 13", A, "a0: 20400 0*3 20000 0", "", LEGACY},
    // 3c00 0 3800, from 1 to 2.
    {"BFP8a, seek", ON_BOTH, 1, PACKED "fmt=2 ydim=2", "x0=1 x1=2",
     "10000: 0000 0002; 10010: 0f; 10020: 40 20; 10040: 01", B, "b0: 0 3800", "", LEGACY},
};

// AllDatumsAreZero: each stored datum is one zero, and no zeroes follow it.
static const struct unpack_vector zeroes[] = {
    {"row 0", ON_BOTH, 0, PACKED "ydim=4", "", ROWS, A " ZeroWrite2=1", "a0: 0*3", "", LEGACY},
    {"row 1", ON_BOTH, 1, PACKED "ydim=4", "y0=1", ROWS, B " ZeroWrite2=1", "b0: 0*2", "", LEGACY},
    {"from 5 to 10", ON_BOTH, 0, PACKED "ydim=4", "x0=5 x1=10", ROWS, A " ZeroWrite2=1", "a0: 0*6",
     "", LEGACY},
    {"BFP8", ON_BOTH, 0, PACKED "fmt=6 ydim=2", "",
     "10000: 0000 0002; 10010: 7f; 10020: 40 c0; 10040: 21", A " ZeroWrite2=1", "a0: 0*2", "",
     LEGACY},
};

// Deltas wrap on their own: at the first, and where a group ends. Row starts do not.
static const struct unpack_vector fifo[] = {
    // 10050 > 10030: 10050 - 0x200.
    {"first delta", ON_BOTH, 0,
     PACKED "ydim=4 REG2_Unpack_limit_address=0x1003 REG2_Unpack_fifo_size=0x20", "",
     "10000: 0000 0003; 10010: 0001+3; 0fe50: 54 04", A, "a0: 1 0*4 2 0*5 3 0*4", "", LEGACY},
    {"datums and deltas", ON_BOTH, 1,
     PACKED "ydim=4 REG2_Unpack_limit_address=0x1000 REG2_Unpack_fifo_size=0x20", "",
     "10000: 0000 0003; 0fe10: 0001+3; 0fe50: 54 04", B, "b0: 1 0*4 2 0*5 3 0*4", "", LEGACY},
    // 1005f is inside, 100a0 is not; 10060, where datums go on, is the limit.
    {"deltas of the second group", ON_BOTH, 0,
     PACKED "ydim=4 REG2_Unpack_limit_address=0x1006 REG2_Unpack_fifo_size=0x20", "y0=2",
     "10004: 001e 0022; 1004c: 001f 0020; 1005f: 13; 10060: 0021 0022; 0fea0: 02", A,
     "a0: 1f 0*3 20 0 21 0 0 22", "", LEGACY},
    // Datums wrap after 16 (BH: 32) of them, before the group's deltas are stepped over: 10050 -
    // 0x200, and 16 further. Deltas are there already.
    {"datums of the second group", ON_BOTH, 0,
     PACKED "ydim=1 REG2_Unpack_limit_address=0x1004 REG2_Unpack_fifo_size=0x20", "",
     "10000: 0000 0021; 10010: 0001+32; 0fe50: 00*16; 0fe60: 0021; 0fea0: 03", A, "a0: 1+33 0*3",
     "", LEGACY},
    {"datums of the second half", ON_WH, 0,
     PACKED "ydim=1 REG2_Unpack_limit_address=0x1002 REG2_Unpack_fifo_size=0x20", "",
     "10000: 0000 0021; 10010: 0001+16; 0fe30: 0011+16; 0fe50: 00*16; 0fe60: 0021; 0fea0: 03", A,
     "a0: 1+33 0*3", "", LEGACY},
    {"datums of the second half", ON_BH, 0,
     PACKED "ydim=1 REG2_Unpack_limit_address=0x1002 REG2_Unpack_fifo_size=0x20", "",
     "10000: 0000 0021; 10010: 0001+32; 0fe50: 00*16; 0fe60: 0021; 0fea0: 03", A, "a0: 1+33 0*3",
     "", LEGACY},
};

// Without blobs: X from 0 up to, not including, channel 1's X.
static const struct unpack_vector row_search[] = {
    {"X up to 8", ON_BOTH, 0, "", "x0=5 x1=8", "10000: 0001+8", A " RowSearch=1", "a0: 1+8", "",
     LEGACY},
    {"X up to 16 of row 3", ON_BOTH, 0, "", "x0=1 y0=3 x1=16", "10060: 0031+16", A " RowSearch=1",
     "a0: 31+16", "", LEGACY},
    {"X up to 0", ON_BOTH, 0, "", "x0=1 x1=0", "", A " RowSearch=1", "", "", LEGACY},
    {"SrcB", ON_BOTH, 1, "", "x0=9 y0=1 x1=2", "10020: 0041 0042", B " RowSearch=1", "b0: 41 42",
     "", LEGACY},
};

// With blobs: from BlobsYStart[Y] * 16 to BlobsYStart[X + 1] * 16, or, for the last blob, to XDim &
// 0x1f0. Y is 0 then. Contexts of unpacker 0 have starts of their own.
static const struct unpack_vector blob_search[] = {
    // Starts 0, 1, 3: Y 1 is 16, X 1 + 1 is 48.
    {"blob 1 of three", ON_BOTH, 0,
     "xdim=64 TD.BlobsPerXYPlane=3 UNP0_BLOBS_Y_START_CNTX_01_blobs_y_start=0x310", "x0=1 y0=1",
     "10020: 0011+32", A " RowSearch=1", "a0: 11+32", "", LEGACY},
    {"last blob of three", ON_BOTH, 0,
     "xdim=64 TD.BlobsPerXYPlane=3 UNP0_BLOBS_Y_START_CNTX_01_blobs_y_start=0x310", "x0=2 y0=2",
     "10060: 0031+16", A " RowSearch=1", "a0: 31+16", "", LEGACY},
    // Y 9 & 7 and X 9 & 7 are 1; Z 1 is 2 * 64 datums further.
    {"three bits of Y and X", ON_BOTH, 0,
     "xdim=64 ydim=2 zdim=2 TD.BlobsPerXYPlane=3 UNP0_BLOBS_Y_START_CNTX_01_blobs_y_start=0x210",
     "x0=9 y0=9 z0=1", "10120: 0051+16", A " RowSearch=1", "a0: 51+16", "", LEGACY},
    // XDim 39 & 0x1f0 = 32.
    {"one blob, XDim 39", ON_BOTH, 0, "xdim=39 TD.BlobsPerXYPlane=1", "", "10000: 0001+32",
     A " RowSearch=1", "a0: 1+32", "", LEGACY},
    // From 48 to 16.
    {"backwards", ON_BOTH, 0,
     "xdim=64 TD.BlobsPerXYPlane=3 UNP0_BLOBS_Y_START_CNTX_01_blobs_y_start=0x310", "y0=2", "",
     A " RowSearch=1", "?", "", "unpack-x-range " LEGACY},
    {"context 2", ON_BOTH, 0,
     "REG3_Base_cntx2_address=0xfff REG5_Tile_x_dim_cntx2=64 TD.BlobsPerXYPlane=2 "
     "UNP0_BLOBS_Y_START_CNTX_01_blobs_y_start=0x30 UNP0_BLOBS_Y_START_CNTX_23_blobs_y_start=0x20",
     "", "10000: 0001+32", A " RowSearch=1 CfgContextId=2", "a0: 1+32", "", LEGACY},
    // Unpacker 1 has the descriptor's: 0, 2; the last blob ends at XDim 48.
    {"SrcB", ON_BOTH, 1, "xdim=48 TD.BlobsPerXYPlane=2 TD.BlobsYStart_lo=0x20", "x0=1 y0=1",
     "10040: 0021+16", B " RowSearch=1", "b0: 21+16", "", LEGACY},
    // So has unpacker 0 without contexts: starts 4 and 5 are the upper half's 1 and 2.
    {"upper starts", ON_BOTH, 0,
     "xdim=128 TD.BlobsPerXYPlane=7 TD.BlobsYStart_hi=0x21 UNP_ADDR_BASE_REG_1_Base=128",
     "x0=4 y0=4", "10020: 0011+16", "UNPACR RowSearch=1", "a0: 11+16", "", LEGACY},
};

// Decision 7: (1 << rate) - 1 zeroes after each datum, or as many places left as they are.
static const struct unpack_vector upsample[] = {
    {"rate 1", ON_BOTH, 0, "REG2_Upsample_rate=1", "x1=3", "10000: 0001+4", A,
     "a0: 1 0 2 0 3 0 4 0", "", LEGACY},
    {"rate 2", ON_BOTH, 0, "REG2_Upsample_rate=2", "x1=3", "10000: 0001+4", A,
     "a0: 1 0*3 2 0*3 3 0*3 4 0*3", "", LEGACY},
    {"rate 3", ON_BOTH, 0, "REG2_Upsample_rate=3", "x1=1", "10000: 0001+2", A, "a0: 1 0*7 2 0*7",
     "", LEGACY},
    {"rate 1, SrcB, over a row", ON_BOTH, 1, "REG2_Upsample_rate=1", "x1=8", "10000: 0001+9", B,
     "b0: 1 0 2 0 3 0 4 0 5 0 6 0 7 0 8 0 9 0", "", LEGACY},
    {"rate 3, Dst", ON_BOTH, 0, "fmt=9 REG2_Upsample_rate=3" TO_DST, "x1=2", "10000: 0001+3", A,
     "d0: 1 0*7 2 0*7 3 0*7", "", LEGACY},
    {"rate 1, interleaved", ON_BOTH, 0, "REG2_Upsample_rate=1 REG2_Upsample_and_interleave=1",
     "x1=3", "10000: 0001+4", A, "a0: 1 - 2 - 3 - 4", "", LEGACY},
    {"rate 2, interleaved", ON_BOTH, 1, "REG2_Upsample_rate=2 REG2_Upsample_and_interleave=1",
     "x1=4", "10000: 0001+5", B, "b0: 1 -*3 2 -*3 3 -*3 4 -*3 5", "", LEGACY},
    {"rate 3, interleaved", ON_BOTH, 0, "REG2_Upsample_rate=3 REG2_Upsample_and_interleave=1",
     "x1=2", "10000: 0001+3", A, "a0: 1 -*7 2 -*7 3", "", LEGACY},
    {"rate 1, interleaved, Dst", ON_BOTH, 0,
     "fmt=9 REG2_Upsample_rate=1 REG2_Upsample_and_interleave=1" TO_DST, "x1=8", "10000: 0001+9", A,
     "d0: 1 - 2 - 3 - 4 - 5 - 6 - 7 - 8 - 9", "", LEGACY},
    {"rate 0, interleaved", ON_BOTH, 0, "REG2_Upsample_and_interleave=1", "x1=3", "10000: 0001+4",
     A, "a0: 1+4", "", LEGACY},
    // Zeroes out of deltas are datums here: 7 and 2 zeroes become 7 0 0 0 0 0.
    {"rate 1, compressed", ON_BOTH, 0, PACKED "ydim=1 REG2_Upsample_rate=1", "",
     "10000: 0000 0001; 10010: 0007; 10050: 02", A, "a0: 7 0*5", "", LEGACY},
    {"rate 1, compressed, interleaved", ON_BOTH, 0,
     PACKED "ydim=1 REG2_Upsample_rate=1 REG2_Upsample_and_interleave=1", "",
     "10000: 0000 0001; 10010: 0007; 10050: 02", A, "a0: 7 - 0 - 0", "", LEGACY},
    // The low halves are zeroed as well: physical rows 0 and 8.
    {"rate 1, INT32 to Dst", ON_BOTH, 0, "fmt=8 REG2_Upsample_rate=1" TO_DST, "x1=1",
     "10000: 80000005 00000006", A, "d0: 8000 0 0 0; d8: 5 0 6 0", "", LEGACY},
    {"rate 1, TF32 to Dst, interleaved", ON_BOTH, 0,
     "in=0 out=4 REG2_Upsample_rate=1 REG2_Upsample_and_interleave=1" TO_DST, "x1=1",
     "10000: 3fc12345 80000006", A, "d0: 417f - 8000; d8: 2345 - 6", "", LEGACY},
    {"rate 2, all zeroes", ON_BOTH, 1, "REG2_Upsample_rate=2", "x1=1", "10000: 0001+2",
     B " ZeroWrite2=1", "b0: 0*8", "", LEGACY},
    // From column 12 of row -1: 1 0 2 0 are in front of SrcA.
    {"rate 1 from row -1", ON_BOTH, 0, "REG2_Upsample_rate=1 REG5_Dest_cntx0_address=60", "x1=3",
     "10000: 0001+4", A, "a0: 3 0 4 0", "", LEGACY},
    {"rate 1 and tileize", ON_BOTH, 0, "REG2_Upsample_rate=1 REG2_Tileize_mode=1", "x1=1",
     "10000: 0001+2", A, "?", "", LEGACY " unpack-mode-clash"},
};

// Columns before the shift are left out, the others move to the left.
static const struct unpack_vector shift[] = {
    {"by 3", ON_BOTH, 0, "REG2_Shift_amount_cntx0=3", "", "10000: 0001+16", A, "a0: 4+13", "",
     LEGACY},
    {"by 3, two rows", ON_BOTH, 0, "REG2_Shift_amount_cntx0=3", "x1=31", "10000: 0001+32", A,
     "a0: 4+13; a1: 14+13", "", LEGACY},
    {"by 15, context 1", ON_BOTH, 0,
     "REG3_Base_cntx1_address=0xfff REG5_Tile_x_dim_cntx1=16 REG2_Shift_amount_cntx1=15", "",
     "10000: 0001+16", A " CfgContextId=1", "a0: 10", "", LEGACY},
    // Context 6 takes the shift of context 2.
    {"by 8, context 6", ON_BOTH, 0,
     "REG4_Base_cntx6_address=0xfff REG5_Tile_x_dim_cntx2=16 REG2_Shift_amount_cntx2=8", "x1=9",
     "10000: 0001+16", A " CfgContextId=6", "a0: 9 a", "", LEGACY},
    {"not in SrcB", ON_BOTH, 1, "REG2_Shift_amount_cntx0=3", "", "10000: 0001+16", B, "b0: 1+16",
     "", ""},
    // From column 2: column 2 is left out, and columns 0 and 1 of the next row.
    {"by 3, from column 2", ON_BOTH, 0, "REG2_Shift_amount_cntx0=3 REG5_Dest_cntx0_address=66", "",
     "10000: 0001+16", A, "a0: 2+13", "", LEGACY},
    // 1 0 2 0 3 0 without the first.
    {"by 1, upsampled", ON_BOTH, 0, "REG2_Shift_amount_cntx0=1 REG2_Upsample_rate=1", "x1=2",
     "10000: 0001+3", A, "a0: 0 2 0 3 0", "", LEGACY},
    {"by 12, transposed", ON_BOTH, 0, "REG2_Shift_amount_cntx0=12 REG2_Haloize_mode=1", "",
     "10000: 0001+16", A, "a0: d; a1: e; a2: f; a3: 10", "", LEGACY},
    {"by 2, compressed", ON_BOTH, 0, PACKED "ydim=4 REG2_Shift_amount_cntx0=2", "", ROWS, A,
     "a0: 0*3 2 0*5 3 0*4", "", LEGACY},
    {"to Dst", ON_BOTH, 0, "fmt=9 REG2_Shift_amount_cntx0=2" TO_DST, "x1=3", "10000: 0001+4", A,
     "?", "", LEGACY " unpack-mode-clash"},
};

VECTORS(by_row)
VECTORS(by_blob)
VECTORS(seek)
VECTORS(blocks)
VECTORS(zeroes)
VECTORS(fifo)
VECTORS(row_search)
VECTORS(blob_search)
VECTORS(upsample)
VECTORS(shift)

int main(void)
{
    const struct CMUnitTest tests[] = {
        VECTORS_TEST(by_row),     VECTORS_TEST(by_blob),     VECTORS_TEST(seek),
        VECTORS_TEST(blocks),     VECTORS_TEST(zeroes),      VECTORS_TEST(fifo),
        VECTORS_TEST(row_search), VECTORS_TEST(blob_search), VECTORS_TEST(upsample),
        VECTORS_TEST(shift),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
