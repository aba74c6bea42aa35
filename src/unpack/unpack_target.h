// SPDX-License-Identifier: Apache-2.0
// Where an unpack's output goes: rows of SrcA, SrcB or Dst, and the unpackers' bank of SrcA or
// SrcB, which passes to the matrix unit in two steps.
// Pages: UNPACR_Regular.md (the writes of the main loop; FlipSrc), SrcASrcB.md; decisions 3 and 4.
#ifndef TESSERA_UNPACK_UNPACK_TARGET_H
#define TESSERA_UNPACK_UNPACK_TARGET_H

#include "state/src_hand_over.h"
#include "unpack/unpack_job.h"

#include <string.h>

// ---------------------------------------------------------------- the bank

// The first step, when the instruction executes: the unpackers' pointer goes to the other bank
// [SrcBank ^= 1], and SrcRow starts again. The bank's owner does not change yet.
void tsr_unpack_hand_over(struct tsr_env *env, struct tsr_inflight *inst);
// The second, when it completes: the bank and its format are the matrix unit's [AllowedClient].
void tsr_unpack_publish_bank(struct tsr_env *env, struct tsr_inflight *inst);

// Both at once. `base` and `format` are the job's src_row_base and implied_format.
static inline void tsr_unpack_give_bank(struct tsr_env *env, struct tsr_origin by,
                                        unsigned unpacker, uint8_t base, uint8_t format)
{
    struct tsr_src *src = &env->state->src[unpacker];
    struct tsr_src_bank *bank = &src->bank[tsr_src_hand_over(env, by, (int)unpacker)];
    bank->matrix_owns = true;
    if (env->chip->implied_formats)
        bank->implied_format = format;
    env->state->unpacker[unpacker].src_row[by.which] = base;
}

static inline void tsr_unpack_step_src_row(struct tsr_env *env, unsigned unpacker, unsigned thread,
                                           uint8_t base)
{
    uint8_t *src_row = &env->state->unpacker[unpacker].src_row[thread];
    *src_row = (uint8_t)((*src_row + 16 + base) & (TSR_SRC_ROWS - 1));
}

// ---------------------------------------------------------------- rows

// Rows 0 to 3 of an output address lie before SrcA and Dst.
enum { TSR_UNPACK_ROWS_BEFORE = 4 };

// Where an output row lies in its target; -1: before SrcA, where nothing is written.
static inline int tsr_unpack_target_row(const struct tsr_unpack_job *job, unsigned src_row,
                                        uint32_t row)
{
    if (job->unpacker == 1)
        return (int)((row + src_row) & (TSR_SRC_ROWS - 1)); // decision 3
    bool from_address = job->config.row_from_address;
    if (job->config.to_dst) {
        row = (row - TSR_UNPACK_ROWS_BEFORE) & (TSR_DST_ROWS - 1);
        return (int)(from_address ? row & 0x3cf : row); // decision 4
    }
    if (row < TSR_UNPACK_ROWS_BEFORE)
        return -1;
    row -= TSR_UNPACK_ROWS_BEFORE;
    if (!from_address)
        row = (row & 15) + src_row;
    return (int)(row & (TSR_SRC_ROWS - 1));
}

// Rows that the job writes and the target does not have. SrcB's rows depend on SrcRow, too, which
// is sampled at execution: they have a function of their own.
tsr_unpack_anomalies tsr_unpack_check_rows(const struct tsr_env *env,
                                           const struct tsr_unpack_job *job);
tsr_unpack_anomalies tsr_unpack_check_srcb_rows(const struct tsr_env *env,
                                                const struct tsr_unpack_job *job);

// ---------------------------------------------------------------- columns

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
    tsr_src_mark(bank, row, 1);
}

static inline void tsr_unpack_src_wrote_whole(struct tsr_src_bank *bank, unsigned row,
                                              unsigned rows, bool tainted)
{
    memset(&bank->written[row], 0xff, rows * sizeof bank->written[0]);
    memset(&bank->tainted[row], tainted ? 0xff : 0, rows * sizeof bank->tainted[0]);
    tsr_src_mark(bank, row, rows);
}

// So many datums from a row's beginning on. A face's are the common case, of which the compiler
// makes a few stores.
static inline void tsr_unpack_src_wrote_rows(struct tsr_src_bank *bank, unsigned row,
                                             uint32_t datums, bool tainted)
{
    if (datums == TSR_COLUMNS * TSR_COLUMNS) {
        tsr_unpack_src_wrote_whole(bank, row, TSR_COLUMNS, tainted);
        return;
    }
    unsigned whole = datums / TSR_COLUMNS, rest = datums % TSR_COLUMNS;
    tsr_unpack_src_wrote_whole(bank, row, whole, tainted);
    if (rest > 0)
        tsr_unpack_src_wrote(bank, row + whole, tsr_unpack_columns(0, rest), tainted ? 0xffff : 0);
}

#endif
