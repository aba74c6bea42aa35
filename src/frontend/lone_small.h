// SPDX-License-Identifier: Apache-2.0
// With timing on: small words of a lone thread that go one behind the other (lone_small.c).
#ifndef TESSERA_FRONTEND_LONE_SMALL_H
#define TESSERA_FRONTEND_LONE_SMALL_H

#include "frontend/lone_words.h"

// The word at the gate could be such (tsr_route.timed_small), and stands in the row. From the
// present cycle on, whose units have advanced: issues some words, one in each cycle, up to
// `until` as for tsr_lone_block(). Whatever others wait for, these change nothing of it. True: the
// last of them in the present cycle, before the FIFOs move; false: in the one before, if there was
// any, and the units have advanced.
bool tsr_lone_small(struct lone *lone, uint64_t until);

#endif
