// SPDX-License-Identifier: Apache-2.0
// A whole tile with an event log, for tests of synchronisation (semaphores, mutexes, waits): cycles
// at which instructions passed, and what threads wait for.
#ifndef TESTS_RIG_SYNC_RIG_H
#define TESTS_RIG_SYNC_RIG_H

#include "rig/event_log.h"
#include "rig/tile_rig.h"

struct sync_rig {
    tsr_tile *tile;
    struct event_log log;
};

static inline struct sync_rig *sync_new(int arch, bool timing, tsr_profile profile)
{
    struct sync_rig *rig = calloc(1, sizeof *rig);
    assert_non_null(rig);
    rig->tile = tile_new(arch, timing, profile);
    event_log_start(&rig->log, rig->tile);
    return rig;
}

static inline void sync_free(struct sync_rig *rig)
{
    tsr_tile_destroy(rig->tile);
    free(rig);
}

static inline void sync_push(struct sync_rig *rig, int thread, const char *text)
{
    assert_int_equal(tsr_push(rig->tile, thread, tile_word(rig->tile, text)), TSR_OK);
}

// `external`: what waits is no deadlock.
static inline tsr_end sync_run(struct sync_rig *rig, bool external)
{
    tsr_limits limits = tsr_limits_default();
    limits.external = external;
    limits.max_steps = 10000;
    return tsr_run(rig->tile, &limits);
}

// The cycle in which a thread's instruction of that number (from 1) was accepted.
static inline uint64_t sync_cycle(const struct sync_rig *rig, int thread, uint64_t sequence)
{
    return event_log_find(&rig->log, thread, sequence)->accepted;
}

// What thread `thread` waits for now.
static inline void sync_waits(const struct sync_rig *rig, int thread, const char *what,
                              const char *release)
{
    tsr_wait waits[16];
    char who[16];
    int count = tsr_waits(rig->tile, waits, 16);
    snprintf(who, sizeof who, "thread %d", thread);
    for (int i = 0; i < count && i < 16; i++) {
        if (strcmp(waits[i].who, who) != 0)
            continue;
        assert_non_null(strstr(waits[i].what, what));
        assert_non_null(strstr(waits[i].release, release));
        return;
    }
    fail_msg("%s does not wait", who);
}

#endif
