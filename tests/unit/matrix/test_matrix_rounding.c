// SPDX-License-Identifier: Apache-2.0
// Stochastic rounding in the matrix unit (decision 15) with a generator of the test's own, and what
// of it is no rounding: integers, maxima. Pages: MatrixUnit.md, VectorUnit.md ("PRNG").
#include "rig/matrix_rig.h"
#include "rig/short_formats.h"

#include "tile/tile_state.h"

#include <stdio.h>

enum { ONE = 0x1fc00, TWO_TO_MINUS_8 = 0x1dc00, TWO_TO_MINUS_9 = 0x1d800 };

// The page's generator, word for word another way: taps 31, 21, 1 and 0.
static uint32_t advance(uint32_t *state)
{
    uint32_t s = *state, taps = s >> 31 ^ s >> 21 ^ s >> 1 ^ s;
    *state = (~taps & 1) << 31 | s >> 1;
    return s;
}

static rig *rounding(int arch, uint8_t format, bool wide, uint32_t a, uint32_t b)
{
    rig *r = rig_new(arch, TSR_PROFILE_STRICT);
    rig_formats(r, format, format);
    rig_set(r, FIELD_ALU_ACC_CTRL_Fp32_enabled, wide);
    rig_set(r, FIELD_ALU_ROUNDING_MODE_Fpu_srnd_en, 1);
    rig_fill_src(r, TSR_SRCA, a);
    rig_fill_src(r, TSR_SRCB, b);
    rig_run(r, "ZEROACC clear_mode=3");
    r->state->matrix.random = 0x12345678;
    return r;
}

static uint16_t bf16_at(const rig *r, unsigned row, unsigned column)
{
    return tsr_dst_decode_bf16(r->state->dst.bits[row][column]);
}

// 1 + 2^-8 lies half-way between two BF16: up if the addend below the kept bits has its top bit.
static void test_half_way(int arch)
{
    rig *r = rounding(arch, BF16, false, ONE, TWO_TO_MINUS_8);
    uint32_t stream = 0x12345678;
    unsigned ups = 0;
    rig_run(r, "ELWADD");
    assert_string_equal(rig_found(r), "stochastic-rounding");
    rig_run(r, "ELWSUB dst=8"); // 1 - 2^-8 is a BF16: nothing to round, but it draws too
    rig_run(r, "ELWADD dst=16");
    for (unsigned i = 0; i < 3 * 128; i++) {
        bool up = advance(&stream) >> 15 & 1;
        unsigned expected = i / 128 == 1 ? 0x3f7f : 0x3f80 + up;
        assert_int_equal(bf16_at(r, i / 16, i % 16), expected);
        ups += up && i / 128 != 1;
    }
    assert_true(ups > 64 && ups < 192);
    assert_int_equal(r->state->matrix.random, stream);
    rig_free(r);
}
TILE_BOTH(test_half_way)

// A quarter of a unit is lost for ever when rounding to nearest; by chance it arrives on average.
static void test_it_accumulates(int arch)
{
    rig *r = rounding(arch, BF16, false, ONE, TWO_TO_MINUS_9);
    enum { TIMES = 256 };
    double sum = 0;
    rig_fill_dst(r, tsr_dst_encode_bf16(0x3f80), tsr_dst_encode_bf16(0x3f80));
    for (int i = 0; i < TIMES; i++)
        rig_run(r, "ELWMUL");
    for (unsigned i = 0; i < 128; i++)
        sum += bf16_at(r, i / 16, i % 16) - 0x3f80;
    assert_true(sum / 128 > 60 && sum / 128 < 68); // 256 quarters
    rig_set(r, FIELD_ALU_ROUNDING_MODE_Fpu_srnd_en, 0);
    rig_fill_dst(r, tsr_dst_encode_bf16(0x3f80), tsr_dst_encode_bf16(0x3f80));
    for (int i = 0; i < TIMES; i++)
        rig_run(r, "ELWMUL");
    assert_int_equal(bf16_at(r, 0, 0), 0x3f80);
    rig_free(r);
}
TILE_BOTH(test_it_accumulates)

// MVMUL draws for each datum as well, in the order of rows and columns, into 32 bits too: the sum
// 2^1 (1 + 2^-24) has one bit too many.
static void test_products(int arch)
{
    rig *r = rounding(arch, BF16, true, 0, 0);
    uint32_t stream = 0x12345678;
    for (unsigned column = 0; column < 16; column++)
        r->state->src[TSR_SRCA].bank[0].datum[0][column] = ONE;
    for (unsigned row = 0; row < 8; row++)
        r->state->src[TSR_SRCB].bank[0].datum[row][0] = ONE;
    for (unsigned row = 0; row < 8; row++)
        rig_put_dst32(r, row, tsr_dst_encode_fp32(0x3f800001));
    memset(r->state->dst.valid, 1, sizeof r->state->dst.valid);
    memset(r->state->dst.written, 0xff, sizeof r->state->dst.written);
    rig_run(r, "MVMUL");
    for (unsigned i = 0; i < 128; i++)
        assert_int_equal(tsr_dst_decode_fp32(rig_dst32(r, i / 16, i % 16)),
                         0x40000000 + (advance(&stream) & 1));
    rig_free(r);
}
TILE_BOTH(test_products)

// The same bits from every set of kernels.
static void test_kernels_agree(int arch)
{
    static const char *const ops[] = {"ELWADD dest_accum_en=1", "ELWMUL", "MVMUL", "GAPOOL"};
    for (int i = 0; i < 4; i++) {
        rig *fast = rounding(arch, BF16, i & 1, 0x1fd38, 0x1fcd8);
        rig *slow = rounding(arch, BF16, i & 1, 0x1fd38, 0x1fcd8);
        slow->env.kernels = tsr_kernels_select("reference");
        for (int times = 0; times < 20; times++) {
            rig_run(fast, ops[i]);
            rig_run(slow, ops[i]);
        }
        assert_memory_equal(&fast->state->dst, &slow->state->dst, sizeof fast->state->dst);
        assert_int_equal(fast->state->matrix.random, slow->state->matrix.random);
        assert_int_not_equal(fast->state->matrix.random, 0x12345678);
        rig_free(fast);
        rig_free(slow);
    }
}
TILE_BOTH(test_kernels_agree)

static void test_nothing_to_round(int arch)
{
    rig *r = rounding(arch, BF16, false, ONE, ONE);
    rig_run(r, "GMPOOL instr_mod19=1");
    rig_set(r, FIELD_ALU_ACC_CTRL_INT8_math_enabled, 1);
    rig_formats(r, INT8, INT8);
    rig_fill_src(r, TSR_SRCA, 16 << 10 | 1);
    rig_fill_src(r, TSR_SRCB, 16 << 10 | 1);
    rig_run(r, "ZEROACC clear_mode=3");
    rig_run(r, "MVMUL");
    rig_run(r, "ELWADD");
    assert_int_equal(r->findings.count, 0);
    assert_int_equal(r->state->matrix.random, 0x12345678);
    rig_free(r);
}
TILE_BOTH(test_nothing_to_round)

static void test_policy(int arch)
{
    rig *r = rounding(arch, BF16, false, ONE, TWO_TO_MINUS_8);
    assert_int_equal(tsr_findings_policy(&r->findings, "stochastic-rounding", TSR_ACTION_STOP),
                     TSR_OK);
    assert_false(rig_begin(r, "ELWADD"));
    assert_int_equal(r->state->dst.written[0], 0);
    assert_int_equal(r->state->matrix.random, 0x12345678);
    rig_free(r);
}
TILE_BOTH(test_policy)

// Seeds of the options make streams; a reset begins again; no seed gets stuck.
static void test_seeds(int arch)
{
    tsr_options options = tsr_options_default((tsr_arch)arch);
    static const uint64_t seeds[] = {0, 1, 1ull << 32, 0x17d12ff29c5c242au};
    uint32_t first[4];
    for (int i = 0; i < 4; i++) {
        tsr_tile *tile;
        options.seed = seeds[i];
        assert_int_equal(tsr_tile_create(&options, &tile), TSR_OK);
        uint32_t *random = &tile->engine.env.state->matrix.random;
        first[i] = *random;
        assert_int_not_equal(first[i], 0xffffffffu);
        *random = 7;
        tsr_tile_reset(tile);
        assert_int_equal(tile->engine.env.state->matrix.random, first[i]);
        tsr_tile_destroy(tile);
    }
    assert_int_not_equal(first[0], first[1]);
    assert_int_not_equal(first[0], first[2]);
    assert_int_equal(first[3], 0); // what would have been all ones
}
TILE_BOTH(test_seeds)

// The pool of sums has no maximum to have an index of.
static void test_index_of_sums(int arch)
{
    rig *sums = rounding(arch, BF16, false, ONE, ONE);
    rig *index = rounding(arch, BF16, false, ONE, ONE);
    rig_set(sums, FIELD_ALU_ROUNDING_MODE_Fpu_srnd_en, 0);
    rig_set(index, FIELD_ALU_ROUNDING_MODE_Fpu_srnd_en, 0);
    rig_run(sums, "GAPOOL instr_mod19=1 dst=4");
    assert_int_equal(sums->findings.count, 0);
    rig_run(index, "GAPOOL instr_mod19=1 dst=4 max_pool_index_en=1");
    assert_string_equal(rig_found(index), "undocumented-mode");
    assert_int_equal(bf16_at(index, 4, 0), 0x4180); // sixteen ones
    assert_memory_equal(&sums->state->dst, &index->state->dst, sizeof sums->state->dst);
    rig_free(sums);
    rig_free(index);
}
TILE_BOTH(test_index_of_sums)

// The pages' modifiers are GMPOOL's 1 and GAPOOL's 0, kernels have 1 in both. Others do the same.
static void test_pool_shapes(int arch)
{
    static const char *const ops[2] = {"GAPOOL", "GMPOOL"};
    for (int op = 0; op < 2; op++) {
        struct tsr_dst after;
        for (unsigned shape = 0; shape < 8; shape++) {
            rig *r = rounding(arch, BF16, false, ONE, ONE);
            char text[60];
            rig_set(r, FIELD_ALU_ROUNDING_MODE_Fpu_srnd_en, 0);
            snprintf(text, sizeof text, "%s instr_mod19=%u dst=4", ops[op], shape);
            rig_run(r, text);
            if (shape == 1 || (shape == 0 && op == 0))
                assert_int_equal(r->findings.count, 0);
            else
                assert_string_equal(rig_found(r), "undocumented-mode");
            if (shape == 0)
                after = r->state->dst;
            assert_memory_equal(&r->state->dst.bits, &after.bits, sizeof after.bits);
            rig_free(r);
        }
    }
}
TILE_BOTH(test_pool_shapes)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_half_way),
        TILE_TEST(test_it_accumulates),
        TILE_TEST(test_products),
        TILE_TEST(test_kernels_agree),
        TILE_TEST(test_nothing_to_round),
        TILE_TEST(test_policy),
        TILE_TEST(test_seeds),
        TILE_TEST(test_index_of_sums),
        TILE_TEST(test_pool_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
