// SPDX-License-Identifier: Apache-2.0
// Races that a tile finds against those of a second model (race_model.h), on random programs of
// three threads and the cores (race_programs.h), on both chips, with timing off and on and on
// random schedules. For each program: one finds a race if and only if the other does; each pair of
// places that the tile names is one of the model's, with the same storage and kind; and the first
// access to each cell that races is named, with one of those that it races with. (Later ones need
// not be: the tile keeps the last accesses alone, and tells a pair of places once.) Then each kind
// of order is left out of the model, and the comparison must notice.
// Usage: test_race_oracle [WORDS [SEED]]: a program for every thousand WORDS
#include "race_model.h"
#include "race_programs.h"

enum { DEFAULT_PROGRAMS = 300, MOST_PROGRAMS = 3000, MOST_PROBLEMS = 3 };

static int programs = DEFAULT_PROGRAMS;
static uint64_t first_seed = 1;
static struct race_model *model;

// ---------------------------------------------------------------- places

static bool is_place(const struct race_node *node, const struct tsr_race_place *place)
{
    if (node->thread < 0)
        return place->thread < 0 && place->core == node->core && place->pc == node->pc;
    return place->thread == node->thread && place->sequence == node->sequence;
}

// Where in a program: the same word, pushed from the same place, is the same.
static bool is_line(const struct race_node *node, const struct tsr_race_place *place)
{
    return is_place(node, place) || (node->thread >= 0 && place->thread == node->thread &&
                                     place->word == node->word && place->pc == node->pc);
}

static const struct race_node *node_of(int use)
{
    return &model->node[model->use[use].node];
}

static bool is_pair(int earlier, int later, const struct tsr_race_found *found)
{
    return model->use[earlier].access.storage == found->storage &&
           is_place(node_of(earlier), &found->earlier) && is_place(node_of(later), &found->later);
}

static void print_place(const struct race_model *of, int use)
{
    const struct race_node *node = &of->node[of->use[use].node];
    const struct tsr_race_access *access = &of->use[use].access;
    if (node->thread < 0)
        print_message("core %d at 0x%08x", node->core, (unsigned)node->pc);
    else
        print_message("T%d's %d, unit %u%s", node->thread, (int)node->sequence, node->unit,
                      node->accepted == of->use[use].node ? " (accepted)" : "");
    print_message(" %s %u+%u", access->write ? "writes" : "reads", (unsigned)access->first,
                  (unsigned)access->count);
}

// ---------------------------------------------------------------- comparison

struct outcome {
    int races;    // pairs of the model
    int problems; // 0: both agree
};

enum { CELLS = 1 << 17 };
static int first_race[TSR_RACE_STORAGES][CELLS]; // by cell, the access; 1 more, 0: none

// Whether the tile names the two, or their lines, in either order.
static bool named(const struct race_log *log, int one, int two)
{
    for (int i = 0; i < log->found; i++) {
        const struct tsr_race_found *found = &log->finding[i];
        if (model->use[one].access.storage == found->storage &&
            ((is_line(node_of(one), &found->earlier) && is_line(node_of(two), &found->later)) ||
             (is_line(node_of(two), &found->earlier) && is_line(node_of(one), &found->later))))
            return true;
    }
    return false;
}

// The first race of each cell of an access: one of those with it is named.
static int check_cells(const struct race_log *log, int later, bool tell)
{
    enum tsr_race_kind kind;
    uint32_t first, count;
    int problems = 0, storage = model->use[later].access.storage;
    static bool told[CELLS];
    static uint32_t cells[CELLS];
    uint32_t many = 0;
    for (int earlier = 0; earlier < later; earlier++) {
        if (!race_model_shared(model, earlier, later, &first, &count) ||
            !race_model_races(model, earlier, later, &kind))
            continue;
        bool is_named = named(log, earlier, later);
        for (uint32_t cell = first; cell < first + count && cell < CELLS; cell++) {
            if (first_race[storage][cell] == 0) {
                first_race[storage][cell] = later + 1;
                told[cell] = false;
                cells[many++] = cell;
            }
            if (first_race[storage][cell] == later + 1)
                told[cell] |= is_named;
        }
    }
    for (uint32_t i = 0; i < many; i++) {
        if (!told[cells[i]] && problems++ == 0 && tell) {
            print_message("storage %d, cell %u: the tile does not name ", storage,
                          (unsigned)cells[i]);
            print_place(model, later);
            print_message(" after");
            for (int earlier = 0; earlier < later; earlier++)
                if (race_model_shared(model, earlier, later, &first, &count) &&
                    cells[i] - first < count && race_model_races(model, earlier, later, &kind)) {
                    print_message(" | ");
                    print_place(model, earlier);
                }
            print_message("\n");
        }
    }
    return problems;
}

static bool is_race(const struct tsr_race_found *found)
{
    enum tsr_race_kind kind;
    uint32_t first, count;
    for (int later = 0; later < model->uses; later++)
        for (int earlier = 0; earlier < later; earlier++)
            if (is_pair(earlier, later, found) &&
                race_model_shared(model, earlier, later, &first, &count) &&
                race_model_races(model, earlier, later, &kind) && kind == found->kind)
                return true;
    return false;
}

static struct outcome compare(const struct race_log *log, enum race_edge without, bool tell)
{
    struct outcome outcome = {0};
    if (!race_model_build(model, log, without)) {
        if (tell)
            print_message("the program is too long\n");
        outcome.problems = 1;
        return outcome;
    }
    memset(first_race, 0, sizeof first_race);
    for (int later = 0; later < model->uses; later++) {
        enum tsr_race_kind kind;
        uint32_t first, count;
        for (int earlier = 0; earlier < later; earlier++)
            outcome.races += race_model_shared(model, earlier, later, &first, &count) &&
                             race_model_races(model, earlier, later, &kind);
        outcome.problems += check_cells(log, later, tell && outcome.problems < MOST_PROBLEMS);
    }
    for (int i = 0; i < log->found; i++) {
        const struct tsr_race_found *found = &log->finding[i];
        if (is_race(found))
            continue;
        if (tell && outcome.problems < MOST_PROBLEMS)
            print_message("the tile alone finds kind %d, storage %d, cell %u: T%d's %d (core %d, "
                          "0x%x), T%d's %d (core %d, 0x%x)\n",
                          (int)found->kind, (int)found->storage, (unsigned)found->cell,
                          found->earlier.thread, (int)found->earlier.sequence, found->earlier.core,
                          (unsigned)found->earlier.pc, found->later.thread,
                          (int)found->later.sequence, found->later.core, (unsigned)found->later.pc);
        outcome.problems++;
    }
    outcome.problems += (outcome.races > 0) != (log->found > 0);
    return outcome;
}

// ---------------------------------------------------------------- programs

static const char *const edges[] = {
#define EDGE(name, text) text,
    RACE_EDGES(EDGE)
#undef EDGE
};

static uint64_t noticed_in[RACE_EDGE_COUNT]; // the first program that differs without it

static struct race_log *run(uint64_t seed, FILE *text, tsr_tile **out)
{
    int arch = seed & 1 ? WH : BH;
    bool timing = seed >> 1 & 1;
    tsr_tile *tile =
        race_program_tile(arch, timing, seed >> 2 & 1 ? TSR_SCHEDULE_RANDOM : TSR_SCHEDULE_CARD);
    struct race_log *log = race_log_begin(tile);
    race_program_run(tile, seed, text);
    *out = tile;
    return log;
}

// Which of the orders that no program has noticed yet this one does.
static void notice(struct race_log *log, uint64_t seed)
{
    for (int edge = 0; edge < RACE_EDGE_COUNT; edge++)
        if (noticed_in[edge] == 0 && compare(log, (enum race_edge)edge, false).problems > 0)
            noticed_in[edge] = seed;
}

static bool all_noticed(void)
{
    for (int edge = 0; edge < RACE_EDGE_COUNT; edge++)
        if (noticed_in[edge] == 0)
            return false;
    return true;
}

static void test_programs(void **state)
{
    (void)state;
    int racy = 0, bad = 0;
    for (int i = 0; i < programs; i++) {
        tsr_tile *tile;
        uint64_t seed = first_seed + (uint64_t)i;
        struct race_log *log = run(seed, NULL, &tile);
        struct outcome outcome = compare(log, RACE_EDGE_COUNT, false);
        racy += outcome.races > 0;
        if (outcome.problems == 0)
            notice(log, seed);
        race_log_end(log);
        tsr_tile_destroy(tile);
        if (outcome.problems == 0)
            continue;
        if (bad++ >= MOST_PROBLEMS)
            continue;
        print_message("program %d, %s, timing %s:\n", (int)seed, seed & 1 ? "WH" : "BH",
                      seed >> 1 & 1 ? "on" : "off");
        log = run(seed, stdout, &tile);
        compare(log, RACE_EDGE_COUNT, true);
        race_log_end(log);
        tsr_tile_destroy(tile);
    }
    print_message("%d programs, %d with races, %d differ\n", programs, racy, bad);
    assert_int_equal(bad, 0);
    assert_in_range(racy, programs / 10, programs - programs / 10);
}

// Whatever orders anything is missed when it is left out. What is rare may need more programs.
static void test_edges(void **state)
{
    (void)state;
    int missed = 0;
    for (int i = programs; programs >= DEFAULT_PROGRAMS && !all_noticed() && i < MOST_PROGRAMS;
         i++) {
        tsr_tile *tile;
        struct race_log *log = run(first_seed + (uint64_t)i, NULL, &tile);
        notice(log, first_seed + (uint64_t)i);
        race_log_end(log);
        tsr_tile_destroy(tile);
    }
    for (int edge = 0; edge < RACE_EDGE_COUNT; edge++) {
        print_message("without \"%s\": seen in program %d\n", edges[edge], (int)noticed_in[edge]);
        missed += noticed_in[edge] == 0;
    }
    if (programs >= DEFAULT_PROGRAMS)
        assert_int_equal(missed, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_programs),
                                       cmocka_unit_test(test_edges)};
    if (argc > 1)
        programs = (int)(strtoul(argv[1], NULL, 0) / 1000);
    if (argc > 2)
        first_seed = strtoull(argv[2], NULL, 0);
    model = calloc(1, sizeof *model);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(model);
    return failed;
}
