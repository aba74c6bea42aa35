// SPDX-License-Identifier: Apache-2.0
// With timing on, PACRs of four rows that are accepted and executed in one step while another
// thread is awake (src/pack/pack_four.c): each case must leave what TSR_PIPELINE_STAGED leaves,
// cycles included. In the first case they must go so, the others are what that step must notice.
// Pages: PACR.md of Blackhole, Packers/InputAddressGenerator.md,
// Packers/OutputAddressGenerator.md.
#include "pack/pack_plan.h"
#include "rig/lone_pair.h"

static uint64_t fours_of(const struct pair *pair)
{
    return pair->tile[0]->engine.env.pack_plans->fours_run;
}

// Thread 0 packs whole rows.
static struct pair rows_pair(void)
{
    struct pair pair = pair_new(TSR_BLACKHOLE_A0);
    push(&pair, 0, "SETADCXX CntSetMask=4 x_end2=15", 1);
    return pair;
}

// A case: a change to both tiles, words of the packing thread before its tiles, how its words go
// on behind "PACR", and what the other thread does, so many times.
struct four_case {
    const char *name;
    enum tsr_field field;
    uint32_t value;
    const char *before, *operands, *beside;
    int times;
};

static struct pair case_pair(const struct four_case *at)
{
    struct pair pair = pair_new(TSR_BLACKHOLE_A0);
    for (int way = 0; way < 2; way++)
        tsr_src_for_matrix(&tile_state(pair.tile[way])->src[TSR_SRCB])->matrix_owns = false;
    if (at->field != FIELD_COUNT)
        field(&pair, at->field, at->value);
    push(&pair, 0, "SETADCXX CntSetMask=2 x_end2=255", 1);
    return pair;
}

// Three tiles of some PACRs and one with Last, in runs of so many cycles.
static uint64_t run_case(const struct four_case *at, uint64_t cycles)
{
    struct pair pair = case_pair(at);
    char word[80];
    snprintf(word, sizeof word, "PACR PackSel=1 %s", at->operands);
    push(&pair, 0, "SETADCXX CntSetMask=4 x_end2=15", 1);
    if (at->before)
        push(&pair, 0, at->before, 1);
    for (int tile = 0; tile < 3 && !pair.stuck; tile++) {
        push(&pair, 0, "SETADCXY CntSetMask=4 BitMask=2", 1);
        push(&pair, 1, at->beside, at->times);
        push(&pair, 0, word, 9);
        push(&pair, 0, "PACR PackSel=1 Last=1", 1);
        push(&pair, 0, word, 3);
        push(&pair, 1, at->beside, at->times);
        run(&pair, cycles, at->name);
    }
    uint64_t fours = fours_of(&pair);
    pair_free(&pair);
    return fours;
}

static void test_tiles(void **state)
{
    static const struct four_case plain = {"a tile",     FIELD_COUNT,      0, NULL,
                                           "AddrMode=0", "INCRWC rwc_a=1", 14};
    (void)state;
    for (uint64_t cycles = 0; cycles < 9; cycles++)
        assert_true(run_case(&plain, cycles) >= 20);
}

static void test_cases(void **state)
{
    static const char steps[] = "INCRWC rwc_a=1";
    static const struct four_case cases[] = {
        {"part of a row", FIELD_COUNT, 0, "SETADCXX CntSetMask=4 x_end2=13", "", steps, 14},
        {"within a row", FIELD_COUNT, 0, "SETADCXX CntSetMask=4 x_start=2 x_end2=15", "", steps,
         14},
        {"other rows", FIELD_COUNT, 0, NULL, "AddrMode=1", steps, 14},
        {"the end of L1", PACKER(0, L1_Dest_addr), 0x180000 / 16 - 1 - 24, NULL, "", steps, 14},
        {"no line", FIELD_PCK0_ADDR_BASE_REG_1_Base, 8, NULL, "", steps, 14},
        {"a histogram", FIELD_ENABLE_ACC_STATS_Enable, 1, NULL, "", steps, 14},
        {"32 bits", FIELD_PCK_DEST_RD_CTRL_Read_32b_data, 1, NULL, "", steps, 14},
        {"the last rows", FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_Offset, 1008, NULL, "", steps, 14},
        {"contexts", FIELD_COUNT, 0, NULL, "CtxtCtrl=3", steps, 14},
        {"rows remapped", FIELD_DEST_ACCESS_CFG_remap_addrs, 1, NULL, "", steps, 14},
        {"a sum in L1", PACKER(0, Pack_L1_Acc), 1, NULL, "", steps, 14},
        {"an edge", FIELD_PCK_EDGE_OFFSET_SEC0_mask, 0xff, NULL, "", steps, 14},
        {"planes of three", FIELD_PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 12, NULL, "", steps,
         14},
        {"8 bits", PACKER(0, Out_data_format), 10, NULL, "", steps, 14},
        {"zeroes", FIELD_COUNT, 0, NULL, "ZeroWrite=1", steps, 14},
        {"two interfaces", FIELD_COUNT, 0, NULL, "ReadIntfSel=3", steps, 14},
        {"rows just written", FIELD_COUNT, 0, NULL, "", "MOVA2D instr_mod=2", 9},
        {"who moves bytes", FIELD_COUNT, 0, NULL, "",
         "UNPACR Unpack_block_selection=1 OvrdThreadId=1", 3},
        {"who packs, too", FIELD_COUNT, 0, NULL, "", "PACR PackSel=1", 5},
        {"who configures", FIELD_COUNT, 0, NULL, "", "WRCFG GprAddress=0 CfgReg=5", 9},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (uint64_t cycles = 0; cycles < 8; cycles += 1 + cycles / 2)
            run_case(&cases[i], cycles);
}

// Rows that thread 1 writes just before they are read, or after.
static void test_rows_just_written(void **state)
{
    (void)state;
    for (int delay = 0; delay < 20; delay++) {
        struct pair pair = rows_pair();
        for (int again = 0; again < 3; again++) {
            push(&pair, 0, "SETADCXY CntSetMask=4 BitMask=2", 1);
            push(&pair, 1, "SETRWC BitMask=7", 1);
            push(&pair, 1, "NOP", delay % 10);
            push(&pair, 1, "MOVA2D instr_mod=2", 2);
            push(&pair, 1, "INCRWC rwc_a=1", 9);
            push(&pair, 0, "PACR PackSel=1", 2 + delay / 10);
            push(&pair, 0, "SETADCXY CntSetMask=4 BitMask=2", 1);
            push(&pair, 0, "PACR PackSel=1", 6);
            run(&pair, 0, "rows just written");
        }
        pair_free(&pair);
    }
}

// An unpacker moves its bytes meanwhile.
static void test_beside_unpackers(void **state)
{
    (void)state;
    for (int delay = 0; delay < 12; delay++) {
        struct pair pair = pair_new(TSR_BLACKHOLE_A0);
        for (int way = 0; way < 2; way++)
            tsr_src_for_matrix(&tile_state(pair.tile[way])->src[TSR_SRCB])->matrix_owns = false;
        push(&pair, 0, "SETADCXX CntSetMask=4 x_end2=15", 1);
        push(&pair, 1, "SETADCXX CntSetMask=2 x_end2=255", 1);
        for (int again = 0; again < 2; again++) {
            push(&pair, 1, "UNPACR Unpack_block_selection=1", 1);
            push(&pair, 1, "INCRWC rwc_a=1", 24);
            push(&pair, 0, "NOP", delay);
            push(&pair, 0, "PACR PackSel=1", 8);
            run(&pair, (uint64_t)delay % 4, "unpackers");
        }
        pair_free(&pair);
    }
}

// A tile that begins so goes on as a block, which looks at how far it is.
static void test_between_blocks(void **state)
{
    (void)state;
    for (int words = 1; words < 5; words++) {
        struct pair pair = rows_pair();
        for (int part = 0; part < 9; part++) {
            bool begins = part % 3 == 1;
            push(&pair, 0, "SETADCXY CntSetMask=4 BitMask=2", 1);
            push(&pair, 1, "INCRWC rwc_a=1", begins ? 9 : 0);
            push(&pair, 0, "PACR PackSel=1", words);
            push(&pair, 0, begins ? "NOP" : "PACR PackSel=1 Last=1", 1);
            run(&pair, 0, "between blocks");
        }
        pair_free(&pair);
    }
}

// The upper rows of a view of 32 bits are the lower ones again, which is reported.
static void test_upper_rows(void **state)
{
    (void)state;
    for (uint32_t offset = 480; offset < 560; offset += 8) {
        struct pair pair = pair_new(TSR_BLACKHOLE_A0);
        field(&pair, FIELD_PCK_DEST_RD_CTRL_Read_32b_data, 1);
        field(&pair, FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_Offset, offset);
        push(&pair, 0, "SETADCXX CntSetMask=4 x_end2=15", 1);
        push(&pair, 1, "INCRWC rwc_a=1", 20);
        push(&pair, 0, "PACR PackSel=1", 7);
        push(&pair, 0, "PACR PackSel=1 Last=1", 1);
        run(&pair, 0, "upper rows");
        pair_free(&pair);
    }
}

// A line is partly filled, or the section begins, when four rows come; a word of another thread
// has made the template.
static void test_before_them(void **state)
{
    static const char *const before[] = {"SETADCXX CntSetMask=4 x_end2=%d", "NOP"};
    (void)state;
    for (int i = 0; i < 24; i++) {
        struct pair pair = pair_new(TSR_BLACKHOLE_A0);
        char text[60];
        snprintf(text, sizeof text, before[i % 2], i / 2);
        push(&pair, 0, "SETADCXX CntSetMask=4 x_end2=15", 1);
        push(&pair, 1, "SETADCXX CntSetMask=4 x_end2=15", 1);
        for (int again = 0; again < 3 && !pair.stuck; again++) {
            push(&pair, 1, "INCRWC rwc_a=1", 20);
            push(&pair, i % 3 ? 0 : 1, "PACR PackSel=1", 2);
            push(&pair, 0, text, 1);
            push(&pair, 0, "PACR PackSel=1", 1);
            push(&pair, 0, "SETADCXX CntSetMask=4 x_end2=15", 1);
            push(&pair, 0, "PACR PackSel=1", 4);
            push(&pair, 0, again ? "PACR PackSel=1 Last=1" : "PACR Flush=1", 1);
            run(&pair, (uint64_t)i % 5, text);
        }
        pair_free(&pair);
    }
}

// Rows that nobody wrote, or that are tainted, and bytes of L1 that are.
static void test_shadow(void **state)
{
    (void)state;
    for (int which = 0; which < 4; which++) {
        struct pair pair = rows_pair();
        for (int again = 0; again < 3 && !pair.stuck; again++) {
            for (int way = 0; way < 2 && again == 1; way++) {
                struct tsr_state *state_of = tile_state(pair.tile[way]);
                if (which == 1)
                    state_of->dst.valid[18] = false;
                if (which == 2)
                    state_of->dst.tainted[22] = 4;
                if (which == 3)
                    tsr_l1_put(&state_of->l1, OUT + 64, &(uint32_t){5}, 4, true);
            }
            push(&pair, 0, "SETADCXY CntSetMask=4 BitMask=2", 1);
            push(&pair, 1, "INCRWC rwc_a=1", 20);
            push(&pair, 0, "PACR PackSel=1", 7);
            push(&pair, 0, "PACR PackSel=1 Last=1", 1);
            run(&pair, 0, "shadow state");
        }
        pair_free(&pair);
    }
}

// A tile without end: its lines wrap in 16 bits, and what each PACR moves does not.
static void test_lines_wrap(void **state)
{
    (void)state;
    for (int beside = 0; beside < 2; beside++) {
        struct pair pair = rows_pair();
        push(&pair, 0, "PACR PackSel=1", 1);
        run(&pair, 0, "the first line");
        for (int way = 0; way < 2; way++)
            tile_state(pair.tile[way])->packers.packer[0].data.lines = UINT16_MAX - 11;
        uint64_t before = tsr_cycle(pair.tile[0]);
        push(&pair, 1, "INCRWC rwc_a=1", 12 * beside);
        push(&pair, 0, "PACR PackSel=1", 3);
        run(&pair, 0, "lines that wrap");
        assert_in_range(tile_state(pair.tile[0])->packers.packer[0].data.lines, 1, 23);
        assert_in_range(tsr_cycle(pair.tile[0]) - before, 3, 40);
        pair_free(&pair);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tiles),
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_rows_just_written),
        cmocka_unit_test(test_beside_unpackers),
        cmocka_unit_test(test_between_blocks),
        cmocka_unit_test(test_upper_rows),
        cmocka_unit_test(test_before_them),
        cmocka_unit_test(test_shadow),
        cmocka_unit_test(test_lines_wrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
