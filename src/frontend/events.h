// SPDX-License-Identifier: Apache-2.0
// What the run report counts and an observer sees of waits and of instructions (events.c).
#ifndef TESSERA_FRONTEND_EVENTS_H
#define TESSERA_FRONTEND_EVENTS_H

#include "frontend/engine.h"

// What the thread waits for now counts in the report up to now.
void tsr_add_waited(const struct tsr_engine *engine, int thread, tsr_run_report *report);
// What the thread has waited for ends: it is counted, and the observer sees it.
void tsr_end_wait(struct tsr_engine *engine, int thread);
// With timing on: it has nothing to issue, and has gone on until now. Returns since when.
uint64_t tsr_note_empty(struct tsr_engine *engine, int thread);
// The thread's gate waits for `reason` with `word` from now on; with TSR_REASON_NONE it goes on.
static inline void tsr_note_wait(struct tsr_engine *engine, int thread, tsr_reason reason,
                                 uint32_t word)
{
    struct tsr_frontend *frontend = &engine->env.state->frontend[thread];
    uint64_t now = engine->env.state->now;
    if (frontend->reason == reason)
        return;
    if (reason == TSR_REASON_EMPTY && frontend->reason == TSR_REASON_NONE && engine->env.timing)
        now = tsr_note_empty(engine, thread);
    else if (now != frontend->waits_since)
        tsr_end_wait(engine, thread);
    frontend->reason = (uint8_t)reason;
    frontend->waits_since = now;
    frontend->waits_word = word;
}
// Reports an instruction that is complete to the observer; there is one.
void tsr_queue_observe(struct tsr_engine *engine, const struct tsr_inflight *inst);
// The same of one that SFPLOADMACRO had scheduled, in its cycle; `user` is the engine.
void tsr_scheduled_observe(void *user, const struct tsr_inflight *inst, unsigned sub_unit,
                           uint64_t cycle);

// The thread's instruction, the last of its sequence, has no effect. `code` of a finding, or "".
void tsr_note_refused(struct tsr_engine *engine, int thread, uint32_t word, tsr_unit unit,
                      const char *code);
// The same of a core's instruction at `pc`, as RISC-V has it.
void tsr_note_core_refused(struct tsr_engine *engine, int core, uint32_t pc, uint32_t word,
                           const char *code);

// A core enters or leaves soft reset; `user` is the engine, and there is an observer.
void tsr_reset_observe(void *user, unsigned core, bool held, uint32_t pc);

#endif
