// SPDX-License-Identifier: Apache-2.0
// Event records: what a tile reports to its observer.
#ifndef TESSERA_TRACE_H
#define TESSERA_TRACE_H

#include <tessera/tessera.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tsr_event_kind {
    TSR_EVENT_INSTRUCTION =
        0,              // a unit completed an instruction; the cycles of all three stages are known
    TSR_EVENT_WAIT = 1, // a thread waited; `reason` says for what
    // An instruction that an SFPLOADMACRO had scheduled executed in the cycle `executed`: `word` is
    // its template, without the operands that the macro replaces, `sequence` the SFPLOADMACRO's.
    TSR_EVENT_SCHEDULED = 2,
    // Something had no effect (tsr_run_report.refused, .core_refused): an instruction of a thread,
    // or of a core, whose `core` and `pc` it has; `code` is the finding that says why.
    TSR_EVENT_REFUSED = 3,
    // `core` enters soft reset (`word` is 1), or leaves it (0) and begins at `pc`: for those who
    // play the cores themselves, too.
    TSR_EVENT_RESET = 4
} tsr_event_kind;

typedef struct tsr_event {
    tsr_event_kind kind;
    int thread;        // 0..2; -1: of a core
    tsr_unit unit;     // of the instruction; TSR_UNIT_COUNT for one that the frontend keeps
    tsr_reason reason; // TSR_EVENT_WAIT only
    int sub_unit;      // of the vector unit (tsr_sub_unit_name()); -1 for the others
    uint32_t word;     // of a core's instruction as RISC-V has it
    uint64_t sequence; // of the instruction in its thread, from 1; 0: of a core
    uint64_t accepted, executed, completed; // cycles; for a wait: begin, begin, end
    int core;                               // tsr_core; -1: of a thread
    uint32_t pc;
    const char *code; // static storage; "": there is no finding, as with all other kinds
} tsr_event;

// Called during tsr_run and tsr_step, in the order in which things complete. The event is valid
// only during the call. The callback must not call into the tile, but for
// tsr_diagnostic_count() and tsr_diagnostic_at().
typedef void tsr_observer(void *user, const tsr_event *event);

// `observer` NULL: nobody is called any more. `user` is handed on and may be NULL. Nothing happens
// if `tile` is NULL.
void tsr_tile_observe(tsr_tile *tile, tsr_observer *observer, void *user);

#ifdef __cplusplus
}
#endif
#endif
