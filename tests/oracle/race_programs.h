// SPDX-License-Identifier: Apache-2.0
// Random programs of three threads, with cores that store and load between pushes, for the
// comparison of races: few places that many share, and waits, semaphores and mutexes at random.
#ifndef TESSERA_TESTS_ORACLE_RACE_PROGRAMS_H
#define TESSERA_TESTS_ORACLE_RACE_PROGRAMS_H

#include "rig/tile_rig.h"

// A tile that looks for races, configured and idle.
tsr_tile *race_program_tile(int arch, bool timing, tsr_schedule schedule);
// Runs a program on it that `seed` says. With `text` each line of it is printed there.
void race_program_run(tsr_tile *tile, uint64_t seed, FILE *text);

#endif
