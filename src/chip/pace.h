// SPDX-License-Identifier: Apache-2.0
// Whether host threads make a chip faster, by the time that its windows take with and without them.
// Which of them steps a tile changes nothing but that time.
#ifndef TESSERA_CHIP_PACE_H
#define TESSERA_CHIP_PACE_H

#include <stdbool.h>
#include <stdint.h>

struct tsr_pace {
    unsigned threads;
    bool always;        // in each window, whatever that costs
    uint64_t left;      // windows of this call
    uint64_t alone;     // what a tile of a window takes on one thread, in nanoseconds; 0: not known
    uint64_t start;     // what starting and ending the threads takes
    bool together;      // this spell of windows is on all threads
    unsigned spell;     // windows left of it
    unsigned length;    // of a spell on all threads; doubles as long as they are worth it
    unsigned rest;      // windows on one thread before the next spell; grows while they are not
    unsigned unwatched; // windows in turn whose time was not taken
    uint64_t spent;     // by this spell on all threads
    uint64_t expected;  // what it would have been on one
};

void tsr_pace_begin(struct tsr_pace *pace, unsigned threads, bool always);
// A call begins, of so many windows at most.
void tsr_pace_call(struct tsr_pace *pace, uint64_t windows);
// Whether the next window, with so many tiles, goes to all threads; `running`: there are any.
bool tsr_pace_next(struct tsr_pace *pace, unsigned tiles, bool running);
// Whether to look at the time for it. Of short windows on one thread only now and then.
bool tsr_pace_watches(struct tsr_pace *pace, unsigned tiles);
// What a watched one took.
void tsr_pace_took(struct tsr_pace *pace, unsigned tiles, bool together, uint64_t nanoseconds);
// What starting the threads, or ending them, took; each half of the whole.
void tsr_pace_threads_took(struct tsr_pace *pace, uint64_t nanoseconds);

#endif
