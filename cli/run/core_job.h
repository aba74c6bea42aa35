// SPDX-License-Identifier: Apache-2.0
// A run of compiled programs on the baby cores: the ELF files, what else is loaded and what is
// written afterwards, and the places where a core is to stop.
#ifndef CLI_CORE_JOB_H
#define CLI_CORE_JOB_H

#include "common/out_file.h"
#include "elf/elf_image.h"
#include "elf/elf_lines.h"

enum { CORE_COUNT = TSR_CORES, MAX_LOADS = 64, MAX_FILE_DUMPS = 64, MAX_STOPS = 64 };

struct core_load {
    const char *path;
    uint32_t address;
};

struct core_file_dump {
    const char *path;
    uint32_t address, size;
    struct out_file out;
};

// An address at which a core stops: ebreak stands there instead of the program's instruction.
struct core_stop {
    tsr_core core;
    uint32_t pc;
};

struct core_job {
    bool given;                    // --elf was
    const char *paths[CORE_COUNT]; // NULL: no program for that core
    char *words[CORE_COUNT];       // of --elf, which hold the paths
    struct elf_image images[CORE_COUNT];
    struct elf_lines *lines[CORE_COUNT];
    struct core_load loads[MAX_LOADS];
    struct core_file_dump dumps[MAX_FILE_DUMPS];
    struct core_stop stops[MAX_STOPS];
    int load_count, dump_count, stop_count;
    bool until;
    uint32_t until_address, until_value;
};

// The first program's file.
const char *core_job_path(const struct core_job *job);

// The words of options: CORE=FILE[,CORE=FILE…], FILE@ADDRESS, ADDRESS:LENGTH=FILE, ADDRESS=VALUE.
bool core_job_elf(struct core_job *job, const char *word, struct message *why);
bool core_job_load(struct core_job *job, const char *word, struct message *why);
bool core_job_dump(struct core_job *job, const char *word, struct message *why);
bool core_job_until(struct core_job *job, const char *word, struct message *why);

// Reads the ELF files; finds the addresses of a place of --stop-at or --dump-at, FUNCTION or
// FILE:LINE, with CORE: before it or without. It is the only one then.
bool core_job_read(struct core_job *job, tsr_arch arch, struct message *why);
bool core_job_stop_at(struct core_job *job, const char *option, const char *word,
                      struct message *why);

// Loads everything into a fresh tile and starts core B, which starts the others; without a program
// for it every core that has one.
bool core_job_begin(struct core_job *job, tsr_tile *tile, struct message *why);
// Before and after the run: the files of --dump.
bool core_job_open_dumps(struct core_job *job, struct message *why);
bool core_job_write_dumps(struct core_job *job, const tsr_tile *tile, struct message *why);

void core_job_free(struct core_job *job);

#endif
