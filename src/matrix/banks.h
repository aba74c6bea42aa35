// SPDX-License-Identifier: Apache-2.0
// The matrix unit's banks of SrcA and SrcB: whether it may read one, that it has, the datums in
// it, and handing it to the unpackers with SETRWC, CLEARDVALID and the clear-dvalid bits.
// Pages: SrcASrcB.md, SETRWC.md, CLEARDVALID.md.
#ifndef TESSERA_MATRIX_BANKS_H
#define TESSERA_MATRIX_BANKS_H

#include "matrix/matrix_job.h"

// An instruction that has executed and not completed gives the bank back, whoever owns it.
bool tsr_matrix_releases(const struct tsr_env *env, int side, unsigned bank);
// The unit owns the bank that it reads next, and no instruction in flight releases it.
bool tsr_matrix_bank_ready(const struct tsr_env *env, int side);
// An instruction that the unit has accepted and not executed will move a pointer to a bank.
bool tsr_matrix_bank_changes(const struct tsr_env *env);
// An instruction reads the banks of these sides: marks them as read, for the report of banks that
// nobody used (tile/idle_checks.c).
static inline void tsr_matrix_mark_read(struct tsr_env *env, uint8_t sides)
{
    struct tsr_state *state = env->state;
    if (sides & TSR_SIDE_A)
        state->src_shadow[TSR_SRCA][state->src[TSR_SRCA].matrix_bank].read = true;
    if (sides & TSR_SIDE_B)
        state->src_shadow[TSR_SRCB][state->src[TSR_SRCB].matrix_bank].read = true;
}
// The datums of `rows` rows of a side, contiguous, with the instruction's broadcasts. `cells` is
// room for those that must be copied.
const uint32_t *tsr_matrix_src_rows(const struct tsr_matrix_call *call, int side, unsigned rows,
                                    uint32_t (*cells)[TSR_COLUMNS]);

// Moves the pointers of job->clear_dvalid on; the owners follow when the instruction completes.
void tsr_matrix_flip_banks(const struct tsr_matrix_call *call);
void tsr_matrix_release_banks(struct tsr_env *env, const struct tsr_matrix_job *job);

// They wait for no bank, though they give one back or write to it.
static inline bool tsr_matrix_may_defer(enum tsr_op op)
{
    return op == OP_SETRWC || op == OP_CLEARDVALID || op == OP_MOVD2A || op == OP_MOVD2B;
}
// With timing off: what one of these is deferred for. On a card the unpackers are ahead, so a
// hand-over that is still to come comes first, unless nothing else moves.
tsr_reason tsr_matrix_defer(struct tsr_env *env, enum tsr_op op, int thread, uint32_t word);
// A bank that the unit owns and that the instruction takes without a wait of its own: a finding if
// nothing else orders it after the hand-over. False: the finding stops.
bool tsr_matrix_check_order(const struct tsr_matrix_call *call, int side, unsigned bank);

// The banks that SETRWC or CLEARDVALID gives back are its to give, with nothing to report.
bool tsr_matrix_gives_back_quietly(const struct tsr_matrix_call *call);

tsr_matrix_sample_fn tsr_matrix_sample_setrwc, tsr_matrix_sample_cleardvalid;
tsr_matrix_run_fn tsr_matrix_run_setrwc, tsr_matrix_run_cleardvalid;

#endif
