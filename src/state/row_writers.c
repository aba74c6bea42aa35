// SPDX-License-Identifier: Apache-2.0
// Who wrote each row last; see row_writers.h. Pages: Dst.md, SrcASrcB.md.
#include "state/row_writers.h"

#include <string.h>

static void note(uint64_t *marks, struct tsr_origin *writers, const struct tsr_origin *by)
{
    for (uint64_t left = *marks; left != 0; left &= left - 1)
        writers[__builtin_ctzll(left)] = *by;
    *marks = 0;
}

void tsr_rows_note(struct tsr_state *state, const struct tsr_origin *by)
{
    struct tsr_dst *dst = &state->dst;
    for (unsigned i = 0; i < TSR_DST_ROWS / 64; i++)
        note(&dst->marks[i], &dst->writer[(size_t)64 * i], by);
    for (unsigned side = 0; side < 2; side++)
        for (unsigned bank = 0; bank < 2; bank++)
            note(&state->src[side].bank[bank].marks, state->src[side].bank[bank].writer, by);
}

void tsr_rows_forget(struct tsr_state *state)
{
    memset(state->dst.marks, 0, sizeof state->dst.marks);
    for (unsigned side = 0; side < 2; side++)
        for (unsigned bank = 0; bank < 2; bank++)
            state->src[side].bank[bank].marks = 0;
}
