// SPDX-License-Identifier: Apache-2.0
// The generator of stochastic rounding outside of the vector unit: one step of the vector
// unit's (decision 15). Each unit that rounds so keeps a stream of its own in its state.
// Page: VectorUnit.md ("PRNG").
#ifndef TESSERA_BASE_RANDOM_H
#define TESSERA_BASE_RANDOM_H

#include <stdint.h>

// Where a stream begins. The generator would never leave the state of all ones.
static inline uint32_t tsr_prng_begin(uint64_t seed)
{
    uint32_t folded = (uint32_t)(seed ^ seed >> 32);
    return folded == 0xffffffffu ? 0 : folded;
}

// The page's AdvancePRNG: the value before the step.
static inline uint32_t tsr_prng_next(uint32_t *stream)
{
    uint32_t value = *stream;
    uint32_t odd_taps = (uint32_t)__builtin_parity(value & 0x80200003u);
    *stream = (odd_taps ^ 1u) << 31 | value >> 1;
    return value;
}

#endif
