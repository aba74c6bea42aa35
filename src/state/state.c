// SPDX-License-Identifier: Apache-2.0
// Power-on state (docs/errata.md, "reset"): every storage zero, all Src banks with the unpackers,
// all Dst rows valid, nothing written. Pages: DebugTimestamper.md, PIC.md for registers that begin
// otherwise.
#include "state/state.h"

#include <string.h>

void tsr_state_power_on(struct tsr_state *state, const struct tsr_chip_traits *chip)
{
    memset(state->dst.valid, 1, sizeof state->dst.valid);
    tsr_vector_power_on(&state->vector);
    state->l1.size = (uint32_t)tsr_l1_size(chip->arch);
    state->debug.timestamps.control = TSR_TIMESTAMP_BOTH_BUFFERS;
    state->debug.interrupts.hysteresis = TSR_INTERRUPT_HYSTERESIS;
}

void tsr_state_reset(struct tsr_state *state, const struct tsr_chip_traits *chip)
{
    memset(state, 0, sizeof *state);
    tsr_state_power_on(state, chip);
}
