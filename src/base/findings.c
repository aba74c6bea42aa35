// SPDX-License-Identifier: Apache-2.0
// The list of findings and the policy over it (docs/architecture.md, findings).
#include "base/findings.h"

#include <string.h>

// Which categories stop under each profile; the others are recorded.
static const uint8_t stops[3][TSR_CATEGORY_COUNT] = {
    [TSR_PROFILE_STRICT] = {[TSR_UNDEFINED_BEHAVIOUR] = 1,
                            [TSR_UNPREDICTABLE_VALUE] = 1,
                            [TSR_UNIMPLEMENTED_FEATURE] = 1,
                            [TSR_BAD_INPUT] = 1,
                            [TSR_DEADLOCK] = 1},
    [TSR_PROFILE_SILICON] = {[TSR_UNIMPLEMENTED_FEATURE] = 1, [TSR_BAD_INPUT] = 1},
    [TSR_PROFILE_CONFORMANCE] =
        {[TSR_UNIMPLEMENTED_FEATURE] = 1, [TSR_BAD_INPUT] = 1, [TSR_DEADLOCK] = 1},
};

tsr_action tsr_profile_action(tsr_profile profile, tsr_category category)
{
    if ((unsigned)profile > TSR_PROFILE_CONFORMANCE || (unsigned)category >= TSR_CATEGORY_COUNT)
        return TSR_ACTION_RECORD;
    // What kernels in the field rely on is for those to know who ask for the letter.
    if (category == TSR_UNGUARANTEED_ORDER && profile != TSR_PROFILE_STRICT)
        return TSR_ACTION_IGNORE;
    return stops[profile][category] ? TSR_ACTION_STOP : TSR_ACTION_RECORD;
}

void tsr_findings_profile(struct tsr_findings *findings, tsr_profile profile)
{
    for (int i = 0; i < FINDING_COUNT; i++) {
        findings->action[i] = (uint8_t)tsr_profile_action(profile, tsr_finding_at(i)->category);
        findings->chosen[i] = false;
    }
    findings->taints = false;
}

static void choose(struct tsr_findings *findings, int code, tsr_action action)
{
    findings->action[code] = (uint8_t)action;
    findings->chosen[code] = true;
}

// With "use" somewhere, a tainted datum that reaches L1, a GPR or a branch is what must stop.
static void arm_taint(struct tsr_findings *findings)
{
    findings->taints = true;
    if (!findings->chosen[FINDING_TAINTED_DATUM_USED])
        findings->action[FINDING_TAINTED_DATUM_USED] = TSR_ACTION_STOP;
}

tsr_status tsr_findings_policy(struct tsr_findings *findings, const char *what, tsr_action action)
{
    bool found = false;
    for (int i = 0; i < FINDING_COUNT; i++) {
        const tsr_finding_info *info = tsr_finding_at(i);
        bool by_category = strcmp(what, tsr_category_name(info->category)) == 0;
        if (by_category && action == TSR_ACTION_USE && i == FINDING_TAINTED_DATUM_USED)
            continue;
        if (by_category || strcmp(what, info->code) == 0) {
            if (action == TSR_ACTION_IGNORE && info->category != TSR_UNGUARANTEED_ORDER)
                return TSR_BAD_ARGUMENT;
            choose(findings, i, action);
            found = true;
        }
    }
    if (!found)
        return TSR_NOT_FOUND;
    if (action == TSR_ACTION_USE)
        arm_taint(findings);
    return TSR_OK;
}

void tsr_findings_policy_of(struct tsr_findings *findings, const struct tsr_findings *other)
{
    for (int i = 0; i < FINDING_COUNT; i++)
        if (other->chosen[i])
            choose(findings, i, (tsr_action)other->action[i]);
    if (other->taints)
        arm_taint(findings);
}

void tsr_findings_clear(struct tsr_findings *findings)
{
    findings->stopped = false;
    findings->count = findings->latest = 0;
    findings->dropped = 0;
    memset(findings->slot, 0, sizeof findings->slot);
}

static uint32_t hash_of(enum tsr_finding code, const struct tsr_finding_about *place)
{
    uint64_t mixed =
        (uint64_t)code << 16 | (uint64_t)(uint8_t)place->thread << 8 | (uint8_t)place->core;
    mixed = (mixed ^ (uint64_t)place->word << 32 ^ place->at) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(mixed >> 40) % TSR_FINDING_SLOTS;
}

static bool same_place(const tsr_diagnostic *kept, uint32_t at,
                       const struct tsr_finding_about *place)
{
    return kept->thread == place->thread && kept->core == place->core &&
           kept->word == place->word && kept->has_pc == place->has_pc && at == place->at;
}

// The place in `slot` of the same finding, or the free one where it belongs.
static uint32_t find(const struct tsr_findings *findings, enum tsr_finding code,
                     const struct tsr_finding_about *place)
{
    const char *name = tsr_finding_at((int)code)->code;
    uint32_t slot = hash_of(code, place);
    for (; findings->slot[slot] != 0; slot = (slot + 1) % TSR_FINDING_SLOTS) {
        int index = findings->slot[slot] - 1;
        const tsr_diagnostic *kept = &findings->kept[index];
        if (kept->code == name && same_place(kept, findings->at[index], place))
            break;
    }
    return slot;
}

bool tsr_findings_repeat(struct tsr_findings *findings, enum tsr_finding code,
                         const struct tsr_finding_about *place, unsigned times)
{
    int index = findings->latest - 1; // kernels repeat one for every tile
    if (index < 0 || findings->latest_code != code ||
        !same_place(&findings->kept[index], findings->at[index], place)) {
        uint32_t slot = find(findings, code, place);
        if (findings->slot[slot] == 0)
            return false;
        index = findings->slot[slot] - 1;
        findings->latest = index + 1;
        findings->latest_code = code;
    }
    findings->reported += times;
    findings->kept[index].repeats += times;
    return true;
}

bool tsr_findings_again(struct tsr_findings *findings, enum tsr_finding code,
                        const struct tsr_finding_about *place)
{
    return tsr_findings_repeat(findings, code, place, 1);
}

tsr_diagnostic *tsr_findings_add(struct tsr_findings *findings, enum tsr_finding code,
                                 const struct tsr_finding_about *place)
{
    const tsr_finding_info *info = tsr_finding_at((int)code);
    if (tsr_findings_again(findings, code, place))
        return NULL;
    findings->reported++;
    uint32_t slot = find(findings, code, place);
    if (findings->count == TSR_FINDINGS_KEPT) {
        findings->dropped++;
        return NULL;
    }
    int index = findings->count++;
    findings->slot[slot] = (uint16_t)findings->count;
    findings->at[index] = place->at;
    tsr_diagnostic *fresh = &findings->kept[index];
    memset(fresh, 0, sizeof *fresh);
    fresh->category = info->category;
    fresh->code = info->code;
    fresh->page = info->page;
    fresh->action = (tsr_action)findings->action[code];
    fresh->thread = place->thread;
    fresh->core = place->core;
    fresh->word = place->word;
    fresh->has_pc = place->has_pc;
    fresh->pc = place->has_pc ? place->at : 0;
    return fresh;
}
