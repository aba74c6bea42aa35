// SPDX-License-Identifier: Apache-2.0
// What the vectorised loops of this folder share. A "lane" function handles one datum without a
// branch, on types that compilers can keep in a vector; the loops are in the *_tmpl.h files, which
// each set includes once for its own instruction set.
#ifndef TESSERA_KERNELS_LANE_H
#define TESSERA_KERNELS_LANE_H

#include <stdint.h>
#include <string.h>

#define TSR_LANE static inline __attribute__((always_inline))

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define TSR_LITTLE16(x) __builtin_bswap16(x)
#define TSR_LITTLE32(x) __builtin_bswap32(x)
#else
#define TSR_LITTLE16(x) (x)
#define TSR_LITTLE32(x) (x)
#endif

// One access each instead of l1_bytes.h's byte by byte, which compilers do not vectorise.
TSR_LANE uint16_t tsr_lane_get16(const uint8_t *bytes)
{
    uint16_t value;
    memcpy(&value, bytes, sizeof value);
    return TSR_LITTLE16(value);
}

TSR_LANE uint32_t tsr_lane_get32(const uint8_t *bytes)
{
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return TSR_LITTLE32(value);
}

TSR_LANE void tsr_lane_put16(uint8_t *bytes, uint16_t value)
{
    value = TSR_LITTLE16(value);
    memcpy(bytes, &value, sizeof value);
}

TSR_LANE void tsr_lane_put32(uint8_t *bytes, uint32_t value)
{
    value = TSR_LITTLE32(value);
    memcpy(bytes, &value, sizeof value);
}

#endif
