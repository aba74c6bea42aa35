// SPDX-License-Identifier: Apache-2.0
// Finds the two steps by runs alone (explore_search.h). The order EAGER leaves the right bytes and
// the whole schedule does not, so there is a number of its steps, EAGER following them, with which
// the bytes are wrong, while with one less they are right. The step behind those came too early:
// held back for some others it does no harm, and the last of those is the one that it must follow.
#include "run/explore_search.h"

struct search {
    struct explore_program *program;
    const struct outcome *wanted;
    struct message *why;
};

// 1: the run leaves something else; 0: it does not; -1: it could not be made.
static int differs(const struct search *search, const struct schedule_choice *choice,
                   tsr_schedule_step *step)
{
    struct outcome outcome;

    if (!explore_run(search->program, choice, &outcome, search->why))
        return -1;
    bool differ = outcomes_differ(search->program, &outcome, search->wanted);
    *step = outcome.step;
    outcome_free(&outcome);
    return differ;
}

// A cut of no steps is EAGER.
static struct schedule_choice cut_at(const struct schedule_choice *choice, uint64_t steps)
{
    struct schedule_choice cut = *choice;

    cut.schedule = steps == 0 ? TSR_SCHEDULE_EAGER : choice->schedule;
    cut.cut.steps = steps;
    return cut;
}

// Brings two values of *number, a part of the choice, next to each other: with `right` the run
// leaves what it should, with `wrong` it does not.
static bool narrow(const struct search *search, const struct schedule_choice *choice,
                   uint64_t *number, uint64_t *right, uint64_t *wrong)
{
    while ((*right < *wrong ? *wrong - *right : *right - *wrong) > 1) {
        tsr_schedule_step step;
        *number = *right / 2 + *wrong / 2 + (*right & *wrong & 1);
        int differ = differs(search, choice, &step);
        if (differ < 0)
            return false;
        *(differ ? wrong : right) = *number;
    }
    return true;
}

static bool find_early(const struct search *search, const struct schedule_choice *failing,
                       struct culprit *culprit)
{
    tsr_schedule_step step;
    uint64_t right = 0, wrong;
    struct schedule_choice choice = cut_at(failing, 0);
    int differ = differs(search, &choice, &step);

    culprit->eager_differs = differ > 0;
    if (differ != 0)
        return differ > 0;
    if (differs(search, failing, &step) < 0)
        return false;
    wrong = step.count;
    choice = cut_at(failing, wrong);
    if (!narrow(search, &choice, &choice.cut.steps, &right, &wrong))
        return false;
    choice.cut.steps = wrong;
    differ = differs(search, &choice, &culprit->early);
    culprit->steps = wrong;
    culprit->found = differ > 0 && culprit->early.reached;
    return differ >= 0;
}

static bool find_late(const struct search *search, const struct schedule_choice *failing,
                      struct culprit *culprit)
{
    tsr_schedule_step step;
    struct schedule_choice choice = cut_at(failing, culprit->steps - 1);
    uint64_t wrong = 0, right = 1;
    int differ = 1;

    choice.cut.held = culprit->early.actor;
    while (differ > 0) {
        choice.cut.others = right;
        differ = differs(search, &choice, &step);
        if (differ < 0)
            return false;
        if (differ == 0)
            break;
        if (right > step.count)
            return true; // it is not held long enough by any number
        wrong = right;
        right *= 2;
    }
    if (!narrow(search, &choice, &choice.cut.others, &right, &wrong))
        return false;
    choice.cut.others = right;
    differ = differs(search, &choice, &culprit->late);
    culprit->both = differ == 0 && culprit->late.reached;
    return differ >= 0;
}

bool search_culprit(struct explore_program *program, const struct schedule_choice *failing,
                    const struct outcome *wanted, struct culprit *culprit, struct message *why)
{
    const struct search search = {program, wanted, why};

    *culprit = (struct culprit){0};
    return find_early(&search, failing, culprit) &&
           (!culprit->found || find_late(&search, failing, culprit));
}
