// SPDX-License-Identifier: Apache-2.0
// Loops of the unpackers' conversions to Src and Dst, and of the moves from Src to Dst. Included
// once by each vectorised set, which defines TSR_TARGET.
// Pages: UNPACR_Regular.md, MOVA2D.md, MOVB2D.md.
#include "kernels/unpack_lane.h"
#include "numerics/format_codes.h"

// ---------------------------------------------------------------- L1 to Src

// A plain format: `get` reads datum i, `convert` makes the Src cell of it.
#define UNPACK_SRC(name, get, convert)                                                             \
    static TSR_TARGET void name(uint32_t *restrict cells, const uint8_t *restrict bytes,           \
                                const uint8_t *exponents, size_t datums,                           \
                                const tsr_unpack_mode *mode)                                       \
    {                                                                                              \
        (void)exponents;                                                                           \
        (void)mode;                                                                                \
        for (size_t i = 0; i < datums; i++) {                                                      \
            uint32_t datum = get;                                                                  \
            cells[i] = convert;                                                                    \
        }                                                                                          \
    }

UNPACK_SRC(src_fp32_tf32, tsr_lane_get32(bytes + 4 * i), datum >> 13)
UNPACK_SRC(src_fp32_bf16, tsr_lane_get32(bytes + 4 * i),
           tsr_lane_cell_bf16(tsr_lane_bf16_of_fp32(datum)))
UNPACK_SRC(src_fp32_fp16, tsr_lane_get32(bytes + 4 * i),
           tsr_lane_cell_fp16(tsr_lane_fp16_of_fp32(datum)))
UNPACK_SRC(src_bf16, tsr_lane_get16(bytes + 2 * i), tsr_lane_cell_bf16(datum))
UNPACK_SRC(src_fp16, tsr_lane_get16(bytes + 2 * i), tsr_lane_cell_fp16(datum))
UNPACK_SRC(src_int16, tsr_lane_get16(bytes + 2 * i), tsr_lane_cell_raw16(datum))
UNPACK_SRC(src_int8, bytes[i], tsr_lane_cell_fp16(tsr_lane_fp16_of_int8(datum, 0x80)))
UNPACK_SRC(src_uint8, bytes[i], tsr_lane_cell_fp16(tsr_lane_fp16_of_int8(datum, 0)))

TSR_LANE TSR_TARGET void widen_block(uint8_t *widened, const uint8_t *bytes, unsigned bits)
{
    if (bits == 8) {
        memcpy(widened, bytes, 16);
    } else if (bits == 4) {
        tsr_lane_put64(widened, tsr_lane_spread4(tsr_lane_get32(bytes)));
        tsr_lane_put64(widened + 8, tsr_lane_spread4(tsr_lane_get32(bytes + 4)));
    } else {
        tsr_lane_put64(widened, tsr_lane_spread2(tsr_lane_get16(bytes)));
        tsr_lane_put64(widened + 8, tsr_lane_spread2(tsr_lane_get16(bytes + 2)));
    }
}

// At most a chunk of whole blocks, of which the last may only have a part in `cells`.
TSR_LANE TSR_TARGET void block_chunk(uint32_t *restrict cells, const uint8_t *restrict bytes,
                                     const uint8_t *restrict exponents, size_t datums,
                                     unsigned bits)
{
    uint8_t widened[16 * TSR_LANE_CHUNK];
    uint16_t shared[16 * TSR_LANE_CHUNK];
    size_t whole = datums / 16;
    for (size_t block = 0; block < whole; block++) {
        widen_block(widened + 16 * block, bytes + 2 * bits * block, bits);
    }
    if (datums % 16 != 0) {
        uint8_t part[16] = {0};
        memcpy(part, bytes + 2 * bits * whole, (datums % 16 * bits + 7) / 8);
        widen_block(widened + 16 * whole, part, bits);
    }
    for (size_t block = 0; 16 * block < datums; block++) {
        for (size_t i = 0; i < 16; i++) {
            shared[16 * block + i] = exponents[block];
        }
    }
    for (size_t i = 0; i < datums; i++) {
        cells[i] = tsr_lane_cell_bf16(tsr_lane_bf16_of_block(widened[i], shared[i]));
    }
}

TSR_LANE TSR_TARGET void block_rows(uint32_t *cells, const uint8_t *bytes,
                                    const uint8_t *exponents, size_t datums, unsigned bits)
{
    for (size_t block = 0; 16 * block < datums; block += TSR_LANE_CHUNK) {
        size_t left = datums - 16 * block;
        block_chunk(cells + 16 * block, bytes + 2 * bits * block, exponents + block,
                    left < 16 * TSR_LANE_CHUNK ? left : 16 * TSR_LANE_CHUNK, bits);
    }
}

#define UNPACK_SRC_BLOCK(name, bits)                                                               \
    static TSR_TARGET void name(uint32_t *cells, const uint8_t *bytes, const uint8_t *exponents,   \
                                size_t datums, const tsr_unpack_mode *mode)                        \
    {                                                                                              \
        (void)mode;                                                                                \
        block_rows(cells, bytes, exponents, datums, bits);                                         \
    }

UNPACK_SRC_BLOCK(src_bfp8, 8)
UNPACK_SRC_BLOCK(src_bfp4, 4)
UNPACK_SRC_BLOCK(src_bfp2, 2)

static tsr_unpack_src_fn *choose_unpack_src(const tsr_unpack_mode *mode)
{
    switch (mode->in_format << 4 | mode->out_format) {
    case TSR_FORMAT_FP32 << 4 | TSR_FORMAT_TF32:
    case TSR_FORMAT_FP32 << 4 | TSR_FORMAT_FP32: // decision 5: the top 19 bits, as TF32
        return src_fp32_tf32;
    case TSR_FORMAT_FP32 << 4 | TSR_FORMAT_BF16:
        return src_fp32_bf16;
    case TSR_FORMAT_FP32 << 4 | TSR_FORMAT_FP16:
        return src_fp32_fp16;
    case TSR_FORMAT_BF16 << 4 | TSR_FORMAT_BF16:
        return src_bf16;
    case TSR_FORMAT_FP16 << 4 | TSR_FORMAT_FP16:
        return src_fp16;
    case TSR_FORMAT_INT16 << 4 | TSR_FORMAT_INT16:
        return src_int16;
    case TSR_FORMAT_INT8 << 4 | TSR_FORMAT_INT8:
        return mode->int8_unsigned ? src_uint8 : src_int8;
    case TSR_FORMAT_BFP8 << 4 | TSR_FORMAT_BFP8:
        return src_bfp8;
    case TSR_FORMAT_BFP4 << 4 | TSR_FORMAT_BFP4:
        return src_bfp4;
    case TSR_FORMAT_BFP2 << 4 | TSR_FORMAT_BFP2:
        return src_bfp2;
    default:
        return NULL;
    }
}

// ---------------------------------------------------------------- L1 to Dst

static TSR_TARGET void dst_32(uint16_t *restrict high, uint16_t *restrict low,
                              const uint8_t *restrict bytes, const uint8_t *exponents,
                              size_t datums, const tsr_unpack_mode *mode)
{
    (void)exponents;
    (void)mode;
    for (size_t i = 0; i < datums; i++) {
        uint32_t datum = tsr_lane_get32(bytes + 4 * i);
        high[i] = tsr_dst_shuffle_bf16((uint16_t)(datum >> 16));
        low[i] = (uint16_t)datum;
    }
}

#define UNPACK_DST_16(name, convert)                                                               \
    static TSR_TARGET void name(uint16_t *restrict high, uint16_t *low,                            \
                                const uint8_t *restrict bytes, const uint8_t *exponents,           \
                                size_t datums, const tsr_unpack_mode *mode)                        \
    {                                                                                              \
        (void)low;                                                                                 \
        (void)exponents;                                                                           \
        (void)mode;                                                                                \
        for (size_t i = 0; i < datums; i++) {                                                      \
            uint16_t datum = tsr_lane_get16(bytes + 2 * i);                                        \
            high[i] = convert;                                                                     \
        }                                                                                          \
    }

UNPACK_DST_16(dst_bf16, tsr_dst_shuffle_bf16(datum))
UNPACK_DST_16(dst_fp16, tsr_dst_shuffle_fp16(datum))
UNPACK_DST_16(dst_int16, datum)

static tsr_unpack_dst_fn *choose_unpack_dst(const tsr_unpack_mode *mode)
{
    switch (mode->in_format << 4 | mode->out_format) {
    case TSR_FORMAT_FP32 << 4 | TSR_FORMAT_FP32:
    case TSR_FORMAT_FP32 << 4 | TSR_FORMAT_TF32:
    case TSR_FORMAT_TF32 << 4 | TSR_FORMAT_TF32:
    case TSR_FORMAT_INT32 << 4 | TSR_FORMAT_INT32:
        return dst_32;
    case TSR_FORMAT_BF16 << 4 | TSR_FORMAT_BF16:
        return dst_bf16;
    case TSR_FORMAT_FP16 << 4 | TSR_FORMAT_FP16:
        return dst_fp16;
    case TSR_FORMAT_INT16 << 4 | TSR_FORMAT_INT16:
        return dst_int16;
    default:
        return NULL;
    }
}

// ---------------------------------------------------------------- Src to Dst

#define MOVE_16(name, convert)                                                                     \
    static TSR_TARGET void name(uint16_t *restrict high, uint16_t *low,                            \
                                const uint32_t *restrict cells, size_t datums,                     \
                                const tsr_move_mode *mode)                                         \
    {                                                                                              \
        (void)low;                                                                                 \
        uint32_t mask = mode->mask;                                                                \
        uint32_t keep = mode->flush ? 0 : ~0u;                                                     \
        for (size_t i = 0; i < datums; i++) {                                                      \
            high[i] = convert(tsr_lane_flush(cells[i], mask, keep));                               \
        }                                                                                          \
    }

MOVE_16(move_bf16, tsr_lane_dst_bf16)
MOVE_16(move_fp16, tsr_lane_dst_fp16)

static TSR_TARGET void move_tf32(uint16_t *restrict high, uint16_t *restrict low,
                                 const uint32_t *restrict cells, size_t datums,
                                 const tsr_move_mode *mode)
{
    uint32_t mask = mode->mask;
    uint32_t keep = mode->flush ? 0 : ~0u;
    for (size_t i = 0; i < datums; i++) {
        uint32_t cell = tsr_lane_flush(cells[i], mask, keep);
        high[i] = tsr_lane_dst_bf16(cell);
        low[i] = (uint16_t)(cell << 13);
    }
}

static tsr_move_fn *choose_move(const tsr_move_mode *mode)
{
    static tsr_move_fn *const moves[TSR_MOVE_KINDS] = {
        [TSR_MOVE_BF16] = move_bf16, [TSR_MOVE_FP16] = move_fp16, [TSR_MOVE_TF32] = move_tf32};
    return moves[mode->kind];
}
