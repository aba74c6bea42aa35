// SPDX-License-Identifier: Apache-2.0
// With timing on, words of the matrix unit that execute as one (src/matrix/matrix_timed_block.c)
// leave what TSR_PIPELINE_STAGED leaves, cycles included, wherever a run is cut. What a block must
// notice outside of the unit: frontend/test_lone_block.c. Pages: MatrixUnit.md, Dst.md, RWCs.md.
#include "rig/lone_pair.h"

// The first of Dst's blocks again after so many words, which read them: they are open again after
// five. Nobody has written Dst. `cut`: cycles of a run.
static uint64_t run_onto_blocks(int arch, const char *op, int blocks, uint64_t cut)
{
    struct pair pair = pair_new(arch);
    char text[80];
    field(&pair, FIELD_ADDR_MOD_AB_SEC3_SrcBIncr, 8);
    for (int way = 0; way < 2; way++) {
        memset(tile_state(pair.tile[way])->dst.valid, false, TSR_DST_ROWS);
        memset(tile_state(pair.tile[way])->dst.written, 0, 2 * TSR_DST_ROWS);
    }
    uint64_t in_blocks = 0;
    for (int again = 0; again < 3 && !pair.stuck; again++) {
        push(&pair, 0, "SETRWC BitMask=7", 1);
        push(&pair, 0, "NOP", again);
        for (int i = 0; i < 20; i++) {
            int at = again == 2 && i == 0 ? 3 : i; // the same words otherwise
            snprintf(text, sizeof text, "%s addr_mode=3 dst=%d", op, 8 * (at % blocks));
            push(&pair, 0, text, 1);
        }
        push(&pair, 0, "SHIFTXA log2_amount2=0 shift_mode=2", again);
        in_blocks += run(&pair, cut, op);
    }
    pair_free(&pair);
    return in_blocks;
}

static void test_onto_blocks(int arch)
{
    static const char *const ops[] = {"MVMUL", "ELWMUL", "ELWADD dest_accum_en=1",
                                      "MOVA2D instr_mod=2", "MVMUL instr_mod19=1"};
    for (size_t op = 0; op < sizeof ops / sizeof *ops; op++)
        for (int blocks = 1; blocks < 11; blocks++) {
            for (uint64_t cut = 1; cut < 20; cut += 3)
                run_onto_blocks(arch, ops[op], blocks, cut + op);
            uint64_t in_blocks = run_onto_blocks(arch, ops[op], blocks, 0);
            if (op < 4 && (blocks > 4 || op == 3) && in_blocks < 55)
                fail_msg("%s onto %d blocks: %u words in blocks", ops[op], blocks,
                         (unsigned)in_blocks);
        }
}
TILE_BOTH(test_onto_blocks)

// Words of which a cut leaves the first, and then all of them, and again; with one kernel call.
static void test_same_words_again(int arch)
{
    static const char *const ops[] = {"MOVA2D instr_mod=2", "ELWADD", "MVMUL addr_mode=3"};
    for (size_t op = 0; op < sizeof ops / sizeof *ops; op++) {
        struct pair pair = pair_new(arch);
        field(&pair, FIELD_ADDR_MOD_AB_SEC3_SrcBIncr, 8);
        field(&pair, FIELD_ADDR_MOD_DST_SEC3_DestIncr, 8);
        for (uint64_t again = 0; again < 14; again++) {
            uint64_t cut = again % 2 ? 0 : 2 + again;
            push(&pair, 0, "SETRWC BitMask=7", 1);
            push(&pair, 0, ops[op], 8);
            uint64_t in_blocks = run(&pair, cut, ops[op]);
            if (cut == 0 && in_blocks < 7)
                fail_msg("%s: %u words in blocks", ops[op], (unsigned)in_blocks);
            for (int way = 0; way < 2; way++)
                memset(tile_state(pair.tile[way])->dst.bits, 0x11, sizeof(uint16_t) * 16 * 64);
        }
        pair_free(&pair);
    }
}
TILE_BOTH(test_same_words_again)

// Sums of phases as kernels have them: each comes from the replay buffer, with other words behind
// it, while the phase before still stands in the unit's queue.
static struct pair pair_with_replay(int arch, tsr_profile profile, int words)
{
    struct pair pair = pair_with(arch, profile);
    char text[80];
    field(&pair, FIELD_ADDR_MOD_AB_SEC3_SrcBIncr, 8);
    snprintf(text, sizeof text, "REPLAY load_mode=1 len=%d", words);
    push(&pair, 0, text, 1);
    for (int i = 0; i < words; i++) {
        snprintf(text, sizeof text, "MVMUL addr_mode=3 dst=%d", 8 * (i % 8));
        push(&pair, 0, text, 1);
    }
    run(&pair, 0, text);
    return pair;
}

// `times`: of the last of the words between.
static uint64_t run_phases(int arch, int words, const char *const *between, int times, uint64_t cut)
{
    struct pair pair = pair_with_replay(arch, TSR_PROFILE_SILICON, words);
    char text[80];
    snprintf(text, sizeof text, "REPLAY len=%d", words);
    uint64_t in_blocks = 0;
    for (int again = 0; again < 3 && !pair.stuck; again++) {
        push(&pair, 0, "NOP", again);
        for (int phase = 0; phase < (times > 1 ? 2 : 4); phase++) {
            push(&pair, 0, text, 1);
            push(&pair, 0, between[0], 1);
            push(&pair, 0, between[1], times);
        }
        push(&pair, 0, "MVMUL addr_mode=3", 3);
        push(&pair, 0, "NOP", 4);
        in_blocks += run(&pair, cut, between[1]);
    }
    pair_free(&pair);
    return in_blocks;
}

static void test_phases(int arch)
{
    static const char *const between[][2] = {
        {"SETRWC BitMask=3", "NOP"},
        {"SETRWC BitMask=3", "SETRWC BitMask=3"},
        {"SETRWC BitMask=7", "SETDVALID"},
        {"MOP_CFG zmask_hi16=3", "SETRWC BitMask=7"},
        {"INCRWC rwc_b=8", "NOP"},
        {"ZEROACC clear_mode=0", "REPLAY len=2"},
        {"MOVA2D instr_mod=2", "REPLAY len=3"},
    };
    for (size_t i = 0; i < sizeof between / sizeof *between; i++)
        for (int words = 2; words < 20; words += 1 + words / 6) {
            for (uint64_t cut = 3; cut < 30; cut += 6)
                run_phases(arch, words, between[i], 1 + (int)cut % 7, cut + i);
            uint64_t in_blocks = run_phases(arch, words, between[i], 1, 0);
            if (i < 2 && words == 8 && in_blocks < 96)
                fail_msg("phases of %d words: %u in blocks", words, (unsigned)in_blocks);
        }
}
TILE_BOTH(test_phases)

// A MOP's phases, behind which its expander rests for a cycle.
static void test_phases_of_mop(int arch)
{
    for (int words = 3; words < 18; words++) {
        struct pair pair = pair_with_replay(arch, TSR_PROFILE_SILICON, words);
        char text[80];
        snprintf(text, sizeof text, "REPLAY len=%d", words);
        for (int way = 0; way < 2; way++) {
            uint32_t nop = tile_word(pair.tile[way], "NOP"), loop = tile_word(pair.tile[way], text);
            const uint32_t config[9] = {1, 2, nop, nop, nop, loop, nop, loop, loop};
            for (unsigned i = 0; i < 9; i++)
                assert_int_equal(
                    tsr_store(pair.tile[way], TSR_CORE_T0, 0xffb80000u + 4 * i, config[i], 4),
                    TSR_OK);
        }
        for (int again = 0; again < 4; again++) {
            push(&pair, 0, "MOP mop_type=1", 1);
            push(&pair, 0, "NOP", again);
            push(&pair, 0, "MVMUL addr_mode=3", 5);
            push(&pair, 0, "SETRWC BitMask=7", 1);
            run(&pair, (uint64_t)(words + again) % 7, text);
        }
        pair_free(&pair);
    }
}
TILE_BOTH(test_phases_of_mop)

// An expansion that stops the tile, while words of the one before it stand at the gate.
static void test_stop(int arch)
{
    for (int words = 2; words < 12; words++)
        for (int between = 0; between < 12; between++) {
            struct pair pair = pair_with_replay(arch, TSR_PROFILE_STRICT, words);
            char text[80];
            snprintf(text, sizeof text, "REPLAY len=%d", words);
            // The gate's FIFO fills behind the second.
            push(&pair, 0, "ADDDMAREG OpBRegIndex=1 OpARegIndex=2 ResultRegIndex=3", words % 3);
            push(&pair, 0, text, 1);
            push(&pair, 0, "SETRWC BitMask=7", between / 2);
            push(&pair, 0, "REPLAY len=40", 1);
            run(&pair, 0, text);
            pair_free(&pair);
        }
}
TILE_BOTH(test_stop)

// Dst in another order, or in 32 bits, or of 16 in the halves of 32; LaneConfig keeps columns.
static void test_what_is_not_plain(int arch)
{
    for (int what = 0; what < 5; what++) {
        struct pair pair = pair_new(arch);
        if (what < 2)
            field(&pair, FIELD_ALU_ACC_CTRL_Fp32_enabled, 1);
        if (arch == BH)
            field(&pair, FIELD_DEST_ACCESS_CFG_swizzle_32b, what == 1);
        if (arch == BH)
            field(&pair, FIELD_DEST_ACCESS_CFG_remap_addrs, what == 2);
        for (int way = 0; way < 2; way++) {
            tile_state(pair.tile[way])->matrix.kept_columns = what == 3 ? 5 : 0;
            tile_state(pair.tile[way])->debug.debug_feature_disable = what == 4 ? 1u << 11 : 0;
        }
        for (int again = 0; again < 3; again++) {
            push(&pair, 0, "MOVA2D instr_mod=2", 7);
            push(&pair, 0, "ELWADD dest_accum_en=1", 6);
            push(&pair, 0, "MVMUL", 5);
            push(&pair, 0, "SETRWC BitMask=7", 1);
            run(&pair, 3 * (uint64_t)again, "not plain");
        }
        pair_free(&pair);
    }
}
TILE_BOTH(test_what_is_not_plain)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_onto_blocks), TILE_TEST(test_same_words_again),
        TILE_TEST(test_phases),      TILE_TEST(test_phases_of_mop),
        TILE_TEST(test_stop),        TILE_TEST(test_what_is_not_plain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
