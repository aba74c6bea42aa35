// SPDX-License-Identifier: Apache-2.0
// A .ttasm program, assembled: the words of each thread with the lines that they come from, the
// labels, and the tensors (docs/ttasm.md).
#ifndef CLI_PROGRAM_H
#define CLI_PROGRAM_H

#include "tensor/tensor.h"
#include "ttasm/source.h"

#include <tessera/tessera.h>

struct ttasm_stream {
    uint32_t *words;
    struct text_place *places;
    size_t count, capacity;
};

struct ttasm_label {
    char name[96];
    int thread;
    size_t position;   // number of words of the thread before it
    uint64_t sequence; // of the first instruction that the thread issues after it; 0: not known
};

struct ttasm_program {
    const char *path; // of the file that was given
    tsr_arch arch;
    char **paths; // of all files, for the places
    size_t path_count;
    struct ttasm_stream threads[TSR_THREADS];
    struct ttasm_label *labels;
    size_t label_count, label_capacity;
    struct tensor *tensors;
    size_t tensor_count;
    // The line of each instruction that reaches the wait gate, replayed ones included; see
    // issue_map.c. `mapped_all` is false from a MOP on, whose expansion the text does not show.
    struct ttasm_stream issued[TSR_THREADS];
    bool mapped_all[TSR_THREADS];
};

// The files that the command line gives; `used` is set where a tensor takes one.
struct ttasm_files {
    struct binding *in, *out;
    int in_count, out_count;
    bool outs_may_lack;
};

void ttasm_free(struct ttasm_program *program);

// The tensor whose name is those `length` characters; a null pointer if there is none.
const struct tensor *find_tensor(const struct ttasm_program *program, const char *name,
                                 size_t length);

// Where the instruction stands that a thread issues as number `sequence` (from 1). If that is not
// known, the program's path and line 0.
struct text_place ttasm_place(const struct ttasm_program *program, int thread, uint64_t sequence);
// The sequence number of the first instruction after a label. TSR_NOT_FOUND without such a label,
// TSR_BAD_ARGUMENT if a MOP stands before it.
tsr_status ttasm_label_sequence(const struct ttasm_program *program, int thread, const char *name,
                                uint64_t *sequence);

// False if there is no memory.
bool ttasm_append(struct ttasm_stream *stream, uint32_t word, struct text_place place);

#endif
