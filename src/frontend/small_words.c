// SPDX-License-Identifier: Apache-2.0
// With timing off: "small" words, which are NOPs and instructions that one call executes
// (tsr_route.small), execute where they lie, one after the other, without gate and stages. A core's
// loop that pushes nothing else to an idle thread never leaves this file. At the first other word
// bypass.c takes over.
// Page: BabyRISCV/PushTensixInstruction.md.
#include "frontend/small_words.h"

#include "base/bits.h"
#include "frontend/stages.h"
#include "frontend/wait_gate.h"

void tsr_small_word_decode(const struct tsr_engine *engine, uint32_t word,
                           struct tsr_small_word *small)
{
    const struct tsr_route *route = &engine->route[word >> 24];
    *small = (struct tsr_small_word){.word = word, .unit = route->unit};
    if (!route->small || (word & route->reserved) != 0)
        return;
    if (!route->ops) {
        small->kind = TSR_SMALL_NOP;
        return;
    }
    route->ops->decode_small(&engine->env, (enum tsr_op)route->op, small);
    small->kind = small->run ? TSR_SMALL_OF_UNIT : TSR_SMALL_NOT;
}

// Nobody sees single words, and nothing lies between the FIFOs and the units.
static inline bool may_skip_gate(const struct tsr_engine *engine,
                                 const struct tsr_frontend *frontend, int thread)
{
    const struct tsr_state *state = engine->env.state;
    bool idle = frontend->reason == TSR_REASON_EMPTY && frontend->before_gate.count == 0 &&
                (frontend->replay.play_left | frontend->replay.load_left) == 0 &&
                !frontend->mop.active;
    bool seen = tsr_words_are_seen(engine) || thread == engine->break_thread;
    return idle && !seen && !state->mover.busy && state->tdma.count == 0 &&
           state->scalar.requests == 0 && (state->queues.active >> TSR_UNIT_SCALAR & 1) == 0 &&
           (state->debug.soft_reset & TSR_RESET_COPROCESSOR) == 0;
}

// How many of the words are the same as the first one.
static __attribute__((noinline)) unsigned words_like_first(const uint32_t *words, unsigned count)
{
    const uint32_t first = words[0];
    unsigned n = 0;
    while (n + 4 <= count && ((words[n] ^ first) | (words[n + 1] ^ first) | (words[n + 2] ^ first) |
                              (words[n + 3] ^ first)) == 0)
        n += 4;
    while (n < count && words[n] == first)
        n++;
    return n;
}

// Executes the words that come first and are small, up to a wait that is not met, and counts the
// NOPs among them. `tags`: of words in a FIFO, kept with who pushed them; else NULL.
TSR_INLINE unsigned run_words(struct tsr_engine *engine, int thread, const uint32_t *words,
                              const uint64_t *tags, unsigned count, unsigned *nops)
{
    struct tsr_env *env = &engine->env;
    const struct tsr_gate_latch *latch = &env->state->sync.latch[thread];
    const uint32_t active = env->state->queues.active; // into which none of them comes
    const uint32_t *word = words, *end = words + count;
    uint64_t sequence = env->state->frontend[thread].sequence;
    do {
        const struct tsr_small_word *small = tsr_small_word_of(engine, *word);
        if (small->kind != TSR_SMALL_OF_UNIT) {
            if (small->kind == TSR_SMALL_NOT)
                break;
            unsigned alike = words_like_first(word, (unsigned)(end - word));
            word += alike;
            sequence += alike;
            *nops += alike;
            continue;
        }
        if ((active >> small->unit & 1) != 0 || !small->run(env, thread, small, sequence + 1))
            break;
        engine->tally.unit_instructions[small->unit]++;
        sequence++;
        word++;
        if (latch->latched && !tsr_gate_evaluate(engine, thread))
            break;
    } while (word < end);
    const unsigned done = (unsigned)(word - words);
    env->state->frontend[thread].sequence = sequence;
    if (tags && env->pushes)
        tsr_pushes_keep_tags(env->pushes, thread, tags, sequence - done + 1, done);
    return done;
}

unsigned tsr_run_small(struct tsr_engine *engine, int thread, const uint32_t *words, unsigned count,
                       unsigned *nops)
{
    return run_words(engine, thread, words, NULL, count, nops);
}

unsigned tsr_run_small_some(struct tsr_engine *engine, struct tsr_frontend *frontend, int thread,
                            enum tsr_word_at at, unsigned *nops)
{
    struct tsr_fifo *fifo = at == TSR_AT_B ? &frontend->before_replay : &frontend->before_mop;
    unsigned all = 0, count, done;
    do {
        unsigned to_end = TSR_FIFO_MAX - (unsigned)fifo->first;
        count = fifo->count < to_end ? fifo->count : to_end;
        done = run_words(engine, thread, fifo->word + fifo->first, fifo->tag + fifo->first, count,
                         nops);
        tsr_fifo_drop(fifo, done);
        all += done;
    } while (done == count && fifo->count > 0 && !engine->env.state->sync.latch[thread].latched);
    return all;
}

bool tsr_run_small_words(struct tsr_engine *engine, int thread, bool *moved)
{
    const struct tsr_state *state = engine->env.state;
    struct tsr_frontend *frontend = &engine->env.state->frontend[thread];
    unsigned nops = 0, done = 0;
    *moved = false;
    if (!may_skip_gate(engine, frontend, thread))
        return false;
    tsr_lend_nothing(frontend);
    if (frontend->before_replay.count > 0)
        done = tsr_run_small_row(engine, frontend, thread, TSR_AT_B, &nops);
    if (frontend->before_replay.count == 0 && frontend->before_mop.count > 0 &&
        !state->sync.latch[thread].latched)
        done += tsr_run_small_row(engine, frontend, thread, TSR_AT_CORE, &nops);
    if (done == 0)
        return false;
    *moved = true;
    engine->tally.issued[thread] += done;
    engine->in_blocks += done - nops;
    bool left = (frontend->before_replay.count | frontend->before_mop.count) != 0 ||
                state->sync.latch[thread].latched;
    // It has waited for words up to now, and does so again if there are no more.
    engine->tally.waited[thread][TSR_REASON_EMPTY] += state->now - frontend->waits_since;
    frontend->waits_since = state->now;
    frontend->waits_word = 0;
    frontend->reason = left ? TSR_REASON_NONE : TSR_REASON_EMPTY;
    return !left;
}
