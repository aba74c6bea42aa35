// SPDX-License-Identifier: Apache-2.0
// Functions that are always compiled into their callers: steps that every word, datum or host
// instruction passes, where a call costs as much as the step, and those of which the compiler shall
// make one form for each value of an argument.
#ifndef TESSERA_BASE_INLINE_H
#define TESSERA_BASE_INLINE_H

#define TSR_INLINE __attribute__((always_inline)) static inline

#endif
