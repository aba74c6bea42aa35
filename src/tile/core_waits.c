// SPDX-License-Identifier: Apache-2.0
// What a core waits for, as text for the report: the access that is blocked, or that its loop
// repeats; what is at that address; and what would let the core go on.
// Pages: BabyRISCV/README.md, Mailboxes.md, PCBufs.md, TTSync.md, DebugInterface.md.
#include "tile/core_waits.h"

#include "tile/core_turns.h"
#include "tile/noc_names.h"

#include <stdio.h>
#include <string.h>

static const char *const names[] = {
#define CORE(name, program, reset_bit, pc, wh, bh, kept) "core " #name,
#include "machine/cores.def"
};

bool tsr_core_waits(const struct tsr_tile *tile, unsigned core)
{
    return tile->options.cores && tsr_core_alive(tile, core) &&
           tile->engine.env.state->cores.hart[core].rest != TSR_HART_RUNS;
}

struct place {
    char what[80], release[120];
};

// What is at the address, and who makes it so that the core goes on.
static struct place place_of(const struct tsr_tile *tile, unsigned core, uint32_t address,
                             bool store)
{
    const struct tsr_isa *isa = tile->engine.env.isa;
    enum tsr_region_id region = tsr_region_find(&tile->tables->regions, isa, core, address);
    uint32_t offset = region < REGION_COUNT ? address - isa->region[region].base : 0;
    unsigned other = offset >> 12 & 3, thread = core - TSR_CORE_T0;
    struct place place;
    snprintf(place.what, sizeof place.what, "%s",
             region < REGION_COUNT ? isa->region[region].name : "nothing");
    snprintf(place.release, sizeof place.release, "a change there");
    switch (region) {
    case REGION_PUSH:
    case REGION_PUSH1:
    case REGION_PUSH2:
        if (core == TSR_CORE_B)
            thread = region - REGION_PUSH;
        snprintf(place.what, sizeof place.what, "the FIFO of thread %u, which is full", thread);
        snprintf(place.release, sizeof place.release, "thread %u's next instruction", thread);
        break;
    case REGION_PC_BUFFER0:
    case REGION_PC_BUFFER1:
    case REGION_PC_BUFFER2:
        thread = region - REGION_PC_BUFFER0;
        snprintf(place.what, sizeof place.what, "the PC buffer of core T%u%s", thread,
                 store ? ", which is full" : "");
        snprintf(place.release, sizeof place.release,
                 store ? "a load of core T%u from it"
                       : "core T%u's wait for an empty PC buffer, its thread being idle",
                 thread);
        break;
    case REGION_PC_BUFFER_T:
        snprintf(place.what, sizeof place.what, "its PC buffer, which is empty");
        snprintf(place.release, sizeof place.release, "a store of core B to it");
        break;
    case REGION_TTSYNC:
        snprintf(place.what, sizeof place.what, "TTSync of thread %u, which has work", thread);
        snprintf(place.release, sizeof place.release, "the end of that work");
        break;
    case REGION_MAILBOXES:
        snprintf(place.what, sizeof place.what, "the mailbox %s %s, which is %s",
                 store ? "to" : "from", names[other], store ? "full" : "empty");
        snprintf(place.release, sizeof place.release, "a %s of %s", store ? "load" : "store",
                 names[other]);
        break;
    case REGION_SEMAPHORES:
        snprintf(place.what, sizeof place.what, "semaphore %u", (unsigned)offset / 4);
        snprintf(place.release, sizeof place.release, "a post or get of semaphore %u",
                 (unsigned)offset / 4);
        break;
    case REGION_NOC0:
    case REGION_NOC1: {
        struct tsr_noc_words words =
            tsr_noc_words_of(tile->options.arch, region - REGION_NOC0, offset);
        snprintf(place.what, sizeof place.what, "%s", words.what);
        snprintf(place.release, sizeof place.release, "%s", words.release);
        break;
    }
    case REGION_L1:
        snprintf(place.release, sizeof place.release, "a store to it");
        break;
    default:
        break;
    }
    return place;
}

void tsr_core_explain(const struct tsr_tile *tile, unsigned core, tsr_wait *wait)
{
    const struct tsr_cores *cores = &tile->engine.env.state->cores;
    const struct tsr_hart *hart = &cores->hart[core];
    struct place place = place_of(tile, core, hart->waits_at, hart->waits_to_store);
    wait->who = names[core];
    wait->core = (int)core;
    wait->since = cores->rests_since[core];
    if (hart->rest == TSR_HART_POLLS)
        snprintf(wait->what, sizeof wait->what,
                 "its loop at 0x%08x reads 0x%08x again and again: %s", (unsigned)hart->pc,
                 (unsigned)hart->waits_at, place.what);
    else
        snprintf(wait->what, sizeof wait->what, "its %s at 0x%08x waits at 0x%08x: %s",
                 hart->waits_to_store ? "store" : "load", (unsigned)hart->pc,
                 (unsigned)hart->waits_at, place.what);
    snprintf(wait->release, sizeof wait->release, "%s", place.release);
}

tsr_status tsr_explain_busy(const tsr_tile *tile, tsr_core core, uint32_t address, bool store,
                            tsr_wait *out)
{
    if (!tile || !out || (unsigned)core >= TSR_CORE_COUNT)
        return TSR_BAD_ARGUMENT;
    struct place place = place_of(tile, (unsigned)core, address, store);
    *out = (tsr_wait){.core = (int)core, .unit = -1, .thread = -1, .changed_thread = -1};
    out->who = names[core];
    out->since = tile->engine.env.state->now;
    snprintf(out->what, sizeof out->what, "its %s waits at 0x%08x: %s", store ? "store" : "load",
             (unsigned)address, place.what);
    snprintf(out->release, sizeof out->release, "%s", place.release);
    return TSR_OK;
}
