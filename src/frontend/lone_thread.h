// SPDX-License-Identifier: Apache-2.0
// With timing on: the rounds of a thread that is the only one awake (lone_thread.c).
#ifndef TESSERA_FRONTEND_LONE_THREAD_H
#define TESSERA_FRONTEND_LONE_THREAD_H

#include "frontend/engine.h"

// Whether nothing but this thread and what it has in its units can move before others are due.
bool tsr_lone_may_run(const struct tsr_engine *engine, int thread);
// The round of the present cycle and those after it before `until`, as long as nothing else can
// move and no unit of `others`, bits of env->touched, has news; the clock stands at the last one.
// True: something moved in it.
bool tsr_lone_run(struct tsr_engine *engine, int thread, uint64_t until, uint32_t others);

#endif
