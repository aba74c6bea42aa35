// SPDX-License-Identifier: Apache-2.0
// STOREIND of four BF16 datums to SrcA or SrcB, at the unpackers' side. Page: STOREIND_Src.md.
#include "control/scalar_job.h"

enum { DATUMS = 4, FIRST_ROWS = 4, ROWS_OF_A_QUARTER = 16 };

// The low half of a GPR has sign, mantissa, exponent; the storage keeps sign, exponent, mantissa.
static uint32_t datum_low(uint32_t x)
{
    return (x >> 15 & 1) << 18 | (x & 0xff) << 10 | (x >> 8 & 0x7f) << 3;
}

// The high half is a BF16 as usual.
static uint32_t datum_high(uint32_t x)
{
    return (x >> 16) << 3;
}

static bool take_datums(struct tsr_env *env, const struct tsr_inflight *inst,
                        struct scalar_job *job)
{
    unsigned gpr = tsr_arg(env, inst, OPERAND_DataRegIndex) & ~3u;
    for (unsigned i = 0; i < DATUMS; i += 2) {
        uint32_t pair;
        if (!tsr_gpr_read(env, inst, gpr + i / 2, &pair, &job->tainted))
            return false;
        job->data[i] = datum_low(pair);
        job->data[i + 1] = datum_high(pair);
    }
    return true;
}

static bool row_undefined(struct tsr_env *env, const struct tsr_inflight *inst,
                          struct scalar_job *job, int row, int rows)
{
    enum tsr_verdict verdict =
        tsr_report(env, FINDING_STOREIND_SRC_ROW, inst, NULL,
                   "STOREIND to Src%c names row %d of %d; going on takes row %d.",
                   job->side == TSR_SRCA ? 'A' : 'B', row, rows, row % rows);
    job->tainted |= verdict == TSR_GO_TAINTED;
    return verdict != TSR_HALT;
}

// SrcA's rows count from the fourth; what is before them is written nowhere.
static bool place(struct tsr_env *env, const struct tsr_inflight *inst, struct scalar_job *job,
                  uint32_t index)
{
    bool to_a = job->side == TSR_SRCA;
    int rows = ROWS_OF_A_QUARTER, row = (int)(index >> 2) - (to_a ? FIRST_ROWS : 0);
    if (to_a && tsr_thread_cfg(env, inst->thread, FIELD_SRCA_SET_SetOvrdWithAddr)) {
        rows = TSR_SRC_ROWS;
        job->row_kept = true;
    }
    job->nowhere = row < 0;
    if (row >= rows && !row_undefined(env, inst, job, row, rows))
        return false;
    job->address = job->nowhere ? 0 : (uint32_t)(row % rows) * TSR_COLUMNS + (index & 3) * DATUMS;
    return true;
}

bool tsr_scalar_accept_src(struct tsr_env *env, struct tsr_inflight *inst, struct scalar_job *job)
{
    uint32_t base, offset;
    job->side = tsr_arg(env, inst, OPERAND_RegSizeSel) ? TSR_SRCB : TSR_SRCA;
    return take_datums(env, inst, job) &&
           tsr_gpr_read(env, inst, tsr_arg(env, inst, OPERAND_AddrRegIndex), &base,
                        &job->tainted) &&
           tsr_scalar_offset(env, inst, job, &offset) &&
           place(env, inst, job, (base + (offset >> 4)) & tsr_mask32(20));
}

tsr_reason tsr_scalar_store_src(struct tsr_env *env, struct tsr_inflight *inst,
                                struct scalar_job *job)
{
    struct tsr_src_bank *bank = tsr_src_for_unpacker(&env->state->src[job->side]);
    if (bank->matrix_owns)
        return job->side == TSR_SRCA ? TSR_REASON_SRCA : TSR_REASON_SRCB;
    if (job->nowhere)
        return TSR_REASON_NONE;
    unsigned row = job->address / TSR_COLUMNS, column = job->address % TSR_COLUMNS;
    if (!job->row_kept)
        row = (row + env->state->unpacker[job->side].src_row[inst->thread]) % TSR_SRC_ROWS;
    uint16_t columns = (uint16_t)(0xfu << column);
    for (unsigned i = 0; i < DATUMS; i++)
        bank->datum[row][column + i] = job->data[i];
    bank->written[row] |= columns;
    bank->tainted[row] = (uint16_t)((bank->tainted[row] & ~columns) | (job->tainted ? columns : 0));
    bank->filled = true;
    return TSR_REASON_NONE;
}
