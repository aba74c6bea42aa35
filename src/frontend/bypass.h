// SPDX-License-Identifier: Apache-2.0
// A thread's run with timing off, and the shortcut past the stages before the gate; see bypass.c.
#ifndef TESSERA_FRONTEND_BYPASS_H
#define TESSERA_FRONTEND_BYPASS_H

#include "frontend/engine.h"

// With timing off: the thread issues until something holds it, the mover or TDMA-RISC has work, or
// it comes to its break. True: something moved.
bool tsr_run_thread(struct tsr_engine *engine, int thread);
// It would find nothing to do, were it run again now. False: that is not known.
bool tsr_thread_rests(const struct tsr_engine *engine, int thread);
// Words that such runs left where they lie come to the gates, before anybody looks at them. True:
// one did.
bool tsr_words_to_gates(struct tsr_engine *engine);
// The same before cores go on, which see no difference between a word of an active MOP that waits
// there and one at the gate, unless they change what the MOP's words are, or core B's words come
// behind the MOP expander, before that word.
bool tsr_words_off_fifos(struct tsr_engine *engine);
bool tsr_word_waits_in_mop(const struct tsr_engine *engine, int thread);

#endif
