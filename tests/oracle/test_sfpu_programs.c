// SPDX-License-Identifier: Apache-2.0
// The vector unit against the second model (sfpu_model.h) on random programs that the pages define,
// on both chips, with and without timing, without SFPLOADMACRO and with it. The last test shows
// that the comparison notices mistakes.
// Usage: test_sfpu_programs [WORDS [SEED]]; a long run is 1000000 words.
// Pages: as sfpu_model.h.
#include "oracle/sfpu_trials.h"
#include "rig/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WORDS = RIG_SAMPLE(60000), CANARY_WORDS = 100000, LONG_WORDS = 200000 };

static uint64_t words_wanted = WORDS, first_seed;

static bool has(unsigned op, bool blackhole)
{
    return blackhole || (op != SFPU_GT && op != SFPU_LE && op != SFPU_ARECIP && op != SFPU_MUL24);
}

// Every instruction, given or scheduled; in a long run with every modifier.
static unsigned missing(const struct sfpu_counts *c, bool blackhole, bool macros)
{
    const char *chip = blackhole ? "BH" : "WH";
    bool long_run = c->words >= LONG_WORDS;
    unsigned none = 0;
    for (unsigned op = 0; op < SFPU_OP_COUNT; op++) {
        bool load = sfpu_unit_of(op) == SFPU_UNIT_LOAD;
        uint64_t all = 0;
        if (!has(op, blackhole) || (op == SFPU_LOADMACRO && !macros))
            continue;
        for (unsigned mod = 0; mod < 16; mod++) {
            all += c->op[op][mod];
            if (!(sfpu_modifiers(op, blackhole) >> mod & 1) || c->op[op][mod] || !long_run)
                continue;
            printf("none of SFP%s with modifier %u on %s\n", sfpu_op_name(op), mod, chip);
            none++;
        }
        bool planned = c->scheduled[op] || load || op == SFPU_CONFIG || !macros || !long_run;
        if (all && planned)
            continue;
        printf("no SFP%s %s on %s\n", sfpu_op_name(op), all ? "from a macro" : "", chip);
        none++;
    }
    printf("%s: %llu words in %llu programs; %llu given instructions discarded\n", chip,
           (unsigned long long)c->words, (unsigned long long)c->programs,
           (unsigned long long)c->discarded);
    return none + (macros && (!c->discarded || !c->to_staging));
}

static void run_programs(bool macros)
{
    struct sfpu_trials *t = sfpu_trials_new(first_seed, macros);
    assert_non_null(t);
    const char *wrong = sfpu_trials_run(t, words_wanted / 2, SFPU_FAULT_NONE);
    if (wrong) { // longer than what cmocka shows
        fprintf(stderr, "%s", wrong);
        fail();
    }
    unsigned none = missing(sfpu_trials_counts(t, false), false, macros) +
                    missing(sfpu_trials_counts(t, true), true, macros);
    uint64_t refused = sfpu_trials_refused(t);
    const struct sfpu_complaint *c;
    for (unsigned n = 0; (c = sfpu_trials_complaint(t, n)); n++)
        printf("%s in %llu programs, first with seed 0x%llx: %s\n", c->code,
               (unsigned long long)c->programs, (unsigned long long)c->seed, c->sentence);
    sfpu_trials_free(t);
    assert_int_equal(none, 0);
    assert_int_equal(refused, 0);
}

static void test_given_words(void **state)
{
    (void)state;
    run_programs(false);
}

static void test_macros(void **state)
{
    (void)state;
    run_programs(true);
}

static void test_canaries(void **state)
{
    (void)state;
    for (unsigned fault = SFPU_FAULT_NONE + 1; fault < SFPU_FAULT_COUNT; fault++) {
        bool macros = fault >= SFPU_FAULT_DELAY;
        struct sfpu_trials *t = sfpu_trials_new(first_seed + 1000000 * fault, macros);
        assert_non_null(t);
        const char *wrong = sfpu_trials_run(t, CANARY_WORDS, (enum sfpu_fault)fault);
        uint64_t words = sfpu_trials_counts(t, false)->words + sfpu_trials_counts(t, true)->words;
        if (!wrong)
            fail_msg("\"%s\" was not found in %llu words", sfpu_fault_text(fault),
                     (unsigned long long)words);
        else
            printf("found after %5llu words: %s: %s\n", (unsigned long long)words,
                   sfpu_fault_text(fault), wrong);
        sfpu_trials_free(t);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_given_words),
        cmocka_unit_test(test_macros),
        cmocka_unit_test(test_canaries),
    };
    if (argc > 1)
        words_wanted = strtoull(argv[1], NULL, 0);
    if (argc > 2)
        first_seed = strtoull(argv[2], NULL, 0) << 32;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
