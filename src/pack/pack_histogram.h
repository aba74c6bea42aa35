// SPDX-License-Identifier: Apache-2.0
// The exponent statistics of a packer: histogram and maximum.
// Page: Packers/ExponentHistogram.md.
#ifndef TESSERA_PACK_PACK_HISTOGRAM_H
#define TESSERA_PACK_PACK_HISTOGRAM_H

#include "kernels/kernel_types.h"
#include "numerics/pack_stages.h"
#include "state/packer.h"

// How a bound on the exponents of a run of datums is found.
enum tsr_pack_bound_kind {
    TSR_PACK_BOUND_FIELD,   // the low bits of `mask`
    TSR_PACK_BOUND_ROUNDED, // `number` low bits after rounding
    TSR_PACK_BOUND_INTEGER, // of INT8 after its shift, at most `number`
    TSR_PACK_BOUND_CONSTANT // `number`
};
struct tsr_pack_bound {
    uint8_t kind, number, mask; // enum tsr_pack_bound_kind
    uint8_t most;               // no exponent is larger
    bool relu;                  // which makes zeroes of negative datums
};

struct tsr_pack_bound tsr_pack_bound_of(const tsr_pack_mode *mode);
// Counts an exponent after ReLU. `histogram`: some thread enables it.
void tsr_pack_count_exponent(struct tsr_packer *packer, uint8_t exponent, bool histogram,
                             bool is_packer0);
// Whether the field that bounds a datum's exponent is the exponent that is counted.
bool tsr_pack_bound_is_exponent(const struct tsr_pack_bound *bound, const tsr_pack_mode *mode);
// Counts the exponents of such datums.
void tsr_pack_count_cells(struct tsr_packer *packer, const struct tsr_pack_bound *bound,
                          const uint16_t *cells, unsigned count);
// Packer 0's maximum with datums that a kernel converts; and where the bound does not say that it
// stays.
void tsr_pack_raise_maximum(struct tsr_packer *packer, const struct tsr_pack_bound *bound,
                            const tsr_pack_mode *mode, const uint16_t *high, const uint16_t *low,
                            unsigned count);
static inline void tsr_pack_note_maximum(struct tsr_packer *packer,
                                         const struct tsr_pack_bound *bound,
                                         tsr_pack_larger_fn *larger, const tsr_pack_mode *mode,
                                         const uint16_t *high, const uint16_t *low, unsigned count)
{
    if (packer->max_exponent < bound->most &&
        (bound->kind != TSR_PACK_BOUND_FIELD ||
         larger(high, count, bound->mask, packer->max_exponent)))
        tsr_pack_raise_maximum(packer, bound, mode, high, low, count);
}

#endif
