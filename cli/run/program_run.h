// SPDX-License-Identifier: Apache-2.0
// Runs an assembled program on a tile: feeds each thread's words to its FIFO as there is room, as
// the baby cores would, and tells how the run ended.
#ifndef CLI_PROGRAM_RUN_H
#define CLI_PROGRAM_RUN_H

#include "ttasm/program.h"

struct run_order {
    const struct ttasm_program *program;
    tsr_tile *tile;
    uint64_t max_cycles; // 0: none
    int break_thread;    // -1: none
    uint64_t break_sequence;
    uint64_t break_cycle; // 0: none
    bool timing;          // of the tile
    bool progress;        // a line on stderr that grows; for terminals
    bool (*stop)(void);   // asked now and then whether to give up; may be NULL
};

struct run_end {
    tsr_end end;
    bool given_up; // because `stop` said so
    size_t pushed[TSR_THREADS];
};

struct run_end program_run(const struct run_order *order);

#endif
