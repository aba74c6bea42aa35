// SPDX-License-Identifier: Apache-2.0
// What the programs that make the examples' inputs share: random bits, always the same ones after
// the same `random_state`, and arrays of 128 × 128 float32 as files of NumPy.
#ifndef EXAMPLES_COMMON_MAKE_ARRAYS_H
#define EXAMPLES_COMMON_MAKE_ARRAYS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 128, COUNT = SIDE * SIDE };

static uint32_t random_state; // not 0

static inline uint32_t random_bits(void) // xorshift32
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

// A float32 with an exponent field between `low` and `high`.
static inline uint32_t random_float(uint32_t low, uint32_t high)
{
    uint32_t bits = random_bits();

    return (bits & 0x807fffff) | (low + random_bits() % (high - low + 1)) << 23;
}

static inline void write_array(const char *path, const uint32_t *numbers)
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

#endif
