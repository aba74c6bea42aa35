// SPDX-License-Identifier: Apache-2.0
// The generator behind stochastic rounding outside of the vector unit: one step of the vector
// unit's (decision 15). Each unit that rounds so keeps a stream of its own in its state.
// Page: VectorUnit.md ("PRNG").
#ifndef NUMERICS_RANDOM_H
#define NUMERICS_RANDOM_H

#include <stdint.h>

// The page's AdvancePRNG: the value before the step.
static inline uint32_t tsr_prng_next(uint32_t *stream)
{
    uint32_t value = *stream;
    uint32_t odd_taps = (uint32_t)__builtin_parity(value & 0x80200003u);
    *stream = (odd_taps ^ 1u) << 31 | value >> 1;
    return value;
}

#endif
