// SPDX-License-Identifier: Apache-2.0
// Arithmetic of the cores' F and Zfh instructions, with integers only. A finite number is m * 2^e;
// sums are made with the larger operand's first bit at bit 61, and what is shifted out sets bit 0.
// Pages: InstructionSet.md (F, Zfh) and CSRs.md (fcsr, cfg0) of BlackholeA0/TensixTile/BabyRISCV.
#include "riscv/soft_float.h"

const struct tsr_float tsr_float32 = {8, 23, false}, tsr_float16 = {5, 10, false},
                       tsr_bfloat16 = {8, 7, false}, tsr_bfloat16_to_zero = {8, 7, true};

enum kind { ZERO, FINITE, INFINITE, NOT_A_NUMBER };
enum { TOP = 61 };

struct number {
    enum kind kind;
    bool sign, signals; // a signalling NaN
    int e;
    uint64_t m;
};

static int bias_of(const struct tsr_float *format)
{
    return (1 << (format->exponent_bits - 1)) - 1;
}

static uint32_t infinity(const struct tsr_float *format)
{
    return ((1u << format->exponent_bits) - 1) << format->mantissa_bits;
}

uint32_t tsr_float_nan(const struct tsr_float *format)
{
    return infinity(format) | 1u << (format->mantissa_bits - 1);
}

uint32_t tsr_float_sign(const struct tsr_float *format)
{
    return 1u << (format->exponent_bits + format->mantissa_bits);
}

static struct number number_of(const struct tsr_float *format, uint32_t bits, bool flush)
{
    uint32_t m = bits & ((1u << format->mantissa_bits) - 1);
    int e = (int)(bits >> format->mantissa_bits & ((1u << format->exponent_bits) - 1));
    struct number number = {.sign = bits & tsr_float_sign(format)};
    int least = 1 - bias_of(format) - format->mantissa_bits;
    if (e == (1 << format->exponent_bits) - 1) {
        number.kind = m ? NOT_A_NUMBER : INFINITE;
        number.signals = m && !(m >> (format->mantissa_bits - 1));
    } else if (e == 0) {
        number.kind = m && !flush ? FINITE : ZERO;
        number.m = flush ? 0 : m;
        number.e = least;
    } else {
        number.kind = FINITE;
        number.m = m | 1u << format->mantissa_bits;
        number.e = least + e - 1;
    }
    return number;
}

static int bits_in(uint64_t m)
{
    return 64 - __builtin_clzll(m);
}

static uint64_t shift_right(uint64_t m, int by) // bit 0 says that something went
{
    if (by > 63)
        return m != 0;
    return m >> by | ((m & ((1ull << by) - 1)) != 0);
}

// m * 2^e, m not 0, in the format.
static uint32_t round_number(const struct tsr_float *format, bool flush, struct number x,
                             unsigned *flags)
{
    uint32_t sign = x.sign ? tsr_float_sign(format) : 0;
    int exponent = x.e + bits_in(x.m) - 1 + bias_of(format);
    int right = bits_in(x.m) - format->mantissa_bits - 1 + (exponent <= 0 ? 1 - exponent : 0);
    uint64_t kept = x.m;
    bool inexact = false, up = false;
    if (right > 0) {
        uint64_t with_two = right > 2 ? shift_right(x.m, right - 2) : x.m << (2 - right);
        kept = with_two >> 2;
        inexact = with_two & 3;
        up = !format->to_zero && ((with_two & 3) == 3 || (with_two & 7) == 6);
    } else {
        kept <<= -right;
    }
    // The first bit of a normal number adds the one that its exponent lacks here.
    uint32_t bits = (uint32_t)kept + up;
    if (exponent > 0)
        bits += (uint32_t)(exponent - 1 > 0x1ff ? 0x1ff : exponent - 1) << format->mantissa_bits;
    if (bits >= infinity(format)) {
        *flags |= TSR_FLOAT_OVERFLOW | TSR_FLOAT_INEXACT;
        return sign | (infinity(format) - format->to_zero);
    }
    bool tiny = bits >> format->mantissa_bits == 0;
    if (flush && tiny) {
        *flags |= TSR_FLOAT_UNDERFLOW | TSR_FLOAT_INEXACT;
        return sign;
    }
    if (inexact)
        *flags |= TSR_FLOAT_INEXACT | (tiny ? TSR_FLOAT_UNDERFLOW : 0);
    return sign | bits;
}

static void put_on_top(struct number *x)
{
    int left = TOP + 1 - bits_in(x->m);
    x->m <<= left;
    x->e -= left;
}

static struct number sum(struct number x, struct number y)
{
    put_on_top(&x);
    put_on_top(&y);
    if (x.e < y.e || (x.e == y.e && x.m < y.m)) {
        struct number swapped = x;
        x = y;
        y = swapped;
    }
    y.m = shift_right(y.m, x.e - y.e);
    x.m = x.sign == y.sign ? x.m + y.m : x.m - y.m;
    if (x.m == 0)
        x.kind = ZERO;
    return x;
}

static uint32_t invalid(const struct tsr_float *format, unsigned *flags)
{
    *flags |= TSR_FLOAT_INVALID;
    return tsr_float_nan(format);
}

// x * y + z, if there is no NaN.
static uint32_t multiply_add(const struct tsr_float *format, const struct number *x,
                             const struct number *y, struct number z, unsigned *flags)
{
    uint32_t sign = tsr_float_sign(format);
    struct number p = {.sign = x->sign != y->sign, .e = x->e + y->e, .m = x->m * y->m};
    if (x->kind == INFINITE || y->kind == INFINITE) {
        if (x->kind == ZERO || y->kind == ZERO || (z.kind == INFINITE && z.sign != p.sign))
            return invalid(format, flags);
        return (p.sign ? sign : 0) | infinity(format);
    }
    if (z.kind == INFINITE)
        return (z.sign ? sign : 0) | infinity(format);
    p.kind = p.m ? FINITE : ZERO;
    if (p.kind == ZERO && z.kind == ZERO)
        return p.sign && z.sign ? sign : 0;
    if (z.kind == FINITE)
        p = p.kind == ZERO ? z : sum(p, z);
    return p.kind == ZERO ? 0 : round_number(format, true, p, flags);
}

uint32_t tsr_float_fma(const struct tsr_float *format, uint32_t a, uint32_t b, uint32_t c,
                       unsigned *flags)
{
    struct number x = number_of(format, a, true), y = number_of(format, b, true);
    struct number z = number_of(format, c, true);
    if (x.kind == NOT_A_NUMBER || y.kind == NOT_A_NUMBER || z.kind == NOT_A_NUMBER) {
        bool no_product =
            (x.kind == INFINITE && y.kind == ZERO) || (x.kind == ZERO && y.kind == INFINITE);
        if (x.signals || y.signals || z.signals || no_product)
            *flags |= TSR_FLOAT_INVALID;
        return tsr_float_nan(format);
    }
    return multiply_add(format, &x, &y, z, flags);
}

uint32_t tsr_float_add(const struct tsr_float *format, uint32_t a, uint32_t b, unsigned *flags)
{
    uint32_t one = (uint32_t)bias_of(format) << format->mantissa_bits;
    return tsr_float_fma(format, a, one, b, flags);
}

uint32_t tsr_float_mul(const struct tsr_float *format, uint32_t a, uint32_t b, unsigned *flags)
{
    // A zero of the product's sign changes nothing, not even a zero.
    return tsr_float_fma(format, a, b, (a ^ b) & tsr_float_sign(format), flags);
}

// ---------------------------------------------------------------- comparisons

// Sign and magnitude as an integer in their order; both zeros are 0.
static int64_t order_of(const struct tsr_float *format, uint32_t a)
{
    int64_t magnitude = a & (tsr_float_sign(format) - 1);
    return a & tsr_float_sign(format) ? -magnitude : magnitude;
}

static bool any_nan(const struct tsr_float *format, uint32_t a, uint32_t b, bool quiet_is_invalid,
                    unsigned *flags)
{
    struct number x = number_of(format, a, false), y = number_of(format, b, false);
    bool nan = x.kind == NOT_A_NUMBER || y.kind == NOT_A_NUMBER;
    if (x.signals || y.signals || (nan && quiet_is_invalid))
        *flags |= TSR_FLOAT_INVALID;
    return nan;
}

bool tsr_float_equal(const struct tsr_float *format, uint32_t a, uint32_t b, unsigned *flags)
{
    return !any_nan(format, a, b, false, flags) && order_of(format, a) == order_of(format, b);
}

bool tsr_float_less(const struct tsr_float *format, uint32_t a, uint32_t b, bool or_equal,
                    unsigned *flags)
{
    if (any_nan(format, a, b, true, flags))
        return false;
    int64_t x = order_of(format, a), y = order_of(format, b);
    return or_equal ? x <= y : x < y;
}

uint32_t tsr_float_min(const struct tsr_float *format, uint32_t a, uint32_t b, bool most,
                       unsigned *flags)
{
    if (any_nan(format, a, b, false, flags)) {
        bool a_is = number_of(format, a, false).kind == NOT_A_NUMBER;
        bool b_is = number_of(format, b, false).kind == NOT_A_NUMBER;
        return a_is && b_is ? tsr_float_nan(format) : a_is ? b : a;
    }
    int64_t x = order_of(format, a), y = order_of(format, b);
    bool a_is_less = x < y || (x == y && a & tsr_float_sign(format)); // -0 before +0
    return a_is_less != most ? a : b;
}

uint32_t tsr_float_class(const struct tsr_float *format, uint32_t a)
{
    struct number x = number_of(format, a, false);
    if (x.kind == NOT_A_NUMBER)
        return x.signals ? 1u << 8 : 1u << 9;
    bool denormal = x.kind == FINITE && !(a & infinity(format));
    unsigned from_zero = x.kind == ZERO ? 0 : x.kind == INFINITE ? 3 : denormal ? 1 : 2;
    return 1u << (x.sign ? 3 - from_zero : 4 + from_zero);
}

// ---------------------------------------------------------------- conversions

uint32_t tsr_float_to_int(const struct tsr_float *format, uint32_t a, bool is_signed,
                          unsigned *flags)
{
    struct number x = number_of(format, a, false);
    uint64_t most = !is_signed ? (x.sign ? 0 : UINT32_MAX) : (x.sign ? 0x80000000u : 0x7fffffffu);
    uint32_t limit = (uint32_t)most;
    if (x.kind == NOT_A_NUMBER)
        limit = is_signed ? 0x7fffffffu : UINT32_MAX;
    if (x.kind == ZERO)
        return 0;
    if (x.kind != FINITE || x.e > 32) {
        *flags |= TSR_FLOAT_INVALID;
        return limit;
    }
    uint64_t with_two = x.e >= -2 ? x.m << (x.e + 2) : shift_right(x.m, -2 - x.e);
    bool up = !format->to_zero && ((with_two & 3) == 3 || (with_two & 7) == 6);
    uint64_t value = (with_two >> 2) + up;
    if (value > most) {
        *flags |= TSR_FLOAT_INVALID;
        return limit;
    }
    if (with_two & 3)
        *flags |= TSR_FLOAT_INEXACT;
    return x.sign ? 0u - (uint32_t)value : (uint32_t)value;
}

uint32_t tsr_float_from_int(const struct tsr_float *format, uint32_t value, bool is_signed,
                            unsigned *flags)
{
    bool negative = is_signed && value >> 31;
    struct number x = {FINITE, negative, false, 0, negative ? 0u - value : value};
    return value == 0 ? 0 : round_number(format, false, x, flags);
}

uint32_t tsr_float_convert(const struct tsr_float *to, const struct tsr_float *from, uint32_t a,
                           unsigned *flags)
{
    struct number x = number_of(from, a, false);
    uint32_t sign = x.sign ? tsr_float_sign(to) : 0;
    switch (x.kind) {
    case ZERO:
        return sign;
    case INFINITE:
        return sign | infinity(to);
    case NOT_A_NUMBER:
        if (x.signals)
            *flags |= TSR_FLOAT_INVALID;
        return tsr_float_nan(to);
    default:
        return round_number(to, false, x, flags);
    }
}
