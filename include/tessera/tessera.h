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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------- basics

// Values are promises: they never change, new ones are added at the end.
typedef enum tsr_status {
    TSR_OK = 0,
    TSR_BAD_ARGUMENT = 1, // an argument is outside what the function's comment allows
    TSR_NO_MEMORY = 2,
    TSR_BUSY = 3,      // the access would make the core wait now; run the tile and try again
    TSR_STOPPED = 4,   // a finding stopped the tile; tsr_tile_reset() makes it usable again
    TSR_NOT_FOUND = 5, // no instruction, field, format or code of that name
    TSR_UNMAPPED = 6,  // no such address for that core (a core on silicon would hang)
    TSR_UNIMPLEMENTED = 7
} tsr_status;

typedef enum tsr_arch { TSR_WORMHOLE_B0 = 0, TSR_BLACKHOLE_A0 = 1 } tsr_arch;
enum { TSR_ARCH_COUNT = 2, TSR_THREADS = 3 };

// The baby cores, in the order of the ISA pages (BabyRISCV/README.md).
typedef enum tsr_core {
    TSR_CORE_B = 0,
    TSR_CORE_T0 = 1,
    TSR_CORE_T1 = 2,
    TSR_CORE_T2 = 3,
    TSR_CORE_NC = 4,
    // Of an Ethernet tile: Wormhole's, and Blackhole's two. No function of a tile takes them.
    TSR_CORE_E = 16,
    TSR_CORE_E0 = 17,
    TSR_CORE_E1 = 18
} tsr_core;
enum { TSR_CORES = 5 };                           // of a Tensix tile
const char *tsr_core_name(tsr_core core);         // "B", "T0", ..., "NC", "E", "E0"; else "none"
const char *tsr_core_program_name(tsr_core core); // "brisc", ..., "ncrisc", "erisc"; else "none"

const char *tsr_version(void);                  // "0.1.0"; static storage
const char *tsr_status_text(tsr_status status); // one phrase; static storage
const char *tsr_arch_name(tsr_arch arch);       // "wormhole_b0", "blackhole_a0"; else "none"
// Accepts wh, wormhole, wormhole_b0, bh, blackhole, blackhole_a0. TSR_NOT_FOUND otherwise.
tsr_status tsr_arch_from_name(const char *name, tsr_arch *arch);
size_t tsr_l1_size(tsr_arch arch); // bytes of L1 (L1.md); 0 if there is no such chip

// ---------------------------------------------------------------- findings

typedef enum tsr_category {
    TSR_UNDEFINED_BEHAVIOUR = 0,
    TSR_UNPREDICTABLE_VALUE = 1,
    TSR_NON_CONTRACTUAL = 2,
    TSR_MISSING_SPECIFICATION = 3,
    TSR_UNIMPLEMENTED_FEATURE = 4,
    TSR_BAD_INPUT = 5,
    TSR_DEADLOCK = 6,
    TSR_RACE = 7,               // tsr_options.find_races
    TSR_UNGUARANTEED_ORDER = 8, // ... of two accesses that hardware orders, and no page
    TSR_CATEGORY_COUNT = 9
} tsr_category;

typedef enum tsr_action {
    TSR_ACTION_STOP = 0,   // the tile stops before the instruction has its effect
    TSR_ACTION_RECORD = 1, // go on as docs/errata.md says
    TSR_ACTION_USE = 2,    // go on, taint what it wrote, stop when a tainted datum is used
    TSR_ACTION_IGNORE = 3  // not told; of TSR_UNGUARANTEED_ORDER alone
} tsr_action;

typedef enum tsr_profile {
    TSR_PROFILE_STRICT = 0,
    TSR_PROFILE_SILICON = 1,
    TSR_PROFILE_CONFORMANCE = 2
} tsr_profile;

enum { TSR_DIAGNOSTIC_FIELDS = 8, TSR_INSTRUCTION_TEXT = 256 };

// Who did something: an instruction of a thread, or a core.
typedef struct tsr_finding_place {
    int thread;        // 0..2, or -1
    int core;          // tsr_core, or -1
    uint64_t sequence; // of the thread
    uint32_t word;
    char instruction[TSR_INSTRUCTION_TEXT];
    bool has_pc; // of a core
    uint32_t pc;
    bool pushed; // of an instruction, as in tsr_diagnostic
    int pushed_core;
    uint32_t pushed_pc;
    bool has_node; // in another tile of the chip than the one that has the finding
    unsigned node_x, node_y;
} tsr_finding_place;

// One finding. Every pointer is static storage; the struct may be copied freely.
typedef struct tsr_diagnostic {
    tsr_category category;
    const char *code;  // stable name, for example "uninitialised-l1"; see tsr_finding_info
    tsr_action action; // what the policy made of it
    uint64_t cycle;    // 0 with timing off and no core
    int thread;        // 0..2, or -1
    int core;          // tsr_core, or -1
    uint64_t sequence; // 1 for the first instruction that the thread issued; 0: none
    uint32_t word;     // the instruction
    char instruction[TSR_INSTRUCTION_TEXT]; // disassembled; empty if none
    char sentence[320];
    const char *page; // path in tt-isa-documentation; never NULL
    int field_count;
    struct {
        const char *name; // configuration field
        uint32_t value;
    } fields[TSR_DIAGNOSTIC_FIELDS];
    // Further times that the same code came from the same instruction word, or from the same core
    // at the same program counter, or without one at the same address.
    uint64_t repeats;
    bool has_pc; // the core is interpreted, and `pc` is that of its instruction
    uint32_t pc;
    // Of a thread's instruction: the core and the program counter that pushed it. With a MOP that
    // is the place of the MOP, with a REPLAY the place from which the word was loaded.
    bool pushed;
    int pushed_core;
    uint32_t pushed_pc;
    // Of a race: the other one of the two, and the wait that is missing, as instructions.
    bool has_other;
    tsr_finding_place other;
    char wait[480];
} tsr_diagnostic;

typedef struct tsr_finding_info {
    const char *code;
    tsr_category category;
    const char *page;
    const char *text; // what it means and what to do
} tsr_finding_info;

const char *tsr_category_name(tsr_category category); // "undefined-behaviour", ...
const char *tsr_action_name(tsr_action action);       // "stop", "record", "use", "ignore"
int tsr_finding_count(void);
const tsr_finding_info *tsr_finding_at(int index);          // NULL outside 0 .. count-1
const tsr_finding_info *tsr_finding_find(const char *code); // NULL if unknown or NULL

// ---------------------------------------------------------------- the machine as data

typedef struct tsr_operand_info {
    const char *name;
    uint8_t first_bit;
    uint8_t width;
    bool extra; // printed only where it is not 0
} tsr_operand_info;

enum { TSR_MAX_OPERANDS = 13 };

typedef enum tsr_implemented {
    TSR_IMPLEMENTED_NONE = 0,
    TSR_IMPLEMENTED_PART = 1,
    TSR_IMPLEMENTED_FULL = 2,
    TSR_IMPLEMENTED_REFUSED = 3 // nothing says what it does: reported, without an effect
} tsr_implemented;

typedef struct tsr_instruction_info {
    const char *mnemonic;
    uint8_t opcode; // bits 31:24 of a word
    const char *unit;
    const char *page;
    tsr_implemented implemented;
    const char *note; // what is missing; "" if nothing is
    int operand_count;
    tsr_operand_info operands[TSR_MAX_OPERANDS]; // in the order in which they are printed
} tsr_instruction_info;

typedef enum tsr_field_scope {
    TSR_SCOPE_THREAD = 0,
    TSR_SCOPE_BANKED = 1,
    TSR_SCOPE_UNBANKED = 2
} tsr_field_scope;

typedef struct tsr_field_info {
    const char *name;
    tsr_field_scope scope;
    uint16_t addr32; // index of the 32-bit word (16-bit value for thread scope)
    uint8_t first_bit;
    uint8_t width; // 1..32, or 128 for a whole TileDescriptor, whose parts are fields too
    const char *section;
    const char *plan_group;      // "" if no plan depends on it
    tsr_implemented implemented; // whether a unit reads it
    const char *page;
} tsr_field_info;

// Of a chip that is none the counts are 0. tsr_instruction_at() and tsr_field_at() give NULL
// outside 0 .. count-1, the other functions NULL for what is unknown and for a name that is NULL.
int tsr_instruction_count(tsr_arch arch);
const tsr_instruction_info *tsr_instruction_at(tsr_arch arch, int index);
const tsr_instruction_info *tsr_instruction_find(tsr_arch arch, const char *mnemonic);
// The instruction that a word encodes; NULL for an unknown opcode or set bits that no operand owns.
const tsr_instruction_info *tsr_instruction_decode(tsr_arch arch, uint32_t word);

// An instruction of the baby RISC-V cores.
typedef struct tsr_core_instruction_info {
    const char *mnemonic;          // as the RISC-V manual has it
    const char *extension;         // "RV32I", "Zbb", ...
    const char *page;              // path in tt-isa-documentation
    uint8_t cores[TSR_ARCH_COUNT]; // a bit for each tsr_core that has it
    bool implemented;
} tsr_core_instruction_info;

int tsr_core_instruction_count(void);
// False outside 0 .. count-1, and if `info` is NULL.
bool tsr_core_instruction_at(int index, tsr_core_instruction_info *info);
int tsr_field_count(tsr_arch arch);
const tsr_field_info *tsr_field_at(tsr_arch arch, int index);
const tsr_field_info *tsr_field_find(tsr_arch arch, const char *name);
// 4-bit code of an L1 or register format by name, any case ("bf16", "BFP8a"); FloatBitPatterns.md.
tsr_status tsr_format_find(const char *name, uint8_t *code);
const char *tsr_format_name(uint8_t code); // "reserved12" for a code without a format

// A value with the name that vendor software has for it, and a dot: `p_stall.STALL_CFG` and
// `semaphore.MATH_PACK` (machine/waits.def), `p_sfpu.LREG3` (machine/vector_modes.def). Blocks and
// conditions are masks, all others numbers.
typedef struct tsr_constant_info {
    char name[64];
    const char *operand; // that takes it: "stall_res", "wait_res", "sem_sel", "instr_mod1", …
    uint32_t value;
    const char *text; // what it names
} tsr_constant_info;

// `out` may be NULL. TSR_NOT_FOUND beyond the last constant of the chip; TSR_BAD_ARGUMENT below 0.
tsr_status tsr_constant_at(tsr_arch arch, int index, tsr_constant_info *out);
// TSR_NOT_FOUND if this chip has no such constant; a NULL name is none. `value` may be NULL.
tsr_status tsr_constant_find(tsr_arch arch, const char *name, uint32_t *value);

// A part of the address map as baby cores see it (BabyRISCV/README.md), in the order of
// machine/addresses.def.
typedef struct tsr_memory_info {
    const char *name; // "L1", "LOCAL_RAM_T", "PUSH", …
    uint32_t base, size;
    uint8_t cores; // a bit for each tsr_core that sees it
    const char *page;
} tsr_memory_info;

// A control, debug or status register (TileControlDebugStatus.md), as all cores see it.
typedef struct tsr_register_info {
    const char *name; // as in vendor software, without RISCV_DEBUG_REG_
    uint32_t address;
    const char *page;
} tsr_register_info;

// A number that programs for the cores need beside addresses: the mask of a core's bit of soft
// reset ("RESET_T0"), and of a NoC interface the offset of a register ("NOC_CMD_CTRL", from the
// initiator's, or from the interface's), the mask of a field ("NOC_CMD_RESP_MARKED"), or a
// counter's index ("NIU_MST_WR_ACK_RECEIVED").
typedef struct tsr_number_info {
    char name[64];
    uint32_t value;
} tsr_number_info;

// TSR_NOT_FOUND beyond the last one of the chip; TSR_BAD_ARGUMENT below 0. `out` may be NULL.
tsr_status tsr_number_at(tsr_arch arch, int index, tsr_number_info *out);
tsr_status tsr_memory_at(tsr_arch arch, int index, tsr_memory_info *out);
tsr_status tsr_register_at(tsr_arch arch, int index, tsr_register_info *out);

// `MNEMONIC name=value …`, or `.word 0x…` for what is no instruction. Always terminated; returns
// the length that the whole text needs (like snprintf). `text` may be NULL: then nothing is
// written.
int tsr_disassemble(tsr_arch arch, uint32_t word, char *text, size_t size);
// The inverse of tsr_disassemble; operands may come in any order, with or without commas, a missing
// one is 0, numbers are decimal, 0x… or 0b…, and a comment may follow, as in .ttasm
// (docs/ttasm.md). On failure `error` (may be NULL) gets one sentence that names the word.
tsr_status tsr_assemble(tsr_arch arch, const char *text, uint32_t *word, char *error,
                        size_t error_size);

// ---------------------------------------------------------------- tiles

typedef struct tsr_tile tsr_tile;

// How words get to their units. Results, counters and findings are the same, but that with AUTO a
// finding about a MOP or REPLAY comes after those of the instructions before it.
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

// For who looks for the step that makes a difference: only the first steps of a schedule, and EAGER
// from there on; tsr_view_schedule() tells the last of them.
typedef struct tsr_schedule_cut {
    uint64_t steps;  // 0: no cut
    int held;        // of tsr_schedule_step.actor: behind the cut it lets others take ...
    uint64_t others; // ... so many steps, and takes its own then; `held` 0: nobody does
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
// `what` is a finding's code or a category's name. TSR_NOT_FOUND for any other word.
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
    TSR_END_UNTIL = 7     // the word of until_address is what the limits wait for
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
    const char *who;   // "thread 1", "unpacker 0", "core B"
    char what[200];    // "ELWADD waits for SrcB bank 0, which the unpackers own"
    char release[200]; // what would let it go on
    uint64_t since;    // cycle
    // Who changed last what it waits for; empty if nobody has, or nobody keeps it.
    char changed[100]; // "thread 2's SEMGET, instruction 33"
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
tsr_status tsr_view_core(const tsr_tile *tile, tsr_core core, tsr_core_state *out);

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

// ---------------------------------------------------------------- what happened, and what is there

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

// Dst as stored: 1024 rows of 16 datums of 16 bits (Dst.md). Masks have a bit for each column.
typedef struct tsr_dst_row {
    uint16_t bits[16];
    bool valid;
    uint16_t written, tainted;
} tsr_dst_row;
tsr_status tsr_view_dst(const tsr_tile *tile, int row, tsr_dst_row *out);

// Dst as instructions address it now, in the order of rows that the configuration selects: 512 rows
// of 32-bit datums (`wide`; the high half of the stored bits on top) or 1024 of 16-bit ones, 512 if
// those are halves of 32-bit rows.
typedef struct tsr_dst_datums {
    int stored; // the row of tsr_view_dst() that has the datums, or their high halves
    uint32_t bits[16];
    bool valid;
    uint16_t written, tainted;
} tsr_dst_datums;
tsr_status tsr_view_dst_datums(const tsr_tile *tile, bool wide, int row, tsr_dst_datums *out);

// SrcA (which = 0) or SrcB (1), bank 0..1, row 0..63 (SrcASrcB.md). Datums are 19 bits, with the
// fields in the order sign, exponent (8), mantissa (10), as the top of an FP32.
typedef struct tsr_src_row {
    uint32_t datum[16];
    uint16_t written, tainted;
} tsr_src_row;
tsr_status tsr_view_src(const tsr_tile *tile, int which, int bank, int row, tsr_src_row *out);

typedef struct tsr_src_banks {
    bool matrix_owns[2]; // by bank
    uint8_t unpacker_bank, matrix_bank;
    uint8_t implied_format[2];
} tsr_src_banks;
tsr_status tsr_view_src_banks(const tsr_tile *tile, int which, tsr_src_banks *out);

// Who wrote a row last, any of its columns: of Dst as tsr_view_dst() counts rows, of SrcA or SrcB
// as tsr_view_src(). That ZEROACC makes a row of Dst invalid is not a write.
typedef struct tsr_row_writer {
    bool known;        // false: nobody since reset, or the tile was made without watch_config
    int thread;        // of the instruction; -1: a core's store
    int core;          // tsr_core, or -1
    uint64_t sequence; // of the thread's instructions, from 1
    uint32_t word;     // the instruction
} tsr_row_writer;
tsr_status tsr_view_dst_writer(const tsr_tile *tile, int row, tsr_row_writer *out);
tsr_status tsr_view_src_writer(const tsr_tile *tile, int which, int bank, int row,
                               tsr_row_writer *out);

// A configuration field's value. `instance` is the thread for thread scope, the bank for banked
// scope, and ignored for unbanked ones. `written` may be NULL.
tsr_status tsr_view_field(const tsr_tile *tile, const char *name, int instance, uint32_t *value,
                          bool *written);

// Who wrote a field last; of the 128 bits of a whole TileDescriptor, any of them.
typedef struct tsr_field_writer {
    bool known;        // false: nobody since reset, or the tile was made without watch_config
    int thread;        // of the instruction, or of the access made for it; -1: a core's store
    int core;          // tsr_core, or -1
    uint64_t sequence; // of the thread's instructions, from 1; 0 if it was none
    uint32_t word;     // the instruction
    uint64_t cycle;
} tsr_field_writer;
// `instance` as above. TSR_NOT_FOUND if this chip has no such field.
tsr_status tsr_view_field_writer(const tsr_tile *tile, const char *name, int instance,
                                 tsr_field_writer *out);

// Counters of one thread (ADCs.md). agent 0, 1: unpackers, 2: packers.
typedef struct tsr_adc_channel {
    uint32_t x, x_cr, y, y_cr, z, z_cr, w, w_cr;
} tsr_adc_channel;
tsr_status tsr_view_adc(const tsr_tile *tile, int thread, int agent, int channel,
                        tsr_adc_channel *out);

typedef struct tsr_rwc { // RWCs.md
    uint16_t dst, dst_cr;
    uint8_t srca, srca_cr, srcb, srcb_cr, fidelity, extra_addr_mod;
} tsr_rwc;
tsr_status tsr_view_rwc(const tsr_tile *tile, int thread, tsr_rwc *out);
tsr_status tsr_view_gpr(const tsr_tile *tile, int thread, int index, uint32_t *value,
                        bool *written);

// The vector unit (LReg.md, VectorUnit.md). LReg 0..16, of which 16 is SFPLOADMACRO's; masks have a
// bit for each lane.
typedef struct tsr_lreg {
    uint32_t value[32];
    uint32_t written, tainted;
} tsr_lreg;
tsr_status tsr_view_lreg(const tsr_tile *tile, int lreg, tsr_lreg *out);
typedef struct tsr_lanes {
    uint32_t enabled;          // LaneEnabled
    uint32_t flags, use_flags; // LaneFlags, UseLaneFlagsForLaneEnable
    // The flag stack: entry 0 is the oldest; `stack_used` has the lanes in which an entry exists.
    uint32_t stack_flags[8], stack_use_flags[8], stack_used[8];
    uint32_t config[8]; // LaneConfig of the lanes of each column
} tsr_lanes;
tsr_status tsr_view_lanes(const tsr_tile *tile, tsr_lanes *out);

// A step of options.schedule: somebody does one thing.
typedef enum tsr_step_kind {
    TSR_STEP_ISSUE = 0,    // the thread issues the instruction
    TSR_STEP_EXECUTE = 1,  // the unit executes it
    TSR_STEP_COMPLETE = 2, // the unit completes it
    TSR_STEP_LOADS = 3,    // loads of the scalar unit reach their GPRs
    TSR_STEP_TDMA = 4      // TDMA-RISC takes a command
} tsr_step_kind;

typedef struct tsr_schedule_step {
    uint64_t count; // of the steps up to now
    // The last one of options.schedule_cut, those of `others` among them.
    bool reached;
    int actor; // who took it: a number from 1
    tsr_step_kind kind;
    int thread;        // of the instruction; -1: there is none
    uint64_t sequence; // 0: words moved on to the gate, no instruction was issued
    uint32_t word;
    // With options.cores: which core pushed it, and the program counter.
    bool pushed;
    int pushed_core; // tsr_core
    uint32_t pushed_pc;
} tsr_schedule_step;

// TSR_NOT_FOUND with TSR_SCHEDULE_CARD.
tsr_status tsr_view_schedule(const tsr_tile *tile, tsr_schedule_step *out);

tsr_status tsr_view_semaphore(const tsr_tile *tile, int index, uint8_t *value, uint8_t *max);

#ifdef __cplusplus
}
#endif
#endif
