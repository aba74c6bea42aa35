// SPDX-License-Identifier: Apache-2.0
// Whole arrays between L1's bytes and datums, as golden models of unpackers and packers: the same
// kernels that the units use, without a tile. FloatBitPatterns.md says what datums mean as numbers;
// a number here is the bit pattern of an IEEE binary64, made with integers. Pages:
// UNPACR_Regular.md, Packers/FormatConversion.md, FloatBitPatterns.md, SrcASrcB.md, Dst.md.
#include "base/format_codes.h"
#include "kernels/kernels.h"
#include "kernels/l1_bytes.h"
#include "numerics/dst_layout.h"

#include <string.h>

enum { CHUNK = 256, BLOCK = 16 };

static bool is_block(uint8_t format)
{
    return tsr_format_is_block_e8(format) || tsr_format_is_block_e5(format);
}

static bool is_32bit(uint8_t format)
{
    return format == TSR_FORMAT_FP32 || format == TSR_FORMAT_TF32 || format == TSR_FORMAT_INT32;
}

size_t tsr_array_bytes(uint8_t format, size_t count)
{
    unsigned bits = tsr_l1_datum_bits(format);
    return count / 8 * bits + (count % 8 * bits + 7) / 8;
}

size_t tsr_array_exponents(uint8_t format, size_t count)
{
    return is_block(format) ? count / BLOCK + (count % BLOCK != 0) : 0;
}

// ---------------------------------------------------------------- numbers

// magnitude * 2^power
static uint64_t binary64(bool negative, uint64_t magnitude, int power)
{
    uint64_t sign = (uint64_t)negative << 63;
    if (magnitude == 0)
        return sign;
    int top = 63 - __builtin_clzll(magnitude);
    uint64_t fraction = magnitude << (52 - top) & ((UINT64_C(1) << 52) - 1);
    return sign | (uint64_t)(power + top + 1023) << 52 | fraction;
}

static uint64_t from_fp32(uint32_t bits)
{
    bool negative = bits >> 31;
    uint32_t exponent = bits >> 23 & 0xff, mantissa = bits & 0x7fffff;
    if (exponent == 0xff) // infinity and NaN
        return (uint64_t)negative << 63 | UINT64_C(0x7ff) << 52 | (uint64_t)mantissa << 29;
    if (exponent == 0)
        return binary64(negative, mantissa, -149);
    return binary64(negative, 1u << 23 | mantissa, (int)exponent - 150);
}

// The largest exponent is one more binade.
static uint64_t from_fp16(uint32_t bits)
{
    uint32_t exponent = bits >> 10 & 0x1f, mantissa = bits & 0x3ff;
    if (exponent == 0)
        return binary64(bits >> 15 & 1, mantissa, -24);
    return binary64(bits >> 15 & 1, 1u << 10 | mantissa, (int)exponent - 25);
}

static uint64_t from_int16(uint32_t bits)
{
    bool negative = bits >> 15 & 1;
    return binary64(negative, negative ? 0x10000u - bits : bits, 0);
}

// A Src datum in the pattern that it came from: 16 or 32 bits, in the order of IEEE.
static uint32_t src_pattern(uint8_t format, uint32_t datum)
{
    uint32_t sign = datum >> 18 & 1;
    if (format == TSR_FORMAT_INT16)
        return sign << 15 | (datum >> 3 & 0x7f) << 8 | (datum >> 10 & 0xff);
    if (format == TSR_FORMAT_FP16 || format == TSR_FORMAT_FP8 || format == TSR_FORMAT_INT8 ||
        tsr_format_is_block_e5(format))
        return sign << 15 | (datum & 0x7fff);
    return datum << 13;
}

static uint32_t dst_pattern(uint8_t format, uint32_t datum)
{
    switch (format) {
    case TSR_FORMAT_INT16:
        return datum;
    case TSR_FORMAT_FP32:
    case TSR_FORMAT_TF32:
    case TSR_FORMAT_INT32:
        return tsr_dst_unshuffle_fp32(datum);
    case TSR_FORMAT_BF16:
    case TSR_FORMAT_BFP8:
    case TSR_FORMAT_BFP4:
    case TSR_FORMAT_BFP2:
        return (uint32_t)tsr_dst_unshuffle_bf16((uint16_t)datum) << 16;
    default:
        return tsr_dst_unshuffle_fp16((uint16_t)datum);
    }
}

static uint64_t number_of(const tsr_unpack_mode *mode, uint32_t datum)
{
    uint8_t format = mode->out_format;
    uint32_t bits = mode->to_dst ? dst_pattern(format, datum) : src_pattern(format, datum);
    switch (format) {
    case TSR_FORMAT_INT8: // its exponent is a filler
        return binary64(bits >> 15 & 1, bits & 0x3ff, 0);
    case TSR_FORMAT_INT16:
        return from_int16(bits);
    case TSR_FORMAT_INT32:
        return binary64(bits >> 31, bits & 0x7fffffff, 0);
    case TSR_FORMAT_FP16:
    case TSR_FORMAT_FP8:
    case TSR_FORMAT_BFP8A:
    case TSR_FORMAT_BFP4A:
    case TSR_FORMAT_BFP2A:
        return from_fp16(bits);
    default:
        return from_fp32(bits);
    }
}

static void put_numbers(uint8_t *numbers, const uint32_t *datums, size_t count,
                        const tsr_unpack_mode *mode)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t number = number_of(mode, datums[i]);
        memcpy(numbers + 8 * i, &number, 8);
    }
}

tsr_status tsr_datum_numbers(const tsr_unpack_mode *mode, const uint32_t *datums, size_t count,
                             void *numbers)
{
    if (!mode || mode->out_format > 15 || (count && (!datums || !numbers)))
        return TSR_BAD_ARGUMENT;
    put_numbers(numbers, datums, count, mode);
    return TSR_OK;
}

// ---------------------------------------------------------------- unpack

struct unpack_kernels {
    tsr_unpack_src_fn *src;
    tsr_unpack_dst_fn *dst;
};

static void unpack_chunk(const struct unpack_kernels *kernels, const tsr_unpack_mode *mode,
                         const uint8_t *bytes, const uint8_t *exponents, size_t count,
                         uint32_t *datums)
{
    uint16_t high[CHUNK], low[CHUNK];
    if (!mode->to_dst) {
        kernels->src(datums, bytes, exponents, count, mode);
        return;
    }
    bool wide = is_32bit(mode->out_format);
    kernels->dst(high, wide ? low : NULL, bytes, exponents, count, mode);
    for (size_t i = 0; i < count; i++)
        datums[i] = wide ? (uint32_t)high[i] << 16 | low[i] : high[i];
}

tsr_status tsr_unpack_array(const tsr_unpack_mode *mode, const void *bytes,
                            const uint8_t *exponents, size_t count, uint32_t *datums, void *numbers)
{
    if (!mode || (count && (!bytes || (!datums && !numbers))) || mode->in_format > 15 ||
        mode->out_format > 15 || (count && is_block(mode->in_format) && !exponents))
        return TSR_BAD_ARGUMENT;
    const struct tsr_kernels *set = tsr_kernels_select(NULL);
    struct unpack_kernels kernels = {NULL, NULL};
    if (mode->to_dst)
        kernels.dst = tsr_kernels_unpack_dst(set, mode);
    else
        kernels.src = tsr_kernels_unpack_src(set, mode);
    if (!kernels.src && !kernels.dst)
        return TSR_BAD_ARGUMENT;
    const uint8_t *from = bytes;
    for (size_t done = 0; done < count; done += CHUNK) {
        uint32_t chunk[CHUNK];
        size_t part = count - done < CHUNK ? count - done : CHUNK;
        uint32_t *to = datums ? datums + done : chunk;
        unpack_chunk(&kernels, mode, from + tsr_array_bytes(mode->in_format, done),
                     is_block(mode->in_format) ? exponents + done / BLOCK : NULL, part, to);
        if (numbers)
            put_numbers((uint8_t *)numbers + 8 * done, to, part, mode);
    }
    return TSR_OK;
}

// ---------------------------------------------------------------- pack

struct pack_kernels {
    tsr_pack_fn *datums;
    tsr_pack_block_fn *blocks;
};

// The last block may be begun only: what is missing in it is zero, and its bytes are not stored.
static void pack_blocks(const struct pack_kernels *kernels, const tsr_pack_mode *mode,
                        const uint16_t *high, const uint16_t *low, size_t count, uint8_t *bytes,
                        uint8_t *exponents)
{
    uint8_t all[CHUNK];
    size_t blocks = (count + BLOCK - 1) / BLOCK;
    kernels->blocks(all, exponents, high, low, blocks, mode);
    memcpy(bytes, all, tsr_array_bytes(mode->out_format, count));
}

tsr_status tsr_pack_array(const tsr_pack_mode *mode, const uint32_t *datums, size_t count,
                          void *bytes, uint8_t *exponents)
{
    if (!mode || (count && (!bytes || !datums)) || mode->in_format > 15 || mode->out_format > 15 ||
        (count && is_block(mode->out_format) && !exponents))
        return TSR_BAD_ARGUMENT;
    const struct tsr_kernels *set = tsr_kernels_select(NULL);
    struct pack_kernels kernels = {NULL, NULL};
    if (is_block(mode->out_format))
        kernels.blocks = tsr_kernels_pack_block(set, mode);
    else
        kernels.datums = tsr_kernels_pack(set, mode);
    if (!kernels.datums && !kernels.blocks)
        return TSR_BAD_ARGUMENT;
    uint8_t *to = bytes;
    for (size_t done = 0; done < count; done += CHUNK) {
        uint16_t high[CHUNK] = {0}, low[CHUNK] = {0};
        size_t part = count - done < CHUNK ? count - done : CHUNK;
        for (size_t i = 0; i < part; i++) {
            high[i] = (uint16_t)(mode->read_32b ? datums[done + i] >> 16 : datums[done + i]);
            low[i] = (uint16_t)datums[done + i];
        }
        const uint16_t *below = mode->read_32b ? low : NULL;
        uint8_t *place = to + tsr_array_bytes(mode->out_format, done);
        if (kernels.blocks)
            pack_blocks(&kernels, mode, high, below, part, place, exponents + done / BLOCK);
        else
            kernels.datums(place, high, below, part, mode);
    }
    return TSR_OK;
}
