// SPDX-License-Identifier: Apache-2.0
// What `tessera run` says after a run, as text or as JSON.
#ifndef CLI_RUN_REPORT_H
#define CLI_RUN_REPORT_H

#include "ttasm/program.h"

enum { MAX_WAITS = 32 };

// Everything that the report is made of.
struct run_picture {
    const struct ttasm_program *program;
    const tsr_tile *tile;
    bool timing;
    tsr_end end;
    int status;          // exit status
    const char *stop_at; // the word of --stop-at, or a null pointer
    tsr_wait waits[MAX_WAITS];
    int wait_count;
    const char *dump; // text of --dump; may be a null pointer
};

const char *end_name(tsr_end end); // "idle", "deadlock", …
void report_text(FILE *file, const struct run_picture *picture);
// False if there is no memory.
bool report_json(FILE *file, const struct run_picture *picture);
// The finding or the deadlock that ended the run, for stderr.
void report_reason(FILE *file, const struct run_picture *picture);

#endif
