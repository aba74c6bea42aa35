// SPDX-License-Identifier: Apache-2.0
// What a baby core remembers, and which bytes of memory hold code that some core has decoded: plain
// data, which state/ keeps and riscv/ works on.
// Pages: BabyRISCV/README.md of each chip, BlackholeA0/TensixTile/BabyRISCV/CSRs.md.
#ifndef TESSERA_BASE_HART_H
#define TESSERA_BASE_HART_H

#include <stdbool.h>
#include <stdint.h>

// Why a core does not go on by itself.
enum tsr_hart_rest {
    TSR_HART_RUNS = 0,
    TSR_HART_BLOCKED = 1, // a load or store waits (a full FIFO, an empty mailbox): tried again
    TSR_HART_POLLS = 2,   // a loop that only reads, and has read the same again
    TSR_HART_PAUSED = 3,  // ebreak or ecall (DebugInterface.md)
    TSR_HART_HUNG = 4,    // an access that never returns, or no instruction at the pc
    TSR_HART_ENDED = 5    // a loop that reads and changes nothing: only interrupts end it
};

enum tsr_csr {
#define RISCV_CSR(enumerator, ...) TSR_CSR_##enumerator,
#include "machine/riscv_csrs.def"
    TSR_CSRS
};

enum tsr_cfg0_bit {
#define RISCV_CFG0(name, bit) TSR_CFG0_##name = (bit),
#include "machine/riscv_csrs.def"
};

// With timing on: what is on its way through the core's pipeline (riscv/riscv_scoreboard.h).
enum { TSR_ICACHE_LINE = 16, TSR_ICACHE_LINES = 2048 / TSR_ICACHE_LINE };
enum { TSR_PREDICTOR_PLACES = 256 };
enum { TSR_RETIRE_PLACES = 8, TSR_LOAD_PLACES = 4, TSR_STORE_PLACES = 4, TSR_CACHE_LINES = 4 };
struct tsr_hart_times {
    uint64_t free;      // when the next instruction may begin
    uint64_t ready[32]; // when each register's value can be used
    // Blackhole: when the registers have the values themselves, from where vector instructions take
    // them.
    uint64_t kept[32], vector_kept[32];
    uint64_t other[32]; // Blackhole: when what was to be written to it before has been
    uint64_t forward;   // Wormhole: the one cycle in which the last result can be used early
    // When the last eight instructions make room, in turn: as they leave; Wormhole: a cycle before.
    uint64_t left[TSR_RETIRE_PLACES];
    uint64_t load[TSR_LOAD_PLACES];     // when loads outside of the own RAM make room, in turn
    uint64_t drained[TSR_STORE_PLACES]; // when stores leave the store queue, in turn
    uint64_t last_left, last_drained;
    uint64_t ram_cleared;              // Blackhole: when the data RAM can be accessed after a reset
    uint32_t stored[TSR_STORE_PLACES]; // their addresses
    uint32_t cached[TSR_CACHE_LINES];  // 1 + address / 16 of a line in Blackhole's data cache
    // Blackhole: which bytes of its 16 each of them writes, and when the last one could leave if it
    // did not wait for others to join it.
    uint16_t stored_bytes[TSR_STORE_PLACES];
    uint64_t least_drained;
    uint8_t next_left, next_load, next_store, next_line, forward_register;
    // Bits 11 to 7, where other formats have rd, of the last instruction and of the one before it,
    // if that is a branch or store; else 0. Where such are waited for (docs/errata.md, 594).
    uint8_t false_rd, false_rd_before;
    uint64_t fetched;                  // when the instructions of `fetching` are there
    uint32_t fetching;                 // 1 + address / 16 of the line that was fetched from last
    uint32_t icache[TSR_ICACHE_LINES]; // the same of the lines in the instruction cache
    uint32_t expected[TSR_PREDICTOR_PLACES]; // where branches went last; 0: none of that place yet
    uint32_t unexpected;                     // counts those that went elsewhere
};

enum { TSR_VECTORS = 32, TSR_VECTOR_BYTES = 16 };

struct tsr_hart {
    uint32_t x[32];
    uint32_t pc;
    uint64_t retired;                   // instructions since the core left reset
    uint64_t cycles_from, retired_from; // what mcycle and minstret count from (Blackhole)
    struct tsr_hart_times times;
    uint32_t csr[TSR_CSRS];
    uint32_t f[32];
    uint8_t v[TSR_VECTORS * TSR_VECTOR_BYTES]; // Blackhole's T2: a group of registers is a run
    // A vector load or store that was held: where it stands, and how many accesses it has made.
    uint32_t begun_at, begun;
    uint8_t rest;      // enum tsr_hart_rest
    uint32_t waits_at; // the address whose access is blocked, or that a loop reads (TSR_HART_POLLS)
    bool waits_to_store;
    bool slow;          // slow execution mode of the debug interface
    bool interrupted;   // it executes an interrupt's handler (Blackhole)
    uint32_t mret_to;   // where the last interrupt came from
    bool reads_nothing; // TSR_HART_POLLS in a loop that has no load: it can never go on
};

static inline bool tsr_hart_cfg0(const struct tsr_hart *hart, enum tsr_cfg0_bit bit)
{
    return hart->csr[TSR_CSR_CFG0] >> bit & 1;
}

// As the core leaves reset at cycle `now`: registers are zero, CSRs as their rows say.
void tsr_hart_reset(struct tsr_hart *hart, uint32_t pc, uint64_t now);

// RISCV_IC_INVALIDATE for this core.
void tsr_hart_invalidate_icache(struct tsr_hart *hart);

// Lines of L1 that hold decoded code. Whoever writes L1 says so; a new generation makes the cores
// compare their decoded blocks with memory again. Whoever writes an instruction RAM, which has no
// lines here, raises the generation itself.
enum { TSR_CODE_LINE = 64, TSR_CODE_LINES_MAX = 1536 * 1024 / TSR_CODE_LINE };
struct tsr_code_lines {
    uint32_t low, high; // bytes: no line outside holds code
    uint64_t generation;
    uint8_t line[TSR_CODE_LINES_MAX / 8];
};

void tsr_code_mark(struct tsr_code_lines *code, uint32_t address, uint32_t size);
void tsr_code_changed(struct tsr_code_lines *code, uint32_t address, uint64_t size);
static inline void tsr_code_note_write(struct tsr_code_lines *code, uint32_t address, uint64_t size)
{
    if (address < code->high && address + size > code->low)
        tsr_code_changed(code, address, size);
}

#endif
