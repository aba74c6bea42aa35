// SPDX-License-Identifier: Apache-2.0
// One load or store on its way through the address map, and the parts of the map that take it.
// Every part answers at once: TSR_OK, or TSR_BUSY where a core would have to wait.
// Page: BabyRISCV/README.md of each chip.
#ifndef TESSERA_TILE_ACCESS_H
#define TESSERA_TILE_ACCESS_H

#include "state/report.h"

struct tsr_access {
    struct tsr_env *env;
    int agent;                       // a tsr_core, or TSR_AGENT_TENSIX + thread
    unsigned thread;                 // of a T core or an instruction, else 0
    uint32_t address, offset, value; // `offset` counts from the region's base
    int width;
    bool store;
};

// Findings name the core or, where state/mmio.h says which it is, the instruction.
#define TSR_ACCESS_REPORT(access, code, ...)                                                       \
    ((access)->agent <= TSR_CORE_NC                                                                \
         ? tsr_report_core((access)->env, code, (access)->agent, __VA_ARGS__)                      \
         : tsr_report((access)->env, code, (access)->env->port_cause, NULL, __VA_ARGS__))

static inline tsr_status tsr_access_status(const struct tsr_access *access)
{
    return access->env->findings->stopped ? TSR_STOPPED : TSR_OK;
}

// Who accesses, for sentences: "Core 2" or "An instruction of thread 1".
const char *tsr_access_who(const struct tsr_access *access);
// `why` ends a sentence that begins with who, what and where; a core on silicon would hang.
tsr_status tsr_access_hangs(struct tsr_access *access, const char *why);
tsr_status tsr_access_unmapped(struct tsr_access *access);
tsr_status tsr_access_unimplemented(struct tsr_access *access, const char *what);

// map_cores.c
tsr_status tsr_access_pc_buffer(struct tsr_access *access, unsigned thread);
tsr_status tsr_access_pc_buffer_t(struct tsr_access *access);
tsr_status tsr_access_mailbox(struct tsr_access *access);
tsr_status tsr_access_local_ram(struct tsr_access *access, unsigned core);
tsr_status tsr_access_iram(struct tsr_access *access);
// The override bits of a thread's PC buffer: enable, busy, value.
bool tsr_pc_override(const struct tsr_env *env, unsigned thread, bool *busy, uint32_t *value);

// map_tdma.c
tsr_status tsr_access_tdma(struct tsr_access *access);

// map_debug.c, timestamper.c, soft_reset.c, map_interrupts.c
tsr_status tsr_access_debug(struct tsr_access *access);
tsr_status tsr_access_timestamper(struct tsr_access *access);
tsr_status tsr_access_soft_reset(struct tsr_access *access);
tsr_status tsr_access_interrupts(struct tsr_access *access);
void tsr_interrupt_raise(struct tsr_env *env, unsigned irq);

#endif
