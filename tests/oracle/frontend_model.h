// SPDX-License-Identifier: Apache-2.0
// A second, slow model of the frontends, written from the pages alone and sharing nothing with
// src/: it unrolls what the MOP and replay expanders emit into a list, and judges after the fact
// whether the wait gate let instructions pass only when it may.
// Pages: MOPExpander.md, REPLAY.md, STALLWAIT.md and SEMWAIT.md of each chip, ATGETM.md, ATRELM.md.
#ifndef TESTS_ORACLE_FRONTEND_MODEL_H
#define TESTS_ORACLE_FRONTEND_MODEL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- random numbers

static inline uint32_t model_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 24);
}

static inline uint32_t model_below(uint64_t *state, uint32_t limit)
{
    return model_random(state) % limit;
}

// ---------------------------------------------------------------- expansion

enum { MODEL_WORDS = 1 << 16 };

struct model_list {
    uint32_t word[MODEL_WORDS];
    unsigned count;
    bool overflow;
};

struct model_expander {
    bool blackhole;
    uint32_t mop[9];
    uint32_t mask_high;
    uint32_t replay[32];
    unsigned recording, record_at; // words still to record
    bool record_too;               // record and pass on
    struct model_list out;
};

static inline void model_put(struct model_list *list, uint32_t word)
{
    if (list->count == MODEL_WORDS)
        list->overflow = true;
    else
        list->word[list->count++] = word;
}

static inline bool model_is_nop(uint32_t word)
{
    return word >> 24 == 0x02;
}

static inline void model_replay_in(struct model_expander *m, uint32_t word)
{
    if (m->recording > 0) {
        m->replay[m->record_at % 32] = word;
        m->record_at++;
        m->recording--;
        if (m->record_too)
            model_put(&m->out, word);
        return;
    }
    if (word >> 24 != 0x04) {
        model_put(&m->out, word);
        return;
    }
    unsigned many = word >> 4 & 0x3f, first = word >> 14 & 0x1f;
    if (many == 0)
        many = 32;
    if (word & 1) {
        m->recording = many;
        m->record_at = first;
        m->record_too = word >> 1 & 1;
        return;
    }
    for (unsigned i = 0; i < many; i++)
        model_put(&m->out, m->replay[(first + i) % 32]);
}

static inline void model_template0(struct model_expander *m, uint32_t word)
{
    uint64_t mask = (uint64_t)m->mask_high << 16 | (word & 0xffff);
    int has_b = m->mop[1] & 1, has_three = m->mop[1] >> 1 & 1;
    for (unsigned i = 0; i <= (word >> 16 & 0x7f); i++) {
        bool skip = i < 32 && (mask >> i & 1);
        model_replay_in(m, skip ? m->mop[7] : m->mop[3]);
        for (int k = 4; k <= 6 && has_three && !skip; k++)
            model_replay_in(m, m->mop[k]);
        if (has_b)
            model_replay_in(m, skip ? m->mop[8] : m->mop[2]);
    }
}

static inline void model_template1(struct model_expander *m, uint32_t word)
{
    unsigned limit = m->blackhole ? 1024 : 128;
    unsigned outer = m->mop[0] % limit, inner = m->mop[1] % limit;
    bool two = !model_is_nop(m->mop[6]), start = !model_is_nop(m->mop[2]);
    bool end0 = !model_is_nop(m->mop[3]), end1 = end0 && !model_is_nop(m->mop[4]);
    if (m->blackhole && (word >> 10 & 0x3ff))
        outer = word >> 10 & 0x3ff;
    if (m->blackhole && (word & 0x3ff))
        inner = word & 0x3ff;
    if (!start && inner == 0 && end0) // the hardware's miscount
        outer += !end1 ? 1 : outer == 1 ? limit : 0;
    for (unsigned j = 1; j <= outer; j++) {
        if (start)
            model_replay_in(m, m->mop[2]);
        unsigned rounds = two ? 2 * inner : inner;
        for (unsigned i = 1; i <= rounds; i++) {
            // Even rounds of a loop of two take its second word; the last round is replaced.
            uint32_t body = two && i % 2 == 0 ? m->mop[6] : m->mop[5];
            model_replay_in(m, i < rounds ? body : m->mop[j < outer ? 8 : 7]);
        }
        if (end0)
            model_replay_in(m, m->mop[3]);
        if (end1)
            model_replay_in(m, m->mop[4]);
    }
}

static inline void model_mop_in(struct model_expander *m, uint32_t word)
{
    switch (word >> 24) {
    case 0x03:
        m->mask_high = word & 0xffff;
        break;
    case 0x01:
        if (word >> 23 & 1)
            model_template1(m, word);
        else
            model_template0(m, word);
        break;
    default:
        model_replay_in(m, word);
        break;
    }
}

// ---------------------------------------------------------------- the wait gate

// An instruction that the real frontends let pass, in the order in which that happened.
struct model_step {
    int thread; // -1: a core's write to a semaphore
    uint32_t word;
    uint64_t cycle;
    int semaphore;
    bool get;
};

struct model_wait {
    bool latched;
    bool semaphores; // which kind
    uint32_t conditions, block, chosen;
    uint64_t since;
    bool met;
    uint64_t met_at; // what it holds may pass a cycle later
};

enum { MODEL_STREAM = 64 };

struct model_gate {
    bool blackhole, timing;
    uint32_t stream[3][MODEL_STREAM];
    unsigned length[3], next[3];
    unsigned value[8], max[8];
    int holder[8]; // of mutexes; -1: nobody
    struct model_wait wait[3];
    // SrcA and SrcB: which banks the matrix unit owns, and both pointers.
    bool matrix_owns[2][2];
    unsigned unpack_bank[2], matrix_bank[2];
    // A unit is busy for a thread before this cycle.
    uint64_t scalar_busy[3], matrix_busy[3], config_busy;
    // Owners change a cycle after the instruction: what is still to come.
    struct {
        uint64_t cycle;
        int side, bank;
        bool to_matrix;
    } pending[32];
    unsigned pendings;
    bool alone;     // one thread, so that every cycle is known
    uint64_t floor; // until this cycle words may still be on their way to the gate
    uint64_t last_pass[3], last_sync, last_mutex[8];
    bool passed[3], synced, mutexed[8];
    bool unsure;       // whether something rests: see model_rest
    const char *wrong; // the first thing that must not be
    int wrong_thread;
    uint32_t wrong_word;
};

static inline void model_gate_begin(struct model_gate *g, bool blackhole, bool timing)
{
    memset(g, 0, sizeof *g);
    g->blackhole = blackhole;
    g->timing = timing;
    for (int i = 0; i < 8; i++)
        g->holder[i] = -1;
}

// Bits B0 to B8 that hold an opcode, from the table of STALLWAIT.md.
static inline uint32_t model_block_bits(const struct model_gate *g, uint32_t opcode)
{
    switch (opcode) {
    case 0x5e: // SETADCXX
    case 0x57: // SETDVALID
        return 1 << 0;
    case 0x45: // SETDMAREG
        return 1 << 0 | 1 << 5;
    case 0xa0: // ATGETM, ATRELM, SEMINIT, SEMPOST, SEMGET
    case 0xa1:
    case 0xa3:
    case 0xa4:
    case 0xa5:
        return 1 << 1;
    case 0xa6: // SEMWAIT
        return g->blackhole ? 0x1ff : 1 << 1;
    case 0xa2: // STALLWAIT
        return 0x1ff;
    case 0x37: // SETRWC
    case 0x38: // INCRWC
        return 1 << 6;
    case 0xb2: // SETC16
        return 1 << 7;
    default:
        return 0;
    }
}

static inline bool model_held_by_mask(const struct model_gate *g, uint32_t word, uint32_t mask)
{
    if (model_is_nop(word))
        return mask == 0x1ff;
    return (model_block_bits(g, word >> 24) & mask) != 0;
}

static inline bool model_mutex_exists(const struct model_gate *g, uint32_t index)
{
    return index == 0 || (index >= 2 && index <= (g->blackhole ? 4u : 7u));
}

// One condition of a STALLWAIT says to wait; `at` is the cycle that is looked at.
static inline bool model_condition(const struct model_gate *g, int thread, int bit, uint64_t at)
{
    // Wormhole's number of what Blackhole's bit means; -1: nothing that these streams use.
    static const int meaning[13] = {0, 1, 2, 3, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    int what = g->blackhole ? bit < 13 ? meaning[bit] : -1 : bit;
    switch (what) {
    case 0:
        return g->scalar_busy[thread] > at;
    case 7:
        return g->matrix_busy[thread] > at;
    case 8:
    case 9:
        return g->matrix_owns[what - 8][g->unpack_bank[what - 8]];
    case 10:
    case 11:
        return !g->matrix_owns[what - 10][g->matrix_bank[what - 10]];
    case 15:
        return g->config_busy > at;
    default:
        return false;
    }
}

static inline bool model_keeps_waiting(const struct model_gate *g, int thread, uint64_t at)
{
    const struct model_wait *w = &g->wait[thread];
    for (int i = 0; i < 8 && w->semaphores; i++) {
        if (!(w->chosen >> i & 1))
            continue;
        if ((w->conditions & 1 && g->value[i] == 0) ||
            (w->conditions & 2 && g->value[i] >= g->max[i]))
            return true;
    }
    for (int bit = 0; bit < 15 && !w->semaphores; bit++)
        if ((w->conditions >> bit & 1) && model_condition(g, thread, bit, at))
            return true;
    return false;
}

static inline void model_apply_pending(struct model_gate *g, uint64_t cycle)
{
    for (unsigned i = 0; i < g->pendings;) {
        if (g->pending[i].cycle > cycle) {
            i++;
            continue;
        }
        g->matrix_owns[g->pending[i].side][g->pending[i].bank] = g->pending[i].to_matrix;
        memmove(&g->pending[i], &g->pending[i + 1], (g->pendings - i - 1) * sizeof g->pending[0]);
        g->pendings--;
    }
}

// What the gates see when `cycle` begins: everything that passed in earlier cycles. With timing off
// there are no cycles, and they look after every step.
static inline void model_begin_cycle(struct model_gate *g, uint64_t cycle)
{
    model_apply_pending(g, cycle);
    for (int t = 0; t < 3; t++) {
        struct model_wait *w = &g->wait[t];
        bool looks = w->latched && !w->met && (!g->timing || cycle > w->since);
        if (looks && !model_keeps_waiting(g, t, cycle)) {
            w->met = true;
            w->met_at = cycle;
        }
    }
}

static inline void model_fail(struct model_gate *g, int thread, uint32_t word, const char *what)
{
    if (g->wrong)
        return;
    g->wrong = what;
    g->wrong_thread = thread;
    g->wrong_word = word;
}

// A latched wait and the word after it.
static inline bool model_may_pass(const struct model_gate *g, int thread, uint32_t word,
                                  uint64_t cycle)
{
    const struct model_wait *w = &g->wait[thread];
    if (!w->latched || !model_held_by_mask(g, word, w->block))
        return true;
    return w->met && (!g->timing || cycle > w->met_at);
}

static inline void model_latch(struct model_gate *g, int thread, uint32_t word, uint64_t cycle)
{
    uint32_t block = word >> 15 & 0x1ff;
    struct model_wait *w = &g->wait[thread];
    *w = (struct model_wait){.latched = true, .block = block ? block : 1 << 6, .since = cycle};
    if (word >> 24 == 0xa6) {
        w->semaphores = true;
        w->conditions = word & 3;
        w->chosen = word >> 2 & 0xff;
    } else {
        w->conditions = word & (g->blackhole ? 0x1fff : 0x7fff);
        if (w->conditions == 0)
            w->conditions = g->blackhole ? 0x0f : 0x7f;
    }
}

static inline void model_give(struct model_gate *g, int side, bool to_matrix, uint64_t cycle)
{
    unsigned *pointer = to_matrix ? g->unpack_bank : g->matrix_bank;
    if (g->pendings < 32) {
        g->pending[g->pendings].cycle = cycle + g->timing;
        g->pending[g->pendings].side = side;
        g->pending[g->pendings].bank = (int)pointer[side];
        g->pending[g->pendings].to_matrix = to_matrix;
        g->pendings++;
    }
    pointer[side] ^= 1;
}

static inline void model_semaphores(struct model_gate *g, uint32_t word)
{
    for (int i = 0; i < 8; i++) {
        if (!(word >> (2 + i) & 1))
            continue;
        if (word >> 24 == 0xa3) {
            g->value[i] = word >> 16 & 15;
            g->max[i] = word >> 20 & 15;
        } else if (word >> 24 == 0xa4) {
            g->value[i] += g->value[i] < 15;
        } else {
            g->value[i] -= g->value[i] > 0;
        }
    }
}

static inline void model_mutex(struct model_gate *g, int thread, uint32_t word, uint64_t cycle)
{
    uint32_t index = word & 0xffff;
    if (!model_mutex_exists(g, index)) {
        model_fail(g, thread, word, "a mutex that is not there let pass");
        return;
    }
    if (g->timing && g->mutexed[index] && cycle <= g->last_mutex[index])
        model_fail(g, thread, word, "two accesses to one mutex in a cycle");
    g->mutexed[index] = true;
    g->last_mutex[index] = cycle;
    if (word >> 24 == 0xa1) {
        if (g->holder[index] == thread)
            g->holder[index] = -1;
        return;
    }
    if (g->holder[index] != -1 && g->holder[index] != thread)
        model_fail(g, thread, word, "a mutex taken that another thread holds");
    g->holder[index] = thread;
}

static inline void model_effect(struct model_gate *g, int thread, uint32_t word, uint64_t cycle)
{
    switch (word >> 24) {
    case 0xa2:
    case 0xa6:
        model_latch(g, thread, word, cycle);
        break;
    case 0xa3:
    case 0xa4:
    case 0xa5:
        model_semaphores(g, word);
        break;
    case 0xa0:
    case 0xa1:
        model_mutex(g, thread, word, cycle);
        break;
    case 0x57:
        for (int side = 0; side < 2; side++)
            if (word >> side & 1)
                model_give(g, side, true, cycle);
        break;
    case 0x37:
        g->matrix_busy[thread] = cycle + g->timing;
        for (int side = 0; side < 2; side++)
            if (word >> (22 + side) & 1)
                model_give(g, side, false, cycle);
        break;
    case 0x38:
        g->matrix_busy[thread] = cycle + g->timing;
        break;
    case 0x45:
        g->scalar_busy[thread] = cycle + g->timing;
        break;
    case 0xb2:
        g->config_busy = cycle + g->timing > g->config_busy ? cycle + g->timing : g->config_busy;
        break;
    default:
        break;
    }
}

// The first cycle in which a word may pass if the one before it passed in cycle `at`.
static inline uint64_t model_earliest(const struct model_gate *g, int thread, uint32_t word,
                                      uint64_t at)
{
    const struct model_wait *w = &g->wait[thread];
    bool held = w->latched && model_held_by_mask(g, word, w->block);
    return held && w->met_at + 1 > at + 1 ? w->met_at + 1 : at + 1;
}

static inline bool model_takes_sync_place(uint32_t word)
{
    uint32_t opcode = word >> 24;
    return opcode >= 0xa2 && opcode <= 0xa6;
}

// One instruction passed at `cycle`. NOPs leave no trace, so those before it passed by then.
static inline void model_pass(struct model_gate *g, const struct model_step *step)
{
    int t = step->thread;
    uint64_t at = g->last_pass[t] > g->floor ? g->last_pass[t] : g->floor;
    while (g->next[t] < g->length[t] && model_is_nop(g->stream[t][g->next[t]])) {
        if (!model_may_pass(g, t, g->stream[t][g->next[t]], step->cycle))
            model_fail(g, t, step->word, "a NOP passed a wait with all block bits");
        at = model_earliest(g, t, g->stream[t][g->next[t]], at);
        g->next[t]++;
    }
    if (g->next[t] == g->length[t] || g->stream[t][g->next[t]] != step->word) {
        model_fail(g, t, step->word, "not the next word of its thread");
        return;
    }
    g->next[t]++;
    if (!model_may_pass(g, t, step->word, step->cycle))
        model_fail(g, t, step->word, "a latched wait holds it");
    at = model_earliest(g, t, step->word, at);
    if (g->timing && g->passed[t] && step->cycle <= g->last_pass[t])
        model_fail(g, t, step->word, "two instructions of a thread in a cycle");
    if (g->timing && g->alone && step->cycle > at)
        model_fail(g, t, step->word, "it passed later than it might");
    if (g->timing && model_takes_sync_place(step->word)) {
        if (g->synced && step->cycle <= g->last_sync)
            model_fail(g, t, step->word, "two places of the sync unit in a cycle");
        g->synced = true;
        g->last_sync = step->cycle;
    }
    if (model_held_by_mask(g, step->word, g->wait[t].block))
        g->wait[t].latched = false;
    g->passed[t] = true;
    g->last_pass[t] = step->cycle;
    model_effect(g, t, step->word, step->cycle);
}

static inline void model_core_write(struct model_gate *g, const struct model_step *step)
{
    unsigned *value = &g->value[step->semaphore];
    if (step->get)
        *value -= *value > 0;
    else
        *value += *value < 15;
}

// Steps in order of their cycles; `clock` is the first cycle that has not begun. With timing off
// every step is a moment of its own.
static inline void model_judge(struct model_gate *g, const struct model_step *steps, unsigned count,
                               uint64_t *clock)
{
    for (unsigned i = 0; i < count; i++) {
        for (; g->timing && *clock <= steps[i].cycle; (*clock)++)
            model_begin_cycle(g, *clock);
        if (steps[i].thread < 0)
            model_core_write(g, &steps[i]);
        else
            model_pass(g, &steps[i]);
        if (!g->timing)
            model_begin_cycle(g, 0);
    }
}

// Nothing moves any more at `cycle`: every thread must have a reason to stand, or be done.
static inline void model_rest(struct model_gate *g, uint64_t cycle)
{
    model_begin_cycle(g, cycle);
    g->unsure = false;
    for (int t = 0; t < 3; t++) {
        while (g->next[t] < g->length[t]) {
            uint32_t word = g->stream[t][g->next[t]];
            const struct model_wait *w = &g->wait[t];
            bool held = w->latched && model_held_by_mask(g, word, w->block);
            // Without cycles a gate may have missed a moment in which its wait was met.
            g->unsure |= held && !g->timing && w->met && model_keeps_waiting(g, t, cycle);
            held &= !w->met || (!g->timing && model_keeps_waiting(g, t, cycle));
            uint32_t index = word & 0xffff, opcode = word >> 24;
            bool mutex = opcode == 0xa0 || opcode == 0xa1;
            bool locked =
                mutex && (!model_mutex_exists(g, index) ||
                          (opcode == 0xa0 && g->holder[index] != -1 && g->holder[index] != t));
            if (held || locked)
                break;
            if (!model_is_nop(word)) {
                model_fail(g, t, word, "it stands at the gate without a reason");
                return;
            }
            g->next[t]++;
        }
    }
}

#endif
