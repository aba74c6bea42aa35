// SPDX-License-Identifier: Apache-2.0
// Tile sizes, tile headers and the metadata FIFO of the packers, worked by hand from the ISA pages
// by a reader who had not seen the code. Pages: SETDMAREG_Special, TDMA-RISC; decision 27.

#include "rig/pack_vectors_rig.h"

// Sixteen BF16 are two lines of 16 bytes.
#define TWO_LINES "d0: 3f80 4000 c000"

// Source 0: the size of the last tile, and above it the sum of this thread's tiles.
static const struct pack_vector sizes[] = {
    // Without Last there is no tile yet; 6 + 2 + 1 with a tile header; a flush ends no tile.
    {"sizes", ON_BOTH, "BF16", TWO_LINES,
     "P Last=1; ? s0.0.0=0x00020002; P; P Last=1; ? s0.0.0=0x00060004; Add_tile_header_size=1; P "
     "Last=1; ? s0.0.0=0x00090002",
     "Add_tile_header_size=0; P; P Flush=1; ? s0.0.0&ffff0000=0x00090000"},
    // Thread 1's tile, eight datums, one line: thread 0 has its own sum, and a last tile of 0.
    // PackerTileSize(0, 0) and AccTileSize[0] of threads 0, 1 and 2. A store resets: bit 16 is
    // packer 0, all threads, but not the last size, which is no sum; the low half is its L1 offset,
    // which counts if it is asked for: 0x20 lines. Without bit 16 nothing changes.
    {"threads", ON_BOTH, "BF16 1:x1=7", TWO_LINES,
     "P Last=1; 1:P Last=1; ? s0.0.0=0x00020000; ? ffb11018=0 ffb1101c=2 ffb11058=1 ffb1105c=1 "
     "ffb11098=0 ffb1109c=0; ffb1101c=0x00010020; ? ffb1101c=0 ffb1105c=0 ffb11058=1",
     "P Last=1; 40200: 0000*2; Add_l1_dest_addr_offset=1; P Last=1; 40200: 3f80 4000 c000 0000; "
     "ffb1101c=0x00020000; ? ffb1101c=4"},
    // Source 8 resets the sums of the packers that WhichPackers names, and nothing else.
    {"reset", ON_BOTH, "BF16", TWO_LINES,
     "P Last=1; ? s8.14.0 s0.0.0=0x00020002 s8.1.0 s0.0.0=0x00000002 ffb1101c=0; P Last=1",
     "? s0.0.0=0x00020002"},
    // A line of exponents and a line of datums. The header: BFP8, zero compression disabled.
    {"blocks", ON_BOTH, "BF16>BFP8 exponents=1", "d0: 3f80", "",
     "? s0.0.0=0x00020002 s2.0.1=0x00160000"},
};

#define SPECIAL "SETDMAREG SetSignalsMode=1 "
#define NINES " gpr9=0x99999999 gpr10=0x99999999"
static const struct pack_vector headers[] = {
    // The header of packer 0's tile: size 2 + 1; BF16 (5) at bit 16 and the disabled compression at
    // bit 20 of the second word; no flags. Payload_SigSel is 8 * source + half.
    // 128 bits; then reserved bits stay: 31:16, then 15:0 and 31:24, then all.
    {"128 bits", ON_BOTH, "BF16", TWO_LINES,
     "P Last=1; gpr8=0x99999999 gpr11=0x99999999" NINES "; " SPECIAL
     "Payload_SigSelSize=2 Payload_SigSel=16 RegIndex16b=16; ? gpr8=3 gpr9=0x00150000 gpr10=0 "
     "gpr11=0",
     "gpr8=0xffffffff gpr9=0xffffffff gpr10=0xffffffff gpr11=0xffffffff; " SPECIAL
     "Payload_SigSelSize=3 Payload_SigSel=16 RegIndex16b=16; ? gpr8=0xffff0003 gpr9=0xff15ffff "
     "gpr10=0 gpr11=0xffffffff"},
    // Half 3 of the header to half 17, the upper one of GPR 8; half 0 to the lower half of GPR 11;
    // word 1 to GPR 9.
    {"parts", ON_BOTH, "BF16", TWO_LINES,
     "P Last=1; gpr8=0x99999999 gpr11=0x99999999" NINES "; " SPECIAL
     "Payload_SigSelSize=0 Payload_SigSel=19 RegIndex16b=17; ? gpr8=0x00159999 "
     "gpr11=0x99999999" NINES "; " SPECIAL "Payload_SigSelSize=0 Payload_SigSel=16 RegIndex16b=22; "
     "? gpr8=0x00159999 gpr11=0x99990003" NINES,
     "gpr8=0x99999999 gpr11=0x99999999" NINES "; " SPECIAL
     "Payload_SigSelSize=1 Payload_SigSel=18 RegIndex16b=18; ? gpr8=0x99999999 gpr9=0x00150000 "
     "gpr10=0x99999999 gpr11=0x99999999"},
    // 23 >> 1 = 11, & 0x3c = 8. No source 10: zeroes.
    {"groups", ON_BOTH, "BF16", TWO_LINES,
     "P Last=1; " SPECIAL "Payload_SigSelSize=2 Payload_SigSel=0 RegIndex16b=23; ? gpr8=0x00020002",
     SPECIAL
     "Payload_SigSelSize=2 Payload_SigSel=80 RegIndex16b=16; ? gpr8=0 gpr9=0 gpr10=0 gpr11=0"},
    // The other packers' headers and sizes: packer 1 has 64 bytes, 4 + 1; packer 0 has 0 + 1.
    {"packer 1", ON_WH, "BF16 REG8_Out_data_format=FP32", TWO_LINES, "PACR PackSel=2 Last=1",
     "? s3.0.0=5 s3.0.1=0x00100000 s2.0.0=1 s0.0.1=0x00040004 ffb11118=4 ffb1111c=4 ffb11218=0"},
    // Blackhole has no other packer.
    {"packer 1", ON_BH, "BF16", TWO_LINES,
     SPECIAL "Payload_SigSelSize=1 Payload_SigSel=24 RegIndex16b=16", "found setdmareg-packer"},
};

// Last pushes size and flags if the packer has Enable_out_fifo; four fit (decision 27). Status: two
// bits a packer, empty and full; PackRegAddrRaw is above.
static const struct pack_vector metadata[] = {
    // Not enabled, then no tile yet, then four lines and three of two lines: full. A tile of one
    // line is dropped. A look at ffb11030 takes nothing; flags are at ffb11034, and the entry is
    // gone with them; a store there pops too. The fourth is the last.
    {"FIFO", ON_BOTH, "BF16", TWO_LINES,
     "? ffb11038&3=1; P Last=1; ? ffb11038&3=1; Enable_out_fifo=1; P; ? ffb11038&3=1; P Last=1; ? "
     "ffb11038&3=0; P Last=1; ? ffb11038&3=0; P Last=1; ? ffb11038&3=0; P Last=1; ? ffb11038&3=2; "
     "x0=0 x1=7; P Last=1",
     "? ffb11030=4 ffb11030=4 ffb11034=0 ffb11030=2 ffb11038&3=0; ffb11034=7; ? ffb11034=0 "
     "ffb11030=2 ffb11034=0 ffb11038&3=1 ffb11034; found metadata-fifo-empty"},
    // With compression an entry has its tile's flags: rows 0 and 2 are zero, then none.
    {"flags", ON_BOTH, "BF16 Disable_zero_compress=0 starts=1 Enable_out_fifo=1",
     "d0: 0000; d1: 3f80", "P; row=1; P; row=0; P Last=1; row=1; P Last=1",
     "? ffb11030 ffb11034=5 ffb11034=0 ffb11038&3=1"},
};

VECTORS(sizes)
VECTORS(headers)
VECTORS(metadata)

int main(void)
{
    const struct CMUnitTest tests[] = {
        VECTORS_TEST(sizes),
        VECTORS_TEST(headers),
        VECTORS_TEST(metadata),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
