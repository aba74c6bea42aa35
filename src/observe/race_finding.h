// SPDX-License-Identifier: Apache-2.0
// The record of what happened before what, and of who accessed what: two accesses that conflict
// and that nothing orders are a race. Order comes from what the pages guarantee, never from cycles
// (docs/races.md). Pages: SyncUnit.md, STALLWAIT.md, SEMWAIT.md, SrcASrcB.md, Dst.md.
#ifndef TESSERA_OBSERVE_RACE_FINDING_H
#define TESSERA_OBSERVE_RACE_FINDING_H

#include "base/race_events.h"
#include "isa/isa.h"

#include <stddef.h>

enum tsr_race_kind {
    TSR_RACE_WRITES,            // two writes
    TSR_RACE_READ_WRITE,        // a read and a write
    TSR_RACE_CONFIG_IN_FLIGHT,  // configuration, and an instruction that uses it, in either order
    TSR_RACE_ADDRESS_IN_FLIGHT, // the same of an address
    TSR_RACE_OVER_NOC,          // an access of a request over the NoC, and another one
    TSR_RACE_RELIED_ADDRESS,    // ordered by what hardware is known to do, and by no page
    TSR_RACE_RELIED_CONFIG,
    TSR_RACE_RELIED_DST,
    TSR_RACE_RELIED_SRC,
    TSR_RACE_RELIED_GPR,
    TSR_RACE_RELIED_NOC,
    TSR_RACE_KINDS
};

enum { RACE_PLACE_CORES = 8 }; // cores by their agents, and TSR_RACE_AGENT_TDMA

// One of the two.
struct tsr_race_place {
    int thread;        // -1: a core
    int core;          // an agent (base/port.h); -1: an instruction
    unsigned unit;     // of an instruction: who accesses
    uint64_t sequence; // of an instruction
    uint32_t word;     // 0: forgotten
    uint32_t pc;       // of a core, or that pushed the instruction; 0: not known
    bool write;
    const char *request; // "NoC 0 read": the core has sent one, which accesses; NULL: none
    bool elsewhere;      // in the tile at these coordinates, not in the one that tells
    unsigned x, y;
};

// "core B", "thread 0", and where it is wanted its tile: "core B of tile 1-2".
void tsr_race_agent_text(const struct tsr_race_place *place, bool with_tile, char *text,
                         size_t size);
const char *tsr_race_core_name(unsigned core);

struct tsr_race_found {
    enum tsr_race_kind kind;
    enum tsr_race_storage storage;
    uint32_t cell, mask;
    struct tsr_race_place earlier, later; // as this run had it
    bool elsewhere;                       // L1 of another tile than the one that tells
    unsigned x, y, memory;                // coordinates of that; the number of another memory
    char wait[480];                       // what is missing, to be pasted
};

struct tsr_race_setup {
    const struct tsr_isa *isa;
    // By reader and word of a bank: the bits that its instructions depend on, and those of each
    // context's own fields.
    const uint32_t *reads[TSR_RACE_READERS];
    const uint32_t *of_context[TSR_RACE_CONTEXTS];
    bool has_ports;         // the cores are interpreted: what they store outside L1 may come late
    bool config_goes_on;    // an RDCFG does not hold its thread
    bool waits_hold_thread; // a latched wait holds all instructions of its thread
    bool (*wants)(void *user, enum tsr_race_kind kind); // whether it is to be told at all
    void (*found)(void *user, const struct tsr_race_found *race);
    void *user;
};

// A wait that was latched and has ended, or a core's load of a counter of the NoC's interfaces that
// said that requests are over.
struct tsr_race_latched {
    struct tsr_race_place place;
    uint64_t cycles;     // that it held its thread
    const char *counter; // of a load, and which of those with that name; NULL: a thread's wait
    unsigned number, noc;
};

int tsr_races_waits(const struct tsr_races *races); // how many
struct tsr_race_latched tsr_races_wait_at(const struct tsr_races *races, int index);
// That wait of a thread orders nothing from here on. False: no memory.
bool tsr_races_ignore(struct tsr_races *races, int thread, uint64_t sequence);
// A core's loads at that place order nothing from here on. False: no memory.
bool tsr_races_ignore_load(struct tsr_races *races, unsigned core, uint32_t pc);

// NULL: no memory. The first member of what it returns is what the tile tells events to.
struct tsr_races *tsr_races_create(const struct tsr_race_setup *setup);
void tsr_races_destroy(struct tsr_races *races); // NULL is allowed
void tsr_races_reset(struct tsr_races *races);

#endif
