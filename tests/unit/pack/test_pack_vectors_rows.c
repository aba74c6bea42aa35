// SPDX-License-Identifier: Apache-2.0
// Blackhole's PACR, worked by hand from the ISA pages by a reader who had not seen the code: masks
// of read interfaces, RowPadZero, CtxtCtrl and CfgContext.
// Pages: Blackhole's PACR; decision 9 for unaligned rows, decision 10 for what only tt-llk's
// operand descriptions say.

#include "rig/pack_vectors_rig.h"

#define ROWS "d0-11+100: 0000+16; 40000: ee*512" // datum c of row r is 0x100 r + c

// Rows start & ~3 | i for each enabled interface, in order and without a gap.
static const struct pack_vector masks[] = {
    {"mask 2 from row 0", ON_BH, "INT16", ROWS, "PACR ReadIntfSel=2 Last=1", "40000: 0100+16 eeee"},
    {"mask 4 from row 0", ON_BH, "INT16", ROWS, "PACR ReadIntfSel=4 Last=1", "40000: 0200+16 eeee"},
    {"mask 8 from row 8", ON_BH, "INT16 row=8", ROWS, "PACR ReadIntfSel=8 Last=1",
     "40000: 0b00+16 eeee"},
    {"mask 15 from row 0", ON_BH, "INT16", ROWS, "PACR ReadIntfSel=15 Last=1",
     "40000: 0000+16 0100+16 0200+16 0300+16 eeee"},
    {"mask 15 from row 4", ON_BH, "INT16 row=4", ROWS, "PACR ReadIntfSel=15 Last=1",
     "40000: 0400+16 0500+16 0600+16 0700+16 eeee"},
    {"mask 0 from row 8", ON_BH, "INT16 row=8", ROWS, "PACR ReadIntfSel=0 Last=1",
     "40000: 0800+16 0900+16 0a00+16 0b00+16 eeee"},
    {"mask 7 from row 4", ON_BH, "INT16 row=4", ROWS, "PACR ReadIntfSel=7 Last=1",
     "40000: 0400+16 0500+16 0600+16 eeee"},
    {"mask 9 from row 0", ON_BH, "INT16", ROWS, "PACR ReadIntfSel=9 Last=1",
     "40000: 0000+16 0300+16 eeee"},
    {"mask 6 from row 0", ON_BH, "INT16", ROWS, "PACR ReadIntfSel=6 Last=1",
     "40000: 0100+16 0200+16 eeee"},
    {"mask 14 from row 4", ON_BH, "INT16 row=4", ROWS, "PACR ReadIntfSel=14 Last=1",
     "40000: 0500+16 0600+16 0700+16 eeee"},
    {"mask 12 from row 0", ON_BH, "INT16", ROWS, "PACR ReadIntfSel=12 Last=1",
     "40000: 0200+16 0300+16 eeee"},
    // Decision 9: the mask is taken from the start row on.
    {"mask 3 from row 1", ON_BH, "INT16 row=1", ROWS, "PACR ReadIntfSel=3 Last=1",
     "40000: 0100+16 0200+16 eeee"},
    {"mask 3 from row 6", ON_BH, "INT16 row=6", ROWS, "PACR ReadIntfSel=3 Last=1",
     "40000: 0600+16 0700+16 eeee"},
    {"mask 1 from row 7", ON_BH, "INT16 row=7", ROWS, "PACR ReadIntfSel=1 Last=1",
     "40000: 0700+16 eeee"},
    {"mask 5 from row 1", ON_BH, "INT16 row=1", ROWS, "PACR ReadIntfSel=5 Last=1",
     "40000: 0100+16 0300+16 eeee"},
    {"mask 2 from row 2", ON_BH, "INT16 row=2", ROWS, "PACR ReadIntfSel=2 Last=1",
     "40000: 0300+16 eeee"},
    // A mask that leaves the group of four.
    {"mask 15 from row 1", ON_BH, "INT16 row=1", ROWS, "PACR ReadIntfSel=15 Last=1",
     "found pack-interface-mask"},
    {"mask 2 from row 3", ON_BH, "INT16 row=3", ROWS, "PACR ReadIntfSel=2 Last=1",
     "found pack-interface-mask"},
    {"mask 0 from row 2", ON_BH, "INT16 row=2", ROWS, "PACR ReadIntfSel=0 Last=1",
     "found pack-interface-mask"},
    {"mask 4 from row 2", ON_BH, "INT16 row=2", ROWS, "PACR ReadIntfSel=4 Last=1",
     "found pack-interface-mask"},
};

// Mask 2 of a half row, a block format and a 32-bit format: 16 datums a set bit, or what X says.
static const struct pack_vector formats[] = {
    // Rows 1 and 3, columns 4 to 11.
    {"half rows", ON_BH, "INT16 x0=4 x1=11", "d0-3+100: 0000+16; 40000: ee*512",
     "PACR ReadIntfSel=10 Last=1", "40000: 0104+8 0304+8 eeee"},
    // An exponent a row: rows of 3f80, 4000, 4080, 4100 have 127 to 130, and 0x40 each.
    {"four exponents", ON_BH, "BF16>BFP8 exponents=1", "d0-3+80: 3f80*16; 40000: ee*128",
     "PACR ReadIntfSel=15 Last=1", "40000: 7f 80 81 82 00 00; 40010: 40 40; 4004f: 40 ee"},
    // 48 datums of BFP4 are 24 bytes; Last zeroes the rest of the second line, and no more.
    {"three exponents", ON_BH, "BF16>BFP4 exponents=1", "d0-3: 4000*16; 40000: ee*128",
     "PACR ReadIntfSel=7 Last=1", "40000: 80*3 00; 40010: 44444444*6 00000000*2 eeeeeeee"},
    {"INT32", ON_BH, "INT32",
     "d0: 00000001 00000000*14 80000010; d1: 00000002 00000000*14 80000011; d2: 00000003 "
     "00000000*14 80000012; d3: 00000004 00000000*14 80000013",
     "PACR ReadIntfSel=10 Last=1",
     "40000: 00000002 00000000; 4003c: 80000011 00000004 00000000; 4007c: 80000013"},
};

// X is 0 to 9: ten datums a row. Bits 1:0: 1 always, 2 without Concat, 3 with Last; bit 2: fill up
// what is packed so far instead of each row. Filled to 16 datums; Last alone fills eight of them.
// Decision 10: recorded.
#define MODE "; found undocumented-mode"
static const struct pack_vector paddings[] = {
    {"none", ON_BH, "INT16 x1=9", ROWS, "PACR ReadIntfSel=3 Last=1",
     "40000: 0000+10 0100+10 0000*4 eeee"},
    {"all rows", ON_BH, "INT16 x1=9", ROWS, "PACR ReadIntfSel=3 RowPadZero=1 Last=1",
     "40000: 0000+10 0000*6 0100+10 0000*6 eeee" MODE},
    {"all together", ON_BH, "INT16 x1=9", ROWS, "PACR ReadIntfSel=3 RowPadZero=5 Last=1",
     "40000: 0000+10 0100+10 0000*12 eeee" MODE},
    {"4 is none", ON_BH, "INT16 x1=9", ROWS, "PACR ReadIntfSel=3 RowPadZero=4; row=4; P Last=1",
     "40000: 0000+10 0100+10 0400+10 0000*2 eeee" MODE},
    // Rows 0 and 4 are each ten and six; row 8 is not filled by its own PACR.
    {"rows", ON_BH, "INT16 x1=9", ROWS, "P RowPadZero=1; row=4; P RowPadZero=1; row=8; P Last=1",
     "40000: 0000+10 0000*6 0400+10 0000*6 0800+10 0000*6 eeee" MODE},
    // Ten of the first PACR, which has Concat, then ten and six zeroes: 26. Ten more: 36 of 40.
    {"rows without Concat", ON_BH, "INT16 x1=9", ROWS,
     "P RowPadZero=2 Concat=1; row=4; P RowPadZero=2; row=8; P Last=1",
     "40000: 0000+10 0400+10 0000*6 0800+10 0000*4 eeee" MODE},
    // Ten and ten are filled up to 32. Ten more: 42 of 48.
    {"together without Concat", ON_BH, "INT16 x1=9", ROWS,
     "P RowPadZero=6 Concat=1; row=4; P RowPadZero=6; row=8; P Last=1",
     "40000: 0000+10 0400+10 0000*12 0800+10 0000*6 eeee" MODE},
    // Twenty datums, twelve zeroes, however they are counted; no padding without Last.
    {"rows with Last", ON_BH, "INT16 x1=9", ROWS, "P RowPadZero=3; row=4; P RowPadZero=3 Last=1",
     "40000: 0000+10 0400+10 0000*12 eeee" MODE},
    {"together with Last", ON_BH, "INT16 x1=9", ROWS,
     "P RowPadZero=7; row=4; P RowPadZero=7 Last=1", "40000: 0000+10 0400+10 0000*12 eeee" MODE},
    // Rows cut by downsampling: datums 0 and 8 of ten.
    {"downsampled rows", ON_BH, "INT16 x1=9 Downsample_mask=0x0101", ROWS,
     "PACR ReadIntfSel=3 RowPadZero=1 Last=1",
     "40000: 0000 0008 0000*14 0100 0108 0000*14 eeee" MODE},
    {"downsampled together", ON_BH, "INT16 x1=9 Downsample_mask=0x0101", ROWS,
     "PACR ReadIntfSel=3 RowPadZero=5 Last=1", "40000: 0000 0008 0100 0108 0000*12 eeee" MODE},
    // Four datums twice, with Last in the second: 3 makes its row 16, which is 4 + 16 = 20 datums
    // in three lines of eight; 7 makes the eight datums 16, in two lines.
    {"four and four rows", ON_BH, "INT16 x1=3", "d0-7+100: 0000+16; 40000: ee*512",
     "P RowPadZero=3; row=4; P RowPadZero=3 Last=1",
     "40000: 0000+4 0400+4; 40010: 00000000*4; 40020: 0000; 40030: eeee"},
    {"four and four together", ON_BH, "INT16 x1=3", "d0-7+100: 0000+16; 40000: ee*512",
     "P RowPadZero=7; row=4; P RowPadZero=7 Last=1",
     "40000: 0000+4 0400+4; 40010: 00000000*4; 40020: eeee; 40030: eeee"},
};

// Each context has its own output address, 0x100 bytes further, as the configurations of Wormhole's
// four packers lie.
#define AFTER_PLANES(n)                                                                            \
    " PACK_COUNTERS_SEC0_auto_ctxt_inc_xys_cnt=" #n                                                \
    " PACK_COUNTERS_SEC1_auto_ctxt_inc_xys_cnt=" #n                                                \
    " PACK_COUNTERS_SEC2_auto_ctxt_inc_xys_cnt=" #n                                                \
    " PACK_COUNTERS_SEC3_auto_ctxt_inc_xys_cnt=" #n
#define CONTEXTS                                                                                   \
    "INT16 REG8_In_data_format=INT16 REG8_Out_data_format=INT16 REG8_Disable_zero_compress=1 "     \
    "REG8_L1_Dest_addr=0x400f SEC1_REG1_In_data_format=INT16 SEC1_REG1_Out_data_format=INT16 "     \
    "SEC1_REG1_Disable_zero_compress=1 SEC1_REG1_L1_Dest_addr=0x401f "                             \
    "SEC1_REG8_In_data_format=INT16 SEC1_REG8_Out_data_format=INT16 "                              \
    "SEC1_REG8_Disable_zero_compress=1 SEC1_REG8_L1_Dest_addr=0x402f"
#define MARKS "40000: ee*1024"
// PACRs of 16 datums with a mark in the first, and the first datum of each context's output.
static const struct pack_vector contexts[] = {
    {"CfgContext", ON_BH, CONTEXTS, MARKS,
     "d0: 5501; P CfgContext=1 Last=1; 40000/100: eeee 5501 eeee eeee; "
     "found undocumented-mode; "
     "d0: 5502; P CfgContext=2 Last=1; 40000/100: eeee 5501 5502 eeee; "
     "d0: 5503; P CfgContext=3 Last=1; 40000/100: eeee 5501 5502 5503; "
     "d0: 5504; P CfgContext=0 Last=1; 40000/100: 5504 5501 5502 5503; ",
     ""},
    // CtxtCtrl 1: the context that is kept, which Last moves on, modulo four; CfgContext has no
    // say. Then context 2 is next; a PACR without CtxtCtrl does not move it; 2 resets it and packs
    // nothing, whatever else it says; not the last of a tile: no step, and 550c is appended.
    {"CtxtCtrl", ON_BH, CONTEXTS, MARKS,
     "d0: 5501; P CtxtCtrl=1 CfgContext=2 Last=1; 40000/100: 5501 eeee eeee eeee; "
     "d0: 5502; P CtxtCtrl=1 CfgContext=2 Last=1; 40000/100: 5501 5502 eeee eeee; "
     "d0: 5503; P CtxtCtrl=1 CfgContext=2 Last=1; 40000/100: 5501 5502 5503 eeee; "
     "d0: 5504; P CtxtCtrl=1 CfgContext=2 Last=1; 40000/100: 5501 5502 5503 5504; "
     "d0: 5505; P CtxtCtrl=1 CfgContext=2 Last=1; 40000/100: 5505 5502 5503 5504; "
     "d0: 5506; P CtxtCtrl=1 CfgContext=2 Last=1; 40000/100: 5505 5506 5503 5504; "
     "found undocumented-mode; ",
     "d0: 5507; P Last=1; 40000/100: 5507 5506 5503 5504; "
     "d0: 5508; P CtxtCtrl=1 Last=1; 40000/100: 5507 5506 5508 5504; "
     "d0: 5509; P CtxtCtrl=2 Last=1; 40000/100: 5507 5506 5508 5504; "
     "d0: 550a; P CtxtCtrl=1 Last=1; 40000/100: 550a 5506 5508 5504; "
     "d0: 550b; P CtxtCtrl=1; 40000/100: 550a 550b 5508 5504; "
     "d0: 550c; P CtxtCtrl=1 Last=1; 40000/100: 550a 550b 5508 5504; "
     "d0: 550d; P CtxtCtrl=1 Last=1; 40000/100: 550a 550b 550d 5504; "},
    // With auto_ctxt_inc_xys_cnt the context moves on after so many planes, not with Last: the
    // second plane ends with the second PACR.
    {"counted", ON_BH,
     CONTEXTS " plane=1 PACK_COUNTERS_SEC1_pack_reads_per_xy_plane=1 "
              "PACK_COUNTERS_SEC2_pack_reads_per_xy_plane=1" AFTER_PLANES(2),
     MARKS,
     "d0: 5501; P CtxtCtrl=1 Last=1; 40000/100: 5501 eeee eeee eeee; "
     "d0: 5502; P CtxtCtrl=1 Last=1; 40000/100: 5502 eeee eeee eeee; "
     "d0: 5503; P CtxtCtrl=1 Last=1; 40000/100: 5502 5503 eeee eeee; "
     "d0: 5504; P CtxtCtrl=1 Last=1; 40000/100: 5502 5504 eeee eeee; "
     "d0: 5505; P CtxtCtrl=1 Last=1; 40000/100: 5502 5504 5505 eeee; ",
     ""},
};

VECTORS(masks)
VECTORS(formats)
VECTORS(paddings)
VECTORS(contexts)

int main(void)
{
    const struct CMUnitTest tests[] = {
        VECTORS_TEST(masks),
        VECTORS_TEST(formats),
        VECTORS_TEST(paddings),
        VECTORS_TEST(contexts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
