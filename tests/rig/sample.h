// SPDX-License-Identifier: Apache-2.0
// How many random trials a test does. Sanitizers make each trial four to ten times as long, and
// look for what the first of a kind shows; of a second compiler half of them tell as much. The
// build with gcc compares the results of all.
#ifndef TESSERA_RIG_SAMPLE_H
#define TESSERA_RIG_SAMPLE_H

#ifdef __SANITIZE_ADDRESS__
#define RIG_SAMPLE(trials) ((trials) / 4)
#elif defined __clang__
#define RIG_SAMPLE(trials) ((trials) / 2)
#else
#define RIG_SAMPLE(trials) (trials)
#endif

#endif
