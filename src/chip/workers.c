// SPDX-License-Identifier: Apache-2.0
// Host threads that take numbers, each from its own part of them first, so that a tile mostly stays
// with the same processor, then from the others' parts. A thread that finds none looks for more for
// a while, as the windows of a chip are short, then sleeps. It does not yield: two threads that
// yield to each other may stay on one processor, and a thread that sleeps wakes on a free one.
// Nobody waits for a thread that comes late: a round ends when all numbers are taken, and with it
// the gate closes, behind which only those are that still have one in hand.
#include "chip/workers.h"

#include <tessera/chip.h>

#include <stdlib.h>

#ifdef __STDC_NO_THREADS__

struct tsr_workers *tsr_workers_start(unsigned threads)
{
    (void)threads;
    return NULL;
}

void tsr_workers_stop(struct tsr_workers *workers)
{
    (void)workers;
}

void tsr_workers_run(struct tsr_workers *workers, unsigned count,
                     void (*step)(void *context, unsigned index), void *context)
{
    (void)workers;
    for (unsigned i = 0; i < count; i++)
        step(context, i);
}

uint64_t tsr_workers_now(void)
{
    return 0;
}

#else

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <threads.h>

enum { LOOKS = 10000, OPEN = 1, INSIDE = 2 };

// Numbers next .. end - 1 are left. Apart from other parts, as threads write them.
struct part {
    _Alignas(64) atomic_uint next;
    unsigned end;
};

struct worker {
    struct tsr_workers *workers;
    unsigned number;
};

struct tsr_workers {
    struct part part[TSR_CHIP_THREADS];
    unsigned threads; // beside the caller's
    thrd_t thread[TSR_CHIP_THREADS];
    struct worker worker[TSR_CHIP_THREADS];
    mtx_t lock;
    cnd_t begun, ended;
    void (*step)(void *context, unsigned index);
    void *context;
    atomic_uint round; // counts tsr_workers_run()
    atomic_uint gate;  // OPEN, and for each thread behind it INSIDE
    atomic_bool quit;
};

static void take(struct tsr_workers *workers, unsigned self)
{
    unsigned parts = workers->threads + 1;
    for (unsigned k = 0; k < parts; k++) {
        struct part *part = &workers->part[(self + k) % parts];
        for (unsigned i; (i = atomic_fetch_add(&part->next, 1)) < part->end;)
            workers->step(workers->context, i);
    }
}

// Waits until `round` is another one than `seen`.
static unsigned next_round(struct tsr_workers *workers, unsigned seen)
{
    unsigned round;
    for (unsigned i = 0; i < LOOKS; i++)
        if ((round = atomic_load(&workers->round)) != seen)
            return round;
    mtx_lock(&workers->lock);
    while ((round = atomic_load(&workers->round)) == seen)
        cnd_wait(&workers->begun, &workers->lock);
    mtx_unlock(&workers->lock);
    return round;
}

static bool enter(struct tsr_workers *workers)
{
    unsigned gate = atomic_load(&workers->gate);
    while (gate & OPEN)
        if (atomic_compare_exchange_weak(&workers->gate, &gate, gate + INSIDE))
            return true;
    return false;
}

static void leave(struct tsr_workers *workers)
{
    if (atomic_fetch_sub(&workers->gate, INSIDE) == INSIDE) { // closed, and the last one
        mtx_lock(&workers->lock);
        cnd_signal(&workers->ended);
        mtx_unlock(&workers->lock);
    }
}

static int work(void *argument)
{
    const struct worker *self = argument;
    struct tsr_workers *workers = self->workers;
    for (unsigned seen = 0;;) {
        seen = next_round(workers, seen);
        if (atomic_load(&workers->quit))
            return 0;
        if (enter(workers)) {
            take(workers, self->number);
            leave(workers);
        }
    }
}

static void wake(struct tsr_workers *workers)
{
    mtx_lock(&workers->lock);
    atomic_fetch_add(&workers->round, 1);
    cnd_broadcast(&workers->begun);
    mtx_unlock(&workers->lock);
}

static void end_round(struct tsr_workers *workers)
{
    if (atomic_fetch_and(&workers->gate, ~(unsigned)OPEN) == OPEN)
        return;
    for (unsigned i = 0; i < LOOKS; i++)
        if (atomic_load(&workers->gate) == 0)
            return;
    mtx_lock(&workers->lock);
    while (atomic_load(&workers->gate) > 0)
        cnd_wait(&workers->ended, &workers->lock);
    mtx_unlock(&workers->lock);
}

struct tsr_workers *tsr_workers_start(unsigned threads)
{
    struct tsr_workers *workers =
        threads > 1 ? aligned_alloc(_Alignof(struct tsr_workers), sizeof *workers) : NULL;
    if (!workers)
        return NULL;
    memset(workers, 0, sizeof *workers);
    mtx_init(&workers->lock, mtx_plain);
    cnd_init(&workers->begun);
    cnd_init(&workers->ended);
    for (unsigned i = 0; i + 1 < threads; i++) {
        workers->worker[i] = (struct worker){workers, i};
        if (thrd_create(&workers->thread[i], work, &workers->worker[i]) != thrd_success)
            break;
        workers->threads++;
    }
    return workers;
}

void tsr_workers_stop(struct tsr_workers *workers)
{
    if (!workers)
        return;
    atomic_store(&workers->quit, true);
    wake(workers);
    for (unsigned i = 0; i < workers->threads; i++)
        thrd_join(workers->thread[i], NULL);
    cnd_destroy(&workers->begun);
    cnd_destroy(&workers->ended);
    mtx_destroy(&workers->lock);
    free(workers);
}

void tsr_workers_run(struct tsr_workers *workers, unsigned count,
                     void (*step)(void *context, unsigned index), void *context)
{
    if (!workers || count < 2) {
        for (unsigned i = 0; i < count; i++)
            step(context, i);
        return;
    }
    workers->step = step;
    workers->context = context;
    unsigned parts = workers->threads + 1;
    for (unsigned i = 0; i < parts; i++) {
        atomic_store(&workers->part[i].next, count * i / parts);
        workers->part[i].end = count * (i + 1) / parts;
    }
    atomic_store(&workers->gate, OPEN);
    wake(workers);
    take(workers, workers->threads);
    end_round(workers);
}

uint64_t tsr_workers_now(void)
{
    struct timespec now = {0};
    timespec_get(&now, TIME_UTC);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif
