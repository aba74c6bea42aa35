// SPDX-License-Identifier: Apache-2.0
// The multiply-add on 32 lanes and the tables that end in one, for sets without masks in registers
// (SFPMAD.md, SFPLUT.md, SFPLUTFP32.md). vector_SET.c defines TSR_TARGET, includes vector_masks.h,
// and vector_host_avx2.h if it has that, and then this. Without it the multiply-add is a loop that
// compilers can vectorise. Must equal vector_reference.c.
#ifndef TESSERA_KERNELS_VECTOR_FMA_TMPL_H
#define TESSERA_KERNELS_VECTOR_FMA_TMPL_H

#include "kernels/vector_lane.h"

#ifndef TESSERA_KERNELS_VECTOR_FMA_AVX2_H
// All lanes; returns those that are hard, and the reference's.
TSR_INLINE TSR_TARGET uint32_t vector_fma_lanes(uint32_t *out, const uint32_t *a, const uint32_t *b,
                                                const uint32_t *c, bool bh,
                                                const tsr_vector_mode *mode)
{
    uint32_t negate_a = mode->negate_a, negate_c = mode->negate_c, hard[TSR_VECTOR_LANES];
    for (int i = 0; i < TSR_VECTOR_LANES; i++)
        out[i] = tsr_lane_fma(a[i] ^ negate_a, b[i], c[i] ^ negate_c, bh, &hard[i]);
    return vector_signs(hard);
}
#endif

TSR_INLINE TSR_TARGET void vector_fma_to(uint32_t *out, const uint32_t *a, const uint32_t *b,
                                         const uint32_t *c, uint32_t lanes,
                                         const tsr_vector_mode *mode)
{
#ifdef TESSERA_KERNELS_VECTOR_HOST_AVX2_H
    if (vector_fma_by_host(out, a, b, c, mode))
        return;
#endif
    uint32_t hard = mode->arch == TSR_BLACKHOLE_A0 ? vector_fma_lanes(out, a, b, c, true, mode)
                                                   : vector_fma_lanes(out, a, b, c, false, mode);
    for (hard &= lanes; hard != 0; hard &= hard - 1) {
        int i = __builtin_ctz(hard);
        out[i] = tsr_sfpu_fma(mode->arch, a[i] ^ mode->negate_a, b[i], c[i] ^ mode->negate_c);
    }
}

static TSR_TARGET uint32_t vector_fma(uint32_t *d, const uint32_t *a, const uint32_t *b,
                                      const uint32_t *c, uint32_t lanes,
                                      const tsr_vector_mode *mode)
{
    uint32_t out[TSR_VECTOR_LANES];
    vector_fma_to(out, a, b, c, lanes, mode);
    vector_merge(d, out, lanes);
    return 0;
}

// ---------------------------------------------------------------- tables

TSR_INLINE TSR_TARGET uint32_t vector_coefficient8(uint32_t byte)
{
    uint32_t size = 0x3f800000u - ((byte & 0x70u) << 19) + ((byte & 0xfu) << 19);
    return ((byte & 0x80u) << 24 | size) & tsr_lane_if(byte != 0xff);
}

TSR_INLINE TSR_TARGET uint32_t vector_coefficient16(uint32_t half)
{
    uint32_t size = (half & 0x7fffu) << 13, tiny = tsr_lane_if(size >= 31u << 23);
    size = (size & 0x7fffffu & tiny) | ((size + (112u << 23)) & ~tiny);
    return (half & 0x8000u) << 16 | size;
}

// Of three registers of 32 lanes each, the one for |x|.
TSR_INLINE TSR_TARGET uint32_t vector_line(const uint32_t *lreg, int lane, uint32_t size)
{
    uint32_t below1 = tsr_lane_if(size < 0x3f800000u), below2 = tsr_lane_if(size < 0x40000000u);
    uint32_t upper = lreg[lane + 2 * TSR_VECTOR_LANES], middle = lreg[lane + TSR_VECTOR_LANES];
    uint32_t line = (middle & below2) | (upper & ~below2);
    return (lreg[lane] & below1) | (line & ~below1);
}

// 16 for the upper half of an interval, which begins at 0.5, 1.5 and 3 or 4.
TSR_INLINE TSR_TARGET uint32_t vector_half(uint32_t size, uint32_t last)
{
    uint32_t below1 = tsr_lane_if(size < 0x3f800000u), below2 = tsr_lane_if(size < 0x40000000u);
    uint32_t begin = (0x3fc00000u & below2) | (last & ~below2);
    begin = (0x3f000000u & below1) | (begin & ~below1);
    return 16u & tsr_lane_if(size >= begin);
}

TSR_INLINE TSR_TARGET void vector_lines(uint32_t *slope, uint32_t *offset, const uint32_t *lreg,
                                        const uint32_t *size, const tsr_vector_mode *mode)
{
    const uint32_t *offsets = lreg + 4 * TSR_VECTOR_LANES;
    uint32_t last = (mode->modifier & 1u) != 0 ? 0x40800000u : 0x40400000u;
    for (int i = 0; i < TSR_VECTOR_LANES; i++)
        slope[i] = vector_line(lreg, i, size[i]);
    if (mode->op == TSR_VECTOR_LUT) {
        for (int i = 0; i < TSR_VECTOR_LANES; i++) {
            offset[i] = vector_coefficient8(slope[i] & 0xffu);
            slope[i] = vector_coefficient8(slope[i] >> 8 & 0xffu);
        }
    } else if ((mode->modifier & 2u) == 0) {
        for (int i = 0; i < TSR_VECTOR_LANES; i++)
            offset[i] = vector_line(offsets, i, size[i]);
    } else if ((mode->modifier & 8u) != 0) {
        for (int i = 0; i < TSR_VECTOR_LANES; i++) {
            offset[i] = vector_coefficient16(slope[i]);
            slope[i] = vector_coefficient16(slope[i] >> 16);
        }
    } else {
        for (int i = 0; i < TSR_VECTOR_LANES; i++) {
            uint32_t places = vector_half(size[i], last);
            offset[i] = vector_coefficient16(vector_line(offsets, i, size[i]) >> places);
            slope[i] = vector_coefficient16(slope[i] >> places);
        }
    }
}

static TSR_TARGET uint32_t vector_table(uint32_t *d, const uint32_t *a, const uint32_t *b,
                                        const uint32_t *c, uint32_t lanes,
                                        const tsr_vector_mode *mode)
{
    uint32_t slope[TSR_VECTOR_LANES], size[TSR_VECTOR_LANES], offset[TSR_VECTOR_LANES];
    uint32_t out[TSR_VECTOR_LANES], sign = (mode->modifier & 4u) != 0 ? TSR_LANE_SIGN : 0;
    const uint32_t *x = a + 3 * TSR_VECTOR_LANES;
    const tsr_vector_mode plain = {.arch = mode->arch};
    (void)b, (void)c;
    for (int i = 0; i < TSR_VECTOR_LANES; i++)
        size[i] = x[i] & ~TSR_LANE_SIGN;
    vector_lines(slope, offset, a, size, mode);
#ifdef TESSERA_KERNELS_VECTOR_HOST_AVX2_H
    bool short_offsets = mode->op == TSR_VECTOR_LUT || (mode->modifier & 2u) != 0;
    if (!vector_lines_by_host(out, slope, size, offset, short_offsets,
                              mode->arch == TSR_BLACKHOLE_A0))
#endif
        vector_fma_to(out, slope, size, offset, lanes, &plain);
    for (int i = 0; i < TSR_VECTOR_LANES; i++)
        out[i] = (out[i] & ~sign) | (x[i] & sign);
    vector_merge(d, out, lanes);
    return 0;
}

#define VECTOR_FMA_KERNELS                                                                         \
    [TSR_VECTOR_FMA] = vector_fma, [TSR_VECTOR_LUT] = vector_table,                                \
    [TSR_VECTOR_LUTFP32] = vector_table,

#endif
