// SPDX-License-Identifier: Apache-2.0
// The public arithmetic of the vector unit (numerics.h) against the second model's, on special and
// random operands.
// Usage: test_sfpu_numbers [WORDS [SEED]]; a long run is 1000000 operands of each function.
// Pages: as sfpu_model.h.
#include "oracle/sfpu_maker.h"
#include "rig/sample.h"

#include <tessera/numerics.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { OPERANDS = RIG_SAMPLE(100000) };

static uint64_t operands_wanted = OPERANDS, state_of_random = 1;
static struct sfpu_words words[2];
static struct sfpu_model model;

static uint32_t any(void)
{
    state_of_random ^= state_of_random << 13;
    state_of_random ^= state_of_random >> 7;
    state_of_random ^= state_of_random << 17;
    return (uint32_t)(state_of_random >> 16);
}

static uint32_t operand(void)
{
    static const uint32_t special[] = {
        0,          1,          0x007fffff, 0x00800000, 0x00800001, 0x00ffffff, 0x33800000,
        0x34000000, 0x3c800000, 0x3f000000, 0x3f7fffff, 0x3f800000, 0x3f800001, 0x3fc00000,
        0x40000000, 0x40400000, 0x407fffff, 0x40800000, 0x477fe000, 0x47800000, 0x7e800000,
        0x7effffff, 0x7f000000, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fc00000, 0x7fffffff};
    uint32_t how = any() % 8, sign = any() & 0x80000000u;
    if (how == 0)
        return sign | special[any() % (sizeof special / sizeof *special)];
    if (how == 1)
        return sign | (any() & 0x7f800000) | (any() & 7);
    if (how == 2)
        return sign | (any() & 0x7f800000) | (0x7fffff - (any() & 7));
    if (how < 6)
        return (any() & 0x807fffff) | (100 + any() % 54) << 23;
    return any();
}

static void same(const char *what, unsigned chip, unsigned mod, const uint32_t in[4], uint32_t got,
                 uint32_t expected)
{
    if (got != expected)
        fail_msg("%s, modifier %u, %s: %08x %08x %08x %08x: the library has %08x, the page %08x",
                 what, mod, chip ? "BH" : "WH", (unsigned)in[0], (unsigned)in[1], (unsigned)in[2],
                 (unsigned)in[3], (unsigned)got, (unsigned)expected);
}

static void test_multiply_add(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < operands_wanted; n++) {
        uint32_t in[4] = {operand(), operand(), operand(), 0};
        if (n % 4 == 0) // sums that nearly cancel
            in[2] = sfpu_fma_bh(in[0], in[1], 0x80000000, SFPU_FAULT_NONE) ^ 0x80000000u;
        if (n % 8 == 0)
            in[2] += any() % 5 - 2;
        same("SFPMAD", 0, 0, in, tsr_sfpu_fma(TSR_WORMHOLE_B0, in[0], in[1], in[2]),
             sfpu_fma_wh(in[0], in[1], in[2], SFPU_FAULT_NONE));
        same("SFPMAD", 1, 0, in, tsr_sfpu_fma(TSR_BLACKHOLE_A0, in[0], in[1], in[2]),
             sfpu_fma_bh(in[0], in[1], in[2], SFPU_FAULT_NONE));
    }
}

// The model's result of an instruction: VD, VC, VB, VA are L4, L5, L6, L0 … L3 hold `a`.
static uint32_t of_model(unsigned chip, const struct sfpu_insn *i, const uint32_t in[4],
                         const uint32_t first[7], uint32_t random)
{
    struct sfpu_model *m = &model;
    sfpu_model_reset(m, &words[chip]);
    for (unsigned lane = 0; lane < SFPU_LANES; lane++) {
        for (unsigned reg = 0; reg < 7 && first; reg++)
            m->lreg[reg][lane] = first[reg];
        if (!first)
            for (unsigned reg = 0; reg < 4; reg++)
                m->lreg[reg][lane] = in[reg];
        m->prng[lane] = random;
    }
    sfpu_model_issue(m, 0, sfpu_encode(&words[chip], i));
    sfpu_model_idle(m);
    return m->lreg[i->vd][11];
}

static uint32_t of_library(unsigned chip, const struct sfpu_insn *i, const uint32_t in[4],
                           const uint32_t first[7], uint32_t random)
{
    tsr_arch arch = chip ? TSR_BLACKHOLE_A0 : TSR_WORMHOLE_B0;
    uint32_t a = in[0], b = in[1], c = in[2], d = in[3];
    switch (i->op) {
    case SFPU_LUT:
        return tsr_sfpu_lut(arch, i->mod, first);
    case SFPU_LUTFP32:
        return tsr_sfpu_lutfp32(arch, i->mod, first);
    case SFPU_CAST:
        return tsr_sfpu_cast(arch, i->mod, c, random);
    case SFPU_STOCH_RND:
        return tsr_sfpu_stoch_rnd(i->mod, i->rounding, c, i->mod & 8 ? i->imm : b, random);
    case SFPU_LOADI:
        return tsr_sfpu_loadi(i->mod, i->imm, d);
    case SFPU_DIVP2:
        return tsr_sfpu_divp2(i->mod, (uint8_t)i->imm, c);
    case SFPU_EXEXP:
        return tsr_sfpu_exexp(i->mod, c);
    case SFPU_EXMAN:
        return tsr_sfpu_exman(i->mod, c);
    case SFPU_SETEXP:
        return tsr_sfpu_setexp(i->mod, (uint8_t)i->imm, c, d);
    case SFPU_SETMAN:
        return tsr_sfpu_setman(i->mod, i->imm, c, d);
    case SFPU_SETSGN:
        return tsr_sfpu_setsgn(i->mod, i->imm, c, d);
    case SFPU_ABS:
        return tsr_sfpu_abs(i->mod, c);
    case SFPU_LZ:
        return tsr_sfpu_lz(i->mod, c);
    case SFPU_IADD:
        return tsr_sfpu_iadd(i->mod, i->imm, c, d);
    case SFPU_SHFT:
        return tsr_sfpu_shft(arch, i->mod, i->imm, c, d);
    case SFPU_ARECIP:
        return tsr_sfpu_arecip(i->mod, b, c);
    default:
        return tsr_sfpu_mul24(i->mod, a, b, c);
    }
}

static void test_operations(void **state)
{
    (void)state;
    static const uint8_t ops[] = {
        SFPU_LUT,   SFPU_LUTFP32, SFPU_CAST,   SFPU_STOCH_RND, SFPU_LOADI,  SFPU_DIVP2,
        SFPU_EXEXP, SFPU_EXMAN,   SFPU_SETEXP, SFPU_SETMAN,    SFPU_SETSGN, SFPU_ABS,
        SFPU_LZ,    SFPU_IADD,    SFPU_SHFT,   SFPU_ARECIP,    SFPU_MUL24};
    static const uint16_t limits[SFPU_OP_COUNT] = {
        [SFPU_LOADI] = 0xffff, [SFPU_DIVP2] = 0xff, [SFPU_SETEXP] = 0xff, [SFPU_SETMAN] = 0xfff,
        [SFPU_SETSGN] = 1,     [SFPU_IADD] = 0xfff, [SFPU_SHFT] = 0xfff,  [SFPU_STOCH_RND] = 31};
    for (uint64_t n = 0; n < operands_wanted; n++) {
        unsigned chip = n & 1, op = ops[n / 2 % sizeof ops], mod = any() % 16;
        uint32_t in[4] = {operand(), operand(), operand(), operand()}, first[7], random = any();
        if (!words[chip].info[op] || !(sfpu_modifiers(op, chip) >> mod & 1))
            continue;
        bool table = op == SFPU_LUT || op == SFPU_LUTFP32;
        for (unsigned reg = 0; reg < 7; reg++)
            first[reg] = operand();
        if (op == SFPU_MUL24 || op == SFPU_LUT)
            mod &= 7 & ~(op == SFPU_MUL24 ? 4u : 0); // not by way of L7
        struct sfpu_insn i = {.op = (uint8_t)op, .vd = 3, .vc = 2, .vb = 1, .va = 0};
        i.mod = (uint8_t)mod;
        i.imm = (uint16_t)(any() & limits[op]);
        i.rounding = (uint8_t)(any() % (chip ? 3 : 2));
        if (op == SFPU_LUTFP32 && mod & 8)
            continue;
        uint32_t expected = of_model(chip, &i, in, table ? first : NULL, random);
        same(sfpu_op_name(op), chip, mod, table ? first : in,
             of_library(chip, &i, in, first, random), expected);
    }
}

static void test_random(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 200; n++) {
        uint32_t seed = any(), states[SFPU_LANES];
        tsr_sfpu_seed(seed, states);
        sfpu_model_seed(&model, seed);
        assert_memory_equal(states, model.prng, sizeof states);
        for (unsigned i = 0; i < 40; i++) {
            model.drew = 0;
            assert_int_equal(tsr_sfpu_random(&states[i % 32]), sfpu_random(&model, i % 32));
            assert_int_equal(states[i % 32], model.prng[i % 32]);
        }
    }
}

static void test_order(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < operands_wanted; n++) {
        uint32_t in[4] = {operand(), n % 3 ? operand() : 0, 0, 0};
        if (n % 5 == 0)
            in[1] = in[0] ^ (any() & 1) << 31;
        same("the order", 0, 0, in, tsr_sfpu_less_than(in[0], in[1]), sfpu_smaller(in[0], in[1]));
    }
}

static void test_tables(void **state)
{
    (void)state;
    for (unsigned x = 0; x < 256; x++)
        assert_int_equal(tsr_sfpu_lut8((uint8_t)x), sfpu_lut8(x));
    for (unsigned x = 0; x < 65536; x++)
        assert_int_equal(tsr_sfpu_lut16((uint16_t)x), sfpu_lut16(x));
    for (uint32_t x = 0; x < 0x10000; x++) { // every entry, with every sign and exponent
        uint32_t c = x << 16 | (any() & 0xffff), sign = c & 0x80000000u;
        assert_int_equal(tsr_sfpu_arecip(0, 0, c), sign | sfpu_reciprocal(c & 0x7fffffff));
        assert_int_equal(tsr_sfpu_arecip(2, 0, c), sign | sfpu_exponential(c & 0x7fffffff));
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_multiply_add), cmocka_unit_test(test_operations),
        cmocka_unit_test(test_random),       cmocka_unit_test(test_order),
        cmocka_unit_test(test_tables),
    };
    if (argc > 1)
        operands_wanted = strtoull(argv[1], NULL, 0);
    if (argc > 2)
        state_of_random += strtoull(argv[2], NULL, 0) << 32;
    sfpu_words_init(&words[0], TSR_WORMHOLE_B0);
    sfpu_words_init(&words[1], TSR_BLACKHOLE_A0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
