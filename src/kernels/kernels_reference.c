// SPDX-License-Identifier: Apache-2.0
// The reference set: every mode, one datum after the other through the functions of
// tessera/numerics.h. Slow on purpose: every other set must return the same bits.
// Pages: those of kernel_types.h.
#include "base/format_codes.h"
#include "base/random.h"
#include "kernels/dot_block.h"
#include "kernels/kernel_set.h"
#include "kernels/l1_bytes.h"
#include "numerics/dst_layout.h"
#include "numerics/fpu.h"

// ---------------------------------------------------------------- unpack

static uint32_t unpack_one(const uint8_t *bytes, const uint8_t *exponents, size_t index,
                           const tsr_unpack_mode *mode)
{
    uint32_t datum = tsr_l1_get(bytes, index, tsr_l1_datum_bits(mode->in_format));
    uint32_t out = 0;
    (void)tsr_unpack_datum(mode, datum, exponents ? exponents[index / 16] : 0, &out);
    return out;
}

static void reference_unpack_src(uint32_t *cells, const uint8_t *bytes, const uint8_t *exponents,
                                 size_t datums, const tsr_unpack_mode *mode)
{
    for (size_t i = 0; i < datums; i++)
        cells[i] = unpack_one(bytes, exponents, i, mode);
}

static void reference_unpack_dst(uint16_t *high, uint16_t *low, const uint8_t *bytes,
                                 const uint8_t *exponents, size_t datums,
                                 const tsr_unpack_mode *mode)
{
    for (size_t i = 0; i < datums; i++) {
        uint32_t stored = unpack_one(bytes, exponents, i, mode);
        if (low) {
            high[i] = (uint16_t)(stored >> 16);
            low[i] = (uint16_t)stored;
        } else {
            high[i] = (uint16_t)stored;
        }
    }
}

// ---------------------------------------------------------------- moves

static void reference_move(uint16_t *high, uint16_t *low, const uint32_t *cells, size_t datums,
                           const tsr_move_mode *mode)
{
    for (size_t i = 0; i < datums; i++) {
        uint32_t datum = cells[i];
        if (mode->flush && (datum >> 10 & 0xffu) == 0)
            datum = 0;
        datum &= mode->mask;
        uint32_t frame = datum << 13;
        if (mode->kind == TSR_MOVE_FP16) {
            uint32_t fp16 = (datum >> 18 & 1u) << 15 | (datum & 0x7fffu);
            high[i] = tsr_dst_shuffle_fp16((uint16_t)fp16);
        } else {
            high[i] = tsr_dst_shuffle_bf16((uint16_t)(frame >> 16));
        }
        if (mode->kind == TSR_MOVE_TF32)
            low[i] = (uint16_t)frame;
    }
}

// ---------------------------------------------------------------- matrix unit

// A Dst cell in the frame of an FP32, as the FPU's functions take it, and back.
static uint32_t acc_load(const uint16_t *high, const uint16_t *low, bool e8)
{
    if (low)
        return tsr_dst_unshuffle_fp32((uint32_t)*high << 16 | *low);
    if (e8)
        return (uint32_t)tsr_dst_unshuffle_bf16(*high) << 16;
    uint32_t fp16 = tsr_dst_unshuffle_fp16(*high);
    return (fp16 & 0x8000u) << 16 | (fp16 & 0x7fffu) << 13;
}

static void acc_store(uint16_t *high, uint16_t *low, bool e8, uint32_t acc)
{
    if (low) {
        uint32_t stored = tsr_dst_shuffle_fp32(acc);
        *high = (uint16_t)(stored >> 16);
        *low = (uint16_t)stored;
    } else if (e8) {
        *high = tsr_dst_shuffle_bf16((uint16_t)(acc >> 16));
    } else {
        *high = tsr_dst_shuffle_fp16((uint16_t)((acc >> 16 & 0x8000u) | (acc >> 13 & 0x7fffu)));
    }
}

// The random bits for the next result.
static const uint32_t *draw(const tsr_element_mode *mode, uint32_t *bits)
{
    if (!mode->random)
        return NULL;
    *bits = tsr_prng_next(mode->random);
    return bits;
}

static uint32_t element_float(const tsr_element_mode *mode, uint32_t acc, uint32_t a, uint32_t b)
{
    uint32_t bits;
    const uint32_t *noise = draw(mode, &bits);
    a &= tsr_fpu_operand_mask(mode->format_a);
    b &= tsr_fpu_operand_mask(mode->format_b);
    if (mode->op == TSR_ELEMENT_MUL)
        return tsr_fpu_mul_by(&mode->fpu, acc, a, b, mode->flush_b, noise);
    b ^= mode->op == TSR_ELEMENT_SUB ? 1u << 18 : 0;
    return tsr_fpu_add_by(&mode->fpu, mode->accumulate, mode->accumulate ? acc : 0, a, b,
                          mode->flush_b, noise);
}

static uint32_t element_int8(const tsr_element_mode *mode, uint32_t acc, uint32_t a, uint32_t b)
{
    if (mode->op == TSR_ELEMENT_MUL)
        return tsr_fpu_int8_accumulate(acc, tsr_fpu_int8_mul(mode->fpu.phase, a, b, mode->flush_b));
    b ^= mode->op == TSR_ELEMENT_SUB ? 1u << 18 : 0;
    return tsr_fpu_int8_accumulate(mode->accumulate ? acc : 0,
                                   tsr_fpu_int8_add(a, b, mode->flush_b));
}

static void reference_element(uint16_t *high, uint16_t *low, const uint32_t *a, const uint32_t *b,
                              size_t datums, bool valid, const tsr_element_mode *mode)
{
    bool e8 = mode->fpu.e8;
    for (size_t i = 0; i < datums; i++) {
        uint16_t *low_cell = low ? low + i : NULL;
        uint32_t acc = valid ? acc_load(high + i, low_cell, e8) : 0;
        acc =
            mode->int8 ? element_int8(mode, acc, a[i], b[i]) : element_float(mode, acc, a[i], b[i]);
        acc_store(high + i, low_cell, e8, acc);
    }
}

static void reference_prepare(tsr_dot_block *block, const uint32_t (*a)[16],
                              const tsr_element_mode *mode)
{
    uint32_t mask = mode->int8 ? ~0u : tsr_fpu_operand_mask(mode->format_a);
    for (int k = 0; k < TSR_DOT_INNER; k++)
        for (int j = 0; j < TSR_DOT_COLUMNS; j++)
            block->datum[k][j] = a[k][j] & mask;
}

static uint32_t dot_column(const tsr_element_mode *mode, uint32_t acc, const tsr_dot_block *block,
                           int j, const uint32_t row[16])
{
    uint32_t column[TSR_DOT_INNER], bits;
    for (int k = 0; k < TSR_DOT_INNER; k++)
        column[k] = block->datum[k][j];
    if (mode->int8) {
        int32_t sum = tsr_fpu_int8_dot16(mode->fpu.phase, column, row, mode->flush_b);
        return tsr_fpu_int8_accumulate(acc, sum);
    }
    return tsr_fpu_dot16_by(&mode->fpu, acc, column, row, draw(mode, &bits));
}

static void reference_run(uint16_t *high, uint16_t *low, tsr_dot_block *block, tsr_dot_rows *kept,
                          const uint32_t (*b)[16], size_t rows, bool valid,
                          const tsr_element_mode *mode)
{
    (void)kept;
    uint32_t mask_b = mode->int8 ? ~0u : tsr_fpu_operand_mask(mode->format_b);
    for (size_t i = 0; i < rows; i++, high += TSR_DOT_COLUMNS) {
        uint32_t row[TSR_DOT_INNER];
        for (int k = 0; k < TSR_DOT_INNER; k++)
            row[k] = b[i][k] & mask_b;
        for (int j = 0; j < TSR_DOT_COLUMNS; j++) {
            uint16_t *low_cell = low ? low + i * TSR_DOT_COLUMNS + (size_t)j : NULL;
            uint32_t acc = valid ? acc_load(high + j, low_cell, mode->fpu.e8) : 0;
            acc = dot_column(mode, acc, block, j, row);
            acc_store(high + j, low_cell, mode->fpu.e8, acc);
        }
    }
}

static const tsr_dot_kernel reference_dot = {reference_prepare, reference_run};

// ---------------------------------------------------------------- pack

static uint32_t pack_one(const uint16_t *high, const uint16_t *low, size_t index,
                         const tsr_pack_mode *mode)
{
    uint32_t stored = low ? (uint32_t)high[index] << 16 | low[index] : high[index];
    uint32_t out = 0;
    (void)tsr_pack_datum(mode, stored, &out);
    return out;
}

static void reference_pack(uint8_t *bytes, const uint16_t *high, const uint16_t *low, size_t datums,
                           const tsr_pack_mode *mode)
{
    unsigned bits = tsr_l1_datum_bits(mode->out_format);
    for (size_t i = 0; i < datums; i++)
        tsr_l1_put(bytes, i, bits, pack_one(high, low, i, mode));
}

static void reference_pack_block(uint8_t *bytes, uint8_t *exponents, const uint16_t *high,
                                 const uint16_t *low, size_t blocks, const tsr_pack_mode *mode)
{
    unsigned bits = tsr_l1_datum_bits(mode->out_format);
    unsigned in_byte = 8 / bits;
    for (size_t block = 0; block < blocks; block++) {
        uint32_t patterns[16];
        uint8_t elements[16];
        for (size_t i = 0; i < 16; i++)
            patterns[i] = pack_one(high, low, 16 * block + i, mode);
        (void)tsr_pack_block(mode->out_format, patterns, exponents + block, elements);
        for (unsigned i = 0; i < 16 / in_byte; i++) {
            unsigned byte = 0;
            for (unsigned j = 0; j < in_byte; j++)
                byte |= (unsigned)elements[i * in_byte + j] << (j * bits);
            *bytes++ = (uint8_t)byte;
        }
    }
}

static void reference_accumulate(uint8_t *bytes, const uint8_t *addends, size_t datums,
                                 uint8_t format)
{
    unsigned bits = tsr_l1_datum_bits(format);
    for (size_t i = 0; i < datums; i++) {
        uint32_t sum = 0;
        (void)tsr_pack_accumulate(format, tsr_l1_get(bytes, i, bits), tsr_l1_get(addends, i, bits),
                                  &sum);
        tsr_l1_put(bytes, i, bits, sum);
    }
}

static bool reference_larger(const uint16_t *cells, size_t count, uint16_t mask, uint8_t limit)
{
    for (size_t i = 0; i < count; i++)
        if ((cells[i] & mask) > limit)
            return true;
    return false;
}

static bool reference_larger_relu(const uint16_t *cells, size_t count, uint16_t mask, uint8_t limit)
{
    for (size_t i = 0; i < count; i++)
        if (!(cells[i] & 0x8000u) && (cells[i] & mask) > limit)
            return true;
    return false;
}

static tsr_pack_larger_fn *choose_larger(bool relu)
{
    return relu ? reference_larger_relu : reference_larger;
}

// ---------------------------------------------------------------- choice

// One kernel covers all modes.
#define CHOOSE_ALWAYS(name, type, mode_type, kernel)                                               \
    static type *choose_##name(mode_type mode)                                                     \
    {                                                                                              \
        (void)mode;                                                                                \
        return kernel;                                                                             \
    }

CHOOSE_ALWAYS(unpack_src, tsr_unpack_src_fn, const tsr_unpack_mode *, reference_unpack_src)
CHOOSE_ALWAYS(unpack_dst, tsr_unpack_dst_fn, const tsr_unpack_mode *, reference_unpack_dst)
CHOOSE_ALWAYS(move, tsr_move_fn, const tsr_move_mode *, reference_move)
CHOOSE_ALWAYS(element, tsr_element_fn, const tsr_element_mode *, reference_element)
CHOOSE_ALWAYS(dot, const tsr_dot_kernel, const tsr_element_mode *, &reference_dot)
CHOOSE_ALWAYS(pack, tsr_pack_fn, const tsr_pack_mode *, reference_pack)
CHOOSE_ALWAYS(pack_block, tsr_pack_block_fn, const tsr_pack_mode *, reference_pack_block)
CHOOSE_ALWAYS(accumulate, tsr_accumulate_fn, uint8_t, reference_accumulate)

const struct tsr_unpack_kernels tsr_unpack_reference = {choose_unpack_src, choose_unpack_dst};
const struct tsr_pack_kernels tsr_pack_reference = {choose_pack, choose_pack_block,
                                                    choose_accumulate, choose_larger};
const struct tsr_matrix_kernels tsr_matrix_reference = {choose_move, choose_element, choose_dot};
