// SPDX-License-Identifier: Apache-2.0
// The story of writes to Dst, the order of its rows, and the rule that a block just written cannot
// be read. Page: Dst.md of each chip ("Instruction scheduling" for the rule).
#include "state/dst.h"

#include "state/state.h"

#include <string.h>

// A field of one bit of the words that exist once.
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

// ---------------------------------------------------------------- the story of writes

// What a write of a high half alone leaves in the low one is unpredictable: nobody wrote it.
static void spoil(struct tsr_dst *dst, unsigned row, uint16_t columns)
{
    dst->written[row] &= (uint16_t)~columns;
    dst->tainted[row] &= (uint16_t)~columns;
}

void tsr_dst_wrote(struct tsr_dst *dst, const struct tsr_dst_view *view, uint16_t columns,
                   uint16_t tainted)
{
    bool valid = tsr_dst_valid(dst, view);
    for (unsigned half = 0; half <= (unsigned)view->wide; half++) {
        unsigned row = view->physical + half * TSR_DST_LOW;
        dst->written[row] = (uint16_t)(valid ? dst->written[row] | columns : columns);
        dst->tainted[row] = (uint16_t)((dst->tainted[row] & ~columns) | (tainted & columns));
    }
    if (view->spoils_low)
        spoil(dst, view->physical + TSR_DST_LOW, columns);
    dst->valid[view->physical] = true;
}

static inline void wrote_rows(struct tsr_dst *dst, const struct tsr_dst_view *view, unsigned rows,
                              const uint16_t *tainted)
{
    for (unsigned half = 0; half <= (unsigned)view->wide; half++) {
        unsigned row = view->physical + half * TSR_DST_LOW;
        memset(&dst->written[row], 0xff, rows * sizeof dst->written[0]);
        memcpy(&dst->tainted[row], tainted, rows * sizeof tainted[0]);
    }
    for (unsigned i = 0; view->spoils_low && i < rows; i++)
        spoil(dst, view->physical + i + TSR_DST_LOW, 0xffff);
    memset(&dst->valid[view->physical], true, rows * sizeof dst->valid[0]);
}

// Eight rows are the rule; a number that the compiler knows becomes a store or two, others become
// string instructions, which take longer to begin than all the rest.
void tsr_dst_wrote_rows(struct tsr_dst *dst, const struct tsr_dst_view *view, unsigned rows,
                        const uint16_t *tainted)
{
    if (rows == TSR_DST_BLOCK_ROWS)
        wrote_rows(dst, view, TSR_DST_BLOCK_ROWS, tainted);
    else
        wrote_rows(dst, view, rows, tainted);
}

// Four rows at a time: their stories fill a word each.
static bool four_plain(const struct tsr_dst *dst, unsigned row)
{
    uint64_t written, tainted;
    memcpy(&written, &dst->written[row], sizeof written);
    memcpy(&tainted, &dst->tainted[row], sizeof tainted);
    return written == UINT64_MAX && tainted == 0;
}

static bool four_valid(const struct tsr_dst *dst, unsigned row)
{
    static const bool all[4] = {true, true, true, true};
    return memcmp(&dst->valid[row], all, sizeof all) == 0;
}

unsigned tsr_dst_plain_rows(const struct tsr_dst *dst, const struct tsr_dst_view *view,
                            unsigned most)
{
    struct tsr_dst_view at = *view;
    unsigned rows = 0;
    for (; rows + 4 <= most; rows += 4, at.physical += 4)
        if (!four_valid(dst, at.physical) || !four_plain(dst, at.physical) ||
            (at.wide && !four_plain(dst, at.physical + TSR_DST_LOW)))
            break;
    for (; rows < most; rows++, at.physical++)
        if (!tsr_dst_valid(dst, &at) || tsr_dst_written(dst, &at) != 0xffff ||
            tsr_dst_tainted(dst, &at))
            break;
    return rows;
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

// Who was held goes on a little later than who comes when the block is open again.
uint64_t tsr_dst_open_at(const struct tsr_env *env, int thread, unsigned order, unsigned row,
                         unsigned rows, bool wide)
{
    uint64_t last = last_write(&env->state->dst_writes, order, row, rows, wide);
    if (last == 0)
        return 0;
    uint64_t open = last + env->isa->rate[RATE_DST_READ_AFTER_WRITE];
    bool held = env->state->frontend[thread].reason == TSR_REASON_DST;
    if (env->state->now >= open && !held)
        return open;
    return open + env->isa->rate[RATE_DST_HELD_MORE];
}
