// SPDX-License-Identifier: Apache-2.0
// The fast path of a core's store to configuration or to a semaphore; kernels make several for
// every tile. With timing off, and where nobody observes and nothing has to be reported, only the
// effect of the store is needed: no word of a FIFO moves for it and no other core has to be asked.
// In all other cases the address map does it.
// Pages: BackendConfiguration.md, SyncUnit.md, BabyRISCV/AutoTTSync.md.
#include "tile/core_stores.h"

#include "state/config_access.h"
#include "state/semaphores.h"

// With Auto TTSync a T core's store may have to wait for instructions of its thread.
static bool may_wait(const struct tsr_env *env, int core)
{
    const enum tsr_field tracks = FIELD_TENSIX_TRISC_SYNC_TrackTensixInstructions;
    return tsr_is_t_core(core) && env->isa->field[tracks].width != 0 &&
           tsr_thread_cfg(env, core - TSR_CORE_T0, tracks) != 0;
}

static bool store_semaphore(struct tsr_env *env, int core, uint32_t offset, uint32_t value)
{
    bool post = !(value & 1);
    return tsr_semaphore_step(&env->state->sync.semaphore[offset / 4], post,
                              tsr_origin_of_core(core));
}

static bool store_config(struct tsr_env *env, int core, uint32_t offset, uint32_t value)
{
    const struct tsr_inflight *acting = env->acting;
    env->acting = NULL; // it belongs to no instruction
    env->acting_core = (uint8_t)core;
    bool there = tsr_config_window_write(env, offset, value);
    env->acting = acting;
    return there;
}

bool tsr_core_store_at_once(struct tsr_tile *tile, int core, uint32_t address, uint32_t value)
{
    struct tsr_env *env = &tile->engine.env;
    const struct tsr_region *config = &env->isa->region[REGION_CONFIG];
    const struct tsr_region *semaphores = &env->isa->region[REGION_SEMAPHORES];
    if (env->timing || env->races || env->watch || env->findings->stopped || address % 4 != 0 ||
        may_wait(env, core))
        return false;
    if (address - config->base < config->size && (config->cores >> core & 1))
        return store_config(env, core, address - config->base, value);
    return address - semaphores->base < 4 * TSR_SEMAPHORES && (semaphores->cores >> core & 1) &&
           store_semaphore(env, core, address - semaphores->base, value);
}

void tsr_core_note_post(struct tsr_tile *tile, int core, uint32_t address, uint32_t value)
{
    const struct tsr_env *env = &tile->engine.env;
    if (!env->timing && !(value & 1) &&
        address - env->isa->region[REGION_SEMAPHORES].base < 4 * TSR_SEMAPHORES)
        env->state->cores.posted |= (uint8_t)(1u << core);
}

bool tsr_core_store_overtakes(const struct tsr_tile *tile, int core, uint32_t address,
                              uint32_t value)
{
    const struct tsr_env *env = &tile->engine.env;
    const struct tsr_region *region = &env->isa->region[REGION_CONFIG];
    const unsigned banked = env->isa->layout.banked_words;
    const unsigned word = (address - region->base) / 4,
                   copies = env->chip->dual_write_window ? 3 : 2;
    if (!(env->state->cores.posted >> core & 1) || address < region->base ||
        tile->engine.schedule.kind != TSR_SCHEDULE_CARD || word >= copies * banked ||
        !(region->cores >> core & 1))
        return false;
    const uint32_t(*bank)[TSR_CONFIG_WORDS] = env->state->config.bank;
    const uint32_t now = bank[word / banked == 1][word % banked];
    return ((now ^ value) & env->plan_masks->bank_any[word % banked]) != 0;
}
