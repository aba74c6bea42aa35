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

void tsr_findings_profile(struct tsr_findings *findings, tsr_profile profile)
{
    for (int i = 0; i < FINDING_COUNT; i++) {
        bool stop = stops[profile][tsr_finding_at(i)->category];
        findings->action[i] = stop ? TSR_ACTION_STOP : TSR_ACTION_RECORD;
        findings->chosen[i] = false;
    }
}

static void choose(struct tsr_findings *findings, int code, tsr_action action)
{
    findings->action[code] = (uint8_t)action;
    findings->chosen[code] = true;
}

// With "use" somewhere, a tainted datum that reaches L1, a GPR or a branch is what must stop.
static void arm_taint(struct tsr_findings *findings)
{
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

void tsr_findings_clear(struct tsr_findings *findings)
{
    findings->stopped = false;
    findings->count = 0;
    findings->dropped = 0;
}

tsr_diagnostic *tsr_findings_add(struct tsr_findings *findings, enum tsr_finding code, int thread,
                                 int core, uint32_t word)
{
    const tsr_finding_info *info = tsr_finding_at((int)code);
    findings->reported++;
    for (int i = findings->count - 1; i >= 0; i--) {
        tsr_diagnostic *kept = &findings->kept[i];
        if (kept->code == info->code && kept->thread == thread && kept->core == core &&
            kept->word == word) {
            kept->repeats++;
            return NULL;
        }
    }
    if (findings->count == TSR_FINDINGS_KEPT) {
        findings->dropped++;
        return NULL;
    }
    tsr_diagnostic *fresh = &findings->kept[findings->count++];
    memset(fresh, 0, sizeof *fresh);
    fresh->category = info->category;
    fresh->code = info->code;
    fresh->page = info->page;
    fresh->action = (tsr_action)findings->action[code];
    fresh->thread = thread;
    fresh->core = core;
    fresh->word = word;
    return fresh;
}
