// SPDX-License-Identifier: Apache-2.0
// What an Ethernet tile's cores remember, and what interprets them. Made when somebody accesses a
// register of the tile that does something; its L1 and the registers that only keep what is written
// are the node's memories (node_memory.c).
// Pages: EthernetTile/BabyRISCV/README.md of each chip, WormholeB0/EthernetTile/CycleCounters.md.
#ifndef TESSERA_CHIP_ETHERNET_STATE_H
#define TESSERA_CHIP_ETHERNET_STATE_H

#include "base/findings.h"
#include "base/hart.h"
#include "base/port.h"
#include "riscv/riscv.h"
#include "riscv/riscv_rows.h"
#include "state/cores.h"
#include "state/debug.h"

enum { TSR_ETHERNET_CORES = 2, TSR_ETHERNET_RAM = 0x2000, TSR_ETHERNET_IRAM = 16 * 1024 };

struct tsr_ethernet_core {
    struct tsr_hart hart;
    struct tsr_riscv *riscv; // NULL: it has never left reset
    struct tsr_riscv_bus bus;
    uint8_t ram[TSR_ETHERNET_RAM];
    uint64_t seen;  // `news` when it was asked last
    uint64_t since; // the cycle at which it came to rest
    // With timing on: the cycle of the next instruction, and a loop that polls.
    uint64_t next, polled;
    struct tsr_core_poll poll;
};

// Registers of tile control beyond those that only keep what is written.
struct tsr_ethernet_control {
    uint32_t clock_high;         // what RISCV_DEBUG_REG_WALL_CLOCK_H shows
    uint32_t watchdog, test_sum; // `watchdog` as it was at cycle `counted`
    bool watchdog_runs;
    uint64_t counted;
    // Wormhole's: spare words, where the core begins, MAC's two that say whether it works.
    uint32_t scratch[4], reset_pc, mac[2];
    uint64_t iram_until; // the load of instruction RAM ends
    const char *iram_fault;
    bool iram_told; // that a core executes from there meanwhile
    struct tsr_interrupts interrupts;
};

struct tsr_node;
struct tsr_sparse;
struct tsr_ethernet {
    struct tsr_node *node;
    tsr_arch arch;
    bool timing;
    struct tsr_noc_port noc;
    struct tsr_sparse *l1, *registers; // the node's
    struct tsr_findings findings;
    struct tsr_code_lines code; // of L1
    struct tsr_ethernet_control control;
    struct tsr_core_debug debug[TSR_ETHERNET_CORES];
    struct tsr_debug_select debug_select;
    uint32_t debug_lines; // that the debug daisychain has written since it was prepared
    uint64_t now;         // of the core that runs, or of who accesses a register
    uint64_t stands;      // the end of the last window in which it ran
    uint64_t due;         // with timing on: the cycle of the core that a debugger looks at
    uint64_t news;        // counts what a core that rests may wait for
    uint8_t iram[TSR_ETHERNET_IRAM];
    struct tsr_ethernet_core core[TSR_ETHERNET_CORES];
    struct tsr_riscv_recent_rows recent; // of all of them
};

#endif
