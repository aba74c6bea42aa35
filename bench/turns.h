// SPDX-License-Identifier: Apache-2.0
// Several things measured in turn, so that a busy machine slows all of them, and the memcpy that
// they are measured beside.
#ifndef TESSERA_TURNS_H
#define TESSERA_TURNS_H

#include <stddef.h>

struct turn {
    void (*run)(void *context);
    void *context;
};

enum { TURNS_MOST = 8 };

// Seconds for one call of each, the best of all rounds of about a millisecond: others use the
// machine as well.
void measure_in_turns(const struct turn *turns, int count, int rounds, double *best);

// Through a pointer that the compiler cannot see through, as a kernel is called.
void copy_bytes(void *to, const void *from, size_t size);

#endif
