// SPDX-License-Identifier: Apache-2.0
// The generator of stochastic rounding outside of the vector unit: one step of the vector
// unit's (decision 15). Each unit that rounds so keeps a stream of its own in its state.
// Page: VectorUnit.md ("PRNG").
#ifndef TESSERA_BASE_RANDOM_H
#define TESSERA_BASE_RANDOM_H

#include <stdint.h>

// Where a stream begins: the seed's bits are mixed (as in splitmix64), since small and neighbouring
// seeds would begin with long runs of equal bits, and with the same ones. The generator would never
// leave the state of all ones.
static inline uint32_t tsr_prng_begin(uint64_t seed)
{
    seed += 0x9e3779b97f4a7c15u;
    seed = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9u;
    seed = (seed ^ seed >> 27) * 0x94d049bb133111ebu;
    uint32_t mixed = (uint32_t)(seed >> 32);
    return mixed == 0xffffffffu ? 0 : mixed;
}

// The page's AdvancePRNG: the value before the step.
static inline uint32_t tsr_prng_next(uint32_t *stream)
{
    uint32_t value = *stream;
    uint32_t odd_taps = (uint32_t)__builtin_parity(value & 0x80200003u);
    *stream = (odd_taps ^ 1u) << 31 | value >> 1;
    return value;
}

// The lowest `bits` of the state, which are then replaced: a step brings a single new bit, and
// what is drawn after fewer steps is nearly the same number again.
static inline uint32_t tsr_prng_draw(uint32_t *stream, unsigned bits)
{
    uint32_t value = *stream & ((1u << bits) - 1u);
    for (unsigned i = 0; i < bits; i++)
        tsr_prng_next(stream);
    return value;
}

#endif
