// SPDX-License-Identifier: Apache-2.0
// A slow second opinion on the vector unit's arithmetic, written from its pages and the rules of
// docs/arithmetic.md, and sharing no code with src/: a number is a wide integer and a power of two,
// shifts are divisions, fields are picked out by position, e^x is a sum of fractions.
#ifndef TESTS_SFPU_ORACLE_H
#define TESTS_SFPU_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

uint32_t oracle_sfpu_fma(bool wormhole, uint32_t x, uint32_t y, uint32_t z);
// x*y + z rounded once, to nearest even; false if that is not a normal number, or out of reach of
// exact arithmetic in 128 bits.
bool oracle_sfpu_exact(uint32_t x, uint32_t y, uint32_t z, uint32_t *result);
uint32_t oracle_sfpu_lut(bool wormhole, unsigned modifier, const uint32_t lreg[4]);
uint32_t oracle_sfpu_lutfp32(bool wormhole, unsigned modifier, const uint32_t lreg[7]);

uint32_t oracle_sfpu_cast(bool wormhole, unsigned modifier, uint32_t value, uint32_t random);
uint32_t oracle_sfpu_stoch_rnd(unsigned modifier, unsigned rounding, uint32_t value, unsigned shift,
                               uint32_t random);
uint32_t oracle_sfpu_load(bool wormhole, unsigned mode, uint32_t stored, uint32_t old, bool inf);
uint32_t oracle_sfpu_store(bool wormhole, unsigned mode, uint32_t value);

uint32_t oracle_sfpu_arecip(unsigned modifier, uint32_t condition, uint32_t value);
uint32_t oracle_sfpu_mul24(unsigned modifier, uint32_t a, uint32_t b, uint32_t c);
uint32_t oracle_sfpu_shift(uint32_t value, int64_t amount, bool arithmetic);
uint32_t oracle_sfpu_zeros(uint32_t value, bool ignore_sign);
bool oracle_sfpu_less(uint32_t a, uint32_t b);
uint32_t oracle_sfpu_random_step(uint32_t state);

#endif
