// SPDX-License-Identifier: Apache-2.0
// The wait that STALLWAIT, SEMWAIT or STREAMWAIT latches at a thread's gate: when its conditions
// are met, and which instructions it blocks until then. The block ends one cycle after all
// conditions were met together for the first time. Also, for the performance counters: for how many
// cycles each condition has held a thread.
// Pages: STALLWAIT.md of each chip, SEMWAIT.md, STREAMWAIT.md.
#include "frontend/wait_gate.h"

#include "base/bits.h"
#include "state/busy.h"
#include "state/races.h"
#include "state/register_access.h"

static bool taken_from_unpackers(const struct tsr_env *env, int side)
{
    const struct tsr_src *src = &env->state->src[side];
    return src->bank[src->unpacker_bank].matrix_owns;
}

static bool unit_busy(const struct tsr_env *env, tsr_unit unit, int thread)
{
    return (env->state->queues.active >> unit & 1) && tsr_unit_busy(env, unit, thread);
}

static bool not_with_matrix(const struct tsr_env *env, int side)
{
    const struct tsr_src *src = &env->state->src[side];
    return !src->bank[src->matrix_bank].matrix_owns;
}

TSR_INLINE bool condition_holds(const struct tsr_env *env, int thread, unsigned bit)
{
    enum tsr_condition condition = tsr_condition_of_bit(env->isa, bit);
    switch (condition) {
    case CONDITION_SCALAR_MEMORY:
        return tsr_scalar_memory_busy(env, thread);
    case CONDITION_UNPACKER0:
        return unit_busy(env, TSR_UNIT_UNPACKER0, thread);
    case CONDITION_UNPACKER1:
        return unit_busy(env, TSR_UNIT_UNPACKER1, thread);
    case CONDITION_PACKER0:
    case CONDITION_PACKER1:
    case CONDITION_PACKER2:
    case CONDITION_PACKER3:
        return ((env->state->queues.active >> TSR_UNIT_PACKER & 1) ||
                env->state->queues.drain.until != 0) &&
               tsr_packer_busy(env, (unsigned)condition - CONDITION_PACKER0, thread);
    case CONDITION_MATRIX:
        return unit_busy(env, TSR_UNIT_MATRIX, thread);
    case CONDITION_VECTOR:
        return tsr_unit_busy(env, TSR_UNIT_VECTOR, thread);
    case CONDITION_MOVER:
        return tsr_mover_busy(env);
    case CONDITION_CONFIG:
        return tsr_config_busy(env);
    case CONDITION_SRCA_UNPACKER:
        return taken_from_unpackers(env, TSR_SRCA);
    case CONDITION_SRCB_UNPACKER:
        return taken_from_unpackers(env, TSR_SRCB);
    case CONDITION_SRCA_MATRIX:
        return not_with_matrix(env, TSR_SRCA);
    case CONDITION_SRCB_MATRIX:
        return not_with_matrix(env, TSR_SRCB);
    default:
        return false; // a core's stores take effect at once, so none is ever pending
    }
}

bool tsr_condition_holds(const struct tsr_env *env, int thread, unsigned bit)
{
    return condition_holds(env, thread, bit);
}

static inline bool semaphores_hold(const struct tsr_env *env, const struct tsr_gate_latch *latch)
{
    for (uint32_t left = latch->semaphores; left; left &= left - 1) {
        const struct tsr_semaphore *semaphore = &env->state->sync.semaphore[__builtin_ctz(left)];
        if ((latch->conditions & TSR_SEMWAIT_WHILE_ZERO) && semaphore->value == 0)
            return true;
        if ((latch->conditions & TSR_SEMWAIT_WHILE_MAXIMUM) && semaphore->value >= semaphore->max)
            return true;
    }
    return false;
}

bool tsr_semaphores_hold(const struct tsr_env *env, const struct tsr_gate_latch *latch)
{
    return semaphores_hold(env, latch);
}

enum stream_index { // Wormhole has no STREAMWAIT
    NOC_NONE = 0xffff,
#define STREAM(name, wh, bh, width, streams, rule) INDEX_##name = bh,
#include "machine/noc_streams.def"
};

// What is latched is which of the thread's four streams, not the stream. One that cannot be asked
// holds nobody.
bool tsr_stream_holds(const struct tsr_env *env, int thread, const struct tsr_gate_latch *latch,
                      uint32_t *value)
{
    unsigned index = latch->messages ? INDEX_STREAM_NUM_MSGS_RECEIVED : INDEX_STREAM_CURR_PHASE;
    unsigned stream = tsr_thread_cfg(env, thread, tsr_stream_selected(latch->select));
    struct tsr_noc_access access = {.unit = TSR_NOC_OVERLAY,
                                    .agent = TSR_AGENT_TENSIX,
                                    .offset = tsr_stream_register(env, stream, index) -
                                              env->isa->region[REGION_NOC_OVERLAY].base};
    bool known = env->noc.load(env->noc.self, &access) == TSR_OK;
    *value = access.value;
    return known && *value < latch->target;
}

static __attribute__((noinline)) bool stream_holds(const struct tsr_env *env, int thread,
                                                   const struct tsr_gate_latch *latch)
{
    uint32_t value;
    return tsr_stream_holds(env, thread, latch, &value);
}

static inline bool keep_waiting(const struct tsr_env *env, int thread,
                                const struct tsr_gate_latch *latch)
{
    if (latch->on_stream)
        return stream_holds(env, thread, latch);
    if (latch->on_semaphores)
        return semaphores_hold(env, latch);
    for (uint32_t left = latch->conditions; left; left &= left - 1)
        if (condition_holds(env, thread, (unsigned)__builtin_ctz(left)))
            return true;
    return false;
}

// This wait was for the bank itself that the matrix unit reads next.
static void note_banks(struct tsr_env *env, const struct tsr_gate_latch *latch)
{
    for (int side = TSR_SRCA; side <= TSR_SRCB; side++) {
        enum tsr_condition own = side == TSR_SRCA ? CONDITION_SRCA_MATRIX : CONDITION_SRCB_MATRIX;
        const struct tsr_src *src = &env->state->src[side];
        if ((latch->conditions >> env->isa->condition_bit[own] & 1) &&
            src->bank[src->matrix_bank].matrix_owns)
            env->state->src_shadow[side][src->matrix_bank].waited_for = true;
    }
}

// This wait was for a post that came after the hand-over of a bank, of the same thread or of a
// core.
static void note_post(struct tsr_env *env, const struct tsr_origin *post)
{
    for (int side = TSR_SRCA; side <= TSR_SRCB; side++) {
        for (unsigned bank = 0; bank < 2; bank++) {
            struct tsr_src_shadow *shadow = &env->state->src_shadow[side][bank];
            const struct tsr_origin *by = &shadow->released_by;
            bool later = by->kind == TSR_ORIGIN_THREAD && post->which == by->which &&
                         post->sequence > by->sequence;
            if (!shadow->waited_for && (post->kind == TSR_ORIGIN_CORE || later) &&
                env->state->src[side].bank[bank].matrix_owns)
                shadow->waited_for = true;
        }
    }
}

// A wait that has ended orders what its thread does after the hand-over that it was for.
static void note_order(struct tsr_env *env, const struct tsr_gate_latch *latch)
{
    if (!latch->on_semaphores) {
        note_banks(env, latch);
        return;
    }
    for (uint32_t left = latch->semaphores; left; left &= left - 1) {
        const struct tsr_origin *post = &env->state->sync.semaphore[__builtin_ctz(left)].last_post;
        if (post->kind != TSR_ORIGIN_NONE)
            note_post(env, post);
    }
}

// ---------------------------------------------------------------- counts of what holds threads

// Cycles in which a latched wait holds an instruction, by what it still waits for; of several
// conditions each counts by itself. What holds can only change where the wait is evaluated.

enum { NOT_COUNTED = TSR_WAIT_KINDS };

static unsigned kind_of(enum tsr_condition condition)
{
    switch (condition) {
    case CONDITION_SCALAR_MEMORY:
        return TSR_WAIT_THCON;
    case CONDITION_UNPACKER0:
    case CONDITION_UNPACKER1:
        return TSR_WAIT_UNPACK;
    case CONDITION_PACKER0:
    case CONDITION_PACKER1:
    case CONDITION_PACKER2:
    case CONDITION_PACKER3:
        return TSR_WAIT_PACK;
    case CONDITION_MATRIX:
        return TSR_WAIT_MATH;
    case CONDITION_MOVER:
        return TSR_WAIT_MOVE;
    case CONDITION_VECTOR:
        return TSR_WAIT_SFPU;
    case CONDITION_SRCA_UNPACKER:
        return TSR_WAIT_SRCA_CLEAR;
    case CONDITION_SRCB_UNPACKER:
        return TSR_WAIT_SRCB_CLEAR;
    case CONDITION_SRCA_MATRIX:
        return TSR_WAIT_SRCA_VALID;
    case CONDITION_SRCB_MATRIX:
        return TSR_WAIT_SRCB_VALID;
    default:
        return NOT_COUNTED;
    }
}

static uint32_t semaphores_that_hold(const struct tsr_env *env, const struct tsr_gate_latch *latch)
{
    struct tsr_gate_latch one = *latch;
    uint32_t kinds = 0;
    one.conditions = latch->conditions & TSR_SEMWAIT_WHILE_ZERO;
    if (tsr_semaphores_hold(env, &one))
        kinds |= 1u << TSR_WAIT_NONZERO;
    one.conditions = latch->conditions & TSR_SEMWAIT_WHILE_MAXIMUM;
    if (tsr_semaphores_hold(env, &one))
        kinds |= 1u << TSR_WAIT_NONFULL;
    return kinds;
}

// A bit for each kind.
static uint32_t what_holds(const struct tsr_env *env, int thread)
{
    const struct tsr_gate_latch *latch = &env->state->sync.latch[thread];
    uint32_t kinds = 0;
    if (!latch->latched || latch->met || latch->on_stream)
        return 0;
    if (latch->on_semaphores)
        return semaphores_that_hold(env, latch);
    for (uint32_t left = latch->conditions; left; left &= left - 1) {
        unsigned bit = (unsigned)__builtin_ctz(left);
        if (tsr_condition_holds(env, thread, bit))
            kinds |= 1u << kind_of(tsr_condition_of_bit(env->isa, bit));
    }
    return kinds & ((1u << TSR_WAIT_KINDS) - 1);
}

static void add_held(struct tsr_engine *engine, int thread)
{
    struct tsr_wait_counts *counts = &engine->wait_counts;
    const struct tsr_frontend *frontend = &engine->env.state->frontend[thread];
    uint64_t now = engine->env.state->now, from = counts->since[thread];
    bool held = frontend->reason == TSR_REASON_STALLWAIT || frontend->reason == TSR_REASON_SEMWAIT;
    if (from < frontend->waits_since)
        from = frontend->waits_since;
    for (uint32_t left = counts->holds[thread]; held && left; left &= left - 1)
        counts->cycles[thread][__builtin_ctz(left)] += now - from;
    counts->since[thread] = now;
}

void tsr_wait_counts_add(struct tsr_engine *engine)
{
    for (int thread = 0; engine->wait_counts.on && thread < TSR_THREADS; thread++)
        add_held(engine, thread);
}

// Its latched wait has just been evaluated.
static void note_held(struct tsr_engine *engine, int thread)
{
    add_held(engine, thread);
    engine->wait_counts.holds[thread] = what_holds(&engine->env, thread);
}

void tsr_wait_counts_switch(struct tsr_engine *engine, bool on)
{
    struct tsr_wait_counts *counts = &engine->wait_counts;
    tsr_wait_counts_add(engine);
    counts->on = on && engine->env.timing;
    for (int thread = 0; counts->on && thread < TSR_THREADS; thread++) {
        counts->since[thread] = engine->env.state->now;
        counts->holds[thread] = what_holds(&engine->env, thread);
    }
}

// ---------------------------------------------------------------- the wait

static void end_wait(struct tsr_env *env, int thread, struct tsr_gate_latch *latch)
{
    latch->latched = false;
    if (env->races)
        tsr_race_released(env, thread, latch);
    note_order(env, latch);
}

// What tsr_gate_evaluate() does with timing on, or where somebody looks for races, if a look at the
// semaphores does not say that it goes on.
static __attribute__((noinline)) bool evaluate(struct tsr_engine *engine, int thread,
                                               struct tsr_gate_latch *latch)
{
    struct tsr_env *env = &engine->env;
    if (!latch->met && !keep_waiting(env, thread, latch)) {
        latch->met = true;
        latch->met_at = env->state->now;
    }
    if (engine->wait_counts.on)
        note_held(engine, thread);
    if (!latch->met)
        return false;
    unsigned lag = env->timing ? env->isa->rate[RATE_WAIT_LAG] : 0;
    if (env->state->now < latch->met_at + lag)
        return false;
    end_wait(env, thread, latch);
    return true;
}

bool tsr_gate_evaluate(struct tsr_engine *engine, int thread)
{
    struct tsr_env *env = &engine->env;
    struct tsr_gate_latch *latch = &env->state->sync.latch[thread];
    if (!latch->latched || (latch->on_semaphores && !latch->met && !engine->wait_counts.on &&
                            semaphores_hold(env, latch)))
        return false;
    if (env->timing || env->races || latch->met)
        return evaluate(engine, thread, latch);
    if (!latch->on_semaphores && keep_waiting(env, thread, latch))
        return false;
    latch->met = true;
    latch->met_at = env->state->now;
    end_wait(env, thread, latch);
    return true;
}

tsr_reason tsr_gate_blocks(const struct tsr_env *env, int thread, enum tsr_op op)
{
    const struct tsr_gate_latch *latch = &env->state->sync.latch[thread];
    if (!latch->latched)
        return TSR_REASON_NONE;
    if (!env->waits_hold_thread && !tsr_blocked(env->isa, op, latch->block))
        return TSR_REASON_NONE;
    return latch->on_semaphores ? TSR_REASON_SEMWAIT : TSR_REASON_STALLWAIT;
}

// ---------------------------------------------------------------- news of the units

// The units of which a STALLWAIT's condition may hear. That of the configuration unit may end by
// time alone, and what instructions reach through the address map touches everything.
static uint32_t condition_wants(enum tsr_condition condition)
{
    switch (condition) {
    case CONDITION_SCALAR_MEMORY:
        return 1u << TSR_UNIT_SCALAR;
    case CONDITION_UNPACKER0:
        return 1u << TSR_UNIT_UNPACKER0;
    case CONDITION_UNPACKER1:
        return 1u << TSR_UNIT_UNPACKER1;
    case CONDITION_PACKER0:
    case CONDITION_PACKER1:
    case CONDITION_PACKER2:
    case CONDITION_PACKER3:
        return 1u << TSR_UNIT_PACKER;
    case CONDITION_MATRIX:
        return 1u << TSR_UNIT_MATRIX;
    case CONDITION_SRCA_UNPACKER:
    case CONDITION_SRCB_UNPACKER:
    case CONDITION_SRCA_MATRIX:
    case CONDITION_SRCB_MATRIX:
        return TSR_BANK_UNITS;
    default:
        return TSR_TOUCHED_ALL | TSR_ALL_UNITS; // in each round
    }
}

uint32_t tsr_gate_wants(const struct tsr_env *env, const struct tsr_gate_latch *latch)
{
    enum { NEVER_POST = 1 << TSR_UNIT_MATRIX | 1 << TSR_UNIT_CONFIG | 1 << TSR_UNIT_MISC };
    uint32_t wants = 1u << TSR_UNIT_SYNC; // the wait itself, when it is new
    if (latch->on_stream)
        return TSR_TOUCHED_ALL | TSR_ALL_UNITS;
    if (latch->on_semaphores)
        return wants | (TSR_ALL_UNITS & ~(uint32_t)NEVER_POST);
    for (uint32_t left = latch->conditions; left; left &= left - 1)
        wants |= condition_wants(tsr_condition_of_bit(env->isa, (unsigned)__builtin_ctz(left)));
    return wants;
}
