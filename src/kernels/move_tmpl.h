// SPDX-License-Identifier: Apache-2.0
// Loops of the moves from Src to Dst, and the choice among them. matrix_SET.c of each vectorised
// set without loops of its own defines TSR_TARGET and includes this; MOVE_WITH_BF16 is 1 where
// move_avx2.h has rows of BF16. Must equal reference_move() of kernels_reference.c. Pages:
// MOVA2D.md, MOVB2D.md.
#include "kernels/unpack_lane.h"

#if MOVE_WITH_BF16
#include "kernels/move_avx2.h"
#else
#define move_rows_bf16(high, cells, datums, mode) 0
#endif
#define move_rows_fp16(high, cells, datums, mode) 0

#define MOVE_16(name, rows, convert)                                                               \
    static TSR_TARGET void name(uint16_t *restrict high, uint16_t *low,                            \
                                const uint32_t *restrict cells, size_t datums,                     \
                                const tsr_move_mode *mode)                                         \
    {                                                                                              \
        (void)low;                                                                                 \
        uint32_t mask = mode->mask;                                                                \
        uint32_t keep = mode->flush ? 0 : ~0u;                                                     \
        for (size_t i = rows(high, cells, datums, mode); i < datums; i++) {                        \
            high[i] = convert(tsr_lane_flush(cells[i], mask, keep));                               \
        }                                                                                          \
    }

MOVE_16(move_bf16, move_rows_bf16, tsr_lane_dst_bf16)
MOVE_16(move_fp16, move_rows_fp16, tsr_lane_dst_fp16)

static TSR_TARGET void move_tf32(uint16_t *restrict high, uint16_t *restrict low,
                                 const uint32_t *restrict cells, size_t datums,
                                 const tsr_move_mode *mode)
{
    uint32_t mask = mode->mask;
    uint32_t keep = mode->flush ? 0 : ~0u;
    for (size_t i = 0; i < datums; i++) {
        uint32_t cell = tsr_lane_flush(cells[i], mask, keep);
        high[i] = tsr_lane_dst_bf16(cell);
        low[i] = (uint16_t)(cell << 13);
    }
}

static tsr_move_fn *choose_move(const tsr_move_mode *mode)
{
    static tsr_move_fn *const moves[TSR_MOVE_KINDS] = {
        [TSR_MOVE_BF16] = move_bf16, [TSR_MOVE_FP16] = move_fp16, [TSR_MOVE_TF32] = move_tf32};
    return moves[mode->kind];
}
