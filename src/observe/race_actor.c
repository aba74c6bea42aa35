// SPDX-License-Identifier: Apache-2.0
// Whose event it is that is told: a thread's, a unit's or a core's. Pages: STALLWAIT.md,
// BackendConfiguration.md ("RISCV writes to Config").
#include "observe/race_state.h"

#include <stdio.h>

uint32_t tsr_race_step(struct tsr_race_record *record)
{
    struct tsr_race_actor *actor = &record->actor;
    if (!actor->is_core)
        return (uint32_t)actor->sequence;
    uint32_t step = ++record->core_steps[actor->core];
    record->core_pc[actor->core][step % RACE_WORDS] =
        record->core_pc[actor->core][0]; // of the core's access
    actor->clock->at[RACE_CORE + actor->core] = step;
    return step;
}

// What an instruction does in its unit counts for that unit, but for what its thread alone works
// on. Addresses in the configuration are read when it is accepted (docs/errata.md, 510).
static unsigned agent_of(const struct tsr_race_record *record, enum tsr_race_storage storage,
                         bool write)
{
    const struct tsr_race_actor *actor = &record->actor;
    bool outside =
        storage == TSR_RACE_GPR || storage == TSR_RACE_CONFIG || storage == TSR_RACE_COUNTERS;
    bool late = write && (outside || storage == TSR_RACE_DST || storage == TSR_RACE_TDMA);
    // What the scalar unit loads comes back some time later, and so do results of Blackhole's
    // RDCFG, and words that the mover writes; all else that these units do holds the thread.
    bool gpr = storage == TSR_RACE_GPR, config = storage == TSR_RACE_CONFIG;
    bool loads = actor->executes &&
                 ((gpr && actor->unit == TSR_UNIT_SCALAR) ||
                  (gpr && actor->unit == TSR_UNIT_CONFIG && record->setup.config_goes_on) ||
                  (config && actor->unit == TSR_UNIT_MOVER));
    if (actor->is_core)
        return (late && record->setup.has_ports && actor->core < RACE_PORTS ? (unsigned)RACE_PORT
                                                                            : (unsigned)RACE_CORE) +
               actor->core;
    return actor->executes && (!outside || loads) ? tsr_race_unit_agent(actor->unit, actor->thread)
                                                  : RACE_THREAD + (unsigned)actor->thread;
}

struct tsr_race_entry tsr_race_entry_now(struct tsr_race_record *record,
                                         enum tsr_race_storage storage, bool write, uint32_t mask)
{
    const struct tsr_race_actor *actor = &record->actor;
    bool used = storage == TSR_RACE_CONFIG && !write && !actor->is_core;
    return (struct tsr_race_entry){.agent = (uint8_t)agent_of(record, storage, write),
                                   .until = (uint8_t)(used ? actor->unit + 1 : 0),
                                   .write = write,
                                   .mask = mask,
                                   .count = tsr_race_step(record)};
}

// ---------------------------------------------------------------- in words

const char *tsr_race_core_name(unsigned core)
{
    static const char *const names[RACE_PLACE_CORES] = {
        "core B", "core T0", "core T1", "core T2", "core NC", "nobody", "the host", "TDMA-RISC"};
    return names[core % RACE_PLACE_CORES];
}

void tsr_race_agent_text(const struct tsr_race_place *place, bool with_tile, char *text,
                         size_t size)
{
    char thread[24], tile[32] = "";
    snprintf(thread, sizeof thread, "thread %d", place->thread);
    if (with_tile)
        snprintf(tile, sizeof tile, " of tile %u-%u", place->x, place->y);
    snprintf(text, size, "%s%s",
             place->thread >= 0 ? thread : tsr_race_core_name((unsigned)place->core), tile);
}
