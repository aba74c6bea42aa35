// SPDX-License-Identifier: Apache-2.0
// The packers' kernels of every set against the reference set, as test_kernels.c has the others.
#include "kernel_rig.h"

static void pack_inputs(const tsr_pack_mode *mode, uint16_t *high, uint16_t *low)
{
    for (size_t i = 0; i < MOST_DATUMS; i++) {
        uint32_t value = hard_fp32(random_below(2) ? 127 : 8);
        if (random_below(4) == 0) // around the threshold
            value = ((uint32_t)mode->relu_threshold << 16) + random_below(5) * 0x1000u - 0x2000u;
        if (mode->in_format == TSR_FORMAT_INT32 || mode->in_format == TSR_FORMAT_INT8) {
            value >>= random_below(2) ? 22 : 0;
            value |= (random32() & 1u) << 31;
        }
        high[i] = tsr_dst_encode_bf16((uint16_t)(value >> 16));
        if (mode->in_format == TSR_FORMAT_FP16 && random_below(2))
            high[i] = tsr_dst_encode_fp16((uint16_t)(value >> 16));
        low[i] = (uint16_t)value;
    }
}

static void check_pack(const struct tsr_kernels *kernels, const char *set_name,
                       const tsr_pack_mode *mode)
{
    tsr_pack_fn *pack = tsr_kernels_pack(kernels, mode);
    tsr_pack_fn *pack_reference = tsr_kernels_pack(reference, mode);
    tsr_pack_block_fn *block = tsr_kernels_pack_block(kernels, mode);
    tsr_pack_block_fn *block_reference = tsr_kernels_pack_block(reference, mode);
    assert_true((pack == NULL) == (pack_reference == NULL));
    assert_true((block == NULL) == (block_reference == NULL));
    if (pack == pack_reference && block == block_reference)
        return;
    FOR_SOME_LENGTHS(datums)
    {
        uint16_t high[MOST_DATUMS], low_half[MOST_DATUMS];
        pack_inputs(mode, high, low_half);
        uint16_t *low = mode->read_32b ? low_half : NULL;
        fill_outputs();
        size_t offset = GUARD_BYTES + random_below(16);
        if (pack) {
            pack_reference(want.bytes + offset, high, low, datums, mode);
            pack(got.bytes + offset, high, low, datums, mode);
        } else {
            block_reference(want.bytes + offset, want_low.bytes + offset, high, low, 1 + datums % 4,
                            mode);
            block(got.bytes + offset, got_low.bytes + offset, high, low, 1 + datums % 4, mode);
        }
        same("pack", set_name, mode, sizeof *mode, datums);
    }
}

static tsr_pack_mode pack_mode(unsigned i, uint16_t threshold)
{
    return (tsr_pack_mode){
        .arch = i & 1u ? TSR_BLACKHOLE_A0 : TSR_WORMHOLE_B0,
        .read_32b = i >> 1 & 1u,
        .read_unsigned = i >> 2 & 1u,
        .read_raw = i >> 3 & 1u,
        .round_10b = i >> 4 & 1u,
        .relu_mode = i >> 5 & 3u,
        .in_format = i >> 7 & 15u,
        .out_format = i >> 11 & 15u,
        .int8_shift = (i >> 15 & 1u) * 3,
        .lf8_4b_exp = i >> 15 & 1u,
        .relu_threshold = threshold,
    };
}

static void test_pack(void **state)
{
    (void)state;
    static const uint16_t thresholds[] = {0, 0x3f80, 0x3c00, 0x007f, 0x7f7f, 0x7fff, 0x8001};
    FOR_EACH_SET(kernels)
    {
        for (unsigned i = 0; i < 1u << 16; i++) {
            for (size_t t = 0; t < sizeof thresholds / sizeof thresholds[0]; t++) {
                tsr_pack_mode mode = pack_mode(i, thresholds[t]);
                check_pack(kernels, set_name, &mode);
            }
        }
    }
}

// All stored patterns of a 16-bit Dst, in every mode.
static void test_pack_every_pattern(void **state)
{
    (void)state;
    static uint16_t high[1u << 16];
    static uint8_t expected[4u << 16], packed[4u << 16];
    for (uint32_t i = 0; i < 1u << 16; i++)
        high[i] = (uint16_t)i;
    FOR_EACH_SET(kernels)
    {
        for (unsigned i = 0; i < 1u << 16; i++) {
            tsr_pack_mode mode = pack_mode(i, 0x3f80);
            tsr_pack_fn *pack = tsr_kernels_pack(kernels, &mode);
            tsr_pack_fn *pack_reference = tsr_kernels_pack(reference, &mode);
            if (mode.read_32b || pack == pack_reference)
                continue;
            memset(expected, 0, sizeof expected);
            memset(packed, 0, sizeof packed);
            pack_reference(expected, high, NULL, 1u << 16, &mode);
            pack(packed, high, NULL, 1u << 16, &mode);
            assert_memory_equal(expected, packed, sizeof expected);
        }
    }
}

static void test_larger(void **state)
{
    (void)state;
    FOR_EACH_SET(kernels)
    {
        for (unsigned i = 0; i < 4000; i++) {
            uint16_t cells[MOST_DATUMS], mask = i & 1 ? 0xff : 0x1f;
            bool relu = i >> 1 & 1;
            size_t count = 1 + random_below(MOST_DATUMS);
            uint8_t limit = (uint8_t)random_below(mask + 1u);
            for (size_t k = 0; k < count; k++) // nearly all are smaller
                cells[k] = (uint16_t)((random32() & 0xff00) | random_below(limit + 1u));
            cells[random_below((uint32_t)count)] = (uint16_t)random32();
            bool want = tsr_kernels_pack_larger(reference, relu)(cells, count, mask, limit);
            bool got_it = tsr_kernels_pack_larger(kernels, relu)(cells, count, mask, limit);
            if (want != got_it)
                fail_msg("%s: larger than %u in %zu cells", set_name, limit, count);
        }
    }
}

// Bytes, nibbles and half-nibbles of blocks: docs/arithmetic.md, the worked group.
static void test_block_example(void **state)
{
    (void)state;
    static const uint16_t group[16] = {0x3f80, 0x3f81, 0xbfff, 0x4000, 0x3b80, 0xbb7f, 0x0001};
    static const uint8_t bfp8[5] = {0x20, 0x20, 0xc0, 0x40, 0x00};
    uint16_t high[16];
    for (int i = 0; i < 16; i++)
        high[i] = tsr_dst_encode_bf16(group[i]);
    tsr_pack_mode mode = {.in_format = TSR_FORMAT_BF16, .out_format = TSR_FORMAT_BFP8};
    uint8_t bytes[16], exponent = 0;
    tsr_kernels_pack_block(reference, &mode)(bytes, &exponent, high, NULL, 1, &mode);
    assert_int_equal(exponent, 128);
    assert_memory_equal(bytes, bfp8, sizeof bfp8);
    mode.out_format = TSR_FORMAT_BFP4;
    tsr_kernels_pack_block(reference, &mode)(bytes, &exponent, high, NULL, 1, &mode);
    assert_int_equal(bytes[0], 0x22);
    assert_int_equal(bytes[1], 0x4c);
    mode.out_format = TSR_FORMAT_BFP2;
    tsr_kernels_pack_block(reference, &mode)(bytes, &exponent, high, NULL, 1, &mode);
    assert_int_equal(bytes[0], 0x70); // 0 0 3 1
}

static void test_accumulate_example(void **state)
{
    (void)state;
    uint8_t bytes[5] = {0x80, 0x3f, 0x81, 0x3f, 0xaa};
    static const uint8_t addends[4] = {0x80, 0x3b, 0x80, 0x3b};
    static const uint8_t sums[5] = {0x80, 0x3f, 0x82, 0x3f, 0xaa};
    tsr_kernels_accumulate(reference, TSR_FORMAT_BF16)(bytes, addends, 2, TSR_FORMAT_BF16);
    assert_memory_equal(bytes, sums, sizeof sums);
    assert_null(tsr_kernels_accumulate(reference, TSR_FORMAT_BFP8));
}

int main(void)
{
    reference = tsr_kernels_select("reference");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pack),
        cmocka_unit_test(test_pack_every_pattern),
        cmocka_unit_test(test_larger),
        cmocka_unit_test(test_block_example),
        cmocka_unit_test(test_accumulate_example),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
