// SPDX-License-Identifier: Apache-2.0
// The sync unit: semaphores, and handing STALLWAIT and SEMWAIT to the thread's wait gate.
// Pages: SyncUnit.md, SEMINIT.md, SEMPOST.md, SEMGET.md, SEMWAIT.md, STALLWAIT.md.
#include "control/sync_unit.h"

#include "state/report.h"
#include "state/sync_rules.h"

static uint16_t block_or_default(const struct tsr_env *env, uint32_t block)
{
    return (uint16_t)(block ? block : env->isa->default_block);
}

static void latch(struct tsr_env *env, const struct tsr_flight *flight, bool on_semaphores,
                  uint32_t conditions, uint32_t block, uint32_t semaphores)
{
    struct tsr_gate_latch *gate = &env->state->sync.latch[flight->thread];
    *gate = (struct tsr_gate_latch){.latched = true,
                                    .on_semaphores = on_semaphores,
                                    .block = block_or_default(env, block),
                                    .conditions = (uint16_t)conditions,
                                    .semaphores = (uint8_t)semaphores,
                                    .word = flight->word,
                                    .since = env->state->now};
}

static void stall_wait(struct tsr_env *env, const struct tsr_flight *flight)
{
    uint32_t conditions = tsr_arg(env, flight, OPERAND_wait_res);
    if (conditions == 0)
        conditions = env->isa->default_conditions;
    latch(env, flight, false, conditions, tsr_arg(env, flight, OPERAND_stall_res), 0);
}

// With no condition the page says undefined; going on latches nothing, but a wait that is latched
// already gets the new block mask, as the page's model has it.
static bool sem_wait(struct tsr_env *env, const struct tsr_flight *flight)
{
    uint32_t conditions = tsr_arg(env, flight, OPERAND_wait_sem_cond);
    uint32_t block = tsr_arg(env, flight, OPERAND_stall_res);
    if (conditions == 0) {
        if (tsr_report(env, FINDING_SEMWAIT_NO_CONDITION, flight, NULL,
                       "SEMWAIT with wait_sem_cond=0 selects no condition.") == TSR_HALT)
            return false;
        env->state->sync.latch[flight->thread].block = block_or_default(env, block);
        return true;
    }
    latch(env, flight, true, conditions, block, tsr_arg(env, flight, OPERAND_sem_sel));
    return true;
}

static bool at_end(struct tsr_env *env, const struct tsr_flight *flight, unsigned index,
                   uint32_t other)
{
    bool post = flight->op == OP_SEMPOST;
    char text[TSR_INSTRUCTION_TEXT] = "none";
    if (other)
        tsr_disassemble(env->chip->arch, other, text, sizeof text);
    return tsr_report(env, post ? FINDING_SEMAPHORE_AT_MAXIMUM : FINDING_SEMAPHORE_AT_ZERO, flight,
                      NULL, "%s of semaphore %u, whose value is %u, changes nothing; the last %s "
                            "was %s.",
                      post ? "SEMPOST" : "SEMGET", index, post ? TSR_SEMAPHORE_LIMIT : 0,
                      post ? "SEMGET" : "SEMPOST", text) != TSR_HALT;
}

// What SEMPOST and SEMGET would leave as it is; said before anything changes.
static bool ends_pass(struct tsr_env *env, const struct tsr_flight *flight, uint32_t chosen)
{
    for (unsigned i = 0; i < TSR_SEMAPHORES && flight->op != OP_SEMINIT; i++) {
        const struct tsr_semaphore *semaphore = &env->state->sync.semaphore[i];
        bool post = flight->op == OP_SEMPOST;
        if ((chosen >> i & 1) && semaphore->value == (post ? TSR_SEMAPHORE_LIMIT : 0) &&
            !at_end(env, flight, i, post ? semaphore->last_get : semaphore->last_post))
            return false;
    }
    return true;
}

static bool change(struct tsr_env *env, const struct tsr_flight *flight)
{
    uint32_t chosen = tsr_arg(env, flight, OPERAND_sem_sel);
    if (!ends_pass(env, flight, chosen))
        return false;
    for (unsigned i = 0; i < TSR_SEMAPHORES; i++) {
        struct tsr_semaphore *semaphore = &env->state->sync.semaphore[i];
        if (!(chosen >> i & 1))
            continue;
        if (flight->op == OP_SEMINIT) {
            semaphore->value = (uint8_t)tsr_arg(env, flight, OPERAND_init_value);
            semaphore->max = (uint8_t)tsr_arg(env, flight, OPERAND_max_value);
        } else if (flight->op == OP_SEMPOST) {
            tsr_semaphore_post(semaphore, flight->word);
        } else {
            tsr_semaphore_get(semaphore, flight->word);
        }
    }
    return true;
}

static bool sync_accept(struct tsr_env *env, struct tsr_flight *flight)
{
    switch (flight->op) {
    case OP_STALLWAIT:
        stall_wait(env, flight);
        return true;
    case OP_SEMWAIT:
        return sem_wait(env, flight);
    case OP_SEMINIT:
    case OP_SEMPOST:
    case OP_SEMGET:
        return change(env, flight);
    default:
        return tsr_report(env, FINDING_UNIMPLEMENTED_INSTRUCTION, flight, NULL,
                          "%s is unimplemented.",
                          tsr_op_name((enum tsr_op)flight->op)) != TSR_HALT;
    }
}

const struct tsr_unit_ops tsr_sync_ops = {.accept = sync_accept};
