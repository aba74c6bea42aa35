// SPDX-License-Identifier: Apache-2.0
// What the run report and an observer hear of threads: each wait at the gate is counted, and the
// observer is called when it ends. It is called for an instruction when that is complete, for one
// that SFPLOADMACRO has scheduled when it executes, and for one without effect when it is refused.
#include "frontend/events.h"

static __attribute__((noinline)) void tell_wait(const struct tsr_engine *engine, int thread)
{
    const struct tsr_frontend *frontend = &engine->env.state->frontend[thread];
    uint32_t word = frontend->waits_word;
    tsr_unit unit;
    tsr_event event = {.kind = TSR_EVENT_WAIT,
                       .thread = thread,
                       .unit = tsr_unit_of(engine->env.isa, word, &unit) ? unit : TSR_UNIT_COUNT,
                       .reason = (tsr_reason)frontend->reason,
                       .sub_unit = -1,
                       .core = -1,
                       .code = "",
                       .word = word,
                       .sequence = frontend->sequence + 1,
                       .accepted = frontend->waits_since,
                       .executed = frontend->waits_since,
                       .completed = engine->env.state->now};
    engine->observer(engine->observer_user, &event);
}

// With timing on: the cycle from which a thread whose gate is empty has nothing to issue. Which
// round comes next, and notes it, depends on how a run is cut.
static uint64_t empty_from(const struct tsr_frontend *frontend)
{
    return frontend->next_issue > frontend->waits_since ? frontend->next_issue
                                                        : frontend->waits_since;
}

static void add_waited(const struct tsr_engine *engine, int thread, tsr_run_report *report)
{
    const struct tsr_frontend *frontend = &engine->env.state->frontend[thread];
    uint64_t waited = engine->env.state->now - frontend->waits_since;
    const struct tsr_route *route = &engine->route[frontend->waits_word >> 24];
    report->waited[thread][frontend->reason] += waited;
    if (frontend->reason != TSR_REASON_NONE && frontend->reason != TSR_REASON_EMPTY && route->ops)
        report->available[thread][tsr_route_unit(route, frontend->waits_word)] += waited;
}

void tsr_add_waited(const struct tsr_engine *engine, int thread, tsr_run_report *report)
{
    const struct tsr_frontend *frontend = &engine->env.state->frontend[thread];
    uint64_t now = engine->env.state->now, from = empty_from(frontend);
    add_waited(engine, thread, report);
    if (engine->env.timing && frontend->reason == TSR_REASON_NONE &&
        frontend->before_gate.count == 0 && now > from) {
        report->waited[thread][TSR_REASON_NONE] -= now - from;
        report->waited[thread][TSR_REASON_EMPTY] += now - from;
    }
}

uint64_t tsr_note_empty(struct tsr_engine *engine, int thread)
{
    const struct tsr_frontend *frontend = &engine->env.state->frontend[thread];
    uint64_t from = empty_from(frontend);
    engine->tally.waited[thread][TSR_REASON_NONE] += from - frontend->waits_since;
    return from;
}

void tsr_end_wait(struct tsr_engine *engine, int thread)
{
    const struct tsr_frontend *frontend = &engine->env.state->frontend[thread];
    add_waited(engine, thread, &engine->tally);
    if (engine->observer && frontend->reason != TSR_REASON_NONE &&
        frontend->reason != TSR_REASON_EMPTY)
        tell_wait(engine, thread);
}

void tsr_queue_observe(struct tsr_engine *engine, const struct tsr_inflight *inst)
{
    tsr_event event = {.kind = TSR_EVENT_INSTRUCTION,
                       .thread = inst->thread,
                       .unit = (tsr_unit)inst->unit,
                       .sub_unit =
                           inst->unit == TSR_UNIT_VECTOR ? engine->env.isa->sub_unit[inst->op] : -1,
                       .core = -1,
                       .code = "",
                       .word = inst->word,
                       .sequence = inst->sequence,
                       .accepted = inst->accepted_at,
                       .executed = inst->executed_at,
                       .completed = inst->completes_at};
    engine->observer(engine->observer_user, &event);
}

void tsr_scheduled_observe(void *user, const struct tsr_inflight *inst, unsigned sub_unit,
                           uint64_t cycle)
{
    const struct tsr_engine *engine = user;
    tsr_event event = {.kind = TSR_EVENT_SCHEDULED,
                       .thread = inst->thread,
                       .unit = TSR_UNIT_VECTOR,
                       .sub_unit = (int)sub_unit,
                       .core = -1,
                       .code = "",
                       .word = inst->word,
                       .sequence = inst->sequence,
                       .accepted = cycle,
                       .executed = cycle,
                       .completed = cycle};
    if (engine->observer)
        engine->observer(engine->observer_user, &event);
}

void tsr_reset_observe(void *user, unsigned core, bool held, uint32_t pc)
{
    const struct tsr_engine *engine = user;
    uint64_t now = tsr_now(&engine->env);
    const tsr_event event = {.kind = TSR_EVENT_RESET,
                             .thread = -1,
                             .unit = TSR_UNIT_COUNT,
                             .sub_unit = -1,
                             .core = (int)core,
                             .pc = pc,
                             .code = "",
                             .word = held,
                             .accepted = now,
                             .executed = now,
                             .completed = now};
    engine->observer(engine->observer_user, &event);
}

static void tell_refused(const struct tsr_engine *engine, tsr_event event)
{
    event.kind = TSR_EVENT_REFUSED;
    event.sub_unit = -1;
    event.accepted = event.executed = event.completed = tsr_now(&engine->env);
    if (engine->observer)
        engine->observer(engine->observer_user, &event);
}

void tsr_note_refused(struct tsr_engine *engine, int thread, uint32_t word, tsr_unit unit,
                      const char *code)
{
    engine->tally.refused[thread]++;
    tell_refused(engine, (tsr_event){.thread = thread,
                                     .unit = unit,
                                     .core = -1,
                                     .word = word,
                                     .sequence = engine->env.state->frontend[thread].sequence,
                                     .code = code});
}

void tsr_note_core_refused(struct tsr_engine *engine, int core, uint32_t pc, uint32_t word,
                           const char *code)
{
    engine->tally.core_refused[core]++;
    tell_refused(engine, (tsr_event){.thread = -1,
                                     .unit = TSR_UNIT_COUNT,
                                     .core = core,
                                     .pc = pc,
                                     .word = word,
                                     .code = code});
}
