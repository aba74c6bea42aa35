// SPDX-License-Identifier: Apache-2.0
// What moves without the threads, in both timing modes: the units' queues, loads and atomics that
// come back, the mover, and the commands of TDMA-RISC. Pages: Mover.md, TDMA-RISC.md.
#include "tile/advance.h"

#include "control/mover_unit.h"
#include "control/scalar_unit.h"
#include "frontend/queues.h"
#include "frontend/rests.h"
#include "state/l1_traffic.h"

// With timing on, once more while something moves: a bank that the matrix unit releases lets an
// unpacker go on in the same cycle, and nothing else would wake it.
bool tsr_advance_units(struct tsr_engine *engine)
{
    struct tsr_state *state = engine->env.state;
    bool moved = state->scalar.requests > 0 && tsr_scalar_deliver(&engine->env), again;
    do {
        again = false;
        for (uint32_t left = state->queues.active; left && !engine->env.findings->stopped;
             left &= left - 1) {
            tsr_unit unit = (tsr_unit)__builtin_ctz(left);
            if (!engine->env.timing && tsr_queue_waits_on(&engine->env, unit))
                continue;
            if (tsr_queue_pending(&state->queues.of[unit], state->now))
                again |= tsr_queue_advance(engine, unit);
        }
        moved |= again;
    } while (again && engine->env.timing && !engine->env.findings->stopped);
    return moved;
}

bool tsr_advance_mover(struct tsr_engine *engine)
{
    struct tsr_state *state = engine->env.state;
    struct tsr_mover *mover = &state->mover;
    struct tsr_queue *queue = &state->queues.of[TSR_UNIT_MOVER];
    bool moved = false;
    if (mover->busy && mover->until <= state->now) {
        uint64_t from = mover->started > queue->busy_until ? mover->started : queue->busy_until;
        if (mover->until > from) {
            engine->tally.unit_busy[TSR_UNIT_MOVER] += mover->until - from;
            queue->busy_until = mover->until;
        }
        mover->busy = false;
        tsr_l1_end(&engine->env, TSR_L1_MOVER_READ);
        tsr_l1_end(&engine->env, TSR_L1_MOVER_WRITE);
        moved = true;
    }
    while (!engine->env.findings->stopped && tsr_tdma_step(&engine->env))
        moved = true;
    return moved;
}
