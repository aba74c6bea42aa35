// SPDX-License-Identifier: Apache-2.0
// Loops that a core goes through while nothing changes, of Tensix and of Ethernet tiles: how long a
// pass takes, and where the core is when it leaves. Page: BabyRISCV/README.md.
#ifndef TESSERA_TILE_CORE_POLLS_H
#define TESSERA_TILE_CORE_POLLS_H

#include "base/hart.h"
#include "riscv/riscv.h"
#include "state/cores.h"

// With timing on: a pass has read the same again, and the next one begins at `next`. `news`: there
// was some since the last pass, and a load of this one may be older than that.
static inline void tsr_core_note_poll(struct tsr_core_poll *poll, const struct tsr_hart *hart,
                                      const struct tsr_riscv *riscv, uint64_t next, bool news)
{
    poll->asleep = poll->once && poll->pc == hart->pc && next > poll->since && !news;
    if (poll->asleep) {
        uint64_t until = tsr_riscv_polls_until(riscv);
        poll->cycles = next - poll->since;
        poll->length = hart->retired - poll->retired;
        poll->wakes_at = until == UINT64_MAX ? until
                         : until > next      ? until - (until - next) % poll->cycles
                                             : next;
        poll->asleep = poll->wakes_at > next;
    }
    poll->once = true;
    poll->pc = hart->pc;
    poll->since = next;
    poll->retired = hart->retired;
}

// The loop ends at or after `now`: all its passes until then were executed, an instruction a cycle
// with timing off. Returns the cycle in which the next one would begin.
static inline uint64_t tsr_core_leave_poll(struct tsr_core_poll *poll, struct tsr_hart *hart,
                                           uint64_t now)
{
    uint64_t late = now > poll->since ? now - poll->since : 0;
    uint64_t passes = (late + poll->cycles - 1) / poll->cycles;
    hart->retired += passes * poll->length;
    poll->asleep = poll->once = false;
    return poll->since += passes * poll->cycles;
}

#endif
