// SPDX-License-Identifier: Apache-2.0
// What `tessera run` says after a run, as text or as JSON.
#ifndef CLI_RUN_REPORT_H
#define CLI_RUN_REPORT_H

#include <tessera/tessera.h>

#include <stdio.h>

enum { MAX_WAITS = 32, MAX_CORE_LINES = 5 };

// Where a finding comes from. The strings may be those of the source that was asked.
struct finding_place {
    const char *file;
    const char *path;     // with its folders, if `file` is without; else NULL
    int line;             // 0: not known
    const char *function; // NULL: not known
    char origin[480];     // a core, its program counter and the functions there; empty if none
};

// A baby core, if the tile interprets them.
struct core_line {
    int core;
    const char *name;
    uint64_t retired; // instructions
    uint64_t refused; // of them, without an effect
    char state[64];   // what it does, or waits for
    bool has_pc;
    uint32_t pc;
    char place[400];                    // the program counter with its functions and lines
    const char *file, *path, *function; // `path` as above
    int line;
};

// Everything that the report is made of.
struct run_picture {
    const char *path; // of the program
    tsr_arch arch;
    size_t words[TSR_THREADS]; // that were given to the threads
    struct finding_place (*place)(const void *source, const tsr_diagnostic *finding);
    const void *source;
    // Of another tile of the chip; a null pointer: there is none.
    struct finding_place (*place_in)(const void *chip, unsigned x, unsigned y,
                                     const tsr_diagnostic *finding);
    const void *chip;
    struct core_line cores[MAX_CORE_LINES];
    int core_count; // 0 if the cores are not interpreted
    const tsr_tile *tile;
    const char *tile_name; // "1,2" if it is one of a chip, else a null pointer
    int tile_count;        // how many are named; 0: one
    bool timing;
    tsr_end end;
    int status;          // exit status
    const char *stop_at; // the word of --stop-at, or a null pointer
    tsr_wait waits[MAX_WAITS];
    int wait_count;
    const char *dump; // text of --dump; may be a null pointer
    // A json_t each of --waits (run/wait_list.h) and --deletions (run/deletion_list.h); may be null
    // pointers.
    void *wait_list, *deletion_list;
};

// The place in a .ttasm program, which is the source.
struct finding_place program_place(const void *program, const tsr_diagnostic *finding);
// The other place of a race as a finding, for `place`.
tsr_diagnostic other_place(const tsr_finding_place *other);
struct finding_place find_other_place(const struct run_picture *picture,
                                      const tsr_finding_place *other);
// The place of the instruction or of the core that waits; line 0: not known.
struct finding_place find_wait_place(const struct run_picture *picture, const tsr_wait *wait);
const char *end_sentence(tsr_end end); // "completed", "ended in a deadlock", …
void report_text(FILE *file, const struct run_picture *picture);
// False if there is no memory.
bool report_json(FILE *file, const struct run_picture *picture);
// Parts of it: a finding with all that is known of it, or its first line alone; who waits, a line
// each.
void report_finding(FILE *file, const struct run_picture *picture, const tsr_diagnostic *finding);
void report_finding_line(FILE *file, const struct run_picture *picture,
                         const tsr_diagnostic *finding);
void report_waits(FILE *file, const struct run_picture *picture);
// How many instructions of each core had no effect; nothing if none.
void report_refused(FILE *file, const struct run_picture *picture);
// The finding or the deadlock that ended the run, for stderr.
void report_reason(FILE *file, const struct run_picture *picture);

#endif
