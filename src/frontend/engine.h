// SPDX-License-Identifier: Apache-2.0
// What the frontends and the units' lines share while the tile runs: the environment, the counts
// for the report, who watches, and where to break.
#ifndef TESSERA_FRONTEND_ENGINE_H
#define TESSERA_FRONTEND_ENGINE_H

#include "base/findings.h"
#include "state/unit.h"

#include <tessera/trace.h>

// What becomes of an opcode at the gate, found once a tile.
struct tsr_route {
    const struct tsr_unit_ops *ops; // NULL: nothing that simply goes to a unit
    uint32_t reserved;              // bits that no operand owns
    uint8_t op;                     // enum tsr_op
    uint8_t unit;                   // tsr_unit; of unpackers the first: bit 23 says which
    uint8_t depth, issue_cycles, latency;
    bool serves_each_thread;
    bool expands; // an expander keeps it
    bool bypass;  // nothing that it does can touch its own unit (bypass.c)
};

struct tsr_engine {
    struct tsr_env env;
    struct tsr_route route[256];
    tsr_run_report tally;
    tsr_observer *observer;
    void *observer_user;
    int break_thread; // -1: none
    uint64_t break_sequence;
    uint64_t break_cycle; // the clock does not jump over it; 0: none
    uint8_t round_robin;  // the thread that is asked first
    bool bypass;          // may be taken at all (bypass.c)
};

// Where a word lies until its unit takes it; only with timing off does it skip the stages between.
enum tsr_word_at { TSR_AT_GATE, TSR_AT_REPLAY, TSR_AT_CORE };

void tsr_routes_fill(struct tsr_route route[256], const struct tsr_isa *isa);
// The unit of a word with that route, which has one.
static inline tsr_unit tsr_route_unit(const struct tsr_route *route, uint32_t word)
{
    return (tsr_unit)(route->unit + (route->unit == TSR_UNIT_UNPACKER0 ? word >> 23 & 1 : 0));
}
// What an expander keeps.
static inline bool tsr_expands(enum tsr_op op)
{
    return op == OP_MOP || op == OP_MOP_CFG || op == OP_REPLAY;
}
// The unit's operations; NULL for a unit that is not there yet.
const struct tsr_unit_ops *tsr_unit_ops_of(tsr_unit unit);
// How many instructions a unit may hold, and whether it executes only one at a time.
unsigned tsr_unit_depth(tsr_unit unit);
bool tsr_unit_serial(tsr_unit unit);

static inline void tsr_take_word(struct tsr_frontend *frontend, enum tsr_word_at at)
{
    if (at == TSR_AT_GATE)
        tsr_fifo_pop(&frontend->before_gate);
    else if (at == TSR_AT_REPLAY)
        tsr_replay_next(&frontend->replay);
    else
        tsr_fifo_pop(&frontend->before_mop);
}

// Each moves what can move at the present cycle and says whether anything did.
bool tsr_expand(struct tsr_engine *engine, int thread);        // words towards the gate
bool tsr_mop_step(struct tsr_engine *engine, int thread);      // at most one word
bool tsr_replay_step(struct tsr_engine *engine, int thread);   // at most one word
bool tsr_gate_evaluate(struct tsr_engine *engine, int thread); // a latched wait
bool tsr_issue(struct tsr_engine *engine, int thread);         // one instruction into a unit
bool tsr_queue_advance(struct tsr_engine *engine, tsr_unit unit);

// True: the word is gone from where it lies, nearly always into its unit.
bool tsr_offer(struct tsr_engine *engine, int thread, uint32_t word, enum tsr_word_at at);
// The observer hears of an instruction that is complete; there is one.
void tsr_queue_observe(struct tsr_engine *engine, const struct tsr_inflight *inst);
// The word waits at the gate, until `retry_at` if only the clock ends the wait (0: an event does).
// Always false.
bool tsr_hold(struct tsr_engine *engine, int thread, tsr_reason reason, uint32_t word,
              uint64_t retry_at);

// The thread's next instruction is the one before which the run shall stop. Runs stop between two
// rounds, so that a run that breaks and goes on is the run without the break, but for one thing:
// with timing off the bypass looks at a MOP when its turn has come, the stages ahead of it.
static inline bool tsr_at_break(const struct tsr_engine *engine, int thread)
{
    const struct tsr_frontend *frontend = &engine->env.state->frontend[thread];
    return thread == engine->break_thread && frontend->before_gate.count > 0 &&
           engine->env.state->now >= frontend->next_issue &&
           frontend->sequence + 1 == engine->break_sequence;
}

// Forgets what the unit has accepted and not completed (a soft reset).
void tsr_queue_abort(struct tsr_env *env, tsr_unit unit);

// What a soft reset that is held makes of an instruction at the gate.
enum tsr_reset_effect { TSR_RESET_PASS, TSR_RESET_HOLD, TSR_RESET_DROP, TSR_RESET_UNBUILT };
enum tsr_reset_effect tsr_reset_gate(const struct tsr_env *env, enum tsr_op op, uint32_t word,
                                     tsr_unit unit);

// Whether the thread's latched wait holds this instruction.
tsr_reason tsr_gate_blocks(const struct tsr_env *env, int thread, enum tsr_op op);
// True while the wait's condition number `bit` says to keep waiting.
bool tsr_condition_holds(const struct tsr_env *env, int thread, unsigned bit);
bool tsr_semaphores_hold(const struct tsr_env *env, const struct tsr_gate_latch *latch);

// Nothing to do for the thread's frontend, and that is noted already.
static inline bool tsr_frontend_quiet(const struct tsr_frontend *frontend)
{
    return (frontend->before_gate.count | frontend->before_replay.count |
            frontend->before_mop.count | frontend->replay.play_left) == 0 &&
           !frontend->mop.active && frontend->reason == TSR_REASON_EMPTY;
}

// The earliest cycle after now at which something is due; UINT64_MAX if nothing is.
uint64_t tsr_next_event(struct tsr_engine *engine);
// Nothing in any FIFO and nothing in flight for the thread.
bool tsr_frontend_drained(const struct tsr_env *env, int thread);
void tsr_note_wait(struct tsr_engine *engine, int thread, tsr_reason reason, uint32_t word);

#endif
