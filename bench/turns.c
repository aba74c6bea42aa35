// SPDX-License-Identifier: Apache-2.0
// Measuring in turn; see turns.h.
#include "turns.h"

#include "word_program.h"

#include <string.h>

static const double ROUND_SECONDS = 0.001;

static double seconds_of(const struct turn *turn, int calls)
{
    double start = seconds_now();
    for (int i = 0; i < calls; i++)
        turn->run(turn->context);
    return seconds_now() - start;
}

void measure_in_turns(const struct turn *turns, int count, int rounds, double *best)
{
    int calls[TURNS_MOST];
    for (int i = 0; i < count; i++) {
        calls[i] = 1 + (int)(ROUND_SECONDS / (seconds_of(&turns[i], 1) + 1e-9));
        best[i] = 1e30;
    }
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < count; i++) {
            double time = seconds_of(&turns[i], calls[i]) / calls[i];
            best[i] = time < best[i] ? time : best[i];
        }
    }
}

void copy_bytes(void *to, const void *from, size_t size)
{
    static void *(*const volatile copy)(void *, const void *, size_t) = memcpy;
    copy(to, from, size);
}
