// SPDX-License-Identifier: Apache-2.0
// Writes left.npy and right.npy, the inputs of this example: 128 × 128 float32 each, always the
// same. Most numbers are of similar size; some rows show what else the hardware does: very small
// and very large numbers, sums that cancel, exponents that lie far apart, zeros, denormals.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 128, COUNT = SIDE * SIDE };

static uint32_t random_state = 88172645u;

static uint32_t random_bits(void) // xorshift32
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

// A float32 with an exponent field between `low` and `high`.
static uint32_t random_float(uint32_t low, uint32_t high)
{
    uint32_t bits = random_bits();

    return (bits & 0x807fffff) | (low + random_bits() % (high - low + 1)) << 23;
}

static uint32_t left_number(int row, int column, const uint32_t *left)
{
    switch (row % 16) {
    case 3: // products below the smallest normal number, and around it
        return random_float(0, 12);
    case 6: // far apart: the small ones vanish when products are aligned
        return random_float(100, 150);
    case 9: // every second number is minus the one before: sums almost cancel
        return column % 2 ? left[row * SIDE + column - 1] ^ 0x80000000 : random_float(124, 130);
    case 12: // too large for BF16 in the end
        return random_float(248, 253);
    case 15: // mostly zeros of either sign
        return random_bits() % 8 ? random_bits() & 0x80000000 : random_float(120, 130);
    default:
        return random_float(123, 129);
    }
}

static uint32_t right_number(int row, int column)
{
    if (column % 16 == 5) // nearly the same all the way down, so that case 9 cancels
        return 0x3f9a0000 + (uint32_t)(row % 4 == 3) * 0x10000;
    if (random_bits() % 64 == 0)
        return random_bits() % 2 ? 0 : random_bits() & 0x807fffff; // zero or a denormal
    return random_float(122, 129);
}

static void write_array(const char *path, const uint32_t *numbers)
{
    char header[128 - 10 + 1];
    FILE *file = fopen(path, "wb");
    int written;

    if (file == NULL)
        exit(1);
    fwrite("\x93NUMPY\x01\x00\x76\x00", 1, 10, file);
    written = snprintf(header, sizeof header,
                       "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", SIDE, SIDE);
    memset(header + written, ' ', sizeof header - (size_t)written);
    header[117] = '\n';
    fwrite(header, 1, 118, file);
    for (int i = 0; i < COUNT; i++) {
        uint8_t bytes[4] = {(uint8_t)numbers[i], (uint8_t)(numbers[i] >> 8),
                            (uint8_t)(numbers[i] >> 16), (uint8_t)(numbers[i] >> 24)};
        fwrite(bytes, 1, 4, file);
    }
    if (fclose(file) != 0)
        exit(1);
}

int main(void)
{
    static uint32_t left[COUNT], right[COUNT];

    for (int i = 0; i < COUNT; i++) {
        left[i] = left_number(i / SIDE, i % SIDE, left);
        right[i] = right_number(i / SIDE, i % SIDE);
    }
    write_array("left.npy", left);
    write_array("right.npy", right);
    return 0;
}
