// SPDX-License-Identifier: Apache-2.0
// The multiply-add on 32 lanes as a loop that compilers can vectorise, for sets without one of
// their own (SFPMAD.md). vector_SET.c defines TSR_TARGET and vector_merge() and includes this after
// vector_lane.h. Must equal vector_reference.c.
#ifndef TESSERA_KERNELS_VECTOR_FMA_TMPL_H
#define TESSERA_KERNELS_VECTOR_FMA_TMPL_H

#include "kernels/vector_lane.h"

TSR_LANE TSR_TARGET void vector_fma_all(uint32_t *out, uint32_t *hard, const uint32_t *a,
                                        const uint32_t *b, const uint32_t *c, bool bh,
                                        const tsr_vector_mode *mode)
{
    uint32_t negate_a = mode->negate_a, negate_c = mode->negate_c;
    for (int i = 0; i < TSR_VECTOR_LANES; i++)
        out[i] = tsr_lane_fma(a[i] ^ negate_a, b[i], c[i] ^ negate_c, bh, &hard[i]);
}

static TSR_TARGET uint32_t vector_fma(uint32_t *d, const uint32_t *a, const uint32_t *b,
                                      const uint32_t *c, uint32_t lanes,
                                      const tsr_vector_mode *mode)
{
    uint32_t out[TSR_VECTOR_LANES], hard[TSR_VECTOR_LANES];
    if (mode->arch == TSR_BLACKHOLE_A0)
        vector_fma_all(out, hard, a, b, c, true, mode);
    else
        vector_fma_all(out, hard, a, b, c, false, mode);
    for (uint32_t left = vector_signs(hard) & lanes; left != 0; left &= left - 1) {
        int i = __builtin_ctz(left);
        out[i] = tsr_sfpu_fma(mode->arch, a[i] ^ mode->negate_a, b[i], c[i] ^ mode->negate_c);
    }
    vector_merge(d, out, lanes);
    return 0;
}

#endif
