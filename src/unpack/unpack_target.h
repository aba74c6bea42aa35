// SPDX-License-Identifier: Apache-2.0
// Where an output address lands in SrcA, SrcB or Dst, for the fast and the general path alike.
// Pages: UNPACR_Regular.md (the writes of the main loop), SrcASrcB.md; decisions 3 and 4.
#ifndef TESSERA_UNPACK_UNPACK_TARGET_H
#define TESSERA_UNPACK_UNPACK_TARGET_H

#include "unpack/unpack_job.h"

enum { TSR_UNPACK_DEAD_ROWS = 4 };

// Where an output row lands in its target; -1: in the dead zone before SrcA.
static inline int tsr_unpack_place(const struct tsr_unpack_job *job, unsigned src_row, uint32_t row)
{
    if (job->unpacker == 1)
        return (int)((row + src_row) & (TSR_SRC_ROWS - 1)); // decision 3
    bool from_address = job->shape.row_from_address;
    if (job->shape.to_dst) {
        row = (row - TSR_UNPACK_DEAD_ROWS) & (TSR_DST_ROWS - 1);
        return (int)(from_address ? row & 0x3cf : row); // decision 4
    }
    if (row < TSR_UNPACK_DEAD_ROWS)
        return -1;
    row -= TSR_UNPACK_DEAD_ROWS;
    if (!from_address)
        row = (row & 15) + src_row;
    return (int)(row & (TSR_SRC_ROWS - 1));
}

// The bits of the columns from `column` on, `count` of them at most.
static inline uint16_t tsr_unpack_columns(unsigned column, uint32_t count)
{
    uint32_t mask = count >= 16 ? 0xffffu : (1u << count) - 1u;
    return (uint16_t)(mask << column);
}

static inline void tsr_unpack_src_wrote(struct tsr_src_bank *bank, unsigned row, uint16_t mask,
                                        uint16_t tainted)
{
    bank->written[row] |= mask;
    bank->tainted[row] = (uint16_t)((bank->tainted[row] & ~mask) | (tainted & mask));
}

#endif
