// SPDX-License-Identifier: Apache-2.0
// The reading side of PACR and what several packers do at once, worked by hand from the ISA pages
// by a reader who had not seen the code. Pages: Packers/InputAddressGenerator, Packers/EdgeMasking,
// Packers/Downsampling, TDMA-RISC, SETDMAREG_Special, L1.

#include "rig/pack_vectors_rig.h"

// The start: all strides, in bytes of the intermediate format, then the offset in rows. Row r holds
// r in all columns.
static const struct pack_vector starts[] = {
    // 1 + 4 + 8 + 16.
    {"INT16", ON_BOTH,
     "INT16 base0=0x20 ystride0=0x40 zstride0=0x100 wstride0=0x200 y0=2 z0=1 w0=1",
     "d0-31+1: 0000*16", "", "40000: 001d*3"},
    {"INT16 with offset", ON_BOTH, "INT16 ystride0=0x20 y0=3 row=16", "d0-31+1: 0000*16", "",
     "40000: 0013*3"},
    // 1 + 4 + 4 rows of 64 bytes.
    {"INT32", ON_BOTH, "INT32 base0=0x40 ystride0=0x80 zstride0=0x100 y0=2 z0=1",
     "d0-31+1: 00000000*16", "", "40000: 00000009*3"},
    // 1 + 4 + 3 + 8.
    {"INT8", ON_BOTH, "INT8 base0=0x10 ystride0=0x20 zstride0=0x10 y0=2 z0=3 row=8",
     "d0-31+1: 00000000*16", "", "40000: 10*3"},
    {"W", ON_BOTH, "INT16 wstride0=0x20 w0=5", "d0-31+1: 0000*16", "", "40000: 0005*3"},
};

// X: the stride's low four bits count; without a stride X names a column of eight, with a stride of
// two bytes one of sixteen.
static const struct pack_vector columns[] = {
    {"stride 2, X 8", ON_BOTH, "INT16 xstride0=2 x0=8 x1=11", "d0: 0000+16", "",
     "40000: 0008+4 0000*4"},
    {"stride 0x12, X 8", ON_BOTH, "INT16 xstride0=0x12 x0=8 x1=11", "d0: 0000+16", "",
     "40000: 0008+4 0000*4"},
    {"stride 0, X 8", ON_BOTH, "INT16 xstride0=0 x0=8 x1=11", "d0: 0000+16", "",
     "40000: 0000+4 0000*4"},
    {"stride 0, X 3", ON_BOTH, "INT16 xstride0=0 x0=3 x1=6", "d0: 0000+16", "",
     "40000: 0003+4 0000*4"},
    {"stride 0x10, X 11", ON_BOTH, "INT16 xstride0=0x10 x0=11 x1=14", "d0: 0000+16", "",
     "40000: 0003+4 0000*4"},
    {"stride 2, X 11", ON_BOTH, "INT16 xstride0=2 x0=11 x1=14", "d0: 0000+16", "",
     "40000: 000b+4 0000*4"},
    // A row of Dst has ten bits: row 1023 is followed by row 0.
    {"row 1023", ON_WH, "INT16 row=1023 x1=31", "d0: 0000+16; d1023: 7700+16", "",
     "40000: 7700 7701; 4001e: 770f 0000 0001"},
    // Y is no finer than eight datums, and X is: 9 & ~7 and 3.
    {"Y of nine datums", ON_WH, "INT16 ystride0=18 y0=1 x0=3 x1=6", "d0: 0000+16", "",
     "40000: 000b+4"},
    // 24 datums: the mask goes round once and a half. Datums 0, 8 and 16.
    {"24 datums", ON_WH, "INT16 Downsample_mask=0x0101 x1=23", "d0-1+100: 0000+16", "",
     "40000: 0000 0008 0100 0000*5"},
};

// The configuration is that of the bank that the thread's StateID names. A header of thread 1,
// whose StateID is 0, has bank 0's format; source 2, word 1.
static const struct pack_vector banks[] = {
    {"banks", ON_BOTH,
     "INT16 1:In_data_format=INT16 1:Out_data_format=INT16 1:Disable_zero_compress=1 1:out=0x40100 "
     "1:Downsample_mask=2 1:dstacc=INT16 1:mask0=0xffff CFG_STATE_ID_StateID=1",
     "d0: 0000+16", "P Last=1; 40100: 0001 0000*3; CFG_STATE_ID_StateID=0; P Last=1; 40000: 0000+4",
     "1:CFG_STATE_ID_StateID=1 1:Out_data_format=BF16; 1:SETDMAREG SetSignalsMode=1 "
     "Payload_SigSelSize=1 Payload_SigSel=18 RegIndex16b=16; ? 1:gpr8=0x00150000 "
     "s2.0.1=0x00190000"},
};

// Sections 00ff for y 0 and ff00 for y 1.
#define SECTIONS "INT16 mask1=0x00ff mask2=0xff00 rowset0=1,2"
static const struct pack_vector positions[] = {
    // Datums that downsampling discards were fetched: the next row has y 1. Columns 1 and 9, of
    // 00ff and of ff00.
    {"downsampled", ON_BOTH, SECTIONS " Downsample_mask=0x0202", "d0-1+100: 0000+16", "rows 0 1",
     "40000: 0001 0000 0000 0109 0000*4"},
    // The position moves with each datum that is fetched from Dst: not with zeroes, nor from L1,
    // nor with a flush.
    {"y 0", ON_WH, SECTIONS, "d0-1+100: 0000+16",
     "P ZeroWrite=1 Last=1; P Flush=1; from_l1=1; P Last=1; from_l1=0 row=1; P Last=1",
     "40000: 0100+8 0000*4"},
};

#define L1_TO_L1 " from_l1=1 Pack_L1_Acc=1 base0=0x8000"
static const struct pack_vector l1[] = {
    // L1 to L1, added to what is there: 1 + 2, 2 + -2, 5 + -3.
    {"FP32", ON_BOTH, "FP32" L1_TO_L1, "8000: 3f800000 40000000; 40000: 40000000 c0000000", "",
     "40000: 40400000 00000000"},
    {"BF16", ON_BOTH, "BF16" L1_TO_L1, "8000: 3f80 4000; 40000: 4000 c000", "", "40000: 4040 0000"},
    {"FP16", ON_BOTH, "FP16" L1_TO_L1, "8000: 3c00 4000; 40000: 4000 c000", "", "40000: 4200 0000"},
    {"INT32", ON_BOTH, "INT32" L1_TO_L1, "8000: 80000003 7fffffff; 40000: 00000005 00000005", "",
     "40000: 00000002 7fffffff"},
    // Only packer 0 reads L1.
    {"packers 0 and 1", ON_WH, "INT16 from_l1=1 REG8_Source_interface_selection=1",
     "d0: 0000+16; 0000: 1234 5678", "PACR PackSel=1 Last=1; PACR PackSel=2 Last=1",
     "40000: 1234 5678 0000; 50000: 0000 0001 0002"},
};

#define COMPRESS " Disable_zero_compress=0 starts=1"
static const struct pack_vector compressed[] = {
    // Four packers of one PACR: rows 0 and 2 are zero. Flags a packer, bit 0 of each in one word,
    // and sizes that source 8 resets for packers 0 and 2 alone: row starts, four lines of datums
    // and one of counts.
    {"four packers", ON_WH,
     "BF16 row1=1 row2=2 row3=3 REG8_Disable_zero_compress=0 REG8_Row_start_section_size=1 "
     "SEC1_REG1_Disable_zero_compress=0 SEC1_REG1_Row_start_section_size=1 "
     "SEC1_REG8_Disable_zero_compress=0 SEC1_REG8_Row_start_section_size=1" COMPRESS,
     "d0: 0000; d1: 3f81; d2: 0000; d3: 3f83",
     "PACR PackSel=15 Last=1; 40000: 0000 0002 0000; 40010: 0000*3; 40050: 0e 00; 50000: 0000 0002 "
     "0000; 50010: 3f81 0000*2; 50050: 0e 00; 60000: 0000 0002 0000; 60010: 0000*3; 60050: 0e 00; "
     "70000: 0000 0002 0000; 70010: 3f83 0000*2; 70050: 0e 00",
     "? s1.0.0=1 s1.0.1=0 s1.0.2=1 s1.0.3=0 s0.0.0=0x00060006 s0.0.1=0x00060006 s0.0.2=0x00060006 "
     "s0.0.3=0x00060006 s8.5.0=5 s0.0.0=6 s0.0.1=0x00060006 s0.0.2=6 s0.0.3=0x00060006"},
    // A PACR of several rows of Dst is one compression row: 3f80 (15), 0 (14), 0. Zeroes of
    // ZeroWrite are dropped like others, and make a flag: 0 (15), 0 (14), 0.
    {"several rows", ON_WH, "BF16 x1=31" COMPRESS, "d0: 3f80 0000*31",
     "P Last=1; 40000: 0000 0003 0000*2; 40010: 3f80 0000*3; 40050: ef 00*2",
     "P ZeroWrite=1 Last=1; 40010: 0000*4; 40050: ef 00*2; ? s1.0.0=1"},
    {"several rows", ON_BH, "BF16" COMPRESS, "d0: 3f80 0000*31",
     "PACR ReadIntfSel=3 Last=1; 40000: 0000 0003 0000*2; 40010: 3f80 0000*3; 40050: ef 00*2",
     "PACR ReadIntfSel=3 ZeroWrite=1 Last=1; 40010: 0000*4; 40050: ef 00*2; ? s1.0.0=1"},
};

// Above the status is what was stored there; below, empty and full of each packer.
static const struct pack_vector status[] = {
    // Packer 2 is full, and then it is not.
    {"status", ON_WH, "INT16 ffb11038=0x12abcdef", "d0: 0000+16",
     "? ffb11038&ffffff00=0xabcdef00; Enable_out_fifo=1; ? ffb11038=0xabcdef55; "
     "SEC1_REG1_Enable_out_fifo=1; 4*PACR PackSel=4 Last=1; ? ffb11038=0xabcdef65 ffb11230=2 "
     "ffb11234=0 ffb11038=0xabcdef45",
     "P Last=1; ? ffb11038&3=0 ffb11030=2"},
    {"status", ON_BH, "INT16 ffb11038=0x12abcdef", "d0: 0000+16",
     "? ffb11038&ffffff00=0xabcdef00; Enable_out_fifo=1; P Last=1", "? ffb11038&3=0 ffb11030=2"},
};

VECTORS(starts)
VECTORS(columns)
VECTORS(banks)
VECTORS(positions)
VECTORS(l1)
VECTORS(compressed)
VECTORS(status)

int main(void)
{
    const struct CMUnitTest tests[] = {
        VECTORS_TEST(starts),    VECTORS_TEST(columns), VECTORS_TEST(banks),
        VECTORS_TEST(positions), VECTORS_TEST(l1),      VECTORS_TEST(compressed),
        VECTORS_TEST(status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
