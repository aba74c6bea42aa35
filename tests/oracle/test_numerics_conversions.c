// SPDX-License-Identifier: Apache-2.0
// Unpack and pack conversions, block assembly and L1 accumulation against the oracle: 16-bit
// inputs all, wider ones special (each with its reason) and random; and the pairs that must be
// refused.
#include "oracle.h"

#include "numerics/block_float.h"
#include "numerics/pack_stages.h"

#include <tessera/numerics.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

enum { RANDOM_RUNS = 200000 };
enum {
    FP32 = 0,
    FP16 = 1,
    BFP8A = 2,
    BFP4A = 3,
    TF32 = 4,
    BF16 = 5,
    BFP8 = 6,
    BFP4 = 7,
    INT32 = 8,
    INT16 = 9,
    FP8 = 10,
    BFP2A = 11,
    INT8 = 14,
    BFP2 = 15
};
#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define WH TSR_WORMHOLE_B0
#define BH TSR_BLACKHOLE_A0

typedef struct special {
    uint32_t bits;
    const char *reason;
} special;

static const special FP32_SPECIALS[] = {
    {0x00000000, "plus zero"},
    {0x80000000, "minus zero: kept by truncation, plus after rounding"},
    {0x00000001, "smallest denormal"},
    {0x007f7fff, "just below what rounds up to a normal BF16"},
    {0x007f8000, "largest denormal that rounds up to a normal BF16"},
    {0x007fefff, "just below what rounds up to a normal TF32"},
    {0x007ff000, "rounds up to a normal TF32"},
    {0x00800000, "smallest normal"},
    {0x37ffffff, "just below 2^-15: zero in FP16"},
    {0x38000000, "2^-15: FP16 exponent 0 with mantissa 0"},
    {0x387fffff, "just below 2^-14: keeps its mantissa under exponent 0"},
    {0x38800000, "2^-14: smallest normal FP16"},
    {0x3c000000, "2^-7: smallest normal e4m3 is 2^-6"},
    {0x3f800000, "one"},
    {0x3f800fff, "just below a TF32 tie"},
    {0x3f801000, "TF32 tie"},
    {0x3f807fff, "just below a BF16 tie"},
    {0xbf808000, "BF16 tie, negative: away from zero"},
    {0x3f80ffff, "below E8M6's tie only because the low half is cut first"},
    {0x3f810000, "E8M6 tie"},
    {0x43f00000, "480: largest e4m3"},
    {0x44000000, "512: beyond e4m3"},
    {0x47ffffff, "just below 2^17: largest FP16 by truncation"},
    {0x48000000, "2^17: beyond FP16"},
    {0x7f7fffff, "largest finite: rounds to infinity"},
    {0x7f800000, "infinity"},
    {0x7f800001, "NaN with low bits only: infinity after truncation"},
    {0xffc00000, "negative NaN"},
};

static uint64_t random_state;

static int reseed(void **state)
{
    (void)state;
    random_state = UINT64_C(0xd1b54a32d192ed03);
    return 0;
}

static uint32_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 16);
}

// Half of them near the range of FP16; some with long runs of equal bits, for ties and carries.
static uint32_t fp32_at(uint32_t index)
{
    if (index < COUNT(FP32_SPECIALS))
        return FP32_SPECIALS[index].bits;
    uint32_t bits = random_bits();
    if ((index & 1u) != 0)
        bits = (bits & 0x807fffffu) | (108 + random_bits() % 40) << 23;
    switch (random_bits() % 6) {
    case 0:
        return bits & 0xffff8000u;
    case 1:
        return bits | 0x0000ffffu;
    case 2:
        return bits & 0xfffff000u;
    default:
        return bits;
    }
}

static uint32_t unpack(tsr_unpack_mode mode, uint32_t datum, uint8_t exponent)
{
    uint32_t out = 0xdeadbeef;
    assert_int_equal(tsr_unpack_datum(&mode, datum, exponent, &out), TSR_OK);
    return out;
}

static uint32_t pack(tsr_pack_mode mode, uint32_t dst)
{
    uint32_t out = 0xdeadbeef;
    assert_int_equal(tsr_pack_datum(&mode, dst, &out), TSR_OK);
    return out;
}

static uint32_t src_of_fp16(uint32_t fp16)
{
    return fp16 / 0x8000u * 0x40000u + fp16 % 0x8000u;
}

static void test_dst_layout(void **state)
{
    (void)state;
    for (uint32_t v = 0; v < 0x10000; v++) {
        uint16_t value = (uint16_t)v;
        assert_int_equal(tsr_dst_encode_bf16(value), oracle_dst_bf16(value));
        assert_int_equal(tsr_dst_encode_fp16(value), oracle_dst_fp16(value));
        assert_int_equal(tsr_dst_decode_bf16(tsr_dst_encode_bf16(value)), value);
        assert_int_equal(tsr_dst_decode_fp16(tsr_dst_encode_fp16(value)), value);
        uint32_t wide = v << 16 | (v ^ 0x5a5au);
        uint32_t stored = (uint32_t)oracle_dst_bf16(value) << 16 | (v ^ 0x5a5au);
        assert_int_equal(tsr_dst_encode_fp32(wide), stored);
        assert_int_equal(tsr_dst_decode_fp32(stored), wide);
    }
}

static void test_unpack_fp32(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < RANDOM_RUNS; i++) {
        uint32_t v = fp32_at(i);
        tsr_unpack_mode mode = {.arch = (tsr_arch)(i & 1u), .in_format = FP32};
        uint16_t fp16 = oracle_fp32_to_fp16(v);
        uint32_t bf16 = (v & 0x7f800000u) == 0 ? v / 0x80000000u * 0x8000u : v / 0x10000u;
        mode.out_format = FP16;
        assert_int_equal(unpack(mode, v, 0), src_of_fp16(fp16));
        mode.out_format = BF16;
        assert_int_equal(unpack(mode, v, 0), bf16 * 8);
        mode.out_format = TF32;
        assert_int_equal(unpack(mode, v, 0), v / 0x2000u);
        mode.out_format = FP32; // decision 5: as TF32
        assert_int_equal(unpack(mode, v, 0), v / 0x2000u);
        mode.to_dst = true;
        assert_int_equal(unpack(mode, v, 0), tsr_dst_encode_fp32(v));
        mode.out_format = BF16;
        assert_int_equal(unpack(mode, v, 0), oracle_dst_bf16((uint16_t)bf16));
        mode.out_format = FP16;
        assert_int_equal(unpack(mode, v, 0), oracle_dst_fp16(fp16));
    }
}

static void check_block_formats(tsr_unpack_mode mode, const uint8_t formats[3], bool e5)
{
    for (uint32_t exponent = 0; exponent < 256; exponent++) {
        for (uint32_t datum = 0; datum < 256; datum++) {
            uint8_t x = (uint8_t)exponent;
            for (int f = 0; f < 3; f++) {
                int bits = f == 0 ? 8 : f == 1 ? 4 : 2;
                uint32_t element = datum % (1u << bits);
                uint8_t wide = (uint8_t)(element << (8 - bits));
                uint16_t value = e5 ? oracle_bfp8a_to_fp16(wide, x) : oracle_bfp8_to_bf16(wide, x);
                uint16_t stored = e5 ? oracle_dst_fp16(value) : oracle_dst_bf16(value);
                uint32_t src = e5 ? src_of_fp16(value) : (uint32_t)value * 8;
                mode.in_format = mode.out_format = formats[f];
                assert_int_equal(unpack(mode, element, x), mode.to_dst ? stored : src);
            }
        }
    }
}

static void test_unpack_blocks(void **state)
{
    (void)state;
    static const uint8_t e8[3] = {BFP8, BFP4, BFP2};
    static const uint8_t e5[3] = {BFP8A, BFP4A, BFP2A};
    for (int i = 0; i < 4; i++) {
        tsr_unpack_mode mode = {.arch = (tsr_arch)(i & 1), .to_dst = i >= 2};
        check_block_formats(mode, e8, false);
        check_block_formats(mode, e5, true);
    }
    assert_true(tsr_block_exponent_fits(0x40, 31));
    assert_false(tsr_block_exponent_fits(0x40, 32));
    assert_true(tsr_block_exponent_fits(0x20, 32));  // normalising brings it back
    assert_false(tsr_block_exponent_fits(0x01, 5));  // below zero
    assert_true(tsr_block_exponent_fits(0x80, 255)); // minus infinity has no exponent to lose
}

static void test_unpack_16_bits(void **state)
{
    (void)state;
    for (uint32_t v = 0; v < 0x10000; v++) {
        for (int i = 0; i < 2; i++) {
            tsr_unpack_mode mode = {.arch = (tsr_arch)i};
            uint32_t int16 = v / 0x8000u << 18 | v % 256 << 10 | v / 256 % 128 << 3;
            mode.in_format = mode.out_format = BF16;
            assert_int_equal(unpack(mode, v, 0), v * 8);
            mode.in_format = mode.out_format = FP16;
            assert_int_equal(unpack(mode, v, 0), src_of_fp16(v));
            mode.in_format = mode.out_format = INT16;
            assert_int_equal(unpack(mode, v, 0), int16);
            mode.to_dst = true;
            assert_int_equal(unpack(mode, v, 0), v);
            mode.in_format = mode.out_format = FP16;
            assert_int_equal(unpack(mode, v, 0), oracle_dst_fp16((uint16_t)v));
            mode.in_format = mode.out_format = BF16;
            assert_int_equal(unpack(mode, v, 0), oracle_dst_bf16((uint16_t)v));
        }
    }
}

// What is kept of an 8-bit datum in FP16's fields, in Src and in Dst.
static void test_unpack_8_bits(void **state)
{
    (void)state;
    for (uint32_t v = 0; v < 256; v++) {
        uint32_t sign = v / 128;
        uint32_t low = v % 128;
        tsr_unpack_mode mode = {.arch = BH, .in_format = FP8, .out_format = FP8};
        uint32_t e5m2 = sign << 15 | (low == 127 ? 0x7fff : low * 256);
        assert_int_equal(unpack(mode, v, 0), src_of_fp16(e5m2));
        mode.to_dst = true;
        assert_int_equal(unpack(mode, v, 0), oracle_dst_fp16((uint16_t)e5m2));
        mode.to_dst = false;
        mode.lf8_4b_exp = true;
        uint32_t e4m3 = (low < 8 ? 0 : 8 * 1024) + low * 128 + (low == 127 ? 127 : 0);
        assert_int_equal(unpack(mode, v, 0), src_of_fp16(sign << 15 | e4m3));
        mode.arch = WH; // has no such field
        assert_int_equal(unpack(mode, v, 0), src_of_fp16(v * 256));
        mode.in_format = mode.out_format = INT8;
        assert_int_equal(unpack(mode, v, 0), sign << 18 | (low != 0 ? 16384 : 0) | low);
        mode.to_dst = true;
        assert_int_equal(unpack(mode, v, 0), sign << 15 | low << 5 | (low != 0 ? 16 : 0));
        mode.int8_unsigned = true;
        assert_int_equal(unpack(mode, v, 0), v << 5 | (v != 0 ? 16 : 0));
    }
}

static bool unpack_pair_is_defined(uint32_t in, uint32_t out)
{
    if (in == FP32)
        return out == FP32 || out == TF32 || out == BF16 || out == FP16;
    return in == out && in != 12 && in != 13;
}

static void test_unpack_refuses(void **state)
{
    (void)state;
    for (uint32_t pair = 0; pair < 512; pair++) {
        tsr_unpack_mode mode = {
            .in_format = pair & 15u, .out_format = pair >> 4 & 15u, .to_dst = pair >= 256};
        uint32_t out;
        bool defined = unpack_pair_is_defined(mode.in_format, mode.out_format);
        assert_int_equal(tsr_unpack_datum(&mode, 0x12345678, 3, &out),
                         defined ? TSR_OK : TSR_BAD_ARGUMENT);
    }
}

static void test_pack_from_32_bits(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < RANDOM_RUNS; i++) {
        uint32_t v = fp32_at(i);
        uint32_t dst = tsr_dst_encode_fp32(v);
        tsr_pack_mode m = {.arch = WH, .read_32b = true, .in_format = BF16, .out_format = BF16};
        assert_int_equal(pack(m, dst), oracle_round_fp32(v, 16) / 65536);
        m.read_raw = true;
        assert_int_equal(pack(m, dst), v / 65536);
        m.in_format = BFP8;
        assert_int_equal(pack(m, dst), v / 65536);
        m.read_raw = false;
        assert_int_equal(pack(m, dst), oracle_round_fp32(v / 65536 * 65536, 17) / 65536);
        m.in_format = FP32;
        m.out_format = FP16;
        assert_int_equal(pack(m, dst), oracle_fp32_to_fp16(v));
        m.out_format = FP8; // an exponent that narrows keeps mantissas under exponent 0
        assert_int_equal(pack(m, dst), oracle_fp32_to_fp16(v) / 256);
        m.in_format = TF32;
        m.out_format = TF32;
        assert_int_equal(pack(m, dst), oracle_round_fp32(v, 13));
        m.in_format = FP32;
        m.round_10b = true;
        assert_int_equal(pack(m, dst), oracle_round_fp32(v, 13));
        uint16_t fp16 = oracle_fp32_to_fp16(oracle_round_fp32(v, 13));
        m.in_format = BF16; // Round_10b_mant turns BF16 on the way to FP16 into TF32
        m.out_format = FP16;
        assert_int_equal(pack(m, dst), fp16);
        m.arch = BH;
        m.in_format = FP16;
        assert_int_equal(pack(m, dst), fp16);
        m.out_format = FP8; // FP16 by now, so only the mantissa narrows: no denormals
        assert_int_equal(pack(m, dst), fp16 % 0x8000 < 0x400 ? 0 : fp16 / 256);
        m.lf8_4b_exp = true;
        assert_int_equal(pack(m, dst), oracle_fp16_to_e4m3(fp16));
    }
}

static void test_pack_from_16_bits(void **state)
{
    (void)state;
    for (uint32_t v = 0; v < 0x10000; v++) {
        uint16_t bf16 = oracle_dst_bf16((uint16_t)v);
        uint16_t fp16 = oracle_dst_fp16((uint16_t)v);
        bool tiny16 = v % 0x8000u < 0x400;
        bool tiny = v % 0x8000u < 0x80;
        tsr_pack_mode m = {.arch = WH, .in_format = BF16, .out_format = FP32};
        assert_int_equal(pack(m, bf16), oracle_round_fp32(v << 16, 0));
        m.out_format = FP16;
        assert_int_equal(pack(m, bf16), oracle_fp32_to_fp16(oracle_round_fp32(v << 16, 0)));
        m.in_format = m.out_format = FP32; // an upper half
        assert_int_equal(pack(m, bf16), v << 16);
        m.in_format = BFP8;
        m.out_format = BF16;
        assert_int_equal(pack(m, bf16), tiny ? 0 : oracle_round_fp32(v << 16, 17) / 65536);
        m.in_format = TF32;
        m.out_format = TF32;
        assert_int_equal(pack(m, bf16), oracle_round_fp32(v << 16, 0));
        m.in_format = FP16;
        m.out_format = FP16;
        assert_int_equal(pack(m, fp16), tiny16 ? 0 : v);
        m.out_format = FP8;
        assert_int_equal(pack(m, fp16), tiny16 ? 0 : v / 256);
        m.out_format = BFP8A;
        assert_int_equal(pack(m, fp16), tiny16 ? 0 : v / 8 * 8);
        m.in_format = BFP8A;
        m.out_format = FP16;
        assert_int_equal(pack(m, fp16), oracle_round_e5m6((uint16_t)v));
        m.read_raw = true;
        assert_int_equal(pack(m, fp16), v / 8 * 8);
        m.in_format = FP8;
        m.out_format = FP8;
        assert_int_equal(pack(m, fp16), v / 256);
        m.in_format = INT8;
        m.out_format = INT8;
        assert_int_equal(pack(m, v), v / 0x8000u * 128);
        m.in_format = INT16;
        m.out_format = INT16;
        assert_int_equal(pack(m, v), v);
        m = (tsr_pack_mode){.arch = BH, .in_format = FP16, .out_format = FP16, .round_10b = true};
        assert_int_equal(pack(m, bf16), oracle_fp32_to_fp16(v << 16));
    }
}

static void test_pack_int8(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < RANDOM_RUNS; i++) {
        int shift = (int)(random_bits() % 32);
        uint32_t v = random_bits() & (0x80000000u | 0x7fffffffu >> random_bits() % 31);
        bool is_unsigned = (i & 1u) != 0;
        tsr_pack_mode m = {.read_32b = true,
                           .in_format = INT8,
                           .out_format = INT8,
                           .read_unsigned = is_unsigned,
                           .int8_shift = (uint8_t)shift};
        uint32_t dst = tsr_dst_encode_fp32(v);
        assert_int_equal(pack(m, dst), oracle_descale_int8(v, is_unsigned, shift));
        m.read_raw = true;
        assert_int_equal(pack(m, dst), is_unsigned ? v % 256 : v / 0x80000000u * 128 + v % 128);
    }
}

// Order of patterns as the page has it: below or at the threshold, above it.
static void test_relu(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < RANDOM_RUNS; i++) {
        uint32_t v = fp32_at(i);
        uint16_t t = (uint16_t)((i % 3 == 0 ? v >> 16 : random_bits()) & 0x7fffu);
        uint32_t t32 = (uint32_t)t * 65536;
        bool negative = v >= 0x80000000u;
        tsr_pack_mode m = {.read_32b = true,
                           .in_format = FP32,
                           .out_format = FP32,
                           .relu_threshold = t,
                           .relu_mode = 1};
        uint32_t dst = tsr_dst_encode_fp32(v);
        assert_int_equal(pack(m, dst), negative ? 0 : v);
        m.relu_mode = 2;
        assert_int_equal(pack(m, dst), negative || v <= t32 ? 0 : v);
        m.relu_mode = 3;
        assert_int_equal(pack(m, dst), negative ? 0 : v / 8192 > t32 / 8192 ? t32 : v);
        uint32_t h = v % 0x10000u;
        m = (tsr_pack_mode){.in_format = FP16,
                            .out_format = FP16,
                            .read_raw = true,
                            .relu_threshold = t,
                            .relu_mode = 3};
        dst = tsr_dst_encode_fp16((uint16_t)h);
        assert_int_equal(pack(m, dst), h >= 0x8000u ? 0 : h > t ? t : h);
    }
}

static void test_blocks(void **state)
{
    (void)state;
    static const uint8_t formats[6] = {BFP8, BFP4, BFP2, BFP8A, BFP4A, BFP2A};
    for (int run = 0; run < RANDOM_RUNS / 8; run++) {
        uint32_t in[16];
        uint32_t centre = random_bits() % 32;
        uint32_t spread = 1 + random_bits() % 14;
        for (int i = 0; i < 16; i++) {
            uint32_t bits = random_bits();
            // An exponent near the others', at the place where either width has its own.
            uint32_t exponent = centre + (bits >> 16) % spread;
            in[i] = (run & 1) != 0 ? (bits & 0x807fu) | (exponent * 7 & 0xffu) << 7
                                   : (bits & 0x83ffu) | (exponent & 0x1fu) << 10;
        }
        for (int f = 0; f < 6; f++) {
            uint8_t expected[16], got[16], expected_exponent, exponent;
            oracle_block(f >= 3, 8 >> f % 3, in, &expected_exponent, expected);
            assert_int_equal(tsr_pack_block(formats[f], in, &exponent, got), TSR_OK);
            assert_int_equal(exponent, expected_exponent);
            assert_memory_equal(got, expected, sizeof got);
        }
    }
    uint32_t none[16] = {0};
    uint8_t exponent, out[16];
    assert_int_equal(tsr_pack_block(BF16, none, &exponent, out), TSR_BAD_ARGUMENT);
}

static uint32_t accumulate(uint8_t format, uint32_t old_value, uint32_t datum)
{
    uint32_t out = 0xdeadbeef;
    assert_int_equal(tsr_pack_accumulate(format, old_value, datum, &out), TSR_OK);
    return out;
}

static void check_accumulate(uint32_t old_value, uint32_t datum)
{
    assert_int_equal(accumulate(FP32, old_value, datum), oracle_accumulate_fp32(old_value, datum));
    uint32_t o = old_value >> 16;
    uint32_t d = datum >> 16;
    assert_int_equal(accumulate(BF16, o, d), oracle_accumulate_bf16(o, d));
    assert_int_equal(accumulate(FP16, o, d), oracle_accumulate_fp16(o, d));
    o = old_value & 0xffffu;
    d = datum & 0xffffu;
    assert_int_equal(accumulate(BF16, o, d), oracle_accumulate_bf16(o, d));
    assert_int_equal(accumulate(FP16, o, d), oracle_accumulate_fp16(o, d));
}

static void test_accumulate(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(FP32_SPECIALS) * COUNT(FP32_SPECIALS); i++) {
        check_accumulate(FP32_SPECIALS[i % COUNT(FP32_SPECIALS)].bits,
                         FP32_SPECIALS[i / COUNT(FP32_SPECIALS)].bits);
    }
    for (uint32_t i = 0; i < RANDOM_RUNS; i++) {
        uint32_t old_value = fp32_at(COUNT(FP32_SPECIALS) + i);
        uint32_t datum = fp32_at(COUNT(FP32_SPECIALS) + i);
        if (i % 4 == 0) { // an exponent close to the other's: cancellation
            uint32_t near = (old_value + (random_bits() % 5 << 23)) & 0x7f800000u;
            datum = (datum & 0x807fffffu) | near;
        }
        check_accumulate(old_value, datum);
    }
    uint32_t out;
    assert_int_equal(tsr_pack_accumulate(INT16, 0, 0, &out), TSR_BAD_ARGUMENT);
}

static void test_pack_refuses(void **state)
{
    (void)state;
    static const tsr_pack_mode refused[] = {
        {.read_32b = true, .in_format = FP32, .out_format = TF32}, // only early makes TF32
        {.read_32b = true, .in_format = FP32, .out_format = INT32},
        {.read_32b = true, .in_format = INT32, .out_format = FP32},
        {.read_32b = true, .in_format = INT32, .out_format = INT8},
        {.read_32b = true, .in_format = INT32, .out_format = INT32, .relu_mode = 2},
        {.read_32b = true, .in_format = FP16, .out_format = FP16},
        {.arch = BH, .read_32b = true, .in_format = FP16, .out_format = FP16}, // no Round_10b
        {.read_32b = true, .in_format = BFP4, .out_format = BFP4}, // not an intermediate format
        {.read_32b = true, .in_format = 12, .out_format = 12},
        {.read_32b = true, .in_format = FP16, .out_format = FP16, .round_10b = true},
        {.read_32b = true, .in_format = BFP8A, .out_format = FP16}, // blocks alone
        {.read_32b = true, .in_format = BFP8A, .out_format = BFP8A, .read_raw = true},
        {.in_format = FP32, .out_format = FP32, .read_raw = true},
        {.in_format = FP32, .out_format = TF32},
        {.in_format = INT32, .out_format = INT32},
        {.in_format = INT16, .out_format = BF16},
        {.in_format = INT8, .out_format = INT8}, // from 16 bits only raw
        {.in_format = FP8, .out_format = FP8},
        {.in_format = BF16, .out_format = INT8},
        {.in_format = BFP2A, .out_format = BFP2A},
    };
    for (size_t i = 0; i < COUNT(refused); i++) {
        uint32_t out;
        assert_int_equal(tsr_pack_datum(&refused[i], 0x3f80, &out), TSR_BAD_ARGUMENT);
    }
}

static uint32_t from_l1(uint8_t format, bool raw, unsigned width, uint32_t datum)
{
    tsr_pack_mode mode = {.in_format = format, .read_raw = raw};
    tsr_pack_value value;
    assert_int_equal(tsr_pack_from_l1(&mode, width, datum, &value), TSR_OK);
    return value.bits;
}

static void test_pack_from_l1(void **state)
{
    (void)state;
    assert_int_equal(from_l1(FP32, false, 32, 0x12345678), 0x12345678);
    assert_int_equal(from_l1(BF16, false, 16, 0xbf80), 0xbf800000);
    assert_int_equal(from_l1(BF16, false, 8, 0x81), 0x80010000);
    assert_int_equal(from_l1(BFP8A, true, 8, 0x81), 0x8008);
    assert_int_equal(from_l1(FP8, false, 8, 0x3c), 0x3c00);
    assert_int_equal(from_l1(INT32, false, 8, 0x85), 0x85000000);
    assert_int_equal(from_l1(INT16, false, 32, 0x12345678), 0x1234);
    assert_int_equal(from_l1(INT8, false, 16, 0x8512), 0x85);
    tsr_pack_mode mode = {.in_format = INT8};
    tsr_pack_value value;
    assert_int_equal(tsr_pack_from_l1(&mode, 32, 0, &value), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_pack_from_l1(&mode, 12, 0, &value), TSR_BAD_ARGUMENT);
    mode.in_format = TF32;
    assert_int_equal(tsr_pack_from_l1(&mode, 32, 0, &value), TSR_BAD_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_dst_layout, reseed),
        cmocka_unit_test_setup(test_unpack_fp32, reseed),
        cmocka_unit_test_setup(test_unpack_blocks, reseed),
        cmocka_unit_test_setup(test_unpack_16_bits, reseed),
        cmocka_unit_test_setup(test_unpack_8_bits, reseed),
        cmocka_unit_test_setup(test_unpack_refuses, reseed),
        cmocka_unit_test_setup(test_pack_from_32_bits, reseed),
        cmocka_unit_test_setup(test_pack_from_16_bits, reseed),
        cmocka_unit_test_setup(test_pack_int8, reseed),
        cmocka_unit_test_setup(test_relu, reseed),
        cmocka_unit_test_setup(test_blocks, reseed),
        cmocka_unit_test_setup(test_accumulate, reseed),
        cmocka_unit_test_setup(test_pack_refuses, reseed),
        cmocka_unit_test_setup(test_pack_from_l1, reseed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
