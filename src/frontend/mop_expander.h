// SPDX-License-Identifier: Apache-2.0
// The MOP expander: one word into the words of its MOP. Page: MOPExpander.md.
#ifndef TESSERA_FRONTEND_MOP_EXPANDER_H
#define TESSERA_FRONTEND_MOP_EXPANDER_H

#include "state/state.h"

// Hands on at most one word towards the replay expander, and says whether anything moved.
bool tsr_mop_step(struct tsr_env *env, int thread);

#endif
