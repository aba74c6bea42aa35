// SPDX-License-Identifier: Apache-2.0
// The exponent statistics of datums from Dst: a histogram if some thread enables it, and always
// packer 0's maximum, the only one that can be read. Datums that a kernel converts are not counted
// one by one: a bound on their exponents says whether the maximum can grow at all.
// Pages: Packers/ExponentHistogram.md, SETDMAREG_Special.md.
#include "pack/pack_histogram.h"

#include "base/format_codes.h"

void tsr_pack_count_exponent(struct tsr_packer *packer, uint8_t exponent, bool histogram,
                             bool is_packer0)
{
    if (histogram) {
        uint8_t *bin = &packer->exponent_count[exponent % 32];
        *bin = (uint8_t)(*bin + (*bin != 255));
    }
    if (is_packer0 && exponent > packer->max_exponent)
        packer->max_exponent = exponent;
}

// ---------------------------------------------------------------- bounds

// Negative datums are zero after ReLU. `signs`: all ones with ReLU, else 0. (32 bits,
// like the mask: compilers broadcast those from memory at once.)
static uint16_t without_negative(uint16_t cell, uint32_t signs)
{
    return (uint16_t)(cell & ~((uint16_t)((int16_t)cell >> 15) & signs));
}

// The largest exponent if the mantissa above it were rounded up in its last place: it may carry.
static unsigned largest_rounded(const uint16_t *cells, unsigned count, unsigned bits,
                                uint32_t signs)
{
    int16_t largest = 0;
    for (unsigned i = 0; i < count; i++) {
        uint16_t cell = without_negative(cells[i], signs);
        int16_t magnitude = (int16_t)((cell << (15 - bits) | (cell & 0x7fff) >> bits) & 0x7fff);
        largest = magnitude > largest ? magnitude : largest;
    }
    // E5M6 is rounded four bits further up than this.
    unsigned one = bits == 5 ? 16 : 1;
    return ((unsigned)largest + one) >> (15 - bits);
}

static unsigned largest_integer(const uint16_t *high, const uint16_t *low, unsigned count,
                                unsigned shift)
{
    uint32_t largest = 0;
    for (unsigned i = 0; i < count; i++) {
        uint32_t magnitude = (high[i] & 0x7fff) ? 0x7fffffffu : low[i];
        largest = magnitude > largest ? magnitude : largest;
    }
    return (unsigned)((largest + (1u << shift >> 1)) >> shift);
}

static struct tsr_pack_bound constant(unsigned value)
{
    return (struct tsr_pack_bound){.kind = TSR_PACK_BOUND_CONSTANT, .number = (uint8_t)value};
}

static struct tsr_pack_bound bound_before_relu(const tsr_pack_mode *mode)
{
    unsigned limit = mode->read_unsigned ? 255 : 127;
    bool e5 = false, rounds = mode->read_32b;
    switch (mode->in_format) {
    case TSR_FORMAT_INT8:
        if (mode->read_raw || !mode->read_32b)
            return constant(limit);
        return (struct tsr_pack_bound){.kind = TSR_PACK_BOUND_INTEGER, .number = (uint8_t)limit};
    case TSR_FORMAT_INT16: // not a float: its low bits, whatever the sign
        return (struct tsr_pack_bound){.kind = TSR_PACK_BOUND_FIELD, .mask = 0xff};
    case TSR_FORMAT_FP32:
        rounds = mode->round_10b;
        break;
    case TSR_FORMAT_INT32:
        rounds = false;
        break;
    case TSR_FORMAT_BFP8:
        rounds = true;
        break;
    case TSR_FORMAT_BFP8A:
        rounds = true;
        e5 = !mode->read_32b;
        break;
    case TSR_FORMAT_FP16:
        if (!mode->read_32b && mode->round_10b && mode->arch == TSR_BLACKHOLE_A0)
            return constant(31); // from BF16
        e5 = !mode->read_32b;
        break;
    case TSR_FORMAT_FP8:
        e5 = true;
        break;
    default:
        break;
    }
    return (struct tsr_pack_bound){.kind = rounds ? TSR_PACK_BOUND_ROUNDED : TSR_PACK_BOUND_FIELD,
                                   .number = e5 ? 5 : 8,
                                   .mask = e5 ? 0x1f : 0xff,
                                   .relu = mode->relu_mode != 0};
}

// The largest exponent that ReLU leaves: its threshold's, if it clamps.
static uint8_t largest_after_relu(const tsr_pack_mode *mode)
{
    tsr_pack_value value;
    if (mode->relu_mode != 3 || mode->relu_threshold >> 15 ||
        tsr_pack_early(mode, 0, NULL, &value) != TSR_OK)
        return 0xff;
    bool e8 = tsr_pack_kind_is_e8(value.kind);
    value.bits = e8 ? (uint32_t)mode->relu_threshold << 16 : mode->relu_threshold;
    return tsr_pack_exponent(value);
}

struct tsr_pack_bound tsr_pack_bound_of(const tsr_pack_mode *mode)
{
    struct tsr_pack_bound bound = bound_before_relu(mode);
    uint8_t most = bound.kind == TSR_PACK_BOUND_FIELD ? bound.mask : 0xff;
    uint8_t after = largest_after_relu(mode);
    bound.most = most < after ? most : after;
    return bound;
}

// But for fields: no exponent of the cells after early conversion and ReLU is larger than `limit`.
static bool bounded(const struct tsr_pack_bound *bound, const tsr_pack_mode *mode,
                    const uint16_t *high, const uint16_t *low, unsigned count, uint8_t limit)
{
    unsigned largest = bound->number;
    switch (bound->kind) {
    case TSR_PACK_BOUND_ROUNDED:
        return largest_rounded(high, count, largest, bound->relu ? 0xffff : 0) <= limit;
    case TSR_PACK_BOUND_INTEGER:
        return largest <= limit ||
               largest_integer(high, low, count, mode->int8_shift & 31u) <= limit;
    default:
        return largest <= limit;
    }
}

// ReLU by a threshold makes other exponents.
bool tsr_pack_bound_is_exponent(const struct tsr_pack_bound *bound, const tsr_pack_mode *mode)
{
    return bound->kind == TSR_PACK_BOUND_FIELD && mode->relu_mode == (bound->relu ? 1 : 0);
}

void tsr_pack_count_cells(struct tsr_packer *packer, const struct tsr_pack_bound *bound,
                          const uint16_t *cells, unsigned count)
{
    uint32_t signs = bound->relu ? 0xffff : 0, counted[32] = {0};
    for (unsigned i = 0; i < count; i++)
        counted[without_negative(cells[i], signs) & bound->mask & 31]++;
    for (unsigned bin = 0; bin < 32; bin++) {
        uint32_t sum = packer->exponent_count[bin] + counted[bin];
        packer->exponent_count[bin] = (uint8_t)(sum < 255 ? sum : 255);
    }
}

void tsr_pack_raise_maximum(struct tsr_packer *packer, const struct tsr_pack_bound *bound,
                            const tsr_pack_mode *mode, const uint16_t *high, const uint16_t *low,
                            unsigned count)
{
    if (bound->kind != TSR_PACK_BOUND_FIELD &&
        bounded(bound, mode, high, low, count, packer->max_exponent))
        return;
    for (unsigned i = 0; i < count; i++) {
        uint32_t stored = low ? (uint32_t)high[i] << 16 | low[i] : high[i];
        tsr_pack_value value;
        if (tsr_pack_early(mode, stored, NULL, &value) != TSR_OK ||
            tsr_pack_relu(mode, &value) != TSR_OK)
            return;
        uint8_t exponent = tsr_pack_exponent(value);
        packer->max_exponent = exponent > packer->max_exponent ? exponent : packer->max_exponent;
    }
}
