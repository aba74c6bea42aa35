// SPDX-License-Identifier: Apache-2.0
// Detects loops that only wait. Now and then one pass of a loop is watched: the registers at a
// backward jump are kept, and compared when the same jump is met again. The more often a loop turns
// out to compute, the more seldom it is watched.
// Page: BabyRISCV/README.md.
#include "riscv/riscv_polls.h"

#include "riscv/riscv_access.h"

#include <string.h>

enum { LONGEST_PAUSE = 64, JUMPS_INSIDE = 16 };

static void disarm(struct tsr_riscv_polls *polls)
{
    polls->armed = polls->woken = polls->again = false;
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
    polls->began = *riscv->bus->now;
    polls->retired = hart->retired;
    polls->unexpected = hart->times.unexpected;
    memcpy(polls->x, hart->x, sizeof polls->x);
    memcpy(polls->f, hart->f, sizeof polls->f);
    riscv->load_at = TSR_NO_LOAD;
}

// False: what it loads is not known.
static bool watch(struct tsr_riscv *riscv, const struct tsr_hart *hart,
                  const struct tsr_riscv_op *op, uint32_t changed)
{
    struct tsr_riscv_polls *polls = &riscv->polls;
    uint32_t address = hart->x[op->rs1] + op->imm, width = tsr_riscv_width_of(op->code), value;
    if (polls->watched == TSR_POLL_LOADS || op->code > RISCV_LHU || (changed >> op->rs1 & 1) ||
        !tsr_riscv_view_load(riscv, address, width, &value))
        return false;
    polls->watch[polls->watched].address = address;
    polls->watch[polls->watched].width = width;
    polls->watch[polls->watched++].value = value;
    return true;
}

// The block with the instruction at `pc`, if it is the one that is executed, in whose middle a loop
// may begin, or one that begins there; NULL: not known.
static const struct tsr_riscv_block *block_with(struct tsr_riscv *riscv, uint32_t pc)
{
    const struct tsr_riscv_block *last = riscv->last;
    return pc - last->pc < 4 * last->count && last->generation == tsr_riscv_generation(riscv)
               ? last
               : tsr_riscv_known_block(riscv, pc);
}

// What the loop at hart->pc loads, if no more than a look at it is needed to know: as long as it
// finds the same there it will come to the same. All loads up to the jump back, those in between
// that were jumped over among them.
static void watch_loads(struct tsr_riscv *riscv, const struct tsr_hart *hart)
{
    enum { LONGEST = 64 };
    const struct tsr_riscv_block *block = NULL;
    uint32_t changed = 0, pc = hart->pc;
    riscv->polls.watched = 0;
    for (int i = 0; i < LONGEST; i++, pc += 4) {
        if (!block || pc - block->pc >= 4 * block->count)
            block = block_with(riscv, pc);
        if (!block)
            break;
        const struct tsr_riscv_op *op = &block->op[(pc - block->pc) / 4];
        bool known = op->kind <= RISCV_KIND_DIVIDES || op->kind == RISCV_KIND_BRANCHES ||
                     op->kind == RISCV_KIND_FLOATS || op->code == RISCV_NOP ||
                     (op->kind == RISCV_KIND_LOADS && watch(riscv, hart, op, changed));
        bool refused = op->code >= RISCV_UNKNOWN && op->code <= RISCV_UNIMPLEMENTED;
        if (!known || refused || op->code == RISCV_JALR)
            break;
        if (op->kind == RISCV_KIND_BRANCHES && op->imm == hart->pc)
            return;
        if (op->uses & RISCV_WRITES_RD)
            changed |= 1u << op->rd;
    }
    riscv->polls.watched = 0;
}

bool tsr_riscv_still_polls(const struct tsr_riscv *riscv)
{
    const struct tsr_riscv_polls *polls = &riscv->polls;
    for (unsigned i = 0; i < polls->watched; i++) {
        uint32_t address = polls->watch[i].address, value;
        if (!tsr_riscv_view_load(riscv, address, polls->watch[i].width, &value) ||
            value != polls->watch[i].value)
            return false;
    }
    return polls->watched > 0 && polls->code == tsr_riscv_generation(riscv);
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
    bool reads = riscv->load_at != TSR_NO_LOAD;
    if (!reads && polls->unexpected != hart->times.unexpected && !polls->again) {
        arm(riscv, hart); // with timing on: the next pass may be shorter, and those after it not
        polls->again = true;
        return false;
    }
    polls->armed = polls->again = false;
    polls->cycles = *riscv->bus->now - polls->began;
    polls->length = hart->retired - polls->retired;
    hart->rest = reads ? TSR_HART_POLLS : TSR_HART_ENDED;
    hart->waits_to_store = false;
    hart->waits_at = reads ? riscv->load_at : hart->pc;
    polls->code = tsr_riscv_generation(riscv);
    if (reads)
        watch_loads(riscv, hart);
    return true;
}

void tsr_riscv_wake(struct tsr_riscv *riscv, const struct tsr_hart *hart)
{
    if (hart->retired == 0) // fresh from reset: what it did before must not matter
        riscv->polls = (struct tsr_riscv_polls){0};
    tsr_riscv_wake_running(riscv);
    if (hart->rest != TSR_HART_POLLS)
        return;
    riscv->polls.woken = true;
    riscv->polls.pause = 0;
    arm(riscv, hart);
}
