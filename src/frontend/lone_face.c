// SPDX-License-Identifier: Apache-2.0
// With timing on: faces. For each face of a tile the same words come: an UNPACR for each side of
// Src, or for one, some words of the matrix unit of one opcode, and a SETRWC that gives the banks
// back. Where a lone thread has such words and nothing else goes on, a face's times follow from
// when its bytes are there: the matrix unit begins in the cycle of the last hand-over and takes a
// word in each, and the FIFOs stay full all the time. So a face is one step. What the matrix unit
// holds at its end is complete before the next one has its bytes, and is put into the queue only
// behind the last face.
// What is unlike that in the middle of a face is left to the word that comes next.
// Pages: UNPACR_Regular.md (Performance), SrcASrcB.md, MatrixUnit.md, SETRWC.md.
#include "frontend/lone_face.h"

#include "frontend/events.h"
#include "frontend/issue.h"
#include "frontend/lone_step.h"
#include "frontend/lone_units.h"
#include "matrix/banks.h"
#include "matrix/matrix_operations.h"
#include "matrix/matrix_timed_block.h"

enum {
    SIDES = 2,
    ENOUGH_CYCLES = 2 * TSR_FACE_WORDS // for the words of a face, without those that it waits
};

struct faces {
    struct lone *lone;
    uint64_t until;
    const struct tsr_face_words *words;
    const struct tsr_route *block; // of the matrix unit's words before SETRWC
    unsigned unpack_phase;         // cycles
    uint8_t waits;                 // sides whose banks these words wait for
    tsr_unit unit[SIDES];          // of the UNPACRs
    bool follows;                  // the face before is not yet in the queue
    uint64_t start;                // when its block began
};

// ---------------------------------------------------------------- the words

static inline bool is_unpacr(const struct tsr_route *route, uint32_t word)
{
    return route->second && route->timed_whole && (word & route->reserved) == 0;
}

// How many of these UNPACRs come first, for different unpackers.
static unsigned count_unpacks(const struct tsr_route *routes, const uint32_t *word, unsigned most)
{
    if (most < SIDES || !is_unpacr(&routes[word[0] >> 24], word[0]))
        return 0;
    const struct tsr_route *route = &routes[word[1] >> 24];
    return is_unpacr(route, word[1]) && ((word[0] ^ word[1]) & route->second) != 0 ? 2 : 1;
}

static unsigned count_block(const struct tsr_route *routes, const uint32_t *word, unsigned most)
{
    const struct tsr_route *route = &routes[word[0] >> 24];
    unsigned count = 0;
    if (route->unit != TSR_UNIT_MATRIX || !route->timed_blocks)
        return 0;
    while (count < most && ((word[count] ^ word[0]) >> 24) == 0 &&
           (word[count] & route->reserved) == 0)
        count++;
    return count;
}

// What the words at the gate are. False: no face.
static bool find_face(const struct lone *lone, struct tsr_face_words *words)
{
    const struct row *row = &lone->row;
    const struct tsr_route *routes = lone->engine->route;
    const uint32_t *word = row->word + row->at;
    unsigned most = row->gate + row->play + row->middle + row->cores;
    most = most < TSR_FACE_WORDS ? most : TSR_FACE_WORDS;
    words->count = 0;
    const unsigned unpacks = count_unpacks(routes, word, most);
    if (unpacks == 0 || unpacks == most)
        return false;
    const unsigned block = count_block(routes, word + unpacks, most - unpacks);
    const unsigned last = unpacks + block;
    if (block == 0 || last == most)
        return false;
    const struct tsr_route *route = &routes[word[last] >> 24];
    if (route->op != OP_SETRWC || (word[last] & route->reserved) != 0)
        return false;
    memcpy(words->word, word, (last + 1) * sizeof *word);
    words->count = (uint8_t)(last + 1);
    words->unpacks = (uint8_t)unpacks;
    return true;
}

static inline unsigned block_words(const struct faces *faces)
{
    return faces->words->count - faces->words->unpacks - 1u;
}

static inline const uint32_t *first_of_block(const struct faces *faces)
{
    return faces->words->word + faces->words->unpacks;
}

// ---------------------------------------------------------------- may it be?

// The FIFOs stay full while the words leave the gate, and the word behind them is a lone thread's
// too.
static inline bool words_flow(const struct faces *faces)
{
    struct lone *lone = faces->lone;
    const struct row *row = &lone->row;
    const unsigned count = faces->words->count;
    return words_left(lone) > count && row_flows(lone, count) &&
           lone->state->now + ENOUGH_CYCLES < faces->until &&
           lone->engine->route[row->word[row->at + count] >> 24].plain;
}

// The words at the gate are those of the latest face.
static inline bool comes_again(const struct faces *faces)
{
    const struct tsr_face_words *words = faces->words;
    if (words->count == 0 || !words_flow(faces))
        return false;
    const uint32_t *word = faces->lone->row.word + faces->lone->row.at;
    unsigned same = 0;
    while (same < words->count && word[same] == words->word[same])
        same++;
    return same == words->count;
}

// The unpackers' banks are not about to be given back once more.
static bool banks_rest(const struct faces *faces)
{
    const struct tsr_env *env = &faces->lone->engine->env;
    for (unsigned i = 0; i < faces->words->unpacks; i++) {
        const int side = faces->unit[i] == TSR_UNIT_UNPACKER1 ? TSR_SRCB : TSR_SRCA;
        if (tsr_matrix_releases(env, side, env->state->src[side].unpacker_bank))
            return false;
    }
    return true;
}

// Nothing goes on but what the matrix unit holds, which has executed. A unit that holds nothing
// takes a word: no instruction keeps others out for longer than it takes itself.
static bool nothing_goes_on(const struct lone *lone)
{
    const struct tsr_queues *queues = &lone->state->queues;
    const struct tsr_queue *matrix = &queues->of[TSR_UNIT_MATRIX];
    return (queues->active & ~(1u << TSR_UNIT_MATRIX)) == 0 && matrix->executed == matrix->count &&
           !lone->latch->latched;
}

static bool begin(struct faces *faces, struct lone *lone, uint64_t until)
{
    struct tsr_face_words *words = &lone->engine->face;
    const struct tsr_route *routes = lone->engine->route;
    faces->lone = lone;
    faces->until = until;
    faces->words = words;
    if (!lone->row.in_use || !nothing_goes_on(lone) ||
        !(comes_again(faces) || (find_face(lone, words) && words_flow(faces))))
        return false;
    faces->block = &routes[words->word[words->unpacks] >> 24];
    faces->unpack_phase = lone->engine->env.isa->rate[RATE_UNPACK_ADDRESS_CYCLES];
    faces->waits = tsr_matrix_operations[faces->block->op].waits;
    for (unsigned i = 0; i < words->unpacks; i++)
        faces->unit[i] = tsr_route_unit(&routes[words->word[i] >> 24], words->word[i]);
    faces->follows = false;
    faces->start = 0;
    return banks_rest(faces);
}

// ---------------------------------------------------------------- the matrix unit's queue

static inline const struct tsr_route *setrwc_route(const struct faces *faces)
{
    return &faces->lone->engine->route[faces->words->word[faces->words->count - 1] >> 24];
}

// How many words of the block are complete in the cycle after the face.
static inline unsigned complete_words(const struct faces *faces)
{
    const unsigned count = block_words(faces), gone = count + 2 - faces->block->latency;
    return count + 2 <= faces->block->latency ? 0 : gone < count ? gone : count;
}

// Where it stands in the queue, behind those that are not.
static inline struct tsr_inflight *setrwc_of(const struct faces *faces)
{
    struct tsr_queue *queue = &faces->lone->state->queues.of[TSR_UNIT_MATRIX];
    return &queue->inst[block_words(faces) - complete_words(faces)];
}

// What the matrix unit held is complete, so that it takes another word now. False: not so.
static bool end_last_face(struct faces *faces)
{
    struct lone *lone = faces->lone;
    struct tsr_queue *queue = &lone->state->queues.of[TSR_UNIT_MATRIX];
    const uint64_t now = lone->state->now;
    if (!faces->follows) {
        if (queue->count > 0 && queue->inst[queue->first].completes_at <= now)
            tsr_lone_complete_unseen(lone, queue, TSR_UNIT_MATRIX, now);
        return queue->count == 0;
    }
    struct tsr_inflight *setrwc = setrwc_of(faces);
    uint64_t end = faces->start + block_words(faces) - 1 + faces->block->latency;
    end = setrwc->completes_at > end ? setrwc->completes_at : end;
    if (end > now)
        return false;
    tsr_lone_count_busy(lone, TSR_UNIT_MATRIX, faces->start, end);
    tsr_matrix_release_banks(&lone->engine->env, tsr_matrix_job_of(setrwc));
    faces->follows = false;
    return true;
}

// Puts what is not complete in the cycle after the face into the queue.
static void put_in_queue(struct faces *faces)
{
    struct lone *lone = faces->lone;
    struct tsr_queue *queue = &lone->state->queues.of[TSR_UNIT_MATRIX];
    const unsigned count = block_words(faces), gone = complete_words(faces);
    if (!faces->follows)
        return;
    const uint64_t sequence = setrwc_of(faces)->sequence - count; // an UNPACR may have come since
    queue->first = 0;
    if (gone > 0)
        tsr_lone_count_busy(lone, TSR_UNIT_MATRIX, faces->start,
                            faces->start + gone - 1 + faces->block->latency);
    for (unsigned i = gone; i < count; i++)
        tsr_lone_put_in_queue(lone, faces->block, first_of_block(faces)[i], sequence + i,
                              faces->start + i);
    queue->count++;
    queue->executed++;
    lone->frontend->in_flight++;
    lone->state->queues.active |= 1u << TSR_UNIT_MATRIX;
    faces->follows = false;
}

// Behind the last face, or in the middle of one that goes on word by word: the units hold what they
// hold in this cycle.
static void leave(struct faces *faces)
{
    struct lone *lone = faces->lone;
    put_in_queue(faces);
    tsr_lone_look_at_units(lone);
    if (lone->due <= lone->state->now)
        tsr_lone_complete_units(lone);
}

// ---------------------------------------------------------------- the UNPACRs

// Words are gone from the gate, one a cycle, the last of them in the cycle before that.
static inline void leave_gate(struct lone *lone, unsigned words, uint64_t until)
{
    lone->frontend->sequence += words;
    lone->row.at += words;
    lone->row.cores -= words;
    lone->frontend->next_expand = until;
}

// The unpacker has its bytes `unpack_phase` cycles after it is issued; up to then no other UNPACR
// is.
static bool take_unpacr(struct faces *faces, unsigned i)
{
    struct lone *lone = faces->lone;
    struct tsr_frontend *frontend = lone->frontend;
    struct tsr_queues *queues = &lone->state->queues;
    const tsr_unit unit = faces->unit[i];
    const uint32_t word = faces->words->word[i];
    const struct tsr_route *route = &lone->engine->route[word >> 24];
    const uint64_t now = lone->state->now, phase_ends = now + faces->unpack_phase;
    struct tsr_queue *queue = &queues->of[unit];
    struct tsr_inflight *inst = &queue->inst[0];
    tsr_lone_begin(lone, route, inst, word, unit, now);
    inst->sequence = frontend->sequence + 1;
    inst->hold = inst->address = faces->unpack_phase;
    if (!route->ops->take_whole(&lone->engine->env, inst))
        return false;
    tsr_inflight_executed(inst, phase_ends, true);
    queue->first = 0;
    queue->count = queue->executed = 1;
    if (frontend->reason != TSR_REASON_NONE)
        tsr_note_wait(lone->engine, lone->thread, TSR_REASON_NONE, 0);
    queues->of[route->unit].next_thread = tsr_lone_next_thread(lone);
    queue->next_accept = now + route->issue_cycles;
    for (int each = TSR_UNIT_UNPACKER0; each <= TSR_UNIT_UNPACKER1; each++)
        if (queues->of[each].next_accept < phase_ends)
            queues->of[each].next_accept = phase_ends;
    queues->active |= 1u << unit;
    frontend->in_flight++;
    frontend->retry_at = 0;
    frontend->next_issue = phase_ends;
    lone->engine->tally.waited[lone->thread][TSR_REASON_HOLD] += faces->unpack_phase - 1;
    lone->engine->env.touched |= 1u << TSR_UNIT_UNPACKER0 | 1u << TSR_UNIT_UNPACKER1;
    tsr_lone_count_words(lone, unit, 1);
    leave_gate(lone, 1, now + 1);
    return true;
}

static void complete_unpacr(const struct faces *faces, tsr_unit unit)
{
    struct lone *lone = faces->lone;
    struct tsr_queue *queue = &lone->state->queues.of[unit];
    struct tsr_inflight *inst = &queue->inst[0];
    tsr_unit_ops_of(unit)->complete(&lone->engine->env, inst);
    tsr_lone_count_busy(lone, unit, inst->accepted_at, inst->completes_at);
    queue->count = queue->executed = 0;
    lone->state->queues.active &= ~(1u << unit);
    lone->frontend->in_flight--;
}

// When the first of them has its bytes.
static inline uint64_t first_due(const struct faces *faces)
{
    const struct tsr_queues *queues = &faces->lone->state->queues;
    uint64_t due = UINT64_MAX;
    for (unsigned i = 0; i < faces->words->unpacks; i++) {
        const struct tsr_queue *queue = &queues->of[faces->unit[i]];
        if (queue->count > 0)
            earlier(&due, queue->inst[0].completes_at);
    }
    return due;
}

// Up to the cycle in which the matrix unit has its banks. False: it is not known when.
static bool wait_for_banks(struct faces *faces)
{
    struct lone *lone = faces->lone;
    const uint32_t word = first_of_block(faces)[0];
    tsr_reason reason;
    while ((reason = tsr_lone_missing_bank(lone, faces->waits)) != TSR_REASON_NONE) {
        const uint64_t due = first_due(faces);
        tsr_hold(lone->engine, lone->thread, reason, word, 0);
        if (due + ENOUGH_CYCLES >= faces->until || due == UINT64_MAX)
            return false;
        lone->state->now = due;
        for (int unit = TSR_UNIT_UNPACKER0; unit <= TSR_UNIT_UNPACKER1; unit++) {
            const struct tsr_queue *queue = &lone->state->queues.of[unit];
            if (queue->count > 0 && queue->inst[0].completes_at <= due)
                complete_unpacr(faces, (tsr_unit)unit);
        }
    }
    return end_last_face(faces) && lone->state->queues.active == 0;
}

// ---------------------------------------------------------------- the matrix unit

// One word in each cycle, and the clock goes on to the cycle after the last. False: nothing was
// done.
static bool take_block(struct faces *faces)
{
    struct lone *lone = faces->lone;
    struct tsr_env *env = &lone->engine->env;
    struct tsr_queue *queue = &lone->state->queues.of[TSR_UNIT_MATRIX];
    const unsigned count = block_words(faces);
    const uint32_t *word = first_of_block(faces);
    const uint64_t start = lone->state->now, at = start + count;
    struct tsr_inflight *setrwc = setrwc_of(faces);
    tsr_lone_begin(lone, setrwc_route(faces), setrwc, word[count], TSR_UNIT_MATRIX, at);
    setrwc->sequence = lone->frontend->sequence + count + 1;
    if (!tsr_matrix_run_face(env, lone->thread, word, count, setrwc))
        return false;
    tsr_inflight_executed(setrwc, at, true);
    if (lone->frontend->reason != TSR_REASON_NONE)
        tsr_note_wait(lone->engine, lone->thread, TSR_REASON_NONE, 0);
    tsr_lone_count_words(lone, TSR_UNIT_MATRIX, count + 1);
    leave_gate(lone, count + 1, at + 1);
    lone->state->now = lone->frontend->next_issue = at + 1;
    queue->next_thread = tsr_lone_next_thread(lone);
    queue->next_accept = at + setrwc_route(faces)->issue_cycles;
    tsr_note_compute(&lone->state->queues, TSR_UNIT_MATRIX, start, at - 1 + faces->block->latency);
    env->touched |= 1u << TSR_UNIT_MATRIX;
    faces->follows = true;
    faces->start = start;
    return true;
}

// False: the rest of it, or all, is to be done word by word.
static bool take_face(struct faces *faces)
{
    uint64_t *now = &faces->lone->state->now;
    for (unsigned i = 0; i < faces->words->unpacks; i++) {
        // Bytes that are there before the other unpacker's begin end in a cycle of their own.
        if (first_due(faces) <= *now + faces->unpack_phase || !take_unpacr(faces, i))
            return false;
        *now += faces->unpack_phase;
    }
    return wait_for_banks(faces) && take_block(faces);
}

bool tsr_lone_faces(struct lone *lone, uint64_t until)
{
    struct faces faces;
    const uint64_t began = lone->state->now;
    if (!begin(&faces, lone, until))
        return false;
    uint64_t face_began;
    bool whole;
    do {
        face_began = lone->state->now;
        whole = take_face(&faces);
        lone->engine->in_faces += whole ? faces.words->count : 0;
    } while (whole && comes_again(&faces));
    leave(&faces);
    if (!whole && lone->state->now > face_began)
        lone->held_on = tsr_lone_waits_on(lone, until);
    return lone->state->now > began;
}
