// SPDX-License-Identifier: Apache-2.0
// Loops of the packers' conversions from Dst to L1, and the choice among them. pack_SET.c of each
// vectorised set defines TSR_TARGET and includes this. Must equal tsr_pack_datum() and
// tsr_pack_block() of numerics/. Modes with Read_raw or Round_10b_mant are left to the reference
// set. Pages: Packers/FormatConversion.md, Packers/ReLU.md.
#include "base/format_codes.h"
#include "kernels/pack_lane.h"
#include "kernels/unpack_lane.h"

// ---------------------------------------------------------------- non-block formats

// From a 16-bit Dst: `early` makes a 16-bit pattern, `put` stores it after ReLU. A row is short, so
// a ReLU that is off would take most of a call: each conversion has a loop without it.
#define PACK_16(name, early, put)                                                                  \
    static TSR_TARGET void name(uint8_t *restrict bytes, const uint16_t *restrict high,            \
                                const uint16_t *low, size_t datums, const tsr_pack_mode *mode)     \
    {                                                                                              \
        (void)low;                                                                                 \
        (void)mode;                                                                                \
        for (size_t i = 0; i < datums; i++) {                                                      \
            uint16_t value = early;                                                                \
            put;                                                                                   \
        }                                                                                          \
    }                                                                                              \
    static TSR_TARGET void name##_relu(uint8_t *restrict bytes, const uint16_t *restrict high,     \
                                       const uint16_t *low, size_t datums,                         \
                                       const tsr_pack_mode *mode)                                  \
    {                                                                                              \
        (void)low;                                                                                 \
        tsr_lane_relu16 relu = tsr_lane_relu16_of(mode);                                           \
        for (size_t i = 0; i < datums; i++) {                                                      \
            uint16_t value = tsr_lane_relu16_apply(relu, early);                                   \
            put;                                                                                   \
        }                                                                                          \
    }

PACK_16(pack_bf16_bf16, tsr_lane_clean_stored_bf16(high[i]), tsr_lane_put16(bytes + 2 * i, value))
PACK_16(pack_bf16_fp32, tsr_lane_clean_stored_bf16(high[i]),
        tsr_lane_put32(bytes + 4 * i, (uint32_t)value << 16))
PACK_16(pack_e8m6_bf16, tsr_lane_round_e8m6(tsr_dst_unshuffle_bf16(high[i])),
        tsr_lane_put16(bytes + 2 * i, value))
PACK_16(pack_e8m6_fp32, tsr_lane_round_e8m6(tsr_dst_unshuffle_bf16(high[i])),
        tsr_lane_put32(bytes + 4 * i, (uint32_t)value << 16))
PACK_16(pack_fp16_fp16, tsr_lane_clean_fp16(tsr_dst_unshuffle_fp16(high[i])),
        tsr_lane_put16(bytes + 2 * i, value))
PACK_16(pack_fp16_fp32, tsr_lane_clean_fp16(tsr_dst_unshuffle_fp16(high[i])),
        tsr_lane_put32(bytes + 4 * i, tsr_lane_widen_fp16(value)))
PACK_16(pack_fp16_bf16, tsr_lane_clean_fp16(tsr_dst_unshuffle_fp16(high[i])),
        tsr_lane_put16(bytes + 2 * i, tsr_lane_cut_bf16(tsr_lane_widen_fp16(value))))
PACK_16(pack_fp16_fp8, tsr_lane_clean_fp16(tsr_dst_unshuffle_fp16(high[i])),
        bytes[i] = tsr_lane_fp8_of_fp16(value))
PACK_16(pack_fp16_e4m3, tsr_lane_clean_fp16(tsr_dst_unshuffle_fp16(high[i])),
        bytes[i] = tsr_lane_e4m3_of_fp16(value))

// Opaque: neither direction of the shuffle, and ReLU is the reference's.
static TSR_TARGET void pack_int16(uint8_t *restrict bytes, const uint16_t *restrict high,
                                  const uint16_t *low, size_t datums, const tsr_pack_mode *mode)
{
    (void)low;
    (void)mode;
    for (size_t i = 0; i < datums; i++)
        tsr_lane_put16(bytes + 2 * i, high[i]);
}

TSR_INLINE uint32_t join32(uint16_t high, uint16_t low)
{
    return (uint32_t)tsr_dst_unshuffle_bf16(high) << 16 | low;
}

// From a 32-bit Dst: `early` makes a pattern in the frame of an FP32 of `datum`.
#define PACK_32(name, early, put)                                                                  \
    static TSR_TARGET void name(uint8_t *restrict bytes, const uint16_t *restrict high,            \
                                const uint16_t *restrict low, size_t datums,                       \
                                const tsr_pack_mode *mode)                                         \
    {                                                                                              \
        (void)mode;                                                                                \
        for (size_t i = 0; i < datums; i++) {                                                      \
            uint32_t datum = join32(high[i], low[i]);                                              \
            uint32_t value = early;                                                                \
            put;                                                                                   \
        }                                                                                          \
    }                                                                                              \
    static TSR_TARGET void name##_relu(uint8_t *restrict bytes, const uint16_t *restrict high,     \
                                       const uint16_t *restrict low, size_t datums,                \
                                       const tsr_pack_mode *mode)                                  \
    {                                                                                              \
        tsr_lane_relu32 relu = tsr_lane_relu32_of(mode);                                           \
        for (size_t i = 0; i < datums; i++) {                                                      \
            uint32_t datum = join32(high[i], low[i]);                                              \
            uint32_t value = tsr_lane_relu32_apply(relu, early);                                   \
            put;                                                                                   \
        }                                                                                          \
    }

PACK_32(pack_32, datum, tsr_lane_put32(bytes + 4 * i, value))
PACK_32(pack_fp32_fp16, datum,
        tsr_lane_put16(bytes + 2 * i, (uint16_t)tsr_lane_fp16_of_fp32(value)))
PACK_32(pack_fp32_bf16, datum, tsr_lane_put16(bytes + 2 * i, tsr_lane_cut_bf16(value)))
PACK_32(pack_rounded_bf16, (uint32_t)tsr_lane_round_bf16(datum) << 16,
        tsr_lane_put16(bytes + 2 * i, (uint16_t)(value >> 16)))
PACK_32(pack_rounded_fp32, (uint32_t)tsr_lane_round_bf16(datum) << 16,
        tsr_lane_put32(bytes + 4 * i, value))

// Integers can have ReLU zero only, and the reference set has it.
#define PACK_INT8(name, convert)                                                                   \
    static TSR_TARGET void name(uint8_t *restrict bytes, const uint16_t *restrict high,            \
                                const uint16_t *restrict low, size_t datums,                       \
                                const tsr_pack_mode *mode)                                         \
    {                                                                                              \
        (void)mode;                                                                                \
        for (size_t i = 0; i < datums; i++)                                                        \
            bytes[i] = (uint8_t)convert(join32(high[i], low[i]));                                  \
    }

PACK_INT8(pack_int8, tsr_lane_int8_of_int32)
PACK_INT8(pack_uint8, tsr_lane_uint8_of_int32)

static tsr_pack_fn *choose_pack_16(const tsr_pack_mode *mode)
{
    bool relu = (mode->relu_mode & 3u) != 0;
    switch (mode->in_format << 4 | mode->out_format) {
    case TSR_FORMAT_BF16 << 4 | TSR_FORMAT_BF16:
        return relu ? pack_bf16_bf16_relu : pack_bf16_bf16;
    case TSR_FORMAT_BF16 << 4 | TSR_FORMAT_FP32:
        return relu ? pack_bf16_fp32_relu : pack_bf16_fp32;
    case TSR_FORMAT_BFP8 << 4 | TSR_FORMAT_BF16:
        return relu ? pack_e8m6_bf16_relu : pack_e8m6_bf16;
    case TSR_FORMAT_BFP8 << 4 | TSR_FORMAT_FP32:
        return relu ? pack_e8m6_fp32_relu : pack_e8m6_fp32;
    case TSR_FORMAT_FP16 << 4 | TSR_FORMAT_FP16:
        return relu ? pack_fp16_fp16_relu : pack_fp16_fp16;
    case TSR_FORMAT_FP16 << 4 | TSR_FORMAT_FP32:
        return relu ? pack_fp16_fp32_relu : pack_fp16_fp32;
    case TSR_FORMAT_FP16 << 4 | TSR_FORMAT_BF16:
        return relu ? pack_fp16_bf16_relu : pack_fp16_bf16;
    case TSR_FORMAT_FP16 << 4 | TSR_FORMAT_FP8:
        if (mode->arch == TSR_BLACKHOLE_A0 && mode->lf8_4b_exp)
            return relu ? pack_fp16_e4m3_relu : pack_fp16_e4m3;
        return relu ? pack_fp16_fp8_relu : pack_fp16_fp8;
    case TSR_FORMAT_INT16 << 4 | TSR_FORMAT_INT16:
        return relu ? NULL : pack_int16;
    default:
        return NULL;
    }
}

static tsr_pack_fn *choose_pack_32(const tsr_pack_mode *mode)
{
    bool relu = (mode->relu_mode & 3u) != 0;
    switch (mode->in_format << 4 | mode->out_format) {
    case TSR_FORMAT_FP32 << 4 | TSR_FORMAT_FP32:
    case TSR_FORMAT_INT32 << 4 | TSR_FORMAT_INT32:
        return relu ? pack_32_relu : pack_32;
    case TSR_FORMAT_FP32 << 4 | TSR_FORMAT_FP16:
        return relu ? pack_fp32_fp16_relu : pack_fp32_fp16;
    case TSR_FORMAT_FP32 << 4 | TSR_FORMAT_BF16:
        return relu ? pack_fp32_bf16_relu : pack_fp32_bf16;
    case TSR_FORMAT_BF16 << 4 | TSR_FORMAT_BF16:
        return relu ? pack_rounded_bf16_relu : pack_rounded_bf16;
    case TSR_FORMAT_BF16 << 4 | TSR_FORMAT_FP32:
        return relu ? pack_rounded_fp32_relu : pack_rounded_fp32;
    case TSR_FORMAT_INT16 << 4 | TSR_FORMAT_INT16:
        return relu ? NULL : pack_int16;
    case TSR_FORMAT_INT8 << 4 | TSR_FORMAT_INT8:
        if (relu || (mode->int8_shift & 31u) != 0)
            return NULL;
        return mode->read_unsigned ? pack_uint8 : pack_int8;
    default:
        return NULL;
    }
}

static tsr_pack_fn *choose_pack(const tsr_pack_mode *mode)
{
    if (mode->read_raw || mode->round_10b)
        return NULL;
    return mode->read_32b ? choose_pack_32(mode) : choose_pack_16(mode);
}

// ---------------------------------------------------------------- exponents

// The limit less the field is negative where the field is larger. In columns, which a compiler
// keeps in vectors, and without an early exit.
TSR_INLINE TSR_TARGET bool any_larger(const uint16_t *cells, size_t count, uint16_t mask,
                                      uint8_t limit, bool relu)
{
    enum { COLUMNS = 32 };
    uint16_t left[COLUMNS] = {0}, all = 0;
    size_t first = count % COLUMNS;
    for (size_t i = 0; i < first; i++) {
        uint16_t cell = relu && cells[i] >> 15 ? 0 : cells[i];
        all |= (uint16_t)(limit - (cell & mask));
    }
    for (size_t at = first; at < count; at += COLUMNS)
        for (size_t i = 0; i < COLUMNS; i++) {
            uint16_t cell = cells[at + i];
            uint16_t negative = relu ? (uint16_t)((int16_t)cell >> 15) : 0;
            left[i] |= (uint16_t)(limit - (cell & mask & ~negative));
        }
    for (size_t i = 0; i < COLUMNS; i++)
        all |= left[i];
    return all >> 15;
}

static TSR_TARGET bool larger(const uint16_t *cells, size_t count, uint16_t mask, uint8_t limit)
{
    return any_larger(cells, count, mask, limit, false);
}

static TSR_TARGET bool larger_relu(const uint16_t *cells, size_t count, uint16_t mask,
                                   uint8_t limit)
{
    return any_larger(cells, count, mask, limit, true);
}

static tsr_pack_larger_fn *choose_larger(bool relu)
{
    return relu ? larger_relu : larger;
}

// ---------------------------------------------------------------- block formats

TSR_INLINE TSR_TARGET int16_t largest_exponent(const uint16_t *patterns)
{
    int16_t largest = 0;
    for (int i = 0; i < 16; i++) {
        int16_t exponent = (int16_t)(patterns[i] & 0x7f80);
        largest = exponent > largest ? exponent : largest;
    }
    return largest >> 7;
}

// Sixteen elements, one a byte, to `bits` bits each.
TSR_INLINE TSR_TARGET void narrow_block(uint8_t *bytes, const uint8_t *elements, unsigned bits)
{
    if (bits == 8) {
        memcpy(bytes, elements, 16);
    } else if (bits == 4) {
        tsr_lane_put32(bytes, tsr_lane_narrow4(tsr_lane_get64(elements)));
        tsr_lane_put32(bytes + 4, tsr_lane_narrow4(tsr_lane_get64(elements + 8)));
    } else {
        tsr_lane_put16(bytes, tsr_lane_narrow2(tsr_lane_get64(elements)));
        tsr_lane_put16(bytes + 2, tsr_lane_narrow2(tsr_lane_get64(elements + 8)));
    }
}

// At most a chunk of blocks of BF16 patterns to elements of `bits` bits each.
TSR_INLINE TSR_TARGET void assemble(uint8_t *restrict bytes, uint8_t *restrict exponents,
                                    const uint16_t *restrict patterns, size_t blocks, unsigned bits)
{
    int16_t shared[16 * TSR_LANE_CHUNK];
    uint8_t elements[16 * TSR_LANE_CHUNK];
    for (size_t block = 0; block < blocks; block++) {
        int16_t largest = largest_exponent(patterns + 16 * block);
        exponents[block] = (uint8_t)largest;
        for (size_t i = 0; i < 16; i++)
            shared[16 * block + i] = largest;
    }
    for (size_t i = 0; i < 16 * blocks; i++) {
        uint16_t element = tsr_lane_block_element(patterns[i], shared[i]);
        uint16_t magnitude = (uint16_t)((element & 0x7f) >> (8 - bits));
        uint16_t some = (uint16_t)((int16_t)-magnitude >> 15);
        uint16_t sign = (uint16_t)(element >> 7 << (bits - 1));
        elements[i] = (uint8_t)((sign & some) | magnitude);
    }
    for (size_t block = 0; block < blocks; block++)
        narrow_block(bytes + 2 * bits * block, elements + 16 * block, bits);
}

// One function for each width, which all sources share: the largest of this folder to compile.
typedef void assemble_fn(uint8_t *bytes, uint8_t *exponents, const uint16_t *patterns,
                         size_t blocks);

#define ASSEMBLE(bits)                                                                             \
    static TSR_TARGET void assemble_##bits(uint8_t *bytes, uint8_t *exponents,                     \
                                           const uint16_t *patterns, size_t blocks)                \
    {                                                                                              \
        assemble(bytes, exponents, patterns, blocks, bits);                                        \
    }

ASSEMBLE(8)
ASSEMBLE(4)
ASSEMBLE(2)

enum block_source {
    BLOCK_FROM_BF16,
    BLOCK_FROM_E8M6,
    BLOCK_FROM_FP32,
    BLOCK_FROM_FP32_E8M6,
    BLOCK_FROM_FP32_ROUNDED, // In_data_format BF16 from a 32-bit Dst
    BLOCK_FROM_FP16,         // to blocks of five-bit exponents
    BLOCK_SOURCES
};

TSR_INLINE TSR_TARGET void block_patterns(uint16_t *restrict patterns,
                                          const uint16_t *restrict high,
                                          const uint16_t *restrict low, size_t datums,
                                          const tsr_pack_mode *mode, enum block_source source)
{
    tsr_lane_relu16 relu = tsr_lane_relu16_of(mode);
    tsr_lane_relu32 relu32 = tsr_lane_relu32_of(mode);
    for (size_t i = 0; i < datums; i++) {
        uint16_t value = tsr_dst_unshuffle_bf16(high[i]);
        switch (source) {
        case BLOCK_FROM_BF16:
            patterns[i] = tsr_lane_relu16_apply(relu, tsr_lane_clean_stored_bf16(high[i]));
            break;
        case BLOCK_FROM_E8M6:
            patterns[i] = tsr_lane_relu16_apply(relu, tsr_lane_round_e8m6(value));
            break;
        case BLOCK_FROM_FP16:
            patterns[i] = tsr_lane_e5m7_as_bf16(
                tsr_lane_relu16_apply(relu, tsr_lane_clean_fp16(tsr_dst_unshuffle_fp16(high[i]))));
            break;
        case BLOCK_FROM_FP32_E8M6: // low halves are not read
            patterns[i] = tsr_lane_relu16_apply(relu, tsr_lane_cut_e8m6(value));
            break;
        case BLOCK_FROM_FP32:
            patterns[i] =
                tsr_lane_cut_bf16(tsr_lane_relu32_apply(relu32, (uint32_t)value << 16 | low[i]));
            break;
        default: {
            uint32_t joined = (uint32_t)value << 16 | low[i];
            patterns[i] = tsr_lane_relu16_apply(relu, tsr_lane_round_bf16(joined));
        }
        }
    }
}

TSR_INLINE TSR_TARGET void pack_blocks(uint8_t *bytes, uint8_t *exponents, const uint16_t *high,
                                       const uint16_t *low, size_t blocks,
                                       const tsr_pack_mode *mode, enum block_source source,
                                       unsigned bits, assemble_fn *assemble_blocks)
{
    uint16_t patterns[16 * TSR_LANE_CHUNK];
    for (size_t done = 0; done < blocks; done += TSR_LANE_CHUNK) {
        size_t chunk = blocks - done < TSR_LANE_CHUNK ? blocks - done : TSR_LANE_CHUNK;
        block_patterns(patterns, high + 16 * done, low ? low + 16 * done : NULL, 16 * chunk, mode,
                       source);
        assemble_blocks(bytes + 2 * bits * done, exponents + done, patterns, chunk);
    }
}

#define PACK_BLOCK(name, source, bits)                                                             \
    static TSR_TARGET void name(uint8_t *bytes, uint8_t *exponents, const uint16_t *high,          \
                                const uint16_t *low, size_t blocks, const tsr_pack_mode *mode)     \
    {                                                                                              \
        pack_blocks(bytes, exponents, high, low, blocks, mode, source, bits, assemble_##bits);     \
    }

PACK_BLOCK(block_bf16_8, BLOCK_FROM_BF16, 8)
PACK_BLOCK(block_bf16_4, BLOCK_FROM_BF16, 4)
PACK_BLOCK(block_bf16_2, BLOCK_FROM_BF16, 2)
PACK_BLOCK(block_e8m6_8, BLOCK_FROM_E8M6, 8)
PACK_BLOCK(block_e8m6_4, BLOCK_FROM_E8M6, 4)
PACK_BLOCK(block_e8m6_2, BLOCK_FROM_E8M6, 2)
PACK_BLOCK(block_fp32_8, BLOCK_FROM_FP32, 8)
PACK_BLOCK(block_fp32_4, BLOCK_FROM_FP32, 4)
PACK_BLOCK(block_fp32_2, BLOCK_FROM_FP32, 2)
PACK_BLOCK(block_cut_e8m6_8, BLOCK_FROM_FP32_E8M6, 8)
PACK_BLOCK(block_cut_e8m6_4, BLOCK_FROM_FP32_E8M6, 4)
PACK_BLOCK(block_cut_e8m6_2, BLOCK_FROM_FP32_E8M6, 2)
PACK_BLOCK(block_rounded_8, BLOCK_FROM_FP32_ROUNDED, 8)
PACK_BLOCK(block_rounded_4, BLOCK_FROM_FP32_ROUNDED, 4)
PACK_BLOCK(block_rounded_2, BLOCK_FROM_FP32_ROUNDED, 2)
PACK_BLOCK(block_fp16_8, BLOCK_FROM_FP16, 8)
PACK_BLOCK(block_fp16_4, BLOCK_FROM_FP16, 4)
PACK_BLOCK(block_fp16_2, BLOCK_FROM_FP16, 2)

static tsr_pack_block_fn *choose_pack_block(const tsr_pack_mode *mode)
{
    static tsr_pack_block_fn *const fns[BLOCK_SOURCES][3] = {
        [BLOCK_FROM_BF16] = {block_bf16_8, block_bf16_4, block_bf16_2},
        [BLOCK_FROM_E8M6] = {block_e8m6_8, block_e8m6_4, block_e8m6_2},
        [BLOCK_FROM_FP32] = {block_fp32_8, block_fp32_4, block_fp32_2},
        [BLOCK_FROM_FP32_E8M6] = {block_cut_e8m6_8, block_cut_e8m6_4, block_cut_e8m6_2},
        [BLOCK_FROM_FP32_ROUNDED] = {block_rounded_8, block_rounded_4, block_rounded_2},
        [BLOCK_FROM_FP16] = {block_fp16_8, block_fp16_4, block_fp16_2},
    };
    bool e5 = tsr_format_is_block_e5(mode->out_format);
    if (mode->read_raw || mode->round_10b || e5 != (mode->in_format == TSR_FORMAT_FP16))
        return NULL;
    enum block_source source;
    switch (mode->in_format) {
    case TSR_FORMAT_FP32:
        if (!mode->read_32b)
            return NULL;
        source = BLOCK_FROM_FP32;
        break;
    case TSR_FORMAT_BF16:
        source = mode->read_32b ? BLOCK_FROM_FP32_ROUNDED : BLOCK_FROM_BF16;
        break;
    case TSR_FORMAT_BFP8:
        source = mode->read_32b ? BLOCK_FROM_FP32_E8M6 : BLOCK_FROM_E8M6;
        break;
    case TSR_FORMAT_FP16:
        if (mode->read_32b)
            return NULL;
        source = BLOCK_FROM_FP16;
        break;
    default:
        return NULL;
    }
    return fns[source][tsr_format_block_shift(mode->out_format) / 3]; // 0, 4, 6
}
