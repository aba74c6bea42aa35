// SPDX-License-Identifier: Apache-2.0
// Tessera: findings, what a program did that a page forbids or leaves open, and the policy that
// says what follows (docs/findings.md). <tessera/tessera.h> has all of it.
#ifndef TESSERA_DIAGNOSTICS_H
#define TESSERA_DIAGNOSTICS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

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
// What a tile with that profile does about findings of a category, unless it is told otherwise.
// TSR_ACTION_RECORD for a profile or a category that is none.
tsr_action tsr_profile_action(tsr_profile profile, tsr_category category);
int tsr_finding_count(void);
const tsr_finding_info *tsr_finding_at(int index);          // NULL outside 0 .. count-1
const tsr_finding_info *tsr_finding_find(const char *code); // NULL if unknown or NULL

#ifdef __cplusplus
}
#endif
#endif
