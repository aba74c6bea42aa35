// SPDX-License-Identifier: Apache-2.0
// Reads and writes datums of L1: little endian, unaligned, the low bits of a byte first. For the
// reference set and arrays.c; the vectorised sets have lane.h's.
#ifndef TESSERA_KERNELS_L1_BYTES_H
#define TESSERA_KERNELS_L1_BYTES_H

#include <stddef.h>
#include <stdint.h>

static inline uint32_t tsr_l1_get16(const uint8_t *bytes)
{
    return (uint32_t)(bytes[0] | bytes[1] << 8);
}

static inline uint32_t tsr_l1_get32(const uint8_t *bytes)
{
    return tsr_l1_get16(bytes) | tsr_l1_get16(bytes + 2) << 16;
}

static inline void tsr_l1_put16(uint8_t *bytes, uint32_t value)
{
    bytes[0] = (uint8_t)value;
    bytes[1] = (uint8_t)(value >> 8);
}

static inline void tsr_l1_put32(uint8_t *bytes, uint32_t value)
{
    tsr_l1_put16(bytes, value);
    tsr_l1_put16(bytes + 2, value >> 16);
}

// Bits of a datum: 2 bits of the format code give its size class (Unpackers/README.md); of the
// smallest class the two-bit formats are the codes 11 and 15.
static inline unsigned tsr_l1_datum_bits(uint8_t format)
{
    static const uint8_t bits[4] = {32, 16, 8, 4};
    return (format & 11u) == 11u ? 2 : bits[format & 3u];
}

static inline uint32_t tsr_l1_get(const uint8_t *bytes, size_t index, unsigned bits)
{
    switch (bits) {
    case 32:
        return tsr_l1_get32(bytes + 4 * index);
    case 16:
        return tsr_l1_get16(bytes + 2 * index);
    case 8:
        return bytes[index];
    default: {
        size_t bit = index * bits;
        return (uint32_t)bytes[bit / 8] >> (bit & 7) & ((1u << bits) - 1u);
    }
    }
}

// `bits` is 8, 16 or 32.
static inline void tsr_l1_put(uint8_t *bytes, size_t index, unsigned bits, uint32_t value)
{
    switch (bits) {
    case 32:
        tsr_l1_put32(bytes + 4 * index, value);
        break;
    case 16:
        tsr_l1_put16(bytes + 2 * index, value);
        break;
    default:
        bytes[index] = (uint8_t)value;
    }
}

#endif
