// SPDX-License-Identifier: Apache-2.0
// The counters that instructions step through: ADCs (a set for each thread, with two unpackers and
// the packers as agents) and RWCs (a set for each thread), and the threads' GPRs.
// Pages: ADCs.md, RWCs.md, ScalarUnit.md.
#ifndef TESSERA_STATE_COUNTERS_H
#define TESSERA_STATE_COUNTERS_H

#include "base/bits.h"

#include <tessera/tessera.h>

enum { TSR_ADC_PACKERS = 2, TSR_ADC_AGENTS = 3, TSR_GPRS = 64 };
enum { TSR_ADC_X_BITS = 18, TSR_ADC_Y_BITS = 13 };

struct tsr_adcs {
    tsr_adc_channel channel[TSR_THREADS][TSR_ADC_AGENTS][2];
};

struct tsr_rwcs {
    tsr_rwc thread[TSR_THREADS];
};

struct tsr_gprs {
    uint32_t value[TSR_THREADS][TSR_GPRS];
    uint64_t written[TSR_THREADS]; // a bit for each register; both halves count as one
    uint64_t tainted[TSR_THREADS];
};

// A counter and its carriage return, which have the same width.
struct tsr_adc_counter {
    uint32_t *value, *carriage;
    uint32_t mask;
};

// By dimension 0..3 = X, Y, Z, W; `zw_bits` is the chip's width of Z and W.
static inline struct tsr_adc_counter tsr_adc_counter(tsr_adc_channel *channel, unsigned dimension,
                                                     unsigned zw_bits)
{
    switch (dimension) {
    case 0:
        return (struct tsr_adc_counter){&channel->x, &channel->x_cr, tsr_mask32(TSR_ADC_X_BITS)};
    case 1:
        return (struct tsr_adc_counter){&channel->y, &channel->y_cr, tsr_mask32(TSR_ADC_Y_BITS)};
    case 2:
        return (struct tsr_adc_counter){&channel->z, &channel->z_cr, tsr_mask32(zw_bits)};
    default:
        return (struct tsr_adc_counter){&channel->w, &channel->w_cr, tsr_mask32(zw_bits)};
    }
}

#endif
