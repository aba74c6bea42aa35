// SPDX-License-Identifier: Apache-2.0
// With timing off: rounds of another order than that of a card in practice (tsr_options.schedule).
// In a round one actor does one thing: a thread issues a word, a unit executes or completes an
// instruction, loads come back, TDMA-RISC takes a command. Whatever the specification orders stays
// in order: a thread's words, a unit's instructions, and what the gate and the units wait for. So a
// program without races leaves the same bits in every order. The sync, configuration and
// miscellaneous unit are done at once, since their pages give their delays as fixed numbers of
// cycles: errata 520.
#include "tile/scheduled_round.h"

#include "control/mover_unit.h"
#include "control/scalar_unit.h"
#include "frontend/expand.h"
#include "frontend/issue.h"
#include "frontend/queues.h"
#include "frontend/wait_gate.h"

#include <string.h>

// ---------------------------------------------------------------- who is asked first

static void swap(uint8_t *one, uint8_t *other)
{
    uint8_t kept = *one;
    *one = *other;
    *other = kept;
}

// Random priorities that change now and then find an order of few accesses sooner than a coin for
// every step. How often they change is part of what the seed decides.
void tsr_schedule_begin(struct tsr_schedule_state *schedule, const tsr_options *options)
{
    enum { MOST_CHANGE_BITS = 8 };
    *schedule = (struct tsr_schedule_state){.kind = (uint8_t)options->schedule,
                                            .last_thread = TSR_THREADS - 1,
                                            .random = options->schedule_seed,
                                            .cut = options->schedule_cut};
    for (uint8_t i = 0; i < TSR_ACTOR_COUNT; i++)
        schedule->order[i] = i;
    if (options->schedule != TSR_SCHEDULE_RANDOM)
        return;
    for (unsigned i = TSR_ACTOR_COUNT - 1; i > 0; i--)
        swap(&schedule->order[i], &schedule->order[tsr_schedule_random(schedule) % (i + 1)]);
    schedule->change_bits = (uint8_t)(tsr_schedule_random(schedule) % MOST_CHANGE_BITS);
}

static void change_order(struct tsr_schedule_state *schedule)
{
    uint64_t drawn = tsr_schedule_random(schedule);
    if ((drawn >> 32 & ((1u << schedule->change_bits) - 1u)) != 0)
        return;
    swap(&schedule->order[drawn % TSR_ACTOR_COUNT],
         &schedule->order[(drawn >> 16 & 0xffff) % TSR_ACTOR_COUNT]);
}

static bool is_cut(const struct tsr_schedule_state *schedule)
{
    return schedule->cut.steps > 0 && schedule->step.count >= schedule->cut.steps;
}

// The units whose work ends what somebody waits for now: a latched wait, a full unit, a bank.
static uint32_t wanted_units(const struct tsr_engine *engine)
{
    enum { BANKS = 1 << TSR_UNIT_UNPACKER0 | 1 << TSR_UNIT_UNPACKER1 | 1 << TSR_UNIT_MATRIX };
    const struct tsr_state *state = engine->env.state;
    uint32_t wanted = 0;
    for (int thread = 0; thread < TSR_THREADS; thread++) {
        const struct tsr_frontend *frontend = &state->frontend[thread];
        const struct tsr_gate_latch *latch = &state->sync.latch[thread];
        if (latch->latched && !latch->on_semaphores)
            wanted |= tsr_gate_wants(&engine->env, latch);
        if (frontend->before_gate.count == 0)
            continue;
        uint32_t word = tsr_fifo_front(&frontend->before_gate);
        const struct tsr_route *route = &engine->route[word >> 24];
        if (frontend->reason == TSR_REASON_UNIT_FULL && route->ops)
            wanted |= 1u << tsr_route_unit(route, word);
        if (frontend->reason == TSR_REASON_SRCA || frontend->reason == TSR_REASON_SRCB)
            wanted |= BANKS;
        if (frontend->reason == TSR_REASON_HOLD)
            wanted |= 1u << TSR_UNIT_SCALAR;
    }
    for (int unit = 0; unit < TSR_UNIT_COUNT; unit++) {
        const struct tsr_queue *queue = &state->queues.of[unit];
        if (queue->count == queue->executed || queue->reason == TSR_REASON_NONE)
            continue;
        bool bank = queue->reason == TSR_REASON_SRCA || queue->reason == TSR_REASON_SRCB;
        wanted |= bank ? 1u << TSR_UNIT_MATRIX : TSR_ALL_UNITS;
    }
    return wanted;
}

// Appends the actors of these units to the order, which has `count` before. Returns how many it
// has.
static unsigned put_units(uint8_t *order, unsigned count, uint32_t units)
{
    for (uint8_t unit = 0; unit < TSR_UNIT_COUNT; unit++)
        if (units >> unit & 1) {
            order[count++] = (uint8_t)(TSR_ACTOR_EXECUTE + unit);
            order[count++] = (uint8_t)(TSR_ACTOR_COMPLETE + unit);
        }
    return count;
}

// Consumers first: a thread that should have waited is ahead of the one that it should wait for.
// Units move when everybody else rests, those that somebody waits for before the others.
static void order_late(const struct tsr_engine *engine, uint8_t order[TSR_ACTOR_COUNT])
{
    uint32_t wanted = wanted_units(engine);
    unsigned count = 0;
    for (int thread = TSR_THREADS - 1; thread >= 0; thread--)
        order[count++] = (uint8_t)(TSR_ACTOR_THREAD + thread);
    count = put_units(order, count, wanted);
    if (wanted >> TSR_UNIT_SCALAR & 1)
        order[count++] = TSR_ACTOR_LOADS;
    order[count++] = TSR_ACTOR_CORES;
    count = put_units(order, count, ~wanted & TSR_ALL_UNITS);
    if (!(wanted >> TSR_UNIT_SCALAR & 1))
        order[count++] = TSR_ACTOR_LOADS;
    order[count] = TSR_ACTOR_TDMA;
}

static void order_eager(const struct tsr_engine *engine, uint8_t order[TSR_ACTOR_COUNT])
{
    unsigned count = put_units(order, 0, TSR_ALL_UNITS);
    order[count++] = TSR_ACTOR_LOADS;
    order[count++] = TSR_ACTOR_TDMA;
    for (unsigned i = 1; i <= TSR_THREADS; i++)
        order[count++] =
            (uint8_t)(TSR_ACTOR_THREAD + (engine->schedule.last_thread + i) % TSR_THREADS);
    order[count] = TSR_ACTOR_CORES;
}

// ---------------------------------------------------------------- a round

static bool run_thread(struct tsr_engine *engine, int thread)
{
    struct tsr_frontend *frontend = &engine->env.state->frontend[thread];
    const bool *stopped = &engine->env.findings->stopped;
    if (tsr_frontend_quiet(frontend))
        return false;
    uint64_t before = frontend->sequence;
    if (frontend->before_gate.count == 0 && tsr_expand(engine, thread))
        return true;
    bool moved = tsr_issue(engine, thread);
    if (!*stopped && frontend->sequence != before && !tsr_at_break(engine, thread))
        moved |= tsr_expand(engine, thread);
    if (frontend->sequence != before)
        engine->schedule.last_thread = (uint8_t)thread;
    return moved;
}

// What the actor would do, for tsr_view_schedule().
static void describe(const struct tsr_engine *engine, uint8_t actor, tsr_schedule_step *step)
{
    const struct tsr_state *state = engine->env.state;
    step->actor = actor + 1;
    step->thread = -1;
    step->sequence = 0;
    step->word = 0;
    if (actor >= TSR_ACTOR_LOADS) {
        step->kind = actor == TSR_ACTOR_LOADS ? TSR_STEP_LOADS : TSR_STEP_TDMA;
    } else if (actor < TSR_ACTOR_EXECUTE) {
        const struct tsr_frontend *frontend = &state->frontend[actor];
        step->kind = TSR_STEP_ISSUE;
        step->thread = actor;
        step->sequence = frontend->sequence + 1;
        step->word = frontend->before_gate.count > 0 ? tsr_fifo_front(&frontend->before_gate) : 0;
    } else {
        bool execute = actor < TSR_ACTOR_COMPLETE;
        const struct tsr_queue *queue =
            &state->queues.of[actor - (execute ? TSR_ACTOR_EXECUTE : TSR_ACTOR_COMPLETE)];
        unsigned place = queue->first + (execute ? queue->executed : 0u);
        const struct tsr_inflight *inst = &queue->inst[place % TSR_QUEUE_DEPTH];
        step->kind = execute ? TSR_STEP_EXECUTE : TSR_STEP_COMPLETE;
        step->thread = inst->thread;
        step->sequence = inst->sequence;
        step->word = inst->word;
    }
}

static bool do_step(struct tsr_engine *engine, uint8_t actor)
{
    if (actor < TSR_ACTOR_EXECUTE)
        return run_thread(engine, actor - TSR_ACTOR_THREAD);
    if (actor < TSR_ACTOR_COMPLETE)
        return tsr_queue_execute_one(engine, (tsr_unit)(actor - TSR_ACTOR_EXECUTE));
    if (actor < TSR_ACTOR_LOADS)
        return tsr_queue_complete_one(engine, (tsr_unit)(actor - TSR_ACTOR_COMPLETE));
    if (actor == TSR_ACTOR_LOADS)
        return engine->env.state->scalar.requests > 0 && tsr_scalar_deliver(&engine->env);
    return tsr_tdma_step(&engine->env);
}

static bool act(struct tsr_engine *engine, uint8_t actor)
{
    struct tsr_schedule_state *schedule = &engine->schedule;
    uint64_t watched = schedule->cut.steps + (schedule->cut.held ? schedule->cut.others : 0);
    bool watch = schedule->step.count + 1 == watched;
    tsr_schedule_step step = schedule->step;
    if (watch)
        describe(engine, actor, &step);
    if (!do_step(engine, actor))
        return false;
    if (watch) {
        bool issued = step.kind != TSR_STEP_ISSUE ||
                      engine->env.state->frontend[step.thread].sequence == step.sequence;
        step.sequence = issued ? step.sequence : 0;
        step.reached = true;
        schedule->step = step;
    }
    schedule->step.count++;
    return true;
}

// What takes a fixed number of cycles, and the gates, which look at their wait in each cycle: one
// that is met stays met.
static bool act_at_once(struct tsr_engine *engine)
{
    const struct tsr_state *state = engine->env.state;
    bool moved = false;
    for (uint32_t left = state->queues.active; left; left &= left - 1) {
        tsr_unit unit = (tsr_unit)__builtin_ctz(left);
        if (!tsr_schedule_moves(unit) && !engine->env.findings->stopped)
            moved |= tsr_queue_advance(engine, unit);
    }
    for (int thread = 0; thread < TSR_THREADS; thread++)
        if (state->sync.latch[thread].latched &&
            !tsr_schedule_keeps_wait(&engine->env, &state->sync.latch[thread]))
            moved |= tsr_gate_evaluate(engine, thread);
    return moved;
}

// Somebody may keep the cores' company for ever, so they are not preferred for ever.
static bool cores_first(struct tsr_schedule_state *schedule)
{
    enum { LATE_ROUNDS = 256, RANDOM_ROUNDS = 4 };
    uint32_t most =
        schedule->kind == TSR_SCHEDULE_LATE ? LATE_ROUNDS : RANDOM_ROUNDS << schedule->change_bits;
    if (!schedule->cores_run || schedule->waited >= most || is_cut(schedule))
        return false;
    schedule->waited++;
    schedule->kept_waiting = true;
    return true;
}

// Where the cut holds an actor back it is left out, and comes first when the others have had their
// steps.
static void hold_actor(const struct tsr_schedule_state *schedule, uint8_t order[TSR_ACTOR_COUNT])
{
    const tsr_schedule_cut *cut = &schedule->cut;
    bool now = schedule->step.count == cut->steps + cut->others;
    if (!cut->held || schedule->step.count < cut->steps ||
        schedule->step.count > cut->steps + cut->others)
        return;
    unsigned at = 0;
    while (order[at] != cut->held - 1 && at + 1 < TSR_ACTOR_COUNT)
        at++;
    for (; now && at > 0; at--)
        swap(&order[at], &order[at - 1]);
    for (; !now && at + 1 < TSR_ACTOR_COUNT; at++)
        swap(&order[at], &order[at + 1]);
}

static void choose_order(const struct tsr_engine *engine, uint8_t order[TSR_ACTOR_COUNT])
{
    const struct tsr_schedule_state *schedule = &engine->schedule;
    if (is_cut(schedule) || schedule->kind == TSR_SCHEDULE_EAGER)
        order_eager(engine, order);
    else if (schedule->kind == TSR_SCHEDULE_LATE)
        order_late(engine, order);
    else
        memcpy(order, schedule->order, sizeof schedule->order);
    hold_actor(schedule, order);
}

bool tsr_scheduled_round(struct tsr_engine *engine)
{
    struct tsr_schedule_state *schedule = &engine->schedule;
    const bool *stopped = &engine->env.findings->stopped;
    uint8_t order[TSR_ACTOR_COUNT];
    engine->broken_thread = -1; // a break is looked at after each round
    bool moved = act_at_once(engine), behind_cores = false;
    schedule->kept_waiting = false;
    choose_order(engine, order);
    for (unsigned i = 0; i < TSR_ACTOR_COUNT && !*stopped; i++) {
        if (order[i] == TSR_ACTOR_CORES) {
            if (cores_first(schedule))
                return moved;
            behind_cores = true;
        } else if (act(engine, order[i])) {
            schedule->waited = behind_cores ? 0 : schedule->waited;
            if (schedule->kind == TSR_SCHEDULE_RANDOM)
                change_order(schedule);
            return true;
        }
    }
    return moved;
}

// ---------------------------------------------------------------- the cores

unsigned tsr_schedule_first_core(struct tsr_schedule_state *schedule, unsigned cores)
{
    return schedule->kind == TSR_SCHEDULE_RANDOM ? (unsigned)(tsr_schedule_random(schedule) % cores)
                                                 : 0;
}

uint64_t tsr_schedule_share(struct tsr_schedule_state *schedule, uint64_t most)
{
    if (schedule->kind != TSR_SCHEDULE_RANDOM || most == 0 || is_cut(schedule))
        return most;
    return 1 + tsr_schedule_random(schedule) % most;
}
