// SPDX-License-Identifier: Apache-2.0
// What is between and inside the baby cores: PC buffers, mailboxes, local data RAM, the instruction
// RAM of core NC that only the mover writes, and what the cores themselves remember.
// Pages: BabyRISCV/PCBufs.md, Mailboxes.md, README.md, InstructionRAM.md.
#ifndef TESSERA_STATE_CORES_H
#define TESSERA_STATE_CORES_H

#include "base/hart.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    TSR_CORE_COUNT = 5,
    TSR_PC_BUFFER_MAX = 16,
    TSR_MAILBOX_CORES = 4, // B, T0, T1, T2
    TSR_MAILBOX_MAX = 4,
    TSR_LOCAL_RAM_MAX = 8192,
    TSR_IRAM_BYTES = 16 * 1024
};

// From B to a T core.
struct tsr_pc_buffer {
    uint32_t word[TSR_PC_BUFFER_MAX];
    uint8_t first, count;
    bool reader_waits; // the T core's last load found it empty
};

struct tsr_mailbox {
    uint32_t word[TSR_MAILBOX_MAX];
    uint8_t first, count;
};

struct tsr_local_ram {
    uint8_t bytes[TSR_LOCAL_RAM_MAX];
    uint8_t written[TSR_LOCAL_RAM_MAX / 8]; // a bit a byte
};

// With timing on: a loop that polls (tile/core_cycles.c). Two polls in a row say how long a pass
// takes; then the core sleeps, and comes back where it would be. In both modes: a loop that reads
// and changes nothing, which sleeps as well.
struct tsr_core_poll {
    bool once, asleep;
    uint32_t pc;
    uint64_t since, retired; // at the last pass
    uint64_t cycles, length; // of a pass: its cycles, and its instructions
    uint64_t wakes_at;       // the first pass that may read something else; UINT64_MAX: none
};

// A core's registers of the debug interface (tile/debug_interface.c).
enum { TSR_DEBUGGED_CORES = 4, TSR_BREAKPOINTS = 8 };
struct tsr_core_debug {
    uint32_t command, argument[2], result, modes, address[TSR_BREAKPOINTS];
    uint16_t hit;     // bits of the status: why the core pauses
    bool by_debugger; // the pause is none of ebreak or ecall
    bool asked;       // to pause
    bool step;        // one instruction only
    uint8_t steps;    // commands since the last one, of those that make a step
    bool pc_written;  // by the debugger, in this pause
    bool late;        // slow execution mode was not on before the pause
    bool looks;       // any of these, or a breakpoint: each instruction is looked at
};

// The registers by which those are reached: RISC_DBG_CNTL_0, the word to be written, what was read.
struct tsr_debug_select {
    uint32_t word, value, result;
    bool valid; // result is
};

struct tsr_cores {
    struct tsr_pc_buffer pc_buffer[3];
    struct tsr_mailbox mailbox[TSR_MAILBOX_CORES][TSR_MAILBOX_CORES]; // [from][to]
    struct tsr_local_ram ram[TSR_CORE_COUNT];
    uint8_t iram[TSR_IRAM_BYTES];
    struct tsr_hart hart[TSR_CORE_COUNT]; // as left by reset, if the caller plays the cores
    uint64_t rests_since[TSR_CORE_COUNT]; // cycle
    struct tsr_core_debug debug[TSR_DEBUGGED_CORES];
    struct tsr_debug_select debug_select; // by which they are reached
    // The rest is tile/core_quanta.c's. With timing off: instructions of each core in this quantum,
    // whether the cores have had their turn in it, so that the coprocessor goes on, and whether
    // anything has moved in it.
    uint16_t used[TSR_CORE_COUNT];
    uint8_t posted; // a bit a core: it has posted a semaphore since the coprocessor's last turn
    bool coprocessor_turn, moved;
    uint8_t first; // the core that begins the cores' turn
    uint8_t turn;  // where a pause has stopped it: how many have had theirs
    bool acted;    // ... and whether those before it did what others see
    bool within;   // the coprocessor's turn came in the middle of a core's, and a break stopped it
    bool goes_on;  // something had moved in its turn before a break stopped that
    uint64_t next[TSR_CORE_COUNT]; // with timing on: the cycle of the next instruction
    struct tsr_core_poll poll[TSR_CORE_COUNT];
};

#endif
