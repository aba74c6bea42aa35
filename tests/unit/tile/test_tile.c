// SPDX-License-Identifier: Apache-2.0
// A tile as its caller sees it: how runs end and where they break, that slices of a run do not
// change it, what waits say, resets. Pages: TensixCoprocessor/README.md, STALLWAIT.md, SEMWAIT.md.
#include "rig/face_rig.h"

// ---------------------------------------------------------------- comparing

// All that the views show, and the cycle.
struct picture {
    struct tsr_config config;
    struct tsr_adcs adcs;
    struct tsr_rwcs rwcs;
    struct tsr_gprs gprs;
    struct tsr_semaphore semaphore[TSR_SEMAPHORES];
    tsr_dst_row dst[TSR_DST_ROWS];
    tsr_src_row src[2][2][TSR_SRC_ROWS];
    tsr_src_banks banks[2];
    uint8_t l1[3 * 0x10000];
    uint64_t cycle;
    int diagnostics;
};

static struct picture *take_picture(tsr_tile *tile)
{
    struct picture *p = calloc(1, sizeof *p);
    assert_non_null(p);
    const struct tsr_state *state = tile_state(tile);
    p->config = state->config;
    p->adcs = state->adcs;
    p->rwcs = state->rwcs;
    p->gprs = state->gprs;
    memcpy(p->semaphore, state->sync.semaphore, sizeof p->semaphore);
    for (int row = 0; row < TSR_DST_ROWS; row++)
        assert_int_equal(tsr_view_dst(tile, row, &p->dst[row]), TSR_OK);
    for (int which = 0; which < 2; which++) {
        assert_int_equal(tsr_view_src_banks(tile, which, &p->banks[which]), TSR_OK);
        for (int bank = 0; bank < 2; bank++)
            for (int row = 0; row < TSR_SRC_ROWS; row++)
                assert_int_equal(tsr_view_src(tile, which, bank, row, &p->src[which][bank][row]),
                                 TSR_OK);
    }
    assert_int_equal(tsr_l1_read(tile, FACE_A, p->l1, sizeof p->l1), TSR_OK);
    p->cycle = tsr_cycle(tile);
    p->diagnostics = tsr_diagnostic_count(tile);
    return p;
}

static void assert_same_picture(tsr_tile *tile, const struct picture *wanted)
{
    struct picture *got = take_picture(tile);
    assert_int_equal(got->cycle, wanted->cycle);
    assert_memory_equal(got, wanted, sizeof *got);
    free(got);
}

static tsr_tile *loaded(int arch, bool timing)
{
    tsr_tile *tile = tile_new(arch, timing, TSR_PROFILE_STRICT);
    face_load(tile, arch, 5);
    return tile;
}

// ---------------------------------------------------------------- slices

static void test_program(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = loaded(arch, timing);
        tile_idle(tile);
        assert_true(face_right(tile, 5));
        assert_int_equal(tsr_diagnostic_count(tile), 0);
        assert_true((tsr_cycle(tile) > 40) == (timing == 1));
        for (int thread = 0; thread < TSR_THREADS; thread++)
            assert_true(tsr_thread_drained(tile, thread));
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_program)

// Runs of `slice` steps, of `slice` cycles, or to every instruction of a thread in turn.
enum slicing {
    BY_STEPS,
    BY_CYCLES,
    BY_BREAK_CYCLES,
    BY_SINGLE_STEPS,
    BY_BREAKS,
    BY_WORDS,
    SLICINGS
};

static void run_sliced(tsr_tile *tile, enum slicing slicing, unsigned slice)
{
    tsr_limits limits = tsr_limits_default();
    for (int i = 0; i < 100000; i++) {
        tsr_end end;
        limits.max_steps = slicing == BY_STEPS ? slice : 0;
        limits.max_cycles = slicing == BY_CYCLES ? slice : 0;
        limits.max_words = slicing == BY_WORDS ? slice : 0;
        limits.break_cycle = slicing == BY_BREAK_CYCLES ? tsr_cycle(tile) + slice : 0;
        if (slicing == BY_SINGLE_STEPS) {
            if (tsr_step(tile))
                continue;
            end = tile_run(tile);
        } else {
            if (slicing == BY_BREAKS) {
                limits.break_thread = i % TSR_THREADS;
                limits.break_sequence =
                    tile_state(tile)->frontend[limits.break_thread].sequence + 1 + slice;
            }
            end = tsr_run(tile, &limits);
        }
        if (end == TSR_END_IDLE)
            return;
        assert_true(end == (slicing == BY_WORDS                           ? TSR_END_WORDS
                            : limits.break_sequence || limits.break_cycle ? TSR_END_BREAK
                                                                          : TSR_END_TIMEOUT));
    }
    fail_msg("slicing %d by %u does not end", (int)slicing, slice);
}

static void test_slices(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *whole = loaded(arch, timing);
        tile_idle(whole);
        struct picture *wanted = take_picture(whole);
        for (int slicing = 0; slicing < SLICINGS; slicing++) {
            for (unsigned slice = 1; slice < 18; slice += 4) {
                if (!timing && (slicing == BY_CYCLES || slicing == BY_BREAK_CYCLES))
                    continue; // the clock stands
                if (timing && slicing == BY_WORDS)
                    continue; // which are not counted
                tsr_tile *tile = loaded(arch, timing);
                run_sliced(tile, (enum slicing)slicing, slice);
                assert_same_picture(tile, wanted);
                tsr_tile_destroy(tile);
            }
        }
        free(wanted);
        tsr_tile_destroy(whole);
    }
}
TILE_BOTH(test_slices)

// Asking an idle tile to run leaves no trace in what comes after: the same thread is first.
static void test_idle_runs(int arch)
{
    uint64_t waited[TSR_THREADS] = {0};
    for (int asked = 0; asked < 4; asked++) {
        tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_STRICT);
        for (int i = 0; i < asked; i++)
            tile_idle(tile);
        for (int thread = 0; thread < TSR_THREADS; thread++)
            tile_push(tile, thread, "SEMPOST sem_sel=1");
        tile_idle(tile);
        assert_int_equal(tsr_cycle(tile), 5); // two to the gate, one each at the unit
        tsr_run_report report;
        tsr_get_report(tile, &report);
        uint64_t sum = 0;
        for (int thread = 0; thread < TSR_THREADS; thread++) {
            uint64_t full = report.waited[thread][TSR_REASON_UNIT_FULL];
            if (asked == 0)
                waited[thread] = full;
            assert_int_equal(full, waited[thread]);
            sum += full;
        }
        assert_int_equal(sum, 0 + 1 + 2);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_idle_runs)

static void test_break_before_an_instruction(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = tile_new(arch, timing, TSR_PROFILE_STRICT);
        for (int i = 0; i < 6; i++)
            tile_push(tile, 1, "SEMPOST sem_sel=1");
        tile_push(tile, 0, "SEMPOST sem_sel=2");
        tsr_limits limits = tsr_limits_default();
        limits.break_thread = 1;
        limits.break_sequence = 4;
        assert_int_equal(tsr_run(tile, &limits), TSR_END_BREAK);
        assert_int_equal(tile_semaphore(tile, 0), 3);
        assert_int_equal(tsr_run(tile, &limits), TSR_END_BREAK); // it is still before it
        assert_int_equal(tile_semaphore(tile, 0), 3);
        limits.break_sequence = 5;
        assert_int_equal(tsr_run(tile, &limits), TSR_END_BREAK);
        assert_int_equal(tile_semaphore(tile, 0), 4);
        limits.break_sequence = 7; // there is none
        assert_int_equal(tsr_run(tile, &limits), TSR_END_IDLE);
        assert_int_equal(tile_semaphore(tile, 0), 6);
        assert_int_equal(tile_semaphore(tile, 1), 1);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_break_before_an_instruction)

static void test_break_cycle(int arch)
{
    tsr_tile *tile = loaded(arch, true);
    tsr_limits limits = tsr_limits_default();
    uint64_t start = tsr_cycle(tile);
    for (limits.break_cycle = start + 1; limits.break_cycle < start + 40; limits.break_cycle++) {
        assert_int_equal(tsr_run(tile, &limits), TSR_END_BREAK);
        assert_int_equal(tsr_cycle(tile), limits.break_cycle);
    }
    assert_int_equal(tsr_run(tile, &limits), TSR_END_BREAK);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_break_cycle)

// max_cycles, too: the clock stands exactly there, however far the next event is.
static void test_max_cycles(int arch)
{
    for (uint64_t most = 1; most < 60; most += 7) {
        tsr_tile *tile = loaded(arch, true);
        tsr_limits limits = tsr_limits_default();
        limits.max_cycles = most;
        for (uint64_t start = tsr_cycle(tile);; start += most) {
            tsr_end end = tsr_run(tile, &limits);
            if (end == TSR_END_IDLE)
                break;
            assert_int_equal(end, TSR_END_TIMEOUT);
            assert_int_equal(tsr_cycle(tile), start + most);
        }
        assert_true(face_right(tile, 5));
        tsr_tile_destroy(tile);
    }
    tsr_tile *tile = loaded(arch, true);
    tsr_limits limits = tsr_limits_default();
    limits.max_cycles = UINT64_MAX; // no cycle is as late
    assert_int_equal(tsr_run(tile, &limits), TSR_END_IDLE);
    tsr_tile_destroy(tile);
    tile = loaded(arch, true);
    limits.max_cycles = 20;
    limits.break_cycle = tsr_cycle(tile) + 10; // whichever is earlier
    assert_int_equal(tsr_run(tile, &limits), TSR_END_BREAK);
    assert_int_equal(tsr_cycle(tile), limits.break_cycle);
    limits.break_cycle += 100;
    assert_int_equal(tsr_run(tile, &limits), TSR_END_TIMEOUT);
    assert_int_equal(tsr_cycle(tile), limits.break_cycle - 100 + 20);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_max_cycles)

// ---------------------------------------------------------------- ends

static void test_timeouts(int arch)
{
    tsr_tile *tile = loaded(arch, true);
    tsr_limits limits = tsr_limits_default();
    limits.max_steps = 3;
    assert_int_equal(tsr_run(tile, &limits), TSR_END_TIMEOUT);
    limits.max_steps = 0;
    limits.max_cycles = 10;
    assert_int_equal(tsr_run(tile, &limits), TSR_END_TIMEOUT);
    assert_false(face_right(tile, 5));
    tile_idle(tile);
    assert_true(face_right(tile, 5));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_timeouts)

// A MOP of as many words as there can be, which no unit takes: a run comes back from within it, and
// goes on there, before the other threads do.
static void test_max_words(int arch)
{
    enum { MOST = 1000, KEPT = 255 }; // the latter: words of a MOP that are looked at as one
    const uint32_t loops = arch == TSR_WORMHOLE_B0 ? 0x7f : 0x3ff;
    for (int way = 0; way < 2; way++) {
        tsr_options options = tsr_options_default((tsr_arch)arch);
        options.profile = TSR_PROFILE_SILICON;
        options.pipeline = way == 1 ? TSR_PIPELINE_STAGED : TSR_PIPELINE_AUTO;
        tsr_tile *tile = tile_with(&options);
        assert_int_equal(tsr_tile_set_policy(tile, "no-specification", TSR_ACTION_RECORD), TSR_OK);
        for (uint32_t i = 0; i < 9; i++)
            assert_int_equal(tsr_store(tile, TSR_CORE_T0, 0xffb80000u + 4 * i,
                                       i < 2 ? loops : tile_word(tile, "RSTDMA"), 4),
                             TSR_OK);
        tile_push(tile, 0, "MOP mop_type=1");
        tile_push(tile, 1, "NOP");
        tsr_limits limits = tsr_limits_default();
        limits.max_words = MOST;
        for (unsigned run = 1; run < 5; run++) {
            assert_int_equal(tsr_run(tile, &limits), TSR_END_WORDS);
            uint64_t issued = tile_state(tile)->frontend[0].sequence;
            assert_in_range(issued, (uint64_t)run * MOST, run * (MOST + (way == 0 ? KEPT : 0)));
            assert_int_equal(tile_state(tile)->frontend[1].sequence, 0);
        }
        limits.max_words = 0;
        assert_int_equal(tsr_run(tile, &limits), TSR_END_IDLE);
        assert_true(tile_state(tile)->frontend[0].sequence > (uint64_t)loops * loops);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_max_words)

// With timing on a run ends in the very cycle in which a thread has issued so many, in blocks, in
// small words or one by one; the others have issued no more.
static void test_max_words_timed(int arch)
{
    static const char *const line[] = {"MOVA2D", "NOP", "SETRWC BitMask=7", "MOVD2B"};
    enum { WORDS = 12 }; // for which each FIFO has room
    for (uint64_t most = 1; most < 10; most++)
        for (int kind = 0; kind < 8; kind++) {
            tsr_options options = tsr_options_default((tsr_arch)arch);
            options.profile = TSR_PROFILE_SILICON;
            options.timing = true;
            options.pipeline = kind / 4 ? TSR_PIPELINE_STAGED : TSR_PIPELINE_AUTO;
            tsr_tile *tile = tile_with(&options);
            for (int side = 0; side < 2; side++)
                tile_state(tile)->src[side].bank[0].matrix_owns = true;
            for (int i = 0; i < WORDS; i++)
                tile_push(tile, kind % 2, line[kind % 4]);
            tile_push(tile, 2, "NOP");
            tsr_limits limits = tsr_limits_default();
            limits.max_words = most;
            const struct tsr_frontend *frontend = tile_state(tile)->frontend;
            for (uint64_t left = WORDS; left >= most; left -= most) {
                assert_int_equal(tsr_run(tile, &limits), TSR_END_WORDS);
                assert_int_equal(frontend[kind % 2].sequence, WORDS - left + most);
                assert_int_equal(frontend[2].sequence, 1);
            }
            assert_int_equal(tsr_run(tile, &limits), TSR_END_IDLE);
            tsr_tile_destroy(tile);
        }
}
TILE_BOTH(test_max_words_timed)

static const tsr_wait *find_wait(const tsr_wait *waits, int count, const char *who)
{
    for (int i = 0; i < count; i++)
        if (strcmp(waits[i].who, who) == 0)
            return &waits[i];
    return NULL;
}

static void assert_wait(tsr_tile *tile, const char *who, const char *what, const char *release)
{
    tsr_wait waits[16];
    int count = tsr_waits(tile, waits, 16);
    const tsr_wait *wait = find_wait(waits, count, who);
    if (!wait)
        fail_msg("%s does not wait", who);
    if (!strstr(wait->what, what))
        fail_msg("%s: %s; wanted %s", who, wait->what, what);
    if (!strstr(wait->release, release))
        fail_msg("%s: released by %s; wanted %s", who, wait->release, release);
}

// Who waits for what, in words; a run that something outside could still help is only blocked.
static void test_deadlock_of_semaphores(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = tile_new(arch, timing, TSR_PROFILE_STRICT);
        tile_do(tile, 0, "SEMINIT sem_sel=4 init_value=3 max_value=3");
        tile_push(tile, 1, "SEMWAIT sem_sel=1 wait_sem_cond=1 stall_res=2");
        tile_push(tile, 1, "SEMPOST sem_sel=8");
        tile_push(tile, 2, "SEMWAIT sem_sel=6 wait_sem_cond=2 stall_res=1");
        tile_push(tile, 2, "SETADCXX CntSetMask=1 x_end2=1");
        tsr_limits limits = tsr_limits_default();
        limits.external = true;
        assert_int_equal(tsr_run(tile, &limits), TSR_END_BLOCKED);
        assert_int_equal(tsr_diagnostic_count(tile), 1); // semaphore-multi
        assert_wait(tile, "thread 1", "SEMPOST is held by a SEMWAIT for", "SEMPOST of semaphore 0");
        assert_wait(tile, "thread 1", "semaphore 0, which is 0", "");
        assert_wait(tile, "thread 2", "semaphore 2, which is 3 of at most 3",
                    "SEMGET of semaphore 2");
        tsr_wait waits[4];
        assert_int_equal(tsr_waits(tile, waits, 1), 2); // more than fit
        assert_string_equal(waits[0].who, "thread 1");
        limits.external = false;
        assert_int_equal(tsr_run(tile, &limits), TSR_END_DEADLOCK);
        const tsr_diagnostic *found = tile_found(tile, "instruction-deadlock");
        assert_non_null(found);
        assert_non_null(strstr(found->sentence, "thread 1"));
        assert_non_null(strstr(found->sentence, "thread 2"));
        assert_int_equal(tile_run(tile), TSR_END_STOPPED); // strict: until the reset
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_deadlock_of_semaphores)

static void test_deadlock_of_banks(int arch)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_SILICON);
    face_load(tile, arch, 5);
    tile_idle(tile);
    tile_push(tile, 1, "ELWADD addr_mode=0");
    assert_int_equal(tile_run(tile), TSR_END_DEADLOCK);
    assert_wait(tile, "thread 1", "ELWADD waits for SrcA bank 0, which the unpackers own",
                "SETDVALID of SrcA");
    for (int i = 0; i < 3; i++)
        tile_push(tile, 0, "UNPACR OvrdThreadId=1 SetDatValid=1 Last=1");
    assert_int_equal(tile_run(tile), TSR_END_DEADLOCK); // the third finds both banks taken
    assert_wait(tile, "thread 1", "ELWADD waits for SrcB", "SETDVALID of SrcB");
    assert_wait(tile, "unpacker 0", "SrcA", "matrix");
    for (int i = 0; i < 2; i++)
        tile_push(tile, 0, "UNPACR OvrdThreadId=1 SetDatValid=1 Last=1");
    assert_int_equal(tile_run(tile), TSR_END_DEADLOCK);
    assert_wait(tile, "thread 0", "UNPACR waits for unpacker 0, which is full", "end");
    tile_push(tile, 2,
              arch == WH ? "STALLWAIT stall_res=4 wait_res=0x100"
                         : "STALLWAIT stall_res=4 wait_res=0x20");
    tile_push(tile, 2, "PACR Last=1");
    assert_int_equal(tile_run(tile), TSR_END_DEADLOCK);
    assert_wait(tile, "thread 2", "PACR is held by a STALLWAIT for", arch == WH ? "C8" : "C5");
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_deadlock_of_banks)

// The wait begins when the instruction comes to the gate.
static void test_waits_know_since_when(int arch)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_SILICON);
    for (int i = 0; i < 10; i++)
        tile_push(tile, 0, "NOP");
    tile_push(tile, 0, "SEMWAIT sem_sel=1 wait_sem_cond=1 stall_res=2");
    tile_push(tile, 0, "SEMPOST sem_sel=2");
    assert_int_equal(tile_run(tile), TSR_END_DEADLOCK);
    tsr_wait wait;
    assert_int_equal(tsr_waits(tile, &wait, 1), 1);
    assert_int_equal(wait.since, 13); // ten NOPs from cycle 2, SEMWAIT in cycle 12
    tsr_store(tile, TSR_CORE_T0, 0xffe80020, 0, 4);
    tile_idle(tile);
    assert_int_equal(tsr_waits(tile, &wait, 1), 0);
    assert_int_equal(tile_semaphore(tile, 1), 1);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_waits_know_since_when)

// ---------------------------------------------------------------- reset

static void test_reset(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *fresh = tile_new(arch, timing, TSR_PROFILE_STRICT);
        struct picture *wanted = take_picture(fresh);
        tsr_tile *tile = loaded(arch, timing);
        tsr_limits limits = tsr_limits_default();
        limits.max_steps = 12; // in the middle
        tsr_run(tile, &limits);
        tsr_tile_reset(tile);
        assert_same_picture(tile, wanted);
        assert_memory_equal(tile_state(tile), tile_state(fresh), sizeof(struct tsr_state));
        tsr_run_report report, nothing = {0};
        tsr_get_report(tile, &report);
        assert_memory_equal(&report, &nothing, sizeof report);
        face_load(tile, arch, 9); // and it works as a fresh one
        face_load(fresh, arch, 9);
        tile_idle(tile);
        tile_idle(fresh);
        assert_true(face_right(tile, 9));
        struct picture *after = take_picture(fresh);
        assert_same_picture(tile, after);
        free(after);
        free(wanted);
        tsr_tile_destroy(tile);
        tsr_tile_destroy(fresh);
    }
}
TILE_BOTH(test_reset)

// Cycles of each unit in which it had an instruction.
struct busy {
    bool at[TSR_UNIT_COUNT][1000];
};

static void note_busy(void *user, const tsr_event *event)
{
    struct busy *busy = user;
    if (event->kind != TSR_EVENT_INSTRUCTION)
        return;
    assert_true(event->completed < 1000);
    for (uint64_t at = event->accepted; at < event->completed; at++)
        busy->at[event->unit][at] = true;
}

static void test_report(int arch)
{
    static struct busy busy;
    memset(&busy, 0, sizeof busy);
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_STRICT);
    tsr_tile_observe(tile, note_busy, &busy);
    face_load(tile, arch, 5);
    tile_idle(tile);
    tsr_run_report report;
    tsr_get_report(tile, &report);
    assert_int_equal(report.cycles, tsr_cycle(tile));
    assert_int_equal(report.unit_instructions[TSR_UNIT_UNPACKER0], 2);
    assert_int_equal(report.unit_instructions[TSR_UNIT_UNPACKER1], 2);
    assert_int_equal(report.unit_instructions[TSR_UNIT_MATRIX], 4);
    assert_int_equal(report.unit_instructions[TSR_UNIT_PACKER], arch == WH ? 2 : 8);
    assert_int_equal(report.unit_instructions[TSR_UNIT_SYNC], 1 + 6 + 6);
    assert_int_equal(report.issued[0], 4);
    assert_int_equal(report.issued[1], 11);
    for (int unit = 0; unit < TSR_UNIT_COUNT; unit++) {
        uint64_t cycles = 0;
        for (int at = 0; at < 1000; at++)
            cycles += busy.at[unit][at];
        assert_int_equal(report.unit_busy[unit], cycles);
        assert_true((report.unit_busy[unit] > 0) == (report.unit_instructions[unit] > 0));
    }
    for (int thread = 0; thread < TSR_THREADS; thread++) {
        uint64_t sum = 0;
        for (int reason = 0; reason < TSR_REASON_COUNT; reason++)
            sum += reason == TSR_REASON_HOLD ? 0 : report.waited[thread][reason];
        assert_int_equal(sum, report.cycles); // each cycle is accounted for once
    }
    assert_true(report.plans_made > 0 && report.plans_reused > 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_report)

static void test_options(int arch)
{
    tsr_options options = tsr_options_default((tsr_arch)arch);
    tsr_tile *tile = NULL;
    options.kernels = "no-such-set";
    assert_int_equal(tsr_tile_create(&options, &tile), TSR_BAD_ARGUMENT);
    options.kernels = "reference";
    options.arch = (tsr_arch)7;
    assert_int_equal(tsr_tile_create(&options, &tile), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_tile_create(NULL, &tile), TSR_BAD_ARGUMENT);
    options.arch = (tsr_arch)arch;
    options.pipeline = (tsr_pipeline)2;
    assert_int_equal(tsr_tile_create(&options, &tile), TSR_BAD_ARGUMENT);
    options.pipeline = TSR_PIPELINE_STAGED;
    assert_int_equal(tsr_tile_create(&options, NULL), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_tile_create(&options, &tile), TSR_OK);
    assert_int_equal(tsr_tile_arch(tile), arch);
    tsr_tile_destroy(tile);
    tsr_tile_destroy(NULL);
}
TILE_BOTH(test_options)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_program),
        TILE_TEST(test_slices),
        TILE_TEST(test_idle_runs),
        TILE_TEST(test_break_before_an_instruction),
        TILE_TEST(test_break_cycle),
        TILE_TEST(test_max_cycles),
        TILE_TEST(test_timeouts),
        TILE_TEST(test_max_words),
        TILE_TEST(test_max_words_timed),
        TILE_TEST(test_deadlock_of_semaphores),
        TILE_TEST(test_deadlock_of_banks),
        TILE_TEST(test_waits_know_since_when),
        TILE_TEST(test_reset),
        TILE_TEST(test_report),
        TILE_TEST(test_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
