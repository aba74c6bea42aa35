// SPDX-License-Identifier: Apache-2.0
// The debug interface of cores that are interpreted, of whatever tile: registers, commands, and
// where a core pauses. Page: BabyRISCV/DebugInterface.md.
#ifndef TESSERA_TILE_DEBUG_INTERFACE_H
#define TESSERA_TILE_DEBUG_INTERFACE_H

#include "base/finding_codes.h"
#include "riscv/riscv.h"
#include "state/cores.h"

// What an interface needs of the tile. `core` counts from 0, `agent` is who accesses it.
struct tsr_debugger_ops {
    bool (*held)(void *self, unsigned core);         // in soft reset
    bool (*keeps)(void *self, unsigned core);        // its registers take writes even then
    uint32_t (*reset_pc)(void *self, unsigned core); // where a reset begins
    // As the core itself, at once.
    tsr_status (*load)(void *self, unsigned core, uint32_t address, uint32_t *value);
    void (*store)(void *self, unsigned core, uint32_t address, uint32_t value);
    void (*rests)(void *self, unsigned core); // it has paused
    void (*find)(void *self, int agent, enum tsr_finding code, const char *sentence);
};

struct tsr_debugger {
    tsr_arch arch;
    int first;      // the tsr_core that is core 0
    unsigned cores; // so many it reaches
    struct tsr_hart *hart[TSR_DEBUGGED_CORES];
    struct tsr_core_debug *debug; // of each core
    struct tsr_debug_select *select;
    // 0: as in a Tensix tile.
    unsigned valid_bit; // of RISC_DBG_STATUS_0
    unsigned new_pc;    // the register from which a command takes it
    const uint8_t *l1;
    uint32_t l1_bytes;
    const char *who; // accesses, for sentences
    const struct tsr_debugger_ops *ops;
    void *self; // of those
};

// RISC_DBG_CNTL_0 and what follows it, by their place from there.
void tsr_debug_store(const struct tsr_debugger *on, int agent, unsigned index, uint32_t value);
uint32_t tsr_debug_load(const struct tsr_debugger *on, unsigned index);

// Before an instruction of a core of which each has to be looked at. False: it has paused instead.
bool tsr_debug_begin(const struct tsr_debugger *on, unsigned core, struct tsr_riscv *riscv,
                     struct tsr_riscv_next *next);
// Behind that instruction, of which `executed` were executed, 0 or 1: pauses the core where it has
// to.
void tsr_debug_end(const struct tsr_debugger *on, unsigned core, const struct tsr_riscv_next *next,
                   uint64_t executed);

// A core's registers when it enters soft reset, unless something keeps them, and when it leaves it.
void tsr_debug_enter_reset(struct tsr_core_debug *debug, struct tsr_hart *hart);
void tsr_debug_leave_reset(struct tsr_core_debug *debug);

#endif
