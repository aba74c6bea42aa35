// SPDX-License-Identifier: Apache-2.0
// Host threads that take numbers in turn until none is left. A thread that finds none looks for
// more for a while before it sleeps: the windows of a chip are short.
#include "chip/workers.h"

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

#else

#include <stdatomic.h>
#include <threads.h>

enum { MOST_THREADS = 64, LOOKS = 1000, YIELDS = 100 };

struct tsr_workers {
    unsigned threads; // beside the caller's
    thrd_t thread[MOST_THREADS];
    mtx_t lock;
    cnd_t begun, ended;
    void (*step)(void *context, unsigned index);
    void *context;
    unsigned count;
    atomic_uint next;  // number to be taken
    atomic_uint round; // counts tsr_workers_run()
    atomic_uint busy;  // threads that have not seen the end of this round
    atomic_bool quit;
};

static void take(struct tsr_workers *workers)
{
    for (unsigned i; (i = atomic_fetch_add(&workers->next, 1)) < workers->count;)
        workers->step(workers->context, i);
}

// Waits until `round` is another one than `seen`.
static unsigned next_round(struct tsr_workers *workers, unsigned seen)
{
    unsigned round;
    for (unsigned i = 0; i < LOOKS + YIELDS; i++) {
        round = atomic_load(&workers->round);
        if (round != seen)
            return round;
        if (i >= LOOKS)
            thrd_yield();
    }
    mtx_lock(&workers->lock);
    while ((round = atomic_load(&workers->round)) == seen)
        cnd_wait(&workers->begun, &workers->lock);
    mtx_unlock(&workers->lock);
    return round;
}

static int work(void *argument)
{
    struct tsr_workers *workers = argument;
    for (unsigned seen = 0;;) {
        seen = next_round(workers, seen);
        if (atomic_load(&workers->quit))
            return 0;
        take(workers);
        if (atomic_fetch_sub(&workers->busy, 1) == 1) {
            mtx_lock(&workers->lock);
            cnd_signal(&workers->ended);
            mtx_unlock(&workers->lock);
        }
    }
}

static void begin_round(struct tsr_workers *workers)
{
    mtx_lock(&workers->lock);
    atomic_store(&workers->busy, workers->threads);
    atomic_store(&workers->next, 0);
    atomic_fetch_add(&workers->round, 1);
    cnd_broadcast(&workers->begun);
    mtx_unlock(&workers->lock);
}

static void end_round(struct tsr_workers *workers)
{
    for (unsigned i = 0; i < LOOKS + YIELDS; i++) {
        if (atomic_load(&workers->busy) == 0)
            return;
        if (i >= LOOKS)
            thrd_yield();
    }
    mtx_lock(&workers->lock);
    while (atomic_load(&workers->busy) > 0)
        cnd_wait(&workers->ended, &workers->lock);
    mtx_unlock(&workers->lock);
}

struct tsr_workers *tsr_workers_start(unsigned threads)
{
    if (threads > MOST_THREADS)
        threads = MOST_THREADS;
    struct tsr_workers *workers = threads > 1 ? calloc(1, sizeof *workers) : NULL;
    if (!workers)
        return NULL;
    mtx_init(&workers->lock, mtx_plain);
    cnd_init(&workers->begun);
    cnd_init(&workers->ended);
    for (unsigned i = 0; i + 1 < threads; i++)
        if (thrd_create(&workers->thread[i], work, workers) == thrd_success)
            workers->threads++;
        else
            break;
    return workers;
}

void tsr_workers_stop(struct tsr_workers *workers)
{
    if (!workers)
        return;
    atomic_store(&workers->quit, true);
    begin_round(workers);
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
    workers->count = count;
    begin_round(workers);
    take(workers);
    end_round(workers);
}

#endif
