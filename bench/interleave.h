// SPDX-License-Identifier: Apache-2.0
// Interleaved measurement of several calls, so that a busy machine slows all of them alike, and the
// memcpy that they are compared with.
#ifndef TESSERA_INTERLEAVE_H
#define TESSERA_INTERLEAVE_H

#include <stddef.h>

struct timed_call {
    void (*run)(void *context);
    void *context;
};

enum { TIMED_CALLS_MOST = 8 };

// Seconds for one call of each, the best of all rounds of about a millisecond: others use the
// machine as well.
void measure_interleaved(const struct timed_call *calls, int count, int rounds, double *best);

// Through a pointer that the compiler cannot see through, as a kernel is called.
void copy_bytes(void *to, const void *from, size_t size);

#endif
