// SPDX-License-Identifier: Apache-2.0
// With timing on: words of a lone thread that their unit executes as one (lone_block.c).
#ifndef TESSERA_FRONTEND_LONE_BLOCK_H
#define TESSERA_FRONTEND_LONE_BLOCK_H

#include "frontend/lone_words.h"

// The word that comes behind the one at the gate, where it is no longer in the row; 0: unknown.
TSR_INLINE uint32_t tsr_second_word(const struct tsr_frontend *frontend)
{
    const struct tsr_fifo *gate = &frontend->before_gate, *middle = &frontend->before_replay;
    if (gate->count > 1)
        return gate->word[(gate->first + 1u) % TSR_FIFO_MAX];
    if (frontend->replay.play_left > 0)
        return frontend->replay.word[frontend->replay.play_index];
    return middle->count > 0 ? tsr_fifo_front(middle) : 0;
}

// Whether the word at the gate (tsr_route.timed_blocks) and the one behind it, which moves to the
// gate when that one leaves, could be such.
TSR_INLINE bool tsr_lone_block_begins(const struct lone *lone)
{
    const struct row *row = &lone->row;
    if (row->in_use)
        return row->gate + row->play + row->middle > 1 &&
               ((row->word[row->at] ^ row->word[row->at + 1]) >> 24) == 0;
    return ((tsr_fifo_front(&lone->frontend->before_gate) ^ tsr_second_word(lone->frontend)) >>
            24) == 0;
}

// From the present cycle on, whose units have advanced: issues some words, one in each cycle, and
// leaves the clock in the cycle of the last, before the FIFOs move. `until`: rounds from that cycle
// on are not the lone thread's. `heard`: units of which others want news. False: nothing was done.
bool tsr_lone_block(struct lone *lone, uint64_t until, uint32_t heard);

#endif
