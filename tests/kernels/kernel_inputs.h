// SPDX-License-Identifier: Apache-2.0
// Inputs that hurt, and buffers that notice, for the tests of the kernels.
#ifndef TESTS_KERNEL_INPUTS_H
#define TESTS_KERNEL_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static uint64_t random_state = 0x9e3779b97f4a7c15u;

static inline uint32_t random32(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 16);
}

static inline uint32_t random_below(uint32_t limit)
{
    return random32() % limit;
}

// Mantissas (10 bits and 23 bits alike, cut from 32): ends, ties and single bits.
static inline uint32_t hard_mantissa(unsigned bits)
{
    uint32_t mask = (1u << bits) - 1u;
    switch (random_below(5)) {
    case 0:
        return 0;
    case 1:
        return mask;
    case 2:
        return 1u << random_below(bits);
    case 3:
        return mask & ~(1u << random_below(bits));
    default:
        return random32() & mask;
    }
}

// Exponents: flushed, smallest, largest, those of FP16 inside FP32, or close to `near`.
static inline uint32_t hard_exponent(uint32_t near)
{
    static const uint8_t edges[] = {0,   0,   1,   2,   15,  30,  31,  97, 111,
                                    112, 113, 127, 128, 143, 144, 254, 255};
    switch (random_below(4)) {
    case 0:
        return edges[random_below(sizeof edges)];
    case 1:
        return random32() & 0xffu;
    default:
        return (near + random_below(29) - 14) & 0xffu;
    }
}

// A canonical Src datum; exponents above 31 only with `e8`.
static inline uint32_t hard_datum(int e8, uint32_t near)
{
    uint32_t exponent = hard_exponent(near);
    if (!e8 && random_below(8) != 0)
        exponent &= 31u;
    return (random32() & 1u) << 18 | exponent << 10 | hard_mantissa(10);
}

static inline uint32_t hard_fp32(uint32_t near)
{
    return (random32() & 1u) << 31 | hard_exponent(near) << 23 | hard_mantissa(23);
}

// Bytes that make sense as datums of several widths.
static inline void hard_bytes(uint8_t *bytes, size_t size)
{
    size_t at = 0;
    while (at + 4 <= size) {
        uint32_t word = random32();
        switch (random_below(6)) {
        case 0:
            word = hard_fp32(127);
            break;
        case 1:
            word = (hard_fp32(120) >> 16) * 0x10001u;
            break;
        case 2:
            word = 0x80000000u;
            break;
        case 3:
            word = random_below(2) ? 0xffffffffu : 0;
            break;
        default:
            break;
        }
        memcpy(bytes + at, &word, 4);
        at += 4;
    }
    while (at < size)
        bytes[at++] = (uint8_t)random32();
}

// An output has room for 64 datums of 32 bits, or for eight rows of 16.
enum { MOST_DATUMS = 64, GUARD_BYTES = 64, OUT_BYTES = MOST_DATUMS * 4 + 2 * GUARD_BYTES + 16 };

// An output with a guard band on either side; two of them that began alike must end alike.
struct guarded {
    _Alignas(64) uint8_t bytes[OUT_BYTES];
};

// The bytes are those of a pool that is drawn once: what an output held before must not matter.
static inline void guarded_fill(struct guarded *first, struct guarded *second)
{
    static uint8_t pool[64 * OUT_BYTES];
    static bool drawn;
    if (!drawn)
        hard_bytes(pool, sizeof pool);
    drawn = true;
    memcpy(first->bytes, pool + random_below(sizeof pool - OUT_BYTES), sizeof first->bytes);
    memcpy(second->bytes, first->bytes, sizeof second->bytes);
}

#endif
