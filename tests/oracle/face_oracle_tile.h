// SPDX-License-Identifier: Apache-2.0
// The two tiles that run a program of faces, TSR_PIPELINE_AUTO and TSR_PIPELINE_STAGED, configured
// alike as `random` says; what somebody does for a tile that waits for ever; and the performance
// counters. Pages: UNPACR_Regular.md, SrcASrcB.md.
#ifndef TESSERA_TESTS_ORACLE_FACE_ORACLE_TILE_H
#define TESSERA_TESTS_ORACLE_FACE_ORACLE_TILE_H

#include "oracle/face_oracle_words.h"
#include "rig/lone_faces.h"

struct pair face_tiles_new(int arch, bool timing, enum face_level level, uint64_t *random);
void face_tiles_set_mops(const struct pair *pair, int thread, const uint32_t mop[TSR_MOP_WORDS]);
// Banks of Src change hands, and semaphores change.
void face_tiles_release(const struct pair *pair, uint64_t *random);
void face_tiles_count(const struct pair *pair);
// Some of the counters, which also stops none of them. Whether both tiles show the same.
bool face_tiles_same_counts(const struct pair *pair, uint64_t *random);

#endif
