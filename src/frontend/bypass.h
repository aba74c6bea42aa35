// SPDX-License-Identifier: Apache-2.0
// The shortcut past the stages before the gate, for the engine; see bypass.c.
#ifndef TESSERA_FRONTEND_BYPASS_H
#define TESSERA_FRONTEND_BYPASS_H

#include "frontend/engine.h"

// Timing is off, nothing but this thread has anything to do, and nobody wants to see the stages.
bool tsr_bypass_possible(struct tsr_engine *engine, int thread);
// All that the thread can issue now. True: something moved.
bool tsr_bypass(struct tsr_engine *engine, int thread);

#endif
