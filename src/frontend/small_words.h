// SPDX-License-Identifier: Apache-2.0
// With timing off: what a thread that was idle does with small words (small_words.c).
#ifndef TESSERA_FRONTEND_SMALL_WORDS_H
#define TESSERA_FRONTEND_SMALL_WORDS_H

#include "frontend/engine.h"

// Of a thread without a latched wait: if it was idle, the small words that come next in its FIFOs
// are executed as tsr_run_thread() would. True: there is nothing left. `*moved`: there was one.
bool tsr_run_small_words(struct tsr_engine *engine, int thread, bool *moved);

#endif
