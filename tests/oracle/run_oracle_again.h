// SPDX-License-Identifier: Apache-2.0
// Programs that a tile runs again and again, as kernels do for each tile of their input, with small
// changes in between: faces go from the unpackers through the banks of Src to the matrix unit by
// the same words, of one thread or of MOPs of two. What is kept of one time (blocks,
// sequences, plans) is used the next time, and must be what the change has left of it.
#ifndef TESSERA_TESTS_ORACLE_RUN_ORACLE_AGAIN_H
#define TESSERA_TESTS_ORACLE_RUN_ORACLE_AGAIN_H

#include "oracle/run_oracle_words.h"

struct run_kernel {
    bool by_two;
    int thread; // of one thread: which; else 0 unpacks and 1 computes
    struct run_words words[TSR_THREADS];
    uint32_t mop[2][TSR_MOP_WORDS];
};

struct run_kernel run_kernel_any(const tsr_tile *tile, uint64_t *random);
// Its MOPs, counters and configuration of this kind.
void run_kernel_load(tsr_tile *tile, const struct run_kernel *kernel);
// Where its tile lies, seldom anything else that its words find. Alike for the same `random`.
void run_kernel_change(tsr_tile *tile, const struct run_kernel *kernel, uint64_t random);

#endif
