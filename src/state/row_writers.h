// SPDX-License-Identifier: Apache-2.0
// Who wrote each row of Dst, SrcA and SrcB last. What writes a row marks it; whoever let an
// instruction or an access write asks afterwards which rows are marked. Only where env->watch is
// set: without, the marks stay and mean nothing.
#ifndef TESSERA_STATE_ROW_WRITERS_H
#define TESSERA_STATE_ROW_WRITERS_H

#include "state/state.h"

// All rows that are marked are `by`'s from now on.
void tsr_rows_forget(struct tsr_state *state); // who marked them
void tsr_rows_note(struct tsr_state *state, const struct tsr_origin *by);

#endif
