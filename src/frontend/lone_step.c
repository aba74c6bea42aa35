// SPDX-License-Identifier: Apache-2.0
// With timing on: one word of a lone thread whose whole course its unit knows when it is issued:
// when it executes, what it leaves behind, and how long it takes (tsr_unit_ops.take_whole). It is
// put into its queue as executed, and the clock goes on to the cycle in which the thread may issue
// its next word. If that word waits for a bank of Src and the hand-over has a known time, the clock
// goes on to that time. In between only the FIFOs move, and instructions that have executed
// complete.
// An UNPACR reads its bytes some cycles after it is issued. They are moved at once if nobody could
// notice or prevent it before then: no other bytes stop moving, the bank belongs to the unpackers
// and nobody gives it back, and no expander begins or ends anything.
#include "frontend/lone_step.h"

#include "frontend/events.h"
#include "frontend/issue.h"
#include "frontend/lone_units.h"
#include "frontend/wait_gate.h"
#include "matrix/banks.h"
#include "matrix/matrix_operations.h"

// The word behind the one at the gate reaches nothing through the address map, so that the rounds
// may go on with it.
static bool goes_on(const struct lone *lone)
{
    const struct row *row = &lone->row;
    return row->in_use && row->gate + row->play + row->middle > 1 &&
           lone->engine->route[row->word[row->at + 1] >> 24].plain;
}

// No expander begins or ends anything in the next cycles.
static bool expanders_rest(struct lone *lone, unsigned cycles)
{
    const struct row *row = &lone->row;
    const unsigned behind = cycles < row->cores ? cycles : row->cores;
    return !row->has_kept &&
           row_passes(lone, row->at + row->gate + row->play + row->middle + behind);
}

// All that units hold has executed, and what moves bytes moves them beyond cycle `to`.
static bool units_rest(const struct lone *lone, uint64_t to)
{
    const struct tsr_queues *queues = &lone->state->queues;
    for (uint32_t left = queues->active; left; left &= left - 1) {
        unsigned unit = (unsigned)__builtin_ctz(left);
        const struct tsr_queue *queue = &queues->of[unit];
        if (queue->executed < queue->count ||
            ((TSR_MOVE_BYTES >> unit & 1) && queue->inst[queue->first].completes_at <= to))
            return false;
    }
    return true;
}

// The unpackers' bank is given back once more, and would then count as one that nothing has filled.
static bool bank_is_released(const struct lone *lone, tsr_unit unpacker)
{
    const int side = unpacker == TSR_UNIT_UNPACKER1 ? TSR_SRCB : TSR_SRCA;
    return tsr_matrix_releases(&lone->engine->env, side, lone->state->src[side].unpacker_bank);
}

// The word is gone from the gate. Mostly one comes behind it into each FIFO in this cycle.
static void leave_gate(struct lone *lone, bool flows)
{
    struct row *row = &lone->row;
    const bool moves = lone->state->now >= lone->frontend->next_expand;
    row->at++;
    if (flows && moves) {
        row->cores--;
        lone->frontend->next_expand = lone->state->now + 1;
        return;
    }
    row->gate--;
    if (moves)
        step_all(lone);
}

// The word is in its unit; as accept() and begin() in lone_thread.c leave it.
static void enter(struct lone *lone, const struct tsr_route *route, struct tsr_queue *queue,
                  struct tsr_inflight *inst, tsr_unit unit, bool flows)
{
    struct tsr_engine *engine = lone->engine;
    struct tsr_env *env = &engine->env;
    engine->tally.unit_instructions[unit]++;
    engine->tally.available[lone->thread][unit]++;
    engine->in_blocks++;
    tsr_take_time(env, route, queue, inst, lone->thread, unit);
    tsr_queue_enter(env, queue, inst, lone->thread, unit, true);
    tsr_count_issued(engine, lone->frontend, lone->thread, TSR_AT_ROW, inst->hold, TSR_REASON_HOLD,
                     true);
    leave_gate(lone, flows);
    tsr_inflight_executed(inst, lone->state->now + inst->address, true);
    queue->executed++;
    // The other unpacker's bytes may take longer now: then nothing is due in the cycle noted.
    earlier(&lone->due, queue->inst[queue->first].completes_at);
}

// Into its unit as a whole. False: nothing was changed.
static bool take(struct lone *lone, uint64_t until)
{
    struct tsr_engine *engine = lone->engine;
    struct tsr_env *env = &engine->env;
    const uint32_t word = word_at_gate(lone);
    const struct tsr_route *route = &engine->route[word >> 24];
    const tsr_unit unit = tsr_route_unit(route, word);
    struct tsr_queue *queue = &lone->state->queues.of[unit];
    const uint64_t now = lone->state->now;
    const unsigned phase = route->second ? env->isa->rate[RATE_UNPACK_ADDRESS_CYCLES] : 0;
    const bool flows = row_flows(lone, phase);
    uint64_t retry_at = 0;
    if (lone->latch->latched || (word & route->reserved) ||
        (lone->state->queues.active >> TSR_UNIT_SCALAR & 1) || queue->count >= route->depth ||
        (queue->count > 0 && tsr_unit_serial(unit)) || queue->reason != TSR_REASON_NONE ||
        (now < queue->next_accept && !route->serves_each_thread) || !goes_on(lone) ||
        now + phase >= until || !units_rest(lone, now + phase) ||
        !(flows || expanders_rest(lone, phase)) ||
        (phase > 0 && (words_left(lone) < 2 || bank_is_released(lone, unit))))
        return false;
    struct tsr_inflight *inst = tsr_queue_at(queue, queue->count);
    tsr_lone_begin(lone, route, inst, word, unit, now);
    inst->sequence = lone->frontend->sequence + 1;
    inst->hold = phase > 0 ? phase : route->hold;
    inst->address = phase;
    if ((route->ops->ready && route->ops->ready(env, inst, &retry_at) != TSR_REASON_NONE) ||
        !route->ops->take_whole(env, inst))
        return false;
    enter(lone, route, queue, inst, unit, flows);
    return true;
}

// When the oldest instruction of these units completes, of which all have executed.
static uint64_t first_due(const struct lone *lone, uint32_t units)
{
    const struct tsr_queues *queues = &lone->state->queues;
    uint64_t due = UINT64_MAX;
    for (uint32_t left = queues->active & units; left; left &= left - 1) {
        const struct tsr_queue *queue = &queues->of[__builtin_ctz(left)];
        earlier(&due, queue->inst[queue->first].completes_at);
    }
    return due;
}

// Up to cycle `to` nothing but units moves, and whether a bank is given back is not asked before.
static __attribute__((noinline)) void complete_up_to(struct lone *lone, uint64_t to)
{
    struct tsr_queue *matrix = &lone->state->queues.of[TSR_UNIT_MATRIX];
    do {
        const uint32_t changing = lone->state->queues.active & TSR_CHANGE_TIMES;
        uint64_t now = to;
        // One that moves bytes alone changes no times but its own.
        if ((changing & (changing - 1)) != 0 || (changing & ~(uint32_t)TSR_MOVE_BYTES) != 0)
            earlier(&now, first_due(lone, changing));
        lone->state->now = now;
        // A bank that was given back before may be the one that is handed over now.
        if (matrix->count > 0 && matrix->inst[matrix->first].completes_at < now)
            tsr_lone_complete_unseen(lone, matrix, TSR_UNIT_MATRIX, now - 1);
        tsr_lone_complete_units(lone);
    } while (lone->due <= to);
    lone->state->now = to;
}

// The FIFOs before the gate move no more before a word leaves it.
TSR_INLINE bool fifos_rest(const struct lone *lone)
{
    return row_is_full(lone) || !words_before_gate(lone);
}

// As walk(), while FIFOs move.
static __attribute__((noinline)) void walk_on(struct lone *lone, uint64_t to)
{
    uint64_t *now = &lone->state->now;
    bool rest = false;
    while (*now < to && !rest) {
        if (*now >= lone->frontend->next_expand)
            expand(lone);
        if (lone->engine->env.findings->stopped)
            return;
        rest = fifos_rest(lone);
        if (!rest && lone->due <= ++*now)
            tsr_lone_complete_units(lone);
    }
    if (*now < to)
        complete_up_to(lone, to);
}

// The cycles up to that one, in which the thread issues nothing.
TSR_INLINE void walk(struct lone *lone, uint64_t to)
{
    if (lone->state->now >= to)
        return;
    if (!fifos_rest(lone))
        walk_on(lone, to);
    else if (lone->due <= to)
        complete_up_to(lone, to);
    else
        lone->state->now = to;
}

// When a wait that these units may end is to be looked at again, also because one of them may
// complete earlier then.
static uint64_t news_due(const struct lone *lone, uint32_t units)
{
    uint64_t due = first_due(lone, units | TSR_CHANGE_TIMES);
    earlier_event(&due, lone->state->queues.drain.until, lone->state->now);
    return due;
}

// The word at the gate is held in each cycle before `until`, but what completes moves before. True:
// nothing else does.
static bool held_until(struct lone *lone, uint64_t until)
{
    while (lone->due < until && !lone->engine->env.findings->stopped)
        walk(lone, lone->due);
    return fifos_rest(lone);
}

// Up to the cycle in which the matrix unit has the banks that the word at the gate waits for. What
// that unit gives back while it waits is not for it. True: as held_until().
static bool wait_for_bank(struct lone *lone, uint64_t until)
{
    struct tsr_engine *engine = lone->engine;
    const struct tsr_queue *queue = &lone->state->queues.of[TSR_UNIT_MATRIX];
    const uint32_t word = word_at_gate(lone);
    const struct tsr_route *route = &engine->route[word >> 24];
    if (!route->ops || route->timed_whole || (word & route->reserved) ||
        queue->count >= route->depth || lone->state->now < queue->next_accept)
        return false;
    const uint8_t waits = tsr_matrix_operations[route->op].waits;
    tsr_reason reason;
    while ((reason = tsr_lone_missing_bank(lone, waits)) != TSR_REASON_NONE) {
        const uint64_t due = news_due(lone, 0);
        tsr_hold(engine, lone->thread, reason, word, 0);
        if (due >= until)
            return held_until(lone, until);
        walk(lone, due);
        if (engine->env.findings->stopped)
            break;
    }
    return false;
}

// Up to the cycle in which the thread's wait lets the word at the gate pass. What it is for ends
// where something completes. True: it does not before `until`, as above.
static bool wait_for_latch(struct lone *lone, uint64_t until)
{
    struct tsr_engine *engine = lone->engine;
    struct tsr_env *env = &engine->env;
    const struct tsr_gate_latch *latch = lone->latch;
    const uint32_t wants = tsr_gate_wants(env, latch);
    const bool by_units = !(wants & TSR_TOUCHED_ALL);
    while (!env->findings->stopped && !tsr_gate_evaluate(engine, lone->thread) && by_units &&
           words_at_gate(lone) > 0) {
        const uint32_t word = word_at_gate(lone);
        const struct tsr_route *route = &engine->route[word >> 24];
        tsr_reason reason = tsr_gate_blocks(env, lone->thread, (enum tsr_op)route->op);
        uint64_t next = news_due(lone, wants);
        if (latch->met)
            earlier(&next, latch->met_at + env->isa->rate[RATE_WAIT_LAG]);
        if (reason == TSR_REASON_NONE || (word & route->reserved) || !route->ops)
            return false;
        tsr_hold(engine, lone->thread, reason, word, 0);
        if (next >= until)
            return held_until(lone, until);
        walk(lone, next);
    }
    return false;
}

// Up to the cycle in which what holds the word at the gate holds it no more.
TSR_INLINE bool wait_at_gate(struct lone *lone, uint64_t until)
{
    if (lone->latch->latched)
        return wait_for_latch(lone, until);
    return words_at_gate(lone) > 0 &&
           lone->engine->route[word_at_gate(lone) >> 24].unit == TSR_UNIT_MATRIX &&
           wait_for_bank(lone, until);
}

bool tsr_lone_waits_on(struct lone *lone, uint64_t until)
{
    if ((lone->state->queues.active >> TSR_UNIT_SCALAR & 1) || !units_rest(lone, 0))
        return false;
    if (!lone->row.in_use)
        make_row(lone);
    return wait_at_gate(lone, until);
}

// Up to the cycle in which the thread may issue the next word, or what holds it ends.
static void walk_to_word(struct lone *lone, uint64_t until)
{
    walk(lone, lone->frontend->next_issue);
    lone->held_on = !lone->engine->env.findings->stopped && wait_at_gate(lone, until);
}

bool tsr_lone_goes_on(struct lone *lone, uint64_t until)
{
    const struct row *row = &lone->row;
    const uint64_t next = lone->frontend->next_issue;
    const bool latched = lone->latch->latched;
    if (!lone->steps || !row->in_use || row->gate + row->play + row->middle == 0 ||
        (row->gate == 0 && row->has_kept) || // it may be one that never comes to the gate
        !lone->engine->route[row->word[row->at] >> 24].plain || next >= until ||
        words_left(lone) == 0 || (latched && next > lone->state->now + 1) ||
        (lone->state->queues.active >> TSR_UNIT_SCALAR & 1) || !units_rest(lone, 0))
        return false;
    walk_to_word(lone, until);
    return true;
}

bool tsr_lone_step(struct lone *lone, uint64_t until)
{
    if (!lone->row.in_use)
        make_row(lone);
    if (!take(lone, until))
        return false;
    if (lone->frontend->next_issue >= until || words_left(lone) == 0)
        return true;
    walk_to_word(lone, until);
    return false;
}
