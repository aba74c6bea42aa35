// SPDX-License-Identifier: Apache-2.0
// Loops of the unpackers' conversions to Src and Dst, and the choice among them. unpack_SET.c of
// each vectorised set defines TSR_TARGET, includes the block formats (unpack_block_tmpl.h or, for
// AVX2, unpack_block_avx2.h) and then this. Must equal tsr_unpack_datum() of
// numerics/unpack_convert.c. Page: UNPACR_Regular.md.
#include "base/format_codes.h"
#include "kernels/unpack_lane.h"

// ---------------------------------------------------------------- L1 to Src

// A non-block format: `get` reads datum i, `convert` makes the Src cell of it.
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
UNPACK_SRC(src_fp32_fp16, tsr_lane_get32(bytes + 4 * i), tsr_lane_cell_fp16_of_fp32(datum))
UNPACK_SRC(src_bf16, tsr_lane_get16(bytes + 2 * i), tsr_lane_cell_bf16(datum))
UNPACK_SRC(src_fp16, tsr_lane_get16(bytes + 2 * i), tsr_lane_cell_fp16(datum))
UNPACK_SRC(src_int16, tsr_lane_get16(bytes + 2 * i), tsr_lane_cell_raw16(datum))

// A format of eight bits: `convert` makes an FP16 pattern of `datum` in lanes of 16 bits, which are
// widened afterwards.
#define UNPACK_8(name, convert)                                                                    \
    TSR_INLINE TSR_TARGET void fp16_##name(uint16_t *restrict fp16, const uint8_t *restrict bytes, \
                                           size_t datums)                                          \
    {                                                                                              \
        for (size_t i = 0; i < datums; i++) {                                                      \
            uint16_t datum = bytes[i];                                                             \
            fp16[i] = convert;                                                                     \
        }                                                                                          \
    }                                                                                              \
    static TSR_TARGET void src_##name(uint32_t *restrict cells, const uint8_t *restrict bytes,     \
                                      const uint8_t *exponents, size_t datums,                     \
                                      const tsr_unpack_mode *mode)                                 \
    {                                                                                              \
        uint16_t fp16[16 * TSR_LANE_CHUNK];                                                        \
        (void)exponents;                                                                           \
        (void)mode;                                                                                \
        while (datums > 0) {                                                                       \
            size_t chunk = datums < sizeof fp16 / 2 ? datums : sizeof fp16 / 2;                    \
            fp16_##name(fp16, bytes, chunk);                                                       \
            for (size_t i = 0; i < chunk; i++)                                                     \
                cells[i] = tsr_lane_cell_fp16(fp16[i]);                                            \
            cells += chunk;                                                                        \
            bytes += chunk;                                                                        \
            datums -= chunk;                                                                       \
        }                                                                                          \
    }                                                                                              \
    static TSR_TARGET void dst_##name(uint16_t *restrict high, uint16_t *low,                      \
                                      const uint8_t *restrict bytes, const uint8_t *exponents,     \
                                      size_t datums, const tsr_unpack_mode *mode)                  \
    {                                                                                              \
        (void)low;                                                                                 \
        (void)exponents;                                                                           \
        (void)mode;                                                                                \
        fp16_##name(high, bytes, datums);                                                          \
        for (size_t i = 0; i < datums; i++)                                                        \
            high[i] = tsr_dst_shuffle_fp16(high[i]);                                               \
    }

UNPACK_8(int8, tsr_lane_fp16_of_int8(datum, 0x80))
UNPACK_8(uint8, tsr_lane_fp16_of_int8(datum, 0))
UNPACK_8(e5m2_wh, (uint16_t)(datum << 8))
UNPACK_8(e5m2_bh, tsr_lane_fp16_of_e5m2_bh(datum))
UNPACK_8(e4m3, tsr_lane_fp16_of_e4m3(datum))

// Blackhole's FP8 has two layouts, and the mantissa of its largest datums is filled with ones.
#define CHOOSE_FP8(side, mode)                                                                     \
    ((mode)->arch != TSR_BLACKHOLE_A0 ? side##_e5m2_wh                                             \
     : (mode)->lf8_4b_exp             ? side##_e4m3                                                \
                                      : side##_e5m2_bh)

// The conversions that Src and Dst have in common; `side` is src or dst.
#define CASES_OF_BOTH_SIDES(side, mode)                                                            \
    case TSR_FORMAT_FP32 << 4 | TSR_FORMAT_BF16:                                                   \
        return side##_fp32_bf16;                                                                   \
    case TSR_FORMAT_FP32 << 4 | TSR_FORMAT_FP16:                                                   \
        return side##_fp32_fp16;                                                                   \
    case TSR_FORMAT_BF16 << 4 | TSR_FORMAT_BF16:                                                   \
        return side##_bf16;                                                                        \
    case TSR_FORMAT_FP16 << 4 | TSR_FORMAT_FP16:                                                   \
        return side##_fp16;                                                                        \
    case TSR_FORMAT_INT16 << 4 | TSR_FORMAT_INT16:                                                 \
        return side##_int16;                                                                       \
    case TSR_FORMAT_INT8 << 4 | TSR_FORMAT_INT8:                                                   \
        return (mode)->int8_unsigned ? side##_uint8 : side##_int8;                                 \
    case TSR_FORMAT_FP8 << 4 | TSR_FORMAT_FP8:                                                     \
        return CHOOSE_FP8(side, mode);                                                             \
    case TSR_FORMAT_BFP8 << 4 | TSR_FORMAT_BFP8:                                                   \
        return side##_bfp8;                                                                        \
    case TSR_FORMAT_BFP4 << 4 | TSR_FORMAT_BFP4:                                                   \
        return side##_bfp4;                                                                        \
    case TSR_FORMAT_BFP2 << 4 | TSR_FORMAT_BFP2:                                                   \
        return side##_bfp2

static tsr_unpack_src_fn *choose_unpack_src(const tsr_unpack_mode *mode)
{
    switch (mode->in_format << 4 | mode->out_format) {
    case TSR_FORMAT_FP32 << 4 | TSR_FORMAT_TF32:
    case TSR_FORMAT_FP32 << 4 | TSR_FORMAT_FP32: // decision 5: the top 19 bits, as TF32
        return src_fp32_tf32;
        CASES_OF_BOTH_SIDES(src, mode);
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

#define UNPACK_DST_16(name, get, convert)                                                          \
    static TSR_TARGET void name(uint16_t *restrict high, uint16_t *low,                            \
                                const uint8_t *restrict bytes, const uint8_t *exponents,           \
                                size_t datums, const tsr_unpack_mode *mode)                        \
    {                                                                                              \
        (void)low;                                                                                 \
        (void)exponents;                                                                           \
        (void)mode;                                                                                \
        for (size_t i = 0; i < datums; i++) {                                                      \
            uint32_t datum = get;                                                                  \
            high[i] = convert;                                                                     \
        }                                                                                          \
    }

UNPACK_DST_16(dst_bf16, tsr_lane_get16(bytes + 2 * i), tsr_dst_shuffle_bf16((uint16_t)datum))
UNPACK_DST_16(dst_fp16, tsr_lane_get16(bytes + 2 * i), tsr_dst_shuffle_fp16((uint16_t)datum))
UNPACK_DST_16(dst_int16, tsr_lane_get16(bytes + 2 * i), (uint16_t)datum)
UNPACK_DST_16(dst_fp32_bf16, tsr_lane_get32(bytes + 4 * i),
              tsr_dst_shuffle_bf16((uint16_t)tsr_lane_bf16_of_fp32(datum)))
UNPACK_DST_16(dst_fp32_fp16, tsr_lane_get32(bytes + 4 * i),
              tsr_dst_shuffle_fp16((uint16_t)tsr_lane_fp16_of_fp32(datum)))

static tsr_unpack_dst_fn *choose_unpack_dst(const tsr_unpack_mode *mode)
{
    switch (mode->in_format << 4 | mode->out_format) {
    case TSR_FORMAT_FP32 << 4 | TSR_FORMAT_FP32:
    case TSR_FORMAT_FP32 << 4 | TSR_FORMAT_TF32:
    case TSR_FORMAT_TF32 << 4 | TSR_FORMAT_TF32:
    case TSR_FORMAT_INT32 << 4 | TSR_FORMAT_INT32:
        return dst_32;
        CASES_OF_BOTH_SIDES(dst, mode);
    default:
        return NULL;
    }
}
