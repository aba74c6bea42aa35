// SPDX-License-Identifier: Apache-2.0
// Where PACR reads and whose counters it uses, worked by hand from the ISA pages by a reader who
// had not seen the code: L1 as the source, ZeroWrite, Flush, OvrdThreadId, and the selection of
// packers.
// Pages: Packers/InputAddressGenerator, Packers/OutputAddressGenerator, Packers/README, PACR.

#include "rig/pack_vectors_rig.h"

#define ROWS "d0-63+100: 0000+16" // datum c of row r is 0x100 r + c
#define WORDS "3f80 bf80 0001 8000 7fc1 4000 4040 4080 1234 5678 9abc def0 1111 2222 3333 4444"
#define L1 " from_l1=1 base0=0x8000"

static const struct pack_vector from_l1[] = {
    // No early conversion, mask, ReLU or threshold is on the way from L1: denormals and NaN stay.
    {"BF16", ON_BOTH, "BF16 mask0=0 relu=1 Exp_threshold_en=1 threshold=255" L1, "8000: " WORDS, "",
     "40000: " WORDS},
    {"FP16", ON_BOTH, "FP16 mask0=0 relu=1 Exp_threshold_en=1 threshold=255" L1, "8000: " WORDS, "",
     "40000: " WORDS},
    {"INT16", ON_BOTH, "INT16 mask0=0 relu=1 Exp_threshold_en=1 threshold=255" L1, "8000: " WORDS,
     "", "40000: " WORDS},
    // 32 bits: two halves a datum, low half first.
    {"FP32", ON_BOTH, "FP32 x1=7" L1, "8000: " WORDS, "",
     "40000: bf803f80 80000001 40007fc1 40804040 56781234 def09abc 22221111 44443333"},
    {"INT32", ON_BOTH, "INT32 x1=7" L1, "8000: " WORDS, "",
     "40000: bf803f80 80000001 40007fc1 40804040 56781234 def09abc 22221111 44443333"},
    // Eight bits, and the late conversions.
    {"INT8", ON_BOTH, "INT8" L1, "8000: 3f80 bf80 0001 8000 7fc1 4000 4040 4080", "",
     "40000: bf803f80 80000001 40007fc1 40804040"},
    {"FP8", ON_BOTH, "FP8" L1, "8000: 3f80 bf80 0001 8000 7fc1 4000 4040 4080", "",
     "40000: bf803f80 80000001 40007fc1 40804040"},
    // FP32 to BF16 truncates: the high halves.
    {"FP32 to BF16", ON_BOTH, "FP32>BF16 x1=7" L1, "8000: 3f80ffff c0008000 40491234", "",
     "40000: 3f80 c000 4049 0000"},
    // BF16 to BFP8: 127, 128: (128 + 2) / 4 and (128 + 1) / 2.
    {"BF16 to BFP8", ON_BOTH, "BF16>BFP8 exponents=1" L1, "8000: 3f80 4000 bf80", "",
     "40000: 80 00; 40010: 20 40 a0 00"},
    // BFP8 in L1: sign and magnitude, exponent 0. Out as BF16, which keeps denormals: c5 is 8045.
    {"BFP8 without exponents", ON_BOTH, "BFP8>BF16" L1, "8000: c5 45 00 80", "",
     "40000: 8045 0045 0000 8000"},
    // The address: X alone is finer than 16 bytes; the bits above 18 are L1_source_addr's. X 3 of
    // 16 bits, X stride 0: 0x8000 + 2 * 3.
    {"X 3", ON_BOTH, "INT16 x0=3 x1=10" L1, "8000: " WORDS, "",
     "40000: 8000 7fc1 4000 4040 4080 1234 5678 9abc"},
    // 0x900b: its low four bits are dropped. Source 1 is 0x40000 above.
    {"source 1", ON_BOTH, "INT16 from_l1=1 base0=0x900b L1_source_addr=1", "49000: " WORDS, "",
     "40000: 3f80 bf80 0001 8000"},
    // Y 2 of 0x20 bytes, and X 8 with a stride of two bytes: 0x8000 + 0x40 + 0x10 + 2 * (8 & 7).
    {"Y 2, X 8", ON_BOTH, "INT16 ystride0=0x20 xstride0=2 y0=2 x0=8 x1=15" L1, "8040: " WORDS, "",
     "40000: 1234 5678 9abc def0 1111 2222 3333 4444"},
    // Downsampling is on this way too.
    {"downsampled", ON_BOTH, "INT16 Downsample_mask=0x0102" L1, "8000: " WORDS, "",
     "40000: bf80 1234 0000*6"},
};

// Zeroes, as many as X says, whatever Dst holds.
static const struct pack_vector zeroes[] = {
    {"16 datums", ON_BOTH, "INT16", "d0-3+100: 0000+16; 40000: ee*96", "P ZeroWrite=1 Last=1",
     "40000: 00000000*8 ee"},
    // Half a line, then datums of Dst after them.
    {"then Dst", ON_BOTH, "INT16 x1=3", "d0-3+100: 0000+16; 40000: ee*96",
     "P ZeroWrite=1; x0=1 x1=4; P Last=1", "40000: 0000*4 0001+4"},
    // Masks and minus infinity are for datums of Dst.
    {"no edge", ON_BOTH, "BF16 infinity=1 mask0=0", "40000: ee*32", "P ZeroWrite=1 Last=1",
     "40000: 00000000*8"},
    // A block of zeroes has exponent 0.
    {"block", ON_BOTH, "BF16>BFP8 exponents=1", "40000: ee*48", "P ZeroWrite=1 Last=1",
     "40000: 00000000*8 ee"},
    // Zeroes accumulated leave what is there.
    {"accumulated", ON_BOTH, "BF16 Pack_L1_Acc=1", "40000: 3f80 c000", "P ZeroWrite=1 Last=1",
     "40000: 3f80 c000 0000*2"},
    // Flush packs nothing, fills the line up and makes the next PACR take a fresh address. Half
    // a line stays inside; four datums are asked for, none is packed; then nothing is left.
    {"flush", ON_BOTH, "INT16 xstride0=2 x0=1 x1=4", "d0: 0000+16; 40000: ee*64",
     "P; 40000: eeeeeeee*4; P Flush=1; 40000: 0001+4 0000*4 eeee*2; P Flush=1; 40010: "
     "eeee*2", // X 8 is column 8: a fresh address; then appended: no Last or Flush before.
     "out=0x40100 x0=8 x1=15; P; 40100: 0008+8; out=0x40200 x0=0 x1=7; P; 40110: 0000+8; P "
     "Flush=1; P Last=1; 40200: 0000+8"},
};

// Thread t's counters stand at row t + 1; rows have 32 bytes. The counters of the context are used
// and advanced, with the address modifier of the thread that issued; context 3 is 0. The context is
// an operand on Blackhole, where rows of one interface are groups of four, and a field on Wormhole.
#define THREADS                                                                                    \
    "INT16 ystride0=32 1:x1=15 2:x1=15 SEC0_YsrcIncr=4 1:SEC0_YsrcIncr=5 2:SEC0_YsrcIncr=6 y0=1 "  \
    "1:y0=2 2:y0=3"
static const struct pack_vector contexts[] = {
    {"thread 0, context 2", ON_WH, THREADS " Addr_cnt_context=2", ROWS, "0:P OvrdThreadId=1 Last=1",
     "40000: 0300+3; ? y0=1 1:y0=2 2:y0=7"},
    {"thread 0, context 2", ON_BH, THREADS " y0=4 1:y0=8 2:y0=12", ROWS,
     "0:P OvrdThreadId=1 AddrCntContext=2 Last=1", "40000: 0c00+3; ? y0=4 1:y0=8 2:y0=16"},
    {"thread 1, context 0", ON_WH, THREADS " Addr_cnt_context=0", ROWS, "1:P OvrdThreadId=1 Last=1",
     "40000: 0100+3; ? y0=6 1:y0=2 2:y0=3"},
    {"thread 1, context 0", ON_BH, THREADS " y0=4 1:y0=8 2:y0=12", ROWS,
     "1:P OvrdThreadId=1 AddrCntContext=0 Last=1", "40000: 0400+3; ? y0=9 1:y0=8 2:y0=12"},
    {"thread 1, context 3", ON_WH, THREADS " Addr_cnt_context=3", ROWS, "1:P OvrdThreadId=1 Last=1",
     "40000: 0100+3; ? y0=6 1:y0=2 2:y0=3"},
    {"thread 1, context 3", ON_BH, THREADS " y0=4 1:y0=8 2:y0=12", ROWS,
     "1:P OvrdThreadId=1 AddrCntContext=3 Last=1", "40000: 0400+3; ? y0=9 1:y0=8 2:y0=12"},
    {"thread 2, context 1", ON_WH, THREADS " Addr_cnt_context=1", ROWS, "2:P OvrdThreadId=1 Last=1",
     "40000: 0200+3; ? y0=1 1:y0=8 2:y0=3"},
    {"thread 2, context 1", ON_BH, THREADS " y0=4 1:y0=8 2:y0=12", ROWS,
     "2:P OvrdThreadId=1 AddrCntContext=1 Last=1", "40000: 0800+3; ? y0=4 1:y0=14 2:y0=12"},
    {"thread 1, context 2 not asked for", ON_WH, THREADS " Addr_cnt_context=2", ROWS,
     "1:P OvrdThreadId=0 Last=1", "40000: 0200+3; ? y0=1 1:y0=7 2:y0=3"},
    {"thread 1, context 2 not asked for", ON_BH, THREADS " y0=4 1:y0=8 2:y0=12", ROWS,
     "1:P OvrdThreadId=0 AddrCntContext=2 Last=1", "40000: 0800+3; ? y0=4 1:y0=13 2:y0=12"},
    {"thread 0, context 0", ON_WH, THREADS " Addr_cnt_context=0", ROWS, "0:P OvrdThreadId=1 Last=1",
     "40000: 0100+3; ? y0=5 1:y0=2 2:y0=3"},
    {"thread 0, context 0", ON_BH, THREADS " y0=4 1:y0=8 2:y0=12", ROWS,
     "0:P OvrdThreadId=1 AddrCntContext=0 Last=1", "40000: 0400+3; ? y0=8 1:y0=8 2:y0=12"},
    // The number of datums is of the same counters: X 2, 3, 4.
    {"three datums", ON_WH, THREADS " Addr_cnt_context=1 1:y0=4 1:x0=2 1:x1=4",
     ROWS "; 40000: ee*32", "P OvrdThreadId=1 Last=1", "40000: 0402+3 0000*5 eeee"},
    {"three datums", ON_BH, THREADS " 1:y0=4 1:x0=2 1:x1=4", ROWS "; 40000: ee*32",
     "P OvrdThreadId=1 AddrCntContext=1 Last=1", "40000: 0402+3 0000*5 eeee"},
    // Each packer has a context of its own: 1, 2, 2 and 3, which is 0; a set of counters moves once
    // however many use it. Packer 2 starts 16 rows further.
    {"packers", ON_WH,
     THREADS " row2=16 Addr_cnt_context=1 REG8_Addr_cnt_context=2 SEC1_REG1_Addr_cnt_context=2 "
             "SEC1_REG8_Addr_cnt_context=3",
     ROWS, "PACR PackSel=15 OvrdThreadId=1 Last=1",
     "40000: 0200 0201; 50000: 0300 0301; 60000: 1300 1301; 70000: 0100 0101; ? y0=5 1:y0=6 "
     "2:y0=7"},
};

// Which packers work: packer i reads from row 16 i on and writes 0x10000 i further.
#define PACKERS "INT16 row1=16 row2=32 row3=48"
static const struct pack_vector selections[] = {
    {"PackSel 0", ON_WH, PACKERS, ROWS, "PACR PackSel=0 Last=1",
     "40000: 0000 0001; 50000: --; 60000: --; 70000: --"},
    {"PackSel 2", ON_WH, PACKERS, ROWS, "PACR PackSel=2 Last=1",
     "40000: --; 50000: 1000 1001; 60000: --; 70000: --"},
    {"PackSel 4", ON_WH, PACKERS, ROWS, "PACR PackSel=4 Last=1",
     "40000: --; 50000: --; 60000: 2000 2001; 70000: --"},
    {"PackSel 8", ON_WH, PACKERS, ROWS, "PACR PackSel=8 Last=1",
     "40000: --; 50000: --; 60000: --; 70000: 3000 3001"},
    {"PackSel 12", ON_WH, PACKERS, ROWS, "PACR PackSel=12 Last=1",
     "40000: --; 50000: --; 60000: 2000 2001; 70000: 3000 3001"},
};

// Undefined: at least one of packers 0 and 2, and no other.
static void undefined_selection(void **state)
{
    (void)state;
    tsr_tile *tile = pack_tile(WH, TSR_PROFILE_SILICON, INT16, INT16, false);
    dst_count(tile, 0);
    tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC1_Offset, 16);
    tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC2_Offset, 32);
    tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC3_Offset, 48);
    tile_do(tile, 0, "PACR PackSel=5 Last=1");
    assert_non_null(tile_found(tile, "pack-selection"));
    bool zero = was_written(tile, OUT, 32), two = was_written(tile, OUT + 0x20000, 32);
    assert_true(zero || two);
    assert_false(was_written(tile, OUT + 0x10000, 32) || was_written(tile, OUT + 0x30000, 32));
    if (zero)
        assert_int_equal(out_at(tile, OUT, 4), 0x00010000);
    if (two)
        assert_int_equal(out_at(tile, OUT + 0x20000, 4), 0x02010200);
    tsr_tile_destroy(tile);
}

VECTORS(from_l1)
VECTORS(zeroes)
VECTORS(contexts)
VECTORS(selections)

int main(void)
{
    const struct CMUnitTest tests[] = {
        VECTORS_TEST(from_l1),
        VECTORS_TEST(zeroes),
        VECTORS_TEST(contexts),
        VECTORS_TEST(selections),
        cmocka_unit_test(undefined_selection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
