// SPDX-License-Identifier: Apache-2.0
// usage: expect_gelu wh|bh x.npy y.npy
// Says whether y is what the program computes from x on a chip, and how far that is from the true
// function. It shares no line with Tessera: it works with real numbers in `double`, where every
// step below is exact or rounds on purpose.
//
//   1. x is rounded to BF16, ties to even, as it goes to L1. Denormals count as zero.
//   2. A multiply-add has 26 binary places below the larger exponent of its product and its
//      addend. What is cut off below makes the last place odd. The sum is rounded to 24 bits,
//      ties to even. Wormhole and Blackhole differ in which of the cut bits they remember, and in
//      the sign of a zero (SFPMAD; docs/arithmetic.md).
//   3. The sum is rounded to BF16, ties away from zero.
#include "../common/expect.h"

enum { PLACES = 26, LEAST = -126, DEGREE = 8 };

// Counts `value` in multiples of 2^place. If something is cut off, the count becomes odd, but it
// stays 0 if nothing is left.
static double count_of(double value, int place)
{
    double exact = ldexp(fabs(value), -place), whole = floor(exact);

    if (whole != 0.0 && whole != exact && fmod(whole, 2.0) == 0.0)
        whole += 1.0;
    return copysign(whole, value);
}

static double multiply_add(double x, double y, double z, int blackhole)
{
    int product_exponent = x == 0.0 || y == 0.0 ? -1000 : ilogb(x) + ilogb(y);
    int exponent = z == 0.0 ? LEAST - 1 : ilogb(z);
    double counted;

    if (product_exponent < LEAST - 1)
        return z;
    if (product_exponent > exponent)
        exponent = product_exponent;
    counted = count_of(x * y, exponent - PLACES) + count_of(z, exponent - PLACES);
    if (counted == 0.0)
        return 0.0;

    // The leading bit goes to place 26 of the count. Going right by two places, Wormhole remembers
    // the last of the cut bits alone.
    int right = ilogb(counted) - PLACES;
    double normal = floor(ldexp(fabs(counted), -right));
    double cut = fabs(counted) - ldexp(normal, right);

    if (right > 0 && fmod(normal, 2.0) == 0.0 &&
        (blackhole ? cut != 0.0 : fmod(fabs(counted), 2.0) != 0.0))
        normal += 1.0;
    exponent += right;
    double rounded = round_to(normal, 24, 1);
    if (exponent < LEAST) {
        // Below the normal numbers there is only what is rounded up to the smallest one: by
        // Blackhole on the last place of a denormal, by Wormhole on the last place of a normal.
        double half = blackhole ? round_to(normal, 23, 1) : rounded;
        if (exponent < LEAST - 1 || half < ldexp(2.0, PLACES))
            return 0.0;
        rounded = half;
    }
    return copysign(ldexp(rounded, exponent - PLACES), counted);
}

static float gelu(double x, int blackhole)
{
    static const uint32_t coefficients[DEGREE + 1] = {
        0x3f000000, 0x3ecafc00, 0xbc31d524, 0xbda7ae9f, 0xbbc3a5cf,
        0x3c7a6434, 0x3bcd7cb0, 0x3a82f253, 0x38784f94,
    };
    double u = fabs(x) >= 4.0 ? 0.0 : -fabs(x), phi = 0.0;

    for (int i = DEGREE; i >= 0; i--) {
        float coefficient;
        memcpy(&coefficient, &coefficients[i], sizeof coefficient);
        phi = i == DEGREE ? coefficient : multiply_add(phi, u, coefficient, blackhole);
    }
    double result = round_to(multiply_add(phi, u, x < 0.0 ? 0.0 : x, blackhole), 8, 0);
    return result == 0.0 ? 0.0f : (float)result; // no negative zero
}

int main(int argc, char **argv)
{
    int wrong = 0, closest = 0;
    double largest = 0.0, sum = 0.0;

    if (argc != 4 || (strcmp(argv[1], "wh") != 0 && strcmp(argv[1], "bh") != 0)) {
        fputs("usage: expect_gelu wh|bh x.npy y.npy\n", stderr);
        return 2;
    }
    float *x = read_array(argv[2]), *y = read_array(argv[3]);
    for (int i = 0; i < COUNT; i++) {
        double number = operand(x[i]), truth = number * 0.5 * erfc(-number / sqrt(2.0));
        float expected = gelu(number, strcmp(argv[1], "bh") == 0);
        double error = fabs(y[i] - truth);
        largest = error > largest ? error : largest;
        sum += error;
        closest += y[i] == (float)round_to(truth, 8, 1);
        if (memcmp(&expected, &y[i], sizeof expected) == 0)
            continue;
        if (wrong++ < 5)
            printf("[%d, %d]: gelu(%.9g): expected %.9g, got %.9g\n", i / SIDE, i % SIDE, number,
                   expected, y[i]);
    }
    printf("%d of %d numbers as expected\n", COUNT - wrong, COUNT);
    printf("against the true function: largest error %.2g, mean error %.2g; "
           "%d results are the nearest BF16\n",
           largest, sum / COUNT, closest);
    free(x);
    free(y);
    return wrong != 0;
}
