// SPDX-License-Identifier: Apache-2.0
// How a program of faces is fed and cut, and what is compared.
#include "oracle/face_oracle_trials.h"

#include "oracle/face_oracle_tile.h"
#include "oracle/face_oracle_words.h"

enum { MOST_RUNS = 400, MOST_RELEASES = 40, MOST_STILL = 20 };

// What ends a run.
enum cut {
    CUT_NOT,
    CUT_WORDS,
    CUT_BREAK_WORD,
    CUT_CYCLES, // this one and those below with timing on only
    CUT_BREAK_CYCLE,
    CUT_BOTH,
    CUT_STEPS,
    CUTS
};

struct trial {
    struct pair pair;
    struct face_program program;
    uint64_t seed, random;
    enum cut cut;
    uint32_t most; // of the cut
    bool fixed;    // always so many
    bool external; // until all words are fed
    bool slow;     // fed with few words at a time
    bool counts;   // with performance counters
    unsigned at[TSR_THREADS];
    uint64_t issued;
    int releases, still;
};

static uint32_t draw(struct trial *trial, uint32_t below)
{
    return run_draw(&trial->random, below);
}

static bool one_in(struct trial *trial, uint32_t n)
{
    return face_draw(&trial->random, n);
}

static void say(const struct trial *trial, const char *different, unsigned run)
{
    const tsr_arch arch = tsr_tile_arch(trial->pair.tile[0]);
    for (int thread = 0; thread < TSR_THREADS; thread++) {
        const struct face_words *words = &trial->program.of[thread];
        for (unsigned i = 0; i < words->count; i++) {
            char text[TSR_INSTRUCTION_TEXT];
            tsr_disassemble(arch, words->word[i], text, sizeof text);
            print_message("T%d %3u %s\n", thread, i, text);
        }
    }
    print_message("%s, cut %d by %u, %u, %u and %u words fed, cycles %llu and %llu\n",
                  tsr_arch_name(arch), (int)trial->cut, trial->most, trial->at[0], trial->at[1],
                  trial->at[2], (unsigned long long)tsr_cycle(trial->pair.tile[0]),
                  (unsigned long long)tsr_cycle(trial->pair.tile[1]));
    fail_msg("%s differ(s) after run %u; test_face_oracle 20 0x%llx has this program alone",
             different, run, (unsigned long long)trial->seed);
}

// ---------------------------------------------------------------- feeding and cutting

// Each word has a tag of its own.
static bool push_next(struct trial *trial, int thread)
{
    const uint32_t word = trial->program.of[thread].word[trial->at[thread]];
    const tsr_status status = tsr_push(trial->pair.tile[0], thread, word);
    if (tsr_push(trial->pair.tile[1], thread, word) != status)
        say(trial, "rooms of FIFOs", 0);
    if (status != TSR_OK)
        return false;
    trial->at[thread]++;
    trial->pair.tag += TSR_TAG_SOURCE + 1;
    for (int way = 0; way < 2; way++) {
        struct tsr_fifo *fifo =
            &trial->pair.tile[way]->engine.env.state->frontend[thread].before_mop;
        fifo->tag[(fifo->first + fifo->count - 1u) % TSR_FIFO_MAX] |= trial->pair.tag;
    }
    return true;
}

// True: no word is left.
static bool feed(struct trial *trial)
{
    bool all = true;
    for (int thread = 0; thread < TSR_THREADS; thread++) {
        const unsigned count = trial->program.of[thread].count;
        unsigned most = trial->slow ? draw(trial, 12) : FACE_ORACLE_WORDS;
        if (trial->program.lone >= 0 && thread != trial->program.lone && one_in(trial, 2))
            most = draw(trial, 4);
        while (most-- > 0 && trial->at[thread] < count && push_next(trial, thread))
            ;
        all &= trial->at[thread] == count;
    }
    return all;
}

static tsr_limits next_limits(struct trial *trial)
{
    tsr_limits limits = tsr_limits_default();
    const tsr_tile *tile = trial->pair.tile[0];
    const uint32_t rest = trial->fixed ? 0 : draw(trial, trial->most);
    const uint32_t cut = trial->most - rest / (one_in(trial, 4) ? 1 : 2);
    const int thread = trial->program.lone < 0 ? (int)draw(trial, 3) : trial->program.lone;
    switch (trial->cut) {
    case CUT_WORDS:
        limits.max_words = cut;
        break;
    case CUT_BREAK_WORD:
        limits.break_thread = thread;
        limits.break_sequence = tile->engine.env.state->frontend[thread].sequence + cut;
        break;
    case CUT_CYCLES:
        limits.max_cycles = cut;
        break;
    case CUT_BREAK_CYCLE:
        limits.break_cycle = tsr_cycle(tile) + cut;
        break;
    case CUT_BOTH:
        limits.max_words = cut;
        limits.max_cycles = 2 * (uint64_t)cut;
        break;
    case CUT_STEPS: // runs of single words in between
        if (one_in(trial, 2))
            limits.max_steps = 1 + cut % 20;
        else
            limits.max_words = cut;
        break;
    default:
        break;
    }
    return limits;
}

// ---------------------------------------------------------------- a program

// With timing off up to where nothing moves: what a limit of words or a break leaves for later is
// not the same.
static tsr_end run_one(tsr_tile *tile, const tsr_limits *limits, bool timing)
{
    tsr_limits more = *limits;
    tsr_end end = tsr_run(tile, limits);
    more.break_thread = -1;
    while (!timing && (end == TSR_END_WORDS || end == TSR_END_BREAK))
        end = tsr_run(tile, &more);
    return end;
}

// One run, compared. Its end.
static tsr_end run_once(struct trial *trial, const tsr_limits *limits, unsigned run)
{
    tsr_tile *const *tile = trial->pair.tile;
    const bool timing = tile[0]->engine.env.timing;
    const tsr_end end = run_one(tile[0], limits, timing);
    if (run_one(tile[1], limits, timing) != end)
        say(trial, "ends", run);
    const char *different = tile_difference(tile[0], tile[1]);
    if (different)
        say(trial, different, run);
    if (trial->counts && end != TSR_END_STOPPED && one_in(trial, 4) &&
        !face_tiles_same_counts(&trial->pair, &trial->random))
        say(trial, "performance counters", run);
    return end;
}

static uint64_t issued_by_all(const struct trial *trial)
{
    const struct tsr_frontend *frontend = trial->pair.tile[0]->engine.env.state->frontend;
    return frontend[0].sequence + frontend[1].sequence + frontend[2].sequence;
}

// Whether there is to be another run.
static bool goes_on(struct trial *trial, tsr_end end, bool fed)
{
    const uint64_t issued = issued_by_all(trial);
    trial->still = issued == trial->issued ? trial->still + 1 : 0;
    trial->issued = issued;
    if (end == TSR_END_STOPPED || (end == TSR_END_IDLE && fed))
        return false;
    const bool waits = end == TSR_END_DEADLOCK || end == TSR_END_BLOCKED;
    if ((waits && one_in(trial, 2)) || trial->still == MOST_STILL) {
        face_tiles_release(&trial->pair, &trial->random);
        trial->still = 0;
        return trial->releases++ < MOST_RELEASES;
    }
    return true;
}

// Mostly some faces, and the FIFOs do not run empty.
static const uint8_t usual[CUTS] = {1, 12, 12, 40, 40, 20, 12};

static void prepare(struct trial *trial, const struct face_trials *trials)
{
    static const enum face_level levels[] = {FACE_PLAIN, FACE_PLAIN, FACE_PLAIN, FACE_PLAIN,
                                             FACE_USUAL, FACE_USUAL, FACE_USUAL, FACE_WILD};
    const enum face_level level = levels[draw(trial, 8)];
    trial->pair = face_tiles_new(trials->arch, trials->timing, level, &trial->random);
    face_program_any(trial->pair.tile[0], &trial->random, level, &trial->program);
    for (int thread = 0; thread < TSR_THREADS; thread++)
        face_tiles_set_mops(&trial->pair, thread, trial->program.mop[thread]);
    trial->cut = CUT_WORDS; // so that the FIFOs stay full
    if (one_in(trial, 2))
        trial->cut = (enum cut)draw(trial, trials->timing ? CUTS : CUT_CYCLES);
    trial->most = usual[trial->cut] + draw(trial, 2 * usual[trial->cut]);
    if (one_in(trial, 4))
        trial->most = 1 + draw(trial, 12 * usual[trial->cut]);
    trial->fixed = one_in(trial, 2);
    trial->external = one_in(trial, 3);
    trial->slow = one_in(trial, 4);
    trial->counts = trials->timing && one_in(trial, 8);
    if (trial->counts)
        face_tiles_count(&trial->pair);
}

static void count(struct face_trials *trials, const struct trial *trial, tsr_end end)
{
    const struct tsr_engine *engine = &trial->pair.tile[0]->engine;
    trials->programs++;
    trials->lone += trial->program.lone >= 0;
    trials->with_faces += engine->in_faces > 0;
    trials->counted += trial->counts;
    trials->issued += issued_by_all(trial);
    trials->in_blocks += engine->in_blocks;
    trials->in_faces += engine->in_faces;
    trials->in_turns += engine->in_turns;
    trials->rounds += engine->bank_rounds.taken;
    trials->ends[end]++;
    assert_int_equal(trial->pair.tile[1]->engine.in_blocks, 0);
}

void face_trial(struct face_trials *trials, uint64_t seed)
{
    struct trial trial = {.seed = seed, .random = seed ^ seed >> 31};
    tsr_end end = TSR_END_IDLE;
    bool more = true;
    draw(&trial, 2);
    prepare(&trial, trials);
    for (unsigned run = 0; run < MOST_RUNS && more; run++) {
        const bool fed = feed(&trial);
        tsr_limits limits = next_limits(&trial);
        limits.external = trial.external && !fed;
        end = run_once(&trial, &limits, run);
        more = goes_on(&trial, end, fed);
    }
    count(trials, &trial, end);
    pair_free(&trial.pair);
}
