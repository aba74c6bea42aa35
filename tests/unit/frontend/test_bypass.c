// SPDX-License-Identifier: Apache-2.0
// With timing off a thread's words skip the stages before the gate (frontend/bypass.c), with timing
// on a round leaves out what cannot move (tile/agenda_round.c). Random programs must leave the same
// tile, and report the same to an observer, as when they take every stage (TSR_PIPELINE_STAGED).
#include "rig/event_log.h"
#include "rig/sample.h"
#include "rig/state_compare.h"
#include "rig/tile_rig.h"

enum { PROGRAMS = RIG_SAMPLE(100), WORDS = 300, CHUNK = 24 };

static uint32_t draw(uint64_t *seed, uint32_t below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % below;
}

// Every unit, waits that are met at once or never, all that expands, findings of both kinds. A %u
// is a random number below the second column.
static const struct {
    const char *text;
    uint32_t below;
} lines[] = {
    {"NOP", 1},
    {"SETRWC BitMask=%u rwc_a=3 rwc_b=5 rwc_d=7", 16},
    {"INCRWC rwc_a=%u rwc_d=8", 16},
    {"ELWADD dst=%u", 64},
    {"MOVA2D instr_mod=2 dst=%u", 64},
    {"MVMUL dst=%u clear_dvalid=1", 64},
    {"ZEROACC clear_mode=%u", 4},
    {"ZEROSRC src_mask=%u", 4},
    {"SETDVALID setvalid=%u", 4},
    {"CLEARDVALID cleardvalid=%u", 4},
    {"UNPACR Unpack_block_selection=%u OvrdThreadId=1 SetDatValid=1", 2},
    {"PACR Last=%u", 2},
    {"SETADCXY CntSetMask=7 BitMask=%u Ch0_X=2 Ch1_Y=3", 16},
    {"INCADCZW CntSetMask=%u Ch0_X=1", 8},
    {"SETDMAREG RegIndex16b=%u Payload_SigSel=77", 128},
    {"ADDDMAREG OpBisConst=1 ResultRegIndex=3 OpBRegIndex=2 OpARegIndex=%u", 8},
    {"STOREREG TdmaDataRegIndex=%u RegAddr=0x481a", 2},
    {"STOREREG TdmaDataRegIndex=%u RegAddr=0x4404", 2},
    {"LOADREG TdmaDataRegIndex=9 RegAddr=0x44%u0", 4},
    {"LOADIND AddrRegIndex=%u DataRegIndex=6 OffsetIndex=4 SizeSel=1", 8},
    {"STOREIND MemHierSel=1 AddrRegIndex=%u DataRegIndex=3 OffsetIndex=4 SizeSel=1", 8},
    {"ATINCGET WrapVal=7 AddrRegIndex=%u DataRegIndex=5", 8},
    {"FLUSHDMA FlushSpec=%u", 16},
    {"XMOV Last=%u", 1},
    {"RDCFG GprAddress=%u CfgReg=5", 8},
    {"RMWCIB0 Mask=255 Data=3 CfgRegAddr=%u", 40},
    {"GMPOOL dst=%u", 64},
    {"WRCFG GprAddress=%u CfgReg=5", 8},
    {"SETC16 setc16_reg=5 setc16_value=%u", 4},
    {"SEMINIT sem_sel=2 init_value=%u max_value=15", 8},
    {"SEMPOST sem_sel=%u", 4},
    {"SEMGET sem_sel=%u", 4},
    {"STALLWAIT stall_res=64 wait_res=%u", 16},
    {"SEMWAIT stall_res=2 wait_sem_cond=1 sem_sel=%u", 4},
    {"ATGETM mutex_index=%u", 1},
    {"ATRELM mutex_index=%u", 1},
    {"MOP mop_type=%u", 2},
    {"MOP_CFG zmask_hi16=%u", 8},
    {"REPLAY load_mode=1 execute_while_loading=1 len=%u", 3},
    {"REPLAY start_idx=2 len=%u", 8},
};
enum { LINES = sizeof lines / sizeof *lines };

// A tile with banks that can be used, GPRs and a MOP of each kind.
static tsr_tile *make_tile(int arch, tsr_pipeline pipeline, bool timing)
{
    static const char *const mop[7] = {"NOP",
                                       "INCRWC rwc_a=1",
                                       "SEMPOST sem_sel=1",
                                       "INCRWC rwc_b=2",
                                       "REPLAY start_idx=1 len=2",
                                       "SETADC Value=5",
                                       "NOP"};
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.profile = TSR_PROFILE_SILICON;
    options.watch_config = true;
    options.pipeline = pipeline;
    options.timing = timing;
    tsr_tile *tile = tile_with(&options);
    for (int thread = 0; thread < TSR_THREADS; thread++) {
        struct tsr_frontend *frontend = &tile_state(tile)->frontend[thread];
        for (int i = 0; i < 7; i++)
            frontend->mop_config[2 + i] = tile_word(tile, mop[i]);
        frontend->mop_config[0] = 2;
        frontend->mop_config[1] = 3;
        frontend->mop_config_written = 0x1ff;
        for (int i = 0; i < TSR_REPLAY_WORDS; i++)
            frontend->replay.word[i] = tile_word(tile, "INCRWC rwc_b=1");
        for (int i = 0; i < 8; i++)
            tile_set_gpr(tile, thread, i, 0x01010101u * (unsigned)i);
    }
    tile_field(tile, 0, FIELD_ALU_FORMAT_SPEC_REG0_SrcA, 5);
    tile_field(tile, 0, FIELD_ALU_FORMAT_SPEC_REG1_SrcB, 5);
    tile_field(tile, 0, FIELD_ADDR_MOD_AB_SEC0_SrcAIncr, 8);
    tile_field(tile, 0, FIELD_ADDR_MOD_DST_SEC0_DestCR, 1);
    return tile;
}

struct way {
    tsr_tile *tile;
    struct event_log log;
    tsr_limits limits;
    tsr_end end;
};

static struct way *way_new(int arch, tsr_pipeline pipeline, bool timing)
{
    struct way *way = calloc(1, sizeof *way);
    assert_non_null(way);
    way->tile = make_tile(arch, pipeline, timing);
    way->limits = tsr_limits_default();
    way->log.waits = timing; // with timing off a wait takes no time
    event_log_start(&way->log, way->tile);
    return way;
}

static void way_free(struct way *way)
{
    tsr_tile_destroy(way->tile);
    free(way);
}

// Words for `threads` threads in turn. A thread whose FIFO is full, or that is stopped, loses some.
static void go(struct way *way, const uint32_t *words, int count, int threads)
{
    for (int i = 0; i < count; i++)
        tsr_push(way->tile, i % threads, words[i]);
    way->end = tsr_run(way->tile, &way->limits);
}

// What a second thread would do for one that waits.
static void release(struct way *way)
{
    struct tsr_state *state = tile_state(way->tile);
    for (int side = TSR_SRCA; side <= TSR_SRCB; side++) {
        struct tsr_src *src = &state->src[side];
        src->unpacker_bank = src->matrix_bank ^ 1;
        src->bank[src->matrix_bank].matrix_owns = true;
        src->bank[src->unpacker_bank].matrix_owns = false;
    }
    for (int i = 0; i < 8; i++)
        state->sync.semaphore[i].value = 1;
}

static void compare(struct way *one, struct way *two)
{
    const char *different = tile_difference(one->tile, two->tile);
    if (different) {
        const struct tsr_frontend *frontend = tile_state(one->tile)->frontend;
        fail_msg("%s differ(s) after instructions %llu, %llu and %llu of the threads", different,
                 (unsigned long long)frontend[0].sequence, (unsigned long long)frontend[1].sequence,
                 (unsigned long long)frontend[2].sequence);
    }
    assert_int_equal(one->end, two->end);
    assert_int_equal(one->log.count, two->log.count);
    for (int i = 0; i < one->log.count; i++)
        assert_true(event_same(&one->log.event[i], &two->log.event[i]));
}

static void same_as_through_stages(int arch, int threads, bool timing)
{
    uint64_t seed = (uint64_t)threads, issued = 0, held = 0;
    for (int program = 0; program < PROGRAMS; program++) {
        struct way *one = way_new(arch, TSR_PIPELINE_AUTO, timing);
        struct way *two = way_new(arch, TSR_PIPELINE_STAGED, timing);
        for (int done = 0; done < WORDS; done += CHUNK) {
            uint32_t words[CHUNK];
            for (int i = 0; i < CHUNK; i++) {
                char text[120];
                uint32_t line = draw(&seed, LINES);
                snprintf(text, sizeof text, lines[line].text, draw(&seed, lines[line].below));
                words[i] = tile_word(one->tile, text);
            }
            go(one, words, CHUNK, threads);
            go(two, words, CHUNK, threads);
            compare(one, two);
            held += one->end == TSR_END_DEADLOCK;
            release(one);
            release(two);
        }
        for (int thread = 0; thread < threads; thread++)
            issued += tile_state(one->tile)->frontend[thread].sequence;
        way_free(one);
        way_free(two);
    }
    assert_true(issued > 40u * PROGRAMS); // programs that get somewhere
    assert_true(held > PROGRAMS);         // and wait on their way
}

static void test_one_thread(int arch)
{
    same_as_through_stages(arch, 1, false);
}
TILE_BOTH(test_one_thread)

static void test_three_threads(int arch)
{
    same_as_through_stages(arch, 3, false);
}
TILE_BOTH(test_three_threads)

// With timing on: what a round need not visit (frontend/rests.h), in every cycle.
static void test_timing_on(int arch)
{
    same_as_through_stages(arch, 1, true);
    same_as_through_stages(arch, 3, true);
}
TILE_BOTH(test_timing_on)

// A thread waits for SrcB's bank while another one gives SrcA's back: from then on it waits for
// that.
static void test_bank_given_back(int arch)
{
    struct way *way[2] = {way_new(arch, TSR_PIPELINE_AUTO, true),
                          way_new(arch, TSR_PIPELINE_STAGED, true)};
    for (int i = 0; i < 2; i++) {
        struct tsr_src *srca = &tile_state(way[i]->tile)->src[TSR_SRCA];
        srca->bank[srca->matrix_bank].matrix_owns = true;
        tile_push(way[i]->tile, 1, "ELWADD");
        for (int nop = 0; nop < 8; nop++)
            tile_push(way[i]->tile, 2, "NOP");
        tile_push(way[i]->tile, 2, "SETRWC clear_ab_vld=1");
        for (int nop = 0; nop < 8; nop++)
            tile_push(way[i]->tile, 2, "NOP");
        way[i]->end = tsr_run(way[i]->tile, &way[i]->limits);
    }
    compare(way[0], way[1]);
    tsr_run_report report;
    tsr_get_report(way[0]->tile, &report);
    assert_true(report.waited[1][TSR_REASON_SRCB] > 0);
    assert_true(report.waited[1][TSR_REASON_SRCA] > 0);
    way_free(way[0]);
    way_free(way[1]);
}
TILE_BOTH(test_bank_given_back)

// Runs of one step, and runs that break before every third instruction of a thread.
static void go_on_sliced(struct way *way, int broken)
{
    tsr_limits limits = way->limits;
    if (broken < 0)
        limits.max_steps = 1;
    do {
        limits.break_thread = broken;
        if (broken >= 0)
            limits.break_sequence = tile_state(way->tile)->frontend[broken].sequence + 3;
        way->end = tsr_run(way->tile, &limits);
    } while (way->end == TSR_END_BREAK || way->end == TSR_END_TIMEOUT);
}

// However a run is sliced, it is the same run. One that breaks takes every stage on its way.
static void test_slices(int arch)
{
    uint64_t seed = 99;
    for (int program = 0; program < PROGRAMS; program++) {
        struct way *one = way_new(arch, TSR_PIPELINE_AUTO, false),
                   *two = way_new(arch, TSR_PIPELINE_AUTO, false);
        for (int done = 0; done < WORDS / 2; done += CHUNK) {
            for (int i = 0; i < CHUNK; i++) {
                char text[120];
                uint32_t line = draw(&seed, LINES);
                snprintf(text, sizeof text, lines[line].text, draw(&seed, lines[line].below));
                uint32_t word = tile_word(one->tile, text);
                tsr_push(one->tile, i % TSR_THREADS, word);
                tsr_push(two->tile, i % TSR_THREADS, word);
            }
            one->end = tsr_run(one->tile, &one->limits);
            go_on_sliced(two, program % 4 - 1);
            compare(one, two);
            release(one);
            release(two);
        }
        way_free(one);
        way_free(two);
    }
}
TILE_BOTH(test_slices)

// The comparison sees a difference in each section.
static void test_canary(int arch)
{
    struct way *one = way_new(arch, TSR_PIPELINE_AUTO, false),
               *two = way_new(arch, TSR_PIPELINE_STAGED, false);
    const char *missed = state_compare_canary(one->tile, two->tile);
    if (missed)
        fail_msg("a difference in %s goes unnoticed", missed);
    way_free(one);
    way_free(two);
}
TILE_BOTH(test_canary)

// A thread's FIFOs hold as many words as with timing on, whether words move or not. One that the
// MOP expander keeps is gone when it comes to the front, if those before it have room behind.
static void test_room(int arch)
{
    for (unsigned place = 0; place < 40; place++) {
        unsigned behind = DEPTH_BEFORE_REPLAY + DEPTH_BEFORE_GATE, taken = 0;
        unsigned first = tsr_isa(arch)->rate[RATE_FIFO_TAKES_T1];
        unsigned added = tsr_isa(arch)->rate[RATE_FIFO_COUNTS_PASSED] ? 0 : behind;
        tsr_tile *tile = make_tile(arch, TSR_PIPELINE_AUTO, false);
        uint32_t nop = tile_word(tile, "NOP"), other = tile_word(tile, "MOP_CFG zmask_hi16=3");
        while (taken < 200 && tsr_push(tile, 1, taken == place ? other : nop) == TSR_OK)
            taken++;
        assert_int_equal(tsr_push(tile, 1, nop), TSR_BUSY); // and so it stays
        assert_int_equal(taken, first + added + (place < behind));
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_room)

// A MOP of so many words.
static void set_mop(tsr_tile *tile, uint32_t words)
{
    struct tsr_frontend *frontend = &tile_state(tile)->frontend[1];
    uint32_t nop = tile_word(tile, "NOP"), loop = tile_word(tile, "INCRWC rwc_a=1");
    const uint32_t config[TSR_MOP_WORDS] = {1, words, nop, nop, nop, loop, nop, loop, loop};
    memcpy(frontend->mop_config, config, sizeof config);
    frontend->mop_config_written = 0x1ff;
}

// Pushes NOPs, and a MOP at that place, until there is no more room; no word may move for that.
static unsigned fill_up(tsr_tile *tile, unsigned place)
{
    const struct tsr_frontend *frontend = &tile_state(tile)->frontend[1];
    unsigned taken = 0;
    while (taken < 200 &&
           tsr_push(tile, 1, tile_word(tile, taken == place ? "MOP mop_type=1" : "NOP")) == TSR_OK)
        taken++;
    assert_int_equal(frontend->before_replay.count, 0);
    return taken;
}

// The same with a MOP whose words take the room behind: one that is active, and one in the FIFO.
static void test_room_behind_a_mop(int arch)
{
    const unsigned behind = DEPTH_BEFORE_REPLAY + DEPTH_BEFORE_GATE;
    const unsigned first = tsr_isa(arch)->rate[RATE_FIFO_TAKES_T1];
    const bool passed_count = tsr_isa(arch)->rate[RATE_FIFO_COUNTS_PASSED];
    tsr_limits limits = tsr_limits_default();
    limits.external = true;
    for (unsigned words = 2; words < 16; words++) {
        tsr_tile *tile = make_tile(arch, TSR_PIPELINE_AUTO, false);
        set_mop(tile, words);
        tile_push(tile, 1, "SEMWAIT sem_sel=1 stall_res=0x1ff wait_sem_cond=1");
        tile_push(tile, 1, "MOP mop_type=1");
        assert_int_equal(tsr_run(tile, &limits), TSR_END_BLOCKED);
        unsigned added = behind > words && !passed_count ? behind - words : 0;
        assert_int_equal(fill_up(tile, 200), first + added);
        tsr_tile_destroy(tile);
    }
    for (unsigned place = 0; place < 7; place++) {
        tsr_tile *tile = make_tile(arch, TSR_PIPELINE_AUTO, false);
        set_mop(tile, 3);
        assert_int_equal(fill_up(tile, place), first + 1 + (passed_count ? 0 : behind - 3));
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_room_behind_a_mop)

// A FIFO full of words that issue nothing is work all the same.
static void test_words_that_issue_nothing(int arch)
{
    tsr_tile *tile = tile_default(arch);
    for (int i = 0; i < 100; i++)
        tile_push(tile, 0, "MOP_CFG zmask_hi16=1");
    tile_idle(tile);
    assert_int_equal(tile_state(tile)->frontend[0].mop_mask_high, 1);
    assert_int_equal(tile_state(tile)->frontend[0].sequence, 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_words_that_issue_nothing)

// The mover works between rounds, so a wait for it ends the round.
static void test_wait_for_the_mover(int arch)
{
    static const uint32_t command[4] = {0x100, 0x200, 1, 3}; // 16 bytes from 0x1000 to 0x2000
    static const uint8_t old[16] = {0x11}, fresh[16] = {0x33};
    uint32_t conditions = arch == WH ? 1u << 12 : 1u << 9;
    char text[80];
    tsr_tile *tile = tile_default(arch);
    tsr_l1_write(tile, 0x1000, fresh, sizeof fresh);
    tsr_l1_write(tile, 0x2000, old, sizeof old);
    tile_set_gpr(tile, 0, 0, 0x40); // a command for the mover
    tile_set_gpr(tile, 0, 1, 0x200);
    tile_set_gpr(tile, 0, 2, 0);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(tsr_store(tile, TSR_CORE_B, 0xffb11000u + 4 * i, command[i], 4), TSR_OK);
    tile_idle(tile); // the other threads are quiet
    tile_push(tile, 0, "STOREREG TdmaDataRegIndex=0 RegAddr=0x4404");
    snprintf(text, sizeof text, "STALLWAIT stall_res=511 wait_res=%u", conditions);
    tile_push(tile, 0, text);
    tile_push(tile, 0, "LOADIND AddrRegIndex=1 DataRegIndex=6 OffsetIndex=4 SizeSel=1");
    tile_idle(tile);
    assert_int_equal(tile_gpr(tile, 0, 6) & 0xff, 0x33);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_wait_for_the_mover)

// A word that waits is asked once a round, and one that stops once.
static void test_asked_once(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tsr_limits limits = tsr_limits_default();
    tile_idle(tile);
    tile_push(tile, 0, "NOP");
    tile_push_word(tile, 0, 0xff000000u);
    limits.break_thread = 0;
    limits.break_sequence = 2;
    assert_int_equal(tsr_run(tile, &limits), TSR_END_BREAK);
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    assert_int_equal(tile_found(tile, "unknown-instruction")->repeats, 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_asked_once)

// A MOP's words are expanded once and kept. Some of them take the stages while the gate is held and
// a core asks for room; there may be more than are kept; and the configuration changes between two
// MOPs, or in the middle of one.
static void test_places_in_a_mop(int arch)
{
    enum { OUTER = 9, INNER = 9, ROUNDS = 24 }; // more than 64 words
    static const char *const loop[3] = {"INCRWC rwc_a=1", "INCRWC rwc_b=1", "INCRWC rwc_d=1"};
    struct way *way[2] = {way_new(arch, TSR_PIPELINE_AUTO, false),
                          way_new(arch, TSR_PIPELINE_STAGED, false)};
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < 2; i++) {
            tsr_tile *tile = way[i]->tile;
            struct tsr_state *state = tile_state(tile);
            uint32_t *config = state->frontend[1].mop_config;
            config[0] = round % 3 ? 2 : OUTER;
            config[1] = round % 3 ? 3 : INNER;
            state->sync.semaphore[0].value = 0;
            tile_push(tile, 1, "SEMWAIT sem_sel=1 stall_res=0x1ff wait_sem_cond=1");
            for (int k = 0; k < 200; k++) // until there is no more room
                tsr_push(tile, 1, tile_word(tile, k % 5 ? "MOP mop_type=1" : "INCRWC rwc_d=2"));
            way[i]->end = tsr_run(tile, &way[i]->limits);
            config[5] = tile_word(tile, loop[round / 2 % 3]);
            state->sync.semaphore[0].value = 1;
            way[i]->end = tsr_run(tile, &way[i]->limits);
            way[i]->log.count = 0;
        }
        compare(way[0], way[1]);
    }
    assert_true(tile_state(way[0]->tile)->frontend[1].sequence > OUTER * INNER * ROUNDS);
    way_free(way[0]);
    way_free(way[1]);
}
TILE_BOTH(test_places_in_a_mop)

// The same MOP again begins otherwise after a MOP_CFG, and reports what nobody has written since.
static void test_beginnings_of_a_mop(int arch)
{
    struct way *way[2] = {way_new(arch, TSR_PIPELINE_AUTO, false),
                          way_new(arch, TSR_PIPELINE_STAGED, false)};
    for (unsigned round = 0; round < 6; round++) {
        for (int i = 0; i < 2; i++) {
            tsr_tile *tile = way[i]->tile;
            tile_state(tile)->frontend[1].mop_config[1] = 0; // one word, or another one
            tile_state(tile)->frontend[1].mop_config_written = round < 5 ? 0x1ff : 0x80;
            if (round > 0 && round < 5)
                tile_push_word(tile, 1, tile_word(tile, "MOP_CFG zmask_hi16=1") ^ round / 2);
            tile_push(tile, 1, "MOP loop_count=19");
            tile_push(tile, 1, "INCRWC rwc_d=1");
            way[i]->end = tsr_run(tile, &way[i]->limits);
        }
        compare(way[0], way[1]);
        assert_int_equal(way[0]->tile->findings.reported, round == 5);
    }
    way_free(way[0]);
    way_free(way[1]);
}
TILE_BOTH(test_beginnings_of_a_mop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_canary),
        TILE_TEST(test_wait_for_the_mover),
        TILE_TEST(test_asked_once),
        TILE_TEST(test_room),
        TILE_TEST(test_one_thread),
        TILE_TEST(test_three_threads),
        TILE_TEST(test_slices),
        TILE_TEST(test_timing_on),
        TILE_TEST(test_bank_given_back),
        TILE_TEST(test_words_that_issue_nothing),
        TILE_TEST(test_places_in_a_mop),
        TILE_TEST(test_room_behind_a_mop),
        TILE_TEST(test_beginnings_of_a_mop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
