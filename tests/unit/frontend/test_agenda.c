// SPDX-License-Identifier: Apache-2.0
// With timing on, programs made for the rules by which a round leaves something out
// (tile/agenda_round.c, frontend/rests.h, frontend/lone_thread.c): each must leave what it leaves
// where everything is visited in each round. Nobody observes, so that a thread alone awake takes
// its own loop. Random programs: oracle/test_run_oracle.c, and with an observer test_bypass.c.
// Pages: STALLWAIT.md of each chip, SEMWAIT.md.
#include "rig/mover_rig.h"
#include "rig/state_compare.h"

struct pair {
    tsr_tile *tile[2]; // TSR_PIPELINE_AUTO, TSR_PIPELINE_STAGED
};

static struct pair pair_new(int arch)
{
    struct pair pair;
    for (int way = 0; way < 2; way++) {
        tsr_options options = tsr_options_default((tsr_arch)arch);
        options.profile = TSR_PROFILE_SILICON;
        options.pipeline = way == 0 ? TSR_PIPELINE_AUTO : TSR_PIPELINE_STAGED;
        options.timing = true;
        tsr_tile *tile = pair.tile[way] = tile_with(&options);
        for (int i = 0; i < 8; i++)
            tile_set_gpr(tile, 0, i, 0x01010101u * (unsigned)i);
        tile_field(tile, 0, FIELD_ALU_FORMAT_SPEC_REG0_SrcA, 5);
        tile_field(tile, 0, FIELD_ALU_FORMAT_SPEC_REG1_SrcB, 5);
        tile_field(tile, 0, FIELD_THCON_SEC0_REG0_TileDescriptor_InDataFormat, 5);
        tile_field(tile, 0, FIELD_THCON_SEC1_REG0_TileDescriptor_InDataFormat, 5);
    }
    return pair;
}

static void pair_free(struct pair *pair)
{
    tsr_tile_destroy(pair->tile[0]);
    tsr_tile_destroy(pair->tile[1]);
}

static void push(struct pair *pair, int thread, const char *text)
{
    for (int way = 0; way < 2; way++)
        tile_push(pair->tile[way], thread, text);
}

static void push_times(struct pair *pair, int thread, const char *text, unsigned times)
{
    while (times-- > 0)
        push(pair, thread, text);
}

static tsr_end run_limited(struct pair *pair, const tsr_limits *limits, const char *what)
{
    tsr_end end = tsr_run(pair->tile[0], limits);
    assert_int_equal(end, tsr_run(pair->tile[1], limits));
    const char *different = tile_difference(pair->tile[0], pair->tile[1]);
    if (different)
        fail_msg("%s: %s differ(s)", what, different);
    return end;
}

static tsr_end run(struct pair *pair, const char *what)
{
    tsr_limits limits = tsr_limits_default();
    return run_limited(pair, &limits, what);
}

// Each condition of STALLWAIT in one thread, while another one makes a unit busy, or hands over,
// just before, with it, or after.
static void test_each_condition(int arch)
{
    static const char *const work[][3] = {
        {"UNPACR Unpack_block_selection=0 OvrdThreadId=1 SetDatValid=1", "NOP",
         "SETRWC clear_ab_vld=1"},
        {"UNPACR Unpack_block_selection=1 OvrdThreadId=1 SetDatValid=1", "NOP",
         "SETRWC clear_ab_vld=2"},
        {"PACR Last=1", "NOP", "NOP"},
        {"MOVA2D instr_mod=2", "MOVD2A", "ZEROACC"},
        {"LOADREG TdmaDataRegIndex=9 RegAddr=0x4400", "NOP", "NOP"},
        {"XMOV Last=0", "NOP", "NOP"},
        {"WRCFG GprAddress=0 CfgReg=5", "RDCFG GprAddress=3 CfgReg=5",
         "RMWCIB0 Mask=255 CfgRegAddr=9"},
        {"SETDVALID setvalid=3", "NOP", "CLEARDVALID cleardvalid=3"},
        {"SFPNOP", "SFPLOADI lreg_ind=1 imm16=3", "SFPNOP"},
    };
    static const unsigned delays[] = {0, 3, 6, 11};
    for (unsigned bit = 0; bit < 13; bit++) {
        struct pair pair = pair_new(arch);
        for (unsigned at = 0; at < 4 * sizeof work / sizeof *work; at++) {
            char text[80];
            // In the thread itself first, which is then alone.
            for (int waiter = at % 4 == 3 ? 0 : 1; waiter >= 0; waiter--) {
                for (int i = 0; i < 3; i++)
                    push(&pair, 0, work[at / 4][i]);
                push_times(&pair, waiter, "NOP", delays[at % 4]);
                snprintf(text, sizeof text, "STALLWAIT stall_res=511 wait_res=%u", 1u << bit);
                push(&pair, waiter, text);
                push_times(&pair, waiter, "INCRWC rwc_a=1", 3);
                snprintf(text, sizeof text, "condition %u, work %u, thread %d", bit, at, waiter);
                if (run(&pair, text) == TSR_END_IDLE)
                    continue;
                pair_free(&pair); // what does not end by itself
                pair = pair_new(arch);
            }
        }
        pair_free(&pair);
    }
}
TILE_BOTH(test_each_condition)

// A SEMWAIT that another thread's post ends, which comes from every unit that may post.
static void test_semaphores(int arch)
{
    struct pair pair = pair_new(arch);
    push(&pair, 0, "SEMINIT sem_sel=1 init_value=0 max_value=2");
    run(&pair, "SEMINIT");
    for (unsigned delay = 0; delay < 12; delay++) {
        push(&pair, 1, "SEMWAIT stall_res=511 wait_sem_cond=1 sem_sel=1");
        push_times(&pair, 1, "INCRWC rwc_a=1", 3);
        push(&pair, 1, "SEMGET sem_sel=1");
        push_times(&pair, 0, "NOP", delay);
        push(&pair, 0, "SEMPOST sem_sel=1");
        push_times(&pair, 0, "INCRWC rwc_a=1", 9);
        assert_int_equal(run(&pair, "SEMPOST"), TSR_END_IDLE);
        // and full: the other way round
        push_times(&pair, 0, "SEMPOST sem_sel=1", 2);
        push(&pair, 0, "SEMWAIT stall_res=511 wait_sem_cond=2 sem_sel=1");
        push(&pair, 0, "SEMGET sem_sel=1");
        push_times(&pair, 2, "NOP", 4 + delay);
        push(&pair, 2, "SEMGET sem_sel=1");
        push_times(&pair, 2, "INCRWC rwc_a=1", 9);
        assert_int_equal(run(&pair, "SEMGET"), TSR_END_IDLE);
    }
    pair_free(&pair);
}
TILE_BOTH(test_semaphores)

// So many cycles at a time, and compared after each.
static void run_stepwise(struct pair *pair, uint64_t cycles, const char *what)
{
    tsr_limits limits = tsr_limits_default();
    limits.max_cycles = cycles;
    for (int i = 0; i < 400; i++)
        if (run_limited(pair, &limits, what) != TSR_END_TIMEOUT)
            return;
    fail_msg("%s: no end", what);
}

// The mover goes on while one thread has instructions for other units: by XMOV, and by two commands
// of TDMA-RISC, of which the second one waits.
static void test_mover_beside_a_thread(int arch)
{
    for (uint64_t cycles = 1; cycles < 30; cycles += 4) {
        for (int commands = 0; commands < 2; commands++) {
            struct pair pair = pair_new(arch);
            for (int way = 0; way < 2; way++)
                move_fields(pair.tile[way], 0, L1_TO_L1, TO, FROM, 0x100);
            if (!commands)
                push(&pair, 0, "XMOV");
            push_times(&pair, 0, "SETADCXX CntSetMask=3 x_end2=15", 20);
            for (int way = 0; commands && way < 2; way++)
                for (uint32_t i = 0; i < 2; i++) {
                    put(pair.tile[way], TSR_CORE_B, tdma + 0x0, FROM / 16);
                    put(pair.tile[way], TSR_CORE_B, tdma + 0x4, TO / 16 + 64 * i);
                    put(pair.tile[way], TSR_CORE_B, tdma + 0x8, 0x20);
                    put(pair.tile[way], TSR_CORE_B, tdma + 0xc, L1_TO_L1);
                    put(pair.tile[way], TSR_CORE_B, tdma + 0x10, 0x40);
                }
            run_stepwise(&pair, cycles, commands ? "commands" : "XMOV");
            pair_free(&pair);
        }
    }
}
TILE_BOTH(test_mover_beside_a_thread)

// What is not built while a part is held in reset is reported in each round in which the word is
// offered, also while its unit is full.
static void test_reported_while_full(int arch)
{
    for (unsigned others = 0; others < 2; others++) {
        struct pair pair = pair_new(arch);
        for (int way = 0; way < 2; way++)
            put(pair.tile[way], TSR_CORE_B, debug_regs + 0x1b0, TSR_RESET_SRCA_OWNERS);
        push_times(&pair, 0, "UNPACR Unpack_block_selection=0 OvrdThreadId=1", 6);
        push_times(&pair, 1, "INCRWC rwc_a=1", 10 * others);
        run(&pair, "UNPACR in reset");
        pair_free(&pair);
    }
}
TILE_BOTH(test_reported_while_full)

// Reserved bits are reported of a thread alone, too.
static void test_reserved_bits(int arch)
{
    struct pair pair = pair_new(arch);
    for (int way = 0; way < 2; way++) {
        uint32_t word = tile_word(pair.tile[way], "INCRWC rwc_a=1");
        uint32_t reserved = pair.tile[way]->engine.route[word >> 24].reserved;
        assert_true(reserved != 0);
        for (int i = 0; i < 12; i++)
            tile_push_word(pair.tile[way], 0, i == 8 ? word | (reserved & -reserved) : word);
    }
    run(&pair, "reserved bits");
    tile_found(pair.tile[0], "reserved-operand-bits");
    pair_free(&pair);
}
TILE_BOTH(test_reserved_bits)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_each_condition),        TILE_TEST(test_semaphores),
        TILE_TEST(test_mover_beside_a_thread), TILE_TEST(test_reported_while_full),
        TILE_TEST(test_reserved_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
