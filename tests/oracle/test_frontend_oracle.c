// SPDX-License-Identifier: Apache-2.0
// The expanders and the wait gate against a second model (frontend_model.h) on random streams. A
// long run is fuzz/fuzz_frontend.c. The last test shows that the model does notice mistakes.
// Pages: MOPExpander.md, REPLAY.md, STALLWAIT.md, SEMWAIT.md, SyncUnit.md.
#include "oracle/frontend_trials.h"
#include "rig/sample.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { EXPANSIONS = RIG_SAMPLE(4000), GATES = RIG_SAMPLE(1500) };

static void test_expansion(void **state)
{
    (void)state;
    struct trials *t = trials_new();
    for (uint64_t seed = 1; seed <= EXPANSIONS; seed++) {
        const char *wrong = trial_expansion(t, seed);
        if (wrong)
            fail_msg("seed %llu: %s", (unsigned long long)seed, wrong);
    }
    assert_true(t->expansions > EXPANSIONS * 9 / 10);
    assert_true(t->words > 20 * t->expansions);
    trials_free(t);
}

static void test_gate(void **state)
{
    (void)state;
    struct trials *t = trials_new();
    for (uint64_t seed = 1; seed <= GATES; seed++) {
        const char *wrong = trial_gate(t, seed);
        if (wrong)
            fail_msg("seed %llu: %s", (unsigned long long)seed, wrong);
    }
    assert_true(t->passes > 5 * GATES);
    assert_true(t->rests > GATES / 4);
    trials_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expansion),
        cmocka_unit_test(test_gate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
