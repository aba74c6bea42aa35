// SPDX-License-Identifier: Apache-2.0
// Rounds of threads 0 and 1 (bank_turns.c) that went one way before, once more: the steps that were
// noted then are taken one after the other, each if its own unit finds all as it was. Which words
// are issued, which wait and for what follows from where the rounds began and from the steps, so
// none of that is worked out again. At the first step that is otherwise the rounds end, as they do
// anywhere: threads and units stand where they stood before it.
// Pages: MOPExpander.md, SrcASrcB.md, UNPACR_Regular.md.
#include "frontend/bank_again.h"

#include "matrix/matrix_block.h"
#include "unpack/unpack_nop_execute.h"

#include <string.h>

// ---------------------------------------------------------------- what is kept

static inline bool is_from(const struct tsr_kept_rounds *kept, const struct tsr_rounds_from *from)
{
    return kept->steps > 0 && memcmp(&kept->from, from, sizeof *from) == 0;
}

struct tsr_kept_rounds *tsr_bank_rounds_find(struct tsr_bank_rounds *rounds,
                                             const struct tsr_rounds_from *from)
{
    uint8_t *after = &rounds->after[rounds->latest];
    if (is_from(&rounds->kept[*after], from)) {
        rounds->latest = *after;
        return &rounds->kept[*after];
    }
    for (unsigned i = 0; i < TSR_KEPT_ROUNDS; i++)
        if (is_from(&rounds->kept[i], from)) {
            rounds->latest = *after = (uint8_t)i;
            return &rounds->kept[i];
        }
    return NULL;
}

struct tsr_kept_rounds *tsr_bank_rounds_begin(struct tsr_bank_rounds *rounds,
                                              const struct tsr_rounds_from *from)
{
    struct tsr_kept_rounds *noted = &rounds->kept[rounds->next];
    for (unsigned i = 0; i < TSR_KEPT_ROUNDS; i++)
        if (is_from(&rounds->kept[i], from))
            noted = &rounds->kept[i]; // they go otherwise now
    noted->from = *from;
    noted->steps = 0;
    return noted;
}

void tsr_bank_rounds_end(struct tsr_bank_rounds *rounds, struct tsr_kept_rounds *noted, bool kept)
{
    uint8_t place = (uint8_t)(noted - rounds->kept);
    if (!kept || noted->steps > TSR_ROUND_STEPS)
        noted->steps = 0;
    if (noted->steps == 0)
        return;
    if (place == rounds->next)
        rounds->next = (uint8_t)((place + 1) % TSR_KEPT_ROUNDS);
    rounds->after[rounds->latest] = place;
    rounds->latest = place;
}

// ---------------------------------------------------------------- its steps

struct again {
    struct tsr_engine *engine;
    struct leader *leader;
    struct follower *follower;
    const struct tsr_unpack_plan *plan[2];
    const struct tsr_unpack_step *unpack[TSR_MOP_EXPANSION]; // of the words that are UNPACRs
    bool executed[2];  // the unpacker has executed words of the MOP
    bool part;         // the step that was not taken as it was has executed something all the same
    unsigned began_at; // where thread 0 stood
};

// Finds what each UNPACR does that thread 0 will issue, from its counters now on. False: of one of
// them it is not known.
static bool find_unpacks(struct again *again, const struct tsr_kept_rounds *kept)
{
    const struct leader *leader = again->leader;
    struct tsr_env *env = &again->engine->env;
    const tsr_adc_channel *counters[2];
    for (unsigned i = 0; i < 2; i++) {
        again->plan[i] = NULL;
        counters[i] = env->state->adcs.channel[0][i];
    }
    for (unsigned at = leader->at; at < kept->leader_at; at++) {
        const unsigned lane = leader->expansion->lane[at], unpacker = is_b(lane);
        struct tsr_unpack_plan *plan;
        if (lane & LANE_NOP)
            continue;
        const struct tsr_unpack_step *step =
            tsr_unpack_known_step(env, origin_at(leader, at), counters[unpacker], &plan);
        if (!step || (again->plan[unpacker] && again->plan[unpacker] != plan))
            return false;
        again->unpack[at] = step;
        again->plan[unpacker] = plan;
        counters[unpacker] = step->to;
    }
    return true;
}

static inline bool take_unpacker_word(struct again *again, const struct tsr_round_step *step)
{
    struct tsr_env *env = &again->engine->env;
    const struct tsr_origin by = origin_at(again->leader, step->value);
    const unsigned unpacker = is_b(again->leader->expansion->lane[step->value]);
    if (step->kind == TSR_STEP_NOP
            ? tsr_unpack_nop_now(env, by) != TSR_UNPACK_DONE
            : !tsr_unpack_take_step(env, by, again->plan[unpacker], again->unpack[step->value]))
        return false;
    again->leader->waiting[unpacker].done++;
    again->executed[unpacker] = true;
    return true;
}

static inline bool take_queue(struct again *again, const struct tsr_round_step *step)
{
    struct tsr_engine *engine = again->engine;
    again->part = false;
    return tsr_bank_run_queue(engine, &again->leader->waiting[step->value], step->value,
                              &again->part) &&
           engine->env.state->queues.of[unit_of(step->value)].count == step->count;
}

static inline bool take_matrix_words(struct again *again, const struct tsr_round_step *step)
{
    struct follower *follower = again->follower;
    const struct tsr_matrix_ran ran = {step->value, step->count, step->made};
    unsigned done =
        tsr_matrix_run_again(&again->engine->env, 1, &ran, follower->expansion->word[follower->at]);
    follower_executed(again->engine, follower, done);
    again->part = done > 0;
    return done == step->count;
}

static inline bool take_mop(struct again *again, const struct tsr_round_step *step)
{
    const struct follower *follower = again->follower;
    again->part = true;
    return tsr_bank_next_mop(again->engine, again->follower) == (step->value != 0) &&
           (step->value == 0 || (follower->expansion->made == step->made && follower->at == 0));
}

static inline bool take(struct again *again, const struct tsr_round_step *step)
{
    switch ((enum tsr_round_step_kind)step->kind) {
    case TSR_STEP_UNPACK:
    case TSR_STEP_NOP:
        return take_unpacker_word(again, step);
    case TSR_STEP_QUEUE:
        return take_queue(again, step);
    case TSR_STEP_MATRIX:
        return take_matrix_words(again, step);
    default:
        return take_mop(again, step);
    }
}

// ---------------------------------------------------------------- where they end

// Puts thread 0 before word `at` of its MOP, where of each unpacker's words before it the last
// `ahead` ones are ahead.
static void stand(struct leader *leader, unsigned at, const uint8_t ahead[2])
{
    unsigned missing[2] = {ahead[0], ahead[1]};
    for (unsigned i = 0; i < 2; i++) {
        leader->waiting[i].first = 0;
        leader->waiting[i].count = ahead[i];
    }
    for (unsigned word = at; (missing[0] | missing[1]) != 0;) {
        unsigned unpacker = is_b(leader->expansion->lane[--word]);
        if (missing[unpacker] > 0)
            leader->waiting[unpacker].at[--missing[unpacker]] = (uint8_t)word;
    }
    leader->at = at;
    leader->stepped = false;
}

static void note_wait(struct again *again, unsigned unpacker, tsr_reason reason)
{
    tsr_queue_note_wait(&again->engine->env.state->queues.of[unit_of(unpacker)], reason,
                        again->engine->env.state->now);
}

// What holds the threads: thread 0 a full queue, or nothing; thread 1 the reason.
static void hold(struct again *again, bool full, uint8_t reason)
{
    struct follower *follower = again->follower;
    again->leader->full = full;
    follower->reason = (tsr_reason)reason;
    if (follower->reason != TSR_REASON_NONE)
        follower->word = follower->expansion->word[follower->at];
}

static void end_as_kept(struct again *again, const struct tsr_kept_rounds *kept)
{
    struct tsr_state *state = again->engine->env.state;
    stand(again->leader, kept->leader_at, kept->ahead);
    hold(again, kept->full, kept->follower_reason);
    for (unsigned i = 0; i < 2; i++)
        if (kept->noted[i]) { // perhaps the same again by way of another
            state->queues.of[unit_of(i)].reason = kept->wait_reason[i];
            state->queues.of[unit_of(i)].waits_since = state->now;
        }
    again->engine->env.deferred = kept->deferred;
}

// The rounds end before this step, which was not taken, or not as it was then: threads and units
// are told where they stood before it. `first`: none was before it.
static __attribute__((noinline)) enum tsr_turns_end end_before(struct again *again,
                                                               const struct tsr_round_step *step,
                                                               bool first, struct tsr_turns *turns)
{
    const bool by_thread1 = step->kind == TSR_STEP_MOP || step->kind == TSR_STEP_MATRIX;
    // Words of this unpacker have gone since it waited.
    const unsigned gone_on =
        step->goes_on ? is_b(again->leader->expansion->lane[step->value]) : TSR_AHEAD;
    stand(again->leader, step->leader_at, step->ahead);
    hold(again, step->full, by_thread1 ? TSR_REASON_NONE : step->reason);
    for (unsigned i = 0; i < 2; i++) {
        const struct waiting *waiting = &again->leader->waiting[i];
        if (again->executed[i])
            note_wait(again, i, TSR_REASON_NONE);
        if (waiting->count > 0 && !waiting->queued && i != gone_on)
            note_wait(again, i, tsr_bank_reason(unit_of(i)));
    }
    again->engine->env.deferred = false;
    turns->moved = !first || again->part || again->leader->at > again->began_at;
    turns->thread_moved = step->moved || (by_thread1 && again->part);
    if (by_thread1)
        return TSR_TURNS_AT_THREAD1;
    return step->leads ? TSR_TURNS_AT_THREAD0 : TSR_TURNS_AT_UNITS;
}

bool tsr_bank_rounds_again(struct tsr_engine *engine, struct tsr_kept_rounds *kept,
                           struct leader *leader, struct follower *follower,
                           struct tsr_turns *turns, enum tsr_turns_end *end)
{
    const struct tsr_round_step *step = kept->step, *const last = step + kept->steps;
    struct again again;
    again.engine = engine;
    again.leader = leader;
    again.follower = follower;
    again.executed[0] = again.executed[1] = again.part = false;
    again.began_at = leader->at;
    if (!find_unpacks(&again, kept))
        return false;
    for (; step < last; step++, again.part = false)
        if (!take(&again, step)) {
            *end = end_before(&again, step, step == kept->step, turns);
            engine->bank_rounds.ended[step->kind]++;
            if (step->kind != TSR_STEP_MOP) // which depends on what cores have pushed
                kept->steps = 0;
            return true;
        }
    engine->bank_rounds.taken++;
    turns->moved = true;
    turns->thread_moved = kept->thread_moved;
    end_as_kept(&again, kept);
    *end = (enum tsr_turns_end)kept->end;
    return true;
}
