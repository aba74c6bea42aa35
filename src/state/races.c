// SPDX-License-Identifier: Apache-2.0
// What is told about instructions, rows, bytes and configuration; see races.h.
// Pages: Dst.md, L1.md, SrcASrcB.md, BackendConfiguration.md of each chip.
#include "state/races.h"

#include "state/row_writers.h"

_Static_assert((int)TSR_RACE_GRANULE == (int)TSR_L1_GRANULE, "a bit for each byte of a granule");

// ---------------------------------------------------------------- storages

void tsr_race_l1_bytes(const struct tsr_env *env, bool write, uint32_t address, size_t size)
{
    const struct tsr_l1 *l1 = &env->state->l1;
    if (address >= l1->size)
        return;
    size = size < l1->size - address ? size : l1->size - address;
    while (size > 0) {
        unsigned first = address % TSR_L1_GRANULE;
        size_t part = TSR_L1_GRANULE - first;
        if (first == 0 && size >= TSR_L1_GRANULE) {
            part = size / TSR_L1_GRANULE * TSR_L1_GRANULE;
            tsr_race_access(env, TSR_RACE_L1, write, address / TSR_L1_GRANULE,
                            (uint32_t)(part / TSR_L1_GRANULE), TSR_RACE_ALL);
        } else {
            part = part < size ? part : size;
            tsr_race_access(env, TSR_RACE_L1, write, address / TSR_L1_GRANULE, 1,
                            (uint16_t)(((1u << part) - 1u) << first));
        }
        address += (uint32_t)part;
        size -= part;
    }
}

void tsr_race_dst_rows(const struct tsr_env *env, bool write, unsigned order, unsigned row,
                       unsigned rows, bool wide)
{
    for (unsigned run; env->races && rows > 0; row += run, rows -= run) {
        unsigned physical = tsr_dst_place(order, row, wide);
        run = tsr_dst_run(order, row, wide);
        run = run < rows ? run : rows;
        tsr_race_access(env, TSR_RACE_DST, write, physical, run, TSR_RACE_ALL);
        if (wide)
            tsr_race_access(env, TSR_RACE_DST, write, physical + TSR_DST_LOW, run, TSR_RACE_ALL);
    }
}

// All rows of Dst and banks of Src that are marked as written (row_writers.h).
static void tell_marked(const struct tsr_env *env)
{
    const struct tsr_dst *dst = &env->state->dst;
    for (unsigned i = 0; i < TSR_DST_ROWS / 64; i++)
        for (uint64_t left = dst->marks[i]; left != 0; left &= left - 1)
            tsr_race_access(env, TSR_RACE_DST, true, 64 * i + (unsigned)__builtin_ctzll(left), 1,
                            TSR_RACE_ALL);
    for (unsigned side = 0; side < 2; side++)
        for (unsigned bank = 0; bank < 2; bank++)
            if (env->state->src[side].bank[bank].marks)
                tsr_race_access(env, TSR_RACE_SRC, true, 2 * side + bank, 1, TSR_RACE_ALL);
}

// ---------------------------------------------------------------- instructions

static struct tsr_race_inst told(const struct tsr_inflight *inst)
{
    return (struct tsr_race_inst){.word = inst->word,
                                  .op = inst->op,
                                  .thread = inst->thread,
                                  .unit = inst->unit,
                                  .sequence = inst->sequence};
}

void tsr_race_accepts(const struct tsr_env *env, const struct tsr_inflight *inst, uint64_t tag)
{
    struct tsr_race_inst event = told(inst);
    event.pc = tsr_tag_pc(tag);
    event.push = (uint32_t)(tag >> 32);
    env->races->ops->accepts(env->races, &event);
}

void tsr_race_executes(const struct tsr_env *env, const struct tsr_inflight *inst)
{
    struct tsr_race_inst event = told(inst);
    env->races->ops->executes(env->races, &event);
}

void tsr_race_done(const struct tsr_env *env, bool executed)
{
    tell_marked(env);
    env->races->ops->done(env->races, executed);
    if (!env->watch)
        tsr_rows_forget(env->state);
}

void tsr_race_latched(const struct tsr_env *env, const struct tsr_inflight *inst)
{
    struct tsr_race_inst event = told(inst);
    const struct tsr_gate_latch *latch = &env->state->sync.latch[inst->thread];
    env->races->ops->latched(env->races, &event, latch->on_semaphores, latch->block);
}

// How long the wait has kept its thread from going on.
static uint64_t held_for(const struct tsr_env *env, int thread, const struct tsr_gate_latch *latch)
{
    const struct tsr_frontend *frontend = &env->state->frontend[thread];
    uint64_t since = frontend->waits_since > latch->since ? frontend->waits_since : latch->since;
    bool holds = frontend->reason == TSR_REASON_STALLWAIT || frontend->reason == TSR_REASON_SEMWAIT;
    return holds ? env->state->now - since : 0;
}

static uint32_t stream_of(const struct tsr_env *env, int thread, const struct tsr_gate_latch *latch)
{
    return tsr_thread_cfg(env, thread, tsr_stream_selected(latch->select));
}

void tsr_race_released(const struct tsr_env *env, int thread, const struct tsr_gate_latch *latch)
{
    const struct tsr_src *src = env->state->src;
    const struct tsr_race_wait wait = {
        .thread = (uint8_t)thread,
        .on_semaphores = latch->on_semaphores,
        .conditions = latch->conditions,
        .semaphores = latch->semaphores,
        .stream = (uint8_t)(latch->on_stream ? stream_of(env, thread, latch) + 1 : 0),
        .cycles = held_for(env, thread, latch),
        .matrix_bank = {src[0].matrix_bank, src[1].matrix_bank},
        .unpacker_bank = {src[0].unpacker_bank, src[1].unpacker_bank}};
    env->races->ops->released(env->races, &wait);
}

// ---------------------------------------------------------------- configuration

void tsr_race_config_changes(const struct tsr_env *env, bool thread_scope, int instance,
                             unsigned addr32, uint32_t changed)
{
    env->races->ops->config_changes(env->races,
                                    tsr_race_config_cell(thread_scope, instance, addr32), changed);
}

static void tell_field(const struct tsr_env *env, int instance, enum tsr_field field, bool taken)
{
    const struct tsr_field_place *place = &env->isa->field[field];
    if (!env->races || place->width == 0)
        return;
    env->races->ops->access(env->races,
                            &(const struct tsr_race_access){
                                .storage = TSR_RACE_CONFIG,
                                .taken = taken,
                                .mask = tsr_mask32(place->width) << place->first_bit,
                                .first = tsr_race_config_cell(place->scope == TSR_SCOPE_THREAD,
                                                              instance, place->addr32),
                                .count = 1});
}

void tsr_race_config_field(const struct tsr_env *env, int instance, enum tsr_field field)
{
    tell_field(env, instance, field, false);
}

void tsr_race_config_taken(const struct tsr_env *env, int instance, enum tsr_field field)
{
    tell_field(env, instance, field, true);
}
