// SPDX-License-Identifier: Apache-2.0
// Who listens to a tile's race events (base/race_events.h) in place of its record: writes all of
// them down, and passes them on to a record of its own, whose findings it keeps, too.
#ifndef TESSERA_TESTS_ORACLE_RACE_LOG_H
#define TESSERA_TESTS_ORACLE_RACE_LOG_H

#include "observe/race_finding.h"
#include "rig/tile_rig.h"

enum race_event_kind {
    EVENT_ACCEPTS,
    EVENT_EXECUTES,
    EVENT_DONE,
    EVENT_CORE,
    EVENT_PUSH,
    EVENT_EXPANDS,
    EVENT_ACCESS,
    EVENT_ACQUIRE,
    EVENT_SYNC,
    EVENT_LATCHED,
    EVENT_RELEASED,
    EVENT_CONFIG_CHANGES,
    EVENT_CONFIG_USED,
    EVENT_ABORTED
};

struct race_event {
    enum race_event_kind kind;
    struct tsr_race_inst inst;
    struct tsr_race_access access;
    struct tsr_race_wait wait;
    enum tsr_race_sync sync;
    bool flag;        // executed, has a program counter, on semaphores
    int agent;        // a core, or a thread
    uint32_t a, b, c; // the rest, in its order
};

enum { RACE_LOG_EVENTS = 60000, RACE_LOG_FOUND = 4000 };

struct race_log {
    struct tsr_races races; // the first: what the tile is given
    struct tsr_races *record;
    struct tsr_races *of_tile;
    tsr_tile *tile;
    struct tsr_race_setup setup;
    int count, found;
    bool full;
    struct race_event event[RACE_LOG_EVENTS];
    struct tsr_race_found finding[RACE_LOG_FOUND];
};

// The tile, made with find_races, tells the log from here on.
struct race_log *race_log_begin(tsr_tile *tile);
// To be called before the tile is destroyed.
void race_log_end(struct race_log *log);

#endif
