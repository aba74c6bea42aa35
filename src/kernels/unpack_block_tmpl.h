// SPDX-License-Identifier: Apache-2.0
// Loops that unpack block formats with eight exponent bits, in lanes of 16 bits, for Src and for
// Dst. Included by unpack_portable.c, which defines TSR_TARGET. Must equal tsr_block_to_bf16() of
// numerics/block_float.c. Pages: UNPACR_Regular.md, FloatBitPatterns.md.
#ifndef TESSERA_KERNELS_UNPACK_BLOCK_TMPL_H
#define TESSERA_KERNELS_UNPACK_BLOCK_TMPL_H

#include "kernels/unpack_lane.h"

TSR_INLINE TSR_TARGET void widen_block(uint8_t *widened, const uint8_t *bytes, unsigned bits)
{
    if (bits == 8) {
        memcpy(widened, bytes, 16);
    } else if (bits == 4) {
        tsr_lane_put64(widened, tsr_lane_widen4(tsr_lane_get32(bytes)));
        tsr_lane_put64(widened + 8, tsr_lane_widen4(tsr_lane_get32(bytes + 4)));
    } else {
        tsr_lane_put64(widened, tsr_lane_widen2(tsr_lane_get16(bytes)));
        tsr_lane_put64(widened + 8, tsr_lane_widen2(tsr_lane_get16(bytes + 2)));
    }
}

// At most a chunk of whole blocks, of which the last may only have a part in `bf16`.
TSR_INLINE TSR_TARGET void block_chunk(uint16_t *restrict bf16, const uint8_t *restrict bytes,
                                       const uint8_t *restrict exponents, size_t datums,
                                       unsigned bits)
{
    uint8_t widened[16 * TSR_LANE_CHUNK];
    uint16_t shared[16 * TSR_LANE_CHUNK];
    size_t whole = datums / 16;
    for (size_t block = 0; block < whole; block++)
        widen_block(widened + 16 * block, bytes + 2 * bits * block, bits);
    if (datums % 16 != 0) {
        uint8_t part[16] = {0};
        memcpy(part, bytes + 2 * bits * whole, (datums % 16 * bits + 7) / 8);
        widen_block(widened + 16 * whole, part, bits);
    }
    for (size_t block = 0; 16 * block < datums; block++)
        for (size_t i = 0; i < 16; i++)
            shared[16 * block + i] = exponents[block];
    for (size_t i = 0; i < datums; i++)
        bf16[i] = tsr_lane_bf16_of_block(widened[i], shared[i]);
}

#define BLOCK_CHUNKS(name, cell, convert)                                                          \
    TSR_INLINE TSR_TARGET void name(cell *restrict out, const uint8_t *bytes,                      \
                                    const uint8_t *exponents, size_t datums, unsigned bits)        \
    {                                                                                              \
        uint16_t bf16[16 * TSR_LANE_CHUNK];                                                        \
        while (datums > 0) {                                                                       \
            size_t some = datums < 16 * TSR_LANE_CHUNK ? datums : 16 * TSR_LANE_CHUNK;             \
            block_chunk(bf16, bytes, exponents, some, bits);                                       \
            for (size_t i = 0; i < some; i++)                                                      \
                out[i] = convert(bf16[i]);                                                         \
            out += some;                                                                           \
            bytes += some * bits / 8;                                                              \
            exponents += TSR_LANE_CHUNK;                                                           \
            datums -= some;                                                                        \
        }                                                                                          \
    }

BLOCK_CHUNKS(block_cells, uint32_t, tsr_lane_cell_bf16)
BLOCK_CHUNKS(block_stored, uint16_t, tsr_dst_shuffle_bf16)

#define UNPACK_BLOCK(format, bits)                                                                 \
    static TSR_TARGET void src_##format(uint32_t *cells, const uint8_t *bytes,                     \
                                        const uint8_t *exponents, size_t datums,                   \
                                        const tsr_unpack_mode *mode)                               \
    {                                                                                              \
        (void)mode;                                                                                \
        block_cells(cells, bytes, exponents, datums, bits);                                        \
    }                                                                                              \
    static TSR_TARGET void dst_##format(uint16_t *high, uint16_t *low, const uint8_t *bytes,       \
                                        const uint8_t *exponents, size_t datums,                   \
                                        const tsr_unpack_mode *mode)                               \
    {                                                                                              \
        (void)low;                                                                                 \
        (void)mode;                                                                                \
        block_stored(high, bytes, exponents, datums, bits);                                        \
    }

UNPACK_BLOCK(bfp8, 8)
UNPACK_BLOCK(bfp4, 4)
UNPACK_BLOCK(bfp2, 2)

#endif
