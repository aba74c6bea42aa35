// SPDX-License-Identifier: Apache-2.0
// Tessera: one Tenstorrent Tensix tile (Wormhole B0 or Blackhole A0) in software.
//
// What is here: making a tile, giving it instruction words and core accesses, running it,
// and looking at everything inside it. Nothing in the library prints or exits; a tile is used
// by one thread at a time, and any number of tiles may live in one process.
//
// No function crashes on NULL, on an index outside its range or on a chip that is none. For NULL
// and for such a chip, what returns a tsr_status gives TSR_BAD_ARGUMENT and writes nothing, unless
// its comment allows it. What returns something else says here what that is.
//
// Pages: WormholeB0/TensixTile/TensixCoprocessor/README.md and the pages named below.
#ifndef TESSERA_TESSERA_H
#define TESSERA_TESSERA_H

#include <tessera/basics.h>
#include <tessera/diagnostics.h>
#include <tessera/machine.h>
#include <tessera/views.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------- tiles

// How words get to their units. Results, counters and findings do not depend on it, except that
// with AUTO a finding about a MOP or REPLAY comes after those of the instructions before it.
typedef enum tsr_pipeline {
    TSR_PIPELINE_AUTO = 0,  // words skip stages (timing off), rounds what cannot move (timing on)
    TSR_PIPELINE_STAGED = 1 // every word takes every stage, a round visits everything: slower
} tsr_pipeline;

// With timing off, the order in which things happen that nothing orders. A program without races
// leaves the same bits in each. TSR_SCHEDULE_CARD is the order that a card shows in practice; the
// others take single steps and are slower. With timing on costs decide, and only CARD is accepted.
typedef enum tsr_schedule {
    TSR_SCHEDULE_CARD = 0,
    TSR_SCHEDULE_EAGER = 1, // units are done at once, threads issue in turn
    TSR_SCHEDULE_LATE = 2,  // thread 2 first; units execute and complete when somebody waits for it
    TSR_SCHEDULE_RANDOM = 3 // as options.schedule_seed says
} tsr_schedule;

// To find the step of a schedule that makes a difference: the schedule decides the first `steps`
// steps, EAGER all later ones. tsr_view_schedule() tells the last step before that cut.
typedef struct tsr_schedule_cut {
    uint64_t steps;  // 0: no cut
    int held;        // after the cut this tsr_schedule_step.actor lets the others take ...
    uint64_t others; // ... so many steps before its own; `held` 0: nobody is held back
} tsr_schedule_cut;

typedef struct tsr_options {
    tsr_arch arch;
    bool timing; // false: coprocessor costs are zero
    tsr_profile profile;
    uint64_t seed;       // of the tile's PRNGs
    const char *kernels; // NULL or "auto"; "reference"; or a comma-separated list of kernel sets
    // A latched STALLWAIT or SEMWAIT holds every instruction of its thread, whatever its block
    // mask, and so does RDCFG until it completes: how the conformance cases execute, not the ISA's
    // rule (docs/conformance.md).
    bool waits_hold_thread;
    // Keep who wrote each configuration field and when, for tsr_view_field_writer(), and each row
    // of Dst, SrcA and SrcB, for tsr_view_dst_writer() and tsr_view_src_writer(); and look for
    // mistakes that follow: the findings config-whole-word, config-in-flight, and
    // config-never-written where a unit reads what it was not given.
    bool watch_config;
    // DEST_ACCESS_CFG_remap_addrs and _swizzle_32b move no rows of Dst: how the vendor's simulator
    // recorded its conformance cases, not what the chip does (docs/conformance.md).
    bool dst_rows_in_place;
    tsr_pipeline pipeline;
    // The tile interprets its five baby cores; they begin in soft reset
    // (RISCV_DEBUG_REG_SOFT_RESET_0 is 0x47800). False: the caller plays the cores, by tsr_load(),
    // tsr_store() and tsr_push().
    bool cores;
    tsr_schedule schedule; // TSR_BAD_ARGUMENT with timing on, but for TSR_SCHEDULE_CARD
    uint64_t schedule_seed;
    tsr_schedule_cut schedule_cut;
    // Look for races: accesses that conflict and that nothing orders, and configuration that
    // changes under an instruction that uses it (docs/races.md). Findings of category race. Every
    // word takes every stage then, as with TSR_PIPELINE_STAGED.
    bool find_races;
} tsr_options;

// Timing off, strict, seed 0, kernels auto, nothing watched, pipeline auto, no cores, schedule
// CARD.
tsr_options tsr_options_default(tsr_arch arch);
// `out` is owned by the caller, who gives it to tsr_tile_destroy. TSR_BAD_ARGUMENT for an unknown
// kernel set.
tsr_status tsr_tile_create(const tsr_options *options, tsr_tile **out);
void tsr_tile_destroy(tsr_tile *tile); // NULL is allowed
// Power-on state; options, policy and trace stay. NULL is allowed.
void tsr_tile_reset(tsr_tile *tile);
tsr_arch tsr_tile_arch(const tsr_tile *tile); // TSR_WORMHOLE_B0 for NULL
// `what` is a finding's code or a category's name. TSR_NOT_FOUND for any other word;
// TSR_BAD_ARGUMENT: TSR_ACTION_IGNORE for anything but TSR_UNGUARANTEED_ORDER.
tsr_status tsr_tile_set_policy(tsr_tile *tile, const char *what, tsr_action action);
// Names of the kernel sets of this build, comma-separated; static storage.
const char *tsr_kernel_sets(void);

// L1 from outside (host, NoC). Byte addresses. TSR_BAD_ARGUMENT if the range leaves L1. `bytes` may
// be NULL if `size` is 0.
tsr_status tsr_l1_write(tsr_tile *tile, uint32_t address, const void *bytes, size_t size);
tsr_status tsr_l1_read(const tsr_tile *tile, uint32_t address, void *bytes, size_t size);
// Mark bytes as written without changing them (decision: a conformance case's L1 is all written).
tsr_status tsr_l1_mark_written(tsr_tile *tile, uint32_t address, size_t size);

// A load or store by a baby core, 1, 2 or 4 bytes wide, through the tile's address map, effective
// at once. TSR_BUSY: the core would wait (a full FIFO, PC-buffer sync); TSR_UNMAPPED; TSR_STOPPED.
tsr_status tsr_store(tsr_tile *tile, tsr_core core, uint32_t address, uint32_t value, int width);
tsr_status tsr_load(tsr_tile *tile, tsr_core core, uint32_t address, uint32_t *value, int width);
// The same by a host, or whoever else comes through the NoC: the NoC's column of the memory map
// (BabyRISCV/README.md). Findings name the host.
tsr_status tsr_host_store(tsr_tile *tile, uint32_t address, uint32_t value, int width);
tsr_status tsr_host_load(tsr_tile *tile, uint32_t address, uint32_t *value, int width);
// With find_races: the STALLWAITs, SEMWAITs and STREAMWAITs that have ended, in this order, and of
// interpreted cores in a chip, once for each place, loads of counters of the NoC's interfaces that
// told that requests are over (thread -1). How many; 0 for a tile that does not look for races.
int tsr_latched_wait_count(const tsr_tile *tile);
// `cycles` (may be NULL): how long it held its thread. TSR_BAD_ARGUMENT outside 0 .. count-1.
tsr_status tsr_latched_wait_at(const tsr_tile *tile, int index, tsr_finding_place *out,
                               uint64_t *cycles);
// To learn what a wait is for: a wait with that number orders nothing, as far as races are told.
// The program runs as it would. A reset forgets it. TSR_BAD_ARGUMENT without find_races.
tsr_status tsr_ignore_wait(tsr_tile *tile, int thread, uint64_t sequence);
// The same of such loads of a core at a program counter.
tsr_status tsr_ignore_load(tsr_tile *tile, tsr_core core, uint32_t pc);
// Append a word to a thread's FIFO, as that thread's own core would. TSR_BUSY if it is full.
tsr_status tsr_push(tsr_tile *tile, int thread, uint32_t word);

typedef enum tsr_end {
    TSR_END_IDLE = 0,     // nothing to do: every FIFO is empty and every unit is idle
    TSR_END_DEADLOCK = 1, // work is left, nothing can move, and nothing outside could move it
    TSR_END_BLOCKED = 2,  // the same, but `external` says that something outside could
    TSR_END_TIMEOUT = 3,  // max_cycles or max_steps are used up
    TSR_END_STOPPED = 4,  // a finding stopped the tile
    TSR_END_BREAK = 5,    // the place of break_thread/break_sequence or break_cycle is reached
    TSR_END_NO_TILE = 6,  // the tile is NULL
    TSR_END_UNTIL = 7,    // the word of until_address is what the limits wait for
    TSR_END_WORDS = 8     // max_words are used up; nothing else has ended, and the next run goes on
} tsr_end;
const char *tsr_end_name(tsr_end end); // "idle", "deadlock", "time-out", …; else "none"

typedef struct tsr_limits {
    // 0: none; counted from this call. With `external` time passes up to here, and up to
    // break_cycle, although nothing moves.
    uint64_t max_cycles;
    uint64_t max_steps;      // 0: none; rounds of the engine
    bool external;           // something outside may still push, store or post
    int break_thread;        // -1: none
    uint64_t break_sequence; // stop before this thread issues that instruction (1 = first)
    uint64_t break_cycle;    // 0: none; stop when the clock reaches this cycle
    // Stop when the word of L1 at until_address has until_value in the bits of until_mask; 0: no
    // such end.
    uint32_t until_address, until_value, until_mask;
    // With `external`, max_cycles and nothing that moves: the run ends (TSR_END_BLOCKED, or IDLE),
    // and no time passes.
    bool ends_blocked;
    bool break_at_pause; // stop where a core pauses (ebreak, ecall, a debugger's breakpoint)
    // 0: none; of each thread, counted from this call. With timing off a MOP takes no cycle,
    // however long it is: each word that a core pushes may become two million, and a run of few
    // cycles take minutes. With this limit it ends within the MOP, and the next one goes on there.
    // What units take in blocks (docs/architecture.md) is counted behind as many MOPs as a FIFO
    // holds. With timing on the run ends with the cycle in which a thread has issued so many: who
    // feeds a FIFO is asked before it is empty, and no earlier. Not with interpreted cores, whose
    // threads feed themselves.
    uint64_t max_words;
} tsr_limits;

// With interpreted cores and timing off, a run ends at the end of a quantum of 64 cycles, unless it
// stops or breaks (docs/cores.md).
tsr_limits tsr_limits_default(void); // no limit, not external, no break, no word to wait for
// `limits` NULL: those of tsr_limits_default(). TSR_END_NO_TILE if `tile` is NULL.
tsr_end tsr_run(tsr_tile *tile, const tsr_limits *limits);
// With timing on one round of the engine at the present cycle, or a jump to the next event; with
// timing off one thread's run until something holds it. False: nothing moved, or `tile` is NULL.
bool tsr_step(tsr_tile *tile);
uint64_t tsr_cycle(const tsr_tile *tile); // 0 for NULL
// Lets so many cycles pass, in either mode and whether or not there is something to do: tsr_run()
// with max_cycles and `external`.
tsr_end tsr_run_cycles(tsr_tile *tile, uint64_t cycles);
// Something is left to do: a FIFO or a unit holds an instruction, the mover is busy, or a core is
// neither held in reset nor paused, hung or at its end. False for NULL.
bool tsr_has_work(const tsr_tile *tile);
// Everything that the thread pushed, with what was expanded from it, has completed. False for
// NULL and for a thread that is none.
bool tsr_thread_drained(const tsr_tile *tile, int thread);

typedef struct tsr_wait {
    const char *who;   // "thread 1", "unpacker 0", "core B"; static storage
    char what[200];    // "ELWADD waits for SrcB bank 0, which the unpackers own"
    char release[200]; // what would let it go on
    uint64_t since;    // cycle
    // Who changed last what it waits for; empty if nobody has, or nobody keeps it.
    char changed[100]; // "thread 2's SEMGET, instruction 33"
    int core, unit;    // tsr_core or tsr_unit that waits; -1: it is none. Both -1: a thread
    // The instruction that waits, and the one that changed that; thread -1: it is none, but a
    // core's access. One at the gate has the number that it gets when it is issued.
    int thread, changed_thread;
    uint64_t sequence, changed_sequence; // of the thread's instructions, from 1
    uint32_t word;
    bool pushed, changed_pushed; // as in tsr_diagnostic
    int pushed_core, changed_pushed_core;
    uint32_t pushed_pc, changed_pushed_pc;
} tsr_wait;
// How many wait now, 0 if `tile` is NULL; fills at most `capacity`, none if `waits` is NULL.
int tsr_waits(const tsr_tile *tile, tsr_wait *waits, int capacity);

// What an access waits for that gave TSR_BUSY, and what would end that: for callers that play the
// cores themselves.
tsr_status tsr_explain_busy(const tsr_tile *tile, tsr_core core, uint32_t address, bool store,
                            tsr_wait *out);

// The findings since the last reset; none if `tile` is NULL.
int tsr_diagnostic_count(const tsr_tile *tile);
// Until the tile changes; NULL outside 0 .. count-1.
const tsr_diagnostic *tsr_diagnostic_at(const tsr_tile *tile, int index);
uint64_t tsr_diagnostics_dropped(const tsr_tile *tile); // beyond the kept number

// ---------------------------------------------------------------- the baby cores

// For tiles made with tsr_options.cores; tsr_core_start() and tsr_core_hold() give TSR_BAD_ARGUMENT
// for others, of which tsr_view_core() tells who is in reset and where it began.

typedef enum tsr_core_rest {
    TSR_CORE_RUNS = 0,
    TSR_CORE_BLOCKED = 1, // a load or store waits
    TSR_CORE_POLLS = 2,   // a loop reads the same again and again
    TSR_CORE_PAUSED = 3,  // ebreak or ecall (DebugInterface.md)
    TSR_CORE_HUNG = 4,    // an access that never returns, or no instruction at the pc
    TSR_CORE_ENDED = 5    // a loop that neither reads nor changes anything
} tsr_core_rest;

typedef struct tsr_core_state {
    uint32_t x[32], pc;
    uint64_t retired; // instructions since it left reset
    bool in_reset;
    tsr_core_rest rest;
    bool waits_to_store; // of TSR_CORE_BLOCKED: what for
    uint32_t waits_at;   // the address
    uint32_t f[32];      // Blackhole's floating-point registers, and T2's vector registers
    uint8_t v[32][16];
    uint32_t vl, vtype;
} tsr_core_state;
tsr_status tsr_view_core(const tsr_tile *tile, tsr_core core, tsr_core_state *out); // as it is now

// Lets the core leave reset and begin at `pc`, by the chip's means for that (SoftReset.md); a core
// that runs is reset first. TSR_BAD_ARGUMENT where the chip has none: core B begins at 0.
tsr_status tsr_core_start(tsr_tile *tile, tsr_core core, uint32_t pc);
tsr_status tsr_core_hold(tsr_tile *tile, tsr_core core); // in soft reset
// The core's local data RAM, from its first byte on. TSR_BAD_ARGUMENT if the range leaves it.
// `bytes` may be NULL if `size` is 0.
tsr_status tsr_core_ram_write(tsr_tile *tile, tsr_core core, uint32_t offset, const void *bytes,
                              size_t size);
tsr_status tsr_core_ram_read(const tsr_tile *tile, tsr_core core, uint32_t offset, void *bytes,
                             size_t size);
// Core NC's instruction RAM, which on a chip the mover alone can write. TSR_BAD_ARGUMENT for a chip
// that has none.
tsr_status tsr_iram_write(tsr_tile *tile, uint32_t offset, const void *bytes, size_t size);
tsr_status tsr_iram_read(const tsr_tile *tile, uint32_t offset, void *bytes, size_t size);

// ---------------------------------------------------------------- what happened

typedef enum tsr_unit {
    TSR_UNIT_UNPACKER0 = 0,
    TSR_UNIT_UNPACKER1 = 1,
    TSR_UNIT_MATRIX = 2,
    TSR_UNIT_VECTOR = 3,
    TSR_UNIT_PACKER = 4,
    TSR_UNIT_SCALAR = 5,
    TSR_UNIT_CONFIG = 6,
    TSR_UNIT_SYNC = 7,
    TSR_UNIT_MISC = 8,
    TSR_UNIT_MOVER = 9,
    TSR_UNIT_COUNT = 10
} tsr_unit;

typedef enum tsr_reason {
    TSR_REASON_NONE = 0,
    TSR_REASON_STALLWAIT = 1, // a latched STALLWAIT
    TSR_REASON_SEMWAIT = 2,   // a latched SEMWAIT
    TSR_REASON_UNIT_FULL = 3, // the unit cannot accept another instruction
    TSR_REASON_SRCA = 4,      // SrcA's bank is not the matrix unit's
    TSR_REASON_SRCB = 5,
    TSR_REASON_MUTEX = 6,
    TSR_REASON_HOLD = 7,      // the instruction before it holds the thread
    TSR_REASON_DST = 8,       // Dst block just written
    TSR_REASON_EMPTY = 9,     // nothing to issue
    TSR_REASON_L1 = 10,       // L1 does not hold what ATCAS or ATINCGETPTR waits for
    TSR_REASON_FLUSH = 11,    // what a FLUSHDMA waits for goes on
    TSR_REASON_REGISTER = 12, // a register of the tile cannot take the access now
    TSR_REASON_COUNT = 13
} tsr_reason;

const char *tsr_unit_name(tsr_unit unit);
const char *tsr_reason_name(tsr_reason reason);
// Of the vector unit's parts 0..4: "load", "simple", "MAD", "round", "store"; "" for others.
const char *tsr_sub_unit_name(int sub_unit);

typedef struct tsr_run_report {
    uint64_t cycles;
    uint64_t issued[TSR_THREADS];
    uint64_t unit_instructions[TSR_UNIT_COUNT];
    uint64_t unit_busy[TSR_UNIT_COUNT];                // cycles in which the unit had work
    uint64_t thread_busy[TSR_UNIT_COUNT][TSR_THREADS]; // of unit_busy, by whose instruction it was
    uint64_t waited[TSR_THREADS][TSR_REASON_COUNT];    // cycles
    // With timing on: cycles in which an instruction for the unit waited at the thread's gate or
    // was issued.
    uint64_t available[TSR_THREADS][TSR_UNIT_COUNT];
    uint64_t plans_made, plans_reused; // of unpackers and packers
    // What had no effect, each an event TSR_EVENT_REFUSED (<tessera/trace.h>). Of a thread: words
    // that no unit took, which are not in `issued`, and instructions that a unit in soft reset
    // dropped. By tsr_core, of a tile that interprets its cores: instructions that the core does
    // not execute, its accesses to what is unimplemented, and words that its FIFO did not take.
    uint64_t refused[TSR_THREADS];
    uint64_t core_refused[TSR_CORES];
} tsr_run_report;
// Since the last reset. All zero if `tile` is NULL; nothing happens if `report` is NULL.
void tsr_get_report(const tsr_tile *tile, tsr_run_report *report);

#ifdef __cplusplus
}
#endif
#endif
