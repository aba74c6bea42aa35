// SPDX-License-Identifier: Apache-2.0
// Physical rows of Dst, bit by bit from the page's Adj16 and Adj32, for tests: shares nothing
// with state/dst.h but the names of the order's bits.
#ifndef TESSERA_TESTS_DST_ORDER_H
#define TESSERA_TESTS_DST_ORDER_H

#include "state/dst.h"

static inline unsigned order_bit(unsigned row, unsigned from, unsigned to)
{
    return (row >> from & 1) << to;
}

static inline unsigned order_remap(unsigned row)
{
    return (row & 0x3c7) | order_bit(row, 3, 5) | order_bit(row, 4, 3) | order_bit(row, 5, 4);
}

static inline unsigned order_swizzle(unsigned row)
{
    return (row & 0x3f3) | order_bit(row, 3, 2) | (order_bit(row, 4, 3) ^ order_bit(row, 2, 3));
}

// Of a 32-bit row the high half; the low half lies eight rows further.
static inline unsigned order_row(unsigned order, unsigned row, bool wide)
{
    if (order & TSR_DST_REMAP)
        row = order_remap(row);
    if (!wide && !(order & TSR_DST_HIGH_HALVES))
        return row;
    if (order & TSR_DST_SWIZZLE)
        row = order_swizzle(row);
    return (row & 7) | (row >> 3 & 0x3f) << 4 | (row & 0x200);
}

#endif
