// SPDX-License-Identifier: Apache-2.0
// With tsr_options.schedule units are slow on purpose: an instruction may execute long after its
// unit has accepted it. The stages rely on some orders that hold by themselves where an instruction
// executes when it is accepted. To keep these, a unit refuses an instruction here that would come
// too early, and a wait at the gate lasts longer.
// Pages: Dst.md ("Instruction scheduling"), SFPLOAD.md, SFPLOADMACRO.md.
#include "frontend/schedule.h"

#include "frontend/units.h"
#include "matrix/banks.h"
#include "vector/vector_macro.h"

static bool is_behind(const struct tsr_env *env, tsr_unit unit)
{
    const struct tsr_queue *queue = &env->state->queues.of[unit];
    return queue->executed < queue->count;
}

// The vector unit has taken a store to Dst and has not executed it.
static bool stores_to_dst(const struct tsr_env *env)
{
    const struct tsr_queue *queue = &env->state->queues.of[TSR_UNIT_VECTOR];
    return is_behind(env, TSR_UNIT_VECTOR) &&
           queue->inst[(queue->first + queue->executed) % TSR_QUEUE_DEPTH].op == OP_SFPSTORE;
}

// A vector load is in order behind a matrix instruction of its thread if three others came between
// (SFPLOAD.md).
static bool loads_far_behind(const struct tsr_env *env, unsigned thread)
{
    enum { FAR = 4 };
    const struct tsr_queue *queue = &env->state->queues.of[TSR_UNIT_MATRIX];
    uint64_t next = env->state->frontend[thread].sequence + 1;
    for (unsigned i = queue->executed; i < queue->count; i++) {
        const struct tsr_inflight *inst = &queue->inst[(queue->first + i) % TSR_QUEUE_DEPTH];
        if (inst->thread == thread && inst->sequence + FAR <= next)
            return true;
    }
    return false;
}

// The matrix and the vector unit write Dst a fixed time after they have taken an instruction, and
// who reads those rows by PACR or by the matrix unit is held for so long (Dst.md). The next matrix
// instruction is checked for the bank, the next one of the vector unit for the macros, that the
// last one leaves; the vector unit begins one after the other anyway.
bool tsr_schedule_keeps_out(const struct tsr_env *env, tsr_unit unit, enum tsr_op op,
                            unsigned thread)
{
    if ((op == OP_SFPLOAD || op == OP_SFPLOADMACRO) && loads_far_behind(env, thread))
        return true;
    if (unit == TSR_UNIT_PACKER)
        return is_behind(env, TSR_UNIT_MATRIX) || stores_to_dst(env);
    if (unit == TSR_UNIT_MATRIX)
        return tsr_matrix_bank_changes(env) || stores_to_dst(env);
    return unit == TSR_UNIT_VECTOR && is_behind(env, unit) &&
           !tsr_macro_pending(&env->state->vector);
}

bool tsr_schedule_keeps_wait(const struct tsr_env *env, const struct tsr_gate_latch *latch)
{
    static const enum tsr_condition conditions[2] = {CONDITION_SRCA_MATRIX, CONDITION_SRCB_MATRIX};
    if (latch->on_semaphores || latch->on_stream)
        return false;
    for (int side = TSR_SRCA; side <= TSR_SRCB; side++) {
        const struct tsr_src *src = &env->state->src[side];
        bool looks = latch->conditions >> env->isa->condition_bit[conditions[side]] & 1;
        // The bank may be on its way to the unpackers.
        bool leaves = src->bank[src->matrix_bank].matrix_owns && !tsr_matrix_bank_ready(env, side);
        if (looks && (leaves || tsr_matrix_bank_changes(env)))
            return true;
    }
    return false;
}

// What SFPLOADMACRO schedules executes in the cycles that follow it, one an instruction.
bool tsr_schedule_delays(const struct tsr_env *env, tsr_unit unit, enum tsr_op op)
{
    if (unit == TSR_UNIT_VECTOR &&
        (op == OP_SFPLOADMACRO || tsr_macro_pending(&env->state->vector)))
        return false;
    return tsr_schedule_moves(unit);
}
