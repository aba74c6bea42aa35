// SPDX-License-Identifier: Apache-2.0
// Compression in PACR, worked by hand from the ISA pages by a reader who had not seen the code.
// Row starts (16 bits each, one more than rows), then exponents of block formats, then groups of 32
// datums followed by their 32 counts of four bits. The first datum's count is the low half of the
// first byte.
// Pages: Packers/Compression, Packers/OutputAddressGenerator, TDMA-RISC; decision 11: a zero is
// dropped unless it is the first or the last of its row or the count before it is already 15.

#include "rig/pack_vectors_rig.h"

// Row starts in one line, exponents (if the output has a section for them) in the next.
#define COMPRESS " Disable_zero_compress=0 starts=1 exponents=1"

// One row of sixteen datums. BF16: datums at 40010, counts 32 * 2 = 64 bytes after. Decision 1: the
// mode is recorded.
static const struct pack_vector one_row[] = {
    // Zeroes 1 and 2 belong to datum 0, 4 to 14 (eleven) to datum 3; 15 is the last and stays.
    {"some", ON_BOTH, "BF16" COMPRESS, "d0: 3f80 0000 0000 4000", "",
     "40000: 0000 0003 0000*4; 40010: 3f80 4000 0000 0000; 40050: b2 00*7; found legacy-mode"},
    // All zero: the first stays with fourteen after it, and the last.
    {"all zero", ON_BOTH, "BF16" COMPRESS, "d0: 0000", "",
     "40000: 0000 0002 0000*4; 40010: 0000*4; 40050: 0e 00*7; found legacy-mode"},
    // No zero.
    {"none", ON_BOTH, "BF16" COMPRESS, "d0: 3f80+16", "",
     "40000: 0000 0010 0000*4; 40010: 3f80+16; 40050: 00*8; found legacy-mode"},
    // A zero first: it stays, with two after it. 4 to 14 are eleven again.
    {"zero first", ON_BOTH, "BF16" COMPRESS, "d0: 0000*3 c000 0000*11 3f80", "",
     "40000: 0000 0003 0000*4; 40010: 0000 c000 3f80 0000; 40050: b2 00*7; found legacy-mode"},
    // FP32: 32 * 4 = 128 bytes of datums. Zeroes 1 to 3, then 5 to 14.
    {"FP32", ON_BOTH, "FP32" COMPRESS, "d0: 3f800001 00000000*3 40000000", "",
     "40000: 0000 0003 0000*4; 40010: 3f800001 40000000 00000000*2; 40090: a3 00*7; found "
     "legacy-mode"},
    // counts 3, 0, 9, 0
    {"INT32", ON_BOTH, "INT32" COMPRESS, "d0: 00000001 00000000*3 80000002 00000003", "",
     "40000: 0000 0004 0000*4; 40010: 00000001 80000002 00000003 00000000*2; 40090: 03 09 00*6; "
     "found legacy-mode"},
    // counts 0, 1, 11, 0
    {"INT16", ON_BOTH, "INT16" COMPRESS, "d0: 0007 0008 0000 0009", "",
     "40000: 0000 0004 0000*4; 40010: 0007 0008 0009 0000 0000; 40050: 10 0b 00*6; found "
     "legacy-mode"},
    // INT8 has an exponent section but no exponents: data at 32, counts 32 bytes later.
    // counts 5, 8, 0
    {"INT8", ON_BOTH, "INT8" COMPRESS, "d0: 00000005 00000000*5 80000006", "",
     "40000: 0000 0003 0000*4; 40020: 05 86 00 00; 40040: 85 00*7; found legacy-mode"},
    // BFP8: X = 128; 3f80 (128 + 2) / 4, 4000 (128 + 1) / 2. Zeroes 1 to 6, 8 to 14.
    {"BFP8", ON_BOTH, "BF16>BFP8" COMPRESS, "d0: 3f80 0000*6 4000 0000*7 3f80", "",
     "40000: 0000 0003 0000*4; 40020: 20 40 20 00; 40040: 76 00*7; found legacy-mode"},
    // BFP4: 32 * 4 bits = 16 bytes. Two datums of 4 in one byte.
    {"BFP4", ON_BOTH, "BF16>BFP4" COMPRESS, "d0: 3f80 0000*14 3f80", "",
     "40000: 0000 0002 0000*4; 40020: 44 00; 40030: 0e 00*7; found legacy-mode"},
    // Zero is what is +0 after the late conversion: FP32's denormal is flushed on its way to BF16.
    {"flushed late", ON_BOTH, "FP32>BF16" COMPRESS, "d0: 3f800000 00000001 00000000*13 40000000",
     "", "40000: 0000 0002 0000*4; 40010: 3f80 4000 0000; 40050: 0e 00*7; found legacy-mode"},
    {"exponent of BFP8", ON_BOTH, "BF16>BFP8" COMPRESS, "d0: 3f80 0000*6 4000 0000*7 3f80", "",
     "40010: 80 00*3"},
    // -0 is not dropped: counts 0 after 3f80, 13 after -0.
    {"-0", ON_BOTH, "BF16 raw=1" COMPRESS, "d0: 3f80 8000", "",
     "40000: 0000 0003; 40010: 3f80 8000 0000*2; 40050: d0 00 00"},
    // Downsampling is before: eight of sixteen, 3f80, six zeroes, 4000. Starts 0, 2.
    {"downsampled", ON_BOTH, "BF16 Downsample_mask=0x00ff" COMPRESS, "d0: 3f80 0000*6 4000 4040",
     "", "40000: 0000 0002 0000; 40010: 3f80 4000 0000; 40050: 06 00 00"},
    // Two bits a datum: 32 of them are half a line. The going-on of the finding fills that line.
    {"BFP2", ON_BOTH, "BF16>BFP2" COMPRESS, "d0: 4000 0000*14 4000", "",
     "found pack-compression; 40000: 0000 0002; 40010: 80 00; 40020: 05 00*3; 40030: 0e 00 00"},
};

// Each PACR is a row.
static const struct pack_vector several_rows[] = {
    // 3f80 (14), 0 | 0 (14), 4000. Starts 0, 2, 4. No row is all zero: no flag.
    {"two rows", ON_BOTH, "BF16" COMPRESS, "d0: 3f80 0000*30 4000", "rows 0 1",
     "40000: 0000 0002 0004 0000 0000; 40010: 3f80 0000 0000 4000 0000; 40050: 0e 0e 00; ? "
     "s1.0.0=0"},
    // Concat: one row of 32. Zeroes 1 to 15 go to datum 0, 16 stays because the count is full, 17
    // to 30 (fourteen) go to it, 31 is the last. Starts 0, 3.
    {"Concat", ON_BOTH, "BF16" COMPRESS, "d0: 3f80 0000*31", "P Concat=1; row=1; P Last=1",
     "40000: 0000 0003 0000*2; 40010: 3f80 0000*3; 40050: ef 00 00"},
    // A row of 32 and one of 16: 3f80 (15), 0 (14), 0 | 0 (13), 4000, 4000; starts 0, 3, 6.
    {"Concat, then a row", ON_BOTH, "BF16" COMPRESS, "d0: 3f80 0000*45 4000 4000",
     "P Concat=1; row=1; P; row=2; P Last=1",
     "40000: 0000 0003 0006 0000; 40010: 3f80 0000*3 4000 4000 0000; 40050: ef d0 00 00"},
    // The end of the first PACR is not the end of the row: 3f80 (15), 0 (0), 4000 (13), 0.
    {"across", ON_BOTH, "BF16" COMPRESS, "d0: 3f80 0000*16 4000", "P Concat=1; row=1; P Last=1",
     "40000: 0000 0004 0000; 40010: 3f80 0000 4000 0000 0000; 40050: 0f 0d 00"},
    // 34 augmented datums: a group of 32 with its counts (80 bytes), then two, padding for 30, and
    // counts. The third row is 4000 (14), 4080.
    {"two groups", ON_BOTH, "BF16" COMPRESS, "d0: 3f80+32 4000 0000*14 4080; 40000: ee*256",
     "rows 0 2",
     "40000: 0000 0010 0020 0022 0000*4; 40010: 3f80 3f81; 4004e: 3f9f; 40050: 00000000*4; 40060: "
     "4000 4080 0000*2; 4009c: 0000*2; 400a0: 0e 00*7; 400b0: ee*2"},
    // Nine rows have ten row starts, which are two lines; each row is 3f80 (14), 0.
    {"nine rows", ON_BOTH, "BF16 Disable_zero_compress=0 starts=2 exponents=1", "d0: 3f80",
     "8*P; P Last=1",
     "40000: 0000 0002 0004 0006 0008 000a 000c 000e 0010 0012 0000*6; 40020: 3f80 0000 3f80 0000 "
     "3f80 0000 3f80 0000; 40060: 0e*9 00*2"},
    // Blocks are of augmented datums, across rows: sixteen of 3f80 with exponent 127, 0x40 each;
    // then 4000 (14) and 4080: X = 129, (128 + 2) / 4 and (128 + 1) / 2.
    {"blocks", ON_BOTH, "BF16>BFP8" COMPRESS, "d0: 3f80*16 4000 0000*14 4080", "rows 0 1",
     "40000: 0000 0010 0012 0000; 40010: 7f 81 00; 40020: 40*3; 40030: 20 40 00; 40040: 00*8 0e "
     "00"},
    // A section that Last closed: the next tile has its own row starts, from 0.
    {"next tile", ON_BOTH, "BF16" COMPRESS, "d0: 3f80 0000*30 4000",
     "P Last=1; out=0x40100 row=1; P Last=1",
     "40000: 0000 0002 0000; 40100: 0000 0002 0000; 40110: 0000 4000 0000"},
};

// A bit a row, set where all of it is zero; of the tile that is packed.
static const struct pack_vector flags[] = {
    // Rows 0 and 2: source 1; bit 0 of packer 0's flags in source 8; in the tile header; and
    // through TDMA-RISC. The next tile is one row, not zero. A row of two PACRs has one bit: 0, 0 |
    // 0, 4000 | 0.
    {"flags", ON_BOTH, "BF16" COMPRESS, "d0: 0000; d1: 0000*8 3f80; d2: 0000; d3: 0000*15 4000",
     "rows 0 2; ? s1.0.0=5 s8.0.0=1 s2.0.2=5 ffb11020=5; row=3; P Last=1; ? s1.0.0=0",
     "row=0; P Concat=1; row=2; P; row=0; P Concat=1; row=3; P; row=2; P Last=1; ? s1.0.0=5"},
    // All_pack_disable_zero_compress, bit i for packer i, replaces the packer's own bit. Bit 20 of
    // the tile header's second word is DisableZeroCompression.
    {"override 1 by 0", ON_WH,
     "BF16 starts=1 exponents=1 Disable_zero_compress=1 All_pack_disable_zero_compress_ovrd=1 "
     "All_pack_disable_zero_compress=0xe",
     "d0: 3f80 0000 4000", "", "40000: 0000 0003; 40010: 3f80 4000 0000; ? s2.0.1&100000=0"},
    {"override 0 by 1", ON_WH,
     "BF16 starts=1 exponents=1 Disable_zero_compress=0 All_pack_disable_zero_compress_ovrd=1 "
     "All_pack_disable_zero_compress=1",
     "d0: 3f80 0000 4000", "", "40000: 3f80 0000 4000 0000; ? s2.0.1&100000=0x100000"},
    {"override 0 by 0", ON_WH,
     "BF16 starts=1 exponents=1 Disable_zero_compress=0 All_pack_disable_zero_compress_ovrd=1 "
     "All_pack_disable_zero_compress=0xe",
     "d0: 3f80 0000 4000", "", "40000: 0000 0003; 40010: 3f80 4000 0000; ? s2.0.1&100000=0"},
};

VECTORS(one_row)
VECTORS(several_rows)
VECTORS(flags)

int main(void)
{
    const struct CMUnitTest tests[] = {
        VECTORS_TEST(one_row),
        VECTORS_TEST(several_rows),
        VECTORS_TEST(flags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
