// SPDX-License-Identifier: Apache-2.0
// Compression: which zeroes go, rows and their starts, the layout of the three sections, zero flags
// and sizes; and that decompressing gives the datums back. Page: Packers/Compression.md.
#include "rig/pack_rig.h"

enum { ROWS = 2, EXPONENTS = 3 }; // 16-byte units of the sections in front of the data

static tsr_tile *compressing(int arch, int between, int out, bool wide)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, between, out, wide);
    int packers = arch == WH ? 4 : 1;
    for (int i = 0; i < packers; i++) {
        tile_field(tile, 0, PACKER(i, Disable_zero_compress), 0);
        tile_field(tile, 0, PACKER(i, Row_start_section_size), ROWS);
        tile_field(tile, 0, PACKER(i, Exp_section_size), EXPONENTS);
    }
    return tile;
}

static void put_row(tsr_tile *tile, unsigned row, const uint16_t *values, unsigned count)
{
    for (unsigned i = 0; i < 16; i++)
        dst_put(tile, row, i, i < count ? values[i] : 0, false);
}

static uint32_t data_at(const tsr_tile *tile, unsigned byte, unsigned size)
{
    return out_at(tile, OUT + 16 * ROWS + byte, size);
}

// ---------------------------------------------------------------- by hand

// 7 and nine zeroes after it, 5 and one, 3, 9 and the last two zeroes, of which one stays.
static void test_row(int arch)
{
    static const uint16_t row[16] = {7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 3, 9, 0, 0};
    static const uint16_t want[5] = {7, 5, 3, 9, 0};
    tsr_tile *tile = compressing(arch, INT16, INT16, false);
    put_row(tile, 0, row, 16);
    pack_one(tile, "Last=1");
    assert_int_equal(out_at(tile, OUT, 4), 5u << 16); // row 0: 0 to 5
    assert_int_equal(out_at(tile, OUT + 4, 4), 0);
    assert_false(was_written(tile, OUT + 16, 16));
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(data_at(tile, 2 * i, 2), i < 5 ? want[i] : 0);
    assert_int_equal(data_at(tile, 64, 4), 0x01019); // counts 9, 1, 0, 1, 0
    assert_int_equal(data_at(tile, 68, 4), 0);
    assert_int_equal(data_at(tile, 76, 4), 0);
    assert_false(was_written(tile, OUT + 16 * ROWS + 80, 16));
    assert_non_null(tile_found(tile, "legacy-mode"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_row)

// The first datum of a row stays though it is zero, and a count is at most 15.
static void test_zero_rows(int arch)
{
    tsr_tile *tile = compressing(arch, INT16, INT16, false);
    put_row(tile, 0, NULL, 0);
    pack_one(tile, "");
    pack_one(tile, "Last=1");
    assert_int_equal(out_at(tile, OUT, 4), 2u << 16);
    assert_int_equal(out_at(tile, OUT + 4, 4), 4);
    assert_int_equal(data_at(tile, 0, 4), 0);
    assert_int_equal(data_at(tile, 64, 4), 0x0e0e); // first, 14 dropped, last; twice
    assert_int_equal(pack_state(tile, 1, 0, 0), 3); // both rows are zero
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_zero_rows)

// With Concat a row goes on: 4 and 28 zeroes and 6 are 4 with 15 after it, a zero with 12, 6.
static void test_concat(int arch)
{
    tsr_tile *tile = compressing(arch, INT16, INT16, false);
    put_row(tile, 0, (const uint16_t[]){4}, 1);
    put_row(tile, 4, (const uint16_t[16]){[13] = 6}, 16);
    pack_one(tile, "Concat=1");
    tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_Offset, 4);
    pack_datums(tile, 0, 14);
    pack_one(tile, "Last=1");
    assert_int_equal(out_at(tile, OUT, 4), 3u << 16);
    assert_int_equal(data_at(tile, 0, 4), 4);
    assert_int_equal(data_at(tile, 4, 2), 6);
    assert_int_equal(data_at(tile, 64, 4), 0x0cf);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_concat)

// A row that waits for more ends with its tile; Flush brings no datums of its own.
static void test_flush_ends_a_row(int arch)
{
    tsr_tile *tile = compressing(arch, INT16, INT16, false);
    put_row(tile, 0, (const uint16_t[]){4}, 1);
    pack_one(tile, "Concat=1");
    assert_false(was_written(tile, OUT, 16));
    pack_one(tile, "Flush=1");
    assert_int_equal(out_at(tile, OUT, 4), 2u << 16);
    assert_int_equal(data_at(tile, 0, 4), 4);
    assert_int_equal(data_at(tile, 64, 4), 0x0e);
    pack_one(tile, "Last=1"); // and the next row is a section's first
    assert_int_equal(out_at(tile, OUT, 4), 2u << 16);
    assert_int_equal(out_at(tile, OUT + 4, 4), 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_flush_ends_a_row)

// 36 datums that stay: 32, their counts, 4, 28 of padding, the others' counts.
static void test_groups(int arch)
{
    tsr_tile *tile = compressing(arch, INT16, INT16, false);
    uint16_t row[16];
    for (unsigned i = 0; i < 16; i++)
        row[i] = (uint16_t)(100 + i);
    put_row(tile, 0, row, 16);
    pack_datums(tile, 0, 12);
    pack_one(tile, "");
    pack_one(tile, "");
    pack_one(tile, "Last=1");
    assert_int_equal(out_at(tile, OUT, 4), 12u << 16);
    assert_int_equal(out_at(tile, OUT + 4, 4), 36u << 16 | 24);
    for (unsigned i = 0; i < 64; i++) {
        uint32_t want = i < 36 ? 100 + i % 12 : 0;
        assert_int_equal(data_at(tile, i < 32 ? 2 * i : 16 + 2 * i, 2), want);
    }
    for (unsigned i = 0; i < 16; i++) {
        assert_int_equal(data_at(tile, 64 + i, 1), 0);
        assert_int_equal(data_at(tile, 144 + i, 1), 0);
    }
    assert_false(was_written(tile, OUT + 16 * ROWS + 160, 16));
    // Sizes: 10 lines of datums and counts, and one of row starts.
    assert_int_equal(pack_state(tile, 0, 0, 0), 11u << 16 | 11);
    assert_int_equal(pack_state(tile, 2, 0, 0), 12);          // the header's size
    assert_int_equal(pack_state(tile, 2, 0, 1), INT16 << 16); // and that it is compressed
    assert_int_equal(pack_state(tile, 1, 0, 0), 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_groups)

// Blocks share their exponents among the datums that stay: 1.0, 2.0 and a zero that ends the row.
static void test_blocks(int arch)
{
    tsr_tile *tile = compressing(arch, BF16, BFP8, false);
    dst_bf16(tile, 0, (const uint16_t[16]){[0] = 0x3f80, [8] = 0x4000}, 16);
    pack_one(tile, "Last=1");
    assert_int_equal(out_at(tile, OUT, 4), 3u << 16);
    assert_int_equal(out_at(tile, OUT + 16 * ROWS, 2), 128); // one exponent: no second block
    uint32_t data = OUT + 16 * (ROWS + EXPONENTS);
    assert_int_equal(out_at(tile, data, 4), 0x4020);
    assert_int_equal(out_at(tile, data + 28, 4), 0);
    assert_int_equal(out_at(tile, data + 32, 4), 0x067);
    assert_false(was_written(tile, data + 48, 16));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_blocks)

// Minus zero is no zero; zero is what late conversion gives: an FP32 denormal becomes a BF16 zero.
static void test_what_is_zero(int arch)
{
    tsr_tile *tile = compressing(arch, FP32, BF16, true);
    static const uint32_t row[4] = {0x3f800000, 0x80000000, 0x00000001, 0x00012345};
    for (unsigned i = 0; i < 16; i++)
        dst_put(tile, 0, i, tsr_dst_encode_fp32(row[i % 4]), true);
    pack_one(tile, "Last=1");
    // As an FP32 with exponent 0 it loses its sign on the way to BF16 (arithmetic.md).
    assert_int_equal(out_at(tile, OUT, 4), 5u << 16);
    assert_int_equal(data_at(tile, 64, 4), 0x02333);
    tsr_tile_destroy(tile);
    tile = compressing(arch, INT16, INT16, false);
    put_row(tile, 0, (const uint16_t[16]){1, 0x8000, 0x8000, 0}, 16);
    pack_one(tile, "Last=1");
    assert_int_equal(out_at(tile, OUT, 4), 4u << 16);
    assert_int_equal(data_at(tile, 64, 4), 0x0c00);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_what_is_zero)

// ---------------------------------------------------------------- flags, switches

static void test_zero_flags(int arch)
{
    tsr_tile *tile = compressing(arch, INT16, INT16, false);
    put_row(tile, 0, NULL, 0);
    put_row(tile, 4, (const uint16_t[16]){[15] = 1}, 16);
    tile_field(tile, 0, PACKER(0, Enable_out_fifo), 1);
    for (unsigned row = 0; row < 34; row++) { // beyond 32 rows there is no flag
        tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_Offset, row % 3 == 2 ? 0 : 4);
        pack_one(tile, row == 33 ? "Last=1" : "");
    }
    assert_int_equal(pack_state(tile, 1, 0, 0), 0x24924924);
    assert_int_equal(pack_state(tile, 2, 0, 2), 0x24924924);
    assert_int_equal(pack_state(tile, 8, 0, 0), 0);
    assert_int_equal(tile_state(tile)->packers.packer[0].metadata[0].zero_flags, 0x24924924);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_zero_flags)

// Without zero flags there is no compression: sixteen zeroes are sixteen datums, without row starts
// before and counts after them, and the header says so.
static void test_forced_uncompressed(int arch)
{
    for (unsigned forced = 0; forced < 2; forced++) {
        tsr_tile *tile = compressing(arch, INT16, INT16, false);
        put_row(tile, 0, (const uint16_t[16]){[1] = 7}, 16);
        tile_field(tile, 0, PACKER(0, Disable_pack_zero_flags), forced);
        pack_one(tile, "Last=1");
        assert_int_equal(out16(tile, 1), forced ? 7 : 3); // or: where the next row starts
        assert_int_equal(was_written(tile, OUT + 16 * ROWS, 16), !forced);
        assert_int_equal(was_written(tile, OUT + 16, 16), forced);
        assert_int_equal(pack_state(tile, 1, 0, 0), 0);
        assert_int_equal(pack_state(tile, 2, 0, 1) >> 20 & 1, forced);
        const tsr_diagnostic *found = tile_found(tile, "undocumented-mode");
        assert_int_equal(found && strstr(found->sentence, "Disable_pack_zero_flags"), forced);
        assert_int_equal(tile_found(tile, "legacy-mode") == NULL, forced);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_forced_uncompressed)

// The override takes the packer's bit of one field instead of its own.
static void test_override(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits < 4; bits++) {
        tsr_tile *tile = compressing(WH, INT16, INT16, false);
        put_row(tile, 0, NULL, 0);
        tile_field(tile, 0, FIELD_THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd, 1);
        tile_field(tile, 0, FIELD_THCON_SEC0_REG1_All_pack_disable_zero_compress, bits);
        tile_do(tile, 0, "PACR PackSel=1 Last=1");
        assert_int_equal(was_written(tile, OUT + 16 * ROWS, 16), !(bits & 1));
        tsr_tile_destroy(tile);
    }
}

static void test_two_bits(int arch)
{
    tsr_tile *tile = compressing(arch, BF16, BFP2, false);
    tsr_tile_set_policy(tile, "undefined-behaviour", TSR_ACTION_RECORD);
    dst_bf16(tile, 0, (const uint16_t[16]){0x3f80, 0x3f80}, 16);
    pack_one(tile, "Last=1");
    assert_non_null(tile_found(tile, "pack-compression"));
    uint32_t data = OUT + 16 * (ROWS + EXPONENTS);
    assert_int_equal(out_at(tile, data, 4), 0x5);
    assert_int_equal(out_at(tile, data + 16, 4), 0x0d0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_two_bits)

static void fill_l1(tsr_tile *tile)
{
    struct tsr_l1 *l1 = &tile_state(tile)->l1;
    memset(l1->bytes, 0xee, l1->size);
    tsr_l1_mark(l1, 0, l1->size, false);
}

// All bytes that are not as fill_l1() left them lie in [first, end).
static void check_changed(tsr_tile *tile, uint32_t first, uint32_t end)
{
    const struct tsr_l1 *l1 = &tile_state(tile)->l1;
    for (uint32_t i = 0; i < l1->size; i++)
        if (l1->bytes[i] != 0xee && (i < first || i >= end))
            fail_msg("0x%x is 0x%x", (unsigned)i, (unsigned)l1->bytes[i]);
    assert_int_not_equal(l1->bytes[first], 0xee);
    assert_int_not_equal(l1->bytes[end - 1], 0xee);
}

// Four datums of a block wait when compression is switched on within their section. They stay in
// the block and are in no row, so the datums of a group that are left can be fewer than fill it.
static void test_switched_on(int arch)
{
    static const struct {
        const char *words[2];
        unsigned lines; // of data: blocks, datums that fill a group, counts
    } rows[] = {{{"Flush=1"}, 1},
                {{"Last=1 Flush=1 Concat=1"}, 1},
                {{"Last=1"}, 4},     // 20 datums, 12 and 4 of padding
                {{"", "Last=1"}, 4}, // 36 datums: 12 fill the block, and no group is open
                {{"Concat=1", "Flush=1"}, 4}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        tsr_tile *tile = compressing(arch, BF16, BFP8, false);
        for (unsigned i = 0; i < 16; i++)
            dst_put(tile, 0, i, tsr_dst_encode_bf16(0x3f80), false);
        fill_l1(tile);
        tile_field(tile, 0, PACKER(0, Disable_zero_compress), 1);
        pack_datums(tile, 0, 4);
        pack_one(tile, "");
        tile_field(tile, 0, PACKER(0, Disable_zero_compress), 0);
        pack_datums(tile, 0, 16);
        for (unsigned i = 0; i < 2 && rows[r].words[i]; i++)
            pack_one(tile, rows[r].words[i]);
        uint32_t data = OUT + 16 * EXPONENTS;
        check_changed(tile, OUT, data + 16 * rows[r].lines);
        assert_int_equal(out_at(tile, OUT, 1), 127);
        assert_int_equal(out_at(tile, data, 4), 0x40404040);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_switched_on)

// ---------------------------------------------------------------- back again

static uint32_t datum_at(const tsr_tile *tile, uint32_t address, unsigned i, unsigned bits)
{
    if (bits < 8)
        return out_at(tile, address + i * bits / 8, 1) >> i * bits % 8 & tsr_mask32(bits);
    return out_at(tile, address + i * bits / 8, bits / 8);
}

// The page's way out: each datum, then as many zeroes as its count.
static unsigned decompress(const tsr_tile *tile, uint32_t data, unsigned bits, unsigned rows,
                           uint32_t *out)
{
    unsigned count = 0, kept = out_at(tile, OUT + 2 * rows, 2);
    for (unsigned i = 0; i < kept; i++) {
        uint32_t group = data + i / 32 * (4 * bits + 16);
        uint32_t zeroes = datum_at(tile, group + 4 * bits, i % 32, 4);
        out[count++] = datum_at(tile, group, i % 32, bits);
        for (; zeroes > 0; zeroes--)
            out[count++] = 0;
    }
    return count;
}

// Mostly zeroes, else numbers from 1 to 2, which share an exponent, or small integers.
static void fill(tsr_tile *tile, int between, bool wide, uint32_t seed)
{
    for (unsigned i = 0; i < 128; i++) {
        seed = seed * 1664525u + 1013904223u;
        uint32_t step = seed >> 8 & 0x3f, value = 0x3f800000 | step << 17;
        if (between == FP16)
            value = tsr_dst_encode_fp16((uint16_t)(0x3c00 | step << 4));
        else if (between == INT8 || between == INT16 || between == INT32)
            value = wide ? tsr_dst_encode_fp32(step + 1) : step + 1;
        else
            value = wide ? tsr_dst_encode_fp32(value) : tsr_dst_encode_bf16(value >> 16);
        dst_put(tile, i / 16, i % 16, seed >> 28 < 3 ? value : 0, wide);
    }
}

static void pack_eight_rows(tsr_tile *tile)
{
    for (unsigned row = 0; row < 8; row++) {
        tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_Offset, row);
        pack_one(tile, row == 7 ? "Last=1" : row == 2 || row == 3 ? "Concat=1" : "");
    }
}

// What comes back are the datums that packing gives without compression.
static void check_back(int arch, int between, int out, bool wide, unsigned bits, uint32_t seed)
{
    tsr_tile *compressed = compressing(arch, between, out, wide);
    tsr_tile *uncompressed = pack_tile(arch, TSR_PROFILE_STRICT, between, out, wide);
    uint32_t exponents = out & 2 ? 16 * EXPONENTS : 0, got[128 + 16] = {0};
    tile_field(uncompressed, 0, PACKER(0, Exp_section_size), EXPONENTS);
    fill(compressed, between, wide, seed);
    fill(uncompressed, between, wide, seed);
    pack_eight_rows(compressed);
    pack_eight_rows(uncompressed);
    assert_int_equal(decompress(compressed, OUT + 16 * ROWS + exponents, bits, 6, got), 128);
    for (unsigned i = 0; i < 128; i++)
        if (got[i] != datum_at(uncompressed, OUT + exponents, i, bits))
            fail_msg("%d to %d: datum %u is 0x%x", between, out, i, (unsigned)got[i]);
    tsr_tile_destroy(compressed);
    tsr_tile_destroy(uncompressed);
}

static void test_back(int arch)
{
    static const struct {
        int between, out;
        bool wide;
        unsigned bits;
    } rows[] = {{INT32, INT32, true, 32}, {INT16, INT16, false, 16}, {INT8, INT8, true, 8},
                {FP32, FP32, true, 32},   {TF32, TF32, true, 32},    {BF16, BF16, false, 16},
                {FP16, FP16, false, 16},  {FP16, FP8, false, 8},     {BF16, BFP8, false, 8},
                {BF16, BFP4, false, 4},   {FP16, BFP8A, false, 8},   {FP16, BFP4A, false, 4}};
    for (uint32_t seed = 0; seed < 8; seed++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            check_back(arch, rows[i].between, rows[i].out, rows[i].wide, rows[i].bits, seed);
}
TILE_BOTH(test_back)

// Downsampled away, datums are not compressed; what enters from nowhere is.
static void test_stages_before(int arch)
{
    tsr_tile *tile = compressing(arch, INT16, INT16, false);
    put_row(tile, 0, (const uint16_t[16]){1, 0, 2, 0, 3, 0, 4, 0, 5}, 16);
    tile_field(tile, 0, PACKER(0, Downsample_mask), 0x0155);
    pack_one(tile, "");
    pack_one(tile, "ZeroWrite=1 Last=1");
    assert_int_equal(out_at(tile, OUT, 4), 5u << 16);
    assert_int_equal(out_at(tile, OUT + 4, 4), 7);
    assert_int_equal(data_at(tile, 8, 4), 5);
    assert_int_equal(data_at(tile, 64, 4), 0x0300000); // five zeroes: first, three, last
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_stages_before)

// A sum in L1 is of datums: counts and row starts replace what was there.
static void test_accumulation(int arch)
{
    tsr_tile *tile = compressing(arch, INT32, INT32, true);
    uint32_t old[64];
    for (unsigned i = 0; i < 64; i++)
        old[i] = 1000;
    tsr_l1_put(&tile_state(tile)->l1, OUT, old, sizeof old, false);
    for (unsigned i = 0; i < 16; i++)
        dst_put(tile, 0, i, tsr_dst_encode_fp32(i ? 0 : 5), true);
    tile_field(tile, 0, PACKER(0, Pack_L1_Acc), 1);
    pack_one(tile, "Last=1");
    assert_int_equal(out_at(tile, OUT, 4), 2u << 16);
    assert_int_equal(data_at(tile, 0, 4), 1005);
    assert_int_equal(data_at(tile, 4, 4), 1000);
    assert_int_equal(data_at(tile, 128, 4), 0x0e);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_accumulation)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_row),
        TILE_TEST(test_zero_rows),
        TILE_TEST(test_concat),
        TILE_TEST(test_flush_ends_a_row),
        TILE_TEST(test_groups),
        TILE_TEST(test_blocks),
        TILE_TEST(test_what_is_zero),
        TILE_TEST(test_zero_flags),
        TILE_TEST(test_forced_uncompressed),
        cmocka_unit_test(test_override),
        TILE_TEST(test_two_bits),
        TILE_TEST(test_switched_on),
        TILE_TEST(test_back),
        TILE_TEST(test_stages_before),
        TILE_TEST(test_accumulation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
