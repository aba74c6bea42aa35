// SPDX-License-Identifier: Apache-2.0
// With timing on: a round that visits only what may move (agenda_round.c), and what it and those
// who ask when the next one is (agenda.c) know of the agenda.
#ifndef TESSERA_TILE_AGENDA_ROUND_H
#define TESSERA_TILE_AGENDA_ROUND_H

#include "frontend/engine.h"
#include "frontend/units.h"
#include "frontend/wait_gate.h"

// The sets of engine->agenda.news.
enum { TSR_NEWS_BITS = 16, TSR_NEWS_FOR_UNITS = 3, TSR_ALL_THREADS = (1 << TSR_THREADS) - 1 };
#define TSR_NEWS_OF_ALL UINT64_C(0x0001000100010001)

static inline uint32_t tsr_agenda_news_for(const struct tsr_agenda *agenda, int who)
{
    return (uint32_t)(agenda->news >> (who * TSR_NEWS_BITS)) & 0xffff;
}

// One round, as tsr_clock_round() has it. True: something moved.
bool tsr_agenda_round(struct tsr_engine *engine);
// The thread's latched wait is another one, or there is none any more.
void tsr_agenda_note_latch(struct tsr_engine *engine, int thread);
// Everything is to be visited.
void tsr_agenda_renew(struct tsr_engine *engine);

static inline void tsr_agenda_collect(struct tsr_engine *engine)
{
    struct tsr_agenda *agenda = &engine->agenda;
    uint32_t touched = engine->env.touched;
    if (touched == 0)
        return;
    if (TSR_RARELY(touched & TSR_TOUCHED_ALL)) {
        tsr_agenda_renew(engine);
        return;
    }
    engine->env.touched = 0;
    agenda->asleep &= ~(touched >> TSR_TOUCHED_THREADS);
    touched &= TSR_ALL_UNITS;
    agenda->news |= touched * TSR_NEWS_OF_ALL;
    agenda->booked |= touched;
    agenda->waiting &= ~touched;
    if (touched)
        agenda->units_at = 0;
}

static inline uint64_t tsr_queue_completes_at(const struct tsr_queue *queue)
{
    return queue->executed > 0 ? queue->inst[queue->first].completes_at : UINT64_MAX;
}

// The first cycle in which the oldest instruction that has not executed may do so; UINT64_MAX: only
// after another one has completed.
static inline uint64_t tsr_queue_asks_at(const struct tsr_queue *queue, tsr_unit unit)
{
    const struct tsr_inflight *next =
        &queue->inst[(queue->first + queue->executed) % TSR_QUEUE_DEPTH];
    if (queue->executed == queue->count || (queue->executed > 0 && tsr_unit_serial(unit)))
        return UINT64_MAX;
    return next->accepted_at + next->address;
}

#endif
