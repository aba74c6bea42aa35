// SPDX-License-Identifier: Apache-2.0
// Every kernel of every set against the reference set: all modes, all lengths from 1 to 64, bytes
// at any alignment, guard bands around outputs, inputs chosen to hurt. The reference set itself is
// checked where it does more than call numerics.h (moves, Dst layout, bytes). `--bench` times the
// kernels instead. The packers' are in test_kernels_pack.c.
#define _POSIX_C_SOURCE 200809L // clock_gettime

#include "kernel_rig.h"

#include "kernel_bench.h"

#include "kernels/dot_block.h"
#include "numerics/fpu.h"

static uint8_t input[MOST_DATUMS * 4 + 16];

// ---------------------------------------------------------------- unpack

static bool unpack_is_32(const tsr_unpack_mode *mode)
{
    return mode->out_format == TSR_FORMAT_FP32 || mode->out_format == TSR_FORMAT_TF32 ||
           mode->out_format == TSR_FORMAT_INT32;
}

static void check_unpack(const struct tsr_kernels *kernels, const char *set_name,
                         const tsr_unpack_mode *mode)
{
    tsr_unpack_src_fn *src = tsr_kernels_unpack_src(kernels, mode);
    tsr_unpack_src_fn *src_reference = tsr_kernels_unpack_src(reference, mode);
    tsr_unpack_dst_fn *dst = tsr_kernels_unpack_dst(kernels, mode);
    tsr_unpack_dst_fn *dst_reference = tsr_kernels_unpack_dst(reference, mode);
    assert_true((src == NULL) == (src_reference == NULL));
    assert_true((dst == NULL) == (dst_reference == NULL));
    if (src == src_reference && dst == dst_reference)
        return;
    for (size_t datums = 1; datums <= MOST_DATUMS; datums++) {
        uint8_t exponents[4];
        hard_bytes(exponents, sizeof exponents);
        hard_bytes(input, sizeof input);
        fill_outputs();
        const uint8_t *bytes = input + random_below(16);
        if (src) {
            src_reference(cells_at(&want), bytes, exponents, datums, mode);
            src(cells_at(&got), bytes, exponents, datums, mode);
        } else {
            bool wide = unpack_is_32(mode);
            dst_reference(cells_at(&want), wide ? cells_at(&want_low) : NULL, bytes, exponents,
                          datums, mode);
            dst(cells_at(&got), wide ? cells_at(&got_low) : NULL, bytes, exponents, datums, mode);
        }
        same("unpack", set_name, mode, sizeof *mode, datums);
    }
}

static void test_unpack(void **state)
{
    (void)state;
    FOR_EACH_SET(kernels)
    {
        for (unsigned i = 0; i < 1u << 12; i++) {
            tsr_unpack_mode mode = {
                .arch = i & 1u ? TSR_BLACKHOLE_A0 : TSR_WORMHOLE_B0,
                .to_dst = i >> 1 & 1u,
                .int8_unsigned = i >> 2 & 1u,
                .lf8_4b_exp = i >> 3 & 1u,
                .in_format = i >> 4 & 15u,
                .out_format = i >> 8 & 15u,
            };
            check_unpack(kernels, set_name, &mode);
        }
    }
}

static void check_every_element(const struct tsr_kernels *kernels, const char *set_name,
                                const tsr_unpack_mode *mode)
{
    if (mode->to_dst
            ? tsr_kernels_unpack_dst(kernels, mode) == tsr_kernels_unpack_dst(reference, mode)
            : tsr_kernels_unpack_src(kernels, mode) == tsr_kernels_unpack_src(reference, mode))
        return;
    for (unsigned exponent = 0; exponent < 256; exponent++) {
        for (unsigned first = 0; first < 256; first += MOST_DATUMS) {
            uint8_t exponents[4];
            memset(exponents, (int)exponent, sizeof exponents);
            for (unsigned i = 0; i < MOST_DATUMS; i++)
                input[i] = (uint8_t)(first + i);
            fill_outputs();
            const struct tsr_kernels *sets[2] = {reference, kernels};
            struct guarded *out[2] = {&want, &got};
            for (int i = 0; i < 2; i++) {
                if (mode->to_dst) {
                    tsr_kernels_unpack_dst(sets[i], mode)(cells_at(out[i]), NULL, input, exponents,
                                                          MOST_DATUMS, mode);
                } else {
                    tsr_kernels_unpack_src(sets[i], mode)(cells_at(out[i]), input, exponents,
                                                          MOST_DATUMS, mode);
                }
            }
            same("unpack of every element", set_name, mode, sizeof *mode, MOST_DATUMS);
        }
    }
}

// Every pair of an element and a shared exponent; every FP8.
static void test_unpack_every_block_element(void **state)
{
    (void)state;
    static const uint8_t formats[] = {TSR_FORMAT_BFP8, TSR_FORMAT_BFP4, TSR_FORMAT_BFP2,
                                      TSR_FORMAT_FP8, TSR_FORMAT_INT8};
    FOR_EACH_SET(kernels)
    {
        for (unsigned i = 0; i < 8 * sizeof formats; i++) {
            tsr_unpack_mode mode = {.arch = i & 1u ? TSR_BLACKHOLE_A0 : TSR_WORMHOLE_B0,
                                    .in_format = formats[i / 8],
                                    .out_format = formats[i / 8],
                                    .to_dst = i >> 1 & 1u,
                                    .lf8_4b_exp = i >> 2 & 1u};
            check_every_element(kernels, set_name, &mode);
        }
    }
}

// Kernels that work in chunks must go on where a chunk ends.
static void check_long_unpack(const struct tsr_kernels *kernels, const tsr_unpack_mode *mode)
{
    enum { LONG = 1024 };
    static uint8_t bytes[4 * LONG], exponents[LONG / 16];
    static uint32_t out[2][LONG + 1], low[2][LONG + 1];
    const struct tsr_kernels *sets[2] = {reference, kernels};
    size_t datums = LONG - random_below(2) * random_below(LONG / 2);
    hard_bytes(bytes, sizeof bytes);
    hard_bytes(exponents, sizeof exponents);
    memset(out, 0x5a, sizeof out);
    memset(low, 0x5a, sizeof low);
    for (int i = 0; i < 2; i++) {
        tsr_unpack_src_fn *src = tsr_kernels_unpack_src(sets[i], mode);
        tsr_unpack_dst_fn *dst = tsr_kernels_unpack_dst(sets[i], mode);
        void *lower = unpack_is_32(mode) ? low[i] : NULL;
        if (src)
            src(out[i], bytes, exponents, datums, mode);
        else if (dst)
            dst((void *)out[i], lower, bytes, exponents, datums, mode);
    }
    assert_memory_equal(out[0], out[1], sizeof out[0]);
    assert_memory_equal(low[0], low[1], sizeof low[0]);
}

static void test_unpack_long(void **state)
{
    (void)state;
    FOR_EACH_SET(kernels)
    {
        for (unsigned i = 0; i < 1u << 12; i++) {
            tsr_unpack_mode mode = {
                .arch = i & 1u ? TSR_BLACKHOLE_A0 : TSR_WORMHOLE_B0,
                .to_dst = i >> 1 & 1u,
                .int8_unsigned = i >> 2 & 1u,
                .lf8_4b_exp = i >> 3 & 1u,
                .in_format = i >> 4 & 15u,
                .out_format = i >> 8 & 15u,
            };
            check_long_unpack(kernels, &mode);
        }
    }
}

// ---------------------------------------------------------------- moves

static void check_move(const struct tsr_kernels *kernels, const char *set_name,
                       const tsr_move_mode *mode)
{
    bool wide = mode->kind == TSR_MOVE_TF32;
    for (size_t datums = 1; datums <= MOST_DATUMS; datums++) {
        uint32_t cells[MOST_DATUMS];
        for (size_t i = 0; i < datums; i++)
            cells[i] = hard_datum(mode->kind != TSR_MOVE_FP16, 8);
        fill_outputs();
        tsr_kernels_move(reference, mode)(cells_at(&want), wide ? cells_at(&want_low) : NULL, cells,
                                          datums, mode);
        tsr_kernels_move(kernels, mode)(cells_at(&got), wide ? cells_at(&got_low) : NULL, cells,
                                        datums, mode);
        same("move", set_name, mode, sizeof *mode, datums);
    }
}

static void test_move(void **state)
{
    (void)state;
    uint32_t masks[] = {~0u, tsr_fpu_operand_mask(TSR_FORMAT_BF16),
                        tsr_fpu_operand_mask(TSR_FORMAT_FP16),
                        tsr_fpu_operand_mask(TSR_FORMAT_TF32)};
    FOR_EACH_SET(kernels)
    {
        for (unsigned i = 0; i < TSR_MOVE_KINDS * 8; i++) {
            tsr_move_mode mode = {
                .kind = (tsr_move_kind)(i / 8), .mask = masks[i & 3u], .flush = i >> 2 & 1u};
            check_move(kernels, set_name, &mode);
        }
    }
}

// Worked examples of the moves, which numerics.h does not have: docs/arithmetic.md.
static void test_move_examples(void **state)
{
    (void)state;
    static const struct {
        tsr_move_kind kind;
        uint8_t srcb_format; // 0: a MOVA2D
        bool flush;
        uint32_t cell;
        uint16_t high, low;
    } rows[] = {
        {TSR_MOVE_BF16, 0, true, 0x1fc0f, 0x017f, 0},
        {TSR_MOVE_TF32, 0, true, 0x1fc0f, 0x017f, 0xe000},
        {TSR_MOVE_FP16, 0, true, 0x43c01, 0x802f, 0},
        {TSR_MOVE_BF16, 0, true, 0x40008, 0x0000, 0},
        {TSR_MOVE_BF16, 0, false, 0x40008, 0x8100, 0},
        {TSR_MOVE_FP16, TSR_FORMAT_FP16, true, 0x5bc01, 0x802f, 0},
        {TSR_MOVE_TF32, TSR_FORMAT_BF16, true, 0x1fc0f, 0x017f, 0x0000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tsr_move_mode mode = {
            .kind = rows[i].kind,
            .mask = rows[i].srcb_format ? tsr_fpu_operand_mask(rows[i].srcb_format) : ~0u,
            .flush = rows[i].flush,
        };
        uint16_t high = 0, low = 0;
        tsr_kernels_move(reference, &mode)(&high, &low, &rows[i].cell, 1, &mode);
        assert_int_equal(high, rows[i].high);
        assert_int_equal(low, rows[i].low);
    }
    assert_int_equal(tsr_move_kind_of(TSR_FORMAT_TF32), TSR_MOVE_TF32);
    assert_int_equal(tsr_move_kind_of(TSR_FORMAT_BFP8), TSR_MOVE_BF16);
    assert_int_equal(tsr_move_kind_of(TSR_FORMAT_INT8), TSR_MOVE_FP16);
}

// ---------------------------------------------------------------- element-wise

// An accumulator near the result, so that sums cancel to a few units, or anything else.
static uint32_t hard_accumulator(const tsr_element_mode *mode, uint32_t a, uint32_t b)
{
    if (random_below(3) == 0)
        return hard_fp32(mode->fpu.e8 ? 127 : mode->fpu.acc32 ? 112 : 15);
    uint32_t alone = mode->op == TSR_ELEMENT_MUL
                         ? tsr_fpu_mul(&mode->fpu, 0, a, b, mode->flush_b)
                         : tsr_fpu_add(&mode->fpu, false, 0, a, b, mode->flush_b);
    return (alone ^ 0x80000000u) + random_below(5) - 2;
}

static void put_accumulator(const tsr_element_mode *mode, size_t i, uint32_t acc)
{
    uint16_t high = (uint16_t)(acc >> 16), low = (uint16_t)acc;
    if (!mode->fpu.acc32 && !mode->fpu.e8)
        high = tsr_dst_encode_fp16((uint16_t)((acc >> 16 & 0x8000u) | (acc >> 13 & 0x7fffu)));
    else
        high = tsr_dst_encode_bf16(high);
    memcpy(want.bytes + GUARD_BYTES + 2 * i, &high, 2);
    memcpy(got.bytes + GUARD_BYTES + 2 * i, &high, 2);
    memcpy(want_low.bytes + GUARD_BYTES + 2 * i, &low, 2);
    memcpy(got_low.bytes + GUARD_BYTES + 2 * i, &low, 2);
}

static void check_element(const struct tsr_kernels *kernels, const char *set_name,
                          const tsr_element_mode *mode, bool valid)
{
    tsr_element_fn *kernel = tsr_kernels_element(kernels, mode);
    tsr_element_fn *kernel_reference = tsr_kernels_element(reference, mode);
    assert_non_null(kernel_reference);
    if (kernel == kernel_reference) {
        // Nothing else is left to the reference, but see kernel_set.h.
        assert_true(mode->int8 || strcmp(set_name, "portable") == 0);
        return;
    }
    uint32_t near = mode->fpu.e8 ? 127 : 15;
    bool wide = mode->fpu.acc32;
    FOR_SOME_LENGTHS(datums)
    {
        uint32_t a[MOST_DATUMS], b[MOST_DATUMS];
        fill_outputs();
        for (size_t i = 0; i < datums; i++) {
            a[i] = hard_datum(mode->fpu.e8, near);
            b[i] = random_below(8) == 0 ? a[i] ^ 1u << 18 : hard_datum(mode->fpu.e8, near);
            put_accumulator(mode, i, hard_accumulator(mode, a[i], b[i]));
        }
        kernel_reference(cells_at(&want), wide ? cells_at(&want_low) : NULL, a, b, datums, valid,
                         mode);
        kernel(cells_at(&got), wide ? cells_at(&got_low) : NULL, a, b, datums, valid, mode);
        same("element-wise", set_name, mode, sizeof *mode, datums);
    }
}

static void test_element(void **state)
{
    (void)state;
    static const uint8_t formats[] = {TSR_FORMAT_BF16, TSR_FORMAT_TF32, TSR_FORMAT_FP16,
                                      TSR_FORMAT_BFP8};
    FOR_EACH_SET(kernels)
    {
        for (unsigned i = 0; i < 3u << 12; i++) {
            tsr_element_mode mode = {
                .fpu = {.arch = i & 1u ? TSR_BLACKHOLE_A0 : TSR_WORMHOLE_B0,
                        .e8 = i >> 1 & 1u,
                        .acc32 = i >> 2 & 1u,
                        .phase = i >> 3 & 3u},
                .accumulate = i >> 5 & 1u,
                .flush_b = i >> 6 & 1u,
                .format_a = formats[i >> 7 & 3u],
                .format_b = formats[i >> 9 & 3u],
                .op = (tsr_element_op)(i >> 12),
            };
            check_element(kernels, set_name, &mode, i >> 11 & 1u);
            mode.int8 = true;
            if (mode.fpu.acc32)
                check_element(kernels, set_name, &mode, true);
            else
                assert_null(tsr_kernels_element(kernels, &mode));
        }
    }
}

// The reference's own part: operand masks, INT8, and Dst's layout.
static void test_element_examples(void **state)
{
    (void)state;
    tsr_element_mode mode = {.fpu = {.e8 = true, .acc32 = true},
                             .op = TSR_ELEMENT_ADD,
                             .flush_b = true,
                             .format_a = TSR_FORMAT_TF32,
                             .format_b = TSR_FORMAT_TF32};
    uint32_t a = 0x1fc00, b = 0x1d000;
    uint16_t high = 0x1234, low = 0x5678;
    tsr_kernels_element(reference, &mode)(&high, &low, &a, &b, 1, true, &mode);
    assert_int_equal(high, 0x007f);
    assert_int_equal(low, 0x2000);
    mode.accumulate = true; // 1 + 1 onto -(2 + ulp): Wormhole normalises the lone unit wrongly
    b = a;
    high = tsr_dst_encode_bf16(0xc000), low = 1;
    tsr_kernels_element(reference, &mode)(&high, &low, &a, &b, 1, true, &mode);
    assert_int_equal(tsr_dst_decode_bf16(high), 0xc200);
    high = 0xffff, low = 0xffff; // an invalid row reads as 0
    tsr_kernels_element(reference, &mode)(&high, &low, &a, &b, 1, false, &mode);
    assert_int_equal(tsr_dst_decode_bf16(high), 0x4000);
    mode.int8 = true;
    mode.op = TSR_ELEMENT_SUB;
    a = 0x04005, b = 0x04003, high = 0, low = 7; // 7 + (5 - 3)
    tsr_kernels_element(reference, &mode)(&high, &low, &a, &b, 1, true, &mode);
    assert_int_equal(high, 0);
    assert_int_equal(low, 9);
}

static void test_dot_example(void **state)
{
    (void)state;
    tsr_element_mode mode = {.fpu = {.e8 = true},
                             .flush_b = true,
                             .format_a = TSR_FORMAT_BF16,
                             .format_b = TSR_FORMAT_BF16};
    uint32_t a[16][16] = {{0}};
    uint32_t b[1][16] = {{0x1fc00, 0x1fc00}}; // 1, 1
    uint16_t high[16];
    tsr_dot_block block = {.made = false};
    memset(high, 0xff, sizeof high);
    for (uint32_t j = 0; j < 16; j++) {
        a[0][j] = 0x1fc00;
        a[1][j] = 0x20000 | (j == 3) << 18; // 2, or -2 in column 3
    }
    const tsr_dot_kernel *kernel = tsr_kernels_dot(reference, &mode);
    kernel->prepare(&block, (const uint32_t(*)[16])a, &mode);
    kernel->run(high, NULL, &block, NULL, (const uint32_t(*)[16])b, 1, false, &mode);
    for (int j = 0; j < 16; j++)
        assert_int_equal(tsr_dst_decode_bf16(high[j]), j == 3 ? 0xbf80 : 0x4040);
}

// ---------------------------------------------------------------- rows of MVMUL

enum { DOT_ROW = 16, DOT_MOST = TSR_DOT_ROWS * DOT_ROW };

struct dot_inputs {
    uint32_t a[16][16], b[TSR_DOT_ROWS][16];
    uint16_t high[DOT_MOST], low[DOT_MOST];
};

// Between the smallest and the largest exponents, or all close together, or all in one row the
// same, so that whole groups are aligned by no bit, one bit, or too many; zeroes among them, and
// in half of the cases strays of any exponent.
static void dot_datums(uint32_t *datums, size_t count, const tsr_element_mode *mode)
{
    uint32_t near = mode->fpu.e8 ? 127 : 15, kind = random_below(6), one = hard_exponent(near);
    uint32_t low = random_below(mode->fpu.e8 ? 200 : 2), zeroes = random_below(2) ? 16 : 2;
    bool strays = random_below(2) != 0;
    for (size_t i = 0; i < count; i++) {
        datums[i] = hard_datum(mode->fpu.e8, near);
        uint32_t exponent = kind == 0   ? one
                            : kind == 1 ? near + random_below(3)
                            : kind == 2 ? near + random_below(15)
                            : kind == 3 ? datums[i] >> 10 & 0xff
                                        : low + random_below(kind == 4 ? 66 : 30);
        if (!strays && random_below(zeroes) == 0)
            exponent = 0;
        if (!strays || random_below(16) != 0)
            datums[i] = (datums[i] & 0x403ff) | (exponent & 0xff) << 10;
    }
}

static void dot_get(const tsr_dot_kernel *kernel, uint16_t *high, uint16_t *low,
                    tsr_dot_block *block, tsr_dot_rows *kept, const struct dot_inputs *in,
                    size_t rows, bool valid, const tsr_element_mode *mode)
{
    kernel->prepare(block, (const uint32_t(*)[16])in->a, mode);
    kernel->run(high, low, block, kept, (const uint32_t(*)[16])in->b, rows, valid, mode);
}

// Accumulators: any bits, or nearly what the products come to with the other sign. (By the fastest
// kernel: whether that is right is seen afterwards.)
static void dot_accumulators(struct dot_inputs *in, size_t rows, const tsr_element_mode *mode)
{
    tsr_dot_block block = {.made = false};
    dot_get(tsr_kernels_dot(tsr_kernels_select(NULL), mode), in->high,
            mode->fpu.acc32 ? in->low : NULL, &block, NULL, in, rows, false, mode);
    for (size_t i = 0; i < rows * DOT_ROW; i++) {
        if (random_below(3) == 0) {
            in->high[i] = (uint16_t)random32();
            in->low[i] = (uint16_t)random32();
        } else if (random_below(8) == 0) { // integers close to their ends
            in->high[i] = (uint16_t)(random32() | 0x7fff);
            in->low[i] = (uint16_t)(random32() | 0xff00);
        } else {
            in->high[i] ^= 0x8000;
            in->low[i] = (uint16_t)(in->low[i] + random_below(5) - 2);
        }
    }
}

// One block and its rows for every set at once: the reference's sums are what takes the time.
static void check_dot_once(const tsr_element_mode *mode, const struct dot_inputs *in, size_t rows,
                           bool valid)
{
    static tsr_dot_block slow_block; // kept: what was made before must not show
    static tsr_dot_block blocks[SETS];
    static tsr_dot_rows kept[SETS];
    const tsr_dot_kernel *slow = tsr_kernels_dot(reference, mode);
    size_t size = rows * DOT_ROW * sizeof in->high[0], set = 0;
    fill_outputs();
    struct guarded blank = got, blank_low = got_low;
    memcpy(cells_at(&want), in->high, size);
    memcpy(cells_at(&want_low), in->low, size);
    dot_get(slow, cells_at(&want), mode->fpu.acc32 ? cells_at(&want_low) : NULL, &slow_block, NULL,
            in, rows, valid, mode);
    FOR_EACH_SET(kernels)
    {
        const tsr_dot_kernel *kernel = tsr_kernels_dot(kernels, mode);
        tsr_dot_rows *rows_kept = random_below(8) ? &kept[set] : NULL;
        tsr_dot_block *block = &blocks[set++];
        if (kernel == slow) {
            assert_string_equal(set_name, "portable");
            continue;
        }
        got = blank, got_low = blank_low;
        memcpy(cells_at(&got), in->high, size);
        memcpy(cells_at(&got_low), in->low, size);
        dot_get(kernel, cells_at(&got), mode->fpu.acc32 ? cells_at(&got_low) : NULL, block,
                rows_kept, in, rows, valid, mode);
        same("dot", set_name, mode, sizeof *mode, rows * DOT_ROW);
    }
}

static void check_dot(const tsr_element_mode *mode)
{
    static struct dot_inputs in;
    for (int times = 0; times < 12; times++) {
        size_t rows = 1 + random_below(TSR_DOT_ROWS);
        bool valid = random_below(4) != 0;
        if (times == 0 || random_below(3) != 0)
            dot_datums(in.a[0], sizeof in.a / 4, mode);
        else // one datum of the block changes, or none
            in.a[random_below(16)][random_below(16)] ^= random_below(2) << random_below(19);
        if (times == 0 || random_below(3) != 0)
            dot_datums(in.b[0], sizeof in.b / 4, mode);
        else // a datum changes, or none
            in.b[random_below(TSR_DOT_ROWS)][random_below(16)] ^= random_below(2)
                                                                  << random_below(19);
        dot_accumulators(&in, rows, mode);
        check_dot_once(mode, &in, rows, valid);
    }
}

static void test_dot(void **state)
{
    (void)state;
    static const uint8_t formats[] = {TSR_FORMAT_BF16, TSR_FORMAT_TF32, TSR_FORMAT_FP16,
                                      TSR_FORMAT_BFP8};
    for (unsigned i = 0; i < 1u << 12; i++) { // each mode twice
        tsr_element_mode mode = {
            .fpu = {.arch = i & 1u ? TSR_BLACKHOLE_A0 : TSR_WORMHOLE_B0,
                    .e8 = i >> 1 & 1u,
                    .acc32 = i >> 2 & 1u,
                    .phase = i >> 3 & 3u},
            .flush_b = i >> 5 & 1u,
            .format_a = formats[i >> 6 & 3u],
            .format_b = formats[i >> 8 & 3u],
            .int8 = i >> 10 & 1u,
        };
        if (mode.int8 && !mode.fpu.acc32) {
            FOR_EACH_SET(kernels)
            assert_null(tsr_kernels_dot(kernels, &mode));
            continue;
        }
        check_dot(&mode);
    }
}

// ---------------------------------------------------------------- choice

static void test_select(void **state)
{
    (void)state;
    assert_non_null(tsr_kernels_select(NULL));
    assert_ptr_equal(tsr_kernels_select("auto"), tsr_kernels_select(NULL));
    assert_ptr_equal(tsr_kernels_select("reference,portable"), tsr_kernels_select("portable"));
    assert_ptr_not_equal(tsr_kernels_select("portable"), tsr_kernels_select("reference"));
    static const char *const wrong[] = {"", ",", "portable,", "sse9", "portable,auto", "port"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_null(tsr_kernels_select(wrong[i]));
}

// What the fast path counts on must not fall back to the reference without anyone noticing.
static void test_coverage(void **state)
{
    (void)state;
    static const uint8_t unpacks[][2] = {{0, 4}, {0, 5}, {0, 1}, {5, 5}, {1, 1}, {6, 6}, {14, 14}};
    static const uint8_t packs[][3] = {{0, 5, 5}, {0, 5, 0}, {0, 1, 1}, {0, 5, 6}, {0, 6, 6},
                                       {1, 0, 0}, {1, 5, 5}, {1, 0, 1}, {1, 0, 6}, {1, 8, 8}};
    FOR_EACH_SET(kernels)
    {
        if (strcmp(set_name, "avx512") == 0) // the FPU's kernels alone: test_element, test_dot
            continue;
        for (size_t i = 0; i < sizeof unpacks / sizeof unpacks[0]; i++) {
            tsr_unpack_mode mode = {.in_format = unpacks[i][0], .out_format = unpacks[i][1]};
            assert_ptr_not_equal(tsr_kernels_unpack_src(kernels, &mode),
                                 tsr_kernels_unpack_src(reference, &mode));
        }
        for (size_t i = 0; i < sizeof packs / sizeof packs[0]; i++) {
            tsr_pack_mode mode = {
                .read_32b = packs[i][0], .in_format = packs[i][1], .out_format = packs[i][2]};
            assert_true(tsr_kernels_pack(kernels, &mode) != tsr_kernels_pack(reference, &mode) ||
                        tsr_kernels_pack_block(kernels, &mode) !=
                            tsr_kernels_pack_block(reference, &mode));
        }
    }
}

int main(int argc, char **argv)
{
    reference = tsr_kernels_select("reference");
    if (argc > 1 && strcmp(argv[1], "--bench") == 0)
        return bench_kernels();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_select),
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_unpack),
        cmocka_unit_test(test_unpack_every_block_element),
        cmocka_unit_test(test_unpack_long),
        cmocka_unit_test(test_move),
        cmocka_unit_test(test_move_examples),
        cmocka_unit_test(test_element),
        cmocka_unit_test(test_element_examples),
        cmocka_unit_test(test_dot_example),
        cmocka_unit_test(test_dot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
