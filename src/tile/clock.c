// SPDX-License-Identifier: Apache-2.0
// With timing on: the round at a cycle, and the next cycle in which something is due, as
// TSR_PIPELINE_STAGED has them: everything is visited in each round. agenda.c leaves out what
// cannot move, and must come to the same. Who is served first: decision 29.
#include "tile/clock.h"

#include "frontend/expand.h"
#include "frontend/issue.h"
#include "frontend/rests.h"
#include "frontend/wait_gate.h"
#include "tile/advance.h"

// ---------------------------------------------------------------- a round

// The unit that the thread asks in this cycle; of the unpackers, which share their address phase,
// the first. TSR_UNIT_COUNT: none.
static tsr_unit asked_unit(const struct tsr_engine *engine, int thread)
{
    const struct tsr_frontend *frontend = &engine->env.state->frontend[thread];
    if (frontend->before_gate.count == 0 || engine->env.state->now < frontend->next_issue)
        return TSR_UNIT_COUNT;
    const struct tsr_route *route = &engine->route[tsr_fifo_front(&frontend->before_gate) >> 24];
    return route->ops ? (tsr_unit)route->unit : TSR_UNIT_COUNT;
}

// Threads that ask one unit in the same cycle change places by its turn (decision 29); all else
// goes 0, 1, 2.
void tsr_clock_order(const struct tsr_engine *engine, uint8_t order[TSR_THREADS])
{
    tsr_unit unit[TSR_THREADS];
    uint32_t asked = 0, twice = 0;
    for (int thread = 0; thread < TSR_THREADS; thread++) {
        unit[thread] = asked_unit(engine, thread);
        twice |= asked & 1u << unit[thread];
        asked |= 1u << unit[thread];
    }
    if ((twice & ((1u << TSR_UNIT_COUNT) - 1)) == 0)
        return;
    for (int i = 0; i < TSR_THREADS; i++)
        for (int j = i + 1; j < TSR_THREADS; j++) {
            uint8_t a = order[i], b = order[j];
            if (unit[a] != unit[b] || unit[a] == TSR_UNIT_COUNT)
                continue;
            unsigned from = TSR_THREADS - engine->env.state->queues.of[unit[a]].turn;
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
    tsr_earlier(&best, state->sync.next_write, state->now);
    return best;
}

uint64_t tsr_clock_next(const struct tsr_engine *engine)
{
    uint64_t now = engine->env.state->now, best = UINT64_MAX;
    for (int unit = 0; unit < TSR_UNIT_COUNT; unit++)
        tsr_earlier(&best, tsr_queue_outlook(&engine->env, (tsr_unit)unit).due, now);
    for (int thread = 0; thread < TSR_THREADS; thread++)
        tsr_earlier(&best, tsr_clock_thread_due(engine, thread), now);
    return tsr_clock_others_due(engine, best);
}
