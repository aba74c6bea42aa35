// SPDX-License-Identifier: Apache-2.0
// The element-wise kernels of every set against the reference set where rounding, cancelling and
// the ends of the exponents meet: not by chance as in test_kernels.c, but every pair of mantissas
// that hurts, at every distance that matters, in whole blocks. Accumulators go round what is left
// of the result: nothing, a unit or two in the last place either way, all ones.
#include "kernel_rig.h"

#include "numerics/fpu.h"

enum { MANTISSAS = 9, DISTANCES = 20, EXPONENTS = 13, SIGNS = 2, STYLES = 11 };
enum { CASES = EXPONENTS * DISTANCES * MANTISSAS * MANTISSAS * SIGNS };

static const uint16_t mantissas[MANTISSAS] = {0,     1,     0x008, 0x1ff, 0x200,
                                              0x3ff, 0x3fe, 0x3f8, 0x2aa};
// Up to 14 something of the smaller operand may be left, with the places of a 16-bit Dst and their
// halves; further away are the widths of the lanes.
static const uint8_t distances[DISTANCES] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,
                                             10, 11, 12, 13, 14, 24, 25, 31, 32, 64};
// Among them what the phases take off a sum's: 5, 7 and 12.
static const uint8_t exponents_e8[EXPONENTS] = {0, 1, 2, 5, 7, 11, 12, 64, 127, 128, 191, 254, 255};
static const uint8_t exponents_e5[EXPONENTS] = {0, 1, 2, 5, 7, 11, 12, 13, 15, 16, 27, 30, 31};

struct block {
    uint32_t a[CASES], b[CASES];
    uint16_t high[CASES], low[CASES];
};

static struct block given;
static uint16_t out_high[2][CASES], out_low[2][CASES];

// All of a's have one sign, and b's both.
static void fill_datums(bool e8, uint32_t negative_a)
{
    const uint8_t *exponents = e8 ? exponents_e8 : exponents_e5;
    for (unsigned i = 0; i < CASES; i++) {
        unsigned sign = i % SIGNS, rest = i / SIGNS;
        uint32_t m_a = mantissas[rest % MANTISSAS];
        uint32_t m_b = mantissas[rest / MANTISSAS % MANTISSAS];
        rest /= MANTISSAS * MANTISSAS;
        uint32_t exponent = exponents[rest % EXPONENTS];
        uint32_t distance = distances[rest / EXPONENTS];
        uint32_t other = exponent > distance ? exponent - distance : 0;
        bool swap = (i / 7 & 1u) != 0;
        given.a[i] = negative_a << 18 | (swap ? other : exponent) << 10 | m_a;
        given.b[i] = sign << 18 | (swap ? exponent : other) << 10 | m_b;
    }
}

// An FP32, or an FP16 in its place, that makes something of the result `alone`.
static uint32_t accumulator(uint32_t alone, uint32_t kind, uint32_t unit)
{
    uint32_t opposite = alone ^ 0x80000000u;
    switch (kind) {
    case 0:
        return 0;
    case 1:
        return 0x80000000u;
    case 2:
        return opposite;
    case 3:
        return opposite + unit;
    case 4:
        return opposite - unit;
    case 5:
        return opposite + 2 * unit;
    case 6:
        return alone;
    case 7: // all ones and a sum that carries
        return (alone & 0xff800000u) | (0x7fffffu & ~(unit - 1));
    case 8:
        return opposite ^ 0x400000u;
    case 9:
        return opposite - (11u << 23);
    default:
        return (alone & 0x80000000u) | 0x7f800000u;
    }
}

// A sum that does not accumulate writes over them: those of the mode before will do.
static void fill_accumulators(const tsr_element_mode *mode)
{
    if (mode->op != TSR_ELEMENT_MUL && !mode->accumulate)
        return;
    uint32_t unit = mode->fpu.acc32 ? 1u : mode->fpu.e8 ? 1u << 16 : 1u << 13;
    for (unsigned i = 0; i < CASES; i++) {
        uint32_t a = given.a[i] & tsr_fpu_operand_mask(mode->format_a);
        uint32_t b = given.b[i] & tsr_fpu_operand_mask(mode->format_b);
        uint32_t alone = mode->op == TSR_ELEMENT_MUL
                             ? tsr_fpu_mul(&mode->fpu, 0, a, b, mode->flush_b)
                             : tsr_fpu_add(&mode->fpu, false, 0, a, b, mode->flush_b);
        uint32_t acc = accumulator(alone, random_below(STYLES), unit);
        bool fp16 = !mode->fpu.acc32 && !mode->fpu.e8;
        given.high[i] =
            fp16 ? tsr_dst_encode_fp16((uint16_t)((acc >> 16 & 0x8000u) | (acc >> 13 & 0x7fffu)))
                 : tsr_dst_encode_bf16((uint16_t)(acc >> 16));
        given.low[i] = (uint16_t)acc;
    }
}

static void run(const struct tsr_kernels *kernels, const tsr_element_mode *mode, int into)
{
    memcpy(out_high[into], given.high, sizeof given.high);
    memcpy(out_low[into], given.low, sizeof given.low);
    tsr_kernels_element(kernels, mode)(out_high[into], mode->fpu.acc32 ? out_low[into] : NULL,
                                       given.a, given.b, CASES, true, mode);
}

static void compare(const char *set_name, const tsr_element_mode *mode)
{
    bool same = memcmp(out_high[0], out_high[1], sizeof out_high[0]) == 0 &&
                memcmp(out_low[0], out_low[1], sizeof out_low[0]) == 0;
    for (unsigned i = 0; !same && i < CASES; i++) {
        if (out_high[0][i] == out_high[1][i] && out_low[0][i] == out_low[1][i])
            continue;
        print_error("%s, op %d, e%d, Dst%d, accumulate %d, phase %d, arch %d: %05x %05x onto "
                    "%04x %04x: %04x %04x, should be %04x %04x\n",
                    set_name, mode->op, mode->fpu.e8 ? 8 : 5, mode->fpu.acc32 ? 32 : 16,
                    mode->accumulate, mode->fpu.phase, mode->fpu.arch, given.a[i], given.b[i],
                    given.high[i], given.low[i], out_high[1][i], out_low[1][i], out_high[0][i],
                    out_low[0][i]);
        fail();
    }
}

static void check(const tsr_element_mode *mode)
{
    fill_accumulators(mode);
    run(reference, mode, 0);
    FOR_EACH_SET(kernels)
    {
        if (tsr_kernels_element(kernels, mode) != tsr_kernels_element(reference, mode)) {
            run(kernels, mode, 1);
            compare(set_name, mode);
        }
    }
}

// Products always accumulate: where each set has one kernel for both, which has been checked, there
// is no other mode. (test_kernels.c calls it with either.)
static bool products_alike(tsr_element_mode mode)
{
    bool alike = true;
    tsr_element_mode other = mode;
    other.accumulate = !mode.accumulate;
    FOR_EACH_SET(kernels)
    alike &= tsr_kernels_element(kernels, &mode) == tsr_kernels_element(kernels, &other);
    return alike;
}

// Formats of three kinds: all ten bits of a mantissa, seven, and a narrow exponent, which may meet
// a wide one of the other operand.
static void test_edges(void **state)
{
    (void)state;
    static const uint8_t formats[2][2][2] = {
        {{TSR_FORMAT_FP16, TSR_FORMAT_FP16}, {TSR_FORMAT_FP16, TSR_FORMAT_TF32}},
        {{TSR_FORMAT_TF32, TSR_FORMAT_TF32}, {TSR_FORMAT_BF16, TSR_FORMAT_BF16}},
    };
    for (unsigned i = 0; i < 3u << 8; i++) {
        bool e8 = i >= 3u << 7;
        const uint8_t *format = formats[e8][i & 1u];
        bool flush_b = i >> 6 & 1u;
        if (i % 64 == 0) // what is flushed does not depend on the sign of the other
            fill_datums(e8, flush_b);
        tsr_element_mode mode = {
            .fpu = {.arch = i >> 1 & 1u ? TSR_BLACKHOLE_A0 : TSR_WORMHOLE_B0,
                    .e8 = e8,
                    .acc32 = i >> 2 & 1u,
                    .phase = i >> 3 & 3u},
            .accumulate = i >> 5 & 1u,
            .flush_b = flush_b,
            .format_a = format[0],
            .format_b = format[1],
            .op = (tsr_element_op)((i >> 7) % 3u),
        };
        if (mode.op != TSR_ELEMENT_MUL || !mode.accumulate || !products_alike(mode))
            check(&mode);
    }
}

int main(void)
{
    reference = tsr_kernels_select("reference");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_edges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
