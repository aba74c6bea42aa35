// SPDX-License-Identifier: Apache-2.0
// Loops of the element-wise operations over rows, one instance for each operation, exponent width,
// Dst width and accumulation, and the choice among them. matrix_SET.c of each vectorised set
// defines TSR_TARGET and includes this; ELEMENT_WITH_ROWS is 1 where element_avx512.h has the
// loops, ELEMENT_WITH_BF16 where element_avx2.h has those that end in BF16. Must equal
// tsr_fpu_add() and tsr_fpu_mul() of numerics/fpu.c. Pages: ELWADD.md, ELWSUB.md, ELWMUL.md.
#include "kernels/element_params.h"

#if ELEMENT_WITH_ROWS
#include "kernels/element_avx512.h"
#else
#if ELEMENT_WITH_BF16
#include "kernels/element_avx2.h"
#else
#define element_rows_bf16(high, a, b, datums, params) 0
#define element_rows_mul(high, a, b, datums, params) 0
#endif

TSR_INLINE TSR_TARGET tsr_lane_term element_term(const tsr_lane_params *params, bool mul,
                                                 uint32_t a, uint32_t b)
{
    return mul ? tsr_lane_mul(params, a, b) : tsr_lane_add(params, a, b);
}

TSR_INLINE TSR_TARGET void element_rows16(uint16_t *restrict high, const uint32_t *restrict a,
                                          const uint32_t *restrict b, size_t datums,
                                          tsr_lane_params params, bool mul, bool accumulate)
{
    size_t i = 0;
    if (!mul && !accumulate && tsr_lane_adds_bf16(&params))
        i = element_rows_bf16(high, a, b, datums, &params);
    else if (mul && params.e8)
        i = element_rows_mul(high, a, b, datums, &params);
    for (; i < datums; i++) {
        tsr_lane_term term = element_term(&params, mul, a[i], b[i]);
        int32_t top = term.exponent;
        int32_t sum = term.negative != 0 ? -term.magnitude : term.magnitude;
        if (accumulate) {
            uint32_t acc = tsr_lane_load_acc16(&params, high[i]);
            top = tsr_lane_max(top, (int32_t)(acc >> 23 & 0xffu));
            sum = tsr_lane_sum(&params, term, acc, top);
        }
        uint16_t bits = tsr_lane_round16(&params, sum, top, 13);
        high[i] = params.e8 ? tsr_dst_shuffle_bf16(bits) : tsr_dst_shuffle_fp16(bits);
    }
}

TSR_INLINE TSR_TARGET void element_rows32(uint16_t *restrict high, uint16_t *restrict low,
                                          const uint32_t *restrict a, const uint32_t *restrict b,
                                          size_t datums, tsr_lane_params params, bool mul,
                                          bool accumulate)
{
    for (size_t i = 0; i < datums; i++) {
        tsr_lane_term term = element_term(&params, mul, a[i], b[i]);
        int32_t top = term.exponent;
        int32_t sum = (term.negative != 0 ? -term.magnitude : term.magnitude) * 8192;
        if (accumulate) {
            uint32_t acc = (uint32_t)tsr_dst_unshuffle_bf16(high[i]) << 16 | low[i];
            top = tsr_lane_max(top, (int32_t)(acc >> 23 & 0xffu));
            sum = tsr_lane_sum(&params, term, acc, top);
        }
        uint32_t bits = tsr_lane_round32(&params, sum, top, 26);
        high[i] = tsr_dst_shuffle_bf16((uint16_t)(bits >> 16));
        low[i] = (uint16_t)bits;
    }
}
#endif

// A row that is not valid counts as zeros, so it may as well hold them.
TSR_INLINE TSR_TARGET void element_rows(uint16_t *high, uint16_t *low, const uint32_t *a,
                                        const uint32_t *b, size_t datums, bool valid,
                                        const tsr_element_mode *mode, bool mul, bool e8, bool acc32,
                                        bool accumulate)
{
    if (accumulate && !valid) {
        memset(high, 0, datums * sizeof *high);
        if (acc32)
            memset(low, 0, datums * sizeof *low);
    }
    tsr_lane_params params = tsr_element_params(mode, e8, acc32);
    if (acc32)
        element_rows32(high, low, a, b, datums, params, mul, accumulate);
    else
        element_rows16(high, a, b, datums, params, mul, accumulate);
}

#define ELEMENT_KERNEL(name, mul, e8, acc32, accumulate)                                           \
    static TSR_TARGET void name(uint16_t *high, uint16_t *low, const uint32_t *a,                  \
                                const uint32_t *b, size_t datums, bool valid,                      \
                                const tsr_element_mode *mode)                                      \
    {                                                                                              \
        element_rows(high, low, a, b, datums, valid, mode, mul, e8, acc32, accumulate);            \
    }

ELEMENT_KERNEL(add_e5_16, false, false, false, false)
ELEMENT_KERNEL(add_e5_16_acc, false, false, false, true)
ELEMENT_KERNEL(add_e5_32, false, false, true, false)
ELEMENT_KERNEL(add_e5_32_acc, false, false, true, true)
ELEMENT_KERNEL(add_e8_16, false, true, false, false)
ELEMENT_KERNEL(add_e8_16_acc, false, true, false, true)
ELEMENT_KERNEL(add_e8_32, false, true, true, false)
ELEMENT_KERNEL(add_e8_32_acc, false, true, true, true)
ELEMENT_KERNEL(mul_e5_16, true, false, false, true)
ELEMENT_KERNEL(mul_e5_32, true, false, true, true)
ELEMENT_KERNEL(mul_e8_16, true, true, false, true)
ELEMENT_KERNEL(mul_e8_32, true, true, true, true)

static tsr_element_fn *choose_element(const tsr_element_mode *mode)
{
    static tsr_element_fn *const add[2][2][2] = {
        {{add_e5_16, add_e5_16_acc}, {add_e5_32, add_e5_32_acc}},
        {{add_e8_16, add_e8_16_acc}, {add_e8_32, add_e8_32_acc}},
    };
    static tsr_element_fn *const mul[2][2] = {{mul_e5_16, mul_e5_32}, {mul_e8_16, mul_e8_32}};
    if (mode->int8 || mode->random)
        return NULL;
    if (mode->op == TSR_ELEMENT_MUL)
        return mul[mode->fpu.e8][mode->fpu.acc32];
    return add[mode->fpu.e8][mode->fpu.acc32][mode->accumulate];
}
