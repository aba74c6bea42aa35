// SPDX-License-Identifier: Apache-2.0
// What was reported to an observer of a tile, in that order: the instructions that units
// completed and, if `waits` is set, the waits of threads. For tests of timing and order.
#ifndef TESSERA_TESTS_EVENT_LOG_H
#define TESSERA_TESTS_EVENT_LOG_H

#include <tessera/tessera.h>
#include <tessera/trace.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { EVENT_LOG_MOST = 8192 };

struct event_log {
    bool waits;
    int count;
    tsr_event event[EVENT_LOG_MOST];
};

static inline void event_log_note(void *user, const tsr_event *event)
{
    struct event_log *log = user;
    if (event->kind != TSR_EVENT_INSTRUCTION && !log->waits)
        return;
    assert_true(log->count < EVENT_LOG_MOST);
    log->event[log->count++] = *event;
}

// Empties the log, and has it note what happens in the tile from now on.
static inline void event_log_start(struct event_log *log, tsr_tile *tile)
{
    log->count = 0;
    tsr_tile_observe(tile, event_log_note, log);
}

// Field by field: the bytes between them have no meaning.
static inline bool event_same(const tsr_event *a, const tsr_event *b)
{
    return a->kind == b->kind && a->thread == b->thread && a->unit == b->unit &&
           a->reason == b->reason && a->word == b->word && a->sequence == b->sequence &&
           a->accepted == b->accepted && a->executed == b->executed && a->completed == b->completed;
}

// A thread's instruction of that number, from 1.
static inline const tsr_event *event_log_find(const struct event_log *log, int thread,
                                              uint64_t sequence)
{
    for (int i = 0; i < log->count; i++)
        if (log->event[i].kind == TSR_EVENT_INSTRUCTION && log->event[i].thread == thread &&
            log->event[i].sequence == sequence)
            return &log->event[i];
    fail_msg("no instruction %d of thread %d", (int)sequence, thread);
    return NULL;
}

#endif
