// SPDX-License-Identifier: Apache-2.0
// What a plan was made from, and whether that still stands: one helper for the plans of all units.
// A plan depends on plan groups of the bank that its thread selects and of the thread's own words
// (machine/config_fields.def names each field's group); each group has a generation, which a write
// raises that changes a bit of it (state/config_access.c). Page: BackendConfiguration.md of each
// chip.
#ifndef TESSERA_STATE_PLAN_KEY_H
#define TESSERA_STATE_PLAN_KEY_H

#include "state/config.h"

enum { TSR_PLAN_GROUPS_MOST = 2 };

// The groups that a plan depends on; PLAN_NONE, whose generation never moves, fills what is left.
struct tsr_plan_groups {
    uint8_t state_id, thread;
    uint8_t bank[TSR_PLAN_GROUPS_MOST], own[TSR_PLAN_GROUPS_MOST]; // enum tsr_plan_group
};

struct tsr_plan_key {
    bool made;
    uint8_t state_id, thread;
    uint32_t bank[TSR_PLAN_GROUPS_MOST], own[TSR_PLAN_GROUPS_MOST]; // generations
    uint64_t changes; // tsr_config.changes when the plan was last compared with the configuration
    uint64_t stale;   // tsr_config.stale then
};

// The plan was compared with the configuration, and stands.
static inline void tsr_plan_key_note(struct tsr_plan_key *key, const struct tsr_config *config)
{
    key->changes = config->changes;
    key->stale = config->stale;
}

// After the plan was made.
static inline void tsr_plan_key_set(struct tsr_plan_key *key, const struct tsr_config *config,
                                    struct tsr_plan_groups from)
{
    key->made = true;
    key->state_id = from.state_id;
    key->thread = from.thread;
    for (int i = 0; i < TSR_PLAN_GROUPS_MOST; i++) {
        key->bank[i] = config->bank_generation[from.state_id][from.bank[i]];
        key->own[i] = config->thread_generation[from.thread][from.own[i]];
    }
    tsr_plan_key_note(key, config);
}

// No configuration word has changed since the last comparison: the plan and all that was read
// beside it stand, if the thread still selects the same bank.
static inline bool tsr_plan_key_unchanged(const struct tsr_plan_key *key,
                                          const struct tsr_config *config)
{
    return key->made && key->changes == config->changes;
}

// No field of the plan's groups has changed: the plan stands. Words outside the groups may differ.
static inline bool tsr_plan_key_holds(const struct tsr_plan_key *key,
                                      const struct tsr_config *config, struct tsr_plan_groups from)
{
    bool same = key->made && key->state_id == from.state_id;
    if (key->stale == config->stale && key->thread == from.thread)
        return same; // only words outside all groups were written
    for (int i = 0; i < TSR_PLAN_GROUPS_MOST; i++)
        same = same && key->bank[i] == config->bank_generation[from.state_id][from.bank[i]] &&
               key->own[i] == config->thread_generation[from.thread][from.own[i]];
    return same;
}

#endif
