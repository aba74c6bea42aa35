// SPDX-License-Identifier: Apache-2.0
// XMOV and the commands of TDMA-RISC. A thread waits at its gate until the mover can start; then
// XMOV is done in a cycle and the mover goes on alone. TDMA-RISC works on its queue in order, a
// command a cycle (docs/errata.md). Pages: XMOV.md, Mover.md, TDMA-RISC.md, SoftReset.md.
#include "control/mover_unit.h"

#include "control/mover_work.h"
#include "state/busy.h"
#include "state/races.h"
#include "state/report.h"

// ---------------------------------------------------------------- XMOV

static tsr_reason mover_ready(struct tsr_env *env, const struct tsr_inflight *inst,
                              uint64_t *retry_at)
{
    (void)inst, (void)retry_at;
    return env->state->mover.busy ? TSR_REASON_UNIT_FULL : TSR_REASON_NONE;
}

static bool in_reset(const struct tsr_env *env)
{
    return env->state->debug.soft_reset & TSR_RESET_MOVER;
}

static bool mover_accept(struct tsr_env *env, struct tsr_inflight *inst)
{
    struct tsr_mover_move *move = (struct tsr_mover_move *)inst->job;
    static const enum tsr_field used[] = {
        FIELD_THCON_SEC0_REG6_Destination_address, FIELD_THCON_SEC0_REG6_Source_address,
        FIELD_THCON_SEC0_REG6_Buffer_size, FIELD_THCON_SEC0_REG6_Transfer_direction};
    int state_id = tsr_state_id(env, inst->thread);
    for (unsigned i = 0; i < sizeof used / sizeof used[0]; i++)
        tsr_race_config_taken(env, state_id, used[i]);
    *move = (struct tsr_mover_move){
        .target = tsr_cfg(env, state_id, FIELD_THCON_SEC0_REG6_Destination_address) << 4,
        .source = tsr_cfg(env, state_id, FIELD_THCON_SEC0_REG6_Source_address) << 4,
        .bytes = (tsr_cfg(env, state_id, FIELD_THCON_SEC0_REG6_Buffer_size) & 0xffff) << 4,
        .way = (uint8_t)tsr_cfg(env, state_id, FIELD_THCON_SEC0_REG6_Transfer_direction),
        .discarded = in_reset(env)};
    uint32_t block = tsr_arg(env, inst, OPERAND_Mov_block_selection);
    uint32_t last = tsr_arg(env, inst, OPERAND_Last);
    return (block | last) == 0 ||
           tsr_report(env, FINDING_UNDOCUMENTED_MODE, inst, NULL,
                      "XMOV with Mov_block_selection=%u Last=%u, for which the page has zeroes.",
                      (unsigned)block, (unsigned)last) != TSR_HALT;
}

static tsr_reason mover_execute(struct tsr_env *env, struct tsr_inflight *inst)
{
    const struct tsr_mover_move *move = (const struct tsr_mover_move *)inst->job;
    struct tsr_mover_client client = {.inst = inst};
    if (!move->discarded)
        tsr_mover_run(env, &client, move);
    return TSR_REASON_NONE;
}

_Static_assert(sizeof(struct tsr_mover_move) <= TSR_JOB_BYTES, "a job fits its instruction");

const struct tsr_unit_ops tsr_mover_ops = {
    .ready = mover_ready, .accept = mover_accept, .execute = mover_execute};

// ---------------------------------------------------------------- TDMA-RISC

enum command { COMMAND_MOVE = 0x40, COMMAND_WAIT = 0x46, COMMAND_WRITE = 0x66, COMMAND_NOP = 0x89 };

static bool compact(const struct tsr_tdma_command *command)
{
    return command->word >> 31;
}

static bool run_move(struct tsr_env *env, const struct tsr_tdma_command *command)
{
    struct tsr_mover_client client = {.core = command->core};
    uint32_t word = command->word;
    // The base of the core that queued the command; NC and instructions use core T0's.
    unsigned base = command->core <= TSR_CORE_T2 ? command->core : TSR_CORE_T0;
    struct tsr_mover_move move;
    if (compact(command)) {
        tsr_race_access(env, TSR_RACE_TDMA, false, TSR_RACE_TDMA_BASES + base, 1, TSR_RACE_ALL);
        move = (struct tsr_mover_move){
            .source = (env->state->tdma.move_base[base] + (word >> 8 & 0xff)) << 4,
            .target = (word >> 16 & 0xff) << 4,
            .bytes = (word >> 24 & 0x3f) << 4,
            .way = word >> 30 & 1 ? TSR_MOVER_L1_TO_L1 : TSR_MOVER_L1_TO_OUTSIDE};
    } else {
        move = (struct tsr_mover_move){.source = command->parameter[0] << 4,
                                       .target = command->parameter[1] << 4,
                                       .bytes = (command->parameter[2] & 0xffff) << 4,
                                       .way = command->parameter[3] & 3};
    }
    return in_reset(env) || tsr_mover_run(env, &client, &move);
}

static bool refuse_command(struct tsr_env *env, const struct tsr_tdma_command *command)
{
    return tsr_report_core(env, FINDING_TDMA_COMMAND, command->core,
                           "TDMA-RISC takes command 0x%08x out of its queue, which means nothing "
                           "to it; it is left out.",
                           (unsigned)command->word) != TSR_HALT;
}

// 32 or 64 bits to L1; the second word of the four is not used.
static bool run_write(struct tsr_env *env, const struct tsr_tdma_command *command)
{
    struct tsr_l1 *l1 = &env->state->l1;
    uint32_t address = command->parameter[0];
    unsigned size = command->word & 0x100 ? 8 : 4;
    bool tainted = false;
    if (compact(command) || (command->word & 0x600) != 0x600)
        return refuse_command(env, command);
    if (!tsr_l1_holds(l1, address, size))
        return tsr_report_core(env, FINDING_L1_OUT_OF_RANGE, command->core,
                               "TDMA-RISC writes %u bytes at 0x%x, behind L1's %u bytes.", size,
                               (unsigned)address, (unsigned)l1->size) != TSR_HALT;
    if (address % size != 0) {
        if (tsr_report_core(env, FINDING_TDMA_COMMAND, command->core,
                            "TDMA-RISC writes %u bytes at 0x%05x, which is not aligned.", size,
                            (unsigned)address) == TSR_HALT)
            return false;
        address &= ~(size - 1u);
        tainted = true;
    }
    uint8_t bytes[8];
    for (unsigned i = 0; i < size; i++)
        bytes[i] = (uint8_t)(command->parameter[2 + i / 4] >> (i % 4 * 8));
    tsr_race_l1(env, true, address, size);
    tsr_l1_put(l1, address, bytes, size, tainted);
    return true;
}

// False: it must wait, or stopped the tile.
static bool run_command(struct tsr_env *env, const struct tsr_tdma_command *command)
{
    switch (command->word & 0xff) {
    case COMMAND_MOVE:
        return !tsr_mover_busy(env) && run_move(env, command);
    case COMMAND_WAIT:
        return !tsr_mover_busy(env);
    case COMMAND_WRITE:
        return run_write(env, command);
    case COMMAND_NOP:
        return true;
    default:
        return refuse_command(env, command);
    }
}

bool tsr_tdma_step(struct tsr_env *env)
{
    struct tsr_tdma *tdma = &env->state->tdma;
    if (tdma->count == 0 || env->state->now < tdma->next_command)
        return false;
    const struct tsr_tdma_command *command = &tdma->queue[tdma->first];
    // What it does is its own, after what the core knew that queued the command.
    if (env->races) {
        env->races->ops->core(env->races, TSR_RACE_AGENT_TDMA, 0, false);
        if (!command->taken)
            tsr_race_sync(env, TSR_RACE_RECEIVE, TSR_RACE_COMMANDS, 0, 0);
        tdma->queue[tdma->first].taken = true;
    }
    bool ran = run_command(env, command);
    if (env->races)
        tsr_race_done(env, true);
    if (!ran)
        return false;
    if (!compact(command))
        tdma->credits_used--;
    tdma->first = (uint8_t)((tdma->first + 1) % TSR_TDMA_QUEUE_MAX);
    tdma->count--;
    tdma->next_command =
        env->state->now + (env->timing ? env->isa->rate[RATE_TDMA_COMMAND_CYCLES] : 0);
    return true;
}
