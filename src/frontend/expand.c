// SPDX-License-Identifier: Apache-2.0
// Words on their way from a thread's FIFO through the MOP expander and the replay expander to the
// wait gate, with the depths of machine/timing.def; one word a stage a cycle with timing on.
// Pages: TensixCoprocessor/README.md (frontend diagram), MOPExpander.md, REPLAY.md.
#include "frontend/expand.h"

#include "frontend/mop_expander.h"
#include "frontend/replay_expander.h"

bool tsr_expand(struct tsr_engine *engine, int thread)
{
    struct tsr_env *env = &engine->env;
    struct tsr_frontend *frontend = &env->state->frontend[thread];
    if (env->timing && env->state->now < frontend->next_expand)
        return false;
    bool moved = false, again;
    do {
        again = tsr_replay_step(engine, thread);
        again |= !env->findings->stopped && tsr_mop_step(engine, thread);
        moved |= again;
    } while (again && !env->timing && !env->findings->stopped);
    if (!moved || !env->timing)
        return moved;
    frontend->next_expand = env->state->now + env->isa->rate[RATE_EXPAND_CYCLES];
    // What came to the gate in this cycle issues in the next one at the earliest.
    if (frontend->before_gate.count > 0 && frontend->next_issue <= env->state->now)
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
