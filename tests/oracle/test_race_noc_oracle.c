// SPDX-License-Identifier: Apache-2.0
// Races over the NoC that a chip finds against a second model, on random programs of two cores of
// each of three tiles, on both chips, with timing off and on. The model is written from
// docs/races.md ("Over the NoC") and is slow and simple: steps of cores, and of each request the
// reading of its data, its access at the receiver, that of its response, and its completion are
// nodes with the set of all nodes before them, and all pairs of accesses that conflict are
// compared. One finds a race if and only if the other does. Then each kind of order is left out of
// the model, and the comparison must notice.
// Usage: test_race_noc_oracle [WORDS [SEED]]: a program for every ten thousand WORDS
#include "rig/noc_steps.h"

#include <stdio.h>

enum { LENGTH = 22, NODES = 6 * LENGTH, SETS = (NODES + 63) / 64, TILES = 3, PLACES = 4 };
enum { DEFAULT_PROGRAMS = 60, WORD_BYTES = 4 };

// Kinds of order, which can be left out.
enum edge { IN_PROGRAM, BY_ID, BY_SENT, BY_KIND, BY_FLAG, BY_STORE, BY_CHANNEL, EDGES };

struct use {
    int node, tile; // DRAM, too
    unsigned first, last;
    bool write, flag, atomic, store, load;
};

enum channel { NO_CHANNEL, STATIC_CHANNEL, LINKED_CHANNEL };
struct sent {
    struct step step;
    enum channel channel;
    int reads, arrives[TILES], returns, done; // nodes; -1: none
};

struct model {
    uint64_t before[NODES][SETS];
    int nodes, uses, requests;
    struct use use[2 * NODES];
    struct sent request[LENGTH];
    int last[TILES][TSR_CORE_NC + 1];
    bool linked[TILES]; // the tile's last request was
    enum edge without;
};

static int programs = DEFAULT_PROGRAMS;
static uint64_t first_seed = 1;

// ---------------------------------------------------------------- the model

static bool is_before(const struct model *model, int a, int b)
{
    return a == b || (model->before[b][a / 64] >> (a % 64) & 1);
}

static void edge(struct model *model, enum edge kind, int from, int to)
{
    if (from < 0 || kind == model->without)
        return;
    for (int i = 0; i < SETS; i++)
        model->before[to][i] |= model->before[from][i];
    model->before[to][from / 64] |= 1ull << from % 64;
}

// A step of a request: in the order of its steps.
static int part(struct model *model, int behind)
{
    int own = model->nodes++;
    if (behind >= 0) {
        memcpy(model->before[own], model->before[behind], sizeof model->before[own]);
        model->before[own][behind / 64] |= 1ull << behind % 64;
    }
    return own;
}

static struct use *add_use(struct model *model, int node, unsigned tile, unsigned first,
                           unsigned bytes, bool write)
{
    struct use *use = &model->use[model->uses++];
    *use = (struct use){
        .node = node, .tile = (int)tile, .first = first, .last = first + bytes - 1, .write = write};
    return use;
}

static bool is_write(const struct step *step)
{
    return step->op == WRITE || step->op == POSTED || step->op == ROW;
}

static bool answers(const struct step *step)
{
    return step->op == WRITE || step->op == READ || step->op == ROW;
}

// Writes and atomics of a tile behind each other on one channel to one receiver. (Broadcasts take
// none.)
static void join_channel(struct model *model, const struct sent *request, int arrives)
{
    const struct step *step = &request->step;
    for (int i = 0; i < model->requests; i++) {
        const struct step *other = &model->request[i].step;
        if (other->tile == step->tile && other->to == step->to &&
            model->request[i].channel == request->channel && request->channel != NO_CHANNEL &&
            other->op != READ && step->op != READ)
            edge(model, BY_CHANNEL, model->request[i].arrives[step->to % TILES], arrives);
    }
}

// At one receiver. Its node.
static int arrive(struct model *model, struct sent *request, int behind, unsigned to)
{
    const struct step *step = &request->step;
    bool flag = step->op == WORD || step->op == ADD;
    int node = request->arrives[to % TILES] = part(model, behind);
    join_channel(model, request, node);
    struct use *use =
        add_use(model, node, to, step->far, flag ? WORD_BYTES : BYTES, step->op != READ);
    use->flag = flag;
    use->atomic = step->op == ADD;
    return node;
}

static void issue_request(struct model *model, const struct step *step, int own)
{
    struct sent *request = &model->request[model->requests];
    int node = own, other = -1;
    bool linked = step->flags & LINKED || model->linked[step->tile];
    model->linked[step->tile] = step->flags & LINKED;
    *request = (struct sent){.step = *step,
                             .channel = step->flags & STATIC ? STATIC_CHANNEL
                                        : linked             ? LINKED_CHANNEL
                                                             : NO_CHANNEL,
                             .reads = -1,
                             .arrives = {-1, -1, -1},
                             .returns = -1,
                             .done = -1};
    if (is_write(step)) {
        node = request->reads = part(model, node);
        add_use(model, node, step->tile, step->at, BYTES, false);
    }
    if (step->op == ROW) // to the tile behind it, too
        other = arrive(model, request, node, step->to + 1);
    node = arrive(model, request, node, step->to);
    if (step->op == READ) {
        node = request->returns = part(model, node);
        add_use(model, node, step->tile, step->at, BYTES, true);
    }
    request->done = part(model, node);
    edge(model, IN_PROGRAM, other, request->done);
    model->requests++;
}

// A counter of the tile says that all requests that it counts are over.
static void load_counter(struct model *model, const struct step *step, int own)
{
    for (int i = 0; i < model->requests; i++) {
        const struct sent *request = &model->request[i];
        const struct step *other = &request->step;
        bool same_id = other->id == step->id;
        if (other->tile != step->tile)
            continue;
        if (step->op == COMPLETE && same_id && answers(other))
            edge(model, BY_ID, request->done, own);
        if (step->op == SENT && same_id && is_write(other))
            edge(model, BY_SENT, request->reads, own);
        bool acked = other->op == WRITE || other->op == ROW;
        if ((step->op == ACKS && acked) || (step->op == READS && other->op == READ))
            edge(model, BY_KIND, request->done, own);
    }
}

// Flags and other cores' stores tell; all else must be there.
static void load_word(struct model *model, const struct step *step, int own)
{
    int newest = -1;
    for (int i = 0; i < model->uses; i++) {
        const struct use *use = &model->use[i];
        if (use->tile != (int)step->tile || step->at < use->first || step->at > use->last)
            continue;
        if (use->flag)
            edge(model, BY_FLAG, use->node, own);
        if (use->store)
            newest = use->node;
    }
    edge(model, BY_STORE, newest, own);
    add_use(model, own, step->tile, step->at, WORD_BYTES, false)->load = true;
}

static void take(struct model *model, const struct step *step)
{
    int own = part(model, -1);
    int *last = &model->last[step->tile][step->core];
    edge(model, IN_PROGRAM, *last, own);
    *last = own;
    switch (step->op) {
    case STORE:
        add_use(model, own, step->tile, step->at, WORD_BYTES, true)->store = true;
        break;
    case LOAD:
        load_word(model, step, own);
        break;
    case COMPLETE:
    case SENT:
    case ACKS:
    case READS:
        load_counter(model, step, own);
        break;
    default:
        issue_request(model, step, own);
    }
}

static bool in_conflict(const struct use *a, const struct use *b)
{
    if (a->tile != b->tile || a->first > b->last || b->first > a->last || !(a->write || b->write))
        return false;
    const struct use *other = a->load ? b : b->load ? a : NULL;
    if (other && (other->flag || other->store)) // which tell those who load them
        return false;
    return !(a->atomic && b->atomic);
}

static int races(const struct model *model)
{
    int count = 0;
    for (int i = 0; i < model->uses; i++)
        for (int k = i + 1; k < model->uses; k++) {
            const struct use *a = &model->use[i], *b = &model->use[k];
            count += in_conflict(a, b) && !is_before(model, a->node, b->node) &&
                     !is_before(model, b->node, a->node);
        }
    return count;
}

static int model_races(const struct step *steps, enum edge without)
{
    static struct model model;
    memset(&model, 0, sizeof model);
    memset(model.last, -1, sizeof model.last);
    model.without = without;
    for (const struct step *step = steps; step->op != END; step++)
        take(&model, step);
    return races(&model);
}

// ---------------------------------------------------------------- programs

// splitmix64
static unsigned below(uint64_t *random, unsigned bound)
{
    uint64_t mixed = *random += 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
    return (unsigned)((mixed ^ mixed >> 31) >> 32) % bound;
}

static struct step random_step(uint64_t *random)
{
    static const enum op ops[] = {STORE, LOAD, LOAD, LOAD,     READ,     WRITE, WRITE, POSTED,
                                  WORD,  ADD,  ADD,  COMPLETE, COMPLETE, SENT,  ACKS,  READS};
    enum op op = ops[below(random, sizeof ops / sizeof *ops)];
    struct step step = {.tile = below(random, TILES),
                        .core = below(random, 4) ? CORE_B : CORE_NC,
                        .op = op,
                        .id = 1 + below(random, 2)};
    bool flag = op == WORD || op == ADD;
    step.to = (step.tile + 1 + below(random, TILES - 1)) % TILES;
    if ((op == READ || op == WRITE || op == POSTED) && below(random, 3) == 0)
        step.to = DRAM;
    step.at = A + 0x1000 * below(random, PLACES);
    step.far =
        step.to == DRAM ? 0x1000 * (1 + below(random, PLACES)) : A + 0x1000 * below(random, PLACES);
    if (op == LOAD)
        step.at = below(random, 2) ? FLAG : step.at + 64;
    if (op == STORE)
        step.at = below(random, 2) ? FLAG + 64 : step.at + 64;
    if (flag) {
        step.at = 0;
        step.far = FLAG + 64 * (op == WORD);
    }
    if (op != READ && (flag || is_write(&step)) && below(random, 3) == 0)
        step.flags = STATIC;
    if (op == ACKS || op == READS)
        step.id = 0;
    return step;
}

// A write to both other tiles; one that is linked to what comes behind it.
static struct step random_row(uint64_t *random)
{
    return (struct step){.core = CORE_B,
                         .op = ROW,
                         .to = 1,
                         .at = A + 0x1000 * below(random, PLACES),
                         .far = A + 0x1000 * below(random, PLACES),
                         .id = 1 + below(random, 2)};
}

static struct step linked_to(const struct step *next, uint64_t *random)
{
    struct step step = *next;
    step.op = POSTED;
    step.flags = LINKED;
    step.at = A + 0x1000 * below(random, PLACES);
    step.far = A + 0x1000 * below(random, PLACES);
    return step;
}

static void make_program(struct step *steps, uint64_t seed)
{
    uint64_t random = seed;
    int length = 2 + (int)below(&random, LENGTH - 2);
    memset(steps, 0, (LENGTH + 1) * sizeof *steps);
    for (int i = 0; i < length; i++) {
        steps[i] = below(&random, 12) == 0 ? random_row(&random) : random_step(&random);
        const struct step next = steps[i];
        bool can_be_linked = (next.op == WRITE || next.op == WORD || next.op == ADD) &&
                             next.flags == 0 && next.to != DRAM && i + 1 < length;
        if (can_be_linked && below(&random, 4) == 0) {
            steps[i] = linked_to(&next, &random);
            steps[++i] = next;
        }
    }
}

static void print_program(const struct step *steps)
{
    static const char *const names[] = {"END",   "STORE", "LOAD",   "READ",     "WRITE", "POSTED",
                                        "WORD",  "ADD",   "ROW",    "COMPLETE", "SENT",  "ACKS",
                                        "READS", "LEFT",  "SIGNAL", "LOOK"};
    for (; steps->op != END; steps++)
        print_message("  {%u, %u, %s, %u, 0x%x, 0x%x, %u, %u}\n", steps->tile, steps->core,
                      names[steps->op], steps->to, steps->at, steps->far, steps->id, steps->flags);
}

static int chip_races(int arch, bool timing, const struct step *steps, char *first, size_t size)
{
    tsr_chip_options options = tsr_chip_options_default((tsr_arch)arch);
    tsr_chip_finding found;
    tsr_chip *chip = NULL;
    int count = 0;
    options.tile.timing = timing;
    options.tile.find_races = true;
    assert_int_equal(tsr_chip_create(&options, &chip), TSR_OK);
    for (unsigned tile = 0; tile < TILES; tile++)
        tile_of(chip, tile);
    for (const struct step *step = steps; step->op != END; step++)
        act(chip, step);
    settle(chip);
    for (int i = 0; tsr_chip_finding_at(chip, i, &found) == TSR_OK; i++)
        if (found.diagnostic->category == TSR_RACE && count++ == 0)
            snprintf(first, size, "%s", found.diagnostic->sentence);
    tsr_chip_destroy(chip);
    return count;
}

// ---------------------------------------------------------------- comparing

static void compare(int arch)
{
    int racy = 0;
    for (int i = 0; i < programs; i++) {
        struct step steps[LENGTH + 1];
        char first[320] = "";
        uint64_t seed = first_seed + (unsigned)i;
        make_program(steps, seed);
        int expected = model_races(steps, EDGES);
        int got = chip_races(arch, i % 2, steps, first, sizeof first);
        if ((expected > 0) != (got > 0)) {
            print_program(steps);
            fail_msg("seed %llu: the model has %d races, the chip %d: %s", (unsigned long long)seed,
                     expected, got, first);
        }
        racy += got > 0;
    }
    assert_true(programs < DEFAULT_PROGRAMS || (racy > 0 && racy < programs));
}
TILE_BOTH(compare)

// Without an order of the model's, programs that have no race have one.
static void test_orders_matter(void **state)
{
    enum { MOST = 20000 };
    (void)state;
    for (enum edge without = IN_PROGRAM; without < EDGES; without++) {
        bool noticed = false;
        for (uint64_t seed = 1; seed <= MOST && !noticed; seed++) {
            struct step steps[LENGTH + 1];
            make_program(steps, seed);
            noticed = model_races(steps, EDGES) == 0 && model_races(steps, without) > 0;
        }
        if (!noticed)
            fail_msg("nothing depends on order %d", (int)without);
    }
}

int main(int argc, char **argv)
{
    enum { WORDS_OF_A_PROGRAM = 10000 };
    if (argc > 1)
        programs = (int)(strtoul(argv[1], NULL, 0) / WORDS_OF_A_PROGRAM);
    if (argc > 2)
        first_seed = strtoull(argv[2], NULL, 0);
    const struct CMUnitTest tests[] = {
        TILE_TEST(compare),
        cmocka_unit_test(test_orders_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
