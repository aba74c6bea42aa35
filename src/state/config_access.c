// SPDX-License-Identifier: Apache-2.0
// The one way to write configuration: written bits, generations of plan groups, and the effects
// that the page lists for some words; and where each word is in the window. Loads of Blackhole's
// dual-write copy return bank 0. Page: BackendConfiguration.md of each chip.
#include "state/config_access.h"

#include "base/findings.h"
#include "state/config_watch.h"
#include "state/races.h"

#include <string.h>

void tsr_plan_masks_fill(struct tsr_plan_masks *masks, const struct tsr_isa *isa)
{
    memset(masks, 0, sizeof *masks);
    for (int field = 0; field < FIELD_COUNT; field++) {
        const struct tsr_field_place *place = &isa->field[field];
        unsigned words = (place->width + 31u) / 32u;
        for (unsigned i = 0; i < words; i++) {
            uint32_t mask = tsr_mask32(place->width - 32 * i) << place->first_bit;
            uint32_t(*group)[PLAN_COUNT] =
                place->scope == TSR_SCOPE_THREAD ? masks->thread : masks->bank;
            group[place->addr32 + i][place->group] |= mask;
            uint32_t *any = place->scope == TSR_SCOPE_THREAD ? masks->thread_any : masks->bank_any;
            any[place->addr32 + i] |= place->group == PLAN_NONE ? 0 : mask;
        }
    }
}

// Only a bit that changes its value makes a plan stale.
static void bump(struct tsr_config *config, uint32_t generation[PLAN_COUNT],
                 const uint32_t masks[PLAN_COUNT], uint32_t changed)
{
    config->stale++;
    for (int group = PLAN_NONE + 1; group < PLAN_COUNT; group++)
        if (changed & masks[group])
            generation[group]++;
}

static void write_bank(struct tsr_env *env, int state_id, unsigned addr32, uint32_t value,
                       uint32_t mask)
{
    struct tsr_config *config = &env->state->config;
    const struct tsr_layout *layout = &env->isa->layout;
    if ((env->state->debug.soft_reset & TSR_RESET_THCON) && addr32 >= layout->thcon_base &&
        addr32 < layout->global_base)
        return; // SoftReset.md: discarded while THCON is held
    uint32_t old = config->bank[state_id][addr32];
    uint32_t fresh = (old & ~mask) | (value & mask);
    if (env->races && fresh != old)
        tsr_race_config_changes(env, false, state_id, addr32, fresh ^ old);
    if (env->watch) {
        if (fresh != old && !tsr_config_watch_before(env, false, state_id, addr32, fresh ^ old))
            return;
        tsr_config_watch_note(env, false, state_id, addr32, mask);
    }
    if (mask & ~config->bank_written[state_id][addr32])
        config->changes++;
    config->bank[state_id][addr32] = fresh;
    config->bank_written[state_id][addr32] |= mask;
    if (fresh == old)
        return;
    config->changes++;
    if ((fresh ^ old) & env->plan_masks->bank_any[addr32])
        bump(config, config->bank_generation[state_id], env->plan_masks->bank[addr32], fresh ^ old);
}

// Seeding the PRNGs and invalidating instruction caches happen when the word is written; the record
// is for those who model them.
static void note_effects(struct tsr_env *env, int state_id, unsigned addr32, uint32_t mask)
{
    struct tsr_config *config = &env->state->config;
    uint32_t value = config->bank[state_id][addr32];
    if (addr32 == env->isa->field[FIELD_PRNG_SEED_Seed_Val].addr32) {
        config->prng_seed = value;
        config->prng_seedings++;
        tsr_packers_seed(&env->state->packers, value);
        tsr_vector_seed(&env->state->vector, value);
    } else if (addr32 == env->isa->field[FIELD_RISCV_IC_INVALIDATE_InvalidateAll].addr32) {
        uint32_t cores =
            tsr_config_get(config, env->isa, state_id, FIELD_RISCV_IC_INVALIDATE_InvalidateAll) &
            mask;
        config->icache_invalid |= (uint8_t)cores;
        for (unsigned core = 0; core < TSR_CORE_COUNT; core++)
            if (cores >> core & 1)
                tsr_hart_invalidate_icache(&env->state->cores.hart[core]);
    }
}

// A whole-word write to STATE_RESET_EN, whatever the value, zeroes the bank, that word with it;
// RMWCIB, which reaches a byte, does not.
static void write_any(struct tsr_env *env, int state_id, unsigned addr32, uint32_t value,
                      uint32_t mask)
{
    if (mask == 0xffffffffu && addr32 == env->isa->field[FIELD_STATE_RESET_EN].addr32)
        for (unsigned word = 0; word < env->isa->layout.global_base; word++)
            write_bank(env, state_id, word, 0, 0xffffffffu);
    else if (addr32 >= env->isa->layout.global_base) {
        write_bank(env, 0, addr32, value, mask);
        write_bank(env, 1, addr32, value, mask);
        if (!env->findings->stopped)
            note_effects(env, state_id, addr32, mask);
    } else {
        write_bank(env, state_id, addr32, value, mask);
    }
}

// Kernels write addresses for every tile: a word of a bank that is in no plan group, or stays as
// it is, and that nobody watches.
void tsr_config_write(struct tsr_env *env, int state_id, unsigned addr32, uint32_t value,
                      uint32_t mask)
{
    struct tsr_config *config = &env->state->config;
    const struct tsr_layout *layout = &env->isa->layout;
    uint32_t *word = &config->bank[state_id][addr32];
    uint32_t *written = &config->bank_written[state_id][addr32];
    uint32_t fresh = (*word & ~mask) | (value & mask), changed = fresh ^ *word;
    if (env->watch || env->races || (env->state->debug.soft_reset & TSR_RESET_THCON) ||
        addr32 >= layout->global_base || (mask & ~*written) ||
        (changed & env->plan_masks->bank_any[addr32]) ||
        addr32 == env->isa->field[FIELD_STATE_RESET_EN].addr32) {
        write_any(env, state_id, addr32, value, mask);
        return;
    }
    *word = fresh;
    config->changes += changed != 0;
}

void tsr_thread_config_write(struct tsr_env *env, int thread, unsigned addr32, uint16_t value)
{
    struct tsr_config *config = &env->state->config;
    uint16_t old = config->thread[thread][addr32];
    if (env->races && old != value)
        tsr_race_config_changes(env, true, thread, addr32, (uint32_t)(old ^ value));
    if (env->watch) {
        uint32_t changed = (uint32_t)(old ^ value);
        if (changed && !tsr_config_watch_before(env, true, thread, addr32, changed))
            return;
        tsr_config_watch_note(env, true, thread, addr32, 0xffff);
    }
    config->thread[thread][addr32] = value;
    config->thread_written[thread][addr32] = 0xffff;
    if (old != value) {
        config->changes++;
        if ((uint32_t)(old ^ value) & env->plan_masks->thread_any[addr32])
            bump(config, config->thread_generation[thread], env->plan_masks->thread[addr32],
                 (uint32_t)(old ^ value));
    }
    // Whatever the value, a write resets that thread's context counter (the page's list of
    // immediate effects).
    static const enum tsr_field reset[2] = {FIELD_UNPACK_MISC_CFG_CfgContextCntReset_0,
                                            FIELD_UNPACK_MISC_CFG_CfgContextCntReset_1};
    for (int unpacker = 0; unpacker < 2; unpacker++) {
        const struct tsr_field_place *place = &env->isa->field[reset[unpacker]];
        if (place->addr32 == addr32 && place->width != 0)
            env->state->unpacker[unpacker].context_counter[thread] = 0;
    }
}

// ---------------------------------------------------------------- the window

static unsigned copies(const struct tsr_env *env)
{
    return env->chip->dual_write_window ? 3 : 2;
}

bool tsr_config_window_read(const struct tsr_env *env, uint32_t offset, uint32_t *value)
{
    const struct tsr_layout *layout = &env->isa->layout;
    const struct tsr_config *config = &env->state->config;
    unsigned word = offset / 4, banked = copies(env) * layout->banked_words;
    if (word < banked) {
        unsigned copy = word / layout->banked_words;
        int bank = copy == 2 ? 0 : (int)copy;
        *value = config->bank[bank][word % layout->banked_words];
        tsr_race_config_read(env, false, bank, word % layout->banked_words, 0xffffffffu);
        return true;
    }
    uint32_t thread_offset = offset - banked * 4u;
    unsigned index = thread_offset / layout->thread_stride;
    if (index >= TSR_THREADS * layout->thread_words)
        return false;
    unsigned thread = index / layout->thread_words, addr32 = index % layout->thread_words;
    *value = thread_offset % layout->thread_stride ? 0 : config->thread[thread][addr32];
    tsr_race_config_read(env, true, (int)thread, addr32, 0xffffffffu);
    return true;
}

bool tsr_config_window_write(struct tsr_env *env, uint32_t offset, uint32_t value)
{
    const struct tsr_layout *layout = &env->isa->layout;
    unsigned word = offset / 4;
    unsigned copy = word / layout->banked_words, addr32 = word % layout->banked_words;
    if (copy >= copies(env))
        return false;
    for (unsigned state_id = 0; state_id < 2; state_id++)
        if (copy == state_id || copy == 2)
            tsr_config_write(env, (int)state_id, addr32, value, 0xffffffffu);
    return true;
}
