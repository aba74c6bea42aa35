// SPDX-License-Identifier: Apache-2.0
// What the programs that check the examples' results share: arrays of 128 × 128 float32 from files
// of NumPy, and the first step of each computation. It shares no line with Tessera.
#ifndef EXAMPLES_COMMON_EXPECT_H
#define EXAMPLES_COMMON_EXPECT_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 128, COUNT = SIDE * SIDE };

// The caller frees the array. Ends the program with status 2 if there is none.
static inline float *read_array(const char *path)
{
    float *numbers = calloc(COUNT, sizeof *numbers);
    unsigned char head[10];
    FILE *file = fopen(path, "rb");

    if (file == NULL || numbers == NULL || fread(head, 1, 10, file) != 10 ||
        fseek(file, 10 + (head[8] | head[9] << 8), SEEK_SET) != 0 ||
        fread(numbers, sizeof *numbers, COUNT, file) != COUNT) {
        fprintf(stderr, "%s cannot be read\n", path);
        exit(2);
    }
    fclose(file);
    return numbers;
}

// To a whole number; ties to even or away from zero.
static inline double nearest(double value, int even)
{
    double whole = floor(fabs(value)), rest = fabs(value) - whole;

    if (rest > 0.5 || (rest == 0.5 && (!even || fmod(whole, 2.0) != 0.0)))
        whole += 1.0;
    return copysign(whole, value);
}

// To `bits` bits of significand; ties to even or away from zero.
static inline double round_to(double value, int bits, int even)
{
    int exponent;
    double significand = frexp(value, &exponent);

    return ldexp(nearest(ldexp(significand, bits), even), exponent - bits);
}

// A number in L1 as BF16: rounded, ties to even; denormals count as zero.
static inline double operand(float number)
{
    double value = number, least = ldexp(1.0, -126);

    // Half-way to the smallest normal number a denormal is rounded up to it.
    if (fabs(value) < ldexp(255.0, -134))
        return 0.0;
    return fabs(value) < least ? copysign(least, value) : round_to(value, 8, 1);
}

#endif
