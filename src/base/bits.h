// SPDX-License-Identifier: Apache-2.0
// Small helpers: bit fields, words and bytes, and what is said to the compiler.
#ifndef TESSERA_BASE_BITS_H
#define TESSERA_BASE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// A mask of `width` low bits; width 0..32.
static inline uint32_t tsr_mask32(unsigned width)
{
    return width >= 32 ? 0xffffffffu : (1u << width) - 1u;
}

static inline uint32_t tsr_bits(uint32_t value, unsigned first, unsigned width)
{
    return (value >> first) & (uint32_t)((1ull << width) - 1); // no branch: on hot paths
}

static inline uint32_t tsr_round_up(uint32_t value, uint32_t unit)
{
    return (value + unit - 1) / unit * unit;
}

// Memories are little-endian, whatever the host is.
static inline uint32_t tsr_word_at(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

// Whether `size` bytes are equal, a multiple of 16: without a call, and all of them without a
// branch.
static inline bool tsr_same_bytes(const void *a, const void *b, size_t size)
{
    typedef uint64_t pair __attribute__((vector_size(16)));
    pair differ = {0, 0};
    for (size_t i = 0; i < size; i += sizeof(pair)) {
        pair x, y;
        memcpy(&x, (const char *)a + i, sizeof x);
        memcpy(&y, (const char *)b + i, sizeof y);
        differ |= x ^ y;
    }
    return (differ[0] | differ[1]) == 0;
}

// The same of a multiple of 4.
static inline bool tsr_same_words(const void *a, const void *b, size_t size)
{
    uint64_t x, y, differ = 0;
    uint32_t last[2];
    size_t pairs = size & ~(size_t)15, i = pairs;
    bool same = tsr_same_bytes(a, b, pairs);
    for (; i + sizeof x <= size; i += sizeof x) {
        memcpy(&x, (const char *)a + i, sizeof x);
        memcpy(&y, (const char *)b + i, sizeof y);
        differ |= x ^ y;
    }
    if (i < size) {
        memcpy(&last[0], (const char *)a + i, sizeof last[0]);
        memcpy(&last[1], (const char *)b + i, sizeof last[1]);
        differ |= last[0] ^ last[1];
    }
    return same & (differ == 0);
}

// Always compiled into its callers: steps that every word, datum or host instruction passes, where
// a call costs as much as the step, and functions of which the compiler shall make one form for
// each value of an argument.
#define TSR_INLINE __attribute__((always_inline)) static inline
// For what hardly ever holds: the compiler keeps what follows out of the way.
#define TSR_RARELY(condition) __builtin_expect(!!(condition), 0)
// The pointer is worked out here, once, and not again from its parts at each use.
#define TSR_FOUND(pointer) __asm__("" : "+r"(pointer))

#endif
