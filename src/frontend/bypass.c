// SPDX-License-Identifier: Apache-2.0
// The bypass. With timing off a thread runs until something holds it. The stages before the wait
// gate have nothing to wait for then, so a word goes straight from where it lies to its unit, and
// if the unit is empty, it executes and completes there at once. Several words in a row for one
// unit are offered to the unit as a block first (docs/architecture.md). A word that cannot go on is
// put at the gate, as if it had come there stage by stage. tsr_options.pipeline switches bypass and
// blocks off.
#include "frontend/bypass.h"

#include "frontend/expand.h"
#include "frontend/issue.h"
#include "frontend/parking.h"
#include "frontend/queues.h"
#include "frontend/replay_expander.h"
#include "frontend/rests.h"
#include "frontend/small_words.h"
#include "frontend/turns.h"
#include "frontend/word_blocks.h"
#include "matrix/banks.h"

#include <string.h>

// There is work that only the engine moves on, for which a thread's run ends.
static inline bool engine_is_due(const struct tsr_state *state)
{
    return state->mover.busy || state->tdma.count > 0 || state->scalar.requests > 0;
}

// Does the latched wait let the word go on? If its conditions are met, the wait ends here and the
// run goes on; if not, it holds only instructions that it blocks. `unmet`: it is known that they
// are not met.
static __attribute__((noinline)) bool passes_latch(struct tsr_engine *engine, int thread,
                                                   uint32_t word, bool unmet)
{
    if (!unmet && tsr_gate_evaluate(engine, thread))
        return true;
    const struct tsr_route *route = &engine->route[word >> 24];
    if (!route->ops || engine->env.state->queues.active >> TSR_UNIT_SCALAR & 1)
        return true; // what holds it otherwise, tsr_offer() knows
    tsr_reason reason = tsr_gate_blocks(&engine->env, thread, (enum tsr_op)route->op);
    return reason == TSR_REASON_NONE || tsr_hold(engine, thread, reason, word, 0);
}

static inline bool passes_gate(struct tsr_engine *engine, int thread, uint32_t word, bool unmet)
{
    return !engine->env.state->sync.latch[thread].latched ||
           passes_latch(engine, thread, word, unmet);
}

// Issues any word, with all checks of the gate. True: the next word may follow in this round.
static bool offer_word(struct tsr_engine *engine, struct tsr_frontend *frontend, int thread,
                       uint32_t word, enum tsr_word_at at)
{
    uint64_t before = frontend->sequence;
    bool gone = tsr_offer(engine, thread, word, at);
    if (engine->env.findings->stopped && frontend->sequence == before)
        tsr_stand_at_gate(engine, thread, word, at);
    return gone && !engine_is_due(engine->env.state);
}

// Issues a word without the gate's checks if none of them could hold it; all others take
// tsr_offer(). An instruction that neither waits nor is stopped is never seen in its unit's queue.
static __attribute__((noinline)) bool run_word(struct tsr_engine *engine,
                                               struct tsr_frontend *frontend, int thread,
                                               uint32_t word, enum tsr_word_at at)
{
    const struct tsr_route *route = &engine->route[word >> 24];
    struct tsr_env *env = &engine->env;
    tsr_unit unit = tsr_route_unit(route, word);
    struct tsr_queue *queue = &env->state->queues.of[unit];
    // The scalar unit may hold the thread.
    if (!route->bypass || (word & route->reserved) != 0 ||
        (env->state->queues.active & (1u << unit | 1u << TSR_UNIT_SCALAR)) != 0 ||
        (env->state->debug.soft_reset & TSR_RESET_COPROCESSOR) != 0)
        return offer_word(engine, frontend, thread, word, at);
    struct tsr_inflight *inst = &queue->inst[queue->first]; // where it is if it waits
    tsr_reason reason;
    uint64_t retry_at = 0; // with timing off no wait has such an end
    if (!tsr_stage_accept(engine, route, frontend, thread, word, unit, inst, false, &reason,
                          &retry_at)) {
        if (env->findings->stopped)
            tsr_stand_at_gate(engine, thread, word, at);
        return reason != TSR_REASON_NONE && tsr_hold(engine, thread, reason, word, retry_at);
    }
    tsr_count_issued(engine, frontend, thread, at, inst->hold, TSR_REASON_HOLD, false);
    if (tsr_stage_execute(env, route->ops, inst, &reason)) {
        if (engine->observer)
            tsr_inflight_executed(inst, env->state->now, false);
        tsr_stage_complete(engine, route->ops, queue, inst, false);
        return true;
    }
    tsr_queue_enter(env, queue, inst, thread, unit, false);
    if (!env->findings->stopped)
        tsr_queue_note_wait(queue, reason, env->state->now);
    return true;
}

// Executes a small word behind a wait that is not met, if this does not hold it. A wait among small
// words is latched and evaluated as it is at the gate, so there is none behind it.
static __attribute__((noinline)) unsigned run_small_behind(struct tsr_engine *engine, int thread,
                                                           uint32_t word)
{
    struct tsr_env *env = &engine->env;
    uint64_t *sequence = &env->state->frontend[thread].sequence;
    const struct tsr_small_word *small = tsr_small_word_of(engine, word);
    if (small->kind == TSR_SMALL_NOT ||
        tsr_latch_holds(engine, &engine->route[word >> 24], thread) ||
        (env->state->queues.active >> small->unit & 1) != 0)
        return 0;
    if (small->kind == TSR_SMALL_OF_UNIT) {
        if (!small->run(env, thread, small, *sequence + 1))
            return 0;
        engine->tally.unit_instructions[small->unit]++;
        engine->in_blocks++;
    }
    ++*sequence;
    return 1;
}

// Executes the small words that come first, NOPs included.
static inline unsigned run_small(struct tsr_engine *engine, int thread, const uint32_t *words,
                                 unsigned count, bool latched)
{
    unsigned nops = 0;
    if (engine->env.state->queues.active >> TSR_UNIT_SCALAR & 1)
        return 0;
    if (latched)
        return run_small_behind(engine, thread, words[0]);
    unsigned done = tsr_run_small(engine, thread, words, count, &nops);
    engine->in_blocks += done - nops;
    return done;
}

// Executes words block by block until one can be in no block (`single`). The caller removes them
// from where they lie. A wait that is latched afterwards is not met.
static inline unsigned run_blocks(struct tsr_engine *engine, int thread, const uint32_t *words,
                                  unsigned count, enum tsr_word_at at, bool *single)
{
    struct tsr_env *env = &engine->env;
    const bool *latched = &env->state->sync.latch[thread].latched;
    unsigned done = 0, last;
    *single = false;
    if (engine->observer || env->watch ||
        (env->state->debug.soft_reset & TSR_RESET_COPROCESSOR) != 0)
        return 0;
    do {
        const struct tsr_route *route = &engine->route[words[done] >> 24];
        last = 0;
        if (route->small)
            last = run_small(engine, thread, words + done, count - done, *latched);
        if (last == 0 && route->blocks)
            last = tsr_run_word_block(engine, route, thread, words + done, count - done, at,
                                      *latched, single);
        done += last;
        *single |= last == 0; // the next one has just been refused
    } while (done < count && !*single);
    if (done > 0) {
        engine->tally.issued[thread] += done;
        if (env->state->frontend[thread].reason != TSR_REASON_NONE)
            tsr_note_wait(engine, thread, TSR_REASON_NONE, 0);
    }
    return done;
}

static bool run_replay(struct tsr_engine *engine, struct tsr_frontend *frontend, int thread);

// A MOP, MOP_CFG or REPLAY, which its expander takes; without the stages, where these make no
// difference. The words that a REPLAY plays come next in any case.
static __attribute__((noinline)) bool expand_word(struct tsr_engine *engine, int thread,
                                                  uint32_t word, enum tsr_word_at at)
{
    enum tsr_op op = (enum tsr_op)engine->route[word >> 24].op;
    if (op != OP_REPLAY && at == TSR_AT_CORE)
        return tsr_mop_begin(&engine->env, thread, &engine->expansion[thread]);
    struct tsr_frontend *frontend = &engine->env.state->frontend[thread];
    enum tsr_word_source source =
        (enum tsr_word_source)(tsr_word_tag(frontend, at, 0) & TSR_TAG_SOURCE);
    if (op != OP_REPLAY || !tsr_replay_begin_play(&engine->env, thread, word, source))
        return tsr_expand(engine, thread);
    tsr_take_words(engine, frontend, thread, at, 1);
    return engine->env.findings->stopped || run_replay(engine, frontend, thread);
}

// Issues words that lie one behind the other in memory, up to the first one that an expander takes.
// False: an instruction could not go on.
static __attribute__((noinline)) bool run_words(struct tsr_engine *engine,
                                                struct tsr_frontend *frontend, int thread,
                                                const uint32_t *words, unsigned count,
                                                enum tsr_word_at at)
{
    const bool *latched = &engine->env.state->sync.latch[thread].latched;
    bool unmet = false, single = false;
    for (unsigned done; count > 0; words += done, count -= done) {
        const struct tsr_route *route = &engine->route[words[0] >> 24];
        if (at != TSR_AT_REPLAY && route->expands)
            return expand_word(engine, thread, words[0], at);
        if (*latched && !passes_latch(engine, thread, words[0], unmet))
            return false;
        if (route->parks && tsr_may_park(engine, thread)) {
            enum tsr_parking end;
            if (engine_is_due(engine->env.state))
                return false;
            done = tsr_park_words(engine, frontend, thread, words, count, at, &end);
            if (end != TSR_PARKED)
                return false;
            if (done > 0) {
                single = false;
                continue;
            }
        }
        single |= route->blocks && !route->small && tsr_held_by_unit(engine, route, words[0]);
        done = 0;
        if (!single && (route->small || route->blocks))
            done = run_blocks(engine, thread, words, count, at, &single);
        unmet = done > 0 && *latched;
        if (done > 0) {
            tsr_words_gone(engine, frontend, thread, at, done);
            continue;
        }
        if (!run_word(engine, frontend, thread, words[0], at))
            return false;
        if (engine->env.findings->stopped)
            return true;
        done = 1;
        single = false;
    }
    return true;
}

// Issues the words of the replay buffer, up to the place where it wraps around.
static __attribute__((noinline)) bool run_replay(struct tsr_engine *engine,
                                                 struct tsr_frontend *frontend, int thread)
{
    const struct tsr_replay *replay = &frontend->replay;
    unsigned to_end = TSR_REPLAY_WORDS - (unsigned)replay->play_index;
    unsigned count = replay->play_left < to_end ? replay->play_left : to_end;
    return run_words(engine, frontend, thread, replay->word + replay->play_index, count,
                     TSR_AT_REPLAY);
}

// Issues words of a FIFO that wraps around among them, from a copy. The wrap would cut a block in
// two, and each way to cut it would be cached.
static __attribute__((noinline)) bool run_wrapped(struct tsr_engine *engine,
                                                  struct tsr_frontend *frontend, int thread,
                                                  const struct tsr_fifo *fifo, enum tsr_word_at at)
{
    uint32_t copy[TSR_FIFO_MAX];
    unsigned count = fifo->count, to_end = TSR_FIFO_MAX - (unsigned)fifo->first;
    memcpy(copy, fifo->word + fifo->first, to_end * sizeof *copy);
    memcpy(copy + to_end, fifo->word, (count - to_end) * sizeof *copy);
    return run_words(engine, frontend, thread, copy, count, at);
}

static bool run_fifo(struct tsr_engine *engine, struct tsr_frontend *frontend, int thread,
                     const struct tsr_fifo *fifo, enum tsr_word_at at)
{
    if (fifo->count > TSR_FIFO_MAX - (unsigned)fifo->first)
        return run_wrapped(engine, frontend, thread, fifo, at);
    return run_words(engine, frontend, thread, fifo->word + fifo->first, fifo->count, at);
}

static __attribute__((noinline)) bool run_mop(struct tsr_engine *engine,
                                              struct tsr_frontend *frontend, int thread)
{
    unsigned count;
    const uint32_t *words =
        tsr_mop_words(&engine->env, frontend, &engine->expansion[thread], &count);
    if (count > 0 && !run_words(engine, frontend, thread, words, count, TSR_AT_MOP))
        return false;
    if (count == 0 || (tsr_mop_at_end(frontend, &engine->expansion[thread]) &&
                       tsr_mop_is_next_at_gate(frontend) && !engine_is_due(engine->env.state) &&
                       !engine->env.findings->stopped))
        tsr_mop_end(frontend, &engine->expansion[thread]); // what comes next comes without the gate
    return true;
}

// Issues the word at the gate.
static __attribute__((noinline)) bool run_gate(struct tsr_engine *engine,
                                               struct tsr_frontend *frontend, int thread)
{
    uint32_t word = tsr_fifo_front(&frontend->before_gate);
    bool single;
    if (!passes_gate(engine, thread, word, false))
        return false;
    if (run_blocks(engine, thread, &word, 1, TSR_AT_GATE, &single) == 0)
        return run_word(engine, frontend, thread, word, TSR_AT_GATE);
    tsr_note_pushes(engine, frontend, thread, TSR_AT_GATE, frontend->sequence, 1);
    tsr_fifo_pop(&frontend->before_gate);
    return true;
}

// Issues what comes next: the word at the gate, or words that skip the stages, or, where that is
// not possible, words stage by stage.
static bool run_some(struct tsr_engine *engine, struct tsr_frontend *frontend, int thread)
{
    if (frontend->before_gate.count > 0)
        return run_gate(engine, frontend, thread);
    if (frontend->replay.play_left > 0)
        return run_replay(engine, frontend, thread);
    if (frontend->replay.load_left > 0)
        return tsr_expand(engine, thread) || tsr_issue(engine, thread);
    if (frontend->before_replay.count > 0)
        return run_fifo(engine, frontend, thread, &frontend->before_replay, TSR_AT_B);
    if (frontend->mop.active)
        return run_mop(engine, frontend, thread);
    if (frontend->before_mop.count > 0)
        return run_fifo(engine, frontend, thread, &frontend->before_mop, TSR_AT_CORE);
    return tsr_issue(engine, thread); // which notes that there is nothing
}

// A round of the stages before the gate. A wait that is not met yet holds only what it blocks.
static __attribute__((noinline)) bool run_stages(struct tsr_engine *engine,
                                                 struct tsr_frontend *frontend, int thread)
{
    const bool *stopped = &engine->env.findings->stopped;
    bool moved = frontend->before_gate.count == 0 && tsr_expand(engine, thread);
    if (*stopped || (moved && tsr_at_break(engine, thread)))
        return moved;
    moved |= tsr_issue(engine, thread);
    if (engine->env.state->sync.latch[thread].latched)
        tsr_gate_evaluate(engine, thread);
    moved |= !*stopped && tsr_expand(engine, thread);
    return moved;
}

// A word held by a full unit or a bank of Src stays where it lies as long as the run goes on. At
// the gate it would be cut off from the words behind it, with which its unit may take it as one
// block.
static bool waits_where_it_lies(const struct tsr_frontend *frontend)
{
    return frontend->reason == TSR_REASON_UNIT_FULL || frontend->reason == TSR_REASON_SRCA ||
           frontend->reason == TSR_REASON_SRCB;
}

// What held the word at the gate the last time holds it still: asked first, since a thread is asked
// whenever another one has moved. What takes a bank unasked says each time that it is deferred
// (tsr_env.deferred), unless a latched wait holds it before.
static bool still_held(const struct tsr_engine *engine, const struct tsr_frontend *frontend,
                       int thread)
{
    bool stands = frontend->before_gate.count > 0;
    if (!stands && !waits_where_it_lies(frontend))
        return false;
    uint32_t word = stands ? tsr_fifo_front(&frontend->before_gate) : frontend->waits_word;
    enum tsr_op op = (enum tsr_op)engine->route[word >> 24].op;
    bool latched =
        frontend->reason == TSR_REASON_SEMWAIT || frontend->reason == TSR_REASON_STALLWAIT;
    if (tsr_matrix_may_defer(op) && !latched)
        return false;
    return stands ? tsr_gate_rests(engine, frontend, thread)
                  : tsr_unit_keeps_out(engine, frontend, word, (tsr_reason)frontend->reason);
}

bool tsr_thread_rests(const struct tsr_engine *engine, int thread)
{
    const struct tsr_frontend *frontend = &engine->env.state->frontend[thread];
    return !engine->env.state->sync.latch[thread].latched &&
           (tsr_frontend_quiet(frontend) || still_held(engine, frontend, thread));
}

bool tsr_words_to_gates(struct tsr_engine *engine)
{
    bool moved = false, runs = !engine->env.timing && engine->schedule.kind == TSR_SCHEDULE_CARD;
    for (int thread = 0; thread < TSR_THREADS && runs; thread++)
        if (waits_where_it_lies(&engine->env.state->frontend[thread]))
            moved |= tsr_expand_held(engine, thread);
    return moved;
}

// The word that waits where it lies is in the thread's MOP, from where it would be the next at the
// gate.
static inline bool waits_in_mop(const struct tsr_frontend *frontend)
{
    return frontend->mop.active && tsr_mop_is_next_at_gate(frontend);
}

bool tsr_word_waits_in_mop(const struct tsr_engine *engine, int thread)
{
    const struct tsr_frontend *frontend = &engine->env.state->frontend[thread];
    return waits_where_it_lies(frontend) && waits_in_mop(frontend);
}

bool tsr_words_off_fifos(struct tsr_engine *engine)
{
    bool moved = false, all = tsr_words_are_seen(engine) || engine->env.findings->stopped ||
                              engine->break_thread >= 0;
    if (all || engine->env.timing || engine->schedule.kind != TSR_SCHEDULE_CARD)
        return tsr_words_to_gates(engine);
    for (int thread = 0; thread < TSR_THREADS; thread++) {
        const struct tsr_frontend *frontend = &engine->env.state->frontend[thread];
        if (waits_where_it_lies(frontend) && !waits_in_mop(frontend))
            moved |= tsr_expand_held(engine, thread);
    }
    return moved;
}

// Runs a thread that nothing is known to hold. Whether something moved.
static __attribute__((noinline)) bool run_on(struct tsr_engine *engine,
                                             struct tsr_frontend *frontend, int thread)
{
    struct tsr_state *state = engine->env.state;
    bool bypass = !engine->staged && thread != engine->break_thread && !engine_is_due(state);
    bool moved = false, again;
    tsr_lend_nothing(frontend);
    do {
        uint64_t before = frontend->sequence;
        again = bypass ? run_some(engine, frontend, thread) : run_stages(engine, frontend, thread);
        if (bypass && state->sync.latch[thread].latched) // whatever held or ended its words
            tsr_gate_evaluate(engine, thread);
        moved |= again || frontend->sequence != before;
        again = again && !engine_is_due(state) && !engine->env.findings->stopped;
        if (again && (tsr_at_break(engine, thread) || tsr_words_used_up(engine, thread)))
            engine->broken_thread = (int8_t)thread;
    } while (again && engine->broken_thread < 0);
    if (bypass && engine->broken_thread < 0 && !engine->env.findings->stopped &&
        !tsr_frontend_quiet(frontend) && !waits_where_it_lies(frontend))
        moved |= tsr_expand(engine, thread); // what comes next stands at the gate
    return moved;
}

bool tsr_run_thread(struct tsr_engine *engine, int thread)
{
    struct tsr_frontend *frontend = &engine->env.state->frontend[thread];
    bool moved = false;
    if (engine->env.state->sync.latch[thread].latched) // behind which there may be nothing
        moved = tsr_gate_evaluate(engine, thread) && tsr_frontend_drained(&engine->env, thread);
    else if (tsr_frontend_quiet(frontend))
        return false;
    if (still_held(engine, frontend, thread))
        return moved;
    if (tsr_take_turn(engine, frontend, thread, &moved))
        return moved;
    return run_on(engine, frontend, thread) || moved;
}
