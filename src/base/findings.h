// SPDX-License-Identifier: Apache-2.0
// What a tile found: the kept list of diagnostics, and the policy that says what each one does.
// Instructions and configuration are not here; state/report.h adds those.
#ifndef TESSERA_BASE_FINDINGS_H
#define TESSERA_BASE_FINDINGS_H

#include "base/finding_codes.h"

#include <tessera/tessera.h>

enum { TSR_FINDINGS_KEPT = 256, TSR_FINDING_SLOTS = 4 * TSR_FINDINGS_KEPT };

// Who or what a finding is about. Two findings of the same code are one if all of this is the same.
struct tsr_finding_about {
    int thread, core; // -1: none
    uint32_t word;    // the instruction of a thread
    bool has_pc;
    uint32_t at; // of a core: its program counter if `has_pc`, else the address of its access
};

struct tsr_findings {
    uint8_t action[FINDING_COUNT]; // tsr_action of each code
    bool chosen[FINDING_COUNT];    // a policy call named the code or its category
    bool taints;                   // a policy call said TSR_ACTION_USE
    bool stopped;
    int count;
    uint64_t dropped;
    uint64_t reported;                // how often anything was found, repeats too
    int latest;                       // 1 more than the index of what was repeated last; 0: nothing
    enum tsr_finding latest_code;     // its code
    uint16_t slot[TSR_FINDING_SLOTS]; // by a hash of the place: 1 more than the index in `kept`
    uint32_t at[TSR_FINDINGS_KEPT];   // the places' `at`
    tsr_diagnostic kept[TSR_FINDINGS_KEPT];
};

void tsr_findings_profile(struct tsr_findings *findings, tsr_profile profile);
// `what`: a code or a category name. TSR_NOT_FOUND otherwise.
tsr_status tsr_findings_policy(struct tsr_findings *findings, const char *what, tsr_action action);
// What such calls have said of another list, for one that has its profile.
void tsr_findings_policy_of(struct tsr_findings *findings, const struct tsr_findings *other);
void tsr_findings_clear(struct tsr_findings *findings); // the list and the stop, not the policy
// Counts a repeat if the same code already came from the same place; false if it did not.
bool tsr_findings_again(struct tsr_findings *findings, enum tsr_finding code,
                        const struct tsr_finding_about *place);
// Counts so many repeats; false, and none is counted, if it did not.
bool tsr_findings_repeat(struct tsr_findings *findings, enum tsr_finding code,
                         const struct tsr_finding_about *place, unsigned times);
// Where to write a new diagnostic, with category, code, page and action filled in; NULL if the same
// code already came from the same place (counted as a repeat) or the list is full.
tsr_diagnostic *tsr_findings_add(struct tsr_findings *findings, enum tsr_finding code,
                                 const struct tsr_finding_about *place);

#endif
