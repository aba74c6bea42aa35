// SPDX-License-Identifier: Apache-2.0
// Puts a compressed tile into L1, as a packer would: row starts, exponents, and groups of 32 datums
// with the counts of the zeroes that were dropped after each.
// Page: Packers/Compression.md; which zeroes are dropped: decision 11.
#ifndef TESTS_ORACLE_COMPRESSOR_H
#define TESTS_ORACLE_COMPRESSOR_H

#include <stdint.h>

struct compressor_tile {
    unsigned bits; // of a datum in L1: 4, 8, 16 or 32. The page has no 2; groups then are 24 bytes
    uint32_t rows;
    const uint16_t *row_length; // datums of each row
    const uint32_t *datum;      // of all rows, contiguous; 0 may be dropped
    // Bytes between the row starts and the datums; 0 for formats without exponents.
    uint32_t exponent_section;
    const uint8_t *exponent; // one for sixteen datums that were kept
};

struct compressor_result {
    uint32_t kept;                               // datums
    uint32_t row_starts, exponents, datums, end; // addresses
};

// Writes from `address` on; `size` is L1's. All zero if it does not fit there, or if there are more
// datums than a row start can count.
struct compressor_result compressor_write(uint8_t *l1, uint32_t size, uint32_t address,
                                          const struct compressor_tile *tile);

#endif
