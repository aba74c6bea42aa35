// SPDX-License-Identifier: Apache-2.0
// usage: expect a.npy b.npy c.npy
// Says whether c is what a Tensix adds up from a and b in BF16. It shares no line with Tessera: it
// works with real numbers in `double`, where every step below is exact or rounds on purpose.
//
//   1. Both operands are rounded to BF16, ties to even, as they go to L1.
//   2. Denormals count as zero.
//   3. The adder has eleven bits of significand and no guard bits: the smaller operand is rounded,
//      ties away from zero, to a multiple of the larger one's last place, 2^-10 of its binade
//      (ELWADD; docs/arithmetic.md).
//   4. The sum is rounded to BF16, ties away from zero. What is then below the smallest normal
//      number is +0, and what is above the largest one is an infinity.
#include "../common/expect.h"

static float sum(float a_number, float b_number)
{
    double a = operand(a_number), b = operand(b_number);

    if (fabs(a) < fabs(b)) {
        double other = a;
        a = b;
        b = other;
    }
    if (a == 0.0)
        return 0.0f;
    int exponent;
    frexp(a, &exponent);
    double place = ldexp(1.0, exponent - 1 - 10);
    b = copysign(floor(fabs(b) / place + 0.5) * place, b);
    double result = round_to(a + b, 8, 0);
    if (fabs(result) < ldexp(1.0, -126))
        return 0.0f;
    if (fabs(result) >= ldexp(1.0, 128))
        return copysignf(INFINITY, (float)copysign(1.0, result));
    return (float)result;
}

int main(int argc, char **argv)
{
    int wrong = 0, changed = 0;

    if (argc != 4) {
        fputs("usage: expect a.npy b.npy c.npy\n", stderr);
        return 2;
    }
    float *a = read_array(argv[1]), *b = read_array(argv[2]), *c = read_array(argv[3]);
    for (int i = 0; i < COUNT; i++) {
        float expected = sum(a[i], b[i]);
        changed += expected != a[i] + b[i];
        if (memcmp(&expected, &c[i], sizeof expected) == 0)
            continue;
        if (wrong++ < 5)
            printf("[%d, %d]: %.9g + %.9g: expected %.9g, got %.9g\n", i / SIDE, i % SIDE, a[i],
                   b[i], expected, c[i]);
    }
    printf("%d of %d sums as expected (%d differ from a float32 sum)\n", COUNT - wrong, COUNT,
           changed);
    free(a);
    free(b);
    free(c);
    return wrong != 0;
}
