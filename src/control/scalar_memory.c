// SPDX-License-Identifier: Apache-2.0
// Loads and stores: LOADIND, STOREIND to L1, to the registers at 0xffbxxxxx, which the tile's
// address map finds, and of four BF16 datums to SrcA or SrcB at the unpackers' side; LOADREG and
// STOREREG. Pages: LOADIND.md, STOREIND.md, STOREIND_L1.md, STOREIND_MMIO.md, STOREIND_Src.md,
// LOADREG.md, STOREREG.md.
#include "control/scalar_memory.h"

#include "state/races.h"
#include "state/register_access.h"
#include "state/report.h"

#include <stdio.h>

static const uint8_t offset_steps[4] = {0, 2, 4, 16}; // of OffsetIncrement
static const uint8_t sizes[4] = {16, 4, 2, 1};        // of Size, in bytes

// ---------------------------------------------------------------- addresses

// The half GPR that OffsetIndex names: its value, and its step as job->offset.
static bool take_offset(struct tsr_env *env, const struct tsr_inflight *inst,
                        struct tsr_scalar_job *job, uint32_t *offset)
{
    unsigned half = tsr_arg(env, inst, OPERAND_OffsetIndex);
    unsigned shift = half % 2 * 16, step = offset_steps[tsr_arg(env, inst, OPERAND_AutoIncSpec)];
    uint32_t whole;
    bool tainted = false;
    if (!tsr_gpr_read(env, inst, half / 2, &whole, &tainted))
        return false;
    *offset = whole >> shift & 0xffffu;
    job->tainted |= tainted;
    job->offset = (struct tsr_gpr_write){.value = {((*offset + step) & 0xffffu) << shift},
                                         .mask = {step ? 0xffffu << shift : 0},
                                         .gpr = (uint8_t)(half / 2),
                                         .words = 1,
                                         .tainted = tainted};
    return true;
}

bool tsr_scalar_l1_address(struct tsr_env *env, const struct tsr_inflight *inst,
                           struct tsr_scalar_job *job, uint32_t address, unsigned size)
{
    const struct tsr_l1 *l1 = &env->state->l1;
    job->address = address & ~(size - 1u);
    job->size = (uint8_t)size;
    if (tsr_l1_holds(l1, job->address, size))
        return true;
    enum tsr_verdict verdict = tsr_report(
        env, FINDING_L1_OUT_OF_RANGE, inst, NULL, "%s addresses 0x%x, behind L1's %u bytes.",
        tsr_op_name((enum tsr_op)inst->op), (unsigned)address, (unsigned)l1->size);
    job->nowhere = true;
    job->tainted |= verdict == TSR_GO_TAINTED;
    return verdict != TSR_HALT;
}

bool tsr_scalar_l1_shadow(struct tsr_env *env, const struct tsr_inflight *inst,
                          struct tsr_scalar_job *job, uint32_t address, unsigned size)
{
    const struct tsr_l1 *l1 = &env->state->l1;
    const char *name = tsr_op_name((enum tsr_op)inst->op);
    if (!tsr_l1_all_written(l1, address, size) &&
        tsr_report(env, FINDING_UNINITIALISED_L1, inst, NULL,
                   "%s reads %u bytes of L1 at 0x%05x, which were never written.", name, size,
                   (unsigned)address) == TSR_HALT)
        return false;
    if (!tsr_l1_any_tainted(l1, address, size))
        return true;
    job->tainted = true;
    return tsr_report(env, FINDING_TAINTED_DATUM_USED, inst, NULL,
                      "%s reads %u bytes of L1 at 0x%05x, which came out of undefined behaviour.",
                      name, size, (unsigned)address) != TSR_HALT;
}

// Sixteen bytes are four GPRs from a multiple of four.
static unsigned first_gpr(const struct tsr_env *env, const struct tsr_inflight *inst, unsigned size)
{
    unsigned gpr = tsr_arg(env, inst, OPERAND_DataRegIndex);
    return size == 16 ? gpr & ~3u : gpr;
}

// The GPR counts 16 bytes, the offset single ones.
static bool address_of(struct tsr_env *env, const struct tsr_inflight *inst,
                       struct tsr_scalar_job *job, unsigned size)
{
    uint32_t base, offset;
    return tsr_gpr_read(env, inst, tsr_arg(env, inst, OPERAND_AddrRegIndex), &base,
                        &job->tainted) &&
           take_offset(env, inst, job, &offset) &&
           tsr_scalar_l1_address(env, inst, job, base * 16 + offset, size);
}

// ---------------------------------------------------------------- LOADIND

static bool accept_loadind(struct tsr_env *env, struct tsr_inflight *inst,
                           struct tsr_scalar_job *job)
{
    unsigned size = sizes[tsr_arg(env, inst, OPERAND_SizeSel)];
    job->memory = true;
    job->result_delay =
        (uint8_t)(env->timing ? env->isa->rate[RATE_SCALAR_LOAD] - inst->duration : 0);
    job->result.gpr = (uint8_t)first_gpr(env, inst, size);
    job->result.words = size == 16 ? 4 : 1;
    for (unsigned i = 0; i < job->result.words; i++)
        job->result.mask[i] = tsr_mask32(size < 4 ? size * 8 : 32);
    return address_of(env, inst, job, size);
}

// Narrow loads leave the rest of the GPR as it is.
static tsr_reason execute_loadind(struct tsr_env *env, struct tsr_inflight *inst,
                                  struct tsr_scalar_job *job)
{
    const struct tsr_l1 *l1 = &env->state->l1;
    if (!job->nowhere) {
        if (!tsr_scalar_l1_shadow(env, inst, job, job->address, job->size))
            return TSR_REASON_NONE;
        tsr_race_l1(env, false, job->address, job->size);
        for (unsigned i = 0; i < job->size; i++)
            job->result.value[i / 4] |= (uint32_t)l1->bytes[job->address + i] << (i % 4 * 8);
    }
    job->result.tainted = job->tainted;
    return TSR_REASON_NONE;
}

// ---------------------------------------------------------------- STOREIND to L1

// The page steps the offset first and reads the data then: a GPR that is both is stored as stepped.
static bool accept_l1(struct tsr_env *env, struct tsr_inflight *inst, struct tsr_scalar_job *job)
{
    unsigned size =
        sizes[tsr_arg(env, inst, OPERAND_SizeSel) << 1 | tsr_arg(env, inst, OPERAND_RegSizeSel)];
    unsigned gpr = first_gpr(env, inst, size);
    if (!address_of(env, inst, job, size))
        return false;
    const struct tsr_gpr_write *offset = &job->offset;
    for (unsigned i = 0; i < (size == 16 ? 4u : 1u); i++) {
        if (!tsr_gpr_read(env, inst, gpr + i, &job->data[i], &job->tainted))
            return false;
        if (offset->words && offset->gpr == gpr + i)
            job->data[i] = (job->data[i] & ~offset->mask[0]) | (offset->value[0] & offset->mask[0]);
    }
    job->memory = true;
    return true;
}

static tsr_reason store_l1(struct tsr_env *env, struct tsr_scalar_job *job)
{
    uint8_t bytes[16];
    if (job->nowhere)
        return TSR_REASON_NONE;
    for (unsigned i = 0; i < job->size; i++)
        bytes[i] = (uint8_t)(job->data[i / 4] >> (i % 4 * 8));
    tsr_l1_put(&env->state->l1, job->address, bytes, job->size, job->tainted);
    tsr_race_l1(env, true, job->address, job->size);
    return TSR_REASON_NONE;
}

// ---------------------------------------------------------------- registers

#define WINDOW 0xffb00000u       // with 20 bits of address
#define WINDOW_FIRST 0xffb11000u // what is below is the cores' own

static bool register_address(struct tsr_env *env, const struct tsr_inflight *inst,
                             struct tsr_scalar_job *job, uint32_t offset)
{
    job->address = WINDOW + (offset & 0xffffcu);
    if (job->address >= WINDOW_FIRST)
        return true;
    enum tsr_verdict verdict =
        tsr_report(env, FINDING_MMIO_ADDRESS, inst, NULL, "%s addresses 0x%08x, below 0x%08x.",
                   tsr_op_name((enum tsr_op)inst->op), (unsigned)job->address, WINDOW_FIRST);
    job->nowhere = true;
    job->tainted |= verdict == TSR_GO_TAINTED;
    return verdict != TSR_HALT;
}

static bool accept_mmio(struct tsr_env *env, struct tsr_inflight *inst, struct tsr_scalar_job *job)
{
    uint32_t base, offset;
    if (tsr_arg(env, inst, OPERAND_RegSizeSel) &&
        tsr_report(env, FINDING_UNDOCUMENTED_MODE, inst, NULL,
                   "STOREIND to a register with RegSizeSel=1, which no page describes, does what "
                   "it does with 0.") == TSR_HALT)
        return false;
    job->memory = true;
    return tsr_gpr_read(env, inst, tsr_arg(env, inst, OPERAND_DataRegIndex), &job->data[0],
                        &job->tainted) &&
           tsr_gpr_read(env, inst, tsr_arg(env, inst, OPERAND_AddrRegIndex), &base,
                        &job->tainted) &&
           take_offset(env, inst, job, &offset) &&
           register_address(env, inst, job, base + (offset >> 4));
}

// The address map has reported what it refuses; going on drops the store.
static tsr_reason store_register(struct tsr_env *env, struct tsr_inflight *inst,
                                 struct tsr_scalar_job *job)
{
    if (!job->nowhere && tsr_mmio_store(env, inst, job->address, job->data[0]) == TSR_BUSY)
        return TSR_REASON_REGISTER;
    return TSR_REASON_NONE;
}

static void explain_register(struct tsr_env *env, const struct tsr_inflight *inst,
                             const struct tsr_scalar_job *job, char *what, size_t size)
{
    (void)env;
    snprintf(what, size, "%s waits for the register at 0x%08x", tsr_op_name((enum tsr_op)inst->op),
             (unsigned)job->address);
}

// ---------------------------------------------------------------- STOREIND to Src

enum { DATUMS = 4, FIRST_ROWS = 4, ROWS_OF_A_QUARTER = 16 };

// The low half of a GPR has sign, mantissa, exponent, its high half is a BF16 as usual; the storage
// keeps sign, exponent, mantissa. SrcA's rows count from the fourth; what is before them is written
// nowhere.
static bool accept_src(struct tsr_env *env, struct tsr_inflight *inst, struct tsr_scalar_job *job)
{
    bool to_a = !tsr_arg(env, inst, OPERAND_RegSizeSel);
    unsigned gpr = tsr_arg(env, inst, OPERAND_DataRegIndex) & ~3u;
    uint32_t base, offset;
    job->side = to_a ? TSR_SRCA : TSR_SRCB;
    for (unsigned i = 0; i < DATUMS; i += 2) {
        uint32_t pair;
        if (!tsr_gpr_read(env, inst, gpr + i / 2, &pair, &job->tainted))
            return false;
        job->data[i] = (pair >> 15 & 1) << 18 | (pair & 0xff) << 10 | (pair >> 8 & 0x7f) << 3;
        job->data[i + 1] = (pair >> 16) << 3;
    }
    if (!tsr_gpr_read(env, inst, tsr_arg(env, inst, OPERAND_AddrRegIndex), &base, &job->tainted) ||
        !take_offset(env, inst, job, &offset))
        return false;
    uint32_t index = (base + (offset >> 4)) & tsr_mask32(20);
    int rows = ROWS_OF_A_QUARTER, row = (int)(index >> 2) - (to_a ? FIRST_ROWS : 0);
    if (to_a && tsr_thread_cfg(env, inst->thread, FIELD_SRCA_SET_SetOvrdWithAddr)) {
        rows = TSR_SRC_ROWS;
        job->row_kept = true;
    }
    job->nowhere = row < 0;
    if (row >= rows) {
        enum tsr_verdict verdict =
            tsr_report(env, FINDING_STOREIND_SRC_ROW, inst, NULL,
                       "STOREIND to Src%c names row %d of %d; going on takes row %d.",
                       to_a ? 'A' : 'B', row, rows, row % rows);
        job->tainted |= verdict == TSR_GO_TAINTED;
        if (verdict == TSR_HALT)
            return false;
    }
    job->address = job->nowhere ? 0 : (uint32_t)(row % rows) * TSR_COLUMNS + (index & 3) * DATUMS;
    return true;
}

static tsr_reason store_src(struct tsr_env *env, struct tsr_inflight *inst,
                            struct tsr_scalar_job *job)
{
    struct tsr_src_bank *bank = tsr_src_for_unpacker(&env->state->src[job->side]);
    if (bank->matrix_owns)
        return tsr_src_reason(job->side);
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
    tsr_src_mark(bank, row, 1);
    bank->filled = true;
    return TSR_REASON_NONE;
}

// ---------------------------------------------------------------- STOREIND

static bool accept_storeind(struct tsr_env *env, struct tsr_inflight *inst,
                            struct tsr_scalar_job *job)
{
    if (tsr_arg(env, inst, OPERAND_MemHierSel))
        return accept_l1(env, inst, job);
    if (tsr_arg(env, inst, OPERAND_SizeSel))
        return accept_mmio(env, inst, job);
    return accept_src(env, inst, job);
}

static tsr_reason execute_storeind(struct tsr_env *env, struct tsr_inflight *inst,
                                   struct tsr_scalar_job *job)
{
    if (tsr_arg(env, inst, OPERAND_MemHierSel))
        return store_l1(env, job);
    if (tsr_arg(env, inst, OPERAND_SizeSel))
        return store_register(env, inst, job);
    return store_src(env, inst, job);
}

static void explain_storeind(struct tsr_env *env, const struct tsr_inflight *inst,
                             const struct tsr_scalar_job *job, char *what, size_t size)
{
    if (tsr_arg(env, inst, OPERAND_SizeSel))
        snprintf(what, size, "STOREIND waits for the register at 0x%08x", (unsigned)job->address);
    else
        snprintf(what, size, "STOREIND waits for Src%c bank %u, which the matrix unit owns",
                 job->side == TSR_SRCA ? 'A' : 'B', env->state->src[job->side].unpacker_bank);
}

// ---------------------------------------------------------------- LOADREG and STOREREG

static bool accept_loadreg(struct tsr_env *env, struct tsr_inflight *inst,
                           struct tsr_scalar_job *job)
{
    tsr_scalar_result(job, tsr_arg(env, inst, OPERAND_TdmaDataRegIndex), 0, false);
    job->memory = true;
    job->result_delay =
        (uint8_t)(env->timing ? env->isa->rate[RATE_SCALAR_LOAD] - inst->duration : 0);
    return register_address(env, inst, job, tsr_arg(env, inst, OPERAND_RegAddr) << 2);
}

static tsr_reason execute_loadreg(struct tsr_env *env, struct tsr_inflight *inst,
                                  struct tsr_scalar_job *job)
{
    tsr_status status = TSR_UNMAPPED;
    if (!job->nowhere)
        status = tsr_mmio_load(env, inst, job->address, &job->result.value[0]);
    if (status == TSR_BUSY)
        return TSR_REASON_REGISTER;
    if (status != TSR_OK)
        job->result.value[0] = 0;
    job->result.tainted = job->tainted || status != TSR_OK;
    return TSR_REASON_NONE;
}

static bool accept_storereg(struct tsr_env *env, struct tsr_inflight *inst,
                            struct tsr_scalar_job *job)
{
    unsigned gpr = tsr_arg(env, inst, OPERAND_TdmaDataRegIndex);
    job->memory = true;
    return tsr_gpr_read(env, inst, gpr, &job->data[0], &job->tainted) &&
           register_address(env, inst, job, tsr_arg(env, inst, OPERAND_RegAddr) << 2);
}

const struct tsr_scalar_steps tsr_scalar_loadind = {accept_loadind, execute_loadind, NULL};
const struct tsr_scalar_steps tsr_scalar_storeind = {accept_storeind, execute_storeind,
                                                     explain_storeind};
const struct tsr_scalar_steps tsr_scalar_loadreg = {accept_loadreg, execute_loadreg,
                                                    explain_register};
const struct tsr_scalar_steps tsr_scalar_storereg = {accept_storereg, store_register,
                                                     explain_register};
