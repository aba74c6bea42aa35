// SPDX-License-Identifier: Apache-2.0
// Rules of an access to Dst: the order of rows that configuration and debug registers select, and
// that a block just written cannot be read.
// Page: Dst.md of each chip ("Instruction scheduling" for the rule).
#ifndef TESSERA_STATE_DST_RULES_H
#define TESSERA_STATE_DST_RULES_H

#include "state/state.h"

// The order of rows that configuration and debug registers select now; and without the latter.
uint8_t tsr_dst_order(const struct tsr_env *env);
uint8_t tsr_dst_configured_order(const struct tsr_env *env);
// With timing on: an instruction writes the block of `view` now.
void tsr_dst_note_write(const struct tsr_env *env, const struct tsr_dst_view *view);
// No block is closed to readers.
bool tsr_dst_all_open(const struct tsr_env *env);
// The cycle in which an instruction can read the rows; at most now: at once. `held`: the rule keeps
// it at the gate already.
uint64_t tsr_dst_open_at(const struct tsr_env *env, bool held, unsigned order, unsigned row,
                         unsigned rows, bool wide);
// Whoever reads the four rows from `row` on, a multiple of four, of a view of 16 bits finds their
// block open, also if the rule has held it. False: tsr_dst_open_at() has to say.
static inline bool tsr_dst_four_open(const struct tsr_env *env, unsigned order, unsigned row)
{
    const uint16_t *rate = env->isa->rate;
    const unsigned block = tsr_dst_place(order, row, false) / TSR_DST_BLOCK_ROWS;
    const uint64_t last = env->state->dst_writes.block[block];
    return last == 0 ||
           env->state->now >= last + rate[RATE_DST_READ_AFTER_WRITE] + rate[RATE_DST_HELD_MORE];
}

#endif
