// SPDX-License-Identifier: Apache-2.0
// With timing on: a block. Words of one opcode that follow each other, of which the unit takes one
// a cycle, are executed together when the first of them is issued. All their times are known then:
// each executes in its own cycle and completes after the latency of its row in machine/timing.def,
// so that only the FIFOs move in the cycles between. Words that are not complete in the last of
// these cycles are left in the queue as executed.
// A block is possible only if nothing else is due before its end, nobody listens to the unit, and
// no expander begins or ends anything. Whether its words would wait or report something, the unit
// itself finds out.
#include "frontend/lone_block.h"

#include "frontend/lone_units.h"
#include "frontend/queues.h"
#include "frontend/stages.h"

// The words that come next, up to what is known of them, and where they lie: at the gate, before
// it, and before the expanders.
struct lookahead {
    const uint32_t *word;
    unsigned gate, before, cores;
    bool flows; // row_flows() for the block's words
    uint32_t copy[ROW_WORDS];
};

// With a MOP under way, of which the row has nothing.
static void find_words_of_mop(const struct lone *lone, struct lookahead *next)
{
    const struct tsr_frontend *frontend = lone->frontend;
    const struct tsr_fifo *middle = &frontend->before_replay;
    unsigned end = 0, count;
    for (unsigned i = 0; i < frontend->before_gate.count; i++)
        next->copy[end++] =
            frontend->before_gate.word[(frontend->before_gate.first + i) % TSR_FIFO_MAX];
    for (unsigned i = 0; i < frontend->replay.play_left; i++)
        next->copy[end++] =
            frontend->replay.word[(frontend->replay.play_index + i) % TSR_REPLAY_WORDS];
    for (unsigned i = 0; i < middle->count; i++)
        next->copy[end++] = middle->word[(middle->first + i) % TSR_FIFO_MAX];
    const uint32_t *words =
        tsr_mop_words(&lone->engine->env, frontend, &lone->engine->expansion[lone->thread], &count);
    next->cores = count < TSR_FIFO_MAX ? count : TSR_FIFO_MAX;
    memcpy(next->copy + end, words, next->cores * sizeof *words);
    next->word = next->copy;
    next->gate = frontend->before_gate.count;
    next->before = end - next->gate;
}

// False: it is not known what comes.
static bool find_words(struct lone *lone, struct lookahead *next)
{
    const struct row *row = &lone->row;
    const struct tsr_replay *replay = &lone->frontend->replay;
    if (!row->in_use)
        make_row(lone);
    if (row->in_use) {
        next->word = row->word + row->at;
        next->gate = row->gate;
        next->before = row->play + row->middle;
        next->cores = lone->state->now < lone->frontend->mop_idle_until ? 0 : row->cores;
        return true;
    }
    if (!lone->frontend->mop.active || replay->load_left > 0 ||
        replay->play_left > TSR_REPLAY_WORDS)
        return false;
    find_words_of_mop(lone, next);
    return true;
}

// Of the first `most` words, those of the first one's opcode without reserved bits.
static unsigned words_alike(const struct lookahead *next, const struct tsr_route *route,
                            unsigned most)
{
    const uint32_t *word = next->word, mask = 0xff000000u | route->reserved;
    const uint32_t opcode = word[0] & 0xff000000u;
    unsigned n = 0;
    while (n < most && ((word[n] ^ opcode) & mask) == 0)
        n++;
    return n;
}

// How many of `count` words have left the gate before an expander keeps a word behind them, or runs
// out of them: what comes of that is not known here.
static unsigned before_expanders(struct lone *lone, const struct lookahead *next, unsigned count)
{
    unsigned known = next->gate + next->before, end = known + next->cores;
    if (!lone->row.in_use && count > next->cores)
        count = next->cores;
    end = end < known + count ? end : known + count;
    // What is played from the replay buffer is not expanded again, and what no expander keeps is
    // known.
    unsigned first = next->gate + (lone->row.in_use ? lone->row.play : 0);
    if (lone->row.in_use && !lone->row.has_kept)
        first = known;
    for (unsigned i = first > count ? first : count; i < end; i++) {
        const struct tsr_route *kept = &lone->engine->route[next->word[i] >> 24];
        if (!kept->expands)
            continue;
        unsigned from = kept->op == OP_REPLAY ? next->gate : known;
        count = i - from + 1 < count ? i - from + 1 : count;
    }
    return count;
}

// The cycle in which something is due in another unit's queue, or was: then it waits there.
static uint64_t others_due(const struct lone *lone, unsigned unit)
{
    const struct tsr_queues *queues = &lone->state->queues;
    uint64_t due = UINT64_MAX;
    for (uint32_t left = queues->active & ~(1u << unit); left; left &= left - 1) {
        const struct tsr_queue *queue = &queues->of[__builtin_ctz(left)];
        for (unsigned i = 0; i < queue->count; i++) {
            const struct tsr_inflight *inst = &queue->inst[(queue->first + i) % TSR_QUEUE_DEPTH];
            earlier(&due,
                    i < queue->executed ? inst->completes_at : inst->accepted_at + inst->address);
        }
    }
    return due;
}

// What the unit holds has executed, there is room for what comes, and none of it completes after
// those.
static bool has_room(const struct lone *lone, const struct tsr_route *route)
{
    const struct tsr_queue *queue = &lone->state->queues.of[route->unit];
    uint64_t now = lone->state->now;
    if (queue->executed < queue->count || queue->reason != TSR_REASON_NONE ||
        now < queue->next_accept || now < queue->opens_at)
        return false;
    if (queue->count > 0 && tsr_unit_serial((tsr_unit)route->unit))
        return false;
    uint64_t at = 0; // they leave in order
    for (unsigned i = 0; i < queue->count; i++) {
        uint64_t own = queue->inst[(queue->first + i) % TSR_QUEUE_DEPTH].completes_at;
        at = own > at ? own : at;
        if (at > now + route->latency || queue->count - i + (at - now - 1) >= route->depth)
            return false;
    }
    return true;
}

// How many words may be offered to the unit.
static unsigned block_length(struct lone *lone, const struct tsr_route *route,
                             struct lookahead *next, uint64_t until)
{
    uint64_t now = lone->state->now, end = others_due(lone, route->unit);
    // The gate has one in each cycle, since one that lies before it moves in when one leaves.
    unsigned most = next->gate + next->before + next->cores;
    end = until < end ? until : end;
    if (end <= now)
        return 0;
    most = most < TSR_TIMED_BLOCK ? most : TSR_TIMED_BLOCK;
    most = most < words_left(lone) ? most : (unsigned)words_left(lone);
    most = words_alike(next, route, end - now < most ? (unsigned)(end - now) : most);
    next->flows = row_flows(lone, most);
    return next->flows ? most : before_expanders(lone, next, most);
}

// A word is gone from the gate.
static void leave_gate(struct lone *lone)
{
    lone->frontend->next_issue = lone->state->now + 1;
    if (lone->row.in_use) {
        lone->row.at++;
        lone->row.gate--;
    } else {
        tsr_fifo_drop(&lone->frontend->before_gate, 1);
    }
}

// As many cycles of a thread whose replay expander gives the gate a word in each: its FIFO before
// that fills meanwhile. The row has no word that an expander keeps before then.
static void play_words(struct lone *lone, unsigned words)
{
    struct row *row = &lone->row;
    uint64_t now = lone->state->now, idle = lone->frontend->mop_idle_until;
    unsigned enter = idle <= now ? words : idle - now < words ? words - (unsigned)(idle - now) : 0;
    enter = enter < row->cores ? enter : row->cores;
    if (enter > (unsigned)DEPTH_BEFORE_REPLAY - row->middle)
        enter = (unsigned)DEPTH_BEFORE_REPLAY - row->middle;
    const uint32_t *word = row->word + row->at + row->gate + row->play + row->middle;
    for (unsigned i = 0; i < enter; i++)
        row->has_kept |= lone->engine->route[word[i] >> 24].expands;
    row->cores -= enter;
    row->middle += enter;
    row->play -= words;
    row->at += words;
    lone->state->now += words;
    lone->frontend->next_expand = lone->frontend->next_issue = lone->state->now;
}

// All but the last word leave the gate, one a cycle; the clock stands at the last one's cycle.
static void move_fifos(struct lone *lone, unsigned words, bool flows)
{
    if (flows) {
        lone->row.at += words;
        lone->row.cores -= words;
        lone->state->now += words;
        lone->frontend->next_expand = lone->frontend->next_issue = lone->state->now;
        return;
    }
    if (lone->row.in_use && lone->row.play >= words) {
        play_words(lone, words);
        return;
    }
    for (unsigned i = 0; i < words; i++) {
        leave_gate(lone);
        expand(lone);
        lone->state->now++;
    }
}

// Issues them, one a cycle, as tsr_count_issued(). The first of them are complete before the last
// is issued, and are not seen in the queue.
static void issue_words(struct lone *lone, const struct tsr_route *route, const uint32_t *words,
                        unsigned done, bool flows)
{
    struct tsr_queue *queue = &lone->state->queues.of[route->unit];
    uint64_t start = lone->state->now, sequence = lone->frontend->sequence + 1;
    move_fifos(lone, done - 1, flows);
    leave_gate(lone);
    lone->frontend->sequence += done;
    if (queue->count > 0)
        tsr_queue_complete(lone->engine, (tsr_unit)route->unit);
    if (queue->count == 0)
        queue->first = 0;
    for (unsigned i = done > route->latency ? done - route->latency : 0; i < done; i++)
        tsr_lone_put_in_queue(lone, route, words[i], sequence + i, start + i);
}

// The unit's time, from `start` to the last word, which is issued now.
static void take_time(struct lone *lone, const struct tsr_route *route, uint64_t start,
                      unsigned done)
{
    struct tsr_engine *engine = lone->engine;
    struct tsr_queue *queue = &lone->state->queues.of[route->unit];
    uint64_t now = lone->state->now;
    queue->next_thread = tsr_lone_next_thread(lone);
    if (!route->serves_each_thread)
        queue->next_accept = now + route->issue_cycles;
    tsr_note_compute(&lone->state->queues, (tsr_unit)route->unit, start, now + route->latency);
    if (done > route->latency) // what was in the queue before is complete, too
        tsr_lone_count_busy(lone, route->unit, start, now);
    earlier(&lone->due, queue->inst[queue->first].completes_at);
    engine->env.touched |= 1u << route->unit;
}

bool tsr_lone_block(struct lone *lone, uint64_t until, uint32_t heard)
{
    struct tsr_engine *engine = lone->engine;
    struct tsr_state *state = lone->state;
    struct lookahead next;
    const struct tsr_route *route = &engine->route[word_at_gate(lone) >> 24];
    uint64_t start = state->now;
    if (lone->latch->latched || engine->env.watch ||
        (state->queues.active >> TSR_UNIT_SCALAR & 1) || (heard >> route->unit & 1) ||
        !has_room(lone, route) || !find_words(lone, &next))
        return false;
    unsigned count = block_length(lone, route, &next, until);
    if (count < 2)
        return false;
    uint32_t words[TSR_TIMED_BLOCK]; // those of the row may move
    memcpy(words, next.word, count * sizeof *words);
    unsigned done = route->ops->run_timed_block(&engine->env, lone->thread, words, count);
    if (done == 0)
        return false;
    if (lone->frontend->reason != TSR_REASON_NONE)
        tsr_note_wait(engine, lone->thread, TSR_REASON_NONE, 0);
    lone->frontend->retry_at = 0;
    issue_words(lone, route, words, done, next.flows);
    tsr_lone_count_words(lone, route->unit, done);
    take_time(lone, route, start, done);
    return true;
}
