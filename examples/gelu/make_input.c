// SPDX-License-Identifier: Apache-2.0
// Writes x.npy, the input of this example: 128 × 128 float32, always the same. Most numbers are
// between -5 and 5, where gelu bends; the others are zeros, denormals, the smallest and the largest
// numbers, and those next to where the program changes its way: 0 and ±4.
#include "../common/make_arrays.h"

static uint32_t bits_of(float number)
{
    uint32_t bits;

    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static uint32_t special(void)
{
    static const uint32_t numbers[] = {
        0x00000000, // zero
        0x3f800000, // 1
        0x00800000, // the smallest normal number
        0x00810000, // the next BF16
        0x01000000, // twice the smallest
        0x007fffff, // the largest denormal
        0x00000001, // the smallest
        0x407f0000, // the BF16 below 4
        0x40800000, // 4
        0x40810000, // the BF16 above 4
        0x7f7f0000, // the largest BF16
        0x3f808000, // half-way cases of the rounding to BF16
        0x3f818000,
    };

    return numbers[random_bits() % (sizeof numbers / sizeof numbers[0])] |
           (random_bits() & 0x80000000);
}

static uint32_t number(int row, int column)
{
    switch (row % 8) {
    case 0: // evenly from -8 to 8
        return bits_of((float)(row / 8 * SIDE + column - 8 * SIDE) / SIDE);
    case 3:
        return special();
    case 6: // any exponent
        return (random_bits() & 0x807fffff) | (1 + random_bits() % 253) << 23;
    default:
        return bits_of((float)(int32_t)random_bits() * (5.0f / 2147483648.0f));
    }
}

int main(void)
{
    static uint32_t numbers[COUNT];

    random_state = 521288629u;
    for (int i = 0; i < COUNT; i++)
        numbers[i] = number(i / SIDE, i % SIDE);
    write_array("x.npy", numbers);
    return 0;
}
