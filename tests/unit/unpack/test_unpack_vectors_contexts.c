// SPDX-License-Identifier: Apache-2.0
// Contexts, the context counter, single-context mode and other threads' counters, worked by hand
// from the ISA page by a reader who had not seen the code. A tile begins at (base + offset + 1 +
// digest) * 16; FP16 datums 1, 2, 3… show where each came from.
// Pages: UNPACR_Regular.md, UNPACR_IncrementContextCounter.md.

#include "rig/unpack_vectors_rig.h"

#define TO_DST " SRCA_SET_SetOvrdWithAddr=0"

// Each of unpacker 0's eight contexts has a base; offset, X dimension, place and shift are those of
// context & 3. Context 0 of the rig begins at 0x10000, 16 datums wide. ContextNumber is not
// supported by the page; the thread's CfgContextOffset, which is added, is.
static const struct unpack_vector numbers[] = {
    // (1000 + 10 + 1) * 16, Y 2 * 8 datums; place 64 + 32 is row 2.
    {"context 1", ON_BOTH, 0,
     "REG3_Base_cntx1_address=0x1000 REG7_Offset_cntx1_address=0x10 REG5_Tile_x_dim_cntx1=8 "
     "REG5_Dest_cntx1_address=96",
     "x1=7 y0=2", "10130: 0051+8", A " CfgContextId=1", "a2: 51+8", "", LEGACY},
    // (1010 + 20 + 1) * 16, Y 3 * 4.
    {"context 2", ON_BOTH, 0,
     "REG3_Base_cntx2_address=0x1010 REG7_Offset_cntx2_address=0x20 REG5_Tile_x_dim_cntx2=4 "
     "REG5_Dest_cntx2_address=112",
     "x1=3 y0=3", "10328: 0061+4", A " CfgContextId=2", "a3: 61+4", "", LEGACY},
    // (1020 + ff + 1) * 16, Y 1 * 32.
    {"context 3", ON_BOTH, 0,
     "REG3_Base_cntx3_address=0x1020 REG7_Offset_cntx3_address=0xff REG5_Tile_x_dim_cntx3=32 "
     "REG5_Dest_cntx3_address=128",
     "x1=3 y0=1", "11240: 0071+4", A " CfgContextId=3", "a4: 71+4", "", LEGACY},
    // Offset, width and place of context 0: (1100 + 5 + 1) * 16, Y 1 * 16.
    {"context 4", ON_BOTH, 0,
     "REG4_Base_cntx4_address=0x1100 REG7_Offset_address=5 REG5_Dest_cntx0_address=80", "x1=3 y0=1",
     "11080: 0081+4", A " CfgContextId=4", "a1: 81+4", "", LEGACY},
    // Those of context 1: (1110 + 1 + 1) * 16, Y 5 * 2.
    {"context 5", ON_BOTH, 0,
     "REG4_Base_cntx5_address=0x1110 REG7_Offset_cntx1_address=1 REG5_Tile_x_dim_cntx1=2 "
     "REG5_Dest_cntx1_address=144",
     "x1=1 y0=5", "11134: 0091 0092", A " CfgContextId=5", "a5: 91 92", "", LEGACY},
    {"context 6", ON_BOTH, 0,
     "REG4_Base_cntx6_address=0x1200 REG7_Offset_cntx2_address=2 REG5_Tile_x_dim_cntx2=16 "
     "REG5_Dest_cntx2_address=160",
     "", "12030: 0001+16", A " CfgContextId=6", "a6: 1+16", "", LEGACY},
    // With a header of (1 + 2) * 16 bytes: (1300 + 3 + 1 + 2) * 16.
    {"context 7", ON_BOTH, 0,
     "REG4_Base_cntx7_address=0x1300 REG7_Offset_cntx3_address=3 REG5_Tile_x_dim_cntx3=16 "
     "REG5_Dest_cntx3_address=176 TD.DigestSize=2",
     "x1=3 y0=1", "13080: 00a1+4", A " CfgContextId=7", "a7: a1+4", "", LEGACY},
    {"context 1 by the thread's offset", ON_BOTH, 0,
     "UNPACK_MISC_CFG_CfgContextOffset_0=1 REG3_Base_cntx1_address=0x1000 "
     "REG7_Offset_cntx1_address=0x10 REG5_Tile_x_dim_cntx1=8 REG5_Dest_cntx1_address=96",
     "x1=7 y0=2", "10130: 0051+8", A, "a2: 51+8", "", ""},
    // 6 + 3 is context 1 of three bits.
    {"context 6 + 3", ON_BOTH, 0,
     "UNPACK_MISC_CFG_CfgContextOffset_0=3 REG3_Base_cntx1_address=0x1100 REG5_Tile_x_dim_cntx1=16",
     "x1=3", "11010: 0001+4", A " CfgContextId=6", "a0: 1+4", "", LEGACY},
    // 2 + 14 is context 0, whose base has another name.
    {"context 2 + 14", ON_BOTH, 0, "UNPACK_MISC_CFG_CfgContextOffset_0=14", "x1=3", "10000: 0001+4",
     A " CfgContextId=2", "a0: 1+4", "", LEGACY},
    {"context of thread 2", ON_BOTH, 0,
     "2:UNPACK_MISC_CFG_CfgContextOffset_0=2 UNPACK_MISC_CFG_CfgContextOffset_0=1 "
     "REG3_Base_cntx2_address=0x1010 REG5_Tile_x_dim_cntx2=16",
     "x1=3", "10110: 0001+4", "2:" A, "a0: 1+4", "", ""},
};

// Unpacker 1 has contexts 0 and 1; X dimension and place do not depend on them.
static const struct unpack_vector srcb[] = {
    {"context 1", ON_BOTH, 1,
     "UNPACK_MISC_CFG_CfgContextOffset_1=1 REG3_Base_cntx1_address=0x1000 "
     "REG7_Offset_cntx1_address=0x20",
     "x1=3", "10210: 0001+4", B, "b0: 1+4", "", ""},
    {"context 1 by number", ON_BOTH, 1,
     "REG3_Base_cntx1_address=0x1000 REG7_Offset_cntx1_address=0x20 TD.XDim=8 "
     "REG5_Tile_x_dim_cntx1=4 REG5_Dest_cntx1_address=128",
     "x1=3 y0=1", "10220: 0001+4", B " CfgContextId=1", "b0: 1+4", "", LEGACY},
    {"the other unpacker's offset", ON_BOTH, 1,
     "UNPACK_MISC_CFG_CfgContextOffset_0=1 REG3_Base_cntx1_address=0x1100", "x1=3", "10000: 0001+4",
     B, "b0: 1+4", "", ""},
    {"context 2", ON_BOTH, 1, "REG3_Base_cntx2_address=0x1000", "x1=3", "10010: 0001+4",
     B " CfgContextId=2", "?", "", "unpack-context " LEGACY},
    {"context 1 + 1", ON_BOTH, 1,
     "UNPACK_MISC_CFG_CfgContextOffset_1=1 REG3_Base_cntx2_address=0x1000", "x1=3", "10010: 0001+4",
     B " CfgContextId=1", "?", "", "unpack-context " LEGACY},
};

// Formats where Ovrd_data_format is set, compression and destination always, of all eight.
static const struct unpack_vector overrides[] = {
    {"formats of context 0", ON_BOTH, 0,
     "REG2_Ovrd_data_format=1 REG7_Unpack_data_format_cntx0=14 "
     "REG7_Unpack_out_data_format_cntx0=14",
     "x1=3", "10000: 01+4", A, "a0: 4001+4", "", ""},
    {"formats of context 5", ON_BOTH, 0,
     "REG2_Ovrd_data_format=1 REG7_Unpack_data_format_cntx5=14 "
     "REG7_Unpack_out_data_format_cntx5=14 REG7_Unpack_data_format_cntx1=5 "
     "REG4_Base_cntx5_address=0x1100 REG5_Tile_x_dim_cntx1=16",
     "x1=3 y0=1", "11020: 01+4", A " CfgContextId=5", "a0: 4001+4", "", LEGACY},
    {"formats of context 6", ON_BOTH, 0,
     "REG2_Ovrd_data_format=1 REG7_Unpack_data_format_cntx6=0 REG7_Unpack_out_data_format_cntx6=4 "
     "REG4_Base_cntx6_address=0x1100 REG5_Tile_x_dim_cntx2=16",
     "x1=1", "11010: 3f800000 40000000", A " CfgContextId=6", "a0: 1fc00 20000", "", LEGACY},
    {"formats of context 1, SrcB", ON_BOTH, 1,
     "REG2_Ovrd_data_format=1 REG7_Unpack_data_format_cntx1=5 REG7_Unpack_out_data_format_cntx1=5 "
     "UNPACK_MISC_CFG_CfgContextOffset_1=1 REG3_Base_cntx1_address=0xfff",
     "x1=1", "10000: 3f80 4000", B, "b0: 1fc00 20000", "", ""},
    // The thread's bank 1 of the configuration, of which bank 0 is not looked at.
    {"the other bank", ON_BOTH, 0,
     "CFG_STATE_ID_StateID=1 1:fmt=14 1:xdim=16 1:ydim=16 1:REG3_Base_address=0x10ff "
     "1:REG5_Dest_cntx0_address=80 1:REG2_Disable_zero_compress_cntx0=1",
     "x1=3 y0=1", "11010: 01+4", A, "a1: 4001+4", "", ""},
    {"formats not asked for", ON_BOTH, 0,
     "REG7_Unpack_data_format_cntx0=14 REG7_Unpack_out_data_format_cntx0=14", "x1=3",
     "10000: 0001+4", A, "a0: 1+4", "", ""},
    // Compression: the descriptor's bit does not count. Datums after five row starts.
    {"context 6 compressed", ON_BOTH, 0,
     "REG2_Disable_zero_compress_cntx6=0 REG4_Base_cntx6_address=0x1100 REG5_Tile_x_dim_cntx2=16 "
     "ydim=4",
     "", "11010: 0000 0003; 11020: 0001+3; 11060: 54 04", A " CfgContextId=6",
     "a0: 1 0*4 2 0*5 3 0*4", "", LEGACY},
    {"context 3 compressed", ON_BOTH, 0,
     "REG2_Disable_zero_compress_cntx3=0 UNPACK_MISC_CFG_CfgContextOffset_0=3 "
     "REG3_Base_cntx3_address=0x1100 REG5_Tile_x_dim_cntx3=16 ydim=1",
     "", "11010: 0000 0001; 11020: 0007; 11060: 0f", A, "a0: 7 0*15", "", LEGACY},
    {"context 0 is not", ON_BOTH, 0, "TD.IsUncompressed=0 REG2_Disable_zero_compress_cntx1=0",
     "x1=3", "10000: 0001+4", A, "a0: 1+4", "", ""},
    {"unpacker 1's context 1 compressed", ON_BOTH, 1,
     "REG2_Disable_zero_compress_cntx1=0 REG3_Base_cntx1_address=0x1100 ydim=1", "",
     "11010: 0000 0001; 11020: 0007; 11060: 0f", B " CfgContextId=1", "b0: 7 0*15", "", LEGACY},
    // Destination: base and the context's place add up for Dst.
    {"context 3 to Dst", ON_BOTH, 0,
     "fmt=9 REG2_Unpack_if_sel_cntx3=1 REG3_Base_cntx3_address=0x1100 REG5_Tile_x_dim_cntx3=16 "
     "REG5_Dest_cntx3_address=96 UNP_ADDR_BASE_REG_1_Base=32" TO_DST,
     "x1=3", "11010: 0001+4", A " CfgContextId=3", "d3: 1+4", "", LEGACY},
    {"context 4 to Dst", ON_BOTH, 0,
     "fmt=9 REG2_Unpack_if_sel_cntx4=1 UNPACK_MISC_CFG_CfgContextOffset_0=4 "
     "REG4_Base_cntx4_address=0x1100" TO_DST,
     "x1=3", "11010: 0001+4", A, "d0: 1+4", "", ""},
    {"context 5 to SrcA beside others to Dst", ON_BOTH, 0,
     "REG2_Unpack_if_sel_cntx1=1 REG2_Unpack_If_Sel=1 UNPACK_MISC_CFG_CfgContextOffset_0=5 "
     "REG4_Base_cntx5_address=0x1100 REG5_Tile_x_dim_cntx1=16",
     "x1=3", "11010: 0001+4", A, "a0: 1+4", "", ""},
};

// Without MultiContextMode all is context 0's and the own thread's; the place of SrcA is base and
// counters. The page does not support it.
static const struct unpack_vector single[] = {
    // XDim 8 of the descriptor, not 16 of the context: Y 2 is 16 datums. 160 bytes are 80 datums.
    {"SrcA", ON_BOTH, 0, "TD.XDim=8 UNP_ADDR_BASE_REG_1_Base=160 REG5_Dest_cntx0_address=192",
     "x1=7 y0=2", "10020: 0011+8", "UNPACR", "a1: 11+8", "", LEGACY},
    {"SrcA by counters", ON_BOTH, 0,
     "UNP_ADDR_BASE_REG_1_Base=128 UNP_ADDR_CTRL_XY_REG_1_Ystride=32", "x1=3 y1=2", "10000: 0001+4",
     "UNPACR AddrMode=64", "a2: 1+4", "y1=3", LEGACY},
    {"SrcB", ON_BOTH, 1, "UNP_ADDR_BASE_REG_1_Base=64", "x0=3 x1=4", "10006: 0004 0005",
     "UNPACR Unpack_block_selection=1", "b2: 4 5", "", LEGACY},
    {"Dst", ON_BOTH, 0, "fmt=9 REG2_Unpack_If_Sel=1 UNP_ADDR_BASE_REG_1_Base=160" TO_DST, "x1=3",
     "10000: 0001+4", "UNPACR", "d1: 1+4", "", LEGACY},
    {"not Dst", ON_BOTH, 0, "REG2_Unpack_if_sel_cntx0=1 UNP_ADDR_BASE_REG_1_Base=128", "x1=3",
     "10000: 0001+4", "UNPACR", "a0: 1+4", "", LEGACY},
    // Thread 1: X 2, Y 1: 18 datums; only its counters step.
    {"thread 1", ON_BOTH, 0, "UNP_ADDR_BASE_REG_1_Base=128", "x0=9 x1=11 y0=7 1:x0=2 1:x1=5 1:y0=1",
     "10024: 0013+4", "1:UNPACR AddrMode=5", "a0: 13+4", "1:y0=2 1:z0=1", LEGACY},
    {"no number, no offset", ON_BOTH, 1,
     "UNPACK_MISC_CFG_CfgContextOffset_1=1 REG3_Base_cntx1_address=0x1100", "x1=3", "10000: 0001+4",
     "UNPACR Unpack_block_selection=1 CfgContextId=1", "b0: 1+4", "", LEGACY},
    {"no context counter", ON_BOTH, 1, "REG2_Context_count=1", "x1=3 ctx=1", "10000: 0001+4",
     "UNPACR Unpack_block_selection=1 AutoIncContextID=1", "b0: 1+4", "", LEGACY},
    {"no other thread's counters", ON_BOTH, 1, "", "x1=3 2:x0=1 2:x1=2", "10000: 0001+4",
     "UNPACR Unpack_block_selection=1 AddrCntContextId=2 AddrMode=1", "b0: 1+4", "z0=1", LEGACY},
    {"formats of the descriptor", ON_BOTH, 1,
     "REG2_Ovrd_data_format=1 REG7_Unpack_data_format_cntx0=14 "
     "REG7_Unpack_out_data_format_cntx0=14",
     "x1=3", "10000: 0001+4", "UNPACR Unpack_block_selection=1", "b0: 1+4", "", LEGACY},
    {"compression of the descriptor", ON_BOTH, 1, "REG2_Disable_zero_compress_cntx0=0", "x1=3",
     "10000: 0001+4", "UNPACR Unpack_block_selection=1", "b0: 1+4", "", LEGACY},
    {"shift of context 0", ON_BOTH, 0, "UNP_ADDR_BASE_REG_1_Base=128 REG2_Shift_amount_cntx0=2",
     "x1=3", "10000: 0001+4", "UNPACR", "a0: 3 4", "", LEGACY},
};

#define TWO                                                                                        \
    "REG2_Context_count=1 REG3_Base_cntx1_address=0x1010 REG5_Tile_x_dim_cntx1=16 "                \
    "REG5_Dest_cntx1_address=80"

// The counter of unpacker and thread names the context. What it becomes is that context (with the
// thread's offset) and one, in three bits, or 0 from 1 << Context_count on.
static const struct unpack_vector counter[] = {
    {"0 of two", ON_BOTH, 0, TWO, "x1=3", "10000: 0001+4", A " AutoIncContextID=1", "a0: 1+4",
     "ctx=1", LEGACY},
    {"both of two", ON_BOTH, 0, TWO, "x1=3", "10000: 0001+4; 10110: 0011+4",
     A " AutoIncContextID=1; " A " AutoIncContextID=1", "a0: 1+4; a1: 11+4", "ctx=0", LEGACY},
    {"ContextNumber is not looked at", ON_BOTH, 0, TWO, "x1=3 ctx=1", "10110: 0011+4",
     A " AutoIncContextID=1 CfgContextId=6", "a1: 11+4", "ctx=0", LEGACY},
    {"not used, not counted", ON_BOTH, 0, TWO, "x1=3 ctx=1", "10000: 0001+4", A, "a0: 1+4", "", ""},
    // 1 + 1 = context 2, and then 3.
    {"offset 1", ON_BOTH, 0,
     "REG2_Context_count=2 UNPACK_MISC_CFG_CfgContextOffset_0=1 REG3_Base_cntx2_address=0x1020 "
     "REG5_Tile_x_dim_cntx2=16",
     "x1=3 ctx=1", "10210: 0021+4", A " AutoIncContextID=1", "a0: 21+4", "ctx=3", LEGACY},
    // 2 + 3 = context 5; 6 is not below 4.
    {"offset 3", ON_BOTH, 0,
     "REG2_Context_count=2 UNPACK_MISC_CFG_CfgContextOffset_0=3 REG4_Base_cntx5_address=0x1050 "
     "REG5_Tile_x_dim_cntx1=16",
     "x1=3 ctx=2", "10510: 0051+4", A " AutoIncContextID=1", "a0: 51+4", "ctx=0", LEGACY},
    // 6 + 4 = context 2 of three bits, and then 3.
    {"offset 4 of eight", ON_BOTH, 0,
     "REG2_Context_count=3 UNPACK_MISC_CFG_CfgContextOffset_0=4 REG3_Base_cntx2_address=0x1020 "
     "REG5_Tile_x_dim_cntx2=16",
     "x1=3 ctx=6", "10210: 0021+4", A " AutoIncContextID=1", "a0: 21+4", "ctx=3", LEGACY},
    {"7 of eight", ON_BOTH, 0,
     "REG2_Context_count=3 REG4_Base_cntx7_address=0x1070 REG5_Tile_x_dim_cntx3=16", "x1=3 ctx=7",
     "10710: 0071+4", A " AutoIncContextID=1", "a0: 71+4", "ctx=0", LEGACY},
    {"one context", ON_BOTH, 0, "", "x1=3", "10000: 0001+4", A " AutoIncContextID=1", "a0: 1+4",
     "ctx=0", LEGACY},
    {"thread 1's own", ON_BOTH, 1, "REG2_Context_count=1 REG3_Base_cntx1_address=0x1010",
     "x1=3 ctx=0 1:ctx=1 2:ctx=1", "10110: 0011+4", "1:" B " AutoIncContextID=1", "b0: 11+4",
     "1:ctx=0", LEGACY},
    // The counter too can name a context that unpacker 1 does not have: 2, and 3 is not below 2.
    {"1 + 1 of SrcB", ON_BOTH, 1,
     "REG2_Context_count=1 UNPACK_MISC_CFG_CfgContextOffset_1=1 REG3_Base_cntx2_address=0xfff",
     "x1=3 ctx=1", "10000: 0001+4", B " AutoIncContextID=1", "?", "ctx=0",
     "unpack-context " LEGACY},
    // Bit 13 only counts, from the counter itself, without the offset.
    {"count", ON_BOTH, 0, "REG2_Context_count=1 UNPACK_MISC_CFG_CfgContextOffset_0=1", "", "",
     "UNPACR CfgContextCntInc=1", "", "ctx=1", LEGACY},
    {"count with contexts", ON_BOTH, 0, "REG2_Context_count=1", "", "", A " CfgContextCntInc=1", "",
     "ctx=1", LEGACY},
    {"count twice", ON_BOTH, 1, "REG2_Context_count=1", "", "",
     "UNPACR Unpack_block_selection=1 CfgContextCntInc=1; "
     "UNPACR Unpack_block_selection=1 CfgContextCntInc=1",
     "", "ctx=0", LEGACY},
    {"count from 7", ON_BOTH, 0, "REG2_Context_count=3", "2:ctx=7 ctx=3", "",
     "2:UNPACR CfgContextCntInc=1", "", "2:ctx=0", LEGACY},
    {"count to 3", ON_BOTH, 0, "REG2_Context_count=2", "1:ctx=2", "", "1:UNPACR CfgContextCntInc=1",
     "", "1:ctx=3", LEGACY},
};

// ContextADC names the thread whose X and Y count; Z, W and all of the output are the own thread's.
// Both threads' counters step.
static const struct unpack_vector counters[] = {
    // ((0 * 2 + 1) * 4 + 2) * 16 + 4 = 100 datums; Y 3 of the output is row 3.
    {"X and Y of thread 1", ON_BOTH, 1, "ydim=4 zdim=2 UNP_ADDR_CTRL_XY_REG_1_Ystride=32",
     "x0=9 x1=9 y0=3 z0=1 y1=3 1:x0=4 1:x1=7 1:y0=2 1:z0=5 1:y1=6", "100c8: 0071+4",
     B " AddrCntContextId=1", "b3: 71+4", "", LEGACY},
    {"X and Y of thread 2, SrcA", ON_BOTH, 0, "wdim=2 ydim=2", "x1=9 2:x0=1 2:x1=2 w0=1 2:w0=3",
     "10042: 0031 0032", A " AddrCntContextId=2", "a0: 31 32", "", LEGACY},
    {"both step", ON_BOTH, 1, "", "x1=9 1:x1=0 1:y0=1 1:z1=4", "10020: 0001",
     B " AddrCntContextId=1 AddrMode=214", "b0: 1",
     "y0=1 z0=2 y1=3 z1=1 1:y0=2 1:z0=2 1:y1=3 1:z1=5", LEGACY},
    // ContextADC 0 from another thread is what the page supports.
    {"thread 2 by thread 0's", ON_BOTH, 0, "zdim=2 ydim=1", "x1=3 2:x1=9 2:z0=1", "10020: 0011+4",
     "2:" A " AddrMode=5", "a0: 11+4", "y0=1 z0=1 2:y0=1 2:z0=2", ""},
    {"thread 2 by thread 1's", ON_BOTH, 1, "UNP_ADDR_CTRL_XY_REG_1_Ystride=32",
     "x1=9 1:x0=3 1:x1=4 2:x1=9 2:y1=5 1:y1=2", "10006: 0004 0005",
     "2:" B " AddrCntContextId=1 AddrMode=64", "b5: 4 5", "1:y1=3 2:y1=6", LEGACY},
    {"row search by thread 2's", ON_BOTH, 1, "", "x1=9 2:x1=2 2:y0=1", "10020: 0011 0012",
     B " AddrCntContextId=2 RowSearch=1", "b0: 11 12", "", LEGACY},
    {"compressed, by thread 1's", ON_BOTH, 0, "REG2_Disable_zero_compress_cntx0=0 ydim=2",
     "x1=3 1:y0=1 1:x1=15", "10002: 0001 0002; 10012: 0044; 10050: 20", A " AddrCntContextId=1",
     "a0: 44 0 0", "", LEGACY},
    // There are three threads.
    {"ContextADC 3", ON_BOTH, 0, "", "x1=3", "10000: 0001+4", A " AddrCntContextId=3", "?", "",
     "unpack-context"},
};

VECTORS(numbers)
VECTORS(srcb)
VECTORS(overrides)
VECTORS(single)
VECTORS(counter)
VECTORS(counters)

int main(void)
{
    const struct CMUnitTest tests[] = {
        VECTORS_TEST(numbers), VECTORS_TEST(srcb),    VECTORS_TEST(overrides),
        VECTORS_TEST(single),  VECTORS_TEST(counter), VECTORS_TEST(counters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
