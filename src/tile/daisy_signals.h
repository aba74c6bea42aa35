// SPDX-License-Identifier: Apache-2.0
// The 128 bits that a part of the tile presents on the debug daisychain (daisy_signals.c).
#ifndef TESSERA_TILE_DAISY_SIGNALS_H
#define TESSERA_TILE_DAISY_SIGNALS_H

#include "state/state.h"

enum { TSR_DAISY_WORDS = 4, TSR_DAISY_SELF_TEST = 255 };

// By DaisySel and SignalSel. False: this is not there, and the words are 0.
bool tsr_daisy_signals(struct tsr_env *env, unsigned part, unsigned signal,
                       uint32_t word[TSR_DAISY_WORDS]);

#endif
