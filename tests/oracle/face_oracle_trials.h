// SPDX-License-Identifier: Apache-2.0
// One program of faces after the other on two tiles, which must remember the same after each run
// of it, however it is fed and cut.
#ifndef TESSERA_TESTS_ORACLE_FACE_ORACLE_TRIALS_H
#define TESSERA_TESTS_ORACLE_FACE_ORACLE_TRIALS_H

#include "rig/tile_rig.h"

// Of many programs: what they met.
struct face_trials {
    int arch;
    bool timing;
    uint64_t programs, lone;      // of these, those of which one thread has whole faces
    uint64_t with_faces, counted; // that went as such, and with performance counters
    uint64_t issued, in_blocks, in_faces, in_turns, rounds;
    uint64_t ends[TSR_END_WORDS + 1]; // the last of each
};

// The program of that seed. Fails where the tiles differ, and says how to repeat it.
void face_trial(struct face_trials *trials, uint64_t seed);

#endif
