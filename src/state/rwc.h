// SPDX-License-Identifier: Apache-2.0
// How instructions move a thread's row and fidelity counters (RWCs): the decoded AddrMods, SETRWC
// and INCRWC. Pages: RWCs.md, SETRWC.md, INCRWC.md. SETIBRWC has none (docs/errata.md, 330).
#ifndef TESSERA_STATE_RWC_H
#define TESSERA_STATE_RWC_H

#include "state/state.h"

enum { TSR_ADDR_MODS = 8 };

// How one counter moves: from itself or its carriage, by a step, within a mask that is 0 where the
// counter is cleared.
struct tsr_rwc_move {
    uint16_t step, mask;
    bool from_carriage, sets_carriage;
};

struct tsr_rwc_step {
    struct tsr_rwc_move srca, srcb, dst;
    uint8_t fidelity, fidelity_mask;
    uint8_t extra_flip, extra_mask;
    bool steps_only; // nothing is cleared, no carriage is used: the common case
};

// Operands of SETRWC and INCRWC.
struct tsr_rwc_operands {
    uint8_t select, carriage;
    uint16_t a, b, d;
};

// What an AddrMod of the thread does, decoded from its configuration.
struct tsr_rwc_step tsr_rwc_decode(const struct tsr_env *env, int thread, unsigned index);
void tsr_rwc_apply(tsr_rwc *rwc, const struct tsr_rwc_step *step);
void tsr_rwc_set(tsr_rwc *rwc, const struct tsr_rwc_operands *operands);       // SETRWC
void tsr_rwc_increment(tsr_rwc *rwc, const struct tsr_rwc_operands *operands); // INCRWC
void tsr_rwc_bias(tsr_rwc *rwc, bool increments, uint32_t value);              // SETIBRWC

#endif
