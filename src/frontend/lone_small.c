// SPDX-License-Identifier: Apache-2.0
// With timing on: small words of a lone thread that their units take one a cycle (small_words.c).
// Several are executed in one step if the units that they need are empty and nothing is due before
// the last of them; in the cycles between only the FIFOs move. Those that are not complete in the
// last cycle stand in their queues as executed. The last one is never a SETDMAREG, since its GPR is
// there only one cycle later, and the step ends before a word that reaches through the address map,
// because that is not the lone thread's matter alone.
#include "frontend/lone_small.h"

#include "frontend/lone_units.h"
#include "frontend/small_words.h"
#include "frontend/stages.h"
#include "frontend/wait_gate.h"

// Of those that are under way, the oldest first: one a cycle, and each for two cycles at most.
enum { MOST_LATE = 2 };
struct late {
    uint32_t word;
    uint64_t at;
};
struct run {
    struct lone *lone;
    uint64_t limit;  // its cycles come before this one
    uint32_t closed; // units that it may not use
    unsigned done, late_count;
    struct late late[MOST_LATE];
};

INLINE const struct tsr_route *route_of(const struct run *run, uint32_t word)
{
    return &run->lone->engine->route[word >> 24];
}

// Complete: its time counts.
INLINE void complete(const struct run *run, const struct late *late)
{
    const struct tsr_route *route = route_of(run, late->word);
    struct tsr_engine *engine = run->lone->engine;
    struct tsr_queue *queue = &engine->env.state->queues.of[route->unit];
    uint64_t until = late->at + route->latency;
    uint64_t from = late->at > queue->busy_until ? late->at : queue->busy_until;
    if (until <= from)
        return;
    engine->tally.unit_busy[route->unit] += until - from;
    engine->tally.thread_busy[route->unit][run->lone->thread] += until - from;
    queue->busy_until = until;
}

// Those that are complete in the present cycle. What is issued later may be complete earlier, in
// another unit.
INLINE void complete_due(struct run *run)
{
    uint64_t now = run->lone->state->now;
    unsigned kept = 0;
    for (unsigned i = 0; i < run->late_count; i++) {
        const struct late late = run->late[i];
        if (late.at + route_of(run, late.word)->latency <= now)
            complete(run, &late);
        else
            run->late[kept++] = late;
    }
    run->late_count = kept;
}

// The word behind the one at the gate, if it stands there, is a lone thread's too.
INLINE bool next_is_plain(const struct run *run)
{
    const struct row *row = &run->lone->row;
    return row->gate > 1 && route_of(run, row->word[row->at + 1])->plain;
}

// Executes it, and takes the unit's time. False: it takes the stages.
INLINE bool take(struct run *run, uint32_t word)
{
    struct lone *lone = run->lone;
    struct tsr_engine *engine = lone->engine;
    const struct tsr_small_word *small = tsr_small_word_of(engine, word);
    const struct tsr_route *route = route_of(run, word);
    uint64_t now = lone->state->now;
    if (!route->timed_small || small->kind == TSR_SMALL_NOT)
        return false;
    if (small->kind == TSR_SMALL_NOP)
        return true;
    struct tsr_queue *queue = &lone->state->queues.of[route->unit];
    if ((run->closed >> route->unit & 1) ||
        (route->unit == TSR_UNIT_SCALAR && (now + 1 >= run->limit || !next_is_plain(run))) ||
        !small->run(&engine->env, lone->thread, small, lone->frontend->sequence + 1))
        return false;
    queue->next_thread = (uint8_t)(lone->thread + 1 < TSR_THREADS ? lone->thread + 1 : 0);
    if (!route->serves_each_thread)
        queue->next_accept = now + route->issue_cycles;
    tsr_note_compute(&lone->state->queues, (tsr_unit)route->unit, now, now + route->latency);
    engine->env.touched |= 1u << route->unit;
    engine->tally.unit_instructions[route->unit]++;
    engine->tally.available[lone->thread][route->unit]++;
    engine->in_blocks++;
    run->late[run->late_count++] = (struct late){word, now};
    return true;
}

// The word is gone from the gate; as tsr_count_issued().
INLINE void leave_gate(struct lone *lone)
{
    lone->frontend->sequence++;
    lone->frontend->next_issue = lone->state->now + 1;
    lone->row.at++;
    lone->row.gate--;
}

// While one leaves the gate, one comes behind it and one from the cores, each FIFO holds as many as
// before. False: the FIFOs are to be looked at.
INLINE bool steps_alike(const struct lone *lone)
{
    const struct row *row = &lone->row;
    return row->gate == DEPTH_BEFORE_GATE && row->play == 0 && row->middle > 0 && !row->has_kept &&
           lone->state->now >= lone->frontend->mop_idle_until;
}

// Issues words. True: the last of them in the present cycle.
INLINE bool issue_words(struct run *run)
{
    struct lone *lone = run->lone;
    struct row *row = &lone->row;
    const struct tsr_route *route = lone->engine->route;
    bool alike = steps_alike(lone);
    for (;;) {
        if (!take(run, row->word[row->at]))
            return false;
        if (run->done++ == 0 && lone->frontend->reason != TSR_REASON_NONE)
            tsr_note_wait(lone->engine, lone->thread, TSR_REASON_NONE, 0);
        if (alike && row->cores > 0 && lone->state->now + 1 < run->limit && next_is_plain(run) &&
            !route[row->word[row->at + DEPTH_BEFORE_GATE + row->middle] >> 24].expands) {
            row->at++;
            row->cores--;
            lone->frontend->sequence++;
            lone->frontend->next_issue = lone->frontend->next_expand = ++lone->state->now;
            complete_due(run);
            continue;
        }
        alike = false;
        leave_gate(lone);
        if (lone->state->now + 1 >= run->limit)
            return true;
        if (lone->state->now >= lone->frontend->next_expand)
            expand(lone);
        if (words_at_gate(lone) == 0 || !route[word_at_gate(lone) >> 24].plain)
            return true;
        lone->state->now++;
        complete_due(run);
        if (!row->in_use)
            return false;
    }
}

// The thread's wait holds the word at the gate.
static bool blocks(const struct lone *lone)
{
    const struct tsr_engine *engine = lone->engine;
    const enum tsr_op op = (enum tsr_op)engine->route[word_at_gate(lone) >> 24].op;
    return tsr_gate_blocks(&engine->env, lone->thread, op) != TSR_REASON_NONE;
}

bool tsr_lone_small(struct lone *lone, uint64_t until)
{
    struct tsr_engine *engine = lone->engine;
    struct tsr_state *state = lone->state;
    struct run run;
    run.lone = lone;
    run.limit = until < lone->due ? until : lone->due;
    if (words_left(lone) < run.limit - state->now)
        run.limit = state->now + words_left(lone);
    run.closed = state->queues.active;
    run.done = run.late_count = 0;
    if (engine->env.watch || (state->queues.active >> TSR_UNIT_SCALAR & 1) ||
        state->now >= run.limit)
        return false;
    if (lone->latch->latched) { // it may end in each cycle
        if (blocks(lone))
            return false;
        run.limit = state->now + 1;
    }
    bool issued = issue_words(&run);
    if (run.done == 0)
        return false;
    engine->tally.issued[lone->thread] += run.done;
    for (unsigned i = 0; i < run.late_count; i++) {
        uint64_t behind = state->now - run.late[i].at - !issued;
        const struct tsr_route *route = route_of(&run, run.late[i].word);
        tsr_lone_put_in_queue(lone, route, run.late[i].word, lone->frontend->sequence - behind,
                              run.late[i].at);
        earlier(&lone->due, run.late[i].at + route->latency);
    }
    return issued;
}
