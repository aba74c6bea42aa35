// SPDX-License-Identifier: Apache-2.0
// The 128 bits that a part of the tile presents on the debug daisychain (daisy_signals.c).
#ifndef TESSERA_TILE_DAISY_SIGNALS_H
#define TESSERA_TILE_DAISY_SIGNALS_H

#include "state/state.h"

enum { TSR_DAISY_WORDS = 4, TSR_DAISY_SELF_TEST = 255 };

// By DaisySel and SignalSel. False: this is not there, and the words are 0.
bool tsr_daisy_signals(struct tsr_env *env, unsigned part, unsigned signal,
                       uint32_t word[TSR_DAISY_WORDS]);
// The two groups of a core of any tile; the words are 0 before.
void tsr_daisy_retiring(uint32_t pc, uint32_t word[TSR_DAISY_WORDS]);
void tsr_daisy_decoding(uint32_t pc, uint32_t word[TSR_DAISY_WORDS]);

#endif
