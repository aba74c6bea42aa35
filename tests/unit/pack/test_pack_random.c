// SPDX-License-Identifier: Apache-2.0
// Stochastic rounding as statistics over tiles and seeds: nothing is raised or lowered on average,
// neither in a tile nor in its first datums; one datum says nothing about the next; and what is
// exact stays. Pages: Packers/FormatConversion.md, VectorUnit.md ("PRNG").
#include "rig/pack_rig.h"
#include "rig/sample.h"

enum { DATUMS = 1024, SEEDS = RIG_SAMPLE(150), OF_OPTIONS = 30, FIRST = 24 };

// A datum is `base` with a fraction of a unit in its lowest `dropped` bits; it becomes `rounded`,
// or a unit, `step`, more.
struct rounding {
    const char *name;
    int between, out;
    bool wide, blocks; // blocks: Packer_srnd_en, under a first datum with a larger exponent
    uint32_t base, rounded, step;
    unsigned dropped, bytes, shift; // shift: INT_DESCALE
};

static const struct rounding roundings[] = {
    {"FP32 to BF16", BF16, BF16, true, false, 0x3f800000, 0x3f80, 1, 16, 2, 0},
    {"FP32 to TF32", TF32, FP32, true, false, 0xbf800000, 0xbf800000, 0x2000, 13, 4, 0},
    {"FP32 to E8M6", BFP8, BF16, true, false, 0x3f800000, 0x3f80, 2, 17, 2, 0},
    {"BF16 to E8M6", BFP8, BF16, false, false, 0x3f80, 0x3f80, 2, 1, 2, 0},
    {"FP16 to E5M6", BFP8A, FP16, false, false, 0x3c00, 0x3c00, 16, 4, 2, 0},
    {"INT32 to INT8", INT8, INT8, true, false, 5 << 20, 5, 1, 20, 1, 20},
    {"INT32 to INT8, far", INT8, INT8, true, false, 5 << 27, 5, 1, 27, 1, 27},
    {"BF16 to BFP8", BF16, BFP8, false, true, 0x3f80, 8, 1, 4, 1, 0},
};

// Of datum `i` of Dst: every fourth has none.
static uint32_t fraction(const struct rounding *r, unsigned i)
{
    uint32_t mixed = (i + 1) * 0x9e3779b1u;
    return i % 4 == 1 ? 0 : (mixed >> 5 ^ mixed >> 17) & ((1u << r->dropped) - 1u);
}

static bool leads_block(const struct rounding *r, unsigned i)
{
    return r->blocks && i % 16 == 0;
}

static void fill(tsr_tile *tile, const struct rounding *r)
{
    for (unsigned i = 0; i < 256; i++) {
        uint32_t v = leads_block(r, i) ? 0x4100 : r->base | fraction(r, i);
        v = r->wide               ? tsr_dst_encode_fp32(v)
            : r->between == BFP8A ? tsr_dst_encode_fp16((uint16_t)v)
                                  : tsr_dst_encode_bf16((uint16_t)v);
        dst_put(tile, i / 16, i % 16, v, r->wide);
    }
}

static tsr_tile *seeded(int arch, const struct rounding *r, unsigned seed)
{
    tsr_options options = tsr_options_default((tsr_arch)arch);
    if (seed < OF_OPTIONS)
        options.seed = seed;
    tsr_tile *tile = tile_with(&options);
    pack_formats(tile, r->between, r->out, r->wide);
    tile_field(tile, 0, PACKER(0, Exp_section_size), r->blocks ? DATUMS / 16 / 16 : 0);
    tile_field(tile, 0, FIELD_INT_DESCALE_Enable, r->shift != 0);
    tile_field(tile, 0, FIELD_INT_DESCALE_VALUES_SEC0_Value, r->shift);
    tile_field(tile, 0,
               r->blocks ? FIELD_ALU_ROUNDING_MODE_Packer_srnd_en
                         : FIELD_ALU_ROUNDING_MODE_Gasket_srnd_en,
               1);
    if (seed >= OF_OPTIONS)
        tile_field(tile, 0, FIELD_PRNG_SEED_Seed_Val, seed);
    fill(tile, r);
    return tile;
}

// Datum `i` of the tile comes from this one of Dst: PACRs read the same rows again and again.
static unsigned source_of(int arch, unsigned i)
{
    return arch == WH ? i % 256 : i % 64;
}

static void pack_tile_of(tsr_tile *tile, int arch)
{
    unsigned pacrs = arch == WH ? 4 : 16;
    pack_datums(tile, 0, arch == WH ? 256 : 16);
    for (unsigned n = 0; n < pacrs; n++) {
        const char *text = arch == WH ? "PACR PackSel=1" : "PACR ReadIntfSel=15";
        const char *last = arch == WH ? "PACR PackSel=1 Last=1" : "PACR ReadIntfSel=15 Last=1";
        tile_do(tile, 0, n == pacrs - 1 ? last : text);
    }
}

// Whether datum `i` went up; of the two values that it can have.
static bool went_up(tsr_tile *tile, int arch, const struct rounding *r, unsigned i)
{
    uint32_t at = OUT + (r->blocks ? DATUMS / 16 : 0) + r->bytes * i;
    uint32_t got = out_at(tile, at, r->bytes), f = fraction(r, source_of(arch, i));
    bool up = got == r->rounded + r->step;
    if (!up && got != r->rounded)
        fail_msg("%s: datum %u is 0x%x", r->name, i, got);
    if (up && f == 0)
        fail_msg("%s: datum %u was exact, and was raised", r->name, i);
    return up;
}

// Sums of errors, in units, and of the variances that they should have.
struct sums {
    double error, variance, squares; // squares: of the errors of whole tiles
    double first[FIRST], first_variance[FIRST];
};

static void add_tile(int arch, const struct rounding *r, unsigned seed, struct sums *sums)
{
    tsr_tile *tile = seeded(arch, r, seed);
    double of_tile = 0;
    pack_tile_of(tile, arch);
    for (unsigned i = 0; i < DATUMS; i++) {
        unsigned source = source_of(arch, i);
        if (leads_block(r, source))
            continue;
        double f = fraction(r, source) / (double)(1u << r->dropped);
        double error = went_up(tile, arch, r, i) - f;
        of_tile += error;
        sums->variance += f * (1 - f);
        if (i < FIRST) {
            sums->first[i] += error;
            sums->first_variance[i] += f * (1 - f);
        }
    }
    sums->error += of_tile;
    sums->squares += of_tile * of_tile;
    tsr_tile_destroy(tile);
}

// Four standard deviations, which one sum in 16,000 leaves by chance.
static void check_sum(const struct rounding *r, const char *what, double error, double variance)
{
    if (error * error > 16 * variance)
        fail_msg("%s, %s: %f units, with a variance of %f", r->name, what, error, variance);
}

static void test_no_bias(int arch)
{
    for (size_t n = 0; n < sizeof roundings / sizeof *roundings; n++) {
        const struct rounding *r = &roundings[n];
        struct sums sums = {0};
        for (unsigned seed = 0; seed < SEEDS; seed++)
            add_tile(arch, r, seed, &sums);
        check_sum(r, "all tiles", sums.error, sums.variance);
        for (unsigned i = 0; i < FIRST; i++)
            check_sum(r, "a first datum", sums.first[i], sums.first_variance[i]);
        // As if each datum had thrown dice of its own: 150 squares have a spread of 12 %.
        if (sums.squares < 0.5 * sums.variance || sums.squares > 1.6 * sums.variance)
            fail_msg("%s: tiles vary by %f instead of %f", r->name, sums.squares, sums.variance);
    }
}
TILE_BOTH(test_no_bias)

// Seeds next to each other, and those that differ in their upper half alone, begin apart.
static void test_seeds_differ(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        uint32_t one = tsr_prng_begin(seed);
        assert_int_not_equal(one, tsr_prng_begin(seed + 1));
        assert_int_not_equal(one, tsr_prng_begin(seed | 1ull << 32));
        unsigned different = (unsigned)__builtin_popcount(one ^ tsr_prng_begin(seed + 1));
        assert_in_range(different, 5, 27);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TILE_TEST(test_no_bias),
                                       cmocka_unit_test(test_seeds_differ)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
