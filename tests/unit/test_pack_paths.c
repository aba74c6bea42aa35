// SPDX-License-Identifier: Apache-2.0
// The packers' two paths give the same: a PACR whose datums go through a kernel leaves the L1, the
// tile position and the maximum exponent that one leaves whose datums go one by one because some
// thread asks for the histogram. Pages: Packers/README.md, Packers/ExponentHistogram.md.
#include "pack_rig.h"

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed ^ *seed >> 15;
}

struct setting {
    bool wide;
    int between, out;
};

static const struct setting settings[] = {
    {false, FP16, FP32},   {false, FP16, FP16},  {false, FP16, BF16},  {false, FP16, FP8},
    {false, BFP8A, BFP8},  {false, BFP8A, BFP8A}, {false, FP16, BFP4A}, {false, FP16, BFP2A},
    {false, BF16, FP32},   {false, BF16, BF16},  {false, BF16, BFP8},  {false, BF16, BFP4},
    {false, BF16, BFP2},   {false, BF16, TF32},  {false, BFP8, FP32},  {false, BFP8, BF16},
    {false, BFP8, BFP8},   {false, INT16, INT16}, {true, FP32, FP32},  {true, FP32, FP16},
    {true, FP32, BFP8},    {true, TF32, TF32},   {true, FP32, BFP2},   {true, BF16, BF16},
    {true, BF16, FP16},    {true, BFP8, BFP8},   {true, INT32, INT32}, {true, INT16, INT16},
    {true, INT8, INT8}};

// What the two tiles have in common.
static tsr_tile *prepare(int arch, const struct setting *setting, uint32_t seed)
{
    tsr_tile *tile =
        pack_tile(arch, TSR_PROFILE_STRICT, setting->between, setting->out, setting->wide);
    bool integer = setting->between == INT16 || setting->between == INT32 ||
                   setting->between == INT8;
    for (unsigned row = 0; row < 40; row++)
        for (unsigned i = 0; i < 16; i++) {
            uint32_t stored = next_random(&seed);
            if (setting->between == INT8)
                stored = tsr_dst_encode_fp32(stored & 0x800001ff);
            dst_put(tile, row, i, stored, setting->wide);
        }
    tile_field(tile, 0, PACKER(0, Exp_section_size), 8);
    tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 3 + seed % 14);
    tile_field(tile, 0, FIELD_PCK_EDGE_OFFSET_SEC0_mask, seed % 3 ? 0xffff : seed >> 16);
    tile_field(tile, 0, FIELD_PCK_EDGE_OFFSET_SEC1_mask, seed >> 8);
    pack_mapping(tile, FIELD_TILE_ROW_SET_MAPPING_0_row_set_mapping_0,
                 seed % 3 ? 0 : seed & 0x55555555);
    tile_field(tile, 0, FIELD_STACC_RELU_ApplyRelu, integer ? seed >> 5 & 1 : seed >> 5 & 3);
    tile_field(tile, 0, FIELD_STACC_RELU_ReluThreshold, 0x3f80);
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
                 setting->wide ? "wide" : "narrow", setting->between, setting->out,
                 p->max_exponent, q->max_exponent);
    assert_int_equal(p->x, q->x);
    assert_int_equal(p->y, q->y);
    assert_int_equal(p->z, q->z);
    assert_int_equal(p->last_tile_size, q->last_tile_size);
    assert_int_equal(p->beyond_sixteen, q->beyond_sixteen);
}

static void test_paths(int arch)
{
    uint32_t seed = 1;
    for (unsigned round = 0; round < 12; round++)
        for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
            uint32_t this_seed = next_random(&seed);
            tsr_tile *by_kernel = prepare(arch, &settings[i], this_seed);
            tsr_tile *one_by_one = prepare(arch, &settings[i], this_seed);
            tile_field(one_by_one, 1, FIELD_ENABLE_ACC_STATS_Enable, 1);
            run(by_kernel, arch, this_seed >> 3);
            run(one_by_one, arch, this_seed >> 3);
            assert_same(by_kernel, one_by_one, &settings[i]);
            unsigned counted = 0;
            for (unsigned bin = 0; bin < 32; bin++) {
                const struct tsr_packers *packers = &tile_state(one_by_one)->packers;
                counted += packers->packer[0].exponent_count[bin];
                assert_int_equal(tile_state(by_kernel)->packers.packer[0].exponent_count[bin], 0);
            }
            assert_true(counted >= 48); // it did go the other way
            tsr_tile_destroy(by_kernel);
            tsr_tile_destroy(one_by_one);
        }
}
TILE_BOTH(test_paths)

int main(void)
{
    const struct CMUnitTest tests[] = {TILE_TEST(test_paths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
