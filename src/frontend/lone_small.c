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

// A word is complete two cycles after it was issued at the latest.
enum { MOST_LATE = 2 };
struct late {
    uint32_t word;
    uint64_t at;
};
struct run {
    struct lone *lone;
    uint64_t limit;  // its cycles come before this one
    uint32_t closed; // units that it may not use
    uint32_t used;   // units
    unsigned done;   // words
    unsigned flow;   // of those that come next, so many leave the FIFOs before them as full as now
    unsigned words[TSR_UNIT_COUNT]; // of each unit
    unsigned in_units;              // of all
    struct late late[MOST_LATE];    // the last of these, number i at i % MOST_LATE
};

TSR_INLINE const struct tsr_route *route_of(const struct run *run, uint32_t word)
{
    return &run->lone->engine->route[word >> 24];
}

// Complete: its time counts.
TSR_INLINE void complete(const struct run *run, const struct late *late)
{
    const struct tsr_route *route = route_of(run, late->word);
    tsr_lone_count_busy(run->lone, route->unit, late->at, late->at + route->latency);
}

// The word behind the one at the gate, if it stands there, is a lone thread's too.
TSR_INLINE bool next_is_plain(const struct run *run)
{
    const struct row *row = &run->lone->row;
    return (row->gate > 1 || run->flow > 0) && route_of(run, row->word[row->at + 1])->plain;
}

// It was issued now. The one whose place it takes was issued two cycles before at least.
TSR_INLINE void note_word(struct run *run, const struct tsr_route *route, uint32_t word,
                          uint64_t now)
{
    struct late *late = &run->late[run->in_units % MOST_LATE];
    if (run->in_units++ >= MOST_LATE)
        complete(run, late);
    *late = (struct late){word, now};
    run->words[route->unit]++;
    run->used |= 1u << route->unit;
}

// Executes it, and takes the unit's time. False: it takes the stages.
TSR_INLINE bool take(struct run *run, uint32_t word)
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
    if ((run->closed >> route->unit & 1) ||
        (route->unit == TSR_UNIT_SCALAR && (now + 1 >= run->limit || !next_is_plain(run))) ||
        !small->run(&engine->env, lone->thread, small, lone->frontend->sequence + 1))
        return false;
    if (!route->serves_each_thread)
        lone->state->queues.of[route->unit].next_accept = now + route->issue_cycles;
    tsr_note_compute(&lone->state->queues, (tsr_unit)route->unit, now, now + route->latency);
    note_word(run, route, word, now);
    return true;
}

// The word is gone from the gate; as tsr_count_issued().
TSR_INLINE void leave_gate(struct lone *lone)
{
    lone->frontend->sequence++;
    lone->frontend->next_issue = lone->state->now + 1;
    lone->row.at++;
    lone->row.gate--;
}

// While one leaves the gate, one comes behind it and one from the cores, each FIFO holds as many as
// before. For how many words that is known.
TSR_INLINE unsigned words_flow(struct run *run)
{
    struct lone *lone = run->lone;
    struct row *row = &lone->row;
    const uint64_t now = lone->state->now, left = run->limit - now - 1;
    if (!row->in_use || row->gate == 0 || row->play > 0 || row->middle == 0 || row->has_kept ||
        now < lone->frontend->mop_idle_until)
        return 0;
    const unsigned count = left < row->cores ? (unsigned)left : row->cores;
    const unsigned first = row->at + row->gate + row->middle;
    return row_passes(lone, first + count) ? count : row->known > first ? row->known - first : 0;
}

// Issues words. True: the last of them in the present cycle.
TSR_INLINE bool issue_words(struct run *run)
{
    struct lone *lone = run->lone;
    struct row *row = &lone->row;
    struct tsr_frontend *frontend = lone->frontend;
    const struct tsr_route *route = lone->engine->route;
    run->flow = words_flow(run);
    for (;;) {
        if (!take(run, row->word[row->at]))
            return false;
        if (run->done++ == 0 && frontend->reason != TSR_REASON_NONE)
            tsr_note_wait(lone->engine, lone->thread, TSR_REASON_NONE, 0);
        if (run->flow > 0 && next_is_plain(run)) {
            run->flow--;
            row->at++;
            row->cores--;
            frontend->sequence++;
            frontend->next_issue = frontend->next_expand = ++lone->state->now;
            continue;
        }
        leave_gate(lone);
        if (lone->state->now + 1 >= run->limit)
            return true;
        if (lone->state->now >= frontend->next_expand)
            expand(lone);
        if (words_at_gate(lone) == 0 || !route[word_at_gate(lone) >> 24].plain ||
            lone->engine->env.findings->stopped)
            return true;
        lone->state->now++;
        if (!row->in_use)
            return false;
        run->flow = words_flow(run);
    }
}

// `issued`: the last word was issued in the present cycle. What is not complete in it stands in its
// queue.
static void count_words(const struct run *run, bool issued)
{
    struct lone *lone = run->lone;
    struct tsr_engine *engine = lone->engine;
    engine->tally.issued[lone->thread] += run->done;
    engine->in_blocks += run->in_units;
    engine->env.touched |= run->used;
    for (uint32_t left = run->used; left; left &= left - 1) {
        const unsigned unit = (unsigned)__builtin_ctz(left);
        engine->tally.unit_instructions[unit] += run->words[unit];
        engine->tally.available[lone->thread][unit] += run->words[unit];
        lone->state->queues.of[unit].next_thread = tsr_lone_next_thread(lone);
    }
    for (unsigned i = run->in_units < MOST_LATE ? 0 : run->in_units - MOST_LATE; i < run->in_units;
         i++) {
        const struct late *late = &run->late[i % MOST_LATE];
        const struct tsr_route *route = route_of(run, late->word);
        const uint64_t now = lone->state->now, behind = now - late->at - !issued;
        if (late->at + route->latency <= now) {
            complete(run, late);
            continue;
        }
        tsr_lone_put_in_queue(lone, route, late->word, lone->frontend->sequence - behind, late->at);
        earlier(&lone->due, late->at + route->latency);
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
    run.done = run.flow = run.in_units = 0;
    run.used = 0;
    memset(run.words, 0, sizeof run.words);
    if (engine->env.watch || (state->queues.active >> TSR_UNIT_SCALAR & 1) ||
        state->now >= run.limit)
        return false;
    if (lone->latch->latched) { // it may end in each cycle
        if (blocks(lone))
            return false;
        run.limit = state->now + 1;
    }
    bool issued = issue_words(&run);
    if (run.done > 0)
        count_words(&run, issued);
    return issued;
}
