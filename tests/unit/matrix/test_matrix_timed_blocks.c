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
        TILE_TEST(test_onto_blocks),
        TILE_TEST(test_same_words_again),
        TILE_TEST(test_what_is_not_plain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
