// SPDX-License-Identifier: Apache-2.0
// With timing on: what happens in a cycle (a round), and which cycle is the next one in which
// something is due. Here each round visits every unit and thread, which is TSR_PIPELINE_STAGED;
// agenda_round.c leaves out visits that cannot change anything, and has to give the same. The order
// in which threads and units are served is that of decision 29.
#include "tile/clock.h"

#include "frontend/expand.h"
#include "frontend/issue.h"
#include "frontend/rests.h"
#include "frontend/wait_gate.h"
#include "state/l1_traffic.h"
#include "tile/advance.h"

// ---------------------------------------------------------------- a round

// Threads that ask one unit in the same cycle change places by its turn (decision 29); all else
// goes 0, 1, 2.
void tsr_clock_order(const struct tsr_engine *engine, uint8_t order[TSR_THREADS])
{
    const uint32_t asked[TSR_THREADS] = {tsr_clock_asks(engine, 0), tsr_clock_asks(engine, 1),
                                         tsr_clock_asks(engine, 2)};
    uint32_t twice = (asked[0] & asked[1]) | (asked[2] & (asked[0] | asked[1]));
    if (twice == 0)
        return;
    // One unit at most is asked twice, by two threads or three.
    unsigned from = TSR_THREADS - engine->env.state->queues.of[__builtin_ctz(twice)].next_thread;
    for (int i = 0; i < TSR_THREADS; i++)
        for (int j = i + 1; j < TSR_THREADS; j++) {
            uint8_t a = order[i], b = order[j];
            if ((asked[a] & asked[b]) == 0)
                continue;
            if ((b + from) % TSR_THREADS < (a + from) % TSR_THREADS) {
                order[i] = b;
                order[j] = a;
            }
        }
}

// What completes first lets others go on in the same cycle. All gates are evaluated before any
// thread issues, so that what one thread does now ends another one's wait in the next cycle.
bool tsr_clock_round(struct tsr_engine *engine)
{
    struct tsr_state *state = engine->env.state;
    uint8_t order[TSR_THREADS] = {0, 1, 2};
    bool moved = tsr_advance_units(engine);
    moved |= tsr_l1_end_drain(&engine->env);
    for (int thread = 0; thread < TSR_THREADS; thread++)
        if (state->sync.latch[thread].latched)
            moved |= tsr_gate_evaluate(engine, thread);
    if (state->mover.busy || state->tdma.count > 0)
        moved |= !engine->env.findings->stopped && tsr_advance_mover(engine);
    tsr_clock_order(engine, order);
    for (int i = 0; i < TSR_THREADS && !engine->env.findings->stopped; i++) {
        int thread = order[i];
        if (tsr_frontend_quiet(&state->frontend[thread]))
            continue;
        moved |= tsr_issue(engine, thread);
        moved |= !engine->env.findings->stopped && tsr_expand(engine, thread);
    }
    return moved;
}

// ---------------------------------------------------------------- the next one

uint64_t tsr_clock_others_due(const struct tsr_engine *engine, uint64_t best)
{
    const struct tsr_state *state = engine->env.state;
    for (unsigned i = 0; i < state->scalar.requests; i++)
        tsr_earlier(&best, state->scalar.request[i].due, state->now);
    if (state->mover.busy)
        tsr_earlier(&best, state->mover.until, state->now);
    if (state->tdma.count > 0)
        tsr_earlier(&best, state->tdma.next_command, state->now);
    tsr_earlier(&best, state->queues.drain.until, state->now);
    tsr_earlier(&best, state->sync.next_write, state->now);
    return best;
}

uint64_t tsr_clock_next(const struct tsr_engine *engine)
{
    uint64_t now = engine->env.state->now, best = UINT64_MAX;
    for (int unit = 0; unit < TSR_UNIT_COUNT; unit++)
        tsr_earlier(&best, tsr_queue_outlook(&engine->env, (tsr_unit)unit).due, now);
    for (int thread = 0; thread < TSR_THREADS; thread++)
        tsr_earlier(
            &best, tsr_clock_thread_due(engine, &engine->env.state->frontend[thread], thread), now);
    return tsr_clock_others_due(engine, best);
}
