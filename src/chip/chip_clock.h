// SPDX-License-Identifier: Apache-2.0
// The windows of a chip's time.
#ifndef TESSERA_CHIP_CHIP_CLOCK_H
#define TESSERA_CHIP_CHIP_CLOCK_H

#include "chip/chip_state.h"

// The next window. False: nothing moves any more until somebody outside acts, and nothing was done.
bool tsr_chip_step(tsr_chip *chip);
// Before the first window of a call that may run so many cycles, and after its last.
void tsr_chip_begin(tsr_chip *chip, uint64_t cycles);
void tsr_chip_end(tsr_chip *chip);

#endif
