// SPDX-License-Identifier: Apache-2.0
// A thread's turn where nothing but units, banks and waits can hold its words (turns.c).
#ifndef TESSERA_FRONTEND_TURNS_H
#define TESSERA_FRONTEND_TURNS_H

#include "frontend/engine.h"

// With timing off, of a thread that runs until something holds it: the words that are small, part
// of a block, or wait in their unit's queue, from its FIFO and its MOPs. True: its turn is over,
// and why is noted; false: what comes next takes another way. `*moved` is set if something moved.
bool tsr_take_turn(struct tsr_engine *engine, struct tsr_frontend *frontend, int thread,
                   bool *moved);

#endif
