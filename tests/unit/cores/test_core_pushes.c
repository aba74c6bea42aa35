// SPDX-License-Identifier: Apache-2.0
// Tensix words that cores push in rows: how many a FIFO takes, with and without the view of it, who
// pushed each, and that they do what they do one by one.
// Pages: BabyRISCV/PushTensixInstruction.md of each chip.
#include "frontend/expand.h"
#include "rig/core_rig.h"
#include "rig/state_compare.h"

enum { B_CODE = 0, T_CODE = 0x10000, DATA = 0x80000 };
#define AT_PUSH_CONTROL 0xffb120a0u

static tsr_tile *tile_piped(int arch, tsr_pipeline pipeline)
{
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.timing = false;
    options.profile = TSR_PROFILE_SILICON;
    options.cores = true;
    options.pipeline = pipeline;
    return tile_with(&options);
}

static void run_some(tsr_tile *tile)
{
    tsr_run_cycles(tile, 1000);
}

// Words that core `core` has pushed and that have not passed the gate of thread `thread`.
static unsigned words_held(tsr_tile *tile, int thread)
{
    const struct tsr_frontend *frontend = &tile_state(tile)->frontend[thread];
    return (unsigned)frontend->before_mop.count + frontend->before_replay.count +
           frontend->before_gate.count;
}

// A T core pushes words behind a wait that never ends, `single`: none beside another. With `looks`
// it asks whether its MOPs are expanded, which moves words on.
static unsigned pushed_behind_wait(int arch, int thread, bool single, bool looks)
{
    tsr_tile *tile = tile_piped(arch, TSR_PIPELINE_AUTO);
    struct code code = code_at(tile, T_CODE);
    code_push(&code, "SEMINIT sem_sel=1 max_value=1");
    code_push(&code, "SEMWAIT sem_sel=1 stall_res=0x1ff wait_sem_cond=1");
    for (int i = 0; i < 100; i++) {
        code_push(&code, "NOP");
        if (single)
            code_addi(&code, A0, A0, 1);
        if (looks && i == 5)
            code_load(&code, A1, AT_TTSYNC + 4);
    }
    code_end(&code);
    core_start(tile, TSR_CORE_T0 + thread, T_CODE);
    run_some(tile);
    assert_int_equal(core_view(tile, TSR_CORE_T0 + thread).rest, TSR_CORE_BLOCKED);
    unsigned held = words_held(tile, thread);
    tsr_tile_destroy(tile);
    return held;
}

// On Wormhole the FIFOs behind the first one add their places. On Blackhole only up to four words
// that are pushed together come to more than 29.
static void test_room_behind_a_wait(int arch)
{
    for (int thread = 0; thread < 3; thread++)
        for (int looks = 0; looks < 2; looks++) {
            unsigned first = thread == 0 ? 32 : 16;
            unsigned wormhole = first + DEPTH_BEFORE_REPLAY + DEPTH_BEFORE_GATE;
            unsigned alone = pushed_behind_wait(arch, thread, true, looks);
            unsigned row = pushed_behind_wait(arch, thread, false, looks);
            assert_int_equal(alone, arch == WH ? wormhole : 29);
            if (arch == WH)
                assert_int_equal(row, wormhole);
            else
                assert_in_range(row, 29, 32);
        }
}
TILE_BOTH(test_room_behind_a_wait)

// What a REPLAY becomes does not count on Blackhole, so there is room for it beside the others.
static void test_room_beside_a_replay(void **state)
{
    (void)state;
    for (int replays = 0; replays < 2; replays++) {
        tsr_tile *tile = tile_piped(BH, TSR_PIPELINE_AUTO);
        tile_push(tile, 1, "REPLAY start_idx=0 len=8 load_mode=1");
        for (int i = 0; i < 8; i++)
            tile_push(tile, 1, "NOP");
        tile_push(tile, 1, "SEMWAIT sem_sel=1 stall_res=0x1ff wait_sem_cond=1");
        tile_push(tile, 1, replays ? "REPLAY start_idx=0 len=8" : "NOP");
        tsr_run_cycles(tile, 64);
        unsigned taken = 0;
        while (tsr_push(tile, 1, tile_word(tile, "NOP")) == TSR_OK)
            taken++;
        assert_int_equal(taken, replays ? 29 : 28);
        tsr_tile_destroy(tile);
    }
}

// While the debug registers have the FIFO, B's words are dropped, from the very next one on.
static void test_refused(int arch)
{
    tsr_tile *tile = tile_piped(arch, TSR_PIPELINE_AUTO);
    struct code code = code_at(tile, B_CODE);
    code_push(&code, "NOP");
    code_store(&code, AT_PUSH_CONTROL, 1);
    for (int i = 0; i < 3; i++)
        code_push(&code, "NOP");
    code_store(&code, AT_PUSH_CONTROL, 0);
    code_push(&code, "NOP");
    code_end(&code);
    core_start(tile, TSR_CORE_B, 0);
    run_some(tile);
    assert_non_null(tile_found(tile, "debug-push"));
    assert_int_equal(tile_state(tile)->frontend[0].sequence, 2);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_refused)

// The place of each word of a row, B's and a T core's.
static void test_places(int arch)
{
    enum { WORDS = 30 };
    const uint32_t reserved = 0x38800000; // INCRWC with a bit that no operand owns
    const uint32_t of_core = 0x100;
    for (int pipeline = 0; pipeline < 2; pipeline++) {
        tsr_tile *tile = tile_piped(arch, pipeline ? TSR_PIPELINE_STAGED : TSR_PIPELINE_AUTO);
        for (int core = TSR_CORE_B; core <= TSR_CORE_T0; core++) {
            uint32_t at = core == TSR_CORE_B ? B_CODE : T_CODE;
            struct code code = code_at(tile, at);
            for (int i = 0; i < WORDS; i++)
                if (i % 7 == 3)
                    code_put(&code, rv_ttinsn(reserved + of_core * (uint32_t)core + (uint32_t)i));
                else
                    code_push(&code, "NOP");
            code_end(&code);
            core_start(tile, core, at);
        }
        run_some(tile);
        unsigned found = 0;
        for (int i = 0; i < tsr_diagnostic_count(tile); i++) {
            const tsr_diagnostic *diagnostic = tsr_diagnostic_at(tile, i);
            uint32_t base = diagnostic->pushed_core == TSR_CORE_B ? B_CODE : T_CODE;
            assert_true(diagnostic->pushed);
            assert_int_equal(diagnostic->pushed_pc, base + 4 * (diagnostic->word % of_core));
            found++;
        }
        assert_int_equal(found, 8);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_places)

// Words that a core stores to its FIFO's address go where .ttinsn do: in order, with their places,
// and no more of them than there is room for.
static void test_stored_words(int arch)
{
    enum { WORDS = 60, EACH = 5 }; // a store is so many instructions
    tsr_tile *tile = tile_piped(arch, TSR_PIPELINE_AUTO);
    const uint32_t reserved = 0x38800000;
    struct code code = code_at(tile, T_CODE);
    code_push(&code, "SEMINIT sem_sel=1 max_value=1");
    code_push(&code, "SEMWAIT sem_sel=1 stall_res=0x1ff wait_sem_cond=1");
    uint32_t first = code.at;
    for (uint32_t i = 0; i < WORDS; i++) {
        char text[80];
        snprintf(text, sizeof text, "SETDMAREG RegIndex16b=%u Payload_SigSel=%u", (unsigned)i,
                 (unsigned)(100 + i));
        code_store(&code, AT_PUSH, i % 16 == 15 ? reserved + i : tile_word(tile, text));
    }
    code_end(&code);
    core_start(tile, TSR_CORE_T0, T_CODE);
    run_some(tile);
    assert_int_equal(core_view(tile, TSR_CORE_T0).rest, TSR_CORE_BLOCKED);
    unsigned single = pushed_behind_wait(arch, 0, true, false);
    assert_int_equal(words_held(tile, 0), single);
    tile_state(tile)->sync.semaphore[0].value = 1;
    assert_int_equal(tsr_host_store(tile, DATA, 0, 4), TSR_OK); // somebody has acted
    run_some(tile);
    assert_int_equal(words_held(tile, 0), 0);
    for (uint32_t i = 0; i < WORDS; i++) {
        uint32_t pair = tile_state(tile)->gprs.value[0][i / 2];
        if (i % 16 != 15)
            assert_int_equal(i % 2 ? pair >> 16 : pair & 0xffff, 100 + i);
    }
    assert_int_equal(tsr_diagnostic_count(tile), WORDS / 16);
    for (int i = 0; i < tsr_diagnostic_count(tile); i++) {
        const tsr_diagnostic *diagnostic = tsr_diagnostic_at(tile, i);
        uint32_t number = diagnostic->word - reserved;
        assert_int_equal(diagnostic->pushed_pc, first + 4 * (EACH * number + EACH - 1));
    }
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_stored_words)

// Four cores push what kernels do, B with REPLAYs and words that only its own FIFO can hold.
static tsr_tile *kernel_tile(int arch, tsr_pipeline pipeline)
{
    static const char *const mix[] = {"SETDMAREG RegIndex16b=16 Payload_SigSel=0x20",
                                      "SETDMAREG RegIndex16b=17",
                                      "NOP",
                                      "SETADCXY CntSetMask=3 BitMask=15",
                                      "INCRWC rwc_d=1",
                                      "SETADCZW CntSetMask=3 BitMask=15",
                                      "STALLWAIT stall_res=0x40 wait_res=1"};
    tsr_tile *tile = tile_piped(arch, pipeline);
    uint32_t random = 5;
    for (int core = TSR_CORE_B; core <= TSR_CORE_T2; core++) {
        uint32_t at = core == TSR_CORE_B ? B_CODE : T_CODE + 0x1000 * (uint32_t)core;
        struct code code = code_at(tile, at);
        code_li(&code, A1, 9);
        uint32_t loop = code.at;
        if (core != TSR_CORE_T0)
            code_push(&code, "REPLAY start_idx=2 len=5 load_mode=1 execute_while_loading=1");
        for (int i = 0; i < 200; i++) {
            random = random * 1664525u + 1013904223u;
            uint32_t kind = (random >> 16) % (i < 9 || core == TSR_CORE_T0 ? 18 : 20);
            if (kind == 19)
                code_addi(&code, A0, A0, 1);
            else
                code_push(&code, kind < 18 ? mix[kind % 7] : "REPLAY start_idx=2 len=4");
        }
        code_addi(&code, A1, A1, -1);
        code_branch(&code, RISCV_BNE, A1, ZERO, loop);
        code_end(&code);
        core_start(tile, core, at);
    }
    return tile;
}

static void test_rows_as_words(int arch)
{
    tsr_tile *one = kernel_tile(arch, TSR_PIPELINE_AUTO);
    tsr_tile *other = kernel_tile(arch, TSR_PIPELINE_STAGED);
    for (int cut = 0; cut < 30; cut++) {
        tsr_run_cycles(one, 64);
        tsr_run_cycles(other, 64);
        const char *difference = tile_difference(one, other);
        if (difference)
            fail_msg("after %d quanta %s differs", cut + 1, difference);
    }
    if (tsr_diagnostic_count(one) > 0)
        fail_msg("%s", tsr_diagnostic_at(one, 0)->sentence);
    assert_true(tile_state(one)->frontend[0].sequence > 500);
    tsr_tile_destroy(one);
    tsr_tile_destroy(other);
}
TILE_BOTH(test_rows_as_words)

// ---------------------------------------------------------------- Blackhole's status CSRs

enum { QSTATUS = 0xbc0, BSTATUS = 0xbc1, IN_ALL_QUEUED = 13, IN_ALL_BUSY = 11 };
enum { PLAYED = 1 << 0, SCALAR = 1 << 2, CONFIG = 1 << 6, MANY = 1 << 8, MATRIX = 1 << 10 };
enum { CC = 1 << 11 | 1 << 24 };

static void store_csr(struct code *code, int csr, uint32_t address)
{
    code_put(code, rv_i(RISCV_CSRRS, A0, ZERO, csr));
    code_li(code, A4, address);
    code_sw(code, A0, A4, 0);
}

// T1 and T2 push behind waits and look, then B does.
static void status(bool timing)
{
    tsr_tile *tile = tile_with_cores(BH, timing, TSR_PROFILE_SILICON);
    for (int thread = 1; thread < 3; thread++) {
        uint32_t at = T_CODE + 0x1000 * (uint32_t)thread, data = DATA + 0x10 * (uint32_t)thread;
        struct code code = code_at(tile, at);
        code_push(&code, "SEMWAIT sem_sel=1 stall_res=0x1ff wait_sem_cond=1");
        code_push(&code, thread == 1 ? "SETDMAREG RegIndex16b=3" : "INCRWC rwc_d=1");
        code_push(&code, thread == 1 ? "REPLAY start_idx=0 len=4" : "WRCFG GprAddress=8 CfgReg=76");
        code_spend(&code, 200);
        store_csr(&code, QSTATUS, data);
        store_csr(&code, BSTATUS, data + 4);
        code_end(&code);
        core_start(tile, TSR_CORE_T0 + thread, at);
    }
    struct code code = code_at(tile, 0);
    code_spend(&code, 300);
    store_csr(&code, QSTATUS, DATA);
    store_csr(&code, BSTATUS, DATA + 4);
    code_end(&code);
    core_start(tile, TSR_CORE_B, 0);
    for (int i = 0; i < 10; i++)
        run_some(tile);
    const uint32_t t1 = SCALAR | MANY | PLAYED, t2 = MATRIX | CONFIG, all = t1 | t2;
    assert_int_equal(tile_l1(tile, DATA + 0x10), t1 | all << IN_ALL_QUEUED | CC);
    assert_int_equal(tile_l1(tile, DATA + 0x14), t1 | all << IN_ALL_BUSY);
    assert_int_equal(tile_l1(tile, DATA + 0x20), t2 | all << IN_ALL_QUEUED | CC);
    assert_int_equal(tile_l1(tile, DATA + 0x24), t2 | all << IN_ALL_BUSY);
    assert_int_equal(tile_l1(tile, DATA), all | all << IN_ALL_QUEUED | CC);
    assert_int_equal(tile_l1(tile, DATA + 4), all | all << IN_ALL_BUSY);
    tsr_tile_destroy(tile);
}

static void test_status(void **state)
{
    (void)state;
    status(false);
    status(true);
}

// With timing on: a core pushes word after word behind a wait that never ends. Its FIFO is full
// then, and has the place of each word's instruction, the last of which stands before where the
// core waits.
static void full_with_timing(int arch, int core)
{
    tsr_tile *tile = tile_with_cores(arch, true, TSR_PROFILE_SILICON);
    const bool of_b = core == TSR_CORE_B;
    const int thread = of_b ? 0 : core - TSR_CORE_T0;
    struct code code = code_at(tile, of_b ? B_CODE : T_CODE);
    code_push(&code, "SEMINIT sem_sel=1 max_value=1");
    code_push(&code, "SEMWAIT sem_sel=1 stall_res=0x1ff wait_sem_cond=1");
    for (int i = 0; i < 100; i++) {
        code_push(&code, "NOP");
        code_addi(&code, A0, A0, 1);
    }
    code_end(&code);
    core_start(tile, core, of_b ? B_CODE : T_CODE);
    run_some(tile);
    assert_int_equal(core_view(tile, core).rest, TSR_CORE_BLOCKED);
    const struct tsr_frontend *frontend = &tile_state(tile)->frontend[thread];
    const struct tsr_fifo *fifo = of_b ? &frontend->before_replay : &frontend->before_mop;
    const struct tsr_env *env = &tile->engine.env;
    unsigned passed = of_b ? 0 : tsr_frontend_passed(env, frontend);
    assert_int_equal(fifo->count + passed, tsr_frontend_depth(env, thread, of_b));
    assert_true(fifo->count > 0);
    for (unsigned i = 0; i < fifo->count; i++) {
        uint64_t tag = fifo->tag[(fifo->first + i) % TSR_FIFO_MAX];
        assert_int_equal(tag & TSR_TAG_SOURCE, of_b ? TSR_FROM_B : TSR_FROM_CORE);
        assert_int_equal(tsr_tag_pc(tag), core_view(tile, core).pc - 8 * (fifo->count - i));
    }
    tsr_tile_destroy(tile);
}

static void test_full_with_timing(void **state)
{
    (void)state;
    for (int arch = WH; arch <= BH; arch++)
        for (int core = TSR_CORE_B; core <= TSR_CORE_T2; core++)
            full_with_timing(arch, core);
}

// Blackhole's T cores push up to four adjacent ones in a cycle, as long as the FIFO holds less than
// it takes; each is an instruction. `before`: of the words that are pushed one by one.
static unsigned adjacent_with_timing(int core, int before)
{
    tsr_tile *tile = tile_with_cores(BH, true, TSR_PROFILE_SILICON);
    const int thread = core - TSR_CORE_T0;
    struct code code = code_at(tile, T_CODE);
    code_push(&code, "SEMINIT sem_sel=1 max_value=1");
    code_push(&code, "SEMWAIT sem_sel=1 stall_res=0x1ff wait_sem_cond=1");
    for (int i = 0; i < before; i++) {
        code_addi(&code, A0, A0, 1);
        code_push(&code, "NOP");
    }
    code_addi(&code, A0, A0, 1);
    for (int i = 0; i < 100; i++)
        code_push(&code, "NOP");
    code_end(&code);
    core_start(tile, core, T_CODE);
    run_some(tile);
    assert_int_equal(core_view(tile, core).rest, TSR_CORE_BLOCKED);
    const struct tsr_frontend *frontend = &tile_state(tile)->frontend[thread];
    const struct tsr_fifo *fifo = &frontend->before_mop;
    const struct tsr_env *env = &tile->engine.env;
    for (unsigned i = 0; i < fifo->count; i++) {
        uint64_t tag = fifo->tag[(fifo->first + i) % TSR_FIFO_MAX];
        assert_int_equal(tag & TSR_TAG_SOURCE, TSR_FROM_CORE);
        assert_int_equal(tsr_tag_pc(tag), core_view(tile, core).pc - 4 * (fifo->count - i));
    }
    unsigned held = fifo->count + tsr_frontend_passed(env, frontend);
    unsigned more = held - tsr_frontend_depth(env, thread, false);
    tsr_tile_destroy(tile);
    return more;
}

static void test_adjacent_with_timing(void **state)
{
    (void)state;
    for (int core = TSR_CORE_T0; core <= TSR_CORE_T2; core++) {
        unsigned seen = 0;
        for (int before = 0; before < 4; before++) {
            unsigned more = adjacent_with_timing(core, before);
            assert_in_range(more, 0, 3);
            seen |= 1u << more;
        }
        assert_int_equal(seen, 0xf);
    }
}

// T0 hands SrcA and SrcB over behind a wait and so many other words, T1 gives both back and waits
// for SrcA alone. Where T0's FIFO is full with SrcA's word, T0 pushes SrcB's once there is room,
// long before the matrix unit is through, and has not given back what it does not own.
static void hand_over(int arch, tsr_pipeline pipeline, int words)
{
    tsr_tile *tile = tile_piped(arch, pipeline);
    struct code code = code_at(tile, T_CODE);
    code_push(&code, "SEMINIT sem_sel=1 max_value=1");
    code_push(&code, "SEMWAIT sem_sel=1 stall_res=0x1ff wait_sem_cond=1");
    for (int i = 0; i < words; i++)
        code_push(&code, "NOP");
    code_put(&code, rv_ttinsn(arch == WH ? 0x43000007 : 0x43000101)); // UNPACR_NOP for SrcA
    code_addi(&code, A0, A0, 1);
    code_put(&code, rv_ttinsn(arch == WH ? 0x43800007 : 0x43800101)); // ... and SrcB
    code_end(&code);
    core_start(tile, TSR_CORE_T0, T_CODE);
    code = code_at(tile, T_CODE + 0x1000);
    code_push(&code, "MOVA2D addr_mode=0 instr_mod=2");
    code_push(&code, "SETRWC clear_ab_vld=3");
    code_load(&code, A0, AT_MAILBOXES); // for ever
    core_start(tile, TSR_CORE_T1, T_CODE + 0x1000);
    code = code_at(tile, T_CODE + 0x2000);
    code_spend(&code, 200);
    code_li(&code, A1, AT_MAILBOXES);
    code_push(&code, "SEMPOST sem_sel=1");
    code_lw(&code, A0, A1, 0);
    core_start(tile, TSR_CORE_T2, T_CODE + 0x2000);
    run_some(tile);
    assert_null(tile_found(tile, "src-bank-taken"));
    assert_false(tile_state(tile)->src[TSR_SRCB].bank[0].matrix_owns);
    assert_int_equal(tile_state(tile)->src[TSR_SRCB].matrix_bank, 1);
    tsr_tile_destroy(tile);
}

static void test_hand_over_behind_full_fifo(int arch)
{
    for (int words = 0; words < 48; words++) {
        hand_over(arch, TSR_PIPELINE_AUTO, words);
        hand_over(arch, TSR_PIPELINE_STAGED, words);
    }
}
TILE_BOTH(test_hand_over_behind_full_fifo)

// T1 pushes more words than its FIFO holds, the first of which T2, whose turn comes later in the
// quantum, sees at work. Behind a wait nothing moves, and T1 is held.
static void room_in_turn(int arch, tsr_pipeline pipeline, const char *first, bool waits)
{
    enum { WORDS = 40, VALUE = 3 };
    tsr_tile *tile = tile_piped(arch, pipeline);
    tile_state(tile)->sync.semaphore[1].max = 15;
    struct code code = code_at(tile, T_CODE);
    if (waits)
        code_push(&code, "SEMWAIT sem_sel=1 stall_res=0x1ff wait_sem_cond=1");
    for (int i = 0; i < VALUE; i++)
        code_push(&code, first);
    for (int i = 0; i < WORDS; i++)
        code_push(&code, "NOP");
    code_end(&code);
    core_start(tile, TSR_CORE_T1, T_CODE);
    code = code_at(tile, T_CODE + 0x1000);
    code_load(&code, A0, AT_SEMAPHORES + 4 * 1);
    code_end(&code);
    core_start(tile, TSR_CORE_T2, T_CODE + 0x1000);
    tsr_run_cycles(tile, 64);
    assert_int_equal(core_view(tile, TSR_CORE_T2).x[A0], waits ? 0 : VALUE);
    assert_int_equal(core_view(tile, TSR_CORE_T1).rest, waits ? TSR_CORE_BLOCKED : TSR_CORE_ENDED);
    assert_int_equal(words_held(tile, 1) > 0, waits);
    tsr_tile_destroy(tile);
}

static void test_room_in_turn(int arch)
{
    static const char *const first[] = {
        "SEMPOST sem_sel=2", "SEMINIT sem_sel=2 max_value=15 init_value=3"}; // small, or not
    for (int staged = 0; staged < 2; staged++)
        for (int i = 0; i < 2; i++)
            for (int waits = 0; waits < 2; waits++)
                room_in_turn(arch, staged ? TSR_PIPELINE_STAGED : TSR_PIPELINE_AUTO, first[i],
                             waits);
}
TILE_BOTH(test_room_in_turn)

// T1 pushes a STOREREG and loads that register at once, then another one. Behind a wait it finds
// what was there before.
static void load_behind_storereg(int arch, tsr_pipeline pipeline, bool small, bool waits)
{
    enum { VALUE = 0x5a, OLD = 7 };
    const uint32_t at = 0xffb12070u; // CG_CTRL_HYST0
    tsr_tile *tile = tile_piped(arch, pipeline);
    tile_state(tile)->sync.semaphore[1].max = 15;
    char store[64];
    snprintf(store, sizeof store, "STOREREG TdmaDataRegIndex=24 RegAddr=%u",
             (unsigned)(at - 0xffb00000u) / 4);
    struct code code = code_at(tile, T_CODE);
    code_store(&code, at, OLD);
    if (!small)
        code_push(&code, "SEMINIT sem_sel=4 max_value=15 init_value=3");
    if (waits)
        code_push(&code, "SEMWAIT sem_sel=1 stall_res=0x1ff wait_sem_cond=1");
    code_push(&code, "SETDMAREG Payload_SigSelSize=0 Payload_SigSel=0x5a SetSignalsMode=0 "
                     "RegIndex16b=48");
    code_push(&code, store);
    code_load(&code, A0, at);
    code_end(&code);
    core_start(tile, TSR_CORE_T1, T_CODE);
    tsr_run_cycles(tile, 64);
    assert_int_equal(core_view(tile, TSR_CORE_T1).x[A0], waits ? OLD : VALUE);
    assert_int_equal(core_view(tile, TSR_CORE_T1).rest, TSR_CORE_ENDED);
    assert_int_equal(words_held(tile, 1) > 0, waits);
    const tsr_diagnostic *found = tile_found(tile, "storereg-passed");
    assert_non_null(found);
    assert_int_equal(found->repeats, 0);
    assert_non_null(strstr(found->sentence, "0xffb12070"));
    tsr_tile_destroy(tile);
}

static void test_load_behind_storereg(int arch)
{
    for (int variant = 0; variant < 8; variant++)
        load_behind_storereg(arch, variant & 1 ? TSR_PIPELINE_STAGED : TSR_PIPELINE_AUTO,
                             variant & 2, variant & 4);
}
TILE_BOTH(test_load_behind_storereg)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_load_behind_storereg),
        TILE_TEST(test_hand_over_behind_full_fifo),
        TILE_TEST(test_room_behind_a_wait),
        TILE_TEST(test_room_in_turn),
        cmocka_unit_test(test_room_beside_a_replay),
        cmocka_unit_test(test_status),
        cmocka_unit_test(test_full_with_timing),
        cmocka_unit_test(test_adjacent_with_timing),
        TILE_TEST(test_refused),
        TILE_TEST(test_places),
        TILE_TEST(test_stored_words),
        TILE_TEST(test_rows_as_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
