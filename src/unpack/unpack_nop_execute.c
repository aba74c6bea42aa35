// SPDX-License-Identifier: Apache-2.0
// What UNPACR_NOP does: clear banks of SrcA or SrcB, hand one to the matrix unit, store to a
// register of the tile. It takes its place in the unpacker's queue, so all UNPACRs before it have
// read L1. Pages: UNPACR_NOP_ZEROSRC.md, UNPACR_NOP_SETDVALID.md, UNPACR_NOP_SETREG.md,
// UNPACR_NOP_OverlayClear.md, TDMA-RISC.md.
#include "unpack/unpack_nop_execute.h"

#include "state/races.h"
#include "state/register_access.h"
#include "state/report.h"
#include "state/src_hand_over.h"
#include "unpack/unpack_nop.h"
#include "unpack/unpack_target.h"

// ---------------------------------------------------------------- banks

static bool may_hand_over(struct tsr_env *env, struct tsr_inflight *inst)
{
    const struct tsr_unpack_job *job = tsr_unpack_job_of(inst);
    const struct tsr_src *src = &env->state->src[job->unpacker];
    if (!src->bank[src->unpacker_bank].matrix_owns)
        return true;
    return tsr_report(env, FINDING_SRC_BANK_TAKEN, inst, NULL,
                      "UNPACR_NOP hands Src%c bank %u to the matrix unit, which owns it already.",
                      'A' + job->unpacker, src->unpacker_bank) != TSR_HALT;
}

static void run_hand_over(struct tsr_env *env, struct tsr_inflight *inst, bool clears)
{
    const struct tsr_unpack_job *job = tsr_unpack_job_of(inst);
    if (may_hand_over(env, inst) && tsr_src_may_hand_over(env, inst, job->unpacker, clears))
        tsr_unpack_hand_over(env, inst);
}

// The bank for which a clear waits.
static inline unsigned gate_of(bool waits_like_unpacr, const struct tsr_src *src)
{
    return waits_like_unpacr ? src->unpacker_bank : src->matrix_bank;
}

bool tsr_unpack_clear_waits(const struct tsr_env *env, const struct tsr_unpack_job *job)
{
    const struct tsr_src *src = &env->state->src[job->unpacker];
    return src->bank[gate_of(job->nop.waits_like_unpacr, src)].matrix_owns;
}

static tsr_reason run_clear(struct tsr_env *env, struct tsr_inflight *inst)
{
    struct tsr_unpack_job *job = tsr_unpack_job_of(inst);
    const struct tsr_src *src = &env->state->src[job->unpacker];
    if (tsr_unpack_clear_waits(env, job))
        return tsr_src_reason(job->unpacker);
    tsr_race_sync(env, TSR_RACE_FOR_UNPACKER, job->unpacker,
                  gate_of(job->nop.waits_like_unpacr, src), 0);
    job->nop.banks = (uint8_t)(job->nop.both ? 3u : 1u << src->unpacker_bank);
    for (unsigned bank = 0; bank < 2; bank++)
        if (job->nop.banks >> bank & 1)
            tsr_race_access(env, TSR_RACE_SRC, true, 2u * job->unpacker + bank, 1, TSR_RACE_ALL);
    if (job->flip)
        run_hand_over(env, inst, true);
    return TSR_REASON_NONE;
}

static __attribute__((noinline)) void fill_again(struct tsr_src_bank *bank, uint32_t value)
{
    tsr_src_fill(bank, value);
}

// Apart where the bank has other datums, which it seldom has.
static inline void fill(struct tsr_src_bank *bank, uint32_t value)
{
    if (bank->uniform && bank->datum[0][0] == value)
        tsr_src_fill_uniform(bank);
    else
        fill_again(bank, value);
}

// All of a form that clears, hands over, or does nothing, but for the hand-over.
static inline enum tsr_unpack_went run_form(struct tsr_src *src, uint8_t kind, bool flip,
                                            const struct tsr_unpack_nop *nop)
{
    TSR_FOUND(src);
    struct tsr_src_bank *own = &src->bank[src->unpacker_bank];
    TSR_FOUND(own);
    bool clears = kind == UNPACK_CLEAR;
    if (clears && src->bank[gate_of(nop->waits_like_unpacr, src)].matrix_owns)
        return TSR_UNPACK_WAITS;
    if ((!clears && kind != UNPACK_HAND_OVER && kind != UNPACK_NOTHING) ||
        (flip && (own->matrix_owns || !(clears || own->filled))))
        return TSR_UNPACK_ASKS;
    if (clears)
        fill(own, nop->value);
    if (clears && nop->both)
        fill(&src->bank[src->unpacker_bank ^ 1], nop->value);
    return TSR_UNPACK_DONE;
}

bool tsr_unpack_nop_finish(struct tsr_env *env, const struct tsr_inflight *inst, tsr_reason *reason)
{
    const struct tsr_unpack_job *job = (const struct tsr_unpack_job *)(const void *)inst->job;
    enum tsr_unpack_went went =
        run_form(&env->state->src[job->unpacker], job->kind, job->flip, &job->nop);
    if (went == TSR_UNPACK_WAITS)
        *reason = tsr_src_reason(job->unpacker);
    if (went == TSR_UNPACK_DONE && job->flip)
        tsr_unpack_give_bank(env, tsr_origin_of(inst), job->unpacker, job->src_row_base,
                             job->implied_format);
    return went == TSR_UNPACK_DONE;
}

// The rest of a form that hands over. Apart, so that the others save no registers.
static __attribute__((noinline)) enum tsr_unpack_went
give_bank(struct tsr_env *env, struct tsr_origin by, struct tsr_unpack_nop_form *form)
{
    tsr_unpack_nop_update(env, by.which, form);
    tsr_unpack_give_bank(env, by, form->unpacker, form->src_row_base, form->implied_format);
    return TSR_UNPACK_DONE;
}

static __attribute__((noinline)) enum tsr_unpack_went now_new(struct tsr_env *env,
                                                              struct tsr_origin by)
{
    return tsr_unpack_nop_form_made(env, by.word) ? tsr_unpack_nop_now(env, by) : TSR_UNPACK_ASKS;
}

enum tsr_unpack_went tsr_unpack_nop_now(struct tsr_env *env, struct tsr_origin by)
{
    struct tsr_unpack_nop_form *form = tsr_unpack_nop_place(env, by.word);
    if (form->word != by.word)
        return now_new(env, by);
    enum tsr_unpack_went went =
        run_form(&env->state->src[form->unpacker], form->kind, form->flip, &form->nop);
    return went == TSR_UNPACK_DONE && form->flip ? give_bank(env, by, form) : went;
}

// The datums change at the end of the cycle, when it is known whether a ZEROSRC was in it too.
void tsr_unpack_nop_complete(struct tsr_env *env, struct tsr_inflight *inst)
{
    static const char *const names[4] = {"nothing", "bank 0", "bank 1", "both banks"};
    const struct tsr_unpack_job *job = tsr_unpack_job_of(inst);
    struct tsr_src *src = &env->state->src[job->unpacker];
    const struct tsr_src_zeroed *zeroed = &env->state->src_zeroed;
    uint8_t banks = job->nop.banks, other = zeroed->banks[job->unpacker];
    if (env->timing && zeroed->before == inst->executed_at + 1 && other != banks) {
        tsr_report(env, FINDING_SRC_CLEAR_RACE, inst, NULL,
                   "UNPACR_NOP clears %s of Src%c instead of %s, the choice of the ZEROSRC in the "
                   "same cycle.",
                   names[other], 'A' + job->unpacker, names[banks]);
        banks = other;
    }
    for (unsigned bank = 0; bank < 2; bank++)
        if (banks >> bank & 1)
            tsr_src_fill(&src->bank[bank], job->nop.value);
}

// ---------------------------------------------------------------- registers

// As TDMA-RISC keeps those of PACR_SETREG, above the byte for clock gates [SetRegBase].
static uint32_t register_base(const struct tsr_tdma *tdma, unsigned select)
{
    uint32_t bases = tdma->unpack_register_raw >> 8;
    return (bases >> (20 + 2 * select) & 3) << 18 | (bases >> (10 * select) & 0x3ff) << 2;
}

// What the address map refuses, it has reported; going on drops it.
static tsr_reason store(struct tsr_env *env, struct tsr_inflight *inst, uint32_t value)
{
    enum { FIRST_PAGE = 0x11 }; // of 0xffb00000; what is below is the cores' own
    uint32_t address = tsr_unpack_job_of(inst)->nop.address;
    if ((address >> 12 & 0xff) < FIRST_PAGE) {
        tsr_report(env, FINDING_MMIO_ADDRESS, inst, NULL,
                   "UNPACR_NOP addresses 0x%08x, below 0xffb11000; nothing is stored.",
                   (unsigned)address);
        return TSR_REASON_NONE;
    }
    return tsr_mmio_store(env, inst, address, value) == TSR_BUSY ? TSR_REASON_REGISTER
                                                                 : TSR_REASON_NONE;
}

static tsr_reason run_set_register(struct tsr_env *env, struct tsr_inflight *inst)
{
    struct tsr_unpack_job *job = tsr_unpack_job_of(inst);
    struct tsr_tdma *tdma = &env->state->tdma;
    tsr_race_access(env, TSR_RACE_TDMA, false, TSR_RACE_TDMA_UNPACK_ADDRESS, 1, TSR_RACE_ALL);
    job->nop.address =
        0xffb00000u + register_base(tdma, job->nop.select) + ((uint32_t)job->nop.middle << 12);
    if (!job->nop.accumulate)
        return store(env, inst, job->nop.value);
    uint8_t unpacker = job->unpacker; // a store may end the instruction
    uint32_t sum = (tdma->unpack_register_acc[unpacker] + job->nop.value) & 0x1ffff;
    if (job->nop.value == 0)
        sum = 0;
    else if (store(env, inst, sum) == TSR_REASON_REGISTER)
        return TSR_REASON_REGISTER;
    if (!env->findings->stopped)
        tdma->unpack_register_acc[unpacker] = sum;
    return TSR_REASON_NONE;
}

tsr_reason tsr_unpack_nop_execute(struct tsr_env *env, struct tsr_inflight *inst)
{
    const struct tsr_unpack_job *job = tsr_unpack_job_of(inst);
    switch (job->kind) {
    case UNPACK_CLEAR:
        return run_clear(env, inst);
    case UNPACK_HAND_OVER:
        run_hand_over(env, inst, false);
        return TSR_REASON_NONE;
    case UNPACK_SET_REGISTER:
        return run_set_register(env, inst);
    default:
        return store(env, inst, job->nop.value);
    }
}
