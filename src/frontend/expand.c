// SPDX-License-Identifier: Apache-2.0
// Words on their way from a thread's FIFO through the MOP expander and the replay expander to the
// wait gate, with the depths of machine/timing.def; one word a stage a cycle with timing on.
// Pages: TensixCoprocessor/README.md (frontend diagram), MOPExpander.md, REPLAY.md.
#include "frontend/engine.h"

// Words that neither expander wants, straight to the gate: what the stages would do one by one.
static bool pass_bypass(struct tsr_engine *engine, struct tsr_frontend *frontend)
{
    const struct tsr_isa *isa = engine->env.isa;
    bool moved = false;
    if (frontend->before_replay.count || frontend->mop.active || frontend->replay.play_left ||
        frontend->replay.load_left)
        return false;
    while (frontend->before_mop.count && frontend->before_gate.count < DEPTH_BEFORE_GATE) {
        uint32_t word = tsr_fifo_front(&frontend->before_mop);
        if (tsr_expands(tsr_op_of(isa, word)))
            break;
        tsr_fifo_push(&frontend->before_gate, DEPTH_BEFORE_GATE, word);
        tsr_fifo_pop(&frontend->before_mop);
        moved = true;
    }
    return moved;
}

bool tsr_expand(struct tsr_engine *engine, int thread)
{
    struct tsr_env *env = &engine->env;
    struct tsr_frontend *frontend = &env->state->frontend[thread];
    if (env->timing && env->state->now < frontend->next_expand)
        return false;
    bool moved = !env->timing && pass_bypass(engine, frontend), again;
    if (moved && frontend->before_gate.count == DEPTH_BEFORE_GATE)
        return true;
    do {
        again = tsr_replay_step(engine, thread);
        again |= !env->findings->stopped && tsr_mop_step(engine, thread);
        moved |= again;
    } while (again && !env->timing && !env->findings->stopped);
    if (!moved)
        return false;
    frontend->next_expand = env->state->now + env->isa->rate[RATE_EXPAND_CYCLES];
    // What came to the gate in this cycle issues in the next one at the earliest.
    if (env->timing && frontend->before_gate.count > 0 && frontend->next_issue <= env->state->now)
        frontend->next_issue = env->state->now + 1;
    return true;
}

bool tsr_frontend_drained(const struct tsr_env *env, int thread)
{
    const struct tsr_frontend *frontend = &env->state->frontend[thread];
    return frontend->before_mop.count == 0 && frontend->before_replay.count == 0 &&
           frontend->before_gate.count == 0 && frontend->in_flight == 0 && !frontend->mop.active &&
           frontend->replay.play_left == 0;
}
