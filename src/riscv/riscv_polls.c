// SPDX-License-Identifier: Apache-2.0
// Looks at one pass of a loop now and then: the registers at a backward jump, and whether the next
// one to the same place finds them the same. A loop that computes is looked at less and less.
// Page: BabyRISCV/README.md.
#include "riscv/riscv_polls.h"

#include <string.h>

enum { LONGEST_PAUSE = 64, JUMPS_INSIDE = 16 };

static void disarm(struct tsr_riscv_polls *polls)
{
    polls->armed = polls->woken = false;
    polls->pause = polls->pause < LONGEST_PAUSE ? 2 * polls->pause + 1 : LONGEST_PAUSE;
    polls->jumps = polls->pause;
}

static void arm(struct tsr_riscv *riscv, const struct tsr_hart *hart)
{
    struct tsr_riscv_polls *polls = &riscv->polls;
    polls->armed = true;
    polls->jumps = 0;
    polls->looks = JUMPS_INSIDE;
    polls->pc = hart->pc;
    polls->effects = riscv->effects;
    polls->vectors = riscv->vectors;
    polls->until = UINT64_MAX;
    memcpy(polls->x, hart->x, sizeof polls->x);
    memcpy(polls->f, hart->f, sizeof polls->f);
    riscv->load_at = TSR_NO_LOAD;
}

bool tsr_riscv_look_for_poll(struct tsr_riscv *riscv, struct tsr_hart *hart)
{
    struct tsr_riscv_polls *polls = &riscv->polls;
    polls->jumps = 0;
    if (!polls->armed) {
        arm(riscv, hart);
        return false;
    }
    if (polls->effects != riscv->effects || polls->vectors != riscv->vectors ||
        polls->looks-- == 0) {
        disarm(polls);
        return false;
    }
    if (hart->pc != polls->pc)
        return false; // a loop inside this one
    if (memcmp(polls->x, hart->x, sizeof polls->x) != 0 ||
        memcmp(polls->f, hart->f, sizeof polls->f) != 0) {
        disarm(polls);
        return false;
    }
    polls->armed = false;
    bool reads = riscv->load_at != TSR_NO_LOAD;
    hart->rest = reads ? TSR_HART_POLLS : TSR_HART_ENDED;
    hart->waits_to_store = false;
    hart->waits_at = reads ? riscv->load_at : hart->pc;
    return true;
}

void tsr_riscv_wake(struct tsr_riscv *riscv, const struct tsr_hart *hart)
{
    if (hart->retired == 0) // fresh from reset: what it did before must not matter
        riscv->polls = (struct tsr_riscv_polls){0};
    riscv->polls.woken = hart->rest == TSR_HART_POLLS;
    if (!riscv->polls.woken)
        return;
    riscv->polls.pause = 0;
    arm(riscv, hart);
}
