// SPDX-License-Identifier: Apache-2.0
// ZEROACC, which makes rows of Dst invalid and leaves their bits alone, and ZEROSRC, which fills
// banks of SrcA and SrcB. Pages: ZEROACC.md, ZEROSRC.md, Dst.md.
#include "matrix/zero.h"

#include "matrix/banks.h"
#include "matrix/matrix_plan.h"
#include "matrix/matrix_shadow.h"
#include "state/races.h"

enum { ONE_ROW, SIXTEEN_ROWS, HALF_OF_DST, ALL_OF_DST };
enum { MODE_MASK = 3, MODE_WIDE = 4, QUARTER = TSR_DST_ROWS / 4, HALF = TSR_DST_ROWS / 2 };

// `dst` holds the immediate, `phase` the mode with the 32-bit bit above it.
void tsr_matrix_sample_zeroacc(const struct tsr_matrix_call *call)
{
    struct tsr_matrix_job *job = call->job;
    uint32_t wide = tsr_matrix_arg(call, OPERAND_use_32_bit_mode);
    job->phase = (uint8_t)(tsr_matrix_arg(call, OPERAND_clear_mode) | (wide ? MODE_WIDE : 0));
    job->dst = (uint16_t)(tsr_matrix_arg(call, OPERAND_dst) | tsr_matrix_arg(call, OPERAND_where));
}

void tsr_matrix_step_zeroacc(const struct tsr_matrix_call *call)
{
    if ((call->job->phase & MODE_MASK) <= SIXTEEN_ROWS)
        tsr_matrix_step_addr_mod(call);
}

static void set_valid(struct tsr_dst *dst, unsigned row, bool valid)
{
    dst->valid[row] = valid;
    if (valid)
        return;
    dst->written[row] = 0;
    dst->tainted[row] = 0;
}

// The same of many rows, which is how most programs clear Dst.
static void set_rows_valid(struct tsr_dst *dst, unsigned first, unsigned rows, bool valid)
{
    memset(&dst->valid[first], valid, rows * sizeof dst->valid[0]);
    if (valid)
        return;
    memset(&dst->written[first], 0, rows * sizeof dst->written[0]);
    memset(&dst->tainted[first], 0, rows * sizeof dst->tainted[0]);
}

// The valid bit of a 32-bit row lies with its high half; the low half's shadow state ends with it.
static void set_valid32(struct tsr_dst *dst, unsigned physical, bool valid)
{
    set_valid(dst, physical, valid);
    if (valid)
        return;
    dst->written[physical + TSR_DST_LOW] = 0;
    dst->tainted[physical + TSR_DST_LOW] = 0;
}

static bool zero_row(const struct tsr_matrix_call *call, bool valid)
{
    struct tsr_matrix_job *job = call->job;
    bool wide = job->fp32 || job->int8;
    bool folds = tsr_dst_folds(job->order, wide);
    job->dst = (uint16_t)((job->dst + job->dst_base) & (TSR_DST_ROWS - 1));
    if (!tsr_matrix_check_dst(call, wide))
        return false;
    struct tsr_dst *dst = &call->env->state->dst;
    unsigned physical = tsr_dst_place(job->order, job->dst, wide);
    tsr_race_dst_rows(call->env, true, job->order, job->dst, 1, wide);
    if (folds)
        set_valid32(dst, physical, valid);
    else
        set_valid(dst, physical, valid);
    return true;
}

// Blackhole counts blocks from the half or quarter into which the math offset points, unless a
// bit switches that off; Wormhole's are absolute.
static unsigned block_of(const struct tsr_matrix_call *call, bool wide)
{
    const struct tsr_matrix_job *job = call->job;
    unsigned block = job->dst & 0xff;
    if (call->env->chip->arch == TSR_WORMHOLE_B0 ||
        tsr_cfg(call->env, job->state_id, FIELD_DEST_ACCESS_CFG_zeroacc_absolute_tile_mode))
        return block;
    if (wide)
        return block + (job->dst_base & (HALF | QUARTER) ? QUARTER / 16 : 0);
    return block + (job->dst_base & HALF ? HALF / 16 : 0);
}

static bool zero_block(const struct tsr_matrix_call *call, bool wide, bool valid)
{
    struct tsr_dst *dst = &call->env->state->dst;
    unsigned block = block_of(call, wide);
    unsigned blocks = TSR_DST_ROWS / (wide ? 32 : 16);
    if ((call->job->dst > 0xff || block >= blocks) &&
        tsr_report(call->env, FINDING_ZEROACC_RANGE, call->inst, NULL,
                   "ZEROACC selects the block of 16 rows %u of %u; silicon looks at eight bits "
                   "and does nothing for a block that does not exist.",
                   (unsigned)call->job->dst, blocks) == TSR_HALT)
        return false;
    if (block >= blocks)
        return true;
    tsr_race_dst_rows(call->env, true, wide ? call->job->order : call->job->order & TSR_DST_REMAP,
                      block * 16, 16, wide);
    // Rows of the view that the instruction names, whatever bit 11 makes of 16-bit ones.
    for (unsigned row = block * 16, end = row + 16; row < end; row++)
        if (wide)
            set_valid32(dst, tsr_dst_adj32(call->job->order, row), valid);
        else
            set_valid(dst, tsr_dst_adj16(call->job->order, row), valid);
    return true;
}

bool tsr_matrix_run_zeroacc(const struct tsr_matrix_call *call)
{
    struct tsr_dst *dst = &call->env->state->dst;
    unsigned mode = call->job->phase & MODE_MASK;
    bool valid = tsr_matrix_arg(call, OPERAND_clear_zero_flags);
    if (valid && tsr_report(call->env, FINDING_ZEROACC_REVERT, call->inst, NULL,
                            "ZEROACC with clear_zero_flags makes rows of Dst valid that hold "
                            "whatever was in them.") == TSR_HALT)
        return false;
    if (mode == ONE_ROW)
        return zero_row(call, valid);
    if (mode == SIXTEEN_ROWS)
        return zero_block(call, call->job->phase & MODE_WIDE, valid);
    unsigned first = mode == HALF_OF_DST ? (call->job->dst & 1u) * HALF : 0;
    unsigned rows = mode == HALF_OF_DST ? HALF : TSR_DST_ROWS;
    set_rows_valid(dst, first, rows, valid);
    tsr_race_access(call->env, TSR_RACE_DST, true, first, rows, TSR_RACE_ALL);
    return true;
}

// ---------------------------------------------------------------- ZEROSRC

// Whichever of SrcA and SrcB it clears, an UNPACR_NOP on either side takes its choice.
static void note_choice(const struct tsr_matrix_call *call)
{
    bool both = tsr_matrix_arg(call, OPERAND_bank_mask);
    if (!both && !tsr_matrix_arg(call, OPERAND_write_mode))
        return;
    struct tsr_state *state = call->env->state;
    state->src_zeroed.before = state->now + 1;
    for (int side = TSR_SRCA; side <= TSR_SRCB; side++)
        state->src_zeroed.banks[side] = (uint8_t)(both ? 3u : 1u << state->src[side].matrix_bank);
}

// ZEROSRC waits for no bank.
static bool check_order(const struct tsr_matrix_call *call)
{
    for (int side = TSR_SRCA; side <= TSR_SRCB; side++) {
        const struct tsr_src *src = &call->env->state->src[side];
        bool both = tsr_matrix_arg(call, OPERAND_bank_mask);
        bool own = tsr_matrix_arg(call, OPERAND_write_mode);
        unsigned chosen = own ? src->matrix_bank : src->unpacker_bank;
        for (unsigned bank = 0; bank < 2; bank++)
            if ((tsr_matrix_arg(call, OPERAND_src_mask) >> side & 1) && (both || bank == chosen) &&
                src->bank[bank].matrix_owns && !tsr_matrix_check_order(call, side, bank))
                return false;
    }
    return true;
}

bool tsr_matrix_run_zerosrc(const struct tsr_matrix_call *call)
{
    enum { MINUS_INFINITY = 0x7ffff };
    if (!check_order(call))
        return false;
    note_choice(call);
    for (int side = TSR_SRCA; side <= TSR_SRCB; side++) {
        if (!(tsr_matrix_arg(call, OPERAND_src_mask) >> side & 1))
            continue;
        struct tsr_src *src = &call->env->state->src[side];
        bool infinite = side == TSR_SRCA && tsr_matrix_arg(call, OPERAND_zero_val);
        uint32_t value = infinite ? MINUS_INFINITY : 0;
        if (tsr_matrix_arg(call, OPERAND_bank_mask)) {
            tsr_src_fill(&src->bank[0], value);
            tsr_src_fill(&src->bank[1], value);
        } else {
            bool own = tsr_matrix_arg(call, OPERAND_write_mode);
            tsr_src_fill(own ? tsr_src_for_matrix(src) : tsr_src_for_unpacker(src), value);
        }
    }
    return true;
}
