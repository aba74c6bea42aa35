// SPDX-License-Identifier: Apache-2.0
// A run of a whole chip, or of several that links connect: which programs the tiles get, what is
// written into the chip before the run and read from it afterwards. It is filled from words of
// options (here) and from a description file (grid_file.h).
#ifndef CLI_CHIP_JOB_H
#define CLI_CHIP_JOB_H

#include "chip/chip_list.h"
#include "chip/ethernet_programs.h"
#include "run/core_job.h"
#include "tensor/tensor.h"

// The same programs for all tiles of an area.
struct chip_group {
    char from[FROM_TEXT]; // the option, or file and line, for sentences
    struct chip_area area;
    struct core_job cores;
};

// What goes into or comes out of the chip: bytes of a file, an array as tiles, or words.
struct chip_data {
    char from[FROM_TEXT];
    struct chip_address place;
    char *path; // NULL: words
    bool array; // the file is a .npy
    struct tensor tensor;
    uint32_t *words; // of a write only
    uint64_t size;   // bytes; of a dump
    struct out_file out;
};

// What the command does as a host, after the start of the cores.
enum chip_step_kind { STEP_CYCLES, STEP_WRITE, STEP_UNTIL };
struct chip_step {
    enum chip_step_kind kind;
    uint64_t cycles;       // let so many pass
    struct chip_data data; // write this; or wait until its place has `value`
    uint32_t value;
};

struct chip_job {
    const char *grid_path; // NULL: no --grid
    struct chip_list chips;
    struct chip_group **groups;
    int group_count;
    struct ethernet_programs ethernet;
    struct chip_data *writes, *dumps;
    struct chip_step *steps;
    int write_count, dump_count, step_count;
    bool until;
    char until_from[FROM_TEXT];
    struct chip_address until_place;
    uint32_t until_value;
    bool arch_given; // by --chip or the file
    tsr_arch arch;
    int *group_of; // of each node of each chip's grid, row by row; -1: no program
};

// For sentences about the whole: the description file, or the first program.
const char *chip_job_path(const struct chip_job *job);
// The group whose programs the tile has; NULL: none.
struct chip_group *chip_job_group(const struct chip_job *job, unsigned chip, unsigned x,
                                  unsigned y);
// Which chip a place names, and area_check() there.
bool chip_job_area(const struct chip_job *job, struct chip_area *area, bool tensix,
                   const char *what, struct message *why);

// Makers for both sources; NULL: no memory, and `why` is set.
struct chip_group *chip_job_add_group(struct chip_job *job, const struct chip_area *area,
                                      const char *from, struct message *why);
struct chip_data *chip_job_add_write(struct chip_job *job, const char *from, struct message *why);
struct chip_data *chip_job_add_dump(struct chip_job *job, const char *from, struct message *why);
struct chip_step *chip_job_add_step(struct chip_job *job, const char *from, struct message *why);

// Words of options: X,Y:CORE=FILE,…, X,Y:ADDRESS=FILE, FILE@X,Y:ADDRESS, X,Y:ADDRESS:LENGTH=FILE,
// X,Y:ADDRESS=VALUE. X,Y may be a range but for the last two, and CHIP/ may stand in front of it.
bool chip_job_elf(struct chip_job *job, const char *word, struct message *why);
bool chip_job_noc_write(struct chip_job *job, const char *word, struct message *why);
bool chip_job_load(struct chip_job *job, const char *word, struct message *why);
bool chip_job_dump(struct chip_job *job, const char *word, struct message *why);
bool chip_job_until(struct chip_job *job, const char *word, struct message *why);

// Once all is known: chips and links, places against the grid, files against each other; reads the
// programs.
bool chip_job_check(struct chip_job *job, struct message *why);
// False if an output is a file that the run reads; `from` says which option or line wants it.
bool chip_job_spares(const struct chip_job *job, const char *from, const char *path,
                     struct message *why);
void chip_job_free(struct chip_job *job);

#endif
