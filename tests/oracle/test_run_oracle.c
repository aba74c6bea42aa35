// SPDX-License-Identifier: Apache-2.0
// With timing off, a tile that runs blocks and takes the bypass (TSR_PIPELINE_AUTO) against one in
// which every word takes every stage (TSR_PIPELINE_STAGED); with timing on, one that visits only
// what may move against one that visits everything in each round. After each of many random
// programs of three threads both must remember the same, findings and the cycle included. Programs
// look like kernels: runs of one unit's instructions, from the FIFO, MOPs and REPLAYs, with waits,
// semaphores, configuration writes, resets, breaks and slices in between. Nobody observes, so that
// blocks may run. Usage: test_run_oracle [WORDS [SEED]]: a program for every ten WORDS
#include "oracle/run_oracle_again.h"
#include "oracle/run_oracle_tile.h"
#include "oracle/run_oracle_words.h"
#include "rig/state_compare.h"

enum { DEFAULT_PROGRAMS = 600, PROGRAMS_A_TILE = 20, TIMES_A_TILE = 30, STOPS = 6 };

static uint64_t seed = 1;
static int programs = DEFAULT_PROGRAMS;

static uint32_t draw(uint32_t below)
{
    return run_draw(&seed, below);
}

struct feed {
    struct run_words words[TSR_THREADS];
    uint32_t off;       // words to the break
    int slice;          // words of a thread at a time
    int breaks;         // thread that breaks after each slice, so many words on; -1: none
    int rounds, cycles; // with timing on: at most so many in a run; 0: no limit
};

static tsr_end run_sliced(tsr_tile *tile, const struct feed *feed, bool external)
{
    tsr_limits limits = tsr_limits_default();
    limits.external = external;
    if (feed->breaks >= 0) {
        limits.break_thread = feed->breaks;
        limits.break_sequence = tile_state(tile)->frontend[feed->breaks].sequence + feed->off;
        tsr_run(tile, &limits);
        limits.break_thread = -1;
    }
    limits.max_steps = (uint64_t)feed->rounds;
    limits.max_cycles = (uint64_t)feed->cycles;
    limits.max_words = feed->rounds + feed->cycles == 0 && feed->slice > 16 ? 5 : 0;
    if (external && feed->rounds == 1)
        return tsr_step(tile) ? TSR_END_TIMEOUT : TSR_END_BLOCKED;
    tsr_end end = tsr_run(tile, &limits);
    while (end == TSR_END_WORDS || (!external && end == TSR_END_TIMEOUT))
        end = tsr_run(tile, &limits);
    return end;
}

static tsr_end feed_and_run(tsr_tile *tile, const struct feed *feed)
{
    int at[TSR_THREADS] = {0};
    bool left = true;
    for (int rounds = 0; left && rounds < RUN_WORDS; rounds++) {
        left = false;
        for (int thread = 0; thread < TSR_THREADS; thread++) {
            const struct run_words *words = &feed->words[thread];
            for (int i = 0; i < feed->slice && at[thread] < words->count; i++, at[thread]++)
                if (tsr_push(tile, thread, words->word[at[thread]]) != TSR_OK)
                    break;
            left |= at[thread] < words->count;
        }
        run_sliced(tile, feed, true);
    }
    return run_sliced(tile, feed, false);
}

static void set_stop(tsr_tile *const tile[2], uint32_t which)
{
    static const char *const stops[STOPS] = {"src-bank-unordered", "src-bank-never-filled",
                                             "uninitialised-src",  "uninitialised-dst",
                                             "src-bank-left",      "tainted-datum-used"};
    for (int way = 0; way < 2; way++)
        assert_int_equal(tsr_tile_set_policy(tile[way], stops[which], TSR_ACTION_STOP), TSR_OK);
}

// One comparison of many programs.
struct trial {
    int arch;
    bool timing;
    bool by_turns; // threads 0 and 1 hand faces to each other all the time
    bool again;    // the same words again and again
    bool fresh;    // they have no words yet
    struct run_kernel kernel;
    tsr_tile *tile[2]; // TSR_PIPELINE_AUTO, TSR_PIPELINE_STAGED
    uint64_t issued, in_blocks, in_turns, waited[TSR_REASON_COUNT];
    uint64_t rounds, rounds_ended; // that went as before, up to their end or not (bank_again.c)
};

static void make_tiles(struct trial *trial)
{
    static const tsr_pipeline pipelines[2] = {TSR_PIPELINE_AUTO, TSR_PIPELINE_STAGED};
    for (int way = 0; way < 2; way++)
        trial->tile[way] = run_tile_new(trial->arch, trial->timing, pipelines[way], seed);
    trial->fresh = true;
    draw(2);
}

static void free_tiles(struct trial *trial)
{
    for (int way = 0; way < 2; way++) {
        tsr_tile_destroy(trial->tile[way]);
        trial->tile[way] = NULL;
    }
}

static struct feed make_feed(const struct trial *trial)
{
    struct feed feed = {.slice = 1 << draw(7)};
    feed.breaks = draw(6) ? -1 : (int)draw(3);
    feed.off = trial->by_turns ? 1 + draw(40) : 3;
    if (trial->timing && draw(4) == 0)
        feed.rounds = draw(4) ? 1 + (int)draw(40) : 1;
    if (trial->timing && draw(4) == 0)
        feed.cycles = 1 + (int)draw(60);
    return feed;
}

// The same as the last time most often, and what changes before it.
static struct feed next_time(struct trial *trial)
{
    struct feed feed = {.slice = draw(3) ? RUN_WORDS : 1 << draw(7), .breaks = -1};
    uint64_t change = seed;
    const tsr_tile *tile = trial->tile[0];
    draw(2);
    if (draw(12) == 0) {
        feed.breaks = (int)draw(3);
        feed.off = 1 + (int)draw(40);
    }
    if (trial->fresh)
        trial->kernel = run_kernel_any(tile, &seed);
    for (int way = 0; way < 2; way++) {
        if (trial->fresh)
            run_kernel_load(trial->tile[way], &trial->kernel);
        run_kernel_change(trial->tile[way], &trial->kernel, change);
    }
    trial->fresh = false;
    memcpy(feed.words, trial->kernel.words, sizeof feed.words);
    if (draw(12) == 0)
        feed.words[2] = run_words_any(tile, &seed, 2, false);
    return feed;
}

// The next program's words, and what changes before it.
static struct feed next_program(struct trial *trial)
{
    if (trial->again)
        return next_time(trial);
    struct feed feed = make_feed(trial);
    uint64_t disturbance = seed;
    draw(2);
    int alone = trial->timing && draw(2) ? (int)draw(TSR_THREADS) : -1;
    bool hands_faces = !trial->timing && draw(2) == 0;
    bool new_turns = trial->by_turns && draw(3) == 0;
    for (int way = 0; way < 2; way++) {
        run_tile_disturb(trial->tile[way], disturbance);
        if (new_turns)
            run_tile_set_turns(trial->tile[way], disturbance);
    }
    if (trial->by_turns && draw(8) == 0)
        set_stop(trial->tile, draw(STOPS));
    const tsr_tile *tile = trial->tile[0];
    for (int thread = 0; thread < TSR_THREADS; thread++) {
        if (alone >= 0 && alone != thread)
            continue;
        if (trial->by_turns && thread < 2)
            feed.words[thread] = run_words_turns(tile, &seed);
        else if (hands_faces && thread < 2)
            feed.words[thread] = run_words_faces(tile, &seed, thread);
        else
            feed.words[thread] = run_words_any(tile, &seed, thread, alone >= 0);
    }
    return feed;
}

static void compare(const struct trial *trial, int program, const struct feed *feed)
{
    const char *different = tile_difference(trial->tile[0], trial->tile[1]);
    if (!different)
        return;
    for (int thread = 0; thread < TSR_THREADS; thread++)
        for (int i = 0; i < feed->words[thread].count; i++) {
            char text[TSR_INSTRUCTION_TEXT];
            tsr_disassemble((tsr_arch)trial->arch, feed->words[thread].word[i], text, sizeof text);
            print_message("T%d %s\n", thread, text);
        }
    fail_msg("%s differ(s) after program %d", different, program);
}

// How often each reason held a thread or an instruction in its unit, among others: what is never
// held need not be visited, and proves nothing.
static void count_tile(struct trial *trial)
{
    tsr_tile *tile = trial->tile[0];
    tsr_run_report report;
    tsr_get_report(tile, &report);
    for (int thread = 0; thread < TSR_THREADS; thread++) {
        trial->issued += tile_state(tile)->frontend[thread].sequence;
        for (int reason = 0; reason < TSR_REASON_COUNT; reason++)
            trial->waited[reason] += report.waited[thread][reason];
    }
    trial->in_blocks += tile->engine.in_blocks;
    trial->in_turns += tile->engine.in_turns;
    trial->rounds += tile->engine.bank_rounds.taken;
    for (int kind = 0; kind <= TSR_STEP_MOP; kind++)
        trial->rounds_ended += tile->engine.bank_rounds.ended[kind];
    assert_int_equal(trial->tile[1]->engine.in_blocks, 0);
}

static void assert_all_waits(const uint64_t cycles[TSR_REASON_COUNT])
{
    static const tsr_reason met[] = {TSR_REASON_STALLWAIT, TSR_REASON_SEMWAIT, TSR_REASON_UNIT_FULL,
                                     TSR_REASON_SRCA,      TSR_REASON_SRCB,    TSR_REASON_HOLD,
                                     TSR_REASON_DST,       TSR_REASON_EMPTY};
    for (size_t i = 0; i < sizeof met / sizeof *met; i++)
        if (cycles[met[i]] < (unsigned)programs / 8)
            fail_msg("%s: waited %llu cycles only", tsr_reason_name(met[i]),
                     (unsigned long long)cycles[met[i]]);
}

// Blocks, turns and waits: a comparison without them would prove nothing.
static void assert_met(const struct trial *trial)
{
    print_message("%s: %d programs, %llu instructions, %llu of them in blocks, %llu in turns; "
                  "rounds as before: %llu, and %llu that ended early\n",
                  tsr_arch_name((tsr_arch)trial->arch), programs / 2,
                  (unsigned long long)trial->issued, (unsigned long long)trial->in_blocks,
                  (unsigned long long)trial->in_turns, (unsigned long long)trial->rounds,
                  (unsigned long long)trial->rounds_ended);
    assert_true(trial->issued > 10u * (unsigned)programs);
    assert_true(trial->in_blocks > trial->issued / (trial->timing ? 200 : 20));
    if (trial->timing)
        assert_int_equal(trial->in_turns, 0);
    else if (trial->by_turns || trial->again)
        assert_true(trial->in_turns > trial->issued / 100);
    if (!trial->timing && trial->again && programs >= 5 * DEFAULT_PROGRAMS)
        assert_true(trial->rounds > 0); // fewer programs have too few kernels
    if (trial->timing && !trial->again && programs >= DEFAULT_PROGRAMS)
        assert_all_waits(trial->waited);
}

// Whether the next program has another tile. What waits for ever does so the next time, too.
static bool is_over(const struct trial *trial, int program, tsr_end end)
{
    const int last = (trial->again ? TIMES_A_TILE : PROGRAMS_A_TILE) - 1;
    return end == TSR_END_STOPPED || program % (last + 1) == last ||
           (trial->again && end != TSR_END_IDLE && draw(4) != 0);
}

static void same_both_ways(struct trial *trial)
{
    for (int program = 0; program < programs / 2; program++) {
        if (!trial->tile[0])
            make_tiles(trial);
        struct feed feed = next_program(trial);
        tsr_end end = feed_and_run(trial->tile[0], &feed);
        assert_int_equal(end, feed_and_run(trial->tile[1], &feed));
        compare(trial, program, &feed);
        if (is_over(trial, program, end)) {
            count_tile(trial);
            free_tiles(trial);
            continue;
        }
        for (int i = 0; i < 3 && !(trial->again && end == TSR_END_IDLE); i++) {
            for (int way = 0; way < 2; way++)
                run_tile_release(trial->tile[way]);
            assert_int_equal(run_sliced(trial->tile[0], &feed, false),
                             run_sliced(trial->tile[1], &feed, false));
            compare(trial, program, &feed);
        }
    }
    free_tiles(trial);
    assert_met(trial);
}

static void timing_off(int arch)
{
    same_both_ways(&(struct trial){.arch = arch});
}
TILE_BOTH(timing_off)

static void turns_at_banks(int arch)
{
    same_both_ways(&(struct trial){.arch = arch, .by_turns = true});
}
TILE_BOTH(turns_at_banks)

static void again(int arch)
{
    same_both_ways(&(struct trial){.arch = arch, .again = true});
}
TILE_BOTH(again)

static void again_with_timing(int arch)
{
    same_both_ways(&(struct trial){.arch = arch, .again = true, .timing = true});
}
TILE_BOTH(again_with_timing)

static void timing_on(int arch)
{
    same_both_ways(&(struct trial){.arch = arch, .timing = true});
}
TILE_BOTH(timing_on)

int main(int argc, char **argv)
{
    if (argc > 1)
        programs = atoi(argv[1]) / 10;
    if (argc > 2)
        seed = strtoull(argv[2], NULL, 0);
    const struct CMUnitTest tests[] = {TILE_TEST(timing_off), TILE_TEST(timing_on),
                                       TILE_TEST(turns_at_banks), TILE_TEST(again),
                                       TILE_TEST(again_with_timing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
