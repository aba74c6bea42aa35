// SPDX-License-Identifier: Apache-2.0
// The vector unit's arithmetic against its oracle: special operands, each with its reason, in all
// combinations, and random ones, shaped so that they meet, cancel, overflow and vanish.
// Usage: test_sfpu_oracle [WORDS [SEED]]; a long run is 1000000 words, each of which stands for a
// hundred triples of the multiply-add and eight values of everything else.
#include "rig/sample.h"
#include "sfpu_oracle.h"

#include <tessera/numerics.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static uint64_t words_wanted = RIG_SAMPLE(4000), seed = 0x9e3779b97f4a7c15u;

static const struct {
    uint32_t bits;
    const char *reason;
} SPECIALS[] = {
    {0x00000000, "plus zero"},
    {0x80000000, "minus zero: signs of zero sums"},
    {0x00000001, "smallest denormal"},
    {0x807fffff, "largest denormal, negative"},
    {0x00800000, "smallest normal: products vanish"},
    {0x80800001, "the next one, negative"},
    {0x00ffffff, "half of it rounds up to a normal number"},
    {0x1f800000, "2^-64: its square is at the lower end"},
    {0x20000000, "2^-63: with 2^-64 exponent 0"},
    {0x33000000, "2^-25: lost beside one"},
    {0x33800000, "2^-24: a tie beside one"},
    {0x33800001, "a little more than the tie"},
    {0x34000000, "one's last place"},
    {0x3effffff, "just below one half"},
    {0x3f000000, "one half"},
    {0x3f7fffff, "just below one"},
    {0x3f800000, "one"},
    {0xbf800000, "minus one"},
    {0x3f800001, "one and a unit: its square is not exact"},
    {0xbf800002, "cancels that square but for its end"},
    {0x3fb504f3, "about the root of two: products on either side of two"},
    {0x3fffffff, "all mantissa bits: carries"},
    {0xc0000000, "minus two"},
    {0x4b7fffff, "2^24 - 1"},
    {0x4f000000, "2^31"},
    {0x5f000000, "2^63"},
    {0x5f800000, "2^64: its square is just too large"},
    {0x7f000000, "2^127"},
    {0x7f7fffff, "the largest"},
    {0xff7fffff, "the largest, negative"},
    {0x7f800000, "infinity"},
    {0xff800000, "minus infinity"},
    {0x7f800001, "a NaN with one bit"},
    {0x7fc00000, "the usual NaN"},
    {0xffc01234, "a negative NaN with a payload"},
};

static uint32_t random32(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 16);
}

static uint32_t mantissa(void)
{
    switch (random32() % 6) {
    case 0:
        return 0;
    case 1:
        return 0x7fffffu;
    case 2:
        return 1u << random32() % 23;
    case 3:
        return 0x7fffffu & ~(1u << random32() % 23);
    case 4:
        return random32() & 0x7ff000u;
    default:
        return random32() & 0x7fffffu;
    }
}

static uint32_t near_exponent(int exponent, int reach)
{
    exponent += (int)(random32() % (2 * (uint32_t)reach + 1)) - reach;
    uint32_t e = (uint32_t)(exponent < 0 ? 0 : exponent > 255 ? 255 : exponent);
    return (random32() & 0x80000000u) | e << 23 | mantissa();
}

static uint32_t operand(void)
{
    switch (random32() % 8) {
    case 0:
        return random32();
    case 1:
        return SPECIALS[random32() % COUNT(SPECIALS)].bits;
    case 2:
        return near_exponent(0, 3);
    case 3:
        return near_exponent(254, 3);
    default:
        return near_exponent(127, 30);
    }
}

// Something that x*y meets: near its exponent, or near its negative to the last place.
static uint32_t addend(uint32_t x, uint32_t y)
{
    int exponent = (int)(x >> 23 & 255) + (int)(y >> 23 & 255) - 127;
    uint32_t product = tsr_sfpu_fma(TSR_BLACKHOLE_A0, x, y, 0);
    switch (random32() % 5) {
    case 0:
        return operand();
    case 1:
        return (product ^ 0x80000000u) + random32() % 9 - 4;
    case 2:
        return near_exponent(exponent, 3);
    default:
        return near_exponent(exponent, 28);
    }
}

static tsr_arch arch_of(bool wormhole)
{
    return wormhole ? TSR_WORMHOLE_B0 : TSR_BLACKHOLE_A0;
}

static void compare(const char *what, unsigned mode, uint32_t a, uint32_t b, uint32_t c,
                    uint32_t got, uint32_t want)
{
    if (got == want)
        return;
    print_error("%s mode %u of %08x %08x %08x: %08x, the oracle says %08x\n", what, mode, a, b, c,
                got, want);
    fail();
}

static void compare_fma(uint32_t x, uint32_t y, uint32_t z)
{
    for (unsigned wormhole = 0; wormhole < 2; wormhole++)
        compare("fma", wormhole, x, y, z, tsr_sfpu_fma(arch_of(wormhole), x, y, z),
                oracle_sfpu_fma(wormhole, x, y, z));
}

static void test_fma_specials(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(SPECIALS); i++)
        for (size_t j = 0; j < COUNT(SPECIALS); j++)
            for (size_t k = 0; k < COUNT(SPECIALS); k++)
                compare_fma(SPECIALS[i].bits, SPECIALS[j].bits, SPECIALS[k].bits);
}

static void test_fma_random(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < words_wanted * 100; i++) {
        uint32_t x = operand(), y = operand();
        compare_fma(x, y, addend(x, y));
    }
}

// As the page says, a product alone and a sum alone are rounded once.
static void test_rounded_once(void **state)
{
    (void)state;
    uint64_t met = 0;
    for (uint64_t i = 0; i < words_wanted * 20; i++) {
        uint32_t x = operand(), y = operand(), z = addend(0x3f800000u, y), exact;
        for (unsigned wormhole = 0; wormhole < 2; wormhole++) {
            tsr_arch arch = arch_of(wormhole);
            if (oracle_sfpu_exact(x, y, 0, &exact)) {
                compare("mul", wormhole, x, y, 0, tsr_sfpu_fma(arch, x, y, 0), exact);
                met++;
            }
            if (oracle_sfpu_exact(0x3f800000u, y, z, &exact)) {
                compare("add", wormhole, 0, y, z, tsr_sfpu_fma(arch, 0x3f800000u, y, z), exact);
                met++;
            }
        }
    }
    assert_true(met > words_wanted * 10);
}

// The comparison is awake: the other chip differs, and so does a sum that is rounded once.
static void test_canaries(void **state)
{
    (void)state;
    uint64_t chips = 0, exacts = 0;
    for (int i = 0; i < 100000; i++) {
        uint32_t x = near_exponent(127, 3), y = near_exponent(127, 3), z = addend(x, y), exact;
        chips += oracle_sfpu_fma(true, x, y, z) != tsr_sfpu_fma(TSR_BLACKHOLE_A0, x, y, z);
        exacts +=
            oracle_sfpu_exact(x, y, z, &exact) && exact != tsr_sfpu_fma(TSR_BLACKHOLE_A0, x, y, z);
    }
    assert_true(chips > 0 && exacts > 0);
}

static void compare_tables(unsigned modifier, bool wormhole)
{
    uint32_t lreg[7];
    for (int i = 0; i < 7; i++)
        lreg[i] = random32() % 4 == 0 ? operand() : random32();
    lreg[3] = random32() % 4 == 0 ? operand() : near_exponent(127, 3);
    tsr_arch arch = arch_of(wormhole);
    compare("lut", modifier, lreg[0], lreg[1], lreg[3], tsr_sfpu_lut(arch, modifier, lreg),
            oracle_sfpu_lut(wormhole, modifier, lreg));
    compare("lutfp32", modifier, lreg[0], lreg[4], lreg[3], tsr_sfpu_lutfp32(arch, modifier, lreg),
            oracle_sfpu_lutfp32(wormhole, modifier, lreg));
}

// Numbers whose conversions differ: floats around one and 2^16, small integers, both with signs.
static uint32_t convertible(void)
{
    switch (random32() % 4) {
    case 0:
        return near_exponent(134, 12);
    case 1:
        return (random32() & 0x80000000u) | random32() >> random32() % 32 >> 1;
    case 2:
        return 0u - (random32() >> random32() % 32);
    default:
        return operand();
    }
}

static uint32_t random_bits(uint32_t value)
{
    static const uint32_t edges[] = {0, 1, 0x3fffff, 0x400000, 0x7fffff, ~0u};
    switch (random32() % 4) {
    case 0:
        return edges[random32() % COUNT(edges)];
    case 1: // as much as goes
        return (value << 10) + random32() % 3 - 1;
    case 2:
        return (value << 7) + random32() % 3 - 1;
    default:
        return random32();
    }
}

static void compare_conversions(bool wormhole)
{
    tsr_arch arch = arch_of(wormhole);
    uint32_t value = convertible(), old = random32(), random = random_bits(value);
    for (unsigned mode = 0; mode < 16; mode++) {
        bool inf = random32() % 2 == 0;
        compare("load", mode, value, old, inf, tsr_sfpu_load(arch, mode, value, old, inf),
                oracle_sfpu_load(wormhole, mode, value, old, inf));
        compare("store", mode, value, 0, 0, tsr_sfpu_store(arch, mode, value),
                oracle_sfpu_store(wormhole, mode, value));
        compare("cast", mode, value, random, 0, tsr_sfpu_cast(arch, mode, value, random),
                oracle_sfpu_cast(wormhole, mode, value, random));
    }
    for (unsigned mode = 0; mode < 32; mode++) {
        unsigned shift = random32() % 64;
        compare("stoch_rnd", mode, value, shift, random,
                tsr_sfpu_stoch_rnd(mode, mode / 8, value, shift, random),
                oracle_sfpu_stoch_rnd(mode, mode / 8, value, shift, random));
    }
}

static void compare_integers(void)
{
    uint32_t a = random32() >> random32() % 32, b = random32() >> random32() % 32, c = operand();
    uint32_t amount = random32() % 4 == 0 ? random32() : random32() % 65 - 32;
    for (unsigned mode = 0; mode < 2; mode++)
        compare("mul24", mode, a, b, c, tsr_sfpu_mul24(mode, a, b, c),
                oracle_sfpu_mul24(mode, a, b, c));
    compare("shft", 0, a, amount, 0, tsr_sfpu_shft(TSR_WORMHOLE_B0, 0, 0, amount, a),
            oracle_sfpu_shift(a, (int32_t)amount, false));
    compare("shft", 2, c, amount, 0, tsr_sfpu_shft(TSR_BLACKHOLE_A0, 2, 0, amount, c),
            oracle_sfpu_shift(c, (int32_t)amount, true));
    compare("shft2", 5, a, amount, 0, tsr_sfpu_shft2(5, 0, a, amount),
            oracle_sfpu_shift(a, (int32_t)amount, false));
    for (unsigned mode = 0; mode < 8; mode += 4)
        compare("lz", mode, a, 0, 0, tsr_sfpu_lz(mode, a), oracle_sfpu_zeros(a, mode == 4));
    for (unsigned mode = 0; mode < 4; mode++)
        compare("arecip", mode, b, c, 0, tsr_sfpu_arecip(mode, b, c),
                oracle_sfpu_arecip(mode, b, c));
    uint32_t other = random32() % 2 == 0 ? operand() : c ^ (random32() % 2) << 31;
    compare("less", 0, c, other, 0, tsr_sfpu_less_than(c, other), oracle_sfpu_less(c, other));
    uint32_t stepped = a;
    compare("random", 0, a, 0, 0, tsr_sfpu_random(&stepped), a);
    compare("random", 1, a, 0, 0, stepped, oracle_sfpu_random_step(a));
}

static void test_others(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < words_wanted * 8; i++) {
        bool wormhole = i % 2 == 0;
        compare_tables((unsigned)(i / 2 % 16), wormhole);
        compare_conversions(wormhole);
        compare_integers();
    }
}

// Every interval of either table of SFPARECIP, at both ends.
static void test_approximations(void **state)
{
    (void)state;
    for (uint32_t high = 0; high < 0x10000u; high++)
        for (uint32_t mode = 0; mode < 3; mode += 2)
            for (uint32_t low = 0; low < 2; low++) {
                uint32_t x = high << 16 | (low != 0 ? 0xffffu : 0);
                compare("arecip", mode, 0, x, 0, tsr_sfpu_arecip(mode, 0, x),
                        oracle_sfpu_arecip(mode, 0, x));
            }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fma_specials), cmocka_unit_test(test_fma_random),
        cmocka_unit_test(test_rounded_once), cmocka_unit_test(test_canaries),
        cmocka_unit_test(test_others),       cmocka_unit_test(test_approximations),
    };
    if (argc > 1)
        words_wanted = strtoull(argv[1], NULL, 0);
    if (argc > 2)
        seed ^= strtoull(argv[2], NULL, 0) << 32;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
