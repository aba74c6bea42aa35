// SPDX-License-Identifier: Apache-2.0
// From a thread's FIFO to its wait gate: MOPExpander.md, REPLAY.md, the depths of the frontend's
// FIFOs, and what the gate refuses.
#include "frontend/expand.h"
#include "frontend/mop_expander.h"
#include "rig/tile_rig.h"

// Words of a test program are SEMPOSTs distinguished by a letter in their low bits; they are taken
// from before the gate and never issued.
enum { NOP = 0x02000000 };

struct words {
    uint32_t word[2100];
    int count;
};

// What comes to the gate, in order: words leave the FIFO before the gate one by one.
static void collect(tsr_tile *tile, int thread, struct words *out)
{
    struct tsr_engine *engine = &tile->engine;
    struct tsr_frontend *frontend = &tile_state(tile)->frontend[thread];
    out->count = 0;
    for (;;) {
        bool moved = tsr_expand(engine, thread);
        while (frontend->before_gate.count > 0) {
            assert_true(out->count < 2100);
            out->word[out->count++] = tsr_fifo_front(&frontend->before_gate);
            tsr_fifo_pop(&frontend->before_gate);
            moved = true;
        }
        if (!moved)
            return;
    }
}

static uint32_t letter(char c)
{
    return c == '.' ? NOP : 0xa4000000u | (uint32_t)c;
}

static void assert_words(const struct words *got, const char *expected)
{
    char text[2101];
    for (int i = 0; i < got->count; i++)
        text[i] = got->word[i] == NOP ? '.' : (char)(got->word[i] & 0xff);
    text[got->count] = 0;
    assert_string_equal(text, expected);
}

static void mop_config(tsr_tile *tile, int thread, uint32_t w0, uint32_t w1, const char *words)
{
    struct tsr_frontend *frontend = &tile_state(tile)->frontend[thread];
    frontend->mop_config[0] = w0;
    frontend->mop_config[1] = w1;
    for (int i = 0; i < 7; i++)
        frontend->mop_config[2 + i] = letter(words[i]);
    frontend->mop_config_written = 0x1ff;
}

static void expand(tsr_tile *tile, const char *text, const char *expected)
{
    struct words got;
    tile_push(tile, 0, text);
    tile_push_word(tile, 0, letter('z'));
    collect(tile, 0, &got);
    assert_words(&got, expected);
}

// ---------------------------------------------------------------- MOP, template 1

// Words: start, end 0, end 1, loop, loop', last of the final round, last of the others.
static void test_template1(int arch)
{
    tsr_tile *tile = tile_default(arch);
    mop_config(tile, 0, 2, 3, "SEFL.lm");
    expand(tile, "MOP mop_type=1", "SLLmEFSLLlEFz");
    mop_config(tile, 0, 2, 2, ".E.LMlm");
    expand(tile, "MOP mop_type=1", "LMLmELMLlEz");
    mop_config(tile, 0, 3, 1, "...L.lm");
    expand(tile, "MOP mop_type=1", "mmlz"); // the loop's word never appears
    mop_config(tile, 0, 3, 1, "...LMlm");
    expand(tile, "MOP mop_type=1", "LmLmLlz");
    mop_config(tile, 0, 1, 1, "..F..l.");
    expand(tile, "MOP mop_type=1", "lz"); // no second end without a first
    mop_config(tile, 0, 2, 0, "SEFLMlm");
    expand(tile, "MOP mop_type=1", "SEFSEFz");
    mop_config(tile, 0, 0, 5, "SEFLMlm");
    expand(tile, "MOP mop_type=1", "z");
    mop_config(tile, 0, arch == WH ? 129 : 1025, arch == WH ? 130 : 1026, "...L.l.");
    expand(tile, "MOP mop_type=1", "Llz"); // seven bits of each count, on Blackhole ten
    mop_config(tile, 0, 2, 2, "...L...");
    expand(tile, "MOP mop_type=1", "L.L.z"); // the last words are emitted though they are NOPs
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_template1)

// No start, no inner rounds and an end: one round more without a second end, and with one 128 more
// (Blackhole: 1024 more) if there is one round. Each part must be there.
static void test_template1_hardware_bug(int arch)
{
    const struct {
        uint32_t outer, inner;
        const char *words;
        int count;
    } rows[] = {
        {1, 0, ".E.LMlm", 2},    {1, 0, ".EFLMlm", arch == WH ? 258 : 2050},
        {2, 0, ".E.LMlm", 3},    {2, 0, ".EFLMlm", 4},
        {1, 0, "SE.LMlm", 2},    {1, 0, "..FLMlm", 0},
        {0, 0, ".E.LMlm", 1},    {1, 1, ".E.L.lm", 2},
        {1, 1024, ".E.L.lm", 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsr_tile *tile = tile_default(arch);
        struct words got;
        mop_config(tile, 0, rows[i].outer, rows[i].inner, rows[i].words);
        tile_push(tile, 0, "MOP mop_type=1");
        collect(tile, 0, &got);
        assert_int_equal(got.count, rows[i].count);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_template1_hardware_bug)

static void test_template1_largest(int arch)
{
    tsr_tile *tile = tile_default(arch);
    mop_config(tile, 0, 127, 127, "SEFLMlm");
    for (int i = 0; i < 6; i++)
        tile_state(tile)->frontend[0].mop_config[2 + i] = 0x57000000u; // SETDVALID of nothing
    tile_state(tile)->frontend[0].mop_config[8] = 0x57000000u;
    tile_state(tile)->frontend[0].mop_config[6] = NOP;
    tsr_tile_set_policy(tile, "legacy-mode", TSR_ACTION_RECORD);
    tile_do(tile, 0, "MOP mop_type=1");
    assert_int_equal(tile_state(tile)->frontend[0].sequence, 127 * (127 + 3));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_template1_largest)

// ---------------------------------------------------------------- MOP, template 0

static void push_template0(tsr_tile *tile, unsigned low, unsigned count, const char *expected)
{
    char text[100];
    snprintf(text, sizeof text, "MOP %s=%u loop_count=%u",
             tsr_tile_arch(tile) == TSR_WORMHOLE_B0 ? "zmask_lo16" : "zmask_lo16_or_loop_count",
             low, count);
    expand(tile, text, expected);
}

// Words: B, A0..A3, skip A, skip B.
static void test_template0(int arch)
{
    tsr_tile *tile = tile_default(arch);
    mop_config(tile, 0, 0, 3, "BACDEXY");
    push_template0(tile, 2, 2, "ACDEBXYACDEBz");
    mop_config(tile, 0, 0, 2, "BACDEXY");
    push_template0(tile, 2, 2, "ACDEXACDEz");
    mop_config(tile, 0, 0, 1, "BACDEXY");
    push_template0(tile, 4, 2, "ABABXYz");
    mop_config(tile, 0, 0, 0xfffffffc, "BACDEXY"); // the low two bits alone
    push_template0(tile, 5, 3, "XAXAz");
    push_template0(tile, 0, 0, "Az");
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_template0)

// MOP_CFG gives the mask's upper half and keeps it; beyond bit 31 the mask is zero.
static void test_template0_mask(int arch)
{
    tsr_tile *tile = tile_default(arch);
    mop_config(tile, 0, 0, 0, "BACDEXY");
    tile_push(tile, 0, "MOP_CFG zmask_hi16=0x8001");
    push_template0(tile, 0x8000, 34, "AAAAAAAAAAAAAAAXXAAAAAAAAAAAAAAXAAAz");
    push_template0(tile, 0, 16, "AAAAAAAAAAAAAAAAXz");
    assert_int_equal(tile_state(tile)->frontend[1].mop_mask_high, 0); // each thread has its own
    struct words got;
    mop_config(tile, 0, 0, 0, "BACDEXY");
    tile_push(tile, 0, "MOP loop_count=127");
    collect(tile, 0, &got);
    assert_int_equal(got.count, 128);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_template0_mask)

static void test_mop_config_never_written(int arch)
{
    tsr_tile *tile = tile_default(arch);
    mop_config(tile, 0, 0, 0, "BACDEXY");
    tile_state(tile)->frontend[0].mop_config_written = 0x8a; // flags, A0, skip A
    tile_state(tile)->frontend[0].mop_config[3] = NOP;
    tile_do(tile, 0, "MOP loop_count=1");
    tile_state(tile)->frontend[0].mop_config[1] = 1;
    tile_push(tile, 0, "MOP loop_count=1");
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    assert_non_null(tile_found(tile, "uninitialised-config"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_mop_config_never_written)

// ---------------------------------------------------------------- REPLAY

static void push_text(tsr_tile *tile, const char *letters)
{
    for (; *letters; letters++)
        tile_push_word(tile, 0, letter(*letters));
}

static void assert_stream(tsr_tile *tile, const char *expected)
{
    struct words got;
    collect(tile, 0, &got);
    assert_words(&got, expected);
}

static void test_replay_wraps(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tile_push(tile, 0, "REPLAY len=0 load_mode=1"); // 0: 32 words
    push_text(tile, "0123456789abcdefghijklmnopqrstuv!");
    assert_stream(tile, "!");
    tile_push(tile, 0, "REPLAY start_idx=30 len=5");
    assert_stream(tile, "uv012");
    tile_push(tile, 0, "REPLAY start_idx=1 len=0");
    assert_stream(tile, "123456789abcdefghijklmnopqrstuv0");
    tile_push(tile, 0, "REPLAY start_idx=31 len=2 load_mode=1");
    push_text(tile, "xy");
    tile_push(tile, 0, "REPLAY start_idx=30 len=4");
    assert_stream(tile, "uxy1");
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_replay_wraps)

static void test_replay_load(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tile_push(tile, 0, "REPLAY start_idx=3 len=4 load_mode=1");
    push_text(tile, "abcde");
    assert_stream(tile, "e"); // loaded, not executed
    tile_push(tile, 0, "REPLAY start_idx=3 len=4");
    push_text(tile, "f");
    assert_stream(tile, "abcdf");
    tile_push(tile, 0, "REPLAY start_idx=9 len=2 load_mode=1 execute_while_loading=1");
    push_text(tile, "ghi");
    assert_stream(tile, "ghi");
    tile_push(tile, 0, "REPLAY start_idx=9 len=2");
    tile_push(tile, 0, "REPLAY start_idx=4 len=1");
    assert_stream(tile, "ghb");
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_replay_load)

// A REPLAY that is loaded is a word like any other, and comes out unexpanded.
static void test_replay_of_replay(int arch)
{
    tsr_tile *tile = tile_default(arch);
    struct words got;
    uint32_t inner = tile_word(tile, "REPLAY start_idx=5 len=1");
    tile_push(tile, 0, "REPLAY len=2 load_mode=1");
    tile_push_word(tile, 0, inner);
    push_text(tile, "a");
    tile_push(tile, 0, "REPLAY len=2");
    collect(tile, 0, &got);
    assert_int_equal(got.count, 2);
    assert_int_equal(got.word[0], inner);
    assert_int_equal(got.word[1], letter('a'));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_replay_of_replay)

// What a MOP emits passes the replay expander.
static void test_mop_into_replay(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tile_push(tile, 0, "REPLAY len=3 load_mode=1");
    push_text(tile, "abc");
    mop_config(tile, 0, 2, 1, "S....lm");
    struct tsr_frontend *frontend = &tile_state(tile)->frontend[0];
    frontend->mop_config[7] = frontend->mop_config[8] = tile_word(tile, "REPLAY len=3");
    tile_push(tile, 0, "MOP mop_type=1");
    assert_stream(tile, "SabcSabc");
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_mop_into_replay)

static void test_replay_too_long(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tile_push(tile, 0, "REPLAY len=33 load_mode=1");
    push_text(tile, "0123456789abcdefghijklmnopqrstuvw!");
    assert_stream(tile, "!");
    const tsr_diagnostic *found = tile_found(tile, "undocumented-mode");
    assert_non_null(found);
    assert_int_equal(found->action, TSR_ACTION_RECORD);
    tile_push(tile, 0, "REPLAY len=1");
    assert_stream(tile, "w"); // the thirty-third word came round
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_replay_too_long)

// ---------------------------------------------------------------- depths, refusals

// A held thread keeps what fits: two words at the gate, eight before the replay expander, then the
// FIFO of 32 or 16. On Blackhole they are 29 together, if they come one by one.
static void test_depths(int arch)
{
    static const int depths[2][TSR_THREADS] = {{32, 16, 16}, {19, 19, 19}};
    const int *depth = depths[arch == BH];
    for (int thread = 0; thread < TSR_THREADS; thread++) {
        tsr_tile *tile = tile_default(arch);
        tsr_limits limits = tsr_limits_default();
        limits.external = true;
        tile_push(tile, thread, "SEMWAIT sem_sel=1 wait_sem_cond=1 stall_res=2");
        assert_int_equal(tsr_run(tile, &limits), TSR_END_IDLE);
        int taken = 0;
        for (int tries = 0; tries < 10; tries++) {
            while (tsr_push(tile, thread, tile_word(tile, "SEMPOST sem_sel=2")) == TSR_OK)
                taken++;
            assert_int_equal(tsr_run(tile, &limits), TSR_END_BLOCKED);
        }
        assert_int_equal(taken, 2 + 8 + depth[thread]);
        tsr_expand_all(&tile->engine.env, thread); // words move when somebody asks where they are
        const struct tsr_frontend *frontend = &tile_state(tile)->frontend[thread];
        assert_int_equal(frontend->before_gate.count, 2);
        assert_int_equal(frontend->before_replay.count, 8);
        assert_int_equal(frontend->before_mop.count, depth[thread]);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_depths)

static void test_refused_words(int arch)
{
    static const struct {
        uint32_t word;
        const char *code;
        tsr_category category;
    } rows[] = {{0xff000000, "unknown-instruction", TSR_BAD_INPUT},
                {0x00000000, "unknown-instruction", TSR_BAD_INPUT},
                {0xa4000401, "stray-operand-bits", TSR_UNDEFINED_BEHAVIOUR},
                {0x44000000, "no-specification", // RSTDMA
                 TSR_UNIMPLEMENTED_FEATURE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsr_tile *tile = tile_default(arch);
        tile_push_word(tile, 1, NOP);
        tile_push_word(tile, 1, rows[i].word);
        tile_push(tile, 1, "SEMPOST sem_sel=2");
        assert_int_equal(tile_run(tile), TSR_END_STOPPED);
        assert_int_equal(tsr_diagnostic_count(tile), 1);
        const tsr_diagnostic *found = tsr_diagnostic_at(tile, 0);
        assert_string_equal(found->code, rows[i].code);
        assert_int_equal(found->category, rows[i].category);
        assert_int_equal(found->thread, 1);
        assert_int_equal(found->sequence, 2);
        assert_int_equal(tile_semaphore(tile, 1), 0);
        tsr_tile_reset(tile);
        assert_int_equal(tsr_tile_set_policy(tile, rows[i].code, TSR_ACTION_RECORD), TSR_OK);
        tile_push_word(tile, 1, found->word);
        tile_do(tile, 1, "SEMPOST sem_sel=2"); // dropped, and on
        assert_int_equal(tile_semaphore(tile, 1), 1);
        assert_int_equal(tile_state(tile)->frontend[1].sequence, 2);
        assert_int_equal(tile_semaphore(tile, 0), 0);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_refused_words)

// What no unit gets is looked at for stray bits, too: once for each word, and they change nothing.
// A MOP has none.
static void check_stray_bits(int arch, uint32_t bits, bool timing, tsr_pipeline pipeline)
{
    static const char *const words[] = {"NOP", "MOP_CFG zmask_hi16=0", "REPLAY load_mode=1 len=1",
                                        "SEMPOST sem_sel=2", "REPLAY len=1"};
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.timing = timing;
    options.pipeline = pipeline;
    for (unsigned which = 0; which < 5; which++)
        for (int records = 0; records < 2; records++) {
            options.profile = records ? TSR_PROFILE_SILICON : TSR_PROFILE_STRICT;
            tsr_tile *tile = tile_with(&options);
            uint32_t own = tile_word(tile, words[which]), stray = 0;
            if (which != 3)
                stray = tsr_reserved_bits(tile_env(tile)->isa, tsr_op_of(tile_env(tile)->isa, own),
                                          bits);
            tile_push(tile, 1, "REPLAY load_mode=1 len=1");
            tile_do(tile, 1, "NOP");
            for (unsigned i = 0; i < 9; i++) // the ways of a lone thread and of the bypass
                tile_push(tile, 1, i < 8 ? "NOP" : "REPLAY len=1");
            if (which == 0 || which == 4)
                tile_push_word(tile, 1, own | stray);
            for (unsigned i = 0; i < 5; i++)
                tile_push_word(tile, 1, tile_word(tile, words[i]) | (i == which ? stray : 0));
            assert_int_equal(tile_run(tile), stray && !records ? TSR_END_STOPPED : TSR_END_IDLE);
            assert_int_equal(tsr_diagnostic_count(tile), stray != 0);
            assert_int_equal(tile_semaphore(tile, 1), !stray || records);
            if (stray) {
                tile_says(tile, "stray-operand-bits", "which belong to no operand");
                assert_int_equal(tsr_diagnostic_at(tile, 0)->word, own | stray);
                assert_int_equal(tsr_diagnostic_at(tile, 0)->repeats,
                                 records && (which == 0 || which == 4));
            }
            tsr_tile_destroy(tile);
        }
}

static void test_stray_bits(int arch)
{
    for (unsigned bit = 0; bit < 24; bit++)
        for (int timing = 0; timing < 2; timing++) {
            check_stray_bits(arch, 1u << bit, timing, TSR_PIPELINE_AUTO);
            check_stray_bits(arch, 1u << bit, timing, TSR_PIPELINE_STAGED);
        }
    tsr_tile *tile = tile_default(arch);
    assert_int_equal(tsr_reserved_bits(tile_env(tile)->isa, OP_MOP, 0xffffff), 0);
    assert_int_equal(tsr_reserved_bits(tile_env(tile)->isa, OP_NOP, 0xffffff), 0xffffff);
    assert_int_equal(tsr_reserved_bits(tile_env(tile)->isa, OP_MOP_CFG, 0xffffff), 0xff0000);
    assert_int_equal(tsr_reserved_bits(tile_env(tile)->isa, OP_REPLAY, 0xffffff), 0xf83c0c);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_stray_bits)

// No chip has such an instruction now; a row that is marked so is refused by name.
static void test_unimplemented(int arch)
{
    tsr_tile *tile = tile_default(arch);
    struct tsr_isa isa = *tile_env(tile)->isa;
    isa.implemented[OP_SEMGET] = TSR_IMPLEMENTED_NONE;
    tile_env(tile)->isa = &isa;
    tsr_routes_fill(tile->own_tables->route, &isa);
    tile_push(tile, 1, "SEMGET sem_sel=1");
    tile_push(tile, 1, "SEMPOST sem_sel=2");
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    tile_says(tile, "unimplemented-instruction", "SEMGET is unimplemented.");
    assert_int_equal(tsr_diagnostic_at(tile, 0)->category, TSR_UNIMPLEMENTED_FEATURE);
    assert_int_equal(tile_semaphore(tile, 1), 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_unimplemented)

// What an expander keeps and comes out of one: a REPLAY that is loaded and executed, or played,
// and a MOP that a MOP emits.
static void test_expander_at_gate(int arch)
{
    static const char *const programs[3][3] = {
        {"REPLAY load_mode=1 execute_while_loading=1 len=1", "REPLAY start_idx=4 len=1", "NOP"},
        {"REPLAY load_mode=1 len=1", "REPLAY start_idx=4 len=1", "REPLAY len=1"},
        {"NOP", "NOP", "MOP mop_type=1"}};
    static const uint32_t sequence[3] = {1, 1, 3};
    for (int i = 0; i < 6; i++) {
        tsr_tile *tile = tile_default(arch);
        if (i >= 3)
            assert_int_equal(tsr_tile_set_policy(tile, "no-specification", TSR_ACTION_RECORD),
                             TSR_OK);
        mop_config(tile, 0, 1, 1, "......l");
        tile_state(tile)->frontend[0].mop_config[7] = tile_word(tile, "MOP mop_type=1");
        for (int k = 0; k < 3; k++)
            tile_push(tile, 0, programs[i % 3][k]);
        tile_push(tile, 0, "SEMPOST sem_sel=2");
        assert_int_equal(tile_run(tile), i < 3 ? TSR_END_STOPPED : TSR_END_IDLE);
        assert_int_equal(tile_semaphore(tile, 1), i >= 3);
        const tsr_diagnostic *found = tile_found(tile, "no-specification");
        assert_non_null(found);
        assert_int_equal(found->sequence, sequence[i % 3]);
        assert_int_equal(tsr_diagnostic_count(tile), 1);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_expander_at_gate)

// How many words are left is counted without them; at each place of a MOP it is what follows there,
// up to a REPLAY.
static void test_words_left(int arch)
{
    static const char letters[] = "....abcrr";
    tsr_tile *tile = tile_default(arch);
    struct tsr_frontend *frontend = &tile_state(tile)->frontend[0];
    uint32_t seed = 1;
    for (int i = 0; i < 4000; i++) {
        static struct tsr_mop_expansion expansion;
        char words[8] = {0};
        bool template1 = i % 4 != 0;
        for (int k = 0; k < 7; k++) {
            seed = seed * 1664525u + 1013904223u;
            words[k] = letters[(seed >> 16) % (i % 3 == 0 ? 9 : 7)];
        }
        mop_config(tile, 0, 1 + (seed >> 8) % 4, (seed >> 24) % 6, words);
        for (int k = 2; k < 9; k++)
            if (words[k - 2] == 'r')
                frontend->mop_config[k] = tile_word(tile, "REPLAY len=1");
        uint32_t word = tile_word(tile, template1 ? "MOP mop_type=1" : "MOP loop_count=3");
        if (!tsr_mop_peek(tile_env(tile), frontend, word, &frontend->mop))
            continue;
        unsigned count;
        const uint32_t *all = tsr_mop_words(tile_env(tile), frontend, &expansion, &count);
        for (unsigned at = 0; at <= count && count < TSR_MOP_EXPANSION; at++)
            for (unsigned most = 0; most < 12; most++) {
                unsigned expected = count - at < most ? count - at : most;
                for (unsigned k = 0; k < most && at + k < count; k++)
                    if (all[at + k] >> 24 == tile_word(tile, "REPLAY len=1") >> 24)
                        expected = most + 1;
                assert_int_equal(tsr_mop_words_left(tile_env(tile), frontend->mop_config,
                                                    expansion.after[at], most),
                                 expected);
            }
        expansion.places = 0;
    }
    frontend->mop.active = false;
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_words_left)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_template1),         TILE_TEST(test_template1_hardware_bug),
        TILE_TEST(test_template1_largest), TILE_TEST(test_template0),
        TILE_TEST(test_template0_mask),    TILE_TEST(test_mop_config_never_written),
        TILE_TEST(test_replay_wraps),      TILE_TEST(test_replay_load),
        TILE_TEST(test_replay_of_replay),  TILE_TEST(test_mop_into_replay),
        TILE_TEST(test_replay_too_long),   TILE_TEST(test_depths),
        TILE_TEST(test_refused_words),     TILE_TEST(test_stray_bits),
        TILE_TEST(test_unimplemented),     TILE_TEST(test_expander_at_gate),
        TILE_TEST(test_words_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
