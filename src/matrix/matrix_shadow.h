// SPDX-License-Identifier: Apache-2.0
// The matrix unit and the shadow state of Src and Dst: the checks before a row is read, and what is
// noted when one is written. A row is clean if all its columns are written and none is tainted.
// Pages: SrcASrcB.md, Dst.md.
#ifndef TESSERA_MATRIX_MATRIX_SHADOW_H
#define TESSERA_MATRIX_MATRIX_SHADOW_H

#include "matrix/matrix_job.h"
#include "state/report.h"

#include <string.h>

// Reports an access to Dst that is out of range or no longer supported.
bool tsr_matrix_check_dst(const struct tsr_matrix_call *call, bool wide);
// Whether it would report none.
static inline bool tsr_matrix_dst_defined(const struct tsr_matrix_job *job, bool wide)
{
    return !(job->order & TSR_DST_HIGH_HALVES) &&
           (!tsr_dst_folds(job->order, wide) || job->dst < TSR_DST_ROWS / 2);
}
// An undefined combination of modes: reports it, and taints what the instruction writes.
bool tsr_matrix_undefined(const struct tsr_matrix_call *call, enum tsr_finding code,
                          const char *what);

bool tsr_matrix_read_unclean_src(const struct tsr_matrix_call *call, int side, unsigned row,
                                 bool column0, uint16_t *tainted);
bool tsr_matrix_read_unclean_dst(const struct tsr_matrix_call *call,
                                 const struct tsr_dst_view *view, uint16_t *tainted);

// A row is read: adds its tainted columns to `tainted`, and reports those that were never written.
// `column0`: column 0 is read for all.
static inline bool tsr_matrix_read_src(const struct tsr_matrix_call *call, int side, unsigned row,
                                       bool column0, uint16_t *tainted)
{
    const struct tsr_src_bank *bank = tsr_matrix_bank(call, side);
    if (bank->written[row] == 0xffff && bank->tainted[row] == 0)
        return true;
    return tsr_matrix_read_unclean_src(call, side, row, column0, tainted);
}

static inline bool tsr_matrix_read_dst(const struct tsr_matrix_call *call,
                                       const struct tsr_dst_view *view, uint16_t *tainted)
{
    const struct tsr_dst *dst = &call->env->state->dst;
    if (tsr_dst_written(dst, view) == 0xffff && tsr_dst_tainted(dst, view) == 0)
        return true;
    return tsr_matrix_read_unclean_dst(call, view, tainted);
}

// Whether `rows` rows from `row` are clean. Masks of four rows fill a word.
static inline bool tsr_matrix_rows_clean(const uint16_t *written, const uint16_t *tainted,
                                         unsigned row, unsigned rows)
{
    uint64_t missing = 0, masks[4];
    unsigned end = row + rows;
    for (; row + 8 <= end; row += 8) {
        memcpy(&masks[0], &written[row], 2 * sizeof masks[0]);
        memcpy(&masks[2], &tainted[row], 2 * sizeof masks[0]);
        missing |= ~(masks[0] & masks[1]) | masks[2] | masks[3];
    }
    for (; row + 4 <= end; row += 4) {
        memcpy(&masks[0], &written[row], sizeof masks[0]);
        memcpy(&masks[1], &tainted[row], sizeof masks[1]);
        missing |= ~masks[0] | masks[1];
    }
    for (; row < end; row++)
        missing |= (uint16_t)~written[row] | tainted[row];
    return missing == 0;
}

// Whether the first `columns` columns of `rows` rows hold integers as unpackers make them.
bool tsr_matrix_rows_int8(const struct tsr_src_bank *bank, unsigned row, unsigned rows,
                          unsigned columns);
// Integer arithmetic reads that many rows of SrcA and SrcB: reports if they hold anything else.
// False: the tile stops.
bool tsr_matrix_check_int8(const struct tsr_matrix_call *call, unsigned rows_a, unsigned rows_b);

// Whether all the instruction's rows of Dst are clean.
bool tsr_matrix_dst_clean(const struct tsr_matrix_call *call, bool wide);

// Whole contiguous rows were written from `view` on.
void tsr_matrix_wrote_dst(const struct tsr_matrix_call *call, const struct tsr_dst_view *view,
                          unsigned rows, const uint16_t *tainted);

#endif
