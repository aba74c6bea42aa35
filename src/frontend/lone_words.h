// SPDX-License-Identifier: Apache-2.0
// What a lone thread's rounds work on (lone_thread.c), and the row of its words: as long as they
// pass the expanders as they are, each stays where it lies, and how many of them each FIFO holds is
// a count. Pages: TensixFrontend diagram, MOPExpander.md, REPLAY.md.
#ifndef TESSERA_FRONTEND_LONE_WORDS_H
#define TESSERA_FRONTEND_LONE_WORDS_H

#include "base/bits.h"
#include "frontend/engine.h"
#include "frontend/expand.h"
#include "frontend/mop_expander.h"

#include <string.h>

// What comes next, the oldest word first: what stands at the gate, what the replay expander plays,
// and what lies before the two expanders.
// Tags are asked for when the words go back: those of the last FIFO's words lie there until then.
enum {
    SHORT_WORDS = DEPTH_BEFORE_REPLAY, // mostly no more in a FIFO behind the first expander
    FRONT_WORDS = DEPTH_BEFORE_GATE + TSR_REPLAY_WORDS + DEPTH_BEFORE_REPLAY,
    ROW_WORDS = FRONT_WORDS + TSR_FIFO_MAX
};
_Static_assert((int)SHORT_WORDS >= (int)DEPTH_BEFORE_GATE, "either FIFO is short");
struct row {
    uint32_t word[ROW_WORDS + SHORT_WORDS]; // of them as many to spare as copy_short() may take
    uint64_t tag[FRONT_WORDS + SHORT_WORDS];
    unsigned at, gate, play, middle, cores;
    unsigned front;                 // of the words, those with a tag of their own
    unsigned from_play, from_cores; // of these, when the row was made
    unsigned known; // no expander keeps the words that lay before the expanders up to this place
    unsigned end;
    bool has_kept; // one of those in the middle is an expander's
    bool in_use;
};

struct lone {
    struct tsr_engine *engine;
    struct tsr_state *state;
    struct tsr_frontend *frontend;
    const struct tsr_gate_latch *latch; // the thread's wait
    int thread;
    bool waits;     // something waits in its unit, and goes on after news of other units
    bool unclear;   // something else than a unit's news or time may move now
    bool held;      // the word at the gate
    bool held_on;   // the same, until the lone thread's rounds end, with nothing to do before
    bool steps;     // nobody hears of what happens between two of its words, or looks at it
    uint32_t wants; // of the thread's latched wait
    uint64_t last;  // the run ends in the cycle in which the thread issues its word of that number
    uint64_t due;   // when a unit goes on; UINT64_MAX: not before another instruction comes
    struct row row;
};

static inline void earlier(uint64_t *best, uint64_t at)
{
    *best = at < *best ? at : *best;
}

static inline void earlier_event(uint64_t *best, uint64_t at, uint64_t now)
{
    if (at > now && at < *best)
        *best = at;
}

// The words of a FIFO.
TSR_INLINE unsigned copy_words(struct row *row, unsigned at, const struct tsr_fifo *fifo,
                               unsigned count)
{
    unsigned to_end = TSR_FIFO_MAX - (unsigned)fifo->first;
    unsigned first = count < to_end ? count : to_end;
    memcpy(row->word + at, fifo->word + fifo->first, first * sizeof *fifo->word);
    if (count > first)
        memcpy(row->word + at + first, fifo->word, (count - first) * sizeof *fifo->word);
    return at + count;
}

// Those of a short one, with their tags. Mostly it lies in one piece: then some more go along,
// which costs less than to count.
TSR_INLINE unsigned copy_short(struct row *row, unsigned at, const struct tsr_fifo *fifo,
                               unsigned count)
{
    if (count <= SHORT_WORDS && fifo->first + SHORT_WORDS <= TSR_FIFO_MAX) {
        memcpy(row->word + at, fifo->word + fifo->first, SHORT_WORDS * sizeof *fifo->word);
        memcpy(row->tag + at, fifo->tag + fifo->first, SHORT_WORDS * sizeof *fifo->tag);
        return at + count;
    }
    for (unsigned i = 0, from = fifo->first; i < count; i++, from++) {
        row->word[at + i] = fifo->word[from % TSR_FIFO_MAX];
        row->tag[at + i] = fifo->tag[from % TSR_FIFO_MAX];
    }
    return at + count;
}

// A short one gets the words from there on.
TSR_INLINE void fill_fifo(struct tsr_fifo *fifo, const struct row *row,
                          const struct tsr_fifo *cores, unsigned at, unsigned count)
{
    const unsigned from = (cores->first + at - row->front) % TSR_FIFO_MAX;
    fifo->first = 0;
    fifo->count = (uint8_t)count;
    if (count > SHORT_WORDS)
        memcpy(fifo->word, row->word + at, count * sizeof *fifo->word);
    else
        memcpy(fifo->word, row->word + at, SHORT_WORDS * sizeof *fifo->word);
    if (count <= SHORT_WORDS && at >= row->front && from + SHORT_WORDS <= TSR_FIFO_MAX) {
        memcpy(fifo->tag, cores->tag + from, SHORT_WORDS * sizeof *fifo->tag);
        return;
    }
    for (unsigned i = 0; i < count; i++, at++)
        fifo->tag[i] = at < row->front
                           ? row->tag[at]
                           : cores->tag[(cores->first + at - row->front) % TSR_FIFO_MAX];
}

static inline unsigned copy_replay(struct row *row, unsigned at, const struct tsr_replay *replay)
{
    for (unsigned i = 0; i < replay->play_left; i++) {
        row->word[at + i] = replay->word[(replay->play_index + i) % TSR_REPLAY_WORDS];
        row->tag[at + i] = tsr_replay_tag(replay, i);
    }
    return at + replay->play_left;
}

// Takes the words out of the FIFOs, if no expander makes others of them or keeps them now.
static inline void make_row(struct lone *lone)
{
    const struct tsr_frontend *frontend = lone->frontend;
    const struct tsr_route *route = lone->engine->route;
    struct row *row = &lone->row;
    if (frontend->mop.active || frontend->replay.load_left != 0 ||
        frontend->replay.play_left > TSR_REPLAY_WORDS)
        return;
    row->in_use = true;
    row->at = 0;
    row->gate = frontend->before_gate.count;
    row->play = row->from_play = frontend->replay.play_left;
    row->middle = frontend->before_replay.count;
    row->cores = row->from_cores = frontend->before_mop.count;
    unsigned end = copy_short(row, 0, &frontend->before_gate, row->gate);
    if (row->play > 0)
        end = copy_replay(row, end, &frontend->replay);
    row->known = row->front = copy_short(row, end, &frontend->before_replay, row->middle);
    row->has_kept = false;
    for (; end < row->front; end++)
        row->has_kept |= route[row->word[end] >> 24].expands;
    row->end = copy_words(row, end, &frontend->before_mop, row->cores);
}

// No expander keeps one of the words up to that place, if they are there.
TSR_INLINE bool row_passes(struct lone *lone, unsigned place)
{
    struct row *row = &lone->row;
    unsigned known = row->known;
    if (known >= place)
        return true;
    const struct tsr_route *route = lone->engine->route;
    const unsigned end = place < row->end ? place : row->end;
    while (known < end && !route[row->word[known] >> 24].expands)
        known++;
    row->known = known;
    return known == place;
}

static inline void put_back(struct lone *lone)
{
    struct tsr_frontend *frontend = lone->frontend;
    struct row *row = &lone->row;
    if (!row->in_use)
        return;
    row->in_use = false;
    const struct tsr_fifo *cores = &frontend->before_mop;
    fill_fifo(&frontend->before_gate, row, cores, row->at, row->gate);
    tsr_replay_skip(&frontend->replay, row->from_play - row->play);
    fill_fifo(&frontend->before_replay, row, cores, row->at + row->gate + row->play, row->middle);
    tsr_fifo_drop(&frontend->before_mop, row->from_cores - row->cores);
}

// How many words the thread may issue in this run.
TSR_INLINE uint64_t words_left(const struct lone *lone)
{
    return lone->last - lone->frontend->sequence;
}

TSR_INLINE unsigned words_at_gate(const struct lone *lone)
{
    return lone->row.in_use ? lone->row.gate : lone->frontend->before_gate.count;
}

TSR_INLINE uint32_t word_at_gate(const struct lone *lone)
{
    return lone->row.in_use ? lone->row.word[lone->row.at]
                            : tsr_fifo_front(&lone->frontend->before_gate);
}

TSR_INLINE bool words_before_gate(const struct lone *lone)
{
    const struct row *row = &lone->row;
    const struct tsr_frontend *frontend = lone->frontend;
    if (row->in_use)
        return (row->play | row->middle | row->cores) != 0;
    return (frontend->before_mop.count | frontend->before_replay.count |
            frontend->replay.play_left) != 0 ||
           frontend->mop.active;
}

// The replay expander's step, if it keeps nothing.
TSR_INLINE bool step_to_gate(struct row *row)
{
    if (row->gate >= DEPTH_BEFORE_GATE || (row->play | row->middle) == 0)
        return false;
    if (row->play > 0)
        row->play--;
    else
        row->middle--;
    row->gate++;
    return true;
}

// The MOP expander's step.
TSR_INLINE bool step_from_cores(struct lone *lone)
{
    struct row *row = &lone->row;
    if (row->cores == 0 || lone->state->now < lone->frontend->mop_idle_until)
        return false;
    const struct tsr_route *route =
        &lone->engine->route[row->word[row->at + row->gate + row->play + row->middle] >> 24];
    if (route->expands && route->op != OP_REPLAY) {
        put_back(lone);
        return tsr_mop_step(&lone->engine->env, lone->thread);
    }
    if (row->middle >= DEPTH_BEFORE_REPLAY)
        return false;
    row->has_kept |= route->expands;
    row->cores--;
    row->middle++;
    return true;
}

// The FIFOs hold as much as they can, and go on doing so while `words` words leave the gate, since
// no expander keeps the words behind them.
TSR_INLINE bool row_flows(struct lone *lone, unsigned words)
{
    const struct row *row = &lone->row;
    return row->in_use && row->gate == DEPTH_BEFORE_GATE && row->middle == DEPTH_BEFORE_REPLAY &&
           !row->has_kept && row->play == 0 && lone->state->now >= lone->frontend->mop_idle_until &&
           row_passes(lone, row->at + (DEPTH_BEFORE_GATE + DEPTH_BEFORE_REPLAY) + words + 1);
}

// All of the FIFOs before the expanders hold as much as they can, and neither takes the next word
// for itself.
TSR_INLINE bool row_is_full(const struct lone *lone)
{
    const struct row *row = &lone->row;
    if (!row->in_use || row->has_kept || row->gate < DEPTH_BEFORE_GATE ||
        row->middle < DEPTH_BEFORE_REPLAY)
        return false;
    const unsigned place = row->at + row->gate + row->play + row->middle;
    if (place < row->known || row->cores == 0)
        return true;
    const struct tsr_route *next = &lone->engine->route[row->word[place] >> 24];
    return !next->expands || next->op == OP_REPLAY;
}

TSR_INLINE void note_moved(struct lone *lone)
{
    struct tsr_frontend *frontend = lone->frontend;
    uint64_t now = lone->state->now;
    frontend->next_expand = now + lone->engine->env.isa->rate[RATE_EXPAND_CYCLES];
    if (frontend->next_issue <= now && words_at_gate(lone) > 0)
        frontend->next_issue = now + 1;
}

// Most often one word has left the gate, and there are more than enough behind it.
TSR_INLINE bool step_all(struct lone *lone)
{
    struct row *row = &lone->row;
    if (!row->in_use || row->has_kept || row->play > 0 || row->gate >= DEPTH_BEFORE_GATE ||
        row->middle == 0 || lone->state->now < lone->frontend->mop_idle_until ||
        !row_passes(lone, row->at + row->gate + row->middle + 1))
        return false;
    row->gate++;
    row->cores--;
    note_moved(lone);
    return true;
}

// As tsr_expand(). True: something moved.
TSR_INLINE bool expand(struct lone *lone)
{
    struct row *row = &lone->row;
    if (step_all(lone))
        return true;
    if (!row->in_use)
        make_row(lone);
    if (row->in_use && row->has_kept && row->play == 0 && row->middle > 0 &&
        lone->engine->route[row->word[row->at + row->gate] >> 24].expands)
        put_back(lone);
    if (!row->in_use)
        return tsr_expand(lone->engine, lone->thread);
    bool moved = step_to_gate(row);
    moved |= step_from_cores(lone);
    if (moved)
        note_moved(lone);
    return moved;
}

#endif
