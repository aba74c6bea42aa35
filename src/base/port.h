// SPDX-License-Identifier: Apache-2.0
// The interfaces at the tile's address map: units and cores call tsr_port, which tile/ implements;
// the map calls tsr_noc_port, which the chip attaches, for what is behind it.
#ifndef TESSERA_BASE_PORT_H
#define TESSERA_BASE_PORT_H

#include <tessera/tessera.h>

struct tsr_port {
    void *self;
    // `agent` is a tsr_core, TSR_AGENT_HOST for who comes through the NoC, or TSR_AGENT_TENSIX +
    // thread for an instruction's own access.
    tsr_status (*load)(void *self, int agent, uint32_t address, uint32_t *value, int width);
    tsr_status (*store)(void *self, int agent, uint32_t address, uint32_t value, int width);
};

enum { TSR_AGENT_HOST = 6, TSR_AGENT_TENSIX = 8 };

// A load or store of a register of a NoC interface or of the NoC overlay.
enum { TSR_NOC_OVERLAY = 2, TSR_NOC_SENTENCE = 200 };
struct tsr_noc_access {
    int unit; // 0 or 1: the interface of that NoC; TSR_NOC_OVERLAY
    int agent;
    uint32_t offset; // of a word, from the unit's base
    uint32_t value;  // to store, or what was loaded
    bool has_pc;     // `at` is the program counter of the core that accesses, else an address
    uint32_t at;
    uint64_t now; // cycle
    // What is wrong with the access: TSR_BUSY, and nothing was done. It is called again with
    // `reported` increased, unless the finding stops the tile.
    unsigned reported, found;
    int finding; // enum tsr_finding; -1: nothing
    char sentence[TSR_NOC_SENTENCE];
};

struct tsr_noc_port {
    void *self; // NULL: the tile is alone
    // TSR_UNMAPPED: no page has a register there.
    tsr_status (*load)(void *self, struct tsr_noc_access *access);
    tsr_status (*store)(void *self, struct tsr_noc_access *access);
    // Up to which cycle a load there changes nothing, and gives the same unless the chip or a core
    // of the tile does something; UINT64_MAX: no cycle ends that. 0: it changes something. A core
    // that only does such loads may rest as long.
    uint64_t (*quiet_until)(const void *self, int unit, uint32_t offset, uint64_t now);
};

#endif
