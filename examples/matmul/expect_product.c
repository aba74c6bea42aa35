// SPDX-License-Identifier: Apache-2.0
// usage: expect_product left.npy right.npy lofi.npy hifi2.npy hifi4.npy
// Says whether these are what a Tensix makes of left · right in BF16 with one, two and four
// fidelity phases, and how far each is from the true product. It shares no line with Tessera: it
// works with real numbers in `double`, where every step below is exact or rounds on purpose.
//
//   1. Operands are rounded to BF16, ties to even, as they go to L1. Denormals count as zero.
//   2. A phase takes five bits of the right operand's significand (SrcA), first its leading five,
//      then the next five, and seven of the left one's (SrcB): its leading seven, then what is
//      left. Phases 0 and 2 have the leading bits of the right operand, 0 and 1 those of the left
//      one. A product has the exponent of its operands, five or seven less for what is not leading.
//   3. Sixteen products are two groups of eight. In each the products are rounded, ties away from
//      zero, to multiples of 2^-10 of the binade of the largest exponent, and added exactly.
//   4. Both sums and the old value are rounded to multiples of 2^-23 and then of 2^-10 of the
//      binade of the largest exponent of the three, ties upward for sums and away from zero for the
//      old value; and added exactly.
//   5. The result is rounded to BF16, ties away from zero. What is then below the smallest normal
//      number is +0, and what is above the largest one an infinity, which the next step takes for
//      2^128.
// A tile of 32 columns has two steps of sixteen; its phases follow each other before the next tile
// (MVMUL; docs/arithmetic.md).
#include "../common/expect.h"

enum { TILE = 32, STEP = 16, GROUP = 8 };

// |value| is 1.f · 2^n; n as hardware counts it, from 1 for the smallest normal number.
static int exponent_of(double value)
{
    int exponent;

    frexp(value, &exponent);
    return value == 0.0 ? 0 : exponent - 1 + 127;
}

// Bits `low` to `low + count - 1` of an eleven-bit significand; only the sign if there are none.
static double slice(double value, int low, int count)
{
    double bits = floor(ldexp(fabs(value), 10 + 127 - exponent_of(value)));

    return copysign(fmod(floor(ldexp(bits, -low)), ldexp(1.0, count)), value);
}

// An operand, and of its significand what the phases take: [0] what is leading, [1] what follows.
struct factor {
    double value, part[2];
    int exponent[2];
};

static struct factor right_factor(float number) // SrcA
{
    double value = operand(number);
    int exponent = exponent_of(value);

    return (struct factor){
        value, {slice(value, 6, 5), slice(value, 1, 5)}, {exponent, exponent - 5}};
}

static struct factor left_factor(float number) // SrcB
{
    double value = operand(number);
    int exponent = exponent_of(value);

    return (struct factor){
        value, {slice(value, 4, 7), slice(value, 0, 4) * 8.0}, {exponent, exponent - 7}};
}

// A product counts 2^-10 of its exponent's binade, a sum as well.
struct term {
    double amount;
    int exponent;
};

static struct term product(const struct factor *left, const struct factor *right, int phase)
{
    struct term term = {0.0, 0};
    int a = phase & 1, b = phase >> 1;

    if (left->value == 0.0 || right->value == 0.0)
        return term;
    term.amount = right->part[a] * left->part[b];
    term.exponent = right->exponent[a] + left->exponent[b] - 127;
    return term;
}

static struct term group(const struct factor *left, const struct factor *right, int phase)
{
    struct term terms[GROUP], sum = {0.0, 0};

    for (int k = 0; k < GROUP; k++) {
        terms[k] = product(&left[k], &right[k * SIDE], phase);
        sum.exponent = terms[k].exponent > sum.exponent ? terms[k].exponent : sum.exponent;
    }
    for (int k = 0; k < GROUP && sum.exponent > 0; k++)
        sum.amount += nearest(ldexp(terms[k].amount, terms[k].exponent - sum.exponent), 0);
    return sum;
}

static double upward(double value)
{
    return floor(value + 0.5);
}

static double add_step(double old, const struct factor *left, const struct factor *right, int phase)
{
    struct term sums[2] = {group(left, right, phase),
                           group(left + GROUP, right + GROUP * SIDE, phase)};
    int top = exponent_of(old);
    double total = 0.0;

    for (int i = 0; i < 2; i++)
        top = sums[i].exponent > top ? sums[i].exponent : top;
    for (int i = 0; i < 2; i++) {
        double fine = upward(ldexp(sums[i].amount, 13 + sums[i].exponent - top));
        total += upward(ldexp(fine, -13));
    }
    total += nearest(ldexp(nearest(ldexp(old, 23 + 127 - top), 0), -13), 0);
    double result = ldexp(total, top - 127 - 10);
    int place = exponent_of(result) - 127 - 7;
    result = ldexp(nearest(ldexp(result, -place), 0), place);
    if (fabs(result) < ldexp(1.0, -126))
        return 0.0;
    return fabs(result) >= ldexp(1.0, 128) ? copysign(ldexp(1.0, 128), result) : result;
}

static float expected_at(const struct factor *left, const struct factor *right, int phases)
{
    double sum = 0.0;

    for (int tile = 0; tile < SIDE; tile += TILE)
        for (int phase = 0; phase < phases; phase++)
            for (int k = tile; k < tile + TILE; k += STEP)
                sum = add_step(sum, left + k, right + k * SIDE, phase);
    return fabs(sum) >= ldexp(1.0, 128) ? copysignf(INFINITY, (float)sum) : (float)sum;
}

// How far `got` is from the true sum, in parts of the sum of all products' sizes; -1 where that is
// so small or large that the exponents of BF16 end.
static double error_of(const struct factor *left, const struct factor *right, float got)
{
    double sum = 0.0, size = 0.0;

    for (int k = 0; k < SIDE; k++) {
        double exact = left[k].value * right[k * SIDE].value;
        sum += exact;
        size += fabs(exact);
    }
    if (size < ldexp(1.0, -100) || size > ldexp(1.0, 120))
        return -1.0;
    return fabs(got - sum) / size;
}

static int compare(const char *name, int phases, const struct factor *left,
                   const struct factor *right, const float *got)
{
    int wrong = 0, reported = 0;
    double largest = 0.0, total = 0.0;

    for (int i = 0; i < COUNT; i++) {
        const struct factor *row = left + i / SIDE * SIDE, *column = right + i % SIDE;
        float expected = expected_at(row, column, phases);
        double error = error_of(row, column, got[i]);
        if (error >= 0.0) {
            largest = error > largest ? error : largest;
            total += error;
            reported++;
        }
        if (memcmp(&expected, &got[i], sizeof expected) != 0 && wrong++ < 5)
            printf("%s[%d, %d]: expected %.9g, got %.9g\n", name, i / SIDE, i % SIDE, expected,
                   got[i]);
    }
    printf("%-6s %7d %8d of %d %15.5f %12.5f\n", name, phases, COUNT - wrong, COUNT, largest,
           total / reported);
    return wrong;
}

int main(int argc, char **argv)
{
    static const char *const names[3] = {"LoFi", "HiFi2", "HiFi4"};
    static struct factor left[COUNT], right[COUNT];
    int wrong = 0;

    if (argc != 6) {
        fputs("usage: expect_product left.npy right.npy lofi.npy hifi2.npy hifi4.npy\n", stderr);
        return 2;
    }
    float *a = read_array(argv[1]), *b = read_array(argv[2]);
    for (int i = 0; i < COUNT; i++) {
        left[i] = left_factor(a[i]);
        right[i] = right_factor(b[i]);
    }
    free(a);
    free(b);
    puts("The last two columns: distance from the true product, in parts of the sum of all |a·b|.");
    puts("        phases       as expected   largest error   mean error");
    for (int mode = 0; mode < 3; mode++) {
        float *got = read_array(argv[3 + mode]);
        wrong += compare(names[mode], 1 << mode, left, right, got);
        free(got);
    }
    return wrong != 0;
}
