// SPDX-License-Identifier: Apache-2.0
// With timing on: faces that a lone thread brings to Src and computes on (lone_face.c).
#ifndef TESSERA_FRONTEND_LONE_FACE_H
#define TESSERA_FRONTEND_LONE_FACE_H

#include "frontend/lone_words.h"

// The word at the gate is an UNPACR, and lone->steps. From the present cycle on, whose units have
// advanced: as many faces as follow each other before `until`. True: the clock stands in a later
// cycle, in which the thread may issue the next word or finds it held, and the units have advanced;
// false: nothing was done.
bool tsr_lone_faces(struct lone *lone, uint64_t until);

#endif
