// SPDX-License-Identifier: Apache-2.0
// PACR, worked by hand from the ISA pages by a reader who had not seen the code: exponent
// thresholds, downsampling, INT_DESCALE, and conversions that no other simulator runs. Each vector
// has its derivation beside it.
// Pages: Packers/README (with its diagram), Packers/ExponentThresholding, Packers/Downsampling,
// Packers/FormatConversion; decision 12.

#include "rig/pack_vectors_rig.h"

// An exponent below the threshold makes the datum +0; 127 is 0x7f, 5-bit exponents are widened.
static const struct pack_vector thresholds[] = {
    // Exponents 127, 126, 126, 128, 128, 126, 0, 127 against 127: equal stays.
    {"BF16 at 127", ON_BOTH, "BF16 Exp_threshold_en=1 threshold=127",
     "d0: 3f80 3f00 bf00 4000 c000 3f7f 0000 bf80", "",
     "40000: 3f80 0000 0000 4000 c000 0000 0000 bf80"},
    // Off: the threshold alone does nothing.
    {"off", ON_BOTH, "BF16 threshold=255", "d0: 3f80 0080 8080", "", "40000: 3f80 0080 8080"},
    // FP16 exponents: 3c00 15, 3bff 14, bc00 15, 0400 1, 7bff 30, 8400 1.
    {"FP16 at 15", ON_BOTH, "FP16 Exp_threshold_en=1 threshold=15",
     "d0: 3c00 3bff bc00 0400 7bff 8400", "", "40000: 3c00 0000 bc00 0000 7bff 0000"},
    // Five bits never reach 32 (they are not moved to bias 127): all becomes zero.
    {"FP16 at 32", ON_BOTH, "FP16 Exp_threshold_en=1 threshold=32", "d0: 3c00 7fff ffff 7c00", "",
     "40000: 0000*4"},
    // FP32: 40000000 has 128, 3fffffff 127, c0490fdb 128, ff800000 255.
    {"FP32 at 128", ON_BOTH, "FP32 Exp_threshold_en=1 threshold=128",
     "d0: 40000000 3fffffff c0490fdb ff800000", "", "40000: 40000000 00000000 c0490fdb ff800000"},
    // Before the shared exponent is formed, with each datum's own: 127 stays (128 + 1) / 2 = 64,
    // 126 stays (128 + 2) / 4 = 32, 125 goes although it would have been 16.
    {"BFP8 at 126", ON_BOTH, "BFP8 Exp_threshold_en=1 threshold=126 exponents=1",
     "d0: 3f80 3f00 3e80 be80 bf00", "", "40010: 40 20 00 00 a0 00"},
    // Read_raw keeps denormals and -0 up to here; exponent 0 is below 1, so they become +0.
    {"raw BF16 at 1", ON_BOTH, "BF16 Exp_threshold_en=1 threshold=1 raw=1",
     "d0: 0001 8000 807f 0080 8080", "", "40000: 0000*3 0080 8080"},
    // Nothing is below 0.
    {"raw BF16 at 0", ON_BOTH, "BF16 Exp_threshold_en=1 raw=1", "d0: 0001 8000 807f 0080", "",
     "40000: 0001 8000 807f 0080"},
    // Integers are in no case of the page's switch.
    {"INT32 at 255", ON_BOTH, "INT32 Exp_threshold_en=1 threshold=255",
     "d0: 00000001 80000005 7fffffff", "", "40000: 00000001 80000005 7fffffff"},
    {"INT16 at 255", ON_BOTH, "INT16 Exp_threshold_en=1 threshold=255", "d0: 0001 8005 7fff", "",
     "40000: 0001 8005 7fff"},
    // Undefined, which the page calls a hardware bug.
    {"BFP2a", ON_BOTH, "BFP2a>FP16 Exp_threshold_en=1", "d0: 3c00", "",
     "found pack-exponent-threshold"},
};

// Bit i % 16 of the mask keeps datum i of the PACR. Row 0 holds its column numbers.
static const struct pack_vector samples[] = {
    // 0x5555: the even ones, eight datums of two bytes.
    {"even", ON_BOTH, "INT16 Downsample_mask=0x5555", "d0: 0100+16", "",
     "40000: 0100 0102 0104 0106 0108 010a 010c 010e"},
    // One of sixteen; Last fills the line.
    {"first", ON_BOTH, "INT16 Downsample_mask=1", "d0: 0100+4", "", "40000: 0100 0000*7"},
    {"last", ON_BOTH, "INT16 Downsample_mask=0x8000", "d0: 0000*14 010e 010f", "",
     "40000: 010f 0000*7"},
    // 0 and 0xffff keep all.
    {"mask 0", ON_BOTH, "INT16 Downsample_mask=0", "d0: 0001 0002 0003 0000*12 0010", "",
     "40000: 0001 0002 0003 0000*12 0010"},
    {"mask ffff", ON_BOTH, "INT16 Downsample_mask=0xffff", "d0: 0001 0002 0003 0000*12 0010", "",
     "40000: 0001 0002 0003 0000*12 0010"},
    // Thresholds come before: 3f00 (126) is a zero by then, and is still kept by the mask.
    {"after thresholds", ON_BOTH, "BF16 Downsample_mask=3 Exp_threshold_en=1 threshold=127",
     "d0: 3f00 3f80 4000", "", "40000: 0000 3f80 0000*6"},
    // The mask starts anew with each PACR, counts datums from the first, and unflushed PACRs
    // append: datums 0 and 8 of row 0, and of row 1. Decision 1: recorded, and does not stop.
    {"two PACRs", ON_BOTH, "INT16 Downsample_mask=0x0101", "d0-1+100: 0000+16", "rows 0 1",
     "40000: 0000 0008 0100 0108 0000*4; found legacy-mode"},
    // X from 4 to 11 with mask 3: i is 0 and 1 at columns 4 and 5.
    {"from X 4", ON_BOTH, "INT16 Downsample_mask=3 x0=4 x1=11", "d0: 0000+16", "",
     "40000: 0004 0005 0000*6"},
    // Sixteen kept datums share an exponent wherever they come from: X = 128; 3f80 is
    // (128 + 2) / 4 = 0x20 with distance 1, 4000 is (128 + 1) / 2 = 0x40. 4380 is never kept.
    {"block", ON_BOTH, "BF16>BFP8 Downsample_mask=0x5555 exponents=1",
     "d0: 3f80 4380 3f80 4380 3f80 4380 3f80 4380 3f80 4380 3f80 4380 3f80 4380 3f80 4380; d1: "
     "4000 4380 4000 4380 4000 4380 4000 4380 4000 4380 4000 4380 4000 4380 4000 4380",
     "rows 0 1", "40000: 80 00; 40010: 20*8 40*8"},
    // Several rows of one PACR: Wormhole goes on with the rotated mask, which after sixteen datums
    // is where it began; Blackhole has a row an interface.
    {"two rows", ON_WH, "INT16 Downsample_mask=0x8001 x1=31", "d0-1+100: 0000+16", "",
     "40000: 0000 000f 0100 010f 0000*4"},
    {"two rows", ON_BH, "INT16 Downsample_mask=0x8001", "d0-1+100: 0000+16",
     "PACR ReadIntfSel=3 Last=1", "40000: 0000 000f 0100 010f 0000*4"},
    // Each packer has its own threshold and mask. Packer 0 drops 126 and keeps odd datums, packer 1
    // drops 127 and keeps even ones, from the same row.
    {"packers 0 and 1", ON_WH,
     "BF16 Exp_threshold_en=1 threshold=127 Downsample_mask=0xaaaa REG8_Exp_threshold_en=1 "
     "REG8_Exp_threshold=128 REG8_Downsample_mask=0x5555",
     "d0: 3f80 3f81 3f00 3f01 4000 4001 4080 4081", "PACR PackSel=3 Last=1",
     "40000: 3f81 0000 4001 4081 0000*4; 50000: 0000 0000 4000 4080 0000*4"},
};

// INT32 is sign and magnitude. The magnitude is shifted, rounded with what is shifted out (ties
// away from zero), and saturated; the sign stays, also on a zero.
static const struct pack_vector descales[] = {
    // By 4: 100 6.25, 104 6.5, 103 6.4, 2032 127, 2040 127.5, 2047 127.9; 8 0.5, 7 0.4.
    {"by 4", ON_BOTH, "INT8 INT_DESCALE_Enable=1 shift=4",
     "d0: 00000064 00000068 00000067 000007f0 000007f8 000007ff 00000008 00000007 80000068 "
     "80000834 80000007 7fffffff",
     "", "40000: 06 07 06 7f*3 01 00 87 ff 80 7f"},
    // Unsigned: 4080 255, 4088 255.5, 4087 255.4; negatives are 0.
    {"unsigned by 4", ON_BOTH, "INT8 INT_DESCALE_Enable=1 shift=4 unsigned=1",
     "d0: 00000ff0 00000ff8 00000ff7 00000064 00000068 80000068 000007ff 7fffffff", "",
     "40000: ff*3 06 07 00 80 ff"},
    // By 31: (2^31 - 1) / 2^31 rounds to 1, 2^30 is one half, one less is not.
    {"by 31", ON_BOTH, "INT8 INT_DESCALE_Enable=1 shift=31",
     "d0: 7fffffff 40000000 3fffffff ffffffff", "", "40000: 01 01 00 81"},
    // Only five bits count: 0xe4 is a shift by 4.
    {"by 0xe4", ON_BOTH, "INT8 INT_DESCALE_Enable=1 shift=0xe4", "d0: 00000064 00000068", "",
     "40000: 06 07"},
    // By 0, and not enabled: only saturation.
    {"by 0", ON_BOTH, "INT8 INT_DESCALE_Enable=1 shift=0",
     "d0: 00000064 000000c8 800000c8 80000000", "", "40000: 64 7f ff 80"},
    {"disabled", ON_BOTH, "INT8 shift=4", "d0: 00000064 000000c8 80000064", "", "40000: 64 7f e4"},
    // Read_raw takes the low 7 (unsigned: 8) bits of the magnitude, unshifted: 300 = 0x12c.
    {"raw", ON_BOTH, "INT8 INT_DESCALE_Enable=1 shift=4 raw=1",
     "d0: 0000012c 8000012c 00000080 7fffffff", "", "40000: 2c ac 00 7f"},
    {"raw unsigned", ON_BOTH, "INT8 INT_DESCALE_Enable=1 shift=4 raw=1 unsigned=1",
     "d0: 0000012c 000001ff 00000080 7fffff00", "", "40000: 2c ff 80 00"},
    // Raw from 16 bits: the sign alone.
    {"raw from BF16", ON_BOTH, "INT8 raw=1", "d0: bf80 3f80 c07f 407f", "", "40000: 80 00 80 00"},
    // Mode 1: a byte of the values for each z, which is the Z of the tile position (decision 12).
    // With one row a plane, row r has z = r: 100 by 0, 1, 2, 3, 4, 5 is 100, 50, 25, 12.5, 6.25,
    // 3.125; byte 2 of value 1 is 0. 63 >> 2 = 15, byte 3: 100 / 64 = 1.56. Then z & 63.
    {"by z", ON_BOTH,
     "INT8 plane=1 INT_DESCALE_Enable=1 INT_DESCALE_Mode=1 shift=0x03020100 "
     "INT_DESCALE_VALUES_SEC1_Value=0x0504 INT_DESCALE_VALUES_SEC15_Value=0x06000000",
     "d0-65: 00000064 80000064", "rows 0 65",
     "40000: 64 e4 00; 40010: 32 b2 00; 40020: 19 99 00; 40030: 0d 8d 00; 40040: 06 86 00; 40050: "
     "03 83 00; 40060: 64 e4 00; 403f0: 02 82 00; 40400: 64 e4 00; 40410: 32 b2 00"},
    // Mode 0 takes value 0 whatever z is; its low five bits are 2.
    {"not by z", ON_BOTH, "INT8 plane=1 INT_DESCALE_Enable=1 shift=0x03020102", "d0-1: 00000064",
     "rows 0 1", "40000: 19; 40010: 19"},
};

VECTORS(thresholds)
VECTORS(samples)
VECTORS(descales)

int main(void)
{
    const struct CMUnitTest tests[] = {
        VECTORS_TEST(thresholds),
        VECTORS_TEST(samples),
        VECTORS_TEST(descales),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
