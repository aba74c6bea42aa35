// SPDX-License-Identifier: Apache-2.0
// What a core that the tile interprets pushes to the threads' FIFOs: one by one or several at once,
// and how it is kept out. Page: PushTensixInstruction.md of each chip.
#include "tile/core_push.h"

#include "frontend/auto_sync.h"
#include "frontend/bypass.h"
#include "frontend/events.h"
#include "frontend/expand.h"
#include "frontend/small_words.h"

// The view holds until the coprocessor's next turn: words that have left the FIFO and still count
// as in it (tsr_frontend_passed()) move in such a turn only.
void tsr_core_push_view(struct tsr_tile *tile, int core)
{
    struct tsr_env *env = &tile->engine.env;
    bool after_mop = core == TSR_CORE_B;
    int thread = after_mop ? 0 : core - TSR_CORE_T0;
    struct tsr_riscv_pushes *pushes = &tile->cores.bus[core].pushes;
    pushes->fifo = NULL;
    if (env->timing || env->races || core == TSR_CORE_NC ||
        tsr_core_push_is_refused(tile, thread) ||
        (after_mop && tsr_word_waits_in_mop(&tile->engine, thread)))
        return;
    struct tsr_frontend *frontend = &env->state->frontend[thread];
    unsigned depth = tsr_frontend_depth(env, thread, after_mop) + frontend->lent[after_mop];
    unsigned passed = after_mop ? 0 : tsr_frontend_passed(env, frontend);
    pushes->fifo = after_mop ? &frontend->before_replay : &frontend->before_mop;
    pushes->depth = (uint8_t)(depth > passed ? depth - passed : 0);
    pushes->source = after_mop ? TSR_FROM_B : TSR_FROM_CORE;
}

bool tsr_core_run_small_words(struct tsr_tile *tile)
{
    struct tsr_engine *engine = &tile->engine;
    const struct tsr_state *state = engine->env.state;
    struct tsr_cores_run *run = &tile->cores;
    bool all = state->queues.active == 0 && !engine->env.deferred && engine->broken_thread < 0;
    bool any = false;
    for (int thread = 0; all && thread < TSR_THREADS; thread++) {
        bool moved = false;
        all = !state->sync.latch[thread].latched && (tsr_frontend_quiet(&state->frontend[thread]) ||
                                                     tsr_run_small_words(engine, thread, &moved));
        any |= moved;
    }
    run->news += any;
    if (all)
        run->asked = run->news;
    else
        run->moved |= any;
    return all && any;
}

bool tsr_core_push_make_room(void *self, int core)
{
    struct tsr_tile *tile = self;
    if (tile->cores.makes_room)
        return false;
    if (tsr_core_run_small_words(tile)) {
        tsr_core_push_view(tile, core);
        return true;
    }
    tile->cores.full = true; // the rest of the turn comes first, whatever room there is
    tile->cores.bus[core].pushes.fifo = NULL;
    return false;
}

// Whether the FIFO keeps words out for now. The coprocessor has a turn before a full FIFO is asked
// what room it could make (docs/errata.md, 435).
static bool is_full(struct tsr_tile *tile, int core, int thread)
{
    struct tsr_env *env = &tile->engine.env;
    bool of_b = core == TSR_CORE_B;
    if (env->timing)
        return false;
    if (tile->cores.full)
        return true;
    if (tsr_frontend_has_room(env, thread, of_b))
        return false;
    if (tile->cores.makes_room)
        return !env->races && tsr_frontend_keeps_out(env, thread, of_b);
    return !tsr_core_run_small_words(tile) || !tsr_frontend_has_room(env, thread, of_b);
}

// As stores to a region of pushes, of which no check is left out that could fail. A T core's words
// come in before its MOP expander, B's after it. Returns how many were taken.
static __attribute__((noinline)) int push_row(struct tsr_tile *tile, int core, int thread,
                                              const uint32_t *words, int count, int together)
{
    struct tsr_env *env = &tile->engine.env;
    int pushed = 0, more = 1;
    if (core == TSR_CORE_B)
        tsr_words_to_gates(&tile->engine); // the MOP's word that waits is before them
    if (is_full(tile, core, thread)) {
        tile->cores.full = true;
        return 0;
    }
    tsr_core_enter(tile, core);
    uint32_t pc = env->core_at, offset = env->local_offset;
    if (env->races)
        env->races->ops->core(env->races, core, env->core_at, true);
    if (env->races && core != TSR_CORE_B)
        tsr_auto_sync_pushes(env, thread);
    while (pushed < count && more > 0 && !env->findings->stopped &&
           (pushed == 0 || tsr_frontend_has_room(env, thread, core == TSR_CORE_B))) {
        env->core_at = pc + 4 * (uint32_t)pushed; // each word is an instruction
        env->local_offset = offset + (uint32_t)(together == 1 ? pushed : pushed / together);
        more = (int)tsr_frontend_push(env, thread, words + pushed, (unsigned)(count - pushed),
                                      (unsigned)together, core == TSR_CORE_B);
        pushed += more;
    }
    if (pushed > 0)
        env->touched |= 1u << (TSR_TOUCHED_THREADS + thread);
    else
        tile->cores.full = true;
    if (env->races)
        env->races->ops->done(env->races, true);
    tsr_core_leave(tile);
    tsr_core_push_view(tile, core);
    return pushed;
}

// With timing on: so many words have come into the FIFO. Behind others they change nothing for a
// thread that could do nothing.
static inline void wake_thread(struct tsr_env *env, int thread, bool after_mop, unsigned pushed)
{
    const struct tsr_frontend *frontend = &env->state->frontend[thread];
    if ((after_mop ? frontend->before_replay.count : frontend->before_mop.count) == pushed)
        env->touched |= 1u << (TSR_TOUCHED_THREADS + thread);
}

// The same of one word with timing on, while nobody looks for races.
static bool push_in_cycle(struct tsr_tile *tile, int core, int thread, uint32_t word)
{
    struct tsr_env *env = &tile->engine.env;
    uint32_t pc = env->state->cores.hart[core].pc;
    if (!tsr_frontend_push_timed(env, thread, word, pc, core == TSR_CORE_B)) {
        tile->cores.full = true;
        return false;
    }
    wake_thread(env, thread, core == TSR_CORE_B, 1);
    return true;
}

// The same of several words of a T core.
static __attribute__((noinline)) int push_row_in_cycle(struct tsr_tile *tile, int core, int thread,
                                                       const uint32_t *words, int count,
                                                       int together)
{
    struct tsr_env *env = &tile->engine.env;
    const unsigned pushed = tsr_frontend_push_row_timed(
        env, thread, words, (unsigned)count, (unsigned)together, env->state->cores.hart[core].pc);
    if (pushed == 0)
        tile->cores.full = true;
    else
        wake_thread(env, thread, false, pushed);
    return (int)pushed;
}

int tsr_core_push_words(struct tsr_tile *tile, int core, int thread, const uint32_t *words,
                        int count, int together)
{
    const struct tsr_env *env = &tile->engine.env;
    const bool in_cycle = env->timing && !env->races && !env->findings->stopped;
    if (in_cycle && count == 1)
        return push_in_cycle(tile, core, thread, words[0]);
    if (in_cycle && core != TSR_CORE_B)
        return push_row_in_cycle(tile, core, thread, words, count, together);
    return push_row(tile, core, thread, words, count, together);
}

int tsr_core_pushed_thread(const struct tsr_isa *isa, int core, uint32_t address)
{
    static const enum tsr_region_id of_b[TSR_THREADS] = {REGION_PUSH, REGION_PUSH1, REGION_PUSH2};
    if (tsr_is_t_core(core))
        return address == isa->region[REGION_PUSH].base ? core - TSR_CORE_T0 : -1;
    for (int thread = 0; core == TSR_CORE_B && thread < TSR_THREADS; thread++)
        if (address == isa->region[of_b[thread]].base)
            return thread;
    return -1;
}

// The thread to which it pushes, if a store there keeps it waiting; -1: it is not so.
static int waits_to_push(const struct tsr_tile *tile, unsigned core)
{
    const struct tsr_env *env = &tile->engine.env;
    const struct tsr_hart *hart = &env->state->cores.hart[core];
    if (hart->rest != TSR_HART_BLOCKED || !hart->waits_to_store || env->races)
        return -1;
    int thread = tsr_core_pushed_thread(env->isa, (int)core, hart->waits_at);
    return thread >= 0 && !tsr_core_push_is_refused(tile, thread) ? thread : -1;
}

bool tsr_core_push_waits(const struct tsr_tile *tile, unsigned core)
{
    int thread = waits_to_push(tile, core);
    return thread >= 0 && tsr_frontend_full(&tile->engine.env, thread, core == TSR_CORE_B);
}

bool tsr_core_push_refused(struct tsr_tile *tile, unsigned core)
{
    int thread = waits_to_push(tile, core);
    tile->cores.full = thread >= 0 && is_full(tile, (int)core, thread);
    return tile->cores.full;
}
