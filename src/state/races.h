// SPDX-License-Identifier: Apache-2.0
// How whoever accesses the tile's storages tells those who look for races (base/race_events.h);
// without them (env->races is NULL) each of these is one test.
#ifndef TESSERA_STATE_RACES_H
#define TESSERA_STATE_RACES_H

#include "base/race_events.h"
#include "state/state.h"

static inline void tsr_race_access(const struct tsr_env *env, enum tsr_race_storage storage,
                                   bool write, uint32_t first, uint32_t count, uint32_t mask)
{
    if (TSR_RARELY(env->races && count > 0))
        env->races->ops->access(env->races,
                                &(const struct tsr_race_access){.storage = (uint8_t)storage,
                                                                .write = write,
                                                                .mask = mask,
                                                                .first = first,
                                                                .count = count});
}

static inline void tsr_race_sync(const struct tsr_env *env, enum tsr_race_sync sync, unsigned which,
                                 unsigned value, unsigned most)
{
    if (TSR_RARELY(env->races))
        env->races->ops->sync(env->races, sync, which, value, most);
}

// Bytes of L1.
void tsr_race_l1_bytes(const struct tsr_env *env, bool write, uint32_t address, size_t size);
static inline void tsr_race_l1(const struct tsr_env *env, bool write, uint32_t address, size_t size)
{
    if (TSR_RARELY(env->races))
        tsr_race_l1_bytes(env, write, address, size);
}

// Bytes of a line of L1, a bit each, that an atomic of the scalar unit changes.
static inline void tsr_race_atomic(const struct tsr_env *env, uint32_t address, uint32_t mask)
{
    if (TSR_RARELY(env->races))
        env->races->ops->access(
            env->races, &(const struct tsr_race_access){.storage = TSR_RACE_L1,
                                                        .write = true,
                                                        .atomic = true,
                                                        .mask = mask << address % TSR_L1_GRANULE,
                                                        .first = address / TSR_L1_GRANULE,
                                                        .count = 1});
}

// Counters of ADCs: a bit for each of 4 * channel + dimension.
static inline void tsr_race_counters(const struct tsr_env *env, bool write, unsigned thread,
                                     unsigned agent, uint32_t mask)
{
    if (mask)
        tsr_race_access(env, TSR_RACE_COUNTERS, write, 4 * thread + agent, 1, mask);
}

// Rows of Dst as an instruction names them.
void tsr_race_dst_rows(const struct tsr_env *env, bool write, unsigned order, unsigned row,
                       unsigned rows, bool wide);

// An instruction on its way to its stages.
void tsr_race_accepts(const struct tsr_env *env, const struct tsr_inflight *inst, uint64_t tag);
void tsr_race_executes(const struct tsr_env *env, const struct tsr_inflight *inst);
// The marks of rows are seen here for the last time, unless somebody watches writers, too.
void tsr_race_done(const struct tsr_env *env, bool executed);
void tsr_race_latched(const struct tsr_env *env, const struct tsr_inflight *inst);
void tsr_race_released(const struct tsr_env *env, int thread, const struct tsr_gate_latch *latch);

// Before a configuration word changes.
void tsr_race_config_changes(const struct tsr_env *env, bool thread_scope, int instance,
                             unsigned addr32, uint32_t changed);
// An instruction that is accepted uses an address or the like until it completes; of a bank, or, if
// the field is one of the threads, of its thread.
void tsr_race_config_field(const struct tsr_env *env, int instance, enum tsr_field field);
// It has taken the field when it is accepted, as its page says.
void tsr_race_config_taken(const struct tsr_env *env, int instance, enum tsr_field field);
// It takes these bits of a word when it is accepted, as a value.
static inline void tsr_race_config_read(const struct tsr_env *env, bool thread_scope, int instance,
                                        unsigned addr32, uint32_t mask)
{
    if (TSR_RARELY(env->races))
        env->races->ops->access(env->races,
                                &(const struct tsr_race_access){
                                    .storage = TSR_RACE_CONFIG,
                                    .taken = true,
                                    .value = true,
                                    .mask = mask,
                                    .first = tsr_race_config_cell(thread_scope, instance, addr32),
                                    .count = 1});
}
// It uses all that its unit reads (an enum tsr_config_reader).
static inline void tsr_race_config_used(const struct tsr_env *env, unsigned reader, int state_id,
                                        unsigned context)
{
    if (TSR_RARELY(env->races))
        env->races->ops->config_used(env->races, reader, (unsigned)state_id, context);
}

#endif
