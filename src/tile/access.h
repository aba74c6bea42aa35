// SPDX-License-Identifier: Apache-2.0
// One load or store on its way through the address map, and what every part of the map needs to
// take it. Every part returns at once: TSR_OK, or TSR_BUSY where a core would have to wait.
// Page: BabyRISCV/README.md of each chip.
#ifndef TESSERA_TILE_ACCESS_H
#define TESSERA_TILE_ACCESS_H

#include "isa/region_index.h"
#include "state/report.h"

struct tsr_access {
    struct tsr_env *env;
    const struct tsr_region_index *regions;
    struct tsr_engine *engine;
    int agent;                       // a tsr_core, TSR_AGENT_HOST, or TSR_AGENT_TENSIX + thread
    unsigned thread;                 // of a T core or an instruction, else 0
    uint32_t address, offset, value; // `offset` counts from the region's base
    int width;
    bool store;
};

// Findings name the core or, where state/register_access.h says which it is, the instruction.
#define TSR_ACCESS_REPORT(access, code, ...)                                                       \
    ((access)->agent < TSR_AGENT_TENSIX                                                            \
         ? tsr_report_core((access)->env, code, (access)->agent, __VA_ARGS__)                      \
         : tsr_report((access)->env, code, (access)->env->port_cause, NULL, __VA_ARGS__))

static inline tsr_status tsr_access_status(const struct tsr_access *access)
{
    return access->env->findings->stopped ? TSR_STOPPED : TSR_OK;
}

// Who accesses, for sentences: "Core T1" or "An instruction of thread 1".
const char *tsr_access_who(const struct tsr_access *access);
// Rounds the address down to the width, as silicon does, with a finding if that changes it.
void tsr_access_align(struct tsr_access *access);
// `why` ends a sentence that begins with who, what and where; a core on silicon would hang.
tsr_status tsr_access_hangs(struct tsr_access *access, const char *why);
tsr_status tsr_access_unmapped(struct tsr_access *access);
tsr_status tsr_access_unimplemented(struct tsr_access *access, const char *what);

#endif
