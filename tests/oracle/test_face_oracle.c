// SPDX-License-Identifier: Apache-2.0
// Faces: with timing on, a tile whose lone threads take blocks, faces and small words as one
// (TSR_PIPELINE_AUTO) against one in which every word takes every stage (TSR_PIPELINE_STAGED); with
// timing off, one that takes the bypass and threads' turns. Random programs (face_oracle_words.h)
// with random formats, contexts, counters and owners of banks, fed and cut at random; after each
// run both tiles must remember the same. Usage: test_face_oracle [WORDS [SEED]]: a program for
// every twenty WORDS, two thirds of them with timing on
#include "oracle/face_oracle_trials.h"
#include "rig/sample.h"

enum { DEFAULT_PROGRAMS = RIG_SAMPLE(1200), ENOUGH_PROGRAMS = 100, MANY_PROGRAMS = 400 };

static uint64_t first_seed = 1;
static int programs = DEFAULT_PROGRAMS;

// The first seed is the program's own, so that one alone can be repeated.
static void run_programs(struct face_trials *trials, int count)
{
    for (int i = 0; i < count; i++)
        face_trial(trials, first_seed + (uint64_t)i * 0x9e3779b97f4a7c15u);
    print_message(
        "%s: %d programs, %d of a lone thread, %d with counters; %llu instructions, %llu in "
        "blocks, %llu in faces of %d programs, %llu in turns, rounds as before: %llu\n",
        tsr_arch_name((tsr_arch)trials->arch), (int)trials->programs, (int)trials->lone,
        (int)trials->counted, (unsigned long long)trials->issued,
        (unsigned long long)trials->in_blocks, (unsigned long long)trials->in_faces,
        (int)trials->with_faces, (unsigned long long)trials->in_turns,
        (unsigned long long)trials->rounds);
}

// A comparison without faces, blocks and turns would prove nothing; few programs may have none.
static void assert_met(const struct face_trials *trials)
{
    if (trials->programs < ENOUGH_PROGRAMS)
        return;
    assert_true(trials->in_blocks > trials->issued / 8);
    assert_true(trials->ends[TSR_END_IDLE] > trials->programs / 4);
    assert_true(trials->ends[TSR_END_DEADLOCK] + trials->ends[TSR_END_BLOCKED] > 0);
    assert_true(trials->ends[TSR_END_STOPPED] > 0);
    if (trials->timing) {
        assert_true(trials->with_faces > trials->lone / 12);
        assert_true(trials->in_faces > trials->issued / 250);
        assert_true(trials->counted > 0);
    } else {
        assert_true(trials->in_turns > 0);
        assert_true(trials->rounds > 0 || trials->programs < MANY_PROGRAMS); // they are rare
    }
}

static void with_timing(int arch)
{
    struct face_trials trials = {.arch = arch, .timing = true};
    run_programs(&trials, (programs + 2) / 3);
    assert_met(&trials);
}
TILE_BOTH(with_timing)

static void without_timing(int arch)
{
    struct face_trials trials = {.arch = arch};
    run_programs(&trials, (programs + 5) / 6);
    assert_met(&trials);
}
TILE_BOTH(without_timing)

int main(int argc, char **argv)
{
    if (argc > 1)
        programs = atoi(argv[1]) / 20;
    if (argc > 2)
        first_seed = strtoull(argv[2], NULL, 0);
    const struct CMUnitTest tests[] = {TILE_TEST(with_timing), TILE_TEST(without_timing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
