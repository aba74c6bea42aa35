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

#include "frontend/bank_again.h"
#include "frontend/expand.h"
#include "frontend/issue.h"
#include "frontend/small_words.h"
#include "frontend/word_blocks.h"
#include "matrix/matrix_block.h"
#include "unpack/unpack_nop.h"
#include "unpack/unpack_nop_execute.h"

enum { UNPACKERS = 1 << TSR_UNIT_UNPACKER0 | 1 << TSR_UNIT_UNPACKER1 };

enum turn_end { IS_HELD, TAKES_ANOTHER_WAY };

// ---------------------------------------------------------------- may such rounds be taken?

// Nothing lies between the thread's MOP and the units, and nothing but units can hold its words.
static inline bool stands_in_mop(const struct tsr_engine *engine, int thread)
{
    const struct tsr_frontend *frontend = &engine->env.state->frontend[thread];
    return tsr_mop_is_next_at_gate(frontend) && frontend->retry_at == 0 &&
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

// What the unpacker waits for from now on, TSR_REASON_NONE if it goes on; and whether that is
// another reason than before.
static inline void note_wait(struct tsr_engine *engine, struct waiting *waiting, unsigned unpacker,
                             tsr_reason reason)
{
    struct tsr_queue *queue = &engine->env.state->queues.of[unit_of(unpacker)];
    waiting->noted |= queue->reason != reason;
    tsr_queue_note_wait(queue, reason, engine->env.state->now);
}

static inline struct tsr_round_step *note_word(const struct leader *leader, unsigned at,
                                               unsigned leader_at, bool moved)
{
    bool nop = leader->expansion->lane[at] & LANE_NOP;
    return note_step(leader, nop ? TSR_STEP_NOP : TSR_STEP_UNPACK, at, leader_at, moved);
}

// Executes the words that are ahead in the unpacker, one at least, as far as they can go. False:
// the next one has to take its stages. `goes_on`: what was in the queue has just executed.
static inline bool run_ahead(struct tsr_engine *engine, const struct leader *leader,
                             struct waiting *waiting, unsigned unpacker, bool goes_on, bool *moved)
{
    struct tsr_env *env = &engine->env;
    const unsigned before = waiting->count;
    unsigned first = waiting->first;
    enum tsr_unpack_went went = TSR_UNPACK_DONE;
    for (; waiting->count > 0; first = (first + 1) % TSR_AHEAD) {
        const unsigned at = waiting->at[first];
        const struct tsr_origin by = origin_at(leader, at);
        went = leader->expansion->lane[at] & LANE_NOP
                   ? tsr_unpack_nop_now(env, by)
                   : tsr_unpack_run_ahead(env, by, &waiting->ahead[first]);
        if (went != TSR_UNPACK_DONE)
            break;
        note_word(leader, at, leader->at, false)->goes_on = goes_on;
        goes_on = true;
        waiting->count--;
    }
    const unsigned done = before - waiting->count;
    waiting->first = first;
    waiting->done += done;
    *moved |= done > 0;
    if (went == TSR_UNPACK_WAITS)
        note_wait(engine, waiting, unpacker, tsr_bank_reason(unit_of(unpacker)));
    else if (done > 0)
        note_wait(engine, waiting, unpacker, TSR_REASON_NONE);
    return went != TSR_UNPACK_ASKS;
}

// Executes what waits in the unpacker, as far as it can go: first what is in its queue, then what
// is ahead. False: the next one has to take its stages.
static inline bool run_waiting(struct tsr_engine *engine, struct leader *leader, unsigned unpacker,
                               bool *moved)
{
    struct waiting *waiting = &leader->waiting[unpacker];
    const bool queued = waiting->queued;
    if (queued) {
        const unsigned room = waiting->room;
        if (!tsr_bank_run_queue(engine, waiting, unpacker, moved))
            return false;
        if (waiting->room > room)
            note_step(leader, TSR_STEP_QUEUE, unpacker, leader->at, false)->count =
                engine->env.state->queues.of[unit_of(unpacker)].count;
    }
    return waiting->queued || waiting->count == 0 ||
           run_ahead(engine, leader, waiting, unpacker, queued, moved);
}

// Which unpacker's a word of thread 0's MOP is, and of which kind; LANE_OTHER if these rounds do
// not take it.
static __attribute__((noinline)) uint8_t find_lane(struct tsr_engine *engine, uint32_t word)
{
    const struct tsr_route *route = &engine->route[word >> 24];
    bool nop = route->op == OP_UNPACR_NOP;
    if (!route->parks || (word & route->reserved) != 0 || route->depth > TSR_AHEAD ||
        (nop && !tsr_unpack_nop_form_of(&engine->env, word)))
        return LANE_OTHER;
    bool b = tsr_route_unit(route, word) == TSR_UNIT_UNPACKER1;
    return (uint8_t)(LANE_KNOWN | (b ? LANE_B : 0) | (nop ? LANE_NOP : 0));
}

// Executes a word of thread 0's MOP, if it can: nothing waits in its unpacker.
static inline enum tsr_unpack_went begin(struct tsr_engine *engine, struct leader *leader,
                                         unsigned at, unsigned from)
{
    const unsigned lane = leader->expansion->lane[at], unpacker = is_b(lane);
    const struct tsr_origin by = origin_at(leader, at);
    enum tsr_unpack_went went = lane & LANE_NOP ? tsr_unpack_nop_now(&engine->env, by)
                                                : tsr_unpack_datums_now(&engine->env, by);
    if (went == TSR_UNPACK_DONE) {
        note_wait(engine, &leader->waiting[unpacker], unpacker, TSR_REASON_NONE);
        note_word(leader, at, at, at > from)->leads = true;
    }
    return went;
}

// Thread 0's turn: words of its MOP execute, or are ahead behind others, until one finds a full
// queue or takes another way.
static inline enum turn_end lead(struct tsr_engine *engine, struct leader *leader, bool *moved)
{
    struct tsr_mop_expansion *expansion = leader->expansion;
    const unsigned from = leader->at, count = expansion->count;
    unsigned at = from;
    leader->full = leader->unusual = false;
    for (; at < count; at++) {
        unsigned lane = expansion->lane[at];
        if (lane == LANE_UNKNOWN)
            lane = expansion->lane[at] = find_lane(engine, expansion->word[at]);
        if (lane == LANE_OTHER)
            break;
        struct waiting *waiting = &leader->waiting[is_b(lane)];
        if (waiting->count >= waiting->room) {
            leader->full = true;
            break;
        }
        const bool first = waiting->count == 0 && !waiting->queued;
        if (first) {
            enum tsr_unpack_went went = begin(engine, leader, at, from);
            leader->unusual = went == TSR_UNPACK_ASKS;
            if (leader->unusual)
                break;
            waiting->done += went == TSR_UNPACK_DONE;
            if (went == TSR_UNPACK_DONE)
                continue;
        }
        const unsigned last = (waiting->first + waiting->count) % TSR_AHEAD;
        if (!(lane & LANE_NOP) &&
            !tsr_unpack_look_ahead(&engine->env, origin_at(leader, at), &waiting->ahead[last])) {
            leader->unusual = true;
            break;
        }
        if (first)
            note_wait(engine, waiting, is_b(lane), tsr_bank_reason(unit_of(is_b(lane))));
        waiting->at[last] = (uint8_t)at;
        waiting->count++;
    }
    leader->at = at;
    *moved |= at > from;
    return leader->full ? IS_HELD : TAKES_ANOTHER_WAY;
}

// ---------------------------------------------------------------- thread 1

// Notes the sequences that the matrix unit's block of `done` words was made of, a step each.
static inline void note_ran(const struct leader *leader, const struct tsr_matrix_plans *plans,
                            unsigned done, bool moved)
{
    for (unsigned i = 0; i < plans->rans; i++, moved = true) {
        const struct tsr_matrix_ran *ran = &plans->ran[i];
        struct tsr_round_step *step =
            note_step(leader, TSR_STEP_MATRIX, ran->place, leader->at, moved);
        step->count = ran->words;
        step->made = ran->made;
        done -= ran->words;
    }
    if (done > 0) // more than the unit has told: the rounds are not kept
        leader->noted->steps = TSR_ROUND_STEPS + 1;
}

// Executes the matrix unit's words that come next in the active MOP as its block. Returns how many.
static inline unsigned follow_block(struct tsr_engine *engine, const struct leader *leader,
                                    struct follower *follower, const uint32_t *words, unsigned left,
                                    bool moved)
{
    struct tsr_matrix_plans *plans = engine->env.matrix_plans;
    const struct tsr_route *route = &engine->route[words[0] >> 24];
    if (!route->blocks || route->unit != TSR_UNIT_MATRIX)
        return 0;
    unsigned alike = tsr_mop_words_alike(engine, 1, words, left);
    if (alike < route->block_least)
        return 0;
    plans->rans = 0;
    unsigned done = route->ops->run_block(&engine->env, 1, words, alike);
    follower_executed(engine, follower, done);
    note_ran(leader, plans, done, moved);
    return done;
}

// Executes the active MOP's words. True: up to its end; false: a bank holds the next one
// (`reason`), or it takes another way.
static inline bool follow_mop(struct tsr_engine *engine, const struct leader *leader,
                              struct follower *follower, bool *moved)
{
    const struct tsr_mop_expansion *expansion = follower->expansion;
    while (follower->at < expansion->count) {
        const uint32_t *words = expansion->word + follower->at;
        unsigned left = expansion->count - follower->at;
        unsigned done = follow_block(engine, leader, follower, words, left, *moved);
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

// Thread 1's turn: its MOPs and what lies between them, until a word waits for a bank or takes
// another way.
static inline enum turn_end follow(struct tsr_engine *engine, const struct leader *leader,
                                   struct follower *follower, bool *moved)
{
    follower->reason = TSR_REASON_NONE;
    while (follow_mop(engine, leader, follower, moved)) {
        struct tsr_round_step *step = note_step(leader, TSR_STEP_MOP, 0, leader->at, *moved);
        *moved = true;
        step->value = tsr_bank_next_mop(engine, follower);
        step->made = follower->expansion->made;
        if (!step->value)
            break;
        if (follower->at > 0) // it begins within a MOP, which a step does not say: not kept
            leader->noted->steps = TSR_ROUND_STEPS + 1;
    }
    return follower->reason != TSR_REASON_NONE ? IS_HELD : TAKES_ANOTHER_WAY;
}

// ---------------------------------------------------------------- both

// One round after the other. The first one's units have advanced already.
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
        end = follow(engine, leader, follower, &turns->thread_moved);
        leader->other_waits = follower->reason;
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

// Who owns each bank, and what else decides whether a word can go on.
static uint16_t banks_of(const struct tsr_state *state)
{
    unsigned all = 0;
    for (unsigned side = TSR_SRCA; side <= TSR_SRCB; side++) {
        const struct tsr_src *src = &state->src[side];
        const struct tsr_src_shadow *shadow = state->src_shadow[side];
        all = all << 8 | (unsigned)src->unpacker_bank << 7 | (unsigned)src->matrix_bank << 6;
        for (unsigned bank = 0; bank < 2; bank++)
            all |= (unsigned)(src->bank[bank].matrix_owns << 2 | src->bank[bank].filled << 1 |
                              shadow[bank].lent)
                   << 3 * bank;
    }
    return (uint16_t)all;
}

// A hash of the words in a queue, and of their threads.
static uint32_t words_of(const struct tsr_queue *queue)
{
    uint32_t all = 0;
    for (unsigned i = 0; i < queue->count; i++) {
        const struct tsr_inflight *inst = &queue->inst[(queue->first + i) % TSR_QUEUE_DEPTH];
        all = (all ^ inst->word) * 0x9e3779b1u + inst->thread;
    }
    return all;
}

static struct tsr_rounds_from from_here(const struct tsr_engine *engine)
{
    const struct tsr_mop_expansion *expansion = engine->expansion;
    const struct tsr_queue *queue = &engine->env.state->queues.of[TSR_UNIT_UNPACKER0];
    return (struct tsr_rounds_from){.made = {expansion[0].made, expansion[1].made},
                                    .words = {words_of(&queue[0]), words_of(&queue[1])},
                                    .banks = banks_of(engine->env.state),
                                    .at = {expansion[0].at, expansion[1].at},
                                    .queued = {queue[0].count, queue[1].count},
                                    .reason = {queue[0].reason, queue[1].reason}};
}
_Static_assert(sizeof(struct tsr_rounds_from) == 24, "no gaps, for memcmp()");

// Takes rounds word by word, and notes their steps, to be taken again.
static enum tsr_turns_end take_new_rounds(struct tsr_engine *engine,
                                          const struct tsr_rounds_from *from, struct leader *leader,
                                          struct follower *follower, struct tsr_turns *turns)
{
    struct tsr_bank_rounds *rounds = &engine->bank_rounds;
    struct tsr_kept_rounds *noted = leader->noted = tsr_bank_rounds_begin(rounds, from);
    enum tsr_turns_end end = TSR_TURNS_AT_UNITS;
    if (run_waiting(engine, leader, 0, &turns->moved) &&
        run_waiting(engine, leader, 1, &turns->moved))
        end = take_rounds(engine, leader, follower, turns);
    noted->end = (uint8_t)end;
    noted->leader_at = (uint8_t)leader->at;
    noted->full = leader->full;
    noted->deferred = engine->env.deferred;
    noted->thread_moved = turns->thread_moved;
    noted->follower_reason = (uint8_t)follower->reason;
    for (unsigned i = 0; i < 2; i++) {
        noted->ahead[i] = (uint8_t)leader->waiting[i].count;
        noted->noted[i] = leader->waiting[i].noted;
        noted->wait_reason[i] = engine->env.state->queues.of[unit_of(i)].reason;
    }
    tsr_bank_rounds_end(rounds, noted,
                        end != TSR_TURNS_AT_UNITS && !leader->unusual &&
                            !engine->env.findings->stopped);
    return end;
}

enum tsr_turns_end tsr_take_bank_turns(struct tsr_engine *engine, struct tsr_turns *turns)
{
    struct tsr_state *state = engine->env.state;
    struct follower follower = {&state->frontend[1], &engine->expansion[1], engine->expansion[1].at,
                                TSR_REASON_NONE, 0};
    struct leader leader;
    enum tsr_turns_end end;
    *turns = (struct tsr_turns){0};
    if (!nobody_looks(engine) || !stands_in_mop(engine, 0) || !stands_in_mop(engine, 1))
        return TSR_TURNS_AT_UNITS;
    tsr_bank_begin(engine, &leader);
    const struct tsr_rounds_from from = from_here(engine);
    struct tsr_kept_rounds *kept = tsr_bank_rounds_find(&engine->bank_rounds, &from);
    if (!kept || !tsr_bank_rounds_again(engine, kept, &leader, &follower, turns, &end))
        end = take_new_rounds(engine, &from, &leader, &follower, turns);
    tsr_bank_tell(engine, &leader);
    tsr_bank_tell_follower(engine, &follower);
    if (end != TSR_TURNS_AT_THREAD1 && follower.reason != TSR_REASON_NONE)
        tsr_hold(engine, 1, follower.reason, follower.word, 0);
    return engine->env.findings->stopped ? TSR_TURNS_STOPPED : end;
}
