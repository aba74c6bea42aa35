// SPDX-License-Identifier: Apache-2.0
// Whether two tiles are in the same state: every section of struct tsr_state, the findings in their
// order, and the run report. Names what differs. Only what can never be looked at again is left
// out: words that have left a FIFO, and instructions that have left their queue.
#ifndef TESSERA_TESTS_STATE_COMPARE_H
#define TESSERA_TESTS_STATE_COMPARE_H

#include "tile/tile_state.h"

#include <stddef.h>
#include <string.h>

// A section of struct tsr_state in the order of its members. `canary`: a byte of it that counts.
struct state_section {
    const char *name;
    size_t at, size, canary;
    bool (*same)(const void *a, const void *b); // NULL: every byte
};

static inline bool same_fifo(const struct tsr_fifo *a, const struct tsr_fifo *b)
{
    bool same = a->count == b->count;
    for (unsigned i = 0; same && i < a->count; i++) {
        unsigned x = (a->first + i) % TSR_FIFO_MAX, y = (b->first + i) % TSR_FIFO_MAX;
        same = a->word[x] == b->word[y] && a->tag[x] == b->tag[y];
    }
    return same;
}

static inline bool has_nothing_to_issue(const struct tsr_frontend *frontend)
{
    return frontend->before_gate.count == 0 &&
           (frontend->reason == TSR_REASON_NONE || frontend->reason == TSR_REASON_EMPTY);
}

// With timing on, which round has noted that a thread has nothing to issue depends on how a run is
// cut; the run report has it from the cycle in which that was so.
static inline bool same_wait(const struct tsr_frontend *a, const struct tsr_frontend *b)
{
    return (has_nothing_to_issue(a) && has_nothing_to_issue(b)) ||
           (a->reason == b->reason && a->waits_word == b->waits_word &&
            a->waits_since == b->waits_since);
}

static inline bool same_frontends(const void *left, const void *right)
{
    enum {
        REST = offsetof(struct tsr_frontend, mop_config),
        WAIT = offsetof(struct tsr_frontend, reason),
        END = offsetof(struct tsr_frontend, in_flight)
    };
    const struct tsr_frontend *a = left, *b = right;
    for (int i = 0; i < TSR_THREADS; i++, a++, b++)
        if (!same_fifo(&a->before_mop, &b->before_mop) ||
            !same_fifo(&a->before_replay, &b->before_replay) ||
            !same_fifo(&a->before_gate, &b->before_gate) || !same_wait(a, b) ||
            memcmp((const char *)a + REST, (const char *)b + REST, WAIT - REST) != 0 ||
            memcmp((const char *)a + END, (const char *)b + END, sizeof *a - END) != 0)
            return false;
    return true;
}

// A job and the costs of a stage have bytes that nobody reads; what is read shows when it executes.
static inline bool same_inflight(const struct tsr_inflight *a, const struct tsr_inflight *b)
{
    return a->word == b->word && a->op == b->op && a->thread == b->thread && a->unit == b->unit &&
           a->executed == b->executed && a->has_bank == b->has_bank && a->side == b->side &&
           a->bank == b->bank && a->state_id == b->state_id && a->sequence == b->sequence &&
           a->accepted_at == b->accepted_at && a->address == b->address &&
           (!a->executed ||
            (a->executed_at == b->executed_at && a->completes_at == b->completes_at));
}

static inline bool same_queue(const struct tsr_queue *a, const struct tsr_queue *b)
{
    enum { REST = offsetof(struct tsr_queue, count) };
    if (memcmp((const char *)a + REST, (const char *)b + REST, sizeof *a - REST) != 0)
        return false;
    for (unsigned i = 0; i < a->count; i++)
        if (!same_inflight(&a->inst[(a->first + i) % TSR_QUEUE_DEPTH],
                           &b->inst[(b->first + i) % TSR_QUEUE_DEPTH]))
            return false;
    return true;
}

static inline bool same_queues(const void *left, const void *right)
{
    const struct tsr_queues *a = left, *b = right;
    for (int unit = 0; unit < TSR_UNIT_COUNT; unit++)
        if (!same_queue(&a->of[unit], &b->of[unit]))
            return false;
    return a->active == b->active;
}

// Structs that are assigned as a whole leave any bytes in their gaps, so these go by member.
static inline bool same_origin(const struct tsr_origin *a, const struct tsr_origin *b)
{
    return a->kind == b->kind && a->which == b->which && a->word == b->word &&
           a->sequence == b->sequence;
}

static inline bool same_sync(const void *left, const void *right)
{
    const struct tsr_sync *a = left, *b = right;
    bool same = a->next_write == b->next_write;
    for (int i = 0; same && i < TSR_SEMAPHORES; i++) {
        const struct tsr_semaphore *x = &a->semaphore[i], *y = &b->semaphore[i];
        same = x->value == y->value && x->max == y->max && x->initialised == y->initialised &&
               same_origin(&x->last_post, &y->last_post) && same_origin(&x->last_get, &y->last_get);
    }
    for (int i = 0; same && i < TSR_MUTEXES; i++) {
        const struct tsr_mutex *x = &a->mutex[i], *y = &b->mutex[i];
        same = x->held_by == y->held_by && x->preferred == y->preferred &&
               x->next_access == y->next_access && same_origin(&x->acquired, &y->acquired);
    }
    for (int i = 0; same && i < TSR_THREADS; i++) {
        const struct tsr_gate_latch *x = &a->latch[i], *y = &b->latch[i];
        same = x->latched == y->latched && x->on_semaphores == y->on_semaphores &&
               x->met == y->met && x->block == y->block && x->conditions == y->conditions &&
               x->semaphores == y->semaphores && x->word == y->word && x->since == y->since &&
               x->met_at == y->met_at;
    }
    return same;
}

static inline bool same_src_shadow(const void *left, const void *right)
{
    const struct tsr_src_shadow *a = left, *b = right;
    for (int i = 0; i < 2 * 2; i++, a++, b++)
        if (a->read != b->read || a->waited_for != b->waited_for || a->lent != b->lent ||
            !same_origin(&a->released_by, &b->released_by))
            return false;
    return true;
}

static inline bool same_writers(const void *left, const void *right)
{
    const struct tsr_config_writers *a = left, *b = right;
    if (memcmp(a, b, sizeof *a) == 0)
        return true;
    for (int i = 0; i < TSR_THREADS; i++)
        for (int field = 0; field < FIELD_COUNT; field++) {
            const struct tsr_config_writer *x = &a->of[i][field], *y = &b->of[i][field];
            if (x->cycle_plus_1 != y->cycle_plus_1 || x->sequence != y->sequence ||
                x->word != y->word || x->who != y->who)
                return false;
        }
    return true;
}

static inline bool same_slot(const struct tsr_macro_slot *a, const struct tsr_macro_slot *b)
{
    bool same = a->count == b->count;
    for (unsigned i = 0; same && i < a->count; i++) {
        const struct tsr_scheduled *x = &a->of[i], *y = &b->of[i];
        same = x->word == y->word && x->lanes == y->lanes && x->vd == y->vd && x->vb == y->vb &&
               x->vc == y->vc && x->mod0 == y->mod0 && x->order == y->order &&
               x->address == y->address && x->counts_instructions == y->counts_instructions &&
               x->thread == y->thread && x->macro == y->macro && x->sequence == y->sequence;
    }
    return same;
}

static inline bool same_vector(const void *left, const void *right)
{
    enum { CONFIG = offsetof(struct tsr_macro, slot) };
    const struct tsr_vector *a = left, *b = right;
    bool same = memcmp(a, b, offsetof(struct tsr_vector, macro)) == 0 &&
                memcmp(&a->macro, &b->macro, CONFIG) == 0 &&
                a->macro.scheduled == b->macro.scheduled && a->macro.waiting == b->macro.waiting &&
                a->macro.late[0].lregs == b->macro.late[0].lregs;
    for (unsigned sub = 0; same && sub < TSR_SUB_UNITS; sub++)
        for (unsigned delay = 0; same && delay < TSR_MACRO_DELAYS; delay++)
            same = same_slot(&a->macro.slot[sub][delay], &b->macro.slot[sub][delay]);
    const struct tsr_vector_late *x = &a->late, *y = &b->late;
    return same && x->lregs == y->lregs && x->kept_lregs == y->kept_lregs &&
           x->shuffle == y->shuffle && x->backdoor == y->backdoor && x->thread == y->thread &&
           x->word == y->word && x->sequence == y->sequence && x->cycle == y->cycle &&
           a->swap_until == b->swap_until && a->cycle == b->cycle && a->sequence == b->sequence &&
           a->thread == b->thread && same_origin(&a->disabled_by, &b->disabled_by);
}

// Which lines the cores have decoded is a cache.
static inline bool same_l1(const void *left, const void *right)
{
    return memcmp(left, right, offsetof(struct tsr_l1, code)) == 0;
}

#define STATE_SECTION(member) STATE_SECTION_BY(member, 0, NULL)
#define STATE_SECTION_BY(member, canary, same)                                                     \
    {                                                                                              \
#member, offsetof(struct tsr_state, member), sizeof(((struct tsr_state *)0)->member),      \
            canary, same                                                                           \
    }
static const struct state_section state_sections[] = {
    STATE_SECTION(dst),
    STATE_SECTION(src),
    STATE_SECTION_BY(vector, 0, same_vector),
    STATE_SECTION_BY(l1, 0, same_l1),
    STATE_SECTION(config),
    STATE_SECTION(adcs),
    STATE_SECTION(rwcs),
    STATE_SECTION(gprs),
    STATE_SECTION(scalar),
    STATE_SECTION_BY(sync, 0, same_sync),
    STATE_SECTION(unpacker),
    STATE_SECTION(matrix),
    STATE_SECTION(packers),
    STATE_SECTION_BY(frontend, offsetof(struct tsr_frontend, mop_config), same_frontends),
    STATE_SECTION_BY(queues, offsetof(struct tsr_queue, executed), same_queues),
    STATE_SECTION(traffic),
    STATE_SECTION(now),
    STATE_SECTION(mover),
    STATE_SECTION(tdma),
    STATE_SECTION(debug),
    STATE_SECTION(cores),
    STATE_SECTION_BY(src_shadow, 0, same_src_shadow),
    STATE_SECTION(src_zeroed),
    STATE_SECTION_BY(writers, 0, same_writers),
    STATE_SECTION(dst_writes),
};
enum { STATE_SECTIONS = sizeof state_sections / sizeof *state_sections };

static inline bool section_same(const struct state_section *section, const struct tsr_state *a,
                                const struct tsr_state *b)
{
    const char *x = (const char *)a + section->at, *y = (const char *)b + section->at;
    return section->same ? section->same(x, y) : memcmp(x, y, section->size) == 0;
}

// The name of the first section that differs; NULL if none does.
static inline const char *state_difference(const struct tsr_state *a, const struct tsr_state *b)
{
    for (int i = 0; i < STATE_SECTIONS; i++)
        if (!section_same(&state_sections[i], a, b))
            return state_sections[i].name;
    return NULL;
}

static inline bool same_finding(const tsr_diagnostic *a, const tsr_diagnostic *b)
{
    bool same = a->category == b->category && a->code == b->code && a->action == b->action &&
                a->cycle == b->cycle && a->thread == b->thread && a->core == b->core &&
                a->sequence == b->sequence && a->word == b->word && a->repeats == b->repeats &&
                a->field_count == b->field_count && strcmp(a->instruction, b->instruction) == 0 &&
                strcmp(a->sentence, b->sentence) == 0;
    for (int i = 0; same && i < a->field_count; i++)
        same = a->fields[i].name == b->fields[i].name && a->fields[i].value == b->fields[i].value;
    return same;
}

static inline bool findings_same(const tsr_tile *a, const tsr_tile *b)
{
    const struct tsr_findings *x = &a->findings, *y = &b->findings;
    bool same = x->reported == y->reported && x->stopped == y->stopped &&
                x->dropped == y->dropped && x->count == y->count;
    for (int i = 0; same && i < x->count; i++)
        same = same_finding(&x->kept[i], &y->kept[i]);
    return same;
}

// What differs between two tiles; NULL: nothing.
static inline const char *tile_difference(const tsr_tile *a, const tsr_tile *b)
{
    tsr_run_report one, two;
    const char *section = state_difference(a->engine.env.state, b->engine.env.state);
    if (section)
        return section;
    if (!findings_same(a, b))
        return "findings";
    tsr_get_report(a, &one);
    tsr_get_report(b, &two);
    return memcmp(&one, &two, sizeof one) != 0 ? "run report" : NULL;
}

// Shows that each section is compared: the same tile twice, then a byte of one section changed.
// The name of what would go unnoticed; NULL: nothing would. Leaves `a` and `b` as they were.
static inline const char *state_compare_canary(tsr_tile *a, tsr_tile *b)
{
    size_t end = 0;
    const char *missed = tile_difference(a, b);
    for (int i = 0; i < STATE_SECTIONS && !missed; i++) {
        const struct state_section *section = &state_sections[i];
        unsigned char *byte = (unsigned char *)b->engine.env.state + section->at + section->canary;
        const char *found;
        if (section->at < end || section->at - end >= _Alignof(max_align_t))
            return section->name; // a member before it is not listed
        end = section->at + section->size;
        *byte ^= 1;
        found = state_difference(a->engine.env.state, b->engine.env.state);
        *byte ^= 1;
        if (!found || strcmp(found, section->name) != 0)
            missed = section->name;
    }
    if (!missed && sizeof(struct tsr_state) - end >= _Alignof(max_align_t))
        missed = "end of struct tsr_state";
    b->engine.tally.issued[0]++;
    if (!missed && !tile_difference(a, b))
        missed = "run report";
    b->engine.tally.issued[0]--;
    b->findings.reported++;
    if (!missed && !tile_difference(a, b))
        missed = "findings";
    b->findings.reported--;
    return missed;
}

#endif
