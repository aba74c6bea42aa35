// SPDX-License-Identifier: Apache-2.0
// Runs a tile with its cores in slices, so that a signal or a core that comes to a place of
// --stop-at can end it; and tells where each core is.
#ifndef CLI_CORE_RUN_H
#define CLI_CORE_RUN_H

#include "run/core_job.h"
#include "run/run_places.h"
#include "run/run_report.h"

struct core_run {
    tsr_end end;
    bool given_up; // because `stop` said so
    int stopped;   // the core that came to a place of --stop-at; -1: none
};

struct core_run core_run(const struct core_job *job, tsr_tile *tile, uint64_t max_cycles,
                         bool (*stop)(void));
// Runs the programs to each place of --dump-at, on a tile of its own, and dumps there.
bool core_places_dump(struct core_job *job, struct run_places *places,
                      const struct tile_choice *choice, const struct dump_list *dumps,
                      uint64_t max_cycles, bool (*stop)(void), struct message *why);
// A core that hangs or met an ebreak of its own program: its number, or -1.
int core_fallen(const struct core_job *job, const tsr_tile *tile);

// A core that stands at a place of --stop-at: its number, or -1.
int core_at_stop(const struct core_job *job, const tsr_tile *tile);

// What the report says about cores and findings. `stopped`: the core is paused at a place where the
// run was to stop. `lines` may be NULL.
void core_line_fill(struct core_line *line, tsr_core core, const tsr_core_state *state,
                    struct elf_lines *lines, bool stopped);
int core_lines(const struct core_job *job, const tsr_tile *tile, struct core_line lines[]);
// `finding` is of a core, whose program is `path`.
struct finding_place core_place_of(struct elf_lines *lines, const char *path,
                                   const tsr_diagnostic *finding);
struct finding_place core_finding_place(const void *job, const tsr_diagnostic *finding);

#endif
