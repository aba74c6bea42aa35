// SPDX-License-Identifier: Apache-2.0
// Interleaved measurement; see interleave.h.
#include "interleave.h"

#include "word_program.h"

#include <string.h>

static const double ROUND_SECONDS = 0.001;

static double seconds_of(const struct timed_call *call, int times)
{
    double start = seconds_now();
    for (int i = 0; i < times; i++)
        call->run(call->context);
    return seconds_now() - start;
}

void measure_interleaved(const struct timed_call *calls, int count, int rounds, double *best)
{
    int times[TIMED_CALLS_MOST];
    for (int i = 0; i < count; i++) {
        times[i] = 1 + (int)(ROUND_SECONDS / (seconds_of(&calls[i], 1) + 1e-9));
        best[i] = 1e30;
    }
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < count; i++) {
            double time = seconds_of(&calls[i], times[i]) / times[i];
            best[i] = time < best[i] ? time : best[i];
        }
    }
}

void copy_bytes(void *to, const void *from, size_t size)
{
    static void *(*const volatile copy)(void *, const void *, size_t) = memcpy;
    copy(to, from, size);
}
