// SPDX-License-Identifier: Apache-2.0
// The two steps of a schedule whose order makes the difference.
#ifndef CLI_EXPLORE_SEARCH_H
#define CLI_EXPLORE_SEARCH_H

#include "run/explore_run.h"

struct culprit {
    bool found;
    uint64_t steps;          // of the schedule that it takes, the last of which is ...
    tsr_schedule_step early; // ... this one, which must not come before ...
    bool both;
    tsr_schedule_step late; // ... this one
    bool eager_differs;     // the difference is there without any step of the schedule
};

// `failing` differs from `wanted`, what a right run leaves. False: a run could not be made.
bool search_culprit(struct explore_program *program, const struct schedule_choice *failing,
                    const struct outcome *wanted, struct culprit *culprit, struct message *why);

#endif
