// SPDX-License-Identifier: Apache-2.0
// Programs that bring faces to Src and compute on them: UNPACRs for one side or both, words of the
// matrix unit, a SETRWC that gives the banks back, again and again, with other words in between and
// tiles of PACRs behind. One thread has whole faces, from its FIFO, a MOP or a REPLAY, or each
// thread has its part of them. What `random` says is the same each time. Pages: UNPACR_Regular.md,
// SETRWC.md, PACR.md, MOPExpander.md, REPLAY.md.
#ifndef TESSERA_TESTS_ORACLE_FACE_ORACLE_WORDS_H
#define TESSERA_TESTS_ORACLE_FACE_ORACLE_WORDS_H

#include "oracle/run_oracle_words.h"

enum { FACE_ORACLE_WORDS = 640 }; // of a thread, at most

struct face_words {
    unsigned count;
    uint32_t word[FACE_ORACLE_WORDS];
};

// How far a program and its tile's configuration are from those of kernels.
enum face_level { FACE_PLAIN, FACE_USUAL, FACE_WILD };

struct face_program {
    int lone; // the thread that has whole faces; -1: each has its part
    struct face_words of[TSR_THREADS];
    uint32_t mop[TSR_THREADS][TSR_MOP_WORDS];
};

void face_program_any(const tsr_tile *tile, uint64_t *random, enum face_level level,
                      struct face_program *program);
// One in `n`.
static inline bool face_draw(uint64_t *random, uint32_t n)
{
    return run_draw(random, n) == 0;
}

#endif
