// SPDX-License-Identifier: Apache-2.0
// Writes left.npy and right.npy, the inputs of this example: 128 × 128 float32 each, always the
// same. Most numbers are of similar size; some rows show what else the hardware does: very small
// and very large numbers, sums that cancel, exponents that lie far apart, zeros, denormals.
#include "../common/make_arrays.h"

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

int main(void)
{
    static uint32_t left[COUNT], right[COUNT];

    random_state = 88172645u;
    for (int i = 0; i < COUNT; i++) {
        left[i] = left_number(i / SIDE, i % SIDE, left);
        right[i] = right_number(i / SIDE, i % SIDE);
    }
    write_array("left.npy", left);
    write_array("right.npy", right);
    return 0;
}
