// SPDX-License-Identifier: Apache-2.0
// The end of a thread's frontend: the instruction at the gate is decoded, held for what it must
// wait for, and accepted by its unit. At most one a thread a cycle, in order.
// Pages: TensixCoprocessor/README.md, STALLWAIT.md.
#include "frontend/engine.h"

#include "control/scalar_unit.h"
#include "frontend/auto_sync.h"
#include "state/report.h"

#include <string.h>

void tsr_note_wait(struct tsr_engine *engine, int thread, tsr_reason reason, uint32_t word)
{
    struct tsr_frontend *frontend = &engine->env.state->frontend[thread];
    uint64_t now = engine->env.state->now;
    if (frontend->reason == reason)
        return;
    uint64_t waited = now - frontend->waits_since;
    engine->tally.waited[thread][frontend->reason] += waited;
    bool tell = engine->observer && waited > 0 && frontend->reason != TSR_REASON_NONE &&
                frontend->reason != TSR_REASON_EMPTY;
    if (tell) {
        uint32_t word = frontend->waits_word;
        tsr_unit unit;
        tsr_event event = {.kind = TSR_EVENT_WAIT,
                           .thread = thread,
                           .unit = tsr_unit_of(engine->env.isa, word, &unit) ? unit
                                                                             : TSR_UNIT_COUNT,
                           .reason = (tsr_reason)frontend->reason,
                           .word = word,
                           .sequence = frontend->sequence + 1,
                           .accepted = frontend->waits_since,
                           .executed = frontend->waits_since,
                           .completed = now};
        engine->observer(engine->observer_user, &event);
    }
    frontend->reason = (uint8_t)reason;
    frontend->waits_since = now;
    frontend->waits_word = word;
}

static bool hold(struct tsr_engine *engine, int thread, tsr_reason reason, uint32_t word)
{
    struct tsr_env *env = &engine->env;
    env->state->frontend[thread].retry_at = env->retry_at;
    env->retry_at = 0;
    tsr_note_wait(engine, thread, reason, word);
    return false;
}

// A word that no unit takes: say why, then drop it if the policy goes on.
static bool refuse(struct tsr_engine *engine, int thread, uint32_t word, enum tsr_op op)
{
    struct tsr_env *env = &engine->env;
    struct tsr_frontend *frontend = &env->state->frontend[thread];
    struct tsr_flight cause = {.word = word,
                               .op = (uint8_t)op,
                               .thread = (uint8_t)thread,
                               .sequence = frontend->sequence + 1};
    enum tsr_verdict verdict;
    if (op == OP_NONE)
        verdict = tsr_report(env, FINDING_UNKNOWN_INSTRUCTION, &cause, NULL,
                             "0x%08x is no instruction of %s.", word,
                             tsr_arch_name(env->chip->arch));
    else if (env->isa->implemented[op] == TSR_IMPLEMENTED_REFUSED)
        verdict = tsr_report(env, FINDING_NO_SPECIFICATION, &cause, NULL,
                             "%s does nothing here: %s.", tsr_op_name(op),
                             tsr_instruction_find(env->chip->arch, tsr_op_name(op))->note);
    else
        verdict = tsr_report(env, FINDING_UNIMPLEMENTED_INSTRUCTION, &cause, NULL,
                             "%s is unimplemented.", tsr_op_name(op));
    if (verdict == TSR_HALT)
        return false;
    tsr_note_wait(engine, thread, TSR_REASON_NONE, 0);
    frontend->sequence++;
    frontend->next_issue = env->state->now + (env->timing ? 1 : 0);
    tsr_fifo_pop(&frontend->before_gate);
    return true;
}

static bool stray_bits_pass(struct tsr_engine *engine, int thread, uint32_t word, enum tsr_op op)
{
    struct tsr_env *env = &engine->env;
    uint32_t stray = tsr_stray_bits(env->isa, op, word);
    if (!stray)
        return true;
    struct tsr_flight cause = {.word = word,
                               .op = (uint8_t)op,
                               .thread = (uint8_t)thread,
                               .sequence = env->state->frontend[thread].sequence + 1};
    return tsr_report(env, FINDING_STRAY_OPERAND_BITS, &cause, NULL,
                      "%s has bits 0x%06x set, which belong to no operand.", tsr_op_name(op),
                      stray) != TSR_HALT;
}

static void note_issued(struct tsr_engine *engine, int thread, uint32_t hold_cycles)
{
    struct tsr_env *env = &engine->env;
    struct tsr_frontend *frontend = &env->state->frontend[thread];
    tsr_note_wait(engine, thread, TSR_REASON_NONE, 0);
    tsr_fifo_pop(&frontend->before_gate);
    frontend->sequence++;
    frontend->retry_at = 0;
    engine->tally.issued[thread]++;
    if (env->timing) {
        frontend->next_issue = env->state->now + hold_cycles;
        engine->tally.waited[thread][TSR_REASON_HOLD] += hold_cycles - 1;
    }
}

// These take an instruction of each thread in a cycle; the others take one in all. The sync unit
// counts its places itself. Pages: MiscellaneousUnit.md, ConfigurationUnit.md.
static bool serves_each_thread(tsr_unit unit, enum tsr_op op)
{
    return unit == TSR_UNIT_MISC || unit == TSR_UNIT_SYNC || op == OP_SETC16;
}

static void take_slot(struct tsr_engine *engine, struct tsr_line *line,
                      const struct tsr_flight *flight)
{
    struct tsr_env *env = &engine->env;
    if (env->timing && !serves_each_thread((tsr_unit)flight->unit, (enum tsr_op)flight->op))
        line->next_accept = env->state->now + env->isa->issue_cycles[flight->op];
    if (env->timing && flight->closed > 0)
        line->opens_at = env->state->now + flight->closed;
    line->count++;
    env->state->flights.active |= 1u << flight->unit;
    engine->tally.unit_instructions[flight->unit]++;
    env->state->frontend[flight->thread].in_flight++;
    // The unpackers share the address phase: neither takes an UNPACR while one is in it.
    if (flight->unit == TSR_UNIT_UNPACKER0 || flight->unit == TSR_UNIT_UNPACKER1) {
        uint64_t phase_ends = env->state->now + (env->timing ? flight->address : 0);
        for (int unit = TSR_UNIT_UNPACKER0; unit <= TSR_UNIT_UNPACKER1; unit++)
            if (env->state->flights.line[unit].next_accept < phase_ends)
                env->state->flights.line[unit].next_accept = phase_ends;
    }
}

static bool accept(struct tsr_engine *engine, int thread, uint32_t word, enum tsr_op op,
                   tsr_unit unit)
{
    struct tsr_env *env = &engine->env;
    const struct tsr_unit_ops *ops = tsr_unit_ops_of(unit);
    struct tsr_line *line = &env->state->flights.line[unit];
    if (line->count >= tsr_unit_depth(unit) ||
        (env->state->now < line->next_accept && !serves_each_thread(unit, op)))
        return hold(engine, thread, TSR_REASON_UNIT_FULL, word);
    struct tsr_flight *flight = tsr_line_at(line, line->count);
    flight->word = word;
    flight->op = (uint8_t)op;
    flight->thread = (uint8_t)thread;
    flight->unit = (uint8_t)unit;
    flight->executed = false;
    flight->has_bank = false;
    flight->sequence = env->state->frontend[thread].sequence + 1;
    flight->accepted_at = env->state->now;
    flight->hold = unit == TSR_UNIT_MISC ? env->isa->issue_cycles[op] : 1;
    flight->address = 0;
    flight->closed = 0;
    flight->duration = env->isa->latency[op];
    if (env->watch)
        flight->config_bank = (uint8_t)tsr_state_id(env, thread);
    tsr_reason reason = ops->ready ? ops->ready(env, flight) : TSR_REASON_NONE;
    if (reason != TSR_REASON_NONE)
        return hold(engine, thread, reason, word);
    if (!ops->accept(env, flight) || env->findings->stopped)
        return false;
    if (!env->timing)
        flight->address = 0;
    take_slot(engine, line, flight);
    note_issued(engine, thread, flight->hold);
    tsr_line_advance(engine, unit);
    return true;
}

// A unit held in soft reset. False: the instruction does not go on.
static bool out_of_reset(struct tsr_engine *engine, int thread, uint32_t word, enum tsr_op op,
                         tsr_unit unit, bool *moved)
{
    struct tsr_env *env = &engine->env;
    struct tsr_flight cause = {.word = word,
                               .op = (uint8_t)op,
                               .thread = (uint8_t)thread,
                               .sequence = env->state->frontend[thread].sequence + 1};
    *moved = false;
    switch (tsr_reset_gate(env, op, word, unit)) {
    case TSR_RESET_HOLD:
        return hold(engine, thread, TSR_REASON_UNIT_FULL, word);
    case TSR_RESET_DROP:
        note_issued(engine, thread, 1);
        *moved = true;
        return false;
    case TSR_RESET_UNBUILT:
        return tsr_report(env, FINDING_UNIMPLEMENTED_MODE, &cause, NULL,
                          "%s while RISCV_DEBUG_REG_SOFT_RESET_0 is 0x%06x is unimplemented.",
                          tsr_op_name(op), (unsigned)env->state->debug.soft_reset) != TSR_HALT;
    default:
        return true;
    }
}

bool tsr_issue(struct tsr_engine *engine, int thread)
{
    struct tsr_env *env = &engine->env;
    struct tsr_frontend *frontend = &env->state->frontend[thread];
    if (frontend->before_gate.count == 0)
        return hold(engine, thread, TSR_REASON_EMPTY, 0);
    if (env->state->now < frontend->next_issue)
        return false;
    uint32_t word = tsr_fifo_front(&frontend->before_gate);
    if (tsr_scalar_holds(env->state, thread))
        return hold(engine, thread, TSR_REASON_HOLD, word);
    enum tsr_op op = tsr_op_of(env->isa, word);
    if (op == OP_NONE)
        return refuse(engine, thread, word, op);
    if (op == OP_RESOURCEDECL) { // no wait holds it
        if (!tsr_auto_sync_declare(env, thread, word))
            return false;
        note_issued(engine, thread, env->isa->issue_cycles[op]);
        return true;
    }
    tsr_reason reason = tsr_gate_blocks(env, thread, op);
    if (reason != TSR_REASON_NONE)
        return hold(engine, thread, reason, word);
    if (op == OP_NOP) {
        note_issued(engine, thread, env->isa->issue_cycles[op]);
        return true;
    }
    tsr_unit unit;
    if (!tsr_unit_of(env->isa, word, &unit) || !tsr_unit_ops_of(unit) ||
        env->isa->implemented[op] == TSR_IMPLEMENTED_NONE ||
        env->isa->implemented[op] == TSR_IMPLEMENTED_REFUSED)
        return refuse(engine, thread, word, op);
    bool moved;
    if (env->state->debug.soft_reset &&
        !out_of_reset(engine, thread, word, op, unit, &moved))
        return moved;
    return stray_bits_pass(engine, thread, word, op) && accept(engine, thread, word, op, unit);
}
