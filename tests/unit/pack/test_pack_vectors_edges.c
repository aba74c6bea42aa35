// SPDX-License-Identifier: Apache-2.0
// PACR's edge masks, worked by hand from the ISA pages by a reader who had not seen the code: face
// sets, minus infinity, and the tile position on both chips.
// Pages: Packers/EdgeMasking, Packers/README (order of the stages), Blackhole's PACR; decision 21.

#include "rig/pack_vectors_rig.h"

// INT16 rows of all ones, 0x7777: what is left of a row shows its mask.
#define ONES "INT16 mask1=0x00ff mask2=0x0f0f mask3=0x8001 "
#define S0 " 7777*16"
#define S1 " 7777*8 0000*8"
#define S2 " 7777*4 0000*4 7777*4 0000*4"
#define S3 " 7777 0000*14 7777"
#define FACES " FACE_SET_SELECT_enable=1 FACE_SET_SELECT_select="

static const struct pack_vector faces[] = {
    // Two rows a plane. Face set 1 maps z 0 to row set 2 and z 1 to row set 3; row set 2 has
    // sections 1, 0 for y 0, 1, and row set 3 has 3, 2. The row set select (1) has no say.
    {"faces", ON_BOTH,
     ONES "plane=2 ROW_SET_SELECT_select=1 faceset1=2,3 rowset2=1,0 rowset3=3,2" FACES "1",
     "d0-3: 7777*16", "rows 0 3", "40000:" S1 S0 S3 S2},
    // ZOffset 14 with one row a plane: z is 14, 15, 16 & 15 = 0, 1. Face set 0 maps those to row
    // sets 1, 0, 2, 3, and row set k has section k for y 0.
    {"z offset", ON_BOTH,
     ONES "plane=1 DEST_TARGET_REG_CFG_PACK_SEC0_ZOffset=14 faceset0=2,3,0,0,0,0,0,0,0,0,0,0,0,0,1 "
          "rowset0=0 rowset1=1 rowset2=2 rowset3=3" FACES "0",
     "d0-3: 7777*16", "rows 0 3", "40000:" S1 S0 S2 S3},
    // Not enabled: the face sets have no say, the row set of the packer's two select bits has.
    {"faces off", ON_BOTH,
     ONES "FACE_SET_SELECT_select=1 ROW_SET_SELECT_select=3 faceset1=0 rowset3=2,3,1",
     "d0-2: 7777*16", "rows 0 2", "40000:" S2 S3 S1},
    // Packers 1 and 2 have select bits 3:2 and 5:4, their own rows, positions and planes: 0x24 is
    // face set 1 for packer 1 (z 0, 1: row sets 1, 2; y 0: sections 3, 2) and face set 2 for packer
    // 2 (z 0: row set 3; y 0, 1: sections 1, 0).
    {"faces of packers", ON_WH,
     ONES "plane=1 PACK_COUNTERS_SEC1_pack_reads_per_xy_plane=1 "
          "PACK_COUNTERS_SEC2_pack_reads_per_xy_plane=2 row1=16 row2=32 x1=31 faceset1=1,2 "
          "faceset2=3,3 rowset1=3 rowset2=2 rowset3=1,0" FACES "0x24",
     "d0-127: 7777*16", "PACR PackSel=2 Last=1; PACR PackSel=4 Last=1",
     "50000:" S3 S2 "; 60000:" S1 S0},
};

#define TRANSPOSED " PACK_COUNTERS_SEC0_pack_yz_transposed=1"
static const struct pack_vector positions[] = {
    // Z counts before Y, and wraps at pack_reads_per_xy_plane: rows are (y, z) = (0, 0), (0, 1),
    // (1, 0), (1, 1). By rows: y 0 is section 1, y 1 is section 2.
    {"transposed rows", ON_BOTH, ONES "plane=2 rowset0=1,2" TRANSPOSED, "d0-3: 7777*16", "rows 0 3",
     "40000:" S1 S1 S2 S2},
    // By faces: z 0, 1 are row sets 0, 1, with sections 1, 2 and 3, 0.
    {"transposed faces", ON_BOTH,
     ONES "plane=2 faceset0=0,1 rowset0=1,2 rowset1=3,0" TRANSPOSED FACES "0", "d0-3: 7777*16",
     "rows 0 3", "40000:" S1 S3 S2 S0},
    // Three planes: y steps with every third row. y 0, 1 are sections 3, 1.
    {"three planes", ON_BOTH, ONES "plane=3 rowset0=3,1" TRANSPOSED, "d0-4: 7777*16", "rows 0 4",
     "40000:" S3 S3 S3 S1 S1},
    // The position begins again after Last (docs/errata.md 64). Two rows a plane: each tile's row
    // has
    // y 0, and the second row of the third tile y 1.
    {"position begins", ON_BOTH, ONES "plane=2 rowset0=1,2", "d0-1: 7777*16",
     "P Last=1; out=0x40100; P Last=1; out=0x40200; P; P Last=1",
     "40000:" S1 "; 40100:" S1 "; 40200:" S1 S2},
    // Half rows: columns 0 to 7. Sections 1, 2, 3 are for y 0, 1, 2. Wormhole counts datums: the
    // second half has y 0 too, the third y 1. Blackhole counts interfaces: y is 0, 1, 2.
    {"half rows", ON_WH, ONES "plane=4 rowset0=1,2,3 x1=7", "d0-2: 7777*16", "rows 0 2",
     "40000: 7777*8; 40010: 7777*6; 40020: 7777*4 0000*4"},
    {"half rows", ON_BH, ONES "plane=4 rowset0=1,2,3 x1=7", "d0-2: 7777*16", "rows 0 2",
     "40000: 7777*8; 40010: 7777*4 0000*4; 40020: 7777 0000*7"},
    // Only enabled interfaces count: mask 5 reads rows 0 and 2 at y 0 and 1, and the next PACR
    // starts at y 2. Mask 10 reads rows 1 and 3 at y 2 and 3.
    {"masks 5 and 10", ON_BH, ONES "plane=4 rowset0=1,2,3,0", "d0-3: 7777*16",
     "PACR ReadIntfSel=5; PACR ReadIntfSel=10 Last=1", "40000:" S1 S2 S3 S0},
    // Mask 7 twice with four rows a plane: 0, 1, 2, then 3, 4, 5, since 6 is not 4. Sections 1, 1,
    // 1, 2, 3, 0 for y 0 to 5; a wrap at 4 would give section 1 for the last two.
    {"steps over", ON_BH, ONES "plane=4 rowset0=1,1,1,2,3,0", "d0-3: 7777*16",
     "PACR ReadIntfSel=7; PACR ReadIntfSel=7 Last=1", "40000:" S1 S1 S1 S2 S3 S0},
    // Mask 0 is all four, and lands on 4: the next plane begins, with face set 0: z 0, 1 are row
    // sets 0, 1.
    {"two planes", ON_BH, ONES "plane=4 faceset0=0,1 rowset0=0,1,2,3 rowset1=3,2,1,0" FACES "0",
     "d0-3: 7777*16", "PACR ReadIntfSel=0; PACR ReadIntfSel=15 Last=1",
     "40000:" S0 S1 S2 S3 S3 S2 S1 S0},
};

// Columns 0 and 2 are read; what is masked is minus infinity.
static const struct pack_vector infinite[] = {
    {"BF16", ON_BOTH, "BF16 infinity=1 mask0=5", "d0: 3f80 4000 c000 4040", "",
     "40000: 3f80 ff80 c000 ff80*3"},
    {"FP32", ON_BOTH, "FP32 infinity=1 mask0=5", "d0: 3f800001 40000000 00000001", "",
     "40000: 3f800001 ff800000 00000001 ff800000"},
    {"BF16 to FP32", ON_BOTH, "BF16>FP32 infinity=1 mask0=5", "d0: 3f80 4000 c000", "",
     "40000: 3f800000 ff800000 c0000000 ff800000"},
    // Narrowing saturates: FP16's largest magnitude.
    {"FP32 to FP16", ON_BOTH, "FP32>FP16 infinity=1 mask0=5", "d0: 3f800000 40000000 c0000000", "",
     "40000: 3c00 ffff c000 ffff"},
    // FP16 has no infinity of its own: its largest magnitude stands for it.
    {"FP16", ON_BOTH, "FP16 infinity=1 mask0=5", "d0: 3c00 4000 c000", "",
     "40000: 3c00 ffff c000 ffff"},
    {"FP16 to FP8", ON_BOTH, "FP16>FP8 infinity=1 mask0=5", "d0: 3c00 4000 c000", "",
     "40000: 3c ff c0 ff"},
    {"TF32", ON_BOTH, "TF32 infinity=1 mask0=5", "d0: 3f800000 40000000 c0000000", "",
     "40000: 3f800000 ff800000 c0000000 ff800000"},
    // Shared exponent 255: magnitude (128 + 1) / 2 = 64 with the sign; 127 is 128 below and gone.
    {"BFP8", ON_BOTH, "BFP8 infinity=1 mask0=5 exponents=1", "d0: 3f80 4000 c000", "",
     "40000: ff 00*15"},
    {"BFP8 datums", ON_BOTH, "BFP8 infinity=1 mask0=5 exponents=1", "d0: 3f80 4000 c000", "",
     "40010: 00 c0 00 c0*3"},
    // ReLU is after the mask, so it turns minus infinity into zero.
    {"ReLU", ON_BOTH, "BF16 infinity=1 mask0=5 relu=1", "d0: 3f80 4000 c000", "",
     "40000: 3f80 0000*3"},
    // Thresholds too: its exponent is 255, which is below none; 127 is below 128.
    {"threshold", ON_BOTH, "BF16 infinity=1 mask0=5 Exp_threshold_en=1 threshold=128",
     "d0: 3f80 4000 c000", "", "40000: 0000 ff80 c000 ff80"},
};

VECTORS(faces)
VECTORS(positions)
VECTORS(infinite)

int main(void)
{
    const struct CMUnitTest tests[] = {
        VECTORS_TEST(faces),
        VECTORS_TEST(positions),
        VECTORS_TEST(infinite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
