// SPDX-License-Identifier: Apache-2.0
// A whole tile for tests of synchronisation: instructions as text, cycles at which they passed, and
// findings by their codes.
#ifndef TESTS_RIG_SYNC_RIG_H
#define TESTS_RIG_SYNC_RIG_H

#include "rig/event_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sync_rig {
    tsr_tile *tile;
    tsr_arch arch;
    struct event_log log;
};

static inline struct sync_rig *sync_new(tsr_arch arch, bool timing, tsr_profile profile)
{
    struct sync_rig *rig = calloc(1, sizeof *rig);
    tsr_options options = tsr_options_default(arch);
    options.timing = timing;
    options.profile = profile;
    rig->arch = arch;
    assert_int_equal(tsr_tile_create(&options, &rig->tile), TSR_OK);
    event_log_start(&rig->log, rig->tile);
    return rig;
}

static inline void sync_free(struct sync_rig *rig)
{
    tsr_tile_destroy(rig->tile);
    free(rig);
}

static inline uint32_t sync_word(const struct sync_rig *rig, const char *text)
{
    uint32_t word;
    char error[200];
    if (tsr_assemble(rig->arch, text, &word, error, sizeof error) != TSR_OK)
        fail_msg("%s: %s", text, error);
    return word;
}

static inline void sync_push(struct sync_rig *rig, int thread, const char *text)
{
    assert_int_equal(tsr_push(rig->tile, thread, sync_word(rig, text)), TSR_OK);
}

// `external`: what waits is no deadlock.
static inline tsr_end sync_run(struct sync_rig *rig, bool external)
{
    tsr_limits limits = tsr_limits_default();
    limits.external = external;
    limits.max_steps = 10000;
    return tsr_run(rig->tile, &limits);
}

static inline const tsr_diagnostic *sync_found(const struct sync_rig *rig, const char *code)
{
    for (int i = 0; i < tsr_diagnostic_count(rig->tile); i++)
        if (strcmp(tsr_diagnostic_at(rig->tile, i)->code, code) == 0)
            return tsr_diagnostic_at(rig->tile, i);
    return NULL;
}

// The sentence of a finding must be there and hold `part`.
static inline void sync_says(const struct sync_rig *rig, const char *code, const char *part)
{
    const tsr_diagnostic *found = sync_found(rig, code);
    if (!found)
        fail_msg("%s was not found", code);
    else if (!strstr(found->sentence, part))
        fail_msg("\"%s\" is not in \"%s\"", part, found->sentence);
}

// The cycle in which a thread's instruction of that number (from 1) was accepted.
static inline uint64_t sync_cycle(const struct sync_rig *rig, int thread, uint64_t sequence)
{
    return event_log_find(&rig->log, thread, sequence)->accepted;
}

static inline unsigned sync_value(const struct sync_rig *rig, int index)
{
    uint8_t value, max;
    assert_int_equal(tsr_view_semaphore(rig->tile, index, &value, &max), TSR_OK);
    return value;
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
