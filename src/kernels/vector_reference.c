// SPDX-License-Identifier: Apache-2.0
// The vector unit's part of the reference set: every operation, one lane after the other through
// the functions of tessera/numerics.h. Slow on purpose: every other set must return the same bits.
// Pages: SFP*.md.
#include "base/random.h"
#include "kernels/kernel_set.h"
#include "kernels/vector_swap.h"
#include "numerics/sfpu.h"

enum { LANES = TSR_VECTOR_LANES };

// One lane's operands; 0 for what the operation does not have.
struct lane {
    uint32_t a, b, c, d;
};

static uint32_t at(const uint32_t *operand, int i)
{
    return operand ? operand[i] : 0;
}

static uint32_t table(const tsr_vector_mode *mode, const uint32_t *lreg, int i)
{
    uint32_t line[7] = {0};
    int count = mode->op == TSR_VECTOR_LUT ? 4 : 7;
    for (int reg = 0; reg < count; reg++)
        line[reg] = lreg[reg * LANES + i];
    return mode->op == TSR_VECTOR_LUT ? tsr_sfpu_lut(mode->arch, mode->modifier, line)
                                      : tsr_sfpu_lutfp32(mode->arch, mode->modifier, line);
}

static uint32_t field_result(const tsr_vector_mode *mode, const struct lane *lane)
{
    unsigned modifier = mode->modifier;
    uint16_t immediate = mode->immediate;
    switch (mode->op) {
    case TSR_VECTOR_DIVP2:
        return tsr_sfpu_divp2(modifier, (uint8_t)immediate, lane->c);
    case TSR_VECTOR_EXEXP:
        return tsr_sfpu_exexp(modifier, lane->c);
    case TSR_VECTOR_EXMAN:
        return tsr_sfpu_exman(modifier, lane->c);
    case TSR_VECTOR_SETEXP:
        return tsr_sfpu_setexp(modifier, (uint8_t)immediate, lane->c, lane->d);
    case TSR_VECTOR_SETMAN:
        return tsr_sfpu_setman(modifier, immediate, lane->c, lane->d);
    case TSR_VECTOR_SETSGN:
        return tsr_sfpu_setsgn(modifier, immediate, lane->c, lane->d);
    case TSR_VECTOR_ABS:
        return tsr_sfpu_abs(modifier, lane->c);
    default:
        return lane->d;
    }
}

static uint32_t integer_result(const tsr_vector_mode *mode, const struct lane *lane)
{
    unsigned modifier = mode->modifier;
    uint32_t state = lane->d;
    switch (mode->op) {
    case TSR_VECTOR_LZ:
        return tsr_sfpu_lz(modifier, lane->c);
    case TSR_VECTOR_IADD:
        return tsr_sfpu_iadd(modifier, mode->immediate, lane->c, lane->d);
    case TSR_VECTOR_SHFT:
        return tsr_sfpu_shft(mode->arch, modifier, mode->immediate, lane->c, lane->d);
    case TSR_VECTOR_SHFT2:
        return tsr_sfpu_shft2(modifier, mode->immediate, lane->b, lane->c);
    case TSR_VECTOR_LOADI:
        return tsr_sfpu_loadi(modifier, mode->immediate, lane->d);
    case TSR_VECTOR_AND:
        return lane->b & lane->c;
    case TSR_VECTOR_OR:
        return lane->b | lane->c;
    case TSR_VECTOR_XOR:
        return lane->b ^ lane->c;
    case TSR_VECTOR_NOT:
        return ~lane->c;
    case TSR_VECTOR_MOV:
        return lane->c ^ (modifier & 1u) << 31;
    case TSR_VECTOR_RANDOM:
        (void)tsr_prng_next(&state);
        return state;
    default:
        return field_result(mode, lane);
    }
}

static uint32_t result(const tsr_vector_mode *mode, const struct lane *lane, bool shift_by_b)
{
    switch (mode->op) {
    case TSR_VECTOR_FMA:
        return tsr_sfpu_fma(mode->arch, lane->a ^ mode->negate_a, lane->b,
                            lane->c ^ mode->negate_c);
    case TSR_VECTOR_MUL24:
        return tsr_sfpu_mul24(mode->modifier, lane->a, lane->b, lane->c);
    case TSR_VECTOR_CAST:
        return tsr_sfpu_cast(mode->arch, mode->modifier, lane->c, lane->a);
    case TSR_VECTOR_STOCH_RND:
        return tsr_sfpu_stoch_rnd(mode->modifier, mode->rounding, lane->c,
                                  shift_by_b ? lane->b : mode->immediate, lane->a);
    case TSR_VECTOR_ARECIP:
        return tsr_sfpu_arecip(mode->modifier, lane->b, lane->c);
    default:
        return integer_result(mode, lane);
    }
}

static bool is_flagged(const tsr_vector_mode *mode, const struct lane *lane, uint32_t value)
{
    switch (mode->op) {
    case TSR_VECTOR_EXEXP:
    case TSR_VECTOR_IADD:
        return value >> 31 != 0;
    case TSR_VECTOR_LZ:
        return value < 32;
    case TSR_VECTOR_LESS:
        return tsr_sfpu_less(lane->b, lane->c);
    case TSR_VECTOR_TEST:
        return (mode->modifier & 2u) != 0 ? lane->c != 0 : lane->c >> 31 != 0;
    default:
        return false;
    }
}

static uint32_t reference_lanes(uint32_t *d, const uint32_t *a, const uint32_t *b,
                                const uint32_t *c, uint32_t lanes, const tsr_vector_mode *mode)
{
    bool is_table = mode->op == TSR_VECTOR_LUT || mode->op == TSR_VECTOR_LUTFP32;
    uint32_t flagged = 0;
    for (int i = 0; i < LANES; i++) {
        if ((lanes >> i & 1u) == 0)
            continue;
        struct lane lane = {at(a, i), at(b, i), at(c, i), at(d, i)};
        uint32_t value = is_table ? table(mode, a, i) : result(mode, &lane, b != NULL);
        flagged |= (uint32_t)is_flagged(mode, &lane, value) << i;
        if (d)
            d[i] = value;
    }
    return flagged;
}

static uint32_t reference_swap(uint32_t *c, uint32_t *d, uint32_t lanes,
                               const tsr_vector_mode *mode)
{
    uint32_t swapped = 0;
    for (int i = 0; i < LANES; i++) {
        uint32_t bit = 1u << i;
        bool less = tsr_sfpu_less(c[i], d[i]);
        bool minimum = (tsr_vector_minimum_lanes(mode->modifier) & bit) != 0;
        bool swap = (minimum ? less : !less) != ((mode->inverted & bit) != 0);
        if ((lanes & bit) == 0 || (mode->modifier != 0 && !swap))
            continue;
        uint32_t value = c[i];
        c[i] = d[i];
        d[i] = value;
        swapped |= bit;
    }
    return swapped;
}

// Lane 8 r + k is column 2 k, or the one after it, of row r.
static int cell_of(int lane, bool odd)
{
    return 2 * lane + odd;
}

static void reference_load(uint32_t *d, const uint16_t *high, const uint16_t *low, bool odd,
                           uint32_t lanes, const tsr_vector_mode *mode)
{
    for (int i = 0; i < LANES; i++) {
        int cell = cell_of(i, odd);
        if ((lanes >> i & 1u) == 0)
            continue;
        uint32_t stored = low ? (uint32_t)high[cell] << 16 | low[cell] : high[cell];
        d[i] = tsr_sfpu_load(mode->arch, mode->modifier, stored, d[i], mode->fp16a_inf);
    }
}

static void reference_store(uint16_t *high, uint16_t *low, const uint32_t *d, bool odd,
                            uint32_t lanes, const tsr_vector_mode *mode)
{
    for (int i = 0; i < LANES; i++) {
        int cell = cell_of(i, odd);
        if ((lanes >> i & 1u) == 0)
            continue;
        uint32_t stored = tsr_sfpu_store(mode->arch, mode->modifier, d[i]);
        high[cell] = (uint16_t)(low ? stored >> 16 : stored);
        if (low)
            low[cell] = (uint16_t)stored;
    }
}

static tsr_vector_fn *choose_lanes(const tsr_vector_mode *mode)
{
    (void)mode;
    return reference_lanes;
}

static tsr_vector_swap_fn *choose_swap(const tsr_vector_mode *mode)
{
    (void)mode;
    return reference_swap;
}

static tsr_vector_load_fn *choose_load(const tsr_vector_mode *mode)
{
    (void)mode;
    return reference_load;
}

static tsr_vector_store_fn *choose_store(const tsr_vector_mode *mode)
{
    (void)mode;
    return reference_store;
}

const struct tsr_vector_kernels tsr_vector_reference = {choose_lanes, choose_swap, choose_load,
                                                        choose_store};
