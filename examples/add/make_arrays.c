// SPDX-License-Identifier: Apache-2.0
// Writes a.npy and b.npy, the inputs of this example: 128 × 128 float32 each, always the same. The
// numbers are chosen to show what the hardware does to them: full mantissas (rounded to BF16 on
// the way to L1), sums that end exactly between two BF16 numbers, sums that cancel, operands of
// very different size, zeros, denormals, the largest and the smallest numbers.
#include "../common/make_arrays.h"

static void special_pair(uint32_t *a, uint32_t *b)
{
    static const uint32_t numbers[] = {
        0x00000000, 0x80000000, // zeros
        0x3f800000, 0xbf800000, // ones
        0x3b800000, 0xbb800000, // 2^-8: added to 1, half of BF16's last place
        0x3b000000, 0xbb000000, // 2^-9
        0x3f808000, 0x3f818000, // half-way cases of the rounding to BF16
        0x00800000, 0x80800000, // the smallest normal numbers
        0x007fffff, 0x80000001, // denormals
        0x7f7f0000, 0xff7f0000, // the largest BF16 numbers
        0x7f000000, 0x42f6e979, // 2^127 and 123.456
    };
    size_t count = sizeof numbers / sizeof numbers[0];

    *a = numbers[random_bits() % count];
    *b = numbers[random_bits() % count];
}

static void make_pair(uint32_t *a, uint32_t *b)
{
    switch (random_bits() % 8) {
    case 0:
        special_pair(a, b);
        break;
    case 1: // almost cancels
        *a = random_float(120, 134);
        *b = *a ^ 0x80000000 ^ (random_bits() & 0x1ffff);
        break;
    case 2: // one is far smaller
        *a = random_float(127, 130);
        *b = random_float(112, 122);
        break;
    case 3: // any exponent
        *a = random_float(1, 254);
        *b = random_float(1, 254);
        break;
    default:
        *a = random_float(122, 132);
        *b = random_float(122, 132);
    }
}

int main(void)
{
    static uint32_t a[COUNT], b[COUNT];

    random_state = 2463534242u;
    for (int i = 0; i < COUNT; i++)
        make_pair(&a[i], &b[i]);
    write_array("a.npy", a);
    write_array("b.npy", b);
    return 0;
}
