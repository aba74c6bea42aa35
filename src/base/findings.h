// SPDX-License-Identifier: Apache-2.0
// What a tile found: the kept list of diagnostics, and the policy that says what each one does.
// Instructions and configuration are not here; state/report.h adds those.
#ifndef TESSERA_BASE_FINDINGS_H
#define TESSERA_BASE_FINDINGS_H

#include "base/finding_codes.h"

#include <tessera/tessera.h>

enum { TSR_FINDINGS_KEPT = 256 };

struct tsr_findings {
    uint8_t action[FINDING_COUNT]; // tsr_action of each code
    bool chosen[FINDING_COUNT];    // a policy call named the code or its category
    bool stopped;
    int count;
    uint64_t dropped;
    uint64_t reported; // how often anything was found, repeats too
    tsr_diagnostic kept[TSR_FINDINGS_KEPT];
};

void tsr_findings_profile(struct tsr_findings *findings, tsr_profile profile);
// `what`: a code or a category name. TSR_NOT_FOUND otherwise.
tsr_status tsr_findings_policy(struct tsr_findings *findings, const char *what, tsr_action action);
void tsr_findings_clear(struct tsr_findings *findings); // the list and the stop, not the policy
// Where to write a new diagnostic, with category, code, page and action filled in; NULL if the same
// code already came from the same thread or core and word (counted as a repeat) or the list is
// full. `thread` and `core` are -1 where there is none.
tsr_diagnostic *tsr_findings_add(struct tsr_findings *findings, enum tsr_finding code, int thread,
                                 int core, uint32_t word);

#endif
