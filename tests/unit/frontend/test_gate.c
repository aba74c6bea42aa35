// SPDX-License-Identifier: Apache-2.0
// The wait gate: what a latched STALLWAIT or SEMWAIT holds, and until when. Pages: STALLWAIT.md of
// each chip, SEMWAIT.md, TensixCoprocessor/README.md.
#include "frontend/wait_gate.h"
#include "rig/event_log.h"
#include "rig/face_rig.h"

static bool latched(tsr_tile *tile, int thread)
{
    return tile_state(tile)->sync.latch[thread].latched;
}

static void push_stall(tsr_tile *tile, int thread, unsigned block, unsigned conditions)
{
    char text[80];
    snprintf(text, sizeof text, "STALLWAIT stall_res=%u wait_res=%u", block, conditions);
    tile_push(tile, thread, text);
}

// Waits on semaphore 0, which stays zero.
static void push_wait(tsr_tile *tile, int thread, unsigned block)
{
    char text[80];
    snprintf(text, sizeof text, "SEMWAIT sem_sel=1 wait_sem_cond=1 stall_res=%u", block);
    tile_push(tile, thread, text);
}

static bool is_held(int arch, unsigned block, const char *text)
{
    tsr_tile *tile = tile_new(arch, false, TSR_PROFILE_SILICON);
    tsr_tile_set_policy(tile, "unimplemented", TSR_ACTION_RECORD);
    tsr_limits limits = tsr_limits_default();
    limits.external = true;
    push_wait(tile, 0, block);
    tile_push(tile, 0, text);
    tsr_run(tile, &limits);
    const struct tsr_frontend *frontend = &tile_state(tile)->frontend[0]; // it may wait for a bank
    bool held = frontend->before_gate.count > 0 && frontend->reason == TSR_REASON_SEMWAIT;
    tsr_tile_destroy(tile);
    return held;
}

// Rows of the page's table: which of B0..B8 hold the instruction.
static void test_block_bits(int arch)
{
    static const struct {
        const char *text;
        unsigned bits;
    } rows[] = {
        {"ADDDMAREG", 0x021}, {"ADDRCRXY", 0x001},  {"ATGETM", 0x002},     {"CLEARDVALID", 0x040},
        {"DMANOP", 0x021},    {"FLUSHDMA", 0x021},  {"GATESRCRST", 0x040}, {"INCADCZW", 0x001},
        {"INCRWC", 0x040},    {"LOADIND", 0x021},   {"PACR", 0x005},       {"PACR_SETREG", 0x005},
        {"RDCFG", 0x080},     {"REG2FLOP", 0x021},  {"RMWCIB2", 0x080},    {"SEMGET", 0x002},
        {"SEMINIT", 0x002},   {"SEMPOST", 0x002},   {"SETADC", 0x001},     {"SETC16", 0x080},
        {"SETDMAREG", 0x021}, {"SETDVALID", 0x001}, {"SETRWC", 0x040},     {"SFPMAD", 0x100},
        {"SFPNOP", 0x100},    {"UNPACR", 0x009},    {"UNPACR_NOP", 0x009}, {"WRCFG", 0x080},
        {"XMOV", 0x011},      {"ZEROACC", 0x040},   {"ZEROSRC", 0x040},    {"SHIFTXA", 0x040},
        {"STALLWAIT", 0x1ff},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (unsigned bit = 0; bit < TSR_BLOCK_BITS; bit++)
            if (is_held(arch, 1u << bit, rows[i].text) != (rows[i].bits >> bit & 1))
                fail_msg("%s with B%u", rows[i].text, bit);
        assert_true(is_held(arch, rows[i].bits, rows[i].text));
    }
    for (unsigned bit = 0; bit < TSR_BLOCK_BITS; bit++) {
        assert_false(is_held(arch, 0x1ff & ~(1u << bit), "NOP"));
        bool held = is_held(arch, 1u << bit, "SEMWAIT wait_sem_cond=1");
        assert_true(held == (arch == BH || bit == 1)); // Wormhole: B1 alone
    }
    assert_true(is_held(arch, 0x1ff, "NOP"));
}
TILE_BOTH(test_block_bits)

// Unblocked instructions go on after a latched wait, blocked ones and those after them stay.
static void test_blocked_and_others(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tsr_limits limits = tsr_limits_default();
    limits.external = true;
    push_wait(tile, 0, 0x80);
    tile_push(tile, 0, "SEMPOST sem_sel=2");
    tile_push(tile, 0, "SETC16 setc16_reg=30 setc16_value=1");
    tile_push(tile, 0, "SEMPOST sem_sel=4");
    tile_push(tile, 1, "SETC16 setc16_reg=30 setc16_value=2"); // another thread's gate
    assert_int_equal(tsr_run(tile, &limits), TSR_END_BLOCKED);
    assert_int_equal(tile_semaphore(tile, 1), 1);
    assert_int_equal(tile_semaphore(tile, 2), 0);
    assert_int_equal(tile_state(tile)->config.thread[0][30], 0);
    assert_int_equal(tile_state(tile)->config.thread[1][30], 2);
    tsr_store(tile, TSR_CORE_T2, 0xffe80020, 0, 4); // posts semaphore 0
    tile_idle(tile);
    assert_int_equal(tile_semaphore(tile, 2), 1);
    assert_int_equal(tile_state(tile)->config.thread[0][30], 1);
    assert_int_equal(tile_semaphore(tile, 0), 1); // waiting takes nothing
    assert_false(latched(tile, 0));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_blocked_and_others)

// A mask of zero stands for what the page says.
static void test_zero_masks(int arch)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_STRICT);
    const struct tsr_gate_latch *latch = &tile_state(tile)->sync.latch[0];
    push_stall(tile, 0, 0, 0);
    while (!latch->latched)
        assert_true(tsr_step(tile));
    assert_int_equal(latch->block, 0x40);
    assert_int_equal(latch->conditions, arch == WH ? 0x7f : 0x0f);
    tile_idle(tile);
    tile_push(tile, 0, "SEMWAIT sem_sel=1 wait_sem_cond=1");
    tsr_limits limits = tsr_limits_default();
    limits.external = true;
    assert_int_equal(tsr_run(tile, &limits), TSR_END_IDLE); // a latch alone keeps nothing busy
    assert_true(latch->latched);
    assert_int_equal(latch->block, 0x40);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_zero_masks)

static void test_semwait_of_several(int arch)
{
    tsr_tile *tile = tile_default(arch);
    struct tsr_semaphore *semaphore = tile_state(tile)->sync.semaphore;
    tsr_limits limits = tsr_limits_default();
    limits.external = true;
    for (int i = 0; i < 4; i++)
        semaphore[i] = (struct tsr_semaphore){.value = 1, .max = 2};
    semaphore[1].value = 0;
    semaphore[3].value = 2;
    tile_push(tile, 0, "SEMWAIT sem_sel=11 wait_sem_cond=3 stall_res=1");
    tile_push(tile, 0, "SETADCXX CntSetMask=1 x_end2=9");
    assert_int_equal(tsr_run(tile, &limits), TSR_END_BLOCKED); // 1 is zero, 3 at its maximum
    semaphore[1].value = 1;
    assert_int_equal(tsr_run(tile, &limits), TSR_END_BLOCKED);
    semaphore[2].value = 0; // not selected
    semaphore[3].value = 1;
    tile_idle(tile);
    assert_int_equal(tile_state(tile)->adcs.channel[0][0][1].x, 9);
    for (int cond = 1; cond < 3; cond++) { // each condition looks at its own end
        char text[80];
        semaphore[0] = (struct tsr_semaphore){.value = (uint8_t)(cond == 1 ? 5 : 0), .max = 5};
        snprintf(text, sizeof text, "SEMWAIT sem_sel=1 wait_sem_cond=%d stall_res=1", cond);
        tile_push(tile, 0, text);
        tile_do(tile, 0, "SETADCXX CntSetMask=1 x_end2=9");
    }
    semaphore[0] = (struct tsr_semaphore){.value = 7, .max = 5}; // beyond its maximum
    tile_push(tile, 0, "SEMWAIT sem_sel=1 wait_sem_cond=2 stall_res=1");
    tile_push(tile, 0, "SETADCXX CntSetMask=1 x_end2=1");
    assert_int_equal(tsr_run(tile, &limits), TSR_END_BLOCKED);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_semwait_of_several)

// Wormhole: a SEMWAIT that the block mask lets through replaces the wait. Blackhole: it waits.
static void test_semwait_on_a_latched_wait(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tsr_limits limits = tsr_limits_default();
    limits.external = true;
    push_wait(tile, 0, 0x40);
    tile_push(tile, 0, "SEMWAIT sem_sel=2 wait_sem_cond=1 stall_res=2");
    tile_push(tile, 0, "SEMPOST sem_sel=4");
    assert_int_equal(tsr_run(tile, &limits), TSR_END_BLOCKED);
    assert_int_equal(tile_state(tile)->sync.latch[0].semaphores, arch == WH ? 2 : 1);
    tsr_store(tile, TSR_CORE_T2, 0xffe80024, 0, 4);
    assert_int_equal(tsr_run(tile, &limits), arch == WH ? TSR_END_IDLE : TSR_END_BLOCKED);
    assert_int_equal(tile_semaphore(tile, 2), arch == WH);
    if (arch == BH) {
        tsr_store(tile, TSR_CORE_T2, 0xffe80020, 0, 4);
        tile_idle(tile);
    }
    push_wait(tile, 1, 0x40); // a STALLWAIT replaces nothing on either chip
    push_stall(tile, 1, 2, 1);
    tsr_store(tile, TSR_CORE_T2, 0xffe80020, 1, 4);
    tile_state(tile)->sync.semaphore[0].value = 0;
    assert_int_equal(tsr_run(tile, &limits), TSR_END_BLOCKED);
    assert_true(tile_state(tile)->sync.latch[1].on_semaphores);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_semwait_on_a_latched_wait)

static void test_semwait_without_condition(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tile_push(tile, 0, "SEMWAIT sem_sel=1 stall_res=2");
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    assert_non_null(tile_found(tile, "semwait-no-condition"));
    assert_false(latched(tile, 0));
    tsr_tile_destroy(tile);
    tile = tile_new(arch, true, TSR_PROFILE_SILICON);
    tile_push(tile, 0, "SEMWAIT sem_sel=1 stall_res=2");
    tile_do(tile, 0, "SEMPOST sem_sel=2");
    assert_int_equal(tile_semaphore(tile, 1), 1);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_semwait_without_condition)

// ---------------------------------------------------------------- conditions

// Whether a STALLWAIT for `condition` holds in the tile's present state.
static bool holds(tsr_tile *tile, int thread, enum tsr_condition condition)
{
    unsigned bit = tile_env(tile)->isa->condition_bit[condition];
    assert_true(bit != CONDITION_ABSENT);
    return tsr_condition_holds(tile_env(tile), thread, bit);
}

static void test_bank_conditions(int arch)
{
    tsr_tile *tile = tile_default(arch);
    struct tsr_src *src = tile_state(tile)->src;
    for (int side = 0; side < 2; side++) {
        enum tsr_condition at_unpacker = side ? CONDITION_SRCB_UNPACKER : CONDITION_SRCA_UNPACKER;
        enum tsr_condition at_matrix = side ? CONDITION_SRCB_MATRIX : CONDITION_SRCA_MATRIX;
        assert_false(holds(tile, 0, at_unpacker));
        assert_true(holds(tile, 0, at_matrix));
        src[side].bank[1].matrix_owns = true; // neither's present bank
        assert_false(holds(tile, 0, at_unpacker));
        assert_true(holds(tile, 0, at_matrix));
        src[side].matrix_bank = 1;
        assert_false(holds(tile, 0, at_matrix));
        src[side].unpacker_bank = 1;
        assert_true(holds(tile, 0, at_unpacker));
    }
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_bank_conditions)

// A unit's condition counts the thread's own instructions, whatever their stage.
static void test_unit_conditions(int arch)
{
    static const struct {
        int thread;
        enum tsr_condition condition;
        tsr_unit unit;
    } rows[] = {{0, CONDITION_UNPACKER0, TSR_UNIT_UNPACKER0},
                {0, CONDITION_UNPACKER1, TSR_UNIT_UNPACKER1},
                {1, CONDITION_MATRIX, TSR_UNIT_MATRIX},
                {2, CONDITION_PACKER0, TSR_UNIT_PACKER}};
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_STRICT);
    face_load(tile, arch, 1);
    bool seen[4] = {false}, more;
    do {
        for (int i = 0; i < 4; i++) {
            bool busy = tile_state(tile)->queues.of[rows[i].unit].count > 0;
            assert_int_equal(holds(tile, rows[i].thread, rows[i].condition), busy);
            assert_false(holds(tile, (rows[i].thread + 1) % TSR_THREADS, rows[i].condition));
            if (arch == WH && rows[i].condition == CONDITION_PACKER0)
                assert_false(holds(tile, 2, CONDITION_PACKER1)); // PACR gave it no work
            seen[i] |= busy;
        }
        more = !tsr_thread_drained(tile, 0) || !tsr_thread_drained(tile, 1) ||
               !tsr_thread_drained(tile, 2);
        if (more)
            assert_true(tsr_step(tile));
    } while (more);
    for (int i = 0; i < 4; i++)
        assert_true(seen[i]);
    assert_false(holds(tile, 0, CONDITION_CORE_REQUEST));
    assert_false(holds(tile, 0, CONDITION_MOVER));
    assert_false(holds(tile, 0, CONDITION_VECTOR));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_unit_conditions)

// ---------------------------------------------------------------- lag

// The instruction after a wait is held for a cycle at least, and the block ends one cycle after
// the condition was met.
static void test_lag(int arch)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_STRICT);
    static struct event_log seen;
    event_log_start(&seen, tile);
    push_stall(tile, 0, 2, 1); // met from the start
    tile_push(tile, 0, "SEMPOST sem_sel=1");
    tile_push(tile, 0, "SEMPOST sem_sel=1");
    tile_idle(tile);
    assert_int_equal(seen.count, 3);
    assert_int_equal(seen.event[1].accepted, seen.event[0].accepted + 2);
    assert_int_equal(seen.event[2].accepted, seen.event[1].accepted + 1);
    seen.count = 0;
    tile_push(tile, 0, "SEMWAIT sem_sel=2 wait_sem_cond=1 stall_res=1");
    tile_push(tile, 0, "SETADCXX CntSetMask=1 x_end2=9");
    for (int i = 0; i < 7; i++)
        tile_push(tile, 1, "NOP");
    tile_push(tile, 1, "SEMPOST sem_sel=2");
    tile_idle(tile);
    assert_int_equal(seen.count, 3); // SEMWAIT, SEMPOST, SETADCXX
    assert_int_equal(seen.event[2].accepted, seen.event[1].accepted + 2); // posted, seen, opened
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_lag)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_block_bits),
        TILE_TEST(test_blocked_and_others),
        TILE_TEST(test_zero_masks),
        TILE_TEST(test_semwait_of_several),
        TILE_TEST(test_semwait_on_a_latched_wait),
        TILE_TEST(test_semwait_without_condition),
        TILE_TEST(test_bank_conditions),
        TILE_TEST(test_unit_conditions),
        TILE_TEST(test_lag),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
