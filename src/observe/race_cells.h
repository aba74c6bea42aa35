// SPDX-License-Identifier: Apache-2.0
// Who accessed what last: for each cell of a storage the last writers and readers that a later
// access can still conflict with. Cells of L1 are allocated when they are first used.
// Pages: L1.md, Dst.md, SrcASrcB.md, ScalarUnit.md, BackendConfiguration.md.
#ifndef TESSERA_OBSERVE_RACE_CELLS_H
#define TESSERA_OBSERVE_RACE_CELLS_H

#include "base/race_events.h"
#include "observe/race_clock.h"

enum { RACE_ENTRIES = 8 };

struct tsr_race_entry {
    uint8_t agent;
    // Of a thread: a unit + 1, which may use what the thread took from here until it is done; 0:
    // none. Of RACE_PACKET: RACE_ROLE and the other bits of race_packet.h.
    uint8_t until;
    bool write;
    bool value : 1;  // configuration that was read as a value, and not worked by
    bool atomic : 1; // L1: the scalar unit's ATINCGET or ATSWAP
    uint32_t mask;   // 0: no entry
    uint32_t count;
};

struct tsr_race_cell {
    struct tsr_race_entry entry[RACE_ENTRIES];
};

struct tsr_race_cells;

struct tsr_race_cells *tsr_race_cells_create(void);
void tsr_race_cells_destroy(struct tsr_race_cells *cells);
void tsr_race_cells_clear(struct tsr_race_cells *cells);
// NULL: there is none, or no memory. `make`: it is wanted even if nothing is known of it.
struct tsr_race_cell *tsr_race_cell_at(struct tsr_race_cells *cells, enum tsr_race_storage storage,
                                       uint32_t index, bool make);
// The same for a run of cells, to be made: how many of `count` lie behind the first one.
struct tsr_race_cell *tsr_race_cells_at(struct tsr_race_cells *cells, enum tsr_race_storage storage,
                                        uint32_t index, uint32_t *count);
// Notes an access and forgets what it stands for: entries that come before it (`before` says so
// for each) and that no later access can conflict with unless with this one, too.
void tsr_race_cell_note(struct tsr_race_cell *cell, struct tsr_race_entry fresh, unsigned before);

#endif
