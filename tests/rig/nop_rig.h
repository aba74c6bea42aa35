// SPDX-License-Identifier: Apache-2.0
// Banks full of a mark, and what a form of UNPACR_NOP left in them. For the two tests of
// UNPACR_NOP.
#ifndef TESSERA_TESTS_NOP_RIG_H
#define TESSERA_TESTS_NOP_RIG_H

#include "rig/scalar_rig.h"

enum { NOP_MARK = 0x12345, NOP_REGISTERS = 0xffb00000 };

static inline struct tsr_src_bank *nop_bank(tsr_tile *tile, int side, int bank)
{
    return &tile_state(tile)->src[side].bank[bank];
}

// Every datum of all four banks is the mark, and tainted.
static inline void nop_mark(tsr_tile *tile)
{
    for (int i = 0; i < 4; i++) {
        struct tsr_src_bank *bank = nop_bank(tile, i / 2, i % 2);
        for (int row = 0; row < TSR_SRC_ROWS; row++) {
            for (int column = 0; column < TSR_COLUMNS; column++)
                bank->datum[row][column] = NOP_MARK;
            bank->tainted[row] = 0xffff;
            bank->written[row] = 0;
        }
        bank->filled = bank->uniform = false;
    }
}

// The whole bank has the value, and its taint is gone with a clear.
static inline void nop_holds(tsr_tile *tile, int side, int bank, uint32_t value)
{
    const struct tsr_src_bank *b = nop_bank(tile, side, bank);
    bool kept = value == NOP_MARK;
    for (int row = 0; row < TSR_SRC_ROWS; row++) {
        for (int column = 0; column < TSR_COLUMNS; column++)
            if (b->datum[row][column] != value)
                fail_msg("Src%c bank %d row %d column %d is 0x%05x, not 0x%05x", 'A' + side, bank,
                         row, column, (unsigned)b->datum[row][column], (unsigned)value);
        assert_int_equal(b->tainted[row], kept ? 0xffff : 0);
        assert_int_equal(b->written[row], kept ? 0 : 0xffff);
    }
    assert_int_equal(b->filled, !kept);
}

// A core may go on with what it leaves, so banks that nobody has given back are no finding.
static inline tsr_end nop_run(tsr_tile *tile)
{
    tsr_limits limits = tsr_limits_default();
    limits.external = true;
    return tsr_run(tile, &limits);
}

static inline void nop_do(tsr_tile *tile, int thread, uint32_t word)
{
    tile_push_word(tile, thread, word);
    tsr_end end = nop_run(tile);
    if (end != TSR_END_IDLE && tsr_diagnostic_count(tile) > 0)
        fail_msg("end %d: %s", (int)end,
                 tsr_diagnostic_at(tile, tsr_diagnostic_count(tile) - 1)->sentence);
    assert_int_equal(end, TSR_END_IDLE);
}

// NULL: nothing at all was found.
static inline void nop_says(tsr_tile *tile, const char *code)
{
    if (code == NULL && tsr_diagnostic_count(tile) > 0)
        fail_msg("%s", tsr_diagnostic_at(tile, 0)->sentence);
    if (code != NULL && tile_found(tile, code) == NULL)
        fail_msg("no %s", code);
}

#endif
