// SPDX-License-Identifier: Apache-2.0
// Programs in which no wait orders what two threads do to a bank of SrcA or SrcB, as shipped
// kernels have them: they end and compute the same in both timing modes, however they are cut and
// however their words come, and a finding names the order that they rely on.
// Pages: SrcASrcB.md, SETRWC.md, CLEARDVALID.md, ZEROSRC.md, UNPACR_NOP_SETDVALID.md,
// UNPACR_NOP_ZEROSRC.md, MOVA2D.md, MOVD2A.md, MOVD2B.md.
#include "numerics/dst_layout.h"
#include "rig/face_rig.h"

#include <tessera/trace.h>

enum { FACES = 12, WORDS = 8 };

static const char UNPACK_A[] = "UNPACR OvrdThreadId=1 SetDatValid=1 Last=1 AddrMode=1";
static const char UNPACK_B[] =
    "UNPACR Unpack_block_selection=1 OvrdThreadId=1 SetDatValid=1 Last=1 AddrMode=1";
// UNPACR_NOP by their words: a clear of SrcA or SrcB, a hand-over, and both in one (Blackhole).
static const char ZERO_A[] = "43000001", DVALID_A[] = "43000007", BOTH_A[] = "43000101";
static const char ZERO_B[] = "43800001", DVALID_B[] = "43800007", BOTH_B[] = "43800101";

// What a face takes. `unordered`: an instruction that names it in a finding; NULL: a wait orders
// all.
struct pattern {
    const char *name;
    int arch; // -1: both
    const char *unpack[WORDS], *math[WORDS];
    const char *unordered;
};

#define COPY "MOVA2D addr_mode=0 instr_mod=2", "MOVA2D addr_mode=1 instr_mod=2"
// Rows of what was copied last, by a bank of Src to another place of Dst.
#define BY_A "MOVD2A addr_mode=2 instr_mod=2 dst=1008", "MOVA2D addr_mode=2 dst=512"
#define BY_B "MOVD2B addr_mode=2 instr_mod=2 dst=1008", "MOVB2D addr_mode=2 dst=512"

static const struct pattern patterns[] = {
    {"datacopy", WH, {UNPACK_A, ZERO_B, DVALID_B}, {COPY, "SETRWC clear_ab_vld=3"}, "SETRWC"},
    {"datacopy", BH, {UNPACK_A, BOTH_B}, {COPY, "SETRWC clear_ab_vld=3"}, "SETRWC"},
    {"datacopy, SrcB first",
     WH,
     {ZERO_B, DVALID_B, UNPACK_A},
     {COPY, "SETRWC clear_ab_vld=3"},
     "SETRWC"},
    {"datacopy, one move that waits",
     WH,
     {UNPACK_A, ZERO_B, DVALID_B},
     {"STALLWAIT stall_res=0x40 wait_res=0x400", COPY, "CLEARDVALID cleardvalid=3"},
     "CLEARDVALID"},
    {"datacopy, one move that waits",
     BH,
     {UNPACK_A, BOTH_B},
     {"STALLWAIT stall_res=0x40 wait_res=0x80", COPY, "CLEARDVALID cleardvalid=3"},
     "CLEARDVALID"},
    {"both banks waited for",
     WH,
     {UNPACK_A, ZERO_B, DVALID_B},
     {"STALLWAIT stall_res=0x40 wait_res=0xc00", COPY, "SETRWC clear_ab_vld=3"},
     NULL},
    {"both banks waited for",
     BH,
     {UNPACK_A, BOTH_B},
     {"STALLWAIT stall_res=0x40 wait_res=0x180", COPY, "SETRWC clear_ab_vld=3"},
     NULL},
    {"one move a face",
     WH,
     {UNPACK_A, ZERO_B, DVALID_B},
     {"MOVA2D addr_mode=1 instr_mod=2", "SETRWC clear_ab_vld=3"},
     "SETRWC"},
    {"one move a face",
     BH,
     {UNPACK_A, BOTH_B},
     {"MOVA2D addr_mode=1 instr_mod=2", "SETRWC clear_ab_vld=3"},
     "SETRWC"},
    {"broadcast of SrcB with an empty SrcA",
     WH,
     {ZERO_A, DVALID_A, UNPACK_B},
     {"MOVB2D addr_mode=0", "SETRWC clear_ab_vld=3"},
     "SETRWC"},
    {"broadcast of SrcB with an empty SrcA",
     BH,
     {BOTH_A, UNPACK_B},
     {"MOVB2D addr_mode=0", "SETRWC clear_ab_vld=3"},
     "SETRWC"},
    {"ZEROSRC of the matrix unit's bank",
     WH,
     {UNPACK_A, ZERO_B, DVALID_B},
     {COPY, "ZEROSRC src_mask=2 write_mode=1", "SETRWC clear_ab_vld=3"},
     "ZEROSRC"},
    {"ZEROSRC of the matrix unit's bank",
     BH,
     {UNPACK_A, BOTH_B},
     {COPY, "ZEROSRC src_mask=2 write_mode=1", "SETRWC clear_ab_vld=3"},
     "ZEROSRC"},
    {"Dst to a zeroed SrcB",
     WH,
     {UNPACK_A, ZERO_B, DVALID_B},
     {COPY, BY_B, "SETRWC clear_ab_vld=3"},
     "MOVD2B"},
    {"Dst to a zeroed SrcB",
     BH,
     {UNPACK_A, BOTH_B},
     {COPY, BY_B, "SETRWC clear_ab_vld=3"},
     "MOVD2B"},
    {"Dst to a zeroed SrcA",
     WH,
     {UNPACK_A, ZERO_A, DVALID_A},
     {COPY, "SETRWC clear_ab_vld=1", BY_A, "SETRWC clear_ab_vld=1"},
     "MOVD2A"},
    {"Dst to a zeroed SrcA",
     BH,
     {UNPACK_A, BOTH_A},
     {COPY, "SETRWC clear_ab_vld=1", BY_A, "SETRWC clear_ab_vld=1"},
     "MOVD2A"},
    {"Dst to a SrcB that was waited for",
     WH,
     {UNPACK_A, ZERO_B, DVALID_B},
     {COPY, "STALLWAIT stall_res=0x40 wait_res=0x800", BY_B, "SETRWC clear_ab_vld=3"},
     NULL},
    {"Dst to a SrcB that was waited for",
     BH,
     {UNPACK_A, BOTH_B},
     {COPY, "STALLWAIT stall_res=0x40 wait_res=0x100", BY_B, "SETRWC clear_ab_vld=3"},
     NULL},
};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

// ---------------------------------------------------------------- feeding

// A thread's words, and how many have found room.
struct feed {
    uint32_t word[FACES * WORDS];
    int count, next;
};

static void fill(const tsr_tile *tile, struct feed *feed, const char *const texts[WORDS])
{
    for (int face = 0; face < FACES; face++)
        for (int i = 0; i < WORDS && texts[i]; i++)
            feed->word[feed->count++] = texts[i][0] == '4' ? (uint32_t)strtoul(texts[i], NULL, 16)
                                                           : tile_word(tile, texts[i]);
}

static bool feed_some(tsr_tile *tile, int thread, struct feed *feed, int most)
{
    for (; most > 0 && feed->next < feed->count; most--, feed->next++)
        if (tsr_push(tile, thread, feed->word[feed->next]) != TSR_OK)
            break;
    return feed->next < feed->count;
}

// Up to so many words of each thread, then up to so many steps, and so on.
struct way {
    int unpack_words, math_words, steps;
};

static const struct way ways[] = {{99, 99, 1}, {1, 1, 1}, {2, 1, 1}, {1, 99, 1}, {99, 99, 7}};

static tsr_tile *run(const struct pattern *pattern, int arch, bool timing, const struct way *way)
{
    tsr_tile *tile = tile_new(arch, timing, TSR_PROFILE_SILICON);
    struct feed unpack = {.count = 0}, math = {.count = 0};
    face_put(tile, FACE_A, face_a, FACES * FACE, 1);
    face_put(tile, FACE_B, face_b, FACES * FACE, 1);
    face_unpacker(tile);
    face_matrix(tile, arch);
    fill(tile, &unpack, pattern->unpack);
    fill(tile, &math, pattern->math);
    bool left = true;
    while (left) {
        left = feed_some(tile, 0, &unpack, way->unpack_words);
        left |= feed_some(tile, 1, &math, way->math_words);
        for (int i = 0; left && i < way->steps; i++)
            tsr_step(tile);
    }
    tsr_limits limits = tsr_limits_default();
    limits.max_cycles = 100000;
    tsr_end end = tsr_run(tile, &limits);
    if (end != TSR_END_IDLE)
        fail_msg("%s (%s, timing %d): end %d", pattern->name, arch == WH ? "WH" : "BH", timing,
                 (int)end);
    return tile;
}

// ---------------------------------------------------------------- what must hold

static const char *const never[] = {"src-bank-taken", "src-bank-left", "src-bank-parity",
                                    "instruction-deadlock"};

static void check(tsr_tile *tile, const struct pattern *pattern, int way, const uint8_t *dst)
{
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        if (tile_found(tile, never[i]))
            fail_msg("%s (timing %d, way %d): %s", pattern->name, tile_env(tile)->timing, way,
                     tile_found(tile, never[i])->sentence);
    const tsr_diagnostic *found = tile_found(tile, "src-bank-unordered");
    assert_int_equal(found != NULL, pattern->unordered != NULL);
    if (found)
        assert_int_equal(
            strncmp(found->instruction, pattern->unordered, strlen(pattern->unordered)), 0);
    assert_memory_equal(&tile_state(tile)->dst.bits, dst, sizeof tile_state(tile)->dst.bits);
}

// Every face's rows are in Dst, one after the other.
static void check_copy(tsr_tile *tile, const struct pattern *pattern)
{
    unsigned rows = 0;
    for (int i = 0; i < WORDS && pattern->math[i]; i++)
        rows += strstr(pattern->math[i], "MOVA2D") && strstr(pattern->math[i], "instr_mod") ? 8 : 0;
    for (unsigned i = 0; i < FACES * rows * 16; i++) {
        uint16_t datum = tile_state(tile)->dst.bits[i / 16][i % 16];
        unsigned place = i / (16 * rows) * FACE + i % (16 * rows);
        if (datum != tsr_dst_shuffle_bf16(face_bf16(face_a(place, 1))))
            fail_msg("%s: datum %u of Dst is 0x%04x", pattern->name, i, datum);
    }
}

static void test_patterns(int arch)
{
    for (int i = 0; i < PATTERNS; i++) {
        if (patterns[i].arch >= 0 && patterns[i].arch != arch)
            continue;
        tsr_tile *first = run(&patterns[i], arch, false, &ways[0]);
        const uint8_t *dst = (const uint8_t *)tile_state(first)->dst.bits;
        check_copy(first, &patterns[i]);
        for (int timing = 0; timing < 2; timing++)
            for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
                tsr_tile *tile = run(&patterns[i], arch, timing, &ways[way]);
                check(tile, &patterns[i], (int)way, dst);
                tsr_tile_destroy(tile);
            }
        tsr_tile_destroy(first);
    }
}
TILE_BOTH(test_patterns)

// ---------------------------------------------------------------- nobody hands over

// What is deferred goes on when nothing else moves, with a finding and no hang: alone, and when
// the others wait for what comes after it.
static void test_never_handed_over(int arch)
{
    static const char *const takers[] = {"SETRWC clear_ab_vld=3", "CLEARDVALID cleardvalid=3"};
    for (int i = 0; i < 4; i++)
        for (int staged = 0; staged < 2; staged++) {
            int alone = i / 2;
            tsr_options options = tsr_options_default((tsr_arch)arch);
            options.profile = TSR_PROFILE_SILICON;
            options.pipeline = staged ? TSR_PIPELINE_STAGED : TSR_PIPELINE_AUTO;
            tsr_tile *tile = tile_with(&options);
            tile_do(tile, 0, "SEMINIT sem_sel=1 max_value=4");
            tile_push(tile, 0, "SEMWAIT sem_sel=1 wait_sem_cond=1 stall_res=2");
            tile_push(tile, 0, "SEMGET sem_sel=1");
            tile_push(tile, 1, takers[i % 2]);
            tile_push(tile, 1, takers[i % 2]);
            tile_push(tile, 1, "SEMPOST sem_sel=1");
            tsr_limits limits = tsr_limits_default();
            limits.external = alone == 0; // who may still push may push the hand-over
            if (limits.external)
                for (int still = 1; still < 1000; still++)
                    assert_int_equal(tsr_run(tile, &limits), TSR_END_BLOCKED);
            while (tsr_run(tile, &limits) == TSR_END_BLOCKED)
                ;
            assert_true(tsr_thread_drained(tile, 1));
            tile_says(tile, "src-bank-taken", "which the unpackers own already");
            assert_int_equal(tile_semaphore(tile, 0), 0);
            for (int side = 0; side < 2; side++)
                assert_int_equal(tile_state(tile)->src[side].matrix_bank, 0);
            tsr_tile_destroy(tile);
        }
}
TILE_BOTH(test_never_handed_over)

// A move to Src, too, goes on when nobody hands its bank over, and writes it.
static void test_moves_never_handed_over(int arch)
{
    static const char *const moves[] = {"MOVD2A instr_mod=2", "MOVD2B instr_mod=2"};
    for (int side = 0; side < 2; side++) {
        tsr_tile *tile = tile_new(arch, false, TSR_PROFILE_SILICON);
        face_matrix(tile, arch);
        tile_push(tile, 1, moves[side]);
        tile_push(tile, 1, moves[side]);
        tile_push(tile, 1, "SEMINIT sem_sel=1 init_value=3 max_value=4");
        assert_int_equal(tile_run(tile), TSR_END_IDLE);
        assert_int_equal(tile_semaphore(tile, 0), 3);
        assert_true(tile_state(tile)->src[side].bank[0].filled);
        assert_null(tile_found(tile, "src-bank-unordered"));
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_moves_never_handed_over)

// With timing on the race is run: whoever is late has lost, and a finding says so.
static void test_lost_race(int arch)
{
    struct pattern pattern = {"a late hand-over",
                              -1,
                              {UNPACK_A, UNPACK_B},
                              {COPY, "SETRWC clear_ab_vld=1", "SETRWC clear_ab_vld=2"},
                              NULL};
    tsr_tile *tile = run(&pattern, arch, true, &ways[0]);
    tile_says(tile, "src-bank-taken", "SETRWC gives SrcB bank 0 back");
    tsr_tile_destroy(tile);
    tile = run(&pattern, arch, false, &ways[0]);
    assert_null(tile_found(tile, "src-bank-taken"));
    tile_says(tile, "src-bank-unordered", "which handed SrcB bank 0 over");
    check_copy(tile, &pattern);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_lost_race)

// ---------------------------------------------------------------- waits that order

struct ordered {
    const char *unpack[3], *math[3];
    bool ordered;
};

// Which post a SEMWAIT waited for decides.
static const struct ordered semaphores[] = {
    {{"SETDVALID setvalid=2", "SEMPOST sem_sel=2"},
     {"SEMWAIT sem_sel=2 wait_sem_cond=1 stall_res=0x40", "SETRWC clear_ab_vld=2"},
     true},
    {{"SEMPOST sem_sel=2", "SETDVALID setvalid=2"},
     {"SEMWAIT sem_sel=2 wait_sem_cond=1 stall_res=0x40", "SETRWC clear_ab_vld=2"},
     false},
    {{"SETDVALID setvalid=2", "SEMPOST sem_sel=2"}, {"SETRWC clear_ab_vld=2"}, false},
    {{NULL}, {"SETDVALID setvalid=2", "SETRWC clear_ab_vld=2"}, true},
};

static void test_semaphores(int arch)
{
    for (size_t i = 0; i < sizeof semaphores / sizeof *semaphores; i++)
        for (int timing = 0; timing < 2; timing++) {
            tsr_tile *tile = tile_new(arch, timing, TSR_PROFILE_SILICON);
            tile_do(tile, 2, "SEMINIT sem_sel=2 max_value=4");
            for (int word = 0; word < 3; word++)
                if (semaphores[i].unpack[word])
                    tile_push(tile, 0, semaphores[i].unpack[word]);
            tile_run(tile);
            for (int word = 0; word < 3; word++)
                if (semaphores[i].math[word])
                    tile_push(tile, 1, semaphores[i].math[word]);
            assert_int_equal(tile_run(tile), TSR_END_IDLE);
            assert_int_equal(tile_found(tile, "src-bank-unordered") == NULL, semaphores[i].ordered);
            tsr_tile_destroy(tile);
        }
}
TILE_BOTH(test_semaphores)

// ---------------------------------------------------------------- the order itself

enum { OF_EACH = 9 };

struct seen {
    int count, wrong;
};

static void see(void *user, const tsr_event *event)
{
    struct seen *seen = user;
    if (event->kind == TSR_EVENT_INSTRUCTION)
        seen->wrong += event->thread != seen->count++ / OF_EACH;
}

// With timing off each thread runs until it is held, in the order 0, 1, 2, whatever came before.
static void test_fixed_order(int arch)
{
    for (int before = 0; before < 4; before++)
        for (unsigned slice = 0; slice < 4; slice++) {
            struct seen seen = {0};
            tsr_tile *tile = tile_default(arch);
            for (int i = 0; i < before; i++) { // rounds of two threads
                tile_push(tile, 1, "SEMINIT sem_sel=1 max_value=15");
                tile_push(tile, 2, "SEMINIT sem_sel=2 max_value=15");
                tile_idle(tile);
            }
            tsr_tile_observe(tile, see, &seen);
            for (int i = 0; i < OF_EACH; i++)
                for (int thread = 2; thread >= 0; thread--)
                    tile_push(tile, thread, "SEMINIT sem_sel=4 max_value=15");
            tsr_limits limits = tsr_limits_default();
            limits.max_steps = slice;
            while (tsr_run(tile, &limits) == TSR_END_TIMEOUT)
                ;
            assert_int_equal(seen.count, OF_EACH * TSR_THREADS);
            assert_int_equal(seen.wrong, 0);
            tsr_tile_destroy(tile);
        }
}
TILE_BOTH(test_fixed_order)

// ---------------------------------------------------------------- the end of a run

// With timing off a run goes on until nothing can move, also where no thread has words any more:
// what waits in a unit, and a wait behind which nothing stands.
static void test_what_is_left(int arch)
{
    tsr_limits limits = tsr_limits_default();
    limits.external = true;
    tsr_tile *tile = tile_default(arch);
    const struct tsr_state *state = tile_state(tile);
    tile_do(tile, 2, "SEMINIT sem_sel=1 max_value=4");
    tile_do(tile, 1, "SEMWAIT sem_sel=1 wait_sem_cond=1 stall_res=2");
    assert_true(state->sync.latch[1].latched);
    tile_do(tile, 0, "SEMPOST sem_sel=1");
    assert_false(state->sync.latch[1].latched);

    face_put(tile, FACE_A, face_a, 3 * FACE, 1);
    face_unpacker(tile);
    for (int i = 0; i < 3; i++)
        tile_push(tile, 0, UNPACK_A);
    tsr_run(tile, &limits);
    assert_int_equal(state->queues.of[TSR_UNIT_UNPACKER0].count, 1);
    tile_push(tile, 1, "SETRWC clear_ab_vld=1");
    tsr_run(tile, &limits);
    assert_int_equal(state->queues.active, 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_what_is_left)

int main(void)
{
    const struct CMUnitTest tests[] = {TILE_TEST(test_patterns),
                                       TILE_TEST(test_never_handed_over),
                                       TILE_TEST(test_moves_never_handed_over),
                                       TILE_TEST(test_lost_race),
                                       TILE_TEST(test_semaphores),
                                       TILE_TEST(test_fixed_order),
                                       TILE_TEST(test_what_is_left)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
