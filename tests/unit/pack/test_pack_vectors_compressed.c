// SPDX-License-Identifier: Apache-2.0
// Compression in PACR, worked by hand from the ISA pages by a reader who had not seen the code.
// Row starts (16 bits each, one more than rows), then exponents of block formats, then groups of 32
// datums followed by their 32 counts of four bits. Nothing is computed by the test.
// Pages: Packers/Compression, Packers/OutputAddressGenerator, TDMA-RISC; decision 11: a zero is
// dropped unless it is the first or the last of its row or the count before it is already 15.

#include "rig/pack_vectors_rig.h"

// Row starts in one line, exponents (if the output has a section for them) in the next.
static tsr_tile *compressing(int arch, int between, int out, bool wide)
{
    tsr_tile *tile = vec_tile(arch, between, out, wide);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Disable_zero_compress, 0);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Row_start_section_size, 1);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Exp_section_size, 1);
    return tile;
}

struct row {
    const char *what;
    enum dst_kind dst;
    int between, out;
    uint32_t in[16];
    unsigned starts, datums; // how many of each
    uint32_t start[4], datum[16];
    unsigned counts_at; // from the first datum
    uint32_t counts[8]; // bytes; the first datum's count is the low half of the first
    unsigned unit, data_at;
};

// One row of sixteen datums. BF16: data at 16, counts 32 * 2 = 64 behind.
static const struct row rows[] = {
    // Zeroes 1 and 2 belong to datum 0, 4 to 14 (eleven) to datum 3; 15 is the last and stays.
    {"some",
     DST_BF16,
     BF16,
     BF16,
     {0x3f80, 0, 0, 0x4000},
     2,
     4,
     {0, 3},
     {0x3f80, 0x4000, 0, 0},
     64,
     {0xb2, 0x00, 0},
     2,
     16},
    // All zero: the first stays with fourteen behind it, and the last.
    {"all zero", DST_BF16, BF16, BF16, {0}, 2, 4, {0, 2}, {0, 0, 0, 0}, 64, {0x0e, 0, 0}, 2, 16},
    // No zero.
    {"none",
     DST_BF16,
     BF16,
     BF16,
     {0x3f80, 0x3f81, 0x3f82, 0x3f83, 0x3f84, 0x3f85, 0x3f86, 0x3f87, 0x3f88, 0x3f89, 0x3f8a,
      0x3f8b, 0x3f8c, 0x3f8d, 0x3f8e, 0x3f8f},
     2,
     16,
     {0, 16},
     {0x3f80, 0x3f81, 0x3f82, 0x3f83, 0x3f84, 0x3f85, 0x3f86, 0x3f87, 0x3f88, 0x3f89, 0x3f8a,
      0x3f8b, 0x3f8c, 0x3f8d, 0x3f8e, 0x3f8f},
     64,
     {0, 0, 0, 0, 0, 0, 0, 0},
     2,
     16},
    // A zero first: it stays, with two behind it. 4 to 14 are eleven again.
    {"zero first",
     DST_BF16,
     BF16,
     BF16,
     {0, 0, 0, 0xc000, [15] = 0x3f80},
     2,
     4,
     {0, 3},
     {0, 0xc000, 0x3f80, 0},
     64,
     {0xb2, 0x00, 0},
     2,
     16},
    // FP32: 32 * 4 = 128 bytes of datums. Zeroes 1 to 3, then 5 to 14.
    {"FP32",
     DST_32,
     FP32,
     FP32,
     {0x3f800001, 0, 0, 0, 0x40000000},
     2,
     4,
     {0, 3},
     {0x3f800001, 0x40000000, 0, 0},
     128,
     {0xa3, 0x00, 0},
     4,
     16},
    {"INT32",
     DST_32,
     INT32,
     INT32,
     {1, 0, 0, 0, 0x80000002, 3},
     2,
     5,
     {0, 4},
     {1, 0x80000002, 3, 0, 0},
     128,
     {0x03, 0x09, 0},
     4,
     16}, // counts 3, 0, 9, 0
    {"INT16",
     DST_RAW16,
     INT16,
     INT16,
     {7, 8, 0, 9},
     2,
     5,
     {0, 4},
     {7, 8, 9, 0, 0},
     64,
     {0x10, 0x0b, 0},
     2,
     16}, // counts 0, 1, 11, 0
    // INT8 has an exponent section but no exponents: data at 32, counts 32 behind.
    {"INT8",
     DST_32,
     INT8,
     INT8,
     {5, 0, 0, 0, 0, 0, 0x80000006},
     2,
     4,
     {0, 3},
     {5, 0x86, 0, 0},
     32,
     {0x85, 0x00, 0},
     1,
     32}, // counts 5, 8, 0
    // BFP8: X = 128; 3f80 (128 + 2) / 4, 4000 (128 + 1) / 2. Zeroes 1 to 6, 8 to 14.
    {"BFP8",
     DST_BF16,
     BF16,
     BFP8,
     {0x3f80, [7] = 0x4000, [15] = 0x3f80},
     2,
     4,
     {0, 3},
     {0x20, 0x40, 0x20, 0},
     32,
     {0x76, 0x00, 0},
     1,
     32},
    // BFP4: 32 * 4 bits = 16 bytes. Two datums of 4 in one byte.
    {"BFP4",
     DST_BF16,
     BF16,
     BFP4,
     {0x3f80, [15] = 0x3f80},
     2,
     2,
     {0, 2},
     {0x44, 0},
     16,
     {0x0e, 0, 0},
     1,
     32},
    // Zero is what is +0 behind the late conversion: FP32's denormal is flushed on its way to BF16.
    {"flushed late",
     DST_32,
     FP32,
     BF16,
     {0x3f800000, 0x00000001, 0, [15] = 0x40000000},
     2,
     3,
     {0, 2},
     {0x3f80, 0x4000, 0},
     64,
     {0x0e, 0, 0},
     2,
     16},
};

static void one_row(int arch)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *r = &rows[i];
        tsr_tile *tile = compressing(arch, r->between, r->out, r->dst == DST_32);
        dst_row(tile, r->dst, 0, r->in);
        pack_one(tile, "Last=1");
        vec_is(tile, r->what, OUT, 2, r->start, r->starts);
        IS(tile, "row starts' padding", OUT + 2 * r->starts, 2, 0, 0, 0, 0);
        vec_is(tile, r->what, OUT + r->data_at, r->unit, r->datum, r->datums);
        vec_is(tile, r->what, OUT + r->data_at + r->counts_at, 1, r->counts, 8);
        vec_found(tile, r->what, "legacy-mode"); // decision 1
        tsr_tile_destroy(tile);
    }
}

static void exponent_of_bfp8(int arch)
{
    tsr_tile *tile = compressing(arch, BF16, BFP8, false);
    dst_row(tile, DST_BF16, 0, (const uint32_t[16]){0x3f80, [7] = 0x4000, [15] = 0x3f80});
    pack_one(tile, "Last=1");
    IS(tile, "exponent", OUT + 16, 1, 128, 0, 0, 0);
    tsr_tile_destroy(tile);
}

// -0 is not dropped: counts 0 behind 3f80, 13 behind -0.
static void minus_zero(int arch)
{
    tsr_tile *tile = compressing(arch, BF16, BF16, false);
    tile_field(tile, 0, FIELD_PCK_DEST_RD_CTRL_Read_int8, 1);
    dst_row(tile, DST_BF16, 0, (const uint32_t[16]){0x3f80, 0x8000});
    pack_one(tile, "Last=1");
    IS(tile, "row starts", OUT, 2, 0, 3);
    IS(tile, "datums", OUT + 16, 2, 0x3f80, 0x8000, 0, 0);
    IS(tile, "counts", OUT + 80, 1, 0xd0, 0, 0);
    tsr_tile_destroy(tile);
}

static void pack_row(tsr_tile *tile, unsigned row, const char *rest)
{
    vec_at_row(tile, row);
    pack_one(tile, rest);
}

static void bf16_rows(tsr_tile *tile, const uint32_t (*in)[16], unsigned count)
{
    for (unsigned row = 0; row < count; row++)
        dst_row(tile, DST_BF16, row, in[row]);
}

// Each PACR is a row: 3f80 (14), 0 | 0 (14), 4000. Starts 0, 2, 4.
static void two_rows(int arch)
{
    static const uint32_t in[2][16] = {{0x3f80}, {[15] = 0x4000}};
    tsr_tile *tile = compressing(arch, BF16, BF16, false);
    bf16_rows(tile, in, 2);
    pack_row(tile, 0, "");
    pack_row(tile, 1, "Last=1");
    IS(tile, "row starts", OUT, 2, 0, 2, 4, 0, 0);
    IS(tile, "datums", OUT + 16, 2, 0x3f80, 0, 0, 0x4000, 0);
    IS(tile, "counts", OUT + 80, 1, 0x0e, 0x0e, 0);
    assert_int_equal(pack_state(tile, 1, 0, 0), 0); // no row is all zero
    tsr_tile_destroy(tile);
}

// Concat: one row of 32. Zeroes 1 to 15 go to datum 0, 16 stays because the count is full, 17 to 30
// (fourteen) go to it, 31 is the last. Starts 0, 3.
static void concatenated(int arch)
{
    static const uint32_t in[2][16] = {{0x3f80}, {0}};
    tsr_tile *tile = compressing(arch, BF16, BF16, false);
    bf16_rows(tile, in, 2);
    pack_row(tile, 0, "Concat=1");
    pack_row(tile, 1, "Last=1");
    IS(tile, "row starts", OUT, 2, 0, 3, 0, 0);
    IS(tile, "datums", OUT + 16, 2, 0x3f80, 0, 0, 0);
    IS(tile, "counts", OUT + 80, 1, 0xef, 0x00, 0);
    tsr_tile_destroy(tile);

    // A row of 32 and one of 16: 3f80 (15), 0 (14), 0 | 0 (13), 4000, 4000; starts 0, 3, 6.
    static const uint32_t three[3][16] = {{0x3f80}, {0}, {[14] = 0x4000, [15] = 0x4000}};
    tile = compressing(arch, BF16, BF16, false);
    bf16_rows(tile, three, 3);
    pack_row(tile, 0, "Concat=1");
    pack_row(tile, 1, "");
    pack_row(tile, 2, "Last=1");
    IS(tile, "row starts", OUT, 2, 0, 3, 6, 0);
    IS(tile, "datums", OUT + 16, 2, 0x3f80, 0, 0, 0, 0x4000, 0x4000, 0);
    IS(tile, "counts", OUT + 80, 1, 0xef, 0xd0, 0x00, 0);
    tsr_tile_destroy(tile);

    // The end of the first PACR is not the end of the row: 3f80 (15), 0 (0), 4000 (13), 0.
    static const uint32_t across[2][16] = {{0x3f80}, {[1] = 0x4000}};
    tile = compressing(arch, BF16, BF16, false);
    bf16_rows(tile, across, 2);
    pack_row(tile, 0, "Concat=1");
    pack_row(tile, 1, "Last=1");
    IS(tile, "row starts", OUT, 2, 0, 4, 0);
    IS(tile, "datums", OUT + 16, 2, 0x3f80, 0, 0x4000, 0, 0);
    IS(tile, "counts", OUT + 80, 1, 0x0f, 0x0d, 0);
    tsr_tile_destroy(tile);
}

// 34 augmented datums: a group of 32 with its counts (80 bytes), then two, padding for
// 30, and counts. The third row is 4000 (14), 4080.
static void two_groups(int arch)
{
    tsr_tile *tile = compressing(arch, BF16, BF16, false);
    for (unsigned i = 0; i < 32; i++)
        dst_value(tile, DST_BF16, i / 16, i % 16, 0x3f80 + i);
    dst_row(tile, DST_BF16, 2, (const uint32_t[16]){0x4000, [15] = 0x4080});
    vec_fill(tile, OUT, 256, 0xee);
    pack_row(tile, 0, "");
    pack_row(tile, 1, "");
    pack_row(tile, 2, "Last=1");
    IS(tile, "row starts", OUT, 2, 0, 16, 32, 34, 0, 0, 0, 0);
    IS(tile, "first of group 0", OUT + 16, 2, 0x3f80, 0x3f81);
    IS(tile, "last of group 0", OUT + 16 + 62, 2, 0x3f9f);
    IS(tile, "counts of group 0", OUT + 80, 4, 0, 0, 0, 0);
    IS(tile, "group 1", OUT + 96, 2, 0x4000, 0x4080, 0, 0);
    IS(tile, "its padding", OUT + 96 + 60, 2, 0, 0);
    IS(tile, "counts of group 1", OUT + 160, 1, 0x0e, 0, 0, 0, 0, 0, 0, 0);
    IS(tile, "behind", OUT + 176, 1, 0xee, 0xee);
    tsr_tile_destroy(tile);
}

// Nine rows have ten row starts, which are two lines; each row is 3f80 (14), 0.
static void nine_rows(int arch)
{
    tsr_tile *tile = compressing(arch, BF16, BF16, false);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Row_start_section_size, 2);
    dst_row(tile, DST_BF16, 0, (const uint32_t[16]){0x3f80});
    for (int row = 0; row < 9; row++)
        pack_one(tile, row == 8 ? "Last=1" : "");
    IS(tile, "row starts", OUT, 2, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 0, 0, 0, 0, 0, 0);
    IS(tile, "datums", OUT + 32, 2, 0x3f80, 0, 0x3f80, 0, 0x3f80, 0, 0x3f80, 0);
    IS(tile, "counts", OUT + 96, 1, 0x0e, 0x0e, 0x0e, 0x0e, 0x0e, 0x0e, 0x0e, 0x0e, 0x0e, 0, 0);
    tsr_tile_destroy(tile);
}

// Blocks are of augmented datums, across rows: sixteen of 3f80 with exponent 127, 0x40 each; then
// 4000 (14) and 4080: X = 129, (128 + 2) / 4 and (128 + 1) / 2.
static void blocks_of_augmented(int arch)
{
    tsr_tile *tile = compressing(arch, BF16, BFP8, false);
    for (unsigned i = 0; i < 16; i++)
        dst_value(tile, DST_BF16, 0, i, 0x3f80);
    dst_row(tile, DST_BF16, 1, (const uint32_t[16]){0x4000, [15] = 0x4080});
    pack_row(tile, 0, "");
    pack_row(tile, 1, "Last=1");
    IS(tile, "row starts", OUT, 2, 0, 16, 18, 0);
    IS(tile, "exponents", OUT + 16, 1, 127, 129, 0);
    IS(tile, "first block", OUT + 32, 1, 0x40, 0x40, 0x40);
    IS(tile, "second block", OUT + 48, 1, 0x20, 0x40, 0);
    IS(tile, "counts", OUT + 64, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0x0e, 0);
    tsr_tile_destroy(tile);
}

// Two bits a datum: 32 of them are half a line. The going-on of the finding fills that line.
static void two_bits(int arch)
{
    tsr_tile *tile = compressing(arch, BF16, BFP2, false);
    dst_row(tile, DST_BF16, 0, (const uint32_t[16]){0x4000, [15] = 0x4000});
    pack_one(tile, "Last=1");
    vec_found(tile, "BFP2", "pack-compression");
    IS(tile, "row starts", OUT, 2, 0, 2);
    IS(tile, "exponent", OUT + 16, 1, 128, 0);
    IS(tile, "datums", OUT + 32, 1, 0x05, 0, 0, 0);
    IS(tile, "counts", OUT + 48, 1, 0x0e, 0, 0);
    tsr_tile_destroy(tile);
}

// Downsampling is before: eight of sixteen, 3f80, six zeroes, 4000. Starts 0, 2.
static void downsampled(int arch)
{
    tsr_tile *tile = compressing(arch, BF16, BF16, false);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Downsample_mask, 0x00ff);
    dst_row(tile, DST_BF16, 0, (const uint32_t[16]){0x3f80, [7] = 0x4000, [8] = 0x4040});
    pack_one(tile, "Last=1");
    IS(tile, "row starts", OUT, 2, 0, 2, 0);
    IS(tile, "datums", OUT + 16, 2, 0x3f80, 0x4000, 0);
    IS(tile, "counts", OUT + 80, 1, 0x06, 0, 0);
    tsr_tile_destroy(tile);
}

// A section that Last closed: the next tile has its own row starts, from 0.
static void next_tile(int arch)
{
    static const uint32_t in[2][16] = {{0x3f80}, {[15] = 0x4000}};
    tsr_tile *tile = compressing(arch, BF16, BF16, false);
    bf16_rows(tile, in, 2);
    pack_row(tile, 0, "Last=1");
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_L1_Dest_addr, OUT / 16 - 1 + 0x10);
    pack_row(tile, 1, "Last=1");
    IS(tile, "row starts", OUT, 2, 0, 2, 0);
    IS(tile, "row starts of the next", OUT + 0x100, 2, 0, 2, 0);
    IS(tile, "datums of the next", OUT + 0x110, 2, 0, 0x4000, 0);
    tsr_tile_destroy(tile);
}

// A bit a row, set where all of it is zero; of the tile that is packed.
static void flags(int arch)
{
    static const uint32_t in[4][16] = {{0}, {[8] = 0x3f80}, {0}, {[15] = 0x4000}};
    tsr_tile *tile = compressing(arch, BF16, BF16, false);
    bf16_rows(tile, in, 4);
    pack_row(tile, 0, "");
    pack_row(tile, 1, "");
    pack_row(tile, 2, "Last=1");
    assert_int_equal(pack_state(tile, 1, 0, 0), 5);  // rows 0 and 2
    assert_int_equal(pack_state(tile, 8, 0, 0), 1);  // bit 0 of packer 0's flags
    assert_int_equal(pack_state(tile, 2, 0, 2), 5);  // in the tile header
    assert_int_equal(vec_load(tile, 0xffb11020), 5); // and through TDMA-RISC
    // The next tile: one row, not zero.
    pack_row(tile, 3, "Last=1");
    assert_int_equal(pack_state(tile, 1, 0, 0), 0);
    // A row of two PACRs has one bit: 0, 0 | 0, 4000 | 0.
    pack_row(tile, 0, "Concat=1");
    pack_row(tile, 2, "");
    pack_row(tile, 0, "Concat=1");
    pack_row(tile, 3, "");
    pack_row(tile, 2, "Last=1");
    assert_int_equal(pack_state(tile, 1, 0, 0), 5);
    tsr_tile_destroy(tile);
}

// All_pack_disable_zero_compress, bit i for packer i, replaces the packer's own bit.
static void overridden(int arch)
{
    (void)arch;
    static const struct {
        uint32_t own, mask;
        bool compressed;
    } cases[] = {{1, 0xe, true}, {0, 0x1, false}, {0, 0xe, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tsr_tile *tile = compressing(WH, BF16, BF16, false);
        tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Disable_zero_compress, cases[i].own);
        tile_field(tile, 0, FIELD_THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd, 1);
        tile_field(tile, 0, FIELD_THCON_SEC0_REG1_All_pack_disable_zero_compress, cases[i].mask);
        dst_row(tile, DST_BF16, 0, (const uint32_t[16]){0x3f80, 0, 0x4000});
        pack_one(tile, "Last=1");
        if (cases[i].compressed) {
            IS(tile, "row starts", OUT, 2, 0, 3);
            IS(tile, "datums", OUT + 16, 2, 0x3f80, 0x4000, 0);
        } else {
            IS(tile, "plain", OUT, 2, 0x3f80, 0, 0x4000, 0);
        }
        // The tile header shows which it was: bit 20 is DisableZeroCompression.
        assert_int_equal(pack_state(tile, 2, 0, 1) >> 20 & 1, !cases[i].compressed);
        tsr_tile_destroy(tile);
    }
}

TILE_BOTH(one_row)
TILE_BOTH(exponent_of_bfp8)
TILE_BOTH(minus_zero)
TILE_BOTH(two_rows)
TILE_BOTH(concatenated)
TILE_BOTH(two_groups)
TILE_BOTH(nine_rows)
TILE_BOTH(blocks_of_augmented)
TILE_BOTH(two_bits)
TILE_BOTH(downsampled)
TILE_BOTH(next_tile)
TILE_BOTH(flags)

static void overridden_wh(void **state)
{
    (void)state;
    overridden(WH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(one_row),
        TILE_TEST(exponent_of_bfp8),
        TILE_TEST(minus_zero),
        TILE_TEST(two_rows),
        TILE_TEST(concatenated),
        TILE_TEST(two_groups),
        TILE_TEST(nine_rows),
        TILE_TEST(blocks_of_augmented),
        TILE_TEST(two_bits),
        TILE_TEST(downsampled),
        TILE_TEST(next_tile),
        TILE_TEST(flags),
        cmocka_unit_test(overridden_wh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
