// SPDX-License-Identifier: Apache-2.0
// What a unit takes while it is slow for the schedule's sake (schedule.h): what the stages rely on
// where an instruction executes when it is accepted. Pages: MatrixUnit.md, SFPLOADMACRO.md.
#include "frontend/schedule.h"

#include "frontend/units.h"
#include "vector/vector_macro.h"

// The matrix unit and the vector unit begin one instruction after the other: the banks and macros
// that the next one is checked for are those that the last one has left.
bool tsr_schedule_keeps_out(const struct tsr_env *env, tsr_unit unit)
{
    const struct tsr_queue *queue = &env->state->queues.of[unit];
    if (queue->executed == queue->count)
        return false;
    return unit == TSR_UNIT_MATRIX ||
           (unit == TSR_UNIT_VECTOR && !tsr_macro_pending(&env->state->vector));
}

// What SFPLOADMACRO schedules executes in the cycles that follow it, one an instruction.
bool tsr_schedule_delays(const struct tsr_env *env, tsr_unit unit, enum tsr_op op)
{
    if (unit == TSR_UNIT_VECTOR &&
        (op == OP_SFPLOADMACRO || tsr_macro_pending(&env->state->vector)))
        return false;
    return tsr_schedule_moves(unit);
}
