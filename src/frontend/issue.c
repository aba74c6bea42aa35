// SPDX-License-Identifier: Apache-2.0
// Issue: the instruction at a thread's wait gate is decoded, held as long as it must wait, and then
// accepted by its unit. In order, and at most one a thread a cycle.
// Pages: TensixCoprocessor/README.md, STALLWAIT.md.
#include "frontend/issue.h"

#include "base/bits.h"
#include "control/scalar_unit.h"
#include "frontend/auto_sync.h"
#include "frontend/events.h"
#include "frontend/queues.h"
#include "frontend/reset_gate.h"
#include "frontend/schedule.h"
#include "frontend/wait_gate.h"
#include "state/report.h"

bool tsr_hold(struct tsr_engine *engine, int thread, tsr_reason reason, uint32_t word,
              uint64_t retry_at)
{
    engine->env.state->frontend[thread].retry_at = retry_at;
    tsr_note_wait(engine, thread, reason, word);
    return false;
}

// A word on offer.
struct offer {
    uint32_t word;
    uint8_t thread;
    uint8_t at; // enum tsr_word_at
};

static struct tsr_inflight cause_of(const struct tsr_env *env, const struct offer *offer,
                                    enum tsr_op op)
{
    return (struct tsr_inflight){.word = offer->word,
                                 .op = (uint8_t)op,
                                 .thread = offer->thread,
                                 .sequence = env->state->frontend[offer->thread].sequence + 1};
}

// A word that no unit takes: say why, then drop it if the policy goes on.
static bool refuse(struct tsr_engine *engine, const struct offer *offer, enum tsr_op op)
{
    struct tsr_env *env = &engine->env;
    struct tsr_frontend *frontend = &env->state->frontend[offer->thread];
    struct tsr_inflight cause = cause_of(env, offer, op);
    enum tsr_finding code = FINDING_UNIMPLEMENTED_INSTRUCTION;
    enum tsr_verdict verdict;
    if (op == OP_NONE)
        verdict = tsr_report(env, code = FINDING_UNKNOWN_INSTRUCTION, &cause, NULL,
                             "0x%08x is no instruction of %s.", offer->word,
                             tsr_arch_name(env->chip->arch));
    else if (env->isa->implemented[op] == TSR_IMPLEMENTED_REFUSED)
        verdict = tsr_report(env, code = FINDING_NO_SPECIFICATION, &cause, NULL,
                             "%s does nothing here: %s.", tsr_op_name(op),
                             tsr_instruction_find(env->chip->arch, tsr_op_name(op))->note);
    else if (tsr_expands(op)) // docs/errata.md, 566
        verdict = tsr_report(env, code = FINDING_NO_SPECIFICATION, &cause, NULL,
                             "%s comes out of an expander, which expands no word of its own; at "
                             "the wait gate it does nothing.",
                             tsr_op_name(op));
    else
        verdict = tsr_report(env, code, &cause, NULL, "%s is unimplemented.", tsr_op_name(op));
    if (verdict == TSR_HALT)
        return false;
    tsr_note_wait(engine, offer->thread, TSR_REASON_NONE, 0);
    frontend->sequence++;
    tsr_note_pushes(engine, frontend, offer->thread, (enum tsr_word_at)offer->at,
                    frontend->sequence, 1);
    frontend->next_issue = env->state->now + (env->timing ? 1 : 0);
    tsr_take_words(engine, frontend, offer->thread, (enum tsr_word_at)offer->at, 1);
    tsr_note_refused(engine, offer->thread, offer->word, TSR_UNIT_COUNT,
                     tsr_finding_at((int)code)->code);
    return true;
}

// Once for an instruction, however often it is offered.
static bool reserved_bits_pass(struct tsr_engine *engine, const struct offer *offer,
                               const struct tsr_route *route)
{
    struct tsr_env *env = &engine->env;
    struct tsr_frontend *frontend = &env->state->frontend[offer->thread];
    enum tsr_op op = (enum tsr_op)route->op;
    struct tsr_inflight cause = cause_of(env, offer, op);
    if (frontend->reserved_reported == cause.sequence)
        return true;
    if (tsr_report_stray_bits(env, &cause) == TSR_HALT)
        return false;
    frontend->reserved_reported = cause.sequence;
    return true;
}

static void count_issued(struct tsr_engine *engine, const struct offer *offer, uint32_t hold_cycles)
{
    tsr_count_issued(engine, &engine->env.state->frontend[offer->thread], offer->thread,
                     (enum tsr_word_at)offer->at, hold_cycles, TSR_REASON_HOLD, engine->env.timing);
}

// tsr_queue_begin() with timing on, after tsr_take_time(), which has touched the unit.
TSR_INLINE void begin(struct tsr_engine *engine, struct tsr_queue *queue, struct tsr_inflight *inst,
                      const struct tsr_unit_ops *ops, tsr_unit unit)
{
    struct tsr_env *env = &engine->env;
    const uint64_t now = env->state->now;
    tsr_reason reason;
    if (inst->address > 0 || queue->executed + 1u != queue->count ||
        (queue->executed > 0 && tsr_unit_serial(unit))) {
        tsr_queue_begin(engine, queue, inst, ops);
        return;
    }
    bool executed = tsr_stage_execute(env, ops, inst, &reason);
    if (env->findings->stopped || queue->executed == queue->count)
        return; // the latter: a STOREREG began a soft reset of its own unit
    tsr_queue_note_wait(queue, reason, now);
    if (!executed)
        return;
    tsr_inflight_executed(inst, now, true);
    queue->executed++;
    if (inst->completes_at <= now)
        tsr_queue_complete(engine, unit);
}

// With timing on: the word into its unit, which holds nothing, as one that executes in this cycle,
// if its unit knows all that becomes of it. False: it takes the stages, and nothing was changed.
TSR_INLINE bool take_at_once(struct tsr_engine *engine, const struct offer *offer,
                             const struct tsr_route *route, tsr_unit unit)
{
    struct tsr_env *env = &engine->env;
    struct tsr_frontend *frontend = &env->state->frontend[offer->thread];
    struct tsr_queue *queue = &env->state->queues.of[unit];
    struct tsr_inflight *inst = &queue->inst[queue->first];
    const int thread = offer->thread;
    tsr_stage_fill(env, route, frontend, thread, offer->word, unit, inst, true);
    if (!route->ops->take_at_once(env, inst))
        return false;
    engine->tally.unit_instructions[unit]++;
    engine->tally.available[thread][unit]++;
    tsr_take_time(env, route, queue, inst, thread, unit);
    tsr_queue_enter(env, queue, inst, thread, unit, true);
    tsr_count_issued(engine, frontend, thread, TSR_AT_GATE, inst->hold, TSR_REASON_HOLD, true);
    tsr_inflight_executed(inst, env->state->now, true);
    queue->executed++;
    return true;
}

// `timing`: env->timing, known where it matters for speed.
TSR_INLINE bool accept(struct tsr_engine *engine, const struct offer *offer,
                       const struct tsr_route *route, tsr_unit unit, bool timing)
{
    struct tsr_env *env = &engine->env;
    struct tsr_frontend *frontend = &env->state->frontend[offer->thread];
    struct tsr_queue *queue = &env->state->queues.of[unit];
    TSR_FOUND(queue);
    TSR_FOUND(frontend);
    if (queue->count >= route->depth ||
        (env->state->now < queue->next_accept && !route->serves_each_thread))
        return tsr_hold(engine, offer->thread, TSR_REASON_UNIT_FULL, offer->word, 0);
    if (!timing && env->scheduled &&
        tsr_schedule_keeps_out(env, unit, (enum tsr_op)route->op, (unsigned)offer->thread))
        return tsr_hold(engine, offer->thread, TSR_REASON_UNIT_FULL, offer->word, 0);
    if (timing && route->timed_at_once && queue->count == 0 && !engine->staged && !env->watch &&
        !env->races && take_at_once(engine, offer, route, unit))
        return true;
    struct tsr_inflight *inst = tsr_queue_at(queue, queue->count);
    TSR_FOUND(inst);
    tsr_reason reason;
    uint64_t retry_at = 0;
    if (!tsr_stage_accept(engine, route, frontend, offer->thread, offer->word, unit, inst, timing,
                          &reason, &retry_at))
        return reason != TSR_REASON_NONE &&
               tsr_hold(engine, offer->thread, reason, offer->word, retry_at);
    if (timing)
        tsr_take_time(env, route, queue, inst, offer->thread, unit);
    tsr_queue_enter(env, queue, inst, offer->thread, unit, timing);
    bool for_dst = unit == TSR_UNIT_MATRIX && inst->address > 0;
    tsr_count_issued(engine, frontend, offer->thread, (enum tsr_word_at)offer->at, inst->hold,
                     for_dst ? TSR_REASON_DST : TSR_REASON_HOLD, timing);
    if (for_dst)
        tsr_queue_note_wait(queue, TSR_REASON_DST, env->state->now);
    if (timing)
        begin(engine, queue, inst, route->ops, unit);
    else if (!env->scheduled || !tsr_schedule_delays(env, unit, (enum tsr_op)route->op))
        tsr_queue_begin(engine, queue, inst, route->ops);
    return true;
}

// An instruction whose storage is held in soft reset, reported once, however often it is offered.
static bool held_storage_passes(struct tsr_engine *engine, const struct offer *offer,
                                const struct tsr_inflight *cause)
{
    struct tsr_env *env = &engine->env;
    struct tsr_frontend *frontend = &env->state->frontend[offer->thread];
    if (frontend->held_reported == cause->sequence)
        return true;
    if (tsr_report(env, FINDING_UNIMPLEMENTED_MODE, cause, NULL,
                   "%s while RISCV_DEBUG_REG_SOFT_RESET_0 is 0x%06x is unimplemented.",
                   tsr_op_name((enum tsr_op)cause->op),
                   (unsigned)env->state->debug.soft_reset) == TSR_HALT)
        return false;
    frontend->held_reported = cause->sequence;
    return true;
}

// A unit held in soft reset. False: the instruction does not go on.
static bool out_of_reset(struct tsr_engine *engine, const struct offer *offer, enum tsr_op op,
                         tsr_unit unit, bool *moved)
{
    struct tsr_env *env = &engine->env;
    struct tsr_inflight cause = cause_of(env, offer, op);
    *moved = false;
    switch (tsr_reset_gate(env, op, offer->word, unit)) {
    case TSR_RESET_HOLD:
        return tsr_hold(engine, offer->thread, TSR_REASON_UNIT_FULL, offer->word, 0);
    case TSR_RESET_DROP:
        count_issued(engine, offer, 1);
        tsr_note_refused(engine, offer->thread, offer->word, unit, "");
        *moved = true;
        return false;
    case TSR_RESET_UNBUILT:
        return held_storage_passes(engine, offer, &cause);
    default:
        return true;
    }
}

// What no unit gets: RESOURCEDECL, which no wait holds, NOP, and what is refused.
static bool offer_to_nobody(struct tsr_engine *engine, const struct offer *offer, enum tsr_op op)
{
    struct tsr_env *env = &engine->env;
    const bool declares = op == OP_RESOURCEDECL;
    if (op == OP_NONE)
        return refuse(engine, offer, op);
    tsr_reason reason = declares ? TSR_REASON_NONE : tsr_gate_blocks(env, offer->thread, op);
    if (reason != TSR_REASON_NONE)
        return tsr_hold(engine, offer->thread, reason, offer->word, 0);
    if (op != OP_NOP && !declares)
        return refuse(engine, offer, op);
    const struct tsr_route *route = &engine->route[offer->word >> 24];
    if (offer->word & route->reserved && !reserved_bits_pass(engine, offer, route))
        return false;
    if (declares && !tsr_auto_sync_declare(env, offer->thread, offer->word))
        return false;
    count_issued(engine, offer, env->isa->issue_cycles[op]);
    return true;
}

TSR_INLINE bool offer_word(struct tsr_engine *engine, const struct offer *offer, bool timing)
{
    struct tsr_env *env = &engine->env;
    const struct tsr_route *route = &engine->route[offer->word >> 24];
    TSR_FOUND(route);
    enum tsr_op op = (enum tsr_op)route->op;
    int thread = offer->thread;
    if ((env->state->queues.active >> TSR_UNIT_SCALAR & 1) != 0 &&
        tsr_scalar_holds(env->state, thread))
        return tsr_hold(engine, thread, TSR_REASON_HOLD, offer->word, 0);
    if (!route->ops)
        return offer_to_nobody(engine, offer, op);
    if (env->state->sync.latch[thread].latched) {
        tsr_reason reason = tsr_gate_blocks(env, thread, op);
        if (reason != TSR_REASON_NONE)
            return tsr_hold(engine, thread, reason, offer->word, 0);
    }
    tsr_unit unit = tsr_route_unit(route, offer->word);
    bool moved;
    if (TSR_RARELY(env->state->debug.soft_reset & TSR_RESET_COPROCESSOR) &&
        !out_of_reset(engine, offer, op, unit, &moved))
        return moved;
    if (TSR_RARELY(offer->word & route->reserved) && !reserved_bits_pass(engine, offer, route))
        return false;
    return accept(engine, offer, route, unit, timing);
}

bool tsr_offer(struct tsr_engine *engine, int thread, uint32_t word, enum tsr_word_at at)
{
    const struct offer offer = {word, (uint8_t)thread, (uint8_t)at};
    return offer_word(engine, &offer, engine->env.timing);
}

bool tsr_issue(struct tsr_engine *engine, int thread)
{
    struct tsr_frontend *frontend = &engine->env.state->frontend[thread];
    TSR_FOUND(frontend);
    if (engine->env.state->now < frontend->next_issue)
        return false;
    if (frontend->before_gate.count == 0)
        return tsr_hold(engine, thread, TSR_REASON_EMPTY, 0, 0);
    const struct offer offer = {tsr_fifo_front(&frontend->before_gate), (uint8_t)thread,
                                TSR_AT_GATE};
    if (!engine->env.timing)
        return offer_word(engine, &offer, false);
    return offer_word(engine, &offer, true);
}
