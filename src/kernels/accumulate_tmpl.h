// SPDX-License-Identifier: Apache-2.0
// Loops of the packers' accumulation onto L1, and the choice among them. pack_SET.c of each
// vectorised set defines TSR_TARGET and includes this. Must equal tsr_pack_accumulate() of
// numerics/l1_accumulate.c. Page: Packers/README.md.
#include "base/format_codes.h"
#include "kernels/accumulate_lane.h"

#define ACCUMULATE(name, get, put, size, sum)                                                      \
    static TSR_TARGET void name(uint8_t *restrict bytes, const uint8_t *restrict addends,          \
                                size_t datums, uint8_t format)                                     \
    {                                                                                              \
        (void)format;                                                                              \
        for (size_t i = 0; i < datums; i++) {                                                      \
            put(bytes + (size)*i, sum(get(bytes + (size)*i), get(addends + (size)*i)));            \
        }                                                                                          \
    }

TSR_INLINE void put_low16(uint8_t *bytes, uint32_t value)
{
    tsr_lane_put16(bytes, (uint16_t)value);
}

ACCUMULATE(accumulate_fp32, tsr_lane_get32, tsr_lane_put32, 4, tsr_lane_accumulate_fp32)
ACCUMULATE(accumulate_int32, tsr_lane_get32, tsr_lane_put32, 4, tsr_lane_accumulate_int32)
ACCUMULATE(accumulate_bf16, tsr_lane_get16, put_low16, 2, tsr_lane_accumulate_bf16)
ACCUMULATE(accumulate_fp16, tsr_lane_get16, put_low16, 2, tsr_lane_accumulate_fp16)

static tsr_accumulate_fn *choose_accumulate(uint8_t format)
{
    switch (format) {
    case TSR_FORMAT_FP32:
        return accumulate_fp32;
    case TSR_FORMAT_INT32:
        return accumulate_int32;
    case TSR_FORMAT_BF16:
        return accumulate_bf16;
    case TSR_FORMAT_FP16:
        return accumulate_fp16;
    default:
        return NULL;
    }
}
