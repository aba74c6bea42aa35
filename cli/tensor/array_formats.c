// SPDX-License-Identifier: Apache-2.0
// Conversions between NumPy's numbers and L1's datums. What L1's bits mean is said by
// FloatBitPatterns.md and Unpackers/FormatConversion.md; the roundings from an array are this
// tool's own, as an array is no part of the hardware.
#include "tensor/array_formats.h"

#include <strings.h>

static const struct array_format formats[] = {
    {"fp32", "fp32", 32, FAMILY_FLOAT, NPY_FLOAT32, 0, 0},
    {"bf16", "bf16", 16, FAMILY_FLOAT, NPY_FLOAT32, 0, 0},
    {"fp16", "fp16", 16, FAMILY_FLOAT, NPY_FLOAT16, 0, 0},
    {"bfp8", "bfp8", 8, FAMILY_BLOCK, NPY_FLOAT32, 0, 0},
    {"bfp4", "bfp4", 4, FAMILY_BLOCK, NPY_FLOAT32, 0, 0},
    {"bfp2", "bfp2", 2, FAMILY_BLOCK, NPY_FLOAT32, 0, 0},
    {"int32", "int32", 32, FAMILY_SIGN_MAGNITUDE, NPY_INT32, -INT32_MAX, INT32_MAX},
    {"int16", "int16", 16, FAMILY_TWOS, NPY_INT16, INT16_MIN, INT16_MAX},
    {"int8", "int8", 8, FAMILY_SIGN_MAGNITUDE, NPY_INT8, -INT8_MAX, INT8_MAX},
    {"uint16", "int16", 16, FAMILY_TWOS, NPY_UINT16, 0, UINT16_MAX},
    {"uint8", "int8", 8, FAMILY_TWOS, NPY_UINT8, 0, UINT8_MAX},
};

const struct array_format *array_format_find(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (strcasecmp(name, formats[i].name) == 0)
            return &formats[i];
    return NULL;
}

// value / 2^shift, ties to even; 0 for a shift beyond the value.
static uint32_t round_even(uint32_t value, unsigned shift)
{
    if (shift == 0)
        return value;
    if (shift > 31)
        return 0;
    uint32_t half = 1u << (shift - 1), kept = value >> shift, rest = value & (2 * half - 1);
    return kept + (rest > half || (rest == half && (kept & 1) != 0));
}

uint16_t bf16_from_float32(uint32_t bits)
{
    if ((bits & 0x7fffffff) > 0x7f800000) // a NaN stays one
        return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)(bits >> 31 << 15 | round_even(bits & 0x7fffffff, 16));
}

uint16_t fp16_from_float32(uint32_t bits)
{
    uint32_t sign = bits >> 31 << 15, mantissa = bits & 0x7fffff, magnitude;
    int exponent = (int)(bits >> 23 & 0xff) - 112;

    if (exponent > 31) // infinities and NaNs too: this FP16 has none
        magnitude = 0x7fff;
    else if (exponent > 0)
        magnitude = round_even((uint32_t)exponent << 23 | mantissa, 13);
    else if (exponent == -112)
        magnitude = 0;
    else
        magnitude = round_even(0x800000 | mantissa, (unsigned)(14 - exponent));
    return (uint16_t)(sign | (magnitude > 0x7fff ? 0x7fff : magnitude));
}

uint32_t float32_from_float16(uint16_t bits)
{
    uint32_t sign = (uint32_t)(bits >> 15) << 31, mantissa = bits & 0x3ff;
    uint32_t exponent = bits >> 10 & 0x1f;

    if (exponent == 31)
        return sign | 0x7f800000 | mantissa << 13;
    if (exponent != 0)
        return sign | (exponent + 112) << 23 | mantissa << 13;
    if (mantissa == 0)
        return sign;
    // A denormal is a normal float32.
    for (exponent = 113; (mantissa & 0x400) == 0; exponent--)
        mantissa <<= 1;
    return sign | exponent << 23 | (mantissa & 0x3ff) << 13;
}

uint16_t float16_from_fp16(uint16_t bits)
{
    // The top binade of Tensix FP16 (65536 to 131008) is beyond IEEE's float16: infinity.
    return (bits & 0x7c00) == 0x7c00 ? (bits & 0xfc00) : bits;
}

// ---------------------------------------------------------------- block formats

static uint8_t bfp_magnitude(int width, uint32_t bits, uint32_t shared)
{
    uint32_t exponent = bits >> 23 & 0xff, most = (1u << (width - 1)) - 1;

    if (exponent == 0) // denormals count as zero, as everywhere in Tensix
        return 0;
    uint32_t shift = (uint32_t)(25 - width) + (shared - exponent);
    if (shift > 25)
        return 0;
    uint32_t magnitude = ((0x800000 | (bits & 0x7fffff)) + (1u << (shift - 1))) >> shift;
    return (uint8_t)(magnitude > most ? most : magnitude);
}

void bfp_encode(int width, const uint32_t in[16], uint8_t *exponent, uint8_t out[16])
{
    uint32_t shared = 0;

    for (int i = 0; i < 16; i++)
        if ((in[i] >> 23 & 0xff) > shared)
            shared = in[i] >> 23 & 0xff;
    *exponent = (uint8_t)shared;
    for (int i = 0; i < 16; i++) {
        out[i] = bfp_magnitude(width, in[i], shared);
        if (out[i] != 0) // a sign without a magnitude would be read as minus infinity
            out[i] |= (uint8_t)(in[i] >> 31 << (width - 1));
    }
}

uint32_t bfp_decode(int width, uint8_t exponent, uint8_t datum)
{
    uint32_t sign = (uint32_t)(datum >> (width - 1) & 1) << 31;
    uint32_t magnitude = datum & ((1u << (width - 1)) - 1);
    int top = 0;

    if (magnitude == 0)
        return sign != 0 ? 0xff800000 : 0;
    while (magnitude >> (top + 1) != 0)
        top++;
    int field = (int)exponent - (width - 2) + top;
    uint32_t significand = magnitude << (23 - top);
    if (field >= 255)
        return sign | 0x7f800000;
    if (field <= 0)
        return sign | significand >> (1 - field); // exact: at most 7 bits are set, shifted by 7
    return sign | (uint32_t)field << 23 | (significand & 0x7fffff);
}

// ---------------------------------------------------------------- single datums

uint32_t item_float32(const struct npy_array *array, size_t index)
{
    uint32_t bits = npy_bits(array, index);

    return array->type == NPY_FLOAT16 ? float32_from_float16((uint16_t)bits) : bits;
}

static uint32_t float_encode(const struct array_format *format, uint32_t bits)
{
    if (format->bits == 32)
        return bits;
    return format->output == NPY_FLOAT16 ? fp16_from_float32(bits) : bf16_from_float32(bits);
}

bool datum_encode(const struct array_format *format, const struct npy_array *array, size_t index,
                  uint32_t *datum)
{
    if (format->family == FAMILY_FLOAT) {
        *datum = float_encode(format, item_float32(array, index));
        return true;
    }
    int64_t value = npy_integer(array, index);
    if (value < format->least || value > format->most)
        return false;
    uint32_t mask = (uint32_t)((UINT64_C(1) << format->bits) - 1);
    if (format->family == FAMILY_SIGN_MAGNITUDE && value < 0)
        *datum = (uint32_t)-value | 1u << (format->bits - 1);
    else
        *datum = (uint32_t)value & mask;
    return true;
}

uint32_t datum_decode(const struct array_format *format, uint32_t datum)
{
    uint32_t sign = 1u << (format->bits - 1);

    if (format->family == FAMILY_SIGN_MAGNITUDE && (datum & sign) != 0)
        return (uint32_t) - (int64_t)(datum & (sign - 1));
    if (format->family != FAMILY_FLOAT || format->bits == 32)
        return datum;
    return format->output == NPY_FLOAT16 ? float16_from_fp16((uint16_t)datum) : datum << 16;
}
