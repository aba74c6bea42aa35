// SPDX-License-Identifier: Apache-2.0
// The order of Dst's rows, and when rows just written can be read; see dst_rules.h.
// Page: Dst.md of each chip ("Instruction scheduling" for the rule).
#include "state/dst_rules.h"

// A field of one bit of the words that have no banks.
static inline uint32_t global_bit(const struct tsr_env *env, enum tsr_field field)
{
    const struct tsr_field_place *place = &env->isa->field[field];
    return env->state->config.bank[0][place->addr32] >> place->first_bit & 1;
}

uint8_t tsr_dst_order(const struct tsr_env *env)
{
    return (uint8_t)(tsr_dst_configured_order(env) | tsr_dst_high_halves(&env->state->debug));
}

uint8_t tsr_dst_configured_order(const struct tsr_env *env)
{
    uint8_t order = 0;
    if (!env->chip->dst_orders || env->dst_rows_in_place)
        return order;
    order |= (uint8_t)(global_bit(env, FIELD_DEST_ACCESS_CFG_remap_addrs) * TSR_DST_REMAP);
    order |= (uint8_t)(global_bit(env, FIELD_DEST_ACCESS_CFG_swizzle_32b) * TSR_DST_SWIZZLE);
    return order;
}

// ---------------------------------------------------------------- reading after writing

void tsr_dst_note_write(const struct tsr_env *env, const struct tsr_dst_view *view)
{
    struct tsr_dst_writes *writes = &env->state->dst_writes;
    if (!env->timing)
        return;
    writes->last = env->state->now + 1;
    writes->block[view->physical / TSR_DST_BLOCK_ROWS] = writes->last;
    if (view->wide || view->spoils_low)
        writes->block[(view->physical + TSR_DST_LOW) / TSR_DST_BLOCK_ROWS] = writes->last;
}

bool tsr_dst_all_open(const struct tsr_env *env)
{
    const uint16_t *rate = env->isa->rate;
    uint64_t last = env->state->dst_writes.last;
    return last == 0 ||
           env->state->now >= last + rate[RATE_DST_READ_AFTER_WRITE] + rate[RATE_DST_HELD_MORE];
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

// When the last of the blocks that the rows lie in was written. In every order four rows stay
// together.
static uint64_t last_write(const struct tsr_dst_writes *writes, unsigned order, unsigned row,
                           unsigned rows, bool wide)
{
    uint64_t last = 0;
    for (unsigned end = row + rows; row < end; row = (row | 3) + 1) {
        unsigned block = tsr_dst_place(order, row, wide) / TSR_DST_BLOCK_ROWS;
        last = later(last, writes->block[block]);
        if (wide)
            last = later(last, writes->block[block + 1]);
    }
    return last;
}

// An instruction that was held goes on a little later than one that comes when the block is open.
uint64_t tsr_dst_open_at(const struct tsr_env *env, bool held, unsigned order, unsigned row,
                         unsigned rows, bool wide)
{
    uint64_t last = last_write(&env->state->dst_writes, order, row, rows, wide);
    if (last == 0)
        return 0;
    uint64_t open = last + env->isa->rate[RATE_DST_READ_AFTER_WRITE];
    if (env->state->now >= open && !held)
        return open;
    return open + env->isa->rate[RATE_DST_HELD_MORE];
}
