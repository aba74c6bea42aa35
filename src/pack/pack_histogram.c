// SPDX-License-Identifier: Apache-2.0
// What a packer notes of the exponents that come from Dst: a histogram if some thread asks for one,
// and always packer 0's maximum, the only one that can be read. Datums that a kernel converts are
// not looked at one by one: a bound on their exponents says whether the maximum can grow at all.
// Pages: Packers/ExponentHistogram.md, SETDMAREG_Special.md.
#include "pack/pack_job.h"

#include "numerics/format_codes.h"

void tsr_pack_count_exponent(struct pack_sink *sink, uint8_t exponent)
{
    struct tsr_packer *packer = sink->packer;
    if (sink->job->statistics) {
        uint8_t *bin = &packer->exponent_count[exponent % 32];
        *bin = (uint8_t)(*bin + (*bin != 255));
    }
    if (sink->part->packer == 0 && exponent > packer->max_exponent)
        packer->max_exponent = exponent;
}

// ---------------------------------------------------------------- bounds

// Negative datums are zero behind ReLU. `signs`: all ones with ReLU, else 0. (A word, as a mask is:
// of a half that waits in memory no vector can be made at once.)
static uint16_t without_negative(uint16_t cell, uint32_t signs)
{
    return (uint16_t)(cell & ~((uint16_t)((int16_t)cell >> 15) & signs));
}

static inline int16_t larger(int16_t a, int16_t b)
{
    return a > b ? a : b;
}

// The largest of an exponent field in the cells' low bits. (In columns, which a compiler keeps in
// vectors.)
static inline unsigned largest_field(const uint16_t *cells, unsigned count, uint32_t mask,
                                     uint32_t signs)
{
    int16_t column[16] = {0}, largest = 0;
    unsigned whole = count & ~15u;
    for (unsigned i = whole; i < count; i++)
        largest = larger(largest, (int16_t)(without_negative(cells[i], signs) & mask));
    for (const uint16_t *end = cells + whole; cells < end; cells += 16)
        for (unsigned i = 0; i < 16; i++)
            column[i] = larger(column[i], (int16_t)(without_negative(cells[i], signs) & mask));
    for (unsigned i = 0; i < 16; i++)
        largest = larger(largest, column[i]);
    return (unsigned)largest;
}

// The same if the mantissa above it were rounded up in its last place: it may carry.
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

// Without ReLU, as nearly always, a cell takes half the work.
static unsigned largest_in(const uint16_t *cells, unsigned count, uint32_t mask, bool positive)
{
    return positive ? largest_field(cells, count, mask, 0xffff)
                    : largest_field(cells, count, mask, 0);
}

static struct pack_bound constant(unsigned value)
{
    return (struct pack_bound){PACK_BOUND_CONSTANT, (uint8_t)value, false};
}

struct pack_bound tsr_pack_bound_of(const tsr_pack_mode *mode)
{
    unsigned limit = mode->read_unsigned ? 255 : 127;
    bool e5 = false, rounds = mode->read_32b;
    switch (mode->in_format) {
    case TSR_FORMAT_INT8:
        if (mode->read_raw || !mode->read_32b)
            return constant(limit);
        return (struct pack_bound){PACK_BOUND_INTEGER, (uint8_t)limit, false};
    case TSR_FORMAT_INT16: // not a float: its low bits, whatever the sign
        return (struct pack_bound){PACK_BOUND_FIELD, 8, false};
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
        rounds = e5 = true;
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
    return (struct pack_bound){rounds ? PACK_BOUND_ROUNDED : PACK_BOUND_FIELD, e5 ? 5 : 8,
                               mode->relu_mode != 0};
}

// No exponent of the cells is larger behind early conversion and ReLU.
static unsigned bound(const struct pack_shape *shape, const uint16_t *high, const uint16_t *low,
                      unsigned count)
{
    const struct pack_bound *bound = &shape->bound;
    switch (bound->kind) {
    case PACK_BOUND_FIELD:
        return largest_in(high, count, tsr_mask32(bound->number), bound->positive);
    case PACK_BOUND_ROUNDED:
        return largest_rounded(high, count, bound->number, bound->positive ? 0xffff : 0);
    case PACK_BOUND_INTEGER: {
        unsigned largest = largest_integer(high, low, count, shape->mode.int8_shift & 31u);
        return largest < bound->number ? largest : bound->number;
    }
    default:
        return bound->number;
    }
}

// ---------------------------------------------------------------- one by one

void tsr_pack_note_largest(struct tsr_packer *packer, const struct pack_part *part,
                           const uint16_t *high, const uint16_t *low, unsigned count)
{
    const tsr_pack_mode *mode = &part->shape.mode;
    uint8_t *largest = &packer->max_exponent;
    if (part->packer != 0 || bound(&part->shape, high, low, count) <= *largest)
        return;
    for (unsigned i = 0; i < count; i++) {
        uint32_t stored = low ? (uint32_t)high[i] << 16 | low[i] : high[i];
        tsr_pack_value value;
        if (tsr_pack_early(mode, stored, NULL, &value) != TSR_OK ||
            tsr_pack_relu(mode, &value) != TSR_OK)
            return;
        uint8_t exponent = tsr_pack_exponent(value);
        *largest = exponent > *largest ? exponent : *largest;
    }
}
