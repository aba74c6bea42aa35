// SPDX-License-Identifier: Apache-2.0
// With timing off: threads of a kernel stop and go on several times a tile, as banks of Src change
// hands, mostly in the middle of a MOP. Their words are of few kinds: small ones at the gate, small
// ones, PACRs and MOPs in the FIFO, and in a MOP those that are a block or wait in their unit.
// Where nobody looks at single words and nothing else lies between the expander and the units, a
// turn takes a few steps for each; whatever is unlike that is left to bypass.c, which begins where
// this ends.
// Pages: TensixFrontend, MOPExpander.md, SrcASrcB.md.
#include "frontend/turns.h"

#include "frontend/bank_turns.h"
#include "frontend/issue.h"
#include "frontend/parking.h"
#include "frontend/small_words.h"
#include "frontend/word_blocks.h"

enum step { GOES_ON, IS_HELD, ENDS, TAKES_ANOTHER_WAY };

// Whether the word at the FIFO's front, with those behind it, is a block that a turn takes from
// there: PACRs alone, which stand among small words. What bypass.c does better stays there: blocks
// of other units, which follow each other, so that run_fifo() need not ask behind each; words that
// wrap around, which run_wrapped() puts together; and a limit of words.
static inline bool may_take_pacrs(const struct tsr_engine *engine, const struct tsr_fifo *fifo,
                                  const struct tsr_route *route)
{
    return route->blocks && route->unit == TSR_UNIT_PACKER && engine->max_words == 0 &&
           fifo->count <= TSR_FIFO_MAX - (unsigned)fifo->first;
}

// Whether the word that comes next is of a kind that a turn takes.
static inline bool begins_so(const struct tsr_engine *engine, const struct tsr_frontend *frontend)
{
    const struct tsr_fifo *fifo = &frontend->before_mop;
    if (frontend->before_gate.count > 0)
        return engine->max_words == 0 &&
               engine->route[tsr_fifo_front(&frontend->before_gate) >> 24].small;
    if (frontend->mop.active || fifo->count == 0)
        return true;
    const struct tsr_route *route = &engine->route[tsr_fifo_front(fifo) >> 24];
    return route->small || route->op == OP_MOP || may_take_pacrs(engine, fifo, route);
}

static inline bool may_take(const struct tsr_engine *engine, const struct tsr_frontend *frontend,
                            int thread)
{
    const struct tsr_env *env = &engine->env;
    const struct tsr_state *state = env->state;
    unsigned before = (unsigned)frontend->before_replay.count | frontend->replay.play_left |
                      frontend->replay.load_left;
    return before == 0 && !tsr_words_are_seen(engine) &&
           !env->at_rest && // it is for one word, which tsr_bank_awaited() would take it from
           thread != engine->break_thread && !state->mover.busy && state->tdma.count == 0 &&
           state->scalar.requests == 0 && tsr_may_park(engine, thread);
}

// Takes words that lie one behind the other in memory: they execute as a block, or come into the
// queue of the unit that they wait for.
static __attribute__((noinline)) enum step take_words(struct tsr_engine *engine,
                                                      struct tsr_frontend *frontend, int thread,
                                                      const uint32_t *words, unsigned count,
                                                      enum tsr_word_at at, bool *moved)
{
    const struct tsr_route *route = &engine->route[words[0] >> 24];
    unsigned done;
    bool refused;
    if (!route->blocks)
        return TAKES_ANOTHER_WAY;
    if (route->parks) {
        enum tsr_parking end;
        done = tsr_park_words(engine, frontend, thread, words, count, at, &end);
        *moved |= done > 0;
        if (end != TSR_PARKED)
            return IS_HELD;
        if (done > 0)
            return GOES_ON;
    }
    done = tsr_run_word_block(engine, route, thread, words, count, at, false, &refused);
    if (done > 0) {
        *moved = true;
        engine->tally.issued[thread] += done;
        if (frontend->reason != TSR_REASON_NONE)
            tsr_note_wait(engine, thread, TSR_REASON_NONE, 0);
    }
    tsr_reason reason =
        done < count ? tsr_bank_awaited(engine, thread, words[done]) : TSR_REASON_NONE;
    uint32_t next = reason != TSR_REASON_NONE ? words[done] : 0;
    if (done > 0)
        tsr_words_gone(engine, frontend, thread, at, done);
    if (reason != TSR_REASON_NONE) {
        tsr_hold(engine, thread, reason, next, 0);
        return IS_HELD;
    }
    return done > 0 ? GOES_ON : TAKES_ANOTHER_WAY;
}

// The active MOP, up to its end.
static inline enum step take_mop(struct tsr_engine *engine, struct tsr_frontend *frontend,
                                 int thread, bool *moved)
{
    struct tsr_mop_expansion *expansion = &engine->expansion[thread];
    unsigned count;
    enum step step = GOES_ON;
    const uint32_t *words = tsr_mop_words(&engine->env, frontend, expansion, &count);
    while (step == GOES_ON && count > 0) {
        step = take_words(engine, frontend, thread, words, count, TSR_AT_MOP, moved);
        words = expansion->word + expansion->at;
        count = expansion->count - (unsigned)expansion->at;
    }
    if (step == GOES_ON && expansion->count < TSR_MOP_EXPANSION)
        tsr_mop_end(frontend, expansion);
    return step;
}

// Thread 0's turn ends before the words of its MOP if thread 1 is in a MOP, too, and both may take
// turns at banks: the next round begins with these.
static inline enum step begin_mop(struct tsr_engine *engine, struct tsr_frontend *frontend,
                                  int thread, bool *moved)
{
    unsigned count;
    if (!tsr_mop_begin(&engine->env, thread, &engine->expansion[thread]))
        return IS_HELD;
    *moved = true;
    if (thread != 0 || !tsr_bank_turns_near(engine) || !tsr_bank_turns_follow(engine))
        return GOES_ON;
    (void)tsr_mop_words(&engine->env, frontend, &engine->expansion[thread], &count);
    engine->turn_unfinished = count > 0;
    return count > 0 ? ENDS : GOES_ON;
}

// Counts small words that have executed.
static inline void small_words_gone(struct tsr_engine *engine, const struct tsr_frontend *frontend,
                                    int thread, unsigned done, unsigned nops, bool *moved)
{
    if (done == 0)
        return;
    *moved = true;
    engine->tally.issued[thread] += done;
    engine->in_blocks += done - nops;
    if (frontend->reason != TSR_REASON_NONE)
        tsr_note_wait(engine, thread, TSR_REASON_NONE, 0);
}

// The word at the gate, where a wait held it or a run ended.
static inline enum step take_gate(struct tsr_engine *engine, struct tsr_frontend *frontend,
                                  int thread, bool *moved)
{
    unsigned nops = 0;
    uint32_t word = tsr_fifo_front(&frontend->before_gate);
    if (tsr_run_small(engine, thread, &word, 1, &nops) == 0)
        return TAKES_ANOTHER_WAY;
    small_words_gone(engine, frontend, thread, 1, nops, moved);
    tsr_words_gone(engine, frontend, thread, TSR_AT_GATE, 1);
    return engine->env.state->sync.latch[thread].latched ? TAKES_ANOTHER_WAY : GOES_ON;
}

// What cores pushed, up to a MOP that begins or behind a block.
static inline enum step take_fifo(struct tsr_engine *engine, struct tsr_frontend *frontend,
                                  int thread, bool *moved)
{
    struct tsr_fifo *fifo = &frontend->before_mop;
    unsigned nops = 0, done = tsr_run_small_row(engine, frontend, thread, TSR_AT_CORE, &nops);
    small_words_gone(engine, frontend, thread, done, nops, moved);
    if (engine->env.state->sync.latch[thread].latched)
        return TAKES_ANOTHER_WAY;
    if (fifo->count == 0)
        return GOES_ON;
    const struct tsr_route *route = &engine->route[tsr_fifo_front(fifo) >> 24];
    if (route->op == OP_MOP)
        return begin_mop(engine, frontend, thread, moved);
    if (!may_take_pacrs(engine, fifo, route))
        return TAKES_ANOTHER_WAY;
    return take_words(engine, frontend, thread, fifo->word + fifo->first, fifo->count, TSR_AT_CORE,
                      moved);
}

bool tsr_take_turn(struct tsr_engine *engine, struct tsr_frontend *frontend, int thread,
                   bool *moved)
{
    enum step step = GOES_ON;
    if (!begins_so(engine, frontend) || !may_take(engine, frontend, thread))
        return false;
    tsr_lend_nothing(frontend);
    while (step == GOES_ON && !engine->env.findings->stopped)
        if (frontend->before_gate.count > 0)
            step = take_gate(engine, frontend, thread, moved);
        else if (frontend->mop.active)
            step = take_mop(engine, frontend, thread, moved);
        else if (frontend->before_mop.count > 0)
            step = take_fifo(engine, frontend, thread, moved);
        else
            step = tsr_issue(engine, thread) ? GOES_ON : IS_HELD; // it notes that there is nothing
    return step != TAKES_ANOTHER_WAY;
}
