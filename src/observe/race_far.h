// SPDX-License-Identifier: Apache-2.0
// What is known of other tiles, and of requests over the NoC, as a sorted list of facts that never
// changes: clocks share it, and two lists are joined into a new one. A collection frees what no
// clock has any more.
// Pages: NoC/Ordering.md, NoC/Counters.md.
#ifndef TESSERA_OBSERVE_RACE_FAR_H
#define TESSERA_OBSERVE_RACE_FAR_H

#include <stdbool.h>
#include <stdint.h>

// Each holds for all that count up to a number: requests, or arrivals.
enum tsr_race_fact_kind {
    FACT_RELEASE,        // tile, core: all that it had done when it sent that request
    FACT_DONE_ID,        // tile, NoC, transaction: those requests are complete
    FACT_DONE_KIND,      // tile, NoC, kind: the same
    FACT_SENT_ID,        // tile, NoC, transaction: the data of those writes have been read
    FACT_SENT_RELIED,    // tile, NoC, whether with a response: they have left, as a counter says
    FACT_FOUND,          // tile, granule of L1: what arrived there was seen
    FACT_CHANNEL_RELIED, // tile, receiver, channel: those before came before, by no page
    FACT_DONE_STREAM,    // tile, receiver, stream: what the stream has sent there has arrived
    FACT_SENT_STREAM,    // tile, stream: the data of what the stream has sent have been read
    FACT_SERVED,         // receiver, NoC, class: those requests have been carried out there
    FACT_SERVED_RELIED   // the same, as a counter says that goes up before
};

struct tsr_race_release;

struct tsr_race_fact {
    uint64_t key;
    uint32_t upto;
    const struct tsr_race_release *release; // of FACT_RELEASE
};

struct tsr_race_far_pool;

struct tsr_race_far {
    struct tsr_race_far *next;
    struct tsr_race_far_pool *pool;
    bool marked;
    unsigned count;
    struct tsr_race_fact fact[];
};

struct tsr_race_far_pool {
    struct tsr_race_far *all;
    unsigned count;
    const struct tsr_race_far *left, *right, *joined; // the last join
};

// `of` is a tile, `to` another, a NoC or a core, `which` what else tells them apart.
static inline uint64_t tsr_race_fact_key(enum tsr_race_fact_kind kind, unsigned of, unsigned to,
                                         uint32_t which)
{
    enum { KIND_AT = 60, OF_AT = 48, TO_AT = 36 };
    return (uint64_t)kind << KIND_AT | (uint64_t)of << OF_AT | (uint64_t)to << TO_AT | which;
}

// Both; one of the two if it has all of the other. NULL stands for nothing, and for no memory.
const struct tsr_race_far *tsr_race_far_join(const struct tsr_race_far *a,
                                             const struct tsr_race_far *b);
// `far` (NULL: nothing) with one fact more.
const struct tsr_race_far *tsr_race_far_with(struct tsr_race_far_pool *pool,
                                             const struct tsr_race_far *far,
                                             const struct tsr_race_fact *fact);
// Up to which number it holds; 0: not at all.
uint32_t tsr_race_far_upto(const struct tsr_race_far *far, uint64_t key);
// The first fact from a key on.
unsigned tsr_race_far_from(const struct tsr_race_far *far, uint64_t key);

void tsr_race_far_mark(const struct tsr_race_far *far);
// Frees what is not marked, and takes the marks away.
void tsr_race_far_sweep(struct tsr_race_far_pool *pool);

#endif
