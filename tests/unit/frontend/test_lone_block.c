// SPDX-License-Identifier: Apache-2.0
// With timing on, words that a lone thread's unit executes as one (src/frontend/lone_block.c): each
// case must leave what TSR_PIPELINE_STAGED leaves, cycles included, wherever a run is cut. The
// first cases must have blocks, the others are what a block must notice. Random programs:
// oracle/test_run_oracle.c. Pages: MOVA2D.md, ELWADD.md, PACR.md, Dst.md of each chip.
#include "pack/pack_plan.h"
#include "rig/lone_pair.h"

// ---------------------------------------------------------------- what goes in blocks

static void test_moves(int arch)
{
    static const char *const moves[] = {"MOVA2D instr_mod=2", NULL};
    static const char *const both[] = {"MOVA2D instr_mod=2", "ELWADD", "MOVA2D instr_mod=2", NULL};
    assert_true(run_cut(arch, moves, 12, NULL) >= 9);
    assert_true(run_cut(arch, both, 4, "SETRWC BitMask=7") >= 6);
}
TILE_BOTH(test_moves)

static void test_sums(int arch)
{
    static const char *const sums[] = {"ELWADD", "SETRWC BitMask=7", NULL};
    static const char *const onto[] = {"ELWADD dest_accum_en=1", "SETRWC BitMask=7", NULL};
    assert_true(run_cut(arch, sums, 6, NULL) >= 4);
    assert_true(run_cut(arch, onto, 6, NULL) >= 4);
}
TILE_BOTH(test_sums)

static void test_packing(int arch)
{
    static const char *const pacrs[] = {"PACR PackSel=1", NULL};
    static const char *const tile[] = {"PACR PackSel=1 AddrMode=0", "PACR PackSel=1 Last=1", NULL};
    const char *rows = "SETADCXX CntSetMask=4 x_end2=15";
    uint64_t all = run_cut(arch, pacrs, 15, rows);
    uint64_t more = run_cut(arch, tile, 4, rows);
    assert_true(arch == WH || (all >= 10 && more > 0));
}
TILE_BOTH(test_packing)

// A tile is one block, with its sizes at the end, also right behind what wrote its rows.
static void test_packing_tiles(int arch)
{
    char wait[50];
    snprintf(wait, sizeof wait, "STALLWAIT stall_res=4 wait_res=%d",
             arch == WH ? 0x80 : 0x10); // for the matrix unit
    for (int cycles = 0; cycles < 20; cycles++) {
        struct pair pair = pair_new(arch);
        const struct tsr_pack_plans *plans = pair.tile[0]->engine.env.pack_plans;
        uint64_t blocks = 0;
        push(&pair, 0, "SETADCXX CntSetMask=4 x_end2=15", 1);
        for (int again = 0; again < 4; again++) {
            blocks = plans->blocks_run;
            push(&pair, 0, "SETRWC BitMask=7", 1);
            push(&pair, 0, "MOVA2D instr_mod=2", 2);
            push(&pair, 0, wait, 1);
            push(&pair, 0, "SETADCXY CntSetMask=4 BitMask=2", 1);
            push(&pair, 0, "PACR PackSel=1", 3);
            push(&pair, 0, "PACR PackSel=1 Last=1", 1);
            run(&pair, (uint64_t)cycles, "a tile");
        }
        assert_true(arch == WH || cycles > 0 || plans->blocks_run == blocks + 1);
        pair_free(&pair);
    }
}
TILE_BOTH(test_packing_tiles)

static void configure_mop(struct pair *pair, bool ends_alike)
{
    for (int way = 0; way < 2; way++) {
        uint32_t nop = tile_word(pair->tile[way], "NOP");
        uint32_t loop = tile_word(pair->tile[way], "MOVA2D instr_mod=2");
        uint32_t last = ends_alike ? nop : tile_word(pair->tile[way], "SETRWC BitMask=7");
        const uint32_t words[9] = {2, 7, nop, last, nop, loop, nop, loop, loop};
        for (unsigned i = 0; i < 9; i++)
            assert_int_equal(
                tsr_store(pair->tile[way], TSR_CORE_T0, 0xffb80000u + 4 * i, words[i], 4), TSR_OK);
    }
}

// The words of a MOP are known as far as it goes; behind it the expander rests for a cycle.
static void test_mop(int arch)
{
    for (uint64_t cycles = 0; cycles < 12; cycles++) {
        struct pair pair = pair_new(arch);
        uint64_t in_blocks = 0;
        configure_mop(&pair, cycles % 2);
        for (int again = 0; again < 4; again++) {
            push(&pair, 0, "MOVA2D instr_mod=2", again < 3 ? 4 : 0);
            push(&pair, 0, "MULDMAREG OpBRegIndex=1 OpARegIndex=2 ResultRegIndex=3", again / 2);
            push(&pair, 0, "MOP mop_type=1", 1 + again % 2);
            push(&pair, 0, "MOVA2D instr_mod=2", 3 * again);
            in_blocks += run(&pair, cycles, "MOP");
        }
        if (cycles == 0 && in_blocks < 12)
            fail_msg("%u words in blocks", (unsigned)in_blocks);
        pair_free(&pair);
    }
}
TILE_BOTH(test_mop)

// Some of a MOP's words are kept by a REPLAY, while others stand at the gate.
static void test_loading(int arch)
{
    for (int words = 1; words < 8; words++)
        for (int way = 0; way < 2; way++) {
            struct pair pair = pair_new(arch);
            char text[80];
            configure_mop(&pair, true);
            snprintf(text, sizeof text, "REPLAY load_mode=1 len=%d", words);
            for (int again = 0; again < 3; again++) {
                push(&pair, 0, "MOVA2D instr_mod=2", 1);
                push(&pair, 0, "ELWMUL", way);
                push(&pair, 0, "MOVA2D instr_mod=2", words);
                push(&pair, 0, text, 1);
                push(&pair, 0, "MOP mop_type=1", 1);
                push(&pair, 0, "SETRWC BitMask=7", 1);
                run(&pair, 0, text);
            }
            pair_free(&pair);
        }
}
TILE_BOTH(test_loading)

// ---------------------------------------------------------------- what a block must notice

// A word that an expander keeps comes behind the run, and what it becomes is for the same unit.
static void test_expanders(int arch)
{
    for (int words = 2; words < 14; words += 1 + words / 6) {
        struct pair pair = pair_with(arch, words % 2 ? TSR_PROFILE_STRICT : TSR_PROFILE_SILICON);
        push(&pair, 0, "REPLAY load_mode=1 len=3", 1);
        push(&pair, 0, "MOVA2D instr_mod=2", 2);
        push(&pair, 0, "MOVB2D", 1);
        for (int again = 0; again < 3 && !pair.stuck; again++) {
            push(&pair, 0, "NOP", again);
            push(&pair, 0, "MOVA2D instr_mod=2", words);
            push(&pair, 0, "REPLAY len=3", 1);
            push(&pair, 0, "MOVA2D instr_mod=2", words);
            push(&pair, 0, "MOP_CFG zmask_hi16=3", 1);
            push(&pair, 0, words % 3 ? "NOP" : "REPLAY len=40", 1); // a finding that stops
            push(&pair, 0, "MOP mop_type=1", 1); // a finding, which may stop: nothing configured it
            push(&pair, 0, "MOVA2D instr_mod=2", 2);
            run(&pair, 0, "expanders");
        }
        pair_free(&pair);
    }
}
TILE_BOTH(test_expanders)

// A REPLAY that stops the tile lies before its expander already when a block begins: the words of
// the block that are still at the gate then have not executed.
static void test_replay_stops(int arch)
{
    for (int words = 2; words < 12; words++)
        for (int holds = 0; holds < 4; holds++) {
            struct pair pair = pair_new(arch);
            for (int way = 0; way < 2; way++)
                assert_int_equal(
                    tsr_tile_set_policy(pair.tile[way], "undocumented-mode", TSR_ACTION_STOP),
                    TSR_OK);
            push(&pair, 0, "MOVA2D instr_mod=2", 1);
            run(&pair, 0, "plans");
            push(&pair, 0, "ADDDMAREG OpBRegIndex=4 OpARegIndex=4 ResultRegIndex=5", holds);
            push(&pair, 0, "MOVA2D instr_mod=2", words);
            push(&pair, 0, "REPLAY len=40", 1);
            push(&pair, 0, "MOVA2D instr_mod=2", 4);
            run(&pair, 0, "REPLAY len=40");
            assert_int_equal(tsr_run(pair.tile[0], NULL), TSR_END_STOPPED);
            pair_free(&pair);
        }
}
TILE_BOTH(test_replay_stops)

// A MOP that stops the tile comes right behind one that does not.
static void test_second_mop(int arch)
{
    for (int count = 1; count < 16; count++) {
        struct pair pair = pair_with(arch, TSR_PROFILE_STRICT);
        char text[60];
        for (int way = 0; way < 2; way++) {
            struct tsr_frontend *frontend = &tile_state(pair.tile[way])->frontend[0];
            frontend->mop_config[3] = frontend->mop_config[7] =
                tile_word(pair.tile[way], "MOVA2D instr_mod=2");
            frontend->mop_config_written = 0x8a;
        }
        snprintf(text, sizeof text, "MOP mop_type=0 loop_count=%d", count);
        push(&pair, 0, "MOVA2D instr_mod=2", count % 3);
        push(&pair, 0, text, 2);
        push(&pair, 0, "MOP mop_type=1", 1);
        push(&pair, 0, "MOVA2D instr_mod=2", 4);
        run(&pair, 0, text);
        assert_non_null(tile_found(pair.tile[0], "uninitialised-config"));
        pair_free(&pair);
    }
}
TILE_BOTH(test_second_mop)

// A word with bits that no operand owns is reported; and so is one that stops in the middle.
static void test_reserved_bits(int arch)
{
    for (int at = 0; at < 9; at++) {
        struct pair pair = pair_new(arch);
        uint32_t word = tile_word(pair.tile[0], "MOVA2D instr_mod=2");
        uint32_t odd = tile_word(pair.tile[0], "ELWADD");
        uint32_t of_move = tsr_reserved_bits(tile_env(pair.tile[0])->isa, OP_MOVA2D, 0x00ffffff);
        uint32_t of_sum = tsr_reserved_bits(tile_env(pair.tile[0])->isa, OP_ELWADD, 0x00ffffff);
        assert_true((of_move | of_sum) != 0);
        push(&pair, 0, "MOVA2D instr_mod=2", 3);
        for (int i = 0; i < 18; i++)
            for (int way = 0; way < 2; way++)
                tile_push_word(pair.tile[way], 0,
                               (i < 9 ? word : odd) |
                                   (i % 9 == at ? (i < 9 ? of_move : of_sum) : 0));
        run(&pair, 0, "reserved bits");
        assert_non_null(tile_found(pair.tile[0], "stray-operand-bits"));
        pair_free(&pair);
    }
}
TILE_BOTH(test_reserved_bits)

// Banks that go to and fro: what took a place in the queue before has given one back.
static void test_banks(int arch)
{
    for (int idle = 0; idle < 8; idle++) {
        struct pair pair = pair_new(arch);
        for (int i = 0; i < 4; i++)
            tile_state(pair.tile[i / 2])->src[i % 2].unpacker_bank = 1;
        for (int again = 0; again < 5; again++) {
            push(&pair, 0, "MOVA2D instr_mod=2", 4);
            push(&pair, 0, "NOP", idle);
            push(&pair, 0, "SETRWC clear_ab_vld=3", 1);
            push(&pair, 0, "STALLWAIT stall_res=511 wait_res=16", idle % 2);
            push(&pair, 0, "SETDVALID setvalid=3", 1);
            push(&pair, 0, "NOP", 8 - idle);
            if (again % 2)
                run(&pair, 0, "banks");
        }
        run(&pair, 0, "banks");
        assert_false(pair.stuck);
        pair_free(&pair);
    }
}
TILE_BOTH(test_banks)

// Readers of Dst wait for blocks just written, and behind moves.
static void test_dst(int arch)
{
    static const char *const lines[][4] = {
        {"ELWADD", "SETRWC BitMask=7", "ELWADD", NULL},
        {"MOVA2D instr_mod=2", "SETRWC BitMask=7", "ELWADD", NULL},
        {"MOVA2D instr_mod=2", "ELWMUL", "MVMUL", NULL},
        {"ELWADD addr_mode=1", "ELWADD addr_mode=1", "MVMUL", NULL},
        {"MOVA2D instr_mod=2", "MOVD2A", "MOVA2D instr_mod=2", NULL},
        {"MOVA2D instr_mod=2", "PACR PackSel=1", "PACR PackSel=1", NULL},
        {"MOVA2D instr_mod=2", "SETRWC clear_ab_vld=1", "MOVB2D", NULL},
        {"MOVA2D instr_mod=0", "MOVA2D instr_mod=2", "ELWADD clear_dvalid=3", NULL},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        for (int times = 1; times < 7; times++)
            run_cut(arch, lines[i], times, i % 2 ? "SETRWC BitMask=7" : NULL);
}
TILE_BOTH(test_dst)

// The thread waits or another one does, for a unit that is idle between two words of a run, or
// something else is due in the middle.
static void test_others(int arch)
{
    static const char *const beside[] = {"STALLWAIT stall_res=%d wait_res=%d",
                                         "SEMWAIT stall_res=%d wait_sem_cond=1 sem_sel=2",
                                         "MULDMAREG OpBRegIndex=1 OpARegIndex=2 ResultRegIndex=3",
                                         "NOP", "LOADREG TdmaDataRegIndex=9 RegAddr=0x4400"};
    const int packers = arch == WH ? 0x78 : 0x08, matrix = arch == WH ? 0x80 : 0x10;
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
        for (int delay = 0; delay < 24; delay += 1 + delay / 12) {
            struct pair pair = pair_new(arch);
            bool own = delay % 4 == 3; // its wait holds nothing that comes
            char text[80];
            snprintf(text, sizeof text, beside[i], own ? 1 : 511, delay % 2 ? packers : matrix);
            push(&pair, 0, "SETADCXX CntSetMask=4 x_end2=15", 1);
            for (int again = 0; again < 2 && !pair.stuck; again++) {
                push(&pair, 1, "NOP", delay);
                push(&pair, own ? 0 : 1, text, 1);
                push(&pair, 1, "INCRWC rwc_a=1", 2);
                push(&pair, 0, i % 2 ? "SETDMAREG RegIndex16b=3 Payload_SigSel=77" : "NOP", 1);
                push(&pair, 0, "MOVA2D instr_mod=2", delay % 3 * 3);
                push(&pair, 0, "ADDDMAREG OpBRegIndex=1 OpARegIndex=2 ResultRegIndex=3", 1);
                push(&pair, 0, "PACR PackSel=1", 12);
                run(&pair, 0, text);
            }
            pair_free(&pair);
        }
}
TILE_BOTH(test_others)

// An UNPACR executes when the one before it is complete, in the middle of a run.
static void test_due(int arch)
{
    for (int delay = 0; delay < 90; delay += 3) {
        struct pair pair = pair_new(arch);
        for (int way = 0; way < 2; way++)
            tsr_src_for_matrix(&tile_state(pair.tile[way])->src[TSR_SRCB])->matrix_owns = false;
        push(&pair, 0, "SETADCXX CntSetMask=3 x_end2=255", 1);
        push(&pair, 0, "MOVA2D instr_mod=2", 2);
        push(&pair, 0, "UNPACR Unpack_block_selection=1 OvrdThreadId=1", 2);
        push(&pair, 0, "NOP", delay);
        push(&pair, 0, "MOVA2D instr_mod=2", 14);
        run(&pair, 0, "due");
        pair_free(&pair);
    }
}
TILE_BOTH(test_due)

// UNPACRs wait in their unit for a bank, and at the gate for the unit, beside a thread that moves;
// `gives`: so many words before its runs it gives a bank back.
static void run_beside_unpacker(int arch, int delay, int gives, int unpacker)
{
    struct pair pair = pair_new(arch);
    char text[80];
    for (int way = 0; way < 2; way++)
        for (int side = TSR_SRCA; side <= TSR_SRCB; side++)
            for (int bank = 0; bank < 2; bank++)
                tile_state(pair.tile[way])->src[side].bank[bank].matrix_owns = true;
    snprintf(text, sizeof text, "UNPACR Unpack_block_selection=%d OvrdThreadId=1 SetDatValid=1",
             unpacker);
    push(&pair, 1, "SETADCXX CntSetMask=3 x_end2=255", 1);
    push(&pair, 1, "NOP", delay);
    push(&pair, 1, text, 6);
    push(&pair, 0, "MOVA2D instr_mod=2", 4); // makes plans
    push(&pair, 0, "NOP", 14);
    for (int again = 0; again < 3 && !pair.stuck; again++) {
        if (gives >= 0)
            push(&pair, 0, "SETRWC clear_ab_vld=3", 1);
        push(&pair, 0, "INCRWC rwc_a=1", gives);
        push(&pair, 0, "MOVA2D instr_mod=2", 9);
        run(&pair, delay % 3, text);
    }
    pair_free(&pair);
}

static void test_beside_unpacker(int arch)
{
    for (int delay = 0; delay < 6; delay++)
        for (int gives = -1; gives < 5; gives++)
            run_beside_unpacker(arch, delay, gives, delay / 3);
}
TILE_BOTH(test_beside_unpacker)

// Another thread's words fill their unit, which lets the next in at some place of the run.
static void test_beside_full_units(int arch)
{
    static const char *const beside[] = {"UNPACR Unpack_block_selection=1 OvrdThreadId=1",
                                         "UNPACR OvrdThreadId=1",
                                         "PACR PackSel=1 Last=1",
                                         "MULDMAREG OpBRegIndex=1 OpARegIndex=2 ResultRegIndex=3",
                                         "WRCFG CfgReg=70 GprAddress=0",
                                         "MOVD2B",
                                         "XMOV",
                                         "SEMPOST sem_sel=4"};
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
        for (int delay = 0; delay < 40; delay += 3) {
            struct pair pair = pair_new(arch);
            for (int way = 0; way < 2; way++)
                for (int side = TSR_SRCA; side <= TSR_SRCB; side++)
                    tile_state(pair.tile[way])->src[side].unpacker_bank = 1;
            push(&pair, 1, "SETADCXX CntSetMask=7 x_end2=255", 1);
            push(&pair, 1, beside[i], 9);
            push(&pair, 1, "INCRWC rwc_a=1", 2);
            for (int again = 0; again < 2 && !pair.stuck; again++) {
                push(&pair, 0, "NOP", delay);
                push(&pair, 0, "MOVA2D instr_mod=2", 12);
                push(&pair, 2, beside[i], again);
                run(&pair, 0, beside[i]);
            }
            pair_free(&pair);
        }
}
TILE_BOTH(test_beside_full_units)

// Rows that nobody wrote, sums onto L1, wider datums, an L1 port in use, and who watches.
static void test_what_is_not_plain(int arch)
{
    for (int what = 0; what < 6; what++) {
        struct pair pair = pair_new(arch);
        for (int way = 0; way < 2 && what == 0; way++) {
            tile_state(pair.tile[way])->dst.written[40] = 0x7fff;
            tile_state(pair.tile[way])->src[TSR_SRCA].bank[0].written[17] = 0;
        }
        if (what == 1)
            field(&pair, PACKER(0, Pack_L1_Acc), 1);
        for (int way = 0; way < 2 && what == 2; way++)
            pack_formats(pair.tile[way], BF16, FP32, false);
        if (what == 3)
            field(&pair, FIELD_ALU_ACC_CTRL_Fp32_enabled, 1);
        for (int way = 0; way < 2 && what == 4; way++)
            tsr_src_for_matrix(&tile_state(pair.tile[way])->src[TSR_SRCB])->matrix_owns = false;
        push(&pair, 0, "SETADCXX CntSetMask=7 x_end2=15", 1);
        for (int again = 0; again < 3; again++) {
            if (what == 4)
                push(&pair, 0, "UNPACR Unpack_block_selection=1 OvrdThreadId=1", 1 + again);
            push(&pair, 0, "MOVA2D instr_mod=2", 7);
            push(&pair, 0, what == 5 ? "MOVA2D instr_mod=2 dst=1020" : "NOP", 6);
            push(&pair, 0, "PACR PackSel=1", 9);
            push(&pair, 0, "SETRWC BitMask=7", 1);
            run(&pair, 0, "not plain");
        }
        pair_free(&pair);
    }
}
TILE_BOTH(test_what_is_not_plain)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_moves),
        TILE_TEST(test_sums),
        TILE_TEST(test_packing),
        TILE_TEST(test_packing_tiles),
        TILE_TEST(test_mop),
        TILE_TEST(test_loading),
        TILE_TEST(test_reserved_bits),
        TILE_TEST(test_expanders),
        TILE_TEST(test_replay_stops),
        TILE_TEST(test_second_mop),
        TILE_TEST(test_banks),
        TILE_TEST(test_dst),
        TILE_TEST(test_others),
        TILE_TEST(test_due),
        TILE_TEST(test_beside_unpacker),
        TILE_TEST(test_beside_full_units),
        TILE_TEST(test_what_is_not_plain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
