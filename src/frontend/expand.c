// SPDX-License-Identifier: Apache-2.0
// Words on their way from a thread's FIFO through the MOP expander and the replay expander to the
// wait gate, with the depths of machine/timing.def; one word a stage a cycle with timing on.
// Pages: TensixCoprocessor/README.md (frontend diagram), MOPExpander.md, REPLAY.md.
#include "frontend/engine.h"

static bool step_down(struct tsr_fifo *from, struct tsr_fifo *to, unsigned depth)
{
    if (from->count == 0 || !tsr_fifo_push(to, depth, tsr_fifo_front(from)))
        return false;
    tsr_fifo_pop(from);
    return true;
}

bool tsr_expand(struct tsr_engine *engine, int thread)
{
    struct tsr_env *env = &engine->env;
    struct tsr_frontend *frontend = &env->state->frontend[thread];
    if (env->timing && env->state->now < frontend->next_expand)
        return false;
    bool moved = false, again;
    do {
        again = step_down(&frontend->before_replay, &frontend->before_gate, DEPTH_BEFORE_GATE);
        again |= step_down(&frontend->before_mop, &frontend->before_replay,
                           DEPTH_BEFORE_REPLAY);
        moved |= again;
    } while (again && !env->timing);
    if (moved)
        frontend->next_expand = env->state->now + 1;
    return moved;
}

bool tsr_frontend_drained(const struct tsr_env *env, int thread)
{
    const struct tsr_frontend *frontend = &env->state->frontend[thread];
    return frontend->before_mop.count == 0 && frontend->before_replay.count == 0 &&
           frontend->before_gate.count == 0 && frontend->in_flight == 0;
}
