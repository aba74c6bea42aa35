// SPDX-License-Identifier: Apache-2.0
// What the vectorised loops of this folder share: the marker of lane functions, comparisons as
// masks, normalisation, and accesses to L1's bytes. A "lane" function handles one datum without a
// branch, on types that compilers can keep in a vector; the loops are in *_tmpl.h, which each set
// includes once for its own instruction set.
#ifndef TESSERA_KERNELS_LANE_H
#define TESSERA_KERNELS_LANE_H

#include "base/bits.h"

#include <stdint.h>
#include <string.h>

// Blocks that share an exponent are converted in chunks: loops of a fixed length of 16 would be
// unrolled instead of vectorised.
enum { TSR_LANE_CHUNK = 16 }; // blocks

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define TSR_LITTLE16(x) __builtin_bswap16(x)
#define TSR_LITTLE32(x) __builtin_bswap32(x)
#define TSR_LITTLE64(x) __builtin_bswap64(x)
#else
#define TSR_LITTLE16(x) (x)
#define TSR_LITTLE32(x) (x)
#define TSR_LITTLE64(x) (x)
#endif

// All ones for x > 0 or a < b, otherwise 0, by way of the sign. Comparisons that select invite
// compilers to put branches back or to mix lane widths, and either keeps a loop out of vectors.
// The difference of the arguments must lie in the range of the signed type.
TSR_INLINE uint32_t tsr_lane_if_nonzero(uint32_t x) // below 2^31
{
    return (uint32_t)(-(int32_t)x >> 31);
}

TSR_INLINE uint32_t tsr_lane_if_less(int32_t a, int32_t b)
{
    return (uint32_t)((a - b) >> 31);
}

// One halving step of "count leading zeros and shift them out".
#define TSR_LANE_SHIFT_OUT(m, zeros, width, step)                                                  \
    do {                                                                                           \
        uint32_t clear = tsr_lane_if_less(m, 1 << ((width) - (step)));                             \
        (m) += (int32_t)((((uint32_t)(m) << (step)) - (uint32_t)(m)) & clear);                     \
        (zeros) += (int32_t)(clear & (step));                                                      \
    } while (0)

// Moves the leading one of m, which is below 2^width, to bit width - 1, and says by how far; m = 0
// stays 0. `width` is at most 30.
TSR_INLINE int32_t tsr_lane_normalise(int32_t *m, int width)
{
    int32_t zeros = 0;
    if (width > 16)
        TSR_LANE_SHIFT_OUT(*m, zeros, width, 16);
    TSR_LANE_SHIFT_OUT(*m, zeros, width, 8);
    TSR_LANE_SHIFT_OUT(*m, zeros, width, 4);
    TSR_LANE_SHIFT_OUT(*m, zeros, width, 2);
    TSR_LANE_SHIFT_OUT(*m, zeros, width, 1);
    return zeros;
}

// One access each instead of l1_bytes.h's byte by byte, which compilers do not vectorise.
TSR_INLINE uint16_t tsr_lane_get16(const uint8_t *bytes)
{
    uint16_t value;
    memcpy(&value, bytes, sizeof value);
    return TSR_LITTLE16(value);
}

TSR_INLINE uint32_t tsr_lane_get32(const uint8_t *bytes)
{
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return TSR_LITTLE32(value);
}

TSR_INLINE uint64_t tsr_lane_get64(const uint8_t *bytes)
{
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return TSR_LITTLE64(value);
}

TSR_INLINE void tsr_lane_put16(uint8_t *bytes, uint16_t value)
{
    value = TSR_LITTLE16(value);
    memcpy(bytes, &value, sizeof value);
}

TSR_INLINE void tsr_lane_put32(uint8_t *bytes, uint32_t value)
{
    value = TSR_LITTLE32(value);
    memcpy(bytes, &value, sizeof value);
}

TSR_INLINE void tsr_lane_put64(uint8_t *bytes, uint64_t value)
{
    value = TSR_LITTLE64(value);
    memcpy(bytes, &value, sizeof value);
}

#endif
