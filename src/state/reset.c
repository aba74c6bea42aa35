// SPDX-License-Identifier: Apache-2.0
// Power-on state (docs/errata.md, "reset"): every storage zero, all Src banks with the unpackers,
// all Dst rows valid, nothing written.
#include "state/state.h"

#include <string.h>

void tsr_state_reset(struct tsr_state *state, const struct tsr_chip *chip)
{
    memset(state, 0, sizeof *state);
    memset(state->dst.valid, 1, sizeof state->dst.valid);
    state->l1.size = (uint32_t)tsr_l1_size(chip->arch);
}
