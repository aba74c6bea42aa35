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

// The largest of an exponent field in the cells' low bits.
static inline unsigned largest_field(const uint16_t *cells, unsigned count, uint32_t mask,
                                     uint32_t signs)
{
    int16_t largest = 0;
    for (unsigned i = 0; i < count; i++) {
        int16_t field = (int16_t)(without_negative(cells[i], signs) & mask);
        largest = field > largest ? field : largest;
    }
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

// No exponent of the cells is larger behind early conversion and ReLU.
static unsigned bound(const tsr_pack_mode *mode, const uint16_t *high, const uint16_t *low,
                      unsigned count)
{
    uint32_t signs = mode->relu_mode ? 0xffff : 0;
    unsigned limit = mode->read_unsigned ? 255 : 127;
    bool e5 = false, rounds = mode->read_32b;
    switch (mode->in_format) {
    case TSR_FORMAT_INT8:
        if (mode->read_raw || !low)
            return limit;
        unsigned largest = largest_integer(high, low, count, mode->int8_shift & 31u);
        return largest < limit ? largest : limit;
    case TSR_FORMAT_INT16: // not a float: its low bits, whatever the sign
        return largest_field(high, count, 0xff, 0);
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
            return 31; // from BF16
        e5 = !mode->read_32b;
        break;
    case TSR_FORMAT_FP8:
        e5 = true;
        break;
    default:
        break;
    }
    if (rounds)
        return largest_rounded(high, count, e5 ? 5 : 8, signs);
    uint32_t field = e5 ? 0x1f : 0xff;
    // Without ReLU, as nearly always, a cell takes half the work.
    return signs ? largest_field(high, count, field, signs) : largest_field(high, count, field, 0);
}

// ---------------------------------------------------------------- one by one

void tsr_pack_note_largest(struct pack_sink *sink, const uint16_t *high, const uint16_t *low,
                           unsigned count)
{
    const tsr_pack_mode *mode = &sink->part->shape.mode;
    uint8_t *largest = &sink->packer->max_exponent;
    if (sink->part->packer != 0 || bound(mode, high, low, count) <= *largest)
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
