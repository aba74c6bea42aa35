// SPDX-License-Identifier: Apache-2.0
// Host threads that step tiles. They exist while a chip runs and no longer, so that a process may
// fork between two calls.
#ifndef TESSERA_CHIP_WORKERS_H
#define TESSERA_CHIP_WORKERS_H

#include <stdint.h>

struct tsr_workers;

// `threads` in all, the caller's among them; TSR_CHIP_THREADS at most. NULL: there is one thread,
// or no memory for more.
struct tsr_workers *tsr_workers_start(unsigned threads);
void tsr_workers_stop(struct tsr_workers *workers); // NULL is allowed
// Calls `step` with each of the numbers below `count`, on all threads, and returns when all have
// returned. Without workers the caller does all.
void tsr_workers_run(struct tsr_workers *workers, unsigned count,
                     void (*step)(void *context, unsigned index), void *context);
// The host's time in nanoseconds; 0 where it has no threads.
uint64_t tsr_workers_now(void);

#endif
