// SPDX-License-Identifier: Apache-2.0
// With timing off: a tile's faces go from the unpackers to the matrix unit through two banks of
// Src, so that threads 0 and 1 stop and go on several times a tile, mostly in the middle of a MOP
// each. There a round is: what waits in the unpackers executes; thread 0 goes on until it finds an
// unpacker's queue full; thread 1 goes on until it waits for a bank. Here such rounds follow each
// other without what others may need in between, and words that would wait in their unpacker are
// accepted without a job, as "ahead": nothing of what happens until they execute changes what they
// have sampled. The first step that is unlike that is left to run_to_block() and bypass.c, and what
// is still ahead comes into its queue before.
// Pages: MOPExpander.md, SrcASrcB.md, UNPACR_Regular.md.
#include "frontend/bank_turns.h"

#include "frontend/issue.h"
#include "frontend/parking.h"
#include "frontend/queues.h"
#include "frontend/rests.h"
#include "frontend/small_words.h"
#include "frontend/word_blocks.h"
#include "unpack/unpack_block.h"
#include "unpack/unpack_nop.h"
#include "unpack/unpack_nop_execute.h"

enum {
    UNPACKERS = 1 << TSR_UNIT_UNPACKER0 | 1 << TSR_UNIT_UNPACKER1,
    MOST_AHEAD = 4 // in an unpacker; a power of 2
};

// What a word of the MOP is: of another kind, or LANE_KNOWN and which unpacker has it.
enum lane { LANE_UNKNOWN, LANE_OTHER, LANE_KNOWN, LANE_B = 4, LANE_NOP = 8 };
enum turn_end { IS_HELD, TAKES_ANOTHER_WAY };

// The words of one unpacker that thread 0 has issued and that have not executed.
struct waiting {
    struct tsr_unpack_ahead ahead[MOST_AHEAD]; // of UNPACRs
    uint8_t at[MOST_AHEAD];                    // which of the MOP's words
    unsigned first, count;
    unsigned room; // for how many there is room behind what is in the queue
    bool queued;   // something is
    unsigned done; // words that have executed without being in the queue
};

// Thread 0, with what its frontend does not say yet.
struct leader {
    struct tsr_frontend *frontend;
    struct tsr_mop_expansion *expansion;
    uint64_t sequence; // of the MOP's first word
    unsigned at;       // of the MOP's words, the next one
    bool full;         // it finds a full queue
    struct waiting waiting[2];
};

// Which instruction of its thread a word is.
static inline struct tsr_origin origin_at(const struct leader *leader, unsigned at)
{
    return (struct tsr_origin){.kind = TSR_ORIGIN_THREAD,
                               .word = leader->expansion->word[at],
                               .sequence = leader->sequence + at};
}

// Thread 1, with what its frontend does not say yet, and what holds it.
struct follower {
    struct tsr_frontend *frontend;
    struct tsr_mop_expansion *expansion;
    unsigned at; // of the MOP's words, the next one
    tsr_reason reason;
    uint32_t word;
};

// ---------------------------------------------------------------- may it be?

// Nothing lies between the thread's MOP and its units, and nothing but these holds its words.
static inline bool stands_in_mop(const struct tsr_engine *engine, int thread)
{
    const struct tsr_frontend *frontend = &engine->env.state->frontend[thread];
    unsigned before = (unsigned)frontend->before_gate.count | frontend->before_replay.count |
                      frontend->replay.play_left | frontend->replay.load_left;
    return before == 0 && frontend->retry_at == 0 &&
           !engine->env.state->sync.latch[thread].latched &&
           tsr_mop_stands(frontend, &engine->expansion[thread]);
}

// Nobody sees single words or rounds, and nothing goes on but unpackers and threads.
static inline bool nobody_looks(const struct tsr_engine *engine)
{
    const struct tsr_env *env = &engine->env;
    const struct tsr_state *state = env->state;
    return !(tsr_words_are_seen(engine) || engine->single_rounds || env->at_rest ||
             state->mover.busy || state->tdma.count > 0 || state->scalar.requests > 0 ||
             (state->queues.active & ~(uint32_t)UNPACKERS) != 0 ||
             (state->debug.soft_reset & TSR_RESET_COPROCESSOR) != 0);
}

// ---------------------------------------------------------------- thread 0

static inline tsr_unit unit_of(unsigned unpacker)
{
    return (tsr_unit)(TSR_UNIT_UNPACKER0 + unpacker);
}
_Static_assert(TSR_UNIT_UNPACKER1 == TSR_UNIT_UNPACKER0 + 1, "of unpacker 1");

static inline void note_wait(struct tsr_engine *engine, unsigned unpacker, tsr_reason reason)
{
    tsr_queue_note_wait(&engine->env.state->queues.of[unit_of(unpacker)], reason,
                        engine->env.state->now);
}

static inline void look_into_queue(const struct tsr_engine *engine, struct waiting *waiting,
                                   unsigned unpacker)
{
    unsigned count = engine->env.state->queues.of[unit_of(unpacker)].count;
    waiting->queued = count > 0;
    waiting->room = tsr_unit_depth(unit_of(unpacker)) - count;
}

// What waits in the unpacker's queue, as far as it can go; there is something. False: it must be
// asked in stages, or the tile has stopped; true: it waits on, or there is nothing more (`*moved`).
static __attribute__((noinline)) bool run_queue(struct tsr_engine *engine, struct waiting *waiting,
                                                unsigned unpacker, bool *moved)
{
    const tsr_unit unit = unit_of(unpacker);
    if (!tsr_queue_waits_on(&engine->env, unit))
        *moved |= tsr_queue_advance(engine, unit);
    if (engine->env.findings->stopped)
        return false;
    look_into_queue(engine, waiting, unpacker);
    return !waiting->queued || tsr_queue_waits_on(&engine->env, unit);
}

// What is ahead, as far as it can go; there is something. False: the next one must be asked in
// stages.
static inline bool run_ahead(struct tsr_engine *engine, const struct leader *leader,
                             struct waiting *waiting, unsigned unpacker, bool *moved)
{
    struct tsr_env *env = &engine->env;
    unsigned first = waiting->first, left = waiting->count;
    enum tsr_unpack_went went = TSR_UNPACK_DONE;
    for (; left > 0; left--, first = (first + 1) % MOST_AHEAD) {
        const unsigned at = waiting->at[first];
        const struct tsr_origin by = origin_at(leader, at);
        went = leader->expansion->lane[at] & LANE_NOP
                   ? tsr_unpack_nop_now(env, by)
                   : tsr_unpack_run_ahead(env, by, &waiting->ahead[first]);
        if (went != TSR_UNPACK_DONE)
            break;
    }
    const unsigned done = waiting->count - left;
    waiting->first = first;
    waiting->count = left;
    waiting->done += done;
    *moved |= done > 0;
    if (went == TSR_UNPACK_WAITS)
        note_wait(engine, unpacker, tsr_bank_reason(unit_of(unpacker)));
    else if (done > 0)
        note_wait(engine, unpacker, TSR_REASON_NONE);
    return went != TSR_UNPACK_ASKS;
}

// What waits in the unpacker, as far as it can go: first what is in its queue, then what is ahead.
// False: the next one must be asked in stages.
static inline bool run_waiting(struct tsr_engine *engine, struct leader *leader, unsigned unpacker,
                               bool *moved)
{
    struct waiting *waiting = &leader->waiting[unpacker];
    if (waiting->queued && !run_queue(engine, waiting, unpacker, moved))
        return false;
    return waiting->queued || waiting->count == 0 ||
           run_ahead(engine, leader, waiting, unpacker, moved);
}

static __attribute__((noinline)) uint8_t find_lane(struct tsr_engine *engine, uint32_t word)
{
    const struct tsr_route *route = &engine->route[word >> 24];
    bool nop = route->op == OP_UNPACR_NOP;
    if (!route->parks || (word & route->reserved) != 0 || route->depth > MOST_AHEAD ||
        (nop && !tsr_unpack_nop_form_of(&engine->env, word)))
        return LANE_OTHER;
    bool b = tsr_route_unit(route, word) == TSR_UNIT_UNPACKER1;
    return (uint8_t)(LANE_KNOWN | (b ? LANE_B : 0) | (nop ? LANE_NOP : 0));
}

// A word of that lane, of whose unpacker nothing waits, executes if it can.
static inline enum tsr_unpack_went begin(struct tsr_engine *engine, struct tsr_origin by,
                                         unsigned lane)
{
    const unsigned unpacker = (lane & LANE_B) != 0;
    enum tsr_unpack_went went = lane & LANE_NOP ? tsr_unpack_nop_now(&engine->env, by)
                                                : tsr_unpack_datums_now(&engine->env, by);
    if (went == TSR_UNPACK_DONE)
        note_wait(engine, unpacker, TSR_REASON_NONE);
    return went;
}

// Until a full queue holds it.
static inline enum turn_end lead(struct tsr_engine *engine, struct leader *leader, bool *moved)
{
    struct tsr_mop_expansion *expansion = leader->expansion;
    const unsigned from = leader->at, count = expansion->count;
    unsigned at = from;
    leader->full = false;
    for (; at < count; at++) {
        unsigned lane = expansion->lane[at];
        if (lane == LANE_UNKNOWN)
            lane = expansion->lane[at] = find_lane(engine, expansion->word[at]);
        if (lane == LANE_OTHER)
            break;
        struct waiting *waiting = &leader->waiting[(lane & LANE_B) != 0];
        if (waiting->count >= waiting->room) {
            leader->full = true;
            break;
        }
        const bool first = waiting->count == 0 && !waiting->queued;
        if (first) {
            enum tsr_unpack_went went = begin(engine, origin_at(leader, at), lane);
            if (went == TSR_UNPACK_ASKS)
                break;
            waiting->done += went == TSR_UNPACK_DONE;
            if (went == TSR_UNPACK_DONE)
                continue;
        }
        const unsigned last = (waiting->first + waiting->count) % MOST_AHEAD;
        if (!(lane & LANE_NOP) &&
            !tsr_unpack_look_ahead(&engine->env, origin_at(leader, at), &waiting->ahead[last]))
            break;
        if (first)
            note_wait(engine, waiting != leader->waiting,
                      waiting == leader->waiting ? TSR_REASON_SRCA : TSR_REASON_SRCB);
        waiting->at[last] = (uint8_t)at;
        waiting->count++;
    }
    leader->at = at;
    *moved |= at > from;
    return leader->full ? IS_HELD : TAKES_ANOTHER_WAY;
}

// The next word that is ahead, in the order of the thread; it is no longer. TSR_MOP_EXPANSION:
// none.
static unsigned take_next(struct leader *leader)
{
    unsigned next = TSR_MOP_EXPANSION;
    struct waiting *in = NULL;
    for (struct waiting *each = leader->waiting; each < leader->waiting + 2; each++)
        if (each->count > 0 && each->at[each->first] < next) {
            next = each->at[each->first];
            in = each;
        }
    if (in) {
        in->first = (in->first + 1) % MOST_AHEAD;
        in->count--;
    }
    return next;
}

// It comes into its queue as accepted: it was when nothing had stopped the tile, and neither waits
// for that nor reports, so that it does, too, behind a finding that has stopped the tile since.
static void enter_queue(struct tsr_engine *engine, const struct leader *leader, unsigned at)
{
    const uint32_t word = leader->expansion->word[at];
    const struct tsr_route *route = &engine->route[word >> 24];
    tsr_unit unit = tsr_route_unit(route, word);
    struct tsr_queue *queue = &engine->env.state->queues.of[unit];
    struct tsr_inflight *inst = tsr_queue_at(queue, queue->count);
    tsr_inflight_begin(inst, word, route->op, 0, unit);
    inst->sequence = leader->sequence + at;
    inst->accepted_at = engine->env.state->now;
    route->ops->accept(&engine->env, inst);
    engine->tally.unit_instructions[unit]++;
    tsr_queue_enter(&engine->env, queue, inst, 0, unit, false);
}

static void count_done(struct tsr_engine *engine, unsigned done, tsr_unit unit)
{
    if (done == 0)
        return;
    engine->tally.unit_instructions[unit] += done;
    engine->in_blocks += done;
    engine->env.touched |= 1u << unit;
}

// UNPACRs that are ahead come again: their counters step back.
static void look_back(struct tsr_engine *engine, const struct leader *leader, unsigned unpacker)
{
    const struct waiting *waiting = &leader->waiting[unpacker];
    for (unsigned i = 0; i < waiting->count; i++) {
        unsigned place = (waiting->first + i) % MOST_AHEAD;
        if (leader->expansion->lane[waiting->at[place]] & LANE_NOP)
            continue;
        tsr_unpack_look_back(&engine->env, unpacker, 0, &waiting->ahead[place]);
        return; // to where they were before all of them
    }
}

// What is ahead comes into its queue, and the frontend says where the thread is.
static void tell(struct tsr_engine *engine, struct leader *leader)
{
    struct tsr_frontend *frontend = leader->frontend;
    unsigned gone = leader->at - leader->expansion->at;
    for (unsigned i = 0; i < 2; i++) {
        look_back(engine, leader, i);
        count_done(engine, leader->waiting[i].done, unit_of(i));
    }
    for (unsigned at; (at = take_next(leader)) < TSR_MOP_EXPANSION;)
        enter_queue(engine, leader, at);
    frontend->sequence += gone;
    if (gone > 0 || (leader->full && frontend->reason != TSR_REASON_UNIT_FULL))
        tsr_lend_nothing(frontend);
    engine->in_turns += gone;
    tsr_words_issued(engine, frontend, 0, TSR_AT_MOP, gone);
    if (leader->full)
        tsr_hold(engine, 0, TSR_REASON_UNIT_FULL, leader->expansion->word[leader->at], 0);
}

// ---------------------------------------------------------------- thread 1

// Words between its MOPs that touch nothing that thread 0 has sampled. True: the next MOP begins.
static bool follow_fifo(struct tsr_engine *engine, struct tsr_frontend *frontend)
{
    struct tsr_fifo *fifo = &frontend->before_mop;
    while (fifo->count > 0) {
        uint32_t word = tsr_fifo_front(fifo);
        const struct tsr_route *route = &engine->route[word >> 24];
        if (route->op == OP_MOP)
            return tsr_mop_begin(&engine->env, 1, &engine->expansion[1]);
        if (!route->small || (route->unit != TSR_UNIT_MATRIX && route->op != OP_SETC16))
            return false;
        const struct tsr_small_word *small = tsr_small_word_of(engine, word);
        if (small->kind != TSR_SMALL_OF_UNIT ||
            !small->run(&engine->env, 1, small, frontend->sequence + 1))
            return false;
        engine->tally.unit_instructions[small->unit]++;
        engine->in_blocks++;
        frontend->sequence++;
        tsr_words_issued(engine, frontend, 1, TSR_AT_CORE, 1);
    }
    return false;
}

// The frontend says where the thread is.
static inline void tell_follower(struct tsr_engine *engine, const struct follower *follower)
{
    unsigned gone = follower->at - follower->expansion->at;
    if (gone > 0)
        tsr_lend_nothing(follower->frontend);
    tsr_words_issued(engine, follower->frontend, 1, TSR_AT_MOP, gone);
}

// Words of the matrix unit that follow each other in the active MOP, as its block. How many.
static inline unsigned follow_block(struct tsr_engine *engine, struct follower *follower,
                                    const uint32_t *words, unsigned left)
{
    const struct tsr_route *route = &engine->route[words[0] >> 24];
    if (!route->blocks || route->unit != TSR_UNIT_MATRIX)
        return 0;
    unsigned alike = tsr_mop_words_alike(engine, 1, words, left);
    if (alike < route->block_least)
        return 0;
    unsigned done = route->ops->run_block(&engine->env, 1, words, alike);
    follower->frontend->sequence += done;
    follower->at += done;
    engine->tally.unit_instructions[TSR_UNIT_MATRIX] += done;
    engine->in_blocks += done;
    return done;
}

// The active MOP's words, up to its end. False: a bank holds the next one (`reason`), or it takes
// another way.
static inline bool follow_mop(struct tsr_engine *engine, struct follower *follower, bool *moved)
{
    const struct tsr_mop_expansion *expansion = follower->expansion;
    while (follower->at < expansion->count) {
        const uint32_t *words = expansion->word + follower->at;
        unsigned left = expansion->count - follower->at;
        unsigned done = follow_block(engine, follower, words, left);
        *moved |= done > 0;
        if (done < left) {
            follower->word = words[done];
            follower->reason = tsr_bank_awaited(engine, 1, follower->word);
        }
        if (done == 0 || follower->reason != TSR_REASON_NONE)
            return false;
    }
    return expansion->count < TSR_MOP_EXPANSION; // else more may follow
}

// Until it waits for a bank.
static inline enum turn_end follow(struct tsr_engine *engine, struct follower *follower,
                                   bool *moved)
{
    follower->reason = TSR_REASON_NONE;
    while (follow_mop(engine, follower, moved)) {
        tell_follower(engine, follower);
        tsr_mop_end(follower->frontend, follower->expansion);
        follower->at = 0;
        *moved = true;
        if (!follow_fifo(engine, follower->frontend))
            break;
        unsigned left;
        (void)tsr_mop_words(&engine->env, follower->frontend, follower->expansion, &left);
        follower->at = follower->expansion->at;
    }
    return follower->reason != TSR_REASON_NONE ? IS_HELD : TAKES_ANOTHER_WAY;
}

// ---------------------------------------------------------------- both

// One round after the other; what waited in the units has executed, or waits on.
static enum tsr_turns_end take_rounds(struct tsr_engine *engine, struct leader *leader,
                                      struct follower *follower, struct tsr_turns *turns)
{
    struct tsr_env *env = &engine->env;
    for (;;) {
        turns->thread_moved = false;
        enum turn_end end = lead(engine, leader, &turns->thread_moved);
        turns->moved |= turns->thread_moved;
        env->deferred = false;
        if (end != IS_HELD)
            return TSR_TURNS_AT_THREAD0;
        turns->thread_moved = false;
        end = follow(engine, follower, &turns->thread_moved);
        turns->moved |= turns->thread_moved;
        if (end != IS_HELD || !turns->thread_moved)
            return TSR_TURNS_AT_THREAD1;
        turns->thread_moved = env->deferred = false;
        if (!run_waiting(engine, leader, 0, &turns->moved) ||
            !run_waiting(engine, leader, 1, &turns->moved))
            return TSR_TURNS_AT_UNITS;
    }
}

bool tsr_bank_turns_follow(const struct tsr_engine *engine)
{
    return nobody_looks(engine) && stands_in_mop(engine, 1);
}

enum tsr_turns_end tsr_take_bank_turns(struct tsr_engine *engine, struct tsr_turns *turns)
{
    struct tsr_state *state = engine->env.state;
    struct follower follower = {&state->frontend[1], &engine->expansion[1], engine->expansion[1].at,
                                TSR_REASON_NONE, 0};
    struct leader leader;
    *turns = (struct tsr_turns){0};
    if (!nobody_looks(engine) || !stands_in_mop(engine, 0) || !stands_in_mop(engine, 1))
        return TSR_TURNS_AT_UNITS;
    for (unsigned i = 0; i < 2; i++) {
        leader.waiting[i].first = leader.waiting[i].count = leader.waiting[i].done = 0;
        look_into_queue(engine, &leader.waiting[i], i);
    }
    if (!run_waiting(engine, &leader, 0, &turns->moved) ||
        !run_waiting(engine, &leader, 1, &turns->moved))
        return engine->env.findings->stopped ? TSR_TURNS_STOPPED : TSR_TURNS_AT_UNITS;
    leader.frontend = &state->frontend[0];
    leader.expansion = &engine->expansion[0];
    leader.at = leader.expansion->at;
    leader.sequence = leader.frontend->sequence + 1 - leader.at;
    leader.full = false;
    enum tsr_turns_end end = take_rounds(engine, &leader, &follower, turns);
    tell(engine, &leader);
    tell_follower(engine, &follower);
    if (end != TSR_TURNS_AT_THREAD1 && follower.reason != TSR_REASON_NONE)
        tsr_hold(engine, 1, follower.reason, follower.word, 0);
    return engine->env.findings->stopped ? TSR_TURNS_STOPPED : end;
}
