// SPDX-License-Identifier: Apache-2.0
// The sync unit: handing STALLWAIT, SEMWAIT and STREAMWAIT to the thread's wait gate, semaphores,
// and mutexes. All but the mutexes share one place a cycle with the cores' semaphore writes. Pages:
// SyncUnit.md of each chip, STALLWAIT.md, SEMWAIT.md, STREAMWAIT.md, SEMINIT.md, SEMPOST.md,
// SEMGET.md, ATGETM.md of each chip, ATRELM.md.
#include "control/sync_unit.h"

#include "state/races.h"
#include "state/report.h"

// ---------------------------------------------------------------- waits

static uint16_t block_or_default(const struct tsr_env *env, uint32_t block)
{
    return (uint16_t)(block ? block : env->isa->default_block);
}

static void latch_wait(struct tsr_env *env, unsigned thread, uint32_t word, uint32_t block,
                       uint32_t conditions, uint32_t semaphores, bool on_semaphores)
{
    env->state->sync.latch[thread] = (struct tsr_gate_latch){.latched = true,
                                                             .on_semaphores = on_semaphores,
                                                             .block = block_or_default(env, block),
                                                             .conditions = (uint16_t)conditions,
                                                             .semaphores = (uint8_t)semaphores,
                                                             .word = word,
                                                             .since = env->state->now};
}

static void latch(struct tsr_env *env, const struct tsr_inflight *inst, bool on_semaphores,
                  uint32_t conditions, uint32_t semaphores)
{
    latch_wait(env, inst->thread, inst->word, tsr_arg(env, inst, OPERAND_stall_res), conditions,
               semaphores, on_semaphores);
}

static uint32_t stall_conditions(const struct tsr_isa *isa, uint32_t word)
{
    uint32_t conditions = tsr_operand(isa, OP_STALLWAIT, word, OPERAND_wait_res);
    return conditions ? conditions : isa->default_conditions;
}

static bool stall_wait(struct tsr_env *env, const struct tsr_inflight *inst)
{
    latch(env, inst, false, stall_conditions(env->isa, inst->word), 0);
    return true;
}

// With no condition the page says undefined; going on latches nothing, but a wait that is latched
// already gets the new block mask, as the page's model has it.
static bool sem_wait(struct tsr_env *env, const struct tsr_inflight *inst)
{
    uint32_t conditions = tsr_arg(env, inst, OPERAND_wait_sem_cond);
    if (conditions == 0) {
        if (tsr_report(env, FINDING_SEMWAIT_NO_CONDITION, inst, NULL,
                       "SEMWAIT with wait_sem_cond=0 selects no condition.") == TSR_HALT)
            return false;
        env->state->sync.latch[inst->thread].block =
            block_or_default(env, tsr_arg(env, inst, OPERAND_stall_res));
        return true;
    }
    latch(env, inst, true, conditions, tsr_arg(env, inst, OPERAND_sem_sel));
    return true;
}

// A stream's register is never below 0, so a target of 0 is met at once; any other needs the NoC
// overlay. Going on without it latches a wait that is met at once.
static bool stream_wait(struct tsr_env *env, const struct tsr_inflight *inst)
{
    static const enum tsr_field high[2] = {FIELD_STREAMWAIT_PHASE_HI_Val,
                                           FIELD_STREAMWAIT_NUM_MSGS_HI_Val};
    unsigned messages = tsr_arg(env, inst, OPERAND_target_sel);
    unsigned select = tsr_arg(env, inst, OPERAND_wait_stream_sel);
    enum tsr_field chosen = tsr_stream_selected(select);
    uint32_t target = tsr_thread_cfg(env, inst->thread, high[messages]) << 10 |
                      tsr_arg(env, inst, OPERAND_target_value);
    struct tsr_cited cited = {inst->thread, 2, {high[messages], chosen}};
    if (env->noc.self) {
        latch(env, inst, false, 0, 0);
        struct tsr_gate_latch *wait = &env->state->sync.latch[inst->thread];
        wait->on_stream = true;
        wait->select = (uint8_t)select;
        wait->messages = messages;
        wait->target = target;
        return true;
    }
    if (target != 0 &&
        tsr_report(env, FINDING_UNIMPLEMENTED_MODE, inst, &cited,
                   "STREAMWAIT compares %s of stream %u of the NoC overlay with %u; a tile "
                   "without a chip has no overlay.",
                   messages ? "the messages received" : "the phase",
                   (unsigned)tsr_thread_cfg(env, inst->thread, chosen),
                   (unsigned)target) == TSR_HALT)
        return false;
    latch(env, inst, false, 0, 0);
    return true;
}

// ---------------------------------------------------------------- semaphores

static bool at_end(struct tsr_env *env, const struct tsr_inflight *inst, unsigned index)
{
    const struct tsr_semaphore *semaphore = &env->state->sync.semaphore[index];
    bool post = inst->op == OP_SEMPOST;
    enum tsr_finding code = post ? FINDING_SEMAPHORE_AT_MAXIMUM : FINDING_SEMAPHORE_AT_ZERO;
    enum tsr_verdict verdict;
    if (tsr_report_again(env, code, inst, &verdict))
        return verdict != TSR_HALT;
    char pair[TSR_SEMAPHORE_PAIR];
    tsr_semaphore_pair(env, index, post, pair, sizeof pair);
    return tsr_report(env, code, inst, NULL,
                      "%s of semaphore %u, whose value is %u, changes nothing; %s.",
                      post ? "SEMPOST" : "SEMGET", index, semaphore->value, pair) != TSR_HALT;
}

static bool check_change(struct tsr_env *env, const struct tsr_inflight *inst, unsigned index)
{
    const struct tsr_semaphore *semaphore = &env->state->sync.semaphore[index];
    if (inst->op == OP_SEMGET)
        return semaphore->value > 0 || at_end(env, inst, index);
    if (semaphore->value >= TSR_SEMAPHORE_LIMIT)
        return at_end(env, inst, index);
    if (tsr_semaphore_below_max(semaphore))
        return true;
    // The value still counts up, and a wait for it to fall below the maximum takes longer.
    enum tsr_verdict verdict;
    if (tsr_report_again(env, FINDING_SEMAPHORE_ABOVE_MAX, inst, &verdict))
        return verdict != TSR_HALT;
    char pair[TSR_SEMAPHORE_PAIR];
    tsr_semaphore_pair(env, index, true, pair, sizeof pair);
    return tsr_report(env, FINDING_SEMAPHORE_ABOVE_MAX, inst, NULL,
                      "SEMPOST raises semaphore %u from %u, beyond its maximum of %u; %s.", index,
                      semaphore->value, semaphore->max, pair) != TSR_HALT;
}

static bool check_selection(struct tsr_env *env, const struct tsr_inflight *inst)
{
    uint32_t chosen = tsr_arg(env, inst, OPERAND_sem_sel);
    if ((chosen & (chosen - 1)) == 0)
        return true;
    return tsr_report(env, FINDING_SEMAPHORE_MULTI, inst, NULL,
                      "%s selects several semaphores (mask 0x%02x).",
                      tsr_op_name((enum tsr_op)inst->op), (unsigned)chosen) != TSR_HALT;
}

// SEMPOST and SEMGET. All are checked before the first one changes, so that a finding that stops
// changes none.
static bool step_all(struct tsr_env *env, const struct tsr_inflight *inst)
{
    uint32_t chosen = tsr_arg(env, inst, OPERAND_sem_sel);
    for (uint32_t left = chosen; left; left &= left - 1)
        if (!check_change(env, inst, (unsigned)__builtin_ctz(left)))
            return false;
    for (uint32_t left = chosen; left; left &= left - 1) {
        struct tsr_semaphore *semaphore = &env->state->sync.semaphore[__builtin_ctz(left)];
        bool post = inst->op == OP_SEMPOST;
        if (post ? tsr_semaphore_post(semaphore, tsr_origin_of(inst))
                 : tsr_semaphore_get(semaphore, tsr_origin_of(inst)))
            tsr_race_sync(env, post ? TSR_RACE_POST : TSR_RACE_GET, (unsigned)__builtin_ctz(left),
                          0, 0);
    }
    return true;
}

static bool init_all(struct tsr_env *env, const struct tsr_inflight *inst)
{
    uint32_t value = tsr_operand(env->isa, OP_SEMINIT, inst->word, OPERAND_init_value);
    uint32_t max = tsr_operand(env->isa, OP_SEMINIT, inst->word, OPERAND_max_value);
    if (value > max && tsr_report(env, FINDING_SEMAPHORE_INIT, inst, NULL,
                                  "SEMINIT sets a value of %u and a maximum of %u below it.",
                                  (unsigned)value, (unsigned)max) == TSR_HALT)
        return false;
    for (uint32_t left = tsr_arg(env, inst, OPERAND_sem_sel); left; left &= left - 1) {
        struct tsr_semaphore *semaphore = &env->state->sync.semaphore[__builtin_ctz(left)];
        semaphore->value = (uint8_t)value;
        semaphore->max = (uint8_t)max;
        semaphore->initialised = true;
        tsr_race_sync(env, TSR_RACE_INIT, (unsigned)__builtin_ctz(left), value, max);
        semaphore->last_init = tsr_origin_of(inst);
        semaphore->last_change = TSR_SEMAPHORE_INIT;
    }
    return true;
}

// ---------------------------------------------------------------- mutexes

// ATGETM waits at the gate until no other thread holds the mutex, ATRELM releases it. One
// instruction a mutex a cycle, and an index that the chip lacks waits for ever.

// A thread that was refused this mutex and still waits at the gate for it.
static bool waits_for(const struct tsr_env *env, unsigned thread, uint32_t index)
{
    const struct tsr_frontend *frontend = &env->state->frontend[thread];
    if (frontend->reason != TSR_REASON_MUTEX || frontend->before_gate.count == 0)
        return false;
    uint32_t word = tsr_fifo_front(&frontend->before_gate);
    return tsr_op_of(env->isa, word) == OP_ATGETM &&
           tsr_operand(env->isa, OP_ATGETM, word, OPERAND_mutex_index) == index;
}

// The first that waits in the order that begins after the last holder gets it (ATRELM.md).
static bool another_goes_first(const struct tsr_env *env, unsigned thread, uint32_t index)
{
    unsigned first = env->state->sync.mutex[index].preferred;
    for (unsigned i = 0; i < TSR_THREADS; i++) {
        unsigned other = (first + i) % TSR_THREADS;
        if (other == thread)
            return false;
        if (waits_for(env, other, index))
            return true;
    }
    return false;
}

static tsr_reason mutex_ready(const struct tsr_env *env, const struct tsr_inflight *inst)
{
    uint32_t index = tsr_arg(env, inst, OPERAND_mutex_index);
    if (index >= TSR_MUTEXES || !(env->chip->mutexes >> index & 1))
        return TSR_REASON_MUTEX;
    const struct tsr_mutex *mutex = &env->state->sync.mutex[index];
    if (inst->op == OP_ATGETM && mutex->held_by != inst->thread + 1u &&
        (mutex->held_by != 0 || another_goes_first(env, inst->thread, index)))
        return TSR_REASON_MUTEX;
    return env->state->now < mutex->next_access ? TSR_REASON_UNIT_FULL : TSR_REASON_NONE;
}

static bool acquire(struct tsr_env *env, const struct tsr_inflight *inst, struct tsr_mutex *mutex,
                    uint32_t index)
{
    if (mutex->held_by != 0) {
        char text[TSR_INSTRUCTION_TEXT];
        tsr_origin_text(env, mutex->acquired, text, sizeof text);
        return tsr_report(env, FINDING_MUTEX_HELD_ALREADY, inst, NULL,
                          "ATGETM of mutex %u, which this thread holds already since %s.",
                          (unsigned)index, text) != TSR_HALT;
    }
    mutex->held_by = (uint8_t)(inst->thread + 1);
    tsr_race_sync(env, TSR_RACE_MUTEX_GET, index, 0, 0);
    mutex->acquired = tsr_origin_of(inst);
    return true;
}

static bool release(struct tsr_env *env, const struct tsr_inflight *inst, struct tsr_mutex *mutex,
                    uint32_t index)
{
    if (mutex->held_by == inst->thread + 1u) {
        mutex->held_by = 0;
        tsr_race_sync(env, TSR_RACE_MUTEX_GIVE, index, 0, 0);
        mutex->preferred = (uint8_t)((inst->thread + 1) % TSR_THREADS);
        return true;
    }
    char text[TSR_INSTRUCTION_TEXT] = "nobody";
    if (mutex->held_by)
        tsr_origin_text(env, mutex->acquired, text, sizeof text);
    return tsr_report(env, FINDING_MUTEX_NOT_HELD, inst, NULL,
                      "ATRELM of mutex %u changes nothing: this thread does not hold it; its "
                      "holder is %s.",
                      (unsigned)index, text) != TSR_HALT;
}

static bool mutex_accept(struct tsr_env *env, const struct tsr_inflight *inst)
{
    uint32_t index = tsr_arg(env, inst, OPERAND_mutex_index);
    struct tsr_mutex *mutex = &env->state->sync.mutex[index];
    bool ok =
        inst->op == OP_ATGETM ? acquire(env, inst, mutex, index) : release(env, inst, mutex, index);
    if (ok && env->timing)
        mutex->next_access = env->state->now + env->isa->issue_cycles[inst->op];
    return ok;
}

// ---------------------------------------------------------------- the unit

static bool is_mutex(const struct tsr_inflight *inst)
{
    return inst->op == OP_ATGETM || inst->op == OP_ATRELM;
}

static tsr_reason sync_ready(struct tsr_env *env, const struct tsr_inflight *inst,
                             uint64_t *retry_at)
{
    (void)retry_at;
    if (is_mutex(inst))
        return mutex_ready(env, inst);
    return env->state->now < env->state->sync.next_write ? TSR_REASON_UNIT_FULL : TSR_REASON_NONE;
}

static bool perform(struct tsr_env *env, const struct tsr_inflight *inst)
{
    switch (inst->op) {
    case OP_STALLWAIT:
        return stall_wait(env, inst);
    case OP_SEMWAIT:
        return check_selection(env, inst) && sem_wait(env, inst);
    case OP_STREAMWAIT:
        return stream_wait(env, inst);
    case OP_SEMINIT:
        return check_selection(env, inst) && init_all(env, inst);
    case OP_SEMPOST:
    case OP_SEMGET:
        return check_selection(env, inst) && step_all(env, inst);
    default:
        return tsr_report_unimplemented(env, inst);
    }
}

static bool sync_accept(struct tsr_env *env, struct tsr_inflight *inst)
{
    if (is_mutex(inst))
        return mutex_accept(env, inst);
    if (!perform(env, inst))
        return false;
    if (env->races && env->state->sync.latch[inst->thread].latched)
        tsr_race_latched(env, inst);
    if (env->timing)
        env->state->sync.next_write = env->state->now + env->isa->issue_cycles[inst->op];
    return true;
}

static bool take_whole(struct tsr_env *env, struct tsr_inflight *inst)
{
    return inst->op == OP_STALLWAIT && sync_accept(env, inst);
}

// ---------------------------------------------------------------- small words

enum { SMALL_BLOCK, SMALL_CONDITIONS, SMALL_SEMAPHORES };

static bool run_wait(struct tsr_env *env, int thread, const struct tsr_small_word *small,
                     uint64_t sequence)
{
    const uint32_t *arg = small->arg;
    (void)sequence;
    latch_wait(env, (unsigned)thread, small->word, arg[SMALL_BLOCK], arg[SMALL_CONDITIONS], 0,
               false);
    return true;
}

static bool run_sem_wait(struct tsr_env *env, int thread, const struct tsr_small_word *small,
                         uint64_t sequence)
{
    const uint32_t *arg = small->arg;
    (void)sequence;
    latch_wait(env, (unsigned)thread, small->word, arg[SMALL_BLOCK], arg[SMALL_CONDITIONS],
               arg[SMALL_SEMAPHORES], true);
    return true;
}

static inline bool step_semaphore(struct tsr_env *env, int thread,
                                  const struct tsr_small_word *small, uint64_t sequence, bool post)
{
    const uint32_t chosen = small->arg[SMALL_SEMAPHORES];
    const struct tsr_origin origin = {.kind = TSR_ORIGIN_THREAD,
                                      .which = (uint8_t)thread,
                                      .word = small->word,
                                      .sequence = sequence};
    if (chosen == 0)
        return true;
    return tsr_semaphore_step(&env->state->sync.semaphore[__builtin_ctz(chosen)], post, origin);
}

static bool run_sem_post(struct tsr_env *env, int thread, const struct tsr_small_word *small,
                         uint64_t sequence)
{
    return step_semaphore(env, thread, small, sequence, true);
}

static bool run_sem_get(struct tsr_env *env, int thread, const struct tsr_small_word *small,
                        uint64_t sequence)
{
    return step_semaphore(env, thread, small, sequence, false);
}

// STALLWAIT, and what waits for or steps one semaphore at most.
static void decode_small(const struct tsr_env *env, enum tsr_op op, struct tsr_small_word *small)
{
    const struct tsr_isa *isa = env->isa;
    if (op == OP_STALLWAIT) {
        small->arg[SMALL_BLOCK] = tsr_operand(isa, op, small->word, OPERAND_stall_res);
        small->arg[SMALL_CONDITIONS] = stall_conditions(isa, small->word);
        small->run = run_wait;
        return;
    }
    if (op != OP_SEMWAIT && op != OP_SEMPOST && op != OP_SEMGET)
        return;
    uint32_t chosen = tsr_operand(isa, op, small->word, OPERAND_sem_sel);
    small->arg[SMALL_SEMAPHORES] = chosen;
    if ((chosen & (chosen - 1)) != 0)
        return;
    if (op != OP_SEMWAIT) {
        small->run = op == OP_SEMPOST ? run_sem_post : run_sem_get;
        return;
    }
    small->arg[SMALL_BLOCK] = tsr_operand(isa, op, small->word, OPERAND_stall_res);
    small->arg[SMALL_CONDITIONS] = tsr_operand(isa, op, small->word, OPERAND_wait_sem_cond);
    if (small->arg[SMALL_CONDITIONS] != 0)
        small->run = run_sem_wait;
}

const struct tsr_unit_ops tsr_sync_ops = {.ready = sync_ready,
                                          .accept = sync_accept,
                                          .take_whole = take_whole,
                                          .decode_small = decode_small};
