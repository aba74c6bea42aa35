// SPDX-License-Identifier: Apache-2.0
// PACR, worked by hand from the ISA pages by a reader who had not seen the code: exponent
// thresholds, downsampling, INT_DESCALE, and conversions that no other simulator runs. Each vector
// has its derivation beside it; nothing is computed by the test.
// Pages: Packers/README (with its diagram), Packers/ExponentThresholding, Packers/Downsampling,
// Packers/FormatConversion; decision 12.

#include "rig/pack_vectors_rig.h"

#define SHARED_INT8_NEXT 16 // an INT8 row has sixteen bytes

// An exponent below the threshold makes the datum +0; 127 is 0x7f, 5-bit exponents are widened.
static const struct vector thresholds[] = {
    // Exponents 127, 126, 126, 128, 128, 126, 0, 127 against 127: equal stays.
    {"BF16 at 127",
     DST_BF16,
     BF16,
     BF16,
     NULL,
     {P0(Exp_threshold_en, 1), P0(Exp_threshold, 127)},
     {0x3f80, 0x3f00, 0xbf00, 0x4000, 0xc000, 0x3f7f, 0, 0xbf80},
     GIVES(0, 2, 0x3f80, 0, 0, 0x4000, 0xc000, 0, 0, 0xbf80)},
    // Off: the threshold alone does nothing.
    {"off",
     DST_BF16,
     BF16,
     BF16,
     NULL,
     {P0(Exp_threshold, 255)},
     {0x3f80, 0x0080, 0x8080},
     GIVES(0, 2, 0x3f80, 0x0080, 0x8080)},
    // FP16 exponents: 3c00 15, 3bff 14, bc00 15, 0400 1, 7bff 30, 8400 1.
    {"FP16 at 15",
     DST_FP16,
     FP16,
     FP16,
     NULL,
     {P0(Exp_threshold_en, 1), P0(Exp_threshold, 15)},
     {0x3c00, 0x3bff, 0xbc00, 0x0400, 0x7bff, 0x8400},
     GIVES(0, 2, 0x3c00, 0, 0xbc00, 0, 0x7bff, 0)},
    // Five bits never reach 32 (they are not moved to bias 127): all becomes zero.
    {"FP16 at 32",
     DST_FP16,
     FP16,
     FP16,
     NULL,
     {P0(Exp_threshold_en, 1), P0(Exp_threshold, 32)},
     {0x3c00, 0x7fff, 0xffff, 0x7c00},
     GIVES(0, 2, 0, 0, 0, 0)},
    // FP32: 40000000 has 128, 3fffffff 127, c0490fdb 128, ff800000 255.
    {"FP32 at 128",
     DST_32,
     FP32,
     FP32,
     NULL,
     {P0(Exp_threshold_en, 1), P0(Exp_threshold, 128)},
     {0x40000000, 0x3fffffff, 0xc0490fdb, 0xff800000},
     GIVES(0, 4, 0x40000000, 0, 0xc0490fdb, 0xff800000)},
    // Before the shared exponent is formed, with each datum's own: 127 stays (128 + 1) / 2 = 64,
    // 126 stays (128 + 2) / 4 = 32, 125 goes although it would have been 16.
    {"BFP8 at 126",
     DST_BF16,
     BFP8,
     BFP8,
     NULL,
     {P0(Exp_threshold_en, 1), P0(Exp_threshold, 126), P0(Exp_section_size, 1)},
     {0x3f80, 0x3f00, 0x3e80, 0xbe80, 0xbf00},
     GIVES(16, 1, 0x40, 0x20, 0, 0, 0xa0, 0)},
    // Read_raw keeps denormals and -0 up to here; exponent 0 is below 1, so they become +0.
    {"raw BF16 at 1",
     DST_BF16,
     BF16,
     BF16,
     NULL,
     {P0(Exp_threshold_en, 1), P0(Exp_threshold, 1), {FIELD_PCK_DEST_RD_CTRL_Read_int8, 1}},
     {0x0001, 0x8000, 0x807f, 0x0080, 0x8080},
     GIVES(0, 2, 0, 0, 0, 0x0080, 0x8080)},
    // Nothing is below 0.
    {"raw BF16 at 0",
     DST_BF16,
     BF16,
     BF16,
     NULL,
     {P0(Exp_threshold_en, 1), {FIELD_PCK_DEST_RD_CTRL_Read_int8, 1}},
     {0x0001, 0x8000, 0x807f, 0x0080},
     GIVES(0, 2, 0x0001, 0x8000, 0x807f, 0x0080)},
    // Integers are in no case of the page's switch.
    {"INT32 at 255",
     DST_32,
     INT32,
     INT32,
     NULL,
     {P0(Exp_threshold_en, 1), P0(Exp_threshold, 255)},
     {1, 0x80000005, 0x7fffffff},
     GIVES(0, 4, 1, 0x80000005, 0x7fffffff)},
    {"INT16 at 255",
     DST_RAW16,
     INT16,
     INT16,
     NULL,
     {P0(Exp_threshold_en, 1), P0(Exp_threshold, 255)},
     {1, 0x8005, 0x7fff},
     GIVES(0, 2, 1, 0x8005, 0x7fff)},
};

static void threshold(int arch)
{
    RUN_ALL(arch, thresholds);
}

// BFP2a: undefined, which the page calls a hardware bug.
static void threshold_bfp2a(int arch)
{
    tsr_tile *tile = vec_tile(arch, BFP2A, FP16, false);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Exp_threshold_en, 1);
    dst_row(tile, DST_FP16, 0, (const uint32_t[16]){0x3c00});
    pack_one(tile, "Last=1");
    vec_found(tile, "BFP2a", "pack-exponent-threshold");
    tsr_tile_destroy(tile);
}

// Bit i % 16 of the mask keeps datum i of the PACR. Row 0 holds its column numbers.
static const struct vector samples[] = {
    // 0x5555: the even ones, eight datums of two bytes.
    {"even",
     DST_RAW16,
     INT16,
     INT16,
     NULL,
     {P0(Downsample_mask, 0x5555)},
     {0x100, 0x101, 0x102, 0x103, 0x104, 0x105, 0x106, 0x107, 0x108, 0x109, 0x10a, 0x10b, 0x10c,
      0x10d, 0x10e, 0x10f},
     GIVES(0, 2, 0x100, 0x102, 0x104, 0x106, 0x108, 0x10a, 0x10c, 0x10e)},
    // One of sixteen; Last fills the line.
    {"first",
     DST_RAW16,
     INT16,
     INT16,
     NULL,
     {P0(Downsample_mask, 1)},
     {0x100, 0x101, 0x102, 0x103},
     GIVES(0, 2, 0x100, 0, 0, 0, 0, 0, 0, 0)},
    {"last",
     DST_RAW16,
     INT16,
     INT16,
     NULL,
     {P0(Downsample_mask, 0x8000)},
     {[14] = 0x10e, [15] = 0x10f},
     GIVES(0, 2, 0x10f, 0, 0, 0, 0, 0, 0, 0)},
    // 0 and 0xffff keep all.
    {"mask 0",
     DST_RAW16,
     INT16,
     INT16,
     NULL,
     {P0(Downsample_mask, 0)},
     {1, 2, 3, [15] = 16},
     GIVES(0, 2, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16)},
    {"mask ffff",
     DST_RAW16,
     INT16,
     INT16,
     NULL,
     {P0(Downsample_mask, 0xffff)},
     {1, 2, 3, [15] = 16},
     GIVES(0, 2, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16)},
    // Thresholds come before: 3f00 (126) is a zero by then, and is still kept by the mask.
    {"after thresholds",
     DST_BF16,
     BF16,
     BF16,
     NULL,
     {P0(Downsample_mask, 3), P0(Exp_threshold_en, 1), P0(Exp_threshold, 127)},
     {0x3f00, 0x3f80, 0x4000},
     GIVES(0, 2, 0, 0x3f80, 0, 0, 0, 0, 0, 0)},
};

static void downsample(int arch)
{
    RUN_ALL(arch, samples);
}

// The mask starts anew with each PACR, counts datums from the first, and unflushed PACRs append.
static void downsample_appends(int arch)
{
    tsr_tile *tile = vec_tile(arch, INT16, INT16, false);
    dst_rows16(tile, 2);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Downsample_mask, 0x0101);
    pack_one(tile, ""); // datums 0 and 8 of row 0
    vec_at_row(tile, 1);
    pack_one(tile, "Last=1"); // and of row 1
    IS(tile, "two rows", OUT, 2, 0x000, 0x008, 0x100, 0x108, 0, 0, 0, 0);
    vec_found(tile, "two rows", "legacy-mode"); // decision 1: recorded, and does not stop
    tsr_tile_destroy(tile);

    // X from 4 to 11 with mask 3: i is 0 and 1 at columns 4 and 5.
    tile = vec_tile(arch, INT16, INT16, false);
    dst_rows16(tile, 1);
    pack_datums(tile, 4, 8);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Downsample_mask, 3);
    pack_one(tile, "Last=1");
    IS(tile, "from X 4", OUT, 2, 4, 5, 0, 0, 0, 0, 0, 0);
    tsr_tile_destroy(tile);
}

// Sixteen kept datums share an exponent wherever they come from: X = 128; 3f80 is
// (128 + 2) / 4 = 0x20 with distance 1, 4000 is (128 + 1) / 2 = 0x40. 4380 is never kept.
static void downsample_blocks(int arch)
{
    tsr_tile *tile = vec_tile(arch, BF16, BFP8, false);
    for (unsigned i = 0; i < 16; i++) {
        dst_value(tile, DST_BF16, 0, i, i % 2 ? 0x4380 : 0x3f80);
        dst_value(tile, DST_BF16, 1, i, i % 2 ? 0x4380 : 0x4000);
    }
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Downsample_mask, 0x5555);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Exp_section_size, 1);
    pack_one(tile, "");
    vec_at_row(tile, 1);
    pack_one(tile, "Last=1");
    IS(tile, "exponents", OUT, 1, 128, 0);
    IS(tile, "datums", OUT + 16, 1, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x40, 0x40,
       0x40, 0x40, 0x40, 0x40, 0x40, 0x40);
    tsr_tile_destroy(tile);
}

// Several rows of one PACR: Wormhole goes on with the rotated mask, which after sixteen datums is
// where it began; Blackhole has a row an interface.
static void downsample_rows(int arch)
{
    tsr_tile *tile = vec_tile(arch, INT16, INT16, false);
    dst_rows16(tile, 2);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Downsample_mask, 0x8001);
    if (arch == WH)
        pack_datums(tile, 0, 32);
    tile_do(tile, 0, arch == WH ? "PACR PackSel=1 Last=1" : "PACR ReadIntfSel=3 Last=1");
    IS(tile, "two rows", OUT, 2, 0x000, 0x00f, 0x100, 0x10f, 0, 0, 0, 0);
    tsr_tile_destroy(tile);
}

// Wormhole: each packer has its own threshold and mask. Packer 0 drops 126 and keeps odd datums,
// packer 1 drops 127 and keeps even ones, from the same row.
static void of_packers(int arch)
{
    (void)arch;
    tsr_tile *tile = vec_tile(WH, BF16, BF16, false);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Exp_threshold_en, 1);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Exp_threshold, 127);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Downsample_mask, 0xaaaa);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG8_Exp_threshold_en, 1);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG8_Exp_threshold, 128);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG8_Downsample_mask, 0x5555);
    dst_row(tile, DST_BF16, 0,
            (const uint32_t[16]){0x3f80, 0x3f81, 0x3f00, 0x3f01, 0x4000, 0x4001, 0x4080, 0x4081});
    tile_do(tile, 0, "PACR PackSel=3 Last=1");
    IS(tile, "packer 0", OUT, 2, 0x3f81, 0, 0x4001, 0x4081, 0, 0, 0, 0);
    IS(tile, "packer 1", OUT + 0x10000, 2, 0, 0, 0x4000, 0x4080, 0, 0, 0, 0);
    tsr_tile_destroy(tile);
}

#define DESCALE(mode, value)                                                                       \
    {FIELD_INT_DESCALE_Enable, 1}, {FIELD_INT_DESCALE_Mode, mode},                                 \
    {                                                                                              \
        FIELD_INT_DESCALE_VALUES_SEC0_Value, value                                                 \
    }
#define UNSIGNED                                                                                   \
    {                                                                                              \
        FIELD_PCK_DEST_RD_CTRL_Read_unsigned, 1                                                    \
    }
#define RAW                                                                                        \
    {                                                                                              \
        FIELD_PCK_DEST_RD_CTRL_Read_int8, 1                                                        \
    }

// INT32 is sign and magnitude. The magnitude is shifted, rounded with what is shifted out (ties
// away from zero), and saturated; the sign stays, also on a zero.
static const struct vector descales[] = {
    // By 4: 100 6.25, 104 6.5, 103 6.4, 2032 127, 2040 127.5, 2047 127.9; 8 0.5, 7 0.4.
    {"by 4",
     DST_32,
     INT8,
     INT8,
     NULL,
     {DESCALE(0, 4)},
     {100, 104, 103, 2032, 2040, 2047, 8, 7, 0x80000068, 0x80000834, 0x80000007, 0x7fffffff},
     GIVES(0, 1, 6, 7, 6, 127, 127, 127, 1, 0, 0x87, 0xff, 0x80, 127)},
    // Unsigned: 4080 255, 4088 255.5, 4087 255.4; negatives are 0.
    {"unsigned by 4",
     DST_32,
     INT8,
     INT8,
     NULL,
     {DESCALE(0, 4), UNSIGNED},
     {4080, 4088, 4087, 100, 104, 0x80000068, 2047, 0x7fffffff},
     GIVES(0, 1, 255, 255, 255, 6, 7, 0, 128, 255)},
    // By 31: (2^31 - 1) / 2^31 rounds to 1, 2^30 is one half, one less is not.
    {"by 31",
     DST_32,
     INT8,
     INT8,
     NULL,
     {DESCALE(0, 31)},
     {0x7fffffff, 0x40000000, 0x3fffffff, 0xffffffff},
     GIVES(0, 1, 1, 1, 0, 0x81)},
    // Only five bits count: 0xe4 is a shift by 4.
    {"by 0xe4", DST_32, INT8, INT8, NULL, {DESCALE(0, 0xe4)}, {100, 104}, GIVES(0, 1, 6, 7)},
    // By 0, and not enabled: only saturation.
    {"by 0",
     DST_32,
     INT8,
     INT8,
     NULL,
     {DESCALE(0, 0)},
     {100, 200, 0x800000c8, 0x80000000},
     GIVES(0, 1, 100, 127, 0xff, 0x80)},
    {"disabled",
     DST_32,
     INT8,
     INT8,
     NULL,
     {{FIELD_INT_DESCALE_VALUES_SEC0_Value, 4}},
     {100, 200, 0x80000064},
     GIVES(0, 1, 100, 127, 0xe4)},
    // Read_raw takes the low 7 (unsigned: 8) bits of the magnitude, unshifted: 300 = 0x12c.
    {"raw",
     DST_32,
     INT8,
     INT8,
     NULL,
     {DESCALE(0, 4), RAW},
     {300, 0x8000012c, 0x80, 0x7fffffff},
     GIVES(0, 1, 0x2c, 0xac, 0, 0x7f)},
    {"raw unsigned",
     DST_32,
     INT8,
     INT8,
     NULL,
     {DESCALE(0, 4), RAW, UNSIGNED},
     {300, 0x1ff, 0x80, 0x7fffff00},
     GIVES(0, 1, 0x2c, 0xff, 0x80, 0)},
    // Raw from 16 bits: the sign alone.
    {"raw from BF16",
     DST_BF16,
     INT8,
     INT8,
     NULL,
     {RAW},
     {0xbf80, 0x3f80, 0xc07f, 0x407f},
     GIVES(0, 1, 0x80, 0, 0x80, 0)},
};

static void descale(int arch)
{
    RUN_ALL(arch, descales);
}

// Mode 1: a byte of the values for each z, which is the Z of the tile position (decision 12). With
// one row a plane, row r has z = r. 100 by 0, 1, 2, 3, 4: 100, 50, 25, 12.5, 6.25.
static void descale_by_z(int arch)
{
    tsr_tile *tile = vec_tile(arch, INT8, INT8, true);
    for (unsigned row = 0; row < 66; row++)
        dst_row(tile, DST_32, row, (const uint32_t[16]){100, 0x80000064});
    tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 1);
    tile_field(tile, 0, FIELD_INT_DESCALE_Enable, 1);
    tile_field(tile, 0, FIELD_INT_DESCALE_Mode, 1);
    tile_field(tile, 0, FIELD_INT_DESCALE_VALUES_SEC0_Value, 0x03020100);
    tile_field(tile, 0, FIELD_INT_DESCALE_VALUES_SEC1_Value, 0x00000504);
    tile_field(tile, 0, FIELD_INT_DESCALE_VALUES_SEC15_Value, 0x06000000);
    for (unsigned row = 0; row < 66; row++) {
        vec_at_row(tile, row);
        pack_one(tile, row == 65 ? "Last=1" : "");
    }
    static const struct {
        unsigned row, positive, negative;
    } rows[] = {
        {0, 100, 0xe4},  {1, 50, 0xb2},  {2, 25, 0x99},
        {3, 13, 0x8d},   {4, 6, 0x86},   {5, 3, 0x83}, // 3.125
        {6, 100, 0xe4},                                // byte 2 of value 1 is 0
        {63, 2, 0x82},                                 // 100 / 64 = 1.56: 63 >> 2 = 15, byte 3
        {64, 100, 0xe4}, {65, 50, 0xb2},               // z & 63
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        IS(tile, "by z", OUT + SHARED_INT8_NEXT * rows[i].row, 1, rows[i].positive,
           rows[i].negative, 0);
    tsr_tile_destroy(tile);
}

// Mode 0 takes value 0 whatever z is.
static void descale_not_by_z(int arch)
{
    tsr_tile *tile = vec_tile(arch, INT8, INT8, true);
    for (unsigned row = 0; row < 2; row++)
        dst_row(tile, DST_32, row, (const uint32_t[16]){100});
    tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 1);
    tile_field(tile, 0, FIELD_INT_DESCALE_Enable, 1);
    tile_field(tile, 0, FIELD_INT_DESCALE_VALUES_SEC0_Value, 0x03020102); // low five bits: 2
    pack_one(tile, "");
    vec_at_row(tile, 1);
    pack_one(tile, "Last=1");
    IS(tile, "row 0", OUT, 1, 25);
    IS(tile, "row 1", OUT + SHARED_INT8_NEXT, 1, 25);
    tsr_tile_destroy(tile);
}

TILE_BOTH(threshold)
TILE_BOTH(threshold_bfp2a)
TILE_BOTH(downsample)
TILE_BOTH(downsample_appends)
TILE_BOTH(downsample_blocks)
TILE_BOTH(downsample_rows)
TILE_BOTH(descale)
TILE_BOTH(descale_by_z)
TILE_BOTH(descale_not_by_z)

static void of_packers_wh(void **state)
{
    (void)state;
    of_packers(WH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(threshold),         TILE_TEST(threshold_bfp2a),
        TILE_TEST(downsample),        TILE_TEST(downsample_appends),
        TILE_TEST(downsample_blocks), TILE_TEST(downsample_rows),
        TILE_TEST(descale),           TILE_TEST(descale_by_z),
        TILE_TEST(descale_not_by_z),  cmocka_unit_test(of_packers_wh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
