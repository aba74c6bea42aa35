// SPDX-License-Identifier: Apache-2.0
// A unit's line of accepted instructions: executes them in order and completes them when their time
// has come (docs/architecture.md).
#include "frontend/engine.h"

void tsr_line_observe(struct tsr_engine *engine, const struct tsr_flight *flight)
{
    tsr_event event = {.kind = TSR_EVENT_INSTRUCTION,
                       .thread = flight->thread,
                       .unit = (tsr_unit)flight->unit,
                       .word = flight->word,
                       .sequence = flight->sequence,
                       .accepted = flight->accepted_at,
                       .executed = flight->executed_at,
                       .completed = flight->completes_at};
    engine->observer(engine->observer_user, &event);
}

// Cycles in which the unit had work: the union of its instructions' lives.
static void count_busy(struct tsr_engine *engine, struct tsr_line *line,
                       const struct tsr_flight *flight)
{
    uint64_t from = flight->accepted_at > line->busy_until ? flight->accepted_at : line->busy_until;
    if (flight->completes_at > from) {
        engine->tally.unit_busy[flight->unit] += flight->completes_at - from;
        line->busy_until = flight->completes_at;
    }
}

static bool complete_due(struct tsr_engine *engine, const struct tsr_unit_ops *ops,
                         struct tsr_line *line)
{
    bool moved = false;
    while (line->executed > 0) {
        struct tsr_flight *flight = tsr_line_at(line, 0);
        if (flight->completes_at > engine->env.state->now)
            break;
        if (ops->complete)
            ops->complete(&engine->env, flight);
        count_busy(engine, line, flight);
        if (engine->observer)
            tsr_line_observe(engine, flight);
        engine->env.state->frontend[flight->thread].in_flight--;
        line->first = (uint8_t)((line->first + 1) % TSR_LINE_DEPTH);
        line->count--;
        line->executed--;
        moved = true;
    }
    // An empty line starts over at its first place, which stays in the cache.
    if (line->count == 0) {
        line->first = 0;
        engine->env.state->flights.active &= ~(1u << (line - engine->env.state->flights.line));
    }
    return moved;
}

void tsr_line_abort(struct tsr_env *env, tsr_unit unit)
{
    struct tsr_line *line = &env->state->flights.line[unit];
    for (unsigned i = 0; i < line->count; i++)
        env->state->frontend[tsr_line_at(line, i)->thread].in_flight--;
    line->first = line->count = line->executed = 0;
    line->reason = TSR_REASON_NONE;
    line->next_accept = env->state->now;
    env->state->flights.active &= ~(1u << unit);
    if (unit == TSR_UNIT_UNPACKER0 || unit == TSR_UNIT_UNPACKER1)
        tsr_l1_end(env, unit == TSR_UNIT_UNPACKER0 ? TSR_L1_UNPACKER0 : TSR_L1_UNPACKER1);
    for (unsigned i = 0; unit == TSR_UNIT_PACKER && i < TSR_PACKERS; i++)
        tsr_l1_end(env, TSR_L1_PACKER0 + i);
}

// True if the oldest instruction that has not executed did so now.
static bool execute_next(struct tsr_engine *engine, tsr_unit unit, const struct tsr_unit_ops *ops,
                         struct tsr_line *line)
{
    struct tsr_env *env = &engine->env;
    uint64_t now = env->state->now;
    if (line->executed == line->count || (line->executed > 0 && tsr_unit_serial(unit)))
        return false;
    struct tsr_flight *flight = tsr_line_at(line, line->executed);
    if (now < flight->accepted_at + flight->address)
        return false;
    env->acting = flight;
    tsr_reason reason = ops->execute ? ops->execute(env, flight) : TSR_REASON_NONE;
    env->acting = NULL;
    if (env->findings->stopped)
        return false;
    if (line->executed == line->count)
        return true; // a STOREREG began a soft reset of its own unit
    if (reason != line->reason) {
        line->reason = (uint8_t)reason;
        line->waits_since = now;
    }
    if (reason != TSR_REASON_NONE)
        return false;
    flight->executed = true;
    flight->executed_at = now;
    flight->completes_at = now + (env->timing ? flight->duration : 0);
    line->executed++;
    return true;
}

bool tsr_line_advance(struct tsr_engine *engine, tsr_unit unit)
{
    struct tsr_line *line = &engine->env.state->flights.line[unit];
    if (line->count == 0)
        return false;
    const struct tsr_unit_ops *ops = tsr_unit_ops_of(unit);
    bool moved = line->executed > 0 && complete_due(engine, ops, line);
    while (line->executed < line->count && execute_next(engine, unit, ops, line)) {
        moved = true;
        complete_due(engine, ops, line);
    }
    return moved;
}
