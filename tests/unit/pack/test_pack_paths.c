// SPDX-License-Identifier: Apache-2.0
// The packers' two paths give the same: a PACR whose datums go through a kernel leaves the L1, the
// tile position, the histogram and the maximum exponent that one leaves whose datums go one by one.
// Pages: Packers/README.md, Packers/ExponentHistogram.md.
#include "pack/pack_plan.h"
#include "rig/pack_rig.h"
#include "rig/sample.h"

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed ^ *seed >> 15;
}

struct setting {
    bool wide, raw, round_10b;
    int between, out;
};

// Whether a packer has the conversion at all, whatever ReLU does.
static bool exists(int arch, const struct setting *setting)
{
    tsr_pack_mode mode = {.arch = (tsr_arch)arch,
                          .read_32b = setting->wide,
                          .read_raw = setting->raw,
                          .round_10b = setting->round_10b,
                          .in_format = (uint8_t)setting->between,
                          .out_format = (uint8_t)setting->out};
    uint32_t pattern;
    return tsr_pack_datum(&mode, 0, &pattern) == TSR_OK;
}

enum { ROWS = 40 };

// Exponents that rise from row to row, to beyond the threshold of ReLU.
static uint32_t near_threshold(uint32_t stored, unsigned row, uint16_t threshold, bool wide,
                               bool e5)
{
    unsigned shift = wide ? 16 : 0, field = e5 ? 0x1f : 0xff;
    unsigned exponent = (unsigned)(threshold >> (e5 ? 10 : 7)) + row - ROWS / 2;
    return (stored & ~(field << shift)) | (exponent & field) << shift;
}

// What the two tiles have in common.
static tsr_tile *prepare(int arch, const struct setting *setting, uint32_t seed)
{
    static const uint16_t thresholds[] = {0x3f80, 0x3c00, 0x5234, 0x4470, 0x7fff, 0x9f80};
    uint16_t threshold = thresholds[seed % 6];
    // A threshold below zero is reported.
    tsr_profile profile = threshold >> 15 ? TSR_PROFILE_SILICON : TSR_PROFILE_STRICT;
    tsr_tile *tile = pack_tile(arch, profile, setting->between, setting->out, setting->wide);
    bool integer =
        setting->between == INT16 || setting->between == INT32 || setting->between == INT8;
    bool rises = seed >> 11 & 1, e5 = !setting->wide && seed >> 12 & 1;
    for (unsigned row = 0; row < ROWS; row++)
        for (unsigned i = 0; i < 16; i++) {
            uint32_t stored = next_random(&seed);
            if (rises)
                stored = near_threshold(stored, row, threshold, setting->wide, e5);
            if (setting->between == INT8)
                stored = tsr_dst_encode_fp32(stored & 0x800001ff);
            dst_put(tile, row, i, stored, setting->wide);
        }
    tile_field(tile, 0, FIELD_PCK_DEST_RD_CTRL_Read_int8, setting->raw);
    tile_field(tile, 0, FIELD_PCK_DEST_RD_CTRL_Round_10b_mant, setting->round_10b);
    tile_field(tile, 0, PACKER(0, Exp_section_size), 8);
    tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 3 + seed % 14);
    tile_field(tile, 0, FIELD_PCK_EDGE_OFFSET_SEC0_mask, seed % 3 ? 0xffff : seed >> 16);
    tile_field(tile, 0, FIELD_PCK_EDGE_OFFSET_SEC1_mask, seed >> 8);
    pack_mapping(tile, FIELD_TILE_ROW_SET_MAPPING_0_row_set_mapping_0,
                 seed % 3 ? 0 : seed & 0x55555555);
    tile_field(tile, 0, FIELD_STACC_RELU_ApplyRelu, integer ? seed >> 5 & 1 : seed >> 5 & 3);
    tile_field(tile, 0, FIELD_STACC_RELU_ReluThreshold, threshold);
    return tile;
}

static void run(tsr_tile *tile, int arch, uint32_t seed)
{
    for (unsigned pacr = 0; pacr < 3; pacr++) {
        pack_datums(tile, 0, arch == WH ? 16 * (1 + seed % 30) : 16);
        tile_do(tile, 0, pacr == 2 ? "PACR Last=1" : "PACR");
        seed /= 3;
    }
}

static void assert_same(tsr_tile *a, tsr_tile *b, const struct setting *setting)
{
    const struct tsr_packer *p = &tile_state(a)->packers.packer[0];
    const struct tsr_packer *q = &tile_state(b)->packers.packer[0];
    if (memcmp(tile_state(a)->l1.bytes + OUT, tile_state(b)->l1.bytes + OUT, 0x4000) != 0 ||
        p->max_exponent != q->max_exponent)
        fail_msg("%s, %d to %d: L1 or the maximum exponent (%u, %u) differs",
                 setting->wide ? "wide" : "narrow", setting->between, setting->out, p->max_exponent,
                 q->max_exponent);
    assert_int_equal(p->x, q->x);
    assert_int_equal(p->y, q->y);
    assert_int_equal(p->z, q->z);
    assert_int_equal(p->last_tile_size, q->last_tile_size);
    assert_int_equal(p->beyond_sixteen, q->beyond_sixteen);
}

static unsigned counted(const tsr_tile *tile)
{
    const uint8_t *bins = tile->engine.env.state->packers.packer[0].exponent_count;
    unsigned sum = 0;
    for (unsigned bin = 0; bin < 32; bin++)
        sum += bins[bin];
    return sum;
}

static void check_setting(int arch, const struct setting *setting, uint32_t seed)
{
    tsr_tile *by_kernel = prepare(arch, setting, seed);
    tsr_tile *one_by_one = prepare(arch, setting, seed);
    bool counts = seed >> 9 & 1;
    tile_field(by_kernel, 0, FIELD_ENABLE_ACC_STATS_Enable, counts);
    tile_field(one_by_one, 1, FIELD_ENABLE_ACC_STATS_Enable, 1);
    tile_env(one_by_one)->pack_plans->by_datums = true;
    run(by_kernel, arch, seed >> 3);
    run(one_by_one, arch, seed >> 3);
    assert_same(by_kernel, one_by_one, setting);
    assert_true(counted(one_by_one) >= 48);
    if (counts)
        assert_memory_equal(tile_state(by_kernel)->packers.packer[0].exponent_count,
                            tile_state(one_by_one)->packers.packer[0].exponent_count, 32);
    else
        assert_int_equal(counted(by_kernel), 0);
    tsr_tile_destroy(by_kernel);
    tsr_tile_destroy(one_by_one);
}

// Every pair of formats that some mode of reading Dst has. Without Read_raw and Round_10b_mant 102
// each chip: from 32 bits 10 of FP32, 11 of TF32, BF16 and E8M6, three integers; from 16 bits 11 of
// BF16, TF32, E8M6, FP16 and E5M6, and INT16. Raw 102; rounded 114, Blackhole 125 with its FP16
// from 32 bits; both 100, Blackhole 89 without FP16 from 16 bits. Besides, on the way to the three
// blocks of five-bit exponents, BFP8a from 32 bits, rounded or not, and Wormhole's FP16, rounded;
// and FP32 from 16 bits to itself.
static void test_paths(int arch)
{
    uint32_t seed = 1;
    unsigned pairs = 0;
    for (unsigned i = 0; i < 8 * 256; i++) {
        struct setting setting = {.wide = i & 1,
                                  .raw = i >> 1 & 1,
                                  .round_10b = i >> 2 & 1,
                                  .between = i >> 3 & 15,
                                  .out = (int)(i >> 7)};
        if (!exists(arch, &setting))
            continue;
        pairs++;
        for (unsigned round = 0; round < RIG_SAMPLE(4); round++)
            check_setting(arch, &setting, next_random(&seed));
    }
    assert_int_equal(pairs, arch == WH ? 106 + 102 + 120 + 100 : 106 + 102 + 128 + 89);
}
TILE_BOTH(test_paths)

int main(void)
{
    const struct CMUnitTest tests[] = {TILE_TEST(test_paths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
